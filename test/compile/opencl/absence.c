/* Without a loader, or with a loader that finds no platform, weir says so and works without
 * OpenCL. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "weir/weir.h"

int main(void)
{
	const char *expected =
	    dlopen("libOpenCL.so.1", RTLD_NOW) ? "no OpenCL platform" : "no OpenCL loader";
	const char *said = weir_machine_absence(WEIR_MACHINE_OPENCL);
	weir_device *device;
	int failed = 0;

	printf("%s\n", said);
	if (strncmp(said, expected, strlen(expected)) != 0) {
		printf("FAILED: expected \"%s...\"\n", expected);
		failed = 1;
	}
	if (weir_device_open("opencl", &device) != WEIR_NO_DEVICE ||
	    !strstr(weir_error_text(), said)) {
		printf("FAILED: opening it: %s\n", weir_error_text());
		failed = 1;
	}
	if (weir_device_open("host", &device) != WEIR_OK) {
		printf("FAILED: the host: %s\n", weir_error_text());
		failed = 1;
	}
	return failed;
}
