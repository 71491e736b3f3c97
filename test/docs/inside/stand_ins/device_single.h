/* Stands in for the file that the build generates. */
#include "weir/device.h"
