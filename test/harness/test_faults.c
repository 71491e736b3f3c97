/* Deliberate faults: blocks that start late or never, leave early, leave while they hold a lock or
 * a slot, or give up. The others finish or learn of it, nothing is granted twice or lost, and a
 * later launch works. */
#include "harness.h"

#include "faults_kernels.h"

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(bounded_mutex_free), HARNESS_ENTRY(bounded_semaphore_full),
    HARNESS_ENTRY(faults_mutex), HARNESS_ENTRY(faults_semaphore), HARNESS_ENTRY(faults_barrier)};

static const char *const names[FAULTS] = {
    "no fault",         "some start late",           "some never start",
    "some leave early", "some leave with their own", "some give up"};

#define ROUNDS 20
#define LONG_NS 4000000000u
#define SHORT_NS 200000000u /* until blocks that wait for a lost lock or slot time out */

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

/* Whether each block completed its rounds, where enough slots remain for all blocks that stay. */
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

/* A block left with the only slot or lock: all other blocks that were not done by then timed
 * out. */
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

/* No block left with the lock: on a busy computer, the blocks that should have left had timed out
 * earlier. That says nothing about the lock. */
static int none_left_with_it(const harness *h, uint32_t blocks)
{
	for (uint32_t i = 0; i < blocks; i++)
		if (is_victim(i) && late(h, i) != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

static harness_object make(harness *h, harness_order order, const char *kernel, uint32_t blocks)
{
	harness_object o = harness_make(h, order);

	o.launch.kernel = kernel;
	o.launch.params.rounds = ROUNDS;
	o.launch.params.length = LONG_NS;
	o.launch.params.hold = h->info.is_gpu ? 50000 : 2000000;
	o.launch.params.seed = blocks;
	o.launch.grid[0] = blocks;
	o.launch.threads = harness_threads(h, 32);
	o.launch.together = 1;
	return o;
}

static void mutex(harness *h, const weir_kind *kind, uint32_t slots, uint32_t blocks)
{
	harness_object m =
	    make(h,
	         (harness_order){.primitive = WEIR_PRIMITIVE_MUTEX,
	                         .kind = kind->value,
	                         .options.mutex.queue_slots = harness_slots(kind, slots)},
	         "faults_mutex", blocks);
	harness_params *params = &m.launch.params;

	for (uint32_t fault = FAULT_LATE; fault < FAULTS; fault++) {
		int right;
		params->base = fault;
		params->length = fault == FAULT_HOLDING ? SHORT_NS : LONG_NS;
		harness_run(h, &m.launch, 0);
		while (fault == FAULT_HOLDING && none_left_with_it(h, blocks) &&
		       params->length < LONG_NS / 2) {
			harness_need(weir_mutex_reset(h->device, m.is.mutex), "weir_mutex_reset");
			params->length *= 2;
			harness_run(h, &m.launch, 0);
		}
		right =
		    fault == FAULT_HOLDING ? all_told(h, blocks) : all_finished(h, blocks, fault);
		right = right && harness_words_are(h, BOUNDED_WIDTH, sum(h, blocks));
		if (fault == FAULT_HOLDING)
			harness_need(weir_mutex_reset(h->device, m.is.mutex), "weir_mutex_reset");
		right = right && harness_runs_alone(h, &m.launch, "bounded_mutex_free");
		params->base = FAULT_NONE;
		params->length = LONG_NS;
		harness_run(h, &m.launch, 0);
		right = right && all_finished(h, blocks, FAULT_NONE);
		harness_verdict(h, right, 0, "mutex %s, %u slots: %u blocks, %s", kind->name, slots,
		                blocks, names[fault]);
	}
	harness_unmake(h, &m);
}

static void semaphore(harness *h, const weir_kind *kind, uint32_t blocks)
{
	uint32_t value = victims(blocks) + 2;

	for (uint32_t fault = FAULT_LATE; fault < FAULTS; fault++) {
		int right;
		/* Made again for each fault: the count after it starts at 0. */
		harness_object s = make(h,
		                        (harness_order){.primitive = WEIR_PRIMITIVE_SEMAPHORE,
		                                        .kind = kind->value,
		                                        .initial = value,
		                                        .count = value,
		                                        .behind = 32},
		                        "faults_semaphore", blocks);
		harness_params *params = &s.launch.params;
		params->value = value;
		params->base = fault;
		harness_run(h, &s.launch, 0);
		right = all_finished(h, blocks, fault);
		if (fault == FAULT_HOLDING)
			params->value = value - victims(blocks);
		right = right && harness_runs_alone(h, &s.launch, "bounded_semaphore_full");
		/* The blocks that left took their slots and their part of the count with them. */
		params->value = value;
		params->base = FAULT_NONE;
		harness_run(h, &s.launch, 0);
		right = right && all_finished(h, blocks, FAULT_NONE);
		harness_need(weir_semaphore_reset(h->device, s.is.semaphore),
		             "weir_semaphore_reset");
		right = right && harness_runs_alone(h, &s.launch, "bounded_semaphore_full");
		harness_verdict(h, right, 0, "semaphore %s of %u: %u blocks, %s", kind->name, value,
		                blocks, names[fault]);
		harness_unmake(h, &s);
	}
}

/* All blocks that stayed passed the same phases, `passed` of them unless any number is right. The
 * next phase, if there was one, timed out for them. */
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

/* A barrier at which victims do not arrive: the others pass `passed` phases and then time out. If
 * not all threads of all blocks start before a short deadline, they time out earlier, and the
 * deadline gets longer. */
static int is_broken_in_time(harness *h, harness_object *b, uint32_t fault, uint32_t passed)
{
	uint32_t blocks = b->launch.grid[0];

	for (uint64_t ns = 50000000; ns < LONG_NS; ns *= 2) {
		b->launch.params.length = (uint32_t)ns;
		harness_run(h, &b->launch, 0);
		if (!all_agree(h, blocks, fault, got(h, 0)) || got(h, 0) >= passed)
			return got(h, 0) == passed && all_agree(h, blocks, fault, passed);
		harness_need(weir_barrier_reset(h->device, b->is.barrier), "weir_barrier_reset");
	}
	return 0;
}

static void barrier(harness *h, const weir_kind *kind, uint32_t blocks)
{
	harness_object b =
	    make(h,
	         (harness_order){
		     .primitive = WEIR_PRIMITIVE_BARRIER, .kind = kind->value, .count = blocks},
	         "faults_barrier", blocks);

	for (uint32_t fault = FAULT_LATE; fault < FAULTS; fault++) {
		int right;
		if (fault == FAULT_HOLDING)
			continue; /* no block holds a barrier */
		b.launch.params.base = fault;
		if (fault == FAULT_NEVER || fault == FAULT_EXIT) {
			right =
			    is_broken_in_time(h, &b, fault, fault == FAULT_NEVER ? 0 : ROUNDS / 2);
		} else {
			b.launch.params.length = LONG_NS;
			harness_run(h, &b.launch, 0);
			right = all_agree(h, blocks, fault, ROUNDS);
		}
		harness_need(weir_barrier_reset(h->device, b.is.barrier), "weir_barrier_reset");
		b.launch.params.base = FAULT_NONE;
		b.launch.params.length = LONG_NS;
		harness_run(h, &b.launch, 0);
		right = right && all_agree(h, blocks, FAULT_NONE, ROUNDS);
		harness_verdict(h, right, 0, "barrier %s: %u blocks, %s", kind->name, blocks,
		                names[fault]);
	}
	harness_unmake(h, &b);
}

static void test_all(harness *h)
{
	uint32_t most = harness_resident(h, "faults_mutex", 32);
	uint32_t blocks = h->info.is_gpu ? h->info.units : h->small ? 4 : 7;

	if (blocks > most)
		blocks = most;
	HARNESS_KINDS (h, WEIR_PRIMITIVE_MUTEX, kind) {
		mutex(h, kind, 0, blocks);
		if (kind->queue == WEIR_QUEUE_TIMED)
			mutex(h, kind, blocks, blocks);
	}
	HARNESS_KINDS (h, WEIR_PRIMITIVE_SEMAPHORE, kind)
		semaphore(h, kind, blocks);
	HARNESS_KINDS (h, WEIR_PRIMITIVE_BARRIER, kind)
		if (kind->role != WEIR_BY_VENDOR)
			barrier(h, kind, blocks);
}

static const harness_family family = {.name = "faults", .clock = "faults_mutex", .all = test_all};

HARNESS_MAIN(&family, entries)
