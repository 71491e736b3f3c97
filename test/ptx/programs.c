/* Small kernels: what real PTX looks like, every kind of instruction that is no arithmetic, and every
 * way in which a launch can end. A row has what stands at the top level, the body of a kernel whose
 * parameter `out` points to 64 words, the launch, how it ends, and the first words or the text that
 * the result must have. The register %o has the address of `out`, %t the thread, %b the block. */
#include <stdio.h>
#include <string.h>

#include "run.h"

typedef struct program {
	const char *name, *top, *body;
	unsigned grid, block, cluster, resident, dynamic;
	int cooperative;
	weir_ptx_end end;
	const char *text; /* in the result's text, or printed */
	uint32_t words[8];
} program;

#define REGS                                                                                       \
	".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>, %t, %b; .reg .f32 %f<8>; .reg .b64 " \
	"%o, %x<16>;"                                                                              \
	".reg .b128 %w<3>; .reg .f64 %d<4>;\n"                                                     \
	"ld.param.u64 %o, [out]; cvta.to.global.u64 %o, %o; mov.u32 %t, %tid.x; mov.u32 %b, "      \
	"%ctaid.x;\n"

#define EACH "mad.wide.u32 %x15, %t, 4, %o; st.global.u32 [%x15], "
#define FIRST "setp.ne.u32 %p7, %t, 0; @%p7 bra END; "

