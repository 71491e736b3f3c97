/* One launch of a benchmark kernel, and what it says. */
#include "measure/subject.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "kernels/bench_params.h"
#include "measure/graph.h"
#include "measure/locks.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/programs.h"
#include "output/figure.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

enum {
	/* A launch that takes so much longer than its limit hangs. */
	HANG_FACTOR = 20,
	HANG_S = 60,
	PLACE_ALIGNMENT = 1024, /* so that two objects in one place share nothing */
	LEAST_CAPACITY = 1024   /* of a queue */
};

/* The number of events, and of blocks that signal and wait for one of them. */
static uint32_t plan_events(const weir_point *wanted, weir_options *options)
{
	weir_pattern_users(wanted->initial, wanted->blocks, options);
	/* All signal the one event, or each block its own. */
	return options->signallers > 1 ? 1 : wanted->blocks;
}

/* The event that tells all blocks, behind the other one in its memory. */
static weir_status create_second(weir_subject *subject, weir_options options, size_t used)
{
	const weir_kind *kind = weir_kind_find(WEIR_PRIMITIVE_EVENT_ARRAY, subject->wanted.kind);
	uint32_t second = kind ? BENCH_EVENT_OUT(kind->value, kind->parts) : WEIR_EVENT_DEFAULT;

	options.signallers = 1;
	options.waiters = subject->wanted.blocks;
	options.memory_offset = used;
	options.memory_bytes -= used;
	return weir_event_array_create(subject->meter->device, (weir_event_kind)second, 1, &options,
	                               &subject->second);
}

