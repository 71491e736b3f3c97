/* opencl_text FILE: builds the device side in FILE, as one source, for the first OpenCL device. */
#include <stdio.h>
#include <stdlib.h>
#include <weir/weir.h>

static const char kernel[] = "__kernel void nothing(__global unsigned *x) { x[0] = 0; }\n";

/* The contents of the file and the kernel; NULL if the file cannot be read. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t room = 4u << 20;
	char *text = malloc(room);

	if (file && text) {
		size_t used = fread(text, 1, room - sizeof kernel, file);
		snprintf(text + used, room - used, "%s", kernel);
	}
	if (file)
		fclose(file);
	return file ? text : NULL;
}

int main(int argc, char **argv)
{
	weir_program_text text = {.opencl_text = argc > 1 ? read_text(argv[1]) : NULL};
	weir_device *device;
	weir_program *program;

	weir_status status = weir_device_open("opencl", &device);
	if (status == WEIR_NO_DEVICE)
		return puts(weir_error_text()), 77;
	if (status == WEIR_OK)
		status = weir_program_create(device, &text, &program);
	if (status == WEIR_OK)
		return weir_device_close(device) != WEIR_OK;
	fprintf(stderr, "%s: %s\n", weir_status_text(status), weir_error_text());
	return 1;
}
