/* Diagnosis (WEIR_DIAGNOSE): the functions of weir/device.h once more, each as a macro that knows its
 * place in the source and leaves notes for the host about what the block does.
 *
 * The objects that take part were created with options.diagnose; others cost a comparison. One
 * thread of a block at a time speaks for it: what single threads lock for themselves is not
 * diagnosed. An operation takes back only what it said itself.
 *
 * What is noted, and where: the bit of a mutex is set before it is waited for and cleared after it was
 * given back, so that nothing is stored in between; the block holds it when the bit is set and the
 * block does not say that it waits for it. A barrier counts the block's arrivals, a semaphore the
 * slots that the block has. Checks come before a wait or after a release.
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

/* The address space of a text in the program. */
#ifndef WEIR_LITERAL
#define WEIR_LITERAL
#endif

/* What an operation works with; `area` is NULL when it leaves no notes. */
typedef struct weir_notes {
	WEIR_GLOBAL weir_word *area;
	WEIR_GLOBAL weir_word *mine;
	uint32_t id;
	uint32_t where; /* by WEIR_WHERE */
	uint32_t doing; /* what it has said, by WEIR_DOING */
	weir_note_place place;
} weir_notes;

/* Where an operation is called. */
typedef struct weir_site {
	WEIR_LITERAL const char *file;
	uint32_t line;
} weir_site;

WEIR_FN weir_site weir_site_at(WEIR_LITERAL const char *file, uint32_t line)
{
	weir_site site;
	site.file = file;
	site.line = line;
	return site;
}

#define WEIR_HERE_ weir_site_at(__FILE__, __LINE__)

/* The end of the name tells files apart better than its beginning. */
WEIR_FN void weir_file_write_(WEIR_GLOBAL weir_word *record, WEIR_LITERAL const char *file,
                              uint32_t length)
{
	uint32_t kept = length < WEIR_FILE_BYTES ? length : WEIR_FILE_BYTES;
	uint32_t word = 0;

	for (uint32_t i = 0; i < kept; i++) {
		word |= (uint32_t)(unsigned char)file[length - kept + i] << i % 4 * 8;
		if (i % 4 != 3 && i + 1 != kept)
			continue;
		weir_store_rlx(record + WEIR_FILE_TEXT + i / 4, word); /* relaxed: see below */
		word = 0;
	}
	weir_store_rel(record + WEIR_FILE_LENGTH, length + 1); /* pairs with the host's reading */
}

/* The number of the file in the area, which gets its name if it has none; 0: no record is free. */
WEIR_FN uint32_t weir_file_number_(WEIR_GLOBAL weir_word *area, WEIR_LITERAL const char *file)
{
	uint32_t hash = 2166136261u; /* Fowler, Noll and Vo's */
	uint32_t length = 0;

	for (; file[length] != 0; length++)
		hash = (hash ^ (uint32_t)(unsigned char)file[length]) * 16777619u;
	hash = hash != 0 ? hash : 1;
	for (uint32_t i = 0; i < WEIR_FILES; i++) {
		uint32_t number = (hash + i) % WEIR_FILES;
		WEIR_GLOBAL weir_word *record = area + WEIR_FILE_AT(number);
		/* Relaxed: it only decides which block writes the record. */
		uint32_t found = weir_cas_rlx(record + WEIR_FILE_HASH, 0, hash);
		if (found == 0)
			weir_file_write_(record, file, length);
		if (found == 0 || found == hash)
			return number + 1;
	}
	return 0;
}

/* What a block keeps of a file: the key, with the file's number in its lowest byte. */
WEIR_FN uint32_t weir_file_key_(WEIR_LITERAL const char *file)
{
	return (uint32_t)(size_t)file << 8;
}

WEIR_FN uint32_t weir_file_index_(uint32_t key)
{
	return WEIR_NOTE_FILES + ((key ^ key >> 4) >> 8) % WEIR_NOTE_FILES_KEPT;
}

