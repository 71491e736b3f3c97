/* The cases of the queues. */
#include "model/cases/cases.h"

#include "model/cases/blocks.h"
#include "model/engine.h"
#include "model/program.h"

#define MOST_ITEMS 14 /* each item below has a datum with its number */
#define CLOSED 14     /* the datum that is written before a close */
#define LEFT 15       /* the datum that block 0 writes before it leaves */
#define FILLING 100   /* items from here on have no datum */
#define MOST_WORDS 2

typedef struct queue_state {
	uint32_t pushed[MOST_ITEMS];
	uint32_t popped[MOST_ITEMS];
	/* For each thread, the next item that it may get from each producer. */
	uint32_t next[WEIR_MODEL_THREADS][WEIR_MODEL_THREADS];
	uint32_t last;                        /* how often a block was the last to leave */
	uint32_t refused[WEIR_MODEL_THREADS]; /* pushes of each block */
	uint32_t batch
	    [WEIR_MODEL_THREADS]; /* the number of items in each block's last operation that may
	                           * wait */
} queue_state;

static uint32_t queue_size(weir_any_config config)
{
	return (uint32_t)weir_queue_words(config.queue);
}

static void start_queue(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	weir_queue_start(weir_queue_make(words, config.queue), past);
}

#define ROW_(name, NAME, value, items, words)                                                      \
	{"queue",         #name,      value,       WEIR_FAIR, WEIR_QUEUE_NONE,                     \
	 WEIR_SHAPE_NONE, queue_size, start_queue, NULL,      NULL},

/* clang-format off */
static const weir_model_adapter kinds[] = {
	WEIR_QUEUE_KINDS(ROW_)
};
/* clang-format on */

static weir_queue queue(const weir_model_case_run *r)
{
	return weir_queue_make(r->words, r->config.queue);
}

/* ---- items ---- */

static void make_item(uint32_t number, uint32_t *item)
{
	item[0] = number + 1;
	item[1] = ~number;
}

static uint32_t number_of(const weir_model_case_run *r, const uint32_t *item)
{
	weir_model_check(r->config.queue.words == 1 || item[1] == 0u - item[0],
	                 "the words of an item are of two");
	return item[0] - 1;
}

/* Forms in which several blocks push, if there are more than two. */
#define PUSHED_BY_SEVERAL                                                                          \
	(WEIR_MODEL_FORM(SINGLE) | WEIR_MODEL_FORM(SEVERAL) | WEIR_MODEL_FORM(TRY) |               \
	 WEIR_MODEL_FORM(ENOUGH) | WEIR_MODEL_FORM(MIXED) | WEIR_MODEL_FORM(BATCHES) |             \
	 WEIR_MODEL_FORM(GREEDY))

static int several_push(const weir_model_case *c)
{
	return (c->blocks > 2 || c->form == WEIR_MODEL_ENOUGH) &&
	       (PUSHED_BY_SEVERAL >> c->form & 1);
}

/* Items of one producer have numbers in a row. */
static uint32_t producer_of(const weir_model_case_run *r, uint32_t number)
{
	return several_push(&r->c) ? number / r->c.rounds : 0;
}

static void note_push(const weir_model_case_run *r, uint32_t number)
{
	queue_state *state = r->state;

	state->pushed[number] = 1;
	weir_model_data_write(number);
}

static void note_refusal(const weir_model_case_run *r, uint32_t number)
{
	queue_state *state = r->state;

	state->pushed[number] = 0;
}

/* A block has popped the item, and sees what preceded its push. */
static void note_pop(const weir_model_case_run *r, uint32_t number)
{
	queue_state *state = r->state;
	uint32_t *next;

	weir_model_check(number < MOST_ITEMS && state->pushed[number],
	                 "an item is popped that no block pushed");
	weir_model_check(state->popped[number]++ == 0, "an item is popped twice");
	next = &state->next[weir_model_self()][producer_of(r, number)];
	weir_model_check(number >= *next, "two items of one producer are popped out of order");
	*next = number + 1;
	weir_model_data_read(number);
}

/* Counts a refused push and returns `result`. The push was by one thread, or by one that speaks for
 * all. */
static weir_status pushed(const weir_model_case_run *r, weir_status result)
{
	queue_state *state = r->state;

	state->refused[weir_block_id()] += result == WEIR_CLOSED;
	return result;
}

/* The calling block is about to push or pop `items` items. Returns `items`. */
static uint32_t moves(const weir_model_case_run *r, uint32_t items)
{
	queue_state *state = r->state;

	state->batch[weir_block_id()] = items;
	return items;
}

/* The same for a pop of all available items, up to a number. Returns the number. */
static uint32_t moves_some(const weir_model_case_run *r, uint32_t most)
{
	moves(r, 1);
	return most;
}

/* ---- single pushes and pops ---- */

static weir_status push(const weir_model_case_run *r, uint32_t number)
{
	uint32_t item[MOST_WORDS];

	make_item(number, item);
	moves(r, 1);
	return pushed(r, r->config.queue.words == 1
	                     ? weir_queue_push(queue(r), item[0])
	                     : weir_queue_push_item(queue(r), item, MOST_WORDS));
}

static weir_status pop(const weir_model_case_run *r, uint32_t *number)
{
	uint32_t item[MOST_WORDS] = {0};
	weir_status result;

	moves(r, 1);
	result = r->config.queue.words == 1 ? weir_queue_pop(queue(r), item)
	                                    : weir_queue_pop_item(queue(r), item, MOST_WORDS);

	*number = result == WEIR_OK ? number_of(r, item) : MOST_ITEMS;
	return result;
}

