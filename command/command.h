/* The subcommands of weir. Each gets the arguments starting with its own name and returns the exit
 * status of the program. */
#ifndef WEIR_COMMAND_H
#define WEIR_COMMAND_H

#include <stddef.h>

typedef struct weir_subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what; /* in a few words */
} weir_subcommand;

/* By index, in the order of the help; NULL past the last. By name; NULL if there is none. */
const weir_subcommand *weir_subcommand_at(size_t index);
const weir_subcommand *weir_subcommand_named(const char *name);

int weir_command_devices(int argc, char **argv);
int weir_command_probe(int argc, char **argv);
int weir_command_classify(int argc, char **argv);
int weir_command_bench(int argc, char **argv);
int weir_command_tune(int argc, char **argv);
int weir_command_profile(int argc, char **argv);
int weir_command_check(int argc, char **argv);
int weir_command_explain(int argc, char **argv);
int weir_command_header(int argc, char **argv);
int weir_command_crew(int argc, char **argv);
int weir_command_doctor(int argc, char **argv);
int weir_command_report(int argc, char **argv);
int weir_command_verify(int argc, char **argv);
int weir_command_predict(int argc, char **argv);
int weir_command_completion(int argc, char **argv);

#endif
