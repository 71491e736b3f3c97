/* Scopes, data races on words, and what PTX adds to the memory. */
#ifndef WEIR_MODEL_SCOPES_H
#define WEIR_MODEL_SCOPES_H

#include "model/engine.h"

/* "plain", "at block scope", ... */
const char *weir_model_scope_text(weir_model_scope scope);
/* The smallest scope with which two threads include each other. */
weir_model_scope weir_model_distance(const weir_model_engine *e, uint32_t t, uint32_t u);
weir_model_scope weir_model_widest(const weir_model_engine *e);
/* Whether accesses of two threads with these scopes can order each other: PTX calls them morally
 * strong. */
int weir_model_is_mutual(const weir_model_engine *e, uint32_t t, weir_model_scope scope, uint32_t u,
                         weir_model_scope other);
/* Fails the execution if an operation of that type, by the running thread, races with accesses to
 * the location of another size. */
void weir_model_check_sizes(weir_model_engine *e, uint32_t location, weir_model_op_type type);
/* Fails the execution if its last event, an access, races with an earlier one. */
void weir_model_check_scope(weir_model_engine *e, const weir_model_event *event);

/* The rest is only for PTX. */

weir_model_ptx *weir_model_ptx_create(void);
void weir_model_ptx_reset(weir_model_engine *e);
/* The thread's operation reads message number `read`; its write follows. */
void weir_model_ptx_read(weir_model_engine *e, int thread, uint32_t read);
/* The operation wrote message `number`. `read`: the message that it also read, or -1. */
void weir_model_ptx_write(weir_model_engine *e, int thread, uint32_t number, int read);
/* The thread arrives at its barrier. Returns the threads whose wait there is over, as bits. */
uint64_t weir_model_ptx_arrive(weir_model_engine *e, int thread);
void weir_model_ptx_fence(weir_model_engine *e, int thread);
/* Whether message `a` of a location releases everything that message `b` releases. */
int weir_model_ptx_covers(const weir_model_engine *e, uint32_t location, uint32_t a, uint32_t b);
/* Whether a fence.sc precedes what the thread does next. */
int weir_model_ptx_is_fenced(const weir_model_engine *e, int thread);
/* The stamp of the oldest message that a thread may still read: fence.sc hides more than its view
 * does. */
uint32_t weir_model_ptx_seen(const weir_model_engine *e, int thread, uint32_t location);
/* How much of the other threads' progress an event with that clock must know. */
void weir_model_ptx_know(const weir_model_engine *e, uint32_t clock[WEIR_MODEL_AGENTS]);
/* The same for a whole view. */
void weir_model_ptx_know_view(const weir_model_engine *e, weir_model_view *view);

#endif