/* Finds the number of a file that the block meets for the first time. */
WEIR_NOINLINE uint32_t weir_file_meet_(WEIR_GLOBAL weir_word *area, WEIR_GLOBAL weir_word *mine,
                                       WEIR_LITERAL const char *file)
{
	uint32_t key = weir_file_key_(file);
	uint32_t number = weir_file_number_(area, file);

	weir_note_keep_(mine, weir_file_index_(key), key | number);
	return number;
}

WEIR_FN uint32_t weir_where_(WEIR_GLOBAL weir_word *area, WEIR_GLOBAL weir_word *mine,
                             weir_site site)
{
	uint32_t key = weir_file_key_(site.file);
	uint32_t number = weir_note_get_(mine, weir_file_index_(key)) ^ key;

	if (!WEIR_LIKELY(number < 256))
		number = weir_file_meet_(area, mine, site.file);
	return WEIR_WHERE(number, site.line);
}

/* `fault` is 0 but for a wrong kind. */
WEIR_NOINLINE void weir_note_misuse_of_(weir_notes n, uint32_t kind, uint32_t id, uint32_t where,
                                        uint32_t value, uint32_t fault)
{
	/* Relaxed: it only gives numbers. */
	uint32_t number = weir_add_rlx(n.area + WEIR_AREA_MISUSE_NEXT, 1);
	WEIR_GLOBAL weir_word *record = n.area + WEIR_MISUSE_AT(number);

	if (number >= WEIR_MISUSES)
		return; /* the first ones are those that tell */
	weir_store_rlx(record + WEIR_MISUSE_OBJECT, id);
	weir_store_rlx(record + WEIR_MISUSE_BLOCK, weir_block_id());
	weir_store_rlx(record + WEIR_MISUSE_THREAD, weir_thread_id());
	weir_store_rlx(record + WEIR_MISUSE_WHERE, where);
	weir_store_rlx(record + WEIR_MISUSE_VALUE, value);
	weir_store_rlx(record + WEIR_MISUSE_FAULT, fault);
	weir_store_rel(record + WEIR_MISUSE_KIND, kind); /* pairs with the host's reading of it */
}

WEIR_FN void weir_note_misuse_(weir_notes n, uint32_t kind, uint32_t id, uint32_t where,
                               uint32_t value)
{
	weir_note_misuse_of_(n, kind, id, where, value, 0);
}

/* The notes of an earlier launch end here. A mutex that its block still held is lost for good. */
WEIR_NOINLINE void weir_notes_renew_(weir_notes n)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (weir_load_rlx(n.mine + WEIR_NOTE_HELD + id / 32) >> id % 32 & 1)
			weir_note_misuse_(n, WEIR_MISUSE_ENDED_HOLDING, id, 0,
			                  weir_load_rlx(n.mine + WEIR_NOTE_WHERE(id)));
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		/* Other threads may have been counted already, and wait for the launch's number. */
		if (i != WEIR_NOTE_THREADS && i != WEIR_NOTE_LAUNCH)
			weir_note_put_(n.mine, i, 0);
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

/* Without an area it leaves no notes. */
WEIR_FN weir_notes weir_notes_at_(uint64_t address, uint32_t id)
{
	weir_notes n;
	n.area = 0;
	n.mine = 0;
	n.id = id;
	n.where = 0;
	n.doing = 0;
	if (address != 0) {
		n.area = weir_area_at_(address);
		n.mine = weir_notes_of_(n.area);
	}
	n.place = weir_note_nowhere_();
	return n;
}

/* Of a block that meets its first object, or this one for the first time. Returns where the area is, plus
 * one when it meets an object that was destroyed. */
