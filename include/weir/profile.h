/** @defgroup weir_profile Profiles
 *
 * The profile of a device: what was measured on it, and the default kinds that follow.
 *
 * A profile file is JSON of the schema data/profiles/schema.json. When a device is opened, the library reads the user's
 * profile of it: $WEIR_PROFILE, else the device's file in $XDG_CONFIG_HOME/weir/ or ~/.config/weir/. It takes the default
 * kinds and their parameters from that profile. If there is none for the device, it uses the nearest built-in one.
 *
 * Functions that read or write a file return WEIR_NOT_FOUND if the file or built-in profile does not exist,
 * WEIR_BAD_ARGUMENT for wrong content, and WEIR_DRIVER_ERROR if the system could not read or write it.
 *
 * Several threads may call these functions at once, for different profiles or to read the same one.
 *
 * @code
 * weir_profile *profile;
 * if (weir_profile_builtin("h200", &profile) == WEIR_OK) {
 * 	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 132);
 * 	puts(weir_barrier_kind_name(rule->kind));
 * 	weir_profile_destroy(profile);
 * }
 * @endcode
 */
#ifndef WEIR_PROFILE_H
#define WEIR_PROFILE_H

#include "weir/kind.h"
#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/** The version of the files that the library writes. */
#define WEIR_PROFILE_VERSION 2

/** The accesses of a memory benchmark. */
enum weir_access_kind {
	WEIR_ACCESS_VOLATILE, /**< volatile loads or stores */
	WEIR_ACCESS_ATOMIC,   /**< atomics */
	WEIR_ACCESS_PRIMED    /**< volatile accesses that an atomic precedes */
};
/** Where the accesses of a memory benchmark go. */
enum weir_access_place {
	WEIR_ACCESS_SAME, /**< all blocks access one word */
	WEIR_ACCESS_OWN   /**< each block has its own word */
};
/** The direction of the accesses. */
enum weir_access_way {
	WEIR_ACCESS_READ, /**< reads */
	WEIR_ACCESS_WRITE /**< writes */
};
/** The index of a memory benchmark in weir_probe.ms: the order of the rows of the paper's table 1. */
#define WEIR_ACCESS(kind, place, way) (4 * (kind) + 2 * (place) + (way))
/** The memory benchmarks of the paper. */
#define WEIR_ACCESS_COUNT 12

/** The least plausible time of a memory benchmark in milliseconds: a nanosecond, in which no access ends. */
#define WEIR_PROBE_MS_LEAST 1e-6
/** The largest plausible time of a memory benchmark in milliseconds: a day. */
#define WEIR_PROBE_MS_MOST 86400e3
/** The least plausible rate besides 0, in operations a second: less than one a day. */
#define WEIR_RATE_LEAST 1e-6
/** The largest plausible rate, in operations a second: more than the clock cycles of all units of a device. */
#define WEIR_RATE_MOST 1e15

/** The memory benchmarks of the paper on one device. */
typedef struct weir_probe {
	uint32_t blocks;              /**< blocks of each benchmark */
	uint32_t threads;             /**< threads of a block */
	uint32_t accesses;            /**< accesses of each block */
	double ms[WEIR_ACCESS_COUNT]; /**< milliseconds, by WEIR_ACCESS; 0: not measured */
} weir_probe;

