#include "paper/names.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/kinds.h"
#include "weir/kind.h"

static const struct name {
	enum weir_primitive primitive;
	uint32_t kind;
	const char *papers; /* NULL: the same */
	const char *where;
} names[] = {
    {WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_TWO_STAGE, "atomic", "two stages; no pseudo-code"},
    {WEIR_PRIMITIVE_BARRIER, WEIR_BARRIER_XF, "XF", "Xiao and Feng; no pseudo-code"},
    {WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN, "spin lock", "algorithm 2"},
    {WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_SPIN_BACKOFF, "spin lock with backoff",
     "algorithm 2 with UseBackoff"},
    {WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_TICKET, "FA", "algorithm 3"},
    {WEIR_PRIMITIVE_MUTEX, WEIR_MUTEX_RING, "ring buffer", "described, not measured"},
    {WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN_EXCHANGE, "spin lock", "algorithm 4"},
    {WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SPIN_EXCHANGE_BACKOFF, "spin lock with backoff",
     "algorithm 4 with UseBackoff"},
    {WEIR_PRIMITIVE_SEMAPHORE, WEIR_SEMAPHORE_SLEEPING, NULL, "algorithm 5"},
};

#define NAMES (sizeof names / sizeof names[0])

void weir_paper_put_kind(FILE *page, enum weir_primitive primitive, uint32_t kind)
{
	fputs(weir_kind_name(primitive, kind), page);
	for (size_t i = 0; i < NAMES; i++)
		if (names[i].primitive == primitive && names[i].kind == kind && names[i].papers)
			fprintf(page, " <small>(%s)</small>", names[i].papers);
}

void weir_paper_names_write(FILE *page)
{
	fputs("<p>This page uses "
	      "weir&#8217;s names, with the paper&#8217;s in brackets. These are the "
	      "kinds that the paper describes; other names are of kinds that came later. "
	      "doc/kinds.md has all of them.</p>\n"
	      "<div class=\"scroll\">\n<table id=\"name_table\">\n<thead>\n<tr><th "
	      "class=\"text\">primitive</th><th class=\"text\">kind</th><th "
	      "class=\"text\">the paper&#8217;s name</th><th class=\"text\">in the "
	      "paper</th></tr>\n</thead>\n<tbody>\n",
	      page);
	for (size_t i = 0; i < NAMES; i++) {
		const char *name = weir_kind_name(names[i].primitive, names[i].kind);
		fprintf(page,
		        "<tr><td class=\"text\">%s</td><td class=\"text\">%s</td><td "
		        "class=\"text\">%s</td><td class=\"text\">%s</td></tr>\n",
		        weir_primitive_name(names[i].primitive), name,
		        names[i].papers ? names[i].papers : name, names[i].where);
	}
	fputs("</tbody>\n</table>\n</div>\n", page);
}
