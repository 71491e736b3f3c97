/* The classification in sentences, each with its figures and what follows from them. */
/* For open_memstream. */
#define _POSIX_C_SOURCE 200809L
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>

static void say_machine(FILE *to, const weir_class *c, const weir_probe *probe)
{
	fprintf(to, "This machine: %s.\n\n", c->name);
	fprintf(
	    to,
	    "Atomics: with %u blocks on one word an atomic read takes %.3g times as long as a "
	    "volatile one (%.3g times where each block has its own word). That is %s an order of "
	    "magnitude: spinning on atomics is %s.\n",
	    probe->blocks, c->atomic_to_volatile, c->atomic_to_volatile_own,
	    c->slow_atomics ? "at least" : "less than",
	    c->slow_atomics ? "out of the question" : "affordable");
	fprintf(to,
	        "Contention: volatile reads of one word by all blocks take %.3g times as long as "
	        "reads of their own words, writes %.3g times. Polling one word by many is %s.\n",
	        c->contention, c->contention_write, c->contended_reads ? "costly" : "cheap");
	fprintf(
	    to,
	    "Held lines: after one atomic by each block the contentious reads take %.3g times as "
	    "long as without. The atomic units %s.\n",
	    c->hostage_ratio,
	    c->hostage ? "hold a line hostage until their queue is empty, and reads of it wait "
			 "in that queue"
		       : "do not hold a line hostage");
}

static const char *barrier_reason(const weir_class *c)
{
	if (c->slow_atomics)
		return "a central counter is one contentious atomic for each block, and those are "
		       "slow "
		       "here";
	if (c->hostage)
		return "whoever polls a central counter would queue behind the atomics of those "
		       "who "
		       "still arrive";
	if (c->contention >= WEIR_CLASS_NO_SHARED_POLLING)
		return "polls of one word by all blocks cost too much, so each polls a flag of its "
		       "own";
	return "arriving at a counter is one fast atomic, and its polls do not wait behind the "
	       "arrivals; flags would make every barrier two trips through one block";
}

static void say_barrier(FILE *to, const weir_class *c)
{
	uint32_t kind = weir_class_kind(c, WEIR_PRIMITIVE_BARRIER, 0);
	fprintf(to, "Barrier: %s, sleep (volatile polls), no backoff: %s. Use %s.\n",
	        kind == WEIR_BARRIER_XF ? "decentralized" : "central", barrier_reason(c),
	        weir_barrier_kind_name(kind));
}

static const char *mutex_reason(const weir_class *c)
{
	if (c->slow_atomics)
		return "one atomic for each lock and then only reads is the least of what is slow "
		       "here";
	if (c->hostage)
		return "reads behind a held line cost as much as atomics, so the fewest accesses "
		       "win, "
		       "and pauses keep them apart";
	if (c->contended_reads)
		return "an attempt is one fast atomic, while waiters that all read one word slow "
		       "each "
		       "other down; pauses keep the attempts apart";
	if (c->atomic_to_volatile < WEIR_CLASS_EQUAL_ATOMICS)
		return "an atomic costs hardly more than a read, so reading first saves nothing, "
		       "and "
		       "contention is all that is left to avoid";
	return "reads of one word by all are cheap, atomics are not: one atomic for each lock, "
	       "then "
	       "only reads";
}

static const char *sleep_with(const weir_class *c)
{
	return c->contended_reads ? "sleep (volatile polls), with backoff between the polls"
	                          : "sleep (volatile polls), backoff has little to gain";
}

static void say_mutex(FILE *to, const weir_class *c)
{
	uint32_t kind = weir_class_kind(c, WEIR_PRIMITIVE_MUTEX, 0);
	fprintf(to, "Mutex: central, %s: %s. Use %s.\n",
	        kind == WEIR_MUTEX_TICKET ? sleep_with(c) : "spin (atomic attempts), with backoff",
	        mutex_reason(c), weir_mutex_kind_name(kind));
}

static void say_semaphore(FILE *to, const weir_class *c)
{
	uint32_t low = weir_class_kind(c, WEIR_PRIMITIVE_SEMAPHORE, 1);
	uint32_t high = weir_class_kind(c, WEIR_PRIMITIVE_SEMAPHORE, 2);
	if (low != high)
		fprintf(
		    to,
		    "Semaphore with an initial value of 1: central, spin (atomic attempts), with "
		    "backoff: it is used as a mutex, and one contended word beats several whose "
		    "lines are held. Use %s.\n",
		    weir_semaphore_kind_name(low));
	fprintf(
	    to,
	    "Semaphore%s: central, %s: a wait is one atomic, two when it is "
	    "full, and a post never has to wait, while spinners would stand in the way of those "
	    "who post. Use %s.\n",
	    low != high ? " with a higher initial value" : "", sleep_with(c),
	    weir_semaphore_kind_name(high));
}

char *weir_class_text(const weir_class *result, const weir_probe *probe)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return NULL;
	say_machine(to, result, probe);
	fputc('\n', to);
	say_barrier(to, result);
	say_mutex(to, result);
	say_semaphore(to, result);
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
