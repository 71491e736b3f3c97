/* Futexes. A condition variable would do, but each thread that it wakes must take its mutex: with some
 * thirty threads that sync again and again, most of the time goes there. */
#define _GNU_SOURCE
#include "host/word.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void weir_host_word_wait(uint32_t *word, uint32_t value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
		syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void weir_host_word_wait_for(uint32_t *word, uint32_t value, uint64_t ns)
{
	struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0);
}

void weir_host_word_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
