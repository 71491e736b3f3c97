/* The hip machine: AMD GPUs, with HIP atomics of explicit order and scope.
 *
 * It has been compiled for gfx90a, gfx942 and gfx1100 and its instructions have been inspected, but
 * it has not yet run on an AMD GPU. doc/amd.md says what that means.
 *
 * hipcc and clang -x hip compile it. It includes no header, so that clang alone is enough:
 * -x hip --cuda-device-only -nogpuinc -nogpulib.
 *
 * The scope is the agent, which is all blocks of the device, or the system with WEIR_SYSTEM_SCOPE.
 * WEIR_SCOPE is the scope of the atomics, WEIR_FENCE_SCOPE that of the fences; a build that sets one
 * must set both.
 *
 * Threads of a wavefront share one program counter. A thread that waits may stop the others of its
 * wavefront for ever, so only one thread of a block may wait (WEIR_HAS_THREAD_PROGRESS is 0).
 * Nothing here depends on the size of a wavefront, which is 64 on gfx9 and 32 or 64 on gfx11.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_HIP_H
#define WEIR_MACHINE_HIP_H

#ifdef WEIR_DIAGNOSE
#error "WEIR_DIAGNOSE is for CUDA, the host and PoCL: the hip machine keeps no notes"
#endif

/* The types of stdint.h, which may be included as well. */
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

/* `unused`: no warnings where the headers and the kernel are one source. */
#define WEIR_FN static inline __attribute__((device, unused))
#define WEIR_GLOBAL
#define WEIR_NO_UNROLL _Pragma("unroll 1")
#define WEIR_UNROLL _Pragma("unroll 4")
#define WEIR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEIR_HAS_CLOCK 1
#define WEIR_HAS_WORD64 1
#define WEIR_HAS_THREAD_PROGRESS 0
#define WEIR_HAS_BLOCK_VALUE 1
#define WEIR_HAS_CLUSTER 0
#define WEIR_HAS_ACQUIRE_FENCE 1
#define WEIR_HAS_RELEASE_FENCE 1

#ifndef WEIR_SCOPE
#ifdef WEIR_SYSTEM_SCOPE
#define WEIR_SCOPE __HIP_MEMORY_SCOPE_SYSTEM
#define WEIR_FENCE_SCOPE "" /* the system */
#else
#define WEIR_SCOPE __HIP_MEMORY_SCOPE_AGENT
#define WEIR_FENCE_SCOPE "agent"
#endif
#endif

/* The kinds that the kernels of a module have, as on CUDA: the host looks for the variables by name.
 * A specialization, since clang makes the variables of a template local to the module; weak, since
 * several units of a program may list the same kind. */
#if __cplusplus >= 201402L
extern "C++" {
template <int primitive, int kind> extern __attribute__((device)) char weir_kernels_have_;
}
#define WEIR_LIST_KIND_(PRIMITIVE, kind)                                                           \
	extern "C++" {                                                                             \
	template <>                                                                                \
	__attribute__((device, used,                                                               \
	               weak)) char weir_kernels_have_<WEIR_FAULT_##PRIMITIVE, kind> = 1;           \
	}
/* The version of the headers, by the same means: the size of this variable. */
extern "C++" {
template <int> extern __attribute__((device)) char weir_kernels_series_[WEIR_VERSION_SERIES];
template <>
__attribute__((device, used, weak)) char weir_kernels_series_<0>[WEIR_VERSION_SERIES] = {1};
}
WEIR_LIST_KIND_(SCOPE,
                (WEIR_SCOPE == __HIP_MEMORY_SCOPE_SYSTEM ? WEIR_SCOPE_SYSTEM : -WEIR_SCOPE_SYSTEM))
#endif

/* The pause unit, in sleeps of 64 cycles: about one uncontended load from L2. This is an
 * assumption, not a measurement. */
#ifndef WEIR_HIP_READ_SLEEPS
#define WEIR_HIP_READ_SLEEPS 8
#endif

/* The constant clock's rate: 100 MHz on the GPUs above. hipDeviceAttributeWallClockRate returns
 * it. */
