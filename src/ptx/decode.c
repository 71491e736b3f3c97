/* Statements to operations: what all decoders use, and the order of things. */
#include "ptx/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "ptx/exec.h"

bool weir_ptx_refuse(ptx_decoder *d, const char *why)
{
	if (!d->why)
		d->why = why;
	return false;
}

uint32_t weir_ptx_temp(ptx_decoder *d)
{
	return d->registers++;
}

#define CONSTANT_BUCKETS 1024u

uint32_t weir_ptx_number(ptx_decoder *d, uint64_t value)
{
	uint32_t slot = (uint32_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> 54) % CONSTANT_BUCKETS;
	uint64_t *place;

	for (uint32_t i = slot, tries = 0; tries < CONSTANT_BUCKETS;
	     i = (i + 1) % CONSTANT_BUCKETS, tries++) {
		uint32_t known = d->constant_buckets[i];
		if (known && d->constants.at[known - 1] == value)
			return PTX_CONSTANT | (known - 1);
		if (!known) {
			slot = i;
			break;
		}
	}
	if (d->constant_buckets[slot]) { /* the table is full */
		for (uint32_t i = 0; i < d->constants.count; i++)
			if (d->constants.at[i] == value)
				return PTX_CONSTANT | i;
	}
	place = ptx_push(d->constants);
	if (!place) {
		d->no_memory = true;
		return PTX_CONSTANT;
	}
	*place = value;
	if (!d->constant_buckets[slot])
		d->constant_buckets[slot] = d->constants.count;
	return PTX_CONSTANT | (d->constants.count - 1);
}

ptx_raw *weir_ptx_emit_imm(ptx_decoder *d, ptx_op op, uint32_t to, uint32_t a, uint32_t b,
                           uint32_t c, int64_t imm)
{
	static ptx_raw none; /* written, never read */
	ptx_raw *raw = ptx_push(d->raw);

	if (!raw) {
		d->no_memory = true;
		return &none;
	}
	*raw = (ptx_raw){.op = (uint16_t)op,
	                 .guarded = d->guarded,
	                 .d = to,
	                 .e = PTX_NONE,
	                 .a = a,
	                 .b = b,
	                 .c = c,
	                 .imm = imm,
	                 .x = PTX_NONE,
	                 .statement = (uint32_t)(d->s - d->module->statements.at)};
	return raw;
}

ptx_raw *weir_ptx_emit(ptx_decoder *d, ptx_op op, uint32_t to, uint32_t a, uint32_t b, uint32_t c)
{
	return weir_ptx_emit_imm(d, op, to, a, b, c, 0);
}

static uint64_t number_of(const ptx_operand *o, ptx_type type)
{
	uint64_t bits = (uint64_t)o->value;
	double exact;
	float single;

	if (o->kind == PTX_O_DOUBLE && weir_ptx_types[type].bits == 32) {
		memcpy(&exact, &bits, sizeof exact);
		single = (float)exact;
		bits = ptx_f32_bits(single);
	} else if (o->kind == PTX_O_SINGLE && weir_ptx_types[type].bits == 64) {
		bits = ptx_f64_bits(ptx_f32((uint32_t)bits));
	}
	return bits;
}

static uint32_t use_special(ptx_decoder *d, const ptx_operand *o)
{
	uint32_t to = weir_ptx_temp(d);
	bool clock = o->id >= PTX_S_CLOCK && o->id <= PTX_S_GLOBALTIMER_HI;

	weir_ptx_emit_imm(d, clock ? PTX_X_CLOCK : PTX_X_SPECIAL, to, PTX_NONE, PTX_NONE, PTX_NONE,
	                  (int64_t)(o->id | (uint64_t)o->value << 8));
	return to;
}

