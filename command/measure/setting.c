/* Settings without a profile. */
#include "measure/setting.h"

#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

weir_setting weir_untuned_setting(const weir_point *wanted)
{
	const weir_kind *kind = weir_kind_find(wanted->primitive, wanted->kind);
	weir_setting setting = {.backoff = kind ? weir_untuned_backoff(kind) : weir_no_backoff()};

	if (kind && kind->shape != WEIR_SHAPE_NONE)
		setting.shape = (weir_known_shape){1, weir_untuned_shape(kind, wanted->blocks)};
	/* A GPU's block does no more parts than it has threads. */
	while (setting.shape.shape.bits && wanted->threads >> setting.shape.shape.bits == 0)
		setting.shape.shape.bits--;
	return setting;
}
