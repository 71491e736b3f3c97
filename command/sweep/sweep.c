/* Sweeps over kinds and block counts. */
#include "sweep/sweep.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/kinds.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/point.h"
#include "measure/probe.h"
#include "measure/subject.h"
#include "output/figure.h"
#include "output/progress.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

int weir_busy_asked(const weir_busy_sweep *sweep)
{
	return sweep->stores.count || sweep->unevens.count;
}

static uint32_t size_of(const weir_counts *counts)
{
	return counts->count ? counts->count : 1;
}

uint32_t weir_busy_size(const weir_busy_sweep *sweep)
{
	return size_of(&sweep->stores) * size_of(&sweep->unevens);
}

weir_busy weir_busy_at(const weir_busy_sweep *sweep, uint32_t index)
{
	uint32_t unevens = size_of(&sweep->unevens);

	/* An empty list has the single value 0. */
	return (weir_busy){.stores = sweep->stores.values[index / unevens],
	                   .uneven_us = sweep->unevens.values[index % unevens]};
}

const char *weir_busy_text(weir_busy busy, char text[96])
{
	int used = 0;

	text[0] = '\0';
	if (busy.stores)
		used = snprintf(text, 96, "%s stored by each thread",
		                weir_count_figure(busy.stores, "word").text);
	if (busy.uneven_us)
		snprintf(text + used, 96 - (size_t)used, "%sblocks busy for up to %u us",
		         used ? ", " : "", busy.uneven_us);
	if (!weir_is_busy(busy))
		snprintf(text, 96, "blocks that do nothing else");
	return text;
}

static void add_blocks(weir_counts *blocks, uint32_t count)
{
	if (blocks->count == 0 || blocks->values[blocks->count - 1] < count)
		blocks->values[blocks->count++] = count;
}

/* Powers of two, but none just below the number of units; then the units, doubled repeatedly;
 * finally the number that fits. */
static weir_counts gpu_blocks(uint32_t units, uint32_t most)
{
	weir_counts blocks = {0};

	for (uint64_t count = 1; count + count / 2 <= units && count <= most; count *= 2)
		add_blocks(&blocks, (uint32_t)count);
	for (uint64_t count = units; count <= most && blocks.count < 32; count *= 2)
		add_blocks(&blocks, (uint32_t)count);
	add_blocks(&blocks, most);
	return blocks;
}

static weir_counts cpu_blocks(uint32_t most)
{
	weir_counts blocks = {0};

	for (uint32_t count = 1; count <= 8 && count <= most; count *= 2)
		add_blocks(&blocks, count);
	return blocks;
}

weir_status weir_sweep_default(weir_meter *meter, uint32_t threads, weir_sweep *sweep)
{
	static const weir_counts initials = {{1, 2, 10, 120}, 4};
	const weir_device_info *info = &meter->info;
	uint32_t most = 0;

	*sweep = info->is_gpu ? (weir_sweep){.threads = 128, .repeats = 5, .limit_s = 2}
	                      : (weir_sweep){.threads = 32, .repeats = 5, .limit_s = 0.4};
	sweep->initials = initials;
	sweep->patterns = weir_all_patterns(
	    weir_has_patterns(meter->primitive) ? meter->primitive : WEIR_PRIMITIVE_EVENT_ARRAY,
	    meter->sim != NULL);
	if (threads)
		sweep->threads = threads;
	weir_status status = weir_measure_most_blocks(meter, sweep->threads, &most);
	if (status == WEIR_OK)
		sweep->blocks = info->is_gpu ? gpu_blocks(info->units ? info->units : 1, most)
		                             : cpu_blocks(most);
	return status;
}

static weir_counts of_primitive(const weir_counts *patterns, enum weir_primitive primitive)
{
	weir_counts own = {0};

	for (uint32_t i = 0; i < patterns->count; i++)
		if (weir_pattern_is_of(patterns->values[i], primitive))
			own.values[own.count++] = patterns->values[i];
	return own;
}

weir_counts weir_sweep_initials(const weir_sweep *sweep, enum weir_primitive primitive)
{
	static const weir_counts none = {{0}, 1};

	if (weir_has_patterns(primitive))
		return of_primitive(&sweep->patterns, primitive);
	return primitive == WEIR_PRIMITIVE_SEMAPHORE ? sweep->initials : none;
}

uint32_t weir_sweep_size(const weir_sweep *sweep, enum weir_primitive primitive,
                         const weir_counts *kinds)
{
	return kinds->count * sweep->blocks.count * weir_sweep_initials(sweep, primitive).count;
}

