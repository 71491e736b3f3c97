/* The benchmarks of events. A kernel is a typical pattern between blocks, for one kind of event or
 * for the handle's kind. The data that blocks hand over are plain words: the host checks them after
 * the launch. */
#ifndef WEIR_BENCH_EVENTS_H
#define WEIR_BENCH_EVENTS_H

#include "bench_loop.h"

/* The words of a block's threads; `turn` is 0 or 1. */
WEIR_FN WEIR_GLOBAL uint32_t *bench_handed(WEIR_GLOBAL uint32_t *data, uint32_t block,
                                           uint32_t turn)
{
	uint32_t blocks = weir_block_count();

	return data + BENCH_HANDED(blocks) + (turn * blocks + block) * weir_thread_count() +
	       weir_thread_id();
}

/* The two words in which a block says, alternately, whether it is over. */
WEIR_FN WEIR_GLOBAL uint32_t *bench_over(WEIR_GLOBAL uint32_t *data, uint32_t block)
{
	return data + weir_block_count() * BENCH_BLOCK_WORDS + 2 * block;
}

/* A block and its neighbours in a ring. */
typedef struct bench_link {
	uint32_t first; /* of the ring */
	uint32_t before;
	uint32_t after;
} bench_link;

WEIR_FN bench_link bench_link_of(uint32_t ring)
{
	uint32_t me = weir_block_id();
	uint32_t blocks = weir_block_count();
	bench_link link;

	link.first = me - me % ring;
	uint32_t end = blocks - link.first < ring ? blocks : link.first + ring;
	link.before = me == link.first ? end - 1 : me - 1;
	link.after = me + 1 == end ? link.first : me + 1;
	return link;
}

/* Rings of params.ring blocks. A block waits for its own event, which the previous block posts.
 * Then each thread adds 1 to what a thread there wrote. */
