/* Calls: frames, parameters, results, and the functions of the toolkit's runtime. */
#include <stdlib.h>
#include <string.h>

#include "ptx/machine.h"

static size_t stack_limit(const weir_ptx_thread *t)
{
	return t->machine->launch.stack_bytes ? t->machine->launch.stack_bytes : PTX_STACK_BYTES;
}

static bool overflow(weir_ptx_thread *t)
{
	return weir_ptx_find(t, WEIR_PTX_STACK,
	                     "the stack of %zu bytes is full at call depth %u: endless recursion?",
	                     stack_limit(t), t->depth);
}

static bool grow_slots(weir_ptx_thread *t, uint32_t needed)
{
	uint32_t room = needed * 2;
	uint64_t *grown;

	if ((size_t)needed * 8 > stack_limit(t))
		return overflow(t);
	grown = calloc(room, 8);
	if (!grown)
		return weir_ptx_find(t, WEIR_PTX_NO_MEMORY, "no memory for a thread's stack");
	memcpy(grown, t->slots, (size_t)t->slot_room * 8);
	if (t->own_slots)
		free(t->slots);
	t->slots = grown;
	t->slot_room = room;
	t->own_slots = true;
	t->frame = t->slots + t->at;
	return true;
}

static bool grow_local(weir_ptx_thread *t, uint32_t needed)
{
	uint32_t room = ((needed * 2) + 127) & ~127u;
	uint8_t *grown;

	if (needed > stack_limit(t))
		return overflow(t);
	grown = calloc(room + room / 8, 1);
	if (!grown)
		return weir_ptx_find(t, WEIR_PTX_NO_MEMORY, "no memory for a thread's stack");
	memcpy(grown, t->local, t->local_room);
	memcpy(grown + room, t->local_shadow, t->local_room / 8);
	if (t->own_local)
		free(t->local);
	t->local = grown;
	t->local_shadow = grown + room;
	t->local_room = room;
	t->own_local = true;
	return true;
}

/* Pushes a frame on the thread's stack: slots with their constants, and uninitialized locals. */
bool weir_ptx_frame_open(weir_ptx_thread *t, uint32_t index)
{
	const ptx_program *program = t->machine->program;
	const ptx_routine *routine = &program->routines.at[index];
	uint32_t at = t->at + program->routines.at[t->routine].slots;
	uint32_t base = (t->local_top + 15) & ~15u, top = base + routine->local_bytes;

	if (at + routine->slots > t->slot_room && !grow_slots(t, at + routine->slots))
		return false;
	if (top > t->local_room && !grow_local(t, top))
		return false;
	memset(t->local_shadow + base / 8, 0, (routine->local_bytes + 7) / 8);
	t->at = at;
	t->frame = t->slots + at;
	t->frame[0] = base;
	if (routine->constants)
		memcpy(t->frame + 1, routine->constant, routine->constants * sizeof(uint64_t));
	t->local_base = base;
	t->local_top = top;
	t->routine = index;
	return true;
}

bool weir_ptx_alloca(weir_ptx_thread *t, uint64_t bytes, uint64_t *offset)
{
	uint32_t base = (t->local_top + 15) & ~15u;

	if (bytes > stack_limit(t))
		return overflow(t);
	if (base + bytes > t->local_room && !grow_local(t, base + (uint32_t)bytes))
		return false;
	memset(t->local_shadow + base / 8, 0, (bytes + 7) / 8);
	t->local_top = base + (uint32_t)bytes;
	*offset = base;
	return true;
}

static void pass_argument(weir_ptx_thread *t, const ptx_pass *pass, const ptx_formal *formal,
                          uint32_t from_at, uint32_t from_base)
{
	uint32_t bytes = pass->bytes < formal->bytes ? pass->bytes : formal->bytes;
	uint64_t value = 0;

	if (pass->from_slot)
		value = t->slots[from_at + pass->from];
	else if (formal->in_slot)
		memcpy(&value, t->local + from_base + pass->from, bytes < 8 ? bytes : 8);
	if (formal->in_slot) {
		t->frame[formal->at] = value;
		return;
	}
	if (pass->from_slot)
		memcpy(t->local + t->local_base + formal->at, &value, bytes);
	else
		memcpy(t->local + t->local_base + formal->at, t->local + from_base + pass->from,
		       bytes);
	ptx_mark(t->local_shadow, t->local_base + formal->at, bytes);
}

static bool push_call(weir_ptx_thread *t, const ptx_call *call, const ptx_code *back)
{
	ptx_call_frame *grown;

	if (t->depth == t->depth_room) {
		uint32_t room = t->depth_room ? t->depth_room * 2 : 8;
		grown = realloc(t->calls, room * sizeof *grown);
		if (!grown)
			return weir_ptx_find(t, WEIR_PTX_NO_MEMORY,
			                     "no memory for a thread's stack");
		t->calls = grown;
		t->depth_room = room;
	}
	t->calls[t->depth++] =
	    (ptx_call_frame){call, back, t->at, t->local_base, t->local_top, t->routine};
	return true;
}

static bool enter(weir_ptx_thread *t, const ptx_call *call, uint32_t routine, const ptx_code *back)
{
	const ptx_program *program = t->machine->program;
	const ptx_routine *callee = &program->routines.at[routine];
	uint32_t at = t->at, base = t->local_base;

	if (call->argument_count != callee->param_count ||
	    call->result_count > callee->return_count)
		return weir_ptx_find(t, WEIR_PTX_BAD_CALL,
		                     "a call with %u parameters of a function that takes %u",
		                     call->argument_count, callee->param_count);
	if (!push_call(t, call, back) || !weir_ptx_frame_open(t, routine))
		return false;
	for (uint32_t i = 0; i < call->argument_count; i++)
		pass_argument(t, &call->arguments[i], &callee->params[i], at, base);
	t->pc = program->code.at + callee->entry;
	return true;
}

