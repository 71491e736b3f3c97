/* Checks what the blocks of a benchmark counted (kernels/bench_params.h). */
#include "measure/check.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "kernels/bench_params.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/subject.h"
#include "output/figure.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static uint64_t moment(const uint32_t *halves)
{
	return halves[0] | (uint64_t)halves[1] << 32;
}

/* Jain's index and the worst share, from the blocks' own rates: the operations that a block
 * completed, divided by the time it took. */
static void judge_fairness(const weir_subject *subject, weir_outcome *outcome)
{
	uint32_t blocks = subject->wanted.blocks;
	double sum = 0;
	double squares = 0;
	double least = -1;

	for (uint32_t i = 0; i < blocks; i++) {
		const uint32_t *mine = subject->copy + (size_t)i * BENCH_BLOCK_WORDS;
		uint64_t took = moment(mine + BENCH_END) - moment(mine + BENCH_BEGIN);
		double rate = (double)mine[BENCH_DONE] / (double)took;
		sum += rate;
		squares += rate * rate;
		least = least < 0 || rate < least ? rate : least;
	}
	if (squares <= 0)
		return;
	outcome->jain = fmin(sum * sum / (blocks * squares), 1);
	outcome->worst_share = fmin(least * blocks / sum, 1);
}

/* Whether the blocks have clocks of their own, and by these the milliseconds from the first start
 * to the last end. */
static int read_clocks(const weir_subject *subject, double *ms)
{
	uint64_t first = UINT64_MAX;
	uint64_t last = 0;

	for (uint32_t i = 0; i < subject->wanted.blocks; i++) {
		const uint32_t *mine = subject->copy + (size_t)i * BENCH_BLOCK_WORDS;
		uint64_t begin = moment(mine + BENCH_BEGIN);
		uint64_t end = moment(mine + BENCH_END);
		if (end <= begin)
			return 0;
		first = begin < first ? begin : first;
		last = end > last ? end : last;
	}
	*ms = (double)(last - first) * 1e-6;
	return 1;
}

/* A driver times a launch from its first block to its last. On a CPU that is mostly the start of
 * the threads, so the clocks of the blocks are used instead; on the host the blocks meet before
 * they start. */
static void judge_time(const weir_subject *subject, weir_outcome *outcome)
{
	double ms = 0;

	outcome->clocked = read_clocks(subject, &ms);
	if (outcome->clocked && !subject->meter->info.is_gpu)
		outcome->ms = ms;
	if (outcome->ms > 0)
		outcome->per_second = (double)outcome->completed / outcome->ms * 1e3;
	if (outcome->clocked && (subject->wanted.primitive == WEIR_PRIMITIVE_MUTEX ||
	                         subject->wanted.primitive == WEIR_PRIMITIVE_SEMAPHORE))
		judge_fairness(subject, outcome);
}

static uint32_t done_by(const weir_subject *subject, uint32_t block)
{
	return subject->copy[(size_t)block * BENCH_BLOCK_WORDS + BENCH_DONE];
}

/* The operations of the blocks from `first` to `end` - 1. */
static void count(const weir_subject *subject, uint32_t first, uint32_t end, weir_outcome *outcome)
{
	outcome->completed = 0;
	outcome->least = UINT32_MAX;
	for (uint32_t i = first; i < end; i++) {
		uint32_t done = done_by(subject, i);
		outcome->completed += done;
		outcome->least = done < outcome->least ? done : outcome->least;
	}
}

/* The sums over what the users of an object report. A user is a block, or for a queue a thread. */
struct told {
	uint64_t pushed;
	uint64_t popped;
	uint32_t sum; /* modulo 2^32, like the next two */
	uint32_t popped_sum;
	uint32_t pushes; /* the sum of the numbers that were pushed */
};

static struct told add_up(const weir_subject *subject, uint32_t users)
{
	const uint32_t *words = subject->copy + BENCH_HANDED((size_t)subject->wanted.blocks);
	struct told told = {0};

