/* The cuda machine: PTX accesses with explicit order and scope.
 *
 * It supports every architecture from sm_70 on, under nvcc, NVRTC and clang. It includes no host
 * header.
 * WEIR_SCOPE is the PTX scope: "gpu", or "sys" for objects shared with the host or another GPU.
 * WEIR_SYSTEM_SCOPE makes it "sys".
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_CUDA_H
#define WEIR_MACHINE_CUDA_H

#if defined(__CUDACC_RTC__)
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#ifdef WEIR_GRID_SYNC
extern "C++" {
#include <cooperative_groups.h>
}
#define WEIR_HAS_GRID_SYNC 1
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "weir needs loads and stores with a memory order: compile for sm_70 or newer"
#endif

/* `unused`: no warnings where the headers and the kernel are one source. */
#define WEIR_FN static inline __device__ __attribute__((unused))
#define WEIR_GLOBAL
#define WEIR_NO_UNROLL _Pragma("unroll 1")
#define WEIR_UNROLL _Pragma("unroll 4")
#define WEIR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEIR_HAS_CLOCK 1
#define WEIR_HAS_WORD64 1
#define WEIR_HAS_THREAD_PROGRESS 1
#define WEIR_HAS_TEAMS 1
#define WEIR_WARP_THREADS 32
#define WEIR_HAS_BLOCK_VALUE 1
#define WEIR_HAS_RELEASE_FENCE 1
#define WEIR_HAS_OWN_MEET 1
#define WEIR_HAS_OWN_SYNC_REL 1
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WEIR_HAS_CLUSTER 1
#define WEIR_HAS_OWN_DSMEM 1
#define WEIR_CUDA_CLUSTER 1
#define WEIR_HAS_OWN_BULK 1
#else
#define WEIR_HAS_CLUSTER 0
#endif
/* fence.acquire exists from PTX 8.6 on, in CUDA 12.7. */
#if WEIR_HAS_CLUSTER && defined(__CUDACC_VER_MAJOR__) &&                                           \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1207
#define WEIR_HAS_ACQUIRE_FENCE 1
#else
#define WEIR_HAS_ACQUIRE_FENCE 0
#endif

#ifndef WEIR_SCOPE
#ifdef WEIR_SYSTEM_SCOPE
#define WEIR_SCOPE "sys"
#else
#define WEIR_SCOPE "gpu"
#endif
#endif

/* The kinds that the kernels of a module have: one variable for each, which the host looks up by
 * name and no kernel reads. The linker merges variables of the same name, so a program of several
 * units lists the kinds of all units, and the host refuses only the kinds that no unit has. A
 * `const` variable would be local to its unit. */
#if __cplusplus >= 201402L
extern "C++" {
template <int primitive, int kind> __device__ __attribute__((used)) char weir_kernels_have_ = 1;
}
#define WEIR_LIST_KIND_(PRIMITIVE, kind)                                                           \
	extern "C++" {                                                                             \
	template __device__ char weir_kernels_have_<WEIR_FAULT_##PRIMITIVE, kind>;                 \
	}
/* The version of the headers, by the same means: the size of this variable, which the host learns
 * without a copy from the device. */
extern "C++" {
template <int>
__device__ __attribute__((used)) char weir_kernels_series_[WEIR_VERSION_SERIES] = {1};
template __device__ char weir_kernels_series_<0>[WEIR_VERSION_SERIES];
}
WEIR_LIST_KIND_(SCOPE, (WEIR_SCOPE[0] == 's' ? WEIR_SCOPE_SYSTEM : -WEIR_SCOPE_SYSTEM))
#endif

/* Cycles of one uncontended load from L2: the pause unit. */
#ifndef WEIR_CUDA_READ_CYCLES
#define WEIR_CUDA_READ_CYCLES 311
#endif

typedef struct weir_word {
	uint32_t value_;
} weir_word;

typedef struct weir_word64 {
	uint64_t value_;
} weir_word64;

WEIR_FN uint64_t weir_clock_ns(void)
{
	uint64_t ns;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}

WEIR_FN uint32_t weir_hide_value(uint32_t x)
{
	asm volatile("" : "+r"(x));
	return x;
}

WEIR_FN uint32_t weir_cycle_now_(void)
{
	uint32_t now;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
	return now;
}

WEIR_FN void weir_cycles_(uint32_t cycles)
{
	uint32_t begin = weir_cycle_now_();
	while (weir_cycle_now_() - begin < cycles)
		;
}

#ifdef WEIR_JITTER
/* Waits a few cycles mostly, and sometimes as long as a hand-over between blocks. Not inline: every
 * access is preceded by a call, and inlined copies would be most of the code that nvcc compiles. */
