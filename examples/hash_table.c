/* A hash table that all blocks fill at once, with an array of mutexes, one for each bucket. It
 * compares weir's default kind, weir's plain spin lock, and a hand-written spin lock. */
#include "hash_table_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

extern const void *const example_hash_table_cuda_image;
extern const void *const example_hash_table_hip_image;
extern const char *const example_hash_table_opencl_text;

struct table {
	compare c;
	uint32_t buckets;
	uint32_t keys;
	uint32_t operations;
	uint32_t lockers;
	weir_buffer data;
	uint32_t *copy;     /* of the data */
	uint32_t *empty;    /* chains */
	uint32_t *expected; /* for each key the count and the sum */
	uint32_t *found;    /* the same, minus what the table holds */
	uint32_t distinct;  /* keys that occur */
};

/* The same with one thread. */
static void expect(struct table *t)
{
	for (uint32_t i = 0; i < t->operations; i++) {
		uint32_t *key = t->expected + 2 * (size_t)table_key(i, t->keys);
		t->distinct += key[0] == 0;
		key[0] += 1;
		key[1] += i;
	}
}

/* The entries keep their contents: an entry that is reached was first written by its operation. */
static void prepare(void *work)
{
	struct table *t = work;

	compare_need(&t->c, weir_buffer_write(t->c.device, t->data, 0, t->empty,
	                                      t->buckets * sizeof(uint32_t)));
}

/* Subtracts a chain from `found`. Returns what is wrong with it, and counts its entries. */
static uint64_t check_chain(const struct table *t, uint32_t bucket, uint32_t *entries)
{
	const uint32_t *entry;
	uint64_t wrong = 0;

	for (uint32_t at = t->copy[bucket]; at != 0; at = entry[TABLE_NEXT]) {
		if (at > t->operations || ++*entries > t->distinct)
			return wrong + 1; /* an invalid entry, or a chain with a cycle */
		entry = t->copy + t->buckets + (size_t)(at - 1) * TABLE_ENTRY_WORDS;
		uint32_t key = entry[TABLE_KEY];
		if (key >= t->keys || table_bucket(key, t->buckets) != bucket)
			return wrong + 1;
		t->found[2 * (size_t)key] -= entry[TABLE_COUNT];
		t->found[2 * (size_t)key + 1] -= entry[TABLE_SUM];
	}
	return wrong;
}

/* Each key that occurs is there once, in its bucket, with all its operations. */
static uint64_t count_wrong(void *work)
{
	struct table *t = work;
	uint64_t wrong = 0;
	uint32_t entries = 0;

	compare_need(&t->c, weir_buffer_read(t->c.device, t->data, 0, t->copy, t->data.bytes));
	memcpy(t->found, t->expected, 2 * (size_t)t->keys * sizeof(uint32_t));
	for (uint32_t bucket = 0; bucket < t->buckets; bucket++)
		wrong += check_chain(t, bucket, &entries);
	wrong += entries != t->distinct;
	for (uint32_t key = 0; key < t->keys; key++)
		wrong += t->found[2 * (size_t)key] != 0 || t->found[2 * (size_t)key + 1] != 0;
	return wrong;
}

static void start(void *work, const compare_way *way)
{
	struct table *t = work;
	const table_params params = {way->config.mutex_array, t->buckets, t->keys, t->operations,
	                             t->lockers};
	const compare_launch launch = {.kernel = way->kernel,
	                               .words = way->words,
	                               .data = &t->data,
	                               .params = &params,
	                               .params_bytes = sizeof params};

	compare_start(&t->c, &launch);
}

/* Makes an array of that kind, 4 to 8 bytes per mutex, for this way of doing the work. */
static void make_array(const struct table *t, weir_mutex_kind kind, compare_way *way)
{
	const weir_mutex_array_options options = {.kind = kind, .object.compact = 1};
	weir_mutex_array array;

	compare_need(&t->c, weir_mutex_array_create(t->c.device, t->buckets, &options, &array));
	way->start = start;
	way->words = array.words;
	way->config.mutex_array = array.config;
	way->kernel = compare_kernel(&t->c, t->c.kernels, "table_weir");
}

