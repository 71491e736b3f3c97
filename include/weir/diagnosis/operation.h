/* What every hook of a diagnosis is made of: the notes of an operation, misuse, and faults. The hooks of a
 * primitive are in diagnosis/PRIMITIVE.h; weir/site.h says how an operation calls them.
 *
 * The objects that take part were created with options.object.diagnose; others cost a comparison. One thread of a
 * block at a time speaks for it: locks that single threads take for themselves are not diagnosed. An operation
 * clears only its own notes. The host reads the area while kernels run. So most accesses here are relaxed: they
 * carry no data but themselves.
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_DIAGNOSIS_OPERATION_H
#define WEIR_DIAGNOSIS_OPERATION_H

#ifndef WEIR_HAS_THREAD_END
#error "define WEIR_DIAGNOSE before the first of weir's headers, on a machine that has a diagnosis"
#endif

#include "weir/diagnosis/notes.h"

/* An operation under diagnosis. `area` is NULL when it leaves no notes: then nothing is entered, begun, counted
 * or held. */
typedef struct weir_notes {
	WEIR_GLOBAL weir_word *area;
	WEIR_GLOBAL weir_word *mine;
	uint32_t id;
	uint32_t doing; /* of a barrier: its note, by WEIR_DOING; 0: none */
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

/* The lower word says that both are there. */
WEIR_FN void weir_pair_store_(WEIR_GLOBAL weir_word *at, uint64_t value)
{
	weir_store_rlx(at + 1, (uint32_t)(value >> 32));
	weir_store_rlx(at, (uint32_t)value);
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
	weir_store_rlx(record + WEIR_MISUSE_FAULT, fault);
	weir_pair_store_(record + WEIR_MISUSE_SITE, n.site);
	weir_pair_store_(record + WEIR_MISUSE_VALUE, value);
	weir_store_rel(record + WEIR_MISUSE_KIND, kind); /* pairs with the host's acquire of it */
}

/* Clears the notes of an earlier launch. A mutex that its block still held is lost for good. */
WEIR_FN void weir_notes_renew_(weir_notes n)
{
	for (n.id = 1; n.id < WEIR_DIAGNOSED; n.id++)
		if (weir_load_rlx(n.mine + WEIR_NOTE_HELD + n.id / 32) >> n.id % 32 & 1)
			weir_note_misuse_(n, WEIR_MISUSE_ENDED_HOLDING, 0,
			                  weir_pair_load_(n.mine + WEIR_NOTE_SITE(n.id)));
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		/* Other threads may have been counted already, and wait for the launch's number. */
		if (i != WEIR_NOTE_THREADS && i != WEIR_NOTE_LAUNCH)
			weir_note_put_(n.mine, i, 0);
}

/* Makes the notes of this launch, unless a thread has. Returns the address of the area; 0: the object has no
 * header. */
WEIR_NOINLINE uint64_t weir_notes_begin_(WEIR_GLOBAL weir_word *header)
{
	uint32_t magic = weir_load_rlx(header + WEIR_HEADER_MAGIC); /* from before the launch */
	uint64_t address = weir_pair_load_(header + WEIR_HEADER_AREA);
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
WEIR_NOINLINE uint64_t weir_notes_first_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	WEIR_GLOBAL weir_word *header = words - WEIR_HEADER_WORDS;
	uint64_t address = weir_notes_begin_(header);
	weir_notes n = weir_notes_at_(address, id, site);

	if (address != 0 && weir_note_get_(n.mine, WEIR_NOTE_SITE(id)) == 0 &&
	    weir_load_rlx(header + WEIR_HEADER_MAGIC) == WEIR_MAGIC_DEAD)
		weir_note_misuse_(n, WEIR_MISUSE_DEAD, 0, 0);
	return address;
}

/* Notes the site of the entry if it changed: a store to the area may delay the next release. */
WEIR_FN void weir_note_entry_(weir_notes n, weir_site before)
{
	if (before == n.site)
		return;
	weir_note_put_(n.mine, WEIR_NOTE_SITE(n.id) + 1, (uint32_t)(n.site >> 32));
	weir_note_put_(n.mine, WEIR_NOTE_SITE(n.id), (uint32_t)n.site);
}

WEIR_FN weir_site weir_note_site_(weir_notes n)
{
	return (uint64_t)weir_note_get_(n.mine, WEIR_NOTE_SITE(n.id) + 1) << 32 |
	       weir_note_get_(n.mine, WEIR_NOTE_SITE(n.id));
}

/* What the block's first operation on an object in a launch looks at. It then also says where the object is,
 * and that the launch uses it. */
#define WEIR_FIRST_NOTHING 0u
#define WEIR_FIRST_NEXT 1u  /* the next item: an earlier launch may not have taken all */
#define WEIR_FIRST_ROUND 2u /* the round of an array of events */
/* `left`, whose bits these are (weir/leave.h): some blocks of an earlier launch may not have left. */
#define WEIR_FIRST_LEFT (WEIR_LEFT_STEP - 1)

WEIR_NOINLINE uint64_t weir_notes_first_at_(WEIR_GLOBAL weir_word *words, uint32_t id,
                                            weir_site site, uint32_t first,
                                            WEIR_GLOBAL weir_word *at)
{
	WEIR_GLOBAL weir_word *came = words - WEIR_HEADER_WORDS + WEIR_HEADER_CAME;
	uint64_t address = weir_notes_first_(words, id, site);
	weir_notes n = weir_notes_at_(address, id, site);
	uint32_t launch;
	uint64_t found;

	if (address == 0 || weir_note_get_(n.mine, WEIR_NOTE_SITE(id)) != 0)
		return address;
	launch = weir_note_get_(n.mine, WEIR_NOTE_LAUNCH);
	/* Relaxed, both: the launches are in order. */
#if WEIR_HAS_WORD64
	if (first == WEIR_FIRST_NEXT)
		found = weir_load64_rlx((WEIR_GLOBAL weir_word64 *)at);
	else
#endif
		found = weir_load_rlx(at);
	if (first > WEIR_FIRST_ROUND)
		found &= first;
	weir_pair_store_(n.area + WEIR_OBJECT_AT(id), (uint64_t)(size_t)words);
	weir_note_entry_(n, 0);
	if (first == WEIR_FIRST_ROUND)
		weir_store_rlx(came, (uint32_t)found + 1);
	/* Each pairs with the other, in this exchange of other blocks: these use the object after the load
	 * above. Only the first one of the launch has loaded what an earlier launch left. A larger grid has
	 * blocks that take no part, of which one may have come first. */
	else if (weir_xchg_acq_rel(came, launch) != launch && found != 0 &&
	         weir_block_count() <= WEIR_BLOCKS)
		weir_note_misuse_(
		    n, first == WEIR_FIRST_NEXT ? WEIR_MISUSE_MIDDLE : WEIR_MISUSE_NOT_LEFT, 0,
		    found);
	return address;
}

/* Called by the thread that speaks for the block, at the start of each operation. */
WEIR_FN weir_notes weir_notes_open_at_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site,
                                       uint32_t first, WEIR_GLOBAL weir_word *at)
{
	uint64_t address;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id, site);
	address = weir_area_begun_(id);
	if (!WEIR_LIKELY(address != 0))
		address = first == WEIR_FIRST_NOTHING
		              ? weir_notes_first_(words, id, site)
		              : weir_notes_first_at_(words, id, site, first, at);
	return weir_notes_at_(address, id, site);
}

