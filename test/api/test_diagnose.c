/* Diagnosis: the report on a correct kernel, the contents of a report, and how an abort ends every
 * wait of every kind. This program is compiled with WEIR_DIAGNOSE. */
#define _POSIX_C_SOURCE 200809L
#include "api.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PATIENCE 0.05 /* seconds */

static weir_object_options diagnosed(const char *name)
{
	return (weir_object_options){.diagnose = 1, .name = name};
}

/* Each test has its own device, so that its reports do not show mistakes of an earlier test. */
static void fresh_device(void)
{
	void *unused = NULL;
	api_teardown(&unused);
	api_setup(&unused);
}

static void nothing_to_diagnose(void **state)
{
	weir_diagnosis report;

	(void)state;
	api_fails(weir_device_diagnose(api_device, &report), WEIR_NOT_FOUND);
	api_fails(weir_device_diagnose(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_diagnose(NULL, &report), WEIR_BAD_ARGUMENT);
	/* The host machine and ptx end any wait; others only where they note them. */
	if (api_info.machine == WEIR_MACHINE_HOST || api_info.machine == WEIR_MACHINE_PTX)
		api_ok(weir_device_abort(api_device));
	else
		api_fails(weir_device_abort(api_device), WEIR_UNSUPPORTED);
	api_ok(weir_device_unwatch(api_device));
	weir_diagnosis_destroy(NULL);
}

static void sizes_count_the_header(void **state)
{
	weir_mutex_options plain = {.kind = WEIR_MUTEX_TICKET};
	weir_any_options options = {.object = diagnosed("m")};
	size_t without, with, alignment;
	weir_mutex_array array;
	weir_group group;

	(void)state;
	api_ok(weir_mutex_size(api_device, &plain, &without, &alignment));
	api_ok(weir_mutex_size(api_device, api_of_kind(options.mutex, WEIR_MUTEX_TICKET), &with,
	                       &alignment));
	assert_int_equal(with, without + 128);
	api_fails(weir_mutex_array_create(
		      api_device, 4, api_of_kind(options.mutex_array, WEIR_MUTEX_TICKET), &array),
	          WEIR_UNSUPPORTED);
	api_fails(
	    weir_group_create(api_device, 4, api_of_kind(options.group, WEIR_BARRIER_XF), &group),
	    WEIR_UNSUPPORTED);
}

static void numbers_run_out_and_come_back(void **state)
{
	weir_mutex mutexes[63], more;
	weir_mutex_options options = {.object = diagnosed(NULL), .kind = WEIR_MUTEX_SPIN};

	(void)state;
	for (int i = 0; i < 63; i++)
		api_ok(weir_mutex_create(api_device, &options, &mutexes[i]));
	api_fails(weir_mutex_create(api_device, &options, &more), WEIR_UNSUPPORTED);
	api_ok(weir_mutex_destroy(api_device, &mutexes[7]));
	api_ok(weir_mutex_create(api_device, &options, &mutexes[7]));
	assert_int_equal(mutexes[7].config.id, 8);
	api_clear_data();
	api_run_kernel((api_run){
	    "api_mutex", mutexes[62].words, {{.mutex = mutexes[62].config}, 10, 0}, 2, 2, NULL});
	assert_int_equal(api_datum(0), 20);
	for (int i = 0; i < 63; i++)
		api_ok(weir_mutex_destroy(api_device, &mutexes[i]));
}

static void expect_findings(uint32_t want)
{
	weir_diagnosis report;

	api_ok(weir_device_diagnose(api_device, &report));
	if (report.findings != want)
		print_error("%s\n", report.text);
	assert_int_equal(report.findings, want);
	assert_int_equal(report.waiting, 0);
	weir_diagnosis_destroy(&report);
	assert_null(report.text);
}

/* A mutex destroyed while a block holds it: the report does not blame the next mutex that gets its
 * number. */
static void numbers_begin_anew(void **state)
{
	weir_mutex mutexes[63];
	weir_mutex_options options = {.object = diagnosed("new"), .kind = WEIR_MUTEX_SPIN};

	(void)state;
	fresh_device();
	for (int i = 0; i < 63; i++)
		api_ok(weir_mutex_create(api_device, &options, &mutexes[i]));
	api_run_kernel((api_run){
	    "api_mutex", mutexes[7].words, {{.mutex = mutexes[7].config}, 1, 1}, 1, 1, NULL});
	api_ok(weir_mutex_destroy(api_device, &mutexes[7]));
	api_ok(weir_mutex_create(api_device, &options, &mutexes[7]));
	for (int i = 6; i < 8; i++)
		api_run_kernel((api_run){"api_mutex",
		                         mutexes[i].words,
		                         {{.mutex = mutexes[i].config}, 10, 0},
		                         2,
		                         2,
		                         NULL});
	expect_findings(0);
}

/* Cut between two characters. A byte that is not UTF-8 becomes '?', since JSON could not hold
 * it. */
static void names(void **state)
{
	static const char *const given[] = {"1234567890123456789012345678901",
	                                    "123456789012345678901234567890\xc3\xa9",
	                                    "caf\xc3\xa9 \xff", "\xc3\xa9t\xc3\xa9"};
	static const char *const told[] = {"1234567890123456789012345678901",
	                                   "123456789012345678901234567890\"", "caf\xc3\xa9 ?\"",
	                                   "\xc3\xa9t\xc3\xa9\""};

	(void)state;
	for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
		weir_mutex_options options = {.object = diagnosed(given[i]),
		                              .kind = WEIR_MUTEX_SPIN};
		weir_diagnosis report;
		weir_mutex m;
		fresh_device();
		api_ok(weir_mutex_create(api_device, &options, &m));
		api_ok(weir_device_diagnose(api_device, &report));
		assert_non_null(strstr(report.json, told[i]));
		weir_diagnosis_destroy(&report);
	}
}

