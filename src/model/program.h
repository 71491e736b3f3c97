/* The functions that a program under the explorer may call beside the machine layer. */
#ifndef WEIR_MODEL_PROGRAM_H
#define WEIR_MODEL_PROGRAM_H

#include <setjmp.h>
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
/* Fails the execution unless the call ends the launch with that fault (WEIR_FAULT_...), and the number that
 * goes with it; in a diagnosis, unless it is left out and reported. */
#define weir_model_check_fault(fault, detail, call)                                                \
	do {                                                                                       \
		if (setjmp(*weir_model_expect_fault()) == 0) {                                     \
			call;                                                                      \
			weir_model_check(weir_model_noted_fault(fault, detail),                    \
			                 "a call that is wrong goes on: " #call);                  \
		} else {                                                                           \
			weir_model_check(weir_model_faulted(fault, detail),                        \
			                 "another fault of: " #call);                              \
		}                                                                                  \
	} while (0)
/* Where the calling thread goes on when its next fault ends the launch, and whether that was this one. */
jmp_buf *weir_model_expect_fault(void);
int weir_model_faulted(uint32_t fault, uint32_t detail);
/* Whether the calling thread's operation was left out for that fault, with notes. The next one is not. */
int weir_model_noted_fault(uint32_t fault, uint32_t detail);
/* Before an execution: no thread expects a fault. */
void weir_model_expect_no_fault(void);
/* For the machine: does not return to a thread that expects a fault. */
void weir_model_take_fault_(uint32_t fault, uint32_t detail);
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
/* ---- notes of a diagnosis ---- */

/* Before an execution: the object has that number. */
void weir_model_note_object(const weir_word *words, uint32_t id);
/* All threads have ended the launch before the one of that number, which is from 0. */
void weir_model_note_launch(uint32_t launch);
/* A note of a block, by WEIR_NOTE_*, and that of a site. */
uint32_t weir_model_note_of(uint32_t block, uint32_t index);
uint64_t weir_model_note_site(uint32_t block, uint32_t id);
/* The area, and one of its words, by the macros of weir/diagnosis/area.h. */
weir_word *weir_model_area(void);
uint32_t weir_model_area_of(uint32_t index);
/* A word of the header of an object, by WEIR_HEADER_*, and of a misuse, by WEIR_MISUSE_*. */
uint32_t weir_model_header_of(const weir_word *words, uint32_t index);
uint32_t weir_model_misuse_of(uint32_t number, uint32_t index);
/* Fails if the thread is still in an operation, by the address of the area that it keeps. */
void weir_model_check_outside(void);
/* After an execution: no block holds anything or is in an operation, none has locked one thing while it had another
 * unless `orders`, and there were so many misuses beside the expected faults. */
void weir_model_check_notes(uint32_t misuses, int orders);

/* The last value of the word in modification order, after an execution. */
uint32_t weir_model_final(const weir_word *w);

#endif
