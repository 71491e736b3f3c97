/* Events for a team of threads, while the other warps of the block go on: a warp that loads may wait
 * for a tile, and another one may post. */
#ifndef WEIR_EVENT_TEAM_H
#define WEIR_EVENT_TEAM_H

#include "weir/event/api.h"

#if WEIR_HAS_TEAMS

/** weir_event_post for a team. All threads of the team call it, and thread 0 of the team posts
 * when all of them have. */
WEIR_FN void weir_event_team_post(weir_event e, uint32_t n, weir_team team WEIR_SITE_)
{
	weir_team_sync(team); /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		weir_event_post(e, n WEIR_AT_);
}

/** weir_event_team_post after the bulk copies that any thread of the team has started, as
 * weir_event_post_bulk. */
WEIR_FN void weir_event_team_post_bulk(weir_event e, uint32_t n, weir_team team WEIR_SITE_)
{
	weir_bulk_wait();
	weir_event_team_post(e, n, team WEIR_AT_);
}

/** weir_event_wait for a team. All threads of the team call it. */
WEIR_FN void weir_event_team_wait(weir_event e, uint32_t target, weir_team team WEIR_SITE_)
{
	if (weir_is_first(weir_team_rank(team)))
		weir_event_await_first_(e, target, weir_team_rank(team), team.threads WEIR_AT_);
	weir_team_sync(team); /* extends the acquires to the team */
}

/** weir_event_array_wait_all for a team. All threads of the team call it, and divide the range. */
WEIR_FN void weir_event_array_team_wait_all(weir_event_array a, uint32_t first, uint32_t count,
                                            uint32_t target, weir_team team WEIR_SITE_)
{
	for (uint32_t i = weir_team_rank(team); i < count; i += team.threads)
		weir_event_wait(weir_event_at(a, first + i WEIR_AT_), target WEIR_AT_);
	weir_team_sync(team); /* extends each thread's acquires to all */
}

#if WEIR_HAS_BLOCK_VALUE

/** weir_event_signal for a team. All threads of the team call it, and all of them get the count
 * before. Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN uint32_t weir_event_team_signal(weir_event e, uint32_t n, weir_team team WEIR_SITE_)
{
	uint32_t before = 0;

	weir_team_sync(team); /* the team's writes precede the leader's release */
	if (weir_team_rank(team) == 0)
		before = weir_event_signal(e, n WEIR_AT_);
	return weir_team_value(team, before); /* its sync extends the leader's acquire */
}

/** weir_event_array_wait_any for a team. All threads of the team call it with the same range, and
 * all of them get the same index. Where WEIR_HAS_BLOCK_VALUE. */
WEIR_FN uint32_t weir_event_array_team_wait_any(weir_event_array a, uint32_t first, uint32_t count,
                                                uint32_t target, weir_team team WEIR_SITE_)
{
	uint32_t found = 0;

	weir_team_sync(team); /* all have read the value before */
	if (weir_team_rank(team) == 0)
		found = weir_event_array_wait_any(a, first, count, target WEIR_AT_);
	return weir_team_value(team, found); /* its sync extends the leader's acquire */
}

#endif

#endif

#endif