/* Every kind, twice over, and no block is accused of anything. */
static void right_kernels(void **state)
{
	weir_any_options options = {.object = diagnosed("right")};

	(void)state;
	fresh_device();
	for (uint32_t kind = 1; weir_mutex_kind_name(kind); kind++) {
		weir_mutex m;
		api_ok(weir_mutex_create(api_device, api_of_kind(options.mutex, kind), &m));
		api_clear_data();
		for (int i = 0; i < 2; i++)
			api_run_kernel((api_run){
			    "api_mutex", m.words, {{.mutex = m.config}, 50, 0}, 4, 2, NULL});
		assert_int_equal(api_datum(0), 400);
		api_ok(weir_mutex_destroy(api_device, &m));
	}
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind)) {
		weir_barrier b;
		api_ok(weir_barrier_create(api_device, 4, api_of_kind(options.barrier, kind), &b));
		api_clear_data();
		for (int i = 0; i < 2; i++)
			api_run_kernel((api_run){
			    "api_barrier", b.words, {{.barrier = b.config}, 9, 0}, 4, 4, &b});
		assert_int_equal(api_datum(0), 0);
		api_ok(weir_barrier_destroy(api_device, &b));
	}
	for (uint32_t kind = 1; weir_semaphore_kind_name(kind); kind++) {
		weir_semaphore s;
		api_ok(weir_semaphore_create(api_device, 1, 1, api_of_kind(options.semaphore, kind),
		                             &s));
		api_run_kernel((api_run){"api_semaphore",
		                         s.words,
		                         {{.semaphore = s.config}, 50, API_WAIT | API_POST},
		                         1,
		                         2,
		                         NULL});
		api_ok(weir_semaphore_destroy(api_device, &s));
	}
	expect_findings(0);
}

/* Every wait takes milliseconds, so that it is noted. After it has ended, no block is reported as
 * waiting. */
