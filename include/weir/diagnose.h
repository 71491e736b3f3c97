/* Diagnosis (WEIR_DIAGNOSE): the functions of weir/device.h once more, each as a macro that knows its
 * line and leaves notes for the host about what the block does.
 *
 * The objects that take part were created with options.diagnose; others cost a comparison. One
 * thread of a block at a time speaks for it: what single threads lock for themselves is not
 * diagnosed.
 *
 * What is noted, and where: the bit of a mutex is set before it is waited for and cleared after it was
 * given back, so that nothing is stored in between; the block holds it when the bit is set and the
 * block does not say that it waits for it. A barrier counts the block's arrivals, a semaphore the
 * slots that the block has. Checks come before a wait or after a release.
 */
#ifndef WEIR_DIAGNOSE_H
#define WEIR_DIAGNOSE_H

#ifndef WEIR_HAS_THREAD_END
#error "define WEIR_DIAGNOSE before the first of weir's headers, on a machine that has a diagnosis"
#endif

#include "weir/diagnosis/notes.h"

/* What an operation works with; `area` is NULL when it leaves no notes. */
typedef struct weir_notes {
	WEIR_GLOBAL weir_word *area;
	WEIR_GLOBAL weir_word *mine;
	uint32_t id;
	uint32_t line;
	weir_note_place place;
} weir_notes;

WEIR_APART void weir_note_misuse_(weir_notes n, uint32_t kind, uint32_t id, uint32_t line,
                                  uint32_t value)
{
	/* Relaxed: it only gives numbers. */
	uint32_t number = weir_add_rlx(n.area + WEIR_AREA_MISUSE_NEXT, 1);
	WEIR_GLOBAL weir_word *record = n.area + WEIR_MISUSE_AT(number);

	if (number >= WEIR_MISUSES)
		return; /* the first ones are those that tell */
	weir_store_rlx(record + WEIR_MISUSE_OBJECT, id);
	weir_store_rlx(record + WEIR_MISUSE_BLOCK, weir_block_id());
	weir_store_rlx(record + WEIR_MISUSE_THREAD, weir_thread_id());
	weir_store_rlx(record + WEIR_MISUSE_LINE, line);
	weir_store_rlx(record + WEIR_MISUSE_VALUE, value);
	weir_store_rel(record + WEIR_MISUSE_KIND, kind); /* pairs with the host's reading of it */
}

/* The notes of an earlier launch end here. A mutex that its block still held is lost for good. */
WEIR_APART void weir_notes_renew_(weir_notes n, uint32_t launch)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (weir_load_rlx(n.mine + WEIR_NOTE_HELD + id / 32) >> id % 32 & 1)
			weir_note_misuse_(n, WEIR_MISUSE_ENDED_HOLDING, id, n.line,
			                  weir_load_rlx(n.mine + WEIR_NOTE_WHERE(id)));
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		if (i != WEIR_NOTE_THREADS) /* others of the block may have come already */
			weir_note_put_(n.mine, i, 0);
	weir_note_put_(n.mine, WEIR_NOTE_LAUNCH, launch);
}

/* Where the area is, 0 when the object has no header. */
WEIR_FN uint64_t weir_header_area_(WEIR_GLOBAL weir_word *header)
{
	/* Relaxed: written before the launch, like all of a header. */
	uint32_t magic = weir_load_rlx(header + WEIR_HEADER_MAGIC);

	if (magic != WEIR_MAGIC_ALIVE && magic != WEIR_MAGIC_DEAD)
		return 0;
	return (uint64_t)weir_load_rlx(header + WEIR_HEADER_AREA_HIGH) << 32 |
	       weir_load_rlx(header + WEIR_HEADER_AREA_LOW);
}

WEIR_FN weir_notes weir_notes_at_(uint64_t address, uint32_t id, uint32_t line)
{
	weir_notes n;
	n.area = 0;
	n.mine = 0;
	n.id = id;
	n.line = line;
	if (address != 0) {
		n.area = weir_area_at_(address);
		n.mine = weir_notes_of_(n.area);
	}
	n.place = weir_note_place_(n.mine);
	return n;
}

