#include "ptx/cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/machine.h"

/* ---- the causes ---- */

#define CAUSES(X)                                                                                  \
	X(missing_block_sync, "missing-block-sync",                                                \
	  "no block sync before a release, or between two uses of shared memory")                  \
	X(missing_sync_after_wait, "missing-block-sync-after-wait",                                \
	  "no block sync after a wait, which orders only its own thread")                          \
	X(missing_warp_sync, "missing-warp-sync",                                                  \
	  "lanes of a warp exchange data through memory without __syncwarp()")                     \
	X(relaxed_flag, "relaxed-flag",                                                            \
	  "a flag is written without a release or read without an acquire")                        \
	X(scope_too_narrow, "scope-too-narrow",                                                    \
	  "the scope of a fence or atomic does not include the other thread")                      \
	X(red_no_acquire, "red-no-acquire",                                                        \
	  "an atomic whose result is unused becomes a red, which never acquires")                  \
	X(plain_flag, "plain-flag",                                                                \
	  "a word is accessed atomically by some threads and plainly by others")                   \
	X(reset_while_polled, "reset-while-polled",                                                \
	  "a counter or flag is reset while others still poll it")                                 \
	X(mixed_size, "mixed-size", "strong accesses of different sizes overlap")                  \
	X(non_atomic_update, "non-atomic-update",                                                  \
	  "threads load, change and store a word where an atomic is needed")                       \
	X(no_sync, "no-sync", "nothing orders the accesses of two blocks")                         \
	X(missing_copy_wait, "missing-copy-wait",                                                  \
	  "nothing waits for an asynchronous copy to complete")                                    \
	X(missing_proxy_fence, "missing-proxy-fence",                                              \
	  "no fence.proxy.async between a bulk copy and earlier accesses")                         \
	X(out_of_bounds, "out-of-bounds", "an access is outside every allocation")                 \
	X(misaligned, "misaligned", "an address is not a multiple of the access's size")           \
	X(wrong_space, "wrong-space",                                                              \
	  "an address belongs to another state space than the instruction")                        \
	X(freed, "use-after-free", "memory is used after it was freed, or after its block ended")  \
	X(never_written, "never-written", "memory is read that was never written")                 \
	X(read_only, "read-only", "the kernel writes to constant memory or parameters")            \
	X(barrier_divergence, "barrier-divergence",                                                \
	  "not all threads of a block reach a barrier, or they disagree about it")                 \
	X(warp_divergence, "warp-divergence",                                                      \
	  "a lane executes a warp operation whose mask does not include it")                       \
	X(mbarrier_misuse, "mbarrier-misuse",                                                      \
	  "an mbarrier is used before its init, or gets too many arrivals")                        \
	X(fault, "fault",                                                                          \
	  "the kernel cannot continue: division by zero, bad call, stack overflow")                \
	X(trap, "trap", "the kernel executed a trap")                                              \
	X(assertion, "assert", "an assertion of the kernel failed")                                \
	X(not_resident, "blocks-not-resident",                                                     \
	  "blocks wait for others, which cannot start until these end")                            \
	X(leftover, "leftover-state",                                                              \
	  "an earlier launch left counters or flags that a later one trips over")                  \
	X(counter_wrap, "counter-wrap",                                                            \
	  "counters that pass 2^31 or 2^32 are compared as if they never did")                     \
	X(plain_poll, "plain-poll",                                                                \
	  "a polling loop reads no memory: the compiler moved the load out of it")                 \
	X(lock_order, "lock-order", "threads take the same locks in different orders")             \
	X(self_deadlock, "self-deadlock", "a thread waits for a lock that its own block holds")    \
	X(not_released, "lock-not-released", "a thread ended without releasing a lock")            \
	X(never_signalled, "never-signalled", "no thread writes the value that is waited for")     \
	X(wrong_result, "wrong-result", "a buffer does not hold the expected contents")            \
	X(unsupported, "unsupported-instruction",                                                  \
	  "the kernel reached an instruction that weir does not support")                          \
	X(budget, "budget", "the execution exceeded its budget of instructions")                   \
	X(not_explored, "not-explored", "some executions were not explored")

enum {
#define X(id, name, what) CAUSE_##id,
	CAUSES(X)
#undef X
	CAUSE_COUNT
};

static const weir_check_cause causes[] = {
#define X(id, name, what) {name, what},
    CAUSES(X)
#undef X
};

const weir_check_cause *weir_check_cause_at(size_t index)
{
	return index < CAUSE_COUNT ? &causes[index] : NULL;
}

static int is_cause(const weir_check_finding *f, int cause)
{
	return f->cause == causes[cause].name;
}

/* ---- places ---- */

void weir_ptx_keep_site(const ptx_namer *namer, const weir_ptx_site *from, weir_ptx_site *to)
{
	*to = *from;
	to->function = from->function ? namer->keep(namer->context, from->function) : NULL;
	to->file = from->file ? namer->keep(namer->context, from->file) : NULL;
	to->inner_file = from->inner_file ? namer->keep(namer->context, from->inner_file) : NULL;
}

static const char *does(const weir_ptx_operation *o, int writes)
{
	switch (o->kind) {
	case WEIR_PTX_LOAD:
		return "reads";
	case WEIR_PTX_STORE:
		return "writes";
	case WEIR_PTX_RMW:
		return "updates";
	case WEIR_PTX_MBAR_INIT:
		return "initializes the mbarrier in";
	case WEIR_PTX_MBAR_INVAL:
		return "invalidates the mbarrier in";
	case WEIR_PTX_MBAR_ARRIVE:
		return "arrives at the mbarrier in";
	case WEIR_PTX_MBAR_TEST:
		return "tests the mbarrier in";
	default:
		return writes ? "copies to" : "copies from";
	}
}