static void long_waits_are_over(void **state)
{
	const uint32_t pause = 20000 | API_WAIT | API_POST;
	weir_any_options options = {.object = diagnosed("slow")};

	(void)state;
	fresh_device();
	for (uint32_t kind = 1; weir_mutex_kind_name(kind); kind++) {
		weir_mutex m;
		api_ok(weir_mutex_create(api_device, api_of_kind(options.mutex, kind), &m));
		api_run_kernel(
		    (api_run){"api_mutex", m.words, {{.mutex = m.config}, 2, pause}, 2, 2, NULL});
		expect_findings(0);
		api_ok(weir_mutex_destroy(api_device, &m));
	}
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind)) {
		weir_barrier b;
		api_ok(weir_barrier_create(api_device, 2, api_of_kind(options.barrier, kind), &b));
		api_run_kernel(
		    (api_run){"api_barrier", b.words, {{.barrier = b.config}, 1, pause}, 2, 2, &b});
		expect_findings(0);
		api_ok(weir_barrier_destroy(api_device, &b));
	}
	for (uint32_t kind = 1; weir_semaphore_kind_name(kind); kind++) {
		weir_semaphore s;
		api_ok(weir_semaphore_create(api_device, 1, 1, api_of_kind(options.semaphore, kind),
		                             &s));
		api_run_kernel((api_run){
		    "api_semaphore", s.words, {{.semaphore = s.config}, 2, pause}, 2, 2, NULL});
		expect_findings(0);
		api_ok(weir_semaphore_destroy(api_device, &s));
	}
}

struct heard {
	const char *word;
	int calls;
	uint32_t waiting;
	char text[4096];
};

static void keep(struct heard *heard, const weir_diagnosis *report)
{
	heard->waiting = report->waiting;
	snprintf(heard->text, sizeof heard->text, "%s", report->text);
}

/* On a busy computer a block may start long after the others wait: it looks again until the report
 * contains the word. */
static void look_again(weir_device *device, struct heard *heard)
{
	for (int i = 0; i < 6000 && !strstr(heard->text, heard->word); i++) {
		weir_diagnosis report;
		nanosleep(&(struct timespec){0, 10000000}, NULL);
		if (weir_device_diagnose(device, &report) != WEIR_OK)
			return;
		keep(heard, &report);
		weir_diagnosis_destroy(&report);
	}
}

static void hear(weir_device *device, const weir_diagnosis *report, void *user)
{
	struct heard *heard = user;

	/* Keeps the first report: a later report may be made during the abort, when some blocks no
	 * longer wait. */
	if (heard->calls++ == 0) {
		keep(heard, report);
		look_again(device, heard);
	}
	assert_non_null(strstr(report->json, "\"findings\""));
	weir_device_abort(device);
}

/* Launches a kernel that hangs; the watchdog ends it. */
static void hang(api_run run, const char *word)
{
	struct heard heard = {.word = word};
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);

	api_ok(weir_device_watch(api_device, PATIENCE, hear, &heard));
	api_ok(weir_kernel_launch(api_device, &launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
	api_ok(weir_device_unwatch(api_device));
	assert_true(heard.calls >= 1);
	assert_true(heard.waiting >= 1);
	if (!strstr(heard.text, word))
		print_error("no '%s' in: %s\n", word, heard.text);
	assert_non_null(strstr(heard.text, word));
	assert_non_null(strstr(heard.text, "api_kernels.h:"));
	/* Reported only once. */
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
}

/* The same block locks twice, the others wait for it; then it is reset and works again. */
static void aborted_mutexes(void **state)
{
	weir_mutex_options options = {.object = diagnosed("kept")};

	(void)state;
	for (uint32_t kind = 1; weir_mutex_kind_name(kind); kind++) {
		weir_mutex m;
		fresh_device();
		api_ok(weir_mutex_create(api_device, api_of_kind(options, kind), &m));
		hang((api_run){"api_mutex", m.words, {{.mutex = m.config}, 2, 1}, 3, 2, NULL},
		     "locked_twice: block ");
		api_ok(weir_mutex_reset(api_device, m));
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_mutex", m.words, {{.mutex = m.config}, 10, 0}, 4, 2, NULL});
		assert_int_equal(api_datum(0), 40);
		api_ok(weir_mutex_destroy(api_device, &m));
	}
}

static void aborted_barriers(void **state)
{
	/* The host machine refuses a smaller grid, unless the barrier is for part of a grid. */
	weir_barrier_options options = {.object = diagnosed("missed"), .part_of_grid = 1};

	(void)state;
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind)) {
		weir_barrier b;
		fresh_device();
		api_ok(weir_barrier_create(api_device, 3, api_of_kind(options, kind), &b));
		hang((api_run){"api_barrier", b.words, {{.barrier = b.config}, 1, 0}, 2, 4, NULL},
		     "barrier: 2 of the 3 blocks wait at barrier 'missed'");
		api_ok(weir_barrier_reset(api_device, b));
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_barrier", b.words, {{.barrier = b.config}, 9, 0}, 3, 4, &b});
		assert_int_equal(api_datum(0), 0);
		assert_int_equal(api_datum(3), 9);
		api_ok(weir_barrier_destroy(api_device, &b));
	}
}

