/* The interpreter beside other ways to run the same kernels on one core, in one run: OpenCL C through PoCL, and for the
 * barriers of a grid, which PoCL's blocks cannot have on one core, a thread of the host for each block. Rounds alternate;
 * the times are medians of processor time with their spread, and every result is checked. Run it on a core of its own:
 *
 *   taskset -c 1 ptx_peers speed.ptx [ROUNDS]
 *
 * Exit status 77: no OpenCL device. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

enum {
	TURNS = 10000, /* of the arithmetic loop */
	N = 128,       /* of the matrices */
	BLOCKS = 128,
	THREADS = 64,
	MEETINGS = 48,
	MOST_ROUNDS = 99
};

static const char source[] =
    "kernel void arithmetic(global uint *out, uint n) {\n"
    "	uint a = get_local_id(0), b = get_group_id(0) + 1, c = 7;\n"
    "	for (uint i = 0; i < n; i++) {\n"
    "		a = a * 1664525u + b; b ^= a >> 7; c += b & a; a = a << 5 | c >> 3;\n"
    "	}\n"
    "	out[get_global_id(0)] = a + b + c;\n"
    "}\n"
    "kernel void product(global float *out, global const float *a, global const float *b, uint n) "
    "{\n"
    "	local float x[16][16], y[16][16];\n"
    "	uint tx = get_local_id(0) % 16, ty = get_local_id(0) / 16, tiles = n / 16;\n"
    "	uint row = get_group_id(0) / tiles * 16 + ty, column = get_group_id(0) % tiles * 16 + tx;\n"
    "	float sum = 0;\n"
    "	for (uint t = 0; t < tiles; t++) {\n"
    "		x[ty][tx] = a[row * n + t * 16 + tx];\n"
    "		y[ty][tx] = b[(t * 16 + ty) * n + column];\n"
    "		barrier(CLK_LOCAL_MEM_FENCE);\n"
    "		for (uint k = 0; k < 16; k++)\n"
    "			sum = fma(x[ty][k], y[k][tx], sum);\n"
    "		barrier(CLK_LOCAL_MEM_FENCE);\n"
    "	}\n"
    "	out[row * n + column] = sum;\n"
    "}\n";

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void check(int right, const char *name)
{
	if (!right)
		fail("%s: wrong result", name);
}

/* What both sides compute. */
static uint32_t want_arithmetic(void)
{
	uint32_t a = 255, b = 8, c = 7;

	for (int i = 0; i < TURNS; i++) {
		a = a * 1664525u + b;
		b ^= a >> 7;
		c += b & a;
		a = a << 5 | c >> 3;
	}
	return a + b + c;
}

static float want_product(const float *a, const float *b)
{
	float sum = 0;

	for (int k = 0; k < N; k++)
		sum += a[77 * N + k] * b[k * N + 99];
	return sum;
}

/* --- OpenCL ------------------------------------------------------------------------------------------------ */

typedef struct peer {
	weir_device *device;
	weir_program *program;
	weir_buffer out, a, b;
} peer;

static void need(weir_status status)
{
	if (status != WEIR_OK)
		fail("%s", weir_error_text());
}

static int open_peer(peer *p, const float *a, const float *b)
{
	const weir_program_text text = {.opencl_text = source};

	if (weir_device_open("opencl", &p->device) != WEIR_OK)
		return 0;
	need(weir_program_create(p->device, &text, &p->program));
	need(weir_buffer_create(p->device, N * N * 4, &p->out));
	need(weir_buffer_create(p->device, N * N * 4, &p->a));
	need(weir_buffer_create(p->device, N * N * 4, &p->b));
	need(weir_buffer_write(p->device, p->a, 0, a, N * N * 4));
	need(weir_buffer_write(p->device, p->b, 0, b, N * N * 4));
	return 1;
}

static void run_peer(peer *p, const char *name, uint32_t blocks, const weir_argument *arguments,
                     uint32_t count)
{
	weir_launch launch = {
	    .grid = {blocks}, .block = {256}, .arguments = arguments, .argument_count = count};

	need(weir_program_kernel(p->program, name, &launch.kernel));
	need(weir_kernel_launch(p->device, &launch));
	need(weir_device_wait(p->device, 0, NULL));
}

static void peer_arithmetic(void *context)
{
	peer *p = context;
	uint32_t turns = TURNS, word;
	weir_argument arguments[] = {{&p->out.native, sizeof p->out.native},
	                             {&turns, sizeof turns}};

	run_peer(p, "arithmetic", 8, arguments, 2);
	need(weir_buffer_read(p->device, p->out, (7 * 256 + 255) * 4, &word, 4));
	check(word == want_arithmetic(), "arithmetic");
}

static void peer_product(void *context)
{
	peer *p = context;
	uint32_t n = N;
	weir_argument arguments[] = {{&p->out.native, sizeof p->out.native},
	                             {&p->a.native, sizeof p->a.native},
	                             {&p->b.native, sizeof p->b.native},
	                             {&n, sizeof n}};

	run_peer(p, "product", N / 16 * (N / 16), arguments, 4);
}

/* --- Threads of the host ------------------------------------------------------------------------------------ */

static uint32_t counts[8], word;

