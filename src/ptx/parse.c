/* PTX source to the tables of a module: the top level, and what all parts of the parser use. */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

void weir_ptx_next(ptx_parser *p)
{
	p->token = weir_ptx_lex(&p->lexer);
}

bool weir_ptx_sign(const ptx_parser *p, char sign)
{
	return p->token.kind == PTX_T_SIGN && p->token.sign == sign;
}

bool weir_ptx_accept(ptx_parser *p, char sign)
{
	if (!weir_ptx_sign(p, sign))
		return false;
	weir_ptx_next(p);
	return true;
}

bool weir_ptx_is(const ptx_token *token, const char *text)
{
	return (token->kind == PTX_T_DOT || token->kind == PTX_T_NAME) &&
	       token->length == strlen(text) && !memcmp(token->text, text, token->length);
}

weir_status weir_ptx_wrong(ptx_parser *p, const char *why)
{
	if (p->status == WEIR_OK)
		p->status = weir_fail(WEIR_BAD_PROGRAM, "PTX line %u: %s", p->token.line, why);
	return p->status;
}

weir_status weir_ptx_no_memory(ptx_parser *p)
{
	return p->status = weir_fail(WEIR_NO_MEMORY, "no memory for a PTX module");
}

void weir_ptx_skip_statement(ptx_parser *p)
{
	unsigned braces = 0;

	for (; p->token.kind != PTX_T_END; weir_ptx_next(p)) {
		if (weir_ptx_sign(p, '{'))
			braces++;
		else if (weir_ptx_sign(p, '}')) {
			if (!braces)
				return; /* the scope's end: a ; is missing */
			braces--;
		} else if (weir_ptx_sign(p, ';') && !braces) {
			weir_ptx_next(p);
			return;
		}
	}
}

void weir_ptx_skip_bank(ptx_parser *p)
{
	ptx_lexer ahead = p->lexer;
	ptx_token bracket = weir_ptx_lex(&ahead), number = weir_ptx_lex(&ahead),
		  end = weir_ptx_lex(&ahead);

	if (bracket.kind == PTX_T_SIGN && bracket.sign == '[' && bracket.joined &&
	    number.kind == PTX_T_INTEGER && end.kind == PTX_T_SIGN && end.sign == ']')
		p->lexer = ahead;
}

ptx_binding *weir_ptx_bind(ptx_parser *p, uint32_t name)
{
	ptx_binding *binding = name == PTX_NONE ? NULL : ptx_push(p->bindings);

	if (!binding) {
		weir_ptx_no_memory(p);
		return NULL;
	}
	binding->name = name;
	binding->previous = p->module->names.at[name].binding;
	binding->components = 1;
	p->module->names.at[name].binding = p->bindings.count;
	return binding;
}

const ptx_binding *weir_ptx_bound(const ptx_parser *p, uint32_t name)
{
	uint32_t binding = name == PTX_NONE ? 0 : p->module->names.at[name].binding;

	return binding ? &p->bindings.at[binding - 1] : NULL;
}

/* --- The words of PTX ------------------------------------------------------------------------- */

#define WORD_SLOTS 2048u

static const char *word_text(uint32_t word)
{
	uint32_t number = word & 0xffff;

	switch (word >> 16) {
	case 'm':
		return weir_ptx_modifiers[number];
	case 't':
		return weir_ptx_types[number].text;
	case 'o':
		return weir_ptx_instructions[number].name;
	default:
		return weir_ptx_specials[number].text;
	}
}

static uint32_t word_slot(char kind, const char *text, size_t length)
{
	uint32_t hash = (uint32_t)(unsigned char)kind * 2654435761u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return (hash ^ hash >> 13) % WORD_SLOTS;
}

static void add_word(ptx_parser *p, char kind, uint32_t number)
{
	uint32_t word = (uint32_t)(unsigned char)kind << 16 | number;
	const char *text = word_text(word);
	uint32_t slot = word_slot(kind, text, strlen(text));

	while (p->words[slot])
		slot = (slot + 1) % WORD_SLOTS;
	p->words[slot] = word;
}

