/* weir verify: the explorer of the model machine over the kinds that ship. */
#include <stddef.h>
#include <stdint.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "output/file.h"
#include "verify/verify.h"

static const char help[] =
    "usage: weir verify [options]\n"
    "\n"
    "Runs the shipped algorithms under every execution that a weak memory allows, for a few\n"
    "blocks and threads, and says whether each kind keeps its promises.\n"
    "\n";

static const char help_end[] =
    "\n"
    "The exit status is 1 when something does not come out as it must, 2 for wrong usage.\n"
    "doc/verification.md says what a pass means.\n";

static const weir_option options[] = {
    {"primitive", "P",
     "only barrier, mutex, semaphore, group, event, queue,\n"
     "dispenser, tasks, condition, rwlock, once, combiner, crew or remote",
     WEIR_TO_TEXT(weir_verify_request, primitive)},
    {"kind", "K", "only this kind", WEIR_TO_TEXT(weir_verify_request, kind)},
    {"blocks", "N", "the cases with N blocks, ...",
     WEIR_TO_NUMBER(weir_verify_request, blocks, 1, UINT32_MAX)},
    {"threads", "T", "... T threads in each, ...",
     WEIR_TO_NUMBER(weir_verify_request, threads, 1, UINT32_MAX)},
    {"rounds", "R", "... and R rounds, in place of their own sizes",
     WEIR_TO_NUMBER(weir_verify_request, rounds, 1, UINT32_MAX)},
    {"mutants", NULL, "the same texts with one fault each: every one must be found",
     WEIR_TO_FLAG(weir_verify_request, mutants)},
    {"published", NULL, "the algorithms as they were published: every one must fail",
     WEIR_TO_FLAG(weir_verify_request, published)},
    {"bound", "B", "only executions of at most B preemptions",
     WEIR_TO_NUMBER(weir_verify_request, bound, 0, UINT32_MAX)},
    {"seed", "S", "random executions from the seed S; --bound says how many (10000)",
     WEIR_TO_NUMBER(weir_verify_request, seed, 0, UINT32_MAX)},
    {"trace", "FILE", "write the traces of all failures, with what is needed to replay them",
     WEIR_TO_TEXT(weir_verify_request, trace)},
    {"replay", "FILE", "run the executions of such a file again",
     WEIR_TO_TEXT(weir_verify_request, replay)},
    WEIR_ROW_JSON("write the results as JSON; - for standard output"),
    {.name = NULL}};

#define RANDOM_EXECUTIONS 10000

static int check_request(weir_verify_request *request)
{
	int sizes = request->blocks || request->threads || request->rounds;
	int search = request->random || request->bounded;

	int is_narrowed = sizes || search || request->mutants || request->published ||
	                  request->primitive || request->kind;
	const weir_refusal refusals[] = {
	    {request->mutants && (sizes || search),
	     "--mutants has its own sizes and searches all of them"},
	    {request->replay && is_narrowed, "--replay takes all that from its file"},
	    {request->random && request->bounded && request->bound == 0,
	     "--bound 0: no execution at all"},
	    {0, NULL}};

	if (request->random && !request->bounded)
		request->bound = RANDOM_EXECUTIONS;
	return weir_refuse_any(refusals);
}

/* The status that the results call for. */
static int verdict_of(const weir_verify_list *list)
{
	const char *refusal = NULL;
	int explored = 0;
	int status = WEIR_EXIT_OK;

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		if (!job->ran)
			continue;
		if (weir_verify_refused(job)) {
			refusal = job->outcome.message;
			continue;
		}
		explored = 1;
		if (!weir_verify_good(job))
			status = WEIR_EXIT_FAILED;
	}
	if (!explored && refusal)
		return weir_refuse("%s", refusal);
	return weir_stop_asked() ? WEIR_EXIT_STOPPED : status;
}

static int verify(const weir_verify_request *request, weir_verify_list *list)
{
	int status = weir_verify_plan(request, list);
	int written;

	if (status == 0)
		status = weir_verify_run(request, list);
	if (status != 0)
		return status;
	status = verdict_of(list);
	if (status == WEIR_EXIT_USAGE)
		return status;
	if (weir_text_stream(&request->common))
		weir_verify_print(request, list, weir_text_stream(&request->common));
	written = weir_verify_write_traces(request, list);
	if (weir_verify_write_json(request, list) != 0 || written != 0)
		return WEIR_EXIT_FAILED;
	return status;
}

int weir_command_verify(int argc, char **argv)
{
	weir_verify_request request = {
	    .common = {.help = help, .help_end = help_end, .rows = options}};
	weir_verify_list list = {0};
	int status;

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	status = weir_no_operands(argc, argv);
	request.random = weir_option_given(&request.common, "seed");
	request.bounded = weir_option_given(&request.common, "bound");
	if (status == 0)
		status = check_request(&request);
	if (status != 0)
		return status;
	if (weir_check_writable(request.common.json) != 0 ||
	    weir_check_writable(request.trace) != 0)
		return WEIR_EXIT_FAILED;
	status = verify(&request, &list);
	weir_verify_free(&list);
	return status;
}
