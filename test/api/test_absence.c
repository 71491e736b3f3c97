/* A machine whose driver or loader is missing: test_absence MACHINE WORDS. Every way to ask for
 * such a device must give a reason that contains the words; the rest of the library works. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

static const char *machine_name, *words;

static void absent(void **state)
{
	weir_machine machine = WEIR_MACHINE_COUNT;
	weir_device *device;
	weir_device_info infos[32];
	size_t count;

	(void)state;
	for (int m = 0; m < WEIR_MACHINE_COUNT; m++)
		if (strcmp(weir_machine_name((weir_machine)m), machine_name) == 0)
			machine = (weir_machine)m;
	assert_int_not_equal(machine, WEIR_MACHINE_COUNT);
	const char *reason = weir_machine_absence(machine);
	if (!strstr(reason, words))
		fail_msg("the reason is '%s'", reason);
	api_fails(weir_device_open(machine_name, &device), WEIR_NO_DEVICE);
	assert_null(device);
	assert_non_null(strstr(weir_error_text(), reason));

	api_ok(weir_device_list(infos, 32, &count));
	for (size_t i = 0; i < count; i++)
		assert_int_not_equal(infos[i].machine, machine);
	api_ok(weir_device_open("host", &device));
	api_ok(weir_device_close(device));
	api_ok(weir_device_open(NULL, &device));
	api_ok(weir_device_close(device));
}

static void adopting(void **state)
{
	weir_device *device;
	int some;

	(void)state;
	if (strcmp(machine_name, "opencl") == 0 && !strstr(words, "platform"))
		api_fails(weir_device_open_opencl(&some, &some, &some, &device), WEIR_NO_DEVICE);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(absent), cmocka_unit_test(adopting)};

	if (argc != 3) {
		print_error("usage: test_absence MACHINE WORDS\n");
		return 2;
	}
	machine_name = argv[1];
	words = argv[2];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
