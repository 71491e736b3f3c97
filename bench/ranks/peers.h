/* Shared by the programs of this folder, whose ranks `weir crew` starts. It contains weir's
 * kernels, passes bytes from rank 0 to all ranks, and prints weir's figures beside a peer's, all in
 * one run. */
#ifndef BENCH_RANKS_PEERS_H
#define BENCH_RANKS_PEERS_H

#define WEIR_SYSTEM_SCOPE
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weir/crew/in.h>
#include <weir/device.h>

/* A program with an engine defines its own ways to put a word into the data of a rank, and to name
 * the engine. */
#ifndef PUT_WORD
#define PUT_WORD(c, rank, value) (*weir_crew_data(c, rank) = (value))
#endif
#ifndef SET_ENGINE
#define SET_ENGINE(c) ((void)(c))
#endif
#define SKIPPED 77
#define THREADS 128
#define REPEATS 7
#define WARM 200u /* rounds before timing begins, because the ranks start at different times */
#define DEADLINE_S 60
#define DEADLINE_NS 10000000000ull
#define DATA_WORDS 32

struct place {
	uint32_t rank, ranks;
	const char *folder; /* in which the ranks exchange files */
};

/* What a kernel reports: the nanoseconds of the rounds, and whether a wait failed. */
struct outcome {
	unsigned long long ns;
	uint32_t failed;
};

/* Ends the process at once: an orderly exit would hang on a kernel that does not end. */
static inline void give_up(const char *what, const char *why)
{
	printf("FAILED %s: %s\n", what, why);
	fflush(NULL);
	_Exit(1);
}

static inline void need_cuda(cudaError_t error, const char *call)
{
	if (error != cudaSuccess)
		give_up(call, cudaGetErrorString(error));
}
#define NEED_CUDA(call) need_cuda((call), #call)

static inline place find_place(int argc, char **argv)
{
	const char *rank = getenv("WEIR_CREW_RANK"), *ranks = getenv("WEIR_CREW_RANKS");

	if (argc < 2 || !rank || !ranks) {
		fprintf(stderr, "usage: weir crew -n N %s FOLDER [ROUNDS]\n", argv[0]);
		exit(2);
	}
	return {(uint32_t)atoi(rank), (uint32_t)atoi(ranks), argv[1]};
}

static inline uint32_t rounds_of(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 10000;

	return rounds < 1 ? 1 : (uint32_t)rounds;
}

static inline void sleep_ms(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

/* Passes the bytes of rank 0 to all, through a file that appears complete. */
static inline void share_bytes(const place &p, const char *name, void *bytes, size_t count)
{
	char path[4096], early[4096];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", p.folder, name);
	snprintf(early, sizeof early, "%s/%s.early", p.folder, name);
	if (p.rank == 0) {
		file = fopen(early, "wb");
		if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0 ||
		    rename(early, path) != 0)
			give_up(path, "cannot be written");
		return;
	}
	for (int i = 0; !(file = fopen(path, "rb")); i++) {
		if (i > DEADLINE_S * 100)
			give_up(path, "did not come from rank 0");
		sleep_ms(10);
	}
	if (fread(bytes, 1, count, file) != count)
		give_up(path, "is too short");
	fclose(file);
}

/* A crew with one event and data, in memory provided by the peer. */
static __device__ inline weir_crew_config crew_config(uint32_t ranks, uint32_t rank)
{
	weir_crew_config config = weir_crew_in_config(ranks, rank, 1);

	config.events = 1;
	return config;
}

static inline size_t crew_bytes(uint32_t ranks)
{
	return (WEIR_CREW_WORDS(ranks) + WEIR_EVENT_ARRAY_WORDS(1) + DATA_WORDS) *
	       sizeof(weir_word);
}

static __device__ inline void leave_outcome(outcome *out, uint64_t since, int failed)
{
	if (weir_thread_id() != 0)
		return;
	out->ns = weir_clock_ns() - since;
	if (failed)
		out->failed = 1;
}

