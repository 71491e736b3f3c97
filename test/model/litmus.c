/* The explorer against litmus tests: for each, the outcomes that it finds must be exactly those that
 * the predicate beside it allows. herdtools is not packaged for every system on which this runs, so
 * each predicate states its reason.
 *
 * With a fault built into the explorer the same tests must fail: the program takes "none",
 * "acquire", "append", "rmw", "wakes" or "meets", and with a fault succeeds only if some test fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/engine.h"
#include "model/program.h"
#include "weir/device.h"

#define X (&weir_model_memory()[0])
#define Y (&weir_model_memory()[1])
#define Z (&weir_model_memory()[2])
#define WIDE ((weir_word64 *)(void *)&weir_model_memory()[4])
#define HIGH_ONE 0x100000000ull
#define SPACE 4096

/* A program: the operations of each thread in order, as a string or as a function. "0: store_rlx X 1,
 * store_rel Y 1; 1: r0=load_acq Y" has two threads; every thread runs what follows "all:". */
typedef struct litmus {
	const char *name;
	uint32_t blocks;
	uint32_t threads;
	const char *text;
	void (*body)(void);
	int (*allowed)(const uint32_t *r); /* NULL: only the verdict counts */
	uint32_t results;                  /* the number of results, each below `values` */
	uint32_t values;
	int with_finals; /* the last two results are the final values of X and Y */
	weir_model_verdict verdict;
	weir_model_polls polls;
	uint32_t first; /* threads that divide work; 0 means 1 */
} litmus;

static void keep(uint32_t index, uint32_t value)
{
	weir_model_result(index, value);
}

/* The operations of program strings, on the word w with the values v and v2. */
#define OPERATIONS(X)                                                                              \
	X(load_rlx, value = weir_load_rlx(w))                                                      \
	X(load_acq, value = weir_load_acq(w))                                                      \
	X(load_plain, value = WEIR_MODEL_LOAD_(w, "plain", RLX, PLAIN))                            \
	X(store_rlx, weir_store_rlx(w, v))                                                         \
	X(store_rel, weir_store_rel(w, v))                                                         \
	X(store_rel_block, weir_model_store_(w, v, WEIR_MODEL_REL, WEIR_MODEL_BLOCK,               \
	                                     WEIR_MODEL_SITE_("store_rel", "X")))                  \
	X(add_rlx, value = weir_add_rlx(w, v))                                                     \
	X(add_rel, value = weir_add_rel(w, v))                                                     \
	X(red_add_rlx, weir_red_add_rlx(w, v))                                                     \
	X(red_add_rel, weir_red_add_rel(w, v))                                                     \
	X(red_add_each_rel, weir_red_add_each_rel(w, 1, 1, 1))                                     \
	X(cas_rlx, value = weir_cas_rlx(w, v, v2))                                                 \
	X(await_eq_acq, weir_await_eq_acq(w, v, weir_no_backoff()))                                \
	X(await_ge_acq, weir_await_ge_acq(w, v, weir_no_backoff()))                                \
	X(acquire_each, weir_acquire_each(w, 0, 0))                                                \
	X(poll, value = weir_poll(w))                                                              \
	X(poll_acquire, weir_poll_acquire())                                                       \
	X(fence_acq_rel, weir_fence_acq_rel())                                                     \
	X(block_sync, weir_block_sync())                                                           \
	X(block_sync_rel, weir_block_sync_rel())                                                   \
	X(first_sync, weir_first_sync())                                                           \
	X(warp_sync, weir_team_sync(weir_team_warp()))                                             \
	X(write_data, weir_model_data_write(0))                                                    \
	X(read_data, weir_model_data_read(0))

enum operation {
#define ROW(name, call) OPERATION_##name,
	OPERATIONS(ROW)
#undef ROW
	OPERATION_COUNT
};

static const char *const operation_names[] = {
#define ROW(name, call) #name,
    OPERATIONS(ROW)
#undef ROW
};

static uint32_t perform(enum operation operation, weir_word *w, uint32_t v, uint32_t v2)
{
	uint32_t value = 0;

	switch (operation) {
#define ROW(name, call)                                                                            \
	case OPERATION_##name:                                                                     \
		call;                                                                              \
		break;
		OPERATIONS(ROW)
#undef ROW
	default:
		break;
	}
	return value;
}

#define MOST_STEPS 16
#define ALL UINT32_MAX
#define NOT_KEPT UINT32_MAX

typedef struct step {
	uint32_t thread; /* of all blocks, or ALL */
	uint32_t result; /* where its value goes, or NOT_KEPT */
	enum operation operation;
	uint32_t word, v, v2;
} step;

