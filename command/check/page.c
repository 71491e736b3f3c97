/* weir check --html: for each finding the source beside a timeline of the blocks. */
#include <stdlib.h>
#include <string.h>

#include "check/show.h"
#include "check/source.h"
#include "cli/complain.h"
#include "figures/html.h"
#include "output/figure.h"
#include "output/file.h"
#include "weir/weir.h"

#define FILES 8   /* of a finding */
#define WHOLE 160 /* lines of a file that is shown completely */
#define AROUND 12 /* lines around one that counts */
#define FEW 3     /* blocks with a column each */

static const char style[] =
    "body { display: block; max-width: 100rem; }\n"
    "nav ul { position: static; border: 0; padding: 0; display: flex; flex-wrap: wrap; "
    "column-gap: 1rem; }\n"
    "nav li { padding: 0.25rem 0; }\n"
    "nav a { text-decoration: underline; }\n"
    ":root { --later: #c25100; }\n"
    "@media (prefers-color-scheme: dark) { :root { --later: #f08a4b; } }\n"
    ".both { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.2rem; "
    "align-items: start; margin: 1rem 0; }\n"
    ".source { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; z-index: 1; "
    "background: var(--paper); border: 1px solid var(--line); }\n"
    ".source h3 { position: sticky; top: 0; margin: 0; padding: 0.2rem 0.6rem; font-size: 0.92rem; "
    "background: var(--head); overflow-wrap: anywhere; z-index: 1; }\n"
    ".line { display: grid; grid-template-columns: 2.6rem minmax(0, 1fr); "
    "font: 0.85rem/1.45 monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; "
    "border-left: 5px solid transparent; }\n"
    ".line i { font-style: normal; color: var(--soft); text-align: right; padding-right: 0.6rem; "
    "user-select: none; }\n"
    ".line small { display: block; font: 0.8rem/1.4 sans-serif; color: var(--soft); }\n"
    ".gap { padding: 0.1rem 0.6rem; color: var(--soft); font-size: 0.85rem; "
    "background: var(--head); }\n"
    ".line.release, .line.acquire { border-left: 5px double var(--strong); }\n"
    ".line.earlier { border-left: 5px solid var(--edge); background: var(--own); }\n"
    ".line.later, .line.waits { border-left: 5px solid var(--later); "
    "background: var(--warning); }\n"
    ".line.now { outline: 2px solid var(--ink); outline-offset: -2px; }\n"
    ".heads { display: none; }\n"
    ".steps { list-style: none; margin: 0; padding: 0; }\n"
    ".step { position: relative; padding: 0.3rem 0.5rem 0.3rem calc(var(--lanes) * 1rem + 0.6rem); "
    "cursor: pointer; font-size: 0.92rem; line-height: 1.35; scroll-margin: 1rem; "
    "overflow-wrap: anywhere; background: repeating-linear-gradient(to right, transparent 0 "
    "calc(0.5rem - 1px), var(--strong) calc(0.5rem - 1px) calc(0.5rem + 1px), transparent "
    "calc(0.5rem + 1px) 1rem) 0 0 / calc(var(--lanes) * 1rem) 100% no-repeat; }\n"
    ".step::before { content: ''; position: absolute; top: 0.5rem; width: 0.7rem; height: 0.7rem; "
    "left: calc(var(--lane) * 1rem + 0.15rem); border-radius: 50%; background: var(--paper); "
    "border: 2px solid var(--strong); }\n"
    ".step.earlier::before { background: var(--edge); border-color: var(--edge); }\n"
    ".step.later::before, .step.waits::before { background: var(--later); "
    "border-color: var(--later); }\n"
    ".step.release::before, .step.acquire::before { background: var(--strong); }\n"
    ".step small { color: var(--soft); }\n"
    ".step[aria-selected=\"true\"] { background-color: var(--head); outline: 2px solid var(--ink); "
    "outline-offset: -2px; }\n"
    ".step:focus-visible { outline: 3px solid var(--edge); outline-offset: -3px; }\n"
    "@media (min-width: 60rem) {\n"
    ".few .heads { display: grid; grid-template-columns: repeat(var(--lanes), minmax(0, 1fr)); "
    "position: sticky; top: 0; background: var(--paper); z-index: 1; font-weight: 600; "
    "border-bottom: 1px solid var(--line); }\n"
    ".few .heads span { padding: 0.2rem 0.6rem; }\n"
    ".few .steps { background: repeating-linear-gradient(to right, transparent 0 0.5rem, "
    "var(--line) 0.5rem calc(0.5rem + 1px), transparent calc(0.5rem + 1px) "
    "calc(100% / var(--lanes))); }\n"
    ".few .step { width: calc(100% / var(--lanes)); padding-left: 1.3rem; "
    "margin-left: calc(100% / var(--lanes) * var(--lane)); background-image: none; "
    "scroll-margin-top: 3rem; }\n"
    ".few .step::before { left: 0.15rem; }\n"
    ".few .step .block { display: none; }\n"
    "}\n"
    "@media (max-width: 60rem) {\n"
    ".both { grid-template-columns: minmax(0, 1fr); }\n"
    ".both .source { max-height: 42vh; }\n"
    ".step { scroll-margin-top: 44vh; }\n"
    "}\n"
    "@media print { .source { position: static; max-height: none; } }\n";

