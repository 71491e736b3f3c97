/* Watches one launch: feeds its events to race detectors, and keeps what causes are told by.
 *
 * The first execution has one detector, which finds the races. To learn why a pair is unordered, the same execution is
 * run again with several detectors. Each assumes that one thing is right: all scopes are wide enough, a block sync
 * precedes every release, and so on. The assumption under which the pair is ordered is the cause. */
#ifndef WEIR_PTX_WATCH_H
#define WEIR_PTX_WATCH_H

#include "ptx/event.h"
#include "ptx/race.h"

/* Assumptions. */
enum {
	PTX_RED_ACQUIRES = 1,
	PTX_WIDE_SCOPES = 2,
	PTX_ACQUIRES = 4, /* every strong read and every fence acquires */
	PTX_RELEASES = 8,
	PTX_SYNC_BEFORE = 16, /* a block sync before each release */
	PTX_SYNC_AFTER = 32,  /* and after each acquire */
	PTX_STRONG = 64,      /* plain accesses to words that others access strongly are strong */
	PTX_COPIES_WAITED = 128,
	PTX_ASSUMPTIONS = 256
};

#define PTX_GROUPS 512
#define PTX_DETECTORS 10

/* What was done, where and by whom. `thread` counts through the grid; site: an operation's index. */
typedef struct ptx_deed {
	uint64_t number; /* of the event */
	uint32_t thread, site;
} ptx_deed;

/* Races of the same two operations; the numbers are those of the first one. */
typedef struct ptx_group {
	ptx_deed deed
	    [2]; /* the earlier access, and the later one; number is known of the later one alone */
	uint64_t space, address, count;
	uint8_t writes[2], strong[2], copy[2], other_size, lacks_fence;
	uint8_t crosses_warps; /* some of the races are between warps */
	char object[96];       /* the name of the address; the check fills it in */
	/* Found when the execution is run again: */
	uint32_t resolved[PTX_DETECTORS / 32 + 1];
	/* Of the earlier one's block, and the later one's; `behind` is the first fence after `acquire`. */
	ptx_deed release, fence, acquire, behind;
	int has_release, has_fence, has_acquire, has_behind;
	/* A strong read by another thread of each one's block, which the program has before the access. */
	ptx_deed wait[2];
	int has_wait[2];
	/* A strong write by another thread of each one's block, which the program has behind the access. */
	ptx_deed arrival[2];
	int has_arrival[2];
} ptx_group;

/* The last writes to a word that is accessed strongly. */
typedef struct ptx_history {
	uint64_t space, address, initial, value;
	ptx_deed write; /* the last one that changed it */
	/* adds: changes by additions and the like; is_taken: the last one was a compare-and-swap or an exchange */
	int has_write, is_add, is_taken, adds;
	struct ptx_history *next;
} ptx_history;

/* The choices of strong accesses, in order: the write that each one read, or followed in coherence order. In the first
 * execution, choices are made at random, or the newest write is taken; an execution that is run again repeats the
 * choices of the first one. */
typedef struct ptx_choice {
	uint64_t message, value;
	uint32_t chosen, options;
} ptx_choice;

typedef struct ptx_choices {
	ptx_choice *at;
	uint32_t count, room;
	uint32_t next;   /* to be made again, while it is below `count` */
	uint64_t random; /* 0: always the newest */
	uint32_t rate;   /* of 16, in which it is the newest */
	int failed, has_forgotten;
} ptx_choices;

/* A read of an older value, that its thread did not repeat. */
typedef struct ptx_stale {
	ptx_deed deed, write; /* the newest write; its number is 0 if it is not known */
	uint64_t space, address, value, newest;
} ptx_stale;

typedef struct ptx_watch ptx_watch;

/* `choices`: strong reads may return older values; NULL: they return the newest. `assumed` has the assumptions of each detector. `groups` of an earlier execution: their causes are looked for. */
ptx_watch *weir_ptx_watch_create(weir_ptx_machine *machine, const unsigned *assumed,
                                 unsigned detectors, ptx_group *groups, unsigned group_count,
                                 ptx_choices *choices);
void weir_ptx_watch_destroy(ptx_watch *w);
const weir_ptx_observer *weir_ptx_watch_observer(ptx_watch *w);

const ptx_group *weir_ptx_watch_groups(const ptx_watch *w, unsigned *count);
/* Races of pairs of operations for which there was no more room. */
uint64_t weir_ptx_watch_left_out(const ptx_watch *w);
size_t weir_ptx_watch_bytes(const ptx_watch *w);
/* Stores of a value that another lane of the warp has just stored there by the same instruction: no race is reported. */
uint64_t weir_ptx_watch_repeated_stores(const ptx_watch *w);
/* Whether there was a strong access or a fence: without one, most assumptions change nothing. */
int weir_ptx_watch_has_strong(const ptx_watch *w);
/* A read of bytes that were never written: how the launch would have ended without it. 0 if there was
 * none. */
int weir_ptx_watch_unwritten(const ptx_watch *w, weir_ptx_result *result, uint32_t *site,
                             uint64_t *space);
/* The first of the reads that returned an older value; NULL if there was none. */
const ptx_stale *weir_ptx_watch_stale(const ptx_watch *w);
const ptx_history *weir_ptx_watch_history(const ptx_watch *w, uint64_t space, uint64_t address);

#endif
