/* Releases that some machines can make faster.
 *
 * A release waits until all earlier writes are visible. Some machines can overlap that wait with
 * another access, or flush the writes ahead of time. Such a machine defines WEIR_HAS_OWN_RELEASE,
 * and defines these functions itself.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file in its place */
#endif

#ifndef WEIR_RELEASE_H
#define WEIR_RELEASE_H

#ifndef WEIR_HAS_OWN_RELEASE

WEIR_FN void weir_owner_add_rel(WEIR_GLOBAL weir_word *w, uint32_t addend)
{
	/* Relaxed: no other thread writes the word now, so there is only one value to read. */
	weir_store_rel(w, weir_load_rlx(w) + addend);
}

WEIR_FN void weir_red_add_each_rel(WEIR_GLOBAL weir_word *w, uint32_t apart, uint32_t bits,
                                   uint32_t addend)
{
	for (uint32_t i = 0; i >> bits == 0; i++)
		weir_red_add_rel(&w[i * apart], addend);
}

WEIR_FN void weir_flush_writes(void)
{
}

#endif

#ifndef WEIR_HAS_OWN_BEGUN

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