/* Of a block that meets its first object, or this one for the first time. Returns where the area is. */
WEIR_APART uint64_t weir_notes_meet_(WEIR_GLOBAL weir_word *header, uint32_t id, uint32_t line)
{
	uint64_t address = weir_header_area_(header);
	uint32_t index = WEIR_NOTE_KNOWN + id / 32;
	weir_notes n = weir_notes_at_(address, id, line);
	uint32_t known;

	if (address == 0)
		return 0;
	if (!weir_area_begun_()) {
		uint32_t launch = weir_notes_launch_(n.area);
		weir_area_set_(address);
		if (weir_note_get_(n.mine, WEIR_NOTE_LAUNCH) != launch)
			weir_notes_renew_(n, launch);
	}
	known = weir_note_get_(n.mine, index);
	if ((known >> id % 32 & 1) == 0) {
		weir_note_keep_(n.mine, index, known | 1u << id % 32);
		if (weir_load_rlx(header + WEIR_HEADER_MAGIC) == WEIR_MAGIC_DEAD)
			weir_note_misuse_(n, WEIR_MISUSE_DEAD, id, line, 0);
	}
	return address;
}

/* By the thread that speaks for the block, before and after each operation. */
WEIR_FN weir_notes weir_notes_open_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t line)
{
	uint64_t address;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id, line);
	address = weir_area_kept_(id);
	if (address == 0)
		address = weir_notes_meet_(words - WEIR_HEADER_WORDS, id, line);
	return weir_notes_at_(address, id, line);
}

/* Whether the operation is to be left out, after a wait of this block was aborted and its threads
 * could not end. Barriers are not, since the block must stay together; their waits end at once. */
WEIR_FN int weir_notes_aborted_(weir_notes n)
{
	return !WEIR_HAS_THREAD_END && n.area != 0 &&
	       weir_note_get_(n.mine, WEIR_NOTE_ABORTED) != 0;
}

/* The line of the block's last entry. */
WEIR_FN uint32_t weir_note_where_(WEIR_GLOBAL weir_word *mine, uint32_t id)
{
	return weir_note_get_(mine, WEIR_NOTE_WHERE(id));
}

WEIR_FN void weir_note_change_(weir_notes n, uint32_t index, uint32_t value)
{
	if (weir_note_get_(n.mine, index) != value)
		weir_note_put_(n.mine, index, value);
}

/* `where` is from weir_note_where_: a lock asks for it early, together with what else it looks at. */
WEIR_FN void weir_note_begin_(weir_notes n, uint32_t operation, uint32_t where)
{
	if (where != n.line)
		weir_note_put_(n.mine, WEIR_NOTE_WHERE(n.id), n.line);
	weir_note_keep_(n.mine, WEIR_NOTE_LINE, n.line);
	weir_note_keep_(n.mine, WEIR_NOTE_DOING, WEIR_DOING(operation, n.id, weir_thread_id()));
}

WEIR_FN void weir_note_end_(weir_notes n)
{
	weir_note_idle_(n.place);
	weir_area_leave_();
}

/* Of an operation that may have waited in vain: its waits do not take back what they said. */
WEIR_FN void weir_note_end_bounded_(weir_notes n)
{
	if (n.area != 0)
		weir_note_change_(n, WEIR_NOTE_WAITS, 0);
	weir_note_end_(n);
}

/* `held` is the first or second half of what the block has while it locks one more. */
WEIR_APART void weir_note_order_(weir_notes n, uint32_t held, uint32_t first)
{
	for (uint32_t i = 0; i < 32 && held >> i != 0; i++) {
		WEIR_GLOBAL weir_word *order = n.area + WEIR_ORDER_AT(first + i, n.id);
		/* Relaxed: any witness will do. */
		if ((held >> i & 1) != 0 && first + i != n.id && weir_load_rlx(order) == 0)
			weir_store_rlx(order, WEIR_ORDER_WITNESS(weir_block_id(), n.line));
	}
}

