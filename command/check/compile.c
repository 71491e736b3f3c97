/* PTX of a .cu file, by nvcc. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/plan.h"
#include "cli/complain.h"

#define MOST_OPTIONS 64

static const char *find_nvcc(char *path, size_t bytes)
{
	const char *folders[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
	const char *search = getenv("PATH");

	if (getenv("NVCC") && *getenv("NVCC"))
		return getenv("NVCC");
	while (search && *search) {
		size_t length = strcspn(search, ":");
		snprintf(path, bytes, "%.*s/nvcc", (int)length, search);
		if (access(path, X_OK) == 0)
			return path;
		search += length + (search[length] == ':');
	}
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, bytes, "%s/bin/nvcc", folders[i] ? folders[i] : "");
		if (folders[i] && access(path, X_OK) == 0)
			return path;
	}
	return NULL;
}

static int run_program(char **words)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(words[0], words);
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *compile(const char *nvcc, const char *file, char *options, const char *output,
                     size_t *bytes)
{
	char *words[MOST_OPTIONS + 12];
	size_t count = 0;
	int has_target = 0;
	int status;

	words[count++] = (char *)nvcc;
	words[count++] = (char *)"-ptx";
	words[count++] = (char *)"-lineinfo";
	for (char *next = NULL, *word = strtok_r(options, " ", &next); word && count < MOST_OPTIONS;
	     word = strtok_r(NULL, " ", &next)) {
		has_target |= strncmp(word, "-arch", 5) == 0 || strncmp(word, "-gencode", 8) == 0 ||
		              strncmp(word, "--gpu-", 6) == 0;
		words[count++] = word;
	}
	if (!has_target)
		words[count++] = (char *)"-arch=sm_90";
	words[count++] = (char *)"-o";
	words[count++] = (char *)output;
	words[count++] = (char *)file;
	words[count] = NULL;
	status = run_program(words);
	if (status != 0) {
		weir_complain(WEIR_EXIT_USAGE, "nvcc cannot compile %s", file);
		return NULL;
	}
	return weir_check_read_file(output, bytes);
}

char *weir_check_compile(const char *file, const char *options, size_t *bytes)
{
	char path[4096], folder[] = "/tmp/weir-check-XXXXXX", output[64];
	const char *nvcc = find_nvcc(path, sizeof path);
	char *words, *text;

	if (!nvcc) {
		weir_refuse("there is no nvcc to compile %s: set NVCC, or give PTX, made with nvcc "
		            "-ptx -lineinfo",
		            file);
		return NULL;
	}
	if (access(file, R_OK) != 0) {
		weir_refuse("cannot read %s: %s", file, strerror(errno));
		return NULL;
	}
	if (!mkdtemp(folder)) {
		weir_complain(WEIR_EXIT_FAILED, "cannot make a folder in /tmp: %s",
		              strerror(errno));
		return NULL;
	}
	snprintf(output, sizeof output, "%s/kernel.ptx", folder);
	words = weir_need(strdup(options ? options : ""));
	text = compile(nvcc, file, words, output, bytes);
	free(words);
	unlink(output);
	rmdir(folder);
	return text;
}
