/* The layout of what a request leaves open: how many parts, slots, counts and seats, and how far apart. */
#include "object/layout.h"

#include "base/count.h"
#include "base/status.h"
#include "core/device.h"
#include "weir/barrier/in.h"
#include "weir/queue/kinds.h"

/* So that the last copy begins within 2^32 words. */
#define MOST_APART (1u << (32 - WEIR_EVENT_BITS_MOST))

/* From an H200 (results/h200/peers-event.json, trials/events.txt): one word is the fastest up to 528
 * blocks, and four are for 1056. */
#define USERS_OF_PART 264u

static uint32_t choose_bits(const weir_device *device, const weir_kind *kind,
                            const weir_event_array_options *options)
{
	uint32_t users = kind->parts == WEIR_PARTS_COPIES ? options->waiters : options->signallers;
	uint32_t asked = kind->parts == WEIR_PARTS_COPIES ? options->copies : options->shards;
	uint32_t bits = 1;

	if (asked)
		return weir_bits_for(asked);
	if (users == 0)
		users = weir_device_most_blocks(device);
	while (bits < WEIR_EVENT_BITS_MOST && users >> bits > USERS_OF_PART)
		bits++;
	return bits;
}

weir_status weir_event_spread(const weir_device *device, const weir_kind *kind,
                              const weir_event_array_options *options,
                              weir_event_array_config *config)
{
	uint64_t row = (uint64_t)(WEIR_EVENT_HEAD + config->length) * config->pitch;
	/* An odd number of lines, so that the copies of an event do not all lie in one part of a
	 * cache. */
	uint64_t lines = (row + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS | 1;
	uint32_t bits = choose_bits(device, kind, options);

	if (bits > WEIR_EVENT_BITS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s is %u: the most is %u", kind->name,
		                 kind->parts == WEIR_PARTS_COPIES ? options->copies
		                                                  : options->shards,
		                 1u << WEIR_EVENT_BITS_MOST);
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

#define MOST_ITEM_BYTES 65536u
#define SMALL_SLOT 4u /* words of the smallest slot with a line's share of its own */

uint32_t weir_queue_kind_for(const weir_device *device, size_t bytes,
                             const weir_queue_options *options)
{
	const weir_kind *cells = weir_kind_find(WEIR_PRIMITIVE_QUEUE, WEIR_QUEUE_CELLS);

	if (bytes != sizeof(uint32_t) || !weir_kind_runs(device, cells))
		return WEIR_QUEUE_LINES;
	return options->single ? WEIR_QUEUE_SINGLE : WEIR_QUEUE_CELLS;
}

/* A slot does not cross more lines than it must. */
static uint32_t line_stride(uint32_t words, int compact)
{
	uint32_t stride = SMALL_SLOT;

	if (compact)
		return words;
	while (stride < words && stride < WEIR_LINE_WORDS)
		stride *= 2;
	return stride >= words ? stride
	                       : (words + WEIR_LINE_WORDS - 1) / WEIR_LINE_WORDS * WEIR_LINE_WORDS;
}

static weir_status check_items(const weir_kind *kind, uint32_t capacity, size_t item_bytes)
{
	if (capacity > 1u << WEIR_QUEUE_BITS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "a queue of %s: the most is %u",
		                 weir_counted(capacity, "item").text, 1u << WEIR_QUEUE_BITS_MOST);
	if (item_bytes == 0 || item_bytes % sizeof(weir_word) != 0 || item_bytes > MOST_ITEM_BYTES)
		return weir_fail(
		    WEIR_BAD_ARGUMENT, "items of %s: a multiple of %zu, up to %u, is allowed",
		    weir_counted(item_bytes, "byte").text, sizeof(weir_word), MOST_ITEM_BYTES);
	if (kind->items == WEIR_ITEMS_OF_A_WORD && item_bytes != sizeof(weir_word))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "items of %s in a queue of kind %s, whose items have %zu: "
		                 "use the kind lines",
		                 weir_counted(item_bytes, "byte").text, kind->name,
		                 sizeof(weir_word));
	return WEIR_OK;
}

weir_status weir_queue_lay_out(const weir_kind *kind, uint32_t capacity, size_t item_bytes,
                               const weir_queue_options *options, weir_queue_config *config)
{
	weir_status status = check_items(kind, capacity, item_bytes);

	if (status != WEIR_OK)
		return status;
	if (options->single & ~(WEIR_QUEUE_ONE_PUSHES | WEIR_QUEUE_ONE_POPS))
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "single is %u: WEIR_QUEUE_ONE_PUSHES, WEIR_QUEUE_ONE_POPS, or both",
		    options->single);
	if ((kind->value == WEIR_QUEUE_SINGLE) != (options->single != 0))
		return weir_fail(
		    WEIR_BAD_ARGUMENT,
		    "a queue of kind %s with single %u: the kind single, and no other, "
		    "has sides that one thread uses, WEIR_QUEUE_ONE_PUSHES and "
		    "WEIR_QUEUE_ONE_POPS",
		    kind->name, options->single);
	while (1u << config->bits < capacity)
		config->bits++;
	config->words = (uint32_t)(item_bytes / sizeof(weir_word));
	config->single = options->single;
	config->stride = kind->items == WEIR_ITEMS_OF_A_WORD
	                     ? WEIR_CELLS_STRIDE
	                     : line_stride(config->words + 1, options->object.compact);
	return WEIR_OK;
}

