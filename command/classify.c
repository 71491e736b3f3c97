/* weir classify: the paper's machine abstraction for a probe, beside the rules of a profile. */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "command.h"
#include "measure/meter.h"
#include "measure/probe.h"
#include "output/file.h"
#include "output/json.h"
#include "output/progress.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static const weir_help help = {
    .usage = "weir classify [OPTION]...",
    .what = "Explains the memory system of a device, and which kind of each primitive suits it.",
    .examples = {{"weir classify", "probe the best device here"},
                 {"weir classify --profile h200", "a built-in profile; needs no GPU"}}};

static const weir_option options[] = {
    WEIR_GROUP("What to classify"),
    WEIR_ROW_DEVICE_SAYING("probe this device now: cuda:0, host, ... (the best one here)"),
    WEIR_ROW_PROFILE("use the probe of a built-in profile (gt200, gf100, h200) or of a file"),
    WEIR_GROUP("Output"),
    WEIR_ROW_JSON,
    {.name = NULL}};

/* The paper's two semaphore columns: low has few permits for many waiters, high has one for almost
 * every waiter. The barrier has many blocks. */
static const struct {
	const char *name;
	enum weir_primitive primitive;
	uint32_t count;
} choices[] = {
    {"barrier", WEIR_PRIMITIVE_BARRIER, WEIR_ANY_COUNT},
    {"mutex", WEIR_PRIMITIVE_MUTEX, WEIR_ANY_COUNT},
    {"semaphore_low", WEIR_PRIMITIVE_SEMAPHORE, 1},
    {"semaphore_high", WEIR_PRIMITIVE_SEMAPHORE, 120},
};

/* The kinds that the rules give; with `class_`, those that the class alone asks for, as in the
 * paper. */
static json_t *kinds_of(const weir_profile *profile, const weir_class *class_)
{
	json_t *kinds = weir_need(json_object());
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		enum weir_primitive primitive = choices[i].primitive;
		uint32_t count = choices[i].count;
		uint32_t kind = class_ ? weir_class_kind(class_, primitive, count)
		                       : weir_profile_rule(profile, primitive, count)->kind;
		json_object_set_new(kinds, choices[i].name,
		                    json_string(weir_kind_name(primitive, kind)));
	}
	return kinds;
}

/* The guidelines of doc/choosing.md: the page itself is embedded in the program, so that the two
 * cannot differ. */
__asm__(".pushsection .rodata\n"
        "weir_choosing_text_:\n"
        ".incbin \"" WEIR_CHOOSING "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char weir_choosing_text_[] __attribute__((visibility("hidden")));

/* A row of a table on that page. */
struct guideline {
	char section[32];
	char when[64];       /* which machines it is for */
	char contention[16]; /* "high", "low" or "any" */
	char advice[160];
	char figure[200];
};

enum {
	LINE_BYTES = 512
};

/* Whether the class has the property; an unknown word matches no class. */
static int word_holds(const char *word, const weir_class *c)
{
	const struct {
		const char *word;
		int holds;
	} words[] = {
	    {"any machine", 1},
	    {"slow atomics", c->slow_atomics},
	    {"fast atomics", !c->slow_atomics},
	    {"slow atomic writes", c->slow_atomic_writes},
	    {"costly polling", c->contended_reads},
	    {"cheap polling", !c->contended_reads},
	    {"held lines", c->hostage},
	    {"free lines", !c->hostage},
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].holds;
	return 0;
}

static int holds(const char *when, const weir_class *c)
{
	char words[LINE_BYTES];
	char *rest = words;

	snprintf(words, sizeof words, "%s", when);
	while (rest) {
		char *word = rest;
		rest = strstr(rest, ", ");
		if (rest) {
			*rest = '\0';
			rest += strlen(", ");
		}
		if (!word_holds(word, c))
			return 0;
	}
	return 1;
}

/* Copies the next cell of a row and advances `row`; returns 0 if there is none. */
static int take_cell(const char **row, char *cell, size_t room)
{
	const char *end = strncmp(*row, "| ", 2) == 0 ? strstr(*row + 2, " |") : NULL;

	if (!end)
		return 0;
	snprintf(cell, room, "%.*s", (int)(end - *row - 2), *row + 2);
	*row = end + 1;
	return 1;
}

/* Whether the row has the four cells of a guideline. Column titles, and the row below them, match
 * no class. */
static int read_row(const char *row, struct guideline *line)
{
	return take_cell(&row, line->when, sizeof line->when) &&
	       take_cell(&row, line->contention, sizeof line->contention) &&
	       take_cell(&row, line->advice, sizeof line->advice) &&
	       take_cell(&row, line->figure, sizeof line->figure);
}

static void find_guidelines(const weir_class *class_,
                            void (*take)(const struct guideline *line, void *context),
                            void *context)
{
	struct guideline line = {0};
	const char *text = weir_choosing_text_;

	while (*text) {
		char row[LINE_BYTES];
		size_t length = strcspn(text, "\n");
		snprintf(row, sizeof row, "%.*s", (int)length, text);
		text += length + (text[length] == '\n');
		if (strncmp(row, "## ", 3) == 0)
			snprintf(line.section, sizeof line.section, "%.31s", row + 3);
		else if (read_row(row, &line) && holds(line.when, class_))
			take(&line, context);
	}
}

/* Prints `text` without Markdown markup. */
static void print_plain(FILE *stream, const char *text)
{
	for (; *text; text++)
		if (*text != '`')
			fputc(*text, stream);
}

static void print_guideline(const struct guideline *line, void *stream)
{
	fprintf(stream, "  %s, %s contention: ", line->section, line->contention);
	print_plain(stream, line->advice);
	fputs(" (", stream);
	print_plain(stream, line->figure);
	fputs(")\n", stream);
}

static void describe_guideline(const struct guideline *line, void *array)
{
	json_array_append_new(
	    array, weir_need(json_pack("{s:s, s:s, s:s, s:s, s:s}", "section", line->section,
	                               "when", line->when, "contention", line->contention, "advice",
	                               line->advice, "figure", line->figure)));
}

/* `profile` has the probe and the rules that the library uses; `from` says where they come from,
 * `next` which command gives figures for all kinds. */
static int show(const weir_common *common, const char *name, const weir_profile *profile,
                const char *from, const char *next)
{
	FILE *stream = weir_text_stream(common);
	json_t *json = weir_output_document("classify");
	weir_class class_;

	weir_classify(&profile->probe, &class_);
	char *text = weir_need(weir_class_text(profile));
	if (stream) {
		fprintf(stream, "%s: %s\n\n%s\nThese kinds are the library's defaults with %s.\n",
		        name, class_.name, text, from);
		if (profile->point_count == 0)
			fprintf(stream, "It has no figures of any kind; %s.\n", next);
		fputs("\nGuidelines for GPUs with such a memory system, from doc/choosing.md:\n",
		      stream);
		find_guidelines(&class_, print_guideline, stream);
	}
	json_t *guidelines = weir_need(json_array());
	find_guidelines(&class_, describe_guideline, guidelines);
	json_object_update_new(
	    json,
	    weir_need(json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:s}", "profile", name,
	                        "device", weir_output_device(&profile->device), "probe",
	                        weir_output_probe(&profile->probe), "classification",
	                        weir_output_class(&class_), "recommended", kinds_of(profile, NULL),
	                        "by_class", kinds_of(profile, &class_), "rules_from", from,
	                        "guidelines", guidelines, "text", text)));
	free(text);
	return weir_write_json(common->json, json);
}

