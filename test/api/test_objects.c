/* Barriers, mutexes, arrays of mutexes and semaphores: bad input, sizes, kinds, destruction. */
#include "api.h"

#define NO_KIND 99

/* The tests of all primitives are in test_subjects.c. */
static void null_places(void **state)
{
	(void)state;
	api_fails(weir_barrier_create(api_device, 1,
	                              &(weir_barrier_options){.kind = WEIR_BARRIER_XF}, NULL),
	          WEIR_BAD_ARGUMENT);
	api_fails(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN}, NULL),
	    WEIR_BAD_ARGUMENT);
	api_fails(weir_semaphore_create(api_device, 1, 1,
	                                &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SPIN},
	                                NULL),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_barrier_default_kind(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_mutex_default_kind(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_semaphore_default_kind(api_device, NULL), WEIR_BAD_ARGUMENT);
}

static void unknown_kinds(void **state)
{
	weir_barrier b;
	weir_mutex m;
	weir_semaphore s;

	(void)state;
	api_refused(weir_barrier_create(api_device, 1,
	                                &(weir_barrier_options){.kind = (weir_barrier_kind)NO_KIND},
	                                &b),
	            WEIR_BAD_ARGUMENT, b);
	api_refused(weir_mutex_create(api_device,
	                              &(weir_mutex_options){.kind = (weir_mutex_kind)NO_KIND}, &m),
	            WEIR_BAD_ARGUMENT, m);
	api_refused(weir_semaphore_create(
			api_device, 1, 1,
			&(weir_semaphore_options){.kind = (weir_semaphore_kind)NO_KIND}, &s),
	            WEIR_BAD_ARGUMENT, s);
}

static void kinds_of_another_machine(void **state)
{
	weir_barrier b;

	(void)state;
	if (api_is_cuda())
		skip();
	api_refused(weir_barrier_create(api_device, 1,
	                                &(weir_barrier_options){.kind = WEIR_BARRIER_GRID}, &b),
	            WEIR_UNSUPPORTED, b);
	assert_non_null(strstr(weir_error_text(), "a barrier of kind grid is grid.sync() of CUDA"));
}

static void counts_of_zero_and_too_many(void **state)
{
	weir_barrier b;
	weir_mutex_array a;
	weir_semaphore s;
	size_t bytes, alignment;

	(void)state;
	api_refused(weir_barrier_create(api_device, 0,
	                                &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &b),
	            WEIR_BAD_ARGUMENT, b);
	api_refused(weir_barrier_create(api_device, UINT32_MAX,
	                                &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &b),
	            WEIR_TOO_MANY_BLOCKS, b);
	api_refused(weir_barrier_create(api_device, UINT32_MAX,
	                                &(weir_barrier_options){.kind = WEIR_BARRIER_XF}, &b),
	            WEIR_TOO_MANY_BLOCKS, b);
	api_refused(weir_mutex_array_create(
			api_device, 0, &(weir_mutex_array_options){.kind = WEIR_MUTEX_SPIN}, &a),
	            WEIR_BAD_ARGUMENT, a);
	api_refused(weir_mutex_array_create(api_device, UINT32_MAX,
	                                    &(weir_mutex_array_options){.kind = WEIR_MUTEX_SPIN},
	                                    &a),
	            WEIR_BAD_ARGUMENT, a);
	api_refused(weir_semaphore_create(api_device, 0, 0,
	                                  &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SPIN},
	                                  &s),
	            WEIR_BAD_ARGUMENT, s);
	api_fails(weir_barrier_size(api_device, 0, &(weir_barrier_options){.kind = WEIR_BARRIER_XF},
	                            &bytes, &alignment),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_barrier_size(api_device, UINT32_MAX,
	                            &(weir_barrier_options){.kind = WEIR_BARRIER_XF}, &bytes,
	                            &alignment),
	          WEIR_TOO_MANY_BLOCKS);
	api_fails(weir_mutex_array_size(api_device, 0,
	                                &(weir_mutex_array_options){.kind = WEIR_MUTEX_SPIN},
	                                &bytes, &alignment),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_semaphore_size(api_device, 0, 0,
	                              &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SPIN},
	                              &bytes, &alignment),
	          WEIR_BAD_ARGUMENT);
}

