/* .entry and .func: headers, bodies, scopes and labels. */
#include <string.h>

#include "base/status.h"
#include "ptx/parse.h"

static weir_status open_scope(ptx_parser *p)
{
	uint32_t *parent;

	if (p->depth >= sizeof p->open / sizeof *p->open)
		return weir_ptx_wrong(p, "too many nested { }");
	p->open[p->depth++] = p->bindings.count;
	parent = ptx_push(p->module->scopes);
	if (!parent)
		return weir_ptx_no_memory(p);
	*parent = p->scope;
	p->scope = p->module->scopes.count - 1;
	return WEIR_OK;
}

static void drop_bindings(ptx_parser *p, uint32_t until)
{
	while (p->bindings.count > until) {
		const ptx_binding *b = &p->bindings.at[--p->bindings.count];
		p->module->names.at[b->name].binding = b->previous;
	}
}

static void close_scope(ptx_parser *p)
{
	p->scope = p->module->scopes.at[p->scope];
	drop_bindings(p, p->open[--p->depth]);
}

/* `(.param .b32 a, .param .b64 b)`, or nothing. */
static weir_status parse_params(ptx_parser *p, uint32_t *first, uint32_t *count)
{
	*first = p->module->variables.count;
	*count = 0;
	if (!weir_ptx_accept(p, '('))
		return WEIR_OK;
	while (!weir_ptx_accept(p, ')')) {
		if (p->token.kind != PTX_T_DOT || weir_ptx_parse_param(p) == PTX_NONE)
			return weir_ptx_wrong(p, "a parameter was expected");
		++*count;
		weir_ptx_accept(p, ',');
	}
	return WEIR_OK;
}

/* .maxntid 256, 1, 1  .reqnctapercluster 2  .minnctapersm 1  .maxnreg 64  .noreturn */
static weir_status parse_attributes(ptx_parser *p)
{
	while (p->token.kind == PTX_T_DOT) {
		ptx_function *f = &p->module->functions.at[p->function];
		uint32_t *cluster = f->cluster;
		uint64_t values[3] = {1, 1, 1};
		uint32_t *number = weir_ptx_is(&p->token, "maxnreg")        ? &f->max_registers
		                   : weir_ptx_is(&p->token, "minnctapersm") ? &f->least_blocks
		                                                            : NULL;
		bool threads =
		    weir_ptx_is(&p->token, "maxntid") || weir_ptx_is(&p->token, "reqntid");
		bool required = weir_ptx_is(&p->token, "reqntid");
		bool clusters = weir_ptx_is(&p->token, "reqnctapercluster");

		if (weir_ptx_is(&p->token, "pragma")) { /* "nounroll", ...: hints */
			weir_ptx_skip_statement(p);
			continue;
		}
		weir_ptx_next(p);
		for (int i = 0; p->token.kind == PTX_T_INTEGER; i++) {
			if (!weir_ptx_integer(p, &values[i < 3 ? i : 2]) ||
			    values[i < 3 ? i : 2] > 1u << 16)
				return weir_ptx_wrong(p, "a number of threads was expected");
			if (!weir_ptx_accept(p, ','))
				break;
		}
		if (threads)
			f->max_threads = (uint32_t)(values[0] * values[1] * values[2]);
		if (required)
			f->required_threads = f->max_threads;
		if (number)
			*number = (uint32_t)values[0];
		for (int i = 0; i < 3 && clusters; i++)
			cluster[i] = (uint32_t)values[i];
	}
	return WEIR_OK;
}

/* The label that a name in a scope means: the nearest outward. */
static uint32_t find_label(const weir_ptx_module *module, uint32_t name, uint32_t scope)
{
	for (; scope != PTX_NONE; scope = module->scopes.at[scope])
		for (uint32_t l = module->names.at[name].label; l != PTX_NONE;
		     l = module->labels.at[l].next)
			if (module->labels.at[l].scope == scope)
				return l;
	return PTX_NONE;
}

