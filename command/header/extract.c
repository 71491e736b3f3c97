/* Makes a single header out of the installed ones, which the program contains.
 *
 * weir/device.h determines which headers a primitive has. Each replaces the first #include of it,
 * with three changes. Comments are removed, except for reference comments. A machine that is not
 * wanted becomes an #error. Conditions on macros that are not for users of the header are decided.
 * The guards stay, so that the installed headers may be included as well.
 */
#include "header/extract.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "weir/version.h"

/* ---- the headers in the program ---- */

#define BYTES(symbol, path)                                                                        \
	__asm__(".pushsection .rodata\n" #symbol ":\n"                                             \
	        ".incbin \"" path "\"\n"                                                           \
	        ".byte 0\n"                                                                        \
	        ".popsection\n");                                                                  \
	extern const char symbol[] __attribute__((visibility("hidden")));

/* WEIR_HEADERS lists them, with a line HEADER(number, "weir/machine.h") for each. */
#define HEADER(number, name) BYTES(weir_header_##number##_, WEIR_INCLUDE "/" name)
#include WEIR_HEADERS
#undef HEADER
BYTES(weir_license_, WEIR_LICENSE)

static const struct source {
	const char *name;
	const char *text;
} sources[] = {
#define HEADER(number, name) {name, weir_header_##number##_},
#include WEIR_HEADERS
#undef HEADER
};

#define SOURCES (sizeof sources / sizeof sources[0])

static size_t source_at(const char *name, size_t bytes)
{
	size_t i = 0;

	while (i < SOURCES &&
	       (strncmp(sources[i].name, name, bytes) != 0 || sources[i].name[bytes] != '\0'))
		i++;
	return i;
}

static const char *text_of(const char *name)
{
	return sources[source_at(name, strlen(name))].text;
}

/* ---- the parts ---- */

static const char *const machines[] = {"cuda", "opencl", "host", "hip"};

const char *weir_extract_machine(size_t index)
{
	return index < sizeof machines / sizeof machines[0] ? machines[index] : NULL;
}

/* The header included by a line, without its quotes; NULL: none. */
static const char *included(const char *line, size_t *bytes)
{
	const char *name = line + strspn(line, " \t");

	if (*name != '#')
		return NULL;
	name += 1 + strspn(name + 1, " \t");
	if (strncmp(name, "include", 7) != 0)
		return NULL;
	name += 7 + strspn(name + 7, " \t");
	if (*name != '"')
		return NULL;
	*bytes = strcspn(name + 1, "\"\n");
	return name + 1;
}

/* The folder of a header such as "weir/barrier/api.h". Returns its length, or 0. */
static size_t folder_of(const char *header, size_t bytes)
{
	const char *slash = memchr(header + 5, '/', bytes - 5);

	return slash ? (size_t)(slash - header) - 5 : 0;
}

/* Calls `visit` with each header that weir/device.h includes from the folder of a primitive, and
 * the primitive's number. */
static void each_entry(void (*visit)(const char *header, size_t bytes, size_t primitive,
                                     void *context),
                       void *context)
{
	const char *before = "";
	size_t before_bytes = 0;
	size_t primitive = SIZE_MAX;

	for (const char *line = text_of("weir/device.h"); *line; line += strcspn(line, "\n") + 1) {
		size_t bytes = 0;
		const char *header = included(line, &bytes);
		size_t folder = header ? folder_of(header, bytes) : 0;

		if (!folder)
			continue;
		if (folder != before_bytes || strncmp(header + 5, before, folder) != 0)
			primitive++;
		before = header + 5;
		before_bytes = folder;
		visit(header, bytes, primitive, context);
	}
}

#define MOST_PRIMITIVES 32

struct names {
	char name[MOST_PRIMITIVES][32];
};

static void note_name(const char *header, size_t bytes, size_t primitive, void *context)
{
	struct names *names = context;

	if (primitive < MOST_PRIMITIVES)
		snprintf(names->name[primitive], sizeof names->name[primitive], "%.*s",
		         (int)folder_of(header, bytes), header + 5);
}

