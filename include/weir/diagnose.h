/* Diagnosis (WEIR_DIAGNOSE): a layer around the functions of weir/device.h. Each of them becomes a
 * macro that passes its call site to a function of the same name with _at_. That function leaves
 * notes for the host about what the block does (weir/diagnosis/notes.h).
 *
 * The objects that take part were created with options.diagnose; others cost a comparison. One
 * thread of a block at a time speaks for it: locks that single threads take for themselves are not
 * diagnosed. An operation clears only its own notes.
 *
 * The bit of a mutex is set before the wait for it and cleared after its unlock, so that nothing is
 * stored in between. The block holds the mutex when the bit is set and no note says that the block
 * waits for it. A barrier counts the block's arrivals, a semaphore the slots that the block has.
 * Checks come before a wait or after a release.
 */
#ifndef WEIR_DEVICE_H
#include "weir/device.h" /* includes this one in its place */
#endif

#ifndef WEIR_DIAGNOSE_H
#define WEIR_DIAGNOSE_H

#ifndef WEIR_HAS_THREAD_END
#error "define WEIR_DIAGNOSE before the first of weir's headers, on a machine that has a diagnosis"
#endif

#include "weir/diagnosis/notes.h"

/* The call site of an operation, as weir/diagnosis/area.h packs it. */
typedef uint64_t weir_site;

WEIR_FN weir_site weir_site_at(WEIR_LITERAL const char *file, uint32_t line)
{
	return WEIR_SITE_OF((size_t)file, line);
}

#define WEIR_HERE_ weir_site_at(__FILE__, __LINE__)

/* An operation under diagnosis; `area` is NULL when it leaves no notes. */
typedef struct weir_notes {
	WEIR_GLOBAL weir_word *area;
	WEIR_GLOBAL weir_word *mine;
	uint32_t id;
	uint32_t doing; /* its note, by WEIR_DOING; 0: none */
	weir_site site;
} weir_notes;

WEIR_FN weir_notes weir_notes_at_(uint64_t address, uint32_t id, weir_site site)
{
	weir_notes n;
	n.area = weir_area_at_(address);
	n.mine = address != 0 ? weir_notes_of_(n.area) : 0;
	n.id = id;
	n.doing = 0;
	n.site = site;
	return n;
}

/* The lower word says that both are there. Relaxed: the host takes them as they come. */
WEIR_FN void weir_pair_store_(WEIR_GLOBAL weir_word *at, uint64_t value)
{
	weir_store_rlx(at + 1, (uint32_t)(value >> 32));
	weir_store_rlx(at, (uint32_t)value);
}

WEIR_FN weir_site weir_note_site_(weir_notes n)
{
	return (uint64_t)weir_note_get_(n.mine, WEIR_NOTE_SITE(n.id) + 1) << 32 |
	       weir_note_get_(n.mine, WEIR_NOTE_SITE(n.id));
}

/* The kind of misuse says what `fault` and `value` are. */
WEIR_NOINLINE void weir_note_misuse_(weir_notes n, uint32_t kind, uint32_t fault, uint64_t value)
{
	/* Relaxed: it only gives numbers. */
	uint32_t number = weir_add_rlx(n.area + WEIR_AREA_MISUSE_NEXT, 1);
	WEIR_GLOBAL weir_word *record = n.area + WEIR_MISUSE_AT(number);

	if (number >= WEIR_MISUSES)
		return; /* the first records tell the most */
	weir_store_rlx(record + WEIR_MISUSE_OBJECT, n.id);
	weir_store_rlx(record + WEIR_MISUSE_BLOCK, weir_block_id());
	weir_store_rlx(record + WEIR_MISUSE_THREAD, weir_thread_id());
	weir_store_rlx(record + WEIR_MISUSE_FAULT, fault);
	weir_pair_store_(record + WEIR_MISUSE_SITE, n.site);
	weir_pair_store_(record + WEIR_MISUSE_VALUE, value);
	weir_store_rel(record + WEIR_MISUSE_KIND, kind); /* pairs with the host's acquire of it */
}