WEIR_NOINLINE uint64_t weir_notes_meet_(WEIR_GLOBAL weir_word *header, uint32_t id)
{
	uint64_t address = weir_header_area_(header);
	uint32_t index = WEIR_NOTE_KNOWN + id / 32;
	weir_notes n = weir_notes_at_(address, id);
	uint32_t known;

	if (address == 0)
		return 0;
	if (!weir_area_begun_()) {
		uint32_t launch = weir_notes_launch_(n.area);
		if (weir_notes_claim_(address, n.mine, launch)) {
			weir_notes_renew_(n);
			weir_notes_claimed_(n.mine, launch);
		}
	}
	known = weir_note_get_(n.mine, index);
	if ((known >> id % 32 & 1) != 0)
		return address;
	weir_note_keep_(n.mine, index, known | 1u << id % 32);
	return address + (weir_load_rlx(header + WEIR_HEADER_MAGIC) == WEIR_MAGIC_DEAD);
}

/* By the thread that speaks for the block, before and after each operation. */
WEIR_FN weir_notes weir_notes_open_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	uint64_t address;
	uint32_t dead = 0;
	weir_notes n;

	if (id == 0 || weir_block_id() >= WEIR_BLOCKS)
		return weir_notes_at_(0, id);
	address = weir_area_kept_(id);
	if (address == 0) {
		address = weir_notes_meet_(words - WEIR_HEADER_WORDS, id);
		dead = address & 1;
	}
	n = weir_notes_at_(address - dead, id);
	if (n.area != 0)
		n.where = weir_where_(n.area, n.mine, site);
	if (dead)
		weir_note_misuse_(n, WEIR_MISUSE_DEAD, id, n.where, 0);
	return n;
}

/* Which thread speaks for the block at a barrier. Where notes are made while others wait, a thread that does
 * neither of a barrier's two jobs if there are enough: the first ones arrive and the last ones poll. */
WEIR_FN int weir_speaks_(void)
{
	return weir_thread_id() == (WEIR_NOTES_AFTER_ARRIVAL ? weir_thread_count() / 2 : 0);
}

/* An operation by a handle whose kind the kernel has not. The report names it, and the launch ends as an
 * aborted one does: the context lives on. Without an area there is nowhere to say it. Returns 1, where a
 * thread cannot end: the operation is left out. */
WEIR_NOINLINE int weir_note_fault_(weir_notes n, uint32_t fault, uint32_t kind)
{
	/* One thread for its block, of all that are at a barrier. */
	int tells =
	    fault == WEIR_FAULT_BARRIER ? weir_speaks_() : n.area != 0 || weir_thread_id() == 0;

	if (n.area == 0 && weir_block_id() < WEIR_BLOCKS)
		n = weir_notes_at_(weir_area_now_(), 0);
	if (n.area == 0) {
		weir_end_launch(fault, kind);
		return 1;
	}
	if (tells)
		weir_note_misuse_of_(n, WEIR_MISUSE_WRONG_KIND, n.id, n.where, kind, fault);
	/* Relaxed, all: the host reads them when the launch has ended, the waits as they come. */
	weir_store_rlx(n.area + WEIR_AREA_FAULT_KIND, kind);
	weir_store_rlx(n.area + WEIR_AREA_FAULT, fault);
	weir_store_rlx(n.area + WEIR_AREA_ABORT, 1);
	weir_note_put_(n.mine, WEIR_NOTE_ABORTED, 1);
	weir_area_leave_();
	weir_thread_end_();
	if (WEIR_HAS_THREAD_END) /* of a thread that no launch started */
		weir_end_launch(fault, kind);
	return 1;
}

