/* Files that appear complete or not at all. */
#include "output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/complain.h"

static int cannot_write(const char *path)
{
	return weir_complain(WEIR_EXIT_FAILED, "cannot write %s: %s",
	                     strcmp(path, "-") == 0 ? "standard output" : path, strerror(errno));
}

static int write_all(FILE *file, const char *text, size_t bytes)
{
	int right = fwrite(text, 1, bytes, file) == bytes;
	return (fflush(file) == 0) & right;
}

/* Pipes and devices: these must not be replaced by a file. */
static int is_special(const char *path)
{
	struct stat found;
	return stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

/* Opens a new file next to `path`, so that it can be renamed to it. */
static FILE *open_beside(const char *path, char **beside)
{
	char *name = NULL;
	if (asprintf(&name, "%s.%ld.new", path, (long)getpid()) < 0)
		name = NULL;
	*beside = weir_need(name);
	int descriptor = open(*beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
	return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

static int is_folder(const char *path)
{
	struct stat found;
	errno = EISDIR;
	return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static int write_beside(const char *path, const char *text, size_t bytes)
{
	char *beside = NULL;
	FILE *file = open_beside(path, &beside);
	int right = 0;

	if (file) {
		right = write_all(file, text, bytes);
		right &= fclose(file) == 0;
		right = right && rename(beside, path) == 0;
		int error = errno;
		if (!right)
			unlink(beside);
		errno = error;
	}
	free(beside);
	return right;
}

int weir_write_file(const char *path, const char *text, size_t bytes)
{
	if (strcmp(path, "-") == 0)
		return write_all(stdout, text, bytes) ? 0 : cannot_write(path);
	if (is_folder(path))
		return cannot_write(path);
	if (!is_special(path))
		return write_beside(path, text, bytes) ? 0 : cannot_write(path);
	FILE *file = fopen(path, "w");
	if (!file)
		return cannot_write(path);
	int right = write_all(file, text, bytes);
	right &= fclose(file) == 0;
	return right ? 0 : cannot_write(path);
}

int weir_check_writable(const char *path)
{
	char *beside = NULL;

	if (!path || strcmp(path, "-") == 0 || is_special(path))
		return 0;
	if (is_folder(path))
		return cannot_write(path);
	FILE *file = open_beside(path, &beside);
	int status = file ? 0 : cannot_write(path);
	if (file) {
		fclose(file);
		unlink(beside);
	}
	free(beside);
	return status;
}