static void fill_place(const weir_ptx_machine *m, const ptx_namer *namer, const ptx_deed *deed,
                       int writes, weir_check_place *place)
{
	const ptx_access *access = &m->program->accesses.at[deed->site];
	const ptx_statement *s = &m->program->module->statements.at[access->statement];
	weir_ptx_site site;

	weir_ptx_operation_site(m, &access->operation, &site);
	weir_ptx_keep_site(namer, &site, &place->site);
	place->block = deed->thread / m->threads;
	place->thread = deed->thread % m->threads;
	place->number = deed->number;
	place->does = does(&access->operation, writes);
	snprintf(place->instruction, sizeof place->instruction, "%.*s", (int)s->name_length,
	         s->name ? s->name : "");
}

/* "histogram.cu:61", or "PTX line 61". */
static const char *at(const weir_check_place *place, char *text, size_t bytes)
{
	const char *slash = place->site.file ? strrchr(place->site.file, '/') : NULL;

	if (place->site.file)
		snprintf(text, bytes, "%s:%u", slash ? slash + 1 : place->site.file,
		         place->site.source_line);
	else
		snprintf(text, bytes, "PTX line %u", place->site.line);
	return text;
}

#define AT(place) at(place, (char[128]){0}, 128)

static int is_one_line(const weir_check_place *a, const weir_check_place *b)
{
	char first[128], second[128];

	return strcmp(at(a, first, sizeof first), at(b, second, sizeof second)) == 0;
}

void weir_ptx_name_object(const weir_ptx_machine *m, const ptx_namer *namer, uint64_t space,
                          uint64_t address, char *text, size_t bytes)
{
	if (!address && space)
		snprintf(text, bytes, "shared memory of block %llu", (unsigned long long)space - 1);
	else if (space && m->blocks > 1)
		snprintf(text, bytes, "shared memory + %llu of block %llu",
		         (unsigned long long)address, (unsigned long long)space - 1);
	else if (space)
		snprintf(text, bytes, "shared memory + %llu", (unsigned long long)address);
	else
		namer->setup->name(namer->setup->context, address, text, bytes);
}

void weir_ptx_name_addresses(const ptx_namer *namer, const char *text, char *named, size_t bytes)
{
	size_t used = 0;

	while (*text && used + 1 < bytes) {
		static const char lanes[] = "lanes ";
		char *end = NULL;
		uint64_t address = strncmp(text, "0x", 2) == 0 ? strtoull(text, &end, 16) : 0;
		int is_mask = used >= sizeof lanes - 1 && strncmp(named + used - (sizeof lanes - 1),
		                                                  lanes, sizeof lanes - 1) == 0;

		if (address >> 24 && !is_mask) {
			namer->setup->name(namer->setup->context, address, named + used,
			                   bytes - used);
			used += strlen(named + used);
			text = end;
		} else {
			named[used++] = *text++;
		}
	}
	named[used] = '\0';
}

/* ---- races ---- */

static const unsigned passes[2][PTX_DETECTORS] = {
    {PTX_RED_ACQUIRES, PTX_WIDE_SCOPES, PTX_ACQUIRES, PTX_RELEASES, PTX_SYNC_BEFORE, PTX_SYNC_AFTER,
     PTX_STRONG, PTX_COPIES_WAITED},
    {PTX_ACQUIRES | PTX_RELEASES, PTX_RED_ACQUIRES | PTX_ACQUIRES,
     PTX_WIDE_SCOPES | PTX_ACQUIRES | PTX_RELEASES, PTX_SYNC_BEFORE | PTX_SYNC_AFTER,
     PTX_RELEASES | PTX_SYNC_BEFORE, PTX_ACQUIRES | PTX_SYNC_AFTER,
     PTX_ACQUIRES | PTX_RELEASES | PTX_SYNC_BEFORE | PTX_SYNC_AFTER,
     PTX_STRONG | PTX_SYNC_BEFORE | PTX_SYNC_AFTER,
     PTX_WIDE_SCOPES | PTX_ACQUIRES | PTX_RELEASES | PTX_SYNC_BEFORE | PTX_SYNC_AFTER,
     PTX_ASSUMPTIONS - 1}};

unsigned weir_ptx_assumptions(unsigned pass, unsigned *assumed)
{
	unsigned count = 0;

	while (count < PTX_DETECTORS && passes[pass][count]) {
		assumed[count] = passes[pass][count];
		count++;
	}
	return count;
}

/* The smallest set of assumptions that orders the pair, 0 for none. */
static unsigned resolving(uint32_t resolved)
{
	for (unsigned i = 0; i < PTX_DETECTORS; i++)
		if (passes[0][i] && resolved >> i & 1)
			return passes[0][i];
	for (unsigned i = 0; i < PTX_DETECTORS; i++)
		if (passes[1][i] && resolved >> (16 + i) & 1)
			return passes[1][i];
	return 0;
}

typedef struct pair {
	const weir_ptx_machine *m;
	const ptx_group *g;
	uint32_t block[2];
	int is_same_block, is_same_warp;
	unsigned needed;
} pair;

static unsigned line_of(const weir_ptx_machine *m, uint32_t site)
{
	weir_ptx_site s;

	weir_ptx_operation_site(m, &m->program->accesses.at[site].operation, &s);
	return s.file ? s.source_line : s.line;
}

