/* How fast the interpreter runs and loads, in processor time. The results are checked; no speed is
 * required.
 *
 *   ptx_speed FILE    FILE is speed.ptx, which nvcc made from the kernels of the same names
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ptx/machine.h"
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

/* Runs a kernel three times and prints the best. */
static void measure(run *r, const char *name, unsigned grid, unsigned block)
{
	double best = 1e9;
	weir_ptx_kernel_info info;

	for (int i = 0; i < 3; i++) {
		double start = now();
		if (run_kernel(r, name, grid, block) != WEIR_PTX_DONE)
			fail("%s: %s", name, r->result.text);
		start = now() - start;
		best = start < best ? start : best;
	}
	if (weir_ptx_kernel_about(r->kernel, &info) != WEIR_OK)
		fail("%s", weir_error_text());
	printf(
	    "%-12s %3u x %3u: %7.2f ms, %6.1f million instructions a second, %u slots a thread\n",
	    name, grid, block, best * 1e3, (double)r->result.instructions / best / 1e6, info.slots);
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
	measure(r, "arithmetic", 8, 256);
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
	measure(r, "product", N / 16 * (N / 16), 256);
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
	measure(r, "barriers", 128, 64);
	check(out[0] == 3 * 6 * 128 * 64, "barriers");
	r->launch.cooperative = 0;
}

static void empty(run *r)
{
	uint32_t *out = run_buffer(r, 64 * 4);

	r->params[0] = (uint64_t)(uintptr_t)out;
	measure(r, "empty", 64, 256);
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
