/* The program's own CUDA stream, with launches by direct driver calls, so that a peer does not pay
 * for weir's checks and events. */
#ifndef EXAMPLE_CUDA_STREAM_H
#define EXAMPLE_CUDA_STREAM_H

#include <stdint.h>

typedef struct cuda_stream cuda_stream;

/* On the device with this number; NULL if the driver refuses. */
cuda_stream *cuda_stream_open(int device);
void cuda_stream_close(cuda_stream *stream);

/* A CUstream, for weir_launch. */
void *cuda_stream_native(const cuda_stream *stream);

/* These return 0 or the driver's error. */
int cuda_stream_launch(cuda_stream *stream, void *function, uint32_t blocks, uint32_t threads,
                       int cooperative, void **parameters);
/* Polls without a pause, so that the end is noticed at once; returns 600 (not ready) after
 * `timeout_ns`. */
int cuda_stream_wait(cuda_stream *stream, uint64_t timeout_ns);

#endif
