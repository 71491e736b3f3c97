/* The contenders of a match. */
#include "compare/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "driver/driver.h"
#include "measure/meter.h"
#include "measure/pattern.h"
#include "measure/programs.h"
#include "output/figure.h"
#include "weir/kind.h"

extern const void *const bench_cuda_image;
extern const void *const peers_cuda_image;

enum how {
	ONE_LAUNCH,
	STREAM,
	GRAPH
};

#define GRID_SYNC "grid.sync()"
#define SEMAPHORES "two semaphores"

/* A row: a kernel with one launch of all blocks, unless the last members say otherwise. */
#define ROW(primitive, role, called, name, start, remark, ...)                                     \
	{                                                                                          \
		WEIR_PRIMITIVE_##primitive, WEIR_ROLE_##role, called, name, start, .note = remark, \
										   __VA_ARGS__     \
	}
#define PEER(primitive, called, name, start, remark, ...)                                          \
	ROW(primitive, PEER, called, name, start, remark, __VA_ARGS__)
/* Flags as people write them: NAME_ring and so on, one kernel for each pattern of events. */
#define FLAG(called, name, remark) PEER(EVENT_ARRAY, called, name, "flags_start", remark)
#define ONE_HOP(primitive)                                                                         \
	ROW(primitive, FLOOR, "one hop", "hop", "hop_start",                                       \
	    "floor; release to acquire, two blocks", .blocks = 2)
#define RELAUNCH(called, way)                                                                      \
	ROW(BARRIER, OUTSIDE, called, "relaunch", NULL,                                            \
	    "empty kernels; blocks lose registers and shared memory", .how = way)

/* The peers in bench/peers; a row is a kernel there, or one for each pattern. */
static const struct peer {
	enum weir_primitive primitive;
	enum weir_role role;
	const char *name;
	const char *kernel; /* NULL: exists only for blocks that are busy before a barrier */
	const char *start;  /* the kernel that makes the object, or NULL */
	const char *note;
	enum how how;
	const char *busy; /* the kernel for busy blocks; NULL: none */
	uint32_t blocks;  /* 0: as in the match */
	int is_fair;
} peers[] = {
    PEER(BARRIER, GRID_SYNC, "grid_sync", NULL, "", .busy = "grid_sync_busy"),
    PEER(BARRIER, "cuda::barrier", "cuda_barrier", "cuda_barrier_start", "",
         .busy = "cuda_barrier_busy"),
    PEER(BARRIER, "by hand", NULL, "hand_start", "one counter, volatile polls",
         .busy = "hand_busy"),
    RELAUNCH("relaunch in a stream", STREAM),
    RELAUNCH("relaunch as a graph", GRAPH),
    ROW(BARRIER, FLOOR, "unordered counter", "unordered", "unordered_start",
        "floor; incorrect: orders no memory"),
    ONE_HOP(BARRIER),
    ROW(BARRIER, WORK, "work alone", "work_alone", NULL, ""),
    ROW(BARRIER, SPLIT_PEER, "split grid.sync()", "grid_split", NULL, ""),
    PEER(MUTEX, "cuda::binary_semaphore", "binary_semaphore", "binary_semaphore_start", ""),
    ONE_HOP(MUTEX),
    PEER(SEMAPHORE, "cuda::counting_semaphore", "counting_semaphore", "counting_semaphore_start",
         ""),
    ONE_HOP(SEMAPHORE),
    FLAG("add and acquire.sys", "system", "sleeps 10 ns"),
    FLAG("fence and volatile", "fence", "sleeps 20 ns"),
    FLAG("red and acquire", "acquire", "no pause"),
    FLAG("cuda::atomic_ref", "atomic", "no pause"),
    PEER(QUEUE, "broker queue", "broker", "queue_start", "by thread"),
    PEER(QUEUE, "ring under a mutex", "ring", "queue_start", "by block"),
    PEER(DISPENSER, "atomicAdd", "counter", "queue_start", "zeroed before each launch"),
    PEER(TASKS, "layers and weir's barrier", "layers_barrier", "queue_start", ""),
    PEER(TASKS, "layers and " GRID_SYNC, "layers_grid_sync", NULL, ""),
    PEER(RWLOCK, "weir's mutex", "rw_mutex", "locks_start", ""),
    PEER(RWLOCK, "one word by hand", "rw_word", "locks_start", "writers may starve"),
    PEER(CONDITION, "polls under the mutex", "poll", "locks_start", ""),
    PEER(CONDITION, SEMAPHORES, "semaphores", "semaphores_start", ""),
    PEER(ONCE, "cuda::atomic_ref", "atomic", "locks_start", "load acquire, compare-and-swap"),
    PEER(COMBINER, "weir's mutex", "mutex", "locks_start", ""),
    PEER(COMBINER, "cuda::binary_semaphore", "libcu", "binary_semaphore_start", ""),
    ONE_HOP(EVENT_ARRAY),
};

