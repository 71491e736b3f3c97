/* Shared by the tests of the public functions: the device, checks of a status and its error text,
 * and a way to run one of the kernels of api_kernels.h. */
#ifndef API_H
#define API_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "params.h"
#include "weir/weir.h"

#define API_SKIPPED 77
#define API_DEADLINE_NS 300000000000u
#define API_DATA_WORDS 4096u

/* Thousands of threads take too long under ThreadSanitizer; other builds of the same test start
 * them. */
#ifdef __SANITIZE_THREAD__
#define API_SLOW_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define API_SLOW_THREADS 1
#endif
#endif
#ifndef API_SLOW_THREADS
#define API_SLOW_THREADS 0
#endif

/* These options, which must be a variable, with that kind. */
#define api_of_kind(options, value) ((options).kind = (value), &(options))

#define api_ok(call) api_check_ok((call), #call, __FILE__, __LINE__)

/* The call must return `status` and must say why: it must replace the message of an error provoked
 * beforehand. */
#define api_fails(call, status)                                                                    \
	do {                                                                                       \
		api_provoke();                                                                     \
		api_check_failed((call), (status), #call, __FILE__, __LINE__);                     \
	} while (0)

/* A refused creation, which leaves a handle without an object. */
#define api_refused(call, status, handle)                                                          \
	do {                                                                                       \
		memset(&(handle), 0xa5, sizeof(handle));                                           \
		api_fails(call, status);                                                           \
		assert_null((handle).words);                                                       \
		assert_int_equal((handle).config.kind, 0);                                         \
	} while (0)

/* Checks that the last error's text contains these words. */
void api_said(const char *words);

void api_check_ok(weir_status got, const char *call, const char *file, int line);
void api_provoke(void);
void api_check_failed(weir_status got, weir_status want, const char *call, const char *file,
                      int line);

/* The name of the device: WEIR_TEST_DEVICE, or the first argument, or "host". */
const char *api_device_name(void);

/* Runs the tests, or prints why the device is not there and returns API_SKIPPED. */
#define api_main(argc, argv, tests)                                                                \
	(api_begin((argc), (argv)) ? API_SKIPPED                                                   \
	                           : cmocka_run_group_tests((tests), api_setup, api_teardown))
int api_begin(int argc, char **argv);

/* While the tests of a program run, the device is open and the kernels and `data` are ready. */
int api_setup(void **state);
int api_teardown(void **state);
extern weir_device *api_device;
extern weir_device_info api_info;
/* Whether kernels are compiled for CUDA: they run on a GPU, or are interpreted. */
static inline int api_is_cuda(void)
{
	return api_info.machine == WEIR_MACHINE_CUDA || api_info.machine == WEIR_MACHINE_PTX;
}

extern weir_program *api_program;
extern weir_buffer api_data;
weir_program_text api_text(void);

weir_kernel api_kernel(const char *name);

typedef struct api_run {
	const char *kernel;
	weir_word *words; /* of an object, or any memory of the device */
	api_params params;
	uint32_t grid, threads;
	const weir_barrier *barrier;
} api_run;

/* A launch with the arguments that all kernels of api_kernels.h take. `arguments` has room for
 * three and must live as long as the launch is used. */
weir_launch api_launch(const api_run *run, weir_argument *arguments);
/* Launches and waits. */
void api_run_kernel(api_run run);

/* Runs this program with the device and a number in a separate process, since it may break more than a
 * launch. Returns 1 unless it ends with status 0, or by the signal if that is not 0. */
int api_fails_apart(char **argv, uint32_t number, int signal);

/* The launch fails, and nothing else does. */
void api_end_launch(const api_run *run);

/* Mistakes in kernels; each ends its launch. */
typedef struct api_mistakes {
	uint32_t count;
	uint32_t on_the_host; /* the first ones: the others run on a GPU */
	/* Makes a mistake, with api_end_launch, and returns the words that the error must
	 * contain. */
	const char *(*make)(uint32_t number);
} api_mistakes;

/* Makes all mistakes: on the host in this process, on CUDA each in its own process, which calls
 * api_make_mistake with its second argument. Returns the number of failures. */
int api_check_mistakes(api_mistakes mistakes, char **argv);
int api_make_mistake(api_mistakes mistakes, const char *number);

/* Caller's memory that is not zero, with more of it on both sides. The options put the object there, and it must
 * leave both sides unchanged. */
#define API_MARGIN 512u
typedef struct api_place {
	weir_buffer memory;
	size_t bytes;
} api_place;

api_place api_place_begin(weir_object_options *options, size_t bytes);
void api_place_look(const api_place *place, unsigned char *bytes); /* may be NULL */
void api_place_end(api_place *place);

void api_clear_data(void);
uint32_t api_datum(uint32_t index);

/* The next kind of barrier after `kind` that is not the vendor's; 0: there is none. */
uint32_t api_next_barrier(uint32_t kind);

#endif