static void aborted_semaphores(void **state)
{
	weir_semaphore_options options = {.object = diagnosed("empty")};

	(void)state;
	for (uint32_t kind = 1; weir_semaphore_kind_name(kind); kind++) {
		weir_semaphore s;
		fresh_device();
		api_ok(weir_semaphore_create(api_device, 1, 1, api_of_kind(options, kind), &s));
		hang((api_run){"api_semaphore",
		               s.words,
		               {{.semaphore = s.config}, 1, API_WAIT},
		               2,
		               2,
		               NULL},
		     "no_slot: 1 block waits for a slot of semaphore 'empty'");
		api_ok(weir_semaphore_reset(api_device, s));
		api_run_kernel((api_run){"api_semaphore",
		                         s.words,
		                         {{.semaphore = s.config}, 9, API_WAIT | API_POST},
		                         1,
		                         2,
		                         NULL});
		api_ok(weir_semaphore_destroy(api_device, &s));
	}
}

/* A launch ends while it holds a mutex, and the next launch hangs on it. */
static void a_mutex_from_an_earlier_launch(void **state)
{
	weir_mutex_options options = {.object = diagnosed("left"), .kind = WEIR_MUTEX_TICKET};
	weir_mutex m;

	(void)state;
	fresh_device();
	api_ok(weir_mutex_create(api_device, &options, &m));
	api_run_kernel((api_run){"api_mutex", m.words, {{.mutex = m.config}, 1, 1}, 1, 1, NULL});
	hang((api_run){"api_mutex", m.words, {{.mutex = m.config}, 1, 0}, 1, 1, NULL},
	     "ended_holding: block 0 of an earlier launch locked mutex 'left'");
	api_ok(weir_mutex_destroy(api_device, &m));
}

/* An object without diagnosis, beside one with it. */
static void a_plain_object(void **state)
{
	weir_mutex_options options = {.object = diagnosed("other"), .kind = WEIR_MUTEX_TICKET};
	weir_mutex plain, other;

	(void)state;
	fresh_device();
	api_ok(weir_mutex_create(api_device, &options, &other));
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET},
	                         &plain));
	assert_int_equal(plain.config.id, 0);
	api_clear_data();
	api_run_kernel(
	    (api_run){"api_mutex", plain.words, {{.mutex = plain.config}, 50, 0}, 4, 2, NULL});
	assert_int_equal(api_datum(0), 200);
	expect_findings(0);
}

/* The offset of an object in api_data, in words; in OpenCL it is in the object's config. */
static weir_any_config placed(const weir_word *words, weir_any_config config)
{
	if (api_info.machine != WEIR_MACHINE_OPENCL)
		config.object.offset = (uint32_t)(words - (const weir_word *)api_data.native);
	return config;
}

/* An object in the first or second half of api_data. */
static weir_object_options halves(const char *name, int half, int diagnose)
{
	weir_object_options options = {
	    .name = name, .diagnose = diagnose, .memory = api_data.native};

	options.memory_bytes = API_DATA_WORDS / 2 * sizeof(weir_word);
	options.memory_offset = half * options.memory_bytes;
	return options;
}

/* Whether the report contains the words and shows `locks` blocks waiting in a lock. */
static int is_said(const char *words, uint32_t locks)
{
	static const char in_lock[] = "\"operation\": \"lock\"";
	weir_diagnosis report;
	uint32_t found = 0;
	int said;

	api_ok(weir_device_diagnose(api_device, &report));
	said = strstr(report.text, words) != NULL;
	for (const char *at = report.json; (at = strstr(at, in_lock)); at++)
		found++;
	weir_diagnosis_destroy(&report);
	return said && found == locks;
}

/* Launches a kernel that hangs, and ends it when the report says so. Other waits may last long
 * before that, so a watchdog would be too early. */
