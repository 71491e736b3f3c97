/* Groups of blocks, discovered and chosen, with every kind of barrier, on the device named on the
 * command line. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group_kernels.h"

#define PHASES 50
#define LAUNCHES 3
#define ATTEMPTS 20
#define MOST_GROUPS 3
#define DEADLINE_NS 300000000000u

static const weir_host_entry entries[] = {
    HARNESS_ENTRY(group_discover), HARNESS_ENTRY(group_other_barrier), HARNESS_ENTRY(group_ask),
    HARNESS_ENTRY(group_nothing),  HARNESS_ENTRY(group_chosen),        HARNESS_ENTRY(group_part)};

/* A kind of barrier with some shape. */
struct form {
	const weir_kind *kind;
	char name[64];
	uint32_t bits; /* 0: the default */
};

/* A block on CUDA has a thread for each shard: small ones get one counter. */
static uint32_t shards_for(const harness *h, const struct form *form, uint32_t threads)
{
	int is_small = form->kind->shape == WEIR_SHAPE_COUNTERS && harness_is_cuda(h) &&
	               threads >> WEIR_SHAPE_BITS_MOST == 0;

	return form->bits || is_small ? 1u << form->bits : 0;
}

static harness_order order_of(const harness *h, enum weir_primitive primitive,
                              const struct form *form, uint32_t count, uint32_t threads,
                              int has_no_delay)
{
	harness_order order = {.primitive = primitive, .kind = form->kind->value, .count = count};
	uint32_t shards = shards_for(h, form, threads);

	if (primitive == WEIR_PRIMITIVE_GROUP)
		order.options.group =
		    (weir_group_options){.shards = shards, .has_delay = has_no_delay};
	else
		order.options.barrier.shards = shards;
	return order;
}

/* The number of members that the last launch found, if all blocks got right answers: the same
 * count, and each rank below it once. Otherwise 0. */
static uint32_t check_told(const harness *h, const weir_group *g, uint32_t blocks)
{
	const uint32_t *told = h->copy + GROUP_TOLD(g->config.most_members);
	uint32_t found = 0;
	uint32_t count = 0;
	char *seen = calloc(blocks, 1);

	harness_need(seen ? WEIR_OK : WEIR_NO_MEMORY, "calloc");
	for (uint32_t block = 0; block < blocks; block++) {
		uint32_t rank = told[2 * block];
		if (rank == GROUP_OUTSIDE && told[2 * block + 1] == 0)
			continue;
		count = count ? count : told[2 * block + 1];
		if (block >= g->config.askers || rank >= blocks || seen[rank] ||
		    told[2 * block + 1] != count) {
			free(seen);
			return 0;
		}
		seen[rank] = 1;
		found++;
	}
	for (uint32_t rank = 0; rank < found; rank++)
		count = seen[rank] ? count : 0;
	free(seen);
	return found == count ? found : 0;
}

/* On a CPU each phase costs a visit of every thread. */
static uint32_t phases_for(const harness *h, uint32_t blocks, uint32_t threads)
{
	return h->info.is_gpu ? PHASES : harness_rounds(h, blocks * threads, PHASES);
}

static void set_discovery(const harness *h, harness_object *g, uint32_t blocks, uint32_t threads)
{
	g->launch.params.rounds = phases_for(h, blocks, threads);
	g->launch.params.seed = blocks * threads;
}

/* Launches with one group. Each launch discovers the members anew; nothing is reset in between. */
static void discover(harness *h, const struct form *form, uint32_t blocks, uint32_t most,
                     uint32_t threads, int has_no_delay)
{
	uint32_t resident = harness_resident(h, "group_discover", threads);
	uint32_t found[LAUNCHES];
	harness_object g =
	    harness_make(h, order_of(h, WEIR_PRIMITIVE_GROUP, form, most, threads, has_no_delay));
	int right = 1;

	set_discovery(h, &g, blocks, threads);
	if (resident > blocks)
		resident = blocks;
	for (int i = 0; i < LAUNCHES; i++) {
		harness_run_grid(h, &g, "group_discover", blocks, threads, 0);
		found[i] = check_told(h, &g.is.group, blocks);
		right = right && h->copy[HARNESS_ERRORS] == 0 && found[i] > 0 &&
		        found[i] <= resident && found[i] <= most;
		g.launch.params.base += g.launch.params.rounds;
	}
	harness_verdict(h, right, 0,
	                "%s: %u blocks of %u, poll of %u%s: found %u, %u, %u of %u resident",
	                form->name, blocks, threads, most, has_no_delay ? " without a delay" : "",
	                found[0], found[1], found[2], resident);
	harness_unmake(h, &g);
}

