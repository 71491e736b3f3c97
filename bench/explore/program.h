/* What the programs for GenMC have in common: THREADS threads that call run(). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void run(unsigned me);

static void *start(void *me)
{
	run((unsigned)(unsigned long)me);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (unsigned long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, start, (void *)i);
	return 0;
}
