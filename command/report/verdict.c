#include "report/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "figures/html.h"
#include "output/figure.h"
#include "output/table.h"
#include "weir/kind.h"

static const enum weir_primitive primitives[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
                                                 WEIR_PRIMITIVE_SEMAPHORE};

/* ---- the choices ---- */

/* A kind that is the default for some counts, in the comparison of these counts with the most
 * contention: the most blocks of a barrier, the fewest slots of a semaphore. */
typedef struct weir_choice {
	weir_span span;
	weir_comparison at;
	const weir_point *taken;   /* NULL: there is no figure for it, nor for the others below */
	const weir_point *next;    /* the fastest other kind */
	const weir_point *slowest; /* among the others */
	const weir_point *fair;    /* the kind that serves in the order of arrival; NULL: none */
} weir_choice;

#define WEIR_CHOICES 16

static const weir_point *find_slowest(const weir_profile *profile, const weir_comparison *at,
                                      const weir_point *but)
{
	const weir_point *slowest = NULL;
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point != but && weir_comparison_has(at, point) &&
		    (!slowest || weir_profile_rate(profile, at, point) <
		                     weir_profile_rate(profile, at, slowest)))
			slowest = point;
	}
	return slowest;
}

/* The fair alternative; for mutexes this is the kind that the library chooses when a fair one is
 * requested. */
static const weir_point *find_fair(const weir_profile *profile, const weir_comparison *at)
{
	weir_comparison fair = *at;
	uint32_t kind = 0;
	if (at->primitive == WEIR_PRIMITIVE_BARRIER)
		return NULL;
	if (at->primitive == WEIR_PRIMITIVE_MUTEX)
		kind = weir_profile_fair_kind(profile);
	fair.only_fair = 1;
	return kind ? weir_profile_point(profile, at, kind)
	            : weir_profile_fastest(profile, &fair, NULL);
}

static void judge(const weir_profile *profile, enum weir_primitive primitive, weir_choice *choice)
{
	weir_comparison at = {.primitive = primitive};
	uint32_t last = choice->span.to ? choice->span.to : UINT32_MAX;
	for (uint32_t count = choice->span.from - 1;
	     (count = weir_comparison_next(profile, &at, count)) != 0 && count <= last;) {
		const weir_point *taken = weir_profile_point(profile, &at, choice->span.kind);
		if (!taken || (choice->taken && primitive == WEIR_PRIMITIVE_SEMAPHORE))
			continue;
		choice->taken = taken;
		choice->at = at;
	}
	if (!choice->taken)
		return;
	choice->next = weir_profile_fastest(profile, &choice->at, choice->taken);
	choice->slowest = find_slowest(profile, &choice->at, choice->taken);
	choice->fair = find_fair(profile, &choice->at);
}

/* Ordered by count: one choice for each span of the primitive's rules. */
static size_t find_choices(const weir_profile *profile, enum weir_primitive primitive,
                           weir_choice choices[WEIR_CHOICES])
{
	size_t count = 0;
	weir_span span;
	for (uint32_t from = 1;
	     from && count < WEIR_CHOICES && weir_profile_span(profile, primitive, from, &span);
	     from = weir_span_next(&span)) {
		choices[count] = (weir_choice){.span = span};
		judge(profile, primitive, &choices[count++]);
	}
	return count;
}

/* ---- in words ---- */

static const char *name_of(const weir_point *point)
{
	return weir_kind_name(point->primitive, point->kind);
}

static double rate_of(const weir_profile *profile, const weir_choice *choice,
                      const weir_point *point)
{
	return weir_profile_rate(profile, &choice->at, point);
}

/* "2112 blocks of 128 threads, maximum 10". */
static void say_place(FILE *to, const weir_choice *choice)
{
	const weir_comparison *at = &choice->at;
	fprintf(to, "%s of %s", weir_count_figure(at->blocks, "block").text,
	        weir_count_figure(at->threads, "thread").text);
	if (at->initial)
		fprintf(to, ", maximum %u", at->initial);
}

static void say_times(FILE *to, double rate, double other_rate, const weir_point *other)
{
	double times = other_rate > 0 ? rate / other_rate : 0;
	if (times > 0)
		fprintf(to, times < 100 ? "%.3g times as fast as %s" : "%.0f times as fast as %s",
		        times, name_of(other));
	else
		fprintf(to, "%s completed nothing", name_of(other));
}

