/* The paper's claims against the predictions for its machines, and claims files that are wrong. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "sim/sim.h"

#define MOST_CLAIMS 64

/* A row of the recorded table: "id: predicted: verdict". */
typedef char recorded[256];

static size_t read_table(const char *path, recorded *rows)
{
	FILE *file = fopen(path, "r");
	size_t count = 0;

	CHECK(file != NULL);
	if (!file)
		return 0;
	while (count < MOST_CLAIMS && fgets(rows[count], sizeof rows[count], file)) {
		rows[count][strcspn(rows[count], "\n")] = '\0';
		count++;
	}
	CHECK(fclose(file) == 0);
	return count;
}

static int is_recorded(const recorded *rows, size_t count, const char *row)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i], row) == 0)
			return 1;
	return 0;
}

/* Judges the claims about one device. Any change to a figure of the model shows here. Then
 * regenerate this table and that of doc/simulator-claims.md. */
static void the_paper(const char *path, const char *table, const char *gpu)
{
	static weir_sim_machine machine;
	static recorded rows[MOST_CLAIMS];
	size_t row_count = read_table(table, rows);
	weir_profile *profile;
	weir_claim *claims;
	size_t count;

	CHECK(weir_profile_builtin(gpu, &profile) == WEIR_OK);
	CHECK(weir_claims_machine(&profile->probe, &machine) == WEIR_OK);
	weir_profile_destroy(profile);
	CHECK(weir_claims_read(path, &claims, &count) == WEIR_OK);
	CHECK(count == 49 && row_count == count);
	for (size_t i = 0; i < count; i++) {
		recorded row;
		weir_verdict verdict;
		if (strcmp(claims[i].gpu, gpu) != 0)
			continue;
		CHECK(weir_claim_judge(&claims[i], &machine, &verdict) == WEIR_OK);
		snprintf(row, sizeof row, "%s: %s: %s%s", claims[i].id, verdict.text,
		         verdict.right ? "right" : "wrong", claims[i].fitted ? ", fitted" : "");
		puts(row);
		if (!is_recorded(rows, row_count, row)) {
			printf("  is not in %s\n", table);
			check_failures++;
		}
	}
	free(claims);
}

#define COLUMNS                                                                                    \
	"# a comment\nid,gpu,primitive,check,left,right,over,blocks,initial,low,high,where,note\n"

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
	refuses("a,b,c\n", ":1: no column check: 3 columns, not 13");
	refuses("id,gpu,primitive,kind,left,right,over,blocks,initial,low,high,where,note\n",
	        ":1: column check: another title: 'kind'");
	refuses(COLUMNS, "no claims");
	refuses(COLUMNS "a,gt200,mutex,best,ticket\n", ":3: no column right: 5 columns");
	refuses(COLUMNS ",gt200,mutex,best,ticket,,,240,,,,x,\n", ":3: column id: empty");
	refuses(COLUMNS "a,,mutex,best,ticket,,,240,,,,x,\n", ":3: column gpu: empty");
	refuses(COLUMNS "a,gt200,mutex,best,ticket,,,240,,,,x,\n"
	                "b,gt200,lock,best,ticket,,,1,,,,x,\n",
	        ":4: column primitive: neither barrier, mutex nor semaphore: 'lock'");
	refuses(COLUMNS "a,gt200,mutex,best,ticket,,,240,,,,x,\n"
	                "a,gt200,mutex,best,spin,,,1,,,,x,\n",
	        ":4: column id: twice: 'a'");
	refuses(COLUMNS "a,gt200,mutex,best,ttas,,,240,,,,x,\n",
	        ":3: column left: the paper has no such kind of this primitive: 'ttas'");
	refuses(COLUMNS "a,gt200,mutex,worst,ticket,,,240,,,,x,\n", ":3: column check: neither");
	refuses(COLUMNS "a,gt200,mutex,best,ticket,spin,,240,,,,x,\n", ":3: column right: not of");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,,,2,,1,2,x,\n", ":3: column right: the paper");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,,2.5,,1,2,x,\n",
	        ":3: column blocks: not a count: '2.5'");
	refuses(COLUMNS "a,gt200,mutex,best,ticket,,,,,,,x,\n", ":3: column blocks: empty");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,,2,,one,2,x,\n",
	        ":3: column low: not a number above 0: 'one'");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,,2,,nan,2,x,\n", ":3: column low");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,,2,,1,-2,x,\n", ":3: column high");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,,2,,3,2,x,\n",
	        ":3: column high: below low: '2'");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,,2,,,,x,\n", ":3: column high: no bound");
	refuses(COLUMNS "a,gt200,mutex,always,ticket,,,2,,1,,x,\n", ":3: column low: not of this");
	refuses(COLUMNS "a,gt200,semaphore,flat,spin,,initial,2,,1,,x,\n",
	        ":3: column high: no bound");
	refuses(COLUMNS "a,gt200,semaphore,flat,spin,,colour,2,,,1,x,\n",
	        ":3: column over: neither blocks nor initial: 'colour'");
	refuses(COLUMNS "a,gt200,mutex,grows,spin,,initial,2,,1,,x,\n",
	        ":3: column over: only a semaphore");
	refuses(COLUMNS "a,gt200,mutex,ratio,ticket,spin,blocks,2,,1,2,x,\n",
	        ":3: column over: not of this check");
	refuses(COLUMNS "a,gt200,semaphore,best,spin,,,2,,,,x,\n",
	        ":3: column initial: a semaphore needs one");
	refuses(COLUMNS "a,gt200,mutex,best,spin,,,2,3,,,x,\n", ":3: column initial: not of");
}

