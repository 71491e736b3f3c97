/* The rules that follow from measurements. */
#include "profile_test.h"

static weir_profile *empty(void)
{
	weir_profile *profile = calloc(1, sizeof *profile);
	assert_non_null(profile);
	return profile;
}

static void add(weir_profile *profile, enum weir_primitive primitive, uint32_t kind,
                uint32_t initial, uint32_t blocks, double per_second)
{
	weir_point point = make_point(primitive, kind, initial, blocks, per_second);
	ok(weir_profile_add_point(profile, &point));
}

static void add_mutex(weir_profile *profile, uint32_t kind, double per_second, double jain)
{
	weir_point point = make_point(WEIR_PRIMITIVE_MUTEX, kind, 0, 100, per_second);
	point.jain = jain;
	ok(weir_profile_add_point(profile, &point));
}

static uint32_t chosen(const weir_profile *profile, enum weir_primitive primitive, uint32_t count)
{
	const weir_rule *rule = weir_profile_rule(profile, primitive, count);
	return rule ? rule->kind : 0;
}

static void fastest_or_fairest(void **state)
{
	weir_profile *profile = empty();
	(void)state;
	add_mutex(profile, WEIR_MUTEX_SPIN, 1000, 0.2);
	add_mutex(profile, WEIR_MUTEX_TICKET, 960, 1);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN);
	add_mutex(profile, WEIR_MUTEX_TICKET, 975, 1);
	add_mutex(profile, WEIR_MUTEX_RING, 500, 1);
	assert_int_equal(profile->point_count, 3);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_TICKET);
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX_ARRAY, 1), WEIR_MUTEX_TICKET);
	/* Fewer blocks do not decide, a longer critical section neither. */
	add(profile, WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 0, 10, 1e6);
	add(profile, WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN, 0, 10, 1e5);
	weir_point worked = make_point(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 0, 100, 1e6);
	worked.work = 8;
	ok(weir_profile_add_point(profile, &worked));
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_TICKET);
	/* No points, no probe: no rule. */
	assert_null(weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 1));
	assert_int_equal(profile->rule_count, 1);
	weir_profile_free(profile);
}

/* One kind alone proves nothing. */
static void lone_kind(void **state)
{
	weir_profile *profile;
	(void)state;
	ok(weir_profile_builtin("gf100", &profile));
	add(profile, WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 0, 100, 1e6);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN_BACKOFF);
	add(profile, WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 0, 100, 1e5);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_RING);
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_BARRIER, 1), WEIR_BARRIER_XF);
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_SEMAPHORE, 1), WEIR_SEMAPHORE_SPIN_BACKOFF);
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_SEMAPHORE, 2), WEIR_SEMAPHORE_SLEEPING);
	weir_profile_free(profile);
}

static void by_count(void **state)
{
	weir_profile *profile = empty();
	const struct {
		uint32_t initial;
		double spin, sleeping;
	} rates[] = {{120, 1, 100}, {1, 5, 3}, {2, 6, 5}, {10, 5, 9}};
	(void)state;
	for (int i = 0; i < 4; i++) {
		add(profile, WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN, rates[i].initial, 64,
		    rates[i].spin);
		add(profile, WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SLEEPING, rates[i].initial,
		    64, rates[i].sleeping);
		/* Fewer blocks, and the other way round. */
		add(profile, WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN, rates[i].initial, 8,
		    rates[i].sleeping);
		add(profile, WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SLEEPING, rates[i].initial, 8,
		    rates[i].spin);
	}
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, 0, 2, 10);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 0, 2, 20);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, 0, 8, 100); /* by chance */
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 0, 8, 99);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, 0, 64, 8);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 0, 64, 3);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 0, 128, 3); /* alone */
	ok(weir_profile_make_rules(profile));

	assert_int_equal(profile->rule_count, 4);
	const struct {
		enum weir_primitive primitive;
		uint32_t count, kind;
	} expected[] = {
	    {WEIR_PRIMITIVE_SEMAPHORE, 1, WEIR_SEMAPHORE_SPIN},
	    {WEIR_PRIMITIVE_SEMAPHORE, 2, WEIR_SEMAPHORE_SPIN},
	    {WEIR_PRIMITIVE_SEMAPHORE, 3, WEIR_SEMAPHORE_SLEEPING},
	    {WEIR_PRIMITIVE_SEMAPHORE, UINT32_MAX, WEIR_SEMAPHORE_SLEEPING},
	    {WEIR_PRIMITIVE_BARRIER, 1, WEIR_BARRIER_ATOMIC},
	    {WEIR_PRIMITIVE_BARRIER, 8, WEIR_BARRIER_ATOMIC},
	    {WEIR_PRIMITIVE_BARRIER, 9, WEIR_BARRIER_XF},
	    {WEIR_PRIMITIVE_BARRIER, 5000, WEIR_BARRIER_XF},
	};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		assert_int_equal(chosen(profile, expected[i].primitive, expected[i].count),
		                 expected[i].kind);
	weir_profile_free(profile);
}

static void tuned(void **state)
{
	weir_profile *profile = empty();
	weir_tuning gain = {
	    WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 0, 100, 128, {3, 90}, 900, 2000};
	weir_tuning none = {
	    WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 0, 100, 128, {5, 6}, 9, 8};
	(void)state;
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 1);
	add_mutex(profile, WEIR_MUTEX_SPIN_BACKOFF, 1000, 0.5);
	ok(weir_profile_add_tuning(profile, &none));
	ok(weir_profile_make_rules(profile));
	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_MUTEX, 1);
	assert_int_equal(rule->kind, WEIR_MUTEX_SPIN_BACKOFF);
	assert_int_equal(rule->backoff.max, 0);

	ok(weir_profile_add_tuning(profile, &gain));
	ok(weir_profile_add_tuning(profile, &gain));
	assert_int_equal(profile->tuning_count, 2);
	ok(weir_profile_make_rules(profile));
	rule = weir_profile_rule(profile, WEIR_PRIMITIVE_MUTEX, 1);
	assert_int_equal(rule->kind, WEIR_MUTEX_TICKET);
	assert_int_equal(rule->backoff.min, 3);
	assert_int_equal(rule->backoff.max, 90);
	weir_profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fastest_or_fairest),
	    cmocka_unit_test(lone_kind),
	    cmocka_unit_test(by_count),
	    cmocka_unit_test(tuned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
