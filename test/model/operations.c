/* Every operation of the device API is called by some case: each function in the headers of the primitives
 * whose name does not end in an underscore, and each macro with parameters. tools/mutable.c finds them, so a
 * new operation without a case fails here. Functions are noticed when they are called, macros in the source
 * of the cases.
 *
 * usage: operations CASES_SOURCE...
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cases/mutable.h"
#include "model/machine.h"
#include "model/model.h"

#define SAMPLES 4
#define MOST_PLACES 16384

/* Files whose operations no case can call. */
static const struct {
	const char *file;
	const char *reason;
} exceptions[] = {
    {"weir/barrier/grid.h", "the code is the vendor's, for GPUs"},
    {"weir/crew/nccl.h", "the library is for GPUs; the cases `remote` have an engine of their own"},
    {"weir/crew/nvshmem.h", "likewise"},
};

static uint8_t called[MOST_PLACES];

static void note(void *context, const weir_model_site *site, const weir_model_site *before)
{
	(void)context;
	(void)before;
	if (!weir_model_is_text_(site) || !weir_model_is_call_(site))
		return;
	for (size_t i = 0; i < MOST_PLACES && weir_model_text_at_(i); i++)
		called[i] |= weir_model_text_at_(i) == site;
}

static int run_all(void)
{
	weir_model_options options = {.search = WEIR_MODEL_RANDOM, .bound = SAMPLES, .seed = 1};
	weir_model_case c;
	int larger;

	options.reached = note;
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		weir_model_outcome outcome;

		if (larger || c.diagnosed)
			continue;
		if (weir_model_run_text_(&c, &options, &outcome) != 0)
			return -1;
		weir_model_outcome_free(&outcome);
	}
	return 0;
}

static int calls(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		if (at[length] == '(' && !isalnum((unsigned char)at[-1]) && at[-1] != '_')
			return 1;
	return 0;
}

/* Notes the macros that the source of a case calls. */
static int note_macros(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;

	if (!file || getdelim(&text, &(size_t){0}, 0, file) < 0) {
		perror(path);
		return -1;
	}
	for (size_t i = 0; i < MOST_PLACES && weir_model_text_at_(i); i++) {
		const weir_model_site *site = weir_model_text_at_(i);
		if (strcmp(site->operation, "macro") == 0)
			called[i] |= calls(text, site->function);
	}
	free(text);
	return fclose(file);
}

static const char *why_not(const weir_model_site *site)
{
	for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
		if (strstr(site->file, exceptions[i].file))
			return exceptions[i].reason;
	return NULL;
}

int main(int argc, char **argv)
{
	int operations = 0;
	int excepted = 0;
	int wrong = 0;

	for (int i = 1; i < argc; i++)
		if (note_macros(argv[i]) != 0)
			return 2;
	if (run_all() != 0) {
		fprintf(stderr, "no memory\n");
		return 2;
	}
	for (size_t i = 0; i < MOST_PLACES && weir_model_text_at_(i); i++) {
		const weir_model_site *site = weir_model_text_at_(i);
		int is_macro = strcmp(site->operation, "macro") == 0;
		const char *reason = why_not(site);

		if (!is_macro && !weir_model_is_call_(site))
			continue;
		operations++;
		excepted += reason != NULL;
		if (called[i] == (reason == NULL))
			continue;
		wrong++;
		printf("%s: %s %s\n", site->file, site->function,
		       reason ? "is called, and should not be" : "is called by no case");
	}
	printf("%d operations, %d of them only for GPUs, %d wrong\n", operations, excepted, wrong);
	return wrong != 0 || operations == 0;
}
