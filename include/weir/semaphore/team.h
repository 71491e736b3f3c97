/* A semaphore for a team of threads, while the other warps of the block go on. */
#ifndef WEIR_SEMAPHORE_TEAM_H
#define WEIR_SEMAPHORE_TEAM_H

#include "weir/semaphore/api.h"

#if WEIR_HAS_TEAMS

/** Takes a slot for a team. All threads of the team call it; when it returns, the team has a slot.
 * Other warps of the block go on. Requires WEIR_HAS_TEAMS. */
WEIR_FN void weir_semaphore_team_wait(weir_semaphore s, weir_team team WEIR_SITE_)
{
	WEIR_NOTED_(s.config.id = 0); /* the notes of a block are not those of its teams */
	if (weir_team_rank(team) == 0)
		weir_semaphore_wait(s WEIR_AT_);
	weir_team_sync(team); /* extends the leader's acquire to its team */
}

/** Gives a team's slot back. All threads of the team call it; thread 0 of the team posts once all
 * of them have called. */
WEIR_FN void weir_semaphore_team_post(weir_semaphore s, weir_team team WEIR_SITE_)
{
	WEIR_NOTED_(s.config.id = 0); /* the notes of a block are not those of its teams */
	weir_team_sync(team);         /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		weir_semaphore_post(s WEIR_AT_);
}

#endif

#endif
