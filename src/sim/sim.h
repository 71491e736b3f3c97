/* The simulator's interface: the throughput of a kind on a device that is known by the figures of a probe, and
 * what a barrier over GPUs on links costs. doc/simulator.md and doc/crew.md explain the model.
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

/* Watching a simulation, to show how far it is and to end it.
 *
 * `look` is called after every few thousand accesses with the work done since the last call, in a
 * unit that takes about the same time everywhere. When it returns anything but 0, the run ends with
 * WEIR_ABORTED. `replan`, if not NULL, is called when a search ends that took more or less
 * work than planned, with the difference. All zeros: nobody watches. */
typedef struct weir_sim_watch {
	int (*look)(void *context, double work);
	void (*replan)(void *context, double more);
	void *context;
} weir_sim_watch;

/* A device, and the throughput of each kind on it. */

#define WEIR_SIM_PRIMITIVES (WEIR_PRIMITIVE_COMBINER + 1) /* room by enumerator */
#define WEIR_SIM_KINDS 32                                 /* room for the kinds of one primitive */
#define WEIR_SIM_ACCESSES 1000000
#define WEIR_SIM_KNOWN 512

/* What a question is about. All blocks use one object, with an empty critical section. */
typedef struct weir_sim_use {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t blocks;
	uint32_t initial; /* a semaphore's initial value */
	uint32_t pattern; /* of a primitive that is measured in patterns */
} weir_sim_use;

weir_sim_use weir_sim_use_of(const weir_point *point);

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
	int batched_loads;       /* loads of a cache line that atomics hold share one service */
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
		weir_sim_use use;
		weir_sim_found found;
	} known[WEIR_SIM_KNOWN];
	size_t known_count;
} weir_sim_machine;

/* WEIR_BAD_ARGUMENT names the figure that is impossible. */
weir_status weir_sim_machine_make(const weir_probe *probe, weir_sim_machine *machine);

/* The one search of the simulator, which weir predict, bench and tune all use: the bounds of
 * weir_sim_tune, and for a counter barrier a shape for so many blocks. */
weir_status weir_sim_find(weir_sim_machine *machine, weir_sim_use use, weir_sim_found *found);

/* A copy that answers no question, but reports to `watch` how much work each is likely to take. A
 * progress bar gets its total from that. */
weir_sim_machine weir_sim_plan(const weir_sim_machine *machine, weir_sim_watch watch);

/* Operations a second of one kind, with the backoff that the tuner finds for it on this device. A barrier that
 * all blocks pass is one operation. */
weir_status weir_sim_rate(weir_sim_machine *machine, weir_sim_use use, double *per_second);

/* The bounds with which weir_sim_rate runs a kind: found at the probe's block count, for an initial
 * value of 1. */
weir_status weir_sim_tune(weir_sim_machine *machine, enum weir_primitive primitive, uint32_t kind,
                          weir_backoff *backoff);

/* Kernels as the paper wrote them: the words of an object in one cache line, and its pauses.
 * Only its kinds compete. */
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

/* One run with a given backoff and shape. */

/* Accesses of the memory: loads, stores, and atomics, which are read-modify-writes. */
typedef struct weir_sim_accesses {
	uint64_t reads;
	uint64_t writes;
	uint64_t atomics;
} weir_sim_accesses;

/* The two parts of an operation: lock or wait, and unlock or post. A barrier has the first alone. */
enum {
	WEIR_SIM_ENTER,
	WEIR_SIM_LEAVE,
	WEIR_SIM_PARTS
};

typedef struct weir_sim_part {
	weir_sim_accesses sum; /* over the parts that blocks completed */
	uint64_t times;
} weir_sim_part;

typedef struct weir_sim_case {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t blocks;
	uint32_t threads;
	uint32_t initial; /* a semaphore's initial value */
	uint32_t pattern; /* of a primitive that is measured in patterns */
	weir_backoff backoff;
	uint32_t pitch; /* between the words of an object; 0: a cache line */
	int has_shape;  /* 0: a barrier has the shape that follows from its number of blocks */
	weir_shape shape;
	uint64_t seed;
	uint64_t accesses; /* how long it runs; the throughput is of the second half */
	weir_sim_watch watch;
} weir_sim_case;

typedef struct weir_sim_score {
	double per_second;
	uint64_t operations; /* behind that rate */
	/* Among the blocks, of mutexes and semaphores: Jain's index, and the share of the block
	 * that got least (1: an even one). 0: there was no operation. */
	double jain;
	double worst_share;
	weir_sim_part parts[WEIR_SIM_PARTS];
} weir_sim_score;

/* The work of a run, in the unit of the watch: about the nanoseconds that it takes. */
double weir_sim_bench_work(const weir_sim_case *c);

