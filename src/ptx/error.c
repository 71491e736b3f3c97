/* Findings: what ended a launch, where, and for a hang what every block waits for. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/machine.h"

const char *weir_ptx_end_name(weir_ptx_end end)
{
	static const char *const names[] = {"done",
	                                    "unsupported instruction",
	                                    "out of bounds",
	                                    "misaligned",
	                                    "wrong address space",
	                                    "use of freed memory",
	                                    "memory that was never written",
	                                    "write to read-only memory",
	                                    "barrier",
	                                    "warp operation",
	                                    "mbarrier",
	                                    "stack overflow",
	                                    "division by zero",
	                                    "bad call",
	                                    "trap",
	                                    "assertion failed",
	                                    "hang",
	                                    "out of instructions",
	                                    "stopped",
	                                    "no memory"};

	return (unsigned)end < sizeof names / sizeof *names ? names[end] : "unknown";
}

static uint32_t statement_of(const weir_ptx_thread *t)
{
	const ptx_program *program = t->machine->program;

	return program->statement.at[t->pc - program->code.at];
}

void weir_ptx_thread_site(const weir_ptx_thread *t, weir_ptx_site *site)
{
	const ptx_program *program = t->machine->program;

	weir_ptx_site_of(program->module, program->routines.at[t->routine].function,
	                 statement_of(t), site);
}

void weir_ptx_operation_site(const weir_ptx_machine *m, const weir_ptx_operation *operation,
                             weir_ptx_site *site)
{
	const ptx_program *program = m->program;
	uint32_t statement = program->accesses.at[operation->index].statement, function = PTX_NONE;

	for (uint32_t i = 0; i < program->routines.count; i++) {
		const ptx_function *f =
		    &program->module->functions.at[program->routines.at[i].function];
		if (statement - f->statements < f->statement_count)
			function = program->routines.at[i].function;
	}
	weir_ptx_site_of(program->module, function, statement, site);
}

/* "file.cu:12 (PTX line 340)", or "PTX line 340". */
static int site_text(const weir_ptx_site *site, char *text, size_t bytes)
{
	const char *slash = site->file ? strrchr(site->file, '/') : NULL;

	if (site->file)
		return snprintf(text, bytes, "%s:%u (PTX line %u)", slash ? slash + 1 : site->file,
		                site->source_line, site->line);
	return snprintf(text, bytes, "PTX line %u", site->line);
}

bool weir_ptx_find(weir_ptx_thread *t, weir_ptx_end end, const char *format, ...)
{
	weir_ptx_machine *m = t->machine;
	weir_ptx_result *r = &m->result;
	const ptx_statement *s = &m->program->module->statements.at[statement_of(t)];
	char what[512] = "", site[512];
	va_list arguments;

	if (m->failed)
		return false;
	m->failed = true;
	r->end = end;
	memcpy(r->block, t->block->ctaid, sizeof r->block);
	memcpy(r->thread, t->tid, sizeof r->thread);
	weir_ptx_thread_site(t, &r->site);
	snprintf(r->instruction, sizeof r->instruction, "%.*s", (int)s->name_length,
	         s->name ? s->name : "");
	if (format) {
		va_start(arguments, format);
		vsnprintf(what, sizeof what, format, arguments);
		va_end(arguments);
	} else if (end == WEIR_PTX_UNSUPPORTED) {
		snprintf(what, sizeof what, "%s", s->why ? s->why : "it is not supported");
	} else {
		snprintf(what, sizeof what, "the kernel executed a trap");
	}
	site_text(&r->site, site, sizeof site);
	snprintf(r->text, sizeof r->text, "%s: block (%u,%u,%u) thread (%u,%u,%u) at %s, %s: %s",
	         weir_ptx_end_name(end), r->block[0], r->block[1], r->block[2], r->thread[0],
	         r->thread[1], r->thread[2], site, r->instruction, what);
	return false;
}

/* --- Hangs ------------------------------------------------------------------------------------------ */

static bool polls_with_others(const weir_ptx_thread *t)
{
	return t->state != WEIR_PTX_SPINNING && t->state != WEIR_PTX_EXITED &&
	       weir_ptx_circles(t, 0) && t->spin->recorded && t->spin->words;
}

