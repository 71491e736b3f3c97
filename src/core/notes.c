/* The notes of a device's diagnosed kernels: their area, the numbers of the objects, aborting. */
#include "core/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "base/status.h"
#include "core/memory.h"
#include "weir/diagnosis/area.h"

#define LINE_BYTES 128
#define HEADER_BYTES (WEIR_HEADER_WORDS * sizeof(weir_word))
#define SIGNALS_BYTES (WEIR_SIGNALS_WORDS * sizeof(weir_word))

_Static_assert(HEADER_BYTES == LINE_BYTES, "one header");

size_t weir_diagnosis_lead(enum weir_primitive primitive, const weir_any_config *config)
{
	size_t signals = 0;

	if (primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		signals = weir_events_noted(&config->event_array) * SIGNALS_BYTES;
	return (signals + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES + HEADER_BYTES;
}

static const size_t area_bytes = (size_t)WEIR_AREA_WORDS * sizeof(weir_word);

uint32_t weir_events_noted(const weir_event_array_config *config)
{
	return config->length < WEIR_EVENTS_NOTED ? config->length : WEIR_EVENTS_NOTED;
}

static weir_status poke_word(weir_device *device, size_t index, uint32_t value)
{
	return weir_area_poke(device, device->diagnosis->area, index * sizeof(weir_word), &value,
	                      sizeof value);
}

/* Called with the device's lock held. */
static weir_status make(weir_device *device)
{
	weir_diagnostics *made;
	weir_status status;

	made = calloc(1, sizeof *made);
	if (!made)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a diagnosis");
	status = weir_area_open(device, area_bytes, &made->area);
	if (status != WEIR_OK) {
		free(made);
		return status;
	}
	pthread_mutex_init(&made->lock, NULL);
	pthread_mutex_init(&made->watch.turns, NULL);
	pthread_mutex_init(&made->watch.lock, NULL);
	pthread_cond_init(&made->watch.changed, NULL);
	made->direct =
	    device->info.machine != WEIR_MACHINE_CUDA && device->info.machine != WEIR_MACHINE_PTX;
	made->settled = 1;
	__atomic_store_n(&device->diagnosis, made, __ATOMIC_RELEASE);
	return WEIR_OK;
}

static void release_dead(weir_device *device, weir_suspect *suspect)
{
	if (!suspect->record)
		return;
	weir_record_free(device, suspect->record);
	suspect->record = NULL;
}

/* A number that no object has had, otherwise that of a destroyed object. 0: all are in use. */
static uint32_t choose_number(weir_device *device)
{
	weir_suspect *suspects = device->diagnosis->suspects;

	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (!suspects[id].name[0])
			return id;
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (suspects[id].dead) {
			release_dead(device, &suspects[id]);
			return id;
		}
	return 0;
}

/* The offset, in the object's memory, of the part that starts `bytes` bytes before its words. */
static size_t lead_offset(const weir_record *record, size_t bytes)
{
	return (record->lead ? record->lead : record->offset) - bytes;
}

static weir_status write_header(weir_device *device, const weir_record *record, uint32_t magic)
{
	uint64_t address = (uint64_t)(uintptr_t)device->diagnosis->area;
	uint32_t header[WEIR_HEADER_USED] = {0};
	/* The memory of a crew is that of an area. */
	weir_status (*put)(weir_device *, void *, size_t, const void *, size_t) =
	    record->primitive == WEIR_PRIMITIVE_CREW ? weir_area_poke : weir_memory_write;

	header[WEIR_HEADER_MAGIC] = magic;
	header[WEIR_HEADER_ID] = record->config.object.id;
	header[WEIR_HEADER_AREA] = (uint32_t)address;
	header[WEIR_HEADER_AREA + 1] = (uint32_t)(address >> 32);
	return put(device, weir_record_memory(record), lead_offset(record, HEADER_BYTES), header,
	           sizeof header);
}

/* Writes the header of a living object, preceded by zeros. */
static weir_status write_lead(weir_device *device, const weir_record *record)
{
	size_t lead = weir_diagnosis_lead(record->primitive, &record->config);
	weir_status status = WEIR_OK;

	if (lead > HEADER_BYTES) {
		void *zeros = calloc(1, lead - HEADER_BYTES);
		if (!zeros)
			return weir_fail(WEIR_NO_MEMORY, "no memory for a diagnosis");
		status = weir_memory_write(device, weir_record_memory(record),
		                           lead_offset(record, lead), zeros, lead - HEADER_BYTES);
		free(zeros);
	}
	return status == WEIR_OK ? write_header(device, record, WEIR_MAGIC_ALIVE) : status;
}

static void describe(weir_suspect *suspect, const weir_record *record, const char *name)
{
	memset(suspect, 0, sizeof *suspect);
	if (name && *name)
		weir_copy_name(suspect->name, sizeof suspect->name, name);
	if (!suspect->name[0])
		snprintf(suspect->name, sizeof suspect->name, "%s %u",
		         weir_primitive_name(record->primitive), record->config.object.id);
	suspect->primitive = record->primitive;
	suspect->config = record->config;
}

/* Whether the value of this misuse is a site. */
static int has_place(uint32_t kind)
{
	return kind == WEIR_MISUSE_LOCKED_TWICE || kind == WEIR_MISUSE_ENDED_HOLDING ||
	       kind == WEIR_MISUSE_UPGRADE || kind == WEIR_MISUSE_BEGUN_TWICE;
}

/* Calls `change` with each site in the area that may outlive its program: those of misuses, of
 * orders and of held mutexes. */
static void each_lasting_site(const uint32_t *words, uint32_t blocks,
                              void (*change)(void *, size_t), void *context)
{
	for (size_t i = 0; i < WEIR_MISUSES; i++) {
		change(context, WEIR_MISUSE_AT(i) + WEIR_MISUSE_SITE);
		if (has_place(words[WEIR_MISUSE_AT(i) + WEIR_MISUSE_KIND]))
			change(context, WEIR_MISUSE_AT(i) + WEIR_MISUSE_VALUE);
	}
	for (size_t i = 0; i < WEIR_DIAGNOSED * WEIR_DIAGNOSED; i++)
		change(context, WEIR_ORDER_AT((size_t)0, i) + WEIR_ORDER_SITE);
	for (size_t block = 0; block < blocks; block++)
		for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
			if (words[WEIR_NOTES_AT(block) + WEIR_NOTE_HELD + id / 32] >> id % 32 & 1)
				change(context, WEIR_NOTES_AT(block) + WEIR_NOTE_SITE(id));
}

struct learning {
	weir_device *device;
	const uint32_t *words;
	weir_status status;
};

static void learn_site(void *context, size_t at)
{
	struct learning *l = context;
	uint64_t site = weir_site_in(l->words + at);

	if (site && l->status == WEIR_OK)
		l->status = weir_files_learn(&l->device->diagnosis->files, l->device, site);
}

/* The number of blocks up to the last one with notes. Most launches have far fewer than the
 * area. */
static uint32_t count_blocks(const uint32_t *words)
{
	static const uint32_t none[WEIR_NOTE_WORDS];
	uint32_t blocks = WEIR_BLOCKS;

	while (blocks > 0 &&
	       memcmp(words + WEIR_NOTES_AT((size_t)blocks - 1), none, sizeof none) == 0)
		blocks--;
	return blocks;
}

/* Learns the file names of all sites in the area. */
static weir_status learn_files(weir_device *device, const uint32_t *words, uint32_t blocks)
{
	struct learning l = {device, words, WEIR_OK};

	each_lasting_site(words, blocks, learn_site, &l);
	for (size_t block = 0; block < blocks; block++)
		for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
			learn_site(&l, WEIR_NOTES_AT(block) + WEIR_NOTE_SITE(id));
	return l.status;
}

weir_status weir_notes_read(weir_device *device, uint32_t *words, uint32_t *blocks)
{
	weir_status status = weir_area_peek(device, device->diagnosis->area, 0, words, area_bytes);

	if (status != WEIR_OK)
		return status;
	*blocks = count_blocks(words);
	return learn_files(device, words, *blocks);
}

/* A copy of the area, to be freed; NULL: it could not be read. */
static uint32_t *copy_area(weir_device *device, uint32_t *blocks)
{
	uint32_t *words = calloc(1, area_bytes);
	weir_status status;

	if (!words)
		return NULL;
	pthread_mutex_lock(&device->diagnosis->lock);
	status = weir_notes_read(device, words, blocks);
	pthread_mutex_unlock(&device->diagnosis->lock);
	if (status == WEIR_OK)
		return words;
	free(words);
	return NULL;
}

/* Clears a block's notes about an object that is being reset. */
static void forget_block(weir_device *device, const uint32_t *notes, uint32_t block, uint32_t id)
{
	uint32_t held = WEIR_NOTE_HELD + id / 32;
	uint32_t bit = 1u << id % 32;

	if (notes[held] & bit)
		poke_word(device, WEIR_NOTES_AT((size_t)block) + held, notes[held] & ~bit);
	if (notes[WEIR_NOTE_COUNT(id)])
		poke_word(device, WEIR_NOTES_AT((size_t)block) + WEIR_NOTE_COUNT(id), 0);
}

static void forget(weir_device *device, uint32_t id)
{
	uint32_t blocks;
	uint32_t *words = copy_area(device, &blocks);

	for (uint32_t block = 0; words && block < blocks; block++)
		forget_block(device, words + WEIR_NOTES_AT((size_t)block), block, id);
	free(words);
}

weir_status weir_diagnosis_renew(weir_device *device, const weir_record *record)
{
	forget(device, record->config.object.id);
	return write_lead(device, record);
}

static void forget_order(weir_device *device, const uint32_t *words, size_t order)
{
	if (!words[order + WEIR_ORDER_BLOCK])
		return;
	poke_word(device, order + WEIR_ORDER_SITE, 0);
	poke_word(device, order + WEIR_ORDER_BLOCK, 0);
}

/* Clears the notes of kernels about the object that had the number before. */
static void forget_all(weir_device *device, uint32_t id)
{
	uint32_t blocks;
	uint32_t *words;

	forget(device, id);
	poke_word(device, WEIR_OBJECT_AT((size_t)id), 0);
	words = copy_area(device, &blocks);
	if (!words)
		return;
	for (size_t other = 1; other < WEIR_DIAGNOSED; other++) {
		forget_order(device, words, WEIR_ORDER_AT(other, id));
		forget_order(device, words, WEIR_ORDER_AT((size_t)id, other));
	}
	for (size_t i = 0; i < WEIR_MISUSES; i++)
		if (words[WEIR_MISUSE_AT(i) + WEIR_MISUSE_OBJECT] == id)
			poke_word(device, WEIR_MISUSE_AT(i) + WEIR_MISUSE_KIND, 0);
	free(words);
}

/* Makes the object's number free again. */
static void withdraw(weir_device *device, weir_suspect *suspect)
{
	pthread_mutex_lock(&device->diagnosis->lock);
	memset(suspect, 0, sizeof *suspect);
	pthread_mutex_unlock(&device->diagnosis->lock);
}

weir_status weir_diagnosis_register(weir_device *device, weir_record *record, const char *name)
{
	weir_status status = WEIR_OK;
	weir_suspect *suspect;
	int used;

	pthread_mutex_lock(&device->lock);
	if (!device->diagnosis)
		status = make(device);
	pthread_mutex_unlock(&device->lock);
	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&device->diagnosis->lock);
	record->config.object.id = choose_number(device);
	suspect = &device->diagnosis->suspects[record->config.object.id];
	used = suspect->dead;
	if (record->config.object.id != 0)
		describe(suspect, record, name);
	pthread_mutex_unlock(&device->diagnosis->lock);
	if (record->config.object.id == 0)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "a device has up to %d diagnosed objects, and %s has them",
		                 WEIR_DIAGNOSED - 1, device->info.name);
	if (used)
		forget_all(device, record->config.object.id);
	status = write_lead(device, record);
	if (status != WEIR_OK)
		withdraw(device, suspect);
	return status;
}

