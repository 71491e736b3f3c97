/* Lists the cases, and runs one. */
#include "model/cases/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cases/mutable.h"
#include "model/cases/published.h"
#include "model/engine.h"
#include "model/notes.h"
#include "model/program.h"

/* Forms with tries or deadlines. */
#define GIVING_UP                                                                                  \
	(WEIR_MODEL_FORM(TRY) | WEIR_MODEL_FORM(GIVE_UP) | WEIR_MODEL_FORM(ALL_GIVE_UP) |          \
	 WEIR_MODEL_FORM(GREEDY) | WEIR_MODEL_FORM(ENOUGH) | WEIR_MODEL_FORM(MIXED))

#define ABORTED_MOST 4  /* threads of a case with an abort */
#define MOST_LINES 4096 /* bytes of a case's description */

#define ROW_(name) &weir_model_##name##_cases_,
const weir_model_primitive *const weir_model_primitives_[] = {WEIR_MODEL_PRIMITIVES(ROW_) NULL};
#undef ROW_

static const weir_model_primitive *find_primitive(const weir_model_primitive *const *primitives,
                                                  const char *name)
{
	while (*primitives && strcmp((*primitives)->name, name) != 0)
		primitives++;
	return *primitives;
}

void weir_model_find_(weir_model_case_run *r, const weir_model_primitive *const *primitives)
{
	const weir_model_primitive *p = find_primitive(primitives, r->c.primitive);

	r->primitive = p;
	for (size_t i = 0; p && i < p->kind_count; i++)
		if (strcmp(p->kinds[i].kind, r->c.kind) == 0) {
			r->adapter = &p->kinds[i];
			r->is_shipped = 1;
			return;
		}
	for (size_t i = 0; i < weir_model_published_count_; i++)
		if (strcmp(weir_model_published_[i].primitive, r->c.primitive) == 0 &&
		    strcmp(weir_model_published_[i].kind, r->c.kind) == 0)
			r->adapter = &weir_model_published_[i];
}

static const char *refuse_size(const weir_model_case *c)
{
	if (c->blocks == 0 || c->threads == 0 || c->rounds == 0 ||
	    c->blocks > WEIR_MODEL_THREADS / c->threads)
		return "the model machine has 1 to 8 threads";
	if (c->blocks * c->rounds > WEIR_MODEL_DATA)
		return "too many rounds";
	if (c->first & (c->first - 1) || c->first > WEIR_MODEL_THREADS)
		return "a power of two of threads, at most 8, divide a work";
	if (c->first > 1 && c->aborts)
		return "where several threads divide a work, an abort ends the threads themselves";
	return NULL;
}

/* Details that only some kinds support. */
static const char *refuse_details(const weir_model_case_run *r)
{
	const weir_model_case *c = &r->c;

	if (c->slots & (c->slots - 1) && r->adapter->queue != WEIR_QUEUE_CLUSTER)
		return "the slots of a queue are a power of two";
	if ((c->room || c->askers || c->over[0]) && !r->primitive->has_members)
		return "only a group has these, and tasks have room and a graph";
	return NULL;
}

/* Why the case cannot run, or NULL. */
static const char *refuse(const weir_model_case_run *r, const weir_model_options *options)
{
	const weir_model_case *c = &r->c;
	const char *why;

	if (options->search == WEIR_MODEL_REPLAY && !options->choices)
		return "there are no choices to replay";
	if (!r->adapter)
		return "no such primitive or kind";
	if (!((WEIR_MODEL_COMMON_FORMS | r->primitive->forms) >> c->form & 1))
		return "no such form of this primitive";
	why = refuse_size(c);
	if (!why)
		why = refuse_details(r);
	if (!why && r->primitive->refuse)
		why = r->primitive->refuse(r);
	if (why)
		return why;
	if (c->form == WEIR_MODEL_MISUSE && r->primitive->misuse_kinds && c->blocks > 1)
		return "one block makes the calls that are wrong";
	if (c->form == WEIR_MODEL_MADE && (!r->is_shipped || !r->primitive->make))
		return "no kernel makes such an object itself";
	if (GIVING_UP >> c->form & 1 && !r->is_shipped)
		return "published code does not give up";
	if (c->bits && r->adapter->shape != WEIR_SHAPE_COUNTERS)
		return "no such kind has a shape";
	return NULL;
}

