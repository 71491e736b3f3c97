/* Accesses to memory: where an address points, whether the access is allowed, and its effect. */
#include <string.h>

#include "ptx/machine.h"

static const char *space_name(unsigned space)
{
	static const char *const names[] = {"generic", "global",   "shared",
	                                    "local",   "constant", "parameter"};

	return names[space];
}

static weir_ptx_space window_of(uint64_t address)
{
	switch (PTX_WINDOW(address)) {
	case PTX_SHARED_WINDOW:
		return WEIR_PTX_SHARED;
	case PTX_LOCAL_WINDOW:
		return WEIR_PTX_LOCAL;
	case PTX_PARAM_WINDOW:
		return WEIR_PTX_PARAM;
	default:
		return WEIR_PTX_GLOBAL;
	}
}

static bool wrong_space(weir_ptx_thread *t, unsigned space, uint64_t address)
{
	return weir_ptx_find(
	    t, WEIR_PTX_WRONG_SPACE, "the address %#llx is not of %s memory but of %s memory",
	    (unsigned long long)address, space_name(space), space_name(window_of(address)));
}

static bool resolve_shared(weir_ptx_thread *t, uint64_t address, uint32_t *owner, uint64_t *at)
{
	uint32_t rank = (uint32_t)address >> PTX_SHARED_BITS;
	const ptx_cluster *cluster = t->block->cluster;

	*owner = t->block->index;
	*at = address & (PTX_SHARED_LIMIT - 1);
	if (!rank)
		return true;
	if (rank > cluster->count)
		return weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS,
		                     "the shared address %#llx is of no block of the cluster",
		                     (unsigned long long)address);
	if (!cluster->blocks[rank - 1])
		return weir_ptx_find(t, WEIR_PTX_FREED,
		                     "it accesses the shared memory of a block that has ended");
	*owner = cluster->blocks[rank - 1]->index;
	return true;
}

bool weir_ptx_resolve(weir_ptx_thread *t, const ptx_access *access, weir_ptx_space space,
                      uint64_t address, weir_ptx_space *found, uint32_t *owner, uint64_t *at)
{
	(void)access;
	*owner = 0;
	*at = address;
	*found = space;
	switch (space) {
	case WEIR_PTX_SHARED:
		if (address >> 32 && window_of(address) != WEIR_PTX_SHARED)
			return wrong_space(t, space,
			                   PTX_WINDOW(address ^ PTX_SHARED_WINDOW)
			                       ? address
			                       : address ^ PTX_SHARED_WINDOW);
		return resolve_shared(t, address, owner, at);
	case WEIR_PTX_LOCAL:
		if (address >> 32)
			return wrong_space(t, space, address);
		return true;
	case WEIR_PTX_PARAM:
		if (PTX_WINDOW(address) != PTX_PARAM_WINDOW)
			return wrong_space(t, space, address);
		break;
	case WEIR_PTX_GLOBAL:
	case WEIR_PTX_CONST:
		if (window_of(address) != WEIR_PTX_GLOBAL)
			return wrong_space(t, space, address);
		*found = WEIR_PTX_GLOBAL;
		return true;
	default:
		*found = window_of(address);
		if (*found == WEIR_PTX_SHARED)
			return resolve_shared(t, address & 0xffffffff, owner, at);
	}
	if (*found != WEIR_PTX_GLOBAL)
		*at = address & ~UINT64_C(0xf000000000000000);
	return true;
}

bool weir_ptx_fill(weir_ptx_thread *t, const ptx_access *access, weir_ptx_event *event)
{
	const uint64_t *f = t->frame;

	event->operation = &access->operation;
	event->kind = access->operation.kind;
	event->bytes = (uint32_t)access->operation.size * access->operation.count;
	event->space = event->source_space = event->barrier_space = WEIR_PTX_GENERIC;
	for (unsigned k = 0; k < access->inputs && k < 16; k++)
		event->value[k] = f[access->input[k]];
	if (access->address != PTX_NO_SLOT &&
	    !weir_ptx_resolve(t, access, access->operation.space,
	                      f[access->address] + (uint64_t)access->offset, &event->space,
	                      &event->owner, &event->address))
		return false;
	if (access->source != PTX_NO_SLOT &&
	    !weir_ptx_resolve(t, access, access->source_space,
	                      f[access->source] + (uint64_t)access->source_offset,
	                      &event->source_space, &event->source_owner, &event->source))
		return false;
	return access->barrier == PTX_NO_SLOT ||
	       weir_ptx_resolve(t, access, access->barrier_space,
	                        f[access->barrier] + (uint64_t)access->barrier_offset,
	                        &event->barrier_space, &event->barrier_owner, &event->barrier);
}

