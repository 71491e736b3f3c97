/* Litmus tests of PTX: each holds for the axioms as its quantifier says, and the explorer finds the same
 * outcomes, except those that need load buffering, or finds the data race.
 *
 * usage: ptx [-v] [FAULT] FILE...
 *
 * With a fault built into the explorer ("acquire", "append", "rmw", "sc", "late" or "scopes") the program
 * succeeds only if some test fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "explored.h"
#include "model/engine.h"

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

static void run(const small_program *p, unsigned broken, int is_verbose)
{
	axioms_result result;
	explored x;
	const char *wrong = NULL;

	if (axioms_enumerate(p, &result) != 0 ||
	    explored_run(p, WEIR_MODEL_DPOR, broken, &x) != 0) {
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
			wrong = explored_compare(&x, &result);
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

static void run_file(const char *name, unsigned broken, int is_verbose)
{
	char *text = read_file(name);
	const char *at = text;
	small_program p;
	char error[128];
	int status;

	while ((status = small_read(&at, &p, error, sizeof error)) != 0) {
		if (status > 0) {
			run(&p, broken, is_verbose);
			continue;
		}
		printf("%-24s not read: %s\n", p.name, error);
		refused++;
	}
	free(text);
}

static unsigned fault_named(const char *name)
{
	static const struct {
		const char *name;
		unsigned fault;
	} faults[] = {{"acquire", WEIR_MODEL_BROKEN_ACQUIRE}, {"append", WEIR_MODEL_BROKEN_APPEND},
	              {"rmw", WEIR_MODEL_BROKEN_RMW},         {"sc", WEIR_MODEL_BROKEN_SC},
	              {"late", WEIR_MODEL_BROKEN_LATE},       {"scopes", WEIR_MODEL_BROKEN_SCOPES}};

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
		if (strcmp(name, faults[i].name) == 0)
			return faults[i].fault;
	return 0;
}

int main(int argc, char **argv)
{
	int is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	unsigned broken = argc > 1 + is_verbose ? fault_named(argv[1 + is_verbose]) : 0;

	for (int i = 1 + is_verbose + (broken != 0); i < argc; i++)
		run_file(argv[i], broken, is_verbose);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, refused);
	if (broken)
		return failed == 0;
	return failed != 0 || refused != 0 || passed == 0;
}
