/* Events after bulk copies, on sm_90 and newer. A block fills a tile in shared memory, stores it
 * with bulk copies, and posts when these have completed. Another block waits, and finds the whole
 * tile. */
#include <stdio.h>

#include "place.h"

#define TILE_WORDS 4096u
#define COPIES 4u /* of a tile, each by another thread */
#define COPY_WORDS (TILE_WORDS / COPIES)
#define TILES 200u
#define THREADS 128u

/* Which threads copy and post. */
enum bulk_form {
	BULK_ONE_THREAD, /* thread 0 makes all copies, and posts for its block */
	BULK_BLOCK,      /* several threads copy; the block posts */
	BULK_TEAM,       /* several threads of the last warp copy; that warp posts */
	BULK_FORMS
};

typedef struct bulk {
	weir_event_array ready; /* one event for each pair of blocks: tiles that are stored */
	weir_event_array taken; /* tiles that have been read */
	uint32_t *tiles;        /* one for each pair */
	uint32_t *wrong;        /* words that differ from the tile's */
	uint32_t form;
	uint32_t without; /* 1: wait for nothing */
} bulk;

static __device__ uint32_t bulk_word(uint32_t pair, uint32_t tile, uint32_t i)
{
	return (tile + 1) * 0x9e3779b9u ^ pair * 0x85ebca6bu ^ i;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

static __device__ void bulk_copy(uint32_t *to, const uint32_t *from, uint32_t words)
{
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
	             :
	             : "l"(__cvta_generic_to_global(to)),
	               "r"((uint32_t)__cvta_generic_to_shared(from)),
	               "r"(words * (uint32_t)sizeof *to)
	             : "memory");
}

static __device__ void bulk_store(const bulk &b, uint32_t pair, const uint32_t *tile)
{
	uint32_t *to = b.tiles + pair * TILE_WORDS;
	weir_event ready = weir_event_at(b.ready, pair);
	uint32_t last = blockDim.x / 32 - 1;
	uint32_t first = b.form == BULK_TEAM ? last * 32 : 0;
	uint32_t copies = b.form == BULK_ONE_THREAD ? 1 : COPIES;
	uint32_t mine = threadIdx.x - first;

	if (mine < copies)
		bulk_copy(to + mine * COPY_WORDS, tile + mine * COPY_WORDS, COPY_WORDS);
	if (b.form == BULK_ONE_THREAD && mine == 0) {
		for (uint32_t i = 1; i < COPIES; i++)
			bulk_copy(to + i * COPY_WORDS, tile + i * COPY_WORDS, COPY_WORDS);
		weir_event_post_bulk(ready, 1);
	}
	if (b.form == BULK_BLOCK)
		weir_event_block_post_bulk(ready, 1);
	if (b.form == BULK_TEAM && threadIdx.x / 32 == last)
		weir_event_team_post_bulk(ready, 1, weir_team_warp());
}

static __device__ void bulk_write(const bulk &b, uint32_t pair)
{
	__shared__ __align__(128) uint32_t tile[TILE_WORDS];

	for (uint32_t n = 0; n < TILES; n++) {
		if (b.without)
			weir_pause(20);
		else
			weir_event_block_wait(weir_event_at(b.taken, pair), n);
		__syncthreads(); /* the copies of the last tile have been made */
		for (uint32_t i = threadIdx.x; i < TILE_WORDS; i += blockDim.x)
			tile[i] = bulk_word(pair, n, i);
		/* The copies, which use another proxy, must follow these stores and the reader. */
		asm volatile("fence.proxy.async;" : : : "memory");
		__syncthreads();
		bulk_store(b, pair, tile);
	}
}

#else

static __device__ void bulk_write(const bulk &, uint32_t)
{
}

#endif

static __device__ void bulk_read(const bulk &b, uint32_t pair)
{
	const uint32_t *tile = b.tiles + pair * TILE_WORDS;
	uint32_t wrong = 0;

	for (uint32_t n = 0; n < TILES; n++) {
		if (!b.without)
			weir_event_block_wait(weir_event_at(b.ready, pair), n + 1);
		for (uint32_t i = threadIdx.x; i < TILE_WORDS; i += blockDim.x)
			wrong += tile[i] != bulk_word(pair, n, i);
		weir_event_block_post(weir_event_at(b.taken, pair), 1);
	}
	if (wrong)
		atomicAdd(b.wrong, wrong);
}

__global__ void bulk_kernel(bulk b)
{
	if (blockIdx.x % 2 == 0)
		bulk_write(b, blockIdx.x / 2);
	else
		bulk_read(b, blockIdx.x / 2);
}

static void try_form(cudaStream_t stream, uint32_t form, int without)
{
	static const char *const names[BULK_FORMS] = {"one thread", "a block", "a warp"};
	uint32_t pairs = info.units / 2;
	uint32_t wrong;
	bulk b = {};

	NEED(weir_event_array_create(device, pairs, NULL, &b.ready));
	NEED(weir_event_array_create(device, pairs, NULL, &b.taken));
	NEED_CUDA(cudaMalloc(&b.tiles, pairs * TILE_WORDS * sizeof *b.tiles));
	NEED_CUDA(cudaMalloc(&b.wrong, sizeof *b.wrong));
	NEED_CUDA(cudaMemset(b.tiles, 0, pairs * TILE_WORDS * sizeof *b.tiles));
	NEED_CUDA(cudaMemset(b.wrong, 0, sizeof *b.wrong));
	NEED_CUDA(cudaDeviceSynchronize());
	b.form = form;
	b.without = (uint32_t)without;
	bulk_kernel<<<2 * pairs, THREADS, 0, stream>>>(b);
	NEED_CUDA(cudaGetLastError());
	wait_for(stream);
	NEED_CUDA(cudaMemcpy(&wrong, b.wrong, sizeof wrong, cudaMemcpyDefault));
	verdict(without ? wrong > 0 : wrong == 0,
	        "bulk copies by %s: %u pairs of blocks, %u tiles each, %u words wrong%s",
	        names[form], pairs, TILES, wrong, without ? ", taken out" : "");
	NEED_CUDA(cudaFree(b.tiles));
	NEED_CUDA(cudaFree(b.wrong));
	NEED(weir_event_array_destroy(device, &b.ready));
	NEED(weir_event_array_destroy(device, &b.taken));
}

void try_bulk(void)
{
	cudaStream_t stream;

	if (info.cluster_blocks == 0) {
		printf("no bulk copies on this device\n");
		return;
	}
	stream = new_stream();
	for (uint32_t form = 0; form < BULK_FORMS; form++) {
		try_form(stream, form, 0);
		try_form(stream, form, 1);
	}
	NEED_CUDA(cudaStreamDestroy(stream));
}
