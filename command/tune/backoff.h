/* The search for a backoff. */
#ifndef WEIR_COMMAND_TUNE_BACKOFF_H
#define WEIR_COMMAND_TUNE_BACKOFF_H

#include "tune/search.h"
#include "weir/weir.h"

/* Both bounds, powers of two. */
weir_status weir_search_bounds(weir_search *search);
/* The units for each block ahead, for kinds that pause by their place in the queue. */
weir_status weir_search_place(weir_search *search);

#endif
