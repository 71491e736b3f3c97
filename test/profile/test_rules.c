/* The rules that follow from measurements. */
#include "profile_test.h"

static weir_profile *empty(void)
{
	weir_profile *profile = calloc(1, sizeof *profile);
	assert_non_null(profile);
	return profile;
}

/* A point whose fastest and slowest repeat differ by `spread`, relative to the median. */
static weir_point steady_point(enum weir_primitive primitive, uint32_t kind, uint32_t initial,
                               uint32_t blocks, double per_second, double spread)
{
	weir_point point = make_point(primitive, kind, initial, blocks, per_second);
	point.low = per_second * (1 - spread / 2);
	point.high = per_second * (1 + spread / 2);
	return point;
}

static void add(weir_profile *profile, enum weir_primitive primitive, uint32_t kind,
                uint32_t initial, uint32_t blocks, double per_second)
{
	weir_point point = steady_point(primitive, kind, initial, blocks, per_second, 0.001);
	ok(weir_profile_add_point(profile, &point));
}

static void add_mutex(weir_profile *profile, uint32_t kind, double per_second, double spread)
{
	weir_point point = steady_point(WEIR_PRIMITIVE_MUTEX, kind, 0, 100, per_second, spread);
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
	add_mutex(profile, WEIR_MUTEX_SPIN, 1000, 0.001);
	add_mutex(profile, WEIR_MUTEX_TICKET, 975, 0.001);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN);
	add_mutex(profile, WEIR_MUTEX_TICKET, 985, 0.001);
	add_mutex(profile, WEIR_MUTEX_RING, 500, 0.001);
	assert_int_equal(profile->point_count, 3);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_TICKET);
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX_ARRAY, 1), WEIR_MUTEX_TICKET);
	/* A wider spread makes more kinds equal. */
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 0.08);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN);
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 0.12);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_TICKET);
	/* Neither fewer blocks nor a longer critical section decide. */
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
	weir_profile_destroy(profile);
}

/* The built-in default of a CPU yields only to a kind that is ahead of it by more than the spread
 * of both. */
static void usual_stays(void **state)
{
	weir_profile *profile = empty();
	const struct {
		double rate, spread;
		uint32_t chosen;
	} cases[] = {
	    {1015, 0.001, WEIR_MUTEX_SPIN_BACKOFF}, /* steady, but less than 2% */
	    {1100, 0.2, WEIR_MUTEX_SPIN_BACKOFF},   {1100, 0.05, WEIR_MUTEX_SPIN_BACKOFF},
	    {1100, 0.01, WEIR_MUTEX_RING},          {1500, 0.5, WEIR_MUTEX_SPIN_BACKOFF},
	    {5000, 0.5, WEIR_MUTEX_RING},           {90000, 1.8, WEIR_MUTEX_RING},
	};
	(void)state;
	add_mutex(profile, WEIR_MUTEX_SPIN_BACKOFF, 1000, 0.06);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		add_mutex(profile, WEIR_MUTEX_RING, cases[i].rate, cases[i].spread);
		ok(weir_profile_make_rules(profile));
		assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), cases[i].chosen);
	}
	/* A fair kind that is ahead of it and cannot be told apart from the best kind will do. */
	add_mutex(profile, WEIR_MUTEX_SPIN, 5500, 0.001);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_RING);
	/* One run has no spread. */
	weir_point lucky = make_point(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 0, 100, 1900);
	lucky.repeats = 1;
	lucky.low = lucky.high = lucky.per_second;
	ok(weir_profile_add_point(profile, &lucky));
	add_mutex(profile, WEIR_MUTEX_SPIN, 1, 0.001);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN_BACKOFF);
	/* But a kind that is many times as fast is not just lucky. */
	lucky.low = lucky.high = lucky.per_second = 50000;
	ok(weir_profile_add_point(profile, &lucky));
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_RING);
	weir_profile_destroy(profile);
}

/* A barrier of one block never waits, so no rule follows from its speed. */
static void one_block(void **state)
{
	weir_profile *profile = empty();
	weir_span span;
	(void)state;
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, 0, 1, 1000);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 0, 1, 100);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, 0, 8, 100);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 0, 8, 1000);
	ok(weir_profile_make_rules(profile));
	assert_true(weir_profile_span(profile, WEIR_PRIMITIVE_BARRIER, 1, &span));
	assert_int_equal(span.kind, WEIR_BARRIER_COUNTER);
	assert_int_equal(span.to, 0);
	weir_profile_destroy(profile);
}

/* Where the default stays, its setting also stays, until a search on the device itself covers
 * it. */
static void usual_setting(void **state)
{
	weir_profile *profile = empty();
	weir_profile *builtin;
	(void)state;
	ok(weir_profile_builtin("h200", &builtin));
	profile->device = builtin->device;
	const weir_rule *usual = weir_profile_rule(builtin, WEIR_PRIMITIVE_BARRIER, 1056);
	assert_int_equal(usual->kind, WEIR_BARRIER_COUNTER);
	assert_true(usual->shape.known);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 0, 1056, 100);
	add(profile, WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_ATOMIC, 0, 1056, 101);
	ok(weir_profile_make_rules(profile));
	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 1056);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_memory_equal(&rule->shape, &usual->shape, sizeof rule->shape);
	weir_tuning nothing =
	    make_tuning(WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_COUNTER, 1056, 100, 100);
	ok(weir_profile_add_tuning(profile, &nothing));
	ok(weir_profile_make_rules(profile));
	rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 1056);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_false(rule->shape.known);
	weir_profile_destroy(builtin);
	weir_profile_destroy(profile);
}

