/* The model machine: every access is a step of the explorer in model/, which runs all executions
 * that a weak memory allows for a few blocks and threads. doc/verification.md says which memory
 * that is, and what it leaves out.
 *
 * The operations are macros, so that each one knows its place in the algorithm's source: traces
 * name it, and mutants change it without a copy of the source.
 */
#ifndef WEIR_MACHINE_MODEL_H
#define WEIR_MACHINE_MODEL_H

#include <stddef.h>
#include <stdint.h>

#define WEIR_FN static inline
#define WEIR_GLOBAL
#define WEIR_NO_UNROLL
#define WEIR_UNROLL
#define WEIR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEIR_HAS_CLOCK 0
#define WEIR_HAS_DEADLINE 1 /* the explorer chooses when a deadline passes */
#define WEIR_HAS_WORD64 1
#define WEIR_HAS_CLUSTER 1
#define WEIR_HAS_THREAD_PROGRESS 1
#define WEIR_HAS_ALL_KINDS 1
#define WEIR_HAS_OWN_WAIT 1
#define WEIR_HAS_OWN_BEGUN 1
#define WEIR_HAS_OWN_SYNC_REL 1
#define WEIR_HAS_TEAMS 1
#define WEIR_HAS_BLOCK_VALUE 1
#define WEIR_HAS_OWN_TEAM_SYNC 1
/* Threads cost much more here. The first threads of a block are a warp. */
#define WEIR_WARP_THREADS weir_model_warp_threads_()

/* Padding has no benefit here, but words are scarce. */
#define WEIR_COUNTER_APART 1
#define WEIR_COUNTER_COPY_BITS 0 /* few blocks, and yet several copies */
#define WEIR_COUNTER_MANY_BITS 1
#define WEIR_LINE_WORDS 2
#define WEIR_TASKS_PATIENCE 0 /* a block may count itself as idle after one failed poll */
#define WEIR_QUEUE_SPREAD 1u
#define WEIR_QUEUE_LOOKS 1u /* any number of looks may fail anyway */

#define WEIR_MODEL_WORDS 128 /* of memory */

/* Only its address matters: the explorer keeps the history of the word. */
typedef struct weir_word {
	uint32_t unused_;
} weir_word;

typedef struct weir_word64 {
	uint64_t unused_;
} weir_word64;

typedef struct weir_wait {
	uint32_t can_fail;
	uint32_t has_asked; /* whether it has asked for an abort since its last attempt */
	uint32_t want[4];   /* of a diagnosis: the members of a weir_want */
} weir_wait;

typedef struct weir_deadline {
	uint32_t never; /* over */
} weir_deadline;

/* A place in the source. */
typedef struct weir_model_site {
	const char *file;
	const char *function;
	const char *operation;
	const char *word; /* the expression for the word, as written there */
	int line;
} weir_model_site;

typedef enum weir_model_order {
	WEIR_MODEL_RLX = 0,
	WEIR_MODEL_ACQ = 1,
	WEIR_MODEL_REL = 2,
	WEIR_MODEL_ACQ_REL = 3,
	WEIR_MODEL_BEGUN = 4, /* the second part of a release; of a fence: the first part */
	WEIR_MODEL_BEGUN_ACQ = 5,
	WEIR_MODEL_POLL = 8, /* a load that weir_poll_acquire turns into an acquire */
	WEIR_MODEL_SC = 16   /* fence.sc of PTX */
} weir_model_order;

/* The scope in which an access is atomic. The machine layer's accesses have device scope. The other
 * scopes are for kernels in PTX, litmus tests, and published code that is less careful. */
typedef enum weir_model_scope {
	WEIR_MODEL_PLAIN = 0,
	WEIR_MODEL_BLOCK = 1,
	WEIR_MODEL_CLUSTER = 2,
	WEIR_MODEL_DEVICE = 3,
	WEIR_MODEL_SYSTEM = 4
} weir_model_scope;

uint32_t weir_model_load_(weir_word *w, weir_model_order order, weir_model_scope scope,
                          const weir_model_site *site);
void weir_model_store_(weir_word *w, uint32_t value, weir_model_order order, weir_model_scope scope,
                       const weir_model_site *site);
uint32_t weir_model_xchg_(weir_word *w, uint32_t value, weir_model_order order,
                          const weir_model_site *site);
