/* The cases over the text in which tools/mutable.c has made places for mutants. A build by hand may
 * have no such text: then there are no places.
 */
#ifndef WEIR_MODEL_MUTABLE_H
#define WEIR_MODEL_MUTABLE_H

#include "model/model.h"

/* weir_model_run over that text. */
int weir_model_run_text_(const weir_model_case *c, const weir_model_options *options,
                         weir_model_outcome *outcome);
/* Whether the site is a place in it: its operation is the text there, its word the changed text. */
int weir_model_is_text_(const weir_model_site *site);
/* Whether it tells that a function is called, and has no mutant. */
int weir_model_is_call_(const weir_model_site *site);
/* The place of that number, or NULL after the last. A macro with parameters is listed as the operation
 * "macro", and is at no place. */
const weir_model_site *weir_model_text_at_(size_t index);

#endif
