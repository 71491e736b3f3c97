/* The interpreter driven from outside: by events, with an observer, beside host threads; modules that
 * are not PTX; and the same run for the same seed. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ptx/event.h"
#include "run.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail("%s:%d: %s", __FILE__, __LINE__, #condition);                         \
	} while (0)

/* Each thread adds 1 to a word by a load and a store, then waits at a barrier; thread 0 reads. */
static const char adding[] =
    HEAD ".visible .entry k(.param .u64 out) { .reg .b64 %o; .reg .b32 %r<4>; .reg .pred %p;"
	 "ld.param.u64 %o, [out]; ld.relaxed.gpu.global.u32 %r1, [%o]; add.u32 %r1, %r1, 1;"
	 "st.relaxed.gpu.global.u32 [%o], %r1; bar.sync 0; mov.u32 %r2, %tid.x; setp.ne.u32 %p, "
	 "%r2, 0; @%p bra E;"
	 "ld.global.u32 %r3, [%o]; st.global.u32 [%o+4], %r3; E: ret; }";

static weir_ptx_machine *start(run *r, const char *text, uint32_t **out, unsigned grid,
                               unsigned block)
{
	weir_ptx_machine *m;

	run_open(r, text);
	*out = run_buffer(r, 256);
	r->params[0] = (uint64_t)(uintptr_t)*out;
	r->launch.grid[0] = grid;
	r->launch.block[0] = block;
	for (int i = 1; i < 3; i++)
		r->launch.grid[i] = r->launch.block[i] = 1;
	CHECK(weir_ptx_module_kernel(r->module, "k", &r->kernel) == WEIR_OK);
	if (weir_ptx_machine_create(&m, r->kernel, &r->launch) != WEIR_OK)
		fail("%s", weir_error_text());
	return m;
}

/* Two threads by hand: the first has loaded when the second runs, so an addition is lost. Then the first
 * goes back to before its load, with the caller's value. */
