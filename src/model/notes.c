/* The words of a diagnosis that are plain data, and what they must contain. */
#include "model/notes.h"

#include <stddef.h>
#include <string.h>

#include "model/engine.h"
#include "model/memory.h"
#include "model/program.h"

#define HEADERS 128 /* words: a header begins at each word of the memory */
#define FIRST_HEADER (WEIR_MODEL_WORDS + WEIR_MODEL_SIGNALS)
#define AREA (FIRST_HEADER + HEADERS)
#define LAUNCHES 1 /* the number of the first launch */

_Static_assert(AREA + WEIR_AREA_WORDS <= WEIR_MODEL_ALL_WORDS, "there is room for the area");

/* A note of a block that any of its threads may read. */
static int is_seen_by_all(uint32_t index)
{
	return index == WEIR_NOTE_LAUNCH || index == WEIR_NOTE_DOING ||
	       (index >= WEIR_NOTE_SITE(0) && (index - WEIR_NOTE_SITE(0)) % 2 == 0);
}

/* Whether several threads may make this kind of access to the word at once. */
static int is_shared(const weir_model_engine *e, uint32_t word, weir_model_op_type type)
{
	uint32_t at = word - AREA;

	/* Each block has a place for its signals, which its threads may change. */
	if (word < FIRST_HEADER)
		return 1;
	if (word < AREA) /* WEIR_HEADER_CAME, and a side on which threads of a block take turns */
		return type == WEIR_OP_XCHG || (e->program.threads > 1 && e->program.shares_sides);
	if (at >= WEIR_NOTES_AT(0))
		return e->program.threads > 1 &&
		       is_seen_by_all((at - WEIR_NOTES_AT(0)) % WEIR_NOTE_WORDS);
	if (at >= WEIR_MISUSE_AT(0))
		return at < WEIR_OBJECT_AT(0) &&
		       (at - WEIR_MISUSE_AT(0)) % WEIR_MISUSE_WORDS == WEIR_MISUSE_KIND;
	return at >= WEIR_AREA_HEAD_WORDS || at == WEIR_AREA_MISUSE_NEXT;
}

int weir_model_note_is_plain(const weir_model_engine *e, uint32_t word, weir_model_op_type type)
{
	return !e->program.explores_notes || !is_shared(e, word, type);
}

static weir_model_noted *find_note(weir_model_engine *e, uint32_t word)
{
	weir_model_noted *note = &e->noted[word - WEIR_MODEL_WORDS];

	if (!note->is_used) {
		note->is_used = 1;
		e->noted_list[e->noted_count++] = (uint16_t)(word - WEIR_MODEL_WORDS);
	}
	return note;
}

static void check_order(weir_model_engine *e, uint32_t word, const uint32_t *last, const char *what)
{
	const weir_model_view *now = &e->threads[e->current].now;

	for (uint32_t u = 0; u < e->thread_count; u++)
		if (u != (uint32_t)e->current && last[u] > now->clock[u])
			weir_model_fail(e, WEIR_MODEL_RACE,
			                "data race on a note, word %u: nothing orders this access "
			                "after the %s by block %u thread %u",
			                word, what, e->threads[u].block, e->threads[u].thread);
}

/* Whether no access to the word can be a race: only one thread ever uses it, several may, or an
 * abort is pending. */
static int is_exempt(const weir_model_engine *e, uint32_t word, weir_model_op_type type)
{
	uint32_t at = word - AREA;
	int is_of_fault =
	    at == WEIR_AREA_FAULT || at == WEIR_AREA_FAULT_KIND || at == WEIR_AREA_ABORT;

	return e->is_aborted || e->program.is_chatty || is_of_fault || is_shared(e, word, type) ||
	       (e->program.threads == 1 &&
	        word - AREA - WEIR_NOTES_AT(weir_model_block_id_()) < WEIR_NOTE_WORDS);
}

static void check_access(weir_model_engine *e, weir_model_noted *note, uint32_t word, int writes,
                         int adds, int changes)
{
	uint32_t clock = e->threads[e->current].now.clock[e->current];

	if (changes || !writes)
		check_order(e, word, note->last_write, "write");
	if (!adds)
		check_order(e, word, note->last_add, "add");
	if (writes || adds)
		check_order(e, word, note->last_read, "read");
	if (adds)
		note->last_add[e->current] = clock;
	else if (writes)
		note->last_write[e->current] = clock;
	else
		note->last_read[e->current] = clock;
}