uint32_t weir_ptx_word(const ptx_parser *p, char kind, const char *text, size_t length)
{
	for (uint32_t slot = word_slot(kind, text, length); p->words[slot];
	     slot = (slot + 1) % WORD_SLOTS) {
		const char *word = word_text(p->words[slot]);
		if (p->words[slot] >> 16 == (unsigned char)kind && !strncmp(word, text, length) &&
		    !word[length])
			return p->words[slot] & 0xffff;
	}
	return PTX_NONE;
}

/* The words of a row's list, as a set. */
static void read_row(ptx_parser *p, uint32_t opcode)
{
	const struct ptx_instruction_row *row = &weir_ptx_instructions[opcode];
	const char *lists[2] = {row->types, row->modifiers};

	for (int list = 0; list < 2; list++) {
		for (const char *at = lists[list]; *at;) {
			size_t length = strcspn(at, " ");
			uint32_t word =
			    length ? weir_ptx_word(p, list ? 'm' : 't', at, length) : PTX_NONE;
			if (word != PTX_NONE && list)
				ptx_set(p->allowed[opcode], word);
			else if (word != PTX_NONE)
				p->allowed_types[opcode] |= UINT64_C(1) << word;
			at += length + (at[length] == ' ');
		}
	}
}

static bool make_words(ptx_parser *p)
{
	p->words = calloc(WORD_SLOTS, sizeof *p->words);
	if (!p->words)
		return false;
	for (uint32_t i = 0; i < PTX_MODIFIERS; i++)
		add_word(p, 'm', i);
	for (uint32_t i = 0; i < PTX_TYPES; i++)
		add_word(p, 't', i);
	for (uint32_t i = 0; i < PTX_OPCODES; i++)
		add_word(p, 'o', i);
	for (uint32_t i = 0; i < PTX_SPECIALS; i++)
		add_word(p, 's', i);
	for (uint32_t i = 0; i < PTX_OPCODES; i++)
		read_row(p, i);
	return true;
}

/* --- The top level ---------------------------------------------------------------------------- */

static weir_status parse_version(ptx_parser *p)
{
	double version;

	weir_ptx_next(p);
	if (p->token.kind != PTX_T_DOUBLE && p->token.kind != PTX_T_INTEGER)
		return weir_ptx_wrong(p, ".version needs a number");
	version = (double)p->token.value;
	if (p->token.kind == PTX_T_DOUBLE)
		memcpy(&version, &p->token.value, sizeof version);
	p->module->info.version =
	    version > 0 && version < 1000 ? (unsigned)(version * 10 + 0.5) : 0;
	if (p->module->info.version < 60)
		return weir_ptx_wrong(p, "PTX before version 6.0 is not supported");
	weir_ptx_next(p);
	return WEIR_OK;
}

static weir_status parse_target(ptx_parser *p)
{
	do {
		weir_ptx_next(p);
		if (p->token.kind == PTX_T_NAME && p->token.length > 3 &&
		    !memcmp(p->token.text, "sm_", 3))
			p->module->info.target = (unsigned)strtoul(p->token.text + 3, NULL, 10);
		weir_ptx_next(p);
	} while (weir_ptx_sign(p, ','));
	return WEIR_OK;
}

/* .section .debug_info { ... } */
static weir_status skip_section(ptx_parser *p)
{
	while (p->token.kind != PTX_T_END && !weir_ptx_sign(p, '{'))
		weir_ptx_next(p);
	while (p->token.kind != PTX_T_END && !weir_ptx_sign(p, '}'))
		weir_ptx_next(p);
	weir_ptx_next(p);
	return WEIR_OK;
}

/* A variable whose declaration cannot be read is an error only of the kernels that use it. */
static weir_status parse_global(ptx_parser *p, weir_ptx_space space, bool external)
{
	uint32_t first = p->module->variables.count;

	if (weir_ptx_parse_variable(p, space, external) != WEIR_BAD_PROGRAM)
		return p->status;
	p->status = WEIR_OK;
	for (uint32_t i = first; i < p->module->variables.count; i++)
		p->module->variables.at[i].broken = true;
	weir_ptx_skip_statement(p);
	weir_ptx_accept(p, '}');
	return WEIR_OK;
}

