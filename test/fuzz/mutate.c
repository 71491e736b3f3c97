#define _POSIX_C_SOURCE 200809L
#include "mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state;

void fuzz_seed(uint64_t seed)
{
	state = seed * UINT64_C(0xd1342543de82ef95) + 1;
}

uint64_t fuzz_draw(uint64_t limit)
{
	uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % limit;
}

/* The end of the word, number or sign at `at`. */
static size_t token(const char *text, size_t at, size_t bytes)
{
	while (at < bytes && !strchr(" \n\t,:;{}[]()+.=-\"", text[at]))
		at++;
	return at < bytes ? at + 1 : bytes;
}

static size_t number(char *to, size_t room)
{
	static const char *const special[] = {
	    "-1",   "0",    "1e308", "-0.0", "4294967296", "18446744073709551615",
	    "1e-9", "true", "null",  "\"\"", "[]",         "{}"};

	if (fuzz_draw(3) == 0)
		return (size_t)snprintf(to, room, "%s",
		                        special[fuzz_draw(sizeof special / sizeof *special)]);
	return (size_t)snprintf(
	    to, room, "%llu",
	    (unsigned long long)(fuzz_draw(2) ? fuzz_draw(300) : fuzz_draw(UINT64_MAX)));
}

static size_t insert(char *text, size_t bytes, size_t room, size_t at, const char *from,
                     size_t length)
{
	if (bytes + length + 1 > room)
		return bytes;
	memmove(text + at + length, text + at, bytes - at);
	memcpy(text + at, from, length);
	return bytes + length;
}

static size_t change(char *text, size_t bytes, size_t room, const char *other, size_t other_bytes)
{
	static const char signs[] = "{}[]()<>.,;:|!@%+-_=\"'0123456789xfde \n\\";
	size_t at = fuzz_draw(bytes + 1), end = token(text, at, bytes), length, from;
	char drawn[32], part[256];

	switch (fuzz_draw(7)) {
	case 0: /* another character */
		if (at < bytes)
			text[at] = fuzz_draw(4) ? signs[fuzz_draw(sizeof signs - 1)]
			                        : (char)(1 + fuzz_draw(255));
		return bytes;
	case 1: /* without some words */
		for (uint64_t k = fuzz_draw(4); k; k--)
			end = token(text, end, bytes);
		memmove(text + at, text + end, bytes - end);
		return bytes - (end - at);
	case 2: /* a number in the place of a word */
		memmove(text + at, text + end, bytes - end);
		return insert(text, bytes - (end - at), room, at, drawn,
		              number(drawn, sizeof drawn));
	case 3: /* one more number */
		return insert(text, bytes, room, at, drawn, number(drawn, sizeof drawn));
	case 4: /* without the rest */
		return fuzz_draw(10) ? bytes : at;
	case 5: /* some words twice */
		length = end - at < sizeof part ? end - at : sizeof part;
		memcpy(part, text + at, length);
		return insert(text, bytes, room, at, part, length);
	default: /* words of another text */
		if (other_bytes == 0)
			return bytes;
		from = fuzz_draw(other_bytes);
		end = token(other, from, other_bytes);
		for (uint64_t k = fuzz_draw(6); k; k--)
			end = token(other, end, other_bytes);
		return insert(text, bytes, room, at, other + from, end - from);
	}
}

size_t fuzz_mutate(char *text, size_t bytes, size_t room, const char *other, size_t other_bytes)
{
	for (uint64_t k = 1 + fuzz_draw(6); k; k--)
		bytes = change(text, bytes, room, other, other_bytes);
	text[bytes] = 0;
	return bytes;
}

char *fuzz_file(const char *name, size_t *bytes)
{
	FILE *file = fopen(name, "rb");
	char *text = NULL;
	long size = -1;

	if (file && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
		text = malloc((size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
		fprintf(stderr, "%s cannot be read\n", name);
		exit(2);
	}
	fclose(file);
	text[size] = 0;
	*bytes = (size_t)size;
	return text;
}

double fuzz_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
