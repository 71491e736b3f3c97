/* From measurements to rules: which kind, up to which count, with which backoff and shape. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

#define CLOSE 0.98         /* as fast as the fastest, for all that a benchmark can tell */
#define CLOSE_TUNED 0.995  /* a gain of less may be chance: both were run in turns */
#define COMMON_THREADS 128 /* what is compared when several sizes of block were measured */

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
		    old->initial == point->initial && old->blocks == point->blocks &&
		    old->threads == point->threads && old->work == point->work) {
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

/* Points that can be compared with each other: the same but for the kind. */
struct group {
	enum weir_primitive primitive;
	uint32_t threads;
	uint32_t work;
	uint32_t blocks;
	uint32_t initial;
	int only_fair; /* kinds */
};

static int in_group(const struct group *group, const weir_point *point)
{
	return point->primitive == group->primitive && point->threads == group->threads &&
	       point->work == group->work && point->blocks == group->blocks &&
	       point->initial == group->initial &&
	       (!group->only_fair || weir_kind_find(point->primitive, point->kind)->fair);
}

static int is_comparison(const weir_profile *profile, const struct group *group)
{
	int kinds = 0;
	for (size_t i = 0; i < profile->point_count; i++)
		kinds += in_group(group, &profile->points[i]);
	return kinds >= 2;
}

/* Of the usual size of block where there is one, and the shortest critical section: there the
 * primitive itself counts most. */
static int choose_setting(const weir_profile *profile, struct group *group)
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

/* Whether what was tuned helps at another number of blocks, too: a barrier's shape is made for its
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

/* The tuning of a kind for a contention: of the same initial value, at the same blocks, else at
 * the most. NULL when there is none, or when it gained nothing. */
static const weir_tuning *find_tuning(const weir_profile *profile, const struct group *group,
                                      uint32_t kind)
{
	const weir_tuning *best = NULL;
	for (size_t i = 0; i < profile->tuning_count; i++) {
		const weir_tuning *tuning = &profile->tunings[i];
		if (tuning->primitive != group->primitive || tuning->kind != kind ||
		    tuning->initial != group->initial)
			continue;
		/* What a search found there counts, even that nothing was to be gained. */
		if (tuning->blocks == group->blocks &&
		    (tuning->threads == group->threads || holds_elsewhere(tuning)))
			return weir_tuning_gained(tuning) ? tuning : NULL;
		if (weir_tuning_gained(tuning) && holds_elsewhere(tuning) &&
		    (!best || tuning->blocks > best->blocks))
			best = tuning;
	}
	return best;
}

static double rate_of(const weir_profile *profile, const struct group *group,
                      const weir_point *point)
{
	const weir_tuning *tuning = find_tuning(profile, group, point->kind);
	int is_same = tuning && tuning->blocks == group->blocks &&
	              tuning->threads == group->threads && group->work == 0;
	return is_same && tuning->tuned_per_second > point->per_second ? tuning->tuned_per_second
	                                                               : point->per_second;
}

static const weir_point *fastest(const weir_profile *profile, const struct group *group,
                                 double *rate)
{
	const weir_point *best = NULL;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (!in_group(group, point))
			continue;
		double reached = rate_of(profile, group, point);
		if (!best || reached > *rate) {
			best = point;
			*rate = reached;
		}
	}
	return best;
}

/* `preferred`, if it is as good as any: so that neighbouring counts do not take turns by chance. */
static uint32_t best_kind(const weir_profile *profile, const struct group *group,
                          uint32_t preferred)
{
	double rate = 0;
	const weir_point *best = fastest(profile, group, &rate);
	const weir_point *fairest = best;
	for (size_t i = 0; best && i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (!in_group(group, point) || rate_of(profile, group, point) < CLOSE * rate)
			continue;
		if (point->kind == preferred)
			return preferred;
		if (best->jain > 0 && point->jain > fairest->jain)
			fairest = point;
	}
	return fairest ? fairest->kind : preferred;
}

