/* An outside program: a mutex on the host device, from open to close. */
#include <stdio.h>

#include "weir/weir.h"

static int failed(weir_status status, const char *what)
{
	if (status != WEIR_OK)
		fprintf(stderr, "%s: %s: %s\n", what, weir_status_text(status), weir_error_text());
	return status != WEIR_OK;
}

int main(void)
{
	weir_device *device;
	weir_mutex mutex;

	return failed(weir_device_open("host", &device), "open") ||
	       failed(weir_mutex_create(device, NULL, &mutex), "create") ||
	       failed(weir_mutex_destroy(device, &mutex), "destroy") ||
	       failed(weir_device_close(device), "close");
}