/* Members at a barrier that follows the group in memory. It is reset before each launch, since the
 * number of members may differ. */
static void other_barrier(harness *h, const struct form *form, uint32_t blocks, uint32_t threads)
{
	uint32_t resident = harness_resident(h, "group_other_barrier", threads);
	uint32_t most = blocks < resident ? blocks : resident;
	harness_order orders[] = {order_of(h, WEIR_PRIMITIVE_GROUP, form, blocks, threads, 0),
	                          order_of(h, WEIR_PRIMITIVE_BARRIER, form, most, threads, 0)};
	harness_object o[2];
	int right = 1;

	harness_make_row(h, orders, 2, o);
	set_discovery(h, o, blocks, threads);
	for (int i = 0; i < LAUNCHES; i++) {
		harness_run_grid(h, o, "group_other_barrier", blocks, threads, 0);
		right = right && h->copy[HARNESS_ERRORS] == 0;
		harness_need(weir_barrier_reset(h->device, o[1].is.barrier), "weir_barrier_reset");
	}
	harness_verdict(h, right, 0, "%s: %u blocks of %u at another barrier", form->name, blocks,
	                threads);
	harness_unmake_row(h, o, 2);
}

/* Without the barrier the same kernel must be caught, if there is more than one member. */
static void discover_without(harness *h, const struct form *form, uint32_t blocks, uint32_t threads)
{
	harness_object g =
	    harness_make(h, order_of(h, WEIR_PRIMITIVE_GROUP, form, blocks, threads, 0));
	int right = 1;

	set_discovery(h, &g, blocks, threads);
	g.launch.params.without = 1;
	g.launch.params.rounds = harness_rounds(h, blocks * threads, 5000);
	for (int i = 0; i < ATTEMPTS && right; i++) {
		harness_run_grid(h, &g, "group_discover", blocks, threads, 0);
		right = h->copy[HARNESS_ERRORS] == 0;
	}
	harness_verdict(h, right, 1, "%s: %u blocks of %u discovered", form->name, blocks, threads);
	harness_unmake(h, &g);
}

static void write_masks(harness *h, uint32_t blocks, uint32_t groups, uint32_t width)
{
	uint32_t *masks = calloc((size_t)groups * width, sizeof *masks);

	harness_need(masks ? WEIR_OK : WEIR_NO_MEMORY, "calloc");
	for (uint32_t block = 0; block < blocks; block++)
		masks[block % groups * width + block / 32] |= 1u << block % 32;
	memset(h->copy, 0, HARNESS_DATA * sizeof(uint32_t));
	harness_need(
	    weir_buffer_write(h->device, h->data, 0, h->copy, HARNESS_DATA * sizeof(uint32_t)),
	    "weir_buffer_write");
	harness_need(weir_buffer_write(h->device, h->data, HARNESS_DATA * sizeof(uint32_t), masks,
	                               (size_t)groups * width * sizeof *masks),
	             "weir_buffer_write");
	free(masks);
}

/* Several groups at once. How: 0 by ranges, 1 by a mask of 64 blocks, 2 by masks in memory. */
static void chosen(harness *h, const struct form *form, uint32_t blocks, uint32_t groups,
                   uint32_t threads, uint32_t how, int without)
{
	static const char *const names[] = {"ranges", "masks", "masks in memory"};
	uint32_t width = (blocks + 31) / 32;
	harness_order order = order_of(h, WEIR_PRIMITIVE_BARRIER, form, blocks, threads, 0);
	order.options.barrier.part_of_grid = 1;
	harness_order orders[MOST_GROUPS] = {order, order, order};
	harness_object b[MOST_GROUPS];
	harness_params *params = &b->launch.params;
	int right = 1;

	harness_make_row(h, orders, groups, b);
	params->rounds =
	    without ? harness_rounds(h, blocks * threads, 5000) : phases_for(h, blocks, threads);
	params->width = width;
	params->length = groups;
	params->hold = groups > 1 ? b[1].at : 0;
	params->value = how;
	params->without = without;
	params->seed = blocks * threads;
	b->launch.kernel = "group_chosen";
	b->launch.grid[0] = blocks;
	b->launch.threads = threads;
	b->launch.together = 1;
	for (int i = 0; i < LAUNCHES; i++) {
		write_masks(h, blocks, groups, width);
		harness_run(h, &b->launch, 1);
		right = right && h->copy[HARNESS_ERRORS] == 0;
		params->base += params->rounds + 3 * groups;
	}
	harness_verdict(h, right, without, "%s: %u groups of %u blocks of %u, by %s", form->name,
	                groups, blocks, threads, names[how]);
	harness_unmake_row(h, b, groups);
}

