/* The backoff and the shape that a benchmark makes an object with. */
#ifndef WEIR_COMMAND_MEASURE_SETTING_H
#define WEIR_COMMAND_MEASURE_SETTING_H

#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct weir_setting {
	weir_backoff backoff; /* both 0: the library's own */
	weir_known_shape shape;
} weir_setting;

/* The setting of every kind without a profile, whatever the user's profile says: points and searches
 * compare with it. {0, 0} for a kind that does not back off. */
weir_backoff weir_untuned_backoff(enum weir_primitive primitive, uint32_t kind);
weir_setting weir_untuned_setting(const weir_point *wanted);

#endif