static uint32_t value_at(uint32_t word)
{
	return weir_model_engine_->noted[word - WEIR_MODEL_WORDS].value;
}

static void set(uint32_t word, uint32_t value)
{
	find_note(weir_model_engine_, word)->value = value;
}

/* Makes the notes of the launch for a block of several threads, where the case does not explore
 * that. */
static void make_notes(void)
{
	const weir_model_program *program = &weir_model_engine_->program;
	uint32_t mine = AREA + WEIR_NOTES_AT(weir_model_block_id_());
	uint32_t launch = value_at(AREA + WEIR_AREA_LAUNCH);

	if (program->threads == 1 || program->explores_notes ||
	    value_at(mine + WEIR_NOTE_LAUNCH) == launch)
		return;
	for (uint32_t i = 0; i < WEIR_NOTE_WORDS; i++)
		set(mine + i, i == WEIR_NOTE_LAUNCH ? launch : 0);
}

uint32_t weir_model_note_access(weir_model_engine *e, const weir_model_op *op, uint32_t word)
{
	weir_model_noted *note = find_note(e, word);
	uint32_t value = (uint32_t)op->value;
	uint32_t old;
	int adds = op->type == WEIR_OP_ADD || op->type == WEIR_OP_RED;
	int writes = op->type == WEIR_OP_STORE || op->type == WEIR_OP_XCHG;
	weir_model_op event = *op;
	weir_model_event *recorded;

	if (e->in_setup) {
		note->value = op->type == WEIR_OP_STORE ? value : note->value;
		return note->value;
	}
	if (word >= AREA + WEIR_AREA_WORDS)
		weir_model_fail(e, WEIR_MODEL_CHECK, "a note is behind the area");
	if (word >= FIRST_HEADER && word < AREA && !note->is_header)
		weir_model_fail(e, WEIR_MODEL_CHECK,
		                "an object without notes is asked for its header");
	make_notes();
	old = note->value;
	writes |= op->type == WEIR_OP_CAS && old == op->expected;
	if (e->in_grace)
		weir_model_fail(e, WEIR_MODEL_PASS, "the wait is over");
	if (!is_exempt(e, word, op->type))
		check_access(e, note, word, writes, adds, value != old);
	note->value = adds ? old + value : writes ? value : old;
	if (adds && note->value > e->program.threads &&
	    word == AREA + WEIR_NOTES_AT(weir_model_block_id_()) + WEIR_NOTE_THREADS)
		weir_model_fail(e, WEIR_MODEL_CHECK, "more threads are counted than the block has");
	if (e->is_aborted && old != 0 &&
	    word == AREA + WEIR_NOTES_AT(weir_model_block_id_()) + WEIR_NOTE_ABORTED)
		e->threads[e->current].sees_abort = 1; /* another thread of the block has told this
		                                        * thread */
	event.type = WEIR_OP_NOTED;
	event.location = word;
	recorded = weir_model_record(e, e->current, &event);
	recorded->result = old;
	recorded->wrote = note->value;
	return old;
}

/* ---- what a case does with them ---- */

static uint32_t final_at(uint32_t word)
{
	const weir_model_engine *e = weir_model_engine_;

	return weir_model_note_is_plain(e, word, WEIR_OP_LOAD) ? value_at(word)
	                                                       : weir_model_final(&e->words[word]);
}

void weir_model_note_object(const weir_word *words, uint32_t id)
{
	weir_model_engine *e = weir_model_engine_;
	uint32_t header = (uint32_t)(words - e->words) + FIRST_HEADER;
	uint64_t area = (uint64_t)(size_t)&e->words[AREA];

	for (uint32_t i = 0; i < WEIR_HEADER_USED; i++)
		find_note(e, header + i)->is_header = 1;
	set(header + WEIR_HEADER_MAGIC, WEIR_MAGIC_ALIVE);
	set(header + WEIR_HEADER_ID, id);
	set(header + WEIR_HEADER_AREA, (uint32_t)area);
	set(header + WEIR_HEADER_AREA + 1, (uint32_t)(area >> 32));
	weir_model_note_launch(0);
}