/* Whether the kind is wrong, so that the operation must be left out. `notes` are only asked for then. */
#define WEIR_FAULTY_(PRIMITIVE, object, notes)                                                     \
	(!WEIR_LIKELY(WEIR_##PRIMITIVE##_FITS_((object).config)) &&                                \
	 weir_note_fault_(notes, WEIR_FAULT_##PRIMITIVE, (object).config.kind))

/* The same for a barrier, which returns `nothing` then. A kernel for all kinds leaves it out where it
 * dispatches: PoCL 3.1 makes wrong code of one more branch around a block sync. */
#ifdef WEIR_BARRIER_KIND
#define WEIR_BARRIER_FAULT_(b, notes, nothing)                                                     \
	if (WEIR_FAULTY_(BARRIER, b, notes))                                                       \
	return nothing
#else
#define WEIR_BARRIER_FAULT_(b, notes, nothing) (void)WEIR_FAULTY_(BARRIER, b, notes)
#endif

/* Whether the operation is to be left out, after a wait of this block was aborted and its threads
 * could not end. Barriers are not, since the block must stay together; their waits end at once. */
WEIR_FN int weir_notes_aborted_(weir_notes n)
{
	return !WEIR_HAS_THREAD_END && n.area != 0 &&
	       weir_note_get_(n.mine, WEIR_NOTE_ABORTED) != 0;
}

/* Where the block's last entry was. */
WEIR_FN uint32_t weir_note_where_(WEIR_GLOBAL weir_word *mine, uint32_t id)
{
	return weir_note_get_(mine, WEIR_NOTE_WHERE(id));
}

WEIR_FN void weir_note_change_(weir_notes n, uint32_t index, uint32_t value)
{
	if (weir_note_get_(n.mine, index) != value)
		weir_note_put_(n.mine, index, value);
}

/* Whether another thread of the block is in a lock or a wait, as `doing` says. */
WEIR_FN int weir_note_is_anothers_(uint32_t doing)
{
	return doing != 0 && WEIR_DOING_THREAD(doing) != weir_thread_id();
}

/* Says what the operation does. The leader of a block always speaks, like the thread that notes its
 * barriers; another thread speaks when nobody does. `where` is from weir_note_where_: a lock asks for it
 * early, together with what else it looks at. */
WEIR_FN void weir_note_begin_(weir_notes *n, uint32_t operation, uint32_t where)
{
	uint32_t note = WEIR_NOTE_OF_OPERATION(operation);
	uint32_t doing = WEIR_DOING(operation, n->id, weir_thread_id());

	if (where != n->where)
		weir_note_put_(n->mine, WEIR_NOTE_WHERE(n->id), n->where);
	if (weir_thread_id() == 0 || operation == WEIR_OPERATION_BARRIER)
		weir_note_keep_(n->mine, note, doing);
	else if (!weir_note_claim_(n->mine, note, doing))
		return;
	weir_note_keep_(n->mine, note + 1, n->where);
	n->doing = doing;
	n->place = weir_note_place_(n->mine, note);
}

WEIR_FN void weir_note_end_(weir_notes n)
{
	weir_note_take_back_(n.place, n.doing);
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
WEIR_NOINLINE void weir_note_order_(weir_notes n, uint32_t held, uint32_t first)
{
	for (uint32_t i = 0; i < 32 && held >> i != 0; i++) {
		WEIR_GLOBAL weir_word *order = n.area + WEIR_ORDER_AT(first + i, n.id);
		WEIR_GLOBAL weir_word *block = order + WEIR_ORDER_BLOCK;
		if ((held >> i & 1) == 0 || first + i == n.id || weir_load_rlx(block) != 0)
			continue;
		/* Relaxed, all: any witness will do, and the host waits until it has both words. */
		if (weir_cas_rlx(block, 0, weir_block_id() + 1) == 0)
			weir_store_rlx(order + WEIR_ORDER_WHERE, n.where);
	}
}

WEIR_NOINLINE weir_notes weir_note_lock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t bit = 1u << id % 32;
	uint32_t low, high, where, doing;

	if (n.area == 0 || weir_notes_aborted_(n))
		return n;
	low = weir_note_get_(n.mine, WEIR_NOTE_HELD);
	high = weir_note_get_(n.mine, WEIR_NOTE_HELD + 1);
	where = weir_note_where_(n.mine, id);
	doing = weir_note_get_(n.mine, WEIR_NOTE_DOING);
	if ((low | high) != 0) {
		if (((n.id < 32 ? low : high) & bit) != 0 && !weir_note_is_anothers_(doing))
			weir_note_misuse_(n, WEIR_MISUSE_LOCKED_TWICE, n.id, n.where, where);
		weir_note_order_(n, low, 0);
		weir_note_order_(n, high, 32);
	}
	weir_note_begin_(&n, WEIR_OPERATION_LOCK, where);
	weir_note_put_(n.mine, WEIR_NOTE_HELD + n.id / 32, (n.id < 32 ? low : high) | bit);
	return n;
}

WEIR_FN void weir_mutex_lock_at_(weir_mutex m, weir_site site)
{
	weir_notes n = weir_note_lock_(m.words, m.config.id, site);

	if (weir_notes_aborted_(n) || WEIR_FAULTY_(MUTEX, m, n))
		return;
	weir_mutex_lock(m);
	weir_note_end_(n);
}

WEIR_NOINLINE void weir_note_unlock_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t bit = 1u << id % 32;
	uint32_t held;

	if (n.area == 0)
		return;
	held = weir_note_get_(n.mine, WEIR_NOTE_HELD + n.id / 32);
	if ((held & bit) != 0)
		weir_note_put_(n.mine, WEIR_NOTE_HELD + n.id / 32, held & ~bit);
	else
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, n.id, n.where, 0);
	weir_area_leave_();
}

WEIR_FN void weir_mutex_unlock_at_(weir_mutex m, weir_site site)
{
	if (WEIR_FAULTY_(MUTEX, m, weir_notes_open_(m.words, m.config.id, site)))
		return;
	if (!WEIR_HAS_THREAD_END &&
	    weir_notes_aborted_(weir_notes_open_(m.words, m.config.id, site)))
		return; /* it may be another's */
	weir_mutex_unlock(m);
	weir_note_unlock_(m.words, m.config.id, site);
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
WEIR_FN weir_result weir_mutex_trylock_at_(weir_mutex m, weir_site site)
{
	weir_notes n = weir_notes_open_(m.words, m.config.id, site);
	weir_result result;

	if (weir_notes_aborted_(n) || WEIR_FAULTY_(MUTEX, m, n))
		return WEIR_ABORTED;
	result = weir_mutex_trylock(m);
	if (n.area == 0)
		return result;
	if (result == WEIR_ACQUIRED) {
		weir_note_change_(n, WEIR_NOTE_WHERE(n.id), n.where);
		weir_note_held_(n, 1);
	}
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_mutex_lock_for_at_(weir_mutex m, uint64_t ns, weir_site site)
{
	weir_notes n = weir_note_lock_(m.words, m.config.id, site);
	weir_result result;

	if (weir_notes_aborted_(n) || WEIR_FAULTY_(MUTEX, m, n))
		return WEIR_ABORTED;
	result = weir_mutex_lock_for(m, ns);
	if (n.area != 0 && result != WEIR_ACQUIRED)
		weir_note_held_(n, 0);
	weir_note_end_bounded_(n);
	return result;
}
#endif

WEIR_FN void weir_mutex_block_lock_at_(weir_mutex m, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_mutex_lock_at_(m, site);
	weir_block_sync(); /* what the leader acquired comes before what the block does next */
}

WEIR_FN void weir_mutex_block_unlock_at_(weir_mutex m, weir_site site)
{
	weir_block_sync(); /* what the block did comes before its leader's release */
	if (weir_thread_id() == 0)
		weir_mutex_unlock_at_(m, site);
}

WEIR_FN weir_notes weir_note_arrival_(WEIR_GLOBAL weir_word *words, uint32_t id, weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area != 0) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_keep_(n.mine, count, weir_note_get_(n.mine, count) + 1);
		weir_note_change_(n, WEIR_NOTE_OF, weir_thread_count());
		weir_note_begin_(&n, WEIR_OPERATION_BARRIER, weir_note_where_(n.mine, n.id));
	}
	return n;
}

/* By every thread. */
WEIR_FN weir_notes weir_note_arrive_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_note_arrival_(b.words, weir_speaks_() ? b.config.id : 0, site);

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
			weir_note_misuse_(n, WEIR_MISUSE_FEWER_THREADS, n.id, n.where, came);
	}
	if (b.config.id != 0)
		weir_block_sync(); /* nobody enters the next one before the count is read */