/* The peers on the host: bench/peers/threads.h. */
static const struct peer host_peers[] = {
    PEER(MUTEX, "pthread_mutex", "pthread_mutex", "pthread_mutex_start", "unfair"),
    PEER(MUTEX, "tickets by pthread_cond", "turnstile_mutex", "turnstile_start",
         "in the order of arrival", .is_fair = 1),
    PEER(BARRIER, "pthread_barrier", "pthread_barrier", "pthread_barrier_start", "",
         .busy = "pthread_barrier_busy"),
    PEER(RWLOCK, "pthread_rwlock", "pthread_rwlock", "pthread_rwlock_start", ""),
    PEER(RWLOCK, "tickets by pthread_cond", "turnstile_rwlock", "turnstile_rwlock_start",
         "in the order of arrival", .is_fair = 1),
    PEER(QUEUE, "ring by pthread_cond", "threads_ring", "threads_ring_start", "by thread"),
};

enum {
	PEER_COUNT = sizeof peers / sizeof peers[0],
	HOST_PEER_COUNT = sizeof host_peers / sizeof host_peers[0],
	ANY = -1,
	OTHERS = 2,       /* the default and its split form */
	BARRIER_BITS = 16 /* twice 2^16 zeroed words are enough for any barrier */
};

static int is_split(enum weir_role role)
{
	return role == WEIR_ROLE_SPLIT || role == WEIR_ROLE_SPLIT_PEER || role == WEIR_ROLE_WORK;
}

static weir_contender *add(weir_match *match, enum weir_role role, const char *note)
{
	weir_contender *contender = &match->contenders[match->count++];

	memset(contender, 0, sizeof *contender);
	contender->role = role;
	contender->note = note;
	contender->result = match->wanted;
	return contender;
}

/* The fastest of a role; if is_fair is 0 or 1, only among contenders with that fairness. */
static const weir_contender *best_of(const weir_match *match, enum weir_role role, int is_fair)
{
	const weir_contender *best = NULL;

	for (size_t i = 0; i < match->count; i++) {
		const weir_contender *contender = &match->contenders[i];
		if (contender->role == role && contender->done &&
		    (is_fair == ANY || contender->is_fair == is_fair) &&
		    (!best || contender->result.per_second > best->result.per_second))
			best = contender;
	}
	return best;
}

const weir_contender *weir_match_best(const weir_match *match, enum weir_role role)
{
	return best_of(match, role, ANY);
}

const weir_contender *weir_match_counterpart(const weir_match *match,
                                             const weir_contender *contender)
{
	const weir_contender *fair = best_of(match, WEIR_ROLE_PEER, 1);

	return contender->is_fair && fair ? fair : weir_match_best(match, WEIR_ROLE_PEER);
}

/* The fastest contender with which `contender` can be compared. */
static const weir_contender *best_rival(const weir_match *match, const weir_contender *contender)
{
	int is_fair = contender->is_fair && best_of(match, WEIR_ROLE_PEER, 1) != NULL;
	const weir_contender *peer = weir_match_counterpart(match, contender);
	const weir_contender *kind =
	    is_fair ? best_of(match, WEIR_ROLE_KIND, 1) : weir_match_best(match, WEIR_ROLE_KIND);

	return !peer || (kind && kind->result.per_second > peer->result.per_second) ? kind : peer;
}