/* --- Checks ---------------------------------------------------------------------------------------- */

static uint8_t *global_bytes(weir_ptx_thread *t, const ptx_access *access, uint64_t address,
                             uint32_t bytes, bool write, bool read)
{
	ptx_region *r = t->machine->hints[access->operation.index];
	uint64_t offset = address - r->start;

	if (offset >= r->bytes || r->bytes - offset < bytes) {
		r = weir_ptx_region(t->machine->memory, address);
		offset = r ? address - r->start : 0;
		if (r && r->freed) {
			weir_ptx_find(t, WEIR_PTX_FREED,
			              "the memory at %#llx was freed: byte %llu of an allocation "
			              "of %llu bytes",
			              (unsigned long long)address, (unsigned long long)offset,
			              (unsigned long long)r->freed_bytes);
			return NULL;
		}
		if (!r || r->bytes - offset < bytes) {
			const char *near =
			    r ? " runs over the end of its allocation" : " is in no allocation";
			weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS, "%u bytes at %#llx: %s%s%s", bytes,
			              (unsigned long long)address,
			              r && r->name ? r->name : "the address", near,
			              address < 4096 ? " (a null pointer?)" : "");
			return NULL;
		}
		t->machine->hints[access->operation.index] = r;
	}
	if (write && r->constant) {
		weir_ptx_find(t, WEIR_PTX_READ_ONLY, "a write to the constant '%s'",
		              r->name ? r->name : "");
		return NULL;
	}
	if (read && r->shadow && !ptx_any_written(r->shadow, offset, bytes)) {
		weir_ptx_find(t, WEIR_PTX_NEVER_WRITTEN,
		              "byte %llu of an allocation of %llu bytes was never written",
		              (unsigned long long)offset, (unsigned long long)r->bytes);
		return NULL;
	}
	if (write && r->shadow)
		ptx_mark(r->shadow, offset, bytes);
	return (uint8_t *)(uintptr_t)address;
}

static uint8_t *shared_bytes(weir_ptx_thread *t, uint32_t owner, uint64_t offset, uint32_t bytes,
                             bool write, bool read)
{
	ptx_block *block = ptx_owner(t->machine, owner);

	if (!block) {
		weir_ptx_find(t, WEIR_PTX_FREED, "the shared memory of block %u, which has ended",
		              owner);
		return NULL;
	}
	if (offset >= block->shared_bytes || block->shared_bytes - offset < bytes) {
		weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS,
		              "%u bytes at offset %llu of the block's %u bytes of shared memory",
		              bytes, (unsigned long long)offset, block->shared_bytes);
		return NULL;
	}
	if (read && !ptx_any_written(block->shared_shadow, offset, bytes)) {
		weir_ptx_find(t, WEIR_PTX_NEVER_WRITTEN,
		              "shared memory at offset %llu was never written",
		              (unsigned long long)offset);
		return NULL;
	}
	if (write)
		ptx_mark(block->shared_shadow, offset, bytes);
	return block->shared + offset;
}

static uint8_t *local_bytes(weir_ptx_thread *t, uint64_t offset, uint32_t bytes, bool write,
                            bool read)
{
	if (offset >= t->local_top || t->local_top - offset < bytes) {
		weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS,
		              "%u bytes at offset %llu of the thread's %u bytes of local memory",
		              bytes, (unsigned long long)offset, t->local_top);
		return NULL;
	}
	/* No fault: compilers load a variable early, and select another value where nothing was written. */
	if (read && !ptx_any_written(t->local_shadow, offset, bytes)) {
		memset(t->local + offset, 0, bytes);
		write = true;
	}
	if (write)
		ptx_mark(t->local_shadow, offset, bytes);
	return t->local + offset;
}