static weir_status create_events(weir_subject *subject, weir_options options)
{
	weir_device *device = subject->meter->device;
	const weir_point *wanted = &subject->wanted;
	const weir_kind *kind = weir_kind_find(wanted->primitive, wanted->kind);
	uint32_t length = plan_events(wanted, &options);
	uint32_t first = wanted->kind;
	size_t bytes = 0;
	size_t alignment = 1;

	if (kind && wanted->initial == WEIR_PATTERN_MEET)
		first = BENCH_EVENT_IN(kind->value, kind->parts);
	if (!options.memory) {
		options.memory = subject->meter->places[0].native;
		options.memory_bytes = subject->meter->places[0].bytes;
	}
	subject->begin = 0;
	weir_status status = weir_event_array_create(device, (weir_event_kind)first, length,
	                                             &options, &subject->events);
	if (status == WEIR_OK)
		status = weir_event_array_size(device, (weir_event_kind)first, length, &options,
		                               &bytes, &alignment);
	if (status == WEIR_OK && wanted->initial == WEIR_PATTERN_MEET)
		status = create_second(subject, options,
		                       (bytes + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT *
		                           PLACE_ALIGNMENT);
	subject->words = subject->events.words;
	subject->config.event_array = subject->events.config;
	return status;
}

uint32_t weir_queue_slots(const weir_point *wanted)
{
	uint64_t users = (uint64_t)wanted->blocks * wanted->threads;

	return users > LEAST_CAPACITY ? (uint32_t)users : LEAST_CAPACITY;
}

static weir_status create_queue(weir_subject *subject, weir_options options)
{
	const weir_meter *meter = subject->meter;
	const weir_point *wanted = &subject->wanted;

	/* A caller that says that one thread alone pushes or pops gets another default. */
	if (wanted->kind == 0 || wanted->kind == WEIR_QUEUE_SINGLE)
		options.single = weir_queue_single(wanted, meter->info.machine);
	weir_status status = weir_queue_create(meter->device, (weir_queue_kind)wanted->kind,
	                                       weir_queue_slots(wanted), sizeof(uint32_t), &options,
	                                       &subject->queue);
	subject->words = subject->queue.words;
	subject->config.queue = subject->queue.config;
	return status;
}

static weir_status create_object(weir_subject *subject, const weir_buffer *memory)
{
	weir_device *device = subject->meter->device;
	const weir_point *wanted = &subject->wanted;
	weir_options options = {0};
	weir_status status;

	if (subject->has_setting) {
		options.backoff = subject->setting.backoff;
		options.has_backoff = 1;
		options.shape = subject->setting.shape.shape;
		options.has_shape = subject->setting.shape.known;
	}
	if (memory) {
		options.memory = memory->native;
		options.memory_bytes = memory->bytes;
	}

	switch (wanted->primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		status = weir_barrier_create_with(device, (weir_barrier_kind)wanted->kind,
		                                  wanted->blocks, &options, &subject->barrier);
		subject->words = subject->barrier.words;
		subject->config.barrier = subject->barrier.config;
		return status;
	case WEIR_PRIMITIVE_MUTEX:
		status = weir_mutex_create_with(device, (weir_mutex_kind)wanted->kind, &options,
		                                &subject->mutex);
		subject->words = subject->mutex.words;
		subject->config.mutex = subject->mutex.config;
		return status;
	case WEIR_PRIMITIVE_SEMAPHORE:
		status = weir_semaphore_create_with(device, (weir_semaphore_kind)wanted->kind,
		                                    wanted->initial, wanted->initial, &options,
		                                    &subject->semaphore);
		subject->words = subject->semaphore.words;
		subject->config.semaphore = subject->semaphore.config;
		return status;
	case WEIR_PRIMITIVE_EVENT_ARRAY:
		return create_events(subject, options);
	case WEIR_PRIMITIVE_QUEUE:
		return create_queue(subject, options);
	case WEIR_PRIMITIVE_DISPENSER:
		status = weir_dispenser_create(device, 1, &options, &subject->dispenser);
		subject->words = subject->dispenser.words;
		subject->config.dispenser = subject->dispenser.config;
		return status;
	case WEIR_PRIMITIVE_TASKS:
		status = weir_layers_create(device, wanted->initial, wanted->blocks,
		                            subject->layers ? subject->layers : 1, options,
		                            &subject->tasks);
		subject->words = subject->tasks.words;
		subject->config.tasks = subject->tasks.config;
		return status;
	case WEIR_PRIMITIVE_CONDITION:
	case WEIR_PRIMITIVE_RWLOCK:
	case WEIR_PRIMITIVE_ONCE:
	case WEIR_PRIMITIVE_COMBINE:
		return weir_locks_create(subject, options);
	case WEIR_PRIMITIVE_MUTEX_ARRAY:
	case WEIR_PRIMITIVE_GROUP:
	case WEIR_PRIMITIVE_CREW:
	case WEIR_PRIMITIVE_BUFFER:
		break;
	}
	return weir_error_set(WEIR_BAD_ARGUMENT, "no benchmark for that");
}

weir_status weir_subject_leave(weir_subject *subject)
{
	weir_device *device = subject->meter->device;

	if (weir_is_lock(subject->wanted.primitive))
		return weir_locks_destroy(subject);
	if (subject->barrier.words)
		return weir_barrier_destroy(device, &subject->barrier);
	if (subject->mutex.words)
		return weir_mutex_destroy(device, &subject->mutex);
	if (subject->second.words)
		weir_event_array_destroy(device, &subject->second);
	if (subject->events.words)
		return weir_event_array_destroy(device, &subject->events);
	if (subject->queue.words)
		return weir_queue_destroy(device, &subject->queue);
	if (subject->dispenser.words)
		return weir_dispenser_destroy(device, &subject->dispenser);
	if (subject->tasks.words)
		return weir_tasks_destroy(device, &subject->tasks);
	return subject->semaphore.words ? weir_semaphore_destroy(device, &subject->semaphore)
	                                : WEIR_OK;
}

void weir_subject_destroy(weir_subject *subject)
{
	free(subject->copy);
	free(subject->rings);
	if (subject->data.native)
		weir_buffer_destroy(subject->meter->device, &subject->data);
	weir_subject_leave(subject);
}

weir_status weir_subject_enter(weir_subject *subject, const weir_buffer *memory)
{
	weir_status status = weir_subject_leave(subject);

	subject->memory = memory;
	return status == WEIR_OK ? create_object(subject, memory) : status;
}

/* The host reads so many words after a launch. */
static size_t data_words(const weir_point *wanted)
{
	size_t blocks = wanted->blocks;
	size_t words = blocks * BENCH_BLOCK_WORDS;

	switch (wanted->primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		return words + 2;
	case WEIR_PRIMITIVE_MUTEX:
		return words + wanted->work;
	case WEIR_PRIMITIVE_EVENT_ARRAY:
		return BENCH_HANDED(blocks) + 2 * blocks * wanted->threads;
	case WEIR_PRIMITIVE_QUEUE:
		return BENCH_HANDED(blocks) + BENCH_USER_WORDS * blocks * wanted->threads;
	case WEIR_PRIMITIVE_DISPENSER:
	case WEIR_PRIMITIVE_TASKS:
		return BENCH_HANDED(blocks) + BENCH_USER_WORDS * blocks;
	case WEIR_PRIMITIVE_CONDITION:
	case WEIR_PRIMITIVE_RWLOCK:
	case WEIR_PRIMITIVE_ONCE:
	case WEIR_PRIMITIVE_COMBINE:
		return BENCH_SECTION(blocks) + BENCH_SECTION_WORDS;
	default:
		return words + blocks * wanted->work;
	}
}

weir_status weir_subject_create_around(weir_meter *meter, const weir_point *wanted,
                                       const char *name, weir_kernel kernel, weir_subject *subject)
{
	size_t words = data_words(wanted);
	size_t stored = 0;

	memset(subject, 0, sizeof *subject);
	subject->meter = meter;
	subject->wanted = *wanted;
	subject->name = name;
	subject->kernel = kernel;
	subject->copied = words * sizeof(uint32_t);
	subject->copy = weir_need(calloc(words + 1, sizeof(uint32_t)));
	subject->rings = weir_need(calloc(wanted->blocks, sizeof(uint32_t)));
	if (wanted->primitive == WEIR_PRIMITIVE_BARRIER) {
		subject->busy = meter->busy;
		stored = (size_t)wanted->blocks * wanted->threads * meter->busy.stores;
	}
	if (stored)
		words = BENCH_STORES((size_t)wanted->blocks) + stored;
	return weir_buffer_create(meter->device, words * sizeof(uint32_t), &subject->data);
}

uint32_t weir_subject_kernel_kind(const weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;
	uint32_t kind = subject->events.config.kind;

	if (wanted->primitive == WEIR_PRIMITIVE_QUEUE && !wanted->kind)
		return subject->queue.config.kind;
	if (wanted->primitive == WEIR_PRIMITIVE_RWLOCK && !wanted->kind)
		return subject->rwlock.config.kind;
	if (wanted->primitive != WEIR_PRIMITIVE_EVENT_ARRAY || wanted->kind)
		return wanted->kind;
	/* Where all blocks meet, that of the side that has parts. */
	return kind == WEIR_EVENT_WORD && subject->second.words ? subject->second.config.kind
	                                                        : kind;
}

/* Once the library has chosen a kind of events or of queue, the kernel for it. */
static weir_status name_choice(weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;
	char name[64];

	if (!weir_has_patterns(wanted->primitive) || wanted->kind)
		return WEIR_OK;
	return weir_program_kernel(subject->meter->bench,
	                           weir_bench_kernel_name(wanted->primitive,
	                                                  weir_subject_kernel_kind(subject),
	                                                  wanted->initial, 0, name),
	                           &subject->kernel);
}

weir_status weir_subject_create(weir_meter *meter, const weir_point *wanted,
                                const weir_setting *setting, weir_subject *subject)
{
	weir_kernel kernel;
	char name[64];
	weir_status found = weir_program_kernel(
	    meter->bench,
	    weir_bench_kernel_name(wanted->primitive, wanted->kind, wanted->initial,
	                           weir_is_busy(meter->busy), name),
	    &kernel);
	weir_status status = weir_subject_create_around(
	    meter, wanted, weir_kind_name(wanted->primitive, wanted->kind), kernel, subject);

	if (setting) {
		subject->setting = *setting;
		subject->has_setting = 1;
	}
	if (status == WEIR_OK)
		status = found;
	if (status == WEIR_OK)
		status = create_object(subject, NULL);
	return status == WEIR_OK ? name_choice(subject) : status;
}

static uint64_t moment(const uint32_t *halves)
{
	return halves[0] | (uint64_t)halves[1] << 32;
}

/* Jain's index and the worst share, of the blocks' own rates: what a block completed, by the time
 * that it took. */
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

/* By the blocks' own clocks: whether they have any, and the milliseconds from the first beginning to
 * the last end. */
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

/* A driver times a launch from its first block to its last. On a CPU that is mostly the start of the
 * threads, so there the clocks of the blocks count; on the host they have met before. */
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

/* That the threads of the last block stored their words in its last round. */
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
		return weir_error_set(WEIR_UNSUPPORTED,
		                      "%s: its kernels have no clock to work by, so blocks cannot "
		                      "come unevenly",
		                      subject->meter->info.name);
	return check_stores(subject, (uint32_t)outcome->completed);
}

