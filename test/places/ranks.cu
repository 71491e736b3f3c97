/* Grids of one process, in a stream each, as the ranks of a crew: they synchronize, including in replays of graphs with
 * no reset in between. A rank may be late, never start, or abort the crew. Every wait has a deadline. */
#define WEIR_SYSTEM_SCOPE
#include <time.h>

#include "place.h"

#define MOST_RANKS 4u
#define BLOCKS 6u
#define THREADS 128
#define MARKS (MOST_RANKS * BLOCKS)
#define PHASES 200u
#define REPLAYS 100u
#define LONG_NS 20000000000ull
#define SHORT_NS 300000000ull

/* Memory that all grids reach. */
typedef struct ranks_memory {
	weir_word **table; /* of the device */
	uint32_t *marks;   /* two sets of a word for each block of each rank: its current phase */
	uint32_t *past;    /* phases of each block in earlier launches */
	uint32_t *wrong;   /* words of another phase */
	uint32_t *results; /* of each rank: the last wait that failed, or 0 */
	weir_word *shares[MOST_RANKS];
	cudaStream_t streams[MOST_RANKS];
	uint32_t ranks;
} ranks_memory;

static __device__ weir_status ranks_meet(weir_crew c, uint32_t phase, uint64_t ns)
{
	/* A lane now and then: block 0's lane, and another block's slots. */
	if (weir_block_id() == 0 && phase % 3 == 0) {
		weir_crew_token lane = weir_crew_lane_arrive(c, 0);
		weir_status result = weir_crew_await_for(c, &lane, ns);

		if (result != WEIR_OK)
			return result;
	}
	weir_crew_token t = weir_crew_arrive(c);
	return weir_crew_await_for(c, &t, ns);
}

__global__ void ranks_kernel(ranks_memory m, uint32_t rank, uint32_t without, uint64_t ns)
{
	weir_crew c = weir_crew_in(m.table, m.ranks, rank, weir_block_count());
	uint32_t me = rank * BLOCKS + weir_block_id();
	uint32_t base = m.past[me];
	weir_status result = WEIR_OK;

	for (uint32_t phase = base + 1; phase <= base + PHASES && result == WEIR_OK; phase++) {
		uint32_t *marks = m.marks + phase % 2 * MARKS;

		if (weir_thread_id() == phase % weir_thread_count())
			marks[me] = phase;
		if (!without)
			result = ranks_meet(c, phase, ns);
		for (uint32_t i = weir_thread_id(); i < m.ranks * BLOCKS; i += weir_thread_count())
			if (result == WEIR_OK && ((volatile uint32_t *)marks)[i] != phase)
				atomicAdd(m.wrong, 1);
	}
	weir_block_sync(); /* all threads have read `past` */
	if (weir_thread_id() == 0) {
		m.past[me] = base + PHASES;
		if (result != WEIR_OK)
			m.results[rank] = (uint32_t)result;
	}
}

__global__ void ranks_abort_kernel(ranks_memory m, uint32_t rank)
{
	if (weir_thread_id() == 0)
		weir_crew_abort(weir_crew_in(m.table, m.ranks, rank, 1));
}

static void *new_zeros(size_t bytes)
{
	void *memory;

	NEED_CUDA(cudaMalloc(&memory, bytes));
	NEED_CUDA(cudaMemset(memory, 0, bytes));
	return memory;
}

/* A new crew: an abort or a deadline ends the old one. */
static ranks_memory ranks_open(uint32_t ranks)
{
	ranks_memory m = {};

	m.ranks = ranks;
	m.table = (weir_word **)new_zeros(sizeof m.shares);
	m.marks = (uint32_t *)new_zeros(2 * MARKS * sizeof *m.marks);
	m.past = (uint32_t *)new_zeros(MARKS * sizeof *m.past);
	m.wrong = (uint32_t *)new_zeros(sizeof *m.wrong);
	m.results = (uint32_t *)new_zeros(MOST_RANKS * sizeof *m.results);
	for (uint32_t i = 0; i < ranks; i++) {
		m.shares[i] = (weir_word *)new_zeros(WEIR_CREW_WORDS(ranks) * sizeof(weir_word));
		m.streams[i] = new_stream();
	}
	NEED_CUDA(cudaMemcpy(m.table, m.shares, sizeof m.shares, cudaMemcpyDefault));
	NEED_CUDA(cudaDeviceSynchronize());
	return m;
}

static void ranks_close(ranks_memory *m)
{
	for (uint32_t i = 0; i < m->ranks; i++) {
		NEED_CUDA(cudaStreamDestroy(m->streams[i]));
		NEED_CUDA(cudaFree(m->shares[i]));
	}
	for (void *memory : {(void *)m->table, (void *)m->marks, (void *)m->past, (void *)m->wrong,
	                     (void *)m->results})
		NEED_CUDA(cudaFree(memory));
}

