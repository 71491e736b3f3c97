/* What a diagnosis costs. */
#ifndef WEIR_COMMAND_DOCTOR_COST_H
#define WEIR_COMMAND_DOCTOR_COST_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#define WEIR_COST_REPEATS_MOST 99

/* How to measure it. */
typedef struct weir_cost {
	uint32_t blocks;
	uint32_t threads;
	uint32_t repeats; /* at most WEIR_COST_REPEATS_MOST */
	uint32_t maximum; /* of semaphores */
} weir_cost;

/* Adds a row for each kind to the table on `text`, if that is not NULL, and to `rows`, until Ctrl-C.
 * Returns the exit status. */
int weir_doctor_cost(const char *device, const weir_cost *cost, FILE *text, json_t *rows);

#endif
