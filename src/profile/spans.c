/* The rules of a profile as spans of counts: what the default is from which count on. */
/* Declares open_memstream. */
#define _POSIX_C_SOURCE 200809L
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

static void say_counts(FILE *to, enum weir_primitive primitive, const weir_span *span)
{
	int blocks = primitive == WEIR_PRIMITIVE_BARRIER;
	if (span->from == 1 && span->to == 0)
		return;
	if (span->to == 0)
		fputs(" for more", to);
	else if (span->from == span->to && blocks)
		fprintf(to, " for %u block%s", span->to, span->to == 1 ? "" : "s");
	else if (span->from == span->to)
		fprintf(to, " for a maximum of %u", span->to);
	else
		fprintf(to, " for %s%u to %u", span->from == 1 && !blocks ? "a maximum of " : "",
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
