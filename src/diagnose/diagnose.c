/* Diagnosis: the area of a device, the numbers of its objects, aborting. */
#define _GNU_SOURCE
#include "diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "core/name.h"

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

weir_status weir_plain_peek(void *state, void *area, size_t offset, void *to, size_t bytes)
{
	uint32_t *from = (uint32_t *)area + offset / sizeof(uint32_t);

	(void)state;
	for (size_t i = 0; i < bytes / sizeof(uint32_t); i++)
		((uint32_t *)to)[i] = __atomic_load_n(from + i, __ATOMIC_ACQUIRE);
	return WEIR_OK;
}

weir_status weir_plain_poke(void *state, void *area, size_t offset, const void *from, size_t bytes)
{
	uint32_t *to = (uint32_t *)area + offset / sizeof(uint32_t);

	(void)state;
	for (size_t i = 0; i < bytes / sizeof(uint32_t); i++)
		__atomic_store_n(to + i, ((const uint32_t *)from)[i], __ATOMIC_RELAXED);
	return WEIR_OK;
}

/* A program may be gone: only the system can tell. */
weir_status weir_plain_read_program(void *state, uint64_t address, void *to, size_t bytes)
{
	struct iovec here = {to, bytes};
	struct iovec there = {(void *)(uintptr_t)address, bytes};

	(void)state;
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes
	           ? WEIR_OK
	           : WEIR_NOT_FOUND;
}

static weir_status poke_word(weir_device *device, size_t index, uint32_t value)
{
	return device->backend->poke(device->state, device->diagnosis->area,
	                             index * sizeof(weir_word), &value, sizeof value);
}

