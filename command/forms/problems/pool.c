/* A pool of nodes under one mutex: see kernels/real/pool.h. */

#include "forms/problems/problem.h"

#define TAG 0x9e3779b9u /* as in kernels/real/locks.h */

#define NODES 8192u /* more than the number of blocks, so that none finds the list empty */

static const real_size sizes[] = {
    {"nodes of 16 words, taken 150 times", 1, {NODES, 16, 150}},
    {"nodes of 64 words, taken 4096 times", 0, {NODES, 64, 4096}},
    {"nodes of 1024 words, taken 4096 times", 0, {NODES, 1024, 4096}}};

/* The offsets of the parts of the data, after the first free node. */
struct parts {
	size_t next;
	size_t last;
	size_t taken;
	size_t wrong;
	size_t contents;
	size_t end;
};

static struct parts parts_of(const uint32_t *size)
{
	struct parts p;

	p.next = 1;
	p.last = p.next + size[0];
	p.taken = p.last + size[0];
	p.wrong = p.taken + size[2];
	p.contents = p.wrong + size[2];
	p.end = p.contents + (size_t)size[0] * size[1];
	return p;
}

static size_t words(const uint32_t *size)
{
	return parts_of(size).end;
}

static void write_node(const uint32_t *size, uint32_t *data, uint32_t node, uint32_t tag)
{
	struct parts p = parts_of(size);
	uint32_t *contents = data + p.contents + (size_t)node * size[1];

	for (uint32_t i = 0; i < size[1]; i++)
		contents[i] = tag * TAG + i;
	data[p.last + node] = tag;
}

/* All nodes are free, in order. */
static void fill(const uint32_t *size, uint32_t *data)
{
	struct parts p = parts_of(size);

	data[0] = 1;
	for (uint32_t node = 0; node < size[0]; node++) {
		data[p.next + node] = node + 1 < size[0] ? node + 2 : 0;
		write_node(size, data, node, 0);
	}
}

/* One thread takes the first node again and again. */
static void expect(const uint32_t *size, uint32_t *data)
{
	struct parts p = parts_of(size);

	for (uint32_t i = 0; i < size[2]; i++) {
		data[p.taken + i] = data[0];
		write_node(size, data, data[0] - 1, i + 1);
	}
}

static int check_taking(const uint32_t *size, const uint32_t *got, uint32_t i, real_why *why)
{
	struct parts p = parts_of(size);
	uint32_t node = got[p.taken + i];

	if (node == 0)
		return real_wrong(
		    why, "taking %u found no node: one was lost, or blocks outnumber them", i);
	if (node > size[0])
		return real_wrong(why, "taking %u got node %u of %u", i, node, size[0]);
	if (got[p.wrong + i])
		return real_wrong(why, "taking %u found wrong words in node %u", i, node);
	return 0;
}

/* Checks that the node is as the last block that took it left it. */
static int check_node(const uint32_t *size, const uint32_t *got, uint32_t node, real_why *why)
{
	struct parts p = parts_of(size);
	const uint32_t *contents = got + p.contents + (size_t)node * size[1];
	uint32_t last = got[p.last + node];

	if (last > size[2] || (last != 0 && got[p.taken + last - 1] != node + 1))
		return real_wrong(why, "node %u names a taking that had another node", node + 1);
	for (uint32_t i = 0; i < size[1]; i++) {
		if (contents[i] == last * TAG + i)
			continue;
		return real_wrong(why, "word %u of node %u is not from its last taking", i,
		                  node + 1);
	}
	return 0;
}

/* Returns the length of the free list; one more than the number of nodes if the list leaves the
 * nodes or has a cycle. */
static uint32_t count_free(const uint32_t *size, const uint32_t *data)
{
	uint32_t count = 0;

	for (uint32_t node = data[0]; node != 0; node = data[parts_of(size).next + node - 1]) {
		if (node > size[0] || count++ == size[0])
			return size[0] + 1;
	}
	return count;
}

/* The assignment of nodes to blocks is arbitrary, so each node is checked by itself. */
static int check(const uint32_t *size, const uint32_t *expected, const uint32_t *got, real_why *why)
{
	uint32_t want = count_free(size, expected);
	uint32_t have = count_free(size, got);

	for (uint32_t i = 0; i < size[2]; i++)
		if (check_taking(size, got, i, why))
			return 1;
	for (uint32_t node = 0; node < size[0]; node++)
		if (check_node(size, got, node, why))
			return 1;
	if (have > size[0])
		return real_wrong(why, "the free list has a node twice");
	return have == want ? 0
	                    : real_wrong(why, "%u nodes are free at the end, not %u", have, want);
}

REAL_PROBLEM(pool, "a free list of nodes under one mutex", .uses = REAL_USES_MUTEX, .combiners = 1,
             .operation_words = 1, .most_blocks = NODES);
