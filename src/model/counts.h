/* The accesses that one operation makes, counted over all executions. */
#ifndef WEIR_MODEL_COUNTS_H
#define WEIR_MODEL_COUNTS_H

#include <stdint.h>

/* Loads, stores, and atomics, which are read-modify-writes. */
typedef struct weir_model_accesses {
	uint32_t reads;
	uint32_t writes;
	uint32_t atomics;
} weir_model_accesses;

/* The accesses of one part of an operation. A wait that succeeds is one access, and attempts that failed do not
 * count: `more` says which accesses a wait repeats, for as long as it takes. */
typedef struct weir_model_count {
	weir_model_accesses least;
	weir_model_accesses most;
	struct {
		int reads;
		int atomics;
	} more;
	uint64_t times;
} weir_model_count;

/* The two parts of an operation: lock or wait, and unlock or post. A barrier has the first alone. */
enum {
	WEIR_MODEL_ENTER,
	WEIR_MODEL_LEAVE,
	WEIR_MODEL_PARTS
};

/* Counts the operations of a kind in all executions of `blocks` blocks of one thread, of which each
 * makes `rounds`. A semaphore has one permit. `cluster` is the blocks of a cluster; 0: none. Returns
 * 0, or -1 when there is no such kind, no memory, or an execution that does not end well. */
int weir_model_count_accesses(const char *primitive, const char *kind, uint32_t blocks,
                              uint32_t rounds, uint32_t cluster,
                              weir_model_count counts[WEIR_MODEL_PARTS]);

#endif
