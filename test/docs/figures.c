/* The figures that the documents state, from the code.
 *
 *   bytes PRIMITIVE KIND compact|padded N S BYTES   of an object: N blocks, S shards, slots or items
 *   fact NAME VALUE                                 anything else that is counted
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "weir/device.h"
#include "weir/diagnosis/area.h"
#include "weir/profile.h"
#include "weir/weir.h"

static weir_device *device;

static void need(weir_status status, const char *what)
{
	if (status == WEIR_OK)
		return;
	printf("FAILED %s: %s\n", what, weir_error_text());
	exit(1);
}

struct size {
	const char *primitive;
	const char *kind;
	int compact;
	uint32_t blocks;
	uint32_t parts;
};

static void print_bytes(const struct size *size, size_t bytes)
{
	printf("bytes %s %s %s %u %u %zu\n", size->primitive, size->kind,
	       size->compact ? "compact" : "padded", size->blocks, size->parts, bytes);
}

static void barrier_bytes(uint32_t kind, const char *name, int shaped, int compact)
{
	static const uint32_t blocks[] = {1, 32, 33, 96, 1024};
	static const weir_shape shapes[] = {{0}, {1}, {3}, {WEIR_SHAPE_BITS_MOST}};

	for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
		for (size_t k = 0; k < (shaped ? sizeof shapes / sizeof shapes[0] : 1); k++) {
			weir_barrier_options options = {.kind = (weir_barrier_kind)kind,
			                                .object.compact = compact,
			                                .shards =
			                                    shaped ? 1u << shapes[k].bits : 0};
			struct size size = {"barrier", name, compact, blocks[i],
			                    1u << shapes[k].bits};
			size_t bytes, alignment;

			if (blocks[i] < size.parts)
				continue;
			need(weir_barrier_size(device, blocks[i], &options, &bytes, &alignment),
			     name);
			print_bytes(&size, bytes);
		}
}

/* The host cannot make this object, but knows how many words it takes. */
static void vendor_barrier_bytes(uint32_t kind, const char *name, int compact)
{
	weir_barrier_config config = {.kind = kind, .pitch = compact ? 1 : WEIR_LINE_WORDS};
	struct size size = {"barrier", name, compact, 1, 1};

	print_bytes(&size, weir_barrier_words(config) * sizeof(weir_word));
}

static void mutex_bytes(uint32_t kind, const char *name, int compact)
{
	static const uint32_t slots[] = {2, 64, 1024};

	for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
		weir_mutex_options options = {
		    .kind = (weir_mutex_kind)kind,
		    .object.compact = compact,
		    .queue_slots =
			weir_kind_find(WEIR_PRIMITIVE_MUTEX, kind)->queue == WEIR_QUEUE_NONE
			    ? 0
			    : slots[i]};
		struct size size = {"mutex", name, compact, 1, slots[i]};
		size_t bytes, alignment;

		need(weir_mutex_size(device, &options, &bytes, &alignment), name);
		print_bytes(&size, bytes);
	}
}

static void array_bytes(uint32_t kind, const char *name, int compact)
{
	weir_mutex_array_options options = {.kind = (weir_mutex_kind)kind,
	                                    .object.compact = compact};
	struct size size = {"array", name, compact, 1, 1};
	size_t bytes, alignment;
	weir_status status = weir_mutex_array_size(device, 1, &options, &bytes, &alignment);

	if (status == WEIR_UNSUPPORTED)
		return;
	need(status, name);
	print_bytes(&size, bytes);
}

static void semaphore_bytes(uint32_t kind, const char *name, int compact)
{
	weir_semaphore_options options = {.kind = (weir_semaphore_kind)kind,
	                                  .object.compact = compact};
	struct size size = {"semaphore", name, compact, 1, 1};
	size_t bytes, alignment;

	need(weir_semaphore_size(device, 10, 10, &options, &bytes, &alignment), name);
	print_bytes(&size, bytes);
}