static weir_status try_push(const weir_model_case_run *r, uint32_t number)
{
	uint32_t item[MOST_WORDS];

	make_item(number, item);
	return pushed(r, r->config.queue.words == 1
	                     ? weir_queue_try_push(queue(r), item[0])
	                     : weir_queue_try_push_item(queue(r), item, MOST_WORDS));
}

static weir_status try_pop(const weir_model_case_run *r, uint32_t *number)
{
	uint32_t item[MOST_WORDS] = {0};
	weir_status result = r->config.queue.words == 1
	                         ? weir_queue_try_pop(queue(r), item)
	                         : weir_queue_try_pop_item(queue(r), item, MOST_WORDS);

	*number = result == WEIR_OK ? number_of(r, item) : MOST_ITEMS;
	return result;
}

static weir_status push_for(const weir_model_case_run *r, uint32_t number)
{
	uint32_t item[MOST_WORDS];

	make_item(number, item);
	return pushed(r, r->config.queue.words == 1
	                     ? weir_queue_push_for(queue(r), item[0], 1)
	                     : weir_queue_push_item_for(queue(r), item, MOST_WORDS, 1));
}

static weir_status pop_for(const weir_model_case_run *r, uint32_t *number)
{
	uint32_t item[MOST_WORDS] = {0};
	weir_status result = r->config.queue.words == 1
	                         ? weir_queue_pop_for(queue(r), item, 1)
	                         : weir_queue_pop_item_for(queue(r), item, MOST_WORDS, 1);

	*number = result == WEIR_OK ? number_of(r, item) : MOST_ITEMS;
	return result;
}

static void push_all(const weir_model_case_run *r, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++) {
		note_push(r, i);
		if (push(r, i) != WEIR_OK)
			note_refusal(r, i);
	}
}

static void pop_some(const weir_model_case_run *r, uint32_t count)
{
	uint32_t number;

	for (uint32_t i = 0; i < count; i++) {
		weir_model_check(pop(r, &number) == WEIR_OK, "a pop of an open queue ends");
		note_pop(r, number);
	}
}

static void pop_until_end(const weir_model_case_run *r)
{
	uint32_t number;

	while (pop(r, &number) == WEIR_OK)
		note_pop(r, number);
}

/* ---- the forms ---- */

/* Block 0 pushes `rounds` items for each of the other blocks, which pop that many. */
static void handoff(const weir_model_case_run *r)
{
	if (weir_block_id() == 0)
		push_all(r, 0, r->c.rounds * (r->c.blocks - 1));
	else
		pop_some(r, r->c.rounds);
}

/* All others push `rounds` items each, and block 0 pops them. */
static void several(const weir_model_case_run *r)
{
	if (weir_block_id() == 0)
		pop_some(r, r->c.rounds * (r->c.blocks - 1));
	else
		push_all(r, (weir_block_id() - 1) * r->c.rounds, r->c.rounds);
}

/* Every second block pushes, and the next block pops the same number. */
static void pairs(const weir_model_case_run *r)
{
	if (weir_block_id() % 2 == 0)
		push_all(r, weir_block_id() / 2 * r->c.rounds, r->c.rounds);
	else
		pop_some(r, r->c.rounds);
}

/* No other block uses the queue: it accepts `items`, then as many more as there are free slots.
 * Then it is closed. */
static void check_bounds(const weir_model_case_run *r, uint32_t items)
{
	uint32_t capacity = weir_queue_capacity(queue(r));
	uint32_t number;

	weir_model_check(weir_queue_length(queue(r)) == items, "the queue has another length");
	for (uint32_t i = 0; i < items; i++) {
		weir_model_check(try_pop(r, &number) == WEIR_OK, "an item is lost");
		note_pop(r, number);
	}
	weir_model_check(try_pop(r, &number) == WEIR_BUSY, "a queue that is open has ended");
	for (uint32_t i = 0; i < capacity; i++)
		weir_model_check(try_push(r, FILLING + i) == WEIR_OK,
		                 "a queue is full that is not");
	weir_model_check(try_push(r, FILLING) == WEIR_BUSY &&
	                     weir_queue_length(queue(r)) == capacity,
	                 "a full queue is not full");
	weir_queue_close(queue(r));
	weir_model_check(try_push(r, FILLING) == WEIR_CLOSED &&
	                     weir_queue_length(queue(r)) == capacity,
	                 "a closed queue is not closed");
	for (uint32_t i = 0; i < capacity; i++)
		weir_model_check(try_pop(r, &number) == WEIR_OK && number == FILLING + i,
		                 "a closed queue loses an item");
	weir_model_check(try_pop(r, &number) == WEIR_CLOSED && weir_queue_length(queue(r)) == 0,
	                 "a queue that is closed and empty has not ended");
}

static uint32_t items_left(const weir_model_case_run *r)
{
	const queue_state *state = r->state;
	uint32_t items = 0;

	for (uint32_t i = 0; i < MOST_ITEMS; i++)
		items += state->pushed[i] - state->popped[i];
	return items;
}

/* Whether the caller is block 1, which waits until all others are done and sees everything they
 * did. */
static int is_last_and_knows(const weir_model_case_run *r)
{
	weir_word *done = weir_model_memory() + WEIR_MODEL_FLAGS;

	if (weir_block_id() != 1) {
		weir_store_rel(&done[weir_block_id()], 1); /* pairs with the acquire below */
		return 0;
	}
	for (uint32_t b = 0; b < r->c.blocks; b++)
		if (b != 1)
			weir_await_eq_acq(&done[b], 1, weir_no_backoff());
	return 1;
}

