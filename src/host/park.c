/* Threads that sleep until a word of shared memory changes: a table of them, by the cache lines of the words.
 *
 *   line    (armed, published, arming, sleepers), all zero at first
 *   sleep   enter: (0, 0, g, S) -> (1, 0, g+1, S+s), or (1, p, g, S) -> (1, p, g, S+s). Unless it is
 *           published: a fence in every thread, and then (1, 0, g, S) -> (1, 1, g, S) if g is still the
 *           same. A load of the word; a sleep; (a, p, g, S) -> (a, p, g, S-s)
 *   write   the word, and then a load of `armed`. If it is 1: (1, p, g, S) -> (1, p, g, S-W), where W are
 *           the sleepers whose waits the word ends; they are woken. After several writes that wake no thread,
 *           (1, p, g, {}) -> (0, 0, g, {})
 *
 * Why no thread is left asleep. A writer writes the word (A) and then loads `armed` (B), inline in
 * weir_host_written_. A sleeper enters the line (C) and then loads the word (D). If D misses A, and B misses the
 * arming, the sleeper is never woken. A fence between A and B would cost as much as the whole operation without
 * contention. So the sleeper pays for the fence instead. Between the arming and D lies a membarrier, by this sleeper or
 * by one that entered before and published it. That is a fence in every thread of the process that runs, and a thread
 * that does not run has passed one. If the writer's fence lies before B, B finds the line armed: it stays so until it
 * is unpublished, by the lock before or after C. Else the fence lies after B, and so after A, and D finds what A wrote.
 * Only the compiler must keep A before B. A writer that finds the line armed takes its lock. Either that comes after C
 * and it finds the sleeper, or before C, and D finds what A wrote.
 *
 * A writer looks at the word after its own write. If it has changed back by then, another thread has
 * written it and looks as well, so the last writer wakes all sleepers whose hint holds.
 *
 * Some waiters change the word back themselves, such as those of a spin mutex. Of these a writer wakes one.
 * If all sleepers of the line are such waiters for this word, it also disarms the line: until the woken
 * thread runs, others lock and unlock at full speed. That thread arms the line again, with the fence, before
 * it looks at the word. Either it changes the word then, and wakes the next one when it changes it back; or
 * another thread has, and finds the line armed when it does.
 *
 * Every sleep has an end. A word may be written by another process, which has its own table, or by another copy of the
 * library, and a hint may become wrong. A sleep also ends at the deadline of its wait. The sleeps of a line are short
 * after one that missed a write. */
#define _GNU_SOURCE
#include "host/park.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/word.h"

enum {
	POLLS = 64, /* before a sleep: about as long as it costs */
	LEAST_POLLS =
	    16, /* even where no thread can write during the polls: some waits poll a word rarely */
	IDLE_WRITES = 32, /* that find no sleeper, until the line is no longer armed */
	/* A timer that comes before the scheduler's next tick makes a sleep twice as expensive. */
	LONG_SLEEP_NS = 8000000,
	LONG_DOUBLINGS = 4,
	SHORT_SLEEP_NS = 50000,
	SHORT_DOUBLINGS = 10,
	WOKEN_AT_ONCE = 64
};

enum {
	ASLEEP,
	AWAKE
};

struct sleeper;

/* A sleeper in a line. */
struct place {
	struct place *next, *before; /* a ring, in the order of coming; `next` is NULL outside */
	const weir_rest_hint *hint;
	struct sleeper *sleeper;
};

struct sleeper {
	uint32_t state; /* it sleeps while this is ASLEEP */
	struct place places[WEIR_REST_HINTS];
};

/* `armed` is weir_host_armed_. All but `count` are guarded by the lock. */
static struct line {
	pthread_mutex_t lock;
	struct place sleepers; /* of the ring, none itself */
	uint32_t count;        /* of them; others look at it as a guess */
	uint32_t arming;
	uint32_t idle;
	int published;
	int missed; /* the last sleep missed a write */
} lines[WEIR_HOST_LINES];

uint32_t weir_host_armed_[WEIR_HOST_LINES];

static weir_host_sleeps sleeps;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int can_park;
static int has_other_cores;

static struct line *line_of(const void *word)
{
	return &lines[WEIR_HOST_LINE_OF_(word)];
}

/* Called in the child of a fork as well, where none of the sleepers exist. */
static void make_table(void)
{
	memset(lines, 0, sizeof lines);
	for (uint32_t i = 0; i < WEIR_HOST_LINES; i++) {
		pthread_mutex_init(&lines[i].lock, NULL);
		lines[i].sleepers.next = lines[i].sleepers.before = &lines[i].sleepers;
		__atomic_store_n(&weir_host_armed_[i], 0, __ATOMIC_RELAXED);
	}
}

static void start(void)
{
	cpu_set_t cores;

	make_table();
	has_other_cores = sched_getaffinity(0, sizeof cores, &cores) != 0 || CPU_COUNT(&cores) > 1;
	can_park = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
	           pthread_atfork(NULL, NULL, make_table) == 0;
}

