/* Sites: converts two words in the area to the name of a file and a line. */
#ifndef WEIR_CORE_SITES_H
#define WEIR_CORE_SITES_H

#include <stddef.h>
#include <stdint.h>

#include "weir/weir.h"

#define WEIR_PATH_BYTES 256 /* the end of a longer path is kept */

/* The name of a source file, by its address in a program. Address 0: the program was unloaded;
 * sites in the area then contain the number of the record, plus one, instead of the address. */
typedef struct weir_file {
	uint64_t address;
	char path[WEIR_PATH_BYTES]; /* "": it could not be read */
} weir_file;

typedef struct weir_files {
	weir_file *records;
	size_t count;
} weir_files;

/* A place in the source. */
typedef struct weir_place {
	uint32_t line;
	const char *file;                /* its path; "": unknown */
	char text[WEIR_PATH_BYTES + 16]; /* "kernels.cu:77", or "line 77" */
} weir_place;

weir_place weir_place_of(const weir_files *files, uint64_t site);

/* The site in two words of the area. */
uint64_t weir_site_in(const uint32_t *words);

/* Reads the name of the site's file from the device, unless it is known already. */
weir_status weir_files_learn(weir_files *files, weir_device *device, uint64_t site);

/* The same site with the number of its file's record. */
uint64_t weir_files_number(const weir_files *files, uint64_t site);

/* Called when all programs may be gone: their addresses are no longer valid. */
void weir_files_retire(weir_files *files);

#endif