/* Whether two matches differ at most in their blocks. */
static int is_alike(const weir_match *match, const weir_match *other)
{
	return match->wanted.initial == other->wanted.initial &&
	       match->wanted.pattern == other->wanted.pattern &&
	       match->wanted.threads == other->wanted.threads &&
	       match->busy.stores == other->busy.stores &&
	       match->busy.uneven_us == other->busy.uneven_us;
}

/* Whether a kind was hopeless with fewer blocks already: if an operation takes milliseconds, one
 * operation by each block may take minutes. */
static int was_hopeless(const weir_tournament *tournament, const weir_match *current,
                        weir_contender *contender)
{
	enum {
		HOPELESS = 50
	};
	const weir_point *wanted = &contender->result;

	for (size_t i = 0; i < tournament->count; i++) {
		const weir_match *match = &tournament->matches[i];
		const weir_contender *best = best_rival(match, contender);
		if (!best || !is_alike(match, current) || match->wanted.blocks >= wanted->blocks)
			continue;
		for (size_t j = 0; j < match->count; j++) {
			const weir_contender *before = &match->contenders[j];
			if (before->role != WEIR_ROLE_KIND || before->done == 0 ||
			    before->result.kind != wanted->kind ||
			    before->result.per_second * HOPELESS > best->result.per_second)
				continue;
			snprintf(contender->left_out, sizeof contender->left_out,
			         "left out: %.0f times slower than the best at %s",
			         best->result.per_second / before->result.per_second,
			         weir_count_figure(match->wanted.blocks, "block").text);
			return 1;
		}
	}
	return 0;
}

static weir_status find_cost(weir_contender *contender, const void *image, const char *kernel)
{
	const weir_subject *subject = &contender->subject;

	return weir_kernel_cost(subject->meter->device, &subject->meter->info, image, kernel,
	                        subject->kernel, subject->wanted.threads, &contender->cost);
}

static int is_fair(enum weir_primitive primitive, uint32_t value)
{
	const weir_kind *kind = value ? weir_kind_find(primitive, value) : NULL;

	/* Every reader-writer lock serves its writers in the order of arrival. */
	return kind && (kind->fair == WEIR_FAIR || primitive == WEIR_PRIMITIVE_RWLOCK);
}

/* Uses the backoff of the profile, or of the library if the profile has none. */
static weir_status add_kind(weir_tournament *tournament, weir_match *match, enum weir_role role,
                            uint32_t kind)
{
	weir_contender *contender = add(match, role, "");
	weir_point wanted = match->wanted;
	char kernel[64];

	wanted.kind = kind;
	contender->result.kind = kind;
	contender->is_fair = is_fair(wanted.primitive, kind);
	snprintf(contender->name, sizeof contender->name, "%s",
	         weir_kind_name(wanted.primitive, kind));
	if (role == WEIR_ROLE_KIND && was_hopeless(tournament, match, contender))
		return WEIR_OK;
	weir_status status =
	    weir_subject_create(tournament->meter, &wanted, NULL, &contender->subject);
	if (status != WEIR_OK)
		return weir_contender_leave_out(contender, status);
	status = find_cost(
	    contender, bench_cuda_image,
	    weir_bench_kernel_name(wanted.primitive, weir_subject_kernel_kind(&contender->subject),
	                           wanted.pattern, weir_is_busy(match->busy), kernel));
	if (status != WEIR_OK)
		return status;
	contender->config = contender->subject.config;
	contender->is_own = 1;
	contender->result.kind = weir_has_patterns(wanted.primitive)
	                             ? weir_subject_kernel_kind(&contender->subject)
	                             : contender->config.object.kind;
	contender->subject.name = contender->name;
	contender->is_fair = is_fair(wanted.primitive, contender->result.kind);
	if (role == WEIR_ROLE_DEFAULT && contender->result.kind)
		snprintf(contender->name, sizeof contender->name, "default (%s)",
		         weir_kind_name(wanted.primitive, contender->result.kind));
	return WEIR_OK;
}

/* The peer's kernel for the match, or NULL if it does not take part; if there is one for each
 * pattern, the start of its name. */