weir_status weir_diagnosis_remove(weir_device *device, weir_record *record)
{
	weir_suspect *suspect = &device->diagnosis->suspects[record->config.object.id];
	weir_status status = write_header(device, record, WEIR_MAGIC_DEAD);

	pthread_mutex_lock(&device->diagnosis->lock);
	suspect->dead = 1;
	suspect->record = record;
	pthread_mutex_unlock(&device->diagnosis->lock);
	return status;
}

/* A CUDA kernel identifies its launch itself. Kernels that are still making notes keep their
 * number. */
void weir_diagnosis_launch(weir_device *device)
{
	weir_diagnostics *d = weir_diagnosis_of(device);

	if (!d || !d->direct)
		return;
	pthread_mutex_lock(&d->lock);
	if (d->settled || d->launch == 0) {
		if (++d->launch == 0)
			d->launch = 1;
		poke_word(device, WEIR_AREA_LAUNCH, d->launch);
	}
	d->settled = 0;
	pthread_mutex_unlock(&d->lock);
}

/* The notes of an aborted launch are irrelevant for the next one. */
static void clear_notes(weir_device *device)
{
	size_t bytes = (size_t)WEIR_BLOCKS * WEIR_NOTE_WORDS * sizeof(weir_word);
	uint32_t *zeros = calloc(1, bytes);

	if (!zeros)
		return;
	weir_area_poke(device, device->diagnosis->area,
	               WEIR_NOTES_AT((size_t)0) * sizeof(weir_word), zeros, bytes);
	free(zeros);
}

