/* Prints an execution as text for people. */
#define _POSIX_C_SOURCE 200809L
#include "model/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "model/scopes.h"

static const char *const order_names[] = {
    "rlx", "acq", "rel", "acq_rel", "begun", "begun_acq", [WEIR_MODEL_POLL] = "poll"};

/* "weir_ticket_turn_(m)" becomes "ticket_turn", "&m.words[0]" becomes "words[0]". */
static void print_name(FILE *out, const char *expression)
{
	const char *from = expression;
	size_t length;

	while (*from == '&')
		from++;
	if (strncmp(from, "m.", 2) == 0 || strncmp(from, "s.", 2) == 0 ||
	    strncmp(from, "b.", 2) == 0)
		from += 2;
	if (strncmp(from, "weir_", 5) == 0)
		from += 5;
	length = strcspn(from, "(");
	if (length > 1 && from[length - 1] == '_')
		length--;
	fprintf(out, "%.*s", (int)length, from);
}

static void print_place(FILE *out, const weir_model_site *site)
{
	const char *file = site->file;
	const char *found = strstr(file, "include/weir/");

	if (found)
		file = found + strlen("include/weir/");
	else if (strrchr(file, '/'))
		file = strrchr(file, '/') + 1;
	fprintf(out, "  [%s:%d %s]", file, site->line, site->function);
}

static void print_source(FILE *out, const weir_model_event *event)
{
	if (event->reads)
		fprintf(out, " (written at step %u)", event->reads);
	else
		fprintf(out, " (the initial value)");
}

static int order_is_in_name(const weir_model_op *op)
{
	const char *name = op->site->operation;
	const char *order = order_names[op->order];
	size_t all = strlen(name);
	size_t part = strlen(order);

	if (op->order == WEIR_MODEL_POLL)
		return 1;
	if (all < part || strcmp(name + all - part, order) != 0)
		return 0;
	return op->order == WEIR_MODEL_ACQ_REL || strstr(name, "acq_rel") == NULL;
}

const char *weir_model_value_text(const weir_model_location *location, uint64_t value,
                                  char text[WEIR_MODEL_VALUE_TEXT])
{
	if (location->wide)
		snprintf(text, WEIR_MODEL_VALUE_TEXT, "%u:%u", (unsigned)(value >> 32),
		         (unsigned)value);
	else
		snprintf(text, WEIR_MODEL_VALUE_TEXT, "%u", (unsigned)value);
	return text;
}

static void print_access(FILE *out, const weir_model_engine *e, const weir_model_event *event)
{
	const weir_model_op *op = &event->op;
	const weir_model_location *location = &e->locations[op->location];
	char text[WEIR_MODEL_VALUE_TEXT];

	fprintf(out, "%s ", op->site->operation);
	print_name(out, op->site->word);
	fprintf(out, "@%u", location->word);
	if (!order_is_in_name(op))
		fprintf(out, " weakened to %s", order_names[op->order]);
	if (op->scope != WEIR_MODEL_DEVICE)
		fprintf(out, " %s", weir_model_scope_text(op->scope));
	if (weir_model_is_await(op->type))
		fprintf(out, op->type == WEIR_OP_AWAIT_XCHG_NE ? " not %u" : " %u",
		        (unsigned)op->expected);
	if (weir_model_reads(op->type)) {
		fprintf(out, ": reads %s", weir_model_value_text(location, event->result, text));
		print_source(out, event);
	}
	if (event->failed)
		fprintf(out, ", not %s: writes nothing",
		        weir_model_value_text(location, op->expected, text));
	else if (weir_model_writes(op->type))
		fprintf(out, "%s writes %s", weir_model_reads(op->type) ? "," : ":",
		        weir_model_value_text(location, event->wrote, text));
}

static void print_event(FILE *out, const weir_model_engine *e, uint32_t step)
{
	const weir_model_event *event = &e->events[step];
	const weir_model_op *op = &event->op;
	const weir_model_thread *t = &e->threads[event->thread];

	fprintf(out, "%4u  block %u thread %u  ", step, t->block, t->thread);
	switch (op->type) {
	case WEIR_OP_DATA_READ:
	case WEIR_OP_DATA_WRITE:
		fprintf(out, "%s data %u", op->type == WEIR_OP_DATA_READ ? "reads" : "writes",
		        op->location);
		break;
	case WEIR_OP_NOTED:
		fprintf(out, "%s ", op->site->operation);
		print_name(out, op->site->word);
		fprintf(out, "@%u: reads %u", op->location, (unsigned)event->result);
		if (event->wrote != event->result)
			fprintf(out, ", writes %u", (unsigned)event->wrote);
		break;
	case WEIR_OP_NOTE:
		fprintf(out, "-- %s", event->note);
		break;
	case WEIR_OP_ACQUIRE_EACH:
		fprintf(out, "acquire_each ");
		print_name(out, op->site->word);
		fprintf(out, "@%u", e->locations[op->location].word);
		break;
	case WEIR_OP_CHOOSE:
		fprintf(out, "%s: %s", op->site->operation, event->result ? "yes" : "no");
		break;
	case WEIR_OP_FENCE:
	case WEIR_OP_SYNC:
	case WEIR_OP_ARRIVE:
	case WEIR_OP_SYNC_REL:
	case WEIR_OP_MEET:
		fprintf(out, "%s", op->site->operation);
		break;
	default:
		print_access(out, e, event);
		break;
	}
	if (op->site)
		print_place(out, op->site);
	fputc('\n', out);
}

char *weir_model_moves(const weir_model_engine *e)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (uint32_t i = 0; i < e->move_count; i++) {
		const weir_model_move *move = &e->moves[i];
		fprintf(out, "%s%u%c", i ? " " : "", move->thread, move->what);
		if (move->what == WEIR_MODEL_MOVE_STEP)
			fprintf(out, "%u", move->choice);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

char *weir_model_trace(const weir_model_engine *e)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (uint32_t i = 1; i <= e->event_count; i++)
		print_event(out, e, i);
	fprintf(out, "      %s\n", e->message);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
