/* The functions that a program under the explorer may call beside the machine layer. */
#ifndef WEIR_MODEL_PROGRAM_H
#define WEIR_MODEL_PROGRAM_H

#include <stdint.h>

#include "model/machine.h"

weir_word *weir_model_memory(void);
/* Plain data that the case protects; `slot` below WEIR_MODEL_DATA. */
void weir_model_data_read(uint32_t slot);
void weir_model_data_write(uint32_t slot);
/* Fails the execution when `holds` is 0. */
void weir_model_check(int holds, const char *what);
/* Whether the result of an operation fits with an abort that its thread has seen or not. */
void weir_model_check_abort(int says_aborted, int has_acquired);
/* A line in the trace. */
void weir_model_note(const char *what);
/* How far along `thread` is, and how far this thread knows it to be. */
uint32_t weir_model_clock(void);
uint32_t weir_model_known_clock(uint32_t thread);
/* From here, the next read-modify-write of this thread is its arrival in a queue. */
void weir_model_arrive(void);
/* The place of that arrival in the modification order of its word; 0: there was none. */
uint32_t weir_model_arrival(void);
/* Whether this thread, or any thread, found its last deadline over. */
int weir_model_was_late(void);
int weir_model_anybody_late(void);
/* Litmus tests keep the results of an execution by number. */
void weir_model_result(uint32_t index, uint32_t value);
uint32_t weir_model_result_of(uint32_t index);
/* The last value of the word in modification order, after an execution. */
uint32_t weir_model_final(const weir_word *w);

#endif