/* The rounds in which the blocks looked at the clock, as bench_looks has them. */
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
	                      subject->name, weir_pattern_name(wanted->initial),
	                      weir_count_figure(wanted->blocks, "block").text, block, word, right);
}

/* What the last block of every ring handed over last: 1 more in each hand-over, in this launch and
 * those before. */
static weir_status check_rings(const weir_subject *subject, const uint32_t *handed)
{
	const weir_point *wanted = &subject->wanted;
	uint32_t ring = weir_pattern_find(wanted->initial)->ring;

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

/* What events carried from block to block. */
static weir_status check_events(weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;
	const uint32_t *handed = subject->copy + BENCH_HANDED((size_t)wanted->blocks);
	uint32_t looks = count_looks(subject->copy[BENCH_DONE]);
	weir_status status = WEIR_OK;

	for (uint32_t i = 0; i < wanted->blocks; i++)
		subject->rings[i] += subject->copy[(size_t)i * BENCH_BLOCK_WORDS + BENCH_DONE];
	subject->begin += subject->copy[BENCH_DONE];
	if (wanted->initial == WEIR_PATTERN_MEET)
		for (size_t i = 0;
		     status == WEIR_OK && i < (size_t)wanted->blocks * wanted->threads; i++) {
			size_t at = i + (looks & 1 ? 0 : (size_t)wanted->blocks * wanted->threads);
			if (handed[at] != looks)
				status = wrong_words(subject, (uint32_t)(i / wanted->threads),
				                     handed[at], looks);
		}
	else if (wanted->initial == WEIR_PATTERN_POST)
		for (uint32_t i = 0; status == WEIR_OK && i < wanted->blocks; i++) {
			uint32_t right = subject->copy[(size_t)i * BENCH_BLOCK_WORDS + BENCH_DONE];
			uint32_t posted = handed[(size_t)i * wanted->threads];
			if (posted != right)
				status = wrong_words(subject, i, posted, right);
		}
	else
		status = check_rings(subject, handed);
	return status;
}

/* That each item was popped once: as many as were pushed, and with their sum. `outcome` gets how many
 * these were, and the least of a block that pushes. */
static weir_status check_queue(const weir_subject *subject, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	uint32_t pushers = weir_pattern_pushers(wanted->initial, wanted->blocks);
	uint32_t each = weir_queue_users(wanted, subject->meter->info.machine);
	uint32_t users = wanted->blocks * each;
	const uint32_t *told = subject->copy + BENCH_HANDED((size_t)wanted->blocks);
	uint64_t pushed = 0, popped = 0;
	uint32_t sum = 0, right = 0;

	for (uint32_t i = 0; i < users; i++, told += BENCH_USER_WORDS) {
		uint64_t rounds = told[BENCH_PUSHED];
		pushed += rounds;
		popped += told[BENCH_POPPED];
		sum += told[BENCH_SUM];
		/* i, i + users, i + 2 * users and so on */
		right += (uint32_t)(rounds * i + rounds * (rounds - 1) / 2 * users);
	}
	for (uint32_t i = 0; i < pushers; i++) {
		uint32_t done = subject->copy[(size_t)i * BENCH_BLOCK_WORDS + BENCH_DONE];
		outcome->least = i == 0 || done < outcome->least ? done : outcome->least;
	}
	outcome->completed = popped;
	if (pushed == popped && sum == right)
		return WEIR_OK;
	return weir_error_set(WEIR_LAUNCH_FAILED,
	                      "%s queue, %s, %s: of %llu items %llu were popped, with the "
	                      "sum %u instead of %u",
	                      subject->name, weir_pattern_name(wanted->initial),
	                      weir_count_figure(wanted->blocks, "block").text,
	                      (unsigned long long)pushed, (unsigned long long)popped, sum, right);
}

/* That the blocks got each item, or each task, once: those from 0 on. */
static weir_status check_handed_out(const weir_subject *subject, uint32_t rounds,
                                    weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	int has_tasks = wanted->primitive == WEIR_PRIMITIVE_TASKS;
	const uint32_t *told = subject->copy + BENCH_HANDED((size_t)wanted->blocks);
	uint64_t takes = 0, items = 0;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < wanted->blocks; i++, told += BENCH_USER_WORDS) {
		takes += told[BENCH_PUSHED];
		items += told[BENCH_POPPED];
		sum += told[BENCH_SUM];
	}
	uint32_t right = (uint32_t)(items % 2 ? (items - 1) / 2 * items : items / 2 * (items - 1));
	uint64_t all =
	    (uint64_t)rounds *
	    (has_tasks ? weir_layer_tasks(wanted->initial, wanted->blocks) : wanted->blocks);
	/* A time that is over ends a dispenser of bench/peers. */
	if (sum != right || items > all || (has_tasks && items != all))
		return weir_error_set(WEIR_LAUNCH_FAILED,
		                      "%s, %s, %s: of %llu %s %llu were handed out, with "
		                      "the sum %u instead of %u",
		                      subject->name, weir_pattern_name(wanted->initial),
		                      weir_count_figure(wanted->blocks, "block").text,
		                      (unsigned long long)all, has_tasks ? "tasks" : "items",
		                      (unsigned long long)items, sum, right);
	outcome->completed = has_tasks && weir_is_chain(wanted->initial) ? rounds : takes;
	outcome->least =
	    has_tasks || wanted->blocks == 0 ? rounds : (uint32_t)(takes / wanted->blocks);
	return WEIR_OK;
}

