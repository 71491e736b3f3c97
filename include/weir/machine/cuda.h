/* The cuda machine: PTX accesses with explicit order and scope.
 *
 * For every architecture from sm_70 on, under nvcc, NVRTC and clang. It includes no host header.
 * WEIR_SCOPE is the PTX scope: "gpu", or "sys" for objects shared with the host or another GPU.
 */
#ifndef WEIR_MACHINE_CUDA_H
#define WEIR_MACHINE_CUDA_H

#if defined(__CUDACC_RTC__)
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "weir needs loads and stores with a memory order: compile for sm_70 or newer"
#endif

#define WEIR_FN static inline __device__ __attribute__((unused)) /* quiet where all is one text */
#define WEIR_GLOBAL
#define WEIR_HAS_CLOCK 1
#define WEIR_HAS_THREAD_PROGRESS 1

#ifndef WEIR_SCOPE
#define WEIR_SCOPE "gpu"
#endif

/* Cycles of one load from L2 that nobody contends for: the unit of weir_pause. */
#ifndef WEIR_CUDA_READ_CYCLES
#define WEIR_CUDA_READ_CYCLES 311
#endif

typedef struct weir_word {
	uint32_t value_;
} weir_word;

WEIR_FN uint64_t weir_clock_ns(void)
{
	uint64_t ns;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}

WEIR_FN void weir_cycles_(uint32_t cycles)
{
	uint32_t begin, now;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(begin));
	do {
		asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
	} while (now - begin < cycles);
}

#ifdef WEIR_JITTER
/* A few cycles mostly, sometimes as long as a hand-over between blocks. */
WEIR_FN void weir_jitter_(void)
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

#define WEIR_CUDA_LOAD_(order, ptx)                                                                \
	WEIR_FN uint32_t weir_load_##order(weir_word *w)                                           \
	{                                                                                          \
		uint32_t value;                                                                    \
		weir_jitter_();                                                                    \
		asm volatile("ld." ptx "." WEIR_SCOPE ".global.u32 %0, [%1];"                      \
		             : "=r"(value)                                                         \
		             : WEIR_CUDA_ADDRESS_(w)                                               \
		             : "memory");                                                          \
		return value;                                                                      \
	}

#define WEIR_CUDA_STORE_(order, ptx)                                                               \
	WEIR_FN void weir_store_##order(weir_word *w, uint32_t value)                              \
	{                                                                                          \
		weir_jitter_();                                                                    \
		asm volatile("st." ptx "." WEIR_SCOPE ".global.u32 [%0], %1;"                      \
		             :                                                                     \
		             : WEIR_CUDA_ADDRESS_(w), "r"(value)                                   \
		             : "memory");                                                          \
	}

#define WEIR_CUDA_RED_(order, ptx)                                                                 \
	WEIR_FN void weir_red_add_##order(weir_word *w, uint32_t addend)                           \
	{                                                                                          \
		weir_jitter_();                                                                    \
		asm volatile("red." ptx "." WEIR_SCOPE ".global.add.u32 [%0], %1;"                 \
		             :                                                                     \
		             : WEIR_CUDA_ADDRESS_(w), "r"(addend)                                  \
		             : "memory");                                                          \
	}

/* `asm volatile` keeps an unused result alive, so that no atom becomes a red, which could not
 * acquire. */
#define WEIR_CUDA_RMW_(order, ptx)                                                                 \
	WEIR_FN uint32_t weir_xchg_##order(weir_word *w, uint32_t value)                           \
	{                                                                                          \
		uint32_t old;                                                                      \
		weir_jitter_();                                                                    \
		asm volatile("atom." ptx "." WEIR_SCOPE ".global.exch.b32 %0, [%1], %2;"           \
		             : "=r"(old)                                                           \
		             : WEIR_CUDA_ADDRESS_(w), "r"(value)                                   \
		             : "memory");                                                          \
		return old;                                                                        \
	}                                                                                          \
	WEIR_FN uint32_t weir_add_##order(weir_word *w, uint32_t addend)                           \
	{                                                                                          \
		uint32_t old;                                                                      \
		weir_jitter_();                                                                    \
		asm volatile("atom." ptx "." WEIR_SCOPE ".global.add.u32 %0, [%1], %2;"            \
		             : "=r"(old)                                                           \
		             : WEIR_CUDA_ADDRESS_(w), "r"(addend)                                  \
		             : "memory");                                                          \
		return old;                                                                        \
	}                                                                                          \
	WEIR_FN uint32_t weir_cas_##order(weir_word *w, uint32_t expected, uint32_t value)         \
	{                                                                                          \
		uint32_t old;                                                                      \
		weir_jitter_();                                                                    \
		asm volatile("atom." ptx "." WEIR_SCOPE ".global.cas.b32 %0, [%1], %2, %3;"        \
		             : "=r"(old)                                                           \
		             : WEIR_CUDA_ADDRESS_(w), "r"(expected), "r"(value)                    \
		             : "memory");                                                          \
		return old;                                                                        \
	}

WEIR_CUDA_LOAD_(rlx, "relaxed")
WEIR_CUDA_LOAD_(acq, "acquire")
WEIR_CUDA_STORE_(rlx, "relaxed")
WEIR_CUDA_STORE_(rel, "release")
WEIR_CUDA_RED_(rlx, "relaxed")
WEIR_CUDA_RED_(rel, "release")
WEIR_CUDA_RMW_(rlx, "relaxed")
WEIR_CUDA_RMW_(acq, "acquire")
WEIR_CUDA_RMW_(rel, "release")
WEIR_CUDA_RMW_(acq_rel, "acq_rel")

#undef WEIR_CUDA_LOAD_
#undef WEIR_CUDA_STORE_
#undef WEIR_CUDA_RED_
#undef WEIR_CUDA_RMW_
#undef WEIR_CUDA_ADDRESS_

WEIR_FN void weir_pause(uint32_t units)
{
	weir_jitter_();
	if (units != 0)
		weir_cycles_(units * WEIR_CUDA_READ_CYCLES);
}

/* Ends the launch: the next call of the driver reports the trap. */
WEIR_FN void weir_wait_expired_(void)
{
	asm volatile("trap;");
}

WEIR_FN void weir_block_sync(void)
{
	weir_jitter_();
	__syncthreads();
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

#endif
