/* The opencl machine: OpenCL C 3.0 atomics with explicit order and device scope.
 *
 * Build the program with -cl-std=CL3.0. A CPU through PoCL also needs -cl-opt-disable: kernels with
 * block syncs inside branches hang, crash or write out of bounds if PoCL 3.1 optimizes them. Every
 * dispatch on a barrier's kind has such branches. (weir_program_create adds both options.)
 *
 * NVIDIA's OpenCL reports only relaxed atomics at work-group scope, so its compiler does not define
 * the feature macros. Yet it compiles acquire, release and device scope to the PTX that the cuda
 * machine uses, so the feature macros are not required there (__NV_CL_C_VERSION). Its clock and its
 * trap are inline PTX. On a CPU a trap ends the process.
 *
 * OpenCL has no clock for kernels. On a CPU whose cycle counter runs at the same constant rate on
 * all cores, the option -DWEIR_OPENCL_CYCLES_PER_MS=n turns it into a clock. (weir_program_create
 * measures n and adds the option.)
 *
 * On a CPU with more work-groups than cores, a polling loop that does not yield costs a time slice
 * for every hand-over. A kernel cannot call sched_yield there: PoCL links kernels only against its
 * own library. So on x86-64 Linux a pause makes that system call directly.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_OPENCL_H
#define WEIR_MACHINE_OPENCL_H

#ifdef __NV_CL_C_VERSION
#define WEIR_HAS_CLOCK 1
#else
#if !defined(__OPENCL_C_VERSION__) || __OPENCL_C_VERSION__ < 300
#error "weir needs OpenCL C 3.0: build the program with -cl-std=CL3.0"
#endif
#ifndef __opencl_c_atomic_order_acq_rel
#error "weir needs acquire and release atomics: this device lacks __opencl_c_atomic_order_acq_rel"
#endif
#ifndef __opencl_c_atomic_scope_device
#error "weir needs atomics at device scope: this device lacks __opencl_c_atomic_scope_device"
#endif
#ifdef WEIR_OPENCL_CYCLES_PER_MS
#define WEIR_HAS_CLOCK 1
#undef WEIR_WAIT_LIMIT_NS /* a kernel on a CPU cannot end its launch */
#else
#define WEIR_HAS_CLOCK 0
#endif
#endif

typedef int int32_t;
typedef uint uint32_t;
typedef ulong uint64_t;

/* `unused`: no warnings where the headers and the kernel are one source. */
#define WEIR_FN static inline __attribute__((unused))
#define WEIR_GLOBAL __global
#define WEIR_NO_UNROLL
#define WEIR_UNROLL
#if defined(__x86_64__) || defined(__aarch64__)
#define WEIR_HAS_ALL_KINDS 1 /* a CPU */
#endif
#define WEIR_LIKELY(condition) (condition)
#define WEIR_HAS_CLUSTER 0
#define WEIR_HAS_THREAD_PROGRESS 0

/* OpenCL C requires both extensions for atomic_ulong. */
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define WEIR_HAS_WORD64 1
#else
#define WEIR_HAS_WORD64 0
#endif

#ifndef WEIR_SCOPE
#define WEIR_SCOPE memory_scope_device
#endif

/* The time of one load, in rounds of weir_rounds_: the pause unit. */
#ifndef WEIR_OPENCL_READ_ROUNDS
#ifdef __NV_CL_C_VERSION
#define WEIR_OPENCL_READ_ROUNDS 311
#else
#define WEIR_OPENCL_READ_ROUNDS 64
#endif
#endif

typedef struct weir_word {
	atomic_uint value_;
} weir_word;

#if WEIR_HAS_WORD64
typedef struct weir_word64 {
	atomic_ulong value_;
} weir_word64;
#endif

#if defined(__x86_64__) && defined(__linux__)
WEIR_FN void weir_yield_(void)
{
	long call = 24; /* the number of sched_yield; then its result */
	__asm__ volatile("syscall" : "+a"(call) : : "rcx", "r11", "memory");
}

