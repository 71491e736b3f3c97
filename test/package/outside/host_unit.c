/* A unit with kernels for the host machine: one thread locks and unlocks. */
#include <stdio.h>
#include <weir/device.h>
#include <weir/weir.h>

int main(void)
{
	weir_device *device;
	weir_mutex mutex;

	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_mutex_create(device, NULL, &mutex) != WEIR_OK) {
		fprintf(stderr, "%s\n", weir_error_text());
		return 1;
	}
	weir_mutex_lock(mutex);
	weir_mutex_unlock(mutex);
	return weir_device_close(device) != WEIR_OK;
}
