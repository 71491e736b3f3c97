/* Which objects a launch passes to its kernel, and whether the kernel can handle them.
 *
 * The arguments of a launch are bytes. They pass an object if they contain a pointer into its
 * memory and, anywhere, its configuration. A pointer alone is not enough: it may point to the
 * caller's memory around the object, and a kernel without the configuration cannot dispatch on its
 * kind. Only objects made by the library are known.
 *
 * A handle that was copied as a whole, or as the two arguments of OpenCL, is a pointer followed by
 * its configuration. It is refused if its object was destroyed or belongs to another device.
 *
 * A launch is refused only when the error is certain. A module that lists no kinds may contain
 * any. */
#include "core/handles.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/status.h"
#include "core/device.h"
#include "core/record.h"
#include "weir/kind.h"

#define NAME_BYTES 32
#define LIST_BYTES 256

/* Whether an argument contains these `bytes` bytes at a multiple of `step` bytes. */
static int contains(const weir_argument *argument, size_t step, const void *wanted, size_t bytes)
{
	const char *from = argument->value;

	if (!from || argument->bytes < bytes)
		return 0;
	for (size_t at = 0; at <= argument->bytes - bytes; at += step)
		if (memcmp(from + at, wanted, bytes) == 0)
			return 1;
	return 0;
}

static int passes_config(const weir_launch *launch, const weir_object_config *config)
{
	for (uint32_t i = 0; i < launch->argument_count; i++)
		if (contains(&launch->arguments[i], sizeof config->kind, config, sizeof *config))
			return 1;
	return 0;
}

/* A pointer to one mutex or event of an array points into the memory of the array. */
static int points_into(const weir_argument *argument, const weir_record *record)
{
	const char *from = argument->value;
	char *pointer;

	for (size_t at = 0; from && at + sizeof pointer <= argument->bytes; at += sizeof pointer) {
		memcpy(&pointer, from + at, sizeof pointer);
		if ((uintptr_t)pointer - (uintptr_t)record->native < record->bytes)
			return 1;
	}
	return 0;
}

static int passes(const weir_launch *launch, const weir_record *record)
{
	if (!passes_config(launch, &record->config.object))
		return 0;
	for (uint32_t i = 0; i < launch->argument_count; i++)
		if (points_into(&launch->arguments[i], record))
			return 1;
	return 0;
}

/* The kinds, as bits, of everything that may be a configuration. It saves most launches from
 * examining the kernel's module and the objects. */
static uint32_t kinds_in(const weir_launch *launch)
{
	uint32_t kinds = 0;

	for (uint32_t i = 0; i < launch->argument_count; i++) {
		const weir_argument *argument = &launch->arguments[i];
		const char *from = argument->value;
		uint32_t kind_pitch[2];

		for (size_t at = 0; from && at + sizeof(weir_object_config) <= argument->bytes;
		     at += sizeof *kind_pitch) {
			memcpy(kind_pitch, from + at, sizeof kind_pitch);
			if (kind_pitch[0] && kind_pitch[0] < 32 &&
			    (kind_pitch[1] == 1 || kind_pitch[1] == WEIR_LINE_WORDS))
				kinds |= 1u << kind_pitch[0];
		}
	}
	return kinds;
}

/* The device code's names for the kinds of a primitive. Primitives not listed have no kinds, or
 * every kernel contains all of them. */
static const struct family {
	uint32_t fault;
	const char *name;
} families[WEIR_PRIMITIVES] = {
    [WEIR_PRIMITIVE_BARRIER] = {WEIR_FAULT_BARRIER, "BARRIER"},
    [WEIR_PRIMITIVE_GROUP] = {WEIR_FAULT_BARRIER, "BARRIER"},
    [WEIR_PRIMITIVE_MUTEX] = {WEIR_FAULT_MUTEX, "MUTEX"},
    [WEIR_PRIMITIVE_MUTEX_ARRAY] = {WEIR_FAULT_MUTEX, "MUTEX"},
    [WEIR_PRIMITIVE_SEMAPHORE] = {WEIR_FAULT_SEMAPHORE, "SEMAPHORE"},
    [WEIR_PRIMITIVE_EVENT_ARRAY] = {WEIR_FAULT_EVENT, "EVENT"},
    [WEIR_PRIMITIVE_QUEUE] = {WEIR_FAULT_QUEUE, "QUEUE"},
};

static uint32_t listed(weir_device *device, weir_kernel kernel, enum weir_primitive primitive,
                       uint32_t kinds)
{
	return device->backend->listed(device->state, kernel, families[primitive].fault, kinds);
}

static uint32_t all_kinds(enum weir_primitive primitive)
{
	const weir_kind *row;
	uint32_t kinds = 0;

	for (size_t i = 0; (row = weir_kind_at(primitive, i)) != NULL; i++)
		kinds |= 1u << row->value;
	return kinds;
}

