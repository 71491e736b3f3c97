/* What was measured on one device, and what follows from it: the profile, its file and its use.
 *
 * A profile file is JSON of the schema profiles/schema.json. The library reads the user's
 * ($WEIR_PROFILE, else $XDG_CONFIG_HOME/weir/ or ~/.config/weir/, a file for each device) when a
 * device is opened, and takes the default kinds and their parameters from it; without one that
 * belongs to the device, from the built-in profile nearest to it.
 *
 * The statuses: WEIR_NOT_FOUND, no such file or built-in profile; WEIR_BAD_ARGUMENT, what it says
 * is wrong; WEIR_DRIVER_ERROR, the system could not read or write it. */
#ifndef WEIR_PROFILE_H
#define WEIR_PROFILE_H

#include "weir/kind.h"
#include "weir/weir.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_PROFILE_VERSION 1

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

/* The believable times, in milliseconds: from a nanosecond, in which no access ends, to a day. Figures
 * beyond are mistakes, and ratios of them need not be finite. */
#define WEIR_PROBE_MS_LEAST 1e-6
#define WEIR_PROBE_MS_MOST 86400e3
/* The believable rates beside 0, in operations a second: from less than one in a day to more than all
 * units of a machine have clock cycles. */
#define WEIR_RATE_LEAST 1e-6
#define WEIR_RATE_MOST 1e15

typedef struct weir_probe {
	uint32_t blocks;
	uint32_t threads;
	uint32_t accesses; /* of each block */
	double ms[WEIR_ACCESS_COUNT];
} weir_probe;

/* One measured point of a benchmark. */
typedef struct weir_point {
	enum weir_primitive primitive; /* a barrier, a mutex or a semaphore */
	uint32_t kind;
	uint32_t initial; /* a semaphore's initial value; else 0 */
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
	double worst_share; /* of the block that got least, relative to an even share; 0 likewise */
	int timed_out;      /* stopped by the time limit */
	uint64_t completed; /* operations of the median repeat */
	int simulated;      /* the same again to the last digit; in no profile's file */
} weir_point;

/* The shape of a counter barrier, where there is one: all zeros are a shape, too. */
typedef struct weir_known_shape {
	int known;
	weir_shape shape;
} weir_known_shape;

/* A backoff or a shape that a search found, with what it gained at that contention. */
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

/* The shape of a barrier of so many blocks on a device that nobody has tuned it for. */
weir_shape weir_untuned_shape(const weir_kind *kind, uint32_t blocks);

/* No default pauses longer than this many units. A search for throughput at full scale may find
 * pauses of milliseconds, which would leave a lock free but unused wherever few blocks want it. */
#define WEIR_RULE_PAUSE_MOST 256

/* Whether the tuned backoff or shape is worth taking: it gained, and does not pause too long. */
int weir_tuning_gained(const weir_tuning *tuning);

/* Which kind to take. The first rule of a primitive whose `up_to` is 0, or not below the count
 * that creation gets (blocks or a semaphore's maximum), holds. The last rule of a primitive has 0,
 * and so has every rule of mutexes, which have no count. */
typedef struct weir_rule {
	enum weir_primitive primitive;
	uint32_t up_to;
	uint32_t kind;
	weir_backoff backoff; /* both 0: the kind's own default */
	weir_known_shape shape;
} weir_rule;

