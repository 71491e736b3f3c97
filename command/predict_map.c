/* Which kind wins over a grid of the two ratios, with and without hostage lines. */
#include "command.h"
#include "predict.h"
#include "sim/map.h"

typedef struct map {
	const weir_probe *base;
	weir_progress progress;
	FILE *stream;
	json_t *places;
} map;

static weir_status draw_row(map *m, size_t what, int hostage, double atomic, weir_table *table)
{
	enum weir_primitive primitive = weir_sim_map_tables[what].primitive;

	weir_table_cell(table, "%g", atomic);
	for (int i = 0; i < WEIR_SIM_MAP_SIZE; i++) {
		double contention = weir_sim_map_contention[i];
		weir_probe probe = weir_sim_map_probe(m->base, atomic, contention, hostage);
		uint32_t kind;
		weir_status status = weir_sim_map_winner(&probe, primitive,
		                                         weir_sim_map_tables[what].initial, &kind);
		if (status != WEIR_OK)
			return status;
		const char *name = kind ? weir_kind_name(primitive, kind) : "none";
		weir_table_cell(table, "%s", name);
		json_array_append_new(
		    m->places, weir_need(json_pack("{s:s, s:I, s:b, s:f, s:f, s:s}", "primitive",
		                                   weir_primitive_names[primitive], "initial",
		                                   (json_int_t)weir_sim_map_tables[what].initial,
		                                   "hostage", hostage, "atomic_to_volatile", atomic,
		                                   "contention", contention, "kind", name)));
		weir_progress_add(&m->progress, 1);
	}
	return WEIR_OK;
}

static weir_status draw(map *m, size_t what, int hostage)
{
	static const char *const columns[] = {
	    "<atomic : volatile", "<1", "<3", "<10", "<30", "<100", NULL};
	weir_table *table = weir_table_make(columns);
	weir_status status = WEIR_OK;
	int row = 0;

	while (row < WEIR_SIM_MAP_SIZE && status == WEIR_OK && !weir_stop_asked())
		status = draw_row(m, what, hostage, weir_sim_map_atomic[row++], table);
	if (m->stream && status == WEIR_OK)
		fprintf(m->stream,
		        "\n%s, lines %s held by atomics; across: contentious : noncontentious\n",
		        weir_sim_map_tables[what].title, hostage ? "are" : "are not");
	weir_table_end(table, status == WEIR_OK ? m->stream : NULL);
	return status;
}

static int draw_all(map *m, const weir_predict_request *request, const char *name)
{
	json_t *json = weir_json_document("predict");
	weir_status status = WEIR_OK;
	size_t count = WEIR_SIM_MAP_TABLES;

	m->places = weir_need(json_array());
	json_object_set_new(json, "profile", json_string(name));
	json_object_set_new(json, "map", m->places);
	weir_progress_begin(&m->progress, "mapping",
	                    (double)count * 2 * WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE);
	if (m->stream)
		fprintf(m->stream, "the fastest kinds at %u blocks, around %s\n", m->base->blocks,
		        name);
	for (size_t i = 0; i < count; i++) {
		if (request->has_primitive &&
		    request->primitive != weir_sim_map_tables[i].primitive)
			continue;
		for (int hostage = 0; hostage < 2 && status == WEIR_OK && !weir_stop_asked();
		     hostage++)
			status = draw(m, i, hostage);
	}
	weir_progress_end(&m->progress);
	if (status != WEIR_OK) {
		json_decref(json);
		return weir_predict_failed(status);
	}
	json_object_set_new(json, "complete", json_boolean(!weir_stop_asked()));
	return weir_write_json(request->common.json, json);
}

int weir_predict_map(const weir_predict_request *request)
{
	weir_sim_machine machine;
	weir_profile *profile;
	int status = weir_open_profile(request->common.profile, &profile);

	if (status)
		return status;
	status = weir_predict_machine(request->common.profile, profile, request->what_if, &machine);
	if (!status) {
		map m = {.base = &machine.probe, .stream = weir_text_stream(&request->common)};
		status = draw_all(&m, request, profile->name);
	}
	weir_profile_free(profile);
	return status || !weir_stop_asked() ? status : WEIR_EXIT_STOPPED;
}
