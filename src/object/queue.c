/* The layout of queues: how many slots, and how far apart; and that of dispensers. */
#include "object/queue.h"

#include "base/count.h"
#include "base/status.h"
#include "core/device.h"
#include "weir/queue/kinds.h"

#define MOST_ITEM_BYTES 65536u
#define SMALL_SLOT 4u /* words of the smallest slot with a line's share of its own */

uint32_t weir_queue_kind_for(const weir_device *device, size_t bytes, const weir_options *options)
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
                               const weir_options *options, weir_queue_config *config)
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
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the kind single, and no other, needs options.single: which side "
		                 "one thread uses");
	while (1u << config->bits < capacity)
		config->bits++;
	config->words = (uint32_t)(item_bytes / sizeof(weir_word));
	config->single = options->single;
	config->stride = kind->items == WEIR_ITEMS_OF_A_WORD
	                     ? WEIR_CELLS_STRIDE
	                     : line_stride(config->words + 1, options->compact);
	return WEIR_OK;
}

weir_status weir_dispenser_plan(const weir_device *device, uint32_t items,
                                const weir_options *options, weir_dispenser_config *config)
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