/* Names that were not known when they were read are labels, or declared at the top level later.
 * Until now their `count` was 0 and `id` the name, and the scope stood in `value`'s upper half. */
static void resolve_labels(ptx_parser *p, uint32_t first_label)
{
	weir_ptx_module *module = p->module;

	for (uint32_t i = p->first_operand; i < module->operands.count; i++) {
		ptx_operand *o = &module->operands.at[i];
		uint32_t label;

		if (o->kind != PTX_O_NAME)
			continue;
		label = find_label(module, o->id, (uint32_t)((uint64_t)o->value >> 32));
		o->value = (int32_t)o->value;
		if (label != PTX_NONE) {
			o->kind = PTX_O_LABEL;
			o->id = label;
		}
	}
	for (uint32_t l = first_label; l < module->labels.count; l++)
		module->names.at[module->labels.at[l].name].label = PTX_NONE;
}

static weir_status parse_body(ptx_parser *p)
{
	uint32_t first_label = p->module->labels.count;
	uint32_t depth = p->depth;

	p->first_operand = p->module->operands.count;
	weir_ptx_next(p); /* the { */
	if (open_scope(p) != WEIR_OK)
		return p->status;
	while (p->status == WEIR_OK && p->depth > depth) {
		if (p->token.kind == PTX_T_END)
			return weir_ptx_wrong(p, "the source ends inside a function");
		if (weir_ptx_accept(p, '{'))
			open_scope(p);
		else if (weir_ptx_accept(p, '}'))
			close_scope(p);
		else
			weir_ptx_parse_statement(p);
	}
	resolve_labels(p, first_label);
	return p->status;
}

/* Parameters of an entry lie one after another, each at its alignment. */
static void place_params(ptx_parser *p, ptx_function *f)
{
	uint64_t at = 0;

	for (uint32_t i = 0; i < f->param_count; i++) {
		ptx_variable *v = &p->module->variables.at[f->params + i];
		if (v->in_register)
			continue;
		v->address = at = (at + v->align - 1) / v->align * v->align;
		at += v->bytes;
	}
	f->param_bytes = at;
}

/* A function declared before keeps its number; its body may follow. */
static uint32_t declare_function(ptx_parser *p, bool entry, uint32_t name, uint32_t index)
{
	const ptx_binding *known = weir_ptx_bound(p, name);
	ptx_binding *binding;

	if (known && known->kind == PTX_B_FUNCTION) {
		uint32_t old = known->id;
		if (!p->module->functions.at[old].defined) {
			p->module->functions.at[old] = p->module->functions.at[index];
			p->module->functions.at[old].name = name;
			p->module->functions.at[old].entry = entry;
			for (uint32_t i = 0; i < p->module->variables.count; i++)
				if (p->module->variables.at[i].function == index)
					p->module->variables.at[i].function = old;
			p->module->functions.count--;
			return old;
		}
		return index; /* a second declaration of what is defined: nothing refers to it */
	}
	binding = weir_ptx_bind(p, name);
	if (!binding)
		return PTX_NONE;
	binding->kind = PTX_B_FUNCTION;
	binding->id = index;
	return index;
}

/* The header up to the body. */
static weir_status parse_header(ptx_parser *p, uint32_t index)
{
	uint32_t first, count;

	while (p->token.kind == PTX_T_DOT &&
	       !weir_ptx_is(&p->token, "param")) { /* .attribute(...) and the like */
		bool arguments = weir_ptx_is(&p->token, "attribute");
		weir_ptx_next(p);
		while (arguments && p->token.kind != PTX_T_END && !weir_ptx_accept(p, ')'))
			weir_ptx_next(p);
	}
	if (parse_params(p, &first, &count) != WEIR_OK)
		return p->status;
	if (p->token.kind != PTX_T_NAME)
		return weir_ptx_wrong(p, "the name of a function was expected");
	p->module->functions.at[index].name =
	    weir_ptx_name(p->module, p->token.text, p->token.length);
	weir_ptx_next(p);
	p->module->functions.at[index].returns = first;
	p->module->functions.at[index].return_count = count;
	if (parse_params(p, &first, &count) != WEIR_OK)
		return p->status;
	p->module->functions.at[index].params = first;
	p->module->functions.at[index].param_count = count;
	if (parse_attributes(p) != WEIR_OK)
		return p->status;
	place_params(p, &p->module->functions.at[index]);
	return WEIR_OK;
}

