/* Constant expressions: 4+8, -(1<<3), (.s64) 5, 0f3F800000, a > b ? c : d. */
#include <string.h>

#include "ptx/parse.h"

static bool expression(ptx_parser *p, ptx_token *value, int level, int depth);

static bool is_number(const ptx_token *t)
{
	return t->kind == PTX_T_INTEGER || t->kind == PTX_T_DOUBLE || t->kind == PTX_T_SINGLE;
}

static void negate(ptx_token *value)
{
	if (value->kind == PTX_T_INTEGER)
		value->value = -value->value;
	else
		value->value ^= UINT64_C(1) << (value->kind == PTX_T_SINGLE ? 31 : 63);
}

static bool primary(ptx_parser *p, ptx_token *value, int depth)
{
	char sign = (char)(p->token.kind == PTX_T_SIGN ? p->token.sign : '\0');

	if (depth > 32)
		return false;
	if (is_number(&p->token)) {
		*value = p->token;
		weir_ptx_next(p);
		return true;
	}
	if (weir_ptx_is(&p->token, "WARP_SZ")) {
		*value = (ptx_token){.kind = PTX_T_INTEGER, .value = 32};
		weir_ptx_next(p);
		return true;
	}
	if (!sign || !strchr("-+~!(", sign))
		return false;
	weir_ptx_next(p);
	if (sign == '(') {
		if (p->token.kind == PTX_T_DOT) { /* a cast, which changes nothing of 64 bits */
			weir_ptx_next(p);
			return weir_ptx_accept(p, ')') && primary(p, value, depth + 1);
		}
		return expression(p, value, 0, depth + 1) && weir_ptx_accept(p, ')');
	}
	if (!primary(p, value, depth + 1))
		return false;
	if (sign == '-')
		negate(value);
	else if (sign != '+')
		value->value = sign == '~' ? ~value->value : !value->value;
	return true;
}

static int level_of(char sign)
{
	static const char *const levels[] = {"|", "^", "&", "lr", "+-", "*/%"};

	for (int i = 0; i < 6; i++)
		if (sign && strchr(levels[i], sign))
			return i + 1;
	return 0;
}

static bool combine(ptx_token *a, char sign, uint64_t b)
{
	switch (sign) {
	case '|':
		a->value |= b;
		return true;
	case '^':
		a->value ^= b;
		return true;
	case '&':
		a->value &= b;
		return true;
	case 'l':
		a->value = b < 64 ? a->value << b : 0;
		return true;
	case 'r':
		a->value = b < 64 ? a->value >> b : 0;
		return true;
	case '+':
		a->value += b;
		return true;
	case '-':
		a->value -= b;
		return true;
	case '*':
		a->value *= b;
		return true;
	default:
		if (!b)
			return false;
		a->value = sign == '/' ? a->value / b : a->value % b;
		return true;
	}
}

static bool expression(ptx_parser *p, ptx_token *value, int level, int depth)
{
	if (!primary(p, value, depth))
		return false;
	while (p->token.kind == PTX_T_SIGN && value->kind == PTX_T_INTEGER) {
		char sign = p->token.sign;
		int own = level_of(sign);
		ptx_token right;

		if (!own || own <= level)
			return true;
		weir_ptx_next(p);
		if (!expression(p, &right, own, depth + 1) || right.kind != PTX_T_INTEGER ||
		    !combine(value, sign, right.value))
			return false;
	}
	return true;
}

bool weir_ptx_constant(ptx_parser *p, ptx_token *value)
{
	return expression(p, value, 0, 0);
}

bool weir_ptx_integer(ptx_parser *p, uint64_t *value)
{
	ptx_token token;

	if (!weir_ptx_constant(p, &token) || token.kind != PTX_T_INTEGER)
		return false;
	*value = token.value;
	return true;
}
