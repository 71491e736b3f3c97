/* The race detector on random executions of random programs: it finds a race where the axioms of PTX have a race.
 *
 * Each program runs a few times, each time with its threads in another order, in which every read returns the value of
 * the last write before it. The axioms judge the same execution: two accesses race if some allowed order of fence.sc
 * leaves them unordered. The detector's first race must lie between two accesses. One is the first that races by the
 * letter of the manual. The other is the first that races even if accesses are also ordered through others to the same
 * bytes. The two seldom differ.
 *
 * usage: race [PROGRAMS [SEED]]
 */
#include "ptx/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executed.h"

#define RUNS 4 /* of each program */

typedef struct totals {
	uint32_t runs;
	uint32_t races;
	uint32_t loose; /* the letter and the other definition differ */
	uint32_t wrong;
	uint32_t fenced; /* without a race, with several fence.sc */
} totals;

static uint32_t fences(const executed *r)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->count; i++)
		count += r->event[i].kind == AXIOMS_FENCE && r->event[i].order == SMALL_SC;
	return count;
}

static const char *judge(const executed *r, totals *sum)
{
	uint32_t loosely = 0, strictly = 0;
	const char *why = executed_judge(r, &loosely, &strictly);

	sum->runs++;
	sum->races += loosely != 0;
	sum->loose += loosely != strictly;
	sum->fenced += !strictly && fences(r) > 1;
	return why;
}

static int run_one(const small_program *p, random_source *source, totals *sum)
{
	executed r;
	const char *wrong;

	executed_run(&r, p, source, 0);
	wrong = r.is_too_long ? NULL : judge(&r, sum);
	if (!wrong)
		return 0;
	printf("%s\n", wrong);
	executed_print(&r);
	return 1;
}

/* ---- beyond small programs: bytes, sizes, large blocks and barriers ---- */

typedef struct tally {
	uint32_t races;
	weir_race_finding last;
} tally;

static void count(void *context, const weir_race_finding *finding)
{
	tally *t = context;

	t->races++;
	t->last = *finding;
}

static weir_race *begin(tally *t, uint32_t blocks, uint32_t threads)
{
	weir_race_grid grid = {.blocks = blocks, .threads = threads, .cluster = 1};
	weir_race *r = weir_race_create(&grid, count, t);

	memset(t, 0, sizeof *t);
	if (!r)
		exit(2);
	return r;
}

static void plain(weir_race *r, uint32_t t, uint64_t address, uint32_t size, int writes)
{
	weir_race_access a = {
	    .thread = t, .address = address, .size = size, .reads = !writes, .writes = writes};

	if (weir_race_do(r, &a) != 0)
		exit(2);
}

static void strong(weir_race *r, uint32_t t, uint64_t address, uint32_t size, weir_race_order order,
                   int reads, int writes)
{
	weir_race_access a = {.thread = t,
	                      .address = address,
	                      .size = size,
	                      .order = order,
	                      .scope = WEIR_RACE_GPU,
	                      .reads = reads,
	                      .writes = writes};

	if (weir_race_do(r, &a) != 0)
		exit(2);
}

static uint32_t expect(const char *what, weir_race *r, const tally *t, uint32_t races)
{
	weir_race_destroy(r);
	if (t->races == races)
		return 0;
	printf("%s: %u races, expected %u\n", what, t->races, races);
	return 1;
}

static uint32_t bytes(void)
{
	uint32_t wrong = 0;
	tally t;
	weir_race *r = begin(&t, 2, 1);

	for (uint32_t i = 0; i < 4; i++)
		plain(r, i % 2, 64 + i, 1, 1);
	wrong += expect("neighbouring bytes", r, &t, 0);
	r = begin(&t, 2, 1);
	plain(r, 0, 64, 2, 1);
	plain(r, 1, 65, 1, 0);
	wrong += t.last.address != 65 || !t.last.has_other_size;
	wrong += expect("a byte of two", r, &t, 1);
	r = begin(&t, 2, 1);
	plain(r, 0, 64, 8, 1);
	plain(r, 1, 68, 4, 1);
	wrong += expect("the upper half", r, &t, 1);
	r = begin(&t, 2, 1);
	plain(r, 0, 64, 8, 1);
	plain(r, 1, 72, 4, 1);
	wrong += expect("the word behind", r, &t, 0);
	r = begin(&t, 2, 1);
	strong(r, 0, 64, 8, WEIR_RACE_RELEASE, 0, 1);
	strong(r, 1, 64, 8, WEIR_RACE_ACQUIRE, 1, 0);
	wrong += expect("a flag of 64 bits", r, &t, 0);
	r = begin(&t, 2, 1);
	strong(r, 0, 64, 8, WEIR_RACE_RELEASE, 0, 1);
	strong(r, 1, 64, 4, WEIR_RACE_ACQUIRE, 1, 0);
	wrong += !t.last.has_other_size;
	wrong += expect("half of a flag of 64 bits", r, &t, 1);
	return wrong;
}

static void sync_block(weir_race *r, uint32_t block, uint32_t threads)
{
	for (uint32_t i = 0; i < threads; i++)
		if (weir_race_barrier(r, block * threads + i, 0, 0, 1))
			exit(2);
}

/* Every thread writes its own word and reads another thread's, with a grid barrier between. `lacks` leaves out the
 * sync before the arrival or the sync after the wait. */
