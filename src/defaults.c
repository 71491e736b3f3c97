/* The default kinds, by machine and by whether it is a GPU. The one table. */
#include "internal.h"

/* On GPUs: what the paper's algorithms reached on an H200 at 132 blocks and more, where the ticket
 * mutex and the sleeping semaphore hold their throughput as blocks are added and are fair, and one
 * counter is faster than XF at every count. A CPU has fewer workers than waiters, so there, too,
 * whoever waits should only read. */
static const weir_defaults gpu = {WEIR_BARRIER_ATOMIC, WEIR_MUTEX_TICKET, WEIR_SEMAPHORE_SLEEPING};
static const weir_defaults cpu = {WEIR_BARRIER_ATOMIC, WEIR_MUTEX_SPIN_BACKOFF,
                                  WEIR_SEMAPHORE_SLEEPING};

const weir_defaults *weir_defaults_of(const weir_device_info *info)
{
	return info->is_gpu ? &gpu : &cpu;
}
