/* Every program of programs.h, with several seeds. */
#include <stdio.h>
#include <string.h>

#include "programs.h"

static int run_program(const program *p, uint64_t seed)
{
	char text[8192];
	uint32_t *out;
	run r;
	int bad = 0;

	run_open(&r, make(p, text, sizeof text));
	out = run_buffer(&r, 256);
	r.params[0] = (uint64_t)(uintptr_t)out;
	r.launch.cluster[0] = p->cluster;
	r.launch.resident = p->resident;
	r.launch.dynamic_shared = p->dynamic;
	r.launch.cooperative = p->cooperative;
	r.launch.seed = seed;
	r.launch.budget = 10000000;
	run_kernel(&r, "k", p->grid, p->block);
	if (r.result.end != p->end) {
		printf("%s (seed %u): ends with %s: %s\n", p->name, (unsigned)seed,
		       weir_ptx_end_name(r.result.end), r.result.text);
		bad = 1;
	} else if (p->text && !strstr(r.result.text, p->text) && !strstr(r.printed, p->text)) {
		printf("%s (seed %u): '%s' is not in: %s%s\n", p->name, (unsigned)seed, p->text,
		       r.result.text, r.printed);
		bad = 1;
	} else if (p->end == WEIR_PTX_DONE && memcmp(out, p->words, sizeof p->words) != 0) {
		printf("%s (seed %u):", p->name, (unsigned)seed);
		for (int i = 0; i < 8; i++)
			printf(" %#x", out[i]);
		printf("\n");
		bad = 1;
	}
	run_close(&r);
	return bad;
}

int main(void)
{
	int bad = 0;

	for (uint64_t seed = 0; seed < 8; seed++)
		for (size_t i = 0; i < PROGRAMS; i++)
			bad += run_program(&programs[i], seed);
	printf("%zu programs with 8 seeds, %d wrong\n", PROGRAMS, bad);
	return bad != 0;
}
