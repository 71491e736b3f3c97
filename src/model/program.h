/* The functions that a program under the explorer may call besides the machine layer. */
#ifndef WEIR_MODEL_PROGRAM_H
#define WEIR_MODEL_PROGRAM_H

#include <setjmp.h>
#include <stdint.h>

#include "model/machine.h"

weir_word *weir_model_memory(void);
/* Plain data that the case protects; `slot` is below WEIR_MODEL_DATA. */
void weir_model_data_read(uint32_t slot);
void weir_model_data_write(uint32_t slot);
/* Fails the execution when `holds` is 0. */
void weir_model_check(int holds, const char *what);
/* Checks that the result of an operation agrees with whether its thread has seen an abort. */
void weir_model_check_abort(int says_aborted, int has_acquired);
/* Fails the execution unless the call ends the launch with that fault (WEIR_FAULT_...) and its
 * number; in a diagnosis, unless the operation is left out and the fault reported. */
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
/* Where the calling thread continues when its next fault ends the launch, and whether it was the
 * expected fault. */
jmp_buf *weir_model_expect_fault(void);
int weir_model_faulted(uint32_t fault, uint32_t detail);
/* Whether the calling thread's operation was left out for that fault, with notes. The next
 * operation is not left out. */
int weir_model_noted_fault(uint32_t fault, uint32_t detail);
/* Before an execution: no thread expects a fault. */
void weir_model_expect_no_fault(void);
/* For the machine. Does not return if the thread expects a fault. */
void weir_model_take_fault_(uint32_t fault, uint32_t detail);
/* A line in the trace. */
void weir_model_note(const char *what);
/* The progress of `thread`, and how much of it this thread knows. */
uint32_t weir_model_clock(void);
uint32_t weir_model_known_clock(uint32_t thread);
/* The next read-modify-write of this thread is its arrival in a queue. */
void weir_model_arrive(void);
/* The place of that arrival in the modification order of its word; 0: none. */
uint32_t weir_model_arrival(void);
/* Whether this thread, or any thread, found that its last deadline had passed. */
int weir_model_was_late(void);
int weir_model_anybody_late(void);
/* Litmus tests store the numbered results of an execution. */
void weir_model_result(uint32_t index, uint32_t value);
uint32_t weir_model_result_of(uint32_t index);
/* ---- notes of a diagnosis ---- */

/* Before an execution: gives the object that number. */
void weir_model_note_object(const weir_word *words, uint32_t id);
/* Begins a launch; all threads have ended the previous one. Launches are numbered from 0. */
void weir_model_note_launch(uint32_t launch);
/* A note of a block by WEIR_NOTE_*, and a site among them. */
uint32_t weir_model_note_of(uint32_t block, uint32_t index);
uint64_t weir_model_note_site(uint32_t block, uint32_t id);
/* The area, and one of its words, by the macros of weir/diagnosis/area.h. */
weir_word *weir_model_area(void);
uint32_t weir_model_area_of(uint32_t index);
/* A word of the header of an object, by WEIR_HEADER_*, and of a misuse, by WEIR_MISUSE_*. */
uint32_t weir_model_header_of(const weir_word *words, uint32_t index);
uint32_t weir_model_misuse_of(uint32_t number, uint32_t index);
/* Fails if the area's address says that the thread is still in an operation. */
void weir_model_check_outside(void);
/* After an execution: checks that no block holds anything or is in an operation, and that there
 * were `misuses` misuses besides the expected faults. Unless `orders`, also checks that no block
 * locked one object while it held another. */
void weir_model_check_notes(uint32_t misuses, int orders);

/* The last value of the word in modification order, after an execution. */
uint32_t weir_model_final(const weir_word *w);

#endif
