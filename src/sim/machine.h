/* The simulator machine: every access is an event of the memory system in sim/, which knows a
 * device by its twelve figures. doc/simulator.md says how time passes, and what is not simulated.
 */
#ifndef WEIR_MACHINE_SIM_H
#define WEIR_MACHINE_SIM_H

#include <stdint.h>

#define WEIR_FN static inline
#define WEIR_GLOBAL
#define WEIR_NO_UNROLL
#define WEIR_UNROLL
#define WEIR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEIR_HAS_ALL_KINDS 1
#define WEIR_HAS_CLOCK 1
#define WEIR_HAS_WORD64 1
#define WEIR_HAS_ACQUIRE_FENCE 1
#define WEIR_HAS_CLUSTER 0
#define WEIR_HAS_THREAD_PROGRESS 1

typedef struct weir_word {
	uint32_t value_;
} weir_word;

typedef struct weir_word64 {
	uint64_t value_;
} weir_word64;

typedef enum weir_sim_op {
	WEIR_SIM_LOAD,
	WEIR_SIM_STORE,
	WEIR_SIM_ADD,
	WEIR_SIM_XCHG,
	WEIR_SIM_CAS,
	WEIR_SIM_RED_ADD,
	WEIR_SIM_OP_COUNT
} weir_sim_op;

/* Ranks on links (sim/ranks) also use this machine, over an engine of their own. */
#ifdef WEIR_SIM_RANKS
#define WEIR_SIM_OF_(name) weir_ranks_##name##_
#else
#define WEIR_SIM_OF_(name) weir_sim_##name##_
#endif

/* Returns the old value, or 0 from accesses that no thread waits for. `w` is a word of `bits`
 * bits. */
uint64_t WEIR_SIM_OF_(access)(void *w, int bits, weir_sim_op op, uint64_t value, uint64_t expected);
void WEIR_SIM_OF_(pause)(double units);
void WEIR_SIM_OF_(block_sync)(void);
void WEIR_SIM_OF_(end_launch)(uint32_t fault, uint32_t kind);
uint64_t WEIR_SIM_OF_(clock_ns)(void);
uint32_t WEIR_SIM_OF_(block_id)(void);
uint32_t WEIR_SIM_OF_(block_count)(void);
uint32_t WEIR_SIM_OF_(thread_id)(void);
uint32_t WEIR_SIM_OF_(thread_count)(void);

#ifdef WEIR_SIM_RANKS
/* Loads of a rank overlap; it waits for all of them here. */
#define weir_fence_acq_() weir_ranks_fence_()
void weir_ranks_fence_(void);

/* One thread of each rank is simulated, so it owns what its block shares. */
#define WEIR_HAS_BLOCK_VALUE 1
uint32_t *weir_ranks_plain_(uint32_t place);

WEIR_FN void weir_plain_put_(uint32_t place, uint32_t value)
{
	*weir_ranks_plain_(place) = value;
}

WEIR_FN uint32_t weir_plain_get_(uint32_t place)
{
	return *weir_ranks_plain_(place);
}
#else
/* The accesses are ordered anyway. */
#define weir_fence_acq_() ((void)0)
#endif

/* The accesses of a thread reach memory in program order, which satisfies every memory order. `n`
 * and `bits`: nothing and 32, or 64 and 64. */
