/* A hash table with a lock for each bucket. Every operation adds to its key, which is inserted into
 * the table the first time. Then every operation looks up a key.
 *
 *   size   the logarithm of the number of buckets, 1 to 31; operations; different keys; 1 if some
 *          keys occur much more often than others.
 *   data   the key of each operation, from 1 to 2^31 - 1; the result of each look-up; the
 *          buckets, BUCKETS_WORDS each.
 *
 * A bucket holds the number of its keys, then for each key the key, its operations, and their sum.
 * An operation adds its key times BUCKETS_VALUE to the sum, so that a look-up can tell whether both
 * numbers belong together.
 *
 * Each thread locks by itself. On machines where a waiting thread would stop its block, one thread
 * of each block does all the work. */
#ifndef WEIR_REAL_BUCKETS_H
#define WEIR_REAL_BUCKETS_H

#include "locks.h"

#define BUCKETS_KEYS 10u /* in a bucket; more are not counted, which the check notices */
#define BUCKETS_WORDS 32u
#define BUCKETS_HASH 0x9e3779b9u
#define BUCKETS_VALUE 0x85ebca6bu
#define BUCKETS_ABSENT 0x80000000u /* a key with this bit is not in the table */
#define BUCKETS_TORN 0xffffffffu   /* found: a sum that does not match the number of operations */

/* The offset of a key in its bucket, which has KEY, OPERATIONS and SUM there. */
#define BUCKETS_KEY 0
#define BUCKETS_OPERATIONS 1
#define BUCKETS_SUM 2
#define BUCKETS_KEY_WORDS 3

WEIR_FN WEIR_GLOBAL uint32_t *buckets_key(WEIR_GLOBAL uint32_t *bucket, uint32_t place)
{
	return bucket + 1 + place * BUCKETS_KEY_WORDS;
}

/* The index of the key, or the number of keys if it is not there. The caller holds the lock. */
WEIR_FN uint32_t buckets_find(WEIR_GLOBAL uint32_t *bucket, uint32_t key)
{
	uint32_t used = bucket[0];
	uint32_t place = 0;

	while (place < used && buckets_key(bucket, place)[BUCKETS_KEY] != key)
		place++;
	return place;
}

/* The caller holds the lock. */
WEIR_FN void buckets_add(WEIR_GLOBAL uint32_t *bucket, uint32_t key)
{
	uint32_t place = buckets_find(bucket, key);
	WEIR_GLOBAL uint32_t *entry = buckets_key(bucket, place);

	if (place == BUCKETS_KEYS)
		return;
	if (place == bucket[0]) {
		entry[BUCKETS_KEY] = key;
		entry[BUCKETS_OPERATIONS] = 0;
		entry[BUCKETS_SUM] = 0;
		bucket[0] = place + 1;
	}
	uint32_t operations = entry[BUCKETS_OPERATIONS];
	uint32_t sum = entry[BUCKETS_SUM];
	REAL_INSIDE();
	entry[BUCKETS_OPERATIONS] = operations + 1;
	entry[BUCKETS_SUM] = sum + key * BUCKETS_VALUE;
}

/* Returns how many operations the key has had, or BUCKETS_TORN. The caller holds the lock. */
WEIR_FN uint32_t buckets_look_up(WEIR_GLOBAL uint32_t *bucket, uint32_t key)
{
	uint32_t place = buckets_find(bucket, key);
	WEIR_GLOBAL uint32_t *entry = buckets_key(bucket, place);

	if (place == bucket[0])
		return 0;
	uint32_t operations = entry[BUCKETS_OPERATIONS];
	return entry[BUCKETS_SUM] == operations * key * BUCKETS_VALUE ? operations : BUCKETS_TORN;
}

/* Every fourth look-up is for a missing key. */
WEIR_FN uint32_t buckets_wanted(uint32_t operation, uint32_t key)
{
	return operation % 4 == 3 ? key | BUCKETS_ABSENT : key;
}

WEIR_KERNEL(buckets, real_params)
{
	uint32_t shift = 32 - params.size[0];
	uint32_t operations = params.size[1];
	WEIR_GLOBAL uint32_t *keys = data;
	WEIR_GLOBAL uint32_t *found = keys + operations;
	WEIR_GLOBAL uint32_t *table = found + operations;
	uint32_t first = WEIR_HAS_THREAD_PROGRESS ? real_thread() : weir_block_id();
	uint32_t step = WEIR_HAS_THREAD_PROGRESS ? real_threads() : weir_block_count();
	REAL_LOCKS(words, params);

	if (!WEIR_HAS_THREAD_PROGRESS && weir_thread_id() != 0)
		return;
	for (uint32_t i = first; i < operations; i += step) {
		uint32_t key = keys[i];
		uint32_t bucket = key * BUCKETS_HASH >> shift;
		REAL_LOCK(bucket);
		buckets_add(table + bucket * BUCKETS_WORDS, key);
		REAL_UNLOCK(bucket);
	}
	for (uint32_t i = first; i < operations; i += step) {
		uint32_t key = buckets_wanted(i, keys[i]);
		uint32_t bucket = key * BUCKETS_HASH >> shift;
		REAL_LOCK(bucket);
		uint32_t result = buckets_look_up(table + bucket * BUCKETS_WORDS, key);
		REAL_UNLOCK(bucket);
		found[i] = result;
	}
}

#endif
