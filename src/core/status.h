/* Failures: their texts, and the faults with which a kernel ends its launch. */
#ifndef WEIR_CORE_STATUS_H
#define WEIR_CORE_STATUS_H

#include "weir/weir.h"

/* Keeps the text for weir_error_text and gives `status`. A macro, so that compilers and analyzers
 * see that a failure is never WEIR_OK. */
#define weir_fail(status, ...) (weir_explain(__VA_ARGS__), (status))
void weir_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Why a kernel has ended its launch: WEIR_FAULT_* of weir/machine.h, 0 for none, and the kind that
 * its handle had. */
typedef struct weir_fault {
	uint32_t why;
	uint32_t kind;
} weir_fault;

#define WEIR_FAULT_BYTES 160
void weir_fault_text(weir_fault fault, char text[WEIR_FAULT_BYTES]);
/* WEIR_LAUNCH_FAILED, with that text. */
weir_status weir_fail_fault(weir_fault fault);

#endif