static enum operation find_operation(const char *name)
{
	for (int i = 0; i < OPERATION_COUNT; i++)
		if (strcmp(name, operation_names[i]) == 0)
			return (enum operation)i;
	printf("no operation is called '%s'\n", name);
	exit(2);
}

static uint32_t parse(const char *text, step *steps)
{
	uint32_t count = 0, thread = ALL;

	while (*text) {
		step *s = &steps[count++];
		char name[24] = "", word[2] = "X";
		int used = 0;

		if (count > MOST_STEPS) {
			printf("more than %d steps\n", MOST_STEPS);
			exit(2);
		}
		*s = (step){.result = NOT_KEPT};
		if (strncmp(text, "all: ", 5) == 0) {
			thread = ALL;
			text += 5;
		}
		if (sscanf(text, "%u: %n", &thread, &used) == 1)
			text += used;
		if (sscanf(text, "r%u=%n", &s->result, &used) == 1)
			text += used;
		used = 0;
		sscanf(text, "%23[a-z_]%n %1[XYZ]%n %u%n %u%n", name, &used, word, &used, &s->v,
		       &used, &s->v2, &used);
		text += used;
		text += strspn(text, ",; ");
		s->thread = thread;
		s->operation = find_operation(name);
		s->word = (uint32_t)(word[0] - 'X');
	}
	return count;
}

static void run_steps(const step *steps, uint32_t count)
{
	uint32_t thread = weir_block_id() * weir_thread_count() + weir_thread_id();

	for (const step *s = steps; s < steps + count; s++) {
		if (s->thread != ALL && s->thread != thread)
			continue;
		uint32_t value = perform(s->operation, &weir_model_memory()[s->word], s->v, s->v2);
		if (s->result != NOT_KEPT)
			keep(s->result, value);
	}
}

#define THREAD(n) if (weir_block_id() * weir_thread_count() + weir_thread_id() == (n))

/* Each wait asks for an abort. */
static void go_on(weir_wait *wait)
{
	if (!weir_wait_aborted(wait))
		weir_wait_again(wait);
}

static int anything(const uint32_t *r)
{
	(void)r;
	return 1;
}

/* X = 1 happens before an acquire that reads the flag's 1. */
static int mp_allowed(const uint32_t *r)
{
	return !(r[0] == 1 && r[1] == 0);
}

/* 1 1 is load buffering, which PTX allows and which, as documented, the explorer cannot see. */
static int lb_found(const uint32_t *r)
{
	return !(r[0] == 1 && r[1] == 1);
}

/* Two reads of a thread do not go back: after 1 or 2 never the initial 0. */
static int corr_allowed(const uint32_t *r)
{
	return r[0] == 0 || r[1] != 0;
}

/* And two threads agree on the order of 1 and 2. */
static int corr_two_allowed(const uint32_t *r)
{
	int first = r[0] && r[1] && r[0] != r[1];
	int second = r[2] && r[3] && r[2] != r[3];

	return corr_allowed(r) && corr_allowed(r + 2) && !(first && second && r[0] != r[2]);
}

/* r0 = 2 means that 2 was written after 1, so it is the final value. */
static int cowr_allowed(const uint32_t *r)
{
	return r[0] != 0 && r[1] != 0 && r[2] == 0 && (r[0] == 1 || r[1] == 2);
}

/* Each word ends with either of its two values: nothing ties the orders of two words together. */
static int two_plus_two_allowed(const uint32_t *r)
{
	return r[0] != 0 && r[1] != 0;
}

/* A thread that acquires from thread 1 may not read an older X than thread 1 has read. */
static int wrc_allowed(const uint32_t *r)
{
	return !(r[0] == 1 && r[1] == 1 && r[2] == 0);
}

/* After the acquire, thread 1's write follows thread 0's. Y ends as 1. */
static int s_allowed(const uint32_t *r)
{
	return r[0] < 2 && r[1] != 0 && r[2] == 1 && !(r[0] == 1 && r[1] == 2);
}

/* Either the add reads 0, and the 1 follows its 2; or it reads 1, and its 3 continues the
 * release. */
static int release_sequence_allowed(const uint32_t *r)
{
	if (r[2] > 1 || r[0] > 1)
		return 0;
	if (r[0] == 0)
		return r[1] == 0 || r[1] == 2 || (r[1] == 1 && r[2] == 1);
	return r[1] == 0 || ((r[1] == 1 || r[1] == 3) && r[2] == 1);
}

/* A reduction continues a release before it, as any read-modify-write does: 3 is 1 + 2. */
static int release_sequence_red_allowed(const uint32_t *r)
{
	return r[1] == 1 || (r[1] == 0 && (r[0] == 0 || r[0] == 2));
}

