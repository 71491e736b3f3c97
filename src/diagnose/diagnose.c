/* Snapshots of a device's notes, and what they say about each block: where it waits, and for how
 * long. */
#define _POSIX_C_SOURCE 200809L
#include "diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Distinguishes one wait of a block from the next. */
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

/* How long the host has seen the same signature, in ms; 0: none. */
static uint64_t time_sighting(weir_sighting *sighting, uint32_t signature, uint64_t now)
{
	if (signature != sighting->signature) {
		sighting->signature = signature;
		sighting->since_ns = now;
	}
	return signature ? (now - sighting->since_ns) / 1000000 : 0;
}

/* How long the block has waited: by the device's own clock, otherwise since the host first saw it
 * there. */
static void time_block(weir_sighting *sighting, weir_snapshot *s, uint32_t block, uint64_t now)
{
	uint32_t here = signature(s, block);
	uint32_t since = weir_note(s, block, WEIR_NOTE_SINCE);

	s->waited_ms[block] = time_sighting(sighting, here, now);
	if (here && since && weir_note(s, block, WEIR_NOTE_WAITS)) {
		/* Negative if the block began another wait while it was being read. */
		int32_t own = (int32_t)(weir_note(s, block, WEIR_NOTE_SEEN) - since);
		if (own > 0 && (uint64_t)own > s->waited_ms[block])
			s->waited_ms[block] = (uint64_t)own;
	}
}

/* The last known value of the device's clock, from the blocks that wait, because the host cannot
 * read it. 0: unknown. */
static uint32_t device_ms(const weir_snapshot *s)
{
	uint32_t latest = 0;

	for (uint32_t block = 0; block < s->blocks; block++) {
		uint32_t seen = weir_note(s, block, WEIR_NOTE_SEEN);
		if (weir_note(s, block, WEIR_NOTE_WAITS) && seen &&
		    (!latest || (int32_t)(seen - latest) > 0))
			latest = seen;
	}
	return latest;
}

/* How long the block has worked on the object, a graph or a combiner, measured in the same way. */
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

/* Clears the sightings of the blocks from `first` on. */
static void forget_sightings(weir_sighting *sightings, uint32_t first)
{
	memset(sightings + first, 0, (WEIR_BLOCKS - first) * sizeof *sightings);
}

static void time_blocks(weir_diagnostics *d, weir_snapshot *s)
{
	const uint64_t now[] = {now_ns(), device_ms(s)};

	for (uint32_t block = 0; block < s->blocks; block++) {
		time_block(&d->sightings[block], s, block, now[0]);
		s->ran_ms[block] = time_work(&d->tasks[block], s, block, weir_runs(s, block),
		                             weir_note(s, block, WEIR_NOTE_BEGAN), now);
		s->combined_ms[block] =
		    time_work(&d->combining[block], s, block, weir_combines(s, block),
		              weir_note(s, block, WEIR_NOTE_COMBINES), now);
	}
	forget_sightings(d->sightings, s->blocks);
	forget_sightings(d->tasks, s->blocks);
	forget_sightings(d->combining, s->blocks);
}

/* The snapshot gets its own copy of the file names. */
static weir_status copy_files(const weir_files *files, weir_snapshot *s)
{
	if (!files->count)
		return WEIR_OK;
	s->files.records = malloc(files->count * sizeof *files->records);
	if (!s->files.records)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
	memcpy(s->files.records, files->records, files->count * sizeof *files->records);
	s->files.count = files->count;
	return WEIR_OK;
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
	if (!s || !(s->words = calloc(WEIR_AREA_WORDS, sizeof *s->words))) {
		free(s);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
	}
	s->device = device->info.name;
	s->direct = d->direct;
	pthread_mutex_lock(&d->lock);
	memcpy(s->suspects, d->suspects, sizeof s->suspects);
	s->aborted = d->aborted;
	status = weir_notes_read(device, s->words, &s->blocks);
	if (status == WEIR_OK)
		status = copy_files(&d->files, s);
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

/* If notes reach the area at once, a block inside an operation is in the report too: it may be
 * waiting for threads of its own. Otherwise the last long wait decides which note counts. */
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

/* The first object of the primitive that the block has a count for and does not wait for; 0:
 * none. */
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
	uint32_t id = works_on(s, block, WEIR_PRIMITIVE_COMBINER);

	return weir_note(s, block, WEIR_NOTE_COUNT(id)) & WEIR_COMBINER_LEFT ? 0 : id;
}

int weir_object_read(weir_device *device, uint64_t address, uint32_t *to, size_t words)
{
	return weir_program_read(device, address, to, words * sizeof *to) == WEIR_OK;
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
	for (uint32_t block = 0; block < s->blocks; block++)
		report->waiting += weir_waits_for(s, block) != 0;
	json = weir_report_json(s);
	weir_snapshot_free(s);
	report->findings = (uint32_t)json_array_size(json_object_get(json, "findings"));
	report->text = weir_report_text(json);
	report->json = json_dumps(json, JSON_INDENT(2));
	json_decref(json);
	if (report->text && report->json)
		return WEIR_OK;
	weir_diagnosis_destroy(report);
	return weir_fail(WEIR_NO_MEMORY, "no memory for a report");
}

void weir_diagnosis_destroy(weir_diagnosis *report)
{
	if (!report)
		return;
	free(report->text);
	free(report->json);
	memset(report, 0, sizeof *report);
}