/* x[i]++ by several threads: the store of the pair also races with itself. */
static int is_update(const pair *p, const ptx_group *all, unsigned count)
{
	const ptx_group *g = p->g;
	unsigned line = line_of(p->m, g->deed[0].site);
	uint32_t store = g->deed[g->writes[0] ? 0 : 1].site;
	int has_load = g->writes[0] != g->writes[1], has_both = 0;

	if (g->copy[0] || g->copy[1] || line_of(p->m, g->deed[1].site) != line)
		return 0;
	for (unsigned i = 0; i < count; i++) {
		int with_store = all[i].deed[0].site == store || all[i].deed[1].site == store;
		if (!with_store || line_of(p->m, all[i].deed[0].site) != line ||
		    line_of(p->m, all[i].deed[1].site) != line)
			continue;
		has_both |= all[i].writes[0] && all[i].writes[1];
		has_load |= all[i].writes[0] != all[i].writes[1];
	}
	return has_both && has_load;
}

static int resets(const pair *p, const ptx_history *h)
{
	int weak = p->g->strong[0] ? 1 : 0;

	return p->g->writes[weak] && h && h->adds && h->value == h->initial &&
	       h->write.site == p->g->deed[weak].site;
}

static int cause_by_words(const pair *p, const ptx_history *h)
{
	const ptx_group *g = p->g;
	int weak = g->strong[0] ? 1 : 0;
	const weir_ptx_operation *strong =
	    &p->m->program->accesses.at[g->deed[!weak].site].operation;
	const weir_ptx_operation *plain = &p->m->program->accesses.at[g->deed[weak].site].operation;

	if (g->strong[0] && g->strong[1])
		return g->other_size ? CAUSE_mixed_size : CAUSE_scope_too_narrow;
	/* An mbarrier is never made or destroyed atomically. */
	if (g->strong[0] == g->strong[1] || plain->kind == WEIR_PTX_MBAR_INIT ||
	    plain->kind == WEIR_PTX_MBAR_INVAL)
		return -1;
	if (resets(p, h))
		return CAUSE_reset_while_polled;
	/* A plain read of what atomics have summed up is no flag: it only comes too early. */
	if (!g->writes[weak] && strong->kind == WEIR_PTX_RMW)
		return -1;
	return CAUSE_plain_flag;
}

/* The earlier access's thread writes a word strongly behind it, and the later one's reads one before it. */
static int has_own_flag(const pair *p)
{
	const ptx_group *g = p->g;

	return g->has_release && g->release.thread == g->deed[0].thread && g->has_acquire &&
	       g->acquire.thread == g->deed[1].thread;
}

static int cause_by_assumption(const pair *p)
{
	unsigned n = p->needed;

	if (n & PTX_COPIES_WAITED && (p->g->copy[0] || p->g->copy[1]))
		return CAUSE_missing_copy_wait;
	if (n & PTX_RED_ACQUIRES && n != PTX_ASSUMPTIONS - 1 &&
	    (!p->is_same_block || has_own_flag(p)))
		return CAUSE_red_no_acquire;
	if (n & PTX_WIDE_SCOPES && n != PTX_ASSUMPTIONS - 1)
		return CAUSE_scope_too_narrow;
	if (n & PTX_STRONG && n != PTX_ASSUMPTIONS - 1)
		return CAUSE_plain_flag;
	/* Within a block a flag counts only between the two threads themselves. */
	if (p->is_same_block && !has_own_flag(p))
		return -1;
	if (n & (PTX_ACQUIRES | PTX_RELEASES) && n != PTX_ASSUMPTIONS - 1)
		return CAUSE_relaxed_flag;
	if (p->is_same_block)
		return -1;
	if (n & PTX_SYNC_BEFORE && n != PTX_ASSUMPTIONS - 1)
		return CAUSE_missing_block_sync;
	return n & PTX_SYNC_AFTER && n != PTX_ASSUMPTIONS - 1 ? CAUSE_missing_sync_after_wait : -1;
}

/* Whether the program has a block sync between two operations. */
static int has_sync_between(const weir_ptx_machine *m, uint32_t first, uint32_t last)
{
	const ptx_access *accesses = m->program->accesses.at;

	for (uint32_t i = 0; i < m->program->accesses.count; i++)
		if (accesses[i].operation.kind == WEIR_PTX_BAR_SYNC &&
		    accesses[i].statement > accesses[first].statement &&
		    accesses[i].statement < accesses[last].statement)
			return 1;
	return 0;
}

/* A reader whose block has a thread that waits before the read, without a block sync between the two. Returns which access
 * that is, or -1. */
static int unsynced_wait(const pair *p)
{
	const ptx_group *g = p->g;

	for (int k = 1; k >= 0 && !p->is_same_block; k--)
		if (g->has_wait[k] && !g->writes[k] &&
		    !has_sync_between(p->m, g->wait[k].site, g->deed[k].site))
			return k;
	return -1;
}

/* The same for a writer, whose block has a thread that arrives behind the write. */
static int unsynced_arrival(const pair *p)
{
	const ptx_group *g = p->g;

	for (int k = 0; k < 2 && !p->is_same_block; k++)
		if (g->has_arrival[k] && g->writes[k] &&
		    !has_sync_between(p->m, g->deed[k].site, g->arrival[k].site))
			return k;
	return -1;
}

