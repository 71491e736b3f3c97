/* A persistent kernel that answers requests from the host until there are no more. It is compiled
 * with WEIR_SYSTEM_SCOPE, and for the kind `lines`, which has items of any size. */
#ifndef EXAMPLE_REQUESTS_KERNELS_H
#define EXAMPLE_REQUESTS_KERNELS_H

#include "kernels/kernel.h"

#define REQUEST_WORDS 2u /* of a request, which is a number and a value; and of an answer */
#define REQUEST_ANSWER(value) ((value) * (value) + 1)

typedef struct requests_params {
	weir_queue_config requests;
	weir_queue_config answers;
} requests_params;

/* words: the queue of requests. data: the queue of answers. The host closes the first; then the
 * blocks leave it, and the last one closes the answers. */
WEIR_KERNEL(serve, requests_params)
{
	weir_queue requests = weir_queue_make(words, params.requests);
	weir_queue answers = weir_queue_make((WEIR_GLOBAL weir_word *)data, params.answers);
	uint32_t item[REQUEST_WORDS] = {0, 0};

	if (weir_thread_id() != 0)
		return;
	while (weir_queue_pop_item(requests, item, REQUEST_WORDS) == WEIR_OK) {
		item[1] = REQUEST_ANSWER(item[1]);
		weir_queue_push_item(answers, item, REQUEST_WORDS);
	}
	if (weir_queue_leave(requests))
		weir_queue_close(answers);
}

#endif
