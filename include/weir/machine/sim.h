/* The simulator machine: every access is an event of the memory system in sim/, which knows a
 * machine by its twelve figures. doc/simulator.md says how it passes time, and what it leaves out.
 */
#ifndef WEIR_MACHINE_SIM_H
#define WEIR_MACHINE_SIM_H

#include <stdint.h>

#define WEIR_FN static inline
#define WEIR_GLOBAL
#define WEIR_HAS_CLOCK 1
#define WEIR_HAS_THREAD_PROGRESS 1

typedef struct weir_word {
	uint32_t value_;
} weir_word;

typedef enum weir_sim_op {
	WEIR_SIM_LOAD,
	WEIR_SIM_STORE,
	WEIR_SIM_ADD,
	WEIR_SIM_XCHG,
	WEIR_SIM_CAS,
	WEIR_SIM_RED_ADD,
	WEIR_SIM_OP_COUNT
} weir_sim_op;

/* The old value; 0 from those that nobody waits for. */
uint32_t weir_sim_access_(weir_word *w, weir_sim_op op, uint32_t value, uint32_t expected);
void weir_sim_pause_(uint32_t units);
void weir_sim_block_sync_(void);
void weir_sim_expired_(void);
uint64_t weir_sim_clock_ns_(void);
uint32_t weir_sim_block_id_(void);
uint32_t weir_sim_block_count_(void);
uint32_t weir_sim_thread_id_(void);
uint32_t weir_sim_thread_count_(void);

/* The accesses of a thread reach memory in their order, which is all that any order asks for. */
#define WEIR_SIM_LOAD_(order)                                                                      \
	WEIR_FN uint32_t weir_load_##order(weir_word *w)                                           \
	{                                                                                          \
		return weir_sim_access_(w, WEIR_SIM_LOAD, 0, 0);                                   \
	}

#define WEIR_SIM_STORE_(order)                                                                     \
	WEIR_FN void weir_store_##order(weir_word *w, uint32_t value)                              \
	{                                                                                          \
		weir_sim_access_(w, WEIR_SIM_STORE, value, 0);                                     \
	}

#define WEIR_SIM_RED_(order)                                                                       \
	WEIR_FN void weir_red_add_##order(weir_word *w, uint32_t addend)                           \
	{                                                                                          \
		weir_sim_access_(w, WEIR_SIM_RED_ADD, addend, 0);                                  \
	}

#define WEIR_SIM_RMW_(order)                                                                       \
	WEIR_FN uint32_t weir_xchg_##order(weir_word *w, uint32_t value)                           \
	{                                                                                          \
		return weir_sim_access_(w, WEIR_SIM_XCHG, value, 0);                               \
	}                                                                                          \
	WEIR_FN uint32_t weir_add_##order(weir_word *w, uint32_t addend)                           \
	{                                                                                          \
		return weir_sim_access_(w, WEIR_SIM_ADD, addend, 0);                               \
	}                                                                                          \
	WEIR_FN uint32_t weir_cas_##order(weir_word *w, uint32_t expected, uint32_t value)         \
	{                                                                                          \
		return weir_sim_access_(w, WEIR_SIM_CAS, value, expected);                         \
	}

WEIR_SIM_LOAD_(rlx)
WEIR_SIM_LOAD_(acq)
WEIR_SIM_STORE_(rlx)
WEIR_SIM_STORE_(rel)
WEIR_SIM_RED_(rlx)
WEIR_SIM_RED_(rel)
WEIR_SIM_RMW_(rlx)
WEIR_SIM_RMW_(acq)
WEIR_SIM_RMW_(rel)
WEIR_SIM_RMW_(acq_rel)

#undef WEIR_SIM_LOAD_
#undef WEIR_SIM_STORE_
#undef WEIR_SIM_RED_
#undef WEIR_SIM_RMW_

WEIR_FN uint64_t weir_clock_ns(void)
{
	return weir_sim_clock_ns_();
}

WEIR_FN void weir_pause(uint32_t units)
{
	weir_sim_pause_(units);
}

WEIR_FN void weir_wait_expired_(void)
{
	weir_sim_expired_();
}

WEIR_FN void weir_block_sync(void)
{
	weir_sim_block_sync_();
}

WEIR_FN uint32_t weir_block_id(void)
{
	return weir_sim_block_id_();
}

WEIR_FN uint32_t weir_block_count(void)
{
	return weir_sim_block_count_();
}

WEIR_FN uint32_t weir_thread_id(void)
{
	return weir_sim_thread_id_();
}

WEIR_FN uint32_t weir_thread_count(void)
{
	return weir_sim_thread_count_();
}

#endif
