/* The rules of a profile as spans of counts: from which count on which default applies. */
/* Declares open_memstream. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "weir/profile.h"

int weir_profile_span(const weir_profile *profile, enum weir_primitive primitive, uint32_t from,
                      weir_span *span)
{
	const weir_rule *rule = weir_profile_rule(profile, primitive, from);
	if (!rule)
		return 0;
	span->kind = rule->kind;
	span->from = from;
	/* Rules of one kind may differ in their backoff or shape. */
	while (rule && rule->kind == span->kind) {
		span->to = rule->up_to == UINT32_MAX ? 0 : rule->up_to;
		rule = span->to ? weir_profile_rule(profile, primitive, span->to + 1) : NULL;
	}
	return 1;
}

uint32_t weir_span_next(const weir_span *span)
{
	return span->to ? span->to + 1 : 0;
}

/* The first span of a list names what it counts; the others follow its wording. */
static void say_counts(FILE *to, enum weir_primitive primitive, const weir_span *span)
{
	int blocks = primitive == WEIR_PRIMITIVE_BARRIER;
	int first = span->from == 1;
	if (first && span->to == 0)
		return;
	if (span->to == 0)
		fputs(" for more", to);
	else if (span->from == span->to && blocks)
		fprintf(to, " for %u block%s", span->to, span->to == 1 ? "" : "s");
	else if (span->from == span->to)
		fprintf(to, " for a maximum of %u", span->to);
	else
		fprintf(to, " for %s%u to %u%s", first && !blocks ? "a maximum of " : "",
		        span->from, span->to, first && blocks ? " blocks" : "");
}

/* A span on its own. */
static void say_own_counts(FILE *to, enum weir_primitive primitive, const weir_span *span)
{
	int blocks = primitive == WEIR_PRIMITIVE_BARRIER;
	if (span->from == 1 || span->from == span->to)
		say_counts(to, primitive, span);
	else if (span->to == 0 && blocks)
		fprintf(to, " for more than %u block%s", span->from - 1,
		        span->from == 2 ? "" : "s");
	else if (span->to == 0)
		fprintf(to, " for a maximum above %u", span->from - 1);
	else
		fprintf(to, blocks ? " for %u to %u blocks" : " for a maximum of %u to %u",
		        span->from, span->to);
}

char *weir_profile_default_text(const weir_profile *profile, enum weir_primitive primitive)
{
	char *text = NULL;
	size_t bytes;
	weir_span span;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return NULL;
	for (uint32_t from = 1; from && weir_profile_span(profile, primitive, from, &span);
	     from = weir_span_next(&span)) {
		fprintf(to, "%s%s",
		        from == 1 ? ""
		        : span.to ? ", "
		                  : " and ",
		        weir_kind_find(primitive, span.kind)->name);
		say_counts(to, primitive, &span);
	}
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* Whether the profile compares a kind with others at all. */
static int was_measured(const weir_profile *profile, enum weir_primitive primitive, uint32_t kind)
{
	for (size_t i = 0; i < profile->point_count; i++)
		if (profile->points[i].primitive == primitive && profile->points[i].kind == kind)
			return 1;
	return 0;
}

static void say_capitals(FILE *to, const char *word)
{
	for (; *word; word++)
		fputc(toupper((unsigned char)*word), to);
}

static void say_faster(FILE *to, enum weir_primitive primitive, const weir_span *span)
{
	const char *name = weir_primitive_name(primitive);
	const char *kind = weir_kind_find(primitive, span->kind)->name;
	uint32_t text = weir_text_kind(primitive, span->kind);

	fprintf(to, "%s: %s is faster here", name, kind);
	say_own_counts(to, primitive, span);
	fprintf(to, " than the default, %s; create objects of that kind, and compile kernels with ",
	        weir_kind_find(primitive, text)->name);
	fputs("-DWEIR_", to);
	say_capitals(to, name);
	fputs("_KIND=WEIR_", to);
	say_capitals(to, name);
	fputc('_', to);
	say_capitals(to, kind);
	fputc('\n', to);
}

char *weir_profile_faster_text(const weir_profile *profile)
{
	static const enum weir_primitive primitives[] = {
	    WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE};
	char *text = NULL;
	size_t bytes;
	weir_span span;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return NULL;
	for (int i = 0; i < 3 && profile->device.is_gpu; i++)
		for (uint32_t from = 1;
		     from && weir_profile_span(profile, primitives[i], from, &span);
		     from = weir_span_next(&span)) {
			uint32_t own = weir_text_kind(primitives[i], span.kind);
			if (own != span.kind && was_measured(profile, primitives[i], own))
				say_faster(to, primitives[i], &span);
		}
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
