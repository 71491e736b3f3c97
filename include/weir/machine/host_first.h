/* The first threads of a block on the host machine, if WEIR_HOST_FIRST_THREADS makes several of them
 * divide work: for tests of code that otherwise only GPUs run. Blocks that use a combiner then have
 * at least that many threads. Only weir_first_sync orders their accesses.
 */
#ifndef WEIR_MACHINE_HOST_H
#include "weir/machine/host.h" /* includes this file where it is needed */
#endif

#ifndef WEIR_MACHINE_HOST_FIRST_H
#define WEIR_MACHINE_HOST_FIRST_H

#if WEIR_HOST_FIRST_THREADS > 1

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
/* The `count` threads from `first` on call this together. Each gets the values of all of them. */
void weir_host_first_meet_(uint32_t first, uint32_t count, uint32_t value, uint32_t *values);
/* A word that the first threads of the block share; NULL in one of the caller's own threads. */
uint32_t *weir_host_first_word_(uint32_t place);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#define WEIR_FIRST_THREADS ((uint32_t)(WEIR_HOST_FIRST_THREADS))
#define WEIR_FIRST_BITS ((uint32_t)__builtin_ctz(WEIR_HOST_FIRST_THREADS))

typedef struct weir_host_first {
	uint32_t first; /* thread of the caller's warp */
	uint32_t count;
	uint32_t values[WEIR_HOST_FIRST_THREADS];
} weir_host_first;

WEIR_FN weir_host_first weir_host_first_(void)
{
	weir_host_first f;
	uint32_t left;

	f.first = weir_thread_id() / WEIR_FIRST_THREADS * WEIR_FIRST_THREADS;
	left = weir_thread_count() - f.first;
	f.count = left < WEIR_FIRST_THREADS ? left : WEIR_FIRST_THREADS;
	return f;
}

/* The values that they pass. */
WEIR_FN weir_host_first weir_host_first_pass_(uint32_t value)
{
	weir_host_first f = weir_host_first_();

	weir_jitter_();
	weir_host_first_meet_(f.first, f.count, value, f.values);
	return f;
}

WEIR_FN int weir_has_parts(uint32_t threads, uint32_t bits)
{
	return threads >> bits != 0 || threads >= WEIR_FIRST_THREADS;
}

WEIR_FN int weir_is_first(uint32_t thread)
{
	return thread < WEIR_FIRST_THREADS;
}

/* The parts of a thread, from last to first. */
#define WEIR_EACH_PART(part, thread, count)                                                        \
	for (uint32_t left_ = (thread) < (count) ? ((count)-1 - (thread)) / WEIR_FIRST_THREADS + 1 \
	                                         : 0,                                              \
	              part = (thread) + (left_ - 1) * WEIR_FIRST_THREADS;                          \
	     left_ != 0; left_--, part -= WEIR_FIRST_THREADS)

WEIR_FN uint32_t weir_first_value(uint32_t value, uint32_t bits)
{
	return bits != 0 ? weir_host_first_pass_(value).values[0] : value;
}

WEIR_FN uint32_t weir_first_sum(uint32_t value, uint32_t bits)
{
	weir_host_first f = weir_host_first_pass_(value);
	uint32_t sum = 0;

	(void)bits;
	for (uint32_t i = 0; i < f.count; i++)
		sum += f.values[i];
	return sum;
}

WEIR_FN uint32_t weir_first_pick(uint32_t value, uint32_t none)
{
	weir_host_first f = weir_host_first_pass_(value);

	for (uint32_t i = 0; i < f.count; i++)
		if (f.values[i] != none)
			return f.values[i];
	return none;
}

WEIR_FN uint32_t weir_first_ballot(int condition)
{
	weir_host_first f = weir_host_first_pass_(condition != 0);
	uint32_t bits = 0;

	for (uint32_t i = 0; i < f.count; i++)
		bits |= f.values[i] << i;
	return bits;
}

WEIR_FN uint32_t weir_first_get(uint32_t value, uint32_t thread)
{
	return weir_host_first_pass_(value).values[thread];
}

WEIR_FN uint32_t weir_first_count(uint32_t bits)
{
	return (uint32_t)__builtin_popcount(bits);
}

WEIR_FN uint32_t weir_first_rank(uint32_t bits, uint32_t thread)
{
	return weir_first_count(bits & ((1u << thread) - 1));
}

WEIR_FN void weir_first_sync(void)
{
	weir_host_first f = weir_host_first_();

	weir_jitter_();
	weir_host_warp_sync_(f.first, f.count);
}

#define weir_first_word(own, place) (*weir_host_first_at_(own, place))
#define weir_first_word_put(own, place, value) ((void)(*weir_host_first_at_(own, place) = (value)))

WEIR_FN uint32_t *weir_host_first_at_(uint32_t *own, uint32_t place)
{
	uint32_t *shared = weir_host_first_word_(place);

	return shared ? shared : &own[place];
}

#endif

#endif
