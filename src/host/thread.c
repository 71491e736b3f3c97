/* The host machine in a thread: its place in the grid, its block syncs, and how it leaves a launch. */
#define _GNU_SOURCE
#include "host/thread.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/member.h"
#include "host/park.h"
#include "host/run.h"
#include "host/word.h"

enum {
	LONG_YIELD_NS = 1500000,
	NAPS = 64,
	NAP_US = 20,
	TRIES_BEFORE_NAPS = 16384,
	MOST_NAP_US = 250
};

static __thread weir_host_thread self = {NULL, 0, 1, 0, 1, 0, 0, 1, 0, 0, NULL};
/* Where the thread goes when it leaves: the place of its worker, or of a guarded call. NULL in a thread
 * of the caller's own. */
static __thread jmp_buf *self_leave;

void WEIR_VERSION_PARTS_(WEIR_HOST_FITS_)(void)
{
}

weir_host_thread *weir_host_self_(void)
{
	return &self;
}

weir_status weir_host_join(uint32_t block_id, uint32_t block_count)
{
	weir_status status;

	if (block_id >= block_count)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a thread joins as block %u of %u: blocks count from 0", block_id,
		                 block_count);
	if (self.group)
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "weir_host_join in a kernel: a thread of a launch is block %u of %u",
		    self.block_id, self.block_count);
	status = weir_host_number_thread();
	if (status != WEIR_OK)
		return status;
	self.met = NULL;
	self.block_id = block_id;
	self.block_count = block_count;
	self.thread_id = 0;
	self.thread_count = 1;
	self.cluster_id = block_id;
	self.cluster_rank = 0;
	self.cluster_size = 1;
	self.joined = 1;
	return WEIR_OK;
}

static weir_host_fault_handler on_fault;

weir_host_fault_handler weir_host_on_fault(weir_host_fault_handler handler)
{
	return __atomic_exchange_n(&on_fault, handler, __ATOMIC_ACQ_REL);
}

/* A fault in a thread that has no launch to end. */
static _Noreturn void fail_thread(const char *text)
{
	weir_host_fault_handler handler = __atomic_load_n(&on_fault, __ATOMIC_ACQUIRE);

	if (self_leave) {
		weir_explain("%s", text);
		longjmp(*self_leave, WEIR_HOST_FAULTY);
	}
	if (handler)
		handler(text);
	fprintf(stderr, "weir: %s\n", text);
	abort();
}

/* What is wrong when one of the program's own threads uses a barrier of `blocks` blocks; 0: nothing. */
static int explain_member(const void *words, uint32_t blocks, uint32_t rank, int is_part,
                          char text[256])
{
	int is_alone = self.block_count == 1 && blocks == 1;

	if (!self.joined && !is_alone)
		return snprintf(text, 256,
		                "a thread that is none of its %u blocks came to a barrier: call "
		                "weir_host_join in every thread first",
		                blocks);
	if (rank >= blocks || (!is_part && blocks > self.block_count))
		return snprintf(
		    text, 256,
		    "a thread that joined as block %u of %u came to a barrier of %u: join with "
		    "the count of the barrier",
		    self.block_id, self.block_count, blocks);
	switch (self.joined ? weir_host_membership(words, rank, self.block_count) : WEIR_MEMBER) {
	case WEIR_MEMBER_OF_OTHERS:
		return snprintf(
		    text, 256,
		    "a thread that joined as block %u of %u came to a barrier of another "
		    "number of blocks: join with the count of the barrier",
		    self.block_id, self.block_count);
	case WEIR_MEMBER_TWICE:
		return snprintf(
		    text, 256,
		    "two threads came to a barrier as block %u of %u: join with different "
		    "numbers",
		    self.block_id, self.block_count);
	default:
		return 0;
	}
}

