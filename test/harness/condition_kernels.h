/* Kernels that test a condition variable. All machines share this source. A mutex protects plain
 * words, and blocks wait for these to reach certain values. Two conditions follow the mutex, at
 * second.offset and `width` words further on. */
#include "kernels/kernel.h"
#include "params.h"

/* condition_pass: a ring of few cells, which producers fill and consumers empty. */
#define CONDITION_RING 3
#define CONDITION_HEAD HARNESS_DATA /* how many were taken out */
#define CONDITION_TAIL (HARNESS_DATA + 1)
#define CONDITION_LATE (HARNESS_DATA + 2) /* waits that gave up */
#define CONDITION_CELLS (HARNESS_DATA + 3)
/* A bit of `value`: both sides wait for the same condition, which is broadcast. The other bits are the
 * number of producers. */
#define CONDITION_ONE 0x80000000u

/* condition_order: the conductor's words, then the blocks that arrived and the blocks that got
 * in. */
#define CONDITION_CAME HARNESS_DATA
#define CONDITION_ENTERED (HARNESS_DATA + 1)
#define CONDITION_GONE (HARNESS_DATA + 2)
#define CONDITION_LET (HARNESS_DATA + 3)
#define CONDITION_LISTS (HARNESS_DATA + 4)

typedef struct condition_set {
	weir_mutex m;
	weir_condition not_full;
	weir_condition not_empty;
	int is_one;
} condition_set;

WEIR_FN condition_set condition_set_of(WEIR_GLOBAL weir_word *words, harness_params params)
{
	condition_set s;

	s.m = weir_mutex_make(words, params.config.mutex);
	s.not_full = weir_condition_make(words, params.second.condition);
	s.is_one = (params.value & CONDITION_ONE) != 0;
	if (!s.is_one)
		params.second.condition.offset += params.width;
	s.not_empty = weir_condition_make(words, params.second.condition);
	return s;
}

/* Sets the initial state of a wrap test, after `base` waits. */
WEIR_KERNEL(condition_start, harness_params)
{
	(void)data;
	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	params.value = 0;
	weir_condition_start(condition_set_of(words, params).not_full, params.base);
	weir_condition_start(condition_set_of(words, params).not_empty, params.base);
}

/* Wakes one waiter of this condition, or all. */
WEIR_FN void condition_wake(condition_set s, weir_condition c)
{
	if (s.is_one)
		weir_condition_broadcast(c);
	else
		weir_condition_signal(c);
}

/* One wait, with a random deadline below `length` nanoseconds if that is not 0. Returns whether it gave
 * up. */
WEIR_FN uint32_t condition_wait(weir_condition c, weir_mutex m, uint32_t random, uint32_t length)
{
#if WEIR_HAS_DEADLINE
	if (length != 0)
		return weir_condition_wait_for(c, m, random % length) == WEIR_TIMED_OUT;
#endif
	(void)random;
	(void)length;
	weir_condition_wait(c, m);
	return 0;
}

/* Puts an item into the ring. */
WEIR_FN void condition_push(condition_set s, WEIR_GLOBAL uint32_t *data, uint32_t item,
                            uint32_t random, harness_params params)
{
	WEIR_GLOBAL uint32_t *head = data + CONDITION_HEAD;
	WEIR_GLOBAL uint32_t *tail = data + CONDITION_TAIL;

	weir_mutex_lock(s.m);
	if (!params.without && params.length == 0)
		weir_condition_wait_until(s.not_full, s.m, *tail - *head != CONDITION_RING);
	while (!params.without && *tail - *head == CONDITION_RING)
		data[CONDITION_LATE] += condition_wait(s.not_full, s.m, random, params.length);
	data[CONDITION_CELLS + *tail % CONDITION_RING] = item + 1;
	weir_pause(params.hold);
	*tail += 1;
	condition_wake(s, s.not_empty);
	weir_mutex_unlock(s.m);
}

