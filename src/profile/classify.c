/* The machine abstraction of Stuart and Owens: three answers from the twelve memory benchmarks, and
 * the kinds that follow from them. The bounds are argued from their two machines, GT200 and GF100,
 * and from one that they did not have, an H200. */
#include <string.h>

#include "weir/profile.h"

static double ratio(const weir_probe *probe, int above, int below)
{
	return probe->ms[above] / probe->ms[below];
}

/* WEIR_CLASS_SLOW_ATOMICS: the paper finds spin locks tempting on GF100 since its contentious
 * atomics "are not even an order of magnitude slower" than volatile accesses (3x), and clearly poor
 * on GT200 (92x). So the bound is an order of magnitude.
 *
 * Reads and writes each have a ratio. The ratio of reads is the cost of a wait: an atomic attempt
 * instead of a poll. It decides between spinning and sleeping. The ratio of writes is the cost of a
 * release: an exchange instead of a store. On an H200 these are 2.5 and 68, since stores to one
 * word merge and no thread waits for them. No kind that we ship releases by an exchange where a
 * store would do, so that ratio rules out no wait. But atomics are as fast as volatile accesses
 * (WEIR_CLASS_EQUAL_ATOMICS) only when both ratios say so.
 *
 * WEIR_CLASS_CONTENDED_READS: the paper calls GT200's ratio insignificant (1.4x) and GF100's severe
 * (11.5x); the bound is their geometric mean.
 *
 * WEIR_CLASS_HOSTAGE: if the cache line is free again after one atomic, placing that atomic before
 * `accesses` volatile ones only adds its own time: a factor of 1 + atomic_to_volatile / accesses.
 * On GT200 that is 1.09, and 1.09 was measured; GF100's 3.0 has another cause. The bound of 1.5
 * times is beyond noise, and still far from the cost of a queue full of reads. A cache line counts
 * as held even if only writes find it held: the release of a lock is a write. */
static int is_held(double primed, double atomic, uint32_t accesses)
{
	return primed >= WEIR_CLASS_HOSTAGE * (1 + atomic / (accesses ? accesses : 1));
}

void weir_classify(const weir_probe *probe, weir_class *result)
{
	const int plain = WEIR_ACCESS(WEIR_ACCESS_VOLATILE, WEIR_ACCESS_SAME, WEIR_ACCESS_READ);
	const int plain_own = WEIR_ACCESS(WEIR_ACCESS_VOLATILE, WEIR_ACCESS_OWN, WEIR_ACCESS_READ);
	const int atomic = WEIR_ACCESS(WEIR_ACCESS_ATOMIC, WEIR_ACCESS_SAME, WEIR_ACCESS_READ);
	const int atomic_own = WEIR_ACCESS(WEIR_ACCESS_ATOMIC, WEIR_ACCESS_OWN, WEIR_ACCESS_READ);
	const int primed = WEIR_ACCESS(WEIR_ACCESS_PRIMED, WEIR_ACCESS_SAME, WEIR_ACCESS_READ);
	const int write = WEIR_ACCESS_WRITE;

	result->atomic_to_volatile = ratio(probe, atomic, plain);
	result->atomic_to_volatile_write = ratio(probe, atomic + write, plain + write);
	result->atomic_to_volatile_own = ratio(probe, atomic_own, plain_own);
	result->atomic_to_volatile_own_write = ratio(probe, atomic_own + write, plain_own + write);
	result->contention = ratio(probe, plain, plain_own);
	result->contention_write = ratio(probe, plain + write, plain_own + write);
	result->hostage_ratio = ratio(probe, primed, plain);
	result->hostage_ratio_write = ratio(probe, primed + write, plain + write);

	result->slow_atomics = result->atomic_to_volatile >= WEIR_CLASS_SLOW_ATOMICS;
	result->slow_atomic_writes = result->atomic_to_volatile_write >= WEIR_CLASS_SLOW_ATOMICS;
	result->equal_atomics = result->atomic_to_volatile < WEIR_CLASS_EQUAL_ATOMICS &&
	                        result->atomic_to_volatile_write < WEIR_CLASS_EQUAL_ATOMICS;
	result->contended_reads = result->contention >= WEIR_CLASS_CONTENDED_READS;
	result->hostage =
	    is_held(result->hostage_ratio, result->atomic_to_volatile, probe->accesses) ||
	    is_held(result->hostage_ratio_write, result->atomic_to_volatile_write, probe->accesses);
	if (result->hostage)
		result->name = result->slow_atomics ? "slow atomics that hold their line"
		                                    : "fast atomics that hold their line";
	else if (result->slow_atomics)
		result->name = result->contended_reads ? "slow atomics, costly polling"
		                                       : "slow atomics, cheap polling";
	else
		result->name = result->contended_reads ? "fast atomics, costly polling"
		                                       : "fast atomics, cheap polling";
}