static void hang_pair(const char *kernel, api_pair pair, uint32_t blocks, uint32_t threads,
                      const char *words, uint32_t locks)
{
	api_run run = {
	    .kernel = kernel, .words = api_data.native, .grid = blocks, .threads = threads};
	const struct timespec moment = {.tv_nsec = 5000000};
	weir_argument arguments[3];
	weir_launch launch = api_launch(&run, arguments);
	time_t began = time(NULL);

	arguments[2] = (weir_argument){&pair, sizeof pair};
	api_ok(weir_kernel_launch(api_device, &launch));
	while (!is_said(words, locks) &&
	       time(NULL) - began < (time_t)(API_DEADLINE_NS / 1000000000u))
		nanosleep(&moment, NULL);
	assert_true(is_said(words, locks));
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
}

/* Other threads of the block clear their own notes, if they have any, and not those of their
 * leader, whose hang is reported and which an abort reaches. */
static void in_company(void **state)
{
	(void)state;
	for (int diagnosed_too = 0; diagnosed_too < 2; diagnosed_too++) {
		weir_mutex_options options = {.kind = WEIR_MUTEX_TICKET};
		weir_mutex_options others = {.kind = WEIR_MUTEX_TICKET};
		weir_mutex m, other;
		fresh_device();
		options.object = halves("kept", 0, 1);
		others.object = halves("theirs", 1, diagnosed_too);
		api_ok(weir_mutex_create(api_device, &options, &m));
		api_ok(weir_mutex_create(api_device, &others, &other));
		hang_pair("api_company",
		          (api_pair){placed(m.words, (weir_any_config){.mutex = m.config}),
		                     placed(other.words, (weir_any_config){.mutex = other.config}),
		                     2000, 4},
		          1, 8, " has waited for 'kept' in api_kernels.h:", 1);
	}
}

/* A leader waits in a lock as soon as the barrier lets it go. Its note stays, although another
 * thread clears the note about the barrier at that time. Under PoCL one thread runs after another,
 * and the kernel takes long to compile. */
static void after_a_barrier(void **state)
{
	const uint32_t blocks = api_info.machine == WEIR_MACHINE_CUDA ? 64 : 2;
	const uint32_t threads = api_info.machine == WEIR_MACHINE_CUDA ? 256 : 2;

	(void)state;
	if (api_info.machine == WEIR_MACHINE_OPENCL)
		return;
	for (uint32_t kind = api_next_barrier(0); kind; kind = api_next_barrier(kind))
		for (uint32_t split = 0; split < 2; split++) {
			weir_barrier_options first = {.kind = (weir_barrier_kind)kind};
			weir_mutex_options second = {.kind = WEIR_MUTEX_TICKET};
			weir_barrier b;
			weir_mutex m;
			fresh_device();
			first.object = halves("step", 0, 1);
			second.object = halves("kept", 1, 1);
			api_ok(weir_barrier_create(api_device, blocks, &first, &b));
			api_ok(weir_mutex_create(api_device, &second, &m));
			hang_pair(
			    "api_after_barrier",
			    (api_pair){placed(b.words, (weir_any_config){.barrier = b.config}),
			               placed(m.words, (weir_any_config){.mutex = m.config}), 0,
			               split},
			    blocks, threads,
			    " has waited for 'kept' in api_kernels.h:", blocks - 1);
		}
}

