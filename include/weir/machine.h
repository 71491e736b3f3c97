/** @defgroup weir_machine The machine
 *
 * What kernels and algorithms may ask of the machine below them: accesses with a memory order,
 * waits, time, the block, the cluster and the grid.
 *
 * An algorithm is written once, in the common subset of C11, CUDA C++, HIP and OpenCL C, against
 * these operations. A machine is one header that implements them. weir/machine.h is the contract
 * and picks the machine; it holds no machine's code.
 *
 * Each access is single-copy atomic and coherent among all blocks of the device. Its scope is
 * WEIR_SCOPE: the device, or the system with WEIR_SYSTEM_SCOPE. The order is in the name:
 *
 * - `rlx` orders no other access.
 * - `acq` pairs with the release that it reads from: all that happens before that release happens
 *   before all that follows the acquire.
 * - `rel` pairs with an acquire that reads from it, or from an unbroken run of read-modify-writes
 *   that begins at it. This thread's earlier accesses happen before it. So do those of other
 *   threads of its block, if they precede a weir_block_sync that this thread passed.
 * - `acq_rel` is both.
 *
 * Any thread may use any word at any time, except where an operation says otherwise.
 *
 * A wait is a `weir_await_` operation, or weir_wait_again in a loop, never a bare loop around a
 * load. Those are where a machine yields, backs off, enforces a limit, and learns that the thread
 * waits. Each await tries once before it pauses. After the first failure it pauses backoff.min
 * units, then one more each time up to backoff.max, then starts again at backoff.min.
 *
 * An algorithm may assume that a block, once started, gets to run again and again. It may also
 * assume that all blocks of a launch are started, if the library accepted the launch for a
 * barrier.
 *
 * Machines: all, except where an operation names a WEIR_HAS_ macro.
 *
 * @code
 * // A flag between two blocks: what block 0 wrote to x happens before what block 1 does next.
 * if (weir_block_id() == 0) {
 * 	x[weir_thread_id()] = 1.0f;
 * 	weir_block_sync();
 * 	if (weir_thread_id() == 0)
 * 		weir_store_rel(flag, 1);
 * } else if (weir_block_id() == 1) {
 * 	if (weir_thread_id() == 0)
 * 		weir_await_eq_acq(flag, 1, weir_no_backoff());
 * 	weir_block_sync();
 * }
 * @endcode
 */
#ifndef WEIR_MACHINE_H
#define WEIR_MACHINE_H

#include "weir/status.h"
#include "weir/version.h"

#define WEIR_FIRST_WORDS 4 /**< words that the first threads share, for each of them */
#define WEIR_DSMEM_SLOTS 8 /**< slots of distributed shared memory in a block */
#define WEIR_DSMEM_WORDS 2 /**< words of a slot */

/** @name Faults
 * Why a kernel ends its launch (weir_end_launch). What is passed in place of a kind stands behind
 * each.
 * @{ */
#define WEIR_FAULT_WAIT 1 /**< a wait took longer than WEIR_WAIT_LIMIT_NS */
#define WEIR_FAULT_BARRIER                                                                         \
	2 /**< the kind of a barrier's handle is unknown, or missing in the kernel */
#define WEIR_FAULT_MUTEX 3     /**< the same for a mutex */
#define WEIR_FAULT_SEMAPHORE 4 /**< the same for a semaphore */
#define WEIR_FAULT_TEAM 5      /**< an unknown team: its name */
#define WEIR_FAULT_EVENT 6     /**< as WEIR_FAULT_BARRIER, for an event */
#define WEIR_FAULT_RESULT 7    /**< a signal with a result at an event whose kind has none */
#define WEIR_FAULT_INDEX 8     /**< an event past its array: its index */
#define WEIR_FAULT_QUEUE 9     /**< as WEIR_FAULT_BARRIER, for a queue */
#define WEIR_FAULT_ITEM 10     /**< an item of another size than the queue's: its words */
#define WEIR_FAULT_BATCH 11    /**< a batch larger than the queue: its items */
#define WEIR_FAULT_SHARE 12    /**< a take of no items */
#define WEIR_FAULT_TASK 13     /**< a task of the graph added as a new one: the task */
#define WEIR_FAULT_COMBINER                                                                        \
	14 /**< a combiner called by a block with too few threads: their number */
