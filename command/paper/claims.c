#include "paper/paper.h"

#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "figures/html.h"
#include "predict/predict.h"

/* The bytes of data/paper/claims.csv, whose path is in WEIR_PAPER_CLAIMS. */
__asm__(".pushsection .rodata\n"
        "weir_paper_claims_text_:\n"
        ".incbin \"" WEIR_PAPER_CLAIMS "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char weir_paper_claims_text_[] __attribute__((visibility("hidden")));

int weir_paper_claims_open(weir_paper_claims *claims)
{
	FILE *file = weir_need(
	    fmemopen((void *)weir_paper_claims_text_, strlen(weir_paper_claims_text_), "r"));

	*claims = (weir_paper_claims){0};
	weir_status status =
	    weir_claims_parse(file, "data/paper/claims.csv", &claims->list, &claims->count);
	(void)fclose(file);
	if (status != WEIR_OK)
		return weir_complain_failed();
	claims->verdicts = weir_need(calloc(claims->count, sizeof *claims->verdicts));
	return 0;
}

void weir_paper_claims_close(weir_paper_claims *claims)
{
	free(claims->list);
	free(claims->verdicts);
}

double weir_paper_claims_work(const weir_paper_claims *claims, const weir_paper_machine *machine)
{
	double sum = 0;
	weir_sim_machine plan = weir_sim_plan(&machine->papers.sim, weir_predict_sum(&sum));
	weir_verdict verdict;

	for (size_t i = 0; i < claims->count; i++)
		if (strcmp(claims->list[i].gpu, machine->name) == 0)
			weir_claim_judge(&claims->list[i], &plan, &verdict);
	return sum;
}

static weir_paper_machine *machine_of(const weir_claim *claim, weir_paper_machine *machines)
{
	for (int i = 0; i < WEIR_PAPER_MACHINES; i++)
		if (strcmp(machines[i].name, claim->gpu) == 0)
			return &machines[i];
	return NULL;
}

weir_status weir_paper_claims_judge(weir_paper_claims *claims,
                                    weir_paper_machine machines[WEIR_PAPER_MACHINES])
{
	weir_status status = WEIR_OK;

	for (size_t i = 0; i < claims->count && !weir_stop_asked(); i++) {
		weir_paper_machine *machine = machine_of(&claims->list[i], machines);
		if (!machine)
			return weir_error_set(
			    WEIR_BAD_ARGUMENT,
			    "a claim about %s, which is not a machine of the paper",
			    claims->list[i].gpu);
		status =
		    weir_claim_judge(&claims->list[i], &machine->papers.sim, &claims->verdicts[i]);
		if (status != WEIR_OK)
			break;
		claims->judged = i + 1;
	}
	return weir_predict_unless_stopped(status);
}

/* ---- the table ---- */

static void put_cell(FILE *page, const char *text)
{
	weir_html_text(page, "<td class=\"text wrap\">", text, "</td>");
}

/* The claim, and remarks about it. */
static void put_statement(FILE *page, const weir_claim *claim)
{
	fprintf(page, "<td class=\"text wrap\" id=\"claim_%s\">", claim->id);
	fprintf(page, "%s: ", weir_primitive_name(claim->primitive));
	weir_html_put(page, claim->text);
	if (*claim->note) {
		weir_html_text(page, "<br/><small>", claim->note, "</small>");
	}
	fputs("</td>", page);
}

void weir_paper_score_write(FILE *page, const weir_paper_claims *claims)
{
	unsigned right = 0, best = 0, best_right = 0, fitted = 0, fitted_right = 0;

	for (size_t i = 0; i < claims->judged; i++) {
		int is_best = claims->list[i].check == WEIR_CLAIM_BEST;
		fitted += claims->list[i].fitted != 0;
		fitted_right += claims->list[i].fitted && claims->verdicts[i].right;
		right += claims->verdicts[i].right != 0;
		best += is_best;
		best_right += is_best && claims->verdicts[i].right;
	}
	fprintf(page,
	        "<div id=\"score\">\n<strong>%u of %zu right</strong>\n"
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bars\" width=\"100%%\" "
	        "height=\"12\" role=\"img\"><title>%u of %zu right</title><rect class=\"rail\" "
	        "width=\"100%%\" height=\"12\"/><rect class=\"use\" width=\"%.1f%%\" "
	        "height=\"12\"/></svg>\n<p>Of <a href=\"#claims\">what the paper states</a>, as "
	        "the simulator predicts it: %u of %u best kinds, %u of %zu others.",
	        right, claims->judged, right, claims->judged,
	        claims->judged ? 100.0 * right / (double)claims->judged : 0, best_right, best,
	        right - best_right, claims->judged - best);
	if (fitted)
		fprintf(page,
		        " %u rows marked as fitted were used to choose a constant of the "
		        "simulator, and so are no test of it: without them %u of %zu are "
		        "right.",
		        fitted, right - fitted_right, claims->judged - fitted);
	fputs("</p>\n</div>\n", page);
}

void weir_paper_claims_write(FILE *page, const weir_paper_claims *claims)
{
	fputs("<div class=\"scroll\">\n<table id=\"claim_table\">\n<thead>\n<tr><th "
	      "class=\"text\">claim</th><th class=\"text\">machine</th>"
	      "<th class=\"text\">where</th><th class=\"text\">the "
	      "paper</th><th class=\"text\">predicted</th><th class=\"text\"></th></tr>\n"
	      "</thead>\n<tbody>\n",
	      page);
	for (size_t i = 0; i < claims->judged; i++) {
		const weir_claim *claim = &claims->list[i];
		int is_right = claims->verdicts[i].right;
		fprintf(page, "<tr class=\"%s\">", is_right ? "right" : "wrong");
		put_statement(page, claim);
		put_cell(page, strcmp(claim->gpu, "gt200") == 0 ? "GT200" : "GF100");
		put_cell(page, claim->where);
		put_cell(page, claim->paper);
		put_cell(page, claims->verdicts[i].text);
		fprintf(page, "<td class=\"text\">%s%s</td></tr>\n", is_right ? "right" : "wrong",
		        claim->fitted ? ", fitted" : "");
	}
	weir_html_table_end(page);
}