/* The largest number of blocks of any kernel is accepted; one more is not. */
static void most_blocks_of_a_barrier(void **state)
{
	uint32_t low = 1, high = UINT32_MAX; /* accepted, refused */
	weir_barrier b;

	(void)state;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		weir_status status = weir_barrier_create(
		    api_device, middle, &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &b);
		if (status == WEIR_OK) {
			api_ok(weir_barrier_destroy(api_device, &b));
			low = middle;
		} else {
			assert_int_equal(status, WEIR_TOO_MANY_BLOCKS);
			high = middle;
		}
	}
	assert_in_range(low, api_info.resident_blocks_at_128, 1 << 20);
	uint32_t resident;
	api_ok(weir_kernel_resident_blocks(api_device, api_kernel("api_barrier"), 1, 0, &resident));
	assert_in_range(resident, 1, low);
}

static void values_of_semaphores(void **state)
{
	weir_semaphore s;

	(void)state;
	api_refused(weir_semaphore_create(api_device, 3, 2,
	                                  &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SPIN},
	                                  &s),
	            WEIR_BAD_ARGUMENT, s);
	api_refused(
	    weir_semaphore_create(api_device, 0, (uint32_t)INT32_MAX + 1,
	                          &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING}, &s),
	    WEIR_BAD_ARGUMENT, s);
	assert_string_equal(weir_error_text(),
	                    "a semaphore's maximum of 2147483648 is above 2147483647");
	api_refused(weir_semaphore_create(api_device, 0, (uint32_t)INT32_MAX + 1, NULL, &s),
	            WEIR_BAD_ARGUMENT, s);
	api_refused(
	    weir_semaphore_create(api_device, UINT32_MAX, UINT32_MAX,
	                          &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING}, &s),
	    WEIR_BAD_ARGUMENT, s);
	api_ok(weir_semaphore_create(api_device, INT32_MAX, INT32_MAX,
	                             &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SLEEPING},
	                             &s));
	api_ok(weir_semaphore_destroy(api_device, &s));
	api_ok(weir_semaphore_create(api_device, 0, 1,
	                             &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SPIN}, &s));
	api_ok(weir_semaphore_destroy(api_device, &s));
}

static void rings(void **state)
{
	weir_mutex_options options = {.queue_slots = 5};
	weir_mutex_array a;
	weir_mutex m;
	size_t bytes, alignment;

	(void)state;
	api_refused(weir_mutex_array_create(
			api_device, 4, &(weir_mutex_array_options){.kind = WEIR_MUTEX_RING}, &a),
	            WEIR_UNSUPPORTED, a);
	api_fails(weir_mutex_array_size(api_device, 4,
	                                &(weir_mutex_array_options){.kind = WEIR_MUTEX_RING},
	                                &bytes, &alignment),
	          WEIR_UNSUPPORTED);
	api_ok(weir_mutex_create(api_device, api_of_kind(options, WEIR_MUTEX_RING), &m));
	assert_int_equal(m.config.slots, 8);
	api_ok(weir_mutex_destroy(api_device, &m));
	options.queue_slots = UINT32_MAX;
	api_refused(weir_mutex_create(api_device, api_of_kind(options, WEIR_MUTEX_RING), &m),
	            WEIR_BAD_ARGUMENT, m);
	options.queue_slots = (1u << 20) + 1;
	api_refused(weir_mutex_create(api_device, api_of_kind(options, WEIR_MUTEX_RING), &m),
	            WEIR_BAD_ARGUMENT, m);
	/* The patient mutex has at least two places. */
	options.queue_slots = 1;
	api_ok(weir_mutex_create(api_device, api_of_kind(options, WEIR_MUTEX_PATIENT), &m));
	assert_int_equal(m.config.slots, 2);
	api_ok(weir_mutex_destroy(api_device, &m));
	api_refused(weir_mutex_array_create(
			api_device, 4, &(weir_mutex_array_options){.kind = WEIR_MUTEX_PATIENT}, &a),
	            WEIR_UNSUPPORTED, a);
	api_refused(weir_mutex_create(api_device, api_of_kind(options, WEIR_MUTEX_SPIN), &m),
	            WEIR_BAD_ARGUMENT, m);
	assert_string_equal(
	    weir_error_text(),
	    "queue_slots is 1, but a mutex of kind spin has none: it is for the kind "
	    "ring, cohort or patient");
	/* The default is a place for every block that can run. */
	api_ok(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_PATIENT}, &m));
	assert_true(m.config.slots >= api_info.resident_blocks_at_128);
	api_ok(weir_mutex_destroy(api_device, &m));
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_RING}, &m));
	assert_true(m.config.slots >= api_info.resident_blocks_at_128);
	assert_int_equal(m.config.slots & (m.config.slots - 1), 0);
	api_ok(weir_mutex_destroy(api_device, &m));
}