static void test_steps(void)
{
	run r;
	uint32_t *out;
	weir_ptx_machine *m = start(&r, adding, &out, 1, 2);
	weir_ptx_thread *t[2];
	weir_ptx_event event;
	char state[4096];
	size_t bytes;

	CHECK(weir_ptx_block_start(m, 0) == WEIR_OK);
	CHECK(weir_ptx_block_start(m, 0) == WEIR_BAD_ARGUMENT);
	for (uint32_t i = 0; i < 2; i++)
		t[i] = weir_ptx_thread_at(m, 0, i);
	bytes = weir_ptx_thread_save(t[0], state, sizeof state);
	CHECK(bytes && bytes <= sizeof state && weir_ptx_thread_save(t[0], NULL, 0) == bytes);
	for (uint32_t i = 0; i < 2; i++) {
		CHECK(weir_ptx_step(t[i], 1000, &event) == WEIR_PTX_LOAD);
		CHECK(event.operation->order == WEIR_PTX_RELAXED &&
		      event.operation->scope == WEIR_PTX_SCOPE_GPU);
		CHECK(event.space == WEIR_PTX_GLOBAL && event.address == r.params[0] &&
		      event.bytes == 4);
		CHECK(weir_ptx_serve(t[i], &event) == WEIR_PTX_SERVED && event.value[0] == 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		CHECK(weir_ptx_step(t[i], 1000, &event) == WEIR_PTX_STORE && event.value[0] == 1);
		CHECK(weir_ptx_serve(t[i], &event) == WEIR_PTX_SERVED);
	}
	CHECK(out[0] == 1);
	CHECK(weir_ptx_thread_restore(t[0], state, bytes) == WEIR_OK);
	CHECK(weir_ptx_step(t[0], 1000, &event) == WEIR_PTX_LOAD);
	event.value[0] = 41;
	weir_ptx_answer(t[0], &event);
	CHECK(weir_ptx_step(t[0], 1000, &event) == WEIR_PTX_STORE && event.value[0] == 42);
	CHECK(weir_ptx_serve(t[0], &event) == WEIR_PTX_SERVED);
	CHECK(weir_ptx_step(t[0], 1000, &event) == WEIR_PTX_BAR_SYNC);
	CHECK(weir_ptx_serve(t[0], &event) == WEIR_PTX_WAITS &&
	      weir_ptx_thread_state(t[0]) == WEIR_PTX_AT_BARRIER);
	CHECK(weir_ptx_step(t[1], 1000, &event) == WEIR_PTX_BAR_SYNC);
	CHECK(weir_ptx_serve(t[1], &event) == WEIR_PTX_SERVED &&
	      weir_ptx_thread_state(t[0]) == WEIR_PTX_RUNNABLE);
	CHECK(weir_ptx_step(t[0], 1000, &event) == WEIR_PTX_LOAD &&
	      event.operation->order == WEIR_PTX_WEAK);
	CHECK(weir_ptx_serve(t[0], &event) == WEIR_PTX_SERVED && event.value[0] == 42);
	CHECK(weir_ptx_step(t[1], 1000, &event) == WEIR_PTX_EXIT);
	weir_ptx_machine_destroy(m);
	run_close(&r);
}

typedef struct seen {
	unsigned loads, stores, meets, met, stop_at;
} seen;

static weir_ptx_end before(void *context, weir_ptx_thread *t, const weir_ptx_event *event,
                           weir_ptx_result *result)
{
	seen *s = context;

	(void)t;
	s->stores += event->kind == WEIR_PTX_STORE;
	if (s->stop_at && s->stores == s->stop_at) {
		snprintf(result->text, sizeof result->text, "found");
		return WEIR_PTX_TRAP;
	}
	return WEIR_PTX_DONE;
}

static weir_ptx_end after(void *context, weir_ptx_thread *t, const weir_ptx_event *event,
                          weir_ptx_result *result)
{
	(void)t, (void)result;
	((seen *)context)->loads += event->kind == WEIR_PTX_LOAD;
	return WEIR_PTX_DONE;
}

static weir_ptx_end meet(void *context, weir_ptx_thread *const *threads, unsigned count,
                         const weir_ptx_operation *operation, weir_ptx_result *result)
{
	(void)threads, (void)result;
	CHECK(operation->kind == WEIR_PTX_BAR_SYNC);
	((seen *)context)->meets++;
	((seen *)context)->met += count;
	return WEIR_PTX_DONE;
}

static void test_observer(void)
{
	for (unsigned stop_at = 0; stop_at < 6; stop_at += 5) {
		run r;
		uint32_t *out;
		weir_ptx_machine *m = start(&r, adding, &out, 3, 64);
		seen s = {.stop_at = stop_at};
		weir_ptx_observer observer = {
		    .context = &s, .before = before, .after = after, .meet = meet};

		CHECK(weir_ptx_machine_run(m, &observer, &r.result) == WEIR_OK);
		if (stop_at) {
			CHECK(r.result.end == WEIR_PTX_TRAP && !strcmp(r.result.text, "found") &&
			      s.stores == stop_at);
		} else {
			CHECK(r.result.end == WEIR_PTX_DONE && s.loads == 3 * 65 &&
			      s.stores == 3 * 65);
			CHECK(s.meets == 3 && s.met == 3 * 64 && out[0] > 0);
		}
		weir_ptx_machine_destroy(m);
		run_close(&r);
	}
}

static const char polling[] =
    HEAD ".visible .entry k(.param .u64 out) { .reg .b64 %o; .reg .b32 %r<4>; .reg .pred %p;"
	 "ld.param.u64 %o, [out]; L: ld.acquire.sys.global.u32 %r1, [%o]; setp.eq.u32 %p, %r1, 0; "
	 "@%p bra L;"
	 "st.global.u32 [%o+4], %r1; ret; }";

static void *write_later(void *word)
{
	struct timespec pause = {.tv_nsec = 3000000};

	nanosleep(&pause, NULL);
	__atomic_store_n((uint32_t *)word, 7, __ATOMIC_RELEASE);
	return NULL;
}

/* A wait for a word that the host writes is not a hang; the host may also give up. */
static void test_host(void)
{
	int stop = 1;

	for (int stopped = 0; stopped < 2; stopped++) {
		run r;
		uint64_t address;
		uint32_t *words;
		pthread_t writer;

		run_open(&r, polling);
		CHECK(weir_ptx_allocate(r.memory, 64, WEIR_PTX_WRITTEN | WEIR_PTX_HOST_VISIBLE,
		                        &address) == WEIR_OK);
		words = (uint32_t *)(uintptr_t)address;
		r.params[0] = address;
		r.launch.stop = stopped ? &stop : NULL;
		if (!stopped)
			CHECK(pthread_create(&writer, NULL, write_later, words) == 0);
		CHECK(run_kernel(&r, "k", 2, 32) == (stopped ? WEIR_PTX_STOPPED : WEIR_PTX_DONE));
		if (!stopped)
			pthread_join(writer, NULL);
		CHECK(words[1] == (stopped ? 0 : 7));
		run_close(&r);
	}
}

/* Loops in which threads poll together. {0} is a word that nobody writes, {4} is written at the end. */
#define POLL_HEAD                                                                                  \
	HEAD ".visible .entry k(.param .u64 out) { .reg .b64 %o; .reg .b32 %r<8>; .reg .pred "     \
	     "%p<4>;"                                                                              \
	     ".shared .u32 seen; ld.param.u64 %o, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;"     \
	     "setp.ne.u32 %p1, %r1, 0;"
#define POLL_TAIL "@%p3 bra L; @!%p1 st.global.u32 [%o+4], %r3; ret; }"

static const char *const together[] = {
    /* lane 0 polls, and the others get the word from it */
    POLL_HEAD "L: @!%p1 ld.acquire.sys.global.u32 %r2, [%o]; shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;"
	      "setp.eq.u32 %p3, %r3, 0;" POLL_TAIL,
    /* the same, with the load at the loop's end */
    POLL_HEAD "L: shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; @!%p1 ld.acquire.sys.global.u32 %r2, [%o];"
	      "setp.eq.u32 %p3, %r3, 0;" POLL_TAIL,
    /* all poll, and vote */
    POLL_HEAD "L: ld.acquire.sys.global.u32 %r3, [%o]; setp.eq.u32 %p2, %r3, 0;"
	      "vote.sync.any.pred %p3, %p2, -1;" POLL_TAIL,
    /* thread 0 polls, and the block meets at a barrier */
    POLL_HEAD
    "mov.pred %p2, 0; mov.u32 %r3, 7; L: @%p1 bra M; ld.acquire.sys.global.u32 %r2, [%o];"
    "setp.ne.u32 %p2, %r2, 0; M: bar.red.or.pred %p3, 0, %p2; not.pred %p3, %p3;" POLL_TAIL,
    /* the same through shared memory */
    POLL_HEAD
    "@!%p1 st.shared.u32 [seen], 0; bar.sync 0;"
    "L: @%p1 bra M; ld.acquire.sys.global.u32 %r2, [%o]; st.shared.u32 [seen], %r2;"
    "M: bar.sync 0; ld.shared.u32 %r3, [seen]; bar.sync 0; setp.eq.u32 %p3, %r3, 0;" POLL_TAIL};

/* Such a loop is a hang if nobody else can write the word, and else a wait for the host, which sleeps. */
static void test_together(void)
{
	for (size_t i = 0; i < 3 * sizeof together / sizeof *together; i++) {
		const char *text = together[i / 3];
		run r;
		uint64_t address;
		uint32_t *words;
		pthread_t writer;

		run_open(&r, text);
		r.launch.seed = i % 3;
		r.launch.budget = 20000000;
		words = run_buffer(&r, 64);
		r.params[0] = (uint64_t)(uintptr_t)words;
		if (run_kernel(&r, "k", 2, i < 9 ? 32 : 96) != WEIR_PTX_HANG ||
		    !strstr(r.result.text, " 4 bytes at "))
			fail("loop %zu, seed %zu: %s", i / 3, i % 3, r.result.text);
		CHECK(words[1] == 0);
		CHECK(weir_ptx_allocate(r.memory, 64, WEIR_PTX_WRITTEN | WEIR_PTX_HOST_VISIBLE,
		                        &address) == WEIR_OK);
		words = (uint32_t *)(uintptr_t)address;
		r.params[0] = address;
		CHECK(pthread_create(&writer, NULL, write_later, words) == 0);
		if (run_kernel(&r, "k", 2, i < 9 ? 32 : 96) != WEIR_PTX_DONE || words[1] != 7)
			fail("loop %zu, seed %zu: %s", i / 3, i % 3, r.result.text);
		pthread_join(writer, NULL);
		if (r.result.instructions > 1000000)
			fail("loop %zu, seed %zu: the wait took %llu instructions", i / 3, i % 3,
			     (unsigned long long)r.result.instructions);
		run_close(&r);
	}
}

/* Threads that poll together with one that counts are no hang: it ends the loop. */
static void test_counting(void)
{
	static const char text[] = POLL_HEAD
	    "mov.u32 %r4, 0; L: @!%p1 add.u32 %r4, %r4, 1; @!%p1 ld.acquire.sys.global.u32 %r2, "
	    "[%o];"
	    "setp.gt.u32 %p2, %r4, 3000; vote.sync.any.pred %p3, %p2, -1; not.pred %p3, %p3;"
	    "mov.u32 %r3, 5;" POLL_TAIL;

	for (uint64_t seed = 0; seed < 16; seed++) {
		run r;
		uint32_t *words;

		run_open(&r, text);
		r.launch.seed = seed;
		words = run_buffer(&r, 64);
		r.params[0] = (uint64_t)(uintptr_t)words;
		if (run_kernel(&r, "k", 2, 32) != WEIR_PTX_DONE || words[1] != 5)
			fail("seed %llu: %s", (unsigned long long)seed, r.result.text);
		run_close(&r);
	}
}

/* Freed memory, adopted memory, marks of what the host wrote. */
static void test_memory(void)
{
	static uint32_t own[16] = {3};
	run r;
	uint64_t address, other;
	weir_ptx_place place;

	run_open(&r, polling);
	CHECK(weir_ptx_allocate(r.memory, 0, 0, &address) == WEIR_BAD_ARGUMENT);
	CHECK(weir_ptx_allocate(r.memory, 64, 0, &address) == WEIR_OK);
	r.params[0] = address;
	CHECK(run_kernel(&r, "k", 1, 1) == WEIR_PTX_NEVER_WRITTEN);
	CHECK(weir_ptx_mark_written(r.memory, address, 65) == WEIR_BAD_ARGUMENT);
	CHECK(weir_ptx_mark_written(r.memory, address, 4) == WEIR_OK);
	*(uint32_t *)(uintptr_t)address = 5;
	CHECK(run_kernel(&r, "k", 1, 1) == WEIR_PTX_DONE);
	CHECK(weir_ptx_place_find(r.memory, address + 63, &place) == WEIR_OK &&
	      place.start == address && !place.freed);
	CHECK(weir_ptx_free(r.memory, address + 4) == WEIR_BAD_ARGUMENT);
	CHECK(weir_ptx_free(r.memory, address) == WEIR_OK &&
	      weir_ptx_free(r.memory, address) == WEIR_BAD_ARGUMENT);
	CHECK(run_kernel(&r, "k", 1, 1) == WEIR_PTX_FREED);
	CHECK(weir_ptx_adopt(r.memory, own, sizeof own, WEIR_PTX_WRITTEN) == WEIR_OK);
	CHECK(weir_ptx_adopt(r.memory, own, 4, 0) == WEIR_BAD_ARGUMENT);
	r.params[0] = (uint64_t)(uintptr_t)own;
	CHECK(run_kernel(&r, "k", 1, 1) == WEIR_PTX_DONE && own[1] == 3);
	for (int i = 0; i < 100; i++) {
		CHECK(weir_ptx_allocate(r.memory, 16 + (size_t)i * 40, 0, &other) == WEIR_OK);
		if (i % 3)
			CHECK(weir_ptx_free(r.memory, other) == WEIR_OK);
	}
	run_close(&r);
}

static void test_bad_modules(void)
{
	static const struct {
		const char *text, *why;
	} bad[] = {{"", "no .version"},
	           {"int main() {}", "a directive was expected"},
	           {".version 5.0\n", "before version 6.0"},
	           {HEAD ".entry k() { .reg .b32 %r; add.u32 %r, %r, 1;", "ends inside a function"},
	           {HEAD "}", "a directive was expected"},
	           {HEAD ".entry k() { .reg .nope %r; ret; }", "without a type"}};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		weir_ptx_memory *memory;
		weir_ptx_module *module;
		CHECK(weir_ptx_memory_create(&memory) == WEIR_OK);
		CHECK(weir_ptx_module_load(&module, memory, bad[i].text, strlen(bad[i].text)) ==
		          WEIR_BAD_PROGRAM &&
		      !module);
		if (!strstr(weir_error_text(), bad[i].why))
			fail("'%s' is not in: %s", bad[i].why, weir_error_text());
		weir_ptx_memory_destroy(memory);
	}
}

