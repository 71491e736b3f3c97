#include "compare/ranking.h"

#include "cli/complain.h"
#include "cli/kinds.h"
#include "output/figure.h"
#include "weir/weir.h"

static weir_ranking judge(const weir_profile *profile, const weir_comparison *comparison,
                          uint32_t usual)
{
	weir_comparison fair = *comparison;
	weir_ranking ranking = {.comparison = *comparison};

	ranking.best = weir_profile_fastest(profile, comparison, NULL);
	ranking.next = weir_profile_fastest(profile, comparison, ranking.best);
	ranking.rate = weir_profile_rate(profile, comparison, ranking.best);
	ranking.next_rate = weir_profile_rate(profile, comparison, ranking.next);
	ranking.lead = weir_profile_lead(profile, comparison, ranking.best, ranking.next);
	ranking.usual = weir_profile_point(profile, comparison, usual);
	if (ranking.usual) {
		ranking.usual_rate = weir_profile_rate(profile, comparison, ranking.usual);
		ranking.over_usual =
		    weir_profile_lead(profile, comparison, ranking.best, ranking.usual);
	}
	fair.only_fair = 1;
	if (comparison->primitive != WEIR_PRIMITIVE_BARRIER)
		ranking.fair = weir_profile_fastest(profile, &fair, NULL);
	if (!ranking.fair)
		return ranking;
	ranking.fair_rate = weir_profile_rate(profile, &fair, ranking.fair);
	ranking.price = ranking.rate > 0 ? 1 - ranking.fair_rate / ranking.rate : 0;
	ranking.price_measured =
	    weir_profile_lead(profile, comparison, ranking.best, ranking.fair).measured;
	return ranking;
}

size_t weir_rankings(const weir_profile *profile, enum weir_primitive primitive,
                     weir_ranking rankings[WEIR_RANKINGS])
{
	weir_comparison comparison = {.primitive = primitive};
	weir_profile *builtin = NULL;
	size_t count = 0;
	uint32_t at = weir_comparison_next(profile, &comparison, 0);

	/* Without a built-in profile, there is simply no statement about the default. */
	if (at && weir_profile_nearest(&profile->device, &builtin) != WEIR_OK)
		builtin = NULL;
	for (; at && count < WEIR_RANKINGS; at = weir_comparison_next(profile, &comparison, at)) {
		const weir_rule *usual = builtin ? weir_profile_rule(builtin, primitive, at) : NULL;
		rankings[count++] = judge(profile, &comparison, usual ? usual->kind : 0);
	}
	weir_profile_destroy(builtin);
	return count;
}

static const char *name_of(const weir_point *point)
{
	return weir_kind_name(point->primitive, point->kind);
}

static void print_fair(FILE *text, const weir_ranking *ranking)
{
	if (ranking->fair == ranking->best)
		fprintf(text, "  %s serves in the order of arrival.\n", name_of(ranking->best));
	else if (ranking->fair && ranking->price_measured)
		fprintf(text, "  In the order of arrival: %s, %s a second, %s.\n",
		        name_of(ranking->fair), weir_rate_figure(ranking->fair_rate).text,
		        weir_cost_figure(ranking->fair_rate, ranking->rate).text);
	else if (ranking->fair)
		fprintf(text,
		        "  In the order of arrival: %s, %s a second; what that costs could not be "
		        "measured.\n",
		        name_of(ranking->fair), weir_rate_figure(ranking->fair_rate).text);
}

