/** @defgroup weir_status Outcomes
 *
 * What a call returns, on the host and in kernels: the same word for the same thing.
 *
 * Operations of kernels return the first five only. Functions of the host may return any, and weir_error_text then says
 * why. Kernels and other languages keep the numbers, so they never change.
 */
#ifndef WEIR_STATUS_H
#define WEIR_STATUS_H

/** The outcome of a call. */
typedef enum weir_status {
	/** Success: the caller has the mutex, the slots or the item, or has passed the barrier. */
	WEIR_OK = 0,
	/** Not now: the mutex is held, the queue is full or empty, or a kernel still runs. */
	WEIR_BUSY = 1,
	/** The deadline passed first. */
	WEIR_TIMED_OUT = 2,
	/** The launch was aborted, which ends all waits, or the crew was. */
	WEIR_ABORTED = 3,
	/** The queue is closed: it takes no item, or has none for a pop. */
	WEIR_CLOSED = 4,

	/** An argument is wrong: a null pointer, a zero count, an unknown kind. */
	WEIR_BAD_ARGUMENT = 16,
	/** There is no device of that name here, or no driver for it. */
	WEIR_NO_DEVICE,
	/** The device was closed. */
	WEIR_DEVICE_CLOSED,
	/** The object does not exist on this device, or was already destroyed; or the kernel does not exist. */
	WEIR_NOT_FOUND,
	/** This device, or this kind, cannot do that. */
	WEIR_UNSUPPORTED,
	/** The grid does not fit on the device at once. */
	WEIR_TOO_MANY_BLOCKS,
	/** The device or the host has no memory left. */
	WEIR_NO_MEMORY,
	/** The device's compiler or loader refused the program. */
	WEIR_BAD_PROGRAM,
	/** A launch ended with an error, or a wait in it passed its limit. Or it used an object of an unknown kind, or
	 * of a kind that the kernel was not compiled for. */
	WEIR_LAUNCH_FAILED,
	/** Any other error that a driver or the system reports. */
	WEIR_DRIVER_ERROR,
	/** A run left tasks that no block can finish. */
	WEIR_STUCK,
	/** The headers are of another series than the library (weir/version.h). */
	WEIR_OTHER_VERSION,
	/** A rank of a crew did not join, or is gone. */
	WEIR_NO_RANK
} weir_status;

#endif
