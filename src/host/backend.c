/* The host machine's device: a pthread for each thread of each block that runs at once. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/backend.h"
#include "core/name.h"
#include "core/status.h"

/* Threads of all blocks together. More would only wait for each other. */
#define MOST_THREADS 4096
#define MOST_THREADS_PER_BLOCK 1024
#define CLUSTER_BLOCKS (MOST_THREADS / MOST_THREADS_PER_BLOCK)
#define STACK_BYTES (256 * 1024)

struct run;

/* Why a launch ends before its kernel does. */
enum {
	FAULT = 1, /* of the kernel's own */
	ABORTED = 2
};

/* The threads of one running block. They run one block of the grid after another. */
struct weir_host_group {
	pthread_mutex_t lock;
	pthread_cond_t all_here;
	uint32_t arrived;
	uint32_t round;
	struct run *run;
};

struct worker {
	weir_host_thread self;
	jmp_buf leave; /* where an ended launch jumps to */
	pthread_t thread;
};

/* Memory that was given back while a launch ran, which may be using it. */
struct leftover {
	struct leftover *next;
	void *memory;
};

/* One launch. */
struct run {
	weir_host_kernel kernel;
	void **arguments;
	void *values; /* copies of the arguments, since the caller's may not live as long */
	uint32_t grid[3];
	uint32_t cluster[3];
	uint32_t cluster_size;
	uint32_t blocks;
	uint32_t group_count;
	uint32_t threads;
	struct weir_host_group *groups;
	struct worker *workers;
	/* FAULT, ABORTED: every thread leaves at its next wait or block sync. */
	int ended;
	weir_fault fault; /* the first one; guarded by `lock` */
	int gate; /* 0: not all threads are there yet; 1: go; -1: some could not be started */
	uint32_t running;
	int abandoned; /* the device is closed: the last thread to leave frees this */
	struct leftover *leftovers;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t began_ns;
	uint64_t ended_ns;
};

struct state {
	pthread_mutex_t lock;
	/* Guards changes of `run`, too: an interrupt cannot wait for `lock`. */
	pthread_mutex_t run_lock;
	struct run *run;  /* the launch that is not yet waited for */
	int overdue;      /* a wait for it timed out */
	weir_fault fault; /* of a launch that the next one replaced without a wait */
	double elapsed_ms;
};

static __thread weir_host_thread self = {NULL, 0, 1, 0, 1, 0, 0, 1, 0};
static __thread struct worker *self_worker;

weir_host_thread *weir_host_self_(void)
{
	return &self;
}

void weir_host_join(uint32_t block_id, uint32_t block_count)
{
	self.group = NULL;
	self.block_id = block_id;
	self.block_count = block_count;
	self.thread_id = 0;
	self.thread_count = 1;
	self.cluster_id = block_id;
	self.cluster_rank = 0;
	self.cluster_size = 1;
	self.joined = 1;
}

static weir_host_fault_handler on_fault;

weir_host_fault_handler weir_host_on_fault(weir_host_fault_handler handler)
{
	return __atomic_exchange_n(&on_fault, handler, __ATOMIC_ACQ_REL);
}

/* A fault in a thread that has no launch to end. */
static _Noreturn void fail_thread(const char *text)
{
	weir_host_fault_handler handler = __atomic_load_n(&on_fault, __ATOMIC_ACQUIRE);

	if (handler)
		handler(text);
	fprintf(stderr, "weir: %s\n", text);
	abort();
}

void weir_host_stranger_(uint32_t count)
{
	char text[128];

	snprintf(text, sizeof text,
	         "a thread that is none of its %u blocks came to a barrier: call weir_host_join "
	         "in every thread first",
	         count);
	fail_thread(text);
}

