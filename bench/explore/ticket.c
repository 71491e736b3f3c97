/* The kernel `ticket` of test/explore/algorithms.cu. */
#include "program.h"

static atomic_uint next, turn;
static unsigned data;

static void run(unsigned me)
{
	(void)me;
	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
		while (atomic_load_explicit(&turn, memory_order_acquire) != mine)
			;
		data = data + 1;
		atomic_store_explicit(&turn, mine + 1, memory_order_release);
	}
}
