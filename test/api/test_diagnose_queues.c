/* Diagnosis of queues, dispensers and tasks: no findings about correct kernels, and findings about
 * hangs and misuse. This program is compiled with WEIR_DIAGNOSE. */
#define _POSIX_C_SOURCE 200809L
#include "reports.h"

#define BLOCKS 4
#define CAPACITY 8
#define ITEMS 10
#define TASKS 6

static weir_queue fresh_queue(weir_queue_kind kind, int compact)
{
	weir_queue_options options = {
	    .object.diagnose = 1, .object.name = "work", .object.compact = compact};
	weir_queue q;

	renew_device();
	options.single = kind == WEIR_QUEUE_SINGLE ? WEIR_QUEUE_ONE_POPS : 0;
	api_ok(weir_queue_create(api_device, CAPACITY, sizeof(uint32_t), api_of_kind(options, kind),
	                         &q));
	return q;
}

static api_run queue_run(weir_queue q, uint32_t what, uint32_t rounds)
{
	api_run run = {"api_queue", q.words, {{.queue = q.config}, rounds, what}, BLOCKS, 4, NULL};
	return run;
}

static weir_dispenser fresh_dispenser(int compact)
{
	const weir_dispenser_options options = {
	    .object.diagnose = 1, .object.name = "rows", .object.compact = compact};
	weir_dispenser d;

	renew_device();
	api_ok(weir_dispenser_create(api_device, ITEMS, &options, &d));
	return d;
}

static api_run dispenser_run(weir_dispenser d, uint32_t what)
{
	api_run run = {"api_dispenser", d.words, {{.dispenser = d.config}, 0, what},
	               BLOCKS,          4,       NULL};
	return run;
}

/* Tasks 0 and 1, then 2, then 3 and 4, then 5; `cycle` makes 4 wait for 5. */
static weir_tasks fresh_tasks(int cycle)
{
	static const uint32_t first[] = {0, 1, 2, 4, 5, 6, 6};
	static const uint32_t first_of_cycle[] = {0, 1, 2, 4, 5, 6, 7};
	static const uint32_t successors[] = {2, 2, 3, 4, 5, 5, 4};
	const weir_graph graph = {.tasks = TASKS,
	                          .first = cycle ? first_of_cycle : first,
	                          .successors = successors,
	                          .is_trusted = cycle};
	const weir_tasks_options options = {
	    .object.diagnose = 1, .object.name = "steps", .room = 4};
	weir_tasks t;

	renew_device();
	api_ok(weir_tasks_create(api_device, &graph, &options, &t));
	return t;
}

static api_run tasks_run(weir_tasks t, uint32_t what, uint32_t task)
{
	api_run run = {"api_tasks", t.words, {{.tasks = t.config}, task, what}, BLOCKS, 4, NULL};
	return run;
}

static void hang(api_run hangs, const char *const *words, const char *json)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(&hangs, arguments);

	hang_in(&launch, words, json);
}

static void end_itself(api_run fails, const char *words)
{
	weir_argument arguments[3];
	weir_launch launch = api_launch(&fails, arguments);

	end_in(&launch, words);
}

/* Several launches, which need no reset, of every kind. */
static void right_queues(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_queue_kind_name(kind); kind++)
		for (int compact = 0; compact < 2; compact++) {
			weir_queue q = fresh_queue(kind, compact);
			for (uint32_t i = 0; i < 3; i++) {
				if (kind != WEIR_QUEUE_SINGLE)
					api_run_kernel(queue_run(q, API_QUEUE_RIGHT, 50));
				api_run_kernel(queue_run(q, API_QUEUE_CLOSE, CAPACITY));
				assert_int_equal(api_datum(1), (i + 1) * CAPACITY);
				expect_nothing();
			}
		}
}

/* All blocks push three times into eight slots, and no block pops. After a reset the queue works
 * again. */
static void full(void **state)
{
	(void)state;
	for (uint32_t kind = 1; weir_queue_kind_name(kind); kind++) {
		weir_queue q = fresh_queue(kind, 0);
		hang(queue_run(q, API_QUEUE_PUSH, 3),
		     WORDS("queue_full: queue 'work' is full (8 of 8) and not closed; blocks ",
		           " wait to push, the first of them since ", " in api_kernels.h:",
		           "; no block waits to pop. ", " has waited to push to 'work' in "),
		     "\"items\": 8");
		api_ok(weir_queue_reset(api_device, q));
		api_run_kernel(queue_run(q, API_QUEUE_CLOSE, 1));
		expect_nothing();
	}
}

static void empty(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_CELLS, 1);

	(void)state;
	hang(
	    queue_run(q, API_QUEUE_POP, 1),
	    WORDS(
		"queue_empty: queue 'work' is empty (0 of 8) and not closed; block 1 waits to pop "
		"since ",
		"; no block waits to push. All blocks that have used it wait. Close the queue when "
		"there are no more items.",
		"block 1 has waited to pop from 'work' in api_kernels.h:"),
	    "\"operation\": \"pop\"");
}

