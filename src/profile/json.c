/* The parts of a profile as separate JSON texts. */
#include "profile/fields.h"

/* Takes the reference; NULL gives NULL. */
static char *text_of(json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT | WEIR_PROFILE_DIGITS) : NULL;

	json_decref(object);
	return text;
}

char *weir_device_json(const weir_device_info *device)
{
	return text_of(weir_fields_write(weir_device_fields, device));
}

char *weir_probe_json(const weir_probe *probe)
{
	return text_of(weir_probe_write(probe));
}

char *weir_point_json(const weir_point *point)
{
	return text_of(weir_fields_write(weir_point_fields, point));
}

char *weir_tuning_json(const weir_tuning *tuning)
{
	return text_of(weir_fields_write(weir_tuning_fields, tuning));
}