/* Whether the same lines also race between warps: then a sync of the warp would not do. */
static int crosses_warps(const pair *p, const ptx_group *all, unsigned count)
{
	unsigned first = line_of(p->m, p->g->deed[0].site),
		 second = line_of(p->m, p->g->deed[1].site);

	for (unsigned i = 0; i < count; i++) {
		unsigned a = line_of(p->m, all[i].deed[0].site),
			 b = line_of(p->m, all[i].deed[1].site);
		if (all[i].crosses_warps &&
		    ((a == first && b == second) || (a == second && b == first)))
			return 1;
	}
	return 0;
}

static int cause_of(const pair *p, const ptx_group *all, unsigned count, const ptx_history *h)
{
	int cause = cause_by_words(p, h);

	if (p->g->lacks_fence)
		return CAUSE_missing_proxy_fence;
	if (p->g->strong[0] && p->g->strong[1])
		return cause;
	/* A release and an acquire do not keep a word from being set back too early. */
	if (cause == CAUSE_reset_while_polled &&
	    !(p->needed && (p->needed & (PTX_ACQUIRES | PTX_RELEASES)) == p->needed))
		return cause;
	if (cause < 0 || p->needed)
		cause = cause_by_assumption(p) >= 0 ? cause_by_assumption(p) : cause;
	/* Where the program does sync after the wait, the writer's side is at fault. */
	if (cause == CAUSE_missing_sync_after_wait && unsynced_wait(p) < 0 &&
	    unsynced_arrival(p) >= 0)
		return CAUSE_missing_block_sync;
	if (cause >= 0)
		return cause;
	if (is_update(p, all, count))
		return CAUSE_non_atomic_update;
	if (p->is_same_warp && !crosses_warps(p, all, count))
		return CAUSE_missing_warp_sync;
	if (p->is_same_block)
		return CAUSE_missing_block_sync;
	if (unsynced_wait(p) >= 0)
		return CAUSE_missing_sync_after_wait;
	return unsynced_arrival(p) >= 0 ? CAUSE_missing_block_sync : CAUSE_no_sync;
}

static const char *scope_name(const weir_ptx_operation *o)
{
	static const char *const names[] = {"a thread", "the block (cta)", "the cluster (cluster)",
	                                    "the device (gpu)", "the system (sys)"};

	return names[o->scope];
}

/* The operation of a place whose scope is too narrow: one of the two if both are strong; else a release, an acquire, or
 * a fence beside them. */
static const ptx_deed *narrow(const pair *p)
{
	const ptx_group *g = p->g;
	const int are_strong = g->strong[0] && g->strong[1];
	const ptx_deed *deeds[] = {&g->deed[0], &g->deed[1], &g->release,
	                           &g->acquire, &g->fence,   &g->behind};
	const int has[] = {are_strong,     are_strong,   g->has_release,
	                   g->has_acquire, g->has_fence, g->has_behind};
	weir_ptx_scope needed =
	    p->block[0] == p->block[1] ? WEIR_PTX_SCOPE_CTA
	    : p->block[0] / p->m->cluster_size == p->block[1] / p->m->cluster_size
		? WEIR_PTX_SCOPE_CLUSTER
		: WEIR_PTX_SCOPE_GPU;

	for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
		if (has[i] && p->m->program->accesses.at[deeds[i]->site].operation.scope < needed)
			return deeds[i];
	return NULL;
}

/* The plain access of a pair with a strong one: this pair's, or the first that was found. */
static const ptx_deed *plain_access(const ptx_group *g, const ptx_group *all, unsigned count)
{
	for (unsigned i = 0; i < count && g->strong[0] == g->strong[1]; i++)
		if (all[i].strong[0] != all[i].strong[1])
			g = &all[i];
	return g->strong[0] == g->strong[1] ? NULL : &g->deed[g->strong[0] ? 1 : 0];
}