	for (uint32_t i = 0; i < users; i++, words += BENCH_USER_WORDS) {
		uint64_t rounds = words[BENCH_PUSHED];
		told.pushed += rounds;
		told.popped += words[BENCH_POPPED];
		told.sum += words[BENCH_SUM];
		/* i, i + users, i + 2 * users and so on */
		told.pushes += (uint32_t)(rounds * i + rounds * (rounds - 1) / 2 * users);
	}
	told.popped_sum = (uint32_t)told.popped;
	return told;
}

/* The sum of the numbers below n, modulo 2^32. */
static uint32_t sum_below(uint64_t n)
{
	return (uint32_t)(n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1));
}

static weir_status wrong(const weir_subject *subject, const char *what, uint64_t found,
                         uint64_t right)
{
	const weir_point *wanted = &subject->wanted;

	return weir_error_set(WEIR_LAUNCH_FAILED, "%s %s, %s, %s: %s %llu, and not %llu",
	                      subject->name, weir_primitive_id(wanted->primitive),
	                      weir_pattern_name(wanted->pattern),
	                      weir_count_figure(wanted->blocks, "block").text, what,
	                      (unsigned long long)found, (unsigned long long)right);
}

static const uint32_t *section_of(const weir_subject *subject)
{
	return subject->copy + BENCH_SECTION((size_t)subject->wanted.blocks);
}

static weir_status check_barrier(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	uint64_t passed = done_by(subject, 0);

	(void)rounds;
	if (outcome->completed != passed * wanted->blocks)
		return weir_error_set(
		    WEIR_LAUNCH_FAILED,
		    "%s barrier, %s: its blocks did not all pass it equally often", subject->name,
		    weir_count_figure(wanted->blocks, "block").text);
	outcome->completed = passed;
	return WEIR_OK;
}

/* The number of times that the blocks looked at the clock, as in bench_looks. */
static uint32_t count_looks(uint32_t done)
{
	uint32_t looks = done / BENCH_STRIDE;

	for (uint32_t power = 1; power < BENCH_STRIDE && power <= done; power *= 2)
		looks++;
	return looks;
}

static weir_status wrong_words(const weir_subject *subject, uint32_t block, uint32_t word,
                               uint32_t right)
{
	const weir_point *wanted = &subject->wanted;

	return weir_error_set(WEIR_LAUNCH_FAILED,
	                      "%s event, %s, %s: a word that block %u handed over holds %u, "
	                      "and not %u",
	                      subject->name, weir_pattern_name(wanted->pattern),
	                      weir_count_figure(wanted->blocks, "block").text, block, word, right);
}

/* The last value that the last block of every ring handed over: it grows by 1 with each hand-over,
 * in this launch and all before. */
static weir_status check_rings(const weir_subject *subject, const uint32_t *handed)
{
	const weir_point *wanted = &subject->wanted;
	uint32_t ring = weir_pattern_find(wanted->pattern)->ring;

	ring = ring ? ring : wanted->blocks;
	for (uint32_t first = 0; first < wanted->blocks; first += ring) {
		uint32_t size = wanted->blocks - first < ring ? wanted->blocks - first : ring;
		const uint32_t *last = handed + (size_t)(first + size - 1) * wanted->threads;
		uint32_t right = subject->rings[first] * size;
		for (uint32_t i = 0; i < wanted->threads; i++)
			if (last[i] != right)
				return wrong_words(subject, first + size - 1, last[i], right);
	}
	return WEIR_OK;
}

/* Checks what events carried from block to block. */
static weir_status check_events(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	const uint32_t *handed = subject->copy + BENCH_HANDED((size_t)wanted->blocks);
	uint32_t looks = count_looks(subject->copy[BENCH_DONE]);
	weir_status status = WEIR_OK;

	(void)rounds;
	outcome->completed = weir_operations(wanted, outcome->completed);
	for (uint32_t i = 0; i < wanted->blocks; i++)
		subject->rings[i] += done_by(subject, i);
	subject->begin += subject->copy[BENCH_DONE];
	if (wanted->pattern == WEIR_PATTERN_MEET)
		for (size_t i = 0;
		     status == WEIR_OK && i < (size_t)wanted->blocks * wanted->threads; i++) {
			size_t at = i + (looks & 1 ? 0 : (size_t)wanted->blocks * wanted->threads);
			if (handed[at] != looks)
				status = wrong_words(subject, (uint32_t)(i / wanted->threads),
				                     handed[at], looks);
		}
	else if (wanted->pattern == WEIR_PATTERN_POST)
		for (uint32_t i = 0; status == WEIR_OK && i < wanted->blocks; i++) {
			uint32_t right = done_by(subject, i);
			uint32_t posted = handed[(size_t)i * wanted->threads];
			if (posted != right)
				status = wrong_words(subject, i, posted, right);
		}
	else
		status = check_rings(subject, handed);
	return status;
}