/* Clears the notes of an earlier launch. A mutex that its block still held is lost for good. */
WEIR_FN void weir_notes_renew_(weir_notes n)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++) {
		WEIR_GLOBAL weir_word *site = n.mine + WEIR_NOTE_SITE(id);
		n.id = id;
		if (weir_load_rlx(n.mine + WEIR_NOTE_HELD + id / 32) >> id % 32 & 1)
			weir_note_misuse_(n, WEIR_MISUSE_ENDED_HOLDING, 0,
			                  (uint64_t)weir_load_rlx(site + 1) << 32 |
			                      weir_load_rlx(site));
	}
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		/* Other threads may have been counted already, and wait for the launch's number. */
		if (i != WEIR_NOTE_THREADS && i != WEIR_NOTE_LAUNCH)
			weir_note_put_(n.mine, i, 0);
}

/* Makes the notes of this launch, unless a thread has. Returns the address of the area; 0: the
 * object has no header. */
WEIR_NOINLINE uint64_t weir_notes_begin_(WEIR_GLOBAL weir_word *header)
{
	uint32_t magic = weir_load_rlx(header + WEIR_HEADER_MAGIC); /* from before the launch */
	uint64_t address = weir_header_area_(header);
	weir_notes n;
	uint32_t launch;

	if (magic != WEIR_MAGIC_ALIVE && magic != WEIR_MAGIC_DEAD)
		return 0;
	n = weir_notes_at_(address, 0, 0);
	launch = weir_notes_launch_(n.area);
	if (weir_notes_claim_(address, n.mine, launch)) {
		weir_notes_renew_(n);
		weir_notes_claimed_(n.mine, launch);
	}
	return address;
}

/* Opens an operation that may be the block's first one on the object in this launch. */
WEIR_NOINLINE uint64_t weir_notes_first_(WEIR_GLOBAL weir_word *header, uint32_t id, weir_site site)
{
	uint64_t address = weir_notes_begin_(header);
	weir_notes n = weir_notes_at_(address, id, site);

	if (address != 0 && weir_note_get_(n.mine, WEIR_NOTE_SITE(id)) == 0 &&
	    weir_load_rlx(header + WEIR_HEADER_MAGIC) == WEIR_MAGIC_DEAD)
		weir_note_misuse_(n, WEIR_MISUSE_DEAD, 0, 0);
	return address;
}

/* Called by the thread that speaks for the block, at the start of each operation. */
WEIR_FN weir_notes weir_notes_open_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	uint64_t address;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id, site);
	address = weir_area_begun_(id);
	if (!WEIR_LIKELY(address != 0))
		address = weir_notes_first_(words - WEIR_HEADER_WORDS, id, site);
	return weir_notes_at_(address, id, site);
}

/* Whether the thread speaks for the block at a barrier: one that neither arrives nor polls, if
 * there are enough threads. The first ones arrive and the last ones poll. */
WEIR_FN int weir_speaks_(void)
{
	return weir_thread_id() == weir_thread_count() / 2;
}

WEIR_FN uint32_t weir_fault_misuse_(uint32_t fault)
{
	return fault == WEIR_FAULT_INDEX       ? WEIR_MISUSE_PAST_ARRAY
	       : fault == WEIR_FAULT_RESULT    ? WEIR_MISUSE_NO_RESULT
	       : fault == WEIR_FAULT_ITEM      ? WEIR_MISUSE_ITEM
	       : fault == WEIR_FAULT_BATCH     ? WEIR_MISUSE_BATCH
	       : fault == WEIR_FAULT_SHARE     ? WEIR_MISUSE_SHARE
	       : fault == WEIR_FAULT_TASK      ? WEIR_MISUSE_TASK
	       : fault == WEIR_FAULT_COMBINE   ? WEIR_MISUSE_THREADS_OF_BLOCK
	       : fault == WEIR_FAULT_SEAT      ? WEIR_MISUSE_SEAT
	       : fault == WEIR_FAULT_OPERATION ? WEIR_MISUSE_OPERATION
	       : fault == WEIR_FAULT_LANE      ? WEIR_MISUSE_LANE
	                                       : WEIR_MISUSE_WRONG_KIND;
}

/* Called when the kernel does not have the kind of the handle, or cannot do what it was asked for. The
 * report says so, and the launch ends like an aborted one, so that the context lives on. Without an area
 * the launch ends with an error. Where a thread cannot end, it returns 1: the operation must be left out. When
 * several threads call it for the same fault, the one that `tells` reports it. */
