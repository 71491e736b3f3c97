/* In place of the file that `weir header` writes. */
#include "weir/device.h"
