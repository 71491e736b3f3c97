/* Decodes each line of forms.txt, which lists the forms of the manual, and tells whether the interpreter has it. Then
 * compares the table of instructions in a document with the interpreter's.
 *
 *   ptx_forms FILE DOCUMENT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/program.h"
#include "run.h"

/* Why the instruction is not supported, or NULL. */
static const char *refusal(const char *line, char *why, size_t bytes)
{
	char text[4096];
	weir_ptx_kernel_info info;
	const char *found = NULL;
	run r;

	snprintf(
	    text, sizeof text,
	    ".version 9.2\n.target sm_100a\n.address_size 64\n"
	    ".shared .align 16 .b8 s[1024]; .shared .align 8 .b64 mb; .global .align 16 .b8 g[64]; "
	    ".const .align 8 .b32 c[4];\n"
	    ".func (.reg .b32 z) f(.reg .b32 y) { ret; }\n"
	    ".visible .entry k(.param .u64 in)\n{\n"
	    ".reg .pred %%p<4>; .reg .b8 %%b<4>; .reg .b16 %%h<4>; .reg .b32 %%r<8>; .reg .f32 "
	    "%%f<4>; "
	    ".reg .b64 %%rd<4>; .reg .f64 %%fd<4>; .reg .b128 %%w<3>; .local .align 8 .b8 l[16];\n"
	    "T0: .branchtargets L0, L1; P0: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
	    "@%%p0 %s\nL0:\nL1: ret;\n}\n",
	    line);
	run_open(&r, text);
	if (weir_ptx_module_kernel(r.module, "k", &r.kernel) != WEIR_OK ||
	    weir_ptx_kernel_about(r.kernel, &info) != WEIR_OK)
		fail("%s: %s", line, weir_error_text());
	for (uint32_t i = 0; i < r.module->statements.count; i++)
		if (r.module->statements.at[i].why)
			found = r.module->statements.at[i].why;
	if (found)
		snprintf(why, bytes, "%s", found);
	run_close(&r);
	return found ? why : NULL;
}

static const struct {
	const char *heading, *text;
} headings[] = {{"INTEGER", "arithmetic"},
                {"FLOAT", "floating point"},
                {"VIDEO", "video"},
                {"COMPARE", "comparison"},
                {"LOGIC", "logic"},
                {"MOVE", "moves, conversions, addresses"},
                {"MEMORY", "memory"},
                {"ATOMIC", "atomics"},
                {"ASYNC", "asynchronous copies"},
                {"SYNC", "synchronization"},
                {"WARP", "warps"},
                {"MATRIX", "matrices"},
                {"CONTROL", "control"}};

/* Whether the document has the line. */
static bool has_line(const char *document, const char *line)
{
	FILE *file = fopen(document, "r");
	char text[4000];
	bool found = false;

	while (file && fgets(text, sizeof text, file))
		found |= !strcmp(text, line);
	if (file)
		fclose(file);
	return found;
}

static unsigned check_document(const char *document)
{
	unsigned wrong = 0, listed = 0;

	for (size_t h = 0; h < sizeof headings / sizeof *headings; h++) {
		char line[4000];
		size_t used = (size_t)snprintf(line, sizeof line, "| %s |", headings[h].text);

		for (unsigned i = 0; i < PTX_OPCODES; i++)
			if (!strcmp(weir_ptx_instructions[i].heading, headings[h].heading)) {
				used += (size_t)snprintf(line + used, sizeof line - used, " `%s`",
				                         weir_ptx_instructions[i].name);
				listed++;
			}
		snprintf(line + used, sizeof line - used, " |\n");
		if (!has_line(document, line)) {
			printf("%s lacks this line:\n%s", document, line);
			wrong++;
		}
	}
	if (listed != PTX_OPCODES) {
		printf("a heading of table.h is not known here\n");
		wrong++;
	}
	return wrong;
}

int main(int count, char **arguments)
{
	FILE *file = count == 3 ? fopen(arguments[1], "r") : NULL;
	unsigned forms = 0, wrong = 0;
	char line[1000], why[200];

	if (!file)
		fail("usage: ptx_forms forms.txt document");
	while (fgets(line, sizeof line, file)) {
		bool unsupported = *line == '!';
		const char *found;

		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		forms++;
		found = refusal(line + unsupported, why, sizeof why);
		if (!found == unsupported) {
			printf("%s %s\n", line, found ? found : "is supported");
			wrong++;
		}
	}
	fclose(file);
	wrong += check_document(arguments[2]);
	printf("%u forms, %u wrong\n", forms, wrong);
	return wrong != 0 || !forms;
}
