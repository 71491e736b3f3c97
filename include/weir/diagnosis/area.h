/* The area of a device's diagnosis: where kernels leave what a report is made of. The host library
 * allocates one for a device, with its first diagnosed object, and reads and writes it while kernels
 * run. All of it is weir_words, zero at first; the numbers below count words.
 *
 *   area      head, order, misuses, files, blocks
 *   head      by WEIR_AREA_*
 *   order     WEIR_ORDER_AT(x, y): not 0 when y was locked while x was held; then a witness, by
 *             WEIR_ORDER_*
 *   misuses   WEIR_MISUSES records by WEIR_MISUSE_*, in the order of their numbers; the kind is
 *             written last, and released
 *   files     WEIR_FILES records by WEIR_FILE_*: the names of source files. A record is written once
 *             and never changes; its length is written last, and released
 *   blocks    a record for each of WEIR_BLOCKS blocks, by WEIR_NOTE_*; written by that block alone
 *
 * A place in the source is one word, WEIR_WHERE(file, line): the number of the file's record plus one,
 * or 0 when all records were taken, and the line.
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

#define WEIR_AREA_ABORT 0      /* the host: every wait is to end */
#define WEIR_AREA_LAUNCH 1     /* the host: changes with every launch, never 0 */
#define WEIR_AREA_FAULT 2      /* WEIR_FAULT_*: why a kernel has ended its launch; 0: it has not */
#define WEIR_AREA_FAULT_KIND 3 /* the kind in the handle then */
#define WEIR_AREA_MISUSE_NEXT 32 /* how many misuses there were; a line of its own */
#define WEIR_AREA_HEAD_WORDS 64

#define WEIR_WHERE(file, line) ((file) << 24 | ((line)&0xffffffu))
#define WEIR_WHERE_FILE(where) ((where) >> 24)
#define WEIR_WHERE_LINE(where) ((where)&0xffffffu)

#define WEIR_ORDER_BLOCK 0 /* that locked them so, plus one */
#define WEIR_ORDER_WHERE 1 /* written after it; 0: not there yet */
#define WEIR_ORDER_WORDS 2
#define WEIR_ORDER_AT(x, y) (WEIR_AREA_HEAD_WORDS + ((x)*WEIR_DIAGNOSED + (y)) * WEIR_ORDER_WORDS)

#define WEIR_MISUSES 64
#define WEIR_MISUSE_KIND 0
#define WEIR_MISUSE_OBJECT 1
#define WEIR_MISUSE_BLOCK 2
#define WEIR_MISUSE_THREAD 3
#define WEIR_MISUSE_WHERE 4
/* fewer threads: how many came; locked twice, ended holding: where it was locked; wrong kind: it */
#define WEIR_MISUSE_VALUE 5
#define WEIR_MISUSE_FAULT 6 /* wrong kind: WEIR_FAULT_* */
#define WEIR_MISUSE_WORDS 8
#define WEIR_MISUSE_AT(i) (WEIR_ORDER_AT(WEIR_DIAGNOSED, 0) + (i)*WEIR_MISUSE_WORDS)

#define WEIR_MISUSE_LOCKED_TWICE 1
#define WEIR_MISUSE_STRANGER 2
#define WEIR_MISUSE_ABOVE_MAXIMUM 3
#define WEIR_MISUSE_FEWER_THREADS 4
#define WEIR_MISUSE_DEAD 5
#define WEIR_MISUSE_ENDED_HOLDING 6
#define WEIR_MISUSE_WRONG_KIND 7

#define WEIR_FILES 64
#define WEIR_FILE_HASH 0   /* of the whole name; 0: the record is free */
#define WEIR_FILE_LENGTH 1 /* of the whole name, plus one; 0: the text is not there yet */
#define WEIR_FILE_TEXT 2   /* the last WEIR_FILE_BYTES bytes of the name, the first ones lowest */
#define WEIR_FILE_BYTES 56u
#define WEIR_FILE_WORDS 16
#define WEIR_FILE_AT(i) (WEIR_MISUSE_AT(WEIR_MISUSES) + (i)*WEIR_FILE_WORDS)

#define WEIR_BLOCKS 4096  /* those with higher numbers take no part */
#define WEIR_NOTE_HELD 0  /* two words: a bit for each mutex that the block holds or waits for */
#define WEIR_NOTE_KNOWN 2 /* two words: the objects whose header the block has looked at */
#define WEIR_NOTE_DOING 4 /* WEIR_DOING: the lock or wait that one of its threads is in; 0: none */
#define WEIR_NOTE_AT 5    /* where that is in the source */
#define WEIR_NOTE_WAITS                                                                            \
	6 /* the operation in which it has waited for longer than a moment; 0: none */
#define WEIR_NOTE_SINCE 7  /* milliseconds of the device's clock; 0 without one */
#define WEIR_NOTE_SEEN 8   /* likewise, when it looked last */
#define WEIR_NOTE_LAUNCH 9 /* of which launch these notes are; WEIR_LAUNCH_BEGINS: being made */
#define WEIR_LAUNCH_BEGINS 0xfffffffeu /* no launch's number */
#define WEIR_NOTE_ABORTED 10
#define WEIR_NOTE_THREADS 11 /* that have entered the barrier the block is in */
#define WEIR_NOTE_OF 12      /* of so many */
#define WEIR_NOTE_NOBODY 13  /* in the place of WEIR_NOTE_DOING, for operations that take no part */
#define WEIR_NOTE_BARRIER 14 /* WEIR_DOING: the barrier that the block is in; 0: none */
#define WEIR_NOTE_BARRIER_AT 15
/* The files that the block has met: the lower bits of the name's address, and the file's number. */
#define WEIR_NOTE_FILES 16
#define WEIR_NOTE_FILES_KEPT 16
/* Semaphore: slots that the block has. Barrier: arrivals; in the area only of a block that has waited
 * there for longer than a moment, or that may yet await it. */
#define WEIR_NOTE_COUNT(id) (32 + (id))
#define WEIR_NOTE_WHERE(id) (32 + WEIR_DIAGNOSED + (id)) /* of the last entry */
#define WEIR_NOTE_WORDS (32 + 2 * WEIR_DIAGNOSED)
#define WEIR_NOTES_AT(block) (WEIR_FILE_AT(WEIR_FILES) + (block)*WEIR_NOTE_WORDS)

#define WEIR_AREA_WORDS WEIR_NOTES_AT(WEIR_BLOCKS)

#define WEIR_DOING(operation, id, thread) ((operation) | (id) << 8 | (thread) << 16)
#define WEIR_DOING_OPERATION(doing) ((doing)&0xffu)
#define WEIR_DOING_OBJECT(doing) ((doing) >> 8 & 0xffu)
#define WEIR_DOING_THREAD(doing) ((doing) >> 16)
#define WEIR_OPERATION_LOCK 1
#define WEIR_OPERATION_BARRIER 2
#define WEIR_OPERATION_WAIT 3

/* Where an operation is noted. Two of them: a thread of a block may be in a lock while others are at the
 * barrier already, or have not yet taken back that they were. */
#define WEIR_NOTE_OF_OPERATION(operation)                                                          \
	((operation) == WEIR_OPERATION_BARRIER ? WEIR_NOTE_BARRIER : WEIR_NOTE_DOING)

#endif
