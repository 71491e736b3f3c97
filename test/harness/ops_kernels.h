/* Kernels that use every operation of the machine layer. All machines share this source. */
#include "kernels/kernel.h"
#include "params.h"

/* The result and the effect of each read-modify-write, in the order of OPS_RMW_RESULTS of
 * test_ops.c. */
#define OPS_RMW(order)                                                                             \
	WEIR_FN WEIR_GLOBAL uint32_t *ops_rmw_##order(WEIR_GLOBAL weir_word *w,                    \
	                                              WEIR_GLOBAL uint32_t *out)                   \
	{                                                                                          \
		weir_store_rlx(w, 5);                                                              \
		*out++ = weir_xchg_##order(w, 7);                                                  \
		*out++ = weir_load_rlx(w);                                                         \
		*out++ = weir_add_##order(w, 3);                                                   \
		*out++ = weir_add_##order(w, (uint32_t)-11);                                       \
		*out++ = weir_load_rlx(w);                                                         \
		*out++ = weir_cas_##order(w, 1, 2);                                                \
		*out++ = weir_load_rlx(w);                                                         \
		*out++ = weir_cas_##order(w, 0xffffffffu, 42);                                     \
		*out++ = weir_load_rlx(w);                                                         \
		return out;                                                                        \
	}
OPS_RMW(rlx)
OPS_RMW(acq)
OPS_RMW(rel)
OPS_RMW(acq_rel)
#undef OPS_RMW

/* One thread alone: each operation's result and effect. */
WEIR_KERNEL(ops_alone, harness_params)
{
	WEIR_GLOBAL uint32_t *out = data + HARNESS_DATA;

	(void)params;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	out = ops_rmw_rlx(&words[0], out);
	out = ops_rmw_acq(&words[1], out);
	out = ops_rmw_rel(&words[2], out);
	out = ops_rmw_acq_rel(&words[3], out);
	weir_store_rlx(&words[4], 11);
	*out++ = weir_load_acq(&words[4]);
	weir_store_rel(&words[4], 12);
	*out++ = weir_load_rlx(&words[4]);
	weir_red_add_rlx(&words[4], 30);
	*out++ = weir_load_rlx(&words[4]);
	weir_red_add_rel(&words[4], (uint32_t)-43);
	*out++ = weir_load_rlx(&words[4]);
	weir_await_eq_acq(&words[4], 0xffffffffu, weir_no_backoff());
	weir_await_ge_acq(&words[4], 0x80000001u, weir_no_backoff());
	weir_store_rlx(&words[4], 3);
	weir_await_ge_acq(&words[4], 0xfffffffeu, weir_no_backoff()); /* past it, across the wrap */
	*out++ = weir_await_xchg_eq_acq(&words[4], 8, 3, weir_no_backoff());
	*out++ = weir_await_xchg_ne_acq(&words[4], 9, 0, weir_no_backoff());
	weir_pause(0);
	weir_pause(100);
	*out++ = weir_load_rlx(&words[4]);
	weir_release_begin();
	weir_store_begun(&words[4], 13);
	*out++ = weir_load_rlx(&words[4]);
}

/* The first threads of a block work together. For each of several sets of them, each thread finds the
 * set, its size, and its own place in it. They pass words on through shared memory. */
