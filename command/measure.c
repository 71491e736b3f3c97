/* A benchmark point on a device. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "kernels/bench_kernels.h"
#include "measure_programs.h"
#include "measure_sim.h"

extern const void *const bench_cuda_image;
extern const char *const bench_opencl_text;

enum {
	PILOT_ROUNDS = 4,
	WARM_UP_MS = 20,
	MOST_WARM_UPS = 50,
	MOST_REPEATS = 1000,
	/* A launch that takes so much longer than its limit hangs. */
	HANG_FACTOR = 20,
	HANG_S = 60
};

weir_status weir_bench_program(weir_device *device, weir_program **program)
{
	static const weir_host_entry entries[] = {{"mutex_bench", mutex_bench_entry},
	                                          {"semaphore_bench", semaphore_bench_entry},
	                                          {"barrier_bench", barrier_bench_entry}};
	const weir_program_text text = {.cuda_image = bench_cuda_image,
	                                .opencl_text = bench_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = sizeof entries / sizeof entries[0]};
	return weir_program_create(device, &text, program);
}

int weir_has_cuda_kernels(void)
{
	return bench_cuda_image != NULL;
}

int weir_meter_open(const char *device, weir_meter *meter)
{
	memset(meter, 0, sizeof *meter);
	if (weir_sim_is_name(device))
		return weir_sim_meter_open(device, meter);
	int status = weir_open_device(device, &meter->device, &meter->info);
	if (status)
		return status;
	if (weir_bench_program(meter->device, &meter->bench) == WEIR_OK &&
	    weir_probe_program(meter->device, &meter->probe) == WEIR_OK)
		return 0;
	weir_complain(WEIR_EXIT_FAILED, "%s: %s", meter->info.name, weir_error_text());
	weir_meter_close(meter);
	return WEIR_EXIT_FAILED;
}

void weir_meter_close(weir_meter *meter)
{
	if (meter->device)
		weir_device_close(meter->device); /* and the programs with it */
	free(meter->sim);
	memset(meter, 0, sizeof *meter);
}

static const char *kernel_name(enum weir_primitive primitive)
{
	return primitive == WEIR_PRIMITIVE_BARRIER ? "barrier_bench"
	       : primitive == WEIR_PRIMITIVE_MUTEX ? "mutex_bench"
	                                           : "semaphore_bench";
}

weir_status weir_measure_most_blocks(weir_meter *meter, uint32_t threads, uint32_t *blocks)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	*blocks = UINT32_MAX;
	if (meter->sim) {
		*blocks = weir_sim_most_blocks(meter, threads);
		return WEIR_OK;
	}
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		weir_kernel kernel;
		uint32_t fit;
		weir_status status =
		    weir_program_kernel(meter->bench, kernel_name(all[i]), &kernel);
		if (status == WEIR_OK)
			status = weir_resident_blocks(meter->device, kernel, threads, 0, &fit);
		if (status != WEIR_OK)
			return status;
		*blocks = fit < *blocks ? fit : *blocks;
	}
	return WEIR_OK;
}

weir_backoff weir_untuned_backoff(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *found = weir_kind_find(primitive, kind);
	weir_backoff untuned = {WEIR_BACKOFF_MIN, WEIR_BACKOFF_MAX};
	return found && found->backs_off ? untuned : weir_no_backoff();
}

/* The object that is measured, with the memory that the kernel writes to. */
struct subject {
	weir_meter *meter;
	const weir_point *wanted;
	weir_barrier barrier;
	weir_mutex mutex;
	weir_semaphore semaphore;
	void *words;
	weir_config config;
	weir_buffer data;
	uint32_t *copy;
	uint64_t added; /* what all launches so far added to the first word of the work */
};

static weir_status create_object(struct subject *subject, weir_backoff backoff)
{
	weir_device *device = subject->meter->device;
	const weir_point *wanted = subject->wanted;
	weir_options options = {.backoff = backoff};
	weir_status status;

	switch (wanted->primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		status = weir_barrier_create_with(device, (weir_barrier_kind)wanted->kind,
		                                  wanted->blocks, &options, &subject->barrier);
		subject->words = subject->barrier.words;
		subject->config = subject->barrier.config;
		return status;
	case WEIR_PRIMITIVE_MUTEX:
		status = weir_mutex_create_with(device, (weir_mutex_kind)wanted->kind, &options,
		                                &subject->mutex);
		subject->words = subject->mutex.words;
		subject->config = subject->mutex.config;
		return status;
	case WEIR_PRIMITIVE_SEMAPHORE:
		status = weir_semaphore_create_with(device, (weir_semaphore_kind)wanted->kind,
		                                    wanted->initial, wanted->initial, &options,
		                                    &subject->semaphore);
		subject->words = subject->semaphore.words;
		subject->config = subject->semaphore.config;
		return status;
	case WEIR_PRIMITIVE_MUTEX_ARRAY:
	case WEIR_PRIMITIVE_BUFFER:
		break;
	}
	return weir_fail(WEIR_BAD_ARGUMENT, "no benchmark for that");
}