/* The selected step marks its line. XML: no less-than sign and no ampersand. */
static const char script[] =
    "<script>\n"
    "for (const both of document.querySelectorAll('.both')) {\n"
    "	const source = both.querySelector('.source');\n"
    "	const steps = [...both.querySelectorAll('.step')];\n"
    "	const select = (step, moves) => {\n"
    "		for (const other of steps) {\n"
    "			other.setAttribute('aria-selected', other === step);\n"
    "			other.tabIndex = other === step ? 0 : -1;\n"
    "		}\n"
    "		for (const line of both.querySelectorAll('.now'))\n"
    "			line.classList.remove('now');\n"
    "		const line = document.getElementById(step.dataset.line);\n"
    "		if (line) {\n"
    "			line.classList.add('now');\n"
    "			source.scrollTop = line.offsetTop - (source.clientHeight - "
    "line.offsetHeight) / "
    "2;\n"
    "		}\n"
    "		if (moves)\n"
    "			step.focus();\n"
    "	};\n"
    "	const to = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -steps.length, "
    "End: steps.length};\n"
    "	steps.forEach((step, at) => {\n"
    "		step.addEventListener('click', () => select(step, true));\n"
    "		step.addEventListener('keydown', event => {\n"
    "			if (!(event.key in to))\n"
    "				return;\n"
    "			event.preventDefault();\n"
    "			select(steps[Math.max(0, Math.min(steps.length - 1, at + to[event.key]))], "
    "true);\n"
    "		});\n"
    "	});\n"
    "	const first = both.querySelector('.step.later') || steps[steps.length - 1];\n"
    "	if (first)\n"
    "		select(first, false);\n"
    "}\n"
    "</script>\n";

/* ---- the lines that count ---- */

typedef struct note {
	const char *file; /* NULL: the PTX */
	uint32_t line;
	const char *role; /* the class of the line; "": a step alone */
	const weir_check_place *place;
	const char *says; /* NULL: what the place does */
} note;

typedef struct view {
	const weir_check_plan *plan;
	const weir_check_finding *finding;
	unsigned number; /* of the finding on the page, from 1 on */
	note *notes;
	unsigned note_count;
	const char *files[FILES];
	unsigned file_count;
	uint32_t lanes[16];
	unsigned lane_count;
} view;