static weir_status launch_part(harness *h, const weir_barrier *b, uint32_t blocks)
{
	uint32_t threads = harness_threads(h, 33);
	harness_params params = {
	    .config.barrier = b->config, .rounds = phases_for(h, blocks, threads), .seed = blocks};
	weir_argument arguments[] = {{&b->words, sizeof b->words},
	                             {&h->data.native, sizeof h->data.native},
	                             {&params, sizeof params}};
	weir_launch order = {.grid = {blocks},
	                     .block = {threads},
	                     .barrier = b,
	                     .arguments = arguments,
	                     .argument_count = 3};

	harness_need(weir_program_kernel(h->program, "group_part", &order.kernel), "group_part");
	weir_status status = weir_kernel_launch(h->device, &order);
	if (status == WEIR_OK)
		status = weir_device_wait(h->device, DEADLINE_NS, NULL);
	return status;
}

/* A barrier for blocks 2, 3 and 4: grids that have them are launched, others are not. */
static void part(harness *h, const struct form *form)
{
	const weir_barrier_options options = {
	    .kind = (weir_barrier_kind)form->kind->value, .part_of_grid = 1, .first_block = 2};
	uint32_t resident = harness_resident(h, "group_part", harness_threads(h, 33));
	uint32_t results[2];
	weir_barrier b;

	harness_need(weir_barrier_create(h->device, 3, &options, &b), "weir_barrier_create");
	harness_verdict(h, launch_part(h, &b, 4) == WEIR_BAD_ARGUMENT, 0,
	                "%s: blocks 2 to 4 of 4 refused", form->name);
	harness_verdict(h, launch_part(h, &b, resident + 1) == WEIR_TOO_MANY_BLOCKS, 0,
	                "%s: blocks 2 to 4 of %u refused", form->name, resident + 1);
	for (uint32_t blocks = 5; blocks <= resident && blocks < 8; blocks += 2) {
		memset(h->copy, 0, HARNESS_DATA * sizeof(uint32_t));
		harness_need(weir_buffer_write(h->device, h->data, 0, h->copy,
		                               HARNESS_DATA * sizeof(uint32_t)),
		             "weir_buffer_write");
		harness_need(launch_part(h, &b, blocks), "group_part");
		harness_need(weir_buffer_read(h->device, h->data, 0, results, sizeof results),
		             "weir_buffer_read");
		harness_verdict(h, results[HARNESS_ERRORS] == 0 && results[HARNESS_MOST] == 3, 0,
		                "%s: blocks 2 to 4 of %u", form->name, blocks);
		/* Its phases start again. */
		harness_need(weir_barrier_reset(h->device, b), "weir_barrier_reset");
	}
	harness_need(weir_barrier_destroy(h->device, &b), "weir_barrier_destroy");
}

static void refused(harness *h)
{
	weir_barrier_options first = {.first_block = 1};
	weir_barrier b;
	weir_group g;
	size_t bytes, alignment;

	harness_verdict(h, weir_group_create(h->device, 0, NULL, &g) == WEIR_BAD_ARGUMENT, 0,
	                "a group of no blocks refused");
	harness_verdict(h, weir_group_create(h->device, UINT32_MAX, NULL, &g) == WEIR_BAD_ARGUMENT,
	                0, "a group of too many blocks refused");
	harness_verdict(h, weir_group_create(h->device, 4, NULL, NULL) == WEIR_BAD_ARGUMENT, 0,
	                "a group without a place for it refused");
	harness_verdict(h,
	                weir_group_create(h->device, 4, &(weir_group_options){.kind = 77}, &g) ==
	                        WEIR_BAD_ARGUMENT &&
	                    weir_group_size(h->device, 4, &(weir_group_options){.kind = 77}, &bytes,
	                                    &alignment) == WEIR_BAD_ARGUMENT,
	                0, "a group with a barrier of no kind refused");
	harness_verdict(h, weir_barrier_create(h->device, 4, &first, &b) == WEIR_BAD_ARGUMENT, 0,
	                "a first block of a barrier for the whole grid refused");
	harness_need(weir_group_create(h->device, 4, NULL, &g), "weir_group_create");
	weir_group copy = g;
	harness_need(weir_group_reset(h->device, g), "weir_group_reset");
	harness_need(weir_group_destroy(h->device, &g), "weir_group_destroy");
	harness_verdict(h,
	                !g.words && weir_group_destroy(h->device, &copy) == WEIR_NOT_FOUND &&
	                    weir_group_reset(h->device, copy) == WEIR_NOT_FOUND,
	                0, "a group destroyed before refused");
}

