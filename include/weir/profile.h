/* The profile of a device: what was measured on it, the default kinds that follow, its file and its
 * use.
 *
 * A profile file is JSON of the schema data/profiles/schema.json. When a device is opened, the library
 * reads the user's profile of it: $WEIR_PROFILE, else the device's file in $XDG_CONFIG_HOME/weir/
 * or ~/.config/weir/. It takes the default kinds and their parameters from that profile. Without a
 * profile that belongs to the device it uses the nearest built-in one.
 *
 * The statuses: WEIR_NOT_FOUND, no such file or built-in profile; WEIR_BAD_ARGUMENT, wrong content;
 * WEIR_DRIVER_ERROR, the system could not read or write the file. */
#ifndef WEIR_PROFILE_H
#define WEIR_PROFILE_H

#include "weir/kind.h"
#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_PROFILE_VERSION 2

/* The twelve memory benchmarks of the paper, as rows of its table 1. */
enum weir_access_kind {
	WEIR_ACCESS_VOLATILE,
	WEIR_ACCESS_ATOMIC,
	WEIR_ACCESS_PRIMED
};
enum weir_access_place {
	WEIR_ACCESS_SAME,
	WEIR_ACCESS_OWN
};
enum weir_access_way {
	WEIR_ACCESS_READ,
	WEIR_ACCESS_WRITE
};
#define WEIR_ACCESS(kind, place, way) (4 * (kind) + 2 * (place) + (way))
#define WEIR_ACCESS_COUNT 12

/* Plausible times, in milliseconds: from a nanosecond, in which no access ends, to a day. Other
 * figures are mistakes, and their ratios need not be finite. */
#define WEIR_PROBE_MS_LEAST 1e-6
#define WEIR_PROBE_MS_MOST 86400e3
/* Plausible rates besides 0, in operations a second: from less than one a day to more than the
 * clock cycles of all units of a device. */
#define WEIR_RATE_LEAST 1e-6
#define WEIR_RATE_MOST 1e15

typedef struct weir_probe {
	uint32_t blocks;
	uint32_t threads;
	uint32_t accesses; /* of each block */
	double ms[WEIR_ACCESS_COUNT];
} weir_probe;

/* How the blocks of a benchmark use events, a queue, a dispenser, tasks, or one of the locks. */
enum weir_pattern {
	WEIR_PATTERN_HAND_OVER = 1, /* a ring: each block waits for the one before it */
	WEIR_PATTERN_SEQUENCE,      /* the same by one event that all wait for */
	WEIR_PATTERN_MEET,          /* all signal one event, and one block signals all */
	WEIR_PATTERN_PAIRS,         /* rings of two blocks */
	WEIR_PATTERN_POST,          /* an event for each block that nobody waits for */
	/* Queues: threads push and pop by turns; or some blocks push, and others pop. Each thread for
	 * itself, or a warp or a block together. */
	WEIR_PATTERN_QUEUE_PAIRS,
	WEIR_PATTERN_QUEUE_PAIRS_BY_WARP,
	WEIR_PATTERN_QUEUE_PAIRS_BY_BLOCK,
	WEIR_PATTERN_QUEUE_APART, /* half of the blocks push */
	WEIR_PATTERN_QUEUE_APART_BY_WARP,
	WEIR_PATTERN_QUEUE_APART_BY_BLOCK,
	WEIR_PATTERN_QUEUE_ONE_TO_MANY, /* one thread of the first block pushes, one of each other pops */
	WEIR_PATTERN_QUEUE_MANY_TO_ONE,       /* one of the last block pops */
	WEIR_PATTERN_DISPENSER_TAKE,          /* one thread of each block takes an item at a time */
	WEIR_PATTERN_DISPENSER_TAKE_BY_BLOCK, /* and tells its block */
	/* Tasks: layers of empty ones, each of which depends on two of the layer before. In a chain a
	 * layer has two tasks, else many for each block. A block may go on with a task that it has made
	 * ready, and the tasks may have two classes. */
	WEIR_PATTERN_TASKS_CHAIN,
	WEIR_PATTERN_TASKS_CHAIN_LOCAL,
	WEIR_PATTERN_TASKS_LAYERS,
	WEIR_PATTERN_TASKS_LAYERS_LOCAL,
	WEIR_PATTERN_TASKS_LAYERS_CLASSES,
	WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES,
	/* Conditions: half of the blocks put items into a buffer, and the others take them out; or the
	 * last block that comes wakes all others. */
	WEIR_PATTERN_CONDITION_BUFFER,
	WEIR_PATTERN_CONDITION_BROADCAST,
	/* Reader-writer locks: all blocks read; one operation in ten writes; all write; or the first
	 * block writes, and the others read all the time. */
	WEIR_PATTERN_RWLOCK_READ,
	WEIR_PATTERN_RWLOCK_READ90,
	WEIR_PATTERN_RWLOCK_WRITE,
	WEIR_PATTERN_RWLOCK_WRITER,
	WEIR_PATTERN_ONCE_DONE, /* all ask, after the first one has initialized */
	/* Combiners: all blocks publish operations; or the first one does those of the others. */
	WEIR_PATTERN_COMBINE,
	WEIR_PATTERN_COMBINE_SERVE
};

