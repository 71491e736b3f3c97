#include "paper.h"

uint32_t weir_paper_most_blocks(enum weir_primitive primitive, uint32_t kind, uint32_t full)
{
	int is_xf = primitive == WEIR_PRIMITIVE_BARRIER && kind == WEIR_BARRIER_XF;

	return is_xf ? full / 8 * 6 : full;
}
