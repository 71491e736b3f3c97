/* The options of weir bench kernels. */
#include "forms/bench.h"

#include <getopt.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "output/figure.h"
#include "output/file.h"

static const weir_help help = {
    .usage = "weir bench kernels [OPTION]...",
    .what = "Measures real kernels that use weir's primitives, and the alternatives that one would "
	    "write instead.",
    .examples = {{"weir bench kernels --kernels jacobi,fft", "two of them"},
                 {"weir bench kernels --peers --json kernels.json", "all forms, saved to a file"}}};

static const char help_end[] =
    "Kernels:\n"
    "  decode     one token through the layers of a transformer\n"
    "  gradient   conjugate gradients\n"
    "  jacobi     heat on a plate by Jacobi's method\n"
    "  bitonic    bitonic sort of 32-bit keys\n"
    "  fft        fast Fourier transforms by Stockham's method\n"
    "  alignment  the best local alignment of two sequences\n"
    "  search     breadth-first search of a random graph, or one with tails\n"
    "  solve      a sparse triangular solve\n"
    "  cholesky   a tiled Cholesky factorization\n"
    "  buckets    a hash table with a lock for each bucket\n"
    "  pool       a shared free list under one mutex\n"
    "  slots      areas of scratch memory under a semaphore\n";

enum {
	REPEATS = 5,
	MOST_REPEATS = 1000,
	WARP = 32,
	MOST_THREADS = 1024,
	MOST_BLOCKS = 1 << 20
};

static const real_kernel *const all_kernels[] = {
#define ROW(name) &real_##name,
    REAL_KERNELS(ROW)
#undef ROW
};

enum {
	ALL_KERNELS = sizeof all_kernels / sizeof all_kernels[0]
};

static int add_kernel(const char *part, void *context)
{
	weir_kernels_request *request = context;
	char known[512] = "";
	size_t count = 0;

	while (request->kernels[count])
		count++;
	for (size_t i = 0; i < ALL_KERNELS; i++) {
		weir_append_name(known, sizeof known, all_kernels[i]->name);
		if (strcmp(part, all_kernels[i]->name) != 0)
			continue;
		for (size_t j = 0; j < count; j++)
			if (request->kernels[j] == all_kernels[i])
				return weir_refuse("--kernels: %s is given twice", part);
		request->kernels[count] = all_kernels[i];
		return 0;
	}
	return weir_refuse("--kernels: there is no kernel '%s'; there are %s", part, known);
}

static int add_form(const char *part, void *context)
{
	weir_kernels_request *request = context;
	char known[512] = "";

	for (int i = 0; i < WEIR_FORMS; i++) {
		weir_append_name(known, sizeof known, weir_forms[i].name);
		if (strcmp(part, weir_forms[i].name) != 0)
			continue;
		request->forms[i] = 1;
		return 0;
	}
	return weir_refuse("--forms: there is no form '%s'; there are %s", part, known);
}

static int add_blocks(const char *part, void *context)
{
	weir_kernels_request *request = context;

	if (strcmp(part, "one") == 0)
		return weir_counts_add("--blocks", &request->blocks, WEIR_BLOCKS_ONE);
	if (strcmp(part, "all") == 0)
		return weir_counts_add("--blocks", &request->blocks, WEIR_BLOCKS_ALL);
	return weir_counts_take("--blocks", part, 1, MOST_BLOCKS, &request->blocks);
}

static int take_kernels(const char *text, void *into)
{
	weir_kernels_request *request = into;

	memset(request->kernels, 0, sizeof request->kernels);
	return weir_parse_list("--kernels", text, add_kernel, request);
}

static int take_forms(const char *text, void *into)
{
	weir_kernels_request *request = into;

	memset(request->forms, 0, sizeof request->forms);
	return weir_parse_list("--forms", text, add_form, request);
}

static int take_blocks(const char *text, void *request)
{
	((weir_kernels_request *)request)->blocks.count = 0;
	return weir_parse_list("--blocks", text, add_blocks, request);
}

static int take_sizes(const char *text, void *into)
{
	weir_kernels_request *request = into;

	if (strcmp(text, "small") == 0)
		request->sizes = WEIR_SIZES_SMALL;
	else if (strcmp(text, "large") == 0)
		request->sizes = WEIR_SIZES_LARGE;
	else if (strcmp(text, "all") == 0)
		request->sizes = WEIR_SIZES_SMALL | WEIR_SIZES_LARGE;
	else
		return weir_refuse("--sizes: '%s' is not small, large or all", text);
	return 0;
}

static const weir_option options[] = {
    WEIR_GROUP("What to measure"),
    WEIR_ROW_DEVICE,
    {"kernels", "LIST", "kernels, of those below (all)", WEIR_TO(take_kernels)},
    {"forms", "LIST",
     "default, fixed, events, tasks, tasks-local, queue, combine, grid, libcu++, hand, graph, "
     "graph-pdl (weir's)",
     WEIR_TO(take_forms)},
    {"peers", NULL, "all forms, not only weir's; on a CUDA device",
     WEIR_TO_FLAG(weir_kernels_request, peers)},
    WEIR_GROUP("Size"),
    {"sizes", "WORD", "small, large or all (large; small on a CPU)", WEIR_TO(take_sizes)},
    {"threads", "LIST", "threads per block (128,512,1024; 256 for cholesky; 4 on a CPU)",
     WEIR_TO_NUMBERS(weir_kernels_request, threads, 1, MOST_THREADS)},
    {"blocks", "LIST",
     "numbers; one: a block per multiprocessor; all: all that run at once (one,all; 4 on a CPU)",
     WEIR_TO(take_blocks)},
    WEIR_GROUP("How long"),
    {"repeats", "N", "runs of each case after a warm-up (5)",
     WEIR_TO_NUMBER(weir_kernels_request, repeats, 1, MOST_REPEATS)},
    WEIR_GROUP("Output"),
    WEIR_ROW_JSON,
    {.name = NULL}};