static weir_status judge(weir_subject *subject, uint32_t rounds, weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	weir_status status = weir_buffer_read(subject->meter->device, subject->data, 0,
	                                      subject->copy, subject->copied);
	if (status != WEIR_OK)
		return status;
	for (uint32_t i = 0; i < wanted->blocks; i++) {
		uint32_t done = subject->copy[(size_t)i * BENCH_BLOCK_WORDS + BENCH_DONE];
		outcome->completed += done;
		outcome->least = i == 0 || done < outcome->least ? done : outcome->least;
	}
	if (wanted->primitive == WEIR_PRIMITIVE_QUEUE)
		status = check_queue(subject, outcome);
	if (wanted->primitive == WEIR_PRIMITIVE_DISPENSER ||
	    wanted->primitive == WEIR_PRIMITIVE_TASKS)
		status = check_handed_out(subject, rounds, outcome);
	if (weir_is_lock(wanted->primitive))
		status = weir_locks_check(subject, outcome);
	if (status != WEIR_OK)
		return status;
	outcome->cut = outcome->least < rounds;
	if (wanted->primitive == WEIR_PRIMITIVE_BARRIER) {
		uint64_t passed = subject->copy[BENCH_DONE];
		if (outcome->completed != passed * wanted->blocks)
			return weir_error_set(
			    WEIR_LAUNCH_FAILED, "%s barrier, %s: not all passed it equally often",
			    subject->name, weir_count_figure(wanted->blocks, "block").text);
		outcome->completed = passed;
	}
	if (wanted->primitive == WEIR_PRIMITIVE_EVENT_ARRAY) {
		outcome->completed = weir_operations(wanted, outcome->completed);
		status = check_events(subject);
		if (status != WEIR_OK)
			return status;
	}
	judge_time(subject, outcome);
	/* No time ends a run of a graph. */
	if (wanted->primitive == WEIR_PRIMITIVE_TASKS)
		outcome->clocked = 0;
	status = check_busy(subject, outcome);
	return status == WEIR_OK ? check_work(subject, outcome->completed) : status;
}

