/* The machine layer: everything that an algorithm may ask of the machine below it.
 *
 * An algorithm is written once, in the common subset of C11, CUDA C++, HIP and OpenCL C, against these
 * operations. A machine is one header that implements them. This header is the contract and picks
 * the machine; it holds no machine's code.
 *
 * Words
 *   weir_word                    32 bits of shared memory. Only the operations below look inside.
 *   weir_word64                  64 bits, aligned to 8 bytes, where WEIR_HAS_WORD64. It is never
 *                                also accessed as two weir_words.
 *   WEIR_GLOBAL                  the address space of shared memory, on every pointer to a word.
 *   WEIR_FN                      opens every function of an algorithm.
 *
 * Accesses. Each one is single-copy atomic and coherent among all blocks of the device. (The scope
 * is WEIR_SCOPE: the device, unless a build says otherwise.) The order is in the name:
 *   rlx      orders no other access.
 *   acq      pairs with the release that it reads from: all that happens before that release
 *            happens before all that follows the acquire.
 *   rel      pairs with an acquire that reads from it, or from an unbroken run of
 *            read-modify-writes that begins at it. This thread's earlier accesses happen before it.
 *            So do those of other threads of its block, if they precede a weir_block_sync that this
 *            thread passed.
 *   acq_rel  both.
 *
 *   uint32_t weir_load_{rlx,acq}(w)
 *   void     weir_store_{rlx,rel}(w, value)
 *   uint32_t weir_xchg_{rlx,acq,rel,acq_rel}(w, value)           returns the old value.
 *   uint32_t weir_add_{rlx,acq,rel,acq_rel}(w, addend)           returns the old value; wraps.
 *   uint32_t weir_cas_{rlx,acq,rel,acq_rel}(w, expected, value)  returns the old value. If that is
 *                                not `expected`, nothing is written and it is a load.
 *   void     weir_red_add_{rlx,rel}(w, addend)   an add without a result, which no thread waits
 *                                for. It continues a run of read-modify-writes like any other, but
 *                                never acquires.
 *   void     weir_owner_add_rel(w, addend)   an add with release: a relaxed load and a store. No
 *                                other thread may write the word between the two.
 *   void     weir_acquire_each(w, apart, bits)   acquires what this thread has read from w[0],
 *                                w[apart] and so on, 2^bits words, by relaxed or releasing accesses,
 *                                as if these had been acquires. Until then the words are written
 *                                by read-modify-writes alone, so that a later value releases as much.
 *   void     weir_red_add_each_rel(w, apart, bits, addend)   weir_red_add_rel of w[0], w[apart] and
 *                                so on, 2^bits words. All of them together may be as long as one.
 *   weir_load64_, weir_store64_, weir_add64_, weir_cas64_ and weir_red_add64_ in the same orders:
 *                                the same with weir_word64 and uint64_t.
 *   void     weir_release_begin(), weir_store_begun(w, value), weir_store64_begun(w64, value),
 *   uint64_t weir_add64_begun_acq(w64, addend)
 *                                a release in two parts: the store or add pairs as one with release
 *                                does, for all that precedes the first part. Other accesses may lie
 *                                between the two, and overlap with it. The add acquires, too.
 *   void     weir_flush_writes()   a hint: flush this thread's earlier writes now, so that its next
 *                                release is short. It orders nothing.
 *   void     weir_bulk_wait()    waits until the bulk copies that this thread has started have
 *                                written what they copy, and this thread's next release covers it.
 *                                Where there are none, it does nothing.
 *
 * Waiting. A wait is one of these, never a loop around a load. They are where a machine yields,
 * backs off, enforces a limit, and learns that the thread waits.
 *   void     weir_await_eq_acq(w, value, backoff)   waits until the word is `value`.
 *   uint32_t weir_await_ge_rlx(w, value)   as the next, relaxed and without a pause.
 *   uint32_t weir_await_ge_acq(w, value, backoff)   waits until the word is at or past `value`, by
 *                                signed difference, so that it holds across the wrap at 2^32.
 *                                Returns the word.
 *   uint32_t weir_await_xchg_eq_acq(w, put, want, backoff)   exchanges `put` in until `want` comes
 *                                out. `put` and every other value found must mean the same.
 *   uint32_t weir_await_xchg_ne_acq(w, put, avoid, backoff)  exchanges `put` in until a value other
 *                                than `avoid` comes out, and returns that value.
 *   void     weir_await_high_ge_acq(w64, value, units, per)  waits until the upper half of a 64-bit
 *                                word is at or past `value`, by signed difference. While the half
 *                                is n below that, it pauses units * (n - 1) / per units.
 *   weir_wait, weir_wait_begin(backoff), weir_wait_again(&wait)   for waits of another shape. Call
 *                                weir_wait_again after each failed attempt.
 *   void     weir_wait_sixteenths(&wait, sixteenths)   replaces weir_wait_again in a wait that
 *                                knows how far off its turn is. It pauses as
 *                                weir_pause_sixteenths does, whatever the backoff.
 *   int      weir_wait_aborted(&wait)   whether the wait must end without success. Its loop asks
 *                                after each weir_wait_again. Always 0 except in an aborted launch.
 *   void     weir_wait_end(&wait)   follows the loop, in a function that cannot give up.
 *   uint32_t weir_poll(w), uint64_t weir_poll64(w), void weir_poll_acquire()   the load of such a
 *                                wait. It acquires when weir_poll_acquire follows the loop.
 *   void     weir_wait_until_eq(&wait, w, value), weir_wait_until_ge(&wait, w, value)
 *   void     weir_wait_until_high_ge(&wait, w64, value), weir_wait_until_ne(&wait, w, mask, value)
 *                                hints, after a failed attempt and before weir_wait_again: the next
 *                                one fails, too, unless the word is `value`, at or past it, or another
 *                                under the mask. With two hints, one is enough. A machine whose
 *                                threads sleep wakes this one when it is so. Without a hint it cannot
 *                                know when. A sleep ends after a while, too: a hint that is wrong now
 *                                and then costs time, and no more.
 *   void     weir_wait_until_change(&wait, w)   the same for any change from now on.
 *   void     weir_wait_one_until_eq(&wait, w, value), weir_wait_one_until_ne(&wait, w, value)
 *                                the same where a thread that finds it so changes the word back, so
 *                                that one waiter at a time is woken.
 * Each await tries once before it pauses. After the first failure it pauses backoff.min units,
 * then one more each time up to backoff.max, then starts again at backoff.min.
 *
 * A wait that may give up asks, after each failed attempt and before the pause:
 *   weir_deadline, weir_deadline_begin(ns), weir_deadline_check(&deadline)   WEIR_OK to go
 *                                on, else the result to give up with. Exists where
 *                                WEIR_HAS_DEADLINE.
 *
 * Time
 *   void     weir_pause(units)   takes about as long as `units` loads of a word that no other
 *                                thread touches. 0 units is a hint that this thread waits.
 *   void     weir_pause_sixteenths(sixteenths)   the same in sixteenths of such a load.
 *   uint64_t weir_clock_ns()     a clock of the device, where WEIR_HAS_CLOCK.
 *
 * The block
 *   void     weir_block_sync()   all threads of the block meet. All that each did before happens
 *                                before all that each does after. Part of every proof: a leader's
 *                                release covers its block only through it.
 *   void     weir_block_sync_rel()   the same, where only the first threads go on to release for the
 *                                block, and the others go to a weir_block_sync.
 *   A work of up to 2^bits parts, at most 32, for the first threads of a block:
 *   int      weir_has_parts(threads, bits)   0 if these are too few threads for it.
 *   int      weir_is_first(thread)  whether the thread is one of those that divide it.
 *   WEIR_FIRST_THREADS           how many these are, in a block that has as many: 2^WEIR_FIRST_BITS.
 *   WEIR_EACH_PART(part, thread, count) statement   runs the statement for each part below `count`
 *                                that is the thread's: its own number, or all of them, 0 last.
 *   uint32_t weir_first_value(value, bits)   the value that the thread of part 0 passes. All threads
 *                                that divide the work call it together. It orders no access.
 *   uint32_t weir_first_sum(value, bits)   likewise, the sum of the values of 2^bits parts. Threads
 *                                without a part pass 0.
 *   uint32_t weir_first_pick(value, none)   likewise, the value of the first of them that is not
 *                                `none`; else `none`.
 *   uint32_t weir_first_ballot(condition)   likewise, a bit for each of them: whether its condition
 *                                holds.
 *   uint32_t weir_first_get(value, thread)   likewise, the value that the thread of that number passes.
 *   uint32_t weir_first_count(bits), weir_first_rank(bits, thread)   how many such bits are 1, in
 *                                all and before that of a thread.
 *   uint32_t weir_first_word(own, place), void weir_first_word_put(own, place, value)   plain words
 *                                that they share: WEIR_FIRST_WORDS for each of them. `own` has room
 *                                for them, where the first thread is alone.
 *   void     weir_first_sync()   weir_block_sync for them alone.
 *   A value for all, where WEIR_HAS_BLOCK_VALUE:
 *   uint32_t weir_block_value(value)   the value that thread 0 passes. All threads of the block call
 *                                it, after a weir_block_sync that follows the last such call. It has
 *                                a weir_block_sync in it.
 *   uint32_t weir_team_value(team, value)   the same for a team, with weir_team_sync.
 *   void weir_plain_put_(place, value), uint32_t weir_plain_get_(place)   what they are made of:
 *                                plain words of the block. `place` is below WEIR_TEAM_WARP + its
 *                                number of threads.
 *   Teams, where WEIR_HAS_TEAMS (weir/team.h):
 *   void     weir_team_sync(team)   weir_block_sync for the threads of a team alone.
 *   WEIR_WARP_THREADS            threads of a warp. The last warp of a block may have fewer.
 *   weir_warp_sync_(first, threads), weir_named_sync_(id, threads)   what it is made of: the warp of
 *                                thread `first`, and `threads` threads that call it with this `id`.
 *   uint32_t weir_block_id(), weir_block_count(), weir_thread_id(), weir_thread_count()
 *                                linear, from 0, for grids and blocks of any dimension.
 *
 * Faults
 *   void     weir_end_launch(fault, kind)   ends the launch with an error, since the kernel cannot
 *                                go on. `fault` is one of WEIR_FAULT_*; `kind` is the kind in
 *                                question. A GPU traps. The host machine fails the launch with a
 *                                text. A CPU under OpenCL traps, which ends the process. In a
 *                                thread that no launch started it may return (WEIR_FAULT_WAIT).
 *   void     weir_check_member(words, blocks, first, is_part)   precedes an operation of the barrier
 *                                at `words`, of `blocks` blocks from `first` on. The host machine
 *                                ends a caller that is none of them. Elsewhere it does nothing.
 *
 * The cluster: blocks of a launch that run at once, next to each other, and reach each other's
 * shared memory. Every block is in one. In a launch without clusters, each block is alone in its
 * own.
 *   uint32_t weir_cluster_id(), weir_cluster_rank(), weir_cluster_size()
 *                                linear, from 0, for clusters and grids of any dimension.
 *   weir_dsmem_word, weir_dsmem(home, slot, index)   a word of distributed shared memory in the
 *                                caller's block.
 *   weir_dsmem_remote_word, weir_dsmem_remote(home, slot, index, rank)   the same word of another
 *                                block of the cluster, which must have started and not ended.
 *                                `slot` is below WEIR_DSMEM_SLOTS, `index` below WEIR_DSMEM_WORDS.
 *                                The word holds anything at first. `home` points to words of the
 *                                object, for machines whose blocks have no such memory. It has
 *                                WEIR_DSMEM_WORDS for each block up to the last of the cluster.
 *   uint32_t weir_dsmem_load_{rlx,acq}(w)
 *   void     weir_dsmem_store_rlx(w, value)
 *   void     weir_dsmem_remote_store_{rlx,rel}(w, value)
 *   uint32_t weir_await_dsmem_ge_acq(w, value, backoff)   as weir_await_ge_acq.
 * These are atomic and coherent among the blocks of the cluster, and their orders hold among them.
 *
 * The grid, where WEIR_HAS_GRID_SYNC: the vendor's own barrier of all blocks of a launch.
 *   int      weir_has_grid_sync()   whether this launch has it: on CUDA, a cooperative one.
 *   void     weir_grid_sync()    all threads of all blocks call it. All that each did before happens
 *                                before all that each does after.
 *   uint32_t weir_grid_sync_arrive(), void weir_grid_sync_await(token)   the same in two halves.
 *
 * The compiler
 *   uint32_t weir_hide_value(x)  x, of which the compiler then knows nothing. Values that follow
 *                                from it are computed where they are used, and not kept in
 *                                registers between calls.
 *   WEIR_LIKELY(condition)       the condition, which the compiler may expect to hold.
 *   WEIR_NO_UNROLL               precedes a loop that mostly runs once: not worth unrolling.
 *   WEIR_UNROLL                  precedes a short loop that runs often: worth unrolling.
 *   WEIR_KERNELS_FIT_            a declaration in every unit with kernels, by which the library
 *                                refuses those of another version; may be left out.
 *   WEIR_LIST_KIND_(PRIMITIVE, kind)   a declaration by which the host learns what the kernels of
 *                                the unit have (weir/dispatch.h); or nothing.
 *
 * Capabilities, each 0 or 1
 *   WEIR_HAS_CLOCK               weir_clock_ns exists.
 *   WEIR_HAS_REST                long waits leave the core to other threads: on CPUs. The machine has
 *                                weir_rest, the state of a wait for that, weir_rest_begin_, and
 *                                weir_rest_again_, which rests after a failed attempt. That returns 0 if
 *                                a pause must follow, and WEIR_REST_SLEPT after a sleep.
 *   WEIR_HAS_DEADLINE            waits can give up: there is a clock, or time is modelled.
 *   WEIR_HAS_ACQUIRE_FENCE       weir_fence_acq_ exists: a fence that acquires what earlier relaxed
 *                                accesses of the thread have read, for the waits.
 *   WEIR_HAS_WORD64              weir_word64 and its operations exist.
 *   WEIR_HAS_CLUSTER             a cluster may have more than one block; else weir_cluster_size()
 *                                is 1.
 *   WEIR_HAS_ALL_KINDS           kernels have all kinds of every primitive (weir/dispatch.h).
 *   WEIR_HAS_TEAMS               weir_team_sync exists.
 *   WEIR_HAS_BLOCK_VALUE         weir_block_value and weir_team_value exist.
 *   WEIR_HAS_GRID_SYNC           weir_grid_sync exists: on CUDA, in kernels that define
 *                                WEIR_GRID_SYNC before they include weir. It includes
 *                                cooperative_groups.h, which NVRTC finds only by a path.
 *   WEIR_HAS_THREAD_PROGRESS     a waiting thread does not stop the other threads of its block, so
 *                                that single threads may lock for themselves.
 *
 * An algorithm may assume that a block, once started, gets to run again and again. It may also
 * assume that all blocks of a launch are started, if the library accepted the launch for a barrier.
 *
 * Four switches of the build, all off by default and then without a trace in the code:
 *   WEIR_WAIT_LIMIT_NS=n         a wait longer than n nanoseconds ends the launch with an error.
 *                                CUDA, HIP, the host and NVIDIA's OpenCL have it; others ignore it.
 *   WEIR_JITTER                  random delays before every access and in every pause.
 *   WEIR_SYSTEM_SCOPE            the scope is the system: the words may be shared with the host while
 *                                a kernel runs. It changes nothing where the host machine or OpenCL
 *                                runs the kernel.
 *   WEIR_DIAGNOSE                operations leave notes for a report about hangs and misuse.
 *                                weir/diagnosis/notes.h says what a machine has for it.
 */
