/* The layout of conditions, reader-writer locks and combiners: how many slots, counts and seats. */
#include "object/lock.h"

#include "base/status.h"
#include "core/device.h"

#define MOST_SLOTS (1u << 20)
#define MOST_SEATS (1u << 20)
#define LEAST_SLOTS 32u /* a word of bits */
#define DEFAULT_BITS 3u /* from an H200: more counts make readers no faster, and writers slower */

weir_status weir_condition_plan(const weir_device *device, const weir_options *options,
                                weir_condition_config *config)
{
	uint32_t wanted = options->slots;

	if (wanted == 0)
		wanted = weir_device_most_blocks(device);
	if (wanted > MOST_SLOTS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a condition with %u slots: the most is %u",
		                 wanted, MOST_SLOTS);
	config->slots = LEAST_SLOTS;
	while (config->slots < wanted)
		config->slots *= 2;
	return WEIR_OK;
}

weir_status weir_rwlock_spread(const weir_options *options, weir_rwlock_config *config)
{
	config->bits = options->shape.bits;
	if (config->bits > WEIR_RWLOCK_BITS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a reader-writer lock of %u bits: the most is %d bits",
		                 config->bits, WEIR_RWLOCK_BITS_MOST);
	if (config->bits == 0 && !options->has_shape)
		config->bits = DEFAULT_BITS;
	return WEIR_OK;
}

weir_status weir_combine_plan(const weir_device *device, uint32_t blocks,
                              const weir_options *options, weir_combine_config *config)
{
	if (!weir_device_has_word64(device))
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a combiner needs 64-bit atomics, which %s lacks",
		                 device->info.name);
	if (blocks == 0 || blocks > MOST_SEATS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a combiner for %u blocks: from 1 to %u",
		                 blocks, MOST_SEATS);
	if (options->words > WEIR_COMBINE_WORDS_MOST)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "operations of %u words for a combiner: the most is %d",
		                 options->words, WEIR_COMBINE_WORDS_MOST);
	config->seats = blocks;
	config->words = options->words ? options->words : 1;
	config->is_served = options->served != 0;
	return WEIR_OK;
}
