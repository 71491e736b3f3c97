/* The explorer against litmus tests: for each, the outcomes it finds must be exactly those that the
 * predicate beside it allows. herdtools is not packaged for every system this runs on, so each
 * predicate states its reason.
 *
 * With a fault built into the explorer the same tests must fail: the program takes "none",
 * "acquire", "append", "rmw", "wakes" or "meets", and with a fault succeeds only if some test does not.
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

typedef struct litmus {
	const char *name;
	uint32_t blocks;
	uint32_t threads;
	void (*body)(void *context);
	int (*allowed)(const uint32_t *r); /* NULL: only the verdict counts */
	uint32_t results;                  /* how many, each below `values` */
	uint32_t values;
	int with_finals; /* the last two results are the final values of X and Y */
	weir_model_verdict verdict;
	weir_model_polls polls;
	uint32_t first; /* threads that divide a work; 0: 1 */
} litmus;

static void keep(uint32_t index, uint32_t value)
{
	weir_model_result(index, value);
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

static void mp_rlx(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rlx(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		keep(1, weir_load_rlx(X));
	}
}

static void mp_rel_acq(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_acq(Y));
		keep(1, weir_load_rlx(X));
	}
}

static void mp_rel_rlx(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		keep(1, weir_load_rlx(X));
	}
}

/* X = 1 happens before an acquire that reads the flag's 1. */
static int mp_allowed(const uint32_t *r)
{
	return !(r[0] == 1 && r[1] == 0);
}

static void mp_fences(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_fence_acq_rel();
		weir_store_rlx(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		weir_fence_acq_rel();
		keep(1, weir_load_rlx(X));
	}
}

static void mp_one_fence(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_fence_acq_rel();
		weir_store_rlx(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		keep(1, weir_load_rlx(X));
	}
}

/* Release and acquire do not order a store before a later load of another word. */
static void sb(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rel(X, 1);
		keep(0, weir_load_acq(Y));
	}
	THREAD(1)
	{
		weir_store_rel(Y, 1);
		keep(1, weir_load_acq(X));
	}
}

static void sb_fences(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_fence_acq_rel();
		keep(0, weir_load_rlx(Y));
	}
	THREAD(1)
	{
		weir_store_rlx(Y, 1);
		weir_fence_acq_rel();
		keep(1, weir_load_rlx(X));
	}
}

/* A read-modify-write reads the message right before it in modification order, which need not be
 * the latest write in time. */
static void sb_rmw(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		keep(0, weir_add_rlx(Y, 0));
	}
	THREAD(1)
	{
		weir_store_rlx(Y, 1);
		keep(1, weir_add_rlx(X, 0));
	}
}

static void lb(void *c)
{
	(void)c;
	THREAD(0)
	{
		keep(0, weir_load_rlx(X));
		weir_store_rlx(Y, 1);
	}
	THREAD(1)
	{
		keep(1, weir_load_rlx(Y));
		weir_store_rlx(X, 1);
	}
}

/* 1 1 is load buffering, which PTX allows and the explorer, as it says, cannot see. */
static int lb_found(const uint32_t *r)
{
	return !(r[0] == 1 && r[1] == 1);
}

static void corr(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(1)
	{
		weir_store_rlx(X, 2);
	}
	THREAD(2)
	{
		keep(0, weir_load_rlx(X));
		keep(1, weir_load_rlx(X));
	}
}

/* Two reads of a thread do not go back: after 1 or 2 never the initial 0. */
static int corr_allowed(const uint32_t *r)
{
	return r[0] == 0 || r[1] != 0;
}

static void corr_two(void *c)
{
	(void)c;
	corr(c);
	THREAD(3)
	{
		keep(2, weir_load_rlx(X));
		keep(3, weir_load_rlx(X));
	}
}

/* And two threads agree on the order of 1 and 2. */
static int corr_two_allowed(const uint32_t *r)
{
	int first = r[0] && r[1] && r[0] != r[1];
	int second = r[2] && r[3] && r[2] != r[3];

	return corr_allowed(r) && corr_allowed(r + 2) && !(first && second && r[0] != r[2]);
}

