/* Marks places in the library's code that a mutant can change at run time, for the explorer.
 *
 *   mutable texts FOLDER ROOT HEADER...   reads ROOT/HEADER, writes FOLDER/HEADER and FOLDER/weir_texts.h
 *   mutable hooks FOLDER ROOT HEADER...   the same for the code that only a diagnosis has: the headers of
 *                                         weir/diagnosis, and the contents of WEIR_NOTED_ in the others;
 *                                         writes FOLDER/weir_hooks.h
 *
 * Each place calls weir_text_(number), or weir_hook_, which returns 0 unless the mutant changes that place. Source
 * lines keep their numbers. The headers are in the project's format, so that an operator has spaces
 * around it.
 *
 *   a < b, a <= b, ...    -> a < weir_text_(n) + b, which is a <= b with 1
 *   x + 1, x - 2          -> x + weir_text_(n) + 1
 *   words[i]              -> words[weir_text_(n) + i], the word of another field with 1 or -1
 *   for (uint32_t i = a;  -> for (uint32_t i = weir_text_(n) + a; one iteration fewer with 1
 *   if (c), while (c)     -> if (!weir_text_(n) && (c))
 *   weir_block_id()       -> (weir_text_(n) + weir_block_id()), and all such numbers
 *   f(uint32_t n) {       -> f(uint32_t n) { n = weir_text_(n) ? 1 : n;
 *   WEIR_NOTED_(a; b)     -> WEIR_NOTED_(if (!weir_hook_(n)) { a; } if (!weir_hook_(n + 1)) { b; })
 *
 * At the head of each function without a trailing underscore is a place that no mutant changes. It records
 * whether a case calls the function. Macros with parameters are also listed, but have no place.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NESTED 64

static int of_hooks;
static FILE *table;
static FILE *out;
static int places;
static const char *header;
static char function[128];
static int line;
static int open_parens;
static int conditions[MOST_NESTED]; /* where each condition's parenthesis was opened */
static int condition_count;

static void place(const char *what, const char *change, int delta)
{
	fprintf(table, "{{\"include/%s\", \"%s\", \"%s\", \"%s\", %d}, %d},\n", header, function,
	        what, change, line, delta);
	fprintf(out, of_hooks ? "weir_hook_(%d)" : "weir_text_(%d)", places++);
}

static const char *copy(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		line += text[i] == '\n';
	fwrite(text, 1, length, out);
	return text + length;
}

static int starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static int in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The end of the arguments of a macro. */
static const char *end_of_arguments(const char *open)
{
	int depth = 0;

	do
		depth += (*open == '(') - (*open == ')');
	while (*open++ && depth != 0);
	return open;
}

/* The length of a directive with its continuation lines, a comment, a string, or a hook of a
 * diagnosis, which is empty here; 0: none begins here. */
static size_t opaque_length(const char *text, const char *begin)
{
	static const char hook[] = "WEIR_NOTED_(";
	const char *end = text;

	if (starts(text, hook)) {
		end = end_of_arguments(text + strlen(hook) - 1);
	} else if (*text == '#' && (text == begin || text[-1] == '\n')) {
		while (*end && !(*end == '\n' && end[-1] != '\\'))
			end++;
	} else if (starts(text, "/*")) {
		end = strstr(text, "*/") + 2;
	} else if (*text == '"') {
		for (end = text + 1; *end != '"'; end++)
			end += *end == '\\';
		end++;
	}
	return (size_t)(end - text);
}

static int is_declaration(const char *statement)
{
	size_t type = 0;

	while (in_name(statement[type]))
		type++;
	return starts(statement, "weir_") && statement[type] == ' ' && in_name(statement[type + 1]);
}

/* The end of a statement in the arguments of a macro that end there. */
static const char *end_of_statement(const char *text, const char *end)
{
	int depth = 0;

	for (; text < end && !(*text == ';' && depth == 0); text++)
		depth += (*text == '(') - (*text == ')');
	return text;
}

/* The statements of a hook. A variable that a mutant may leave unset starts at zero. */
static const char *hook(const char *text)
{
	const char *end = end_of_arguments(strchr(text, '(')) - 1;

	text = copy(text, strlen("WEIR_NOTED_("));
	while (text < end) {
		const char *next = end_of_statement(text, end);
		int declares = is_declaration(text);
		if (!declares) {
			fputs("if (!", out);
			place("hook", "left out", 1);
			fputs(") { ", out);
		}
		text = copy(text, (size_t)(next - text));
		if (!declares)
			fputs("; }", out);
		else if (next[-1] != ')' && next[-1] != '0')
			fputs(" = {0}", out);
		while (text < end && (*text == ';' || isspace((unsigned char)*text)))
			text = copy(text, 1);
	}
	return copy(text, 1);
}

