/* weir bench kernels: measures the forms of each real kernel alternately in one run. */
#ifndef WEIR_COMMAND_FORMS_BENCH_H
#define WEIR_COMMAND_FORMS_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/parse.h"
#include "forms/forms.h"
#include "forms/problems/problem.h"
#include "forms/trial.h"
#include "weir/weir.h"

/* Block counts that depend on the kernel. */
enum {
	WEIR_BLOCKS_ONE = 1 << 30, /* one for each multiprocessor */
	WEIR_BLOCKS_ALL,           /* all that run at once */
	WEIR_BLOCKS_FEW            /* enough to show that blocks work together */
};

enum {
	WEIR_SIZES_SMALL = 1,
	WEIR_SIZES_LARGE = 2
};

typedef struct weir_kernels_request {
	weir_common common;
	int peers;                      /* all forms, including those that are not weir's */
	const real_kernel *kernels[16]; /* terminated by NULL */
	int sizes;                      /* WEIR_SIZES_SMALL, WEIR_SIZES_LARGE or both */
	weir_counts threads;
	int own_threads;    /* 1: a kernel that only takes one block size uses that size instead */
	weir_counts blocks; /* numbers, and the counts above */
	uint32_t repeats;
	int forms[WEIR_FORMS]; /* 1: requested */
} weir_kernels_request;

/* A kernel at one size and grid, in all forms. */
typedef struct weir_shape_case {
	const real_kernel *kernel;
	const real_size *size;
	uint32_t threads;
	uint32_t blocks;
	uint32_t asked;     /* WEIR_BLOCKS_..., or the number */
	uint32_t rounds;    /* launches of each repeat */
	char left_out[192]; /* why there is no result; "" if there is one */
	weir_trial trials[WEIR_FORMS];
	size_t count;
} weir_shape_case;

typedef struct weir_kernels_bench {
	weir_builds *builds;
	weir_kernels_request request;
	weir_shape_case *cases;
	size_t count;
	double warmed_ms;
	/* Called with the cases from `first` on when all cases of a size are done; may be NULL. */
	void (*after_size)(const struct weir_kernels_bench *bench, size_t first);
	FILE *text;        /* for after_size */
	char failure[768]; /* the case that failed, and how */
} weir_kernels_bench;

/* Measures all cases. After Ctrl-C: WEIR_OK with the results so far. After a failure bench->failure
 * describes it. */
weir_status weir_kernels_run(weir_kernels_bench *bench);
void weir_kernels_free(weir_kernels_bench *bench);

/* The trial of a form, or NULL; and the same only if it has a result. */
const weir_trial *weir_case_find(const weir_shape_case *c, enum weir_form_id form);
const weir_trial *weir_case_trial(const weir_shape_case *c, enum weir_form_id form);
/* What a case's times are compared with: the toolkit's form, otherwise the fixed kind; or NULL. */
const weir_trial *weir_case_reference(const weir_shape_case *c);

void weir_kernels_print_head(FILE *text, const weir_kernels_bench *bench);
/* Prints the cases from `first` on to bench->text, if that is not NULL. */
void weir_kernels_print(const weir_kernels_bench *bench, size_t first);
/* Prints the summary and writes JSON; returns 0 or the status of an error. `complete`: neither
 * Ctrl-C nor a failure ended it. */
int weir_kernels_show(const weir_kernels_bench *bench, const char *command_line, int complete);
/* The number of trials that ran, and of those with a wrong result. */
size_t weir_kernels_done(const weir_kernels_bench *bench);
size_t weir_kernels_wrong(const weir_kernels_bench *bench);

/* The subcommand. Takes the arguments from "kernels" on, and the whole command line as typed. */
int weir_bench_kernels(int argc, char **argv, const char *command_line);

#endif
