/* Causes of what was found, told from an execution that is over and the machine as it was left. */
#ifndef WEIR_PTX_CAUSE_H
#define WEIR_PTX_CAUSE_H

#include "ptx/check.h"
#include "ptx/watch.h"

/* Makes the names of memory and stores the strings of sites. */
typedef struct ptx_namer {
	const weir_check_setup *setup;
	const char *(*keep)(void *context, const char *text);
	void *context;
} ptx_namer;

void weir_ptx_name_object(const weir_ptx_machine *m, const ptx_namer *namer, uint64_t space,
                          uint64_t address, char *text, size_t bytes);
/* Addresses in a text become names, since they differ from run to run. */
void weir_ptx_name_addresses(const ptx_namer *namer, const char *text, char *named, size_t bytes);
/* A site whose strings live as long as the check. */
void weir_ptx_keep_site(const ptx_namer *namer, const weir_ptx_site *from, weir_ptx_site *to);

/* The assumptions of the detectors that run again. `pass`: 0 for single ones, 1 for several at once. */
unsigned weir_ptx_assumptions(unsigned pass, unsigned *assumed);

/* `resolved` has a bit for each set of assumptions that orders the pair: of pass 0, and of pass 1 from bit 16 on. */
void weir_ptx_explain_race(const weir_ptx_machine *m, const ptx_namer *namer, const ptx_group *g,
                           const ptx_group *all, unsigned count, uint32_t resolved,
                           const ptx_history *history, weir_check_finding *finding);
void weir_ptx_explain_end(const weir_ptx_machine *m, const ptx_namer *namer, const ptx_watch *w,
                          const weir_ptx_result *result, weir_check_finding *finding);

#endif
