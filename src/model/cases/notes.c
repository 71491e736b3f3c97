/* The cases of what the hooks of all primitives share: the notes of a launch, of an operation, of
 * misuse, and of the order of locks. They call only hooks, around no operation. Every access to a
 * note that several threads share is a step. These cases exist only with diagnosis. */
#include "model/cases/cases.h"

#ifdef WEIR_DIAGNOSE

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define A WEIR_MODEL_ID
#define B (WEIR_MODEL_ID + 1)
#define B_AT 16               /* the words of B, after those of A */
#define STALE 0x123400005678u /* a site of an earlier launch */
#define HOST 2                /* the block that is the host in a case with one */
#define FAULTS 1              /* in a case with too much misuse */

typedef struct notes_state {
	uint32_t unused;
} notes_state;

static uint32_t size(weir_any_config config)
{
	(void)config;
	return B_AT + 1;
}

static const weir_model_adapter kinds[] = {
    {.primitive = "notes", .kind = "hooks", .words = size},
};

static weir_notes open(const weir_model_case_run *r)
{
	return weir_notes_open_(r->words, A, WEIR_HERE_);
}

/* An earlier launch has left notes that say the block holds the objects 1 and B. An object may be
 * dead. */
static void start(const weir_model_case_run *r)
{
	weir_word *area = weir_model_area();
	weir_word *notes = area + WEIR_NOTES_AT(0);

	weir_model_note_object(r->words + B_AT, B);
	if (r->c.form == WEIR_MODEL_TRY)
		weir_store_rlx(r->words - WEIR_HEADER_WORDS + WEIR_HEADER_MAGIC, WEIR_MAGIC_DEAD);
	if (r->c.form != WEIR_MODEL_COLLECTIVE)
		return;
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		if (i != WEIR_NOTE_LAUNCH && i != WEIR_NOTE_THREADS)
			weir_store_rlx(notes + i, 1);
	weir_store_rlx(notes + WEIR_NOTE_HELD, 1u << 1 | 1u << B);
	weir_store_rlx(notes + WEIR_NOTE_HELD + 1, 0);
	weir_store_rlx(notes + WEIR_NOTE_SITE(B), (uint32_t)STALE);
	weir_store_rlx(notes + WEIR_NOTE_SITE(B) + 1, (uint32_t)(STALE >> 32));
}

/* All threads of a block arrive at once: one makes the notes, and the others find them made. */
static void claim(const weir_model_case_run *r)
{
	weir_notes n = open(r);

	weir_area_leave_();
	weir_model_check(n.area != 0, "a block has no notes");
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		weir_model_check(weir_note_get_(n.mine, i) == (i == WEIR_NOTE_LAUNCH ? 1 : 0),
		                 "a note is from an earlier launch");
}

static void end(const weir_model_case_run *r, weir_notes n, weir_doing doing)
{
	weir_notes_open_(r->words, A, WEIR_HERE_);
	if (weir_thread_id() == 0)
		weir_note_end_(r->words, doing);
	else
		weir_note_end_bounded_(n, doing);
}

/* Two threads are in an operation at once. Thread 0 always speaks; thread 1 speaks only if no other
 * thread does. It reports a misuse. */
static void speak(const weir_model_case_run *r)
{
	weir_notes n = open(r);
	weir_doing doing = weir_note_begin_(n, WEIR_OPERATION_PUSH);
	uint32_t note = WEIR_DOING(WEIR_OPERATION_PUSH, A, weir_thread_id());

	weir_area_leave_();
	weir_model_check(weir_thread_id() != 0 ||
	                     weir_note_get_(n.mine, WEIR_NOTE_DOING) == doing.note,
	                 "the leader does not speak");
	weir_model_check(doing.note == 0 || doing.note == note, "a note is of another operation");
	end(r, n, doing);
	weir_block_sync();
	if (weir_thread_id() == 0)
		doing = weir_note_begin_(n, WEIR_OPERATION_POP);
	weir_block_sync();
	if (weir_thread_id() == 1) {
		doing = weir_note_begin_(n, WEIR_OPERATION_POP);
		weir_model_check(doing.note == 0, "two threads speak");
		weir_note_misuse_(n, WEIR_MISUSE_STRANGER, 0, 0);
	}
	weir_block_sync();
	end(r, n, doing);
	weir_block_sync();
	if (weir_thread_id() == 1) {
		doing = weir_note_begin_(n, WEIR_OPERATION_POP);
		weir_model_check(doing.note != 0, "no thread speaks");
		end(r, n, doing);
	}
}