bool weir_ptx_variable_at(ptx_decoder *d, uint32_t variable, uint32_t *base, int64_t *offset)
{
	const ptx_variable *v = &d->module->variables.at[variable];

	*base = PTX_NONE;
	if (v->broken)
		return weir_ptx_refuse(d, "it uses a variable whose declaration cannot be read");
	switch (v->space) {
	case WEIR_PTX_GLOBAL:
	case WEIR_PTX_CONST:
		if (!v->address)
			return weir_ptx_refuse(d, "a variable that no module defines");
		*offset = (int64_t)v->address;
		return true;
	case WEIR_PTX_SHARED:
		*offset = d->program->shared_of[variable];
		return true;
	case WEIR_PTX_PARAM:
		if (d->function->entry &&
		    variable - d->function->params < d->function->param_count) {
			*offset = (int64_t)(PTX_PARAM_WINDOW + v->address);
			return true;
		}
		*base = PTX_LOCALS; /* a parameter of a function, or of a call */
		*offset = d->local_of[variable];
		return true;
	default:
		*base = PTX_LOCALS;
		*offset = d->local_of[variable];
		return true;
	}
}

static uint32_t use_variable(ptx_decoder *d, uint32_t variable, int64_t added)
{
	uint32_t base, to;
	int64_t offset = 0;

	if (!weir_ptx_variable_at(d, variable, &base, &offset))
		return PTX_NONE;
	if (base == PTX_NONE)
		return weir_ptx_number(d, (uint64_t)(offset + added));
	to = weir_ptx_temp(d);
	weir_ptx_emit(d, PTX_X_ADD_64, to, base, weir_ptx_number(d, (uint64_t)(offset + added)),
	              PTX_NONE);
	return to;
}

static uint32_t use_name(ptx_decoder *d, const ptx_operand *o)
{
	const ptx_name *name = &d->module->names.at[o->id];

	if (name->function != PTX_NONE)
		return weir_ptx_number(d, PTX_FUNCTION_WINDOW + 16 * (uint64_t)name->function);
	if (name->variable != PTX_NONE)
		return use_variable(d, name->variable, o->value);
	weir_ptx_refuse(d, "it names what the module does not declare");
	return PTX_NONE;
}

uint32_t weir_ptx_use(ptx_decoder *d, const ptx_operand *o, ptx_type type)
{
	uint32_t to;

	switch (o->kind) {
	case PTX_O_REGISTER:
		if (o->count)
			break;
		if (!(o->flags & (PTX_F_NOT | PTX_F_NEGATED)))
			return o->id;
		to = weir_ptx_temp(d);
		weir_ptx_emit(d, o->flags & PTX_F_NOT ? PTX_X_NOTP : PTX_X_NEG_64, to, o->id,
		              PTX_NONE, PTX_NONE);
		return to;
	case PTX_O_INTEGER:
		return weir_ptx_number(d, o->flags & PTX_F_NOT ? !o->value : (uint64_t)o->value);
	case PTX_O_DOUBLE:
	case PTX_O_SINGLE:
		return weir_ptx_number(d, number_of(o, type));
	case PTX_O_VARIABLE:
		return use_variable(d, o->id, o->value);
	case PTX_O_NAME:
		return use_name(d, o);
	case PTX_O_SPECIAL:
		return use_special(d, o);
	case PTX_O_VECTOR:
		if (o->count == 1)
			return weir_ptx_use(d, &d->module->operands.at[o->id], type);
		break;
	default:
		break;
	}
	weir_ptx_refuse(d, "an operand of this form is not supported");
	return PTX_NONE;
}

uint32_t weir_ptx_def(ptx_decoder *d, const ptx_operand *o)
{
	if (o->kind == PTX_O_REGISTER && !o->count && !(o->flags & (PTX_F_NOT | PTX_F_NEGATED)))
		return o->id;
	if (o->kind == PTX_O_SINK)
		return weir_ptx_temp(d);
	if (o->kind == PTX_O_VECTOR && o->count == 1)
		return weir_ptx_def(d, &d->module->operands.at[o->id]);
	weir_ptx_refuse(d, "its result must be a register");
	return PTX_NONE;
}

uint32_t weir_ptx_in(ptx_decoder *d, unsigned i, ptx_type type)
{
	if (i < d->s->operands)
		return weir_ptx_use(d, &d->o[i], type);
	weir_ptx_refuse(d, "an operand is missing");
	return PTX_NONE;
}

uint32_t weir_ptx_out(ptx_decoder *d, unsigned i)
{
	if (i < d->s->operands)
		return weir_ptx_def(d, &d->o[i]);
	weir_ptx_refuse(d, "an operand is missing");
	return PTX_NONE;
}