uint64_t weir_host_clock_ns_(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void leave_if_ended(void)
{
	if (self.group && __atomic_load_n(&self.group->run->ended, __ATOMIC_RELAXED))
		longjmp(self_worker->leave, 1);
}

void weir_host_yield_(void)
{
	leave_if_ended();
	sched_yield();
}

void weir_host_jitter_(void)
{
	static __thread uint32_t x;
	if (x == 0)
		x = (self.block_id * 2654435761u) ^ (self.thread_id + 1) ^
		    (uint32_t)weir_host_clock_ns_();
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	if ((x & 15) == 0)
		sched_yield();
	else if ((x & 15) == 1)
		for (volatile uint32_t i = 0; i < (x >> 20); i = i + 1)
			;
}

/* Wakes all threads that wait inside the launch, so that they leave. */
static void end_run(struct run *run, int why)
{
	__atomic_store_n(&run->ended, why, __ATOMIC_RELAXED);
	for (uint32_t g = 0; g < run->group_count; g++) {
		pthread_mutex_lock(&run->groups[g].lock);
		pthread_cond_broadcast(&run->groups[g].all_here);
		pthread_mutex_unlock(&run->groups[g].lock);
	}
}

static void leave(int why)
{
	if (!self.group)
		return;
	end_run(self.group->run, why);
	longjmp(self_worker->leave, 1);
}

/* A wait in a thread of the caller's own has no limit. */
void weir_host_end_launch_(uint32_t fault, uint32_t kind)
{
	char text[WEIR_FAULT_BYTES];
	struct run *run = self.group ? self.group->run : NULL;

	if (run) {
		pthread_mutex_lock(&run->lock);
		if (!run->fault.why)
			run->fault = (weir_fault){fault, kind};
		pthread_mutex_unlock(&run->lock);
		leave(FAULT);
	} else if (fault != WEIR_FAULT_WAIT) {
		weir_fault_text((weir_fault){fault, kind}, text);
		fail_thread(text);
	}
}

void weir_host_aborted_(void)
{
	leave(ABORTED);
}

uint64_t *weir_host_area_(void)
{
	static __thread uint64_t area;
	return &area;
}

void weir_host_block_sync_(void)
{
	struct weir_host_group *group = self.group;
	if (!group)
		return;
	pthread_mutex_lock(&group->lock);
	if (++group->arrived == self.thread_count) {
		group->arrived = 0;
		group->round++;
		pthread_cond_broadcast(&group->all_here);
	} else {
		uint32_t round = group->round;
		while (group->round == round &&
		       !__atomic_load_n(&group->run->ended, __ATOMIC_RELAXED))
			pthread_cond_wait(&group->all_here, &group->lock);
	}
	pthread_mutex_unlock(&group->lock);
	leave_if_ended();
}

static int pass_gate(struct run *run)
{
	pthread_mutex_lock(&run->lock);
	while (run->gate == 0)
		pthread_cond_wait(&run->changed, &run->lock);
	int go = run->gate > 0;
	pthread_mutex_unlock(&run->lock);
	return go;
}

static void free_run(struct run *run)
{
	while (run->leftovers) {
		struct leftover *first = run->leftovers;
		run->leftovers = first->next;
		free(first->memory);
		free(first);
	}
	for (uint32_t g = 0; run->groups && g < run->group_count; g++) {
		pthread_mutex_destroy(&run->groups[g].lock);
		pthread_cond_destroy(&run->groups[g].all_here);
	}
	pthread_mutex_destroy(&run->lock);
	pthread_cond_destroy(&run->changed);
	free(run->groups);
	free(run->workers);
	free(run->arguments);
	free(run->values);
	free(run);
}

static void leave_run(struct run *run)
{
	int ours;

	pthread_mutex_lock(&run->lock);
	if (--run->running == 0) {
		run->ended_ns = weir_host_clock_ns_();
		pthread_cond_broadcast(&run->changed);
	}
	ours = run->running == 0 && run->abandoned;
	pthread_mutex_unlock(&run->lock);
	if (ours)
		free_run(run);
}

/* The groups run the grid cluster by cluster, so that the blocks of a cluster run at once. */
static void become(const struct run *run, uint32_t place)
{
	const uint32_t *size = run->cluster;
	uint32_t rank = place % run->cluster_size;
	uint32_t id = place / run->cluster_size;
	uint32_t block[3];

	self.cluster_id = id;
	self.cluster_rank = rank;
	for (int i = 0; i < 3; i++) {
		uint32_t clusters = run->grid[i] / size[i];
		block[i] = id % clusters * size[i] + rank % size[i];
		id /= clusters;
		rank /= size[i];
	}
	self.block_id = block[0] + run->grid[0] * (block[1] + run->grid[1] * block[2]);
}

/* A function of its own, since setjmp forgets what changed in the one that called it. */
static void run_blocks(const struct run *run)
{
	uint32_t first = (uint32_t)(self.group - run->groups);

	for (uint64_t place = first; place < run->blocks; place += run->group_count) {
		become(run, (uint32_t)place);
		run->kernel(run->arguments);
		weir_host_block_sync_();
	}
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct run *run = worker->self.group->run;

	if (!pass_gate(run))
		return NULL;
	self = worker->self;
	self_worker = worker;
	if (setjmp(worker->leave) == 0)
		run_blocks(run);
	leave_run(run);
	return NULL;
}

static weir_status copy_arguments(struct run *run, const weir_launch *asked)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < asked->argument_count; i++)
		bytes += (asked->arguments[i].bytes + 15) / 16 * 16;
	run->arguments = calloc(asked->argument_count + 1, sizeof *run->arguments);
	run->values = aligned_alloc(16, bytes + 16);
	if (!run->arguments || !run->values)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the arguments of a launch");
	char *place = run->values;
	for (uint32_t i = 0; i < asked->argument_count; i++) {
		if (!asked->arguments[i].value)
			return weir_fail(WEIR_BAD_ARGUMENT, "argument %u of the launch is NULL", i);
		memcpy(place, asked->arguments[i].value, asked->arguments[i].bytes);
		run->arguments[i] = place;
		place += (asked->arguments[i].bytes + 15) / 16 * 16;
	}
	return WEIR_OK;
}