/** How the blocks of a benchmark use events, a queue, a dispenser, tasks, or one of the locks. */
enum weir_pattern {
	WEIR_PATTERN_HAND_OVER = 1, /**< events in a ring: each block waits for the one before it */
	WEIR_PATTERN_SEQUENCE,      /**< the same by one event that all wait for */
	WEIR_PATTERN_MEET,          /**< all signal one event, and one block signals all */
	WEIR_PATTERN_PAIRS,         /**< rings of two blocks */
	WEIR_PATTERN_POST,          /**< an event for each block, for which no block waits */
	/** A queue: each thread pushes and pops in turn. */
	WEIR_PATTERN_QUEUE_PAIRS,
	WEIR_PATTERN_QUEUE_PAIRS_BY_WARP,  /**< the same, a warp together */
	WEIR_PATTERN_QUEUE_PAIRS_BY_BLOCK, /**< the same, a block together */
	WEIR_PATTERN_QUEUE_APART, /**< the threads of half of the blocks push, the others pop */
	WEIR_PATTERN_QUEUE_APART_BY_WARP,  /**< the same, a warp together */
	WEIR_PATTERN_QUEUE_APART_BY_BLOCK, /**< the same, a block together */
	WEIR_PATTERN_QUEUE_ONE_TO_MANY, /**< one thread of the first block pushes, one of each other pops */
	WEIR_PATTERN_QUEUE_MANY_TO_ONE, /**< one thread of the last block pops, one of each other pushes */
	WEIR_PATTERN_DISPENSER_TAKE, /**< one thread of each block takes an item at a time */
	WEIR_PATTERN_DISPENSER_TAKE_BY_BLOCK, /**< and tells its block */
	/** Layers of two empty tasks, each dependent on both tasks of the layer before. */
	WEIR_PATTERN_TASKS_CHAIN,
	WEIR_PATTERN_TASKS_CHAIN_LOCAL, /**< the same; a block continues with a task that it has made ready */
	WEIR_PATTERN_TASKS_LAYERS, /**< layers of many tasks per block, each dependent on two of the layer before */
	WEIR_PATTERN_TASKS_LAYERS_LOCAL, /**< the same; a block continues with a task that it has made ready */
	WEIR_PATTERN_TASKS_LAYERS_CLASSES,       /**< layers with tasks of two classes */
	WEIR_PATTERN_TASKS_LAYERS_LOCAL_CLASSES, /**< both */
	WEIR_PATTERN_CONDITION_BUFFER, /**< half of the blocks put items into a buffer, the others take them out */
	WEIR_PATTERN_CONDITION_BROADCAST, /**< the last block to arrive wakes all others */
	WEIR_PATTERN_RWLOCK_READ,         /**< all blocks read */
	WEIR_PATTERN_RWLOCK_READ90,       /**< one operation in ten writes */
	WEIR_PATTERN_RWLOCK_WRITE,        /**< all blocks write */
	WEIR_PATTERN_RWLOCK_WRITER, /**< the first block writes, the others read all the time */
	WEIR_PATTERN_ONCE_DONE,     /**< all blocks ask after the first one has initialized */
	WEIR_PATTERN_COMBINE,       /**< all blocks publish operations to a combiner */
	WEIR_PATTERN_COMBINE_SERVE  /**< the first block does the operations of the others */
};

/** The name of a pattern ("hand_over"), or NULL for an unknown number. */
const char *weir_pattern_name(uint32_t pattern);
/** The pattern of a primitive with that name, or 0. */
uint32_t weir_pattern_named(enum weir_primitive primitive, const char *name);
/** Whether the pattern is one of that primitive. */
int weir_pattern_is_of(uint32_t pattern, enum weir_primitive primitive);
/** Whether the primitive is measured in patterns. */
int weir_has_patterns(enum weir_primitive primitive);
/** Events: by how much to divide what all blocks completed to get the operations of a point. In a meeting all blocks make
 * one operation together. Pairs and posts count as those of one pair, or of one block. */
uint32_t weir_pattern_shares(uint32_t pattern, uint32_t blocks);
/** Events: sets how many blocks signal an event and wait for it if that many run. In a meeting this is the event that
 * all blocks signal. */
void weir_pattern_users(uint32_t pattern, uint32_t blocks, uint32_t *signallers, uint32_t *waiters);
/** Events: the kind that the library takes for that pattern; 0: the pattern has no kinds. */
uint32_t weir_pattern_default(uint32_t pattern, uint32_t blocks);
/** Queues and buffers: how many of the blocks push, the first ones. The others pop, or if all push, all pop as well. */
uint32_t weir_pattern_pushers(uint32_t pattern, uint32_t blocks);