ptx_type weir_ptx_type(const ptx_decoder *d)
{
	return d->s->type_count ? d->s->types[0] : PTX_NO_TYPE;
}

bool weir_ptx_count(ptx_decoder *d, unsigned least, unsigned most)
{
	return (d->s->operands >= least && d->s->operands <= most) ||
	       weir_ptx_refuse(d, "it has the wrong number of operands");
}

bool weir_ptx_address(ptx_decoder *d, const ptx_operand *o, uint32_t *base, int64_t *offset)
{
	const ptx_operand *inner;

	if (o->kind != PTX_O_MEMORY)
		return weir_ptx_refuse(d, "an address in [ ] was expected");
	inner = &d->module->operands.at[o->id];
	*offset = o->value;
	if (inner->kind == PTX_O_VARIABLE && !d->module->variables.at[inner->id].in_register) {
		int64_t at;
		if (!weir_ptx_variable_at(d, inner->id, base, &at))
			return false;
		if (*base == PTX_NONE) { /* fixed: the whole address is a constant */
			*base = weir_ptx_number(d, (uint64_t)(at + inner->value));
			return true;
		}
		*offset = at + inner->value;
		return true;
	}
	*base = weir_ptx_use(d, inner, PTX_U64);
	return *base != PTX_NONE;
}

void weir_ptx_list(ptx_decoder *d, const uint32_t *registers, uint32_t count, uint32_t *first)
{
	*first = d->lists.count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *place = ptx_push(d->lists);
		if (!place) {
			d->no_memory = true;
			return;
		}
		*place = registers[i];
	}
}

int weir_ptx_which(const ptx_statement *s, const ptx_modifier *choices, int count)
{
	for (int i = 0; i < count; i++)
		if (ptx_has(s, choices[i]))
			return i;
	return -1;
}

ptx_rounding weir_ptx_rounding(const ptx_statement *s)
{
	static const ptx_modifier modes[] = {PTX_M_RN,  PTX_M_RZ,  PTX_M_RM,  PTX_M_RP, PTX_M_RNA,
	                                     PTX_M_RNI, PTX_M_RZI, PTX_M_RMI, PTX_M_RPI};
	int which = weir_ptx_which(s, modes, 9);

	return which < 0 ? PTX_RN : which > 4 ? (ptx_rounding)(which - 5) : (ptx_rounding)which;
}

/* --- One statement ----------------------------------------------------------------------------- */

