/* The parameters of every kernel of api_kernels.h. */
#ifndef API_PARAMS_H
#define API_PARAMS_H

#include "weir/device.h"

typedef struct api_params {
	weir_any_config config;
	uint32_t rounds;
	uint32_t value;
} api_params;

/* The parameters of kernels with two objects. */
typedef struct api_pair {
	weir_any_config first;
	weir_any_config other; /* its offset counts from the first one's words */
	uint32_t rounds;
	uint32_t value;
} api_pair;

#define API_ANSWER(item) ((item)*3 + 1) /* of api_feed */

#define API_CLUSTER_WORDS 4 /* that api_clusters writes for each block */

/* Values of api_operate: every operation that dispatches on a kind. */
enum {
	API_MUTEX_LOCK,
	API_MUTEX_UNLOCK,
	API_MUTEX_TRYLOCK,
	API_MUTEX_LOCK_FOR,
	API_SEMAPHORE_WAIT,
	API_SEMAPHORE_WAIT_N,
	API_SEMAPHORE_POST,
	API_SEMAPHORE_POST_N,
	API_SEMAPHORE_TRYWAIT,
	API_SEMAPHORE_WAIT_FOR,
	API_BARRIER_WAIT,
	API_BARRIER_ARRIVE,
	API_BARRIER_AWAIT,
	API_BARRIER_WAIT_FOR,
	API_EVENT_SIGNAL,
	API_EVENT_POST,
	API_EVENT_WAIT,
	API_EVENT_REACHED,
	API_EVENT_WAIT_FOR,
	API_OPERATIONS
};

/* Values of api_events: the operation of block 1. `rounds` is a target or an amount. */
enum {
	API_EVENTS_WAIT, /* the others signal */
	API_EVENTS_WAIT_ANY,
	API_EVENTS_WAIT_TEAM,
	API_EVENTS_WAIT_PAST, /* for a range that is too long, with a deadline */
	API_EVENTS_LOOK,
	API_EVENTS_SIGNAL,
	API_EVENTS_WRITE /* signals, and then sets it to 0 */
};

#define API_ITEM_WORDS 8 /* the largest item of a queue */

/* Values of api_queue_mistake. `rounds` is a size in words, a number of items or a task. */
enum {
	API_PUSH_SIZE,
	API_POP_SIZE,
	API_TRY_SIZE,
	API_POP_NOTHING, /* from a queue to which no block pushes */
	API_PUSH_FULL,   /* one item more than there is room for */
	API_PUSH_BATCH,
	API_POP_BATCH,
	API_TAKE_NONE,
	API_ADD_TASK,
	API_ADD_CLASS
};

/* Values of api_queue: what block 1 does, if not all blocks. `rounds` is a number of items. */
enum {
	API_QUEUE_RIGHT, /* all blocks push and pop alternately, and leave */
	API_QUEUE_CLOSE, /* pushes, closes and pops; all leave */
	API_QUEUE_PUSH,  /* all blocks push */
	API_QUEUE_POP,
	API_QUEUE_CLOSED, /* closes, and then pushes */
	API_QUEUE_ITEM,   /* pushes an item of that many words */
	API_QUEUE_LEAVE,  /* leaves, and no other block does */
	API_QUEUE_STAY,   /* all but block 1 leave */
	API_QUEUE_SHARE,  /* blocks 0 and 1 pop */
	API_QUEUE_BATCH,  /* pushes a batch */
	API_QUEUE_POP_BATCH
};

/* Values of api_dispenser: what block 1 does, if not all blocks. */
enum {
	API_DISPENSER_RIGHT, /* all blocks take until no item is left */
	API_DISPENSER_AGAIN, /* takes once more */
	API_DISPENSER_ONCE,  /* takes once, and no other block takes */
	API_DISPENSER_NOTHING
};

/* Values of api_tasks: what the block of task `rounds` does. */
enum {
	API_TASKS_RUN, /* nothing else */
	API_TASKS_HANG,
	API_TASKS_BREAK, /* leaves the loop */
	API_TASKS_ADD,   /* adds the last task of the graph */
	API_TASKS_TEAM   /* nothing else, by all threads */
};

/* The parameters of kernels with locks. Offsets count from the start of the memory. */
typedef struct api_locks {
	weir_mutex_config first;
	weir_mutex_config second;
	weir_condition_config filled;
	weir_rwlock_config table;
	weir_once_config setup;
	weir_combiner_config counter;
	weir_combiner_config desk; /* is served */
	uint32_t value;
} api_locks;

/* Values of api_lock: what block 1 does, if not all blocks. */
enum {
	API_LOCK_WAIT,        /* waits for the condition, and no other block does */
	API_LOCK_EARLY,       /* signals three times, and then the others wait */
	API_LOCK_BROADCAST,   /* broadcasts without the mutex, while block 0 waits */
	API_LOCK_READ,        /* reads and ends, and then the others ask to write */
	API_LOCK_READ_TWICE,  /* reads, and reads again when block 0 asks to write */
	API_LOCK_WRITE_TWICE, /* writes, and writes again */
	API_LOCK_AS_WRITER,   /* reads, and unlocks as a writer */
	API_LOCK_DOWNGRADE,   /* downgrades a lock that it does not hold */
	API_LOCK_CROSSED,     /* writes and then locks, block 0 the other way round */
	API_LOCK_KEEP,        /* writes, and ends */
	API_LOCK_BEGIN,       /* begins the once, and ends */
	API_LOCK_END,         /* ends a once that it did not begin */
	API_LOCK_MEET         /* no mistake: all wait for each other */
};

/* Values of api_combine: what block 1 does. */
enum {
	API_COMBINE_KEEP,  /* combines, and ends without a release */
	API_COMBINE_CALL,  /* calls the served combiner, and no block serves */
	API_COMBINE_LEAVE, /* leaves, and no other block does */
	API_COMBINE_LARGE  /* publishes two words */
};

/* The parameters of kernels with a crew. The two pointers of its handle are numbers here. */
typedef struct api_crews {
	weir_crew_config crew;
	uint64_t words;
	uint64_t table;
	uint32_t rounds;
	uint32_t value;
} api_crews;

#define API_CREW_SHORT_NS 20000000 /* the deadline of waits that begin again */

/* Values of api_crew: what block 1 does, if not all blocks. */
enum {
	API_CREW_RIGHT,    /* no mistake: all meet, in every way */
	API_CREW_SKIP,     /* does not call the last barrier of all blocks */
	API_CREW_BARRIER,  /* all blocks call the barrier once more */
	API_CREW_FOR,      /* the same with short deadlines, again and again */
	API_CREW_LANE,     /* is alone in lane 1 */
	API_CREW_EVENT,    /* waits for event 1 of its rank to be at 2 */
	API_CREW_PAST,     /* arrives in a lane past the last one */
	API_CREW_SHARED,   /* arrives in lane 0 while block 0 is in it */
	API_CREW_TWICE,    /* arrives in lane 0 twice */
	API_CREW_OLD,      /* waits in lane 0 with the same token again */
	API_CREW_OLD_PHASE /* all but one reuse the previous phase's token at the barrier */
};

/* Values of api_semaphore: what a round does. */
#define API_WAIT 1
#define API_POST 2
#define API_LINGER 4 /* and pauses: for the whole value */

#endif