weir_status weir_dispenser_plan(const weir_device *device, uint32_t items,
                                const weir_dispenser_options *options,
                                weir_dispenser_config *config)
{
	uint32_t takers = options->takers ? options->takers : 1;

	if (!weir_device_has_word64(device))
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a dispenser needs 64-bit atomics, which %s lacks",
		                 device->info.name);
	if (takers > 1024)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s in a block: the most is 1024",
		                 weir_counted(takers, "taker").text);
	config->items = items;
	config->share = options->share;
	config->takers = takers;
	return WEIR_OK;
}

#define MOST_SLOTS (1u << 20)
#define MOST_SEATS (1u << 20)
#define LEAST_SLOTS 32u /* a word of bits */
#define DEFAULT_BITS 3u /* from an H200: more counts make readers no faster, and writers slower */

weir_status weir_condition_plan(const weir_device *device, const weir_condition_options *options,
                                weir_condition_config *config)
{
	uint32_t wanted = options->waiters;

	if (wanted == 0)
		wanted = weir_device_most_blocks(device);
	if (wanted > MOST_SLOTS)
		return weir_fail(WEIR_BAD_ARGUMENT, "waiters is %u for a condition: the most is %u",
		                 wanted, MOST_SLOTS);
	config->slots = LEAST_SLOTS;
	while (config->slots < wanted)
		config->slots *= 2;
	return WEIR_OK;
}

weir_status weir_rwlock_spread(const weir_rwlock_options *options, weir_rwlock_config *config)
{
	config->bits =
	    options->reader_counts ? weir_bits_for(options->reader_counts) : DEFAULT_BITS;
	if (config->bits > WEIR_RWLOCK_BITS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT, "reader_counts is %u: the most is %u",
		                 options->reader_counts, 1u << WEIR_RWLOCK_BITS_MOST);
	return WEIR_OK;
}

weir_status weir_combiner_plan(const weir_device *device, uint32_t blocks,
                               const weir_combiner_options *options, weir_combiner_config *config)
{
	if (!weir_device_has_word64(device))
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a combiner needs 64-bit atomics, which %s lacks",
		                 device->info.name);
	if (blocks == 0 || blocks > MOST_SEATS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a combiner for %u blocks: from 1 to %u",
		                 blocks, MOST_SEATS);
	if (options->words > WEIR_COMBINER_WORDS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "operations of %u words for a combiner: the most is %d",
		                 options->words, WEIR_COMBINER_WORDS_MOST);
	config->seats = blocks;
	config->words = options->words ? options->words : 1;
	config->is_served = options->served != 0;
	return WEIR_OK;
}
