/* A launch from its start to its end: which thread runs next.
 *
 * With seed 0 blocks start one after another, as far as they do not wait for each other, and each thread
 * runs long: that is the fastest. With another seed all resident blocks start at once; whole blocks have
 * priorities, which change at random times, and threads run for random lengths. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "ptx/exec.h"
#include "ptx/machine.h"

#define LONG_SLICE 4096
#define ROUNDS 8             /* of a block before the next one has its turn */
#define LEAST_STEP 1024      /* of time that is skipped, in ns */
#define LEAST_HOST_NAP 20000 /* ns between looks at words that the host may write */
#define MOST_HOST_NAP 500000
#define NAPS 16 /* between looks at a clock, of threads that go around a loop together */
#define MOST_JUMPS (1u << 20) /* in small steps, before a loop of pauses counts as a hang */

/* --- One thread --------------------------------------------------------------------------------------- */

void weir_ptx_meet(ptx_block *block, weir_ptx_thread *const *threads, unsigned count,
                   const ptx_access *access)
{
	weir_ptx_machine *m = block->machine;
	weir_ptx_end end;

	if (!m->observer || !m->observer->meet || m->failed)
		return;
	end =
	    m->observer->meet(m->observer->context, threads, count, &access->operation, &m->result);
	m->failed |= end != WEIR_PTX_DONE;
	m->result.end = end;
}

static weir_ptx_answered exit_thread(weir_ptx_thread *t)
{
	if (t->flights && !weir_ptx_land_all(t))
		return WEIR_PTX_FAULT;
	weir_ptx_block_on(t, WEIR_PTX_EXITED, NULL);
	if (t->spin)
		t->spin->loop = PTX_NONE;
	t->block->live--;
	t->block->quit += t->pc->imm != 0;
	t->block->exited += t->pc->imm == 0;
	return weir_ptx_after_exit(t) ? WEIR_PTX_SERVED : WEIR_PTX_FAULT;
}

weir_ptx_answered weir_ptx_serve(weir_ptx_thread *t, weir_ptx_event *event)
{
	switch (event->kind) {
	case WEIR_PTX_LOAD:
	case WEIR_PTX_STORE:
	case WEIR_PTX_RMW:
		if (!weir_ptx_serve_access(t, event))
			return WEIR_PTX_FAULT;
		weir_ptx_pass(t, event);
		return WEIR_PTX_SERVED;
	case WEIR_PTX_BAR_SYNC:
	case WEIR_PTX_BAR_ARRIVE:
	case WEIR_PTX_CLUSTER_ARRIVE:
	case WEIR_PTX_CLUSTER_WAIT:
		return weir_ptx_serve_barrier(t, event);
	case WEIR_PTX_WARP_SYNC:
	case WEIR_PTX_WARP_EXCHANGE:
		return weir_ptx_serve_warp(t, event);
	case WEIR_PTX_MBAR_INIT:
	case WEIR_PTX_MBAR_INVAL:
	case WEIR_PTX_MBAR_ARRIVE:
	case WEIR_PTX_MBAR_TEST:
		return weir_ptx_serve_mbarrier(t, event);
	case WEIR_PTX_COPY:
	case WEIR_PTX_COPY_COMMIT:
	case WEIR_PTX_COPY_WAIT:
		return weir_ptx_serve_copy(t, event);
	case WEIR_PTX_EXIT:
		return exit_thread(t);
	case WEIR_PTX_FENCE:
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		weir_ptx_pass(t, event);
		return WEIR_PTX_SERVED;
	default:
		weir_ptx_pass(t, event);
		return WEIR_PTX_SERVED;
	}
}

void weir_ptx_answer(weir_ptx_thread *t, const weir_ptx_event *event)
{
	weir_ptx_pass(t, event);
}

static bool ask(weir_ptx_machine *m, bool after, weir_ptx_thread *t, const weir_ptx_event *event)
{
	weir_ptx_end (*call)(void *, weir_ptx_thread *, const weir_ptx_event *, weir_ptx_result *) =
	    after ? m->observer->after : m->observer->before;
	weir_ptx_end end = call ? call(m->observer->context, t, event, &m->result) : WEIR_PTX_DONE;

	if (end != WEIR_PTX_DONE) {
		m->result.end = end;
		m->failed = true;
	}
	return !m->failed;
}

