/* A report as JSON, and as text for people. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/diagnose.h"

/* "": the primitive has no kinds. */
static const char *kind_name(const weir_suspect *suspect)
{
	const weir_kind *kind = weir_kind_find(suspect->primitive, suspect->config.object.kind);

	return kind ? kind->name : suspect->config.object.kind ? "unknown" : "";
}

static json_t *object_json(const weir_snapshot *s, uint32_t id)
{
	const weir_suspect *suspect = &s->suspects[id];
	json_t *holders = json_array();
	json_t *waiters = json_array();
	json_t *object;

	for (uint32_t block = 0; block < s->blocks; block++) {
		if (suspect->primitive != WEIR_PRIMITIVE_BARRIER && weir_holds(s, block, id))
			json_array_append_new(holders, json_integer(block));
		if (weir_waits_for(s, block) == id)
			json_array_append_new(waiters, json_integer(block));
	}
	object = json_pack("{s:i, s:s, s:s, s:s, s:b, s:o, s:o}", "id", (int)id, "name",
	                   suspect->name, "primitive", weir_primitive_name(suspect->primitive),
	                   "kind", kind_name(suspect), "destroyed", suspect->dead, "held_by",
	                   holders, "waited_for_by", waiters);
	if (object && weir_family_of(suspect)->describe)
		weir_family_of(suspect)->describe(s, id, object);
	return object;
}

static void add_place(json_t *to, const weir_snapshot *s, uint64_t site)
{
	weir_place place = weir_place_of(&s->files, site);

	json_object_set_new(to, "file", place.file[0] ? json_string(place.file) : json_null());
	json_object_set_new(to, "line", json_integer(place.line));
	json_object_set_new(to, "place", json_string(place.text));
}

/* The operations of WEIR_OPERATION_*, and what a block in one of them waits for. */
static const struct operation {
	const char *name;
	const char *phrase;
} operations[] = {{"", "for"},
                  {"lock", "for"},
                  {"barrier", "for"},
                  {"wait", "for"},
                  {"push", "to push to"},
                  {"pop", "to pop from"},
                  {"next", "for a task of"},
                  {"condition", "for"},
                  {"read", "to read"},
                  {"write", "to write"},
                  {"begin", "for"},
                  {"combine", "for an operation of"},
                  {"serve", "for operations of"},
                  {"crew", "at"}};

#define OPERATIONS (sizeof operations / sizeof operations[0])

static json_t *wait_json(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_waits_for(s, block);
	uint32_t doing = weir_doing(s, block);
	uint32_t operation = WEIR_DOING_OPERATION(doing);
	json_t *waits;

	if (!id)
		return json_null();
	waits = json_pack("{s:s, s:s, s:i, s:I}", "object", s->suspects[id].name, "operation",
	                  operations[operation < OPERATIONS ? operation : 0].name, "thread",
	                  (int)WEIR_DOING_THREAD(doing), "ms", (json_int_t)s->waited_ms[block]);
	add_place(waits, s, weir_doing_at(s, block));
	if (weir_family_of(&s->suspects[id])->describe_wait)
		weir_family_of(&s->suspects[id])->describe_wait(s, block, waits);
	return waits;
}

/* The task that the block runs. */
static json_t *runs_json(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_runs(s, block);
	json_t *runs;

	if (!id)
		return json_null();
	runs = json_pack("{s:s, s:I, s:I}", "object", s->suspects[id].name, "task",
	                 (json_int_t)weir_note(s, block, WEIR_NOTE_COUNT(id)) - 1, "ms",
	                 (json_int_t)s->ran_ms[block]);
	add_place(runs, s, weir_entry(s, block, id));
	return runs;
}

static json_t *holds_json(const weir_snapshot *s, uint32_t block)
{
	json_t *holds = json_array();

	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (s->suspects[id].name[0] &&
		    s->suspects[id].primitive != WEIR_PRIMITIVE_BARRIER &&
		    weir_holds(s, block, id)) {
			json_t *held = json_pack("{s:s}", "object", s->suspects[id].name);
			add_place(held, s, weir_entry(s, block, id));
			json_array_append_new(holds, held);
		}
	return holds;
}

/* The blocks that hold something, wait or run a task. */
static json_t *blocks_json(const weir_snapshot *s)
{
	json_t *blocks = json_array();

	for (uint32_t block = 0; block < s->blocks; block++) {
		json_t *holds = holds_json(s, block);
		json_t *waits = wait_json(s, block);
		json_t *runs = runs_json(s, block);
		if (json_array_size(holds) || !json_is_null(waits) || !json_is_null(runs)) {
			json_array_append_new(blocks, json_pack("{s:i, s:o, s:o, s:o}", "block",
			                                        (int)block, "holds", holds, "waits",
			                                        waits, "runs", runs));
		} else {
			json_decref(holds);
			json_decref(waits);
			json_decref(runs);
		}
	}
	return blocks;
}