/* A block that does not take part leaves no notes. */
static void check_without_notes(weir_notes n)
{
	weir_note_count_(n, 1);
	weir_note_arrival_(n);
	weir_note_enters_(n);
	weir_note_again_(n, WEIR_MISUSE_BEGUN_TWICE);
	weir_model_check(n.area == 0 && weir_note_begin_(n, WEIR_OPERATION_LOCK).note == 0 &&
	                     weir_note_enter_(n, WEIR_OPERATION_LOCK).note == 0,
	                 "a block has notes that takes no part");
}

/* Two blocks report, while the host reads. */
static void report(const weir_model_case_run *r)
{
	weir_word *area = weir_model_area();

	if (weir_block_id() != HOST) {
		weir_note_unlock_(r->words, A, WEIR_HERE_);
		return;
	}
	check_without_notes(open(r));
	weir_note_unlock_(r->words, A, WEIR_HERE_);
	for (uint32_t i = 0; i < HOST; i++) {
		weir_word *record = area + WEIR_MISUSE_AT(i);
		/* Pairs with the release of the kind. */
		weir_await_eq_acq(record + WEIR_MISUSE_KIND, WEIR_MISUSE_STRANGER,
		                  weir_no_backoff());
		for (uint32_t word = WEIR_MISUSE_OBJECT; word < WEIR_MISUSE_WORDS; word++)
			weir_load_rlx(record + word);
		weir_model_check(weir_load_rlx(record + WEIR_MISUSE_OBJECT) == A,
		                 "the host reads another object");
	}
}

static void lock(weir_word *words, uint32_t id)
{
	weir_note_end_(words, weir_note_lock_(words, id, WEIR_HERE_));
}

/* Both blocks lock B while they hold A, or only block 1 does. */
static void nest(const weir_model_case_run *r)
{
	if (r->c.rounds > 1 && weir_block_id() == 0)
		return;
	lock(r->words, A);
	lock(r->words + B_AT, B);
	weir_note_unlock_(r->words + B_AT, B, WEIR_HERE_);
	weir_note_unlock_(r->words, A, WEIR_HERE_);
}

/* In the second launch only one block, block 1, leaves. The first block of the next launch finds
 * that, unless the grid has blocks without notes. No block mistakes what other blocks of its own
 * launch do for that. */
static void launches(const weir_model_case_run *r)
{
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		weir_notes n =
		    weir_notes_open_at_(r->words, A, WEIR_HERE_, WEIR_FIRST_LEFT, r->words);
		weir_area_leave_();
		weir_model_check(n.area == 0 || weir_note_site_(n) == n.site, "no note says where");
		n = weir_notes_open_at_(r->words, A, WEIR_HERE_, WEIR_FIRST_LEFT, r->words);
		weir_area_leave_();
		if (i != 1 || weir_block_id() == 1)
			weir_leave_(r->words);
		weir_model_end_launch(i);
	}
}

/* A dead object is reported once by each block. */
static void use_dead(const weir_model_case_run *r)
{
	for (uint32_t i = 0; i < 2; i++) {
		weir_note_entry_(open(r), 0);
		weir_area_leave_();
	}
}

/* What the host sees of a wait, and whether it asks the wait to end. */
static void check_wait(weir_notes n, uint32_t operation, const weir_wait_notes *wait, int is_over)
{
	weir_model_check(weir_load_rlx(n.mine + WEIR_NOTE_WAITS) == operation,
	                 "a note says that a block waits which does not, or the other way round");
	weir_model_check(operation == 0 || (weir_load_rlx(n.mine + WEIR_NOTE_SINCE) == 0 &&
	                                    weir_load_rlx(n.mine + WEIR_NOTE_SEEN) == 0),
	                 "a wait has begun at some time, and there is no clock");
	weir_model_check(weir_load_rlx(n.mine + WEIR_NOTE_ABORTED) == (uint32_t)is_over &&
	                     ((wait->polls & WEIR_WAIT_OVER) != 0) == is_over,
	                 "a wait ends without an order, or does not end");
}

/* Looks `times` times, in an operation. */
static void look(const weir_model_case_run *r, weir_wait_notes *wait, uint32_t times)
{
	open(r);
	while (times-- != 0)
		weir_wait_look_(wait, weir_want_(0, 0, 0, 0));
	weir_area_leave_();
}

