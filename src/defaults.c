/* The default kinds of a device and their backoffs: the rules of its profile. */
#include "profile.h"

#include <stdio.h>

weir_status weir_defaults_load(weir_device *device)
{
	char before[sizeof device->defaults_from];
	/* A user's profile that is passed over is no failure of the call, and leaves no error. */
	snprintf(before, sizeof before, "%s", weir_error_text());
	weir_status status = weir_profile_for(&device->info, &device->profile,
	                                      device->defaults_from, sizeof device->defaults_from);
	if (status == WEIR_OK)
		weir_explain("%s", before);
	return status;
}

void weir_defaults_drop(weir_device *device)
{
	weir_profile_free(device->profile);
	device->profile = NULL;
}

const char *weir_device_defaults_from(weir_device *device)
{
	return weir_device_check(device) == WEIR_OK ? device->defaults_from : "";
}

/* Mutexes have no count that a rule could go by. */
static const weir_rule *rule_for(const weir_device *device, enum weir_primitive primitive,
                                 uint32_t count)
{
	int has_count =
	    primitive == WEIR_PRIMITIVE_BARRIER || primitive == WEIR_PRIMITIVE_SEMAPHORE;
	return weir_profile_rule(device->profile, primitive, has_count ? count : WEIR_ANY_COUNT);
}

uint32_t weir_default_kind(const weir_device *device, enum weir_primitive primitive, uint32_t count)
{
	const weir_rule *rule = rule_for(device, primitive, count);
	/* A mutex with a queue of its own cannot stand in an array; the ticket is as fair. */
	if (primitive == WEIR_PRIMITIVE_MUTEX_ARRAY && weir_kind_find(primitive, rule->kind)->slots)
		return WEIR_MUTEX_TICKET;
	return rule->kind;
}

/* What tuning found for a kind at the most blocks, if it gained anything. */
static weir_backoff tuned_backoff(const weir_profile *profile, enum weir_primitive primitive,
                                  uint32_t kind)
{
	const weir_tuning *best = NULL;
	for (size_t i = 0; i < profile->tuning_count; i++) {
		const weir_tuning *tuning = &profile->tunings[i];
		if (tuning->primitive == primitive && tuning->kind == kind &&
		    tuning->tuned_per_second > tuning->untuned_per_second &&
		    tuning->backoff.max <= WEIR_RULE_PAUSE_MOST &&
		    (!best || tuning->blocks > best->blocks))
			best = tuning;
	}
	return best ? best->backoff : weir_no_backoff();
}

weir_backoff weir_default_backoff(const weir_device *device, enum weir_primitive primitive,
                                  uint32_t count, const weir_kind *kind)
{
	weir_backoff backoff = weir_no_backoff();
	const weir_rule *rule = rule_for(device, primitive, count);
	if (!kind->backs_off)
		return backoff;
	if (rule->kind == kind->value)
		backoff = rule->backoff;
	if (backoff.max == 0)
		backoff = tuned_backoff(
		    device->profile,
		    primitive == WEIR_PRIMITIVE_MUTEX_ARRAY ? WEIR_PRIMITIVE_MUTEX : primitive,
		    kind->value);
	if (backoff.max == 0) {
		backoff.min = WEIR_BACKOFF_MIN;
		backoff.max = WEIR_BACKOFF_MAX;
	}
	return backoff;
}
