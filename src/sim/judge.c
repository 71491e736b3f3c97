/* Judges a claim by simulating the device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "sim/paper.h"
#include "sim/sim.h"

/* Enough for every block to complete many operations where blocks are served in turn. */
#define BLOCK_ACCESSES 8000

static weir_status rate(const weir_claim *claim, weir_sim_machine *machine, uint32_t kind,
                        uint32_t blocks, uint32_t initial, double *per_second)
{
	return weir_sim_rate(machine, (weir_sim_use){claim->primitive, kind, blocks, initial, 0},
	                     per_second);
}

static uint32_t most_blocks(const weir_claim *claim, const weir_sim_machine *machine, uint32_t kind)
{
	return weir_paper_most_blocks(claim->primitive, kind, machine->probe.blocks);
}

static const char *name_of(const weir_claim *claim, uint32_t value)
{
	const weir_kind *kind = weir_kind_find(claim->primitive, value);

	return kind ? kind->name : "none";
}

/* Left over right; infinite if right completes nothing. */
static weir_status ratio_of(const weir_claim *claim, weir_sim_machine *machine, uint32_t right,
                            uint32_t blocks, double *ratio)
{
	double of_left = 0;
	double of_right = 0;
	weir_status status = rate(claim, machine, claim->left, blocks, claim->initial, &of_left);

	if (status == WEIR_OK)
		status = rate(claim, machine, right, blocks, claim->initial, &of_right);
	*ratio = of_right > 0 ? of_left / of_right : INFINITY;
	return status;
}

/* The block counts of a curve, four for each doubling. All claims use the same counts, so that each
 * point is predicted once. */
static uint32_t next_count(uint32_t blocks, uint32_t most)
{
	uint32_t power = 1;

	while (2 * power <= blocks)
		power *= 2;
	uint32_t next = blocks + (power < 4 ? 1 : power / 4);
	return next < most ? next : most;
}

/* Inside [low/2, 2*high], and on the paper's side of 1: a gain where the paper has a loss is not
 * just a smaller gain. */
static int is_inside(const weir_claim *claim, double figure)
{
	if (!isfinite(figure))
		return 0;
	if (claim->low > 0 && (figure < claim->low / 2 || (claim->low > 1 && figure <= 1)))
		return 0;
	return claim->high <= 0 || (figure <= 2 * claim->high && (claim->high >= 1 || figure < 1));
}

static weir_status judge_best(const weir_claim *claim, weir_sim_machine *machine,
                              weir_verdict *verdict)
{
	uint32_t best = 0;
	uint32_t second = 0;
	uint32_t kind;
	double fastest = 0;
	double next = 0;

	for (size_t i = 0; (kind = weir_paper_kind_at(claim->primitive, i)) != 0; i++) {
		double here;
		if (claim->blocks > most_blocks(claim, machine, kind))
			continue;
		weir_status status =
		    rate(claim, machine, kind, claim->blocks, claim->initial, &here);
		if (status != WEIR_OK)
			return status;
		if (here > fastest) {
			next = fastest;
			second = best;
			fastest = here;
			best = kind;
		} else if (here > next) {
			next = here;
			second = kind;
		}
	}
	verdict->right = best == claim->left;
	verdict->figure = next > 0 ? fastest / next : 0;
	snprintf(verdict->text, sizeof verdict->text, "%s, %.3g times %s", name_of(claim, best),
	         verdict->figure, name_of(claim, second));
	return WEIR_OK;
}

static weir_status judge_ratio(const weir_claim *claim, weir_sim_machine *machine,
                               weir_verdict *verdict)
{
	weir_status status =
	    ratio_of(claim, machine, claim->right, claim->blocks, &verdict->figure);

	verdict->right = is_inside(claim, verdict->figure);
	snprintf(verdict->text, sizeof verdict->text, "%.3g", verdict->figure);
	return status;
}

/* The kinds that left must beat, by index; 0 past the last. */
static uint32_t rival_at(const weir_claim *claim, size_t index)
{
	if (claim->right)
		return index == 0 ? claim->right : 0;
	return weir_paper_kind_at(claim->primitive, index);
}

