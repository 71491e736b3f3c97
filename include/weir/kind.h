/* The kind of an object in a kernel: what its handle says, or what the kernel was compiled for. */
#ifndef WEIR_KIND_H
#define WEIR_KIND_H

#include "weir/barrier/kinds.h"
#include "weir/mutex/kinds.h"
#include "weir/semaphore/kinds.h"

#ifdef WEIR_BARRIER_KIND
#define WEIR_BARRIER_KIND_(config) (WEIR_BARRIER_KIND)
#else
#define WEIR_BARRIER_KIND_(config) ((config).kind)
#endif

#ifdef WEIR_MUTEX_KIND
#define WEIR_MUTEX_KIND_(config) (WEIR_MUTEX_KIND)
#else
#define WEIR_MUTEX_KIND_(config) ((config).kind)
#endif

#ifdef WEIR_SEMAPHORE_KIND
#define WEIR_SEMAPHORE_KIND_(config) (WEIR_SEMAPHORE_KIND)
#else
#define WEIR_SEMAPHORE_KIND_(config) ((config).kind)
#endif

#endif
