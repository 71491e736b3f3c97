/* The search of search.h without meetings: a queue holds the open vertices, whose edges some block
 * must still follow.
 *
 *   data   after the targets: `pending`, a word; and on machines without shared memory, a list for each of
 *          SEARCH_BLOCKS blocks: its length, and SEARCH_KEPT vertices
 *
 * A vertex becomes open when a block finds a shorter path to it. Blocks do not find paths in the order
 * of their lengths, but the last one that they find is the shortest. During the search, the word of a
 * vertex is twice its level, plus 1 while it is open: in the queue or in a block's list. So it is there
 * at most once at a time, and the queue has room for all vertices.
 *
 * A block follows the edges of as many vertices at once as it has threads. It keeps the vertices that
 * it opens, if they are no more than its threads; otherwise it pushes all of them. So the queue costs
 * nothing along a path, and blocks share the work where there is more than enough.
 *
 * `pending` counts the vertices that were pushed, and those that were popped by blocks that still have
 * vertices. The block that makes it 0 closes the queue. Then all blocks turn the words into levels. */
#ifndef WEIR_REAL_SEARCH_QUEUE_H
#define WEIR_REAL_SEARCH_QUEUE_H

#include "locks.h"
#include "search.h"
#include "sizes.h"

#if WEIR_HAS_TEAMS && WEIR_HAS_BLOCK_VALUE

typedef struct search_state {
	uint32_t vertices;
	/* All accesses are relaxed: only the word of a vertex changes. */
	WEIR_GLOBAL weir_word *levels;
	WEIR_GLOBAL const uint32_t *begin, *targets;
	WEIR_GLOBAL weir_word *pending;
	weir_queue queue;
} search_state;

WEIR_FN search_state search_state_at(weir_queue queue, WEIR_GLOBAL uint32_t *data,
                                     real_params params)
{
	search_state s;

	s.vertices = params.size[0];
	s.levels = search_levels(data);
	s.begin = data + 1 + s.vertices;
	s.targets = s.begin + s.vertices + 1;
	s.pending = (WEIR_GLOBAL weir_word *)data + 2 + (2 + params.size[1]) * s.vertices;
	s.queue = queue;
	return s;
}

/* The block's list of vertices that it has opened. Each machine implements these functions.
 * Syncs of the block separate the three uses.
 *
 *   search_list_begin    one thread empties it.
 *   search_list_add      Any thread adds a vertex. Returns 0 when the list is full.
 *   search_list_length   Any thread reads the length.
 *   search_list_at       Any thread reads an element. */
#ifdef __CUDACC__

#define SEARCH_LIST 3072

typedef struct search_list {
	uint32_t length;
	uint32_t vertices[SEARCH_LIST];
} search_list;

WEIR_FN search_list *search_list_of(search_state s)
{
	__shared__ search_list list;

	(void)s;
	return &list;
}

WEIR_FN void search_list_begin(search_state s)
{
	search_list_of(s)->length = 0;
}

WEIR_FN int search_list_add(search_state s, uint32_t vertex)
{
	uint32_t at = atomicAdd(&search_list_of(s)->length, 1u);

	if (at >= SEARCH_LIST)
		return 0;
	search_list_of(s)->vertices[at] = vertex;
	return 1;
}

WEIR_FN uint32_t search_list_length(search_state s)
{
	uint32_t length = search_list_of(s)->length;

	return length < SEARCH_LIST ? length : SEARCH_LIST;
}

WEIR_FN uint32_t search_list_at(search_state s, uint32_t i)
{
	return search_list_of(s)->vertices[i];
}

#else

/* All accesses are relaxed: syncs of the block order them. */
WEIR_FN weir_word *search_list_of(search_state s)
{
	return s.pending + 1 + weir_block_id() * (1 + SEARCH_KEPT);
}

WEIR_FN void search_list_begin(search_state s)
{
	weir_store_rlx(search_list_of(s), 0);
}

WEIR_FN int search_list_add(search_state s, uint32_t vertex)
{
	uint32_t at = weir_add_rlx(search_list_of(s), 1);

	if (at >= SEARCH_KEPT)
		return 0;
	weir_store_rlx(search_list_of(s) + 1 + at, vertex);
	return 1;
}

WEIR_FN uint32_t search_list_length(search_state s)
{
	uint32_t length = weir_load_rlx(search_list_of(s));

	return length < SEARCH_KEPT ? length : SEARCH_KEPT;
}

WEIR_FN uint32_t search_list_at(search_state s, uint32_t i)
{
	return weir_load_rlx(search_list_of(s) + 1 + i);
}

#endif

/* REAL_LEFT_OUT replaces weir's queue by one without synchronization, and does not wait. */
#ifdef REAL_LEFT_OUT

static struct {
	uint32_t head, tail;
	uint32_t vertices[1024];
} search_left_out;

WEIR_FN uint32_t search_pop(search_state s, uint32_t *vertex)
{
	uint32_t at = search_left_out.head;

	(void)s;
	if (at == search_left_out.tail)
		return 0;
	*vertex = search_left_out.vertices[at % 1024];
	REAL_INSIDE();
	search_left_out.head = at + 1;
	return 1;
}

WEIR_FN void search_push(search_state s, uint32_t vertex)
{
	uint32_t at = search_left_out.tail;

	(void)s;
	search_left_out.vertices[at % 1024] = vertex;
	REAL_INSIDE();
	search_left_out.tail = at + 1;
}

WEIR_FN void search_push_n(search_state s, uint32_t n, uint32_t vertex)
{
	(void)n;
	search_push(s, vertex);
}

