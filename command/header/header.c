/* weir header: a single header with the primitives that a project needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "command.h"
#include "header/extract.h"
#include "output/file.h"

static const weir_help help = {
    .usage = "weir header PRIMITIVE[,PRIMITIVE]... [OPTION]...",
    .what =
	"Writes one header with these primitives and what they need, to copy into a project. nvcc, "
	"NVRTC, hipcc, clang, OpenCL and C11 compile it alone.",
    .examples = {{"weir header barrier,event -o weir_barrier.h", "for every compiler"},
                 {"weir header queue --machine cuda -o weir_queue.h", "only for CUDA kernels"}}};

struct request {
	weir_common common;
	weir_extract extract;
	const char *output;
};

/* Sets the bit of a name, or complains and lists the valid names. */
static int take_name(const char *what, const char *(*name)(size_t index), const char *part,
                     uint32_t *bits)
{
	char all[512] = "";

	for (size_t i = 0; name(i); i++) {
		if (strcmp(part, name(i)) == 0) {
			*bits |= 1u << i;
			return 0;
		}
		weir_append_name(all, sizeof all, name(i));
	}
	return weir_refuse("there is no %s '%s'; there are %s", what, part, all);
}

static int take_primitive(const char *part, void *context)
{
	struct request *request = context;

	return take_name("primitive", weir_extract_primitive, part, &request->extract.primitives);
}

static int take_machine(const char *part, void *context)
{
	struct request *request = context;

	return take_name("machine", weir_extract_machine, part, &request->extract.machines);
}

static int take_machines(const char *value, void *request)
{
	return weir_parse_list("--machine", value, take_machine, request);
}

static const weir_option options[] = {
    {"machine", "LIST", "only for these: cuda, opencl, host, hip (all)", WEIR_TO(take_machines)},
    {"diagnose", NULL, "include what -DWEIR_DIAGNOSE needs to report hangs and misuse",
     WEIR_TO_FLAG(struct request, extract.diagnose)},
    {"output", "FILE", "the output file; - for standard output (the default)",
     WEIR_TO_TEXT(struct request, output), 'o'},
    {.name = NULL}};

static int no_primitive(void)
{
	char all[512] = "";

	for (size_t i = 0; weir_extract_primitive(i); i++)
		weir_append_name(all, sizeof all, weir_extract_primitive(i));
	return weir_refuse("name at least one primitive: %s", all);
}

int weir_command_header(int argc, char **argv)
{
	struct request request = {.common = {.help = &help, .rows = options}, .output = "-"};

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	if (optind == argc)
		return no_primitive();
	for (; optind < argc; optind++) {
		int status = weir_parse_list("weir header", argv[optind], take_primitive, &request);
		if (status)
			return status;
	}
	if (!request.extract.machines)
		for (size_t i = 0; weir_extract_machine(i); i++)
			request.extract.machines |= 1u << i;
	char *text = weir_extract_text(&request.extract);
	int status = weir_write_file(request.output, text, strlen(text));
	free(text);
	return status;
}