void weir_model_note_launch(uint32_t launch)
{
	if (weir_model_engine_->noted_count != 0)
		set(AREA + WEIR_AREA_LAUNCH, LAUNCHES + launch);
}

uint32_t weir_model_note_of(uint32_t block, uint32_t index)
{
	return final_at(AREA + WEIR_NOTES_AT(block) + index);
}

uint32_t weir_model_header_of(const weir_word *words, uint32_t index)
{
	return value_at((uint32_t)(words - weir_model_engine_->words) + FIRST_HEADER + index);
}

weir_word *weir_model_area(void)
{
	return &weir_model_engine_->words[AREA];
}

uint32_t weir_model_area_of(uint32_t index)
{
	return final_at(AREA + index);
}

uint32_t weir_model_misuse_of(uint32_t number, uint32_t index)
{
	return weir_model_area_of(WEIR_MISUSE_AT(number) + index);
}

uint64_t weir_model_note_site(uint32_t block, uint32_t id)
{
	return (uint64_t)weir_model_note_of(block, WEIR_NOTE_SITE(id) + 1) << 32 |
	       weir_model_note_of(block, WEIR_NOTE_SITE(id));
}

int weir_model_note_fault(uint32_t fault, uint32_t detail)
{
	weir_model_engine *e = weir_model_engine_;
	uint32_t record = AREA + WEIR_MISUSE_AT(e->faults);
	uint32_t block = weir_model_block_id_();
	int is_noted = value_at(AREA + WEIR_AREA_FAULT) == fault &&
	               value_at(AREA + WEIR_AREA_FAULT_KIND) == detail &&
	               value_at(AREA + WEIR_AREA_ABORT) == 1 &&
	               weir_model_note_of(block, WEIR_NOTE_ABORTED) == 1 &&
	               final_at(AREA + WEIR_AREA_MISUSE_NEXT) == e->faults + 1 &&
	               final_at(record + WEIR_MISUSE_KIND) != 0 &&
	               value_at(record + WEIR_MISUSE_OBJECT) == WEIR_MODEL_ID &&
	               value_at(record + WEIR_MISUSE_BLOCK) == block &&
	               value_at(record + WEIR_MISUSE_FAULT) == fault &&
	               value_at(record + WEIR_MISUSE_VALUE) == detail;

	if (!is_noted)
		return 0;
	/* The next call belongs to another launch. */
	set(AREA + WEIR_AREA_FAULT, 0);
	set(AREA + WEIR_AREA_FAULT_KIND, 0);
	set(AREA + WEIR_AREA_ABORT, 0);
	set(AREA + WEIR_NOTES_AT(block) + WEIR_NOTE_ABORTED, 0);
	e->faults++;
	return 1;
}

static void check_zero(uint32_t block, uint32_t index, const char *what)
{
	weir_model_check(weir_model_note_of(block, index) == 0, what);
}

void weir_model_check_notes(uint32_t misuses, int orders)
{
	const weir_model_engine *e = weir_model_engine_;

	for (uint32_t block = 0; block < e->program.blocks && block < WEIR_BLOCKS; block++) {
		check_zero(block, WEIR_NOTE_HELD, "a note says that a block holds something");
		check_zero(block, WEIR_NOTE_DOING, "a note says that a block is in an operation");
		check_zero(block, WEIR_NOTE_BARRIER, "a note says that a block is at a barrier");
		check_zero(block, WEIR_NOTE_WAITS, "a note says that a block waits");
		check_zero(block, WEIR_NOTE_ABORTED, "a note says that a block was aborted");
		check_zero(block, WEIR_NOTE_THREADS, "threads are counted at a barrier");
	}
	for (uint32_t i = 0; i < WEIR_DIAGNOSED * WEIR_DIAGNOSED; i++)
		weir_model_check(orders ||
		                     final_at(AREA + WEIR_ORDER_AT(0, i) + WEIR_ORDER_BLOCK) == 0,
		                 "a note says that a block locked one thing while it had another");
	for (uint32_t t = 0; t < e->thread_count; t++)
		weir_model_check(e->threads[t].area == 0, "a thread has not left the area");
	weir_model_check(final_at(AREA + WEIR_AREA_MISUSE_NEXT) == e->faults + misuses,
	                 "a misuse is reported that is none, or none that is one");
}

