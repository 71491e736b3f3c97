/* The primitives as Stuart and Owens published them, and Xiao and Feng's barrier. They use volatile
 * accesses and unordered atomics, which the memory model treats as relaxed, and no fences. Each of
 * them must fail. The waits are the layer's, weakened by hand to volatile polls.
 *
 * The kind "none" does nothing at all: a case that lets it pass would be blind.
 */
#include "model/cases/published.h"

/* The published code has no aborts. */
#define go_on(wait) ((void)weir_wait_aborted(wait), weir_wait_again(wait))

static void poll_eq(weir_word *w, uint32_t value)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	while (weir_load_rlx(w) != value)
		go_on(&wait);
}

#define MOST_FIELDS 3 /* of a mutex or a semaphore */

static uint32_t field_words(weir_any_config config)
{
	(void)config;
	return MOST_FIELDS;
}

static void start_fields(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)config;
	(void)value;
	(void)past;
	for (uint32_t i = 0; i < MOST_FIELDS; i++)
		weir_store_rlx(&words[i], 0);
}

static uint32_t barrier_words(weir_any_config config)
{
	return 2 * config.barrier.blocks + MOST_FIELDS;
}

static void start_barrier(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	(void)value;
	(void)past;
	for (uint32_t i = 0; i < barrier_words(config); i++)
		weir_store_rlx(&words[i], 0);
}

static void start_spin_semaphore(weir_word *words, weir_any_config config, uint32_t value,
                                 uint32_t past)
{
	start_fields(words, config, value, past);
	weir_store_rlx(&words[0], value + 1);
}

static void start_sleeping(weir_word *words, weir_any_config config, uint32_t value, uint32_t past)
{
	start_fields(words, config, value, past);
	weir_store_rlx(&words[0], config.semaphore.maximum - value);
}

/* "Spin-Lock Mutex": atomicExch to lock, a volatile store to unlock. */
static void spin_lock(weir_word *words, weir_any_config config)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	(void)config;
	while (weir_xchg_rlx(&words[0], 1) != 0)
		go_on(&wait);
}

static void spin_unlock(weir_word *words, weir_any_config config)
{
	(void)config;
	weir_store_rlx(&words[0], 0);
}

/* "FA Mutex": atomicInc of the ticket, a volatile turn. */
static void fa_lock(weir_word *words, weir_any_config config)
{
	uint32_t mine = weir_add_rlx(&words[0], 1);

	(void)config;
	poll_eq(&words[1], mine);
}

static void fa_unlock(weir_word *words, weir_any_config config)
{
	(void)config;
	weir_store_rlx(&words[1], weir_load_rlx(&words[1]) + 1);
}

/* "Spin-Lock Semaphore". */
static void spin_wait(weir_word *words, weir_any_config config)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());

	(void)config;
	for (;;) {
		uint32_t value = weir_xchg_rlx(&words[0], 0);
		if (value > 1) {
			weir_xchg_rlx(&words[0], value - 1);
			return;
		}
		if (value == 1)
			weir_xchg_rlx(&words[0], 1);
		go_on(&wait);
	}
}

static void spin_post(weir_word *words, weir_any_config config)
{
	weir_wait wait = weir_wait_begin(weir_no_backoff());
	uint32_t value;

	(void)config;
	while ((value = weir_xchg_rlx(&words[0], 0)) == 0)
		go_on(&wait);
	weir_xchg_rlx(&words[0], value + 1);
}

/* "Sleeping Semaphore". */
static void sleeping_wait(weir_word *words, weir_any_config config)
{
	weir_wait wait;
	uint32_t mine;

	if (weir_add_rlx(&words[0], 1) < config.semaphore.maximum)
		return;
	mine = weir_add_rlx(&words[1], 1);
	wait = weir_wait_begin(weir_no_backoff());
	while (weir_load_rlx(&words[2]) <= mine)
		go_on(&wait);
}

static void sleeping_post(weir_word *words, weir_any_config config)
{
	if (weir_add_rlx(&words[0], (uint32_t)-1) > config.semaphore.maximum)
		weir_add_rlx(&words[2], 1);
}

