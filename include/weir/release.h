/* Releases that a machine may know a faster way to.
 *
 * A release waits until what was written before is everywhere. Some machines can do that while
 * something else is on its way, or ahead of time. One that does defines WEIR_HAS_OWN_RELEASE and
 * brings these functions itself.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this one in its place */
#endif

#ifndef WEIR_RELEASE_H
#define WEIR_RELEASE_H

#ifndef WEIR_HAS_OWN_RELEASE

WEIR_FN void weir_owner_add_rel(WEIR_GLOBAL weir_word *w, uint32_t addend)
{
	/* Relaxed: nobody else writes it, so that there is one value to read. */
	weir_store_rel(w, weir_load_rlx(w) + addend);
}

WEIR_FN void weir_flush_writes(void)
{
}

#endif

#endif
