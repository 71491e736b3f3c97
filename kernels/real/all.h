/* All kernels of this folder. Each build of them makes forms: kernels/real/real.h lists them. */
#ifndef WEIR_REAL_ALL_H
#define WEIR_REAL_ALL_H

#include "alignment.h"
#include "bitonic.h"
#include "buckets.h"
#include "cholesky.h"
#include "decode.h"
#include "fft.h"
#include "gradient.h"
#include "jacobi.h"
#include "pool.h"
#include "restore.h"
#include "search.h"
#include "slots.h"
#include "solve.h"

#ifndef REAL_NO_EVENTS
#include "alignment_events.h"
#include "buckets_combine.h"
#include "decode_events.h"
#include "pool_combine.h"
#include "search_queue.h"
#endif

#endif
