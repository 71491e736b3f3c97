/* The exit statuses of weir check, beside those of all subcommands. */
#ifndef WEIR_COMMAND_CHECK_CHECK_H
#define WEIR_COMMAND_CHECK_CHECK_H

enum {
	WEIR_CHECK_EXIT_RACE = 3,
	WEIR_CHECK_EXIT_FAULT = 4,
	WEIR_CHECK_EXIT_HANG = 5,
	WEIR_CHECK_EXIT_WRONG = 6,
	WEIR_CHECK_EXIT_INCOMPLETE = 7
};

#endif
