/* Starts the ranks of a crew as processes of this host, and waits for them. */
#ifndef WEIR_COMMAND_CREW_LAUNCH_H
#define WEIR_COMMAND_CREW_LAUNCH_H

#include "trial.h"

/* How a rank has ended. */
typedef struct crew_ended {
	int has_started;
	int has_ended;
	int signal; /* that ended it, or 0 */
	int status; /* else what it returned */
	int has_result;
	crew_result result;
} crew_ended;

/* With `program`, starts that; else the trials. `ended` has a place for each rank. Returns an exit
 * status. When one rank has failed, the others have `seconds` more, twice over. */
int crew_launch(const crew_request *request, char **program, crew_ended *ended);

#endif