static uint32_t vendor_kinds(enum weir_primitive primitive)
{
	const weir_kind *row;
	uint32_t kinds = 0;

	for (size_t i = 0; (row = weir_kind_at(primitive, i)) != NULL; i++)
		if (row->role == WEIR_BY_VENDOR)
			kinds |= 1u << row->value;
	return kinds;
}

/* Which of the kinds the kernel certainly lacks. If there are any, `has` is set to those that it
 * contains. */
static uint32_t lacking(weir_device *device, weir_kernel kernel, enum weir_primitive primitive,
                        uint32_t kinds, uint32_t *has)
{
	kinds &= ~listed(device, kernel, primitive, kinds);
	if (!kinds)
		return 0;
	*has = listed(device, kernel, primitive, all_kinds(primitive));
	return *has ? kinds & ~*has : 0;
}

/* "spin, ticket and ring" */
static void name_kinds(enum weir_primitive primitive, uint32_t kinds, char text[LIST_BYTES])
{
	const weir_kind *row;
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; (row = weir_kind_at(primitive, i)) != NULL && length < LIST_BYTES; i++) {
		uint32_t bit = 1u << row->value;

		if (!(kinds & bit))
			continue;
		kinds &= ~bit;
		length += (size_t)snprintf(text + length, LIST_BYTES - length, "%s%s",
		                           !length ? ""
		                           : kinds ? ", "
		                                   : " and ",
		                           row->name);
	}
}

static void name_constant(const weir_kind *kind, char text[NAME_BYTES])
{
	size_t i;

	for (i = 0; kind->name[i] && i < NAME_BYTES - 1; i++)
		text[i] = (char)toupper((unsigned char)kind->name[i]);
	text[i] = '\0';
}

/* Where a launch passes an object: "argument 2". */
#define PLACE_BYTES 32

static void name_place(const weir_launch *launch, const weir_record *record, char text[PLACE_BYTES])
{
	uint32_t i = 0;

	while (i < launch->argument_count && !points_into(&launch->arguments[i], record))
		i++;
	snprintf(text, PLACE_BYTES, "argument %u", i);
}

static weir_status refuse_kind(enum weir_primitive primitive, uint32_t value, uint32_t has,
                               const char *place)
{
	const weir_kind *kind = weir_kind_find(primitive, value);
	const char *family = families[primitive].name;
	char constant[NAME_BYTES];
	char others[LIST_BYTES];

	name_kinds(primitive, has, others);
	name_constant(kind, constant);
	return weir_fail(
	    WEIR_NOT_FOUND,
	    "%s is %s of kind %s for a kernel that has %s: before weir/device.h, define "
	    "%sWEIR_%s_WITH as (1 << WEIR_%s_%s), or WEIR_%s_KIND as WEIR_%s_%s if the "
	    "kernel needs no other kind",
	    place, weir_primitive_phrase(primitive), kind->name, others,
	    kind->role == WEIR_BY_VENDOR ? "WEIR_GRID_SYNC, and " : "", family, family, constant,
	    family, family, constant);
}

/* Whether the kernel certainly has no accesses at system scope: a kernel that lists kinds of events
 * or queues also lists that scope. */
static int lacks_system_scope(weir_device *device, weir_kernel kernel)
{
	enum weir_primitive event = WEIR_PRIMITIVE_EVENT_ARRAY;
	enum weir_primitive queue = WEIR_PRIMITIVE_QUEUE;

	return (listed(device, kernel, event, all_kinds(event)) != 0 ||
	        listed(device, kernel, queue, all_kinds(queue)) != 0) &&
	       device->backend->listed(device->state, kernel, WEIR_FAULT_SCOPE,
	                               1u << WEIR_SCOPE_SYSTEM) == 0;
}

static weir_status refuse_scope(enum weir_primitive primitive, const char *place)
{
	return weir_fail(
	    WEIR_BAD_ARGUMENT,
	    "%s is %s that is host_visible for a kernel whose scope is the device: before "
	    "weir/device.h, define WEIR_SYSTEM_SCOPE",
	    place, weir_primitive_phrase(primitive));
}

static int has_threads(const weir_barrier_config *barrier, uint32_t threads)
{
	return threads >> barrier->shape.bits != 0;
}

static weir_status refuse_shape(const weir_barrier_config *barrier, uint32_t threads)
{
	return weir_fail(WEIR_BAD_ARGUMENT,
	                 "a barrier with %s for blocks of %s: a block needs a "
	                 "thread for each shard; create the barrier with the kind "
	                 "WEIR_BARRIER_CENTRAL instead",
	                 weir_counted(1u << barrier->shape.bits, "shard").text,
	                 weir_counted(threads, "thread").text);
}

/* Whether the launch lacks what the vendor's barrier needs; launch.barrier makes a launch
 * cooperative. */
