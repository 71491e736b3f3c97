/* Shared by the tests of all primitives: a device, the kernels, launches with a deadline, and the
 * counts of passes and failures. */
#ifndef HARNESS_H
#define HARNESS_H

#include "params.h"
#include "weir/kind.h"
#include "weir/rows.h"
#include "weir/weir.h"

/* With WEIR_DIAGNOSE every object of a test takes part in the diagnosis, so kernels run with its notes. */
#ifdef WEIR_DIAGNOSE
#define HARNESS_DIAGNOSED 1
#else
#define HARNESS_DIAGNOSED 0
#endif

/* A kernel of the host machine, in a list of them. */
#define HARNESS_ENTRY(name)                                                                        \
	{                                                                                          \
#name, name##_entry                                                                \
	}

#define HARNESS_SKIPPED 77 /* the exit status that CTest knows as a skip */

typedef struct harness {
	const char *name;
	weir_device *device;
	weir_device_info info;
	weir_program *program;
	weir_buffer data;
	size_t data_bytes;
	uint32_t *copy;  /* of `data`, after each launch */
	int small;       /* for slow checkers: few blocks, threads and rounds */
	int few_threads; /* few threads in a block, since each takes long to start */
	uint32_t least_threads;
	int no_clusters;
	int soak;       /* the number of operations of a soak */
	int sound_only; /* for race detectors: no run with the primitive taken out */
	int again;      /* how often a run with the primitive taken out may still be repeated */
	int unnoticed;  /* the last such run went well by chance */
	int passed;
	int failed;
} harness;

typedef struct harness_launch {
	const char *kernel;
	void *words;
	harness_params params;
	uint32_t grid[3];
	uint32_t threads;
	int together;     /* all blocks must run at once */
	uint32_t cluster; /* blocks in a cluster; 0: none */
	int mistakes; /* the kernel makes some on purpose: its object takes no part in a diagnosis */
} harness_launch;

/* An object that a test asks for. It lies in the library's memory, unless words of the test follow it. */
typedef struct harness_order {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t count;   /* blocks, slots, items, or the length of an array */
	uint32_t initial; /* free slots of a semaphore */
	uint32_t words;   /* of an item of a queue */
	const weir_graph *graph;
	weir_any_options options; /* without the kind */
	uint32_t behind;          /* words after it that start at 0: at second.object.offset */
	int without; /* the primitive is taken out: other blocks must get into what it protects */
} harness_order;

/* The object, and a launch of one thread with it. */
typedef struct harness_object {
	enum weir_primitive primitive;
	union {
		struct {
			void *words;
			weir_any_config config;
		} any; /* the common start of all of them */
		weir_barrier barrier;
		weir_mutex mutex;
		weir_mutex_array mutex_array;
		weir_semaphore semaphore;
		weir_group group;
		weir_event_array event_array;
		weir_queue queue;
		weir_dispenser dispenser;
		weir_tasks tasks;
		weir_condition condition;
		weir_rwlock rwlock;
		weir_once once;
		weir_combiner combiner;
	} is;
	weir_buffer memory; /* of the test's own, or nothing */
	uint32_t at;        /* words from the first object of a row */
	harness_launch launch;
} harness_object;

/* The parts of a test of a primitive; any of them may be missing. */
typedef struct harness_family {
	const char *name;
	enum weir_primitive primitive;
	const char
	    *clock; /* a kernel that is left out where there is no clock: the test is skipped */
	const harness_order *needs; /* skipped where the device lacks it */
	void (*all)(harness *h);
	void (*kind)(harness *h, const weir_kind *kind); /* each kind that the device has */
	/* The same kernels with the primitive taken out: they must be caught, or the other results prove
	 * nothing. */
	void (*kind_without)(harness *h, const weir_kind *kind);
	void (*without)(harness *h);
} harness_family;

/* Each kind of a primitive that the device has. */
#define HARNESS_KINDS(h, p, kind)                                                                  \
	for (const weir_kind *kind = harness_kind((h), (p), NULL); kind;                           \
	     kind = harness_kind((h), (p), kind))

