/* Statements of a body: declarations, labels, directives and instructions. An instruction that is not
 * known, or whose operands make no sense, is kept with the reason: it is no error until a thread
 * reaches it. */
#include <string.h>

#include "ptx/parse.h"

#define OPERANDS 40

/* %r12 of a range %r<100>: the longest run of digits that a range fits. */
static const ptx_binding *find_in_range(const ptx_parser *p, const ptx_token *t, uint32_t *index)
{
	uint64_t number = 0, unit = 1;

	for (uint32_t at = t->length; at > 1 && t->length - at < 9;) {
		char c = t->text[--at];
		const ptx_binding *b;

		if (c < '0' || c > '9')
			return NULL;
		number += unit * (unsigned)(c - '0');
		unit *= 10;
		b = weir_ptx_bound(p, weir_ptx_name_find(p->module, t->text, at));
		if (b && b->kind == PTX_B_RANGE && number < b->count) {
			*index = (uint32_t)number;
			return b;
		}
	}
	return NULL;
}

/* .x, .y, .z, .w, or .r, .g, .b, .a, right behind a name: 0 to 3, else -1. */
static int component(ptx_parser *p)
{
	static const char letters[] = "xyzwrgba";
	const char *found;

	if (p->token.kind != PTX_T_DOT || !p->token.joined || p->token.length != 1)
		return -1;
	found = strchr(letters, *p->token.text);
	if (!found || !*found)
		return -1;
	weir_ptx_next(p);
	return (int)(found - letters) & 3;
}

/* .b0, .h1, .b3210, .h10 right behind a register: the parts that a video instruction takes, as PTX_PARTS. */
static uint16_t parts(ptx_parser *p)
{
	const char *text = p->token.text;
	uint32_t length = p->token.length, digits = 0;

	if (p->token.kind != PTX_T_DOT || !p->token.joined || length < 2 || length > 5 ||
	    (*text != 'b' && *text != 'h'))
		return 0;
	for (uint32_t i = 1; i < length; i++) {
		if (text[i] < '0' || text[i] > (*text == 'b' ? '7' : '3'))
			return 0;
		digits = digits << 3 | (uint32_t)(text[i] - '0');
	}
	weir_ptx_next(p);
	return (uint16_t)(PTX_PARTS | (*text == 'h' ? PTX_PARTS_HALVES : 0) | (length - 2) << 12 |
	                  digits);
}

static bool special_operand(ptx_parser *p, const ptx_token *name, ptx_operand *o)
{
	uint32_t special = weir_ptx_word(p, 's', name->text, name->length);
	uint32_t digits = name->length, number = 0;

	if (special == PTX_NONE) { /* %envreg12, %pm3_64 */
		if (digits > 3 && !memcmp(name->text + digits - 3, "_64", 3))
			digits -= 3;
		while (digits && name->text[digits - 1] >= '0' && name->text[digits - 1] <= '9')
			digits--;
		for (uint32_t i = digits; i < name->length && i < digits + 3; i++)
			if (name->text[i] != '_')
				number = number * 10 + (uint32_t)(name->text[i] - '0');
		special =
		    digits < name->length ? weir_ptx_word(p, 's', name->text, digits) : PTX_NONE;
		if (special != PTX_S_ENVREG && special != PTX_S_PM &&
		    special != PTX_S_RESERVED_SMEM)
			return false;
	}
	o->kind = PTX_O_SPECIAL;
	o->id = special;
	o->value = special == PTX_S_ENVREG ? (int64_t)number : 0;
	if (weir_ptx_specials[special].components > 1) {
		int part = component(p);
		o->value = part > 0 ? part : 0;
	}
	return true;
}

