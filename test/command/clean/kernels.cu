// Kernels without a fault, of what CUDA's libraries offer for synchronization. weir check must find nothing in them, under no
// schedule: test/command/check_clean. The folder's PTX is made by
//   FOLDER=test/command/clean examples/check/compile
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned index_of_thread()
{
	return blockIdx.x * blockDim.x + threadIdx.x;
}

// Three rounds of a stencil between barriers of the grid.
extern "C" __global__ void grid_sync(unsigned *a, unsigned *b)
{
	cg::grid_group grid = cg::this_grid();
	unsigned i = grid.thread_rank(), n = grid.size();

	for (unsigned round = 0; round < 3; round++) {
		a[i] = i + round;
		grid.sync();
		b[i] = a[(i + blockDim.x) % n];
		grid.sync();
	}
}

// The same barrier in two halves, with work of the thread's own in between.
extern "C" __global__ void split_grid_sync(unsigned *a, unsigned *b)
{
	cg::grid_group grid = cg::this_grid();
	unsigned i = grid.thread_rank(), n = grid.size();

	a[i] = 2 * i;
	auto token = grid.barrier_arrive();
	unsigned own = 3 * i;
	grid.barrier_wait(cuda::std::move(token));
	b[i] = own + a[(i + blockDim.x) % n];
}

// A tile that is copied in the background, two rounds.
extern "C" __global__ void block_barrier(const unsigned *in, unsigned *out)
{
	__shared__ alignas(16) unsigned tile[64];
	__shared__ cuda::barrier<cuda::thread_scope_block> ready;
	cg::thread_block block = cg::this_thread_block();

	if (block.thread_rank() == 0)
		init(&ready, 64);
	block.sync();
	for (unsigned round = 0; round < 2; round++) {
		cuda::memcpy_async(block, tile, in + 64 * round,
		                   cuda::aligned_size_t<16>(sizeof tile), ready);
		ready.arrive_and_wait();
		out[64 * (2 * blockIdx.x + round) + threadIdx.x] = tile[63 - threadIdx.x];
		ready.arrive_and_wait();
	}
}

// A producer and a consumer in one block: half of the threads each, and two barriers.
extern "C" __global__ void producer_consumer(unsigned *out)
{
	__shared__ unsigned slot[32];
	__shared__ cuda::barrier<cuda::thread_scope_block> full, empty;

	if (threadIdx.x == 0) {
		init(&full, 64);
		init(&empty, 64);
	}
	__syncthreads();
	for (unsigned round = 0; round < 3; round++)
		if (threadIdx.x < 32) {
			slot[threadIdx.x] = round + threadIdx.x;
			(void)full.arrive();
			empty.arrive_and_wait();
		} else {
			full.arrive_and_wait();
			out[32 * blockIdx.x + threadIdx.x - 32] = slot[63 - threadIdx.x];
			(void)empty.arrive();
		}
}

// Barriers, a latch and semaphores between blocks. They are made by one thread before a barrier of the grid.
using device_barrier = cuda::barrier<cuda::thread_scope_device>;
using device_latch = cuda::latch<cuda::thread_scope_device>;
using semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 2>;

extern "C" __global__ void between_blocks(device_barrier *barrier, device_latch *latch,
                                          semaphore *places, unsigned *sums, unsigned *a,
                                          unsigned *b)
{
	unsigned i = index_of_thread(), n = gridDim.x * blockDim.x;

	if (i == 0) {
		new (barrier) device_barrier(gridDim.x);
		new (latch) device_latch(gridDim.x);
		new (places) semaphore(1);
	}
	cg::this_grid().sync();
	a[i] = i;
	__syncthreads();
	if (threadIdx.x == 0)
		latch->arrive_and_wait();
	__syncthreads();
	b[i] = a[(i + blockDim.x) % n];
	__syncthreads();
	if (threadIdx.x == 0)
		barrier->arrive_and_wait();
	__syncthreads();
	a[(i + blockDim.x) % n] = 1;
	if (threadIdx.x == 0) {
		places->acquire();
		sums[0] += blockIdx.x;
		places->release();
	}
}

// A flag with a release and an acquire, and one that is waited for and notified.
extern "C" __global__ void flags(unsigned *flag, unsigned *data, unsigned *out)
{
	if (blockIdx.x == 0) {
		data[threadIdx.x] = threadIdx.x;
		__syncthreads();
		if (threadIdx.x == 0) {
			word(flag[0]).store(1, cuda::memory_order_release);
			word(flag[1]).store(1, cuda::memory_order_release);
			word(flag[1]).notify_all();
		}
		return;
	}
	if (blockIdx.x == 1) {
		if (threadIdx.x == 0)
			while (word(flag[0]).load(cuda::memory_order_acquire) == 0)
				;
		__syncthreads();
	} else {
		word(flag[1]).wait(0, cuda::memory_order_acquire);
	}
	out[index_of_thread()] = data[blockDim.x - 1 - threadIdx.x];
}

// The last block to arrive adds up what the others' first warps wrote. The counter is then back at 0.
extern "C" __global__ void last_block(unsigned *arrived, volatile unsigned *parts, unsigned *sum)
{
	__shared__ bool is_last;

	cg::thread_block block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	unsigned part = cg::reduce(warp, index_of_thread(), cg::plus<unsigned>());
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = part;
		__threadfence();
		is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
		__threadfence();
	}
	__syncthreads();
	if (!is_last || threadIdx.x)
		return;
	unsigned total = 0;
	for (unsigned k = 0; k < gridDim.x; k++)
		total += parts[k];
	*sum = total;
}

// A scan with a decoupled look-back by a whole warp. A word has a state in its low two bits: nothing, the block's own sum, or
// the sum of all blocks up to it.
extern "C" __global__ void look_back(unsigned *next, unsigned *states, const unsigned *in,
                                     unsigned *out)
{
	__shared__ unsigned tile, before;
	unsigned lane = threadIdx.x;

	if (lane == 0)
		tile = atomicAdd(next, 1);
	__syncwarp();
	unsigned value = in[32 * tile + lane], sum = value;
	for (unsigned step = 1; step < 32; step *= 2) {
		unsigned other = __shfl_up_sync(0xffffffff, sum, step);
		sum += lane >= step ? other : 0;
	}
	unsigned total = __shfl_sync(0xffffffff, sum, 31);
	if (lane == 0)
		word(states[tile]).store(total << 2 | (tile ? 1 : 2), cuda::memory_order_release);
	unsigned found = 0, state;
	bool is_over = tile == 0;
	for (int first = (int)tile - 1; !is_over; first -= 32) {
		int at = first - (int)lane;
		do
			state = at < 0 ? 2 : word(states[at]).load(cuda::memory_order_acquire);
		while (__any_sync(0xffffffff, (state & 3) == 0));
		unsigned ends = __ballot_sync(0xffffffff, (state & 3) == 2);
		unsigned end = ends ? __ffs(ends) - 1 : 31;
		found += __reduce_add_sync(0xffffffff, lane <= end ? state >> 2 : 0);
		is_over = ends != 0;
	}
	if (lane == 0) {
		before = found;
		if (tile)
			word(states[tile])
			    .store((found + total) << 2 | 2, cuda::memory_order_release);
	}
	__syncwarp();
	out[32 * tile + lane] = before + sum - value;
}
