/* Looking on while a simulation runs, to show how far it is and to end it. */
#ifndef WEIR_SIM_WATCH_H
#define WEIR_SIM_WATCH_H

/* `look` is called every some thousand accesses with the work done since the last call, in a unit that
 * takes about the same time everywhere. When it gives anything but 0, the run ends with
 * WEIR_LAUNCH_ABORTED. `replan`, if not NULL, is called when a search ends that took more work than
 * planned, or less, with the difference. All zeros: nobody looks. */
typedef struct weir_sim_watch {
	int (*look)(void *context, double work);
	void (*replan)(void *context, double more);
	void *context;
} weir_sim_watch;

#endif