weir_ptx_kind weir_ptx_advance(weir_ptx_thread *t, bool events, int64_t fuel, weir_ptx_event *event,
                               weir_ptx_answered *answer)
{
	weir_ptx_machine *m = t->machine;
	weir_ptx_kind kind;

	events |= m->observer != NULL;
	if (m->launch.trace)
		kind = events ? weir_ptx_exec_trace_events(t, fuel, event)
		              : weir_ptx_exec_trace_plain(t, fuel, event);
	else
		kind = events ? weir_ptx_exec_events(t, fuel, event)
		              : weir_ptx_exec_plain(t, fuel, event);

	*answer = WEIR_PTX_SERVED;
	if (m->tracing.thread && kind == WEIR_PTX_PREEMPTED && m->tracing.last == t->pc)
		m->tracing.thread = NULL; /* it has not executed it */
	if (kind == WEIR_PTX_PREEMPTED || kind == WEIR_PTX_SUSPECT)
		return kind;
	if (kind == WEIR_PTX_FAILED || (m->observer && !ask(m, false, t, event)))
		return WEIR_PTX_FAILED;
	*answer = weir_ptx_serve(t, event);
	if (*answer == WEIR_PTX_FAULT || (m->observer && *answer == WEIR_PTX_SERVED &&
	                                  kind != WEIR_PTX_EXIT && !ask(m, true, t, event)))
		return WEIR_PTX_FAILED;
	return m->failed ? WEIR_PTX_FAILED : kind;
}

weir_ptx_kind weir_ptx_step(weir_ptx_thread *t, uint32_t limit, weir_ptx_event *event)
{
	weir_ptx_kind kind = weir_ptx_exec_events(t, limit, event);

	if (kind == WEIR_PTX_SUSPECT) {
		t->quiet = INT32_MIN; /* the caller looks for spins itself */
		kind = WEIR_PTX_PREEMPTED;
	}
	return event->kind = kind;
}

/* Runs a thread for a slice: until it waits, exits, spins, or has had its time. */
static void run_thread(weir_ptx_thread *t, int64_t slice)
{
	weir_ptx_machine *m = t->machine;
	weir_ptx_event event;
	weir_ptx_answered answer;

	m->switches++;
	for (int64_t left = slice; left > 0 && t->state == WEIR_PTX_RUNNABLE && !m->failed;
	     left -= PTX_EVENT_COST + m->taken) {
		bool records = t->spin && t->spin->records;
		m->taken = 0;
		switch (weir_ptx_advance(t, records, left, &event, &answer)) {
		case WEIR_PTX_PREEMPTED:
			left = 0;
			break;
		case WEIR_PTX_SUSPECT:
			weir_ptx_suspect(t, (uint32_t)event.value[0]);
			break;
		case WEIR_PTX_FAILED:
		case WEIR_PTX_EXIT:
			break;
		default:
			if (records)
				weir_ptx_record(t, &event, answer);
		}
	}
	if (t->state != WEIR_PTX_SPINNING && !weir_ptx_circles(t, 0))
		m->moved = m->instructions;
}

/* --- Blocks ------------------------------------------------------------------------------------------- */

