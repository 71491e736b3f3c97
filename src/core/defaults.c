/* The default kinds of a device, their backoffs and shapes, from the rules of its profile. */
#include "core/defaults.h"

#include <stdio.h>

#include "base/status.h"
#include "core/device.h"
#include "profile/shape.h"
#include "weir/profile.h"

weir_status weir_defaults_load(weir_device *device)
{
	char before[sizeof device->defaults_from];
	/* Ignoring a user's profile does not fail the call, and leaves no error. */
	snprintf(before, sizeof before, "%s", weir_error_text());
	weir_status status = weir_profile_for(&device->info, &device->profile,
	                                      device->defaults_from, sizeof device->defaults_from);
	if (status == WEIR_OK)
		weir_explain("%s", before);
	return status;
}

void weir_defaults_drop(weir_device *device)
{
	weir_profile_destroy(device->profile);
	device->profile = NULL;
}

const char *weir_device_defaults_from(weir_device *device)
{
	return weir_device_check(device) == WEIR_OK ? device->defaults_from : "";
}

int weir_kind_runs(const weir_device *device, const weir_kind *kind)
{
	if (kind->role == WEIR_BY_VENDOR)
		return device->info.machine == WEIR_MACHINE_CUDA ||
		       device->info.machine == WEIR_MACHINE_PTX;
	return kind->width != WEIR_WORDS_OF_64 || weir_device_has_word64(device);
}

/* Mutexes have no count on which a rule could depend. */
static const weir_rule *rule_for(const weir_device *device, enum weir_primitive primitive,
                                 uint32_t count)
{
	int has_count =
	    primitive == WEIR_PRIMITIVE_BARRIER || primitive == WEIR_PRIMITIVE_SEMAPHORE;
	return weir_profile_rule(device->profile, primitive, has_count ? count : WEIR_ANY_COUNT);
}

/* A profile may be of another device, with kinds that need what this device lacks. A kernel for a
 * GPU lacks the kinds that its author did not name. */
static uint32_t fit_device(const weir_device *device, enum weir_primitive primitive, uint32_t kind)
{
	if (device->info.is_gpu || device->info.machine == WEIR_MACHINE_PTX)
		kind = weir_text_kind(primitive, kind);
	return primitive == WEIR_PRIMITIVE_SEMAPHORE &&
	               !weir_kind_runs(device, weir_kind_find(primitive, kind))
	           ? WEIR_SEMAPHORE_SLEEPING
	           : kind;
}

/* A mutex with its own queue cannot be in an array; the ticket is just as fair. */
static uint32_t fit_array(enum weir_primitive primitive, uint32_t kind)
{
	return primitive == WEIR_PRIMITIVE_MUTEX_ARRAY &&
	               weir_kind_find(primitive, kind)->queue != WEIR_QUEUE_NONE
	           ? WEIR_MUTEX_TICKET
	           : kind;
}