static void cowr(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		keep(0, weir_load_rlx(X));
	}
	THREAD(1)
	{
		weir_store_rlx(X, 2);
	}
	keep(2, 0);
}

/* r0 = 2 means that 2 came after 1, and then it is the last. */
static int cowr_allowed(const uint32_t *r)
{
	return r[0] != 0 && r[1] != 0 && r[2] == 0 && (r[0] == 1 || r[1] == 2);
}

static void iriw(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		weir_store_rel(Y, 1);
	}
	THREAD(2)
	{
		keep(0, weir_load_acq(X));
		keep(1, weir_load_acq(Y));
	}
	THREAD(3)
	{
		keep(2, weir_load_acq(Y));
		keep(3, weir_load_acq(X));
	}
}

static void two_plus_two(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rel(X, 1);
		weir_store_rel(Y, 2);
	}
	THREAD(1)
	{
		weir_store_rel(Y, 1);
		weir_store_rel(X, 2);
	}
}

/* Each word ends with either of its two values: nothing ties the orders of two words together. */
static int two_plus_two_allowed(const uint32_t *r)
{
	return r[0] != 0 && r[1] != 0;
}

static void wrc(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_acq(X));
		weir_store_rel(Y, 1);
	}
	THREAD(2)
	{
		keep(1, weir_load_acq(Y));
		keep(2, weir_load_rlx(X));
	}
}

/* A thread that acquires from thread 1 may not read an older X than thread 1 has read. */
static int wrc_allowed(const uint32_t *r)
{
	return !(r[0] == 1 && r[1] == 1 && r[2] == 0);
}

static void isa2(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_acq(Y));
		weir_store_rel(Z, 1);
	}
	THREAD(2)
	{
		keep(1, weir_load_acq(Z));
		keep(2, weir_load_rlx(X));
	}
}

static void s_test(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 2);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_acq(Y));
		weir_store_rlx(X, 1);
	}
}

/* After the acquire thread 1's write comes after thread 0's. Y is 1 in the end. */
static int s_allowed(const uint32_t *r)
{
	return r[0] < 2 && r[1] != 0 && r[2] == 1 && !(r[0] == 1 && r[1] == 2);
}

static void release_sequence(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		keep(0, weir_add_rlx(X, 2));
	}
	THREAD(2)
	{
		keep(1, weir_load_acq(X));
		keep(2, weir_load_rlx(Y));
	}
}

/* The add reads 0, and 1 then comes after its 2; or it reads 1, and its 3 continues the release. */
static int release_sequence_allowed(const uint32_t *r)
{
	if (r[2] > 1 || r[0] > 1)
		return 0;
	if (r[0] == 0)
		return r[1] == 0 || r[1] == 2 || (r[1] == 1 && r[2] == 1);
	return r[1] == 0 || ((r[1] == 1 || r[1] == 3) && r[2] == 1);
}

static void release_sequence_red(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		weir_red_add_rlx(X, 2);
	}
	THREAD(2)
	{
		keep(0, weir_load_acq(X));
		keep(1, weir_load_rlx(Y));
	}
}

/* A reduction continues a release before it, as any read-modify-write does: 3 is 1 + 2. */
static int release_sequence_red_allowed(const uint32_t *r)
{
	return r[1] == 1 || (r[1] == 0 && (r[0] == 0 || r[0] == 2));
}

static void wide_sequence(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
		weir_add64_rel(WIDE, HIGH_ONE + 1);
	}
	THREAD(1)
	{
		weir_red_add64_rlx(WIDE, HIGH_ONE);
	}
	THREAD(2)
	{
		uint64_t found = weir_load64_acq(WIDE);
		keep(0, (uint32_t)(found >> 32));
		keep(1, (uint32_t)found);
		keep(2, weir_load_rlx(Y));
	}
}