/* The reason why a kernel has ended its launch. */
static weir_fault fault_of(weir_device *device)
{
	uint32_t words[2] = {0};

	if (weir_area_peek(device, device->diagnosis->area, WEIR_AREA_FAULT * sizeof(weir_word),
	                   words, sizeof words) != WEIR_OK)
		return (weir_fault){0};
	return (weir_fault){words[0], words[1]};
}

weir_status weir_diagnosis_wait(weir_device *device, weir_status status)
{
	weir_diagnostics *d = weir_diagnosis_of(device);
	weir_fault fault;
	int aborted;

	if (!d || status == WEIR_TIMED_OUT)
		return status;
	pthread_mutex_lock(&d->lock);
	d->settled = 1;
	aborted = d->aborted;
	/* After a driver error the area cannot be read, and the error text must stay. */
	fault = status == WEIR_OK || status == WEIR_ABORTED || d->direct ? fault_of(device)
	                                                                 : (weir_fault){0};
	if (aborted || fault.why) {
		clear_notes(device);
		poke_word(device, WEIR_AREA_FAULT, 0);
		poke_word(device, WEIR_AREA_ABORT, 0);
		d->aborted = 0;
	}
	pthread_mutex_unlock(&d->lock);
	if ((status == WEIR_OK || status == WEIR_ABORTED) && fault.why)
		return weir_fail_fault(fault);
	return aborted && status == WEIR_OK
	           ? weir_fail(WEIR_ABORTED, "weir_device_abort ended the kernel's waits")
	           : status;
}