static void say_race(const pair *p, const ptx_namer *namer, weir_check_finding *f)
{
	const weir_check_place *a = &f->access[0], *b = &f->access[1];
	const ptx_group *g = p->g;
	const int with_sync_before = (p->needed & PTX_SYNC_BEFORE) != 0;
	const ptx_deed *deed;
	weir_check_place place = {0};
	const weir_check_place *reader = unsynced_wait(p) == 0 ? a : b;

#define WHY(...) snprintf(f->why, sizeof f->why, __VA_ARGS__)
#define FIX(...) snprintf(f->fix, sizeof f->fix, __VA_ARGS__)
	if (is_cause(f, CAUSE_missing_block_sync) && p->is_same_block) {
		WHY("Nothing orders the two threads of block %u: there is no block sync between "
		    "%s%s%s%s.",
		    a->block, is_one_line(a, b) ? "two rounds of " : "", AT(a),
		    is_one_line(a, b) ? "" : " and ", is_one_line(a, b) ? "" : AT(b));
		if (is_one_line(a, b))
			FIX("__syncthreads() between the rounds of the loop around %s.", AT(a));
		else
			FIX("__syncthreads() between %s and %s; in a loop, also before the next "
			    "round "
			    "writes again.",
			    AT(a), AT(b));
	} else if (is_cause(f, CAUSE_missing_block_sync)) {
		WHY("Block %u's thread %u releases at %s without a block sync after %s, so the "
		    "release covers only the writes of thread %u.",
		    f->release.block, f->release.thread, AT(&f->release),
		    AT(p->needed & PTX_SYNC_BEFORE || unsynced_arrival(p) == 0 ? a : b),
		    f->release.thread);
		FIX("__syncthreads() before %s.", AT(&f->release));
	} else if (is_cause(f, CAUSE_missing_sync_after_wait)) {
		WHY("Block %u's thread %u waits at %s, but thread %u, which %s at %s, does not "
		    "wait "
		    "for it: no block sync follows.",
		    f->acquire.block, f->acquire.thread, AT(&f->acquire), reader->thread,
		    reader->does, AT(reader));
		FIX("__syncthreads() after the wait at %s.", AT(&f->acquire));
	} else if (is_cause(f, CAUSE_missing_warp_sync)) {
		WHY("Nothing orders lanes %u and %u of one warp: since Volta, lanes do not run in "
		    "lockstep. Shuffles and votes do not order memory.",
		    a->thread % 32, b->thread % 32);
		if (is_one_line(a, b))
			FIX("__syncwarp() between the rounds of the loop around %s.", AT(a));
		else
			FIX("__syncwarp() between %s and %s.", AT(a), AT(b));
	} else if (is_cause(f, CAUSE_relaxed_flag)) {
		int lacks_release = (p->needed & PTX_RELEASES) != 0,
		    lacks_acquire = (p->needed & PTX_ACQUIRES) != 0;
		WHY("The flag does not order the data: %s%s%s%s%s.",
		    lacks_release ? "the write at " : "",
		    lacks_release ? AT(g->has_release ? &f->release : a) : "",
		    lacks_release ? " does not release" : "",
		    lacks_release && lacks_acquire ? ", and " : "", "");
		if (lacks_acquire) {
			size_t used = strlen(f->why) - 1;
			snprintf(f->why + used, sizeof f->why - used,
			         "the read at %s does not acquire.",
			         AT(g->has_acquire ? &f->acquire : b));
		}
		if (lacks_release && lacks_acquire)
			FIX("__threadfence() before %s and after %s, or memory_order_release "
			    "there and memory_order_acquire here.",
			    AT(g->has_release ? &f->release : a),
			    AT(g->has_acquire ? &f->acquire : b));
		else if (lacks_release)
			FIX("__threadfence() before %s, or memory_order_release there.",
			    AT(g->has_release ? &f->release : a));
		else
			FIX("__threadfence() after %s, or memory_order_acquire there.",
			    AT(g->has_acquire ? &f->acquire : b));
	} else if (is_cause(f, CAUSE_scope_too_narrow)) {
		deed = narrow(p);
		if (deed) {
			fill_place(p->m, namer, deed, 1, &place);
			WHY("%s at %s has the scope of %s, which does not include both "
			    "threads.",
			    place.instruction, AT(&place),
			    scope_name(&p->m->program->accesses.at[deed->site].operation));
			if (strstr(place.instruction, "membar") ||
			    strstr(place.instruction, "fence"))
				FIX("a fence of thread_scope_device, or __threadfence() instead of "
				    "__threadfence_block(), at %s.",
				    AT(&place));
			else
				FIX("thread_scope_device at %s, or the atomic without _block in "
				    "its name.",
				    AT(&place));
		} else {
			WHY("The synchronization between %s and %s has the scope of its block, "
			    "which "
			    "does not include both threads.",
			    AT(a), AT(b));
			FIX("a scope that includes both: thread_scope_device, or __threadfence() "
			    "instead of __threadfence_block().");
		}
	} else if (is_cause(f, CAUSE_red_no_acquire)) {
		WHY("The atomic at %s is compiled to red, since its result is not used: a red "
		    "never acquires, not even with a fence behind it.",
		    AT(g->has_acquire ? &f->acquire : b));
		FIX("use the result of the atomic, or read the word with "
		    "memory_order_acquire after %s.",
		    AT(g->has_acquire ? &f->acquire : b));
	} else if (is_cause(f, CAUSE_plain_flag)) {
		WHY("%s is a plain access to %s other threads access atomically: it may be torn, "
		    "cached or moved, "
		    "and it orders nothing.",
		    AT(f->release.does ? &f->release : a),
		    g->strong[0] != g->strong[1] ? "a word that" : "the flag between them, which");
		FIX("use cuda::atomic_ref, or an atomic function, for every access to the flag: a "
		    "release where it is set, an acquire where it is read.");
	} else if (is_cause(f, CAUSE_reset_while_polled)) {
		const weir_check_place *weak = g->strong[0] ? b : a, *strong = g->strong[0] ? a : b;
		WHY("%s resets the word while block %u may still poll it at %s: a reader that "
		    "looks too late never sees the value that it waits for.",
		    AT(weak), strong->block, AT(strong));
		FIX("let the word keep counting (a generation), or reset it in another launch.");
	} else if (is_cause(f, CAUSE_mixed_size)) {
		WHY("%s and %s access different bytes of the same word. PTX defines no value for "
		    "that, whatever their orders.",
		    AT(a), AT(b));
		FIX("access the word with one size everywhere.");
	} else if (is_cause(f, CAUSE_non_atomic_update)) {
		WHY("%s loads, changes and stores the word in several threads at once, so updates "
		    "are lost.",
		    AT(b));
		FIX("atomicAdd, or another atomic, at %s.", AT(b));
	} else if (is_cause(f, CAUSE_missing_copy_wait)) {
		WHY("Nothing makes sure that the copy started at %s has completed.",
		    AT(g->copy[0] ? a : b));
		FIX("wait for the copy (cp.async.wait_group, or its mbarrier) and "
		    "__syncthreads() before %s.",
		    AT(g->copy[0] ? b : a));
	} else if (is_cause(f, CAUSE_missing_proxy_fence)) {
		WHY("The bulk copy at %s goes through the async proxy. The write at %s comes "
		    "before it, and is "
		    "not visible there without a proxy fence.",
		    AT(b), AT(a));
		FIX("fence.proxy.async (cuda::ptx::fence_proxy_async) by the thread that writes, "
		    "after %s and "
		    "before the sync that the copying thread waits for.",
		    AT(a));
	} else if (p->block[0] != p->block[1]) {
		WHY("Blocks %u and %u do not synchronize between %s and %s: no release by one is "
		    "acquired by the other.",
		    a->block, b->block, AT(a), AT(b));
		FIX("a grid barrier, or a flag with release and acquire, between the two.");
	}
	if (with_sync_before && p->needed != PTX_SYNC_BEFORE && !p->is_same_block &&
	    f->release.does && p->needed != PTX_ASSUMPTIONS - 1 &&
	    !is_cause(f, CAUSE_missing_block_sync)) {
		size_t used = strlen(f->fix);
		snprintf(f->fix + used, sizeof f->fix - used,
		         " A __syncthreads() before %s is missing as well.", AT(&f->release));
	}
#undef WHY
#undef FIX
}