/* A device numbers its cohort mutexes, and has only a limited number of numbers. */
static void cohorts(void **state)
{
	weir_mutex_options nowhere = {.kind = WEIR_MUTEX_COHORT,
	                              .object.memory = api_data.native,
	                              .object.memory_bytes = sizeof(weir_word)};
	weir_mutex m[WEIR_DSMEM_SLOTS], more;
	weir_mutex_array a;

	(void)state;
	api_refused(weir_mutex_array_create(
			api_device, 4, &(weir_mutex_array_options){.kind = WEIR_MUTEX_COHORT}, &a),
	            WEIR_UNSUPPORTED, a);
	for (uint32_t i = 0; i < 2 * WEIR_DSMEM_SLOTS; i++)
		api_refused(weir_mutex_create(api_device, &nowhere, &more), WEIR_BAD_ARGUMENT,
		            more);
	for (uint32_t i = 0; i < WEIR_DSMEM_SLOTS; i++) {
		api_ok(weir_mutex_create(api_device,
		                         &(weir_mutex_options){.kind = WEIR_MUTEX_COHORT}, &m[i]));
		assert_int_equal(m[i].config.cluster_slot, i);
	}
	api_refused(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_COHORT}, &more),
	    WEIR_UNSUPPORTED, more);
	api_ok(weir_mutex_destroy(api_device, &m[3]));
	api_ok(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_COHORT}, &m[3]));
	assert_int_equal(m[3].config.cluster_slot, 3);
	for (uint32_t i = 0; i < WEIR_DSMEM_SLOTS; i++)
		api_ok(weir_mutex_destroy(api_device, &m[i]));
	api_ok(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_COHORT}, &more));
	api_ok(weir_mutex_destroy(api_device, &more));
}

static void backoffs(void **state)
{
	weir_mutex_options options = {.kind = WEIR_MUTEX_TICKET, .backoff = {3, 3}};
	weir_mutex m;

	(void)state;
	api_ok(weir_mutex_create(api_device, &options, &m));
	assert_int_equal(m.config.backoff.min, 3);
	assert_int_equal(m.config.backoff.max, 3);
	api_ok(weir_mutex_destroy(api_device, &m));
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN_BACKOFF},
	                         &m));
	assert_true(m.config.backoff.max > 0); /* the profile's, or the kind's own */
	assert_true(m.config.backoff.min <= m.config.backoff.max);
	api_ok(weir_mutex_destroy(api_device, &m));
	api_ok(weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN}, &m));
	assert_int_equal(m.config.backoff.max, 0);
	api_ok(weir_mutex_destroy(api_device, &m));
}