/* Block 1 only tries to pop, and the others only try to push. */
static void tries(const weir_model_case_run *r)
{
	uint32_t number;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t mine = weir_block_id() / 2 * r->c.rounds + i;
		weir_status result;

		if (weir_block_id() == 1) {
			result = try_pop(r, &number);
			if (result == WEIR_OK)
				note_pop(r, number);
		} else {
			note_push(r, mine);
			result = try_push(r, mine);
			if (result != WEIR_OK)
				note_refusal(r, mine);
		}
		weir_model_check(result != WEIR_CLOSED, "a queue that is open has ended");
	}
	if (is_last_and_knows(r))
		check_bounds(r, items_left(r));
}

/* Block 0 pushes, and waits if it must; the last block tries to push; block 1 pops one item and
 * tries for another. The queue has room for all. */
static void mixed(const weir_model_case_run *r)
{
	uint32_t number;

	if (weir_block_id() == 0) {
		push_all(r, 0, r->c.rounds);
	} else if (weir_block_id() == 1) {
		pop_some(r, 1);
		if (try_pop(r, &number) == WEIR_OK)
			note_pop(r, number);
	} else {
		note_push(r, r->c.rounds);
		if (try_push(r, r->c.rounds) != WEIR_OK)
			note_refusal(r, r->c.rounds);
	}
	if (is_last_and_knows(r))
		check_bounds(r, items_left(r));
}

static void push_in_time(weir_model_case_run *r, uint32_t number)
{
	weir_status result;

	note_push(r, number);
	result = push_for(r, number);
	weir_model_check(result != WEIR_BUSY, "a push with a deadline does not wait");
	if (!weir_model_got_in_time(r, result))
		note_refusal(r, number);
}

static void pop_in_time(weir_model_case_run *r)
{
	uint32_t number;
	weir_status result = pop_for(r, &number);

	weir_model_check(result != WEIR_BUSY, "a pop with a deadline does not wait");
	if (weir_model_got_in_time(r, result))
		note_pop(r, number);
	if (result == WEIR_CLOSED)
		weir_model_data_read(CLOSED);
}

/* Block 0 pushes with a deadline, closes the queue, and pushes again. The others pop with a
 * deadline, then until the end. */
static void give_up(weir_model_case_run *r)
{
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (weir_block_id() == 0)
			push_in_time(r, i);
		else
			pop_in_time(r);
	}
	if (weir_block_id() == 0) {
		weir_model_data_write(CLOSED);
		weir_queue_close(queue(r));
		weir_model_check(push_for(r, 0) == WEIR_CLOSED, "a timed push of a closed queue");
	} else {
		pop_until_end(r);
	}
}

/* There is a slot for each push and then an item for each pop: no try may fail. */
static void enough(const weir_model_case_run *r)
{
	uint32_t number;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t mine = weir_block_id() * r->c.rounds + i;

		note_push(r, mine);
		weir_model_check(try_push(r, mine) == WEIR_OK,
		                 "a try is told that the queue is full, and there is room");
		weir_model_end_launch(2 * i);
		weir_model_check(try_pop(r, &number) == WEIR_OK,
		                 "a try is told that the queue is empty, and there are items");
		note_pop(r, number);
		weir_model_end_launch(2 * i + 1);
	}
}

/* Whether two blocks close the queue: the last one does as well, at any time. */
static int two_close(const weir_model_case_run *r)
{
	return r->c.blocks > 2 && r->adapter->value != WEIR_QUEUE_SINGLE;
}

/* Block 1 pushes, and then closes the queue; the others pop until the end. */
static void closing(const weir_model_case_run *r)
{
	if (weir_block_id() == 1) {
		weir_model_check(weir_queue_length(queue(r)) == 0, "an empty queue has a length");
		push_all(r, 0, r->c.rounds);
		if (!two_close(r))
			weir_model_data_write(CLOSED);
		weir_queue_close(queue(r));
		weir_model_check(push(r, 0) == WEIR_CLOSED, "a push of a closed queue");
		weir_model_check(weir_queue_length(queue(r)) <= r->c.rounds,
		                 "a queue has more items than were pushed");
	} else if (two_close(r) && weir_block_id() + 1 == r->c.blocks) {
		weir_queue_close(queue(r));
	} else {
		pop_until_end(r);
		if (!two_close(r))
			weir_model_data_read(CLOSED);
	}
}

/* ---- for all threads of a block ---- */

static weir_status block_push(const weir_model_case_run *r, uint32_t number)
{
	uint32_t item[MOST_WORDS];

	make_item(number, item);
	if (r->c.threads == 1)
		return push(r, number);
	moves(r, 1);
	return r->config.queue.words == 1 ? weir_queue_block_push(queue(r), item[0])
	                                  : weir_queue_block_push_n(queue(r), 1, item, MOST_WORDS);
}

/* Only thread 0 gets an item of several words. */
static weir_status block_pop(const weir_model_case_run *r, uint32_t *number)
{
	uint32_t item[MOST_WORDS] = {0};
	weir_status result;

	if (r->c.threads == 1)
		return pop(r, number);
	moves(r, 1);
	result = r->config.queue.words == 1 ? weir_queue_block_pop(queue(r), item)
	                                    : weir_queue_block_pop_n(queue(r), 1, item, MOST_WORDS);
	*number = result == WEIR_OK && item[0] != 0 ? number_of(r, item) : MOST_ITEMS;
	return result;
}

static void close_by_one(const weir_model_case_run *r)
{
	weir_block_sync(); /* all have pushed before one closes */
	if (weir_thread_id() == 0)
		weir_queue_close(queue(r));
}