/* Called with the device's lock held. */
static weir_status make(weir_device *device)
{
	weir_diagnostics *made;
	weir_status status;

	if (!device->backend->area_open)
		return weir_fail(WEIR_UNSUPPORTED, "%s has no diagnosis", device->info.name);
	made = calloc(1, sizeof *made);
	if (!made)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a diagnosis");
	status = device->backend->area_open(device->state, area_bytes, &made->area);
	if (status != WEIR_OK) {
		free(made);
		return status;
	}
	pthread_mutex_init(&made->lock, NULL);
	pthread_mutex_init(&made->watch.turns, NULL);
	pthread_mutex_init(&made->watch.lock, NULL);
	pthread_cond_init(&made->watch.changed, NULL);
	made->direct = device->info.machine != WEIR_MACHINE_CUDA;
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

/* A number that no object had, else that of a destroyed object. 0: all are in use. */
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

/* Where the part of the object that ends `bytes` before its words begins in its memory. */
static size_t lead_offset(const weir_record *record, size_t bytes)
{
	return (record->lead ? record->lead : record->offset) - bytes;
}

static weir_status write_header(weir_device *device, const weir_record *record, uint32_t magic)
{
	uint64_t address = (uint64_t)(uintptr_t)device->diagnosis->area;
	uint32_t header[WEIR_HEADER_USED] = {0};
	/* The memory of a crew is that of an area. */
	weir_status (*put)(void *, void *, size_t, const void *, size_t) =
	    record->primitive == WEIR_PRIMITIVE_CREW ? device->backend->poke
						     : device->backend->write;

	header[WEIR_HEADER_MAGIC] = magic;
	header[WEIR_HEADER_ID] = record->config.object.id;
	header[WEIR_HEADER_AREA_LOW] = (uint32_t)address;
	header[WEIR_HEADER_AREA_HIGH] = (uint32_t)(address >> 32);
	return put(device->state, weir_record_memory(record), lead_offset(record, HEADER_BYTES),
	           header, sizeof header);
}

/* Writes the header of a living object, and zeros before it. */
static weir_status write_lead(weir_device *device, const weir_record *record)
{
	size_t lead = weir_diagnosis_lead(record->primitive, &record->config);
	weir_status status = WEIR_OK;

	if (lead > HEADER_BYTES) {
		void *zeros = calloc(1, lead - HEADER_BYTES);
		if (!zeros)
			return weir_fail(WEIR_NO_MEMORY, "no memory for a diagnosis");
		status =
		    device->backend->write(device->state, weir_record_memory(record),
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

/* Clears the notes of a block about an object that is being reset. */
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
	weir_snapshot *s;

	if (weir_snapshot_take(device, &s) != WEIR_OK)
		return;
	for (uint32_t block = 0; block < WEIR_BLOCKS; block++)
		forget_block(device, s->words + WEIR_NOTES_AT((size_t)block), block, id);
	weir_snapshot_free(s);
}

weir_status weir_diagnosis_renew(weir_device *device, const weir_record *record)
{
	forget(device, record->config.object.id);
	return write_lead(device, record);
}

static void forget_order(weir_device *device, const weir_snapshot *s, size_t order)
{
	if (!s->words[order + WEIR_ORDER_BLOCK])
		return;
	poke_word(device, order + WEIR_ORDER_SITE, 0);
	poke_word(device, order + WEIR_ORDER_BLOCK, 0);
}

/* Clears the notes of kernels about the object that had the number before. */
static void forget_all(weir_device *device, uint32_t id)
{
	weir_snapshot *s;

	forget(device, id);
	poke_word(device, WEIR_OBJECT_AT((size_t)id), 0);
	if (weir_snapshot_take(device, &s) != WEIR_OK)
		return;
	for (size_t other = 1; other < WEIR_DIAGNOSED; other++) {
		forget_order(device, s, WEIR_ORDER_AT(other, id));
		forget_order(device, s, WEIR_ORDER_AT((size_t)id, other));
	}
	for (size_t i = 0; i < WEIR_MISUSES; i++)
		if (s->words[WEIR_MISUSE_AT(i) + WEIR_MISUSE_OBJECT] == id)
			poke_word(device, WEIR_MISUSE_AT(i) + WEIR_MISUSE_KIND, 0);
	weir_snapshot_free(s);
}

/* Makes the object's number free again. */
static void withdraw(weir_device *device, weir_suspect *suspect)
{
	pthread_mutex_lock(&device->diagnosis->lock);
	memset(suspect, 0, sizeof *suspect);
	pthread_mutex_unlock(&device->diagnosis->lock);
}

weir_status weir_diagnosis_enlist(weir_device *device, weir_record *record, const char *name)
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

weir_status weir_diagnosis_bury(weir_device *device, weir_record *record)
{
	weir_suspect *suspect = &device->diagnosis->suspects[record->config.object.id];
	weir_status status = write_header(device, record, WEIR_MAGIC_DEAD);

	pthread_mutex_lock(&device->diagnosis->lock);
	suspect->dead = 1;
	suspect->record = record;
	pthread_mutex_unlock(&device->diagnosis->lock);
	return status;
}

/* A CUDA kernel knows its launch by itself. Notes that a kernel still makes keep their number. */
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

/* The notes of an aborted launch say nothing about the next one. */
static void clear_notes(weir_device *device)
{
	size_t bytes = (size_t)WEIR_BLOCKS * WEIR_NOTE_WORDS * sizeof(weir_word);
	uint32_t *zeros = calloc(1, bytes);

	if (!zeros)
		return;
	device->backend->poke(device->state, device->diagnosis->area,
	                      WEIR_NOTES_AT((size_t)0) * sizeof(weir_word), zeros, bytes);
	free(zeros);
}

/* The reason why a kernel has ended its launch. */
static weir_fault fault_of(weir_device *device)
{
	uint32_t words[2] = {0};

	if (device->backend->peek(device->state, device->diagnosis->area,
	                          WEIR_AREA_FAULT * sizeof(weir_word), words,
	                          sizeof words) != WEIR_OK)
		return (weir_fault){0};
	return (weir_fault){words[0], words[1]};
}

weir_status weir_diagnosis_wait(weir_device *device, weir_status status)
{
	weir_diagnostics *d = weir_diagnosis_of(device);
	weir_fault fault;
	int aborted;

	if (!d || status == WEIR_STILL_RUNNING)
		return status;
	pthread_mutex_lock(&d->lock);
	d->settled = 1;
	aborted = d->aborted;
	/* After an error of a driver the area cannot be read, and the error text must stay. */
	fault = status == WEIR_OK || d->direct ? fault_of(device) : (weir_fault){0};
	if (aborted || fault.why) {
		clear_notes(device);
		poke_word(device, WEIR_AREA_FAULT, 0);
		poke_word(device, WEIR_AREA_ABORT, 0);
		d->aborted = 0;
	}
	pthread_mutex_unlock(&d->lock);
	if (status == WEIR_OK && fault.why)
		return weir_fail_fault(fault);
	return aborted && status == WEIR_OK
	           ? weir_fail(WEIR_LAUNCH_ABORTED, "weir_device_abort ended the kernel's waits")
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

weir_status weir_device_abort(weir_device *device)
{
	weir_status status = weir_diagnosis_check(device);
	weir_diagnostics *d;

	if (status != WEIR_OK)
		return status;
	d = device->diagnosis;
	pthread_mutex_lock(&d->lock);
	status = poke_word(device, WEIR_AREA_ABORT, 1);
	d->aborted = status == WEIR_OK;
	pthread_mutex_unlock(&d->lock);
	if (status == WEIR_OK && device->backend->interrupt)
		device->backend->interrupt(device->state);
	return status;
}

void weir_diagnosis_close(weir_device *device)
{
	weir_diagnostics *d = device->diagnosis;

	if (!d)
		return;
	weir_watch_end(d);
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		release_dead(device, &d->suspects[id]);
	device->backend->area_close(device->state, d->area);
	free(d->files.records);
	pthread_cond_destroy(&d->watch.changed);
	pthread_mutex_destroy(&d->watch.lock);
	pthread_mutex_destroy(&d->watch.turns);
	pthread_mutex_destroy(&d->lock);
	free(d);
	device->diagnosis = NULL;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Tells one wait of a block from the next. */
static uint32_t signature(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = weir_waits_for(s, block);
	uint32_t sum = weir_doing(s, block);

	if (id == 0)
		return 0;
	sum = sum * 31 + (uint32_t)weir_doing_at(s, block);
	if (!weir_family_of(&s->suspects[id])->resumes)
		sum = sum * 31 + weir_note(s, block, WEIR_NOTE_SINCE);
	sum = sum * 31 + weir_note(s, block, WEIR_NOTE_LAUNCH);
	if (weir_family_of(&s->suspects[id])->sign)
		sum = sum * 31 + weir_family_of(&s->suspects[id])->sign(s, block);
	return (sum * 31 + weir_note(s, block, WEIR_NOTE_COUNT(id))) | 1;
}

/* How long the host has seen the same, in ms; 0: nothing. */
static uint64_t time_sighting(weir_sighting *sighting, uint32_t signature, uint64_t now)
{
	if (signature != sighting->signature) {
		sighting->signature = signature;
		sighting->since_ns = now;
	}
	return signature ? (now - sighting->since_ns) / 1000000 : 0;
}

/* How long the block has waited: by the device's own clock, else since the host first saw it
 * there. */
static void time_block(weir_sighting *sighting, weir_snapshot *s, uint32_t block, uint64_t now)
{
	uint32_t here = signature(s, block);
	uint32_t since = weir_note(s, block, WEIR_NOTE_SINCE);

	s->waited_ms[block] = time_sighting(sighting, here, now);
	if (here && since && weir_note(s, block, WEIR_NOTE_WAITS)) {
		/* Below 0 when the block began another wait while it was being read. */
		int32_t own = (int32_t)(weir_note(s, block, WEIR_NOTE_SEEN) - since);
		if (own > 0 && (uint64_t)own > s->waited_ms[block])
			s->waited_ms[block] = (uint64_t)own;
	}
}

/* What the device's clock last was, by the blocks that wait: the host cannot read it. 0: not known. */
static uint32_t device_ms(const weir_snapshot *s)
{
	uint32_t latest = 0;

	for (uint32_t block = 0; block < WEIR_BLOCKS; block++) {
		uint32_t seen = weir_note(s, block, WEIR_NOTE_SEEN);
		if (weir_note(s, block, WEIR_NOTE_WAITS) && seen &&
		    (!latest || (int32_t)(seen - latest) > 0))
			latest = seen;
	}
	return latest;
}

/* How long the block has worked on the object, a graph or a combiner, in the same way. */
static uint64_t time_work(weir_sighting *sighting, const weir_snapshot *s, uint32_t block,
                          uint32_t id, uint32_t began, const uint64_t now[2])
{
	uint32_t sum = weir_note(s, block, WEIR_NOTE_COUNT(id)) * 31 + began;
	int32_t own = (int32_t)((uint32_t)now[1] - began);
	uint64_t ms;

	sum = sum * 31 + weir_note(s, block, WEIR_NOTE_LAUNCH);
	ms = time_sighting(sighting, id ? sum | 1 : 0, now[0]);
	return id && began && now[1] && own > 0 && (uint64_t)own > ms ? (uint64_t)own : ms;
}

static void time_blocks(weir_diagnostics *d, weir_snapshot *s)
{
	const uint64_t now[] = {now_ns(), device_ms(s)};

	for (uint32_t block = 0; block < WEIR_BLOCKS; block++) {
		time_block(&d->sightings[block], s, block, now[0]);
		s->ran_ms[block] = time_work(&d->tasks[block], s, block, weir_runs(s, block),
		                             weir_note(s, block, WEIR_NOTE_BEGAN), now);
		s->combined_ms[block] =
		    time_work(&d->combining[block], s, block, weir_combines(s, block),
		              weir_note(s, block, WEIR_NOTE_COMBINES), now);
	}
}

/* Whether the value of such a misuse is a site. */
static int has_place(uint32_t kind)
{
	return kind == WEIR_MISUSE_LOCKED_TWICE || kind == WEIR_MISUSE_ENDED_HOLDING ||
	       kind == WEIR_MISUSE_UPGRADE || kind == WEIR_MISUSE_BEGUN_TWICE;
}

/* Calls `change` with each site in the area that may be one of an unloaded program later: those of misuses,
 * of orders and of held mutexes. */
static void each_lasting_site(const uint32_t *words, void (*change)(void *, size_t), void *context)
{
	for (size_t i = 0; i < WEIR_MISUSES; i++) {
		change(context, WEIR_MISUSE_AT(i) + WEIR_MISUSE_SITE);
		if (has_place(words[WEIR_MISUSE_AT(i) + WEIR_MISUSE_KIND]))
			change(context, WEIR_MISUSE_AT(i) + WEIR_MISUSE_VALUE);
	}
	for (size_t i = 0; i < WEIR_DIAGNOSED * WEIR_DIAGNOSED; i++)
		change(context, WEIR_ORDER_AT((size_t)0, i) + WEIR_ORDER_SITE);
	for (size_t block = 0; block < WEIR_BLOCKS; block++)
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

/* The names of all files in the snapshot; it gets a copy of them. */
static weir_status learn_files(weir_device *device, weir_snapshot *s)
{
	weir_files *files = &device->diagnosis->files;
	struct learning l = {device, s->words, WEIR_OK};

	each_lasting_site(s->words, learn_site, &l);
	for (size_t block = 0; block < WEIR_BLOCKS; block++)
		for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
			learn_site(&l, WEIR_NOTES_AT(block) + WEIR_NOTE_SITE(id));
	if (l.status != WEIR_OK || !files->count)
		return l.status;
	s->files.records = malloc(files->count * sizeof *files->records);
	if (!s->files.records)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
	memcpy(s->files.records, files->records, files->count * sizeof *files->records);
	s->files.count = files->count;
	return WEIR_OK;
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
	weir_snapshot *s;

	if (!d || weir_snapshot_take(device, &s) != WEIR_OK)
		return;
	pthread_mutex_lock(&d->lock);
	each_lasting_site(s->words, number_site, &(struct learning){device, s->words, WEIR_OK});
	weir_files_retire(&d->files);
	pthread_mutex_unlock(&d->lock);
	weir_snapshot_free(s);
}

weir_status weir_snapshot_take(weir_device *device, weir_snapshot **snapshot)
{
	weir_status status = weir_diagnosis_check(device);
	weir_diagnostics *d;
	weir_snapshot *s;

	if (status != WEIR_OK)
		return status;
	d = device->diagnosis;
	s = calloc(1, sizeof *s);
	if (!s || !(s->words = malloc(area_bytes))) {
		free(s);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
	}
	s->device = device->info.name;
	s->direct = d->direct;
	pthread_mutex_lock(&d->lock);
	memcpy(s->suspects, d->suspects, sizeof s->suspects);
	s->aborted = d->aborted;
	status = device->backend->peek(device->state, d->area, 0, s->words, area_bytes);
	if (status == WEIR_OK)
		status = learn_files(device, s);
	if (status == WEIR_OK)
		time_blocks(d, s);
	pthread_mutex_unlock(&d->lock);
	if (status != WEIR_OK) {
		weir_snapshot_free(s);
		return status;
	}
	*snapshot = s;
	return WEIR_OK;
}

void weir_snapshot_free(weir_snapshot *snapshot)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++) {
		const weir_family *family = weir_family_of(&snapshot->suspects[id]);
		if (family->clear)
			family->clear(&snapshot->views[id]);
	}
	free(snapshot->files.records);
	free(snapshot->words);
	free(snapshot);
}

uint32_t weir_note(const weir_snapshot *s, uint32_t block, uint32_t index)
{
	return s->words[WEIR_NOTES_AT((size_t)block) + index];
}

/* Where notes are in the area at once, a block inside an operation is in the report, too: it may be
 * waiting for threads of its own. Elsewhere the last long wait says which note counts. */
static uint32_t note_of_doing(const weir_snapshot *s, uint32_t block)
{
	uint32_t waits = weir_note(s, block, WEIR_NOTE_WAITS);

	if (!s->direct)
		return WEIR_NOTE_OF_OPERATION(waits);
	return weir_note(s, block, WEIR_NOTE_DOING) ? WEIR_NOTE_DOING : WEIR_NOTE_BARRIER;
}

uint32_t weir_doing(const weir_snapshot *s, uint32_t block)
{
	if (!s->direct && !weir_note(s, block, WEIR_NOTE_WAITS))
		return 0;
	return weir_note(s, block, note_of_doing(s, block));
}

uint64_t weir_entry(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	return weir_site_in(s->words + WEIR_NOTES_AT((size_t)block) + WEIR_NOTE_SITE(id));
}

uint64_t weir_doing_at(const weir_snapshot *s, uint32_t block)
{
	return weir_entry(s, block, weir_waits_for(s, block));
}

uint32_t weir_waits_for(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = WEIR_DOING_OBJECT(weir_doing(s, block));

	return id < WEIR_DIAGNOSED ? id : 0;
}

int weir_holds(const weir_snapshot *s, uint32_t block, uint32_t id)
{
	if (weir_waits_for(s, block) == id)
		return 0;
	if (s->suspects[id].primitive == WEIR_PRIMITIVE_SEMAPHORE)
		return weir_note(s, block, WEIR_NOTE_COUNT(id)) != 0;
	return (int)(weir_note(s, block, WEIR_NOTE_HELD + id / 32) >> id % 32 & 1);
}

int weir_waits_long(const weir_snapshot *s, uint32_t block, uint32_t id, uint32_t operation)
{
	return weir_note(s, block, WEIR_NOTE_WAITS) == operation &&
	       weir_waits_for(s, block) == id && s->waited_ms[block] > 0;
}

/* The first object of the primitive that the block has a count of and does not wait for; 0: none. */
static uint32_t works_on(const weir_snapshot *s, uint32_t block, enum weir_primitive primitive)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++)
		if (s->suspects[id].primitive == primitive && s->suspects[id].name[0] &&
		    weir_note(s, block, WEIR_NOTE_COUNT(id)) &&
		    !(weir_note(s, block, WEIR_NOTE_WAITS) && weir_waits_for(s, block) == id))
			return id;
	return 0;
}

uint32_t weir_runs(const weir_snapshot *s, uint32_t block)
{
	return works_on(s, block, WEIR_PRIMITIVE_TASKS);
}

uint32_t weir_combines(const weir_snapshot *s, uint32_t block)
{
	uint32_t id = works_on(s, block, WEIR_PRIMITIVE_COMBINE);

	return weir_note(s, block, WEIR_NOTE_COUNT(id)) & WEIR_COMBINER_LEFT ? 0 : id;
}

int weir_object_read(weir_device *device, uint64_t address, uint32_t *to, size_t words)
{
	return device->backend->read_program(device->state, address, to, words * sizeof *to) ==
	       WEIR_OK;
}

/* Reads the state of the living objects that kernels have used. */
static void read_objects(weir_device *device, weir_snapshot *s)
{
	for (uint32_t id = 1; id < WEIR_DIAGNOSED; id++) {
		const weir_suspect *suspect = &s->suspects[id];
		const uint32_t *address = s->words + WEIR_OBJECT_AT((size_t)id);
		if (weir_family_of(suspect)->read && !suspect->dead && address[0])
			weir_family_of(suspect)->read(device, suspect,
			                              (uint64_t)address[1] << 32 | address[0],
			                              &s->views[id]);
		if (weir_family_of(suspect)->look && !suspect->dead)
			weir_family_of(suspect)->look(device, s, id);
	}
}

weir_status weir_device_diagnose(weir_device *device, weir_diagnosis *report)
{
	weir_snapshot *s;
	json_t *json;
	weir_status status;

	if (!report)
		return weir_fail(WEIR_BAD_ARGUMENT, "no place for the report");
	memset(report, 0, sizeof *report);
	status = weir_snapshot_take(device, &s);
	if (status != WEIR_OK)
		return status;
	read_objects(device, s);
	for (uint32_t block = 0; block < WEIR_BLOCKS; block++)
		report->waiting += weir_waits_for(s, block) != 0;
	json = weir_report_json(s);
	weir_snapshot_free(s);
	report->findings = (uint32_t)json_array_size(json_object_get(json, "findings"));
	report->text = weir_report_text(json);
	report->json = json_dumps(json, JSON_INDENT(2));
	json_decref(json);
	if (report->text && report->json)
		return WEIR_OK;
	weir_diagnosis_clear(report);
	return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
}

void weir_diagnosis_clear(weir_diagnosis *report)
{
	if (!report)
		return;
	free(report->text);
	free(report->json);
	memset(report, 0, sizeof *report);
}