static const char *kernel_for(const weir_tournament *tournament, const weir_match *match,
                              const struct peer *peer)
{
	if (peer->primitive != match->wanted.primitive ||
	    (tournament->is_duel && strcmp(peer->name, GRID_SYNC) != 0) ||
	    (peer->primitive == WEIR_PRIMITIVE_EVENT_ARRAY && peer->role == WEIR_ROLE_FLOOR &&
	     (match->wanted.pattern == WEIR_PATTERN_MEET ||
	      match->wanted.pattern == WEIR_PATTERN_POST)) ||
	    (match->wanted.pattern == WEIR_PATTERN_CONDITION_BROADCAST &&
	     strcmp(peer->name, SEMAPHORES) == 0))
		return NULL;
	return weir_is_busy(match->busy) ? peer->busy : peer->kernel;
}

static weir_status find_kernels(weir_tournament *tournament, const weir_match *match,
                                const struct peer *peer, weir_kernel *kernel,
                                weir_contender *contender, char name[64])
{
	int has_pattern = weir_has_patterns(peer->primitive) && peer->role == WEIR_ROLE_PEER &&
	                  *weir_pattern_find(match->wanted.pattern)->peer;

	snprintf(name, 64, "%s%s%s", kernel_for(tournament, match, peer), has_pattern ? "_" : "",
	         has_pattern ? weir_pattern_find(match->wanted.pattern)->peer : "");
	weir_status status = weir_program_kernel(tournament->program, name, kernel);

	contender->has_start = peer->start != NULL;
	if (status == WEIR_OK && peer->start)
		status = weir_program_kernel(tournament->program, peer->start, &contender->start);
	return status;
}

static weir_status add_peer(weir_tournament *tournament, weir_match *match, const struct peer *peer,
                            uint32_t cycles)
{
	weir_contender *contender = add(match, peer->role, peer->note);
	weir_subject *subject = &contender->subject;
	weir_point wanted = match->wanted;
	weir_kernel kernel;
	char name[64];

	if (peer->blocks) {
		wanted.blocks = peer->blocks;
		wanted.cluster = 0;
	}
	wanted.work = is_split(peer->role) ? cycles : wanted.work;
	/* The floor of barriers applies where blocks count the same on both sides. */
	if (peer->role == WEIR_ROLE_FLOOR)
		wanted.primitive = WEIR_PRIMITIVE_BARRIER;
	contender->result.blocks = wanted.blocks;
	contender->is_fair = peer->is_fair;
	snprintf(contender->name, sizeof contender->name, "%s", peer->name);
	weir_status status = find_kernels(tournament, match, peer, &kernel, contender, name);
	if (status == WEIR_OK)
		status = weir_subject_create_around(tournament->meter, &wanted, contender->name,
		                                    kernel, subject);
	if (status == WEIR_OK)
		status = find_cost(contender, peers_cuda_image, name);
	if (status != WEIR_OK)
		return status;
	subject->words = tournament->meter->places[0].native;
	if (wanted.primitive == WEIR_PRIMITIVE_BARRIER)
		subject->config.barrier.blocks = wanted.blocks;
	if (wanted.primitive == WEIR_PRIMITIVE_SEMAPHORE)
		subject->config.semaphore.maximum = wanted.initial;
	/* Where all blocks meet there are two flags. */
	if (wanted.primitive == WEIR_PRIMITIVE_EVENT_ARRAY)
		subject->config.event_array.length = wanted.blocks > 2 ? wanted.blocks : 2;
	if (wanted.primitive == WEIR_PRIMITIVE_QUEUE)
		while (1u << subject->config.queue.bits < weir_queue_slots(&wanted))
			subject->config.queue.bits++;
	if (wanted.primitive > WEIR_PRIMITIVE_QUEUE)
		subject->config.queue.bits = BARRIER_BITS;
	if (peer->how == ONE_LAUNCH)
		return WEIR_OK;
	contender->as_graph = peer->how == GRAPH;
	contender->chain = weir_chain_create(
	    tournament->meter->device, contender->as_graph ? WEIR_CHAIN_GRAPH : WEIR_CHAIN_STREAM);
	return contender->chain ? WEIR_OK : weir_contender_leave_out(contender, WEIR_UNSUPPORTED);
}

