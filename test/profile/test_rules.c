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
	add_mutex(profile, WEIR_MUTEX_TICKET, 975, 1);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN);
	add_mutex(profile, WEIR_MUTEX_TICKET, 985, 1);
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
	weir_tuning gain = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 100, 900, 2000);
	weir_tuning none = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 100, 9, 8);
	gain.backoff = (weir_backoff){3, 90};
	none.backoff = (weir_backoff){5, 6};
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

/* What pauses for longer than a default may does not count, however fast it is. */
static void long_pauses(void **state)
{
	weir_profile *profile = empty();
	weir_tuning wide =
	    make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 100, 900, 2000);
	(void)state;
	add_mutex(profile, WEIR_MUTEX_TICKET, 1000, 1);
	add_mutex(profile, WEIR_MUTEX_SPIN_BACKOFF, 900, 1);
	wide.backoff = (weir_backoff){16, WEIR_RULE_PAUSE_MOST + 1};
	ok(weir_profile_add_tuning(profile, &wide));
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_TICKET);
	wide.backoff.max = WEIR_RULE_PAUSE_MOST;
	ok(weir_profile_add_tuning(profile, &wide));
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN_BACKOFF);
	weir_profile_free(profile);
}

static void add_barriers(weir_profile *profile, uint32_t blocks, double atomic, double counter)
{
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 0, blocks, atomic);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 0, blocks, counter);
}

static void add_shape(weir_profile *profile, uint32_t blocks, uint32_t threads, weir_shape shape,
                      double tuned)
{
	weir_tuning tuning =
	    make_tuning(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, blocks, 100, tuned);
	tuning.threads = threads;
	tuning.shape = (weir_known_shape){1, shape};
	ok(weir_profile_add_tuning(profile, &tuning));
}

static void has_shape(const weir_profile *profile, uint32_t blocks, uint32_t shard_bits,
                      uint32_t copy_bits, uint32_t first_pause)
{
	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, blocks);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_true(rule->shape.known);
	assert_int_equal(rule->shape.shape.shard_bits, shard_bits);
	assert_int_equal(rule->shape.shape.copy_bits, copy_bits);
	assert_int_equal(rule->shape.shape.first_pause, first_pause);
}

/* A shape holds for the blocks that it was found at, and for fewer down to the next that were
 * measured. */
static void shapes(void **state)
{
	weir_profile *profile = empty();
	(void)state;
	add_barriers(profile, 2, 200, 100);
	add_barriers(profile, 32, 100, 150);
	add_barriers(profile, 64, 100, 90);
	add_barriers(profile, 128, 100, 90);
	add_barriers(profile, 256, 100, 300);
	add_shape(profile, 2, 128, (weir_shape){0, 0, 1}, 199); /* faster, but not the fastest */
	add_shape(profile, 64, 128, (weir_shape){0, 0, 0}, 120);
	add_shape(profile, 128, 128, (weir_shape){2, 1, 30}, 400);
	add_shape(profile, 128, 64, (weir_shape){5, 0, 30}, 500); /* other threads */
	add_shape(profile, 256, 128, (weir_shape){3, 3, 3}, 99);  /* slower */
	ok(weir_profile_make_rules(profile));

	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_BARRIER, 2), WEIR_BARRIER_ATOMIC);
	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 3);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_int_equal(rule->up_to, 32);
	assert_false(rule->shape.known);
	has_shape(profile, 33, 0, 0, 0);
	has_shape(profile, 64, 0, 0, 0);
	has_shape(profile, 65, 2, 1, 30);
	has_shape(profile, 128, 2, 1, 30);
	rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 129);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_int_equal(rule->up_to, 0);
	assert_false(rule->shape.known);
	assert_int_equal(profile->rule_count, 5);

	/* Of equal neighbours one rule is left. */
	add_shape(profile, 64, 128, (weir_shape){2, 1, 30}, 120);
	ok(weir_profile_make_rules(profile));
	has_shape(profile, 33, 2, 1, 30);
	assert_int_equal(profile->rule_count, 4);
	weir_profile_free(profile);
}

static void fair_ones(void **state)
{
	weir_profile *profile = empty();
	weir_tuning gain = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 100, 500, 960);
	(void)state;
	assert_int_equal(weir_profile_fair_kind(profile), 0);
	add_mutex(profile, WEIR_MUTEX_SPIN, 2000, 0.2);
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 1);
	assert_int_equal(weir_profile_fair_kind(profile), 0); /* one alone proves nothing */
	add_mutex(profile, WEIR_MUTEX_RING, 500, 1);
	add_mutex(profile, WEIR_MUTEX_QUEUE, 950, 1);
	assert_int_equal(weir_profile_fair_kind(profile), WEIR_MUTEX_QUEUE);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN);
	gain.backoff = (weir_backoff){1, 2};
	gain.tuned_per_second = 1500;
	ok(weir_profile_add_tuning(profile, &gain));
	assert_int_equal(weir_profile_fair_kind(profile), WEIR_MUTEX_RING);
	weir_profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fastest_or_fairest), cmocka_unit_test(lone_kind),
	    cmocka_unit_test(by_count),           cmocka_unit_test(tuned),
	    cmocka_unit_test(long_pauses),        cmocka_unit_test(shapes),
	    cmocka_unit_test(fair_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
