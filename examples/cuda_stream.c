#define _POSIX_C_SOURCE 200809L
#include "cuda_stream.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#define NOT_READY 600

/* The few functions that are needed, declared as in cuda.h, which may not be installed. */
struct cuda_stream {
	void *library;
	void *stream;
	int (*init)(unsigned flags);
	int (*device_get)(int *device, int ordinal);
	int (*context_retain)(void **context, int device);
	int (*context_set)(void *context);
	int (*stream_create)(void **stream, unsigned flags);
	int (*stream_query)(void *stream);
	int (*stream_destroy)(void *stream);
	int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
	              void *stream, void **parameters, void **extra);
	int (*launch_cooperative)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	                          unsigned block_x, unsigned block_y, unsigned block_z,
	                          unsigned shared, void *stream, void **parameters);
};

static int find_calls(cuda_stream *s)
{
	const struct {
		const char *name;
		void *place;
	} calls[] = {{"cuInit", &s->init},
	             {"cuDeviceGet", &s->device_get},
	             {"cuDevicePrimaryCtxRetain", &s->context_retain},
	             {"cuCtxSetCurrent", &s->context_set},
	             {"cuStreamCreate", &s->stream_create},
	             {"cuStreamQuery", &s->stream_query},
	             {"cuStreamDestroy_v2", &s->stream_destroy},
	             {"cuLaunchKernel", &s->launch},
	             {"cuLaunchCooperativeKernel", &s->launch_cooperative}};

	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		void *found = dlsym(s->library, calls[i].name);
		if (!found)
			return 0;
		*(void **)calls[i].place = found;
	}
	return 1;
}

/* In the primary context, which contains weir's objects and kernels. */
static int make_stream(cuda_stream *s, int ordinal)
{
	void *context;
	int device;

	return s->init(0) == 0 && s->device_get(&device, ordinal) == 0 &&
	       s->context_retain(&context, device) == 0 && s->context_set(context) == 0 &&
	       s->stream_create(&s->stream, 0) == 0;
}

cuda_stream *cuda_stream_open(int device)
{
	cuda_stream *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->library = dlopen("libcuda.so.1", RTLD_NOW);
	if (s->library && find_calls(s) && make_stream(s, device))
		return s;
	cuda_stream_close(s);
	return NULL;
}

void cuda_stream_close(cuda_stream *stream)
{
	if (!stream)
		return;
	if (stream->stream)
		stream->stream_destroy(stream->stream);
	if (stream->library)
		dlclose(stream->library);
	free(stream);
}

void *cuda_stream_native(const cuda_stream *stream)
{
	return stream->stream;
}

int cuda_stream_launch(cuda_stream *stream, void *function, uint32_t blocks, uint32_t threads,
                       int cooperative, void **parameters)
{
	return cooperative ? stream->launch_cooperative(function, blocks, 1, 1, threads, 1, 1, 0,
	                                                stream->stream, parameters)
	                   : stream->launch(function, blocks, 1, 1, threads, 1, 1, 0,
	                                    stream->stream, parameters, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int cuda_stream_wait(cuda_stream *stream, uint64_t timeout_ns)
{
	uint64_t begin = now_ns();
	int result;

	do {
		result = stream->stream_query(stream->stream);
	} while (result == NOT_READY && now_ns() - begin < timeout_ns);
	return result;
}
