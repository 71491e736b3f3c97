/* A finding under construction: its kind, a text in plain words, and the objects and blocks that it
 * names. */
#ifndef WEIR_DIAGNOSE_FINDING_H
#define WEIR_DIAGNOSE_FINDING_H

#include "diagnose/diagnose.h"

typedef struct weir_finding {
	const char *kind;
	char text[16384]; /* enough for a cycle of all the mutexes that a device can have */
	json_t *objects;
	json_t *blocks;
} weir_finding;

weir_finding weir_finding_begin(const char *kind);
void weir_finding_say(weir_finding *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void weir_finding_object(weir_finding *f, const weir_snapshot *s, uint32_t id);
/* Returns whether the finding did not name the block before. */
int weir_finding_block(weir_finding *f, uint32_t block);
void weir_finding_end(weir_finding *f, json_t *findings);

/* What is wrong with an array of events: waits, counts that went back, uneven signals. */
void weir_events_find(const weir_snapshot *s, uint32_t id, json_t *findings);

#endif
