/* Mutants that no execution can tell from the text. None is a weakened order or a missing sync:
 * where one of those survives, the text does not need it and must drop it. The exceptions are orders
 * that a dispenser and a try to write need in executions that the explorer does not have
 * (doc/memory-model.md).
 */
#ifndef WEIR_MODEL_EQUIVALENT_H
#define WEIR_MODEL_EQUIVALENT_H

/* The reason for the mutant of that name, or NULL. */
const char *weir_model_why_equivalent_(const char *name);

#endif