/* "hand_over"; NULL for what is no pattern. And back, for a primitive: 0 for what is no name. */
const char *weir_pattern_name(uint32_t pattern);
uint32_t weir_pattern_named(enum weir_primitive primitive, const char *name);
/* Whether the pattern is one of that primitive; and whether that has any. */
int weir_pattern_is_of(uint32_t pattern, enum weir_primitive primitive);
int weir_has_patterns(enum weir_primitive primitive);
/* Events: what all blocks completed, divided by this, is the operations of a point. In a meeting all make
 * one together. Pairs and posts count as those of one pair, or of one block. */
uint32_t weir_pattern_shares(uint32_t pattern, uint32_t blocks);
/* Sets how many blocks signal an event and wait for it, where so many run; in a meeting, the event by
 * which they come. And the kind that the library takes; 0: there are none. */
void weir_pattern_users(uint32_t pattern, uint32_t blocks, uint32_t *signallers, uint32_t *waiters);
uint32_t weir_pattern_default(uint32_t pattern, uint32_t blocks);
/* Queues and buffers: how many of the blocks push, the first ones. The others pop; or if all push, they
 * pop, too. */
uint32_t weir_pattern_pushers(uint32_t pattern, uint32_t blocks);

/* One measured point of a benchmark. */
typedef struct weir_point {
	enum weir_primitive primitive; /* one that has a benchmark */
	uint32_t kind;                 /* 0: it has none */
	uint32_t initial;              /* a semaphore's initial value; else 0 */
	uint32_t pattern;              /* of a primitive that is measured in patterns; else 0 */
	uint32_t blocks;
	uint32_t threads;
	uint32_t work;    /* words in the critical section */
	uint32_t cluster; /* blocks in a cluster; 0: none, as in every profile */
	uint32_t rounds;  /* operations asked of each block */
	uint32_t repeats;
	double per_second;  /* the median */
	double low;         /* the slowest repeat */
	double high;        /* the fastest */
	double jain;        /* fairness among the blocks; 0: not measured */
	double worst_share; /* of the block that got least, relative to an even share; 0: unknown */
	int timed_out;      /* stopped by the time limit */
	uint64_t completed; /* operations of the median repeat */
	int simulated;      /* repeats agree to the last digit; in no profile's file */
} weir_point;

/* The shape of a counter barrier, if it is known. All zeros are a shape, too. */
typedef struct weir_known_shape {
	int known;
	weir_shape shape;
} weir_known_shape;