uint32_t weir_model_add_(weir_word *w, uint32_t addend, weir_model_order order,
                         const weir_model_site *site);
uint32_t weir_model_cas_(weir_word *w, uint32_t expected, uint32_t value, weir_model_order order,
                         const weir_model_site *site);
void weir_model_red_(weir_word *w, uint32_t addend, weir_model_order order,
                     const weir_model_site *site);
uint64_t weir_model_load64_(weir_word64 *w, weir_model_order order, const weir_model_site *site);
void weir_model_store64_(weir_word64 *w, uint64_t value, weir_model_order order,
                         const weir_model_site *site);
uint64_t weir_model_add64_(weir_word64 *w, uint64_t addend, weir_model_order order,
                           const weir_model_site *site);
uint64_t weir_model_cas64_(weir_word64 *w, uint64_t expected, uint64_t value,
                           weir_model_order order, const weir_model_site *site);
void weir_model_red64_(weir_word64 *w, uint64_t addend, weir_model_order order,
                       const weir_model_site *site);
void weir_model_fence_(weir_model_order order, const weir_model_site *site);
void weir_model_block_sync_(const weir_model_site *site);
void weir_model_block_sync_rel_(const weir_model_site *site);
void weir_model_team_sync_(uint32_t first, uint32_t threads, const weir_model_site *site);
void weir_model_acquire_each_(weir_word *w, uint32_t apart, uint32_t bits,
                              const weir_model_site *site);
uint32_t weir_model_warp_threads_(void);
uint32_t weir_model_first_threads_(void);
uint32_t weir_model_first_bits_(void);
uint32_t weir_model_parts_(uint32_t thread, uint32_t count);
uint32_t weir_model_first_value_(uint32_t value, uint32_t bits, const weir_model_site *site);
uint32_t weir_model_first_sum_(uint32_t value, const weir_model_site *site);
uint32_t weir_model_first_pick_(uint32_t value, uint32_t none, const weir_model_site *site);
uint32_t weir_model_first_ballot_(int condition, const weir_model_site *site);
uint32_t weir_model_first_get_(uint32_t value, uint32_t thread, const weir_model_site *site);
void weir_model_first_sync_(const weir_model_site *site);
uint32_t weir_model_first_word_(const uint32_t *own, uint32_t place);
void weir_model_first_word_put_(uint32_t *own, uint32_t place, uint32_t value);
void weir_model_await_eq_(weir_word *w, uint32_t value, const weir_model_site *site);
uint32_t weir_model_await_ge_(weir_word *w, uint32_t value, const weir_model_site *site);
uint32_t weir_model_await_ge_rlx_(weir_word *w, uint32_t value, const weir_model_site *site);
void weir_model_await_high_ge_(weir_word64 *w, uint32_t value, const weir_model_site *site);
uint32_t weir_model_await_xchg_eq_(weir_word *w, uint32_t put, uint32_t want,
                                   const weir_model_site *site);
uint32_t weir_model_await_xchg_ne_(weir_word *w, uint32_t put, uint32_t avoid,
                                   const weir_model_site *site);
void weir_model_end_launch_(uint32_t fault, uint32_t kind, const weir_model_site *site);
weir_wait weir_model_wait_begin_(void);
void weir_model_wait_again_(weir_wait *wait, const weir_model_site *site);
int weir_model_wait_aborted_(weir_wait *wait, const weir_model_site *site);
int weir_model_wait_failed_(weir_wait *wait, const weir_model_site *site);
weir_deadline weir_model_deadline_begin_(uint64_t ns);
uint32_t weir_model_choose_(uint32_t ways, const weir_model_site *site);
uint32_t weir_model_block_id_(void);
uint32_t weir_model_block_count_(void);
uint32_t weir_model_thread_id_(void);
uint32_t weir_model_thread_count_(void);
uint32_t weir_model_cluster_size_(void);
void weir_model_claim_begin_(void);
void weir_model_claim_again_(const weir_model_site *site);
uint64_t weir_model_area_now_(void);
void weir_model_area_set_(uint64_t address);
void weir_model_plain_put_(uint32_t place, uint32_t value);
uint32_t weir_model_plain_get_(uint32_t place);

/* These return 0 unless a mutant changes this place in the code. tools/mutable.c inserts the
 * calls. */
