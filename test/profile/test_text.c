/* The kinds that the host library takes for those of the default's text are the ones that a kernel
 * for a GPU has. The simulated machine stands in for one, without its other kinds. */
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
	(void)state;
#define ROW(name, NAME, value, ...)                                                                \
	assert_int_equal(weir_text_kind(WEIR_PRIMITIVE_BARRIER, value),                            \
	                 (value) == WEIR_BARRIER_ALIKE_ ? (value) : WEIR_BARRIER_ONLY_);
	WEIR_BARRIER_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, ...)                                                                \
	assert_int_equal(weir_text_kind(WEIR_PRIMITIVE_MUTEX, value),                              \
	                 (value) == WEIR_MUTEX_ALIKE_ ? (value) : WEIR_MUTEX_ONLY_);
	WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, NAME, value, ...)                                                                \
	assert_int_equal(weir_text_kind(WEIR_PRIMITIVE_SEMAPHORE, value),                          \
	                 (value) == WEIR_SEMAPHORE_ALIKE_ ? (value) : WEIR_SEMAPHORE_ONLY_);
	WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_in_kernels)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