static bool name_operand(ptx_parser *p, ptx_operand *o)
{
	ptx_token name = p->token;
	uint32_t index = 0, id;
	const ptx_binding *b;
	int part;

	weir_ptx_next(p);
	if (name.length == 1 && *name.text == '_') {
		o->kind = PTX_O_SINK;
		return true;
	}
	id = weir_ptx_name_find(p->module, name.text, name.length);
	b = weir_ptx_bound(p, id);
	if (!b || b->kind == PTX_B_RANGE)
		b = find_in_range(p, &name, &index);
	if (b && (b->kind == PTX_B_REGISTER || b->kind == PTX_B_RANGE)) {
		part = b->components > 1 ? component(p) : -1;
		o->kind = PTX_O_REGISTER;
		o->id = b->id + index * b->components * (b->wide ? 2 : 1) +
		        (part > 0 ? (uint32_t)part : 0);
		o->flags |= (b->wide ? PTX_F_WIDE : 0) | (b->predicate ? PTX_F_PREDICATE : 0);
		o->count = b->components > 1 ? 0 : parts(p);
		return true;
	}
	if (b && b->kind == PTX_B_VARIABLE) {
		o->kind = PTX_O_VARIABLE;
		o->id = b->id;
		return true;
	}
	if (*name.text == '%') {
		if (special_operand(p, &name, o))
			return true;
		p->why = "an undeclared register";
		return false;
	}
	o->kind = PTX_O_NAME;
	o->id = weir_ptx_name(p->module, name.text, name.length);
	o->value = (int64_t)((uint64_t)p->scope << 32);
	return o->id != PTX_NONE;
}

static bool list_operand(ptx_parser *p, ptx_operand *o, char end)
{
	ptx_operand elements[OPERANDS];
	uint32_t count = 0;

	weir_ptx_next(p);
	while (!weir_ptx_accept(p, end)) {
		if (count == OPERANDS || !weir_ptx_parse_operand(p, &elements[count]))
			return false;
		count++;
		if (!weir_ptx_sign(p, end) && !weir_ptx_accept(p, ','))
			return false;
	}
	o->kind = PTX_O_VECTOR;
	o->count = (uint16_t)count;
	o->id = p->module->operands.count;
	for (uint32_t i = 0; i < count; i++) {
		ptx_operand *kept = ptx_push(p->module->operands);
		if (!kept) {
			weir_ptx_no_memory(p);
			return false;
		}
		*kept = elements[i];
	}
	return true;
}

/* [%rd1+8], [name], [name+%r1] is not PTX; [4096]. */
static bool memory_operand(ptx_parser *p, ptx_operand *o)
{
	ptx_operand base = {0}, *kept;

	weir_ptx_next(p);
	if (!weir_ptx_parse_operand(p, &base) || !weir_ptx_accept(p, ']'))
		return false;
	if (base.kind == PTX_O_MEMORY || base.kind == PTX_O_VECTOR)
		return false;
	o->kind = PTX_O_MEMORY;
	if (base.kind == PTX_O_REGISTER) {
		o->value = base.value;
		base.value = 0;
	}
	o->id = p->module->operands.count;
	kept = ptx_push(p->module->operands);
	if (!kept) {
		weir_ptx_no_memory(p);
		return false;
	}
	*kept = base;
	return true;
}

/* +4, +-4 or -4 behind a name. */
static bool add_offset(ptx_parser *p, ptx_operand *o)
{
	while (weir_ptx_sign(p, '+') || weir_ptx_sign(p, '-')) {
		bool minus = weir_ptx_sign(p, '-');
		uint64_t offset;
		int64_t sum;

		weir_ptx_next(p);
		if (!weir_ptx_integer(p, &offset))
			return false;
		if (o->kind == PTX_O_NAME) { /* the upper half is its scope */
			sum = (int64_t)((uint64_t)o->value & ~UINT64_C(0xffffffff));
			o->value =
			    sum | (uint32_t)((uint64_t)o->value + (minus ? -offset : offset));
		} else {
			o->value = (int64_t)((uint64_t)o->value + (minus ? -offset : offset));
		}
	}
	return true;
}