static uint32_t grid_barrier(int lacks, uint32_t races)
{
	const uint32_t threads = 256;
	const uint32_t blocks = 4;
	const uint32_t all = blocks * threads;
	tally t;
	weir_race *r = begin(&t, blocks, threads);

	for (uint32_t phase = 0; phase < 3; phase++) {
		for (uint32_t b = 0; b < blocks; b++) {
			for (uint32_t i = 0; i < threads; i++)
				plain(r, b * threads + i, 4096 + 4ull * (b * threads + i), 4, 1);
			if (lacks != 1)
				sync_block(r, b, threads);
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQ_REL, 1, 1);
		}
		for (uint32_t b = 0; b < blocks; b++) {
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQUIRE, 1, 0);
			if (lacks != 2)
				sync_block(r, b, threads);
			for (uint32_t i = 0; i < threads; i++)
				plain(r, b * threads + i,
				      4096 + 4ull * ((b * threads + i + threads) % all), 4, 0);
		}
		/* The same barrier again, before the next phase writes. */
		for (uint32_t b = 0; b < blocks && !lacks; b++) {
			sync_block(r, b, threads);
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQ_REL, 1, 1);
		}
		for (uint32_t b = 0; b < blocks && !lacks; b++) {
			strong(r, b * threads, 64, 4, WEIR_RACE_ACQUIRE, 1, 0);
			sync_block(r, b, threads);
		}
		if (lacks)
			break;
	}
	return expect(lacks ? "grid barrier without a sync" : "grid barrier", r, &t, races);
}

/* All threads read a table, and one writes it afterwards. */
static uint32_t table(int meets, uint32_t races)
{
	uint32_t warp[32];
	tally t;
	weir_race *r = begin(&t, 1, 64);

	for (uint32_t i = 0; i < 32; i++) {
		warp[i] = i;
		plain(r, i, 64, 4, 0);
	}
	if (weir_race_meet(r, warp, meets ? 32 : 31))
		exit(2);
	plain(r, 5, 64, 4, 1);
	return expect("a table that a warp reads", r, &t, races);
}

/* The last thread of a warp reads a word first, and then the others do, each twice. All but one meet, and one of those
 * writes: without an event for each access, if that can be. */
static uint32_t out_of_turn(uint32_t lacking, uint32_t races)
{
	uint32_t warp[32], count = 0, writer = lacking == 9 ? 10 : 9;
	tally t;
	weir_race *r = begin(&t, 1, 32);

	for (uint32_t i = 0; i < 64; i++)
		if (!weir_race_plain(r, (i + 31) % 32, 0, 0, 64, 4, 0)) {
			printf("reader %u is not kept in place\n", (i + 31) % 32);
			weir_race_destroy(r);
			return 1;
		}
	for (uint32_t i = 0; i < 32; i++)
		if (i != lacking)
			warp[count++] = i;
	if (weir_race_meet(r, warp, count))
		exit(2);
	if (weir_race_plain(r, writer, 0, 0, 64, 4, 1) == (int)races)
		return 1 + expect("a write behind many reads", r, &t, races);
	if (races)
		plain(r, writer, 64, 4, 1);
	return (races && t.last.thread[0] != lacking) +
	       expect("a write behind reads out of turn", r, &t, races);
}

/* Many threads add to a counter, again and again, and then one resets it: only after a barrier. */
static uint32_t counter(int syncs, uint32_t races)
{
	tally t;
	weir_race *r = begin(&t, 1, 512);
	size_t bytes;

	for (uint32_t i = 0; i < 512 * 50; i++)
		strong(r, i * 7 % 512, 64, 4, WEIR_RACE_RELAXED, 1, 1);
	bytes = weir_race_bytes(r);
	if (syncs)
		sync_block(r, 0, 512);
	plain(r, 3, 64, 4, 1);
	if (bytes > 512 * 1024) {
		printf("a counter takes %zu bytes\n", bytes);
		return 1 + expect("a counter", r, &t, races);
	}
	return expect("a counter", r, &t, races);
}

static uint32_t directed(void)
{
	/* Without the first sync, only the first thread of each block releases. Without the second, only
	 * the first thread of each block acquires. */
	return bytes() + grid_barrier(0, 0) + grid_barrier(1, 4 * 255) + grid_barrier(2, 4 * 255) +
	       table(1, 0) + table(0, 1) + out_of_turn(32, 0) + out_of_turn(31, 1) +
	       out_of_turn(0, 1) + out_of_turn(9, 1) + out_of_turn(30, 1) + counter(1, 0) +
	       counter(0, 1);
}

int main(int argc, char **argv)
{
	uint32_t programs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000;
	random_source source = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
	totals sum = {0};

	for (uint32_t i = 0; i < programs; i++) {
		small_program p;
		random_program(&source, &p);
		for (uint32_t j = 0; j < RUNS; j++)
			sum.wrong += (uint32_t)run_one(&p, &source, &sum);
	}
	printf("%u runs: %u wrong; %u with a race, %u where only the letter has one so early, %u "
	       "without one with "
	       "several fence.sc\n",
	       sum.runs, sum.wrong, sum.races, sum.loose, sum.fenced);
	sum.wrong += directed();
	return sum.wrong != 0;
}