/* Takes an item out, and returns it plus 1. Returns 0 once all `total` items were taken. */
WEIR_FN uint32_t condition_pop(condition_set s, WEIR_GLOBAL uint32_t *data, uint32_t total,
                               uint32_t random, harness_params params)
{
	WEIR_GLOBAL uint32_t *head = data + CONDITION_HEAD;
	WEIR_GLOBAL uint32_t *tail = data + CONDITION_TAIL;
	uint32_t item = 0;

	weir_mutex_lock(s.m);
	while (!params.without && *head == *tail && *head != total)
		data[CONDITION_LATE] += condition_wait(s.not_empty, s.m, random, params.length);
	if (*head != total) {
		item = data[CONDITION_CELLS + *head % CONDITION_RING];
		weir_pause(params.hold);
		*head += 1;
		condition_wake(s, s.not_full);
		if (*head == total)
			weir_condition_broadcast(s.not_empty); /* there are no more */
	}
	weir_mutex_unlock(s.m);
	return item;
}

/* Counts an item in the words after the ring. Returns 1 if it was counted before, or is not an
 * item. */
WEIR_FN uint32_t condition_mark(WEIR_GLOBAL uint32_t *marks, uint32_t item, uint32_t total)
{
	return item == 0 || item > total || marks[item - 1]++ != 0;
}

