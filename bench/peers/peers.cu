/* The peers that weir is compared with: the same work on CUDA's own primitives, and lower bounds
 * that no primitive can beat.
 *
 * Every kernel takes the parameters of weir's benchmark kernels (kernels/bench_kernels.h) and has
 * their loop, so that only the operation differs. The object is in `words`. If the object needs
 * initialization, the kernel NAME_start does it before each launch of NAME. params.config has
 * barrier.blocks; semaphore.maximum, which is also the initial value; event_array.length; or
 * queue.bits.
 */
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <new>
#include <utility>

#include "kernels/bench_events.h"
#include "kernels/bench_loop.h"
#include "kernels/kernel.h"
#include "kernels/real/hand.h"
#include "locks.h"
#include "queues.h"
#include "tasks.h"

typedef cuda::barrier<cuda::thread_scope_device> device_barrier;
typedef cuda::binary_semaphore<cuda::thread_scope_device> device_lock;
typedef cuda::counting_semaphore<cuda::thread_scope_device> device_semaphore;
static_assert(sizeof(device_barrier) <= BENCH_PEER_WORDS * sizeof(weir_word),
              "words for a barrier");
static_assert(sizeof(device_semaphore) <= BENCH_PEER_WORDS * sizeof(weir_word),
              "words for a semaphore");

