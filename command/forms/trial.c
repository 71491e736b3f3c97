/* The runs of one form. */
#include "forms/trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "kernels/real/real.h"
#include "output/figure.h"

enum {
	DEADLINE_S = 60,
	/* A GPU copies at least this many words before a run. That takes longer than submitting the
	 * launch that follows, so the device need not wait for it. */
	QUEUE_WORDS = 1 << 24
};

weir_status weir_task_open(weir_task *task, weir_builds *builds, const real_kernel *kernel,
                           const real_size *size)
{
	size_t words = kernel->words(size->values);
	size_t bytes = words * sizeof(uint32_t);

	memset(task, 0, sizeof *task);
	task->builds = builds;
	task->kernel = kernel;
	task->size = size;
	task->words = words;
	task->expected = weir_need(calloc(words, sizeof(uint32_t)));
	task->got = weir_need(calloc(words, sizeof(uint32_t)));
	kernel->fill(size->values, task->expected);
	weir_status status = weir_buffer_create(builds->device, 2 * bytes, &task->data);
	if (status == WEIR_OK)
		status =
		    weir_buffer_write(builds->device, task->data, bytes, task->expected, bytes);
	if (status == WEIR_OK)
		kernel->expect(size->values, task->expected);
	return status;
}

void weir_task_close(weir_task *task)
{
	free(task->expected);
	free(task->got);
	if (task->data.native)
		weir_buffer_destroy(task->builds->device, &task->data);
	memset(task, 0, sizeof *task);
}

void weir_trial_leave_out(weir_trial *trial, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(trial->left_out, sizeof trial->left_out, format, arguments);
	va_end(arguments);
}

weir_status weir_trial_open(weir_trial *trial, const weir_task *task, enum weir_form_id form,
                            uint32_t threads)
{
	const weir_form *how = &weir_forms[form];
	weir_builds *builds = task->builds;
	weir_object_wish wish = {task->kernel, task->size->values, 1};
	char name[64];

	memset(trial, 0, sizeof *trial);
	trial->form = form;
	trial->threads = threads;
	if (weir_real_object_runs(builds, &wish, how) == WEIR_UNSUPPORTED) {
		weir_trial_leave_out(trial, "left out: %.160s", weir_error_text());
		return WEIR_OK;
	}
	snprintf(name, sizeof name, "%s%s", task->kernel->name, how->suffix);
	weir_status status = weir_builds_kernel(builds, how->build, name, &trial->entry);
	if (status == WEIR_OK)
		status = weir_builds_cost(builds, how->build, name, threads, &trial->cost);
	if (status != WEIR_OK || !weir_form_is_graph(form))
		return status;
	trial->chain = weir_chain_create(
	    builds->device, how->how == WEIR_HOW_EARLY ? WEIR_CHAIN_EARLY : WEIR_CHAIN_GRAPH);
	if (!trial->chain)
		weir_trial_leave_out(trial, "%.190s", weir_error_text());
	return WEIR_OK;
}

void weir_trial_fit(weir_trial *trial, uint32_t blocks)
{
	trial->blocks = blocks;
	if (*trial->left_out || trial->cost.resident >= blocks ||
	    (trial->cost.resident && weir_form_is_graph(trial->form)))
		return;
	weir_trial_leave_out(trial, "does not fit: room for %s of %s",
	                     weir_count_figure(trial->cost.resident, "block").text,
	                     weir_count_figure(trial->threads, "thread").text);
}

void weir_trial_close(weir_trial *trial)
{
	weir_chain_destroy(trial->chain);
	trial->chain = NULL;
}

void weir_trial_free(weir_trial *trial)
{
	free(trial->ms);
	trial->ms = NULL;
}

