#define _GNU_SOURCE
#include "crew/share.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/status.h"

/* A share that shrinks would end whoever touches it. */
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

weir_status weir_share_create(size_t bytes, int *descriptor)
{
	int made = memfd_create("weir crew", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (made < 0)
		return weir_fail(WEIR_DRIVER_ERROR, "no shared memory: %s", strerror(errno));
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
	struct stat about;

	if (descriptor < 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "a rank sent no memory");
	if (fstat(descriptor, &about) != 0 || (fcntl(descriptor, F_GET_SEALS) & SEALS) != SEALS)
		return weir_fail(WEIR_BAD_ARGUMENT, "a rank sent memory that it could shrink");
	if (about.st_size < 0 || (size_t)about.st_size != bytes)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a rank sent %lld bytes of memory in place of %zu",
		                 (long long)about.st_size, bytes);
	return WEIR_OK;
}

weir_status weir_share_map(int descriptor, size_t bytes, weir_word **words)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);

	if (at == MAP_FAILED)
		return weir_fail(WEIR_NO_MEMORY, "cannot map %zu bytes of a rank: %s", bytes,
		                 strerror(errno));
	*words = at;
	return WEIR_OK;
}

void weir_share_unmap(weir_word *words, size_t bytes)
{
	if (words)
		munmap(words, bytes);
}
