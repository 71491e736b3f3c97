/* Kernels that test a reader-writer lock. All machines share this source. The data are RWLOCK_WIDTH
 * plain words, which are equal whenever no block writes. After them each block counts its writes. The
 * words at second.offset, after the lock, are the test's own atomics. */
#include "kernels/kernel.h"
#include "params.h"

#define RWLOCK_WIDTH 8
#define RWLOCK_OWN (HARNESS_DATA + RWLOCK_WIDTH)
#define RWLOCK_WAYS 16 /* of a round: some write, and the others read */
#define RWLOCK_WRITES 6

/* The log entries of rwlock_phases. */
#define RWLOCK_OLD_OUT 1  /* the first reader unlocks */
#define RWLOCK_FIRST_IN 2 /* the first writer */
#define RWLOCK_FIRST_OUT 3
#define RWLOCK_NEW_IN 4 /* the reader that arrived while that writer waited */
#define RWLOCK_NEW_OUT 5
#define RWLOCK_SECOND_IN 6 /* the second writer */
#define RWLOCK_EVENTS 6

/* Sets the initial state of a wrap test. */
WEIR_KERNEL(rwlock_start, harness_params)
{
	(void)data;
	if (weir_block_id() == 0 && weir_thread_id() == 0)
		weir_rwlock_start(weir_rwlock_make(words, params.config.rwlock), params.base);
}

/* How many words differ from the first. Volatile, since without the lock a compiler would keep them
 * in registers. */
WEIR_FN uint32_t rwlock_read(volatile WEIR_GLOBAL uint32_t *under, uint32_t hold)
{
	uint32_t value = under[0];
	uint32_t errors = 0;

	weir_pause(hold);
	for (uint32_t i = 1; i < RWLOCK_WIDTH; i++)
		errors += under[i] != value;
	return errors;
}

/* The same, and then adds 1 to each. */
WEIR_FN uint32_t rwlock_write(volatile WEIR_GLOBAL uint32_t *under, uint32_t hold)
{
	uint32_t errors = rwlock_read(under, 0);
	uint32_t value = under[0];

	under[0] = value + 1;
	weir_pause(hold);
	for (uint32_t i = 1; i < RWLOCK_WIDTH; i++)
		under[i] = value + 1;
	return errors;
}

/* Locks in one of the ways: without a deadline, by a try, or with a random deadline below `length`
 * nanoseconds. */
WEIR_FN int rwlock_locks(weir_rwlock l, uint32_t way, uint32_t random, uint32_t length)
{
	int writes = way < RWLOCK_WRITES;

	if (way % 4 == 1)
		return (writes ? weir_rwlock_try_write_lock(l) : weir_rwlock_try_read_lock(l)) ==
		       WEIR_OK;
#if WEIR_HAS_DEADLINE
	if (length != 0 && way % 4 >= 2)
		return (writes ? weir_rwlock_write_lock_for(l, random % length)
		               : weir_rwlock_read_lock_for(l, random % length)) == WEIR_OK;
#endif
	if (writes)
		weir_rwlock_write_lock(l);
	else
		weir_rwlock_read_lock(l);
	return 1;
}

/* Uses the lock. The first ways write, and way 0 then reads. */
WEIR_FN uint32_t rwlock_visit(weir_rwlock l, volatile WEIR_GLOBAL uint32_t *under, uint32_t way,
                              harness_params params)
{
	uint32_t errors, value;

	if (way >= RWLOCK_WRITES) {
		errors = rwlock_read(under, params.hold);
		if (!params.without)
			weir_rwlock_read_unlock(l);
		return errors;
	}
	errors = rwlock_write(under, params.hold);
	value = under[0];
	if (params.without)
		return errors;
	if (way == 0) {
		weir_rwlock_downgrade(l);
		errors += rwlock_read(under, params.hold) + (under[0] != value);
		weir_rwlock_read_unlock(l);
	} else {
		weir_rwlock_write_unlock(l);
	}
	return errors;
}

