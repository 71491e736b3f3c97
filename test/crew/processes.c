/* Crews of processes on this host: they synchronize, and only the crew can have kept their data apart. A
 * rank that is killed, stays away or never starts is named. Ranks leave and form new crews, and bad input
 * is refused. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "crew/message.h"
#include "ranks.h"
#include "weir/event/api.h"
#include "weir/queue/api.h"
#include "weir/queue/bounded.h"

#define PHASES 400
#define LONG_NS (uint64_t)(DEADLINE_S / 2 * 1000000000ull)

static int failed;
static int passed;

static void verdict(int failures, const char *name)
{
	printf("%s %s\n", failures == 0 ? "ok    " : "FAILED", name);
	failures == 0 ? passed++ : failed++;
}

/* ---- meeting ---- */

typedef struct meeting {
	weir_crew_options options;
	int without; /* the barrier is left out, and a rank must notice */
} meeting;

static weir_status pass(weir_crew c, uint32_t phase)
{
	weir_crew_token t = phase % 3 == 0 ? weir_crew_lane_arrive(c, 0) : weir_crew_arrive(c);

	return weir_crew_await_for(c, &t, LONG_NS);
}

/* Two plain words of each rank, used alternately. Returns how many were of another phase. */
static uint32_t phases(rank_context *context, weir_crew c, int without)
{
	uint32_t wrong = 0;

	for (uint32_t phase = 1; phase <= PHASES; phase++) {
		weir_crew_data(c, c.config.rank)[phase & 1] = phase;
		if (!without)
			CHECK(context, pass(c, phase) == WEIR_OK);
		for (uint32_t i = 0; i < c.config.ranks; i++)
			wrong += weir_crew_data(c, i)[phase & 1] != phase;
	}
	return wrong;
}