/* Both halves change at once: a 1 in the lower half comes from the release, with its upper half. */
static int wide_sequence_allowed(const uint32_t *r)
{
	if (r[1] == 1)
		return (r[0] == 1 || r[0] == 2) && r[2] == 1;
	return r[1] == 0 && r[0] < 2 && r[2] < 2;
}

static int wide_cas_allowed(const uint32_t *r)
{
	return r[0] == 0 && (r[1] == 0 ? r[2] < 2 : r[1] == 1 && r[2] < 3);
}

/* A store of another thread is not part of a release sequence. */
static int broken_sequence_allowed(const uint32_t *r)
{
	return r[1] <= 1 && !(r[0] == 1 && r[1] == 0);
}

static int rmw_atomic_allowed(const uint32_t *r)
{
	return r[0] + r[1] == 1 && r[2] == 2 && r[3] == 0;
}

/* The 1 does not fall between the 0 that the add read and its 2: it is first or last. */
static int rmw_store_allowed(const uint32_t *r)
{
	return r[2] == 0 && ((r[0] == 0 && r[1] == 1) || (r[0] == 1 && r[1] == 3));
}

/* One wins, and the other reads the winner's value. */
static int cas_allowed(const uint32_t *r)
{
	return r[3] == 0 &&
	       ((r[0] == 0 && r[1] == 1 && r[2] == 1) || (r[0] == 2 && r[1] == 0 && r[2] == 2));
}

static int one(const uint32_t *r)
{
	return r[0] == 1;
}

static void wide_sequence(void)
{
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
		weir_add64_rel(WIDE, HIGH_ONE + 1);
	}
	THREAD(1)
	weir_red_add64_rlx(WIDE, HIGH_ONE);
	THREAD(2)
	{
		uint64_t found = weir_load64_acq(WIDE);
		keep(0, (uint32_t)(found >> 32));
		keep(1, (uint32_t)found);
		keep(2, weir_load_rlx(Y));
	}
}

static void wide_cas(void)
{
	THREAD(0)
	keep(0, (uint32_t)weir_cas64_rlx(WIDE, 0, HIGH_ONE + 1));
	THREAD(1)
	keep(1, (uint32_t)weir_cas64_rlx(WIDE, HIGH_ONE + 1, 2));
	THREAD(2)
	{
		weir_cas64_rlx(WIDE, 1, 3); /* never succeeds: the upper half is compared as well */
		keep(2, (uint32_t)weir_load64_rlx(WIDE));
	}
}

static void wide_await(void)
{
	THREAD(0)
	{
		weir_model_data_write(0);
		weir_store64_rel(WIDE, 2 * HIGH_ONE);
	}
	THREAD(1)
	{
		weir_await_high_ge_acq(WIDE, 0x80000003u, 1, 1); /* 0 is past it already */
		weir_await_high_ge_acq(WIDE, 1, 1, 1);
		weir_model_data_read(0);
	}
}

static void two_widths(void)
{
	THREAD(0)
	{
		weir_store_rlx(&weir_model_memory()[5], 1);
		weir_load64_rlx(WIDE);
	}
}

static void two_widths_unordered(void)
{
	THREAD(0)
	weir_store_rlx(&weir_model_memory()[5], 1);
	THREAD(1)
	weir_load64_rlx(WIDE);
}

static void two_widths_ordered(void)
{
	THREAD(0)
	{
		weir_store_rlx(&weir_model_memory()[5], 1);
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		weir_await_eq_acq(X, 1, weir_no_backoff());
		weir_load64_rlx(WIDE);
	}
}

/* The collectives of the first threads pass values, but order nothing. */
static void first_collectives(void)
{
	THREAD(0)
	weir_store_rlx(X, 1);
	keep(0, weir_first_value(1 - weir_thread_id(), 1));
	(void)weir_first_sum(1, 1);
	(void)weir_first_pick(1, 0);
	(void)weir_first_ballot(1);
	(void)weir_first_get(1, 0);
	THREAD(1)
	keep(1, weir_load_rlx(X));
}

/* The first warp of each block uses a barrier. Thread 1 is in it, thread 2 is not. */
static void team_barrier(uint32_t writer)
{
	weir_barrier b = weir_barrier_in(weir_model_memory(), weir_block_count());

	THREAD(writer)
	weir_model_data_write(0);
	if (weir_thread_id() < WEIR_WARP_THREADS)
		weir_barrier_team_wait(b, weir_team_warp());
	THREAD(4)
	weir_model_data_read(0);
}