WEIR_APART weir_notes weir_note_lock_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t line)
{
	weir_notes n = weir_notes_open_(words, id, line);
	uint32_t bit = 1u << id % 32;
	uint32_t low, high, where;

	if (n.area == 0 || weir_notes_aborted_(n))
		return n;
	low = weir_note_get_(n.mine, WEIR_NOTE_HELD);
	high = weir_note_get_(n.mine, WEIR_NOTE_HELD + 1);
	where = weir_note_where_(n.mine, id);
	if ((low | high) != 0) {
		if (((n.id < 32 ? low : high) & bit) != 0)
			weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, n.id, n.line, where);
		weir_note_order_(n, low, 0);
		weir_note_order_(n, high, 32);
	}
	weir_note_begin_(n, WEIR_OPERATION_LOCK, where);
	weir_note_put_(n.mine, WEIR_NOTE_HELD + n.id / 32, (n.id < 32 ? low : high) | bit);
	return n;
}

WEIR_FN void weir_mutex_lock_at_(weir_mutex m, uint32_t line)
{
	weir_notes n = weir_note_lock_(m.words, m.config.id, line);

	if (weir_notes_aborted_(n))
		return;
	weir_mutex_lock(m);
	weir_note_end_(n);
}

WEIR_APART void weir_note_unlock_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t line)
{
	weir_notes n = weir_notes_open_(words, id, line);
	uint32_t bit = 1u << id % 32;
	uint32_t held;

	if (n.area == 0)
		return;
	held = weir_note_get_(n.mine, WEIR_NOTE_HELD + n.id / 32);
	if ((held & bit) != 0)
		weir_note_put_(n.mine, WEIR_NOTE_HELD + n.id / 32, held & ~bit);
	else
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, n.id, line, 0);
	weir_area_leave_();
}

WEIR_FN void weir_mutex_unlock_at_(weir_mutex m, uint32_t line)
{
	if (!WEIR_HAS_THREAD_END &&
	    weir_notes_aborted_(weir_notes_open_(m.words, m.config.id, line)))
		return; /* it may be another's */
	weir_mutex_unlock(m);
	weir_note_unlock_(m.words, m.config.id, line);
}

/* The block has it, or, when `held` is 0, has it no more. */
WEIR_FN void weir_note_held_(weir_notes n, int held)
{
	uint32_t bit = 1u << n.id % 32;
	uint32_t index = WEIR_NOTE_HELD + n.id / 32;
	uint32_t now = weir_note_get_(n.mine, index);

	weir_note_put_(n.mine, index, held ? now | bit : now & ~bit);
}

/* What only tries can wait for nobody: it says nothing of an order, and is no second lock. */
WEIR_FN weir_result weir_mutex_trylock_at_(weir_mutex m, uint32_t line)
{
	weir_notes n = weir_notes_open_(m.words, m.config.id, line);
	weir_result result;

	if (weir_notes_aborted_(n))
		return WEIR_ABORTED;
	result = weir_mutex_trylock(m);
	if (n.area == 0)
		return result;
	if (result == WEIR_GOT) {
		weir_note_change_(n, WEIR_NOTE_WHERE(n.id), line);
		weir_note_held_(n, 1);
	}
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_mutex_lock_for_at_(weir_mutex m, uint64_t ns, uint32_t line)
{
	weir_notes n = weir_note_lock_(m.words, m.config.id, line);
	weir_result result;

	if (weir_notes_aborted_(n))
		return WEIR_ABORTED;
	result = weir_mutex_lock_for(m, ns);
	if (n.area != 0 && result != WEIR_GOT)
		weir_note_held_(n, 0);
	weir_note_end_bounded_(n);
	return result;
}
#endif

WEIR_FN void weir_mutex_block_lock_at_(weir_mutex m, uint32_t line)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock_at_(m, line);
	weir_block_sync(); /* what the leader acquired comes before what the block does next */
}

