/* Queues and dispensers: bad input, sizes, kinds, placement, reset, destruction and mistakes in
 * kernels.
 *
 *   PROGRAM DEVICE            runs the tests
 *   PROGRAM DEVICE MISTAKE    makes one mistake, after which a GPU can only be closed */
#include "api.h"

#include <stdio.h>

#define NO_KIND 99

static weir_status make(uint32_t capacity, size_t bytes, const weir_queue_options *options,
                        weir_queue *q)
{
	return weir_queue_create(api_device, capacity, bytes, options, q);
}

static void bad_queues(void **state)
{
	weir_queue q;

	(void)state;
	api_refused(make(0, 4, NULL, &q), WEIR_BAD_ARGUMENT, q);
	assert_string_equal(weir_error_text(), "a queue of 0 items");
	api_refused(make((1u << 28) + 1, 4, NULL, &q), WEIR_BAD_ARGUMENT, q);
	assert_string_equal(weir_error_text(), "a queue of 268435457 items: the most is 268435456");
	api_refused(make(UINT32_MAX, 4, NULL, &q), WEIR_BAD_ARGUMENT, q);
	for (size_t size = 0; size < 12; size++)
		if (size % 4 != 0 || size == 0)
			api_refused(make(4, size, NULL, &q), WEIR_BAD_ARGUMENT, q);
	assert_string_equal(weir_error_text(),
	                    "items of 11 bytes: a multiple of 4, up to 65536, is allowed");
	api_refused(make(4, 65540, NULL, &q), WEIR_BAD_ARGUMENT, q);
	api_refused(make(4, SIZE_MAX - 3, NULL, &q), WEIR_BAD_ARGUMENT, q);
}

/* A kind that does not fit the items, or the single sides that were asked for. */
static void kinds_that_do_not_fit(void **state)
{
	weir_queue_options one = {.single = WEIR_QUEUE_ONE_PUSHES}, odd = {.single = 4};
	weir_queue q;

	(void)state;
	api_refused(weir_queue_create(api_device, 4, 8,
	                              &(weir_queue_options){.kind = WEIR_QUEUE_CELLS}, &q),
	            WEIR_BAD_ARGUMENT, q);
	assert_non_null(strstr(weir_error_text(), "use the kind lines"));
	api_refused(weir_queue_create(api_device, 4, 8, api_of_kind(one, WEIR_QUEUE_SINGLE), &q),
	            WEIR_BAD_ARGUMENT, q);
	api_refused(weir_queue_create(api_device, 4, 4,
	                              &(weir_queue_options){.kind = WEIR_QUEUE_SINGLE}, &q),
	            WEIR_BAD_ARGUMENT, q);
	api_refused(weir_queue_create(api_device, 4, 4, api_of_kind(one, WEIR_QUEUE_CELLS), &q),
	            WEIR_BAD_ARGUMENT, q);
	api_refused(weir_queue_create(api_device, 4, 4, api_of_kind(one, WEIR_QUEUE_LINES), &q),
	            WEIR_BAD_ARGUMENT, q);
	assert_non_null(strstr(weir_error_text(), "the kind single, and no other"));
	api_refused(make(4, 4, &odd, &q), WEIR_BAD_ARGUMENT, q);
	assert_non_null(strstr(weir_error_text(), "WEIR_QUEUE_ONE_PUSHES"));
}

static weir_queue created(uint32_t capacity, size_t bytes, const weir_queue_options *options)
{
	weir_queue q;

	api_ok(make(capacity, bytes, options, &q));
	return q;
}