/* A backoff or a shape that a search found, with the gain at that contention. */
typedef struct weir_tuning {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t initial;
	uint32_t blocks;
	uint32_t threads;
	weir_backoff backoff;
	double untuned_per_second; /* both measured again after the search */
	double tuned_per_second;
	weir_known_shape shape; /* of a kind that has one */
} weir_tuning;

/* The backoff of a kind on a device without a tuned one for it: none for a kind whose waiters poll for
 * a turn that is certain. */
weir_backoff weir_untuned_backoff(const weir_kind *kind);

/* The shape of a barrier of `blocks` blocks on a device without a tuned shape for it. It never has
 * more shards than blocks. */
weir_shape weir_untuned_shape(const weir_kind *kind, uint32_t blocks);

/* No default pauses longer than this many units. A search for throughput at full scale may find
 * pauses of milliseconds, which would leave a lock free but unused wherever few blocks want it. */
#define WEIR_RULE_PAUSE_MOST 256

/* Whether the tuned backoff or shape is worth taking: it gained, and does not pause too long. */
int weir_tuning_gained(const weir_tuning *tuning);

/* Which kind to take for a count: the blocks of a barrier, or the maximum of a semaphore. The first
 * rule of the primitive applies whose `up_to` is 0 or not below the count. `up_to` is 0 in the last
 * rule of a primitive, and in every rule of mutexes, which have no count. */
typedef struct weir_rule {
	enum weir_primitive primitive;
	uint32_t up_to;
	uint32_t kind;
	weir_backoff backoff; /* both 0: the kind's own default */
	weir_known_shape shape;
} weir_rule;

typedef struct weir_profile {
	char name[64];           /* of a built-in one ("gt200"), or of the device */
	weir_device_info device; /* unknown members are 0 or "" */
	char commit[48];         /* of weir; "" when it is not known */
	int has_probe;
	weir_probe probe;
	weir_point *points;
	size_t point_count;
	weir_tuning *tunings;
	size_t tuning_count;
	weir_rule *rules;
	size_t rule_count;
} weir_profile;

/* Read a profile from a file, from a text, or by the name of a built-in one. Errors name the file
 * and the fault. A fault is: not JSON (with the source line), another version, or a member that is
 * missing, of the wrong type, or impossible (zero, negative or not finite times). */
weir_status weir_profile_read(const char *path, weir_profile **profile);
weir_status weir_profile_parse(const char *text, const char *origin, weir_profile **profile);
weir_status weir_profile_builtin(const char *name, weir_profile **profile);
const char *weir_profile_builtin_name(size_t index); /* NULL past the last */

/* The JSON text, which the caller frees; NULL when there is no memory. */
char *weir_profile_text(const weir_profile *profile);
/* JSON objects with the members that a profile's file has, as texts to be freed; NULL without memory,
 * or when a number is not finite. Times of a probe that were not measured, 0, are left out. */
char *weir_device_json(const weir_device_info *device);
char *weir_probe_json(const weir_probe *probe);
char *weir_point_json(const weir_point *point);
char *weir_tuning_json(const weir_tuning *tuning);
/* Writes the whole file or nothing, and nothing that weir_profile_read would refuse. */
weir_status weir_profile_write(const weir_profile *profile, const char *path);
void weir_profile_destroy(weir_profile *profile);

/* WEIR_OK when the profile was made on such a device; else the error text says how they differ. */
weir_status weir_profile_matches(const weir_profile *profile, const weir_device_info *device);

/* The path where the library looks for the user's profile of this device. */
weir_status weir_profile_path(const weir_device_info *device, char *path, size_t room);
/* Makes the missing folders of that path. */
weir_status weir_profile_make_folders(const char *path);

/* The built-in profile of that very device, through whichever machine it was opened. A GPU without
 * one gets the profile of the newest GPU that was measured. Newer GPUs do their atomics in the
 * cache that all units share, unlike GT200, and do not hold a cache line for them, unlike GF100.
 * CPUs share the profile "cpu". */
weir_status weir_profile_nearest(const weir_device_info *device, weir_profile **profile);

