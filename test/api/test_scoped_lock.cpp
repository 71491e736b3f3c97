/* A report about a diagnosed weir::scoped_lock names the source line of the guard, not one in
 * weir.hpp. Compiled with WEIR_DIAGNOSE. */
#include <cstdio>
#include <cstring>
#include <string>

#include "weir/weir.h"
#include "weir/weir.hpp"

static const char *const deadline_missed = "the watchdog did not end it";
static unsigned first_line, second_line;

static void hang(void **arguments)
{
	weir_mutex m = *static_cast<weir_mutex *>(arguments[0]);
	first_line = __LINE__ + 1;
	weir::scoped_lock first(m);
	second_line = __LINE__ + 1;
	weir::scoped_lock second(m);
}

static void hang_block(void **arguments)
{
	weir_mutex m = *static_cast<weir_mutex *>(arguments[0]);
	first_line = __LINE__ + 1;
	weir::scoped_block_lock first(m);
	second_line = __LINE__ + 1;
	weir::scoped_block_lock second(m);
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

/* How many of the kernel's source lines are missing in the report. */
static int run(void (*kernel)(void **))
{
	weir_device *device;
	weir_mutex m;
	weir_options options = {};
	weir_launch launch = {};
	weir_argument argument = {&m, sizeof m};
	std::string text = deadline_missed;
	int missing = 0;

	options.diagnose = 1;
	options.name = "m";
	if (!check(weir_device_open("host", &device), WEIR_OK) ||
	    !check(weir_mutex_create_with(device, WEIR_MUTEX_TICKET, &options, &m), WEIR_OK))
		return 1;
	launch.kernel.host = kernel;
	launch.grid[0] = launch.block[0] = 1;
	launch.arguments = &argument;
	launch.argument_count = 1;
	if (!check(weir_device_watch(device, 0.05, hear, &text), WEIR_OK) ||
	    !check(weir_kernel_launch(device, &launch), WEIR_OK) ||
	    !check(weir_device_wait(device, 30000000000u, nullptr), WEIR_LAUNCH_ABORTED))
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
	return run(hang) + run(hang_block);
}
