/* The area of a device's diagnosis: where kernels leave what a report is made of. The host library
 * allocates one for a device, with its first diagnosed object, and reads and writes it while kernels
 * run. All of it is weir_words, zero at first; the numbers below count words.
 *
 *   area      head, order, misuses, blocks
 *   head      by WEIR_AREA_*
 *   order     WEIR_ORDER_AT(x, y): not 0 when y was locked while x was held; then a witness,
 *             WEIR_ORDER_WITNESS(block, line)
 *   misuses   WEIR_MISUSES records by WEIR_MISUSE_*, in the order of their numbers; the kind is
 *             written last, and released
 *   blocks    a record for each of WEIR_BLOCKS blocks, by WEIR_NOTE_*; written by that block alone
 *
 * A diagnosed object has a line before its words, by WEIR_HEADER_*.
 */
#ifndef WEIR_DIAGNOSIS_AREA_H
#define WEIR_DIAGNOSIS_AREA_H

#define WEIR_DIAGNOSED 64 /* numbers of objects; 0 is none */

/* Before the words of an object. */
#define WEIR_HEADER_WORDS 32
#define WEIR_HEADER_MAGIC 0
#define WEIR_HEADER_ID 1
#define WEIR_HEADER_AREA_LOW 2
#define WEIR_HEADER_AREA_HIGH 3
#define WEIR_MAGIC_ALIVE 0x77656972u
#define WEIR_MAGIC_DEAD 0x64656164u

#define WEIR_AREA_ABORT 0        /* the host: every wait is to end */
#define WEIR_AREA_LAUNCH 1       /* the host: changes with every launch, never 0 */
#define WEIR_AREA_MISUSE_NEXT 32 /* how many misuses there were; a line of its own */
#define WEIR_AREA_HEAD_WORDS 64

#define WEIR_ORDER_AT(x, y) (WEIR_AREA_HEAD_WORDS + (x)*WEIR_DIAGNOSED + (y))
#define WEIR_ORDER_WITNESS(block, line) (((line)&0xffffu) << 16 | (((block) + 1) & 0xffffu))
#define WEIR_ORDER_LINE(witness) ((witness) >> 16)
#define WEIR_ORDER_BLOCK(witness) (((witness)&0xffffu) - 1)

#define WEIR_MISUSES 64
#define WEIR_MISUSE_KIND 0
#define WEIR_MISUSE_OBJECT 1
#define WEIR_MISUSE_BLOCK 2
#define WEIR_MISUSE_THREAD 3
#define WEIR_MISUSE_LINE 4
#define WEIR_MISUSE_VALUE 5 /* fewer threads: how many came; ended holding: where it was locked */
#define WEIR_MISUSE_WORDS 8
#define WEIR_MISUSE_AT(i)                                                                          \
	(WEIR_AREA_HEAD_WORDS + WEIR_DIAGNOSED * WEIR_DIAGNOSED + (i)*WEIR_MISUSE_WORDS)

#define WEIR_MISUSE_LOCKED_TWICE 1
#define WEIR_MISUSE_STRANGER 2
#define WEIR_MISUSE_ABOVE_MAXIMUM 3
#define WEIR_MISUSE_FEWER_THREADS 4
#define WEIR_MISUSE_DEAD 5
#define WEIR_MISUSE_ENDED_HOLDING 6

#define WEIR_BLOCKS 4096   /* those with higher numbers take no part */
#define WEIR_NOTE_HELD 0   /* two words: a bit for each mutex that the block holds or waits for */
#define WEIR_NOTE_KNOWN 2  /* two words: the objects whose header the block has looked at */
#define WEIR_NOTE_DOING 4  /* WEIR_DOING: the operation that the block is in; 0: none */
#define WEIR_NOTE_LINE 5   /* where that is in the source */
#define WEIR_NOTE_WAITS 6  /* it has waited there for longer than a moment */
#define WEIR_NOTE_SINCE 7  /* milliseconds of the device's clock; 0 without one */
#define WEIR_NOTE_SEEN 8   /* likewise, when it looked last */
#define WEIR_NOTE_LAUNCH 9 /* of which launch these notes are */
#define WEIR_NOTE_ABORTED 10
#define WEIR_NOTE_THREADS 11 /* that have entered the barrier the block is in */
#define WEIR_NOTE_OF 12      /* of so many */
/* Semaphore: slots that the block has. Barrier: arrivals; in the area only of a block that has waited
 * there for longer than a moment, or that may yet await it. */
#define WEIR_NOTE_COUNT(id) (32 + (id))
#define WEIR_NOTE_WHERE(id) (32 + WEIR_DIAGNOSED + (id)) /* the line of the last entry */
#define WEIR_NOTE_WORDS (32 + 2 * WEIR_DIAGNOSED)
#define WEIR_NOTES_AT(block) (WEIR_MISUSE_AT(WEIR_MISUSES) + (block)*WEIR_NOTE_WORDS)

#define WEIR_AREA_WORDS WEIR_NOTES_AT(WEIR_BLOCKS)

#define WEIR_DOING(operation, id, thread) ((operation) | (id) << 8 | (thread) << 16)
#define WEIR_DOING_OPERATION(doing) ((doing)&0xffu)
#define WEIR_DOING_OBJECT(doing) ((doing) >> 8 & 0xffu)
#define WEIR_DOING_THREAD(doing) ((doing) >> 16)
#define WEIR_OPERATION_LOCK 1
#define WEIR_OPERATION_BARRIER 2
#define WEIR_OPERATION_WAIT 3

#endif