static int show_profile(const weir_common *common, const char *name, const char *title)
{
	weir_profile *profile;
	char from[1024], next[1024];
	int status = weir_choose_profile(name, &profile);

	if (status)
		return status;
	snprintf(from, sizeof from, "profile %s", name);
	snprintf(next, sizeof next, "weir predict --profile %s simulates all of them", name);
	if (!profile->has_probe)
		status = weir_no_probe(name, profile);
	else if (weir_profile_complete(profile) != WEIR_OK)
		status = weir_complain_failed();
	else
		status = show(common, title ? title : profile->name, profile, from, next);
	weir_profile_destroy(profile);
	return status;
}

/* The profile that the library uses for the device, with its kinds adapted to the device. */
static int show_device(const weir_common *common, const weir_meter *meter, const weir_probe *probe)
{
	weir_profile *profile;
	char from[1024], next[160];

	if (weir_profile_for(&meter->info, &profile, from, sizeof from) != WEIR_OK)
		return weir_complain_failed();
	for (size_t i = 0; i < profile->rule_count; i++) {
		weir_rule *rule = &profile->rules[i];
		rule->kind = weir_default_kind(meter->device, rule->primitive,
		                               rule->up_to ? rule->up_to : WEIR_ANY_COUNT);
	}
	profile->device = meter->info;
	profile->probe = *probe;
	snprintf(next, sizeof next, "weir profile --device %s --save measures all of them",
	         meter->info.name);
	int status = show(common, meter->info.name, profile, from, next);
	weir_profile_destroy(profile);
	return status;
}

static int classify_device(weir_meter *meter, void *asked)
{
	const weir_common *common = asked;
	weir_probe probe;
	int status = weir_probe_with_bar(meter, &probe);

	if (status)
		return status;
	if (weir_stop_asked())
		return weir_complain(WEIR_EXIT_STOPPED, "stopped before the probe was complete");
	return meter->sim ? show_profile(common, weir_simulated_profile_name(meter->info.name),
	                                 meter->info.name)
	                  : show_device(common, meter, &probe);
}

int weir_command_classify(int argc, char **argv)
{
	weir_common common = {.help = &help, .rows = options};

	if (!weir_options_read(argc, argv, &common))
		return common.status;
	int status = weir_no_operands(argc, argv);
	if (!status && common.device && common.profile)
		status = weir_refuse("--device and --profile exclude each other");
	if (!status)
		status = weir_check_writable(common.json);
	if (status)
		return status;
	return common.profile ? show_profile(&common, common.profile, NULL)
	                      : weir_meter_use(&common, classify_device);
}