static int is_same_file(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static uint32_t line_of(const weir_ptx_site *site)
{
	return site->file ? site->source_line : site->line;
}

/* The number of a file in the view, which gets it; FILES if there is no more room. */
static unsigned file_of(view *v, const char *file)
{
	unsigned i = 0;

	while (i < v->file_count && !is_same_file(v->files[i], file))
		i++;
	if (i == v->file_count && i < FILES)
		v->files[v->file_count++] = file;
	return i;
}

static void add_note(view *v, const weir_ptx_site *site, const char *role,
                     const weir_check_place *place, const char *says)
{
	if (!line_of(site) || file_of(v, site->file) == FILES)
		return;
	v->notes[v->note_count++] = (note){site->file, line_of(site), role, place, says};
}

static void add_notes(view *v)
{
	const weir_check_finding *f = v->finding;
	int is_race = f->kind == WEIR_CHECK_RACE;

	v->notes = weir_need(calloc(f->step_count + 4, sizeof *v->notes));
	for (unsigned k = 0; k < f->accesses; k++)
		add_note(v, &f->access[k].site, is_race && k == 0 ? "earlier" : "later",
		         &f->access[k], NULL);
	if (f->release.does)
		add_note(v, &f->release.site, "release", &f->release, "the release");
	if (f->acquire.does)
		add_note(v, &f->acquire.site, "acquire", &f->acquire, "the acquire");
	for (unsigned i = 0; i < f->step_count; i++)
		add_note(v, &f->steps[i].site, "", NULL, NULL);
}

static void add_lanes(view *v)
{
	for (unsigned i = 0; i < v->finding->step_count; i++) {
		uint32_t block = v->finding->steps[i].block;
		unsigned at = v->lane_count;
		while (at > 0 && v->lanes[at - 1] > block)
			at--;
		if ((at > 0 && v->lanes[at - 1] == block) || v->lane_count == 16)
			continue;
		for (unsigned k = v->lane_count; k > at; k--)
			v->lanes[k] = v->lanes[k - 1];
		v->lanes[at] = block;
		v->lane_count++;
	}
}

static unsigned lane_of(const view *v, uint32_t block)
{
	unsigned i = 0;

	while (i + 1 < v->lane_count && v->lanes[i] != block)
		i++;
	return i;
}

/* ---- the source ---- */

static int is_near(const view *v, unsigned file, uint32_t line, uint32_t around)
{
	for (unsigned i = 0; i < v->note_count; i++)
		if (is_same_file(v->notes[i].file, v->files[file]) &&
		    v->notes[i].line <= line + around && line <= v->notes[i].line + around)
			return 1;
	return 0;
}

static void put_tag(FILE *page, const note *n)
{
	fputs("<small>", page);
	if (n->place && n->says)
		fprintf(page, "%s, by block %u thread %u", n->says, n->place->block,
		        n->place->thread);
	else if (n->place)
		fprintf(page, "block %u thread %u %s", n->place->block, n->place->thread,
		        strcmp(n->place->does, "is at") == 0 ? "stops" : n->place->does);
	fputs("</small>", page);
}

static void put_line(FILE *page, const view *v, unsigned file, const weir_check_source *s,
                     uint32_t line)
{
	const char *role = "", *text;
	char *copy;
	int length;

	for (unsigned i = v->note_count; i-- > 0;)
		if (v->notes[i].line == line && is_same_file(v->notes[i].file, v->files[file]) &&
		    *v->notes[i].role)
			role = v->notes[i].role;
	fprintf(page, "<div class=\"line %s\" id=\"f%u-%u-%u\"><i>%u</i><span>", role, v->number,
	        file, line, line);
	text = weir_check_source_line(s, line, &length);
	copy = weir_need(strndup(text, (size_t)length));
	/* A tab stays one. */
	for (char *part = copy, *tab; part; part = tab) {
		tab = strchr(part, '\t');
		if (tab)
			*tab++ = '\0';
		weir_html_put(page, part);
		if (tab)
			fputc('\t', page);
	}
	free(copy);
	for (unsigned i = 0; i < v->note_count; i++)
		if (v->notes[i].line == line && is_same_file(v->notes[i].file, v->files[file]) &&
		    *v->notes[i].role)
			put_tag(page, &v->notes[i]);
	fputs("</span></div>\n", page);
}

static uint32_t last_line(const view *v, unsigned file, const weir_check_source *s)
{
	uint32_t last = s->count;

	for (unsigned i = 0; i < v->note_count; i++)
		if (is_same_file(v->notes[i].file, v->files[file]) && v->notes[i].line > last)
			last = v->notes[i].line;
	return last;
}

static void put_gap(FILE *page, uint32_t first, uint32_t last)
{
	if (first == last)
		fprintf(page, "<div class=\"gap\">line %u is left out</div>\n", first);
	else if (first < last)
		fprintf(page, "<div class=\"gap\">lines %u to %u are left out</div>\n", first,
		        last);
}

static void put_file(FILE *page, const view *v, unsigned file)
{
	weir_check_source s;
	uint32_t around, last, gap = 1;

	weir_check_source_open(v->plan, v->files[file], &s);
	last = last_line(v, file, &s);
	around = !s.text ? 0 : s.count <= WHOLE ? s.count : AROUND;
	weir_html_text(page, "<h3>", v->files[file] ? v->files[file] : v->plan->file, "</h3>\n");
	if (!s.text)
		fputs("<div class=\"gap\">This file is not here: weir check --source FOLDER says "
		      "where it is.</div>\n",
		      page);
	for (uint32_t line = 1; line <= last; line++) {
		if (!is_near(v, file, line, around))
			continue;
		if (s.text)
			put_gap(page, gap, line - 1);
		gap = line + 1;
		put_line(page, v, file, &s, line);
	}
	if (s.text)
		put_gap(page, gap, last);
	weir_check_source_close(&s);
}

/* ---- the timeline ---- */

static void put_place(FILE *page, const weir_ptx_site *site)
{
	const char *slash = site->file ? strrchr(site->file, '/') : NULL;

	if (site->file)
		weir_html_put(page, slash ? slash + 1 : site->file);
	else
		fputs("PTX line ", page);
	fprintf(page, "%s%u", site->file ? ":" : "", line_of(site));
}

static void put_step(FILE *page, view *v, unsigned i)
{
	const weir_check_step *s = &v->finding->steps[i];

	fprintf(page,
	        "<li class=\"step %s\" role=\"option\" aria-selected=\"false\" tabindex=\"0\" "
	        "id=\"f%u-step%u\" data-line=\"f%u-%u-%u\" style=\"--lane: %u\">"
	        "<small>%u.</small> <span class=\"block\">block %u, </span>",
	        s->role, v->number, i + 1, v->number, file_of(v, s->site.file), line_of(&s->site),
	        lane_of(v, s->block), i + 1, s->block);
	if (s->threads > 1)
		fprintf(page, "%s ", weir_count_figure(s->threads, "thread").text);
	else
		fprintf(page, "thread %u ", s->thread);
	weir_html_put(page, s->text);
	fputs(" <small>", page);
	put_place(page, &s->site);
	fputs("</small></li>\n", page);
}

static void put_timeline(FILE *page, view *v)
{
	fprintf(page, "<div class=\"time%s\" style=\"--lanes: %u\">\n<div class=\"heads\">",
	        v->lane_count <= FEW ? " few" : "", v->lane_count ? v->lane_count : 1);
	for (unsigned i = 0; i < v->lane_count; i++)
		fprintf(page, "<span>block %u</span>", v->lanes[i]);
	fputs("</div>\n<ol class=\"steps\" role=\"listbox\" aria-label=\"The last steps, in the "
	      "order of "
	      "the execution\">\n",
	      page);
	for (unsigned i = 0; i < v->finding->step_count; i++)
		put_step(page, v, i);
	fputs("</ol>\n</div>\n", page);
}

/* ---- the page ---- */

/* A sentence, and behind a hang's a line for each group of threads that waits. */
static void put_what(FILE *page, const weir_check_finding *f)
{
	char *text = weir_need(strdup(f->what)), *rest = text;
	const char *line = strsep(&rest, "\n");

	weir_html_text(page, "<p>", strncmp(line, "hang: ", 6) == 0 ? line + 6 : line, ".</p>\n");
	if (rest) {
		fputs("<ul>\n", page);
		while ((line = strsep(&rest, "\n")) != NULL)
			weir_html_text(page, "<li>", line, "</li>\n");
		fputs("</ul>\n", page);
	}
	free(text);
}

static void put_finding(FILE *page, const weir_check_report *report, unsigned number,
                        const weir_check_finding *f)
{
	view v = {.plan = report->plan, .finding = f, .number = number};
	const char *silenced = weir_check_silenced(report->plan, f);
	char id[32], title[160];

	snprintf(id, sizeof id, "finding%u", number);
	snprintf(title, sizeof title, "%s: %s", weir_check_kind_name(f->kind), f->cause);
	weir_html_heading(page, id, title, silenced ? "silenced" : NULL);
	put_what(page, f);
	if (*f->why)
		weir_html_text(page, "<p>", f->why, "</p>\n");
	if (*f->fix)
		weir_html_text(page, "<p class=\"warning\">Fix: ", f->fix, "</p>\n");
	if (silenced)
		weir_html_text(page, "<p class=\"note\">Silenced: ", silenced, "</p>\n");
	fprintf(page, "<p class=\"note\">Seed %llu, launch %u", (unsigned long long)f->seed,
	        f->launch);
	if (f->count > 1)
		fprintf(page, "; found %llu times", (unsigned long long)f->count);
	fprintf(page, ". <code>weir explain %s</code> shows a wrong and a right kernel.</p>\n",
	        f->cause);
	add_notes(&v);
	add_lanes(&v);
	if (v.note_count) {
		fputs("<div class=\"both\">\n<div class=\"source scroll\" tabindex=\"0\" "
		      "role=\"region\" aria-label=\"source\">\n",
		      page);
		for (unsigned i = 0; i < v.file_count; i++)
			put_file(page, &v, i);
		fputs("</div>\n", page);
		put_timeline(page, &v);
		fputs("</div>\n", page);
	}
	free(v.notes);
}

static void put_launch(FILE *page, const weir_check_plan *plan)
{
	const uint32_t *grid = plan->grid, *block = plan->block;

	weir_html_text(page, "<p>", plan->file, ", ");
	fprintf(page, "grid %u,%u,%u, block %u,%u,%u", grid[0], grid[1], grid[2], block[0],
	        block[1], block[2]);
	if (plan->launches > 1)
		fprintf(page, ", %u launches", plan->launches);
	fputs(".</p>\n<p>", page);
}

/* The name of a kernel as the source has it: "wrong" for "_Z5wrongPj". */
static void put_kernel(FILE *page, const char *symbol)
{
	char *name = NULL;
	unsigned long length = strncmp(symbol, "_Z", 2) == 0 ? strtoul(symbol + 2, &name, 10) : 0;

	if (length && length <= strlen(name))
		name = weir_need(strndup(name, length));
	else
		name = weir_need(strdup(symbol));
	weir_html_put(page, name);
	free(name);
}

static void write_page(FILE *page, const weir_check_report *report, const char *sections)
{
	int status;

	weir_html_begin(page);
	fputs("weir check ", page);
	put_kernel(page, report->plan->kernel);
	weir_html_body(page, style);
	put_kernel(page, report->plan->kernel);
	fprintf(page, ": %s</h1>\n", weir_check_verdict(report, &status));
	put_launch(page, report->plan);
	weir_check_show_counts(report, page);
	fprintf(page,
	        "</p>\n<p class=\"note\">By weir %s. Select a step with the arrow keys or by a "
	        "click: its line is marked in the source.</p>\n",
	        weir_version());
	weir_html_end(page, sections);
}

/* The script goes behind the sections: it looks for their steps. */
int weir_check_write_page(const weir_check_report *report, const char *path)
{
	char *sections = NULL, *text = NULL;
	size_t bytes = 0;
	FILE *to;
	int status;

	if (!path)
		return 0;
	to = weir_need(open_memstream(&sections, &bytes));
	for (size_t i = 0; i < weir_check_count(report->check); i++)
		put_finding(to, report, (unsigned)i + 1, weir_check_at(report->check, i));
	fputs(script, to);
	if (fclose(to) != 0)
		weir_need(NULL);
	to = weir_need(open_memstream(&text, &bytes));
	write_page(to, report, sections);
	if (fclose(to) != 0)
		weir_need(NULL);
	status = weir_write_file(path, text, bytes);
	free(sections);
	free(text);
	return status;
}