WEIR_NOINLINE int weir_note_fault_by_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site,
                                      uint32_t fault, uint32_t kind, int tells)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0 && fault != WEIR_FAULT_BARRIER && weir_thread_id() != 0)
		tells = 0;
	if (n.area == 0 && weir_block_id() < WEIR_BLOCKS)
		n = weir_notes_at_(weir_area_now_(), 0, site);
	if (n.area == 0) {
		weir_end_launch(fault, kind);
		return 1;
	}
	if (tells)
		weir_note_misuse_(n, weir_fault_misuse_(fault), fault, kind);
	/* Relaxed, all: the host reads them after the launch has ended, waits as they come. */
	weir_store_rlx(n.area + WEIR_AREA_FAULT_KIND, kind);
	weir_store_rlx(n.area + WEIR_AREA_FAULT, fault);
	weir_store_rlx(n.area + WEIR_AREA_ABORT, 1);
	weir_note_put_(n.mine, WEIR_NOTE_ABORTED, 1);
	weir_area_leave_();
	weir_thread_end_();
	if (WEIR_HAS_THREAD_END) /* a thread that no launch started cannot end */
		weir_end_launch(fault, kind);
	return 1;
}

/* All threads of the block are at a barrier: one of them reports it. */
WEIR_FN int weir_note_fault_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site,
                             uint32_t fault, uint32_t kind)
{
	return weir_note_fault_by_(words, id, site, fault, kind,
	                           fault != WEIR_FAULT_BARRIER || weir_speaks_());
}

#define WEIR_NOTE_FAULT_(PRIMITIVE, object, site)                                                  \
	weir_note_fault_((object).words, (object).config.id, site, WEIR_FAULT_##PRIMITIVE,         \
	                 (object).config.kind)

