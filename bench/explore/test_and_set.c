/* The kernel `test_and_set` of test/explore/algorithms.cu. */
#include "program.h"

static atomic_uint lock;
static unsigned data;

static void run(unsigned me)
{
	(void)me;
	for (unsigned i = 0; i < ROUNDS; i++) {
		while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
			;
		data = data + 1;
		atomic_store_explicit(&lock, 0, memory_order_release);
	}
}
