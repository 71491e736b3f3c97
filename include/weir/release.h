/* Releases that some machines can make faster.
 *
 * A release waits until all earlier writes are visible. Some machines can overlap that wait with
 * another access, or flush the writes ahead of time. One whose weir_flush_writes is a fence that
 * releases defines WEIR_HAS_RELEASE_FENCE, weir_flush_writes and weir_owner_add_rel. One with another
 * release in two parts defines WEIR_HAS_OWN_BEGUN, the functions of both parts and
 * weir_red_add_each_rel.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* machine.h includes this file */
#endif

#ifndef WEIR_RELEASE_H
#define WEIR_RELEASE_H

#ifdef WEIR_HAS_RELEASE_FENCE

/* One fence for all words, in place of one for each. */
WEIR_FN void weir_red_add_each_rel(WEIR_GLOBAL weir_word *w, uint32_t apart, uint32_t bits,
                                   uint32_t addend)
{
	weir_flush_writes();
	for (uint32_t i = 0; i >> bits == 0; i++)
		weir_red_add_rlx(&w[i * apart], addend);
}

#else

WEIR_FN void weir_owner_add_rel(WEIR_GLOBAL weir_word *w, uint32_t addend)
{
	/* Relaxed: no other thread writes the word now, so there is only one value to read. */
	weir_store_rel(w, weir_load_rlx(w) + addend);
}

#ifndef WEIR_HAS_OWN_BEGUN
WEIR_FN void weir_red_add_each_rel(WEIR_GLOBAL weir_word *w, uint32_t apart, uint32_t bits,
                                   uint32_t addend)
{
	for (uint32_t i = 0; i >> bits == 0; i++)
		weir_red_add_rel(&w[i * apart], addend);
}
#endif

WEIR_FN void weir_flush_writes(void)
{
}

#endif

#ifdef WEIR_HAS_RELEASE_FENCE

/* A fence, and later an access without release: what lies between them is in flight while the fence
 * waits. */
WEIR_FN void weir_release_begin(void)
{
	weir_flush_writes();
}

WEIR_FN void weir_store_begun(WEIR_GLOBAL weir_word *w, uint32_t value)
{
	weir_store_rlx(w, value);
}

#if WEIR_HAS_WORD64
WEIR_FN void weir_store64_begun(WEIR_GLOBAL weir_word64 *w, uint64_t value)
{
	weir_store64_rlx(w, value);
}

WEIR_FN uint64_t weir_add64_begun_acq(WEIR_GLOBAL weir_word64 *w, uint64_t addend)
{
	return weir_add64_acq(w, addend);
}
#endif

#elif !defined(WEIR_HAS_OWN_BEGUN)

WEIR_FN void weir_release_begin(void)
{
}

WEIR_FN void weir_store_begun(WEIR_GLOBAL weir_word *w, uint32_t value)
{
	weir_store_rel(w, value);
}

#if WEIR_HAS_WORD64
WEIR_FN void weir_store64_begun(WEIR_GLOBAL weir_word64 *w, uint64_t value)
{
	weir_store64_rel(w, value);
}

WEIR_FN uint64_t weir_add64_begun_acq(WEIR_GLOBAL weir_word64 *w, uint64_t addend)
{
	return weir_add64_acq_rel(w, addend);
}
#endif

#endif

#endif
