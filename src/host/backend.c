/* The host machine's device. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/name.h"
#include "base/status.h"
#include "core/backend.h"
#include "host/run.h"

#define CLUSTER_BLOCKS (WEIR_HOST_MOST_THREADS / WEIR_HOST_MOST_THREADS_PER_BLOCK)

struct state {
	pthread_mutex_t lock;
	/* Changes of `run` hold this lock as well as `lock`, because an interrupt cannot wait for
	 * `lock`. */
	pthread_mutex_t run_lock;
	struct weir_host_run *run; /* the launch that is not yet waited for */
	int overdue;               /* a wait for it timed out */
	weir_fault fault;          /* of a launch that the next one replaced without a wait */
	int aborted;               /* of a launch that the next one replaced, as above */
	double elapsed_ms;
};

static void set_run(struct state *state, struct weir_host_run *run)
{
	pthread_mutex_lock(&state->run_lock);
	state->run = run;
	pthread_mutex_unlock(&state->run_lock);
}

/* Ends the last launch. Its fault, if it had one, moves to the state. Called with the state's lock
 * held. */
static weir_status end_last_run(struct state *state, uint64_t timeout_ns)
{
	struct weir_host_run *run = state->run;
	if (!run)
		return WEIR_OK;
	state->overdue = !weir_host_run_wait(run, timeout_ns);
	if (state->overdue)
		return weir_fail(WEIR_TIMED_OUT, "the kernel is still running");
	state->elapsed_ms = (double)(run->ended_ns - run->began_ns) * 1e-6;
	set_run(state, NULL); /* from here on no call interrupts it */
	if (run->fault.why)
		state->fault = run->fault;
	state->aborted |= run->ended == WEIR_HOST_ABORTED;
	weir_host_run_join(run);
	return WEIR_OK;
}

/* A fault is reported once. Called with the state's lock held. */
static weir_status finish_run(struct state *state, uint64_t timeout_ns)
{
	weir_status status = end_last_run(state, timeout_ns);
	weir_fault fault = state->fault;

	int aborted = state->aborted;

	if (status != WEIR_OK)
		return status;
	state->fault.why = 0;
	state->aborted = 0;
	if (fault.why)
		return weir_fail_fault(fault);
	return aborted ? weir_fail(WEIR_ABORTED, "weir_device_abort ended the kernel's waits")
	               : WEIR_OK;
}

/* The status of a call that does not wait. */
static weir_status busy(weir_status status)
{
	return status == WEIR_TIMED_OUT ? WEIR_BUSY : status;
}

/* Waits for the launch before a call that comes after it. Once a wait for it has timed out it might
 * never end: then this returns WEIR_BUSY at once. Called with the state's lock held. */
static weir_status finish_before(struct state *state)
{
	return busy(finish_run(state, state->overdue ? 1 : 0));
}

/* The system's name for its processor, so that profiles of two hosts can be told apart. */
static void describe_processor(char *text, size_t room)
{
	char line[256];
	FILE *info = fopen("/proc/cpuinfo", "re");

	text[0] = '\0';
	while (info && text[0] == '\0' && fgets(line, sizeof line, info)) {
		const char *value = strchr(line, ':');
		if (strncmp(line, "model name", 10) != 0 || !value)
			continue;
		line[strcspn(line, "\n")] = '\0';
		weir_copy_name(text, room, value + 1 + strspn(value + 1, " \t"));
	}
	if (info)
		fclose(info);
	if (text[0] == '\0')
		weir_copy_name(text, room, "threads of this process");
}

/* The processors that this process may use, as nproc counts them: its affinity, which a container's or a
 * job's set of processors narrows. */
static uint32_t count_processors(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	/* The system writes a mask as wide as its own, which may have more than are online. */
	for (int room = 1024; room <= 1 << 20; room *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)room);
		size_t bytes = CPU_ALLOC_SIZE((size_t)room);
		int count =
		    set && sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
		CPU_FREE(set);
		if (count > 0)
			return (uint32_t)count;
	}
	return online > 0 ? (uint32_t)online : 1;
}