/* Claims that a device with one fast kind is sure to meet or to miss. */
static void each_check(void)
{
	static const weir_probe probe = {
	    32, 128, 1000, {1, 1, .5, .5, 10, 10, .5, .5, 1, 1, .5, .5}};
	static const struct {
		weir_claim claim;
		int right;
	} cases[] = {
	    {{.check = WEIR_CLAIM_RATIO, .blocks = 16, .low = .1, .high = 1e3}, 1},
	    {{.check = WEIR_CLAIM_RATIO, .blocks = 16, .low = 1e4}, 0},
	    {{.check = WEIR_CLAIM_RATIO, .blocks = 16, .high = 1e-4}, 0},
	    {{.check = WEIR_CLAIM_ALWAYS, .blocks = 32}, 0},
	    {{.check = WEIR_CLAIM_CROSSES, .blocks = 32}, 0},
	    {{.check = WEIR_CLAIM_FLAT, .over = WEIR_OVER_BLOCKS, .blocks = 32, .high = 1e6}, 1},
	    {{.check = WEIR_CLAIM_FLAT, .over = WEIR_OVER_BLOCKS, .blocks = 32, .high = .4}, 0},
	    {{.check = WEIR_CLAIM_PEAK, .blocks = 32}, 0},
	};
	static weir_sim_machine machine;

	CHECK(weir_claims_machine(&probe, &machine) == WEIR_OK);
	machine.accesses = 20000;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		weir_claim claim = cases[i].claim;
		weir_verdict verdict;
		claim.primitive = WEIR_PRIMITIVE_MUTEX;
		claim.left = WEIR_MUTEX_TICKET;
		claim.right = claim.check == WEIR_CLAIM_FLAT ? 0 : WEIR_MUTEX_SPIN;
		CHECK(weir_claim_judge(&claim, &machine, &verdict) == WEIR_OK);
		if (verdict.right != cases[i].right) {
			printf("check %zu: %s\n", i, verdict.text);
			check_failures++;
		}
	}
}

static void more_blocks_than_run(void)
{
	static weir_sim_machine machine;
	weir_profile *profile;
	weir_verdict verdict;
	weir_claim claim = {.id = "many",
	                    .gpu = "gf100",
	                    .primitive = WEIR_PRIMITIVE_BARRIER,
	                    .left = WEIR_BARRIER_XF,
	                    .blocks = 97};

	CHECK(weir_profile_builtin("gf100", &profile) == WEIR_OK);
	CHECK(weir_claims_machine(&profile->probe, &machine) == WEIR_OK);
	weir_profile_destroy(profile);
	CHECK(weir_claim_judge(&claim, &machine, &verdict) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "many: 97 blocks of xf, and 96 run on gf100") != NULL);
}

int main(int argc, char **argv)
{
	if (argc == 4) {
		the_paper(argv[1], argv[2], argv[3]);
	} else {
		wrong_files();
		each_check();
		more_blocks_than_run();
	}
	return check_failures != 0;
}
