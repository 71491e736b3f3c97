/* The benchmarks of reader-writer locks, conditions, onces and combiners. The blocks work on plain
 * words of the critical section and report their operations to the host, which compares the two.
 *
 * The loops are macros, so that bench/peers can use them with other locks. */
#ifndef WEIR_BENCH_LOCKS_H
#define WEIR_BENCH_LOCKS_H

#include "bench_queues.h"
#include "kernel.h"

/* The words of the critical section. */
WEIR_FN WEIR_GLOBAL uint32_t *bench_section(WEIR_GLOBAL uint32_t *data)
{
	return data + BENCH_SECTION(weir_block_count());
}

/* A writer changes two words, which readers must find equal. */
WEIR_FN void bench_write(WEIR_GLOBAL uint32_t *section)
{
	section[BENCH_COUNT]++;
	section[BENCH_TWIN]++;
}

WEIR_FN uint32_t bench_is_torn(WEIR_GLOBAL uint32_t *section)
{
	return section[BENCH_COUNT] != section[BENCH_TWIN];
}

/* name_mixed: params.ring of ten operations, at random, are writes. name_writer: the first block
 * writes, and all others read until it or their own time ends. */
#define RWLOCK_BENCH(name, type, read_lock, read_unlock, write_lock, write_unlock)                 \
	WEIR_FN void name##_mixed(type l, WEIR_GLOBAL uint32_t *data, bench_params params)         \
	{                                                                                          \
		WEIR_GLOBAL uint32_t *section = bench_section(data);                               \
		uint32_t done = 0, writes = 0, torn = 0;                                           \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds) {                                                     \
			if (bench_random(done, 10) < params.ring) {                                \
				write_lock(l);                                                     \
				bench_write(section);                                              \
				write_unlock(l);                                                   \
				writes++;                                                          \
			} else {                                                                   \
				read_lock(l);                                                      \
				torn += bench_is_torn(section);                                    \
				read_unlock(l);                                                    \
			}                                                                          \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		bench_tell(data, params, writes, torn, 0);                                         \
		bench_leave(data, done, begin);                                                    \
	}                                                                                          \
	WEIR_FN void name##_writer(type l, WEIR_GLOBAL uint32_t *data, bench_params params)        \
	{                                                                                          \
		WEIR_GLOBAL uint32_t *section = bench_section(data);                               \
		int is_writer = weir_block_id() == 0;                                              \
		uint32_t done = 0, torn = 0, is_over = 0;                                          \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (is_writer && !is_over) {                                                    \
			done++;                                                                    \
			is_over = done == params.rounds ||                                         \
			          (bench_looks(done) && bench_expired(begin, params));             \
			write_lock(l);                                                             \
			bench_write(section);                                                      \
			section[BENCH_OVER] = params.begin + is_over;                              \
			write_unlock(l);                                                           \
		}                                                                                  \
		while (!is_over) {                                                                 \
			read_lock(l);                                                              \
			torn += bench_is_torn(section);                                            \
			is_over = section[BENCH_OVER] == params.begin + 1;                         \
			read_unlock(l);                                                            \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		bench_tell(data, params, is_writer ? done : 0, torn, 0);                           \
		bench_leave(data, done, begin);                                                    \
	}

RWLOCK_BENCH(bench_rwlock, weir_rwlock, weir_rwlock_read_lock, weir_rwlock_read_unlock,
             weir_rwlock_write_lock, weir_rwlock_write_unlock)

WEIR_KERNEL(rwlock_mixed, bench_params)
{
	KERNEL_HANDLE(weir_rwlock, l, words, params.config.rwlock);
	bench_rwlock_mixed(l, data, params);
}

WEIR_KERNEL(rwlock_writer, bench_params)
{
	KERNEL_HANDLE(weir_rwlock, l, words, params.config.rwlock);
	bench_rwlock_writer(l, data, params);
}

/* name_buffer: a buffer of a few items. The first params.ring blocks put items in, the others take
 * them out. name_broadcast: all blocks arrive, and the last one wakes the others. */
#define CONDITION_BENCH(name, type, wait_until, signal, broadcast)                                 \
	WEIR_FN void name##_put(type full, type empty, weir_mutex m,                               \
	                        WEIR_GLOBAL uint32_t *section, uint32_t item)                      \
	{                                                                                          \
		(void)full;                                                                        \
		weir_mutex_lock(m);                                                                \
		wait_until(full, m, section[BENCH_PUT] - section[BENCH_TAKEN] != BENCH_ITEMS);     \
		section[BENCH_ITEM + section[BENCH_PUT]++ % BENCH_ITEMS] = item;                   \
		signal(empty);                                                                     \
		weir_mutex_unlock(m);                                                              \
	}                                                                                          \
	/* Returns 0 when the buffer is empty and all have ended. */                               \
	WEIR_FN int name##_take(type full, type empty, weir_mutex m,                               \
	                        WEIR_GLOBAL uint32_t *section, uint32_t ended, uint32_t *sum)      \
	{                                                                                          \
		int has = 0;                                                                       \
                                                                                                   \
		(void)empty;                                                                       \
		weir_mutex_lock(m);                                                                \
		wait_until(empty, m,                                                               \
		           section[BENCH_PUT] != section[BENCH_TAKEN] ||                           \
		               section[BENCH_ENDED] == ended);                                     \
		if (section[BENCH_PUT] != section[BENCH_TAKEN]) {                                  \
			*sum += section[BENCH_ITEM + section[BENCH_TAKEN]++ % BENCH_ITEMS];        \
			signal(full);                                                              \
			has = 1;                                                                   \
		}                                                                                  \
		weir_mutex_unlock(m);                                                              \
		return has;                                                                        \
	}                                                                                          \
	WEIR_FN void name##_buffer(type full, type empty, weir_mutex m,                            \
	                           WEIR_GLOBAL uint32_t *data, bench_params params)                \
	{                                                                                          \
		WEIR_GLOBAL uint32_t *section = bench_section(data);                               \
		/* In this launch and earlier ones. */                                             \
		uint32_t ended = (params.begin + 1) * params.ring;                                 \
		int puts = weir_block_id() < params.ring;                                          \
		uint32_t next = bench_user(params);                                                \
		uint32_t done = 0, sum = 0;                                                        \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (puts && done < params.rounds) {                                             \
			name##_put(full, empty, m, section, next);                                 \
			next += bench_users(params);                                               \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		while (!puts && name##_take(full, empty, m, section, ended, &sum))                 \
			done++;                                                                    \
		bench_tell(data, params, puts ? done : 0, puts ? 0 : done, sum);                   \
		bench_leave(data, done, begin);                                                    \
		if (puts) {                                                                        \
			weir_mutex_lock(m);                                                        \
			section[BENCH_ENDED]++;                                                    \
			broadcast(empty);                                                          \
			weir_mutex_unlock(m);                                                      \
		}                                                                                  \
	}                                                                                          \
	WEIR_FN void name##_broadcast(type c, weir_mutex m, WEIR_GLOBAL uint32_t *data,            \
	                              bench_params params)                                         \
	{                                                                                          \
		WEIR_GLOBAL uint32_t *section = bench_section(data);                               \
		uint32_t done = 0, is_over = 0;                                                    \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds && !is_over) {                                         \
			weir_mutex_lock(m);                                                        \
			uint32_t round = section[BENCH_COUNT];                                     \
			done++;                                                                    \
			if (++section[BENCH_CAME] == weir_block_count()) {                         \
				section[BENCH_CAME] = 0;                                           \
				section[BENCH_COUNT] = round + 1;                                  \
				section[BENCH_OVER] =                                              \
				    bench_looks(done) && bench_expired(begin, params);             \
				broadcast(c);                                                      \
			} else {                                                                   \
				wait_until(c, m, section[BENCH_COUNT] != round);                   \
			}                                                                          \
			is_over = section[BENCH_OVER];                                             \
			weir_mutex_unlock(m);                                                      \
		}                                                                                  \
		bench_tell(data, params, done, 0, 0);                                              \
		bench_leave(data, done, begin);                                                    \
	}

