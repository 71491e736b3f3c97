/* Scoped locks for C++ kernels, under CUDA and on the host machine.
 *
 *   weir::scoped_lock guard(m);               one thread locks, for its block or for itself
 *   weir::scoped_block_lock guard(m);         all threads of the block lock together
 *   weir::scoped_read_lock guard(l);          the same of a reader-writer lock, to read
 *   weir::scoped_block_read_lock guard(l);
 *   weir::scoped_write_lock guard(l);         and to write
 *   weir::scoped_block_write_lock guard(l);
 *
 * The lock is held until the guard's scope ends. A guard is a copy of the handle, nothing else: a
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
#define WEIR_GUARD_(object) object_(object), site_(weir_site_at(file, line))
#define WEIR_CALL_(operation) (operation)(object_, site_)
#define WEIR_GUARD_SITE_ const weir_site site_;
#else
#define WEIR_CALLER_
#define WEIR_GUARD_(object) object_(object)
#define WEIR_CALL_(operation) operation(object_)
#define WEIR_GUARD_SITE_
#endif

/* The class of a guard: what it locks, and by which operations. */
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

namespace weir
{

WEIR_SCOPED_(scoped_lock, weir_mutex, weir_mutex_lock, weir_mutex_unlock)
WEIR_SCOPED_(scoped_block_lock, weir_mutex, weir_mutex_block_lock, weir_mutex_block_unlock)
WEIR_SCOPED_(scoped_read_lock, weir_rwlock, weir_rwlock_read_lock, weir_rwlock_read_unlock)
WEIR_SCOPED_(scoped_block_read_lock, weir_rwlock, weir_rwlock_block_read_lock,
             weir_rwlock_block_read_unlock)
WEIR_SCOPED_(scoped_write_lock, weir_rwlock, weir_rwlock_write_lock, weir_rwlock_write_unlock)
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
