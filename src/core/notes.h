/* The notes of diagnosed kernels, and the objects that they concern. A diagnosed object has a
 * number in its config, and a header before its words (weir/diagnosis/area.h). src/diagnose makes
 * reports from this. */
#ifndef WEIR_CORE_NOTES_H
#define WEIR_CORE_NOTES_H

#include "core/device.h"
#include "core/sites.h"
#include "weir/diagnosis/area.h"
#include "weir/ranks.h"

/* An object by its number. */
typedef struct weir_suspect {
	char name[WEIR_NAME_BYTES]; /* "": the number was never assigned */
	enum weir_primitive primitive;
	weir_any_config config;
	int dead;
	weir_record *record; /* NULL for a dead object */
	weir_crew_config crew;
	weir_crew_link *link; /* for a living crew; guarded by the diagnosis' lock */
} weir_suspect;

/* How long a block has been seen in the same wait. */
typedef struct weir_sighting {
	uint32_t signature; /* 0: it does not wait */
	uint64_t since_ns;
} weir_sighting;

typedef struct weir_watch {
	pthread_mutex_t turns; /* serializes watch and unwatch */
	pthread_t thread;
	int running;
	pthread_mutex_t lock; /* guards `stop` */
	pthread_cond_t changed;
	int stop;
	double seconds;
	weir_watch_callback callback;
	void *user;
} weir_watch;

typedef struct weir_diagnostics {
	pthread_mutex_t lock; /* guards everything except the watch */
	void *area;
	int direct;      /* notes reach the area as soon as they are made */
	uint32_t launch; /* the number in the area */
	int settled;     /* no launch since the last completed wait for the device */
	int aborted;     /* an abort that no wait has reported yet */
	weir_files files;
	weir_suspect suspects[WEIR_DIAGNOSED];
	weir_sighting sightings[WEIR_BLOCKS];
	weir_sighting tasks[WEIR_BLOCKS];     /* how long a block has been seen in the same task */
	weir_sighting combining[WEIR_BLOCKS]; /* the same for the operations that it combines */
	weir_watch watch;
} weir_diagnostics;

/* NULL: no object of the device was ever diagnosed. The first one may be created while others
 * launch. */
static inline weir_diagnostics *weir_diagnosis_of(weir_device *device)
{
	return __atomic_load_n(&device->diagnosis, __ATOMIC_ACQUIRE);
}

/* The bytes before the words of a diagnosed object: the header, preceded for an array of events by
 * its records. A multiple of a cache line. */
size_t weir_diagnosis_lead(enum weir_primitive primitive, const weir_any_config *config);
/* How many events of an array have notes of their signals. */
uint32_t weir_events_noted(const weir_event_array_config *config);

/* Gives the object a number and a header. */
weir_status weir_diagnosis_register(weir_device *device, weir_record *record, const char *name);
/* Takes over the record of an object that is being destroyed. */
weir_status weir_diagnosis_remove(weir_device *device, weir_record *record);
/* Clears the notes of kernels about an object that is being reset. */
weir_status weir_diagnosis_renew(weir_device *device, const weir_record *record);

void weir_diagnosis_launch(weir_device *device);
/* WEIR_ABORTED instead of WEIR_OK after an abort. */
weir_status weir_diagnosis_wait(weir_device *device, weir_status status);
/* Called before a program is unloaded: reads the names of its files from it. */
void weir_diagnosis_unload(weir_device *device);
void weir_diagnosis_close(weir_device *device);
/* Ends the watching thread; the caller holds `turns`. */
void weir_watch_end(weir_watch *watch);

/* WEIR_OK if the device is open and has had diagnosed objects. */
weir_status weir_diagnosis_check(weir_device *device);

/* Reads the area into WEIR_AREA_WORDS words, which must be 0, and learns the file names of its
 * sites. `blocks`: blocks from this number on have left no notes. The caller holds the lock of the
 * diagnosis. */
weir_status weir_notes_read(weir_device *device, uint32_t *words, uint32_t *blocks);

#endif
