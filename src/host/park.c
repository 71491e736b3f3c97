/* Threads that sleep until a word of shared memory changes: a table of them, by the words' addresses.
 *
 * A writer writes the word (A) and then looks at the count of sleepers of its line (B): inline, in
 * weir_host_written_. A sleeper enters the table, which counts it (C), and then looks at the word (D). If
 * the sleeper misses the write and the writer misses the sleeper, nobody wakes it. Of two fences between A
 * and B, and between C and D, each could be late for the other: so both are needed, and the writer's would
 * cost as much as the whole uncontended operation. Here the sleeper makes both: between C and D it calls
 * membarrier, which is a fence in every thread of the process that runs, and a thread that does not run has
 * passed one. If the writer's fence lies before B, B finds the count. Else it lies after B, and so after A,
 * and D finds the write. Only the compiler must keep A before B.
 *
 * A writer that finds a count takes the lock of the line, looks at the hints of its sleepers, and wakes
 * those whose hint holds. It looks at the word after its own write. A word that has changed back by then
 * was written by another thread, which looks, too: so the last writer wakes all for whom the word is right.
 * Of those who change the word back themselves, such as the waiters of a spin mutex, a writer wakes one: that one
 * looks at the word again, and either it changes the word, or another has, and wakes the next one by that.
 *
 * Every sleep has an end, at first a short one. A word may be written by another process, whose
 * weir_host_written_ knows nothing of this table, or by another copy of the library; a hint may become
 * wrong; and where a wait has a deadline, its sleeps end there. */
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
	    16, /* also where nobody can write meanwhile: a wait may look at some words rarely */
	FIRST_SLEEP_NS = 50000,
	DOUBLINGS = 10,
	WOKEN_AT_ONCE = 64
};

enum {
	ASLEEP,
	AWAKE
};

struct sleeper;

/* A sleeper in a line of the table. */
struct place {
	struct place *next, *before; /* a ring, in the order of coming; `next` is NULL outside */
	const weir_rest_hint *hint;
	struct sleeper *sleeper;
};

struct sleeper {
	uint32_t state; /* sleeps while it is ASLEEP */
	struct place places[WEIR_REST_HINTS];
};

static struct line {
	pthread_mutex_t lock;
	struct place sleepers; /* of the ring, none itself */
} lines[WEIR_HOST_SLEEPERS];

