/* A mutex for a team of threads, while the other warps of the block go on. Several teams of a block
 * may lock the same mutex. A kind with a queue then needs a slot for each team. Only one team of a
 * block at a time may use a `cohort` mutex. */
#ifndef WEIR_MUTEX_TEAM_H
#define WEIR_MUTEX_TEAM_H

#include "weir/mutex/api.h"

#if WEIR_HAS_TEAMS

/** Locks for a team. All threads of the team call it; when it returns, the team holds the mutex.
 * Other warps of the block go on. Requires WEIR_HAS_TEAMS. */
WEIR_FN void weir_mutex_team_lock(weir_mutex m, weir_team team WEIR_SITE_)
{
	WEIR_NOTED_(m.config.id = 0); /* the notes of a block are not those of its teams */
	if (weir_team_rank(team) == 0)
		weir_mutex_lock(m WEIR_AT_);
	weir_team_sync(team); /* extends the leader's acquire to its team */
}

/** Unlocks for a team. All threads of the team call it; thread 0 of the team unlocks once all of
 * them have called. */
WEIR_FN void weir_mutex_team_unlock(weir_mutex m, weir_team team WEIR_SITE_)
{
	WEIR_NOTED_(m.config.id = 0); /* the notes of a block are not those of its teams */
	weir_team_sync(team);         /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		weir_mutex_unlock(m WEIR_AT_);
}

#endif

#endif