static uint64_t random_bits(weir_ptx_machine *m)
{
	uint64_t x = m->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static bool must_stop(const weir_ptx_machine *m)
{
	return m->failed || (m->launch.budget && m->instructions > m->launch.budget) ||
	       (m->launch.stop && *m->launch.stop);
}

/* One of the live_count live blocks. */
static ptx_block *live_at(const weir_ptx_machine *m, uint32_t k)
{
	ptx_block *b = m->live[k];

	if (!b)
		__builtin_unreachable();
	return b;
}

/* Threads whose words have changed run again. */
static void wake_spinning(ptx_block *b, bool host)
{
	weir_ptx_machine *m = b->machine;

	if (b->seen == m->epoch && !host)
		return;
	b->seen = m->epoch;
	for (uint32_t w = 0; w < PTX_BLOCK_WORDS; w++)
		for (uint64_t bits = b->spins[w]; bits; bits &= bits - 1) {
			weir_ptx_thread *t = &b->thread[w * 64 + (uint32_t)__builtin_ctzll(bits)];
			if (!weir_ptx_words_stand(t))
				weir_ptx_wake(t);
		}
}

/* Time passes for a thread that waits for it while others run. */
static void wake_due(ptx_block *b)
{
	for (uint32_t w = 0; w < PTX_BLOCK_WORDS; w++)
		for (uint64_t bits = b->spins[w]; bits; bits &= bits - 1) {
			weir_ptx_thread *t = &b->thread[w * 64 + (uint32_t)__builtin_ctzll(bits)];
			if (t->spin->timed && b->machine->instructions >= t->spin->due)
				weir_ptx_wake(t);
		}
}

/* Runs each runnable thread once; false if there was none. */
static bool run_round(ptx_block *b)
{
	weir_ptx_machine *m = b->machine;
	bool any = false;

	wake_spinning(b, false);
	for (uint32_t w = 0; w < PTX_BLOCK_WORDS; w++)
		for (uint64_t bits = b->runnable[w]; bits && !must_stop(m); bits &= bits - 1) {
			weir_ptx_thread *t = &b->thread[w * 64 + (uint32_t)__builtin_ctzll(bits)];
			if (t->state != WEIR_PTX_RUNNABLE)
				continue;
			run_thread(t, m->launch.seed ? 1 + (int64_t)(random_bits(m) % 64)
			                             : LONG_SLICE);
			any = true;
		}
	return any;
}

/* With a seed: a few threads, chosen at random. */
static bool run_some(ptx_block *b)
{
	weir_ptx_machine *m = b->machine;
	bool any = false;

	wake_spinning(b, false);
	for (unsigned k = 0; k < 64 && !must_stop(m) && b->live; k++) {
		uint64_t bits = random_bits(m);
		weir_ptx_thread *t = &b->thread[(bits >> 16) % b->threads];
		if (t->state != WEIR_PTX_RUNNABLE)
			continue;
		run_thread(t, 1 + (int64_t)(bits % 64 ? bits % 48 : bits % 4096));
		any = true;
	}
	return any || run_round(b);
}

static bool close_if_done(weir_ptx_machine *m, ptx_block *b)
{
	if (b->live)
		return false;
	m->finished++;
	weir_ptx_block_close(m, b);
	return true;
}

/* A block that has changed nothing, and may poll what others write, gives way to them. Not under an observer, which
 * examines more of a block's work while the other blocks are far behind. */
static bool gives_way(const weir_ptx_machine *m, uint64_t epoch)
{
	return m->launch.seed && !m->observer && m->epoch == epoch;
}

static bool run_block(ptx_block *b)
{
	weir_ptx_machine *m = b->machine;
	bool any = false;

	if (m->instructions >= m->next_landing)
		weir_ptx_land_due(m, false);
	wake_due(b);
	for (unsigned round = 0; round < ROUNDS && !must_stop(m); round++) {
		uint64_t epoch = m->epoch;
		bool ran = m->launch.seed ? run_some(b) : run_round(b);
		any |= ran;
		if (!b->live || m->failed)
			break;
		if ((!ran || round + 1 == ROUNDS) && weir_ptx_converge(b))
			any = ran = true;
		if (!ran || gives_way(m, epoch))
			break;
	}
	return any;
}

/* --- The whole launch ------------------------------------------------------------------------------- */

static bool can_open(const weir_ptx_machine *m)
{
	return m->started * m->cluster_size < m->blocks &&
	       m->live_count + m->cluster_size <= m->launch.resident;
}

static bool open_next(weir_ptx_machine *m)
{
	if (!weir_ptx_block_open(m, m->started)) {
		m->failed = true;
		m->result.end = WEIR_PTX_NO_MEMORY;
		snprintf(m->result.text, sizeof m->result.text, "no memory for a block");
		return false;
	}
	m->started++;
	return true;
}

/* With a seed the block of the highest priority runs, and at random times others do. */
static bool run_by_priority(weir_ptx_machine *m)
{
	bool any = false;

	for (uint32_t turn = 0; turn < 4 * m->live_count && !m->failed && m->live_count; turn++) {
		uint64_t bits = random_bits(m), epoch;
		uint32_t at = (uint32_t)(bits >> 32) % m->live_count;

		if (bits % 16)
			for (uint32_t k = 0; k < m->live_count; k++)
				at = live_at(m, k)->priority > live_at(m, at)->priority ? k : at;
		if (bits >> 8 & 15) {
			live_at(m, at)->priority -= live_at(m, at)->priority / 8;
		} else {
			for (uint32_t k = 0; k < m->live_count; k++)
				live_at(m, k)->priority = (uint32_t)(random_bits(m) >> 40);
		}
		epoch = m->epoch;
		any |= run_block(live_at(m, at));
		if (gives_way(m, epoch))
			live_at(m, at)->priority /= 2;
		if (!m->failed)
			close_if_done(m, live_at(m, at));
	}
	return any;
}

static bool run_in_order(weir_ptx_machine *m)
{
	bool any = false;

	for (uint32_t k = 0; k < m->live_count && !m->failed;) {
		ptx_block *b = live_at(m, k);
		any |= run_block(b);
		k += m->failed || !close_if_done(m, b);
	}
	return any;
}

typedef struct waiting {
	bool all, timed,
	    host;    /* no thread can change anything; some wait for a time; or for the host */
	bool circle; /* some threads go around a loop in which they meet others */
} waiting;

/* Since when each thread that meets others has to have gone around its loop: none came into its state
 * later, and no other thread has run. */
static uint64_t settled_at(const weir_ptx_machine *m)
{
	uint64_t at = m->moved;

	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < live_at(m, k)->threads; i++) {
			const weir_ptx_thread *t = &live_at(m, k)->thread[i];
			if (t->state != WEIR_PTX_SPINNING && weir_ptx_circles(t, 0) &&
			    t->spin->from > at)
				at = t->spin->from;
		}
	return at;
}

