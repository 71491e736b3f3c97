/* Threads of the program's own count under a scoped lock; without it, counts would be lost. */
#include <cstdio>
#include <thread>
#include <vector>

#include "weir/weir.h"
#include "weir/weir.hpp"

int main()
{
	const unsigned threads = 4, rounds = 20000;
	unsigned long total = 0;
	weir_device *device;
	weir_mutex mutex;
	std::vector<std::thread> team;

	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_mutex_create(device, WEIR_MUTEX_TICKET, &mutex) != WEIR_OK) {
		std::fprintf(stderr, "%s\n", weir_error_text());
		return 1;
	}
	for (unsigned id = 0; id < threads; id++)
		team.emplace_back([&, id] {
			weir_host_join(id, threads);
			for (unsigned round = 0; round < rounds; round++) {
				weir::scoped_lock guard(mutex);
				total++;
			}
		});
	for (std::thread &thread : team)
		thread.join();
	if (weir_mutex_destroy(device, &mutex) != WEIR_OK || weir_device_close(device) != WEIR_OK) {
		std::fprintf(stderr, "%s\n", weir_error_text());
		return 1;
	}
	std::printf("%lu of %u\n", total, threads * rounds);
	return total != (unsigned long)threads * rounds;
}
