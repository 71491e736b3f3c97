/* Shapes of counter barriers. */
#ifndef WEIR_PROFILE_SHAPE_H
#define WEIR_PROFILE_SHAPE_H

#include "weir/kind.h"
#include "weir/weir.h"

/* NULL, or what is wrong with the shape. */
const char *weir_shape_fault(weir_shape shape);

#endif
