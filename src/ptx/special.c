/* Special registers. */
#include "ptx/machine.h"

static uint32_t lane_masks(uint32_t lane, unsigned which)
{
	uint32_t bit = 1u << lane;

	switch (which) {
	case PTX_S_LANEMASK_EQ:
		return bit;
	case PTX_S_LANEMASK_LE:
		return bit | (bit - 1);
	case PTX_S_LANEMASK_LT:
		return bit - 1;
	case PTX_S_LANEMASK_GE:
		return ~(bit - 1);
	default:
		return ~(bit | (bit - 1));
	}
}

static uint64_t environment(const weir_ptx_machine *m, unsigned number)
{
	return number == 1 ? m->workspace >> 32 : number == 2 ? (uint32_t)m->workspace : 0;
}

uint64_t weir_ptx_special(const weir_ptx_thread *t, int64_t what)
{
	const weir_ptx_machine *m = t->machine;
	const ptx_block *b = t->block;
	unsigned part = (unsigned)(what >> 8);

	switch (what & 255) {
	case PTX_S_TID:
		return t->tid[part];
	case PTX_S_NTID:
		return m->launch.block[part];
	case PTX_S_CTAID:
		return b->ctaid[part];
	case PTX_S_NCTAID:
		return m->launch.grid[part];
	case PTX_S_CLUSTERID:
		return b->ctaid[part] / m->cluster[part];
	case PTX_S_NCLUSTERID:
		return m->launch.grid[part] / m->cluster[part];
	case PTX_S_CLUSTER_CTAID:
		return b->ctaid[part] % m->cluster[part];
	case PTX_S_CLUSTER_NCTAID:
		return m->cluster[part];
	case PTX_S_CLUSTER_CTARANK:
		return b->rank;
	case PTX_S_CLUSTER_NCTARANK:
		return m->cluster_size;
	case PTX_S_IS_EXPLICIT_CLUSTER:
		return m->cluster_size > 1;
	case PTX_S_LANEID:
		return t->index % PTX_WARP;
	case PTX_S_WARPID:
		return t->index / PTX_WARP;
	case PTX_S_NWARPID:
		return (m->threads + PTX_WARP - 1) / PTX_WARP;
	case PTX_S_SMID:
		return b->index % m->launch.units;
	case PTX_S_NSMID:
		return m->launch.units;
	case PTX_S_GRIDID:
		return m->launch.number;
	case PTX_S_LANEMASK_EQ:
	case PTX_S_LANEMASK_LE:
	case PTX_S_LANEMASK_LT:
	case PTX_S_LANEMASK_GE:
	case PTX_S_LANEMASK_GT:
		return lane_masks(t->index % PTX_WARP, (unsigned)what & 255);
	case PTX_S_ENVREG:
		return environment(m, part);
	case PTX_S_DYNAMIC_SMEM:
		return m->launch.dynamic_shared;
	case PTX_S_TOTAL_SMEM:
	case PTX_S_AGGR_SMEM:
		return b->shared_bytes;
	default:
		return 0;
	}
}

/* Virtual time: a nanosecond and a cycle for each instruction that any thread ran, and what waits for
 * a time have skipped. */
uint64_t weir_ptx_clock(weir_ptx_thread *t, int64_t what, uint64_t more)
{
	weir_ptx_machine *m = t->machine;
	uint64_t now;

	t->clock = true;
	m->jumped += what & PTX_CLOCK_OF_PAUSE ? 500 : 0;
	now = m->instructions + more + m->jumped;

	switch (what & 255) {
	case PTX_S_CLOCK:
	case PTX_S_GLOBALTIMER_LO:
		return (uint32_t)now;
	case PTX_S_CLOCK_HI:
	case PTX_S_GLOBALTIMER_HI:
		return now >> 32;
	default:
		return now;
	}
}