WEIR_FN void bench_event_ring(weir_event_array a, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	bench_link link = bench_link_of(params.ring);
	weir_event mine = weir_event_at(a, weir_block_id());
	weir_event next = weir_event_at(a, link.after);
	WEIR_GLOBAL uint32_t *from = bench_handed(data, link.before, 0);
	WEIR_GLOBAL uint32_t *to = bench_handed(data, weir_block_id(), 0);
	WEIR_GLOBAL uint32_t *over = bench_over(data, link.first);
	int is_first = weir_block_id() == link.first;
	uint32_t done = 0;
	uint32_t looked = 0;

	bench_meet(data, params);
	/* The count of all events of the ring before this launch: no block posts the first event
	 * before this block has handed over. */
	uint32_t target = weir_event_count(weir_event_at(a, link.first)) + (is_first ? 0 : 1);
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		int looks = bench_looks(++done);
		weir_event_block_wait(mine, target++);
		*to = *from + 1;
		if (looks && is_first && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		weir_event_block_post(next, 1);
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* One event for all blocks: each waits for its turn, as in ordered output. */
WEIR_FN void bench_event_sequence(weir_event_array a, WEIR_GLOBAL uint32_t *data,
                                  bench_params params)
{
	weir_event e = weir_event_at(a, 0);
	bench_link link = bench_link_of(weir_block_count());
	WEIR_GLOBAL uint32_t *from = bench_handed(data, link.before, 0);
	WEIR_GLOBAL uint32_t *to = bench_handed(data, weir_block_id(), 0);
	WEIR_GLOBAL uint32_t *over = bench_over(data, 0);
	uint32_t target = params.begin * weir_block_count() + weir_block_id();
	uint32_t done = 0;
	uint32_t looked = 0;

	bench_meet(data, params);
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		int looks = bench_looks(++done);
		weir_event_block_wait(e, target);
		target += weir_block_count();
		*to = *from + 1;
		if (looks && weir_block_id() == 0 && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		weir_event_block_post(e, 1);
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* A block arrives, as arrival number `target` of all blocks. Then the last block, or block 0 if the
 * kind cannot tell which is last, tells all. */
WEIR_FN void bench_event_come(weir_event in, weir_event out, uint32_t target)
{
	if (in.config.kind == WEIR_EVENT_SHARDS) {
		weir_event_block_post(in, 1);
		if (weir_block_id() != 0)
			return;
		weir_event_block_wait(in, target);
		weir_event_block_post(out, 1);
		return;
	}
	weir_block_sync(); /* the block's writes precede the leader's release */
	if (weir_thread_id() == 0 && weir_event_signal(in, 1) + 1 == target)
		weir_event_post(out, 1);
}

/* All blocks signal one event, and one block signals another one that all wait for. In rounds that
 * check the clock, each thread adds 1 to what the next block wrote at the last check. */
WEIR_FN void bench_event_meet(weir_event in, weir_event out, WEIR_GLOBAL uint32_t *data,
                              bench_params params)
{
	bench_link link = bench_link_of(weir_block_count());
	WEIR_GLOBAL uint32_t *over = bench_over(data, 0);
	uint32_t done = 0;
	uint32_t looked = 0;

	bench_meet(data, params);
	/* No block signals it before this block has arrived. */
	uint32_t target = weir_event_count(out);
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		int looks = bench_looks(++done);
		if (looks)
			*bench_handed(data, weir_block_id(), looked & 1) =
			    looked ? *bench_handed(data, link.after, ~looked & 1) + 1 : 1;
		if (looks && weir_block_id() == 0 && weir_thread_id() == 0)
			over[looked & 1] = (uint32_t)bench_expired(begin, params);
		target++;
		bench_event_come(in, out, target * weir_block_count());
		weir_event_block_wait(out, target);
		if (looks && over[looked++ & 1])
			break;
	}
	if (weir_thread_id() == 0)
		bench_leave(data, done, begin);
}

/* Every block posts its own event, for which no block waits. The host checks its count. */
WEIR_FN void bench_event_post(weir_event_array a, WEIR_GLOBAL uint32_t *data, bench_params params)
{
	weir_event e = weir_event_at(a, weir_block_id());
	uint32_t done = 0;

	bench_meet(data, params);
	if (weir_thread_id() != 0)
		return;
	uint32_t before = weir_event_count(e);
	uint64_t begin = bench_now();
	while (done < params.rounds) {
		weir_event_post(e, 1);
		done++;
		if (bench_looks(done) && bench_expired(begin, params))
			break;
	}
	bench_leave(data, done, begin);
	*bench_handed(data, weir_block_id(), 0) = weir_event_count(e) - before;
}

/* The kernels of a kind, or of the kinds in the handles. A constant kind is known to the
 * compiler. */
#define EVENT_BENCH(suffix, own, in_kind, out_kind)                                                \
	WEIR_KERNEL(event_ring##suffix, bench_params)                                              \
	{                                                                                          \
		KERNEL_HANDLE(weir_event_array, a, words, params.config.event_array);              \
		a.config.kind = own;                                                               \
		bench_event_ring(a, data, params);                                                 \
	}                                                                                          \
	WEIR_KERNEL(event_sequence##suffix, bench_params)                                          \
	{                                                                                          \
		KERNEL_HANDLE(weir_event_array, a, words, params.config.event_array);              \
		a.config.kind = own;                                                               \
		bench_event_sequence(a, data, params);                                             \
	}                                                                                          \
	WEIR_KERNEL(event_meet##suffix, bench_params)                                              \
	{                                                                                          \
		KERNEL_HANDLE(weir_event_array, in, words, params.config.event_array);             \
		weir_event_array out =                                                             \
		    weir_event_array_make(words + params.second_at, params.second);                \
		in.config.kind = in_kind;                                                          \
		out.config.kind = out_kind;                                                        \
		bench_event_meet(weir_event_at(in, 0), weir_event_at(out, 0), data, params);       \
	}                                                                                          \
	WEIR_KERNEL(event_post##suffix, bench_params)                                              \
	{                                                                                          \
		KERNEL_HANDLE(weir_event_array, a, words, params.config.event_array);              \
		a.config.kind = own;                                                               \
		bench_event_post(a, data, params);                                                 \
	}

/* The rows for weir_program_text on the host machine. */
#define EVENT_ENTRIES(suffix)                                                                      \
	{"event_ring" #suffix, event_ring##suffix##_entry},                                        \
	    {"event_sequence" #suffix, event_sequence##suffix##_entry},                            \
	    {"event_meet" #suffix, event_meet##suffix##_entry},                                    \
	    {"event_post" #suffix, event_post##suffix##_entry},

#endif
