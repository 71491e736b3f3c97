/* The parts of every diagnosis hook: the notes of an operation, misuse, and faults. The hooks of a primitive are
 * in diagnosis/PRIMITIVE.h; weir/site.h says how an operation calls them.
 *
 * Objects take part if they were created with options.object.diagnose; any other object costs one comparison. One
 * thread of a block at a time reports for the block: locks that single threads take for themselves are not
 * diagnosed. An operation clears only its own notes. The host reads the area while kernels run, so most accesses
 * here are relaxed: they carry no data but themselves.
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

/* An operation under diagnosis. `area` is NULL if it leaves no notes: then no entry, begin, count or hold is recorded. */
typedef struct weir_notes {
	WEIR_GLOBAL weir_word *area;
	WEIR_GLOBAL weir_word *mine;
	uint32_t id;
	uint32_t doing; /* for a barrier: its note, by WEIR_DOING; 0: none */
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

/* A lower word other than 0 means that both words are written. */
WEIR_FN void weir_pair_store_(WEIR_GLOBAL weir_word *at, uint64_t value)
{
	weir_store_rlx(at + 1, (uint32_t)(value >> 32));
	weir_store_rlx(at, (uint32_t)value);
}

/* The kind of misuse defines the meaning of `fault` and `value`. */
WEIR_NOINLINE void weir_note_misuse_(weir_notes n, uint32_t kind, uint32_t fault, uint64_t value)
{
	/* Relaxed: it only hands out numbers. */
	uint32_t number = weir_add_rlx(n.area + WEIR_AREA_MISUSE_NEXT, 1);
	WEIR_GLOBAL weir_word *record = n.area + WEIR_MISUSE_AT(number);

	if (number >= WEIR_MISUSES)
		return; /* the first records are the most useful */
	weir_store_rlx(record + WEIR_MISUSE_OBJECT, n.id);
	weir_store_rlx(record + WEIR_MISUSE_BLOCK, weir_block_id());
	weir_store_rlx(record + WEIR_MISUSE_FAULT, fault);
	weir_pair_store_(record + WEIR_MISUSE_SITE, n.site);
	weir_pair_store_(record + WEIR_MISUSE_VALUE, value);
	weir_store_rel(record + WEIR_MISUSE_KIND, kind); /* pairs with the host's acquire of it */
}

/* Clears the notes of an earlier launch. A mutex that its block still held stays locked for ever. */
WEIR_FN void weir_notes_renew_(weir_notes n)
{
	for (n.id = 1; n.id < WEIR_DIAGNOSED; n.id++)
		if (weir_load_rlx(n.mine + WEIR_NOTE_HELD + n.id / 32) >> n.id % 32 & 1)
			weir_note_misuse_(n, WEIR_MISUSE_ENDED_HOLDING, 0,
			                  weir_pair_load_(n.mine + WEIR_NOTE_SITE(n.id)));
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		/* Other threads may already have been counted, and may be waiting for the launch number. */
		if (i != WEIR_NOTE_THREADS && i != WEIR_NOTE_LAUNCH)
			weir_note_put_(n.mine, i, 0);
}

/* Starts the notes of this launch, unless another thread already has. Returns the address of the area, or 0
 * if the object has no header. */
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

/* Opens an operation that may be the block's first on the object in this launch. */
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

/* Notes the site of the entry only if it changed: a store to the area may delay the next release. */
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

/* The word that a block's first operation on an object in a launch looks at. That operation also records
 * where the object is, and that the launch uses it. */
#define WEIR_FIRST_NOTHING 0u
#define WEIR_FIRST_NEXT 1u  /* the next item: an earlier launch may not have taken all items */
#define WEIR_FIRST_ROUND 2u /* the round of an array of events */
/* These bits of `left` (weir/leave.h): some blocks of an earlier launch may not have left. */
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
	/* Relaxed, both: launches run one after the other. */
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
	/* The acquire and the release pair with each other in the same exchange by other blocks, which use the object
	 * only after the load above. Only the launch's first block has loaded what an earlier launch left behind. A
	 * grid of more than WEIR_BLOCKS blocks has blocks that leave no notes, and one of those may have been first. */
	else if (weir_xchg_acq_rel(came, launch) != launch && found != 0 &&
	         weir_block_count() <= WEIR_BLOCKS)
		weir_note_misuse_(
		    n, first == WEIR_FIRST_NEXT ? WEIR_MISUSE_MIDDLE : WEIR_MISUSE_NOT_LEFT, 0,
		    found);
	return address;
}

