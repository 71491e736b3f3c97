/* Conditions, reader-writer locks, onces and combiners under diagnosis. words[0] counts signals, and the
 * objects follow it.
 *
 * PoCL inlines every call, and takes long to compile a large kernel: there are as few call sites as
 * possible, and OpenCL does without deadlines and has only one block form. */
#ifdef __OPENCL_VERSION__
#define API_HAS_ALL 0
#else
#define API_HAS_ALL WEIR_HAS_DEADLINE
#endif

WEIR_FN void api_say(WEIR_GLOBAL weir_word *words)
{
	weir_add_acq_rel(words, 1); /* pairs with the await below */
}

WEIR_FN void api_hear(WEIR_GLOBAL weir_word *words, uint32_t count)
{
	weir_await_ge_acq(words, count, weir_no_backoff()); /* pairs with api_say */
}

/* Every way to lock. data[1] counts the writes. */
WEIR_FN void api_read_and_write(weir_rwlock l, WEIR_GLOBAL uint32_t *data)
{
	weir_rwlock_write_lock(l);
	data[1] += 1;
	weir_rwlock_downgrade(l);
	weir_rwlock_read_unlock(l);
#if API_HAS_ALL
	weir_rwlock_read_lock(l);
	weir_rwlock_read_unlock(l);
	if (weir_rwlock_try_read_lock(l) == WEIR_OK)
		weir_rwlock_read_unlock(l);
	if (weir_rwlock_try_write_lock(l) == WEIR_OK)
		weir_rwlock_write_unlock(l);
	if (weir_rwlock_read_lock_for(l, 1000) == WEIR_OK)
		weir_rwlock_read_unlock(l);
	if (weir_rwlock_write_lock_for(l, 1000) == WEIR_OK)
		weir_rwlock_write_unlock(l);
#endif
}

/* data[2] counts how often the once ran. */
WEIR_FN void api_begin_once(weir_once o, WEIR_GLOBAL uint32_t *data)
{
	if (weir_once_begin(o)) {
		data[2] += 1;
		weir_once_end(o);
	}
#if API_HAS_ALL
	{
		int is_mine;
		weir_once_begin_for(o, 1000, &is_mine);
	}
#endif
}

/* The same by all threads. */
WEIR_KERNEL(api_lock_together, api_locks)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	weir_rwlock_block_write_lock(l);
	if (weir_thread_id() == weir_thread_count() - 1)
		data[1] += 1;
#if !API_HAS_ALL
	weir_rwlock_block_write_unlock(l);
#else
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	weir_rwlock_block_downgrade(l);
	weir_rwlock_block_read_unlock(l);
	weir_rwlock_block_read_lock(l);
	weir_rwlock_block_read_unlock(l);
	weir_rwlock_block_write_lock(l);
	weir_rwlock_block_write_unlock(l);
	weir_mutex_block_lock(m);
	weir_condition_block_signal(c);
	weir_condition_block_broadcast(c);
	weir_condition_block_wait_for(c, m, 1000);
	weir_mutex_block_unlock(m);
	if (weir_once_block_begin(weir_once_make(words, params.setup)))
		weir_once_block_end(weir_once_make(words, params.setup));
#endif
}

/* Mistakes with a condition, by blocks 0 and 1 or by all blocks; or all blocks meet at it, and data[0]
 * counts them under the mutex. */