static weir_status add_split(weir_tournament *tournament, weir_match *match, uint32_t cycles)
{
	size_t index = match->count;
	weir_status status = add_kind(tournament, match, WEIR_ROLE_SPLIT, WEIR_BARRIER_DEFAULT);
	weir_contender *contender = &match->contenders[index];

	if (status != WEIR_OK || *contender->left_out)
		return status;
	snprintf(contender->name, sizeof contender->name, "split default (%s)",
	         weir_kind_name(WEIR_PRIMITIVE_BARRIER, contender->result.kind));
	contender->subject.wanted.work = cycles;
	return weir_program_kernel(tournament->program, "weir_split", &contender->subject.kernel);
}

weir_status weir_match_open(weir_tournament *tournament, weir_match *match)
{
	weir_machine machine = tournament->meter->info.machine;
	int is_host = machine == WEIR_MACHINE_HOST;
	int has_split = match->wanted.primitive == WEIR_PRIMITIVE_BARRIER &&
	                !weir_is_busy(match->busy) && !tournament->is_duel && !is_host;
	const struct peer *others = is_host ? host_peers : peers;
	size_t other_count = is_host ? HOST_PEER_COUNT : PEER_COUNT;
	uint32_t cycles = 0;
	weir_status status = WEIR_OK;

	if (!is_host)
		status = weir_cu_cycles_per_us(tournament->meter->device, &cycles);
	match->count = 0;
	match->contenders = weir_need(
	    calloc(tournament->kinds.count + PEER_COUNT + OTHERS, sizeof *match->contenders));
	if (status == WEIR_OK)
		status = weir_meter_set_busy(tournament->meter, match->busy);
	if (status == WEIR_OK)
		status = add_kind(tournament, match, WEIR_ROLE_DEFAULT, 0);
	for (uint32_t i = 0; status == WEIR_OK && i < tournament->kinds.count; i++) {
		weir_point wanted = match->wanted;
		wanted.kind = tournament->kinds.values[i];
		if (wanted.kind && weir_point_fits(&wanted, machine))
			status = add_kind(tournament, match, WEIR_ROLE_KIND, wanted.kind);
	}
	for (size_t i = 0; status == WEIR_OK && i < other_count; i++)
		if (kernel_for(tournament, match, &others[i]))
			status = add_peer(tournament, match, &others[i], cycles);
	if (status == WEIR_OK && has_split)
		status = add_split(tournament, match, cycles);
	return status;
}

void weir_match_close(weir_match *match)
{
	for (size_t i = 0; i < match->count; i++) {
		weir_contender *contender = &match->contenders[i];
		weir_meter *meter = contender->subject.meter;
		weir_chain_destroy(contender->chain);
		contender->chain = NULL;
		if (!meter)
			continue;
		weir_subject_destroy(&contender->subject);
		memset(&contender->subject, 0, sizeof contender->subject);
	}
}

void weir_match_free(weir_match *match)
{
	for (size_t i = 0; i < match->count; i++)
		free(match->contenders[i].outcomes);
	free(match->contenders);
	memset(match, 0, sizeof *match);
}

const weir_contender *weir_match_find(const weir_match *match, enum weir_role role)
{
	for (size_t i = 0; i < match->count; i++)
		if (match->contenders[i].role == role && match->contenders[i].done)
			return &match->contenders[i];
	return NULL;
}

const weir_contender *weir_match_grid_sync(const weir_match *match)
{
	for (size_t i = 0; i < match->count; i++)
		if (strcmp(match->contenders[i].name, GRID_SYNC) == 0 && match->contenders[i].done)
			return &match->contenders[i];
	return NULL;
}

double weir_match_to_grid_sync(const weir_match *match)
{
	const weir_contender *own = weir_match_find(match, WEIR_ROLE_DEFAULT);
	const weir_contender *grid = weir_match_grid_sync(match);

	return own && grid ? own->result.per_second / grid->result.per_second : NAN;
}

double weir_split_cost_us(const weir_match *match, const weir_contender *split)
{
	const weir_contender *work = weir_match_find(match, WEIR_ROLE_WORK);

	return work && split && split->done
	           ? 1e6 / split->result.per_second - 1e6 / work->result.per_second
	           : NAN;
}
