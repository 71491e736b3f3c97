#define _POSIX_C_SOURCE 200809L
#include "ptx_device/stream.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "ptx/check.h"

typedef struct task {
	struct task *next;
	weir_ptx_machine *machine; /* or NULL, and then */
	ptx_moment *moment;
	unsigned check;
} task;

struct ptx_stream {
	ptx_stream *next; /* of all streams */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t worker;
	int has_worker, closing;
	volatile int stop;
	task *first, **last; /* the first one runs */
	weir_status status;  /* of what has ended */
	char text[1024];
};

static ptx_stream *all_streams;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

weir_status weir_ptx_stream_create(ptx_stream **stream)
{
	ptx_stream *made = calloc(1, sizeof *made);

	*stream = made;
	if (!made)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a stream");
	pthread_mutex_init(&made->lock, NULL);
	pthread_cond_init(&made->changed, NULL);
	made->last = &made->first;
	pthread_mutex_lock(&all_lock);
	made->next = all_streams;
	all_streams = made;
	pthread_mutex_unlock(&all_lock);
	return WEIR_OK;
}

int weir_ptx_stream_is(const void *stream)
{
	int found = 0;

	pthread_mutex_lock(&all_lock);
	for (const ptx_stream *s = all_streams; s && !found; s = s->next)
		found = s == stream;
	pthread_mutex_unlock(&all_lock);
	return found;
}

static void keep_result(ptx_stream *stream, weir_status status, const char *text)
{
	if (stream->status != WEIR_OK && stream->status != WEIR_ABORTED)
		return;
	stream->status = status;
	snprintf(stream->text, sizeof stream->text, "%.*s", (int)sizeof stream->text - 1, text);
}

/* Called without the lock. */
static void run_launch(ptx_stream *stream, weir_ptx_machine *machine, unsigned check)
{
	weir_ptx_result *result = calloc(1, sizeof *result);
	weir_status status;
	char race[1024] = "";

	if (!result)
		status = weir_fail(WEIR_NO_MEMORY, "no memory for the result of a launch");
	else if (check)
		status = weir_ptx_run_checked(machine, check > 1, result, race, sizeof race);
	else
		status = weir_ptx_machine_run(machine, NULL, result);
	weir_ptx_machine_destroy(machine);
	pthread_mutex_lock(&stream->lock);
	if (status != WEIR_OK)
		keep_result(stream, status, weir_error_text());
	else if (result->end == WEIR_PTX_STOPPED)
		keep_result(stream, WEIR_ABORTED, result->text);
	else if (race[0])
		keep_result(stream, WEIR_LAUNCH_FAILED, race);
	else if (result->end != WEIR_PTX_DONE)
		keep_result(stream, WEIR_LAUNCH_FAILED, result->text);
	pthread_mutex_unlock(&stream->lock);
	free(result);
}

/* Called with the lock held; the task stays the first one until it has ended. */
static void run_first(ptx_stream *stream)
{
	task *first = stream->first;
	int failed = stream->status != WEIR_OK && stream->status != WEIR_ABORTED;

	if (first->moment) {
		first->moment->ns = now_ns();
		__atomic_fetch_sub(&first->moment->pending, 1, __ATOMIC_RELEASE);
	} else {
		pthread_mutex_unlock(&stream->lock);
		if (failed)
			weir_ptx_machine_destroy(first->machine);
		else
			run_launch(stream, first->machine, first->check);
		pthread_mutex_lock(&stream->lock);
	}
	stream->first = first->next;
	if (!stream->first) {
		stream->last = &stream->first;
		stream->stop = 0;
	}
	free(first);
	pthread_cond_broadcast(&stream->changed);
}

static void *work(void *context)
{
	ptx_stream *stream = context;

	pthread_mutex_lock(&stream->lock);
	while (stream->first || !stream->closing) {
		if (stream->first)
			run_first(stream);
		else
			pthread_cond_wait(&stream->changed, &stream->lock);
	}
	pthread_mutex_unlock(&stream->lock);
	return NULL;
}