static const char *comparison(const char *text)
{
	static const struct {
		const char *is, *becomes;
		int delta;
	} all[] = {{"<=", "as <", -1}, {">=", "as >", 1}, {"<", "as <=", 1}, {">", "as >=", -1}};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		size_t length = strlen(all[i].is);
		if (!starts(text, all[i].is) || text[-1] != ' ' ||
		    !isspace((unsigned char)text[length]))
			continue;
		text = copy(text, length + 1);
		place(all[i].is, all[i].becomes, all[i].delta);
		fputs(" + ", out);
		return text;
	}
	return NULL;
}

static const char *constant(const char *text)
{
	char what[16];
	int digits;

	if ((*text != '+' && *text != '-') || text[-1] != ' ' || text[1] != ' ' ||
	    !isdigit((unsigned char)text[2]))
		return NULL;
	digits = (int)strspn(text + 2, "0123456789");
	if (in_name(text[2 + digits]) || digits > 8)
		return NULL;
	snprintf(what, sizeof what, "%.*s", 2 + digits, text);
	fputs("+ ", out);
	place(what, "one less", *text == '+' ? -1 : 1);
	fputc(' ', out);
	return copy(text, 2 + (size_t)digits);
}

static const char *count_or_id(const char *text)
{
	static const char *const all[] = {"block_id",     "block_count", "thread_id",
	                                  "thread_count", "cluster_id",  "cluster_rank",
	                                  "cluster_size"};

	if (!starts(text, "weir_") || in_name(text[-1]))
		return NULL;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		size_t length = strlen("weir_") + strlen(all[i]);
		if (!starts(text + strlen("weir_"), all[i]) || !starts(text + length, "()"))
			continue;
		fputc('(', out);
		place(all[i], "+1", 1);
		fputs(" + ", out);
		text = copy(text, length + 2);
		fputc(')', out);
		return text;
	}
	return NULL;
}

/* Conditions that never hold here, or that only choose between two ways to reach the same
 * function. */
static int is_idle(const char *condition)
{
	return starts(condition, "weir_wait_aborted(") || starts(condition, "WEIR_LIKELY(kind ") ||
	       starts(condition, "!WEIR_HAS_");
}

static const char *loop_or_branch(const char *text)
{
	const char *is = starts(text, "if (") ? "if" : starts(text, "while (") ? "while" : NULL;

	if (in_name(text[-1]))
		return NULL;
	if (starts(text, "for (uint32_t ")) {
		text = copy(text, (size_t)(strstr(text, " = ") + 3 - text));
		open_parens++;
		place("for", "a turn less", 1);
		fputs(" + ", out);
		return text;
	}
	if (!is || condition_count == MOST_NESTED || is_idle(text + strlen(is) + 2))
		return NULL;
	text = copy(text, strlen(is) + 2);
	conditions[condition_count++] = open_parens++;
	fputc('!', out);
	place(is, "never", 1);
	fputs(" && (", out);
	return text;
}

