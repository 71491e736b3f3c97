/* Objects in the caller's memory: where they lie, which bytes they leave alone, and what a reset
 * restores. The memory is a buffer, so that the test can read it. */
#include "api.h"

#include "weir/kind.h"
#include "weir/rows.h"

#include <string.h>

#define MEMORY_BYTES 4096u
#define OFFSET 512u
#define FILLER 0x5a

static weir_buffer memory;

static int make_memory(void **state)
{
	(void)state;
	api_ok(weir_buffer_create(api_device, MEMORY_BYTES, &memory));
	return 0;
}

static int free_memory(void **state)
{
	(void)state;
	api_ok(weir_buffer_destroy(api_device, &memory));
	return 0;
}

static weir_object_options at(size_t offset, int compact)
{
	return (weir_object_options){.compact = compact,
	                             .memory = memory.native,
	                             .memory_offset = offset,
	                             .memory_bytes = MEMORY_BYTES - offset};
}

static void fill(void)
{
	static unsigned char filler[MEMORY_BYTES];
	memset(filler, FILLER, sizeof filler);
	api_ok(weir_buffer_write(api_device, memory, 0, filler, sizeof filler));
}

static void look(unsigned char *copy)
{
	api_ok(weir_buffer_read(api_device, memory, 0, copy, MEMORY_BYTES));
}

static void check_filler(const unsigned char *copy, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		assert_int_equal(copy[i], FILLER);
}

/* Creation writes the object and nothing beside it. So does a reset, which restores exactly what
 * creation wrote. Destruction leaves the memory to the caller. `disturb` must change the words. */