bool weir_ptx_parse_operand(ptx_parser *p, ptx_operand *o)
{
	ptx_token value;

	*o = (ptx_operand){0};
	if (weir_ptx_sign(p, '{'))
		return list_operand(p, o, '}');
	if (weir_ptx_sign(p, '['))
		return memory_operand(p, o);
	if (weir_ptx_accept(p, '!'))
		o->flags |= PTX_F_NOT;
	if (weir_ptx_sign(p, '-')) { /* of a register; of a number it belongs to the constant */
		ptx_lexer ahead = p->lexer;
		if (weir_ptx_lex(&ahead).kind == PTX_T_NAME) {
			weir_ptx_next(p);
			o->flags |= PTX_F_NEGATED;
		}
	}
	if (p->token.kind == PTX_T_NAME && !weir_ptx_is(&p->token, "WARP_SZ"))
		return name_operand(p, o) && add_offset(p, o);
	if (!weir_ptx_constant(p, &value))
		return false;
	o->kind = value.kind == PTX_T_INTEGER  ? PTX_O_INTEGER
	          : value.kind == PTX_T_SINGLE ? PTX_O_SINGLE
	                                       : PTX_O_DOUBLE;
	o->value = (int64_t)value.value;
	return true;
}

/* What may follow these words behind :: changes nothing here: L1::evict_last, sync_restrict::shared::cta. */
static bool is_family(const char *text, size_t length)
{
	static const char *const families[] = {
	    "L1", "L2", "async", "sync_restrict", "tensormap", "get_first_ctaid"};

	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (strlen(families[i]) == length && !memcmp(families[i], text, length))
			return true;
	return false;
}

/* One word behind a dot: a type, a modifier, or a reason why the instruction is not supported. */
static void add_modifier(ptx_parser *p, ptx_statement *s)
{
	const char *text = p->token.text, *colons;
	uint32_t length = p->token.length, word = weir_ptx_word(p, 't', text, length);

	if (s->opcode == PTX_UNKNOWN)
		return;
	if (word != PTX_NONE && s->type_count < sizeof s->types) {
		s->types[s->type_count++] = (uint8_t)word;
		if (!(p->allowed_types[s->opcode] >> word & 1))
			s->why = "this type is not supported";
		return;
	}
	word = weir_ptx_word(p, 'm', text, length);
	colons = memchr(text, ':', length);
	if (word == PTX_NONE && colons && is_family(text, (size_t)(colons - text)))
		word = weir_ptx_word(p, 'm', text, (size_t)(colons - text));
	if (word == PTX_NONE || !(p->allowed[s->opcode][word / 64] >> (word % 64) & 1))
		s->why = "this modifier is not supported";
	else
		ptx_set(s->modifiers, word);
}

static bool add_operands(ptx_parser *p, ptx_statement *s)
{
	ptx_operand operands[OPERANDS];
	uint32_t count = 0;
	bool second = false;

	while (!weir_ptx_sign(p, ';')) {
		ptx_operand *o = &operands[count];
		if (count == OPERANDS)
			return false;
		if (weir_ptx_sign(p, '(') ? !list_operand(p, memset(o, 0, sizeof *o), ')')
		                          : !weir_ptx_parse_operand(p, o))
			return false;
		o->flags |= second ? PTX_F_SECOND : 0;
		count++;
		second = weir_ptx_accept(p, '|');
		if (!second && !weir_ptx_sign(p, ';') && !weir_ptx_accept(p, ','))
			return false;
	}
	s->first = p->module->operands.count;
	s->operands = (uint8_t)count;
	for (uint32_t i = 0; i < count; i++) {
		ptx_operand *kept = ptx_push(p->module->operands);
		if (!kept) {
			weir_ptx_no_memory(p);
			return false;
		}
		*kept = operands[i];
	}
	return true;
}

static bool parse_guard(ptx_parser *p, ptx_statement *s)
{
	ptx_operand guard;

	s->guard = PTX_NONE;
	if (!weir_ptx_accept(p, '@'))
		return true;
	if (!weir_ptx_parse_operand(p, &guard) || guard.kind != PTX_O_REGISTER)
		return false;
	s->guard = guard.id;
	s->guard_not = (guard.flags & PTX_F_NOT) != 0;
	return true;
}

