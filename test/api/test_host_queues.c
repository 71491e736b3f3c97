/* Queues that the host uses while a kernel runs: it sends requests and gets answers. Bad input to
 * these functions is refused. */
#include "api.h"

#include <pthread.h>
#include <string.h>

#define ITEMS 200u
#define BLOCKS 3u
#define THREADS 33u
#define CAPACITY 8u
#define SHORT_NS 2000000u
#define ITEM(i) (0x9e3779b9u * ((i) + 1))

static weir_status make(weir_queue_kind kind, size_t bytes, uint32_t side, weir_queue *queue)
{
	weir_queue_options options = {.host_side = side};

	if (kind == WEIR_QUEUE_SINGLE)
		options.single =
		    side == WEIR_HOST_PUSHES ? WEIR_QUEUE_ONE_PUSHES : WEIR_QUEUE_ONE_POPS;
	return weir_queue_create(api_device, CAPACITY, bytes, api_of_kind(options, kind), queue);
}

/* OpenCL has no queues that the host and running kernels share, and refuses to create one. */
static int has_shared_memory(void)
{
	weir_queue q;

	if (api_info.machine != WEIR_MACHINE_OPENCL)
		return 1;
	memset(&q, 0xa5, sizeof q);
	api_fails(make(WEIR_QUEUE_DEFAULT, 4, WEIR_HOST_PUSHES, &q), WEIR_UNSUPPORTED);
	assert_non_null(strstr(weir_error_text(), "while a kernel runs"));
	assert_null(q.words);
	return 0;
}

static weir_queue made(weir_queue_kind kind, size_t bytes, uint32_t side)
{
	weir_queue q;

	api_ok(make(kind, bytes, side, &q));
	return q;
}

static void options(void **state)
{
	weir_queue_options with = {.host_side = WEIR_HOST_PUSHES};
	weir_queue q;

	(void)state;
	if (!has_shared_memory())
		return;
	for (uint32_t side = 3; side < 5; side++) {
		memset(&q, 0xa5, sizeof q);
		api_fails(make(WEIR_QUEUE_DEFAULT, 4, side, &q), WEIR_BAD_ARGUMENT);
		assert_non_null(strstr(weir_error_text(), "WEIR_HOST_PUSHES or WEIR_HOST_POPS"));
		assert_null(q.words);
	}
	with.object.memory = api_data.native;
	with.object.memory_bytes = API_DATA_WORDS * sizeof(uint32_t);
	api_fails(weir_queue_create(api_device, 1, 4, &with, &q), WEIR_UNSUPPORTED);
	with = (weir_queue_options){.host_side = WEIR_HOST_POPS, .object.diagnose = 1};
	api_fails(weir_queue_create(api_device, 1, 4, &with, &q), WEIR_UNSUPPORTED);
	with = (weir_queue_options){.host_side = WEIR_HOST_POPS, .object.compact = 1};
	api_ok(weir_queue_create(api_device, 5, 4, &with, &q));
	api_ok(weir_queue_destroy(api_device, &q));
}

/* All functions refuse the queue, and change nothing. */
static void all_refuse(weir_device *device, weir_queue q, weir_status status)
{
	uint32_t length = 77, item = 78;

	api_fails(weir_queue_host_push(device, q, &item, sizeof item, SHORT_NS), status);
	api_fails(weir_queue_host_pop(device, q, &item, sizeof item, SHORT_NS), status);
	api_fails(weir_queue_host_close(device, q), status);
	api_fails(weir_queue_host_length(device, q, &length), status);
	assert_int_equal(length, 77);
	assert_int_equal(item, 78);
}