void weir_host_check_member_(const void *words, uint32_t blocks, uint32_t first, uint32_t is_part)
{
	uint32_t rank = self.block_id - first;
	char text[256];

	if (blocks == 0)
		return; /* no barrier: its kind says so */
	if (self.group && rank >= blocks)
		weir_host_end_launch_(WEIR_FAULT_MEMBER, self.block_id);
	else if (self.group)
		weir_host_end_launch_(WEIR_FAULT_GRID, blocks);
	else if (explain_member(words, blocks, rank, (int)is_part, text))
		fail_thread(text);
	else
		self.met = words;
}

uint64_t weir_host_clock_ns_(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int is_ended(void)
{
	return self.group && __atomic_load_n(&self.group->run->ended, __ATOMIC_RELAXED);
}

static void leave_if_ended(void)
{
	if (is_ended())
		longjmp(*self_leave, WEIR_HOST_LEFT);
}

static void nap(uint32_t us)
{
	nanosleep(&(struct timespec){0, (long)us * 1000}, NULL);
}

/* Lets other threads run. A yield that took long gave the core to a thread that does not wait, often of
 * another process. Linux charges a yield as a whole time slice, so a thread that keeps yielding to a busy
 * thread hardly ever runs. It sleeps for a while instead. */
void weir_host_yield_(void)
{
	static __thread uint32_t naps;
	uint64_t before;

	leave_if_ended();
	if (naps > 0) {
		naps--;
		nap(NAP_US);
		return;
	}
	before = weir_host_clock_ns_();
	sched_yield();
	if (weir_host_clock_ns_() - before > LONG_YIELD_NS)
		naps = NAPS;
}

/* Nobody knows when to wake the thread. So it yields for long before it sleeps: where blocks wait in a
 * line, each nap delays all behind. */
static int rest_without_hint(uint32_t tries)
{
	uint32_t us = tries - TRIES_BEFORE_NAPS;

	if (tries <= TRIES_BEFORE_NAPS) {
		weir_host_yield_();
		return WEIR_REST_PAUSED;
	}
	nap(us < MOST_NAP_US ? us : MOST_NAP_US);
	return WEIR_REST_SLEPT;
}

int weir_host_rest_(weir_rest *rest)
{
	uint32_t hinted = rest->hinted;

	leave_if_ended();
	rest->hinted = 0;
	rest->tries++;
	if (hinted == 0 || !weir_host_can_park())
		return rest_without_hint(rest->tries);
	return weir_host_park(rest, hinted, is_ended);
}

void weir_host_jitter_(void)
{
	static __thread uint32_t x;
	if (x == 0)
		x = (self.block_id * 2654435761u) ^ (self.thread_id + 1) ^
		    (uint32_t)weir_host_clock_ns_();
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	if ((x & 15) == 0)
		sched_yield();
	else if ((x & 15) == 1)
		for (volatile uint32_t i = 0; i < (x >> 20); i = i + 1)
			;
}

static void leave(int why)
{
	if (!self.group)
		return;
	weir_host_run_end(self.group->run, why);
	longjmp(*self_leave, WEIR_HOST_LEFT);
}

/* A wait in a thread of the caller's own has no limit. */
void weir_host_end_launch_(uint32_t fault, uint32_t kind)
{
	char text[WEIR_FAULT_BYTES];
	struct weir_host_run *run = self.group ? self.group->run : NULL;

	if (run) {
		pthread_mutex_lock(&run->lock);
		if (!run->fault.why)
			run->fault = (weir_fault){fault, kind};
		pthread_mutex_unlock(&run->lock);
		leave(WEIR_HOST_FAULT);
	} else if (fault != WEIR_FAULT_WAIT) {
		weir_fault_text((weir_fault){fault, kind}, text);
		fail_thread(text);
	}
}

int weir_host_guard(void (*call)(void *), void *context)
{
	jmp_buf *before = self_leave;
	jmp_buf here;
	int how;

	switch (setjmp(here)) {
	case 0:
		self_leave = &here;
		call(context);
		how = 0;
		break;
	case WEIR_HOST_LEFT:
		how = WEIR_HOST_LEFT;
		break;
	default:
		how = WEIR_HOST_FAULTY;
	}
	self_leave = before;
	return how;
}

void weir_host_aborted_(void)
{
	leave(WEIR_HOST_ABORTED);
}

uint64_t *weir_host_area_(void)
{
	static __thread uint64_t area;
	return &area;
}

/* ThreadSanitizer's, in a program that it instruments. It does not see the accesses of a library that is
 * not instrumented, so a block sync tells it what they order. */
extern void tsan_acquire(void *address) __asm__("__tsan_acquire") __attribute__((weak));
extern void tsan_release(void *address) __asm__("__tsan_release") __attribute__((weak));

/* No round ends before this thread has arrived, except that of a launch that ends. So the number of the
 * round is read first: a wait for it to change then misses neither. */
static void meet(uint32_t place, uint32_t threads)
{
	struct weir_host_group *group = self.group;
	struct weir_host_meeting *meeting;
	uint32_t round;

	leave_if_ended();
	if (!group || threads == 1)
		return;
	meeting = &group->meetings[place];
	if (tsan_release)
		tsan_release(meeting);
	round = __atomic_load_n(&meeting->round, __ATOMIC_ACQUIRE);
	leave_if_ended();
	if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_SEQ_CST) == threads) {
		__atomic_store_n(&meeting->arrived, 0, __ATOMIC_RELAXED);
		__atomic_add_fetch(&meeting->round, 1, __ATOMIC_RELEASE);
		weir_host_word_wake(&meeting->round);
	} else {
		weir_host_word_wait(&meeting->round, round);
	}
	if (tsan_acquire)
		tsan_acquire(meeting);
	leave_if_ended();
}