/* .alias name, target; */
static weir_status parse_alias(ptx_parser *p)
{
	uint32_t names[2] = {PTX_NONE, PTX_NONE};
	ptx_alias *alias;

	weir_ptx_next(p);
	for (int i = 0; i < 2 && p->token.kind == PTX_T_NAME; i++) {
		names[i] = weir_ptx_name(p->module, p->token.text, p->token.length);
		weir_ptx_next(p);
		weir_ptx_accept(p, ',');
	}
	weir_ptx_skip_statement(p);
	if (names[0] == PTX_NONE || names[1] == PTX_NONE)
		return p->status;
	alias = ptx_push(p->module->aliases);
	if (!alias)
		return weir_ptx_no_memory(p);
	*alias = (ptx_alias){names[0], names[1]};
	return WEIR_OK;
}

static weir_status parse_top(ptx_parser *p)
{
	static const struct {
		const char *name;
		weir_ptx_space space;
	} spaces[] = {
	    {"global", WEIR_PTX_GLOBAL}, {"const", WEIR_PTX_CONST}, {"shared", WEIR_PTX_SHARED}};
	bool external = false;

	if (weir_ptx_accept(p, ';'))
		return WEIR_OK;
	if (p->token.kind != PTX_T_DOT)
		return weir_ptx_wrong(p, "a directive was expected, such as .entry");
	while (weir_ptx_is(&p->token, "extern") || weir_ptx_is(&p->token, "visible") ||
	       weir_ptx_is(&p->token, "weak") || weir_ptx_is(&p->token, "common")) {
		external |= weir_ptx_is(&p->token, "extern");
		weir_ptx_next(p);
	}
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (weir_ptx_is(&p->token, spaces[i].name)) {
			if (spaces[i].space == WEIR_PTX_CONST)
				weir_ptx_skip_bank(p);
			weir_ptx_next(p);
			return parse_global(p, spaces[i].space, external);
		}
	if (weir_ptx_is(&p->token, "alias"))
		return parse_alias(p);
	if (weir_ptx_is(&p->token, "entry") || weir_ptx_is(&p->token, "func"))
		return weir_ptx_parse_function(p, weir_ptx_is(&p->token, "entry"));
	if (weir_ptx_is(&p->token, "version"))
		return parse_version(p);
	if (weir_ptx_is(&p->token, "target"))
		return parse_target(p);
	if (weir_ptx_is(&p->token, "address_size")) {
		weir_ptx_next(p);
		if (p->token.value != 64)
			return weir_ptx_wrong(p, "only .address_size 64 is supported");
		weir_ptx_next(p);
		return WEIR_OK;
	}
	if (weir_ptx_is(&p->token, "file"))
		return weir_ptx_parse_file(p);
	if (weir_ptx_is(&p->token, "loc"))
		return weir_ptx_parse_loc(p);
	if (weir_ptx_is(&p->token, "section"))
		return skip_section(p);
	weir_ptx_skip_statement(p); /* .pragma, .tex, ...: nothing that a kernel here needs */
	if (weir_ptx_sign(p, '}'))
		return weir_ptx_wrong(p, "a } without its {");
	return WEIR_OK;
}

weir_status weir_ptx_parse(weir_ptx_module *module)
{
	ptx_parser *p = calloc(1, sizeof *p);
	weir_status status;

	if (!p)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a PTX module");
	*p = (ptx_parser){.module = module, .function = PTX_NONE, .location = PTX_NONE};
	p->lexer = (ptx_lexer){module->text, module->text + module->text_bytes, 1};
	module->address_bytes = 8;
	if (make_words(p) && ptx_push(module->scopes)) {
		module->scopes.at[0] = PTX_NONE;
		for (weir_ptx_next(p); p->token.kind != PTX_T_END && p->status == WEIR_OK;)
			parse_top(p);
		if (p->status == WEIR_OK && !module->info.version)
			weir_ptx_wrong(p, "no .version: this is not PTX");
	} else {
		weir_ptx_no_memory(p);
	}
	status = p->status;
	free(p->words);
	free(p->bindings.at);
	free(p);
	return status;
}