/* The report names object, kind, block and source line; only the launch has failed. */
static void wrong_kinds(void **state)
{
	static const struct {
		const char *kernel;
		uint32_t value;
		const char *said;
	} cases[] = {
	    {"api_mutex", 0, "as a mutex of kind 17, which is none"},
	    {"api_semaphore", API_WAIT, "as a semaphore of kind 17, which is none"},
	    {"api_semaphore", API_POST, "as a semaphore of kind 17, which is none"},
	    {"api_barrier", 0, "as a barrier of kind 17, which is none"},
	};
	weir_mutex_options options = {.object = diagnosed("spoilt"), .kind = WEIR_MUTEX_TICKET};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		weir_argument arguments[3];
		weir_launch launch;
		weir_diagnosis report;
		weir_mutex m;
		fresh_device();
		api_ok(weir_mutex_create(api_device, &options, &m));
		api_run bad = {
		    cases[i].kernel, m.words, {{.mutex = m.config}, 1, cases[i].value}, 2, 2, NULL};
		bad.params.config.object.kind = 17;
		launch = api_launch(&bad, arguments);
		api_ok(weir_kernel_launch(api_device, &launch));
		api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
		assert_non_null(strstr(weir_error_text(), "of kind 17, which is none"));
		api_ok(weir_device_diagnose(api_device, &report));
		if (!strstr(report.text, cases[i].said) ||
		    !strstr(report.text, "wrong_kind: block ") ||
		    !strstr(report.text, " uses 'spoilt' in api_kernels.h:"))
			print_error("%s\n", report.text);
		assert_non_null(strstr(report.text, cases[i].said));
		assert_non_null(strstr(report.text, "wrong_kind: block "));
		assert_non_null(strstr(report.text, " uses 'spoilt' in api_kernels.h:"));
		weir_diagnosis_destroy(&report);
		api_ok(weir_mutex_reset(api_device, m));
		api_clear_data();
		api_run_kernel(
		    (api_run){"api_mutex", m.words, {{.mutex = m.config}, 10, 0}, 2, 2, NULL});
		assert_int_equal(api_datum(0), 20);
	}
}

static void bad_watches(void **state)
{
	weir_mutex_options options = {.object = diagnosed("m"), .kind = WEIR_MUTEX_TICKET};
	weir_mutex m;

	(void)state;
	fresh_device();
	api_fails(weir_device_watch(api_device, 1, hear, NULL), WEIR_NOT_FOUND);
	api_ok(weir_mutex_create(api_device, &options, &m));
	api_fails(weir_device_watch(api_device, 0, hear, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_device_watch(api_device, 1, NULL, NULL), WEIR_BAD_ARGUMENT);
	/* The watchdog is left on: closing the device ends it. */
	api_ok(weir_device_watch(api_device, 1, hear, NULL));
	api_ok(weir_device_watch(api_device, 2, hear, NULL));
}

static void *watch_often(void *argument)
{
	struct heard *heard = argument;

	for (int i = 0; i < 50; i++) {
		heard->calls += weir_device_watch(api_device, 60, hear, heard) == WEIR_OK;
		heard->calls += weir_device_unwatch(api_device) == WEIR_OK;
	}
	return NULL;
}

static void *wait_often(void *argument)
{
	struct heard *heard = argument;

	for (int i = 0; i < 50; i++)
		heard->calls += weir_device_wait(api_device, API_DEADLINE_NS, NULL) == WEIR_OK;
	return NULL;
}

/* The first diagnosed object is created while another thread waits for the device; then two threads
 * watch it. */
static void several_threads(void **state)
{
	weir_mutex_options options = {.object = diagnosed("m"), .kind = WEIR_MUTEX_TICKET};
	struct heard heard[2] = {{.word = ""}, {.word = ""}};
	pthread_t threads[2];
	weir_mutex m;

	(void)state;
	fresh_device();
	assert_int_equal(pthread_create(&threads[0], NULL, wait_often, &heard[0]), 0);
	api_ok(weir_mutex_create(api_device, &options, &m));
	pthread_join(threads[0], NULL);
	assert_int_equal(heard[0].calls, 50);
	heard[0].calls = 0;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, watch_often, &heard[i]), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(heard[0].calls, 100);
	assert_int_equal(heard[1].calls, 100);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_to_diagnose),
	    cmocka_unit_test(sizes_count_the_header),
	    cmocka_unit_test(numbers_run_out_and_come_back),
	    cmocka_unit_test(numbers_begin_anew),
	    cmocka_unit_test(names),
	    cmocka_unit_test(right_kernels),
	    cmocka_unit_test(long_waits_are_over),
	    cmocka_unit_test(aborted_mutexes),
	    cmocka_unit_test(aborted_barriers),
	    cmocka_unit_test(aborted_semaphores),
	    cmocka_unit_test(a_mutex_from_an_earlier_launch),
	    cmocka_unit_test(a_plain_object),
	    cmocka_unit_test(in_company),
	    cmocka_unit_test(after_a_barrier),
	    cmocka_unit_test(wrong_kinds),
	    cmocka_unit_test(bad_watches),
	    cmocka_unit_test(several_threads),
	};
	return api_main(argc, argv, tests);
}
