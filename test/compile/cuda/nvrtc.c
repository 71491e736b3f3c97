/* Compiles a kernel with the device headers through NVRTC, the compiler as a library. It has no
 * host headers, and gets weir's as strings in memory, as from a framework.
 *
 *   nvrtc INCLUDE_FOLDER DEVICE_SINGLE_H [FOLDER_OF_LIBNVRTC...]
 *
 * Exits with 77 if there is no NVRTC.
 */
#define _XOPEN_SOURCE 700

#include <dlfcn.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIP 77
#define MOST_HEADERS 256
#define COMPILATION_ERROR 6 /* NVRTC_ERROR_COMPILATION */

typedef struct _nvrtcProgram *program;

static struct {
	int (*create)(program *made, const char *text, const char *name, int header_count,
	              const char *const *headers, const char *const *header_names);
	int (*compile)(program made, int option_count, const char *const *options);
	int (*log_size)(program made, size_t *size);
	int (*log)(program made, char *to);
	int (*ptx_size)(program made, size_t *size);
	int (*ptx)(program made, char *to);
	int (*destroy)(program *made);
	int (*arch_count)(int *count);
	int (*archs)(int *to);
} nvrtc;

static char *headers[MOST_HEADERS];
static char *header_names[MOST_HEADERS];
static int header_count;
static size_t include_length;

static const char good[] = "#include \"weir/device.h\"\n"
			   "extern \"C\" __global__ void step(weir_barrier b, weir_mutex m,\n"
			   "                                weir_semaphore s, int *total)\n"
			   "{\n"
			   "	weir_barrier_wait(b);\n"
			   "	weir_semaphore_block_wait(s);\n"
			   "	weir_mutex_block_lock(m);\n"
			   "	if (threadIdx.x == 0)\n"
			   "		*total += 1;\n"
			   "	weir_mutex_block_unlock(m);\n"
			   "	weir_semaphore_block_post(s);\n"
			   "}\n";

/* The whole device side as one string, and a kernel that makes its handles itself. */
static const char single_kernel[] =
    "extern \"C\" __global__ void step(weir_word *words, int *total)\n"
    "{\n"
    "	weir_barrier b = weir_barrier_in(words, gridDim.x);\n"
    "	weir_mutex m = weir_mutex_in(words + WEIR_BARRIER_WORDS(132));\n"
    "	weir_mutex_block_lock(m);\n"
    "	if (threadIdx.x == 0)\n"
    "		*total += 1;\n"
    "	weir_mutex_block_unlock(m);\n"
    "	weir_barrier_wait(b);\n"
    "}\n";

/* A plain access to a shared word, which must not compile. */
static const char bad[] = "#include \"weir/device.h\"\n"
			  "extern \"C\" __global__ void step(weir_mutex m)\n"
			  "{\n"
			  "	m.words[0] = 0;\n"
			  "}\n";

static int find(void *library, const char *name, void *slot)
{
	void *symbol = dlsym(library, name);
	if (!symbol)
		fprintf(stderr, "libnvrtc lacks %s\n", name);
	memcpy(slot, &symbol, sizeof symbol);
	return symbol != NULL;
}

static void *open_library(int folder_count, char **folders)
{
	static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
	                                    "libnvrtc.so.11.2"};

	for (int f = -1; f < folder_count; f++)
		for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
			char path[4096];
			void *library;

			snprintf(path, sizeof path, "%s%s%s", f < 0 ? "" : folders[f],
			         f < 0 ? "" : "/", names[n]);
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
			if (library)
				return library;
		}
	return NULL;
}

static int find_all(void *library)
{
	return find(library, "nvrtcCreateProgram", &nvrtc.create) &&
	       find(library, "nvrtcCompileProgram", &nvrtc.compile) &&
	       find(library, "nvrtcGetProgramLogSize", &nvrtc.log_size) &&
	       find(library, "nvrtcGetProgramLog", &nvrtc.log) &&
	       find(library, "nvrtcGetPTXSize", &nvrtc.ptx_size) &&
	       find(library, "nvrtcGetPTX", &nvrtc.ptx) &&
	       find(library, "nvrtcDestroyProgram", &nvrtc.destroy) &&
	       find(library, "nvrtcGetNumSupportedArchs", &nvrtc.arch_count) &&
	       find(library, "nvrtcGetSupportedArchs", &nvrtc.archs);
}