/* Whether the kind is wrong, so that the operation must be left out. */
#define WEIR_FAULTY_(PRIMITIVE, object, site)                                                      \
	(!WEIR_LIKELY(WEIR_##PRIMITIVE##_FITS_((object).config)) &&                                \
	 WEIR_NOTE_FAULT_(PRIMITIVE, object, site))

/* The same for barriers, unlocks and posts, for which other blocks wait: a check would delay them. In
 * a kernel for all kinds their own dispatch finds the wrong kind (WEIR_DISPATCH_OR_). */
#define WEIR_FIXED_FAULTY_(PRIMITIVE, object, site)                                                \
	(WEIR_##PRIMITIVE##_IS_FIXED_ && WEIR_FAULTY_(PRIMITIVE, object, site))

/* Whether a wait of this block was aborted and its threads could not end. Then the operation is
 * left out. Barriers are not, since the block must stay together; their waits end at once. */
WEIR_FN int weir_notes_aborted_(weir_notes n)
{
	return n.area != 0 && weir_note_get_(n.mine, WEIR_NOTE_ABORTED) != 0;
}

#define WEIR_ABORTED_(object, site)                                                                \
	(!WEIR_HAS_THREAD_END &&                                                                   \
	 weir_notes_aborted_(weir_notes_open_((object).words, (object).config.id, site)))
#define WEIR_LEFT_OUT_(PRIMITIVE, object, site)                                                    \
	(WEIR_ABORTED_(object, site) || WEIR_FAULTY_(PRIMITIVE, object, site))

/* The note of a lock or a wait while it lasts. A function returns it in registers: a larger
 * structure would be returned through memory, which must be loaded again after an acquire. */
typedef struct weir_doing {
	uint32_t note;  /* by WEIR_DOING; 0: none */
	uint32_t place; /* by weir_note_place_ */
} weir_doing;

WEIR_FN weir_doing weir_doing_(uint32_t note)
{
	weir_doing doing;
	doing.note = note;
	doing.place = weir_note_place_(note);
	return doing;
}

/* Notes a lock or a wait. The leader of a block always speaks. Another thread speaks if none
 * does. */
WEIR_FN weir_doing weir_note_begin_(weir_notes n, uint32_t operation)
{
	uint32_t note = WEIR_DOING(operation, n.id, weir_thread_id());

	if (weir_thread_id() == 0)
		weir_note_keep_(n.mine, WEIR_NOTE_DOING, note);
	else if (weir_note_swap_(n.mine, WEIR_NOTE_DOING, 0, note) != 0)
		note = 0;
	return weir_doing_(note);
}

/* Clears the note of an operation on the object of these words. */
WEIR_FN void weir_note_end_(WEIR_GLOBAL weir_word *words, weir_doing doing)
{
	if (WEIR_LIKELY(doing.place != 0))
		weir_note_clear_(doing.place);
	else if (doing.note != 0) /* unless another thread of the block has replaced it */
		weir_note_swap_(weir_notes_here_(words - WEIR_HEADER_WORDS), WEIR_NOTE_DOING,
		                doing.note, 0);
	weir_area_leave_();
}

/* The same for an operation that may have given up: its waits do not clear their notes. */
WEIR_FN void weir_note_end_bounded_(weir_notes n, weir_doing doing)
{
	if (doing.note != 0 && weir_note_get_(n.mine, WEIR_NOTE_WAITS) != 0)
		weir_note_put_(n.mine, WEIR_NOTE_WAITS, 0);
	if (doing.note != 0)
		weir_note_swap_(n.mine, WEIR_NOTE_DOING, doing.note, 0);
	weir_area_leave_();
}

/* Notes the site of the entry if it changed: a store to the area may delay the next release. */
WEIR_FN void weir_note_entry_(weir_notes n, weir_site before)
{
	if (before == n.site)
		return;
	weir_note_put_(n.mine, WEIR_NOTE_SITE(n.id) + 1, (uint32_t)(n.site >> 32));
	weir_note_put_(n.mine, WEIR_NOTE_SITE(n.id), (uint32_t)n.site);
}

/* Adds to the count of the object, in the area too. */
WEIR_FN void weir_note_count_(weir_notes n, uint32_t addend)
{
	uint32_t index = WEIR_NOTE_COUNT(n.id);
	weir_note_put_(n.mine, index, weir_note_get_(n.mine, index) + addend);
}

/* The block's first operation on an object in a launch says where the object is, and that the launch
 * uses it. Returns whether it is the first one of the launch, too. What the caller has loaded before
 * is then from an earlier launch. */
WEIR_FN int weir_note_came_(weir_notes n, WEIR_GLOBAL weir_word *words)
{
	uint32_t launch = weir_note_get_(n.mine, WEIR_NOTE_LAUNCH);

	weir_pair_store_(n.area + WEIR_OBJECT_AT(n.id), (uint64_t)(size_t)words);
	weir_note_entry_(n, 0);
	/* Each pairs with the other, in this exchange of other blocks: these use the object after
	 * the caller's loads. */
	return weir_xchg_acq_rel(words - WEIR_HEADER_WORDS + WEIR_HEADER_CAME, launch) != launch;
}

/* Opens an operation on an object that every block of a launch leaves (weir/leave.h). */
WEIR_NOINLINE uint64_t weir_left_first_(WEIR_GLOBAL weir_word *words, uint32_t id,
                                        WEIR_GLOBAL weir_word *left, weir_site site)
{
	uint64_t address = weir_notes_first_(words - WEIR_HEADER_WORDS, id, site);
	weir_notes n = weir_notes_at_(address, id, site);
	uint32_t before;

	if (address == 0 || weir_note_get_(n.mine, WEIR_NOTE_SITE(id)) != 0)
		return address;
	/* Relaxed: the launches are in order. */
	before = weir_load_rlx(left) & (WEIR_LEFT_STEP - 1);
	if (weir_note_came_(n, words) && before != 0)
		weir_note_misuse_(n, WEIR_MISUSE_NOT_LEFT, 0, before);
	return address;
}

WEIR_FN weir_notes weir_left_open_(WEIR_GLOBAL weir_word *words, uint32_t id,
                                   WEIR_GLOBAL weir_word *left, weir_site site)
{
	uint64_t address;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id, site);
	address = weir_area_begun_(id);
	if (!WEIR_LIKELY(address != 0))
		address = weir_left_first_(words, id, left, site);
	return weir_notes_at_(address, id, site);
}

/* Notes that the block locks n.id while it holds the mutexes of `held`, numbered from `first`. */
WEIR_NOINLINE void weir_note_order_(weir_notes n, uint32_t held, uint32_t first)
{
	for (uint32_t i = 0; i < 32 && held >> i != 0; i++) {
		WEIR_GLOBAL weir_word *order = n.area + WEIR_ORDER_AT(first + i, n.id);
		WEIR_GLOBAL weir_word *block = order + WEIR_ORDER_BLOCK;
		if ((held >> i & 1) == 0 || first + i == n.id || weir_load_rlx(block) != 0)
			continue;
		/* Relaxed, all: any witness will do, and the host waits until it has both. */
		if (weir_cas_rlx(block, 0, weir_block_id() + 1) == 0)
			weir_pair_store_(order + WEIR_ORDER_SITE, n.site);
	}
}

WEIR_NOINLINE weir_doing weir_note_lock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t bit = 1u << id % 32;
	uint32_t low, high, other;
	weir_doing doing;
	weir_site before;

	if (n.area == 0 || (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n)))
		return weir_doing_(0);
	low = weir_note_get_(n.mine, WEIR_NOTE_HELD);
	high = weir_note_get_(n.mine, WEIR_NOTE_HELD + 1);
	other = weir_note_get_(n.mine, WEIR_NOTE_DOING);
	before = weir_note_site_(n);
	if ((low | high) != 0) {
		/* It is no second lock while another thread of the block is still in the first. */
		if (((id < 32 ? low : high) & bit) != 0 &&
		    (other == 0 || WEIR_DOING_THREAD(other) == weir_thread_id()))
			weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, 0, before);
		weir_note_order_(n, low, 0);
		weir_note_order_(n, high, 32);
	}
	weir_note_entry_(n, before);
	doing = weir_note_begin_(n, WEIR_OPERATION_LOCK);
	weir_note_put_(n.mine, WEIR_NOTE_HELD + id / 32, (id < 32 ? low : high) | bit);
	weir_flush_writes(); /* else the unlock would wait for the stores to the area */
	return doing;
}

