/* One mistake of weir doctor: the objects, the launch, the watchdog, and the check of the
 * report. */
#include "kernels/doctor_kernels.h" /* first: it defines WEIR_DIAGNOSE */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "doctor/doctor.h"
#include "output/figure.h"

extern const void *const doctor_cuda_image;
extern const char *const doctor_opencl_text;

#define PATIENCE 0.25               /* seconds until the watchdog reports */
#define DEADLINE_NS 300000000000ull /* for the whole launch: never reached if the abort works */
#define LOOKS 240                   /* a quarter of a second apart, until a report is right */
#define ROUNDS 3
#define EVENTS 8
#define CAPACITY 8 /* of a queue */
#define ROWS 12
#define STEPS 4
#define PLACE (1 << 17) /* bytes for an object: shards need many; signals are at the first place */

#define ENTRY(name)                                                                                \
	{                                                                                          \
#name, name##_entry                                                                \
	}
#define KERNEL(name) ENTRY(doctor_##name)
#define NO_KERNEL                                                                                  \
	{                                                                                          \
		NULL, NULL                                                                         \
	}
#define HANGS(waiters) WEIR_ABORTED, WEIR_MISTAKE_WAITS_##waiters
#define FAILS WEIR_LAUNCH_FAILED, WEIR_MISTAKE_WAITS_NONE
#define ENDS WEIR_OK, WEIR_MISTAKE_WAITS_NONE
#define FINDS(kind, name) .finding = kind, .object = name