static int add_header(const char *path, const struct stat *status, int type, struct FTW *where)
{
	size_t bytes = (size_t)status->st_size;
	FILE *file;
	char *text;

	(void)where;
	if (type != FTW_F || strcmp(path + strlen(path) - 2, ".h") != 0)
		return 0;
	file = fopen(path, "r");
	text = calloc(bytes + 1, 1);
	if (!file || !text || header_count == MOST_HEADERS ||
	    fread(text, 1, bytes, file) != bytes) {
		fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	fclose(file);
	headers[header_count] = text;
	header_names[header_count++] = strdup(path + include_length + 1);
	return 0;
}

/* The result of the compilation; its log and its PTX, which the caller frees. */
static int compile(const char *text, int arch, char **log, char **ptx)
{
	char option[64];
	const char *options[2] = {option, "--std=c++17"};
	program made = NULL;
	size_t size = 0;
	int result;

	*log = *ptx = NULL;
	snprintf(option, sizeof option, "--gpu-architecture=compute_%d", arch);
	if (nvrtc.create(&made, text, "step.cu", header_count, (const char *const *)headers,
	                 (const char *const *)header_names))
		return -1;
	result = nvrtc.compile(made, 2, options);
	if (nvrtc.log_size(made, &size) == 0 && (*log = calloc(size + 1, 1)))
		nvrtc.log(made, *log);
	if (result == 0 && nvrtc.ptx_size(made, &size) == 0 && (*ptx = calloc(size + 1, 1)))
		nvrtc.ptx(made, *ptx);
	nvrtc.destroy(&made);
	return result;
}

static int compiles(const char *text, int arch)
{
	char *log;
	char *ptx;
	int result = compile(text, arch, &log, &ptx);
	int fine = result == 0 && log && !*log && ptx && strstr(ptx, ".acquire.gpu") &&
	           strstr(ptx, "st.release.gpu") && strstr(ptx, "weir_kernels_have_ILi2ELi3E");

	printf("compute_%d: %s\n", arch, fine ? "compiles without a warning" : "FAILS");
	if (!fine)
		printf("result %d\n%s\n", result, log ? log : "");
	free(log);
	free(ptx);
	return fine;
}

static int compiles_single(const char *path, int arch)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t bytes = 0;
	int fine = 0;

	if (file && getdelim(&text, &bytes, '\0', file) > 0) {
		bytes = strlen(text) + sizeof single_kernel;
		text = realloc(text, bytes);
		if (text)
			fine = compiles(strcat(text, single_kernel), arch);
	} else {
		fprintf(stderr, "cannot read %s\n", path);
	}
	if (file)
		fclose(file);
	free(text);
	return fine;
}

static int refuses(int arch)
{
	char *log;
	char *ptx;
	int result = compile(bad, arch, &log, &ptx);
	int fine = result == COMPILATION_ERROR && log && strstr(log, "error");

	printf("a plain access to a word: %s\n", fine ? "refused" : "NOT REFUSED");
	free(log);
	free(ptx);
	return fine;
}

static int supports(const int *archs, int count, int arch)
{
	for (int i = 0; i < count; i++)
		if (archs[i] == arch)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	void *library;
	int archs[256];
	int count = 0;
	int failed = 0;

	if (argc < 3) {
		fprintf(stderr,
		        "usage: nvrtc INCLUDE_FOLDER DEVICE_SINGLE_H [FOLDER_OF_LIBNVRTC...]\n");
		return 2;
	}
	library = open_library(argc - 3, argv + 3);
	if (!library) {
		printf("skipped: libnvrtc not found\n");
		return SKIP;
	}
	include_length = strlen(argv[1]);
	if (!find_all(library) || nftw(argv[1], add_header, 8, FTW_PHYS) || header_count == 0 ||
	    nvrtc.arch_count(&count) || count < 1 || count > 256 || nvrtc.archs(archs))
		return 1;
	if (supports(archs, count, 75))
		failed += !compiles(good, 75);
	if (supports(archs, count, 90))
		failed += !compiles(good, 90);
	failed += !compiles(good, archs[count - 1]);
	failed += !refuses(archs[count - 1]);
	failed += !compiles_single(argv[2], archs[count - 1]);
	for (int i = 0; i < header_count; i++) {
		free(headers[i]);
		free(header_names[i]);
	}
	return failed != 0;
}
