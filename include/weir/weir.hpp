/** @defgroup weir_scoped Scoped locks for C++
 *
 * Guards that lock a mutex or a reader-writer lock until their scope ends.
 *
 * One thread makes a guard, for its block or for itself; all threads of a block together make one with
 * `block` in its name. A guard is a copy of the handle, nothing else: a kernel compiles to the same
 * instructions as with the calls written out. With WEIR_DIAGNOSE it also holds the source line of the
 * guard, which the compiler gives to default arguments. A guard cannot be copied.
 *
 * Memory order: that of the lock.
 *
 * Machines: CUDA and the host, in C++17.
 *
 * @code
 * __global__ void add(weir_mutex m, int *total)
 * {
 * 	weir::scoped_block_lock guard(m);
 * 	if (threadIdx.x == 0)
 * 		*total += 1;
 * }
 * @endcode
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
#define WEIR_GUARD_(object) object_(object), site_(weir_site_at(file, line))
#define WEIR_CALL_(operation) (operation)(object_, site_)
#define WEIR_GUARD_SITE_ const weir_site site_;
#else
#define WEIR_CALLER_
#define WEIR_GUARD_(object) object_(object)
#define WEIR_CALL_(operation) operation(object_)
#define WEIR_GUARD_SITE_
#endif

/* Defines the class of a guard from the type of the handle and its lock and unlock operations. */
#define WEIR_SCOPED_(name, handle, lock, unlock)                                                   \
	class name                                                                                 \
	{                                                                                          \
	public:                                                                                    \
		[[nodiscard]] WEIR_MEMBER_ explicit name(handle object WEIR_CALLER_)               \
		    : WEIR_GUARD_(object)                                                          \
		{                                                                                  \
			WEIR_CALL_(lock);                                                          \
		}                                                                                  \
		WEIR_MEMBER_ ~name()                                                               \
		{                                                                                  \
			WEIR_CALL_(unlock);                                                        \
		}                                                                                  \
		name(const name &) = delete;                                                       \
		name &operator=(const name &) = delete;                                            \
                                                                                                   \
	private:                                                                                   \
		const handle object_;                                                              \
		WEIR_GUARD_SITE_                                                                   \
	};

/** What weir has for C++ only. */
namespace weir
{

/** Holds a mutex, by weir_mutex_lock. */
WEIR_SCOPED_(scoped_lock, weir_mutex, weir_mutex_lock, weir_mutex_unlock)
/** Holds a mutex for a block, by weir_mutex_block_lock. */
WEIR_SCOPED_(scoped_block_lock, weir_mutex, weir_mutex_block_lock, weir_mutex_block_unlock)
/** Holds a reader-writer lock for reading, by weir_rwlock_read_lock. */
WEIR_SCOPED_(scoped_read_lock, weir_rwlock, weir_rwlock_read_lock, weir_rwlock_read_unlock)
/** Holds a reader-writer lock for reading, for a block, by weir_rwlock_block_read_lock. */
WEIR_SCOPED_(scoped_block_read_lock, weir_rwlock, weir_rwlock_block_read_lock,
             weir_rwlock_block_read_unlock)
/** Holds a reader-writer lock for writing, by weir_rwlock_write_lock. */
WEIR_SCOPED_(scoped_write_lock, weir_rwlock, weir_rwlock_write_lock, weir_rwlock_write_unlock)
/** Holds a reader-writer lock for writing, for a block, by weir_rwlock_block_write_lock. */
WEIR_SCOPED_(scoped_block_write_lock, weir_rwlock, weir_rwlock_block_write_lock,
             weir_rwlock_block_write_unlock)

} // namespace weir

#undef WEIR_MEMBER_
#undef WEIR_CALLER_
#undef WEIR_GUARD_
#undef WEIR_CALL_
#undef WEIR_GUARD_SITE_
#undef WEIR_SCOPED_

#endif
