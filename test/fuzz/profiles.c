/* Mutated profiles: reading them must end, with any result. What is read must be written and read again as the same text,
 * and its rules, points and matches must be found.
 *
 *   fuzz_profiles COUNT|--seconds N [--seed FIRST] FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"
#include "weir/profile.h"

static int failed;

static void fault(uint64_t seed, const char *what)
{
	printf("seed %llu: %s: %s\n", (unsigned long long)seed, what, weir_error_text());
	failed = 1;
}

static void use(uint64_t seed, weir_profile *profile)
{
	char *first = weir_profile_text(profile), *second;
	weir_profile *again = NULL;

	if (!first || weir_profile_parse(first, "again", &again) != WEIR_OK) {
		fault(seed, "what was written cannot be read");
		free(first);
		return;
	}
	second = weir_profile_text(again);
	if (!second || strcmp(first, second) != 0)
		fault(seed, "it is another profile when it is read again");
	for (uint32_t blocks = 1; blocks < 5000; blocks = blocks * 3 + 1)
		for (int primitive = 0; primitive < 4; primitive++)
			(void)weir_profile_rule(again, (enum weir_primitive)primitive, blocks);
	(void)weir_profile_fair_kind(again);
	(void)weir_profile_complete(again);
	(void)weir_profile_make_rules(again);
	free(weir_profile_faster_text(again));
	weir_profile_destroy(again);
	free(first);
	free(second);
}

int main(int argc, char **argv)
{
	char *texts[16], *mutated;
	size_t bytes[16], most = 0;
	uint64_t count = UINT64_MAX, first = 1, read = 0, seed;
	double until = 0;
	int files = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
			until = fuzz_now() + atof(argv[++i]);
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			first = strtoull(argv[++i], NULL, 10);
		else if (i == 1)
			count = strtoull(argv[i], NULL, 10);
		else if (files < 16) {
			texts[files] = fuzz_file(argv[i], &bytes[files]);
			most = bytes[files] > most ? bytes[files] : most;
			files++;
		}
	}
	if (files == 0)
		return fputs("usage: fuzz_profiles COUNT|--seconds N [--seed FIRST] FILE...\n",
		             stderr),
		       2;
	mutated = malloc(most + 4096);
	if (!mutated)
		return 2;
	for (seed = first; seed - first < count && (until == 0 || fuzz_now() < until) && !failed;
	     seed++) {
		weir_profile *profile = NULL;

		fuzz_seed(seed);
		size_t which = fuzz_draw((uint64_t)files), other = fuzz_draw((uint64_t)files);
		memcpy(mutated, texts[which], bytes[which] + 1);
		fuzz_mutate(mutated, bytes[which], most + 4096, texts[other], bytes[other]);
		if (weir_profile_parse(mutated, "mutated", &profile) == WEIR_OK) {
			read++;
			use(seed, profile);
			weir_profile_destroy(profile);
		} else if (!weir_error_text()[0]) {
			fault(seed, "refused without a text");
		}
	}
	printf("%llu profiles, %llu of them read\n", (unsigned long long)(seed - first),
	       (unsigned long long)read);
	for (int i = 0; i < files; i++)
		free(texts[i]);
	free(mutated);
	/* Otherwise it has tested only one side. */
	if (count >= 200 && (read == 0 || read == seed - first))
		return puts("all are read, or none"), 1;
	return failed;
}