void weir_model_configure_(weir_model_case_run *r)
{
	r->config.object.kind = r->adapter->value;
	r->config.object.pitch = 1;
	if (r->c.diagnosed && r->c.form != WEIR_MODEL_MADE &&
	    !(r->primitive->unnoted_forms >> r->c.form & 1))
		r->config.object.id = WEIR_MODEL_ID;
	if (r->primitive->configure)
		r->primitive->configure(r);
	if (r->c.form == WEIR_MODEL_MADE)
		r->size = r->primitive->make(r);
	if (r->size == 0)
		r->size = r->adapter->words(r->config);
}

void weir_model_start_(weir_model_case_run *r)
{
	r->words = weir_model_memory();
	if (r->c.form == WEIR_MODEL_MADE)
		return; /* all words are zero */
	for (uint32_t i = 0; r->primitive->starts_anywhere && i < r->size; i++)
		weir_store_rlx(&r->words[i], 1);
	if (r->primitive->start)
		r->primitive->start(r);
	else if (r->adapter->start)
		r->adapter->start(r->words, r->config, r->c.initial, r->c.past);
}

static void setup(void *context)
{
	weir_model_case_run *r = context;

	memset(r->state, 0, r->primitive->state_bytes);
	weir_model_expect_no_fault();
	r->words = weir_model_memory();
	if (r->config.object.id != 0)
		weir_model_note_object(r->words, r->config.object.id);
	weir_model_start_(r);
}

static void body(void *context)
{
	weir_model_case_run *r = context;

	if (r->c.form == WEIR_MODEL_MADE)
		r->primitive->make(r);
	/* The groups of a chosen form also have barriers. */
	if (r->is_shipped && r->c.form != WEIR_MODEL_CHOSEN)
		weir_model_check(r->adapter->words(r->config) <= r->size,
		                 "the object has no room in its words");
	r->primitive->body(r);
}

/* Whether `site` is in the code of the case, or is none: the block has not got that far. */
static int is_site(const weir_model_case_run *r, uint64_t site)
{
	return site == 0 || (WEIR_SITE_FILE(site) == (uint64_t)(uintptr_t)r->primitive->file &&
	                     WEIR_SITE_LINE(site) - 1 < MOST_LINES);
}

static uint64_t misuse_pair(uint32_t number, uint32_t index)
{
	return (uint64_t)weir_model_misuse_of(number, index + 1) << 32 |
	       weir_model_misuse_of(number, index);
}

/* Whether this misuse is the one that the case expects at that number. */
static int is_meant(const weir_model_case_run *r, uint32_t number)
{
	uint64_t value = misuse_pair(number, WEIR_MISUSE_VALUE);
	uint64_t meant = r->primitive->misuse_values[number];

	return weir_model_misuse_of(number, WEIR_MISUSE_KIND) ==
	           r->primitive->misuse_kinds[number] &&
	       (meant == WEIR_MODEL_SITE ? value != 0 && is_site(r, value) : value == meant);
}

/* Checks the reported block, object and site of the misuse. */
static void check_misuse(const weir_model_case_run *r, uint32_t number)
{
	uint32_t object = weir_model_misuse_of(number, WEIR_MISUSE_OBJECT);
	uint64_t site = misuse_pair(number, WEIR_MISUSE_SITE);
	uint32_t kind = weir_model_misuse_of(number, WEIR_MISUSE_KIND);
	/* A misuse that a later launch finds has no call site and may be of any object. */
	int is_late = kind == WEIR_MISUSE_ENDED_HOLDING;
	/* A fault may concern an object without notes. */
	int is_fault = kind >= WEIR_MISUSE_OF_FAULT(0);

	weir_model_check((is_late || (is_fault && object == 0) || object == WEIR_MODEL_ID ||
	                  object == WEIR_MODEL_ID + 1) &&
	                     weir_model_misuse_of(number, WEIR_MISUSE_BLOCK) < r->c.blocks,
	                 "a misuse is reported of another object or block");
	weir_model_check(is_late ? site == 0 : site != 0 && is_site(r, site),
	                 "a misuse has another call site");
}

static void check_misuses(const weir_model_case_run *r)
{
	int is_wrong = r->c.form == WEIR_MODEL_MISUSE && r->primitive->misuse_kinds;

	for (uint32_t i = 0; i < WEIR_MISUSES; i++) {
		if (weir_model_misuse_of(i, WEIR_MISUSE_KIND) == 0)
			break;
		check_misuse(r, i);
		weir_model_check(!is_wrong || is_meant(r, i), "another misuse is reported");
	}
}