static uint32_t fit_clusters(const weir_checked_launch *launch)
{
	return MOST_THREADS / launch->threads / launch->cluster_blocks;
}

static weir_status make_run(const weir_checked_launch *launch, struct run **made)
{
	uint32_t fit = fit_clusters(launch) * launch->cluster_blocks;
	struct run *run = calloc(1, sizeof *run);
	if (!run)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a launch");
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->changed, NULL);
	run->kernel = launch->asked->kernel.host;
	run->blocks = launch->blocks;
	run->threads = launch->threads;
	memcpy(run->grid, launch->grid, sizeof run->grid);
	memcpy(run->cluster, launch->cluster, sizeof run->cluster);
	run->cluster_size = launch->cluster_blocks;
	run->group_count = launch->blocks < fit ? launch->blocks : fit;
	run->groups = calloc(run->group_count, sizeof *run->groups);
	run->workers = calloc((size_t)run->group_count * run->threads, sizeof *run->workers);
	weir_status status =
	    run->groups && run->workers
		? copy_arguments(run, launch->asked)
		: weir_fail(WEIR_NO_MEMORY, "no memory for the threads of a launch");
	if (status != WEIR_OK) {
		free(run->groups);
		run->groups = NULL;
		free_run(run);
		return status;
	}
	for (uint32_t g = 0; g < run->group_count; g++) {
		pthread_mutex_init(&run->groups[g].lock, NULL);
		pthread_cond_init(&run->groups[g].all_here, NULL);
		run->groups[g].run = run;
	}
	for (uint32_t i = 0; i < run->group_count * run->threads; i++)
		run->workers[i].self = (weir_host_thread){.group = &run->groups[i / run->threads],
		                                          .block_count = run->blocks,
		                                          .thread_id = i % run->threads,
		                                          .thread_count = run->threads,
		                                          .cluster_size = run->cluster_size,
		                                          .joined = 1};
	*made = run;
	return WEIR_OK;
}

static void open_gate(struct run *run, int gate)
{
	pthread_mutex_lock(&run->lock);
	run->gate = gate;
	run->began_ns = weir_host_clock_ns_();
	pthread_cond_broadcast(&run->changed);
	pthread_mutex_unlock(&run->lock);
}

static weir_status start_threads(struct run *run)
{
	pthread_attr_t attributes;
	uint32_t all = run->group_count * run->threads;
	uint32_t started = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	run->running = all;
	while (started < all && pthread_create(&run->workers[started].thread, &attributes, work,
	                                       &run->workers[started]) == 0)
		started++;
	pthread_attr_destroy(&attributes);
	open_gate(run, started == all ? 1 : -1);
	if (started == all)
		return WEIR_OK;
	for (uint32_t i = 0; i < started; i++)
		pthread_join(run->workers[i].thread, NULL);
	return weir_fail(WEIR_NO_MEMORY, "the system gave only %u of %u threads", started, all);
}

static void join_and_free(struct run *run)
{
	for (uint32_t i = 0; i < run->group_count * run->threads; i++)
		pthread_join(run->workers[i].thread, NULL);
	free_run(run);
}

/* Leaves a launch that nobody will wait for any more. */
static void abandon(struct run *run)
{
	int running;

	pthread_mutex_lock(&run->lock);
	running = run->running != 0;
	run->abandoned = running;
	for (uint32_t i = 0; running && i < run->group_count * run->threads; i++)
		pthread_detach(run->workers[i].thread);
	pthread_mutex_unlock(&run->lock);
	if (!running)
		join_and_free(run);
}

/* 0: still running at the deadline. */
static int wait_for_run(struct run *run, uint64_t timeout_ns)
{
	struct timespec until;
	int done;

	clock_gettime(CLOCK_REALTIME, &until);
	uint64_t ns = (uint64_t)until.tv_nsec + timeout_ns % 1000000000u;
	until.tv_sec += (time_t)(timeout_ns / 1000000000u + ns / 1000000000u);
	until.tv_nsec = (long)(ns % 1000000000u);
	pthread_mutex_lock(&run->lock);
	while (run->running) {
		if (timeout_ns == 0)
			pthread_cond_wait(&run->changed, &run->lock);
		else if (pthread_cond_timedwait(&run->changed, &run->lock, &until) != 0)
			break;
	}
	done = run->running == 0;
	pthread_mutex_unlock(&run->lock);
	return done;
}

static void set_run(struct state *state, struct run *run)
{
	pthread_mutex_lock(&state->run_lock);
	state->run = run;
	pthread_mutex_unlock(&state->run_lock);
}