/* Where a block sync is missing: before the fence that the release begins with, or after another thread's wait. */
static void place_sync(const pair *p, const ptx_namer *namer, weir_check_finding *f)
{
	const ptx_group *g = p->g;
	int waits = unsynced_wait(p);
	int arrives = unsynced_arrival(p);

	/* It arrived before the write was made at all. */
	if (is_cause(f, CAUSE_missing_block_sync) && !(p->needed & PTX_SYNC_BEFORE) &&
	    arrives >= 0) {
		fill_place(p->m, namer, &g->arrival[arrives], 1, &f->release);
		return;
	}
	if (is_cause(f, CAUSE_missing_block_sync) && g->has_fence && g->has_release &&
	    g->fence.thread == g->release.thread && g->fence.number < g->release.number)
		fill_place(p->m, namer, &g->fence, 1, &f->release);
	if (is_cause(f, CAUSE_missing_sync_after_wait) && waits >= 0)
		fill_place(p->m, namer, &g->wait[waits], 0, &f->acquire);
}

void weir_ptx_explain_race(const weir_ptx_machine *m, const ptx_namer *namer, const ptx_group *g,
                           const ptx_group *all, unsigned count, uint32_t resolved,
                           const ptx_history *history, weir_check_finding *f)
{
	pair p = {.m = m, .g = g, .needed = resolving(resolved)};

	for (int k = 0; k < 2; k++) {
		fill_place(m, namer, &g->deed[k], g->writes[k], &f->access[k]);
		p.block[k] = f->access[k].block;
	}
	p.is_same_block = p.block[0] == p.block[1];
	p.is_same_warp = p.is_same_block && f->access[0].thread / 32 == f->access[1].thread / 32;
	if (g->has_release)
		fill_place(m, namer, &g->release, 1, &f->release);
	else if (g->has_fence)
		fill_place(m, namer, &g->fence, 1, &f->release);
	if (g->has_acquire)
		fill_place(m, namer, &g->acquire, 0, &f->acquire);
	f->kind = WEIR_CHECK_RACE;
	f->accesses = 2;
	f->count = g->count;
	f->pairs = 1;
	f->cause = causes[cause_of(&p, all, count, history)].name;
	place_sync(&p, namer, f);
	if (is_cause(f, CAUSE_plain_flag)) {
		const ptx_deed *plain = plain_access(g, all, count);
		f->acquire = (weir_check_place){0};
		f->release = f->acquire;
		if (plain)
			fill_place(m, namer, plain, 1, &f->release);
	}
	snprintf(f->object, sizeof f->object, "%s", g->object);
	snprintf(f->what, sizeof f->what,
	         "block %u thread %u %s %s (%s) while block %u thread %u %s it (%s)",
	         f->access[1].block, f->access[1].thread, f->access[1].does, f->object,
	         AT(&f->access[1]), f->access[0].block, f->access[0].thread, f->access[0].does,
	         AT(&f->access[0]));
	say_race(&p, namer, f);
}

/* ---- ends ---- */

static int cause_of_end(weir_ptx_end end)
{
	switch (end) {
	case WEIR_PTX_UNSUPPORTED:
		return CAUSE_unsupported;
	case WEIR_PTX_OUT_OF_BOUNDS:
		return CAUSE_out_of_bounds;
	case WEIR_PTX_MISALIGNED:
		return CAUSE_misaligned;
	case WEIR_PTX_WRONG_SPACE:
		return CAUSE_wrong_space;
	case WEIR_PTX_FREED:
		return CAUSE_freed;
	case WEIR_PTX_NEVER_WRITTEN:
		return CAUSE_never_written;
	case WEIR_PTX_READ_ONLY:
		return CAUSE_read_only;
	case WEIR_PTX_BARRIER:
		return CAUSE_barrier_divergence;
	case WEIR_PTX_WARP:
		return CAUSE_warp_divergence;
	case WEIR_PTX_MBARRIER:
		return CAUSE_mbarrier_misuse;
	case WEIR_PTX_TRAP:
		return CAUSE_trap;
	case WEIR_PTX_ASSERT:
		return CAUSE_assertion;
	case WEIR_PTX_HANG:
		return CAUSE_never_signalled;
	case WEIR_PTX_BUDGET:
	case WEIR_PTX_STOPPED:
	case WEIR_PTX_NO_MEMORY:
		return CAUSE_budget;
	default:
		return CAUSE_fault;
	}
}