/* The kind after that one, or the first. */
const weir_kind *harness_kind(const harness *h, enum weir_primitive primitive,
                              const weir_kind *before);

/* Opens the device that the command line names, with these kernels. Returns 0 if the tests can go
 * on. Otherwise it has said why, and *status is the value to return from main. */
int harness_open_text(harness *h, int argc, char **argv, const char *name,
                      const weir_program_text *text, int *status);

/* The same with the kernels that the build embedded, plain or with random delays; with HARNESS_HOST for
 * only the host. harness.c is compiled without either, once for all programs. */
#if defined(HARNESS_PROGRAM)
#define HARNESS_JOIN_(a, b) a##b
#define HARNESS_JOIN(a, b) HARNESS_JOIN_(a, b)
extern const void *const HARNESS_JOIN(HARNESS_PROGRAM, _cuda_image);
extern const void *const HARNESS_JOIN(HARNESS_PROGRAM, _hip_image);
extern const char *const HARNESS_JOIN(HARNESS_PROGRAM, _opencl_text);

static inline int harness_open(harness *h, int argc, char **argv, const char *name,
                               const weir_host_entry *entries, size_t entry_count, int *status)
{
	const weir_program_text text = {.cuda_image = HARNESS_JOIN(HARNESS_PROGRAM, _cuda_image),
	                                .hip_image = HARNESS_JOIN(HARNESS_PROGRAM, _hip_image),
	                                .opencl_text = HARNESS_JOIN(HARNESS_PROGRAM, _opencl_text),
	                                .host_entries = entries,
	                                .host_entry_count = entry_count};

	return harness_open_text(h, argc, argv, name, &text, status);
}
#elif defined(HARNESS_HOST)
static inline int harness_open(harness *h, int argc, char **argv, const char *name,
                               const weir_host_entry *entries, size_t entry_count, int *status)
{
	const weir_program_text text = {.host_entries = entries, .host_entry_count = entry_count};

	return harness_open_text(h, argc, argv, name, &text, status);
}
#endif

#if defined(HARNESS_PROGRAM) || defined(HARNESS_HOST)
int harness_go(harness *h, const harness_family *family);

/* The whole test, for main to return. */
#define HARNESS_MAIN(family, entries)                                                              \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		harness h;                                                                         \
		int status;                                                                        \
                                                                                                   \
		if (harness_open(&h, argc, argv, (family)->name, entries,                          \
		                 sizeof(entries) / sizeof(entries)[0], &status))                   \
			return status;                                                             \
		return harness_go(&h, family);                                                     \
	}
#endif

/* Whether kernels are compiled for CUDA: they run on a GPU, or are interpreted. */
static inline int harness_is_cuda(const harness *h)
{
	return h->info.machine == WEIR_MACHINE_CUDA || h->info.machine == WEIR_MACHINE_PTX;
}

/* Whether single threads may wait, and blocks have teams. */
static inline int harness_has_teams(const harness *h)
{
	return h->info.machine != WEIR_MACHINE_OPENCL && h->info.machine != WEIR_MACHINE_HIP;
}

/* Prints the counts; returns what main returns. */
int harness_close(harness *h);

/* How many blocks of the kernel run at once. */
uint32_t harness_resident(harness *h, const char *kernel, uint32_t threads);

/* Block counts worth a test on this device for blocks of `threads`: 1, 2, a prime, one per unit,
 * the most that run at once; fewer when small. Returns how many. */
uint32_t harness_block_counts(harness *h, const char *kernel, uint32_t threads, uint32_t counts[5]);

/* Threads for a block: the number wanted, or few. */
uint32_t harness_threads(const harness *h, uint32_t wanted);

/* How many rounds there is time for if each round costs a visit of every thread. */
uint32_t harness_rounds(const harness *h, uint32_t threads, uint32_t most);

/* The same on a CPU with fewer cores than threads, where `turns` threads wait for one another: each
 * visit then also costs a turn of every fourth of them. On a GPU, the same as harness_rounds. */
uint32_t harness_rounds_in_turn(const harness *h, uint32_t threads, uint32_t turns, uint32_t most);

