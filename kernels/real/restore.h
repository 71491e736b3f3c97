/* Restores data to its state before a run.
 *
 *   size   words of the data; how often they are copied, at least once
 *   data   the data, followed by the copy, which is never changed */
#ifndef WEIR_REAL_RESTORE_H
#define WEIR_REAL_RESTORE_H

#include "real.h"

WEIR_KERNEL(restore, real_params)
{
	WEIR_GLOBAL const uint32_t *kept = data + params.size[0];

	(void)words;
	for (uint32_t time = 0; time < params.size[1]; time++) {
		for (uint32_t i = real_thread(); i < params.size[0]; i += real_threads())
			data[i] = kept[i];
	}
}

#endif
