/* Condition variables with every kind of mutex, on the device named on the command line. */
#include "harness.h"

#include "condition_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(condition_start), HARNESS_ENTRY(condition_pass), HARNESS_ENTRY(condition_block),
    HARNESS_ENTRY(condition_order), HARNESS_ENTRY(condition_alone)};

#define WRAPS 0xfffffffau /* waits after which tickets soon wrap */

/* A mutex, followed by two conditions. Both conditions start after `start` waits. */
static void make(harness *h, uint32_t kind, weir_condition_options options, uint32_t start,
                 int without, harness_object objects[3])
{
	harness_order orders[] = {
	    {.primitive = WEIR_PRIMITIVE_MUTEX, .kind = kind, .without = without},
	    {.primitive = WEIR_PRIMITIVE_CONDITION, .options.condition = options},
	    {.primitive = WEIR_PRIMITIVE_CONDITION, .options.condition = options}};

	harness_make_row(h, orders, 3, objects);
	objects->launch.params.width = objects[2].at - objects[1].at;
	objects->launch.params.base = start;
	objects->launch.params.hold = 1;
	harness_run_grid(h, objects, "condition_start", 1, 1, 0);
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

/* Whether each item was taken out once. */
static int each_once(const harness *h, uint32_t threads, uint32_t total)
{
	const uint32_t *marks = h->copy + CONDITION_CELLS + CONDITION_RING * threads;

	for (uint32_t i = 0; i < total; i++)
		if (marks[i] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0 && h->copy[CONDITION_HEAD] == total;
}

static uint32_t threads_for(const harness *h)
{
	return h->info.is_gpu ? 128 : harness_threads(h, 5);
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
static void pass(harness *h, const char *name, uint32_t kind, const struct way *way,
                 uint32_t blocks, uint32_t start, int without)
{
	const weir_condition_options options = {.waiters = blocks, .object.compact = start == 0};
	uint32_t producers = blocks / 2;
	uint32_t threads = way->is_block ? threads_for(h) : 1;
	harness_object o[3];
	uint32_t late = 0;
	int right = 1;

	if (blocks < 2 || (way->is_block && h->info.machine == WEIR_MACHINE_OPENCL))
		return;
	make(h, kind, options, start, without, o);
	o->launch.params.rounds = items_each(h, way, producers);
	o->launch.params.value = producers | (way->is_one ? CONDITION_ONE : 0);
	o->launch.params.length = !way->has_limit ? 0 : h->info.is_gpu ? 50000 : 200000;
	for (uint32_t i = 0; i < (without ? 1 : 2); i++) {
		o->launch.params.seed = blocks + i;
		harness_run_grid(h, o, way->is_block ? "condition_block" : "condition_pass", blocks,
		                 threads, 1);
		right &= each_once(h, threads, producers * o->launch.params.rounds);
		late += h->copy[CONDITION_LATE];
	}
	harness_verdict(h, right, without, "%s: %s, %u blocks of %u, %u items each, %u late%s",
	                name, way->what, blocks, threads, o->launch.params.rounds, late,
	                start ? ", across the wrap" : "");
	harness_unmake_row(h, o, 3);
}

static int has(const uint32_t *list, uint32_t count, uint32_t value)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == value)
			return 1;
	return 0;
}

/* Whether the blocks that stayed were woken in the order of their arrival, the last ones in any
 * order. */
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

static void order(harness *h, const char *name, uint32_t kind, uint32_t blocks, uint32_t start,
                  int has_limit, int without)
{
	const weir_condition_options options = {.waiters = blocks};
	harness_object o[3];

	if (blocks < 2)
		return;
	make(h, kind, options, start, without, o);
	o->launch.params.length = !has_limit ? 0 : h->info.is_gpu ? 1000000 : 5000000;
	o->launch.params.seed = blocks;
	harness_run_grid(h, o, "condition_order", blocks, 1, 1);
	harness_verdict(h, in_order(h, blocks, has_limit), without,
	                "%s: first come, first served, %u blocks%s%s", name, blocks,
	                has_limit ? ", every second one gives up" : "",
	                start ? ", across the wrap" : "");
	harness_unmake_row(h, o, 3);
}

/* A lone thread has all tickets. */
static void alone(harness *h, uint32_t slots, uint32_t start)
{
	const weir_condition_options options = {.waiters = slots};
	harness_object o[3];

	make(h, WEIR_MUTEX_DEFAULT, options, start, 0, o);
	o->launch.params.rounds = 5000;
	o->launch.params.seed = slots;
	harness_run_grid(h, o, "condition_alone", 1, 1, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0 && h->copy[HARNESS_MOST] != 0, 0,
	                "tickets taken and given up at random, %u slots, full %u times%s", slots,
	                h->copy[HARNESS_MOST], start ? ", across the wrap" : "");
	harness_unmake_row(h, o, 3);
}

static void test_default(harness *h)
{
	uint32_t counts[5];
	uint32_t count = harness_block_counts(h, "condition_pass", threads_for(h), counts);

	alone(h, 32, 0);
	alone(h, 64, WRAPS);
	for (uint32_t i = 0; i < count; i++) {
		for (size_t w = 0; w < WAYS; w++) {
			if (ways[w].is_one && h->info.is_gpu && counts[i] > 256)
				continue; /* each broadcast would wake thousands */
			pass(h, "default", WEIR_MUTEX_DEFAULT, &ways[w], counts[i], 0, 0);
			pass(h, "default", WEIR_MUTEX_DEFAULT, &ways[w], counts[i], WRAPS, 0);
		}
		order(h, "default", WEIR_MUTEX_DEFAULT, counts[i], 0, 0, 0);
		order(h, "default", WEIR_MUTEX_DEFAULT, counts[i], WRAPS, 0, 0);
		order(h, "default", WEIR_MUTEX_DEFAULT, counts[i], WRAPS, 1, 0);
	}
}

/* Each kind passes items on in another way. */
static void test_kind(harness *h, const weir_kind *kind)
{
	size_t way = 1;
	uint32_t counts[5];
	uint32_t count = harness_block_counts(h, "condition_pass", threads_for(h), counts);
	uint32_t blocks = counts[count > 2 ? 2 : count - 1];

	while (weir_kind_at(WEIR_PRIMITIVE_MUTEX, way - 1) != kind)
		way++;
	pass(h, kind->name, kind->value, &ways[way % WAYS], blocks, 0, 0);
	order(h, kind->name, kind->value, blocks, WRAPS, 1, 0);
}

static void test_taken_out(harness *h)
{
	uint32_t counts[5];
	uint32_t count = harness_block_counts(h, "condition_pass", threads_for(h), counts);
	uint32_t blocks = counts[count - 1];

	HARNESS_MUST_NOTICE(h, pass(h, "default", WEIR_MUTEX_DEFAULT, &ways[0], blocks, 0, 1));
	HARNESS_MUST_NOTICE(h, order(h, "default", WEIR_MUTEX_DEFAULT, blocks, 0, 0, 1));
}

static const harness_family family = {.name = "condition",
                                      .primitive = WEIR_PRIMITIVE_MUTEX,
                                      .all = test_default,
                                      .kind = test_kind,
                                      .without = test_taken_out};

HARNESS_MAIN(&family, entries)
