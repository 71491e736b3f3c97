/* Claims about machines, held against what is predicted for them. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "predict.h"
#include "sim/claims.h"

#define MOST_MACHINES 16

/* The machines that the claims are about, each made once. */
typedef struct machines {
	struct {
		const char *name;
		weir_sim_machine machine;
	} all[MOST_MACHINES];
	size_t count;
} machines;

static int find(machines *known, const char *name, weir_sim_machine **machine)
{
	weir_profile *profile;
	size_t i = 0;

	while (i < known->count && strcmp(known->all[i].name, name) != 0)
		i++;
	*machine = &known->all[i].machine;
	if (i < known->count)
		return 0;
	if (i == MOST_MACHINES)
		return weir_complain(WEIR_EXIT_USAGE, "claims about more than %d profiles",
		                     MOST_MACHINES);
	int status = weir_open_profile(name, &profile);
	if (status)
		return status;
	status = weir_predict_machine(name, profile, NULL, *machine);
	weir_profile_free(profile);
	known->all[i].name = name;
	known->count += !status;
	return status;
}

static json_t *describe(const weir_claim *claim, const weir_verdict *verdict)
{
	return weir_need(json_pack("{s:s, s:s, s:s, s:s, s:s, s:b}", "id", claim->id, "profile",
	                           claim->gpu, "primitive", weir_primitive_names[claim->primitive],
	                           "claim", claim->text, "prediction", verdict->text, "right",
	                           verdict->right));
}

typedef struct tally {
	unsigned best;
	unsigned best_right;
	unsigned other;
	unsigned other_right;
} tally;

static void tell(tally *t, const weir_claim *claim, int right)
{
	if (claim->kind == WEIR_CLAIM_BEST) {
		t->best++;
		t->best_right += right != 0;
	} else {
		t->other++;
		t->other_right += right != 0;
	}
}

static int judge_all(const weir_claim *claims, size_t count, weir_table *table, json_t *rows,
                     tally *t)
{
	machines *known = weir_need(calloc(1, sizeof *known));
	weir_progress progress;
	int status = 0;

	weir_progress_begin(&progress, "judging", (double)count);
	for (size_t i = 0; i < count && !status && !weir_stop_asked(); i++) {
		weir_sim_machine *machine;
		weir_verdict verdict;
		status = find(known, claims[i].gpu, &machine);
		if (status)
			break;
		weir_status judged = weir_claim_judge(&claims[i], machine, &verdict);
		if (judged != WEIR_OK) {
			status = weir_predict_failed(judged);
			break;
		}
		weir_table_cell(table, "%s", claims[i].id);
		weir_table_cell(table, "%s", claims[i].text);
		weir_table_cell(table, "%s", verdict.text);
		weir_table_cell(table, "%s", verdict.right ? "right" : "wrong");
		json_array_append_new(rows, describe(&claims[i], &verdict));
		tell(t, &claims[i], verdict.right);
		weir_progress_add(&progress, 1);
	}
	weir_progress_end(&progress);
	free(known);
	return status;
}

int weir_predict_claims(const weir_predict_request *request)
{
	static const char *const columns[] = {"<id", "<claim", "<prediction", "<", NULL};
	FILE *stream = weir_text_stream(&request->common);
	weir_claim *claims;
	size_t count;
	tally t = {0};

	if (weir_claims_read(request->claims, &claims, &count) != WEIR_OK)
		return weir_complain(WEIR_EXIT_USAGE, "%s", weir_error_text());
	json_t *json = weir_json_document("predict");
	json_t *rows = weir_need(json_array());
	weir_table *table = weir_table_make(columns);
	json_object_set_new(json, "claims", rows);
	int status = judge_all(claims, count, table, rows, &t);
	free(claims);
	weir_table_end(table, status ? NULL : stream);
	if (status) {
		json_decref(json);
		return status;
	}
	if (stream)
		fprintf(stream, "\n%u of %u right: %u of %u best kinds, %u of %u others\n",
		        t.best_right + t.other_right, t.best + t.other, t.best_right, t.best,
		        t.other_right, t.other);
	json_object_set_new(json, "right", json_integer(t.best_right + t.other_right));
	json_object_set_new(json, "of", json_integer(t.best + t.other));
	json_object_set_new(json, "best_right", json_integer(t.best_right));
	json_object_set_new(json, "complete", json_boolean(!weir_stop_asked()));
	status = weir_write_json(request->common.json, json);
	return status || !weir_stop_asked() ? status : WEIR_EXIT_STOPPED;
}
