/* Predictions for a device that is known by its twelve figures. */
#ifndef WEIR_SIM_PREDICTION_H
#define WEIR_SIM_PREDICTION_H

#include <stddef.h>

#include "memory.h"
#include "watch.h"
#include "weir/kind.h"
#include "weir/profile.h"

#define WEIR_SIM_PRIMITIVES (WEIR_PRIMITIVE_COMBINE + 1) /* room by enumerator */
#define WEIR_SIM_KINDS 32                                /* room for the kinds of one primitive */
#define WEIR_SIM_ACCESSES 1000000
#define WEIR_SIM_KNOWN 512

/* The setting that the tuner finds for a kind, and what it reaches. */
typedef struct weir_sim_found {
	weir_backoff backoff; /* {0, 0}: no pause, or a kind that has none */
	weir_known_shape shape;
	uint32_t tried; /* settings that were compared */
	double per_second;
	uint64_t operations; /* behind that rate */
	double jain;         /* as in weir_sim_score */
	double worst_share;
} weir_sim_found;

/* weir_sim_machine_make makes it; it holds no resources. It remembers its answers, so change the
 * members before `tuned` only before the first question. */
typedef struct weir_sim_machine {
	weir_probe probe;
	uint32_t threads;  /* of a block */
	uint64_t accesses; /* of each run; more accesses are slower and steadier */
	uint64_t seed;
	uint32_t tune_step;      /* the tuner widens bounds by this factor */
	int as_published;        /* weir_sim_publish */
	int batched_loads;       /* where atomics hold cache lines; see weir_sim_memory */
	uint32_t block_accesses; /* 0, or at most so many accesses of a run for each block */
	weir_sim_watch watch;    /* of all simulations */
	int planning;            /* report the likely work of each question, and simulate nothing */
	double reported;         /* of the question that is being answered */
	/* What the tuner found, once a kind has been asked for. */
	struct {
		int known;
		weir_backoff backoff;
		uint32_t tried; /* bounds that were run */
	} tuned[WEIR_SIM_PRIMITIVES][WEIR_SIM_KINDS];
	/* What was found; more than fit is found again. */
	struct {
		enum weir_primitive primitive;
		uint32_t kind;
		uint32_t blocks;
		uint32_t initial;
		weir_sim_found found;
	} known[WEIR_SIM_KNOWN];
	size_t known_count;
} weir_sim_machine;

/* WEIR_BAD_ARGUMENT names the figure that is impossible. */
weir_status weir_sim_machine_make(const weir_probe *probe, weir_sim_machine *machine);

/* The memory system of the machine. */
weir_status weir_sim_machine_memory(const weir_sim_machine *machine, weir_sim_memory *memory);

/* The one search of the simulator, which weir predict, bench and tune all use: the bounds of
 * weir_sim_tune, and for a counter barrier a shape for so many blocks. */
weir_status weir_sim_find(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          uint32_t blocks, uint32_t initial, weir_sim_found *found);

/* A copy that answers no question, but reports to `watch` how much work each is likely to take. A
 * progress bar gets its total from that. */
weir_sim_machine weir_sim_plan(const weir_sim_machine *machine, weir_sim_watch watch);

/* Operations a second of one kind, with an empty critical section and the backoff that the tuner
 * finds for it on this device; `initial` is a semaphore's. A barrier that all blocks pass is one
 * operation. */
weir_status weir_sim_rate(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          uint32_t blocks, uint32_t initial, double *per_second);

/* The bounds with which weir_sim_rate runs a kind: found at the probe's block count, for an initial
 * value of 1. */
weir_status weir_sim_tune(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          weir_backoff *backoff);

/* Kernels as the paper wrote them: the words of an object in one cache line, and its pauses
 * (sim/paper.h). Only its kinds compete. */
void weir_sim_publish(weir_sim_machine *machine);

/* Gives all kinds these bounds instead of those that the tuner would find. On a machine with kernels
 * as published, kinds that do not back off in the paper still do not. */
void weir_sim_fix(weir_sim_machine *machine, weir_backoff backoff);

/* Whether a kind may be the best: one for use, or on a machine with kernels as published, one of
 * the paper's. */
int weir_sim_competes(const weir_sim_machine *machine, enum weir_primitive primitive,
                      const weir_kind *kind);

/* The fastest kind of those that compete; 0 when none completes anything. `per_second` may be NULL;
 * else it has room for WEIR_SIM_KINDS rates, by kind. The rates of kinds that do not exist are
 * 0. */
weir_status weir_sim_best(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t blocks,
                          uint32_t initial, uint32_t *kind, double *per_second);

/* Changes a probe's figures by a text such as "atomic.same*=0.1": volatile, atomic or primed, then
 * same or own, then, if wanted, read or write; then *= and a factor. Or "equal-atomics", which gives
 * atomics the figures of volatile accesses; or "batched-loads", which sets `batched_loads` and
 * changes no figure. Several are separated by commas. WEIR_BAD_ARGUMENT says
 * what is wrong with it. */
weir_status weir_sim_what_if(const char *text, weir_probe *probe, int *batched_loads);

#endif