/* Readers and writers, in random order. */
WEIR_KERNEL(rwlock_mix, harness_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config.rwlock);
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;
	uint32_t written = 0;

	if (weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t way;

		random = harness_shuffle(random);
		way = (random >> 8) % RWLOCK_WAYS;
		if (!params.without && !rwlock_locks(l, way, random >> 4, params.length))
			continue;
		written += way < RWLOCK_WRITES;
		errors += rwlock_visit(l, data + HARNESS_DATA, way, params);
	}
	data[RWLOCK_OWN + weir_block_id()] += written;
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* All threads of each block: each reads a word written by another thread, and writes its own.
 * `without` is a constant in each kernel: PoCL 3.1 miscompiles block syncs inside a condition. */
WEIR_FN void rwlock_together(weir_rwlock l, WEIR_GLOBAL uint32_t *data, harness_params params,
                             int without)
{
	WEIR_GLOBAL uint32_t *under = data + HARNESS_DATA;
	uint32_t threads = weir_thread_count();
	uint32_t me = weir_thread_id();
	uint32_t random = harness_seed(params);
	uint32_t errors = 0;

	for (uint32_t i = 0; i < params.rounds; i++) {
		uint32_t mine;

		random = harness_shuffle(random);
		if (!without)
			weir_rwlock_block_read_lock(l);
		mine = under[me];
		weir_pause(params.hold);
		errors += under[(me + 1) % threads] != mine;
		if (!without)
			weir_rwlock_block_read_unlock(l);
		else
			weir_block_sync();
		if (!without)
			weir_rwlock_block_write_lock(l);
		mine = under[me];
		errors += under[(me + 1) % threads] != mine;
		weir_pause(params.hold);
		weir_block_sync(); /* all threads have read before one writes */
		under[me] = mine + 1;
		if (!without)
			weir_rwlock_block_downgrade(l);
		else
			weir_block_sync();
		errors += under[(me + 1) % threads] != mine + 1;
		if (!without)
			weir_rwlock_block_read_unlock(l);
		else
			weir_block_sync();
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

WEIR_KERNEL(rwlock_collective, harness_params)
{
	rwlock_together(weir_rwlock_make(words, params.config.rwlock), data, params, 0);
}

WEIR_KERNEL(rwlock_collective_without, harness_params)
{
	rwlock_together(weir_rwlock_make(words, params.config.rwlock), data, params, 1);
}

/* All blocks read at once: none unlocks before all are in. With `value` block 0 first writes, and lets
 * the others in by a downgrade. */
WEIR_KERNEL(rwlock_share, harness_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config.rwlock);
	WEIR_GLOBAL weir_word *in = words + params.second.object.offset;
	WEIR_GLOBAL weir_word *held = in + 1;

	if (weir_thread_id() != 0)
		return;
	if (params.value && weir_block_id() == 0) {
		weir_rwlock_write_lock(l);
		weir_store_rlx(held, 1); /* relaxed: the lock orders the data */
		rwlock_write(data + HARNESS_DATA, params.hold);
		weir_rwlock_downgrade(l);
	} else {
		if (params.value)
			weir_await_eq_acq(held, 1, weir_no_backoff());
		weir_rwlock_read_lock(l);
	}
	if (rwlock_read(data + HARNESS_DATA, 0) || data[HARNESS_DATA] != params.value)
		data[HARNESS_ERRORS] = 1;
	weir_add_rlx(in, 1); /* relaxed: a plain count */
	weir_await_eq_acq(in, weir_block_count(), weir_no_backoff());
	weir_rwlock_read_unlock(l);
}

/* Block 0 writes `rounds` times while all others keep reading; with `value`, it reads and they
 * write. The kernel ends only if block 0 is not shut out for ever. */
WEIR_KERNEL(rwlock_stream, harness_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config.rwlock);
	WEIR_GLOBAL weir_word *end = words + params.second.object.offset;
	int writes = (weir_block_id() == 0) != (params.value != 0);
	uint32_t way = writes ? RWLOCK_WRITES - 1 : RWLOCK_WAYS - 1;
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	uint32_t errors = 0;
	uint32_t done = 0;

	if (weir_thread_id() != 0)
		return;
	/* Relaxed: it carries no data. */
	while (weir_block_id() == 0 ? done < params.rounds : weir_load_rlx(end) == 0) {
		if (writes)
			weir_rwlock_write_lock(l);
		else
			weir_rwlock_read_lock(l);
		errors += rwlock_visit(l, data + HARNESS_DATA, way, params);
		done++;
		weir_wait_again(&wait);
	}
	weir_wait_end(&wait);
	if (weir_block_id() == 0)
		weir_store_rlx(end, 1); /* relaxed: as above */
	data[RWLOCK_OWN + weir_block_id()] = writes ? done : 0;
	if (errors)
		data[HARNESS_ERRORS] = errors;
}

