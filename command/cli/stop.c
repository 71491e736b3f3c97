/* Ctrl-C. */
#include "cli/stop.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t asked;

static void ask(int signal)
{
	(void)signal;
	asked = 1;
}

void weir_stop_catch(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = ask;
	/* Restart: a driver's or a library's system calls must not fail because of it. Reset: a
	 * second Ctrl-C ends the program even if a launch hangs. */
	action.sa_flags = SA_RESTART | SA_RESETHAND;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

const volatile int *weir_stop_flag(void)
{
	_Static_assert(_Generic(asked, volatile int : 1, int : 1, default : 0), "it is an int");
	return &asked;
}

int weir_stop_asked(void)
{
	return asked;
}