/* The smallest ratio to any of them. */
static weir_status judge_always(const weir_claim *claim, weir_sim_machine *machine,
                                weir_verdict *verdict)
{
	uint32_t kind;
	const char *closest = "";
	uint32_t where = 0;
	uint32_t last_behind = 0;

	verdict->figure = INFINITY;
	for (uint32_t blocks = 2;; blocks = next_count(blocks, claim->blocks)) {
		for (size_t i = 0; (kind = rival_at(claim, i)) != 0; i++) {
			double ratio;
			if (kind == claim->left || blocks > most_blocks(claim, machine, kind))
				continue;
			weir_status status = ratio_of(claim, machine, kind, blocks, &ratio);
			if (status != WEIR_OK)
				return status;
			if (ratio <= 1)
				last_behind = blocks;
			if (ratio < verdict->figure) {
				verdict->figure = ratio;
				closest = name_of(claim, kind);
				where = blocks;
			}
		}
		if (blocks >= claim->blocks)
			break;
	}
	verdict->right = verdict->figure > 1;
	int used = snprintf(verdict->text, sizeof verdict->text, "%.3g of %s at %u",
	                    verdict->figure, closest, where);
	if (last_behind)
		snprintf(verdict->text + used, sizeof verdict->text - (size_t)used,
		         ", behind up to %u", last_behind);
	return WEIR_OK;
}

/* The point of a curve with this index, from the block counts or the paper's initial values; 0 past
 * the last. */
static int curve_point(const weir_claim *claim, int number, uint32_t *blocks, uint32_t *initial)
{
	static const uint32_t initials[] = {1, 2, 10, 120};

	if (claim->over == WEIR_OVER_INITIAL) {
		if (number >= (int)(sizeof initials / sizeof initials[0]))
			return 0;
		*blocks = claim->blocks;
		*initial = initials[number];
		return 1;
	}
	if (number > 0 && *blocks >= claim->blocks)
		return 0;
	*blocks = number == 0 ? 1 : next_count(*blocks, claim->blocks);
	*initial = claim->initial;
	return 1;
}

static weir_status judge_flat(const weir_claim *claim, weir_sim_machine *machine,
                              weir_verdict *verdict)
{
	double lowest = INFINITY;
	double highest = 0;
	uint32_t blocks = 0;
	uint32_t initial = 0;

	for (int i = 0; curve_point(claim, i, &blocks, &initial); i++) {
		double here;
		weir_status status = rate(claim, machine, claim->left, blocks, initial, &here);
		if (status != WEIR_OK)
			return status;
		lowest = fmin(lowest, here);
		highest = fmax(highest, here);
	}
	verdict->figure = lowest > 0 ? highest / lowest : INFINITY;
	verdict->right = is_inside(claim, verdict->figure);
	snprintf(verdict->text, sizeof verdict->text, "%.3g", verdict->figure);
	return WEIR_OK;
}

static weir_status judge_peak(const weir_claim *claim, weir_sim_machine *machine,
                              weir_verdict *verdict)
{
	uint32_t most = most_blocks(claim, machine, claim->left);
	uint32_t peak = 0;
	double highest = 0;
	double here = 0;

	for (uint32_t blocks = 1;; blocks = next_count(blocks, most)) {
		weir_status status =
		    rate(claim, machine, claim->left, blocks, claim->initial, &here);
		if (status != WEIR_OK)
			return status;
		if (here > highest) {
			highest = here;
			peak = blocks;
		}
		if (blocks >= most)
			break;
	}
	verdict->figure = peak;
	verdict->right = 2 * peak >= claim->blocks && peak <= 2 * claim->blocks && here < highest;
	snprintf(verdict->text, sizeof verdict->text, "%u, %.3g of that at %u", peak,
	         highest > 0 ? here / highest : 0.0, most);
	return WEIR_OK;
}

