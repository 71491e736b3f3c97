/* What a call comes to, on the host and in kernels: one word for the same thing.
 *
 * Operations of kernels return the first five alone. Functions of the host may return any: weir_error_text says why.
 * Kernels and other languages keep the numbers, so they never change. */
#ifndef WEIR_STATUS_H
#define WEIR_STATUS_H

typedef enum weir_status {
	WEIR_OK =
	    0, /* it is done: the caller has the mutex, the slots or the item, or has passed the barrier */
	WEIR_BUSY =
	    1, /* not now: the mutex is held, the queue full or empty; a kernel still runs */
	WEIR_TIMED_OUT = 2, /* the deadline came first */
	WEIR_ABORTED = 3,   /* the launch was aborted, which ends all waits; or the crew was */
	WEIR_CLOSED = 4,    /* the queue is closed: it takes no item, or has none for a pop */

	WEIR_BAD_ARGUMENT = 16, /* a null pointer, a zero count, an unknown kind */
	WEIR_NO_DEVICE,         /* no device of that name here, or no driver for it */
	WEIR_DEVICE_CLOSED,     /* the device was closed */
	WEIR_NOT_FOUND,   /* no such object on this device, or destroyed before; no such kernel */
	WEIR_UNSUPPORTED, /* this device, or this kind, cannot do that */
	WEIR_TOO_MANY_BLOCKS, /* the grid does not fit on the device at once */
	WEIR_NO_MEMORY,       /* the device or the host has no memory left */
	WEIR_BAD_PROGRAM,     /* the device's compiler or loader refused the program */
	/* A launch ended with an error, or a wait in it passed its limit. Or it used an object of an unknown kind, or
	 * of a kind that the kernel was not compiled for. */
	WEIR_LAUNCH_FAILED,
	WEIR_DRIVER_ERROR,  /* anything else that a driver or the system reports */
	WEIR_STUCK,         /* a run left tasks that nobody can finish */
	WEIR_OTHER_VERSION, /* headers of another series than the library: see weir/version.h */
	WEIR_NO_RANK        /* a rank of a crew did not come, or is gone */
} weir_status;

#endif
