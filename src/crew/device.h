/* The shares of a crew in the memory of a device, where the host's shares carry the handles. */
#ifndef WEIR_CREW_DEVICE_H
#define WEIR_CREW_DEVICE_H

#include "crew/link.h"

/* Gives the memory back, when no other rank has it open. WEIR_TIMED_OUT when one still has: then
 * it stays until the process ends. */
weir_status weir_crew_device_leave(weir_crew_link *link);

#endif
