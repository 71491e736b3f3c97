/* Arrays of events in a report: their counts and notes, read from the array's memory, and the
 * findings about them. */
#include "diagnose/finding.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LISTED 8

/* An array while it is being read. */
struct reading {
	weir_device *device;
	const weir_event_array_config *config;
	uint64_t base; /* the address of its words */
	weir_event_views *to;
};

static int read_words(const struct reading *r, uint64_t address, uint32_t *to, size_t words)
{
	return weir_object_read(r->device, address, to, words);
}

/* Returns 1 on success, like all of these functions. */
static int read_signals(const struct reading *r)
{
	size_t words = (size_t)r->to->count * WEIR_SIGNALS_WORDS;
	uint64_t from = r->base - (WEIR_HEADER_WORDS + words) * sizeof(weir_word);
	uint32_t *signals = malloc(words * sizeof *signals);
	int went = signals && read_words(r, from, signals, words);

	for (uint32_t i = 0; went && i < r->to->count; i++) {
		const uint32_t *of = signals + words - (size_t)(i + 1) * WEIR_SIGNALS_WORDS;
		weir_event_view *view = &r->to->views[i];
		view->each = of[WEIR_SIGNALS_EACH];
		for (uint32_t slot = 0; slot < WEIR_SIGNALS_SLOTS; slot++) {
			view->sum += of[WEIR_SIGNALS_SUM(slot)];
			view->last[slot] = of[WEIR_SIGNALS_LAST(slot)];
		}
	}
	free(signals);
	return went;
}

/* Adds a row of words to the counts: the first, or another one of the copies or shards. */
static void take_row(const struct reading *r, const uint32_t *row, uint32_t part)
{
	const weir_kind *kind = weir_kind_find(WEIR_PRIMITIVE_EVENT_ARRAY, r->config->kind);

	for (uint32_t i = 0; i < r->to->count; i++) {
		weir_event_view *view = &r->to->views[i];
		uint32_t word = row[(size_t)i * r->config->pitch];
		if (part == 0)
			view->count = word;
		else if (kind->parts == WEIR_PARTS_SHARDS)
			view->count += word;
		else if (!weir_event_is_past_(word, view->count))
			view->count = word;
	}
}

static int read_counts(const struct reading *r)
{
	size_t words = (size_t)(r->to->count - 1) * r->config->pitch + 1;
	uint32_t *row = malloc(words * sizeof *row);
	int went = row != NULL;

	for (uint32_t part = 0; went && part >> r->config->bits == 0; part++) {
		uint64_t first = (uint64_t)WEIR_EVENT_HEAD * r->config->pitch +
		                 (uint64_t)part * r->config->apart;
		went = read_words(r, r->base + first * sizeof(weir_word), row, words);
		if (went)
			take_row(r, row, part);
	}
	free(row);
	return went;
}

/* The round, and whether a launch of that round has used the array. */
static int read_round(const struct reading *r, uint32_t *round, int *in_use)
{
	uint32_t came;
	uint64_t header = r->base - WEIR_HEADER_WORDS * sizeof(weir_word);

	if (!read_words(r, r->base + r->config->pitch * sizeof(weir_word), round, 1) ||
	    !read_words(r, header + WEIR_HEADER_CAME * sizeof(weir_word), &came, 1))
		return 0;
	*in_use = came == *round + 1;
	return 1;
}

/* Reads the sums before the counts, because a signal adds to the count first. A launch may begin or
 * end in between, so the round counts only if it is the same before and after. */
static int read_array(const struct reading *r)
{
	uint32_t before;
	int was_in_use, is_in_use;

	if (!read_round(r, &before, &was_in_use) || !read_signals(r) || !read_counts(r) ||
	    !read_round(r, &r->to->round, &is_in_use))
		return 0;
	r->to->quiet = !was_in_use && !is_in_use && before == r->to->round;
	return 1;
}

static void read_events(weir_device *device, const weir_suspect *suspect, uint64_t address,
                        weir_view *view)
{
	struct reading r = {device, &suspect->config.event_array, address, &view->events};

	r.to->count = weir_events_noted(r.config);
	r.to->views = calloc(r.to->count, sizeof *r.to->views);
	if (r.to->views && !read_array(&r)) {
		free(r.to->views);
		r.to->views = NULL;
	}
}

static void clear_events(weir_view *view)
{
	free(view->events.views);
	free(view->events.seen);
}

/* NULL: unknown. */
static const weir_event_view *view_of(const weir_snapshot *s, uint32_t id, uint32_t index)
{
	const weir_event_views *array = &s->views[id].events;

	return array->views && index < array->count ? &array->views[index] : NULL;
}