static void print_case(FILE *text, const weir_comparison *at)
{
	fprintf(text, "%s", weir_primitive_id(at->primitive));
	if (weir_has_patterns(at->primitive))
		fprintf(text, ", %s", weir_pattern_name(at->pattern));
	if (at->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		fprintf(text, ", initial value %u", at->initial);
	fprintf(text, ", %s: ", weir_count_figure(at->blocks, "block").text);
}

/* Fewer tell no spread, so that only a large lead is a measured one. */
#define SPREAD_REPEATS 3

static int has_spread(const weir_point *point)
{
	return point->simulated || point->repeats >= SPREAD_REPEATS;
}

/* What was seen, where it is no verdict: how far one was ahead, and why that does not count. */
static void print_unclear(FILE *text, const weir_point *ahead, const weir_point *behind,
                          const weir_lead *lead)
{
	fprintf(text, "%s was %s %s, ", name_of(ahead), weir_lead_figure(lead->by).text,
	        name_of(behind));
	if (has_spread(ahead) && has_spread(behind))
		fprintf(text, "and the spread is %.0f%%", lead->spread * 100);
	else
		fprintf(text, "and --repeats %d or more would show the spread", SPREAD_REPEATS);
}

void weir_ranking_print(FILE *text, const weir_ranking *ranking)
{
	const weir_point *best = ranking->best, *next = ranking->next;
	int is_known = has_spread(best) && has_spread(next);

	print_case(text, &ranking->comparison);
	if (ranking->lead.measured) {
		fprintf(text, "%s is the best, %s a second, %s %s", name_of(best),
		        weir_rate_figure(ranking->rate).text,
		        weir_lead_figure(ranking->lead.by).text, name_of(next));
		if (is_known)
			fprintf(text, " (spread %.0f%%)", ranking->lead.spread * 100);
		else
			fputs(" (a lead beyond any likely spread)", text);
	} else {
		fputs(is_known ? "no best kind could be measured: "
		               : "no verdict from so few repeats: ",
		      text);
		print_unclear(text, best, next, &ranking->lead);
	}
	fputs(".\n", text);
	print_fair(text, ranking);
}

void weir_ranking_print_default(FILE *text, const weir_ranking *ranking, uint32_t kind)
{
	const char *name = weir_kind_name(ranking->comparison.primitive, kind);
	const weir_point *usual = ranking->usual;

	print_case(text, &ranking->comparison);
	if (!usual)
		fprintf(text, "%s; the built-in default was not measured.\n", name);
	else if (usual->kind != kind)
		fprintf(text,
		        "%s replaces %s, the built-in default, and is measurably ahead of it.\n",
		        name, name_of(usual));
	else if (usual == ranking->best)
		fprintf(text, "%s, the built-in default, stays: no kind was ahead of it.\n", name);
	else if (ranking->over_usual.measured)
		fprintf(text, "%s, the built-in default, stays by a rule, although %s is %s it.\n",
		        name, name_of(ranking->best),
		        weir_lead_figure(ranking->over_usual.by).text);
	else {
		fprintf(text, "%s, the built-in default, stays: no other is measurably ahead (",
		        name);
		print_unclear(text, ranking->best, usual, &ranking->over_usual);
		fputs(").\n", text);
	}
}

static json_t *json_lead(const char *kind, double rate, const weir_lead *lead)
{
	return weir_need(json_pack("{s:s, s:f, s:f, s:f, s:b}", "kind", kind, "per_second", rate,
	                           "ahead_by", lead->by, "spread", lead->spread, "measured",
	                           lead->measured));
}

json_t *weir_output_ranking(const weir_ranking *ranking)
{
	const weir_comparison *at = &ranking->comparison;
	json_t *json = weir_need(
	    json_pack("{s:s, s:I, s:I}", "primitive", weir_primitive_id(at->primitive), "blocks",
	              (json_int_t)at->blocks, "threads", (json_int_t)at->threads));

	if (at->primitive == WEIR_PRIMITIVE_SEMAPHORE)
		json_object_set_new(json, "initial", json_integer(at->initial));
	if (weir_has_patterns(at->primitive))
		json_object_set_new(json, "pattern", json_string(weir_pattern_name(at->pattern)));
	json_object_set_new(json, "kind", json_string(name_of(ranking->best)));
	json_object_set_new(json, "per_second", json_real(ranking->rate));
	json_object_set_new(json, "next",
	                    json_lead(name_of(ranking->next), ranking->next_rate, &ranking->lead));
	if (ranking->usual)
		json_object_set_new(
		    json, "built_in",
		    json_lead(name_of(ranking->usual), ranking->usual_rate, &ranking->over_usual));
	if (ranking->fair)
		json_object_set_new(
		    json, "fair",
		    weir_need(json_pack("{s:s, s:f, s:f, s:b}", "kind", name_of(ranking->fair),
		                        "per_second", ranking->fair_rate, "price", ranking->price,
		                        "price_measured", ranking->price_measured)));
	return json;
}