/* Arrays that are not words of an object: what lies behind them is up to the compiler. */
static int is_private(const char *bracket)
{
	static const char *const names[] = {"item",  "roots",  "operation", "result",
	                                    "table", "shares", "held"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (starts(bracket - strlen(names[i]), names[i]))
			return 1;
	return 0;
}

static const char *index_of_word(const char *text)
{
	if (*text != '[' || !in_name(text[-1]) || is_private(text))
		return NULL;
	text = copy(text, 1);
	place("[]", "of another word", starts(text, "0]") || starts(text, "i]") ? 1 : -1);
	fputs(" + ", out);
	return text;
}

static const char *rest(const char *text)
{
	open_parens += (*text == '(') - (*text == ')');
	if (*text == ')' && condition_count && conditions[condition_count - 1] == open_parens) {
		condition_count--;
		fputc(')', out);
	}
	return copy(text, 1);
}

/* Makes a place for each numeric parameter, at the head of the body. */
static void parameters(const char *signature, const char *body)
{
	const char *name = signature;
	size_t length = strlen(function);

	/* A first state may be arbitrary. */
	if (length > 6 && strcmp(function + length - 6, "_start") == 0)
		return;
	while ((name = strstr(name, "uint32_t ")) != NULL && name < body) {
		char what[64];
		size_t size = 0;
		name += strlen("uint32_t ");
		while (in_name(name[size]) && size < sizeof what - 1) {
			what[size] = name[size];
			size++;
		}
		what[size] = 0;
		/* A kind is not a number. */
		if (size == 0 ||
		    (name[size] != ',' && name[size] != ')' &&
		     !starts(name + size, " WEIR_SITE_)")) ||
		    strcmp(what, "kind") == 0)
			continue;
		fprintf(out, " %s = ", what);
		place(what, "ignored", 1);
		fprintf(out, " ? 1 : %s;", what);
	}
}

static void call(void)
{
	if (of_hooks || function[strlen(function) - 1] == '_')
		return;
	fputs(" (void)", out);
	place("call", "", 0);
	fputc(';', out);
}

/* Lists a macro that is called like a function. */
static void macro(const char *text)
{
	static const char begin[] = "#define weir_";
	const char *name = text + strlen("#define ");
	size_t length = 0;

	while (!of_hooks && starts(text, begin) && in_name(name[length]))
		length++;
	if (length == 0 || name[length] != '(' || name[length - 1] == '_')
		return;
	fprintf(table, "{{\"include/%s\", \"%.*s\", \"macro\", \"\", %d}, 0},\n", header,
	        (int)length, name, line);
	places++;
}

/* Finds the name before the parameters. */
static void find_function(const char *signature)
{
	const char *end = strchr(signature, '(');
	const char *begin = end;

	while (in_name(begin[-1]))
		begin--;
	snprintf(function, sizeof function, "%.*s", (int)(end - begin), begin);
}

static const char *body_step(const char *text)
{
	static const char *(*const steps[])(const char *) = {
	    comparison, constant, count_or_id, loop_or_branch, index_of_word, rest};
	const char *next = NULL;

	for (size_t i = 0; !next; i++)
		next = steps[i](text);
	return next;
}

static void rewrite(const char *text)
{
	const char *begin = text;
	const char *signature = NULL;
	int depth = 0;
	int in_function = 0;
	int has_places = !of_hooks || starts(header, "weir/diagnosis/") ||
	                 starts(header, "weir/machine/") || starts(header, "weir/site.h");

	/* Operations there also have mutants, which know their file by this name. */
	if (of_hooks)
		fprintf(out, "#line 1 \"include/%s\"\n", header);
	line = 1;
	while (*text) {
		size_t skipped = opaque_length(text, begin);
		if (skipped && of_hooks && in_function && starts(text, "WEIR_NOTED_(")) {
			text = hook(text);
			continue;
		}
		if (skipped) {
			macro(text);
			text = copy(text, skipped);
			continue;
		}
		if (!in_function) {
			if (starts(text, "WEIR_FN ") || starts(text, "WEIR_NOINLINE "))
				signature = text;
			if (*text == ';')
				signature = NULL;
			in_function = *text == '{' && signature;
			text = copy(text, 1);
			if (!in_function)
				continue;
			depth = 1;
			open_parens = condition_count = 0;
			find_function(signature);
			call();
			if (has_places)
				parameters(signature, text);
			continue;
		}
		depth += (*text == '{') - (*text == '}');
		if (depth == 0) {
			in_function = 0;
			signature = NULL;
		}
		text = has_places ? body_step(text) : copy(text, 1);
	}
}

static char *read_all(const char *root, const char *name)
{
	char path[4096];
	char *text;
	long size;
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", root, name);
	file = fopen(path, "r");
	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return text;
}

static FILE *create(const char *folder, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

int main(int argc, char **argv)
{
	of_hooks = argc > 1 && strcmp(argv[1], "hooks") == 0;
	if (argc < 5 || (!of_hooks && strcmp(argv[1], "texts") != 0)) {
		fprintf(stderr, "usage: mutable texts|hooks FOLDER ROOT HEADER...\n");
		return 2;
	}
	table = create(argv[2], of_hooks ? "weir_hooks.h" : "weir_texts.h");
	fprintf(table, "static const weir_model_text %s[] = {\n", argv[1]);
	for (int i = 4; i < argc; i++) {
		char *text = read_all(argv[3], argv[i]);
		header = argv[i];
		out = create(argv[2], header);
		rewrite(text);
		if (fclose(out) != 0) {
			perror(header);
			return 1;
		}
		free(text);
	}
	fprintf(table, "};\n");
	return fclose(table) == 0 ? 0 : 1;
}
