#define _GNU_SOURCE
#include "crew/share.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/status.h"
#include "crew/message.h"

/* A process that touches memory which another has shrunk would be killed. */
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* The system kills a process that makes a file larger than its limit. */
static weir_status check_limit(size_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    bytes > limit.rlim_cur)
		return weir_fail(WEIR_NO_MEMORY,
		                 "no shared memory of %zu bytes: files of this process have at "
		                 "most %llu (RLIMIT_FSIZE, ulimit -f)",
		                 bytes, (unsigned long long)limit.rlim_cur);
	return WEIR_OK;
}

weir_status weir_share_create(size_t bytes, int *descriptor)
{
	weir_status status = check_limit(bytes);

	if (status != WEIR_OK)
		return status;
	int made = memfd_create("weir crew", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (made < 0)
		return weir_crew_fail_system("no shared memory", errno);
	if (fchmod(made, 0600) != 0 || ftruncate(made, (off_t)bytes) != 0 ||
	    fcntl(made, F_ADD_SEALS, SEALS) != 0) {
		weir_explain("no shared memory of %zu bytes: %s", bytes, strerror(errno));
		close(made);
		return WEIR_NO_MEMORY;
	}
	*descriptor = made;
	return WEIR_OK;
}

weir_status weir_share_check(int descriptor, size_t bytes)
{
	struct statfs system;
	struct stat about;

	if (descriptor < 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a rank sent no memory");
	/* First, because only memory has seals, and the other queries may block on a file
	 * server. */
	int seals = fcntl(descriptor, F_GET_SEALS);
	if (seals < 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a rank sent a file instead of memory");
	if ((seals & SEALS) != SEALS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a rank sent memory that can be shrunk");
	/* Huge pages may turn out to be missing when they are touched. */
	if (fstatfs(descriptor, &system) != 0 || system.f_type != TMPFS_MAGIC ||
	    fstat(descriptor, &about) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a rank sent memory of another type");
	if (about.st_size < 0 || (uintmax_t)about.st_size != bytes)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a rank sent %lld bytes of memory instead of %zu",
		                 (long long)about.st_size, bytes);
	return WEIR_OK;
}

weir_status weir_share_map(int descriptor, size_t bytes, void **memory)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);

	if (at == MAP_FAILED)
		return weir_fail(WEIR_NO_MEMORY, "cannot map the %zu bytes of a crew: %s", bytes,
		                 strerror(errno));
	*memory = at;
	return WEIR_OK;
}

void weir_share_unmap(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes);
}