/* All threads write before a push, and all read after the pop. */
static void collective(const weir_model_case_run *r)
{
	uint32_t number;

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (weir_block_id() == 0) {
			weir_model_data_write(2 * i + weir_thread_id());
			weir_model_check(block_push(r, i) == WEIR_OK, "a push is refused");
			continue;
		}
		weir_model_check(
		    block_pop(r, &number) == WEIR_OK &&
			(number == i || (r->config.queue.words > 1 && weir_thread_id() > 0)),
		    "a thread gets another item than its leader");
		weir_model_data_read(2 * i);
		weir_model_data_read(2 * i + 1);
	}
	if (weir_block_id() == 0) {
		weir_model_data_write(2 * r->c.rounds + weir_thread_id());
		close_by_one(r);
		return;
	}
	if (r->config.queue.words == 1) {
		weir_model_check(block_pop(r, &number) == WEIR_CLOSED,
		                 "a thread does not know that the queue has ended");
		weir_model_data_read(2 * r->c.rounds);
		weir_model_data_read(2 * r->c.rounds + 1);
	}
}

/* The number of items in all batches. The last of several batches is smaller by one. */
static uint32_t batch_items(const weir_model_case_run *r)
{
	return r->c.rounds * r->c.threads - (r->c.rounds > 1);
}

/* Each thread of block 0 pushes an item. */
static void push_batches(const weir_model_case_run *r)
{
	uint32_t item[MOST_WORDS];
	uint32_t all = batch_items(r);

	for (uint32_t first = 0; first < all; first += r->c.threads) {
		uint32_t number = first + weir_thread_id();
		uint32_t n = all - first < r->c.threads ? all - first : r->c.threads;

		make_item(number, item);
		if (number < all)
			note_push(r, number);
		weir_model_check(weir_queue_block_push_n(queue(r), moves(r, n), item,
		                                         r->config.queue.words) == WEIR_OK,
		                 "a push is refused");
	}
	close_by_one(r);
	weir_model_check(weir_queue_block_push_n(queue(r), moves(r, 1), item,
	                                         r->config.queue.words) == WEIR_CLOSED,
	                 "a thread does not know that a push is refused");
	if (weir_thread_id() == 0)
		pushed(r, WEIR_CLOSED);
}

/* A batch is popped in the order of the threads: thread i gets item i. All of them see what
 * preceded the pushes of all items of a batch. */
static void pop_batches(const weir_model_case_run *r)
{
	uint32_t item[MOST_WORDS] = {0};
	uint32_t all = batch_items(r);

	for (uint32_t first = 0; first < all + r->c.threads; first += r->c.threads) {
		uint32_t number = first + weir_thread_id();
		weir_status result = weir_queue_block_pop_n(queue(r), moves(r, r->c.threads), item,
		                                            r->config.queue.words);

		weir_model_check(result == (number < all ? WEIR_OK : WEIR_CLOSED),
		                 "a thread gets an item too many, or none");
		if (result == WEIR_OK) {
			weir_model_check(number_of(r, item) == number,
			                 "a thread gets another's item");
			note_pop(r, number);
		}
		for (uint32_t i = first; i < first + r->c.threads && i < all; i++)
			weir_model_data_read(i);
	}
}

/* The threads of one block push, then pop what they pushed. */
static void batches_alone(const weir_model_case_run *r)
{
	uint32_t item[MOST_WORDS];
	uint32_t words = r->config.queue.words;
	uint32_t me = weir_thread_id();

	for (uint32_t n = 2; n > 0; n--) {
		make_item(me, item);
		weir_model_check(
		    weir_queue_block_push_n(queue(r), moves(r, n), item, words) == WEIR_OK &&
			weir_queue_block_pop_n(queue(r), moves(r, n), item, words) == WEIR_OK &&
			number_of(r, item) == me,
		    "a thread gets another's item");
		make_item(me, item);
		weir_model_check(
		    weir_queue_block_push_n(queue(r), moves(r, n), item, words) == WEIR_OK &&
			weir_queue_block_pop_some(queue(r), moves_some(r, 2), item, words) == n &&
			number_of(r, item) == me,
		    "a block gets more items, or fewer, than there are");
	}
}

/* Blocks 0 and 2 push an item each, and the threads of block 1 pop them. If block 1 gets both at
 * once, each of its threads sees what preceded both pushes. */
static void batch_of_two(const weir_model_case_run *r)
{
	uint32_t item[MOST_WORDS] = {0};
	uint32_t words = r->config.queue.words;
	uint32_t count = r->c.threads;

	if (weir_block_id() != 1) {
		if (weir_thread_id() == 0)
			push_all(r, weir_block_id() / 2, 1);
		return;
	}
	if (r->c.form == WEIR_MODEL_BATCHES)
		weir_queue_block_pop_n(queue(r), moves(r, count), item, words);
	else
		count = weir_queue_block_pop_some(queue(r), moves_some(r, count), item, words);
	if (weir_thread_id() < count)
		note_pop(r, number_of(r, item));
	if (count == 2) {
		weir_model_data_read(0);
		weir_model_data_read(1);
	} else if (weir_queue_block_pop_some(queue(r), moves_some(r, 1), item, words) == 1 &&
	           weir_thread_id() == 0) {
		note_pop(r, number_of(r, item));
	}
}

/* How blocks 0 and 2 use the queue in a case where both have batches: with two rounds they push,
 * with three they pop. */
static int both_pop(const weir_model_case *c)
{
	return c->blocks == 3 && c->rounds == 3;
}

