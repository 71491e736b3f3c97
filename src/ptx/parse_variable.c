/* Declarations: .reg, .global, .const, .shared, .local and .param, with initial values. */
#include <stdlib.h>
#include <string.h>

#include "ptx/parse.h"

typedef struct declaration {
	uint32_t align, elements; /* of a vector */
	ptx_type type;
} declaration;

/* .align 8 .v2 .f32, .ptr .global .align 4 ... */
static weir_status parse_type(ptx_parser *p, declaration *d)
{
	*d = (declaration){0, 1, PTX_NO_TYPE};
	while (p->token.kind == PTX_T_DOT) {
		uint32_t type = weir_ptx_word(p, 't', p->token.text, p->token.length);
		uint64_t align;

		if (type != PTX_NONE && weir_ptx_types[type].bits >= 8) {
			d->type = type;
		} else if (weir_ptx_is(&p->token, "align")) {
			weir_ptx_next(p);
			if (!weir_ptx_integer(p, &align) || !align || align > 1u << 20 ||
			    (align & (align - 1)))
				return weir_ptx_wrong(p, ".align needs a power of two");
			d->align = align > d->align ? (uint32_t)align : d->align;
			continue;
		} else if (weir_ptx_is(&p->token, "v2") || weir_ptx_is(&p->token, "v4") ||
		           weir_ptx_is(&p->token, "v8")) {
			d->elements = (uint32_t)(p->token.text[1] - '0');
		} else if (weir_ptx_is(&p->token, "attribute")) {
			while (p->token.kind != PTX_T_END && !weir_ptx_sign(p, ')'))
				weir_ptx_next(p);
		} else if (weir_ptx_is(&p->token, "ptr")) {
			/* the alignment of what a pointer parameter points to */
			uint32_t align_before = d->align;
			for (weir_ptx_next(p); p->token.kind == PTX_T_DOT; weir_ptx_next(p)) {
				if (weir_ptx_is(&p->token, "align"))
					weir_ptx_next(p);
			}
			d->align = align_before;
			continue;
		}
		weir_ptx_next(p);
	}
	if (d->type == PTX_NO_TYPE)
		return weir_ptx_wrong(p, "a declaration without a type");
	return WEIR_OK;
}

/* The bytes of one element go to `at`, as far as the variable is long enough. */
static weir_status put_value(ptx_parser *p, ptx_variable *v, uint64_t *at)
{
	unsigned bytes = ptx_bytes(v->type);
	uint64_t mask = UINT64_MAX, bits;
	ptx_token value = {.kind = PTX_T_INTEGER};
	ptx_relocation *relocation;
	bool by_name = p->token.kind == PTX_T_NAME;

	if (!by_name && !weir_ptx_constant(p, &value))
		return weir_ptx_wrong(p, "an initial value was expected");
	if (*at + bytes > v->bytes)
		return weir_ptx_wrong(p, "more initial values than the variable has elements");
	if (!by_name && weir_ptx_sign(p, '(')) { /* 0xFF00(name): one byte of an address */
		mask = value.value;
		weir_ptx_next(p);
		by_name = true;
	}
	if (by_name) {
		uint32_t parens = mask != UINT64_MAX;
		uint32_t name;

		while (weir_ptx_is(&p->token, "generic") || weir_ptx_is(&p->token, "mask")) {
			weir_ptx_next(p);
			if (!weir_ptx_accept(p, '('))
				return weir_ptx_wrong(p, "( was expected");
			parens++;
		}
		if (p->token.kind != PTX_T_NAME)
			return weir_ptx_wrong(p, "the name of a variable was expected");
		name = weir_ptx_name(p->module, p->token.text, p->token.length);
		relocation =
		    realloc(v->relocations, (v->relocation_count + 1) * sizeof *relocation);
		if (!relocation || name == PTX_NONE)
			return weir_ptx_no_memory(p);
		v->relocations = relocation;
		relocation += v->relocation_count++;
		*relocation = (ptx_relocation){(uint32_t)*at, name, 0, mask, (uint8_t)bytes};
		weir_ptx_next(p);
		for (;;) {
			bool minus = weir_ptx_sign(p, '-');
			if (parens && weir_ptx_accept(p, ')')) {
				parens--;
			} else if (minus || weir_ptx_sign(p, '+')) {
				weir_ptx_next(p);
				if (!weir_ptx_integer(p, &bits))
					return weir_ptx_wrong(p, "an offset was expected");
				relocation->addend += minus ? -bits : bits;
			} else {
				break;
			}
		}
	} else {
		float single;
		double exact;

		if (v->type == PTX_F32 && value.kind == PTX_T_DOUBLE) {
			memcpy(&exact, &value.value, sizeof exact);
			single = (float)exact;
			memcpy(&value.value, &single, sizeof single);
		} else if (v->type == PTX_F64 && value.kind == PTX_T_SINGLE) {
			memcpy(&single, &value.value, sizeof single);
			exact = single;
			memcpy(&value.value, &exact, sizeof exact);
		}
		memcpy(v->initial + *at, &value.value, bytes < 8 ? bytes : 8);
	}
	*at += bytes;
	return WEIR_OK;
}