/* The bytes of an array of one. */
static void event_bytes(uint32_t kind, const char *name, int parts, int compact)
{
	for (uint32_t bits = 0; bits <= (parts ? WEIR_EVENT_BITS_MOST : 0u); bits++) {
		weir_event_array_options options = {
		    .kind = (weir_event_kind)kind,
		    .object.compact = compact,
		    .copies = parts == WEIR_PARTS_COPIES ? 1u << bits : 0,
		    .shards = parts == WEIR_PARTS_SHARDS ? 1u << bits : 0};
		struct size size = {"event", name, compact, 1, 1u << bits};
		size_t bytes, alignment;

		need(weir_event_array_size(device, 1, &options, &bytes, &alignment), name);
		print_bytes(&size, bytes);
	}
}

/* The bytes of queues whose items have 4 bytes. */
static void queue_bytes(uint32_t kind, const char *name, int compact)
{
	for (uint32_t items = 1; items <= 1024; items *= 32) {
		weir_queue_options options = {
		    .kind = (weir_queue_kind)kind,
		    .object.compact = compact,
		    .single = kind == WEIR_QUEUE_SINGLE ? WEIR_QUEUE_ONE_PUSHES : 0};
		struct size size = {"queue", name, compact, 1, items};
		size_t bytes, alignment;

		need(weir_queue_size(device, items, sizeof(uint32_t), &options, &bytes, &alignment),
		     name);
		print_bytes(&size, bytes);
	}
}

static void rwlock_bytes(uint32_t kind, const char *name, int parts, int compact)
{
	for (uint32_t bits = 0; bits <= (parts ? WEIR_RWLOCK_BITS_MOST : 0u); bits++) {
		weir_rwlock_options options = {.kind = (weir_rwlock_kind)kind,
		                               .object.compact = compact,
		                               .reader_counts =
		                                   parts == WEIR_PARTS_NONE ? 0 : 1u << bits};
		struct size size = {"rwlock", name, compact, 1, 1u << bits};
		size_t bytes, alignment;

		need(weir_rwlock_size(device, &options, &bytes, &alignment), name);
		print_bytes(&size, bytes);
	}
}

/* The bytes of a condition with that many slots. */
static size_t condition_bytes(uint32_t slots, int compact)
{
	weir_condition_options options = {.object.compact = compact, .waiters = slots};
	size_t bytes, alignment;

	need(weir_condition_size(device, &options, &bytes, &alignment), "a condition");
	return bytes;
}

static size_t once_bytes(void)
{
	size_t bytes, alignment;

	need(weir_once_size(device, NULL, &bytes, &alignment), "a once");
	return bytes;
}

/* The bytes of a combiner for 32 times that many blocks. */
static size_t combine_bytes(uint32_t rows, uint32_t words)
{
	weir_combiner_options options = {.words = words};
	size_t bytes, alignment;

	need(weir_combiner_size(device, 32 * rows, &options, &bytes, &alignment), "a combiner");
	return bytes;
}

static size_t dispenser_bytes(int compact)
{
	weir_dispenser_options options = {.object.compact = compact};
	size_t bytes, alignment;

	need(weir_dispenser_size(device, 1, &options, &bytes, &alignment), "a dispenser");
	return bytes;
}

/* A graph of that many tasks, whose queue has room for 4, with that many edges from task 0 to task
 * 1. */
static size_t tasks_bytes(uint32_t tasks, uint32_t edges)
{
	static const uint32_t successors[] = {1, 1, 1, 1};
	const uint32_t first[] = {0, edges, edges, edges, edges};
	const weir_graph graph = {.tasks = tasks, .first = first, .successors = successors};
	const weir_tasks_options options = {.room = 4 - tasks};
	size_t bytes, alignment;

	need(weir_tasks_size(device, &graph, &options, &bytes, &alignment), "a graph");
	return bytes;
}