/* Whether a wait that begins now is over, in an operation. */
static void check_begin(const weir_model_case_run *r, int is_over)
{
	weir_wait_notes wait;

	open(r);
	wait = weir_wait_notes_begin_();
	weir_area_leave_();
	weir_model_check(((wait.polls & WEIR_WAIT_OVER) != 0) == is_over,
	                 "a wait begins as another does");
}

/* A long wait in a lock, in a barrier, or in an operation that gives up. It makes a note and obeys
 * the host. */
static void wait_long(const weir_model_case_run *r, uint32_t operation, int gives_up)
{
	weir_wait_notes wait = weir_wait_notes_begin_();
	weir_notes n = open(r);
	weir_doing doing = weir_doing_(0);
	int is_left_out;

	weir_store_rlx(n.mine + WEIR_NOTE_SINCE, 1);
	weir_store_rlx(n.mine + WEIR_NOTE_SEEN, 1);
	if (operation == WEIR_OPERATION_BARRIER)
		weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, WEIR_DOING(operation, A, 0));
	else
		doing = weir_note_begin_(n, operation);
	check_begin(r, 0);
	look(r, &wait, WEIR_NOTES_LOOK * WEIR_NOTES_LOOKS_LONG - 1);
	check_wait(n, 0, &wait, 0);
	look(r, &wait, 1);
	check_wait(n, operation, &wait, 0);
	weir_store_rlx(n.area + WEIR_AREA_ABORT, 1);
	look(r, &wait, WEIR_NOTES_LOOK);
	check_wait(n, operation, &wait, 1);
	check_begin(r, 1);
	is_left_out = weir_notes_left_out_(n);
	open(r);
	if (!gives_up)
		weir_wait_notes_end_(&wait);
	weir_note_keep_(n.mine, WEIR_NOTE_BARRIER, 0);
	if (gives_up)
		weir_note_end_bounded_(n, doing);
	else
		weir_note_end_(r->words, doing);
	weir_model_check(is_left_out, "an operation is not left out");
	check_wait(n, 0, &wait, 1);
	check_begin(r, 0);
	weir_store_rlx(n.area + WEIR_AREA_ABORT, 0);
	weir_note_put_(n.mine, WEIR_NOTE_ABORTED, 0);
}

/* A fault in an object without notes, inside and outside an operation on A. */
static void fail_without_notes(const weir_model_case_run *r)
{
	open(r);
	weir_note_fault_(r->words, 0, WEIR_HERE_, WEIR_FAULT_BATCH, 3);
	weir_model_check(weir_model_area_of(WEIR_AREA_FAULT) == WEIR_FAULT_BATCH &&
	                     weir_model_area_of(WEIR_AREA_FAULT_KIND) == 3,
	                 "a fault is not noted");
	weir_store_rlx(weir_model_area() + WEIR_AREA_ABORT, 0);
	weir_note_put_(open(r).mine, WEIR_NOTE_ABORTED, 0);
	weir_area_leave_();
	if (setjmp(*weir_model_expect_fault()) == 0) {
		weir_note_fault_(r->words, 0, WEIR_HERE_, WEIR_FAULT_BATCH, 3);
		weir_model_check(0, "a fault does not end the launch");
	}
}

/* A wait outside of operations stays unknown. */
static void wait_unknown(void)
{
	weir_wait_notes wait = weir_wait_notes_begin_();

	for (uint32_t i = 0; i < WEIR_NOTES_LOOK * WEIR_NOTES_LOOKS_LONG; i++)
		weir_wait_look_(&wait, weir_want_(B, 5, 6, 7));
	weir_model_check((wait.polls & WEIR_WAIT_SAID) == 0, "an unknown wait is noted");
}

