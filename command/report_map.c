#include "report_map.h"

#include <math.h>

#include "options.h"
#include "output.h"

weir_status weir_report_map_make(const weir_probe *base, weir_report_map *map)
{
	const int size = WEIR_SIM_MAP_SIZE;
	const int places = WEIR_SIM_MAP_TABLES * 2 * size * size;
	weir_status status = WEIR_OK;
	weir_progress progress;

	weir_progress_begin(&progress, "mapping", places);
	for (int i = 0; i < places && status == WEIR_OK && !weir_stop_asked(); i++) {
		const weir_sim_map_table *table = &weir_sim_map_tables[i / size / size / 2];
		int hostage = i / size / size % 2, row = i / size % size, column = i % size;
		weir_probe probe = weir_sim_map_probe(base, weir_sim_map_atomic[row],
		                                      weir_sim_map_contention[column], hostage);
		status = weir_sim_map_winner(
		    &probe, table->primitive, table->initial,
		    &map->kinds[table - weir_sim_map_tables][hostage][row][column]);
		weir_progress_add(&progress, 1);
	}
	weir_progress_end(&progress);
	return status;
}

/* The place on the grid that is nearest to the machine itself, by ratio. */
static int nearest(const double *grid, double value)
{
	int best = 0;

	for (int i = 1; i < WEIR_SIM_MAP_SIZE; i++)
		if (fabs(log(grid[i] / value)) < fabs(log(grid[best] / value)))
			best = i;
	return best;
}

static void write_table(FILE *page, const weir_report_map *map, size_t which, int hostage,
                        const weir_class *own)
{
	const weir_sim_map_table *table = &weir_sim_map_tables[which];
	int own_row = nearest(weir_sim_map_atomic, own->atomic_to_volatile);
	int own_column = nearest(weir_sim_map_contention, own->contention);

	fprintf(page,
	        "<h3>%c%s, lines %sheld by atomics</h3>\n<table>\n<thead>\n<tr>"
	        "<th class=\"text\">atomic to volatile</th>",
	        table->title[0] - 'a' + 'A', table->title + 1, hostage ? "" : "not ");
	for (int i = 0; i < WEIR_SIM_MAP_SIZE; i++)
		fprintf(page, "<th class=\"text\">contention %g&#215;</th>",
		        weir_sim_map_contention[i]);
	fputs("</tr>\n</thead>\n<tbody>\n", page);
	for (int row = 0; row < WEIR_SIM_MAP_SIZE; row++) {
		fprintf(page, "<tr><th class=\"text\">%g&#215;</th>", weir_sim_map_atomic[row]);
		for (int i = 0; i < WEIR_SIM_MAP_SIZE; i++) {
			uint32_t kind = map->kinds[which][hostage][row][i];
			int here = row == own_row && i == own_column && hostage == own->hostage;
			fprintf(page, "<td class=\"text%s\">%s</td>", here ? " own" : "",
			        kind ? weir_kind_name(table->primitive, kind) : "none");
		}
		fputs("</tr>\n", page);
	}
	fputs("</tbody>\n</table>\n", page);
}

void weir_report_map_write(FILE *page, const weir_report_map *map, const weir_probe *base)
{
	weir_class own;

	weir_classify(base, &own);
	fprintf(page,
	        "<h2 id=\"map\">Machines around it</h2>\n<p>Simulated, not measured: which kind "
	        "is the fastest at %u blocks on machines with this one&#8217;s noncontentious "
	        "times and other ratios. Down: what contentious atomics cost next to volatile "
	        "reads. Across: what contention costs volatile accesses. The coloured place is "
	        "the nearest to this machine (%.3g&#215; and %.3g&#215;).</p>\n",
	        base->blocks, own.atomic_to_volatile, own.contention);
	for (size_t i = 0; i < WEIR_SIM_MAP_TABLES; i++)
		for (int hostage = 0; hostage < 2; hostage++)
			write_table(page, map, i, hostage, &own);
}