/* Two blocks each pass a batch of two to the third, or the third passes batches to them. `some`:
 * pops take what is available. */
static void batches_of_both(const weir_model_case_run *r, int some)
{
	uint32_t item[MOST_WORDS] = {0};
	uint32_t me = weir_thread_id();
	int is_alone = weir_block_id() == 1;

	for (uint32_t i = 0; i < (is_alone ? 2u : 1u); i++) {
		if (is_alone == both_pop(&r->c)) {
			uint32_t number = (is_alone ? 2 * i : weir_block_id()) + me;
			make_item(number, item);
			note_push(r, number);
			weir_queue_block_push_n(queue(r), moves(r, 2), item, 1);
		} else if (!some) {
			weir_queue_block_pop_n(queue(r), moves(r, 2), item, 1);
			note_pop(r, number_of(r, item));
		} else {
			for (uint32_t got = 0; got < 2;) {
				uint32_t n = weir_queue_block_pop_some(
				    queue(r), moves_some(r, 2 - got), item, 1);
				if (me < n)
					note_pop(r, number_of(r, item));
				got += n;
			}
		}
	}
}

static void batches(const weir_model_case_run *r)
{
	if (r->c.blocks == 1)
		batches_alone(r);
	else if (r->c.blocks == 3 && r->c.rounds > 1)
		batches_of_both(r, 0);
	else if (r->c.blocks == 3)
		batch_of_two(r);
	else if (weir_block_id() == 0)
		push_batches(r);
	else
		pop_batches(r);
}

/* Only block 0 pushes: it pushes, closes, and pushes once more. The threads of the others pop what
 * there is, and ask for more than one item per thread. */
static void greedy(const weir_model_case_run *r)
{
	uint32_t item[MOST_WORDS] = {0};
	uint32_t count;

	if (r->c.blocks == 3) {
		if (r->c.rounds > 1)
			batches_of_both(r, 1);
		else
			batch_of_two(r);
		return;
	}
	if (weir_block_id() == 0) {
		if (weir_thread_id() == 0) {
			push_all(r, 0, r->c.rounds);
			weir_model_data_write(CLOSED);
			weir_queue_close(queue(r));
			weir_model_check(push(r, 0) == WEIR_CLOSED, "a push of a closed queue");
		}
		return;
	}
	while ((count = weir_queue_block_pop_some(queue(r), moves_some(r, r->c.threads + 1), item,
	                                          r->config.queue.words)) != 0) {
		weir_model_check(count <= r->c.threads, "a block gets more items than threads");
		if (weir_thread_id() < count)
			note_pop(r, number_of(r, item));
	}
	weir_model_data_read(CLOSED);
}

/* Each thread of one team pushes an item, and those of another team pop them. */
static void team_batches(const weir_model_case_run *r, weir_team team, uint32_t pops)
{
	uint32_t rank = weir_team_rank(team);

	for (uint32_t i = 0; i < r->c.rounds; i++) {
		uint32_t item[1] = {1 + 2 * i + rank};
		uint32_t wanted = item[0];
		uint32_t count = 2;

		if (!pops) {
			weir_model_data_write(2 * i + rank);
			weir_model_check(weir_queue_team_push_n(queue(r), 2, item, 1, team) ==
			                     WEIR_OK,
			                 "a push is refused");
			continue;
		}
		item[0] = 0;
		if (i % 2 == 0)
			weir_queue_team_pop_n(queue(r), 2, item, 1, team);
		else
			count = weir_queue_team_pop_some(queue(r), 3, item, 1, team);
		if (count == 1 && rank == 0)
			wanted = 1 + 2 * i;
		weir_model_check(rank >= count || item[0] == wanted,
		                 "a thread gets another item than its own");
		for (uint32_t j = 0; j < count; j++)
			weir_model_data_read(2 * i + j);
		if (count == 1 && weir_queue_team_pop(queue(r), item, team) == WEIR_OK)
			weir_model_data_read(2 * i + 1);
	}
}

/* Warp 0 of a block pushes, and warp 1 pops. In a form with a named team, the team of block 1 pops
 * what the team of block 0 pushed. */
static void teams(const weir_model_case_run *r)
{
	weir_team team = weir_model_team(r);
	uint32_t pops =
	    r->c.form == WEIR_MODEL_NAMED ? weir_block_id() : weir_thread_id() / WEIR_WARP_THREADS;
	uint32_t value = 0;

	if (r->c.slots > 1) {
		team_batches(r, team, pops);
		return;
	}
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		if (!pops) {
			weir_model_data_write(2 * i + weir_team_rank(team));
			weir_model_check(weir_queue_team_push(queue(r), i + 1, team) == WEIR_OK,
			                 "a push is refused");
			continue;
		}
		weir_model_check(weir_queue_team_pop(queue(r), &value, team) == WEIR_OK &&
		                     value == i + 1,
		                 "a thread gets another item than its leader");
		weir_model_data_read(2 * i);
		weir_model_data_read(2 * i + 1);
	}
}

/* ---- launches ---- */

/* Every launch runs the same code. Block 0 pushes one or two items and closes the queue. Block 1
 * pops until the end; of two items, it pops only the first one in the first launch. Every block
 * leaves. */
