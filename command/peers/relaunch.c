/* Launches as barriers. */
#include "peers/relaunch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "kernels/bench_params.h"
#include "measure/subject.h"
#include "peers/chain.h"
#include "weir/weir.h"

enum {
	MOST_LAUNCHES = 20000,
	MOST_NODES = 1000
};

struct weir_relaunch {
	const weir_subject *subject;
	int as_graph;
	weir_chain *chain;
};

weir_relaunch *weir_relaunch_create(const weir_subject *subject, int as_graph)
{
	weir_chain *chain = weir_chain_create(subject->meter->device,
	                                      as_graph ? WEIR_CHAIN_GRAPH : WEIR_CHAIN_STREAM);

	if (!chain)
		return NULL;
	weir_relaunch *relaunch = weir_need(calloc(1, sizeof *relaunch));
	relaunch->subject = subject;
	relaunch->as_graph = as_graph;
	relaunch->chain = chain;
	return relaunch;
}

void weir_relaunch_destroy(weir_relaunch *relaunch)
{
	if (!relaunch)
		return;
	weir_chain_destroy(relaunch->chain);
	free(relaunch);
}

uint32_t weir_relaunch_most(const weir_relaunch *relaunch)
{
	return relaunch->as_graph ? MOST_NODES : MOST_LAUNCHES;
}

weir_status weir_relaunch_run(weir_relaunch *relaunch, uint32_t rounds, weir_outcome *outcome)
{
	const weir_subject *subject = relaunch->subject;
	void *words = subject->words;
	void *data = subject->data.native;
	bench_params params = {.config = subject->config, .rounds = rounds};
	void *parameters[] = {&words, &data, &params};
	weir_links links = {.kernel = subject->kernel,
	                    .blocks = subject->wanted.blocks,
	                    .threads = subject->wanted.threads,
	                    .count = rounds,
	                    .parameters = parameters};

	memset(outcome, 0, sizeof *outcome);
	weir_status status = weir_chain_run(relaunch->chain, &links, &outcome->ms);
	if (status != WEIR_OK)
		return status;
	outcome->completed = rounds;
	outcome->per_second = outcome->ms > 0 ? rounds / outcome->ms * 1e3 : 0;
	return WEIR_OK;
}
