/* A program: a kernel and the functions that it can reach, decoded. */
#ifndef WEIR_PTX_PROGRAM_H
#define WEIR_PTX_PROGRAM_H

#include "ptx/module.h"
#include "ptx/ops.h"

/* Addresses that are not of this process. A generic address is one of these windows plus an offset;
 * everything else is global. */
#define PTX_SHARED_WINDOW UINT64_C(0x1000000000000000)
#define PTX_LOCAL_WINDOW UINT64_C(0x2000000000000000)
#define PTX_PARAM_WINDOW UINT64_C(0x3000000000000000)
#define PTX_FUNCTION_WINDOW UINT64_C(0x4000000000000000)
#define PTX_WINDOW(address) ((address)&UINT64_C(0xf000000000000000))
/* A shared address has 24 bits of offset; above them 1 + the rank of a block of the cluster, or 0 for
 * the thread's own block. */
#define PTX_SHARED_BITS 24
#define PTX_SHARED_LIMIT (1u << PTX_SHARED_BITS)

#define PTX_NO_SLOT UINT16_MAX

/* Slots are 64 bits each, in a frame for each call: the base of the function's locals, its
 * constants, its registers. */
typedef struct ptx_code {
	int32_t go[2];          /* the code of exec.inc: plain, with events */
	uint16_t d, a, b, c, e; /* slots */
	uint16_t op;
	uint32_t x;
	int64_t imm;
} ptx_code;

#define PTX_CLOCK_OF_PAUSE 0x10000 /* in the imm of a CLOCK */

/* What operations do to memory, and events. `what` of its weir_ptx_operation is one of these. */
typedef enum ptx_rmw {
	PTX_RMW_ADD,
	PTX_RMW_INC,
	PTX_RMW_DEC,
	PTX_RMW_MIN,
	PTX_RMW_MAX,
	PTX_RMW_AND,
	PTX_RMW_OR,
	PTX_RMW_XOR,
	PTX_RMW_EXCH,
	PTX_RMW_CAS
} ptx_rmw;

typedef enum ptx_exchange {
	PTX_SHFL_UP,
	PTX_SHFL_DOWN,
	PTX_SHFL_BFLY,
	PTX_SHFL_IDX,
	PTX_VOTE_ALL,
	PTX_VOTE_ANY,
	PTX_VOTE_UNI,
	PTX_VOTE_BALLOT,
	PTX_MATCH_ANY,
	PTX_MATCH_ALL,
	PTX_REDUX_ADD,
	PTX_REDUX_MIN,
	PTX_REDUX_MAX,
	PTX_REDUX_AND,
	PTX_REDUX_OR,
	PTX_REDUX_XOR,
	PTX_ELECT,
	PTX_ACTIVEMASK,
	PTX_WARP_BARRIER,
	PTX_MULTIPLY
} ptx_exchange;

typedef enum ptx_bar_red {
	PTX_BAR_PLAIN,
	PTX_BAR_POPC,
	PTX_BAR_AND,
	PTX_BAR_OR
} ptx_bar_red;

typedef enum ptx_mbar {
	PTX_MBAR_ARRIVES,
	PTX_MBAR_DROP,
	PTX_MBAR_EXPECT_TX,
	PTX_MBAR_ARRIVE_EXPECT,
	PTX_MBAR_COMPLETE_TX,
	PTX_MBAR_NOINC,
	PTX_MBAR_TEST_STATE,
	PTX_MBAR_TEST_PARITY,
	PTX_MBAR_DROP_EXPECT
} ptx_mbar;

typedef enum ptx_copy {
	PTX_COPY_PLAIN,  /* cp.async: value[0] the bytes to read, the rest of `bytes` are zeros */
	PTX_COPY_BULK,   /* value[0] the bytes */
	PTX_COPY_REDUCE, /* value[0] the bytes; the operation in value[1] */
	PTX_COPY_STORE,  /* st.async: the values */
	PTX_COPY_RED     /* red.async: a value; the operation in value[1] */
} ptx_copy;