static weir_status parse_instruction(ptx_parser *p)
{
	ptx_statement s = {.line = p->token.line, .location = p->location, .guard = PTX_NONE},
		      *kept;
	uint32_t opcode;
	bool good;

	p->why = NULL;
	good = parse_guard(p, &s);
	s.line = p->token.line;
	s.name = p->token.text;
	opcode = p->token.kind == PTX_T_NAME ? weir_ptx_word(p, 'o', p->token.text, p->token.length)
	                                     : PTX_NONE;
	s.opcode = (uint8_t)(opcode == PTX_NONE ? PTX_UNKNOWN : opcode);
	if (opcode == PTX_NONE)
		s.why = "this instruction is not supported";
	if (p->token.kind == PTX_T_NAME) {
		const char *end = p->token.text + p->token.length;
		for (weir_ptx_next(p); p->token.kind == PTX_T_DOT; weir_ptx_next(p)) {
			add_modifier(p, &s);
			end = p->token.text + p->token.length;
			if (weir_ptx_is(&p->token, "const"))
				weir_ptx_skip_bank(p);
		}
		s.name_length = (uint16_t)(end - s.name < 60000 ? end - s.name : 60000);
	}
	if (!good || (s.opcode != PTX_UNKNOWN && !add_operands(p, &s)))
		s.why = p->why ? p->why : s.why ? s.why : "its operands cannot be read";
	if (p->status != WEIR_OK)
		return p->status;
	weir_ptx_skip_statement(p);
	kept = ptx_push(p->module->statements);
	if (!kept)
		return weir_ptx_no_memory(p);
	*kept = s;
	return WEIR_OK;
}

static weir_status add_label(ptx_parser *p, const ptx_token *token)
{
	uint32_t name = weir_ptx_name(p->module, token->text, token->length);
	ptx_label *label = name == PTX_NONE ? NULL : ptx_push(p->module->labels);

	if (!label)
		return weir_ptx_no_memory(p);
	*label = (ptx_label){.name = name,
	                     .scope = p->scope,
	                     .next = p->module->names.at[name].label,
	                     .statement = p->module->statements.count};
	p->module->names.at[name].label = p->module->labels.count - 1;
	return WEIR_OK;
}

/* `.branchtargets A, B;` behind its label. */
static weir_status parse_targets(ptx_parser *p)
{
	ptx_statement s = {0};
	ptx_label *label =
	    p->module->labels.count ? &p->module->labels.at[p->module->labels.count - 1] : NULL;

	weir_ptx_next(p);
	if (!label || !add_operands(p, &s))
		return p->status != WEIR_OK ? p->status
		                            : weir_ptx_wrong(p, "a list of labels was expected");
	label = &p->module->labels.at[p->module->labels.count - 1];
	label->targets = s.first;
	label->count = s.operands;
	weir_ptx_accept(p, ';');
	return WEIR_OK;
}

static weir_status parse_directive(ptx_parser *p)
{
	static const struct {
		const char *name;
		weir_ptx_space space;
	} spaces[] = {{"local", WEIR_PTX_LOCAL},
	              {"shared", WEIR_PTX_SHARED},
	              {"param", WEIR_PTX_PARAM},
	              {"global", WEIR_PTX_GLOBAL},
	              {"const", WEIR_PTX_CONST}};

	if (weir_ptx_is(&p->token, "reg")) {
		weir_ptx_next(p);
		return weir_ptx_parse_registers(p);
	}
	if (weir_ptx_is(&p->token, "loc"))
		return weir_ptx_parse_loc(p);
	if (weir_ptx_is(&p->token, "branchtargets"))
		return parse_targets(p);
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (weir_ptx_is(&p->token, spaces[i].name)) {
			if (spaces[i].space == WEIR_PTX_CONST)
				weir_ptx_skip_bank(p);
			weir_ptx_next(p);
			return weir_ptx_parse_variable(p, spaces[i].space, false);
		}
	weir_ptx_skip_statement(p); /* .pragma, .callprototype, .calltargets */
	return p->status;
}

weir_status weir_ptx_parse_statement(ptx_parser *p)
{
	ptx_lexer ahead = p->lexer;
	ptx_token token = p->token, next;

	if (weir_ptx_accept(p, ';'))
		return WEIR_OK;
	if (token.kind == PTX_T_DOT)
		return parse_directive(p);
	if (token.kind == PTX_T_NAME) {
		next = weir_ptx_lex(&ahead);
		if (next.kind == PTX_T_SIGN && next.sign == ':') {
			weir_ptx_next(p);
			weir_ptx_next(p);
			return add_label(p, &token);
		}
	}
	return parse_instruction(p);
}