static __noinline__ __device__ __attribute__((unused)) void weir_jitter_(void)
{
	uint32_t x = (uint32_t)clock64() ^ (threadIdx.x * 0x9e3779b9u) ^ (blockIdx.x * 0x85ebca6bu);
	x = (x ^ (x >> 15)) * 0x2c1b3c6du;
	x = (x ^ (x >> 12)) * 0x297a2d39u;
	x ^= x >> 15;
	if ((x & 3) == 0)
		weir_cycles_((x & 0x40) ? (x >> 20) : (x >> 26));
}
#else
#define weir_jitter_() ((void)0)
#endif

#define WEIR_CUDA_ADDRESS_(w) "l"(__cvta_generic_to_global(w))

/* `n` and `bits` are empty and 32, or 64 and 64; `reg` is the constraint of a register of that
 * size. */
#define WEIR_CUDA_LOAD_(n, bits, reg, order, ptx)                                                  \
	WEIR_FN uint##bits##_t weir_load##n##_##order(weir_word##n *w)                             \
	{                                                                                          \
		uint##bits##_t value;                                                              \
		weir_jitter_();                                                                    \
		asm volatile("ld." ptx "." WEIR_SCOPE ".global.u" #bits " %0, [%1];"               \
		             : "=" reg(value)                                                      \
		             : WEIR_CUDA_ADDRESS_(w)                                               \
		             : "memory");                                                          \
		return value;                                                                      \
	}

#define WEIR_CUDA_STORE_(n, bits, reg, order, ptx)                                                 \
	WEIR_FN void weir_store##n##_##order(weir_word##n *w, uint##bits##_t value)                \
	{                                                                                          \
		weir_jitter_();                                                                    \
		asm volatile("st." ptx "." WEIR_SCOPE ".global.u" #bits " [%0], %1;"               \
		             :                                                                     \
		             : WEIR_CUDA_ADDRESS_(w), reg(value)                                   \
		             : "memory");                                                          \
	}

#define WEIR_CUDA_RED_(n, bits, reg, order, ptx)                                                   \
	WEIR_FN void weir_red_add##n##_##order(weir_word##n *w, uint##bits##_t addend)             \
	{                                                                                          \
		weir_jitter_();                                                                    \
		asm volatile("red." ptx "." WEIR_SCOPE ".global.add.u" #bits " [%0], %1;"          \
		             :                                                                     \
		             : WEIR_CUDA_ADDRESS_(w), reg(addend)                                  \
		             : "memory");                                                          \
	}

/* `asm volatile` keeps an unused result alive, so that no `atom` becomes a `red`, which cannot
 * acquire. */
#define WEIR_CUDA_RMW_(n, bits, reg, order, ptx)                                                   \
	WEIR_FN uint##bits##_t weir_add##n##_##order(weir_word##n *w, uint##bits##_t addend)       \
	{                                                                                          \
		uint##bits##_t old;                                                                \
		weir_jitter_();                                                                    \
		asm volatile("atom." ptx "." WEIR_SCOPE ".global.add.u" #bits " %0, [%1], %2;"     \
		             : "=" reg(old)                                                        \
		             : WEIR_CUDA_ADDRESS_(w), reg(addend)                                  \
		             : "memory");                                                          \
		return old;                                                                        \
	}                                                                                          \
	WEIR_FN uint##bits##_t weir_cas##n##_##order(weir_word##n *w, uint##bits##_t expected,     \
	                                             uint##bits##_t value)                         \
	{                                                                                          \
		uint##bits##_t old;                                                                \
		weir_jitter_();                                                                    \
		asm volatile("atom." ptx "." WEIR_SCOPE ".global.cas.b" #bits " %0, [%1], %2, %3;" \
		             : "=" reg(old)                                                        \
		             : WEIR_CUDA_ADDRESS_(w), reg(expected), reg(value)                    \
		             : "memory");                                                          \
		return old;                                                                        \
	}

#define WEIR_CUDA_XCHG_(order, ptx)                                                                \
	WEIR_FN uint32_t weir_xchg_##order(weir_word *w, uint32_t value)                           \
	{                                                                                          \
		uint32_t old;                                                                      \
		weir_jitter_();                                                                    \
		asm volatile("atom." ptx "." WEIR_SCOPE ".global.exch.b32 %0, [%1], %2;"           \
		             : "=r"(old)                                                           \
		             : WEIR_CUDA_ADDRESS_(w), "r"(value)                                   \
		             : "memory");                                                          \
		return old;                                                                        \
	}

