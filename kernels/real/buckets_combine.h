/* The hash table of buckets.h with BUCKETS_PARTS combiners instead of the locks. Each combiner has
 * the buckets whose numbers end alike. An operation has two words: a key, and whether it is a
 * look-up. The first threads of a block perform one operation at a time. */
#ifndef WEIR_REAL_BUCKETS_COMBINE_H
#define WEIR_REAL_BUCKETS_COMBINE_H

#include "buckets.h"
#include "sizes.h"

#if WEIR_HAS_WORD64

#define BUCKETS_ADD 0u
#define BUCKETS_LOOK_UP 1u

/* The table, and how to find a bucket. */
typedef struct buckets_table {
	WEIR_GLOBAL uint32_t *buckets;
	uint32_t shift;
} buckets_table;

WEIR_FN uint32_t buckets_of(buckets_table t, uint32_t key)
{
	return key * BUCKETS_HASH >> t.shift;
}

/* Does an operation and returns its result. */
WEIR_FN uint32_t buckets_do(buckets_table t, uint32_t key, uint32_t what)
{
	WEIR_GLOBAL uint32_t *bucket = t.buckets + buckets_of(t, key) * BUCKETS_WORDS;

	if (what == BUCKETS_LOOK_UP)
		return buckets_look_up(bucket, key);
	buckets_add(bucket, key);
	return 0;
}

/* REAL_LEFT_OUT has no combiner: each block performs its own operations. */
#ifdef REAL_LEFT_OUT

WEIR_FN uint32_t buckets_call(WEIR_GLOBAL weir_word *words, real_params params, buckets_table t,
                              uint32_t key, uint32_t what)
{
	(void)words;
	(void)params;
	return buckets_do(t, key, what);
}

#else

/* The first threads of the block call it. The combiners lie one after another. */
WEIR_FN uint32_t buckets_call(WEIR_GLOBAL weir_word *words, real_params params, buckets_table t,
                              uint32_t key, uint32_t what)
{
	weir_combiner c = weir_combiner_make(words, params.config.combiner);
	uint32_t operation[2] = {key, what};

	c.words += buckets_of(t, key) % BUCKETS_PARTS * params.part;
	weir_combiner_call call = weir_combiner_publish_words(c, operation, 2);
	while (weir_combiner_wait(c, &call)) {
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call)
				weir_combiner_answer(
				    &call, i,
				    buckets_do(t, weir_combiner_operation(&call, i),
				               weir_combiner_operation_word(&call, i, 1)));
		weir_combiner_release(c, &call);
	}
	return weir_combiner_result(&call);
}

#endif

WEIR_KERNEL(buckets_combine, real_params)
{
	uint32_t operations = params.size[1];
	WEIR_GLOBAL uint32_t *keys = data;
	WEIR_GLOBAL uint32_t *found = keys + operations;
	buckets_table t = {found + operations, 32 - params.size[0]};

	if (!weir_is_first(weir_thread_id()))
		return;
	for (uint32_t i = weir_block_id(); i < operations; i += weir_block_count())
		buckets_call(words, params, t, keys[i], BUCKETS_ADD);
	for (uint32_t i = weir_block_id(); i < operations; i += weir_block_count()) {
		uint32_t key = buckets_wanted(i, keys[i]);
		uint32_t result = buckets_call(words, params, t, key, BUCKETS_LOOK_UP);
		if (weir_thread_id() == 0)
			found[i] = result;
	}
}

#endif

#endif
