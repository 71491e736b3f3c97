/* The promises of weir_embed_kernels about the two images that it links in. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern const void *const toy_cuda_image;
extern const char *const toy_opencl_text;

static int check(int holds, const char *what)
{
	if (!holds)
		fprintf(stderr, "embedded: not so: %s\n", what);
	return !holds;
}

static int check_cuda_image(void)
{
#if WITH_CUDA
	const uint32_t fatbin_magic = 0xba55ed50;
	uint32_t magic;
	if (check(toy_cuda_image != NULL, "there is a CUDA image"))
		return 1;
	memcpy(&magic, toy_cuda_image, sizeof magic);
	return check(magic == fatbin_magic, "the CUDA image is a fatbin") +
	       check((uintptr_t)toy_cuda_image % 8 == 0, "the CUDA image is aligned");
#else
	return check(toy_cuda_image == NULL, "without nvcc there is no CUDA image");
#endif
}

int main(void)
{
	int wrong = check_cuda_image();
	wrong += check(strstr(toy_opencl_text, "#define TOY_STEP 3\n") != NULL, "DEFINES come");
	wrong += check(strstr(toy_opencl_text, "void toy(") != NULL, "the kernel is in the text");
	wrong += check(strstr(toy_opencl_text, "#include \"") == NULL, "no include is left");
	wrong += check(strlen(toy_opencl_text) > 10000, "weir's headers are in the text");
	return wrong != 0;
}
