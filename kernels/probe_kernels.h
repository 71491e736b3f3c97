/* The paper's twelve memory benchmarks: the master thread of every block accesses a word again and
 * again. One text for all machines.
 *
 * The paper's volatile accesses are relaxed loads and stores here: in today's models a volatile
 * access promises no more, and on CUDA both are the same strong, relaxed access that goes to the
 * L2. The accesses do not depend on each other, so that as many are under way as the machine
 * allows; what they return is added up and left in `data`, or a compiler would drop them.
 */
#include "kernel.h"
#include "probe_params.h"

#define PROBE_LOOP(access)                                                                         \
	for (uint32_t i = 0; i < params.rounds; i++) {                                             \
		access;                                                                            \
		access;                                                                            \
		access;                                                                            \
		access;                                                                            \
		access;                                                                            \
		access;                                                                            \
		access;                                                                            \
		access;                                                                            \
	}

WEIR_KERNEL(memory_probe, probe_params)
{
	WEIR_GLOBAL weir_word *word = words + params.own * weir_block_id() * PROBE_PITCH;
	uint32_t sum = 0;

	if (weir_thread_id() != 0)
		return;
	if (params.kind == PROBE_PRIMED)
		sum += weir_add_rlx(word, params.zero);
	/* All relaxed: only the time of the accesses matters. */
	if (params.kind != PROBE_ATOMIC && !params.writes) {
		PROBE_LOOP(sum += weir_load_rlx(word))
	} else if (params.kind != PROBE_ATOMIC) {
		PROBE_LOOP(weir_store_rlx(word, params.zero))
	} else if (!params.writes) {
		PROBE_LOOP(sum += weir_add_rlx(word, params.zero))
	} else {
		PROBE_LOOP(sum += weir_xchg_rlx(word, params.zero))
	}
	data[weir_block_id()] = sum;
}
