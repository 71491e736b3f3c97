/* The memory: what one access may do.
 *
 * A location is its messages in modification order. A load reads any message that is not older than
 * the newest one its thread knows of. A store takes any later place that does not separate a
 * read-modify-write from the message that it read. A read-modify-write reads any such message that
 * no other read-modify-write has read, and is placed right after it. Views carry knowledge along
 * releases and acquires.
 */
#include "model/memory.h"

#include <string.h>

#include "model/scopes.h"
#include "model/trace.h"

/* Appended messages are this far apart, so that others fit between. */
#define STAMP_STEP (1u << 16)

void weir_model_join_view(const weir_model_engine *e, weir_model_view *to,
                          const weir_model_view *from)
{
	for (uint32_t i = 0; i < e->location_count; i++)
		if (to->seen[i] < from->seen[i])
			to->seen[i] = from->seen[i];
	for (uint32_t i = 0; i < e->thread_count; i++)
		if (to->clock[i] < from->clock[i])
			to->clock[i] = from->clock[i];
	if (to->crowd != from->crowd)
		to->crowd = e->program.join_crowd(e->program.context, to->crowd, from->crowd);
}

void weir_model_join_cause(weir_model_cause *to, const weir_model_cause *from)
{
	for (uint32_t i = 0; i < WEIR_MODEL_AGENTS; i++)
		if (to->index[i] < from->index[i])
			to->index[i] = from->index[i];
}

void weir_model_memory_reset(weir_model_engine *e)
{
	for (uint32_t i = 0; i < e->location_count; i++)
		for (uint32_t half = 0; half <= e->locations[i].wide; half++)
			e->location_of[e->locations[i].word + half] = 0;
	e->location_count = 0;
	memset(e->data, 0, e->data_count * sizeof e->data[0]);
	e->data_count = 0;
	for (uint32_t i = 0; i < e->noted_count; i++)
		memset(&e->noted[e->noted_list[i]], 0, sizeof e->noted[0]);
	e->noted_count = 0;
	e->faults = 0;
	e->event_count = 0;
	if (e->ptx)
		weir_model_ptx_reset(e);
	for (uint32_t t = 0; t < e->thread_count; t++) {
		weir_model_thread *thread = &e->threads[t];
		memset(&thread->now, 0, sizeof thread->now);
		memset(&thread->pending, 0, sizeof thread->pending);
		memset(&thread->polled, 0, sizeof thread->polled);
		memset(thread->found, 0, sizeof thread->found);
		memset(&thread->released, 0, sizeof thread->released);
		memset(&thread->begun, 0, sizeof thread->begun);
		memset(&thread->cause, 0, sizeof thread->cause);
		thread->now.clock[t] = 1;
		thread->op.site = NULL;
		thread->attempt.open = 0;
		thread->late.type = WEIR_OP_NONE;
		thread->fresh = 0;
		thread->overdue = 0;
		thread->late_now = 0;
		thread->has_arrived = 0;
		thread->sees_abort = 0;
		thread->is_woken = 0;
		thread->doorway_open = 0;
		thread->doorway_stamp = 0;
		thread->area = 0;
	}
}

static int is_new_location(const weir_model_engine *e, uint32_t word, int wide)
{
	return e->location_of[word] == 0 && (!wide || e->location_of[word + 1] == 0);
}

static void fail_sizes(weir_model_engine *e, uint32_t word, weir_model_op_type type)
{
	for (uint32_t half = 0; half < 2; half++)
		if (word + half < WEIR_MODEL_WORDS && e->location_of[word + half])
			weir_model_check_sizes(e, e->location_of[word + half] - 1u, type);
	weir_model_fail(e, WEIR_MODEL_LIMIT, "word %u is accessed both with 32 bits and with 64",
	                word);
}

