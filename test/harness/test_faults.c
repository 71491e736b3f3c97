/* Faults on purpose: blocks that start late, never, leave early, leave with what they hold, or give
 * up. The others finish or are told, nothing is granted twice or lost, and a later launch works. */
#include "harness.h"

#include <stdio.h>

#include "faults_kernels.h"

static const weir_host_entry entries[] = {{"bounded_mutex_free", bounded_mutex_free_entry},
                                          {"bounded_semaphore_full", bounded_semaphore_full_entry},
                                          {"faults_mutex", faults_mutex_entry},
                                          {"faults_semaphore", faults_semaphore_entry},
                                          {"faults_barrier", faults_barrier_entry}};

static const char *const names[FAULTS] = {
    "no fault",         "some start late",           "some never start",
    "some leave early", "some leave with their own", "some give up"};

#define ROUNDS 20
#define LONG_NS 4000000000u
#define SHORT_NS 200000000u /* until blocks that wait for a lost lock or slot are told */

static int is_victim(uint32_t block)
{
	return block % 3 == 1;
}

static uint32_t victims(uint32_t blocks)
{
	return (blocks + 1) / 3;
}

static uint32_t got(const harness *h, uint32_t block)
{
	return BOUNDED_OWN(h->copy, block)[BOUNDED_GOT];
}

static uint32_t late(const harness *h, uint32_t block)
{
	return BOUNDED_OWN(h->copy, block)[BOUNDED_LATE];
}

static uint32_t sum(const harness *h, uint32_t blocks)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < blocks; i++)
		all += got(h, i);
	return all;
}

/* Whether each block completed its rounds, where enough is left for all blocks that stay. */
static int all_finished(const harness *h, uint32_t blocks, uint32_t fault)
{
	for (uint32_t i = 0; i < blocks; i++) {
		uint32_t wanted = !is_victim(i)            ? ROUNDS
		                  : fault == FAULT_NEVER   ? 0
		                  : fault == FAULT_EXIT    ? ROUNDS / 2
		                  : fault == FAULT_HOLDING ? ROUNDS / 2 + 1
		                                           : ROUNDS;
		if (fault == FAULT_GIVE_UP && is_victim(i)) {
			if (got(h, i) + late(h, i) != ROUNDS)
				return 0;
		} else if (got(h, i) != wanted || late(h, i) != 0) {
			return 0;
		}
	}
	return h->copy[HARNESS_ERRORS] == 0;
}

/* A block left with the only slot or lock: all other blocks that were not done by then were
 * told. */
static int all_told(const harness *h, uint32_t blocks)
{
	uint32_t gone = 0;

	for (uint32_t i = 0; i < blocks; i++) {
		int left_with_it = is_victim(i) && got(h, i) == ROUNDS / 2 + 1 && late(h, i) == 0;
		gone += (uint32_t)left_with_it;
		if (!left_with_it && got(h, i) != ROUNDS && late(h, i) != 1)
			return 0;
	}
	return gone == 1 && h->copy[HARNESS_ERRORS] == 0;
}

/* No block left with the lock: on a busy computer the blocks that should have waited too long for it
 * before. That says nothing about the lock. */