static uint8_t *param_bytes(weir_ptx_thread *t, uint64_t offset, uint32_t bytes, bool write)
{
	const weir_ptx_machine *m = t->machine;
	uint64_t size = m->program->module->functions.at[m->program->kernel->function].param_bytes;

	if (write) {
		weir_ptx_find(t, WEIR_PTX_READ_ONLY, "a write to the kernel's parameters");
		return NULL;
	}
	if (offset >= size || size - offset < bytes) {
		weir_ptx_find(t, WEIR_PTX_OUT_OF_BOUNDS,
		              "%u bytes at offset %llu of %llu bytes of parameters", bytes,
		              (unsigned long long)offset, (unsigned long long)size);
		return NULL;
	}
	return m->params + offset;
}

uint8_t *weir_ptx_bytes(weir_ptx_thread *t, const ptx_access *access, weir_ptx_space space,
                        uint32_t owner, uint64_t address, uint32_t bytes, unsigned align,
                        bool write, bool read)
{
	t->machine->result.address = address;
	t->machine->result.bytes = bytes;
	if (align && address % align) {
		weir_ptx_find(t, WEIR_PTX_MISALIGNED,
		              "an access to %u bytes at %#llx, which is no multiple of %u", bytes,
		              (unsigned long long)address, align);
		return NULL;
	}
	switch (space) {
	case WEIR_PTX_SHARED:
		return shared_bytes(t, owner, address, bytes, write, read);
	case WEIR_PTX_LOCAL:
		return local_bytes(t, address, bytes, write, read);
	case WEIR_PTX_PARAM:
		return param_bytes(t, address, bytes, write);
	default:
		return global_bytes(t, access, address, bytes, write, read);
	}
}

/* --- Effects ------------------------------------------------------------------------------------------ */

static uint64_t load_one(const uint8_t *from, unsigned size)
{
	switch (size) {
	case 1:
		return __atomic_load_n(from, __ATOMIC_RELAXED);
	case 2:
		return __atomic_load_n((const uint16_t *)(const void *)from, __ATOMIC_RELAXED);
	case 4:
		return __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_RELAXED);
	default:
		return __atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_RELAXED);
	}
}

static void store_one(uint8_t *to, unsigned size, uint64_t value)
{
	switch (size) {
	case 1:
		__atomic_store_n(to, (uint8_t)value, __ATOMIC_RELAXED);
		break;
	case 2:
		__atomic_store_n((uint16_t *)(void *)to, (uint16_t)value, __ATOMIC_RELAXED);
		break;
	case 4:
		__atomic_store_n((uint32_t *)(void *)to, (uint32_t)value, __ATOMIC_RELAXED);
		break;
	default:
		__atomic_store_n((uint64_t *)(void *)to, value, __ATOMIC_RELAXED);
	}
}