/* From this lead on it would be absurd to claim that no difference could be measured. */
#define UNCLEAR 1.0

/* The kind may be behind another one from which it cannot be distinguished, or which a rule of the
 * file rejects. */
static void say_lead(FILE *to, const weir_profile *profile, const weir_choice *choice)
{
	const weir_point *taken = choice->taken, *next = choice->next;
	if (!next)
		return;
	double rate = rate_of(profile, choice, taken), next_rate = rate_of(profile, choice, next);
	int behind = next_rate > rate;
	weir_lead lead =
	    weir_profile_lead(profile, &choice->at, behind ? next : taken, behind ? taken : next);
	const char *place = behind ? "the fastest" : "the next";
	if (lead.measured && behind) {
		fprintf(to, "; %s, the fastest, ", name_of(next));
		if (rate > 0) {
			fputs("is ", to);
			say_times(to, next_rate, rate, taken);
		} else {
			fprintf(to, "makes %s", weir_rate_figure(next_rate).text);
		}
	} else if (lead.measured) {
		fputs(", ", to);
		say_times(to, rate, next_rate, next);
		fprintf(to, ", %s", place);
	} else if (lead.by >= UNCLEAR) {
		if (behind)
			fprintf(to, ". Here %s, %s, was ", name_of(next), place);
		else
			fputs(". Here it was ", to);
		say_times(to, behind ? next_rate : rate, behind ? rate : next_rate,
		          behind ? taken : next);
		fprintf(to, "%s%s, in too few runs or with too wide a spread to tell",
		        behind ? "" : ", ", behind ? "" : place);
	} else {
		fprintf(to, ", no measurable difference from %s, %s", name_of(next), place);
		if (lead.by > WEIR_LEAST_LEAD && (taken->repeats < 3 || next->repeats < 3))
			fprintf(to, " (%s by %.0f%%, in too few runs to tell)",
			        behind ? "ahead" : "behind", lead.by * 100);
		else if (lead.by > WEIR_LEAST_LEAD)
			fprintf(to, " (%s by %.0f%%, and the spread is %.0f%%)",
			        behind ? "ahead" : "behind", lead.by * 100, lead.spread * 100);
	}
	/* The kind itself may be the slowest. */
	double slowest_rate = rate_of(profile, choice, choice->slowest);
	if (choice->slowest == next || slowest_rate >= rate)
		return;
	if (behind && lead.measured)
		fprintf(to, ", and %s ", name_of(taken));
	else if (behind && lead.by >= UNCLEAR)
		fprintf(to, "; %s was ", name_of(taken));
	else
		fputs(", and ", to);
	say_times(to, rate, slowest_rate, choice->slowest);
	fputs(", the slowest", to);
}

static void say_rate(FILE *to, const weir_profile *profile, const weir_choice *choice)
{
	fprintf(to, "%s a second", weir_rate_figure(rate_of(profile, choice, choice->taken)).text);
	if (choice->taken->timed_out)
		fputs(" (cut short by the time limit)", to);
	say_lead(to, profile, choice);
}

/* "counter with 2112 blocks of 128 threads: 632 k a second, 2.09 times as fast as atomic, the next." */
static void say_choice(FILE *to, const weir_profile *profile, const weir_library *library,
                       const weir_choice *choice, enum weir_primitive primitive)
{
	if (!choice->taken) {
		fprintf(to, "There are no benchmark figures that compare %s with others; %s.",
		        weir_kind_name(primitive, choice->span.kind), library->next);
		return;
	}
	fprintf(to, "%s with ", name_of(choice->taken));
	say_place(to, choice);
	fputs(": ", to);
	say_rate(to, profile, choice);
	fputs(".", to);
}

/* The kind that serves in the order of arrival, and its cost compared with the default. */
static void say_fair(FILE *to, const weir_profile *profile, const weir_choice *choice)
{
	if (choice->fair == choice->taken) {
		fprintf(to, "%s serves in the order of arrival.", name_of(choice->taken));
		return;
	}
	double rate = rate_of(profile, choice, choice->fair);
	double taken = rate_of(profile, choice, choice->taken);
	fprintf(to, "In the order of arrival: %s, %s a second", name_of(choice->fair),
	        weir_rate_figure(rate).text);
	if (rate < taken &&
	    weir_profile_lead(profile, &choice->at, choice->taken, choice->fair).measured)
		fprintf(to, ", %s", weir_cost_figure(rate, taken).text);
	else if (rate < taken)
		fputs("; what that costs could not be measured", to);
	fputs(".", to);
}

