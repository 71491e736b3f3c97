/* Crews in a report: which ranks, or blocks of this rank, have not arrived where blocks wait;
 * whether the processes of these ranks are alive; and the messages about misuse. The state of other
 * ranks is read from their shares. */
#include "crew/link.h"

#include <stdlib.h>
#include <string.h>

#include "diagnose/finding.h"
#include "weir/crew/api.h"

#define MOST_LISTED 8

/* The ranks in a lane in which blocks wait. */
typedef struct lane_view {
	uint32_t phase; /* the phase that this rank waits for */
	int crosses;    /* all of its blocks have arrived */
	weir_crew_report report;
} lane_view;

/* An event that a block waits for. */
typedef struct event_view {
	uint32_t block;
	int known;
	uint32_t count;
} event_view;

struct weir_crew_view {
	uint32_t lanes, events;
	lane_view lane[MOST_LISTED];
	event_view event[MOST_LISTED];
	int is_on_device;
	weir_crew_report all; /* of the barrier of all blocks, for the states of the ranks */
};

static int is_gone(const weir_rank_report *rank)
{
	return rank->state == WEIR_RANK_DEAD || rank->state == WEIR_RANK_LEFT;
}

static int waits_in_lane(const weir_snapshot *s, uint32_t block, uint32_t id, uint32_t lane)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_CREW) &&
	       weir_note(s, block, WEIR_NOTE_LANE) >> 1 == lane;
}

static int waits_at_barrier(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return waits_in_lane(s, block, id, s->suspects[id].crew.lanes);
}

static int waits_for_event(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_waits_long(s, block, id, WEIR_OPERATION_WAIT);
}

/* NULL: the report has not examined that lane. */
static const lane_view *lane_of(const weir_snapshot *s, uint32_t id, uint32_t lane)
{
	const weir_crew_view *view = s->views[id].crew;

	for (uint32_t i = 0; view && i < view->lanes; i++)
		if (view->lane[i].report.lane == lane)
			return &view->lane[i];
	return NULL;
}

static const event_view *event_of(const weir_snapshot *s, uint32_t id, uint32_t block)
{
	const weir_crew_view *view = s->views[id].crew;

	for (uint32_t i = 0; view && i < view->events; i++)
		if (view->event[i].block == block)
			return &view->event[i];
	return NULL;
}

/* Returns 1 if there was memory for it. */
static int survey(const weir_crew_link *link, uint32_t lane, weir_crew_report *report)
{
	report->rank = calloc(link->config.ranks, sizeof *report->rank);
	if (report->rank)
		weir_crew_survey(link, lane, report);
	return report->rank != NULL;
}

static void look_at_lane(const weir_crew_link *link, const weir_snapshot *s, uint32_t id,
                         uint32_t lane, lane_view *view)
{
	for (uint32_t block = 0; block < s->blocks; block++)
		view->crosses |= waits_in_lane(s, block, id, lane) &&
		                 (weir_note(s, block, WEIR_NOTE_LANE) & 1) != 0;
	view->phase = view->report.rank[link->config.rank].passed + 1;
}

static void look_at_event(const weir_crew_link *link, const weir_snapshot *s, uint32_t block,
                          event_view *view)
{
	uint32_t rank = weir_note(s, block, WEIR_NOTE_RANGE) - 1;
	uint32_t index = weir_note(s, block, WEIR_NOTE_INDEX);

	view->block = block;
	view->known = rank < link->config.ranks && index < link->config.events;
	if (view->known)
		view->count = weir_crew_event_now(link, rank, index);
}

/* Examines the lanes and events that blocks wait for. The link stays valid while the lock is
 * held. */
static void look_at_waits(const weir_crew_link *link, weir_snapshot *s, uint32_t id)
{
	weir_crew_view *view = s->views[id].crew;

	view->is_on_device = link->device != NULL;
	for (uint32_t block = 0; block < s->blocks; block++) {
		uint32_t lane = weir_note(s, block, WEIR_NOTE_LANE) >> 1;
		if (view->events < MOST_LISTED && waits_for_event(s, block, id))
			look_at_event(link, s, block, &view->event[view->events++]);
		if (view->lanes == MOST_LISTED || lane > link->config.lanes ||
		    !waits_in_lane(s, block, id, lane) || lane_of(s, id, lane))
			continue;
		if (!survey(link, lane, &view->lane[view->lanes].report))
			return;
		look_at_lane(link, s, id, lane, &view->lane[view->lanes++]);
	}
	if (view->events)
		survey(link, link->config.lanes, &view->all);
}

