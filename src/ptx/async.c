/* Asynchronous copies. Plain execution does them where they are issued, so commits and waits have
 * nothing to do. */
#include <string.h>

#include "ptx/machine.h"

static void changed(weir_ptx_thread *t)
{
	t->wrote = true;
	t->machine->epoch++;
}

static void reduce(weir_ptx_thread *t, const weir_ptx_operation *o, unsigned what, uint8_t *to,
                   const uint8_t *from, uint32_t bytes)
{
	for (uint32_t at = 0; at + o->size <= bytes; at += o->size) {
		uint64_t old = 0, x = 0, new;
		memcpy(&old, to + at, o->size);
		memcpy(&x, from + at, o->size);
		new = weir_ptx_rmw(what, o->type, old, x, 0);
		memcpy(to + at, &new, o->size);
	}
	changed(t);
}

/* From memory to memory; a small copy fills up with zeros. */
static bool copy(weir_ptx_thread *t, weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	const ptx_access *access = &t->machine->program->accesses.at[o->index];
	bool small = o->what == PTX_COPY_PLAIN;
	uint32_t length = small ? event->bytes : (uint32_t)event->value[0];
	uint32_t read = small && event->value[0] < length ? (uint32_t)event->value[0] : length;
	unsigned align = small ? length : 16;
	uint8_t *to, *from = NULL;

	event->bytes = length;
	if (!small && length % 16)
		return weir_ptx_find(t, WEIR_PTX_MISALIGNED,
		                     "a bulk copy of %u bytes, which is no multiple of 16", length);
	if (read)
		from = weir_ptx_bytes(t, access, event->source_space, event->source_owner,
		                      event->source, read, align, false, true);
	if (read && !from)
		return false;
	t->machine->hints[o->index] =
	    &t->machine->nowhere; /* source and target seldom share a region */
	if (length) {
		to = weir_ptx_bytes(t, access, event->space, event->owner, event->address, length,
		                    align, true, o->what == PTX_COPY_REDUCE);
		t->machine->hints[o->index] = &t->machine->nowhere;
		if (!to)
			return false;
		if (o->what == PTX_COPY_REDUCE) {
			reduce(t, o, (unsigned)event->value[1], to, from, length);
		} else {
			if (read)
				memmove(to, from, read);
			memset(to + read, 0, length - read);
			changed(t);
		}
	}
	return access->barrier == PTX_NO_SLOT || weir_ptx_mbarrier_complete(t, event, length);
}

/* st.async and red.async: from registers. */
static bool store(weir_ptx_thread *t, weir_ptx_event *event)
{
	const weir_ptx_operation *o = event->operation;
	const ptx_access *access = &t->machine->program->accesses.at[o->index];
	uint8_t *to = weir_ptx_bytes(t, access, event->space, event->owner, event->address,
	                             event->bytes, event->bytes, true, o->what == PTX_COPY_RED);

	if (!to)
		return false;
	for (unsigned k = 0; k < o->count; k++) {
		uint64_t value = event->value[k], old = 0;
		if (o->what == PTX_COPY_RED) {
			memcpy(&old, to, o->size);
			value = weir_ptx_rmw((unsigned)event->value[1], o->type, old, value, 0);
		}
		memcpy(to + k * o->size, &value, o->size);
	}
	changed(t);
	return weir_ptx_mbarrier_complete(t, event, event->bytes);
}

weir_ptx_answered weir_ptx_serve_copy(weir_ptx_thread *t, weir_ptx_event *event)
{
	unsigned what = event->operation->what;
	bool done =
	    event->kind != WEIR_PTX_COPY ||
	    (what == PTX_COPY_STORE || what == PTX_COPY_RED ? store(t, event) : copy(t, event));

	if (!done)
		return WEIR_PTX_FAULT;
	weir_ptx_pass(t, event);
	return WEIR_PTX_SERVED;
}