/* The two-stage atomic barrier, without fences. */
static void atomic_barrier(weir_word *words, weir_any_config config)
{
	weir_block_sync();
	if (weir_thread_id() == 0) {
		uint32_t epoch = weir_load_rlx(&words[1]);
		if (weir_add_rlx(&words[0], 1) == config.barrier.blocks - 1) {
			weir_store_rlx(&words[0], 0);
			weir_store_rlx(&words[1], epoch + 1);
		} else {
			poll_eq(&words[1], epoch + 1);
		}
	}
	weir_block_sync();
}

#define FLAG_LOAD(w) weir_model_load_(w, WEIR_MODEL_RLX, scope, WEIR_MODEL_SITE_("load_rlx", #w))
#define FLAG_STORE(w, value)                                                                       \
	weir_model_store_(w, value, WEIR_MODEL_RLX, scope, WEIR_MODEL_SITE_("store_rlx", #w))

static void gather_and_release(weir_word *in, weir_word *out, uint32_t count,
                               weir_model_scope scope)
{
	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count()) {
		uint32_t goal = FLAG_LOAD(&out[i]) + 1;
		weir_wait wait = weir_wait_begin(weir_no_backoff());
		while (FLAG_LOAD(&in[i]) != goal)
			go_on(&wait);
	}
	weir_block_sync();
	for (uint32_t i = weir_thread_id(); i < count; i += weir_thread_count())
		FLAG_STORE(&out[i], FLAG_LOAD(&out[i]) + 1);
}

/* Xiao and Feng's barrier: an in flag and an out flag for each block; both hold the goal. */
static void xf_barrier(weir_word *words, weir_any_config config, weir_model_scope scope)
{
	weir_word *in = words;
	weir_word *out = words + config.barrier.blocks;
	uint32_t me = weir_block_id();
	uint32_t goal = 0;

	if (weir_thread_id() == 0) {
		goal = FLAG_LOAD(&out[me]) + 1;
		FLAG_STORE(&in[me], goal);
	}
	if (me == 0)
		gather_and_release(in, out, config.barrier.blocks, scope);
	if (weir_thread_id() == 0) {
		weir_wait wait = weir_wait_begin(weir_no_backoff());
		while (FLAG_LOAD(&out[me]) != goal)
			go_on(&wait);
	}
	weir_block_sync();
}

static void xf_volatile(weir_word *words, weir_any_config config)
{
	xf_barrier(words, config, WEIR_MODEL_DEVICE);
}

static void xf_plain(weir_word *words, weir_any_config config)
{
	xf_barrier(words, config, WEIR_MODEL_PLAIN);
}

static void do_nothing(weir_word *words, weir_any_config config)
{
	(void)words;
	(void)config;
}

const weir_model_adapter weir_model_published_[] = {
    {"mutex", "none", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, field_words, start_fields,
     do_nothing, do_nothing},
    {"semaphore", "none", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, field_words,
     start_fields, do_nothing, do_nothing},
    {"barrier", "none", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, barrier_words,
     start_barrier, do_nothing, do_nothing},
    {"mutex", "published_spin", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, field_words,
     start_fields, spin_lock, spin_unlock},
    {"mutex", "published_fa", 0, WEIR_FAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, field_words,
     start_fields, fa_lock, fa_unlock},
    {"semaphore", "published_spin", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, field_words,
     start_spin_semaphore, spin_wait, spin_post},
    {"semaphore", "published_sleeping", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE,
     field_words, start_sleeping, sleeping_wait, sleeping_post},
    {"barrier", "published_atomic", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE, barrier_words,
     start_barrier, atomic_barrier, NULL},
    {"barrier", "published_xf_volatile", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE,
     barrier_words, start_barrier, xf_volatile, NULL},
    {"barrier", "published_xf_plain", 0, WEIR_UNFAIR, WEIR_QUEUE_NONE, WEIR_SHAPE_NONE,
     barrier_words, start_barrier, xf_plain, NULL},
};

const size_t weir_model_published_count_ =
    sizeof weir_model_published_ / sizeof weir_model_published_[0];