#define PTX_INPUTS 28
#define PTX_OUTPUTS 16

/* A multiplication of matrices: m x k by k x n. */
typedef struct ptx_mma {
	uint8_t d, a, b, c; /* ptx_type */
	uint8_t m, n;
	bool linear; /* of wmma: a lane has elements that follow each other, row by row */
	bool saturates;
	char bits_op;             /* of b1: 'x' for xor and 'a' for and */
	uint8_t a_count, b_count; /* registers */
	uint16_t k;
} ptx_mma;

typedef struct ptx_access {
	weir_ptx_operation operation;
	uint32_t statement;
	uint16_t address, source, barrier; /* slots of the addresses, or PTX_NO_SLOT */
	uint8_t source_space, barrier_space;
	uint8_t inputs, outputs;
	uint8_t is_signed, is_wide; /* wide: an element takes two values */
	int64_t offset, source_offset, barrier_offset;
	uint32_t live,
	    live_count; /* if has_live: the slots that are live there, in program->live */
	uint8_t has_live;
	uint16_t input[PTX_INPUTS], output[PTX_OUTPUTS];
	ptx_mma mma;
} ptx_access;

/* Bytes of a caller's parameter, or its register, become a parameter of the callee; results go the
 * other way. */
typedef struct ptx_pass {
	bool from_slot, to_slot;
	uint32_t from, to, bytes; /* slots, or offsets in the locals of caller and callee */
} ptx_pass;

typedef enum ptx_builtin {
	PTX_NO_BUILTIN,
	PTX_VPRINTF,
	PTX_ASSERTFAIL,
	PTX_MALLOC,
	PTX_FREE
} ptx_builtin;

typedef struct ptx_call {
	uint32_t function; /* of the program, or PTX_NONE for an indirect one */
	uint8_t builtin;
	uint32_t statement;
	uint16_t argument_count, result_count;
	/* The caller's sides; those of the callee are in its ptx_frame. */
	ptx_pass *arguments, *results;
} ptx_call;

typedef struct ptx_formal {
	bool in_slot;
	uint32_t at, bytes; /* a slot, or an offset in the function's locals */
} ptx_formal;

typedef struct ptx_routine {
	uint32_t function; /* of the module */
	uint32_t entry;    /* operation */
	uint32_t end;
	uint32_t slots, constants, local_bytes;
	uint64_t *constant; /* slots 1 and on */
	ptx_formal *params, *returns;
	uint32_t param_count, return_count;
} ptx_routine;

typedef struct ptx_loop {
	uint32_t head;         /* operation */
	uint32_t first, count; /* slots that are live there, in program->live */
	uint32_t clocked;      /* its body reads a clock */
} ptx_loop;

struct ptx_program {
	weir_ptx_module *module;
	weir_ptx_kernel *kernel;
	PTX_ARRAY(ptx_code) code;
	PTX_ARRAY(uint32_t) statement;   /* of each operation */
	PTX_ARRAY(ptx_routine) routines; /* 0 is the kernel */
	PTX_ARRAY(ptx_access) accesses;
	PTX_ARRAY(ptx_call) calls;
	PTX_ARRAY(ptx_loop) loops;
	PTX_ARRAY(uint16_t) live;
	PTX_ARRAY(uint32_t) targets; /* of brx: for each table its length, then operations */
	bool clock_matters;   /* what a clock says may change more than the length of a pause */
	uint32_t *routine_of; /* by the module's functions: PTX_NONE for those not reached */
	uint32_t *shared_of;  /* by the module's variables: offsets */
	uint32_t shared_bytes,
	    dynamic_at; /* static bytes, and where dynamic shared memory starts */
};

/* Decodes a kernel, once. */
weir_status weir_ptx_program(weir_ptx_kernel *kernel, ptx_program **program);
void weir_ptx_program_free(ptx_program *program);
uint32_t weir_ptx_routine_at(const ptx_program *program, uint32_t operation);

#endif
