/* The guidelines of doc/choosing.md, which is part of the program. */
#ifndef WEIR_COMMAND_GUIDELINES_H
#define WEIR_COMMAND_GUIDELINES_H

#include "weir/profile.h"

/* A line of the document, with its Markdown. */
typedef struct weir_guideline {
	char section[32];
	char when[64];       /* the words for the machines that it is for */
	char contention[16]; /* "high", "low" or "any" */
	char advice[160];
	char figure[200];
} weir_guideline;

/* Calls `take` with each guideline for a class of machines, in the order of the document. */
void weir_guidelines(const weir_class *class_,
                     void (*take)(const weir_guideline *line, void *context), void *context);

#endif