WEIR_KERNEL(ops_first, harness_params)
{
	uint32_t me = weir_thread_id();
	uint32_t own[WEIR_FIRST_WORDS];
	uint32_t errors = 0;

	(void)words;
	if (!weir_is_first(me))
		return;
	for (uint32_t set = 1; set <= params.rounds; set++) {
		uint32_t bits = set * 2654435761u >> (32 - WEIR_FIRST_THREADS);
		uint32_t before = 0, count = 0;

		for (uint32_t i = 0; i < WEIR_FIRST_THREADS; i++) {
			before += i < me && (bits >> i & 1);
			count += bits >> i & 1;
		}
		errors += weir_first_ballot((int)(bits >> me & 1)) != bits;
		errors += weir_first_count(bits) != count;
		errors += weir_first_rank(bits, me) != before;
		errors += weir_first_get(me * 3 + set, set % WEIR_FIRST_THREADS) !=
		          set % WEIR_FIRST_THREADS * 3 + set;
		for (uint32_t i = 0; i < WEIR_FIRST_WORDS; i++)
			weir_first_word_put(own, i * WEIR_FIRST_THREADS + me,
			                    set * 100 + me * 4 + i);
		weir_first_sync(); /* all threads have written before one looks */
		for (uint32_t i = 0; i < WEIR_FIRST_WORDS; i++) {
			uint32_t next = (me + 1) % WEIR_FIRST_THREADS;

			errors += weir_first_word(own, i * WEIR_FIRST_THREADS + next) !=
			          set * 100 + next * 4 + i;
		}
		weir_first_sync(); /* all threads have looked before one writes again */
	}
	data[HARNESS_DATA + weir_block_id() * WEIR_FIRST_THREADS + me] = 1 + errors;
}