WEIR_FN void weir_mutex_block_unlock_at_(weir_mutex m, uint32_t line)
{
	weir_block_sync(); /* what the block did comes before its leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock_at_(m, line);
}

/* Who speaks for the block at a barrier. Where notes are made while others wait, a thread that does
 * neither of a barrier's two jobs if there are enough: the first ones arrive and the last ones poll. */
WEIR_FN int weir_speaks_(void)
{
	return weir_thread_id() == (WEIR_NOTES_AFTER_ARRIVAL ? weir_thread_count() / 2 : 0);
}

WEIR_FN weir_notes weir_note_arrival_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t line)
{
	weir_notes n = weir_notes_open_(words, id, line);

	if (n.area != 0) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_keep_(n.mine, count, weir_note_get_(n.mine, count) + 1);
		weir_note_change_(n, WEIR_NOTE_OF, weir_thread_count());
		weir_note_begin_(n, WEIR_OPERATION_BARRIER, weir_note_where_(n.mine, n.id));
	}
	return n;
}

/* By every thread. */
WEIR_FN weir_notes weir_note_arrive_(weir_barrier b, uint32_t line)
{
	weir_notes n = weir_note_arrival_(b.words, weir_speaks_() ? b.config.id : 0, line);

#if WEIR_COUNTS_THREADS
	if (b.config.id != 0 && weir_block_id() < WEIR_BLOCKS) {
		WEIR_GLOBAL weir_word *area =
		    weir_area_at_(weir_header_area_(b.words - WEIR_HEADER_WORDS));
		/* Relaxed: the block syncs of the barrier lie between this and the leader's look. */
		weir_add_rlx(weir_notes_of_(area) + WEIR_NOTE_THREADS, 1);
	}
#endif
	return n;
}

/* By every thread, when all of the block must have come. */
WEIR_FN void weir_note_pass_(weir_barrier b, weir_notes n)
{
#if WEIR_COUNTS_THREADS
	if (n.area != 0) {
		uint32_t came = weir_note_get_(n.mine, WEIR_NOTE_THREADS);
		weir_note_put_(n.mine, WEIR_NOTE_THREADS, 0);
		if (came < weir_thread_count())
			weir_note_misuse_(n, WEIR_MISUSE_FEWER_THREADS, n.id, n.line, came);
	}
	if (b.config.id != 0)
		weir_block_sync(); /* nobody enters the next one before the count is read */
#else
	(void)b;
#endif
	weir_note_end_(n);
}

#if WEIR_NOTES_AFTER_ARRIVAL

/* The line comes with the number of the object, so that nothing is stored before the arrival, which
 * would be late by that. */
#define WEIR_LINE_AT 8

/* Out of line: the one that speaks has the time for a call. */
WEIR_APART void weir_note_arrived_(weir_word *words, uint32_t id)
{
	weir_note_arrival_(words, id & ((1u << WEIR_LINE_AT) - 1), id >> WEIR_LINE_AT);
}

/* Without a line it is a kernel that calls the algorithm itself. */
WEIR_FN void weir_meanwhile(weir_barrier b)
{
	if (b.config.id >> WEIR_LINE_AT != 0 && weir_speaks_())
		weir_note_arrived_(b.words, b.config.id);
}

WEIR_FN void weir_barrier_wait_at_(weir_barrier b, uint32_t line)
{
	if (b.config.id != 0)
		b.config.id |= line << WEIR_LINE_AT;
	weir_barrier_wait(b);
	if (b.config.id != 0 && weir_speaks_())
		weir_note_idle_(weir_note_place_(0));
}

#else