uint32_t weir_default_kind(const weir_device *device, enum weir_primitive primitive, uint32_t count)
{
	if (primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		return WEIR_EVENT_WORD; /* on every device; creation knows the users */
	uint32_t kind = fit_device(device, primitive, rule_for(device, primitive, count)->kind);
	return fit_array(primitive, kind);
}

uint32_t weir_default_fair_kind(const weir_device *device, enum weir_primitive primitive)
{
	uint32_t usual = rule_for(device, primitive, WEIR_ANY_COUNT)->kind;
	uint32_t found = weir_profile_fair_kind(device->profile);
	if (!found)
		found =
		    weir_kind_find(primitive, usual)->fair == WEIR_FAIR ? usual : WEIR_MUTEX_TICKET;
	return fit_array(primitive, found);
}

/* The backoff that tuning found for a kind at the largest number of blocks, if it gained
 * anything. */
static weir_backoff tuned_backoff(const weir_profile *profile, enum weir_primitive primitive,
                                  uint32_t kind)
{
	const weir_tuning *most = NULL;
	for (size_t i = 0; i < profile->tuning_count; i++) {
		const weir_tuning *tuning = &profile->tunings[i];
		if (tuning->primitive == primitive && tuning->kind == kind &&
		    (!most || tuning->blocks > most->blocks))
			most = tuning;
	}
	return most && weir_tuning_gained(most) ? most->backoff : weir_no_backoff();
}

weir_backoff weir_untuned_backoff(const weir_kind *kind)
{
	const weir_backoff usual = {WEIR_BACKOFF_MIN, WEIR_BACKOFF_MAX};

	return kind->pause == WEIR_PAUSE_BACKOFF || kind->pause == WEIR_PAUSE_BY_PLACE
	           ? usual
	           : weir_no_backoff();
}

weir_backoff weir_default_backoff(const weir_device *device, enum weir_primitive primitive,
                                  uint32_t count, const weir_kind *kind)
{
	weir_backoff backoff = weir_no_backoff();
	const weir_rule *rule;
	if (kind->pause == WEIR_PAUSE_NONE)
		return backoff;
	rule = rule_for(device, primitive, count); /* NULL for events */
	if (rule && rule->kind == kind->value)
		backoff = rule->backoff;
	if (backoff.max == 0)
		backoff = tuned_backoff(
		    device->profile,
		    primitive == WEIR_PRIMITIVE_MUTEX_ARRAY ? WEIR_PRIMITIVE_MUTEX : primitive,
		    kind->value);
	return backoff.max ? backoff : weir_untuned_backoff(kind);
}

/* The shape found for a kind at this number of blocks, or at the next larger one, if it gained
 * anything. */
static weir_known_shape tuned_shape(const weir_device *device, uint32_t blocks,
                                    const weir_kind *kind)
{
	const weir_tuning *found = NULL;

	for (size_t i = 0; i < device->profile->tuning_count; i++) {
		const weir_tuning *tuning = &device->profile->tunings[i];
		if (tuning->primitive == WEIR_PRIMITIVE_BARRIER && tuning->kind == kind->value &&
		    tuning->shape.known && tuning->blocks >= blocks &&
		    (!found || tuning->blocks < found->blocks))
			found = tuning;
	}
	return found && weir_tuning_gained(found) ? found->shape : (weir_known_shape){0};
}

weir_shape weir_default_shape(const weir_device *device, uint32_t blocks, const weir_kind *kind)
{
	const weir_rule *rule = rule_for(device, WEIR_PRIMITIVE_BARRIER, blocks);
	weir_known_shape known =
	    rule->kind == kind->value ? rule->shape : tuned_shape(device, blocks, kind);

	return known.known ? weir_shape_fit(known.shape, blocks) : weir_untuned_shape(kind, blocks);
}

static weir_status any_default(weir_device *device, enum weir_primitive primitive,
                               const void *place, uint32_t *kind)
{
	weir_status status = weir_device_check(device);
	if (status == WEIR_OK && !place)
		status = weir_fail(WEIR_BAD_ARGUMENT, "no place for the default kind");
	if (status == WEIR_OK)
		*kind = weir_default_kind(device, primitive, WEIR_ANY_COUNT);
	return status;
}

#define DEFAULT(type, PRIMITIVE)                                                                   \
	weir_status weir_##type##_default_kind(weir_device *device, weir_##type##_kind *kind)      \
	{                                                                                          \
		uint32_t found;                                                                    \
		weir_status status =                                                               \
		    any_default(device, WEIR_PRIMITIVE_##PRIMITIVE, kind, &found);                 \
                                                                                                   \
		if (status == WEIR_OK)                                                             \
			*kind = (weir_##type##_kind)found;                                         \
		return status;                                                                     \
	}

DEFAULT(barrier, BARRIER)
DEFAULT(mutex, MUTEX)
DEFAULT(semaphore, SEMAPHORE)