static void destroy_subject(struct subject *subject)
{
	weir_device *device = subject->meter->device;

	free(subject->copy);
	if (subject->data.native)
		weir_buffer_destroy(device, &subject->data);
	if (subject->barrier.words)
		weir_barrier_destroy(device, &subject->barrier);
	if (subject->mutex.words)
		weir_mutex_destroy(device, &subject->mutex);
	if (subject->semaphore.words)
		weir_semaphore_destroy(device, &subject->semaphore);
}

static weir_status create_subject(struct subject *subject, weir_backoff backoff)
{
	const weir_point *wanted = subject->wanted;
	size_t work = wanted->primitive == WEIR_PRIMITIVE_BARRIER ? 2
	              : wanted->primitive == WEIR_PRIMITIVE_MUTEX
	                  ? wanted->work
	                  : (size_t)wanted->blocks * wanted->work;
	size_t words = (size_t)wanted->blocks * BENCH_BLOCK_WORDS + work;

	subject->copy = weir_need(calloc(words + 1, sizeof(uint32_t)));
	weir_status status =
	    weir_buffer_create(subject->meter->device, words * sizeof(uint32_t), &subject->data);
	return status == WEIR_OK ? create_object(subject, backoff) : status;
}

/* One launch. */
struct outcome {
	double per_second;
	double jain;
	double worst_share;
	uint64_t completed;
	double ms;
	int cut; /* a block did less than was asked of it */
	int clocked;
};

/* Jain's index and the worst share, of the blocks' own rates: what a block completed, by the time
 * that it took. */
static void judge_fairness(const struct subject *subject, struct outcome *outcome)
{
	uint32_t blocks = subject->wanted->blocks;
	double sum = 0;
	double squares = 0;
	double least = -1;

	for (uint32_t i = 0; i < blocks; i++) {
		const uint32_t *mine = subject->copy + (size_t)i * BENCH_BLOCK_WORDS;
		if (mine[BENCH_TIME_NS] == 0)
			return;
		double rate = (double)mine[BENCH_DONE] / mine[BENCH_TIME_NS];
		sum += rate;
		squares += rate * rate;
		least = least < 0 || rate < least ? rate : least;
	}
	outcome->clocked = 1;
	if (subject->wanted->primitive == WEIR_PRIMITIVE_BARRIER || squares <= 0)
		return;
	outcome->jain = fmin(sum * sum / (blocks * squares), 1);
	outcome->worst_share = fmin(least * blocks / sum, 1);
}

/* Mutual exclusion itself: the work adds 1 to a plain word for each operation. */
static weir_status check_work(struct subject *subject, uint64_t completed)
{
	const weir_point *wanted = subject->wanted;

	subject->added += completed;
	if (wanted->primitive != WEIR_PRIMITIVE_MUTEX || wanted->work == 0)
		return WEIR_OK;
	uint32_t counted = subject->copy[(size_t)wanted->blocks * BENCH_BLOCK_WORDS];
	if (counted == (uint32_t)subject->added)
		return WEIR_OK;
	return weir_fail(WEIR_LAUNCH_FAILED,
	                 "%s mutex, %u blocks: %u of %u increments under the lock were kept",
	                 weir_kind_name(wanted->primitive, wanted->kind), wanted->blocks, counted,
	                 (uint32_t)subject->added);
}

static weir_status judge(struct subject *subject, uint32_t rounds, struct outcome *outcome)
{
	const weir_point *wanted = subject->wanted;
	weir_status status = weir_buffer_read(subject->meter->device, subject->data, 0,
	                                      subject->copy, subject->data.bytes);
	if (status != WEIR_OK)
		return status;
	for (uint32_t i = 0; i < wanted->blocks; i++) {
		uint32_t done = subject->copy[(size_t)i * BENCH_BLOCK_WORDS + BENCH_DONE];
		outcome->completed += done;
		outcome->cut |= done < rounds;
	}
	if (wanted->primitive == WEIR_PRIMITIVE_BARRIER) {
		uint64_t passed = subject->copy[BENCH_DONE];
		if (outcome->completed != passed * wanted->blocks)
			return weir_fail(WEIR_LAUNCH_FAILED,
			                 "%s barrier, %u blocks: not all passed it equally often",
			                 weir_kind_name(wanted->primitive, wanted->kind),
			                 wanted->blocks);
		outcome->completed = passed;
	}
	if (outcome->ms > 0)
		outcome->per_second = (double)outcome->completed / outcome->ms * 1e3;
	judge_fairness(subject, outcome);
	return check_work(subject, outcome->completed);
}