/* A single kind proves nothing. */
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
	weir_profile_destroy(profile);
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
		/* Fewer blocks, with the reverse order. */
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
	weir_profile_destroy(profile);
}

static void tuned(void **state)
{
	weir_profile *profile = empty();
	weir_tuning gain = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, 100, 900, 2000);
	weir_tuning none = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 100, 9, 8);
	gain.backoff = (weir_backoff){3, 90};
	none.backoff = (weir_backoff){5, 6};
	(void)state;
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 0.001);
	add_mutex(profile, WEIR_MUTEX_SPIN_BACKOFF, 1000, 0.001);
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
	weir_profile_destroy(profile);
}

/* A backoff longer than a default may be does not count, however fast it is. */
static void long_pauses(void **state)
{
	weir_profile *profile = empty();
	weir_tuning wide =
	    make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, 100, 900, 2000);
	(void)state;
	add_mutex(profile, WEIR_MUTEX_TICKET, 1000, 0.001);
	add_mutex(profile, WEIR_MUTEX_SPIN_BACKOFF, 900, 0.001);
	wide.backoff = (weir_backoff){16, WEIR_RULE_PAUSE_MOST + 1};
	ok(weir_profile_add_tuning(profile, &wide));
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_TICKET);
	wide.backoff.max = WEIR_RULE_PAUSE_MOST;
	ok(weir_profile_add_tuning(profile, &wide));
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN_BACKOFF);
	weir_profile_destroy(profile);
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

static void has_shape(const weir_profile *profile, uint32_t blocks, uint32_t bits)
{
	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, blocks);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_true(rule->shape.known);
	assert_int_equal(rule->shape.shape.bits, bits);
}

/* A shape applies to the number of blocks at which it was found, and to fewer blocks down to the
 * next measured number. */
static void shapes(void **state)
{
	weir_profile *profile = empty();
	(void)state;
	add_barriers(profile, 2, 200, 100);
	add_barriers(profile, 32, 100, 150);
	add_barriers(profile, 64, 100, 90);
	add_barriers(profile, 128, 100, 90);
	add_barriers(profile, 256, 100, 300);
	add_shape(profile, 2, 128, (weir_shape){1}, 199); /* faster, but not the fastest */
	add_shape(profile, 64, 128, (weir_shape){0}, 120);
	add_shape(profile, 128, 128, (weir_shape){2}, 400);
	add_shape(profile, 128, 64, (weir_shape){4}, 500); /* other threads */
	add_shape(profile, 256, 128, (weir_shape){3}, 99); /* slower */
	ok(weir_profile_make_rules(profile));

	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_BARRIER, 2), WEIR_BARRIER_ATOMIC);
	const weir_rule *rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 3);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_int_equal(rule->up_to, 32);
	assert_false(rule->shape.known);
	has_shape(profile, 33, 0);
	has_shape(profile, 64, 0);
	has_shape(profile, 65, 2);
	has_shape(profile, 128, 2);
	rule = weir_profile_rule(profile, WEIR_PRIMITIVE_BARRIER, 129);
	assert_int_equal(rule->kind, WEIR_BARRIER_COUNTER);
	assert_int_equal(rule->up_to, 0);
	assert_false(rule->shape.known);
	assert_int_equal(profile->rule_count, 5);

	/* One rule is left of two equal neighbours. */
	add_shape(profile, 64, 128, (weir_shape){2}, 120);
	ok(weir_profile_make_rules(profile));
	has_shape(profile, 33, 2);
	assert_int_equal(profile->rule_count, 4);
	weir_profile_destroy(profile);
}

static void fair_ones(void **state)
{
	weir_profile *profile = empty();
	weir_tuning gain = make_tuning(WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, 100, 500, 960);
	(void)state;
	assert_int_equal(weir_profile_fair_kind(profile), 0);
	add_mutex(profile, WEIR_MUTEX_SPIN, 2000, 0.001);
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 0.001);
	assert_int_equal(weir_profile_fair_kind(profile), 0); /* a single kind proves nothing */
	add_mutex(profile, WEIR_MUTEX_RING, 500, 0.001);
	add_mutex(profile, WEIR_MUTEX_PACED, 950, 0.001);
	assert_int_equal(weir_profile_fair_kind(profile), WEIR_MUTEX_PACED);
	ok(weir_profile_make_rules(profile));
	assert_int_equal(chosen(profile, WEIR_PRIMITIVE_MUTEX, 1), WEIR_MUTEX_SPIN);
	gain.backoff = (weir_backoff){1, 2};
	gain.tuned_per_second = 1500;
	ok(weir_profile_add_tuning(profile, &gain));
	assert_int_equal(weir_profile_fair_kind(profile), WEIR_MUTEX_RING);
	weir_profile_destroy(profile);
}