/** One measured point of a benchmark. */
typedef struct weir_point {
	enum weir_primitive primitive; /**< the primitive, one that has a benchmark */
	uint32_t kind;                 /**< its kind; 0: the primitive has no kinds */
	uint32_t initial;              /**< a semaphore's initial value; else 0 */
	uint32_t pattern;  /**< the pattern of a primitive that is measured in patterns; else 0 */
	uint32_t blocks;   /**< blocks of the grid */
	uint32_t threads;  /**< threads of a block */
	uint32_t work;     /**< words in the critical section */
	uint32_t cluster;  /**< blocks in a cluster; 0: no clusters, as in every profile */
	uint32_t rounds;   /**< operations asked of each block */
	uint32_t repeats;  /**< how often it was measured */
	double per_second; /**< operations a second, the median */
	double low;        /**< the slowest repeat */
	double high;       /**< the fastest repeat */
	double jain;       /**< Jain's fairness index among the blocks; 0: not measured */
	double
	    worst_share; /**< the share of the block that got least, relative to an even share; 0: unknown */
	int timed_out;      /**< nonzero: stopped by the time limit */
	uint64_t completed; /**< operations of the median repeat */
	int simulated; /**< nonzero: simulated, so that all repeats agree; never in a profile's file */
} weir_point;

/** The shape of a counter barrier, if it is known. A shape of zeros is valid. */
typedef struct weir_known_shape {
	int known;        /**< nonzero: `shape` is valid */
	weir_shape shape; /**< the shape */
} weir_known_shape;

/** A backoff or a shape that a search found, with the gain at that contention. */
typedef struct weir_tuning {
	enum weir_primitive primitive; /**< the primitive */
	uint32_t kind;                 /**< its kind */
	uint32_t initial;              /**< a semaphore's initial value; else 0 */
	uint32_t blocks;               /**< blocks of the grid */
	uint32_t threads;              /**< threads of a block */
	weir_backoff backoff;          /**< the best backoff */
	double
	    untuned_per_second; /**< operations a second without tuning, measured again after the search */
	double
	    tuned_per_second;   /**< operations a second with it, measured again after the search */
	weir_known_shape shape; /**< the best shape, of a kind that has one */
} weir_tuning;

/** The backoff of a kind on a device that has no tuned one for it: none for a kind whose waiters poll for a turn that is
 * certain to come. */
weir_backoff weir_untuned_backoff(const weir_kind *kind);

/** The shape of a barrier of `blocks` blocks on a device that has no tuned one for it. It never has more shards than
 * blocks. */
weir_shape weir_untuned_shape(const weir_kind *kind, uint32_t blocks);

/** No default pauses longer than this many units. A search for throughput at full scale may find pauses of milliseconds,
 * which would leave a lock free but unused wherever few blocks want it. */
#define WEIR_RULE_PAUSE_MOST 256

/** Whether the tuned backoff or shape is worth taking: it gained, and does not pause too long. */
int weir_tuning_gained(const weir_tuning *tuning);

/** Which kind to take for a count: the blocks of a barrier, or the maximum of a semaphore. The first rule of the
 * primitive applies whose `up_to` is 0 or not below the count. */
typedef struct weir_rule {
	enum weir_primitive primitive; /**< the primitive */
	/** The largest count that it is for. 0, no limit, in the last rule of a primitive, and in every rule of mutexes,
	 * which have no count. */
	uint32_t up_to;
	uint32_t kind;          /**< the kind to take */
	weir_backoff backoff;   /**< its backoff; both 0: the kind's own default */
	weir_known_shape shape; /**< its shape, of a counter barrier */
} weir_rule;

/** A profile. */
typedef struct weir_profile {
	char name[64];           /**< the name of a built-in profile ("gt200"), or of the device */
	weir_device_info device; /**< the device; unknown members are 0 or "" */
	char commit[48];         /**< the commit of weir that measured it; "" if unknown */
	int has_probe;           /**< nonzero: `probe` is valid */
	weir_probe probe;        /**< the memory benchmarks */
	weir_point *points;      /**< the measured points */
	size_t point_count;      /**< how many points */
	weir_tuning *tunings;    /**< the results of searches */
	size_t tuning_count;     /**< how many tunings */
	weir_rule *rules;        /**< the default kinds */
	size_t rule_count;       /**< how many rules */
} weir_profile;