static void check_notes(const weir_model_case_run *r)
{
	uint32_t id = r->config.object.id;

	weir_model_check_notes(r->primitive->misuses ? r->primitive->misuses(r) : 0,
	                       r->primitive->has_orders && (r->c.form == WEIR_MODEL_MISUSE ||
	                                                    r->primitive->explores_notes));
	check_misuses(r);
	for (uint32_t b = 0; id != 0 && b < r->c.blocks && b < WEIR_BLOCKS; b++) {
		weir_model_check(weir_model_note_of(b, WEIR_NOTE_COUNT(id)) ==
		                     (r->primitive->noted ? r->primitive->noted(r, b) : 0),
		                 "the count in the notes of a block is wrong");
		weir_model_check(is_site(r, weir_model_note_site(b, id)),
		                 "a note of a call site is wrong");
	}
}

static void complete(void *context)
{
	const weir_model_case_run *r = context;

	if (r->primitive->complete)
		r->primitive->complete(r);
	if (r->c.diagnosed)
		check_notes(r);
}

static weir_model_program make_program(weir_model_case_run *r)
{
	weir_model_program program = {
	    .blocks = r->c.blocks,
	    .threads = r->c.threads,
	    .setup = setup,
	    .body = body,
	    .complete = complete,
	    .context = r,
	    .cluster = r->c.cluster,
	    .first_block = r->first_block,
	    .first = r->c.first,
	    .is_chatty = r->c.threads > 1 && r->primitive->chatty_forms >> r->c.form & 1,
	    .is_quiet = r->primitive->waits_unsaid && r->primitive->waits_unsaid(r),
	    .waits_in = r->primitive->waits_in,
	    .explores_notes = r->primitive->explores_notes,
	    .shares_sides = r->primitive->shares_sides,
	    .aborts = (int)r->c.aborts};

	if (r->config.object.id == 0)
		program.is_quiet = 1;
	/* Published objects do not state their size. */
	if (r->is_shipped) {
		program.hole = r->size;
		program.hole_end = WEIR_MODEL_FLAGS;
	}
	return program;
}

static weir_model_setting make_setting(const weir_model_options *options)
{
	weir_model_setting setting = {.search = options->search,
	                              .seed = options->seed,
	                              .bound = options->bound,
	                              .max_executions = options->max_executions,
	                              .choices = options->choices,
	                              .polls = options->polls,
	                              .reached = options->reached,
	                              .reached_context = options->reached_context,
	                              .progress = options->progress,
	                              .progress_context = options->progress_context};

	if (options->mutant) {
		setting.mutant_site = options->mutant->site;
		setting.mutant_change = options->mutant->change;
	}
	return setting;
}

/* A deadline that never passes tests nothing. */
static void check_deadlines(const weir_model_case_run *r, weir_model_outcome *outcome)
{
	if (!(r->primitive->late_forms >> r->c.form & 1) || r->c.blocks == 1 ||
	    !outcome->exhaustive || outcome->verdict != WEIR_MODEL_PASS || r->ever_late)
		return;
	outcome->verdict = WEIR_MODEL_CHECK;
	snprintf(outcome->message, sizeof outcome->message,
	         "no deadline is ever over, in all executions");
}

static int explore(weir_model_case_run *r, const weir_model_options *options,
                   weir_model_outcome *outcome)
{
	weir_model_setting setting = make_setting(options);
	weir_model_program program;
	int status;

	weir_model_configure_(r);
	r->state = calloc(1, r->primitive->state_bytes);
	if (!r->state)
		return -1;
	program = make_program(r);
	status = weir_model_explore(&program, &setting, outcome);
	if (status == 0)
		check_deadlines(r, outcome);
	free(r->state);
	return status;
}

int weir_model_run_over_(const weir_model_primitive *const *primitives, const weir_model_case *c,
                         const weir_model_options *options, weir_model_outcome *outcome)
{
	weir_model_case_run r;
	const char *refused;

	memset(&r, 0, sizeof r);
	memset(outcome, 0, sizeof *outcome);
	r.c = *c;
	weir_model_find_(&r, primitives);
	refused = refuse(&r, options);
	if (!refused)
		return explore(&r, options, outcome);
	outcome->verdict = WEIR_MODEL_LIMIT;
	snprintf(outcome->message, sizeof outcome->message, "%s", refused);
	return 0;
}

