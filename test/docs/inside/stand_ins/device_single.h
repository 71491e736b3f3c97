/* In place of the file that the build makes of it. */
#include "weir/device.h"
