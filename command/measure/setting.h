/* The backoff and the shape that a benchmark makes an object with. */
#ifndef WEIR_COMMAND_MEASURE_SETTING_H
#define WEIR_COMMAND_MEASURE_SETTING_H

#include <stdint.h>

#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

typedef struct weir_setting {
	weir_backoff backoff; /* as it is: both 0 is no pause */
	weir_known_shape shape;
} weir_setting;

/* The setting of every kind without a profile, whatever the user's profile says: points and searches
 * compare with it. */
weir_setting weir_untuned_setting(const weir_point *wanted);

#endif