static int has_point(const weir_profile *profile, const weir_point *wanted)
{
	for (size_t i = 0; i < profile->point_count; i++) {
		const weir_point *point = &profile->points[i];
		if (point->primitive == wanted->primitive && point->kind == wanted->kind &&
		    point->initial == wanted->initial && point->pattern == wanted->pattern &&
		    point->blocks == wanted->blocks && point->threads == wanted->threads &&
		    point->work == wanted->work)
			return 1;
	}
	return 0;
}

/* "semaphore packed, 10 slots", "event hand-over" and so on, for the progress. */
static void name_row(const weir_point *point, weir_progress *progress)
{
	char name[128];
	int used = snprintf(name, sizeof name, "%s %s", weir_primitive_name(point->primitive),
	                    weir_kind_name(point->primitive, point->kind));

	if (point->initial)
		snprintf(name + used, sizeof name - (size_t)used, ", %s",
		         weir_count_figure(point->initial, "slot").text);
	else if (point->pattern)
		snprintf(name + used, sizeof name - (size_t)used, ", %s",
		         weir_pattern_name(point->pattern));
	weir_progress_row(progress, name);
}

weir_status weir_measure_sweep(weir_meter *meter, const weir_sweep *sweep,
                               enum weir_primitive primitive, const weir_counts *kinds,
                               int only_missing, const weir_sweep_watch *watch,
                               weir_profile *profile)
{
	weir_counts initials = weir_sweep_initials(sweep, primitive);
	uint32_t size = weir_sweep_size(sweep, primitive, kinds);

	for (uint32_t i = 0; i < size && !weir_stop_asked(); i++) {
		uint32_t line = i / sweep->blocks.count;
		weir_point wanted = {
		    .primitive = primitive,
		    .kind = kinds->values[line % kinds->count],
		    .blocks = sweep->blocks.values[i % sweep->blocks.count],
		    .threads = sweep->threads,
		    .work = sweep->work,
		    .cluster = sweep->cluster,
		    .rounds = sweep->rounds,
		    .repeats = sweep->repeats,
		};
		weir_point_vary(&wanted, initials.values[line / kinds->count]);
		if (i % sweep->blocks.count == 0)
			name_row(&wanted, watch->progress);
		const weir_setting untuned = weir_untuned_setting(&wanted);
		weir_point result;
		weir_status status = WEIR_OK;
		if (weir_point_fits(&wanted, meter->info.machine) &&
		    (!only_missing || !has_point(profile, &wanted))) {
			status = weir_measure_point(meter, &wanted, sweep->limit_s,
			                            meter->sim ? NULL : &untuned, &result);
			if (status == WEIR_OK)
				status = weir_profile_add_point(profile, &result);
			if (status == WEIR_OK && watch->measured)
				watch->measured(watch->context, &result);
		}
		if (status != WEIR_OK)
			return status;
		weir_progress_add(watch->progress, 1);
	}
	return WEIR_OK;
}

weir_status weir_measure_missing(weir_meter *meter, const weir_sweep *sweep, weir_profile *profile)
{
	static const enum weir_primitive all[] = {
	    WEIR_PRIMITIVE_BARRIER,     WEIR_PRIMITIVE_MUTEX, WEIR_PRIMITIVE_SEMAPHORE,
	    WEIR_PRIMITIVE_EVENT_ARRAY, WEIR_PRIMITIVE_QUEUE, WEIR_PRIMITIVE_RWLOCK,
	    WEIR_PRIMITIVE_COMBINER};
	const size_t count = sizeof all / sizeof all[0];
	weir_counts kinds[sizeof all / sizeof all[0]];
	double total = WEIR_ACCESS_COUNT;
	weir_progress progress;
	const weir_sweep_watch watch = {.progress = &progress};
	weir_status status = WEIR_OK;

	for (size_t i = 0; i < count; i++) {
		kinds[i] = weir_all_kinds(all[i]);
		total += weir_sweep_size(sweep, all[i], &kinds[i]);
	}
	weir_progress_begin(&progress, meter->sim ? "simulating" : "measuring", "measurement",
	                    total);
	if (profile->has_probe) {
		weir_progress_add(&progress, WEIR_ACCESS_COUNT);
	} else {
		status = weir_measure_probe(meter, &progress, &profile->probe);
		profile->has_probe = status == WEIR_OK && !weir_stop_asked();
	}
	for (size_t i = 0; status == WEIR_OK && i < count; i++)
		status = weir_measure_sweep(meter, sweep, all[i], &kinds[i], 1, &watch, profile);
	weir_progress_end(&progress);
	return status;
}
