#include "ptx/lex.h"

#include <stdlib.h>
#include <string.h>

enum {
	LETTER = 1,
	DIGIT = 2,
	HEX = 4
};

/* Not isalpha: a program's locale must not change what a name is. */
static unsigned kind_of(char c)
{
	unsigned lower = (unsigned)c | 32u;

	if (c >= '0' && c <= '9')
		return DIGIT | HEX;
	if (lower >= 'a' && lower <= 'z' && (unsigned char)c < 128)
		return LETTER | (lower <= 'f' ? HEX : 0u);
	return c == '_' || c == '$' ? LETTER : 0;
}

static bool in_name(char c)
{
	return (kind_of(c) & (LETTER | DIGIT)) != 0;
}

static void skip_comment(ptx_lexer *lexer)
{
	lexer->at += 2;
	while (lexer->at < lexer->end) {
		if (*lexer->at == '\n')
			lexer->line++;
		if (*lexer->at == '*' && lexer->at + 1 < lexer->end && lexer->at[1] == '/') {
			lexer->at += 2;
			return;
		}
		lexer->at++;
	}
}

static void skip_space(ptx_lexer *lexer)
{
	for (; lexer->at < lexer->end; lexer->at++) {
		char c = *lexer->at;
		char next = (char)(lexer->at + 1 < lexer->end ? lexer->at[1] : '\0');

		if (c == '\n') {
			lexer->line++;
		} else if (c == '/' && next == '/') {
			const char *end = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
			lexer->at = (end ? end : lexer->end) - 1;
		} else if (c == '/' && next == '*') {
			skip_comment(lexer);
			lexer->at--;
		} else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') {
			return;
		}
	}
}

static uint64_t read_hex(ptx_lexer *lexer, int most)
{
	uint64_t value = 0;

	for (; most-- && lexer->at < lexer->end && (kind_of(*lexer->at) & HEX); lexer->at++) {
		unsigned c = (unsigned char)*lexer->at;
		value = value << 4 | (c <= '9' ? c - '0' : (c | 32u) - 'a' + 10);
	}
	return value;
}

static uint64_t read_digits(ptx_lexer *lexer, unsigned base)
{
	uint64_t value = 0;

	for (; lexer->at < lexer->end && (kind_of(*lexer->at) & DIGIT); lexer->at++)
		value = value * base + (unsigned)(*lexer->at - '0');
	return value;
}

/* A decimal number with a point or an exponent. strtod needs an end, and the source may have none. */
static bool read_decimal(ptx_lexer *lexer, ptx_token *token)
{
	char text[64];
	size_t length = 0, left = (size_t)(lexer->end - lexer->at);
	double value;

	while (length < left && length < sizeof text - 1) {
		char c = lexer->at[length];
		bool sign = (c == '-' || c == '+') && length && (text[length - 1] | 32) == 'e';
		if (!(kind_of(c) & DIGIT) && c != '.' && (c | 32) != 'e' && !sign)
			break;
		text[length++] = c;
	}
	text[length] = '\0';
	if (strspn(text, "0123456789") == length)
		return false;
	value = strtod(text, NULL);
	memcpy(&token->value, &value, sizeof value);
	token->kind = PTX_T_DOUBLE;
	lexer->at += length;
	return true;
}

static void lex_number(ptx_lexer *lexer, ptx_token *token)
{
	int is_prefixed = lexer->at + 1 < lexer->end && *lexer->at == '0';
	char c = (char)(is_prefixed ? lexer->at[1] | 32 : '\0');

	token->kind = PTX_T_INTEGER;
	if (c == 'x' || c == 'f' || c == 'd') {
		lexer->at += 2;
		token->kind = c == 'x' ? PTX_T_INTEGER : c == 'f' ? PTX_T_SINGLE : PTX_T_DOUBLE;
		token->value = read_hex(lexer, c == 'f' ? 8 : 16);
	} else if (c == 'b') {
		lexer->at += 2;
		token->value = read_digits(lexer, 2);
	} else if (!read_decimal(lexer, token)) {
		token->value = read_digits(lexer, kind_of(c) & DIGIT ? 8 : 10);
	}
	if (token->kind == PTX_T_INTEGER && lexer->at < lexer->end && (*lexer->at | 32) == 'u')
		lexer->at++;
}

static void lex_name(ptx_lexer *lexer)
{
	while (lexer->at < lexer->end && in_name(*lexer->at))
		lexer->at++;
}

static void lex_dot(ptx_lexer *lexer, ptx_token *token)
{
	token->kind = PTX_T_DOT;
	token->text = ++lexer->at;
	lex_name(lexer);
	while (lexer->end - lexer->at > 2 && lexer->at[0] == ':' && lexer->at[1] == ':' &&
	       in_name(lexer->at[2])) {
		lexer->at += 2;
		lex_name(lexer);
	}
}

static void lex_string(ptx_lexer *lexer, ptx_token *token)
{
	token->kind = PTX_T_STRING;
	token->text = ++lexer->at;
	while (lexer->at < lexer->end && *lexer->at != '"') {
		if (*lexer->at == '\n')
			lexer->line++;
		lexer->at += *lexer->at == '\\' && lexer->at + 1 < lexer->end ? 2 : 1;
	}
	token->length = (uint32_t)(lexer->at - token->text);
	if (lexer->at < lexer->end)
		lexer->at++;
}

ptx_token weir_ptx_lex(ptx_lexer *lexer)
{
	const char *before = lexer->at;
	ptx_token token = {PTX_T_END, '\0', false, NULL, 0, 0, 0};
	char c, next;

	skip_space(lexer);
	token.joined = lexer->at == before;
	token.text = lexer->at;
	token.line = lexer->line;
	if (lexer->at >= lexer->end)
		return token;
	c = *lexer->at;
	next = (char)(lexer->at + 1 < lexer->end ? lexer->at[1] : '\0');
	if (kind_of(c) & DIGIT) {
		lex_number(lexer, &token);
	} else if ((kind_of(c) & LETTER) || (c == '%' && in_name(next))) {
		token.kind = PTX_T_NAME;
		lexer->at++;
		lex_name(lexer);
	} else if (c == '.' && in_name(next)) {
		lex_dot(lexer, &token);
	} else if (c == '"') {
		lex_string(lexer, &token);
		return token;
	} else {
		token.kind = PTX_T_SIGN;
		token.sign = c;
		lexer->at++;
		if ((c == '<' || c == '>') && next == c) {
			token.sign = c == '<' ? 'l' : 'r';
			lexer->at++;
		}
	}
	token.length = (uint32_t)(lexer->at - token.text);
	return token;
}
