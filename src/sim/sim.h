/* The simulator's interface: the throughput of a kind on a device that is known by the figures of a
 * probe, and the cost of a barrier over GPUs on links. doc/simulator.md and doc/crew-cost.md explain
 * the model.
 *
 * A thread runs one simulation at a time. Nothing here prints or ends the process.
 */
#ifndef WEIR_SIM_H
#define WEIR_SIM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* Watches a simulation, to show its progress and to end it.
 *
 * `look` is called after every few thousand accesses with the work done since the last call, in a
 * unit that takes about the same time everywhere. If it returns nonzero, the run ends with
 * WEIR_ABORTED. `replan`, if not NULL, is called when a search ends that took more or less work
 * than planned, with the difference. All zeros: no watch. */
typedef struct weir_sim_watch {
	int (*look)(void *context, double work);
	void (*replan)(void *context, double more);
	void *context;
} weir_sim_watch;

/* A device, and the throughput of each kind on it. */

#define WEIR_SIM_PRIMITIVES (WEIR_PRIMITIVE_COMBINER + 1) /* indexed by enumerator */
#define WEIR_SIM_KINDS 32                                 /* room for the kinds of one primitive */
#define WEIR_SIM_ACCESSES 1000000
#define WEIR_SIM_KNOWN 512

/* The subject of a question. All blocks use one object, with an empty critical section. */
typedef struct weir_sim_use {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t blocks;
	uint32_t initial; /* a semaphore's initial value */
	uint32_t pattern; /* for a primitive that is measured in patterns */
} weir_sim_use;

weir_sim_use weir_sim_use_of(const weir_point *point);

/* The setting that the tuner finds for a kind, and its rate. */
typedef struct weir_sim_found {
	weir_backoff backoff; /* {0, 0}: no pause, or a kind without pauses */
	weir_known_shape shape;
	uint32_t tried; /* number of settings compared */
	double per_second;
	uint64_t operations; /* operations behind that rate */
	double jain;         /* as in weir_sim_score */
	double worst_share;
} weir_sim_found;

/* Made by weir_sim_machine_make; it holds no resources. It remembers its answers, so change the
 * members before `tuned` only before the first question. */
typedef struct weir_sim_machine {
	weir_probe probe;
	uint32_t threads;  /* of a block */
	uint64_t accesses; /* of each run; more accesses are slower and steadier */
	uint64_t seed;
	uint32_t tune_step;      /* the tuner widens bounds by this factor */
	int as_published;        /* weir_sim_publish */
	int batched_loads;       /* loads of a cache line that atomics hold share one service */
	uint32_t block_accesses; /* 0, or the maximum accesses of a run for each block */
	weir_sim_watch watch;    /* of all simulations */
	int planning;            /* report the likely work of each question without simulating */
	double reported;         /* for the current question */
	/* What the tuner found for the kinds asked so far. */
	struct {
		int known;
		weir_backoff backoff;
		uint32_t tried; /* number of bounds tried */
	} tuned[WEIR_SIM_PRIMITIVES][WEIR_SIM_KINDS];
	/* What was found; results beyond this room are searched for again. */
	struct {
		weir_sim_use use;
		weir_sim_found found;
	} known[WEIR_SIM_KNOWN];
	size_t known_count;
} weir_sim_machine;

/* WEIR_BAD_ARGUMENT: the error names the impossible figure. */
weir_status weir_sim_machine_make(const weir_probe *probe, weir_sim_machine *machine);

/* The only search of the simulator, which weir predict, bench and tune share: the bounds of
 * weir_sim_tune, and for a counter barrier a shape for this number of blocks. */
weir_status weir_sim_find(weir_sim_machine *machine, weir_sim_use use, weir_sim_found *found);

/* A copy that answers no questions but reports to `watch` how much work each will probably take. A
 * progress bar gets its total from it. */
weir_sim_machine weir_sim_plan(const weir_sim_machine *machine, weir_sim_watch watch);

/* Operations per second of one kind, with the backoff that the tuner finds for it on this device. A
 * barrier that all blocks pass is one operation. */
weir_status weir_sim_rate(weir_sim_machine *machine, weir_sim_use use, double *per_second);

/* The bounds with which weir_sim_rate runs a kind: found at the probe's block count, for an initial
 * value of 1. */
weir_status weir_sim_tune(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          weir_backoff *backoff);

/* Kernels as the paper wrote them: all words of an object in one cache line, and its pauses. Only
 * the paper's kinds compete. */