static const program programs[] = {
    /* what compilers write */
    {"modifiers in any order",
     "",
     "st.global.relaxed.gpu.u32 [%o], 5; ld.acquire.sys.global.b32 %r1, [%o]; "
     "ld.global.gpu.acquire.b32 %r2, [%o];"
     "ld.gpu.global.acquire.b32 %r3, [%o]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;"
     "st.release.global.sys.b32 [%o+4], %r1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {5, 15}},
    {"names repeat in scopes",
     "",
     "mov.u32 %r1, 1; { .reg .u32 %r1; .reg .pred p; mov.u32 %r1, 7; setp.eq.u32 p, %r1, 7; @p bra "
     "L; trap; L:"
     "st.global.u32 [%o], %r1; { .reg .pred p; mov.pred p, 1; @p bra L; trap; L: } }"
     "{ .reg .pred p; mov.pred p, 1; @!p bra L; bra.uni M; L: trap; M: } st.global.u32 [%o+4], "
     "%r1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {7, 1}},
    {"a register wider than the type",
     "",
     "mov.u32 %r1, -1; st.global.u32 [%o], %r1; ld.global.u32 %x1, [%o]; shr.u64 %x2, %x1, 32; "
     "cvt.u32.u64 %r2, %x2;"
     "ld.global.s32 %x1, [%o]; shr.u64 %x2, %x1, 32; cvt.u32.u64 %r3, %x2; ld.global.s8 %r4, [%o]; "
     "ld.global.u8 %r5, [%o];"
     "st.global.v4.u32 [%o], {%r2, %r3, %r4, %r5};",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {0, ~0u, ~0u, 255}},
    {"floats in b32, vectors of one",
     "",
     "mov.b32 %r1, 0f3F800000; add.f32 %r2, %r1, 0f40000000; st.global.v1.b32 [%o], {%r2}; "
     "ld.global.v1.b32 {%r3}, [%o];"
     "mul.f32 %r3, %r3, 2.5; cvt.rzi.u32.f32 %r4, %r3; mov.u32 %r5, {%r4}; st.global.u32 [%o], "
     "%r5;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {7}},
    {"sinks and pairs",
     "",
     "setp.lt.u32 %p1|%p2, %t, 5; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; mov.b64 %x1, "
     "0x500000006;"
     "mov.b64 {_, %r3}, %x1; atom.global.add.u32 _, [%o+12], 9; st.global.v2.u32 [%o], {%r1, %r2}; "
     "st.global.u32 [%o+8], %r3;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1, 0, 5, 9}},
    {"constant expressions",
     ".global .align 8 .b32 a[4] = {1+2*3, (1<<4)|1, -1, 0x10};",
     "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [a]; st.global.v4.u32 [%o], {%r1, %r2, %r3, %r4}; "
     "mov.u32 %r1, 8-3; st.global.u32 [%o+16], %r1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {7, 17, ~0u, 16, 5}},
    {"addresses in memory",
     ".global .b32 v[2] = {3, 4}; .global .u64 p[2] = {v, generic(v)+4}; .const .b32 c = 11;",
     "ld.global.u64 %x1, [p+8]; ld.u32 %r1, [%x1]; ld.global.u64 %x1, [p]; ld.global.u32 %r2, "
     "[%x1]; ld.const.u32 %r3, [c];"
     "st.global.v2.u32 [%o], {%r1, %r2}; st.global.u32 [%o+8], %r3;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {4, 3, 11}},
    {"an unknown instruction is not reached",
     ".func f() { wgmma.foo.bar %q, {1}, [x]; ret; }",
     "mov.pred %p1, 0; @%p1 tcgen05.alloc.b32 [%r1], 5; st.global.u32 [%o], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1}},
    {"an unknown instruction is reached",
     "",
     "tcgen05.alloc.b32 [%r1], 5;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_UNSUPPORTED,
     "tcgen05.alloc.b32: this instruction is not supported",
     {0}},
    {"an unknown modifier",
     "",
     "add.weird.u32 %r1, %r1, 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_UNSUPPORTED,
     "this modifier is not supported",
     {0}},
    {"an undeclared register",
     "",
     "add.u32 %zz, %r1, 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_UNSUPPORTED,
     "undeclared register",
     {0}},
    {"source lines",
     ".file 1 \"/a/user.cu\" .file 2 \"/usr/include/cuda/std/atomic\"",
     ".loc 1 12 3\n.loc 2 90 1, function_name $x, inlined_at 1 12 3\n.loc 2 95 1, function_name "
     "$x, inlined_at 2 90 1\ntrap;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_TRAP,
     "user.cu:12 (PTX line ",
     {0}},
    {"debug sections",
     ".section .debug_str { info_string0: .b8 95,90,0 \n .b32 .debug }",
     "st.global.u32 [%o], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1}},
    {"parameters as values",
     "",
     "mov.b64 %x1, out; ld.param.u64 %x2, [%x1]; cvta.param.u64 %x3, %x1; ld.u64 %x4, [%x3]; "
     "xor.b64 %x5, %x2, %x4; setp.eq.u64 %p1, %x5, 0;"
     "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%o], %r1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1}},
    /* control */
    {"a table of branches",
     "",
     "brx.idx %t, T; T: .branchtargets A, B, C; A: mov.u32 %r1, 5; bra E; B: mov.u32 %r1, 6; bra "
     "E; C: mov.u32 %r1, 7; E: " EACH "%r1;",
     1,
     3,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {5, 6, 7}},
    {"calls and recursion",
     ".func (.param .b32 r) fib(.param .b32 n) { .reg .b32 %a<6>; .reg .pred %p; ld.param.u32 %a0, "
     "[n]; setp.lt.u32 %p, %a0, 2; @%p bra D;"
     "{ .param .b32 p0; .param .b32 q0; sub.u32 %a1, %a0, 1; st.param.b32 [p0], %a1; call.uni "
     "(q0), fib, (p0); ld.param.b32 %a2, [q0]; }"
     "{ .param .b32 p0; .param .b32 q0; sub.u32 %a1, %a0, 2; st.param.b32 [p0], %a1; call.uni "
     "(q0), fib, (p0); ld.param.b32 %a3, [q0]; }"
     "add.u32 %a0, %a2, %a3; D: st.param.b32 [r], %a0; ret; }",
     "add.u32 %r1, %t, 10; { .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1; call (q0), "
     "fib, (p0); ld.param.b32 %r2, [q0]; } " EACH "%r2;",
     1,
     3,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {55, 89, 144}},
    {"an indirect call, registers as parameters",
     ".func (.reg .b32 r) dbl(.reg .b32 n) { add.u32 r, n, n; ret; } .func (.reg .b32 r) inc(.reg "
     ".b32 n) { add.u32 r, n, 1; ret; } .global .u64 table[2] = {dbl, inc};",
     "mad.wide.u32 %x1, %t, 8, table; ld.global.u64 %x2, [%x1]; P: .callprototype (.reg .b32 _) _ "
     "(.reg .b32 _); call (%r1), %x2, (21), P; " EACH "%r1;",
     1,
     2,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {42, 22}},
    {"a call of no function",
     "",
     "mov.u64 %x1, 64; call %x1, (), P; P: .callprototype _ ();",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_BAD_CALL,
     "no function",
     {0}},
    {"endless recursion",
     ".func f() { call.uni f; ret; }",
     "call.uni f;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_STACK,
     "endless recursion?",
     {0}},
    {"locals, alloca",
     "",
     ".local .align 8 .b8 l[32]; mov.u64 %x1, l; cvta.local.u64 %x2, %x1; st.u32 [%x2+4], 7; "
     "ld.local.u32 %r1, [l+4]; alloca.u64 %x3, 16; st.local.u32 [%x3], 9; ld.local.u32 %r2, [%x3];"
     "isspacep.local %p1, %x2; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 [%o], {%r1, %r2}; "
     "st.global.u32 [%o+8], %r3;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {7, 9, 1}},
    {"locals",
     "",
     ".local .align 8 .b8 l[32]; mov.u64 %x1, l; cvta.local.u64 %x2, %x1; st.u32 [%x2+4], 7; "
     "ld.local.u32 %r1, [l+4];"
     "isspacep.local %p1, %x2; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 [%o], {%r1, %r3};",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {7, 1}},
    {"trap", "", "trap;", 1, 1, 0, 0, 0, 0, WEIR_PTX_TRAP, "trap", {0}},
    {"printf",
     ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b); .global .b8 s[] = {0}; "
     ".global .align 1 .b8 fmt[16] = {37,100,32,37,46,49,102,32,37,37,10,0};",
     ".local .align 8 .b8 l[16]; mov.u64 %x1, l; cvta.local.u64 %x2, %x1; st.local.u32 [l], -5; "
     "st.local.f64 [l+8], 0d3FF8000000000000; mov.u64 %x3, fmt; cvta.global.u64 %x3, %x3;"
     "{ .param .b64 p0; .param .b64 p1; .param .b32 q; st.param.b64 [p0], %x3; st.param.b64 [p1], "
     "%x2; call.uni (q), vprintf, (p0, p1); }",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     "-5 1.5 %\n",
     {0}},
    /* memory */
    {"out of bounds",
     "",
     "st.global.u32 [%o+256], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_OUT_OF_BOUNDS,
     "4 bytes at",
     {0}},
    {"before the start",
     "",
     "ld.global.u64 %x1, [%o-8];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_OUT_OF_BOUNDS,
     "8 bytes at",
     {0}},
    {"null",
     "",
     "mov.u64 %x1, 0; ld.u32 %r1, [%x1];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_OUT_OF_BOUNDS,
     "a null pointer?",
     {0}},
    {"misaligned",
     "",
     "ld.global.u32 %r1, [%o+2];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_MISALIGNED,
     "no multiple of 4",
     {0}},
    {"a misaligned vector",
     "",
     "ld.global.v2.u32 {%r1, %r2}, [%o+4];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_MISALIGNED,
     "no multiple of 8",
     {0}},
    {"wrong space",
     ".shared .b32 s;",
     "mov.u64 %x1, s; cvta.shared.u64 %x1, %x1; st.global.u32 [%x1], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_WRONG_SPACE,
     "shared memory",
     {0}},
    {"a generic address in shared",
     "",
     "ld.shared.u32 %r1, [%o];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_WRONG_SPACE,
     "not of shared memory",
     {0}},
    {"shared out of bounds",
     ".shared .b32 s;",
     "st.shared.u32 [s+4], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_OUT_OF_BOUNDS,
     "of the block's 4 bytes",
     {0}},
    {"shared never written",
     ".shared .b32 s;",
     "ld.shared.u32 %r1, [s];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_NEVER_WRITTEN,
     "never written",
     {0}},
    {"constants are read only",
     ".const .b32 c = 1;",
     "mov.u64 %x1, c; cvta.const.u64 %x1, %x1; st.u32 [%x1], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_READ_ONLY,
     "constant 'c'",
     {0}},
    {"division by zero",
     "",
     "div.u32 %r1, 5, %t;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DIVISION,
     "division by zero",
     {0}},
    {"dynamic shared memory",
     ".extern .shared .align 16 .b8 dyn[]; .shared .b32 s;",
     "st.shared.u32 [dyn+12], 3; st.shared.u32 [s], 4; ld.shared.u32 %r1, [dyn+12]; mov.u32 %r2, "
     "%dynamic_smem_size; st.global.v2.u32 [%o], {%r1, %r2};",
     1,
     1,
     0,
     0,
     16,
     0,
     WEIR_PTX_DONE,
     NULL,
     {3, 16}},
    {"128 bits",
     "",
     "mov.b128 %w0, {%o, %o}; mov.b64 %x1, 0; mov.b128 %w1, {%x1, %x1}; atom.global.cas.b128 %w2, "
     "[%o], %w1, %w0; mov.b128 {%x2, %x3}, %w2; ld.global.u64 %x4, [%o+8]; setp.eq.and.u64 %p1, "
     "%x4, %o, 1; selp.u32 %r1, 1, 0, %p1;"
     "cvt.u32.u64 %r2, %x2; st.global.v2.u32 [%o], {%r1, %r2}; st.global.u64 [%o+8], 0;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1, 0}},
    {"atomics",
     "",
     "atom.global.add.u32 %r1, [%o], 5; atom.global.inc.u32 %r1, [%o+4], 2; red.global.max.s32 "
     "[%o+8], %t; atom.global.dec.u32 %r1, [%o+12], 40; red.global.or.b32 [%o+16], 6; "
     "atom.global.xor.b32 %r1, [%o+20], 1; red.release.gpu.global.add.f32 [%o+24], 0f3F800000; "
     "atom.cas.b16 %h1, [%o+28], 0, 9;",
     1,
     4,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {20, 1, 3, 37, 6, 0, 0x40800000, 9}},
    {"vector and packed atomics",
     "",
     "atom.global.v2.f32.add {%f1, %f2}, [%o], {0f3F800000, 0f40000000}; "
     "red.global.add.noftz.f16x2 [%o+8], 0x3C004000; red.global.add.noftz.bf16x2 [%o+12], "
     "0x3F804000; atom.global.add.f64 %d1, [%o+16], 0d3FF0000000000000; red.global.and.b64 "
     "[%o+24], 5; red.global.min.u64 [%o+24], 3;",
     1,
     2,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {0x40000000, 0x40800000, 0x40004400, 0x40004080, 0, 0x40000000, 0, 0}},
    /* warps */
    {"shuffles",
     "",
     "shfl.sync.down.b32 %r1|%p1, %t, 1, 0x1f, -1; shfl.sync.bfly.b32 %r2, %r1, 2, 0x1f, -1; "
     "shfl.sync.idx.b32 %r3, %r2, 5, 0x181f, -1; shfl.sync.up.b32 %r4, %t, 1, 0, -1; setp.gt.u32 "
     "%p2, %t, 1; @%p2 bra E; " EACH "%r1; add.u64 %x15, %x15, 8; st.global.u32 [%x15], %r3; "
                                     "add.u64 %x15, %x15, 8; st.global.u32 [%x15], %r4; E:",
     1,
     32,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1, 2, 8, 8, 0, 0}},
    {"votes, matches, redux",
     "",
     "setp.lt.u32 %p1, %t, 5; vote.sync.ballot.b32 %r1, %p1, -1; vote.sync.any.pred %p2, %p1, -1; "
     "vote.sync.all.pred %p3, %p1, -1; and.b32 %r2, %t, 7; match.any.sync.b32 %r3, %r2, -1; "
     "redux.sync.add.u32 %r4, %t, -1; redux.sync.min.s32 %r5, %t, -1; activemask.b32 %r6; "
     "elect.sync %r7|%p4, -1;" FIRST
     "selp.u32 %r8, 1, 0, %p2; selp.u32 %r9, 1, 0, %p3; selp.u32 %r10, 1, 0, %p4; st.global.v4.u32 "
     "[%o], {%r1, %r3, %r4, %r6}; st.global.v4.u32 [%o+16], {%r8, %r9, %r10, %r5}; END:",
     1,
     32,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {31, 0x01010101, 496, ~0u, 1, 0, 1, 0}},
    {"lanes outside the mask",
     "",
     "bar.warp.sync 1;",
     1,
     2,
     0,
     0,
     0,
     0,
     WEIR_PTX_WARP,
     "lane 1 is not in the mask",
     {0}},
    {"a lane that never comes",
     "",
     "setp.eq.u32 %p1, %t, 0; @%p1 bra L; bar.warp.sync 3; L: bar.sync 0;",
     1,
     2,
     0,
     0,
     0,
     0,
     WEIR_PTX_HANG,
     "wait for the lanes 0x3",
     {0}},
    /* barriers */
    {"named and counted barriers",
     ".shared .b32 s[4];",
     "setp.lt.u32 %p1, %t, 32; @!%p1 bra C; st.shared.u32 [s], 3; bar.arrive 1, 64; bra E; C: "
     "bar.sync 1, 64; ld.shared.u32 %r1, [s]; st.global.u32 [%o], %r1; E: bar.sync 0; "
     "bar.red.popc.u32 %r2, 0, %p1; st.global.u32 [%o+4], %r2;",
     1,
     64,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {3, 32}},
    {"an exit before a barrier",
     "",
     "setp.gt.u32 %p1, %t, 2; @%p1 exit; bar.sync 0;",
     1,
     8,
     0,
     0,
     0,
     0,
     WEIR_PTX_BARRIER,
     "barrier 0",
     {0}},
    {"a barrier after an exit",
     "",
     "setp.eq.u32 %p1, %t, 0; @%p1 exit; bar.sync 0;",
     1,
     8,
     0,
     0,
     0,
     0,
     WEIR_PTX_BARRIER,
     "barrier 0",
     {0}},
    {"a barrier that some wait elsewhere of",
     "",
     "setp.eq.u32 %p1, %t, 0; @%p1 bra L; bar.sync 0; L: bar.sync 1;",
     1,
     8,
     0,
     0,
     0,
     0,
     WEIR_PTX_HANG,
     "7 threads from (1,0,0) on wait at barrier 0, which 7 of 8",
     {0}},
    {"mbarriers",
     ".shared .align 8 .b64 m;",
     "setp.ne.u32 %p7, %t, 0; @%p7 bra W; mbarrier.init.shared.b64 [m], 4; W: bar.sync 0; "
     "mbarrier.arrive.shared.b64 %x1, [m]; L: mbarrier.try_wait.shared::cta.b64 %p1, [m], %x1; "
     "@!%p1 bra L; mbarrier.test_wait.parity.shared.b64 %p2, [m], 0; selp.u32 %r1, 1, 0, %p2; "
     "mbarrier.pending_count.b64 %r2, %x1; " EACH "%r1;",
     1,
     4,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {1, 1, 1, 1}},
    {"an mbarrier without init",
     ".shared .align 8 .b64 m;",
     "mbarrier.arrive.shared.b64 %x1, [m];",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_MBARRIER,
     "before mbarrier.init",
     {0}},
    {"an mbarrier that lacks an arrival",
     ".shared .align 8 .b64 m;",
     "mbarrier.init.shared.b64 [m], 2; mbarrier.arrive.shared.b64 %x1, [m]; L: "
     "mbarrier.try_wait.shared.b64 %p1, [m], %x1; @!%p1 bra L;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_HANG,
     "poll 8 bytes",
     {0}},
    {"asynchronous copies",
     ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 m;",
     "st.global.v2.u32 [%o], {8, 9}; cp.async.ca.shared.global [s], [%o], 8; "
     "cp.async.ca.shared.global [s+8], [%o], 8, 4; cp.async.commit_group; cp.async.wait_group 0; "
     "mbarrier.init.shared.b64 [m], 1; mbarrier.arrive.expect_tx.shared.b64 %x1, [m], 16;"
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+16], [%o], 16, [m]; L: "
     "mbarrier.try_wait.shared.b64 %p1, [m], %x1; @!%p1 bra L; ld.shared.v4.u32 {%r1, %r2, %r3, "
     "%r4}, [s]; ld.shared.u32 %r5, [s+20];"
     "fence.proxy.async.shared::cta; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
     "[%o+16], [s], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; "
     "st.global.v2.u32 [%o], {%r4, %r5};",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {0, 9, 0, 0, 8, 9, 8, 0}},
    /* blocks */
    {"a cluster",
     ".shared .b32 s;",
     "mov.u32 %r1, %cluster_ctarank; add.u32 %r2, %r1, 5; st.shared.u32 [s], %r2; "
     "barrier.cluster.arrive.release; barrier.cluster.wait.acquire; xor.b32 %r3, %r1, 1; mov.u32 "
     "%r4, s; mapa.shared::cluster.u32 %r5, %r4, %r3; ld.shared::cluster.u32 %r6, [%r5]; "
     "getctarank.shared::cluster.u32 %r7, %r5; mad.lo.u32 %r6, %r7, 100, %r6;"
     "barrier.cluster.arrive; barrier.cluster.wait; mad.wide.u32 %x1, %b, 4, %o; st.global.u32 "
     "[%x1], %r6;",
     4,
     1,
     2,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {106, 5, 106, 5}},
    {"a spin lock",
     "",
     "mov.u32 %r5, 0; L: atom.acquire.gpu.global.cas.b32 %r1, [%o], 0, 1; setp.ne.u32 %p1, %r1, 0; "
     "@%p1 bra L; ld.global.u32 %r2, [%o+4]; add.u32 %r2, %r2, 1; st.global.u32 [%o+4], %r2; "
     "st.release.gpu.global.u32 [%o], 0; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10; @%p1 bra "
     "L;",
     6,
     2,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {0, 120}},
    {"a barrier of the grid",
     "",
     FIRST
     "mov.u32 %r3, %nctaid.x; atom.release.gpu.global.add.u32 %r1, [%o], 1; L: "
     "ld.acquire.gpu.global.u32 %r2, [%o]; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; END: bar.sync 0;",
     8,
     4,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {8}},
    {"a barrier of more blocks than fit",
     "",
     FIRST
     "mov.u32 %r3, %nctaid.x; atom.release.gpu.global.add.u32 %r1, [%o], 1; L: "
     "ld.acquire.gpu.global.u32 %r2, [%o]; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; END: bar.sync 0;",
     8,
     4,
     0,
     4,
     0,
     0,
     WEIR_PTX_HANG,
     "4 have not started",
     {4}},
    {"a backoff that only pauses",
     "",
     "mov.u32 %r4, 8; L: nanosleep.u32 %r4; shl.b32 %r4, %r4, 1; ld.volatile.global.u32 %r1, [%o]; "
     "setp.eq.u32 %p1, %r1, 0; @%p1 bra L;",
     2,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_HANG,
     "poll 4 bytes",
     {0}},
    {"a poll of the whole block",
     ".shared .b32 s;",
     "L: setp.ne.u32 %p1, %t, 0; @%p1 bra W; ld.acquire.gpu.global.u32 %r1, [%o]; st.shared.u32 "
     "[s], %r1; W: bar.sync 0; ld.shared.u32 %r2, [s]; bar.sync 0; setp.eq.u32 %p1, %r2, 0; @%p1 "
     "bra L;",
     2,
     64,
     0,
     0,
     0,
     0,
     WEIR_PTX_HANG,
     "loop without any effect",
     {0}},
    {"a poll with a time limit",
     "",
     "mov.u64 %x1, %clock64; L: ld.volatile.global.u32 %r1, [%o]; mov.u64 %x2, %clock64; sub.u64 "
     "%x2, %x2, %x1; setp.gt.u64 %p2, %x2, 1000000000; @%p2 bra T; setp.eq.u32 %p1, %r1, 0; @%p1 "
     "bra L; T: st.global.u32 [%o+4], 1;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_DONE,
     NULL,
     {0, 1}},
    {"a poll by an addition of 0",
     "",
     "L: atom.global.add.u32 %r1, [%o], 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;",
     1,
     1,
     0,
     0,
     0,
     0,
     WEIR_PTX_HANG,
     "poll 4 bytes",
     {0}},
    {"the workspace of cooperative groups",
     "",
     "mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %x1, {%r2, %r1}; ld.v2.u32 {%r3, %r4}, "
     "[%x1]; st.global.u32 [%o], %r4;",
     1,
     1,
     0,
     0,
     0,
     1,
     WEIR_PTX_DONE,
     NULL,
     {0}},
};

#define PROGRAMS (sizeof programs / sizeof *programs)

static const char *make(const program *p, char *text, size_t bytes)
{
	snprintf(text, bytes,
	         ".version 9.9\n.target sm_100a\n.address_size 64\n%s\n.visible .entry k(.param "
	         ".u64 out)\n{\n%s%s\nret;\n}\n",
	         p->top, REGS, p->body);
	return text;
}

static int run_program(const program *p, uint64_t seed)
{
	char text[8192];
	uint32_t *out;
	run r;
	int bad = 0;

	run_open(&r, make(p, text, sizeof text));
	out = run_buffer(&r, 256);
	r.params[0] = (uint64_t)(uintptr_t)out;
	r.launch.cluster[0] = p->cluster;
	r.launch.resident = p->resident;
	r.launch.dynamic_shared = p->dynamic;
	r.launch.cooperative = p->cooperative;
	r.launch.seed = seed;
	r.launch.budget = 10000000;
	run_kernel(&r, "k", p->grid, p->block);
	if (r.result.end != p->end) {
		printf("%s (seed %u): ends with %s: %s\n", p->name, (unsigned)seed,
		       weir_ptx_end_name(r.result.end), r.result.text);
		bad = 1;
	} else if (p->text && !strstr(r.result.text, p->text) && !strstr(r.printed, p->text)) {
		printf("%s (seed %u): '%s' is not in: %s%s\n", p->name, (unsigned)seed, p->text,
		       r.result.text, r.printed);
		bad = 1;
	} else if (p->end == WEIR_PTX_DONE && memcmp(out, p->words, sizeof p->words) != 0) {
		printf("%s (seed %u):", p->name, (unsigned)seed);
		for (int i = 0; i < 8; i++)
			printf(" %#x", out[i]);
		printf("\n");
		bad = 1;
	}
	run_close(&r);
	return bad;
}

int main(void)
{
	int bad = 0;

	for (uint64_t seed = 0; seed < 8; seed++)
		for (size_t i = 0; i < PROGRAMS; i++)
			bad += run_program(&programs[i], seed);
	printf("%zu programs with 8 seeds, %d wrong\n", PROGRAMS, bad);
	return bad != 0;
}