/* The count of an event without a view, or 0 if it cannot be read. */
static uint32_t read_count(weir_device *device, const weir_snapshot *s, uint32_t id, uint32_t index)
{
	const weir_event_array_config *config = &s->suspects[id].config.event_array;
	const uint32_t *address = s->words + WEIR_OBJECT_AT((size_t)id);
	weir_event_view view = {0};
	weir_event_views one = {.views = &view, .count = 1};
	struct reading r = {device, config, (uint64_t)address[1] << 32 | address[0], &one};

	r.base += (uint64_t)index * config->pitch * sizeof(weir_word);
	return index < config->length && address[0] && read_counts(&r) ? view.count : 0;
}

static void look_at_events(weir_device *device, weir_snapshot *s, uint32_t id)
{
	weir_event_views *array = &s->views[id].events;

	for (uint32_t block = 0; block < s->blocks; block++) {
		uint32_t index = weir_note(s, block, WEIR_NOTE_INDEX);
		const weir_event_view *view = view_of(s, id, index);

		if (weir_waits_for(s, block) != id || !weir_note(s, block, WEIR_NOTE_WAITS))
			continue;
		if (!array->seen && !(array->seen = calloc(s->blocks, sizeof *array->seen)))
			return;
		array->seen[block] = view ? view->count : read_count(device, s, id, index);
	}
}

/* The count of the event that the block waits for. */
static uint32_t count_for(const weir_snapshot *s, uint32_t block)
{
	const uint32_t *seen = s->views[weir_waits_for(s, block)].events.seen;

	return seen ? seen[block] : 0;
}

static int went_back(const weir_event_view *view)
{
	return view && !weir_event_is_past_(view->count, view->sum);
}

static int is_uneven(const weir_event_views *array, const weir_event_view *view)
{
	return array->quiet && view->each && view->count != array->round * view->each &&
	       !went_back(view);
}

/* Whether the block has waited for that event, or for one of a range from it on, for some time. */
static int waits_at(const weir_snapshot *s, uint32_t block, uint32_t id, uint32_t index)
{
	return weir_waits_for(s, block) == id && s->waited_ms[block] > 0 &&
	       weir_note(s, block, WEIR_NOTE_WAITS) != 0 &&
	       weir_note(s, block, WEIR_NOTE_INDEX) == index;
}

static uint32_t first_waiting_at(const weir_snapshot *s, uint32_t id, uint32_t index)
{
	uint32_t block = 0;

	while (block < WEIR_BLOCKS && !waits_at(s, block, id, index))
		block++;
	return block;
}

static void say_event(weir_finding *f, const weir_snapshot *s, uint32_t id, uint32_t index)
{
	weir_finding_say(f, "event '%s'[%u]", s->suspects[id].name, index);
}

/* "; the blocks that signalled it last: 3, 9" */
static void say_last(weir_finding *f, const weir_event_view *view)
{
	uint32_t said = 0;

	for (uint32_t slot = 0; view && slot < WEIR_SIGNALS_SLOTS; slot++) {
		if (!view->last[slot])
			continue;
		weir_finding_say(f, "%s%u", said++ ? ", " : "; the blocks that signalled it last: ",
		                 view->last[slot] - 1);
		weir_finding_block(f, view->last[slot] - 1);
	}
	if (view && !said)
		weir_finding_say(f, "; no block has signalled it");
}

/* "block 17 waits for 4 since 1.0 s in decode.cu:212", and how many more blocks wait. */
static void say_waiting(weir_finding *f, const weir_snapshot *s, uint32_t id, uint32_t one)
{
	uint32_t index = weir_note(s, one, WEIR_NOTE_INDEX);
	uint32_t range = weir_note(s, one, WEIR_NOTE_RANGE);
	uint32_t more = 0;

	weir_finding_say(f, "block %u waits for %u", one, weir_note(s, one, WEIR_NOTE_TARGET));
	if (range > 1)
		weir_finding_say(f, " in any of %u events from it on", range);
	weir_finding_say(f, " since %.1f s in %s", (double)s->waited_ms[one] / 1000,
	                 weir_place_of(&s->files, weir_doing_at(s, one)).text);
	weir_finding_block(f, one);
	for (uint32_t block = one + 1; block < s->blocks; block++)
		if (waits_at(s, block, id, index)) {
			weir_finding_block(f, block);
			more++;
		}
	if (more)
		weir_finding_say(f, ", and so do%s %u more", more == 1 ? "es" : "", more);
}