/* Called by the thread that reports for the block, at the start of each operation. */
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

/* Whether the thread reports for the block at a barrier. If there are enough threads, it is one that neither
 * arrives nor polls: the first threads arrive and the last ones poll. */
WEIR_FN int weir_speaks_(void)
{
	return weir_thread_id() == weir_thread_count() / 2;
}

/* Called when the kernel cannot do what it was asked to do. The block's first thread to find out records it for
 * the report, and the launch ends as if aborted, so that the context survives. Without an area the launch ends
 * with an error. Where a thread cannot end, this returns 1: the operation must be skipped. */
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
	/* Relaxed, all: the host reads them after the launch ends, and waits read them while it runs. */
	weir_store_rlx(n.area + WEIR_AREA_FAULT_KIND, value);
	weir_store_rlx(n.area + WEIR_AREA_FAULT, fault);
	weir_store_rlx(n.area + WEIR_AREA_ABORT, 1);
	weir_note_put_(n.mine, WEIR_NOTE_ABORTED, 1);
	weir_area_leave_();
	weir_thread_end_();
	if (WEIR_HAS_THREAD_END) /* only a thread outside any launch gets here: it cannot end */
		weir_end_launch(fault, value);
	return 1;
}

WEIR_FN int weir_notes_aborted_(weir_notes n)
{
	return n.area != 0 && weir_note_get_(n.mine, WEIR_NOTE_ABORTED) != 0;
}

/* Whether a wait of this block was aborted and its threads could not end. The operation is then skipped.
 * Barriers are not skipped, since the block must stay together; their waits end at once. */
WEIR_FN int weir_notes_left_out_(weir_notes n)
{
	return !WEIR_HAS_THREAD_END && weir_notes_aborted_(n);
}

/* Whether the kind is wrong, so that the operation must be skipped. */
#define WEIR_FAULTY_(PRIMITIVE, object, site)                                                      \
	(!WEIR_LIKELY(WEIR_FITS_(PRIMITIVE, (object).config)) &&                                   \
	 weir_note_fault_((object).words, (object).config.id, site, WEIR_FAULT_##PRIMITIVE,        \
	                  (object).config.kind))

/* The note of a lock or a wait while it lasts. Functions return it in registers: a larger structure would be
 * returned through memory, which would have to be loaded again after an acquire. */
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

/* Notes a lock or a wait. The leader of a block always reports; another thread reports if no thread does.
 * `operation` may include WEIR_DOING_WHOLE. */
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

/* The same, and notes its site. */
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

/* Adds to the count of the object, in the block's own copy and in the area. */
WEIR_FN void weir_note_count_(weir_notes n, uint32_t addend)
{
	uint32_t index = WEIR_NOTE_COUNT(n.id);

	if (n.area != 0)
		weir_note_put_(n.mine, index, weir_note_get_(n.mine, index) + addend);
}

/* Counts in the block's own copy. A long wait publishes the count in the area. */
WEIR_FN void weir_note_arrival_(weir_notes n)
{
	if (n.area != 0)
		weir_note_add_(n.mine, WEIR_NOTE_COUNT(n.id), 1);
}

/* Whether the block holds the mutex with that number. A mutex without diagnosis counts as held. */
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

/* Notes that the block holds an object that it got without a wait. */
WEIR_FN void weir_note_enters_(weir_notes n)
{
	if (n.area != 0)
		weir_note_entry_(n, weir_note_site_(n));
	weir_note_held_(n, 1);
}

/* Notes an entry. A block that already holds the object is reported, since it waits for itself. */
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
		/* Relaxed, all: any witness will do, and the host waits until both words are written. */
		if (weir_cas_rlx(block, 0, weir_block_id() + 1) == 0)
			weir_pair_store_(order + WEIR_ORDER_SITE, n.site);
	}
}

/* Called before a lock. Stores the locks that the block holds in `held`, and notes that this lock comes after
 * them. Returns 1 if the block holds any and no other thread of it is in a lock: then holding this lock
 * already is a fault. Otherwise the other thread may still be locking it. */
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
