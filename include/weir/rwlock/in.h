/* A reader-writer lock that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_rwlock l = weir_rwlock_in(words);
 *
 * It is of the kind `fair`. `words` points to WEIR_RWLOCK_WORDS words, which are all zero before
 * the first launch and which nothing else may change.
 */
#ifndef WEIR_RWLOCK_IN_H
#define WEIR_RWLOCK_IN_H

#include "weir/rwlock/kinds.h"

/** Words to allocate for weir_rwlock_in. */
#define WEIR_RWLOCK_WORDS ((WEIR_RWLOCK_HEAD + 2) * WEIR_LINE_WORDS)

/** A reader-writer lock of the kind `fair` in WEIR_RWLOCK_WORDS words that are all zero before
 * the first launch. Any thread may make the handle, as often as it likes. */
WEIR_FN weir_rwlock weir_rwlock_in(WEIR_GLOBAL weir_word *words)
{
	weir_rwlock l = weir_rwlock_zeroed_(words, WEIR_RWLOCK_FAIR, WEIR_LINE_WORDS);

	l.config.bits = 0;
	return l;
}

#endif
