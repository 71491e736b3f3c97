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

#include "internal.h"

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
/* Writes a whole file or none, and nothing that weir_profile_read would refuse. */
weir_status weir_profile_write(const weir_profile *profile, const char *path);
void weir_profile_free(weir_profile *profile);

/* WEIR_OK when the profile was made on such a device; else says how they differ. */
weir_status weir_profile_matches(const weir_profile *profile, const weir_device_info *device);

/* Where the user's profile of this device is looked for. */
weir_status weir_profile_path(const weir_device_info *device, char *path, size_t room);
/* Makes the folders on the way to that file that are missing. */
weir_status weir_profile_make_folders(const char *path);

/* The profile for a device: the user's, else the nearest built-in. `origin` says which, and what
 * was wrong with a user's profile that was passed over. A user's profile that has no rule for some
 * primitive gets the built-in one's, so that every primitive has one. */
weir_status weir_profile_for(const weir_device_info *device, weir_profile **profile, char *origin,
                             size_t room);

/* Appends; WEIR_NO_MEMORY when it cannot. A point or tuning of the same case is replaced. */
weir_status weir_profile_add_point(weir_profile *profile, const weir_point *point);
weir_status weir_profile_add_tuning(weir_profile *profile, const weir_tuning *tuning);

/* Makes the rules anew: from the points of a primitive where two kinds or more were measured side by
 * side (the fastest kind, or the fairest within 2% of it), else from the classification of the
 * probe, else none. Mutexes are judged at the most blocks; semaphores there, too, for each initial
 * value; barriers at each count of blocks. A tuned backoff or shape that gained goes into the rule,
 * and what it reached counts for its kind; of a barrier only at the blocks that it was found at, and
 * a backoff only up to WEIR_RULE_PAUSE_MOST. */
weir_status weir_profile_make_rules(weir_profile *profile);

/* The kind that the rule for mutexes would have if there were only the fair ones; 0 when no two of
 * them were measured side by side. */
uint32_t weir_profile_fair_kind(const weir_profile *profile);

const weir_rule *weir_profile_rule(const weir_profile *profile, enum weir_primitive primitive,
                                   uint32_t count);

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

/* The kind that the class asks for; `initial` for semaphores. */
uint32_t weir_class_kind(const weir_class *result, enum weir_primitive primitive, uint32_t initial);

/* Plain sentences with the figures: what the machine is, and for each primitive spin or sleep,
 * backoff or not, central or decentralized, and the kind. To be freed. */
char *weir_class_text(const weir_class *result, const weir_probe *probe);

#endif