/* The loop of barrier_bench, or of barrier_busy. */
template <bool busy = false, typename Pass>
static __device__ void pass_barriers(uint32_t *data, bench_params params, Pass pass)
{
	uint32_t *over = data + weir_block_count() * BENCH_BLOCK_WORDS;
	uint64_t begin = bench_now();
	uint32_t done = 0;
	uint32_t looked = 0;

	while (done < params.rounds) {
		int looks = bench_looks(++done);
		if (looks && weir_block_id() == 0 && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		if (busy)
			bench_busy(data, params, done);
		pass();
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The loop of mutex_bench and semaphore_bench; `first` is the first word of the block's work. */
template <typename Semaphore>
static __device__ void pass_sections(uint32_t *data, bench_params params, Semaphore *s,
                                     uint32_t first)
{
	uint64_t begin = bench_now();
	uint32_t done = 0;

	if (weir_thread_id() != 0)
		return;
	while (done < params.rounds) {
		s->acquire();
		bench_work(data, params, first);
		s->release();
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_leave(data, done, begin);
}

WEIR_KERNEL(grid_sync, bench_params)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	pass_barriers(data, params, [&] { grid.sync(); });
}

WEIR_KERNEL(grid_sync_busy, bench_params)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	pass_barriers<true>(data, params, [&] { grid.sync(); });
}

WEIR_KERNEL(cuda_barrier_start, bench_params)
{
	new (words) device_barrier(params.config.barrier.blocks);
}

static __device__ void pass_barrier(device_barrier *barrier)
{
	weir_block_sync(); /* the block's writes precede the leader's arrival */
	if (weir_thread_id() == 0)
		barrier->arrive_and_wait();
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_KERNEL(cuda_barrier, bench_params)
{
	device_barrier *barrier = reinterpret_cast<device_barrier *>(words);
	pass_barriers(data, params, [=] { pass_barrier(barrier); });
}

WEIR_KERNEL(cuda_barrier_busy, bench_params)
{
	device_barrier *barrier = reinterpret_cast<device_barrier *>(words);
	pass_barriers<true>(data, params, [=] { pass_barrier(barrier); });
}

WEIR_KERNEL(hand_start, bench_params)
{
	weir_store_rlx(&words[0], 0); /* relaxed: another launch follows */
}

WEIR_KERNEL(hand_busy, bench_params)
{
	unsigned int *word = reinterpret_cast<unsigned int *>(words);
	pass_barriers<true>(data, params, [=] { real_hand_meet_(word); });
}

/* The launch is the barrier. The kernel is empty: the best case of a relaunch. */
WEIR_KERNEL(relaunch, bench_params)
{
}

WEIR_KERNEL(binary_semaphore_start, bench_params)
{
	if (weir_thread_id() == 0)
		new (words) device_lock(1);
}

WEIR_KERNEL(binary_semaphore, bench_params)
{
	pass_sections(data, params, reinterpret_cast<device_lock *>(words), 0);
}

WEIR_KERNEL(counting_semaphore_start, bench_params)
{
	new (words) device_semaphore(params.config.semaphore.maximum);
}

WEIR_KERNEL(counting_semaphore, bench_params)
{
	pass_sections(data, params, reinterpret_cast<device_semaphore *>(words),
	              weir_block_id() * params.work);
}

WEIR_KERNEL(hop_start, bench_params)
{
	weir_store_rlx(&words[0], 0);
	weir_store_rlx(&words[WEIR_LINE_WORDS], 0);
}

/* A lower bound: two blocks hand a word back and forth. A round is two hops, and both blocks count
 * both. */
WEIR_KERNEL(hop, bench_params)
{
	uint32_t me = weir_block_id();
	weir_word *mine = &words[me * WEIR_LINE_WORDS];
	weir_word *other = &words[(1 - me) * WEIR_LINE_WORDS];
	uint64_t begin = bench_now();

	if (weir_thread_id() != 0)
		return;
	for (uint32_t round = 1; round <= params.rounds; round++) {
		if (me == 0)
			weir_store_rel(other, round); /* pairs with the await of block 1 */
		weir_await_eq_acq(mine, round, weir_no_backoff()); /* pairs with the other's */
		if (me == 1)
			weir_store_rel(other, round); /* pairs with the await of block 0 */
	}
	bench_leave(data, 2 * params.rounds, begin);
}

WEIR_KERNEL(unordered_start, bench_params)
{
	weir_store_rlx(&words[0], 0);
}

/* A lower bound: one counter, without release or acquire. Wrong on purpose, because it lets stale
 * data through. So there is no time limit: blocks would not agree on it. */
WEIR_KERNEL(unordered, bench_params)
{
	uint64_t begin = bench_now();

	for (uint32_t done = 1; done <= params.rounds; done++) {
		weir_block_sync();
		if (weir_thread_id() == 0) {
			weir_red_add_rlx(&words[0], 1);
			while ((int32_t)(weir_load_rlx(&words[0]) - done * weir_block_count()) < 0)
				;
		}
		weir_block_sync();
	}
	if (weir_thread_id() == 0)
		bench_leave(data, params.rounds, begin);
}

/* Split barriers: between arriving and waiting every thread is busy for params.work cycles, and
 * needs nothing from other blocks. */
static __device__ void work_for(uint32_t cycles)
{
	uint32_t begin = (uint32_t)clock();
	while ((uint32_t)clock() - begin < cycles)
		;
}

/* The time that a barrier without cost would take. */
WEIR_KERNEL(work_alone, bench_params)
{
	uint64_t begin = bench_now();

	for (uint32_t done = 0; done < params.rounds; done++) {
		weir_block_sync();
		work_for(params.work);
		weir_block_sync();
	}
	if (weir_thread_id() == 0)
		bench_leave(data, params.rounds, begin);
}

WEIR_KERNEL(grid_split, bench_params)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	pass_barriers(data, params, [&] {
		auto token = grid.barrier_arrive();
		work_for(params.work);
		grid.barrier_wait(std::move(token));
	});
}

WEIR_KERNEL(weir_split, bench_params)
{
	KERNEL_HANDLE(weir_barrier, b, words, params.config.barrier);
	pass_barriers(data, params, [=] {
		uint32_t token = weir_barrier_arrive(b);
		work_for(params.work);
		weir_barrier_await(b, token);
	});
}

/* Flags as people write them between blocks: counting words, one cache line each. Each type has
 * three functions. `post` adds 1 with release. `last` does the same, and returns whether the count
 * is now `target`; if so, it has also acquired. `wait` polls until the count is at or past
 * `target`, and acquires. */

/* The caller's scope is the system: an addition with release, and polls that acquire, 10 ns apart. */
struct system_flag {
	static __device__ uint32_t add(uint32_t *word)
	{
		uint32_t before;
		asm volatile("atom.add.release.gpu.global.u32 %0, [%1], 1;"
		             : "=r"(before)
		             : "l"(word)
		             : "memory");
		return before;
	}
	static __device__ void post(uint32_t *word)
	{
		add(word);
	}
	static __device__ bool last(uint32_t *word, uint32_t target)
	{
		if (add(word) + 1 != target)
			return false;
		__threadfence();
		return true;
	}
	static __device__ void wait(uint32_t *word, uint32_t target)
	{
		for (;;) {
			uint32_t count;
			asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
			             : "=r"(count)
			             : "l"(word)
			             : "memory");
			if ((int32_t)(count - target) >= 0)
				return;
			__nanosleep(10);
		}
	}
};

/* Fences around an addition and a volatile poll, 20 ns apart. */
struct fence_flag {
	static __device__ void post(uint32_t *word)
	{
		__threadfence();
		atomicAdd(word, 1);
	}
	static __device__ bool last(uint32_t *word, uint32_t target)
	{
		__threadfence();
		bool is_last = atomicAdd(word, 1) + 1 == target;
		__threadfence();
		return is_last;
	}
	static __device__ void wait(uint32_t *word, uint32_t target)
	{
		while ((int32_t)(*(volatile uint32_t *)word - target) < 0)
			__nanosleep(20);
		__threadfence();
	}
};

/* A reduction with release, and polls that acquire, without a pause. */
struct acquire_flag {
	static __device__ void post(uint32_t *word)
	{
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(word) : "memory");
	}
	static __device__ bool last(uint32_t *word, uint32_t target)
	{
		uint32_t before;
		asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;"
		             : "=r"(before)
		             : "l"(word)
		             : "memory");
		return before + 1 == target;
	}
	static __device__ void wait(uint32_t *word, uint32_t target)
	{
		uint32_t count;
		do {
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
			             : "=r"(count)
			             : "l"(word)
			             : "memory");
		} while ((int32_t)(count - target) < 0);
	}
};