void weir_sim_publish(weir_sim_machine *machine);

/* Gives all kinds these bounds instead of those that the tuner would find. On a machine with
 * kernels as published, kinds that do not back off in the paper still do not. */
void weir_sim_fix(weir_sim_machine *machine, weir_backoff backoff);

/* Whether a kind may be the best: one for use, or on a machine with kernels as published, one of
 * the paper's. */
int weir_sim_competes(const weir_sim_machine *machine, enum weir_primitive primitive,
                      const weir_kind *kind);

/* The fastest of the competing kinds; 0 if none completes anything. `per_second` may be NULL;
 * otherwise it has room for WEIR_SIM_KINDS rates, by kind. The rates of kinds that do not exist are
 * 0. */
weir_status weir_sim_best(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t blocks,
                          uint32_t initial, uint32_t *kind, double *per_second);

/* Changes a probe's figures as a text such as "atomic.same*=0.1" says: volatile, atomic or primed,
 * then same or own, then optionally read or write, then *= and a factor. Or "equal-atomics", which
 * gives atomics the figures of volatile accesses; or "batched-loads", which sets `batched_loads`
 * and changes no figure. Several are separated by commas. WEIR_BAD_ARGUMENT: the error says what is
 * wrong. */
weir_status weir_sim_what_if(const char *text, weir_probe *probe, int *batched_loads);

/* One run with a given backoff and shape. */

/* Accesses to memory. Read-modify-writes count as atomics only. */
typedef struct weir_sim_accesses {
	uint64_t reads;
	uint64_t writes;
	uint64_t atomics;
} weir_sim_accesses;

/* The two parts of an operation: lock or wait, and unlock or post. A barrier has only the first. */
enum {
	WEIR_SIM_ENTER,
	WEIR_SIM_LEAVE,
	WEIR_SIM_PARTS
};

typedef struct weir_sim_part {
	weir_sim_accesses sum; /* over the completed parts */
	uint64_t times;
} weir_sim_part;

typedef struct weir_sim_case {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t blocks;
	uint32_t threads;
	uint32_t initial; /* a semaphore's initial value */
	uint32_t pattern; /* for a primitive that is measured in patterns */
	weir_backoff backoff;
	uint32_t pitch; /* distance between the words of an object; 0: a cache line */
	int has_shape;  /* 0: the shape of a barrier follows from its number of blocks */
	weir_shape shape;
	uint64_t seed;
	uint64_t accesses; /* how long it runs; the throughput is of the second half */
	weir_sim_watch watch;
} weir_sim_case;

typedef struct weir_sim_score {
	double per_second;
	uint64_t operations; /* operations behind that rate */
	/* Among the blocks, for mutexes and semaphores: Jain's index, and the share of the block
	 * that did the least (1: an even share). 0: no operation completed. */
	double jain;
	double worst_share;
	weir_sim_part parts[WEIR_SIM_PARTS];
} weir_sim_score;

/* The work of a run, in the unit of the watch: roughly the nanoseconds that it takes. */
double weir_sim_bench_work(const weir_sim_case *c);

/* Whether the pattern can be simulated. Posts without a waiter never end on a simulated device. All
 * others can be simulated if one thread of each block uses the object. */
int weir_sim_has_pattern(uint32_t pattern);

/* Runs one case in the memory of the machine, exactly as the case says, without tuned settings. */
weir_status weir_sim_run_case(const weir_sim_machine *machine, const weir_sim_case *c,
                              weir_sim_score *score);

/* The map: which kind wins on devices similar to a measured one: the paper's "predict future
 * GPUs". */

/* A map is of a small device: blocks, threads and the rates of cache lines shrink by the same
 * factor, so that the ratios stay. doc/simulator.md says what that preserves and what it does
 * not. */
#define WEIR_SIM_MAP_BLOCKS 64

#define WEIR_SIM_MAP_SIZE 5
#define WEIR_SIM_MAP_TABLES 4

/* The two ratios of contentious accesses that span the map, from the paper's machine
 * abstraction. */
extern const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE];     /* atomic to volatile */
extern const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE]; /* contentious to noncontentious
                                                                 * volatile */

/* A winner that was not simulated yet. A winner of 0 means that no kind completed anything. */
#define WEIR_SIM_MAP_UNKNOWN UINT32_MAX