/** Reads a profile from a file. Errors name the file and the fault: not JSON (with the line), another version, or a
 * member that is missing, of the wrong type, or impossible (such as a time that is zero, negative or not finite). The
 * caller frees the profile with weir_profile_destroy. */
weir_status weir_profile_read(const char *path, weir_profile **profile);
/** Reads a profile from a string. `origin` names it in errors. Otherwise as weir_profile_read. */
weir_status weir_profile_parse(const char *text, const char *origin, weir_profile **profile);
/** Reads the built-in profile of that name. */
weir_status weir_profile_builtin(const char *name, weir_profile **profile);
/** The name of a built-in profile; NULL past the last. */
const char *weir_profile_builtin_name(size_t index);

/** The profile as JSON, which the caller frees; NULL if there is no memory. */
char *weir_profile_text(const weir_profile *profile);
/** A device as the JSON object of a profile's file. As with weir_probe_json, weir_point_json and weir_tuning_json, the
 * caller frees the string; NULL if there is no memory or a number is not finite. */
char *weir_device_json(const weir_device_info *device);
/** A probe as JSON, as weir_device_json. Times that were not measured are left out. */
char *weir_probe_json(const weir_probe *probe);
/** A point as JSON, as weir_device_json. */
char *weir_point_json(const weir_point *point);
/** A tuning as JSON, as weir_device_json. */
char *weir_tuning_json(const weir_tuning *tuning);
/** Writes a profile to a file: the whole file or nothing, and nothing that weir_profile_read would refuse. */
weir_status weir_profile_write(const weir_profile *profile, const char *path);
/** Frees a profile. */
void weir_profile_destroy(weir_profile *profile);

/** Whether the profile was made on such a device: WEIR_OK, else the error text says how they differ. */
weir_status weir_profile_matches(const weir_profile *profile, const weir_device_info *device);

/** Writes the path where the library looks for the user's profile of this device into `path`, which has room for `room`
 * bytes. */
weir_status weir_profile_path(const weir_device_info *device, char *path, size_t room);
/** Makes the missing folders of a path. */
weir_status weir_profile_make_folders(const char *path);

/** The nearest built-in profile of a device: its own, through whichever machine it was opened. A GPU without one gets
 * the profile of the newest GPU that was measured. The reason is that newer GPUs, unlike GT200, do their atomics in the
 * cache that all units share and, unlike GF100, do not hold a cache line for them. CPUs share the profile "cpu". */
weir_status weir_profile_nearest(const weir_device_info *device, weir_profile **profile);

/** The profile for a device: the user's, else the nearest built-in one. Writes into `origin`, which has room for `room`
 * bytes, which one it is, and what was wrong with a user's profile that was not used. A user's profile is completed as
 * weir_profile_complete does. */
weir_status weir_profile_for(const weir_device_info *device, weir_profile **profile, char *origin,
                             size_t room);
/** Gives every primitive a rule: a primitive without one gets the rules of the nearest built-in profile. */
weir_status weir_profile_complete(weir_profile *profile);

/** Adds a point, or replaces the one of the same case. WEIR_NO_MEMORY if it cannot. */
weir_status weir_profile_add_point(weir_profile *profile, const weir_point *point);
/** Adds a tuning, or replaces the one of the same case. WEIR_NO_MEMORY if it cannot. */
weir_status weir_profile_add_tuning(weir_profile *profile, const weir_tuning *tuning);

/** @defgroup weir_comparison Comparisons and rules
 *
 * Which kinds of a profile can be compared, which is ahead, and the rules that follow.
 *
 * Several threads may read one profile at once.
 *
 * @code
 * weir_comparison c = {.primitive = WEIR_PRIMITIVE_MUTEX};
 * if (weir_comparison_next(profile, &c, 0) != 0)
 * 	printf("%s\n", weir_mutex_kind_name(weir_profile_fastest(profile, &c, NULL)->kind));
 * @endcode
 */