static void in_team_barrier(void)
{
	team_barrier(1);
}

static void beside_team_barrier(void)
{
	team_barrier(2);
}

static void beside_team_mutex(void)
{
	weir_mutex m = weir_mutex_in(X);

	THREAD(2)
	weir_model_data_write(0);
	if (weir_thread_id() >= WEIR_WARP_THREADS)
		return;
	weir_mutex_team_lock(m, weir_team_warp());
	THREAD(4)
	weir_model_data_read(0);
	weir_mutex_team_unlock(m, weir_team_warp());
}

static void team_at_another_barrier(void)
{
	weir_barrier b = weir_barrier_in(weir_model_memory(), weir_block_count());

	b.config.kind = WEIR_BARRIER_ATOMIC;
	weir_barrier_team_wait(b, weir_team_warp());
}

static void team_of_no_name(void)
{
	weir_team_sync(weir_team_named(16, 0, 2));
}

static void team_of_half_a_warp(void)
{
	weir_team_sync(weir_team_named(1, 0, 1));
}

static void loop_flag(void)
{
	weir_wait wait;

	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while (weir_load_acq(Y) != 1)
			go_on(&wait);
		keep(0, weir_load_rlx(X));
	}
}

/* Takes the value out of X and puts it back until it is 1; 5 means that it is out. */
static void loop_exchange(void)
{
	weir_wait wait;
	uint32_t value;

	THREAD(0)
	{
		weir_store_rlx(Y, 1);
		value = weir_await_xchg_ne_acq(X, 5, 5, weir_no_backoff());
		weir_store_rel(X, value + 1);
	}
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while ((value = weir_xchg_acq(X, 5)) != 1) {
			if (value != 5)
				weir_store_rel(X, value);
			go_on(&wait);
		}
		keep(0, weir_load_rlx(Y));
	}
}

/* The same, but the add may happen while the value is out, and is then overwritten. */
static void loop_loses_add(void)
{
	weir_wait wait;
	uint32_t value;

	THREAD(0)
	weir_add_rel(X, 1);
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while ((value = weir_xchg_acq(X, 5)) != 1) {
			weir_store_rel(X, value);
			go_on(&wait);
		}
	}
}

static void loop_for_ever(void)
{
	weir_wait wait;
	uint32_t value;

	THREAD(0)
	weir_store_rlx(Y, 1);
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while ((value = weir_xchg_acq(X, 5)) != 1) {
			weir_store_rel(X, value);
			go_on(&wait);
		}
	}
}

static void loop_changes(void)
{
	weir_wait wait;

	THREAD(0)
	weir_store_rlx(X, 1);
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while (weir_xchg_acq(X, 5) != 1)
			go_on(&wait);
	}
}

/* A reduction returns nothing, so nothing that it read can be acquired. */
static void red_no_acquire(void)
{
	THREAD(0)
	{
		weir_model_data_write(0);
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		weir_red_add_rel(X, 1);
		if (weir_load_rlx(X) == 2)
			weir_model_data_read(0);
	}
}

/* An operation on a handle whose kind does not exist is an error, not nothing. */
static void wrong_mutex(void)
{
	weir_mutex_lock(weir_mutex_make(X, (weir_mutex_config){.kind = 17, .pitch = 1}));
}

static void wrong_semaphore(void)
{
	weir_semaphore_post(
	    weir_semaphore_make(X, (weir_semaphore_config){.kind = 17, .pitch = 1, .maximum = 1}));
}

static void wrong_barrier(void)
{
	weir_barrier_wait(
	    weir_barrier_make(X, (weir_barrier_config){.kind = 17, .pitch = 1, .blocks = 1}));
}