#else
	(void)b;
#endif
	weir_note_end_(n);
}

#if WEIR_NOTES_AFTER_ARRIVAL

/* Beside the object's number: the barrier is called by its diagnosed function, not by a kernel that
 * calls the algorithm itself. */
#define WEIR_NOTED 0x100u

/* Out of line: the thread that speaks has the time for a call. */
WEIR_NOINLINE void weir_note_arrived_(weir_word *words, uint32_t id)
{
	weir_note_arrival_(words, id, weir_site_at(weir_file_kept_(), weir_line_kept_()));
}

WEIR_FN void weir_meanwhile(weir_barrier b)
{
	if (b.config.id >= WEIR_NOTED && weir_speaks_())
		weir_note_arrived_(b.words, b.config.id - WEIR_NOTED);
}

WEIR_FN void weir_barrier_wait_at_(weir_barrier b, weir_site site)
{
	uint32_t id = b.config.id;

	WEIR_BARRIER_FAULT_(b, weir_notes_open_(b.words, id, site), );
	if (id != 0) {
		b.config.id |= WEIR_NOTED;
		if (weir_speaks_())
			weir_site_keep_(site.file, site.line);
	}
	weir_barrier_wait(b);
	if (id != 0 && weir_speaks_())
		weir_note_take_back_(weir_note_place_(b.words, WEIR_NOTE_BARRIER),
		                     WEIR_DOING(WEIR_OPERATION_BARRIER, id, weir_thread_id()));
}

