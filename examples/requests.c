/* The host sends requests to a persistent kernel through one queue and takes the answers from another,
 * while the kernel runs.
 *
 *   example_requests [DEVICE]    "host" by default */
#include <time.h>

#include "requests_kernels.h"
#include "run.h"

#define BLOCKS 4u
#define THREADS 32u
#define CAPACITY 64u
#define ALONE 100u /* requests sent one at a time */
#define TOGETHER 2000u
#define AHEAD 32u /* requests in flight at once */
#define VALUE(i) ((i)*7 + 3)

extern const void *const example_requests_cuda_image;
extern const void *const example_requests_hip_image;
extern const char *const example_requests_opencl_text;

static weir_device *device;
static weir_queue requests, answers;
static uint32_t wrong;

static void ask(uint32_t number)
{
	const uint32_t item[REQUEST_WORDS] = {number, VALUE(number)};

	CHECK(weir_queue_host_push(device, requests, item, sizeof item, DEADLINE_NS));
}

/* Answers arrive in any order, because several blocks serve. */
static void take(uint8_t *seen, uint32_t count)
{
	uint32_t item[REQUEST_WORDS];

	CHECK(weir_queue_host_pop(device, answers, item, sizeof item, DEADLINE_NS));
	if (item[0] >= count || seen[item[0]] || item[1] != REQUEST_ANSWER(VALUE(item[0])))
		wrong++;
	else
		seen[item[0]] = 1;
}

static double now_us(void)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* Sends `count` requests, up to `ahead` of them at once; returns the microseconds per request. */
static double serve_all(uint32_t count, uint32_t ahead)
{
	static uint8_t seen[TOGETHER];
	double begin = now_us();
	uint32_t asked = 0;

	for (uint32_t i = 0; i < TOGETHER; i++)
		seen[i] = 0;
	for (uint32_t taken = 0; taken < count; taken++) {
		while (asked < count && asked < taken + ahead)
			ask(asked++);
		take(seen, count);
	}
	return (now_us() - begin) / count;
}

static weir_status make_queues(void)
{
	const weir_queue_options push = {.host_side = WEIR_HOST_PUSHES};
	const weir_queue_options pop = {.host_side = WEIR_HOST_POPS};
	size_t bytes = REQUEST_WORDS * sizeof(uint32_t);
	weir_status status = weir_queue_create(device, CAPACITY, bytes, &push, &requests);

	if (status == WEIR_OK)
		status = weir_queue_create(device, CAPACITY, bytes, &pop, &answers);
	return status;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"serve", serve_entry}};
	const weir_program_text text = {.cuda_image = example_requests_cuda_image,
	                                .hip_image = example_requests_hip_image,
	                                .opencl_text = example_requests_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	requests_params params;
	weir_program *program;
	uint32_t item[REQUEST_WORDS];
	weir_status status;

	device = run_open(argc, argv);
	status = make_queues();
	if (status == WEIR_UNSUPPORTED) {
		puts(weir_error_text());
		return SKIPPED;
	}
	CHECK(status);
	params = (requests_params){requests.config, answers.config};
	CHECK(weir_program_create(device, &text, &program));
	run_launch(device, program, "serve", BLOCKS, THREADS,
	           &(run_arguments){requests.words, answers.words, &params, sizeof params});
	serve_all(1, 1); /* now it is running */
	double alone = serve_all(ALONE, 1);
	double together = serve_all(TOGETHER, AHEAD);

	CHECK(weir_queue_host_close(device, requests)); /* ends the pops of the kernel */
	wrong += weir_queue_host_pop(device, answers, item, sizeof item, DEADLINE_NS) !=
	         WEIR_CLOSED; /* the kernel has closed its answers, and none is left */
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device)); /* also frees the queues */
	printf("requests: %.1f us from a request to its answer, %.2f us for each of %u with %u on "
	       "their way; %u wrong\n",
	       alone, together, TOGETHER, AHEAD, wrong);
	return wrong != 0;
}