WEIR_FN void api_use_condition(weir_condition c, weir_mutex m, WEIR_GLOBAL weir_word *words,
                               WEIR_GLOBAL uint32_t *data, uint32_t value)
{
	int is_one = weir_block_id() == 1;
	int meets = value == API_LOCK_MEET;
	uint32_t waits = value == API_LOCK_WAIT || !is_one;

	if (value == API_LOCK_WAIT ? !is_one : value == API_LOCK_BROADCAST && weir_block_id() > 1)
		return;
	if (value == (is_one ? API_LOCK_BROADCAST : API_LOCK_EARLY))
		api_hear(words, 1);
	weir_mutex_lock(m);
	data[0] += meets;
	if (value == API_LOCK_BROADCAST && !is_one)
		api_say(words);
	for (uint32_t i = 0; i < 3 && value == API_LOCK_EARLY && is_one; i++)
		weir_condition_signal(c);
	if (meets && data[0] % weir_block_count() == 0)
		weir_condition_broadcast(c);
	weir_condition_wait_until(c, m, meets ? data[0] % weir_block_count() == 0 : waits-- == 0);
#if API_HAS_ALL
	if (meets) {
		weir_condition_wait_for(c, m, 1000);
		weir_condition_signal(c);
	}
#endif
	weir_mutex_unlock(m);
	if (value == API_LOCK_BROADCAST && is_one)
		weir_condition_broadcast(c);
	if (value == API_LOCK_EARLY)
		api_say(words);
}

/* Waits until block 0 has shut readers out. */
WEIR_FN void api_await_writer(weir_rwlock l)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	/* Relaxed: it is polled. */
	while ((weir_load_rlx(weir_rwlock_in_(l, 0)) & WEIR_RWLOCK_MARK) == 0 &&
	       !weir_wait_aborted(&wait))
		weir_wait_again(&wait);
}

/* Mistakes of block 1 that start with reads. */
WEIR_FN void api_mistake_read(weir_rwlock l, WEIR_GLOBAL weir_word *words, uint32_t value)
{
	if (weir_block_id() == 1) {
		for (uint32_t i = 0; i < 1u + (value == API_LOCK_READ_TWICE); i++) {
			if (i == 1)
				api_await_writer(l);
			weir_rwlock_read_lock(l);
			api_say(words);
		}
	} else if (value == API_LOCK_READ ||
	           (value == API_LOCK_READ_TWICE && weir_block_id() == 0)) {
		api_hear(words, 1);
		weir_rwlock_write_lock(l);
	} else {
		return;
	}
	if (value == API_LOCK_AS_WRITER || weir_block_id() != 1)
		weir_rwlock_write_unlock(l);
}

/* Mistakes of block 1 that start with a write, or without a lock. */
WEIR_FN void api_mistake_write(weir_rwlock l, uint32_t value)
{
	if (weir_block_id() != 1)
		return;
	for (uint32_t i = value == API_LOCK_DOWNGRADE; i < 1u + (value == API_LOCK_WRITE_TWICE);
	     i++)
		weir_rwlock_write_lock(l);
	if (value == API_LOCK_DOWNGRADE)
		weir_rwlock_downgrade(l);
}

/* Blocks 0 and 1 take a mutex and a lock, each in its own order. */
WEIR_FN void api_cross(weir_rwlock l, weir_mutex m, WEIR_GLOBAL weir_word *words)
{
	for (uint32_t i = 0; i < 2; i++) {
		if (weir_block_id() == i)
			weir_mutex_lock(m);
		else if (i == 0)
			weir_rwlock_write_lock(l);
		else
			weir_rwlock_read_lock(l);
		api_say(words);
		api_hear(words, 2);
	}
}

/* All blocks use a lock and a once as they should, by one thread of each. */
WEIR_KERNEL(api_lock_right, api_locks)
{
	if (weir_thread_id() != 0)
		return;
	api_read_and_write(weir_rwlock_make(words, params.table), data);
	api_begin_once(weir_once_make(words, params.setup), data);
}

/* What block 1 does, if not all blocks. There is a kernel for each group of mistakes. */
WEIR_KERNEL(api_lock_condition, api_locks)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_condition c = weir_condition_make(words, params.filled);

	if (weir_thread_id() == 0)
		api_use_condition(c, m, words, data, params.value);
}

WEIR_KERNEL(api_lock_read, api_locks)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (weir_thread_id() != 0)
		return;
	api_mistake_read(l, words, params.value);
}

WEIR_KERNEL(api_lock_write, api_locks)
{
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (weir_thread_id() != 0)
		return;
	api_mistake_write(l, params.value);
}

