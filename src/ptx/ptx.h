/* An interpreter of PTX: loads modules from PTX source and runs their kernels on the CPU.
 *
 *   lex.c, parse.c       PTX source to statements; module.c lays out variables and constants
 *   table.h              a row for each PTX instruction: its modifiers, types and what decodes it
 *   decode*.c            statements to operations (ops.h) over virtual registers
 *   alloc.c              liveness, and few slots for many registers
 *   exec.inc             the loop that runs a thread, compiled twice: exec_plain.c answers memory
 *                        accesses inline, exec_events.c hands each one out (event.h)
 *   serve.c, ...         what plain execution answers: memory, atomics, barriers, warps, mbarriers
 *   trace.c              a line for each instruction, if a launch wants it
 *   schedule.c, spin.c   which thread runs next, and which thread only waits
 *
 * How a program uses it:
 *
 *   weir_ptx_memory_create(&memory);                        device memory, with bounds and shadow
 *   weir_ptx_module_load(&module, memory, text, bytes);     never rejects a kernel it does not run
 *   weir_ptx_module_kernel(module, "name", &kernel);
 *   weir_ptx_allocate(memory, bytes, flags, &address);      an address is a pointer of this process
 *   weir_ptx_run(kernel, &launch, &result);                 to the end, or to the first finding
 *
 * Everything is deterministic: the same module, memory contents and launch give the same run on any
 * machine, as long as no other thread of the process changes memory during it.
 *
 * A module and a memory may be used by several threads of the process at once. A function that
 * fails returns a status, and weir_error_text() says why.
 */
#ifndef WEIR_PTX_PTX_H
#define WEIR_PTX_PTX_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

typedef struct weir_ptx_memory weir_ptx_memory;
typedef struct weir_ptx_module weir_ptx_module;
typedef struct weir_ptx_kernel weir_ptx_kernel; /* lives as long as its module */

/* --- Device memory ----------------------------------------------------------------------------
 *
 * A global address is a real address of this process, so that threads of the host may use device
 * memory while a kernel runs. The table knows each allocation's bounds and which of its bytes were
 * ever written; what is freed stays known until its addresses are used again. */

enum {
	/* Threads of the host may write while a kernel runs. A kernel that polls such a word does
	 * not hang: its launch waits until a word changes, or `stop` is set. */
	WEIR_PTX_HOST_VISIBLE = 1,
	/* All bytes count as written from the start. */
	WEIR_PTX_WRITTEN = 2
};

weir_status weir_ptx_memory_create(weir_ptx_memory **memory);
void weir_ptx_memory_destroy(weir_ptx_memory *memory); /* with all its allocations */
/* Zero-filled, aligned to 256 bytes. 0 bytes are an error. */
weir_status weir_ptx_allocate(weir_ptx_memory *memory, size_t bytes, unsigned flags,
                              uint64_t *address);
/* Makes memory of the caller known: pinned memory of the host, say. weir_ptx_free forgets it. */
weir_status weir_ptx_adopt(weir_ptx_memory *memory, void *start, size_t bytes, unsigned flags);
weir_status weir_ptx_free(weir_ptx_memory *memory, uint64_t address);
/* As if the allocation that starts there had been made with WEIR_PTX_HOST_VISIBLE. */
weir_status weir_ptx_make_visible(weir_ptx_memory *memory, uint64_t address);
/* The host has written these bytes. An error if they do not lie in one allocation. */
weir_status weir_ptx_mark_written(weir_ptx_memory *memory, uint64_t address, size_t bytes);
/* The allocation that an address lies in, also a freed one; `name` is a variable's, or NULL. */
typedef struct weir_ptx_place {
	uint64_t start;
	size_t bytes;
	unsigned flags;
	int freed;
	const char *name;
} weir_ptx_place;
weir_status weir_ptx_place_find(weir_ptx_memory *memory, uint64_t address, weir_ptx_place *place);

/* --- Modules ----------------------------------------------------------------------------------- */

/* Parses, and gives .global and .const variables their memory. `text` need not end with a 0 and is
 * not needed afterwards. WEIR_BAD_PROGRAM with "line N: ..." for what is not PTX at all; an
 * instruction that is not supported is no error until a thread reaches it. */
weir_status weir_ptx_module_load(weir_ptx_module **module, weir_ptx_memory *memory,
                                 const char *text, size_t bytes);
void weir_ptx_module_unload(weir_ptx_module *module);

typedef struct weir_ptx_module_info {
	unsigned version; /* 90 for .version 9.0 */
	unsigned target;  /* 90 for .target sm_90a */
	unsigned kernels;
} weir_ptx_module_info;
weir_ptx_module_info weir_ptx_module_about(const weir_ptx_module *module);
weir_status weir_ptx_module_kernel(weir_ptx_module *module, const char *name,
                                   weir_ptx_kernel **kernel);
weir_ptx_kernel *weir_ptx_module_kernel_at(weir_ptx_module *module, unsigned index);
/* A .global or .const variable. */
weir_status weir_ptx_module_variable(const weir_ptx_module *module, const char *name,
                                     uint64_t *address, size_t *bytes);

