#include "paper/paper.h"

#include <string.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/parse.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "predict/predict.h"

const uint32_t weir_paper_initials[WEIR_PAPER_INITIALS] = {1, 2, 10, 120};

/* On the left of a figure, where curves bend, every count is simulated. */
enum {
	NO_STEP_TO = 8,
	THREADS = 128,
	QUICKER = 100
};

static const struct machine {
	const char *name;
	const char *title;
	uint32_t full;
} known[WEIR_PAPER_MACHINES] = {{"gt200", "GT200 (GTX 295)", 240},
                                {"gf100", "GF100 (GTX 580)", 128}};

/* Where the paper says that it cuts a curve. */
static const struct cut {
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t blocks;
} gt200_cuts[] = {{WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_TWO_STAGE, 60},
                  {WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN, 130},
                  {WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN_EXCHANGE, 120}};

static const struct machine *find(const char *profile)
{
	for (size_t i = 0; i < WEIR_PAPER_MACHINES; i++)
		if (strcmp(known[i].name, profile) == 0)
			return &known[i];
	return NULL;
}

int weir_paper_has(const char *device)
{
	return weir_simulated_is_name(device) && find(weir_simulated_profile_name(device));
}

int weir_paper_has_kind(enum weir_primitive primitive, uint32_t kind)
{
	uint32_t own;

	for (size_t i = 0; (own = weir_paper_kind_at(primitive, i)) != 0; i++)
		if (own == kind)
			return 1;
	return 0;
}

uint32_t weir_paper_fit(const char *profile, enum weir_primitive primitive, uint32_t kind)
{
	const struct machine *machine = find(profile);

	return machine ? weir_paper_most_blocks(primitive, kind, machine->full) : UINT32_MAX;
}

uint32_t weir_paper_shown(const char *profile, enum weir_primitive primitive, uint32_t kind)
{
	if (find(profile) == &known[0])
		for (size_t i = 0; i < sizeof gt200_cuts / sizeof gt200_cuts[0]; i++)
			if (gt200_cuts[i].primitive == primitive && gt200_cuts[i].kind == kind)
				return gt200_cuts[i].blocks;
	return weir_paper_fit(profile, primitive, kind);
}

/* Whether all kinds have this count, or it is XF's last one, so that barriers can be compared
 * there. */
static int is_common(const struct machine *machine, const weir_paper_counts *counts,
                     enum weir_primitive primitive, uint32_t blocks)
{
	int last = blocks == machine->full ||
	           (primitive == WEIR_PRIMITIVE_BARRIER &&
	            blocks == weir_paper_fit(machine->name, primitive, WEIR_BARRIER_XF));

	if (counts->quick)
		return last || blocks == 2 || blocks == 32;
	return last || (blocks & (blocks - 1)) == 0;
}

static int is_wanted(const char *profile, const weir_paper_counts *counts,
                     enum weir_primitive primitive, uint32_t kind, uint32_t blocks, int papers)
{
	uint32_t shown = weir_paper_shown(profile, primitive, kind);

	if (blocks > weir_paper_fit(profile, primitive, kind))
		return 0;
	if (is_common(find(profile), counts, primitive, blocks))
		return 1;
	return papers && !counts->quick && blocks <= shown &&
	       (blocks <= NO_STEP_TO || blocks % counts->step == 0 || blocks == shown);
}

/* A kind with the block counts of its figure. */
struct curve {
	const char *profile;
	enum weir_primitive primitive;
	uint32_t kind;
	uint32_t initial;
	int papers;
};

static weir_status add_point(weir_profile *points, const struct curve *curve, uint32_t blocks,
                             double rate)
{
	const weir_point point = {.primitive = curve->primitive,
	                          .kind = curve->kind,
	                          .initial = curve->initial,
	                          .blocks = blocks,
	                          .threads = THREADS,
	                          .rounds = 1,
	                          .repeats = 1,
	                          .per_second = rate,
	                          .low = rate,
	                          .high = rate,
	                          .timed_out = !(rate > 0),
	                          .simulated = 1};

	return weir_profile_add_point(points, &point);
}

