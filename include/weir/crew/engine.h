/* Ranks that a crew reaches only by puts, such as those on another host: what an engine has to do.
 *
 * An engine is a library that puts words into the memory of another rank. A kernel that has one includes
 * its header before weir/device.h: weir/crew/nvshmem.h, weir/crew/nccl.h, or one of its own. Crews then
 * signal each rank by loads and stores that they reach so, and all others by the engine. Without such a
 * header, none of this is compiled. If a rank reaches another by loads and stores, that one reaches it too.
 *
 * The header of an engine defines WEIR_CREW_ENGINE, the type that the member `engine` of a weir_crew
 * points to, and these operations. `w` is a word of the caller's own share. It stands for the word at the
 * same place in the share of `rank`.
 *
 *   void     weir_engine_complete(c)          the first threads call it together. All that happens before
 *                                             it, puts and stores of any block of this rank, is in place at
 *                                             every rank before anything that they put after.
 *   void     weir_engine_signal(c, w, rank, value)   brings the word from value - 1 to value. No other rank
 *                                             writes it. One thread calls it, and each of the next two.
 *   void     weir_engine_put(c, w, rank, value)      puts the value, after nothing and before nothing.
 *   void     weir_engine_post(c, w, rank, n)  adds n to the word, as one step among all posts. All that the
 *                                             thread has put or stored before is in place first.
 *   uint32_t weir_engine_poll(c, w)           the value that signals or posts have brought to the own share.
 *                                             It orders nothing.
 *   void     weir_engine_see(c, w, before, direct)   follows a poll that found the word past `before`. What
 *                                             its writer had completed is visible to the thread from here on.
 *                                             `direct`: a store of the writer brought it, not the engine.
 *
 * An engine whose signals and posts only follow what was put to the same rank has no such completion. It
 * defines WEIR_CREW_ENGINE_FLAT too. Its crews are flat: a rank hears from each other one by itself.
 *
 * What a rank has put into the share of another is then visible to that other rank. Third ranks that look
 * there by loads are promised nothing: neither NVSHMEM nor NCCL promises it.
 */
#ifndef WEIR_CREW_ENGINE_H
#define WEIR_CREW_ENGINE_H

#include "weir/crew/object.h"

#ifdef WEIR_CREW_ENGINE

/* Precedes the signals of a round. The first threads call it together. */
WEIR_FN void weir_crew_complete_(weir_crew c)
{
	weir_engine_complete(c);
}

/* Brings a slot of a rank to `epoch`. */
WEIR_FN void weir_crew_signal_(weir_crew c, uint32_t rank, uint32_t lane, uint32_t slot,
                               uint32_t epoch)
{
	/* Both pair with the acquires in weir_crew_advance_. */
	if (weir_crew_reaches(c, rank))
		weir_store_rel(weir_crew_slot_(c, weir_crew_share(c, rank), lane, slot), epoch);
	else
		weir_engine_signal(c, weir_crew_slot_(c, c.words, lane, slot), rank, epoch);
}

WEIR_FN void weir_crew_put_(weir_crew c, uint32_t rank, uint32_t value)
{
	/* Relaxed, and unordered: it only ends waits. */
	if (weir_crew_reaches(c, rank))
		weir_store_rlx(weir_crew_share(c, rank), value);
	else
		weir_engine_put(c, c.words, rank, value);
}

#else

WEIR_FN void weir_crew_complete_(weir_crew c)
{
	(void)c;
	weir_release_begin(); /* one for all signals of the thread */
}

WEIR_FN void weir_crew_signal_(weir_crew c, uint32_t rank, uint32_t lane, uint32_t slot,
                               uint32_t epoch)
{
	/* Pairs with the acquire in weir_crew_advance_. */
	weir_store_begun(weir_crew_slot_(c, weir_crew_share(c, rank), lane, slot), epoch);
}

WEIR_FN void weir_crew_put_(weir_crew c, uint32_t rank, uint32_t value)
{
	/* Relaxed: it orders nothing, and only ends waits. */
	weir_store_rlx(weir_crew_share(c, rank), value);
}

#endif

#endif