#define WEIR_HAS_REST 1
#define WEIR_REST_SLEPT 1
#define WEIR_TRIES_BEFORE_NAPS 16384
#define WEIR_MOST_NAP_US 250

typedef struct weir_rest {
	uint32_t tries;
} weir_rest;

WEIR_FN void weir_rest_begin_(weir_rest *rest)
{
	rest->tries = 0;
}

/* A CPU thread that has waited for very long sleeps between its tries, to leave the core to others.
 * Sleeping sooner would cost more than it saves: where blocks wait in a queue, each nap delays all blocks
 * behind it. */
WEIR_FN int weir_rest_again_(weir_rest *rest)
{
	uint32_t us = ++rest->tries - WEIR_TRIES_BEFORE_NAPS;
	long time[2] = {0, (long)(us < WEIR_MOST_NAP_US ? us : WEIR_MOST_NAP_US) * 1000};
	long call = 35; /* nanosleep, which takes seconds and nanoseconds */

	if (rest->tries > WEIR_TRIES_BEFORE_NAPS)
		__asm__ volatile("syscall"
		                 : "+a"(call)
		                 : "D"(time), "S"(0L)
		                 : "rcx", "r11", "memory");
	return 0;
}
#else
#define weir_yield_() ((void)0)
#endif

/* A round is a cycle on NVIDIA, whose compiler drops an empty loop, volatile or not. */
WEIR_FN void weir_rounds_(uint32_t rounds)
{
#ifdef __NV_CL_C_VERSION
	uint32_t begin, now;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(begin));
	do {
		asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
	} while (now - begin < rounds);
#else
	volatile uint32_t round = 0;
	while (round < rounds)
		round = round + 1;
#endif
}

#ifdef WEIR_JITTER
#define weir_jitter_(w)                                                                            \
	weir_jitter_from_(                                                                         \
	    (uint32_t)atomic_load_explicit(&(w)->value_, memory_order_relaxed, WEIR_SCOPE))
WEIR_FN void weir_jitter_from_(uint32_t x)
{
	x ^= (uint32_t)get_global_linear_id() * 0x9e3779b9u;
	x = (x ^ (x >> 15)) * 0x2c1b3c6du;
	x = (x ^ (x >> 12)) * 0x297a2d39u;
	x ^= x >> 15;
	if ((x & 3) == 0)
		weir_rounds_(x >> 22);
	if ((x & 31) == 1)
		weir_yield_();
}
#else
#define weir_jitter_(w) ((void)0)
#endif

/* `n` and `bits` are empty and 32, or 64 and 64. */
#define WEIR_OPENCL_LOAD_(n, bits, order, opencl)                                                  \
	WEIR_FN uint##bits##_t weir_load##n##_##order(WEIR_GLOBAL weir_word##n *w)                 \
	{                                                                                          \
		weir_jitter_(w);                                                                   \
		return atomic_load_explicit(&w->value_, opencl, WEIR_SCOPE);                       \
	}

#define WEIR_OPENCL_STORE_(n, bits, order, opencl)                                                 \
	WEIR_FN void weir_store##n##_##order(WEIR_GLOBAL weir_word##n *w, uint##bits##_t value)    \
	{                                                                                          \
		weir_jitter_(w);                                                                   \
		atomic_store_explicit(&w->value_, value, opencl, WEIR_SCOPE);                      \
	}

#define WEIR_OPENCL_RED_(n, bits, order, opencl)                                                   \
	WEIR_FN void weir_red_add##n##_##order(WEIR_GLOBAL weir_word##n *w, uint##bits##_t addend) \
	{                                                                                          \
		weir_jitter_(w);                                                                   \
		atomic_fetch_add_explicit(&w->value_, addend, opencl, WEIR_SCOPE);                 \
	}

