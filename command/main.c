/* weir: measures a machine, classifies it, and says which kind of each primitive to take. */
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/fold.h"
#include "command.h"
#include "weir/weir.h"

static const weir_subcommand subcommands[] = {
    {"devices", weir_command_devices, "what can be used here, and why something cannot"},
    {"probe", weir_command_probe, "the paper's twelve memory benchmarks"},
    {"classify", weir_command_classify, "what kind of machine a probe shows, and what follows"},
    {"bench", weir_command_bench, "throughput and fairness of each kind over block counts"},
    {"tune", weir_command_tune, "searches the backoff of each kind for this device"},
    {"profile", weir_command_profile, "shows, makes or checks the profile of a device"},
    {"crew", weir_command_crew, "tries a crew of processes, or starts a program as one"},
#ifdef WEIR_COMMAND_DOCTOR
    {"doctor", weir_command_doctor, "makes the classic mistakes and shows what is reported"},
#endif
#ifdef WEIR_COMMAND_REPORT
    {"report", weir_command_report, "all of it as one HTML page"},
#endif
#ifdef WEIR_COMMAND_VERIFY
    {"verify", weir_command_verify, "explores the executions of each kind on a model machine"},
#endif
#ifdef WEIR_COMMAND_PREDICT
    {"predict", weir_command_predict, "what a machine would do, from its profile alone"},
#endif
#ifdef WEIR_COMMAND_COMPLETION
    {"completion", weir_command_completion, "scripts by which shells complete all of this"},
#endif
};

static const size_t subcommand_count = sizeof subcommands / sizeof subcommands[0];

const weir_subcommand *weir_subcommand_at(size_t index)
{
	return index < subcommand_count ? &subcommands[index] : NULL;
}

const weir_subcommand *weir_subcommand_named(const char *name)
{
	for (size_t i = 0; i < subcommand_count; i++)
		if (strcmp(name, subcommands[i].name) == 0)
			return &subcommands[i];
	return NULL;
}

static int no_such_subcommand(const char *name)
{
	return weir_refuse("there is no subcommand '%s'; see weir --help", name);
}

static int print_help(void)
{
	printf("usage: weir SUBCOMMAND [OPTION]...\n\n");
	for (size_t i = 0; i < subcommand_count; i++)
		printf("  %-12s%s\n", subcommands[i].name, subcommands[i].what);
	printf(
	    "\nweir help SUBCOMMAND, or weir SUBCOMMAND --help, lists its options. Exit status: 0 "
	    "success,\n1 something measured, checked or written failed, 2 wrong usage or "
	    "input, 130 stopped by\nCtrl-C.\n");
	return WEIR_EXIT_OK;
}

static int asks_for_help(const char *word)
{
	return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* The arguments after "help", if any. */
static int help_about(int argc, char **argv)
{
	if (argc == 0 || (argc == 1 && asks_for_help(argv[0])))
		return print_help();
	if (argc > 1)
		return weir_refuse("unexpected '%s'; see weir --help", argv[1]);
	const weir_subcommand *about = weir_subcommand_named(argv[0]);
	char *asked[] = {argv[0], "--help", NULL};
	return about ? about->run(2, asked) : no_such_subcommand(argv[0]);
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;

	if (!name)
		return weir_refuse("no subcommand; see weir --help");
	if (asks_for_help(name))
		return help_about(argc - 2, argv + 2);
	if (strcmp(name, "--version") == 0) {
		printf("weir %s, commit %s\n", weir_version(), WEIR_COMMIT);
		return WEIR_EXIT_OK;
	}
	const weir_subcommand *wanted = weir_subcommand_named(name);
	return wanted ? wanted->run(argc - 1, argv + 1) : no_such_subcommand(name);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	weir_folded_end();
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == WEIR_EXIT_OK)
		return weir_complain(WEIR_EXIT_FAILED, "cannot write to standard output");
	return status;
}
