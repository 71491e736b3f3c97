#include "sim/paper.h"

#include <string.h>

uint32_t weir_paper_most_blocks(enum weir_primitive primitive, uint32_t kind, uint32_t full)
{
	int is_xf = primitive == WEIR_PRIMITIVE_BARRIER && kind == WEIR_BARRIER_XF;

	return is_xf ? full / 8 * 6 : full;
}

int weir_paper_backs_off(enum weir_primitive primitive, uint32_t kind)
{
	return primitive == WEIR_PRIMITIVE_MUTEX
	           ? kind != WEIR_MUTEX_RING
	           : primitive == WEIR_PRIMITIVE_SEMAPHORE && kind != WEIR_SEMAPHORE_SLEEPING;
}

int weir_paper_backoff(enum weir_primitive primitive, uint32_t kind, weir_backoff *backoff)
{
	int is_mutex = primitive == WEIR_PRIMITIVE_MUTEX;

	*backoff = is_mutex && weir_paper_backs_off(primitive, kind)
	               ? (weir_backoff){WEIR_PAPER_MUTEX_MIN, WEIR_PAPER_MUTEX_MAX}
	               : weir_no_backoff();
	return is_mutex ||
	       (primitive == WEIR_PRIMITIVE_SEMAPHORE && !weir_paper_backs_off(primitive, kind));
}

int weir_paper_fitted(const char *claim)
{
	static const char *const fitted[] = {
	    /* WEIR_PAPER_MUTEX_MIN and _MAX. */
	    "mutex-gt200-backoff",
	    "mutex-gf100-backoff",
	    /* WEIR_SIM_JITTER: with a third of it these claims failed. */
	    "sem-gt200-10",
	    "sem-gt200-120",
	};

	for (size_t i = 0; i < sizeof fitted / sizeof fitted[0]; i++)
		if (strcmp(fitted[i], claim) == 0)
			return 1;
	return 0;
}