uint64_t weir_launch_deadline_ns(double limit_s)
{
	return limit_s > 0 ? (uint64_t)((HANG_S + HANG_FACTOR * limit_s) * 1e9) : 0;
}

static void set_pattern(const weir_subject *subject, bench_params *params)
{
	const weir_point *wanted = &subject->wanted;

	if (wanted->primitive == WEIR_PRIMITIVE_DISPENSER ||
	    wanted->primitive == WEIR_PRIMITIVE_TASKS) {
		params->ring = weir_layer_tasks(wanted->initial, wanted->blocks);
		params->users = 1;
		return;
	}
	if (wanted->primitive == WEIR_PRIMITIVE_QUEUE) {
		params->ring = weir_pattern_pushers(wanted->initial, wanted->blocks);
		params->users = weir_queue_users(wanted, subject->meter->info.machine);
		return;
	}
	if (weir_is_lock(wanted->primitive)) {
		weir_locks_set(subject, params);
		return;
	}
	uint32_t ring = weir_pattern_find(wanted->initial)->ring;

	params->ring = ring ? ring : wanted->blocks;
	/* On OpenCL both are the same buffer. */
	if (subject->second.words)
		params->second_at = (uint32_t)(subject->second.words - subject->events.words);
}

uint32_t weir_subject_most(const weir_subject *subject)
{
	const weir_point *wanted = &subject->wanted;

	if (wanted->primitive == WEIR_PRIMITIVE_TASKS)
		return weir_layers_most(wanted->initial, wanted->blocks);
	/* So that all takes fit into a word, also those past the end. */
	return wanted->primitive == WEIR_PRIMITIVE_DISPENSER ? INT32_MAX / wanted->blocks
	                                                     : UINT32_MAX;
}