static void bad_input(void **state)
{
	uint32_t item[4] = {1, 2, 3, 4};
	weir_queue in, out, hidden, gone, none;
	weir_device *other;

	(void)state;
	if (!has_shared_memory())
		return;
	in = made(WEIR_QUEUE_DEFAULT, 8, WEIR_HOST_PUSHES);
	out = made(WEIR_QUEUE_DEFAULT, 8, WEIR_HOST_POPS);
	api_fails(weir_queue_host_pop(api_device, in, item, 8, SHORT_NS), WEIR_BAD_ARGUMENT);
	assert_string_equal(weir_error_text(), "the host pushes to this queue, and a kernel pops "
	                                       "from it: create it with the other host_side");
	api_fails(weir_queue_host_push(api_device, out, item, 8, SHORT_NS), WEIR_BAD_ARGUMENT);
	api_fails(weir_queue_host_close(api_device, out), WEIR_BAD_ARGUMENT);
	for (size_t bytes = 0; bytes <= sizeof item; bytes += 2) {
		if (bytes == 8)
			continue;
		api_fails(weir_queue_host_push(api_device, in, item, bytes, SHORT_NS),
		          WEIR_BAD_ARGUMENT);
		api_fails(weir_queue_host_pop(api_device, out, item, bytes, SHORT_NS),
		          WEIR_BAD_ARGUMENT);
	}
	assert_string_equal(weir_error_text(),
	                    "an item of 16 bytes for a queue whose items have 8");
	api_fails(weir_queue_host_push(api_device, in, NULL, 8, SHORT_NS), WEIR_BAD_ARGUMENT);
	api_fails(weir_queue_host_pop(api_device, out, NULL, 8, SHORT_NS), WEIR_BAD_ARGUMENT);
	api_fails(weir_queue_host_length(api_device, in, NULL), WEIR_BAD_ARGUMENT);
	all_refuse(NULL, in, WEIR_BAD_ARGUMENT);

	api_ok(weir_queue_create(api_device, 1, 4, NULL, &hidden));
	all_refuse(api_device, hidden, WEIR_BAD_ARGUMENT);
	assert_non_null(strstr(weir_error_text(), "host_visible"));
	api_ok(weir_queue_destroy(api_device, &hidden));

	memset(&none, 0, sizeof none);
	all_refuse(api_device, none, WEIR_NOT_FOUND);
	api_ok(weir_device_open(api_device_name(), &other));
	all_refuse(other, in, WEIR_NOT_FOUND);
	api_ok(weir_device_close(other));
	all_refuse(other, in, WEIR_DEVICE_CLOSED);
	gone = in;
	api_ok(weir_queue_destroy(api_device, &in));
	all_refuse(api_device, gone, WEIR_NOT_FOUND);
	api_ok(weir_queue_destroy(api_device, &out));
}

static uint32_t length_of(weir_queue q)
{
	uint32_t length;

	api_ok(weir_queue_host_length(api_device, q, &length));
	return length;
}

/* Only the host: full, empty, closed, reset. */
static void alone(void **state)
{
	unsigned char bytes[9];
	uint32_t item = 5;
	weir_queue in, out;

	(void)state;
	if (!has_shared_memory())
		return;
	in = made(WEIR_QUEUE_DEFAULT, 4, WEIR_HOST_PUSHES);
	out = made(WEIR_QUEUE_DEFAULT, 8, WEIR_HOST_POPS);
	/* Twice, so that a reset must undo the items and the close. */
	for (int i = 0; i < 2; i++) {
		for (uint32_t k = 0; k < weir_queue_capacity(in); k++) {
			assert_int_equal(length_of(in), k);
			api_ok(weir_queue_host_push(api_device, in, &item, sizeof item, 0));
		}
		api_fails(weir_queue_host_push(api_device, in, &item, sizeof item, SHORT_NS),
		          WEIR_TIMED_OUT);
		assert_non_null(strstr(weir_error_text(), "the queue is still full after 0."));
		assert_int_equal(length_of(in), weir_queue_capacity(in));
		api_ok(weir_queue_host_close(api_device, in));
		api_ok(weir_queue_host_close(api_device, in));
		api_fails(weir_queue_host_push(api_device, in, &item, sizeof item, 0), WEIR_CLOSED);
		assert_string_equal(weir_error_text(), "a push to a queue that is closed");
		assert_int_equal(length_of(in), weir_queue_capacity(in));
		api_ok(weir_queue_reset(api_device, in));
	}
	/* An item of 8 bytes at an odd address. */
	api_fails(weir_queue_host_pop(api_device, out, bytes + 1, 8, 1), WEIR_TIMED_OUT);
	assert_non_null(strstr(weir_error_text(), "the queue is still empty after 0."));
	assert_int_equal(length_of(out), 0);
	api_ok(weir_queue_destroy(api_device, &in));
	api_ok(weir_queue_destroy(api_device, &out));
}