void weir_ptx_return(weir_ptx_thread *t)
{
	const ptx_call_frame frame = t->calls[--t->depth];
	const ptx_routine *callee = &t->machine->program->routines.at[t->routine];
	uint64_t *from = t->frame;
	uint32_t base = t->local_base;

	t->at = frame.at;
	t->frame = t->slots + frame.at;
	t->local_base = frame.local_base;
	t->local_top = frame.local_top;
	t->routine = frame.routine;
	t->pc = frame.back;
	for (uint32_t i = 0; i < frame.call->result_count; i++) {
		const ptx_pass *pass = &frame.call->results[i];
		const ptx_formal *formal = &callee->returns[i];
		uint32_t bytes = pass->bytes < formal->bytes ? pass->bytes : formal->bytes;
		uint64_t value = 0;

		if (formal->in_slot)
			value = from[formal->at];
		else
			memcpy(&value, t->local + base + formal->at, bytes < 8 ? bytes : 8);
		if (pass->to_slot) {
			t->frame[pass->to] = value;
			continue;
		}
		if (formal->in_slot)
			memcpy(t->local + t->local_base + pass->to, &value, bytes < 8 ? bytes : 8);
		else
			memmove(t->local + t->local_base + pass->to, t->local + base + formal->at,
			        bytes);
		ptx_mark(t->local_shadow, t->local_base + pass->to, bytes);
	}
}

/* --- Functions that the toolkit's runtime brings ---------------------------------------------------- */

static uint64_t argument(const weir_ptx_thread *t, const ptx_call *call, uint32_t i)
{
	uint64_t value = 0;

	if (i >= call->argument_count)
		return 0;
	if (call->arguments[i].from_slot)
		return t->frame[call->arguments[i].from];
	memcpy(&value, t->local + t->local_base + call->arguments[i].from,
	       call->arguments[i].bytes < 8 ? call->arguments[i].bytes : 8);
	return value;
}

static void give_result(weir_ptx_thread *t, const ptx_call *call, uint64_t value)
{
	if (!call->result_count)
		return;
	if (call->results[0].to_slot) {
		t->frame[call->results[0].to] = value;
		return;
	}
	memcpy(t->local + t->local_base + call->results[0].to, &value,
	       call->results[0].bytes < 8 ? call->results[0].bytes : 8);
	ptx_mark(t->local_shadow, t->local_base + call->results[0].to, call->results[0].bytes);
}

static bool assert_failed(weir_ptx_thread *t, const ptx_call *call)
{
	char message[256], file[256], function[256];

	if (!weir_ptx_string(t, argument(t, call, 0), message, sizeof message) ||
	    !weir_ptx_string(t, argument(t, call, 1), file, sizeof file) ||
	    !weir_ptx_string(t, argument(t, call, 3), function, sizeof function))
		return false;
	return weir_ptx_find(t, WEIR_PTX_ASSERT, "%s:%u: %s: assertion `%s` failed", file,
	                     (unsigned)argument(t, call, 2), function, message);
}

/* An observer must not take two allocations for one. */
static weir_status give_back(weir_ptx_machine *m, uint64_t address)
{
	return m->observer ? weir_ptx_retire(m->memory, address)
	                   : weir_ptx_free(m->memory, address);
}

static bool call_builtin(weir_ptx_thread *t, const ptx_call *call)
{
	uint64_t address = 0;

	switch (call->builtin) {
	case PTX_VPRINTF:
		if (!weir_ptx_print(t, argument(t, call, 0), argument(t, call, 1)))
			return false;
		give_result(t, call, 0);
		return true;
	case PTX_ASSERTFAIL:
		return assert_failed(t, call);
	case PTX_MALLOC:
		if (argument(t, call, 0) &&
		    weir_ptx_allocate(t->machine->memory, argument(t, call, 0), 0, &address) !=
		        WEIR_OK)
			address = 0;
		give_result(t, call, address);
		return true;
	default:
		address = argument(t, call, 0);
		return !address || give_back(t->machine, address) == WEIR_OK ||
		       weir_ptx_find(
			   t, WEIR_PTX_FREED,
			   "free of %#llx, which malloc did not return or which was freed",
			   (unsigned long long)address);
	}
}

bool weir_ptx_call(weir_ptx_thread *t, const ptx_code *code)
{
	const ptx_program *program = t->machine->program;
	const ptx_call *call = &program->calls.at[code->x];
	uint32_t routine = call->function;

	if (call->builtin) {
		if (!call_builtin(t, call))
			return false;
		t->pc = code + 1;
		return true;
	}
	if (code->op == PTX_X_CALL_BY) {
		uint64_t address = t->frame[code->a], index = (address & ~PTX_FUNCTION_WINDOW) / 16;
		if (PTX_WINDOW(address) != PTX_FUNCTION_WINDOW ||
		    index >= program->module->functions.count || address % 16 ||
		    program->routine_of[index] == PTX_NONE)
			return weir_ptx_find(t, WEIR_PTX_BAD_CALL,
			                     "a call of %#llx, which is no function",
			                     (unsigned long long)address);
		routine = program->routine_of[index];
	}
	return enter(t, call, routine, code + 1);
}