static weir_status judge_crosses(const weir_claim *claim, weir_sim_machine *machine,
                                 weir_verdict *verdict)
{
	double few = INFINITY;
	double many;
	weir_status status = WEIR_OK;

	for (uint32_t blocks = 2; blocks <= 8 && status == WEIR_OK;
	     blocks = next_count(blocks, 9)) {
		double here;
		status = ratio_of(claim, machine, claim->right, blocks, &here);
		few = fmin(few, here);
	}
	if (status == WEIR_OK)
		status = ratio_of(claim, machine, claim->right, claim->blocks, &many);
	if (status != WEIR_OK)
		return status;
	verdict->figure = few;
	verdict->right = few > 1 && many < 1;
	snprintf(verdict->text, sizeof verdict->text, "%.3g at least, then %.3g", few, many);
	return WEIR_OK;
}

static weir_status judge_grows(const weir_claim *claim, weir_sim_machine *machine,
                               weir_verdict *verdict)
{
	double one = 0;
	double many = 0;
	weir_status status = rate(claim, machine, claim->left, claim->blocks, 1, &one);

	if (status == WEIR_OK)
		status = rate(claim, machine, claim->left, claim->blocks, 120, &many);
	verdict->figure = one > 0 ? many / one : INFINITY;
	verdict->right = is_inside(claim, verdict->figure);
	snprintf(verdict->text, sizeof verdict->text, "%.3g", verdict->figure);
	return status;
}

static weir_status judge_gains(const weir_claim *claim, weir_sim_machine *machine,
                               weir_verdict *verdict)
{
	weir_sim_machine bare = *machine; /* the machine's results are for kinds that back off */
	double with = 0;
	double without = 0;
	weir_status status =
	    rate(claim, machine, claim->left, claim->blocks, claim->initial, &with);

	bare.known_count = 0;
	weir_sim_fix(&bare, weir_no_backoff());
	if (status == WEIR_OK)
		status = rate(claim, &bare, claim->left, claim->blocks, claim->initial, &without);
	verdict->figure = without > 0 ? with / without : INFINITY;
	verdict->right = verdict->figure > 1;
	snprintf(verdict->text, sizeof verdict->text, "%.3g", verdict->figure);
	return status;
}

static weir_status check_blocks(const weir_claim *claim, const weir_sim_machine *machine,
                                uint32_t kind)
{
	uint32_t most = most_blocks(claim, machine, kind);

	if (claim->blocks <= most)
		return WEIR_OK;
	return weir_fail(WEIR_BAD_ARGUMENT, "%s: %u blocks of %s, and %u run on %s at once",
	                 claim->id, claim->blocks, name_of(claim, kind), most, claim->gpu);
}

weir_status weir_claims_machine(const weir_probe *probe, weir_sim_machine *machine)
{
	weir_status status = weir_sim_machine_make(probe, machine);

	weir_sim_publish(machine);
	machine->block_accesses = BLOCK_ACCESSES;
	return status;
}

weir_status weir_claim_judge(const weir_claim *claim, weir_sim_machine *machine,
                             weir_verdict *verdict)
{
	weir_status status = check_blocks(claim, machine, claim->left);

	memset(verdict, 0, sizeof *verdict);
	if (status == WEIR_OK)
		status = check_blocks(claim, machine, claim->right);
	if (status != WEIR_OK)
		return status;
	switch (claim->check) {
	case WEIR_CLAIM_BEST:
		return judge_best(claim, machine, verdict);
	case WEIR_CLAIM_ALWAYS:
		return judge_always(claim, machine, verdict);
	case WEIR_CLAIM_FLAT:
		return judge_flat(claim, machine, verdict);
	case WEIR_CLAIM_PEAK:
		return judge_peak(claim, machine, verdict);
	case WEIR_CLAIM_CROSSES:
		return judge_crosses(claim, machine, verdict);
	case WEIR_CLAIM_GROWS:
		return judge_grows(claim, machine, verdict);
	case WEIR_CLAIM_GAINS:
		return judge_gains(claim, machine, verdict);
	default:
		return judge_ratio(claim, machine, verdict);
	}
}
