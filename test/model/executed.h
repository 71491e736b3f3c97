/* Random executions of small programs, watched by the race detector. Every access is performed in the order of the run. A
 * strong one reads the newest value, or with a history any that the detector offers. */
#ifndef WEIR_TEST_EXECUTED_H
#define WEIR_TEST_EXECUTED_H

#include "axioms.h"
#include "ptx/race.h"
#include "random.h"

typedef struct executed_thread {
	uint32_t at;
	uint32_t registers[SMALL_REGISTERS];
	uint32_t count;
	uint8_t event[AXIOMS_EVENTS]; /* in the order of the run */
	int is_waiting;
	uint8_t phase[256];
} executed_thread;

typedef struct executed {
	const small_program *p;
	small_grid grid;
	random_source *random;
	weir_race *race;
	int is_weak;
	uint32_t newest; /* of 8 choices, that are the newest write */
	executed_thread threads[SMALL_THREADS];
	uint32_t words[SMALL_WORDS];
	uint32_t count; /* of events, the initial writes first */
	axioms_event event[AXIOMS_EVENTS];
	uint32_t source[AXIOMS_EVENTS];
	uint32_t writes[SMALL_WORDS];                  /* to each word */
	uint8_t coherence[SMALL_WORDS][AXIOMS_EVENTS]; /* their events, in coherence order */
	uint32_t newest_weak[SMALL_WORDS];             /* or initial write */
	uint32_t found; /* event with the first race that the detector found, + 1 */
	uint32_t with;  /* thread of the earlier access */
	uint32_t stale; /* reads of older values, and writes before others in coherence order */
	int is_too_long;
} executed;

/* Runs the program once. A weak execution ends at its first race. */
void executed_run(executed *r, const small_program *p, random_source *random, int is_weak);
/* Compares a run with the axioms: NULL, or what is wrong. The last event of its first race, + 1, is in `loosely` by the axioms
 * as the detector takes them, and in `strictly` by the letter of the manual. */
const char *executed_judge(const executed *r, uint32_t *loosely, uint32_t *strictly);
void executed_print(const executed *r);

#endif
