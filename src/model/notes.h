/* The notes of a diagnosis (weir/diagnosis/area.h) under the explorer: fewer objects, blocks and misuses than on
 * other machines. The area lies behind the words of all objects, and so do the headers: that of the object at word
 * n begins n words after the first one. Two objects of a case are at least a header apart. Before the first header
 * are the records of signals of an array of events at word 0.
 *
 * Notes are plain data. An access to one is not a step, so that a case has the same executions as without diagnosis.
 * It must be ordered, as plain data must: one thread at a time speaks for a block, a mutex orders the
 * header of a condition, and so on. Reports rely on exactly that. Two writes of the same value may be
 * unordered, and so may adds, and an abort may occur at any time.
 *
 * Several threads may access some words at once:
 *
 *   weir_notes_claim_    the launch of a block of several threads,
 *   weir_note_begin_     the current operation, and the lower words of its sites
 *   weir_note_came_      WEIR_HEADER_CAME
 *   weir_note_misuse_    WEIR_AREA_MISUSE_NEXT, and the kind of a record
 *   weir_note_order_     WEIR_ORDER_*
 *
 * In the cases `notes` these are words like those of an object. In other cases each access is before or after every
 * other access, with no further order, and a block of several threads has made its notes before the launch. */
#ifndef WEIR_MODEL_NOTES_H
#define WEIR_MODEL_NOTES_H

#include "weir/diagnosis/area.h"

/* The object of a case, unless it has several. */
#define WEIR_MODEL_ID 2

#undef WEIR_DIAGNOSED
#define WEIR_DIAGNOSED 4
#undef WEIR_BLOCKS
#define WEIR_BLOCKS 2 /* leaves other blocks without notes */
#undef WEIR_MISUSES
#define WEIR_MISUSES 16
#define WEIR_MODEL_SIGNALS 64 /* words for the records of events */
/* Subtracted from the address of an object's words, it gives the header. */
#undef WEIR_HEADER_WORDS
#define WEIR_HEADER_WORDS (-(WEIR_MODEL_WORDS + WEIR_MODEL_SIGNALS))

#endif