#ifndef WEIR_HIP_CLOCK_KHZ
#define WEIR_HIP_CLOCK_KHZ 100000
#endif

typedef struct weir_word {
	uint32_t value_;
} weir_word;

typedef struct weir_word64 {
	uint64_t value_;
} weir_word64;

#if defined(__has_builtin) && __has_builtin(__builtin_readsteadycounter)
#define WEIR_HIP_TICKS_() __builtin_readsteadycounter()
#elif defined(__GFX11__)
#define WEIR_HIP_TICKS_() __builtin_amdgcn_s_sendmsg_rtnl(0x83)
#else
#define WEIR_HIP_TICKS_() __builtin_amdgcn_s_memrealtime()
#endif

WEIR_FN uint64_t weir_clock_ns(void)
{
	return (uint64_t)WEIR_HIP_TICKS_() * (1000000 / (WEIR_HIP_CLOCK_KHZ));
}

WEIR_FN uint32_t weir_hide_value(uint32_t x)
{
	__asm__ volatile("" : "+v"(x));
	return x;
}

/* A sleeping wavefront leaves its cycles to the others. */
WEIR_FN void weir_sleeps_(uint32_t sleeps)
{
	WEIR_NO_UNROLL
	while (sleeps-- != 0)
		__builtin_amdgcn_s_sleep(1);
}

/* A grid's size is in threads, and HIP launches only whole blocks. A one-dimensional grid needs no
 * division. */
WEIR_FN uint32_t weir_block_id(void)
{
	uint32_t x = __builtin_amdgcn_workgroup_id_x();
	uint32_t y = __builtin_amdgcn_workgroup_id_y();
	uint32_t z = __builtin_amdgcn_workgroup_id_z();
	if (WEIR_LIKELY((y | z) == 0))
		return x;
	y += z * (__builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y());
	return x + y * (__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x());
}

WEIR_FN uint32_t weir_block_count(void)
{
	return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x() *
	       (__builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y()) *
	       (__builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z());
}

WEIR_FN uint32_t weir_thread_id(void)
{
	return __builtin_amdgcn_workitem_id_x() +
	       __builtin_amdgcn_workgroup_size_x() *
	           (__builtin_amdgcn_workitem_id_y() +
	            __builtin_amdgcn_workgroup_size_y() * __builtin_amdgcn_workitem_id_z());
}

WEIR_FN uint32_t weir_thread_count(void)
{
	return (uint32_t)__builtin_amdgcn_workgroup_size_x() * __builtin_amdgcn_workgroup_size_y() *
	       __builtin_amdgcn_workgroup_size_z();
}

#ifdef WEIR_JITTER
/* Not inline: every access is preceded by a call. */
static __attribute__((device, noinline, unused)) void weir_jitter_(void)
{
	uint32_t x = (uint32_t)WEIR_HIP_TICKS_() ^ (weir_thread_id() * 0x9e3779b9u) ^
	             (__builtin_amdgcn_workgroup_id_x() * 0x85ebca6bu);
	x = (x ^ (x >> 15)) * 0x2c1b3c6du;
	x = (x ^ (x >> 12)) * 0x297a2d39u;
	x ^= x >> 15;
	if ((x & 3) == 0)
		weir_sleeps_((x & 0x40) ? (x >> 26) : (x >> 31));
}
#else
#define weir_jitter_() ((void)0)
#endif

/* Repeats the waits of a fence. Up to at least LLVM 19, the compiler drops the waits of a release in
 * a loop if nothing is in flight before the loop. It forgets the accesses of the previous iteration.
 * It also drops the waits after a write-back of the L2 cache. It keeps these. */
#if defined(__GFX9__)
#define WEIR_HIP_WAIT_() __asm__ volatile("s_waitcnt vmcnt(0)" : : : "memory")
#elif defined(__GFX10__) || defined(__GFX11__)
#define WEIR_HIP_WAIT_()                                                                           \
	__asm__ volatile("s_waitcnt vmcnt(0)\n\ts_waitcnt_vscnt null, 0x0" : : : "memory")
