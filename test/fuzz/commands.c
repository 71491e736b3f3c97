/* Mutated command lines, and files that they read: the program must end by itself, with one of its statuses and with no
 * sanitizer's report. Commands that measure may be stopped; the others must end in time.
 *
 *   fuzz_commands WEIR FOLDER COUNT|--seconds N [--seed FIRST] FILE...
 *
 * FOLDER is emptied by the caller, and is the working folder and the home of the program. FILEs are JSON; a mutated one
 * takes the place of the word FILE in a command line.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mutate.h"

#define WORDS 24
#define LIMIT_S 120.0 /* generous: only a hang reaches it */
#define MEASURES_S 3.0

/* What the mutations start from. The words of all lines are what they exchange. */
static const char *const lines[] = {
    "devices --json -",
    "profile --profile h200 --json -",
    "profile --check FILE",
    "profile --profile FILE",
    "classify --profile h200 --json -",
    "classify --profile FILE",
    "report --profile FILE --kernels FILE --no-map -o page.html",
    "report --compare FILE h200 -o page.html",
    "predict --claims FILE",
    "predict --profile FILE --primitive mutex --blocks 1,2 --counts",
    "predict --profile h200 --what-if atomic.same*=0.1 --primitive barrier --blocks 2 --counts",
    "check FILE --kernel wrong --seeds 2 --budget 1 --json -",
    "check histogram.ptx --kernel wrong --block 32 --buffer keys:400=u32:random --budget 1",
    "check histogram.ptx --buffer 400 --u32 99 --buffer rows:512 --buffer 4 --buffer bins:256",
    "check histogram.ptx --kernel right --grid 1,1,1 --block 32,1 --launches 2 --weak --budget 1",
    "check histogram.ptx --shared 64 --resident 1 --cluster 1 --at keys+4 --f32 0.5 --i64 -1",
    "explain missing-block-sync",
    "header barrier,event --machine cuda,host -o -",
    "completion bash",
    "help bench",
    "bench mutex --device host --blocks 1..4:2 --rounds 1 --repeats 1 --kinds ticket,spin --json -",
    "tune --device host --primitive barrier --blocks 2",
    "probe --device host --json -",
    "doctor --case deadlock",
    "verify --primitive mutex --kind ticket",
    "--version",
};
/* These may take long with other arguments. */
static const char *const measuring[] = {"bench",   "tune",   "probe",   "doctor",  "verify",
                                        "predict", "report", "profile", "classify"};

static char *texts[32];
static size_t bytes[32];
static int files;

static int measures(const char *word)
{
	for (size_t i = 0; i < sizeof measuring / sizeof *measuring; i++)
		if (strcmp(word, measuring[i]) == 0)
			return 1;
	return 0;
}

/* A command line in `line`, whose words `argv` points to. Returns their number. */
static int make(char *line, size_t room, char **argv)
{
	const char *from = lines[fuzz_draw(sizeof lines / sizeof *lines)];
	const char *other = lines[fuzz_draw(sizeof lines / sizeof *lines)];
	int count = 0;

	snprintf(line, room, "%s", from);
	if (fuzz_draw(4))
		fuzz_mutate(line, strlen(line), room, other, strlen(other));
	/* No path leads out of the folder. */
	for (char *at = line; *at; at++)
		if (*at == '/')
			*at = '.';
	for (char *word = strtok(line, " "); word && count < WORDS - 1; word = strtok(NULL, " "))
		argv[count++] = word;
	argv[count] = NULL;
	return count;
}

static void write_file(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(name, "wb");

	if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0) {
		perror(name);
		exit(2);
	}
}

/* A mutated file, whose name has a space. */
static void make_file(void)
{
	if (files == 0)
		return;
	size_t which = fuzz_draw((uint64_t)files), other = fuzz_draw((uint64_t)files),
	       room = bytes[which] + 4096;
	char *text = malloc(room);

	if (!text)
		exit(2);
	memcpy(text, texts[which], bytes[which] + 1);
	size_t length = fuzz_mutate(text, bytes[which], room, texts[other], bytes[other]);
	write_file("FILE", text, length);
	free(text);
}

static int output_is_bad(void)
{
	size_t length;
	char *text = fuzz_file("stderr", &length);
	int bad = strstr(text, "Sanitizer") != NULL || strstr(text, "runtime error:") != NULL ||
	          strstr(text, "Assertion") != NULL;

	free(text);
	return bad;
}

/* Runs the program. Returns what is wrong, or NULL. */
static const char *run(const char *program, char **words)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	char *argv[WORDS + 1] = {(char *)program};
	double limit = fuzz_now() + (words[0] && measures(words[0]) ? MEASURES_S : LIMIT_S);
	int status = 0;
	pid_t child;

	for (int i = 0; words[i]; i++)
		argv[i + 1] = words[i];
	child = fork();
	if (child < 0)
		return "there is no process for it";
	if (child == 0) {
		int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int in = open("/dev/null", O_RDONLY);

		setpgid(0, 0);
		if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
			_exit(126);
		execv(program, argv);
		_exit(127);
	}
	while (waitpid(child, &status, WNOHANG) == 0) {
		if (fuzz_now() > limit) {
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			return words[0] && measures(words[0]) ? NULL : "it does not end";
		}
		nanosleep(&pause, NULL);
	}
	if (WIFSIGNALED(status))
		return "a signal ended it";
	if (output_is_bad())
		return "a sanitizer reports it";
	if (WEXITSTATUS(status) > 2 && WEXITSTATUS(status) != 77)
		return "it ended with a status that it does not have";
	return NULL;
}

static int failure(uint64_t seed, const char *what, char **words)
{
	size_t length;
	char *text = fuzz_file("stderr", &length);

	printf("seed %llu: %s:", (unsigned long long)seed, what);
	for (int i = 0; words[i]; i++)
		printf(" '%s'", words[i]);
	printf("\n%.4000s\n", text);
	free(text);
	return 1;
}

int main(int argc, char **argv)
{
	uint64_t count = UINT64_MAX, first = 1, seed;
	double until = 0;
	char line[4096], *words[WORDS], *program;

	if (argc < 4)
		return fputs("usage: fuzz_commands WEIR FOLDER COUNT|--seconds N [--seed FIRST] "
		             "FILE...\n",
		             stderr),
		       2;
	for (int i = 3; i < argc; i++) {
		if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
			until = fuzz_now() + atof(argv[++i]);
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			first = strtoull(argv[++i], NULL, 10);
		else if (i == 3)
			count = strtoull(argv[i], NULL, 10);
		else if (strstr(argv[i], ".ptx"))
			write_file((snprintf(line, sizeof line, "%s/%s", argv[2],
			                     strrchr(argv[i], '/') + 1),
			            line),
			           fuzz_file(argv[i], &bytes[31]), bytes[31]);
		else if (files < 31) {
			texts[files] = fuzz_file(argv[i], &bytes[files]);
			files++;
		}
	}
	program = realpath(argv[1], NULL);
	if (!program || chdir(argv[2]) != 0)
		return perror(argv[2]), 2;
	setenv("HOME", ".", 1);
	setenv("XDG_CONFIG_HOME", ".", 1);
	setenv("WEIR_HOST_THREADS", "16", 1);
	for (seed = first; seed - first < count && (until == 0 || fuzz_now() < until); seed++) {
		const char *wrong;

		fuzz_seed(seed);
		make_file();
		make(line, sizeof line, words);
		wrong = run(program, words);
		if (wrong)
			return failure(seed, wrong, words);
	}
	printf("%llu command lines\n", (unsigned long long)(seed - first));
	free(program);
	return 0;
}
