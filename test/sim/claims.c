/* The paper's claims against the predictions for its machines, and claims files that are wrong. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "sim/claims.h"

static void machine(const char *name, weir_sim_machine *made)
{
	weir_profile *profile;

	CHECK(weir_profile_builtin(name, &profile) == WEIR_OK);
	CHECK(weir_sim_machine_make(&profile->probe, made) == WEIR_OK);
	weir_profile_free(profile);
}

static void the_paper(const char *path)
{
	static weir_sim_machine gt200;
	static weir_sim_machine gf100;
	weir_claim *claims;
	size_t count;
	unsigned best = 0;
	unsigned best_right = 0;
	unsigned right = 0;

	machine("gt200", &gt200);
	machine("gf100", &gf100);
	CHECK(weir_claims_read(path, &claims, &count) == WEIR_OK);
	for (size_t i = 0; i < count; i++) {
		weir_sim_machine *of = strcmp(claims[i].gpu, "gt200") == 0 ? &gt200 : &gf100;
		weir_verdict verdict = {0};
		CHECK(weir_claim_judge(&claims[i], of, &verdict) == WEIR_OK);
		printf("%s: %s: %s\n", claims[i].id, verdict.text,
		       verdict.right ? "right" : "wrong");
		best += claims[i].kind == WEIR_CLAIM_BEST;
		best_right += claims[i].kind == WEIR_CLAIM_BEST && verdict.right;
		right += verdict.right != 0;
	}
	free(claims);
	CHECK(count == 29 && best == 8);
	CHECK(best_right == 8);
	CHECK(right - best_right >= 14);
}

#define COLUMNS                                                                                    \
	"# a comment\nid,gpu,primitive,kind,left,right,blocks,initial_value,low,high,where\n"

static void refuses(const char *text, const char *complaint)
{
	char path[] = "claims.XXXXXX";
	int descriptor = mkstemp(path);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
	weir_claim *claims;
	size_t count;

	if (!file) {
		printf("no file can be made here\n");
		check_failures++;
		return;
	}
	fputs(text, file);
	CHECK(fclose(file) == 0);
	CHECK(weir_claims_read(path, &claims, &count) == WEIR_BAD_ARGUMENT);
	if (!strstr(weir_error_text(), complaint)) {
		printf("'%s' is not in '%s'\n", complaint, weir_error_text());
		check_failures++;
	}
	CHECK(unlink(path) == 0);
}

static void wrong_files(void)
{
	weir_claim *claims;
	size_t count;

	CHECK(weir_claims_read("no such file", &claims, &count) == WEIR_BAD_ARGUMENT);
	refuses("", "no claims");
	refuses("a,b,c\n", ":1: not the columns");
	refuses(COLUMNS, "no claims");
	refuses(COLUMNS "a,gt200,mutex,best,ticket\n", ":3: too few fields");
	refuses(COLUMNS "a,gt200,mutex,best,ticket,,240,,,,x\nb,gt200,lock,best,ticket,,1,,,,x\n",
	        ":4: neither barrier, mutex nor semaphore: 'lock'");
	refuses(COLUMNS "a,gt200,mutex,best,tickets,,240,,,,x\n", ":3: no such kind");
	refuses(COLUMNS "a,gt200,mutex,worst,ticket,,240,,,,x\n", ":3: neither best");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,2.5,,1,2,x\n", ":3: not a count");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,2,,one,2,x\n", ":3: not a number: 'one'");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,2,,nan,2,x\n", ":3: not a number");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,2,,3,2,x\n", ":3: high is below low");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,2,,,,x\n", ":3: a ratio needs a low");
	refuses(COLUMNS "a,gt200,mutex,order,spin rises like the sun,,2,,,,x\n",
	        ":3: not an order");
	refuses(COLUMNS "a,gt200,semaphore,best,spin,,2,,,,x\n", ":3: a semaphore needs");
}

int main(int argc, char **argv)
{
	wrong_files();
	if (argc > 1)
		the_paper(argv[1]);
	return check_failures != 0 || argc < 2;
}