#ifndef WEIR_MACHINE_H
#define WEIR_MACHINE_H

#include "weir/status.h"
#include "weir/version.h"

#define WEIR_FIRST_WORDS 4
#define WEIR_DSMEM_SLOTS 8
#define WEIR_DSMEM_WORDS 2

/* Why a kernel ends its launch. */
#define WEIR_FAULT_WAIT 1 /* a wait passed WEIR_WAIT_LIMIT_NS */
/* The kind in a handle does not exist, or is not the one that the kernel was compiled for. */
#define WEIR_FAULT_BARRIER 2
#define WEIR_FAULT_MUTEX 3
#define WEIR_FAULT_SEMAPHORE 4
#define WEIR_FAULT_TEAM 5 /* no such team; in place of a kind, its name */
#define WEIR_FAULT_EVENT 6
#define WEIR_FAULT_RESULT 7 /* a signal at an event whose kind has none */
#define WEIR_FAULT_INDEX 8  /* an event past its array; in place of a kind, its index */
#define WEIR_FAULT_QUEUE 9
#define WEIR_FAULT_ITEM                                                                            \
	10 /* an item of another size than the queue's; in place of a kind, its words */
#define WEIR_FAULT_BATCH 11 /* a batch larger than the queue; in place of a kind, its items */
#define WEIR_FAULT_SHARE 12 /* a take of no items */
#define WEIR_FAULT_TASK                                                                            \
	13 /* a task of the graph added as a new one; in place of a kind, the task */