static void make_locks_by_hand(const struct table *t, compare_way *way)
{
	weir_buffer locks;

	compare_need(&t->c, weir_buffer_create(t->c.device, t->buckets * sizeof(uint32_t), &locks));
	way->start = start;
	way->words = locks.native;
	way->kernel = compare_kernel(&t->c, t->c.peers, "table_by_hand");
}

static void choose_lockers(struct table *t)
{
	compare_default(&t->c, &t->lockers, 1, 1);
	if (t->c.threads % t->lockers)
		compare_fail(&t->c, 2, "--lockers %u does not divide the %u threads of a block",
		             t->lockers, t->c.threads);
	if (t->lockers > 1 &&
	    (t->c.info.machine == WEIR_MACHINE_OPENCL || t->c.info.machine == WEIR_MACHINE_HIP))
		compare_fail(&t->c, 2,
		             "--lockers %u: in OpenCL and HIP one thread of a block may lock",
		             t->lockers);
}

static int run(struct table *t)
{
	compare *c = &t->c;
	compare_way ways[3] = {{.label = "weir mutex array, default kind"},
	                       {.label = "weir mutex array, kind spin"},
	                       {.label = "spin locks by hand, atomicCAS"}};
	const compare_work work = {t, prepare, count_wrong, "operation", t->operations};

	make_array(t, WEIR_MUTEX_DEFAULT, &ways[0]);
	make_array(t, WEIR_MUTEX_SPIN, &ways[1]);
	make_locks_by_hand(t, &ways[2]);
	const weir_kernel kernels[] = {ways[0].kernel, ways[2].kernel};
	compare_choose_grid(c, 128, kernels, 2);
	choose_lockers(t);
	printf("hash_table on %s (%s): %u operations on %u keys in %u buckets, %u blocks of %u "
	       "threads, %u of which lock, default kind %s\n",
	       c->info.name, c->info.description, t->operations, t->keys, t->buckets, c->blocks,
	       c->threads, t->lockers, weir_mutex_kind_name(ways[0].config.object.kind));
	return compare_run(c, &work, ways, 3);
}

int main(int argc, char **argv)
{
	struct table t = {0};
	static const weir_host_entry entries[] = {{"table_weir", table_weir_entry}};
	const compare_option options[] = {
	    {"operations", &t.operations, 1, 1u << 26, "insertions and updates"},
	    {"keys", &t.keys, 1, 1u << 26, "different keys"},
	    {"buckets", &t.buckets, 1, 1u << 24, "buckets, each with a lock"},
	    {"lockers", &t.lockers, 1, 1024, "threads of a block that lock"}};
	const compare_program program = {
	    .name = "hash_table",
	    .about =
		"A hash table with a lock for each bucket, filled by all blocks: weir's array of\n"
		"mutexes, and on CUDA spin locks written by hand. The result is checked.",
	    .options = options,
	    .option_count = 4,
	    .kernels = {.cuda_image = example_hash_table_cuda_image,
	                .hip_image = example_hash_table_hip_image,
	                .opencl_text = example_hash_table_opencl_text,
	                .host_entries = entries,
	                .host_entry_count = 1}};

	compare_open(&t.c, &program, argc, argv);
	compare_default(&t.c, &t.operations, 1u << 20, 20000);
	compare_default(&t.c, &t.keys, 1u << 16, 500);
	compare_default(&t.c, &t.buckets, 1u << 14, 100);
	size_t words = t.buckets + (size_t)t.operations * TABLE_ENTRY_WORDS;
	compare_need(&t.c, weir_buffer_create(t.c.device, words * sizeof(uint32_t), &t.data));
	t.copy = compare_memory(&t.c, words, sizeof(uint32_t));
	t.empty = compare_memory(&t.c, t.buckets, sizeof(uint32_t));
	t.expected = compare_memory(&t.c, 2 * (size_t)t.keys, sizeof(uint32_t));
	t.found = compare_memory(&t.c, 2 * (size_t)t.keys, sizeof(uint32_t));
	expect(&t);
	int status = run(&t);
	compare_close(&t.c);
	free(t.copy);
	free(t.empty);
	free(t.expected);
	free(t.found);
	return status;
}
