/* The area of a device's diagnosis: the memory in which kernels leave notes for a report. The host library
 * allocates one for a device, with its first diagnosed object. It reads and writes the area while kernels run.
 * All of it is weir_words, zero at first; the numbers below count words.
 *
 *   area      head, order, misuses, objects, blocks.
 *   head      by WEIR_AREA_*.
 *   order     WEIR_ORDER_AT(x, y): not 0 if a block locked y while it held x. It is then a witness, by WEIR_ORDER_*.
 *   misuses   WEIR_MISUSES records by WEIR_MISUSE_*, in the order of their numbers. The kind is written last,
 *             with release.
 *   objects   WEIR_OBJECT_AT(id), two words: the device address of the words of an object whose state a report
 *             reads; 0 until a kernel uses the object.
 *   blocks    a record for each of WEIR_BLOCKS blocks, by WEIR_NOTE_*. Only the block itself writes it.
 *
 * A site is a call site in two words: the address of the file's name, from which the host reads it, and the
 * source line (WEIR_SITE_OF). The address is that of the name's second letter: the lower word of the first
 * letter's address may be 0, which means that there is no site. The lower word is written last.
 *
 * A diagnosed object has a cache line before its words, by WEIR_HEADER_*. An array of events also has a record
 * for each of its first WEIR_EVENTS_NOTED events, by WEIR_SIGNALS_*. They lie before that line, the first one
 * next to it. For a crew, the cache line is the host library's line in the share of this rank
 * (weir/crew/object.h), whose other words follow WEIR_HEADER_USED.
 */
#ifndef WEIR_DIAGNOSIS_AREA_H
#define WEIR_DIAGNOSIS_AREA_H

#define WEIR_DIAGNOSED 64 /* object numbers; 0 means none */

#define WEIR_HEADER_WORDS 32 /* before the words of an object */
#define WEIR_HEADER_MAGIC 0
#define WEIR_HEADER_ID 1
#define WEIR_HEADER_AREA 2 /* two words: the address of the area */
/* The last use by a block. For an array of events: the round, plus one. For a queue, a dispenser, a graph of
 * tasks or a combiner: the launch. 0: not used yet. */
#define WEIR_HEADER_CAME 4
/* For a queue with single sides: the block that is pushing and the block that is popping, each plus one. */
#define WEIR_HEADER_SIDE(side) (4 + (side))
/* For a condition: the lower word of the address of the mutex that its waits use, and the number of that
 * mutex; 0: none yet. */
#define WEIR_HEADER_MUTEX 7
#define WEIR_HEADER_MUTEX_ID 8
#define WEIR_HEADER_USED 12
#define WEIR_MAGIC_ALIVE 0x77656972u
#define WEIR_MAGIC_DEAD 0x64656164u

/* The record of an event: the signals that have notes. Block b writes slot b mod WEIR_SIGNALS_SLOTS. */
#define WEIR_EVENTS_NOTED 65536u
#define WEIR_SIGNALS_SLOTS 4
#define WEIR_SIGNALS_SUM(slot) (slot)                         /* the sum of their amounts */
#define WEIR_SIGNALS_LAST(slot) (WEIR_SIGNALS_SLOTS + (slot)) /* the last block, plus one */
#define WEIR_SIGNALS_EACH 8 /* how many signals its waits expect per launch; 0: not known */
#define WEIR_SIGNALS_WORDS 16

/* A wait is reported if its target and the count are at least this far apart. */
#define WEIR_FAR 0x40000000u

#define WEIR_AREA_ABORT 0        /* set by the host: every wait must end */
#define WEIR_AREA_LAUNCH 1       /* set by the host: changes with every launch, never 0 */
#define WEIR_AREA_FAULT 2        /* WEIR_FAULT_*: why a kernel ended its launch; 0: none did */
#define WEIR_AREA_FAULT_KIND 3   /* the kind in the handle of that fault */
#define WEIR_AREA_MISUSE_NEXT 32 /* the number of misuses; in its own cache line */
#define WEIR_AREA_HEAD_WORDS 64

#define WEIR_SITE_LINES 0xffffu /* higher source lines are recorded as this line */
#define WEIR_SITE_OF(file, line)                                                                   \
	(((uint64_t)(file) + 1) | (uint64_t)((line) < WEIR_SITE_LINES ? (line) : WEIR_SITE_LINES)  \
	                              << 48)
#define WEIR_SITE_FILE(site) (((site) & (((uint64_t)1 << 48) - 1)) - 1)
#define WEIR_SITE_LINE(site) ((uint32_t)((site) >> 48))

