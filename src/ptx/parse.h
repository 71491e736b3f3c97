/* What the files of the parser share. */
#ifndef WEIR_PTX_PARSE_H
#define WEIR_PTX_PARSE_H

#include "ptx/lex.h"
#include "ptx/module.h"

/* What a name stands for; a scope's end takes its bindings back. */
typedef struct ptx_binding {
	enum {
		PTX_B_REGISTER,
		PTX_B_RANGE,
		PTX_B_VARIABLE,
		PTX_B_FUNCTION
	} kind;
	uint32_t name, previous;
	uint32_t id;         /* the first register, the variable or the function */
	uint32_t count;      /* of a range */
	uint32_t components; /* of a vector register, or 1 */
	bool wide, predicate;
} ptx_binding;

typedef struct ptx_parser {
	weir_ptx_module *module;
	ptx_lexer lexer;
	ptx_token token;
	PTX_ARRAY(ptx_binding) bindings;
	uint32_t function; /* whose body or header this is, or PTX_NONE */
	uint32_t scope, location, depth;
	uint32_t first_operand; /* of the function */
	uint32_t open[64];      /* bindings before each scope that is open */
	uint32_t *words;        /* hash of the words of PTX: 1 + its kind and number */
	uint64_t allowed[PTX_OPCODES][PTX_MODIFIER_WORDS];
	uint64_t allowed_types[PTX_OPCODES];
	const char *why; /* what is wrong with the statement that is being read */
	weir_status status;
} ptx_parser;

/* parse.c */
void weir_ptx_next(ptx_parser *p);
bool weir_ptx_sign(const ptx_parser *p, char sign); /* is this the token? */
bool weir_ptx_accept(ptx_parser *p, char sign);     /* passes it if so */
bool weir_ptx_is(const ptx_token *token, const char *text);
weir_status weir_ptx_wrong(ptx_parser *p, const char *why); /* "line N: why" */
weir_status weir_ptx_no_memory(ptx_parser *p);
/* Passes everything up to and with the next ; outside braces. */
void weir_ptx_skip_statement(ptx_parser *p);
ptx_binding *weir_ptx_bind(ptx_parser *p, uint32_t name);
const ptx_binding *weir_ptx_bound(const ptx_parser *p, uint32_t name);
/* Words of PTX: 'm' modifiers, 't' types, 'o' opcodes, 's' special registers. */
uint32_t weir_ptx_word(const ptx_parser *p, char kind, const char *text, size_t length);

/* The [3] of .const[3], if the next token begins one: there is only one bank. */
void weir_ptx_skip_bank(ptx_parser *p);

/* parse_constant.c */
bool weir_ptx_constant(ptx_parser *p, ptx_token *value);
bool weir_ptx_integer(ptx_parser *p, uint64_t *value);

/* parse_variable.c */
weir_status weir_ptx_parse_variable(ptx_parser *p, weir_ptx_space space, bool external);
weir_status weir_ptx_parse_registers(ptx_parser *p);
uint32_t weir_ptx_parse_param(ptx_parser *p);

/* parse_statement.c */
weir_status weir_ptx_parse_statement(ptx_parser *p);
bool weir_ptx_parse_operand(ptx_parser *p, ptx_operand *operand);

/* location.c */
weir_status weir_ptx_parse_loc(ptx_parser *p);
weir_status weir_ptx_parse_file(ptx_parser *p);

/* parse_function.c */
weir_status weir_ptx_parse_function(ptx_parser *p, bool entry);

#endif