const char *weir_extract_primitive(size_t index)
{
	static struct names names;

	if (!names.name[0][0])
		each_entry(note_name, &names);
	return index < MOST_PRIMITIVES && names.name[index][0] ? names.name[index] : NULL;
}

/* ---- the source ---- */

#define MOST_NESTED 64

/* An open preprocessor condition. */
struct condition {
	int decided; /* its directives are left out */
	int live;    /* the branch is part of the header */
	int filled;  /* there is something between the directives */
	size_t begin;
};

struct maker {
	const weir_extract *extract;
	char *text;
	size_t bytes;
	size_t room;
	struct condition conditions[MOST_NESTED];
	size_t depth;
	char seen[SOURCES];
};

static void put(struct maker *maker, const char *text, size_t bytes)
{
	if (maker->bytes + bytes >= maker->room) {
		maker->room = 2 * (maker->bytes + bytes) + 4096;
		maker->text = weir_need(realloc(maker->text, maker->room));
	}
	memcpy(maker->text + maker->bytes, text, bytes);
	maker->bytes += bytes;
	maker->text[maker->bytes] = '\0';
}

static void put_line(struct maker *maker, const char *line)
{
	put(maker, line, strlen(line));
	put(maker, "\n", 1);
}

/* Whether users of the header may define the macro. Other macros count as undefined. */
static int is_for_users(const struct maker *maker, const char *macro, size_t bytes)
{
	static const char *const others[] = {"WEIR_JITTER", "WEIR_MACHINE_HEADER", "WEIR_REFERENCE",
	                                     "WEIR_DIAGNOSE"};
	size_t count = maker->extract->diagnose ? 3 : 4;

	for (size_t i = 0; i < count; i++)
		if (strlen(others[i]) == bytes && strncmp(others[i], macro, bytes) == 0)
			return 0;
	return 1;
}

/* The only macro that a condition tests: #ifdef X, #ifndef X, #if defined(X). */
static const char *asked_for(const char *directive, size_t *bytes)
{
	const char *macro;
	const char *after;

	if (strncmp(directive, "ifdef ", 6) == 0 || strncmp(directive, "ifndef ", 7) == 0)
		macro = strchr(directive, ' ') + 1;
	else if (strncmp(directive, "if defined(", 11) == 0)
		macro = directive + 11;
	else
		return NULL;
	*bytes = 0;
	while (isalnum((unsigned char)macro[*bytes]) || macro[*bytes] == '_')
		(*bytes)++;
	after = macro + *bytes + (macro[*bytes] == ')');
	return *after == '\0' ? macro : NULL;
}

static int is_live(const struct maker *maker)
{
	for (size_t i = 0; i < maker->depth; i++)
		if (!maker->conditions[i].live)
			return 0;
	return 1;
}

static void open_condition(struct maker *maker, const char *line, const char *directive)
{
	struct condition *condition = &maker->conditions[maker->depth];
	size_t bytes = 0;
	const char *macro = asked_for(directive, &bytes);
	int live = is_live(maker);

	*condition = (struct condition){.live = 1, .begin = maker->bytes};
	if (macro && !is_for_users(maker, macro, bytes)) {
		condition->decided = 1;
		condition->live = directive[2] == 'n';
	} else if (live) {
		put_line(maker, line);
	}
	if (maker->depth + 1 < MOST_NESTED)
		maker->depth++;
}

/* #elif after a condition that is false becomes #if. */
static void go_on(struct maker *maker, const char *line, const char *directive)
{
	struct condition *condition = &maker->conditions[maker->depth - 1];

	if (!condition->decided) {
		if (is_live(maker))
			put_line(maker, line);
	} else if (condition->live) {
		condition->live = 0;
	} else {
		condition->live = 1;
		condition->decided = strcmp(directive, "else") == 0;
		if (!condition->decided && is_live(maker)) {
			put(maker, "#", 1);
			put_line(maker, directive + 2);
		}
	}
}

