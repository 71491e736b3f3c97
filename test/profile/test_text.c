/* The kinds that the host library assumes for the default's text are the kinds that a GPU kernel
 * has. The simulated machine stands in for a GPU, without its other kinds. */
#include "sim/machine.h"
#undef WEIR_HAS_ALL_KINDS
#define WEIR_HAS_ALL_KINDS 0

#include "weir/device.h"

#include "profile_test.h"

#ifdef WEIR_ALL_KINDS
#error "this must be compiled as a kernel for a GPU"
#endif

static void same_as_in_kernels(void **state)
{
	static const weir_mutex_config none;

	(void)state;
#define ROW(PRIMITIVE, name, NAME, value, ...)                                                     \
	assert_int_equal(weir_text_kind(WEIR_PRIMITIVE_##PRIMITIVE, value),                        \
	                 WEIR_HANDLES_(PRIMITIVE, value) ? (value) : WEIR_KIND_(PRIMITIVE, none));
	WEIR_BARRIER_KINDS_WITH(ROW, BARRIER)
	WEIR_MUTEX_KINDS_WITH(ROW, MUTEX)
	WEIR_SEMAPHORE_KINDS_WITH(ROW, SEMAPHORE)
#undef ROW
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_in_kernels)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