/* Both halves change at once: a 1 in the lower half comes from the release, with its upper half. */
static int wide_sequence_allowed(const uint32_t *r)
{
	if (r[1] == 1)
		return (r[0] == 1 || r[0] == 2) && r[2] == 1;
	return r[1] == 0 && r[0] < 2 && r[2] < 2;
}

static void wide_cas(void *c)
{
	(void)c;
	THREAD(0)
	{
		keep(0, (uint32_t)weir_cas64_rlx(WIDE, 0, HIGH_ONE + 1));
	}
	THREAD(1)
	{
		keep(1, (uint32_t)weir_cas64_rlx(WIDE, HIGH_ONE + 1, 2));
	}
	THREAD(2)
	{
		weir_cas64_rlx(WIDE, 1, 3); /* never: the upper half is compared, too */
		keep(2, (uint32_t)weir_load64_rlx(WIDE));
	}
}

static int wide_cas_allowed(const uint32_t *r)
{
	return r[0] == 0 && (r[1] == 0 ? r[2] < 2 : r[1] == 1 && r[2] < 3);
}

static void wide_await(void *c)
{
	(void)c;
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

static void two_widths(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(&weir_model_memory()[5], 1);
		weir_load64_rlx(WIDE);
	}
}

static void two_widths_unordered(void *c)
{
	(void)c;
	THREAD(0)
	weir_store_rlx(&weir_model_memory()[5], 1);
	THREAD(1)
	weir_load64_rlx(WIDE);
}

static void two_widths_ordered(void *c)
{
	(void)c;
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

static void broken_sequence(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		weir_store_rlx(X, 2);
	}
	THREAD(2)
	{
		keep(0, weir_load_acq(X));
		keep(1, weir_load_rlx(Y));
	}
}

/* A store of another thread is no part of a release sequence. */
static int broken_sequence_allowed(const uint32_t *r)
{
	return r[1] <= 1 && !(r[0] == 1 && r[1] == 0);
}

static void rmw_atomic(void *c)
{
	(void)c;
	THREAD(0)
	{
		keep(0, weir_add_rlx(X, 1));
	}
	THREAD(1)
	{
		keep(1, weir_add_rlx(X, 1));
	}
	keep(3, 0);
}

static int rmw_atomic_allowed(const uint32_t *r)
{
	return r[0] + r[1] == 1 && r[2] == 2 && r[3] == 0;
}

static void rmw_store(void *c)
{
	(void)c;
	THREAD(0)
	{
		keep(0, weir_add_rlx(X, 2));
	}
	THREAD(1)
	{
		weir_store_rlx(X, 1);
	}
	keep(2, 0);
}

/* 1 does not come between the 0 that the add read and its 2: it is first, or last. */
static int rmw_store_allowed(const uint32_t *r)
{
	return r[2] == 0 && ((r[0] == 0 && r[1] == 1) || (r[0] == 1 && r[1] == 3));
}

static void cas(void *c)
{
	(void)c;
	THREAD(0)
	{
		keep(0, weir_cas_rlx(X, 0, 1));
	}
	THREAD(1)
	{
		keep(1, weir_cas_rlx(X, 0, 2));
	}
	keep(3, 0);
}

/* One wins, and the other one reads the winner's value. */
static int cas_allowed(const uint32_t *r)
{
	return r[3] == 0 &&
	       ((r[0] == 0 && r[1] == 1 && r[2] == 1) || (r[0] == 2 && r[1] == 0 && r[2] == 2));
}

/* A poll with its acquire. */
static void mp_poll(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_poll(Y));
		weir_poll_acquire();
		keep(1, weir_load_rlx(X));
	}
}

/* A poll that nothing follows: only machines whose polls acquire order it. */
static void mp_bare_poll(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_poll(Y));
		keep(1, weir_load_rlx(X));
	}
}

/* A relaxed load, and the acquire of a poll of another word: only a fence orders it. */
static void mp_other_poll(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		(void)weir_poll(Z);
		weir_poll_acquire();
		keep(1, weir_load_rlx(X));
	}
}

