/* The options of bench and tune. */
#include "sweep/request.h"

#include <stdint.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/parse.h"
#include "measure/meter.h"
#include "output/figure.h"
#include "sweep/sweep.h"
#include "weir/kind.h"
#include "weir/weir.h"

int weir_request_kinds(const weir_request *request, enum weir_primitive primitive,
                       weir_counts *kinds)
{
	*kinds = weir_all_kinds(primitive);
	return request->kinds_text ? weir_parse_kinds(request->kinds_text, primitive, kinds) : 0;
}

static int check_blocks(const weir_counts *blocks, uint32_t threads, uint32_t most,
                        const weir_meter *meter)
{
	for (uint32_t i = 0; i < blocks->count; i++)
		if (blocks->values[i] > most)
			return weir_refuse("--blocks: %u of %s do not run at once on %s, "
			                   "at most %u do",
			                   blocks->values[i],
			                   weir_count_figure(threads, "thread").text,
			                   meter->info.name, most);
	return 0;
}

int weir_request_complete(weir_request *request, weir_meter *meter)
{
	weir_sweep *asked = &request->sweep;
	weir_sweep sweep;
	uint32_t most;

	if (asked->threads > meter->info.max_threads_per_block)
		return weir_refuse("--threads: %s runs at most %u in a block", meter->info.name,
		                   meter->info.max_threads_per_block);
	if (weir_sweep_default(meter, asked->threads, &sweep) != WEIR_OK ||
	    weir_measure_most_blocks(meter, sweep.threads, &most) != WEIR_OK)
		return weir_refuse("%s", weir_error_text());
	int status = check_blocks(&asked->blocks, sweep.threads, most, meter);
	if (status)
		return status;
	sweep.rounds = asked->rounds ? asked->rounds : sweep.rounds;
	sweep.repeats = asked->repeats ? asked->repeats : sweep.repeats;
	sweep.limit_s = asked->limit_s > 0 ? asked->limit_s : sweep.limit_s;
	sweep.blocks = asked->blocks.count ? asked->blocks : sweep.blocks;
	sweep.initials = asked->initials.count ? asked->initials : sweep.initials;
	sweep.patterns = asked->patterns.count ? asked->patterns : sweep.patterns;
	sweep.work = asked->work;
	sweep.cluster = asked->cluster;
	*asked = sweep;
	return 0;
}