/* Whether the block has the mutex of that number. One without a diagnosis counts as held. */
WEIR_FN int weir_note_has_(weir_notes n, uint32_t id)
{
	return id == 0 || (weir_note_get_(n.mine, WEIR_NOTE_HELD + id / 32) >> id % 32 & 1) != 0;
}

/* Sets or clears the bit of the mutex. Returns whether it was set. */
WEIR_FN int weir_note_held_(weir_notes n, int held)
{
	uint32_t bit = 1u << n.id % 32;
	uint32_t index = WEIR_NOTE_HELD + n.id / 32;
	uint32_t now = weir_note_get_(n.mine, index);

	weir_note_put_(n.mine, index, held ? now | bit : now & ~bit);
	return (now & bit) != 0;
}

WEIR_FN void weir_mutex_lock_at_(weir_mutex m, weir_site site)
{
	weir_doing doing = weir_note_lock_(m.words, m.config.id, site);

	if (WEIR_LEFT_OUT_(MUTEX, m, site))
		return;
	weir_mutex_lock(m);
	weir_note_end_(m.words, doing);
}

WEIR_NOINLINE void weir_note_unlock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0)
		return;
	if (!weir_note_held_(n, 0))
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, 0, 0);
	weir_area_leave_();
}

/* Returns whether the mutex is unlocked. */
WEIR_FN int weir_mutex_unlock_kind_(weir_mutex m, uint32_t kind, weir_site site)
{
	WEIR_DISPATCH_OR_(MUTEX, kind, _unlock, (m), return !WEIR_NOTE_FAULT_(MUTEX, m, site));
	return 1;
}

#define WEIR_UNLOCK_KIND_(m, kind) unlocked = weir_mutex_unlock_kind_(m, kind, site)

WEIR_FN void weir_mutex_unlock_at_(weir_mutex m, weir_site site)
{
	int unlocked;

	/* After an abort, another block may hold it. */
	if (WEIR_ABORTED_(m, site) || WEIR_FIXED_FAULTY_(MUTEX, m, site))
		return;
	WEIR_DISPATCH_LIKELY_(MUTEX, WEIR_MUTEX_KIND_(m.config), WEIR_UNLOCK_KIND_, m);
	if (unlocked)
		weir_note_unlock_(m.words, m.config.id, site);
}

