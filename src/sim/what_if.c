#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

static const char *const kinds[] = {"volatile", "atomic", "primed"};
static const char *const places[] = {"same", "own"};
static const char *const ways[] = {"read", "write"};

/* The index of the word that `*text` begins with, which it skips; -1: none of them. */
static int word(const char **text, const char *const *words, int count)
{
	size_t length = strcspn(*text, ".*=,");

	for (int i = 0; i < count; i++)
		if (strlen(words[i]) == length && strncmp(*text, words[i], length) == 0) {
			*text += length;
			return i;
		}
	return -1;
}

static int skip(const char **text, const char *sign)
{
	size_t length = strlen(sign);

	if (strncmp(*text, sign, length) != 0)
		return 0;
	*text += length;
	return 1;
}

static weir_status bad(const char *at)
{
	return weir_fail(WEIR_BAD_ARGUMENT,
	                 "not a change of a profile at '%s': give KIND.PLACE[.WAY]*=FACTOR, as in "
	                 "atomic.same*=0.1, batched-loads or equal-atomics",
	                 at);
}

static weir_status change(const char **text, weir_probe *probe)
{
	const char *begin = *text;
	int kind = word(text, kinds, 3);
	int place = kind >= 0 && skip(text, ".") ? word(text, places, 2) : -1;
	int way = -1;
	char *end;

	if (place < 0)
		return bad(begin);
	if (skip(text, ".") && (way = word(text, ways, 2)) < 0)
		return bad(begin);
	if (!skip(text, "*="))
		return bad(begin);
	double factor = strtod(*text, &end);
	if (end == *text || !isfinite(factor) || factor <= 0)
		return weir_fail(WEIR_BAD_ARGUMENT, "not a factor above 0: '%s'", *text);
	*text = end;
	for (int i = 0; i < 2; i++)
		if (way < 0 || way == i)
			probe->ms[WEIR_ACCESS(kind, place, i)] *= factor;
	return WEIR_OK;
}

/* Atomics take the time of volatile accesses, and hold no cache line. */
static void equal_atomics(weir_probe *probe)
{
	for (int place = WEIR_ACCESS_SAME; place <= WEIR_ACCESS_OWN; place++)
		for (int way = WEIR_ACCESS_READ; way <= WEIR_ACCESS_WRITE; way++) {
			double ms = probe->ms[WEIR_ACCESS(WEIR_ACCESS_VOLATILE, place, way)];
			probe->ms[WEIR_ACCESS(WEIR_ACCESS_ATOMIC, place, way)] = ms;
			probe->ms[WEIR_ACCESS(WEIR_ACCESS_PRIMED, place, way)] = ms;
		}
}

weir_status weir_sim_what_if(const char *text, weir_probe *probe, int *batched_loads)
{
	enum {
		BATCHED_LOADS,
		EQUAL_ATOMICS,
		HARDWARE
	};
	static const char *const hardware[HARDWARE] = {"batched-loads", "equal-atomics"};

	*batched_loads = 0;
	for (;;) {
		int named = word(&text, hardware, HARDWARE);
		weir_status status = named < 0 ? change(&text, probe) : WEIR_OK;
		*batched_loads |= named == BATCHED_LOADS;
		if (named == EQUAL_ATOMICS)
			equal_atomics(probe);
		if (status != WEIR_OK)
			return status;
		if (*text == '\0')
			return WEIR_OK;
		if (!skip(&text, ","))
			return bad(text);
	}
}
