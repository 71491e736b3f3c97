/* The functions that the Python package calls besides the library's public functions. */
#ifndef WEIR_PYTHON_NATIVE_H
#define WEIR_PYTHON_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "weir/ranks.h"
#include "weir/team.h"
#include "weir/weir.h"

#pragma GCC visibility push(default)

/* The arguments of an operation, and its result. An operation uses some of them. */
typedef struct weir_python_call {
	const void *object; /* a handle */
	const void *other;  /* the mutex of a condition; the operation of a combiner */
	uint32_t *items;    /* the item pushed or popped; the call of a combiner */
	uint64_t site;      /* by weir_python_site */
	uint64_t ns;
	uint64_t numbers[4];
	uint64_t result;
	weir_team team;
} weir_python_call;

/* The number of an operation; -1: it does not exist. */
int weir_python_operation(const char *name);
/* NULL past the last one. */
const char *weir_python_operation_name(int operation);

/* Returns 0; 1 when the launch of the thread has ended; 2 for a fault in a thread without a launch, which
 * weir_error_text describes. */
int weir_python_do(int operation, weir_python_call *call);

/* A call site in a Python file, for diagnoses. The library may read the name at any later time. */
uint64_t weir_python_site(const char *file, uint32_t line);

/* Ends a launch on the host machine: its threads leave at their next wait or block sync. Other machines
 * cannot do that, and return WEIR_UNSUPPORTED. */
weir_status weir_python_end(weir_device *device);

/* Says that a rank has left its crew, and frees nothing: its process is about to end, and the interpreter may still
 * access the crew's memory. */
void weir_python_crew_leaves(weir_crew_link *link);

/* Sets the stack size of each thread that later host launches start. */
void weir_python_stacks(size_t bytes);

/* The offsets of the members of the public structures. A row without a member is the structure itself. The
 * last row has no structure. */
typedef struct weir_python_member {
	const char *structure;
	const char *member;
	size_t offset;
	size_t bytes;
} weir_python_member;

const weir_python_member *weir_python_members(void);

#pragma GCC visibility pop

#endif
