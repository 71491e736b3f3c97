#include "rank.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "cli/complain.h"

#define LATE_S 1.0
#define JOIN_S 20.0 /* at least: processes may take long to start */

int crew_rank_open(crew_rank *r, const weir_crew_place *place, const weir_crew_options *options,
                   const weir_program_text *text)
{
	const crew_request *request = r->request;
	weir_crew_options with = *options;

	with.seconds = request->seconds > JOIN_S ? request->seconds : JOIN_S;
	if (crew_rank_need(r, weir_device_open("host", &r->host)))
		return -1;
	r->device = r->host;
	/* Before it joins: a device that does not exist is wrong input, and no rank is missing. */
	if (request->device && crew_rank_need(r, weir_device_open(request->device, &r->device))) {
		r->result->status = WEIR_EXIT_USAGE;
		return -1;
	}
	if (crew_rank_need(r, weir_crew_join(r->host, place, &with, &r->link)) ||
	    crew_rank_need(r, weir_crew_handle(r->link, &r->meeting)))
		return -1;
	r->crew = r->meeting;
	if (request->device && crew_rank_need(r, weir_crew_on_device(r->link, r->device, &r->crew)))
		return -1;
	return crew_rank_need(r, weir_program_create(r->device, text, &r->program));
}

void crew_rank_close(crew_rank *r)
{
	/* The others would wait for this rank in vain. */
	if (r->link && r->result->status)
		weir_crew_stop(r->link);
	if (r->link)
		weir_crew_leave(r->link);
	if (r->program)
		weir_program_destroy(r->program);
	if (r->device && r->device != r->host)
		weir_device_close(r->device);
	if (r->host)
		weir_device_close(r->host);
}

int crew_rank_has_fault(const crew_rank *r, crew_fault fault)
{
	return r->request->fault == fault && r->request->fault_rank == r->crew.config.rank;
}

int crew_rank_fail(crew_rank *r, const char *text)
{
	if (!r->result->text[0])
		snprintf(r->result->text, sizeof r->result->text, "%s", text);
	r->result->status = WEIR_EXIT_FAILED;
	return -1;
}

int crew_rank_need(crew_rank *r, weir_status status)
{
	return status == WEIR_OK ? 0 : crew_rank_fail(r, weir_error_text());
}

int crew_rank_report(crew_rank *r, double waited)
{
	weir_crew_report about;

	if (weir_crew_diagnose(r->link, waited, &about) != WEIR_OK)
		return crew_rank_fail(r, weir_error_text());
	weir_crew_stop(r->link);
	crew_rank_fail(r, about.text);
	weir_crew_report_clear(&about);
	return -1;
}

/* Whether a rank is gone that others may wait for. */
static int is_broken(crew_rank *r)
{
	weir_crew_report about;
	int broken = 0;

	if (weir_crew_diagnose(r->link, 0, &about) != WEIR_OK)
		return 0;
	for (uint32_t i = 0; i < about.ranks; i++)
		broken |= about.rank[i].state == WEIR_RANK_DEAD ||
		          (about.rank[i].state == WEIR_RANK_LEFT && !about.rank[i].has_arrived);
	weir_crew_report_clear(&about);
	return broken;
}

int crew_rank_watch(crew_rank *r)
{
	const uint64_t look_ns = 50000000;
	double waited = 0;
	weir_status status;

	while ((status = weir_device_wait(r->device, look_ns, NULL)) == WEIR_STILL_RUNNING) {
		waited += (double)look_ns * 1e-9;
		if (!r->result->text[0] && is_broken(r))
			crew_rank_report(r, waited);
	}
	/* The memory of a rank that is gone may be gone, too: the device's error is then not the cause. */
	if (status != WEIR_OK && !r->result->text[0] && is_broken(r))
		return crew_rank_report(r, waited);
	return crew_rank_need(r, status);
}

int crew_rank_judge(crew_rank *r, uint32_t result)
{
	if (result == WEIR_TIMED_OUT)
		return crew_rank_report(r, r->request->seconds);
	if (result != WEIR_ACQUIRED)
		return crew_rank_fail(r, CREW_TEXT_ABORTED);
	return r->result->text[0] ? -1 : 0;
}

static void sleep_for(double seconds)
{
	struct timespec time = {.tv_sec = (time_t)seconds,
	                        .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&time, NULL);
}

void crew_rank_be_late(const crew_rank *r)
{
	double seconds = r->request->seconds;

	if (crew_rank_has_fault(r, CREW_LATE))
		sleep_for(seconds < 2 * LATE_S ? seconds / 2 : LATE_S);
}

int crew_rank_stop_coming(crew_rank *r)
{
	if (crew_rank_has_fault(r, CREW_KILL))
		raise(SIGKILL);
	while (weir_crew_aborted(r->meeting) == 0)
		sleep_for(0.01);
	return crew_rank_fail(r, "this rank did not come, on purpose\n");
}