typedef struct weir_sim_map {
	weir_probe base;      /* the small device */
	weir_sim_watch watch; /* of the simulated devices; set it after weir_sim_map_begin */
	struct {
		enum weir_primitive primitive;
		uint32_t initial; /* for a semaphore */
		/* Indexed by hostage cache lines, ratio of atomics, and contention. */
		uint32_t kinds[2][WEIR_SIM_MAP_SIZE][WEIR_SIM_MAP_SIZE];
		uint32_t own; /* for the device with its own figures */
	} tables[WEIR_SIM_MAP_TABLES];
} weir_sim_map;

/* The devices of a map: the points of the grid, with and without hostage cache lines, and the
 * base. */
#define WEIR_SIM_MAP_MACHINES (2 * WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE + 1)

/* Starts a map of devices around `base`, with nothing simulated yet. */
void weir_sim_map_begin(const weir_probe *base, weir_sim_map *map);

/* One of the devices, by a number below WEIR_SIM_MAP_MACHINES; the last is the base itself. */
weir_status weir_sim_map_machine(const weir_sim_map *map, int which, weir_sim_machine *machine);

/* Finds the winners on one device, by the same number, in the tables of one primitive, or in all
 * tables if it is NULL. */
weir_status weir_sim_map_fill(weir_sim_map *map, int which, const enum weir_primitive *only);

/* "semaphore, initial value 32" */
void weir_sim_map_title(const weir_sim_map *map, int table, char *text, size_t room);

/* Claims about throughput, read from a file and compared with predictions. data/paper/claims.csv
 * says what each check means. */

typedef enum weir_claim_check {
	WEIR_CLAIM_BEST,    /* `left` is the fastest of the paper's kinds */
	WEIR_CLAIM_RATIO,   /* left over right is inside the bounds */
	WEIR_CLAIM_ALWAYS,  /* left is ahead of right, or of all, from 2 blocks to `blocks` */
	WEIR_CLAIM_FLAT,    /* highest over lowest throughput of left is inside the bounds */
	WEIR_CLAIM_PEAK,    /* the throughput of left peaks at about `blocks` */
	WEIR_CLAIM_CROSSES, /* left is ahead of right at 2 to 8 blocks, and behind at `blocks` */
	WEIR_CLAIM_GROWS, /* throughput at initial value 120 over that at 1 is inside the bounds */
	WEIR_CLAIM_GAINS  /* left is faster with its backoff than without */
} weir_claim_check;

/* The variable of a curve. */
typedef enum weir_claim_over {
	WEIR_OVER_NOTHING,
	WEIR_OVER_BLOCKS,
	WEIR_OVER_INITIAL
} weir_claim_over;

typedef struct weir_claim {
	char id[48];
	char gpu[32]; /* a profile's name */
	enum weir_primitive primitive;
	weir_claim_check check;
	weir_claim_over over;
	uint32_t left;  /* the kind that corresponds to the paper's name */
	uint32_t right; /* 0: none */
	uint32_t blocks;
	uint32_t initial;
	double low; /* 0: the paper gives no lower bound */
	double high;
	int fitted;     /* used to choose a constant of the simulator, so not a test of it */
	char where[32]; /* location in the paper */
	char note[256];
	char text[96];  /* what is claimed, in words */
	char paper[48]; /* the paper's figure */
} weir_claim;

/* The verdict of a prediction on a claim. */
typedef struct weir_verdict {
	int right;
	double figure; /* a ratio; for a peak, its number of blocks */
	char text[160];
} weir_verdict;

/* The caller frees the claims with free. The error names the file, line and column. */
weir_status weir_claims_read(const char *path, weir_claim **claims, size_t *count);
/* The same from an open file, which errors call `name`. */
weir_status weir_claims_parse(FILE *file, const char *name, weir_claim **claims, size_t *count);

/* A machine for claims about the device of a probe: with kernels as published, and with short runs
 * where few blocks make them steady. */
weir_status weir_claims_machine(const weir_probe *probe, weir_sim_machine *machine);

/* `machine` is that of the claim's profile. WEIR_BAD_ARGUMENT: the claim has more blocks than the
 * machine runs. */
weir_status weir_claim_judge(const weir_claim *claim, weir_sim_machine *machine,
                             weir_verdict *verdict);

/* How many blocks of the paper's kernel run at once on a GPU that runs `full` blocks. "The XF
 * barrier requires many registers to complete, so we could only run up to 6 blocks per SM"
 * (results), out of 8. The other kernels run all 8. */
uint32_t weir_paper_most_blocks(enum weir_primitive primitive, uint32_t kind, uint32_t full);

/* GPUs as ranks on links with a latency and a rate: the cost of a barrier or an event over them, in
 * several forms. doc/crew-cost.md has the figures and their sources. */

