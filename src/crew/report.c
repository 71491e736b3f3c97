/* Which ranks of a crew have not arrived, and whether their processes are alive. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/memory.h"
#include "crew/link.h"
#include "weir/crew/api.h"

/* Reads a word of a rank's share while others change it: for information only. The memory of a
 * device may be gone with its process; then this reads 0 from the host's share. */
static uint32_t look(const weir_crew_link *link, uint32_t rank, const weir_word *w)
{
	weir_word *share = link->peers[rank].share;
	weir_rank_state state = WEIR_RANK_ALIVE;
	uint32_t value = 0;

	if (link->device)
		state = weir_crew_rank_state(link, rank);
	if (link->device && (state == WEIR_RANK_ALIVE || state == WEIR_RANK_UNKNOWN) &&
	    weir_area_peek(link->device, link->peers[rank].native, (size_t)(w - share) * sizeof *w,
	                   &value, sizeof value) == WEIR_OK)
		return value;
	return weir_load_rlx(&share[w - share]); /* relaxed: it orders nothing */
}

weir_rank_state weir_crew_rank_state(const weir_crew_link *link, uint32_t rank)
{
	const weir_crew_peer *peer = &link->peers[rank];
	struct pollfd ended = {.fd = peer->process, .events = POLLIN};

	/* Pairs with the release in weir_crew_destroy. */
	if (weir_load_acq(&peer->share[WEIR_SHARE_STATE]) == WEIR_SHARE_LEFT)
		return WEIR_RANK_LEFT;
	if (peer->process >= 0)
		return poll(&ended, 1, 0) == 1 ? WEIR_RANK_DEAD : WEIR_RANK_ALIVE;
	if (peer->pid <= 0)
		return WEIR_RANK_UNKNOWN;
	return kill(peer->pid, 0) == 0 || errno == EPERM ? WEIR_RANK_ALIVE : WEIR_RANK_DEAD;
}

/* How many blocks of a rank have arrived at weir_crew_wait in their current phase. The first block
 * to arrive adds one phase minus the number of the others. */
static uint32_t arrived_of(const weir_crew_link *link, uint32_t rank)
{
	uint32_t others = link->peers[rank].blocks - 1;
	uint32_t count =
	    look(link, rank, &link->peers[rank].share[WEIR_LINE_WORDS]) & (WEIR_CREW_PHASE - 1);

	return count >= WEIR_CREW_PHASE - others && count != 0
	           ? count - (WEIR_CREW_PHASE - others) + 1
	           : count;
}

/* The phases of a lane, and the newest that any rank has begun. Returns how many ranks have not
 * begun it. */
static uint32_t missing_in(const weir_crew_link *link, weir_crew c, uint32_t lane, uint32_t *newest)
{
	uint32_t ranks = link->config.ranks;
	uint32_t missing = 0;

	*newest = look(link, 0, weir_crew_begun_(c, link->peers[0].share, lane));
	for (uint32_t i = 1; i < ranks; i++) {
		uint32_t begun = look(link, i, weir_crew_begun_(c, link->peers[i].share, lane));
		if ((int32_t)(begun - *newest) > 0)
			*newest = begun;
	}
	for (uint32_t i = 0; i < ranks; i++)
		missing +=
		    look(link, i, weir_crew_begun_(c, link->peers[i].share, lane)) != *newest;
	return missing;
}

/* The lane in which ranks are missing; weir_crew_wait's lane is tried first. */
static void find_lane(const weir_crew_link *link, weir_crew c, weir_crew_report *report)
{
	uint32_t lanes = link->config.lanes;

	for (uint32_t i = 0; i <= lanes; i++) {
		report->lane = (lanes + i) % (lanes + 1);
		report->missing = missing_in(link, c, report->lane, &report->phase);
		if (report->missing != 0)
			return;
	}
	report->lane = lanes;
	missing_in(link, c, lanes, &report->phase);
}

