/* Compares a crew in NVSHMEM's memory with NVSHMEM's own barrier, signals, and puts with a signal. Compiled, but not
 * yet run. tools/gpu-check -p ranks compiles and runs it; several PEs on one GPU need MPS with shares.
 *
 *   nvcc -std=c++17 -arch=sm_90 -rdc=true -I include -I $NVSHMEM_HOME/include bench/ranks/nvshmem.cu \
 *        -L $NVSHMEM_HOME/lib -l:libnvshmem_host.so.3 -lnvshmem_device -lcuda -o ranks_nvshmem
 *   weir crew -n 2 ./ranks_nvshmem FOLDER [ROUNDS]
 *
 * With BY_PUTS (nvshmem_puts.cu) weir reaches no other rank by stores, and signals all by NVSHMEM.
 */
#include <nvshmem.h>
#include <nvshmemx.h>
#ifdef BY_PUTS
#include <weir/crew/nvshmem.h>
#define PUT_WORD(c, to, value)                                                                     \
	nvshmem_uint32_p(weir_crew_data(c, (c).config.rank), (value), (int)(to))
#endif
#include "peers.h"
#include <weir/crew/engines.h>

static __global__ void by_nvshmem_barrier(uint32_t rounds, outcome *out)
{
	uint64_t since = 0;

	for (uint32_t i = 0; i < WARM + rounds; i++) {
		if (i == WARM)
			since = weir_clock_ns();
		nvshmemx_barrier_all_block();
	}
	leave_outcome(out, since, 0);
}

/* Like by_weir_event. Signals keep counting from launch to launch. */
static __global__ void by_nvshmem_signal(uint64_t *signal, uint32_t *word, uint32_t ranks,
                                         uint32_t rank, uint32_t rounds, outcome *out,
                                         uint32_t puts, uint32_t base)
{
	int next = (int)((rank + 1) % ranks);
	int failed = 0;
	uint64_t since = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < WARM + rounds; i++) {
		uint32_t turn = base + i + 1;

		if (i == WARM)
			since = weir_clock_ns();
		for (int step = 0; step < 2; step++) {
			if ((step == 0) != (rank == 0)) {
				nvshmem_signal_wait_until(signal, NVSHMEM_CMP_GE, turn);
				failed |= puts && *(volatile uint32_t *)word != turn;
			} else if (puts) {
				/* The source is the next word of the caller's own data, used as
				 * scratch. */
				word[1] = turn;
				nvshmem_uint32_put_signal(word, word + 1, 1, signal, 1,
				                          NVSHMEM_SIGNAL_ADD, next);
			} else {
				nvshmemx_signal_op(signal, 1, NVSHMEM_SIGNAL_ADD, next);
			}
		}
	}
	leave_outcome(out, since, failed);
}

static cudaError_t launch(const void *kernel, void **arguments)
{
	if (nvshmemx_collective_launch(kernel, 1, THREADS, arguments, 0, 0) != 0)
		return cudaErrorLaunchFailure;
	return cudaGetLastError();
}

/* The processes find each other through an id from rank 0, without MPI and without PMI. */
static void start(const place &p)
{
	nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
	nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;

	if (p.rank == 0 && nvshmemx_get_uniqueid(&id) != 0)
		give_up("nvshmemx_get_uniqueid", "NVSHMEM_DEBUG=INFO says more");
	share_bytes(p, "nvshmem.id", &id, sizeof id);
	if (nvshmemx_set_attr_uniqueid_args((int)p.rank, (int)p.ranks, &id, &attributes) != 0 ||
	    nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0)
		give_up("nvshmemx_init_attr", "NVSHMEM_DEBUG=INFO says more");
	if (nvshmem_n_pes() != (int)p.ranks || nvshmem_my_pe() != (int)p.rank)
		give_up("nvshmemx_init_attr", "the PEs are not the ranks");
}

int main(int argc, char **argv)
{
	place p = find_place(argc, argv);
	uint32_t rounds = rounds_of(argc, argv);
	int devices = 0;

	NEED_CUDA(cudaGetDeviceCount(&devices));
	NEED_CUDA(cudaSetDevice((int)p.rank % devices));
	start(p);
	void *words = nvshmem_calloc(1, crew_bytes(p.ranks));
	uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof *signal);
	uint32_t *word = (uint32_t *)nvshmem_calloc(2, sizeof *word);
	weir_word **shares = (weir_word **)calloc(p.ranks, sizeof *shares), **table;
	outcome *out;
	if (!words || !signal || !word || !shares)
		give_up("nvshmem_calloc", "no memory");
#ifdef BY_PUTS
	shares[p.rank] = (weir_word *)words;
#else
	if (!WEIR_CREW_SHARES_NVSHMEM(words, p.ranks, shares))
		give_up("nvshmem_ptr", "not all PEs reach each other by loads and stores");
#endif
	NEED_CUDA(cudaMalloc((void **)&table, p.ranks * sizeof *table));
	NEED_CUDA(cudaMemcpy(table, shares, p.ranks * sizeof *table, cudaMemcpyDefault));
	NEED_CUDA(cudaMalloc((void **)&out, sizeof *out));
	nvshmem_barrier_all();

	uint32_t puts = 0, base = 0, unused = 0;
	void *barrier[] = {&table, &p.ranks, &p.rank, &rounds, &out};
	void *their_barrier[] = {&rounds, &out};
	void *event[] = {&table, &p.ranks, &p.rank, &rounds, &out, &puts, &base};
	void *their_event[] = {&signal, &word, &p.ranks, &p.rank, &rounds, &out, &puts, &base};
	side ours = {(const void *)by_weir_barrier, barrier};
	side theirs = {(const void *)by_nvshmem_barrier, their_barrier};
#ifdef BY_PUTS
	print_head(p, "weir by NVSHMEM's puts");
#else
	print_head(p, "NVSHMEM's memory");
#endif
	compare(p, "barrier", "nvshmemx_barrier_all_block", &ours, &theirs, launch, out, rounds,
	        &unused, rounds);
	ours = {(const void *)by_weir_event, event};
	theirs = {(const void *)by_nvshmem_signal, their_event};
	for (puts = 0; puts < 2; puts++)
		compare(p, puts ? "word and event to next" : "event to next",
		        puts ? "nvshmem_uint32_put_signal" : "nvshmemx_signal_op", &ours, &theirs,
		        launch, out, (double)rounds * p.ranks, &base, rounds);
	nvshmem_barrier_all();
	nvshmem_finalize();
	return 0;
}
