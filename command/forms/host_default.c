/* The real kernels for the host machine, with the kind that comes with the handle. */
#include "kernels/real/all.h"

#include "forms/host_entries.h"

const weir_host_build weir_host_default = ENTRIES;
