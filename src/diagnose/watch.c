/* The watchdog: a thread that checks the notes of a device's blocks from time to time. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <time.h>

#include "diagnose/diagnose.h"

/* Seconds between two checks: a quarter of the patience, within these bounds. */
#define SHORTEST 0.01
#define LONGEST 0.25

static uint64_t longest_wait_ms(weir_device *device)
{
	uint64_t longest = 0;
	weir_snapshot *s;

	if (weir_snapshot_take(device, &s) != WEIR_OK)
		return 0;
	for (uint32_t block = 0; block < s->blocks; block++)
		if (s->waited_ms[block] > longest)
			longest = s->waited_ms[block];
	weir_snapshot_free(s);
	return longest;
}

static void call_back(weir_device *device, const weir_watch *watch)
{
	weir_diagnosis report;

	if (weir_device_diagnose(device, &report) != WEIR_OK)
		return;
	watch->callback(device, &report, watch->user);
	weir_diagnosis_destroy(&report);
}

/* Returns 1 when the watch has ended. */
static int rest(weir_watch *watch)
{
	double seconds = fmin(fmax(watch->seconds / 4, SHORTEST), LONGEST);
	struct timespec until;
	int stop;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)(seconds * 1e9);
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&watch->lock);
	while (!watch->stop && pthread_cond_timedwait(&watch->changed, &watch->lock, &until) == 0)
		;
	stop = watch->stop;
	pthread_mutex_unlock(&watch->lock);
	return stop;
}

static void *work(void *argument)
{
	weir_device *device = argument;
	weir_watch *watch = &device->diagnosis->watch;
	int told = 0;

	while (!rest(watch)) {
		int hangs = (double)longest_wait_ms(device) >= watch->seconds * 1000;
		if (hangs && !told)
			call_back(device, watch);
		told = hangs;
	}
	return NULL;
}

weir_status weir_device_watch(weir_device *device, double seconds, weir_watch_callback callback,
                              void *user)
{
	weir_status status = weir_diagnosis_check(device);
	weir_watch *watch;

	if (status != WEIR_OK)
		return status;
	if (!callback || !(seconds > 0) || !isfinite(seconds))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "weir_device_watch needs a callback and a time above 0");
	watch = &weir_diagnosis_of(device)->watch;
	pthread_mutex_lock(&watch->turns);
	weir_watch_end(watch);
	watch->stop = 0;
	watch->seconds = seconds;
	watch->callback = callback;
	watch->user = user;
	watch->running = pthread_create(&watch->thread, NULL, work, device) == 0;
	if (!watch->running)
		status =
		    weir_fail(WEIR_NO_MEMORY, "the system could not create a thread for a watch");
	pthread_mutex_unlock(&watch->turns);
	return status;
}

weir_status weir_device_unwatch(weir_device *device)
{
	weir_status status = weir_device_check(device);
	weir_watch *watch;

	if (status != WEIR_OK || !weir_diagnosis_of(device))
		return status;
	watch = &weir_diagnosis_of(device)->watch;
	pthread_mutex_lock(&watch->turns);
	weir_watch_end(watch);
	pthread_mutex_unlock(&watch->turns);
	return WEIR_OK;
}