CONDITION_BENCH(bench_condition, weir_condition, weir_condition_wait_until, weir_condition_signal,
                weir_condition_broadcast)

WEIR_KERNEL(condition_buffer, bench_params)
{
	KERNEL_HANDLE(weir_condition, full, words, params.config.condition);
	bench_condition_buffer(
	    full, weir_condition_make(words + params.second_at, params.second_condition),
	    weir_mutex_make(words + params.mutex_at, params.mutex), data, params);
}

WEIR_KERNEL(condition_broadcast, bench_params)
{
	KERNEL_HANDLE(weir_condition, c, words, params.config.condition);
	bench_condition_broadcast(c, weir_mutex_make(words + params.mutex_at, params.mutex), data,
	                          params);
}

/* Each round asks whether it is done, then reads what was initialized. */
#define ONCE_BENCH(name, type, once_begin, once_end)                                               \
	WEIR_FN void name##_done(type o, WEIR_GLOBAL uint32_t *data, bench_params params)          \
	{                                                                                          \
		WEIR_GLOBAL uint32_t *section = bench_section(data);                               \
		uint32_t done = 0, made = 0, sum = 0;                                              \
                                                                                                   \
		bench_meet(data, params);                                                          \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds) {                                                     \
			if (once_begin(o)) {                                                       \
				section[BENCH_COUNT] = BENCH_MADE;                                 \
				made++;                                                            \
				once_end(o);                                                       \
			}                                                                          \
			sum += section[BENCH_COUNT];                                               \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		bench_tell(data, params, done, made, sum);                                         \
		bench_leave(data, done, begin);                                                    \
	}

