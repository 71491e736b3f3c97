/* The words of PTX: types, modifiers, special registers, and a row for each instruction. The parser,
 * the decoder and the documents are made from these rows. */
#ifndef WEIR_PTX_TABLE_H
#define WEIR_PTX_TABLE_H

#include <stdint.h>

/* name, spelling, bits, class: b bits, u unsigned, s signed, f float, p packed, q predicate, n narrow
 * float that only conversions know */
#define WEIR_PTX_TYPES(X)                                                                          \
	X(B8, "b8", 8, 'b')                                                                        \
	X(B16, "b16", 16, 'b')                                                                     \
	X(B32, "b32", 32, 'b')                                                                     \
	X(B64, "b64", 64, 'b')                                                                     \
	X(B128, "b128", 128, 'b')                                                                  \
	X(U8, "u8", 8, 'u')                                                                        \
	X(U16, "u16", 16, 'u')                                                                     \
	X(U32, "u32", 32, 'u')                                                                     \
	X(U64, "u64", 64, 'u')                                                                     \
	X(S8, "s8", 8, 's')                                                                        \
	X(S16, "s16", 16, 's')                                                                     \
	X(S32, "s32", 32, 's')                                                                     \
	X(S64, "s64", 64, 's')                                                                     \
	X(F16, "f16", 16, 'f')                                                                     \
	X(BF16, "bf16", 16, 'f')                                                                   \
	X(F32, "f32", 32, 'f')                                                                     \
	X(F64, "f64", 64, 'f')                                                                     \
	X(F16X2, "f16x2", 32, 'p')                                                                 \
	X(BF16X2, "bf16x2", 32, 'p')                                                               \
	X(U16X2, "u16x2", 32, 'p')                                                                 \
	X(S16X2, "s16x2", 32, 'p')                                                                 \
	X(F32X2, "f32x2", 64, 'p')                                                                 \
	X(PRED, "pred", 8, 'q')                                                                    \
	X(TF32, "tf32", 32, 'n')                                                                   \
	X(E4M3, "e4m3", 8, 'n')                                                                    \
	X(E5M2, "e5m2", 8, 'n')                                                                    \
	X(E4M3X2, "e4m3x2", 16, 'n')                                                               \
	X(E5M2X2, "e5m2x2", 16, 'n')                                                               \
	X(E2M3, "e2m3", 8, 'n')                                                                    \
	X(E3M2, "e3m2", 8, 'n')                                                                    \
	X(E2M1, "e2m1", 4, 'n')                                                                    \
	X(E2M3X2, "e2m3x2", 16, 'n')                                                               \
	X(E3M2X2, "e3m2x2", 16, 'n')                                                               \
	X(E2M1X2, "e2m1x2", 8, 'n')                                                                \
	X(S4, "s4", 4, 's')                                                                        \
	X(U4, "u4", 4, 'u')                                                                        \
	X(S2, "s2", 2, 's')                                                                        \
	X(U2, "u2", 2, 'u')                                                                        \
	X(B1, "b1", 1, 'b')

typedef enum ptx_type {
#define WEIR_ROW_(name, text, bits, class) PTX_##name,
	WEIR_PTX_TYPES(WEIR_ROW_)
#undef WEIR_ROW_
	PTX_TYPES,
	PTX_NO_TYPE = PTX_TYPES
} ptx_type;