static int lacks_grid_sync(const weir_checked_launch *launch, const weir_record *record)
{
	return record->primitive == WEIR_PRIMITIVE_BARRIER && !launch->cooperative &&
	       (vendor_kinds(record->primitive) >> record->config.object.kind & 1);
}

static weir_status refuse_grid_sync(uint32_t kind)
{
	return weir_fail(WEIR_BAD_ARGUMENT,
	                 "a barrier of kind %s for a launch that is not cooperative: set "
	                 "launch.barrier, or launch.cooperative",
	                 weir_barrier_kind_name(kind));
}

static weir_status check_barrier(weir_device *device, const weir_checked_launch *launch)
{
	const weir_barrier_config *barrier = &launch->asked->barrier->config;
	uint32_t has = 0;

	/* An invalid kind ends the launch with a fault of its own. */
	if (weir_kind_find(WEIR_PRIMITIVE_BARRIER, barrier->kind) &&
	    lacking(device, launch->asked->kernel, WEIR_PRIMITIVE_BARRIER, 1u << barrier->kind,
	            &has))
		return refuse_kind(WEIR_PRIMITIVE_BARRIER, barrier->kind, has, "launch.barrier");
	return has_threads(barrier, launch->threads) ? WEIR_OK
	                                             : refuse_shape(barrier, launch->threads);
}

/* What the kernel lacks: kinds of each primitive, as bits, and which it has instead. */
struct lacks {
	uint32_t kinds[WEIR_PRIMITIVES];
	uint32_t has[WEIR_PRIMITIVES];
	int system_scope;
};

static weir_status check_record(const weir_checked_launch *launch, const struct lacks *lacks,
                                const weir_record *record)
{
	enum weir_primitive primitive = record->primitive;
	uint32_t kind = record->config.object.kind;
	int lacks_kind = (int)(lacks->kinds[primitive] >> kind & 1);
	char place[PLACE_BYTES];

	int lacks_sync = lacks_grid_sync(launch, record);
	int lacks_scope =
	    lacks->system_scope && record->shared && primitive != WEIR_PRIMITIVE_BUFFER;

	if (!lacks_kind && !lacks_sync && !lacks_scope &&
	    (primitive != WEIR_PRIMITIVE_BARRIER ||
	     has_threads(&record->config.barrier, launch->threads)))
		return WEIR_OK;
	if (!passes(launch->asked, record))
		return WEIR_OK;
	name_place(launch->asked, record, place);
	if (!lacks_kind && lacks_sync)
		return refuse_grid_sync(kind);
	if (!lacks_kind && lacks_scope)
		return refuse_scope(primitive, place);
	return lacks_kind ? refuse_kind(primitive, kind, lacks->has[primitive], place)
	                  : refuse_shape(&record->config.barrier, launch->threads);
}

static weir_status check_records(weir_device *device, const weir_checked_launch *launch,
                                 const struct lacks *lacks)
{
	weir_status status = WEIR_OK;

	pthread_mutex_lock(&device->lock);
	for (const weir_record *record = device->records; record && status == WEIR_OK;
	     record = record->next)
		status = check_record(launch, lacks, record);
	pthread_mutex_unlock(&device->lock);
	return status;
}

static weir_status check_arguments(weir_device *device, const weir_checked_launch *launch)
{
	uint32_t kinds = kinds_in(launch->asked);
	int is_unfit = launch->threads >> WEIR_SHAPE_BITS_MOST == 0;
	uint32_t made[WEIR_PRIMITIVES];
	struct lacks lacks = {0};
	int shares;

	if (!kinds)
		return WEIR_OK;
	pthread_mutex_lock(&device->lock);
	memcpy(made, device->made, sizeof made);
	shares = device->shares;
	pthread_mutex_unlock(&device->lock);
	is_unfit |= !launch->cooperative && (made[WEIR_PRIMITIVE_BARRIER] & kinds &
	                                     vendor_kinds(WEIR_PRIMITIVE_BARRIER)) != 0;
	for (int i = 0; i < WEIR_PRIMITIVES; i++) {
		if (families[i].name && (made[i] & kinds))
			lacks.kinds[i] =
			    lacking(device, launch->asked->kernel, (enum weir_primitive)i,
			            made[i] & kinds, &lacks.has[i]);
		is_unfit |= lacks.kinds[i] != 0;
	}
	lacks.system_scope = shares && lacks_system_scope(device, launch->asked->kernel);
	is_unfit |= lacks.system_scope;
	return is_unfit ? check_records(device, launch, &lacks) : WEIR_OK;
}

/* A handle in the bytes of a launch. */
struct copy {
	const void *words;
	weir_object_config config;
};

/* What the registry knows about a handle. */
enum known {
	STRANGE, /* nothing: a program may have made it, or it is not a handle */
	LIVE,
	DEAD
};

