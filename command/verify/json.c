/* The results of weir verify as JSON. */
#include "verify/json.h"

#include <jansson.h>
#include <stddef.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/json.h"
#include "src/model/model.h"
#include "verify/jobs.h"
#include "verify/totals.h"

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, weir_need(value)) != 0)
		weir_need(NULL);
}

static json_t *json_of(const weir_verify_request *request, const weir_verify_job *job)
{
	static const char *const parts[] = {"kinds", "published", "mutants", "replay"};
	const weir_model_outcome *outcome = &job->outcome;
	json_t *object = weir_need(json_object());
	char name[160];
	char extent[288];

	weir_model_case_name(&job->c, name, sizeof name);
	weir_verify_extent(request, job, extent, sizeof extent);
	set(object, "part", json_string(parts[job->part]));
	set(object, "case", json_string(name));
	set(object, "primitive", json_string(job->c.primitive));
	set(object, "kind", json_string(job->c.kind));
	set(object, "blocks", json_integer(job->c.blocks));
	set(object, "threads", json_integer(job->c.threads));
	set(object, "rounds", json_integer(job->c.rounds));
	if (job->is_mutant)
		set(object, "mutant", json_string(job->mutant.name));
	if (job->is_mutant && job->mutant.equivalent)
		set(object, "equivalent", json_string(job->mutant.equivalent));
	if (job->is_mutant && job->mutant.uncovered)
		set(object, "uncovered", json_string(job->mutant.uncovered));
	set(object, "verdict", json_string(weir_model_verdict_text(outcome->verdict)));
	set(object, "good", json_boolean(weir_verify_good(job)));
	set(object, "search", json_string(extent));
	set(object, "exhaustive", json_boolean(outcome->exhaustive));
	set(object, "executions", json_integer((json_int_t)outcome->executions));
	set(object, "cut", json_integer((json_int_t)outcome->cut));
	set(object, "steps", json_integer((json_int_t)outcome->steps));
	set(object, "seconds", json_real(outcome->seconds));
	if (outcome->verdict != WEIR_MODEL_PASS)
		set(object, "message", json_string(outcome->message));
	if (outcome->trace)
		set(object, "trace", json_string(outcome->trace));
	if (outcome->choices)
		set(object, "choices", json_string(outcome->choices));
	return object;
}

int weir_verify_write_json(const weir_verify_request *request, const weir_verify_list *list)
{
	weir_verify_totals sum = weir_verify_sum(list);
	json_t *root;
	json_t *results;

	if (!request->common.json)
		return 0;
	root = weir_output_document("verify");
	results = weir_need(json_array());
	for (size_t i = 0; i < list->count; i++)
		if (list->jobs[i].ran &&
		    json_array_append_new(results, json_of(request, &list->jobs[i])) != 0)
			weir_need(NULL);
	set(root, "results", results);
	set(root, "wrong", json_integer((json_int_t)sum.wrong));
	set(root, "executions", json_integer((json_int_t)sum.executions));
	set(root, "steps", json_integer((json_int_t)sum.steps));
	set(root, "seconds", json_real(sum.seconds));
	set(root, "complete", json_boolean(!weir_stop_asked()));
	return weir_write_json(request->common.json, root);
}
