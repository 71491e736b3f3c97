/* Diagnosis, as objects and launches see it. A diagnosed object has a number, in its config, and a
 * header before its words (weir/diagnosis/area.h). */
#ifndef WEIR_DIAGNOSE_OBJECTS_H
#define WEIR_DIAGNOSE_OBJECTS_H

#include "core/record.h"
#include "weir/ranks.h"

/* The bytes before the words of a diagnosed object: the header, and what an array of events has before
 * that. A multiple of a cache line. */
size_t weir_diagnosis_lead(enum weir_primitive primitive, const weir_any_config *config);

weir_status weir_diagnosis_enlist(weir_device *device, weir_record *record, const char *name);
/* Takes over the record of an object that is being destroyed. */
weir_status weir_diagnosis_bury(weir_device *device, weir_record *record);
/* The same for a crew in the memory of that device. It leaves the diagnosis of another one first. */
weir_status weir_diagnosis_enlist_crew(weir_device *device, weir_crew_link *link);
/* Before the memory of a crew goes. It may be of none. */
void weir_diagnosis_dismiss_crew(weir_crew_link *link);
/* Clears what kernels have noted of an object that is being reset. */
weir_status weir_diagnosis_renew(weir_device *device, const weir_record *record);
void weir_diagnosis_launch(weir_device *device);
/* WEIR_LAUNCH_ABORTED in the place of WEIR_OK after an abort. */
weir_status weir_diagnosis_wait(weir_device *device, weir_status status);
/* Before a program is unloaded: the names of its files are read from it. */
void weir_diagnosis_unload(weir_device *device);
void weir_diagnosis_close(weir_device *device);

#endif