#define WEIR_FAULT_SCOPE                                                                           \
	15 /**< not a fault: in the lists of kinds, the scope that the kernels have */
#define WEIR_FAULT_SEAT 16      /**< a block past the seats of a combiner: its number */
#define WEIR_FAULT_OPERATION 17 /**< an operation larger than those of a combiner: its words */
#define WEIR_FAULT_LANE 18      /**< a lane past those of a crew: its number */
#define WEIR_FAULT_REACH 19     /**< a share that only an engine reaches: its rank */
#define WEIR_FAULT_ROUNDS 20    /**< rounds of a crew whose engine has none: their radix */
#define WEIR_FAULT_MEMBER 21    /**< a block at a barrier that is not for it: its number */
#define WEIR_FAULT_GRID 22      /**< a barrier of more blocks than the grid: its blocks */
/** @} */
#define WEIR_SCOPE_SYSTEM 2 /**< what WEIR_FAULT_SCOPE lists for kernels with WEIR_SYSTEM_SCOPE */

/* What a machine defines, functions or macros: declarations for readers and for the reference. */
#ifdef WEIR_REFERENCE

/** 32 bits of shared memory. Only the operations below look inside. */
typedef struct weir_word weir_word;

/** 64 bits of shared memory, aligned to 8 bytes, never also accessed as two words. Where
 * WEIR_HAS_WORD64. */
typedef struct weir_word64 weir_word64;

/** The address space of shared memory, on every pointer to a word. */
#define WEIR_GLOBAL

/** Opens every function of an algorithm. */
#define WEIR_FN

/** The scope of accesses: the device, or the system with WEIR_SYSTEM_SCOPE. A build may set
 * another.
 */
#define WEIR_SCOPE

/** @name Switches of the build
 * Define them before the headers. They are off by default, and then leave no trace in the code.
 * @{ */
/** Nanoseconds after which a wait ends the launch with an error. CUDA, HIP, the host and NVIDIA's
 * OpenCL have it; others ignore it. */
#define WEIR_WAIT_LIMIT_NS
/** Random delays before every access and in every pause, for tests. */
#define WEIR_JITTER
/** The words may be shared with the host, or another GPU, while a kernel runs. It changes nothing
 * where the host machine or OpenCL runs the kernel. */
#define WEIR_SYSTEM_SCOPE
/** Operations leave notes for reports about hangs and misuse (doc/hangs.md). CUDA, the host and
 * PoCL. */
#define WEIR_DIAGNOSE
/** weir_device_abort ends the waits of these kernels, whether or not objects are diagnosed. A wait then checks for the
 * order now and then, and a block sync checks whether a wait of the block has ended. CUDA has it; the host machine
 * ends all waits anyway, and others ignore it. */
#define WEIR_ABORTABLE
/** The vendor's barrier of the grid, on CUDA: includes cooperative_groups.h, which NVRTC finds only
 * by a path. */
#define WEIR_GRID_SYNC
/** The header of another machine, in quotes: for explorers and simulators. */
#define WEIR_MACHINE_HEADER
/** @} */

/** @name Capabilities
 * Each is 0 or 1, as the machine has it.
 * @{ */
#define WEIR_HAS_CLOCK 1         /**< weir_clock_ns exists */
#define WEIR_HAS_REST 1          /**< long waits leave the core to other threads: on CPUs */
#define WEIR_HAS_DEADLINE 1      /**< waits can give up: there is a clock, or time is modelled */
#define WEIR_HAS_ACQUIRE_FENCE 1 /**< a fence acquires what earlier relaxed accesses have read */
#define WEIR_HAS_WORD64 1        /**< weir_word64 and its operations exist */
#define WEIR_HAS_CLUSTER                                                                           \
	1 /**< a cluster may have more than one block; else weir_cluster_size is 1 */
#define WEIR_HAS_ALL_KINDS 1   /**< kernels have all kinds of every primitive (weir/dispatch.h) */
#define WEIR_HAS_TEAMS 1       /**< weir_team_sync exists: on CUDA and on the host */
#define WEIR_HAS_BLOCK_VALUE 1 /**< weir_block_value and weir_team_value exist */
#define WEIR_HAS_GRID_SYNC 1   /**< weir_grid_sync exists: on CUDA with WEIR_GRID_SYNC */
#define WEIR_HAS_THREAD_PROGRESS 1 /**< single threads may lock: one that waits stops no other */
/** @} */