#else

WEIR_FN void weir_barrier_wait_at_(weir_barrier b, weir_site site)
{
	weir_notes n = weir_note_arrive_(b, site);

	WEIR_BARRIER_FAULT_(b, n, );
	/* Once in the code, not twice for the sake of a likely kind: PoCL's compiler takes long. */
	weir_barrier_wait_of_(b, WEIR_BARRIER_KIND_(b.config));
	weir_note_pass_(b, n);
}

#endif

WEIR_FN uint32_t weir_barrier_arrive_at_(weir_barrier b, weir_site site)
{
	weir_notes n;
	uint32_t token = 0;

#if WEIR_NOTES_AFTER_ARRIVAL
	WEIR_BARRIER_FAULT_(b, weir_notes_open_(b.words, b.config.id, site), 0);
	token = weir_barrier_arrive(b);
	n = weir_note_arrive_(b, site);
#else
	n = weir_note_arrive_(b, site);
	WEIR_BARRIER_FAULT_(b, n, 0);
	token = weir_barrier_arrive(b);
#endif
	if (n.area != 0) /* it is not seen to wait, and yet it has come */
		weir_note_put_(n.mine, WEIR_NOTE_COUNT(n.id),
		               weir_note_get_(n.mine, WEIR_NOTE_COUNT(n.id)));
	weir_note_end_(n); /* what the block does until it awaits is its own */
	return token;
}

WEIR_FN void weir_barrier_await_at_(weir_barrier b, uint32_t token, weir_site site)
{
	weir_notes n = weir_notes_open_(b.words, weir_speaks_() ? b.config.id : 0, site);

	WEIR_BARRIER_FAULT_(b, n, );
	if (n.area != 0)
		weir_note_begin_(&n, WEIR_OPERATION_BARRIER, weir_note_where_(n.mine, n.id));
	weir_barrier_await(b, token);
	weir_note_pass_(b, n);
}

#if WEIR_HAS_DEADLINE
/* It leaves no notes: it ends by itself. */
WEIR_FN weir_result weir_barrier_wait_for_at_(weir_barrier b, uint64_t ns, weir_site site)
{
	WEIR_BARRIER_FAULT_(b, weir_notes_open_(b.words, b.config.id, site), WEIR_ABORTED);
	return weir_barrier_wait_for(b, ns);
}
#endif

