/* The memory of the explorer: what one access may do. */
#ifndef WEIR_MODEL_MEMORY_H
#define WEIR_MODEL_MEMORY_H

#include "model/engine.h"

void weir_model_memory_reset(weir_model_engine *e);
void weir_model_join_view(const weir_model_engine *e, weir_model_view *to,
                          const weir_model_view *from);
/* The location of an operation. `w` is a word of 32 bits, or of 64 if `wide`. A word may not be
 * used as both: the execution fails with a race if accesses of both sizes are unordered. */
uint32_t weir_model_location_at(weir_model_engine *e, const void *w, weir_model_op_type type,
                                int wide, const weir_model_site *site);
static inline int weir_model_is_await(weir_model_op_type type)
{
	return type >= WEIR_OP_AWAIT_EQ && type <= WEIR_OP_AWAIT_XCHG_NE;
}

static inline int weir_model_reads(weir_model_op_type type)
{
	return type == WEIR_OP_LOAD || (type >= WEIR_OP_XCHG && type <= WEIR_OP_RED) ||
	       weir_model_is_await(type);
}

static inline int weir_model_writes(weir_model_op_type type)
{
	return (type >= WEIR_OP_STORE && type <= WEIR_OP_RED) || type == WEIR_OP_AWAIT_XCHG_EQ ||
	       type == WEIR_OP_AWAIT_XCHG_NE;
}

static inline int weir_model_syncs(weir_model_op_type type)
{
	return type >= WEIR_OP_SYNC && type <= WEIR_OP_PARK;
}

void weir_model_join_cause(weir_model_cause *to, const weir_model_cause *from);
int weir_model_satisfies(const weir_model_op *op, uint64_t value);

/* The choices for a thread's operation, in `list` (message indices; for a store, the message that
 * it follows). For operations that read, only messages from number `floor` on count. */
uint32_t weir_model_choices(weir_model_engine *e, int thread, uint32_t floor, uint16_t *list);
/* Whether there is a choice. */
int weir_model_enabled(weir_model_engine *e, int thread, uint32_t floor);
/* Performs the thread's operation with that choice. */
void weir_model_perform(weir_model_engine *e, int thread, uint32_t choice, uint32_t node);
/* The threads from `first` to `end` - 1 have met at the operation: each knows what any of them
 * knew. */
void weir_model_join_threads(weir_model_engine *e, const weir_model_op *op, uint32_t first,
                             uint32_t end);
weir_model_event *weir_model_record(weir_model_engine *e, int thread, const weir_model_op *op);
/* Whether the execution may leave out the failed attempt; called by weir_wait_again. */
int weir_model_attempt_futile(weir_model_engine *e, int thread);
/* Whether any thread read a value that a failed attempt wrote and took back. Call it after an
 * execution. */
int weir_model_vain_was_read(const weir_model_engine *e);
/* Fails an execution in which the awaited value of a wait could have appeared and been overwritten
 * unseen. Call it after the execution. */
void weir_model_check_wakes(weir_model_engine *e);

/* ---- notes.c ---- */

/* Whether that word of a diagnosis, under this kind of access, is plain data; otherwise it is like
 * the word of an object. */
int weir_model_note_is_plain(const weir_model_engine *e, uint32_t word, weir_model_op_type type);
/* Accesses such a word. Returns its old value. */
uint32_t weir_model_note_access(weir_model_engine *e, const weir_model_op *op, uint32_t word);
/* A wait that cannot give up: fails unless the notes of the block name it. */
void weir_model_check_said(const weir_model_site *site);
/* A wait that can give up. */
void weir_model_check_reached(const weir_model_site *site);
/* Whether the notes contain that fault, of an operation by this thread; removes it from them. */
int weir_model_note_fault(uint32_t fault, uint32_t detail);
/* The thread learns in a wait that the launch was aborted. */
void weir_model_note_abort(int can_fail);

#endif
