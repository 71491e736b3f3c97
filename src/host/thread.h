/* A thread of a launch on the host. */
#ifndef WEIR_HOST_THREAD_H
#define WEIR_HOST_THREAD_H

/* The start routine of a weir_host_worker's thread. */
void *weir_host_work(void *worker);

#endif
