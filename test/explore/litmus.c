/* Litmus tests and random programs as kernels: the exploration finds the outcomes, the data races and the hangs that the
 * axioms of PTX allow, but for load buffering.
 *
 * usage: litmus [-v] FILE...
 *        litmus --random PROGRAMS SEED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "kernel.h"
#include "random.h"

static unsigned passed, failed, refused, buffered, races;

static int has_state(const kernel_result *r, const small_state *state)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (memcmp(&r->states[i], state, sizeof *state) == 0)
			return 1;
	return 0;
}

static const char *compare(const kernel_result *r, const axioms_result *axioms)
{
	uint32_t found = 0;

	if (r->bound)
		return r->bound;
	if (axioms->hangs)
		return r->hangs ? NULL : "no hang is found";
	if (axioms->races)
		return r->races ? NULL : "no race is found";
	if (r->races)
		return "a race is found";
	if (r->hangs)
		return "a hang is found";
	for (uint32_t i = 0; i < axioms->count; i++) {
		if (!axioms->outcomes[i].is_plain)
			continue;
		if (!has_state(r, &axioms->outcomes[i].state))
			return "an outcome is missed";
		found++;
	}
	return found == r->count ? NULL : "an outcome is found that is not allowed";
}

/* Where PTX allows load buffering, the result must say that it was left out. */
static const char *compare_buffering(const kernel_result *r, const axioms_result *axioms)
{
	int is_buffered = 0;

	for (uint32_t i = 0; i < axioms->count; i++)
		is_buffered |= !axioms->outcomes[i].is_plain;
	buffered += (unsigned)is_buffered;
	return is_buffered && !axioms->races && !r->explored.may_buffer_loads
	           ? "load buffering is not named"
	           : NULL;
}

static void run(const small_program *p, int is_verbose)
{
	kernel_result r;
	axioms_result axioms;
	const char *wrong = NULL;

	if (axioms_enumerate(p, &axioms) != 0 || kernel_run(p, &r) != 0) {
		printf("cannot run\n");
		exit(2);
	}
	if (axioms.refused || axioms.is_cut || r.refused) {
		refused++;
		if (is_verbose)
			printf("%-24s skipped: %s\n", p->name,
			       r.refused ? r.refused : "a loop, or too large");
	} else {
		wrong = compare(&r, &axioms);
		if (!wrong)
			wrong = compare_buffering(&r, &axioms);
		passed += !wrong;
		failed += wrong != NULL;
		races += axioms.races != 0;
		if (wrong || is_verbose)
			printf("%-24s %s%s  %u outcomes; %llu executions\n", p->name,
			       wrong ? "FAILED: " : "ok", wrong ? wrong : "", axioms.count,
			       (unsigned long long)r.explored.executions);
		if (wrong)
			small_print(p);
	}
	axioms_free(&axioms);
	kernel_free(&r);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, 1 << 20);

	if (!file || !text) {
		printf("%s: cannot be read\n", path);
		exit(2);
	}
	text[fread(text, 1, (1 << 20) - 1, file)] = 0;
	fclose(file);
	return text;
}

static void run_file(const char *path, int is_verbose)
{
	char *text = read_file(path), error[128];
	const char *at = text;
	small_program p;
	int status;

	while ((status = small_read(&at, &p, error, sizeof error)) != 0)
		if (status > 0)
			run(&p, is_verbose);
	free(text);
}

int main(int argc, char **argv)
{
	int is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;

	if (argc == 4 && strcmp(argv[1], "--random") == 0) {
		random_source source = {strtoull(argv[3], NULL, 10)};
		for (unsigned i = 0; i < (unsigned)atoi(argv[2]); i++) {
			small_program p;
			random_program(&source, &p);
			run(&p, 0);
		}
	} else {
		for (int i = 1 + is_verbose; i < argc; i++)
			run_file(argv[i], is_verbose);
	}
	printf("%u passed, %u failed, %u skipped; %u with a data race, %u with load buffering\n",
	       passed, failed, refused, races, buffered);
	return failed != 0 || passed < refused;
}
