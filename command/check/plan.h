/* What is checked: a kernel, its launch and its arguments, from the command line or from a file. */
#ifndef WEIR_COMMAND_CHECK_PLAN_H
#define WEIR_COMMAND_CHECK_PLAN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/explore/explore.h"
#include "src/ptx/check.h"

#define WEIR_CHECK_ARGUMENTS 64
#define WEIR_CHECK_UNSET UINT32_MAX /* a seed, or a number of them */

typedef struct weir_check_argument {
	enum {
		WEIR_CHECK_BUFFER,
		WEIR_CHECK_SCALAR,
		WEIR_CHECK_POINTER, /* into a buffer */
		WEIR_CHECK_STRUCT   /* by value; its members follow */
	} form;
	uint32_t
	    member_of; /* a struct: the number of its argument, from 1 on; 0: this is a parameter */
	uint32_t member_at; /* offset in it */
	char type[8];       /* of a scalar: "u32" */
	uint64_t bits;
	uint32_t size;
	char name[48]; /* of a buffer */
	size_t bytes;
	uint8_t *contents; /* NULL: zeros */
	int is_unwritten;
	uint8_t *expected;
	size_t expected_bytes;
	uint64_t address; /* while it runs */
	uint32_t buffer;  /* of a pointer: the argument, and an offset */
	uint64_t offset;
} weir_check_argument;

/* A word that each launch raises by the same number. */
typedef struct weir_check_counter {
	uint32_t argument; /* a buffer */
	size_t offset;
	uint32_t first, step,
	    last;       /* before all launches; of a launch; as the last launch left it */
	uint32_t start; /* of an execution near the wrap */
} weir_check_counter;

typedef struct weir_check_plan {
	char *file, *kernel;
	uint32_t grid[3], block[3], cluster[3];
	uint32_t shared, resident, launches, seed, seeds;
	int is_weak, has_steps, explores;
	int ends_early; /* neither --seed nor --seeds: `seeds` is the most */
	uint32_t bound; /* of the executions of an exploration; 0: all */
	double time;    /* of an exploration, in seconds */
	char *outcomes; /* the buffer whose final contents are listed, or NULL */
	uint64_t budget;
	weir_check_argument arguments[WEIR_CHECK_ARGUMENTS];
	uint32_t count;
	uint32_t member_of, member_at; /* of the next argument */
	const char *dump; /* the folder for the final contents of buffers; NULL: none */
	int is_dumped, dump_failed;
	const char *trace; /* the file for the instructions of the first execution; NULL: none */
	FILE *tracing;     /* while it runs */
	int is_traced, trace_failed;
	struct {
		char *file; /* its end; NULL: any */
		uint32_t line;
		char *reason;
	} silenced[64];
	uint32_t silenced_count;
	const char *sources[8]; /* folders with the files that the PTX names */
	uint32_t source_count;
	int wraps; /* runs also with counters that pass 2^31 and 2^32 */
	weir_check_counter *counters;
	uint32_t counter_count;
	int has_starts;    /* counters begin at their starts */
	char wrapped[256]; /* what was run near the wrap, for the summary */
	/* While it runs: */
	char *text; /* of the PTX */
	size_t text_bytes;
	const char *symbol; /* the kernel's name in it */
	weir_ptx_memory *memory;
	weir_ptx_module *module;
	weir_ptx_kernel *found;
	uint8_t *params;
} weir_check_plan;

/* These return 0, or complain and return an exit status. */

/* "2", "2,2" or "2,2,1". */
int weir_check_sizes(const char *what, const char *text, uint32_t sizes[3]);
/* A new argument: "4096", "counts:4096", "4096=u32:0", "4096=@file", "4096=unwritten". `folder`: files are relative to
 * it; "" for the current one. */
int weir_check_add_buffer(weir_check_plan *plan, const char *text, const char *folder);
int weir_check_add_scalar(weir_check_plan *plan, const char *type, const char *text);
/* "counts" or "1", with "+64" behind it. */
int weir_check_add_pointer(weir_check_plan *plan, const char *text);
/* A struct by value, of "24" bytes; and the offset in it at which the next argument is a member. */
int weir_check_add_struct(weir_check_plan *plan, const char *text);
int weir_check_add_member(weir_check_plan *plan, const char *text);
/* "BUFFER=PATTERN" or "BUFFER=FILE". */
int weir_check_add_expected(weir_check_plan *plan, const char *text, const char *folder);
/* "FILE:LINE=REASON": races there are known, and harmless. */
int weir_check_add_silenced(weir_check_plan *plan, const char *text);
/* Why a finding is silenced, or NULL. */
const char *weir_check_silenced(const weir_check_plan *plan, const weir_check_finding *finding);
/* Reads a launch from JSON. */
int weir_check_read_launch(weir_check_plan *plan, const char *path);

/* Reads the PTX, or has nvcc make it with these options, finds the kernel and compares its parameters. */
int weir_check_load(weir_check_plan *plan, const char *nvcc_options);
/* PTX of a .cu file, to be freed; NULL after a complaint. */
char *weir_check_compile(const char *file, const char *options, size_t *bytes);
/* The contents of a file, to be freed, with a 0 behind them; NULL after a complaint. */
char *weir_check_read_file(const char *path, size_t *bytes);

/* The functions that the check calls to run the plan. */
weir_check_setup weir_check_setup_of(weir_check_plan *plan);
/* For an exploration. Complains if there is no buffer of that name, and returns an exit status. */
int weir_check_explore_setup(weir_check_plan *plan, const weir_check_setup *check,
                             weir_explore_setup *setup);
void weir_check_free(weir_check_plan *plan);

#endif
