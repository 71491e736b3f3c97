/* An execution as text. */
#ifndef WEIR_MODEL_TRACE_H
#define WEIR_MODEL_TRACE_H

#include "engine.h"

#define WEIR_MODEL_VALUE_TEXT 24
/* A value of the location for a person, in `text`: a wide one by its halves, the upper one first. */
const char *weir_model_value_text(const weir_model_location *location, uint64_t value,
                                  char text[WEIR_MODEL_VALUE_TEXT]);

/* The execution so far, for a person; NULL without memory. */
char *weir_model_trace(const weir_model_engine *e);
/* Its moves, as text to replay; NULL without memory. */
char *weir_model_moves(const weir_model_engine *e);

#endif