int weir_host_can_park(void)
{
	pthread_once(&once, start);
	return __atomic_load_n(&can_park, __ATOMIC_RELAXED);
}

/* Relaxed: the data are acquired by the wait that polls again. */
static int holds(const weir_rest_hint *hint)
{
	uint32_t word =
	    hint->test & WEIR_REST_64
		? (uint32_t)(__atomic_load_n((const weir_value64_ *)hint->word, __ATOMIC_RELAXED) >>
	                     32)
		: __atomic_load_n((const uint32_t *)hint->word, __ATOMIC_RELAXED);

	word &= hint->mask;
	switch (hint->test & WEIR_REST_TEST) {
	case WEIR_REST_EQ:
		return word == hint->value;
	case WEIR_REST_NE:
		return word != hint->value;
	default:
		return (int32_t)(word - hint->value) >= 0;
	}
}

/* With the lock. Relaxed: the membarrier orders the arming, and nothing the opposite. */
static void arm(struct line *line, uint32_t armed)
{
	__atomic_store_n(&weir_host_armed_[line - lines], armed, __ATOMIC_RELAXED);
	line->arming += armed;
	line->published = 0;
}

static void count(struct line *line, uint32_t addend)
{
	__atomic_store_n(&line->count, line->count + addend, __ATOMIC_RELAXED);
}

/* Makes every write that a sleeper of the line may have missed visible to it, if no other sleeper has. */
static void publish(struct line *line, uint32_t arming)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
		__atomic_store_n(&can_park, 0, __ATOMIC_RELAXED); /* a sandbox took it away */
		return;
	}
	pthread_mutex_lock(&line->lock);
	if (line->arming == arming)
		line->published =
		    __atomic_load_n(&weir_host_armed_[line - lines], __ATOMIC_RELAXED) != 0;
	pthread_mutex_unlock(&line->lock);
}

static void enter(struct place *place)
{
	struct line *line = line_of(place->hint->word);
	struct place *end = &line->sleepers;
	uint32_t arming;
	int published;

	pthread_mutex_lock(&line->lock);
	place->next = end;
	place->before = end->before;
	end->before->next = place;
	end->before = place;
	count(line, 1);
	if (!__atomic_load_n(&weir_host_armed_[line - lines], __ATOMIC_RELAXED))
		arm(line, 1);
	line->idle = 0;
	arming = line->arming;
	published = line->published;
	pthread_mutex_unlock(&line->lock);
	if (!published)
		publish(line, arming);
}

/* With the lock. */
static void take_out(struct line *line, struct place *place)
{
	place->next->before = place->before;
	place->before->next = place->next;
	place->next = NULL;
	count(line, 0u - 1);
}