/* A combiner called by a block with too few threads; in place of a kind, their number. */
#define WEIR_FAULT_COMBINER 14
/* Not a fault: in the lists of kinds, the scope that the kernels have. */
#define WEIR_FAULT_SCOPE 15
#define WEIR_SCOPE_SYSTEM 2

#define WEIR_FAULT_SEAT                                                                            \
	16 /* a block past the seats of a combiner; in place of a kind, its number */
#define WEIR_FAULT_OPERATION                                                                       \
	17 /* an operation larger than those of a combiner; in place of a kind, its words */
#define WEIR_FAULT_LANE 18  /* a lane past those of a crew; in place of a kind, its number */
#define WEIR_FAULT_REACH 19 /* a share that only an engine reaches; in place of a kind, its rank */
#define WEIR_FAULT_ROUNDS                                                                          \
	20 /* rounds of a crew whose engine has none; in place of a kind, its radix */
#define WEIR_FAULT_MEMBER                                                                          \
	21 /* a block at a barrier that is not for it; in place of a kind, its number */
#define WEIR_FAULT_GRID                                                                            \
	22 /* a barrier of more blocks than the grid; in place of a kind, its blocks */

#ifdef WEIR_DIAGNOSE
#include "weir/diagnosis/area.h"
#endif

#if defined(WEIR_MACHINE_HEADER)
#include WEIR_MACHINE_HEADER
#elif defined(__HIP__) && !defined(__HIP_PLATFORM_NVIDIA__)
#include "weir/machine/hip.h"
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "weir/machine/cuda.h"
#elif defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#include "weir/machine/opencl.h"
#else
#include "weir/machine/host.h"
#endif