struct service {
	weir_queue requests, answers;
	uint32_t words; /* of an item */
	weir_word *pointers[2];
	api_pair params;
	weir_argument arguments[3];
};

static void start(struct service *s)
{
	weir_launch launch = {.kernel = api_kernel("api_queue_serve"),
	                      .grid = {BLOCKS},
	                      .block = {THREADS},
	                      .arguments = s->arguments,
	                      .argument_count = 3};

	api_ok(weir_kernel_launch(api_device, &launch));
}

static void serve(struct service *s, weir_queue_kind kind, uint32_t words)
{
	s->words = words;
	s->requests = made(kind, words * sizeof(uint32_t), WEIR_HOST_PUSHES);
	s->answers = made(kind, words * sizeof(uint32_t), WEIR_HOST_POPS);
	s->pointers[0] = s->requests.words;
	s->pointers[1] = s->answers.words;
	s->params = (api_pair){
	    .first.queue = s->requests.config, .other.queue = s->answers.config, .rounds = ITEMS};
	s->arguments[0] = (weir_argument){&s->pointers[0], sizeof s->pointers[0]};
	s->arguments[1] = (weir_argument){&s->pointers[1], sizeof s->pointers[1]};
	s->arguments[2] = (weir_argument){&s->params, sizeof s->params};
}

static void end(struct service *s)
{
	api_ok(weir_queue_destroy(api_device, &s->requests));
	api_ok(weir_queue_destroy(api_device, &s->answers));
}

static weir_status ask(const struct service *s, uint32_t number, uint64_t timeout_ns)
{
	uint32_t item[API_ITEM_WORDS];

	for (uint32_t k = 0; k < s->words; k++)
		item[k] = ITEM(number + k);
	return weir_queue_host_push(api_device, s->requests, item, s->words * sizeof *item,
	                            timeout_ns);
}

/* Pops an answer; `seen` counts the correct answers to each request. */
static weir_status hear(const struct service *s, uint32_t *seen)
{
	uint32_t item[API_ITEM_WORDS];
	weir_status status = weir_queue_host_pop(api_device, s->answers, item,
	                                         s->words * sizeof *item, API_DEADLINE_NS);
	uint32_t right = 0;

	if (status != WEIR_OK)
		return status;
	for (uint32_t i = 0; i < ITEMS; i++) {
		for (right = 0; right < s->words; right++)
			if (item[right] != API_ANSWER(ITEM(i + right)))
				break;
		seen[i] += right == s->words;
	}
	return WEIR_OK;
}

/* Every answer arrives once, and the end follows all of them. */
static void all_seen(struct service *s, uint32_t *seen, uint32_t already)
{
	for (uint32_t i = already; i < ITEMS; i++)
		api_ok(hear(s, seen));
	api_fails(hear(s, seen), WEIR_CLOSED);
	assert_string_equal(weir_error_text(), "a pop from a queue that is closed and empty");
	for (uint32_t i = 0; i < ITEMS; i++)
		assert_int_equal(seen[i], 1);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	assert_int_equal(length_of(s->answers), 0);
}

/* One request at a time, then more than the queues hold, in two launches. */
static void serves(weir_queue_kind kind, uint32_t words)
{
	struct service s;

	serve(&s, kind, words);
	for (int launch = 0; launch < 2; launch++) {
		uint32_t seen[ITEMS] = {0}, asked = 0, heard = 0;

		start(&s);
		for (; asked < ITEMS / 2; heard++) {
			api_ok(ask(&s, asked++, API_DEADLINE_NS));
			api_ok(hear(&s, seen));
		}
		/* Full queues on both sides: a push waits until an answer is popped. */
		for (; asked < ITEMS;) {
			weir_status status = ask(&s, asked, SHORT_NS);

			if (status == WEIR_OK) {
				asked++;
				continue;
			}
			assert_int_equal(status, WEIR_TIMED_OUT);
			/* Fewer than the queue's capacity: a block that was interrupted keeps a
			 * slot while the requests after its own are answered. */
			assert_true(asked > heard);
			api_ok(hear(&s, seen));
			heard++;
		}
		api_ok(weir_queue_host_close(api_device, s.requests));
		all_seen(&s, seen, heard);
		/* The last block has reopened the requests; the answers need a reset. */
		api_ok(weir_queue_reset(api_device, s.answers));
	}
	end(&s);
}