#define WEIR_ORDER_BLOCK 0 /* the block that locked in this order, plus one */
#define WEIR_ORDER_SITE 2  /* two words, written after the block; 0: not written yet */
#define WEIR_ORDER_WORDS 4
#define WEIR_ORDER_AT(x, y) (WEIR_AREA_HEAD_WORDS + ((x)*WEIR_DIAGNOSED + (y)) * WEIR_ORDER_WORDS)

#define WEIR_MISUSES 64
#define WEIR_MISUSE_KIND 0
#define WEIR_MISUSE_OBJECT 1
#define WEIR_MISUSE_BLOCK 2
#define WEIR_MISUSE_FAULT 3 /* WEIR_FAULT_*, or as the kind below says */
#define WEIR_MISUSE_SITE 4  /* two words */
#define WEIR_MISUSE_VALUE 6 /* two words, as the kind says */
#define WEIR_MISUSE_WORDS 8
#define WEIR_MISUSE_AT(i) (WEIR_ORDER_AT(WEIR_DIAGNOSED, 0) + (i)*WEIR_MISUSE_WORDS)

/* The kinds of misuse. The value is that of the fault, or as stated here; of two values, the first is the lower word. */
#define WEIR_MISUSE_OF_FAULT(fault) (32 + (fault))
#define WEIR_MISUSE_LOCKED_TWICE 1  /* the site of the lock */
#define WEIR_MISUSE_ENDED_HOLDING 2 /* the same */
#define WEIR_MISUSE_UPGRADE 3       /* the site of the entry */
#define WEIR_MISUSE_BEGUN_TWICE 4   /* the same; only these four values are sites */
#define WEIR_MISUSE_STRANGER 5
#define WEIR_MISUSE_UNLOCK 6 /* what the block did and what it held, by WEIR_RWLOCK_* */
#define WEIR_MISUSE_ABOVE_MAXIMUM 7
#define WEIR_MISUSE_FEWER_THREADS 8 /* how many arrived */
#define WEIR_MISUSE_DEAD 9
#define WEIR_MISUSE_FAR 10    /* the target and the count; for a fault, the index of the event */
#define WEIR_MISUSE_AMOUNT 11 /* the amount; for a fault, the index of the event */
#define WEIR_MISUSE_CLOSED 12
#define WEIR_MISUSE_SIDE 13     /* which side, and the other block */
#define WEIR_MISUSE_NOT_LEFT 14 /* the value of `left` */
#define WEIR_MISUSE_AFTER_NONE 15
#define WEIR_MISUSE_MIDDLE 16          /* the value of `next` */
#define WEIR_MISUSE_WAITS_WITHOUT 17   /* the number of the mutex */
#define WEIR_MISUSE_SIGNALS_WITHOUT 18 /* the same */
#define WEIR_MISUSE_TWO_MUTEXES 19     /* the number of the mutex, and of the other one */
#define WEIR_MISUSE_SERVED_TWICE 20
#define WEIR_MISUSE_LANE_SHARED 21 /* the other block, and the lane */
#define WEIR_MISUSE_TOKEN 22       /* its lane */
#define WEIR_MISUSE_CREW_BLOCKS 23 /* the blocks of the grid */
#define WEIR_RWLOCK_READS 1        /* what a misuse does with a reader-writer lock */
#define WEIR_RWLOCK_WRITES 2
#define WEIR_RWLOCK_DOWNGRADES 3
#define WEIR_OBJECT_AT(id) (WEIR_MISUSE_AT(WEIR_MISUSES) + 2 * (id))
#define WEIR_BLOCKS 4096 /* blocks with higher numbers take no part */
/* Two words: a bit for each mutex or reader-writer lock that the block holds or waits for, and for each once or
 * combiner that it holds. */
#define WEIR_NOTE_HELD 0
#define WEIR_NOTE_DOING 2 /* WEIR_DOING: the lock or wait that one of its threads is in; 0: none */
#define WEIR_NOTE_BARRIER 3 /* WEIR_DOING: the barrier that the block is in; 0: none */
#define WEIR_NOTE_WAITS 4   /* the operation of its long wait (weir/diagnosis/notes.h); 0: none */
#define WEIR_NOTE_SINCE 5   /* when that wait began, in ms of the device's clock; 0: no clock */
#define WEIR_NOTE_SEEN 6    /* when it last looked, in the same unit */
#define WEIR_NOTE_LAUNCH 7  /* the launch of these notes; WEIR_LAUNCH_BEGINS: they are being made */
#define WEIR_LAUNCH_BEGINS 0xfffffffeu /* no launch has this number */
#define WEIR_NOTE_ABORTED 8
#define WEIR_NOTE_THREADS 9 /* threads that have entered the block's barrier */
#define WEIR_NOTE_OF 10     /* how many threads the block has */
/* The block's long wait for an event: the index, the number of events from there on (any of them will do), and
 * the target. For a condition, the index is the number of its mutex. For an event of a crew, the range is the
 * rank that has the event, plus one; 0: not known. */