typedef struct weir_profile {
	char name[64];           /* of a built-in one ("gt200"), or of the device */
	weir_device_info device; /* what is not known is 0 or "" */
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

/* From a file, a text or by the name of a built-in one. Errors name the file and what is wrong:
 * not JSON (with the line), another version, a member that is missing, of the wrong type, or
 * impossible (zero, negative or not finite times). */
weir_status weir_profile_read(const char *path, weir_profile **profile);
weir_status weir_profile_parse(const char *text, const char *origin, weir_profile **profile);
weir_status weir_profile_builtin(const char *name, weir_profile **profile);
const char *weir_profile_builtin_name(size_t index); /* NULL past the last */

/* The JSON text, to be freed; NULL without memory. */
char *weir_profile_text(const weir_profile *profile);
/* JSON objects with the members that a profile's file has, as texts to be freed; NULL without memory,
 * or when a number is not finite. Times of a probe that were not measured, 0, are left out. */
char *weir_device_json(const weir_device_info *device);
char *weir_probe_json(const weir_probe *probe);
char *weir_point_json(const weir_point *point);
char *weir_tuning_json(const weir_tuning *tuning);
/* Writes a whole file or none, and nothing that weir_profile_read would refuse. */
weir_status weir_profile_write(const weir_profile *profile, const char *path);
void weir_profile_free(weir_profile *profile);

/* WEIR_OK when the profile was made on such a device; else says how they differ. */
weir_status weir_profile_matches(const weir_profile *profile, const weir_device_info *device);

/* Where the user's profile of this device is looked for. */
weir_status weir_profile_path(const weir_device_info *device, char *path, size_t room);
/* Makes the folders on the way to that file that are missing. */
weir_status weir_profile_make_folders(const char *path);

/* The built-in profile of that very device, whatever it is opened through. Else, of the GPUs, the
 * newest that was measured: they all do their atomics in the cache that all units share, as GT200
 * did not, and without holding a line, as GF100 did. CPUs share the profile "cpu". */
weir_status weir_profile_nearest(const weir_device_info *device, weir_profile **profile);

/* The profile for a device: the user's, else the nearest built-in. `origin` says which, and what
 * was wrong with a user's profile that was passed over. A user's profile that has no rule for some
 * primitive gets the built-in one's, so that every primitive has one. */
weir_status weir_profile_for(const weir_device_info *device, weir_profile **profile, char *origin,
                             size_t room);
/* Gives a profile what it gets when it is the user's: the nearest built-in one's rules for each
 * primitive of which it has none. */
weir_status weir_profile_complete(weir_profile *profile);

/* Appends; WEIR_NO_MEMORY when it cannot. A point or tuning of the same case is replaced. */
weir_status weir_profile_add_point(weir_profile *profile, const weir_point *point);
weir_status weir_profile_add_tuning(weir_profile *profile, const weir_tuning *tuning);

/* ---- comparisons ---- */

/* Points that can be compared with each other: the same but for the kind. */
typedef struct weir_comparison {
	enum weir_primitive primitive;
	uint32_t threads;
	uint32_t work;
	uint32_t blocks;
	uint32_t initial;
	int only_fair; /* kinds */
} weir_comparison;

/* The comparison of a primitive (and of the fair kinds, if only_fair) whose count is the next above
 * `above`; gives that count, 0 when there is none. The count is the blocks of a barrier, the initial
 * value of a semaphore, and 1 for a mutex; the latter two are compared at the most blocks. Blocks
 * have the usual size where that was measured, and the shortest critical section. */
uint32_t weir_comparison_next(const weir_profile *profile, weir_comparison *comparison,
                              uint32_t above);
uint32_t weir_comparison_count(const weir_comparison *comparison);
int weir_comparison_has(const weir_comparison *comparison, const weir_point *point);

/* The point of a kind in a comparison; the fastest in it, leaving out one that may be NULL. NULL when
 * there is none. */
const weir_point *weir_profile_point(const weir_profile *profile, const weir_comparison *comparison,
                                     uint32_t kind);
const weir_point *weir_profile_fastest(const weir_profile *profile,
                                       const weir_comparison *comparison, const weir_point *but);
/* What counts for a point: its rate, or what tuning reached there. */
double weir_profile_rate(const weir_profile *profile, const weir_comparison *comparison,
                         const weir_point *point);

/* The fastest repeat less the slowest, relative to the median. 1, as wide as the figure itself, for
 * a point of fewer than three repeats; 0 for a simulated one. */
double weir_point_spread(const weir_point *point);

/* A lead of less is none, however steady both are. */
#define WEIR_LEAST_LEAD 0.02

/* How far one point is ahead of another, and whether a benchmark can tell. */
typedef struct weir_lead {
	double by;     /* 0.1: a tenth faster */
	double spread; /* of both together, likewise relative to the other */
	int measured;  /* ahead by more than that, and by more than WEIR_LEAST_LEAD */
} weir_lead;
weir_lead weir_profile_lead(const weir_profile *profile, const weir_comparison *comparison,
                            const weir_point *point, const weir_point *other);

/* Makes the rules anew: from the points of a primitive where two kinds or more were measured side by
 * side, else from the classification of the probe, else none. Of kinds side by side, the built-in
 * default for such a device stays unless another one is measurably ahead of it (weir_lead); of
 * several that are, and cannot be told apart, a fair one. Mutexes are judged at the most blocks;
 * semaphores there, too, for each initial value; barriers at each count of blocks. A tuned backoff or
 * shape that gained goes into the rule, and what it reached counts for its kind; of a barrier only at
 * the blocks that it was found at, and a backoff only up to WEIR_RULE_PAUSE_MOST. */
weir_status weir_profile_make_rules(weir_profile *profile);

/* The kind that the rule for mutexes would have if there were only the fair ones; 0 when no two of
 * them were measured side by side. */
uint32_t weir_profile_fair_kind(const weir_profile *profile);

const weir_rule *weir_profile_rule(const weir_profile *profile, enum weir_primitive primitive,
                                   uint32_t count);

/* Counts that have the same kind by default, whatever its backoff and shape. */
typedef struct weir_span {
	uint32_t kind;
	uint32_t from;
	uint32_t to; /* 0: all that are larger */
} weir_span;

/* The span that begins at `from`, 1 for the first; 0 when the primitive has no rule. The next one
 * begins at weir_span_next, which is 0 after the last. */
int weir_profile_span(const weir_profile *profile, enum weir_primitive primitive, uint32_t from,
                      weir_span *span);
uint32_t weir_span_next(const weir_span *span);

/* "xf for 1 block, central for 2 to 264 and counter for more", "" without a rule. To be freed; NULL
 * without memory. */
char *weir_profile_default_text(const weir_profile *profile, enum weir_primitive primitive);

/* ---- the paper's machine abstraction ---- */

typedef struct weir_class {
	double atomic_to_volatile; /* contentious reads */
	double atomic_to_volatile_own;
	double contention; /* contentious to noncontentious volatile reads */
	double contention_write;
	double hostage_ratio; /* contentious volatile reads after an atomic, to without */
	int slow_atomics;     /* spinning on atomics is out of the question */
	int contended_reads;  /* polling one word by many is costly */
	int hostage;          /* an atomic unit holds its line until its queue is empty */
	const char *name;     /* of the class, in a few words */
} weir_class;

/* The bounds between the answers; classify.c says why. */
#define WEIR_CLASS_SLOW_ATOMICS 10.0
#define WEIR_CLASS_EQUAL_ATOMICS 2.0
#define WEIR_CLASS_CONTENDED_READS 4.0
#define WEIR_CLASS_NO_SHARED_POLLING 60.0
#define WEIR_CLASS_HOSTAGE 1.5

void weir_classify(const weir_probe *probe, weir_class *result);

/* The kind that the class asks for, one of the paper's; `initial` for semaphores. */
uint32_t weir_class_kind(const weir_class *result, enum weir_primitive primitive, uint32_t initial);

/* Whether the paper has this kind; the others came after it. */
int weir_kind_is_of_paper(enum weir_primitive primitive, uint32_t kind);

/* Plain sentences with the figures: what the machine is by the profile's probe, and for each
 * primitive the kinds to use. Those are the rules of the profile, and the class's where it has
 * none. Beside them stands the paper's reasoning (spin or sleep, backoff or not, central or
 * decentralized), and what speaks against it where the rules differ. To be freed. */
char *weir_class_text(const weir_profile *profile);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
