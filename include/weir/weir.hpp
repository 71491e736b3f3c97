/* Scoped locks for C++ kernels, under CUDA and on the host machine.
 *
 *   weir::scoped_lock guard(m);         one thread locks, for its block or for itself
 *   weir::scoped_block_lock guard(m);   all threads of the block do, together
 *
 * The mutex is held until the guard's scope ends. A guard is a copy of the handle, nothing else: a
 * kernel compiles to the same instructions as with the calls written out.
 */
#ifndef WEIR_WEIR_HPP
#define WEIR_WEIR_HPP

#include "weir/device.h"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define WEIR_MEMBER_ __device__
#else
#define WEIR_MEMBER_
#endif

namespace weir
{

class scoped_lock
{
public:
	[[nodiscard]] WEIR_MEMBER_ explicit scoped_lock(weir_mutex m) : mutex_(m)
	{
		weir_mutex_lock(mutex_);
	}
	WEIR_MEMBER_ ~scoped_lock()
	{
		weir_mutex_unlock(mutex_);
	}
	scoped_lock(const scoped_lock &) = delete;
	scoped_lock &operator=(const scoped_lock &) = delete;

private:
	const weir_mutex mutex_;
};

class scoped_block_lock
{
public:
	[[nodiscard]] WEIR_MEMBER_ explicit scoped_block_lock(weir_mutex m) : mutex_(m)
	{
		weir_mutex_block_lock(mutex_);
	}
	WEIR_MEMBER_ ~scoped_block_lock()
	{
		weir_mutex_block_unlock(mutex_);
	}
	scoped_block_lock(const scoped_block_lock &) = delete;
	scoped_block_lock &operator=(const scoped_block_lock &) = delete;

private:
	const weir_mutex mutex_;
};

} // namespace weir

#undef WEIR_MEMBER_

#endif