static void test_launches(void)
{
	run r;
	weir_ptx_machine *m;
	uint32_t *out;
	size_t offset, bytes;

	m = start(&r, adding, &out, 1, 1);
	weir_ptx_machine_destroy(m);
	CHECK(weir_ptx_kernel_param(r.kernel, 0, &offset, &bytes) == WEIR_OK && offset == 0 &&
	      bytes == 8);
	CHECK(weir_ptx_kernel_param(r.kernel, 1, &offset, &bytes) == WEIR_BAD_ARGUMENT);
	CHECK(weir_ptx_module_kernel(r.module, "nope", &r.kernel) == WEIR_NOT_FOUND &&
	      strstr(weir_error_text(), "it has k"));
	r.kernel = weir_ptx_module_kernel_at(r.module, 0);
	CHECK(r.kernel && !weir_ptx_module_kernel_at(r.module, 1));
	r.launch.block[0] = 1025;
	CHECK(weir_ptx_machine_create(&m, r.kernel, &r.launch) == WEIR_BAD_ARGUMENT);
	r.launch.block[0] = 32;
	r.launch.grid[0] = 3;
	r.launch.cluster[0] = 2;
	CHECK(weir_ptx_machine_create(&m, r.kernel, &r.launch) == WEIR_BAD_ARGUMENT);
	run_close(&r);
	run_open(&r, HEAD ".visible .entry k() .reqntid 8, 4 { ret; }");
	CHECK(run_kernel(&r, "k", 1, 32) == WEIR_PTX_DONE);
	r.launch.block[0] = 16;
	CHECK(weir_ptx_machine_create(&m, r.kernel, &r.launch) == WEIR_BAD_ARGUMENT &&
	      strstr(weir_error_text(), "requires 32"));
	run_close(&r);
}