/* Checks that each item was popped once: the count and the sum must equal those of the pushes.
 * Stores in `outcome` how many there were, and the smallest number of a pushing block. */
static weir_status check_queue(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	uint32_t each = weir_queue_users(wanted, subject->meter->info.machine);
	struct told told = add_up(subject, wanted->blocks * each);

	(void)rounds;
	count(subject, 0, weir_pattern_pushers(wanted->pattern, wanted->blocks), outcome);
	outcome->completed = told.popped;
	if (told.pushed == told.popped && told.sum == told.pushes)
		return WEIR_OK;
	return weir_error_set(WEIR_LAUNCH_FAILED,
	                      "%s queue, %s, %s: of %llu items %llu were popped, with the "
	                      "sum %u instead of %u",
	                      subject->name, weir_pattern_name(wanted->pattern),
	                      weir_count_figure(wanted->blocks, "block").text,
	                      (unsigned long long)told.pushed, (unsigned long long)told.popped,
	                      told.sum, told.pushes);
}

/* Checks that the blocks got each item or task, numbered from 0, once. */
static weir_status check_handed_out(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	int has_tasks = wanted->primitive == WEIR_PRIMITIVE_TASKS;
	struct told told = add_up(subject, wanted->blocks);
	uint32_t right = sum_below(told.popped);
	uint64_t all =
	    (uint64_t)rounds *
	    (has_tasks ? weir_layer_tasks(wanted->pattern, wanted->blocks) : wanted->blocks);

	/* A time limit ends a dispenser of bench/peers early. */
	if (told.sum != right || told.popped > all || (has_tasks && told.popped != all))
		return weir_error_set(WEIR_LAUNCH_FAILED,
		                      "%s, %s, %s: of %llu %s %llu were handed out, with "
		                      "the sum %u instead of %u",
		                      subject->name, weir_pattern_name(wanted->pattern),
		                      weir_count_figure(wanted->blocks, "block").text,
		                      (unsigned long long)all, has_tasks ? "tasks" : "items",
		                      (unsigned long long)told.popped, told.sum, right);
	outcome->completed = has_tasks && weir_is_chain(wanted->pattern) ? rounds : told.pushed;
	outcome->least = has_tasks ? rounds : (uint32_t)(told.pushed / wanted->blocks);
	return WEIR_OK;
}

static weir_status check_rwlock(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	struct told told = add_up(subject, wanted->blocks);
	const uint32_t *section = section_of(subject);

	(void)rounds;
	if (wanted->pattern == WEIR_PATTERN_RWLOCK_WRITER)
		count(subject, 0, 1, outcome);
	if (told.popped != 0)
		return wrong(subject, "reads that found a write half done:", told.popped, 0);
	subject->kept += told.pushed;
	if (section[BENCH_COUNT] != section[BENCH_TWIN] ||
	    section[BENCH_COUNT] != (uint32_t)subject->kept)
		return wrong(subject, "writes that were kept:", section[BENCH_COUNT],
		             (uint32_t)subject->kept);
	return WEIR_OK;
}

static weir_status check_broadcast(weir_subject *subject, weir_outcome *outcome)
{
	uint32_t rounds = done_by(subject, 0);

	for (uint32_t i = 1; i < subject->wanted.blocks; i++)
		if (done_by(subject, i) != rounds)
			return wrong(subject, "rounds made by a block:", done_by(subject, i),
			             rounds);
	subject->kept += rounds;
	outcome->completed = rounds;
	if (section_of(subject)[BENCH_COUNT] != (uint32_t)subject->kept)
		return wrong(subject, "rounds:", section_of(subject)[BENCH_COUNT],
		             (uint32_t)subject->kept);
	return WEIR_OK;
}

