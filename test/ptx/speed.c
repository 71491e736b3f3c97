/* How fast the interpreter runs and loads, in processor time: plainly, and under the race check, whose memory is shown as
 * well. Medians of five runs, with the fastest and the slowest. The results are checked; no speed is required.
 *
 *   ptx_speed FILE    FILE is speed.ptx, which nvcc made from the kernels of the same names
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ptx/machine.h"
#include "ptx/watch.h"
#include "run.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
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

#define RUNS 5

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Under the race check; returns the memory of the detector. */
static size_t run_watched(run *r, const char *name, unsigned grid, unsigned block)
{
	static const unsigned nothing[] = {0};
	weir_ptx_machine *machine;
	ptx_watch *watch;
	size_t bytes;

	r->launch.grid[0] = grid;
	r->launch.block[0] = block;
	r->launch.params = r->params;
	if (weir_ptx_module_kernel(r->module, name, &r->kernel) != WEIR_OK ||
	    weir_ptx_machine_create(&machine, r->kernel, &r->launch) != WEIR_OK)
		fail("%s: %s", name, weir_error_text());
	watch = weir_ptx_watch_create(machine, nothing, 1, NULL, 0, NULL);
	if (!watch ||
	    weir_ptx_machine_run(machine, weir_ptx_watch_observer(watch), &r->result) != WEIR_OK)
		fail("%s: %s", name, weir_error_text());
	if (r->result.end != WEIR_PTX_DONE)
		fail("%s: %s", name, r->result.text);
	bytes = weir_ptx_watch_bytes(watch);
	weir_ptx_watch_destroy(watch);
	weir_ptx_machine_destroy(machine);
	return bytes;
}

static void show(const run *r, const char *how, double *seconds)
{
	qsort(seconds, RUNS, sizeof *seconds, by_time);
	printf("    %-8s %8.2f ms (%.2f to %.2f), %6.1f million instructions a second\n", how,
	       seconds[RUNS / 2] * 1e3, seconds[0] * 1e3, seconds[RUNS - 1] * 1e3,
	       (double)r->result.instructions / seconds[RUNS / 2] / 1e6);
}

/* Both ways in turn. `words` of 4 bytes are touched. */
static void measure(run *r, const char *name, unsigned grid, unsigned block, size_t words)
{
	double plain[RUNS], watched[RUNS];
	weir_ptx_kernel_info info;
	size_t bytes = 0;

	for (int i = 0; i < RUNS; i++) {
		double start = now();
		if (run_kernel(r, name, grid, block) != WEIR_PTX_DONE)
			fail("%s: %s", name, r->result.text);
		plain[i] = now() - start;
		start = now();
		bytes = run_watched(r, name, grid, block);
		watched[i] = now() - start;
	}
	if (weir_ptx_kernel_about(r->kernel, &info) != WEIR_OK)
		fail("%s", weir_error_text());
	printf("%s, %u x %u threads, %u slots a thread\n", name, grid, block, info.slots);
	show(r, "plain", plain);
	show(r, "checked", watched);
	printf("    %.2fx slower, %.1f MB, %.1f bytes for each of %zu words\n",
	       watched[RUNS / 2] / plain[RUNS / 2], (double)bytes / 1e6,
	       (double)bytes / (double)words, words);
}

static void check(int right, const char *name)
{
	if (!right)
		fail("%s: wrong result", name);
}

static void arithmetic(run *r)
{
	uint32_t *out = run_buffer(r, 8 * 256 * 4), a = 255, b = 8, c = 7;

	r->params[0] = (uint64_t)(uintptr_t)out;
	((uint32_t *)r->params)[2] = 10000;
	measure(r, "arithmetic", 8, 256, 8 * 256);
	for (int i = 0; i < 10000; i++) {
		a = a * 1664525u + b;
		b ^= a >> 7;
		c += b & a;
		a = a << 5 | c >> 3;
	}
	check(out[7 * 256 + 255] == a + b + c, "arithmetic");
}