/* An observer sees each allocation of a kernel at its own addresses, even after a free. */
static void test_allocations(void)
{
	static const char text[] = HEAD
	    ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 "
	    "p); "
	    ".visible .entry k(.param .u64 out) { .reg .b64 %o, %x, %y; ld.param.u64 %o, [out]; "
	    "call (%x), malloc, (64); call free, (%x); call (%y), malloc, (64); st.global.u64 "
	    "[%o], %x; "
	    "st.global.u64 [%o+8], %y; call free, (%y); ret; }";
	const weir_ptx_observer observer = {0};
	weir_ptx_result result;
	uint32_t *out;
	uint64_t addresses[2];
	run r;
	weir_ptx_machine *m = start(&r, text, &out, 1, 1);

	CHECK(weir_ptx_machine_run(m, &observer, &result) == WEIR_OK &&
	      result.end == WEIR_PTX_DONE);
	memcpy(addresses, out, sizeof addresses);
	CHECK(addresses[0] && addresses[1] && addresses[0] != addresses[1]);
	weir_ptx_machine_destroy(m);
	run_close(&r);
}

static void count_lines(void *context, const char *text, size_t bytes)
{
	*(uint64_t *)context += bytes && text[bytes - 1] == '\n';
}

/* A trace has a line for each instruction, and a second one where a thread waited; it changes nothing else. */
static void test_trace(void)
{
	for (uint64_t seed = 0; seed < 4; seed++) {
		weir_ptx_result plain;
		uint64_t lines = 0;
		uint32_t *out, sum;
		run r;

		run_open(&r, adding);
		out = run_buffer(&r, 256);
		r.params[0] = (uint64_t)(uintptr_t)out;
		r.launch.seed = seed;
		CHECK(run_kernel(&r, "k", 2, 40) == WEIR_PTX_DONE);
		plain = r.result;
		sum = out[0];
		memset(out, 0, 256);
		r.launch.trace = count_lines;
		r.launch.trace_context = &lines;
		CHECK(run_kernel(&r, "k", 2, 40) == WEIR_PTX_DONE && out[0] == sum);
		CHECK(r.result.switches == plain.switches &&
		      r.result.instructions == plain.instructions);
		/* 9 of each thread, 2 more of the first, and 39 of a block wait */
		CHECK(lines == 2 * (40 * 9 + 2 + 39));
		run_close(&r);
	}
}

