#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
	char at[16384];
	size_t used;
} text;

static void say(text *to, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	to->used +=
	    (size_t)vsnprintf(to->at + to->used, sizeof to->at - to->used, format, arguments);
	va_end(arguments);
}

static const char *const orders[] = {"", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc"};
static const char *const scopes[] = {".cta", ".cluster", ".gpu", ".sys"};

static const char *value_text(small_value v, char *to)
{
	snprintf(to, 16, "%s%u", v.is_register ? "%r" : "", v.value);
	return to;
}

static void say_atomic(text *to, const small_op *op, const char *order, const char *scope)
{
	static const char *const names[] = {
	    [SMALL_EXCH] = "exch.b32", [SMALL_CAS] = "cas.b32", [SMALL_ADD] = "add.u32",
	    [SMALL_AND] = "and.b32",   [SMALL_OR] = "or.b32",   [SMALL_XOR] = "xor.b32"};
	char a[16], b[16];

	if (op->type == SMALL_RED)
		say(to, "red%s%s.global.%s [%%x+%u], %s;\n", order, scope, names[op->calc],
		    4 * op->word, value_text(op->a, a));
	else if (op->calc == SMALL_CAS)
		say(to, "atom%s%s.global.cas.b32 %%r%u, [%%x+%u], %s, %s;\n", order, scope, op->to,
		    4 * op->word, value_text(op->a, a), value_text(op->b, b));
	else
		say(to, "atom%s%s.global.%s %%r%u, [%%x+%u], %s;\n", order, scope, names[op->calc],
		    op->to, 4 * op->word, value_text(op->a, a));
}

static const char *compare_text(small_calc calc)
{
	static const char *const names[] = {
	    [SMALL_EQ] = "eq", [SMALL_NE] = "ne", [SMALL_LT] = "lt",
	    [SMALL_LE] = "le", [SMALL_GT] = "gt", [SMALL_GE] = "ge"};

	return names[calc];
}

/* Returns NULL, or why PTX has no such instruction. */
static const char *say_op(text *to, const small_op *op, uint32_t thread)
{
	const char *order = orders[op->order], *scope = op->order ? scopes[op->scope] : "";
	char a[16], b[16];

	switch (op->type) {
	case SMALL_LOAD:
		say(to, "ld%s%s.global.u32 %%r%u, [%%x+%u];\n", order, scope, op->to, 4 * op->word);
		break;
	case SMALL_STORE:
		say(to, "st%s%s.global.u32 [%%x+%u], %s;\n", order, scope, 4 * op->word,
		    value_text(op->a, a));
		break;
	case SMALL_ATOM:
	case SMALL_RED:
		if (op->type == SMALL_RED &&
		    (op->order == SMALL_ACQUIRE || op->order == SMALL_ACQ_REL))
			return "a red that acquires";
		if (op->calc > SMALL_XOR || op->calc == SMALL_SUB || op->calc == SMALL_MUL ||
		    op->calc == SMALL_DIV)
			return "an atomic that PTX does not have";
		say_atomic(to, op, order, scope);
		break;
	case SMALL_FENCE:
		say(to, "fence%s%s;\n", order, scope);
		break;
	case SMALL_SYNC:
		if (op->count)
			return "a barrier of some threads";
		say(to, "barrier.sync %u;\n", op->word);
		break;
	case SMALL_BRANCH:
		if (op->calc < SMALL_EQ || !op->a.is_register)
			return "a branch without a register";
		say(to, "setp.%s.u32 %%p, %s, %s;\n@%%p bra L%u_%u;\n", compare_text(op->calc),
		    value_text(op->a, a), value_text(op->b, b), thread, op->target);
		break;
	case SMALL_JUMP:
		say(to, "bra L%u_%u;\n", thread, op->target);
		break;
	default:
		return "an operation that is not translated";
	}
	return NULL;
}

static const char *write_kernel(const small_program *p, const small_grid *grid, text *to)
{
	const char *wrong = NULL;

	say(to,
	    ".version 8.6\n.target sm_90\n.address_size 64\n"
	    ".visible .entry k(.param .u64 x, .param .u64 out)\n{\n"
	    ".reg .b64 %%x, %%o;\n.reg .b32 %%r<%u>;\n.reg .pred %%p;\n"
	    "ld.param.u64 %%x, [x];\nld.param.u64 %%o, [out];\nmov.u32 %%r%u, %%ctaid.x;\n"
	    "mov.u32 %%r%u, %%ntid.x;\nmov.u32 %%r%u, %%tid.x;\n"
	    "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n",
	    SMALL_REGISTERS + 4, SMALL_REGISTERS, SMALL_REGISTERS + 1, SMALL_REGISTERS + 2,
	    SMALL_REGISTERS, SMALL_REGISTERS, SMALL_REGISTERS + 1, SMALL_REGISTERS + 2);
	for (uint32_t t = 0; t < p->threads; t++)
		say(to, "setp.eq.u32 %%p, %%r%u, %u;\n@%%p bra T%u;\n", SMALL_REGISTERS,
		    grid->slot[t], t);
	say(to, "exit;\n");
	for (uint32_t t = 0; t < p->threads; t++) {
		say(to, "T%u:\n", t);
		for (uint32_t i = 0; i < SMALL_REGISTERS; i++)
			say(to, "mov.u32 %%r%u, %u;\n", i, p->registers[t][i]);
		for (uint32_t i = 0; i < p->thread[t].ops && !wrong; i++) {
			say(to, "L%u_%u:\n", t, i);
			wrong = say_op(to, &p->thread[t].op[i], t);
		}
		say(to, "L%u_%u:\n", t, p->thread[t].ops);
		for (uint32_t i = 0; i < SMALL_REGISTERS; i++)
			say(to, "st.global.u32 [%%o+%u], %%r%u;\n", 4 * (t * SMALL_REGISTERS + i),
			    i);
		say(to, "ret;\n");
	}
	say(to, "}\n");
	return to->used >= sizeof to->at ? "too long a program" : wrong;
}

/* ---- running ---- */

typedef struct launched {
	const small_program *p;
	kernel_result *result;
	weir_ptx_memory *memory;
	weir_ptx_module *module;
	weir_ptx_launch launch;
	uint64_t params[2];
} launched;

static weir_status begin(void *context, weir_ptx_kernel **kernel, weir_ptx_launch *launch)
{
	launched *l = context;

	*launch = l->launch;
	for (uint32_t w = 0; w < l->p->words; w++)
		((uint32_t *)(uintptr_t)l->params[0])[w] = l->p->initial[w];
	return weir_ptx_module_kernel(l->module, "k", kernel);
}

static void end(void *context)
{
	(void)context;
}

static void name(void *context, uint64_t address, char *to, size_t bytes)
{
	(void)context;
	snprintf(to, bytes, "%llx", (unsigned long long)address);
}

static uint64_t outcome(void *context, char *to, size_t bytes)
{
	launched *l = context;
	kernel_result *r = l->result;
	small_state state;

	snprintf(to, bytes, "-");
	memset(&state, 0, sizeof state);
	memcpy(state.registers, (const void *)(uintptr_t)l->params[1],
	       l->p->threads * sizeof state.registers[0]);
	memcpy(state.words, (const void *)(uintptr_t)l->params[0], l->p->words * 4);
	for (uint32_t i = 0; i < r->count; i++)
		if (memcmp(&r->states[i], &state, sizeof state) == 0)
			return i;
	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->states = realloc(r->states, r->room * sizeof state);
		if (!r->states)
			abort();
	}
	r->states[r->count] = state;
	return r->count++;
}