static weir_status parse_definition(ptx_parser *p, uint32_t index)
{
	ptx_function *f = &p->module->functions.at[index];

	f->defined = true;
	f->statements = p->module->statements.count;
	p->location = PTX_NONE;
	if (parse_body(p) != WEIR_OK)
		return p->status;
	f = &p->module->functions.at[index];
	f->statement_count = p->module->statements.count - f->statements;
	f->operands = p->first_operand;
	f->operand_count = p->module->operands.count - p->first_operand;
	return WEIR_OK;
}

/* Passes what is left of a function that cannot be read. Its kernel says why when it is launched; a function counts as
 * not defined. */
static weir_status give_up(ptx_parser *p, uint32_t index, bool entry, uint32_t scope,
                           uint32_t depth)
{
	ptx_function *f = &p->module->functions.at[index];
	uint32_t open = p->depth - depth;

	f->why = weir_ptx_keep(p->module, weir_error_text(), strlen(weir_error_text()));
	if (!f->why)
		return weir_ptx_no_memory(p);
	p->status = WEIR_OK;
	f->defined = entry;
	f->statement_count = f->operand_count = f->registers = 0;
	f->params = f->param_count = f->returns = f->return_count = 0;
	if (!open)
		while (p->token.kind != PTX_T_END && !weir_ptx_sign(p, '{') &&
		       !weir_ptx_sign(p, ';'))
			weir_ptx_next(p);
	if (!open && !weir_ptx_sign(p, '{'))
		weir_ptx_accept(p, ';');
	else
		do {
			open += weir_ptx_sign(p, '{') - (uint32_t)weir_ptx_sign(p, '}');
			weir_ptx_next(p);
		} while (open && p->token.kind != PTX_T_END);
	for (uint32_t l = 0; l < p->module->labels.count; l++)
		p->module->names.at[p->module->labels.at[l].name].label = PTX_NONE;
	p->depth = depth;
	p->scope = scope;
	return WEIR_OK;
}

weir_status weir_ptx_parse_function(ptx_parser *p, bool entry)
{
	uint32_t index = p->module->functions.count, name, bindings, scope = p->scope,
		 depth = p->depth;
	ptx_function *f = ptx_push(p->module->functions);
	weir_status status;

	if (!f)
		return weir_ptx_no_memory(p);
	*f = (ptx_function){.name = PTX_NONE, .line = p->token.line, .entry = entry};
	weir_ptx_next(p);
	/* The results' names are visible in the body, so the function's own name is bound first. */
	p->function = index;
	bindings = p->bindings.count;
	status = parse_header(p, index);
	if (status == WEIR_OK && weir_ptx_sign(p, '{'))
		status = parse_definition(p, index);
	else if (status == WEIR_OK)
		weir_ptx_accept(p, ';');
	if (status == WEIR_BAD_PROGRAM)
		status = give_up(p, index, entry, scope, depth);
	if (status != WEIR_OK)
		return status;
	drop_bindings(p, bindings);
	p->function = PTX_NONE;
	name = p->module->functions.at[index].name;
	if (name == PTX_NONE) { /* nothing can refer to it */
		p->module->functions.at[index].defined = false;
		p->module->functions.at[index].name = weir_ptx_name(p->module, "", 0);
		return p->module->functions.at[index].name == PTX_NONE ? weir_ptx_no_memory(p)
		                                                       : WEIR_OK;
	}
	return declare_function(p, entry, name, index) == PTX_NONE ? p->status : WEIR_OK;
}