/** Points that differ only in their kind, and so can be compared. */
typedef struct weir_comparison {
	enum weir_primitive primitive; /**< the primitive */
	uint32_t threads;              /**< threads of a block */
	uint32_t work;                 /**< words in the critical section */
	uint32_t blocks;               /**< blocks of the grid */
	uint32_t initial;              /**< a semaphore's initial value; else 0 */
	uint32_t pattern;              /**< the pattern, as in weir_point */
	int only_fair;                 /**< nonzero: fair kinds only */
} weir_comparison;

/** Finds the comparison of a primitive (of its fair kinds, if only_fair) with the next count above `above`. Returns that
 * count, or 0 if there is none. The count is the blocks of a barrier, two or more; the initial value of a semaphore; the
 * pattern of events; 1 for a mutex. All except barriers are compared at the largest number of blocks. Blocks have the
 * usual size if that was measured, and the shortest critical section. */
uint32_t weir_comparison_next(const weir_profile *profile, weir_comparison *comparison,
                              uint32_t above);
/** The count of a comparison, as weir_comparison_next returned it. */
uint32_t weir_comparison_count(const weir_comparison *comparison);
/** Whether a point belongs to a comparison. */
int weir_comparison_has(const weir_comparison *comparison, const weir_point *point);

/** The point of a kind in a comparison, or NULL. */
const weir_point *weir_profile_point(const weir_profile *profile, const weir_comparison *comparison,
                                     uint32_t kind);
/** The fastest point in a comparison except `but`, which may be NULL. NULL if there is none. */
const weir_point *weir_profile_fastest(const weir_profile *profile,
                                       const weir_comparison *comparison, const weir_point *but);
/** The rate that counts for a point: its own, or a higher one that tuning reached there. */
double weir_profile_rate(const weir_profile *profile, const weir_comparison *comparison,
                         const weir_point *point);

/** The fastest repeat minus the slowest, relative to the median. 1, as wide as the figure itself, for a point of fewer
 * than three repeats; 0 for a simulated one. */
double weir_point_spread(const weir_point *point);

/** A smaller lead does not count, however steady both points are. */
#define WEIR_LEAST_LEAD 0.02

/** How far one point is ahead of another, and whether a benchmark can tell. */
typedef struct weir_lead {
	double by;     /**< 0.1: a tenth faster */
	double spread; /**< the spread of both together */
	int measured; /**< nonzero: ahead by more than the spread, and by more than WEIR_LEAST_LEAD */
} weir_lead;
/** How far `point` is ahead of `other`. */
weir_lead weir_profile_lead(const weir_profile *profile, const weir_comparison *comparison,
                            const weir_point *point, const weir_point *other);

/** Makes the rules of a profile anew. They follow from the points of a primitive if two or more kinds were measured side
 * by side, else from the classification of the probe. Without either there are none.
 *
 * Of kinds side by side, the built-in default for such a device stays unless another kind is measurably ahead of it
 * (weir_lead). If several kinds are ahead and cannot be told apart, a fair one is taken. Mutexes are judged at the
 * largest number of blocks; so are semaphores, for each initial value; barriers at each number of blocks from two on.
 *
 * A tuned backoff or shape that gained goes into the rule, and the rate that it reached counts for its kind. For a
 * barrier that holds only at the number of blocks at which it was found. A backoff counts only up to
 * WEIR_RULE_PAUSE_MOST. */
weir_status weir_profile_make_rules(weir_profile *profile);

/** The kind that the rule for mutexes would have among the fair kinds; 0 if no two of them were measured side by side. */
uint32_t weir_profile_fair_kind(const weir_profile *profile);

/** The rule of a primitive for a count, or NULL. */
const weir_rule *weir_profile_rule(const weir_profile *profile, enum weir_primitive primitive,
                                   uint32_t count);

/** A range of counts with the same default kind, whatever its backoff and shape. */
typedef struct weir_span {
	uint32_t kind; /**< the default kind */
	uint32_t from; /**< the least count */
	uint32_t to;   /**< the largest count; 0: no limit */
} weir_span;

/** Finds the span that begins at `from`, which is 1 for the first and weir_span_next for the others. Returns 0 if the
 * primitive has no rule. */
int weir_profile_span(const weir_profile *profile, enum weir_primitive primitive, uint32_t from,
                      weir_span *span);
