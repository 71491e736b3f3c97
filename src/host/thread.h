/* A thread of a launch on the host. */
#ifndef WEIR_HOST_THREAD_H
#define WEIR_HOST_THREAD_H

/* The start routine of a weir_host_worker's thread. */
void *weir_host_work(void *worker);

/* How a guarded call ended, if it did not return. */
enum {
	WEIR_HOST_LEFT = 1, /* the launch has ended */
	WEIR_HOST_FAULTY =
	    2 /* a fault in a thread of the caller's own; weir_error_text says which */
};

/* Calls a function that may wait. A thread that leaves its launch jumps over its frames. Here it jumps no
 * further than this call: for callers whose own frames must not be skipped, such as an interpreter.
 * Returns 0, or how the call ended. */
int weir_host_guard(void (*call)(void *), void *context);

#endif
