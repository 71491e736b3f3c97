/* The host feeds a persistent kernel and reads its answers while it runs, using events in memory that
 * both share.
 *
 *   example_feed [DEVICE]    "host" by default */
#include <time.h>

#include "check.h"
#include "feed_kernels.h"

#define BLOCKS 4u
#define THREADS 32u
#define ITEMS 100u
#define MOST (ITEMS + BLOCKS) /* and an end for each block */
#define ITEM(i) ((i)*7 + 3)

extern const void *const example_feed_cuda_image;
extern const void *const example_feed_hip_image;
extern const char *const example_feed_opencl_text;

static weir_device *device;
static weir_event_array events;
static weir_buffer data;

static void feed(uint32_t place, uint32_t item)
{
	((uint32_t *)data.native)[place] = item;
	CHECK(weir_event_host_post(device, events, 0, 1)); /* the item precedes the count */
}

static uint32_t answer_to(uint32_t place)
{
	/* The count is read before the answer. */
	CHECK(weir_event_host_wait(device, events, 1 + place % BLOCKS, place / BLOCKS + 1,
	                           DEADLINE_NS));
	return ((uint32_t *)data.native)[MOST + place];
}

static void launch(weir_program *program)
{
	feed_params params = {events.config, MOST};
	const weir_argument arguments[] = {{&events.words, sizeof events.words},
	                                   {&data.native, sizeof data.native},
	                                   {&params, sizeof params}};
	weir_launch asked = {
	    .grid = {BLOCKS}, .block = {THREADS}, .arguments = arguments, .argument_count = 3};

	CHECK(weir_program_kernel(program, "feed_serve", &asked.kernel));
	CHECK(weir_kernel_launch(device, &asked));
}

static double now_us(void)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

int main(int argc, char **argv)
{
	static const weir_host_entry entries[] = {{"feed_serve", feed_serve_entry}};
	const weir_program_text text = {.cuda_image = example_feed_cuda_image,
	                                .hip_image = example_feed_hip_image,
	                                .opencl_text = example_feed_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	const weir_event_array_options options = {.host_visible = 1};
	weir_program *program;
	weir_status status = weir_device_open(argc > 1 ? argv[1] : "host", &device);
	uint32_t wrong = 0;

	if (status == WEIR_OK)
		status = weir_event_array_create(device, 1 + BLOCKS, &options, &events);
	if (status == WEIR_NO_DEVICE || status == WEIR_UNSUPPORTED) {
		puts(weir_error_text());
		return 77; /* skipped */
	}
	CHECK(status);
	CHECK(weir_buffer_create_shared(device, 2 * MOST * sizeof(uint32_t), &data));
	CHECK(weir_program_create(device, &text, &program));
	launch(program);

	feed(0, ITEM(0));
	wrong += answer_to(0) != FEED_ANSWER(ITEM(0)); /* now it is running */
	double begin = now_us();
	for (uint32_t i = 1; i < ITEMS; i++) {
		feed(i, ITEM(i));
		wrong += answer_to(i) != FEED_ANSWER(ITEM(i));
	}
	double each = (now_us() - begin) / (ITEMS - 1);
	for (uint32_t i = 0; i < BLOCKS; i++)
		feed(ITEMS + i, FEED_END);
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_program_destroy(program));
	CHECK(weir_device_close(device)); /* also frees the events and the buffer */
	printf("feed: %u items, %u wrong answers, %.1f us for each one and its answer\n", ITEMS,
	       wrong, each);
	return wrong != 0;
}
