#include "measure/locks.h"

#include <stddef.h>
#include <stdint.h>

#include "cli/kinds.h"
#include "kernels/bench_params.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/subject.h"
#include "output/figure.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

int weir_is_lock(enum weir_primitive primitive)
{
	return primitive == WEIR_PRIMITIVE_CONDITION || primitive == WEIR_PRIMITIVE_RWLOCK ||
	       primitive == WEIR_PRIMITIVE_ONCE || primitive == WEIR_PRIMITIVE_COMBINE;
}

/* Two conditions and their mutex, one behind the other in the same memory. */
static weir_status create_conditions(weir_subject *subject, weir_options options)
{
	enum {
		APART = 1024 /* bytes: they share nothing */
	};
	weir_device *device = subject->meter->device;
	size_t bytes = 0;
	size_t alignment = 1;

	if (!options.memory) {
		options.memory = subject->meter->places[0].native;
		options.memory_bytes = subject->meter->places[0].bytes;
	}
	weir_status status = weir_condition_size(device, &options, &bytes, &alignment);
	size_t apart = (bytes + APART - 1) / APART * APART;
	for (uint32_t i = 0; status == WEIR_OK && i < 2; i++) {
		status = weir_condition_create(device, &options, &subject->conditions[i]);
		options.memory_offset += apart;
		options.memory_bytes -= apart;
	}
	if (status == WEIR_OK)
		status =
		    weir_mutex_create_with(device, WEIR_MUTEX_DEFAULT, &options, &subject->mutex);
	subject->words = subject->conditions[0].words;
	subject->config.condition = subject->conditions[0].config;
	return status;
}

static weir_status create_combine(weir_subject *subject, weir_options options)
{
	options.served = subject->wanted.initial == WEIR_PATTERN_COMBINE_SERVE;
	weir_status status = weir_combine_create(subject->meter->device, subject->wanted.blocks,
	                                         &options, &subject->combine);
	subject->words = subject->combine.words;
	subject->config.combine = subject->combine.config;
	return status;
}

weir_status weir_locks_create(weir_subject *subject, weir_options options)
{
	weir_device *device = subject->meter->device;
	weir_status status;

	switch (subject->wanted.primitive) {
	case WEIR_PRIMITIVE_CONDITION:
		return create_conditions(subject, options);
	case WEIR_PRIMITIVE_COMBINE:
		return create_combine(subject, options);
	case WEIR_PRIMITIVE_RWLOCK:
		status = weir_rwlock_create(device, (weir_rwlock_kind)subject->wanted.kind,
		                            &options, &subject->rwlock);
		subject->words = subject->rwlock.words;
		subject->config.rwlock = subject->rwlock.config;
		return status;
	default:
		status = weir_once_create(device, &options, &subject->once);
		subject->words = subject->once.words;
		subject->config.once = subject->once.config;
		return status;
	}
}

weir_status weir_locks_destroy(weir_subject *subject)
{
	weir_device *device = subject->meter->device;
	weir_status status = WEIR_OK;

	if (subject->mutex.words)
		status = weir_mutex_destroy(device, &subject->mutex);
	for (uint32_t i = 0; i < 2; i++)
		if (subject->conditions[i].words && status == WEIR_OK)
			status = weir_condition_destroy(device, &subject->conditions[i]);
	if (subject->rwlock.words)
		status = weir_rwlock_destroy(device, &subject->rwlock);
	if (subject->once.words)
		status = weir_once_destroy(device, &subject->once);
	if (subject->combine.words)
		status = weir_combine_destroy(device, &subject->combine);
	return status;
}

void weir_locks_set(const weir_subject *subject, bench_params *params)
{
	const weir_point *wanted = &subject->wanted;

	params->users = 1;
	if (wanted->primitive == WEIR_PRIMITIVE_CONDITION)
		params->ring = weir_pattern_pushers(wanted->initial, wanted->blocks);
	if (wanted->initial == WEIR_PATTERN_RWLOCK_READ90)
		params->ring = 1;
	if (wanted->initial == WEIR_PATTERN_RWLOCK_WRITE)
		params->ring = 10;
	if (!subject->mutex.words)
		return;
	params->second_condition = subject->conditions[1].config;
	params->mutex = subject->mutex.config;
	/* On OpenCL all are the same buffer. */
	params->second_at = (uint32_t)(subject->conditions[1].words - subject->conditions[0].words);
	params->mutex_at = (uint32_t)(subject->mutex.words - subject->conditions[0].words);
}

/* What all blocks tell, added up. */
struct told {
	uint64_t pushed;
	uint64_t popped;
	uint32_t popped_sum; /* modulo 2^32, as the sum */
	uint32_t sum;
	uint32_t pushes; /* the sum of the numbers that were pushed */
};

static struct told add_up(const weir_subject *subject)
{
	uint32_t blocks = subject->wanted.blocks;
	const uint32_t *words = subject->copy + BENCH_HANDED((size_t)blocks);
	struct told told = {0};