/* The same in libcu++. */
struct atomic_flag {
	typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_device> ref;

	static __device__ void post(uint32_t *word)
	{
		ref(*word).fetch_add(1, cuda::std::memory_order_release);
	}
	static __device__ bool last(uint32_t *word, uint32_t target)
	{
		return ref(*word).fetch_add(1, cuda::std::memory_order_acq_rel) + 1 == target;
	}
	static __device__ void wait(uint32_t *word, uint32_t target)
	{
		while ((int32_t)(ref(*word).load(cuda::std::memory_order_acquire) - target) < 0)
			;
	}
};

WEIR_KERNEL(flags_start, bench_params)
{
	for (uint32_t i = 0; i < params.config.event_array.length; i++)
		weir_store_rlx(&words[i * WEIR_LINE_WORDS],
		               0); /* relaxed: another launch follows */
}

/* The loop of event_ring or, with one flag for all, of event_sequence. */
template <typename Flag, bool one>
static __device__ void pass_flags(weir_word *words, uint32_t *data, bench_params params)
{
	bench_link link = bench_link_of(params.ring);
	uint32_t *flags = reinterpret_cast<uint32_t *>(words);
	uint32_t *mine = flags + (one ? 0 : weir_block_id() * WEIR_LINE_WORDS);
	uint32_t *next = flags + (one ? 0 : link.after * WEIR_LINE_WORDS);
	uint32_t *from = bench_handed(data, link.before, 0);
	uint32_t *to = bench_handed(data, weir_block_id(), 0);
	uint32_t *over = bench_over(data, link.first);
	int is_first = weir_block_id() == link.first;
	uint32_t target = one ? weir_block_id() : is_first ? 0 : 1;
	uint32_t done = 0;
	uint32_t looked = 0;

	uint64_t begin = bench_now();
	while (done < params.rounds) {
		int looks = bench_looks(++done);
		if (weir_thread_id() == 0)
			Flag::wait(mine, target);
		target += one ? weir_block_count() : 1;
		weir_block_sync(); /* extends the leader's acquire to its block */
		*to = *from + 1;
		if (looks && is_first && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		weir_block_sync(); /* the block's writes precede the leader's release */
		if (weir_thread_id() == 0)
			Flag::post(next);
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The loop of event_meet. */
template <typename Flag>
static __device__ void meet_flags(weir_word *words, uint32_t *data, bench_params params)
{
	bench_link link = bench_link_of(weir_block_count());
	uint32_t *in = reinterpret_cast<uint32_t *>(words);
	uint32_t *out = in + WEIR_LINE_WORDS;
	uint32_t *over = bench_over(data, 0);
	uint32_t done = 0;
	uint32_t looked = 0;

	uint64_t begin = bench_now();
	while (done < params.rounds) {
		int looks = bench_looks(++done);
		if (looks)
			*bench_handed(data, weir_block_id(), looked & 1) =
			    looked ? *bench_handed(data, link.after, ~looked & 1) + 1 : 1;
		if (looks && weir_block_id() == 0 && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		weir_block_sync(); /* the block's writes precede the leader's release */
		if (weir_thread_id() == 0) {
			if (Flag::last(in, done * weir_block_count()))
				Flag::post(out);
			Flag::wait(out, done);
		}
		weir_block_sync(); /* extends the leader's acquire to its block */
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* The loop of event_post. */
template <typename Flag>
static __device__ void post_flags(weir_word *words, uint32_t *data, bench_params params)
{
	uint32_t *mine = reinterpret_cast<uint32_t *>(words) + weir_block_id() * WEIR_LINE_WORDS;
	uint32_t done = 0;

	if (weir_thread_id() != 0)
		return;
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		Flag::post(mine);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_leave(data, done, begin);
	*bench_handed(data, weir_block_id(), 0) = *(volatile uint32_t *)mine;
}

#define FLAG_PEER(name)                                                                            \
	WEIR_KERNEL(name##_ring, bench_params)                                                     \
	{                                                                                          \
		pass_flags<name##_flag, false>(words, data, params);                               \
	}                                                                                          \
	WEIR_KERNEL(name##_sequence, bench_params)                                                 \
	{                                                                                          \
		pass_flags<name##_flag, true>(words, data, params);                                \
	}                                                                                          \
	WEIR_KERNEL(name##_meet, bench_params)                                                     \
	{                                                                                          \
		meet_flags<name##_flag>(words, data, params);                                      \
	}                                                                                          \
	WEIR_KERNEL(name##_post, bench_params)                                                     \
	{                                                                                          \
		post_flags<name##_flag>(words, data, params);                                      \
	}

FLAG_PEER(system)
FLAG_PEER(fence)
FLAG_PEER(acquire)
FLAG_PEER(atomic)