static waiting look(weir_ptx_machine *m)
{
	waiting w = {.all = true};
	uint64_t since;

	/* Not every block has had a turn since memory changed last. */
	for (uint32_t k = 0; k < m->live_count; k++)
		wake_spinning(live_at(m, k), false);
	since = settled_at(m);
	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < live_at(m, k)->threads; i++) {
			const weir_ptx_thread *t = &live_at(m, k)->thread[i];
			bool parked = t->state == WEIR_PTX_SPINNING;
			bool circles = !parked && weir_ptx_circles(t, since);
			w.all &= t->state != WEIR_PTX_RUNNABLE || circles;
			w.timed |= (parked || circles) && t->spin->timed;
			w.host |= (parked || circles) && t->spin->host;
			w.circle |= circles;
		}
	return w;
}

static void wake_all(weir_ptx_machine *m, bool timed)
{
	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < live_at(m, k)->threads; i++) {
			weir_ptx_thread *t = &live_at(m, k)->thread[i];
			if (t->state != WEIR_PTX_SPINNING || !timed || !t->spin->timed)
				continue;
			t->spin->woken = 1 + t->spin->snapshots;
			weir_ptx_wake(t);
		}
	for (uint32_t k = 0; k < m->live_count && !timed; k++)
		wake_spinning(live_at(m, k), true);
}

static bool stopped(weir_ptx_machine *m)
{
	weir_ptx_end end = WEIR_PTX_DONE;

	if (m->launch.stop && *m->launch.stop)
		end = WEIR_PTX_STOPPED;
	else if (m->launch.budget && m->instructions > m->launch.budget)
		end = WEIR_PTX_BUDGET;
	if (end != WEIR_PTX_DONE) {
		m->failed = true;
		m->result.end = end;
		snprintf(m->result.text, sizeof m->result.text,
		         "%s after %llu instructions: no verdict", weir_ptx_end_name(end),
		         (unsigned long long)m->instructions);
	}
	return m->failed;
}

/* Whether a thread that was woken because time has passed has made progress, and does not wait again. */
static bool time_helped(weir_ptx_machine *m)
{
	bool helped = false;

	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < live_at(m, k)->threads; i++) {
			const weir_ptx_thread *t = &live_at(m, k)->thread[i];
			if (!t->spin || !t->spin->woken)
				continue;
			helped |= t->state != WEIR_PTX_SPINNING ||
			          t->spin->woken != 1 + t->spin->snapshots;
			t->spin->woken = 0;
		}
	return helped;
}

