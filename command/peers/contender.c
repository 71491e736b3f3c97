/* The runs of a contender. */
#include "peers/contender.h"

#include <stdint.h>
#include <stdio.h>

#include "kernels/bench_params.h"
#include "measure/subject.h"
#include "peers/relaunch.h"
#include "weir/kind.h"
#include "weir/weir.h"

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
