/* Stands in for the file that `weir header` writes. */
#include "weir/device.h"