/* The size of items chooses the kind, and the capacity is rounded up. */
static void defaults(void **state)
{
	static const uint32_t rounded[][2] = {{1, 1}, {2, 2}, {3, 4}, {1000, 1024}, {1024, 1024}};
	const weir_queue_options both = {.single = WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS};
	weir_queue q;

	(void)state;
	for (size_t i = 0; i < sizeof rounded / sizeof rounded[0]; i++) {
		q = created(rounded[i][0], 4, NULL);
		assert_int_equal(weir_queue_capacity(q), rounded[i][1]);
		assert_int_equal(q.config.kind, WEIR_QUEUE_CELLS);
		api_ok(weir_queue_destroy(api_device, &q));
	}
	q = created(4, 8, NULL);
	assert_int_equal(q.config.kind, WEIR_QUEUE_LINES);
	assert_int_equal(q.config.words, 2);
	api_ok(weir_queue_destroy(api_device, &q));
	q = created(4, 4, &both);
	assert_int_equal(q.config.kind, WEIR_QUEUE_SINGLE);
	api_ok(weir_queue_destroy(api_device, &q));
	assert_string_equal(weir_queue_kind_name(WEIR_QUEUE_LINES), "lines");
	assert_string_equal(weir_queue_kind_name(0), "default");
	assert_null(weir_queue_kind_name(NO_KIND));
}

static size_t bytes_of(weir_queue_kind kind, uint32_t capacity, size_t item_bytes, int compact)
{
	weir_queue_options options = {.object.compact = compact,
	                              .single =
	                                  kind == WEIR_QUEUE_SINGLE ? WEIR_QUEUE_ONE_POPS : 0};
	size_t bytes, alignment;

	api_ok(weir_queue_size(api_device, capacity, item_bytes, api_of_kind(options, kind), &bytes,
	                       &alignment));
	assert_int_equal(alignment, !compact ? 128 : kind == WEIR_QUEUE_LINES ? 4 : 8);
	return bytes;
}

static void sizes(void **state)
{
	(void)state;
	/* Fields, lines or words apart, and 8 bytes for each slot. */
	assert_int_equal(bytes_of(WEIR_QUEUE_CELLS, 1024, 4, 0), WEIR_QUEUE_HEAD * 128 + 1024 * 8);
	assert_int_equal(bytes_of(WEIR_QUEUE_CELLS, 1000, 4, 1), WEIR_QUEUE_HEAD * 4 + 1024 * 8);
	assert_int_equal(bytes_of(WEIR_QUEUE_SINGLE, 2, 4, 0), WEIR_QUEUE_HEAD * 128 + 2 * 8);
	/* A turn and the item, in a power of two up to a line, or in whole lines. */
	assert_int_equal(bytes_of(WEIR_QUEUE_LINES, 8, 4, 0), WEIR_QUEUE_HEAD * 128 + 8 * 16);
	assert_int_equal(bytes_of(WEIR_QUEUE_LINES, 8, 12, 0), WEIR_QUEUE_HEAD * 128 + 8 * 16);
	assert_int_equal(bytes_of(WEIR_QUEUE_LINES, 8, 16, 0), WEIR_QUEUE_HEAD * 128 + 8 * 32);
	assert_int_equal(bytes_of(WEIR_QUEUE_LINES, 8, 124, 0), WEIR_QUEUE_HEAD * 128 + 8 * 128);
	assert_int_equal(bytes_of(WEIR_QUEUE_LINES, 8, 128, 0), WEIR_QUEUE_HEAD * 128 + 8 * 256);
	assert_int_equal(bytes_of(WEIR_QUEUE_LINES, 8, 16, 1), WEIR_QUEUE_HEAD * 4 + 8 * 20);
	/* The size does not wrap at 2^32 bytes. */
	assert_true(bytes_of(WEIR_QUEUE_LINES, 1u << 28, 65536, 0) > (size_t)1 << 44);
}

/* More than any device has. */
static void no_memory(void **state)
{
	weir_queue q;

	(void)state;
	api_refused(make(1u << 28, 65536, NULL, &q), WEIR_NO_MEMORY, q);
}

/* The sum of `rounds` items that were passed through the queue, and its length after that. */
static uint32_t sum_of(weir_queue q, uint32_t rounds, uint32_t leaves, uint32_t length)
{
	api_clear_data();
	api_run_kernel((api_run){
	    "api_queue_pass", q.words, {{.queue = q.config}, rounds, leaves}, 1, 1, NULL});
	assert_int_equal(api_datum(1), length);
	return api_datum(0);
}

