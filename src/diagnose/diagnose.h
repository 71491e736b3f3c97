/* Snapshots of a device's notes, and the declarations shared by the files that make a report. */
#ifndef WEIR_SRC_DIAGNOSE_H
#define WEIR_SRC_DIAGNOSE_H

#include <jansson.h>

#include "base/status.h"
#include "core/notes.h"
#include "object/tasks.h"
#include "weir/diagnosis/area.h"
#include "weir/kind.h"

/* An event at one moment, with what kernels have noted about it. */
typedef struct weir_event_view {
	uint32_t count; /* for copies, the lowest */
	uint32_t sum;   /* over the signals that have notes */
	uint32_t each;  /* how many signals its waits expect in every launch; 0: unknown */
	uint32_t last[WEIR_SIGNALS_SLOTS]; /* the blocks that signalled it last, plus one; 0:
	                                    * none */
} weir_event_view;

/* The first events of an array. */
typedef struct weir_event_views {
	weir_event_view *views; /* NULL: no kernel has used it, or it could not be read */
	uint32_t count;
	uint32_t round;
	int quiet;      /* every launch that used it has left it */
	uint32_t *seen; /* by block: the count of the event that it waits for; NULL: no block
	                 * waits */
} weir_event_views;

typedef struct weir_queue_view {
	int known; /* 0: no kernel has used it, or it could not be read */
	uint32_t items;
	int is_closed;
} weir_queue_view;

typedef struct weir_tasks_view {
	int known;
	uint32_t unfinished; /* as the graph counts them (weir/tasks/object.h) */
	int is_stuck;
	char hindrance[WEIR_HINDRANCE_BYTES]; /* what hinders a graph that is stuck; "": unknown */
} weir_tasks_view;

/* What a report has found out about a crew (src/diagnose/crews.c). */
typedef struct weir_crew_view weir_crew_view;

/* What a report has read of an object; all zeros until then. */
typedef union weir_view {
	weir_event_views events;
	weir_queue_view queue;
	weir_tasks_view tasks;
	weir_crew_view *crew; /* NULL: no block waits for it */
} weir_view;

/* The area at one moment, and what the host knows about it. */
typedef struct weir_snapshot {
	const char *device;
	int direct;
	int aborted;
	uint32_t *words;
	uint32_t blocks; /* blocks from here on have left no notes */
	weir_files files;
	uint64_t waited_ms[WEIR_BLOCKS];
	weir_suspect suspects[WEIR_DIAGNOSED];
	uint64_t ran_ms[WEIR_BLOCKS];      /* how long a block has run its task */
	uint64_t combined_ms[WEIR_BLOCKS]; /* how long it has been doing operations of other
	                                    * blocks */
	weir_view views[WEIR_DIAGNOSED];
} weir_snapshot;

/* What a report knows about the objects of a primitive. Each function may be NULL. */
typedef struct weir_family {
	/* Reads the view of a living object whose words are at `address`. */
	void (*read)(weir_device *device, const weir_suspect *suspect, uint64_t address,
	             weir_view *view);
	/* The same for a living object, for what depends on the blocks that wait for it. */
	void (*look)(weir_device *device, weir_snapshot *s, uint32_t id);
	void (*clear)(weir_view *view);
	/* What is wrong with the object, other than misuse. */
	void (*find)(const weir_snapshot *s, uint32_t id, json_t *findings);
	/* Adds members to the object's part of the report, and to that of a waiting block. */
	void (*describe)(const weir_snapshot *s, uint32_t id, json_t *object);
	void (*describe_wait)(const weir_snapshot *s, uint32_t block, json_t *waits);
	/* Further distinguishes one wait of a block from the next. */
	uint32_t (*sign)(const weir_snapshot *s, uint32_t block);
	/* Its waits resume after a deadline, so a new wait is no sign of progress. */
	int resumes;
} weir_family;

const weir_family *weir_family_of(const weir_suspect *suspect);
extern const weir_family weir_events_family, weir_queues_family, weir_tasks_family,
    weir_conditions_family, weir_rwlocks_family, weir_onces_family, weir_combiners_family,
    weir_crews_family;

/* Takes a snapshot; free it with weir_snapshot_free. */
weir_status weir_snapshot_take(weir_device *device, weir_snapshot **snapshot);
void weir_snapshot_free(weir_snapshot *snapshot);

uint32_t weir_note(const weir_snapshot *s, uint32_t block, uint32_t index);
/* The operation that the block's notes say it is in, by WEIR_DOING, or 0; and its place in the
 * source. */
uint32_t weir_doing(const weir_snapshot *s, uint32_t block);
uint64_t weir_doing_at(const weir_snapshot *s, uint32_t block);
/* The site at which the block last arrived at the object. */
uint64_t weir_entry(const weir_snapshot *s, uint32_t block, uint32_t id);

/* The number of the object that the block waits for; 0: none. */
uint32_t weir_waits_for(const weir_snapshot *s, uint32_t block);
/* Whether the block holds the mutex, or a slot of the semaphore, and does not wait for it. */
int weir_holds(const weir_snapshot *s, uint32_t block, uint32_t id);

/* Whether the block has been in this operation on the object for some time. */
int weir_waits_long(const weir_snapshot *s, uint32_t block, uint32_t id, uint32_t operation);
/* The number of the graph whose task the block runs; 0: none. */
uint32_t weir_runs(const weir_snapshot *s, uint32_t block);
/* The number of the combiner whose operations the block is doing; 0: none. */
uint32_t weir_combines(const weir_snapshot *s, uint32_t block);

/* All findings as JSON. NULL: out of memory. */
json_t *weir_findings(const weir_snapshot *s);
json_t *weir_report_json(const weir_snapshot *s);
char *weir_report_text(const json_t *report);

/* Reads words of an object while kernels may run. Returns 1 on success. */
int weir_object_read(weir_device *device, uint64_t address, uint32_t *to, size_t words);

#endif
