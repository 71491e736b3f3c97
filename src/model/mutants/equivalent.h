/* Mutants that survive. None is a weakened order or a missing sync that the explorer could detect:
 * where one of those survives, the code does not need the order or sync and must drop it.
 */
#ifndef WEIR_MODEL_EQUIVALENT_H
#define WEIR_MODEL_EQUIVALENT_H

/* Why no execution of any size can tell the mutant of that name from the original, or NULL. */
const char *weir_model_why_equivalent_(const char *name);
/* Why no case detects it, though another execution or size might, or NULL. These are faults that
 * the explorer does not see; the reason names what does detect them. */
const char *weir_model_why_uncovered_(const char *name);

#endif
