/* The rate of the cycle counter that kernels can read on this CPU. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "opencl/opencl.h"

#if defined(__x86_64__)

#define APART_NS 4000000 /* between the two readings of both clocks */
#define AT_ONCE_NS 2000  /* two readings no further apart than this count as simultaneous */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Reads both clocks at the same moment, as well as a busy computer allows. */
static void look(uint64_t *cycles, uint64_t *ns)
{
	uint64_t before, after;

	for (int attempt = 0; attempt < 1000; attempt++) {
		before = now_ns();
		*cycles = __builtin_ia32_rdtsc();
		after = now_ns();
		*ns = before + (after - before) / 2;
		if (after - before < AT_ONCE_NS)
			return;
	}
}

/* Rounds to three digits, on which two processes agree. The number is a compiler option, and PoCL's
 * cache of compilations includes the options in its key. */
static uint32_t rounded(uint64_t value)
{
	uint64_t unit = 1;

	while (value / unit >= 1000)
		unit *= 10;
	return (uint32_t)((value + unit / 2) / unit * unit);
}

static uint32_t measured;

static void measure(void)
{
	uint64_t first_cycles, first_ns, cycles, ns;

	look(&first_cycles, &first_ns);
	do
		look(&cycles, &ns);
	while (ns - first_ns < APART_NS);
	measured = rounded((cycles - first_cycles) * 1000000 / (ns - first_ns));
}

uint32_t weir_opencl_cycles_per_ms(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, measure);
	return measured;
}

#else

uint32_t weir_opencl_cycles_per_ms(void)
{
	return 0;
}

#endif