/* A step of every read-modify-write, on words that all threads of all blocks share. */
#define OPS_STEP(order)                                                                            \
	WEIR_FN void ops_step_##order(WEIR_GLOBAL weir_word *w, uint32_t put)                      \
	{                                                                                          \
		uint32_t seen, old = weir_load_rlx(&w[0]);                                         \
		weir_wait wait = weir_wait_begin(weir_no_backoff());                               \
		while ((seen = weir_cas_##order(&w[0], old, old + 1)) != old) {                    \
			old = seen;                                                                \
			weir_wait_again(&wait);                                                    \
		}                                                                                  \
		weir_add_##order(&w[1], 1);                                                        \
		weir_red_add_rlx(&w[3], weir_xchg_##order(&w[2], put));                            \
	}
OPS_STEP(rlx)
OPS_STEP(acq)
OPS_STEP(rel)
OPS_STEP(acq_rel)
#undef OPS_STEP

/* The same, but only the loads and stores are atomic. */
WEIR_FN void ops_step_torn(WEIR_GLOBAL weir_word *w, uint32_t put)
{
	uint32_t count = weir_load_rlx(&w[0]);
	uint32_t held = weir_load_rlx(&w[2]);
	uint32_t sum = weir_load_rlx(&w[3]);
	weir_pause(0);
	weir_store_rlx(&w[0], count + 1);
	weir_store_rlx(&w[1], count + 1);
	weir_store_rlx(&w[2], put);
	weir_store_rlx(&w[3], sum + held);
}

/* Groups of four words, a group for each order: steps by compare-and-swap, steps by add, the value
 * exchanged in last, the sum of all values exchanged out. */
WEIR_KERNEL(ops_together, harness_params)
{
	uint32_t put = weir_block_id() * weir_thread_count() + weir_thread_id() + 1;

	(void)data;
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (params.without) {
			for (uint32_t group = 0; group < 4; group++)
				ops_step_torn(&words[group * 4], put);
		} else {
			ops_step_rlx(&words[0], put);
			ops_step_acq(&words[4], put);
			ops_step_rel(&words[8], put);
			ops_step_acq_rel(&words[12], put);
		}
		weir_red_add_rel(&words[16], 1);
	}
}

/* Moves the flag from phase - 1 to phase with each releasing operation in turn. */
WEIR_FN void ops_release(WEIR_GLOBAL weir_word *flag, uint32_t phase)
{
	switch (phase % 9) {
	case 0:
		weir_store_rel(flag, phase);
		break;
	case 8:
		weir_release_begin();
		weir_store_begun(flag, phase);
		break;
	case 1:
		weir_xchg_rel(flag, phase);
		break;
	case 2:
		weir_xchg_acq_rel(flag, phase);
		break;
	case 3:
		weir_add_rel(flag, 1);
		break;
	case 4:
		weir_add_acq_rel(flag, 1);
		break;
	case 5:
		weir_cas_rel(flag, phase - 1, phase);
		break;
	case 6:
		weir_cas_acq_rel(flag, phase - 1, phase);
		break;
	default:
		weir_red_add_rel(flag, 1);
		break;
	}
}

/* Reads the flag with each acquiring operation in turn, without changing it. */
WEIR_FN uint32_t ops_acquire(WEIR_GLOBAL weir_word *flag, uint32_t phase)
{
	switch (phase % 5) {
	case 0:
		return weir_load_acq(flag);
	case 1:
		return weir_add_acq(flag, 0);
	case 2:
		return weir_add_acq_rel(flag, 0);
	case 3:
		return weir_cas_acq(flag, phase, phase);
	default:
		return weir_cas_acq_rel(flag, phase, phase);
	}
}

/* Two blocks of one thread hand plain data back and forth: the writes before each release must be
 * visible after the acquire. words: the flag and the way back, a cache line apart, and two for the
 * exchanges. */
WEIR_KERNEL(ops_pass, harness_params)
{
	WEIR_GLOBAL weir_word *flag = &words[0];
	WEIR_GLOBAL weir_word *back = &words[WEIR_LINE_WORDS];
	WEIR_GLOBAL weir_word *baton = &words[2 * WEIR_LINE_WORDS];
	WEIR_GLOBAL uint32_t *there = data + HARNESS_DATA;
	WEIR_GLOBAL uint32_t *here = data + 2 * HARNESS_DATA;
	weir_backoff none = weir_no_backoff();
	uint32_t errors = 0;

	for (uint32_t phase = 1; phase <= params.rounds; phase++) {
		if (weir_block_id() == 0) {
			*there = phase * 3;
			ops_release(flag, phase); /* pairs with the acquire of block 1 */
			if (phase & 1)
				weir_await_ge_acq(back, phase, none); /* pairs with its release */
			else
				weir_await_eq_acq(back, phase, none); /* pairs with its release */
			errors += *here != phase * 5;
			*there = phase * 7;
			weir_store_rel(baton, phase); /* pairs with the exchange that takes it */
			/* Pairs with the release of block 1. */
			errors += weir_await_xchg_eq_acq(&baton[1], 0, phase, none) != phase;
			errors += *here != phase * 11;
		} else {
			weir_wait wait = weir_wait_begin(none);
			while (ops_acquire(flag, phase) !=
			       phase) /* pairs with the release of block 0 */
				weir_wait_again(&wait);
			errors += *there != phase * 3;
			*here = phase * 5;
			weir_store_rel(back, phase); /* pairs with the await of block 0 */
			/* Pairs with the release of block 0. */
			errors += weir_await_xchg_ne_acq(baton, 0, 0, none) != phase;
			errors += *there != phase * 7;
			*here = phase * 11;
			weir_store_rel(&baton[1],
			               phase); /* pairs with the exchange that takes it */
		}
	}
	weir_red_add_rlx(&words[3 * WEIR_LINE_WORDS],
	                 errors); /* read after the launch, which orders it */
}

/* Each thread marks its place and looks, past a block sync, at the place of the next thread in its
 * block. data: for each place, a mark, then the two counts that its thread got. A separate kernel
 * leaves the sync out, since a compiler may turn a conditional sync into an unconditional one. */
#define OPS_IDS(name, sync)                                                                        \
	WEIR_KERNEL(name, harness_params)                                                          \
	{                                                                                          \
		uint32_t me = weir_thread_id();                                                    \
		uint32_t threads = weir_thread_count();                                            \
		uint32_t first = weir_block_id() * threads;                                        \
		WEIR_GLOBAL uint32_t *marks = data + HARNESS_DATA;                                 \
		WEIR_GLOBAL uint32_t *told = marks + params.length;                                \
                                                                                                   \
		weir_red_add_rlx(&words[first + me], 1); /* read after the launch */               \
		for (uint32_t i = 1; i <= params.rounds; i++) {                                    \
			weir_pause(me % 8);                                                        \
			marks[first + me] = i;                                                     \
			sync(); /* all have marked before one looks */                             \
			if (marks[first + (me + 1) % threads] != i)                                \
				data[HARNESS_ERRORS] = 1;                                          \
			weir_block_sync(); /* all have looked before one marks again */            \
		}                                                                                  \
		told[2 * (first + me)] = weir_block_count();                                       \
		told[2 * (first + me) + 1] = threads;                                              \
	}
#define OPS_NO_SYNC() ((void)0)
OPS_IDS(ops_ids, weir_block_sync)
OPS_IDS(ops_ids_unsynced, OPS_NO_SYNC)
#undef OPS_NO_SYNC
#undef OPS_IDS

#if WEIR_HAS_WORD64
/* The operations on 64-bit words: both halves, and carries between them. */
WEIR_FN WEIR_GLOBAL uint32_t *ops_put64(WEIR_GLOBAL uint32_t *out, uint64_t value)
{
	*out++ = (uint32_t)(value >> 32);
	*out++ = (uint32_t)value;
	return out;
}

#define OPS_RMW64(order)                                                                           \
	WEIR_FN WEIR_GLOBAL uint32_t *ops_rmw64_##order(WEIR_GLOBAL weir_word64 *w,                \
	                                                WEIR_GLOBAL uint32_t *out)                 \
	{                                                                                          \
		weir_store64_rlx(w, 0x5fffffffful);                                                \
		out = ops_put64(out, weir_add64_##order(w, 1));                                    \
		out = ops_put64(out, weir_add64_##order(w, 0x300000000ul));                        \
		out = ops_put64(out, weir_cas64_##order(w, 0, 7));                                 \
		out = ops_put64(out, weir_cas64_##order(w, 0x900000000ul, 0x100000002ul));         \
		return ops_put64(out, weir_load64_rlx(w));                                         \
	}
OPS_RMW64(rlx)
OPS_RMW64(acq)
OPS_RMW64(rel)
OPS_RMW64(acq_rel)
#undef OPS_RMW64

WEIR_KERNEL(ops_wide_alone, harness_params)
{
	WEIR_GLOBAL uint32_t *out = data + HARNESS_DATA;
	WEIR_GLOBAL weir_word64 *w = weir_word64_at(words, 8);

	(void)params;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	out = ops_rmw64_rlx(weir_word64_at(words, 0), out);
	out = ops_rmw64_acq(weir_word64_at(words, 2), out);
	out = ops_rmw64_rel(weir_word64_at(words, 4), out);
	out = ops_rmw64_acq_rel(weir_word64_at(words, 6), out);
	weir_store64_rel(w, 0x200000003ul);
	weir_red_add64_rlx(w, 0xffffffffu); /* 1 more above, 1 less below */
	out = ops_put64(out, weir_load64_acq(w));
	weir_red_add64_rel(w, 0xfffffffe00000000ul); /* wraps */
	out = ops_put64(out, weir_load64_acq(w));
	weir_await_high_ge_acq(w, 1, 0, 1);
	weir_await_high_ge_acq(w, 0x80000002u, 1, 1); /* past it, across the wrap */
	weir_pause_sixteenths(0);
	weir_pause_sixteenths(100);
}

#define OPS_STEP64(order)                                                                          \
	WEIR_FN void ops_step64_##order(WEIR_GLOBAL weir_word64 *w)                                \
	{                                                                                          \
		uint64_t seen, old = weir_load64_rlx(w);                                           \
		weir_wait wait = weir_wait_begin(weir_no_backoff());                               \
		while ((seen = weir_cas64_##order(w, old, old + 0x100000001ul)) != old) {          \
			old = seen;                                                                \
			weir_wait_sixteenths(&wait, 1);                                            \
		}                                                                                  \
		weir_add64_##order(w, 0xfffffffful);                                               \
	}
OPS_STEP64(rlx)
OPS_STEP64(acq)
OPS_STEP64(rel)
OPS_STEP64(acq_rel)
#undef OPS_STEP64

/* A step changes a word of each order from (h, l) to (h + 2, l), and a fifth word from (h, l) to (h
 * + 1, l + 1). */
WEIR_KERNEL(ops_wide_together, harness_params)
{
	(void)data;
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (params.without) {
			for (uint32_t order = 0; order < 5; order++) {
				WEIR_GLOBAL weir_word64 *w = weir_word64_at(words, 2 * order);
				uint64_t old = weir_load64_rlx(w);
				weir_pause(0);
				weir_store64_rlx(w,
				                 old + (order < 4 ? 0x200000000ul : 0x100000001ul));
			}
			continue;
		}
		ops_step64_rlx(weir_word64_at(words, 0));
		ops_step64_acq(weir_word64_at(words, 2));
		ops_step64_rel(weir_word64_at(words, 4));
		ops_step64_acq_rel(weir_word64_at(words, 6));
		weir_red_add64_rlx(weir_word64_at(words, 8), 1);
		weir_red_add64_rel(weir_word64_at(words, 8), 0x100000000ul);
	}
}

/* Moves the upper half of the flag from phase - 1 to phase, with each releasing operation in
 * turn. */
WEIR_FN void ops_release64(WEIR_GLOBAL weir_word64 *flag, uint64_t phase)
{
	switch (phase % 6) {
	case 0:
		weir_store64_rel(flag, phase << 32);
		break;
	case 1:
		weir_add64_rel(flag, 0x100000000ul);
		break;
	case 2:
		weir_add64_acq_rel(flag, 0x100000000ul);
		break;
	case 3:
		weir_cas64_rel(flag, (phase - 1) << 32, phase << 32);
		break;
	case 4:
		weir_cas64_acq_rel(flag, (phase - 1) << 32, phase << 32);
		break;
	default:
		weir_red_add64_rel(flag, 0x100000000ul);
		break;
	}
}

WEIR_FN uint64_t ops_acquire64(WEIR_GLOBAL weir_word64 *flag, uint64_t phase)
{
	switch (phase % 5) {
	case 0:
		return weir_load64_acq(flag);
	case 1:
		return weir_add64_acq(flag, 0);
	case 2:
		return weir_add64_acq_rel(flag, 0);
	case 3:
		return weir_cas64_acq(flag, phase << 32, phase << 32);
	default:
		return weir_cas64_acq_rel(flag, phase << 32, phase << 32);
	}
}

/* Two blocks of one thread: the writes of block 0 before each release must be visible after the
 * acquire, and so must the writes of block 1 before its own. */
WEIR_KERNEL(ops_wide_pass, harness_params)
{
	WEIR_GLOBAL weir_word64 *flag = weir_word64_at(words, 0);
	WEIR_GLOBAL weir_word64 *back = weir_word64_at(words, WEIR_LINE_WORDS);
	WEIR_GLOBAL uint32_t *there = data + HARNESS_DATA;
	WEIR_GLOBAL uint32_t *here = data + 2 * HARNESS_DATA;

	for (uint32_t phase = 1; phase <= params.rounds; phase++) {
		weir_wait wait = weir_wait_begin(weir_no_backoff());
		if (weir_block_id() == 0) {
			*there = phase * 3;
			ops_release64(flag, phase); /* pairs with the acquire of block 1 */
			weir_await_high_ge_acq(back, phase, 1, 2); /* pairs with its release */
			if (*here != phase * 5)
				data[HARNESS_ERRORS] = 1;
			continue;
		}
		while (ops_acquire64(flag, phase) >> 32 != phase)
			weir_wait_sixteenths(&wait, 4);
		if (*there != phase * 3)
			data[HARNESS_ERRORS] = 1;
		*here = phase * 5;
		weir_red_add64_rel(back, 0x100000000ul); /* pairs with the await of block 0 */
	}
}
#endif
