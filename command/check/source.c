#include "check/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"

static char *read_quietly(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t bytes = 0, room = 0, got = 1;

	while (file && got) {
		if (bytes + 1 >= room)
			text = weir_need(realloc(text, room = 2 * room + 65536));
		got = fread(text + bytes, 1, room - bytes - 1, file);
		bytes += got;
	}
	if (file && ferror(file)) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	if (text)
		text[bytes] = '\0';
	return text;
}

static char *read_in(const char *folder, size_t length, const char *name)
{
	char *path = NULL, *text;

	if (asprintf(&path, "%.*s%s%s", (int)length, folder, length ? "/" : "", name) < 0)
		path = NULL;
	text = read_quietly(weir_need(path));
	free(path);
	return text;
}

static char *find(const weir_check_plan *plan, const char *name)
{
	const char *slash = strrchr(plan->file, '/'), *plain = strrchr(name, '/');
	size_t length = slash ? (size_t)(slash - plan->file) : 0;
	char *text = read_quietly(name);

	plain = plain ? plain + 1 : name;
	if (!text && *name != '/')
		text = read_in(plan->file, length, name);
	if (!text)
		text = read_in(plan->file, length, plain);
	for (uint32_t i = 0; i < plan->source_count && !text; i++) {
		text = read_in(plan->sources[i], strlen(plan->sources[i]), name);
		if (!text)
			text = read_in(plan->sources[i], strlen(plan->sources[i]), plain);
	}
	return text;
}

void weir_check_source_open(const weir_check_plan *plan, const char *name, weir_check_source *s)
{
	uint32_t room = 0;

	*s = (weir_check_source){.name = name};
	s->text = name ? find(plan, name) : weir_need(strdup(plan->text));
	for (const char *at = s->text; at && *at; at += *at == '\n') {
		if (s->count == room)
			s->lines = weir_need(
			    realloc(s->lines, (room = 2 * room + 256) * sizeof *s->lines));
		s->lines[s->count++] = at;
		at += strcspn(at, "\n");
	}
}

void weir_check_source_close(weir_check_source *s)
{
	free(s->text);
	free(s->lines);
}

const char *weir_check_source_line(const weir_check_source *s, uint32_t line, int *length)
{
	const char *text = line && line <= s->count ? s->lines[line - 1] : "";

	*length = (int)strcspn(text, "\r\n");
	return text;
}
