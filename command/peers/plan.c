/* The matches of a tournament. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/parse.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "peers/match.h"
#include "peers/tournament.h"
#include "sweep/busy.h"
#include "sweep/sweep.h"
#include "weir/kind.h"
#include "weir/weir.h"

/* All initial values or patterns, and blocks with so many threads; `most` blocks of them run at once. */
static void plan_blocks(weir_tournament *tournament, weir_busy busy, uint32_t threads,
                        uint32_t most)
{
	const weir_sweep *sweep = &tournament->sweep;
	weir_counts initials = weir_sweep_initials(sweep, tournament->primitive);

	for (uint32_t i = 0; i < initials.count; i++)
		for (uint32_t j = 0; j < sweep->blocks.count; j++) {
			weir_match match = {
			    .wanted = {.primitive = tournament->primitive,
			               .initial = initials.values[i],
			               .blocks = sweep->blocks.values[j],
			               .threads = threads,
			               .work = sweep->work,
			               .cluster = sweep->cluster},
			    .busy = busy,
			};
			if (match.wanted.blocks <= most &&
			    weir_point_fits(&match.wanted, tournament->meter->info.machine))
				tournament->matches[tournament->planned++] = match;
		}
}

/* 1, 2, 4, 8 and 16 blocks on each multiprocessor. */
static weir_counts duel_blocks(const weir_meter *meter)
{
	weir_counts blocks = {0};

	for (uint32_t each = 1; each <= 16; each *= 2)
		blocks.values[blocks.count++] = each * (meter->info.units ? meter->info.units : 1);
	return blocks;
}

weir_status weir_tournament_plan(weir_tournament *tournament)
{
	static const weir_counts duel_threads = {{128, 512, 1024}, 3};
	const weir_sweep *sweep = &tournament->sweep;

	if (tournament->threads.count == 0)
		tournament->threads = duel_threads;
	if (sweep->blocks.count == 0)
		tournament->sweep.blocks = duel_blocks(tournament->meter);
	uint32_t pairs = weir_busy_size(&tournament->busy);
	size_t room = (size_t)pairs * tournament->threads.count * sweep->blocks.count *
	              weir_sweep_initials(sweep, tournament->primitive).count;

	tournament->matches = weir_need(calloc(room, sizeof *tournament->matches));
	for (uint32_t i = 0; i < pairs; i++)
		for (uint32_t j = 0; j < tournament->threads.count; j++) {
			weir_busy busy = weir_busy_at(&tournament->busy, i);
			uint32_t threads = tournament->threads.values[j];
			uint32_t most = 0;
			weir_status status = weir_meter_set_busy(tournament->meter, busy);
			if (status == WEIR_OK)
				status =
				    weir_measure_most_blocks(tournament->meter, threads, &most);
			if (status != WEIR_OK)
				return status;
			plan_blocks(tournament, busy, threads, most);
		}
	return WEIR_OK;
}