static bool compare_exchange(uint8_t *at, unsigned size, uint64_t *old, uint64_t value)
{
	uint16_t old16 = (uint16_t)*old;
	uint32_t old32 = (uint32_t)*old;
	bool done;

	switch (size) {
	case 2:
		done = __atomic_compare_exchange_n((uint16_t *)(void *)at, &old16, (uint16_t)value,
		                                   false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*old = old16;
		return done;
	case 4:
		done = __atomic_compare_exchange_n((uint32_t *)(void *)at, &old32, (uint32_t)value,
		                                   false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*old = old32;
		return done;
	default:
		return __atomic_compare_exchange_n((uint64_t *)(void *)at, old, value, false,
		                                   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
}

static void changed(weir_ptx_thread *t)
{
	t->wrote = true;
	t->machine->epoch++;
}

static void serve_load(weir_ptx_thread *t, const ptx_access *access, weir_ptx_event *event,
                       const uint8_t *from)
{
	unsigned size = access->is_wide ? 8 : event->operation->size;
	unsigned count = access->is_wide ? event->operation->count * 2u : event->operation->count;

	(void)t;
	for (unsigned k = 0; k < count; k++)
		event->value[k] = load_one(from + k * size, size);
	if (event->operation->order != WEIR_PTX_WEAK)
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static void serve_store(weir_ptx_thread *t, const ptx_access *access, weir_ptx_event *event,
                        uint8_t *to)
{
	unsigned size = access->is_wide ? 8 : event->operation->size;
	unsigned count = access->is_wide ? event->operation->count * 2u : event->operation->count;
	uint64_t mask = ptx_low(size * 8), differs = 0;

	if (event->operation->order != WEIR_PTX_WEAK)
		__atomic_thread_fence(__ATOMIC_RELEASE);
	for (unsigned k = 0; k < count; k++) {
		differs |= (load_one(to + k * size, size) ^ event->value[k]) & mask;
		store_one(to + k * size, size, event->value[k]);
	}
	if (differs)
		changed(t);
}

/* Not atomic towards the host: 128 bits are for words that only kernels use. */
static void serve_wide_rmw(weir_ptx_thread *t, weir_ptx_event *event, uint8_t *at)
{
	bool cas = event->operation->what == PTX_RMW_CAS;
	uint64_t old[2], *new = event->value + (cas ? 2 : 0);

	memcpy(old, at, sizeof old);
	if (!cas || (old[0] == event->value[0] && old[1] == event->value[1])) {
		if (old[0] != new[0] || old[1] != new[1])
			changed(t);
		memcpy(at, new, sizeof old);
	}
	memcpy(event->value, old, sizeof old);
}

static void serve_rmw(weir_ptx_thread *t, const ptx_access *access, weir_ptx_event *event,
                      uint8_t *at)
{
	const weir_ptx_operation *o = event->operation;
	bool cas = o->what == PTX_RMW_CAS;

	if (access->is_wide) {
		serve_wide_rmw(t, event, at);
		return;
	}
	for (unsigned k = 0; k < o->count; k++) {
		uint64_t old = load_one(at + k * o->size, o->size), new;
		do {
			new = cas ? weir_ptx_rmw(o->what, o->type, old, event->value[0],
			                         event->value[1])
			          : weir_ptx_rmw(o->what, o->type, old, event->value[k], 0);
		} while (!compare_exchange(at + k * o->size, o->size, &old, new));
		if (((old ^ new) & ptx_low(o->size * 8u)) != 0)
			changed(t);
		event->value[k] = old;
	}
}

bool weir_ptx_serve_access(weir_ptx_thread *t, weir_ptx_event *event)
{
	const ptx_access *access = &t->machine->program->accesses.at[event->operation->index];
	bool load = event->kind == WEIR_PTX_LOAD, store = event->kind == WEIR_PTX_STORE;
	unsigned align = event->kind == WEIR_PTX_RMW ? event->operation->size : event->bytes;
	uint8_t *bytes = weir_ptx_bytes(t, access, event->space, event->owner, event->address,
	                                event->bytes, align, !load, !store);

	const weir_ptx_observer *observer = t->machine->observer;

	if (!bytes)
		return false;
	if (observer && observer->access && observer->access(observer->context, t, event, bytes)) {
		t->machine->epoch++;
		return true;
	}
	if (load)
		serve_load(t, access, event, bytes);
	else if (store)
		serve_store(t, access, event, bytes);
	else if (event->operation->size == 1)
		return weir_ptx_find(t, WEIR_PTX_UNSUPPORTED, NULL);
	else
		serve_rmw(t, access, event, bytes);
	return true;
}

static uint64_t sign_extended(uint64_t x, unsigned size)
{
	switch (size) {
	case 1:
		return (uint64_t)(int8_t)x;
	case 2:
		return (uint64_t)(int16_t)x;
	case 4:
		return (uint64_t)(int32_t)x;
	default:
		return x;
	}
}

void weir_ptx_finish(weir_ptx_thread *t, const ptx_access *access, const weir_ptx_event *event)
{
	for (unsigned k = 0; k < access->outputs; k++)
		t->frame[access->output[k]] =
		    access->is_signed && access->operation.kind == WEIR_PTX_LOAD
			? sign_extended(event->value[k], access->operation.size)
			: event->value[k];
}
