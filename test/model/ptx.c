/* Litmus tests of PTX: each holds for the axioms as its text says, and the explorer finds the same
 * outcomes, but for those that need load buffering. Or it finds the data race.
 *
 * usage: ptx [-v] FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "explored.h"

static uint32_t passed;
static uint32_t failed;
static uint32_t refused;

static char *read_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	char *text;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
		perror(name);
		exit(2);
	}
	rewind(file);
	text = calloc((size_t)size + 1, 1);
	if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
		perror(name);
		exit(2);
	}
	fclose(file);
	return text;
}

static int has_state(const explored *x, const small_state *state)
{
	for (uint32_t i = 0; i < x->count; i++)
		if (memcmp(&x->states[i], state, sizeof *state) == 0)
			return 1;
	return 0;
}

/* What is wrong with what the explorer found, or NULL. */
static const char *compare(const axioms_result *result, const explored *x)
{
	weir_model_verdict verdict = x->outcome.verdict;
	uint32_t found = 0;

	if (result->hangs)
		return verdict == WEIR_MODEL_DEADLOCK ? NULL : "the explorer finds no deadlock";
	if (result->races)
		return verdict == WEIR_MODEL_RACE ? NULL : "the explorer finds no race";
	if (verdict != WEIR_MODEL_PASS)
		return x->outcome.message;
	for (uint32_t i = 0; i < result->count; i++) {
		if (!result->outcomes[i].is_plain)
			continue;
		if (!has_state(x, &result->outcomes[i].state))
			return "the explorer misses an outcome";
		found++;
	}
	return found == x->count ? NULL : "the explorer finds an outcome that is not allowed";
}

static void run(const small_program *p, int is_verbose)
{
	axioms_result result;
	explored x;
	const char *wrong = NULL;

	if (axioms_enumerate(p, &result) != 0 || explored_run(p, WEIR_MODEL_DPOR, 0, &x) != 0) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	if (result.refused || x.refused) {
		printf("%-24s skipped: %s\n", p->name, result.refused ? result.refused : x.refused);
		refused++;
	} else {
		if (!axioms_holds(p, &result, 0))
			wrong = "does not hold by the axioms";
		else if (!result.races != !p->races)
			wrong = result.races ? "has a data race" : "has no data race";
		else
			wrong = compare(&result, &x);
		passed += !wrong;
		failed += wrong != NULL;
		if (wrong || is_verbose)
			printf("%-24s %s%s%s  %llu allowed, %u outcomes; %llu explored\n", p->name,
			       wrong ? "FAILED: " : "ok", wrong ? wrong : "",
			       result.races ? ", races" : "", (unsigned long long)result.executions,
			       result.count, (unsigned long long)x.outcome.executions);
	}
	axioms_free(&result);
	explored_free(&x);
}

static void run_file(const char *name, int is_verbose)
{
	char *text = read_file(name);
	const char *at = text;
	small_program p;
	char error[128];
	int status;

	while ((status = small_read(&at, &p, error, sizeof error)) != 0) {
		if (status > 0) {
			run(&p, is_verbose);
			continue;
		}
		printf("%-24s not read: %s\n", p.name, error);
		refused++;
	}
	free(text);
}

int main(int argc, char **argv)
{
	int is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;

	for (int i = 1 + is_verbose; i < argc; i++)
		run_file(argv[i], is_verbose);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, refused);
	return failed != 0 || refused != 0 || passed == 0;
}
