#define _DEFAULT_SOURCE
#include "fiber/fiber.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define WEIR_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_FIBER_ASAN 1
#endif
#endif

#ifdef WEIR_FIBER_ASAN
#include <sanitizer/asan_interface.h>
/* A restarted fiber leaves the frames of its last run behind. */
#define forget_frames(fiber) __asan_unpoison_memory_region((fiber)->stack, (fiber)->stack_bytes)
#else
#define forget_frames(fiber) ((void)(fiber))
#endif

int weir_fiber_create(weir_fiber *fiber, size_t stack_bytes)
{
	fiber->stack = malloc(stack_bytes);
	fiber->stack_bytes = stack_bytes;
	return fiber->stack ? 0 : -1;
}

void weir_fiber_destroy(weir_fiber *fiber)
{
	free(fiber->stack);
	fiber->stack = NULL;
}

#ifdef WEIR_FIBER_UCONTEXT

/* makecontext only passes ints, so a pointer is split in two. */
static void begin(unsigned high, unsigned low)
{
	weir_fiber *fiber = (weir_fiber *)(((uintptr_t)high << 16 << 16) | low);
	fiber->entry(fiber->argument);
}

void weir_fiber_start(weir_fiber *fiber, void (*entry)(void *argument), void *argument)
{
	uintptr_t self = (uintptr_t)fiber;

	forget_frames(fiber);
	fiber->entry = entry;
	fiber->argument = argument;
	getcontext(&fiber->context);
	fiber->context.uc_stack.ss_sp = fiber->stack;
	fiber->context.uc_stack.ss_size = fiber->stack_bytes;
	fiber->context.uc_link = NULL;
	makecontext(&fiber->context, (void (*)(void))begin, 2, (unsigned)(self >> 16 >> 16),
	            (unsigned)self);
}

void weir_fiber_switch(weir_fiber *from, weir_fiber *to)
{
	swapcontext(&from->context, &to->context);
}

#else

/* Saves the callee-saved registers on the stack, and the stack pointer in *from. */
void weir_fiber_switch_(void **from, void *to);

/* Where a new fiber starts: calls entry(argument); both are in callee-saved registers. */
void weir_fiber_begin_(void);

#define FUNCTION(name, text)                                                                       \
	__asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" text           \
	        ".size " #name ", . - " #name "\n")

#if defined(__x86_64__)

#define SAVED_WORDS 7 /* rbx, rbp, r12 to r15, return address */

/* A processor predicts that a return goes back to the caller, and would be wrong each time: hence a
 * jump. */
FUNCTION(weir_fiber_switch_,
         "pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
         "movq %rsp, (%rdi); movq %rsi, %rsp\n"
         "popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp\n"
         "popq %rcx; jmpq *%rcx\n");
FUNCTION(weir_fiber_begin_, "movq %r12, %rdi; callq *%r13; ud2\n");

static void prepare(uintptr_t *saved, void (*entry)(void *), void *argument)
{
	saved[2] = (uintptr_t)entry;    /* r13 */
	saved[3] = (uintptr_t)argument; /* r12 */
	saved[6] = (uintptr_t)weir_fiber_begin_;
}

#else

#define SAVED_WORDS 20 /* x19 to x30, d8 to d15 */

FUNCTION(weir_fiber_switch_,
         "sub sp, sp, #160\n"
         "stp x19, x20, [sp, #0]; stp x21, x22, [sp, #16]; stp x23, x24, [sp, #32]\n"
         "stp x25, x26, [sp, #48]; stp x27, x28, [sp, #64]; stp x29, x30, [sp, #80]\n"
         "stp d8, d9, [sp, #96]; stp d10, d11, [sp, #112]\n"
         "stp d12, d13, [sp, #128]; stp d14, d15, [sp, #144]\n"
         "mov x9, sp; str x9, [x0]; mov sp, x1\n"
         "ldp x19, x20, [sp, #0]; ldp x21, x22, [sp, #16]; ldp x23, x24, [sp, #32]\n"
         "ldp x25, x26, [sp, #48]; ldp x27, x28, [sp, #64]; ldp x29, x30, [sp, #80]\n"
         "ldp d8, d9, [sp, #96]; ldp d10, d11, [sp, #112]\n"
         "ldp d12, d13, [sp, #128]; ldp d14, d15, [sp, #144]\n"
         "add sp, sp, #160; ret\n");
FUNCTION(weir_fiber_begin_, "mov x0, x19; blr x20; brk #0\n");

static void prepare(uintptr_t *saved, void (*entry)(void *), void *argument)
{
	saved[0] = (uintptr_t)argument; /* x19 */
	saved[1] = (uintptr_t)entry;    /* x20 */
	saved[11] = (uintptr_t)weir_fiber_begin_;
}

#endif

void weir_fiber_start(weir_fiber *fiber, void (*entry)(void *argument), void *argument)
{
	uintptr_t top = ((uintptr_t)fiber->stack + fiber->stack_bytes) & ~(uintptr_t)15;
	uintptr_t *saved = (uintptr_t *)top - (SAVED_WORDS + 1) / 2 * 2;
#if defined(__x86_64__)
	saved -= 1; /* weir_fiber_begin_ is reached by a return, and needs an aligned stack for its
	             * call */
#endif
	forget_frames(fiber);
	for (int i = 0; i < SAVED_WORDS; i++)
		saved[i] = 0;
	fiber->entry = entry;
	fiber->argument = argument;
	prepare(saved, entry, argument);
	fiber->stack_pointer = saved;
}

void weir_fiber_switch(weir_fiber *from, weir_fiber *to)
{
	weir_fiber_switch_(&from->stack_pointer, to->stack_pointer);
}

#endif
