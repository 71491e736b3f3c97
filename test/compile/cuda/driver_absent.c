/* Without a working driver, the cuda or hip backend says why and offers no device.
 *
 *   driver_absent cuda|hip REASON
 *
 * Exits with 77 if there is a working driver after all.
 */
#include <stdio.h>
#include <string.h>

#include "core/backend.h"

int main(int argc, char **argv)
{
	size_t count = 1;
	void *state = NULL;
	weir_device_info info;
	const weir_backend *backend;
	const char *reason;

	if (argc != 3)
		return 2;
	backend = strcmp(argv[1], "hip") == 0 ? &weir_hip_backend : &weir_cuda_backend;
	reason = backend->list(NULL, 0, &count);
	if (count > 0) {
		printf("skipped: there are %zu %s devices\n", count, argv[1]);
		return 77;
	}
	printf("%s\n", reason);
	if (!strstr(reason, argv[2])) {
		printf("FAILED: the reason should hold: %s\n", argv[2]);
		return 1;
	}
	if (backend->open(0, &state, &info) != WEIR_NO_DEVICE || state) {
		printf("FAILED: a device was opened\n");
		return 1;
	}
	return strstr(weir_error_text(), argv[2]) ? 0 : 1;
}
