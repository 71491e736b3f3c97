/* Small programs under the explorer. */
#ifndef WEIR_TEST_EXPLORED_H
#define WEIR_TEST_EXPLORED_H

#include "axioms.h"
#include "model/model.h"
#include "small.h"

typedef struct explored {
	weir_model_outcome outcome; /* free it with weir_model_outcome_free() */
	small_state *states;        /* in which executions end, unless one failed; free() them */
	uint32_t count;
	uint32_t room;
	const char *refused; /* why the program cannot be explored, or NULL */
} explored;

/* 0, or -1 without memory. `broken`: faults of the explorer, as in weir_model_setting. */
int explored_run(const small_program *p, weir_model_search search, unsigned broken, explored *x);
void explored_free(explored *x);
/* The explorer must find the outcomes that the axioms allow without load buffering, or the data race, or
 * the deadlock. Returns what is wrong, or NULL. */
const char *explored_compare(const explored *x, const axioms_result *result);

#endif
