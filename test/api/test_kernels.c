/* Programs, their kernels, and how many blocks of a kernel run at once. */
#include "api.h"

#include <string.h>

static void bad_arguments(void **state)
{
	weir_program_text text = api_text();
	weir_program *program;
	weir_kernel kernel = {0};
	uint32_t blocks;

	(void)state;
	api_fails(weir_program_create(api_device, NULL, &program), WEIR_BAD_ARGUMENT);
	api_fails(weir_program_create(api_device, &text, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_program_kernel(NULL, "api_ids", &kernel), WEIR_BAD_ARGUMENT);
	api_fails(weir_program_kernel(api_program, NULL, &kernel), WEIR_BAD_ARGUMENT);
	api_fails(weir_program_kernel(api_program, "api_ids", NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_program_destroy(NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_kernel_resident_blocks(api_device, kernel, 1, 0, &blocks),
	          WEIR_BAD_ARGUMENT);
	kernel = api_kernel("api_ids");
	api_fails(weir_kernel_resident_blocks(api_device, kernel, 1, 0, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_kernel_resident_blocks(api_device, kernel, 0, 0, &blocks),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_kernel_resident_blocks(api_device, kernel,
	                                      api_info.max_threads_per_block + 1, 0, &blocks),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_kernel_resident_blocks(api_device, kernel, UINT32_MAX, 0, &blocks),
	          WEIR_BAD_ARGUMENT);
}

static void missing_texts(void **state)
{
	weir_program_text empty = {0}, text = api_text();
	weir_program *program = (weir_program *)&text;

	(void)state;
	api_fails(weir_program_create(api_device, &empty, &program), WEIR_UNSUPPORTED);
	assert_null(program);
	/* The text of other machines does not help. */
	if (api_is_cuda())
		text.cuda_image = NULL;
	else if (api_info.machine == WEIR_MACHINE_HIP)
		text.hip_image = NULL;
	else if (api_info.machine == WEIR_MACHINE_OPENCL)
		text.opencl_text = NULL;
	else
		text.host_entries = NULL;
	api_fails(weir_program_create(api_device, &text, &program), WEIR_UNSUPPORTED);
	text.host_entries = api_text().host_entries;
	text.host_entry_count = 0;
	if (api_info.machine == WEIR_MACHINE_HOST)
		api_fails(weir_program_create(api_device, &text, &program), WEIR_UNSUPPORTED);
}

static void broken_texts(void **state)
{
	static const weir_host_entry nameless = {NULL, (weir_host_kernel)missing_texts};
	static const weir_host_entry empty = {"api_ids", NULL};
	weir_program_text text = {.cuda_image = "this is no PTX",
	                          .hip_image = "this is no code object",
	                          .opencl_text = "__kernel void broken(void) { not_a_name = 1; }",
	                          .host_entries = &nameless,
	                          .host_entry_count = 1};
	weir_program *program = (weir_program *)&text;

	(void)state;
	api_fails(weir_program_create(api_device, &text, &program), WEIR_BAD_PROGRAM);
	assert_null(program);
	/* The compiler's own words are in the error text. */
	if (api_info.machine == WEIR_MACHINE_OPENCL)
		assert_non_null(strstr(weir_error_text(), "not_a_name"));
	text.host_entries = &empty;
	api_fails(weir_program_create(api_device, &text, &program), WEIR_BAD_PROGRAM);
	if (api_info.machine != WEIR_MACHINE_OPENCL)
		return;
	text = api_text();
	text.opencl_options = "-this-is-no-option";
	api_fails(weir_program_create(api_device, &text, &program), WEIR_BAD_PROGRAM);
	text.opencl_options = "-DTHIS_IS_ONE=1";
	api_ok(weir_program_create(api_device, &text, &program));
	api_ok(weir_program_destroy(program));
}

static void names_of_kernels(void **state)
{
	weir_kernel kernel, again;

	(void)state;
	api_ok(weir_program_kernel(api_program, "api_ids", &kernel));
	assert_true(kernel.native || kernel.host);
	api_ok(weir_program_kernel(api_program, "api_ids", &again));
	assert_true(kernel.native == again.native && kernel.host == again.host);
	api_fails(weir_program_kernel(api_program, "no_such_kernel", &kernel), WEIR_NOT_FOUND);
	assert_true(!kernel.native && !kernel.host);
	/* Some drivers cannot list them. */
	const char *text = weir_error_text();
	assert_non_null(strstr(text, "the program has no kernel 'no_such_kernel'; it"));
	assert_true(strstr(text, "; it has ") != NULL || strstr(text, "cannot list") != NULL);
	assert_true(strstr(text, "api_") != NULL || strstr(text, "cannot list") != NULL);
	api_fails(weir_program_kernel(api_program, "", &kernel), WEIR_NOT_FOUND);
}

static void destroyed_twice(void **state)
{
	weir_program_text text = api_text();
	weir_program *program;
	weir_kernel kernel;

	(void)state;
	api_ok(weir_program_create(api_device, &text, &program));
	api_ok(weir_program_kernel(program, "api_ids", &kernel));
	api_ok(weir_program_destroy(program));
	api_fails(weir_program_destroy(program), WEIR_NOT_FOUND);
	api_fails(weir_program_kernel(program, "api_ids", &kernel), WEIR_NOT_FOUND);
	api_fails(weir_program_destroy((weir_program *)&text), WEIR_NOT_FOUND);
}

static void residency(void **state)
{
	weir_kernel kernel = api_kernel("api_ids");
	uint32_t small, large, blocks;

	(void)state;
	api_ok(weir_kernel_resident_blocks(api_device, kernel, 1, 0, &small));
	api_ok(weir_kernel_resident_blocks(api_device, kernel, api_info.max_threads_per_block, 0,
	                                   &large));
	assert_in_range(small, 1, 1 << 20);
	/* An OpenCL kernel may be compiled for fewer threads than the device can run. */
	assert_in_range(large, api_info.machine == WEIR_MACHINE_OPENCL ? 0 : 1, small);
	api_ok(weir_kernel_resident_blocks(api_device, kernel, 128, 0, &blocks));
	assert_in_range(blocks, large, api_info.resident_blocks_at_128);
	/* More shared memory than any device has: no block fits, or the call is refused. */
	weir_status status =
	    weir_kernel_resident_blocks(api_device, kernel, 1, (size_t)1 << 40, &blocks);
	assert_true(status != WEIR_OK || blocks == 0);
}

/* A kernel of another machine has nothing in the field that this machine reads. */
static void kernels_of_another_machine(void **state)
{
	weir_kernel kernel = {0};
	uint32_t blocks;
	int some;

	(void)state;
	if (api_info.machine == WEIR_MACHINE_HOST)
		kernel.native = &some;
	else
		kernel.host = api_text().host_entries[0].kernel;
	weir_launch launch = {.kernel = kernel, .grid = {1}, .block = {1}};
	api_fails(weir_kernel_resident_blocks(api_device, kernel, 1, 0, &blocks),
	          WEIR_BAD_ARGUMENT);
	api_fails(weir_kernel_launch(api_device, &launch), WEIR_BAD_ARGUMENT);
	launch.cooperative = 1;
	api_fails(weir_kernel_launch(api_device, &launch), WEIR_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_arguments),
	    cmocka_unit_test(missing_texts),
	    cmocka_unit_test(broken_texts),
	    cmocka_unit_test(names_of_kernels),
	    cmocka_unit_test(destroyed_twice),
	    cmocka_unit_test(residency),
	    cmocka_unit_test(kernels_of_another_machine),
	};
	return api_main(argc, argv, tests);
}