/* Makes the graph anew if it has other layers. */
static weir_status fit_layers(weir_subject *subject, uint32_t layers)
{
	if (!subject->tasks.words || subject->layers == layers)
		return WEIR_OK;
	subject->layers = layers;
	return weir_subject_enter(subject, subject->memory);
}

weir_status weir_subject_run(weir_subject *subject, uint32_t rounds, double limit_s,
                             weir_outcome *outcome)
{
	weir_status status = fit_layers(subject, rounds);

	if (status != WEIR_OK)
		return status;
	weir_device *device = subject->meter->device;
	double limit_us = limit_s * 1e6;
	bench_params params = {
	    .config = subject->config,
	    .rounds = rounds,
	    .work = subject->wanted.work,
	    .limit_us = limit_us < 4e9 ? (uint32_t)(limit_us + 0.999) : UINT32_MAX,
	    .stores = subject->busy.stores,
	    .uneven = subject->busy.uneven_us * subject->meter->ticks_per_us,
	    .begin = subject->begin,
	    .second = subject->second.config,
	};
	weir_argument arguments[] = {{&subject->words, sizeof subject->words},
	                             {&subject->data.native, sizeof subject->data.native},
	                             {&params, sizeof params}};
	weir_launch launch = {.kernel = subject->kernel,
	                      .grid = {subject->wanted.blocks},
	                      .block = {subject->wanted.threads},
	                      .cooperative = 1,
	                      .cluster = {subject->wanted.cluster},
	                      .arguments = arguments,
	                      .argument_count = 3};

	memset(outcome, 0, sizeof *outcome);
	if (weir_has_patterns(subject->wanted.primitive))
		set_pattern(subject, &params);
	if (subject->meter->info.machine == WEIR_MACHINE_HOST)
		params.meeting = ++subject->launches * subject->wanted.blocks;
	status = weir_kernel_launch(device, &launch);
	if (status == WEIR_OK)
		status = weir_device_wait(device, weir_launch_deadline_ns(limit_s), &outcome->ms);
	return status == WEIR_OK ? judge(subject, rounds, outcome) : status;
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const weir_outcome *)left)->per_second;
	double b = ((const weir_outcome *)right)->per_second;
	return (a > b) - (a < b);
}

void weir_outcomes_summarize(weir_outcome *outcomes, uint32_t count, uint32_t leave_out,
                             weir_point *result)
{
	qsort(outcomes, count, sizeof *outcomes, by_rate);
	const weir_outcome *median = &outcomes[count / 2];
	result->repeats = count;
	result->per_second = median->per_second;
	result->low = outcomes[leave_out].per_second;
	result->high = outcomes[count - 1 - leave_out].per_second;
	result->jain = median->jain;
	result->worst_share = median->worst_share;
	result->completed = median->completed;
}

weir_setting weir_untuned_setting(const weir_point *wanted)
{
	const weir_kind *kind = weir_kind_find(wanted->primitive, wanted->kind);
	weir_setting setting = {.backoff = kind ? weir_untuned_backoff(kind) : weir_no_backoff()};

	if (kind && kind->shape != WEIR_SHAPE_NONE)
		setting.shape = (weir_known_shape){1, weir_untuned_shape(kind, wanted->blocks)};
	/* A GPU's block does no more parts than it has threads. */
	while (setting.shape.shape.bits && wanted->threads >> setting.shape.shape.bits == 0)
		setting.shape.shape.bits--;
	return setting;
}