/* name, spelling. A cache hint without an operand is CACHE, however it is spelled. */
#define WEIR_PTX_MODIFIERS(X)                                                                      \
	X(GLOBAL, "global")                                                                        \
	X(SHARED, "shared")                                                                        \
	X(SHARED_CTA, "shared::cta")                                                               \
	X(SHARED_CLUSTER, "shared::cluster")                                                       \
	X(LOCAL, "local")                                                                          \
	X(CONST, "const")                                                                          \
	X(PARAM, "param")                                                                          \
	X(PARAM_ENTRY, "param::entry")                                                             \
	X(PARAM_FUNC, "param::func")                                                               \
	X(WEAK, "weak")                                                                            \
	X(VOLATILE, "volatile")                                                                    \
	X(RELAXED, "relaxed")                                                                      \
	X(ACQUIRE, "acquire")                                                                      \
	X(RELEASE, "release")                                                                      \
	X(ACQ_REL, "acq_rel")                                                                      \
	X(SC, "sc")                                                                                \
	X(MMIO, "mmio")                                                                            \
	X(CTA, "cta")                                                                              \
	X(CLUSTER, "cluster")                                                                      \
	X(GPU, "gpu")                                                                              \
	X(SYS, "sys")                                                                              \
	X(GL, "gl")                                                                                \
	X(V1, "v1")                                                                                \
	X(V2, "v2")                                                                                \
	X(V4, "v4")                                                                                \
	X(V8, "v8")                                                                                \
	X(CACHE, "L1")                                                                             \
	X(CACHE_HINT, "L2::cache_hint")                                                            \
	X(CA, "ca")                                                                                \
	X(CG, "cg")                                                                                \
	X(CS, "cs")                                                                                \
	X(LU, "lu")                                                                                \
	X(CV, "cv")                                                                                \
	X(WB, "wb")                                                                                \
	X(WT, "wt")                                                                                \
	X(NC, "nc")                                                                                \
	X(UNIFIED, "unified")                                                                      \
	X(L2, "L2")                                                                                \
	X(TENSORMAP, "tensormap")                                                                  \
	X(RN, "rn")                                                                                \
	X(RZ, "rz")                                                                                \
	X(RM, "rm")                                                                                \
	X(RP, "rp")                                                                                \
	X(RNA, "rna")                                                                              \
	X(RNI, "rni")                                                                              \
	X(RZI, "rzi")                                                                              \
	X(RMI, "rmi")                                                                              \
	X(RPI, "rpi")                                                                              \
	X(FTZ, "ftz")                                                                              \
	X(SAT, "sat")                                                                              \
	X(SATFINITE, "satfinite")                                                                  \
	X(RELU, "relu")                                                                            \
	X(APPROX, "approx")                                                                        \
	X(FULL, "full")                                                                            \
	X(NAN, "NaN")                                                                              \
	X(XORSIGN, "xorsign")                                                                      \
	X(ABS, "abs")                                                                              \
	X(CC, "cc")                                                                                \
	X(HI, "hi")                                                                                \
	X(LO, "lo")                                                                                \
	X(WIDE, "wide")                                                                            \
	X(SHIFTAMT, "shiftamt")                                                                    \
	X(L, "l")                                                                                  \
	X(R, "r")                                                                                  \
	X(WRAP, "wrap")                                                                            \
	X(CLAMP, "clamp")                                                                          \
	X(F4E, "f4e")                                                                              \
	X(B4E, "b4e")                                                                              \
	X(RC8, "rc8")                                                                              \
	X(ECL, "ecl")                                                                              \
	X(ECR, "ecr")                                                                              \
	X(RC16, "rc16")                                                                            \
	X(EQ, "eq")                                                                                \
	X(NE, "ne")                                                                                \
	X(LT, "lt")                                                                                \
	X(LE, "le")                                                                                \
	X(GT, "gt")                                                                                \
	X(GE, "ge")                                                                                \
	X(LS, "ls")                                                                                \
	X(HS, "hs")                                                                                \
	X(EQU, "equ")                                                                              \
	X(NEU, "neu")                                                                              \
	X(LTU, "ltu")                                                                              \
	X(LEU, "leu")                                                                              \
	X(GTU, "gtu")                                                                              \
	X(GEU, "geu")                                                                              \
	X(NUM, "num")                                                                              \
	X(ISNAN, "nan")                                                                            \
	X(AND, "and")                                                                              \
	X(OR, "or")                                                                                \
	X(XOR, "xor")                                                                              \
	X(POPC, "popc")                                                                            \
	X(FINITE, "finite")                                                                        \
	X(INFINITE, "infinite")                                                                    \
	X(NUMBER, "number")                                                                        \
	X(NOTANUMBER, "notanumber")                                                                \
	X(NORMAL, "normal")                                                                        \
	X(SUBNORMAL, "subnormal")                                                                  \
	X(TO, "to")                                                                                \
	X(UNI, "uni")                                                                              \
	X(IDX, "idx")                                                                              \
	X(SYNC, "sync")                                                                            \
	X(ALIGNED, "aligned")                                                                      \
	X(ARRIVE, "arrive")                                                                        \
	X(RED, "red")                                                                              \
	X(WARP, "warp")                                                                            \
	X(WAIT, "wait")                                                                            \
	X(PROXY, "proxy")                                                                          \
	X(ALIAS, "alias")                                                                          \
	X(ASYNC, "async")                                                                          \
	X(GENERIC, "generic")                                                                      \
	X(MBARRIER_INIT, "mbarrier_init")                                                          \
	X(ADD, "add")                                                                              \
	X(INC, "inc")                                                                              \
	X(DEC, "dec")                                                                              \
	X(MIN, "min")                                                                              \
	X(MAX, "max")                                                                              \
	X(EXCH, "exch")                                                                            \
	X(CAS, "cas")                                                                              \
	X(NOFTZ, "noftz")                                                                          \
	X(UP, "up")                                                                                \
	X(DOWN, "down")                                                                            \
	X(BFLY, "bfly")                                                                            \
	X(SYNC_RESTRICT, "sync_restrict")                                                          \
	X(ALL, "all")                                                                              \
	X(ANY, "any")                                                                              \
	X(BALLOT, "ballot")                                                                        \
	X(INIT, "init")                                                                            \
	X(INVAL, "inval")                                                                          \
	X(ARRIVE_DROP, "arrive_drop")                                                              \
	X(EXPECT_TX, "expect_tx")                                                                  \
	X(COMPLETE_TX, "complete_tx")                                                              \
	X(TEST_WAIT, "test_wait")                                                                  \
	X(TRY_WAIT, "try_wait")                                                                    \
	X(PENDING_COUNT, "pending_count")                                                          \
	X(PARITY, "parity")                                                                        \
	X(NOCOMPLETE, "noComplete")                                                                \
	X(NOINC, "noinc")                                                                          \
	X(MBARRIER, "mbarrier")                                                                    \
	X(MBARRIER_TX, "mbarrier::complete_tx::bytes")                                             \
	X(BULK, "bulk")                                                                            \
	X(BULK_GROUP, "bulk_group")                                                                \
	X(COMMIT_GROUP, "commit_group")                                                            \
	X(WAIT_GROUP, "wait_group")                                                                \
	X(WAIT_ALL, "wait_all")                                                                    \
	X(READ, "read")                                                                            \
	X(REDUCE, "reduce")                                                                        \
	X(LAUNCH_DEPENDENTS, "launch_dependents")                                                  \
	X(PACK, "pack")                                                                            \
	X(PTR, "ptr")                                                                              \
	X(FRACTIONAL, "fractional")                                                                \
	X(RANGE, "range")                                                                          \
	X(CVT, "cvt")                                                                              \
	X(MASK, "mask")                                                                            \
	X(OOB, "oob")                                                                              \
	X(PREFETCH, "prefetch")                                                                    \
	X(MULTICAST, "multicast::cluster")                                                         \
	X(CP_MASK, "cp_mask")                                                                      \
	X(TRY_CANCEL, "try_cancel")                                                                \
	X(QUERY_CANCEL, "query_cancel")                                                            \
	X(IS_CANCELED, "is_canceled")                                                              \
	X(FIRST_CTAID, "get_first_ctaid")                                                          \
	X(TRANS, "trans")                                                                          \
	X(M8N8, "m8n8")                                                                            \
	X(X1, "x1")                                                                                \
	X(X2, "x2")                                                                                \
	X(X4, "x4")                                                                                \
	X(ROW, "row")                                                                              \
	X(COL, "col")                                                                              \
	X(M8N8K4, "m8n8k4")                                                                        \
	X(M8N8K16, "m8n8k16")                                                                      \
	X(M8N8K32, "m8n8k32")                                                                      \
	X(M8N8K128, "m8n8k128")                                                                    \
	X(M16N8K4, "m16n8k4")                                                                      \
	X(M16N8K8, "m16n8k8")                                                                      \
	X(M16N8K16, "m16n8k16")                                                                    \
	X(M16N8K32, "m16n8k32")                                                                    \
	X(M16N8K64, "m16n8k64")                                                                    \
	X(M16N8K128, "m16n8k128")                                                                  \
	X(M16N8K256, "m16n8k256")                                                                  \
	X(PO, "po")                                                                                \
	X(SHR7, "shr7")                                                                            \
	X(SHR15, "shr15")

