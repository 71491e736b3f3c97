/* The real kernels for the host machine, where the handle carries the kind. */
#include "kernels/real/all.h"

#include "forms/host_entries.h"

const weir_host_build weir_host_default = ENTRIES;
