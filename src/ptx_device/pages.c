#define _GNU_SOURCE
#include "ptx_device/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

#define GAP 256 /* behind the bytes, in no allocation: running over the end is noticed */

/* Exported memory is backed by a file. The file stays open until the memory is freed, since other processes open it by
 * the number of its descriptor here. */
typedef struct exported {
	uint64_t address;
	int file;
	struct exported *next;
} exported;

static exported *all_exported;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t whole_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + GAP + page - 1) / page * page;
}

/* Makes mapped pages known to the device, or unmaps them. */
static weir_status adopt(weir_ptx_memory *memory, void *pages, size_t bytes, unsigned flags,
                         uint64_t *address)
{
	weir_status status = weir_ptx_adopt(memory, pages, bytes, flags);

	if (status != WEIR_OK)
		munmap(pages, whole_pages(bytes));
	else
		*address = (uint64_t)(uintptr_t)pages;
	return status;
}

weir_status weir_ptx_pages_allocate(weir_ptx_memory *memory, size_t bytes, uint64_t *address)
{
	void *pages;

	*address = 0;
	if (!bytes || bytes > SIZE_MAX / 2)
		return weir_fail(WEIR_BAD_ARGUMENT, "an allocation of %zu bytes", bytes);
	pages = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	             -1, 0);
	if (pages == MAP_FAILED)
		return weir_fail(WEIR_NO_MEMORY, "no device memory for %zu bytes", bytes);
	return adopt(memory, pages, bytes, 0, address);
}

/* Replaces the pages by those of a file with the same contents. Returns the file, or -1. */
static int to_file(uint64_t address, size_t bytes)
{
	char *start = (char *)(uintptr_t)address;
	int file = memfd_create("weir-ptx", MFD_CLOEXEC);
	size_t done = 0;

	if (file < 0 || ftruncate(file, (off_t)whole_pages(bytes)) != 0) {
		if (file >= 0)
			close(file);
		return -1;
	}
	while (done < bytes) {
		ssize_t wrote = pwrite(file, start + done, bytes - done, (off_t)done);

		if (wrote < 0 && errno != EINTR)
			break;
		done += wrote < 0 ? 0 : (size_t)wrote;
	}
	if (done < bytes || mmap(start, whole_pages(bytes), PROT_READ | PROT_WRITE,
	                         MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
		close(file);
		return -1;
	}
	return file;
}

static exported **find(uint64_t address)
{
	exported **at = &all_exported;

	while (*at && (*at)->address != address)
		at = &(*at)->next;
	return at;
}

weir_status weir_ptx_pages_export(weir_ptx_memory *memory, uint64_t address, ptx_pages_name *name)
{
	weir_ptx_place place;
	weir_status status = weir_ptx_place_find(memory, address, &place);
	exported *one;

	if (status != WEIR_OK)
		return status;
	if (place.freed || place.start != address)
		return weir_fail(WEIR_BAD_ARGUMENT, "%#llx is not the start of an allocation",
		                 (unsigned long long)address);
	pthread_mutex_lock(&lock);
	one = *find(address);
	if (!one) {
		one = calloc(1, sizeof *one);
		if (one)
			*one = (exported){address, to_file(address, place.bytes), all_exported};
		if (one && one->file >= 0) {
			all_exported = one;
		} else {
			free(one);
			one = NULL;
		}
	}
	if (one)
		*name = (ptx_pages_name){getpid(), one->file, place.bytes};
	pthread_mutex_unlock(&lock);
	return one ? WEIR_OK
	           : weir_fail(WEIR_NO_MEMORY, "cannot share %zu bytes: %s", place.bytes,
	                       strerror(errno));
}

weir_status weir_ptx_pages_import(weir_ptx_memory *memory, const ptx_pages_name *name,
                                  uint64_t *address)
{
	char path[64];
	struct stat about;
	void *pages = MAP_FAILED;
	int file;

	*address = 0;
	snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)name->process,
	         (long long)name->file);
	file = open(path, O_RDWR | O_CLOEXEC);
	if (file >= 0 && fstat(file, &about) == 0 && name->bytes &&
	    name->bytes <= (uint64_t)about.st_size)
		pages = mmap(NULL, whole_pages(name->bytes), PROT_READ | PROT_WRITE, MAP_SHARED,
		             file, 0);
	if (file >= 0)
		close(file);
	if (pages == MAP_FAILED)
		return weir_fail(WEIR_BAD_ARGUMENT, "cannot open memory of process %lld: %s",
		                 (long long)name->process, strerror(errno));
	return adopt(memory, pages, name->bytes, WEIR_PTX_HOST_VISIBLE | WEIR_PTX_WRITTEN, address);
}

weir_status weir_ptx_pages_free(weir_ptx_memory *memory, uint64_t address)
{
	weir_ptx_place place = {0};
	exported **at, *one;
	weir_status status = weir_ptx_place_find(memory, address, &place);

	if (status == WEIR_OK)
		status = weir_ptx_free(memory, address);
	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&lock);
	at = find(address);
	one = *at;
	if (one) {
		*at = one->next;
		close(one->file);
		free(one);
	}
	pthread_mutex_unlock(&lock);
	munmap((void *)(uintptr_t)address, whole_pages(place.bytes));
	return WEIR_OK;
}