WEIR_FN weir_notes weir_notes_open_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	return weir_notes_open_at_(words, id, site, WEIR_FIRST_NOTHING, words);
}

/* Whether the thread speaks for the block at a barrier: one that neither arrives nor polls, if there are enough
 * threads. The first ones arrive and the last ones poll. */
WEIR_FN int weir_speaks_(void)
{
	return weir_thread_id() == weir_thread_count() / 2;
}

/* Called when the kernel cannot do what it was asked for. The report says so, by the block's first thread that
 * finds it, and the launch ends like an aborted one, so that the context lives on. Without an area it ends with
 * an error. Where a thread cannot end, it returns 1: the operation must be left out. */
WEIR_NOINLINE int weir_note_fault_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site,
                                   uint32_t fault, uint32_t value)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0 && weir_block_id() < WEIR_BLOCKS)
		n = weir_notes_at_(weir_area_now_(), 0, site);
	if (n.area == 0) {
		weir_end_launch(fault, value);
		return 1;
	}
	if (weir_note_swap_(n.mine, WEIR_NOTE_ABORTED, 0, 1) == 0)
		weir_note_misuse_(n, WEIR_MISUSE_OF_FAULT(fault), fault, value);
	/* Relaxed, all: the host reads them after the launch ends, waits while it runs. */
	weir_store_rlx(n.area + WEIR_AREA_FAULT_KIND, value);
	weir_store_rlx(n.area + WEIR_AREA_FAULT, fault);
	weir_store_rlx(n.area + WEIR_AREA_ABORT, 1);
	weir_note_put_(n.mine, WEIR_NOTE_ABORTED, 1);
	weir_area_leave_();
	weir_thread_end_();
	if (WEIR_HAS_THREAD_END) /* a thread that no launch started cannot end */
		weir_end_launch(fault, value);
	return 1;
}

WEIR_FN int weir_notes_aborted_(weir_notes n)
{
	return n.area != 0 && weir_note_get_(n.mine, WEIR_NOTE_ABORTED) != 0;
}