static void look_at_crew(weir_device *device, weir_snapshot *s, uint32_t id)
{
	weir_diagnostics *d = device->diagnosis;
	uint32_t one;

	if (!weir_count_waiting(s, id, &one))
		return;
	s->views[id].crew = calloc(1, sizeof *s->views[id].crew);
	if (!s->views[id].crew)
		return;
	pthread_mutex_lock(&d->lock);
	/* The crew may have been left since the snapshot, and another object may have its
	 * number. */
	if (d->suspects[id].link && d->suspects[id].link == s->suspects[id].link)
		look_at_waits(d->suspects[id].link, s, id);
	pthread_mutex_unlock(&d->lock);
}

static void clear_crew(weir_view *view)
{
	if (!view->crew)
		return;
	for (uint32_t i = 0; i < MOST_LISTED; i++)
		free(view->crew->lane[i].report.rank);
	free(view->crew->all.rank);
	free(view->crew);
}

/* Whether a rank has begun the phase that blocks of this rank wait for. */
static int has_come(const lane_view *lane, uint32_t rank)
{
	return lane->report.phase == lane->phase && lane->report.rank[rank].has_arrived;
}

static void say_state(weir_finding *f, const weir_rank_report *rank)
{
	weir_finding_say(f, "%s", weir_crew_state_text(rank->state));
	if (rank->pid > 0)
		weir_finding_say(f, " (process %d)", rank->pid);
}

/* " Rank 1 has not signalled: it last passed phase 41; its process is alive (process 4711)."
 * Returns how many ranks have not. */
static uint32_t say_ranks(weir_finding *f, const weir_snapshot *s, uint32_t id,
                          const lane_view *lane)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < lane->report.ranks; i++) {
		const weir_rank_report *rank = &lane->report.rank[i];
		if (i == s->suspects[id].crew.rank || has_come(lane, i) || missing++ >= MOST_LISTED)
			continue;
		weir_finding_say(f, " Rank %u has not signalled: ", i);
		/* The memory of a device is gone with its process. */
		if (!s->views[id].crew->is_on_device || !is_gone(rank))
			weir_finding_say(f, "it last passed phase %u; ", rank->passed);
		say_state(f, rank);
		weir_finding_say(f, ".");
	}
	if (missing > MOST_LISTED)
		weir_finding_say(f, " The same is true of %u more ranks.", missing - MOST_LISTED);
	return missing;
}

/* The blocks of this rank that do not wait at the barrier. */
static void say_missing_blocks(weir_finding *f, const weir_snapshot *s, uint32_t id)
{
	const weir_crew_config *config = &s->suspects[id].crew;
	uint32_t missing = 0;

	for (uint32_t i = 0; i < config->blocks; i++) {
		uint32_t block = config->first_block + i;
		if (block >= WEIR_BLOCKS || waits_at_barrier(s, block, id))
			continue;
		weir_finding_block(f, block);
		if (missing++ >= MOST_LISTED)
			continue;
		weir_finding_say(f, " Block %u ", block);
		if (weir_entry(s, block, id))
			weir_finding_say(f, "last arrived in %s and ",
			                 weir_entry_place(s, block, id).text);
		weir_finding_where(f, s, block);
		weir_finding_say(f, ".");
	}
	if (missing > MOST_LISTED)
		weir_finding_say(f, " %u more have not arrived.", missing - MOST_LISTED);
}

