#include "crew/crew.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "figures/rank_costs.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/table.h"

static const char *const keys[WEIR_SIM_PATTERNS] = {"rows", "one_to_all", "all_to_one"};

static int take_number(const char **at, int is_last, double *value)
{
	char *end;

	*value = strtod(*at, &end);
	if (end == *at || *end != (is_last ? 0 : ','))
		return 0;
	*at = end + 1;
	return *value >= 0 && *value < 1e9;
}

int crew_parse_links(const char *text, weir_sim_links *links)
{
	double domain = 0;
	double *const values[] = {&domain, &links->near.latency, &links->near.gap,
	                          &links->far.latency, &links->far.gap};
	const int count = (int)(sizeof values / sizeof values[0]);
	const char *at = text;
	int taken = 0;

	while (taken < count && take_number(&at, taken == count - 1, values[taken]))
		taken++;
	links->domain = domain <= WEIR_SIM_RANKS_MOST ? (uint32_t)domain : 0;
	if (taken < count || links->domain == 0 || (double)links->domain != domain)
		return weir_refuse("--links: '%s' is not the GPUs of a domain (1 to %d) and four "
		                   "times in ns, such as 8,600,0.76,2700,10",
		                   text, WEIR_SIM_RANKS_MOST);
	if (links->near.latency < WEIR_SIM_POLL_NS || links->far.latency < WEIR_SIM_POLL_NS)
		return weir_refuse("--links: a latency includes the poll that ends it, so it must "
		                   "be at least %g ns",
		                   WEIR_SIM_POLL_NS);
	return 0;
}

static json_t *row_json(const weir_ranks_row *row, weir_sim_pattern pattern)
{
	json_t *forms = weir_need(json_object());
	json_t *computed = weir_need(json_array());

	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++) {
		const char *name = weir_sim_form_names[form];

		if (!weir_sim_has_form(pattern, form))
			continue;
		json_object_set_new(forms, name, json_real(row->costs[form].ns * 1e-3));
		if (row->costs[form].is_computed)
			json_array_append_new(computed, json_string(name));
	}
	return weir_need(json_pack("{s:i, s:o, s:s, s:o}", "ranks", (int)row->ranks, "microseconds",
	                           forms, "best", weir_sim_form_names[row->best], "computed",
	                           computed));
}

static void row_cells(const weir_ranks_row *row, weir_sim_pattern pattern, weir_table *table)
{
	weir_table_cell(table, "%u", row->ranks);
	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++)
		if (weir_sim_has_form(pattern, form))
			weir_table_cell(table, "%.2f", row->costs[form].ns * 1e-3);
	weir_table_cell(table, "%s", weir_sim_form_names[row->best]);
}

/* The table of a pattern. Returns an exit status. */
static int show_pattern(FILE *stream, const weir_sim_links *links, weir_sim_pattern pattern,
                        const weir_counts *ranks, json_t *json)
{
	const char *columns[WEIR_SIM_FORMS + 3] = {"ranks"};
	json_t *rows = weir_need(json_array());
	weir_ranks_row row;
	int count = 1;
	int status = 0;

	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++)
		if (weir_sim_has_form(pattern, form))
			columns[count++] = weir_sim_form_names[form];
	columns[count] = "<best";
	weir_table *table = weir_table_make(columns);
	for (uint32_t k = 0; k < ranks->count && status == 0; k++) {
		status = weir_stop_asked()
		             ? WEIR_EXIT_STOPPED
		             : weir_ranks_row_make(links, pattern, ranks->values[k], &row);
		if (status == 0) {
			row_cells(&row, pattern, table);
			json_array_append_new(rows, row_json(&row, pattern));
		}
	}
	if (stream)
		fprintf(stream, "%s, microseconds\n\n", weir_ranks_title(pattern));
	weir_table_end(table, stream);
	if (stream)
		fprintf(stream, "\n");
	json_object_set_new(json, keys[pattern], rows);
	return status;
}

static json_t *link_json(const weir_sim_link *link)
{
	return weir_need(json_pack("{s:f, s:f}", "latency_ns", link->latency, "gap_ns", link->gap));
}

static int show_system(FILE *stream, const weir_sim_system *system, const weir_counts *ranks,
                       json_t *list)
{
	const weir_sim_links *links = &system->links;
	json_t *json =
	    weir_need(json_pack("{s:s, s:s, s:{s:i, s:o, s:o}}", "name", system->name, "what",
	                        system->what, "links", "domain", (int)links->domain, "near",
	                        link_json(&links->near), "far", link_json(&links->far)));
	weir_ranks_hops hops;
	int status = weir_ranks_hops_make(links, &hops);

	json_array_append_new(list, json);
	if (status)
		return status;
	json_object_set_new(
	    json, "hop_microseconds",
	    weir_need(json_pack("{s:f, s:f}", "near", hops.near_us, "far", hops.far_us)));
	if (stream)
		fprintf(stream,
		        "%s (simulated)\none signal: %.2f us in a domain, %.2f us between two\n\n",
		        system->what, hops.near_us, hops.far_us);
	for (weir_sim_pattern pattern = 0; pattern < WEIR_SIM_PATTERNS && status == 0; pattern++)
		status = show_pattern(stream, links, pattern, ranks, json);
	return status;
}

static int has_computed(const weir_counts *ranks)
{
	for (uint32_t k = 0; k < ranks->count; k++)
		if (ranks->values[k] > WEIR_SIM_FLAT_MOST)
			return 1;
	return 0;
}

int crew_simulate(const weir_common *common, const weir_counts *ranks, const weir_sim_links *links)
{
	FILE *stream = weir_text_stream(common);
	json_t *json = weir_output_document("crew_simulation");
	json_t *list = weir_need(json_array());
	int status = 0;

	weir_stop_catch();
	json_object_set_new(json, "systems", list);
	if (links) {
		const weir_sim_system own = {"own", "links as given", *links};

		status = show_system(stream, &own, ranks, list);
	}
	for (uint32_t i = 0; !links && status == 0 && weir_sim_system_at(i); i++)
		status = show_system(stream, weir_sim_system_at(i), ranks, list);
	if (stream && status == 0 && has_computed(ranks))
		fprintf(stream,
		        "Flat barriers of more than %s are computed; everything else runs the code "
		        "of the headers on simulated links.\n",
		        weir_count_figure(WEIR_SIM_FLAT_MOST, "rank").text);
	if (status) {
		json_decref(json);
		return status;
	}
	return weir_write_json(common->json, json);
}