/* The values of `name[] = {...}`, which has as many elements as these. */
static uint64_t count_values(const ptx_parser *p)
{
	ptx_lexer ahead = p->lexer;
	ptx_token token = weir_ptx_lex(&ahead);
	uint64_t count = 1;

	for (; token.kind != PTX_T_END && !(token.kind == PTX_T_SIGN && token.sign == ';');
	     token = weir_ptx_lex(&ahead))
		count += token.kind == PTX_T_SIGN && token.sign == ',';
	return count;
}

/* Braces nest as dimensions do; values simply follow each other, which is what compilers write. */
static weir_status parse_initial(ptx_parser *p, ptx_variable *v)
{
	unsigned braces = 0;
	uint64_t at = 0;

	if (v->unsized) {
		v->bytes = count_values(p) * ptx_bytes(v->type);
		v->unsized = false;
	}
	v->initial = calloc(1, v->bytes ? v->bytes : 1);
	if (!v->initial)
		return weir_ptx_no_memory(p);
	do {
		if (weir_ptx_accept(p, '{'))
			braces++;
		else if (weir_ptx_accept(p, '}'))
			braces--;
		else if (!weir_ptx_accept(p, ',') && put_value(p, v, &at) != WEIR_OK)
			return p->status;
	} while (braces && p->token.kind != PTX_T_END);
	return WEIR_OK;
}

/* The dimensions of an array; [] has no size of its own. */
static weir_status parse_dimensions(ptx_parser *p, uint64_t *count, bool *unsized)
{
	*count = 1;
	*unsized = false;
	while (weir_ptx_accept(p, '[')) {
		uint64_t size = 0;
		if (weir_ptx_sign(p, ']'))
			*unsized = true;
		else if (!weir_ptx_integer(p, &size) || size > UINT64_C(1) << 40)
			return weir_ptx_wrong(p, "a size was expected");
		else if (*count > UINT64_C(1) << 40)
			return weir_ptx_wrong(p, "an array is too large");
		else
			*count *= size;
		if (!weir_ptx_accept(p, ']'))
			return weir_ptx_wrong(p, "] was expected");
	}
	if (*unsized)
		*count = 0;
	return WEIR_OK;
}

