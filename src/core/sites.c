/* The names of source files, each read once from the program that noted them. */
#include "core/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "base/status.h"
#include "core/memory.h"
#include "weir/diagnosis/area.h"

/* No string is at such a low address. */
enum {
	NUMBERS = 1 << 12,
	CHUNK = 64,
	LONGEST = 4096
};

uint64_t weir_site_in(const uint32_t *words)
{
	return (uint64_t)words[1] << 32 | words[0];
}

static uint64_t file_of(uint64_t site)
{
	return site ? WEIR_SITE_FILE(site) : 0;
}

static const weir_file *find(const weir_files *files, uint64_t address)
{
	if (address == 0)
		return NULL;
	if (address < NUMBERS)
		return address <= files->count ? &files->records[address - 1] : NULL;
	for (size_t i = 0; i < files->count; i++)
		if (files->records[i].address == address)
			return &files->records[i];
	return NULL;
}

/* Reads a string up to its end, in chunks. The memory behind the string may be invalid: a chunk
 * that cannot be read is tried again at half its size. Returns the length; 0: no string. */
static size_t read_text(weir_device *device, uint64_t address, char text[LONGEST])
{
	size_t length = 0;
	size_t bytes = CHUNK;

	while (bytes > 0 && length + bytes <= LONGEST) {
		if (weir_program_read(device, address + length, text + length, bytes) != WEIR_OK) {
			bytes /= 2;
			continue;
		}
		for (size_t end = length + bytes; length < end; length++) {
			if (text[length] == '\0')
				return length;
			if ((unsigned char)text[length] < ' ')
				return 0;
		}
	}
	return 0;
}

/* Starts at the first whole name that fits. */
static const char *end_of_path(const char *text, size_t length)
{
	const char *from = text;

	if (length < WEIR_PATH_BYTES)
		return text;
	from += length - (WEIR_PATH_BYTES - 1);
	return strchr(from, '/') ? strchr(from, '/') + 1 : from;
}

weir_status weir_files_learn(weir_files *files, weir_device *device, uint64_t site)
{
	uint64_t address = file_of(site);
	char text[LONGEST];
	weir_file *records;
	size_t length;

	if (address < NUMBERS || files->count == NUMBERS - 1 || find(files, address))
		return WEIR_OK;
	records = realloc(files->records, (files->count + 1) * sizeof *records);
	if (!records)
		return weir_fail(WEIR_NO_MEMORY, "no memory for the names of source files");
	files->records = records;
	records += files->count++;
	memset(records, 0, sizeof *records);
	records->address = address;
	length = read_text(device, address, text);
	if (length)
		weir_copy_name(records->path, sizeof records->path, end_of_path(text, length));
	return WEIR_OK;
}

uint64_t weir_files_number(const weir_files *files, uint64_t site)
{
	const weir_file *file = find(files, file_of(site));

	if (!file)
		return site;
	return WEIR_SITE_OF((uint64_t)(file - files->records) + 1, WEIR_SITE_LINE(site));
}

void weir_files_retire(weir_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		files->records[i].address = 0;
}

weir_place weir_place_of(const weir_files *files, uint64_t site)
{
	const weir_file *file = find(files, file_of(site));
	weir_place place = {.line = WEIR_SITE_LINE(site), .file = file ? file->path : ""};
	const char *base = strrchr(place.file, '/');

	if (place.file[0])
		snprintf(place.text, sizeof place.text, "%s:%u", base ? base + 1 : place.file,
		         place.line);
	else
		snprintf(place.text, sizeof place.text, "line %u", place.line);
	return place;
}