/* ---- what the machine does with them ---- */

/* Whether the site is in the library's code, not in a case. */
static int is_of_library(const weir_model_site *site)
{
	return strncmp(site->file, "include/weir/", strlen("include/weir/")) == 0;
}

/* Whether `doing` is an operation that the case waits in, on one of its own objects, by a thread of
 * the block. At a barrier one thread speaks for all. */
static int is_operation(const weir_model_program *program, uint32_t doing)
{
	uint32_t operation = WEIR_DOING_OPERATION(doing);
	int is_wrong = 0;
	uint32_t object = WEIR_DOING_OBJECT(doing);
	uint32_t thread = WEIR_DOING_THREAD(doing);

	/* A report also uses the count to tell readers from writers. */
	if (operation == WEIR_OPERATION_READ || operation == WEIR_OPERATION_WRITE)
		is_wrong = (weir_model_note_of(weir_model_block_id_(), WEIR_NOTE_COUNT(object)) >=
		            WEIR_NOTE_WRITES) != (operation == WEIR_OPERATION_WRITE);
	return !is_wrong && (program->waits_in >> operation & 1) != 0 &&
	       (object == WEIR_MODEL_ID || object == WEIR_MODEL_ID + 1) &&
	       thread < program->threads &&
	       (operation != WEIR_OPERATION_BARRIER || thread == program->threads / 2);
}

void weir_model_check_said(const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;
	const weir_model_thread *t = &e->threads[e->current];
	uint32_t block = weir_model_block_id_();
	uint32_t doing;
	int speaks_for;

	if (e->noted_count == 0 || block >= WEIR_BLOCKS || t->sees_abort || e->program.is_chatty ||
	    !is_of_library(site))
		return;
	doing = weir_model_note_of(block, WEIR_NOTE_DOING);
	if (doing == 0)
		doing = weir_model_note_of(block, WEIR_NOTE_BARRIER);
	if (doing == 0 && e->program.is_quiet)
		return;
	/* Where another thread speaks, that thread knows the area; or all threads do, and the note
	 * is of all. */
	speaks_for = WEIR_DOING_OPERATION(doing) == WEIR_OPERATION_BARRIER ||
	             (doing & WEIR_DOING_WHOLE) != 0 || WEIR_DOING_THREAD(doing) == t->thread;
	if (!is_operation(&e->program, doing) || (t->area != 0) != speaks_for)
		weir_model_fail(e, WEIR_MODEL_CHECK, "a block waits, and its notes do not say so");
}

void weir_model_check_reached(const weir_model_site *site)
{
	weir_model_engine *e = weir_model_engine_;

	if (e->noted_count != 0 && weir_model_block_id_() < WEIR_BLOCKS && !e->is_aborted &&
	    !e->program.is_quiet && !e->program.is_chatty && is_of_library(site) &&
	    e->threads[e->current].area == 0)
		weir_model_fail(e, WEIR_MODEL_CHECK, "no abort would reach a wait");
}

void weir_model_check_outside(void)
{
	weir_model_engine *e = weir_model_engine_;

	if (e->current >= 0 && e->threads[e->current].area != 0 && !e->is_aborted)
		weir_model_fail(e, WEIR_MODEL_CHECK, "an operation has not left the area");
}

void weir_model_note_abort(int can_fail)
{
	const weir_model_engine *e = weir_model_engine_;

	if (e->threads[e->current].area != 0 && !can_fail)
		set(AREA + WEIR_NOTES_AT(weir_model_block_id_()) + WEIR_NOTE_ABORTED, 1);
}

uint64_t weir_model_area_now_(void)
{
	return weir_model_engine_->threads[weir_model_engine_->current].area;
}

void weir_model_area_set_(uint64_t address)
{
	weir_model_engine *e = weir_model_engine_;

	if (address != 0 && address != (uint64_t)(size_t)&e->words[AREA])
		weir_model_fail(e, WEIR_MODEL_CHECK, "another area");
	e->threads[e->current].area = address;
}