uint32_t weir_model_location_at(weir_model_engine *e, const void *w, weir_model_op_type type,
                                int wide, const weir_model_site *site)
{
	uint32_t word = (uint32_t)((const weir_word *)w - e->words);
	weir_model_location *location;

	if ((const weir_word *)w < e->words || word + (uint32_t)wide >= WEIR_MODEL_ALL_WORDS) {
		weir_model_fail(e, WEIR_MODEL_CHECK, "an access outside the words of the model");
		return 0;
	}
	if (word + (uint32_t)wide >= e->program.hole && word < e->program.hole_end) {
		weir_model_fail(e, WEIR_MODEL_CHECK, "word %u is behind the object", word);
		return 0;
	}
	if (!is_new_location(e, word, wide)) {
		location = &e->locations[e->location_of[word] ? e->location_of[word] - 1 : 0];
		if (e->location_of[word] == 0 || location->word != word || location->wide != wide)
			fail_sizes(e, word, type);
		return (uint32_t)(location - e->locations);
	}
	if (wide && word % 2) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "a 64-bit word at word %u is not aligned",
		                word);
		return 0;
	}
	if (e->location_count == WEIR_MODEL_LOCATIONS) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "more than %d words in use",
		                WEIR_MODEL_LOCATIONS);
		return 0;
	}
	location = &e->locations[e->location_count];
	location->word = word;
	location->name = site->word;
	location->wide = (uint8_t)wide;
	location->message_count = 1;
	location->reader_count = 0;
	location->newest = 0;
	location->narrow = 0;
	location->has_each = 0;
	memset(location->each, 0, sizeof location->each);
	memset(&location->messages[0], 0, sizeof location->messages[0]);
	location->messages[0].stamp = STAMP_STEP;
	e->location_count++;
	for (int half = 0; half <= wide; half++)
		e->location_of[word + (uint32_t)half] = (uint8_t)e->location_count;
	return e->location_count - 1;
}

int weir_model_satisfies(const weir_model_op *op, uint64_t value)
{
	uint32_t high = (uint32_t)(value >> 32);

	if (op->poll)
		return op->poll->ends(op->poll, value);
	switch (op->type) {
	case WEIR_OP_AWAIT_EQ:
	case WEIR_OP_AWAIT_XCHG_EQ:
		return value == op->expected;
	case WEIR_OP_AWAIT_GE:
		return (int32_t)(uint32_t)(value - op->expected) >= 0;
	case WEIR_OP_AWAIT_GE_UNSIGNED:
		return value >= op->expected;
	case WEIR_OP_AWAIT_HIGH_GE:
		return (int32_t)(high - (uint32_t)op->expected) >= 0;
	case WEIR_OP_AWAIT_HIGH_GE_UNSIGNED:
		return high >= op->expected;
	case WEIR_OP_AWAIT_XCHG_NE:
		return value != op->expected;
	default:
		return 1;
	}
}

static int may_read(const weir_model_engine *e, const weir_model_op *op,
                    const weir_model_message *m, uint32_t seen)
{
	int must_be_free =
	    weir_model_writes(op->type) && !(e->setting.broken & WEIR_MODEL_BROKEN_RMW);

	if (m->stamp < seen || !weir_model_satisfies(op, m->value))
		return 0;
	if (op->type == WEIR_OP_CAS && m->value != op->expected)
		must_be_free = 0;
	return !(must_be_free && m->taken);
}

/* Where a store may go: the messages that it may follow, newest first. */
static uint32_t store_choices(const weir_model_engine *e, const weir_model_location *location,
                              uint32_t seen, uint16_t *list)
{
	uint32_t count = 0;

	list[count++] = location->newest;
	if (e->setting.broken & WEIR_MODEL_BROKEN_APPEND || e->in_grace)
		return count;
	for (uint32_t i = 0; i < location->message_count; i++) {
		const weir_model_message *m = &location->messages[i];
		if (i != location->newest && m->stamp >= seen && !m->taken)
			list[count++] = (uint16_t)i;
	}
	return count;
}

static int view_covers(const weir_model_engine *e, const weir_model_view *a,
                       const weir_model_view *b)
{
	for (uint32_t i = 0; i < e->location_count; i++)
		if (a->seen[i] < b->seen[i])
			return 0;
	for (uint32_t i = 0; i < e->thread_count; i++)
		if (a->clock[i] < b->clock[i])
			return 0;
	return 1;
}

