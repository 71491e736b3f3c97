/* Derives rules from measurements: which kind, up to which count, with which backoff and shape. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "weir/profile.h"

#define CLOSE_TUNED 0.995  /* a smaller gain may be chance: the two ran alternately */
#define COMMON_THREADS 128 /* the size to compare when several block sizes were measured */

static weir_status append(void **items, size_t *count, size_t size, const void *item)
{
	char *grown = realloc(*items, (*count + 1) * size);
	if (!grown)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a profile");
	memcpy(grown + *count * size, item, size);
	*items = grown;
	*count += 1;
	return WEIR_OK;
}

weir_status weir_profile_add_point(weir_profile *profile, const weir_point *point)
{
	for (size_t i = 0; i < profile->point_count; i++) {
		weir_point *old = &profile->points[i];
		if (old->primitive == point->primitive && old->kind == point->kind &&
		    old->initial == point->initial && old->pattern == point->pattern &&
		    old->blocks == point->blocks && old->threads == point->threads &&
		    old->work == point->work) {
			*old = *point;
			return WEIR_OK;
		}
	}
	return append((void **)&profile->points, &profile->point_count, sizeof *point, point);
}

weir_status weir_profile_add_tuning(weir_profile *profile, const weir_tuning *tuning)
{
	for (size_t i = 0; i < profile->tuning_count; i++) {
		weir_tuning *old = &profile->tunings[i];
		if (old->primitive == tuning->primitive && old->kind == tuning->kind &&
		    old->initial == tuning->initial && old->blocks == tuning->blocks &&
		    old->threads == tuning->threads) {
			*old = *tuning;
			return WEIR_OK;
		}
	}
	return append((void **)&profile->tunings, &profile->tuning_count, sizeof *tuning, tuning);
}

const weir_rule *weir_profile_rule(const weir_profile *profile, enum weir_primitive primitive,
                                   uint32_t count)
{
	if (primitive == WEIR_PRIMITIVE_MUTEX_ARRAY)
		primitive = WEIR_PRIMITIVE_MUTEX;
	for (size_t i = 0; i < profile->rule_count; i++) {
		const weir_rule *rule = &profile->rules[i];
		if (rule->primitive == primitive && (rule->up_to == 0 || rule->up_to >= count))
			return rule;
	}
	return NULL;
}

int weir_comparison_has(const weir_comparison *group, const weir_point *point)
{
	const weir_kind *kind = weir_kind_find(point->primitive, point->kind);

	return point->primitive == group->primitive && point->threads == group->threads &&
	       point->work == group->work && point->blocks == group->blocks &&
	       point->initial == group->initial && point->pattern == group->pattern && kind &&
	       kind->role == WEIR_FOR_USE && (!group->only_fair || kind->fair);
}

static int is_comparison(const weir_profile *profile, const weir_comparison *group)
{
	int kinds = 0;
	for (size_t i = 0; i < profile->point_count; i++)
		kinds += weir_comparison_has(group, &profile->points[i]);
	return kinds >= 2;
}

/* Takes the usual block size if it was measured, and the shortest critical section, where the
 * primitive itself counts most. */
static int choose_setting(const weir_profile *profile, weir_comparison *group)
{
	const weir_point *best = NULL;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point->primitive != group->primitive)
			continue;
		if (best &&
		    (best->threads == COMMON_THREADS) != (point->threads == COMMON_THREADS)) {
			if (point->threads == COMMON_THREADS)
				best = point;
		} else if (!best || point->work < best->work ||
		           (point->work == best->work && point->blocks > best->blocks)) {
			best = point;
		}
	}
	if (!best)
		return 0;
	group->threads = best->threads;
	group->work = best->work;
	return 1;
}

/* Whether a tuning also helps at other numbers of blocks: a barrier's shape is specific to its
 * own. */
static int holds_elsewhere(const weir_tuning *tuning)
{
	return tuning->primitive != WEIR_PRIMITIVE_BARRIER;
}

int weir_tuning_gained(const weir_tuning *tuning)
{
	return tuning->tuned_per_second * CLOSE_TUNED > tuning->untuned_per_second &&
	       tuning->backoff.max <= WEIR_RULE_PAUSE_MOST;
}

/* The tuning of a kind for a contention: with the same initial value, at the same number of blocks,
 * otherwise at the largest. NULL if there is none, or if it gained nothing. */
static const weir_tuning *find_tuning(const weir_profile *profile, const weir_comparison *group,
                                      uint32_t kind)
{
	const weir_tuning *best = NULL;
	for (size_t i = 0; i < profile->tuning_count; i++) {
		const weir_tuning *tuning = &profile->tunings[i];
		if (tuning->primitive != group->primitive || tuning->kind != kind ||
		    tuning->initial != group->initial)
			continue;
		/* The result of a search at this number of blocks counts even if it gained
		 * nothing. */
		if (tuning->blocks == group->blocks &&
		    (tuning->threads == group->threads || holds_elsewhere(tuning)))
			return weir_tuning_gained(tuning) ? tuning : NULL;
		if (weir_tuning_gained(tuning) && holds_elsewhere(tuning) &&
		    (!best || tuning->blocks > best->blocks))
			best = tuning;
	}
	return best;
}