/* Time passes in steps that grow while no thread reacts: one wait that ends by a clock may be long,
 * and another short. */
static void pass_time(weir_ptx_machine *m, uint64_t *step, uint32_t *jumps)
{
	if (time_helped(m) && ++*jumps < MOST_JUMPS)
		*step = *step / 4 > LEAST_STEP ? *step / 4 : LEAST_STEP;
	m->jumped += *step;
	*step *= 2;
	wake_all(m, true);
}

static uint64_t host_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Whether a word that a thread polls has changed, as far as they are known. */
static bool host_has_written(weir_ptx_machine *m)
{
	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < live_at(m, k)->threads; i++) {
			weir_ptx_thread *t = &live_at(m, k)->thread[i];
			bool parked = t->state == WEIR_PTX_SPINNING;
			if ((parked && !weir_ptx_words_stand(t)) ||
			    (!parked && weir_ptx_circles(t, 0) &&
			     (!t->spin->recorded || !weir_ptx_words_stand(t))))
				return true;
		}
	return false;
}

/* Sleeps, longer while memory stays the same. The time that passes is also the kernel's. Threads that go
 * around a loop together all have to run until they wait again, so they are left alone for longer. */
static void wait_for_host(weir_ptx_machine *m, waiting w)
{
	uint64_t before = host_ns();

	m->nap = m->nap_epoch != m->epoch ? LEAST_HOST_NAP
	         : m->nap < MOST_HOST_NAP ? m->nap + m->nap / 8
	                                  : MOST_HOST_NAP;
	m->nap_epoch = m->epoch;
	do
		nanosleep(&(struct timespec){.tv_nsec = (long)m->nap}, NULL);
	while (w.circle && !must_stop(m) && !host_has_written(m) &&
	       (!w.timed || host_ns() - before < NAPS * m->nap));
	wake_all(m, false);
	if (w.timed) {
		m->jumped += host_ns() - before;
		wake_all(m, true);
	}
}

/* Nothing can run: blocks that have room start, time passes, the host is waited for; else it is a hang. */
static void unstick(weir_ptx_machine *m, waiting w, uint64_t *step, uint32_t *jumps)
{
	if (can_open(m)) {
		open_next(m);
	} else if (w.host) {
		wait_for_host(m, w);
	} else if (w.timed && *step < UINT64_C(1) << 62) {
		pass_time(m, step, jumps);
	} else {
		weir_ptx_report_hang(m);
	}
}

static void run_machine(weir_ptx_machine *m)
{
	uint64_t epoch = 0, step = LEAST_STEP;
	uint32_t jumps = 0; /* since memory has changed */
	unsigned rounds = 0, idle = 0;

	while (m->finished < m->blocks && !stopped(m)) {
		uint32_t finished = m->finished;
		bool any;

		/* A block may wait for one that has not started: after a while another one starts. */
		while (can_open(m) &&
		       (!m->live_count || m->launch.seed || m->observer || rounds > 16)) {
			rounds = 0;
			if (!open_next(m))
				return;
		}
		any = m->launch.seed ? run_by_priority(m) : run_in_order(m);
		rounds = m->finished == finished ? rounds + 1 : 0;
		idle = m->epoch == epoch ? idle + 1 : 0;
		if (m->epoch != epoch) {
			step = LEAST_STEP;
			jumps = 0;
		}
		epoch = m->epoch;
		if (m->failed || (any && idle < 4))
			continue;
		if (m->flights) {
			weir_ptx_land_due(m, true);
		} else if (m->finished < m->blocks) {
			waiting w = look(m);
			if (w.all && m->live_count)
				unstick(m, w, &step, &jumps);
		}
	}
}

/* --- Machines ----------------------------------------------------------------------------------------- */