/* Returns whether no writer has taken it out. */
static int leave(struct place *place, int missed)
{
	struct line *line = line_of(place->hint->word);
	int is_in;

	pthread_mutex_lock(&line->lock);
	is_in = place->next != NULL;
	if (is_in) {
		take_out(line, place);
		if (missed)
			__atomic_store_n(&line->missed, 1, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&line->lock);
	return is_in;
}

/* The caller was woken as one of the waiters for a word. */
static void arm_again(struct line *line)
{
	uint32_t arming;
	int is_needed;

	pthread_mutex_lock(&line->lock);
	if (line->count && !__atomic_load_n(&weir_host_armed_[line - lines], __ATOMIC_RELAXED))
		arm(line, 1);
	is_needed = line->count && !line->published;
	arming = line->arming;
	pthread_mutex_unlock(&line->lock);
	if (is_needed)
		publish(line, arming);
}

/* Takes the sleeper out, after which it may be gone. Returns the word on which it sleeps, or NULL if it is
 * awake already. */
static uint32_t *wake(struct line *line, struct place *place)
{
	uint32_t *state = &place->sleeper->state;

	take_out(line, place);
	/* Pairs with the acquire in weir_host_park: this thread is done with the sleeper. */
	return __atomic_exchange_n(state, AWAKE, __ATOMIC_RELEASE) == ASLEEP ? state : NULL;
}

/* Wakes some of the sleepers whose hint on `word` holds, or of all sleepers if `word` is NULL. Returns whether there
 * may be more. The system call is made without the lock; by then a sleeper may be gone, and the call wakes no
 * thread. */
static int wake_some(struct line *line, const void *word)
{
	uint32_t *states[WOKEN_AT_ONCE];
	uint32_t woken = 0;
	int has_one = 0;
	int has_others = 0; /* that stay */
	struct place *place, *next;

	pthread_mutex_lock(&line->lock);
	if (line->count == 0 && ++line->idle >= IDLE_WRITES)
		arm(line, 0);
	for (place = line->sleepers.next; place != &line->sleepers && woken < WOKEN_AT_ONCE;
	     place = next) {
		int one = word && (place->hint->test & WEIR_REST_ONE);
		next = place->next;
		if (word &&
		    (place->hint->word != word || (one && has_one) || !holds(place->hint))) {
			has_others |= !one || place->hint->word != word;
			continue;
		}
		has_one |= one;
		states[woken] = wake(line, place);
		woken += states[woken] != NULL;
	}
	if (has_one && !has_others && woken < WOKEN_AT_ONCE)
		arm(line, 0);
	if (woken)
		__atomic_store_n(&line->missed, 0, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&line->lock);
	for (uint32_t i = 0; i < woken; i++)
		weir_host_word_wake(states[i]);
	return woken == WOKEN_AT_ONCE;
}

void weir_host_wake_(const void *word)
{
	pthread_once(&once, start); /* the table was made before what the caller saw */
	while (wake_some(line_of(word), word))
		;
}

/* Each lock is taken, armed or not. A sleeper that enters later knows by the lock what happened before, and one
 * that was there is found. */
void weir_host_wake_all(void)
{
	pthread_once(&once, start);
	for (uint32_t i = 0; i < WEIR_HOST_LINES; i++)
		while (wake_some(&lines[i], NULL))
			;
}

static uint64_t sleep_ns(const weir_rest *rest, int is_short)
{
	uint32_t most = is_short ? SHORT_DOUBLINGS : LONG_DOUBLINGS;
	uint64_t ns = (uint64_t)(is_short ? SHORT_SLEEP_NS : LONG_SLEEP_NS)
	              << (rest->sleeps < most ? rest->sleeps : most);
	uint64_t now;

	if (rest->until_ns == 0)
		return ns;
	now = weir_host_clock_ns_();
	if (rest->until_ns <= now)
		return 0;
	return rest->until_ns - now < ns ? rest->until_ns - now : ns;
}

/* Whether another thread may write the word while the caller polls. If threads already sleep on the line, leave the
 * core to them. */
static int may_poll(const weir_rest *rest)
{
	return has_other_cores && rest->tries <= POLLS &&
	       __atomic_load_n(&line_of(rest->hints[0].word)->count, __ATOMIC_RELAXED) == 0;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

static int any_holds(const weir_rest *rest, uint32_t hinted)
{
	for (uint32_t i = 0; i < hinted; i++)
		if (holds(&rest->hints[i]))
			return 1;
	return 0;
}

/* The sleeper has entered. Returns whether it was asleep until its time was over, and missed a write. */
static int sleep_in(struct sleeper *sleeper, weir_rest *rest, uint32_t hinted)
{
	const struct line *line = line_of(rest->hints[0].word);

	__atomic_fetch_add(&sleeps.slept, 1, __ATOMIC_RELAXED);
	weir_host_word_wait_for(&sleeper->state, ASLEEP,
	                        sleep_ns(rest, __atomic_load_n(&line->missed, __ATOMIC_RELAXED)));
	/* Pairs with the release in wake. */
	if (__atomic_load_n(&sleeper->state, __ATOMIC_ACQUIRE) == AWAKE) {
		rest->tries = 0;
		rest->sleeps = 0;
		return 0;
	}
	rest->sleeps++;
	if (!any_holds(rest, hinted))
		return 0;
	__atomic_fetch_add(&sleeps.missed, 1, __ATOMIC_RELAXED);
	return 1;
}

weir_host_sleeps weir_host_sleeps_now(void)
{
	return (weir_host_sleeps){__atomic_load_n(&sleeps.slept, __ATOMIC_RELAXED),
	                          __atomic_load_n(&sleeps.missed, __ATOMIC_RELAXED)};
}

int weir_host_park(weir_rest *rest, uint32_t hinted, int (*is_over)(void))
{
	struct sleeper sleeper = {.state = ASLEEP};
	int missed = 0;
	int is_taken;

	if (rest->tries <= LEAST_POLLS || may_poll(rest)) {
		relax();
		return WEIR_REST_PAUSED;
	}
	for (uint32_t i = 0; i < hinted; i++) {
		sleeper.places[i].hint = &rest->hints[i];
		sleeper.places[i].sleeper = &sleeper;
		enter(&sleeper.places[i]);
	}
	if (__atomic_load_n(&can_park, __ATOMIC_RELAXED) && !is_over() && !any_holds(rest, hinted))
		missed = sleep_in(&sleeper, rest, hinted);
	/* Pairs with the release in wake, which takes the sleeper out of its only line. */
	is_taken = hinted == 1 && __atomic_load_n(&sleeper.state, __ATOMIC_ACQUIRE) == AWAKE;
	for (uint32_t i = 0; i < hinted; i++)
		if ((is_taken || !leave(&sleeper.places[i], missed)) &&
		    (rest->hints[i].test & WEIR_REST_ONE))
			arm_again(line_of(rest->hints[i].word));
	return WEIR_REST_SLEPT;
}
