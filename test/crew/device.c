/* Crews in the memory of CUDA devices, over the fake driver: which memory each rank exports, imports and
 * releases, and its error when another rank does not arrive.
 *
 *   device        over the fake driver
 *   device old    over a driver that cannot share memory */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake/driver.h"
#include "ranks.h"
#include "weir/diagnosis/area.h"

static fake_driver *fake;

static weir_device *open_cuda(rank_context *context)
{
	weir_device *device = NULL;

	CHECK(context, weir_device_open("cuda", &device) == WEIR_OK);
	if (!device)
		_exit(1);
	return device;
}

static void move(rank_context *context)
{
	weir_crew_options options = {.events = 1, .data_bytes = 64};
	weir_crew host, crew;
	weir_crew_link *link = ranks_join(context, &options, &host);
	weir_device *device = open_cuda(context);
	weir_crew_report report;
	uint32_t rank = context->place.rank;

	CHECK(context, weir_crew_on_device(NULL, device, &crew) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_on_device(link, device, NULL) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_on_device(link, context->device, &crew) == WEIR_UNSUPPORTED);
	CHECK(context, weir_crew_on_device(link, device, &crew) == WEIR_OK);
	CHECK(context, fake->exports == 1 && fake->imports == (int)context->place.ranks - 1);
	/* The device's memory is this process's own here. */
	for (uint32_t i = 0; i < context->place.ranks; i++)
		CHECK(context,
		      crew.table[i] != NULL && (crew.table[i] == crew.words) == (i == rank));
	CHECK(context, crew.config.pitch == 1 && crew.config.rank == rank);
	CHECK(context, weir_crew_on_device(link, device, &crew) == WEIR_BAD_ARGUMENT);
	CHECK(context, weir_crew_handle(link, &crew) == WEIR_BAD_ARGUMENT);

	/* Like a kernel of this rank that has started phase 7. */
	weir_store_rlx(weir_crew_begun_(crew, crew.words, crew.config.lanes), 7);
	CHECK(context, weir_crew_diagnose(link, 1.5, &report) == WEIR_OK);
	CHECK(context, report.missing == context->place.ranks - 1 && report.phase == 7);
	CHECK(context, report.rank[rank].has_arrived);
	CHECK(context, context->place.ranks == 1 ||
	                   strstr(report.text, "has not arrived in 1.5 s; it last passed phase 0; "
	                                       "its process is alive") != NULL);
	weir_crew_report_destroy(&report);
	CHECK(context, weir_crew_host_abort(link) == WEIR_OK);
	CHECK(context, weir_load_rlx(crew.words) == 1 + rank);

	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	CHECK(context, fake->imports == 0 && fake->memories == 0);
	CHECK(context, weir_device_reach(device, device) == WEIR_OK);
	CHECK(context, weir_device_reach(device, context->device) == WEIR_UNSUPPORTED);
	CHECK(context, weir_device_reach(NULL, device) != WEIR_OK);
	CHECK(context, weir_device_close(device) == WEIR_OK);
}

/* A diagnosed crew in its memory: the header is there, and the device's reports show the crew. */
static void diagnose(rank_context *context)
{
	weir_crew_options options = {.diagnose = 1, .name = "moved"};
	weir_crew host, crew;
	weir_crew_link *link = ranks_join(context, &options, &host);
	weir_device *device = open_cuda(context);
	weir_diagnosis report = {0};
	weir_word *header;

	CHECK(context, host.config.id != 0);
	CHECK(context, weir_device_diagnose(context->device, &report) == WEIR_OK);
	CHECK(context, strstr(report.text, "crew 'moved', rank ") != NULL);
	CHECK(context, strstr(report.text, "destroyed") == NULL);
	weir_diagnosis_destroy(&report);

	CHECK(context, weir_crew_on_device(link, device, &crew) == WEIR_OK);
	CHECK(context, crew.config.id != 0);
	header = crew.words + 2 * WEIR_LINE_WORDS;
	CHECK(context, weir_load_rlx(header + WEIR_HEADER_MAGIC) == WEIR_MAGIC_ALIVE);
	CHECK(context, weir_load_rlx(header + WEIR_HEADER_ID) == crew.config.id);
	CHECK(context, weir_device_diagnose(context->device, &report) == WEIR_OK);
	CHECK(context, strstr(report.text, ", destroyed") != NULL);
	weir_diagnosis_destroy(&report);
	CHECK(context, weir_device_diagnose(device, &report) == WEIR_OK);
	CHECK(context, strstr(report.text, "crew 'moved', rank ") != NULL);
	CHECK(context, strstr(report.text, "destroyed") == NULL);
	weir_diagnosis_destroy(&report);

	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	CHECK(context, weir_device_diagnose(device, &report) == WEIR_OK);
	CHECK(context, strstr(report.text, ", destroyed") != NULL);
	weir_diagnosis_destroy(&report);
	CHECK(context, weir_device_close(device) == WEIR_OK);
	CHECK(context, fake->imports == 0 && fake->memories == 0);
}

/* The last rank ends between the two steps. */
static void lose(rank_context *context)
{
	weir_crew host, crew;
	weir_crew_link *link = ranks_join(context, NULL, &host);
	weir_device *device = open_cuda(context);

	if (context->place.rank == context->place.ranks - 1)
		raise(SIGKILL);
	CHECK(context, weir_crew_on_device(link, device, &crew) == WEIR_NO_RANK);
	CHECK(context, strstr(weir_error_text(), "rank 2 is gone") != NULL);
	CHECK(context, fake->imports == 0 && fake->memories == 0);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	CHECK(context, weir_device_close(device) == WEIR_OK);
}

static void refuse(rank_context *context)
{
	weir_crew host, crew;
	weir_crew_link *link = ranks_join(context, NULL, &host);
	weir_device *device = open_cuda(context);

	CHECK(context, weir_crew_on_device(link, device, &crew) == WEIR_UNSUPPORTED);
	CHECK(context, strstr(weir_error_text(), "too old") != NULL);
	CHECK(context, weir_crew_destroy(&link) == WEIR_OK);
	CHECK(context, weir_device_close(device) == WEIR_OK);
}

int main(int argc, char **argv)
{
	int is_old = argc > 1 && strcmp(argv[1], "old") == 0;
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	int failures = 0;

	fake = library ? dlsym(library, "fake") : NULL;
	if (!fake) {
		printf("FAILED: libcuda.so.1 is not the fake driver\n");
		return 1;
	}
	if (is_old) {
		failures += ranks_run(1, NULL, 0, 0, refuse, NULL);
	} else {
		failures += ranks_run(1, NULL, 0, 0, move, NULL);
		failures += ranks_run(3, NULL, 0, 0, move, NULL);
		failures += ranks_run(3, NULL, 0, 1 << 2, lose, NULL);
		failures += ranks_run(3, NULL, 0, 0, diagnose, NULL);
	}
	printf("%d failed\n", failures);
	return failures != 0;
}