/* Two messages may end a wait that only reads and returns nothing. If the older one carries no more
 * order, the newer one is superfluous: everything that can happen after the newer one can happen
 * after the older one. If a thread gets stuck after the newer one, the older one shows that as a
 * lost wake-up. A wait that returns its value waits for a word that is written only once while it
 * waits. Behind a fence.sc an older value is not weaker: it puts the fence before others. */
static int is_superfluous(const weir_model_engine *e, int thread, const weir_model_op *op,
                          const weir_model_location *location, const weir_model_message *m,
                          uint32_t seen)
{
	uint64_t leads_to = 0;

	if (weir_model_writes(op->type) || e->setting.search == WEIR_MODEL_NAIVE)
		return 0;
	if (op->poll && e->ptx && weir_model_ptx_is_fenced(e, thread))
		return 0;
	if (op->poll)
		leads_to = op->poll->leads_to(op->poll, m->value);
	else if (!weir_model_is_await(op->type) || e->ptx)
		return 0;
	for (uint32_t i = 0; i < location->message_count && (leads_to || !op->poll); i++) {
		const weir_model_message *other = &location->messages[i];
		if (other->stamp < m->stamp && may_read(e, op, other, seen) &&
		    (op->poll ? op->poll->leads_to(op->poll, other->value) == leads_to &&
		                    weir_model_ptx_covers(e, op->location,
		                                          (uint32_t)(m - location->messages), i)
		              : view_covers(e, &m->view, &other->view)))
			return 1;
	}
	return 0;
}

/* The stamp of the oldest message that the thread's operation may still read. */
static uint32_t oldest(const weir_model_engine *e, int thread)
{
	const weir_model_thread *t = &e->threads[thread];

	return e->ptx ? weir_model_ptx_seen(e, thread, t->op.location)
	              : t->now.seen[t->op.location];
}

uint32_t weir_model_choices(weir_model_engine *e, int thread, uint32_t floor, uint16_t *list)
{
	const weir_model_thread *t = &e->threads[thread];
	const weir_model_location *location = &e->locations[t->op.location];
	uint32_t count = 0;
	uint32_t seen;

	if (t->op.type == WEIR_OP_CHOOSE && !e->in_grace) {
		for (; count < t->op.value; count++)
			list[count] = (uint16_t)count;
		return count;
	}
	if (t->op.type == WEIR_OP_FENCE || t->op.type == WEIR_OP_CHOOSE ||
	    t->op.type == WEIR_OP_ACQUIRE_EACH || weir_model_syncs(t->op.type)) {
		list[0] = 0;
		return 1;
	}
	seen = oldest(e, thread);
	if (t->op.type == WEIR_OP_STORE)
		return store_choices(e, location, seen, list);
	if (e->in_grace || t->fresh) {
		list[0] = location->newest;
		return weir_model_satisfies(&t->op, location->messages[location->newest].value);
	}
	for (uint32_t i = location->message_count; i-- > floor;)
		if (may_read(e, &t->op, &location->messages[i], seen) &&
		    !is_superfluous(e, thread, &t->op, location, &location->messages[i], seen))
			list[count++] = (uint16_t)i;
	return count;
}

int weir_model_enabled(weir_model_engine *e, int thread, uint32_t floor)
{
	const weir_model_thread *t = &e->threads[thread];
	const weir_model_location *location = &e->locations[t->op.location];
	uint32_t seen;

	if (t->state != WEIR_MODEL_READY)
		return 0;
	if (!weir_model_reads(t->op.type))
		return 1;
	seen = oldest(e, thread);
	for (uint32_t i = floor; i < location->message_count; i++)
		if (may_read(e, &t->op, &location->messages[i], seen) &&
		    !is_superfluous(e, thread, &t->op, location, &location->messages[i], seen))
			return 1;
	return 0;
}

