/* A program with a header that `weir header barrier,event` wrote. It makes its objects in its own memory,
 * and its threads are the blocks. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "weir_part.h"

#define BLOCKS 4u
#define ROUNDS 200u

static weir_word words[WEIR_BARRIER_WORDS(BLOCKS)];
static weir_word event_words[WEIR_EVENT_ARRAY_WORDS(1)];
static uint32_t values[BLOCKS];
static uint32_t wrong[BLOCKS];
static uint32_t message;

static void *work(void *argument)
{
	uint32_t me = *(const uint32_t *)argument;

	weir_host_join(me, BLOCKS);
	weir_barrier b = weir_barrier_in(words, BLOCKS);
	weir_event e = weir_event_at(weir_event_array_in(event_words, 1), 0);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		values[me] = round;
		weir_barrier_wait(b);
		wrong[me] += values[(me + 1) % BLOCKS] != round;
		weir_barrier_wait(b);
	}
	if (me == 0) {
		message = 42;
		weir_event_signal(e, 1);
	} else {
		weir_event_wait(e, 1);
		wrong[me] += message != 42;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[BLOCKS];
	uint32_t ids[BLOCKS], sum = 0;

	alarm(60);
	for (uint32_t i = 0; i < BLOCKS; i++) {
		ids[i] = i;
		if (pthread_create(&threads[i], NULL, work, &ids[i]) != 0)
			return 1;
	}
	for (uint32_t i = 0; i < BLOCKS; i++) {
		pthread_join(threads[i], NULL);
		sum += wrong[i];
	}
	printf("%u blocks, %u rounds, %u wrong values\n", BLOCKS, ROUNDS, sum);
	return sum != 0;
}
