/* Simulates the map. */
#include "figures/make_map.h"

#include <stdint.h>

#include "cli/kinds.h"
#include "cli/stop.h"
#include "output/progress.h"
#include "src/sim/sim.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

static int look(void *context, double work)
{
	(void)context;
	(void)work;
	return weir_stop_asked();
}

weir_status weir_map_make(const weir_probe *base, const enum weir_primitive *only,
                          weir_sim_map *map)
{
	weir_status status = WEIR_OK;
	weir_progress progress;

	weir_sim_map_begin(base, map);
	map->watch.look = look;
	weir_progress_begin(&progress, "mapping", "machine", WEIR_SIM_MAP_MACHINES);
	for (int i = 0; i < WEIR_SIM_MAP_MACHINES && status == WEIR_OK && !weir_stop_asked(); i++) {
		status = weir_sim_map_fill(map, i, only);
		weir_progress_add(&progress, 1);
	}
	weir_progress_end(&progress);
	return status == WEIR_ABORTED ? WEIR_OK : status;
}

const char *weir_map_kind(enum weir_primitive primitive, uint32_t kind)
{
	if (kind == WEIR_SIM_MAP_UNKNOWN)
		return "-";
	return kind ? weir_kind_name(primitive, kind) : "none";
}