WEIR_FN void weir_barrier_wait_at_(weir_barrier b, uint32_t line)
{
	weir_notes n = weir_note_arrive_(b, line);

	/* Once in the code, not twice for the sake of a likely kind: PoCL's compiler takes long. */
	weir_barrier_wait_of_(b, WEIR_BARRIER_KIND_(b.config));
	weir_note_pass_(b, n);
}

#endif

WEIR_FN uint32_t weir_barrier_arrive_at_(weir_barrier b, uint32_t line)
{
	weir_notes n;
	uint32_t token = 0;

#if WEIR_NOTES_AFTER_ARRIVAL
	token = weir_barrier_arrive(b);
	n = weir_note_arrive_(b, line);
#else
	n = weir_note_arrive_(b, line);
	token = weir_barrier_arrive(b);
#endif
	if (n.area != 0) /* it is not seen to wait, and yet it has come */
		weir_note_put_(n.mine, WEIR_NOTE_COUNT(n.id),
		               weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)));
	weir_note_end_(n); /* what the block does until it awaits is its own */
	return token;
}

WEIR_FN void weir_barrier_await_at_(weir_barrier b, uint32_t token, uint32_t line)
{
	weir_notes n = weir_notes_open_(b.words, weir_speaks_() ? b.config.id : 0, line);

	if (n.area != 0)
		weir_note_begin_(n, WEIR_OPERATION_BARRIER, weir_note_where_(n.mine, n.id));
	weir_barrier_await(b, token);
	weir_note_pass_(b, n);
}

/* Whether more slots are free than there are, as far as one look can tell. */
WEIR_FN int weir_semaphore_above_(weir_semaphore s)
{
	uint32_t value;

	/* Relaxed: only the number counts. */
	switch (WEIR_SEMAPHORE_KIND_(s.config)) {
	case WEIR_SEMAPHORE_SLEEPING:
		return (int32_t)weir_load_rlx(weir_sleeping_count_(s)) < 0;
#if WEIR_HAS_WORD64
	case WEIR_SEMAPHORE_PACKED:
		return (int32_t)weir_load64_rlx(weir_packed_word_(s)) < 0;
#endif
	default:
		value = weir_load_rlx(&s.words[0]); /* one more than are free; 0: being changed */
		return value > s.config.count + 1;
	}
}

WEIR_APART weir_notes weir_note_wait_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                      uint32_t line)
{
	weir_notes n = weir_notes_open_(words, id, line);

	if (n.area != 0 && !weir_notes_aborted_(n)) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_put_(n.mine, count, weir_note_get_(n.mine, count) + slots);
		weir_note_begin_(n, WEIR_OPERATION_WAIT, weir_note_where_(n.mine, n.id));
	}
	return n;
}

/* Its notes if the block posts more than it took: then the value may have come above its maximum. */
WEIR_APART weir_notes weir_note_post_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                      uint32_t line)
{
	weir_notes n = weir_notes_open_(words, id, line);
	uint32_t count = WEIR_NOTE_COUNT(id);
	uint32_t mine;

	if (n.area == 0)
		return n;
	mine = weir_note_get_(n.mine, count);
	weir_note_change_(n, count, mine > slots ? mine - slots : 0);
	weir_area_leave_();
	return mine < slots ? n : weir_notes_at_(0, 0, line);
}

WEIR_FN void weir_semaphore_wait_n_at_(weir_semaphore s, uint32_t slots, uint32_t line)
{
	weir_notes n = weir_note_wait_(s.words, s.config.id, slots, line);

	if (weir_notes_aborted_(n))
		return;
	if (slots == 1)
		weir_semaphore_wait(s);
	else
		weir_semaphore_wait_n(s, slots);
	weir_note_end_(n);
}