/* Whether the target is too far ahead, which is reported on its own. */
static int waits_far(const weir_snapshot *s, uint32_t block)
{
	return weir_note(s, block, WEIR_NOTE_TARGET) - count_for(s, block) > WEIR_FAR;
}

static void report_wait(const weir_snapshot *s, uint32_t id, uint32_t one, json_t *findings)
{
	weir_finding f = weir_finding_begin("event");
	uint32_t index = weir_note(s, one, WEIR_NOTE_INDEX);

	weir_finding_object(&f, s, id);
	say_event(&f, s, id, index);
	weir_finding_say(&f, " is at %u, ", count_for(s, one));
	say_waiting(&f, s, id, one);
	say_last(&f, view_of(s, id, index));
	weir_finding_say(&f, ".");
	weir_finding_end(&f, findings);
}

/* Reports each event once, for the lowest block that waits for it. */
static void find_waits(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	uint32_t listed = 0;

	for (uint32_t block = 0; block < s->blocks && listed < MOST_LISTED; block++) {
		uint32_t index = weir_note(s, block, WEIR_NOTE_INDEX);
		if (!waits_at(s, block, id, index) || first_waiting_at(s, id, index) != block ||
		    went_back(view_of(s, id, index)) || waits_far(s, block))
			continue;
		report_wait(s, id, block, findings);
		listed++;
	}
}

/* One finding for the array: names the first such event, and says how many more there are. */
static void find_back(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	const weir_event_views *array = &s->views[id].events;
	weir_finding f = weir_finding_begin("went_back");
	uint32_t found = 0;

	for (uint32_t i = 0; array->views && i < array->count; i++) {
		const weir_event_view *view = &array->views[i];
		uint32_t one;
		if (!went_back(view) || found++)
			continue;
		one = first_waiting_at(s, id, i);
		weir_finding_object(&f, s, id);
		weir_finding_say(&f, "the count of ");
		say_event(&f, s, id, i);
		weir_finding_say(&f, " is %u, and its signals add up to %u: it went back",
		                 view->count, view->sum);
		say_last(&f, view);
		weir_finding_say(&f, ". ");
		if (one < WEIR_BLOCKS) {
			weir_finding_say(&f, "Now ");
			say_waiting(&f, s, id, one);
			weir_finding_say(&f, ". ");
		}
		weir_finding_say(&f, "Something wrote to it. Events are never reset.");
	}
	if (found > 1)
		weir_finding_say(&f, " %u more events of the array went back.", found - 1);
	weir_finding_end(&f, found ? findings : NULL);
}

static void find_uneven(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	const weir_event_views *array = &s->views[id].events;
	weir_finding f = weir_finding_begin("uneven");
	uint32_t found = 0;

	for (uint32_t i = 0; array->views && i < array->count; i++) {
		const weir_event_view *view = &array->views[i];
		if (!is_uneven(array, view) || found++)
			continue;
		weir_finding_object(&f, s, id);
		say_event(&f, s, id, i);
		weir_finding_say(
		    &f,
		    " is at %u after %u launch%s. Its waits expect %u signal%s in every "
		    "launch, and so a count of %u",
		    view->count, array->round, array->round == 1 ? "" : "es", view->each,
		    view->each == 1 ? "" : "s", array->round * view->each);
		say_last(&f, view);
		weir_finding_say(&f, ". A wait of the next launch returns too early, or never.");
	}
	if (found > 1)
		weir_finding_say(&f, " The same is true of %u more events of the array.",
		                 found - 1);
	weir_finding_end(&f, found ? findings : NULL);
}

static void find_events(const weir_snapshot *s, uint32_t id, json_t *findings)
{
	find_back(s, id, findings);
	find_waits(s, id, findings);
	find_uneven(s, id, findings);
}

/* Describes the event of a long wait. */
static void describe_wait(const weir_snapshot *s, uint32_t block, json_t *waits)
{
	if (!weir_note(s, block, WEIR_NOTE_WAITS))
		return;
	json_object_set_new(waits, "index", json_integer(weir_note(s, block, WEIR_NOTE_INDEX)));
	json_object_set_new(waits, "target", json_integer(weir_note(s, block, WEIR_NOTE_TARGET)));
	json_object_set_new(waits, "count", json_integer(count_for(s, block)));
}

static uint32_t sign(const weir_snapshot *s, uint32_t block)
{
	return weir_note(s, block, WEIR_NOTE_INDEX) * 31 + weir_note(s, block, WEIR_NOTE_TARGET);
}

const weir_family weir_events_family = {.read = read_events,
                                        .look = look_at_events,
                                        .clear = clear_events,
                                        .find = find_events,
                                        .describe_wait = describe_wait,
                                        .sign = sign};