/* The log of rwlock_phases: the entries in their order. */
WEIR_FN void rwlock_log(WEIR_GLOBAL weir_word *cursor, WEIR_GLOBAL uint32_t *data, uint32_t event)
{
	/* Relaxed: the lock or a stage orders the entries. */
	data[HARNESS_DATA + weir_add_rlx(cursor, 1)] = event;
}

/* Waits until the bits of a word under the mask are `value`; with `not`, until they are not. */
WEIR_FN void rwlock_await(WEIR_GLOBAL weir_word *word, uint32_t mask, uint32_t value, int not_it)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	/* Relaxed: it shows an arrival, and carries no data. */
	while (((weir_load_rlx(word) & mask) == value) == not_it)
		weir_wait_again(&wait);
	weir_wait_end(&wait);
}

/* The part of each block in rwlock_phases. With `value` 1 the second writer arrives before the first
 * has the lock, otherwise while it has the lock. */
WEIR_FN void rwlock_old_reader(weir_rwlock l, WEIR_GLOBAL weir_word *own,
                               WEIR_GLOBAL uint32_t *data, harness_params params)
{
	/* A writer shuts one count after the other. The new reader, block 0, has the first
	 * count. */
	WEIR_GLOBAL weir_word *in = weir_rwlock_in_(l, 0);
	uint32_t readers = weir_rwlock_count_(l) == 0 ? 2 : 1;

	weir_rwlock_read_lock(l);
	weir_store_rel(&own[1], 1);
	rwlock_await(in, WEIR_RWLOCK_MARK, 0, 1);
	weir_store_rel(&own[1], 2);
	rwlock_await(in, ~WEIR_RWLOCK_MARK, (params.base + readers) * WEIR_RWLOCK_READER, 0);
	if (params.value)
		rwlock_await(weir_rwlock_next_(l), 0xffffffffu, params.base + 2, 0);
	rwlock_log(own, data, RWLOCK_OLD_OUT);
	weir_rwlock_read_unlock(l);
}

WEIR_FN void rwlock_first_writer(weir_rwlock l, WEIR_GLOBAL weir_word *own,
                                 WEIR_GLOBAL uint32_t *data, harness_params params)
{
	weir_await_ge_acq(&own[1], 1, weir_no_backoff());
	weir_rwlock_write_lock(l);
	rwlock_log(own, data, RWLOCK_FIRST_IN);
	weir_store_rel(&own[1], 3);
	if (!params.value)
		rwlock_await(weir_rwlock_next_(l), 0xffffffffu, params.base + 2, 0);
	rwlock_log(own, data, RWLOCK_FIRST_OUT);
	weir_rwlock_write_unlock(l);
}

WEIR_FN void rwlock_new_reader(weir_rwlock l, WEIR_GLOBAL weir_word *own,
                               WEIR_GLOBAL uint32_t *data, harness_params params)
{
	weir_await_ge_acq(&own[1], 2, weir_no_backoff());
	if (weir_rwlock_try_read_lock(l) != WEIR_BUSY || weir_rwlock_try_write_lock(l) != WEIR_BUSY)
		data[HARNESS_ERRORS] = 1;
	weir_rwlock_read_lock(l);
	rwlock_log(own, data, RWLOCK_NEW_IN);
	weir_pause(params.hold);
	rwlock_log(own, data, RWLOCK_NEW_OUT);
	weir_rwlock_read_unlock(l);
}