static const char *fix_of(int cause, const weir_ptx_result *result)
{
	switch (cause) {
	case CAUSE_out_of_bounds:
		return "check the index against the size of the buffer, and the arguments of this "
		       "check.";
	case CAUSE_never_written:
		return "write it first, or give the buffer its contents (--buffer BYTES=PATTERN).";
	case CAUSE_barrier_divergence:
		return "let every thread of the block reach the barrier: no return or branch "
		       "around it.";
	case CAUSE_warp_divergence:
		return "let the mask name exactly the lanes that execute it.";
	case CAUSE_mbarrier_misuse:
		return "initialize the mbarrier with the number of arrivals of a phase, then "
		       "__syncthreads(), before its first use.";
	case CAUSE_freed:
		return strstr(result->text, "was freed")
		           ? "free the memory only after its last reader."
		           : "wait for the other blocks of the cluster (cluster.sync()) before a "
		             "block ends whose shared memory they use.";
	case CAUSE_unsupported:
		return "nothing after this instruction was checked. Check the part of the kernel "
		       "without it.";
	case CAUSE_budget:
		return "check a smaller problem, or raise --budget.";
	default:
		return "";
	}
}

/* A thread that polls, or NULL; the next one behind `from`. */
static const weir_ptx_thread *next_polling(const weir_ptx_machine *m, uint32_t *from)
{
	for (; *from < m->blocks * m->threads; (*from)++) {
		const ptx_block *b = m->block[*from / m->threads];
		const weir_ptx_thread *t = b ? &b->thread[*from % m->threads] : NULL;
		int is_stuck =
		    t && t->spin && (t->state == WEIR_PTX_SPINNING || weir_ptx_circles(t, 0));
		if (is_stuck) {
			(*from)++;
			return t;
		}
	}
	return NULL;
}

static const ptx_history *polled(const ptx_watch *w, const weir_ptx_thread *t)
{
	const ptx_word *word = &t->spin->word[0];

	return t->spin->words
	           ? weir_ptx_watch_history(
			 w, word->owner == PTX_NONE ? 0 : 1 + (uint64_t)word->owner, word->address)
	           : NULL;
}

static uint32_t block_of(const weir_ptx_machine *m, const ptx_history *h)
{
	return h->write.thread / m->threads;
}

static int has_ended(const weir_ptx_machine *m, uint32_t thread)
{
	const ptx_block *b = m->block[thread / m->threads];

	return !b || b->thread[thread % m->threads].state == WEIR_PTX_EXITED;
}

/* Whether a thread of the block that wrote the word last polls another word, last written by `block`. */
static int is_cycle(const weir_ptx_machine *m, const ptx_watch *w, const ptx_history *h,
                    uint32_t block)
{
	const weir_ptx_thread *t;
	uint32_t from = 0;

	while ((t = next_polling(m, &from))) {
		const ptx_history *other = polled(w, t);
		if (t->block->index == block_of(m, h) && other && other != h && other->has_write &&
		    block_of(m, other) == block && other->is_taken && h->is_taken)
			return 1;
	}
	return 0;
}

static int cause_of_hang(const weir_ptx_machine *m, const ptx_watch *w, const weir_ptx_thread **at,
                         const ptx_history **history)
{
	uint32_t from = 0;
	const weir_ptx_thread *t;

	*at = NULL;
	*history = NULL;
	while ((t = next_polling(m, &from))) {
		const ptx_history *h = polled(w, t);
		if (!*at) {
			*at = t;
			*history = h;
		}
		if (m->started * m->cluster_size < m->blocks)
			return CAUSE_not_resident;
		if (!t->spin->words) {
			*at = t;
			*history = NULL;
			return CAUSE_plain_poll;
		}
		if (!h || !h->has_write)
			continue;
		*at = t;
		*history = h;
		if (h->adds && !h->is_add && h->value == h->initial)
			return CAUSE_reset_while_polled;
		if (has_ended(m, h->write.thread) && h->is_taken && h->value != h->initial)
			return CAUSE_not_released;
		if (block_of(m, h) == t->block->index && h->is_taken)
			return CAUSE_self_deadlock;
		if (is_cycle(m, w, h, t->block->index))
			return CAUSE_lock_order;
	}
	return m->started * m->cluster_size < m->blocks ? CAUSE_not_resident
	                                                : CAUSE_never_signalled;
}

