/* Loads the kernels. The host's are compiled into this file. */
#include "measure/programs.h"

#include <stdint.h>
#include <stdio.h>

#include "bench/peers/threads.h"
#include "cli/kinds.h"
#include "kernels/bench_kernels.h"
#include "kernels/probe_kernels.h"
#include "measure/pattern.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

extern const void *const bench_cuda_image;
extern const void *const bench_hip_image;
extern const char *const bench_opencl_text;
extern const void *const probe_cuda_image;
extern const void *const probe_hip_image;
extern const char *const probe_opencl_text;

weir_status weir_bench_program(weir_device *device, weir_program **program)
{
	static const weir_host_entry entries[] = {{"mutex_bench", mutex_bench_entry},
	                                          {"semaphore_bench", semaphore_bench_entry},
	                                          {"barrier_bench", barrier_bench_entry},
	                                          {"barrier_busy", barrier_busy_entry},
	                                          EVENT_ENTRIES() QUEUE_ENTRIES()
	                                              TASK_ENTRIES LOCK_ENTRIES
#define ROW(name, ...) {"mutex_bench_" #name, mutex_bench_##name##_entry},
	                                                  WEIR_MUTEX_KINDS(ROW)
#undef ROW
#define ROW(name, ...) {"semaphore_bench_" #name, semaphore_bench_##name##_entry},
	                                                      WEIR_SEMAPHORE_KINDS(ROW)
#undef ROW
#define ROW(name, ...)                                                                             \
	{"barrier_bench_" #name, barrier_bench_##name##_entry},                                    \
	    {"barrier_busy_" #name, barrier_busy_##name##_entry},
	                                                          WEIR_BARRIER_KINDS(ROW)
#undef ROW
#define ROW(name, ...) EVENT_ENTRIES(_##name)
	                                                              WEIR_EVENT_KINDS(ROW)
#undef ROW
#define ROW(name, ...) QUEUE_ENTRIES(_##name)
	                                                                  WEIR_QUEUE_KINDS(ROW)
#undef ROW
	};
	const weir_program_text text = {.cuda_image = bench_cuda_image,
	                                .hip_image = bench_hip_image,
	                                .opencl_text = bench_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = sizeof entries / sizeof entries[0]};
	return weir_program_create(device, &text, program);
}

weir_status weir_threads_program(weir_device *device, weir_program **program)
{
#define ENTRY(name)                                                                                \
	{                                                                                          \
#name, name##_entry                                                                \
	}
	static const weir_host_entry entries[] = {
	    ENTRY(pthread_mutex_start),     ENTRY(pthread_mutex),
	    ENTRY(turnstile_start),         ENTRY(turnstile_mutex),
	    ENTRY(pthread_barrier_start),   ENTRY(pthread_barrier),
	    ENTRY(pthread_barrier_busy),    ENTRY(pthread_rwlock_start),
	    ENTRY(pthread_rwlock_mixed),    ENTRY(pthread_rwlock_writer),
	    ENTRY(turnstile_rwlock_start),  ENTRY(turnstile_rwlock_mixed),
	    ENTRY(turnstile_rwlock_writer), ENTRY(threads_ring_start),
	    ENTRY(threads_ring_pairs),      ENTRY(threads_ring_apart),
	};
#undef ENTRY
	const weir_program_text text = {.host_entries = entries,
	                                .host_entry_count = sizeof entries / sizeof entries[0]};
	return weir_program_create(device, &text, program);
}

weir_status weir_probe_program(weir_device *device, weir_program **program)
{
	static const weir_host_entry entries[] = {{"memory_probe", memory_probe_entry}};
	const weir_program_text text = {.cuda_image = probe_cuda_image,
	                                .hip_image = probe_hip_image,
	                                .opencl_text = probe_opencl_text,
	                                .host_entries = entries,
	                                .host_entry_count = 1};
	return weir_program_create(device, &text, program);
}

int weir_has_cuda_kernels(void)
{
	return bench_cuda_image != NULL;
}

int weir_has_hip_kernels(void)
{
	return bench_hip_image != NULL;
}

const char *weir_bench_kernel_name(enum weir_primitive primitive, uint32_t kind, uint32_t pattern,
                                   int is_busy, char name[64])
{
	/* Both kinds of reader-writer locks share their code. */
	const char *of =
	    kind && primitive != WEIR_PRIMITIVE_RWLOCK ? weir_kind_name(primitive, kind) : "";
	const char *form = weir_has_patterns(primitive) ? weir_pattern_find(pattern)->kernel
	                   : is_busy && primitive == WEIR_PRIMITIVE_BARRIER ? "busy"
	                                                                    : "bench";

	snprintf(name, 64, "%s_%s%s%s", weir_primitive_id(primitive), form, *of ? "_" : "", of);
	return name;
}