static weir_status check_buffer(const weir_subject *subject, weir_outcome *outcome)
{
	struct told told = add_up(subject, subject->wanted.blocks);
	uint32_t pushers = weir_pattern_pushers(subject->wanted.pattern, subject->wanted.blocks);

	count(subject, 0, pushers, outcome);
	if (told.popped != told.pushed)
		return wrong(subject, "items that were taken:", told.popped, told.pushed);
	if (told.sum != told.pushes)
		return wrong(subject, "the sum of the items:", told.sum, told.pushes);
	return WEIR_OK;
}

static weir_status check_condition(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	(void)rounds;
	return subject->wanted.pattern == WEIR_PATTERN_CONDITION_BROADCAST
	           ? check_broadcast(subject, outcome)
	           : check_buffer(subject, outcome);
}

/* Checks that one block initialized, or none if an earlier launch did. */
static weir_status check_once(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	struct told told = add_up(subject, subject->wanted.blocks);
	uint32_t right = (uint32_t)told.pushed * BENCH_MADE;

	(void)rounds;
	(void)outcome;
	if (told.popped > 1)
		return wrong(subject, "initializations:", told.popped, 1);
	if (told.sum != right)
		return wrong(subject, "the sum of what was read:", told.sum, right);
	return WEIR_OK;
}

/* Checks that the operations have the numbers after those of earlier launches, each once. */
static weir_status check_combine(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	struct told told = add_up(subject, subject->wanted.blocks);
	const uint32_t *section = section_of(subject);
	uint64_t before = subject->kept;
	uint64_t n = told.pushed;
	uint32_t right = (uint32_t)(n * before) + sum_below(n);

	(void)rounds;
	if (subject->wanted.pattern == WEIR_PATTERN_COMBINE_SERVE)
		count(subject, 1, subject->wanted.blocks, outcome);
	outcome->completed = n;
	subject->kept += n;
	subject->hash += told.sum;
	if (section[BENCH_COUNT] != (uint32_t)subject->kept)
		return wrong(subject, "operations that were counted:", section[BENCH_COUNT],
		             (uint32_t)subject->kept);
	if (told.popped_sum != right)
		return wrong(subject, "the sum of the results:", told.popped_sum, right);
	if (section[BENCH_TWIN] != subject->hash)
		return wrong(subject, "the hash of the operations:", section[BENCH_TWIN],
		             subject->hash);
	return WEIR_OK;
}

/* The words in which blocks count, for each primitive. */
static size_t plain_words(const weir_point *wanted)
{
	size_t blocks = wanted->blocks;
	size_t each = wanted->primitive == WEIR_PRIMITIVE_MUTEX ? 1 : blocks;

	return blocks * BENCH_BLOCK_WORDS + each * wanted->work;
}

static size_t barrier_words(const weir_point *wanted)
{
	return (size_t)wanted->blocks * BENCH_BLOCK_WORDS + 2;
}

static size_t event_words(const weir_point *wanted)
{
	return BENCH_HANDED((size_t)wanted->blocks) + 2 * (size_t)wanted->blocks * wanted->threads;
}

static size_t thread_words(const weir_point *wanted)
{
	size_t blocks = wanted->blocks;

	return BENCH_HANDED(blocks) + BENCH_USER_WORDS * blocks * wanted->threads;
}

static size_t user_words(const weir_point *wanted)
{
	return BENCH_HANDED((size_t)wanted->blocks) + BENCH_USER_WORDS * (size_t)wanted->blocks;
}

static size_t section_words(const weir_point *wanted)
{
	return BENCH_SECTION((size_t)wanted->blocks) + BENCH_SECTION_WORDS;
}