const weir_mistake weir_mistakes[] = {
    {"exit", "a block exits with the lock", KERNEL(exits_with_lock), HANGS(OTHERS),
     FINDS("held", "accounts")},
    {"deadlock", "A-B against B-A", KERNEL(deadlock), HANGS(TWO), FINDS("deadlock", "accounts")},
    {"skip", "one block skips the barrier", KERNEL(skips_barrier), HANGS(OTHERS),
     FINDS("barrier", "step")},
    {"grid", "a grid twice too large for its barrier", NO_KERNEL, ENDS, .finding = NULL},
    {"stranger", "unlock by a stranger", KERNEL(stranger), ENDS,
     FINDS("unlocked_by_stranger", "accounts")},
    {"post", "post above the maximum", KERNEL(posts_above), ENDS,
     FINDS("posted_above_maximum", "tokens")},
    {"order", "order inversion without a deadlock", KERNEL(order), ENDS,
     FINDS("order", "accounts")},
    {"twice", "the same block locks twice", KERNEL(locks_twice), HANGS(ONE),
     FINDS("locked_twice", "accounts")},
    {"threads", "a barrier called by fewer threads", KERNEL(fewer_threads), HANGS(ONE),
     FINDS("fewer_threads", "step"), .needs = WEIR_MISTAKE_NEEDS_COUNTS},
    {"destroyed", "a mutex used after it was destroyed", KERNEL(destroyed), ENDS,
     FINDS("used_after_destroy", "accounts")},
    {"wait", "a wait for more signals than are sent", KERNEL(waits_for_more), HANGS(ONE),
     FINDS("event", "tiles")},
    {"far", "a wait for a target past the wrap", KERNEL(waits_far), ENDS,
     FINDS("far_target", "tiles")},
    {"surplus", "more signals than the waits expect", KERNEL(signals_twice), ENDS,
     FINDS("uneven", "tiles")},
    {"index", "an event past the end of its array", KERNEL(past_array), FAILS,
     FINDS("past_array", "tiles")},
    {"amount", "a signal of nothing", KERNEL(signals_nothing), ENDS, FINDS("bad_amount", "tiles")},
    {"result", "a signal with a result from shards", KERNEL(asks_shards), FAILS,
     FINDS("no_result", "sums")},
    {"reset", "a count reset to 0 after others have arrived", KERNEL(resets), HANGS(ALL),
     FINDS("went_back", "tiles")},
    {"full", "pushes to a queue that no block pops from", KERNEL(fills), HANGS(ALL),
     FINDS("queue_full", "work")},
    {"empty", "a pop from a queue that no block pushes to", KERNEL(drains), HANGS(ONE),
     FINDS("queue_empty", "work")},
    {"closed", "a push after the close", KERNEL(pushes_late), ENDS,
     FINDS("pushed_after_close", "work")},
    {"item", "an item of another size than the queue's", KERNEL(pushes_pair), FAILS,
     FINDS("wrong_item", "work")},
    {"batch", "a batch larger than the queue", KERNEL(pushes_many), FAILS,
     FINDS("large_batch", "work"), .needs = WEIR_MISTAKE_NEEDS_TEAMS},
    {"side", "two blocks that pop where one may", KERNEL(shares_side), HANGS(TWO),
     FINDS("shared_side", "lane")},
    {"leave", "a queue that only one block leaves", KERNEL(leaves_alone), ENDS,
     FINDS("not_left", "work"), .twice = 1},
    {"again", "a take after one that got none", KERNEL(takes_again), ENDS,
     FINDS("taken_after_none", "rows")},
    {"middle", "a dispenser that was not emptied", KERNEL(takes_once), ENDS,
     FINDS("begins_in_middle", "rows"), .twice = 1},
    {"take", "a take of nothing", KERNEL(takes_nothing), FAILS, FINDS("empty_take", "rows")},
    {"task", "a task that never ends", KERNEL(task_hangs), HANGS(OTHERS), FINDS("tasks", "steps")},
    {"ring", "tasks that wait for each other", KERNEL(runs_ring), ENDS, FINDS("stuck", "ring")},
    {"add", "a task of the graph added as a new one", KERNEL(adds_again), FAILS,
     FINDS("bad_task", "steps")},
    {"unguarded", "a wait for a condition without the mutex", KERNEL(waits_unlocked), HANGS(ONE),
     FINDS("waits_without_mutex", "filled")},
    {"signal", "a signal without the mutex", KERNEL(signals_unlocked), ENDS,
     FINDS("signals_without_mutex", "filled")},
    {"early", "a signal before the others wait", KERNEL(signals_early), HANGS(OTHERS),
     FINDS("lost_signal", "filled")},
    {"mutexes", "a condition with two mutexes", KERNEL(two_mutexes), HANGS(TWO),
     FINDS("two_mutexes", "filled")},
    {"asleep", "all blocks wait for a condition", KERNEL(all_wait), HANGS(ALL),
     FINDS("all_wait", "filled")},
    {"reader", "a writer that unlocks as a reader", KERNEL(unlocks_as_reader), ENDS,
     FINDS("wrong_unlock", "table")},
    {"free", "an unlock by a block that does not read", KERNEL(unlocks_free), ENDS,
     FINDS("unlocked_by_stranger", "table")},
    {"upgrade", "a reader that asks to write", KERNEL(upgrades), HANGS(ONE),
     FINDS("upgrade", "table")},
    {"writer", "a block exits as a writer", KERNEL(exits_writing), HANGS(OTHERS),
     FINDS("held", "table")},
    {"once", "a once that never ends", KERNEL(never_ends), HANGS(OTHERS), FINDS("once", "setup")},
    {"inside", "a once that begins again inside", KERNEL(begins_inside), HANGS(ONE),
     FINDS("begun_twice", "setup")},
    {"operation", "an operation larger than a mailbox", KERNEL(publishes_pair), FAILS,
     FINDS("large_operation", "counter")},
    {"seat", "a call by a block without a seat", KERNEL(has_no_seat), FAILS,
     FINDS("no_seat", "booth")},
    {"warp", "a call by a block of fewer threads than a warp", KERNEL(has_no_warp), FAILS,
     FINDS("few_threads", "counter"), .needs = WEIR_MISTAKE_NEEDS_WARPS},
    {"servers", "two servers", KERNEL(serves_twice), ENDS, FINDS("served_twice", "desk")},
    {"server", "a served combiner without a server", KERNEL(has_no_server), HANGS(ONE),
     FINDS("no_server", "desk")},
    {"quits", "a server that leaves before the others", KERNEL(server_quits), HANGS(ONE),
     FINDS("server_left", "desk")},
    {"stays", "a block that does not leave a served combiner", KERNEL(does_not_leave), HANGS(ONE),
     FINDS("server_waits", "desk")},
    {"combining", "an operation that never ends", KERNEL(combines_long), HANGS(OTHERS),
     FINDS("combining", "counter")},
    {"crew_rank", "a rank that does not arrive", KERNEL(crew_waits), HANGS(ALL),
     FINDS("crew_rank", "halo"), .needs = WEIR_MISTAKE_NEEDS_RANKS},
    {"crew_block", "a block that skips the barrier of a crew", KERNEL(crew_skips), HANGS(OTHERS),
     FINDS("crew_block", "halo"), .needs = WEIR_MISTAKE_NEEDS_CREW},
    {"crew_event", "an event of a crew that no rank posts", KERNEL(crew_listens), HANGS(ONE),
     FINDS("crew_event", "halo"), .needs = WEIR_MISTAKE_NEEDS_CREW},
    {"crew_lane", "a lane that the crew does not have", KERNEL(crew_past_lanes), FAILS,
     FINDS("past_lanes", "halo"), .needs = WEIR_MISTAKE_NEEDS_CREW},
    {"crew_shared", "two blocks in one lane of a crew", KERNEL(crew_shares_lane), ENDS,
     FINDS("shared_lane", "halo"), .needs = WEIR_MISTAKE_NEEDS_CREW},
    {"crew_token", "a token that is used again", KERNEL(crew_old_token), ENDS,
     FINDS("old_token", "halo"), .needs = WEIR_MISTAKE_NEEDS_CREW},
    {"crew_grid", "a grid with fewer blocks than its crew", KERNEL(crew_waits), HANGS(ALL),
     FINDS("wrong_blocks", "halo"), .needs = WEIR_MISTAKE_NEEDS_CREW}};

