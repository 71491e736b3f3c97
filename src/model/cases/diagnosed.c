/* The primitives with diagnosis, and the places for mutants in the code that only a diagnosis
 * has. */
#include "model/cases/mutable.h"

#ifdef WEIR_DIAGNOSE
#include "weir_hooks.h"

#define ROW_(name) &weir_model_##name##_diagnosed_,
static const weir_model_primitive *const primitives[] = {WEIR_MODEL_DIAGNOSED(ROW_) NULL};
#undef ROW_

const weir_model_texts weir_model_diagnosed_ = {hooks, sizeof hooks / sizeof hooks[0], primitives};
#else
static const weir_model_primitive *const none[] = {NULL};

const weir_model_texts weir_model_diagnosed_ = {NULL, 0, none};
#endif