static void close_condition(struct maker *maker, const char *line)
{
	struct condition *condition = &maker->conditions[--maker->depth];

	if (condition->decided || !is_live(maker))
		return;
	if (!condition->filled) {
		maker->bytes = condition->begin;
		maker->text[maker->bytes] = '\0';
		return;
	}
	put_line(maker, line);
}

static void fill(struct maker *maker)
{
	for (size_t i = 0; i < maker->depth; i++)
		maker->conditions[i].filled = 1;
}

static void take_header(struct maker *maker, const char *name, size_t bytes);

static void take_line(struct maker *maker, const char *line)
{
	size_t bytes = 0;
	const char *header = included(line, &bytes);
	const char *directive = line[0] == '#' ? line + 1 + strspn(line + 1, " \t") : "";

	if (strncmp(directive, "if", 2) == 0) {
		open_condition(maker, line, directive);
	} else if (strncmp(directive, "el", 2) == 0) {
		go_on(maker, line, directive);
	} else if (strncmp(directive, "endif", 5) == 0) {
		close_condition(maker, line);
	} else if (!is_live(maker)) {
		return;
	} else if (header) {
		take_header(maker, header, bytes);
	} else if (*line) {
		fill(maker);
		put_line(maker, line);
	} else if (maker->bytes > 1 && maker->text[maker->bytes - 2] != '\n') {
		put_line(maker, "");
	}
}

/* Whether a comment stays: it belongs to the reference and is not about a whole group that was not
 * requested. */
static int is_kept(const char *comment, int asked_for_group)
{
	return comment[2] == '*' &&
	       (asked_for_group || (strncmp(comment, "/** @defgroup", 13) != 0 &&
	                            strncmp(comment, "/** @addtogroup", 15) != 0));
}

/* Copies the source without the other comments. */
static char *without_comments(const char *text, int asked_for_group)
{
	char *copy = weir_need(malloc(strlen(text) + 1));
	size_t bytes = 0;

	while (*text) {
		const char *end = text + 1;

		if (*text == '"' || *text == '\'') {
			while (*end && *end != *text)
				end += *end == '\\' ? 2 : 1;
			end += *end != '\0';
		} else if (strncmp(text, "/*", 2) == 0) {
			end = strstr(text + 2, "*/");
			end = end ? end + 2 : text + strlen(text);
			if (!is_kept(text, asked_for_group)) {
				while (bytes && (copy[bytes - 1] == ' ' || copy[bytes - 1] == '\t'))
					bytes--;
				/* A comment on lines of its own is removed together with these
				 * lines. */
				if ((!bytes || copy[bytes - 1] == '\n') && *end == '\n')
					end++;
				text = end;
				continue;
			}
		}
		memcpy(copy + bytes, text, (size_t)(end - text));
		bytes += (size_t)(end - text);
		text = end;
	}
	copy[bytes] = '\0';
	return copy;
}

static void take_lines(struct maker *maker, char *text)
{
	int comment = 0; /* inside a reference comment, which may contain directives */

	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		else if (!*line)
			break;
		const char *begin = strstr(line, "/**");
		int is_code = !comment && (!begin || begin != line + strspn(line, " \t"));

		if (is_code)
			take_line(maker, line);
		else if (is_live(maker))
			put_line(maker, line);
		comment = (comment || begin) && !strstr(line, "*/");
	}
}

/* Why a header is left out; NULL: it is not. */
static const char *left_out(const struct maker *maker, const char *name, char *why, size_t room)
{
	static const char folder[] = "weir/machine/";

	if (strncmp(name, folder, sizeof folder - 1) != 0)
		return NULL;
	const char *file = name + sizeof folder - 1;
	if (strcmp(file, "host_first.h") == 0)
		return "WEIR_HOST_FIRST_THREADS is for weir's own tests";
	for (size_t i = 0; weir_extract_machine(i); i++) {
		size_t bytes = strlen(machines[i]);

		if (strncmp(file, machines[i], bytes) != 0 || strcmp(file + bytes, ".h") != 0 ||
		    maker->extract->machines >> i & 1)
			continue;
		snprintf(why, room,
		         "this header was made without the machine %s: name it in weir header "
		         "--machine",
		         machines[i]);
		return why;
	}
	return NULL;
}

