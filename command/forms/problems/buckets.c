/* A hash table with a lock for each bucket: see kernels/real/buckets.h. */

#include "forms/problems/problem.h"
#include "kernels/real/sizes.h"

/* As in kernels/real/buckets.h. */
#define KEYS 10u
#define WORDS 32u
#define HASH 0x9e3779b9u
#define VALUE 0x85ebca6bu
#define TORN 0xffffffffu
#define KEY_WORDS 3

static const real_size sizes[] = {
    {"even, 2000 operations, 64 keys in 16 buckets", 1, {4, 2000, 64, 0}},
    {"skewed, 2000 operations, 64 keys in 16 buckets", 1, {4, 2000, 64, 1}},
    {"even, 2^20 operations, 2^15 keys in 2^13 buckets", 0, {13, 1 << 20, 1 << 15, 0}},
    {"skewed, 2^18 operations, 2^15 keys in 2^13 buckets", 0, {13, 1 << 18, 1 << 15, 1}}};

static uint32_t locks(const uint32_t *size)
{
	return 1u << size[0];
}

static size_t words(const uint32_t *size)
{
	return 2 * (size_t)size[1] + (size_t)locks(size) * WORDS;
}

/* The offset of a bucket in the data. */
static size_t bucket_at(const uint32_t *size, uint32_t bucket)
{
	return 2 * (size_t)size[1] + (size_t)bucket * WORDS;
}

static uint32_t bucket_of(const uint32_t *size, uint32_t key)
{
	return (uint32_t)(key * HASH) >> (32 - size[0]);
}

/* In the skewed case a key is the square of a random fraction. So the k-th key occurs about in
 * proportion to 1 / sqrt(k), and the first one sqrt(keys) times as often as in the even case. */
static void fill(const uint32_t *size, uint32_t *data)
{
	uint32_t random = 1;

	for (size_t i = 0; i < size[1]; i++) {
		uint64_t fraction = real_random(&random);
		if (size[3])
			fraction = fraction * fraction >> 32;
		data[i] = (uint32_t)(fraction * size[2] >> 32) + 1;
	}
}

/* The index of the key in its bucket, or the number of keys if it is not there. */
static uint32_t find(const uint32_t *bucket, uint32_t key)
{
	uint32_t place = 0;

	while (place < bucket[0] && bucket[1 + place * KEY_WORDS] != key)
		place++;
	return place;
}

/* Stores with each operation how often its key occurs, which is the most that its look-up may
 * find. */
static void expect(const uint32_t *size, uint32_t *data)
{
	uint32_t operations = size[1];

	for (size_t i = 0; i < operations; i++) {
		uint32_t *bucket = data + bucket_at(size, bucket_of(size, data[i]));
		uint32_t place = find(bucket, data[i]);
		uint32_t *entry = bucket + 1 + (size_t)place * KEY_WORDS;
		if (place == KEYS)
			continue; /* as in the kernel; the check then fails */
		if (place == bucket[0])
			bucket[0]++;
		entry[0] = data[i];
		entry[1]++;
		entry[2] += data[i] * VALUE;
	}
	for (size_t i = 0; i < operations; i++) {
		const uint32_t *bucket = data + bucket_at(size, bucket_of(size, data[i]));
		uint32_t place = find(bucket, data[i]);
		if (place != bucket[0] && i % 4 != 3)
			data[operations + i] = bucket[1 + (size_t)place * KEY_WORDS + 1];
	}
}

/* All keys of the bucket are present, in any order, with their operations. */
static int check_bucket(const uint32_t *expected, const uint32_t *got, real_why *why)
{
	if (expected[0] != got[0])
		return real_wrong(why, "a bucket has %u keys, not %u", got[0], expected[0]);
	for (uint32_t i = 0; i < expected[0]; i++) {
		const uint32_t *entry = expected + 1 + (size_t)i * KEY_WORDS;
		uint32_t place = find(got, entry[0]);
		if (place == got[0])
			return real_wrong(why, "key %u is missing", entry[0]);
		const uint32_t *there = got + 1 + (size_t)place * KEY_WORDS;
		if (entry[1] == there[1] && entry[2] == there[2])
			continue;
		return real_wrong(why, "key %u has %u operations and the sum %u, not %u and %u",
		                  entry[0], there[1], there[2], entry[1], entry[2]);
	}
	return 0;
}

/* A look-up follows the operation with its key in the same thread, so it finds at least one. */
static int check_found(const uint32_t *size, const uint32_t *expected, const uint32_t *got,
                       real_why *why)
{
	for (size_t i = size[1]; i < 2 * (size_t)size[1]; i++) {
		if (got[i] <= expected[i] && (got[i] != 0) == (expected[i] != 0))
			continue;
		if (got[i] == TORN)
			return real_wrong(why, "look-up %zu found a sum without its operations",
			                  i - size[1]);
		return real_wrong(why, "look-up %zu found %u operations of at most %u", i - size[1],
		                  got[i], expected[i]);
	}
	return 0;
}

static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	uint64_t operations = 0;

	for (uint32_t i = 0; i < locks(size); i++) {
		const uint32_t *bucket = expected + bucket_at(size, i);
		if (check_bucket(bucket, got + bucket_at(size, i), why))
			return 1;
		for (uint32_t place = 0; place < bucket[0]; place++)
			operations += bucket[1 + (size_t)place * KEY_WORDS + 1];
	}
	if (operations != size[1])
		return real_wrong(why, "more than %u keys fall into one bucket", KEYS);
	return check_found(size, expected, got, why);
}

REAL_PROBLEM(buckets, "a hash table with a lock for each bucket", .uses = REAL_USES_MUTEX_ARRAY,
             .locks = locks, .combiners = BUCKETS_PARTS, .operation_words = 2);