WEIR_KERNEL(api_lock_crossed, api_locks)
{
	weir_mutex m = weir_mutex_make(words, params.first);
	weir_rwlock l = weir_rwlock_make(words, params.table);

	(void)data;
	if (weir_thread_id() != 0)
		return;
	if (weir_block_id() < 2)
		api_cross(l, m, words);
}

WEIR_KERNEL(api_lock_once, api_locks)
{
	weir_once o = weir_once_make(words, params.setup);

	(void)data;
	if (weir_thread_id() != 0)
		return;
	if (weir_block_id() != 1)
		return;
	if (params.value == API_LOCK_BEGIN)
		weir_once_begin(o);
	else
		weir_once_end(o);
}

/* Adds what is published to data[3]. */
WEIR_FN void api_do_all(weir_combiner c, weir_combiner_call *call, WEIR_GLOBAL uint32_t *data)
{
	uint32_t sum = data[3];

	while (weir_combiner_next(c, call))
		WEIR_COMBINER_EACH (i, call)
			weir_combiner_answer(call, i, sum += weir_combiner_operation(call, i));
	if (weir_thread_id() == 0)
		data[3] = sum;
}

WEIR_FN void api_call(weir_combiner c, WEIR_GLOBAL uint32_t *data, uint32_t value)
{
	weir_combiner_call call = weir_combiner_publish(c, 1);

	while (weir_combiner_wait(c, &call)) {
		if (value == API_COMBINE_KEEP && weir_block_id() == 1)
			return;
		api_do_all(c, &call, data);
		weir_combiner_release(c, &call);
	}
}

#if API_HAS_ALL
WEIR_FN void api_call_for(weir_combiner c, WEIR_GLOBAL uint32_t *data)
{
	weir_deadline deadline = weir_deadline_begin(1000000000);
	uint32_t one = 1;
	weir_combiner_call call = weir_combiner_publish_timed(c, &one, 1);

	while (weir_combiner_wait_by(c, &call, &deadline) == WEIR_BUSY) {
		api_do_all(c, &call, data);
		weir_combiner_release(c, &call);
	}
}
#endif

WEIR_FN void api_serve(weir_combiner c)
{
	weir_combiner_call call;

	if (!weir_combiner_serve(c, &call))
		return;
	while (weir_combiner_serve_next(c, &call))
		while (weir_combiner_next(c, &call))
			WEIR_COMBINER_EACH (i, &call)
				weir_combiner_answer(&call, i,
				                     weir_combiner_operation(&call, i) + 1);
	weir_combiner_release(c, &call);
}

/* Every block calls both combiners, and block 0 serves. data[4] says whether calls have
 * deadlines. */
WEIR_KERNEL(api_combine_right, api_locks)
{
	weir_combiner c = weir_combiner_make(words, params.counter);
	weir_combiner desk = weir_combiner_make(words, params.desk);

	if (!weir_is_first(weir_thread_id()))
		return;
	for (uint32_t i = 0; i < (weir_block_id() == 0 ? 1u : 2u); i++)
		api_call(i == 0 ? c : desk, data, API_COMBINE_CALL);
#if API_HAS_ALL
	api_call_for(c, data);
#endif
	if (weir_block_id() == 0) {
		data[4] = API_HAS_ALL;
		api_serve(desk);
		return;
	}
	if (weir_thread_id() == 0)
		weir_combiner_leave(desk);
}

/* What block 1 does. */
WEIR_KERNEL(api_combine, api_locks)
{
	weir_combiner c = weir_combiner_make(words, params.counter);
	weir_combiner desk = weir_combiner_make(words, params.desk);
	uint32_t pair[2] = {1, 2};

	if (!weir_is_first(weir_thread_id()) || weir_block_id() != 1)
		return;
	if (params.value == API_COMBINE_LARGE)
		weir_combiner_publish_words(c, pair, 2);
	else if (params.value != API_COMBINE_LEAVE)
		api_call(params.value == API_COMBINE_KEEP ? c : desk, data, params.value);
	else if (weir_thread_id() == 0)
		weir_combiner_leave(desk);
}