weir_model_event *weir_model_record(weir_model_engine *e, int thread, const weir_model_op *op)
{
	weir_model_event *event;

	if (e->event_count + 1 >= WEIR_MODEL_EVENTS) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "an execution of more than %d steps",
		                WEIR_MODEL_EVENTS);
		return &e->events[0];
	}
	event = &e->events[++e->event_count]; /* from 1: 0 stands for the initial state */
	event->op = *op;
	event->thread = (uint8_t)thread;
	event->failed = 0;
	event->vain = 0;
	event->node = WEIR_MODEL_NO_NODE;
	event->index = 0;
	event->reads = 0;
	event->put = 0;
	event->result = 0;
	event->wrote = 0;
	event->note = NULL;
	return event;
}

/* Stamp of a new message right after `before`; 0 when there is no room left. */
static uint32_t stamp_after(const weir_model_location *location, const weir_model_message *before)
{
	uint32_t next = UINT32_MAX;

	for (uint32_t i = 0; i < location->message_count; i++)
		if (location->messages[i].stamp > before->stamp &&
		    location->messages[i].stamp < next)
			next = location->messages[i].stamp;
	if (next == UINT32_MAX)
		return before->stamp + STAMP_STEP;
	return next - before->stamp < 2 ? 0 : before->stamp + (next - before->stamp) / 2;
}

static void read_message(weir_model_engine *e, int thread, const weir_model_message *m)
{
	weir_model_thread *t = &e->threads[thread];
	const weir_model_op *op = &t->op;
	int is_poll = op->order == WEIR_MODEL_POLL;
	int acquires = ((op->order & WEIR_MODEL_ACQ) ||
	                (is_poll && e->setting.polls == WEIR_MODEL_POLLS_ACQUIRE)) &&
	               !(e->setting.broken & WEIR_MODEL_BROKEN_ACQUIRE);

	if (t->now.seen[op->location] < m->stamp)
		t->now.seen[op->location] = m->stamp;
	/* A reduction returns nothing: not even a fence after it acquires. */
	if (e->ptx) {
		weir_model_ptx_read(e, thread, (uint32_t)(m - e->locations[op->location].messages));
	} else if (op->type != WEIR_OP_RED) {
		if (acquires)
			weir_model_join_view(e, &t->now, &m->view);
		else if (e->program.has_fences || e->setting.polls == WEIR_MODEL_POLLS_FENCE)
			weir_model_join_view(e, &t->pending, &m->view);
		t->found[op->location] = (uint16_t)(m - e->locations[op->location].messages + 1);
	}
	if (is_poll)
		weir_model_join_view(e, &t->polled, &m->view);
	weir_model_join_cause(&t->cause, &m->cause);
}

/* A machine may acquire what a thread has read by another load, which finds this message or a later
 * one. */
static void check_each(weir_model_engine *e, const weir_model_location *location, uint32_t read,
                       const weir_model_message *m)
{
	const weir_model_message *old = &location->messages[read - 1];

	if (m->stamp > old->stamp && !view_covers(e, &m->view, &old->view))
		weir_model_fail(e, WEIR_MODEL_CHECK,
		                "weir_acquire_each of %s, where a write does not release what an "
		                "older one did",
		                location->name);
}

/* A new message, unless it is placed after those that acquire-each operations have acquired. */
static void check_each_before(weir_model_engine *e, const weir_model_location *location,
                              const weir_model_view *now, const weir_model_message *m)
{
	for (uint32_t t = 0; t < e->thread_count; t++)
		if (location->each[t] && now->clock[t] < location->each_clock[t])
			check_each(e, location, location->each[t], m);
}

static void acquire_each(weir_model_engine *e, int thread)
{
	weir_model_thread *t = &e->threads[thread];
	weir_model_location *location = &e->locations[t->op.location];
	uint32_t found = t->found[t->op.location];

	if (!found)
		return;
	if (!(e->setting.broken & WEIR_MODEL_BROKEN_ACQUIRE))
		weir_model_join_view(e, &t->now, &location->messages[found - 1].view);
	location->has_each = 1;
	location->each[thread] = (uint16_t)found;
	location->each_clock[thread] = t->now.clock[thread];
	for (uint32_t i = 0; i < location->message_count; i++)
		check_each(e, location, found, &location->messages[i]);
}

