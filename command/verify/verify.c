/* weir verify: runs the explorer of the model machine over the shipped kinds. */
#include <stddef.h>
#include <stdint.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "output/file.h"
#include "verify/verify.h"

static const weir_help help = {
    .usage = "weir verify [OPTION]...",
    .what = "Explores every execution of the shipped algorithms that a weak memory allows, for a "
	    "few blocks.",
    .examples = {{"weir verify --primitive mutex", "all mutexes, a line each"},
                 {"weir verify --mutants --kind ticket", "find each planted fault in one kind"}}};

static const weir_option options[] = {
    WEIR_GROUP("What to explore"),
    {"primitive", "P",
     "barrier, mutex, semaphore, group, event, queue, dispenser, tasks, condition, rwlock, once, "
     "combiner, crew, remote or notes (all)",
     WEIR_TO_TEXT(weir_verify_request, primitive)},
    {"kind", "K", "only this kind", WEIR_TO_TEXT(weir_verify_request, kind)},
    {"diagnosed", NULL, "only the cases with diagnosis (WEIR_DIAGNOSE)",
     WEIR_TO_FLAG(weir_verify_request, diagnosed)},
    {"mutants", NULL, "the algorithms with one planted fault each: every fault must be found",
     WEIR_TO_FLAG(weir_verify_request, mutants)},
    {"published", NULL, "the algorithms as published: every one must fail",
     WEIR_TO_FLAG(weir_verify_request, published)},
    WEIR_GROUP("Size"),
    {"blocks", "N", "N blocks instead of each case's own",
     WEIR_TO_NUMBER(weir_verify_request, blocks, 1, UINT32_MAX)},
    {"threads", "T", "T threads per block",
     WEIR_TO_NUMBER(weir_verify_request, threads, 1, UINT32_MAX)},
    {"rounds", "R", "R rounds", WEIR_TO_NUMBER(weir_verify_request, rounds, 1, UINT32_MAX)},
    WEIR_GROUP("How far"),
    {"bound", "B", "only executions with at most B preemptions (all)",
     WEIR_TO_NUMBER(weir_verify_request, bound, 0, UINT32_MAX)},
    {"seed", "S", "random executions from seed S; --bound is their number (10000)",
     WEIR_TO_NUMBER(weir_verify_request, seed, 0, UINT32_MAX)},
    WEIR_GROUP("Failures"),
    {"trace", "FILE", "write the traces of all failures to a file",
     WEIR_TO_TEXT(weir_verify_request, trace)},
    {"replay", "FILE", "replay the executions in such a file",
     WEIR_TO_TEXT(weir_verify_request, replay)},
    WEIR_GROUP("Output"),
    {"verbose", NULL, "a line for each case, not for each kind",
     WEIR_TO_FLAG(weir_verify_request, verbose), .letter = 'v'},
    WEIR_ROW_JSON,
    {.name = NULL}};

#define RANDOM_EXECUTIONS 10000

static int check_request(weir_verify_request *request)
{
	int sizes = request->blocks || request->threads || request->rounds;
	int search = request->random || request->bounded;

	int is_narrowed = sizes || search || request->mutants || request->published ||
	                  request->diagnosed || request->primitive || request->kind;
	const weir_refusal refusals[] = {
	    {request->mutants && (sizes || search),
	     "--mutants uses its own sizes and searches all of them"},
	    {request->replay && is_narrowed, "--replay takes these from its file"},
	    {request->diagnosed && request->published, "--published code has no diagnosis"},
	    {request->random && request->bounded && request->bound == 0,
	     "--bound 0 would run no execution"},
	    {0, NULL}};

	if (request->random && !request->bounded)
		request->bound = RANDOM_EXECUTIONS;
	return weir_refuse_any(refusals);
}

/* The exit status for the results. */
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

/* Runs the jobs and shows them. */
static int explore(const weir_verify_request *request, weir_verify_list *list)
{
	weir_verify_show *show =
	    weir_verify_show_begin(request, list, weir_text_stream(&request->common));
	int status = weir_verify_run(request, list, show);
	int verdict = status ? status : verdict_of(list);

	weir_verify_show_end(show, status != 0 || verdict == WEIR_EXIT_USAGE);
	return verdict;
}

static int verify(const weir_verify_request *request, weir_verify_list *list)
{
	int status = weir_verify_plan(request, list);
	int written;

	if (status != 0)
		return status;
	status = explore(request, list);
	if (status == WEIR_EXIT_USAGE)
		return status;
	written = weir_verify_write_traces(request, list);
	if (weir_verify_write_json(request, list) != 0 || written != 0)
		return WEIR_EXIT_FAILED;
	return status;
}

int weir_command_verify(int argc, char **argv)
{
	weir_verify_request request = {.common = {.help = &help, .rows = options}};
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