const size_t weir_mistake_count = sizeof weir_mistakes / sizeof weir_mistakes[0];

/* The objects of a case. The parameters of the kernels have members with the same names. */
#define OBJECTS(X)                                                                                 \
	X(mutex, first)                                                                            \
	X(mutex, second)                                                                           \
	X(barrier, barrier)                                                                        \
	X(semaphore, semaphore)                                                                    \
	X(event_array, tiles)                                                                      \
	X(event_array, sums)                                                                       \
	X(queue, work)                                                                             \
	X(queue, lane)                                                                             \
	X(dispenser, rows)                                                                         \
	X(tasks, steps)                                                                            \
	X(tasks, ring)                                                                             \
	X(condition, filled)                                                                       \
	X(rwlock, table)                                                                           \
	X(once, setup)                                                                             \
	X(combiner, counter)                                                                       \
	X(combiner, desk)                                                                          \
	X(combiner, booth)

#define ONE_MORE(type, name) +1
enum {
	PLACES = 1 OBJECTS(ONE_MORE)
};
#undef ONE_MORE

/* Correct kernels that run after a mistake. From the fourth on they take blocks of 64 threads. */
static const weir_host_entry healthy[] = {
    KERNEL(healthy),       KERNEL(events_healthy),    KERNEL(work_healthy), KERNEL(combine_healthy),
    KERNEL(locks_healthy), KERNEL(condition_healthy), KERNEL(crew_healthy)};

enum {
	HEALTHY = sizeof healthy / sizeof healthy[0],
	HEALTHY_WITHOUT_CREW = HEALTHY - 1,
	HEALTHY_OF_ANY_SIZE = 3
};

/* A case while it runs. */
struct patient {
	weir_device *device;
	weir_device_info info;
	weir_program *program;
	weir_buffer words, data;
	doctor_crew halo;
#define MEMBER(type, name) weir_##type name;
	OBJECTS(MEMBER)
#undef MEMBER
	size_t used; /* of the buffer that all objects lie in */
	uint32_t blocks, threads;
	doctor_params params;
	const weir_mistake *mistake;
	weir_mistake_result *result;
	int told;
};

