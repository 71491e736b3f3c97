/* The paper's twelve memory benchmarks: the master thread of every block repeatedly accesses a
 * word. One source for all machines.
 *
 * The volatile accesses are the language's, as in the paper: this is the only place that accesses a
 * word without the machine layer. On CUDA they are relaxed at system scope, and slightly slower
 * than the layer's device-scope accesses. The accesses do not depend on each other, so that the
 * device can overlap them. Their results are summed and stored in `data`; otherwise a compiler
 * would remove the accesses.
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

WEIR_FN WEIR_GLOBAL volatile uint32_t *probe_volatile(WEIR_GLOBAL weir_word *word)
{
	return (WEIR_GLOBAL volatile uint32_t *)word;
}

WEIR_KERNEL(memory_probe, probe_params)
{
	WEIR_GLOBAL weir_word *word = words + params.own * weir_block_id() * PROBE_PITCH;
	uint32_t sum = 0;

	if (weir_thread_id() != 0)
		return;
	if (params.kind == PROBE_PRIMED)
		sum += weir_add_rlx(word, params.zero);
	/* The atomics are relaxed: only the time of the accesses matters. */
	if (params.kind != PROBE_ATOMIC && !params.writes) {
		PROBE_LOOP(sum += *probe_volatile(word))
	} else if (params.kind != PROBE_ATOMIC) {
		PROBE_LOOP(*probe_volatile(word) = params.zero)
	} else if (!params.writes) {
		PROBE_LOOP(sum += weir_add_rlx(word, params.zero))
	} else {
		PROBE_LOOP(sum += weir_xchg_rlx(word, params.zero))
	}
	data[weir_block_id()] = sum;
}
