/* Published code with its own orders: each primitive must fail. */
#ifndef WEIR_MODEL_PUBLISHED_H
#define WEIR_MODEL_PUBLISHED_H

#include "model/cases/cases.h"

extern const weir_model_adapter weir_model_published_[];
extern const size_t weir_model_published_count_;

#endif
