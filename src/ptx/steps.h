/* The last steps of each block before a finding: accesses that order threads, fences, syncs, and the accesses that the
 * finding is about. They are taken from an execution that is run once more, when its findings are known. */
#ifndef WEIR_PTX_STEPS_H
#define WEIR_PTX_STEPS_H

#include "ptx/cause.h"

/* A finding, and the numbers of its events: of the accesses, the release and the acquire; 0: none. */
typedef struct ptx_scene {
	weir_check_finding *finding;
	uint64_t event[4];
} ptx_scene;

typedef struct ptx_steps ptx_steps;

/* `inner` sees each event as well. The scenes stay the caller's. NULL without memory. */
ptx_steps *weir_ptx_steps_create(const weir_ptx_machine *m, const weir_ptx_observer *inner,
                                 const ptx_namer *namer, const ptx_scene *scenes, unsigned count);
void weir_ptx_steps_destroy(ptx_steps *t);
const weir_ptx_observer *weir_ptx_steps_observer(ptx_steps *t);
/* The execution is over: writes the steps of all findings. Returns -1 without memory, and else 0. */
int weir_ptx_steps_end(ptx_steps *t);

#endif