/* A try waits for no block, so it is neither part of an order nor a second lock. */
WEIR_FN weir_result weir_mutex_trylock_at_(weir_mutex m, weir_site site)
{
	weir_notes n = weir_notes_open_(m.words, m.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(MUTEX, m, site))
		return WEIR_ABORTED;
	result = weir_mutex_trylock(m);
	if (n.area != 0 && result == WEIR_ACQUIRED) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_held_(n, 1);
	}
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_mutex_lock_for_at_(weir_mutex m, uint64_t ns, weir_site site)
{
	weir_doing doing = weir_note_lock_(m.words, m.config.id, site);
	weir_notes n = weir_notes_open_(m.words, m.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(MUTEX, m, site))
		return WEIR_ABORTED;
	result = weir_mutex_lock_for(m, ns);
	if (n.area != 0 && result != WEIR_ACQUIRED)
		weir_note_held_(n, 0);
	weir_note_end_bounded_(n, doing);
	return result;
}
#endif

WEIR_FN void weir_mutex_block_lock_at_(weir_mutex m, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock_at_(m, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_mutex_block_unlock_at_(weir_mutex m, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock_at_(m, site);
}

/* Notes that the block is at the barrier. */
WEIR_FN void weir_note_barrier_(weir_notes *n)
{
	n->doing = WEIR_DOING(WEIR_OPERATION_BARRIER, n->id, weir_thread_id());
	weir_note_keep_(n->mine, WEIR_NOTE_BARRIER, n->doing);
}

/* Called by every thread of the block before it arrives. The notes of an arrival stay with the
 * block: a store to the area would delay the release. Only the speaker writes them. */
WEIR_FN weir_notes weir_note_arrive_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_notes_at_(0, 0, site);

	/* The conditions of weir_notes_open_, so that the other warps skip all of it at once. */
	if (weir_speaks_() && b.config.id != 0 && weir_block_id() < WEIR_BLOCKS) {
		n = weir_notes_open_(b.words, b.config.id, site);
		if (weir_notes_usable_(n)) {
			weir_note_add_(n.mine, WEIR_NOTE_COUNT(n.id), 1);
			weir_note_keep_pair_(n.mine, WEIR_NOTE_SITE(n.id), site);
			weir_note_barrier_(&n);
		}
	}
#if WEIR_COUNTS_THREADS
	if (n.area != 0)
		weir_note_put_(n.mine, WEIR_NOTE_OF, weir_thread_count());
	if (b.config.id != 0 && weir_block_id() < WEIR_BLOCKS) {
		uint64_t address = weir_notes_begin_(b.words - WEIR_HEADER_WORDS);
		/* Relaxed: block syncs of the barrier lie between this and the speaker's load. */
		if (address != 0)
			weir_add_rlx(weir_notes_of_(weir_area_at_(address)) + WEIR_NOTE_THREADS, 1);
	}
#endif
	return n;
}

/* Called by every thread, when all threads of the block must have come. */
WEIR_FN void weir_note_pass_(weir_barrier b, weir_notes n)
{
#if WEIR_COUNTS_THREADS
	if (n.area != 0) {
		uint32_t came = weir_note_get_(n.mine, WEIR_NOTE_THREADS);
		weir_note_put_(n.mine, WEIR_NOTE_THREADS, 0);
		if (came < weir_thread_count())
			weir_note_misuse_(n, WEIR_MISUSE_FEWER_THREADS, 0, came);
	}
	if (b.config.id != 0)
		weir_block_sync(); /* no thread enters the next barrier before the count is read */
#else
	(void)b;
#endif
	if (n.doing != 0)
		weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, 0);
	weir_area_leave_();
}

WEIR_FN void weir_barrier_wait_kind_(weir_barrier b, uint32_t kind, weir_site site)
{
	WEIR_DISPATCH_OR_(BARRIER, kind, _barrier, (b), WEIR_NOTE_FAULT_(BARRIER, b, site));
}

#define WEIR_BARRIER_WAIT_KIND_(b, kind) weir_barrier_wait_kind_(b, kind, site)

WEIR_FN void weir_barrier_wait_at_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_note_arrive_(b, site);

	if (WEIR_FIXED_FAULTY_(BARRIER, b, site))
		return;
	weir_check_blocks(b.config.blocks);
	WEIR_DISPATCH_LIKELY_(BARRIER, WEIR_BARRIER_KIND_(b.config), WEIR_BARRIER_WAIT_KIND_, b);
	weir_note_pass_(b, n);
}