/** Where the next span begins; 0 after the last one. */
uint32_t weir_span_next(const weir_span *span);

/** The default kinds of a primitive in words: "xf for 1 block, central for 2 to 264 and counter for more"; "" without a
 * rule. The caller frees it; NULL if there is no memory. */
char *weir_profile_default_text(const weir_profile *profile, enum weir_primitive primitive);

/** Names the kinds of a GPU's rules that the code of the default kind does not handle, if that kind was measured as well.
 * A line for each: "mutex: paced is faster here than the default, ...", with how to use it. "" if there is none. The
 * caller frees it; NULL if there is no memory. */
char *weir_profile_faster_text(const weir_profile *profile);

/** @defgroup weir_class The paper's machine abstraction
 *
 * The class of a device by the ratios of its memory benchmarks, and the kinds that the paper recommends for it.
 *
 * Any thread may call these functions.
 */

/** The class of a device. */
typedef struct weir_class {
	double atomic_to_volatile;           /**< contentious atomic to volatile reads */
	double atomic_to_volatile_write;     /**< the same of writes */
	double atomic_to_volatile_own;       /**< noncontentious atomic to volatile reads */
	double atomic_to_volatile_own_write; /**< the same of writes */
	double contention;                   /**< contentious to noncontentious volatile reads */
	double contention_write;             /**< the same of writes */
	double hostage_ratio;       /**< contentious volatile reads after an atomic, to without */
	double hostage_ratio_write; /**< the same of writes */
	int slow_atomics;           /**< nonzero: spinning on atomics is out of the question */
	int slow_atomic_writes; /**< nonzero: an atomic is far slower than a store that would do */
	int equal_atomics;   /**< nonzero: atomics are as fast as volatile reads, and as writes */
	int contended_reads; /**< nonzero: many blocks that poll one word are slow */
	int hostage; /**< nonzero: an atomic unit holds its cache line until its queue is empty */
	const char *name; /**< the name of the class, a few words */
} weir_class;

/** From this ratio of atomic to volatile accesses on, atomics are slow. */
#define WEIR_CLASS_SLOW_ATOMICS 10.0
/** Below this ratio, of reads and of writes, atomics are as fast as volatile accesses. */
#define WEIR_CLASS_EQUAL_ATOMICS 2.0
/** From this ratio of contentious to noncontentious reads on, many blocks that poll one word are slow. */
#define WEIR_CLASS_CONTENDED_READS 4.0
/** From this ratio of contentious to noncontentious reads on, a barrier whose blocks all poll one word is too slow. */
#define WEIR_CLASS_NO_SHARED_POLLING 60.0
/** From this ratio of accesses after an atomic to accesses without on, an atomic unit holds its cache line until its
 * queue is empty. */
#define WEIR_CLASS_HOSTAGE 1.5

/** Classifies a device by its probe. */
void weir_classify(const weir_probe *probe, weir_class *result);

/** The kind of the paper that suits the class. `initial` is a semaphore's initial value. */
uint32_t weir_class_kind(const weir_class *result, enum weir_primitive primitive, uint32_t initial);

/** Whether the paper has this kind; the others were added later. */
int weir_kind_is_of_paper(enum weir_primitive primitive, uint32_t kind);

/** The kind that the paper describes by that name, with the accesses that the paper gives it, or 0. The names are those
 * of data/paper/claims.csv ("atomic" is `two_stage`). */
uint32_t weir_paper_kind(enum weir_primitive primitive, const char *name);
/** The kind at `index` among those that the paper's results compare, all but the ring mutex; 0 past the last. */
uint32_t weir_paper_kind_at(enum weir_primitive primitive, size_t index);

/** Describes the class of the device in plain sentences, with the figures of the profile's probe, and the kinds to use
 * for each primitive. These are from the profile's rules, or from the class if there are none. It adds the paper's
 * reasoning (spin or sleep, backoff or not, central or decentralized), and the reasons against it where the rules
 * differ. The caller frees it. */
char *weir_class_text(const weir_profile *profile);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#ifdef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#endif
