/* A finding under construction: its kind, a text in plain words, and the objects and blocks that it
 * names. */
#ifndef WEIR_DIAGNOSE_FINDING_H
#define WEIR_DIAGNOSE_FINDING_H

#include "diagnose/diagnose.h"

typedef struct weir_finding {
	const char *kind;
	char text[16384]; /* enough for a cycle through all the mutexes that a device can have */
	json_t *objects;
	json_t *blocks;
} weir_finding;

weir_finding weir_finding_begin(const char *kind);
void weir_finding_say(weir_finding *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void weir_finding_object(weir_finding *f, const weir_snapshot *s, uint32_t id);
/* Returns whether the finding had not yet named the block. */
int weir_finding_block(weir_finding *f, uint32_t block);
void weir_finding_end(weir_finding *f, json_t *findings);
/* Writes "block 3", or "blocks 0, 3, 7 and 2 more", for the blocks whose `is` returns nonzero, and
 * lists them in the finding. Returns their number; writes nothing if there are none. */
uint32_t weir_finding_blocks(weir_finding *f, const weir_snapshot *s, uint32_t id,
                             int (*is)(const weir_snapshot *s, uint32_t block, uint32_t id));

/* "waits for mutex 'a' (kernels.cu:12)": what the block is doing now. */
void weir_finding_where(weir_finding *f, const weir_snapshot *s, uint32_t block);

/* How many blocks have waited for the object for some time, and the first of them. */
uint32_t weir_count_waiting(const weir_snapshot *s, uint32_t id, uint32_t *one);
/* The first block that holds the lock; WEIR_BLOCKS: none. */
uint32_t weir_holder(const weir_snapshot *s, uint32_t id);
/* The holder of the lock that the block waits for, or WEIR_BLOCKS if there is none. */
uint32_t weir_next_holder(const weir_snapshot *s, uint32_t block);
/* Where the block last arrived at the object. */
weir_place weir_entry_place(const weir_snapshot *s, uint32_t block, uint32_t id);

/* Whether a misuse of that kind has been noted for the object; and the same for one block. */
int weir_misused(const weir_snapshot *s, uint32_t id, uint32_t kind);
int weir_misused_by(const weir_snapshot *s, uint32_t block, uint32_t id, uint32_t kind);

/* The texts about misuse; `m` is its record, by WEIR_MISUSE_*. */
void weir_say_closed(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_item(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_batch(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_side(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_not_left(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_task(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_locked_twice(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_stranger(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_ended_holding(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_without(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_two_mutexes(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_unlock(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_operation(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_seat(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_few_threads(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_lane(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_lane_shared(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
void weir_say_crew_blocks(weir_finding *f, const weir_snapshot *s, const uint32_t *m);
/* The place of a misuse. */
weir_place weir_misuse_place(const weir_snapshot *s, const uint32_t *m);

#endif
