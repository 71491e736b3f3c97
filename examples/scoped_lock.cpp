// Locks held by a scope, in C++: a return or an exception releases them. On the host machine, where
// a kernel is a function and a thread is a pthread.
#include <cstdio>
#include <map>
#include <stdexcept>

#include "check.h"
#include "weir/weir.hpp"

namespace
{

constexpr std::uint32_t blocks = 8, rounds = 1000;

struct table {
	weir_mutex mutex;
	std::map<std::uint32_t, std::uint32_t> counts; // which no atomic could protect
};

void add(table &t, std::uint32_t key)
{
	weir::scoped_lock lock(t.mutex);
	if (key == 7)
		throw std::out_of_range("7 is no key");
	t.counts[key] += 1;
}

void count(void **arguments)
{
	table &t = **static_cast<table **>(arguments[0]);
	for (std::uint32_t i = 0; i < rounds; i++) {
		try {
			add(t, (weir_block_id() + i) % 8);
		} catch (const std::out_of_range &) { // the mutex is free again
		}
	}
}

} // namespace

int main()
{
	weir_device *device;
	table t, *place = &t;

	CHECK(weir_device_open("host", &device));
	CHECK(weir_mutex_create(device, nullptr, &t.mutex));
	weir_argument argument = {&place, sizeof place};
	weir_launch launch = {};
	launch.kernel.host = count;
	launch.grid[0] = blocks;
	launch.block[0] = 1;
	launch.arguments = &argument;
	launch.argument_count = 1;
	CHECK(weir_kernel_launch(device, &launch));
	CHECK(weir_device_wait(device, DEADLINE_NS, nullptr));
	CHECK(weir_device_close(device)); // also frees the mutex
	for (std::uint32_t key = 0; key < 8; key++) {
		if (t.counts[key] != (key == 7 ? 0 : blocks * rounds / 8)) {
			std::printf("scoped_lock: %u entries of key %u\n", t.counts[key], key);
			return 1;
		}
	}
	std::printf("scoped_lock: %u blocks filled a table, and none kept the lock\n", blocks);
	return 0;
}