static void shapes(void **state)
{
	static const uint32_t bad[] = {17, 32, UINT32_MAX};
	weir_barrier_options options = {.kind = WEIR_BARRIER_COUNTER};
	weir_barrier b;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		options.shards = bad[i];
		api_refused(weir_barrier_create(api_device, 1, &options, &b), WEIR_BAD_ARGUMENT, b);
		api_said("for a barrier: the most is 16");
	}
	/* A shard for each block, as long as that many blocks run at once; then one shard fewer. */
	for (uint32_t bits = 0; bits <= WEIR_SHAPE_BITS_MOST; bits++) {
		options.shards = bits > 1 ? (1u << bits) - 1 : 1u << bits; /* rounded up */
		weir_status status = weir_barrier_create(api_device, 1u << bits, &options, &b);
		if (bits && status == WEIR_TOO_MANY_BLOCKS)
			break;
		api_ok(status);
		assert_int_equal(b.config.shape.bits, bits);
		api_ok(weir_barrier_destroy(api_device, &b));
		if (bits == 0)
			continue;
		api_refused(weir_barrier_create(api_device, (1u << bits) - 1, &options, &b),
		            WEIR_BAD_ARGUMENT, b);
		api_said("the most is one for each block");
	}
	/* Only one kind has shards. */
	options.shards = 1;
	api_refused(weir_barrier_create(api_device, 1, api_of_kind(options, WEIR_BARRIER_XF), &b),
	            WEIR_BAD_ARGUMENT, b);
	assert_string_equal(weir_error_text(),
	                    "shards is 1, but a barrier of kind xf has none: it is "
	                    "for the kind counter");
	api_refused(
	    weir_barrier_create(api_device, 1, api_of_kind(options, WEIR_BARRIER_ATOMIC), &b),
	    WEIR_BAD_ARGUMENT, b);
	api_ok(weir_barrier_create(api_device, 1,
	                           &(weir_barrier_options){.kind = WEIR_BARRIER_ATOMIC}, &b));
	assert_int_equal(b.config.shape.bits, 0);
	api_ok(weir_barrier_destroy(api_device, &b));
}

static void fairness(void **state)
{
	weir_mutex_options fair = {.fair = 1};
	weir_mutex m;
	weir_mutex_array a;

	(void)state;
	api_refused(weir_mutex_create(api_device, api_of_kind(fair, WEIR_MUTEX_SPIN), &m),
	            WEIR_BAD_ARGUMENT, m);
	api_said("fair is set, but a mutex of kind spin is not fair");
	api_refused(
	    weir_mutex_array_create(
		api_device, 2, &(weir_mutex_array_options){.kind = WEIR_MUTEX_TTAS, .fair = 1}, &a),
	    WEIR_BAD_ARGUMENT, a);
	api_ok(weir_mutex_create(api_device, api_of_kind(fair, WEIR_MUTEX_TICKET), &m));
	api_ok(weir_mutex_destroy(api_device, &m));
	api_ok(weir_mutex_create(api_device, api_of_kind(fair, WEIR_MUTEX_DEFAULT), &m));
	assert_true(m.config.kind == WEIR_MUTEX_TICKET || m.config.kind == WEIR_MUTEX_RING ||
	            m.config.kind == WEIR_MUTEX_PACED);
	api_ok(weir_mutex_destroy(api_device, &m));
}

static size_t array_bytes(weir_mutex_kind kind, uint32_t length, int compact, size_t *alignment)
{
	weir_mutex_array_options options = {.object.compact = compact};
	size_t bytes;
	api_ok(weir_mutex_array_size(api_device, length, api_of_kind(options, kind), &bytes,
	                             alignment));
	return bytes;
}

static void sizes_of_arrays(void **state)
{
	size_t alignment;

	(void)state;
	assert_int_equal(array_bytes(WEIR_MUTEX_SPIN, 1000, 1, &alignment), 1000 * 4);
	assert_int_equal(alignment, 4);
	assert_int_equal(array_bytes(WEIR_MUTEX_SPIN_BACKOFF, 1000, 1, &alignment), 1000 * 4);
	assert_int_equal(array_bytes(WEIR_MUTEX_TICKET, 1000, 1, &alignment), 1000 * 8);
	assert_int_equal(array_bytes(WEIR_MUTEX_SPIN, 1000, 0, &alignment), 1000 * 128);
	assert_int_equal(array_bytes(WEIR_MUTEX_TICKET, 1000, 0, &alignment), 1000 * 128);
	assert_int_equal(alignment, 128);
	/* The size does not wrap at 2^32 bytes. */
	assert_true(array_bytes(WEIR_MUTEX_TICKET, 1u << 28, 0, &alignment) ==
	            ((size_t)1 << 28) * 128);
}

