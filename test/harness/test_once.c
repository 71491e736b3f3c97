/* Onces, on the device that the command line names. */
#include "harness.h"

#include <stdio.h>

#include "once_kernels.h"

static const weir_host_entry entries[] = {{"once_each", once_each_entry},
                                          {"once_block", once_block_entry},
                                          {"once_alone", once_alone_entry}};

/* Whether one block alone did each. */
static int each_once(const harness *h, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		if (h->copy[HARNESS_DATA + i * ONCE_PLACE] != 1)
			return 0;
	return h->copy[HARNESS_ERRORS] == 0;
}

/* Launches in a row without a reset: all but the first one find it done. */
static void each(harness *h, uint32_t blocks, uint32_t threads, uint32_t deadline, int without)
{
	uint32_t length = harness_rounds_in_turn(h, blocks * threads, blocks, 300);
	harness_place place = harness_place_of(h, (HARNESS_LEAD + length) * sizeof(weir_word), 128);
	weir_once o;
	int right = 1;

	harness_need(weir_once_create(h->device, &place.options, &o), "weir_once_create");
	harness_launch launch = {.kernel = threads > 1 ? "once_block" : "once_each",
	                         .words = o.words,
	                         .params = {.config.once = o.config,
	                                    .without = without,
	                                    .length = length,
	                                    .value = deadline,
	                                    .hold = without ? 100 : 1,
	                                    .seed = blocks},
	                         .grid = {blocks, 1, 1},
	                         .threads = threads};
	for (uint32_t i = 0; i < (without ? 1 : 3); i++) {
		launch.params.base = i;
		harness_run(h, &launch, i != 0);
		right &= each_once(h, length);
	}
	harness_verdict(h, right, without, "%u blocks of %u, %u onces%s", blocks, threads, length,
	                deadline ? ", with deadlines" : "");
	harness_need(weir_once_destroy(h->device, &o), "weir_once_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

static void alone(harness *h)
{
	harness_place place = harness_place_of(h, 128 + HARNESS_LEAD * sizeof(weir_word), 128);
	weir_once o;

	harness_need(weir_once_create(h->device, &place.options, &o), "weir_once_create");
	harness_launch launch = {.kernel = "once_alone",
	                         .words = o.words,
	                         .params = {.config.once = o.config, .length = 8},
	                         .grid = {1, 1, 1},
	                         .threads = 1,
	                         .mistakes = 1};
	harness_run(h, &launch, 0);
	harness_verdict(h, h->copy[HARNESS_ERRORS] == 0, 0, "what each operation finds");
	harness_need(weir_once_destroy(h->device, &o), "weir_once_destroy");
	harness_need(weir_buffer_destroy(h->device, &place.memory), "weir_buffer_destroy");
}

int main(int argc, char **argv)
{
	harness h;
	uint32_t counts[5];
	int status;

	if (harness_open(&h, argc, argv, "once", entries, sizeof entries / sizeof entries[0],
	                 &status))
		return status;
	uint32_t threads = h.info.is_gpu ? 128 : harness_threads(&h, 5);
	uint32_t count = harness_block_counts(&h, "once_each", threads, counts);
	uint32_t deadline = h.info.is_gpu ? 20000 : 200000;

	alone(&h);
	for (uint32_t i = 0; i < count; i++) {
		each(&h, counts[i], 1, 0, 0);
		each(&h, counts[i], 1, deadline, 0);
		if (h.info.machine != WEIR_MACHINE_OPENCL)
			each(&h, counts[i], threads, 0, 0);
	}
	if (!h.sound_only)
		HARNESS_MUST_NOTICE(&h, each(&h, counts[count - 1], 1, 0, 1));
	return harness_close(&h);
}