/* What the message passes on. A read-modify-write continues the release sequence of what it
 * read. */
static void release(weir_model_engine *e, const weir_model_thread *t, const weir_model_op *op,
                    weir_model_message *m, const weir_model_message *read)
{
	m->view = op->order & WEIR_MODEL_REL ? t->now : t->released;
	if (op->order & WEIR_MODEL_BEGUN)
		weir_model_join_view(e, &m->view, &t->begun);
	if (read)
		weir_model_join_view(e, &m->view, &read->view);
}

/* Places a message after message number `after`. `read`: it continues the release sequence of that
 * message. */
static uint32_t write_message(weir_model_engine *e, int thread, const weir_model_op *op,
                              uint64_t value, uint32_t after, int read)
{
	weir_model_thread *t = &e->threads[thread];
	weir_model_location *location = &e->locations[op->location];
	weir_model_message *before = &location->messages[after];
	uint32_t stamp = stamp_after(location, before);
	uint32_t number = location->message_count;
	weir_model_message *m = &location->messages[number];

	if (number == WEIR_MODEL_MESSAGES || stamp == 0) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "too many writes to one word");
		return 0;
	}
	location->message_count++;
	m->value = value;
	m->stamp = stamp;
	m->taken = 0;
	m->vain = 0;
	m->writer = (uint8_t)thread;
	m->event = (uint16_t)e->event_count;
	t->now.seen[op->location] = stamp;
	if (e->ptx)
		weir_model_ptx_write(e, thread, number, read ? (int)after : -1);
	else
		release(e, t, op, m, read ? before : NULL);
	before->taken |= (uint8_t)read;
	m->cause = t->cause;
	if (location->has_each)
		check_each_before(e, location, &t->now, m);
	if (stamp > location->messages[location->newest].stamp)
		location->newest = (uint16_t)number;
	return number;
}

static uint64_t value_written(const weir_model_location *location, const weir_model_op *op,
                              uint64_t old)
{
	uint64_t value = op->value;

	if (op->compute)
		value = op->compute(op, old);
	else if (op->type == WEIR_OP_ADD || op->type == WEIR_OP_RED)
		value += old;
	return location->wide ? value : (uint32_t)value;
}

static void note_attempt(weir_model_thread *t, const weir_model_op *op, uint32_t event,
                         uint32_t read, uint32_t wrote, int has_written)
{
	weir_model_attempt *a = &t->attempt;

	if (!a->open)
		return;
	if (a->count == WEIR_MODEL_ATTEMPT) {
		a->overflow = 1;
		return;
	}
	a->access[a->count].location = (uint8_t)op->location;
	a->access[a->count].reads = (uint8_t)weir_model_reads(op->type);
	a->access[a->count].writes = (uint8_t)has_written;
	a->access[a->count].event = (uint16_t)event;
	a->access[a->count].read = (uint16_t)read;
	a->access[a->count].wrote = (uint16_t)wrote;
	a->count++;
}

static void perform_access(weir_model_engine *e, int thread, uint32_t choice,
                           weir_model_event *event)
{
	weir_model_thread *t = &e->threads[thread];
	const weir_model_op *op = &t->op;
	weir_model_location *location = &e->locations[op->location];
	weir_model_message *m = &location->messages[choice];
	int reads = weir_model_reads(op->type);
	int writes = weir_model_writes(op->type);
	uint32_t number = 0;

	t->result = 0;
	if (reads) {
		t->result = m->value;
		event->reads = m->event;
		event->message = (uint16_t)choice;
		read_message(e, thread, m);
		if (op->type == WEIR_OP_CAS && m->value != op->expected)
			writes = 0;
		event->failed = (uint8_t)(op->type == WEIR_OP_CAS && !writes);
	}
	if (writes) {
		event->wrote = value_written(location, op, t->result);
		number = write_message(e, thread, op, event->wrote, choice, reads);
		event->put = (uint16_t)(number + 1);
		if (reads && t->doorway_open) {
			t->doorway_open = 0;
			t->doorway_location = op->location;
			t->doorway_stamp = location->messages[number].stamp;
		}
	}
	note_attempt(t, op, e->event_count, choice, number, writes);
}