static void all_bytes(void)
{
	for (int compact = 0; compact <= 1; compact++) {
#define ROW(name, NAME, value, shape, ...)                                                         \
	barrier_bytes(value, #name, (shape) == WEIR_SHAPE_COUNTERS, compact);
		WEIR_BARRIER_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, ...) vendor_barrier_bytes(value, #name, compact);
		WEIR_BARRIER_KINDS_OF_VENDOR_(WEIR_ROW_ALONE_, ROW)
#undef ROW
#define ROW(name, NAME, value, ...)                                                                \
	mutex_bytes(value, #name, compact);                                                        \
	array_bytes(value, #name, compact);
		WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, ...) semaphore_bytes(value, #name, compact);
		WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, parts, ...) event_bytes(value, #name, parts, compact);
		WEIR_EVENT_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, ...) queue_bytes(value, #name, compact);
		WEIR_QUEUE_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, parts, ...) rwlock_bytes(value, #name, parts, compact);
		WEIR_RWLOCK_KINDS(ROW)
#undef ROW
	}
}

static void fact(const char *name, size_t value)
{
	printf("fact %s %zu\n", name, value);
}

/* The first edge removes task 1 from the roots, and each task after that is one more root. */
static void task_facts(void)
{
	size_t edge = tasks_bytes(2, 2) - tasks_bytes(2, 1);
	size_t root = tasks_bytes(2, 0) + edge - tasks_bytes(2, 1);

	fact("edge_bytes", edge);
	fact("root_bytes", root);
	fact("task_bytes", tasks_bytes(3, 1) - tasks_bytes(2, 1) - root);
}

static void lock_facts(void)
{
	size_t seat = (combine_bytes(2, 1) - combine_bytes(1, 1)) / 32;
	size_t word = (combine_bytes(1, 2) - combine_bytes(1, 1)) / 32;

	fact("condition_bytes", condition_bytes(64, 0) - 64 / 8);
	fact("condition_compact_bytes", condition_bytes(64, 1) - 64 / 8);
	fact("once_bytes", once_bytes());
	fact("combine_bytes", combine_bytes(1, 1) - 32 * seat);
	fact("combine_word_bytes", word);
	fact("combine_more_bytes", seat - word);
	fact("combine_words", WEIR_COMBINER_WORDS_MOST);
	fact("combine_rounds", WEIR_COMBINER_ROUNDS);
	fact("most_reader_counts", 1u << WEIR_RWLOCK_BITS_MOST);
}

int main(void)
{
	unsetenv("WEIR_HOST_THREADS"); /* nothing is launched */
	need(weir_device_open("host", &device), "the host");
	all_bytes();
	fact("dispenser_bytes", dispenser_bytes(0));
	fact("dispenser_compact_bytes", dispenser_bytes(1));
	task_facts();
	lock_facts();
	fact("barrier_words", WEIR_BARRIER_WORDS(132));
	fact("line_bytes", WEIR_LINE_WORDS * sizeof(weir_word));
	fact("near_slots", WEIR_DSMEM_SLOTS);
	fact("near_bytes", WEIR_DSMEM_SLOTS * WEIR_DSMEM_WORDS * sizeof(weir_word));
	fact("cohort_limit", WEIR_COHORT_LIMIT);
	fact("most_shards", 1u << WEIR_SHAPE_BITS_MOST);
	fact("backoff_min", WEIR_BACKOFF_MIN);
	fact("backoff_max", WEIR_BACKOFF_MAX);
	fact("rule_pause", WEIR_RULE_PAUSE_MOST);
	fact("diagnosed_objects", WEIR_DIAGNOSED - 1);
	fact("diagnosed_blocks", WEIR_BLOCKS);
	fact("diagnosed_events", WEIR_EVENTS_NOTED);
	fact("diagnosed_event_bytes", WEIR_SIGNALS_WORDS * sizeof(weir_word));
	fact("diagnosis_header_bytes", WEIR_HEADER_WORDS * sizeof(weir_word));
	fact("name_bytes", WEIR_NAME_BYTES);
	weir_device_close(device);
	return 0;
}
