/* The classification: the paper's machines as the paper has them, an H200, and machines that nobody
 * has built. */
#include "profile_test.h"

#include <stdio.h>

#define READ_SAME(kind) WEIR_ACCESS(kind, WEIR_ACCESS_SAME, WEIR_ACCESS_READ)

static weir_class class_of(const char *name)
{
	weir_profile *profile;
	weir_class found;
	ok(weir_profile_builtin(name, &profile));
	weir_classify(&profile->probe, &found);
	weir_profile_free(profile);
	return found;
}

static void expect(const weir_class *found, uint32_t barrier, uint32_t mutex, uint32_t low,
                   uint32_t high)
{
	assert_int_equal(weir_class_kind(found, WEIR_PRIMITIVE_BARRIER, 0), barrier);
	assert_int_equal(weir_class_kind(found, WEIR_PRIMITIVE_MUTEX, 0), mutex);
	assert_int_equal(weir_class_kind(found, WEIR_PRIMITIVE_MUTEX_ARRAY, 0), mutex);
	assert_int_equal(weir_class_kind(found, WEIR_PRIMITIVE_SEMAPHORE, 1), low);
	for (uint32_t initial = 2; initial <= 120; initial *= 3)
		assert_int_equal(weir_class_kind(found, WEIR_PRIMITIVE_SEMAPHORE, initial), high);
}

static void near(double got, double want)
{
	if (got < want * 0.995 || got > want * 1.005)
		fail_msg("%g is not %g", got, want);
}

