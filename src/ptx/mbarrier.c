/* mbarriers: 64 bits in shared memory. Their layout is this implementation's own:
 *
 *   pending arrivals : 20, expected arrivals : 20, bytes still to come : 21 (signed), phase : 1,
 *   a mark : 2, so that memory without mbarrier.init is noticed
 */
#include <string.h>

#include "ptx/machine.h"

#define FIELD 0xfffffu
#define MARK UINT64_C(2)

typedef struct mbar {
	uint32_t pending, expected;
	int32_t bytes;
	uint32_t phase;
} mbar;

static mbar unpack(uint64_t word)
{
	return (mbar){(uint32_t)word & FIELD, (uint32_t)(word >> 20) & FIELD,
	              (int32_t)((uint32_t)(word >> 40 & 0x1fffff) << 11) >> 11,
	              (uint32_t)(word >> 61 & 1)};
}

static uint64_t pack(mbar b)
{
	return (uint64_t)b.pending | (uint64_t)b.expected << 20 |
	       ((uint64_t)(uint32_t)b.bytes & 0x1fffff) << 40 | (uint64_t)b.phase << 61 |
	       MARK << 62;
}

static uint64_t *word_at(weir_ptx_thread *t, const weir_ptx_event *event, weir_ptx_space space,
                         uint32_t owner, uint64_t address, bool init)
{
	const ptx_access *access = &t->machine->program->accesses.at[event->operation->index];
	uint64_t *word;

	if (space != WEIR_PTX_SHARED) {
		weir_ptx_find(t, WEIR_PTX_WRONG_SPACE,
		              "an mbarrier that does not lie in shared memory");
		return NULL;
	}
	word =
	    (uint64_t *)(void *)weir_ptx_bytes(t, access, space, owner, address, 8, 8, true, false);
	if (word && !init && *word >> 62 != MARK) {
		weir_ptx_find(t, WEIR_PTX_MBARRIER,
		              "the mbarrier at shared offset %llu is used before mbarrier.init",
		              (unsigned long long)address);
		return NULL;
	}
	return word;
}

static void put(weir_ptx_thread *t, uint64_t *word, mbar b)
{
	if (!b.pending && !b.bytes) { /* the phase is complete */
		b.phase ^= 1;
		b.pending = b.expected;
	}
	if (*word != pack(b)) {
		*word = pack(b);
		t->wrote = true;
		t->machine->epoch++;
	}
}

static weir_ptx_answered init(weir_ptx_thread *t, weir_ptx_event *event)
{
	uint32_t count = (uint32_t)event->value[0];
	uint64_t *word = word_at(t, event, event->space, event->owner, event->address, true);

	if (!word)
		return WEIR_PTX_FAULT;
	if (event->kind == WEIR_PTX_MBAR_INVAL) {
		*word = 0;
	} else if (!count || count > FIELD) {
		weir_ptx_find(t, WEIR_PTX_MBARRIER,
		              "an mbarrier for %u arrivals: 1 to 1048575 are allowed", count);
		return WEIR_PTX_FAULT;
	} else {
		*word = pack((mbar){count, count, 0, 0});
	}
	t->wrote = true;
	t->machine->epoch++;
	weir_ptx_pass(t, event);
	return WEIR_PTX_SERVED;
}

/* cp.async.mbarrier.arrive arrives when the copies that the thread has issued have landed, which they do here. */
static bool is_of_copies(const weir_ptx_thread *t, const weir_ptx_event *event)
{
	const ptx_program *program = t->machine->program;
	uint32_t statement = program->accesses.at[event->operation->index].statement;

	return program->module->statements.at[statement].opcode == PTX_OP_cp;
}

static weir_ptx_answered arrive(weir_ptx_thread *t, weir_ptx_event *event)
{
	uint64_t *word = word_at(t, event, event->space, event->owner, event->address, false);
	uint32_t n = (uint32_t)event->value[0], arrivals = 0, dropped = 0;
	mbar b;

	if (!word || (is_of_copies(t, event) && !weir_ptx_land_small(t)))
		return WEIR_PTX_FAULT;
	b = unpack(*word);
	event->value[0] = *word;
	switch (event->operation->what) {
	case PTX_MBAR_ARRIVES:
		arrivals = n;
		break;
	case PTX_MBAR_DROP:
		arrivals = dropped = n;
		break;
	case PTX_MBAR_ARRIVE_EXPECT:
	case PTX_MBAR_DROP_EXPECT:
		arrivals = 1;
		dropped = event->operation->what == PTX_MBAR_DROP_EXPECT;
		b.bytes += (int32_t)n;
		break;
	case PTX_MBAR_EXPECT_TX:
		b.bytes += (int32_t)n;
		break;
	case PTX_MBAR_COMPLETE_TX:
		b.bytes -= (int32_t)n;
		break;
	default: /* adds an arrival and takes it back when the copies are done, which they are */
		break;
	}
	if (arrivals > b.pending || dropped > b.expected) {
		weir_ptx_find(t, WEIR_PTX_MBARRIER,
		              "%u arrivals at an mbarrier that expects %u more in this phase",
		              arrivals, b.pending);
		return WEIR_PTX_FAULT;
	}
	b.pending -= arrivals;
	b.expected -= dropped;
	put(t, word, b);
	weir_ptx_pass(t, event);
	return WEIR_PTX_SERVED;
}

static weir_ptx_answered test(weir_ptx_thread *t, weir_ptx_event *event)
{
	uint64_t *word = word_at(t, event, event->space, event->owner, event->address, false);
	uint32_t phase = event->operation->what == PTX_MBAR_TEST_PARITY
	                     ? (uint32_t)event->value[0] & 1
	                     : (uint32_t)(event->value[0] >> 61 & 1);

	if (!word)
		return WEIR_PTX_FAULT;
	event->value[0] = unpack(*word).phase != phase;
	weir_ptx_pass(t, event);
	return WEIR_PTX_SERVED;
}

weir_ptx_answered weir_ptx_serve_mbarrier(weir_ptx_thread *t, weir_ptx_event *event)
{
	switch (event->kind) {
	case WEIR_PTX_MBAR_INIT:
	case WEIR_PTX_MBAR_INVAL:
		return init(t, event);
	case WEIR_PTX_MBAR_ARRIVE:
		return arrive(t, event);
	default:
		return test(t, event);
	}
}

/* Counts bytes of a copy that have arrived. */
bool weir_ptx_mbarrier_complete(weir_ptx_thread *t, const weir_ptx_event *event, uint32_t bytes)
{
	uint64_t *word =
	    word_at(t, event, event->barrier_space, event->barrier_owner, event->barrier, false);
	mbar b;

	if (!word)
		return false;
	b = unpack(*word);
	b.bytes -= (int32_t)bytes;
	put(t, word, b);
	return true;
}