static void test_seeds(void)
{
	unsigned different = 0;
	uint32_t first = 0;

	for (uint64_t seed = 0; seed < 16; seed++) {
		uint64_t switches = 0;
		uint32_t sum = 0;
		for (int again = 0; again < 2; again++) {
			run r;
			uint32_t *out;
			run_open(&r, adding);
			out = run_buffer(&r, 256);
			r.params[0] = (uint64_t)(uintptr_t)out;
			r.launch.seed = seed;
			CHECK(run_kernel(&r, "k", 4, 64) == WEIR_PTX_DONE);
			CHECK(!again || (switches == r.result.switches && sum == out[0]));
			switches = r.result.switches;
			sum = out[0];
			run_close(&r);
		}
		different += seed && sum != first;
		first = sum;
	}
	CHECK(different > 3);
}

/* A copy without a wait: with seed 0 and with some others, its target still has its old contents. */
static void test_late_copies(void)
{
	static const char text[] = HEAD
	    ".visible .entry k(.param .u64 out, .param .u64 waits) { .reg .b64 %o, %w; .reg .b32 "
	    "%r; .reg .pred "
	    "%p; .shared .align 16 .b8 s[16]; ld.param.u64 %o, [out]; ld.param.u64 %w, [waits]; "
	    "setp.ne.u64 %p, %w, 0; st.shared.u32 [s], 5; cp.async.ca.shared.global [s], [%o], 4; "
	    "@%p cp.async.wait_all; ld.shared.u32 %r, [s]; st.global.u32 [%o+4], %r; ret; }";
	unsigned old = 0;
	uint32_t *out;
	run r;

	run_open(&r, text);
	out = run_buffer(&r, 64);
	r.params[0] = (uint64_t)(uintptr_t)out;
	out[0] = 9;
	for (uint64_t seed = 0; seed < 16; seed++) {
		r.launch.seed = seed;
		r.params[1] = 0;
		CHECK(run_kernel(&r, "k", 1, 1) == WEIR_PTX_DONE && (out[1] == 5 || out[1] == 9));
		CHECK(seed || out[1] == 5);
		old += out[1] == 5;
		r.params[1] = 1;
		CHECK(run_kernel(&r, "k", 1, 1) == WEIR_PTX_DONE && out[1] == 9);
	}
	CHECK(old > 1 && old < 16);
	run_close(&r);
}

int main(void)
{
	test_late_copies();
	test_trace();
	test_allocations();
	test_steps();
	test_observer();
	test_host();
	test_together();
	test_counting();
	test_memory();
	test_bad_modules();
	test_launches();
	test_seeds();
	printf("10 tests of the interpreter's interfaces passed\n");
	return 0;
}
