/* The paper's three tables of a probe. */
#include "output/probe_tables.h"

#include <math.h>

#include <stdio.h>

#include "output/figure.h"
#include "output/table.h"
#include "weir/profile.h"

const char *const weir_access_titles[WEIR_ACCESS_COUNT / 2] = {
    "Contentious volatile",
    "Noncontentious volatile",
    "Contentious atomic",
    "Noncontentious atomic",
    "Contentious volatile preceded by atomic",
    "Noncontentious volatile preceded by atomic",
};

/* "-" if it was not measured. */
static void ratio_cells(weir_table *table, const weir_probe *probe, int above, int below)
{
	for (int way = 0; way < 2; way++) {
		double divisor = probe->ms[2 * below + way];
		double value = probe->ms[2 * above + way];
		weir_table_figure(table, "%.2fx", divisor > 0 && value > 0 ? value / divisor : NAN);
	}
}

static void print_times(FILE *stream, const weir_probe *probe)
{
	static const char *const columns[] = {"<", "reads (ms)", "writes (ms)", NULL};
	weir_table *table = weir_table_make(columns);

	for (int row = 0; row < WEIR_ACCESS_COUNT / 2; row++) {
		weir_table_cell(table, "%s", weir_access_titles[row]);
		for (int way = 0; way < 2; way++) {
			double ms = probe->ms[2 * row + way];
			weir_table_figure(table, "%.4f", ms > 0 ? ms : NAN);
		}
	}
	weir_table_end(table, stream);
}

static void print_contention(FILE *stream, const weir_probe *probe)
{
	static const char *const columns[] = {"<", "reads", "writes", NULL};
	static const char *const rows[] = {"Volatiles", "Atomics", "Volatiles preceded by atomic"};
	weir_table *table = weir_table_make(columns);

	for (int kind = 0; kind < 3; kind++) {
		weir_table_cell(table, "%s", rows[kind]);
		ratio_cells(table, probe, 2 * kind, 2 * kind + 1);
	}
	weir_table_end(table, stream);
}

static void print_to_volatile(FILE *stream, const weir_probe *probe)
{
	static const char *const columns[] = {"<", "reads", "writes", NULL};
	weir_table *table = weir_table_make(columns);

	for (int row = 2; row < WEIR_ACCESS_COUNT / 2; row++) {
		weir_table_cell(table, "%s", weir_access_titles[row]);
		ratio_cells(table, probe, row, row % 2);
	}
	weir_table_end(table, stream);
}

void weir_print_probe(FILE *stream, const weir_probe *probe)
{
	if (!stream)
		return;
	fprintf(stream, "Times for %s by each of %s\n",
	        weir_count_figure(probe->accesses, "access").text,
	        weir_count_figure(probe->blocks, "block").text);
	print_times(stream, probe);
	fprintf(stream, "\nContentious to noncontentious accesses\n");
	print_contention(stream, probe);
	fprintf(stream, "\nTo volatile accesses\n");
	print_to_volatile(stream, probe);
}
