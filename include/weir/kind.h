/* The kind of an object in a kernel: what its handle says, or what the kernel was compiled for. */
#ifndef WEIR_KIND_H
#define WEIR_KIND_H

#include "weir/barrier/kinds.h"
#include "weir/mutex/kinds.h"
#include "weir/semaphore/kinds.h"

/* Whether a kernel can be compiled for the kind at all. */
WEIR_FN int weir_barrier_is_kind_(uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...) case WEIR_BARRIER_##NAME:
		WEIR_BARRIER_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
		return 1;
	default:
		return 0;
	}
}

WEIR_FN int weir_mutex_is_kind_(uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...) case WEIR_MUTEX_##NAME:
		WEIR_MUTEX_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
		return 1;
	default:
		return 0;
	}
}

WEIR_FN int weir_semaphore_is_kind_(uint32_t kind)
{
	switch (kind) {
#define WEIR_ROW_(name, NAME, ...) case WEIR_SEMAPHORE_##NAME:
		WEIR_SEMAPHORE_KINDS(WEIR_ROW_)
#undef WEIR_ROW_
		return 1;
	default:
		return 0;
	}
}

/* WEIR_..._KIND_: the kind to dispatch on. WEIR_..._FITS_: whether the kernel has the handle's kind.
 * WEIR_..._CHECK_: ends the launch when it has not; a kernel that is for all kinds finds that out where
 * it dispatches. */
#define WEIR_KIND_CHECK_(fits, fault, config)                                                      \
	do {                                                                                       \
		if (!WEIR_OFTEN(fits))                                                             \
			weir_end_launch(fault, (config).kind);                                     \
	} while (0)

#ifdef WEIR_BARRIER_KIND
#define WEIR_BARRIER_KIND_(config) (WEIR_BARRIER_KIND)
#define WEIR_BARRIER_FITS_(config) ((config).kind == WEIR_BARRIER_KIND)
#define WEIR_BARRIER_CHECK_(config)                                                                \
	WEIR_KIND_CHECK_(WEIR_BARRIER_FITS_(config), WEIR_FAULT_BARRIER, config)
#else
#define WEIR_BARRIER_KIND_(config) ((config).kind)
#define WEIR_BARRIER_FITS_(config) weir_barrier_is_kind_((config).kind)
#define WEIR_BARRIER_CHECK_(config) ((void)0)
#endif

#ifdef WEIR_MUTEX_KIND
#define WEIR_MUTEX_KIND_(config) (WEIR_MUTEX_KIND)
#define WEIR_MUTEX_FITS_(config) ((config).kind == WEIR_MUTEX_KIND)
#define WEIR_MUTEX_CHECK_(config)                                                                  \
	WEIR_KIND_CHECK_(WEIR_MUTEX_FITS_(config), WEIR_FAULT_MUTEX, config)
#else
#define WEIR_MUTEX_KIND_(config) ((config).kind)
#define WEIR_MUTEX_FITS_(config) weir_mutex_is_kind_((config).kind)
#define WEIR_MUTEX_CHECK_(config) ((void)0)
#endif

#ifdef WEIR_SEMAPHORE_KIND
#define WEIR_SEMAPHORE_KIND_(config) (WEIR_SEMAPHORE_KIND)
#define WEIR_SEMAPHORE_FITS_(config) ((config).kind == WEIR_SEMAPHORE_KIND)
#define WEIR_SEMAPHORE_CHECK_(config)                                                              \
	WEIR_KIND_CHECK_(WEIR_SEMAPHORE_FITS_(config), WEIR_FAULT_SEMAPHORE, config)
#else
#define WEIR_SEMAPHORE_KIND_(config) ((config).kind)
#define WEIR_SEMAPHORE_FITS_(config) weir_semaphore_is_kind_((config).kind)
#define WEIR_SEMAPHORE_CHECK_(config) ((void)0)
#endif

#endif