/* A kernel for all kinds leaves these operations out in their dispatch: PoCL 3.1 makes wrong code of
 * one more branch around a block sync. */
#define WEIR_BARRIER_LEFT_OUT_(b, site) (WEIR_FAULTY_(BARRIER, b, site) && WEIR_BARRIER_IS_FIXED_)

WEIR_FN uint32_t weir_barrier_arrive_at_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_note_arrive_(b, site);
	uint32_t token;

	if (WEIR_BARRIER_LEFT_OUT_(b, site))
		return 0;
	token = weir_barrier_arrive(b);
	if (n.area != 0) { /* it has arrived, though it does not wait */
		weir_note_publish_entry_(n.mine, n.id);
		weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, 0);
	}
	weir_area_leave_();
	return token;
}

WEIR_FN void weir_barrier_await_at_(weir_barrier b, uint32_t token, weir_site site)
{
	weir_notes n = weir_notes_open_(b.words, weir_speaks_() ? b.config.id : 0, site);

	if (WEIR_BARRIER_LEFT_OUT_(b, site))
		return;
	if (n.area != 0) {
		weir_note_entry_(n, weir_note_site_(n));
		weir_note_barrier_(&n);
	}
	weir_barrier_await(b, token);
	weir_note_pass_(b, n);
}

#if WEIR_HAS_DEADLINE
/* It leaves no notes, since it ends by itself. */
WEIR_FN weir_result weir_barrier_wait_for_at_(weir_barrier b, uint64_t ns, weir_site site)
{
	if (WEIR_BARRIER_LEFT_OUT_(b, site))
		return WEIR_ABORTED;
	return weir_barrier_wait_for(b, ns);
}
#endif

WEIR_NOINLINE weir_doing weir_note_wait_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                         weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0 || (!WEIR_HAS_THREAD_END && weir_notes_aborted_(n)))
		return weir_doing_(0);
	weir_note_count_(n, slots);
	weir_note_entry_(n, weir_note_site_(n));
	weir_flush_writes(); /* else the post would wait for the stores to the area */
	return weir_note_begin_(n, WEIR_OPERATION_WAIT);
}

/* Returns whether the block posts more than it took. The value may then be above its maximum. */
WEIR_NOINLINE int weir_note_post_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                  weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t mine;

	if (n.area == 0)
		return 0;
	mine = weir_note_get_(n.mine, WEIR_NOTE_COUNT(id));
	if (mine != 0)
		weir_note_put_(n.mine, WEIR_NOTE_COUNT(id), mine > slots ? mine - slots : 0);
	weir_area_leave_();
	return mine < slots;
}

WEIR_FN void weir_semaphore_wait_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_doing doing = weir_note_wait_(s.words, s.config.id, slots, site);

	if (WEIR_LEFT_OUT_(SEMAPHORE, s, site))
		return;
	if (slots == 1)
		weir_semaphore_wait(s);
	else
		weir_semaphore_wait_n(s, slots);
	weir_note_end_(s.words, doing);
}

WEIR_FN weir_result weir_semaphore_trywait_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_notes n = weir_notes_open_(s.words, s.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(SEMAPHORE, s, site))
		return WEIR_ABORTED;
	result = weir_semaphore_trywait_n(s, slots);
	if (n.area != 0 && result == WEIR_ACQUIRED)
		weir_note_count_(n, slots);
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_semaphore_wait_n_for_at_(weir_semaphore s, uint32_t slots, uint64_t ns,
                                                  weir_site site)
{
	weir_doing doing = weir_note_wait_(s.words, s.config.id, slots, site);
	weir_notes n = weir_notes_open_(s.words, s.config.id, site);
	weir_result result;

	if (WEIR_LEFT_OUT_(SEMAPHORE, s, site))
		return WEIR_ABORTED;
	result = weir_semaphore_wait_n_for(s, slots, ns);
	if (n.area != 0 && result != WEIR_ACQUIRED)
		weir_note_count_(n, 0 - slots);
	weir_note_end_bounded_(n, doing);
	return result;
}
#endif

/* Returns whether the slot is given back. */
WEIR_FN int weir_semaphore_post_kind_(weir_semaphore s, uint32_t kind, weir_site site)
{
	WEIR_DISPATCH_OR_(SEMAPHORE, kind, _post, (s),
	                  return !WEIR_NOTE_FAULT_(SEMAPHORE, s, site));
	return 1;
}

