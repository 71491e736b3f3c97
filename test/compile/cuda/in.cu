/* The same kernels twice: with a handle from the host, and with a handle that the kernel makes in
 * zeroed memory. `in_registers` compares their cost. */
#include "weir/device.h"

#define MEET(name, arguments, made)                                                                \
	extern "C" __global__ void name arguments                                                  \
	{                                                                                          \
		weir_barrier object = made;                                                        \
		uint32_t i = weir_block_id() * weir_thread_count() + weir_thread_id();             \
		float kept = data[i];                                                              \
		for (uint32_t round = 0; round < rounds; round++) {                                \
			weir_barrier_wait(object);                                                 \
			kept += data[(i + round) % (weir_block_count() * weir_thread_count())];    \
			weir_barrier_wait(object);                                                 \
			data[i] = kept;                                                            \
		}                                                                                  \
	}

MEET(barrier_handle, (weir_barrier b, float *data, uint32_t rounds), b)
MEET(barrier_in, (weir_word * words, float *data, uint32_t rounds),
     weir_barrier_in(words, gridDim.x))
MEET(barrier_in_constant, (weir_word * words, float *data, uint32_t rounds),
     weir_barrier_in(words, 132))

#define COUNT(name, arguments, take, give, object)                                                 \
	extern "C" __global__ void name arguments                                                  \
	{                                                                                          \
		for (uint32_t round = 0; round < rounds; round++) {                                \
			take(object);                                                              \
			data[round % 7] += data[round];                                            \
			give(object);                                                              \
		}                                                                                  \
	}

COUNT(mutex_handle, (weir_mutex m, float *data, uint32_t rounds), weir_mutex_block_lock,
      weir_mutex_block_unlock, m)
COUNT(mutex_in, (weir_word * words, float *data, uint32_t rounds), weir_mutex_block_lock,
      weir_mutex_block_unlock, weir_mutex_in(words))
COUNT(array_handle, (weir_mutex_array a, float *data, uint32_t rounds), weir_mutex_lock,
      weir_mutex_unlock, weir_mutex_at(a, round))
COUNT(array_in, (weir_word * words, float *data, uint32_t rounds), weir_mutex_lock,
      weir_mutex_unlock, weir_mutex_at(weir_mutex_array_in(words, rounds), round))
COUNT(semaphore_handle, (weir_semaphore s, float *data, uint32_t rounds), weir_semaphore_block_wait,
      weir_semaphore_block_post, s)
COUNT(semaphore_in, (weir_word * words, float *data, uint32_t rounds), weir_semaphore_block_wait,
      weir_semaphore_block_post, weir_semaphore_in(words, 10))

#define PASS_ON(name, arguments, made)                                                             \
	extern "C" __global__ void name arguments                                                  \
	{                                                                                          \
		weir_queue object = made;                                                          \
		uint32_t item = 0;                                                                 \
		for (uint32_t round = 0; round < rounds; round++) {                                \
			weir_queue_push(object, round);                                            \
			weir_queue_pop(object, &item);                                             \
			data[item] += data[round];                                                 \
		}                                                                                  \
	}

PASS_ON(queue_handle, (weir_queue q, float *data, uint32_t rounds), q)
PASS_ON(queue_in, (weir_word * words, float *data, uint32_t rounds), weir_queue_in(words, 10))

#define TAKE(name, arguments, made)                                                                \
	extern "C" __global__ void name arguments                                                  \
	{                                                                                          \
		weir_dispenser object = made;                                                      \
		weir_share share = weir_dispenser_begin(object);                                   \
		while (weir_dispenser_block_next(object, &share, 4))                               \
			for (uint32_t i = threadIdx.x; i < share.count; i += blockDim.x)           \
				data[share.first + i] += data[rounds];                             \
	}

TAKE(dispenser_handle, (weir_dispenser d, float *data, uint32_t rounds), d)
TAKE(dispenser_in, (weir_word * words, float *data, uint32_t rounds),
     weir_dispenser_in(words, rounds))

static_assert(WEIR_BARRIER_WORDS(132) == 3 * WEIR_LINE_WORDS, "a constant expression");