static void explain_hang(const weir_ptx_machine *m, const ptx_namer *namer, const ptx_watch *w,
                         weir_check_finding *f)
{
	const weir_ptx_thread *t;
	const ptx_history *h;
	weir_check_place last = {0};
	int cause = cause_of_hang(m, w, &t, &h);
	uint32_t waiting = m->blocks - m->started * m->cluster_size;

	f->cause = causes[cause].name;
	if (t) {
		weir_ptx_site site;
		weir_ptx_thread_site(t, &site);
		weir_ptx_keep_site(namer, &site, &f->access[0].site);
		f->access[0].block = t->block->index;
		f->access[0].thread = t->index;
		f->access[0].does = "polls";
		f->accesses = 1;
	}
	if (t && t->spin->words)
		weir_ptx_name_object(
		    m, namer,
		    t->spin->word[0].owner == PTX_NONE ? 0 : 1 + (uint64_t)t->spin->word[0].owner,
		    t->spin->word[0].address, f->object, sizeof f->object);
	if (h && h->has_write) {
		fill_place(m, namer, &h->write, 1, &last);
		f->access[1] = last;
		f->accesses = 2;
	}
#define WHY(...) snprintf(f->why, sizeof f->why, __VA_ARGS__)
#define FIX(...) snprintf(f->fix, sizeof f->fix, __VA_ARGS__)
	switch (cause) {
	case CAUSE_not_resident:
		WHY("%u of %u blocks have not started, and the blocks that run wait for them. A "
		    "block makes room only when it ends.",
		    waiting, m->blocks);
		FIX("launch no more blocks than fit at once (cooperative launch, "
		    "cudaOccupancyMaxActiveBlocksPerMultiprocessor), or let blocks take work from "
		    "a counter.");
		break;
	case CAUSE_plain_poll:
		WHY("The loop at %s reads no memory: the word is not volatile or atomic, so the "
		    "compiler loads it once, before the loop.",
		    AT(&f->access[0]));
		FIX("poll with cuda::atomic_ref(...).load(memory_order_acquire), or through a "
		    "volatile pointer and with __threadfence() after it.");
		break;
	case CAUSE_reset_while_polled:
		WHY("%s was reset to %llu at %s by block %u thread %u before block %u saw the "
		    "value that it polls for at %s.",
		    f->object, (unsigned long long)h->value, AT(&last), last.block, last.thread,
		    f->access[0].block, AT(&f->access[0]));
		FIX("let the word keep counting (a generation), or reset it in another launch.");
		break;
	case CAUSE_self_deadlock:
		WHY("Block %u thread %u polls %s at %s, which its own block took last, at %s.",
		    f->access[0].block, f->access[0].thread, f->object, AT(&f->access[0]),
		    AT(&last));
		FIX("release it on every path, and never take it twice in a block.");
		break;
	case CAUSE_not_released:
		WHY("Block %u thread %u took %s at %s and has ended without releasing it; block "
		    "%u polls it at %s.",
		    last.block, last.thread, f->object, AT(&last), f->access[0].block,
		    AT(&f->access[0]));
		FIX("release the lock on every path: look for a return, break or continue.");
		break;
	case CAUSE_lock_order:
		WHY("Block %u polls %s at %s, which block %u holds; that block in turn polls one "
		    "that block %u holds.",
		    f->access[0].block, f->object, AT(&f->access[0]), last.block,
		    f->access[0].block);
		FIX("take the locks in the same order everywhere.");
		break;
	default:
		if (h && h->has_write)
			WHY("The last change of %s was by block %u thread %u at %s, to %llu.",
			    f->object, last.block, last.thread, AT(&last),
			    (unsigned long long)h->value);
		else if (f->object[0])
			WHY("No thread has changed %s.", f->object);
		FIX("compare the number of arrivals with the number that the wait expects, and "
		    "look for paths on which a thread does not arrive.");
	}
#undef WHY
#undef FIX
}

void weir_ptx_explain_end(const weir_ptx_machine *m, const ptx_namer *namer, const ptx_watch *w,
                          const weir_ptx_result *result, weir_check_finding *f)
{
	int cause = cause_of_end(result->end);
	char text[sizeof result->text];
	int has_place = result->end != WEIR_PTX_HANG && result->end != WEIR_PTX_BUDGET &&
	                result->end != WEIR_PTX_STOPPED;
	const char *says;
	const uint32_t *grid = m->launch.grid, *block = m->launch.block;

	f->kind = result->end == WEIR_PTX_HANG                          ? WEIR_CHECK_HANG
	          : cause == CAUSE_unsupported || cause == CAUSE_budget ? WEIR_CHECK_INCOMPLETE
	                                                                : WEIR_CHECK_FAULT;
	f->cause = causes[cause].name;
	f->count = 1;
	weir_ptx_name_addresses(namer, result->text, text, sizeof text);
	says = strstr(text, ": block (");
	snprintf(f->what, sizeof f->what, "%s", text);
	if (has_place) {
		weir_ptx_keep_site(namer, &result->site, &f->access[0].site);
		f->access[0].block =
		    result->block[0] + grid[0] * (result->block[1] + grid[1] * result->block[2]);
		f->access[0].thread = result->thread[0] +
		                      block[0] * (result->thread[1] + block[1] * result->thread[2]);
		f->access[0].does = "is at";
		memcpy(f->access[0].instruction, result->instruction,
		       sizeof f->access[0].instruction);
		f->accesses = 1;
		/* "end: block (0,0,0) thread (5,0,0) at PLACE, INSTRUCTION: what". */
		if (says) {
			const char *place = strstr(says, " at ");
			const char *what = place ? strstr(place, ": ") : NULL;
			snprintf(f->what, sizeof f->what, "block %u thread %u: %s (%s, %s)",
			         f->access[0].block, f->access[0].thread,
			         what ? what + 2 : weir_ptx_end_name(result->end),
			         AT(&f->access[0]), f->access[0].instruction);
		} else {
			snprintf(f->what, sizeof f->what, "block %u thread %u: %s (%s)",
			         f->access[0].block, f->access[0].thread, text, AT(&f->access[0]));
		}
	}
	snprintf(f->why, sizeof f->why, "%c%s.", causes[cause].what[0] - 'a' + 'A',
	         causes[cause].what + 1);
	snprintf(f->fix, sizeof f->fix, "%s", fix_of(cause, result));
	if (result->end == WEIR_PTX_UNSUPPORTED && strstr(result->text, "no module defines")) {
		snprintf(f->why, sizeof f->why,
		         "The PTX declares this function and does not define it.");
		snprintf(f->fix, sizeof f->fix,
		         "compile the file that defines it together with this one.");
	}
	if (result->end == WEIR_PTX_HANG)
		explain_hang(m, namer, w, f);
}