static int is_same(const struct copy *copy, const void *native, size_t offset,
                   const weir_object_config *config)
{
	return copy->words == native && copy->config.offset * sizeof(weir_word) == offset &&
	       memcmp(&copy->config, config, sizeof *config) == 0;
}

static enum known known_on(weir_device *device, const struct copy *copy,
                           enum weir_primitive *primitive)
{
	enum known found = STRANGE;

	pthread_mutex_lock(&device->lock);
	for (size_t i = 0; i < WEIR_GRAVES; i++)
		if (is_same(copy, device->graves[i].native, device->graves[i].offset,
		            &device->graves[i].config)) {
			*primitive = device->graves[i].primitive;
			found = DEAD;
		}
	for (const weir_record *record = device->records; record; record = record->next)
		if (record->primitive != WEIR_PRIMITIVE_BUFFER &&
		    is_same(copy, record->native, record->offset, &record->config.object)) {
			*primitive = record->primitive;
			found = LIVE;
			break;
		}
	pthread_mutex_unlock(&device->lock);
	return found;
}

struct elsewhere {
	const weir_device *here;
	const struct copy *copy;
	enum weir_primitive primitive;
	char name[sizeof((weir_device_info *)0)->name];
};

static int is_elsewhere(weir_device *device, void *context)
{
	struct elsewhere *e = context;

	if (device == e->here || known_on(device, e->copy, &e->primitive) != LIVE)
		return 0;
	snprintf(e->name, sizeof e->name, "%s", device->info.name);
	return 1;
}

static weir_status check_copy(weir_device *device, const struct copy *copy, const char *place)
{
	struct elsewhere e = {.here = device, .copy = copy};
	enum weir_primitive primitive;

	switch (known_on(device, copy, &primitive)) {
	case LIVE:
		return WEIR_OK;
	case DEAD:
		return weir_fail(WEIR_NOT_FOUND, "%s is %s that was destroyed before", place,
		                 weir_primitive_phrase(primitive));
	default:
		break;
	}
	if (!weir_devices_look(is_elsewhere, &e))
		return WEIR_OK;
	return weir_fail(
	    WEIR_NOT_FOUND,
	    "%s is %s of another device: it was created on %s%s, and the launch is on %s", place,
	    weir_primitive_phrase(e.primitive),
	    strcmp(e.name, device->info.name) == 0 ? "another " : "", e.name, device->info.name);
}

static int may_be_config(const weir_object_config *config)
{
	return config->kind < WEIR_KINDS_MOST &&
	       (config->pitch == 1 || config->pitch == WEIR_LINE_WORDS);
}

/* A handle that begins `at` bytes into an argument; returns 0 if there is none. */
static int copy_at(const weir_launch *launch, uint32_t number, size_t at, struct copy *copy)
{
	const weir_argument *argument = &launch->arguments[number];
	const weir_argument *next = argument + 1;
	size_t behind = at + sizeof copy->words;

	memcpy(&copy->words, (const char *)argument->value + at, sizeof copy->words);
	if (behind + sizeof copy->config <= argument->bytes)
		memcpy(&copy->config, (const char *)argument->value + behind, sizeof copy->config);
	else if (at == 0 && behind == argument->bytes && number + 1 < launch->argument_count &&
	         next->value && next->bytes >= sizeof copy->config)
		memcpy(&copy->config, next->value, sizeof copy->config);
	else
		return 0;
	return copy->words != NULL && may_be_config(&copy->config);
}

static weir_status check_copies(weir_device *device, const weir_launch *launch)
{
	char place[PLACE_BYTES] = "launch.barrier";
	struct copy copy;

	if (launch->barrier) {
		copy.words = launch->barrier->words;
		memcpy(&copy.config, &launch->barrier->config, sizeof copy.config);
		weir_status status = check_copy(device, &copy, place);
		if (status != WEIR_OK)
			return status;
	}
	for (uint32_t i = 0; i < launch->argument_count; i++) {
		const weir_argument *argument = &launch->arguments[i];

		for (size_t at = 0; argument->value && at + sizeof copy.words <= argument->bytes;
		     at += sizeof copy.words) {
			if (!copy_at(launch, i, at, &copy))
				continue;
			snprintf(place, sizeof place, "argument %u", i);
			weir_status status = check_copy(device, &copy, place);
			if (status != WEIR_OK)
				return status;
		}
	}
	return WEIR_OK;
}

weir_status weir_handles_check(weir_device *device, const weir_checked_launch *launch)
{
	weir_status status = check_copies(device, launch->asked);

	if (status != WEIR_OK || !device->backend->listed)
		return status; /* blocks of any size can meet there */
	if (launch->asked->barrier)
		status = check_barrier(device, launch);
	return status == WEIR_OK ? check_arguments(device, launch) : status;
}
