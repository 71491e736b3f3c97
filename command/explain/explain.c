/* weir explain: what a cause of weir check means, with a wrong and a right kernel of the gallery. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "command.h"
#include "src/ptx/check.h"

/* ---- the gallery in the program ---- */

#define BYTES(symbol, path)                                                                        \
	__asm__(".pushsection .rodata\n" #symbol ":\n"                                             \
	        ".incbin \"" path "\"\n"                                                           \
	        ".byte 0\n"                                                                        \
	        ".popsection\n");                                                                  \
	extern const char symbol[] __attribute__((visibility("hidden")));

/* WEIR_KERNELS lists them: a line KERNEL(number, "histogram") for each. */
#define KERNEL(number, name) BYTES(weir_gallery_##number##_, WEIR_GALLERY "/" name ".cu")
#include WEIR_KERNELS
#undef KERNEL
BYTES(weir_gallery_expected_, WEIR_GALLERY "/expected.txt")

static const struct kernel {
	const char *name;
	const char *text;
} kernels[] = {
#define KERNEL(number, name) {name, weir_gallery_##number##_},
#include WEIR_KERNELS
#undef KERNEL
};

/* A row of expected.txt. */
struct example {
	char name[64], causes[128], what[128];
};

/* The next row at *at; 0 behind the last. */
static int read_example(const char **at, struct example *e)
{
	while (**at) {
		char row[512];
		size_t length = strcspn(*at, "\n");

		snprintf(row, sizeof row, "%.*s", (int)length, *at);
		*at += length + ((*at)[length] == '\n');
		if (*row != '#' &&
		    sscanf(row, "%63s %127s %127[^\n]", e->name, e->causes, e->what) == 3)
			return 1;
	}
	return 0;
}

static int has_cause(const struct example *e, const char *cause)
{
	size_t bytes = strlen(cause);

	for (const char *at = e->causes; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, cause, bytes) == 0 && (at[bytes] == ',' || !at[bytes]))
			return 1;
	}
	return 0;
}

static const char *text_of(const char *name)
{
	for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
		if (strcmp(kernels[i].name, name) == 0)
			return kernels[i].text;
	return NULL;
}

/* ---- what is printed ---- */

/* Where the kernel begins in its source, which has `wrong` before `right`. */
static const char *kernel_at(const char *text, const char *name)
{
	const char *head = strstr(text, name);

	while (head && head > text && head[-1] != '\n')
		head--;
	return head;
}

static void print_code(const char *from, const char *to)
{
	while (to > from && isspace((unsigned char)to[-1]))
		to--;
	printf("\n%.*s\n", (int)(to - from), from);
}

static void print_example(const struct example *e)
{
	const char *text = text_of(e->name);
	const char *wrong = text ? kernel_at(text, " wrong(") : NULL;
	const char *right = wrong ? kernel_at(wrong, " right(") : NULL;

	if (!right)
		return;
	printf("\nFor example, %s:\n", e->what);
	print_code(text, wrong);
	printf("\nWrong:\n");
	print_code(wrong, right);
	printf("\nRight:\n");
	print_code(right, right + strlen(right));
	printf("\nTo check it: weir check examples/check/%s.json --kernel wrong\n", e->name);
}

static void explain(const weir_check_cause *cause)
{
	const char *at = weir_gallery_expected_;
	struct example e;
	int count = 0;

	printf("%s: %s\n", cause->name, cause->what);
	while (read_example(&at, &e)) {
		if (!has_cause(&e, cause->name))
			continue;
		if (count++ == 0)
			print_example(&e);
		else
			printf("Another example, %s: examples/check/%s.cu\n", e.what, e.name);
	}
}

/* ---- the subcommand ---- */

static const weir_help help = {
    .usage = "weir explain [CAUSE]",
    .what = "Explains a cause that weir check reports, with a wrong and a right kernel.",
    .examples = {{"weir explain missing-block-sync", "one cause, with a wrong and a right kernel"},
                 {"weir explain", "all causes"}}};

static const weir_option options[] = {{.name = NULL}};

static int list(void)
{
	const weir_check_cause *cause;

	for (size_t i = 0; (cause = weir_check_cause_at(i)); i++)
		printf("%-30s%s\n", cause->name, cause->what);
	return WEIR_EXIT_OK;
}

int weir_command_explain(int argc, char **argv)
{
	weir_common common = {.help = &help, .rows = options};
	const weir_check_cause *cause;

	if (!weir_options_read(argc, argv, &common))
		return common.status;
	if (optind == argc)
		return list();
	if (optind + 1 < argc)
		return weir_refuse("unexpected '%s'; see weir explain --help", argv[optind + 1]);
	for (size_t i = 0; (cause = weir_check_cause_at(i)); i++)
		if (strcmp(cause->name, argv[optind]) == 0) {
			explain(cause);
			return WEIR_EXIT_OK;
		}
	return weir_refuse("there is no cause '%s'; weir explain lists them", argv[optind]);
}
