/* What every primitive promises: which input it refuses, where it lies in memory of the caller's, what a reset restores,
 * and that nothing is used after its end or on another device. Each kind that the device has. */
#include "api.h"

#include "subjects.h"
#include "weir/rows.h"

#define NO_KIND 99
#define MOST_BYTES (1u << 16)

/* One kind of one primitive, with options that it takes. */
typedef struct one {
	const api_subject *subject;
	uint32_t kind;
	weir_options options;
} one;

static weir_options options_for(enum weir_primitive primitive, const weir_kind *kind)
{
	weir_options options = {.slots = primitive == WEIR_PRIMITIVE_MUTEX ? 4 : 0};

	if (primitive == WEIR_PRIMITIVE_QUEUE && kind->value == WEIR_QUEUE_SINGLE)
		options.single = WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS;
	if (primitive == WEIR_PRIMITIVE_EVENT_ARRAY && kind->parts != WEIR_PARTS_NONE)
		options.shape.bits = 1;
	return options;
}

static weir_status make(const one *o, weir_device *device, api_any *object)
{
	return o->subject->create(device, o->kind, &o->options, object);
}

/* Calls a test for each of them, compact and not. Returns how many there were. */
static int each(void (*test)(const one *))
{
	int count = 0;

	for (size_t i = 0; i < API_SUBJECTS; i++) {
		const api_subject *subject = &api_subjects[i];
		const weir_kind *kind = weir_kind_at(subject->primitive, 0);

		for (size_t k = 0; kind || k == 0; kind = weir_kind_at(subject->primitive, ++k)) {
			one o = {subject, kind ? kind->value : 0, {.slots = 0}};
			size_t bytes, alignment;

			if (kind)
				o.options = options_for(subject->primitive, kind);
			/* Some have no arrays, and some devices lack what a kind needs. */
			if (subject->size(api_device, o.kind, &o.options, &bytes, &alignment) ==
			    WEIR_UNSUPPORTED)
				continue;
			for (int compact = 0; compact < 2; compact++, count++) {
				o.options.compact = compact;
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
	api_fails(s->size(api_device, o->kind, &o->options, NULL, &alignment), WEIR_BAD_ARGUMENT);
	api_fails(s->size(api_device, o->kind, &o->options, &bytes, NULL), WEIR_BAD_ARGUMENT);
}

static void null_places(void **state)
{
	(void)state;
	assert_true(each(refuse_nothing) >= API_SUBJECTS);
}

/* Options that only some primitives know, and the primitives that refuse them. */
#define OF(NAME) (1u << WEIR_PRIMITIVE_##NAME)

static const struct bad_option {
	weir_options options;
	uint32_t refuse;
	const char *said;
} bad[] = {
    {{.backoff = {3, 2}}, UINT32_MAX, "a backoff from 3 up to 2 units"},
    {{.fair = 1}, ~(OF(MUTEX) | OF(MUTEX_ARRAY)), "fair"},
    {{.host_visible = 1}, ~(OF(EVENT_ARRAY) | OF(QUEUE)), "host_visible"},
    {{.part_of_grid = 1},
     OF(MUTEX) | OF(MUTEX_ARRAY) | OF(SEMAPHORE) | OF(GROUP) | OF(EVENT_ARRAY) | OF(QUEUE),
     "part_of_grid"},
};

static void refuse_options(const one *o)
{
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		one with = {o->subject, o->kind, bad[i].options};

		with.options.single = o->options.single;
		if (!(bad[i].refuse >> o->subject->primitive & 1))
			continue;
		refused(&with, bad[i].said);
		/* The text about a group names its barrier. */
		if ((bad[i].options.fair || bad[i].options.host_visible) &&
		    o->subject->primitive != WEIR_PRIMITIVE_GROUP)
			api_said(o->subject->phrase);
	}
}

static void bad_options(void **state)
{
	(void)state;
	each(refuse_options);
}

static void unknown_kinds(void **state)
{
	size_t bytes, alignment;

	(void)state;
	for (size_t i = 0; i < API_SUBJECTS; i++) {
		one o = {&api_subjects[i], NO_KIND, {.slots = 0}};

		if (!weir_kind_at(o.subject->primitive, 0))
			continue;
		refused(&o, "");
		o.kind = UINT32_MAX;
		refused(&o, "");
		api_fails(o.subject->size(api_device, NO_KIND, NULL, &bytes, &alignment),
		          WEIR_BAD_ARGUMENT);
	}
}

/* Destroys twice through the handle and once through a copy of it; resets what is gone. */
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
	void *native = o->options.memory;
	one bad = *o;

	bad.options.memory_bytes = bytes - 1;
	refused(&bad, "bytes, the memory has");
	bad.options.memory_bytes = 0;
	refused(&bad, "");
	bad = *o;
	for (bad.options.memory_offset = 1; bad.options.memory_offset < 4;
	     bad.options.memory_offset++)
		refused(&bad, " into the memory");
	bad.options.memory_offset = 4;
	if (alignment == 8) /* it has words of 64 bits */
		refused(&bad, " into the memory");
	if (api_info.machine == WEIR_MACHINE_OPENCL)
		return; /* a cl_mem has no address to be misaligned */
	bad = *o;
	bad.options.memory = (char *)native + 2;
	refused(&bad, "");
	bad.options.memory = (char *)native + 4;
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

	api_ok(s->size(api_device, o.kind, &o.options, &bytes, &alignment));
	assert_in_range(bytes, 1, MOST_BYTES);
	assert_true(alignment == 4 || alignment == 8 || alignment == 128);
	api_place at = api_place_begin(&o.options, bytes);
	refuse_places(&o, bytes, alignment);
	api_ok(make(&o, api_device, &object));
	api_place_look(&at, before);
	/* The edges of a graph are the caller's, and no reset brings them back. */
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
	    cmocka_unit_test(null_places),         cmocka_unit_test(bad_options),
	    cmocka_unit_test(unknown_kinds),       cmocka_unit_test(twice),
	    cmocka_unit_test(on_the_wrong_device), cmocka_unit_test(in_memory_of_the_callers),
	};
	return api_main(argc, argv, tests);
}
