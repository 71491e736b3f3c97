/* An engine for crews under the explorer (weir/crew/engine.h), with no more order than the contract
 * requires.
 *
 * A signal is two words of the other rank: the one that polls read, and a mark `apart` words behind
 * it, which says that everything completed earlier has arrived. Only the mark releases, and only
 * what precedes the completion. weir_engine_see waits for the mark and acquires. A poll orders
 * nothing. */
#ifndef WEIR_MODEL_CASES_REMOTE_H
#define WEIR_MODEL_CASES_REMOTE_H

#include "weir/machine.h"

typedef struct remote_engine {
	weir_word *shares[8];
	uint32_t apart;
} remote_engine;

#define WEIR_CREW_ENGINE remote_engine

#define REMOTE_WORD_(c, w, rank) ((c).engine->shares[rank] + ((w) - (c).words))
#define weir_engine_complete(c) ((void)(c), weir_release_begin())
#define weir_engine_signal(c, w, rank, value)                                                      \
	do {                                                                                       \
		weir_word *at_ = REMOTE_WORD_(c, w, rank);                                         \
		weir_store_rlx(at_, value);                                                        \
		weir_store_begun(at_ + (c).engine->apart, value);                                  \
	} while (0)
#define weir_engine_put(c, w, rank, value) weir_store_rlx(REMOTE_WORD_(c, w, rank), value)
#define weir_engine_post(c, w, rank, n)                                                            \
	do {                                                                                       \
		weir_word *at_ = REMOTE_WORD_(c, w, rank);                                         \
		weir_release_begin();                                                              \
		weir_red_add_rlx(at_, n);                                                          \
		WEIR_MODEL_RMW_(red, at_ + (c).engine->apart, n, "red_add_begun", BEGUN);          \
	} while (0)
#define weir_engine_poll(c, w) ((void)(c), weir_load_rlx(w))
#define weir_engine_see(c, w, before, direct)                                                      \
	do {                                                                                       \
		if (!(direct))                                                                     \
			weir_await_ge_acq((w) + (c).engine->apart, (before) + 1,                   \
			                  weir_no_backoff());                                      \
	} while (0)

#endif
