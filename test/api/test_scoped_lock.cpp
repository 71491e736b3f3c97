/* A report about a diagnosed guard of weir.hpp names the source line of the guard, not a line in
 * weir.hpp. Compiled with WEIR_DIAGNOSE. */
#include <cstdio>
#include <cstring>
#include <string>

#include "weir/weir.h"
#include "weir/weir.hpp"

static const char *const deadline_missed = "the watchdog did not end it";
static unsigned first_line, second_line;

/* A block that locks with one guard and again with another, which hangs. */
template <typename handle, typename outer, typename inner> static void hang(void **arguments)
{
	handle object = *static_cast<handle *>(arguments[0]);
	first_line = __LINE__ + 1;
	outer first(object);
	second_line = __LINE__ + 1;
	inner second(object);
}

static void hear(weir_device *device, const weir_diagnosis *report, void *user)
{
	*static_cast<std::string *>(user) = report->text;
	weir_device_abort(device);
}

static bool check(weir_status status, weir_status wanted)
{
	if (status != wanted)
		std::printf("%s: %s\n", weir_status_text(status), weir_error_text());
	return status == wanted;
}

static weir_status create(weir_device *device, const weir_object_options &object, weir_mutex *mutex)
{
	weir_mutex_options options = {};

	options.object = object;
	options.kind = WEIR_MUTEX_TICKET;
	return weir_mutex_create(device, &options, mutex);
}

static weir_status create(weir_device *device, const weir_object_options &object,
                          weir_rwlock *rwlock)
{
	weir_rwlock_options options = {};

	options.object = object;
	return weir_rwlock_create(device, &options, rwlock);
}

/* How many of the kernel's source lines are missing in the report. */
template <typename handle, typename outer, typename inner> static int run()
{
	weir_device *device;
	handle object;
	weir_object_options options = {};
	weir_launch launch = {};
	weir_argument argument = {&object, sizeof object};
	std::string text = deadline_missed;
	int missing = 0;

	options.diagnose = 1;
	options.name = "m";
	if (!check(weir_device_open("host", &device), WEIR_OK) ||
	    !check(create(device, options, &object), WEIR_OK))
		return 1;
	launch.kernel.host = hang<handle, outer, inner>;
	launch.grid[0] = launch.block[0] = 1;
	launch.arguments = &argument;
	launch.argument_count = 1;
	if (!check(weir_device_watch(device, 0.05, hear, &text), WEIR_OK) ||
	    !check(weir_kernel_launch(device, &launch), WEIR_OK) ||
	    !check(weir_device_wait(device, 30000000000u, nullptr), WEIR_ABORTED))
		return 1;
	for (unsigned line : {first_line, second_line})
		if (text.find("test_scoped_lock.cpp:" + std::to_string(line)) == text.npos)
			missing++;
	if (missing || text.find("weir.hpp") != text.npos)
		std::printf("lines %u and %u: %s\n", first_line, second_line, text.c_str());
	weir_device_close(device);
	return missing;
}

int main()
{
	using namespace weir;

	return run<weir_mutex, scoped_lock, scoped_lock>() +
	       run<weir_mutex, scoped_block_lock, scoped_block_lock>() +
	       run<weir_rwlock, scoped_read_lock, scoped_write_lock>() +
	       run<weir_rwlock, scoped_write_lock, scoped_read_lock>() +
	       run<weir_rwlock, scoped_block_read_lock, scoped_block_write_lock>() +
	       run<weir_rwlock, scoped_block_write_lock, scoped_block_read_lock>();
}
