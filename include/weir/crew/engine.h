/** @defgroup weir_engine Engines of crews
 *
 * How a crew signals ranks that it reaches only by puts, such as those on another host.
 *
 * An engine is a library that puts words into the memory of another rank. A kernel that has one
 * includes its header before weir/device.h: weir/crew/nvshmem.h, weir/crew/nccl.h, or one of its own.
 * Crews then signal ranks that they reach by loads and stores directly, and all others by the engine.
 * Without such a header, none of this is compiled. Reaching by loads and stores is mutual: if rank a
 * reaches rank b, then b reaches a.
 *
 * The header of an engine defines WEIR_CREW_ENGINE and the weir_engine_ operations, as functions or as
 * macros. `w` is a word of the caller's own share. It stands for the word at the same place in the
 * share of `rank`.
 *
 * What a rank has put into the share of another is then visible to that other rank. Third ranks that
 * look there by loads are promised nothing: neither NVSHMEM nor NCCL promises it.
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

#ifdef WEIR_REFERENCE
/** The type that the member `engine` of a weir_crew points to. */
#define WEIR_CREW_ENGINE
/** Defined by an engine that has no completion: its signals and posts follow only what was put to the
 * same rank. Its crews are flat: a rank hears from each other rank directly. */
#define WEIR_CREW_ENGINE_FLAT
/** Puts everything in place at every rank that happened before, puts and stores of any block of this
 * rank, before anything that the callers put after. The first threads call it together. */
void weir_engine_complete(weir_crew c);
/** Brings the word from value - 1 to `value`. No other rank writes it. One thread calls it. */
void weir_engine_signal(weir_crew c, weir_word *w, uint32_t rank, uint32_t value);
/** Puts the value, in no order with other puts. One thread calls it. */
void weir_engine_put(weir_crew c, weir_word *w, uint32_t rank, uint32_t value);
/** Adds `n` to the word, atomically among all posts. All that the thread has put or stored before is in
 * place first. One thread calls it. */
void weir_engine_post(weir_crew c, weir_word *w, uint32_t rank, uint32_t n);
/** The value that signals or posts have brought to a word of the own share. It orders nothing. */
uint32_t weir_engine_poll(weir_crew c, weir_word *w);
/** Follows a poll that found the word past `before`: what its writer had completed is visible to the
 * thread from here on. `direct`: a store of the writer brought it, not the engine. */
void weir_engine_see(weir_crew c, weir_word *w, uint32_t before, int direct);
#endif

#endif
