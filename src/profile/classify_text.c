/* Prints the classification as sentences, each with its figures, followed by the kinds to use:
 * those of the rules, with the paper's reasoning beside them. */
/* Declares open_memstream. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/count.h"
#include "weir/profile.h"

static void say_machine(FILE *to, const weir_class *c, const weir_probe *probe)
{
	fprintf(to, "This machine: %s.\n\n", c->name);
	fprintf(
	    to,
	    "Atomics: with %s on one word an atomic read takes %.3g times as long as a "
	    "volatile one (%.3g times where each block has its own word). That is %s an order of "
	    "magnitude: spinning on atomics is %s.\n",
	    weir_counted(probe->blocks, "block").text, c->atomic_to_volatile,
	    c->atomic_to_volatile_own, c->slow_atomics ? "at least" : "less than",
	    c->slow_atomics ? "out of the question" : "affordable");
	fprintf(to,
	        "Releases: an atomic write takes %.3g times as long as a volatile one (%.3g times "
	        "where each block has its own word). %s\n",
	        c->atomic_to_volatile_write, c->atomic_to_volatile_own_write,
	        c->slow_atomic_writes ? "Release by a store or a reduction, never by an exchange."
	        : c->equal_atomics    ? "Atomics are as fast as volatile accesses."
	                              : "A store is still the cheaper release.");
	fprintf(to,
	        "Contention: volatile reads of one word by all blocks take %.3g times as long as "
	        "reads of their own words, writes %.3g times. Polling one word by many is %s.\n",
	        c->contention, c->contention_write, c->contended_reads ? "costly" : "cheap");
	fprintf(
	    to,
	    "Held lines: after one atomic by each block the contentious reads take %.3g times as "
	    "long as without, writes %.3g times. The atomic units %s.\n",
	    c->hostage_ratio, c->hostage_ratio_write,
	    c->hostage ? "hold a line hostage until their queue is empty, and reads of it wait "
			 "in that queue"
		       : "do not hold a line hostage");
}

/* ---- the paper's reasoning ---- */

static const char *barrier_reason(const weir_class *c)
{
	if (c->slow_atomics)
		return "a central counter is one contentious atomic for each block, and those are "
		       "slow here";
	if (c->hostage)
		return "a poll of a central counter would queue behind the atomics of blocks that "
		       "still arrive";
	if (c->contention >= WEIR_CLASS_NO_SHARED_POLLING)
		return "polls of one word by all blocks cost too much, so each polls a flag of its "
		       "own";
	return "arriving at a counter is one fast atomic, and its polls do not wait behind the "
	       "arrivals, while flags make every barrier two trips through one block";
}

static const char *mutex_reason(const weir_class *c)
{
	if (c->slow_atomics)
		return "one atomic for each lock and then only reads is the least of what is slow "
		       "here";
	if (c->hostage)
		return "reads behind a held line cost as much as atomics, so the fewest accesses "
		       "win, and pauses keep them apart";
	if (c->contended_reads)
		return "an attempt is one fast atomic, while waiters that all read one word slow "
		       "each other down; pauses keep the attempts apart";
	if (c->equal_atomics)
		return "an atomic costs hardly more than a read, so reading first saves nothing, "
		       "and contention is all that is left to avoid";
	return "reads of one word by all are cheap, atomics are not: one atomic for each lock, "
	       "then only reads";
}

static const char *semaphore_reason(uint32_t kind)
{
	return kind == WEIR_SEMAPHORE_SLEEPING
	           ? "a wait is one atomic, two when it is full, and a post never has to wait, "
	             "while spinning waiters would delay every post"
	           : "it is used as a mutex, and one contended word beats several whose lines are "
	             "held";
}

static const char *reason(const weir_class *c, enum weir_primitive primitive, uint32_t kind)
{
	if (primitive == WEIR_PRIMITIVE_BARRIER)
		return barrier_reason(c);
	return primitive == WEIR_PRIMITIVE_MUTEX ? mutex_reason(c) : semaphore_reason(kind);
}

static const char *design(const weir_class *c, enum weir_primitive primitive, uint32_t kind)
{
	int sleeps = primitive == WEIR_PRIMITIVE_MUTEX ? kind == WEIR_MUTEX_TICKET
	                                               : kind == WEIR_SEMAPHORE_SLEEPING;
	if (primitive == WEIR_PRIMITIVE_BARRIER)
		return kind == WEIR_BARRIER_XF ? "decentralized, sleep (volatile polls), no backoff"
		                               : "centralized, sleep (volatile polls), no backoff";
	if (!sleeps)
		return "centralized, spin (atomic attempts), with backoff";
	return c->contended_reads
	           ? "centralized, sleep (volatile polls), with backoff between the polls"
	           : "centralized, sleep (volatile polls), backoff has little to gain";
}

/* ---- what to use ---- */