static int settle_forms(weir_kernels_request *request)
{
	int peers = request->peers;
	int any = 0;

	for (int i = 0; i < WEIR_FORMS; i++)
		any |= request->forms[i];
	if (any && peers)
		return weir_refuse("--forms and --peers exclude each other");
	for (int i = 0; !any && i < WEIR_FORMS; i++)
		request->forms[i] = peers || !weir_forms[i].is_peer;
	if (!request->repeats)
		request->repeats = REPEATS;
	if (peers && request->repeats < REPEATS)
		return weir_refuse("--repeats: --peers takes at least %d", REPEATS);
	return 0;
}

static int check_threads(const weir_kernels_request *request, const weir_device_info *info)
{
	for (uint32_t i = 0; i < request->threads.count; i++) {
		uint32_t threads = request->threads.values[i];
		if (threads > info->max_threads_per_block)
			return weir_refuse("--threads: %s runs at most %u in a block", info->name,
			                   info->max_threads_per_block);
		if (info->machine == WEIR_MACHINE_CUDA && threads % WARP)
			return weir_refuse("--threads: %u are not whole warps, which the kernels "
			                   "need on CUDA",
			                   threads);
	}
	return 0;
}

/* Fills in defaults that suit the device. */
static void complete(weir_kernels_request *request, const weir_device_info *info)
{
	if (!request->kernels[0])
		memcpy(request->kernels, all_kernels, sizeof all_kernels);
	if (!request->sizes)
		request->sizes = info->is_gpu ? WEIR_SIZES_LARGE : WEIR_SIZES_SMALL;
	request->own_threads = info->is_gpu && !request->threads.count;
	if (!request->threads.count)
		request->threads =
		    info->is_gpu ? (weir_counts){{128, 512, 1024}, 3} : (weir_counts){{4}, 1};
	if (!request->blocks.count)
		request->blocks = info->is_gpu
		                      ? (weir_counts){{WEIR_BLOCKS_ONE, WEIR_BLOCKS_ALL}, 2}
		                      : (weir_counts){{WEIR_BLOCKS_FEW}, 1};
}

static int check_device(const weir_kernels_request *request, const weir_device_info *info)
{
	if (info->machine == WEIR_MACHINE_CUDA && !weir_builds_have_cuda())
		return weir_refuse("%s: built without nvcc, kernels for CUDA are left out",
		                   info->name);
	for (int i = 0; i < WEIR_FORMS; i++)
		if (request->forms[i] && weir_forms[i].is_peer &&
		    info->machine != WEIR_MACHINE_CUDA)
			return weir_refuse("%s is not a CUDA device, which the form %s needs",
			                   info->name, weir_forms[i].name);
	return check_threads(request, info);
}

static int run(weir_builds *builds, const weir_kernels_request *request, const char *command_line)
{
	weir_kernels_bench bench = {.builds = builds,
	                            .request = *request,
	                            .after_size = weir_kernels_print,
	                            .text = weir_text_stream(&request->common)};
	int status = 0;

	weir_stop_catch();
	weir_kernels_print_head(bench.text, &bench);
	if (weir_kernels_run(&bench) != WEIR_OK)
		status = weir_complain(WEIR_EXIT_FAILED, "%s", bench.failure);
	else if (weir_stop_asked())
		status = WEIR_EXIT_STOPPED;
	int shown = weir_kernels_show(&bench, command_line, status == 0);
	if (!status && !weir_kernels_done(&bench))
		status = weir_refuse("nothing was measured: no kernel fits");
	if (!status && weir_kernels_wrong(&bench))
		status =
		    weir_complain(WEIR_EXIT_FAILED, "%s came out wrong",
		                  weir_count_figure(weir_kernels_wrong(&bench), "result").text);
	weir_kernels_free(&bench);
	return shown ? shown : status;
}

static int open_and_run(weir_kernels_request *request, const char *command_line)
{
	weir_builds builds = {0};

	if (weir_simulated_is_name(request->common.device))
		return weir_refuse("%s: a simulated device runs no kernels",
		                   request->common.device);
	int status = weir_choose_device(request->common.device, &builds.device, &builds.info);
	if (status)
		return status;
	status = check_device(request, &builds.info);
	complete(request, &builds.info);
	if (!status)
		status = run(&builds, request, command_line);
	weir_device_close(builds.device);
	return status;
}

int weir_bench_kernels(int argc, char **argv, const char *command_line)
{
	weir_kernels_request request = {
	    .common = {.help = &help, .help_end = help_end, .rows = options}};

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	int status = weir_no_operands(argc, argv);
	if (!status)
		status = settle_forms(&request);
	if (!status)
		status = weir_check_writable(request.common.json);
	return status ? status : open_and_run(&request, command_line);
}