static void serves_with_all_kinds(void **state)
{
	(void)state;
	if (!has_shared_memory())
		return;
	serves(WEIR_QUEUE_CELLS, 1);
	serves(WEIR_QUEUE_LINES, 1);
	serves(WEIR_QUEUE_LINES, 2);
	serves(WEIR_QUEUE_LINES, 5);
	serves(WEIR_QUEUE_SINGLE, 1);
}

/* Items that the host pushed before the launch, and a close before it as well. */
static void pushed_before_the_launch(void **state)
{
	uint32_t seen[ITEMS] = {0};
	struct service s;

	(void)state;
	if (!has_shared_memory())
		return;
	serve(&s, WEIR_QUEUE_DEFAULT, 1);
	for (uint32_t i = 0; i < CAPACITY; i++)
		api_ok(ask(&s, i, 0));
	api_ok(weir_queue_host_close(api_device, s.requests));
	start(&s);
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	for (uint32_t i = 0; i < CAPACITY; i++)
		api_ok(hear(&s, seen));
	api_fails(hear(&s, seen), WEIR_CLOSED);
	for (uint32_t i = 0; i < ITEMS; i++)
		assert_int_equal(seen[i], i < CAPACITY);
	end(&s);
}

struct pusher {
	const struct service *service;
	uint32_t first;
};

static void *push_half(void *given)
{
	const struct pusher *p = given;

	for (uint32_t i = p->first; i < p->first + ITEMS / 2; i++)
		if (ask(p->service, i, API_DEADLINE_NS) != WEIR_OK)
			return given;
	return NULL;
}

/* Two threads push and one pops, all at once: nothing is lost or duplicated. */
static void several_threads(void **state)
{
	uint32_t seen[ITEMS] = {0};
	pthread_t threads[2];
	struct pusher pushers[2];
	struct service s;

	(void)state;
	if (!has_shared_memory())
		return;
	serve(&s, WEIR_QUEUE_DEFAULT, 2);
	start(&s);
	for (uint32_t i = 0; i < 2; i++) {
		pushers[i] = (struct pusher){&s, i * ITEMS / 2};
		assert_int_equal(pthread_create(&threads[i], NULL, push_half, &pushers[i]), 0);
	}
	for (uint32_t i = 0; i < ITEMS; i++)
		api_ok(hear(&s, seen));
	for (uint32_t i = 0; i < 2; i++) {
		void *failed;

		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	api_ok(weir_queue_host_close(api_device, s.requests));
	all_seen(&s, seen, ITEMS);
	end(&s);
}

/* One block pushes to the host: first in, first out, through a queue that is full most of the
 * time. */
static void in_order(void **state)
{
	struct service s;

	(void)state;
	if (!has_shared_memory())
		return;
	serve(&s, WEIR_QUEUE_LINES, 3);
	s.params.value = 1;
	weir_launch launch = {.kernel = api_kernel("api_queue_serve"),
	                      .grid = {1},
	                      .block = {1},
	                      .arguments = s.arguments,
	                      .argument_count = 3};
	api_ok(weir_kernel_launch(api_device, &launch));
	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t item[3];

		api_ok(
		    weir_queue_host_pop(api_device, s.answers, item, sizeof item, API_DEADLINE_NS));
		for (uint32_t k = 0; k < 3; k++)
			assert_int_equal(item[k], i + k);
	}
	api_ok(weir_device_wait(api_device, API_DEADLINE_NS, NULL));
	end(&s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options),
	    cmocka_unit_test(bad_input),
	    cmocka_unit_test(alone),
	    cmocka_unit_test(serves_with_all_kinds),
	    cmocka_unit_test(pushed_before_the_launch),
	    cmocka_unit_test(several_threads),
	    cmocka_unit_test(in_order),
	};
	return api_main(argc, argv, tests);
}