int weir_text_(uint32_t place);
int weir_hook_(uint32_t place);

#define WEIR_MODEL_SITE_(operation, word)                                                          \
	__extension__({                                                                            \
		static const weir_model_site site_ = {__FILE__, __func__, operation, word,         \
		                                      __LINE__};                                   \
		&site_;                                                                            \
	})

#define WEIR_MODEL_LOAD_(w, name, order, scope)                                                    \
	weir_model_load_(w, WEIR_MODEL_##order, WEIR_MODEL_##scope, WEIR_MODEL_SITE_(name, #w))
#define WEIR_MODEL_STORE_(w, value, name, order, scope)                                            \
	weir_model_store_(w, value, WEIR_MODEL_##order, WEIR_MODEL_##scope,                        \
	                  WEIR_MODEL_SITE_(name, #w))

#define weir_load_rlx(w) WEIR_MODEL_LOAD_(w, "load_rlx", RLX, DEVICE)
#define weir_load_acq(w) WEIR_MODEL_LOAD_(w, "load_acq", ACQ, DEVICE)
#define weir_acquire_each(w, apart, bits)                                                          \
	weir_model_acquire_each_(w, apart, bits, WEIR_MODEL_SITE_("acquire_each", #w))
#define weir_store_rlx(w, value) WEIR_MODEL_STORE_(w, value, "store_rlx", RLX, DEVICE)
#define weir_store_rel(w, value) WEIR_MODEL_STORE_(w, value, "store_rel", REL, DEVICE)

#define WEIR_MODEL_RMW_(call, w, value, name, order)                                               \
	weir_model_##call##_(w, value, WEIR_MODEL_##order, WEIR_MODEL_SITE_(name, #w))

#define weir_xchg_rlx(w, value) WEIR_MODEL_RMW_(xchg, w, value, "xchg_rlx", RLX)
#define weir_xchg_acq(w, value) WEIR_MODEL_RMW_(xchg, w, value, "xchg_acq", ACQ)
#define weir_xchg_rel(w, value) WEIR_MODEL_RMW_(xchg, w, value, "xchg_rel", REL)
#define weir_xchg_acq_rel(w, value) WEIR_MODEL_RMW_(xchg, w, value, "xchg_acq_rel", ACQ_REL)
#define weir_add_rlx(w, addend) WEIR_MODEL_RMW_(add, w, addend, "add_rlx", RLX)
#define weir_add_acq(w, addend) WEIR_MODEL_RMW_(add, w, addend, "add_acq", ACQ)
#define weir_add_rel(w, addend) WEIR_MODEL_RMW_(add, w, addend, "add_rel", REL)
#define weir_add_acq_rel(w, addend) WEIR_MODEL_RMW_(add, w, addend, "add_acq_rel", ACQ_REL)
#define weir_red_add_rlx(w, addend) WEIR_MODEL_RMW_(red, w, addend, "red_add_rlx", RLX)
#define weir_red_add_rel(w, addend) WEIR_MODEL_RMW_(red, w, addend, "red_add_rel", REL)

#define WEIR_MODEL_CAS_(w, expected, value, name, order)                                           \
	weir_model_cas_(w, expected, value, WEIR_MODEL_##order, WEIR_MODEL_SITE_(name, #w))

#define weir_cas_rlx(w, expected, value) WEIR_MODEL_CAS_(w, expected, value, "cas_rlx", RLX)
#define weir_cas_acq(w, expected, value) WEIR_MODEL_CAS_(w, expected, value, "cas_acq", ACQ)
#define weir_cas_rel(w, expected, value) WEIR_MODEL_CAS_(w, expected, value, "cas_rel", REL)
#define weir_cas_acq_rel(w, expected, value)                                                       \
	WEIR_MODEL_CAS_(w, expected, value, "cas_acq_rel", ACQ_REL)

#define WEIR_MODEL_LOAD64_(w, name, order)                                                         \
	weir_model_load64_(w, WEIR_MODEL_##order, WEIR_MODEL_SITE_(name, #w))
#define WEIR_MODEL_CAS64_(w, expected, value, name, order)                                         \
	weir_model_cas64_(w, expected, value, WEIR_MODEL_##order, WEIR_MODEL_SITE_(name, #w))

#define weir_load64_rlx(w) WEIR_MODEL_LOAD64_(w, "load64_rlx", RLX)
#define weir_load64_acq(w) WEIR_MODEL_LOAD64_(w, "load64_acq", ACQ)
#define weir_store64_rlx(w, value) WEIR_MODEL_RMW_(store64, w, value, "store64_rlx", RLX)
#define weir_store64_rel(w, value) WEIR_MODEL_RMW_(store64, w, value, "store64_rel", REL)
#define weir_add64_rlx(w, addend) WEIR_MODEL_RMW_(add64, w, addend, "add64_rlx", RLX)
#define weir_add64_acq(w, addend) WEIR_MODEL_RMW_(add64, w, addend, "add64_acq", ACQ)
#define weir_add64_rel(w, addend) WEIR_MODEL_RMW_(add64, w, addend, "add64_rel", REL)
#define weir_add64_acq_rel(w, addend) WEIR_MODEL_RMW_(add64, w, addend, "add64_acq_rel", ACQ_REL)
#define weir_red_add64_rlx(w, addend) WEIR_MODEL_RMW_(red64, w, addend, "red_add64_rlx", RLX)
#define weir_red_add64_rel(w, addend) WEIR_MODEL_RMW_(red64, w, addend, "red_add64_rel", REL)
#define weir_cas64_rlx(w, expected, value) WEIR_MODEL_CAS64_(w, expected, value, "cas64_rlx", RLX)
#define weir_cas64_acq(w, expected, value) WEIR_MODEL_CAS64_(w, expected, value, "cas64_acq", ACQ)
#define weir_cas64_rel(w, expected, value) WEIR_MODEL_CAS64_(w, expected, value, "cas64_rel", REL)
#define weir_cas64_acq_rel(w, expected, value)                                                     \
	WEIR_MODEL_CAS64_(w, expected, value, "cas64_acq_rel", ACQ_REL)

#define weir_fence_acq_rel()                                                                       \
	weir_model_fence_(WEIR_MODEL_ACQ_REL, WEIR_MODEL_SITE_("fence_acq_rel", ""))
/* As little as the contract guarantees: only the begun access releases, and only what precedes the
 * first part. */
#define weir_release_begin()                                                                       \
	weir_model_fence_(WEIR_MODEL_BEGUN, WEIR_MODEL_SITE_("fence_begun", ""))
#define weir_store_begun(w, value) WEIR_MODEL_STORE_(w, value, "store_begun", BEGUN, DEVICE)
#define weir_store64_begun(w, value) WEIR_MODEL_RMW_(store64, w, value, "store64_begun", BEGUN)
#define weir_add64_begun_acq(w, addend)                                                            \
	WEIR_MODEL_RMW_(add64, w, addend, "add64_begun_acq", BEGUN_ACQ)
#define weir_red_add_each_rel(w, apart, bits, addend)                                              \
	do {                                                                                       \
		weir_model_fence_(WEIR_MODEL_BEGUN, WEIR_MODEL_SITE_("each_begun", ""));           \
		for (uint32_t each_ = 0; each_ >> (bits) == 0; each_++)                            \
			WEIR_MODEL_RMW_(red, &(w)[each_ * (apart)], addend, "red_add_begun",       \
			                BEGUN);                                                    \
	} while (0)
#define weir_block_sync() weir_model_block_sync_(WEIR_MODEL_SITE_("block_sync", ""))
#define weir_block_sync_rel() weir_model_block_sync_rel_(WEIR_MODEL_SITE_("block_sync_rel", ""))
/* Each name stands for one team of a block, so that the explorer can tell the teams apart. */
#define weir_team_sync(team)                                                                       \
	weir_model_team_sync_((team).first, (team).threads, WEIR_MODEL_SITE_("team_sync", ""))

#define weir_end_launch(fault, kind)                                                               \
	weir_model_end_launch_(fault, kind, WEIR_MODEL_SITE_("end_launch", ""))

#define weir_await_eq_acq(w, value, backoff)                                                       \
	((void)(backoff), weir_model_await_eq_(w, value, WEIR_MODEL_SITE_("await_eq_acq", #w)))
#define weir_await_ge_rlx(w, value)                                                                \
	weir_model_await_ge_rlx_(w, value, WEIR_MODEL_SITE_("await_ge_rlx", #w))
#define weir_wait_ge_rlx(wait, w, value) ((void)(wait), weir_await_ge_rlx(w, value))
#define weir_await_ge_acq(w, value, backoff)                                                       \
	((void)(backoff), weir_model_await_ge_(w, value, WEIR_MODEL_SITE_("await_ge_acq", #w)))
#define weir_await_high_ge_acq(w, value, units, per)                                               \
	((void)(units), (void)(per),                                                               \
	 weir_model_await_high_ge_(w, value, WEIR_MODEL_SITE_("await_high_ge_acq", #w)))
#define weir_await_xchg_eq_acq(w, put, want, backoff)                                              \
	((void)(backoff),                                                                          \
	 weir_model_await_xchg_eq_(w, put, want, WEIR_MODEL_SITE_("await_xchg_eq_acq", #w)))
#define weir_await_xchg_ne_acq(w, put, avoid, backoff)                                             \
	((void)(backoff),                                                                          \
	 weir_model_await_xchg_ne_(w, put, avoid, WEIR_MODEL_SITE_("await_xchg_ne_acq", #w)))
#define weir_wait_begin(backoff) ((void)(backoff), weir_model_wait_begin_())
#define weir_wait_again(wait) weir_model_wait_again_(wait, WEIR_MODEL_SITE_("wait_again", ""))
#define weir_wait_aborted(wait) weir_model_wait_aborted_(wait, WEIR_MODEL_SITE_("wait_aborted", ""))
#define weir_wait_can_fail(wait) ((void)((wait)->can_fail = 1))
#define weir_wait_end(wait) ((void)(wait))
#define weir_wait_result(wait, deadline)                                                           \
	(weir_model_wait_failed_(wait, WEIR_MODEL_SITE_("wait_result", ""))                        \
	     ? WEIR_ABORTED                                                                        \
	     : weir_deadline_check(deadline))
#define weir_wait_sixteenths(wait, sixteenths)                                                     \
	((void)(sixteenths), weir_model_wait_again_(wait, WEIR_MODEL_SITE_("wait_parts", "")))

#define weir_poll(w) WEIR_MODEL_LOAD_(w, "poll", POLL, DEVICE)
#define weir_poll64(w) WEIR_MODEL_LOAD64_(w, "poll64", POLL)
#define weir_poll_acquire() weir_model_fence_(WEIR_MODEL_POLL, WEIR_MODEL_SITE_("poll_acquire", ""))

#define weir_deadline_begin(ns) weir_model_deadline_begin_(ns)
#define weir_deadline_check(deadline)                                                              \
	(!(deadline)->never && weir_model_choose_(2, WEIR_MODEL_SITE_("deadline_over", ""))        \
	     ? WEIR_TIMED_OUT                                                                      \
	     : WEIR_OK)

/* The first threads share work as on a GPU, if the case says so: between two of these each runs by
 * itself, and only weir_first_sync orders their accesses. */
#define WEIR_FIRST_THREADS weir_model_first_threads_()
#define WEIR_FIRST_BITS weir_model_first_bits_()
#define weir_has_parts(threads, bits) ((threads) >> (bits) != 0 || (threads) >= WEIR_FIRST_THREADS)
#define weir_is_first(thread) ((thread) < WEIR_FIRST_THREADS)
#define WEIR_EACH_PART(part, thread, count)                                                        \
	for (uint32_t left_ = weir_model_parts_(thread, count),                                    \
	              part = (thread) + (left_ - 1) * WEIR_FIRST_THREADS;                          \
	     left_ != 0; left_--, part -= WEIR_FIRST_THREADS)
#define weir_first_value(value, bits)                                                              \
	weir_model_first_value_(value, bits, WEIR_MODEL_SITE_("first_value", ""))
#define weir_first_sum(value, bits)                                                                \
	((void)(bits), weir_model_first_sum_(value, WEIR_MODEL_SITE_("first_sum", "")))
#define weir_first_pick(value, none)                                                               \
	weir_model_first_pick_(value, none, WEIR_MODEL_SITE_("first_pick", ""))
#define weir_first_ballot(condition)                                                               \
	weir_model_first_ballot_(condition, WEIR_MODEL_SITE_("first_ballot", ""))
#define weir_first_get(value, thread)                                                              \
	weir_model_first_get_(value, thread, WEIR_MODEL_SITE_("first_get", ""))
#define weir_first_count(bits) ((uint32_t)__builtin_popcount(bits))
#define weir_first_rank(bits, thread) weir_first_count((bits) & ((1u << (thread)) - 1))
#define weir_first_word(own, place) weir_model_first_word_(own, place)
#define weir_first_word_put(own, place, value) weir_model_first_word_put_(own, place, value)
#define weir_first_sync() weir_model_first_sync_(WEIR_MODEL_SITE_("first_sync", ""))

#define weir_pause(units) ((void)(units)) /* time is not modelled: any delay is possible anyway */
#define weir_pause_sixteenths(sixteenths) ((void)(sixteenths))
#define weir_hide_value(x) (x)
#define weir_plain_put_(place, value) weir_model_plain_put_(place, value)
#define weir_plain_get_(place) weir_model_plain_get_(place)
#define weir_block_id() weir_model_block_id_()
#define weir_block_count() weir_model_block_count_()
#define weir_thread_id() weir_model_thread_id_()
#define weir_thread_count() weir_model_thread_count_()

/* Clusters consist of consecutive blocks; the last cluster may be smaller. */
#define weir_cluster_size() weir_model_cluster_size_()
#define weir_cluster_id() (weir_block_id() / weir_cluster_size())
#define weir_cluster_rank() (weir_block_id() % weir_cluster_size())

#ifdef WEIR_DIAGNOSE
#include "model/notes.h"

/* Each thread keeps the address of the area, as on the host. A thread cannot end early, as in
 * OpenCL. */
#define WEIR_HAS_THREAD_END 0
#define WEIR_COUNTS_THREADS 1
#define weir_thread_end_() ((void)0)
#define weir_area_now_() weir_model_area_now_()
#define weir_area_set_(address) weir_model_area_set_(address)
#define weir_area_leave_() weir_model_area_set_(0)

/* A wait that has noted its target polls after every attempt. */
#define weir_wait_wants_(wait, id, index, range, target)                                           \
	((void)((wait)->want[0] = (id), (wait)->want[1] = (index), (wait)->want[2] = (range),      \
	        (wait)->want[3] = (target)))
#undef weir_wait_again
#define weir_wait_again(wait)                                                                      \
	((wait)->want[0] != 0 ? weir_wait_want_(weir_want_((wait)->want[0], (wait)->want[1],       \
	                                                   (wait)->want[2], (wait)->want[3]))      \
	                      : (void)0,                                                           \
	 weir_model_wait_again_(wait, WEIR_MODEL_SITE_("wait_again", "")))

/* The accesses of weir/machine/area_notes.h, with their places in the code. */
#define WEIR_HAS_NOTE_ACCESSES 1
#define weir_note_get_(notes, index)                                                               \
	weir_model_load_(&(notes)[index], WEIR_MODEL_RLX, WEIR_MODEL_DEVICE,                       \
	                 WEIR_MODEL_SITE_("note_get", #index))
#define WEIR_MODEL_NOTE_(notes, index, value, name)                                                \
	weir_model_store_(&(notes)[index], value, WEIR_MODEL_RLX, WEIR_MODEL_DEVICE,               \
	                  WEIR_MODEL_SITE_(name, #index))
#define weir_note_keep_(notes, index, value) WEIR_MODEL_NOTE_(notes, index, value, "note_keep")
#define weir_note_put_(notes, index, value) WEIR_MODEL_NOTE_(notes, index, value, "note_put")
#define weir_note_keep_pair_(notes, index, value)                                                  \
	do {                                                                                       \
		WEIR_MODEL_NOTE_(notes, (index) + 1, (uint32_t)((value) >> 32), "note_high");      \
		WEIR_MODEL_NOTE_(notes, index, (uint32_t)(value), "note_low");                     \
	} while (0)
#define weir_note_add_(notes, index, addend)                                                       \
	WEIR_MODEL_NOTE_(notes, index, weir_note_get_(notes, index) + (addend), "note_add")
#define weir_note_swap_(notes, index, from, to)                                                    \
	weir_model_cas_(&(notes)[index], from, to, WEIR_MODEL_RLX,                                 \
	                WEIR_MODEL_SITE_("note_swap", #index))
#define weir_claim_begin_() weir_model_claim_begin_()
#define weir_claim_again_() weir_model_claim_again_(WEIR_MODEL_SITE_("claim_again", ""))
#endif

#endif
