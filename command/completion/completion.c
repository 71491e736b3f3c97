/* weir completion: the scripts for shells, and the words that they ask for. */
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "command.h"
#include "completion/values.h"

/* The scripts beside this file, in the folder WEIR_COMPLETION. */
#define SCRIPT(symbol, file)                                                                       \
	__asm__(".pushsection .rodata\n" #symbol ":\n"                                             \
	        ".incbin \"" WEIR_COMPLETION "/" file "\"\n"                                       \
	        ".byte 0\n"                                                                        \
	        ".popsection\n");                                                                  \
	extern const char symbol[] __attribute__((visibility("hidden")))

SCRIPT(weir_completion_bash_, "weir.bash");
SCRIPT(weir_completion_zsh_, "weir.zsh");

static const char help[] =
    "usage: weir completion bash|zsh\n"
    "       weir completion words [WORD]...\n"
    "\n"
    "Prints the script by which a shell completes subcommands, options and their values. `make\n"
    "install` puts the scripts where the shells look for them. To try one in bash:\n"
    "\n"
    "  eval \"$(weir completion bash)\"\n"
    "\n"
    "The scripts ask for the words that can stand in the place of the last WORD, after weir and "
    "the\n"
    "others: one on a line, and :files where a file can.\n"
    "\n"
    "  --help   print this\n";

static const struct option options[] = {WEIR_OPTION_LAST};

/* A word that is begun, and what comes before the part that is offered: "--kinds=spin,". */
struct begun {
	const char *kept;
	size_t kept_bytes;
	const char *part;
};

static void print_word(const char *word, void *context)
{
	const struct begun *begun = context;

	if (strncmp(word, begun->part, strlen(begun->part)) == 0)
		printf("%.*s%s\n", (int)begun->kept_bytes, begun->kept, word);
}

static void complete_subcommand(const char *word)
{
	struct begun begun = {"", 0, word};
	const weir_subcommand *subcommand;

	for (size_t i = 0; (subcommand = weir_subcommand_at(i)); i++)
		print_word(subcommand->name, &begun);
	print_word("help", &begun);
	print_word("--help", &begun);
	print_word("--version", &begun);
}

static void complete_option(const struct option *table, const char *word)
{
	struct begun begun = {"--", 2, word + (strncmp(word, "--", 2) == 0 ? 2 : 1)};

	for (; table->name; table++)
		print_word(table->name, &begun);
}

/* `word` up to `value` is kept. */
static void complete_value(const weir_typed *typed, const char *option, const char *word,
                           const char *value)
{
	struct begun begun = {word, (size_t)(value - word), value};
	struct begun none = {"", 0, "\n"};
	const char *comma = strrchr(value, ',');
	weir_value_form form = weir_offer_values(typed, option, print_word, &none);

	if (form == WEIR_VALUE_LIST && comma) {
		begun.kept_bytes = (size_t)(comma + 1 - word);
		begun.part = comma + 1;
	}
	weir_offer_values(typed, option, print_word, &begun);
	if (form == WEIR_VALUE_FILE)
		puts(":files");
	if (form == WEIR_VALUE_UNKNOWN)
		printf(":unknown %s\n", option);
}

static const struct option *find_option(const struct option *table, const char *word, size_t bytes)
{
	for (; table->name; table++)
		if (strncmp(table->name, word, bytes) == 0 && strlen(table->name) == bytes)
			return table;
	return NULL;
}

/* Goes over the words before the last. Returns the option whose value the last one is, or NULL. */
static const struct option *read_words(const struct option *table, int count, char **words,
                                       weir_typed *typed)
{
	const struct option *open = NULL;

	for (int i = 0; i < count; i++) {
		const char *word = words[i];

		if (open) {
			if (strcmp(open->name, "primitive") == 0)
				typed->primitive = word;
			open = NULL;
		} else if (strncmp(word, "--", 2) == 0) {
			size_t bytes = strcspn(word + 2, "=");
			const struct option *option = find_option(table, word + 2, bytes);
			int has_value = word[2 + bytes] == '=';

			if (option && option->has_arg == required_argument && !has_value)
				open = option;
			if (option && has_value && strcmp(option->name, "primitive") == 0)
				typed->primitive = word + 2 + bytes + 1;
		} else if (!typed->operand) {
			typed->operand = word;
		}
	}
	return open;
}

static void complete_argument(const weir_subcommand *subcommand, int count, char **words)
{
	char name[64];
	char of_kernels[] = "kernels";
	char help_option[] = "--help";
	int kernels = count > 1 && strcmp(subcommand->name, "bench") == 0 &&
	              strcmp(words[0], of_kernels) == 0;
	char *arguments[] = {name, kernels ? of_kernels : help_option, help_option, NULL};
	weir_typed typed = {.subcommand = kernels ? "bench kernels" : subcommand->name};
	char *word = words[count - 1];

	snprintf(name, sizeof name, "%s", subcommand->name);
	const struct option *table = weir_options_of(subcommand->run, kernels ? 3 : 2, arguments);
	const struct option *open = read_words(table, count - 1, words, &typed);
	char *equals = strchr(word, '=');

	if (open) {
		complete_value(&typed, open->name, word, word);
	} else if (strncmp(word, "--", 2) == 0 && equals) {
		const struct option *option =
		    find_option(table, word + 2, (size_t)(equals - word) - 2);
		if (option && option->has_arg == required_argument)
			complete_value(&typed, option->name, word, equals + 1);
	} else if (word[0] == '-') {
		complete_option(table, word);
	} else {
		struct begun begun = {"", 0, word};
		if (!typed.operand)
			weir_offer_operands(&typed, print_word, &begun);
		complete_option(table, word[0] ? "-/" : "--");
	}
}

static int complete(int count, char **words)
{
	if (count <= 1) {
		complete_subcommand(count ? words[0] : "");
		return WEIR_EXIT_OK;
	}
	const weir_subcommand *subcommand = weir_subcommand_named(words[0]);
	if (subcommand)
		complete_argument(subcommand, count - 1, words + 1);
	else if (strcmp(words[0], "help") == 0 && count == 2)
		complete_subcommand(words[1]);
	return WEIR_EXIT_OK;
}

int weir_command_completion(int argc, char **argv)
{
	weir_common common = {.help = help, .options = options};
	const char *what = argc > 1 ? argv[1] : "";

	/* The words may be options of another subcommand. */
	if (strcmp(what, "words") == 0)
		return complete(argc - 2, argv + 2);
	for (int c; (c = weir_option_next(argc, argv, &common)) != WEIR_OPTION_END;)
		if (c == WEIR_OPTION_LEAVE)
			return common.status;
	if (argc != 2 || (strcmp(what, "bash") != 0 && strcmp(what, "zsh") != 0))
		return weir_refuse("a script for bash or zsh? See weir completion --help");
	fputs(strcmp(what, "bash") == 0 ? weir_completion_bash_ : weir_completion_zsh_, stdout);
	return WEIR_EXIT_OK;
}
