/* weir: measures a machine, classifies it, and recommends a kind of each primitive. */
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/fold.h"
#include "cli/options.h"
#include "command.h"
#include "weir/weir.h"

/* A row without a name is the title of the rows below it. */
static const weir_subcommand subcommands[] = {
    {"", NULL, "Find out what to use"},
#ifdef WEIR_COMMAND_REPORT
    {"report", weir_command_report, "which kinds to use here, and all figures as one HTML page"},
#endif
    {"devices", weir_command_devices, "which devices can be used here, and why others cannot"},
    {"classify", weir_command_classify, "which kinds suit a memory system, and why"},
#ifdef WEIR_COMMAND_PREDICT
    {"predict", weir_command_predict, "what a device would do, from its profile"},
#endif
    {"", NULL, "Measure"},
    {"probe", weir_command_probe, "the paper's twelve memory benchmarks"},
    {"bench", weir_command_bench, "throughput and fairness of each kind over block counts"},
    {"tune", weir_command_tune, "the best backoff of each kind for this device"},
    {"profile", weir_command_profile, "the figures from which the library takes its defaults"},
    {"", NULL, "Check and run"},
#ifdef WEIR_COMMAND_CHECK
    {"check", weir_command_check, "find the races, hangs and faults of any kernel, without a GPU"},
#endif
#ifdef WEIR_COMMAND_EXPLAIN
    {"explain", weir_command_explain, "what a cause of weir check means, by an example"},
#endif
#ifdef WEIR_COMMAND_DOCTOR
    {"doctor", weir_command_doctor, "make the classic mistakes, and see what is diagnosed"},
#endif
#ifdef WEIR_COMMAND_VERIFY
    {"verify", weir_command_verify, "explore the executions of each kind on a model machine"},
#endif
    {"header", weir_command_header, "write one header with the primitives that a project needs"},
    {"crew", weir_command_crew, "try several processes or GPUs, or start a program on them"},
#ifdef WEIR_COMMAND_COMPLETION
    {"completion", weir_command_completion, "scripts that make bash and zsh complete all of this"},
#endif
};

static const size_t row_count = sizeof subcommands / sizeof subcommands[0];

const weir_subcommand *weir_subcommand_at(size_t index)
{
	for (size_t i = 0; i < row_count; i++)
		if (subcommands[i].run && index-- == 0)
			return &subcommands[i];
	return NULL;
}

const weir_subcommand *weir_subcommand_named(const char *name)
{
	for (size_t i = 0; i < row_count; i++)
		if (subcommands[i].run && strcmp(name, subcommands[i].name) == 0)
			return &subcommands[i];
	return NULL;
}

static int no_such_subcommand(const char *name)
{
	return weir_refuse("there is no subcommand '%s'; see weir --help", name);
}

static int print_help(void)
{
	static const weir_example examples[] = {
	    {"weir report", "measure this machine: which kinds to use, and a page with plots"},
	    {"weir classify --profile h200", "why which kind, for a GPU that is not here"},
	    {NULL, NULL}};
	FILE *to = weir_folded();

	fprintf(to,
	        "usage: weir SUBCOMMAND [OPTION]...\n\nMeasures how GPU blocks synchronize on a "
	        "device, and says which kind of each primitive to use there.\n");
	for (size_t i = 0; i < row_count; i++)
		if (subcommands[i].run)
			fprintf(to, "  %-12s%s\n", subcommands[i].name, subcommands[i].what);
		else
			fprintf(to, "\n%s:\n", subcommands[i].what);
	weir_print_examples(to, "Examples", examples);
	fprintf(to,
	        "\nweir help SUBCOMMAND lists the options of a subcommand. More is in man weir and "
	        "in doc/command.md.\n");
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
	const weir_subcommand *about = weir_subcommand_named(argv[0]);
	if (!about)
		return no_such_subcommand(argv[0]);
	/* Only bench has a subcommand of its own. */
	if (argc == 2 && strcmp(argv[0], "bench") == 0 && strcmp(argv[1], "kernels") == 0) {
		char *kernels[] = {argv[0], argv[1], "--help", NULL};
		return about->run(3, kernels);
	}
	if (argc > 1)
		return weir_refuse("unexpected '%s'; see weir --help", argv[1]);
	char *asked[] = {argv[0], "--help", NULL};
	return about->run(2, asked);
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
