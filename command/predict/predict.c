/* weir predict: the predicted behaviour of a machine, from the twelve figures of its profile. */
#include "predict/predict.h"

#include <stddef.h>

#include "cli/choose.h"
#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/stop.h"
#include "command.h"
#include "output/file.h"
#include "weir/kind.h"
#include "weir/profile.h"

static const weir_help help = {
    .usage = "weir predict --profile NAME [OPTION]...\n"
	     "weir predict --profile NAME --map|--counts [OPTION]...\n"
	     "weir predict --claims FILE|--against FILE [OPTION]...",
    .what = "Predicts the throughput of each kind by simulating a device from its profile.",
    .examples = {{"weir predict --profile gf100 --primitive mutex", "all mutexes on a GTX 580"},
                 {"weir predict --profile h200 --what-if 'atomic.same*=0.1'",
                  "with contended atomics 10 times faster"}}};

/* More than fit on any GPU; a simulated block needs memory. */
#define MOST_BLOCKS 16384
#define MOST_BACKOFF 1000000
#define MOST_INITIAL 1000000

size_t weir_predict_primitives(const weir_predict_request *request,
                               enum weir_primitive list[WEIR_PREDICT_PRIMITIVES])
{
	list[0] = WEIR_PRIMITIVE_BARRIER;
	list[1] = WEIR_PRIMITIVE_MUTEX;
	list[2] = WEIR_PRIMITIVE_SEMAPHORE;
	list[3] = WEIR_PRIMITIVE_EVENT_ARRAY;
	list[4] = WEIR_PRIMITIVE_QUEUE;
	if (request->has_primitive)
		list[0] = request->primitive;
	if (request->has_primitive)
		return 1;
	return request->published || request->counts ? 3 : WEIR_PREDICT_PRIMITIVES;
}

/* The bounds of a backoff. A list of counts would not do, because its values must differ. */
struct bounds {
	uint32_t values[2];
	int count;
};

static int take_bound(const char *part, void *context)
{
	struct bounds *bounds = context;

	if (bounds->count == 2)
		bounds->count++; /* too many; take_backoff refuses them */
	if (bounds->count > 2)
		return 0;
	return weir_parse_count("--backoff", part, 0, MOST_BACKOFF,
	                        &bounds->values[bounds->count++]);
}

static int take_backoff(const char *text, void *into)
{
	weir_predict_request *request = into;
	struct bounds bounds = {0};
	int status = weir_parse_list("--backoff", text, take_bound, &bounds);

	if (status)
		return status;
	if (bounds.count != 2 || bounds.values[0] > bounds.values[1])
		return weir_refuse("--backoff: not MIN,MAX: '%s'", text);
	request->has_backoff = 1;
	request->backoff = (weir_backoff){bounds.values[0], bounds.values[1]};
	return 0;
}

static int take_primitive(const char *text, void *into)
{
	weir_predict_request *request = into;

	request->has_primitive = 1;
	return weir_parse_primitive(text, &request->primitive);
}

static const weir_option options[] = {
    WEIR_GROUP("What to simulate"),
    {"profile", "NAME", "gt200, gf100, h200, or a profile's file",
     WEIR_TO_TEXT(weir_common, profile)},
    {"primitive", "P", "barrier, mutex, semaphore, event, queue or rwlock (all but rwlock)",
     WEIR_TO(take_primitive)},
    {"kinds", "LIST", "only these kinds of that primitive",
     WEIR_TO_TEXT(weir_predict_request, kinds_text)},
    {"blocks", "LIST", "block counts, such as 1,8,64 or 1..240:8 (up to all that run at once)",
     WEIR_TO_NUMBERS(weir_predict_request, blocks, 1, MOST_BLOCKS)},
    {"initial", "LIST", "initial values of semaphores (1,2,10,120)",
     WEIR_TO_NUMBERS(weir_predict_request, initials, 1, MOST_INITIAL)},
    {"patterns", "LIST",
     "patterns of events, queues or reader-writer locks, as in weir bench (all)",
     WEIR_TO_TEXT(weir_predict_request, patterns_text)},
    WEIR_GROUP("How to simulate"),
    {"what-if", "CHANGE",
     "first scale figures: 'atomic.same*=0.1', 'volatile.own.read*=2'; or batched-loads, or "
     "equal-atomics",
     WEIR_TO_TEXT(weir_predict_request, what_if)},
    {"published", NULL, "kernels as the paper wrote them, and only the paper's kinds",
     WEIR_TO_FLAG(weir_predict_request, published)},
    {"backoff", "MIN,MAX", "pauses of MIN to MAX units instead of tuned ones",
     WEIR_TO(take_backoff)},
    WEIR_GROUP("What to show instead"),
    {"map", NULL, "which kind wins over a grid of the machine's ratios",
     WEIR_TO_FLAG(weir_predict_request, map)},
    {"counts", NULL, "reads, writes and atomics of each operation",
     WEIR_TO_FLAG(weir_predict_request, counts)},
    {"claims", "FILE", "compare the claims of a file with predictions",
     WEIR_TO_TEXT(weir_predict_request, claims)},
    {"against", "FILE", "compare the benchmarks in a profile's file with predictions",
     WEIR_TO_TEXT(weir_predict_request, against)},
    {"untuned", NULL, "with --against: the backoff of weir bench, not the tuned one",
     WEIR_TO_FLAG(weir_predict_request, untuned)},
    WEIR_GROUP("Output"),
    WEIR_ROW_JSON,
    {.name = NULL}};