typedef struct weir_ptx_kernel_info {
	const char *name;
	unsigned params;
	size_t param_bytes;  /* of the block of all parameters */
	size_t shared_bytes; /* static */
	size_t local_bytes;  /* a thread, without calls */
	unsigned slots; /* registers of a thread after allocation, of 64 bits, with constants */
	unsigned max_threads;   /* .maxntid or .reqntid, 0 for none */
	unsigned max_registers; /* .maxnreg, 0 for none */
	unsigned least_blocks;  /* .minnctapersm, 0 for none */
	/* Registers of 32 bits that a thread may need at once. An estimate: how many it has is decided
	 * where PTX becomes machine code. */
	unsigned registers;
	unsigned required_cluster[3]; /* .reqnctapercluster, 0 for none */
	unsigned line;                /* of the PTX source */
} weir_ptx_kernel_info;
/* Decodes the kernel, if that has not happened yet. */
weir_status weir_ptx_kernel_about(weir_ptx_kernel *kernel, weir_ptx_kernel_info *info);
/* Where a parameter lies in the block of parameters. */
weir_status weir_ptx_kernel_param(const weir_ptx_kernel *kernel, unsigned index, size_t *offset,
                                  size_t *bytes);

/* --- Launches ---------------------------------------------------------------------------------- */

#define WEIR_PTX_STAMPED 2

typedef struct weir_ptx_launch {
	unsigned grid[3], block[3];
	unsigned cluster[3];   /* 0: as the kernel requires, or 1 */
	size_t dynamic_shared; /* bytes */
	const void *params;    /* the block of parameters, as weir_ptx_kernel_param describes */
	unsigned resident;     /* blocks that may be live at once, 0 for all of the grid */
	unsigned units;        /* multiprocessors, for %smid; 0: one per resident block */
	uint64_t number;       /* %gridid: no two launches of a process have the same */
	int cooperative;       /* %envreg1 and 2 point to a workspace, so grid.sync() works */
	/* .shared variables of the top level that may be read before they are written: code that tells
	 * by a stamp whether they hold anything. WEIR_PTX_STAMPED of them; NULL for none. */
	const char *const *stamped;
	uint64_t seed;            /* 0: blocks one after another as far as they do not wait */
	uint64_t budget;          /* of instructions of all threads, 0 for none */
	size_t stack_bytes;       /* of a thread, for locals and calls; 0: 1 MiB */
	const volatile int *stop; /* not 0: the launch ends with WEIR_PTX_STOPPED; may be NULL */
	/* printf's text, in pieces; NULL drops it. */
	void (*print)(void *context, const char *text, size_t bytes);
	void *print_context;
	/* A line for each instruction that a thread executes: block, thread, line, results and operands; no
	 * bytes when the launch ends. NULL for no trace, which costs a lot of time. */
	void (*trace)(void *context, const char *text, size_t bytes);
	void *trace_context;
} weir_ptx_launch;

typedef enum weir_ptx_end {
	WEIR_PTX_DONE,
	WEIR_PTX_UNSUPPORTED, /* an instruction, when it was reached */
	WEIR_PTX_OUT_OF_BOUNDS,
	WEIR_PTX_MISALIGNED,
	WEIR_PTX_WRONG_SPACE,   /* a shared access to a local address, ... */
	WEIR_PTX_FREED,         /* access to memory that was freed */
	WEIR_PTX_NEVER_WRITTEN, /* reads bytes that were never written */
	WEIR_PTX_READ_ONLY,     /* writes to .const memory or parameters */
	WEIR_PTX_BARRIER,       /* not all threads reach it, or they disagree about it */
	WEIR_PTX_WARP,          /* a .sync operation by a thread that its mask leaves out, ... */
	WEIR_PTX_MBARRIER,      /* used before mbarrier.init, counts out of range */
	WEIR_PTX_STACK,         /* endless recursion */
	WEIR_PTX_DIVISION,      /* of integers, by zero */
	WEIR_PTX_BAD_CALL,      /* through a pointer to no function */
	WEIR_PTX_TRAP,
	WEIR_PTX_ASSERT,
	WEIR_PTX_HANG,    /* no thread can make progress */
	WEIR_PTX_BUDGET,  /* no verdict: the budget ran out */
	WEIR_PTX_STOPPED, /* by `stop` */
	WEIR_PTX_NO_MEMORY
} weir_ptx_end;
const char *weir_ptx_end_name(weir_ptx_end end); /* "out of bounds" */

/* A place in the kernel. Lines are 0 where they are unknown; `file` is NULL without .loc. Code that
 * was inlined from the toolkit's headers counts as the line of the user's that it was inlined into;
 * inner_file and inner_line have the place itself. */
typedef struct weir_ptx_site {
	const char *function; /* of the PTX source */
	unsigned line;        /* of the PTX source */
	const char *file;
	unsigned source_line;
	const char *inner_file;
	unsigned inner_line;
} weir_ptx_site;

typedef struct weir_ptx_result {
	weir_ptx_end end;
	/* Of the thread that ended the launch, unless end is one of DONE, HANG, BUDGET and STOPPED. */
	unsigned block[3], thread[3];
	weir_ptx_site site;
	char instruction[48]; /* as the source has it: "ld.global.u32" */
	uint64_t address;     /* of an access */
	unsigned bytes;
	char text[2048];       /* the whole finding; for a hang a line for each group that waits */
	uint64_t instructions; /* run by all threads */
	uint64_t switches;     /* between threads */
} weir_ptx_result;

/* Runs a launch to its end. WEIR_OK whatever `result->end` is; other statuses are for launches that
 * cannot start: bad sizes, a kernel that cannot be decoded, no memory. */
weir_status weir_ptx_run(weir_ptx_kernel *kernel, const weir_ptx_launch *launch,
                         weir_ptx_result *result);

#endif