static void ranks_launch(const ranks_memory *m, uint32_t rank, uint32_t without, uint64_t ns)
{
	ranks_kernel<<<BLOCKS, THREADS, 0, m->streams[rank]>>>(*m, rank, without, ns);
	NEED_CUDA(cudaGetLastError());
}

static void ranks_wait(const ranks_memory *m)
{
	for (uint32_t i = 0; i < m->ranks; i++)
		wait_for(m->streams[i]);
}

static uint32_t word_at(const uint32_t *address)
{
	uint32_t value;

	NEED_CUDA(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDefault));
	return value;
}

/* Whether all ranks have made that many launches, and found no word of another phase. */
static int ranks_right(const ranks_memory *m, uint32_t launches)
{
	int right = word_at(m->wrong) == 0;

	for (uint32_t i = 0; i < m->ranks; i++)
		right &= word_at(m->results + i) == 0 &&
		         word_at(m->past + i * BLOCKS) == launches * PHASES;
	return right;
}

static void sleep_ms(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static void meet_in_streams(uint32_t ranks, uint32_t without, uint32_t late)
{
	ranks_memory m = ranks_open(ranks);

	for (uint32_t launches = 0; launches < 3; launches++)
		for (uint32_t i = 0; i < ranks; i++) {
			if (late && i == ranks - 1)
				sleep_ms(200);
			ranks_launch(&m, i, without, LONG_NS);
		}
	ranks_wait(&m);
	verdict(without ? !ranks_right(&m, 3) : ranks_right(&m, 3),
	        "%u grids of %u blocks are ranks, %u phases%s%s", ranks, BLOCKS, 3 * PHASES,
	        late ? ", one of them late" : "", without ? ", taken out" : "");
	ranks_close(&m);
}

static void meet_in_replays(uint32_t ranks)
{
	ranks_memory m = ranks_open(ranks);
	cudaGraphExec_t execs[MOST_RANKS];

	for (uint32_t i = 0; i < ranks; i++) {
		cudaGraph_t graph;
		NEED_CUDA(cudaStreamBeginCapture(m.streams[i], cudaStreamCaptureModeGlobal));
		ranks_launch(&m, i, 0, LONG_NS);
		NEED_CUDA(cudaStreamEndCapture(m.streams[i], &graph));
		NEED_CUDA(cudaGraphInstantiate(&execs[i], graph, 0));
		NEED_CUDA(cudaGraphDestroy(graph));
	}
	for (uint32_t replay = 0; replay < REPLAYS; replay++)
		for (uint32_t i = 0; i < ranks; i++)
			NEED_CUDA(cudaGraphLaunch(execs[i], m.streams[i]));
	ranks_wait(&m);
	verdict(ranks_right(&m, REPLAYS), "%u ranks, %u replays of a graph each without a reset",
	        ranks, REPLAYS);
	for (uint32_t i = 0; i < ranks; i++)
		NEED_CUDA(cudaGraphExecDestroy(execs[i]));
	ranks_close(&m);
}

/* One rank waits, and the other never starts, or aborts the crew. */
static void meet_nobody(uint32_t aborts)
{
	ranks_memory m = ranks_open(2);
	cudaFuncAttributes loaded;

	/* CUDA loads a kernel at its first use. The load would wait for the running kernel, which is
	 * waiting for ranks_abort_kernel. */
	NEED_CUDA(cudaFuncGetAttributes(&loaded, ranks_abort_kernel));
	ranks_launch(&m, 0, 0, aborts ? LONG_NS : SHORT_NS);
	if (aborts) {
		sleep_ms(50);
		ranks_abort_kernel<<<1, THREADS, 0, m.streams[1]>>>(m, 1);
		NEED_CUDA(cudaGetLastError());
	}
	ranks_wait(&m);
	verdict(word_at(m.results) == (uint32_t)(aborts ? WEIR_ABORTED : WEIR_TIMED_OUT),
	        aborts ? "a rank aborts the crew, and the other's wait ends"
	               : "a rank never starts, and the other's wait ends in time");
	ranks_close(&m);
}

void try_ranks(void)
{
	for (uint32_t ranks = 2; ranks <= MOST_RANKS; ranks++) {
		meet_in_streams(ranks, 0, 0);
		meet_in_replays(ranks);
	}
	meet_in_streams(2, 0, 1);
	meet_in_streams(2, 1, 0);
	meet_nobody(0);
	meet_nobody(1);
}
