/* Checks a kernel: runs a launch under the race detector, and explains what is found.
 *
 * A check runs executions, one for each seed, and collects findings. Each has a cause with a stable name, the places in
 * the source, one or two sentences that say why, and what to change. Findings of one cause are one.
 */
#ifndef WEIR_PTX_CHECK_H
#define WEIR_PTX_CHECK_H

#include "ptx.h"

typedef enum weir_check_kind {
	WEIR_CHECK_RACE,
	WEIR_CHECK_FAULT,
	WEIR_CHECK_HANG,
	WEIR_CHECK_WRONG,     /* results that are not the expected ones */
	WEIR_CHECK_INCOMPLETE /* nothing was shown: an instruction, or the budget */
} weir_check_kind;

const char *weir_check_kind_name(weir_check_kind kind);

typedef struct weir_check_place {
	weir_ptx_site site; /* its strings live as long as the check; all 0: none */
	uint32_t block, thread;
	uint64_t number; /* of the event in its execution, from 1 on; 0: not known */
	char instruction[48];
	const char *does; /* "reads", "writes", ... */
} weir_check_place;

/* A step on the way to a finding: a line of its timeline. */
typedef struct weir_check_step {
	weir_ptx_site site;
	uint32_t block, thread;
	uint32_t threads; /* that take the step: 1, or all that meet or wait */
	const char *text; /* what follows "thread 3": "writes 1 to flag (release, device scope)" */
	const char *role; /* "earlier", "later", "release", "acquire", "waits", or "" */
} weir_check_step;

typedef struct weir_check_finding {
	weir_check_kind kind;
	const char *cause; /* "missing-block-sync"; weir_check_cause_at lists them */
	weir_check_place access
	    [2]; /* of a race: the earlier one, then the later one; of others the first alone */
	unsigned accesses;
	weir_check_place release,
	    acquire;     /* what should have ordered them, as far as it is there */
	char object[96]; /* "buffer 2 + 48"; "" for none */
	uint64_t count;  /* races of this cause */
	unsigned pairs;  /* of instructions that race for this cause */
	uint64_t seed;
	unsigned launch; /* from 1 on */
	char what[2560], why[1024], fix[512];
	weir_check_step
	    *steps; /* in the order of the execution; NULL unless the setup asks for them */
	unsigned step_count;
	char trace[6144]; /* of an exploration: the execution, a line for each step; "" for none */
} weir_check_finding;

/* What is checked. The functions are called for each execution; a finding may take several
 * executions. */
typedef struct weir_check_setup {
	void *context;
	/* Makes the memory with its contents anew, and says what to launch. */
	weir_status (*begin)(void *context, weir_ptx_kernel **kernel, weir_ptx_launch *launch);
	/* Whether memory holds what is expected: 0, or 1 and a sentence. NULL: nothing is expected. */
	int (*compare)(void *context, char *text, size_t bytes);
	/* Names the memory at an address: "buffer 2 + 48". */
	void (*name)(void *context, uint64_t address, char *text, size_t bytes);
	void (*end)(void *context);
	unsigned launches;
	/* Strong reads may return older values that the memory model allows; the seed chooses. */
	int is_weak;
	int has_steps; /* findings have steps: an execution with findings is run once more for them */
} weir_check_setup;

struct weir_ptx_machine;
typedef struct weir_check weir_check;

weir_check *weir_check_create(void); /* NULL without memory */
void weir_check_destroy(weir_check *c);
/* One execution, and those that its findings need. Fails if a launch cannot start. */
weir_status weir_check_execute(weir_check *c, const weir_check_setup *setup, uint64_t seed);

/* What is found from now on has this cause, as executions without what is supposed are clean. The texts are copied. NULL:
 * nothing is supposed. */
void weir_check_suppose(weir_check *c, const char *cause, const char *why, const char *fix);

/* For an exploration: adds a finding whose cause has that name, and keeps a string as long as the check. */
void weir_check_add(weir_check *c, weir_check_finding *finding, const char *cause);
const char *weir_check_keep(void *check, const char *text);
void weir_check_add_executions(weir_check *c, uint64_t executions, uint64_t instructions);

size_t weir_check_count(const weir_check *c);
const weir_check_finding *weir_check_at(const weir_check *c, size_t index);
uint64_t weir_check_executions(const weir_check *c); /* of the seeds alone */
uint64_t weir_check_instructions(const weir_check *c);
/* Races beyond the findings: there were too many pairs of instructions. */
uint64_t weir_check_left_out(const weir_check *c);
/* Races that are not reported: lanes of a warp stored the same value to the same place by one instruction. */
uint64_t weir_check_repeated_stores(const weir_check *c);
int weir_check_stopped(const weir_check *c); /* the launch's `stop` ended one */

/* The causes: a name, and what it means. NULL past the last. */
typedef struct weir_check_cause {
	const char *name, *what;
} weir_check_cause;
const weir_check_cause *weir_check_cause_at(size_t index);

/* What a parameter of a kernel is: ".u64", or ".b8[24]" for a struct. */
weir_status weir_check_param_type(weir_ptx_kernel *kernel, unsigned index, char *text,
                                  size_t bytes);

/* Runs one launch under the race detector, for callers who have no use for causes. `race` gets the first race, or "". With
 * `is_weak`, strong reads may return older values; the seed of the launch chooses. */
weir_status weir_ptx_run_checked(struct weir_ptx_machine *machine, int is_weak,
                                 weir_ptx_result *result, char *race, size_t bytes);

#endif