WEIR_CUDA_LOAD_(, 32, "r", rlx, "relaxed")
WEIR_CUDA_LOAD_(, 32, "r", acq, "acquire")
WEIR_CUDA_STORE_(, 32, "r", rlx, "relaxed")
WEIR_CUDA_STORE_(, 32, "r", rel, "release")
WEIR_CUDA_RED_(, 32, "r", rlx, "relaxed")
WEIR_CUDA_RED_(, 32, "r", rel, "release")
WEIR_CUDA_RMW_(, 32, "r", rlx, "relaxed")
WEIR_CUDA_RMW_(, 32, "r", acq, "acquire")
WEIR_CUDA_RMW_(, 32, "r", rel, "release")
WEIR_CUDA_RMW_(, 32, "r", acq_rel, "acq_rel")
WEIR_CUDA_LOAD_(64, 64, "l", rlx, "relaxed")
WEIR_CUDA_LOAD_(64, 64, "l", acq, "acquire")
WEIR_CUDA_STORE_(64, 64, "l", rlx, "relaxed")
WEIR_CUDA_STORE_(64, 64, "l", rel, "release")
WEIR_CUDA_RED_(64, 64, "l", rlx, "relaxed")
WEIR_CUDA_RED_(64, 64, "l", rel, "release")
WEIR_CUDA_RMW_(64, 64, "l", rlx, "relaxed")
WEIR_CUDA_RMW_(64, 64, "l", acq, "acquire")
WEIR_CUDA_RMW_(64, 64, "l", rel, "release")
WEIR_CUDA_RMW_(64, 64, "l", acq_rel, "acq_rel")
WEIR_CUDA_XCHG_(rlx, "relaxed")
WEIR_CUDA_XCHG_(acq, "acquire")
WEIR_CUDA_XCHG_(rel, "release")
WEIR_CUDA_XCHG_(acq_rel, "acq_rel")

#undef WEIR_CUDA_LOAD_
#undef WEIR_CUDA_STORE_
#undef WEIR_CUDA_RED_
#undef WEIR_CUDA_RMW_
#undef WEIR_CUDA_XCHG_
#undef WEIR_CUDA_ADDRESS_

/* A fence takes as long as the farthest cache line that the SM has written since its last fence.
 * Measured on Hopper: 264 cycles if no line was written, and up to 600 otherwise. */
WEIR_FN void weir_flush_writes(void)
{
	asm volatile("fence.acq_rel." WEIR_SCOPE ";" : : : "memory");
}

#if WEIR_HAS_ACQUIRE_FENCE
/* Empties the L1 cache and waits for nothing, like the end of an acquiring load. */
WEIR_FN void weir_fence_acq_(void)
{
	asm volatile("fence.acquire." WEIR_SCOPE ";" : : : "memory");
}
#endif

/* The top bit of the SM's cycle counter, which is 0. The assembler does not know that, and reads a
 * clock exactly where the source does, so nothing that needs the value is computed earlier. */
WEIR_FN uint32_t weir_cuda_not_before_(void)
{
	uint32_t high;
	asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(high));
	return high >> 31;
}

/* The load is in flight while the fence waits, whereas a store with release would have to follow
 * both. The assembler must not add before the fence: it would wait for the load there. */
WEIR_FN void weir_owner_add_rel(weir_word *w, uint32_t addend)
{
	uint32_t old = weir_load_rlx(w);
	weir_flush_writes();
	weir_store_rlx(w, old + weir_cuda_not_before_() + addend);
}

#ifdef WEIR_HAS_OWN_BULK
/* Not wait_group.read, which waits only until the sources may be reused. */
WEIR_FN void weir_bulk_wait(void)
{
	asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;\n\t"
	             "fence.proxy.async.global;"
	             :
	             :
	             : "memory");
}
#endif

WEIR_FN void weir_pause(uint32_t units)
{
	weir_jitter_();
	if (units != 0)
		weir_cycles_(units * WEIR_CUDA_READ_CYCLES);
}

WEIR_FN void weir_pause_sixteenths(uint32_t sixteenths)
{
	weir_jitter_();
	if (sixteenths != 0)
		weir_cycles_(sixteenths * WEIR_CUDA_READ_CYCLES / 16);
}

/* Ends the launch: the next driver call reports the trap. */
WEIR_FN void weir_end_launch(uint32_t fault, uint32_t kind)
{
	(void)fault;
	(void)kind;
	asm volatile("trap;");
	__builtin_unreachable();
}