typedef enum ptx_modifier {
#define WEIR_ROW_(name, text) PTX_M_##name,
	WEIR_PTX_MODIFIERS(WEIR_ROW_)
#undef WEIR_ROW_
	PTX_MODIFIERS
} ptx_modifier;

#define PTX_MODIFIER_WORDS ((PTX_MODIFIERS + 63) / 64)

#define PTX_INTS "u16 u32 u64 s16 s32 s64 "
#define PTX_BITS "b16 b32 b64 "
#define PTX_HALVES "f16 f16x2 bf16 bf16x2 "
#define PTX_FLOATS "f32 f64 "
#define PTX_ROUND "rn rz rm rp ftz sat "
#define PTX_COMPARE "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz "
#define PTX_ORDERS "weak volatile relaxed acquire release mmio cta cluster gpu sys "
#define PTX_SPACES                                                                                 \
	"global shared shared::cta shared::cluster local const param param::entry param::func "
#define PTX_HINTS "L1 L2 L2::cache_hint ca cg cs lu cv wb wt nc unified "
#define PTX_MOVED "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 "

/* name, decoder, types, modifiers, what it is (a heading of the documents) */
#define WEIR_PTX_INSTRUCTIONS(X)                                                                   \
	X(add, add, PTX_INTS "u16x2 s16x2 f32x2 " PTX_HALVES PTX_FLOATS, PTX_ROUND "cc", INTEGER)  \
	X(sub, add, PTX_INTS "u16x2 s16x2 f32x2 " PTX_HALVES PTX_FLOATS, PTX_ROUND "cc", INTEGER)  \
	X(mul, mul, PTX_INTS "f32x2 " PTX_HALVES PTX_FLOATS, PTX_ROUND "hi lo wide", INTEGER)      \
	X(mad, mad, PTX_INTS PTX_FLOATS, PTX_ROUND "hi lo wide cc", INTEGER)                       \
	X(mul24, mul24, "u32 s32", "hi lo", INTEGER)                                               \
	X(mad24, mul24, "u32 s32", "hi lo sat", INTEGER)                                           \
	X(sad, sad, PTX_INTS, "", INTEGER)                                                         \
	X(div, div, PTX_INTS PTX_FLOATS, PTX_ROUND "approx full", INTEGER)                         \
	X(rem, rem, PTX_INTS, "", INTEGER)                                                         \
	X(abs, abs, "s16 s32 s64 " PTX_HALVES PTX_FLOATS, "ftz", INTEGER)                          \
	X(neg, abs, "s16 s32 s64 " PTX_HALVES PTX_FLOATS, "ftz", INTEGER)                          \
	X(min, min, PTX_INTS "u16x2 s16x2 " PTX_HALVES PTX_FLOATS, "ftz NaN xorsign abs relu",     \
	  INTEGER)                                                                                 \
	X(max, min, PTX_INTS "u16x2 s16x2 " PTX_HALVES PTX_FLOATS, "ftz NaN xorsign abs relu",     \
	  INTEGER)                                                                                 \
	X(popc, bits, "b32 b64", "", INTEGER)                                                      \
	X(clz, bits, "b32 b64", "", INTEGER)                                                       \
	X(brev, bits, "b32 b64", "", INTEGER)                                                      \
	X(bfind, bfind, "u32 u64 s32 s64", "shiftamt", INTEGER)                                    \
	X(fns, fns, "b32", "", INTEGER)                                                            \
	X(bfe, bfe, "u32 u64 s32 s64", "", INTEGER)                                                \
	X(bfi, bfi, "b32 b64", "", INTEGER)                                                        \
	X(szext, szext, "u32 s32", "wrap clamp", INTEGER)                                          \
	X(bmsk, bmsk, "b32", "wrap clamp", INTEGER)                                                \
	X(dp4a, dp4a, "u32 s32", "", INTEGER)                                                      \
	X(dp2a, dp4a, "u32 s32", "lo hi", INTEGER)                                                 \
	X(addc, addc, "u32 s32 u64 s64", "cc", INTEGER)                                            \
	X(subc, addc, "u32 s32 u64 s64", "cc", INTEGER)                                            \
	X(madc, mad, "u32 s32 u64 s64", "hi lo cc", INTEGER)                                       \
	X(fma, fma, "f32x2 " PTX_HALVES PTX_FLOATS, PTX_ROUND "relu oob", FLOAT)                       \
	X(rcp, root, PTX_FLOATS, PTX_ROUND "approx", FLOAT)                                        \
	X(sqrt, root, PTX_FLOATS, PTX_ROUND "approx", FLOAT)                                       \
	X(rsqrt, root, PTX_FLOATS, "approx ftz", FLOAT)                                            \
	X(sin, approx, "f32", "approx ftz", FLOAT)                                                 \
	X(cos, approx, "f32", "approx ftz", FLOAT)                                                 \
	X(lg2, approx, "f32", "approx ftz", FLOAT)                                                 \
	X(ex2, approx, PTX_HALVES "f32", "approx ftz", FLOAT)                                      \
	X(tanh, approx, PTX_HALVES "f32", "approx", FLOAT)                                         \
	X(testp, testp, PTX_FLOATS, "finite infinite number notanumber normal subnormal", FLOAT)   \
	X(copysign, copysign, PTX_FLOATS, "", FLOAT)                                               \
	X(set, set, PTX_BITS PTX_INTS PTX_HALVES PTX_FLOATS, PTX_COMPARE, COMPARE)                 \
	X(setp, setp, PTX_BITS PTX_INTS PTX_HALVES PTX_FLOATS, PTX_COMPARE, COMPARE)               \
	X(selp, selp, PTX_BITS PTX_INTS PTX_HALVES PTX_FLOATS, "", COMPARE)                        \
	X(slct, slct, PTX_BITS PTX_INTS PTX_FLOATS, "ftz", COMPARE)                                \
	X(and, logic, "pred " PTX_BITS, "", LOGIC)                                                 \
	X(or, logic, "pred " PTX_BITS, "", LOGIC)                                                  \
	X(xor, logic, "pred " PTX_BITS, "", LOGIC)                                                 \
	X(not, logic, "pred " PTX_BITS, "", LOGIC)                                                 \
	X(cnot, logic, PTX_BITS, "", LOGIC)                                                        \
	X(lop3, lop3, "b32", "and or", LOGIC)                                                      \
	X(shf, shf, "b32", "l r wrap clamp", LOGIC)                                                \
	X(shl, shift, PTX_BITS, "", LOGIC)                                                         \
	X(shr, shift, PTX_BITS PTX_INTS, "", LOGIC)                                                \
	X(prmt, prmt, "b32", "f4e b4e rc8 ecl ecr rc16", LOGIC)                                    \
	X(mov, mov, "pred " PTX_MOVED, "v2 v4", MOVE)                                                   \
	X(cvt, cvt, PTX_MOVED "tf32 e4m3x2 e5m2x2 e2m3x2 e3m2x2 e2m1x2 s4 u4 s2 u2",                                                \
	  "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu pack", MOVE)                     \
	X(cvta, cvta, "u32 u64", PTX_SPACES "to", MOVE)                                            \
	X(isspacep, isspacep, "", PTX_SPACES, MOVE)                                                \
	X(mapa, mapa, "u32 u64", "shared::cluster", MOVE)                                          \
	X(getctarank, mapa, "u32 u64", "shared::cluster", MOVE)                                    \
	X(ld, ld, PTX_MOVED, PTX_ORDERS PTX_SPACES PTX_HINTS "v1 v2 v4 v8", MEMORY)                \
	X(ldu, ld, PTX_MOVED, "global v1 v2 v4", MEMORY)                                           \
	X(st, st, PTX_MOVED,                                                                       \
	  PTX_ORDERS PTX_SPACES PTX_HINTS "v1 v2 v4 v8 async mbarrier::complete_tx::bytes",        \
	  MEMORY)                                                                                  \
	X(prefetch, nothing, "", "global local const param generic tensormap L1 L2 ", MEMORY)      \
	X(prefetchu, nothing, "", "L1", MEMORY)                                                    \
	X(applypriority, nothing, "", "global L2", MEMORY)                                         \
	X(discard, nothing, "", "global L2", MEMORY)                                               \
	X(createpolicy, policy, "b64", "L2 fractional range cvt global", MEMORY)                             \
	X(atom, atom, PTX_BITS "b128 u32 u64 s32 s64 f32 f64 " PTX_HALVES,                         \
	  "relaxed acquire release acq_rel cta cluster gpu sys global shared shared::cta "         \
	  "shared::cluster add inc dec min max and or xor exch cas noftz v2 v4 v8 L2::cache_hint", \
	  ATOMIC)                                                                                  \
	X(red, red, PTX_BITS "u32 u64 s32 s64 f32 f64 " PTX_HALVES,                                \
	  "relaxed release mmio cta cluster gpu sys global shared shared::cta shared::cluster add inc "\
	  "dec min max and or xor noftz v2 v4 v8 L2::cache_hint async "                            \
	  "mbarrier::complete_tx::bytes",                                                          \
	  ATOMIC)                                                                                  \
	X(fence, fence, "",                                                                        \
	  "sc acq_rel acquire release cta cluster gpu sys proxy alias async global shared::cta "   \
	  "shared::cluster tensormap generic mbarrier_init sync_restrict",                         \
	  SYNC)                                                                                    \
	X(membar, fence, "", "cta gl sys proxy alias async global shared::cta", SYNC)              \
	X(bar, bar, "pred u32", "sync arrive red warp popc and or cta aligned", SYNC)              \
	X(barrier, bar, "pred u32",                                                                \
	  "sync arrive red popc and or cta cluster wait aligned acquire release relaxed", SYNC)    \
	X(shfl, shfl, "b32", "sync up down bfly idx", WARP)                                        \
	X(vote, vote, "pred b32", "sync all any uni ballot", WARP)                                 \
	X(match, match, "b32 b64", "any all sync", WARP)                                           \
	X(redux, redux, "u32 s32 b32 f32", "sync add min max and or xor abs NaN", WARP)            \
	X(activemask, activemask, "b32", "", WARP)                                                 \
	X(elect, elect, "", "sync", WARP)                                                          \
	X(mbarrier, mbarrier, "b64",                                                               \
	  "init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait pending_count "  \
	  "parity noComplete shared shared::cta shared::cluster release acquire relaxed cta "      \
	  "cluster",                                                                               \
	  SYNC)                                                                                    \
	X(cp, cp, PTX_BITS "u32 u64 s32 s64 f16 bf16 f32 f64",                                     \
	  "async bulk commit_group wait_group wait_all read mbarrier arrive noinc ca cg global "   \
	  "shared shared::cta shared::cluster reduce add min max inc dec and or xor noftz "        \
	  "mbarrier::complete_tx::bytes bulk_group L1 L2 L2::cache_hint prefetch "                    \
	  "multicast::cluster",                             \
	  ASYNC)                                                                                   \
	X(ldmatrix, ldmatrix, "b16", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", MATRIX)    \
	X(stmatrix, ldmatrix, "b16", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", MATRIX)    \
	X(movmatrix, movmatrix, "b16", "sync aligned m8n8 trans", MATRIX)                              \
	X(mma, mma, "f16 bf16 tf32 f32 f64 e4m3 e5m2 e2m3 e3m2 e2m1 s8 u8 s4 u4 b1 s32",               \
	  "sync aligned row col satfinite m8n8k4 m8n8k16 m8n8k32 m8n8k128 m16n8k4 m16n8k8 m16n8k16 "   \
	  "m16n8k32 m16n8k64 m16n8k128 m16n8k256 xor and popc",                                        \
	  MATRIX)                                                                                      \
	X(vadd, video, "u32 s32", "sat add min max", VIDEO) \
	X(vsub, video, "u32 s32", "sat add min max", VIDEO) \
	X(vabsdiff, video, "u32 s32", "sat add min max", VIDEO) \
	X(vmin, video, "u32 s32", "sat add min max", VIDEO) \
	X(vmax, video, "u32 s32", "sat add min max", VIDEO) \
	X(vshl, video, "u32 s32", "sat clamp wrap add min max", VIDEO) \
	X(vshr, video, "u32 s32", "sat clamp wrap add min max", VIDEO) \
	X(vmad, video, "u32 s32", "sat po shr7 shr15", VIDEO) \
	X(vset, video, "u32 s32", "eq ne lt le gt ge add min max", VIDEO) \
	X(vadd2, video, "u32 s32", "sat add", VIDEO) \
	X(vsub2, video, "u32 s32", "sat add", VIDEO) \
	X(vavrg2, video, "u32 s32", "sat add", VIDEO) \
	X(vabsdiff2, video, "u32 s32", "sat add", VIDEO) \
	X(vmin2, video, "u32 s32", "sat add", VIDEO) \
	X(vmax2, video, "u32 s32", "sat add", VIDEO) \
	X(vset2, video, "u32 s32", "eq ne lt le gt ge add", VIDEO) \
	X(vadd4, video, "u32 s32", "sat add", VIDEO) \
	X(vsub4, video, "u32 s32", "sat add", VIDEO) \
	X(vavrg4, video, "u32 s32", "sat add", VIDEO) \
	X(vabsdiff4, video, "u32 s32", "sat add", VIDEO) \
	X(vmin4, video, "u32 s32", "sat add", VIDEO) \
	X(vmax4, video, "u32 s32", "sat add", VIDEO) \
	X(vset4, video, "u32 s32", "eq ne lt le gt ge add", VIDEO) \
	X(clusterlaunchcontrol, cancel, "b32 b128 pred",                                               \
	  "try_cancel query_cancel is_canceled get_first_ctaid async shared::cta "                     \
	  "mbarrier::complete_tx::bytes multicast::cluster v4",                                        \
	  CONTROL)                                                                                     \
	X(griddepcontrol, nothing, "", "launch_dependents wait", SYNC)                             \
	X(bra, bra, "", "uni", CONTROL)                                                            \
	X(brx, brx, "", "idx uni", CONTROL)                                                        \
	X(call, call, "", "uni", CONTROL)                                                          \
	X(ret, ret, "", "uni", CONTROL)                                                            \
	X(exit, ret, "", "", CONTROL)                                                              \
	X(trap, trap, "", "", CONTROL)                                                             \
	X(brkpt, trap, "", "", CONTROL)                                                            \
	X(pmevent, nothing, "", "mask", CONTROL)                                                       \
	X(nanosleep, nanosleep, "u32", "", CONTROL)                                                \
	X(setmaxnreg, nothing, "u32", "inc dec sync aligned", CONTROL)                             \
	X(alloca, alloca, "u32 u64", "", CONTROL)                                                  \
	X(stacksave, alloca, "u32 u64", "", CONTROL)                                               \
	X(stackrestore, alloca, "u32 u64", "", CONTROL)