/* weir_acquire_each acquires from the words that it names alone. */
static void mp_each(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_red_add_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		weir_acquire_each(Y, 0, 0);
		keep(1, weir_load_rlx(X));
	}
}

static void mp_other_each(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_red_add_rel(Y, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_rlx(Y));
		(void)weir_load_rlx(Z);
		weir_acquire_each(Z, 0, 0);
		keep(1, weir_load_rlx(X));
	}
}

/* The last read of Y may be of a store that releases nothing. */
static void overwritten_each(void *c)
{
	(void)c;
	THREAD(0)
	weir_add_rel(Y, 1);
	THREAD(1)
	{
		(void)weir_load_rlx(Y);
		weir_acquire_each(Y, 0, 0);
	}
	THREAD(2)
	weir_store_rlx(Y, 7);
}

/* weir_red_add_each_rel releases what comes before all of it. */
static void mp_red_each(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_red_add_each_rel(Y, 1, 1, 1);
	}
	THREAD(1)
	{
		keep(0, weir_load_acq(Z));
		keep(1, weir_load_rlx(X));
	}
}

static void mp_among_reds(void *c)
{
	(void)c;
	THREAD(0)
	weir_red_add_each_rel(Y, 1, 1, 1);
	THREAD(1)
	{
		keep(0, weir_load_acq(Z));
		keep(1, weir_load_rlx(Y));
	}
}

/* The collectives of the first threads pass values alone. */
static void first_collectives(void *c)
{
	(void)c;
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

static int first_collectives_allowed(const uint32_t *r)
{
	return r[0] == 1;
}

static void first_sync(void *c)
{
	(void)c;
	THREAD(0)
	weir_store_rlx(X, 1);
	weir_first_sync();
	THREAD(1)
	{
		keep(0, 1);
		keep(1, weir_load_rlx(X));
	}
}

static int first_sync_allowed(const uint32_t *r)
{
	return r[0] == 1 && r[1] == 1;
}

/* Only the first threads know of the others after this sync. */
static void sync_rel(void *c)
{
	(void)c;
	weir_store_rlx(weir_thread_id() == 0 ? X : Y, 1);
	weir_block_sync_rel();
	if (weir_thread_id() == 0)
		keep(0, weir_load_rlx(Y));
	else
		keep(1, weir_load_rlx(X));
	weir_block_sync();
}

static int sync_rel_allowed(const uint32_t *r)
{
	return r[0] == 1;
}

static void block_sync(void *c)
{
	(void)c;
	THREAD(1)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(2)
	{
		keep(0, weir_load_acq(Y));
	}
	weir_block_sync();
	THREAD(0)
	{
		weir_store_rel(Y, 1);
	}
	THREAD(3)
	{
		keep(1, weir_load_rlx(X));
	}
}

/* As on AMD GPUs: a release is a fence and a relaxed store, and a wait ends with a fence. The leaders
 * are 0 and 2. */
static void block_sync_fences(void *c)
{
	(void)c;
	THREAD(1)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(2)
	{
		keep(0, weir_poll(Y));
		weir_poll_acquire();
	}
	weir_block_sync();
	THREAD(0)
	{
		weir_fence_acq_rel();
		weir_store_rlx(Y, 1);
	}
	THREAD(3)
	{
		keep(1, weir_load_rlx(X));
	}
}

/* The leader's fence precedes the sync, so it covers none of the others' writes. */
static void block_sync_early_fence(void *c)
{
	(void)c;
	THREAD(1)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(2)
	{
		keep(0, weir_load_rlx(Y));
		weir_poll_acquire();
	}
	THREAD(0)
	{
		weir_fence_acq_rel();
	}
	weir_block_sync();
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
	}
	THREAD(3)
	{
		keep(1, weir_load_rlx(X));
	}
}

static void no_block_sync(void *c)
{
	(void)c;
	THREAD(1)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(2)
	{
		keep(0, weir_load_acq(Y));
	}
	THREAD(0)
	{
		weir_store_rel(Y, 1);
	}
	THREAD(3)
	{
		keep(1, weir_load_rlx(X));
	}
}