static weir_status run_once(struct subject *subject, uint32_t rounds, double limit_s,
                            struct outcome *outcome)
{
	weir_meter *meter = subject->meter;
	double limit_us = limit_s * 1e6;
	bench_params params = {subject->config, rounds, subject->wanted->work,
	                       limit_us < 4e9 ? (uint32_t)(limit_us + 0.999) : UINT32_MAX};
	weir_argument arguments[] = {{&subject->words, sizeof subject->words},
	                             {&subject->data.native, sizeof subject->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.grid = {subject->wanted->blocks},
	                      .block = {subject->wanted->threads},
	                      .cooperative = 1,
	                      .arguments = arguments,
	                      .argument_count = 3};
	uint64_t deadline_ns = limit_s > 0 ? (uint64_t)((HANG_S + HANG_FACTOR * limit_s) * 1e9) : 0;

	memset(outcome, 0, sizeof *outcome);
	weir_status status = weir_program_kernel(
	    meter->bench, kernel_name(subject->wanted->primitive), &launch.kernel);
	if (status == WEIR_OK)
		status = weir_kernel_launch(meter->device, &launch);
	if (status == WEIR_OK)
		status = weir_device_wait(meter->device, deadline_ns, &outcome->ms);
	return status == WEIR_OK ? judge(subject, rounds, outcome) : status;
}

/* Without a clock in the kernel only fewer rounds keep a launch to its limit: how many, short runs
 * say, each longer than the one before. */
static weir_status fit_rounds(struct subject *subject, double limit_s, uint32_t *rounds)
{
	struct outcome outcome;
	uint32_t pilot = *rounds < PILOT_ROUNDS ? *rounds : PILOT_ROUNDS;
	weir_status status = run_once(subject, pilot, limit_s, &outcome);

	while (status == WEIR_OK && limit_s > 0 && !outcome.clocked && pilot < *rounds / 8 &&
	       outcome.ms < limit_s * 1e3 / 16) {
		pilot *= 8;
		status = run_once(subject, pilot, limit_s, &outcome);
	}
	if (status == WEIR_OK && limit_s > 0 && !outcome.clocked && outcome.ms > 0) {
		double fit = pilot * limit_s * 1e3 / outcome.ms;
		*rounds = fit >= *rounds ? *rounds : fit < 1 ? 1 : (uint32_t)fit;
	}
	return status;
}

/* A GPU's clocks are low at first. */
static weir_status warm_up(struct subject *subject, double limit_s, uint32_t rounds)
{
	struct outcome outcome;
	weir_status status = WEIR_OK;
	double spent = 0;

	for (int i = 0; status == WEIR_OK && i < MOST_WARM_UPS && spent < WARM_UP_MS; i++) {
		status = run_once(subject, rounds, limit_s, &outcome);
		spent += outcome.ms;
	}
	return status;
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const struct outcome *)left)->per_second;
	double b = ((const struct outcome *)right)->per_second;
	return (a > b) - (a < b);
}

static void summarize(struct outcome *outcomes, uint32_t count, weir_point *result)
{
	qsort(outcomes, count, sizeof *outcomes, by_rate);
	const struct outcome *median = &outcomes[count / 2];
	result->repeats = count;
	result->per_second = median->per_second;
	result->low = outcomes[0].per_second;
	result->high = outcomes[count - 1].per_second;
	result->jain = median->jain;
	result->worst_share = median->worst_share;
	result->completed = median->completed;
}

static weir_status run_repeats(struct subject *subject, double limit_s, weir_point *result)
{
	uint32_t rounds = subject->wanted->rounds;
	uint32_t repeats = subject->wanted->repeats;
	double each_s = limit_s / (repeats + 1);
	struct outcome *outcomes = weir_need(calloc(repeats, sizeof *outcomes));
	weir_status status = fit_rounds(subject, each_s, &rounds);
	double spent_s = 0;
	uint32_t done = 0;

	if (status == WEIR_OK && subject->meter->info.is_gpu)
		status = warm_up(subject, each_s, rounds);
	result->timed_out = rounds < subject->wanted->rounds;
	while (status == WEIR_OK && done < repeats) {
		struct outcome *outcome = &outcomes[done];
		status = run_once(subject, rounds, each_s, outcome);
		if (status != WEIR_OK)
			break;
		done++;
		result->timed_out |= outcome->cut;
		spent_s += outcome->ms * 1e-3;
		if ((limit_s > 0 && spent_s > limit_s) || weir_stop_asked())
			break;
	}
	if (status == WEIR_OK)
		summarize(outcomes, done, result);
	free(outcomes);
	return status;
}

weir_status weir_measure_point(weir_meter *meter, const weir_point *wanted, double limit_s,
                               weir_backoff backoff, weir_point *result)
{
	struct subject subject = {.meter = meter, .wanted = wanted};

	if (wanted->blocks == 0 || wanted->threads == 0 || wanted->rounds == 0 ||
	    wanted->repeats == 0 || wanted->repeats > MOST_REPEATS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a benchmark without blocks or repeats");
	if (meter->sim)
		return weir_sim_measure_point(meter, wanted, backoff, result);
	*result = *wanted;
	weir_status status = create_subject(&subject, backoff);
	if (status == WEIR_OK)
		status = run_repeats(&subject, limit_s, result);
	destroy_subject(&subject);
	return status;
}