/* Items stay from launch to launch, until the queue is reset. */
static void use(size_t bytes, const weir_queue_options *options)
{
	weir_queue q;

	api_ok(weir_queue_create(api_device, 3, bytes, options, &q));
	assert_int_equal(sum_of(q, 9, 0, 0), 45);
	assert_int_equal(sum_of(q, 3, 1, 1), 1 + 2); /* and 3 stays */
	assert_int_equal(sum_of(q, 2, 0, 1), 3 + 1); /* and 2 stays */
	api_ok(weir_queue_reset(api_device, q));
	assert_int_equal(sum_of(q, 4, 0, 0), 10);
	api_ok(weir_queue_destroy(api_device, &q));
}

static void placed(weir_queue_kind kind, size_t item_bytes, weir_queue_options options)
{
	size_t bytes, alignment;

	options.object.compact = 1;
	api_ok(weir_queue_size(api_device, 3, item_bytes, api_of_kind(options, kind), &bytes,
	                       &alignment));
	api_place place = api_place_begin(&options.object, bytes);
	use(item_bytes, &options);
	api_place_end(&place);
}

static void use_and_reset(void **state)
{
	weir_queue_options one = {.single = WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS};
	const weir_queue_options none = {.single = 0};

	(void)state;
	use(4, &(weir_queue_options){.kind = WEIR_QUEUE_CELLS});
	use(4, api_of_kind(one, WEIR_QUEUE_SINGLE));
	use(4, &(weir_queue_options){.kind = WEIR_QUEUE_LINES});
	use(20, &(weir_queue_options){.kind = WEIR_QUEUE_LINES});
	placed(WEIR_QUEUE_CELLS, 4, none);
	placed(WEIR_QUEUE_SINGLE, 4, one);
	placed(WEIR_QUEUE_LINES, 12, none);
}

/* After a close pushes are refused, and pops end when the queue is empty. The blocks leave, so it is
 * open again in the next launch. */
static void closes(void **state)
{
	static const weir_status results[] = {WEIR_OK,     WEIR_CLOSED, WEIR_OK,
	                                      WEIR_CLOSED, WEIR_CLOSED, WEIR_CLOSED};
	weir_queue q = created(2, 4, NULL);

	(void)state;
	for (int launch = 0; launch < 3; launch++) {
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_queue_close", q.words, {{.queue = q.config}, 0, 5}, 1, 1, NULL});
		for (uint32_t i = 0; i < sizeof results / sizeof results[0]; i++)
			assert_int_equal(api_datum(i), results[i]);
	}
	api_ok(weir_queue_destroy(api_device, &q));
}

static void bad_dispensers(void **state)
{
	const weir_dispenser_options takers = {.takers = 1025};
	weir_dispenser d;
	size_t bytes, alignment;

	(void)state;
	api_refused(weir_dispenser_create(api_device, 9, &takers, &d), WEIR_BAD_ARGUMENT, d);
	assert_string_equal(weir_error_text(), "1025 takers in a block: the most is 1024");
	api_ok(weir_dispenser_size(api_device, 9, NULL, &bytes, &alignment));
	assert_int_equal(bytes, 128 + 4);
	assert_int_equal(alignment, 128);
}

/* Every item is taken once; each block takes `n` at a time. */
static void takes_all(weir_dispenser d, uint32_t blocks, uint32_t n)
{
	api_clear_data();
	api_run_kernel((api_run){
	    "api_dispenser_take", d.words, {{.dispenser = d.config}, n, 0}, blocks, 1, NULL});
	for (uint32_t i = 0; i < d.config.items; i++)
		assert_int_equal(api_datum(i), 1);
	assert_int_equal(api_datum(d.config.items), 0);
}

