/* Barriers of blocks and clusters. */
#include "ptx/machine.h"

void weir_ptx_block_on(weir_ptx_thread *t, weir_ptx_state state, const weir_ptx_event *event)
{
	t->state = (uint8_t)state;
	t->block->at_warp += state == WEIR_PTX_AT_WARP;
	t->waiting = event ? &t->machine->program->accesses.at[event->operation->index] : NULL;
	for (unsigned k = 0; event && k < 4; k++)
		t->operand[k] = event->value[k];
	t->block->runnable[t->index / 64] &= ~(UINT64_C(1) << (t->index % 64));
}

void weir_ptx_wake(weir_ptx_thread *t)
{
	t->block->at_warp -= t->state == WEIR_PTX_AT_WARP;
	t->state = WEIR_PTX_RUNNABLE;
	t->block->runnable[t->index / 64] |= UINT64_C(1) << (t->index % 64);
	t->block->spins[t->index / 64] &= ~(UINT64_C(1) << (t->index % 64));
}

void weir_ptx_pass(weir_ptx_thread *t, const weir_ptx_event *event)
{
	weir_ptx_finish(t, &t->machine->program->accesses.at[event->operation->index], event);
	t->pc++;
}

/* The thread that waits gets a result and goes on. */
static void release(weir_ptx_thread *t, uint64_t value)
{
	weir_ptx_event event;

	event.value[0] = value;
	weir_ptx_finish(t, t->waiting, &event);
	t->waiting = NULL;
	t->pc++;
	weir_ptx_wake(t);
}

/* Of an aligned barrier all lanes of a warp execute the same instruction, together. */
static bool is_divergent(const ptx_block *b, const weir_ptx_thread *t)
{
	uint32_t first = t->index / PTX_WARP * PTX_WARP;

	for (uint32_t i = first; i < first + PTX_WARP && i < b->threads; i++) {
		const weir_ptx_thread *other = &b->thread[i];
		if (other->state != WEIR_PTX_EXITED && other->waiting != t->waiting)
			return true;
	}
	return false;
}

static bool check_alignment(ptx_block *b, weir_ptx_thread *const *met, unsigned count,
                            uint32_t number)
{
	for (unsigned i = 0; i < count; i++) {
		if (i && met[i]->index / PTX_WARP == met[i - 1]->index / PTX_WARP)
			continue; /* its warp has been looked at */
		if ((met[i]->waiting->operation.flags & WEIR_PTX_ALIGNED) &&
		    is_divergent(b, met[i]))
			return weir_ptx_find(
			    met[i], WEIR_PTX_BARRIER,
			    "the lanes of its warp are not all at this instruction: barrier %u is "
			    "aligned, and the warp diverged",
			    number);
	}
	return true;
}

static void complete(ptx_block *b, uint32_t number, const ptx_access *access)
{
	ptx_barrier *bar = &b->barriers[number];
	uint64_t value = bar->what == PTX_BAR_POPC  ? bar->yes
	                 : bar->what == PTX_BAR_AND ? bar->yes == bar->expected
	                                            : bar->yes > 0;
	weir_ptx_thread **met = b->machine->met;
	unsigned count = 0;

	for (uint32_t i = 0; i < b->threads && count < 1024; i++) {
		weir_ptx_thread *t = &b->thread[i];
		if (t->state == WEIR_PTX_AT_BARRIER && (uint32_t)t->operand[0] == number)
			met[count++] = t;
	}
	*bar = (ptx_barrier){0};
	if (!check_alignment(b, met, count, number))
		return;
	weir_ptx_meet(b, met, count, access);
	for (unsigned i = 0; i < count; i++)
		release(met[i], value);
}

static bool check(weir_ptx_thread *t, const weir_ptx_event *event, uint32_t number,
                  uint32_t expected, bool counted)
{
	const ptx_barrier *bar;

	if (number >= PTX_BARRIERS)
		return weir_ptx_find(t, WEIR_PTX_BARRIER, "barrier %u: a block has 16", number);
	bar = &t->block->barriers[number];
	if (counted && (expected % PTX_WARP || !expected || expected > 1024))
		return weir_ptx_find(t, WEIR_PTX_BARRIER,
		                     "a barrier of %u threads, which is no multiple of 32",
		                     expected);
	if (!counted && t->block->exited)
		return weir_ptx_find(
		    t, WEIR_PTX_BARRIER,
		    "not all threads reach barrier %u: %u of the block's %u have exited", number,
		    t->block->exited, t->block->threads);
	if (bar->expected && bar->expected != expected)
		return weir_ptx_find(t, WEIR_PTX_BARRIER,
		                     "barrier %u is in use by %u threads, and this one expects %u",
		                     number, bar->expected, expected);
	if (bar->expected && bar->waiting && event->kind == WEIR_PTX_BAR_SYNC &&
	    bar->what != event->operation->what)
		return weir_ptx_find(t, WEIR_PTX_BARRIER,
		                     "threads meet at barrier %u with different operations",
		                     number);
	return true;
}

