#include "report/page.h"

#include <ctype.h>
#include <math.h>

#include "figures/html.h"
#include "figures/make_map.h"
#include "figures/plot.h"
#include "output/figure.h"
#include "weir/kind.h"

/* The grid point nearest to the machine itself, by ratio. */
static int nearest(const double *grid, double value)
{
	int best = 0;

	for (int i = 1; i < WEIR_SIM_MAP_SIZE; i++)
		if (fabs(log(grid[i] / value)) < fabs(log(grid[best] / value)))
			best = i;
	return best;
}

/* Kinds have the colours of their plots, lightened to keep text readable. */
static void put_kind(FILE *page, enum weir_primitive primitive, uint32_t kind, int here, int width)
{
	fprintf(page, "<td class=\"text%s\"", here ? " here" : "");
	if (width > 1)
		fprintf(page, " colspan=\"%d\"", width);
	if (kind)
		fprintf(page, " style=\"background: %s33\"", weir_plot_colour(kind));
	fprintf(page, ">%s</td>", weir_map_kind(primitive, kind));
}

static void write_table(FILE *page, const weir_sim_map *map, int which, int hostage,
                        const weir_class *own)
{
	enum weir_primitive primitive = map->tables[which].primitive;
	int own_row = nearest(weir_sim_map_atomic, own->atomic_to_volatile);
	int own_column = nearest(weir_sim_map_contention, own->contention);

	fprintf(page,
	        "<div class=\"scroll\">\n<table>\n<caption>lines %sheld by "
	        "atomics</caption>\n<thead>\n<tr>"
	        "<th class=\"text\" rowspan=\"2\">atomic to<br/>volatile</th>"
	        "<th class=\"group\" colspan=\"%d\">contention</th></tr>\n<tr>",
	        hostage ? "" : "not ", WEIR_SIM_MAP_SIZE);
	for (int i = 0; i < WEIR_SIM_MAP_SIZE; i++)
		fprintf(page, "<th class=\"text\">%g&#215;</th>", weir_sim_map_contention[i]);
	weir_html_rows(page);
	for (int row = 0; row < WEIR_SIM_MAP_SIZE; row++) {
		fprintf(page, "<tr><th class=\"text\">%g&#215;</th>", weir_sim_map_atomic[row]);
		for (int i = 0; i < WEIR_SIM_MAP_SIZE; i++)
			put_kind(page, primitive, map->tables[which].kinds[hostage][row][i],
			         row == own_row && i == own_column && hostage == own->hostage, 1);
		fputs("</tr>\n", page);
	}
	if (hostage == own->hostage) {
		fputs("<tr class=\"first\"><th class=\"text\">this machine</th>", page);
		put_kind(page, primitive, map->tables[which].own, 1, WEIR_SIM_MAP_SIZE);
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
}

static void write_size(FILE *page, const weir_sim_map *map, const weir_probe *base)
{
	if (map->base.blocks == base->blocks)
		fprintf(page, "with %s of %s", weir_count_figure(base->blocks, "block").text,
		        weir_count_figure(map->base.threads, "thread").text);
	else
		fprintf(page,
		        "with %s of %s in place of its %u of %u, and lines slower "
		        "by as much, so that the ratios are the same",
		        weir_count_figure(map->base.blocks, "block").text,
		        weir_count_figure(map->base.threads, "thread").text, base->blocks,
		        base->threads);
}

void weir_report_map_write(FILE *page, const weir_sim_map *map, const weir_probe *base, int is_gpu)
{
	weir_class own;

	weir_classify(base, &own);
	weir_html_heading(page, "map", "Machines around it", "simulated");
	fputs("<p>Simulated, not measured: which kind is "
	      "the fastest on machines with this one&#8217;s noncontentious times and other "
	      "ratios, ",
	      page);
	write_size(page, map, base);
	fprintf(page,
	        ". Down: what contentious atomics cost next to volatile reads. Across: what "
	        "contention costs volatile accesses. The framed place is the nearest to this "
	        "machine (%.3g&#215; and %.3g&#215;); the last row has its own figures, which "
	        "differ from that place in more than the two ratios.</p>\n",
	        own.atomic_to_volatile, own.contention);
	if (!is_gpu)
		fputs("<p class=\"note\">The simulator is made for GPUs: this shows what GPUs with "
		      "a CPU&#8217;s figures would favour.</p>\n",
		      page);
	for (int i = 0; i < WEIR_SIM_MAP_TABLES; i++) {
		char title[64];
		weir_sim_map_title(map, i, title, sizeof title);
		fprintf(page, "<h3>%c%s</h3>\n<div class=\"map\">\n",
		        toupper((unsigned char)title[0]), title + 1);
		for (int hostage = 0; hostage < 2; hostage++)
			write_table(page, map, i, hostage, &own);
		fputs("</div>\n", page);
	}
}