weir_status weir_diagnosis_check(weir_device *device)
{
	weir_status status = weir_device_check(device);

	if (status != WEIR_OK)
		return status;
	return weir_diagnosis_of(device)
	           ? WEIR_OK
	           : weir_fail(WEIR_NOT_FOUND, "%s has no diagnosed objects", device->info.name);
}

static weir_status order_abort(weir_device *device)
{
	weir_diagnostics *d = device->diagnosis;
	weir_status status;

	pthread_mutex_lock(&d->lock);
	status = poke_word(device, WEIR_AREA_ABORT, 1);
	d->aborted = status == WEIR_OK;
	pthread_mutex_unlock(&d->lock);
	return status;
}

weir_status weir_device_abort(weir_device *device)
{
	weir_status status = weir_device_check(device);
	int is_diagnosed;

	if (status != WEIR_OK)
		return status;
	is_diagnosed = weir_diagnosis_of(device) != NULL;
	if (is_diagnosed)
		status = order_abort(device);
	if (status == WEIR_OK && !weir_device_interrupt(device, is_diagnosed) && !is_diagnosed)
		status = weir_fail(
		    WEIR_UNSUPPORTED,
		    device->info.machine == WEIR_MACHINE_CUDA
			? "%s cannot end this kernel's waits: compile it with "
			  "WEIR_ABORTABLE"
			: "%s cannot end this kernel's waits: only those for objects with "
			  "object.diagnose, in kernels compiled with WEIR_DIAGNOSE",
		    device->info.name);
	return status;
}

static void number_site(void *context, size_t at)
{
	struct learning *l = context;
	uint64_t site = weir_site_in(l->words + at);
	uint64_t numbered = weir_files_number(&l->device->diagnosis->files, site);

	if (numbered == site)
		return;
	poke_word(l->device, at + 1, (uint32_t)(numbered >> 32));
	poke_word(l->device, at, (uint32_t)numbered);
}

void weir_diagnosis_unload(weir_device *device)
{
	weir_diagnostics *d = weir_diagnosis_of(device);
	uint32_t blocks;
	uint32_t *words = d ? copy_area(device, &blocks) : NULL;

	if (!words)
		return;
	pthread_mutex_lock(&d->lock);
	each_lasting_site(words, blocks, number_site, &(struct learning){device, words, WEIR_OK});
	weir_files_retire(&d->files);
	pthread_mutex_unlock(&d->lock);
	free(words);
}

void weir_watch_end(weir_watch *watch)
{
	if (!watch->running)
		return;
	pthread_mutex_lock(&watch->lock);
	watch->stop = 1;
	pthread_cond_broadcast(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
	pthread_join(watch->thread, NULL);
	watch->running = 0;
}

void weir_diagnosis_close(weir_device *device)
{
	weir_diagnostics *d = device->diagnosis;

	if (!d)
		return;
	pthread_mutex_lock(&d->watch.turns);
	weir_watch_end(&d->watch);
	pthread_mutex_unlock(&d->watch.turns);
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		release_dead(device, &d->suspects[id]);
	weir_area_close(device, d->area);
	free(d->files.records);
	pthread_cond_destroy(&d->watch.changed);
	pthread_mutex_destroy(&d->watch.lock);
	pthread_mutex_destroy(&d->watch.turns);
	pthread_mutex_destroy(&d->lock);
	free(d);
	device->diagnosis = NULL;
}
