/* The cases of weir bench kernels. */
#include "forms/bench.h"

#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/progress.h"

enum {
	/* The object is at a different address in each repeat: its place in the L2 cache affects
	 * its speed. */
	PLACES = 16,
	PLACE_BYTES = 1024,
	FEW_BLOCKS = 4,
	/* A repeat has as many launches as take this long on a GPU, up to a limit. */
	REPEAT_US = 2000,
	MOST_ROUNDS = 20,
	/* On a CPU: the second launch shows that the first one leaves the object ready. */
	CPU_ROUNDS = 2,
	/* The GPU's clocks are low at first: it runs this long before anything counts. */
	WARM_UP_MS = 200,
	MOST_WARM_UPS = 10000
};

const weir_trial *weir_case_find(const weir_shape_case *c, enum weir_form_id form)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->trials[i].form == form)
			return &c->trials[i];
	return NULL;
}

const weir_trial *weir_case_trial(const weir_shape_case *c, enum weir_form_id form)
{
	const weir_trial *trial = weir_case_find(c, form);

	return trial && trial->done ? trial : NULL;
}

const weir_trial *weir_case_reference(const weir_shape_case *c)
{
	const weir_trial *toolkit = weir_case_trial(c, weir_form_toolkit(c->kernel));

	return toolkit ? toolkit : weir_case_trial(c, WEIR_FORM_FIXED);
}

static int is_wanted(const weir_kernels_request *request, const real_size *size)
{
	return (request->sizes & (size->small ? WEIR_SIZES_SMALL : WEIR_SIZES_LARGE)) != 0;
}

static weir_counts threads_of(const weir_kernels_request *request, const real_kernel *kernel)
{
	return request->own_threads && kernel->gpu_threads ? (weir_counts){{kernel->gpu_threads}, 1}
	                                                   : request->threads;
}

static size_t count_cases(const weir_kernels_request *request)
{
	size_t count = 0;

	for (size_t i = 0; request->kernels[i]; i++)
		for (size_t j = 0; j < request->kernels[i]->size_count; j++)
			count += is_wanted(request, &request->kernels[i]->sizes[j])
			             ? threads_of(request, request->kernels[i]).count
			             : 0;
	return count * request->blocks.count;
}

static weir_status open_trials(weir_kernels_bench *bench, const weir_task *task, weir_shape_case *c)
{
	weir_status status = WEIR_OK;

	for (int form = 0; status == WEIR_OK && form < WEIR_FORMS; form++)
		if (bench->request.forms[form] && weir_form_suits(form, c->kernel))
			status = weir_trial_open(&c->trials[c->count++], task, form, c->threads);
	return status;
}

/* How many blocks of the toolkit's form run at once; if it is missing, the largest number of any
 * form. */
static uint32_t resident(const weir_shape_case *c)
{
	uint32_t most = 0;

	for (size_t i = 0; i < c->count; i++) {
		const weir_trial *trial = &c->trials[i];
		if (trial->form == weir_form_toolkit(c->kernel) && trial->cost.resident)
			return trial->cost.resident;
		if (!weir_form_is_graph(trial->form) && trial->cost.resident > most)
			most = trial->cost.resident;
	}
	return most;
}

static uint32_t at_most(uint32_t blocks, uint32_t limit)
{
	return limit && blocks > limit ? limit : blocks;
}

static void settle_blocks(const weir_builds *builds, weir_shape_case *c)
{
	uint32_t most = resident(c);
	const real_kernel *kernel = c->kernel;

	if (c->asked == WEIR_BLOCKS_ONE)
		c->blocks = builds->info.units;
	else if (c->asked == WEIR_BLOCKS_ALL)
		c->blocks =
		    at_most(at_most(most, kernel->most_blocks), kernel->most_in_grid / c->threads);
	else
		c->blocks = c->asked == WEIR_BLOCKS_FEW ? at_most(FEW_BLOCKS, most) : c->asked;
	if (kernel->most_threads && c->threads > kernel->most_threads)
		snprintf(c->left_out, sizeof c->left_out,
		         "does not fit: %s takes at most %s per block", kernel->name,
		         weir_count_figure(kernel->most_threads, "thread").text);
	else if (builds->info.is_gpu && kernel->gpu_threads && c->threads != kernel->gpu_threads)
		snprintf(c->left_out, sizeof c->left_out, "does not fit: %s needs %s per block",
		         kernel->name, weir_count_figure(kernel->gpu_threads, "thread").text);
	else if (most == 0 || c->blocks > most)
		snprintf(c->left_out, sizeof c->left_out, "does not fit: room for %s of %s",
		         weir_count_figure(most, "block").text,
		         weir_count_figure(c->threads, "thread").text);
	else if (kernel->most_blocks && c->blocks > kernel->most_blocks)
		snprintf(c->left_out, sizeof c->left_out, "does not fit: %s takes at most %s",
		         kernel->name, weir_count_figure(kernel->most_blocks, "block").text);
	else if (kernel->most_in_grid && (uint64_t)c->blocks * c->threads > kernel->most_in_grid)
		snprintf(c->left_out, sizeof c->left_out,
		         "does not fit: %s takes at most %s in all", kernel->name,
		         weir_count_figure(kernel->most_in_grid, "thread").text);
}