static weir_status check_launch(const weir_ptx_machine *m, const ptx_function *f)
{
	const weir_ptx_launch *l = &m->launch;

	for (int i = 0; i < 3; i++) {
		if (!l->grid[i] || !l->block[i] || l->block[i] > 1024)
			return weir_fail(WEIR_BAD_ARGUMENT,
			                 "a grid of %ux%ux%u blocks of %ux%ux%u threads",
			                 l->grid[0], l->grid[1], l->grid[2], l->block[0],
			                 l->block[1], l->block[2]);
		if (l->grid[i] % m->cluster[i])
			return weir_fail(
			    WEIR_BAD_ARGUMENT,
			    "the grid is no multiple of its clusters of %ux%ux%u blocks",
			    m->cluster[0], m->cluster[1], m->cluster[2]);
	}
	if ((uint64_t)l->grid[0] * l->grid[1] * l->grid[2] > UINT32_MAX / 2)
		return weir_fail(WEIR_BAD_ARGUMENT, "the grid has too many blocks");
	if ((uint64_t)l->block[0] * l->block[1] * l->block[2] > 1024 ||
	    (f->max_threads && l->block[0] * l->block[1] * l->block[2] > f->max_threads))
		return weir_fail(WEIR_BAD_ARGUMENT, "%u threads in a block: the kernel allows %u",
		                 l->block[0] * l->block[1] * l->block[2],
		                 f->max_threads ? f->max_threads : 1024u);
	if (f->required_threads && l->block[0] * l->block[1] * l->block[2] != f->required_threads)
		return weir_fail(WEIR_BAD_ARGUMENT, "%u threads in a block: the kernel requires %u",
		                 l->block[0] * l->block[1] * l->block[2], f->required_threads);
	if (m->cluster_size > 16)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "a cluster of %u blocks: at most 16 are allowed", m->cluster_size);
	if (m->program->routines.at[0].local_bytes >
	    (l->stack_bytes ? l->stack_bytes : PTX_STACK_BYTES))
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the kernel needs %u bytes of local memory a thread",
		                 m->program->routines.at[0].local_bytes);
	if (m->program->dynamic_at + l->dynamic_shared > 4u << 20)
		return weir_fail(WEIR_BAD_ARGUMENT, "%zu bytes of dynamic shared memory",
		                 l->dynamic_shared);
	if (f->param_bytes && !l->params)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "the kernel has parameters, and the launch none");
	if (l->resident && l->resident < m->cluster_size)
		return weir_fail(WEIR_BAD_ARGUMENT,
		                 "%u resident blocks cannot hold a cluster of %u", l->resident,
		                 m->cluster_size);
	return WEIR_OK;
}

static void find_stamped(weir_ptx_machine *m, const weir_ptx_module *module)
{
	for (int i = 0; m->launch.stamped && i < WEIR_PTX_STAMPED; i++) {
		const char *name = m->launch.stamped[i];
		uint32_t id = weir_ptx_name_find(module, name, strlen(name));
		uint32_t variable = id == PTX_NONE ? PTX_NONE : module->names.at[id].variable;

		if (variable == PTX_NONE || m->program->shared_of[variable] == PTX_NONE)
			continue;
		m->stamped_at[i] = m->program->shared_of[variable];
		m->stamped_bytes[i] = (uint32_t)module->variables.at[variable].bytes;
	}
}

static bool allocate_machine(weir_ptx_machine *m, const ptx_function *f)
{
	uint32_t accesses = m->program->accesses.count;

	m->params = calloc(f->param_bytes + 16, 1);
	m->hints = malloc((accesses + 1) * sizeof *m->hints);
	m->block = calloc(m->blocks, sizeof *m->block);
	m->live = calloc(m->blocks, sizeof *m->live);
	if (!m->params || !m->hints || !m->block || !m->live)
		return false;
	if (f->param_bytes)
		memcpy(m->params, m->launch.params, f->param_bytes);
	for (uint32_t i = 0; i < accesses; i++)
		m->hints[i] = &m->nowhere;
	return true;
}