static void poll_text(const weir_ptx_thread *t, const char *how, char *text, size_t bytes)
{
	const ptx_word *word = &t->spin->word[0];

	snprintf(text, bytes, "poll %u bytes at %#llx%s, which hold %llu%s", word->bytes,
	         (unsigned long long)word->address,
	         word->owner == PTX_NONE ? "" : " of shared memory",
	         (unsigned long long)word->value, how);
}

void weir_ptx_waits_for(const weir_ptx_thread *t, char *text, size_t bytes)
{
	if (polls_with_others(t)) {
		poll_text(t, ", in a loop with other threads", text, bytes);
		return;
	}
	switch (t->state) {
	case WEIR_PTX_AT_BARRIER: {
		const ptx_barrier *bar = &t->block->barriers[t->operand[0] % PTX_BARRIERS];
		snprintf(text, bytes, "wait at barrier %u, which %u of %u threads have reached",
		         (unsigned)t->operand[0], bar->arrived, bar->expected);
		break;
	}
	case WEIR_PTX_AT_CLUSTER_BARRIER:
		snprintf(text, bytes, "wait at the cluster's barrier");
		break;
	case WEIR_PTX_AT_WARP:
		snprintf(text, bytes, "wait for the lanes %#x of their warp",
		         (unsigned)t->operand[3]);
		break;
	case WEIR_PTX_SPINNING:
		if (!t->spin->words) {
			snprintf(text, bytes, "loop without reading any memory");
			break;
		}
		poll_text(t, "", text, bytes);
		break;
	default:
		snprintf(text, bytes, "loop without any effect");
	}
}

static bool same_wait(const weir_ptx_thread *a, const weir_ptx_thread *b)
{
	bool polls = polls_with_others(a);

	if (polls != polls_with_others(b))
		return false;
	if (polls)
		return a->spin->loop == b->spin->loop &&
		       a->spin->word[0].address == b->spin->word[0].address;
	return a->pc == b->pc && a->state == b->state;
}

/* Writes a line for the threads of a block that wait in the same way as `t`. */
static size_t report_group(const weir_ptx_thread *t, char *text, size_t bytes)
{
	const ptx_block *b = t->block;
	uint32_t count = 0;
	char what[200], where[300];
	weir_ptx_site site;
	int written;

	for (uint32_t i = t->index; i < b->threads; i++)
		count += same_wait(t, &b->thread[i]);
	weir_ptx_waits_for(t, what, sizeof what);
	weir_ptx_thread_site(t, &site);
	site_text(&site, where, sizeof where);
	const int verb = (int)strcspn(what, " ");
	written =
	    count == 1
		? snprintf(text, bytes, "\nblock (%u,%u,%u): thread (%u,%u,%u) %.*ss%s, at %s",
	                   b->ctaid[0], b->ctaid[1], b->ctaid[2], t->tid[0], t->tid[1], t->tid[2],
	                   verb, what, what + verb, where)
		: snprintf(text, bytes,
	                   "\nblock (%u,%u,%u): %u threads from (%u,%u,%u) on %s, at %s",
	                   b->ctaid[0], b->ctaid[1], b->ctaid[2], count, t->tid[0], t->tid[1],
	                   t->tid[2], what, where);
	return written < 0 ? 0 : (size_t)written;
}

void weir_ptx_report_hang(weir_ptx_machine *m)
{
	weir_ptx_result *r = &m->result;
	size_t used;

	m->failed = true;
	r->end = WEIR_PTX_HANG;
	used = (size_t)snprintf(
	    r->text, sizeof r->text,
	    "hang: no thread can make progress; %u of %u blocks have ended, %u %s not started",
	    m->finished, m->blocks, m->blocks - m->started * m->cluster_size,
	    m->blocks - m->started * m->cluster_size == 1 ? "has" : "have");
	for (uint32_t k = 0; k < m->live_count; k++)
		for (uint32_t i = 0; i < m->live[k]->threads; i++) {
			const weir_ptx_thread *t = &m->live[k]->thread[i];
			bool first = t->state != WEIR_PTX_EXITED;
			for (uint32_t j = 0; j < i && first; j++)
				first = !same_wait(t, &m->live[k]->thread[j]);
			if (!first || used + 400 > sizeof r->text)
				continue;
			used += report_group(t, r->text + used, sizeof r->text - used);
		}
}
