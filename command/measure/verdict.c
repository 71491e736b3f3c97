#include "measure/verdict.h"

static weir_verdict judge(const weir_profile *profile, const weir_comparison *comparison,
                          uint32_t usual)
{
	weir_comparison fair = *comparison;
	weir_verdict verdict = {.comparison = *comparison};

	verdict.best = weir_profile_fastest(profile, comparison, NULL);
	verdict.next = weir_profile_fastest(profile, comparison, verdict.best);
	verdict.rate = weir_profile_rate(profile, comparison, verdict.best);
	verdict.next_rate = weir_profile_rate(profile, comparison, verdict.next);
	verdict.lead = weir_profile_lead(profile, comparison, verdict.best, verdict.next);
	verdict.usual = weir_profile_point(profile, comparison, usual);
	if (verdict.usual) {
		verdict.usual_rate = weir_profile_rate(profile, comparison, verdict.usual);
		verdict.over_usual =
		    weir_profile_lead(profile, comparison, verdict.best, verdict.usual);
	}
	fair.only_fair = 1;
	if (comparison->primitive != WEIR_PRIMITIVE_BARRIER)
		verdict.fair = weir_profile_fastest(profile, &fair, NULL);
	if (!verdict.fair)
		return verdict;
	verdict.fair_rate = weir_profile_rate(profile, &fair, verdict.fair);
	verdict.price = verdict.rate > 0 ? 1 - verdict.fair_rate / verdict.rate : 0;
	verdict.price_measured =
	    weir_profile_lead(profile, comparison, verdict.best, verdict.fair).measured;
	return verdict;
}

size_t weir_verdicts(const weir_profile *profile, enum weir_primitive primitive,
                     weir_verdict verdicts[WEIR_VERDICTS])
{
	weir_comparison comparison = {.primitive = primitive};
	weir_profile *builtin = NULL;
	size_t count = 0;
	uint32_t at = weir_comparison_next(profile, &comparison, 0);

	/* Without one there is just no word on the default. */
	if (at && weir_profile_nearest(&profile->device, &builtin) != WEIR_OK)
		builtin = NULL;
	for (; at && count < WEIR_VERDICTS; at = weir_comparison_next(profile, &comparison, at)) {
		const weir_rule *usual = builtin ? weir_profile_rule(builtin, primitive, at) : NULL;
		verdicts[count++] = judge(profile, &comparison, usual ? usual->kind : 0);
	}
	weir_profile_free(builtin);
	return count;
}

static const char *name_of(const weir_point *point)
{
	return weir_kind_name(point->primitive, point->kind);
}

static void print_fair(FILE *text, const weir_verdict *verdict)
{
	if (verdict->fair == verdict->best)
		fprintf(text, "  It serves in the order of arrival.\n");
	else if (verdict->fair && verdict->price_measured)
		fprintf(text, "  In the order of arrival: %s, %s a second, which costs %.0f%%.\n",
		        name_of(verdict->fair), weir_rate_figure(verdict->fair_rate).text,
		        verdict->price * 100);
	else if (verdict->fair)
		fprintf(text,
		        "  In the order of arrival: %s, %s a second; what that costs could not be "
		        "measured.\n",
		        name_of(verdict->fair), weir_rate_figure(verdict->fair_rate).text);
}

static void print_case(FILE *text, const weir_comparison *at)
{
	fprintf(text, "%s", weir_primitive_name(at->primitive));
	if (at->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		fprintf(text, ", initial value %u", at->initial);
	fprintf(text, ", %u block%s: ", at->blocks, at->blocks == 1 ? "" : "s");
}

void weir_verdict_print(FILE *text, const weir_verdict *verdict)
{
	print_case(text, &verdict->comparison);
	if (verdict->lead.measured)
		fprintf(text, "%s is the best, %s a second, %.0f%% ahead of %s (spread %.0f%%).\n",
		        name_of(verdict->best), weir_rate_figure(verdict->rate).text,
		        verdict->lead.by * 100, name_of(verdict->next), verdict->lead.spread * 100);
	else
		fprintf(text,
		        "no best kind could be measured: %s, %s a second, is %.0f%% ahead of %s, "
		        "and the spread is %.0f%%.\n",
		        name_of(verdict->best), weir_rate_figure(verdict->rate).text,
		        verdict->lead.by * 100, name_of(verdict->next), verdict->lead.spread * 100);
	print_fair(text, verdict);
}

void weir_verdict_print_default(FILE *text, const weir_verdict *verdict, uint32_t kind)
{
	const char *name = weir_kind_name(verdict->comparison.primitive, kind);
	const weir_point *usual = verdict->usual;

	print_case(text, &verdict->comparison);
	if (!usual)
		fprintf(text, "%s; the built-in default was not measured.\n", name);
	else if (usual->kind != kind)
		fprintf(text,
		        "%s takes the place of %s, the built-in default, and is measurably ahead "
		        "of it.\n",
		        name, name_of(usual));
	else if (usual == verdict->best)
		fprintf(text, "%s, the built-in default, stays: none was ahead of it.\n", name);
	else
		fprintf(text,
		        "%s, the built-in default, stays: no difference could be measured (%s is "
		        "%.0f%% "
		        "ahead, and the spread of both is %.0f%%).\n",
		        name, name_of(verdict->best), verdict->over_usual.by * 100,
		        verdict->over_usual.spread * 100);
}

static json_t *json_lead(const char *kind, double rate, const weir_lead *lead)
{
	return weir_need(json_pack("{s:s, s:f, s:f, s:f, s:b}", "kind", kind, "per_second", rate,
	                           "ahead_by", lead->by, "spread", lead->spread, "measured",
	                           lead->measured));
}

json_t *weir_json_verdict(const weir_verdict *verdict)
{
	const weir_comparison *at = &verdict->comparison;
	json_t *json = weir_need(
	    json_pack("{s:s, s:I, s:I}", "primitive", weir_primitive_name(at->primitive), "blocks",
	              (json_int_t)at->blocks, "threads", (json_int_t)at->threads));

	if (at->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		json_object_set_new(json, "initial", json_integer(at->initial));
	json_object_set_new(json, "kind", json_string(name_of(verdict->best)));
	json_object_set_new(json, "per_second", json_real(verdict->rate));
	json_object_set_new(json, "next",
	                    json_lead(name_of(verdict->next), verdict->next_rate, &verdict->lead));
	if (verdict->usual)
		json_object_set_new(
		    json, "built_in",
		    json_lead(name_of(verdict->usual), verdict->usual_rate, &verdict->over_usual));
	if (verdict->fair)
		json_object_set_new(
		    json, "fair",
		    weir_need(json_pack("{s:s, s:f, s:f, s:b}", "kind", name_of(verdict->fair),
		                        "per_second", verdict->fair_rate, "price", verdict->price,
		                        "price_measured", verdict->price_measured)));
	return json;
}