weir_status weir_ptx_machine_create(weir_ptx_machine **result, weir_ptx_kernel *kernel,
                                    const weir_ptx_launch *launch)
{
	const ptx_function *f = &kernel->module->functions.at[kernel->function];
	weir_ptx_machine *m = calloc(1, sizeof *m);
	weir_status status;

	*result = NULL;
	if (!m)
		return weir_fail(WEIR_NO_MEMORY, "no memory for a launch");
	m->launch = *launch;
	m->memory = kernel->module->memory;
	m->random = launch->seed;
	m->epoch = 1;
	status = weir_ptx_program(kernel, &m->program);
	m->cluster_size = 1;
	for (int i = 0; i < 3; i++) {
		m->cluster[i] = launch->cluster[i] ? launch->cluster[i]
		                : f->cluster[i]    ? f->cluster[i]
		                                   : 1;
		m->cluster_size *= m->cluster[i];
	}
	if (status == WEIR_OK)
		status = check_launch(m, f);
	if (status == WEIR_OK) {
		m->blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
		m->threads = launch->block[0] * launch->block[1] * launch->block[2];
		if (!launch->resident)
			m->launch.resident = m->blocks;
		if (!launch->units)
			m->launch.units = m->launch.resident;
		find_stamped(m, kernel->module);
		if (!allocate_machine(m, f))
			status = weir_fail(WEIR_NO_MEMORY, "no memory for a launch");
	}
	if (status == WEIR_OK && launch->cooperative) {
		status = weir_ptx_allocate_named(m->memory, 64, WEIR_PTX_WRITTEN, 256,
		                                 "the grid's workspace", false, &m->workspace);
		if (status == WEIR_OK)
			*(uint32_t *)(uintptr_t)m->workspace = 8;
	}
	if (status == WEIR_OK)
		*result = m;
	else
		weir_ptx_machine_destroy(m);
	return status;
}

void weir_ptx_machine_destroy(weir_ptx_machine *m)
{
	if (!m)
		return;
	while (m->live_count)
		weir_ptx_block_close(m, live_at(m, m->live_count - 1));
	for (ptx_block *b = m->spare, *next; b; b = next) {
		next = b->next_spare;
		free(b);
	}
	if (m->workspace)
		weir_ptx_free(m->memory, m->workspace);
	free(m->params);
	free(m->hints);
	free(m->block);
	free(m->live);
	free(m);
}

weir_status weir_ptx_machine_run(weir_ptx_machine *m, const weir_ptx_observer *observer,
                                 weir_ptx_result *result)
{
	m->observer = observer;
	m->scheduled = true;
	m->next_landing = UINT64_MAX;
	run_machine(m);
	if (m->launch.trace) {
		weir_ptx_trace_end(m);
		m->launch.trace(m->launch.trace_context, "", 0);
	}
	m->result.instructions = m->instructions;
	m->result.switches = m->switches;
	*result = m->result;
	return WEIR_OK;
}

weir_status weir_ptx_run(weir_ptx_kernel *kernel, const weir_ptx_launch *launch,
                         weir_ptx_result *result)
{
	weir_ptx_machine *m;
	weir_status status = weir_ptx_machine_create(&m, kernel, launch);

	if (status != WEIR_OK)
		return status;
	status = weir_ptx_machine_run(m, NULL, result);
	weir_ptx_machine_destroy(m);
	return status;
}

/* --- Driven by the caller ----------------------------------------------------------------------------- */

weir_status weir_ptx_block_start(weir_ptx_machine *m, uint32_t index)
{
	uint32_t x, y, z;

	if (index >= m->blocks || m->block[index])
		return weir_fail(WEIR_BAD_ARGUMENT, "block %u is live, or not in the grid", index);
	x = index % m->launch.grid[0] / m->cluster[0];
	y = index / m->launch.grid[0] % m->launch.grid[1] / m->cluster[1];
	z = index / m->launch.grid[0] / m->launch.grid[1] / m->cluster[2];
	x += (y + z * (m->launch.grid[1] / m->cluster[1])) * (m->launch.grid[0] / m->cluster[0]);
	return weir_ptx_block_open(m, x) ? WEIR_OK
	                                 : weir_fail(WEIR_NO_MEMORY, "no memory for a block");
}

weir_ptx_thread *weir_ptx_thread_at(weir_ptx_machine *m, uint32_t block, uint32_t thread)
{
	return block < m->blocks && m->block[block] && thread < m->threads
	           ? &m->block[block]->thread[thread]
	           : NULL;
}

const weir_ptx_result *weir_ptx_machine_result(const weir_ptx_machine *m)
{
	return &m->result;
}

weir_ptx_state weir_ptx_thread_state(const weir_ptx_thread *t)
{
	return t->state;
}

uint32_t weir_ptx_thread_block(const weir_ptx_thread *t)
{
	return t->block->index;
}

uint32_t weir_ptx_thread_index(const weir_ptx_thread *t)
{
	return t->index;
}