/* "WEIR_MUTEX_PACED"; for kind 0 the default. */
static void say_enumerator(FILE *to, enum weir_primitive primitive, uint32_t kind)
{
	fputs("WEIR_", to);
	for (const char *c = weir_primitive_name(primitive); *c; c++)
		fputc(toupper((unsigned char)*c), to);
	fputc('_', to);
	for (const char *c = kind ? weir_kind_name(primitive, kind) : "default"; *c; c++)
		fputc(toupper((unsigned char)*c), to);
}

/* "blocks <= 264 ? WEIR_BARRIER_CENTRAL : WEIR_BARRIER_COUNTER": the kinds of all spans. */
static void say_kinds(FILE *to, const weir_profile *profile, enum weir_primitive primitive)
{
	weir_span span;
	for (uint32_t from = 1; from && weir_profile_span(profile, primitive, from, &span);
	     from = weir_span_next(&span)) {
		if (span.to)
			fprintf(to, "%s <= %u ? ",
			        primitive == WEIR_PRIMITIVE_BARRIER ? "blocks" : "slots", span.to);
		say_enumerator(to, primitive, span.kind);
		if (span.to)
			fputs(" : ", to);
	}
}

/* The line of C that creates an object; if it uses the default, followed by the default's kinds. */
static void say_creation(FILE *to, const weir_profile *profile, enum weir_primitive primitive,
                         int by_default)
{
	const char *name = weir_primitive_name(primitive);
	fprintf(to, "weir_%s_create(device, %s", name,
	        primitive == WEIR_PRIMITIVE_BARRIER     ? "blocks, "
	        : primitive == WEIR_PRIMITIVE_SEMAPHORE ? "slots, slots, "
	                                                : "");
	if (by_default) {
		fputs("NULL", to);
	} else {
		fprintf(to, "&(weir_%s_options){.kind = ", name);
		say_kinds(to, profile, primitive);
		fputs("}", to);
	}
	fprintf(to, ", &%s);", name);
	if (!by_default)
		return;
	char *rules = weir_need(weir_profile_default_text(profile, primitive));
	fprintf(to, " /* %s */", rules);
	free(rules);
}

/* ---- what the library chooses ---- */

static int has_same_rules(const weir_profile *profile, const weir_library *library,
                          enum weir_primitive primitive)
{
	weir_span ours, theirs;
	if (!library->profile)
		return 0;
	for (uint32_t from = 1; from; from = weir_span_next(&ours)) {
		if (!weir_profile_span(profile, primitive, from, &ours) ||
		    !weir_profile_span(library->profile, primitive, from, &theirs) ||
		    ours.kind != theirs.kind || ours.to != theirs.to)
			return 0;
	}
	return 1;
}

/* A GPU's kernels contain some kinds only if their author names them. */
static int is_default(const weir_profile *profile, const weir_library *library,
                      enum weir_primitive primitive)
{
	weir_span span;

	for (uint32_t from = 1; from && weir_profile_span(profile, primitive, from, &span);
	     from = weir_span_next(&span))
		if (profile->device.is_gpu && weir_text_kind(primitive, span.kind) != span.kind)
			return 0;
	return has_same_rules(profile, library, primitive);
}

typedef int primitive_check(const weir_profile *profile, const weir_library *library,
                            enum weir_primitive primitive);

static int all_are(primitive_check *check, const weir_profile *profile, const weir_library *library)
{
	for (int i = 0; i < 3; i++)
		if (!check(profile, library, primitives[i]))
			return 0;
	return 1;
}

/* "other kinds of semaphore", of the primitives whose line of C names the kinds. */
static void say_others(FILE *to, const weir_profile *profile, const weir_library *library)
{
	const char *between = "";

	fprintf(to, "By default the library takes other kinds of ");
	for (int i = 0; i < 3; i++) {
		if (is_default(profile, library, primitives[i]))
			continue;
		fprintf(to, "%s%s", between, weir_primitive_name(primitives[i]));
		between = " and ";
	}
	fprintf(to, " here, from %s; the line of C above names these.", library->from);
}

