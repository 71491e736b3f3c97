/* A table that all blocks read constantly and that is rebuilt sometimes, under a reader-writer
 * lock. One source for all machines. */
#ifndef EXAMPLE_LOOKUP_KERNELS_H
#define EXAMPLE_LOOKUP_KERNELS_H

#include "kernels/kernel.h"

typedef struct lookup_params {
	weir_rwlock_config config;
	uint32_t rounds; /* reads of each block */
	uint32_t every;  /* rounds after which the table is too old */
} lookup_params;

/* data: the version of the table, how often it was rebuilt, and its entries. Then the number of
 * entries that each thread found wrong. */
#define LOOKUP_VERSION 0
#define LOOKUP_REBUILDS 1
#define LOOKUP_ENTRY 2
#define LOOKUP_ENTRIES 64u
#define LOOKUP_WRONG (LOOKUP_ENTRY + LOOKUP_ENTRIES)
#define LOOKUP_VALUE(i, version) ((i) * ((version) + 1))

/* The block may write: all threads rebuild, unless another block did so in between. */
WEIR_FN void lookup_rebuild(WEIR_GLOBAL uint32_t *data, uint32_t wanted)
{
	uint32_t version = data[LOOKUP_VERSION];

	weir_block_sync(); /* all threads have looked before thread 0 writes */
	if (version >= wanted)
		return;
	for (uint32_t i = weir_thread_id(); i < LOOKUP_ENTRIES; i += weir_thread_count())
		data[LOOKUP_ENTRY + i] = LOOKUP_VALUE(i, wanted);
	if (weir_thread_id() == 0) {
		data[LOOKUP_VERSION] = wanted;
		data[LOOKUP_REBUILDS] += 1;
	}
}

/* The block reads, and the table has at least this version. A reader cannot become a writer: it
 * unlocks first, and looks again afterwards. A writer can become a reader, without another writer
 * in between. */
WEIR_FN void lookup_begin(weir_rwlock l, WEIR_GLOBAL uint32_t *data, uint32_t wanted)
{
	weir_rwlock_block_read_lock(l);
	if (data[LOOKUP_VERSION] >= wanted)
		return;
	weir_rwlock_block_read_unlock(l);
	weir_rwlock_block_write_lock(l);
	lookup_rebuild(data, wanted);
	weir_rwlock_block_downgrade(l);
}

WEIR_KERNEL(lookup, lookup_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config);
	uint32_t wrong = 0;

	for (uint32_t round = 0; round < params.rounds; round++) {
		lookup_begin(l, data, round / params.every);
		uint32_t version = data[LOOKUP_VERSION];
		for (uint32_t i = weir_thread_id(); i < LOOKUP_ENTRIES; i += weir_thread_count())
			wrong += data[LOOKUP_ENTRY + i] != LOOKUP_VALUE(i, version);
		weir_rwlock_block_read_unlock(l);
	}
	data[LOOKUP_WRONG + weir_block_id() * weir_thread_count() + weir_thread_id()] = wrong;
}

#endif
