/* The search for the shape of a counter barrier: it tries all. */
#include "tune/shape.h"

#include <stdint.h>

#include "measure/setting.h"
#include "tune/search.h"
#include "weir/profile.h"
#include "weir/weir.h"

static int fits(const weir_point *point, uint32_t bits)
{
	return point->blocks >> bits != 0 && point->threads >> bits != 0;
}

weir_status weir_search_shape(weir_search *search)
{
	weir_status status = WEIR_OK;

	for (uint32_t bits = 0; status == WEIR_OK && bits <= WEIR_SHAPE_BITS_MOST &&
	                        fits(&search->wanted->point, bits);
	     bits++)
		status = weir_search_try(search, &(weir_setting){.shape = {1, {.bits = bits}}});
	return status;
}
