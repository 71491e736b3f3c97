/* A thread's private state, copied and put back, and a hash of what is live at a loop's head. */
#include <string.h>

#include "base/status.h"
#include "ptx/machine.h"

typedef struct saved {
	const ptx_code *pc;
	uint32_t at, local_base, local_top, routine, depth, slots;
	uint8_t state, at_cluster, passed_cluster;
	const ptx_access *waiting;
	uint64_t operand[4];
} saved;

static size_t size_of(const saved *s)
{
	return sizeof *s + (size_t)s->slots * 8 + s->depth * sizeof(ptx_call_frame) + s->local_top +
	       (s->local_top + 7) / 8;
}

size_t weir_ptx_thread_save(const weir_ptx_thread *t, void *state, size_t bytes)
{
	const ptx_routine *routine = &t->machine->program->routines.at[t->routine];
	saved s = {t->pc,
	           t->at,
	           t->local_base,
	           t->local_top,
	           t->routine,
	           t->depth,
	           t->at + routine->slots,
	           t->state,
	           t->at_cluster,
	           t->passed_cluster,
	           t->waiting,
	           {0}};
	char *to = state;

	memcpy(s.operand, t->operand, sizeof s.operand);
	if (size_of(&s) > bytes)
		return size_of(&s);
	memcpy(to, &s, sizeof s);
	to += sizeof s;
	memcpy(to, t->slots, (size_t)s.slots * 8);
	to += (size_t)s.slots * 8;
	if (s.depth)
		memcpy(to, t->calls, s.depth * sizeof(ptx_call_frame));
	to += s.depth * sizeof(ptx_call_frame);
	memcpy(to, t->local, s.local_top);
	memcpy(to + s.local_top, t->local_shadow, (s.local_top + 7) / 8);
	return size_of(&s);
}

weir_status weir_ptx_thread_restore(weir_ptx_thread *t, const void *state, size_t bytes)
{
	const char *from = state;
	saved s;

	if (bytes < sizeof s)
		return weir_fail(WEIR_BAD_ARGUMENT, "this is no state of a thread");
	memcpy(&s, from, sizeof s);
	/* Room never shrinks, so what was saved from the thread fits. */
	if (size_of(&s) > bytes || s.slots > t->slot_room || s.depth > t->depth_room ||
	    s.local_top > t->local_room)
		return weir_fail(WEIR_BAD_ARGUMENT, "this is no state of this thread");
	from += sizeof s;
	t->pc = s.pc;
	t->at = s.at;
	t->frame = t->slots + s.at;
	t->local_base = s.local_base;
	t->local_top = s.local_top;
	t->routine = s.routine;
	t->depth = s.depth;
	t->at_cluster = s.at_cluster;
	t->passed_cluster = s.passed_cluster;
	memcpy(t->operand, s.operand, sizeof s.operand);
	memcpy(t->slots, from, (size_t)s.slots * 8);
	from += (size_t)s.slots * 8;
	if (s.depth)
		memcpy(t->calls, from, s.depth * sizeof(ptx_call_frame));
	from += s.depth * sizeof(ptx_call_frame);
	memcpy(t->local, from, s.local_top);
	memcpy(t->local_shadow, from + s.local_top, (s.local_top + 7) / 8);
	weir_ptx_wake(t);
	if (s.state != WEIR_PTX_RUNNABLE)
		weir_ptx_block_on(t, s.state, NULL);
	t->waiting = s.waiting;
	return WEIR_OK;
}

uint64_t weir_ptx_thread_live_hash(const weir_ptx_thread *t)
{
	const ptx_program *program = t->machine->program;
	uint32_t at = (uint32_t)(t->pc - program->code.at);

	for (uint32_t i = 0; i < program->loops.count; i++) {
		const ptx_loop *l = &program->loops.at[i];
		uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ t->depth;
		if (l->head != at)
			continue;
		for (uint32_t k = 0; k < l->count; k++)
			hash = (hash ^ t->frame[program->live.at[l->first + k]]) *
			       UINT64_C(0x9e3779b97f4a7c15);
		return hash | 1;
	}
	return 0;
}