static void launch(const weir_model_case_run *r, uint32_t number)
{
	queue_state *state = r->state;
	uint32_t popped;
	int last;

	if (weir_block_id() == 0) {
		for (uint32_t i = 0; i < r->c.slots / 2; i++) {
			uint32_t mine = number * r->c.slots / 2 + i;

			if (weir_thread_id() == 0)
				note_push(r, mine);
			weir_model_check(block_push(r, mine) == WEIR_OK,
			                 "the queue of the next launch is closed");
		}
		close_by_one(r);
		if (weir_thread_id() + 1 == r->c.threads)
			weir_model_data_write(LEFT);
	} else if (weir_block_id() == 1) {
		while (block_pop(r, &popped) == WEIR_OK) {
			if (weir_thread_id() == 0)
				note_pop(r, popped);
			if (number == 0 && r->c.slots > 2)
				break;
		}
	}
	last = r->c.threads == 1 ? weir_queue_leave(queue(r)) : weir_queue_block_leave(queue(r));
	state->last += (uint32_t)last;
	if (last)
		weir_model_data_read(LEFT);
}

static void launches(const weir_model_case_run *r)
{
	for (uint32_t i = 0; i < r->c.rounds; i++) {
		launch(r, i);
		weir_model_end_launch(i);
	}
}

/* ---- misuse ---- */

#define FAULTS(fault, detail, call) weir_model_check_fault(WEIR_FAULT_##fault, detail, call)

#ifdef WEIR_DIAGNOSE
/* Makes only the notes of a push while block 1 uses the side, and of one while no block does. A
 * side that several blocks may use belongs to no block. */
static void note_side(const weir_model_case_run *r)
{
	weir_queue q = queue(r);
	weir_word *side = q.words - WEIR_HEADER_WORDS + WEIR_HEADER_SIDE(WEIR_QUEUE_ONE_PUSHES);
	uint32_t record = 0;
	weir_notes n;

	if ((q.config.single & WEIR_QUEUE_ONE_PUSHES) == 0)
		return;
	n = weir_queue_open_(q, WEIR_HERE_);
	weir_store_rlx(side, 2);
	weir_note_side_(n, q, WEIR_QUEUE_ONE_PUSHES);
	weir_area_leave_();
	while (weir_model_misuse_of(record, WEIR_MISUSE_KIND) != WEIR_MISUSE_SIDE &&
	       record + 1 < WEIR_MISUSES)
		record++;
	weir_model_check(weir_model_misuse_of(record, WEIR_MISUSE_VALUE) == WEIR_QUEUE_ONE_PUSHES &&
	                     weir_model_misuse_of(record, WEIR_MISUSE_VALUE + 1) == 1,
	                 "another side or block is reported");
	weir_store_rlx(side, 0);
	weir_note_side_(n, q, WEIR_QUEUE_ONE_PUSHES);
	weir_model_check(weir_load_rlx(side) == 1, "the header names another block");
	weir_store_rlx(side, 0);
	q.config.single = 0;
	weir_note_side_(n, q, WEIR_QUEUE_ONE_PUSHES);
	weir_model_check(weir_load_rlx(side) == 0, "a side of several is taken");
}
#endif

/* None of these calls takes a position. */
static void misuse(const weir_model_case_run *r)
{
	uint32_t item[8] = {0};
	uint32_t more = r->config.queue.words + 1;
	uint32_t words = r->config.queue.words;
	uint32_t many = weir_queue_capacity(queue(r)) + 1;
	weir_queue other = queue(r);

	FAULTS(ITEM, more, weir_queue_push_item(queue(r), item, more));
	FAULTS(ITEM, more, weir_queue_pop_item(queue(r), item, more));
	FAULTS(ITEM, more, weir_queue_try_push_item(queue(r), item, more));
	FAULTS(ITEM, more, weir_queue_try_pop_item(queue(r), item, more));
	FAULTS(ITEM, more, weir_queue_push_item_for(queue(r), item, more, 1));
	FAULTS(ITEM, more, weir_queue_pop_item_for(queue(r), item, more, 1));
	FAULTS(ITEM, more, weir_queue_block_push_n(queue(r), 1, item, more));
	FAULTS(ITEM, more, weir_queue_block_pop_n(queue(r), 1, item, more));
	FAULTS(ITEM, more, weir_queue_block_pop_some(queue(r), 1, item, more));
	FAULTS(BATCH, many, weir_queue_block_push_n(queue(r), many, item, words));
	FAULTS(BATCH, many, weir_queue_block_pop_n(queue(r), many, item, words));
	other.config.kind = 99;
	FAULTS(QUEUE, 99, weir_queue_push_item(other, item, words));
#ifdef WEIR_DIAGNOSE
	FAULTS(QUEUE, 99, weir_queue_close(other));
	FAULTS(QUEUE, 99, weir_queue_leave(other));
	note_side(r);
#endif
	weir_model_check(try_push(r, FILLING) == WEIR_OK && weir_queue_length(queue(r)) == 1 &&
	                     try_pop(r, &more) == WEIR_OK && more == FILLING,
	                 "a call that ended the launch took a position");
}

/* ---- the case ---- */

/* Only one thread of each block runs it. */
static void single(weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_HANDOFF:
		handoff(r);
		break;
	case WEIR_MODEL_SEVERAL:
		several(r);
		break;
	case WEIR_MODEL_TRY:
		tries(r);
		break;
	case WEIR_MODEL_MIXED:
		mixed(r);
		break;
	case WEIR_MODEL_GIVE_UP:
		give_up(r);
		break;
	case WEIR_MODEL_CLOSING:
		closing(r);
		break;
	case WEIR_MODEL_ENOUGH:
		enough(r);
		break;
	case WEIR_MODEL_MISUSE:
		misuse(r);
		break;
	default:
		pairs(r);
		break;
	}
}