/* How many rounds there is time for when `lockers` threads contend for one object. Each operation
 * takes longer with more threads: on a GPU because they poll, on a CPU because each must wait for a
 * core. So the cost of a round grows with their number squared. On a GPU there is time for
 * `squares` of that. */
uint32_t harness_contended_rounds(const harness *h, uint32_t lockers, uint32_t squares,
                                  uint32_t most);

/* How many items each of `producers` threads passes on if all items go through one queue, one after
 * the other. Their data fit. */
uint32_t harness_item_rounds(const harness *h, uint32_t producers, uint32_t most);

/* Clears `data` unless `keep`, launches, waits, and copies `data` back. A launch that fails ends
 * the process: a device whose kernel was ended early cannot go on. Any finding of a diagnosis after the
 * launch is an error. */
void harness_run(harness *h, const harness_launch *launch, int keep);

/* The same launch with one block, without clusters, of another kernel, which may make mistakes. Returns whether it found no
 * errors. */
int harness_runs_alone(harness *h, const harness_launch *like, const char *kernel);

/* Whether the last launch found no errors and left that value in the first `count` words. */
int harness_words_are(const harness *h, uint32_t count, uint32_t value);

/* Whether `count` blocks have entered the list (harness_enter), block i * apart after i others. */
int harness_in_order(const harness *h, uint32_t count, uint32_t apart);

/* Whether objects of the primitive take part in a diagnosis, for the functions below. */
static inline int harness_notes(enum weir_primitive primitive)
{
	return HARNESS_DIAGNOSED && primitive != WEIR_PRIMITIVE_MUTEX_ARRAY &&
	       primitive != WEIR_PRIMITIVE_GROUP;
}

/* Places in the queue of a mutex, if that kind has one. */
static inline uint32_t harness_slots(const weir_kind *kind, uint32_t slots)
{
	return kind->queue != WEIR_QUEUE_NONE ? slots : 0;
}

/* Makes an object. */
harness_object harness_make_one(harness *h, const harness_order *order);
static inline harness_object harness_make(harness *h, harness_order order)
{
	order.options.object.diagnose = harness_notes(order.primitive);
	return harness_make_one(h, &order);
}

/* Makes objects one after the other in one memory; launches of the first object also have the
 * second. */
void harness_make_some(harness *h, const harness_order *orders, uint32_t count,
                       harness_object *objects);
static inline void harness_make_row(harness *h, harness_order *orders, uint32_t count,
                                    harness_object *objects)
{
	for (uint32_t i = 0; i < count; i++)
		orders[i].options.object.diagnose = harness_notes(orders[i].primitive);
	harness_make_some(h, orders, count, objects);
}

void harness_unmake(harness *h, harness_object *object);
void harness_unmake_row(harness *h, harness_object *objects, uint32_t count);

/* Whether the device lacks what the object needs; says so. */
int harness_lacks(harness *h, const char *name, const harness_order *order);

/* Runs the launch of an object: a kernel with that many blocks and threads, which may have to run all at
 * once. */
void harness_run_grid(harness *h, harness_object *object, const char *kernel, uint32_t blocks,
                      uint32_t threads, int together);

/* Repeats a call that runs with the primitive taken out a few times if by chance nothing went
 * wrong, which may happen on a busy computer. */
#define HARNESS_MUST_NOTICE(h, call)                                                               \
	do {                                                                                       \
		(h)->again = 5;                                                                    \
		do {                                                                               \
			(h)->again--;                                                              \
			(h)->unnoticed = 0;                                                        \
			call;                                                                      \
		} while ((h)->unnoticed);                                                          \
		(h)->again = 0;                                                                    \
	} while (0)

/* Counts one case. `right` is the finding of the harness; with `must_fail`, finding nothing wrong
 * is the failure. */
void harness_verdict(harness *h, int right, int must_fail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Zeroed host memory, which the caller frees. Ends the process if there is none. */
void *harness_zeros(size_t count, size_t size);

/* Prints a line and ends the process if a call did not return WEIR_OK: the test itself is
 * broken. */
void harness_need(weir_status status, const char *what);

#endif
