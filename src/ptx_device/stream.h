/* A stream: launches run one after another on a thread of its own, while the host goes on. */
#ifndef WEIR_PTX_DEVICE_STREAM_H
#define WEIR_PTX_DEVICE_STREAM_H

#include <stdint.h>

#include "ptx/event.h"

typedef struct ptx_stream ptx_stream;

/* A moment, when all launches before it have ended. */
typedef struct ptx_moment {
	uint64_t ns;
	uint32_t pending; /* records that the stream has not reached */
} ptx_moment;

weir_status weir_ptx_stream_create(ptx_stream **stream);
/* Ends what runs. */
void weir_ptx_stream_destroy(ptx_stream *stream);
/* Whether the stream exists: callers may pass any pointer. */
int weir_ptx_stream_is(const void *stream);

/* The launch that has been set up, whose `stop` is this stream's. The stream destroys it. `check`: see shape.h. */
weir_status weir_ptx_stream_launch(ptx_stream *stream, weir_ptx_machine *machine, unsigned check);
const volatile int *weir_ptx_stream_stops(const ptx_stream *stream);
weir_status weir_ptx_stream_record(ptx_stream *stream, ptx_moment *moment);

/* WEIR_BUSY while something runs or waits for its turn. Otherwise how the launches ended: a stream on
 * which one has failed keeps its error, and runs no other; one that was stopped runs again. */
weir_status weir_ptx_stream_query(ptx_stream *stream);
weir_status weir_ptx_stream_synchronize(ptx_stream *stream);
/* Ends what runs, and what waits for its turn, with WEIR_ABORTED. */
void weir_ptx_stream_stop(ptx_stream *stream);

#endif
