/* What a kernel includes: barriers, mutexes, semaphores, conditions, reader-writer locks, onces, events,
 * queues, dispensers, tasks, combiners and groups of thread blocks, and crews of GPUs.
 *
 * The host library makes the objects and chooses the kind of each, or a kernel makes a handle of the
 * default kind in zeroed memory itself (PRIMITIVE/in.h). A kernel for a GPU contains only the default kinds. To get
 * others, define before this header WEIR_MUTEX_WITH beside the default, as (1 << WEIR_MUTEX_TICKET), or WEIR_MUTEX_KIND
 * instead of it, as WEIR_MUTEX_TICKET; WEIR_ALL_KINDS gives all (weir/dispatch.h). weir_kernel_launch refuses a CUDA
 * kernel that lacks the kind of a handle. In other launches such a handle, or one of an unknown kind, ends the launch
 * with an error. A kernel that calls an algorithm directly (weir_ticket_lock) also names its kind.
 *
 * Block semantics: one thread locks, unlocks, waits, signals and posts for its whole block. The functions
 * with `block` in their name are for all threads of a block together, and those with `team` for
 * some of its warps (weir/team.h). Where WEIR_HAS_THREAD_PROGRESS, single threads may also lock for
 * themselves.
 *
 * PRIMITIVE/bounded.h has the operations that do not wait, or not for ever. One that succeeds has
 * the effect of the operation that waits. One that fails leaves no trace: no turn and no slot is
 * lost, and no waiter in a queue is held up. All blocks of a broken barrier are told. Operations
 * with a deadline exist where WEIR_HAS_DEADLINE: on CUDA, on HIP, on the host, and in OpenCL programs that
 * weir_program_create builds for a CPU or for NVIDIA. Elsewhere a kernel has no clock. A deadline
 * may be missed by the time of one pause.
 *
 * Everything before an unlock, a post or a barrier happens before everything after the lock, the
 * wait or the barrier that it lets through. "Everything" is the work of the calling thread, and the
 * work of its block before a weir_block_sync. doc/memory-model.md has the argument.
 */
#ifndef WEIR_DEVICE_H
#define WEIR_DEVICE_H

#include "weir/barrier/api.h"
#include "weir/barrier/bounded.h"
#include "weir/barrier/in.h"
#include "weir/barrier/team.h"
#include "weir/combiner/api.h"
#include "weir/combiner/bounded.h"
#include "weir/combiner/in.h"
#include "weir/condition/api.h"
#include "weir/condition/bounded.h"
#include "weir/condition/in.h"
#include "weir/config.h"
#include "weir/crew/api.h"
#include "weir/crew/bounded.h"
#include "weir/crew/in.h"
#include "weir/dispenser/api.h"
#include "weir/dispenser/in.h"
#include "weir/event/api.h"
#include "weir/event/bounded.h"
#include "weir/event/in.h"
#include "weir/event/latch.h"
#include "weir/event/round.h"
#include "weir/event/sequence.h"
#include "weir/event/team.h"
#include "weir/group/api.h"
#include "weir/mutex/api.h"
#include "weir/mutex/bounded.h"
#include "weir/mutex/in.h"
#include "weir/mutex/team.h"
#include "weir/once/api.h"
#include "weir/once/bounded.h"
#include "weir/once/in.h"
#include "weir/queue/api.h"
#include "weir/queue/bounded.h"
#include "weir/queue/in.h"
#include "weir/queue/team.h"
#include "weir/rwlock/api.h"
#include "weir/rwlock/bounded.h"
#include "weir/rwlock/in.h"
#include "weir/semaphore/api.h"
#include "weir/semaphore/bounded.h"
#include "weir/semaphore/in.h"
#include "weir/semaphore/team.h"
#include "weir/tasks/api.h"

/* After all others. */
#include "weir/last.h"

#ifdef WEIR_COMPAT_0_1
#include "weir/weir_compat.h"
#endif

#endif