WEIR_NOINLINE weir_notes weir_note_wait_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                         weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);

	if (n.area != 0 && !weir_notes_aborted_(n)) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_put_(n.mine, count, weir_note_get_(n.mine, count) + slots);
		weir_note_begin_(&n, WEIR_OPERATION_WAIT, weir_note_where_(n.mine, n.id));
	}
	return n;
}

/* Its notes if the block posts more than it took: then the value may have come above its maximum. */
WEIR_NOINLINE weir_notes weir_note_post_(WEIR_GLOBAL weir_word *words, uint32_t id, uint32_t slots,
                                         weir_site site)
{
	weir_notes n = weir_notes_open_(words, id, site);
	uint32_t count = WEIR_NOTE_COUNT(id);
	uint32_t mine;

	if (n.area == 0)
		return n;
	mine = weir_note_get_(n.mine, count);
	weir_note_change_(n, count, mine > slots ? mine - slots : 0);
	weir_area_leave_();
	return mine < slots ? n : weir_notes_at_(0, 0);
}

WEIR_FN void weir_semaphore_wait_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_notes n = weir_note_wait_(s.words, s.config.id, slots, site);

	if (weir_notes_aborted_(n) || WEIR_FAULTY_(SEMAPHORE, s, n))
		return;
	if (slots == 1)
		weir_semaphore_wait(s);
	else
		weir_semaphore_wait_n(s, slots);
	weir_note_end_(n);
}

WEIR_FN weir_result weir_semaphore_trywait_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_notes n = weir_notes_open_(s.words, s.config.id, site);
	weir_result result;

	if (weir_notes_aborted_(n) || WEIR_FAULTY_(SEMAPHORE, s, n))
		return WEIR_ABORTED;
	result = weir_semaphore_trywait_n(s, slots);
	if (n.area == 0)
		return result;
	if (result == WEIR_ACQUIRED) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_put_(n.mine, count, weir_note_get_(n.mine, count) + slots);
	}
	weir_area_leave_();
	return result;
}

#if WEIR_HAS_DEADLINE
WEIR_FN weir_result weir_semaphore_wait_n_for_at_(weir_semaphore s, uint32_t slots, uint64_t ns,
                                                  weir_site site)
{
	weir_notes n = weir_note_wait_(s.words, s.config.id, slots, site);
	weir_result result;

	if (weir_notes_aborted_(n) || WEIR_FAULTY_(SEMAPHORE, s, n))
		return WEIR_ABORTED;
	result = weir_semaphore_wait_n_for(s, slots, ns);
	if (n.area != 0 && result != WEIR_ACQUIRED) {
		uint32_t count = WEIR_NOTE_COUNT(n.id);
		weir_note_put_(n.mine, count, weir_note_get_(n.mine, count) - slots);
	}
	weir_note_end_bounded_(n);
	return result;
}
#endif

WEIR_FN void weir_semaphore_post_n_at_(weir_semaphore s, uint32_t slots, weir_site site)
{
	weir_notes n;

	if (WEIR_FAULTY_(SEMAPHORE, s, weir_notes_open_(s.words, s.config.id, site)))
		return;
	if (slots == 1)
		weir_semaphore_post(s);
	else
		weir_semaphore_post_n(s, slots);
	n = weir_note_post_(s.words, s.config.id, slots, site);
	if (n.area != 0 && weir_semaphore_above(s))
		weir_note_misuse_(n, WEIR_MISUSE_ABOVE_MAXIMUM, n.id, n.where, s.config.maximum);
}

WEIR_FN void weir_semaphore_block_wait_at_(weir_semaphore s, weir_site site)
{
	if (weir_thread_id() == 0)
		weir_semaphore_wait_n_at_(s, 1, site);
	weir_block_sync(); /* what the leader acquired comes before what the block does next */
}

WEIR_FN void weir_semaphore_block_post_at_(weir_semaphore s, weir_site site)
{
	weir_block_sync(); /* what the block did comes before its leader's release */
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

#endif
