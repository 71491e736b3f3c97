/* The guarantees of every primitive: the input that it refuses, its place in the caller's memory, the state that a
 * reset restores, and that nothing is used after its end or on another device. Tested for each kind that the device
 * has. */
#include "api.h"

#include "subjects.h"
#include "weir/rows.h"

#define NO_KIND 99
#define MOST_BYTES (1u << 16)

/* One kind of one primitive, given by options that it accepts. */
typedef struct one {
	const api_subject *subject;
	weir_any_options options;
} one;

static weir_any_options options_for(enum weir_primitive primitive, const weir_kind *kind)
{
	weir_any_options options = {.object.compact = 0};

	if (kind)
		options.of_kind.kind = kind->value;
	if (primitive == WEIR_PRIMITIVE_MUTEX && kind->queue != WEIR_QUEUE_NONE)
		options.mutex.queue_slots = 4;
	if (primitive == WEIR_PRIMITIVE_QUEUE && kind->value == WEIR_QUEUE_SINGLE)
		options.queue.single = WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS;
	if (primitive == WEIR_PRIMITIVE_EVENT_ARRAY && kind->parts == WEIR_PARTS_COPIES)
		options.event_array.copies = 2;
	if (primitive == WEIR_PRIMITIVE_EVENT_ARRAY && kind->parts == WEIR_PARTS_SHARDS)
		options.event_array.shards = 2;
	return options;
}

static weir_status make(const one *o, weir_device *device, api_any *object)
{
	return o->subject->create(device, &o->options, object);
}

/* Calls a test for each of them, both compact and padded. Returns how many there were. */
static int each(void (*test)(const one *))
{
	int count = 0;

	for (size_t i = 0; i < API_SUBJECTS; i++) {
		const api_subject *subject = &api_subjects[i];
		const weir_kind *kind = weir_kind_at(subject->primitive, 0);

		for (size_t k = 0; kind || k == 0; kind = weir_kind_at(subject->primitive, ++k)) {
			one o = {subject, options_for(subject->primitive, kind)};
			size_t bytes, alignment;

			/* Some have no arrays, and some devices lack what a kind needs. */
			if (subject->size(api_device, &o.options, &bytes, &alignment) ==
			    WEIR_UNSUPPORTED)
				continue;
			for (int compact = 0; compact < 2; compact++, count++) {
				o.options.object.compact = compact;
				test(&o);
			}
			if (!kind)
				break;
		}
	}
	return count;
}

static void refused(const one *o, const char *said)
{
	api_any object;

	api_refused(make(o, api_device, &object), WEIR_BAD_ARGUMENT, object.all);
	api_said(said);
}