/* The last comparison up to a count in which both kinds were measured; 0 if there is none. */
static int find_comparison(const weir_profile *profile, uint32_t up_to, const uint32_t kinds[2],
                           weir_comparison *comparison)
{
	weir_comparison at = {.primitive = comparison->primitive};
	int found = 0;
	for (uint32_t count = 0;
	     (count = weir_comparison_next(profile, &at, count)) != 0 && count <= up_to;) {
		const weir_point *other = weir_profile_point(profile, &at, kinds[1]);
		if (!weir_profile_point(profile, &at, kinds[0]) || !other ||
		    !(other->per_second > 0))
			continue;
		*comparison = at;
		found = 1;
	}
	return found;
}

static void say_comparison(FILE *to, const weir_profile *profile, const weir_comparison *at,
                           const uint32_t kinds[2])
{
	double rates[2];
	for (int i = 0; i < 2; i++)
		rates[i] =
		    weir_profile_rate(profile, at, weir_profile_point(profile, at, kinds[i]));
	fprintf(to, " With %s", weir_counted(at->blocks, "block").text);
	if (at->initial)
		fprintf(to, " and a maximum of %u", at->initial);
	fprintf(to, " %s is %.3g times as fast as %s.",
	        weir_kind_find(at->primitive, kinds[0])->name, rates[0] / rates[1],
	        weir_kind_find(at->primitive, kinds[1])->name);
}

static int was_measured(const weir_profile *profile, enum weir_primitive primitive, uint32_t kind)
{
	for (size_t i = 0; i < profile->point_count; i++)
		if (profile->points[i].primitive == primitive && profile->points[i].kind == kind)
			return 1;
	return 0;
}

/* The paper cannot judge kinds that are newer than it: they appear only with figures. */
static void say_later_kinds(FILE *to, const weir_profile *profile, enum weir_primitive primitive)
{
	const weir_kind *unknown[32];
	size_t count = 0;
	const weir_kind *kind;
	for (size_t i = 0; (kind = weir_kind_at(primitive, i)) != NULL && count < 32; i++)
		if (kind->role == WEIR_FOR_USE && !weir_kind_is_of_paper(primitive, kind->value) &&
		    !was_measured(profile, primitive, kind->value))
			unknown[count++] = kind;
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%s",
		        i == 0           ? " Not measured here, and later than the paper: "
		        : i + 1 == count ? " and "
		                         : ", ",
		        unknown[i]->name);
	fputs(count ? "." : "", to);
}

/* Says why the rule names a different kind than the paper. */
static void say_difference(FILE *to, const weir_profile *profile, enum weir_primitive primitive,
                           uint32_t count, const uint32_t kinds[2])
{
	weir_comparison comparison = {.primitive = primitive};
	if (!weir_kind_is_of_paper(primitive, kinds[0]))
		fprintf(to, " The paper did not have %s.",
		        weir_kind_find(primitive, kinds[0])->name);
	if (find_comparison(profile, count, kinds, &comparison))
		say_comparison(to, profile, &comparison, kinds);
	else
		fprintf(to, "%s No figures in this profile compare the two.",
		        profile->device.is_gpu ? "" : " That reasoning is about GPUs.");
}

static void say_reasoning(FILE *to, const weir_profile *profile, const weir_class *c,
                          enum weir_primitive primitive, uint32_t count, const char *start)
{
	uint32_t papers = weir_class_kind(c, primitive, count);
	const weir_rule *rule = weir_profile_rule(profile, primitive, count);
	int agree = !rule || rule->kind == papers;
	fprintf(to, "%she paper's reasoning gives %s: %s, since %s.", start,
	        agree ? "the same" : weir_kind_find(primitive, papers)->name,
	        design(c, primitive, papers), reason(c, primitive, papers));
	if (!agree)
		say_difference(to, profile, primitive, count,
		               (const uint32_t[2]){rule->kind, papers});
}

static void say_primitive(FILE *to, const weir_profile *profile, const weir_class *c,
                          enum weir_primitive primitive)
{
	const char *name = weir_primitive_name(primitive);
	char *rules = weir_profile_default_text(profile, primitive);
	int one_slot_differs = primitive == WEIR_PRIMITIVE_SEMAPHORE &&
	                       weir_class_kind(c, primitive, 1) != weir_class_kind(c, primitive, 2);

	fprintf(to, "%c%s: use %s.", toupper((unsigned char)name[0]), name + 1,
	        rules && *rules
	            ? rules
	            : weir_kind_find(primitive, weir_class_kind(c, primitive, 2))->name);
	if (one_slot_differs)
		say_reasoning(to, profile, c, primitive, 1, " With one slot t");
	say_reasoning(to, profile, c, primitive, WEIR_ANY_COUNT,
	              one_slot_differs ? " With more t" : " T");
	say_later_kinds(to, profile, primitive);
	fputc('\n', to);
	free(rules);
}

char *weir_class_text(const weir_profile *profile)
{
	char *text = NULL;
	size_t bytes;
	weir_class class_;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return NULL;
	weir_classify(&profile->probe, &class_);
	say_machine(to, &class_, &profile->probe);
	fputc('\n', to);
	say_primitive(to, profile, &class_, WEIR_PRIMITIVE_BARRIER);
	say_primitive(to, profile, &class_, WEIR_PRIMITIVE_MUTEX);
	say_primitive(to, profile, &class_, WEIR_PRIMITIVE_SEMAPHORE);
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
