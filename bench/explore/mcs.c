/* The kernel `mcs` of test/explore/algorithms.cu. */
#include "program.h"

static atomic_uint tail, next[THREADS + 1], locked[THREADS + 1];
static unsigned data;

static void run(unsigned number)
{
	unsigned me = number + 1;

	for (unsigned i = 0; i < ROUNDS; i++) {
		atomic_store_explicit(&next[me], 0, memory_order_relaxed);
		atomic_store_explicit(&locked[me], 1, memory_order_relaxed);
		unsigned before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
		if (before) {
			atomic_store_explicit(&next[before], me, memory_order_release);
			while (atomic_load_explicit(&locked[me], memory_order_acquire))
				;
		}
		data = data + 1;
		unsigned after = atomic_load_explicit(&next[me], memory_order_acquire);
		unsigned expected = me;
		if (!after) {
			if (atomic_compare_exchange_strong_explicit(
				&tail, &expected, 0, memory_order_release, memory_order_relaxed))
				continue;
			while (!(after = atomic_load_explicit(&next[me], memory_order_acquire)))
				;
		}
		atomic_store_explicit(&locked[after], 0, memory_order_release);
	}
}