/* Accesses whose scopes do not include each other must be ordered, like plain accesses. */
static void check_scope(weir_model_engine *e, const weir_model_event *event)
{
	weir_model_location *location = &e->locations[event->op.location];

	if (event->op.scope < e->widest)
		location->narrow = 1;
	if (location->narrow)
		weir_model_check_scope(e, event);
}

/* If polls acquire by themselves, weir_poll_acquire does nothing. */
static void acquire_fence(weir_model_engine *e, weir_model_thread *t)
{
	int is_of_polls = t->op.order == WEIR_MODEL_POLL;

	if (!is_of_polls && !e->program.has_fences && e->setting.polls != WEIR_MODEL_POLLS_FENCE)
		weir_model_fail(e, WEIR_MODEL_LIMIT, "a fence in a program without fences");

	if (e->setting.broken & WEIR_MODEL_BROKEN_ACQUIRE ||
	    (is_of_polls && e->setting.polls == WEIR_MODEL_POLLS_ACQUIRE))
		return;
	weir_model_join_view(e, &t->now,
	                     is_of_polls && e->setting.polls == WEIR_MODEL_POLLS_CONTRACT
	                         ? &t->polled
	                         : &t->pending);
}

void weir_model_perform(weir_model_engine *e, int thread, uint32_t choice, uint32_t node)
{
	weir_model_thread *t = &e->threads[thread];
	weir_model_event *event = weir_model_record(e, thread, &t->op);
	int is_access = weir_model_reads(t->op.type) || weir_model_writes(t->op.type);

	event->node = (uint16_t)node;
	event->index = ++t->cause.index[thread];
	e->steps++;
	if (t->op.type == WEIR_OP_FENCE && e->ptx) {
		weir_model_ptx_fence(e, thread);
	} else if (t->op.type == WEIR_OP_FENCE && t->op.order == WEIR_MODEL_BEGUN) {
		t->begun = t->now;
	} else if (t->op.type == WEIR_OP_FENCE) {
		acquire_fence(e, t);
		if (t->op.order == WEIR_MODEL_ACQ_REL)
			t->released = t->now;
	} else if (t->op.type == WEIR_OP_CHOOSE) {
		t->result = choice;
	} else if (t->op.type == WEIR_OP_ACQUIRE_EACH) {
		acquire_each(e, thread);
	} else if (!weir_model_syncs(t->op.type)) {
		perform_access(e, thread, choice, event);
	}
	event->result = t->result;
	event->cause = t->cause;
	memcpy(event->clock, t->now.clock, sizeof event->clock);
	if (is_access && !e->stopped)
		check_scope(e, event);
	t->now.clock[thread]++;
}

static void join_thread(const weir_model_engine *e, weir_model_thread *to,
                        const weir_model_thread *from, int orders)
{
	if (orders)
		weir_model_join_view(e, &to->now, from->has_arrived ? &from->arrived : &from->now);
	weir_model_join_cause(&to->cause, &from->cause);
}

void weir_model_join_threads(weir_model_engine *e, const weir_model_op *op, uint32_t first,
                             uint32_t end)
{
	weir_model_thread *leader = &e->threads[first];
	int orders = op->type != WEIR_OP_MEET || (e->setting.broken & WEIR_MODEL_BROKEN_MEETS);
	uint32_t all = op->type == WEIR_OP_SYNC_REL ? first + e->program.threads : end;

	for (uint32_t t = first + 1; t < all; t++)
		join_thread(e, leader, &e->threads[t], orders);
	for (uint32_t t = first; t < end; t++) {
		if (orders)
			e->threads[t].now = leader->now;
		e->threads[t].cause = leader->cause;
	}
	for (uint32_t t = first; t < end; t++)
		e->threads[t].now.clock[t]++;
}

