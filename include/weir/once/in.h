/* A once that the kernel makes itself in zeroed memory, without the host library.
 *
 *   weir_once o = weir_once_in(words);
 *
 * `words` points to WEIR_ONCE_WORDS words, which are all zero before the first launch and which
 * nothing else may change.
 */
#ifndef WEIR_ONCE_IN_H
#define WEIR_ONCE_IN_H

#include "weir/once/object.h"

/** Words to allocate for weir_once_in. */
#define WEIR_ONCE_WORDS 1

/** A once in WEIR_ONCE_WORDS words that are all zero before the first launch. Any thread may
 * make the handle, as often as it likes. */
WEIR_FN weir_once weir_once_in(WEIR_GLOBAL weir_word *words)
{
	return weir_once_zeroed_(words, 0, 1);
}

#endif