#ifndef WEIR_HAS_OWN_CHECK
#define weir_check_member(words, blocks, first, is_part) ((void)0)
#endif

#ifndef WEIR_HAS_OWN_SYNC_REL
#define weir_block_sync_rel() weir_block_sync()
#endif

#ifndef WEIR_HAS_ALL_KINDS
#define WEIR_HAS_ALL_KINDS 0
#endif

#ifndef WEIR_LIST_KIND_
#define WEIR_LIST_KIND_(PRIMITIVE, kind)
#endif

/* Thread 0 does all parts, unless the machine divides them. */
#ifndef WEIR_EACH_PART
#define weir_has_parts(threads, bits) ((void)(threads), (void)(bits), 1)
#define weir_is_first(thread) ((thread) == 0)
#define weir_first_value(value, bits) ((void)(bits), (value))
#define weir_first_sum(value, bits) ((void)(bits), (value))
#define weir_first_pick(value, none) ((void)(none), (value))
#define weir_first_ballot(condition) ((uint32_t)((condition) != 0))
#define weir_first_get(value, thread) ((void)(thread), (value))
#define weir_first_count(bits) (bits)
#define weir_first_rank(bits, thread) ((void)(bits), (void)(thread), 0u)
#define weir_first_sync() ((void)0)
#define WEIR_FIRST_THREADS 1u
#define WEIR_FIRST_BITS 0
#define WEIR_EACH_PART(part, thread, count) for (uint32_t part = (thread) + (count); part-- != 0;)
#endif

#ifndef weir_first_word
#ifndef WEIR_HAS_FIRST_WORDS
#define weir_first_words_(own) (own)
#endif
#define weir_first_word(own, place) (weir_first_words_(own)[place])
#define weir_first_word_put(own, place, value) ((void)(weir_first_words_(own)[place] = (value)))
#endif

#ifndef WEIR_HAS_ACQUIRE_FENCE
#define WEIR_HAS_ACQUIRE_FENCE 0
#endif

#ifndef WEIR_HAS_TEAMS
#define WEIR_HAS_TEAMS 0
#endif

#ifndef WEIR_HAS_BLOCK_VALUE
#define WEIR_HAS_BLOCK_VALUE 0
#endif

#ifndef WEIR_HAS_OWN_BULK
#define weir_bulk_wait() ((void)0)
#endif

#ifndef WEIR_HAS_GRID_SYNC
#define WEIR_HAS_GRID_SYNC 0
#endif

#include "weir/wait.h"

#include "weir/dsmem.h"

#include "weir/team.h"

#include "weir/release.h"

#include "weir/diagnosis/site.h"

#endif