#else
#define WEIR_HIP_WAIT_() ((void)0)
#endif

/* Makes earlier writes reach the scope before any later access. A release is this followed by a
 * relaxed access, since no wait could be inserted into a releasing access. */
WEIR_FN void weir_flush_writes(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, WEIR_FENCE_SCOPE);
	WEIR_HIP_WAIT_();
}

/* Empties the caches of the compute unit, once for all polls of a wait. */
WEIR_FN void weir_fence_acq_(void)
{
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, WEIR_FENCE_SCOPE);
}

/* Not generic: the compiler would use flat instructions, which also wait for shared memory. */
#define WEIR_HIP_AT_(bits, w) ((__attribute__((address_space(1))) uint##bits##_t *)&(w)->value_)

/* `n` and `bits` are empty and 32, or 64 and 64. */
#define WEIR_HIP_LOAD_(n, bits, order, hip)                                                        \
	WEIR_FN uint##bits##_t weir_load##n##_##order(weir_word##n *w)                             \
	{                                                                                          \
		weir_jitter_();                                                                    \
		return __hip_atomic_load(WEIR_HIP_AT_(bits, w), hip, WEIR_SCOPE);                  \
	}

/* `release` is weir_flush_writes() or nothing. */
#define WEIR_HIP_STORE_(n, bits, order, release)                                                   \
	WEIR_FN void weir_store##n##_##order(weir_word##n *w, uint##bits##_t value)                \
	{                                                                                          \
		weir_jitter_();                                                                    \
		release;                                                                           \
		__hip_atomic_store(WEIR_HIP_AT_(bits, w), value, __ATOMIC_RELAXED, WEIR_SCOPE);    \
	}

#define WEIR_HIP_RED_(n, bits, order, release)                                                     \
	WEIR_FN void weir_red_add##n##_##order(weir_word##n *w, uint##bits##_t addend)             \
	{                                                                                          \
		weir_jitter_();                                                                    \
		release;                                                                           \
		(void)__hip_atomic_fetch_add(WEIR_HIP_AT_(bits, w), addend, __ATOMIC_RELAXED,      \
		                             WEIR_SCOPE);                                          \
	}

/* The compiler must not know the addend: it turns an addition of 0 into a load, and a load need not
 * read the latest value. */
#define WEIR_HIP_RMW_(n, bits, order, release, hip)                                                \
	WEIR_FN uint##bits##_t weir_add##n##_##order(weir_word##n *w, uint##bits##_t addend)       \
	{                                                                                          \
		weir_jitter_();                                                                    \
		release;                                                                           \
		if (__builtin_constant_p(addend) && addend == 0)                                   \
			addend = weir_hide_value(0);                                               \
		return __hip_atomic_fetch_add(WEIR_HIP_AT_(bits, w), addend, hip, WEIR_SCOPE);     \
	}                                                                                          \
	WEIR_FN uint##bits##_t weir_cas##n##_##order(weir_word##n *w, uint##bits##_t expected,     \
	                                             uint##bits##_t value)                         \
	{                                                                                          \
		weir_jitter_();                                                                    \
		release;                                                                           \
		(void)__hip_atomic_compare_exchange_strong(WEIR_HIP_AT_(bits, w), &expected,       \
		                                           value, hip, hip, WEIR_SCOPE);           \
		return expected;                                                                   \
	}

#define WEIR_HIP_XCHG_(order, release, hip)                                                        \
	WEIR_FN uint32_t weir_xchg_##order(weir_word *w, uint32_t value)                           \
	{                                                                                          \
		weir_jitter_();                                                                    \
		release;                                                                           \
		return __hip_atomic_exchange(WEIR_HIP_AT_(32, w), value, hip, WEIR_SCOPE);         \
	}