static void refuse_nothing(const one *o)
{
	const api_subject *s = o->subject;
	size_t bytes, alignment;

	api_fails(make(o, api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(s->destroy(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(s->size(api_device, &o->options, NULL, &alignment), WEIR_BAD_ARGUMENT);
	api_fails(s->size(api_device, &o->options, &bytes, NULL), WEIR_BAD_ARGUMENT);
}

static void null_places(void **state)
{
	(void)state;
	assert_true(each(refuse_nothing) >= API_SUBJECTS);
}

/* Callers of other versions pass fewer or more members than the library knows. */
static void pass_other_versions(const one *o)
{
	const api_subject *s = o->subject;
	unsigned char longer[2 * sizeof o->options] = {0};
	api_any object;

	memcpy(longer, &o->options, s->options_bytes);
	api_ok(s->sized(api_device, longer, s->options_bytes + 24, &object));
	api_ok(s->destroy(api_device, &object));
	longer[s->options_bytes + 7] = 1;
	api_refused(s->sized(api_device, longer, s->options_bytes + 24, &object), WEIR_UNSUPPORTED,
	            object.all);
	api_said(s->phrase);
	api_said("have a member that this library");
	api_refused(s->sized(api_device, longer, sizeof(weir_object_options) - 1, &object),
	            WEIR_BAD_ARGUMENT, object.all);
	api_said("the least is");
	if (weir_kind_at(s->primitive, 0))
		return; /* the member that an old caller lacks must not be the kind */
	api_ok(s->sized(api_device, longer, sizeof(weir_object_options), &object));
	api_ok(s->destroy(api_device, &object));
}

static void other_versions(void **state)
{
	(void)state;
	each(pass_other_versions);
}

static void refuse_options(const one *o)
{
	one bad = *o;

	bad.options.object.reserved[2] = 1;
	api_any object;
	api_refused(make(&bad, api_device, &object), WEIR_UNSUPPORTED, object.all);
	api_said("object.reserved");
	bad = *o;
	bad.options.object.memory_offset = 128;
	refused(&bad, "object.memory_offset is 128, but object.memory is NULL");
	bad = *o;
	bad.options.object.memory_bytes = 4096;
	refused(&bad, "object.memory_bytes is 4096, but object.memory is NULL");
}

static void bad_options(void **state)
{
	(void)state;
	each(refuse_options);
}

/* The offset of `backoff` in the options of a primitive; 0: it never waits. */
#define BACKOFF(NAME, type) [WEIR_PRIMITIVE_##NAME] = offsetof(weir_##type##_options, backoff)

static const size_t backoffs[] = {
    BACKOFF(BARRIER, barrier),     BACKOFF(MUTEX, mutex),
    BACKOFF(SEMAPHORE, semaphore), BACKOFF(MUTEX_ARRAY, mutex_array),
    BACKOFF(GROUP, group),         BACKOFF(QUEUE, queue),
    BACKOFF(TASKS, tasks),         BACKOFF(CONDITION, condition),
    BACKOFF(RWLOCK, rwlock),       BACKOFF(ONCE, once),
    BACKOFF(COMBINER, combiner),
};

static void refuse_backoffs(const one *o)
{
	const weir_backoff backoff = {3, 2};
	one bad = *o;

	if (o->subject->primitive >= sizeof backoffs / sizeof backoffs[0] ||
	    !backoffs[o->subject->primitive])
		return;
	/* The default may be the vendor's barrier, which never waits in weir's code. */
	if (o->subject->primitive == WEIR_PRIMITIVE_BARRIER)
		bad.options.barrier.kind = WEIR_BARRIER_ATOMIC;
	memcpy((char *)&bad.options + backoffs[o->subject->primitive], &backoff, sizeof backoff);
	refused(&bad, "a backoff from 3 up to 2 units");
}

static void bad_backoffs(void **state)
{
	(void)state;
	each(refuse_backoffs);
}

/* A member that the kind does not use. */
#define UNUSED(NAME, type, kind_, member_, value)                                                  \
	{                                                                                          \
		WEIR_PRIMITIVE_##NAME, {.type = {.kind = (kind_), .member_ = (value)}}, #member_   \
	}

static const struct unused {
	enum weir_primitive primitive;
	weir_any_options options;
	const char *member;
} unused[] = {
    UNUSED(BARRIER, barrier, WEIR_BARRIER_ATOMIC, shards, 2),
    UNUSED(BARRIER, barrier, WEIR_BARRIER_XF, shards, 1),
    UNUSED(BARRIER, barrier, WEIR_BARRIER_CENTRAL, shards, 2),
    UNUSED(BARRIER, barrier, WEIR_BARRIER_TWO_STAGE, shards, 2),
    UNUSED(BARRIER, barrier, WEIR_BARRIER_COUNTER, first_block, 2),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_SPIN, queue_slots, 8),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_SPIN_BACKOFF, queue_slots, 8),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_TICKET, queue_slots, 8),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_TTAS, queue_slots, 8),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_PACED, queue_slots, 8),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_SPIN, fair, 1),
    UNUSED(MUTEX, mutex, WEIR_MUTEX_COHORT, fair, 1),
    UNUSED(MUTEX_ARRAY, mutex_array, WEIR_MUTEX_TTAS, fair, 1),
    UNUSED(GROUP, group, WEIR_BARRIER_XF, shards, 2),
    UNUSED(EVENT_ARRAY, event_array, WEIR_EVENT_WORD, copies, 2),
    UNUSED(EVENT_ARRAY, event_array, WEIR_EVENT_WORD, shards, 2),
    UNUSED(EVENT_ARRAY, event_array, WEIR_EVENT_COPIES, shards, 2),
    UNUSED(EVENT_ARRAY, event_array, WEIR_EVENT_SHARDS, copies, 2),
    UNUSED(QUEUE, queue, WEIR_QUEUE_LINES, single, WEIR_QUEUE_ONE_POPS),
    UNUSED(RWLOCK, rwlock, WEIR_RWLOCK_FAIR, reader_counts, 4),
};

static void unused_members(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) {
		one o = {api_subject_of(unused[i].primitive), unused[i].options};

		refused(&o, unused[i].member);
		if (!strstr(unused[i].member, "first_block"))
			api_said(weir_kind_find(unused[i].primitive, o.options.of_kind.kind)->name);
	}
}

