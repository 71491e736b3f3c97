/* Condition variables with every kind of mutex, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "condition_kernels.h"

static const weir_host_entry entries[] = {{"condition_start", condition_start_entry},
                                          {"condition_pass", condition_pass_entry},
                                          {"condition_block", condition_block_entry},
                                          {"condition_order", condition_order_entry},
                                          {"condition_alone", condition_alone_entry}};

struct kind {
	const char *name;
	weir_mutex_kind value;
};

static const struct kind kinds[] = {{"default", WEIR_MUTEX_DEFAULT},
#define ROW(name, NAME, ...) {#name, WEIR_MUTEX_##NAME},
                                    WEIR_MUTEX_KINDS(ROW)
#undef ROW
};

/* A mutex, and two conditions behind it. */
struct subject {
	harness_place place;
	weir_mutex mutex;
	weir_condition conditions[2];
	harness_launch launch;
};

#define WRAPS 0xfffffffau /* waits after which tickets soon wrap */

static size_t lines(size_t bytes)
{
	return (bytes + 127) / 128 * 128;
}

static void place(harness *h, const struct kind *kind, weir_options options,
                  struct subject *subject)
{
	size_t mutex_bytes, bytes, alignment;

	harness_need(weir_mutex_size(h->device, kind->value, NULL, &mutex_bytes, &alignment),
	             "weir_mutex_size");
	harness_need(weir_condition_size(h->device, &options, &bytes, &alignment),
	             "weir_condition_size");
	mutex_bytes = lines(mutex_bytes);
	bytes = lines(bytes);
	subject->place = harness_place_of(h, mutex_bytes + 2 * bytes, 128);
	subject->place.options.memory_bytes = mutex_bytes;
	harness_need(weir_mutex_create_with(h->device, kind->value, &subject->place.options,
	                                    &subject->mutex),
	             "weir_mutex_create_with");
	options.memory = subject->place.memory.native;
	options.memory_bytes = bytes;
	for (uint32_t i = 0; i < 2; i++) {
		options.memory_offset = mutex_bytes + i * bytes;
		harness_need(weir_condition_create(h->device, &options, &subject->conditions[i]),
		             "weir_condition_create");
	}
	subject->launch.params.config.mutex = subject->mutex.config;
	subject->launch.params.second.condition = subject->conditions[0].config;
	/* On OpenCL it is in the offset. */
	subject->launch.params.second.condition.offset =
	    (uint32_t)(mutex_bytes / sizeof(weir_word));
	subject->launch.params.width = (uint32_t)(bytes / sizeof(weir_word));
}

/* Both conditions begin after `start` waits. */
static void make(harness *h, const struct kind *kind, weir_options options, uint32_t start,
                 struct subject *subject)
{
	memset(subject, 0, sizeof *subject);
	place(h, kind, options, subject);
	subject->launch.kernel = "condition_start";
	subject->launch.words = subject->mutex.words;
	subject->launch.grid[0] = subject->launch.grid[1] = subject->launch.grid[2] = 1;
	subject->launch.threads = 1;
	subject->launch.params.base = start;
	subject->launch.params.hold = 1;
	harness_run(h, &subject->launch, 0);
}

static void unmake(harness *h, struct subject *subject)
{
	for (uint32_t i = 0; i < 2; i++)
		harness_need(weir_condition_destroy(h->device, &subject->conditions[i]),
		             "weir_condition_destroy");
	harness_need(weir_mutex_destroy(h->device, &subject->mutex), "weir_mutex_destroy");
	harness_need(weir_buffer_destroy(h->device, &subject->place.memory), "weir_buffer_destroy");
}

/* How a test passes items on. */
struct way {
	const char *what;
	int is_one;    /* one condition and broadcasts */
	int has_limit; /* waits have deadlines */
	int is_block;
};

static const struct way ways[] = {{"signals", 0, 0, 0},
                                  {"broadcasts", 1, 0, 0},
                                  {"signals and deadlines", 0, 1, 0},
                                  {"broadcasts and deadlines", 1, 1, 0},
                                  {"signals to blocks", 0, 0, 1},
                                  {"broadcasts and deadlines for blocks", 1, 1, 1}};

#define WAYS (sizeof ways / sizeof ways[0])

/* Whether each item came out once. */
static int each_once(const harness *h, const struct subject *subject, uint32_t total)
{
	const uint32_t *marks =
	    h->copy + CONDITION_CELLS + CONDITION_RING * subject->launch.threads;

	for (uint32_t i = 0; i < total; i++)
		if (marks[i] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0 && h->copy[CONDITION_HEAD] == total;
}

/* How many items each producer passes on. After a broadcast every block locks. */
static uint32_t items_each(const harness *h, const struct way *way, uint32_t producers)
{
	uint32_t rounds = harness_item_rounds(h, producers, 100);

	if (way->is_one)
		rounds = rounds / (h->info.is_gpu ? 16 : 4) + 1;
	return rounds;
}

/* Launches in a row without a reset. */
static void pass(harness *h, const struct kind *kind, const struct way *way, uint32_t blocks,
                 uint32_t threads, uint32_t start, int without)
{
	const weir_options options = {.slots = blocks, .compact = start == 0};
	uint32_t producers = blocks / 2;
	struct subject subject;
	uint32_t late = 0;
	int right = 1;

	if (blocks < 2 || (way->is_block && h->info.machine == WEIR_MACHINE_OPENCL))
		return;
	make(h, kind, options, start, &subject);
	subject.launch.kernel = way->is_block ? "condition_block" : "condition_pass";
	subject.launch.grid[0] = blocks;
	subject.launch.threads = way->is_block ? threads : 1;
	subject.launch.together = 1;
	subject.launch.params.rounds = items_each(h, way, producers);
	subject.launch.params.value = producers | (way->is_one ? CONDITION_ONE : 0);
	subject.launch.params.length = !way->has_limit ? 0 : h->info.is_gpu ? 50000 : 200000;
	subject.launch.params.without = without;
	for (uint32_t i = 0; i < (without ? 1 : 2); i++) {
		subject.launch.params.seed = blocks + i;
		harness_run(h, &subject.launch, 0);
		right &= each_once(h, &subject, producers * subject.launch.params.rounds);
		late += h->copy[CONDITION_LATE];
	}
	harness_verdict(h, right, without, "%s: %s, %u blocks of %u, %u items each, %u late%s",
	                kind->name, way->what, blocks, subject.launch.threads,
	                subject.launch.params.rounds, late, start ? ", across the wrap" : "");
	unmake(h, &subject);
}

static int has(const uint32_t *list, uint32_t count, uint32_t value)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == value)
			return 1;
	return 0;
}

