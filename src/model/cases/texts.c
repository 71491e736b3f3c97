/* The marked places in the library's code, and the primitives over it. */
#include "model/cases/mutable.h"

#ifdef WEIR_MODEL_TEXTS
#include "weir_texts.h"

#define ROW_(name) &weir_model_##name##_texts_,
static const weir_model_primitive *const primitives[] = {WEIR_MODEL_PRIMITIVES(ROW_) NULL};
#undef ROW_

const weir_model_texts weir_model_texts_ = {texts, sizeof texts / sizeof texts[0], primitives};
#else
const weir_model_texts weir_model_texts_ = {NULL, 0, weir_model_primitives_};
#endif
