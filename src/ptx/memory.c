#define _POSIX_C_SOURCE 200809L
#include "ptx/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct weir_ptx_memory {
	pthread_mutex_t lock;
	ptx_region **regions; /* by address */
	size_t count, room;
	ptx_region *gone; /* freed, and their addresses are in use again */
};

weir_status weir_ptx_memory_create(weir_ptx_memory **result)
{
	weir_ptx_memory *memory = calloc(1, sizeof *memory);

	*result = memory;
	if (!memory)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a table of device memory");
	pthread_mutex_init(&memory->lock, NULL);
	return WEIR_OK;
}

static void discard(ptx_region *region)
{
	free(region->block);
	free(region->shadow);
	free(region->name);
	free(region);
}

void weir_ptx_memory_destroy(weir_ptx_memory *memory)
{
	if (!memory)
		return;
	for (size_t i = 0; i < memory->count; i++)
		discard(memory->regions[i]);
	for (ptx_region *r = memory->gone, *next; r; r = next) {
		next = r->next;
		discard(r);
	}
	pthread_mutex_destroy(&memory->lock);
	free(memory->regions);
	free(memory);
}

static uint64_t length_of(const ptx_region *r)
{
	return r->freed ? r->freed_bytes : r->bytes;
}

/* The first region that ends behind the address. */
static size_t find(const weir_ptx_memory *memory, uint64_t address)
{
	size_t low = 0, high = memory->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const ptx_region *r = memory->regions[middle];
		if (r->start + length_of(r) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

ptx_region *weir_ptx_region(weir_ptx_memory *memory, uint64_t address)
{
	ptx_region *found = NULL;
	size_t at;

	pthread_mutex_lock(&memory->lock);
	at = find(memory, address);
	if (at < memory->count && memory->regions[at]->start <= address)
		found = memory->regions[at];
	pthread_mutex_unlock(&memory->lock);
	return found;
}

/* Freed regions give way to a new one; live ones must not overlap it. */
static weir_status insert(weir_ptx_memory *memory, ptx_region *region)
{
	size_t at = find(memory, region->start), end = at;

	while (end < memory->count && memory->regions[end]->start < region->start + region->bytes) {
		if (!memory->regions[end]->freed)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "memory at %#llx is already known to the device",
			                 (unsigned long long)region->start);
		memory->regions[end]->next = memory->gone;
		memory->gone = memory->regions[end++];
	}
	if (memory->count == memory->room) {
		size_t room = memory->room ? memory->room * 2 : 64;
		ptx_region **grown = realloc(memory->regions, room * sizeof *grown);
		if (!grown)
			return weir_fail(WEIR_NO_MEMORY, "no memory for a table of device memory");
		memory->regions = grown;
		memory->room = room;
	}
	memmove(memory->regions + at + 1, memory->regions + end,
	        (memory->count - end) * sizeof(ptx_region *));
	memory->count = memory->count - (end - at) + 1;
	memory->regions[at] = region;
	return WEIR_OK;
}

static weir_status add(weir_ptx_memory *memory, ptx_region *region)
{
	weir_status status;

	if (!(region->flags & WEIR_PTX_WRITTEN)) {
		region->shadow = calloc(region->bytes / 8 + 2, 1);
		if (!region->shadow)
			return weir_fail(WEIR_NO_MEMORY, "no device memory for %llu bytes",
			                 (unsigned long long)region->bytes);
	}
	pthread_mutex_lock(&memory->lock);
	status = insert(memory, region);
	pthread_mutex_unlock(&memory->lock);
	return status;
}

weir_status weir_ptx_allocate_named(weir_ptx_memory *memory, size_t bytes, unsigned flags,
                                    size_t align, const char *name, bool constant,
                                    uint64_t *address)
{
	ptx_region *region;
	weir_status status;

	*address = 0;
	align = align < 256 ? 256 : align;
	if (!bytes || bytes > SIZE_MAX / 2)
		return weir_fail(WEIR_BAD_ARGUMENT, "an allocation of %zu bytes", bytes);
	region = calloc(1, sizeof *region);
	/* The gap behind it is in no allocation, so that running over the end is noticed. */
	if (region)
		region->block = calloc(bytes + align + 256, 1);
	if (!region || !region->block) {
		free(region);
		return weir_fail(WEIR_NO_MEMORY, "no device memory for %zu bytes", bytes);
	}
	region->start = ((uint64_t)(uintptr_t)region->block + align - 1) / align * align;
	region->bytes = bytes;
	region->flags = flags;
	region->constant = constant;
	region->name = name ? strdup(name) : NULL;
	status = add(memory, region);
	if (status != WEIR_OK)
		discard(region);
	else
		*address = region->start;
	return status;
}

weir_status weir_ptx_allocate(weir_ptx_memory *memory, size_t bytes, unsigned flags,
                              uint64_t *address)
{
	return weir_ptx_allocate_named(memory, bytes, flags, 256, NULL, false, address);
}

weir_status weir_ptx_adopt(weir_ptx_memory *memory, void *start, size_t bytes, unsigned flags)
{
	ptx_region *region = calloc(1, sizeof *region);
	weir_status status;

	if (!region || !start || !bytes) {
		free(region);
		return weir_fail(region ? WEIR_BAD_ARGUMENT : WEIR_NO_MEMORY, "no memory to adopt");
	}
	region->start = (uint64_t)(uintptr_t)start;
	region->bytes = bytes;
	/* The bits of an aligned access must lie in one byte of the shadow. */
	region->flags = flags | (region->start % 16 ? WEIR_PTX_WRITTEN : 0u);
	status = add(memory, region);
	if (status != WEIR_OK)
		discard(region);
	return status;
}

static weir_status release(weir_ptx_memory *memory, uint64_t address, bool reusable)
{
	ptx_region *region = weir_ptx_region(memory, address);

	if (!region || region->start != address || region->freed)
		return weir_fail(WEIR_BAD_ARGUMENT, "%#llx is not the start of an allocation",
		                 (unsigned long long)address);
	pthread_mutex_lock(&memory->lock);
	region->freed = true;
	region->freed_bytes = region->bytes;
	region->bytes = 0;
	if (reusable) {
		free(region->block);
		region->block = NULL;
	}
	free(region->shadow);
	region->shadow = NULL;
	pthread_mutex_unlock(&memory->lock);
	return WEIR_OK;
}

weir_status weir_ptx_free(weir_ptx_memory *memory, uint64_t address)
{
	return release(memory, address, true);
}

weir_status weir_ptx_retire(weir_ptx_memory *memory, uint64_t address)
{
	return release(memory, address, false);
}

weir_status weir_ptx_make_visible(weir_ptx_memory *memory, uint64_t address)
{
	ptx_region *region = weir_ptx_region(memory, address);

	if (!region || region->start != address || region->freed)
		return weir_fail(WEIR_BAD_ARGUMENT, "%#llx is not the start of an allocation",
		                 (unsigned long long)address);
	region->flags |= WEIR_PTX_HOST_VISIBLE;
	return WEIR_OK;
}

weir_status weir_ptx_mark_written(weir_ptx_memory *memory, uint64_t address, size_t bytes)
{
	ptx_region *region = weir_ptx_region(memory, address);

	if (!region || region->freed || bytes > region->bytes - (address - region->start))
		return weir_fail(WEIR_BAD_ARGUMENT, "%zu bytes at %#llx are not in one allocation",
		                 bytes, (unsigned long long)address);
	if (region->shadow)
		ptx_mark(region->shadow, address - region->start, bytes);
	return WEIR_OK;
}

weir_status weir_ptx_place_find(weir_ptx_memory *memory, uint64_t address, weir_ptx_place *place)
{
	const ptx_region *region = weir_ptx_region(memory, address);

	if (!region)
		return weir_fail(WEIR_NOT_FOUND, "%#llx is in no allocation",
		                 (unsigned long long)address);
	*place = (weir_ptx_place){region->start, length_of(region), region->flags, region->freed,
	                          region->name};
	return WEIR_OK;
}