/* Whether those that stayed were woken in the order in which they came, the last ones in any. */
static int in_order(const harness *h, uint32_t blocks, int has_limit)
{
	const uint32_t *came = h->copy + CONDITION_LISTS;
	const uint32_t *entered = came + blocks;
	uint32_t stay = blocks - 1 - (has_limit ? blocks / 2 : 0);
	uint32_t one_by_one = stay - stay / 2;
	uint32_t found = 0;

	for (uint32_t i = 0; i < blocks - 1; i++) {
		if (has_limit && came[i] % 2)
			continue;
		if (found < one_by_one ? entered[found] != came[i]
		                       : !has(entered + one_by_one, stay / 2, came[i]))
			return 0;
		found++;
	}
	return found == stay && h->copy[CONDITION_ENTERED] == stay && h->copy[HARNESS_ERRORS] == 0;
}

static void order(harness *h, const struct kind *kind, uint32_t blocks, uint32_t start,
                  int has_limit, int without)
{
	const weir_options options = {.slots = blocks};
	struct subject subject;

	if (blocks < 2)
		return;
	make(h, kind, options, start, &subject);
	subject.launch.kernel = "condition_order";
	subject.launch.grid[0] = blocks;
	subject.launch.together = 1;
	subject.launch.params.length = !has_limit ? 0 : h->info.is_gpu ? 1000000 : 5000000;
	subject.launch.params.without = without;
	subject.launch.params.seed = blocks;
	harness_run(h, &subject.launch, 0);
	harness_verdict(h, in_order(h, blocks, has_limit), without,
	                "%s: first come, first served, %u blocks%s%s", kind->name, blocks,
	                has_limit ? ", every second one gives up" : "",
	                start ? ", across the wrap" : "");
	unmake(h, &subject);
}

/* A lone thread has all tickets. */
static void alone(harness *h, uint32_t slots, uint32_t start)
{
	const weir_options options = {.slots = slots};
	struct subject subject;

	make(h, &kinds[0], options, start, &subject);
	subject.launch.kernel = "condition_alone";
	subject.launch.params.rounds = 5000;
	subject.launch.params.seed = slots;
	harness_run(h, &subject.launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0 && h->copy[HARNESS_MOST] != 0, 0,
	                "tickets taken and given up at random, %u slots, full %u times%s", slots,
	                h->copy[HARNESS_MOST], start ? ", across the wrap" : "");
	unmake(h, &subject);
}

static void test_kind(harness *h, const struct kind *kind, uint32_t blocks, uint32_t threads)
{
	for (size_t w = 0; w < WAYS; w++) {
		if (ways[w].is_one && h->info.is_gpu && blocks > 256)
			continue; /* each broadcast would wake thousands */
		pass(h, kind, &ways[w], blocks, threads, 0, 0);
		pass(h, kind, &ways[w], blocks, threads, WRAPS, 0);
	}
	order(h, kind, blocks, 0, 0, 0);
	order(h, kind, blocks, WRAPS, 0, 0);
	order(h, kind, blocks, WRAPS, 1, 0);
}

int main(int argc, char **argv)
{
	harness h;
	uint32_t counts[5];
	int status;

	if (harness_open(&h, argc, argv, "condition", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	uint32_t threads = h.info.is_gpu ? 128 : harness_threads(&h, 5);
	uint32_t count = harness_block_counts(&h, "condition_pass", threads, counts);

	alone(&h, 32, 0);
	alone(&h, 64, WRAPS);
	for (uint32_t i = 0; i < count; i++)
		test_kind(&h, &kinds[0], counts[i], threads);
	for (size_t k = 1; k < sizeof kinds / sizeof kinds[0]; k++) {
		pass(&h, &kinds[k], &ways[k % WAYS], counts[count > 2 ? 2 : count - 1], threads, 0,
		     0);
		order(&h, &kinds[k], counts[count > 2 ? 2 : count - 1], WRAPS, 1, 0);
	}
	if (!h.sound_only) {
		HARNESS_MUST_NOTICE(
		    &h, pass(&h, &kinds[0], &ways[0], counts[count - 1], threads, 0, 1));
		HARNESS_MUST_NOTICE(&h, order(&h, &kinds[0], counts[count - 1], 0, 0, 1));
	}
	return harness_close(&h);
}
