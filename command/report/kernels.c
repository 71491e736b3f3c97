/* The section about real kernels. */
#include "report/page.h"

#include <string.h>

#include "cli/complain.h"
#include "figures/html.h"
#include "output/figure.h"

/* ---- reading ---- */

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	return text ? text : "";
}

static json_int_t count_of(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

static double figure_of(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

static int has_case(const json_t *c)
{
	return *text_of(c, "kernel") && *text_of(c, "size") && count_of(c, "threads") > 0 &&
	       *text_of(c, "blocks_are") && json_is_array(json_object_get(c, "forms"));
}

static int is_right(const json_t *kernels)
{
	const json_t *cases = json_object_get(kernels, "cases");
	size_t i;
	json_t *c;

	if (strcmp(text_of(kernels, "command"), "bench kernels") != 0 ||
	    count_of(kernels, "version") != 1 || json_array_size(cases) == 0 ||
	    !json_is_array(json_object_get(kernels, "summary")))
		return 0;
	json_array_foreach(cases, i, c)
	{
		if (!has_case(c))
			return 0;
	}
	return 1;
}

int weir_report_kernels_read(const char *path, json_t **kernels)
{
	json_error_t error;

	*kernels = json_load_file(path, 0, &error);
	if (!*kernels)
		return weir_refuse("--kernels: %s: %s", path, error.text);
	if (is_right(*kernels))
		return 0;
	json_decref(*kernels);
	*kernels = NULL;
	return weir_refuse("--kernels: %s is not what weir bench kernels --json writes", path);
}

/* ---- the ratios ---- */

/* Whether two cases belong in the same column, or in the same row. */
static int same_grid(const json_t *a, const json_t *b)
{
	const char *are = text_of(a, "blocks_are");

	return count_of(a, "threads") == count_of(b, "threads") &&
	       strcmp(are, text_of(b, "blocks_are")) == 0 &&
	       (strcmp(are, "given") != 0 || count_of(a, "blocks") == count_of(b, "blocks"));
}

static int same_size(const json_t *a, const json_t *b)
{
	return strcmp(text_of(a, "kernel"), text_of(b, "kernel")) == 0 &&
	       strcmp(text_of(a, "size"), text_of(b, "size")) == 0;
}

/* Whether no earlier case belongs to the same one. */
static int is_first(const json_t *cases, size_t index, int (*same)(const json_t *, const json_t *))
{
	for (size_t i = 0; i < index; i++)
		if (same(json_array_get(cases, i), json_array_get(cases, index)))
			return 0;
	return 1;
}

static const json_t *form_of(const json_t *c, const char *name)
{
	size_t i;
	json_t *form;

	json_array_foreach(json_object_get(c, "forms"), i, form)
	{
		if (strcmp(text_of(form, "form"), name) == 0)
			return form;
	}
	return NULL;
}

static void put_grid(FILE *page, const json_t *c)
{
	const char *are = text_of(c, "blocks_are");

	fputs("<th>", page);
	if (strcmp(are, "one") == 0)
		fputs("one a unit", page);
	else if (strcmp(are, "all") == 0)
		fputs("all", page);
	else
		fprintf(page, "%lld", (long long)count_of(c, "blocks"));
	fprintf(page, "<br/>of %lld</th>", (long long)count_of(c, "threads"));
}

/* Whether a case of the same size has the form. */
static int has_form(const json_t *cases, const json_t *row, const char *name)
{
	size_t i;
	json_t *c;

	json_array_foreach(cases, i, c)
	{
		if (same_size(c, row) && form_of(c, name))
			return 1;
	}
	return 0;
}

static void put_ratio(FILE *page, const json_t *cases, const json_t *row, const json_t *column,
                      const char *name)
{
	size_t i;
	json_t *c;

	json_array_foreach(cases, i, c)
	{
		const json_t *form = form_of(c, name);
		if (!same_size(c, row) || !same_grid(c, column) || !form)
			continue;
		if (*text_of(form, "wrong"))
			fputs("<td>wrong</td>", page);
		else if (json_is_number(json_object_get(form, "ratio")))
			fprintf(page, "<td>%.3f</td>", figure_of(form, "ratio"));
		else
			break;
		return;
	}
	fputs("<td>&#8211;</td>", page);
}

static void write_row(FILE *page, const json_t *cases, size_t index, const char *form)
{
	const json_t *row = json_array_get(cases, index);

	weir_html_text(page, "<tr><td class=\"text\">", text_of(row, "kernel"),
	               "</td><td class=\"text\">");
	weir_html_put(page, text_of(row, "size"));
	fprintf(page, "</td><td class=\"text\">%s</td>", form);
	for (size_t i = 0; i < json_array_size(cases); i++)
		if (is_first(cases, i, same_grid))
			put_ratio(page, cases, row, json_array_get(cases, i), form);
	fputs("</tr>\n", page);
}

static void write_ratios(FILE *page, const json_t *cases)
{
	static const char *const columns[] = {"<kernel", "<size", "<form", NULL};
	static const char *const forms[] = {"default", "events", "tasks", "tasks-local", "queue"};

	weir_html_table(page, "kernels_ratios");
	weir_html_heads(page, columns);
	for (size_t i = 0; i < json_array_size(cases); i++)
		if (is_first(cases, i, same_grid))
			put_grid(page, json_array_get(cases, i));
	weir_html_rows(page);
	for (size_t i = 0; i < json_array_size(cases); i++) {
		if (!is_first(cases, i, same_size))
			continue;
		for (size_t j = 0; j < sizeof forms / sizeof forms[0]; j++)
			if (j == 0 || has_form(cases, json_array_get(cases, i), forms[j]))
				write_row(page, cases, i, forms[j]);
	}
	weir_html_table_end(page);
}

/* ---- comparison of forms ---- */

static void put_worse(FILE *page, const json_t *total, const char *name)
{
	const json_t *excess = json_object_get(total, name);

	if (count_of(excess, "cases"))
		fprintf(page, "<td>%lld of %lld</td>", (long long)count_of(excess, "worse"),
		        (long long)count_of(excess, "cases"));
	else
		fputs("<td>&#8211;</td>", page);
}

static void write_totals(FILE *page, const json_t *totals)
{
	static const char *const columns[] = {"<form",
	                                      "<against",
	                                      "cases",
	                                      "geometric mean",
	                                      "least",
	                                      "below 0.99",
	                                      "beyond the spread",
	                                      "more registers",
	                                      "fewer blocks at once",
	                                      "more code",
	                                      NULL};
	size_t i;
	json_t *total;

	weir_html_table(page, "kernels_forms");
	weir_html_heads(page, columns);
	weir_html_rows(page);
	json_array_foreach(totals, i, total)
	{
		fputs("<tr>", page);
		weir_html_cell(page, text_of(total, "form"));
		weir_html_cell(page, text_of(total, "against"));
		fprintf(page, "<td>%lld</td><td>%.3f</td><td>%.3f</td><td>%lld</td><td>%lld</td>",
		        (long long)count_of(total, "cases"), figure_of(total, "mean_ratio"),
		        figure_of(total, "least_ratio"), (long long)count_of(total, "below_0.99"),
		        (long long)count_of(total, "below_0.99_beyond_spread"));
		put_worse(page, total, "registers");
		put_worse(page, total, "resident_blocks");
		put_worse(page, total, "code_bytes");
		fputs("</tr>\n", page);
	}
	weir_html_table_end(page);
}

void weir_report_kernels_write(FILE *page, const json_t *kernels)
{
	fputs("<h2 id=\"kernels\">In real kernels</h2>\n<p>The time of a kernel with the toolkit's "
	      "barrier or lock (<code>grid.sync()</code>, semaphores of libcu++), divided by its "
	      "time with weir's default, or with events, tasks or a queue instead of meetings: "
	      "above 1 "
	      "weir's is "
	      "faster. Without the toolkit's "
	      "forms the kind fixed by the build is used instead. Columns are blocks, one per "
	      "multiprocessor or all that run at once, and their threads.</p>\n",
	      page);
	write_ratios(page, json_object_get(kernels, "cases"));
	write_totals(page, json_object_get(kernels, "summary"));
	weir_html_text(page, "<p class=\"note\">Measured on ",
	               text_of(json_object_get(kernels, "device"), "description"), " with <code>");
	weir_html_text(page, "", text_of(kernels, "command_line"), "</code>, commit ");
	weir_html_put(page, text_of(kernels, "commit"));
	fprintf(page, ". Medians of %s.%s</p>\n",
	        weir_count_figure((long long)count_of(kernels, "repeats"), "repeat").text,
	        json_is_true(json_object_get(kernels, "complete"))
	            ? ""
	            : " The measurement was not finished.");
}