double weir_profile_rate(const weir_profile *profile, const weir_comparison *group,
                         const weir_point *point)
{
	const weir_tuning *tuning = find_tuning(profile, group, point->kind);
	int is_same = tuning && tuning->blocks == group->blocks &&
	              tuning->threads == group->threads && group->work == 0;
	return is_same && tuning->tuned_per_second > point->per_second ? tuning->tuned_per_second
	                                                               : point->per_second;
}

weir_lead weir_profile_lead(const weir_profile *profile, const weir_comparison *group,
                            const weir_point *point, const weir_point *other)
{
	double rate = weir_profile_rate(profile, group, point);
	double other_rate = weir_profile_rate(profile, group, other);
	weir_lead lead = {0};

	if (other_rate <= 0) {
		lead.measured = rate > 0;
		return lead;
	}
	lead.by = rate / other_rate - 1;
	lead.spread = (1 + weir_point_spread(point)) * (1 + weir_point_spread(other)) - 1;
	lead.measured = lead.by > lead.spread && lead.by > WEIR_LEAST_LEAD;
	return lead;
}

double weir_point_spread(const weir_point *point)
{
	if (point->simulated)
		return 0;
	/* One run says nothing about the next, and two say little. */
	return point->repeats < 3 || point->per_second <= 0
	           ? 1
	           : (point->high - point->low) / point->per_second;
}

const weir_point *weir_profile_fastest(const weir_profile *profile, const weir_comparison *group,
                                       const weir_point *but)
{
	const weir_point *best = NULL;
	double rate = 0;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point == but || !weir_comparison_has(group, point))
			continue;
		double reached = weir_profile_rate(profile, group, point);
		if (!best || reached > rate) {
			best = point;
			rate = reached;
		}
	}
	return best;
}

const weir_point *weir_profile_point(const weir_profile *profile, const weir_comparison *group,
                                     uint32_t kind)
{
	for (size_t i = 0; i < profile->point_count; i++)
		if (profile->points[i].kind == kind &&
		    weir_comparison_has(group, &profile->points[i]))
			return &profile->points[i];
	return NULL;
}

/* `usual` stays unless the fastest kind is measurably ahead of it. Among several kinds that are
 * ahead and cannot be told apart, this takes `preferred`, otherwise a fair one, otherwise the
 * first, so that noise does not choose. Either may be 0. */
static uint32_t best_kind(const weir_profile *profile, const weir_comparison *group, uint32_t usual,
                          uint32_t preferred)
{
	const weir_point *best = weir_profile_fastest(profile, group, NULL);
	const weir_point *stays = weir_profile_point(profile, group, usual);
	uint32_t chosen = 0;

	if (stays && !weir_profile_lead(profile, group, best, stays).measured)
		return usual;
	for (size_t i = 0; best && i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (!weir_comparison_has(group, point) ||
		    weir_profile_lead(profile, group, best, point).measured ||
		    (stays && !weir_profile_lead(profile, group, point, stays).measured))
			continue;
		if (point->kind == preferred)
			return preferred;
		int fair = weir_kind_find(point->primitive, point->kind)->fair;
		int chosen_fair = chosen && weir_kind_find(point->primitive, chosen)->fair;
		if (!chosen || fair > chosen_fair || (fair == chosen_fair && point->kind < chosen))
			chosen = point->kind;
	}
	return chosen;
}

/* Whether a search looked for the setting of a kind at exactly this contention. */
static int was_tuned(const weir_profile *profile, const weir_comparison *group, uint32_t kind)
{
	for (size_t i = 0; i < profile->tuning_count; i++) {
		const weir_tuning *tuning = &profile->tunings[i];
		if (tuning->primitive == group->primitive && tuning->kind == kind &&
		    tuning->initial == group->initial && tuning->blocks == group->blocks)
			return 1;
	}
	return 0;
}

/* `usual` is the built-in rule, or NULL. If its kind stays, so does its setting, unless a search on
 * this device found another. */
static weir_status add_rule(weir_profile *profile, const weir_comparison *group, uint32_t up_to,
                            uint32_t kind, const weir_rule *usual)
{
	weir_rule rule = {.primitive = group->primitive, .up_to = up_to, .kind = kind};
	const weir_tuning *tuning = find_tuning(profile, group, kind);
	if (tuning) {
		rule.backoff = tuning->backoff;
		rule.shape = tuning->shape;
	} else if (usual && usual->kind == kind && !was_tuned(profile, group, kind)) {
		rule.backoff = usual->backoff;
		rule.shape = usual->shape;
	}
	return append((void **)&profile->rules, &profile->rule_count, sizeof rule, &rule);
}

