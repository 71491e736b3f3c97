/* A trace: a line for each instruction that a thread has executed, with its values.
 *
 * An instruction is one or a few operations. Its line is written when the thread has gone on to another instruction, or
 * another thread runs: then its results are there, unless it waits for other threads. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/machine.h"

#define LINE 1024

typedef struct line {
	char text[LINE];
	size_t used;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...)
{
	va_list arguments;
	int written;

	va_start(arguments, format);
	written = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, arguments);
	va_end(arguments);
	if (written > 0)
		l->used = l->used + (size_t)written < sizeof l->text ? l->used + (size_t)written
		                                                     : sizeof l->text - 1;
}

static const ptx_access *access_of(const ptx_program *program, const ptx_code *code)
{
	bool has = code->op >= PTX_X_LOAD_GLOBAL_U8;

	return has ? &program->accesses.at[code->x] : NULL;
}

static bool is_guard(const ptx_code *code)
{
	return code->op == PTX_X_SKIP_IF || code->op == PTX_X_SKIP_UNLESS;
}

/* The operands, before the operation changes them. Slot 0 stands for none. */
static void keep_inputs(ptx_tracing *now, const ptx_access *access, const ptx_code *code,
                        const uint64_t *f)
{
	const uint16_t slots[3] = {code->a, code->b, code->c};

	now->in_count = 0;
	now->has_address = access && access->address != PTX_NO_SLOT;
	if (now->has_address)
		now->address = f[access->address] + (uint64_t)access->offset;
	for (unsigned k = 0; access && k < access->inputs; k++)
		now->in[now->in_count++] = f[access->input[k]];
	for (unsigned k = 0; !access && k < 3; k++)
		if (slots[k])
			now->in[now->in_count++] = f[slots[k]];
}

/* Where the thread is, and the instruction as the source has it. */
static void begin(line *l, const weir_ptx_thread *t, uint32_t routine, uint32_t statement)
{
	const ptx_program *program = t->machine->program;
	const ptx_statement *s = &program->module->statements.at[statement];
	weir_ptx_site site;
	size_t length = s->name ? strcspn(s->name, ";\n") : 0;
	const char *slash;

	weir_ptx_site_of(program->module, program->routines.at[routine].function, statement, &site);
	add(l, "block %u,%u,%u thread %u,%u,%u line %u", t->block->ctaid[0], t->block->ctaid[1],
	    t->block->ctaid[2], t->tid[0], t->tid[1], t->tid[2], s->line);
	slash = site.file ? strrchr(site.file, '/') : NULL;
	if (site.file)
		add(l, " (%s:%u)", slash ? slash + 1 : site.file, site.source_line);
	add(l, ": %.*s", length > 160 ? 160 : (int)length, s->name ? s->name : "");
}

static void put(const weir_ptx_machine *m, line *l)
{
	if (l->used + 1 >= sizeof l->text)
		l->used = sizeof l->text - 2;
	l->text[l->used++] = '\n';
	m->launch.trace(m->launch.trace_context, l->text, l->used);
}

static void add_results(line *l, const ptx_access *access, const ptx_code *code, const uint64_t *f)
{
	if (access)
		for (unsigned k = 0; k < access->outputs; k++)
			add(l, " %#llx", (unsigned long long)f[access->output[k]]);
	else if (code->d)
		add(l, " %#llx", (unsigned long long)f[code->d]);
}

/* Writes the line of the instruction that has been under way. */
void weir_ptx_trace_end(weir_ptx_machine *m)
{
	ptx_tracing *now = &m->tracing;
	weir_ptx_thread *t = now->thread;
	const ptx_access *access;
	line l = {.used = 0};

	if (!t)
		return;
	now->thread = NULL;
	access = access_of(m->program, now->last);
	begin(&l, t, now->routine, now->statement);
	if (is_guard(now->last)) {
		add(&l, " | not executed");
		put(m, &l);
		return;
	}
	add(&l, " |");
	if (t->waiting && access == t->waiting)
		t->traced = now->last;
	else
		add_results(&l, access, now->last, t->slots + now->at);
	if (now->in_count || now->has_address)
		add(&l, " <-");
	if (now->has_address)
		add(&l, " [%#llx]", (unsigned long long)now->address);
	for (unsigned k = 0; k < now->in_count; k++)
		add(&l, " %#llx", (unsigned long long)now->in[k]);
	if (t->traced)
		add(&l, " waits");
	put(m, &l);
}

/* The results of an instruction at which the thread has waited. */
static void end_wait(weir_ptx_thread *t)
{
	const ptx_program *program = t->machine->program;
	const ptx_access *access = access_of(program, t->traced);
	line l = {.used = 0};

	begin(&l, t, t->routine, program->statement.at[t->traced - program->code.at]);
	add(&l, " |");
	add_results(&l, access, t->traced, t->frame);
	add(&l, " goes on");
	put(t->machine, &l);
	t->traced = NULL;
}

void weir_ptx_trace(weir_ptx_thread *t, const ptx_code *code)
{
	weir_ptx_machine *m = t->machine;
	ptx_tracing *now = &m->tracing;
	uint32_t statement = m->program->statement.at[code - m->program->code.at];

	if (now->thread != t || now->statement != statement || code <= now->last ||
	    now->at != t->at) {
		weir_ptx_trace_end(m);
		if (t->traced)
			end_wait(t);
		*now = (ptx_tracing){
		    .thread = t, .statement = statement, .routine = t->routine, .at = t->at};
	}
	if (!now->last || is_guard(now->last) || access_of(m->program, code))
		keep_inputs(now, access_of(m->program, code), code, t->frame);
	now->last = code;
}