/* Posts that nobody waits for have no end on a simulated device. All others can be
 * simulated where one thread of each block uses the object. */
int weir_sim_has_pattern(uint32_t pattern);

/* Runs one case in the memory of the machine, as the case says and with nothing that a tuner found. */
weir_status weir_sim_run_case(const weir_sim_machine *machine, const weir_sim_case *c,
                              weir_sim_score *score);

/* The map: which kind wins on devices around one that was measured, the paper's "predict future GPUs". */

/* A map is of a small device: blocks, threads and the rates of cache lines shrink alike, so that
 * the ratios stay. doc/simulator.md says what that keeps and what not. */
#define WEIR_SIM_MAP_BLOCKS 64

#define WEIR_SIM_MAP_SIZE 5
#define WEIR_SIM_MAP_TABLES 4

/* The two ratios of contentious accesses that the map goes over, of the paper's machine
 * abstraction. */
extern const double weir_sim_map_atomic[WEIR_SIM_MAP_SIZE];     /* atomic to volatile */
extern const double weir_sim_map_contention[WEIR_SIM_MAP_SIZE]; /* to noncontentious volatile */

/* A winner that was not simulated yet; one of 0 says that no kind completed anything. */
#define WEIR_SIM_MAP_UNKNOWN UINT32_MAX

typedef struct weir_sim_map {
	weir_probe base;      /* the small device */
	weir_sim_watch watch; /* of the simulated devices; set it after weir_sim_map_begin */
	struct {
		enum weir_primitive primitive;
		uint32_t initial; /* a semaphore's */
		/* Indexed by hostage cache lines, ratio of atomics, and contention. */
		uint32_t kinds[2][WEIR_SIM_MAP_SIZE][WEIR_SIM_MAP_SIZE];
		uint32_t own; /* of the device with its own figures */
	} tables[WEIR_SIM_MAP_TABLES];
} weir_sim_map;

/* The devices of a map: the places of the grid, with and without hostage cache lines, and the
 * base. */
#define WEIR_SIM_MAP_MACHINES (2 * WEIR_SIM_MAP_SIZE * WEIR_SIM_MAP_SIZE + 1)

/* A map of devices around `base`, with nothing simulated yet. */
void weir_sim_map_begin(const weir_probe *base, weir_sim_map *map);

/* One of the devices, by a number below WEIR_SIM_MAP_MACHINES; the last is the base itself. */
weir_status weir_sim_map_machine(const weir_sim_map *map, int which, weir_sim_machine *machine);

/* Finds the winners of one device, by the same number, in the tables of one primitive, or in all of
 * them for NULL. */
weir_status weir_sim_map_fill(weir_sim_map *map, int which, const enum weir_primitive *only);

/* "semaphore, initial value 32" */
void weir_sim_map_title(const weir_sim_map *map, int table, char *text, size_t room);

/* Claims about throughput, from a file, held against predictions. data/paper/claims.csv says what
 * each check means. */

typedef enum weir_claim_check {
	WEIR_CLAIM_BEST,    /* `left` is the fastest of the paper's kinds */
	WEIR_CLAIM_RATIO,   /* left over right is inside the bounds */
	WEIR_CLAIM_ALWAYS,  /* left is ahead of right, or of all, from 2 blocks to `blocks` */
	WEIR_CLAIM_FLAT,    /* highest over lowest throughput of left is inside the bounds */
	WEIR_CLAIM_PEAK,    /* left is highest at about `blocks` */
	WEIR_CLAIM_CROSSES, /* left is ahead of right at 2 to 8 blocks, and behind at `blocks` */
	WEIR_CLAIM_GROWS, /* throughput at initial value 120 over that at 1 is inside the bounds */
	WEIR_CLAIM_GAINS  /* left is faster with its backoff than without */
} weir_claim_check;

/* What a curve goes over. */
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
	uint32_t left;  /* the kind that stands for the paper's name */
	uint32_t right; /* 0: none */
	uint32_t blocks;
	uint32_t initial;
	double low; /* 0: the paper gives no such bound */
	double high;
	int fitted;     /* used to choose a constant of the simulator, so no test of it */
	char where[32]; /* in the paper */
	char note[256];
	char text[96];  /* what is claimed, in words */
	char paper[48]; /* the paper's figure */
} weir_claim;

/* The verdict of a prediction on a claim. */
typedef struct weir_verdict {
	int right;
	double figure; /* a ratio; of a peak, its number of blocks */
	char text[160];
} weir_verdict;

/* The caller frees the claims with free. The error names the file, the line and the column. */
weir_status weir_claims_read(const char *path, weir_claim **claims, size_t *count);
/* The same from an open file, which errors call `name`. */
weir_status weir_claims_parse(FILE *file, const char *name, weir_claim **claims, size_t *count);