uint32_t weir_comparison_count(const weir_comparison *comparison)
{
	if (comparison->primitive == WEIR_PRIMITIVE_BARRIER)
		return comparison->blocks;
	if (comparison->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		return comparison->initial;
	return weir_has_patterns(comparison->primitive) ? comparison->pattern : 1;
}

/* The next count after `above` that has a comparison, 0 if none. A barrier of one block does not
 * wait, so it compares nothing. */
static uint32_t next_count(const weir_profile *profile, weir_comparison *group, uint32_t above)
{
	uint32_t next = 0;
	weir_comparison found = *group;
	if (group->primitive == WEIR_PRIMITIVE_BARRIER && above == 0)
		above = 1;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		weir_comparison candidate = *group;
		candidate.blocks = point->blocks;
		candidate.initial = point->initial;
		candidate.pattern = point->pattern;
		uint32_t count = weir_comparison_count(&candidate);
		if (!weir_comparison_has(&candidate, point) || count <= above ||
		    (next && count > next) || !is_comparison(profile, &candidate))
			continue;
		if (count != next || candidate.blocks > found.blocks)
			found = candidate;
		next = count;
	}
	*group = found;
	return next;
}

static int say_the_same(const weir_rule *a, const weir_rule *b)
{
	return a->kind == b->kind && a->backoff.min == b->backoff.min &&
	       a->backoff.max == b->backoff.max && a->shape.known == b->shape.known &&
	       a->shape.shape.bits == b->shape.shape.bits;
}

/* Merges the rules from `first` on: the last rule is for all larger counts, and a rule equal to its
 * successor is dropped. */
static void merge_rules(weir_profile *profile, size_t first)
{
	size_t kept = first;
	profile->rules[profile->rule_count - 1].up_to = 0;
	for (size_t i = first; i < profile->rule_count; i++) {
		const weir_rule *rule = &profile->rules[i];
		const weir_rule *next = i + 1 < profile->rule_count ? rule + 1 : NULL;
		if (next && say_the_same(rule, next))
			continue;
		profile->rules[kept++] = *rule;
	}
	profile->rule_count = kept;
}

uint32_t weir_comparison_next(const weir_profile *profile, weir_comparison *group, uint32_t above)
{
	return choose_setting(profile, group) ? next_count(profile, group, above) : 0;
}

static weir_status rules_from_points(weir_profile *profile, const weir_profile *builtin,
                                     weir_comparison group)
{
	weir_status status = WEIR_OK;
	uint32_t before = 0;
	uint32_t count = weir_comparison_next(profile, &group, 0);
	while (count && status == WEIR_OK) {
		int by_blocks = group.primitive == WEIR_PRIMITIVE_BARRIER;
		const weir_rule *usual = weir_profile_rule(builtin, group.primitive, count);
		before =
		    best_kind(profile, &group, usual ? usual->kind : 0, by_blocks ? before : 0);
		status = add_rule(profile, &group, count, before, usual);
		count = weir_comparison_next(profile, &group, count);
	}
	return status;
}

static weir_status rules_from_class(weir_profile *profile, weir_comparison group)
{
	weir_class class_;
	weir_classify(&profile->probe, &class_);
	group.blocks = profile->probe.blocks;
	group.initial = group.primitive == WEIR_PRIMITIVE_SEMAPHORE;
	uint32_t low = weir_class_kind(&class_, group.primitive, 1);
	weir_status status = add_rule(profile, &group, 1, low, NULL);
	if (status != WEIR_OK || group.primitive != WEIR_PRIMITIVE_SEMAPHORE)
		return status;
	group.initial = 2;
	return add_rule(profile, &group, 0, weir_class_kind(&class_, group.primitive, 2), NULL);
}

uint32_t weir_profile_fair_kind(const weir_profile *profile)
{
	weir_comparison group = {.primitive = WEIR_PRIMITIVE_MUTEX, .only_fair = 1};
	return weir_comparison_next(profile, &group, 0) ? best_kind(profile, &group, 0, 0) : 0;
}

weir_status weir_profile_make_rules(weir_profile *profile)
{
	static const enum weir_primitive primitives[] = {
	    WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE};
	weir_profile *builtin;
	weir_status status = weir_profile_nearest(&profile->device, &builtin);

	if (status != WEIR_OK)
		return status;
	free(profile->rules);
	profile->rules = NULL;
	profile->rule_count = 0;
	for (int i = 0; i < 3 && status == WEIR_OK; i++) {
		weir_comparison group = {.primitive = primitives[i]};
		size_t first = profile->rule_count;
		status = rules_from_points(profile, builtin, group);
		if (status == WEIR_OK && profile->rule_count == first && profile->has_probe)
			status = rules_from_class(profile, group);
		if (status == WEIR_OK && profile->rule_count > first)
			merge_rules(profile, first);
	}
	weir_profile_destroy(builtin);
	return status;
}
