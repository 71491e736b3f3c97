/* What follows all primitives in a unit with kernels: device.h includes this file, and so does a header
 * that `weir header` writes. */
#ifndef WEIR_LAST_H
#define WEIR_LAST_H

#include "weir/machine.h"

#ifdef WEIR_DIAGNOSE
#include "weir/diagnose.h"
#endif

#ifdef WEIR_KERNELS_FIT_
WEIR_KERNELS_FIT_
#endif

#endif