static bool (*const decoders[PTX_OPCODES])(ptx_decoder *) = {
#define WEIR_ROW_(name, decoder, types, modifiers, heading)                                        \
	[PTX_OP_##name] = weir_ptx_decode_##decoder,
    WEIR_PTX_INSTRUCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
};

static unsigned most_types(unsigned opcode)
{
	switch (opcode) {
	case PTX_OP_mma:
		return 4;
	case PTX_OP_cvt:
		return 3;
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_fma:
	case PTX_OP_set:
	case PTX_OP_slct:
	case PTX_OP_dp4a:
	case PTX_OP_dp2a:
	case PTX_OP_clusterlaunchcontrol:
		return 2;
	default:
		return opcode >= PTX_OP_vadd && opcode <= PTX_OP_vset4 ? 3 : 1;
	}
}

static void decode_statement(ptx_decoder *d, const ptx_statement *s)
{
	uint32_t first = d->raw.count, skip = PTX_NONE;
	bool branch = s->opcode == PTX_OP_bra;

	d->s = s;
	d->o = d->module->operands.at + s->first;
	d->why = s->why;
	d->guarded = false;
	if (s->guard != PTX_NONE && !branch) {
		skip = d->raw.count;
		weir_ptx_emit(d, s->guard_not ? PTX_X_SKIP_IF : PTX_X_SKIP_UNLESS, PTX_NONE,
		              s->guard, PTX_NONE, PTX_NONE);
		d->guarded = true;
	}
	if (!d->why && s->type_count > most_types(s->opcode))
		weir_ptx_refuse(d, "it has too many types");
	if (!d->why)
		decoders[s->opcode](d);
	if (d->why) {
		d->raw.count = skip == PTX_NONE ? first : first + 1;
		weir_ptx_emit_imm(d, PTX_X_FAIL, PTX_NONE, PTX_NONE, PTX_NONE, PTX_NONE,
		                  WEIR_PTX_UNSUPPORTED);
		if (!s->why) /* the message of the finding */
			d->module->statements.at[s - d->module->statements.at].why = d->why;
	}
	if (skip != PTX_NONE && skip < d->raw.count)
		d->raw.at[skip].x = d->raw.count - skip;
	d->guarded = false;
}

/* Locals, and the parameters of functions and calls, lie one after another in the frame. */
static void place_locals(ptx_decoder *d, uint32_t function)
{
	d->locals = 0;
	for (uint32_t i = 0; i < d->module->variables.count; i++) {
		const ptx_variable *v = &d->module->variables.at[i];
		if (v->function != function || v->in_register ||
		    (v->space != WEIR_PTX_LOCAL && v->space != WEIR_PTX_PARAM))
			continue;
		if (d->function->entry && i - d->function->params < d->function->param_count)
			continue;
		if (d->locals > 1u << 26)
			break; /* no stack has so much: accesses are out of bounds */
		d->locals = (d->locals + v->align - 1) / v->align * v->align;
		d->local_of[i] = d->locals;
		d->locals += (uint32_t)v->bytes;
	}
	d->locals = (d->locals + 15) & ~15u;
}

static bool decode_routine(ptx_decoder *d, uint32_t routine)
{
	uint32_t function = d->program->routines.at[routine].function;
	const ptx_function *f = &d->module->functions.at[function];

	d->routine = routine;
	d->function = f;
	d->registers = f->registers;
	d->carry = PTX_NONE;
	d->raw.count = d->lists.count = d->constants.count = 0;
	memset(d->constant_buckets, 0, CONSTANT_BUCKETS * sizeof *d->constant_buckets);
	place_locals(d, function);
	d->first_raw = malloc((f->statement_count + 1) * sizeof *d->first_raw);
	if (!d->first_raw)
		return false;
	for (uint32_t i = 0; i < f->statement_count; i++) {
		d->first_raw[i] = d->raw.count;
		decode_statement(d, &d->module->statements.at[f->statements + i]);
	}
	d->first_raw[f->statement_count] = d->raw.count;
	/* Running off the end returns. */
	weir_ptx_emit(d, f->entry ? PTX_X_EXIT : PTX_X_RETURN, PTX_NONE, PTX_NONE, PTX_NONE,
	              PTX_NONE);
	d->no_memory |= !weir_ptx_place_slots(d);
	free(d->first_raw);
	d->first_raw = NULL;
	return !d->no_memory;
}

/* --- What a kernel reaches ---------------------------------------------------------------------- */

static bool add_routine(ptx_program *program, uint32_t function)
{
	ptx_routine *routine;

	if (program->routine_of[function] != PTX_NONE ||
	    !program->module->functions.at[function].defined)
		return true;
	routine = ptx_push(program->routines);
	if (!routine)
		return false;
	routine->function = function;
	program->routine_of[function] = program->routines.count - 1;
	return true;
}

static void add_shared(ptx_program *program, uint32_t variable)
{
	const ptx_variable *v = &program->module->variables.at[variable];

	if (v->space != WEIR_PTX_SHARED || program->shared_of[variable] != PTX_NONE || v->unsized)
		return;
	if (program->shared_bytes > PTX_SHARED_LIMIT)
		return; /* too much to launch: schedule.c says so */
	program->shared_bytes = (program->shared_bytes + v->align - 1) / v->align * v->align;
	program->shared_of[variable] = program->shared_bytes;
	program->shared_bytes += (uint32_t)v->bytes;
}

static bool reach(ptx_program *program)
{
	weir_ptx_module *module = program->module;

	/* Functions whose addresses are stored in memory, as in virtual tables, can be called from
	 * anywhere. */
	for (uint32_t v = 0; v < module->variables.count; v++)
		for (uint32_t r = 0; r < module->variables.at[v].relocation_count; r++) {
			uint32_t f =
			    module->names.at[module->variables.at[v].relocations[r].name].function;
			if (f != PTX_NONE && !add_routine(program, f))
				return false;
		}
	for (uint32_t i = 0; i < program->routines.count; i++) {
		const ptx_function *f = &module->functions.at[program->routines.at[i].function];
		for (uint32_t o = 0; o < f->operand_count; o++) {
			const ptx_operand *operand = &module->operands.at[f->operands + o];
			const ptx_name *name =
			    operand->kind == PTX_O_NAME ? &module->names.at[operand->id] : NULL;
			if (operand->kind == PTX_O_VARIABLE)
				add_shared(program, operand->id);
			if (name && name->function != PTX_NONE &&
			    !add_routine(program, name->function))
				return false;
			if (name && name->variable != PTX_NONE)
				add_shared(program, name->variable);
		}
	}
	program->dynamic_at = (program->shared_bytes + 127) & ~127u;
	for (uint32_t v = 0; v < module->variables.count; v++)
		if (module->variables.at[v].space == WEIR_PTX_SHARED &&
		    module->variables.at[v].unsized)
			program->shared_of[v] = program->dynamic_at;
	return true;
}

static bool decode_all(ptx_program *program)
{
	ptx_decoder d = {.module = program->module, .program = program};
	bool done;

	d.local_of = calloc(program->module->variables.count + 1, sizeof *d.local_of);
	d.constant_buckets = malloc(CONSTANT_BUCKETS * sizeof *d.constant_buckets);
	done = d.local_of && d.constant_buckets;
	for (uint32_t i = 0; done && i < program->routines.count; i++)
		done = decode_routine(&d, i);
	free(d.local_of);
	free(d.constant_buckets);
	free(d.raw.at);
	free(d.lists.at);
	free(d.constants.at);
	return done;
}

weir_status weir_ptx_program(weir_ptx_kernel *kernel, ptx_program **result)
{
	weir_ptx_module *module = kernel->module;
	ptx_program *program;
	size_t functions = (module->functions.count + 1) * sizeof(uint32_t);
	size_t variables = (module->variables.count + 1) * sizeof(uint32_t);
	bool done = false;

	if (module->functions.at[kernel->function].why)
		return weir_fail(WEIR_BAD_PROGRAM, "%s", module->functions.at[kernel->function].why);
	pthread_mutex_lock(&module->lock);
	if (!kernel->program) {
		program = calloc(1, sizeof *program);
		if (program) {
			program->module = module;
			program->kernel = kernel;
			program->routine_of = malloc(functions);
			program->shared_of = malloc(variables);
			if (program->routine_of && program->shared_of) {
				memset(program->routine_of, 0xff, functions);
				memset(program->shared_of, 0xff, variables);
				done = add_routine(program, kernel->function) && reach(program) &&
				       decode_all(program);
			}
		}
		if (done)
			kernel->program = program;
		else
			weir_ptx_program_free(program);
	}
	*result = kernel->program;
	pthread_mutex_unlock(&module->lock);
	return *result ? WEIR_OK : weir_fail(WEIR_NO_MEMORY, "no memory to decode a PTX kernel");
}

void weir_ptx_program_free(ptx_program *program)
{
	if (!program)
		return;
	for (uint32_t i = 0; i < program->routines.count; i++) {
		free(program->routines.at[i].constant);
		free(program->routines.at[i].params);
		free(program->routines.at[i].returns);
	}
	for (uint32_t i = 0; i < program->calls.count; i++) {
		free(program->calls.at[i].arguments);
		free(program->calls.at[i].results);
	}
	free(program->code.at);
	free(program->statement.at);
	free(program->routines.at);
	free(program->accesses.at);
	free(program->calls.at);
	free(program->loops.at);
	free(program->live.at);
	free(program->targets.at);
	free(program->routine_of);
	free(program->shared_of);
	free(program);
}

uint32_t weir_ptx_routine_at(const ptx_program *program, uint32_t operation)
{
	for (uint32_t i = 0; i < program->routines.count; i++)
		if (operation >= program->routines.at[i].entry &&
		    operation < program->routines.at[i].end)
			return i;
	return 0;
}