/* Refuses patterns where the paper's model does not cover them. */
static int check_patterns(weir_predict_request *request)
{
	const char *option = request->map         ? "--map"
	                     : request->counts    ? "--counts"
	                     : request->published ? "--published"
	                                          : NULL;
	int has_patterns = request->has_primitive && weir_has_patterns(request->primitive);

	if (request->patterns_text && !has_patterns)
		return weir_refuse("--patterns needs --primitive event, queue or rwlock");
	if (has_patterns && option)
		return weir_refuse("%s: only for barriers, mutexes and semaphores; the paper has "
		                   "no others",
		                   option);
	if (has_patterns && !weir_kind_at(request->primitive, 0))
		return weir_refuse("--primitive %s: there are no kinds to compare; weir bench %s "
		                   "simulates them on a device sim:NAME",
		                   weir_primitive_id(request->primitive),
		                   weir_primitive_id(request->primitive));
	int status = request->patterns_text
	                 ? weir_parse_patterns(request->patterns_text, request->primitive,
	                                       &request->patterns)
	                 : 0;
	return status ? status : weir_check_simulated(&request->patterns);
}

static int check(weir_predict_request *request)
{
	int modes = !!request->claims + !!request->against + !!request->common.profile;
	int narrowed = request->has_primitive || request->blocks.count || request->initials.count ||
	               request->patterns_text || request->what_if || request->map ||
	               request->counts || request->published;

	int is_adjusted = request->published || request->has_backoff;
	const weir_refusal refusals[] = {
	    {modes != 1, "give one of --profile, --claims and --against"},
	    {narrowed && !request->common.profile,
	     "--primitive, --blocks, --initial, --patterns, --what-if, --published, --map and "
	     "--counts need --profile"},
	    {request->has_backoff && request->against, "--backoff needs --profile or --claims"},
	    {request->untuned && !request->against, "--untuned needs --against"},
	    {request->map && (request->blocks.count || request->initials.count),
	     "--map has its own block counts"},
	    {(request->map || request->counts) && is_adjusted,
	     "--published and --backoff cannot be combined with --map or --counts"},
	    {request->counts && (request->map || request->initials.count),
	     "--counts cannot be combined with --map or --initial"},
	    {request->counts && request->blocks.count > 1, "--counts takes a single block count"},
	    {0, NULL}};
	int status = weir_refuse_any(refusals);

	return status ? status : check_patterns(request);
}

/* They belong to the primitive, which may be given after them. */
static int take_kinds(weir_predict_request *request)
{
	if (!request->kinds_text)
		return 0;
	if (!request->has_primitive)
		return weir_refuse("--kinds needs a --primitive");
	if (request->map || request->counts)
		return weir_refuse("--map and --counts always cover all kinds");
	return weir_parse_kinds(request->kinds_text, request->primitive, &request->kinds);
}

/* Answers a question about the machine of a profile. */
static int ask(const weir_predict_request *request, const char *name,
               int (*answer)(const weir_predict_request *request, const weir_profile *profile,
                             weir_sim_machine *machine))
{
	weir_profile *profile;
	weir_sim_machine machine;
	int status = weir_choose_profile(name, &profile);

	if (status)
		return status;
	status = weir_predict_machine(name, profile, request->what_if, &machine);
	if (!status)
		status = answer(request, profile, &machine);
	weir_profile_destroy(profile);
	return status;
}

int weir_command_predict(int argc, char **argv)
{
	weir_predict_request request = {.common = {.help = &help, .rows = options}};

	if (!weir_options_read(argc, argv, &request.common))
		return request.common.status;
	int status = weir_no_operands(argc, argv);
	if (!status)
		status = check(&request);
	if (!status)
		status = take_kinds(&request);
	if (!status)
		status = weir_check_writable(request.common.json);
	if (status)
		return status;
	weir_stop_catch();
	if (request.claims)
		return weir_predict_claims(&request);
	return request.against ? ask(&request, request.against, weir_predict_against)
	                       : ask(&request, request.common.profile,
	                             request.counts ? weir_predict_counts
	                             : request.map  ? weir_predict_map
	                                            : weir_predict_rates);
}
