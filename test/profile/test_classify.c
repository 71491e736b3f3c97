/* The classification: the paper's machines as the paper has them, an H200, and invented devices. */
#include "core/backend.h"
#include "core/defaults.h"
#include "core/device.h"
#include "profile_test.h"

#include <stdio.h>

#define READ_SAME(kind) WEIR_ACCESS(kind, WEIR_ACCESS_SAME, WEIR_ACCESS_READ)

static weir_class class_of(const char *name)
{
	weir_profile *profile;
	weir_class found;
	ok(weir_profile_builtin(name, &profile));
	weir_classify(&profile->probe, &found);
	weir_profile_destroy(profile);
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
	near(found.atomic_to_volatile_write, 94.57);
	near(found.atomic_to_volatile_own_write, 4.38);
	near(found.hostage_ratio_write, 1.10);
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
	near(found.atomic_to_volatile_write, 8.40);
	near(found.atomic_to_volatile_own_write, 10.76);
	near(found.hostage_ratio_write, 4.71);
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
	assert_true(found.slow_atomic_writes && !found.equal_atomics);
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
		weir_profile_destroy(profile);
		rows++;
	}
	fclose(file);
	assert_int_equal(rows, 2 * WEIR_ACCESS_COUNT);
}

/* A device given by its three answers, with writes like the reads. */
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
	/* Atomics expensive enough to avoid, reads free: sleep. */
	c = made_up(6, 1.2, 1);
	expect(&c, WEIR_BARRIER_ATOMIC, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* One word for all is hopeless: decentralize where possible, otherwise back off. */
	c = made_up(1.5, 1000, 1);
	expect(&c, WEIR_BARRIER_XF, WEIR_MUTEX_SPIN_BACKOFF, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* Everything is slow: as few atomics as possible. */
	c = made_up(500, 100, 400);
	assert_string_equal(c.name, "slow atomics that hold their line");
	expect(&c, WEIR_BARRIER_XF, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	c = made_up(50, 20, 1.05);
	assert_string_equal(c.name, "slow atomics, costly polling");
	expect(&c, WEIR_BARRIER_XF, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING,
	       WEIR_SEMAPHORE_SLEEPING);
	/* Faster after an atomic, and faster under contention: noise, not a separate class. */
	c = made_up(0.9, 0.8, 0.9);
	assert_true(!c.slow_atomics && !c.contended_reads && !c.hostage);
}

/* One atomic that costs as much as 2000 reads explains a ratio of 3; it holds no cache line. */
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

/* A device with the reads of made_up(atomic, 1.2, 1) and faster writes. */
static weir_class with_writes(double atomic, double to_volatile, double after_atomic)
{
	weir_probe probe = {1000, 128, 1000, {0}};
	weir_class found;
	for (int kind = 0; kind < 3; kind++)
		probe.ms[WEIR_ACCESS(kind, WEIR_ACCESS_OWN, WEIR_ACCESS_READ)] =
		    probe.ms[WEIR_ACCESS(kind, WEIR_ACCESS_OWN, WEIR_ACCESS_WRITE)] = 1 / 1.2;
	probe.ms[READ_SAME(WEIR_ACCESS_VOLATILE)] = probe.ms[READ_SAME(WEIR_ACCESS_PRIMED)] = 1;
	probe.ms[READ_SAME(WEIR_ACCESS_ATOMIC)] = probe.ms[READ_SAME(WEIR_ACCESS_ATOMIC) + 1] =
	    atomic;
	probe.ms[READ_SAME(WEIR_ACCESS_VOLATILE) + 1] = atomic / to_volatile;
	probe.ms[READ_SAME(WEIR_ACCESS_PRIMED) + 1] = atomic / to_volatile * after_atomic;
	weir_classify(&probe, &found);
	return found;
}

/* Atomics count as being as fast as volatile accesses only if that holds for writes too; and a
 * cache line that is held for writes is held. */
static void writes_weigh(void **state)
{
	weir_class c;
	(void)state;
	c = with_writes(1.5, 1.5, 1);
	assert_true(c.equal_atomics && !c.slow_atomic_writes);
	assert_int_equal(weir_class_kind(&c, WEIR_PRIMITIVE_MUTEX, 0), WEIR_MUTEX_SPIN_BACKOFF);
	c = with_writes(1.5, 66, 1);
	assert_true(!c.equal_atomics && c.slow_atomic_writes && !c.slow_atomics && !c.hostage);
	assert_int_equal(weir_class_kind(&c, WEIR_PRIMITIVE_MUTEX, 0), WEIR_MUTEX_TICKET);
	c = with_writes(3, 3, 2);
	assert_true(c.hostage && c.hostage_ratio == 1);
	assert_int_equal(weir_class_kind(&c, WEIR_PRIMITIVE_BARRIER, 0), WEIR_BARRIER_XF);
	/* One atomic that takes as long as 2000 writes explains a ratio of 3. */
	c = with_writes(3, 2000, 3);
	assert_false(c.hostage);
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
		char *text = weir_class_text(profile);
		assert_non_null(text);
		assert_non_null(strstr(text, found.name));
		assert_non_null(strstr(text, found.hostage ? "hold a line hostage until"
		                                           : "do not hold a line hostage"));
		char ratio[32];
		snprintf(ratio, sizeof ratio, "takes %.3g times as long", found.atomic_to_volatile);
		assert_non_null(strstr(text, ratio));
		snprintf(ratio, sizeof ratio, "takes %.3g times as long",
		         found.atomic_to_volatile_write);
		assert_non_null(strstr(text, ratio));
		free(text);
		weir_profile_destroy(profile);
	}
}

/* The output's line on a primitive, without the newline. */
static void find_line(const char *text, enum weir_primitive primitive, char *line, size_t room)
{
	const char *title = primitive == WEIR_PRIMITIVE_BARRIER ? "\nBarrier: "
	                    : primitive == WEIR_PRIMITIVE_MUTEX ? "\nMutex: "
	                                                        : "\nSemaphore: ";
	const char *start = strstr(text, title);
	assert_non_null(start);
	start += strlen(title);
	snprintf(line, room, "%.*s", (int)strcspn(start, "\n"), start);
}

/* "xf for 1 block, central for 2 to 264 and counter for more": the kind that these words give for a
 * count, or 0. */
static uint32_t advised(const char *words, enum weir_primitive primitive, uint32_t count)
{
	char name[32], rest[64];
	while (sscanf(words, "%31[a-z_]%63[^,.]", name, rest) >= 1) {
		uint32_t from = 1, to = 0;
		size_t length = strcspn(words, ",.");
		const char *and_ = strstr(words, " and ");
		if (and_ && and_ < words + length)
			length = (size_t)(and_ - words);
		snprintf(rest, sizeof rest, "%.*s", (int)length, words);
		const char *numbers = strpbrk(rest, "0123456789");
		if (numbers && sscanf(numbers, "%u to %u", &from, &to) == 1)
			to = from;
		if (to == 0 || (count >= from && count <= to))
			return weir_kind_named(primitive, name)->value;
		words += length;
		words += strspn(words, ", ");
		if (strncmp(words, "and ", 4) == 0)
			words += 4;
	}
	return 0;
}

/* The advice matches the library's default, for every built-in profile and every count. */
static void advice_is_the_default(void **state)
{
	static const enum weir_primitive primitives[] = {
	    WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE};
	const weir_backend backend = {0};
	const char *name;
	int checked = 0;
	(void)state;
	for (size_t i = 0; (name = weir_profile_builtin_name(i)) != NULL; i++) {
		weir_device device = {.backend = &backend};
		char line[2048];
		ok(weir_profile_builtin(name, &device.profile));
		char *text = device.profile->has_probe ? weir_class_text(device.profile) : NULL;
		for (int p = 0; p < 3 && text; p++) {
			find_line(text, primitives[p], line, sizeof line);
			assert_int_equal(strncmp(line, "use ", 4), 0);
			for (uint32_t count = 1; count < 3000; count++, checked++)
				assert_int_equal(advised(line + 4, primitives[p], count),
				                 weir_default_kind(&device, primitives[p], count));
		}
		free(text);
		weir_profile_destroy(device.profile);
	}
	assert_true(checked >= 3 * 3 * 2999);
}

/* Where the rule is not the paper's, the output names the paper's rule, the reason, and the
 * figures. */
static void differences(void **state)
{
	weir_profile *profile;
	char line[2048];
	(void)state;
	ok(weir_profile_builtin("h200", &profile));
	char *text = weir_class_text(profile);
	find_line(text, WEIR_PRIMITIVE_SEMAPHORE, line, sizeof line);
	assert_non_null(strstr(line, "The paper's reasoning gives sleeping: "));
	assert_non_null(strstr(line, "The paper did not have packed."));
	assert_non_null(strstr(line, "times as fast as sleeping."));
	find_line(text, WEIR_PRIMITIVE_MUTEX, line, sizeof line);
	assert_non_null(strstr(line, "The paper's reasoning gives the same: "));
	assert_null(strstr(line, "Not measured"));
	free(text);
	weir_profile_destroy(profile);
	ok(weir_profile_builtin("gf100", &profile));
	text = weir_class_text(profile);
	find_line(text, WEIR_PRIMITIVE_BARRIER, line, sizeof line);
	const char *later = strstr(line, "later than the paper: ");
	assert_non_null(later);
	for (size_t i = 0; weir_kind_at(WEIR_PRIMITIVE_BARRIER, i); i++) {
		const weir_kind *kind = weir_kind_at(WEIR_PRIMITIVE_BARRIER, i);
		assert_int_equal(strstr(later, kind->name) == NULL,
		                 kind->role != WEIR_FOR_USE ||
		                     weir_kind_is_of_paper(WEIR_PRIMITIVE_BARRIER, kind->value));
	}
	/* A rule from another profile, without figures. */
	profile->rules[0].kind = WEIR_BARRIER_CENTRAL;
	free(text);
	text = weir_class_text(profile);
	find_line(text, WEIR_PRIMITIVE_BARRIER, line, sizeof line);
	assert_int_equal(strncmp(line, "use central.", 12), 0);
	assert_non_null(strstr(line, "gives xf: "));
	assert_non_null(strstr(line, "No figures in this profile compare the two."));
	free(text);
	weir_profile_destroy(profile);
}

static const enum weir_primitive primitives[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
                                                 WEIR_PRIMITIVE_SEMAPHORE};

/* Fourteen of the kinds are the paper's, nine of them for use. */
static void of_the_paper(void **state)
{
	const weir_kind *kind;
	int count = 0;
	int for_use = 0;
	(void)state;
	for (int p = 0; p < 3; p++)
		for (size_t i = 0; (kind = weir_kind_at(primitives[p], i)) != NULL; i++) {
			int is_of_paper = weir_kind_is_of_paper(primitives[p], kind->value);
			count += is_of_paper;
			for_use += is_of_paper && kind->role == WEIR_FOR_USE;
		}
	assert_int_equal(count, 14);
	assert_int_equal(for_use, 9);
}

static void measured_in_the_paper(void **state)
{
	int count = 0;
	(void)state;
	for (int p = 0; p < 3; p++)
		for (size_t i = 0; weir_paper_kind_at(primitives[p], i) != 0; i++) {
			uint32_t kind = weir_paper_kind_at(primitives[p], i);
			assert_non_null(weir_kind_find(primitives[p], kind));
			assert_true(weir_kind_is_of_paper(primitives[p], kind));
			count++;
		}
	assert_int_equal(count, 8);
	assert_int_equal(weir_paper_kind(WEIR_PRIMITIVE_BARRIER, "atomic"), WEIR_BARRIER_TWO_STAGE);
	assert_int_equal(weir_paper_kind(WEIR_PRIMITIVE_MUTEX, "spin"), WEIR_MUTEX_SPIN);
	assert_int_equal(weir_paper_kind(WEIR_PRIMITIVE_SEMAPHORE, "spin"),
	                 WEIR_SEMAPHORE_SPIN_EXCHANGE);
	/* Described, but in no figure. */
	assert_int_equal(weir_paper_kind(WEIR_PRIMITIVE_MUTEX, "ring"), WEIR_MUTEX_RING);
	for (size_t i = 0; weir_paper_kind_at(WEIR_PRIMITIVE_MUTEX, i) != 0; i++)
		assert_int_not_equal(weir_paper_kind_at(WEIR_PRIMITIVE_MUTEX, i), WEIR_MUTEX_RING);
	assert_int_equal(weir_paper_kind(WEIR_PRIMITIVE_BARRIER, "spin"), 0);
	assert_int_equal(weir_paper_kind(WEIR_PRIMITIVE_MUTEX, "paced"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(gt200),
	    cmocka_unit_test(gf100),
	    cmocka_unit_test(h200),
	    cmocka_unit_test(paper_figures),
	    cmocka_unit_test(extremes),
	    cmocka_unit_test(one_slow_atomic_is_no_hostage),
	    cmocka_unit_test(writes_weigh),
	    cmocka_unit_test(sentences),
	    cmocka_unit_test(advice_is_the_default),
	    cmocka_unit_test(differences),
	    cmocka_unit_test(of_the_paper),
	    cmocka_unit_test(measured_in_the_paper),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
