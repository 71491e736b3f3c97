/* An execution as text. */
#ifndef WEIR_MODEL_TRACE_H
#define WEIR_MODEL_TRACE_H

#include "model/engine.h"

#define WEIR_MODEL_VALUE_TEXT 24
/* Writes a value of the location to `text` for people: a wide one as its halves, upper first. */
const char *weir_model_value_text(const weir_model_location *location, uint64_t value,
                                  char text[WEIR_MODEL_VALUE_TEXT]);

/* The execution so far, as text for people; NULL if out of memory. */
char *weir_model_trace(const weir_model_engine *e);
/* Its moves, as text to replay; NULL if out of memory. */
char *weir_model_moves(const weir_model_engine *e);

#endif
