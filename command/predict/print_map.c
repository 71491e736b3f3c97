/* Prints which kind wins over a grid of the two ratios, with and without hostage lines. */
#include "predict/predict.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "figures/make_map.h"
#include "output/figure.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static void draw(const weir_sim_map *map, int which, int hostage, FILE *stream)
{
	static const char *const columns[] = {
	    "<atomic : volatile", "<1", "<3", "<10", "<30", "<100", NULL};
	weir_table *table = weir_table_make(columns);
	char title[64];

	for (int row = 0; row < WEIR_SIM_MAP_SIZE; row++) {
		weir_table_cell(table, "%g", weir_sim_map_atomic[row]);
		for (int i = 0; i < WEIR_SIM_MAP_SIZE; i++)
			weir_table_cell(table, "%s",
			                weir_map_kind(map->tables[which].primitive,
			                              map->tables[which].kinds[hostage][row][i]));
	}
	weir_sim_map_title(map, which, title, sizeof title);
	fprintf(stream, "\n%s, lines %s held by atomics; across: contentious : noncontentious\n",
	        title, hostage ? "are" : "are not");
	weir_table_end(table, stream);
}

static void draw_all(const weir_sim_map *map, const weir_predict_request *request, const char *name,
                     FILE *stream)
{
	fprintf(stream, "the fastest kinds at %s of %s, around %s\n",
	        weir_count_figure(map->base.blocks, "block").text,
	        weir_count_figure(map->base.threads, "thread").text, name);
	for (int i = 0; i < WEIR_SIM_MAP_TABLES; i++) {
		enum weir_primitive primitive = map->tables[i].primitive;
		if (request->has_primitive && request->primitive != primitive)
			continue;
		for (int hostage = 0; hostage < 2; hostage++)
			draw(map, i, hostage, stream);
		fprintf(stream, "%s itself: %s\n", name,
		        weir_map_kind(primitive, map->tables[i].own));
	}
}

static void describe(const weir_sim_map *map, int which, json_t *places, json_t *own)
{
	enum weir_primitive primitive = map->tables[which].primitive;
	json_int_t initial = map->tables[which].initial;

	for (int i = 0; i < WEIR_SIM_MAP_MACHINES - 1; i++) {
		const int size = WEIR_SIM_MAP_SIZE;
		int hostage = i / size / size, row = i / size % size, column = i % size;
		uint32_t kind = map->tables[which].kinds[hostage][row][column];
		if (kind == WEIR_SIM_MAP_UNKNOWN)
			continue;
		json_array_append_new(
		    places, weir_need(json_pack("{s:s, s:I, s:b, s:f, s:f, s:s}", "primitive",
		                                weir_primitive_name(primitive), "initial", initial,
		                                "hostage", hostage, "atomic_to_volatile",
		                                weir_sim_map_atomic[row], "contention",
		                                weir_sim_map_contention[column], "kind",
		                                weir_map_kind(primitive, kind))));
	}
	if (map->tables[which].own != WEIR_SIM_MAP_UNKNOWN)
		json_array_append_new(
		    own,
		    weir_need(json_pack("{s:s, s:I, s:s}", "primitive",
		                        weir_primitive_name(primitive), "initial", initial, "kind",
		                        weir_map_kind(primitive, map->tables[which].own))));
}

static int write_json(const weir_sim_map *map, const char *name, const char *path)
{
	json_t *places = weir_need(json_array());
	json_t *own = weir_need(json_array());
	json_t *json = weir_output_document("predict");

	for (int i = 0; i < WEIR_SIM_MAP_TABLES; i++)
		describe(map, i, places, own);
	json_object_set_new(json, "profile", json_string(name));
	json_object_set_new(json, "blocks", json_integer(map->base.blocks));
	json_object_set_new(json, "map", places);
	json_object_set_new(json, "own", own);
	return weir_finish_json(path, json);
}

int weir_predict_map(const weir_predict_request *request, const weir_profile *profile,
                     weir_sim_machine *machine)
{
	FILE *stream = weir_text_stream(&request->common);
	weir_sim_map map;

	if (machine->batched_loads)
		return weir_refuse("batched-loads and --map exclude each other");
	weir_status made = weir_map_make(&machine->probe,
	                                 request->has_primitive ? &request->primitive : NULL, &map);
	if (made != WEIR_OK)
		return weir_predict_failed(made);
	if (stream)
		draw_all(&map, request, profile->name, stream);
	weir_progress_say_stopped(stream);
	return write_json(&map, profile->name, request->common.json);
}