/* A machine for claims about the device of a probe: with kernels as published, and with runs that
 * are short where few blocks make them steady. */
weir_status weir_claims_machine(const weir_probe *probe, weir_sim_machine *machine);

/* `machine` is that of the claim's profile. WEIR_BAD_ARGUMENT: more blocks than run there. */
weir_status weir_claim_judge(const weir_claim *claim, weir_sim_machine *machine,
                             weir_verdict *verdict);

/* Returns how many blocks of the paper's kernel run at once on a GPU that runs `full` blocks. "The
 * XF barrier requires many registers to complete, so we could only run up to 6 blocks per SM"
 * (results), of 8. The others run all 8. */
uint32_t weir_paper_most_blocks(enum weir_primitive primitive, uint32_t kind, uint32_t full);

/* GPUs as ranks on links of a latency and a rate: what a barrier over them costs, and an event, in several
 * forms. doc/crew.md has the figures and where they are from. */

/* A load of the own memory, there and back: by polls a rank finds what has come. */
#define WEIR_SIM_POLL_NS 160.0

#define WEIR_SIM_RANKS_MOST 8192

/* One kind of link, in nanoseconds. A rank that polls finds a signal `latency` after it was sent, at
 * least WEIR_SIM_POLL_NS. A rank sends, and takes, one in `gap`. */
typedef struct weir_sim_link {
	double latency;
	double gap;
} weir_sim_link;

/* GPUs in domains of `domain`, one behind the other: `near` inside, `far` between them. */
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
	WEIR_SIM_TWO_LEVEL, /* by a leader for each domain */
	WEIR_SIM_TREE_8,    /* of 8 children each */
	WEIR_SIM_TREE_32,
	WEIR_SIM_ROUNDS_2, /* dissemination; events: a binomial tree */
	WEIR_SIM_ROUNDS_8,
	WEIR_SIM_ROUNDS_32,
	WEIR_SIM_FORMS
} weir_sim_form;

extern const char *const weir_sim_form_names[WEIR_SIM_FORMS];
extern const char *const weir_sim_pattern_names[WEIR_SIM_PATTERNS];

/* Barriers have no tree of 32, and events rounds of 2 alone. */
int weir_sim_has_form(weir_sim_pattern pattern, weir_sim_form form);

typedef struct weir_sim_ranks_cost {
	double ns;             /* until the last rank may go on; all begin at 0 */
	uint64_t far_signals;  /* between domains, of all ranks together */
	uint32_t most_signals; /* that one rank sends */
	int is_computed;       /* by arithmetic: the text would take too long */
} weir_sim_ranks_cost;

/* Runs the text of the headers, on 1 to WEIR_SIM_RANKS_MOST ranks. A flat barrier of more than
 * WEIR_SIM_FLAT_MOST of them is computed by weir_sim_flat. */
weir_status weir_sim_ranks(const weir_sim_links *links, weir_sim_pattern pattern,
                           weir_sim_form form, uint32_t ranks, weir_sim_ranks_cost *cost);

#define WEIR_SIM_FLAT_MOST 256

/* A flat barrier by arithmetic. It is within a poll of what the text takes. */
weir_sim_ranks_cost weir_sim_flat(const weir_sim_links *links, uint32_t ranks);

/* One signal from a rank to another, near or far. */
weir_status weir_sim_hop(const weir_sim_links *links, int is_far, double *ns);

/* The systems that are simulated unless a user has figures of his own. */
typedef struct weir_sim_system {
	const char *name;
	const char *what;
	weir_sim_links links;
} weir_sim_system;

/* NULL past the last one. */
const weir_sim_system *weir_sim_system_at(uint32_t index);

/* Their figures, one by one. NULL past the last one. */
typedef struct weir_sim_figure {
	const char *what;
	const char *value;
	const char *source;
	int is_guess;
} weir_sim_figure;

const weir_sim_figure *weir_sim_figure_at(uint32_t index);

/* The graphs that tasks are measured with, on devices and on simulated ones. */

/* The tasks of a layer in a pattern of tasks. */
uint32_t weir_layer_tasks(uint32_t pattern, uint32_t blocks);

/* Whether an operation is a layer, and not a task. */
int weir_is_chain(uint32_t pattern);

/* A graph of layers. A task of a layer depends on two of the layer before: that of its own number, and
 * the next one. */
typedef struct weir_layers {
	weir_graph graph;
	int is_local; /* the option of that name */
	/* The graph points into these. */
	uint32_t *first;
	uint32_t *successors;
	uint8_t *levels;
} weir_layers;

/* WEIR_NO_MEMORY, or WEIR_OK. Either way the caller frees it. */
weir_status weir_layers_make(uint32_t pattern, uint32_t blocks, uint32_t count,
                             weir_layers *layers);
void weir_layers_free(weir_layers *layers);

#endif
