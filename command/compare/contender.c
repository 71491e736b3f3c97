/* The runs of a contender. */
#include "compare/contender.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "driver/chain.h"
#include "kernels/bench_params.h"
#include "measure/subject.h"
#include "weir/kind.h"
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

enum {
	START_THREADS = 1024 /* that zero the words of a queue and the like */
};

weir_status weir_contender_leave_out(weir_contender *contender, weir_status status)
{
	if (status != WEIR_UNSUPPORTED && status != WEIR_TOO_MANY_BLOCKS)
		return status;
	snprintf(contender->left_out, sizeof contender->left_out, "left out: %.160s",
	         weir_error_text());
	return WEIR_OK;
}

static weir_status start_object(weir_contender *contender)
{
	weir_subject *subject = &contender->subject;
	weir_device *device = subject->meter->device;
	bench_params params = {.config = subject->config};
	weir_argument arguments[] = {{&subject->words, sizeof subject->words},
	                             {&subject->data.native, sizeof subject->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = contender->start,
	                      .grid = {1},
	                      .block = {subject->wanted.primitive >= WEIR_PRIMITIVE_QUEUE &&
	                                        subject->meter->info.is_gpu
	                                    ? START_THREADS
	                                    : 1},
	                      .arguments = arguments,
	                      .argument_count = 3};

	return weir_kernel_launch(device, &launch);
}

weir_status weir_contender_run(weir_contender *contender, uint32_t place, uint32_t rounds,
                               double limit_s, weir_outcome *outcome)
{
	weir_subject *subject = &contender->subject;
	weir_status status = WEIR_OK;

	if (contender->relaunch)
		return weir_relaunch_run(contender->relaunch, rounds, outcome);
	if (contender->is_own)
		status = weir_subject_enter(subject, &subject->meter->places[place]);
	else
		subject->words = subject->meter->places[place].native;
	if (status == WEIR_OK && contender->has_start)
		status = start_object(contender);
	if (status == WEIR_OK)
		status = weir_subject_run(subject, rounds, limit_s, outcome);
	if (contender->is_own && status == WEIR_OK)
		status = weir_subject_leave(subject);
	return status;
}
