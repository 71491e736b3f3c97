/* The search for the shape of a counter barrier. */
#ifndef WEIR_COMMAND_TUNE_SHAPE_H
#define WEIR_COMMAND_TUNE_SHAPE_H

#include "tune/search.h"
#include "weir/weir.h"

weir_status weir_search_shape(weir_search *search);

#endif