static void body(weir_model_case_run *r)
{
	switch (r->c.form) {
	case WEIR_MODEL_COLLECTIVE:
		collective(r);
		break;
	case WEIR_MODEL_BATCHES:
		batches(r);
		break;
	case WEIR_MODEL_GREEDY:
		greedy(r);
		break;
	case WEIR_MODEL_LAUNCHES:
		launches(r);
		break;
	case WEIR_MODEL_NAMED:
		if (weir_model_in_team(r, weir_thread_id()))
			teams(r);
		break;
	case WEIR_MODEL_WARPS:
		teams(r);
		break;
	default:
		if (weir_thread_id() == 0)
			single(r);
		break;
	}
}

/* Forms in which the items are not counted. */
#define UNCOUNTED                                                                                  \
	(WEIR_MODEL_FORM(COLLECTIVE) | WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(NAMED) |           \
	 WEIR_MODEL_FORM(MISUSE))

/* Checks how many items a block moved last, and that no block uses a single side. */
static void check_moves(const weir_model_case_run *r)
{
	const queue_state *state = r->state;

	for (uint32_t b = 0; b < r->c.blocks && b < WEIR_BLOCKS; b++)
		weir_model_check(weir_model_note_of(b, WEIR_NOTE_BATCH) == state->batch[b],
		                 "a note says that a block moves another number of items");
	for (uint32_t side = WEIR_QUEUE_ONE_PUSHES; side <= WEIR_QUEUE_ONE_POPS; side++)
		weir_model_check(weir_model_header_of(r->words, WEIR_HEADER_SIDE(side)) == 0,
		                 "the header says that a block uses a side");
}

static void complete(const weir_model_case_run *r)
{
	const queue_state *state = r->state;

	if (r->config.queue.id != 0 && r->c.form != WEIR_MODEL_WARPS &&
	    r->c.form != WEIR_MODEL_NAMED && r->c.form != WEIR_MODEL_MISUSE)
		check_moves(r);

	if (!(UNCOUNTED >> r->c.form & 1))
		weir_model_check(items_left(r) == 0, "an item is lost");
	if (r->c.form == WEIR_MODEL_LAUNCHES)
		weir_model_check(state->last == r->c.rounds, "not exactly one block was the last");
}

static uint32_t noted(const weir_model_case_run *r, uint32_t block)
{
	const queue_state *state = r->state;

	return state->refused[block];
}

/* A block gets a report of its first refused push. */
static uint32_t misuses(const weir_model_case_run *r)
{
	const queue_state *state = r->state;
	uint32_t blocks = 0;

	for (uint32_t b = 0; b < r->c.blocks && b < WEIR_BLOCKS; b++)
		blocks += state->refused[b] != 0;
	if (r->c.form == WEIR_MODEL_MISUSE)
		blocks += (r->config.queue.single & WEIR_QUEUE_ONE_PUSHES) != 0; /* note_side */
	return blocks;
}

static const char *refuse(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->blocks * c->rounds > MOST_ITEMS || c->slots > 4)
		return "there are not so many items";
	if (c->slots == 0)
		return "a queue has slots";
	if (c->form == WEIR_MODEL_ENOUGH && c->slots < c->blocks)
		return "there must be a slot for each push";
	if ((c->form == WEIR_MODEL_SINGLE || c->form == WEIR_MODEL_MADE) && c->blocks % 2 != 0)
		return "every second block pops";
	if ((c->form == WEIR_MODEL_TRY || c->form == WEIR_MODEL_MIXED) && c->blocks > 3)
		return "two blocks push, and one pops";
	if (c->form != WEIR_MODEL_WARPS && c->form != WEIR_MODEL_BATCHES &&
	    c->form != WEIR_MODEL_MISUSE && c->blocks < 2)
		return "one block pushes, and another one pops";
	if ((c->form == WEIR_MODEL_COLLECTIVE || c->form == WEIR_MODEL_BATCHES) && c->threads > 2)
		return "two threads have data";
	if ((c->form == WEIR_MODEL_BATCHES || c->form == WEIR_MODEL_GREEDY) && c->blocks > 3)
		return "two blocks push, and one pops";
	if (c->form == WEIR_MODEL_WARPS && (c->blocks != 1 || c->threads != 4))
		return "one warp pushes, and another one pops";
	if ((c->form == WEIR_MODEL_WARPS || c->form == WEIR_MODEL_NAMED) &&
	    r->adapter->value == WEIR_QUEUE_LINES)
		return "teams pass on an item of a word";
	return weir_model_refuse_teams(c);
}

/* The sides that only one thread uses. */
static uint32_t single_sides(const weir_model_case *c)
{
	int two_pop =
	    both_pop(c) && (c->form == WEIR_MODEL_BATCHES || c->form == WEIR_MODEL_GREEDY);
	int one_pops =
	    !two_pop && (c->blocks <= 2 || several_push(c) || c->form == WEIR_MODEL_LAUNCHES);

	return (several_push(c) && !two_pop ? 0 : WEIR_QUEUE_ONE_PUSHES) |
	       (one_pops ? WEIR_QUEUE_ONE_POPS : 0);
}

static void configure(weir_model_case_run *r)
{
	weir_queue_config *config = &r->config.queue;
	int is_line = r->adapter->value == WEIR_QUEUE_LINES;

	config->bits = r->c.slots == 4 ? 2 : r->c.slots - 1;
	config->words = is_line ? MOST_WORDS : 1;
	config->stride = is_line ? MOST_WORDS + 1 : WEIR_CELLS_STRIDE;
	config->single = r->adapter->value == WEIR_QUEUE_SINGLE ? single_sides(&r->c) : 0;
}