static void say_defaults(FILE *to, const weir_profile *profile, const weir_library *library)
{
	if (profile->tuning_count > 0)
		fputs("These rates are with tuned settings; the plots show the untuned ones. ", to);
	if (!library->profile)
		fprintf(to,
		        "A prediction by simulation. The library's own rules for such a machine "
		        "are those of %s.",
		        library->from);
	else if (all_are(is_default, profile, library))
		fprintf(to, "The library takes these kinds by default here, from %s.",
		        library->from);
	else
		say_others(to, profile, library);
	char *faster = weir_need(weir_profile_faster_text(profile));
	for (const char *line = faster; *line; line += strcspn(line, "\n") + 1)
		fprintf(to, " %c%.*s.", toupper((unsigned char)*line), (int)strcspn(line, "\n") - 1,
		        line + 1);
	free(faster);
}

/* The command that is left to run, or NULL. On a CPU there is none: its figures differ from run to run. */
static const char *command_to_run(const weir_profile *profile, const weir_library *library)
{
	return library->profile && profile->device.is_gpu && *library->command &&
	               !all_are(has_same_rules, profile, library)
	           ? library->command
	           : NULL;
}

/* ---- the parts shared by page and text, each a sentence or a line of C ---- */

typedef void paragraph_writer(FILE *to, const char *element, const char *text);

/* Passes everything about a primitive to `write`: each kind's figures, the fair alternative, and
 * the line of C. */
static void say_all(FILE *to, const weir_profile *profile, const weir_library *library,
                    enum weir_primitive primitive, paragraph_writer *write)
{
	weir_choice choices[WEIR_CHOICES];
	size_t count = find_choices(profile, primitive, choices);
	char *text = NULL;
	size_t bytes;

	for (size_t i = 0; i < count + 2 && count > 0; i++) {
		const weir_choice *last = &choices[count - 1];
		FILE *said = weir_need(open_memstream(&text, &bytes));
		if (i < count)
			say_choice(said, profile, library, &choices[i], primitive);
		else if (i == count && last->fair)
			say_fair(said, profile, last);
		else if (i > count)
			say_creation(said, profile, primitive,
			             is_default(profile, library, primitive));
		if (fclose(said) != 0)
			weir_need(NULL);
		if (*text)
			write(to, i > count ? "code" : "p", text);
		free(text);
	}
}

static void say_title(FILE *to, const weir_profile *profile, enum weir_primitive primitive)
{
	const char *name = weir_primitive_name(primitive);
	char *rules = weir_need(weir_profile_default_text(profile, primitive));
	fprintf(to, "%c%s: %s", toupper((unsigned char)name[0]), name + 1,
	        *rules ? rules : "no rule");
	free(rules);
}

/* ---- the page ---- */

static void put_paragraph(FILE *page, const char *element, const char *text)
{
	int is_code = strcmp(element, "code") == 0;
	fputs(is_code ? "<pre><code>" : "<p>", page);
	weir_html_put(page, text);
	fputs(is_code ? "</code></pre>\n" : "</p>\n", page);
}

/* ---- the chart: a bar for each kind that matters, at each range ---- */

enum {
	BAR_ROW = 36, /* pixels: a line of text and the bar below it */
	BAR_TEXT = 14,
	BAR_TOP = 20,
	BAR_HEIGHT = 9
};

static void put_bar(FILE *page, int row, const weir_point *point, const char *role, double rate,
                    double most)
{
	double width = most > 0 ? 100 * rate / most : 0;
	int top = row * BAR_ROW;

	fprintf(page,
	        "<text x=\"0\" y=\"%d\">%s, %s</text><text x=\"100%%\" y=\"%d\" "
	        "text-anchor=\"end\">%s/s</text>\n",
	        top + BAR_TEXT, name_of(point), role, top + BAR_TEXT, weir_rate_figure(rate).text);
	fprintf(page,
	        "<rect class=\"rail\" x=\"0\" y=\"%d\" width=\"100%%\" height=\"%d\"/>"
	        "<rect class=\"%s\" x=\"0\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"/>\n",
	        top + BAR_TOP, BAR_HEIGHT, row == 0 ? "use" : "other", top + BAR_TOP,
	        width < 0.5 ? 0.5 : width, BAR_HEIGHT);
}