static void take_findings(const weir_check *check, kernel_result *r)
{
	for (size_t i = 0; i < weir_check_count(check); i++) {
		weir_check_kind kind = weir_check_at(check, i)->kind;
		r->races |= kind == WEIR_CHECK_RACE;
		r->hangs |= kind == WEIR_CHECK_HANG || kind == WEIR_CHECK_FAULT;
	}
	if (r->explored.bound[0])
		r->bound = r->explored.bound;
}

static int explore(launched *l, const small_grid *grid, const char *source)
{
	const weir_check_setup setup = {
	    .context = l, .begin = begin, .name = name, .end = end, .launches = 1};
	const weir_explore_setup exploration = {.check = &setup, .outcome = outcome};
	weir_check *check = weir_check_create();
	int failed =
	    !check || weir_ptx_memory_create(&l->memory) != WEIR_OK ||
	    weir_ptx_module_load(&l->module, l->memory, source, strlen(source)) != WEIR_OK ||
	    weir_ptx_allocate(l->memory, 64, WEIR_PTX_WRITTEN, &l->params[0]) != WEIR_OK ||
	    weir_ptx_allocate(l->memory, sizeof(small_state), WEIR_PTX_WRITTEN, &l->params[1]) !=
		WEIR_OK;

	l->launch = (weir_ptx_launch){.grid = {grid->blocks, 1, 1},
	                              .block = {grid->threads, 1, 1},
	                              .cluster = {grid->cluster, 1, 1},
	                              .params = l->params};
	failed = failed || weir_explore(check, &exploration, &l->result->explored) != WEIR_OK;
	if (failed)
		printf("%s\n%s", weir_error_text(), source);
	else
		take_findings(check, l->result);
	weir_check_destroy(check);
	weir_ptx_module_unload(l->module);
	weir_ptx_memory_destroy(l->memory);
	return failed ? -1 : 0;
}

int kernel_run(const small_program *p, kernel_result *result)
{
	small_grid grid = small_place(p);
	launched l = {.p = p, .result = result};
	text *source = calloc(1, sizeof *source);
	int status = 0;

	memset(result, 0, sizeof *result);
	if (!source)
		return -1;
	if (grid.device != grid.blocks)
		result->refused = "several devices";
	else
		result->refused = write_kernel(p, &grid, source);
	if (!result->refused)
		status = explore(&l, &grid, source->at);
	free(source);
	return status;
}

void kernel_free(kernel_result *result)
{
	weir_explore_result_free(&result->explored);
	free(result->states);
}