ONCE_BENCH(bench_once, weir_once, weir_once_begin, weir_once_end)

WEIR_KERNEL(once_done, bench_params)
{
	KERNEL_HANDLE(weir_once, o, words, params.config.once);
	bench_once_done(o, data, params);
}

/* Counts operations: their number, and a hash of them in order. */
typedef struct bench_tally {
	uint32_t count;
	uint32_t hash;
} bench_tally;

/* What operation number `count` adds to the hash. */
WEIR_FN uint32_t bench_hash(uint32_t operation, uint32_t count)
{
	uint32_t x = operation ^ count * 0x9e3779b9u;

	x = (x ^ (x >> 15)) * 0x2c1b3c6du;
	return x ^ (x >> 12);
}

/* One operation. Returns its number. */
WEIR_FN uint32_t bench_count(bench_tally *tally, uint32_t operation)
{
	uint32_t count = tally->count++;

	tally->hash += bench_hash(operation, count);
	return count;
}

WEIR_FN bench_tally bench_tally_of(WEIR_GLOBAL uint32_t *section)
{
	bench_tally tally;

	tally.count = section[BENCH_COUNT];
	tally.hash = section[BENCH_TWIN];
	return tally;
}

WEIR_FN void bench_keep(WEIR_GLOBAL uint32_t *section, bench_tally tally)
{
	section[BENCH_COUNT] = tally.count;
	section[BENCH_TWIN] = tally.hash;
}

/* The operations of a block in a critical section under a lock. */
#define SECTION_BENCH(name, type, lock, unlock)                                                    \
	WEIR_FN void name##_section(type l, WEIR_GLOBAL uint32_t *data, bench_params params)       \
	{                                                                                          \
		WEIR_GLOBAL uint32_t *section = bench_section(data);                               \
		uint32_t next = bench_user(params);                                                \
		uint32_t done = 0, sum = 0, hash = 0;                                              \
                                                                                                   \
		if (weir_thread_id() != 0)                                                         \
			return;                                                                    \
		uint64_t begin = bench_now();                                                      \
		while (done < params.rounds) {                                                     \
			lock(l);                                                                   \
			bench_tally tally = bench_tally_of(section);                               \
			uint32_t count = bench_count(&tally, next);                                \
			bench_keep(section, tally);                                                \
			unlock(l);                                                                 \
			sum += count;                                                              \
			hash += bench_hash(next, count);                                           \
			next += bench_users(params);                                               \
			done++;                                                                    \
			if (bench_looks(done) && bench_expired(begin, params))                     \
				break;                                                             \
		}                                                                                  \
		bench_tell(data, params, done, sum, hash);                                         \
		bench_leave(data, done, begin);                                                    \
	}