static __global__ void by_weir_barrier(weir_word *const *shares, uint32_t ranks, uint32_t rank,
                                       uint32_t rounds, outcome *out)
{
	weir_crew c = weir_crew_make(shares[rank], shares, crew_config(ranks, rank));
	weir_status result = WEIR_OK;
	uint64_t since = 0;

	SET_ENGINE(c);
	for (uint32_t i = 0; i < WARM + rounds && result == WEIR_OK; i++) {
		if (i == WARM)
			since = weir_clock_ns();
		weir_crew_token t = weir_crew_lane_arrive(c, 0);
		result = weir_crew_await_for(c, &t, DEADLINE_NS);
	}
	leave_outcome(out, since, result != WEIR_OK);
}

/* A signal travels round the ranks, preceded by a word of data if `puts`. `base` is the progress of
 * earlier launches. */
static __global__ void by_weir_event(weir_word *const *shares, uint32_t ranks, uint32_t rank,
                                     uint32_t rounds, outcome *out, uint32_t puts, uint32_t base)
{
	weir_crew c = weir_crew_make(shares[rank], shares, crew_config(ranks, rank));
	uint32_t next = (rank + 1) % ranks;
	weir_event own = weir_crew_event(c, rank, 0);
	uint32_t *mine = weir_crew_data(c, rank);
	int failed = 0;
	uint64_t since = 0;

	SET_ENGINE(c);
	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < WARM + rounds && !failed; i++) {
		uint32_t turn = base + i + 1;

		if (i == WARM)
			since = weir_clock_ns();
		if (rank == 0) {
			if (puts)
				PUT_WORD(c, next, turn);
			weir_crew_event_post(c, next, 0, 1);
		}
		failed = weir_crew_event_wait_for(c, own, turn, DEADLINE_NS) != WEIR_OK ||
		         (puts && *mine != turn);
		if (rank != 0 && !failed) {
			if (puts)
				PUT_WORD(c, next, turn);
			weir_crew_event_post(c, next, 0, 1);
		}
	}
	leave_outcome(out, since, failed);
}

/* One side of a comparison. */
struct side {
	const void *kernel;
	void **arguments;
	double us[REPEATS];
};

typedef cudaError_t (*launcher)(const void *kernel, void **arguments);

static inline double run_side(const side &s, launcher launch, outcome *out, double operations)
{
	outcome found = {};

	NEED_CUDA(cudaMemset(out, 0, sizeof *out));
	NEED_CUDA(cudaDeviceSynchronize());
	NEED_CUDA(launch(s.kernel, s.arguments));
	for (int i = 0; cudaStreamQuery(0) == cudaErrorNotReady; i++) {
		if (i > DEADLINE_S * 1000)
			give_up("a kernel", "has not ended in time");
		sleep_ms(1);
	}
	NEED_CUDA(cudaDeviceSynchronize());
	NEED_CUDA(cudaMemcpy(&found, out, sizeof found, cudaMemcpyDefault));
	if (found.failed)
		give_up("a wait of weir", "timed out, or found wrong data");
	return (double)found.ns * 1e-3 / operations;
}

static inline void print_side(side *s)
{
	std::sort(s->us, s->us + REPEATS);
	printf("  %8.3f (%.3f to %.3f)", s->us[REPEATS / 2], s->us[0], s->us[REPEATS - 1]);
}

/* Runs both sides alternately, after a warm-up of each. Rank 0 prints microseconds, and the ratio
 * of the peer's time to weir's. `base` grows by the rounds of each run. */
static inline void compare(const place &p, const char *what, const char *peer, side *weir,
                           side *theirs, launcher launch, outcome *out, double operations,
                           uint32_t *base, uint32_t rounds)
{
	for (int i = -1; i < REPEATS; i++) {
		double ours_us = run_side(*weir, launch, out, operations);
		double theirs_us = run_side(*theirs, launch, out, operations);

		*base += WARM + rounds;
		if (i >= 0) {
			weir->us[i] = ours_us;
			theirs->us[i] = theirs_us;
		}
	}
	if (p.rank != 0)
		return;
	printf("%-24s %-30s", what, peer);
	print_side(weir);
	print_side(theirs);
	printf("  %.2f\n", theirs->us[REPEATS / 2] / weir->us[REPEATS / 2]);
	fflush(stdout);
}

static inline void print_head(const place &p, const char *how)
{
	if (p.rank == 0)
		printf("%u ranks of one block, %s; microseconds, medians of %d, lowest to highest\n"
		       "operation                peer                            weir              "
		       "          "
		       "  peer                          peer / weir\n",
		       p.ranks, how, REPEATS);
}

#endif