static void miss(weir_mistake_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void miss(weir_mistake_result *result, const char *format, ...)
{
	va_list arguments;

	if (result->verdict == WEIR_MISTAKE_MISSED)
		return; /* the first reason counts */
	result->verdict = WEIR_MISTAKE_MISSED;
	va_start(arguments, format);
	vsnprintf(result->why, sizeof result->why, format, arguments);
	va_end(arguments);
}

/* Returns 1 on success. */
static int went(struct patient *p, weir_status status, const char *doing)
{
	if (status != WEIR_OK)
		miss(p->result, "%s: %s", doing, weir_error_text());
	return status == WEIR_OK;
}

static int load(struct patient *p)
{
	static weir_host_entry entries[HEALTHY + sizeof weir_mistakes / sizeof weir_mistakes[0]];
	size_t count = HEALTHY;

	memcpy(entries, healthy, sizeof healthy);
	for (size_t i = 0; i < weir_mistake_count; i++)
		if (weir_mistakes[i].kernel.name)
			entries[count++] = weir_mistakes[i].kernel;
	const weir_program_text text = {.cuda_image = doctor_cuda_image,
	                                .opencl_text = doctor_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = count};
	return went(p, weir_program_create(p->device, &text, &p->program), "loading the kernels");
}

/* The next object gets its own place in the shared buffer: a kernel uses one of them. */
static weir_object_options named(struct patient *p, const char *name)
{
	p->used += PLACE;
	return (weir_object_options){.memory = p->words.native,
	                             .memory_offset = p->used,
	                             .memory_bytes = p->used < p->words.bytes ? PLACE : 0,
	                             .name = name,
	                             .diagnose = 1};
}

/* All tasks depend on task 0. With `cycle`, tasks 1 and 2 wait for each other. */
static weir_graph make_graph(int cycle)
{
	static const uint32_t first[] = {0, 3, 3, 3, 3};
	static const uint32_t first_of_cycle[] = {0, 3, 4, 5, 5};
	static const uint32_t successors[] = {1, 2, 3, 2, 1};
	const weir_graph graph = {.tasks = STEPS,
	                          .first = cycle ? first_of_cycle : first,
	                          .successors = successors,
	                          .is_trusted = cycle};

	return graph;
}

static int make_locks(struct patient *p)
{
	weir_device *d = p->device;

	return went(p,
	            weir_mutex_create(d,
	                              &(weir_mutex_options){.object = named(p, "accounts"),
	                                                    .kind = WEIR_MUTEX_KIND},
	                              &p->first),
	            "making a mutex") &&
	       went(p,
	            weir_mutex_create(
			d,
			&(weir_mutex_options){.object = named(p, "log"), .kind = WEIR_MUTEX_KIND},
			&p->second),
	            "making a mutex") &&
	       went(p,
	            weir_barrier_create(d, p->blocks,
	                                &(weir_barrier_options){.object = named(p, "step"),
	                                                        .kind = WEIR_BARRIER_KIND},
	                                &p->barrier),
	            "making a barrier") &&
	       went(p,
	            weir_semaphore_create(d, 2, 2,
	                                  &(weir_semaphore_options){.object = named(p, "tokens"),
	                                                            .kind = WEIR_SEMAPHORE_KIND},
	                                  &p->semaphore),
	            "making a semaphore") &&
	       went(p,
	            weir_condition_create(
			d, &(weir_condition_options){.object = named(p, "filled")}, &p->filled),
	            "making a condition") &&
	       went(p,
	            weir_rwlock_create(d, &(weir_rwlock_options){.object = named(p, "table")},
	                               &p->table),
	            "making a reader-writer lock") &&
	       went(p,
	            weir_once_create(d, &(weir_once_options){.object = named(p, "setup")},
	                             &p->setup),
	            "making a once");
}

static int make_events_and_queues(struct patient *p)
{
	weir_device *d = p->device;

	return went(p,
	            weir_event_array_create(d, EVENTS,
	                                    &(weir_event_array_options){.object = named(p, "tiles"),
	                                                                .kind = WEIR_EVENT_WORD},
	                                    &p->tiles),
	            "making events") &&
	       went(p,
	            weir_event_array_create(d, EVENTS,
	                                    &(weir_event_array_options){.object = named(p, "sums"),
	                                                                .kind = WEIR_EVENT_SHARDS},
	                                    &p->sums),
	            "making events") &&
	       went(p,
	            weir_queue_create(d, CAPACITY, sizeof(uint32_t),
	                              &(weir_queue_options){.object = named(p, "work")}, &p->work),
	            "making a queue") &&
	       went(p,
	            weir_queue_create(d, CAPACITY, sizeof(uint32_t),
	                              &(weir_queue_options){.object = named(p, "lane"),
	                                                    .single = WEIR_QUEUE_ONE_POPS},
	                              &p->lane),
	            "making a queue");
}

static int make_work(struct patient *p)
{
	const weir_graph steps = make_graph(0), ring = make_graph(1);
	weir_device *d = p->device;

	return went(p,
	            weir_dispenser_create(
			d, ROWS, &(weir_dispenser_options){.object = named(p, "rows")}, &p->rows),
	            "making a dispenser") &&
	       went(p,
	            weir_tasks_create(d, &steps, &(weir_tasks_options){.object = named(p, "steps")},
	                              &p->steps),
	            "making tasks") &&
	       went(p,
	            weir_tasks_create(d, &ring, &(weir_tasks_options){.object = named(p, "ring")},
	                              &p->ring),
	            "making tasks") &&
	       went(p,
	            weir_combiner_create(d, p->blocks,
	                                 &(weir_combiner_options){.object = named(p, "counter")},
	                                 &p->counter),
	            "making a combiner") &&
	       went(p,
	            weir_combiner_create(
			d, p->blocks,
			&(weir_combiner_options){.object = named(p, "desk"), .served = 1},
			&p->desk),
	            "making a combiner") &&
	       went(p,
	            weir_combiner_create(
			d, 1, &(weir_combiner_options){.object = named(p, "booth")}, &p->booth),
	            "making a combiner");
}

static int has_crew(const struct patient *p)
{
	return p->mistake->needs == WEIR_MISTAKE_NEEDS_CREW ||
	       p->mistake->needs == WEIR_MISTAKE_NEEDS_RANKS;
}

/* A crew in its own kind of memory, for this number of blocks. */
static int make_crew(struct patient *p, uint32_t ranks, uint32_t blocks)
{
	const weir_crew_options options = {
	    .blocks = blocks, .events = 1, .diagnose = 1, .name = "halo"};

	if (!went(p, doctor_crew_join(p->device, ranks, &options, &p->halo), "making a crew"))
		return 0;
	p->params.halo = p->halo.handle.config;
	p->params.halo_words = (uint64_t)(uintptr_t)p->halo.handle.words;
	p->params.halo_table = (uint64_t)(uintptr_t)p->halo.handle.table;
	return 1;
}

static int make_crew_of_mistake(struct patient *p)
{
	int is_grid = strcmp(p->mistake->name, "crew_grid") == 0;

	return !has_crew(p) || make_crew(p, p->mistake->needs == WEIR_MISTAKE_NEEDS_RANKS ? 2 : 1,
	                                 p->blocks + (uint32_t)is_grid);
}

/* The number of words from the start of the buffer to an object. On OpenCL the object's own offset
 * includes them. */
static uint32_t words_before(const struct patient *p, const weir_word *words, uint32_t offset)
{
	return (uint32_t)(words - (const weir_word *)p->words.native) + offset;
}

static int make_objects(struct patient *p)
{
	if (!went(p, weir_buffer_create(p->device, PLACES * PLACE, &p->words), "making a buffer") ||
	    !went(p, weir_buffer_create(p->device, 128, &p->data), "making a buffer") ||
	    !make_locks(p) || !make_events_and_queues(p) || !make_work(p) ||
	    !make_crew_of_mistake(p))
		return 0;
	p->params.rounds = ROUNDS;
#define TELL(type, name)                                                                           \
	p->params.name = p->name.config;                                                           \
	p->params.name.offset = words_before(p, p->name.words, p->name.config.offset);
	OBJECTS(TELL)
#undef TELL
	return 1;
}

static weir_status launch(struct patient *p, const char *name, double *ms)
{
	const weir_argument arguments[] = {{&p->words.native, sizeof p->words.native},
	                                   {&p->data.native, sizeof p->data.native},
	                                   {&p->params, sizeof p->params}};
	weir_launch launch = {.grid = {p->blocks},
	                      .block = {p->threads},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status = weir_program_kernel(p->program, name, &launch.kernel);

	if (status == WEIR_OK)
		status = weir_kernel_launch(p->device, &launch);
	return status == WEIR_OK ? weir_device_wait(p->device, DEADLINE_NS, ms) : status;
}

static int names(const json_t *finding, const weir_mistake *mistake)
{
	size_t i;
	json_t *each;
	int object = 0;
	int block = 0;

	if (strcmp(json_string_value(json_object_get(finding, "kind")), mistake->finding) != 0)
		return 0;
	json_array_foreach(json_object_get(finding, "objects"), i, each) object |=
	    strcmp(json_string_value(each), mistake->object) == 0;
	json_array_foreach(json_object_get(finding, "blocks"), i, each) block |=
	    json_integer_value(each) == DOCTOR_CULPRIT;
	return object && block;
}

/* The kind of the first finding other than the mistake's; NULL: none. */
static const char *another(const json_t *findings, const weir_mistake *mistake)
{
	size_t i;
	json_t *finding;

	json_array_foreach(findings, i, finding)
	{
		const char *kind = json_string_value(json_object_get(finding, "kind"));
		if (strcmp(kind, mistake->finding) != 0)
			return kind;
	}
	return NULL;
}

static int is_named(const json_t *findings, const weir_mistake *mistake)
{
	size_t i;
	json_t *finding;

	json_array_foreach(findings, i, finding)
	{
		if (names(finding, mistake))
			return 1;
	}
	return 0;
}

/* The findings must name the culprit and nothing else. */
static void judge(struct patient *p)
{
	const json_t *findings = json_object_get(p->result->report, "findings");
	const char *kind = another(findings, p->mistake);

	if (kind)
		miss(p->result, "it also says '%s'", kind);
	if (!is_named(findings, p->mistake))
		miss(p->result, "no finding '%s' names '%s' and block %d", p->mistake->finding,
		     p->mistake->object, DOCTOR_CULPRIT);
}

static void keep_report(struct patient *p, const weir_diagnosis *report)
{
	weir_mistake_result_clear(p->result);
	p->result->text = strdup(report->text);
	p->result->report = json_loads(report->json, 0, NULL);
}

static uint32_t expected_waiters(const struct patient *p)
{
	const uint32_t waiters[] = {[WEIR_MISTAKE_WAITS_NONE] = 0,
	                            [WEIR_MISTAKE_WAITS_ONE] = 1,
	                            [WEIR_MISTAKE_WAITS_TWO] = 2,
	                            [WEIR_MISTAKE_WAITS_OTHERS] = p->blocks - 1,
	                            [WEIR_MISTAKE_WAITS_ALL] = p->blocks};

	return waiters[p->mistake->waiters];
}

/* Whether all blocks have reached the point where they stay, and the report is right. */
static int has_all(const struct patient *p)
{
	const json_t *findings = json_object_get(p->result->report, "findings");
	uint32_t waiters = 0;
	size_t i;
	json_t *block;

	json_array_foreach(json_object_get(p->result->report, "blocks"), i, block) waiters +=
	    !json_is_null(json_object_get(block, "waits"));
	return waiters >= expected_waiters(p) && !another(findings, p->mistake) &&
	       is_named(findings, p->mistake);
}

/* The watchdog: keeps the report and ends the launch. A mistake that does not hang may still be
 * running. On a busy computer some blocks start waiting more than a second after the others, so it
 * keeps looking for a while. */
static void bark(weir_device *device, const weir_diagnosis *report, void *user)
{
	const struct timespec pause = {.tv_nsec = 250000000};
	struct patient *p = user;
	weir_diagnosis later;

	if (p->mistake->ends != WEIR_ABORTED || p->told)
		return;
	p->told = 1;
	keep_report(p, report);
	/* A finding leaves out blocks that began to wait a moment ago: the second report that is right has them all. */
	for (int look = 0, right = 0; look < LOOKS; look++) {
		right = has_all(p) ? right + 1 : 0;
		if (right == 2)
			break;
		nanosleep(&pause, NULL);
		if (weir_device_diagnose(device, &later) != WEIR_OK)
			break;
		keep_report(p, &later);
		weir_diagnosis_destroy(&later);
	}
	weir_device_abort(device);
}

static void diagnose_ended(struct patient *p)
{
	weir_diagnosis report;

	if (!went(p, weir_device_diagnose(p->device, &report), "diagnosing"))
		return;
	keep_report(p, &report);
	weir_diagnosis_destroy(&report);
}

/* The process and the device survive, and the objects can be used again. */
static void recover(struct patient *p)
{
	const uint32_t zero = 0;

#define RESET(type, name) went(p, weir_##type##_reset(p->device, p->name), "resetting a " #type);
	OBJECTS(RESET)
#undef RESET
	went(p, weir_buffer_write(p->device, p->words, 0, &zero, sizeof zero), "resetting");
	for (int i = 0; i < HEALTHY_WITHOUT_CREW; i++) {
		if (i == HEALTHY_OF_ANY_SIZE)
			p->threads = p->info.is_gpu || p->info.machine == WEIR_MACHINE_PTX ? 64 : 4;
		went(p, launch(p, healthy[i].name, NULL), "a right kernel afterwards");
	}
	/* A crew is never reset: ranks that continue join a new one. */
	if (has_crew(p) && went(p, doctor_crew_leave(&p->halo), "leaving a crew") &&
	    make_crew(p, 1, p->blocks))
		went(p, launch(p, "doctor_crew_healthy", NULL), "a right kernel afterwards");
}

static void run_kernel(struct patient *p)
{
	const weir_mistake *mistake = p->mistake;
	weir_status status;
	double ms = 0;

	if (strcmp(mistake->name, "destroyed") == 0 &&
	    !went(p, weir_mutex_destroy(p->device, &p->first), "destroying a mutex"))
		return;
	if (!went(p, weir_device_watch(p->device, PATIENCE, bark, p), "watching"))
		return;
	status = launch(p, mistake->kernel.name, &ms);
	if (status == WEIR_OK && mistake->twice)
		status = launch(p, mistake->kernel.name, &ms);
	/* A kernel that keeps hanging would prevent the process from ending. */
	if (status == WEIR_TIMED_OUT && weir_device_abort(p->device) == WEIR_OK)
		weir_device_wait(p->device, DEADLINE_NS, NULL);
	weir_device_unwatch(p->device);
	p->result->seconds = ms / 1000;
	if (status != mistake->ends) {
		miss(p->result, "the launch ended with '%s': %s", weir_status_text(status),
		     weir_error_text());
		return;
	}
	if (!p->told)
		diagnose_ended(p);
	judge(p);
	if (strcmp(mistake->name, "destroyed") != 0)
		recover(p);
}

/* The library refuses first the barrier, then the launch. */
static void run_too_large(struct patient *p)
{
	weir_kernel kernel;
	weir_barrier barrier;
	uint32_t fit = 0;
	weir_status status;

	if (!went(p, weir_program_kernel(p->program, "doctor_healthy", &kernel), "loading") ||
	    !went(p, weir_kernel_resident_blocks(p->device, kernel, p->threads, 0, &fit),
	          "counting"))
		return;
	p->blocks = fit * 2;
	status = launch(p, "doctor_healthy", NULL);
	if (status != WEIR_TOO_MANY_BLOCKS)
		miss(p->result, "a launch of %s gave '%s'",
		     weir_count_figure(p->blocks, "block").text, weir_status_text(status));
	p->result->text = strdup(weir_error_text());
	status = weir_barrier_create(p->device, UINT32_MAX, NULL, &barrier);
	if (status != WEIR_TOO_MANY_BLOCKS)
		miss(p->result, "a barrier of %s gave '%s'",
		     weir_count_figure(UINT32_MAX, "block").text, weir_status_text(status));
}

static void run_on(struct patient *p)
{
	const weir_mistake *mistake = p->mistake;
	weir_kernel kernel;
	uint32_t fit = 0;

	p->threads = p->info.is_gpu || p->info.machine == WEIR_MACHINE_PTX
	                 ? mistake->needs == WEIR_MISTAKE_NEEDS_WARPS ? 16 : 64
	                 : 4;
	if (!load(p) ||
	    !went(p, weir_program_kernel(p->program, "doctor_healthy", &kernel), "loading") ||
	    !went(p, weir_kernel_resident_blocks(p->device, kernel, p->threads, 0, &fit),
	          "counting"))
		return;
	p->blocks = fit < 4 ? fit : 4;
	if (p->blocks < 2) {
		miss(p->result, "only %u block runs at once here, and a hang needs two", fit);
		return;
	}
	if (!make_objects(p))
		return;
	if (mistake->kernel.name)
		run_kernel(p);
	else
		run_too_large(p);
}

/* Why the machine cannot make the mistake; NULL: it can. */
static const char *what_lacks(const weir_device_info *info, weir_mistake_needs needs)
{
	if (needs == WEIR_MISTAKE_NEEDS_COUNTS && info->machine != WEIR_MACHINE_HOST)
		return "only the host machine counts the threads that arrive at a barrier";
	if (needs == WEIR_MISTAKE_NEEDS_TEAMS && info->machine == WEIR_MACHINE_OPENCL)
		return "OpenCL has no teams, and so no batches";
	if (needs == WEIR_MISTAKE_NEEDS_WARPS && info->machine != WEIR_MACHINE_CUDA &&
	    info->machine != WEIR_MACHINE_PTX)
		return "a block of any size calls a combiner here";
	if ((needs == WEIR_MISTAKE_NEEDS_CREW || needs == WEIR_MISTAKE_NEEDS_RANKS) &&
	    info->machine == WEIR_MACHINE_OPENCL)
		return "OpenCL has no crews: it has no scope beyond the device";
	if (needs == WEIR_MISTAKE_NEEDS_RANKS && info->machine != WEIR_MACHINE_HOST)
		return "a second rank on a GPU is another process: see weir crew --fault";
	return NULL;
}

void weir_mistake_run(const char *device, const weir_mistake *mistake, weir_mistake_result *result)
{
	struct patient p = {.mistake = mistake, .result = result};
	const char *lacks;

	memset(result, 0, sizeof *result);
	if (!went(&p, weir_device_open(device, &p.device), "opening the device"))
		return;
	weir_device_describe(p.device, &p.info);
	lacks = what_lacks(&p.info, mistake->needs);
	if (lacks) {
		result->verdict = WEIR_MISTAKE_SKIPPED;
		snprintf(result->why, sizeof result->why, "%s", lacks);
	} else {
		run_on(&p);
		doctor_crew_leave(&p.halo);
	}
	weir_device_close(p.device);
}

void weir_mistake_result_clear(weir_mistake_result *result)
{
	free(result->text);
	json_decref(result->report);
	result->text = NULL;
	result->report = NULL;
}
