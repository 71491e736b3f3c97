/* Fibers: each has its own stack and is switched explicitly. */
#ifndef WEIR_FIBER_FIBER_H
#define WEIR_FIBER_FIBER_H

#include <stddef.h>

/* Switched in assembly on two architectures; WEIR_FIBER_UCONTEXT selects the slow way of the
 * others. */
#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(WEIR_FIBER_UCONTEXT)
#define WEIR_FIBER_UCONTEXT 1
#endif
#ifdef WEIR_FIBER_UCONTEXT
#include <ucontext.h>
#endif

typedef struct weir_fiber {
	void *stack_pointer;
	void *stack;
	size_t stack_bytes;
	void (*entry)(void *argument);
	void *argument;
#ifdef WEIR_FIBER_UCONTEXT
	ucontext_t context;
#endif
} weir_fiber;

/* Returns 0, or -1 if out of memory. A fiber that represents the calling thread needs no stack. */
int weir_fiber_create(weir_fiber *fiber, size_t stack_bytes);
void weir_fiber_destroy(weir_fiber *fiber);

/* The next switch to the fiber calls entry(argument), whatever the fiber was doing before. `entry`
 * must not return. */
void weir_fiber_start(weir_fiber *fiber, void (*entry)(void *argument), void *argument);

void weir_fiber_switch(weir_fiber *from, weir_fiber *to);

#endif
