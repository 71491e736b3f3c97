/* Finds out which rank this process is, from the environment set by its launcher. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "weir/ranks.h"

static int sockets[WEIR_CREW_PROCESSES_MOST];

/* The variables of each launcher. All of them count ranks over all hosts. */
static const struct {
	const char *rank;
	const char *ranks;
	const char *local_ranks; /* on this host; NULL: not given */
	const char *name[2];     /* together they name the job; NULL: the parent process does */
	const char *also;        /* set only by this launcher; NULL: `rank` is */
} launchers[] = {
    {"WEIR_CREW_RANK", "WEIR_CREW_RANKS", NULL, {"WEIR_CREW_NAME", NULL}, NULL},
    {"OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     {"PMIX_NAMESPACE", NULL},
     NULL},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", {NULL, NULL}, NULL},
    {"RANK",
     "WORLD_SIZE",
     "LOCAL_WORLD_SIZE",
     {"TORCHELASTIC_RUN_ID", "MASTER_PORT"},
     "TORCHELASTIC_RUN_ID"},
    {"SLURM_PROCID", "SLURM_NTASKS", NULL, {"SLURM_JOB_ID", "SLURM_STEP_ID"}, NULL},
};

/* A number up to `most`. Returns 0 or -1. */
static int read_number(const char *text, uint32_t most, uint32_t *value)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != 0 || errno != 0 || number > most)
		return -1;
	*value = (uint32_t)number;
	return 0;
}

/* Parses "5,6,7". Returns 0 or -1. */
static int read_sockets(const char *text, weir_crew_place *place)
{
	const char *at = text;

	place->sockets = sockets;
	for (place->socket_count = 0; place->socket_count < WEIR_CREW_PROCESSES_MOST;) {
		char *end;
		long number = strtol(at, &end, 10);

		if (*at < '0' || *at > '9' || number > 1 << 20 || (*end != 0 && *end != ','))
			return -1;
		sockets[place->socket_count++] = (int)number;
		if (*end == 0)
			return 0;
		at = end + 1;
	}
	return -1;
}

/* Keeps only characters that are valid anywhere in file names. If a name is too long, its end is
 * replaced by a hash of the whole, because names of jobs differ at their ends. */
static void take_name(const char *first, const char *second, weir_crew_place *place)
{
	const char *parts[] = {first ? first : "", second ? "." : "", second ? second : ""};
	uint64_t sum = 14695981039346656037u; /* FNV-1a */
	int length;

	if (first)
		length = snprintf(place->name, sizeof place->name, "%s%s%s", parts[0], parts[1],
		                  parts[2]);
	else
		length = snprintf(place->name, sizeof place->name, "parent.%ld", (long)getppid());
	for (size_t i = 0; i < 3; i++)
		for (const char *c = parts[i]; *c; c++)
			sum = (sum ^ (unsigned char)*c) * 1099511628211u;
	if (length >= (int)sizeof place->name)
		snprintf(place->name + sizeof place->name - 18, 18, ".%016llx",
		         (unsigned long long)sum);
	for (char *c = place->name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
		            *c))
			*c = '_';
}

static weir_status read_place(size_t i, const char *rank, const char *ranks, weir_crew_place *place)
{
	const char *local = launchers[i].local_ranks ? getenv(launchers[i].local_ranks) : NULL;
	const char *given = i == 0 ? getenv("WEIR_CREW_SOCKETS") : NULL;

	if (read_number(ranks, WEIR_CREW_RANKS_MOST, &place->ranks) != 0 || place->ranks == 0 ||
	    read_number(rank, place->ranks - 1, &place->rank) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%s=%s and %s=%s do not describe a rank of a crew",
		                 launchers[i].rank, rank, launchers[i].ranks, ranks);
	if (local && strcmp(local, ranks) != 0)
		return weir_fail(WEIR_UNSUPPORTED,
		                 "only %s of %s ranks are on this host; all processes of a crew "
		                 "must be on one host",
		                 local, ranks);
	if (given && read_sockets(given, place) != 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "WEIR_CREW_SOCKETS=%s is not a list of sockets",
		                 given);
	take_name(launchers[i].name[0] ? getenv(launchers[i].name[0]) : NULL,
	          launchers[i].name[1] ? getenv(launchers[i].name[1]) : NULL, place);
	return WEIR_OK;
}

weir_status weir_crew_place_find(weir_crew_place *place)
{
	if (!place)
		return weir_fail(WEIR_BAD_ARGUMENT, "place is NULL");
	memset(place, 0, sizeof *place);
	for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
		const char *rank = getenv(launchers[i].rank);
		const char *ranks = getenv(launchers[i].ranks);

		if (rank && ranks && (!launchers[i].also || getenv(launchers[i].also)))
			return read_place(i, rank, ranks, place);
	}
	return weir_fail(WEIR_NOT_FOUND, "no launcher has started this process: neither weir crew, "
	                                 "nor MPI, nor torchrun, nor Slurm");
}