/* The threads 0 and 1, and 3 and 4, are warps. */
static void team_sync(void *c)
{
	(void)c;
	THREAD(1)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(3)
	{
		keep(0, weir_load_acq(Y));
	}
	weir_team_sync(weir_team_warp());
	THREAD(0)
	{
		weir_store_rel(Y, 1);
	}
	THREAD(4)
	{
		keep(1, weir_load_rlx(X));
	}
}

/* Thread 2 is in another warp of the block, which no release covers. */
static void beside_team_sync(void *c)
{
	(void)c;
	THREAD(2)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(3)
	{
		keep(0, weir_load_acq(Y));
	}
	weir_team_sync(weir_team_warp());
	THREAD(0)
	{
		weir_store_rel(Y, 1);
	}
	THREAD(4)
	{
		keep(1, weir_load_rlx(X));
	}
}

/* The first warp of each block meets at a barrier. Thread 1 is in it, thread 2 is not. */
static void team_barrier(uint32_t writer)
{
	weir_barrier b = weir_barrier_in(weir_model_memory(), weir_block_count());

	THREAD(writer)
	{
		weir_model_data_write(0);
	}
	if (weir_thread_id() < WEIR_WARP_THREADS)
		weir_barrier_team_wait(b, weir_team_warp());
	THREAD(4)
	{
		weir_model_data_read(0);
	}
}

static void in_team_barrier(void *c)
{
	(void)c;
	team_barrier(1);
}

static void beside_team_barrier(void *c)
{
	(void)c;
	team_barrier(2);
}

static void beside_team_mutex(void *c)
{
	weir_mutex m = weir_mutex_in(X);

	(void)c;
	THREAD(2)
	{
		weir_model_data_write(0);
	}
	if (weir_thread_id() >= WEIR_WARP_THREADS)
		return;
	weir_mutex_team_lock(m, weir_team_warp());
	THREAD(4)
	{
		weir_model_data_read(0);
	}
	weir_mutex_team_unlock(m, weir_team_warp());
}

static void team_at_another_barrier(void *c)
{
	weir_barrier b = weir_barrier_in(weir_model_memory(), weir_block_count());

	(void)c;
	b.config.kind = WEIR_BARRIER_ATOMIC;
	weir_barrier_team_wait(b, weir_team_warp());
}

static void team_of_no_name(void *c)
{
	(void)c;
	weir_team_sync(weir_team_named(16, 0, 2));
}

static void team_of_half_a_warp(void *c)
{
	(void)c;
	weir_team_sync(weir_team_named(1, 0, 1));
}

static void await_flag(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		weir_await_eq_acq(Y, 1, weir_no_backoff());
		keep(0, weir_load_rlx(X));
	}
}

static int one(const uint32_t *r)
{
	return r[0] == 1;
}

static void loop_flag(void *c)
{
	weir_wait wait;

	(void)c;
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
static void loop_exchange(void *c)
{
	weir_wait wait;
	uint32_t value;

	(void)c;
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

/* The same, but the add may come while the value is out, and is then overwritten. */
static void loop_loses_add(void *c)
{
	weir_wait wait;
	uint32_t value;

	(void)c;
	THREAD(0)
	{
		weir_add_rel(X, 1);
	}
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while ((value = weir_xchg_acq(X, 5)) != 1) {
			weir_store_rel(X, value);
			go_on(&wait);
		}
	}
}

static void loop_for_ever(void *c)
{
	weir_wait wait;
	uint32_t value;

	(void)c;
	THREAD(0)
	{
		weir_store_rlx(Y, 1);
	}
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while ((value = weir_xchg_acq(X, 5)) != 1) {
			weir_store_rel(X, value);
			go_on(&wait);
		}
	}
}

static void loop_changes(void *c)
{
	weir_wait wait;

	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(1)
	{
		wait = weir_wait_begin(weir_no_backoff());
		while (weir_xchg_acq(X, 5) != 1)
			go_on(&wait);
	}
}

