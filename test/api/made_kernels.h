/* Kernels that show whether a condition, a reader-writer lock, a once or a combiner does what it should;
 * a part of api_kernels.h. */
#include "kernels/kernel.h"
#include "params.h"

/* Counts up to `rounds` in data[0] if the object is as it was created. With `value` it leaves the
 * object changed. */
WEIR_KERNEL(api_condition, api_params)
{
	weir_condition c = weir_condition_make(words, params.config.condition);
	uint32_t ticket;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	if (!params.value)
		data[0] += weir_condition_broadcast(c);
	for (uint32_t i = 0; i < params.rounds; i++)
		weir_condition_join_(c, &ticket);
	if (!params.value)
		data[0] += weir_condition_broadcast(c);
}

WEIR_KERNEL(api_rwlock, api_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config.rwlock);

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	if (params.value) {
		weir_rwlock_write_lock(l);
		return;
	}
	for (uint32_t i = 0; i < params.rounds; i++) {
		if (weir_rwlock_try_write_lock(l) != WEIR_OK)
			return;
		weir_rwlock_downgrade(l);
		data[0] += weir_rwlock_try_read_lock(l) == WEIR_OK;
		weir_rwlock_read_unlock(l);
		weir_rwlock_read_unlock(l);
	}
}

WEIR_KERNEL(api_once, api_params)
{
	weir_once o = weir_once_make(words, params.config.once);

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	if (weir_once_begin(o)) {
		if (!params.value)
			data[0] += params.rounds;
		weir_once_end(o);
	}
}

#if WEIR_HAS_WORD64

/* Block 0 calls. With `value` block 1 publishes an operation, and does not wait for it. */
WEIR_KERNEL(api_combine, api_params)
{
	weir_combiner c = weir_combiner_make(words, params.config.combiner);

	if (!weir_is_first(weir_thread_id()))
		return;
	if (params.value && weir_block_id() == 1)
		weir_combiner_publish(c, 1);
	if (params.value || weir_block_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_combiner_call call = weir_combiner_publish(c, 1);

		while (weir_combiner_wait(c, &call)) {
			while (weir_combiner_next(c, &call))
				WEIR_COMBINER_EACH (k, &call)
					data[0] += weir_combiner_operation(&call, k);
			weir_combiner_release(c, &call);
		}
	}
}

/* The last block publishes an operation of `rounds` words, and records in data[0] that it
 * returned. */
WEIR_KERNEL(api_combine_mistake, api_params)
{
	weir_combiner c = weir_combiner_make(words, params.config.combiner);
	uint32_t operation[WEIR_COMBINER_WORDS_MOST] = {0, 0, 0, 0};

	if (weir_block_id() != weir_block_count() - 1 || !weir_is_first(weir_thread_id()))
		return;
	weir_combiner_publish_words(c, operation, params.rounds);
	data[0] = 1;
}

#endif
