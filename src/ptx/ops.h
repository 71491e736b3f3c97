/* The operations that the loop of exec.inc runs. The decoder makes one or a few of each instruction.
 *
 * A pure operation is a row: its name, the types of its result and of its operands a, b and c, and an
 * expression of them. IMM is an immediate number of the operation. Readers take the low bits of a
 * slot of 64 bits, and writers extend to all of it, so registers may be wider than an instruction's
 * type.
 *
 * The others are in WEIR_PTX_OTHERS, with the operands that they read and write; exec.inc has their
 * code.
 */
#ifndef WEIR_PTX_OPS_H
#define WEIR_PTX_OPS_H

#include "ptx/float.h"
#include "ptx/integer.h"
#include "ptx/video.h"

#define WEIR_PTX_BY_SIZE(X, name, A, B, C, expression)                                             \
	X(name##_16, u16, A##16, B##16, C##16, expression)                                         \
	X(name##_32, u32, A##32, B##32, C##32, expression)                                         \
	X(name##_64, u64, A##64, B##64, C##64, expression)
#define WEIR_PTX_BY_INT(X, name, expression)                                                       \
	X(name##_U16, u16, u16, u16, u16, expression)                                              \
	X(name##_U32, u32, u32, u32, u32, expression)                                              \
	X(name##_U64, u64, u64, u64, u64, expression)                                              \
	X(name##_S16, s16, s16, s16, s16, expression)                                              \
	X(name##_S32, s32, s32, s32, s32, expression)                                              \
	X(name##_S64, s64, s64, s64, s64, expression)
/* Comparisons of integers; signs make no difference to the first two. */
#define WEIR_PTX_INT_ORDER(X, name, expression)                                                    \
	X(name##_U16, u32, u16, u16, no, expression)                                               \
	X(name##_U32, u32, u32, u32, no, expression)                                               \
	X(name##_U64, u32, u64, u64, no, expression)                                               \
	X(name##_S16, u32, s16, s16, no, expression)                                               \
	X(name##_S32, u32, s32, s32, no, expression)                                               \
	X(name##_S64, u32, s64, s64, no, expression)
#define WEIR_PTX_FLOAT_ORDER(X, name, expression)                                                  \
	X(name##_F32, u32, f32, f32, no, expression)                                               \
	X(name##_F64, u32, f64, f64, no, expression)

/* clang-format off */
#define WEIR_PTX_PURE(X)                                                                           \
	X(MOV, u64, u64, no, no, a)                                                                \
	/* integers */                                                                             \
	WEIR_PTX_BY_SIZE(X, ADD, u, u, n, a + b)                                                   \
	WEIR_PTX_BY_SIZE(X, SUB, u, u, n, a - b)                                                   \
	X(MUL_16, u16, u16, u16, no, (uint32_t)a * b)                                              \
	X(MUL_32, u32, u32, u32, no, a * b)                                                        \
	X(MUL_64, u64, u64, u64, no, a * b)                                                        \
	X(MAD_16, u16, u16, u16, u16, (uint32_t)a * b + c)                                         \
	X(MAD_32, u32, u32, u32, u32, a * b + c)                                                   \
	X(MAD_64, u64, u64, u64, u64, a * b + c)                                                   \
	X(MULHI_U16, u16, u16, u16, no, (uint32_t)a * b >> 16)                                     \
	X(MULHI_S16, s16, s16, s16, no, a * b >> 16)                                               \
	X(MULHI_U32, u32, u32, u32, no, (uint64_t)a * b >> 32)                                     \
	X(MULHI_S32, s32, s32, s32, no, (int64_t)a * b >> 32)                                      \
	X(MULHI_U64, u64, u64, u64, no, ptx_mulhi_u64(a, b))                                       \
	X(MULHI_S64, s64, s64, s64, no, ptx_mulhi_s64(a, b))                                       \
	X(MULW_U16, u32, u16, u16, no, (uint32_t)a * b)                                            \
	X(MULW_S16, s32, s16, s16, no, a * b)                                                      \
	X(MULW_U32, u64, u32, u32, no, (uint64_t)a * b)                                            \
	X(MULW_S32, s64, s32, s32, no, (int64_t)a * b)                                             \
	X(MADW_U16, u32, u16, u16, u32, (uint32_t)a * b + c)                                       \
	X(MADW_S16, u32, s16, s16, u32, (uint32_t)(a * b) + c)                                     \
	X(MADW_U32, u64, u32, u32, u64, (uint64_t)a * b + c)                                       \
	X(MADW_S32, u64, s32, s32, u64, (uint64_t)((int64_t)a * b) + c)                            \
	X(MUL24LO_U32, u32, u32, u32, no, (a & 0xffffff) * (b & 0xffffff))                         \
	X(MUL24HI_U32, u32, u32, u32, no, (uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 16)         \
	X(MUL24LO_S32, u32, u32, u32, no, (uint32_t)((int64_t)ptx_sext24(a) * ptx_sext24(b)))      \
	X(MUL24HI_S32, u32, u32, u32, no, (uint32_t)((int64_t)ptx_sext24(a) * ptx_sext24(b) >> 16)) \
	X(ADDSAT_S32, s32, s32, s32, no, ptx_sat_s32((int64_t)a + b))                              \
	X(SUBSAT_S32, s32, s32, s32, no, ptx_sat_s32((int64_t)a - b))                              \
	/* carries: a sum of three, and what it carries out; the same of differences */            \
	X(ADDC_32, u32, u32, u32, u32, a + b + c)                                                  \
	X(ADDC_64, u64, u64, u64, u64, a + b + c)                                                  \
	X(CARRY_32, u32, u32, u32, u32, ((uint64_t)a + b + c) >> 32)                               \
	X(CARRY_64, u32, u64, u64, u64, (a + b < a) | (a + b + c < c))                             \
	X(SUBC_32, u32, u32, u32, u32, a - b - c)                                                  \
	X(SUBC_64, u64, u64, u64, u64, a - b - c)                                                  \
	X(BORROW_32, u32, u32, u32, u32, (uint64_t)a < (uint64_t)b + c)                            \
	X(BORROW_64, u32, u64, u64, u64, a < b || (a == b && c))                                   \
	WEIR_PTX_BY_INT(X, MIN, a < b ? a : b)                                                     \
	WEIR_PTX_BY_INT(X, MAX, a > b ? a : b)                                                     \
	X(SAD_U16, u16, u16, u16, u16, c + (a < b ? b - a : a - b))                                \
	X(SAD_U32, u32, u32, u32, u32, c + (a < b ? b - a : a - b))                                \
	X(SAD_U64, u64, u64, u64, u64, c + (a < b ? b - a : a - b))                                \
	X(SAD_S16, u16, s16, s16, u16, c + (a < b ? b - a : a - b))                                \
	X(SAD_S32, u32, s32, s32, u32, c + (a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b)) \
	X(SAD_S64, u64, s64, s64, u64, c + (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b)) \
	X(ABS_16, u16, s16, no, no, a < 0 ? -(uint32_t)a : (uint32_t)a)                            \
	X(ABS_32, u32, s32, no, no, a < 0 ? -(uint32_t)a : (uint32_t)a)                            \
	X(ABS_64, u64, s64, no, no, a < 0 ? -(uint64_t)a : (uint64_t)a)                            \
	X(NEG_16, s16, u16, no, no, -(uint32_t)a)                                                  \
	X(NEG_32, s32, u32, no, no, -a)                                                            \
	X(NEG_64, s64, u64, no, no, -a)                                                            \
	X(POPC_32, u32, u32, no, no, (uint32_t)__builtin_popcount(a))                              \
	X(POPC_64, u32, u64, no, no, (uint32_t)__builtin_popcountll(a))                            \
	X(CLZ_32, u32, u32, no, no, a ? (uint32_t)__builtin_clz(a) : 32)                           \
	X(CLZ_64, u32, u64, no, no, a ? (uint32_t)__builtin_clzll(a) : 64)                         \
	X(BREV_32, u32, u32, no, no, ptx_brev(a) >> 32)                                            \
	X(BREV_64, u64, u64, no, no, ptx_brev(a))                                                  \
	X(BFIND_U32, u32, u32, no, no, ptx_bfind(a, 32, IMM))                                      \
	X(BFIND_U64, u32, u64, no, no, ptx_bfind(a, 64, IMM))                                      \
	X(BFIND_S32, u32, s32, no, no, ptx_bfind((uint32_t)(a < 0 ? ~a : a), 32, IMM))             \
	X(BFIND_S64, u32, s64, no, no, ptx_bfind((uint64_t)(a < 0 ? ~a : a), 64, IMM))             \
	X(FNS, u32, u32, u32, s32, ptx_fns(a, b, c))                                               \
	X(BFE_U32, u32, u32, u32, u32, ptx_bfe(a, b, c, 32, 0))                                    \
	X(BFE_U64, u64, u64, u32, u32, ptx_bfe(a, b, c, 64, 0))                                    \
	X(BFE_S32, s32, u32, u32, u32, ptx_bfe(a, b, c, 32, 1))                                    \
	X(BFE_S64, s64, u64, u32, u32, ptx_bfe(a, b, c, 64, 1))                                    \
	X(MASK_32, u32, u32, u32, no, ptx_bfi_mask(a, b, 32))                                      \
	X(MASK_64, u64, u32, u32, no, ptx_bfi_mask(a, b, 64))                                      \
	X(SHLBY, u64, u64, u32, no, ptx_shl(a, b & 0xff, 64))                                      \
	X(MERGE, u64, u64, u64, u64, (a & c) | (b & ~c))                                           \
	X(SZEXT_U32, u32, u32, u32, no, ptx_szext(a, b, IMM, 0))                                   \
	X(SZEXT_S32, u32, u32, u32, no, ptx_szext(a, b, IMM, 1))                                   \
	X(BMSK, u32, u32, u32, no, ptx_bmsk(a, b, IMM))                                            \
	X(DP4A, u32, u32, u32, u32, ptx_dp4a(a, b, c, IMM))                                        \
	X(DP2A, u32, u32, u32, u32, ptx_dp2a(a, b, c, IMM))                                        \
	X(VIDEO, u32, u32, u32, u32, weir_ptx_video(a, b, c, IMM))                                 \
	/* logic */                                                                                \
	X(AND, u64, u64, u64, no, a & b)                                                           \
	X(OR, u64, u64, u64, no, a | b)                                                            \
	X(XOR, u64, u64, u64, no, a ^ b)                                                           \
	X(NOTP, u64, u64, no, no, !a)                                                              \
	WEIR_PTX_BY_SIZE(X, NOT, u, n, n, ~a)                                                      \
	WEIR_PTX_BY_SIZE(X, CNOT, u, n, n, !a)                                                     \
	X(LOP3, u32, u32, u32, u32, ptx_lop3(a, b, c, (unsigned)IMM))                              \
	X(SHFL_WRAP, u32, u32, u32, u32, (uint32_t)(((uint64_t)b << 32 | a) << (c & 31) >> 32))    \
	X(SHFL_CLAMP, u32, u32, u32, u32, c >= 32 ? a : (uint32_t)(((uint64_t)b << 32 | a) << c >> 32)) \
	X(SHFR_WRAP, u32, u32, u32, u32, (uint32_t)(((uint64_t)b << 32 | a) >> (c & 31)))          \
	X(SHFR_CLAMP, u32, u32, u32, u32, c >= 32 ? b : (uint32_t)(((uint64_t)b << 32 | a) >> c))  \
	X(SHL_16, u16, u16, u32, no, b > 15 ? 0 : a << b)                                          \
	X(SHL_32, u32, u32, u32, no, b > 31 ? 0 : a << b)                                          \
	X(SHL_64, u64, u64, u32, no, b > 63 ? 0 : a << b)                                          \
	X(SHR_U16, u16, u16, u32, no, b > 15 ? 0 : a >> b)                                         \
	X(SHR_U32, u32, u32, u32, no, b > 31 ? 0 : a >> b)                                         \
	X(SHR_U64, u64, u64, u32, no, b > 63 ? 0 : a >> b)                                         \
	X(SHR_S16, s16, s16, u32, no, a >> (b > 15 ? 15 : b))                                      \
	X(SHR_S32, s32, s32, u32, no, a >> (b > 31 ? 31 : b))                                      \
	X(SHR_S64, s64, s64, u32, no, a >> (b > 63 ? 63 : b))                                      \
	X(PRMT, u32, u32, u32, u32, ptx_prmt(a, b, c, (unsigned)IMM))                              \
	/* comparisons */                                                                          \
	WEIR_PTX_INT_ORDER(X, EQ, a == b)                                                          \
	WEIR_PTX_INT_ORDER(X, NE, a != b)                                                          \
	WEIR_PTX_INT_ORDER(X, LT, a < b)                                                           \
	WEIR_PTX_INT_ORDER(X, LE, a <= b)                                                          \
	WEIR_PTX_INT_ORDER(X, GT, a > b)                                                           \
	WEIR_PTX_INT_ORDER(X, GE, a >= b)                                                          \
	WEIR_PTX_FLOAT_ORDER(X, EQ, a == b)                                                        \
	WEIR_PTX_FLOAT_ORDER(X, NE, a < b || a > b)                                                \
	WEIR_PTX_FLOAT_ORDER(X, LT, a < b)                                                         \
	WEIR_PTX_FLOAT_ORDER(X, LE, a <= b)                                                        \
	WEIR_PTX_FLOAT_ORDER(X, GT, a > b)                                                         \
	WEIR_PTX_FLOAT_ORDER(X, GE, a >= b)                                                        \
	WEIR_PTX_FLOAT_ORDER(X, EQU, !(a < b || a > b))                                            \
	WEIR_PTX_FLOAT_ORDER(X, NEU, a != b)                                                       \
	WEIR_PTX_FLOAT_ORDER(X, LTU, !(a >= b))                                                    \
	WEIR_PTX_FLOAT_ORDER(X, LEU, !(a > b))                                                     \
	WEIR_PTX_FLOAT_ORDER(X, GTU, !(a <= b))                                                    \
	WEIR_PTX_FLOAT_ORDER(X, GEU, !(a < b))                                                     \
	WEIR_PTX_FLOAT_ORDER(X, NUM, a == a && b == b)                                             \
	WEIR_PTX_FLOAT_ORDER(X, NAN, a != a || b != b)                                             \
	X(SELECT, u64, u64, u64, u64, c ? a : b)                                                   \
	X(SLCT_S32, u64, u64, u64, s32, c >= 0 ? a : b)                                            \
	X(SLCT_F32, u64, u64, u64, f32, c >= 0 ? a : b)                                            \
	X(TESTP_F32, u32, f32, no, no, ptx_testp_f32(a, (unsigned)IMM))                            \
	X(TESTP_F64, u32, f64, no, no, ptx_testp_f64(a, (unsigned)IMM))                            \
	/* bits of integers */                                                                     \
	X(SX8, s64, s8, no, no, a)                                                                 \
	X(SX16, s64, s16, no, no, a)                                                               \
	X(SX32, s64, s32, no, no, a)                                                               \
	X(ZX8, u64, u8, no, no, a)                                                                 \
	X(ZX16, u64, u16, no, no, a)                                                               \
	X(ZX32, u64, u32, no, no, a)                                                               \
	X(CLAMP_S, u64, s64, no, no, ptx_clamp_s(a, (unsigned)IMM))                                \
	X(CLAMP_U, u64, u64, no, no, ptx_clamp_u(a, (unsigned)IMM))                                \
	X(FIELD, u64, u64, no, no, a >> (IMM & 63) & ptx_low(IMM >> 8))                            \
	X(JOIN, u64, u64, u64, no, (a & ptx_low(IMM & 255)) | b << (IMM & 63))                     \
	/* f32 */                                                                                  \
	X(ADD_F32, f32, f32, f32, no, ptx_canonical(a + b))                                        \
	X(SUB_F32, f32, f32, f32, no, ptx_canonical(a - b))                                        \
	X(MUL_F32, f32, f32, f32, no, ptx_canonical(a * b))                                        \
	X(FMA_F32, f32, f32, f32, f32, ptx_canonical(ptx_fma(a, b, c)))                            \
	X(DIV_F32, f32, f32, f32, no, ptx_canonical(a / b))                                        \
	X(SQRT_F32, f32, f32, no, no, ptx_canonical(sqrtf(a)))                                     \
	X(ADD_FTZ, f32, f32, f32, no, ptx_canonical(ptx_ftz(ptx_ftz(a) + ptx_ftz(b))))             \
	X(SUB_FTZ, f32, f32, f32, no, ptx_canonical(ptx_ftz(ptx_ftz(a) - ptx_ftz(b))))             \
	X(MUL_FTZ, f32, f32, f32, no, ptx_canonical(ptx_ftz(ptx_ftz(a) * ptx_ftz(b))))             \
	X(FMA_FTZ, f32, f32, f32, f32, ptx_canonical(ptx_ftz(ptx_fma(ptx_ftz(a), ptx_ftz(b), ptx_ftz(c))))) \
	X(OP_F32, f32, f32, f32, f32, weir_ptx_f32_op((ptx_float_op)(IMM >> 8), a, b, c, (ptx_rounding)(IMM & 255))) \
	X(MIN_F32, f32, f32, f32, no, ptx_min(a, b))                                               \
	X(MAX_F32, f32, f32, f32, no, ptx_max(a, b))                                               \
	X(MINNAN_F32, f32, f32, f32, no, a != a || b != b ? ptx_f32(0x7fffffff) : ptx_min(a, b))   \
	X(MAXNAN_F32, f32, f32, f32, no, a != a || b != b ? ptx_f32(0x7fffffff) : ptx_max(a, b))   \
	X(ABS_F32, u32, u32, no, no, a & 0x7fffffff)                                               \
	X(NEG_F32, u32, u32, no, no, a ^ 0x80000000)                                               \
	X(FTZ, f32, f32, no, no, ptx_ftz(a))                                                       \
	X(SAT_F32, f32, f32, no, no, ptx_sat(a))                                                   \
	X(COPYSIGN_F32, u32, u32, u32, no, (b & 0x7fffffff) | (a & 0x80000000))                    \
	X(XORSIGN_F32, u32, u32, u32, u32, (a & 0x7fffffff) | ((b ^ c) & 0x80000000))              \
	X(APPROX_F32, f32, f32, no, no, weir_ptx_approx((int)IMM, a))                              \
	X(DIV_APPROX, f32, f32, f32, no, weir_ptx_div_approx(a, b))                                \
	/* f64 */                                                                                  \
	X(ADD_F64, f64, f64, f64, no, a + b)                                                       \
	X(SUB_F64, f64, f64, f64, no, a - b)                                                       \
	X(MUL_F64, f64, f64, f64, no, a * b)                                                       \
	X(FMA_F64, f64, f64, f64, f64, fma(a, b, c))                                               \
	X(DIV_F64, f64, f64, f64, no, a / b)                                                       \
	X(SQRT_F64, f64, f64, no, no, sqrt(a))                                                     \
	X(OP_F64, f64, f64, f64, f64, weir_ptx_f64_op((ptx_float_op)(IMM >> 8), a, b, c, (ptx_rounding)(IMM & 255))) \
	X(MIN_F64, f64, f64, f64, no, ptx_min_f64(a, b))                                           \
	X(MAX_F64, f64, f64, f64, no, ptx_max_f64(a, b))                                           \
	X(ABS_F64, u64, u64, no, no, a & ~(UINT64_C(1) << 63))                                     \
	X(NEG_F64, u64, u64, no, no, a ^ UINT64_C(1) << 63)                                        \
	X(SAT_F64, f64, f64, no, no, ptx_sat_f64(a))                                               \
	X(COPYSIGN_F64, u64, u64, u64, no, (b & ~(UINT64_C(1) << 63)) | (a & UINT64_C(1) << 63))   \
	X(APPROX_F64, f64, f64, no, no, weir_ptx_approx_f64((int)IMM, a))                          \
	/* f16 and bf16, one at a time */                                                          \
	X(ADD_F16, u16, h, h, no, weir_ptx_to_f16((double)a + b, PTX_RN))                          \
	X(SUB_F16, u16, h, h, no, weir_ptx_to_f16((double)a - b, PTX_RN))                          \
	X(MUL_F16, u16, h, h, no, weir_ptx_to_f16((double)a * b, PTX_RN))                          \
	X(FMA_F16, u16, u16, u16, u16, weir_ptx_fma_f16(a, b, c))                                  \
	X(MIN_F16, u16, h, h, no, weir_ptx_to_f16(ptx_min(a, b), PTX_RN))                          \
	X(MAX_F16, u16, h, h, no, weir_ptx_to_f16(ptx_max(a, b), PTX_RN))                          \
	X(MINNAN_F16, u16, h, h, no, a != a || b != b ? 0x7fff : weir_ptx_to_f16(ptx_min(a, b), PTX_RN)) \
	X(MAXNAN_F16, u16, h, h, no, a != a || b != b ? 0x7fff : weir_ptx_to_f16(ptx_max(a, b), PTX_RN)) \
	X(MINNAN_BF16, u16, bh, bh, no, a != a || b != b ? 0x7fff : ptx_f32_to_bf16(ptx_min(a, b))) \
	X(MAXNAN_BF16, u16, bh, bh, no, a != a || b != b ? 0x7fff : ptx_f32_to_bf16(ptx_max(a, b))) \
	X(ABS_H, u16, u16, no, no, a & 0x7fff)                                                     \
	X(NEG_H, u16, u16, no, no, a ^ 0x8000)                                                     \
	X(FTZ_F16, u16, u16, no, no, a & 0x7c00 ? a : a & 0x8000)                                  \
	X(SAT_F16, u16, h, no, no, ptx_f32_to_f16(ptx_sat(a)))                                     \
	X(ADD_BF16, u16, u16, u16, no, weir_ptx_fma_bf16(a, 0x3f80, b))                            \
	X(SUB_BF16, u16, u16, u16, no, weir_ptx_fma_bf16(b, 0xbf80, a))                            \
	X(MUL_BF16, u16, bh, bh, no, weir_ptx_to_bf16((double)a * b, PTX_RN))                      \
	X(FMA_BF16, u16, u16, u16, u16, weir_ptx_fma_bf16(a, b, c))                                \
	X(MIN_BF16, u16, bh, bh, no, ptx_f32_to_bf16(ptx_min(a, b)))                               \
	X(MAX_BF16, u16, bh, bh, no, ptx_f32_to_bf16(ptx_max(a, b)))                               \
	X(XORSIGN_H, u16, u16, u16, u16, (a & 0x7fff) | ((b ^ c) & 0x8000))                        \
	/* conversions */                                                                          \
	X(F32_S32, f32, s32, no, no, (float)a)                                                     \
	X(F32_U32, f32, u32, no, no, (float)a)                                                     \
	X(F64_S32, f64, s32, no, no, a)                                                            \
	X(F64_U32, f64, u32, no, no, a)                                                            \
	X(F32_INT, f32, u64, no, no, weir_ptx_int_to_f32(a, (int)(IMM >> 8), (ptx_rounding)(IMM & 255))) \
	X(F64_INT, f64, u64, no, no, weir_ptx_int_to_f64(a, (int)(IMM >> 8), (ptx_rounding)(IMM & 255))) \
	X(ODD_INT, f64, u64, no, no, weir_ptx_int_to_odd(a, (int)(IMM >> 8)))                      \
	X(F64_F32, f64, f32, no, no, a)                                                            \
	X(F32_F64, f32, f64, no, no, ptx_canonical((float)a))                                      \
	X(F32_F64_R, f32, f64, no, no, weir_ptx_to_f32(a, (ptx_rounding)(IMM & 255)))              \
	X(F16_F32, u16, f32, no, no, ptx_f32_to_f16(a))                                            \
	X(F16_F64_R, u16, f64, no, no, weir_ptx_to_f16(a, (ptx_rounding)(IMM & 255)))              \
	X(F32_F16, f32, h, no, no, a)                                                              \
	X(BF16_F32, u16, f32, no, no, ptx_f32_to_bf16(a))                                          \
	X(BF16_F64_R, u16, f64, no, no, weir_ptx_to_bf16(a, (ptx_rounding)(IMM & 255)))            \
	X(F32_BF16, f32, bh, no, no, a)                                                            \
	X(TF32_F32, u32, f32, no, no, weir_ptx_to_tf32(a, (ptx_rounding)(IMM & 255)))              \
	X(F8_F32, u8, f32, no, no, weir_ptx_to_small(a, (int)IMM))                                    \
	X(F32_F8, f32, u8, no, no, weir_ptx_from_small(a, (int)IMM))                                  \
	X(ROUND_F64, f64, f64, no, no, weir_ptx_round(a, (ptx_rounding)(IMM & 255)))               \
	X(ROUND_F32, f32, f32, no, no, (float)weir_ptx_round(a, (ptx_rounding)(IMM & 255)))        \
	X(FINITE_F16, u16, u16, no, no, (a & 0x7fff) == 0x7c00 ? (a & 0x8000) | 0x7bff : a)        \
	X(FINITE_BF16, u16, u16, no, no, (a & 0x7fff) == 0x7f80 ? (a & 0x8000) | 0x7f7f : a)       \
	/* IMM: rounding, bits << 8, signed << 16, from f64 << 17 */                               \
	X(INT_F64, u64, f64, no, no, weir_ptx_to_int(a, (int)(IMM >> 8 & 255), (int)(IMM >> 16 & 1), (int)(IMM >> 17), (ptx_rounding)(IMM & 255))) \
	X(S32_F32, s32, f32, no, no, ptx_s32_f32(a))
/* clang-format on */

/* name, operands: d, e written; a, b, c read; l a list that is read, m a list that is written;
 * f the following may not run (a branch, a return) */
#define WEIR_PTX_OTHERS(X)                                                                         \
	X(NOP, "")                                                                                 \
	X(SKIP_IF, "a") /* a guard: over the rest of its instruction */                            \
	X(SKIP_UNLESS, "a")                                                                        \
	X(JUMP, "f") /* x: how far to go */                                                        \
	X(JUMP_IF, "a")                                                                            \
	X(JUMP_UNLESS, "a")                                                                        \
	X(BACK, "f") /* the same, backward; imm: the loop */                                       \
	X(BACK_IF, "a")                                                                            \
	X(BACK_UNLESS, "a")                                                                        \
	X(SWITCH, "af") /* x: the table */                                                         \
	X(CALL, "lm")   /* x: the call */                                                          \
	X(CALL_BY, "alm")                                                                          \
	X(RETURN, "f")                                                                             \
	X(EXIT, "f")                                                                               \
	X(FAIL, "f")    /* unsupported, trap: imm is the weir_ptx_end */                           \
	X(SPECIAL, "d") /* imm: the ptx_special, and its component << 8 */                         \
	X(CLOCK, "d")                                                                              \
	X(DIV_U16, "dab")                                                                          \
	X(DIV_U32, "dab")                                                                          \
	X(DIV_U64, "dab")                                                                          \
	X(DIV_S16, "dab")                                                                          \
	X(DIV_S32, "dab")                                                                          \
	X(DIV_S64, "dab")                                                                          \
	X(REM_U16, "dab")                                                                          \
	X(REM_U32, "dab")                                                                          \
	X(REM_U64, "dab")                                                                          \
	X(REM_S16, "dab")                                                                          \
	X(REM_S32, "dab")                                                                          \
	X(REM_S64, "dab")                                                                          \
	X(STACK_TAKE, "da") /* alloca */                                                           \
	X(STACK_SAVE, "d")                                                                         \
	X(STACK_BACK, "a")                                                                         \
	X(ISSPACE, "da") /* imm: the weir_ptx_space, + 16 for shared::cta */                       \
	X(MAPA, "dab")   /* imm: 1 for a generic address */                                        \
	X(RANK, "da")                                                                              \
	X(PARAM_U8, "d")                                                                           \
	X(PARAM_U16, "d")                                                                          \
	X(PARAM_U32, "d")                                                                          \
	X(PARAM_U64, "d")                                                                          \
	X(PARAM_S8, "d")                                                                           \
	X(PARAM_S16, "d")                                                                          \
	X(PARAM_S32, "d")                                                                          \
	X(LOAD_GLOBAL_U8, "da")                                                                    \
	X(LOAD_GLOBAL_U16, "da")                                                                   \
	X(LOAD_GLOBAL_U32, "da")                                                                   \
	X(LOAD_GLOBAL_U64, "da")                                                                   \
	X(LOAD_GLOBAL_S8, "da")                                                                    \
	X(LOAD_GLOBAL_S16, "da")                                                                   \
	X(LOAD_GLOBAL_S32, "da")                                                                   \
	X(LOAD_SHARED_U8, "da")                                                                    \
	X(LOAD_SHARED_U16, "da")                                                                   \
	X(LOAD_SHARED_U32, "da")                                                                   \
	X(LOAD_SHARED_U64, "da")                                                                   \
	X(LOAD_SHARED_S8, "da")                                                                    \
	X(LOAD_SHARED_S16, "da")                                                                   \
	X(LOAD_SHARED_S32, "da")                                                                   \
	X(LOAD_LOCAL_U8, "da")                                                                     \
	X(LOAD_LOCAL_U16, "da")                                                                    \
	X(LOAD_LOCAL_U32, "da")                                                                    \
	X(LOAD_LOCAL_U64, "da")                                                                    \
	X(LOAD_LOCAL_S8, "da")                                                                     \
	X(LOAD_LOCAL_S16, "da")                                                                    \
	X(LOAD_LOCAL_S32, "da")                                                                    \
	X(STORE_GLOBAL_8, "ab")                                                                    \
	X(STORE_GLOBAL_16, "ab")                                                                   \
	X(STORE_GLOBAL_32, "ab")                                                                   \
	X(STORE_GLOBAL_64, "ab")                                                                   \
	X(STORE_SHARED_8, "ab")                                                                    \
	X(STORE_SHARED_16, "ab")                                                                   \
	X(STORE_SHARED_32, "ab")                                                                   \
	X(STORE_SHARED_64, "ab")                                                                   \
	X(STORE_LOCAL_8, "ab")                                                                     \
	X(STORE_LOCAL_16, "ab")                                                                    \
	X(STORE_LOCAL_32, "ab")                                                                    \
	X(STORE_LOCAL_64, "ab")                                                                    \
	X(ACCESS,                                                                                  \
	  "abclm") /* any other access to memory: x is its ptx_access, which has the lists */      \
	X(EVENT, "abclm") /* what is no access: barriers, warp operations, ... */

typedef enum ptx_op {
#define WEIR_ROW_(name, ...) PTX_X_##name,
	WEIR_PTX_PURE(WEIR_ROW_) PTX_PURE_OPS,
	PTX_BEFORE_OTHERS = PTX_PURE_OPS - 1,
	WEIR_PTX_OTHERS(WEIR_ROW_)
#undef WEIR_ROW_
	PTX_OPS
} ptx_op;

#endif
