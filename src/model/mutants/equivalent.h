/* Mutants that survive. None is a weakened order or a missing sync that the explorer could see: where one of
 * those survives, the text does not need it and must drop it.
 */
#ifndef WEIR_MODEL_EQUIVALENT_H
#define WEIR_MODEL_EQUIVALENT_H

/* Why no execution of any size can tell the mutant of that name from the text, or NULL. */
const char *weir_model_why_equivalent_(const char *name);
/* Why no case can, though another execution or size may, or NULL. These are faults that the explorer does not
 * see; the reason says what else does. */
const char *weir_model_why_uncovered_(const char *name);

#endif