#define WEIR_POST_KIND_(s, kind) posted = weir_semaphore_post_kind_(s, kind, site)

WEIR_FN void weir_semaphore_post_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	int posted = 1;

	if (WEIR_FIXED_FAULTY_(SEMAPHORE, s, site))
		return;
	if (slots == 1) {
		WEIR_DISPATCH_LIKELY_(SEMAPHORE, WEIR_SEMAPHORE_KIND_(s.config), WEIR_POST_KIND_,
		                      s);
	} else if (WEIR_FAULTY_(SEMAPHORE, s, site)) {
		return;
	} else {
		weir_semaphore_post_n(s, slots);
	}
	if (posted && !WEIR_LIKELY(!weir_note_post_(s.words, s.config.id, slots, site)) &&
	    weir_semaphore_above(s))
		weir_note_misuse_(weir_notes_open_(s.words, s.config.id, site),
		                  WEIR_MISUSE_ABOVE_MAXIMUM, 0, s.config.maximum);
}

WEIR_FN void weir_semaphore_block_wait_at_(weir_semaphore s, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait_n_at_(s, 1, site);
	weir_block_sync(); /* extends the leader's acquire to its block */
}

WEIR_FN void weir_semaphore_block_post_at_(weir_semaphore s, weir_site site)
{
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0)
		weir_semaphore_post_n_at_(s, 1, site);
}

#define weir_mutex_lock(m) weir_mutex_lock_at_(m, WEIR_HERE_)
#define weir_mutex_unlock(m) weir_mutex_unlock_at_(m, WEIR_HERE_)
#define weir_mutex_trylock(m) weir_mutex_trylock_at_(m, WEIR_HERE_)
#define weir_mutex_lock_for(m, ns) weir_mutex_lock_for_at_(m, ns, WEIR_HERE_)
#define weir_semaphore_trywait(s) weir_semaphore_trywait_n_at_(s, 1, WEIR_HERE_)
#define weir_semaphore_trywait_n(s, n) weir_semaphore_trywait_n_at_(s, n, WEIR_HERE_)
#define weir_semaphore_wait_for(s, ns) weir_semaphore_wait_n_for_at_(s, 1, ns, WEIR_HERE_)
#define weir_semaphore_wait_n_for(s, n, ns) weir_semaphore_wait_n_for_at_(s, n, ns, WEIR_HERE_)
#define weir_mutex_block_lock(m) weir_mutex_block_lock_at_(m, WEIR_HERE_)
#define weir_mutex_block_unlock(m) weir_mutex_block_unlock_at_(m, WEIR_HERE_)
#define weir_barrier_wait(b) weir_barrier_wait_at_(b, WEIR_HERE_)
#define weir_barrier_wait_for(b, ns) weir_barrier_wait_for_at_(b, ns, WEIR_HERE_)
#define weir_barrier_arrive(b) weir_barrier_arrive_at_(b, WEIR_HERE_)
#define weir_barrier_await(b, token) weir_barrier_await_at_(b, token, WEIR_HERE_)
#define weir_semaphore_wait(s) weir_semaphore_wait_n_at_(s, 1, WEIR_HERE_)
#define weir_semaphore_post(s) weir_semaphore_post_n_at_(s, 1, WEIR_HERE_)
#define weir_semaphore_wait_n(s, n) weir_semaphore_wait_n_at_(s, n, WEIR_HERE_)
#define weir_semaphore_post_n(s, n) weir_semaphore_post_n_at_(s, n, WEIR_HERE_)
#define weir_semaphore_block_wait(s) weir_semaphore_block_wait_at_(s, WEIR_HERE_)
#define weir_semaphore_block_post(s) weir_semaphore_block_post_at_(s, WEIR_HERE_)

#include "weir/diagnosis/combine.h"
#include "weir/diagnosis/condition.h"
#include "weir/diagnosis/crew.h"
#include "weir/diagnosis/dispenser.h"
#include "weir/diagnosis/event.h"
#include "weir/diagnosis/once.h"
#include "weir/diagnosis/queue.h"
#include "weir/diagnosis/rwlock.h"
#include "weir/diagnosis/task.h"

#endif
