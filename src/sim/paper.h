/* What the paper says about its own kernels and a claim about them must respect. */
#ifndef WEIR_SIM_PAPER_H
#define WEIR_SIM_PAPER_H

#include "weir/kind.h"
#include "weir/weir.h"

/* Whether the paper's kernel has a Backoff(). */
int weir_paper_backs_off(enum weir_primitive primitive, uint32_t kind);

/* The pauses of the paper's kernels; 0 if it gives none, and a search must find them.
 *
 * The sleeping semaphore (algorithm 5) has no Backoff(), and a block at the ring mutex would
 * "constantly check" (design). Other mutexes have bounds that "are configurable in our library at
 * compile time", which the paper does not print. Its gains by them are 5 to 10% on GT200 and 45% on GF100.
 * Of the bounds (w, 2w) with w a power of two, these are closest to both gains. */
int weir_paper_backoff(enum weir_primitive primitive, uint32_t kind, weir_backoff *backoff);
#define WEIR_PAPER_MUTEX_MIN 2
#define WEIR_PAPER_MUTEX_MAX 4

/* The words of the paper's objects are members of one structure, so they share a cache line. Its
 * explanation of why the ticket mutex is slow on GF100 depends on that: "the atomic unit holds a
 * memory line until its queue is flushed" (figure 2). */
#define WEIR_PAPER_PITCH 1

/* Whether a claim was used to choose a constant of the simulator, and so is not a test of it. */
int weir_paper_fitted(const char *claim);

#endif