/* More blocks than run at once. On the host machine that takes all the threads that it may have: once
 * is enough. */
static void larger_than_the_device(harness *h, const struct form *form)
{
	static const uint32_t gpu[] = {33, 128, 1024};
	static const uint32_t cpu[] = {1, 33};
	const uint32_t threads[] = {h->info.max_threads_per_block};
	int host = h->info.machine == WEIR_MACHINE_HOST;
	const uint32_t *counts = h->info.is_gpu ? gpu : host ? threads : cpu;
	size_t count = h->info.is_gpu ? 3
	               : host ? !h->small && form->kind == weir_kind_at(WEIR_PRIMITIVE_GROUP, 0)
	                      : 2;
	const int usual = 0, at_once = 1;

	for (size_t i = 0; i < count; i++) {
		uint32_t blocks = 4 * harness_resident(h, "group_discover", counts[i]);
		if (blocks == 0)
			break; /* too many registers for a block of that many threads */
		discover(h, form, blocks, blocks, counts[i], usual);
		if (host)
			break;
		discover(h, form, blocks, blocks, counts[i], at_once);
		other_barrier(h, form, blocks, counts[i]);
	}
}

static void test_form(harness *h, const struct form *form)
{
	const int usual = 0, at_once = 1;
	uint32_t counts[5];
	uint32_t threads = harness_threads(h, 33);
	uint32_t n = harness_block_counts(h, "group_discover", threads, counts);
	uint32_t many = counts[n - 1];
	uint32_t fitting = harness_resident(h, "group_chosen", threads);
	uint32_t members = many < fitting ? many : fitting;

	for (uint32_t i = 0; i < n; i++) {
		discover(h, form, counts[i], counts[i], threads, usual);
		discover(h, form, counts[i], counts[i] + 3, 1, at_once);
	}
	discover(h, form, many, 3, threads, usual);
	larger_than_the_device(h, form);
	for (uint32_t how = 0; how < 3; how++) {
		if (how == 1 && members > 64)
			chosen(h, form, 61, 3, threads, how, 0);
		else
			chosen(h, form, members, members < 6 ? 2 : 3, threads, how, 0);
	}
	part(h, form);
	if (h->sound_only)
		return;
	discover_without(h, form, many, threads);
	HARNESS_MUST_NOTICE(h, chosen(h, form, members, members < 6 ? 1 : 3, threads, 0, 1));
}

/* Groups of fewer members than the barrier has shards, of as many, and of more. */
static void test_shards(harness *h, const weir_kind *kind)
{
	struct form form = {.kind = kind, .bits = 2};
	uint32_t threads = harness_threads(h, 33);
	uint32_t resident = harness_resident(h, "group_discover", threads);

	if (resident < 1u << form.bits)
		return;
	snprintf(form.name, sizeof form.name, "%s with %u bits", kind->name, form.bits);
	for (uint32_t blocks = 3; blocks <= 5 && blocks <= resident; blocks++)
		discover(h, &form, blocks, 5, threads, 0);
	if (resident < 7)
		return;
	chosen(h, &form, 7, 1, threads, 0, 0);
	chosen(h, &form, 7, 2, threads, 0, 0);
	chosen(h, &form, 7, 3, threads, 2, 0);
}

static void test_kind(harness *h, const weir_kind *kind)
{
	struct form form = {.kind = kind};

	if (kind->role == WEIR_BY_VENDOR)
		return;
	snprintf(form.name, sizeof form.name, "%s", kind->name);
	test_form(h, &form);
	if (kind->shape == WEIR_SHAPE_COUNTERS)
		test_shards(h, kind);
}

static const harness_family family = {
    .name = "group", .primitive = WEIR_PRIMITIVE_GROUP, .all = refused, .kind = test_kind};

HARNESS_MAIN(&family, entries)
