/* Tokens of PTX source. */
#ifndef WEIR_PTX_LEX_H
#define WEIR_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_token_kind {
	PTX_T_END,
	PTX_T_NAME, /* also %r12 and $L__BB0_1 */
	PTX_T_DOT,  /* .name, with everything after `::`; `text` begins after the dot */
	PTX_T_INTEGER,
	PTX_T_DOUBLE, /* 0d... and decimal: `value` has the bits of a double */
	PTX_T_SINGLE, /* 0f...: the bits of a float */
	PTX_T_STRING,
	PTX_T_SIGN /* one character, in `sign` */
} ptx_token_kind;

typedef struct ptx_token {
	ptx_token_kind kind;
	char sign;        /* of PTX_T_SIGN: << and >> are 'l' and 'r' */
	bool joined;      /* no space before it */
	const char *text; /* in the source */
	uint32_t length;
	uint32_t line;
	uint64_t value;
} ptx_token;

typedef struct ptx_lexer {
	const char *at, *end;
	uint32_t line;
} ptx_lexer;

/* The next token. What no token begins with becomes a PTX_T_SIGN. */
ptx_token weir_ptx_lex(ptx_lexer *lexer);

#endif
