/* The crew of a mistake of weir doctor: this process is rank 0, and a second rank only joins. */
#ifndef WEIR_COMMAND_DOCTOR_CREW_H
#define WEIR_COMMAND_DOCTOR_CREW_H

#include "weir/ranks.h"

typedef struct doctor_crew {
	weir_device *host;     /* that joins, where it is not the device itself; else NULL */
	weir_crew_link *first; /* of rank 0 */
	weir_crew_link *other; /* of rank 1; NULL: there is none */
	weir_crew handle;
} doctor_crew;

/* Joins a diagnosed crew of one or two ranks, in the memory of the device. */
weir_status doctor_crew_join(weir_device *device, uint32_t ranks, const weir_crew_options *options,
                             doctor_crew *crew);
/* Leaves it, or what there is of it. */
weir_status doctor_crew_leave(doctor_crew *crew);

#endif