static uint32_t make(weir_model_case_run *r)
{
	uint32_t bits = r->c.slots / 2;
	weir_queue q = weir_queue_in(r->words, bits);

	weir_model_check_made(r, q.words);
	weir_model_check(weir_queue_capacity(q) == r->c.slots, "a queue of other slots");
	r->config.queue = q.config;
	return (uint32_t)WEIR_QUEUE_WORDS(bits);
}

#define LAST 0x7fffffffu /* a `past` that makes positions wrap after one item */

static const weir_model_shape shapes[] = {
    {{SIZE(2, 1, 2), .slots = 1}, SMALL},
    {{SIZE(2, 1, 3), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 1, 2), .slots = 1}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(2, 1, 1), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(2, 1, 2), .slots = 1, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 1), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_COLLECTIVE, SIZE(2, 2, 2), .slots = 1, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(2, 2, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(2, 2, 2), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(1, 2, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(3, 2, 1), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(3, 2, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(3, 1, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(2, 1, 1), .slots = 2, .past = LAST - 1}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(2, 2, 2), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(2, 2, 3), .slots = 4, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 1, 2), .slots = 4, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 1, 3), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(2, 2, 2), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_MIXED, SIZE(3, 1, 1), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(2, 1, 2), .slots = 1}, SMALL},
    {{.form = WEIR_MODEL_GIVE_UP, SIZE(3, 1, 1), .slots = 1, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 1), .slots = 1, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 1), .slots = 1, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(3, 1, 1), .slots = 1}, SMALL},
    {{.form = WEIR_MODEL_CLOSING, SIZE(3, 1, 2), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 4, 2), .slots = 1}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 1), .slots = 1, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_WARPS, SIZE(1, 4, 2), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_NAMED, SIZE(2, 4, 2), .slots = 4}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(2, 1, 2), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(3, 2, 2), .slots = 4}, SMALL},
    {{.form = WEIR_MODEL_BATCHES, SIZE(3, 2, 3), .slots = 4}, SMALL},
    {{.form = WEIR_MODEL_GREEDY, SIZE(3, 2, 3), .slots = 4}, SMALL},
    {{.form = WEIR_MODEL_ENOUGH, SIZE(2, 1, 2), .slots = 2, .past = LAST}, SMALL},
    {{.form = WEIR_MODEL_MADE, SIZE(2, 1, 2), .slots = 4}, SMALL},
    {{.form = WEIR_MODEL_MISUSE, SIZE(1, 1, 1), .slots = 2}, SMALL},
    {{.form = WEIR_MODEL_HANDOFF, SIZE(3, 1, 2), .slots = 2}, LARGER},
    {{.form = WEIR_MODEL_SEVERAL, SIZE(3, 1, 2), .slots = 1}, LARGER},
    {{SIZE(4, 1, 1), .slots = 1, .past = LAST}, LARGER},
    {{.form = WEIR_MODEL_TRY, SIZE(3, 1, 2), .slots = 1}, LARGER},
    {{.form = WEIR_MODEL_CLOSING, SIZE(4, 1, 1), .slots = 1, .past = LAST}, LARGER},
    {{.form = WEIR_MODEL_LAUNCHES, SIZE(3, 1, 2), .slots = 2}, LARGER},
};

/* Teams do not pass on items of several words as a whole. Two blocks neither push nor pop at a
 * single side. */
static int has_shape(const weir_model_adapter *adapter, const weir_model_shape *shape)
{
	weir_model_form form = shape->c.form;

	if (form == WEIR_MODEL_WARPS || form == WEIR_MODEL_NAMED || form == WEIR_MODEL_MADE)
		return adapter->value == WEIR_QUEUE_CELLS;
	if (form == WEIR_MODEL_LAUNCHES && shape->c.threads > 1)
		return adapter->value != WEIR_QUEUE_LINES;
	if (form == WEIR_MODEL_ENOUGH)
		return adapter->value != WEIR_QUEUE_SINGLE;
	if ((form == WEIR_MODEL_BATCHES || form == WEIR_MODEL_GREEDY) && shape->c.blocks == 3 &&
	    shape->c.rounds > 1)
		return adapter->value == WEIR_QUEUE_SINGLE;
	return adapter->value != WEIR_QUEUE_SINGLE || shape->c.blocks < 4;
}

const weir_model_primitive WEIR_MODEL_PRIMITIVE(queue) = {
    .forms = WEIR_MODEL_FORM(HANDOFF) | WEIR_MODEL_FORM(SEVERAL) | WEIR_MODEL_FORM(TRY) |
             WEIR_MODEL_FORM(MIXED) | WEIR_MODEL_FORM(CLOSING) | WEIR_MODEL_FORM(BATCHES) |
             WEIR_MODEL_FORM(GREEDY) | WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(NAMED) |
             WEIR_MODEL_FORM(LAUNCHES) | WEIR_MODEL_FORM(ENOUGH) | WEIR_MODEL_FORM(MISUSE),
    .late_forms = WEIR_MODEL_FORM(GIVE_UP),
    .has_shape = has_shape,
    .refuse = refuse,
    .configure = configure,
    .make = make,
    .complete = complete,
    .hooks_kind = 1, /* only this kind has single sides */
    .waits_in = WEIR_MODEL_WAITS(PUSH) | WEIR_MODEL_WAITS(POP),
    .noted = noted,
    .misuses = misuses,
    .shares_sides = 1,
    .chatty_forms = WEIR_MODEL_FORM(WARPS) | WEIR_MODEL_FORM(NAMED),
    WEIR_MODEL_NAMES(queue),
};