static const char *host_list(weir_device_info *infos, size_t room, size_t *count)
{
	*count = 1;
	if (room == 0)
		return "";
	memset(infos, 0, sizeof *infos);
	infos->machine = WEIR_MACHINE_HOST;
	snprintf(infos->name, sizeof infos->name, "host");
	describe_processor(infos->description, sizeof infos->description);
	snprintf(infos->driver, sizeof infos->driver, "pthreads");
	infos->units = count_processors();
	infos->max_threads_per_block = weir_host_most_threads() < WEIR_HOST_MOST_THREADS_PER_BLOCK
	                                   ? weir_host_most_threads()
	                                   : WEIR_HOST_MOST_THREADS_PER_BLOCK;
	infos->resident_blocks_at_128 = weir_host_most_threads() / 128;
	infos->cluster_blocks = CLUSTER_BLOCKS;
	return "";
}

static weir_status host_open(uint32_t index, void **state, weir_device_info *info)
{
	size_t count;
	struct state *made = calloc(1, sizeof *made);
	(void)index;
	if (!made)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a device");
	pthread_mutex_init(&made->lock, NULL);
	pthread_mutex_init(&made->run_lock, NULL);
	host_list(info, 1, &count);
	*state = made;
	return WEIR_OK;
}

static void host_close(void *opaque)
{
	struct state *state = opaque;
	if (state->run)
		weir_host_run_abandon(state->run);
	pthread_mutex_destroy(&state->run_lock);
	pthread_mutex_destroy(&state->lock);
	free(state);
}

static weir_status host_allocate(void *state, size_t bytes, void **native)
{
	(void)state;
	size_t rounded = (bytes + 127) / 128 * 128;
	*native = rounded >= bytes ? aligned_alloc(128, rounded) : NULL;
	if (!*native)
		return weir_fail(WEIR_NO_MEMORY, "no memory for %zu bytes", bytes);
	memset(*native, 0, rounded);
	return WEIR_OK;
}

static weir_status host_release(void *opaque, void *native)
{
	struct state *state = opaque;
	struct weir_host_leftover *leftover;

	pthread_mutex_lock(&state->lock);
	if (!state->run || weir_host_run_wait(state->run, 1)) {
		free(native);
	} else if ((leftover = malloc(sizeof *leftover))) { /* else it is lost */
		leftover->memory = native;
		leftover->next = state->run->leftovers;
		state->run->leftovers = leftover;
	}
	pthread_mutex_unlock(&state->lock);
	return WEIR_OK;
}

static weir_status host_write(void *opaque, void *native, size_t offset, const void *from,
                              size_t bytes)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->lock);
	weir_status status = finish_before(state);
	if (status != WEIR_BUSY)
		memcpy((char *)native + offset, from, bytes);
	pthread_mutex_unlock(&state->lock);
	return status;
}

static weir_status host_read(void *opaque, void *native, size_t offset, void *to, size_t bytes)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->lock);
	weir_status status = finish_before(state);
	if (status != WEIR_BUSY)
		memcpy(to, (char *)native + offset, bytes);
	pthread_mutex_unlock(&state->lock);
	return status;
}

/* The memory of this machine is the host's anyway. */
static weir_status host_share(void *state, size_t bytes, void **native, int *atomics)
{
	*atomics = 1;
	return host_allocate(state, bytes, native);
}

static weir_status host_settle(void *opaque)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->lock);
	weir_status status = finish_before(state);
	pthread_mutex_unlock(&state->lock);
	return status;
}

static weir_status host_load(void *state, const weir_program_text *text, void **module)
{
	(void)state;
	if (!text->host_entries || text->host_entry_count == 0)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "the program has no kernels for the host machine");
	for (size_t i = 0; i < text->host_entry_count; i++)
		if (!text->host_entries[i].name || !text->host_entries[i].kernel)
			return weir_fail(WEIR_BAD_PROGRAM, "entry %zu of the program has no %s", i,
			                 text->host_entries[i].name ? "kernel" : "name");
	weir_program_text *copy = malloc(sizeof *copy);
	if (!copy)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a program");
	*copy = *text;
	*module = copy;
	return WEIR_OK;
}

