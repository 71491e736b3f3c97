#include "sim/memory.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static const char *const figure_names[WEIR_ACCESS_COUNT] = {
    "volatile same read", "volatile same write", "volatile own read", "volatile own write",
    "atomic same read",   "atomic same write",   "atomic own read",   "atomic own write",
    "primed same read",   "primed same write",   "primed own read",   "primed own write"};

static weir_status check(const weir_probe *probe)
{
	if (probe->blocks == 0 || probe->accesses == 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "the probe has no blocks or no accesses");
	for (int i = 0; i < WEIR_ACCESS_COUNT; i++)
		if (!isfinite(probe->ms[i]) || probe->ms[i] <= 0)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "the probe's time for %s is %g ms, which is impossible",
			                 figure_names[i], probe->ms[i]);
	return WEIR_OK;
}

/* One word for all blocks shows how long an access occupies its cache line. A word for each block
 * shows how long a thread waits for an access. */
static weir_sim_times times(const weir_probe *probe, int kind, int way)
{
	double same = probe->ms[WEIR_ACCESS(kind, WEIR_ACCESS_SAME, way)];
	double own = probe->ms[WEIR_ACCESS(kind, WEIR_ACCESS_OWN, way)];
	double latency = own * 1e6 / probe->accesses;
	weir_sim_times t;

	t.service = same * 1e6 / probe->accesses / probe->blocks;
	if (latency < WEIR_SIM_ROUND_TRIP_NS)
		latency = WEIR_SIM_ROUND_TRIP_NS;
	if (t.service > latency)
		t.service = latency;
	t.travel = (latency - t.service) / 2;
	return t;
}

/* How far atomic units hold their lines: 0 if a read after an atomic costs no more than one
 * without, 1 if it costs as much as an atomic. */
static double hostage(const weir_sim_memory *memory)
{
	double read = memory->free[WEIR_SIM_READ].service;
	double held = memory->held[WEIR_SIM_READ].service;
	double atomic = memory->free[WEIR_SIM_ATOMIC].service;

	return atomic > read ? fmin(fmax((held - read) / (atomic - read), 0), 1) : 0;
}

/* A unit that does not hold lines does nothing extra. The own-word figures are of lines that are
 * taken anew each time, so this extra service is already part of them. */
static void add_reacquire(weir_sim_memory *memory)
{
	double extra = (WEIR_SIM_REACQUIRE - 1) * hostage(memory);

	memset(memory->reacquire, 0, sizeof memory->reacquire);
	for (int access = WEIR_SIM_ATOMIC; access <= WEIR_SIM_EXCHANGE; access++) {
		const weir_sim_times *t = &memory->free[access];
		memory->reacquire[access] = fmin(extra * t->service, t->travel);
	}
}

weir_status weir_sim_memory_make(const weir_probe *probe, weir_sim_memory *memory)
{
	weir_status status = check(probe);
	if (status != WEIR_OK)
		return status;
	memory->free[WEIR_SIM_READ] = times(probe, WEIR_ACCESS_VOLATILE, WEIR_ACCESS_READ);
	memory->free[WEIR_SIM_WRITE] = times(probe, WEIR_ACCESS_VOLATILE, WEIR_ACCESS_WRITE);
	memory->free[WEIR_SIM_ATOMIC] = times(probe, WEIR_ACCESS_ATOMIC, WEIR_ACCESS_READ);
	memory->free[WEIR_SIM_EXCHANGE] = times(probe, WEIR_ACCESS_ATOMIC, WEIR_ACCESS_WRITE);
	memory->held[WEIR_SIM_READ] = times(probe, WEIR_ACCESS_PRIMED, WEIR_ACCESS_READ);
	memory->held[WEIR_SIM_WRITE] = times(probe, WEIR_ACCESS_PRIMED, WEIR_ACCESS_WRITE);
	memory->held[WEIR_SIM_ATOMIC] = memory->free[WEIR_SIM_ATOMIC];
	memory->held[WEIR_SIM_EXCHANGE] = memory->free[WEIR_SIM_EXCHANGE];
	add_reacquire(memory);
	memory->batched_loads = 0;
	memory->write_issue =
	    probe->ms[WEIR_ACCESS(WEIR_ACCESS_VOLATILE, WEIR_ACCESS_OWN, WEIR_ACCESS_WRITE)] * 1e6 /
	    probe->accesses;
	/* A load whose result is needed, as on real devices, not the overlapping loads of the
	 * probe. */
	memory->pause_unit =
	    memory->free[WEIR_SIM_READ].service + 2 * memory->free[WEIR_SIM_READ].travel;
	return WEIR_OK;
}

double weir_sim_serve(const weir_sim_memory *memory, weir_sim_line *line, weir_sim_class access,
                      uint64_t warp, double now)
{
	const weir_sim_times *t;

	if (warp != WEIR_SIM_NO_WARP && line->warp == warp && line->last == access &&
	    line->arrived == now)
		return line->back;
	if (now >= line->busy_until) {
		line->busy_until = now;
		line->held = 0;
	}
	double extra = line->held ? 0 : memory->reacquire[access];
	if (access == WEIR_SIM_ATOMIC || access == WEIR_SIM_EXCHANGE)
		line->held = 1;
	if (memory->batched_loads && line->held && access == WEIR_SIM_READ &&
	    line->last == access && line->begun >= now)
		return line->back;
	t = line->held ? &memory->held[access] : &memory->free[access];
	line->begun = line->busy_until;
	line->busy_until += t->service + extra;
	line->arrived = now;
	line->warp = warp;
	line->last = access;
	line->back =
	    line->busy_until + fmax(2 * t->travel - memory->free[access].travel - extra, 0);
	return line->back;
}