uint32_t weir_host_sleepers_[WEIR_HOST_SLEEPERS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int can_park;
static int has_other_cores;

static struct line *line_of(const void *word)
{
	return &lines[WEIR_HOST_SLEEPERS_OF_(word)];
}

/* Also in the child of a fork, which has none of the sleepers. */
static void make_table(void)
{
	for (uint32_t i = 0; i < WEIR_HOST_SLEEPERS; i++) {
		pthread_mutex_init(&lines[i].lock, NULL);
		lines[i].sleepers.next = lines[i].sleepers.before = &lines[i].sleepers;
	}
	memset(weir_host_sleepers_, 0, sizeof weir_host_sleepers_);
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

/* The counts change under the locks; who reads them without is told by the fences. */
static void count(uint32_t index, uint32_t addend)
{
	__atomic_store_n(&weir_host_sleepers_[index], weir_host_sleepers_[index] + addend,
	                 __ATOMIC_RELAXED);
}

static void enter(struct place *place)
{
	struct line *line = line_of(place->hint->word);
	struct place *end = &line->sleepers;

	pthread_mutex_lock(&line->lock);
	place->next = end;
	place->before = end->before;
	end->before->next = place;
	end->before = place;
	count(WEIR_HOST_SLEEPERS_OF_(place->hint->word), 1);
	pthread_mutex_unlock(&line->lock);
}

/* With the lock of the line. */
static void take_out(struct place *place)
{
	place->next->before = place->before;
	place->before->next = place->next;
	place->next = NULL;
	count(WEIR_HOST_SLEEPERS_OF_(place->hint->word), 0u - 1);
}

static void leave(struct place *place)
{
	struct line *line = line_of(place->hint->word);

	pthread_mutex_lock(&line->lock);
	if (place->next)
		take_out(place);
	pthread_mutex_unlock(&line->lock);
}

/* Takes the sleeper's place out, after which the sleeper may be gone. Returns the word on which it sleeps, or NULL if it
 * is awake already. */
static uint32_t *wake(struct place *place)
{
	uint32_t *state = &place->sleeper->state;

	take_out(place);
	/* Pairs with the acquire in weir_host_park: this thread is done with the sleeper. */
	return __atomic_exchange_n(state, AWAKE, __ATOMIC_RELEASE) == ASLEEP ? state : NULL;
}

/* Wakes up to WOKEN_AT_ONCE; returns whether there may be more. A NULL wakes all. The system is called without the
 * lock, since who wakes takes it. By then a sleeper may be gone, and the call finds nobody. */
static int wake_some(struct line *line, const void *word)
{
	uint32_t *states[WOKEN_AT_ONCE];
	uint32_t woken = 0;
	int has_one = 0;
	struct place *place, *next;

	pthread_mutex_lock(&line->lock);
	for (place = line->sleepers.next; place != &line->sleepers && woken < WOKEN_AT_ONCE;
	     place = next) {
		int one = word && (place->hint->test & WEIR_REST_ONE);
		next = place->next;
		if (word && (place->hint->word != word || (one && has_one) || !holds(place->hint)))
			continue;
		has_one |= one;
		states[woken] = wake(place);
		woken += states[woken] != NULL;
	}
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

/* Each lock is taken, whatever the count. A sleeper that enters later knows by the lock what happened before, and one
 * that was there is found. */
void weir_host_wake_all(void)
{
	if (!weir_host_can_park())
		return;
	for (uint32_t i = 0; i < WEIR_HOST_SLEEPERS; i++)
		while (wake_some(&lines[i], NULL))
			;
}

static uint64_t sleep_ns(const weir_rest *rest)
{
	uint64_t ns = (uint64_t)FIRST_SLEEP_NS << rest->sleeps;
	uint64_t now;

	if (rest->until_ns == 0)
		return ns;
	now = weir_host_clock_ns_();
	if (rest->until_ns <= now)
		return 0;
	return rest->until_ns - now < ns ? rest->until_ns - now : ns;
}

/* Whether another thread may write the word while this one polls. Where others sleep for the line already, the
 * core is better theirs. */
static int may_poll(const weir_rest *rest)
{
	return has_other_cores && rest->tries <= POLLS &&
	       __atomic_load_n(&weir_host_sleepers_[WEIR_HOST_SLEEPERS_OF_(rest->hints[0].word)],
	                       __ATOMIC_RELAXED) == 0;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

int weir_host_park(weir_rest *rest, uint32_t hinted, int (*is_over)(void))
{
	struct sleeper sleeper = {.state = ASLEEP};
	int stays;

	if (rest->tries <= LEAST_POLLS || may_poll(rest)) {
		relax();
		return WEIR_REST_PAUSED;
	}
	for (uint32_t i = 0; i < hinted; i++) {
		sleeper.places[i].hint = &rest->hints[i];
		sleeper.places[i].sleeper = &sleeper;
		enter(&sleeper.places[i]);
	}
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
		__atomic_store_n(&can_park, 0, __ATOMIC_RELAXED); /* a sandbox took it away */
	stays = __atomic_load_n(&can_park, __ATOMIC_RELAXED) && !is_over();
	for (uint32_t i = 0; stays && i < hinted; i++)
		stays = !holds(&rest->hints[i]);
	if (stays)
		weir_host_word_wait_for(&sleeper.state, ASLEEP, sleep_ns(rest));
	/* Pairs with the release in wake. */
	if (__atomic_load_n(&sleeper.state, __ATOMIC_ACQUIRE) == AWAKE || !stays) {
		rest->tries = 0;
		rest->sleeps = 0;
	} else if (rest->sleeps < DOUBLINGS) {
		rest->sleeps++;
	}
	for (uint32_t i = 0; i < hinted; i++)
		if (hinted > 1 || __atomic_load_n(&sleeper.state, __ATOMIC_ACQUIRE) == ASLEEP)
			leave(&sleeper.places[i]);
	return WEIR_REST_SLEPT;
}