/* "block 3 waits in lane 2 of crew 'halo' for phase 42 since 1.0 s in halo.cu:17." */
static void say_waiting(weir_finding *f, const weir_snapshot *s, uint32_t id, const lane_view *lane)
{
	uint32_t number = lane->report.lane;
	uint32_t one = 0, count = 1;

	while (one < WEIR_BLOCKS && !waits_in_lane(s, one, id, number))
		one++;
	if (number == s->suspects[id].crew.lanes) {
		count = weir_finding_blocks(f, s, id, waits_at_barrier);
		weir_finding_say(f, " wait%s at the barrier", count == 1 ? "s" : "");
	} else {
		weir_finding_block(f, one);
		weir_finding_say(f, "block %u waits in lane %u", one, number);
	}
	weir_finding_say(f, " of crew '%s' for phase %u%s since %.1f s in %s.",
	                 s->suspects[id].name, lane->phase, count == 1 ? "" : ", the first of them",
	                 (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
}

static void report_ranks(const weir_snapshot *s, uint32_t id, const lane_view *lane,
                         json_t *findings)
{
	weir_finding f = weir_finding_begin("crew_rank");

	weir_finding_object(&f, s, id);
	say_waiting(&f, s, id, lane);
	if (!say_ranks(&f, s, id, lane))
		weir_finding_say(&f, " Every rank has signalled: it goes on now, or the memory of "
		                     "the crew was written to.");
	weir_finding_end(&f, findings);
}

static void report_blocks(const weir_snapshot *s, uint32_t id, const lane_view *lane,
                          json_t *findings)
{
	const weir_crew_config *config = &s->suspects[id].crew;
	weir_finding f = weir_finding_begin("crew_block");
	uint32_t arrived = lane->report.rank[config->rank].arrived;

	weir_finding_object(&f, s, id);
	say_waiting(&f, s, id, lane);
	weir_finding_say(&f, " %u of this rank's %u blocks %s arrived.", arrived, config->blocks,
	                 arrived == 1 ? "has" : "have");
	say_missing_blocks(&f, s, id);
	say_ranks(&f, s, id, lane);
	weir_finding_end(&f, findings);
}

static void report_event(const weir_snapshot *s, uint32_t id, const event_view *event,
                         json_t *findings)
{
	const weir_crew_report *all = &s->views[id].crew->all;
	weir_finding f = weir_finding_begin("crew_event");
	uint32_t one = event->block;

	weir_finding_object(&f, s, id);
	weir_finding_block(&f, one);
	weir_finding_say(&f, "block %u waits for event %u of ", one,
	                 weir_note(s, one, WEIR_NOTE_INDEX));
	if (event->known)
		weir_finding_say(&f, "rank %u in ", weir_note(s, one, WEIR_NOTE_RANGE) - 1);
	weir_finding_say(&f, "crew '%s' to be at %u since %.1f s in %s.", s->suspects[id].name,
	                 weir_note(s, one, WEIR_NOTE_TARGET), (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
	if (event->known)
		weir_finding_say(&f, " It is at %u.", event->count);
	for (uint32_t i = 0; all->rank && i < all->ranks; i++) {
		if (!is_gone(&all->rank[i]))
			continue;
		weir_finding_say(&f, " Rank %u is gone: ", i);
		say_state(&f, &all->rank[i]);
		weir_finding_say(&f, ".");
	}
	weir_finding_end(&f, findings);
}

static void find_crew(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	const weir_crew_view *view = s->views[id].crew;

	for (uint32_t i = 0; view && i < view->lanes; i++) {
		const lane_view *lane = &view->lane[i];
		if (lane->crosses)
			report_ranks(s, id, lane, findings);
		else if (!weir_misused(s, id, WEIR_MISUSE_CREW_BLOCKS))
			report_blocks(s, id, lane, findings);
	}
	for (uint32_t i = 0; view && i < view->events; i++)
		report_event(s, id, &view->event[i], findings);
}

/* The ranks that have not arrived where blocks of this rank wait. */
static json_t *missing_json(const weir_snapshot *s, uint32_t id)
{
	const weir_crew_view *view = s->views[id].crew;
	json_t *missing = json_array();

	for (uint32_t rank = 0; rank < s->suspects[id].crew.ranks; rank++) {
		int misses = 0;
		for (uint32_t i = 0; view && i < view->lanes; i++)
			misses |= !has_come(&view->lane[i], rank);
		if (misses)
			json_array_append_new(missing, json_integer(rank));
	}
	return missing;
}

static void describe_crew(const weir_snapshot *s, uint32_t id, json_t *object)
{
	json_object_set_new(object, "rank", json_integer(s->suspects[id].crew.rank));
	json_object_set_new(object, "ranks", json_integer(s->suspects[id].crew.ranks));
	json_object_set_new(object, "missing", missing_json(s, id));
}

static void describe_wait(const weir_snapshot *s, uint32_t block, json_t *waits)
{
	uint32_t id = weir_waits_for(s, block);
	uint32_t lane = weir_note(s, block, WEIR_NOTE_LANE) >> 1;
	const lane_view *view = lane_of(s, id, lane);
	const event_view *event = event_of(s, id, block);

	if (waits_in_lane(s, block, id, lane)) {
		if (lane < s->suspects[id].crew.lanes)
			json_object_set_new(waits, "lane", json_integer(lane));
		if (view)
			json_object_set_new(waits, "phase", json_integer(view->phase));
	} else if (waits_for_event(s, block, id)) {
		json_object_set_new(waits, "index",
		                    json_integer(weir_note(s, block, WEIR_NOTE_INDEX)));
		json_object_set_new(waits, "target",
		                    json_integer(weir_note(s, block, WEIR_NOTE_TARGET)));
		if (event && event->known)
			json_object_set_new(waits, "count", json_integer(event->count));
	}
}

static uint32_t sign(const weir_snapshot *s, uint32_t block)
{
	if (WEIR_DOING_OPERATION(weir_doing(s, block)) == WEIR_OPERATION_CREW)
		return 0; /* the arrivals show it */
	return weir_note(s, block, WEIR_NOTE_INDEX) * 31 + weir_note(s, block, WEIR_NOTE_TARGET);
}

const weir_family weir_crews_family = {.look = look_at_crew,
                                       .clear = clear_crew,
                                       .find = find_crew,
                                       .describe = describe_crew,
                                       .describe_wait = describe_wait,
                                       .sign = sign,
                                       .resumes = 1};

/* "crew 'halo' in halo.cu:7"; without a diagnosis it has no name here. */
static void say_crew(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	if (id)
		weir_finding_say(f, "crew '%s'", s->suspects[id].name);
	else
		weir_finding_say(f, "a crew without a diagnosis");
	weir_finding_say(f, " in %s", weir_misuse_place(s, m).text);
}

void weir_say_lane(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t id = m[WEIR_MISUSE_OBJECT];

	weir_finding_say(f, "block %u arrives in lane %u of ", m[WEIR_MISUSE_BLOCK],
	                 m[WEIR_MISUSE_VALUE]);
	say_crew(f, s, m);
	if (id)
		weir_finding_say(f, ", which has %u", s->suspects[id].crew.lanes);
	weir_finding_say(f, ". The launch ended there.");
}

void weir_say_lane_shared(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	uint32_t other = m[WEIR_MISUSE_VALUE];

	weir_finding_say(f, "block %u arrives in lane %u of ", m[WEIR_MISUSE_BLOCK],
	                 m[WEIR_MISUSE_VALUE + 1]);
	say_crew(f, s, m);
	if (other == m[WEIR_MISUSE_BLOCK]) {
		weir_finding_say(f, ", and has not waited since its last arrival there.");
		return;
	}
	weir_finding_block(f, other);
	weir_finding_say(f,
	                 " while block %u is in it. A lane is for one block of each rank at a "
	                 "time.",
	                 other);
}

void weir_say_crew_blocks(weir_finding *f, const weir_snapshot *s, const uint32_t *m)
{
	const weir_crew_config *config = &s->suspects[m[WEIR_MISUSE_OBJECT]].crew;

	weir_finding_say(f, "block %u of %u comes to the barrier of ", m[WEIR_MISUSE_BLOCK],
	                 m[WEIR_MISUSE_VALUE]);
	say_crew(f, s, m);
	weir_finding_say(f, ", which was made for %u block%s of this rank", config->blocks,
	                 config->blocks == 1 ? "" : "s");
	if (config->first_block)
		weir_finding_say(f, ", from block %u on", config->first_block);
	weir_finding_say(f, ": all of them must come, and no others.");
}