/* One thread reports for its team. */
static void batches(void **state)
{
	weir_queue q;

	(void)state;
	if (api_info.machine == WEIR_MACHINE_OPENCL)
		skip();
	q = fresh_queue(WEIR_QUEUE_CELLS, 0);
	api_run_kernel(queue_run(q, API_QUEUE_BATCH, 3));
	hang(queue_run(q, API_QUEUE_POP_BATCH, 4), WORDS("; block 1 waits to pop 4 items since "),
	     "\"items\": 4");
	q = fresh_queue(WEIR_QUEUE_CELLS, 0);
	end_itself(queue_run(q, API_QUEUE_BATCH, 9), "a batch of 9 items for a smaller queue");
	expect(1, "large_batch: block 1 pushes or pops 9 items at once in api_kernels.h:");
	expect(1, ": queue 'work' holds 8. The launch ended there.");
	api_ok(weir_queue_reset(api_device, q));
	api_run_kernel(queue_run(q, API_QUEUE_RIGHT, 1));
}

static void closed(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_CELLS, 0);

	(void)state;
	api_run_kernel(queue_run(q, API_QUEUE_CLOSED, 5));
	assert_int_equal(api_datum(0), 0);
	expect(1, "pushed_after_close: block 1 pushes to queue 'work' in api_kernels.h:");
	expect(1, " after it was closed: the queue does not have the item. 5 pushes were refused");
}

static void items(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_LINES, 0);

	(void)state;
	end_itself(queue_run(q, API_QUEUE_ITEM, 2), "an item of 2 words for a queue");
	expect(1, "wrong_item: block 1 pushes or pops items of 2 words in api_kernels.h:");
	expect(1, ": those of queue 'work' have 1. The launch ended there.");
	api_ok(weir_queue_reset(api_device, q));
	api_run_kernel(queue_run(q, API_QUEUE_RIGHT, 1));
}

static void wrong_kinds(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_CELLS, 0);

	(void)state;
	q.config.kind = 17;
	end_itself(queue_run(q, API_QUEUE_POP, 1), "a queue of kind 17, which is none");
	expect(1, "wrong_kind: block 1 uses 'work' in api_kernels.h:");
}

static void shared_sides(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_SINGLE, 0);

	(void)state;
	hang(queue_run(q, API_QUEUE_SHARE, 0),
	     WORDS("shared_side: block ", " pops from queue 'work' in api_kernels.h:",
	           "the queue was made for one block at a time there"),
	     "\"kind\": \"shared_side\"");
	api_ok(weir_queue_reset(api_device, q));
	api_run_kernel(queue_run(q, API_QUEUE_CLOSE, 1));
	expect(1, "shared_side: "); /* the misuse is still known, and there is no other */
}

/* A launch that not all blocks left is found by the next one. */
static void left(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_CELLS, 0);

	(void)state;
	api_run_kernel(queue_run(q, API_QUEUE_LEAVE, 0));
	expect_nothing();
	api_run_kernel(queue_run(q, API_QUEUE_LEAVE, 0));
	expect(1, "not_left: block 1 uses queue 'work' in api_kernels.h:");
	expect(1, ", first of its launch. Of an earlier launch, 1 block has left it, and block 0 "
	          "has not: ");
	q = fresh_queue(WEIR_QUEUE_CELLS, 0);
	api_run_kernel(queue_run(q, API_QUEUE_STAY, 0));
	api_run_kernel(queue_run(q, API_QUEUE_LEAVE, 0));
	expect(1, "Of an earlier launch, 1 block has not left it: ");
	api_ok(weir_queue_reset(api_device, q));
	q = fresh_queue(WEIR_QUEUE_CELLS, 0);
	api_run_kernel(queue_run(q, API_QUEUE_LEAVE, 0));
	api_ok(weir_queue_reset(api_device, q));
	api_run_kernel(queue_run(q, API_QUEUE_RIGHT, 3));
	expect_nothing();
}

static void right_dispensers(void **state)
{
	(void)state;
	for (int compact = 0; compact < 2; compact++) {
		weir_dispenser d = fresh_dispenser(compact);
		uint32_t taken = 0;
		for (int i = 0; i < 3; i++)
			api_run_kernel(dispenser_run(d, API_DISPENSER_RIGHT));
		for (uint32_t block = 0; block < BLOCKS; block++)
			taken += api_datum(block);
		assert_int_equal(taken, 3 * ITEMS);
		expect_nothing();
	}
}