/* A central barrier takes one contentious atomic for each block, after which all blocks poll one
 * word. Slow atomics rule out the first part. An atomic unit that holds its cache line rules out
 * the second, since a poll then queues behind the arrivals. XF has neither, but each signal takes
 * two trips through one block, which has to read and write a flag for every other block. Where
 * atomics are fast, that takes longer. On an H200 polls by all blocks cost 21 times those of one,
 * and the counter still passes 2112 blocks three times as fast as XF. Polls that cost three times
 * as much again would use up that lead: WEIR_CLASS_NO_SHARED_POLLING. */
static uint32_t barrier_kind(const weir_class *c)
{
	return c->slow_atomics || c->hostage || c->contention >= WEIR_CLASS_NO_SHARED_POLLING
	           ? WEIR_BARRIER_XF
	           : WEIR_BARRIER_ATOMIC;
}

/* The ticket mutex takes one atomic, followed by reads of one word by all waiters. Spinning takes
 * only atomics, and backoff spaces them out.
 *
 * Slow atomics: use as few as possible, whatever the reads cost, so the ticket. Otherwise spinning
 * wins wherever those reads are no cheaper. Behind a held cache line they cost as much as atomics.
 * Under contention they are expensive, while a pause is free. Next to atomics of the same price
 * they save nothing (WEIR_CLASS_EQUAL_ATOMICS: the ticket needs two accesses where spinning needs
 * one). The paper expects all three on future GPUs. The ticket remains best where reads are cheap
 * under contention and atomics are not. The ring never wins: it makes two reads for each of the
 * ticket's. */
static uint32_t mutex_kind(const weir_class *c)
{
	int reads_no_refuge = c->hostage || c->contended_reads || c->equal_atomics;

	return !c->slow_atomics && reads_no_refuge ? WEIR_MUTEX_SPIN_BACKOFF : WEIR_MUTEX_TICKET;
}

/* Sleeping takes one or two atomics to wait or post, and a post never waits. A spinning semaphore
 * takes a lock for each, so that posts queue with waits. Used as a mutex, where nearly every wait
 * finds it full, a sleeping semaphore has two contentious words and the spin lock has one. Behind
 * held cache lines, with fast atomics, only the number of accesses counts. */
static uint32_t semaphore_kind(const weir_class *c, uint32_t initial)
{
	return c->hostage && !c->slow_atomics && initial <= 1 ? WEIR_SEMAPHORE_SPIN_BACKOFF
	                                                      : WEIR_SEMAPHORE_SLEEPING;
}

uint32_t weir_class_kind(const weir_class *result, enum weir_primitive primitive, uint32_t initial)
{
	if (primitive == WEIR_PRIMITIVE_BARRIER)
		return barrier_kind(result);
	return primitive == WEIR_PRIMITIVE_SEMAPHORE ? semaphore_kind(result, initial)
	                                             : mutex_kind(result);
}

static const struct paper_kind {
	const char *name;
	enum weir_primitive primitive;
	uint32_t kind;
	int is_unmeasured; /* described, but not in any figure or table of results */
} paper_kinds[] = {
    {"atomic", WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_TWO_STAGE, 0},
    {"xf", WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, 0},
    /* Algorithm 2, with and without UseBackoff: unlock is a store. */
    {"spin", WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN, 0},
    {"spin_backoff", WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 0},
    {"ticket", WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 0}, /* algorithm 3 */
    {"ring", WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 1},
    /* Algorithm 4, with and without UseBackoff. */
    {"spin", WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN_EXCHANGE, 0},
    {"spin_backoff", WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN_EXCHANGE_BACKOFF, 0},
    {"sleeping", WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SLEEPING, 0}, /* algorithm 5 */
};

#define PAPER_KINDS (sizeof paper_kinds / sizeof paper_kinds[0])

uint32_t weir_paper_kind(enum weir_primitive primitive, const char *name)
{
	for (size_t i = 0; i < PAPER_KINDS; i++)
		if (paper_kinds[i].primitive == primitive && strcmp(paper_kinds[i].name, name) == 0)
			return paper_kinds[i].kind;
	return 0;
}

uint32_t weir_paper_kind_at(enum weir_primitive primitive, size_t index)
{
	for (size_t i = 0; i < PAPER_KINDS; i++)
		if (paper_kinds[i].primitive == primitive && !paper_kinds[i].is_unmeasured &&
		    index-- == 0)
			return paper_kinds[i].kind;
	return 0;
}

int weir_kind_is_of_paper(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *row = weir_kind_find(primitive, kind);

	if (row && row->role == WEIR_AS_PUBLISHED)
		return 1;
	if (primitive == WEIR_PRIMITIVE_BARRIER)
		return kind == WEIR_BARRIER_ATOMIC || kind == WEIR_BARRIER_XF;
	if (primitive == WEIR_PRIMITIVE_SEMAPHORE)
		return kind == WEIR_SEMAPHORE_SPIN || kind == WEIR_SEMAPHORE_SPIN_BACKOFF ||
		       kind == WEIR_SEMAPHORE_SLEEPING;
	return kind == WEIR_MUTEX_SPIN || kind == WEIR_MUTEX_SPIN_BACKOFF ||
	       kind == WEIR_MUTEX_TICKET || kind == WEIR_MUTEX_RING;
}
