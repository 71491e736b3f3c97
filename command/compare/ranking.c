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
		fprintf(text, "  It serves in the order of arrival.\n");
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

static weir_figure spread_figure(const weir_ranking *ranking)
{
	weir_figure figure;
	int is_known = (ranking->best->simulated || ranking->best->repeats > 2) &&
	               (ranking->next->simulated || ranking->next->repeats > 2);

	if (is_known)
		snprintf(figure.text, sizeof figure.text, "spread %.0f%%",
		         ranking->lead.spread * 100);
	else
		snprintf(figure.text, sizeof figure.text, "too few repeats for a spread");
	return figure;
}

void weir_ranking_print(FILE *text, const weir_ranking *ranking)
{
	print_case(text, &ranking->comparison);
	fprintf(text,
	        ranking->lead.measured ? "%s is the best, %s a second, %s %s (%s).\n"
	                               : "no best kind could be measured: %s, %s a second, is %s "
	                                 "%s (%s).\n",
	        name_of(ranking->best), weir_rate_figure(ranking->rate).text,
	        weir_lead_figure(ranking->lead.by).text, name_of(ranking->next),
	        spread_figure(ranking).text);
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
	else
		fprintf(text,
		        "%s, the built-in default, stays: no difference could be measured (%s is "
		        "%s it, and the spread of both is %.0f%%).\n",
		        name, name_of(ranking->best), weir_lead_figure(ranking->over_usual.by).text,
		        ranking->over_usual.spread * 100);
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