static weir_status host_kernel(void *state, void *module, const char *name, weir_kernel *kernel)
{
	const weir_program_text *text = module;
	(void)state;
	for (size_t i = 0; i < text->host_entry_count; i++) {
		if (strcmp(text->host_entries[i].name, name) != 0)
			continue;
		kernel->host = text->host_entries[i].kernel;
		return WEIR_OK;
	}
	weir_kernel_list list = {""};
	for (size_t i = 0; i < text->host_entry_count; i++)
		weir_kernel_list_add(&list, text->host_entries[i].name);
	return weir_fail_no_kernel(name, &list);
}

static void host_unload(void *state, void *module)
{
	(void)state;
	free(module);
}

static weir_status host_resident(void *state, weir_kernel kernel, uint32_t threads,
                                 size_t shared_bytes, uint32_t *blocks)
{
	(void)state;
	if (!kernel.host)
		return weir_fail(WEIR_BAD_ARGUMENT, "the kernel is not one of the host machine");
	if (shared_bytes)
		return weir_fail(WEIR_UNSUPPORTED, "the host machine has no dynamic shared memory");
	*blocks = weir_host_most_threads() / threads;
	return WEIR_OK;
}

static weir_status host_clusters(void *state, const weir_checked_launch *launch, uint32_t *clusters)
{
	(void)state;
	*clusters = weir_host_fit_clusters(launch);
	return WEIR_OK;
}

static uint32_t host_most_blocks(void *state)
{
	(void)state;
	return weir_host_most_threads();
}

static weir_status host_launch(void *opaque, const weir_checked_launch *launch)
{
	struct state *state = opaque;
	struct weir_host_run *run;

	if (!launch->asked->kernel.host)
		return weir_fail(WEIR_BAD_ARGUMENT, "the kernel is not one of the host machine");
	if (launch->asked->stream)
		return weir_fail(WEIR_UNSUPPORTED, "the host machine has no streams");
	if (launch->asked->shared_bytes)
		return weir_fail(WEIR_UNSUPPORTED, "the host machine has no dynamic shared memory");
	weir_status status = weir_host_run_make(launch, &run);
	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&state->lock);
	status = busy(end_last_run(state, state->overdue ? 1 : 0));
	if (status != WEIR_BUSY)
		status = weir_host_run_start(run);
	if (status == WEIR_OK)
		set_run(state, run);
	else
		weir_host_run_free(run);
	pthread_mutex_unlock(&state->lock);
	return status;
}

static weir_status host_wait(void *opaque, uint64_t timeout_ns, double *elapsed_ms)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->lock);
	weir_status status = finish_run(state, timeout_ns);
	if (elapsed_ms && status != WEIR_TIMED_OUT)
		*elapsed_ms = state->elapsed_ms;
	pthread_mutex_unlock(&state->lock);
	return status;
}

static int host_is_running(void *opaque)
{
	struct state *state = opaque;
	int runs;

	pthread_mutex_lock(&state->run_lock);
	runs = state->run && !weir_host_run_wait(state->run, 1);
	pthread_mutex_unlock(&state->run_lock);
	return runs;
}

/* Threads leave at their next wait or block sync. */
static int host_interrupt(void *opaque)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->run_lock);
	if (state->run && !weir_host_run_wait(state->run, 1))
		weir_host_run_end(state->run, WEIR_HOST_ABORTED);
	pthread_mutex_unlock(&state->run_lock);
	return 1;
}

static void host_area_close(void *state, void *area)
{
	host_release(state, area);
}

const weir_backend weir_host_backend = {
    .machine = WEIR_MACHINE_HOST,
    .list = host_list,
    .open = host_open,
    .close = host_close,
    .allocate = host_allocate,
    .release = host_release,
    .write = host_write,
    .read = host_read,
    .share = host_share,
    .unshare = host_release,
    .settle = host_settle,
    .load = host_load,
    .kernel = host_kernel,
    .unload = host_unload,
    .resident = host_resident,
    .clusters = host_clusters,
    .most_blocks = host_most_blocks,
    .launch = host_launch,
    .wait = host_wait,
    .is_running = host_is_running,
    .area_open = host_allocate,
    .area_close = host_area_close,
    .peek = weir_plain_peek,
    .poke = weir_plain_poke,
    .read_program = weir_plain_read_program,
    .interrupt = host_interrupt,
};
