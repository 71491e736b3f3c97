/* A hash table with a chain of entries for each bucket and a lock for each chain. One source for
 * all machines. */
#ifndef EXAMPLE_HASH_TABLE_KERNELS_H
#define EXAMPLE_HASH_TABLE_KERNELS_H

#include "kernels/kernel.h"

typedef struct table_params {
	weir_mutex_array_config config; /* of the array of mutexes */
	uint32_t buckets;
	uint32_t keys;       /* different ones */
	uint32_t operations; /* of all blocks together */
	uint32_t lockers;    /* threads of a block that lock, each by itself */
} table_params;

/* data: the first item of each chain, as its number plus 1, 0 for none. Then the items, one for
 * each operation; an operation uses its item if it is the first with its key. */
#define TABLE_KEY 0
#define TABLE_COUNT 1 /* operations with this key */
#define TABLE_SUM 2   /* the sum of their numbers */
#define TABLE_NEXT 3  /* in the chain, as above */
#define TABLE_ENTRY_WORDS 4

WEIR_FN uint32_t table_mix(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x7feb352du;
	x = (x ^ (x >> 15)) * 0x846ca68bu;
	return x ^ (x >> 16);
}

WEIR_FN uint32_t table_key(uint32_t operation, uint32_t keys)
{
	return table_mix(operation + 1) % keys;
}

WEIR_FN uint32_t table_bucket(uint32_t key, uint32_t buckets)
{
	return table_mix(~key) % buckets;
}

/* Counts the operation under its key. The caller holds the lock of the bucket. */
WEIR_FN void table_put(WEIR_GLOBAL uint32_t *data, uint32_t buckets, uint32_t bucket, uint32_t key,
                       uint32_t operation)
{
	WEIR_GLOBAL uint32_t *entries = data + buckets;
	WEIR_GLOBAL uint32_t *entry;
	uint32_t first = data[bucket];

	for (uint32_t at = first; at != 0; at = entry[TABLE_NEXT]) {
		entry = entries + (at - 1) * TABLE_ENTRY_WORDS;
		if (entry[TABLE_KEY] == key) {
			entry[TABLE_COUNT] += 1;
			entry[TABLE_SUM] += operation;
			return;
		}
	}
	entry = entries + operation * TABLE_ENTRY_WORDS;
	entry[TABLE_KEY] = key;
	entry[TABLE_COUNT] = 1;
	entry[TABLE_SUM] = operation;
	entry[TABLE_NEXT] = first;
	data[bucket] = operation + 1;
}

/* The lockers of a block are as far apart as possible: in different warps if there are few. */
WEIR_FN int table_is_locker(uint32_t lockers)
{
	return weir_thread_id() % (weir_thread_count() / lockers) == 0;
}

/* The thread's number among the lockers of all blocks. */
WEIR_FN uint32_t table_locker_id(uint32_t lockers)
{
	return weir_block_id() * lockers + weir_thread_id() / (weir_thread_count() / lockers);
}

WEIR_KERNEL(table_weir, table_params)
{
	weir_mutex_array locks = weir_mutex_array_make(words, params.config);
	uint32_t all = weir_block_count() * params.lockers;

	if (!table_is_locker(params.lockers))
		return;
	for (uint32_t i = table_locker_id(params.lockers); i < params.operations; i += all) {
		uint32_t key = table_key(i, params.keys);
		uint32_t bucket = table_bucket(key, params.buckets);
		weir_mutex m = weir_mutex_at(locks, bucket);
		weir_mutex_lock(m);
		table_put(data, params.buckets, bucket, key, i);
		weir_mutex_unlock(m);
	}
}

#endif
