#include "simulate.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/complain.h"
#include "output/json.h"
#include "output/table.h"
#include "sim/ranks.h"

/* Links by public figures; doc/crew.md says where each is from, and which is a guess. */
static const struct {
	const char *name;
	const char *what;
	weir_sim_links links;
} systems[] = {
    {"nvlink8",
     "8 GPUs on NVLink, network between; short latencies",
     {8, {1000, 0.76}, {1500, 10}}},
    {"nvlink8_slow", "the same with long latencies", {8, {2000, 0.76}, {5000, 10}}},
    {"nvlink72",
     "72 GPUs on NVLink, network between; short latencies",
     {72, {1000, 0.76}, {1500, 10}}},
};

/* A row of the table: one number of ranks. */
static json_t *row_of(const weir_sim_links *links, uint32_t ranks, weir_table *table)
{
	json_t *forms = weir_need(json_object());
	double best_ns = 0;
	weir_sim_form best = WEIR_SIM_FLAT;

	weir_table_cell(table, "%u", ranks);
	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++) {
		double ns = weir_sim_ranks(links, form, ranks);

		if (ns < 0)
			weir_need(NULL);
		if (form == WEIR_SIM_FLAT || ns < best_ns) {
			best = form;
			best_ns = ns;
		}
		weir_table_cell(table, "%.2f", ns * 1e-3);
		json_object_set_new(forms, weir_sim_form_names[form], json_real(ns * 1e-3));
	}
	weir_table_cell(table, "%s", weir_sim_form_names[best]);
	return weir_need(json_pack("{s:i, s:o, s:s}", "ranks", (int)ranks, "microseconds", forms,
	                           "best", weir_sim_form_names[best]));
}

int crew_simulate(const weir_common *common, const weir_counts *ranks)
{
	const char *columns[WEIR_SIM_FORMS + 3] = {"ranks"};
	FILE *stream = weir_text_stream(common);
	json_t *json = weir_output_document("crew_simulation");
	json_t *list = weir_need(json_array());

	for (weir_sim_form form = 0; form < WEIR_SIM_FORMS; form++)
		columns[1 + form] = weir_sim_form_names[form];
	columns[1 + WEIR_SIM_FORMS] = "<best";
	for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
		weir_table *table = weir_table_make(columns);
		json_t *rows = weir_need(json_array());

		for (uint32_t k = 0; k < ranks->count; k++)
			json_array_append_new(rows,
			                      row_of(&systems[i].links, ranks->values[k], table));
		if (stream)
			fprintf(stream, "%s%s (microseconds a barrier, simulated)\n\n",
			        i ? "\n" : "", systems[i].what);
		weir_table_end(table, stream);
		json_array_append_new(
		    list, weir_need(json_pack("{s:s, s:s, s:o}", "name", systems[i].name, "what",
		                              systems[i].what, "rows", rows)));
	}
	json_object_set_new(json, "systems", list);
	return weir_write_json(common->json, json);
}