/* A load of a rank's own memory, there and back: a rank polls for signals. */
#define WEIR_SIM_POLL_NS 160.0

#define WEIR_SIM_RANKS_MOST 8192

/* One kind of link, in nanoseconds. A rank that polls finds a signal `latency` after it was sent,
 * at least WEIR_SIM_POLL_NS. A rank sends one signal per `gap`, and receives one per `gap`. */
typedef struct weir_sim_link {
	double latency;
	double gap;
} weir_sim_link;

/* GPUs in domains of `domain` consecutive ranks: `near` links inside, `far` links between them. */
typedef struct weir_sim_links {
	uint32_t domain;
	weir_sim_link near;
	weir_sim_link far;
} weir_sim_links;

typedef enum weir_sim_pattern {
	WEIR_SIM_BARRIER, /* all ranks meet */
	WEIR_SIM_TO_ALL,  /* rank 0 signals all others, by events */
	WEIR_SIM_TO_ONE,  /* all ranks signal rank 0, by events */
	WEIR_SIM_PATTERNS
} weir_sim_pattern;

typedef enum weir_sim_form {
	WEIR_SIM_FLAT,      /* directly */
	WEIR_SIM_TWO_LEVEL, /* with a leader for each domain */
	WEIR_SIM_TREE_8,    /* 8 children each */
	WEIR_SIM_TREE_32,
	WEIR_SIM_ROUNDS_2, /* dissemination; events: a binomial tree */
	WEIR_SIM_ROUNDS_8,
	WEIR_SIM_ROUNDS_32,
	WEIR_SIM_FORMS
} weir_sim_form;

extern const char *const weir_sim_form_names[WEIR_SIM_FORMS];
extern const char *const weir_sim_pattern_names[WEIR_SIM_PATTERNS];

/* Barriers have no tree of 32, and events only rounds of 2. */
int weir_sim_has_form(weir_sim_pattern pattern, weir_sim_form form);

typedef struct weir_sim_ranks_cost {
	double ns;             /* until the last rank may continue; all start at 0 */
	uint64_t far_signals;  /* between domains, over all ranks */
	uint32_t most_signals; /* the largest number that one rank sends */
	int is_computed;       /* computed by arithmetic: running the code would take too long */
} weir_sim_ranks_cost;

/* Runs the code of the headers on 1 to WEIR_SIM_RANKS_MOST ranks. For a flat barrier of more than
 * WEIR_SIM_FLAT_MOST ranks it calls weir_sim_flat. */
weir_status weir_sim_ranks(const weir_sim_links *links, weir_sim_pattern pattern,
                           weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost);

#define WEIR_SIM_FLAT_MOST 256

/* The cost of a flat barrier by arithmetic, within one poll of what the code takes. */
weir_sim_ranks_cost weir_sim_flat(const weir_sim_links *links, uint32_t ranks);

/* One signal from one rank to another, near or far. */
weir_status weir_sim_hop(const weir_sim_links *links, int is_far, double *ns);

/* The systems that are simulated unless a user supplies figures. */
typedef struct weir_sim_system {
	const char *name;
	const char *what;
	weir_sim_links links;
} weir_sim_system;

/* NULL past the last one. */
const weir_sim_system *weir_sim_system_at(uint32_t index);

/* Their figures, by index. NULL past the last one. */
typedef struct weir_sim_figure {
	const char *what;
	const char *value;
	const char *source;
	int is_guess;
} weir_sim_figure;

const weir_sim_figure *weir_sim_figure_at(uint32_t index);

/* The graphs on which tasks are measured, on real and simulated devices. */

/* The number of tasks in a layer, in a pattern of tasks. */
uint32_t weir_layer_tasks(uint32_t pattern, uint32_t blocks);

/* Whether an operation is a layer rather than a task. */
int weir_is_chain(uint32_t pattern);

/* A graph of layers. A task depends on two tasks of the previous layer: the one with its own
 * number, and the next. */
typedef struct weir_layers {
	weir_graph graph;
	int is_local; /* the option of that name */
	/* The graph points into these. */
	uint32_t *first;
	uint32_t *successors;
	uint8_t *levels;
} weir_layers;

/* WEIR_NO_MEMORY or WEIR_OK. In either case the caller frees it. */
weir_status weir_layers_make(uint32_t pattern, uint32_t blocks, uint32_t count,
                             weir_layers *layers);
void weir_layers_free(weir_layers *layers);

#endif
