/* Scoped locks for C++ kernels, under CUDA and on the host machine.
 *
 *   weir::scoped_lock guard(m);         one thread locks, for its block or for itself
 *   weir::scoped_block_lock guard(m);   all threads of the block lock together
 *
 * The mutex is held until the guard's scope ends. A guard is a copy of the handle, nothing else: a
 * kernel compiles to the same instructions as with the calls written out. With WEIR_DIAGNOSE it
 * also holds the source line of the guard, which the compiler gives to default arguments.
 */
#ifndef WEIR_WEIR_HPP
#define WEIR_WEIR_HPP

#include "weir/device.h"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define WEIR_MEMBER_ __device__
#else
#define WEIR_MEMBER_
#endif

#ifdef WEIR_DIAGNOSE
#define WEIR_CALLER_ , const char *file = __builtin_FILE(), uint32_t line = __builtin_LINE()
#define WEIR_GUARD_(m) mutex_(m), site_(weir_site_at(file, line))
#define WEIR_CALL_(operation) weir_mutex_##operation##_at_(mutex_, site_)
#define WEIR_SITE_ const weir_site site_;
#else
#define WEIR_CALLER_
#define WEIR_GUARD_(m) mutex_(m)
#define WEIR_CALL_(operation) weir_mutex_##operation(mutex_)
#define WEIR_SITE_
#endif

namespace weir
{

class scoped_lock
{
public:
	[[nodiscard]] WEIR_MEMBER_ explicit scoped_lock(weir_mutex m WEIR_CALLER_) : WEIR_GUARD_(m)
	{
		WEIR_CALL_(lock);
	}
	WEIR_MEMBER_ ~scoped_lock()
	{
		WEIR_CALL_(unlock);
	}
	scoped_lock(const scoped_lock &) = delete;
	scoped_lock &operator=(const scoped_lock &) = delete;

private:
	const weir_mutex mutex_;
	WEIR_SITE_
};

class scoped_block_lock
{
public:
	[[nodiscard]] WEIR_MEMBER_ explicit scoped_block_lock(weir_mutex m WEIR_CALLER_)
	    : WEIR_GUARD_(m)
	{
		WEIR_CALL_(block_lock);
	}
	WEIR_MEMBER_ ~scoped_block_lock()
	{
		WEIR_CALL_(block_unlock);
	}
	scoped_block_lock(const scoped_block_lock &) = delete;
	scoped_block_lock &operator=(const scoped_block_lock &) = delete;

private:
	const weir_mutex mutex_;
	WEIR_SITE_
};

} // namespace weir

#undef WEIR_MEMBER_
#undef WEIR_CALLER_
#undef WEIR_GUARD_
#undef WEIR_CALL_
#undef WEIR_SITE_

#endif
