/* The sources in which tools/mutable.c has marked places for mutants, and the cases over them: the
 * library's code, and the code that only a diagnosis has. A build by hand may have neither: then
 * there are no places and no diagnosed cases.
 */
#ifndef WEIR_MODEL_MUTABLE_H
#define WEIR_MODEL_MUTABLE_H

#include "model/cases/cases.h"

/* A place: its operation is the code found there, its word the changed code. */
typedef struct weir_model_text {
	weir_model_site site;
	int delta;
} weir_model_text;

typedef struct weir_model_texts {
	const weir_model_text *places;
	size_t count;
	const weir_model_primitive *const *primitives; /* terminated by NULL */
} weir_model_texts;

extern const weir_model_texts weir_model_texts_;     /* texts.c */
extern const weir_model_texts weir_model_diagnosed_; /* diagnosed.c */

/* weir_model_run over the library's code with places. */
int weir_model_run_text_(const weir_model_case *c, const weir_model_options *options,
                         weir_model_outcome *outcome);
/* Whether the site is one of the marked places. */
int weir_model_is_text_(const weir_model_site *site);
/* Whether the site only reports that a function was called, and so has no mutant. */
int weir_model_is_call_(const weir_model_site *site);
/* The place of that number in the library's code, or NULL after the last. A macro with parameters
 * is listed as the operation "macro"; it is not a place. */
const weir_model_site *weir_model_text_at_(size_t index);

#endif