json_t *weir_report_json(const weir_snapshot *s)
{
	json_t *objects = json_array();

	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (s->suspects[id].name[0])
			json_array_append_new(objects, object_json(s, id));
	return json_pack("{s:s, s:b, s:o, s:o, s:o}", "device", s->device, "aborted", s->aborted,
	                 "objects", objects, "blocks", blocks_json(s), "findings",
	                 weir_findings(s));
}

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	return text ? text : "";
}

static long long number_of(const json_t *object, const char *name)
{
	return (long long)json_integer_value(json_object_get(object, name));
}

#define MOST_LISTED 16

static void print_blocks(FILE *out, const char *label, const json_t *blocks)
{
	size_t count = json_array_size(blocks);

	if (!count)
		return;
	fprintf(out, "    %s block%s", label, count == 1 ? "" : "s");
	for (size_t i = 0; i < count && i < MOST_LISTED; i++)
		fprintf(out, "%s %lld", i ? "," : "",
		        (long long)json_integer_value(json_array_get(blocks, i)));
	if (count > MOST_LISTED)
		fprintf(out, " and %zu more", count - MOST_LISTED);
	fprintf(out, "\n");
}

static void print_objects(FILE *out, const json_t *objects)
{
	size_t i;
	json_t *object;

	json_array_foreach(objects, i, object)
	{
		const char *kind = text_of(object, "kind");
		fprintf(out, "  %s '%s'%s%s%s", text_of(object, "primitive"),
		        text_of(object, "name"), *kind ? " (" : "", kind, *kind ? ")" : "");
		if (json_object_get(object, "items"))
			fprintf(out, ", %lld of %lld items", number_of(object, "items"),
			        number_of(object, "capacity"));
		if (json_is_true(json_object_get(object, "closed")))
			fprintf(out, ", closed");
		if (json_object_get(object, "unfinished"))
			fprintf(out, ", %lld unfinished", number_of(object, "unfinished"));
		if (json_object_get(object, "ranks"))
			fprintf(out, ", rank %lld of %lld", number_of(object, "rank"),
			        number_of(object, "ranks"));
		fprintf(out, "%s\n",
		        json_is_true(json_object_get(object, "destroyed")) ? ", destroyed" : "");
		print_blocks(out, "held by", json_object_get(object, "held_by"));
		print_blocks(out, "waited for by", json_object_get(object, "waited_for_by"));
	}
}

/* "for": what a block waits for, by its operation. */
static const char *phrase_of(const json_t *waits)
{
	for (size_t i = 1; i < OPERATIONS; i++)
		if (strcmp(text_of(waits, "operation"), operations[i].name) == 0)
			return operations[i].phrase;
	return operations[0].phrase;
}

static void print_block(FILE *out, const json_t *block)
{
	const json_t *waits = json_object_get(block, "waits");
	const json_t *holds = json_object_get(block, "holds");
	const json_t *runs = json_object_get(block, "runs");
	size_t i;
	json_t *held;

	fprintf(out, "  block %lld", number_of(block, "block"));
	json_array_foreach(holds, i, held) fprintf(out, "%s '%s' (%s)", i ? "," : " has",
	                                           text_of(held, "object"), text_of(held, "place"));
	if (!json_is_null(runs))
		fprintf(out, "%s runs task %lld of '%s' (%s) since %.1f s",
		        json_array_size(holds) ? " and" : "", number_of(runs, "task"),
		        text_of(runs, "object"), text_of(runs, "place"),
		        (double)number_of(runs, "ms") / 1000);
	if (!json_is_null(waits)) {
		fprintf(out, "%s has waited %s '%s'",
		        json_array_size(holds) || !json_is_null(runs) ? " and" : "",
		        phrase_of(waits), text_of(waits, "object"));
		if (json_object_get(waits, "index"))
			fprintf(out, "[%lld]", number_of(waits, "index"));
		fprintf(out, " in %s for %.1f s", text_of(waits, "place"),
		        (double)number_of(waits, "ms") / 1000);
	}
	fprintf(out, "\n");
}

static void print_report(FILE *out, const json_t *report)
{
	const json_t *blocks = json_object_get(report, "blocks");
	const json_t *findings = json_object_get(report, "findings");
	size_t i;
	json_t *each;

	json_array_foreach(findings, i, each)
	    fprintf(out, "%s: %s\n", text_of(each, "kind"), text_of(each, "text"));
	if (json_array_size(findings) == 0)
		fprintf(out, "nothing looks wrong\n");
	fprintf(out, "objects on %s\n", text_of(report, "device"));
	print_objects(out, json_object_get(report, "objects"));
	if (json_array_size(blocks))
		fprintf(out, "blocks that hold something, wait or run a task\n");
	json_array_foreach(blocks, i, each)
	{
		if (i < MOST_LISTED)
			print_block(out, each);
	}
	if (json_array_size(blocks) > MOST_LISTED)
		fprintf(out, "  and %zu more\n", json_array_size(blocks) - MOST_LISTED);
}

char *weir_report_text(const json_t *report)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	print_report(out, report);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
