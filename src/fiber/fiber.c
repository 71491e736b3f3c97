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
/* A fiber that is started again leaves the frames of its last run behind. */
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

/* makecontext passes ints only, so a pointer goes in two halves. */
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

/* Saves the registers that a callee must keep on the stack, and the stack pointer in *from. */
void weir_fiber_switch_(void **from, void *to);

/* Where a new fiber begins: calls entry(argument), which two kept registers hold. */
void weir_fiber_begin_(void);

#if defined(__x86_64__)

#define SAVED_WORDS 7 /* rbx, rbp, r12 to r15, return address */

/* A processor expects a return to go back to the caller, and guesses wrong each time: hence a jump. */
__asm__(".text\n"
        ".globl weir_fiber_switch_\n"
        ".type weir_fiber_switch_, @function\n"
        "weir_fiber_switch_:\n"
        "	pushq %rbp\n"
        "	pushq %rbx\n"
        "	pushq %r12\n"
        "	pushq %r13\n"
        "	pushq %r14\n"
        "	pushq %r15\n"
        "	movq %rsp, (%rdi)\n"
        "	movq %rsi, %rsp\n"
        "	popq %r15\n"
        "	popq %r14\n"
        "	popq %r13\n"
        "	popq %r12\n"
        "	popq %rbx\n"
        "	popq %rbp\n"
        "	popq %rcx\n"
        "	jmpq *%rcx\n"
        ".size weir_fiber_switch_, . - weir_fiber_switch_\n"
        ".globl weir_fiber_begin_\n"
        ".type weir_fiber_begin_, @function\n"
        "weir_fiber_begin_:\n"
        "	movq %r12, %rdi\n"
        "	callq *%r13\n"
        "	ud2\n"
        ".size weir_fiber_begin_, . - weir_fiber_begin_\n");

static void prepare(uintptr_t *saved, void (*entry)(void *), void *argument)
{
	saved[2] = (uintptr_t)entry;    /* r13 */
	saved[3] = (uintptr_t)argument; /* r12 */
	saved[6] = (uintptr_t)weir_fiber_begin_;
}

#else

#define SAVED_WORDS 20 /* x19 to x30, d8 to d15 */

__asm__(".text\n"
        ".globl weir_fiber_switch_\n"
        ".type weir_fiber_switch_, %function\n"
        "weir_fiber_switch_:\n"
        "	sub sp, sp, #160\n"
        "	stp x19, x20, [sp, #0]\n"
        "	stp x21, x22, [sp, #16]\n"
        "	stp x23, x24, [sp, #32]\n"
        "	stp x25, x26, [sp, #48]\n"
        "	stp x27, x28, [sp, #64]\n"
        "	stp x29, x30, [sp, #80]\n"
        "	stp d8, d9, [sp, #96]\n"
        "	stp d10, d11, [sp, #112]\n"
        "	stp d12, d13, [sp, #128]\n"
        "	stp d14, d15, [sp, #144]\n"
        "	mov x9, sp\n"
        "	str x9, [x0]\n"
        "	mov sp, x1\n"
        "	ldp x19, x20, [sp, #0]\n"
        "	ldp x21, x22, [sp, #16]\n"
        "	ldp x23, x24, [sp, #32]\n"
        "	ldp x25, x26, [sp, #48]\n"
        "	ldp x27, x28, [sp, #64]\n"
        "	ldp x29, x30, [sp, #80]\n"
        "	ldp d8, d9, [sp, #96]\n"
        "	ldp d10, d11, [sp, #112]\n"
        "	ldp d12, d13, [sp, #128]\n"
        "	ldp d14, d15, [sp, #144]\n"
        "	add sp, sp, #160\n"
        "	ret\n"
        ".size weir_fiber_switch_, . - weir_fiber_switch_\n"
        ".globl weir_fiber_begin_\n"
        ".type weir_fiber_begin_, %function\n"
        "weir_fiber_begin_:\n"
        "	mov x0, x19\n"
        "	blr x20\n"
        "	brk #0\n"
        ".size weir_fiber_begin_, . - weir_fiber_begin_\n");

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
	saved -= 1; /* weir_fiber_begin_ is returned to, and calls with an aligned stack */
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
