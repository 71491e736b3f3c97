/* Which thread of the program's own is which block of a barrier.
 *
 * A thread that joins has a number of its own until it joins again or ends. For each block, a barrier of the
 * library keeps the number of the thread that used it as that block. It refuses another thread as that block
 * while the first one still has its number: otherwise each would pass the barrier on behalf of the other. */
#define _GNU_SOURCE
#include "host/member.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/device.h"
#include "core/record.h"

struct joined {
	struct joined *next;
	uint64_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct joined *all; /* the threads that have joined and have not ended */
static uint64_t last_number;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget(void *own)
{
	struct joined **link = &all;

	pthread_mutex_lock(&lock);
	while (*link && *link != own)
		link = &(*link)->next;
	if (*link)
		*link = (*link)->next;
	pthread_mutex_unlock(&lock);
	free(own);
}

static void make_key(void)
{
	pthread_key_create(&key, forget);
}

weir_status weir_host_number_thread(void)
{
	struct joined *own;

	pthread_once(&once, make_key);
	own = pthread_getspecific(key);
	if (!own) {
		own = calloc(1, sizeof *own);
		if (!own || pthread_setspecific(key, own) != 0) {
			free(own);
			return weir_fail(WEIR_NO_MEMORY, "no memory for a thread that joins");
		}
		pthread_mutex_lock(&lock);
		own->next = all;
		all = own;
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	own->number = ++last_number;
	pthread_mutex_unlock(&lock);
	return WEIR_OK;
}

static int has_thread(uint64_t number)
{
	struct joined *one;

	pthread_mutex_lock(&lock);
	for (one = all; one && one->number != number; one = one->next)
		;
	pthread_mutex_unlock(&lock);
	return one != NULL;
}

struct search {
	const void *words;
	uint32_t rank;
	uint32_t block_count;
	uint64_t number;
	enum weir_membership found;
};

static enum weir_membership judge(weir_record *record, const struct search *s)
{
	const weir_barrier_config *config = &record->config.barrier;

	if (!config->part_of_grid && config->blocks != s->block_count)
		return WEIR_MEMBER_OF_OTHERS;
	if (!record->members)
		record->members = calloc(config->blocks, sizeof *record->members);
	if (!record->members || s->rank >= config->blocks)
		return WEIR_MEMBER;
	if (record->members[s->rank] && record->members[s->rank] != s->number &&
	    has_thread(record->members[s->rank]))
		return WEIR_MEMBER_TWICE;
	record->members[s->rank] = s->number;
	return WEIR_MEMBER;
}

static int look(weir_device *device, void *context)
{
	struct search *s = context;
	weir_record *record;

	if (device->info.machine != WEIR_MACHINE_HOST)
		return 0;
	pthread_mutex_lock(&device->lock);
	record = weir_record_look(device, WEIR_PRIMITIVE_BARRIER, s->words, 0);
	if (record)
		s->found = judge(record, s);
	pthread_mutex_unlock(&device->lock);
	return record != NULL;
}

enum weir_membership weir_host_membership(const void *words, uint32_t rank, uint32_t block_count)
{
	const struct joined *own = pthread_getspecific(key);
	struct search s = {.words = words,
	                   .rank = rank,
	                   .block_count = block_count,
	                   .number = own ? own->number : 0};

	weir_devices_look(look, &s);
	return s.found;
}