static int none_left_with_it(const harness *h, uint32_t blocks)
{
	for (uint32_t i = 0; i < blocks; i++)
		if (is_victim(i) && late(h, i) != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

static harness_launch launch_of(const harness *h, const char *kernel, void *words,
                                weir_any_config config, uint32_t blocks)
{
	harness_launch launch = {.kernel = kernel,
	                         .words = words,
	                         .params = {.config = config,
	                                    .rounds = ROUNDS,
	                                    .length = LONG_NS,
	                                    .hold = h->info.is_gpu ? 50000 : 2000000,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = harness_threads(h, 32),
	                         .together = 1};
	return launch;
}

static void mutex(harness *h, const char *name, weir_mutex_kind kind, uint32_t slots,
                  uint32_t blocks)
{
	weir_options options = {.slots = slots};
	weir_mutex m;

	harness_need(weir_mutex_create_with(h->device, kind, &options, &m),
	             "weir_mutex_create_with");
	harness_launch launch =
	    launch_of(h, "faults_mutex", m.words, (weir_any_config){.mutex = m.config}, blocks);
	for (uint32_t fault = FAULT_LATE; fault < FAULTS; fault++) {
		int right;
		launch.params.base = fault;
		launch.params.length = fault == FAULT_HOLDING ? SHORT_NS : LONG_NS;
		harness_run(h, &launch, 0);
		while (fault == FAULT_HOLDING && none_left_with_it(h, blocks) &&
		       launch.params.length < LONG_NS / 2) {
			harness_need(weir_mutex_reset(h->device, m), "weir_mutex_reset");
			launch.params.length *= 2;
			harness_run(h, &launch, 0);
		}
		right =
		    fault == FAULT_HOLDING ? all_told(h, blocks) : all_finished(h, blocks, fault);
		right = right && harness_words_are(h, BOUNDED_WIDTH, sum(h, blocks));
		if (fault == FAULT_HOLDING)
			harness_need(weir_mutex_reset(h->device, m), "weir_mutex_reset");
		right = right && harness_runs_alone(h, &launch, "bounded_mutex_free");
		launch.params.base = FAULT_NONE;
		launch.params.length = LONG_NS;
		harness_run(h, &launch, 0);
		right = right && all_finished(h, blocks, FAULT_NONE);
		harness_verdict(h, right, 0, "%s, %u slots: %u blocks, %s", name, slots, blocks,
		                names[fault]);
	}
	harness_need(weir_mutex_destroy(h->device, &m), "weir_mutex_destroy");
}

static void semaphore(harness *h, const char *name, weir_semaphore_kind kind, uint32_t blocks)
{
	uint32_t value = victims(blocks) + 2;
	size_t bytes, alignment;
	weir_semaphore s;
	weir_status status = weir_semaphore_size(h->device, kind, value, NULL, &bytes, &alignment);

	if (status == WEIR_UNSUPPORTED) {
		printf("       %s: %s, left out\n", name, weir_error_text());
		return;
	}
	harness_need(status, "weir_semaphore_size");
	for (uint32_t fault = FAULT_LATE; fault < FAULTS; fault++) {
		int right;
		/* Made anew for each fault: the count behind it begins at 0. */
		harness_place place = harness_place_of(h, bytes, alignment);
		harness_need(
		    weir_semaphore_create_with(h->device, kind, value, value, &place.options, &s),
		    "weir_semaphore_create_with");
		harness_launch launch = launch_of(h, "faults_semaphore", place.memory.native,
		                                  (weir_any_config){.semaphore = s.config}, blocks);
		launch.params.second.object.offset = place.behind;
		launch.params.value = value;
		launch.params.base = fault;
		harness_run(h, &launch, 0);
		right = all_finished(h, blocks, fault);
		if (fault == FAULT_HOLDING)
			launch.params.value = value - victims(blocks);
		right = right && harness_runs_alone(h, &launch, "bounded_semaphore_full");
		/* The blocks that left took their slots and their part of the count with them. */
		launch.params.value = value;
		launch.params.base = FAULT_NONE;
		harness_run(h, &launch, 0);
		right = right && all_finished(h, blocks, FAULT_NONE);
		harness_need(weir_semaphore_reset(h->device, s), "weir_semaphore_reset");
		right = right && harness_runs_alone(h, &launch, "bounded_semaphore_full");
		harness_verdict(h, right, 0, "%s of %u: %u blocks, %s", name, value, blocks,
		                names[fault]);
		harness_need(weir_semaphore_destroy(h->device, &s), "weir_semaphore_destroy");
		harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
	}
}

/* All blocks that stayed passed the same phases, `passed` of them unless any number is right. They
 * were told of the next one unless there was none. */
static int all_agree(const harness *h, uint32_t blocks, uint32_t fault, uint32_t passed)
{
	int leave = fault == FAULT_NEVER || fault == FAULT_EXIT;

	for (uint32_t i = 0; i < blocks; i++) {
		if (leave && is_victim(i))
			continue;
		if (got(h, i) != got(h, 0) || late(h, i) != (got(h, i) < ROUNDS))
			return 0;
	}
	return fault == FAULT_GIVE_UP || got(h, 0) == passed;
}

/* A barrier that victims do not come to: the others pass `passed` phases and are told. Not all
 * threads of all blocks may start before a short deadline: then they are told earlier, and the
 * deadline gets longer. */
static int is_broken_in_time(harness *h, weir_barrier b, harness_launch *launch, uint32_t fault,
                             uint32_t passed)
{
	uint32_t blocks = launch->grid[0];

	for (uint64_t ns = 50000000; ns < LONG_NS; ns *= 2) {
		launch->params.length = (uint32_t)ns;
		harness_run(h, launch, 0);
		if (!all_agree(h, blocks, fault, got(h, 0)) || got(h, 0) >= passed)
			return got(h, 0) == passed && all_agree(h, blocks, fault, passed);
		harness_need(weir_barrier_reset(h->device, b), "weir_barrier_reset");
	}
	return 0;
}

static void barrier(harness *h, const char *name, weir_barrier_kind kind, uint32_t blocks)
{
	weir_barrier b;

	harness_need(weir_barrier_create(h->device, kind, blocks, &b), "weir_barrier_create");
	harness_launch launch =
	    launch_of(h, "faults_barrier", b.words, (weir_any_config){.barrier = b.config}, blocks);
	for (uint32_t fault = FAULT_LATE; fault < FAULTS; fault++) {
		int right;
		if (fault == FAULT_HOLDING)
			continue; /* no block holds a barrier */
		launch.params.base = fault;
		if (fault == FAULT_NEVER || fault == FAULT_EXIT) {
			right = is_broken_in_time(h, b, &launch, fault,
			                          fault == FAULT_NEVER ? 0 : ROUNDS / 2);
		} else {
			launch.params.length = LONG_NS;
			harness_run(h, &launch, 0);
			right = all_agree(h, blocks, fault, ROUNDS);
		}
		harness_need(weir_barrier_reset(h->device, b), "weir_barrier_reset");
		launch.params.base = FAULT_NONE;
		launch.params.length = LONG_NS;
		harness_run(h, &launch, 0);
		right = right && all_agree(h, blocks, FAULT_NONE, ROUNDS);
		harness_verdict(h, right, 0, "%s: %u blocks, %s", name, blocks, names[fault]);
	}
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
}

int main(int argc, char **argv)
{
	weir_kernel kernel;
	harness h;
	int status;

	if (harness_open(&h, argc, argv, "faults", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	if (weir_program_kernel(h.program, "faults_mutex", &kernel) != WEIR_OK) {
		printf("skipped: kernels have no clock on %s\n", h.info.name);
		return HARNESS_SKIPPED;
	}
	uint32_t most = harness_resident(&h, "faults_mutex", 32);
	uint32_t blocks = h.info.is_gpu ? h.info.units : h.small ? 4 : 7;
	if (blocks > most)
		blocks = most;
#define ROW(name, NAME, value, fair, queue, pause, ...)                                            \
	mutex(&h, "mutex " #name, WEIR_MUTEX_##NAME, 0, blocks);                                   \
	if (queue == WEIR_QUEUE_TIMED)                                                             \
		mutex(&h, "mutex " #name, WEIR_MUTEX_##NAME, blocks, blocks);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) semaphore(&h, "semaphore " #name, WEIR_SEMAPHORE_##NAME, blocks);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...) barrier(&h, "barrier " #name, WEIR_BARRIER_##NAME, blocks);
	WEIR_BARRIER_KINDS(ROW)
#undef ROW
	return harness_close(&h);
}