/* Ends the last launch. Its fault, if it had one, moves to the state. Called with the state's lock
 * held. */
static weir_status end_last_run(struct state *state, uint64_t timeout_ns)
{
	struct run *run = state->run;
	if (!run)
		return WEIR_OK;
	state->overdue = !wait_for_run(run, timeout_ns);
	if (state->overdue)
		return weir_fail(WEIR_STILL_RUNNING, "the kernel is still running");
	state->elapsed_ms = (double)(run->ended_ns - run->began_ns) * 1e-6;
	set_run(state, NULL); /* from here on nobody interrupts it */
	if (run->fault.why)
		state->fault = run->fault;
	join_and_free(run);
	return WEIR_OK;
}

/* A fault is reported once. Called with the state's lock held. */
static weir_status finish_run(struct state *state, uint64_t timeout_ns)
{
	weir_status status = end_last_run(state, timeout_ns);
	weir_fault fault = state->fault;

	if (status != WEIR_OK || !fault.why)
		return status;
	state->fault.why = 0;
	return weir_fail_fault(fault);
}

/* Waits for the launch before a call that comes after it. Once a wait for it has timed out it might
 * never end: then this returns WEIR_STILL_RUNNING at once. Called with the state's lock held. */
static weir_status finish_before(struct state *state)
{
	return finish_run(state, state->overdue ? 1 : 0);
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
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	infos->units = cores > 0 ? (uint32_t)cores : 1;
	infos->max_threads_per_block = MOST_THREADS_PER_BLOCK;
	infos->resident_blocks_at_128 = MOST_THREADS / 128;
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
		abandon(state->run);
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
	struct leftover *leftover;

	pthread_mutex_lock(&state->lock);
	if (!state->run || wait_for_run(state->run, 1)) {
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
	if (status != WEIR_STILL_RUNNING)
		memcpy((char *)native + offset, from, bytes);
	pthread_mutex_unlock(&state->lock);
	return status;
}

static weir_status host_read(void *opaque, void *native, size_t offset, void *to, size_t bytes)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->lock);
	weir_status status = finish_before(state);
	if (status != WEIR_STILL_RUNNING)
		memcpy(to, (char *)native + offset, bytes);
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
	return weir_fail(WEIR_NOT_FOUND, "the program has no kernel '%s'", name);
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
	*blocks = MOST_THREADS / threads;
	return WEIR_OK;
}

static weir_status host_clusters(void *state, const weir_checked_launch *launch, uint32_t *clusters)
{
	(void)state;
	*clusters = fit_clusters(launch);
	return WEIR_OK;
}

static uint32_t host_most_blocks(void *state)
{
	(void)state;
	return MOST_THREADS;
}

static weir_status host_launch(void *opaque, const weir_checked_launch *launch)
{
	struct state *state = opaque;
	struct run *run;

	if (!launch->asked->kernel.host)
		return weir_fail(WEIR_BAD_ARGUMENT, "the kernel is not one of the host machine");
	if (launch->asked->stream)
		return weir_fail(WEIR_UNSUPPORTED, "the host machine has no streams");
	if (launch->asked->shared_bytes)
		return weir_fail(WEIR_UNSUPPORTED, "the host machine has no dynamic shared memory");
	weir_status status = make_run(launch, &run);
	if (status != WEIR_OK)
		return status;
	pthread_mutex_lock(&state->lock);
	status = end_last_run(state, state->overdue ? 1 : 0);
	if (status != WEIR_STILL_RUNNING)
		status = start_threads(run);
	if (status == WEIR_OK)
		set_run(state, run);
	else
		free_run(run);
	pthread_mutex_unlock(&state->lock);
	return status;
}

static weir_status host_wait(void *opaque, uint64_t timeout_ns, double *elapsed_ms)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->lock);
	weir_status status = finish_run(state, timeout_ns);
	if (elapsed_ms && status != WEIR_STILL_RUNNING)
		*elapsed_ms = state->elapsed_ms;
	pthread_mutex_unlock(&state->lock);
	return status;
}

/* Also ends waits for threads of the same block that never come. */
static void host_interrupt(void *opaque)
{
	struct state *state = opaque;
	pthread_mutex_lock(&state->run_lock);
	if (state->run)
		end_run(state->run, ABORTED);
	pthread_mutex_unlock(&state->run_lock);
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
    .load = host_load,
    .kernel = host_kernel,
    .unload = host_unload,
    .resident = host_resident,
    .clusters = host_clusters,
    .most_blocks = host_most_blocks,
    .launch = host_launch,
    .wait = host_wait,
    .area_open = host_allocate,
    .area_close = host_area_close,
    .peek = weir_plain_peek,
    .poke = weir_plain_poke,
    .read_program = weir_plain_read_program,
    .interrupt = host_interrupt,
};