/* The kernel `barriers` of speed.ptx, with the barrier of cooperative groups; a thread does the additions of its block. */
static void *host_block(void *index)
{
	uint32_t step = index ? 1 : UINT32_C(0x80000000) - (BLOCKS - 1);

	for (uint32_t round = 0; round < MEETINGS; round++) {
		uint32_t before;
		for (int t = 0; t < THREADS; t++)
			__atomic_fetch_add(&counts[round % 8], 1, __ATOMIC_RELAXED);
		before = __atomic_fetch_add(&word, step, __ATOMIC_ACQ_REL);
		while (!((__atomic_load_n(&word, __ATOMIC_ACQUIRE) ^ before) >> 31))
			sched_yield();
	}
	return NULL;
}

static void host_barriers(void *context)
{
	pthread_t threads[BLOCKS];

	(void)context;
	memset(counts, 0, sizeof counts);
	for (uintptr_t i = 0; i < BLOCKS; i++)
		if (pthread_create(&threads[i], NULL, host_block, (void *)i))
			fail("no thread");
	for (int i = 0; i < BLOCKS; i++)
		pthread_join(threads[i], NULL);
	check(counts[0] == MEETINGS / 8 * BLOCKS * THREADS, "barriers on threads");
}

/* --- The interpreter ------------------------------------------------------------------------------------------ */

typedef struct side {
	run r;
	uint32_t *out;
	float *a, *b;
} side;

static void launch(side *s, const char *name, unsigned blocks, unsigned threads)
{
	s->r.params[0] = (uint64_t)(uintptr_t)s->out;
	if (run_kernel(&s->r, name, blocks, threads) != WEIR_PTX_DONE)
		fail("%s: %s", name, s->r.result.text);
}

static void ptx_arithmetic(void *context)
{
	side *s = context;

	((uint32_t *)s->r.params)[2] = TURNS;
	launch(s, "arithmetic", 8, 256);
	check(s->out[7 * 256 + 255] == want_arithmetic(), "arithmetic");
}

static void ptx_product(void *context)
{
	side *s = context;
	float got;

	s->r.params[1] = (uint64_t)(uintptr_t)s->a;
	s->r.params[2] = (uint64_t)(uintptr_t)s->b;
	((uint32_t *)s->r.params)[6] = N;
	launch(s, "product", N / 16 * (N / 16), 256);
	memcpy(&got, &s->out[77 * N + 99], sizeof got);
	check(got == want_product(s->a, s->b), "product");
}

static void ptx_barriers(void *context)
{
	side *s = context;

	memset(s->out, 0, 32);
	((uint32_t *)s->r.params)[2] = MEETINGS;
	s->r.launch.cooperative = 1;
	launch(s, "barriers", BLOCKS, THREADS);
	s->r.launch.cooperative = 0;
	check(s->out[0] == MEETINGS / 8 * BLOCKS * THREADS, "barriers");
}

/* --- Times ------------------------------------------------------------------------------------------------------ */

static double timed(void (*function)(void *), void *context)
{
	double start = now();

	function(context);
	return now() - start;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void show(const char *name, double *times, int rounds, uint64_t instructions)
{
	qsort(times, (size_t)rounds, sizeof *times, by_size);
	printf("  %-22s %8.2f ms (%.2f to %.2f)", name, times[rounds / 2], times[0],
	       times[rounds - 1]);
	if (instructions)
		printf(", %.0f million instructions a second",
		       (double)instructions / times[rounds / 2] / 1e3);
	printf("\n");
}

static void compare(const char *name, side *s, void (*ours)(void *), const char *other,
                    void (*theirs)(void *), void *context, int rounds)
{
	double times[2][MOST_ROUNDS];
	uint64_t instructions = 0;

	printf("%s, %d rounds\n", name, rounds);
	ours(s); /* PoCL compiles a kernel when it first runs */
	theirs(context);
	for (int i = 0; i < rounds; i++) {
		times[0][i] = timed(ours, s);
		instructions = s->r.result.instructions;
		times[1][i] = timed(theirs, context);
	}
	show("PTX", times[0], rounds, instructions);
	show(other, times[1], rounds, 0);
}

static char *read_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	char *text = calloc(1, 1 << 20);

	if (!file || !text || !fread(text, 1, (1 << 20) - 1, file))
		fail("%s cannot be read", name);
	fclose(file);
	return text;
}

int main(int count, char **arguments)
{
	int rounds = count > 2 ? atoi(arguments[2]) : 5, has_peer;
	char *text;
	side s;
	peer p;

	if (count < 2 || rounds < 1 || rounds > MOST_ROUNDS)
		fail("usage: ptx_peers speed.ptx [ROUNDS]");
	setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
	text = read_file(arguments[1]);
	run_open(&s.r, text);
	s.out = run_buffer(&s.r, N * N * 4);
	s.a = run_buffer(&s.r, N * N * 4);
	s.b = run_buffer(&s.r, N * N * 4);
	for (int i = 0; i < N * N; i++) {
		s.a[i] = (float)(i % 7);
		s.b[i] = (float)(i % 5);
	}
	compare("grid barriers and atomics", &s, ptx_barriers, "128 threads of the host",
	        host_barriers, NULL, rounds);
	has_peer = open_peer(&p, s.a, s.b);
	if (has_peer) {
		compare("arithmetic", &s, ptx_arithmetic, "OpenCL", peer_arithmetic, &p, rounds);
		compare("tiled product", &s, ptx_product, "OpenCL", peer_product, &p, rounds);
		need(weir_device_close(p.device));
	} else {
		printf("no OpenCL: %s\n", weir_error_text());
	}
	run_close(&s.r);
	free(text);
	return has_peer ? 0 : 77;
}