/* Events make no rules, and are compared in each pattern at the largest number of blocks. */
static void events(void **state)
{
	weir_profile *profile = empty();
	weir_comparison at = {.primitive = WEIR_PRIMITIVE_EVENT_ARRAY};

	(void)state;
	for (uint32_t blocks = 2; blocks <= 64; blocks *= 32) {
		add(profile, at.primitive, WEIR_EVENT_WORD, WEIR_PATTERN_MEET, blocks, blocks);
		add(profile, at.primitive, WEIR_EVENT_COPIES, WEIR_PATTERN_MEET, blocks, 10);
		add(profile, at.primitive, WEIR_EVENT_WORD, WEIR_PATTERN_HAND_OVER, blocks, 1);
		add(profile, at.primitive, WEIR_EVENT_COPIES, WEIR_PATTERN_HAND_OVER, blocks, 10);
	}
	add_mutex(profile, WEIR_MUTEX_SPIN, 2000, 0.001);
	add_mutex(profile, WEIR_MUTEX_TICKET, 900, 0.001);
	ok(weir_profile_make_rules(profile));
	assert_null(weir_profile_rule(profile, at.primitive, 64));
	assert_int_equal(weir_comparison_next(profile, &at, 0), WEIR_PATTERN_HAND_OVER);
	assert_int_equal(weir_profile_fastest(profile, &at, NULL)->kind, WEIR_EVENT_COPIES);
	assert_int_equal(weir_comparison_next(profile, &at, WEIR_PATTERN_HAND_OVER),
	                 WEIR_PATTERN_MEET);
	assert_int_equal(at.blocks, 64);
	assert_int_equal(weir_profile_fastest(profile, &at, NULL)->kind, WEIR_EVENT_WORD);
	assert_int_equal(weir_comparison_next(profile, &at, WEIR_PATTERN_MEET), 0);
	weir_profile_destroy(profile);
}

/* Names and their inverse, and the kind that the library takes for that many users. */
static void patterns(void **state)
{
	(void)state;
	for (uint32_t pattern = 1; weir_pattern_name(pattern); pattern++) {
		enum weir_primitive of = WEIR_PRIMITIVE_EVENT_ARRAY;
		while (!weir_pattern_is_of(pattern, of))
			of++;
		assert_true(of <= WEIR_PRIMITIVE_COMBINER);
		assert_true(weir_has_patterns(of));
		assert_int_equal(weir_pattern_named(of, weir_pattern_name(pattern)), pattern);
	}
	assert_false(weir_has_patterns(WEIR_PRIMITIVE_MUTEX));
	assert_int_equal(weir_pattern_named(WEIR_PRIMITIVE_QUEUE, "hand_over"), 0);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_QUEUE_PAIRS, 8), WEIR_QUEUE_CELLS);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_QUEUE_MANY_TO_ONE, 8),
	                 WEIR_QUEUE_SINGLE);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_TASKS_CHAIN, 8), 0);
	assert_int_equal(weir_pattern_pushers(WEIR_PATTERN_QUEUE_PAIRS, 7), 7);
	assert_int_equal(weir_pattern_pushers(WEIR_PATTERN_QUEUE_APART, 7), 3);
	assert_int_equal(weir_pattern_pushers(WEIR_PATTERN_QUEUE_ONE_TO_MANY, 7), 1);
	assert_int_equal(weir_pattern_pushers(WEIR_PATTERN_QUEUE_MANY_TO_ONE, 7), 6);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_RWLOCK_READ90, 8), WEIR_RWLOCK_FAIR);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_COMBINE, 8), 0);
	assert_int_equal(weir_pattern_pushers(WEIR_PATTERN_CONDITION_BUFFER, 7), 3);
	assert_null(weir_pattern_name(0));
	assert_int_equal(weir_pattern_named(WEIR_PRIMITIVE_EVENT_ARRAY, "none"), 0);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_HAND_OVER, 2112), WEIR_EVENT_WORD);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_MEET, 2112), WEIR_EVENT_SHARDS);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_SEQUENCE, 2112), WEIR_EVENT_COPIES);
	assert_int_equal(weir_pattern_default(WEIR_PATTERN_SEQUENCE, 2), WEIR_EVENT_WORD);
	assert_int_equal(weir_pattern_shares(WEIR_PATTERN_PAIRS, 7), 4);
	assert_int_equal(weir_pattern_shares(WEIR_PATTERN_SEQUENCE, 7), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fastest_or_fairest),
	    cmocka_unit_test(usual_stays),
	    cmocka_unit_test(one_block),
	    cmocka_unit_test(usual_setting),
	    cmocka_unit_test(lone_kind),
	    cmocka_unit_test(by_count),
	    cmocka_unit_test(tuned),
	    cmocka_unit_test(long_pauses),
	    cmocka_unit_test(shapes),
	    cmocka_unit_test(fair_ones),
	    cmocka_unit_test(events),
	    cmocka_unit_test(patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