static void product(run *r)
{
	enum {
		N = 128
	};
	float *out = run_buffer(r, N * N * 4), *a = run_buffer(r, N * N * 4),
	      *b = run_buffer(r, N * N * 4), sum = 0;

	for (int i = 0; i < N * N; i++) {
		a[i] = (float)(i % 7);
		b[i] = (float)(i % 5);
	}
	r->params[0] = (uint64_t)(uintptr_t)out;
	r->params[1] = (uint64_t)(uintptr_t)a;
	r->params[2] = (uint64_t)(uintptr_t)b;
	((uint32_t *)r->params)[6] = N;
	/* Three matrices, and two tiles of each block. */
	measure(r, "product", N / 16 * (N / 16), 256, 3 * N * N + N / 16 * (N / 16) * 2 * 256);
	for (int k = 0; k < N; k++)
		sum += a[77 * N + k] * b[k * N + 99];
	check(out[77 * N + 99] == sum, "product");
}

static void barriers(run *r)
{
	uint32_t *out = run_buffer(r, 32);

	r->params[0] = (uint64_t)(uintptr_t)out;
	((uint32_t *)r->params)[2] = 48;
	r->launch.cooperative = 1;
	measure(r, "barriers", 128, 64, 128 * 64);
	check(out[0] == 2 * RUNS * 6 * 128 * 64, "barriers");
	out[0] = 0;
	measure(r, "barriers", 2, 1024, 2 * 1024);
	check(out[0] == 2 * RUNS * 6 * 2 * 1024, "barriers");
	r->launch.cooperative = 0;
}

static void empty(run *r)
{
	uint32_t *out = run_buffer(r, 64 * 4);

	r->params[0] = (uint64_t)(uintptr_t)out;
	measure(r, "empty", 64, 256, 64);
	check(out[63] == 1, "empty");
}

/* What a thread takes besides its locals and its share of the block's shared memory. */
static void memory(run *r)
{
	weir_ptx_machine *m;
	size_t bytes;

	if (weir_ptx_module_kernel(r->module, "product", &r->kernel) != WEIR_OK ||
	    weir_ptx_machine_create(&m, r->kernel, &r->launch) != WEIR_OK ||
	    weir_ptx_block_start(m, 0) != WEIR_OK)
		fail("%s", weir_error_text());
	bytes =
	    (m->block_bytes - m->threads * (size_t)m->local_stride - m->shared_bytes) / m->threads +
	    sizeof(ptx_spin);
	printf("a thread takes %zu bytes\n", bytes);
	check(bytes < 2048, "memory of a thread");
	weir_ptx_machine_destroy(m);
}

/* A module of 20 000 lines: the same function under many names. */
static void load(void)
{
	size_t room = 2 << 20, used;
	char *text = malloc(room);
	double start;
	run r;
	unsigned lines = 3;

	if (!text)
		fail("no memory");
	used = (size_t)snprintf(text, room, ".version 8.0\n.target sm_90\n.address_size 64\n");
	for (unsigned f = 0; lines < 20000; f++) {
		used += (size_t)snprintf(text + used, room - used,
		                         ".visible .entry k%u(.param .u64 k%u_param_0)\n{\n.reg "
		                         ".b32 %%r<200>;\n.reg .b64 %%rd<4>;\nld.param.u64 %%rd1, "
		                         "[k%u_param_0];\nld.global.u32 %%r1, [%%rd1];\n",
		                         f, f, f);
		for (unsigned i = 2; i < 190; i++)
			used += (size_t)snprintf(text + used, room - used,
			                         "mad.lo.s32 \t%%r%u, %%r%u, %u, %%r%u;\n", i,
			                         i - 1, i * f, i / 2);
		used += (size_t)snprintf(text + used, room - used,
		                         "st.global.u32 [%%rd1], %%r189;\nret;\n}\n");
		lines += 197;
	}
	start = now();
	run_open(&r, text);
	printf("a module of %u lines, %zu bytes, loads in %.2f ms\n", lines, used,
	       (now() - start) * 1e3);
	run_close(&r);
	free(text);
}

int main(int count, char **arguments)
{
	char *text;
	run r;

	if (count != 2)
		fail("usage: ptx_speed speed.ptx");
	text = read_file(arguments[1]);
	run_open(&r, text);
	arithmetic(&r);
	product(&r);
	barriers(&r);
	empty(&r);
	memory(&r);
	run_close(&r);
	free(text);
	load();
	return 0;
}