/* Whether a wait of this block was aborted and its threads could not end. Then the operation is left out.
 * Barriers are not, since the block must stay together; their waits end at once. */
WEIR_FN int weir_notes_left_out_(weir_notes n)
{
	return !WEIR_HAS_THREAD_END && weir_notes_aborted_(n);
}

/* Whether the kind is wrong, so that the operation must be left out. */
#define WEIR_FAULTY_(PRIMITIVE, object, site)                                                      \
	(!WEIR_LIKELY(WEIR_FITS_(PRIMITIVE, (object).config)) &&                                   \
	 weir_note_fault_((object).words, (object).config.id, site, WEIR_FAULT_##PRIMITIVE,        \
	                  (object).config.kind))

/* The note of a lock or a wait while it lasts. A function returns it in registers: a larger structure would be
 * returned through memory, which must be loaded again after an acquire. */
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

/* Notes a lock or a wait. The leader of a block always speaks. Another thread speaks if none does. `operation`
 * may have WEIR_DOING_WHOLE. */
WEIR_FN weir_doing weir_note_begin_(weir_notes n, uint32_t operation)
{
	uint32_t note = WEIR_DOING(operation, n.id, weir_thread_id());

	if (n.area == 0)
		note = 0;
	else if (weir_thread_id() == 0)
		weir_note_keep_(n.mine, WEIR_NOTE_DOING, note);
	else if (weir_note_swap_(n.mine, WEIR_NOTE_DOING, 0, note) != 0)
		note = 0;
	return weir_doing_(note);
}

/* The same with its site. */
WEIR_FN weir_doing weir_note_enter_(weir_notes n, uint32_t operation)
{
	if (n.area == 0)
		return weir_doing_(0);
	weir_note_entry_(n, weir_note_site_(n));
	return weir_note_begin_(n, operation);
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
	if (doing.note != 0) {
		if (weir_note_get_(n.mine, WEIR_NOTE_WAITS) != 0)
			weir_note_put_(n.mine, WEIR_NOTE_WAITS, 0);
		weir_note_swap_(n.mine, WEIR_NOTE_DOING, doing.note, 0);
	}
	weir_area_leave_();
}

/* Adds to the count of the object, in the area too. */
WEIR_FN void weir_note_count_(weir_notes n, uint32_t addend)
{
	uint32_t index = WEIR_NOTE_COUNT(n.id);

	if (n.area != 0)
		weir_note_put_(n.mine, index, weir_note_get_(n.mine, index) + addend);
}

/* Counts for the block itself. The area gets it with a long wait. */
WEIR_FN void weir_note_arrival_(weir_notes n)
{
	if (n.area != 0)
		weir_note_add_(n.mine, WEIR_NOTE_COUNT(n.id), 1);
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
	uint32_t now;

	if (n.area == 0)
		return 0;
	now = weir_note_get_(n.mine, index);
	weir_note_put_(n.mine, index, held ? now | bit : now & ~bit);
	return (now & bit) != 0;
}

/* Notes that the block has what it got without a wait. */
WEIR_FN void weir_note_enters_(weir_notes n)
{
	if (n.area != 0)
		weir_note_entry_(n, weir_note_site_(n));
	weir_note_held_(n, 1);
}

/* Notes an entry. A block that has the object already is reported: it waits for itself. */
WEIR_NOINLINE void weir_note_again_(weir_notes n, uint32_t misuse)
{
	weir_site before;

	if (n.area == 0)
		return;
	before = weir_note_site_(n);
	if (weir_note_has_(n, n.id))
		weir_note_misuse_(n, misuse, 0, before);
	weir_note_entry_(n, before);
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

/* Precedes a lock: notes its order after those that the block has, which `held` gets. Returns whether it is the
 * only lock that the block is in, so that having the lock already is a fault: another thread of the block may
 * still be in the first. */
WEIR_FN int weir_note_orders_(weir_notes n, uint32_t held[2])
{
	uint32_t other = weir_note_get_(n.mine, WEIR_NOTE_DOING);

	held[0] = weir_note_get_(n.mine, WEIR_NOTE_HELD);
	held[1] = weir_note_get_(n.mine, WEIR_NOTE_HELD + 1);
	if ((held[0] | held[1]) == 0)
		return 0;
	weir_note_order_(n, held[0], 0);
	weir_note_order_(n, held[1], 32);
	return other == 0 || WEIR_DOING_THREAD(other) == weir_thread_id();
}

WEIR_NOINLINE void weir_note_unlock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area == 0 || weir_notes_left_out_(n))
		return;
	if (!weir_note_held_(n, 0))
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, 0, 0);
	weir_area_leave_();
}

#endif
