/* Warp operations: threads of a warp meet, and each gets what the others brought. */
#include <string.h>

#include "ptx/machine.h"

typedef struct meeting {
	weir_ptx_thread *lane[PTX_WARP]; /* NULL for those that take no part */
	uint32_t mask;
	unsigned what, type;
} meeting;

static weir_ptx_thread *lane_of(const weir_ptx_thread *t, unsigned lane)
{
	uint32_t index = t->index / PTX_WARP * PTX_WARP + lane;

	return index < t->block->threads ? &t->block->thread[index] : NULL;
}

static uint64_t shuffle(const meeting *met, unsigned lane, uint64_t *predicate)
{
	const uint64_t *o = met->lane[lane]->operand;
	int b = (int)(o[1] & 31), c = (int)(o[2] & 31), segment = (int)(o[2] >> 8 & 31),
	    own = (int)lane;
	int most = (own & segment) | (c & ~segment), least = own & segment, from;

	switch (met->what) {
	case PTX_SHFL_UP:
		from = own - b;
		*predicate = from >= most;
		break;
	case PTX_SHFL_DOWN:
		from = own + b;
		*predicate = from <= most;
		break;
	case PTX_SHFL_BFLY:
		from = own ^ b;
		*predicate = from <= most;
		break;
	default:
		from = least | (b & ~segment);
		*predicate = from <= most;
	}
	/* What a lane outside the mask holds is undefined: here, the lane's own value. */
	if (!*predicate || from < 0 || from > 31 || !met->lane[from])
		from = own;
	return met->lane[from]->operand[0];
}

static uint64_t vote(const meeting *met)
{
	uint32_t ballot = 0;

	for (unsigned k = 0; k < PTX_WARP; k++)
		if (met->lane[k] && met->lane[k]->operand[0])
			ballot |= 1u << k;
	switch (met->what) {
	case PTX_VOTE_ALL:
		return ballot == met->mask;
	case PTX_VOTE_ANY:
		return ballot != 0;
	case PTX_VOTE_UNI:
		return ballot == met->mask || !ballot;
	default:
		return ballot;
	}
}

static uint64_t match(const meeting *met, unsigned lane, uint64_t *predicate)
{
	uint32_t same = 0;

	for (unsigned k = 0; k < PTX_WARP; k++)
		if (met->lane[k] && met->lane[k]->operand[0] == met->lane[lane]->operand[0])
			same |= 1u << k;
	*predicate = same == met->mask;
	return met->what == PTX_MATCH_ANY || *predicate ? same : 0;
}

/* min and max of floats: operand 1 says whether a NaN is the result, rather than left out. */
static uint64_t reduce_floats(const meeting *met)
{
	float best = NAN;

	for (unsigned k = 0; k < PTX_WARP; k++) {
		float x;
		if (!met->lane[k])
			continue;
		x = ptx_f32((uint32_t)met->lane[k]->operand[0]);
		if (x != x && met->lane[k]->operand[1])
			return 0x7fffffff;
		best = met->what == PTX_REDUX_MIN ? ptx_min(best, x) : ptx_max(best, x);
	}
	return ptx_f32_bits(ptx_canonical(best));
}

static uint64_t reduce(const meeting *met)
{
	static const ptx_rmw ops[] = {PTX_RMW_ADD, PTX_RMW_MIN, PTX_RMW_MAX,
	                              PTX_RMW_AND, PTX_RMW_OR,  PTX_RMW_XOR};
	uint64_t sum = 0;
	bool first = true;

	if (met->type == PTX_F32)
		return reduce_floats(met);
	for (unsigned k = 0; k < PTX_WARP; k++) {
		if (!met->lane[k])
			continue;
		sum = first ? (uint32_t)met->lane[k]->operand[0]
		            : weir_ptx_rmw(ops[met->what - PTX_REDUX_ADD], met->type, sum,
		                           met->lane[k]->operand[0], 0);
		first = false;
	}
	return sum;
}

static uint64_t result_of(const meeting *met, unsigned lane, uint64_t *predicate)
{
	unsigned leader = (unsigned)__builtin_ctz(met->mask);

	*predicate = 0;
	if (met->what <= PTX_SHFL_IDX)
		return shuffle(met, lane, predicate);
	if (met->what <= PTX_VOTE_BALLOT)
		return vote(met);
	if (met->what <= PTX_MATCH_ALL)
		return match(met, lane, predicate);
	if (met->what <= PTX_REDUX_XOR)
		return reduce(met);
	if (met->what == PTX_ELECT) {
		*predicate = lane == leader;
		return leader;
	}
	return met->mask;
}

/* A matrix has a part in every lane of its warp. */
static bool multiply(const meeting *met, uint64_t (*values)[PTX_LANE_RESULTS])
{
	weir_ptx_thread *t = met->lane[__builtin_ctz(met->mask)];

	if (met->mask != UINT32_MAX)
		return weir_ptx_find(t, WEIR_PTX_WARP,
		                     "only the lanes %#x take part, and it needs all 32",
		                     met->mask);
	weir_ptx_multiply(&t->waiting->mma, met->lane, values);
	return true;
}

