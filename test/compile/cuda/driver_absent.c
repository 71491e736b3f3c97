/* Without a driver that works, the cuda backend says why and offers no device.
 *
 *   driver_absent REASON
 *
 * Status 77 where there is a working driver after all.
 */
#include <stdio.h>
#include <string.h>

#include "core/backend.h"

int main(int argc, char **argv)
{
	size_t count = 1;
	void *state = NULL;
	weir_device_info info;
	const char *reason = weir_cuda_backend.list(NULL, 0, &count);

	if (argc != 2)
		return 2;
	if (count > 0) {
		printf("skipped: there are %zu CUDA devices\n", count);
		return 77;
	}
	printf("%s\n", reason);
	if (!strstr(reason, argv[1])) {
		printf("FAILED: the reason should hold: %s\n", argv[1]);
		return 1;
	}
	if (weir_cuda_backend.open(0, &state, &info) != WEIR_NO_DEVICE || state) {
		printf("FAILED: a device was opened\n");
		return 1;
	}
	return strstr(weir_error_text(), argv[1]) ? 0 : 1;
}