/* Whether the previous case has the same grid: then it is not measured twice. */
static int is_double(const weir_kernels_bench *bench, const weir_shape_case *c)
{
	for (size_t i = 0; i < bench->count; i++) {
		const weir_shape_case *before = &bench->cases[i];
		if (before->size == c->size && before->threads == c->threads &&
		    before->blocks == c->blocks && before != c)
			return 1;
	}
	return 0;
}

static uint32_t rounds_for(const weir_builds *builds, double ms)
{
	double rounds = ms > 0 ? REPEAT_US / 1e3 / ms + 1 : MOST_ROUNDS;

	if (!builds->info.is_gpu)
		return CPU_ROUNDS;
	return rounds < MOST_ROUNDS ? (uint32_t)rounds : MOST_ROUNDS;
}

/* A driver may lack the functions for graphs. Then only that form is left out. */
static weir_status leave_out(weir_trial *trial, weir_status status)
{
	if (!trial->chain || status == WEIR_TIMED_OUT || status == WEIR_BUSY ||
	    status == WEIR_LAUNCH_FAILED)
		return status;
	weir_trial_leave_out(trial, "left out: %.160s", weir_error_text());
	return WEIR_OK;
}

/* A run that does not count; the very first trial continues until the clocks are up. */
static weir_status warm_up(weir_kernels_bench *bench, const weir_task *task, weir_trial *trial,
                           weir_buffer memory, double *ms)
{
	weir_status status = weir_trial_run(trial, task, memory, 0, 1, ms);

	for (int i = 0; status == WEIR_OK && bench->builds->info.is_gpu &&
	                bench->warmed_ms < WARM_UP_MS && i < MOST_WARM_UPS;
	     i++) {
		status = weir_trial_run(trial, task, memory, 0, 1, ms);
		bench->warmed_ms += *ms;
	}
	return status == WEIR_OK ? status : leave_out(trial, status);
}

static weir_status warm_up_all(weir_kernels_bench *bench, const weir_task *task, weir_shape_case *c,
                               weir_buffer memory, size_t *at)
{
	weir_status status = WEIR_OK;
	double fastest = 0;

	for (size_t i = 0; status == WEIR_OK && i < c->count && !weir_stop_asked(); i++) {
		weir_trial *trial = &c->trials[i];
		double ms = 0;
		*at = i;
		if (*trial->left_out)
			continue;
		trial->ms = weir_need(calloc(bench->request.repeats, sizeof *trial->ms));
		status = warm_up(bench, task, trial, memory, &ms);
		if (ms > 0 && (fastest <= 0 || ms < fastest))
			fastest = ms;
	}
	c->rounds = rounds_for(bench->builds, fastest);
	return status;
}

static weir_status run_repeats(weir_kernels_bench *bench, const weir_task *task, weir_shape_case *c,
                               weir_buffer memory, size_t *at)
{
	weir_status status = warm_up_all(bench, task, c, memory, at);

	for (uint32_t repeat = 0; status == WEIR_OK && repeat < bench->request.repeats; repeat++) {
		for (size_t i = 0; status == WEIR_OK && i < c->count && !weir_stop_asked(); i++) {
			weir_trial *trial = &c->trials[i];
			*at = i;
			if (*trial->left_out)
				continue;
			status = weir_trial_run(trial, task, memory,
			                        (size_t)((repeat + 1) % PLACES) * PLACE_BYTES,
			                        c->rounds, &trial->ms[trial->done]);
			trial->done += status == WEIR_OK;
		}
	}
	return status;
}

