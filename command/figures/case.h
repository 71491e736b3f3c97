/* The cases that a profile has figures for: a report has a plot for each. */
#ifndef WEIR_COMMAND_FIGURES_CASE_H
#define WEIR_COMMAND_FIGURES_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"

#define WEIR_CASES 64
#define WEIR_CASE_KINDS 32

/* A primitive with an empty critical section; a semaphore with its initial value; events, queues
 * and so on in one pattern. */
typedef struct weir_case {
	enum weir_primitive primitive;
	uint32_t initial;
	uint32_t pattern;
	uint32_t threads;
	uint32_t most_blocks; /* the largest count that was measured */
} weir_case;

/* Writes the cases for which the profile has points, and returns their number: barrier, mutex, then
 * semaphores by initial value, then events and the others by pattern. */
size_t weir_cases(const weir_profile *profile, weir_case cases[WEIR_CASES]);

int weir_case_holds(const weir_case *c, const weir_point *point);

/* The kinds that were measured, by number. */
size_t weir_case_kinds(const weir_profile *profile, const weir_case *c,
                       uint32_t kinds[WEIR_CASE_KINDS]);

/* NULL if that kind was not measured at that count. */
const weir_point *weir_case_point(const weir_profile *profile, const weir_case *c, uint32_t kind,
                                  uint32_t blocks);

/* The points of a kind that completed something, ordered by blocks; to be freed. Kind 0 is the
 * default, whichever kind that is at each count. */
const weir_point **weir_case_curve(const weir_profile *profile, const weir_case *c, uint32_t kind,
                                   size_t *count);

/* Writes each number of blocks once, in order, to be freed. Returns the length. */
size_t weir_case_blocks(const weir_profile *profile, const weir_case *c, uint32_t **counts);

/* The kind that the profile's rules give for this number of blocks; 0: no rule. */
uint32_t weir_case_default(const weir_profile *profile, const weir_case *c, uint32_t blocks);

/* Where a kind is the default: "default" everywhere, "default, 2 to 264" or "default, 265 on" in
 * blocks of a barrier, "" nowhere. */
void weir_case_reign(const weir_profile *profile, const weir_case *c, uint32_t kind, char *text,
                     size_t room);

/* "Semaphore, initial value 10", and "semaphore_10" for names of files and ids; "Event, hand-over in a
 * ring" and "event_hand_over". */
void weir_case_title(const weir_case *c, char *text, size_t room);
void weir_case_id(const weir_case *c, char *text, size_t room);

#endif
