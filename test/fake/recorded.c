/* Kernels that do nothing, and have no parameters or memory but those that the test looks at. */
#include "kernels.h"

#include <string.h>

/* For tests in other languages, which do not know the structure. */
void fake_set_series(unsigned int series)
{
	fake.series = series;
}

unsigned int fake_cooperative_launches(void)
{
	return (unsigned int)fake.cooperative;
}

uint64_t fake_launch_stream(void)
{
	return (uintptr_t)fake.launch_stream;
}

/* An event is recorded 1.5 milliseconds after the previous event. */
static double now_us(void)
{
	return fake.records * 1500.0;
}

static int loads(const void *image)
{
	return strcmp(image, "good") == 0;
}

static cuda_function find(const char *name)
{
	return strcmp(name, "step") == 0 ? (cuda_function)0x81 : NULL;
}

static void take(fake_op *op, void **parameters)
{
	(void)op;
	fake.launch_argument = *(int *)parameters[0];
}

static void run(const fake_op *op)
{
	(void)op;
}

const fake_kernels fake_with = {.devices = 3,
                                .units = 132,
                                .most_threads = 512,
                                .static_shared = 1024,
                                .now_us = now_us,
                                .loads = loads,
                                .find = find,
                                .take = take,
                                .run = run};