static void meet(rank_context *context)
{
	const meeting *m = context->what;
	weir_crew c;
	weir_crew_link *link = ranks_join(context, &m->options, &c);
	uint32_t wrong = phases(context, c, m->without);

	CHECK(context, wrong == 0);
	if (!m->without)
		CHECK(context, weir_crew_wait(c) == WEIR_OK);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

static void test_meeting(void)
{
	meeting m = {.options = {.data_bytes = 8}};
	meeting two = {.options = {.data_bytes = 8, .radix = 2}};

	verdict(ranks_run(2, NULL, 0, 0, meet, &m), "two ranks meet");
	verdict(ranks_run(4, NULL, 0, 0, meet, &m), "four ranks meet, flat");
	verdict(ranks_run(4, NULL, 0, 0, meet, &two), "four ranks meet, in rounds");
	m.without = 1;
	fflush(NULL);
	int saved = dup(1), null = open("/dev/null", O_WRONLY), noticed = 0;
	dup2(null, 1);
	for (int i = 0; i < 5 && !noticed; i++)
		noticed = ranks_run(4, NULL, 0, 0, meet, &m) != 0;
	fflush(NULL);
	dup2(saved, 1);
	close(saved);
	close(null);
	verdict(!noticed, "without the barrier it is noticed");
}

/* ---- events, queues and aborts ---- */

static void pass_on(rank_context *context)
{
	weir_crew_options options = {.events = 2, .queue_slots = 4, .data_bytes = 4};
	weir_crew c;
	weir_crew_link *link = ranks_join(context, &options, &c);
	uint32_t rank = c.config.rank, next = (rank + 1) % c.config.ranks, item = 0;

	for (uint32_t i = 1; i <= 50; i++) {
		if (rank != 0)
			CHECK(context, weir_crew_event_wait_for(c, weir_crew_event(c, rank, 1), i,
			                                        LONG_NS) == WEIR_OK);
		uint32_t before =
		    weir_crew_data(c, (rank + c.config.ranks - 1) % c.config.ranks)[0];
		CHECK(context, rank == 0 || before == i);
		weir_crew_data(c, rank)[0] = i;
		weir_event_post(weir_crew_event(c, next, 1), 1);
		CHECK(context,
		      weir_queue_push(weir_crew_queue(c, next), 100 * rank + i) == WEIR_OK);
		CHECK(context,
		      weir_queue_pop_for(weir_crew_queue(c, rank), &item, LONG_NS) == WEIR_OK);
		CHECK(context, item == 100 * ((rank + c.config.ranks - 1) % c.config.ranks) + i);
		CHECK(context, weir_crew_wait(c) == WEIR_OK);
	}
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

/* Rank 1 aborts; the others wait without a deadline. */
static void abort_crew(rank_context *context)
{
	weir_crew c;
	weir_crew_link *link = ranks_join(context, NULL, &c);

	CHECK(context, weir_crew_wait(c) == WEIR_OK);
	if (c.config.rank == 1)
		weir_crew_abort(c);
	else
		CHECK(context, weir_crew_wait(c) == WEIR_ABORTED);
	CHECK(context, weir_crew_aborted(c) == 2);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

/* ---- ranks that do not arrive ---- */

/* The last rank ends, leaves, or stays away after some phases. The others report that. */
static void lose_last(rank_context *context)
{
	const char *how = context->what;
	weir_crew c;
	weir_crew_link *link = ranks_join(context, NULL, &c);
	uint32_t last = c.config.ranks - 1;
	weir_crew_report report = {0};
	char expected[80];

	for (int i = 0; i < 41; i++)
		CHECK(context, weir_crew_wait(c) == WEIR_OK);
	if (c.config.rank == last && strcmp(how, "killed") == 0)
		raise(SIGKILL);
	if (c.config.rank == last && strcmp(how, "left") == 0) {
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
		return;
	}
	if (c.config.rank == last) {
		while (weir_crew_aborted(c) == 0)
			sched_yield();
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
		return;
	}
	weir_crew_token t = weir_crew_arrive(c);
	for (;;) {
		weir_status result = weir_crew_await_for(c, &t, 50000000);
		if (result != WEIR_TIMED_OUT) {
			CHECK(context, result == WEIR_ABORTED);
			break;
		}
		weir_crew_report_destroy(&report);
		CHECK(context, weir_crew_diagnose(link, 2.0, &report) == WEIR_OK);
		/* The other ranks may still be arriving. */
		if (report.missing == 1 && (strcmp(how, "stays") == 0 || report.gone == 1))
			weir_crew_abort(c);
	}
	/* A rank that saw the abort before a report has none. */
	if (report.missing == 1) {
		snprintf(expected, sizeof expected,
		         "rank %u has not arrived in 2.0 s; it last passed phase 41; ", last);
		CHECK(context, strstr(report.text, expected) != NULL);
		CHECK(context, report.rank[last].passed == 41 && !report.rank[last].has_arrived);
		/* A rank that stays away leaves when it sees an abort, which another rank may have
		 * made. */
		int left = strstr(report.text, "it has left the crew") != NULL;
		CHECK(context, strcmp(how, "killed") == 0
		                   ? strstr(report.text, "its process has ended") != NULL
		                   : left || strcmp(how, "left") != 0);
		CHECK(context, strcmp(how, "stays") != 0 || left ||
		                   strstr(report.text, "its process is alive") != NULL);
		CHECK(context, strstr(report.text, "rank 0 has not") == NULL);
	}
	weir_crew_report_destroy(&report);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

/* Rank 2 never starts, or ends before it has joined. */
static void miss_rank(rank_context *context)
{
	weir_crew_options options = {.seconds = 20};
	weir_crew_link *link;

	if (context->place.rank == 2)
		return;
	CHECK(context,
	      weir_crew_create(context->device, &context->place, &options, &link) == WEIR_NO_RANK);
	CHECK(context, strstr(weir_error_text(), "rank 2 has not arrived") != NULL);
	CHECK(context, link == NULL);
}

/* Rank 0 says through a pipe that it continues, and the late rank waits for that. */
static void say_or_hear(rank_context *context)
{
	const int *ends = context->what;
	char sign = 0;

	if (context->place.rank == 0)
		CHECK(context, write(ends[1], &sign, 1) == 1);
	if (context->place.rank == 1)
		CHECK(context, read(ends[0], &sign, 1) == 1);
}

/* A late rank is not a fault, neither when it joins nor at a barrier. */
static void come_late(rank_context *context)
{
	weir_crew c;
	weir_crew_report report;
	weir_crew_token token;

	say_or_hear(context);
	weir_crew_link *link = ranks_join(context, NULL, &c);
	if (context->place.rank == 1)
		say_or_hear(context);
	token = weir_crew_arrive(c);
	if (context->place.rank == 0)
		say_or_hear(context);
	CHECK(context, weir_crew_await(c, &token) == WEIR_OK);
	CHECK(context, weir_crew_wait(c) == WEIR_OK);
	CHECK(context, weir_crew_diagnose(link, 0, &report) == WEIR_OK);
	weir_crew_report_destroy(&report);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

static void test_lost(void)
{
	verdict(ranks_run(3, NULL, 0, 0, pass_on, NULL), "events and queues between ranks");
	verdict(ranks_run(3, NULL, 0, 0, abort_crew, NULL), "an abort ends the waits of all");
	verdict(ranks_run(3, NULL, 0, 1 << 2, lose_last, "killed"), "a killed rank is named");
	verdict(ranks_run(3, NULL, 0, 0, lose_last, "left"), "a rank that left is named");
	verdict(ranks_run(3, NULL, 0, 0, lose_last, "stays"), "a rank that stays away is named");
	verdict(ranks_run(3, NULL, 1 << 2, 0, miss_rank, NULL),
	        "a rank that never starts is named");
	verdict(ranks_run(3, NULL, 0, 0, miss_rank, NULL), "a rank that ends early is named");
	int ends[2];
	if (pipe(ends) != 0) {
		verdict(1, "no pipe for a late rank");
		return;
	}
	verdict(ranks_run(3, NULL, 0, 0, come_late, ends), "a late rank");
	close(ends[0]);
	close(ends[1]);
}

/* ---- by name ---- */

static char folder[] = "/tmp/weir-test-XXXXXX";

/* The number of files in the folder. */
static int left_in_folder(void)
{
	DIR *open = opendir(folder);
	int count = 0;

	while (open && readdir(open))
		count++;
	if (open)
		closedir(open);
	return count - 2;
}

/* Three crews in a row: all ranks; all but the last; all in another order. */
static void join_again(rank_context *context)
{
	const weir_crew_options options = {.data_bytes = 8};
	uint32_t ranks = context->place.ranks, rank = context->place.rank;

	for (uint32_t turn = 0; turn < 3; turn++) {
		weir_crew c;

		context->place.ranks = turn == 1 ? ranks - 1 : ranks;
		context->place.rank = turn == 2 ? ranks - 1 - rank : rank;
		if (context->place.rank >= context->place.ranks)
			continue;
		snprintf(context->place.name, sizeof context->place.name, "again-%u", turn);
		weir_crew_link *link = ranks_join(context, &options, &c);
		CHECK(context, phases(context, c, 0) == 0);
		CHECK(context, weir_crew_wait(c) == WEIR_OK);
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	}
}

/* Rank 0 is killed while it waits for a third one. */
static void lose_leader(rank_context *context)
{
	const weir_crew_options options = {.seconds = 20};
	weir_crew_link *link;

	if (context->place.rank == 0)
		alarm(1); /* by default it ends the process */
	CHECK(context,
	      weir_crew_create(context->device, &context->place, &options, &link) == WEIR_NO_RANK);
}

static void join_refused(rank_context *context)
{
	weir_crew_link *link;

	CHECK(context,
	      weir_crew_create(context->device, &context->place, NULL, &link) == WEIR_BAD_ARGUMENT);
	CHECK(context, strstr(weir_error_text(), context->what) != NULL);
}

/* A socket left behind, as by a rank 0 that is killed. */
static void leave_socket(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int made = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s/crew-%s", folder, name);
	if (bind(made, (struct sockaddr *)&address, sizeof address) != 0)
		perror("bind");
	close(made);
}

static void test_names(void)
{
	char other[sizeof folder + 8];
	meeting m = {.options = {.data_bytes = 8}};

	if (!mkdtemp(folder))
		exit((perror(folder), 1));
	setenv("WEIR_CREW_DIR", folder, 1);
	verdict(ranks_run(3, "one", 0, 0, meet, &m), "ranks meet by name");
	verdict(ranks_run(3, "again", 0, 0, join_again, NULL), "ranks leave and form other crews");
	leave_socket("left");
	verdict(ranks_run(2, "left", 0, 0, meet, &m), "a name that a crash left is taken over");
	verdict(left_in_folder() != 0, "no name is left");
	/* The third rank is not started. */
	verdict(ranks_run(3, "leader", 1 << 2, 1, lose_leader, NULL), "rank 0 ends while it waits");
	verdict(left_in_folder() != 0, "the others remove its name");

	chmod(folder, 0755);
	verdict(ranks_run(2, "open", 0, 0, join_refused, "not this user's alone"),
	        "a folder that others may enter is refused");
	chmod(folder, 0700);
	snprintf(other, sizeof other, "%s.link", folder);
	if (symlink(folder, other) != 0)
		perror("symlink");
	setenv("WEIR_CREW_DIR", other, 1);
	verdict(ranks_run(2, "link", 0, 0, join_refused, "cannot use the folder"),
	        "a link in place of the folder is refused");
	unlink(other);
	setenv("WEIR_CREW_DIR", folder, 1);
	if (geteuid() == 0) {
		verdict(chown(folder, 65534, 65534) != 0 ||
		            ranks_run(2, "other", 0, 0, join_refused, "not this user's alone"),
		        "a folder of another user is refused");
		verdict(chown(folder, 0, 0) != 0, "the folder is root's again");
	}
	rmdir(folder);
}

/* ---- refusals ---- */

/* Rank 1 differs in one option; both ranks are told. */
static void differ(rank_context *context)
{
	weir_crew_options options = {.lanes = 2, .seconds = 10};
	weir_crew_link *link;

	if (context->place.rank == 1)
		*(uint32_t *)((char *)&options + *(size_t *)context->what) = 4;
	CHECK(context, weir_crew_create(context->device, &context->place, &options, &link) ==
	                   WEIR_BAD_ARGUMENT);
	CHECK(context, strstr(weir_error_text(), "other options") != NULL);
}

static void test_refused(void)
{
	static const struct {
		const char *name;
		size_t at;
	} members[] = {{"lanes", offsetof(weir_crew_options, lanes)},
	               {"events", offsetof(weir_crew_options, events)},
	               {"queue_slots", offsetof(weir_crew_options, queue_slots)},
	               {"radix", offsetof(weir_crew_options, radix)},
	               {"copies", offsetof(weir_crew_options, copies)},
	               {"data", offsetof(weir_crew_options, data_bytes)}};
	char name[64];

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		snprintf(name, sizeof name, "other %s are refused", members[i].name);
		verdict(ranks_run(2, NULL, 0, 0, differ, (void *)(uintptr_t)&members[i].at), name);
	}
}

/* The words of each rank's share before the first lane, and the start of each part, without the kernels'
 * arithmetic. */
static uint64_t words_before(weir_crew_config config, uint32_t lane)
{
	uint64_t rounds = 0, slots, pitch = WEIR_LINE_WORDS;

	for (uint64_t reached = 1; reached < config.ranks; reached *= config.radix)
		rounds++;
	slots = rounds * (config.radix - 1);
	return (3 + (1ull << config.bits)) * WEIR_LINE_WORDS +
	       lane * (WEIR_LINE_WORDS + slots * pitch);
}

/* The kernels find the parts of a share one after the other. */
static void check_layout(rank_context *context, weir_crew c)
{
	weir_crew_config config = c.config;
	weir_word *share = weir_crew_share(c, 1), *after;

	for (uint32_t lane = 0; lane <= config.lanes;
	     lane += lane < config.lanes ? config.lanes : 1)
		CHECK(context,
		      weir_crew_passed_(c, share, lane) == share + words_before(config, lane));
	after = share + words_before(config, config.lanes + 1);
	if (config.events != 0) {
		CHECK(context, weir_crew_event(c, 1, 0).words >= after);
		after = weir_crew_event(c, 1, config.events - 1).words + 1;
	}
	if (config.queue_bits != 0)
		CHECK(context, weir_crew_queue(c, 1).words >= after);
	CHECK(context, (weir_word *)weir_crew_data(c, 1) >= after);
	/* The last word of the data belongs only to this rank. */
	if (config.rank == 1)
		weir_crew_data(c, 1)[0] = 77;
	CHECK(context, weir_crew_wait(c) == WEIR_OK);
	CHECK(context, weir_crew_data(c, 1)[0] == 77 && weir_crew_data(c, 0)[0] == 0);
	CHECK(context, weir_crew_wait(c) == WEIR_OK);
}

/* The extremes of all options, in all pairs: a crew whose parts do not overlap, or an error that says what
 * is too much. */
static void go_to_extremes(rank_context *context)
{
	static const uint32_t lanes[] = {1, 2, 4096}, radices[] = {2, 3, 32767, 32768},
			      counts[] = {0, 1, 1u << 20};
	static const size_t data[] = {4, (size_t)1 << 40};
	uint32_t made = 0, refused = 0, number = 0;

	for (uint32_t i = 0; i < 3 * 4 * 3 * 3 * 2 * 2; i++) {
		uint32_t at = i;
		weir_crew_options options = {.lanes = lanes[at % 3], .seconds = 40};
		weir_crew_link *link;
		weir_crew c;

		options.radix = radices[(at /= 3) % 4];
		options.events = counts[(at /= 4) % 3];
		options.queue_slots = counts[(at /= 3) % 3];
		options.copies = (at /= 3) % 2 ? 1u << WEIR_CREW_BITS_MOST : 0;
		options.data_bytes = data[(at / 2) % 2];
		/* Each value with each other value, but not all products of six. */
		if (i % 5 != 0 && (options.lanes != 4096 || options.radix < 32767))
			continue;
		snprintf(context->place.name, sizeof context->place.name, "extreme-%u", number++);
		if (weir_crew_create(context->device, &context->place, &options, &link) !=
		    WEIR_OK) {
			CHECK(context,
			      strstr(weir_error_text(), "4096 lanes of radix 3276") != NULL);
			refused++;
			continue;
		}
		made++;
		CHECK(context, weir_crew_handle(link, &c) == WEIR_OK);
		check_layout(context, c);
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	}
	CHECK(context, made != 0 && refused != 0);
}

/* Too many bytes for a process: each rank refuses, with its own error text or the other's. */
static void ask_too_much(rank_context *context)
{
	const weir_crew_options options = {.data_bytes = (size_t)1 << 40, .seconds = 40};
	weir_crew_link *link;
	struct rlimit limit = {(rlim_t)1 << 36, (rlim_t)1 << 36};

	CHECK(context, setrlimit(RLIMIT_AS, &limit) == 0);
	CHECK(context, weir_crew_create(context->device, &context->place, &options, &link) ==
	                   WEIR_NO_MEMORY);
	CHECK(context, strstr(weir_error_text(), "cannot map the ") != NULL);
}

/* ---- again, and killed ---- */

/* Many crews in a row under one name: no rank joins the previous crew. */
static void join_same_name(rank_context *context)
{
	for (int i = 0; i < 100; i++) {
		weir_crew c;
		weir_crew_link *link = ranks_join(context, NULL, &c);

		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	}
}

/* The first crew closes the sockets of a place, whether or not it is made. */
static void join_twice(rank_context *context)
{
	weir_crew c;
	weir_crew_options wrong = {.radix = 1};
	weir_crew_link *link;

	if (context->what) {
		CHECK(context, weir_crew_create(context->device, &context->place,
		                                context->place.rank == 1 ? &wrong : NULL,
		                                &link) == WEIR_BAD_ARGUMENT);
		CHECK(context, strstr(weir_error_text(), "options.radix is 1") != NULL);
	} else {
		link = ranks_join(context, NULL, &c);
		CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	}
	CHECK(context,
	      weir_crew_create(context->device, &context->place, NULL, &link) == WEIR_BAD_ARGUMENT);
	CHECK(context, strstr(weir_error_text(), "not an open socket") != NULL);
}

/* The last rank is killed within a few microseconds, at an unknown point. The others have a crew in which it is
 * dead, or no crew. */
static void kill_anywhere(rank_context *context)
{
	/* By name, it goes unnoticed that a rank ended before it could connect. */
	const weir_crew_options options = {.seconds = context->place.sockets ? 20 : 0.3};
	const struct itimerval when = {.it_value = {.tv_usec = 1 + *(const int *)context->what}};
	int is_last = context->place.rank == context->place.ranks - 1;
	weir_crew_link *link;
	weir_crew_report report;
	weir_crew c;

	if (is_last) {
		signal(SIGALRM, SIG_DFL);
		setitimer(ITIMER_REAL, &when, NULL);
	}
	weir_status status = weir_crew_create(context->device, &context->place, &options, &link);
	while (is_last)
		pause();
	CHECK(context, status == WEIR_OK || status == WEIR_NO_RANK);
	if (status != WEIR_OK)
		return;
	CHECK(context, weir_crew_handle(link, &c) == WEIR_OK);
	for (uint32_t gone = 0; gone == 0; sched_yield()) {
		CHECK(context, weir_crew_diagnose(link, 0, &report) == WEIR_OK);
		gone = report.rank[context->place.ranks - 1].state == WEIR_RANK_DEAD;
		weir_crew_report_destroy(&report);
	}
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
}

static void test_again(void)
{
	int wrong = 0;

	if (!mkdtemp(strcpy(folder, "/tmp/weir-test-XXXXXX")))
		exit((perror(folder), 1));
	verdict(ranks_run(2, "extreme", 0, 0, go_to_extremes, NULL), "the extremes of all options");
	verdict(ranks_run(2, NULL, 0, 0, ask_too_much, NULL), "more than fits into a process");
	verdict(ranks_run(3, "same", 0, 0, join_same_name, NULL), "a hundred crews of one name");
	verdict(ranks_run(3, NULL, 0, 0, join_twice, NULL), "a place with sockets joins once");
	verdict(ranks_run(3, NULL, 0, 0, join_twice, "wrong"), "all are told of a wrong option");
	for (int us = 0; us < 3000; us += 200) {
		wrong += ranks_run(3, NULL, 0, 1 << 2, kill_anywhere, &us);
		if (us % 600 == 0)
			wrong += ranks_run(3, "killed", 0, 1 << 2, kill_anywhere, &us);
	}
	verdict(wrong, "a rank that is killed while it joins");
	verdict(left_in_folder() != 0, "no name is left by them");
	rmdir(folder);
}

/* Bad input of a single process. */
static void alone(rank_context *context)
{
	weir_crew_place place = context->place, found;
	weir_crew_options options = {.seconds = 1};
	weir_crew_link *link;
	weir_crew c;
	char job[100];

	CHECK(context, weir_crew_create(NULL, &place, NULL, &link) != WEIR_OK);
	CHECK(context, weir_crew_create(context->device, NULL, NULL, &link) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_create(context->device, &place, NULL, NULL) == WEIR_BAD_ARGUMENT);
	place.rank = 1;
	CHECK(context, weir_crew_create(context->device, &place, NULL, &link) == WEIR_BAD_ARGUMENT);
	place.rank = 0;
	place.ranks = WEIR_CREW_PROCESSES_MOST + 1;
	CHECK(context, weir_crew_create(context->device, &place, NULL, &link) == WEIR_BAD_ARGUMENT);
	place.ranks = 2;
	CHECK(context, weir_crew_create(context->device, &place, NULL, &link) == WEIR_BAD_ARGUMENT);
	snprintf(place.name, sizeof place.name, "../up");
	CHECK(context, weir_crew_create(context->device, &place, NULL, &link) == WEIR_BAD_ARGUMENT);
	place.ranks = 1;
	options.radix = 1;
	CHECK(context,
	      weir_crew_create(context->device, &place, &options, &link) == WEIR_BAD_ARGUMENT);
	options.radix = 0;
	options.blocks = WEIR_CREW_RANKS_MOST + 1;
	CHECK(context,
	      weir_crew_create(context->device, &place, &options, &link) == WEIR_BAD_ARGUMENT);
	CHECK(context, strstr(weir_error_text(), "options.blocks is 32769; at most 32768") != NULL);
	options.blocks = 0;
	options.seconds = -1;
	CHECK(context,
	      weir_crew_create(context->device, &place, &options, &link) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_create(context->device, &place, NULL, &link) == WEIR_OK);
	CHECK(context, weir_crew_handle(NULL, &c) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_handle(link, &c) == WEIR_OK);
	CHECK(context, weir_crew_wait(c) == WEIR_OK);
	CHECK(context, weir_crew_diagnose(link, 0, NULL) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	CHECK(context, weir_crew_destroy(NULL) == WEIR_BAD_ARGUMENT);
	weir_crew_report_destroy(NULL);
	CHECK(context, weir_crew_place_find(NULL) == WEIR_BAD_ARGUMENT);

	unsetenv("WEIR_CREW_RANK");
	setenv("OMPI_COMM_WORLD_RANK", "1", 1);
	setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
	setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "3", 1);
	setenv("PMIX_NAMESPACE", "job/../1", 1);
	CHECK(context, weir_crew_place_find(&found) == WEIR_OK && found.rank == 1 &&
	                   found.ranks == 3 && strcmp(found.name, "job_.._1") == 0);
	/* Jobs of a host with a long name. */
	memset(job, 'h', sizeof job);
	for (int i = 0; i < 2; i++) {
		snprintf(job + 90, sizeof job - 90, "-17@%d", i);
		setenv("PMIX_NAMESPACE", job, 1);
		CHECK(context, weir_crew_place_find(i ? &place : &found) == WEIR_OK);
	}
	CHECK(context, strncmp(found.name, "hhhh", 4) == 0 && strlen(found.name) == 63);
	CHECK(context, strcmp(found.name, place.name) != 0);
	setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
	CHECK(context, weir_crew_place_find(&found) == WEIR_UNSUPPORTED);
	setenv("OMPI_COMM_WORLD_RANK", "3", 1);
	CHECK(context, weir_crew_place_find(&found) == WEIR_BAD_ARGUMENT);
	unsetenv("OMPI_COMM_WORLD_RANK");
	setenv("SLURM_PROCID", "0", 1);
	setenv("SLURM_NTASKS", "2", 1);
	setenv("SLURM_JOB_ID", "17", 1);
	setenv("SLURM_STEP_ID", "4", 1);
	unsetenv("PMI_RANK");
	CHECK(context, weir_crew_place_find(&found) == WEIR_OK && found.ranks == 2 &&
	                   strcmp(found.name, "17.4") == 0);
	unsetenv("SLURM_PROCID");
	setenv("RANK", "1", 1);
	setenv("WORLD_SIZE", "2", 1);
	setenv("LOCAL_WORLD_SIZE", "2", 1);
	setenv("MASTER_PORT", "29500", 1);
	unsetenv("TORCHELASTIC_RUN_ID"); /* any RANK */
	CHECK(context, weir_crew_place_find(&found) == WEIR_NOT_FOUND);
	setenv("TORCHELASTIC_RUN_ID", "none", 1);
	CHECK(context, weir_crew_place_find(&found) == WEIR_OK && found.rank == 1 &&
	                   strcmp(found.name, "none.29500") == 0);
	setenv("WORLD_SIZE", "4", 1);
	CHECK(context, weir_crew_place_find(&found) == WEIR_UNSUPPORTED);
}

int main(void)
{
	test_meeting();
	test_lost();
	test_names();
	test_refused();
	test_again();
	verdict(ranks_run(1, NULL, 0, 0, alone, NULL), "bad input");
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0 || passed == 0;
}