WEIR_FN void search_end(search_state s, uint32_t owed)
{
	(void)s;
	(void)owed;
}

WEIR_FN void search_leave(search_state s)
{
	(void)s;
}

#else

WEIR_FN uint32_t search_pop(search_state s, uint32_t *vertex)
{
	return weir_queue_block_pop_some(s.queue, weir_thread_count(), vertex, 1);
}

WEIR_FN void search_push(search_state s, uint32_t vertex)
{
	(void)weir_queue_push(s.queue, vertex);
}

WEIR_FN void search_push_n(search_state s, uint32_t n, uint32_t vertex)
{
	(void)weir_queue_block_push_n(s.queue, n, &vertex, 1);
}

/* The block has followed everything it popped and kept; one thread calls it. */
WEIR_FN void search_end(search_state s, uint32_t owed)
{
	/* Pairs with the same add by other blocks, in both directions: the block that closes the
	 * queue knows the paths of all of them. */
	if (weir_add_acq_rel(s.pending, 0u - owed) == owed)
		weir_queue_close(s.queue);
}

WEIR_FN void search_leave(search_state s)
{
	(void)weir_queue_block_leave(s.queue);
}

#endif

/* Records a path of `level` edges. Returns 1 if it is the shortest and the vertex was not open. */
WEIR_FN int search_note(WEIR_GLOBAL weir_word *word, uint32_t level, uint32_t seen)
{
	while (seen >> 1 > level) {
		uint32_t found = weir_cas_rlx(word, seen, level << 1 | 1);

		if (found == seen)
			return seen == SEARCH_NEVER || (seen & 1) == 0;
		seen = found;
	}
	return 0;
}

/* Follows the edges of a vertex; one thread. `few`: the block has few vertices, so it guesses that
 * a target is new and does a compare-and-swap without a load first. */
WEIR_FN void search_follow(search_state s, uint32_t vertex, int few)
{
	uint32_t edge = s.begin[vertex], end = s.begin[vertex + 1];
	/* It is no longer open. */
	uint32_t level = (weir_add_rlx(s.levels + vertex, 0u - 1) >> 1) + 1;

	for (; edge < end; edge++) {
		uint32_t target = s.targets[edge];
		WEIR_GLOBAL weir_word *word = s.levels + target;

		if (!search_note(word, level, few ? SEARCH_NEVER : weir_load_rlx(word)) ||
		    search_list_add(s, target))
			continue;
		/* Relaxed: the block still owes the vertex that it follows. */
		weir_red_add_rlx(s.pending, 1);
		search_push(s, target);
	}
}

/* Pushes the block's list; all threads call it. */
WEIR_FN void search_share(search_state s, uint32_t count, uint32_t owed)
{
	uint32_t threads = weir_thread_count(), thread = weir_thread_id();

	/* Relaxed: `pending` cannot become 0, because the list is not yet pushed. The push releases
	 * the block's paths, and the block that pops the list ends after that. */
	if (thread == 0)
		weir_red_add_rlx(s.pending, count - owed);
	for (uint32_t first = 0; first < count; first += threads) {
		uint32_t n = count - first < threads ? count - first : threads;

		search_push_n(s, n, thread < n ? search_list_at(s, first + thread) : 0);
	}
}

/* A block's part of following all edges. */
WEIR_FN void search_all(search_state s)
{
	uint32_t thread = weir_thread_id(), threads = weir_thread_count();
	uint32_t vertex = 0, owed = 0, count = 0;

	if (weir_block_id() == 0) {
		owed = 1; /* as counted in `pending` */
		count = 1;
		if (thread == 0)
			weir_store_rlx(s.levels, 1);
	}
	for (;;) {
		if (count == 0) {
			if (owed != 0 && thread == 0)
				search_end(s, owed);
			owed = count = search_pop(s, &vertex);
			if (count == 0)
				return;
		}
		if (thread == 0)
			search_list_begin(s);
		weir_block_sync(); /* the list is empty */
		if (thread < count)
			search_follow(s, vertex, count <= 32);
		weir_block_sync(); /* the list is complete */
		count = search_list_length(s);
		if (count > threads) {
			search_share(s, count, owed);
			owed = count = 0;
		} else if (thread < count) {
			vertex = search_list_at(s, thread);
		}
		weir_block_sync(); /* all have read the list */
	}
}

/* Turns the words into levels, after the close of the queue. */
WEIR_FN void search_finish(search_state s, WEIR_GLOBAL uint32_t *data)
{
	WEIR_GLOBAL weir_word *word = search_deepest(data);
	uint32_t deepest = 0, seen;

	for (uint32_t i = real_thread(); i < s.vertices; i += real_threads()) {
		uint32_t level = weir_load_rlx(s.levels + i);

		if (level == SEARCH_NEVER)
			continue;
		weir_store_rlx(s.levels + i, level >> 1);
		deepest = deepest < level >> 1 ? level >> 1 : deepest;
	}
	/* Relaxed: the next launch is ordered after this one. */
	seen = weir_load_rlx(word);
	while (seen < deepest) {
		uint32_t found = weir_cas_rlx(word, seen, deepest);

		seen = found == seen ? deepest : found;
	}
}

WEIR_KERNEL_BOUNDED(search_queue, real_params, 1024, 2)
{
	KERNEL_HANDLE(weir_queue, queue, words, params.config.queue);
	search_state s = search_state_at(queue, data, params);

	search_all(s);
	search_finish(s, data);
	search_leave(s);
}

#endif

#endif
