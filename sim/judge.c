/* Judges a claim by the simulated device. */
#include <math.h>
#include <stdio.h>

#include "claims.h"

static weir_status rate(const weir_claim *claim, weir_sim_machine *machine, uint32_t kind,
                        uint32_t blocks, uint32_t initial, double *per_second)
{
	return weir_sim_rate(machine, claim->primitive, kind, blocks ? blocks : 1, initial,
	                     per_second);
}

/* Whether the paper compares this kind: its "best" is the best of these, whatever else weir has. */
static int in_paper(enum weir_primitive primitive, uint32_t kind)
{
	switch (primitive) {
	case WEIR_PRIMITIVE_BARRIER:
		return kind == WEIR_BARRIER_ATOMIC || kind == WEIR_BARRIER_XF;
	case WEIR_PRIMITIVE_MUTEX:
		return kind == WEIR_MUTEX_SPIN || kind == WEIR_MUTEX_SPIN_BACKOFF ||
		       kind == WEIR_MUTEX_TICKET;
	case WEIR_PRIMITIVE_SEMAPHORE:
		return kind == WEIR_SEMAPHORE_SPIN || kind == WEIR_SEMAPHORE_SPIN_BACKOFF ||
		       kind == WEIR_SEMAPHORE_SLEEPING;
	default:
		return 0;
	}
}

static const char *name_of(const weir_claim *claim, uint32_t value)
{
	const weir_kind *kind = weir_kind_find(claim->primitive, value);

	return kind ? kind->name : "none";
}

/* A claim about a kind that the paper does not have is about all kinds of weir. */
static weir_status judge_best(const weir_claim *claim, weir_sim_machine *machine, uint32_t blocks,
                              weir_verdict *verdict)
{
	int paper = in_paper(claim->primitive, claim->left);
	double fastest = 0;
	double next = 0;
	uint32_t best = 0;
	uint32_t second = 0;

	for (uint32_t i = 0; i < WEIR_SIM_KINDS; i++) {
		double here;
		const weir_kind *row = weir_kind_find(claim->primitive, i);
		if (!row || row->role == WEIR_BY_VENDOR ||
		    (paper && !in_paper(claim->primitive, i)))
			continue;
		weir_status status = rate(claim, machine, i, blocks, claim->initial, &here);
		if (status != WEIR_OK)
			return status;
		if (here > fastest) {
			next = fastest;
			second = best;
			fastest = here;
			best = i;
		} else if (here > next) {
			next = here;
			second = i;
		}
	}
	verdict->right = best == claim->left;
	snprintf(verdict->text, sizeof verdict->text, "%s, %.3g times %s", name_of(claim, best),
	         next > 0 ? fastest / next : 0.0, name_of(claim, second));
	return WEIR_OK;
}

static weir_status judge_pair(const weir_claim *claim, weir_sim_machine *machine, uint32_t blocks,
                              weir_verdict *verdict)
{
	double left;
	double right;
	weir_status status = rate(claim, machine, claim->left, blocks, claim->initial, &left);

	if (status == WEIR_OK)
		status = rate(claim, machine, claim->right, blocks, claim->initial, &right);
	if (status != WEIR_OK)
		return status;
	double ratio = right > 0 ? left / right : INFINITY;
	if (claim->kind == WEIR_CLAIM_NO_FASTER)
		verdict->right = left <= right;
	else
		verdict->right =
		    ratio >= claim->low / 2 && (claim->high == 0 || ratio <= 2 * claim->high);
	snprintf(verdict->text, sizeof verdict->text, "%.3g", ratio);
	return WEIR_OK;
}

/* "About" is a factor of two, as in the rule for ratios: the highest of the claimed count, its
 * halves and its doubles must be within that. */
static weir_status judge_peak(const weir_claim *claim, weir_sim_machine *machine, uint32_t full,
                              weir_verdict *verdict)
{
	uint32_t peak = 0;
	double highest = 0;
	double at_full;
	weir_status status = rate(claim, machine, claim->left, full, claim->initial, &at_full);

	for (uint32_t blocks = claim->blocks % 8 ? claim->blocks : claim->blocks / 8;
	     status == WEIR_OK && blocks <= full; blocks *= 2) {
		double here;
		status = rate(claim, machine, claim->left, blocks, claim->initial, &here);
		if (status == WEIR_OK && here > highest) {
			highest = here;
			peak = blocks;
		}
	}
	verdict->right =
	    2 * peak >= claim->blocks && peak <= 2 * claim->blocks && at_full < highest;
	snprintf(verdict->text, sizeof verdict->text, "highest at %u, %.3g of that at %u", peak,
	         highest > 0 ? at_full / highest : 0.0, full);
	return status;
}

/* Few blocks: from 2 to a block for every sixteenth that fits. */
static weir_status judge_cross(const weir_claim *claim, weir_sim_machine *machine, uint32_t full,
                               weir_verdict *verdict)
{
	uint32_t ahead = 0;
	double ratio = 0;

	for (uint32_t blocks = 2;; blocks = 2 * blocks > full ? full : 2 * blocks) {
		double left;
		double right;
		weir_status status =
		    rate(claim, machine, claim->left, blocks, claim->initial, &left);
		if (status == WEIR_OK)
			status = rate(claim, machine, claim->right, blocks, claim->initial, &right);
		if (status != WEIR_OK)
			return status;
		ratio = right > 0 ? left / right : INFINITY;
		if (ratio > 1 && blocks <= full / 16)
			ahead = blocks;
		if (blocks >= full)
			break;
	}
	verdict->right = ahead > 0 && ratio < 1;
	if (ahead)
		snprintf(verdict->text, sizeof verdict->text, "ahead at %u, %.3g at %u", ahead,
		         ratio, full);
	else
		snprintf(verdict->text, sizeof verdict->text, "never ahead at few, %.3g at %u",
		         ratio, full);
	return WEIR_OK;
}

/* Almost linear: from 1 to 120 the throughput grows with a power between 0.8 and 1.2. */
static weir_status judge_linear(const weir_claim *claim, weir_sim_machine *machine, uint32_t blocks,
                                weir_verdict *verdict)
{
	double one;
	double many;
	weir_status status = rate(claim, machine, claim->left, blocks, 1, &one);

	if (status == WEIR_OK)
		status = rate(claim, machine, claim->left, blocks, 120, &many);
	if (status != WEIR_OK)
		return status;
	double power = one > 0 && many > 0 ? log(many / one) / log(120) : 0;
	verdict->right = power >= 0.8 && power <= 1.2;
	snprintf(verdict->text, sizeof verdict->text, "as its power %.3g", power);
	return WEIR_OK;
}

weir_status weir_claim_judge(const weir_claim *claim, weir_sim_machine *machine,
                             weir_verdict *verdict)
{
	uint32_t full = machine->probe.blocks;
	uint32_t blocks = claim->blocks ? claim->blocks : full;

	switch (claim->kind) {
	case WEIR_CLAIM_BEST:
		return judge_best(claim, machine, blocks, verdict);
	case WEIR_CLAIM_PEAK:
		return judge_peak(claim, machine, full, verdict);
	case WEIR_CLAIM_CROSS:
		return judge_cross(claim, machine, full, verdict);
	case WEIR_CLAIM_LINEAR:
		return judge_linear(claim, machine, blocks, verdict);
	default:
		return judge_pair(claim, machine, blocks, verdict);
	}
}