#if WEIR_HAS_WORD64

/* Performs the published operations, one after another. */
WEIR_FN void bench_do(weir_combiner c, weir_combiner_call *call, bench_tally *tally)
{
	while (weir_combiner_next(c, call))
		WEIR_COMBINER_EACH (i, call)
			weir_combiner_answer(call, i,
			                     bench_count(tally, weir_combiner_operation(call, i)));
}

WEIR_FN uint32_t bench_combined(weir_combiner c, WEIR_GLOBAL uint32_t *section, uint32_t operation)
{
	weir_combiner_call call = weir_combiner_publish(c, operation);

	while (weir_combiner_wait(c, &call)) {
		bench_tally tally = bench_tally_of(section);
		bench_do(c, &call, &tally);
		if (weir_thread_id() == 0)
			bench_keep(section, tally);
		weir_combiner_release(c, &call);
	}
	return weir_combiner_result(&call);
}

/* The first threads of a block call it. */
WEIR_FN void bench_combine(weir_combiner c, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	uint32_t next = bench_user(params) - weir_thread_id();
	uint32_t done = 0, sum = 0, hash = 0;
	uint64_t begin = bench_now();

	while (done < params.rounds) {
		uint32_t count = bench_combined(c, bench_section(data), next);
		sum += count;
		hash += bench_hash(next, count);
		next += bench_users(params);
		done++;
		if (bench_looks(done) &&
		    weir_first_get((uint32_t)bench_expired(begin, params), 0) != 0)
			break;
	}
	if (weir_thread_id() != 0)
		return;
	bench_tell(data, params, done, sum, hash);
	bench_leave(data, done, begin);
}

/* The first block serves until all others have left. */
WEIR_FN void bench_serve(weir_combiner c, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	WEIR_GLOBAL uint32_t *section = bench_section(data);
	uint64_t begin = bench_now();
	weir_combiner_call call;

	if (!weir_combiner_serve(c, &call))
		return;
	bench_tally tally = bench_tally_of(section);
	while (weir_combiner_serve_next(c, &call))
		bench_do(c, &call, &tally);
	if (weir_thread_id() == 0) {
		bench_keep(section, tally);
		bench_tell(data, params, 0, 0, 0);
		bench_leave(data, 0, begin);
	}
	weir_combiner_release(c, &call);
}

WEIR_KERNEL(combiner_combine, bench_params)
{
	KERNEL_HANDLE(weir_combiner, c, words, params.config.combiner);

	bench_meet(data, params);
	if (weir_is_first(weir_thread_id()))
		bench_combine(c, data, params);
}

WEIR_KERNEL(combiner_serve, bench_params)
{
	KERNEL_HANDLE(weir_combiner, c, words, params.config.combiner);

	bench_meet(data, params);
	if (!weir_is_first(weir_thread_id()))
		return;
	if (weir_block_id() == 0) {
		bench_serve(c, data, params);
		return;
	}
	bench_combine(c, data, params);
	if (weir_thread_id() == 0)
		weir_combiner_leave(c);
}

/* The rows for weir_program_text on the host machine. */
#define LOCK_ENTRIES                                                                               \
	{"rwlock_mixed", rwlock_mixed_entry}, {"rwlock_writer", rwlock_writer_entry},              \
	    {"condition_buffer", condition_buffer_entry},                                          \
	    {"condition_broadcast", condition_broadcast_entry}, {"once_done", once_done_entry},    \
	    {"combiner_combine", combiner_combine_entry},                                          \
	    {"combiner_serve", combiner_serve_entry},

#endif

#endif