static void unknown_kinds(void **state)
{
	size_t bytes, alignment;

	(void)state;
	for (size_t i = 0; i < API_SUBJECTS; i++) {
		one o = {&api_subjects[i], {.object.compact = 0}};

		if (!weir_kind_at(o.subject->primitive, 0))
			continue;
		o.options.of_kind.kind = NO_KIND;
		refused(&o, "");
		api_fails(o.subject->size(api_device, &o.options, &bytes, &alignment),
		          WEIR_BAD_ARGUMENT);
		o.options.of_kind.kind = UINT32_MAX;
		refused(&o, "");
	}
}

/* Destroys an object twice through its handle and once through a copy, then resets it. */
static void destroy_twice(const one *o)
{
	const api_subject *s = o->subject;
	api_any object, copy;

	api_ok(make(o, api_device, &object));
	copy = object;
	api_ok(s->reset(api_device, object));
	api_ok(s->destroy(api_device, &object));
	assert_null(object.all.words);
	api_fails(s->destroy(api_device, &object), WEIR_NOT_FOUND);
	api_fails(s->destroy(api_device, &copy), WEIR_NOT_FOUND);
	api_fails(s->reset(api_device, object), WEIR_NOT_FOUND);
	api_fails(s->reset(api_device, copy), WEIR_NOT_FOUND);
}

static void twice(void **state)
{
	(void)state;
	each(destroy_twice);
}

static weir_device *other;

static void use_elsewhere(const one *o)
{
	const api_subject *s = o->subject;
	api_any object;

	api_ok(make(o, other, &object));
	api_fails(s->reset(api_device, object), WEIR_NOT_FOUND);
	api_fails(s->destroy(api_device, &object), WEIR_NOT_FOUND);
	assert_non_null(object.all.words);
	api_ok(s->reset(other, object));
	api_ok(s->destroy(other, &object));
}

static void on_the_wrong_device(void **state)
{
	(void)state;
	api_ok(weir_device_open(api_device_name(), &other));
	each(use_elsewhere);
	api_ok(weir_device_close(other));
}

static void refuse_places(const one *o, size_t bytes, size_t alignment)
{
	void *native = o->options.object.memory;
	one bad = *o;

	bad.options.object.memory_bytes = bytes - 1;
	refused(&bad, "bytes, the memory has");
	bad.options.object.memory_bytes = 0;
	refused(&bad, "");
	bad = *o;
	for (bad.options.object.memory_offset = 1; bad.options.object.memory_offset < 4;
	     bad.options.object.memory_offset++)
		refused(&bad, " into the memory");
	bad.options.object.memory_offset = 4;
	if (alignment == 8) /* it has words of 64 bits */
		refused(&bad, " into the memory");
	if (api_info.machine == WEIR_MACHINE_OPENCL)
		return; /* a cl_mem has no address to be misaligned */
	bad = *o;
	bad.options.object.memory = (char *)native + 2;
	refused(&bad, "");
	bad.options.object.memory = (char *)native + 4;
	if (alignment == 8)
		refused(&bad, "");
}

/* Creation writes the object and nothing beside it. So does a reset, which restores exactly what creation wrote.
 * Destruction leaves the memory to the caller. */
static void place(const one *given)
{
	static unsigned char before[MOST_BYTES], after[MOST_BYTES], dirt[MOST_BYTES];
	const api_subject *s = given->subject;
	size_t bytes, alignment;
	api_any object;
	one o = *given;

	api_ok(s->size(api_device, &o.options, &bytes, &alignment));
	assert_in_range(bytes, 1, MOST_BYTES);
	assert_true(alignment == 4 || alignment == 8 || alignment == 128);
	api_place at = api_place_begin(&o.options.object, bytes);
	refuse_places(&o, bytes, alignment);
	api_ok(make(&o, api_device, &object));
	api_place_look(&at, before);
	/* The edges of a graph belong to the caller, and no reset restores them. */
	memset(dirt, 0xa5, bytes);
	if (s->primitive != WEIR_PRIMITIVE_TASKS)
		api_ok(weir_buffer_write(api_device, at.memory, API_MARGIN, dirt, bytes));
	api_ok(s->reset(api_device, object));
	api_place_look(&at, after);
	assert_memory_equal(after, before, bytes);
	api_ok(s->destroy(api_device, &object));
	api_place_end(&at);
}

static void in_memory_of_the_callers(void **state)
{
	(void)state;
	each(place);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(null_places),
	    cmocka_unit_test(bad_options),
	    cmocka_unit_test(other_versions),
	    cmocka_unit_test(bad_backoffs),
	    cmocka_unit_test(unused_members),
	    cmocka_unit_test(unknown_kinds),
	    cmocka_unit_test(twice),
	    cmocka_unit_test(on_the_wrong_device),
	    cmocka_unit_test(in_memory_of_the_callers),
	};
	return api_main(argc, argv, tests);
}