#define WEIR_NOTE_INDEX 11
#define WEIR_NOTE_RANGE 12
#define WEIR_NOTE_TARGET 13
#define WEIR_NOTE_EACH 15 /* the signals per launch, from the last target that thread 0 made */
/* The number of items that it pushes or pops, or the number of blocks in the launch if it waits for a condition. */
#define WEIR_NOTE_BATCH 16
#define WEIR_NOTE_BEGAN 17    /* when its task started, in ms of the device's clock; 0: no clock */
#define WEIR_NOTE_COMBINES 18 /* the same for the operations that it does for other blocks */
/* Where it waits in a crew: twice the lane, plus 1 if it waits for other ranks. */
#define WEIR_NOTE_LANE 14
#define WEIR_NOTE_HEAD_WORDS 20 /* even, so that a pair below is aligned to 8 bytes */
/* Semaphore: the slots that the block holds. Barrier: its arrivals. Queue: its refused pushes. Dispenser: its takes
 * that got no item. Tasks: the task that it runs, plus one. Condition: its signals that woke no waiter. Reader-writer
 * lock: the number of read locks that it holds, and WEIR_NOTE_WRITES. Combiner: by WEIR_COMBINER_*. Crew: its
 * arrivals. Arrivals reach the area only when the block waits there for long, or has arrived and not yet waited. */
#define WEIR_NOTE_COUNT(id) (WEIR_NOTE_HEAD_WORDS + (id))
#define WEIR_NOTE_WRITES 0x10000u
#define WEIR_COMBINER_DOES 1u   /* it runs operations */
#define WEIR_COMBINER_SERVES 2u /* it is the server, or was when it left */
#define WEIR_COMBINER_LEFT 4u
/* Two words: the site of the last entry. For a barrier it reaches the area together with the count. */
#define WEIR_NOTE_SITE(id) (WEIR_NOTE_HEAD_WORDS + WEIR_DIAGNOSED + 2 * (id))
#define WEIR_NOTE_WORDS (WEIR_NOTE_HEAD_WORDS + 3 * WEIR_DIAGNOSED)
#define WEIR_NOTES_AT(block) (WEIR_OBJECT_AT(WEIR_DIAGNOSED) + (block)*WEIR_NOTE_WORDS)

#define WEIR_AREA_WORDS WEIR_NOTES_AT(WEIR_BLOCKS)

#define WEIR_DOING(operation, id, thread) ((operation) | (id) << 8 | (thread) << 16)
#define WEIR_DOING_OPERATION(doing) ((doing)&0xffu)
#define WEIR_DOING_OBJECT(doing) ((doing) >> 8 & 0x7fu)
#define WEIR_DOING_THREAD(doing) ((doing) >> 16)
/* A flag beside the operation: other threads of the block wait in it as well, and each of them reports for the block. */
#define WEIR_DOING_WHOLE 0x8000u
#define WEIR_OPERATION_LOCK 1
#define WEIR_OPERATION_BARRIER 2
#define WEIR_OPERATION_WAIT 3
#define WEIR_OPERATION_PUSH 4
#define WEIR_OPERATION_POP 5
#define WEIR_OPERATION_NEXT 6 /* weir_tasks_next */
#define WEIR_OPERATION_CONDITION 7
#define WEIR_OPERATION_READ 8
#define WEIR_OPERATION_WRITE 9
#define WEIR_OPERATION_BEGIN 10   /* of a once */
#define WEIR_OPERATION_COMBINE 11 /* a call */
#define WEIR_OPERATION_SERVE 12
#define WEIR_OPERATION_CREW 13 /* an await of a crew */

/* The note of an operation. There are two, because one thread of a block may be in a lock while others
 * are already at the barrier, or have not yet cleared their note of it. */
#define WEIR_NOTE_OF_OPERATION(operation)                                                          \
	((operation) == WEIR_OPERATION_BARRIER ? WEIR_NOTE_BARRIER : WEIR_NOTE_DOING)

#endif