/* A failed compare-and-swap is a load, which cannot release, so its order has no release. */
#define WEIR_OPENCL_RMW_(n, bits, order, opencl, failure)                                          \
	WEIR_FN uint##bits##_t weir_add##n##_##order(WEIR_GLOBAL weir_word##n *w,                  \
	                                             uint##bits##_t addend)                        \
	{                                                                                          \
		weir_jitter_(w);                                                                   \
		return atomic_fetch_add_explicit(&w->value_, addend, opencl, WEIR_SCOPE);          \
	}                                                                                          \
	WEIR_FN uint##bits##_t weir_cas##n##_##order(                                              \
	    WEIR_GLOBAL weir_word##n *w, uint##bits##_t expected, uint##bits##_t value)            \
	{                                                                                          \
		weir_jitter_(w);                                                                   \
		atomic_compare_exchange_strong_explicit(&w->value_, &expected, value, opencl,      \
		                                        failure, WEIR_SCOPE);                      \
		return expected;                                                                   \
	}

#define WEIR_OPENCL_XCHG_(order, opencl)                                                           \
	WEIR_FN uint32_t weir_xchg_##order(WEIR_GLOBAL weir_word *w, uint32_t value)               \
	{                                                                                          \
		weir_jitter_(w);                                                                   \
		return atomic_exchange_explicit(&w->value_, value, opencl, WEIR_SCOPE);            \
	}

WEIR_OPENCL_LOAD_(, 32, rlx, memory_order_relaxed)
WEIR_OPENCL_LOAD_(, 32, acq, memory_order_acquire)
WEIR_OPENCL_STORE_(, 32, rlx, memory_order_relaxed)
WEIR_OPENCL_STORE_(, 32, rel, memory_order_release)
WEIR_OPENCL_RED_(, 32, rlx, memory_order_relaxed)
WEIR_OPENCL_RED_(, 32, rel, memory_order_release)
WEIR_OPENCL_RMW_(, 32, rlx, memory_order_relaxed, memory_order_relaxed)
WEIR_OPENCL_RMW_(, 32, acq, memory_order_acquire, memory_order_acquire)
WEIR_OPENCL_RMW_(, 32, rel, memory_order_release, memory_order_relaxed)
WEIR_OPENCL_RMW_(, 32, acq_rel, memory_order_acq_rel, memory_order_acquire)
WEIR_OPENCL_XCHG_(rlx, memory_order_relaxed)
WEIR_OPENCL_XCHG_(acq, memory_order_acquire)
WEIR_OPENCL_XCHG_(rel, memory_order_release)
WEIR_OPENCL_XCHG_(acq_rel, memory_order_acq_rel)
#if WEIR_HAS_WORD64
WEIR_OPENCL_LOAD_(64, 64, rlx, memory_order_relaxed)
WEIR_OPENCL_LOAD_(64, 64, acq, memory_order_acquire)
WEIR_OPENCL_STORE_(64, 64, rlx, memory_order_relaxed)
WEIR_OPENCL_STORE_(64, 64, rel, memory_order_release)
WEIR_OPENCL_RED_(64, 64, rlx, memory_order_relaxed)
WEIR_OPENCL_RED_(64, 64, rel, memory_order_release)
WEIR_OPENCL_RMW_(64, 64, rlx, memory_order_relaxed, memory_order_relaxed)
WEIR_OPENCL_RMW_(64, 64, acq, memory_order_acquire, memory_order_acquire)
WEIR_OPENCL_RMW_(64, 64, rel, memory_order_release, memory_order_relaxed)
WEIR_OPENCL_RMW_(64, 64, acq_rel, memory_order_acq_rel, memory_order_acquire)
#endif

#undef WEIR_OPENCL_LOAD_
#undef WEIR_OPENCL_STORE_
#undef WEIR_OPENCL_RED_
#undef WEIR_OPENCL_RMW_
#undef WEIR_OPENCL_XCHG_

#ifdef __NV_CL_C_VERSION
WEIR_FN uint64_t weir_clock_ns(void)
{
	uint64_t ns;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}