WEIR_FN uint32_t weir_block_id(void)
{
	return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

WEIR_FN uint32_t weir_block_count(void)
{
	return gridDim.x * gridDim.y * gridDim.z;
}

WEIR_FN uint32_t weir_thread_id(void)
{
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

WEIR_FN uint32_t weir_thread_count(void)
{
	return blockDim.x * blockDim.y * blockDim.z;
}

WEIR_FN int weir_has_parts(uint32_t threads, uint32_t bits)
{
	return threads >> bits != 0;
}

/* True in the whole first warp, so that it calls weir_first_value together. */
WEIR_FN int weir_is_first(uint32_t thread)
{
	return thread < 32;
}

WEIR_FN uint32_t weir_first_value(uint32_t value, uint32_t bits)
{
	return bits != 0 ? __shfl_sync(0xffffffffu, value, 0) : value;
}

/* The lanes beyond the parts pass 0. */
WEIR_FN uint32_t weir_first_sum(uint32_t value, uint32_t bits)
{
#if __CUDA_ARCH__ >= 800
	(void)bits;
	return __reduce_add_sync(0xffffffffu, value);
#else
	uint32_t sum = 0;

	for (uint32_t part = 0; part >> bits == 0; part++)
		sum += __shfl_sync(0xffffffffu, value, part);
	return sum;
#endif
}

WEIR_FN uint32_t weir_first_pick(uint32_t value, uint32_t none)
{
	uint32_t lanes = __ballot_sync(0xffffffffu, value != none);
	return lanes != 0 ? __shfl_sync(0xffffffffu, value, __ffs((int)lanes) - 1) : none;
}

WEIR_FN uint32_t weir_first_ballot(int condition)
{
	return __ballot_sync(0xffffffffu, condition);
}

WEIR_FN uint32_t weir_first_get(uint32_t value, uint32_t thread)
{
	return __shfl_sync(0xffffffffu, value, (int)thread);
}

WEIR_FN uint32_t weir_first_count(uint32_t bits)
{
	return (uint32_t)__popc((int)bits);
}

WEIR_FN uint32_t weir_first_rank(uint32_t bits, uint32_t thread)
{
	return (uint32_t)__popc((int)(bits & ((1u << thread) - 1)));
}

#define WEIR_HAS_FIRST_WORDS 1

WEIR_FN uint32_t *weir_first_words_(uint32_t *own)
{
	__shared__ uint32_t words[32 * WEIR_FIRST_WORDS];
	(void)own;
	return words;
}

WEIR_FN void weir_first_sync(void)
{
	weir_jitter_();
	__syncwarp();
}

#define WEIR_FIRST_THREADS 32u
#define WEIR_FIRST_BITS 5

/* A loop that the compiler knows to run at most once. */
#define WEIR_EACH_PART(part, thread, count)                                                        \
	for (uint32_t part = (thread), mine_ = part < (count); mine_; mine_ = 0)

/* The number of a warp's first thread is a multiple of 32: one word for each of 32 warps. */
WEIR_FN uint32_t *weir_plain_(uint32_t place)
{
	__shared__ uint32_t words[16 + 32];
	return &words[place < 16 ? place : 16 + (place - 16) / 32];
}

WEIR_FN void weir_plain_put_(uint32_t place, uint32_t value)
{
	*weir_plain_(place) = value;
}

WEIR_FN uint32_t weir_plain_get_(uint32_t place)
{
	return *weir_plain_(place);
}

#ifdef WEIR_DIAGNOSE
#include "weir/machine/cuda_notes.h"
#endif
#if defined(WEIR_ABORTABLE) && __cplusplus >= 201402L
#include "weir/machine/cuda_abort.h"
#endif

WEIR_FN void weir_block_sync_rel(void)
{
	weir_jitter_();
	__syncthreads();
}

WEIR_FN void weir_block_sync(void)
{
	weir_block_sync_rel();
#ifdef WEIR_DIAGNOSE
	weir_block_look_();
#endif
#ifdef WEIR_OBEYS_ABORT
	weir_block_obey_();
#endif
}

WEIR_FN void weir_warp_sync_(uint32_t first, uint32_t threads)
{
	(void)first;
	(void)threads;
	weir_jitter_();
	__syncwarp();
}

/* Not the aligned form: a leader may still have diverged from its warp. */
WEIR_FN void weir_named_sync_(uint32_t id, uint32_t threads)
{
	weir_jitter_();
	asm volatile("barrier.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

#ifdef WEIR_GRID_SYNC

WEIR_FN int weir_has_grid_sync(void)
{
	return cooperative_groups::this_grid().is_valid();
}

WEIR_FN void weir_grid_sync(void)
{
	weir_jitter_();
	cooperative_groups::this_grid().sync();
}

WEIR_FN uint32_t weir_grid_sync_arrive(void)
{
	weir_jitter_();
	return cooperative_groups::this_grid().barrier_arrive();
}

WEIR_FN void weir_grid_sync_await(uint32_t token)
{
	weir_jitter_();
	cooperative_groups::this_grid().barrier_wait(static_cast<uint32_t &&>(token));
}

#endif

#endif