static void takes(void **state)
{
	weir_dispenser d = fresh_dispenser(0);

	(void)state;
	api_run_kernel(dispenser_run(d, API_DISPENSER_AGAIN));
	expect(1, "taken_after_none: block 1 takes from dispenser 'rows' in api_kernels.h:");
	d = fresh_dispenser(0);
	api_run_kernel(dispenser_run(d, API_DISPENSER_ONCE));
	expect_nothing();
	api_run_kernel(dispenser_run(d, API_DISPENSER_ONCE));
	expect(1, "begins_in_middle: block 1 takes from dispenser 'rows' in api_kernels.h:");
	expect(1, ", first of its launch, which begins at 3 and not at 0: ");
	d = fresh_dispenser(0);
	api_run_kernel(dispenser_run(d, API_DISPENSER_ONCE));
	api_ok(weir_dispenser_reset(api_device, d));
	api_run_kernel(dispenser_run(d, API_DISPENSER_RIGHT));
	expect_nothing();
	end_itself(dispenser_run(d, API_DISPENSER_NOTHING), "a take of 0 items");
	expect(1, "empty_take: block 1 takes 0 items from dispenser 'rows' in api_kernels.h:");
}

static void right_tasks(void **state)
{
	weir_tasks t = fresh_tasks(0);
	uint32_t runs = 2;

	(void)state;
	api_run_kernel(tasks_run(t, API_TASKS_RUN, TASKS));
	api_run_kernel(tasks_run(t, API_TASKS_RUN, TASKS));
	if (api_info.machine != WEIR_MACHINE_OPENCL) {
		api_run_kernel(tasks_run(t, API_TASKS_TEAM, TASKS));
		runs++;
	}
	for (uint32_t i = 0; i < TASKS; i++)
		assert_int_equal(api_datum(1 + i), runs);
	expect_nothing();
}

/* The block of task 2 waits for ever, and three blocks wait for it. */
static void tasks_that_hang(void **state)
{
	weir_tasks t = fresh_tasks(0);

	(void)state;
	hang(tasks_run(t, API_TASKS_HANG, 2),
	     WORDS("tasks: blocks ", " wait for a task of 'steps', the first of them since ",
	           "1 last task has not finished. ", " runs task 2 since ",
	           " has waited for a task of 'steps' in api_kernels.h:",
	           "graph of tasks 'steps', 1 unfinished"),
	     "\"task\": 2");
	api_ok(weir_tasks_reset(api_device, t));
	api_run_kernel(tasks_run(t, API_TASKS_RUN, TASKS));
	expect_nothing();
}

static void tasks_left_early(void **state)
{
	weir_tasks t = fresh_tasks(0);

	(void)state;
	hang(tasks_run(t, API_TASKS_BREAK, 2),
	     WORDS("tasks: blocks ", " runs task 2 since ",
	           "or it has left the loop before its task was finished."),
	     "\"runs\": {");
}

/* The run ends by itself. */
static void stuck_tasks(void **state)
{
	weir_tasks t = fresh_tasks(1);

	(void)state;
	api_run_kernel(tasks_run(t, API_TASKS_RUN, TASKS));
	api_fails(weir_tasks_check(api_device, t), WEIR_STUCK);
	expect(1,
	       "stuck: a run of tasks 'steps' got stuck, of blocks 0, 1, 2, 3: nothing runs, and "
	       "task 4 waits for 1 of 2: 5. The graph has a cycle. Reset the tasks.");
}

static void bad_tasks(void **state)
{
	weir_tasks t = fresh_tasks(0);

	(void)state;
	end_itself(tasks_run(t, API_TASKS_ADD, 2), "task 5 was added");
	expect(1, "bad_task: block ");
	expect(1, " adds task 5 to 'steps' in api_kernels.h:");
	expect(1, ": it has tasks up to 5, of 1 class, and added ones have a higher number. The "
	          "launch ended there.");
	api_ok(weir_tasks_reset(api_device, t));
	api_run_kernel(tasks_run(t, API_TASKS_RUN, TASKS));
}

static void destroyed(void **state)
{
	weir_queue q = fresh_queue(WEIR_QUEUE_CELLS, 0), gone = q;

	(void)state;
	api_ok(weir_queue_destroy(api_device, &q));
	api_run_kernel(queue_run(gone, API_QUEUE_LEAVE, 0));
	expect(1, "used_after_destroy: block 1 uses 'work' in api_kernels.h:");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(right_queues),
	    cmocka_unit_test(full),
	    cmocka_unit_test(empty),
	    cmocka_unit_test(batches),
	    cmocka_unit_test(closed),
	    cmocka_unit_test(items),
	    cmocka_unit_test(wrong_kinds),
	    cmocka_unit_test(shared_sides),
	    cmocka_unit_test(left),
	    cmocka_unit_test(right_dispensers),
	    cmocka_unit_test(takes),
	    cmocka_unit_test(right_tasks),
	    cmocka_unit_test(tasks_that_hang),
	    cmocka_unit_test(tasks_left_early),
	    cmocka_unit_test(stuck_tasks),
	    cmocka_unit_test(bad_tasks),
	    cmocka_unit_test(destroyed),
	};
	return api_main(argc, argv, tests);
}