/* The attempt's last and first write to the location that access `i` wrote. */
static void writes_of(const weir_model_attempt *a, int i, int *first, int *last)
{
	*first = i;
	*last = i;
	for (int j = 0; j < a->count; j++)
		if (a->access[j].location == a->access[i].location && a->access[j].writes) {
			*first = j < *first ? j : *first;
			*last = j > *last ? j : *last;
		}
}

static void mark_vain(weir_model_engine *e, const weir_model_attempt *a)
{
	int first;
	int last;

	e->has_vain = 1;
	for (int i = 0; i < a->count; i++) {
		e->events[a->access[i].event].vain = 1;
		if (!a->access[i].writes)
			continue;
		writes_of(a, i, &first, &last);
		if (i != last)
			e->locations[a->access[i].location].messages[a->access[i].wrote].vain = 1;
	}
}

/* Whether a failed attempt can be left out: the rest is an execution too, with no more order in it.
 * Each word that the attempt wrote must again hold the value that it took out, with all the order
 * that the value carried. The read-modify-write must have been first, so that nothing was
 * overwritten. */
int weir_model_attempt_futile(weir_model_engine *e, int thread)
{
	weir_model_attempt *a = &e->threads[thread].attempt;
	int transparent = 1;

	if (a->overflow) {
		weir_model_fail(e, WEIR_MODEL_LIMIT, "an attempt of a wait with too many accesses");
		return 0;
	}
	for (int i = 0; i < a->count; i++) {
		weir_model_location *location = &e->locations[a->access[i].location];
		const weir_model_message *took;
		const weir_model_message *left;
		int first;
		int last;
		if (!a->access[i].writes)
			continue;
		writes_of(a, i, &first, &last);
		took = &location->messages[a->access[first].read];
		left = &location->messages[a->access[last].wrote];
		if ((!a->access[first].reads || left->value != took->value) && !e->is_aborted) {
			weir_model_fail(e, WEIR_MODEL_CHECK,
			                "a failed attempt of a wait left %s changed",
			                location->name);
			return 0;
		}
		transparent &=
		    e->ptx ? weir_model_ptx_covers(e, a->access[i].location, a->access[last].wrote,
		                                   a->access[first].read)
			   : view_covers(e, &left->view, &took->view);
	}
	if (transparent)
		mark_vain(e, a);
	return transparent;
}

int weir_model_vain_was_read(const weir_model_engine *e)
{
	for (uint32_t i = 1; i <= e->event_count; i++) {
		const weir_model_event *event = &e->events[i];
		if (event->index && !event->vain && weir_model_reads(event->op.type) &&
		    e->locations[event->op.location].messages[event->message].vain)
			return 1;
	}
	return 0;
}

/* Fails if the await could have missed the value that it found. Among the messages that the await
 * did not cause, a late reader keeps finding the last in modification order. */
static void check_wake(weir_model_engine *e, const weir_model_event *event)
{
	const weir_model_location *location = &e->locations[event->op.location];
	const weir_model_message *last = NULL;
	char found[WEIR_MODEL_VALUE_TEXT];
	char for_ever[WEIR_MODEL_VALUE_TEXT];

	for (uint32_t i = 0; i < location->message_count; i++) {
		const weir_model_message *m = &location->messages[i];
		if (m->cause.index[event->thread] >= event->index)
			continue;
		if (!last || m->stamp > last->stamp)
			last = m;
	}
	if (last && !weir_model_satisfies(&event->op, last->value))
		weir_model_fail(
		    e, WEIR_MODEL_LOST_WAKE,
		    "lost wake-up: block %u thread %u found %s at step %u, but had it come "
		    "later, it would have found %s for ever",
		    e->threads[event->thread].block, e->threads[event->thread].thread,
		    weir_model_value_text(location, event->result, found),
		    (unsigned)(event - e->events),
		    weir_model_value_text(location, last->value, for_ever));
}

void weir_model_check_wakes(weir_model_engine *e)
{
	for (uint32_t i = 1; i <= e->event_count && e->verdict == WEIR_MODEL_PASS; i++)
		if (weir_model_is_await(e->events[i].op.type) || e->events[i].op.poll)
			check_wake(e, &e->events[i]);
}