WEIR_HIP_LOAD_(, 32, rlx, __ATOMIC_RELAXED)
WEIR_HIP_LOAD_(, 32, acq, __ATOMIC_ACQUIRE)
WEIR_HIP_STORE_(, 32, rlx, (void)0)
WEIR_HIP_STORE_(, 32, rel, weir_flush_writes())
WEIR_HIP_RED_(, 32, rlx, (void)0)
WEIR_HIP_RED_(, 32, rel, weir_flush_writes())
WEIR_HIP_RMW_(, 32, rlx, (void)0, __ATOMIC_RELAXED)
WEIR_HIP_RMW_(, 32, acq, (void)0, __ATOMIC_ACQUIRE)
WEIR_HIP_RMW_(, 32, rel, weir_flush_writes(), __ATOMIC_RELAXED)
WEIR_HIP_RMW_(, 32, acq_rel, weir_flush_writes(), __ATOMIC_ACQUIRE)
WEIR_HIP_LOAD_(64, 64, rlx, __ATOMIC_RELAXED)
WEIR_HIP_LOAD_(64, 64, acq, __ATOMIC_ACQUIRE)
WEIR_HIP_STORE_(64, 64, rlx, (void)0)
WEIR_HIP_STORE_(64, 64, rel, weir_flush_writes())
WEIR_HIP_RED_(64, 64, rlx, (void)0)
WEIR_HIP_RED_(64, 64, rel, weir_flush_writes())
WEIR_HIP_RMW_(64, 64, rlx, (void)0, __ATOMIC_RELAXED)
WEIR_HIP_RMW_(64, 64, acq, (void)0, __ATOMIC_ACQUIRE)
WEIR_HIP_RMW_(64, 64, rel, weir_flush_writes(), __ATOMIC_RELAXED)
WEIR_HIP_RMW_(64, 64, acq_rel, weir_flush_writes(), __ATOMIC_ACQUIRE)
WEIR_HIP_XCHG_(rlx, (void)0, __ATOMIC_RELAXED)
WEIR_HIP_XCHG_(acq, (void)0, __ATOMIC_ACQUIRE)
WEIR_HIP_XCHG_(rel, weir_flush_writes(), __ATOMIC_RELAXED)
WEIR_HIP_XCHG_(acq_rel, weir_flush_writes(), __ATOMIC_ACQUIRE)

#undef WEIR_HIP_LOAD_
#undef WEIR_HIP_STORE_
#undef WEIR_HIP_RED_
#undef WEIR_HIP_RMW_
#undef WEIR_HIP_XCHG_
#undef WEIR_HIP_AT_

WEIR_FN void weir_owner_add_rel(weir_word *w, uint32_t addend)
{
	uint32_t old = weir_load_rlx(w);
	weir_flush_writes();
	weir_store_rlx(w, old + addend);
}

WEIR_FN void weir_pause(uint32_t units)
{
	weir_jitter_();
	weir_sleeps_(units * WEIR_HIP_READ_SLEEPS);
}

WEIR_FN void weir_pause_sixteenths(uint32_t sixteenths)
{
	weir_jitter_();
	weir_sleeps_(sixteenths * WEIR_HIP_READ_SLEEPS / 16);
}

/* Ends the launch. AMD's runtime then reports an error, or ends the process. */
WEIR_FN void weir_end_launch(uint32_t fault, uint32_t kind)
{
	(void)fault;
	(void)kind;
	__builtin_trap();
}

/* The release is at the scope of the machine, not of the block. A later release by the leader waits
 * only for the leader's writes, so the writes of other wavefronts must reach the device before it. At
 * the scope of a block, the compiler omits that wait where a block shares one cache. */
WEIR_FN void weir_block_sync(void)
{
	weir_jitter_();
	weir_flush_writes();
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* Only the block has a place: there are no teams. */
WEIR_FN uint32_t *weir_plain_(void)
{
	static __attribute__((shared)) uint32_t word;
	return &word;
}

WEIR_FN void weir_plain_put_(uint32_t place, uint32_t value)
{
	(void)place;
	*weir_plain_() = value;
}

WEIR_FN uint32_t weir_plain_get_(uint32_t place)
{
	(void)place;
	return *weir_plain_();
}

#endif
