#include "paper.h"

#include <string.h>

uint32_t weir_paper_most_blocks(enum weir_primitive primitive, uint32_t kind, uint32_t full)
{
	int is_xf = primitive == WEIR_PRIMITIVE_BARRIER && kind == WEIR_BARRIER_XF;

	return is_xf ? full / 8 * 6 : full;
}

int weir_paper_pauses(enum weir_primitive primitive, uint32_t kind)
{
	return primitive != WEIR_PRIMITIVE_SEMAPHORE || kind != WEIR_SEMAPHORE_SLEEPING;
}

int weir_paper_fitted(const char *claim)
{
	static const char *const fitted[] = {
	    /* The tuner climbs; a search over all bounds has the spin mutex ahead on GT200. */
	    "best-mutex-gt200",
	    "mutex-gt200-ticket-backoff",
	    /* It tries the default bounds, too; without them it finds no pause on GT200. */
	    "mutex-gt200-backoff",
	    /* WEIR_SIM_JITTER; with a third of it these were wrong. */
	    "sem-gt200-10",
	    "sem-gt200-120",
	};

	for (size_t i = 0; i < sizeof fitted / sizeof fitted[0]; i++)
		if (strcmp(fitted[i], claim) == 0)
			return 1;
	return 0;
}
