/* weir verify: the explorer of the model machine over the kinds that ship. */
#include <getopt.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "output/file.h"
#include "verify/jobs.h"
#include "verify/json.h"
#include "verify/tables.h"
#include "verify/traces.h"

static const char help[] =
    "usage: weir verify [options]\n"
    "\n"
    "Runs the shipped algorithms under every execution that a weak memory allows, for a few\n"
    "blocks and threads, and says whether each kind keeps its promises.\n"
    "\n"
    "  --primitive P   only barrier, mutex, semaphore, group, event, queue,\n"
    "                  dispenser, tasks, condition, rwlock, once, combine, crew or remote\n"
    "  --kind K        only this kind\n"
    "  --blocks N      the cases with N blocks, ...\n"
    "  --threads T     ... T threads in each, ...\n"
    "  --rounds R      ... and R rounds, in place of their own sizes\n"
    "  --mutants       the same texts with one fault each: every one must be found\n"
    "  --published     the algorithms as they were published: every one must fail\n"
    "  --bound B       only executions of at most B preemptions\n"
    "  --seed S        random executions from the seed S; --bound says how many (10000)\n"
    "  --trace FILE    write the traces of all failures, with what is needed to replay them\n"
    "  --replay FILE   run the executions of such a file again\n"
    "  --json FILE     write the results as JSON; - for standard output\n"
    "  --help          print this\n"
    "\n"
    "The exit status is 1 when something does not come out as it must, 2 for wrong usage.\n"
    "doc/verification.md says what a pass means.\n";

static const struct option options[] = {{"primitive", required_argument, NULL, 'p'},
                                        {"kind", required_argument, NULL, 'k'},
                                        {"blocks", required_argument, NULL, 'b'},
                                        {"threads", required_argument, NULL, 't'},
                                        {"rounds", required_argument, NULL, 'r'},
                                        {"mutants", no_argument, NULL, 'm'},
                                        {"published", no_argument, NULL, 'P'},
                                        {"seed", required_argument, NULL, 's'},
                                        {"bound", required_argument, NULL, 'B'},
                                        {"trace", required_argument, NULL, 'T'},
                                        {"replay", required_argument, NULL, 'R'},
                                        WEIR_OPTION_JSON,
                                        WEIR_OPTION_LAST};

#define RANDOM_EXECUTIONS 10000

static int take_option(int c, weir_verify_request *request)
{
	switch (c) {
	case 'p':
		request->primitive = optarg;
		return 0;
	case 'k':
		request->kind = optarg;
		return 0;
	case 'b':
		return weir_parse_count("--blocks", optarg, 1, UINT32_MAX, &request->blocks);
	case 't':
		return weir_parse_count("--threads", optarg, 1, UINT32_MAX, &request->threads);
	case 'r':
		return weir_parse_count("--rounds", optarg, 1, UINT32_MAX, &request->rounds);
	case 'm':
		request->mutants = 1;
		return 0;
	case 'P':
		request->published = 1;
		return 0;
	case 's':
		request->random = 1;
		return weir_parse_count("--seed", optarg, 0, UINT32_MAX, &request->seed);
	case 'B':
		request->bounded = 1;
		return weir_parse_count("--bound", optarg, 0, UINT32_MAX, &request->bound);
	case 'T':
		request->trace = optarg;
		return 0;
	default:
		request->replay = optarg;
		return 0;
	}
}

static int check_request(weir_verify_request *request)
{
	int sizes = request->blocks || request->threads || request->rounds;
	int search = request->random || request->bounded;

	if (request->mutants && (sizes || search))
		return weir_complain(WEIR_EXIT_USAGE,
		                     "--mutants has its own sizes and searches all of them");
	if (request->replay && (sizes || search || request->mutants || request->published ||
	                        request->primitive || request->kind))
		return weir_complain(WEIR_EXIT_USAGE, "--replay takes all that from its file");
	if (request->random && request->bounded && request->bound == 0)
		return weir_complain(WEIR_EXIT_USAGE, "--bound 0: no execution at all");
	if (request->random && !request->bounded)
		request->bound = RANDOM_EXECUTIONS;
	return 0;
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
		return weir_complain(WEIR_EXIT_USAGE, "%s", refusal);
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
	weir_verify_request request = {.common = {.help = help, .options = options}};
	weir_verify_list list = {0};
	int status;

	for (int c; (c = weir_option_next(argc, argv, &request.common)) != WEIR_OPTION_END;) {
		if (c == WEIR_OPTION_LEAVE)
			return request.common.status;
		status = take_option(c, &request);
		if (status != 0)
			return status;
	}
	status = weir_no_operands(argc, argv);
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
