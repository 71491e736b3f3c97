/* Diagnosis, as objects and launches see it. A diagnosed object has a number, in its config, and a
 * header before its words. */
#ifndef WEIR_DIAGNOSE_OBJECTS_H
#define WEIR_DIAGNOSE_OBJECTS_H

#include "core/record.h"

#define WEIR_HEADER_BYTES 128

weir_status weir_diagnosis_enlist(weir_device *device, weir_record *record, const char *name);
/* Takes over the record of an object that is being destroyed. */
weir_status weir_diagnosis_bury(weir_device *device, weir_record *record);
void weir_diagnosis_forget(weir_device *device, uint32_t id);
void weir_diagnosis_launch(weir_device *device);
/* WEIR_LAUNCH_ABORTED in the place of WEIR_OK after an abort. */
weir_status weir_diagnosis_wait(weir_device *device, weir_status status);
/* Before a program is unloaded: the names of its files are read from it. */
void weir_diagnosis_unload(weir_device *device);
void weir_diagnosis_close(weir_device *device);

#endif
