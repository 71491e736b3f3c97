/* One benchmark of one kind in a simulated memory. Every block repeats the operation with an empty
 * critical section; for a primitive with patterns it runs one of these. */
#ifndef WEIR_SIM_BENCH_H
#define WEIR_SIM_BENCH_H

#include "sim/memory.h"
#include "sim/sim.h"

/* The row of a kind. Primitives without kinds have one row, for kind 0. */
const weir_kind *weir_sim_kind(enum weir_primitive primitive, uint32_t kind);

weir_status weir_sim_bench(const weir_sim_memory *memory, const weir_sim_case *c,
                           weir_sim_score *score);

/* The memory system of the machine. */
weir_status weir_sim_machine_memory(const weir_sim_machine *machine, weir_sim_memory *memory);

#endif