static weir_status add_rule(weir_profile *profile, const struct group *group, uint32_t up_to,
                            uint32_t kind)
{
	weir_rule rule = {.primitive = group->primitive, .up_to = up_to, .kind = kind};
	const weir_tuning *tuning = find_tuning(profile, group, kind);
	if (tuning) {
		rule.backoff = tuning->backoff;
		rule.shape = tuning->shape;
	}
	return append((void **)&profile->rules, &profile->rule_count, sizeof rule, &rule);
}

/* The next larger count above `above` of which there is a comparison, 0 for none. The count is the
 * blocks of a barrier, and the initial value of a semaphore, whose blocks are then the most. */
static uint32_t next_count(const weir_profile *profile, struct group *group, uint32_t above)
{
	uint32_t next = 0;
	struct group found = *group;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		struct group candidate = *group;
		candidate.blocks = point->blocks;
		candidate.initial = point->initial;
		uint32_t count = group->primitive == WEIR_PRIMITIVE_BARRIER     ? point->blocks
		                 : group->primitive == WEIR_PRIMITIVE_SEMAPHORE ? point->initial
		                                                                : 1;
		if (!in_group(&candidate, point) || count <= above || (next && count > next) ||
		    !is_comparison(profile, &candidate))
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
	const weir_shape *x = &a->shape.shape;
	const weir_shape *y = &b->shape.shape;
	return a->kind == b->kind && a->backoff.min == b->backoff.min &&
	       a->backoff.max == b->backoff.max && a->shape.known == b->shape.known &&
	       x->shard_bits == y->shard_bits && x->copy_bits == y->copy_bits &&
	       x->first_pause == y->first_pause;
}

/* Of the rules from `first` on: the last is for all counts above, and those that say the same as
 * the one after them go. */
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

static weir_status rules_from_points(weir_profile *profile, struct group group)
{
	weir_status status = WEIR_OK;
	uint32_t before = 0;
	uint32_t count = next_count(profile, &group, 0);
	while (count && status == WEIR_OK) {
		int by_blocks = group.primitive == WEIR_PRIMITIVE_BARRIER;
		before = best_kind(profile, &group, by_blocks ? before : 0);
		status = add_rule(profile, &group, count, before);
		count = next_count(profile, &group, count);
	}
	return status;
}

static weir_status rules_from_class(weir_profile *profile, struct group group)
{
	weir_class class_;
	weir_classify(&profile->probe, &class_);
	group.blocks = profile->probe.blocks;
	group.initial = group.primitive == WEIR_PRIMITIVE_SEMAPHORE;
	uint32_t low = weir_class_kind(&class_, group.primitive, 1);
	weir_status status = add_rule(profile, &group, 1, low);
	if (status != WEIR_OK || group.primitive != WEIR_PRIMITIVE_SEMAPHORE)
		return status;
	group.initial = 2;
	return add_rule(profile, &group, 0, weir_class_kind(&class_, group.primitive, 2));
}

uint32_t weir_profile_fair_kind(const weir_profile *profile)
{
	struct group group = {.primitive = WEIR_PRIMITIVE_MUTEX, .only_fair = 1};
	if (!choose_setting(profile, &group) || !next_count(profile, &group, 0))
		return 0;
	return best_kind(profile, &group, 0);
}

weir_status weir_profile_make_rules(weir_profile *profile)
{
	static const enum weir_primitive primitives[] = {
	    WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE};
	weir_status status = WEIR_OK;

	free(profile->rules);
	profile->rules = NULL;
	profile->rule_count = 0;
	for (int i = 0; i < 3 && status == WEIR_OK; i++) {
		struct group group = {.primitive = primitives[i]};
		size_t first = profile->rule_count;
		if (choose_setting(profile, &group))
			status = rules_from_points(profile, group);
		if (status == WEIR_OK && profile->rule_count == first && profile->has_probe)
			status = rules_from_class(profile, group);
		if (status == WEIR_OK && profile->rule_count > first)
			merge_rules(profile, first);
	}
	return status;
}