static void sizes(void **state)
{
	weir_any_options compact = {.object.compact = 1};
	weir_mutex_options slots = {.object.compact = 1, .queue_slots = 16};
	size_t bytes, alignment;

	(void)state;
	api_ok(weir_mutex_size(api_device, api_of_kind(compact.mutex, WEIR_MUTEX_SPIN), &bytes,
	                       &alignment));
	assert_int_equal(bytes, 4);
	assert_int_equal(alignment, 4);
	api_ok(weir_mutex_size(api_device, api_of_kind(compact.mutex, WEIR_MUTEX_TICKET), &bytes,
	                       &alignment));
	assert_int_equal(bytes, 8);
	api_ok(weir_mutex_size(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET}, &bytes,
	                       &alignment));
	assert_int_equal(bytes, 128 + 4);
	assert_int_equal(alignment, 128);
	api_ok(
	    weir_mutex_size(api_device, api_of_kind(slots, WEIR_MUTEX_RING), &bytes, &alignment));
	assert_int_equal(bytes, (2 + 16) * 4);
	api_ok(weir_mutex_size(api_device, api_of_kind(slots, WEIR_MUTEX_PATIENT), &bytes,
	                       &alignment));
	assert_int_equal(bytes, (2 + 16) * 4);
	api_ok(weir_semaphore_size(api_device, 5, 5,
	                           &(weir_semaphore_options){.kind = WEIR_SEMAPHORE_SPIN}, &bytes,
	                           &alignment));
	assert_int_equal(bytes, 4);
	api_ok(weir_semaphore_size(api_device, 5, 5,
	                           api_of_kind(compact.semaphore, WEIR_SEMAPHORE_SLEEPING), &bytes,
	                           &alignment));
	assert_int_equal(bytes, 12);
	/* It has two words of its own, and two for waits with a deadline. */
	api_ok(weir_barrier_size(api_device, 2, api_of_kind(compact.barrier, WEIR_BARRIER_ATOMIC),
	                         &bytes, &alignment));
	assert_int_equal(bytes, 16);
	api_ok(weir_barrier_size(api_device, 2, &(weir_barrier_options){.kind = WEIR_BARRIER_XF},
	                         &bytes, &alignment));
	assert_in_range(bytes, 2 * 2 * 4, 1024);
}