/* Called with the lock held. Signals are for the threads of the host. */
static int start_worker(ptx_stream *stream)
{
	sigset_t all, before;

	if (stream->has_worker)
		return 1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	stream->has_worker = pthread_create(&stream->worker, NULL, work, stream) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return stream->has_worker;
}

static weir_status append(ptx_stream *stream, weir_ptx_machine *machine, ptx_moment *moment,
                          unsigned check)
{
	task *added = calloc(1, sizeof *added);
	int started;

	if (!added)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a launch");
	added->machine = machine;
	added->moment = moment;
	added->check = check;
	pthread_mutex_lock(&stream->lock);
	started = start_worker(stream);
	if (started) {
		if (machine && stream->status == WEIR_ABORTED && !stream->stop)
			stream->status = WEIR_OK;
		if (moment)
			__atomic_fetch_add(&moment->pending, 1, __ATOMIC_RELAXED);
		*stream->last = added;
		stream->last = &added->next;
		pthread_cond_broadcast(&stream->changed);
	}
	pthread_mutex_unlock(&stream->lock);
	if (started)
		return WEIR_OK;
	free(added);
	return weir_fail(WEIR_DRIVER_ERROR, "no thread for a stream");
}

/* With the lock held. */
static weir_status result_of(const ptx_stream *stream)
{
	return stream->status == WEIR_OK ? WEIR_OK : weir_fail(stream->status, "%s", stream->text);
}

weir_status weir_ptx_stream_launch(ptx_stream *stream, weir_ptx_machine *machine, unsigned check)
{
	weir_status status;

	pthread_mutex_lock(&stream->lock);
	status = stream->status == WEIR_ABORTED ? WEIR_OK : result_of(stream);
	pthread_mutex_unlock(&stream->lock);
	if (status == WEIR_OK)
		status = append(stream, machine, NULL, check);
	if (status != WEIR_OK)
		weir_ptx_machine_destroy(machine);
	return status;
}

const volatile int *weir_ptx_stream_stops(const ptx_stream *stream)
{
	return &stream->stop;
}

weir_status weir_ptx_stream_record(ptx_stream *stream, ptx_moment *moment)
{
	return append(stream, NULL, moment, 0);
}

weir_status weir_ptx_stream_query(ptx_stream *stream)
{
	weir_status status;

	pthread_mutex_lock(&stream->lock);
	status = stream->first ? WEIR_BUSY : result_of(stream);
	pthread_mutex_unlock(&stream->lock);
	return status;
}

weir_status weir_ptx_stream_synchronize(ptx_stream *stream)
{
	weir_status status;

	pthread_mutex_lock(&stream->lock);
	while (stream->first)
		pthread_cond_wait(&stream->changed, &stream->lock);
	/* Only a wait for the launch reports that it was stopped; its memory may be used. */
	status = stream->status == WEIR_ABORTED ? WEIR_OK : result_of(stream);
	pthread_mutex_unlock(&stream->lock);
	return status;
}

void weir_ptx_stream_stop(ptx_stream *stream)
{
	pthread_mutex_lock(&stream->lock);
	if (stream->first)
		stream->stop = 1;
	pthread_mutex_unlock(&stream->lock);
}

static void forget(ptx_stream *stream)
{
	ptx_stream **link = &all_streams;

	pthread_mutex_lock(&all_lock);
	while (*link && *link != stream)
		link = &(*link)->next;
	if (*link)
		*link = stream->next;
	pthread_mutex_unlock(&all_lock);
}

void weir_ptx_stream_destroy(ptx_stream *stream)
{
	weir_ptx_stream_stop(stream);
	forget(stream);
	pthread_mutex_lock(&stream->lock);
	stream->closing = 1;
	pthread_cond_broadcast(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
	if (stream->has_worker)
		pthread_join(stream->worker, NULL);
	pthread_cond_destroy(&stream->changed);
	pthread_mutex_destroy(&stream->lock);
	free(stream);
}
