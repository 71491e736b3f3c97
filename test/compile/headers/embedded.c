/* What weir_embed_kernels guarantees about the images that it links in. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern const void *const toy_cuda_image;
extern const void *const toy_hip_image;
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

static int check_hip_image(void)
{
#if WITH_HIP
	if (check(toy_hip_image != NULL, "there is a HIP image"))
		return 1;
	return check(memcmp(toy_hip_image, "\177ELF", 4) == 0 ||
	                 memcmp(toy_hip_image, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0,
	             "the HIP image is a code object or a bundle") +
	       check((uintptr_t)toy_hip_image % 4096 == 0, "the HIP image is aligned");
#else
	return check(toy_hip_image == NULL, "without WEIR_HIP there is no HIP image");
#endif
}

int main(void)
{
	int wrong = check_cuda_image() + check_hip_image();
	wrong += check(strstr(toy_opencl_text, "#define TOY_STEP 3\n") != NULL, "DEFINES come");
	wrong += check(strstr(toy_opencl_text, "void toy(") != NULL, "the kernel is in the text");
	wrong += check(strstr(toy_opencl_text, "#include \"") == NULL, "no include is left");
	wrong += check(strlen(toy_opencl_text) > 10000, "weir's headers are in the source");
	return wrong != 0;
}