#define placed_and_reset(type, object_bytes, create, disturb)                                      \
	do {                                                                                       \
		static unsigned char before[MEMORY_BYTES], between[MEMORY_BYTES],                  \
		    after[MEMORY_BYTES];                                                           \
		weir_##type handle;                                                                \
		fill();                                                                            \
		api_ok(create);                                                                    \
		look(before);                                                                      \
		check_filler(before, 0, OFFSET);                                                   \
		check_filler(before, OFFSET + (object_bytes), MEMORY_BYTES);                       \
		disturb;                                                                           \
		look(between);                                                                     \
		assert_memory_not_equal(between, before, MEMORY_BYTES);                            \
		check_filler(between, 0, OFFSET);                                                  \
		check_filler(between, OFFSET + (object_bytes), MEMORY_BYTES);                      \
		api_ok(weir_##type##_reset(api_device, handle));                                   \
		look(after);                                                                       \
		assert_memory_equal(after, before, MEMORY_BYTES);                                  \
		api_ok(weir_##type##_destroy(api_device, &handle));                                \
		api_fails(weir_##type##_destroy(api_device, &handle), WEIR_NOT_FOUND);             \
		look(after);                                                                       \
	} while (0)

static void place_mutex(weir_mutex_kind kind, int compact)
{
	weir_mutex_options options = {.object = at(OFFSET, compact)};
	size_t bytes, alignment;

	if (weir_kind_find(WEIR_PRIMITIVE_MUTEX, kind)->queue != WEIR_QUEUE_NONE)
		options.queue_slots = 4;
	api_ok(weir_mutex_size(api_device, api_of_kind(options, kind), &bytes, &alignment));
	placed_and_reset(
	    mutex, bytes, weir_mutex_create(api_device, api_of_kind(options, kind), &handle),
	    api_run_kernel((api_run){
		"api_mutex", handle.words, {{.mutex = handle.config}, 1, 1}, 1, 1, NULL}));
}

static void mutexes(void **state)
{
	(void)state;
#define ROW(name, NAME, ...)                                                                       \
	place_mutex(WEIR_MUTEX_##NAME, 0);                                                         \
	place_mutex(WEIR_MUTEX_##NAME, 1);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
}

static void place_array(weir_mutex_kind kind, int compact)
{
	weir_mutex_array_options options = {.object = at(OFFSET, compact)};
	size_t bytes, alignment;

	api_ok(
	    weir_mutex_array_size(api_device, 7, api_of_kind(options, kind), &bytes, &alignment));
	placed_and_reset(
	    mutex_array, bytes,
	    weir_mutex_array_create(api_device, 7, api_of_kind(options, kind), &handle),
	    api_run_kernel((api_run){"api_mutex_array",
	                             handle.words,
	                             {{.mutex_array = handle.config}, 1, 1},
	                             1,
	                             1,
	                             NULL}));
}

static void arrays(void **state)
{
	(void)state;
	place_array(WEIR_MUTEX_SPIN, 0);
	place_array(WEIR_MUTEX_SPIN, 1);
	place_array(WEIR_MUTEX_TICKET, 1);
}

static void place_semaphore(weir_semaphore_kind kind, uint32_t initial)
{
	weir_semaphore_options options = {.object = at(OFFSET, 0)};
	size_t bytes, alignment;
	uint32_t what = initial ? API_WAIT : API_POST;

	api_ok(
	    weir_semaphore_size(api_device, 3, 3, api_of_kind(options, kind), &bytes, &alignment));
	placed_and_reset(
	    semaphore, bytes,
	    weir_semaphore_create(api_device, initial, 3, api_of_kind(options, kind), &handle),
	    api_run_kernel((api_run){"api_semaphore",
	                             handle.words,
	                             {{.semaphore = handle.config}, initial ? initial : 3, what},
	                             1,
	                             1,
	                             NULL}));
}

static void semaphores(void **state)
{
	(void)state;
	for (uint32_t initial = 0; initial <= 3; initial++) {
#define ROW(name, NAME, ...) place_semaphore(WEIR_SEMAPHORE_##NAME, initial);
		WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
	}
}

static void place_barrier(weir_barrier_kind kind)
{
	weir_barrier_options options = {.object = at(OFFSET, 0)};
	size_t bytes, alignment;

	api_ok(weir_barrier_size(api_device, 2, api_of_kind(options, kind), &bytes, &alignment));
	placed_and_reset(
	    barrier, bytes, weir_barrier_create(api_device, 2, api_of_kind(options, kind), &handle),
	    api_run_kernel((api_run){
		"api_barrier", handle.words, {{.barrier = handle.config}, 3, 0}, 2, 4, &handle}));
}

static void barriers(void **state)
{
	(void)state;
	place_barrier(WEIR_BARRIER_ATOMIC);
	place_barrier(WEIR_BARRIER_XF);
}

/* Several objects in the same memory do not disturb each other, and each one is found again. */
static void neighbours(void **state)
{
	weir_mutex mutexes[8];
	weir_mutex_options options = {.kind = WEIR_MUTEX_SPIN};

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		options.object = at(i * 4, 1);
		api_ok(weir_mutex_create(api_device, &options, &mutexes[i]));
	}
	/* Keep the odd ones locked: if that disturbed an even one, the next lock would not end. */
	for (size_t i = 1; i < 8; i += 2)
		api_run_kernel((api_run){"api_mutex",
		                         mutexes[i].words,
		                         {{.mutex = mutexes[i].config}, 1, 1},
		                         1,
		                         1,
		                         NULL});
	api_clear_data();
	for (size_t i = 0; i < 8; i += 2)
		api_run_kernel((api_run){"api_mutex",
		                         mutexes[i].words,
		                         {{.mutex = mutexes[i].config}, 5, 0},
		                         3,
		                         2,
		                         NULL});
	assert_int_equal(api_datum(0), 4 * 5 * 3);
	api_ok(weir_mutex_reset(api_device, mutexes[1]));
	api_run_kernel((api_run){
	    "api_mutex", mutexes[1].words, {{.mutex = mutexes[1].config}, 1, 0}, 1, 1, NULL});
	uint32_t words[8];
	api_ok(weir_buffer_read(api_device, memory, 0, words, sizeof words));
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(words[i], i == 3 || i == 5 || i == 7);
	for (size_t i = 0; i < 8; i++)
		api_ok(weir_mutex_destroy(api_device, &mutexes[i]));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(mutexes, make_memory, free_memory),
	    cmocka_unit_test_setup_teardown(arrays, make_memory, free_memory),
	    cmocka_unit_test_setup_teardown(semaphores, make_memory, free_memory),
	    cmocka_unit_test_setup_teardown(barriers, make_memory, free_memory),
	    cmocka_unit_test_setup_teardown(neighbours, make_memory, free_memory),
	};
	return api_main(argc, argv, tests);
}