/* All lanes of the meeting get their results and go on. */
static void conclude(meeting *met)
{
	uint64_t values[PTX_WARP][PTX_LANE_RESULTS];
	weir_ptx_thread *threads[PTX_WARP];
	unsigned count = 0;

	if (met->what == PTX_MULTIPLY && !multiply(met, values))
		return;
	for (unsigned k = 0; k < PTX_WARP; k++) {
		if (!met->lane[k])
			continue;
		if (met->what != PTX_MULTIPLY)
			values[k][0] = result_of(met, k, &values[k][1]);
		threads[count++] = met->lane[k];
	}
	weir_ptx_meet(threads[0]->block, threads, count, threads[0]->waiting);
	for (unsigned k = 0; k < PTX_WARP; k++) {
		weir_ptx_thread *t = met->lane[k];
		weir_ptx_event event;
		if (!t)
			continue;
		memcpy(event.value, values[k], sizeof values[k]);
		weir_ptx_finish(t, t->waiting, &event);
		t->waiting = NULL;
		t->pc++;
		weir_ptx_wake(t);
	}
}

/* Whether a lane waits for the same operation with the same mask. */
static bool joins(const weir_ptx_thread *t, const weir_ptx_thread *other)
{
	const weir_ptx_operation *o = &other->waiting->operation;

	return t && t->state == WEIR_PTX_AT_WARP && t->waiting &&
	       t->waiting->operation.kind == o->kind && t->waiting->operation.what == o->what &&
	       (o->what != PTX_MULTIPLY || t->waiting == other->waiting) &&
	       (t->waiting->operation.flags & WEIR_PTX_HAS_MASK) &&
	       (uint32_t)t->operand[3] == (uint32_t)other->operand[3];
}

/* Completes the operation at which a thread waits, if every lane of its mask has arrived or exited. */
static bool try_conclude(weir_ptx_thread *t)
{
	meeting met = {.what = t->waiting->operation.what, .type = t->waiting->operation.type};
	uint32_t mask = (uint32_t)t->operand[3];

	for (unsigned i = 1; i <= PTX_WARP; i++) {
		unsigned k = (t->index + i) % PTX_WARP;
		weir_ptx_thread *lane = mask >> k & 1 ? lane_of(t, k) : NULL;
		if (!lane || lane->state == WEIR_PTX_EXITED)
			continue;
		if (!joins(lane, t))
			return false;
		met.lane[k] = lane;
		met.mask |= 1u << k;
	}
	conclude(&met);
	return true;
}

weir_ptx_answered weir_ptx_serve_warp(weir_ptx_thread *t, weir_ptx_event *event)
{
	unsigned lane = t->index % PTX_WARP;

	weir_ptx_block_on(t, WEIR_PTX_AT_WARP, event);
	if (!(event->operation->flags & WEIR_PTX_HAS_MASK))
		return WEIR_PTX_WAITS; /* until weir_ptx_converge */
	if (!((uint32_t)event->value[3] >> lane & 1)) {
		weir_ptx_find(t, WEIR_PTX_WARP, "lane %u is not in the mask %#x of its operation",
		              lane, (uint32_t)event->value[3]);
		return WEIR_PTX_FAULT;
	}
	return try_conclude(t) ? WEIR_PTX_SERVED : WEIR_PTX_WAITS;
}

/* If no other lane of the warp can run, the lanes that wait at the same instruction without a mask
 * converge. Lanes that wait only for lanes that have exited continue. */
static bool converge_warp(ptx_block *b, uint32_t first)
{
	bool any = false;

	for (uint32_t k = first; k < first + PTX_WARP && k < b->threads; k++) {
		weir_ptx_thread *t = &b->thread[k];
		meeting met = {.mask = 0};

		if (t->state != WEIR_PTX_AT_WARP)
			continue;
		if (t->waiting->operation.flags & WEIR_PTX_HAS_MASK) {
			any |= try_conclude(t);
			continue;
		}
		met.what = t->waiting->operation.what;
		met.type = t->waiting->operation.type;
		for (uint32_t j = k; j < first + PTX_WARP && j < b->threads; j++)
			if (b->thread[j].state == WEIR_PTX_AT_WARP && b->thread[j].pc == t->pc &&
			    b->thread[j].depth == t->depth) {
				met.lane[j - first] = &b->thread[j];
				met.mask |= 1u << (j - first);
			}
		conclude(&met);
		any = true;
	}
	return any;
}

bool weir_ptx_converge(ptx_block *b)
{
	bool any = false;

	for (uint32_t first = 0; b->at_warp && first < b->threads; first += PTX_WARP)
		if (!((uint32_t)(b->runnable[first / 64] >> (first % 64))))
			any |= converge_warp(b, first);
	return any;
}