	for (uint32_t i = 0; i < blocks; i++, words += BENCH_USER_WORDS) {
		uint64_t rounds = words[BENCH_PUSHED];
		told.pushed += rounds;
		told.popped += words[BENCH_POPPED];
		told.sum += words[BENCH_SUM];
		/* i, i + blocks, i + 2 * blocks and so on */
		told.pushes += (uint32_t)(rounds * i + rounds * (rounds - 1) / 2 * blocks);
	}
	told.popped_sum = (uint32_t)told.popped;
	return told;
}

static uint32_t done_by(const weir_subject *subject, uint32_t block)
{
	return subject->copy[(size_t)block * BENCH_BLOCK_WORDS + BENCH_DONE];
}

/* The operations of the blocks from `first` to before `end`. */
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

static weir_status wrong(const weir_subject *subject, const char *what, uint64_t found,
                         uint64_t right)
{
	const weir_point *wanted = &subject->wanted;

	return weir_error_set(WEIR_LAUNCH_FAILED, "%s %s, %s, %s: %s %llu, and not %llu",
	                      subject->name, weir_primitive_id(wanted->primitive),
	                      weir_pattern_name(wanted->initial),
	                      weir_count_figure(wanted->blocks, "block").text, what,
	                      (unsigned long long)found, (unsigned long long)right);
}

static const uint32_t *section_of(const weir_subject *subject)
{
	return subject->copy + BENCH_SECTION((size_t)subject->wanted.blocks);
}

static weir_status check_rwlock(weir_subject *subject, const struct told *told,
                                weir_outcome *outcome)
{
	const weir_point *wanted = &subject->wanted;
	const uint32_t *section = section_of(subject);

	if (wanted->initial == WEIR_PATTERN_RWLOCK_WRITER)
		count(subject, 0, 1, outcome);
	if (told->popped != 0)
		return wrong(subject, "reads that found a write half done:", told->popped, 0);
	subject->kept += told->pushed;
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
			return wrong(subject, "a block made so many rounds:", done_by(subject, i),
			             rounds);
	subject->kept += rounds;
	outcome->completed = rounds;
	if (section_of(subject)[BENCH_COUNT] != (uint32_t)subject->kept)
		return wrong(subject, "rounds:", section_of(subject)[BENCH_COUNT],
		             (uint32_t)subject->kept);
	return WEIR_OK;
}

static weir_status check_buffer(const weir_subject *subject, const struct told *told,
                                weir_outcome *outcome)
{
	uint32_t pushers = weir_pattern_pushers(subject->wanted.initial, subject->wanted.blocks);

	count(subject, 0, pushers, outcome);
	if (told->popped != told->pushed)
		return wrong(subject, "items that were taken:", told->popped, told->pushed);
	if (told->sum != told->pushes)
		return wrong(subject, "the sum of the items:", told->sum, told->pushes);
	return WEIR_OK;
}

/* One block initialized, or none since an earlier launch has. */
static weir_status check_once(const weir_subject *subject, const struct told *told)
{
	uint32_t right = (uint32_t)told->pushed * BENCH_MADE;

	if (told->popped > 1)
		return wrong(subject, "initializations:", told->popped, 1);
	if (told->sum != right)
		return wrong(subject, "the sum of what was read:", told->sum, right);
	return WEIR_OK;
}

/* The operations have the numbers after those of the launches before, each once. */
static weir_status check_combine(weir_subject *subject, const struct told *told,
                                 weir_outcome *outcome)
{
	const uint32_t *section = section_of(subject);
	uint64_t before = subject->kept;
	uint64_t n = told->pushed;
	uint32_t right = (uint32_t)(n * before + (n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1)));

	if (subject->wanted.initial == WEIR_PATTERN_COMBINE_SERVE)
		count(subject, 1, subject->wanted.blocks, outcome);
	outcome->completed = n;
	subject->kept += n;
	subject->hash += told->sum;
	if (section[BENCH_COUNT] != (uint32_t)subject->kept)
		return wrong(subject, "operations that were counted:", section[BENCH_COUNT],
		             (uint32_t)subject->kept);
	if (told->popped_sum != right)
		return wrong(subject, "the sum of the results:", told->popped_sum, right);
	if (section[BENCH_TWIN] != subject->hash)
		return wrong(subject, "the hash of the operations:", section[BENCH_TWIN],
		             subject->hash);
	return WEIR_OK;
}

weir_status weir_locks_check(weir_subject *subject, weir_outcome *outcome)
{
	struct told told = add_up(subject);

	subject->begin++;
	switch (subject->wanted.initial) {
	case WEIR_PATTERN_CONDITION_BROADCAST:
		return check_broadcast(subject, outcome);
	case WEIR_PATTERN_CONDITION_BUFFER:
		return check_buffer(subject, &told, outcome);
	case WEIR_PATTERN_ONCE_DONE:
		return check_once(subject, &told);
	case WEIR_PATTERN_COMBINE:
	case WEIR_PATTERN_COMBINE_SERVE:
		return check_combine(subject, &told, outcome);
	default:
		return check_rwlock(subject, &told, outcome);
	}
}