/* A wait that notes its target, unless another thread speaks. */
static void wait_for_event(const weir_model_case_run *r, uint32_t other)
{
	weir_wait_notes wait = weir_wait_notes_begin_();
	weir_notes n = open(r);
	uint32_t note = WEIR_DOING(WEIR_OPERATION_WAIT, B, 0);

	weir_note_keep_(n.mine, WEIR_NOTE_DOING, other);
	for (uint32_t i = 0; i < 2 * WEIR_NOTES_LOOK; i++)
		weir_wait_look_(&wait, weir_want_(B, 5, 6, 7));
	weir_area_leave_();
	weir_model_check(weir_note_get_(n.mine, WEIR_NOTE_DOING) == (other ? other : note) &&
	                     weir_note_get_(n.mine, WEIR_NOTE_INDEX) == (other ? 0 : 5) &&
	                     weir_note_get_(n.mine, WEIR_NOTE_RANGE) == (other ? 0 : 6) &&
	                     weir_note_get_(n.mine, WEIR_NOTE_TARGET) == (other ? 0 : 7),
	                 "the notes of a wait are of another");
	weir_note_keep_(n.mine, WEIR_NOTE_DOING, 0);
}

/* A count, an entry, and a second one. */
static void count(const weir_model_case_run *r)
{
	weir_notes n = open(r);
	weir_doing doing;
	int enters;

	weir_note_count_(n, 3);
	weir_note_arrival_(n);
	weir_note_enters_(n);
	enters = weir_note_site_(n) == n.site;
	weir_note_again_(n, WEIR_MISUSE_BEGUN_TWICE);
	doing = weir_note_enter_(n, WEIR_OPERATION_POP);
	weir_area_leave_();
	weir_model_check(weir_note_get_(n.mine, WEIR_NOTE_COUNT(A)) == 4,
	                 "a count is another number");
	weir_model_check(weir_note_get_(n.mine, WEIR_NOTE_HELD) == 1u << A && enters,
	                 "an entry is not noted");
	weir_model_check(weir_note_get_(n.mine, WEIR_NOTE_DOING) ==
	                         WEIR_DOING(WEIR_OPERATION_POP, A, 0) &&
	                     doing.note != 0,
	                 "a note is of another operation");
	open(r);
	weir_note_end_(r->words, doing);
	weir_note_count_(n, 0u - 4u);
	weir_note_held_(n, 0);
}

static void waits(const weir_model_case_run *r)
{
	wait_unknown();
	if (weir_block_id() == r->c.blocks - 1)
		count(r);
	wait_for_event(r, WEIR_DOING(WEIR_OPERATION_LOCK, A, 0));
	wait_for_event(r, 0);
	if (weir_block_id() == r->c.blocks - 1) {
		wait_long(r, WEIR_OPERATION_LOCK, 0);
		wait_long(r, WEIR_OPERATION_BARRIER, 0);
		wait_long(r, WEIR_OPERATION_LOCK, 1);
		fail_without_notes(r);
	}
}

/* A fault, and one more record of misuse than there is room for. After that the header is gone. */
static void misuse_too_often(const weir_model_case_run *r)
{
	weir_word *header = r->words - WEIR_HEADER_WORDS;
	weir_site site = WEIR_HERE_;

	weir_model_check(WEIR_SITE_LINE(site) == __LINE__ - 2, "a site is of another line");
	weir_model_check_fault(WEIR_FAULT_ITEM, 7,
	                       weir_note_fault_(r->words, A, WEIR_HERE_, WEIR_FAULT_ITEM, 7));
	fail_without_notes(r);
	for (uint32_t i = FAULTS + 1; i <= WEIR_MISUSES; i++)
		weir_note_unlock_(r->words, A, WEIR_HERE_);
	weir_store_rlx(header + WEIR_HEADER_MAGIC, 1);
	weir_model_check(weir_notes_begin_(header) == 0, "something else is taken for a header");
}

static void body(weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_COLLECTIVE:
		claim(r);
		break;
	case WEIR_MODEL_BATCHES:
		speak(r);
		break;
	case WEIR_MODEL_MISUSE:
		report(r);
		break;
	case WEIR_MODEL_SEVERAL:
		nest(r);
		break;
	case WEIR_MODEL_LAUNCHES:
		launches(r);
		break;
	case WEIR_MODEL_TRY:
		use_dead(r);
		break;
	case WEIR_MODEL_CLOSING:
		waits(r);
		break;
	default:
		misuse_too_often(r);
		break;
	}
}

static uint32_t misuses(const weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_SINGLE:
		return WEIR_MISUSES + 1 - FAULTS;
	case WEIR_MODEL_MISUSE:
	case WEIR_MODEL_TRY:
	case WEIR_MODEL_COLLECTIVE:
	case WEIR_MODEL_CLOSING:
		return 2;
	case WEIR_MODEL_LAUNCHES:
		return r->c.blocks <= WEIR_BLOCKS;
	default:
		return r->c.form == WEIR_MODEL_BATCHES;
	}
}