/* A thread of the caller's own is alone in its block. */
uint32_t *weir_host_plain_(uint32_t place)
{
	static __thread uint32_t own;

	return self.group ? &self.group->meetings[place].plain : &own;
}

void weir_host_block_sync_(void)
{
	meet(WEIR_TEAM_BLOCK, self.thread_count);
}

void weir_host_warp_sync_(uint32_t first, uint32_t threads)
{
	meet(WEIR_TEAM_WARP + first, threads);
}

void weir_host_named_sync_(uint32_t id, uint32_t threads)
{
	meet(id, threads);
}

/* The groups run the grid cluster by cluster, so that the blocks of a cluster run at once. */
static void become(const struct weir_host_run *run, uint32_t place)
{
	const uint32_t *size = run->cluster;
	uint32_t rank = place % run->cluster_size;
	uint32_t id = place / run->cluster_size;
	uint32_t block[3];

	self.cluster_id = id;
	self.cluster_rank = rank;
	for (int i = 0; i < 3; i++) {
		uint32_t clusters = run->grid[i] / size[i];
		block[i] = id % clusters * size[i] + rank % size[i];
		id /= clusters;
		rank /= size[i];
	}
	self.block_id = block[0] + run->grid[0] * (block[1] + run->grid[1] * block[2]);
}

/* A function of its own, since setjmp forgets what changed in the one that called it. */
static void run_blocks(const struct weir_host_run *run)
{
	uint32_t first = (uint32_t)(self.group - run->groups);

	for (uint64_t place = first; place < run->blocks; place += run->group_count) {
		become(run, (uint32_t)place);
		run->kernel(run->arguments);
		weir_host_block_sync_();
	}
}

void *weir_host_work(void *argument)
{
	struct weir_host_worker *worker = argument;
	struct weir_host_run *run = worker->self.group->run;

	weir_host_word_wait(&run->gate, WEIR_HOST_SHUT);
	if (run->gate != WEIR_HOST_OPEN)
		return NULL;
	self = worker->self;
	self_leave = &worker->leave;
	if (setjmp(worker->leave) == 0)
		run_blocks(run);
	weir_host_run_leave(run);
	return NULL;
}