/* The profile for a device: the user's, else the nearest built-in one. `origin` tells which, and
 * what was wrong with a user's profile that was passed over. A user's profile without a rule for
 * some primitive gets that rule from the built-in one, so that every primitive has a rule. */
weir_status weir_profile_for(const weir_device_info *device, weir_profile **profile, char *origin,
                             size_t room);
/* Completes a profile as the library completes the user's: a primitive without a rule gets the
 * rules of the nearest built-in profile. */
weir_status weir_profile_complete(weir_profile *profile);

/* Appends; WEIR_NO_MEMORY when it cannot. A point or tuning of the same case is replaced. */
weir_status weir_profile_add_point(weir_profile *profile, const weir_point *point);
weir_status weir_profile_add_tuning(weir_profile *profile, const weir_tuning *tuning);

/* ---- comparisons ---- */

/* Points that differ in their kind alone, and so can be compared. */
typedef struct weir_comparison {
	enum weir_primitive primitive;
	uint32_t threads;
	uint32_t work;
	uint32_t blocks;
	uint32_t initial; /* as of a point, like the pattern */
	uint32_t pattern;
	int only_fair; /* kinds */
} weir_comparison;

/* Finds the comparison of a primitive (of its fair kinds, if only_fair) with the next count above
 * `above`. Returns that count, or 0 when there is none. The count is the blocks of a barrier, two or more; the
 * initial value of a semaphore, the pattern of events, and 1 for a mutex. All but barriers are compared
 * at the largest number of blocks. Blocks have the usual size if that was measured, and the shortest
 * critical section. */
uint32_t weir_comparison_next(const weir_profile *profile, weir_comparison *comparison,
                              uint32_t above);
uint32_t weir_comparison_count(const weir_comparison *comparison);
int weir_comparison_has(const weir_comparison *comparison, const weir_point *point);

/* The point of a kind in a comparison; and the fastest point in it except `but`, which may be NULL.
 * NULL when there is none. */
const weir_point *weir_profile_point(const weir_profile *profile, const weir_comparison *comparison,
                                     uint32_t kind);
const weir_point *weir_profile_fastest(const weir_profile *profile,
                                       const weir_comparison *comparison, const weir_point *but);
/* The rate that counts for a point: its own, or a higher one that tuning reached there. */
double weir_profile_rate(const weir_profile *profile, const weir_comparison *comparison,
                         const weir_point *point);

/* The fastest repeat less the slowest, relative to the median. 1, as wide as the figure itself, for
 * a point of fewer than three repeats; 0 for a simulated one. */
double weir_point_spread(const weir_point *point);

/* A smaller lead does not count, however steady both points are. */
#define WEIR_LEAST_LEAD 0.02

/* How far one point is ahead of another, and whether a benchmark can tell. */
typedef struct weir_lead {
	double by;     /* 0.1: a tenth faster */
	double spread; /* of both together: how far ahead it would be if both were as wide apart */
	int measured;  /* ahead by more than that, and by more than WEIR_LEAST_LEAD */
} weir_lead;
weir_lead weir_profile_lead(const weir_profile *profile, const weir_comparison *comparison,
                            const weir_point *point, const weir_point *other);

/* Makes the rules anew. They come from the points of a primitive if two or more kinds were measured
 * side by side, else from the classification of the probe. Without either there are none.
 * Of kinds side by side, the built-in default for such a device stays unless another kind is
 * measurably ahead of it (weir_lead). If several kinds are ahead and cannot be told apart, a fair
 * one is taken. Mutexes are judged at the largest number of blocks; semaphores there, too, for each
 * initial value; barriers at each number of blocks from two on.
 * A tuned backoff or shape that gained goes into the rule, and the rate that it reached counts for
 * its kind. That holds for a barrier only at the number of blocks that it was found at. A backoff
 * counts only up to WEIR_RULE_PAUSE_MOST. */