static const struct counting {
	size_t (*words)(const weir_point *wanted);
	/* Checks what is particular to the primitive, and sets which operations count. */
	weir_status (*check)(weir_subject *subject, uint32_t rounds, weir_outcome *outcome);
	int numbers_launches; /* its kernels take the number of earlier launches, not of rounds */
} countings[] = {
    [WEIR_PRIMITIVE_BARRIER] = {barrier_words, check_barrier, 0},
    [WEIR_PRIMITIVE_MUTEX] = {plain_words, NULL, 0},
    [WEIR_PRIMITIVE_SEMAPHORE] = {plain_words, NULL, 0},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {event_words, check_events, 0},
    [WEIR_PRIMITIVE_QUEUE] = {thread_words, check_queue, 0},
    [WEIR_PRIMITIVE_DISPENSER] = {user_words, check_handed_out, 0},
    [WEIR_PRIMITIVE_TASKS] = {user_words, check_handed_out, 0},
    [WEIR_PRIMITIVE_CONDITION] = {section_words, check_condition, 1},
    [WEIR_PRIMITIVE_RWLOCK] = {section_words, check_rwlock, 1},
    [WEIR_PRIMITIVE_ONCE] = {section_words, check_once, 1},
    [WEIR_PRIMITIVE_COMBINER] = {section_words, check_combine, 1},
};

size_t weir_check_words(const weir_point *wanted)
{
	return countings[wanted->primitive].words(wanted);
}

/* Mutual exclusion itself: the work adds 1 to a plain word for each operation. */
static weir_status check_work(weir_subject *subject, uint64_t completed)
{
	const weir_point *wanted = &subject->wanted;

	subject->added += completed;
	if (wanted->primitive != WEIR_PRIMITIVE_MUTEX || wanted->work == 0)
		return WEIR_OK;
	uint32_t counted = subject->copy[(size_t)wanted->blocks * BENCH_BLOCK_WORDS];
	if (counted == (uint32_t)subject->added)
		return WEIR_OK;
	return weir_error_set(WEIR_LAUNCH_FAILED,
	                      "%s mutex, %s: %u of %u increments under the lock were kept",
	                      subject->name, weir_count_figure(wanted->blocks, "block").text,
	                      counted, (uint32_t)subject->added);
}

/* Checks that the threads of the last block stored their words in its last round. */
static weir_status check_stores(const weir_subject *subject, uint32_t round)
{
	const weir_point *wanted = &subject->wanted;
	size_t count = (size_t)wanted->threads * subject->busy.stores;
	size_t first = BENCH_STORES((size_t)wanted->blocks) + (wanted->blocks - 1) * count;

	if (count == 0)
		return WEIR_OK;
	uint32_t *stored = weir_need(malloc(count * sizeof *stored));
	weir_status status =
	    weir_buffer_read(subject->meter->device, subject->data, first * sizeof *stored, stored,
	                     count * sizeof *stored);
	for (size_t i = 0; status == WEIR_OK && i < count; i++)
		if (stored[i] != round)
			status = weir_error_set(WEIR_LAUNCH_FAILED,
			                        "%s barrier, %s: a word that a thread stored "
			                        "holds %u after round %u",
			                        subject->name,
			                        weir_count_figure(wanted->blocks, "block").text,
			                        stored[i], round);
	free(stored);
	return status;
}

static weir_status check_busy(const weir_subject *subject, const weir_outcome *outcome)
{
	if (subject->busy.uneven_us && !outcome->clocked)
		return weir_error_set(
		    WEIR_UNSUPPORTED,
		    "%s: its kernels have no clock to work by, so blocks cannot arrive unevenly",
		    subject->meter->info.name);
	return check_stores(subject, (uint32_t)outcome->completed);
}

weir_status weir_check_run(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	const struct counting *counting = &countings[wanted->primitive];
	weir_status status = weir_buffer_read(subject->meter->device, subject->data, 0,
	                                      subject->copy, subject->copied);

	if (status != WEIR_OK)
		return status;
	count(subject, 0, wanted->blocks, outcome);
	subject->begin += (uint32_t)counting->numbers_launches;
	if (counting->check)
		status = counting->check(subject, rounds, outcome);
	if (status != WEIR_OK)
		return status;
	outcome->cut = outcome->least < rounds;
	judge_time(subject, outcome);
	/* A run of a graph has no time limit. */
	if (wanted->primitive == WEIR_PRIMITIVE_TASKS)
		outcome->clocked = 0;
	status = check_busy(subject, outcome);
	return status == WEIR_OK ? check_work(subject, outcome->completed) : status;
}