static void names_of_kinds(void **state)
{
	(void)state;
#define ROW(name, NAME, ...)                                                                       \
	assert_string_equal(weir_barrier_kind_name(WEIR_BARRIER_##NAME), #name);
	WEIR_BARRIER_KINDS(ROW)
	WEIR_BARRIER_KINDS_OF_VENDOR_(WEIR_ROW_ALONE_, ROW)
#undef ROW
#define ROW(name, NAME, ...) assert_string_equal(weir_mutex_kind_name(WEIR_MUTEX_##NAME), #name);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, ...)                                                                       \
	assert_string_equal(weir_semaphore_kind_name(WEIR_SEMAPHORE_##NAME), #name);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
	assert_string_equal(weir_barrier_kind_name(0), "default");
	assert_string_equal(weir_mutex_kind_name(0), "default");
	assert_string_equal(weir_semaphore_kind_name(0), "default");
	assert_null(weir_barrier_kind_name(NO_KIND));
	assert_null(weir_mutex_kind_name(NO_KIND));
	assert_null(weir_semaphore_kind_name(UINT32_MAX));
}

static void defaults(void **state)
{
	weir_barrier_kind barrier;
	weir_mutex_kind mutex;
	weir_semaphore_kind semaphore;
	weir_barrier b;
	weir_mutex m;
	weir_mutex_array a;
	weir_semaphore s;

	(void)state;
	api_ok(weir_barrier_default_kind(api_device, &barrier));
	api_ok(weir_mutex_default_kind(api_device, &mutex));
	api_ok(weir_semaphore_default_kind(api_device, &semaphore));
	assert_true(barrier != WEIR_BARRIER_DEFAULT && weir_barrier_kind_name(barrier));
	assert_true(mutex != WEIR_MUTEX_DEFAULT && weir_mutex_kind_name(mutex));
	assert_true(semaphore != WEIR_SEMAPHORE_DEFAULT && weir_semaphore_kind_name(semaphore));
	api_ok(weir_barrier_create(api_device, 1, NULL, &b));
	api_ok(weir_mutex_create(api_device, NULL, &m));
	api_ok(weir_mutex_array_create(api_device, 1, NULL, &a));
	api_ok(weir_semaphore_create(api_device, 1, 1, NULL, &s));
	/* The default for one block may differ from the default for many. */
	assert_non_null(weir_barrier_kind_name(b.config.kind));
	assert_int_not_equal(b.config.kind, WEIR_BARRIER_DEFAULT);
	assert_int_equal(m.config.kind, mutex);
	assert_int_equal(a.config.kind, mutex);
	assert_int_equal(s.config.kind, semaphore);
	api_ok(weir_barrier_destroy(api_device, &b));
	api_ok(weir_mutex_destroy(api_device, &m));
	api_ok(weir_mutex_array_destroy(api_device, &a));
	api_ok(weir_semaphore_destroy(api_device, &s));
}

/* A mutex of an array is not an object of its own. */
static void a_part_of_an_array(void **state)
{
	weir_mutex_array a;

	(void)state;
	api_ok(weir_mutex_array_create(api_device, 3,
	                               &(weir_mutex_array_options){.kind = WEIR_MUTEX_SPIN}, &a));
	for (uint32_t i = 0; i < 2; i++) {
		weir_mutex m = weir_mutex_at(a, i);
		api_fails(weir_mutex_reset(api_device, m), WEIR_NOT_FOUND);
		api_fails(weir_mutex_destroy(api_device, &m), WEIR_NOT_FOUND);
	}
	api_ok(weir_mutex_array_destroy(api_device, &a));
}

/* A handle that the caller has overwritten must not make a reset write past the object. */
static void a_handle_that_lies(void **state)
{
	weir_mutex_options options = {.kind = WEIR_MUTEX_RING, .queue_slots = 2};
	weir_mutex m, lie;
	weir_mutex_array a, long_one;

	(void)state;
	api_ok(weir_mutex_create(api_device, &options, &m));
	lie = m;
	lie.config.slots = 1 << 20;
	api_ok(weir_mutex_reset(api_device, lie));
	lie.config.kind = NO_KIND;
	api_ok(weir_mutex_reset(api_device, lie));
	api_ok(weir_mutex_destroy(api_device, &m));
	api_ok(weir_mutex_array_create(api_device, 2,
	                               &(weir_mutex_array_options){.kind = WEIR_MUTEX_TICKET}, &a));
	long_one = a;
	long_one.config.length = 1 << 20;
	api_ok(weir_mutex_array_reset(api_device, long_one));
	api_ok(weir_mutex_array_destroy(api_device, &a));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(null_places),
	    cmocka_unit_test(unknown_kinds),
	    cmocka_unit_test(kinds_of_another_machine),
	    cmocka_unit_test(counts_of_zero_and_too_many),
	    cmocka_unit_test(most_blocks_of_a_barrier),
	    cmocka_unit_test(values_of_semaphores),
	    cmocka_unit_test(rings),
	    cmocka_unit_test(cohorts),
	    cmocka_unit_test(backoffs),
	    cmocka_unit_test(shapes),
	    cmocka_unit_test(fairness),
	    cmocka_unit_test(sizes_of_arrays),
	    cmocka_unit_test(sizes),
	    cmocka_unit_test(names_of_kinds),
	    cmocka_unit_test(defaults),
	    cmocka_unit_test(a_part_of_an_array),
	    cmocka_unit_test(a_handle_that_lies),
	};
	return api_main(argc, argv, tests);
}