static void look_at_rank(const weir_crew_link *link, weir_crew c, uint32_t rank,
                         weir_crew_report *report)
{
	weir_rank_report *about = &report->rank[rank];
	weir_word *share = link->peers[rank].share;

	about->state = weir_crew_rank_state(link, rank);
	about->pid = link->peers[rank].pid;
	about->passed = look(link, rank, weir_crew_passed_(c, share, report->lane));
	about->has_arrived =
	    look(link, rank, weir_crew_begun_(c, share, report->lane)) == report->phase;
	about->arrived = arrived_of(link, rank);
	report->gone += about->state == WEIR_RANK_DEAD || about->state == WEIR_RANK_LEFT;
}

const char *weir_crew_state_text(weir_rank_state state)
{
	static const char *const states[] = {
	    "its process is alive", "it has left the crew", "its process has ended",
	    "the system does not say whether its process is alive"};

	return states[state];
}

static weir_crew crew_of(const weir_crew_link *link)
{
	return weir_crew_make(link->table[link->config.rank], link->table, link->config);
}

void weir_crew_survey(const weir_crew_link *link, uint32_t lane, weir_crew_report *report)
{
	weir_crew c = crew_of(link);

	report->ranks = link->config.ranks;
	report->lane = lane;
	report->missing = missing_in(link, c, lane, &report->phase);
	report->gone = 0;
	for (uint32_t i = 0; i < report->ranks; i++)
		look_at_rank(link, c, i, report);
}

uint32_t weir_crew_event_now(const weir_crew_link *link, uint32_t rank, uint32_t index)
{
	return look(link, rank, weir_crew_event(crew_of(link), rank, index).words);
}

static void write_rank(FILE *out, const weir_crew_link *link, const weir_crew_report *report,
                       uint32_t rank, double waited)
{
	const weir_rank_report *about = &report->rank[rank];
	uint32_t blocks = link->peers[rank].blocks;
	int is_gone = about->state == WEIR_RANK_DEAD || about->state == WEIR_RANK_LEFT;

	if (about->has_arrived && !is_gone)
		return;
	fprintf(out, "rank %u %s", rank, about->has_arrived ? "is gone" : "has not arrived");
	if (!about->has_arrived)
		fprintf(out, " in %.1f s", waited);
	if (!about->has_arrived && report->lane == link->config.lanes && about->arrived != 0)
		fprintf(out, "; %u of its %u blocks have", about->arrived, blocks);
	/* The memory of a device is gone with its process. */
	if (!link->device || !is_gone)
		fprintf(out, "; it last passed phase %u", about->passed);
	fprintf(out, "; %s", weir_crew_state_text(about->state));
	if (about->pid > 0)
		fprintf(out, " (process %d)", about->pid);
	fputc('\n', out);
}

weir_status weir_crew_diagnose(weir_crew_link *link, double waited, weir_crew_report *report)
{
	weir_crew c;
	size_t size;

	if (!link || !report)
		return weir_fail(WEIR_BAD_ARGUMENT, "link or report is NULL");
	memset(report, 0, sizeof *report);
	c = crew_of(link);
	report->ranks = link->config.ranks;
	report->rank = calloc(report->ranks, sizeof *report->rank);
	FILE *out = report->rank ? open_memstream(&report->text, &size) : NULL;
	if (!out) {
		weir_crew_report_destroy(report);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
	}
	find_lane(link, c, report);
	for (uint32_t i = 0; i < report->ranks; i++) {
		look_at_rank(link, c, i, report);
		write_rank(out, link, report, i, waited);
	}
	if (weir_crew_aborted(c) != 0)
		fprintf(out, "rank %u has aborted the crew\n", weir_crew_aborted(c) - 1);
	if (report->missing == 0 && report->gone == 0)
		fprintf(out, "every rank has arrived for phase %u\n", report->phase);
	if (fclose(out) != 0) {
		weir_crew_report_destroy(report);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
	}
	return WEIR_OK;
}

void weir_crew_report_destroy(weir_crew_report *report)
{
	if (!report)
		return;
	free(report->rank);
	free(report->text);
	memset(report, 0, sizeof *report);
}