#elif WEIR_HAS_CLOCK
WEIR_FN uint64_t weir_clock_ns(void)
{
	uint64_t cycles = __builtin_readcyclecounter();
	uint64_t ms = cycles / (WEIR_OPENCL_CYCLES_PER_MS);
	/* In two parts: the cycles of a few weeks times a million exceed 64 bits. */
	return ms * 1000000 +
	       cycles % (WEIR_OPENCL_CYCLES_PER_MS)*1000000 / (WEIR_OPENCL_CYCLES_PER_MS);
}
#endif

WEIR_FN void weir_pause(uint32_t units)
{
	weir_yield_();
	weir_rounds_(units * WEIR_OPENCL_READ_ROUNDS);
}

WEIR_FN void weir_pause_sixteenths(uint32_t sixteenths)
{
	weir_yield_();
	weir_rounds_(sixteenths * WEIR_OPENCL_READ_ROUNDS / 16);
}

#ifdef WEIR_DIAGNOSE
#if !defined(__x86_64__) || !defined(__linux__)
#error "WEIR_DIAGNOSE in OpenCL is for PoCL on x86-64: elsewhere no host sees what a kernel leaves"
#endif

/* OpenCL C has program-scope variables only as a device extension, so the assembler defines this
 * variable. All kernels may share its value, since a program runs on one device. PoCL may keep it
 * for the next program with the same source, so the host library never unmaps an area. */
#define WEIR_OPENCL_CELL_                                                                          \
	".ifndef weir_area_cell\n.pushsection .bss\n.balign 8\nweir_area_cell: .zero 8\n"          \
	".popsection\n.endif\n"

WEIR_FN uint64_t weir_area_now_(void)
{
	uint64_t address;
	__asm__ volatile(WEIR_OPENCL_CELL_ "movq weir_area_cell(%%rip), %0" : "=r"(address));
	return address;
}

WEIR_FN void weir_area_set_(uint64_t address)
{
	__asm__ volatile(WEIR_OPENCL_CELL_ "movq %0, weir_area_cell(%%rip)"
	                 :
	                 : "r"(address)
	                 : "memory");
}

WEIR_FN int weir_fault_is_noted_(void)
{
	WEIR_GLOBAL weir_word *area = (WEIR_GLOBAL weir_word *)(size_t)weir_area_now_();
	return area != 0 && weir_load_rlx(area + WEIR_AREA_FAULT) != 0;
}

#define WEIR_LITERAL __constant
#define weir_area_leave_() ((void)0)
#define WEIR_COUNTS_THREADS 0
#define WEIR_HAS_THREAD_END 0
#define weir_thread_end_() ((void)0) /* cannot: this wait ends, and later ones end at once */

/* Do not compile a barrier a second time for its likely kind: PoCL's compiler is slow. */
#define WEIR_NO_LIKELY_KINDS
#endif

/* No __builtin_trap: PoCL 3.1 cannot handle a branch that does not return to a block sync. */
WEIR_FN void weir_end_launch(uint32_t fault, uint32_t kind)
{
	(void)fault;
	(void)kind;
#ifdef WEIR_DIAGNOSE
	if (weir_fault_is_noted_())
		return; /* the operation is skipped, and the launch ends as if aborted */
#endif
#ifdef __NV_CL_C_VERSION
	asm volatile("trap;");
#elif defined(__x86_64__)
	__asm__ volatile("ud2");
#else
	__builtin_trap();
#endif
}

/* Both fences: CLK_LOCAL_MEM_FENCE alone does not order global memory. */
WEIR_FN void weir_block_sync(void)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

WEIR_FN uint32_t weir_hide_value(uint32_t x)
{
	return x;
}

WEIR_FN uint32_t weir_block_id(void)
{
	return (uint32_t)(get_group_id(0) +
	                  get_num_groups(0) *
	                      (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
}

WEIR_FN uint32_t weir_block_count(void)
{
	return (uint32_t)(get_num_groups(0) * get_num_groups(1) * get_num_groups(2));
}

WEIR_FN uint32_t weir_thread_id(void)
{
	return (uint32_t)(get_local_id(0) +
	                  get_local_size(0) *
	                      (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}

WEIR_FN uint32_t weir_thread_count(void)
{
	return (uint32_t)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

#endif
