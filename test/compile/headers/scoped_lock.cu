/* The same kernel with a guard and with the calls written out; see same_ptx. */
#include "weir/weir.hpp"

#if defined(LOCK_BLOCK)
#define GUARD weir::scoped_block_lock
#define LOCK weir_mutex_block_lock
#define UNLOCK weir_mutex_block_unlock
#else
#define GUARD weir::scoped_lock
#define LOCK weir_mutex_lock
#define UNLOCK weir_mutex_unlock
#endif

extern "C" __global__ void add(weir_mutex m, int *total, int n)
{
#if defined(WITH_GUARD)
	GUARD guard(m);
	*total += n;
#else
	LOCK(m);
	*total += n;
	UNLOCK(m);
#endif
}