WEIR_FN weir_result weir_semaphore_trywait_n_at_(weir_semaphore s, uint32_t slots, uint32_t line)
{
	weir_notes n = weir_notes_open_(s.words, s.config.id, line);
	weir_result result;

	if (weir_notes_aborted_(n))
		return WEIR_ABORTED;
	result = weir_semaphore_trywait_n(s, slots);
	if (n.area == 0)
		return result;
	if (result == WEIR_GOT) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_put_(n.mine, count, weir_note_get_(n.mine, count) + slots);
	}
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_semaphore_wait_n_for_at_(weir_semaphore s, uint32_t slots, uint64_t ns,
                                                  uint32_t line)
{
	weir_notes n = weir_note_wait_(s.words, s.config.id, slots, line);
	weir_result result;

	if (weir_notes_aborted_(n))
		return WEIR_ABORTED;
	result = weir_semaphore_wait_n_for(s, slots, ns);
	if (n.area != 0 && result != WEIR_GOT) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_put_(n.mine, count, weir_note_get_(n.mine, count) - slots);
	}
	weir_note_end_bounded_(n);
	return result;
}
#endif

WEIR_FN void weir_semaphore_post_n_at_(weir_semaphore s, uint32_t slots, uint32_t line)
{
	weir_notes n;

	if (slots == 1)
		weir_semaphore_post(s);
	else
		weir_semaphore_post_n(s, slots);
	n = weir_note_post_(s.words, s.config.id, slots, line);
	if (n.area != 0 && weir_semaphore_above_(s))
		weir_note_misuse_(n, WEIR_MISUSE_ABOVE_MAXIMUM, n.id, line, s.config.count);
}

WEIR_FN void weir_semaphore_block_wait_at_(weir_semaphore s, uint32_t line)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait_n_at_(s, 1, line);
	weir_block_sync(); /* what the leader acquired comes before what the block does next */
}

WEIR_FN void weir_semaphore_block_post_at_(weir_semaphore s, uint32_t line)
{
	weir_block_sync(); /* what the block did comes before its leader's release */
	if (weir_thread_id() == 0)
		weir_semaphore_post_n_at_(s, 1, line);
}

#define weir_mutex_lock(m) weir_mutex_lock_at_(m, __LINE__)
#define weir_mutex_unlock(m) weir_mutex_unlock_at_(m, __LINE__)
#define weir_mutex_trylock(m) weir_mutex_trylock_at_(m, __LINE__)
#define weir_mutex_lock_for(m, ns) weir_mutex_lock_for_at_(m, ns, __LINE__)
#define weir_semaphore_trywait(s) weir_semaphore_trywait_n_at_(s, 1, __LINE__)
#define weir_semaphore_trywait_n(s, n) weir_semaphore_trywait_n_at_(s, n, __LINE__)
#define weir_semaphore_wait_for(s, ns) weir_semaphore_wait_n_for_at_(s, 1, ns, __LINE__)
#define weir_semaphore_wait_n_for(s, n, ns) weir_semaphore_wait_n_for_at_(s, n, ns, __LINE__)
#define weir_mutex_block_lock(m) weir_mutex_block_lock_at_(m, __LINE__)
#define weir_mutex_block_unlock(m) weir_mutex_block_unlock_at_(m, __LINE__)
#define weir_barrier_wait(b) weir_barrier_wait_at_(b, __LINE__)
#define weir_barrier_arrive(b) weir_barrier_arrive_at_(b, __LINE__)
#define weir_barrier_await(b, token) weir_barrier_await_at_(b, token, __LINE__)
#define weir_semaphore_wait(s) weir_semaphore_wait_n_at_(s, 1, __LINE__)
#define weir_semaphore_post(s) weir_semaphore_post_n_at_(s, 1, __LINE__)
#define weir_semaphore_wait_n(s, n) weir_semaphore_wait_n_at_(s, n, __LINE__)
#define weir_semaphore_post_n(s, n) weir_semaphore_post_n_at_(s, n, __LINE__)
#define weir_semaphore_block_wait(s) weir_semaphore_block_wait_at_(s, __LINE__)
#define weir_semaphore_block_post(s) weir_semaphore_block_post_at_(s, __LINE__)

#endif