typedef enum ptx_opcode {
#define WEIR_ROW_(name, decoder, types, modifiers, heading) PTX_OP_##name,
	WEIR_PTX_INSTRUCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
	PTX_OPCODES,
	PTX_UNKNOWN = PTX_OPCODES
} ptx_opcode;

/* Special registers; those with components take three. name, spelling, components */
#define WEIR_PTX_SPECIALS(X)                                                                       \
	X(TID, "%tid", 3)                                                                          \
	X(NTID, "%ntid", 3)                                                                        \
	X(CTAID, "%ctaid", 3)                                                                      \
	X(NCTAID, "%nctaid", 3)                                                                    \
	X(CLUSTERID, "%clusterid", 3)                                                              \
	X(NCLUSTERID, "%nclusterid", 3)                                                            \
	X(CLUSTER_CTAID, "%cluster_ctaid", 3)                                                      \
	X(CLUSTER_NCTAID, "%cluster_nctaid", 3)                                                    \
	X(CLUSTER_CTARANK, "%cluster_ctarank", 1)                                                  \
	X(CLUSTER_NCTARANK, "%cluster_nctarank", 1)                                                \
	X(IS_EXPLICIT_CLUSTER, "%is_explicit_cluster", 1)                                          \
	X(LANEID, "%laneid", 1)                                                                    \
	X(WARPID, "%warpid", 1)                                                                    \
	X(NWARPID, "%nwarpid", 1)                                                                  \
	X(SMID, "%smid", 1)                                                                        \
	X(NSMID, "%nsmid", 1)                                                                      \
	X(GRIDID, "%gridid", 1)                                                                    \
	X(LANEMASK_EQ, "%lanemask_eq", 1)                                                          \
	X(LANEMASK_LE, "%lanemask_le", 1)                                                          \
	X(LANEMASK_LT, "%lanemask_lt", 1)                                                          \
	X(LANEMASK_GE, "%lanemask_ge", 1)                                                          \
	X(LANEMASK_GT, "%lanemask_gt", 1)                                                          \
	X(CLOCK, "%clock", 1)                                                                      \
	X(CLOCK_HI, "%clock_hi", 1)                                                                \
	X(CLOCK64, "%clock64", 1)                                                                  \
	X(GLOBALTIMER, "%globaltimer", 1)                                                          \
	X(GLOBALTIMER_LO, "%globaltimer_lo", 1)                                                    \
	X(GLOBALTIMER_HI, "%globaltimer_hi", 1)                                                    \
	X(ENVREG, "%envreg", 1)                                                                    \
	X(DYNAMIC_SMEM, "%dynamic_smem_size", 1)                                                   \
	X(TOTAL_SMEM, "%total_smem_size", 1)                                                       \
	X(AGGR_SMEM, "%aggr_smem_size", 1)                                                         \
	X(RESERVED_SMEM_BEGIN, "%reserved_smem_offset_begin", 1)                                   \
	X(RESERVED_SMEM_END, "%reserved_smem_offset_end", 1)                                       \
	X(RESERVED_SMEM_CAP, "%reserved_smem_offset_cap", 1)                                       \
	X(GRAPH_EXEC, "%current_graph_exec", 1)                                                        \
	X(PM, "%pm", 1)                                                                            \
	X(RESERVED_SMEM, "%reserved_smem_offset_", 1)

typedef enum ptx_special {
#define WEIR_ROW_(name, text, components) PTX_S_##name,
	WEIR_PTX_SPECIALS(WEIR_ROW_)
#undef WEIR_ROW_
	PTX_SPECIALS
} ptx_special;

extern const struct ptx_type_row {
	const char *text;
	uint8_t bits;
	char class;
} weir_ptx_types[PTX_TYPES + 1];

extern const struct ptx_instruction_row {
	const char *name, *types, *modifiers, *heading;
} weir_ptx_instructions[PTX_OPCODES + 1];

extern const char *const weir_ptx_modifiers[PTX_MODIFIERS];
extern const struct ptx_special_row {
	const char *text;
	uint8_t components;
} weir_ptx_specials[PTX_SPECIALS];

static inline unsigned ptx_bytes(ptx_type type)
{
	return weir_ptx_types[type].bits / 8u;
}

#endif