/* The kind to use, the fastest of the others, the fair one and the slowest, each once. */
static void put_bars(FILE *page, const weir_profile *profile, const weir_choice *choice)
{
	const weir_point *points[] = {choice->taken, choice->next, choice->fair, choice->slowest};
	int behind = choice->next && rate_of(profile, choice, choice->next) >
	                                 rate_of(profile, choice, choice->taken);
	const char *const roles[] = {"use this", behind ? "the fastest" : "the next",
	                             "in the order of arrival", "the slowest"};
	double most = rate_of(profile, choice, behind ? choice->next : choice->taken);
	int is_shown[4], rows = 0, row = 0;

	for (int i = 0; i < 4; i++) {
		is_shown[i] = points[i] != NULL;
		for (int k = 0; k < i; k++)
			is_shown[i] = is_shown[i] && points[i] != points[k];
		rows += is_shown[i];
	}
	fprintf(page,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bars%s\" width=\"100%%\" "
	        "height=\"%d\" role=\"img\">\n<title>Use %s, next to the others</title>\n",
	        choice->taken->simulated ? " simulated" : "", rows * BAR_ROW,
	        name_of(choice->taken));
	for (int i = 0; i < 4; i++)
		if (is_shown[i])
			put_bar(page, row++, points[i], roles[i],
			        rate_of(profile, choice, points[i]), most);
	fputs("</svg>\n", page);
}

/* "Up to 264 blocks: central", "From 265 blocks on: counter", "Any number of blocks". */
static void put_range(FILE *page, enum weir_primitive primitive, const weir_span *span)
{
	const char *what = primitive == WEIR_PRIMITIVE_SEMAPHORE ? "slots" : "blocks";

	fputs("<p class=\"range\">", page);
	if (span->from <= 1 && !span->to)
		fprintf(page, "Any number of %s", what);
	else if (span->from == span->to)
		fprintf(page, "%s: ",
		        weir_count_figure(span->to,
		                          primitive == WEIR_PRIMITIVE_SEMAPHORE ? "slot" : "block")
		            .text);
	else if (span->from <= 1)
		fprintf(page, "Up to %u %s: ", span->to, what);
	else if (!span->to)
		fprintf(page, "From %u %s on: ", span->from, what);
	else
		fprintf(page, "%u to %u %s: ", span->from, span->to, what);
	fprintf(page, "%s</p>\n",
	        span->from <= 1 && !span->to ? "" : weir_kind_name(primitive, span->kind));
}

void weir_report_chart_write(FILE *page, const weir_profile *profile, enum weir_primitive primitive)
{
	weir_choice choices[WEIR_CHOICES];
	size_t count = find_choices(profile, primitive, choices);

	fputs("<h3>", page);
	say_title(page, profile, primitive);
	fputs("</h3>\n", page);
	for (size_t i = 0; i < count; i++) {
		put_range(page, primitive, &choices[i].span);
		if (choices[i].taken)
			put_bars(page, profile, &choices[i]);
	}
}

void weir_report_verdict_write(FILE *page, const weir_profile *profile, const weir_library *library,
                               const char *tag)
{
	const char *command = command_to_run(profile, library);
	char *text = NULL;
	size_t bytes;

	weir_html_heading(page, "verdict", "Use these", tag);
	fputs("<div class=\"verdict\">\n", page);
	for (int i = 0; i < 3; i++) {
		fputs("<div class=\"card\">\n", page);
		weir_report_chart_write(page, profile, primitives[i]);
		say_all(page, profile, library, primitives[i], put_paragraph);
		fputs("</div>\n", page);
	}
	fputs("</div>\n", page);
	FILE *said = weir_need(open_memstream(&text, &bytes));
	say_defaults(said, profile, library);
	fprintf(said, "%s", command ? " This makes those above its defaults:" : "");
	if (fclose(said) != 0)
		weir_need(NULL);
	put_paragraph(page, "p", text);
	if (command)
		put_paragraph(page, "code", command);
	free(text);
}

/* ---- the answer in three lines ---- */