/** @name Accesses of 32 bits
 * @{ */
/** Returns the word. */
uint32_t weir_load_rlx(WEIR_GLOBAL weir_word *w);
/** Returns the word. */
uint32_t weir_load_acq(WEIR_GLOBAL weir_word *w);
/** Writes `value`. */
void weir_store_rlx(WEIR_GLOBAL weir_word *w, uint32_t value);
/** Writes `value`. */
void weir_store_rel(WEIR_GLOBAL weir_word *w, uint32_t value);
/** Writes `value` and returns the old one. */
uint32_t weir_xchg_rlx(WEIR_GLOBAL weir_word *w, uint32_t value);
/** Writes `value` and returns the old one. */
uint32_t weir_xchg_acq(WEIR_GLOBAL weir_word *w, uint32_t value);
/** Writes `value` and returns the old one. */
uint32_t weir_xchg_rel(WEIR_GLOBAL weir_word *w, uint32_t value);
/** Writes `value` and returns the old one. */
uint32_t weir_xchg_acq_rel(WEIR_GLOBAL weir_word *w, uint32_t value);
/** Adds `addend`, modulo 2^32, and returns the old value. */
uint32_t weir_add_rlx(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Adds `addend`, modulo 2^32, and returns the old value. */
uint32_t weir_add_acq(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Adds `addend`, modulo 2^32, and returns the old value. */
uint32_t weir_add_rel(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Adds `addend`, modulo 2^32, and returns the old value. */
uint32_t weir_add_acq_rel(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint32_t weir_cas_rlx(WEIR_GLOBAL weir_word *w, uint32_t expected, uint32_t value);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint32_t weir_cas_acq(WEIR_GLOBAL weir_word *w, uint32_t expected, uint32_t value);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint32_t weir_cas_rel(WEIR_GLOBAL weir_word *w, uint32_t expected, uint32_t value);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint32_t weir_cas_acq_rel(WEIR_GLOBAL weir_word *w, uint32_t expected, uint32_t value);
/** Adds `addend` without a result, which no thread waits for. It continues a run of
 * read-modify-writes like any other, but never acquires. */
void weir_red_add_rlx(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Adds `addend` without a result, as weir_red_add_rlx, and releases. */
void weir_red_add_rel(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Adds `addend` with release, by a relaxed load and a store. No other thread may write the word
 * between the two. */
void weir_owner_add_rel(WEIR_GLOBAL weir_word *w, uint32_t addend);
/** Acquires what this thread has read from w[0], w[apart] and so on, 2^bits words, by relaxed or
 * releasing accesses, as if these had been acquires. Until then the words are written by
 * read-modify-writes alone, so that a later value releases as much. */
void weir_acquire_each(WEIR_GLOBAL weir_word *w, uint32_t apart, uint32_t bits);
/** weir_red_add_rel of w[0], w[apart] and so on, 2^bits words. All of them together may take as
 * long as one. */
void weir_red_add_each_rel(WEIR_GLOBAL weir_word *w, uint32_t apart, uint32_t bits,
                           uint32_t addend);
/** @} */

/** @name Accesses of 64 bits
 * Where WEIR_HAS_WORD64.
 * @{ */
/** Returns the word. */
uint64_t weir_load64_rlx(WEIR_GLOBAL weir_word64 *w);
/** Returns the word. */
uint64_t weir_load64_acq(WEIR_GLOBAL weir_word64 *w);
/** Writes `value`. */
void weir_store64_rlx(WEIR_GLOBAL weir_word64 *w, uint64_t value);
/** Writes `value`. */
void weir_store64_rel(WEIR_GLOBAL weir_word64 *w, uint64_t value);
/** Adds `addend`, modulo 2^64, and returns the old value. */
uint64_t weir_add64_rlx(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** Adds `addend`, modulo 2^64, and returns the old value. */
uint64_t weir_add64_acq(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** Adds `addend`, modulo 2^64, and returns the old value. */
uint64_t weir_add64_rel(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** Adds `addend`, modulo 2^64, and returns the old value. */
uint64_t weir_add64_acq_rel(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint64_t weir_cas64_rlx(WEIR_GLOBAL weir_word64 *w, uint64_t expected, uint64_t value);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint64_t weir_cas64_acq(WEIR_GLOBAL weir_word64 *w, uint64_t expected, uint64_t value);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint64_t weir_cas64_rel(WEIR_GLOBAL weir_word64 *w, uint64_t expected, uint64_t value);
/** Writes `value` if the word is `expected`. Returns the old value; if that is not `expected`, it
 * was a load. */
uint64_t weir_cas64_acq_rel(WEIR_GLOBAL weir_word64 *w, uint64_t expected, uint64_t value);
/** Adds `addend` without a result, as weir_red_add_rlx. */
void weir_red_add64_rlx(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** Adds `addend` without a result, as weir_red_add_rel. */
void weir_red_add64_rel(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** @} */

/** @name A release in two parts
 * The second part pairs as an access with release does, for all that precedes the first. Other
 * accesses may lie between the two, and overlap with the release.
 * @{ */
/** The first part. */
void weir_release_begin(void);
/** The second part: writes `value`. */
void weir_store_begun(WEIR_GLOBAL weir_word *w, uint32_t value);
/** The second part: writes `value`. Where WEIR_HAS_WORD64. */
void weir_store64_begun(WEIR_GLOBAL weir_word64 *w, uint64_t value);
/** The second part: adds `addend`, and also acquires. Where WEIR_HAS_WORD64. */
uint64_t weir_add64_begun_acq(WEIR_GLOBAL weir_word64 *w, uint64_t addend);
/** A hint: flush this thread's earlier writes now, so that its next release is short. It orders
 * nothing. */
void weir_flush_writes(void);
/** Waits until the bulk copies that this thread has started have written what they copy, and this
 * thread's next release covers it. Where there are none, it does nothing. */
void weir_bulk_wait(void);
/** @} */

/** @name Hints in a wait
 * A hint stands between a failed attempt and weir_wait_again. It states a condition without which
 * the next attempt fails as well. A machine whose threads sleep wakes the thread when the
 * condition holds; without a hint it cannot know when. Of two hints, either is enough. A sleep
 * ends after a while anyway, so an occasional wrong hint costs only time.
 * @{ */
/** The word is `value`. */
void weir_wait_until_eq(weir_wait *wait, WEIR_GLOBAL weir_word *w, uint32_t value);
/** The word, under the mask, is another value. */
void weir_wait_until_ne(weir_wait *wait, WEIR_GLOBAL weir_word *w, uint32_t mask, uint32_t value);
/** The word is at or past `value`, by signed difference. */
void weir_wait_until_ge(weir_wait *wait, WEIR_GLOBAL weir_word *w, uint32_t value);
/** The upper half of the word is at or past `value`, by signed difference. */
void weir_wait_until_high_ge(weir_wait *wait, WEIR_GLOBAL weir_word64 *w, uint32_t value);
/** The word has changed since this call. */
void weir_wait_until_change(weir_wait *wait, WEIR_GLOBAL weir_word *w);
/** As weir_wait_until_eq, where a thread that finds it so changes the word back: one waiter at a
 * time is woken. */
void weir_wait_one_until_eq(weir_wait *wait, WEIR_GLOBAL weir_word *w, uint32_t value);
/** As weir_wait_until_ne without a mask, where a thread that finds it so changes the word back. */
void weir_wait_one_until_ne(weir_wait *wait, WEIR_GLOBAL weir_word *w, uint32_t value);
/** @} */

/** @name Time
 * @{ */
/** Takes about as long as `units` loads of a word that no other thread touches. 0 units is a hint
 * that this thread waits. */
void weir_pause(uint32_t units);
/** The same in sixteenths of such a load. */
void weir_pause_sixteenths(uint32_t sixteenths);
/** Nanoseconds of a clock of the device. Where WEIR_HAS_CLOCK. */
uint64_t weir_clock_ns(void);
/** @} */

/** @name The block
 * Numbers are linear, from 0, for grids and blocks of any dimension.
 * @{ */
/** The number of the calling block in the launch. */
uint32_t weir_block_id(void);
/** The blocks of the launch. */
uint32_t weir_block_count(void);
/** The number of the calling thread in its block. */
uint32_t weir_thread_id(void);
/** The threads of a block. */
uint32_t weir_thread_count(void);
/** All threads of the block meet. All that each did before happens before all that each does after.
 * Part of every proof: a leader's release covers its block only through it. */
void weir_block_sync(void);
/** The same, where only the first threads go on to release for the block, and the others go to a
 * weir_block_sync. */
void weir_block_sync_rel(void);
/** Threads of a warp; the last warp of a block may have fewer. Where WEIR_HAS_TEAMS. */
#define WEIR_WARP_THREADS
/** @} */

/** @name Work that the first threads of a block divide
 * Up to 2^bits parts, at most 32. Either one thread does all parts, or each thread of the first
 * warp does one. All threads that divide the work call these together. They order no access.
 * @{ */
/** 0 if these are too few threads for 2^bits parts. */
int weir_has_parts(uint32_t threads, uint32_t bits);
/** Whether the thread is one of those that divide the work. */
int weir_is_first(uint32_t thread);
#define WEIR_FIRST_THREADS /**< the threads that divide the work, if the block has enough */
#define WEIR_FIRST_BITS    /**< the logarithm of WEIR_FIRST_THREADS */
/** Precedes a statement, which runs for each part below `count` that is the thread's: its own
 * number, or all of them, 0 last. */
#define WEIR_EACH_PART(part, thread, count)
/** The value that the thread of part 0 passes. */
uint32_t weir_first_value(uint32_t value, uint32_t bits);
/** The sum of the values of 2^bits parts. Threads without a part pass 0. */
uint32_t weir_first_sum(uint32_t value, uint32_t bits);
/** The value of the first thread that passes another one than `none`; else `none`. */
uint32_t weir_first_pick(uint32_t value, uint32_t none);
/** A bit for each thread: whether its condition holds. */
uint32_t weir_first_ballot(int condition);
/** The value that the thread of that number passes. */
uint32_t weir_first_get(uint32_t value, uint32_t thread);
/** How many bits of a ballot are 1. */
uint32_t weir_first_count(uint32_t bits);
/** How many bits of a ballot before that of a thread are 1. */
uint32_t weir_first_rank(uint32_t bits, uint32_t thread);
/** A plain word that they share, below WEIR_FIRST_WORDS for each of them. `own` has room for them
 * if one thread does all parts. */
uint32_t weir_first_word(uint32_t *own, uint32_t place);
/** Writes such a word. */
void weir_first_word_put(uint32_t *own, uint32_t place, uint32_t value);
/** weir_block_sync for only these threads. */
void weir_first_sync(void);
/** @} */

/** @name Faults and checks
 * @{ */
/** Ends the launch with an error, since the kernel cannot go on. `fault` is one of WEIR_FAULT_*;
 * `kind` is the kind in question, or what the fault says. A GPU traps. The host machine fails the
 * launch with a text. A CPU under OpenCL traps, which ends the process. In a thread that no launch
 * started it may return (WEIR_FAULT_WAIT). */
void weir_end_launch(uint32_t fault, uint32_t kind);
/** Precedes an operation of the barrier at `words`, of `blocks` blocks from `first` on. The host
 * machine ends a caller that is none of them. Elsewhere it does nothing. */
void weir_check_member(const weir_word *words, uint32_t blocks, uint32_t first, uint32_t is_part);
/** @} */

/** @name The cluster
 * weir/dsmem.h has these. Blocks of a launch that run at once, next to each other, and reach
 * each other's shared memory. Every block is in one. In a launch without clusters, each block
 * is alone in its own. The accesses are atomic and coherent among the blocks of the cluster,
 * and their orders hold among them.
 * @{ */
/** The number of the cluster in the launch, from 0. */
uint32_t weir_cluster_id(void);
/** The number of the block in its cluster, from 0. */
uint32_t weir_cluster_rank(void);
/** The blocks of the cluster. */
uint32_t weir_cluster_size(void);
/** A word of distributed shared memory in the caller's block. */
typedef struct weir_dsmem_word weir_dsmem_word;
/** Such a word of any block of the cluster. */
typedef struct weir_dsmem_remote_word weir_dsmem_remote_word;
/** A word of the caller's block. `slot` is below WEIR_DSMEM_SLOTS, `index` below WEIR_DSMEM_WORDS.
 * The word holds anything at first. `home` points to words of the object, for machines without
 * distributed shared memory: WEIR_DSMEM_WORDS for each block up to the last of the cluster. */
weir_dsmem_word weir_dsmem(WEIR_GLOBAL weir_word *home, uint32_t slot, uint32_t index);
/** The same word of block `rank` of the cluster, which must have started and not ended. */
weir_dsmem_remote_word weir_dsmem_remote(WEIR_GLOBAL weir_word *home, uint32_t slot, uint32_t index,
                                         uint32_t rank);
/** Returns the word. */
uint32_t weir_dsmem_load_rlx(weir_dsmem_word w);
/** Returns the word. */
uint32_t weir_dsmem_load_acq(weir_dsmem_word w);
/** Writes `value`. */
void weir_dsmem_store_rlx(weir_dsmem_word w, uint32_t value);
/** Writes `value`. */
void weir_dsmem_remote_store_rlx(weir_dsmem_remote_word w, uint32_t value);
/** Writes `value`. */
void weir_dsmem_remote_store_rel(weir_dsmem_remote_word w, uint32_t value);
/** As weir_await_ge_acq. */
uint32_t weir_await_dsmem_ge_acq(weir_dsmem_word w, uint32_t value, weir_backoff backoff);
/** @} */

/** @name The grid
 * The vendor's own barrier of all blocks of a launch. Where WEIR_HAS_GRID_SYNC.
 * @{ */
/** Whether this launch has it: on CUDA, a cooperative one. */
int weir_has_grid_sync(void);
/** All threads of all blocks call it. All that each did before happens before all that each does
 * after. */
void weir_grid_sync(void);
/** The first half of it. Returns a token. */
uint32_t weir_grid_sync_arrive(void);
/** The second half, with the token. */
void weir_grid_sync_await(uint32_t token);
/** @} */

/** @name The compiler
 * @{ */
/** Returns x, and hides its value from the compiler. Values that follow from it are computed where
 * they are used, and not kept in registers between calls. */
uint32_t weir_hide_value(uint32_t x);
/** The condition, which the compiler may expect to hold. */
#define WEIR_LIKELY(condition)
/** Precedes a loop that mostly runs once: not worth unrolling. */
#define WEIR_NO_UNROLL
/** Precedes a short loop that runs often: worth unrolling. */
#define WEIR_UNROLL
/** @} */

/** @name Threads of the caller's own on the host machine
 * @{ */
/** Makes the calling thread, which weir_launch did not start, block `block_id` of `block_count`,
 * with one thread. */
void weir_host_join(uint32_t block_id, uint32_t block_count);
/** Handles a fault in a thread that weir_launch did not start: a barrier of several blocks without
 * weir_host_join, or a handle whose kind does not exist. `text` is one line that says what is
 * wrong. It may end the thread, or jump out of the operation. If it returns, `text` is printed to
 * standard error and the program ends with abort(), as after a failed assert. */
typedef void (*weir_host_fault_handler)(const char *text);
/** Sets the handler; NULL: none. Returns the one before. Any thread may call it. */
weir_host_fault_handler weir_host_on_fault(weir_host_fault_handler handler);
/** @} */

/* For machines alone:
 *
 *   WEIR_KERNELS_FIT_        a declaration in every unit with kernels, by which the library refuses
 *                            those of another version; may be left out.
 *   WEIR_LIST_KIND_(PRIMITIVE, kind)   a declaration by which the host learns what the kernels of
 *                            the unit have (weir/dispatch.h); or nothing.
 *   weir_plain_put_(place, value), weir_plain_get_(place)   plain words of the block, of which
 *                            weir_block_value and weir_team_value are made. `place` is below
 *                            WEIR_TEAM_WARP + its number of threads.
 *   weir_warp_sync_(first, threads), weir_named_sync_(id, threads)   what weir_team_sync is made of:
 *                            the warp of thread `first`, and `threads` threads that call it with
 *                            this `id`.
 *   weir_rest, weir_rest_begin_, weir_rest_again_   where WEIR_HAS_REST: the state of a wait, and a
 *                            rest after a failed attempt. It returns 0 if a pause must follow, and
 *                            WEIR_REST_SLEPT after a sleep.
 *   weir_fence_acq_          where WEIR_HAS_ACQUIRE_FENCE: it acquires what earlier relaxed accesses
 *                            of the thread have read.
 *   weir/diagnosis/notes.h   says what a machine has for WEIR_DIAGNOSE. */
#else

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

#endif

#include "weir/wait.h"

#include "weir/team.h"

#include "weir/release.h"

#include "weir/site.h"

#endif
