/* Watching a simulation, to show how far it is and to end it. */
#ifndef WEIR_SIM_WATCH_H
#define WEIR_SIM_WATCH_H

/* `look` is called after every few thousand accesses with the work done since the last call, in a
 * unit that takes about the same time everywhere. When it returns anything but 0, the run ends with
 * WEIR_LAUNCH_ABORTED. `replan`, if not NULL, is called when a search ends that took more or less
 * work than planned, with the difference. All zeros: nobody watches. */
typedef struct weir_sim_watch {
	int (*look)(void *context, double work);
	void (*replan)(void *context, double more);
	void *context;
} weir_sim_watch;

#endif