static weir_ptx_answered serve_bar(weir_ptx_thread *t, weir_ptx_event *event)
{
	bool counted = (event->operation->flags & WEIR_PTX_COUNTED) != 0,
	     sync = event->kind == WEIR_PTX_BAR_SYNC;
	uint32_t number = (uint32_t)event->value[0];
	uint32_t expected =
	    counted ? (uint32_t)event->value[1] : t->block->threads - t->block->quit;
	ptx_barrier *bar;

	if (!check(t, event, number, expected, counted))
		return WEIR_PTX_FAULT;
	bar = &t->block->barriers[number];
	bar->expected = expected;
	bar->counted = counted;
	bar->arrived++;
	if (sync) {
		bar->what = event->operation->what;
		bar->waiting++;
		bar->yes += event->value[2] != 0;
		weir_ptx_block_on(t, WEIR_PTX_AT_BARRIER, event);
	} else {
		weir_ptx_pass(t, event);
	}
	if (bar->arrived == bar->expected)
		complete(t->block, number,
		         &t->machine->program->accesses.at[event->operation->index]);
	return t->state == WEIR_PTX_RUNNABLE ? WEIR_PTX_SERVED : WEIR_PTX_WAITS;
}

/* --- Clusters ------------------------------------------------------------------------------------------ */

static void complete_cluster(weir_ptx_machine *machine, ptx_cluster *cluster,
                             const ptx_access *access)
{
	weir_ptx_thread **met = machine->met;
	unsigned count = 0;

	cluster->arrived = 0;
	for (uint32_t k = 0; k < cluster->count; k++) {
		ptx_block *b = cluster->blocks[k];
		for (uint32_t i = 0; b && i < b->threads; i++) {
			weir_ptx_thread *t = &b->thread[i];
			if (t->at_cluster)
				t->passed_cluster = true;
			if (t->state == WEIR_PTX_AT_CLUSTER_BARRIER && count < 1024)
				met[count++] = t;
		}
	}
	if (count)
		weir_ptx_meet(met[0]->block, met, count, access);
	for (uint32_t k = 0; k < cluster->count; k++) {
		ptx_block *b = cluster->blocks[k];
		for (uint32_t i = 0; b && i < b->threads; i++)
			if (b->thread[i].state == WEIR_PTX_AT_CLUSTER_BARRIER) {
				b->thread[i].at_cluster = b->thread[i].passed_cluster = false;
				release(&b->thread[i], 0);
			}
	}
}

static weir_ptx_answered serve_cluster(weir_ptx_thread *t, weir_ptx_event *event)
{
	ptx_cluster *cluster = t->block->cluster;
	const ptx_access *access = &t->machine->program->accesses.at[event->operation->index];
	uint32_t live = 0;

	if (event->kind == WEIR_PTX_CLUSTER_ARRIVE) {
		if (t->at_cluster) {
			weir_ptx_find(t, WEIR_PTX_BARRIER,
			              "it arrives at the cluster's barrier twice without a wait");
			return WEIR_PTX_FAULT;
		}
		t->at_cluster = true;
		cluster->arrived++;
		weir_ptx_pass(t, event);
		for (uint32_t k = 0; k < cluster->count; k++)
			live += cluster->blocks[k] ? cluster->blocks[k]->live : 0;
		if (cluster->arrived >= live)
			complete_cluster(t->machine, cluster, access);
		return WEIR_PTX_SERVED;
	}
	if (!t->at_cluster) {
		weir_ptx_find(t, WEIR_PTX_BARRIER,
		              "it waits at the cluster's barrier without having arrived");
		return WEIR_PTX_FAULT;
	}
	if (t->passed_cluster) {
		t->at_cluster = t->passed_cluster = false;
		weir_ptx_pass(t, event);
		return WEIR_PTX_SERVED;
	}
	weir_ptx_block_on(t, WEIR_PTX_AT_CLUSTER_BARRIER, event);
	return WEIR_PTX_WAITS;
}

weir_ptx_answered weir_ptx_serve_barrier(weir_ptx_thread *t, weir_ptx_event *event)
{
	return event->kind == WEIR_PTX_BAR_SYNC || event->kind == WEIR_PTX_BAR_ARRIVE
	           ? serve_bar(t, event)
	           : serve_cluster(t, event);
}

static void complete_without(ptx_block *b, uint32_t number)
{
	ptx_barrier *bar = &b->barriers[number];

	bar->expected = b->threads - b->quit;
	for (uint32_t i = 0; i < b->threads && bar->arrived == bar->expected && bar->waiting; i++)
		if (b->thread[i].state == WEIR_PTX_AT_BARRIER &&
		    (uint32_t)b->thread[i].operand[0] == number)
			complete(b, number, b->thread[i].waiting);
}

/* A barrier of all threads can never be complete once one has returned. After an exit instruction,
 * barriers no longer expect the thread, as on GPUs. An exited thread counts as one that has arrived
 * at the cluster's barrier. */
bool weir_ptx_after_exit(weir_ptx_thread *t)
{
	ptx_cluster *cluster = t->block->cluster;
	uint32_t live = 0;

	for (uint32_t k = 0; k < PTX_BARRIERS; k++) {
		const ptx_barrier *bar = &t->block->barriers[k];
		if (!bar->waiting || bar->counted)
			continue;
		if (t->pc->imm)
			complete_without(t->block, k);
		else
			return weir_ptx_find(t, WEIR_PTX_BARRIER,
			                     "it exits while %u of the block's threads wait at "
			                     "barrier %u, which all must reach",
			                     bar->waiting, k);
	}
	if (!cluster->arrived)
		return true;
	for (uint32_t k = 0; k < cluster->count; k++)
		live += cluster->blocks[k] ? cluster->blocks[k]->live : 0;
	if (live && cluster->arrived >= live)
		for (uint32_t k = 0; k < cluster->count; k++)
			for (uint32_t i = 0; cluster->blocks[k] && i < cluster->blocks[k]->threads;
			     i++)
				if (cluster->blocks[k]->thread[i].waiting) {
					complete_cluster(t->machine, cluster,
					                 cluster->blocks[k]->thread[i].waiting);
					return true;
				}
	return true;
}