weir_status weir_profile_make_rules(weir_profile *profile);

/* The kind that the rule for mutexes would have among the fair kinds alone; 0 when no two of them
 * were measured side by side. */
uint32_t weir_profile_fair_kind(const weir_profile *profile);

const weir_rule *weir_profile_rule(const weir_profile *profile, enum weir_primitive primitive,
                                   uint32_t count);

/* A range of counts with the same default kind, whatever its backoff and shape. */
typedef struct weir_span {
	uint32_t kind;
	uint32_t from;
	uint32_t to; /* 0: no upper end */
} weir_span;

/* Finds the span that begins at `from`, which is 1 for the first. Returns 0 when the primitive has
 * no rule. The next span begins at weir_span_next, which is 0 after the last one. */
int weir_profile_span(const weir_profile *profile, enum weir_primitive primitive, uint32_t from,
                      weir_span *span);
uint32_t weir_span_next(const weir_span *span);

/* "xf for 1 block, central for 2 to 264 and counter for more", "" without a rule. The caller frees
 * it; NULL when there is no memory. */
char *weir_profile_default_text(const weir_profile *profile, enum weir_primitive primitive);

/* Names the kinds of a GPU's rules that the default's text does not handle, if the kind of that
 * text was measured, too. A line for each: "mutex: paced is faster here than the default, ...", with how
 * to have it. "" when there is none. The caller frees it; NULL when there is no memory. */
char *weir_profile_faster_text(const weir_profile *profile);

/* ---- the paper's machine abstraction ---- */

typedef struct weir_class {
	double atomic_to_volatile; /* contentious reads */
	double atomic_to_volatile_write;
	double atomic_to_volatile_own;
	double atomic_to_volatile_own_write;
	double contention; /* contentious to noncontentious volatile reads */
	double contention_write;
	double hostage_ratio; /* contentious volatile reads after an atomic, to without */
	double hostage_ratio_write;
	int slow_atomics;       /* spinning on atomics is out of the question */
	int slow_atomic_writes; /* an atomic is far slower than a store that would do */
	int equal_atomics;      /* atomics are as fast as volatile reads, and as writes */
	int contended_reads;    /* many blocks that poll one word are slow */
	int hostage;            /* an atomic unit holds its cache line until its queue is empty */
	const char *name;       /* of the class, in a few words */
} weir_class;

/* The thresholds between the answers; classify.c gives the reasons. */
#define WEIR_CLASS_SLOW_ATOMICS 10.0
#define WEIR_CLASS_EQUAL_ATOMICS 2.0
#define WEIR_CLASS_CONTENDED_READS 4.0
#define WEIR_CLASS_NO_SHARED_POLLING 60.0
#define WEIR_CLASS_HOSTAGE 1.5

void weir_classify(const weir_probe *probe, weir_class *result);

/* The kind of the paper that suits the class; `initial` is a semaphore's initial value. */
uint32_t weir_class_kind(const weir_class *result, enum weir_primitive primitive, uint32_t initial);

/* Whether the paper has this kind; the others came after it. */
int weir_kind_is_of_paper(enum weir_primitive primitive, uint32_t kind);

/* The kinds that the paper describes, each with the accesses that the paper has: by the name that
 * the paper's kind has in claims ("atomic" is `two_stage`); and those that its results compare, one
 * after the other: all but the ring mutex. 0: none. */
uint32_t weir_paper_kind(enum weir_primitive primitive, const char *name);
uint32_t weir_paper_kind_at(enum weir_primitive primitive, size_t index);

/* Plain sentences with the figures: the class of the device by the profile's probe, and the kinds
 * to use for each primitive. These kinds are those of the profile's rules, or of the class where
 * there are none. Beside them stands the paper's reasoning (spin or sleep, backoff or not, central
 * or decentralized), and the reasons against it where the rules differ. The caller frees it. */
char *weir_class_text(const weir_profile *profile);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#ifdef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#endif
