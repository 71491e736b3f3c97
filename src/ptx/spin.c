/* Spins. A thread spins if it returns to the head of a loop with the same live registers and has
 * changed no memory on the way. It repeats the iteration until a word that it read changes, so it
 * waits for these words.
 *
 * The loop of exec.inc counts backward branches without a write, and asks here after some. A snapshot of
 * the live slots is compared with the next visits. When one is equal, the thread runs the loop once more
 * by events, and the words that it reads are what it waits for. Slots that only ever reach nanosleep
 * are not among the live ones (alloc.c).
 *
 * A loop that also meets other threads, at a shuffle or a barrier, depends on what they bring. Its thread
 * is not taken out of the schedule: it circles, until schedule.c finds that all of them do. */
#include <stdlib.h>
#include <string.h>

#include "ptx/exec.h"
#include "ptx/machine.h"

#define TRIES 4
#define LEAST_NAP 256
#define MOST_NAP (1u << 20)

static const ptx_loop *loop_of(const weir_ptx_thread *t, uint32_t loop)
{
	return &t->machine->program->loops.at[loop];
}

/* A part of the loop may lie behind its backward branch. */
static bool may_end_by_clock(const weir_ptx_thread *t, uint32_t loop)
{
	return loop_of(t, loop)->clocked || t->clock;
}

static void give_up(weir_ptx_thread *t)
{
	t->spin->loop = PTX_NONE;
	t->quiet = 0;
	if (t->quiet_limit < 2048)
		t->quiet_limit *= 2;
}

static void take_snapshot(weir_ptx_thread *t, uint32_t loop)
{
	const ptx_loop *l = loop_of(t, loop);
	ptx_spin *spin = t->spin;
	const uint16_t *live = t->machine->program->live.at + l->first;

	if (!spin->live || l->count + 1 > spin->room) {
		uint64_t *grown = realloc(spin->live, (l->count + 1) * sizeof *grown);
		if (!grown) {
			give_up(t);
			return;
		}
		spin->live = grown;
		spin->room = l->count + 1;
	}
	spin->snapshots++;
	t->clock = false;
	spin->live[0] = t->depth;
	for (uint32_t i = 0; i < l->count; i++)
		spin->live[1 + i] = t->frame[live[i]];
	spin->loop = loop;
	spin->epoch = t->machine->epoch;
	spin->tries = 0;
	spin->host = spin->records = spin->recorded = false;
	spin->from = spin->before = spin->last = t->machine->instructions;
}

static bool is_same(const weir_ptx_thread *t, uint32_t loop)
{
	const ptx_loop *l = loop_of(t, loop);
	const uint16_t *live = t->machine->program->live.at + l->first;

	if (t->spin->loop != loop || t->spin->live[0] != t->depth)
		return false;
	for (uint32_t i = 0; i < l->count; i++)
		if (t->spin->live[1 + i] != t->frame[live[i]])
			return false;
	return true;
}

/* --- The words that a loop reads -------------------------------------------------------------------- */

static bool host_writes(weir_ptx_thread *t, uint64_t address)
{
	const ptx_region *r = weir_ptx_region(t->machine->memory, address);

	return r && (r->flags & WEIR_PTX_HOST_VISIBLE);
}

static bool add_words(weir_ptx_thread *t, const weir_ptx_event *event)
{
	ptx_spin *spin = t->spin;
	unsigned size = event->operation->size > 8 ? 8 : event->operation->size;
	bool global = event->space == WEIR_PTX_GLOBAL;

	for (uint32_t at = 0, k = 0; at < event->bytes; at += size, k++) {
		uint64_t value = event->value[k] & ptx_low(size * 8);
		uint32_t i = 0;
		while (i < spin->words &&
		       (spin->word[i].address != event->address + at ||
		        spin->word[i].owner != (global ? PTX_NONE : event->owner)))
			i++;
		if (i == PTX_SPIN_WORDS)
			return false;
		spin->word[i] =
		    (ptx_word){event->address + at, value, global ? PTX_NONE : event->owner,
		               (uint8_t)size, global && host_writes(t, event->address)};
		spin->host |= spin->word[i].host_visible;
		spin->words += i == spin->words;
	}
	return true;
}

/* Other threads bring something to this event. */
static bool is_meeting(const weir_ptx_thread *t, const weir_ptx_event *event)
{
	switch (event->kind) {
	case WEIR_PTX_BAR_SYNC:
	case WEIR_PTX_BAR_ARRIVE:
	case WEIR_PTX_CLUSTER_ARRIVE:
	case WEIR_PTX_CLUSTER_WAIT:
		return true;
	case WEIR_PTX_WARP_SYNC:
	case WEIR_PTX_WARP_EXCHANGE:
		return !(event->operation->flags & WEIR_PTX_HAS_MASK) ||
		       (uint32_t)event->value[3] != UINT32_C(1) << t->index % PTX_WARP;
	default:
		return false;
	}
}

/* Words whose reads have an effect only if something else changes first. */
static bool add_event(weir_ptx_thread *t, const weir_ptx_event *event, weir_ptx_answered answer)
{
	switch (event->kind) {
	case WEIR_PTX_LOAD:
		return add_words(t, event);
	case WEIR_PTX_RMW:
		return !t->wrote && add_words(t, event);
	case WEIR_PTX_MBAR_TEST: {
		weir_ptx_event word = *event;
		const ptx_block *b = ptx_owner(t->machine, event->owner);
		if (!b)
			return false;
		word.bytes = 8;
		memcpy(word.value, b->shared + event->address, 8);
		return add_words(t, &word);
	}
	case WEIR_PTX_STORE:
		return !t->wrote;
	case WEIR_PTX_FENCE:
	case WEIR_PTX_PAUSE:
	case WEIR_PTX_COPY_WAIT:
		return true;
	default:
		return (answer == WEIR_PTX_SERVED && !t->wrote) || is_meeting(t, event);
	}
}