int weir_model_run(const weir_model_case *c, const weir_model_options *options,
                   weir_model_outcome *outcome)
{
	if (c->diagnosed)
		return weir_model_run_over_(weir_model_diagnosed_.primitives, c, options, outcome);
	if (options->mutant && options->mutant->change == WEIR_MODEL_TEXT)
		return weir_model_run_text_(c, options, outcome);
	return weir_model_run_over_(weir_model_primitives_, c, options, outcome);
}

static void fill(weir_model_case *c, const weir_model_adapter *adapter,
                 const weir_model_case *sizes)
{
	*c = *sizes;
	if (adapter->shape != WEIR_SHAPE_COUNTERS)
		c->bits = 0;
	else if (c->bits == 0)
		c->bits = find_primitive(weir_model_primitives_, adapter->primitive)->bits;
	snprintf(c->primitive, sizeof c->primitive, "%s", adapter->primitive);
	snprintf(c->kind, sizeof c->kind, "%s", adapter->kind);
}

static const weir_model_shape *shape_at(const weir_model_primitive *p,
                                        const weir_model_adapter *adapter, size_t i)
{
	if (p->shape_at)
		return p->shape_at(adapter, i);
	return i < p->shape_count ? &p->shapes[i] : NULL;
}

/* An aborted launch ends all waits. The first small case of each form also runs with an abort. */
static int is_aborted_too(const weir_model_shape *shape, uint32_t *forms)
{
	if (shape->larger || shape->c.first || shape->c.blocks * shape->c.threads > ABORTED_MOST ||
	    (*forms & 1u << shape->c.form))
		return 0;
	*forms |= 1u << shape->c.form;
	return 1;
}

/* Finds case number `*index` of the kind. If the kind has fewer cases, subtracts their number from
 * `*index`. */
static int find_shape(const weir_model_primitive *p, const weir_model_adapter *adapter,
                      size_t *index, weir_model_shape *found)
{
	const weir_model_shape *shape;
	uint32_t forms = 0;

	for (uint32_t aborts = 0; aborts <= 1; aborts++)
		for (size_t i = 0; (shape = shape_at(p, adapter, i)) != NULL; i++) {
			if (p->has_shape && !p->has_shape(adapter, shape))
				continue;
			if (aborts && ((p->unaborted_forms & 1u << shape->c.form) ||
			               !is_aborted_too(shape, &forms)))
				continue;
			if ((*index)-- != 0)
				continue;
			*found = *shape;
			found->c.aborts = aborts;
			if (aborts && found->c.form != WEIR_MODEL_LAUNCHES)
				found->c.rounds = 1;
			return 1;
		}
	return 0;
}

int weir_model_has_hooks_(const char *primitive, const char *kind)
{
	const weir_model_primitive *p = find_primitive(weir_model_diagnosed_.primitives, primitive);

	return p && p->hooks_kind < p->kind_count &&
	       strcmp(p->kinds[p->hooks_kind].kind, kind) == 0;
}

/* Finds case number `*index` among these primitives. If they have fewer cases, subtracts their
 * number from `*index`. */
static const weir_model_adapter *find_among(const weir_model_primitive *const *p, size_t *index,
                                            weir_model_shape *shape)
{
	for (; *p; p++)
		for (size_t k = 0; k < (*p)->kind_count; k++)
			if (find_shape(*p, &(*p)->kinds[k], index, shape))
				return &(*p)->kinds[k];
	return NULL;
}

/* The same over all primitives. */
static const weir_model_adapter *find_case(size_t *index, weir_model_shape *shape)
{
	const weir_model_adapter *found = find_among(weir_model_primitives_, index, shape);

	if (found)
		return found;
	found = find_among(weir_model_diagnosed_.primitives, index, shape);
	shape->c.diagnosed = 1;
	return found;
}

size_t weir_model_case_count(void)
{
	weir_model_shape shape;
	size_t left = SIZE_MAX;

	find_case(&left, &shape);
	return SIZE_MAX - left;
}

int weir_model_case_at(size_t index, weir_model_case *c, int *larger)
{
	weir_model_shape shape;
	const weir_model_adapter *adapter = find_case(&index, &shape);

	if (!adapter)
		return -1;
	fill(c, adapter, &shape.c);
	*larger = shape.larger;
	return 0;
}

size_t weir_model_published_count(void)
{
	return weir_model_published_count_;
}

int weir_model_published_at(size_t index, weir_model_case *c)
{
	const weir_model_adapter *adapter;

	if (index >= weir_model_published_count_)
		return -1;
	adapter = &weir_model_published_[index];
	fill(c, adapter, &find_primitive(weir_model_primitives_, adapter->primitive)->published);
	return 0;
}
