/* The guidelines of doc/choosing.md: the text is assembled into the program, so that the two cannot
 * differ. */
#include "guidelines.h"

#include <stdio.h>
#include <string.h>

#include "weir/profile.h"

__asm__(".pushsection .rodata\n"
        "weir_choosing_text_:\n"
        ".incbin \"" WEIR_CHOOSING "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char weir_choosing_text_[] __attribute__((visibility("hidden")));

enum {
	LINE_BYTES = 512
};

/* Whether a word holds for the class; an unknown one holds for none. */
static int word_holds(const char *word, const weir_class *c)
{
	const struct {
		const char *word;
		int holds;
	} words[] = {
	    {"any machine", 1},
	    {"slow atomics", c->slow_atomics},
	    {"fast atomics", !c->slow_atomics},
	    {"slow atomic writes", c->slow_atomic_writes},
	    {"costly polling", c->contended_reads},
	    {"cheap polling", !c->contended_reads},
	    {"held lines", c->hostage},
	    {"free lines", !c->hostage},
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].holds;
	return 0;
}

static int holds(const char *when, const weir_class *c)
{
	char words[LINE_BYTES];
	char *rest = words;

	snprintf(words, sizeof words, "%s", when);
	while (rest) {
		char *word = rest;
		rest = strstr(rest, ", ");
		if (rest) {
			*rest = '\0';
			rest += strlen(", ");
		}
		if (!word_holds(word, c))
			return 0;
	}
	return 1;
}

/* Copies the next cell of a row, and moves `row` behind it; 0 when there is none. */
static int take_cell(const char **row, char *cell, size_t room)
{
	const char *end = strncmp(*row, "| ", 2) == 0 ? strstr(*row + 2, " |") : NULL;

	if (!end)
		return 0;
	snprintf(cell, room, "%.*s", (int)(end - *row - 2), *row + 2);
	*row = end + 1;
	return 1;
}

/* Whether the row has the four cells of a guideline. Titles are no class's words, and the row below
 * them neither. */
static int read_row(const char *row, weir_guideline *line)
{
	return take_cell(&row, line->when, sizeof line->when) &&
	       take_cell(&row, line->contention, sizeof line->contention) &&
	       take_cell(&row, line->advice, sizeof line->advice) &&
	       take_cell(&row, line->figure, sizeof line->figure);
}

void weir_guidelines(const weir_class *class_,
                     void (*take)(const weir_guideline *line, void *context), void *context)
{
	weir_guideline line = {0};
	const char *text = weir_choosing_text_;

	while (*text) {
		char row[LINE_BYTES];
		size_t length = strcspn(text, "\n");
		snprintf(row, sizeof row, "%.*s", (int)length, text);
		text += length + (text[length] == '\n');
		if (strncmp(row, "## ", 3) == 0)
			snprintf(line.section, sizeof line.section, "%.31s", row + 3);
		else if (read_row(row, &line) && holds(line.when, class_))
			take(&line, context);
	}
}