static void await_never(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(1)
	{
		weir_await_eq_acq(X, 3, weir_no_backoff());
	}
}

static void await_passing(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rlx(X, 2);
	}
	THREAD(1)
	{
		weir_await_eq_acq(X, 1, weir_no_backoff());
	}
}

static void await_wrapped(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
		weir_store_rlx(X, 2);
	}
	THREAD(1)
	{
		weir_await_ge_acq(X, 0xffffffffu, weir_no_backoff());
	}
}

static void missed_sync(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_block_sync();
	}
}

static void data_ordered(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_model_data_write(0);
		weir_store_rel(X, 1);
	}
	THREAD(1)
	{
		weir_await_eq_acq(X, 1, weir_no_backoff());
		weir_model_data_write(0);
	}
}

static void data_unordered(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_model_data_write(0);
		weir_store_rlx(X, 1);
	}
	THREAD(1)
	{
		weir_await_eq_acq(X, 1, weir_no_backoff());
		weir_model_data_read(0);
	}
}

/* A reduction returns nothing, and so nothing that it read can be acquired. */
static void red_no_acquire(void *c)
{
	(void)c;
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

static void narrow_store(void)
{
	weir_model_store_(X, 1, WEIR_MODEL_REL, WEIR_MODEL_BLOCK,
	                  WEIR_MODEL_SITE_("store_rel", "X"));
}

static void scope_other_block(void *c)
{
	(void)c;
	THREAD(0)
	{
		narrow_store();
	}
	THREAD(1)
	{
		weir_load_acq(X);
	}
}

static void scope_ordered(void *c)
{
	(void)c;
	THREAD(0)
	{
		narrow_store();
		weir_store_rel(Y, 1);
	}
	THREAD(1)
	{
		weir_await_eq_acq(Y, 1, weir_no_backoff());
		weir_load_rlx(X);
	}
}

static void scope_plain(void *c)
{
	(void)c;
	THREAD(0)
	{
		weir_store_rlx(X, 1);
	}
	THREAD(1)
	{
		WEIR_MODEL_LOAD_(X, "plain", RLX, PLAIN);
	}
}

/* An operation on a handle whose kind does not exist is an error, not nothing. */
static void wrong_mutex(void *context)
{
	(void)context;
	weir_mutex_lock(weir_mutex_make(X, (weir_mutex_config){.kind = 17, .pitch = 1}));
}

static void wrong_semaphore(void *context)
{
	(void)context;
	weir_semaphore_post(
	    weir_semaphore_make(X, (weir_semaphore_config){.kind = 17, .pitch = 1, .maximum = 1}));
}

static void wrong_barrier(void *context)
{
	(void)context;
	weir_barrier_wait(
	    weir_barrier_make(X, (weir_barrier_config){.kind = 17, .pitch = 1, .blocks = 1}));
}

static const litmus tests[] = {
    {"MP rlx", 2, 1, mp_rlx, anything, 2, 2, 0, 0, 0, 0},
    {"MP rel acq", 2, 1, mp_rel_acq, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"MP rel rlx", 2, 1, mp_rel_rlx, anything, 2, 2, 0, 0, 0, 0},
    {"MP fences", 2, 1, mp_fences, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"MP one fence", 2, 1, mp_one_fence, anything, 2, 2, 0, 0, 0, 0},
    {"SB", 2, 1, sb, anything, 2, 2, 0, 0, 0, 0},
    {"SB fences", 2, 1, sb_fences, anything, 2, 2, 0, 0, 0, 0},
    {"SB read-modify-writes", 2, 1, sb_rmw, anything, 2, 2, 0, 0, 0, 0},
    {"LB", 2, 1, lb, lb_found, 2, 2, 0, 0, 0, 0},
    {"CoRR", 3, 1, corr, corr_allowed, 2, 3, 0, 0, 0, 0},
    {"CoRR two readers", 4, 1, corr_two, corr_two_allowed, 4, 3, 0, 0, 0, 0},
    {"CoWR", 2, 1, cowr, cowr_allowed, 3, 3, 1, 0, 0, 0},
    {"IRIW", 4, 1, iriw, anything, 4, 2, 0, 0, 0, 0},
    {"2+2W", 2, 1, two_plus_two, two_plus_two_allowed, 2, 3, 1, 0, 0, 0},
    {"WRC", 3, 1, wrc, wrc_allowed, 3, 2, 0, 0, 0, 0},
    {"ISA2", 3, 1, isa2, wrc_allowed, 3, 2, 0, 0, 0, 0},
    {"S", 2, 1, s_test, s_allowed, 3, 3, 1, 0, 0, 0},
    {"release sequence", 3, 1, release_sequence, release_sequence_allowed, 3, 4, 0, 0, 0, 0},
    {"release sequence, red", 3, 1, release_sequence_red, release_sequence_red_allowed, 2, 4, 0, 0,
     0, 0},
    {"wide release sequence", 3, 1, wide_sequence, wide_sequence_allowed, 3, 3, 0, 0, 0, 0},
    {"wide CAS", 3, 1, wide_cas, wide_cas_allowed, 3, 3, 0, 0, 0, 0},
    {"mutex of no kind", 1, 1, wrong_mutex, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"semaphore of no kind", 1, 1, wrong_semaphore, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"barrier of no kind", 1, 1, wrong_barrier, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"wide await", 2, 1, wide_await, NULL, 0, 0, 0, WEIR_MODEL_PASS, 0, 0},
    {"two widths", 1, 1, two_widths, NULL, 0, 0, 0, WEIR_MODEL_LIMIT, 0, 0},
    {"two widths, unordered", 2, 1, two_widths_unordered, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
    {"two widths, ordered", 2, 1, two_widths_ordered, NULL, 0, 0, 0, WEIR_MODEL_LIMIT, 0, 0},
    {"broken release sequence", 3, 1, broken_sequence, broken_sequence_allowed, 2, 3, 0, 0, 0, 0},
    {"RMW atomic", 2, 1, rmw_atomic, rmw_atomic_allowed, 4, 3, 1, 0, 0, 0},
    {"RMW and store", 2, 1, rmw_store, rmw_store_allowed, 3, 4, 1, 0, 0, 0},
    {"CAS", 2, 1, cas, cas_allowed, 4, 3, 1, 0, 0, 0},
    {"poll", 2, 1, mp_poll, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"poll, with a fence", 2, 1, mp_poll, mp_allowed, 2, 2, 0, 0, WEIR_MODEL_POLLS_FENCE, 0},
    {"poll that acquires", 2, 1, mp_poll, mp_allowed, 2, 2, 0, 0, WEIR_MODEL_POLLS_ACQUIRE, 0},
    {"bare poll", 2, 1, mp_bare_poll, anything, 2, 2, 0, 0, 0, 0},
    {"bare poll, with a fence", 2, 1, mp_bare_poll, anything, 2, 2, 0, 0, WEIR_MODEL_POLLS_FENCE,
     0},
    {"bare poll that acquires", 2, 1, mp_bare_poll, mp_allowed, 2, 2, 0, 0,
     WEIR_MODEL_POLLS_ACQUIRE, 0},
    {"load and poll", 2, 1, mp_other_poll, anything, 2, 2, 0, 0, 0, 0},
    {"load and poll with a fence", 2, 1, mp_other_poll, mp_allowed, 2, 2, 0, 0,
     WEIR_MODEL_POLLS_FENCE, 0},
    {"load and poll that acquires", 2, 1, mp_other_poll, anything, 2, 2, 0, 0,
     WEIR_MODEL_POLLS_ACQUIRE, 0},
    {"acquire each", 2, 1, mp_each, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"acquire each of others", 2, 1, mp_other_each, anything, 2, 2, 0, 0, 0, 0},
    {"acquire each, overwritten", 3, 1, overwritten_each, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"reductions of each", 2, 1, mp_red_each, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"among reductions of each", 2, 1, mp_among_reds, anything, 2, 2, 0, 0, 0, 0},
    {"first collectives", 1, 2, first_collectives, first_collectives_allowed, 2, 2, 0, 0, 0, 2},
    {"first sync", 1, 2, first_sync, first_sync_allowed, 2, 2, 0, 0, 0, 2},
    {"sync for a release", 1, 2, sync_rel, sync_rel_allowed, 2, 2, 0, 0, 0, 0},
    {"block sync", 2, 2, block_sync, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"block sync, fences", 2, 2, block_sync_fences, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"block sync, early fence", 2, 2, block_sync_early_fence, anything, 2, 2, 0, 0, 0, 0},
    {"no block sync", 2, 2, no_block_sync, anything, 2, 2, 0, 0, 0, 0},
    {"team sync", 2, 3, team_sync, mp_allowed, 2, 2, 0, 0, 0, 0},
    {"beside a team sync", 2, 3, beside_team_sync, anything, 2, 2, 0, 0, 0, 0},
    {"in a team at a barrier", 2, 3, in_team_barrier, NULL, 0, 0, 0, WEIR_MODEL_PASS, 0, 0},
    {"beside a team at a barrier", 2, 3, beside_team_barrier, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
    {"beside a team with a mutex", 2, 3, beside_team_mutex, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
    {"team, barrier of another kind", 1, 2, team_at_another_barrier, NULL, 0, 0, 0,
     WEIR_MODEL_CHECK, 0, 0},
    {"team of no name", 1, 2, team_of_no_name, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"team of half a warp", 1, 2, team_of_half_a_warp, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"await", 2, 1, await_flag, one, 1, 2, 0, 0, 0, 0},
    {"loop", 2, 1, loop_flag, one, 1, 2, 0, 0, 0, 0},
    {"loop of exchanges", 2, 1, loop_exchange, one, 1, 2, 0, 0, 0, 0},
    {"loop that loses an add", 2, 1, loop_loses_add, NULL, 0, 0, 0, WEIR_MODEL_DEADLOCK, 0, 0},
    {"loop for ever", 2, 1, loop_for_ever, NULL, 0, 0, 0, WEIR_MODEL_DEADLOCK, 0, 0},
    {"loop that changes", 2, 1, loop_changes, NULL, 0, 0, 0, WEIR_MODEL_CHECK, 0, 0},
    {"await never", 2, 1, await_never, NULL, 0, 0, 0, WEIR_MODEL_DEADLOCK, 0, 0},
    {"await passing", 2, 1, await_passing, NULL, 0, 0, 0, WEIR_MODEL_LOST_WAKE, 0, 0},
    {"await wrapped", 2, 1, await_wrapped, NULL, 0, 0, 0, WEIR_MODEL_PASS, 0, 0},
    {"missed sync", 1, 2, missed_sync, NULL, 0, 0, 0, WEIR_MODEL_DEADLOCK, 0, 0},
    {"data ordered", 2, 1, data_ordered, NULL, 0, 0, 0, WEIR_MODEL_PASS, 0, 0},
    {"data unordered", 2, 1, data_unordered, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
    {"reduction", 2, 1, red_no_acquire, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
    {"scope, other block", 2, 1, scope_other_block, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
    {"scope, same block", 1, 2, scope_other_block, NULL, 0, 0, 0, WEIR_MODEL_PASS, 0, 0},
    {"scope, ordered", 2, 1, scope_ordered, NULL, 0, 0, 0, WEIR_MODEL_PASS, 0, 0},
    {"plain and atomic", 1, 2, scope_plain, NULL, 0, 0, 0, WEIR_MODEL_RACE, 0, 0},
};

typedef struct collected {
	const litmus *test;
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
	((collected *)context)->test->body(context);
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
	collected c = {test, {0}};
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
		printf(
		    "%-26s %s  %llu executions, %llu with sleep sets alone, %llu interleavings\n",
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
