/* Settings without a profile. */
#include "measure/setting.h"

#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

weir_backoff weir_untuned_backoff(enum weir_primitive primitive, uint32_t kind)
{
	const weir_kind *found = weir_kind_find(primitive, kind);
	weir_backoff untuned = {WEIR_BACKOFF_MIN, WEIR_BACKOFF_MAX};
	/* Waits for events and in queues poll without a pause. */
	return found && found->pause != WEIR_PAUSE_NONE && !weir_has_patterns(primitive)
	           ? untuned
	           : weir_no_backoff();
}

weir_setting weir_untuned_setting(const weir_point *wanted)
{
	const weir_kind *kind = weir_kind_find(wanted->primitive, wanted->kind);
	weir_setting setting = {.backoff = weir_untuned_backoff(wanted->primitive, wanted->kind)};

	if (kind && kind->shape != WEIR_SHAPE_NONE)
		setting.shape = (weir_known_shape){1, weir_untuned_shape(kind, wanted->blocks)};
	/* A GPU's block does no more parts than it has threads. */
	while (setting.shape.shape.bits && wanted->threads >> setting.shape.shape.bits == 0)
		setting.shape.shape.bits--;
	return setting;
}