/* An event of the iteration whose words are recorded. */
void weir_ptx_record(weir_ptx_thread *t, const weir_ptx_event *event, weir_ptx_answered answer)
{
	t->spin->meets |= is_meeting(t, event);
	if (!add_event(t, event, answer))
		t->spin->records = false;
}

/* Runs the loop once more. true: the thread is back with the same state, and `words` are what it read. If
 * it meets others, run_thread goes on to record. */
static bool probe(weir_ptx_thread *t, uint32_t loop)
{
	t->spin->words = 0;
	t->spin->records = true;
	t->spin->recorded = t->spin->meets = false;
	for (unsigned steps = 0; steps < 256 && t->spin->records; steps++) {
		weir_ptx_event event;
		weir_ptx_answered answer;
		weir_ptx_kind kind;

		t->quiet = t->quiet_limit; /* every backward branch is reported */
		kind = weir_ptx_advance(t, true, 1 << 20, &event, &answer);
		if (kind == WEIR_PTX_SUSPECT && event.value[0] == loop) {
			t->spin->records = false;
			return is_same(t, loop);
		}
		if (kind == WEIR_PTX_SUSPECT)
			continue;
		if (kind == WEIR_PTX_FAILED || kind == WEIR_PTX_EXIT || kind == WEIR_PTX_PREEMPTED)
			break;
		weir_ptx_record(t, &event, answer);
		if (t->state != WEIR_PTX_RUNNABLE && t->spin->records && t->spin->meets)
			return false;
	}
	t->spin->records = false;
	return false;
}

static void park(weir_ptx_thread *t, uint32_t loop)
{
	ptx_spin *spin = t->spin;

	spin->timed = may_end_by_clock(t, loop);
	spin->nap = spin->parked != spin->snapshots ? LEAST_NAP
	            : spin->nap < MOST_NAP          ? 2 * spin->nap
	                                            : MOST_NAP;
	spin->parked = spin->snapshots;
	spin->due = t->machine->instructions + spin->nap;
	t->state = WEIR_PTX_SPINNING;
	t->block->runnable[t->index / 64] &= ~(UINT64_C(1) << (t->index % 64));
	t->block->spins[t->index / 64] |= UINT64_C(1) << (t->index % 64);
	t->quiet = t->quiet_limit - 1;
}

/* The thread is at the head with the state of the snapshot. */
static void come_back(weir_ptx_thread *t)
{
	ptx_spin *spin = t->spin;
	uint64_t now = t->machine->instructions;

	if (spin->epoch != t->machine->epoch || spin->from == UINT64_MAX) {
		spin->epoch = t->machine->epoch;
		spin->from = spin->last = now;
		spin->records = spin->recorded = false;
	}
	spin->before = spin->last;
	spin->last = now;
}

/* A thread has gone around `loop`, and changed nothing since its snapshot. */
void weir_ptx_suspect(weir_ptx_thread *t, uint32_t loop)
{
	if (!t->spin) {
		t->spin = calloc(1, sizeof *t->spin);
		if (!t->spin) {
			t->quiet =
			    INT32_MIN; /* without memory spins are not recognized; a budget still ends them */
			return;
		}
		t->spin->loop = PTX_NONE;
	}
	if (t->spin->loop == PTX_NONE) {
		take_snapshot(t, loop);
		return;
	}
	if (!is_same(t, loop)) {
		t->spin->from = UINT64_MAX;
		t->spin->records = false;
		if (++t->spin->tries >= TRIES)
			give_up(t);
		return;
	}
	t->spin->timed = may_end_by_clock(t, loop);
	t->spin->tries = 0;
	come_back(t);
	if (t->spin->recorded)
		return;
	if (t->spin->records) {
		t->spin->records = false;
		t->spin->recorded = true;
	} else if (probe(t, loop)) {
		if (t->spin->meets)
			t->spin->recorded = true;
		else
			park(t, loop);
	}
}

/* Whether the thread has gone around its loop since `since`, and memory has not changed meanwhile. */
bool weir_ptx_circles(const weir_ptx_thread *t, uint64_t since)
{
	const ptx_spin *spin = t->spin;

	return spin && spin->loop != PTX_NONE && spin->epoch == t->machine->epoch &&
	       spin->from < spin->last && spin->before >= since;
}

/* Whether the words that a thread waits for still hold what it read. */
bool weir_ptx_words_stand(weir_ptx_thread *t)
{
	for (uint32_t i = 0; i < t->spin->words; i++) {
		const ptx_word *w = &t->spin->word[i];
		const uint8_t *at = (const uint8_t *)(uintptr_t)w->address;
		uint64_t value = 0;

		if (w->owner != PTX_NONE) {
			const ptx_block *b = ptx_owner(t->machine, w->owner);
			if (!b)
				return false;
			at = b->shared + w->address;
		}
		switch (w->bytes) {
		case 4:
			value =
			    __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
			break;
		case 8:
			value =
			    __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);
			break;
		default:
			memcpy(&value, at, w->bytes);
		}
		if (value != w->value)
			return false;
	}
	return true;
}
