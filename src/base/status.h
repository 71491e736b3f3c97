/* Failures: their texts, and the faults with which a kernel ends its launch. */
#ifndef WEIR_BASE_STATUS_H
#define WEIR_BASE_STATUS_H

#include "weir/weir.h"

/* Stores the message that weir_error_text returns and evaluates to `status`. A macro, so that
 * compilers and analyzers see that a failure is never WEIR_OK. */
#define weir_fail(status, ...) (weir_explain(__VA_ARGS__), (status))
void weir_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Why a kernel ended its launch: WEIR_FAULT_* of weir/machine.h, 0 for none, and the kind in its
 * handle. */
typedef struct weir_fault {
	uint32_t why;
	uint32_t kind;
} weir_fault;

/* The names of a program's kernels, as far as there is room: "sum, scan, ...". */
typedef struct weir_kernel_list {
	char text[512];
} weir_kernel_list;
void weir_kernel_list_add(weir_kernel_list *list, const char *name);
/* WEIR_NOT_FOUND: the program has no kernel of that name. The text lists its kernels; `list` is
 * NULL if they cannot be listed. */
weir_status weir_fail_no_kernel(const char *name, const weir_kernel_list *list);

#define WEIR_FAULT_BYTES 160
void weir_fault_text(weir_fault fault, char text[WEIR_FAULT_BYTES]);
/* WEIR_LAUNCH_FAILED, with a message that describes the fault. */
weir_status weir_fail_fault(weir_fault fault);

#endif