/* Of the choices of a primitive, the one that makes the greatest difference; NULL: no figures. */
static const weir_choice *find_main(const weir_profile *profile, const weir_choice *choices,
                                    size_t count)
{
	const weir_choice *main = NULL;
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		if (!choices[i].taken || !choices[i].slowest)
			continue;
		double least = rate_of(profile, &choices[i], choices[i].slowest);
		double times =
		    least > 0 ? rate_of(profile, &choices[i], choices[i].taken) / least : 1e9;
		if (!main || times > most) {
			main = &choices[i];
			most = times;
		}
	}
	return main;
}

/* Below this factor, the slowest kind would do. */
#define MATTERS 1.1

/* "yes: 5.06 times as fast as spin, the slowest; 2112 blocks". */
static void say_matter(FILE *to, const weir_profile *profile, const weir_library *library,
                       const weir_choice *choice)
{
	if (!choice) {
		fprintf(to, "not measured: %s", library->next);
		return;
	}
	const weir_point *taken = choice->taken, *next = choice->next, *slowest = choice->slowest;
	double rate = rate_of(profile, choice, taken), least = rate_of(profile, choice, slowest);
	double best = rate_of(profile, choice, next);

	if (best > rate) {
		weir_lead lead = weir_profile_lead(profile, &choice->at, next, taken);
		if (lead.measured || lead.by >= UNCLEAR) {
			fprintf(to, lead.measured ? "yes, and " : "not clear: ");
			fprintf(to, "%s was %.3g times as fast", name_of(next), best / rate);
			fputs(lead.measured ? ", but no rule takes it"
			                    : ", in too few runs or with too wide a spread to tell",
			      to);
			return;
		}
	}
	if (least <= 0) {
		fprintf(to, "yes: %s completed nothing", name_of(slowest));
	} else if (rate / least < MATTERS) {
		fputs("no: all kinds are about equally fast", to);
	} else if (!weir_profile_lead(profile, &choice->at, taken, slowest).measured) {
		fputs("not clear: the figures scatter too much to tell", to);
	} else {
		fputs("yes: ", to);
		say_times(to, rate, least, slowest);
		fputs(", the slowest", to);
		if (next != slowest &&
		    weir_profile_lead(profile, &choice->at, taken, next).measured)
			fprintf(to, ", and %.3g times as fast as %s, the next", rate / best,
			        name_of(next));
	}
	fprintf(to, "; %s", weir_count_figure(choice->at.blocks, "block").text);
}

char *weir_report_matter(const weir_profile *profile, const weir_library *library,
                         enum weir_primitive primitive)
{
	weir_choice choices[WEIR_CHOICES];
	size_t count = find_choices(profile, primitive, choices);
	char *text = NULL;
	size_t bytes;
	FILE *said = weir_need(open_memstream(&text, &bytes));

	say_matter(said, profile, library, find_main(profile, choices, count));
	if (fclose(said) != 0)
		weir_need(NULL);
	return text;
}

void weir_report_answer_print(FILE *text, const weir_profile *profile, const weir_library *library)
{
	static const char *const columns[] = {"<for", "<use", "<does the choice matter?", NULL};
	weir_table *table = weir_table_make(columns);

	for (int i = 0; i < 3; i++) {
		char *rules = weir_need(weir_profile_default_text(profile, primitives[i]));
		char *matter = weir_report_matter(profile, library, primitives[i]);
		weir_table_cells(table, "%s\t%s\t%s", weir_primitive_name(primitives[i]),
		                 *rules ? rules : "no rule", matter);
		free(matter);
		free(rules);
	}
	weir_table_end(table, text);
}

/* ---- text ---- */

static void print_paragraph(FILE *to, const char *element, const char *text)
{
	(void)element;
	fprintf(to, "  %s\n", text);
}

void weir_report_verdict_print(FILE *text, const weir_profile *profile, const weir_library *library)
{
	const char *command = command_to_run(profile, library);
	for (int i = 0; i < 3; i++) {
		say_title(text, profile, primitives[i]);
		fputs("\n", text);
		say_all(text, profile, library, primitives[i], print_paragraph);
	}
	say_defaults(text, profile, library);
	fprintf(text, "%s%s\n", command ? " This makes those above its defaults:\n  " : "",
	        command ? command : "");
}
