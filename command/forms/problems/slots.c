/* Areas of scratch memory under a semaphore: see kernels/real/slots.h. */

#include "forms/problems/problem.h"

/* As in kernels/real/slots.h and locks.h. */
#define LINE 32u
#define TAG 0x9e3779b9u

static const real_size sizes[] = {{"1 area of 16 words, 100 jobs", 1, {1, 16, 100}},
                                  {"2 areas of 16 words, 100 jobs", 1, {2, 16, 100}},
                                  {"8 areas of 1024 words, 4096 jobs", 0, {8, 1024, 4096}},
                                  {"32 areas of 1024 words, 16384 jobs", 0, {32, 1024, 16384}}};

/* The offsets of the parts of the data, after the bit map. */
struct parts {
	size_t taken;
	size_t wrong;
	size_t scratch;
	size_t end;
};

static struct parts parts_of(const uint32_t *size)
{
	struct parts p;

	p.taken = LINE;
	p.wrong = p.taken + size[2];
	p.scratch = p.wrong + size[2];
	p.end = p.scratch + (size_t)size[0] * size[1];
	return p;
}

static size_t words(const uint32_t *size)
{
	return parts_of(size).end;
}

static uint32_t maximum(const uint32_t *size)
{
	return size[0];
}

static void fill(const uint32_t *size, uint32_t *data)
{
	(void)size;
	(void)data; /* all zero */
}

/* One thread does all jobs, each in the first area, which is always free. */
static void expect(const uint32_t *size, uint32_t *data)
{
	struct parts p = parts_of(size);

	for (uint32_t job = 0; job < size[2]; job++) {
		data[p.taken + job] = 1;
		for (uint32_t i = 0; i < size[1]; i++)
			data[p.scratch + i] = (job + 1) * TAG + i;
	}
}

static int check_job(const uint32_t *size, const uint32_t *got, uint32_t job, real_why *why)
{
	struct parts p = parts_of(size);
	uint32_t area = got[p.taken + job];

	if (area == 0)
		return real_wrong(why, "job %u found no free area: too many blocks were let in",
		                  job);
	if (area > size[0])
		return real_wrong(why, "job %u got area %u of %u", job, area, size[0]);
	if (got[p.wrong + job])
		return real_wrong(why, "job %u found another block's words in area %u", job, area);
	return 0;
}

/* The whole area was written by one job, which held it, or the area was never used. */
static int check_area(const uint32_t *size, const uint32_t *got, uint32_t area, real_why *why)
{
	struct parts p = parts_of(size);
	const uint32_t *scratch = got + p.scratch + (size_t)area * size[1];
	uint32_t jobs = 0;

	for (uint32_t job = 0; job < size[2]; job++) {
		if (got[p.taken + job] != area + 1)
			continue;
		jobs++;
		if (scratch[0] != (job + 1) * TAG)
			continue;
		for (uint32_t i = 1; i < size[1]; i++) {
			if (scratch[i] == (job + 1) * TAG + i)
				continue;
			return real_wrong(why, "word %u of area %u is not of job %u", i, area + 1,
			                  job);
		}
		return 0;
	}
	if (jobs == 0)
		return 0;
	return real_wrong(why, "area %u ends with words of none of its jobs", area + 1);
}

/* The assignment of areas to jobs is arbitrary, so jobs and areas are checked separately. */
static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	for (uint32_t job = 0; job < size[2]; job++)
		if (check_job(size, got, job, why))
			return 1;
	for (uint32_t area = 0; area < size[0]; area++)
		if (check_area(size, got, area, why))
			return 1;
	return got[0] == expected[0]
	           ? 0
	           : real_wrong(why, "the bit map ends as 0x%x, not 0x%x", got[0], expected[0]);
}

REAL_PROBLEM(slots, "areas of scratch memory under a semaphore", .uses = REAL_USES_SEMAPHORE,
             .maximum = maximum);