static uint32_t area_word(uint32_t index)
{
	return weir_model_area_of(index);
}

static uint64_t area_pair(uint32_t index)
{
	return (uint64_t)area_word(index + 1) << 32 | area_word(index);
}

static void check_order(const weir_model_case_run *r)
{
	for (uint32_t x = 0; x < WEIR_DIAGNOSED; x++)
		for (uint32_t y = 0; y < WEIR_DIAGNOSED; y++) {
			uint32_t block = area_word(WEIR_ORDER_AT(x, y) + WEIR_ORDER_BLOCK);
			weir_model_check(x == A && y == B
			                     ? block == 2 || (block == 1 && r->c.rounds == 1)
			                     : block == 0,
			                 "another order of locks is noted");
		}
	weir_model_check(area_pair(WEIR_ORDER_AT(A, B) + WEIR_ORDER_SITE) ==
	                         weir_model_note_site(1, B) &&
	                     weir_model_note_site(1, B) != 0,
	                 "an order of locks has another site");
}

/* A word of a record of misuse. */
static uint32_t misuse_word(uint32_t number, uint32_t index)
{
	return area_word(WEIR_MISUSE_AT(number) + index);
}

static void check_ended(uint32_t number, uint32_t object, uint64_t site)
{
	weir_model_check(misuse_word(number, WEIR_MISUSE_KIND) == WEIR_MISUSE_ENDED_HOLDING &&
	                     misuse_word(number, WEIR_MISUSE_OBJECT) == object &&
	                     area_pair(WEIR_MISUSE_AT(number) + WEIR_MISUSE_VALUE) == site,
	                 "the end of a launch that held something is not reported");
}

static void check_records(const weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_COLLECTIVE:
		check_ended(0, 1, (uint64_t)1 << 32 | 1);
		check_ended(1, B, STALE);
		break;
	case WEIR_MODEL_MISUSE:
		weir_model_check(
		    misuse_word(0, WEIR_MISUSE_BLOCK) + misuse_word(1, WEIR_MISUSE_BLOCK) == 1,
		    "misuse is reported of another block");
		break;
	case WEIR_MODEL_CLOSING:
		weir_model_check(misuse_word(0, WEIR_MISUSE_KIND) == WEIR_MISUSE_BEGUN_TWICE,
		                 "a second entry is reported as another misuse");
		break;
	case WEIR_MODEL_SINGLE:
		weir_model_check(misuse_word(0, WEIR_MISUSE_KIND) ==
		                     WEIR_MISUSE_OF_FAULT(WEIR_FAULT_ITEM),
		                 "a fault is reported as another misuse");
		break;
	case WEIR_MODEL_LAUNCHES:
		weir_model_check(r->c.blocks > WEIR_BLOCKS ||
		                     misuse_word(0, WEIR_MISUSE_VALUE) == 1,
		                 "other blocks have left");
		break;
	default:
		break;
	}
}

static void complete(const weir_model_case_run *r)
{
	if (r->c.form == WEIR_MODEL_SEVERAL)
		check_order(r);
	check_records(r);
	if (r->c.form == WEIR_MODEL_LAUNCHES)
		weir_model_check(area_pair(WEIR_OBJECT_AT(A)) == (uint64_t)(size_t)r->words,
		                 "the area has another place of the object");
	else
		weir_model_check(area_pair(WEIR_OBJECT_AT(0)) == 0, "there is a misuse too many");
}

static const weir_model_shape shapes[] = {
    {{SIZE(1, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(1, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(1, 3, 1)}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(1, 2, 1)}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(3, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(2, 1, 2)}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 1, 3)}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(3, 1, 3)}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 1)}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 1, 1)}, SMALL},
};

const weir_model_primitive WEIR_MODEL_PRIMITIVE(notes) = {
    .forms = WEIR_MODEL_FORM(BATCHES) | WEIR_MODEL_FORM(MISUSE) | WEIR_MODEL_FORM(SEVERAL) |
             WEIR_MODEL_FORM(LAUNCHES) | WEIR_MODEL_FORM(TRY) | WEIR_MODEL_FORM(CLOSING),
    .unaborted_forms = ~0u,
    .start = start,
    .complete = complete,
    .misuses = misuses,
    .has_orders = 1,
    .explores_notes = 1,
    WEIR_MODEL_NAMES(notes),
};

#endif
