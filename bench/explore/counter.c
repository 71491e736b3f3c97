/* The kernel `counter` of test/explore/algorithms.cu: a barrier. ROUNDS are its phases. */
#include "program.h"

static atomic_uint count;
static unsigned data[ROUNDS + 1][THREADS];

static void run(unsigned me)
{
	for (unsigned p = 1; p <= ROUNDS; p++) {
		data[p][me] = p;
		atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel);
		while (atomic_load_explicit(&count, memory_order_acquire) < p * THREADS)
			;
		assert(data[p][(me + 1) % THREADS] == p);
	}
}