/* Whether a header belongs to a requested primitive. */
static int is_asked_for(const struct maker *maker, const char *header, size_t bytes)
{
	size_t folder = folder_of(header, bytes);

	for (size_t i = 0; weir_extract_primitive(i); i++) {
		const char *name = weir_extract_primitive(i);

		if (strlen(name) == folder && strncmp(name, header + 5, folder) == 0)
			return (int)(maker->extract->primitives >> i & 1);
	}
	return 0;
}

static void put_error(struct maker *maker, const char *why)
{
	char line[256];

	snprintf(line, sizeof line, "#error \"%s\"", why);
	fill(maker);
	put_line(maker, line);
}

static void take_header(struct maker *maker, const char *name, size_t bytes)
{
	size_t at = source_at(name, bytes);
	char buffer[160];

	if (at == SOURCES || maker->seen[at])
		return;
	maker->seen[at] = 1;
	const char *why = left_out(maker, sources[at].name, buffer, sizeof buffer);
	if (why) {
		put_error(maker, why);
		return;
	}
	char *text = without_comments(sources[at].text, is_asked_for(maker, name, bytes));
	take_lines(maker, text);
	free(text);
}

static void take_entry(const char *header, size_t bytes, size_t primitive, void *context)
{
	struct maker *maker = context;

	if (maker->extract->primitives >> primitive & 1)
		take_header(maker, header, bytes);
}

static void put_names(struct maker *maker, uint32_t bits, const char *(*name)(size_t index),
                      const char *between)
{
	const char *before = "";

	for (size_t i = 0; name(i); i++)
		if (bits >> i & 1) {
			put(maker, before, strlen(before));
			put(maker, name(i), strlen(name(i)));
			before = between;
		}
}

static void put_opening(struct maker *maker)
{
	const weir_extract *extract = maker->extract;
	static const char opening[] = "/* weir " WEIR_VERSION ": ";
	static const char made[] = "\n *\n * Made by: weir header ";
	static const char after[] =
	    "\n *\n * Include it in kernels, or put it before the source of an OpenCL "
	    "(-cl-std=CL3.0) or NVRTC\n"
	    " * program. It needs no other file; on the host machine, link with libweir. The "
	    "headers that weir\n * installs explain what the algorithms do and why they are "
	    "correct.\n *\n";

	put(maker, opening, sizeof opening - 1);
	put_names(maker, extract->primitives, weir_extract_primitive, ", ");
	put(maker, " for ", 5);
	put_names(maker, extract->machines, weir_extract_machine, ", ");
	put(maker, made, sizeof made - 1);
	put_names(maker, extract->primitives, weir_extract_primitive, ",");
	put(maker, " --machine ", 11);
	put_names(maker, extract->machines, weir_extract_machine, ",");
	if (extract->diagnose)
		put(maker, " --diagnose", 11);
	put(maker, after, sizeof after - 1);
	for (const char *line = weir_license_; *line; line += strcspn(line, "\n") + 1) {
		size_t bytes = strcspn(line, "\n");
		put(maker, " * ", bytes ? 3 : 2);
		put(maker, line, bytes);
		put(maker, "\n", 1);
	}
	put_line(maker, " */");
}

char *weir_extract_text(const weir_extract *extract)
{
	struct maker maker = {.extract = extract};

	/* Other headers only include it to be placed after it. */
	maker.seen[source_at("weir/device.h", strlen("weir/device.h"))] = 1;
	put_opening(&maker);
	if (!extract->diagnose) {
		put_line(&maker, "#ifdef WEIR_DIAGNOSE");
		put_error(&maker,
		          "this header was made without diagnosis: add --diagnose to weir header");
		put_line(&maker, "#endif");
	}
	each_entry(take_entry, &maker);
	take_header(&maker, "weir/last.h", strlen("weir/last.h"));
	return maker.text;
}