/* Producers put `rounds` items each into the ring. Consumers take them out until there are no more. */
WEIR_KERNEL(condition_pass, harness_params)
{
	condition_set s = condition_set_of(words, params);
	uint32_t producers = params.value & ~CONDITION_ONE;
	uint32_t total = producers * params.rounds;
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;
	uint32_t item = 1;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; weir_block_id() < producers && i < params.rounds; i++) {
		random = harness_shuffle(random);
		condition_push(s, data, weir_block_id() * params.rounds + i, random >> 4, params);
	}
	while (weir_block_id() >= producers && item != 0) {
		random = harness_shuffle(random);
		item = condition_pop(s, data, total, random >> 4, params);
		if (item != 0)
			errors +=
			    condition_mark(data + CONDITION_CELLS + CONDITION_RING, item, total);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#if WEIR_HAS_BLOCK_VALUE

/* The same for all threads of each block. A cell has a word of each thread. */
WEIR_FN void condition_block_push(condition_set s, WEIR_GLOBAL uint32_t *data, uint32_t item)
{
	WEIR_GLOBAL uint32_t *head = data + CONDITION_HEAD;
	WEIR_GLOBAL uint32_t *tail = data + CONDITION_TAIL;

	weir_mutex_block_lock(s.m);
	weir_condition_block_wait_until(s.not_full, s.m, *tail - *head != CONDITION_RING);
	data[CONDITION_CELLS + *tail % CONDITION_RING * weir_thread_count() + weir_thread_id()] =
	    item + 1;
	weir_block_sync(); /* all threads have read the tail */
	if (weir_thread_id() == 0)
		*tail += 1;
	if (s.is_one)
		weir_condition_block_broadcast(s.not_empty);
	else
		weir_condition_block_signal(s.not_empty);
	weir_mutex_block_unlock(s.m);
}

/* Waits until there is an item or there will be no more, with a deadline below `length`. */
WEIR_FN void condition_block_look(condition_set s, WEIR_GLOBAL uint32_t *data, uint32_t total,
                                  uint32_t length)
{
	WEIR_GLOBAL uint32_t *head = data + CONDITION_HEAD;
	WEIR_GLOBAL uint32_t *tail = data + CONDITION_TAIL;

#if WEIR_HAS_DEADLINE
	while (length != 0 && *head == *tail && *head != total)
		weir_condition_block_wait_for(s.not_empty, s.m, length);
#endif
	weir_condition_block_wait_until(s.not_empty, s.m, *head != *tail || *head == total);
}

WEIR_FN uint32_t condition_block_pop(condition_set s, WEIR_GLOBAL uint32_t *data, uint32_t total,
                                     uint32_t length)
{
	WEIR_GLOBAL uint32_t *head = data + CONDITION_HEAD;
	uint32_t threads = weir_thread_count();
	uint32_t next = (weir_thread_id() + 1) % threads;
	uint32_t item = 0;
	uint32_t at;

	weir_mutex_block_lock(s.m);
	condition_block_look(s, data, total, length);
	at = *head;
	if (at != total) {
		item = data[CONDITION_CELLS + at % CONDITION_RING * threads + next];
		weir_block_sync(); /* all threads have read the head */
		if (weir_thread_id() == 0)
			*head = at + 1;
		weir_condition_block_signal(s.not_full);
		if (s.is_one || at + 1 == total)
			weir_condition_block_broadcast(s.not_empty);
	}
	weir_mutex_block_unlock(s.m);
	return item;
}

WEIR_KERNEL(condition_block, harness_params)
{
	condition_set s = condition_set_of(words, params);
	uint32_t producers = params.value & ~CONDITION_ONE;
	uint32_t total = producers * params.rounds;
	WEIR_GLOBAL uint32_t *marks = data + CONDITION_CELLS + CONDITION_RING * weir_thread_count();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;
	uint32_t item = 1;

	for (uint32_t i = 0; weir_block_id() < producers && i < params.rounds; i++) {
		random = harness_shuffle(random);
		condition_block_push(s, data, weir_block_id() * params.rounds + i);
	}
	while (weir_block_id() >= producers && item != 0) {
		random = harness_shuffle(random);
		item = condition_block_pop(s, data, total, params.length);
		if (item != 0 && weir_thread_id() == weir_thread_count() - 1)
			errors += condition_mark(marks, item, total);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif

/* How many words are wrong of a condition without waiters. */
WEIR_FN uint32_t condition_traces(weir_condition c)
{
	uint32_t errors = 0;

	/* Relaxed: the caller holds the mutex. */
	errors += weir_load_rlx(weir_condition_waiting_(c)) != 0;
	errors +=
	    weir_load_rlx(weir_condition_joined_(c)) != weir_load_rlx(weir_condition_served_(c));
	for (uint32_t i = 0; i < c.config.slots; i += 32)
		errors += weir_load_rlx(weir_condition_gone_(c, i)) != 0;
	return errors;
}

/* Lets one block go on, or all `left`, and waits until it has. Returns what is wrong. */
WEIR_FN uint32_t condition_let(condition_set s, WEIR_GLOBAL uint32_t *data, uint32_t left,
                               int is_all, harness_params params)
{
	uint32_t errors = 0;
	uint32_t entered = data[CONDITION_ENTERED] + (is_all ? left : 1);

	if (params.without)
		data[CONDITION_LET] = entered;
	else if (is_all)
		errors += weir_condition_broadcast(s.not_empty) != left;
	else
		errors += weir_condition_signal(s.not_empty) != 1;
	weir_condition_wait_until(s.not_full, s.m, data[CONDITION_ENTERED] == entered);
	return errors;
}

/* Block 0 wakes the others, half of them one by one and the rest at once. */
WEIR_FN uint32_t condition_conduct(condition_set s, WEIR_GLOBAL uint32_t *data,
                                   harness_params params)
{
	uint32_t gone = params.length ? weir_block_count() / 2 : 0;
	uint32_t stay = weir_block_count() - 1 - gone;
	uint32_t errors = 0;

	weir_mutex_lock(s.m);
	weir_condition_wait_until(s.not_full, s.m,
	                          data[CONDITION_CAME] == weir_block_count() - 1 &&
	                              data[CONDITION_GONE] == gone);
	for (uint32_t i = 0; i < stay - stay / 2; i++)
		errors += condition_let(s, data, stay - i, 0, params);
	if (stay / 2 != 0)
		errors += condition_let(s, data, stay / 2, 1, params);
	return errors;
}

/* The other blocks arrive, wait, and get in. Blocks with odd numbers first give up, if there are
 * deadlines. */
WEIR_FN uint32_t condition_follow(condition_set s, WEIR_GLOBAL uint32_t *data,
                                  harness_params params)
{
	WEIR_GLOBAL uint32_t *lists = data + CONDITION_LISTS;
	uint32_t errors = 0;
	uint32_t before;

	weir_mutex_lock(s.m);
	before = data[CONDITION_CAME]++;
	lists[before] = weir_block_id();
	weir_condition_signal(s.not_full);
	if (params.length && weir_block_id() % 2) {
		errors += condition_wait(s.not_empty, s.m, params.length - 1, params.length) != 1;
		data[CONDITION_GONE] += 1;
		return errors;
	}
	if (!params.without)
		errors += weir_condition_wait(s.not_empty, s.m) != WEIR_OK;
	while (params.without && data[CONDITION_LET] == data[CONDITION_ENTERED]) {
		weir_mutex_unlock(s.m);
		/* The later a block arrived, the more often it looks. */
		for (uint32_t i = before; i < weir_block_count(); i++)
			weir_pause(64);
		weir_mutex_lock(s.m);
	}
	lists[weir_block_count() + data[CONDITION_ENTERED]++] = weir_block_id();
	return errors;
}

/* First come, first served. Each block enters itself in one list before it waits and in another when
 * it was woken. */
WEIR_KERNEL(condition_order, harness_params)
{
	condition_set s = condition_set_of(words, params);
	uint32_t errors;

	if (weir_thread_id() != 0)
		return;
	if (weir_block_id() == 0) {
		errors = condition_conduct(s, data, params);
		errors += weir_condition_signal(s.not_empty) != 0;
		errors += weir_condition_broadcast(s.not_empty) != 0;
		errors += condition_traces(s.not_empty);
	} else {
		errors = condition_follow(s, data, params);
		weir_condition_signal(s.not_full);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
	weir_mutex_unlock(s.m);
}

#if WEIR_HAS_DEADLINE

/* A queue of tickets in plain words, to compare with. */
typedef struct condition_list {
	WEIR_GLOBAL uint32_t *tickets;
	uint32_t count;
} condition_list;

WEIR_FN void condition_remove(condition_list *list, uint32_t at)
{
	list->count--;
	for (; at < list->count; at++)
		list->tickets[at] = list->tickets[at + 1];
}

/* The number of differences between a condition and the list. */
WEIR_FN uint32_t condition_differs(weir_condition c, const condition_list *list)
{
	/* Relaxed, here and below: only this thread uses it. */
	uint32_t served = weir_load_rlx(weir_condition_served_(c));
	uint32_t errors = weir_load_rlx(weir_condition_waiting_(c)) != list->count;

	if (list->count == 0)
		return errors + condition_traces(c);
	errors += list->tickets[0] != served;
	for (uint32_t i = 0; i < list->count; i++)
		errors += (int32_t)(served - list->tickets[i]) > 0;
	return errors;
}

/* A wait that finds no slot keeps its deadline: no block wakes the first waiter here. Returns the
 * errors. */
WEIR_FN uint32_t condition_full(condition_set s)
{
#if WEIR_HAS_DEADLINE
	return weir_condition_wait_for(s.not_full, s.m, 1) != WEIR_TIMED_OUT;
#else
	(void)s;
	return 0;
#endif
}

WEIR_FN uint32_t condition_step(condition_set s, condition_list *list, uint32_t random)
{
	weir_condition c = s.not_full;
	uint32_t what = random >> 28;
	uint32_t ticket, errors = 0;

	if (what < 8) {
		if (weir_condition_join_(c, &ticket))
			list->tickets[list->count++] = ticket;
		else
			errors += (ticket != weir_load_rlx(weir_condition_served_(c))) +
			          condition_full(s);
	} else if (what < 14 && list->count != 0) {
		/* The first, the last, or any. */
		uint32_t at = what == 8   ? 0
		              : what == 9 ? list->count - 1
		                          : (random >> 8) % list->count;

		errors += weir_condition_give_up_(c, list->tickets[at], 1) != WEIR_TIMED_OUT;
		condition_remove(list, at);
	} else if (what == 15 && (random & 0xf00) == 0) {
		errors += weir_condition_broadcast(c) != list->count;
		list->count = 0;
	} else {
		errors += weir_condition_signal(c) != (list->count != 0);
		if (list->count != 0) {
			/* A signal was first. */
			errors += weir_condition_give_up_(c, list->tickets[0], 1) != WEIR_OK;
			condition_remove(list, 0);
		}
	}
	return errors + condition_differs(c, list);
}

/* A lone thread takes and gives up the tickets of many waiters, in random order. */
WEIR_KERNEL(condition_alone, harness_params)
{
	condition_set s = condition_set_of(words, params);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;
	condition_list list;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	list.tickets = data + HARNESS_DATA;
	list.count = 0;
	for (uint32_t i = 0; i < params.rounds; i++) {
		random = harness_next(random);
		weir_mutex_lock(s.m);
		errors += condition_step(s, &list, random);
		weir_mutex_unlock(s.m);
		/* How often the window was full. */
		data[HARNESS_MOST] += weir_load_rlx(weir_condition_joined_(s.not_full)) -
		                          weir_load_rlx(weir_condition_served_(s.not_full)) ==
		                      s.not_full.config.slots;
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

#endif