/* Tables 2 to 4 of the paper. */
static void gt200(void **state)
{
	weir_class found = class_of("gt200");
	(void)state;
	near(found.atomic_to_volatile, 92.46);
	near(found.atomic_to_volatile_own, 1.43);
	near(found.contention, 1.44);
	near(found.contention_write, 3.67);
	near(found.hostage_ratio, 1.09);
	assert_true(found.slow_atomics && !found.contended_reads && !found.hostage);
	assert_string_equal(found.name, "slow atomics, cheap polling");
	expect(&found, WEIR_BARRIER_XF, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
}

static void gf100(void **state)
{
	weir_class found = class_of("gf100");
	(void)state;
	near(found.atomic_to_volatile, 2.99);
	near(found.atomic_to_volatile_own, 10.16);
	near(found.contention, 11.49);
	near(found.contention_write, 6.03);
	near(found.hostage_ratio, 2.98);
	assert_true(!found.slow_atomics && found.contended_reads && found.hostage);
	assert_string_equal(found.name, "fast atomics that hold their line");
	expect(&found, WEIR_BARRIER_XF, WEIR_MUTEX_SPIN_BACKOFF, WEIR_SEMAPHORE_SPIN_BACKOFF,
	       WEIR_SEMAPHORE_SLEEPING);
}

static void h200(void **state)
{
	weir_class found = class_of("h200");
	(void)state;
	assert_true(!found.slow_atomics && found.contended_reads && !found.hostage);
	assert_string_equal(found.name, "fast atomics, costly polling");
	expect(&found, WEIR_BARRIER_ATOMIC, WEIR_MUTEX_SPIN_BACKOFF, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
}

/* The built-in profiles have the paper's figures, and rules that follow from them. */
static void paper_figures(void **state)
{
	FILE *file = fopen(PAPER_FIGURES, "r");
	char line[200];
	int rows = 0;
	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		char gpu[16], access[16], place[16], primed[16], way[16];
		double ms;
		weir_profile *profile;
		if (sscanf(line, "%15[^,],%15[^,],%15[^,],%15[^,],%15[^,],%lf", gpu, access, place,
		           primed, way, &ms) != 6)
			continue;
		int kind = strcmp(primed, "yes") == 0      ? WEIR_ACCESS_PRIMED
		           : strcmp(access, "atomic") == 0 ? WEIR_ACCESS_ATOMIC
		                                           : WEIR_ACCESS_VOLATILE;
		ok(weir_profile_builtin(gpu, &profile));
		assert_true(profile->probe.ms[WEIR_ACCESS(kind, strcmp(place, "own") == 0,
		                                          strcmp(way, "write") == 0)] == ms);
		size_t rules = profile->rule_count;
		weir_rule shipped[8];
		assert_true(rules <= 8);
		memcpy(shipped, profile->rules, rules * sizeof *shipped);
		ok(weir_profile_make_rules(profile));
		assert_int_equal(profile->rule_count, rules);
		same_rules(profile->rules, shipped, rules);
		weir_profile_free(profile);
		rows++;
	}
	fclose(file);
	assert_int_equal(rows, 2 * WEIR_ACCESS_COUNT);
}

/* A machine by its three answers: all writes as the reads. */
static weir_class made_up(double atomic, double contention, double after_atomic)
{
	weir_probe probe = {1000, 128, 1000, {0}};
	weir_class found;
	for (int way = 0; way < 2; way++) {
		probe.ms[READ_SAME(WEIR_ACCESS_VOLATILE) + way] = 1;
		probe.ms[READ_SAME(WEIR_ACCESS_ATOMIC) + way] = atomic;
		probe.ms[READ_SAME(WEIR_ACCESS_PRIMED) + way] = after_atomic;
		for (int kind = 0; kind < 3; kind++)
			probe.ms[WEIR_ACCESS(kind, WEIR_ACCESS_OWN, way)] = 1 / contention;
	}
	weir_classify(&probe, &found);
	return found;
}

static void extremes(void **state)
{
	weir_class c;
	(void)state;
	/* All accesses the same: nothing to avoid. */
	c = made_up(1, 1, 1);
	assert_string_equal(c.name, "fast atomics, cheap polling");
	expect(&c, WEIR_BARRIER_ATOMIC, WEIR_MUTEX_SPIN_BACKOFF, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* Atomics dear enough to avoid, reads free: sleep. */
	c = made_up(6, 1.2, 1);
	expect(&c, WEIR_BARRIER_ATOMIC, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* One word for all is hopeless: decentralize where that is possible, else back off. */
	c = made_up(1.5, 1000, 1);
	expect(&c, WEIR_BARRIER_XF, WEIR_MUTEX_SPIN_BACKOFF, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* Everything is bad: as few atomics as possible. */
	c = made_up(500, 100, 400);
	assert_string_equal(c.name, "slow atomics that hold their line");
	expect(&c, WEIR_BARRIER_XF, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	c = made_up(50, 20, 1.05);
	assert_string_equal(c.name, "slow atomics, costly polling");
	expect(&c, WEIR_BARRIER_XF, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* Faster with an atomic before, and contention that helps: noise, not a machine of its own. */
	c = made_up(0.9, 0.8, 0.9);
	assert_true(!c.slow_atomics && !c.contended_reads && !c.hostage);
}

/* One atomic that costs as much as 2000 reads explains a ratio of 3; it holds no line. */
static void one_slow_atomic_is_no_hostage(void **state)
{
	weir_class c;
	(void)state;
	c = made_up(2000, 1, 3);
	assert_true(c.slow_atomics && !c.hostage);
	c = made_up(2000, 1, 6);
	assert_true(c.hostage);
	c = made_up(3, 1, 1.4);
	assert_false(c.hostage);
	c = made_up(3, 1, 1.6);
	assert_true(c.hostage);
}

static void sentences(void **state)
{
	static const char *const names[] = {"gt200", "gf100", "h200"};
	(void)state;
	for (int i = 0; i < 3; i++) {
		weir_profile *profile;
		weir_class found;
		ok(weir_profile_builtin(names[i], &profile));
		weir_classify(&profile->probe, &found);
		char *text = weir_class_text(&found, &profile->probe);
		assert_non_null(text);
		assert_non_null(strstr(text, found.name));
		assert_non_null(strstr(text, found.hostage ? "hold a line hostage until"
		                                           : "do not hold a line hostage"));
		char ratio[32];
		snprintf(ratio, sizeof ratio, "takes %.3g times as long", found.atomic_to_volatile);
		assert_non_null(strstr(text, ratio));
		for (int p = WEIR_PRIMITIVE_BARRIER; p <= WEIR_PRIMITIVE_SEMAPHORE; p++) {
			char use[64];
			if (p == WEIR_PRIMITIVE_MUTEX_ARRAY)
				continue;
			uint32_t kind = weir_class_kind(&found, (enum weir_primitive)p, 1);
			snprintf(use, sizeof use, "Use %s.",
			         weir_kind_find((enum weir_primitive)p, kind)->name);
			assert_non_null(strstr(text, use));
		}
		free(text);
		weir_profile_free(profile);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(gt200),     cmocka_unit_test(gf100),
	    cmocka_unit_test(h200),      cmocka_unit_test(paper_figures),
	    cmocka_unit_test(extremes),  cmocka_unit_test(one_slow_atomic_is_no_hostage),
	    cmocka_unit_test(sentences),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