static weir_status restore(const weir_task *task)
{
	const weir_device_info *info = &task->builds->info;
	uint32_t words = (uint32_t)task->words;
	real_params params = {.size = {words, info->is_gpu ? QUEUE_WORDS / words + 1 : 1}};
	const void *data = task->data.native;
	weir_argument arguments[] = {
	    {&data, sizeof data}, {&data, sizeof data}, {&params, sizeof params}};
	weir_launch launch = {.grid = {info->is_gpu ? 8 * info->units : 1},
	                      .block = {info->is_gpu ? 256 : 4},
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status =
	    weir_builds_kernel(task->builds, WEIR_BUILD_DEFAULT, "restore", &launch.kernel);

	return status == WEIR_OK ? weir_kernel_launch(task->builds->device, &launch) : status;
}

static void take_part(void *params, uint32_t index)
{
	((real_params *)params)->part = index;
}

static weir_status run_chain(const weir_trial *trial, const weir_task *task, void *words,
                             real_params params, double *ms)
{
	void *data = task->data.native;
	void *parameters[] = {&words, &data, &params};
	weir_links links = {.kernel = trial->entry,
	                    .blocks = trial->blocks,
	                    .threads = trial->threads,
	                    .count = task->kernel->meetings(task->size->values),
	                    .parameters = parameters,
	                    .prepare = take_part,
	                    .context = &params};

	return weir_chain_run(trial->chain, &links, ms);
}

static weir_status run_kernel(const weir_trial *trial, const weir_task *task, void *words,
                              real_params params, double *ms)
{
	weir_device *device = task->builds->device;
	weir_argument arguments[] = {{&words, sizeof words},
	                             {&task->data.native, sizeof task->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = trial->entry,
	                      .grid = {trial->blocks},
	                      .block = {trial->threads},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	weir_status status = weir_kernel_launch(device, &launch);

	return status == WEIR_OK ? weir_device_wait(device, (uint64_t)DEADLINE_S * 1000000000, ms)
	                         : status;
}

static weir_status read_result(const weir_task *task)
{
	real_range range = {0, task->words};
	weir_status status = WEIR_OK;

	if (task->kernel->looks)
		range = task->kernel->looks(task->size->values, 0);
	for (size_t i = 1; status == WEIR_OK && range.count; i++) {
		status = weir_buffer_read(task->builds->device, task->data,
		                          range.first * sizeof(uint32_t), task->got + range.first,
		                          range.count * sizeof(uint32_t));
		range = task->kernel->looks ? task->kernel->looks(task->size->values, i)
		                            : (real_range){0, 0};
	}
	return status;
}

static weir_status check(weir_trial *trial, const weir_task *task)
{
	weir_status status = read_result(task);

	if (status == WEIR_OK && !*trial->wrong.text)
		task->kernel->check(task->size->values, task->expected, task->got, &trial->wrong);
	return status;
}

static weir_status run_rounds(weir_trial *trial, const weir_task *task,
                              const weir_real_object *object, uint32_t rounds, double *times)
{
	real_params params = {.config = object->config, .part = object->apart};
	weir_status status = WEIR_OK;

	memcpy(params.size, task->size->values, sizeof params.size);
	for (uint32_t i = 0; status == WEIR_OK && i < rounds; i++) {
		status = restore(task);
		if (status == WEIR_OK)
			status = trial->chain
			             ? run_chain(trial, task, object->words, params, &times[i])
			             : run_kernel(trial, task, object->words, params, &times[i]);
		if (status == WEIR_OK)
			status = check(trial, task);
	}
	return status;
}

weir_status weir_trial_run(weir_trial *trial, const weir_task *task, weir_buffer memory,
                           size_t offset, uint32_t rounds, double *ms)
{
	weir_object_wish wish = {task->kernel, task->size->values, trial->blocks};
	double *times = weir_need(calloc(rounds, sizeof *times));
	weir_real_object object;
	weir_status status = weir_real_object_enter(task->builds, &wish, &weir_forms[trial->form],
	                                            memory, offset, &object);

	if (status == WEIR_OK)
		status = run_rounds(trial, task, &object, rounds, times);
	/* An earlier failure takes precedence. */
	weir_status left =
	    status == WEIR_OK ? weir_real_object_leave(task->builds, &object) : WEIR_OK;
	weir_sort_figures(times, rounds);
	*ms = times[rounds / 2];
	free(times);
	return status == WEIR_OK ? left : status;
}

void weir_trial_conclude(weir_trial *trial)
{
	double *sorted = weir_need(calloc(trial->done + 1, sizeof *sorted));

	memcpy(sorted, trial->ms, trial->done * sizeof *sorted);
	weir_sort_figures(sorted, trial->done);
	if (trial->done) {
		trial->median = sorted[trial->done / 2];
		trial->least = sorted[0];
		trial->greatest = sorted[trial->done - 1];
	}
	free(sorted);
}
