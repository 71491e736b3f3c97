/* Compares claims about machines with the predictions for them. */
#include "predict/predict.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "output/json.h"
#include "output/progress.h"
#include "output/table.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

#define MOST_MACHINES 16

/* A machine that claims refer to, and its plan. */
typedef struct subject {
	const char *name;
	weir_sim_machine machine;
	weir_sim_machine plan;
} subject;

/* The machines, each made once. */
typedef struct subjects {
	const weir_predict_request *request;
	subject all[MOST_MACHINES];
	size_t count;
	double work; /* of all claims that were planned */
	weir_progress progress;
} subjects;

static int make_machine(const subjects *known, const char *name, const weir_profile *profile,
                        weir_sim_machine *machine)
{
	if (!profile->has_probe)
		return weir_no_probe(name, profile);
	weir_status status = weir_claims_machine(&profile->probe, machine);
	if (status == WEIR_OK && known->request->has_backoff)
		weir_sim_fix(machine, known->request->backoff);
	return status == WEIR_OK ? 0 : weir_predict_failed(status);
}

static int find(subjects *known, const char *name, subject **found)
{
	weir_profile *profile;
	size_t i = 0;

	while (i < known->count && strcmp(known->all[i].name, name) != 0)
		i++;
	if (i == MOST_MACHINES)
		return weir_refuse("claims about more than %d profiles", MOST_MACHINES);
	subject *s = *found = &known->all[i];
	if (i < known->count)
		return 0;
	int status = weir_choose_profile(name, &profile);
	if (status)
		return status;
	status = make_machine(known, name, profile, &s->machine);
	weir_profile_destroy(profile);
	if (status)
		return status;
	s->name = name;
	s->plan = weir_sim_plan(&s->machine, weir_predict_sum(&known->work));
	s->machine.watch = weir_predict_watch(&known->progress);
	known->count++;
	return 0;
}

static json_t *describe(const weir_claim *claim, const weir_verdict *verdict)
{
	return weir_need(json_pack(
	    "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b}", "id", claim->id, "profile",
	    claim->gpu, "primitive", weir_primitive_name(claim->primitive), "claim", claim->text,
	    "paper", claim->paper, "where", claim->where, "note", claim->note, "prediction",
	    verdict->text, "right", verdict->right, "fitted", claim->fitted));
}

/* The score of one sort of claims. */
typedef struct score {
	unsigned right;
	unsigned of;
	unsigned counted_right; /* those not used to choose a constant of the simulator */
	unsigned counted;
} score;

typedef struct tally {
	score best;
	score other;
} tally;

static void tell(tally *t, const weir_claim *claim, int right)
{
	score *s = claim->check == WEIR_CLAIM_BEST ? &t->best : &t->other;

	s->of++;
	s->right += right != 0;
	s->counted += !claim->fitted;
	s->counted_right += right && !claim->fitted;
}

static json_t *describe_score(const score *s)
{
	return weir_need(json_pack("{s:I, s:I, s:I, s:I}", "right", (json_int_t)s->right, "of",
	                           (json_int_t)s->of, "not_fitted_right",
	                           (json_int_t)s->counted_right, "not_fitted",
	                           (json_int_t)s->counted));
}

static int plan_all(subjects *known, const weir_claim *claims, size_t count)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		subject *s;
		weir_verdict verdict;
		status = find(known, claims[i].gpu, &s);
		if (!status)
			weir_claim_judge(&claims[i], &s->plan, &verdict);
	}
	return status;
}

static weir_status judge_one(subjects *known, const weir_claim *claim, weir_table *table,
                             json_t *rows, tally *t)
{
	subject *s;
	weir_verdict verdict;

	find(known, claim->gpu, &s); /* known since it was planned */
	weir_status status = weir_claim_judge(claim, &s->machine, &verdict);
	if (status != WEIR_OK)
		return status;
	weir_table_cells(table, "%s\t%s\t%s\t%s\t%s%s", claim->id, claim->text, claim->paper,
	                 verdict.text, verdict.right ? "right" : "wrong",
	                 claim->fitted ? ", fitted" : "");
	json_array_append_new(rows, describe(claim, &verdict));
	tell(t, claim, verdict.right);
	return WEIR_OK;
}

static int judge_all(const weir_predict_request *request, const weir_claim *claims, size_t count,
                     weir_table *table, json_t *rows, tally *t)
{
	subjects *known = weir_need(calloc(1, sizeof *known));
	weir_status judged = WEIR_OK;

	known->request = request;
	int status = plan_all(known, claims, count);
	if (!status) {
		weir_progress_begin(&known->progress, "judging", "", known->work);
		for (size_t i = 0; i < count && judged == WEIR_OK && !weir_stop_asked(); i++)
			judged = judge_one(known, &claims[i], table, rows, t);
		weir_progress_end(&known->progress);
		judged = weir_predict_unless_stopped(judged);
		status = judged == WEIR_OK ? 0 : weir_predict_failed(judged);
	}
	free(known);
	return status;
}

int weir_predict_claims(const weir_predict_request *request)
{
	static const char *const columns[] = {"<id", "<claim", "<paper", "<predicted", "<", NULL};
	FILE *stream = weir_text_stream(&request->common);
	weir_claim *claims;
	size_t count;
	tally t = {0};

	if (weir_claims_read(request->claims, &claims, &count) != WEIR_OK)
		return weir_refuse("%s", weir_error_text());
	json_t *json = weir_output_document("predict");
	json_t *rows = weir_need(json_array());
	weir_table *table = weir_table_make(columns);
	json_object_set_new(json, "claims", rows);
	int status = judge_all(request, claims, count, table, rows, &t);
	free(claims);
	weir_table_end(table, status ? NULL : stream);
	if (status) {
		json_decref(json);
		return status;
	}
	weir_progress_say_stopped(stream);
	if (stream && !weir_stop_asked())
		fprintf(stream,
		        "\n%u of %u right: %u of %u best kinds, %u of %u others\n"
		        "not fitted: %u of %u best kinds, %u of %u others\n",
		        t.best.right + t.other.right, t.best.of + t.other.of, t.best.right,
		        t.best.of, t.other.right, t.other.of, t.best.counted_right, t.best.counted,
		        t.other.counted_right, t.other.counted);
	json_object_set_new(json, "best", describe_score(&t.best));
	json_object_set_new(json, "other", describe_score(&t.other));
	return weir_finish_json(request->common.json, json);
}
