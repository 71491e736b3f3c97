/* The program's own threads count under scoped locks; without these, counts would be lost. */
#include <cstdio>
#include <thread>
#include <vector>

#include "weir/weir.h"
#include "weir/weir.hpp"

int main()
{
	const unsigned threads = 4, rounds = 20000;
	unsigned long total = 0, written = 0, unequal[threads] = {};
	unsigned long copy = 0; /* of `written`, under the same lock */
	weir_device *device;
	weir_mutex mutex;
	weir_rwlock rwlock;
	std::vector<std::thread> team;
	weir_mutex_options ticket = {};

	ticket.kind = WEIR_MUTEX_TICKET;

	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_mutex_create(device, &ticket, &mutex) != WEIR_OK ||
	    weir_rwlock_create(device, nullptr, &rwlock) != WEIR_OK) {
		std::fprintf(stderr, "%s\n", weir_error_text());
		return 1;
	}
	for (unsigned id = 0; id < threads; id++)
		team.emplace_back([&, id] {
			weir_host_join(id, threads);
			for (unsigned round = 0; round < rounds; round++) {
				{
					weir::scoped_lock guard(mutex);
					total++;
				}
				{
					weir::scoped_write_lock guard(rwlock);
					written++;
					copy = written;
				}
				weir::scoped_read_lock guard(rwlock);
				unequal[id] += copy != written;
			}
		});
	for (std::thread &thread : team)
		thread.join();
	if (weir_mutex_destroy(device, &mutex) != WEIR_OK ||
	    weir_rwlock_destroy(device, &rwlock) != WEIR_OK ||
	    weir_device_close(device) != WEIR_OK) {
		std::fprintf(stderr, "%s\n", weir_error_text());
		return 1;
	}
	for (unsigned long wrong : unequal)
		written -= wrong; /* each one makes the count too small */
	std::printf("%lu and %lu of %u\n", total, written, threads * rounds);
	return total != (unsigned long)threads * rounds || written != total;
}
