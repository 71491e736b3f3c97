#include "figures/case.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "measure/pattern.h"
#include "weir/kind.h"
#include "weir/profile.h"

/* Tables and plots use empty critical sections and one block size: the first one found. */
int weir_case_holds(const weir_case *c, const weir_point *point)
{
	return point->primitive == c->primitive && point->initial == c->initial &&
	       point->pattern == c->pattern && point->threads == c->threads && point->work == 0;
}

static int by_primitive_and_value(const void *left, const void *right)
{
	const weir_case *a = left, *b = right;
	if (a->primitive != b->primitive)
		return a->primitive < b->primitive ? -1 : 1;
	if (a->initial != b->initial)
		return a->initial < b->initial ? -1 : 1;
	return (a->pattern > b->pattern) - (a->pattern < b->pattern);
}

static weir_case *find_case(weir_case *cases, size_t count, const weir_point *point)
{
	for (size_t i = 0; i < count; i++)
		if (cases[i].primitive == point->primitive && cases[i].initial == point->initial &&
		    cases[i].pattern == point->pattern)
			return &cases[i];
	return NULL;
}

size_t weir_cases(const weir_profile *profile, weir_case cases[WEIR_CASES])
{
	size_t count = 0;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point->work != 0)
			continue;
		weir_case *c = find_case(cases, count, point);
		if (!c && count < WEIR_CASES) {
			c = &cases[count++];
			*c = (weir_case){point->primitive, point->initial, point->pattern,
			                 point->threads, 0};
		}
		if (c && weir_case_holds(c, point) && point->blocks > c->most_blocks)
			c->most_blocks = point->blocks;
	}
	qsort(cases, count, sizeof cases[0], by_primitive_and_value);
	return count;
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

size_t weir_case_kinds(const weir_profile *profile, const weir_case *c,
                       uint32_t kinds[WEIR_CASE_KINDS])
{
	size_t count = 0;
	for (size_t i = 0; i < profile->point_count; i++) {
		size_t seen = 0;
		if (!weir_case_holds(c, &profile->points[i]))
			continue;
		while (seen < count && kinds[seen] != profile->points[i].kind)
			seen++;
		if (seen == count && count < WEIR_CASE_KINDS)
			kinds[count++] = profile->points[i].kind;
	}
	qsort(kinds, count, sizeof kinds[0], by_number);
	return count;
}

const weir_point *weir_case_point(const weir_profile *profile, const weir_case *c, uint32_t kind,
                                  uint32_t blocks)
{
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (weir_case_holds(c, point) && point->kind == kind && point->blocks == blocks)
			return point;
	}
	return NULL;
}

static int by_blocks(const void *left, const void *right)
{
	const weir_point *a = *(const weir_point *const *)left;
	const weir_point *b = *(const weir_point *const *)right;

	return (a->blocks > b->blocks) - (a->blocks < b->blocks);
}

const weir_point **weir_case_curve(const weir_profile *profile, const weir_case *c, uint32_t kind,
                                   size_t *count)
{
	const weir_point **chosen =
	    weir_need(calloc(profile->point_count + 1, sizeof(const weir_point *)));

	*count = 0;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		uint32_t wanted = kind ? kind : weir_case_default(profile, c, point->blocks);
		if (weir_case_holds(c, point) && point->kind == wanted && point->per_second > 0)
			chosen[(*count)++] = point;
	}
	qsort(chosen, *count, sizeof chosen[0], by_blocks);
	return chosen;
}

size_t weir_case_blocks(const weir_profile *profile, const weir_case *c, uint32_t **counts)
{
	size_t all = 0;
	size_t kept = 0;

	*counts = weir_need(calloc(profile->point_count + 1, sizeof **counts));
	for (size_t i = 0; i < profile->point_count; i++)
		if (weir_case_holds(c, &profile->points[i]))
			(*counts)[all++] = profile->points[i].blocks;
	qsort(*counts, all, sizeof **counts, by_number);
	for (size_t i = 0; i < all; i++)
		if (i == 0 || (*counts)[i] != (*counts)[i - 1])
			(*counts)[kept++] = (*counts)[i];
	return kept;
}

uint32_t weir_case_default(const weir_profile *profile, const weir_case *c, uint32_t blocks)
{
	if (weir_has_patterns(c->primitive))
		return weir_pattern_default(c->pattern, blocks);
	uint32_t count = c->primitive == WEIR_PRIMITIVE_SEMAPHORE ? c->initial : blocks;
	const weir_rule *rule = weir_profile_rule(profile, c->primitive, count);
	return rule ? rule->kind : 0;
}

static void say_span(FILE *to, const weir_span *span, uint32_t most_blocks)
{
	if (span->from == span->to || span->from == most_blocks)
		fprintf(to, ", %u", span->from);
	else if (span->to && span->to < most_blocks)
		fprintf(to, ", %u to %u", span->from, span->to);
	else if (span->from > 1)
		fprintf(to, ", %u on", span->from);
}

/* One kind up to some number of blocks, and another beyond that. */
static void say_pattern_reign(FILE *to, const weir_case *c, uint32_t kind)
{
	uint32_t few = weir_pattern_default(c->pattern, 1);
	weir_span span = {.from = 1, .to = 1};

	while (span.to < c->most_blocks && weir_pattern_default(c->pattern, span.to + 1) == few)
		span.to++;
	if (kind != few) {
		span.from = span.to + 1;
		span.to = 0;
	}
	if (span.from > c->most_blocks || weir_pattern_default(c->pattern, span.from) != kind)
		return;
	fputs("default", to);
	if (span.to < c->most_blocks)
		say_span(to, &span, c->most_blocks);
}

void weir_case_reign(const weir_profile *profile, const weir_case *c, uint32_t kind, char *text,
                     size_t room)
{
	weir_span span;
	FILE *to = fmemopen(text, room, "w");
	text[0] = 0;
	if (!to)
		return;
	if (weir_has_patterns(c->primitive)) {
		say_pattern_reign(to, c, kind);
		fclose(to);
		return;
	}
	if (c->primitive != WEIR_PRIMITIVE_BARRIER) {
		fputs(weir_case_default(profile, c, c->most_blocks) == kind ? "default" : "", to);
		fclose(to);
		return;
	}
	const char *start = "default";
	for (uint32_t from = 1; from && from <= c->most_blocks &&
	                        weir_profile_span(profile, c->primitive, from, &span);
	     from = weir_span_next(&span)) {
		if (span.kind != kind)
			continue;
		fputs(start, to);
		say_span(to, &span, c->most_blocks);
		start = "";
	}
	fclose(to);
}

void weir_case_id(const weir_case *c, char *text, size_t room)
{
	if (c->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		snprintf(text, room, "semaphore_%u", c->initial);
	else if (weir_has_patterns(c->primitive))
		snprintf(text, room, "%s_%s", weir_primitive_id(c->primitive),
		         weir_pattern_name(c->pattern));
	else
		snprintf(text, room, "%s", weir_primitive_name(c->primitive));
}

void weir_case_title(const weir_case *c, char *text, size_t room)
{
	const char *name = weir_primitive_id(c->primitive);
	int upper = toupper((unsigned char)name[0]);

	if (c->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		snprintf(text, room, "Semaphore, initial value %u", c->initial);
	else if (weir_has_patterns(c->primitive))
		snprintf(text, room, "%c%s, %s", upper, name + 1,
		         weir_pattern_find(c->pattern)->title);
	else
		snprintf(text, room, "%c%s", upper, name + 1);
}
