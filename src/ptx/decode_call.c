/* Calls: direct, through a pointer, and of the functions that the toolkit's runtime brings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/decode.h"

#define NONE PTX_NONE

/* What a caller passes or gets back: bytes of its locals, a register, or a constant. A register's
 * number stays in `from` or `to` until slots are given, by way of the lists of the operation. */
static bool read_actual(ptx_decoder *d, const ptx_operand *o, bool result, ptx_pass *pass,
                        uint32_t *reg)
{
	*reg = NONE;
	if (o->kind == PTX_O_VARIABLE && !d->module->variables.at[o->id].in_register) {
		const ptx_variable *v = &d->module->variables.at[o->id];
		uint32_t base;
		int64_t offset;
		if (!weir_ptx_variable_at(d, o->id, &base, &offset))
			return false;
		if (base == PTX_LOCALS) {
			*(result ? &pass->to : &pass->from) = (uint32_t)offset;
			pass->bytes = (uint32_t)v->bytes;
			return true;
		}
	}
	*reg = result ? weir_ptx_def(d, o) : weir_ptx_use(d, o, PTX_B64);
	*(result ? &pass->to_slot : &pass->from_slot) = true;
	pass->bytes = 8;
	return !d->why;
}

static bool read_actuals(ptx_decoder *d, const ptx_operand *list, bool result, ptx_pass **passes,
                         uint16_t *count, uint32_t *first, uint32_t *registers)
{
	uint32_t found[64], total = 0;

	*count = list ? list->count : 0;
	*passes = *count ? calloc(*count, sizeof **passes) : NULL;
	if (*count > 64 || (*count && !*passes))
		return weir_ptx_refuse(d, "too many parameters");
	for (uint32_t i = 0; i < *count; i++) {
		uint32_t reg;
		const ptx_operand *o = &d->module->operands.at[list->id + i];
		if (!read_actual(d, o, result, &(*passes)[i], &reg))
			return false;
		if (reg != NONE) /* its place in the list, until it becomes a slot */
			*(result ? &(*passes)[i].to : &(*passes)[i].from) = total;
		if (reg != NONE)
			found[total++] = reg;
	}
	weir_ptx_list(d, found, total, first);
	*registers = total;
	return true;
}

static ptx_builtin builtin_of(const ptx_decoder *d, uint32_t function)
{
	static const char *const names[] = {"", "vprintf", "__assertfail", "malloc", "free"};
	const ptx_name *name = &d->module->names.at[d->module->functions.at[function].name];

	for (unsigned i = 1; i < sizeof names / sizeof *names; i++)
		if (name->length == strlen(names[i]) && !memcmp(name->text, names[i], name->length))
			return i;
	return PTX_NO_BUILTIN;
}

static bool refuse_call(ptx_decoder *d, const ptx_name *name)
{
	char text[160];
	const char *kept;

	snprintf(text, sizeof text, "it calls '%.*s', which no module defines",
	         name->length > 100 ? 100 : (int)name->length, name->text);
	kept = weir_ptx_keep(d->module, text, strlen(text));
	return weir_ptx_refuse(d, kept ? kept : "it calls a function that no module defines");
}

static bool find_target(ptx_decoder *d, const ptx_operand *o, ptx_call *call, uint32_t *pointer)
{
	const ptx_name *name = o->kind == PTX_O_NAME ? &d->module->names.at[o->id] : NULL;

	*pointer = NONE;
	call->function = NONE;
	if (!name || name->function == NONE) {
		if (o->kind != PTX_O_REGISTER)
			return weir_ptx_refuse(
			    d, "it calls a function that the module does not declare");
		*pointer = o->id;
		return true;
	}
	if (d->program->routine_of[name->function] != NONE) {
		call->function = d->program->routine_of[name->function];
		return true;
	}
	call->builtin = (uint8_t)builtin_of(d, name->function);
	return call->builtin || refuse_call(d, name);
}

/* call {(results),} function {, (arguments)} {, prototype or list of targets} */
bool weir_ptx_decode_call(ptx_decoder *d)
{
	unsigned at = d->s->operands && d->o[0].kind == PTX_O_VECTOR ? 1 : 0;
	const ptx_operand *results = at ? &d->o[0] : NULL, *arguments = NULL;
	ptx_call call = {.function = NONE,
	                 .statement = (uint32_t)(d->s - d->module->statements.at)},
		 *kept;
	uint32_t pointer = NONE, in = 0, in_count = 0, out = 0, out_count = 0;
	ptx_raw *raw;

	if (d->s->operands <= at)
		return weir_ptx_refuse(d, "an operand is missing");
	if (d->s->operands > at + 1 && d->o[at + 1].kind == PTX_O_VECTOR)
		arguments = &d->o[at + 1];
	kept = ptx_push(d->program->calls);
	if (!kept) {
		d->no_memory = true;
		return false;
	}
	if (find_target(d, &d->o[at], &call, &pointer) &&
	    read_actuals(d, arguments, false, &call.arguments, &call.argument_count, &in,
	                 &in_count) &&
	    read_actuals(d, results, true, &call.results, &call.result_count, &out, &out_count)) {
		raw = weir_ptx_emit(d, pointer == NONE ? PTX_X_CALL : PTX_X_CALL_BY, NONE, pointer,
		                    NONE, NONE);
		raw->x = d->program->calls.count - 1;
		raw->in = in;
		raw->in_count = in_count;
		raw->out = out;
		raw->out_count = out_count;
	}
	*kept = call;
	return !d->why;
}