static weir_status follow(const struct curve *curve, const weir_paper_counts *counts,
                          weir_sim_machine *sim, weir_profile *points)
{
	uint32_t fit = weir_paper_fit(curve->profile, curve->primitive, curve->kind);
	weir_status status = WEIR_OK;

	for (uint32_t blocks = 1; blocks <= fit && status == WEIR_OK && !weir_stop_asked();
	     blocks++) {
		double rate;
		if (!is_wanted(curve->profile, counts, curve->primitive, curve->kind, blocks,
		               curve->papers))
			continue;
		status = weir_sim_rate(
		    sim, (weir_sim_use){curve->primitive, curve->kind, blocks, curve->initial, 0},
		    &rate);
		if (status == WEIR_OK && !sim->planning)
			status = add_point(points, curve, blocks, rate);
	}
	/* A kind that only some devices support is left out. */
	return status == WEIR_UNSUPPORTED ? WEIR_OK : weir_predict_unless_stopped(status);
}

static weir_status follow_all(const char *profile, const weir_paper_counts *counts, int papers,
                              weir_sim_machine *sim, weir_profile *points)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};
	weir_status status = WEIR_OK;

	for (size_t p = 0; p < sizeof all / sizeof all[0]; p++) {
		weir_counts kinds = weir_all_kinds(all[p]);
		int values = all[p] == WEIR_PRIMITIVE_SEMAPHORE ? WEIR_PAPER_INITIALS : 1;
		for (uint32_t i = 0; i < kinds.count * values && status == WEIR_OK; i++) {
			struct curve curve = {.profile = profile,
			                      .primitive = all[p],
			                      .kind = kinds.values[i % kinds.count],
			                      .papers = papers};
			if (all[p] == WEIR_PRIMITIVE_SEMAPHORE)
				curve.initial = weir_paper_initials[i / kinds.count];
			if (!papers || weir_paper_has_kind(all[p], curve.kind))
				status = follow(&curve, counts, sim, points);
		}
	}
	return status;
}

double weir_paper_work(const weir_paper_machine *machine, const weir_paper_counts *counts)
{
	double sum = 0;
	weir_sim_machine papers = weir_sim_plan(&machine->papers.sim, weir_predict_sum(&sum));
	weir_sim_machine all = weir_sim_plan(&machine->all.sim, weir_predict_sum(&sum));

	follow_all(machine->name, counts, 1, &papers, NULL);
	follow_all(machine->name, counts, 0, &all, NULL);
	return sum;
}

weir_status weir_paper_simulate(weir_paper_machine *machine, const weir_paper_counts *counts)
{
	weir_paper_curves *papers = &machine->papers, *all = &machine->all;
	weir_status status = follow_all(machine->name, counts, 1, &papers->sim, papers->profile);

	return status == WEIR_OK ? follow_all(machine->name, counts, 0, &all->sim, all->profile)
	                         : status;
}

static int make_curves(const char *name, const weir_paper_counts *counts, int papers,
                       weir_paper_curves *curves)
{
	int status = weir_choose_profile(name, &curves->profile);

	if (status == 0)
		status = weir_predict_machine(name, curves->profile, NULL, &curves->sim);
	if (status == 0 && papers &&
	    weir_claims_machine(&curves->profile->probe, &curves->sim) != WEIR_OK)
		status = weir_complain_failed();
	if (counts->quick)
		curves->sim.accesses /= QUICKER;
	return status;
}

int weir_paper_machines_make(weir_paper_machine machines[WEIR_PAPER_MACHINES],
                             const weir_paper_counts *counts)
{
	int status = 0;

	for (int i = 0; i < WEIR_PAPER_MACHINES && status == 0; i++) {
		weir_paper_machine *machine = &machines[i];
		*machine = (weir_paper_machine){.name = known[i].name, .title = known[i].title};
		status = make_curves(machine->name, counts, 1, &machine->papers);
		if (status == 0)
			status = make_curves(machine->name, counts, 0, &machine->all);
	}
	return status;
}

void weir_paper_machines_free(weir_paper_machine machines[WEIR_PAPER_MACHINES])
{
	for (int i = 0; i < WEIR_PAPER_MACHINES; i++) {
		if (machines[i].papers.profile)
			weir_profile_destroy(machines[i].papers.profile);
		if (machines[i].all.profile)
			weir_profile_destroy(machines[i].all.profile);
	}
}