static const litmus tests[] = {
    {"MP rlx", 2, 1, "0: store_rlx X 1, store_rlx Y 1; 1: r0=load_rlx Y, r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    {"MP rel acq", 2, 1, "0: store_rlx X 1, store_rel Y 1; 1: r0=load_acq Y, r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    {"MP rel rlx", 2, 1, "0: store_rlx X 1, store_rel Y 1; 1: r0=load_rlx Y, r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    {"MP fences", 2, 1,
     "0: store_rlx X 1, fence_acq_rel, store_rlx Y 1; 1: r0=load_rlx Y, fence_acq_rel, r1=load_rlx "
     "X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    {"MP one fence", 2, 1,
     "0: store_rlx X 1, fence_acq_rel, store_rlx Y 1; 1: r0=load_rlx Y, r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    /* Release and acquire do not order a store before a later load of another word. */
    {"SB", 2, 1, "0: store_rel X 1, r0=load_acq Y; 1: store_rel Y 1, r1=load_acq X",
     .allowed = anything, .results = 2, .values = 2},
    {"SB fences", 2, 1,
     "0: store_rlx X 1, fence_acq_rel, r0=load_rlx Y; 1: store_rlx Y 1, fence_acq_rel, r1=load_rlx "
     "X",
     .allowed = anything, .results = 2, .values = 2},
    /* A read-modify-write reads the message right before it in modification order, which need not be
     * the latest write in time. */
    {"SB read-modify-writes", 2, 1,
     "0: store_rlx X 1, r0=add_rlx Y 0; 1: store_rlx Y 1, r1=add_rlx X 0", .allowed = anything,
     .results = 2, .values = 2},
    {"LB", 2, 1, "0: r0=load_rlx X, store_rlx Y 1; 1: r1=load_rlx Y, store_rlx X 1",
     .allowed = lb_found, .results = 2, .values = 2},
    {"CoRR", 3, 1, "0: store_rlx X 1; 1: store_rlx X 2; 2: r0=load_rlx X, r1=load_rlx X",
     .allowed = corr_allowed, .results = 2, .values = 3},
    {"CoRR two readers", 4, 1,
     "0: store_rlx X 1; 1: store_rlx X 2; 2: r0=load_rlx X, r1=load_rlx X; 3: r2=load_rlx X, "
     "r3=load_rlx X",
     .allowed = corr_two_allowed, .results = 4, .values = 3},
    {"CoWR", 2, 1, "0: store_rlx X 1, r0=load_rlx X; 1: store_rlx X 2", .allowed = cowr_allowed,
     .results = 3, .values = 3, .with_finals = 1},
    {"IRIW", 4, 1,
     "0: store_rel X 1; 1: store_rel Y 1; 2: r0=load_acq X, r1=load_acq Y; 3: r2=load_acq Y, "
     "r3=load_acq X",
     .allowed = anything, .results = 4, .values = 2},
    {"2+2W", 2, 1, "0: store_rel X 1, store_rel Y 2; 1: store_rel Y 1, store_rel X 2",
     .allowed = two_plus_two_allowed, .results = 2, .values = 3, .with_finals = 1},
    {"WRC", 3, 1,
     "0: store_rlx X 1; 1: r0=load_acq X, store_rel Y 1; 2: r1=load_acq Y, r2=load_rlx X",
     .allowed = wrc_allowed, .results = 3, .values = 2},
    {"ISA2", 3, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=load_acq Y, store_rel Z 1; 2: r1=load_acq Z, "
     "r2=load_rlx X",
     .allowed = wrc_allowed, .results = 3, .values = 2},
    {"S", 2, 1, "0: store_rlx X 2, store_rel Y 1; 1: r0=load_acq Y, store_rlx X 1",
     .allowed = s_allowed, .results = 3, .values = 3, .with_finals = 1},
    {"release sequence", 3, 1,
     "0: store_rlx Y 1, store_rel X 1; 1: r0=add_rlx X 2; 2: r1=load_acq X, r2=load_rlx Y",
     .allowed = release_sequence_allowed, .results = 3, .values = 4},
    {"release sequence, red", 3, 1,
     "0: store_rlx Y 1, store_rel X 1; 1: red_add_rlx X 2; 2: r0=load_acq X, r1=load_rlx Y",
     .allowed = release_sequence_red_allowed, .results = 2, .values = 4},
    {"wide release sequence", 3, 1, .body = wide_sequence, .allowed = wide_sequence_allowed,
     .results = 3, .values = 3},
    {"wide CAS", 3, 1, .body = wide_cas, .allowed = wide_cas_allowed, .results = 3, .values = 3},
    {"mutex of no kind", 1, 1, .body = wrong_mutex, .verdict = WEIR_MODEL_CHECK},
    {"semaphore of no kind", 1, 1, .body = wrong_semaphore, .verdict = WEIR_MODEL_CHECK},
    {"barrier of no kind", 1, 1, .body = wrong_barrier, .verdict = WEIR_MODEL_CHECK},
    {"wide await", 2, 1, .body = wide_await, .verdict = WEIR_MODEL_PASS},
    {"two widths", 1, 1, .body = two_widths, .verdict = WEIR_MODEL_LIMIT},
    {"two widths, unordered", 2, 1, .body = two_widths_unordered, .verdict = WEIR_MODEL_RACE},
    {"two widths, ordered", 2, 1, .body = two_widths_ordered, .verdict = WEIR_MODEL_LIMIT},
    {"broken release sequence", 3, 1,
     "0: store_rlx Y 1, store_rel X 1; 1: store_rlx X 2; 2: r0=load_acq X, r1=load_rlx Y",
     .allowed = broken_sequence_allowed, .results = 2, .values = 3},
    {"RMW atomic", 2, 1, "0: r0=add_rlx X 1; 1: r1=add_rlx X 1", .allowed = rmw_atomic_allowed,
     .results = 4, .values = 3, .with_finals = 1},
    {"RMW and store", 2, 1, "0: r0=add_rlx X 2; 1: store_rlx X 1", .allowed = rmw_store_allowed,
     .results = 3, .values = 4, .with_finals = 1},
    {"CAS", 2, 1, "0: r0=cas_rlx X 0 1; 1: r1=cas_rlx X 0 2", .allowed = cas_allowed, .results = 4,
     .values = 3, .with_finals = 1},
    /* A poll with its acquire. */
    {"poll", 2, 1, "0: store_rlx X 1, store_rel Y 1; 1: r0=poll Y, poll_acquire, r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    {"poll, with a fence", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=poll Y, poll_acquire, r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2, .polls = WEIR_MODEL_POLLS_FENCE},
    {"poll that acquires", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=poll Y, poll_acquire, r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2, .polls = WEIR_MODEL_POLLS_ACQUIRE},
    /* A poll without a fence after it: only machines whose polls acquire order it. */
    {"bare poll", 2, 1, "0: store_rlx X 1, store_rel Y 1; 1: r0=poll Y, r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    {"bare poll, with a fence", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=poll Y, r1=load_rlx X", .allowed = anything,
     .results = 2, .values = 2, .polls = WEIR_MODEL_POLLS_FENCE},
    {"bare poll that acquires", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=poll Y, r1=load_rlx X", .allowed = mp_allowed,
     .results = 2, .values = 2, .polls = WEIR_MODEL_POLLS_ACQUIRE},
    /* A relaxed load, and the acquire of a poll of another word: only a fence orders it. */
    {"load and poll", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=load_rlx Y, poll Z, poll_acquire, r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    {"load and poll with a fence", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=load_rlx Y, poll Z, poll_acquire, r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2, .polls = WEIR_MODEL_POLLS_FENCE},
    {"load and poll that acquires", 2, 1,
     "0: store_rlx X 1, store_rel Y 1; 1: r0=load_rlx Y, poll Z, poll_acquire, r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2, .polls = WEIR_MODEL_POLLS_ACQUIRE},
    /* weir_acquire_each acquires only from the words that it names. */
    {"acquire each", 2, 1,
     "0: store_rlx X 1, red_add_rel Y 1; 1: r0=load_rlx Y, acquire_each Y, r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    {"acquire each of others", 2, 1,
     "0: store_rlx X 1, red_add_rel Y 1; 1: r0=load_rlx Y, load_rlx Z, acquire_each Z, r1=load_rlx "
     "X",
     .allowed = anything, .results = 2, .values = 2},
    /* The last read of Y may read from a store that releases nothing. */
    {"acquire each, overwritten", 3, 1,
     "0: add_rel Y 1; 1: load_rlx Y, acquire_each Y; 2: store_rlx Y 7",
     .verdict = WEIR_MODEL_CHECK},
    /* weir_red_add_each_rel releases everything before all of its adds. */
    {"reductions of each", 2, 1,
     "0: store_rlx X 1, red_add_each_rel Y; 1: r0=load_acq Z, r1=load_rlx X", .allowed = mp_allowed,
     .results = 2, .values = 2},
    {"among reductions of each", 2, 1, "0: red_add_each_rel Y; 1: r0=load_acq Z, r1=load_rlx Y",
     .allowed = anything, .results = 2, .values = 2},
    {"first collectives", 1, 2, .body = first_collectives, .allowed = one, .results = 2,
     .values = 2, .first = 2},
    {"first sync", 1, 2, "0: store_rlx X 1; all: first_sync; 1: r0=load_rlx X", .allowed = one,
     .results = 1, .values = 2, .first = 2},
    /* Only the first threads know of the others after this sync. */
    {"sync for a release", 1, 2,
     "0: store_rlx X 1; 1: store_rlx Y 1; all: block_sync_rel; 0: r0=load_rlx Y; 1: r1=load_rlx X; "
     "all: block_sync",
     .allowed = one, .results = 2, .values = 2},
    {"block sync", 2, 2,
     "1: store_rlx X 1; 2: r0=load_acq Y; all: block_sync; 0: store_rel Y 1; 3: r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    /* As on AMD GPUs, a release is a fence and a relaxed store, and a wait ends with a fence. The
     * leaders are 0 and 2. */
    {"block sync, fences", 2, 2,
     "1: store_rlx X 1; 2: r0=poll Y, poll_acquire; all: block_sync; 0: fence_acq_rel, store_rlx Y "
     "1; 3: r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    /* The leader's fence precedes the sync, so it covers none of the other threads' writes. */
    {"block sync, early fence", 2, 2,
     "1: store_rlx X 1; 2: r0=load_rlx Y, poll_acquire; 0: fence_acq_rel; all: block_sync; 0: "
     "store_rlx Y 1; 3: r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    {"no block sync", 2, 2,
     "1: store_rlx X 1; 2: r0=load_acq Y; 0: store_rel Y 1; 3: r1=load_rlx X", .allowed = anything,
     .results = 2, .values = 2},
    /* The threads 0 and 1, and 3 and 4, are warps. */
    {"team sync", 2, 3,
     "1: store_rlx X 1; 3: r0=load_acq Y; all: warp_sync; 0: store_rel Y 1; 4: r1=load_rlx X",
     .allowed = mp_allowed, .results = 2, .values = 2},
    /* Thread 2 is in another warp of the block, which no release covers. */
    {"beside a team sync", 2, 3,
     "2: store_rlx X 1; 3: r0=load_acq Y; all: warp_sync; 0: store_rel Y 1; 4: r1=load_rlx X",
     .allowed = anything, .results = 2, .values = 2},
    {"in a team at a barrier", 2, 3, .body = in_team_barrier, .verdict = WEIR_MODEL_PASS},
    {"beside a team at a barrier", 2, 3, .body = beside_team_barrier, .verdict = WEIR_MODEL_RACE},
    {"beside a team with a mutex", 2, 3, .body = beside_team_mutex, .verdict = WEIR_MODEL_RACE},
    {"team, barrier of another kind", 1, 2, .body = team_at_another_barrier,
     .verdict = WEIR_MODEL_CHECK},
    {"team of no name", 1, 2, .body = team_of_no_name, .verdict = WEIR_MODEL_CHECK},
    {"team of half a warp", 1, 2, .body = team_of_half_a_warp, .verdict = WEIR_MODEL_CHECK},
    {"await", 2, 1, "0: store_rlx X 1, store_rel Y 1; 1: await_eq_acq Y 1, r0=load_rlx X",
     .allowed = one, .results = 1, .values = 2},
    {"loop", 2, 1, .body = loop_flag, .allowed = one, .results = 1, .values = 2},
    {"loop of exchanges", 2, 1, .body = loop_exchange, .allowed = one, .results = 1, .values = 2},
    {"loop that loses an add", 2, 1, .body = loop_loses_add, .verdict = WEIR_MODEL_DEADLOCK},
    {"loop for ever", 2, 1, .body = loop_for_ever, .verdict = WEIR_MODEL_DEADLOCK},
    {"loop that changes", 2, 1, .body = loop_changes, .verdict = WEIR_MODEL_CHECK},
    {"await never", 2, 1, "0: store_rlx X 1; 1: await_eq_acq X 3", .verdict = WEIR_MODEL_DEADLOCK},
    {"await passing", 2, 1, "0: store_rlx X 1, store_rlx X 2; 1: await_eq_acq X 1",
     .verdict = WEIR_MODEL_LOST_WAKE},
    {"await wrapped", 2, 1, "0: store_rlx X 1, store_rlx X 2; 1: await_ge_acq X 4294967295",
     .verdict = WEIR_MODEL_PASS},
    {"missed sync", 1, 2, "0: block_sync", .verdict = WEIR_MODEL_DEADLOCK},
    {"data ordered", 2, 1, "0: write_data, store_rel X 1; 1: await_eq_acq X 1, write_data",
     .verdict = WEIR_MODEL_PASS},
    {"data unordered", 2, 1, "0: write_data, store_rlx X 1; 1: await_eq_acq X 1, read_data",
     .verdict = WEIR_MODEL_RACE},
    {"reduction", 2, 1, .body = red_no_acquire, .verdict = WEIR_MODEL_RACE},
    {"scope, other block", 2, 1, "0: store_rel_block X 1; 1: load_acq X",
     .verdict = WEIR_MODEL_RACE},
    {"scope, same block", 1, 2, "0: store_rel_block X 1; 1: load_acq X",
     .verdict = WEIR_MODEL_PASS},
    {"scope, ordered", 2, 1,
     "0: store_rel_block X 1, store_rel Y 1; 1: await_eq_acq Y 1, load_rlx X",
     .verdict = WEIR_MODEL_PASS},
    {"plain and atomic", 1, 2, "0: store_rlx X 1; 1: load_plain X", .verdict = WEIR_MODEL_RACE},
};

typedef struct collected {
	const litmus *test;
	step steps[MOST_STEPS];
	uint32_t step_count;
	unsigned char found[SPACE];
} collected;

static void setup(void *context)
{
	(void)context;
	weir_store_rlx(X, 0);
	weir_store_rlx(Y, 0);
	for (uint32_t i = 0; i < WEIR_MODEL_OUTCOMES; i++)
		keep(i, 0);
}

static void body(void *context)
{
	const collected *c = context;

	if (c->test->text)
		run_steps(c->steps, c->step_count);
	else
		c->test->body();
}

static void complete(void *context)
{
	collected *c = context;
	uint32_t index = 0;

	if (c->test->with_finals) {
		keep(c->test->results - 2, weir_model_final(X));
		keep(c->test->results - 1, weir_model_final(Y));
	}
	for (uint32_t i = 0; i < c->test->results; i++) {
		uint32_t value = weir_model_result_of(i);
		index = index * c->test->values + (value < c->test->values ? value : 0);
	}
	c->found[index] = 1;
}

static int compare(const litmus *test, const collected *c)
{
	uint32_t r[WEIR_MODEL_OUTCOMES];
	uint32_t space = 1;
	int wrong = 0;

	for (uint32_t i = 0; i < test->results; i++)
		space *= test->values;
	for (uint32_t index = 0; index < space; index++) {
		uint32_t rest = index;
		for (uint32_t i = test->results; i-- > 0; rest /= test->values)
			r[i] = rest % test->values;
		if ((test->allowed(r) != 0) == c->found[index])
			continue;
		wrong++;
		printf("  %s:", c->found[index] ? "found, not allowed" : "allowed, not found");
		for (uint32_t i = 0; i < test->results; i++)
			printf(" %u", r[i]);
		printf("\n");
	}
	return wrong;
}

static int run(const litmus *test, weir_model_search search, unsigned broken, uint64_t *executions)
{
	collected c = {.test = test};
	weir_model_program program = {.blocks = test->blocks,
	                              .threads = test->threads,
	                              .setup = setup,
	                              .body = body,
	                              .complete = complete,
	                              .context = &c,
	                              .first = test->first,
	                              .has_fences = 1};
	weir_model_setting setting = {0};
	weir_model_outcome outcome;
	int wrong = 0;

	if (test->text)
		c.step_count = parse(test->text, c.steps);
	setting.search = search;
	setting.broken = broken;
	setting.polls = test->polls;
	if (weir_model_explore(&program, &setting, &outcome) != 0) {
		printf("%s: no memory\n", test->name);
		exit(2);
	}
	if (outcome.verdict != test->verdict) {
		printf("  verdict %d, expected %d: %s\n", outcome.verdict, test->verdict,
		       outcome.message);
		wrong++;
	}
	if (test->allowed)
		wrong += compare(test, &c);
	*executions = outcome.executions;
	weir_model_outcome_free(&outcome);
	return wrong;
}

static int run_all(unsigned broken)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		uint64_t reduced = 0;
		uint64_t sleeping = 0;
		uint64_t all = 0;
		int wrong = run(&tests[i], WEIR_MODEL_DPOR, broken, &reduced);
		wrong += run(&tests[i], WEIR_MODEL_SLEEP, broken, &sleeping);
		wrong += run(&tests[i], WEIR_MODEL_NAIVE, broken, &all);
		wrong += tests[i].allowed && reduced != sleeping;
		printf("%-26s %s  %llu executions, %llu with only sleep sets, %llu interleavings\n",
		       tests[i].name, wrong ? "FAILED" : "ok", (unsigned long long)reduced,
		       (unsigned long long)sleeping, (unsigned long long)all);
		failed += wrong != 0;
	}
	printf("%d of %zu failed\n", failed, sizeof tests / sizeof tests[0]);
	return failed;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned flag;
	} faults[] = {
	    {"acquire", WEIR_MODEL_BROKEN_ACQUIRE}, {"append", WEIR_MODEL_BROKEN_APPEND},
	    {"rmw", WEIR_MODEL_BROKEN_RMW},         {"wakes", WEIR_MODEL_BROKEN_WAKES},
	    {"meets", WEIR_MODEL_BROKEN_MEETS},
	};
	const char *fault = argc > 1 ? argv[1] : "none";

	if (strcmp(fault, "none") == 0)
		return run_all(0) != 0;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
		if (strcmp(fault, faults[i].name) == 0)
			return run_all(faults[i].flag) == 0;
	fprintf(stderr, "usage: %s [none|acquire|append|rmw|wakes|meets]\n", argv[0]);
	return 2;
}
