/* Graphs of tasks: bad input, runs that end and runs that are stuck, reset, destruction. */
#include "api.h"

#define TASKS 5u

/* 0 before 1 and 2, both before 3, and 3 before 4. */
static const uint32_t first[] = {0, 2, 3, 4, 5, 5};
static const uint32_t successors[] = {1, 2, 3, 3, 4};
static const uint32_t counts[] = {0, 1, 1, 2, 1};
static const uint8_t levels[] = {0, 1, 2, 1, 0};
static const weir_graph diamond = {
    .tasks = TASKS, .first = first, .successors = successors, .counts = counts};

/* The same, but 3 is also before 1, so 1 and 3 wait for each other. */
static const uint32_t ring_first[] = {0, 2, 3, 4, 6, 6};
static const uint32_t ring_successors[] = {1, 2, 3, 3, 4, 1};
static const weir_graph ring = {.tasks = TASKS, .first = ring_first, .successors = ring_successors};

static weir_status make(weir_graph graph, weir_tasks *tasks)
{
	return weir_tasks_create(api_device, &graph, NULL, tasks);
}

static void bad_graphs(void **state)
{
	static const uint32_t far[] = {1, 2, 3, 3, 5}, wrong_counts[] = {0, 1, 1, 3, 1};
	static const uint32_t late[] = {1, 2, 3, 4, 5, 5}, back[] = {0, 2, 1, 4, 5, 5};
	static const uint32_t self_first[] = {0, 1}, self[] = {0};
	static const uint8_t high[] = {0, 1, 2, 3, 0};
	weir_graph graph = diamond;
	weir_tasks t;

	(void)state;
	api_refused(make(ring, &t), WEIR_BAD_ARGUMENT, t);
	assert_string_equal(weir_error_text(), "the graph has a cycle: task 1 waits for 1 of 2: 3");
	api_refused(make((weir_graph){.tasks = 1, .first = self_first, .successors = self}, &t),
	            WEIR_BAD_ARGUMENT, t);
	api_said("task 0 waits for 1 of 1: 0");
	static const uint32_t beyond[] = {1};
	api_refused(make((weir_graph){.tasks = 1, .first = self_first, .successors = beyond}, &t),
	            WEIR_BAD_ARGUMENT, t);
	api_said("task 0 has a successor 1 in a graph of 1 task");
	graph.successors = far;
	graph.counts = NULL;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_said("task 3 has a successor 5 in a graph of 5 tasks");
	graph = diamond;
	graph.counts = wrong_counts;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_said("task 3 has a count of 3 dependencies, and is a successor of 2 tasks");
	graph = diamond;
	graph.levels = high;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_said("task 3 has class 3: there are 3, from 0");
	graph = diamond;
	graph.first = late;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_said("the successors of task 0 begin at 1, not at 0");
	graph.first = back;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_said("the successors of task 1 are those from 2 to 1");
	graph = diamond;
	graph.tasks = 0;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_said("a graph of 0 tasks");
	graph.tasks = UINT32_MAX;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
}

static void nothing_given(void **state)
{
	const weir_tasks_options room = {.room = UINT32_MAX};
	weir_graph graph = diamond;
	size_t bytes, alignment;
	weir_tasks t;

	(void)state;
	api_refused(weir_tasks_create(api_device, NULL, NULL, &t), WEIR_BAD_ARGUMENT, t);
	graph.first = NULL;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	graph = diamond;
	graph.successors = NULL;
	api_refused(make(graph, &t), WEIR_BAD_ARGUMENT, t);
	api_refused(weir_tasks_create(api_device, &diamond, &room, &t), WEIR_BAD_ARGUMENT, t);
	api_fails(weir_tasks_size(api_device, NULL, NULL, &bytes, &alignment), WEIR_BAD_ARGUMENT);
	api_ok(weir_tasks_size(api_device, &diamond, NULL, &bytes, &alignment));
	/* Eight fields; those of a queue, and its 8 slots; for each task 24 bytes; the edges; and one
	 * root. */
	assert_int_equal(bytes, (8 + WEIR_QUEUE_HEAD) * 128 + 8 * 8 + TASKS * 24 + 5 * 4 + 4);
	assert_int_equal(alignment, 128);
}

static void run(weir_tasks t, uint32_t blocks)
{
	api_clear_data();
	api_run_kernel(
	    (api_run){"api_tasks_run", t.words, {{.tasks = t.config}, 0, 1}, blocks, 1, NULL});
}

/* Each task runs once in a launch, and nothing is reset in between. */
static void runs(const weir_tasks_options *options, const uint8_t *classes)
{
	weir_graph graph = diamond;
	weir_tasks t, gone;

	graph.levels = classes;
	api_ok(weir_tasks_create(api_device, &graph, options, &t));
	for (uint32_t blocks = 1; blocks < 5; blocks++) {
		run(t, blocks);
		for (uint32_t i = 0; i < TASKS; i++)
			assert_int_equal(api_datum(1 + i), 1);
		api_ok(weir_tasks_check(api_device, t));
	}
	api_ok(weir_tasks_reset(api_device, t));
	run(t, 2);
	assert_int_equal(api_datum(TASKS), 1);
	gone = t;
	api_ok(weir_tasks_destroy(api_device, &t));
	api_fails(weir_tasks_check(api_device, gone), WEIR_NOT_FOUND);
}

static void runs_all_tasks(void **state)
{
	const weir_tasks_options local = {.local = 1}, room = {.room = 3, .object.compact = 1};

	(void)state;
	runs(NULL, NULL);
	runs(NULL, levels);
	runs(&local, NULL);
	runs(&local, levels);
	runs(&room, levels);
}

/* An unchecked graph with a cycle: the run ends, and the host names a task. */
static void stuck(void **state)
{
	weir_graph trusted = ring;
	weir_tasks t;

	(void)state;
	trusted.is_trusted = 1;
	for (uint32_t blocks = 1; blocks < 4; blocks += 2) {
		api_ok(make(trusted, &t));
		api_ok(weir_tasks_check(api_device, t)); /* nothing has run yet */
		for (int i = 0; i < 2; i++) {
			run(t, blocks);
			assert_int_equal(api_datum(1 + 0), 1);
			assert_int_equal(api_datum(1 + 1), 0);
			assert_int_equal(api_datum(1 + 2), 1);
			assert_int_equal(api_datum(1 + 4), 0);
			api_fails(weir_tasks_check(api_device, t), WEIR_STUCK);
			assert_string_equal(weir_error_text(),
			                    "nothing runs: task 1 waits for 1 of 2: 3");
			api_ok(weir_tasks_reset(api_device, t));
			api_ok(weir_tasks_check(api_device, t));
		}
		api_ok(weir_tasks_destroy(api_device, &t));
	}
}

static void on_the_wrong_device(void **state)
{
	weir_device *other;
	weir_tasks t;

	(void)state;
	api_ok(weir_device_open(api_device_name(), &other));
	api_ok(weir_tasks_create(other, &diamond, NULL, &t));
	api_fails(weir_tasks_check(api_device, t), WEIR_NOT_FOUND);
	api_ok(weir_tasks_destroy(other, &t));
	api_ok(weir_device_close(other));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_graphs),          cmocka_unit_test(nothing_given),
	    cmocka_unit_test(runs_all_tasks),      cmocka_unit_test(stuck),
	    cmocka_unit_test(on_the_wrong_device),
	};
	return api_main(argc, argv, tests);
}
