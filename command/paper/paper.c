#include "paper/paper.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "output/file.h"
#include "output/gnuplot.h"
#include "output/progress.h"
#include "paper/claims.h"
#include "paper/machines.h"
#include "paper/page.h"
#include "predict/predict.h"
#include "weir/weir.h"

/* Begins with the claims: they are few, and the curves share their points. */
static weir_status simulate(weir_paper_machine *machines, const weir_paper_counts *counts,
                            weir_paper_claims *claims)
{
	weir_progress progress;
	double work = 0;

	for (int i = 0; i < WEIR_PAPER_MACHINES; i++) {
		work += weir_paper_claims_work(claims, &machines[i]);
		work += weir_paper_work(&machines[i], counts);
		machines[i].papers.sim.watch = weir_predict_watch(&progress);
		machines[i].all.sim.watch = weir_predict_watch(&progress);
	}
	weir_progress_begin(&progress, "simulating", "", work);
	weir_status status = weir_paper_claims_judge(claims, machines);
	for (int i = 0; i < WEIR_PAPER_MACHINES && status == WEIR_OK; i++)
		status = weir_paper_simulate(&machines[i], counts);
	weir_progress_end(&progress);
	return status;
}

static int write_page(const weir_paper_request *request, const weir_paper_machine *machines,
                      const weir_paper_claims *claims)
{
	weir_paper_page paper = {.profile = request->profile,
	                         .origin = request->origin,
	                         .command = request->command,
	                         .date = request->date,
	                         .simulated = weir_simulated_is_name(request->profile->device.name),
	                         .stopped = weir_stop_asked(),
	                         .counts = request->counts,
	                         .machines = machines,
	                         .claims = claims,
	                         .no_plots = weir_gnuplot_absence()};
	char *text = NULL;
	size_t bytes = 0;
	FILE *page = weir_need(open_memstream(&text, &bytes));

	if (paper.no_plots)
		weir_complain(0, "the page has tables in place of plots: %s", paper.no_plots);
	weir_paper_page_write(page, &paper);
	if (fclose(page) != 0)
		weir_need(NULL);
	int status = weir_write_file(request->output, text, bytes);
	free(text);
	return status;
}

int weir_paper_report(const weir_paper_request *request)
{
	weir_paper_machine *machines = weir_need(calloc(WEIR_PAPER_MACHINES, sizeof *machines));
	weir_paper_claims claims = {0};
	int status = weir_paper_machines_make(machines, &request->counts);

	if (status == 0)
		status = weir_paper_claims_open(&claims);
	weir_stop_catch();
	if (status == 0 && !weir_stop_asked()) {
		weir_status simulated = simulate(machines, &request->counts, &claims);
		status = simulated == WEIR_OK ? 0 : weir_predict_failed(simulated);
	}
	if (status == 0)
		status = write_page(request, machines, &claims);
	weir_paper_claims_close(&claims);
	weir_paper_machines_free(machines);
	free(machines);
	return status == 0 && weir_stop_asked() ? WEIR_EXIT_STOPPED : status;
}
