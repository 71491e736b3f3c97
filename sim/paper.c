#include "paper.h"

#include <string.h>

static const weir_paper_kind kinds[] = {
    {WEIR_PRIMITIVE_BARRIER, "atomic", WEIR_BARRIER_ATOMIC, 8},
    {WEIR_PRIMITIVE_BARRIER, "xf", WEIR_BARRIER_XF, 6},
    {WEIR_PRIMITIVE_MUTEX, "spin", WEIR_MUTEX_SPIN, 8},
    {WEIR_PRIMITIVE_MUTEX, "spin_backoff", WEIR_MUTEX_SPIN_BACKOFF, 8},
    {WEIR_PRIMITIVE_MUTEX, "ticket", WEIR_MUTEX_TICKET, 8},
    {WEIR_PRIMITIVE_SEMAPHORE, "spin", WEIR_SEMAPHORE_SPIN, 8},
    {WEIR_PRIMITIVE_SEMAPHORE, "spin_backoff", WEIR_SEMAPHORE_SPIN_BACKOFF, 8},
    {WEIR_PRIMITIVE_SEMAPHORE, "sleeping", WEIR_SEMAPHORE_SLEEPING, 8},
};

const weir_paper_kind *weir_paper_kind_named(enum weir_primitive primitive, const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].primitive == primitive && strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

const weir_paper_kind *weir_paper_kind_at(enum weir_primitive primitive, size_t index)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].primitive == primitive && index-- == 0)
			return &kinds[i];
	return NULL;
}

uint32_t weir_paper_most_blocks(const weir_paper_kind *kind, uint32_t full)
{
	return (uint32_t)((uint64_t)full * kind->blocks_of_8 / 8);
}