static weir_status run_case(weir_kernels_bench *bench, const weir_task *task, weir_shape_case *c,
                            size_t *at)
{
	weir_object_wish wish = {c->kernel, c->size->values, c->blocks};
	weir_buffer memory = {0};
	size_t bytes = 0;
	weir_status status = weir_real_object_bytes(bench->builds, &wish, &bytes);

	for (size_t i = 0; i < c->count; i++)
		weir_trial_fit(&c->trials[i], c->blocks);
	if (status == WEIR_OK)
		status = weir_buffer_create(bench->builds->device,
		                            bytes + (size_t)PLACES * PLACE_BYTES, &memory);
	if (status == WEIR_OK)
		status = run_repeats(bench, task, c, memory, at);
	for (size_t i = 0; i < c->count; i++)
		if (c->trials[i].done)
			weir_trial_conclude(&c->trials[i]);
	if (memory.native)
		weir_buffer_destroy(bench->builds->device, &memory);
	return status;
}

/* Names the case before anything else can fail. */
static void keep_failure(weir_kernels_bench *bench, const weir_shape_case *c, size_t at)
{
	snprintf(bench->failure, sizeof bench->failure, "%s, %s, %s of %s, %s: %.512s",
	         c->kernel->name, c->size->name, weir_count_figure(c->blocks, "block").text,
	         weir_count_figure(c->threads, "thread").text,
	         at < c->count ? weir_forms[c->trials[at].form].name : "", weir_error_text());
}

static weir_status play(weir_kernels_bench *bench, const weir_task *task, uint32_t threads,
                        uint32_t asked)
{
	weir_shape_case *c = &bench->cases[bench->count];
	size_t at = 0;

	memset(c, 0, sizeof *c);
	c->kernel = task->kernel;
	c->size = task->size;
	c->threads = threads;
	c->asked = asked;
	weir_status status = open_trials(bench, task, c);
	if (status == WEIR_OK) {
		settle_blocks(bench->builds, c);
		if (is_double(bench, c))
			c->count = 0;
		else if (!*c->left_out)
			status = run_case(bench, task, c, &at);
	}
	if (status != WEIR_OK)
		keep_failure(bench, c, at);
	for (size_t i = 0; i < c->count; i++)
		weir_trial_close(&c->trials[i]);
	bench->count += c->count != 0;
	return status;
}

static weir_status play_size(weir_kernels_bench *bench, const real_kernel *kernel,
                             const real_size *size, weir_progress *progress)
{
	const weir_kernels_request *request = &bench->request;
	weir_counts threads = threads_of(request, kernel);
	size_t first = bench->count;
	weir_task task;
	weir_status status = weir_task_open(&task, bench->builds, kernel, size);

	if (status != WEIR_OK)
		snprintf(bench->failure, sizeof bench->failure, "%s, %s: %.512s", kernel->name,
		         size->name, weir_error_text());
	for (uint32_t i = 0; i < threads.count; i++) {
		for (uint32_t j = 0; j < request->blocks.count; j++) {
			if (status == WEIR_OK && !weir_stop_asked())
				status = play(bench, &task, threads.values[i],
				              request->blocks.values[j]);
			weir_progress_add(progress, weir_stop_asked() ? 0 : 1);
		}
	}
	weir_task_close(&task);
	if (bench->after_size)
		bench->after_size(bench, first);
	return status;
}

weir_status weir_kernels_run(weir_kernels_bench *bench)
{
	const weir_kernels_request *request = &bench->request;
	size_t count = count_cases(request);
	weir_status status = WEIR_OK;
	weir_progress progress;

	bench->cases = weir_need(calloc(count + 1, sizeof *bench->cases));
	weir_progress_begin(&progress, "measuring", "case", (double)count);
	for (size_t i = 0; request->kernels[i]; i++) {
		const real_kernel *kernel = request->kernels[i];
		for (size_t j = 0; j < kernel->size_count; j++)
			if (status == WEIR_OK && !weir_stop_asked() &&
			    is_wanted(request, &kernel->sizes[j]))
				status = play_size(bench, kernel, &kernel->sizes[j], &progress);
	}
	weir_progress_end(&progress);
	return status;
}

void weir_kernels_free(weir_kernels_bench *bench)
{
	for (size_t i = 0; i < bench->count; i++)
		for (size_t j = 0; j < bench->cases[i].count; j++)
			weir_trial_free(&bench->cases[i].trials[j]);
	free(bench->cases);
	bench->cases = NULL;
	bench->count = 0;
}