#define WEIR_SIM_LOAD_(n, bits, order)                                                             \
	WEIR_FN uint##bits##_t weir_load##n##_##order(weir_word##n *w)                             \
	{                                                                                          \
		return (uint##bits##_t)WEIR_SIM_OF_(access)(w, bits, WEIR_SIM_LOAD, 0, 0);         \
	}

#define WEIR_SIM_STORE_(n, bits, order)                                                            \
	WEIR_FN void weir_store##n##_##order(weir_word##n *w, uint##bits##_t value)                \
	{                                                                                          \
		WEIR_SIM_OF_(access)(w, bits, WEIR_SIM_STORE, value, 0);                           \
	}

#define WEIR_SIM_RED_(n, bits, order)                                                              \
	WEIR_FN void weir_red_add##n##_##order(weir_word##n *w, uint##bits##_t addend)             \
	{                                                                                          \
		WEIR_SIM_OF_(access)(w, bits, WEIR_SIM_RED_ADD, addend, 0);                        \
	}

#define WEIR_SIM_RMW_(n, bits, order)                                                              \
	WEIR_FN uint##bits##_t weir_add##n##_##order(weir_word##n *w, uint##bits##_t addend)       \
	{                                                                                          \
		return (uint##bits##_t)WEIR_SIM_OF_(access)(w, bits, WEIR_SIM_ADD, addend, 0);     \
	}                                                                                          \
	WEIR_FN uint##bits##_t weir_cas##n##_##order(weir_word##n *w, uint##bits##_t expected,     \
	                                             uint##bits##_t value)                         \
	{                                                                                          \
		return (uint##bits##_t)WEIR_SIM_OF_(access)(w, bits, WEIR_SIM_CAS, value,          \
		                                            expected);                             \
	}

#define WEIR_SIM_XCHG_(order)                                                                      \
	WEIR_FN uint32_t weir_xchg_##order(weir_word *w, uint32_t value)                           \
	{                                                                                          \
		return (uint32_t)WEIR_SIM_OF_(access)(w, 32, WEIR_SIM_XCHG, value, 0);             \
	}

WEIR_SIM_LOAD_(, 32, rlx)
WEIR_SIM_LOAD_(, 32, acq)
WEIR_SIM_STORE_(, 32, rlx)
WEIR_SIM_STORE_(, 32, rel)
WEIR_SIM_RED_(, 32, rlx)
WEIR_SIM_RED_(, 32, rel)
WEIR_SIM_RMW_(, 32, rlx)
WEIR_SIM_RMW_(, 32, acq)
WEIR_SIM_RMW_(, 32, rel)
WEIR_SIM_RMW_(, 32, acq_rel)
WEIR_SIM_LOAD_(64, 64, rlx)
WEIR_SIM_LOAD_(64, 64, acq)
WEIR_SIM_STORE_(64, 64, rlx)
WEIR_SIM_STORE_(64, 64, rel)
WEIR_SIM_RED_(64, 64, rlx)
WEIR_SIM_RED_(64, 64, rel)
WEIR_SIM_RMW_(64, 64, rlx)
WEIR_SIM_RMW_(64, 64, acq)
WEIR_SIM_RMW_(64, 64, rel)
WEIR_SIM_RMW_(64, 64, acq_rel)
WEIR_SIM_XCHG_(rlx)
WEIR_SIM_XCHG_(acq)
WEIR_SIM_XCHG_(rel)
WEIR_SIM_XCHG_(acq_rel)

#undef WEIR_SIM_LOAD_
#undef WEIR_SIM_STORE_
#undef WEIR_SIM_RED_
#undef WEIR_SIM_RMW_
#undef WEIR_SIM_XCHG_

WEIR_FN uint64_t weir_clock_ns(void)
{
	return WEIR_SIM_OF_(clock_ns)();
}

WEIR_FN void weir_pause(uint32_t units)
{
	WEIR_SIM_OF_(pause)(units);
}

WEIR_FN void weir_pause_sixteenths(uint32_t sixteenths)
{
	WEIR_SIM_OF_(pause)(sixteenths / 16.0);
}

WEIR_FN void weir_end_launch(uint32_t fault, uint32_t kind)
{
	WEIR_SIM_OF_(end_launch)(fault, kind);
}

WEIR_FN void weir_block_sync(void)
{
	WEIR_SIM_OF_(block_sync)();
}

WEIR_FN uint32_t weir_hide_value(uint32_t x)
{
	return x;
}

WEIR_FN uint32_t weir_block_id(void)
{
	return WEIR_SIM_OF_(block_id)();
}

WEIR_FN uint32_t weir_block_count(void)
{
	return WEIR_SIM_OF_(block_count)();
}

WEIR_FN uint32_t weir_thread_id(void)
{
	return WEIR_SIM_OF_(thread_id)();
}

WEIR_FN uint32_t weir_thread_count(void)
{
	return WEIR_SIM_OF_(thread_count)();
}

#endif
