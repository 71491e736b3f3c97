/* Findings as SARIF 2.1.0, which code scanning shows beside the source. */
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "check/show.h"
#include "cli/complain.h"
#include "output/json.h"
#include "weir/weir.h"

/* Relative to the current folder, where the file lies below it. */
static const char *uri_of(const weir_check_report *report, const weir_check_place *place)
{
	static char folder[4096];
	const char *file = place->site.file ? place->site.file : report->plan->file;
	size_t bytes = getcwd(folder, sizeof folder) ? strlen(folder) : 0;

	return bytes && strncmp(file, folder, bytes) == 0 && file[bytes] == '/' ? file + bytes + 1
	                                                                        : file;
}

static json_t *location(const weir_check_report *report, const weir_check_place *place,
                        const char *message)
{
	unsigned line = place->site.file ? place->site.source_line : place->site.line;
	json_t *json = weir_need(json_pack("{s:{s:{s:s}, s:{s:i}}}", "physicalLocation",
	                                   "artifactLocation", "uri", uri_of(report, place),
	                                   "region", "startLine", line ? (int)line : 1));

	if (message)
		json_object_set_new(json, "message",
		                    weir_need(json_pack("{s:s}", "text", message)));
	return json;
}

static json_t *result(const weir_check_report *report, const weir_check_finding *f)
{
	/* The access that is made last is what is reported, and the other one is related. */
	unsigned at = f->kind == WEIR_CHECK_RACE ? 1 : 0;
	json_t *related = weir_need(json_array());
	json_t *json;
	char text[8192];

	snprintf(text, sizeof text, "%s: %s. %s%s%s", weir_check_kind_name(f->kind), f->what,
	         f->why, f->fix[0] ? " Fix: " : "", f->fix);
	json =
	    weir_need(json_pack("{s:s, s:s, s:{s:s}, s:[o]}", "ruleId", f->cause, "level",
	                        f->kind == WEIR_CHECK_INCOMPLETE ? "warning" : "error", "message",
	                        "text", text, "locations", location(report, &f->access[at], NULL)));
	if (f->kind == WEIR_CHECK_RACE)
		json_array_append_new(related, location(report, &f->access[0], "the other access"));
	if (f->release.does)
		json_array_append_new(related, location(report, &f->release, "the release"));
	if (f->acquire.does)
		json_array_append_new(related, location(report, &f->acquire, "the acquire"));
	json_object_set_new(json, "relatedLocations", related);
	if (weir_check_silenced(report->plan, f))
		json_object_set_new(
		    json, "suppressions",
		    weir_need(json_pack("[{s:s, s:s}]", "kind", "external", "justification",
		                        weir_check_silenced(report->plan, f))));
	return json;
}

static json_t *rules(void)
{
	json_t *list = weir_need(json_array());
	const weir_check_cause *cause;

	for (size_t i = 0; (cause = weir_check_cause_at(i)); i++)
		json_array_append_new(
		    list, weir_need(json_pack("{s:s, s:{s:s}}", "id", cause->name,
		                              "shortDescription", "text", cause->what)));
	return list;
}

int weir_check_write_sarif(const weir_check_report *report, const char *path)
{
	json_t *results;

	if (!path)
		return 0;
	results = weir_need(json_array());
	for (size_t i = 0; i < weir_check_count(report->check); i++)
		json_array_append_new(results, result(report, weir_check_at(report->check, i)));
	return weir_write_json(
	    path,
	    weir_need(json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
	                        "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
	                        "runs", "tool", "driver", "name", "weir check", "version",
	                        weir_version(), "rules", rules(), "results", results)));
}