/* Four blocks arrive at the lock in an order that its words show: a reader, a writer, a reader, a
 * writer. The log gives the order in which they get in. */
WEIR_KERNEL(rwlock_phases, harness_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config.rwlock);
	WEIR_GLOBAL weir_word *own = words + params.second.object.offset;

	if (weir_thread_id() != 0)
		return;
	if (weir_block_id() == 0)
		rwlock_new_reader(l, own, data, params);
	if (weir_block_id() == 1)
		rwlock_first_writer(l, own, data, params);
	if (weir_block_id() == 2)
		rwlock_old_reader(l, own, data, params);
	if (weir_block_id() == 3) {
		weir_await_ge_acq(&own[1], params.value ? 2 : 3, weir_no_backoff());
		weir_rwlock_write_lock(l);
		rwlock_log(own, data, RWLOCK_SECOND_IN);
		weir_rwlock_write_unlock(l);
	}
}

/* How many answers of a lock that one block reads are wrong. */
WEIR_FN uint32_t rwlock_while_read(weir_rwlock l)
{
	uint32_t errors = 0;

	errors += weir_rwlock_try_write_lock(l) != WEIR_BUSY;
	errors += weir_rwlock_try_read_lock(l) != WEIR_OK;
#if WEIR_HAS_DEADLINE
	errors += weir_rwlock_write_lock_for(l, 1000) != WEIR_TIMED_OUT;
	errors += weir_rwlock_read_lock_for(l, 0) != WEIR_OK;
	weir_rwlock_read_unlock(l);
#endif
	weir_rwlock_read_unlock(l);
	return errors;
}

/* The same while it writes. */
WEIR_FN uint32_t rwlock_while_written(weir_rwlock l)
{
	uint32_t errors = 0;

	errors += weir_rwlock_try_write_lock(l) != WEIR_BUSY;
	errors += weir_rwlock_try_read_lock(l) != WEIR_BUSY;
#if WEIR_HAS_DEADLINE
	errors += weir_rwlock_write_lock_for(l, 1000) != WEIR_TIMED_OUT;
	errors += weir_rwlock_read_lock_for(l, 1000) != WEIR_TIMED_OUT;
#endif
	return errors;
}

/* What is wrong with a free lock: readers that have not left, or a mark. */
WEIR_FN uint32_t rwlock_traces(weir_rwlock l)
{
	uint32_t errors = 0;

	/* Relaxed: only this thread uses it. */
	for (uint32_t i = 0; i >> l.config.bits == 0; i++)
		errors +=
		    weir_load_rlx(weir_rwlock_in_(l, i)) != weir_load_rlx(weir_rwlock_out_(l, i));
	return errors + (weir_load_rlx(weir_rwlock_turn_(l)) !=
	                 weir_rwlock_turn_of_(weir_load_rlx(weir_rwlock_next_(l)), 0));
}

/* A lone thread: the result of each operation, and that failed operations leave nothing behind. */
WEIR_KERNEL(rwlock_alone, harness_params)
{
	weir_rwlock l = weir_rwlock_make(words, params.config.rwlock);
	uint32_t errors = 0;

	if (weir_block_id() != 0 || weir_thread_id() != 0)
		return;
	for (uint32_t i = 0; i < params.rounds; i++) {
		weir_rwlock_read_lock(l);
		errors += rwlock_while_read(l);
		weir_rwlock_read_unlock(l);
		errors += rwlock_traces(l);
		weir_rwlock_write_lock(l);
		errors += rwlock_while_written(l);
		weir_rwlock_downgrade(l);
		errors += rwlock_while_read(l);
		weir_rwlock_read_unlock(l);
		errors += rwlock_traces(l);
		errors += weir_rwlock_try_write_lock(l) != WEIR_OK;
		errors += rwlock_while_written(l);
		weir_rwlock_write_unlock(l);
		errors += rwlock_traces(l);
	}
	if (errors)
		data[HARNESS_ERRORS] = errors;
}