/* Launches of different sizes need no reset between them. A launch that stopped early needs one. */
static void dispensers(void **state)
{
	static const uint32_t shares[] = {0, 1, 7, UINT32_MAX};
	weir_dispenser d;

	(void)state;
	for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
		const weir_dispenser_options options = {.share = shares[i]};

		api_ok(weir_dispenser_create(api_device, 23, &options, &d));
		takes_all(d, 1, 1);
		takes_all(d, 4, 3);
		takes_all(d, 3, 100);
		api_run_kernel((api_run){
		    "api_dispenser_take", d.words, {{.dispenser = d.config}, 2, 1}, 2, 1, NULL});
		api_ok(weir_dispenser_reset(api_device, d));
		takes_all(d, 2, 5);
		api_ok(weir_dispenser_destroy(api_device, &d));
	}
	/* No items at creation: the kernel says how many there are. */
	api_ok(weir_dispenser_create(api_device, 0, NULL, &d));
	takes_all(d, 2, 1);
	takes_all(weir_dispenser_of(d, 11), 2, 1);
	api_ok(weir_dispenser_destroy(api_device, &d));
}

/* A graph of two tasks; the second follows the first. */
static weir_tasks two_tasks(void)
{
	static const uint32_t first[] = {0, 1, 1}, successors[] = {1};
	const weir_graph graph = {.tasks = 2, .first = first, .successors = successors};
	const weir_tasks_options options = {.room = 4};
	weir_tasks t;

	api_ok(weir_tasks_create(api_device, &graph, &options, &t));
	return t;
}

/* The mistakes that end a launch, and what its error then says. */
static const struct mistake {
	uint32_t operation;
	uint32_t number;
	const char *said;
} mistakes[] = {
#ifdef WEIR_WAIT_LIMIT_NS
    {API_POP_NOTHING, 0, "a wait passed its limit"},
    {API_PUSH_FULL, 0, "a wait passed its limit"},
#else
    {API_PUSH_SIZE, 2, "an item of 2 words for a queue whose items have another size"},
    {API_POP_SIZE, 3, "an item of 3 words for a queue whose items have another size"},
    {API_TRY_SIZE, 0, "an item of 0 words for a queue whose items have another size"},
    {API_PUSH_BATCH, 3, "a batch of 3 items for a smaller queue"},
    {API_POP_BATCH, 4, "a batch of 4 items for a smaller queue"},
    {API_TAKE_NONE, 0, "a take of 0 items from a dispenser"},
    {API_ADD_TASK, 1, "task 1 was added: its number must come after those of the graph"},
    {API_ADD_TASK, UINT32_MAX, "was added: its number must come after those of the graph"},
    {API_ADD_CLASS, 2, "task 2 was added"},
#endif
};

#define MISTAKES (sizeof mistakes / sizeof mistakes[0])

static const char *make_mistake(uint32_t number)
{
	const struct mistake *mistake = &mistakes[number];
	api_run run = {"api_queue_mistake", NULL, {.rounds = mistake->number}, 1, 4, NULL};

	run.params.value = mistake->operation;
	if (mistake->operation == API_TAKE_NONE) {
		weir_dispenser d;

		api_ok(weir_dispenser_create(api_device, 1, NULL, &d));
		run.words = d.words;
		run.params.config.dispenser = d.config;
	} else if (mistake->operation >= API_ADD_TASK) {
		weir_tasks t = two_tasks();

		run.words = t.words;
		run.params.config.tasks = t.config;
	} else {
		weir_queue q = created(2, 4, NULL);

		run.words = q.words;
		run.params.config.queue = q.config;
	}
	api_end_launch(&run);
	return mistake->said;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_queues), cmocka_unit_test(kinds_that_do_not_fit),
	    cmocka_unit_test(defaults),   cmocka_unit_test(sizes),
	    cmocka_unit_test(no_memory),  cmocka_unit_test(use_and_reset),
	    cmocka_unit_test(closes),     cmocka_unit_test(bad_dispensers),
	    cmocka_unit_test(dispensers),
	};
	const api_mistakes all = {MISTAKES, MISTAKES, make_mistake};
	int failed = 0;

	if (api_begin(argc, argv))
		return API_SKIPPED;
	if (argc > 2)
		return api_make_mistake(all, argv[2]);
#ifndef WEIR_WAIT_LIMIT_NS
	failed = cmocka_run_group_tests(tests, api_setup, api_teardown);
#else
	(void)tests;
#endif
	failed += api_check_mistakes(all, argv);
	return failed != 0;
}
