/* The shares of a crew in the memory of a device. The host's shares carry the handles. */
#ifndef WEIR_CREW_DEVICE_H
#define WEIR_CREW_DEVICE_H

#include "crew/link.h"

/* Frees the memory once no other rank has it open. WEIR_TIMED_OUT if another rank still has: then
 * it stays allocated until the process ends. */
weir_status weir_crew_device_leave(weir_crew_link *link);

#endif
