/* The layout of events: one word each, or copies or shards of it. */
#include "object/event.h"

#include "base/status.h"
#include "core/device.h"
#include "weir/barrier/in.h"

/* So that the last copy begins within 2^32 words. */
#define MOST_APART (1u << (32 - WEIR_EVENT_BITS_MOST))

/* From an H200 (results/h200/peers-event.json, trials/events.txt): one word is the fastest up to 528
 * blocks, and four are for 1056. */
#define USERS_OF_PART 264u

static uint32_t default_bits(const weir_device *device, const weir_kind *kind,
                             const weir_options *options)
{
	uint32_t users = kind->parts == WEIR_PARTS_COPIES ? options->waiters : options->signallers;
	uint32_t bits = 1;

	if (users == 0)
		users = weir_device_most_blocks(device);
	while (bits < WEIR_EVENT_BITS_MOST && users >> bits > USERS_OF_PART)
		bits++;
	return bits;
}

weir_status weir_event_spread(const weir_device *device, const weir_kind *kind,
                              const weir_options *options, weir_event_array_config *config)
{
	uint64_t row = (uint64_t)(WEIR_EVENT_HEAD + config->length) * config->pitch;
	/* An odd number of lines, so that the copies of an event do not all lie in one part of a
	 * cache. */
	uint64_t lines = (row + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS | 1;
	uint32_t bits = options->shape.bits;

	if (bits > WEIR_EVENT_BITS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "events of %u bits: the most is %d bits", bits,
		                 WEIR_EVENT_BITS_MOST);
	if (bits == 0 && !options->has_shape)
		bits = default_bits(device, kind, options);
	if (lines * WEIR_LINE_WORDS > MOST_APART)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "an array of %u events of kind %s, %u bytes apart: the most is %u",
		                 config->length, kind->name,
		                 config->pitch * (uint32_t)sizeof(weir_word),
		                 MOST_APART / config->pitch - WEIR_LINE_WORDS);
	config->bits = bits;
	config->apart = (uint32_t)lines * WEIR_LINE_WORDS;
	if (config->apart < WEIR_COUNTER_APART)
		config->apart = WEIR_COUNTER_APART;
	return WEIR_OK;
}