/* The variable, bound to its name; PTX_NONE after a failure. */
static uint32_t declare(ptx_parser *p, const declaration *d, weir_ptx_space space)
{
	uint32_t name, index = p->module->variables.count, bytes = ptx_bytes(d->type) * d->elements;
	ptx_binding *binding;
	ptx_variable *v;
	uint64_t count;
	bool unsized;

	if (p->token.kind != PTX_T_NAME) {
		weir_ptx_wrong(p, "the name of a variable was expected");
		return PTX_NONE;
	}
	name = weir_ptx_name(p->module, p->token.text, p->token.length);
	weir_ptx_next(p);
	if (parse_dimensions(p, &count, &unsized) != WEIR_OK)
		return PTX_NONE;
	if (space != WEIR_PTX_GLOBAL && space != WEIR_PTX_CONST && count * bytes > 1u << 24) {
		weir_ptx_wrong(p, "a variable is too large");
		return PTX_NONE;
	}
	binding = weir_ptx_bind(p, name);
	v = binding ? ptx_push(p->module->variables) : NULL;
	if (!v) {
		weir_ptx_no_memory(p);
		return PTX_NONE;
	}
	binding->kind = PTX_B_VARIABLE;
	binding->id = index;
	*v = (ptx_variable){.name = name,
	                    .space = space,
	                    .type = d->type,
	                    .function = p->function,
	                    .align = d->align > bytes ? d->align
	                             : d->align       ? d->align
	                                              : bytes,
	                    .bytes = count * bytes,
	                    .unsized = unsized};
	return index;
}

weir_status weir_ptx_parse_variable(ptx_parser *p, weir_ptx_space space, bool external)
{
	declaration d;

	if (parse_type(p, &d) != WEIR_OK)
		return p->status;
	do {
		uint32_t index = declare(p, &d, space);
		if (index == PTX_NONE)
			return p->status;
		p->module->variables.at[index].external = external;
		if (weir_ptx_accept(p, '=') &&
		    parse_initial(p, &p->module->variables.at[index]) != WEIR_OK)
			return p->status;
	} while (weir_ptx_accept(p, ','));
	if (!weir_ptx_accept(p, ';'))
		return weir_ptx_wrong(p, "; was expected after a declaration");
	return WEIR_OK;
}

/* .reg .b32 %r<10>, %a; */
weir_status weir_ptx_parse_registers(ptx_parser *p)
{
	declaration d;

	if (parse_type(p, &d) != WEIR_OK)
		return p->status;
	do {
		ptx_function *f = &p->module->functions.at[p->function];
		uint64_t count = 1;
		bool range;
		ptx_binding *binding;

		if (p->token.kind != PTX_T_NAME)
			return weir_ptx_wrong(p, "the name of a register was expected");
		binding =
		    weir_ptx_bind(p, weir_ptx_name(p->module, p->token.text, p->token.length));
		if (!binding)
			return p->status;
		weir_ptx_next(p);
		range = weir_ptx_accept(p, '<');
		if (range &&
		    (!weir_ptx_integer(p, &count) || count > 1u << 20 || !weir_ptx_accept(p, '>')))
			return weir_ptx_wrong(p, "a number of registers was expected");
		binding->kind = range ? PTX_B_RANGE : PTX_B_REGISTER;
		binding->id = f->registers;
		binding->count = (uint32_t)count;
		binding->components = d.elements;
		binding->wide = d.type == PTX_B128;
		binding->predicate = d.type == PTX_PRED;
		if (count * d.elements > (1u << 20) - f->registers)
			return weir_ptx_wrong(p, "too many registers");
		f->registers += (uint32_t)count * d.elements * (binding->wide ? 2 : 1);
	} while (weir_ptx_accept(p, ','));
	if (!weir_ptx_accept(p, ';'))
		return weir_ptx_wrong(p, "; was expected after a declaration");
	return WEIR_OK;
}

/* One of a function's parameters or results: .param .align 8 .b8 name[16], or .reg .b32 %r. */
uint32_t weir_ptx_parse_param(ptx_parser *p)
{
	declaration d;
	bool in_register = weir_ptx_is(&p->token, "reg");
	uint32_t index;

	weir_ptx_next(p);
	if (parse_type(p, &d) != WEIR_OK)
		return PTX_NONE;
	index = declare(p, &d, WEIR_PTX_PARAM);
	if (index != PTX_NONE && in_register) {
		ptx_binding *binding = &p->bindings.at[p->bindings.count - 1];
		ptx_variable *v = &p->module->variables.at[index];
		binding->kind = PTX_B_REGISTER;
		binding->id =
		    (uint32_t)(v->address = p->module->functions.at[p->function].registers++);
		v->in_register = true;
	}
	return index;
}
