/* explore PRIMITIVE KIND: all cases that the explorer has for one kind must pass. */
#include <stdio.h>
#include <string.h>

#include "model/model.h"

int main(int argc, char **argv)
{
	int failed = 0;
	int ran = 0;
	weir_model_case c;
	int larger;

	if (argc != 3)
		return 2;
	for (size_t i = 0; weir_model_case_at(i, &c, &larger) == 0; i++) {
		const weir_model_options options = {0};
		weir_model_outcome outcome;
		char name[128];

		if (strcmp(c.primitive, argv[1]) != 0 || strcmp(c.kind, argv[2]) != 0)
			continue;
		if (weir_model_run(&c, &options, &outcome) != 0)
			return 2;
		weir_model_case_name(&c, name, sizeof name);
		printf("%s: %s %s\n", name, weir_model_verdict_text(outcome.verdict),
		       outcome.message);
		failed += outcome.verdict != WEIR_MODEL_PASS;
		ran++;
		weir_model_outcome_free(&outcome);
	}
	printf("%d cases, %d failed\n", ran, failed);
	return failed || !ran;
}
