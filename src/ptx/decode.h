/* What the files of the decoder share. */
#ifndef WEIR_PTX_DECODE_H
#define WEIR_PTX_DECODE_H

#include "ptx/program.h"

/* Registers of an operation before slots are given: those of the function, then temporaries; or a
 * constant; or the base of the locals. */
#define PTX_CONSTANT 0x80000000u
#define PTX_LOCALS 0x40000000u

typedef struct ptx_raw {
	uint16_t op;
	bool guarded;
	uint32_t d, e, a, b, c; /* PTX_NONE for none */
	uint32_t x;
	uint32_t in, in_count, out, out_count; /* lists of registers */
	uint32_t statement;
	int64_t imm;
} ptx_raw;

typedef struct ptx_decoder {
	weir_ptx_module *module;
	ptx_program *program;
	uint32_t routine;
	const ptx_function *function;
	const ptx_statement *s;
	const ptx_operand *o; /* the statement's operands */
	const char *why;      /* not NULL: the statement is not supported */
	bool no_memory, guarded;
	uint32_t registers; /* with temporaries */
	uint32_t carry;     /* the register of CC.CF, or PTX_NONE */
	uint32_t locals;    /* bytes */
	PTX_ARRAY(ptx_raw) raw;
	PTX_ARRAY(uint32_t) lists;
	PTX_ARRAY(uint64_t) constants;
	uint32_t *constant_buckets;
	uint32_t *first_raw; /* of each statement, and one more */
	uint32_t
	    *local_of; /* by the module's variables: offsets of locals and parameters of calls */
} ptx_decoder;

/* decode.c */
bool weir_ptx_refuse(ptx_decoder *d, const char *why); /* false */
uint32_t weir_ptx_temp(ptx_decoder *d);
uint32_t weir_ptx_number(ptx_decoder *d, uint64_t value); /* a constant's register */
ptx_raw *weir_ptx_emit(ptx_decoder *d, ptx_op op, uint32_t to, uint32_t a, uint32_t b, uint32_t c);
ptx_raw *weir_ptx_emit_imm(ptx_decoder *d, ptx_op op, uint32_t to, uint32_t a, uint32_t b,
                           uint32_t c, int64_t imm);
uint32_t weir_ptx_use(ptx_decoder *d, const ptx_operand *o, ptx_type type);
uint32_t weir_ptx_def(ptx_decoder *d, const ptx_operand *o);
/* Operand i, with the type of the statement. */
uint32_t weir_ptx_in(ptx_decoder *d, unsigned i, ptx_type type);
uint32_t weir_ptx_out(ptx_decoder *d, unsigned i);
ptx_type weir_ptx_type(const ptx_decoder *d); /* the statement's first, or PTX_NO_TYPE */
bool weir_ptx_count(ptx_decoder *d, unsigned least, unsigned most); /* of operands */
/* The address of a memory operand: a register and an offset. */
bool weir_ptx_address(ptx_decoder *d, const ptx_operand *o, uint32_t *base, int64_t *offset);
bool weir_ptx_variable_at(ptx_decoder *d, uint32_t variable, uint32_t *base, int64_t *offset);
void weir_ptx_list(ptx_decoder *d, const uint32_t *registers, uint32_t count, uint32_t *first);
/* The first of `choices` (ended by PTX_MODIFIERS) that the statement has, as an index, or -1. */
int weir_ptx_which(const ptx_statement *s, const ptx_modifier *choices, int count);
ptx_rounding weir_ptx_rounding(const ptx_statement *s);

/* decode_arithmetic.c, decode_move.c, decode_memory.c, decode_sync.c, decode_call.c: a function for each decoder that table.h names */
#define WEIR_PTX_DECODERS(X)                                                                       \
	X(add)                                                                                     \
	X(mul)                                                                                     \
	X(mad)                                                                                     \
	X(mul24)                                                                                   \
	X(sad)                                                                                     \
	X(div)                                                                                     \
	X(rem)                                                                                     \
	X(abs)                                                                                     \
	X(min)                                                                                     \
	X(bits)                                                                                    \
	X(bfind)                                                                                   \
	X(fns)                                                                                     \
	X(bfe)                                                                                     \
	X(bfi)                                                                                     \
	X(szext)                                                                                   \
	X(bmsk)                                                                                    \
	X(dp4a)                                                                                    \
	X(addc)                                                                                    \
	X(fma)                                                                                     \
	X(root)                                                                                    \
	X(approx)                                                                                  \
	X(testp)                                                                                   \
	X(copysign)                                                                                \
	X(set)                                                                                     \
	X(setp)                                                                                    \
	X(selp)                                                                                    \
	X(slct)                                                                                    \
	X(logic)                                                                                   \
	X(lop3)                                                                                    \
	X(shf)                                                                                     \
	X(shift)                                                                                   \
	X(prmt)                                                                                    \
	X(mov)                                                                                     \
	X(cvt)                                                                                     \
	X(cvta)                                                                                    \
	X(isspacep)                                                                                \
	X(mapa)                                                                                    \
	X(ld)                                                                                      \
	X(st)                                                                                      \
	X(nothing)                                                                                 \
	X(policy)                                                                                  \
	X(atom)                                                                                    \
	X(red)                                                                                     \
	X(fence)                                                                                   \
	X(bar)                                                                                     \
	X(shfl)                                                                                    \
	X(vote)                                                                                    \
	X(match)                                                                                   \
	X(redux)                                                                                   \
	X(activemask)                                                                              \
	X(elect)                                                                                   \
	X(mbarrier)                                                                                \
	X(ldmatrix)                                                                                \
	X(movmatrix)                                                                               \
	X(mma)                                                                                     \
	X(video)                                                                                   \
	X(cancel)                                                                                  \
	X(cp)                                                                                      \
	X(bra)                                                                                     \
	X(brx)                                                                                     \
	X(call)                                                                                    \
	X(ret)                                                                                     \
	X(trap)                                                                                    \
	X(nanosleep)                                                                               \
	X(alloca)
#define WEIR_ROW_(name) bool weir_ptx_decode_##name(ptx_decoder *d);
WEIR_PTX_DECODERS(WEIR_ROW_)
#undef WEIR_ROW_

/* decode_sync.c: the inputs are three operands and the mask; the outputs a value and a predicate. */
bool weir_ptx_warp_op(ptx_decoder *d, ptx_exchange what, const uint32_t in[3], uint32_t mask,
                      uint32_t value, uint32_t predicate);
bool weir_ptx_emit_mma(ptx_decoder *d, const ptx_mma *mma, const uint32_t *in, uint32_t in_count,
                       const uint32_t *out, uint32_t out_count);

/* decode_memory.c: a weak access to one element, in the space that the statement names */
void weir_ptx_emit_load(ptx_decoder *d, ptx_type type, uint32_t address, uint32_t to);
void weir_ptx_emit_store(ptx_decoder *d, ptx_type type, uint32_t address, uint32_t from);

/* alloc.c: liveness, slots, and the routine's code */
bool weir_ptx_place_slots(ptx_decoder *d);

#endif
