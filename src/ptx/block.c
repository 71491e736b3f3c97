/* Blocks and their threads: memory, frames, start and end. */
#include <stdlib.h>
#include <string.h>

#include "ptx/machine.h"

static size_t aligned(size_t at)
{
	return (at + 255) & ~(size_t)255;
}

/* One piece of memory has all of a block: the threads, their slots and locals, shared memory. */
static void lay_out(weir_ptx_machine *m)
{
	const ptx_routine *kernel = &m->program->routines.at[0];
	size_t at = aligned(sizeof(ptx_block)) + aligned(m->threads * sizeof(weir_ptx_thread));

	m->local_room = (kernel->local_bytes + 15) & ~15u;
	m->slots_at = at;
	at = aligned(at + (size_t)m->threads * kernel->slots * 8);
	m->local_at = at;
	m->local_stride = (m->local_room + m->local_room / 8 + 15) & ~15u;
	at = aligned(at + (size_t)m->threads * m->local_stride);
	m->shared_bytes = m->launch.dynamic_shared
	                      ? m->program->dynamic_at + (uint32_t)m->launch.dynamic_shared
	                      : m->program->shared_bytes;
	m->shared_at = at;
	at = aligned(at + m->shared_bytes);
	m->shadow_at = at;
	m->block_bytes = at + m->shared_bytes / 8 + 16;
}

static void start_thread(weir_ptx_machine *m, ptx_block *b, uint32_t index)
{
	const ptx_routine *kernel = &m->program->routines.at[0];
	weir_ptx_thread *t = &b->thread[index];
	char *base = (char *)b;

	t->machine = m;
	t->block = b;
	t->index = index;
	t->tid[0] = index % m->launch.block[0];
	t->tid[1] = index / m->launch.block[0] % m->launch.block[1];
	t->tid[2] = index / m->launch.block[0] / m->launch.block[1];
	t->slots = (uint64_t *)(void *)(base + m->slots_at) + (size_t)index * kernel->slots;
	t->slot_room = kernel->slots;
	t->frame = t->slots;
	t->local = (uint8_t *)base + m->local_at + (size_t)index * m->local_stride;
	t->local_shadow = t->local + m->local_room;
	t->local_room = m->local_room;
	t->local_top = kernel->local_bytes;
	t->pc = m->program->code.at + kernel->entry;
	t->quiet_limit = 8;
	if (kernel->constants)
		memcpy(t->slots + 1, kernel->constant, kernel->constants * sizeof(uint64_t));
	b->runnable[index / 64] |= UINT64_C(1) << (index % 64);
}

static ptx_block *open_block(weir_ptx_machine *m, uint32_t index, ptx_cluster *cluster,
                             uint32_t rank)
{
	ptx_block *b = m->spare;

	if (!m->block_bytes)
		lay_out(m);
	if (b)
		m->spare = b->next_spare;
	else
		b = aligned_alloc(256, aligned(m->block_bytes));
	if (!b)
		return NULL;
	memset(b, 0, m->block_bytes);
	b->machine = m;
	b->cluster = cluster;
	b->index = index;
	b->rank = rank;
	b->ctaid[0] = index % m->launch.grid[0];
	b->ctaid[1] = index / m->launch.grid[0] % m->launch.grid[1];
	b->ctaid[2] = index / m->launch.grid[0] / m->launch.grid[1];
	b->threads = b->live = m->threads;
	b->shared = (uint8_t *)b + m->shared_at;
	b->shared_shadow = (uint8_t *)b + m->shadow_at;
	b->shared_bytes = m->shared_bytes;
	for (int i = 0; i < WEIR_PTX_STAMPED; i++)
		ptx_mark(b->shared_shadow, m->stamped_at[i], m->stamped_bytes[i]);
	b->thread = (weir_ptx_thread *)(void *)((char *)b + aligned(sizeof(ptx_block)));
	for (uint32_t i = 0; i < m->threads; i++)
		start_thread(m, b, i);
	cluster->blocks[rank] = b;
	m->block[index] = b;
	m->live[m->live_count++] = b;
	return b;
}

/* Starts every block of the cluster with this number. */
bool weir_ptx_block_open(weir_ptx_machine *m, uint32_t number)
{
	const uint32_t *c = m->cluster, *grid = m->launch.grid;
	uint32_t x = number % (grid[0] / c[0]), y = number / (grid[0] / c[0]) % (grid[1] / c[1]);
	uint32_t z = number / (grid[0] / c[0]) / (grid[1] / c[1]);
	ptx_cluster *cluster = calloc(1, sizeof *cluster);

	if (cluster)
		cluster->blocks = calloc(m->cluster_size, sizeof *cluster->blocks);
	if (!cluster || !cluster->blocks) {
		free(cluster);
		return false;
	}
	cluster->count = cluster->live = m->cluster_size;
	for (uint32_t rank = 0; rank < m->cluster_size; rank++) {
		uint32_t bx = x * c[0] + rank % c[0], by = y * c[1] + rank / c[0] % c[1];
		uint32_t bz = z * c[2] + rank / c[0] / c[1];
		if (!open_block(m, bx + grid[0] * (by + grid[1] * bz), cluster, rank)) {
			for (uint32_t k = 0; k < rank; k++)
				weir_ptx_block_close(m, cluster->blocks[k]);
			if (!rank) {
				free(cluster->blocks);
				free(cluster);
			}
			return false;
		}
	}
	return true;
}

static void free_thread(weir_ptx_thread *t)
{
	weir_ptx_forget_flights(t);
	if (t->own_slots)
		free(t->slots);
	if (t->own_local)
		free(t->local);
	free(t->calls);
	if (t->spin)
		free(t->spin->live);
	free(t->spin);
}

void weir_ptx_block_close(weir_ptx_machine *m, ptx_block *b)
{
	ptx_cluster *cluster = b->cluster;

	if (m->tracing.thread && m->tracing.thread->block == b)
		weir_ptx_trace_end(m);
	for (uint32_t i = 0; i < b->threads; i++)
		free_thread(&b->thread[i]);
	for (uint32_t i = 0; i < m->live_count; i++)
		if (m->live[i] == b) {
			memmove(m->live + i, m->live + i + 1,
			        (m->live_count - i - 1) * sizeof *m->live);
			m->live_count--;
			break;
		}
	m->block[b->index] = NULL;
	cluster->blocks[b->rank] = NULL;
	if (!--cluster->live) {
		free(cluster->blocks);
		free(cluster);
	}
	b->next_spare = m->spare;
	m->spare = b;
}
