#include "paper/page.h"

#include <stddef.h>
#include <stdio.h>

#include "figures/html.h"
#include "figures/memory.h"
#include "paper/claims.h"
#include "paper/figures.h"
#include "paper/names.h"
#include "weir/kind.h"
#include "weir/profile.h"
#include "weir/weir.h"

/* On top of the report's style: wider, for three panels side by side. */
static const char style[] =
    "body { max-width: 82rem; }\n"
    "body > p, body > ul { max-width: 62rem; }\n"
    ".panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), "
    "1fr)); gap: 0.4rem; margin-top: 0.4rem; }\n"
    ".panels > div { min-width: 0; }\n"
    ".panels svg { min-width: 0; }\n"
    ".switch:checked ~ .papers, .switch:not(:checked) ~ .all { display: none; }\n"
    ".key { margin: 0.4rem 0 0; font-size: 0.92rem; }\n"
    ".key span { white-space: nowrap; margin-right: 0.9rem; }\n"
    "label { cursor: pointer; font-size: 0.95rem; }\n"
    "tr.wrong td { background: var(--warning); }\n"
    "code { overflow-wrap: anywhere; }\n"
    "@media print { .panels { grid-template-columns: repeat(3, 1fr); } }\n";

static void write_start(FILE *page, const weir_paper_page *paper)
{
	fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\"/>\n<title>The paper on ",
	      page);
	weir_report_put(page, weir_report_device(paper->profile));
	fprintf(page, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>The paper on ",
	        weir_report_style, style);
	weir_report_put(page, weir_report_device(paper->profile));
	fputs("</h1>\n<p class=\"note\">Stuart and Owens, &#8220;Efficient Synchronization "
	      "Primitives for GPUs&#8221; (2011): its tables, figures and claims in its order, "
	      "with this device beside its two machines. doc/paper.md goes through the rest of "
	      "the paper. Page of ",
	      page);
	fprintf(page, "%s by weir %s, commit %s", paper->date, weir_version(),
	        *WEIR_COMMIT ? WEIR_COMMIT : "not known");
	fputs("; figures of commit ", page);
	weir_report_put(page, *paper->profile->commit ? paper->profile->commit : "not known");
	fputs(".</p>\n<p class=\"warning\">Nobody measured GT200 and GF100 for this page: their "
	      "tables 1 to 3 are the paper&#8217;s, and every throughput of them is "
	      "simulated from table 1.</p>\n",
	      page);
	if (paper->simulated)
		fputs("<p class=\"warning\">This device is simulated, too, from the probe of a "
		      "profile.</p>\n",
		      page);
	if (paper->counts.quick)
		fputs("<p class=\"warning\">With --quick: few block counts and short simulations, "
		      "too short to judge by. This page is a look at its form.</p>\n",
		      page);
	if (paper->stopped)
		fputs("<p class=\"warning\">The work was stopped before its end. This page shows "
		      "what was done until then.</p>\n",
		      page);
}

static void write_api(FILE *page, weir_paper_page *paper)
{
	(void)paper;
	fputs("<p>The functions of the paper, and "
	      "those of weir in a kernel.</p>\n"
	      "<div class=\"scroll\">\n<table>\n<thead>\n<tr><th class=\"text\">the paper</th>"
	      "<th class=\"text\">weir</th></tr>\n</thead>\n<tbody>\n"
	      "<tr><td class=\"text\">Barrier: Barrier()</td><td class=\"text\"><code>"
	      "weir_barrier_wait</code></td></tr>\n"
	      "<tr><td class=\"text\">Mutex: Lock(), Unlock()</td><td class=\"text\"><code>"
	      "weir_mutex_lock</code>, <code>weir_mutex_unlock</code></td></tr>\n"
	      "<tr><td class=\"text\">Semaphore: Wait(), Post()</td><td class=\"text\"><code>"
	      "weir_semaphore_wait</code>, <code>weir_semaphore_post</code></td></tr>\n"
	      "</tbody>\n</table>\n</div>\n",
	      page);
}

static void write_counts(FILE *page, weir_paper_page *paper)
{
	fputs("<p>Operations a second of all blocks together, with an empty critical section and "
	      "one thread of each block at a mutex or a semaphore. The vertical axis is "
	      "logarithmic, as in the paper, and the horizontal one is where there are more than "
	      "256 blocks.</p>\n"
	      "<p>On GT200 and GF100 the panels have the paper&#8217;s kinds as it wrote them, as "
	      "far as its figures go: on GT200 the two-stage atomic barrier to 60 blocks, the "
	      "spin mutex to 130 and the spin semaphore to 120, and XF to six blocks on a "
	      "multiprocessor, which its registers allow. A device that was measured has them as "
	      "weir has them. The switch shows all kinds as weir has them, to the full scale: "
	      "their words lie in cache lines of their own.</p>\n<p>",
	      page);
	if (paper->counts.quick)
		fputs("With --quick, only a few block counts were simulated, each in a short "
		      "run.</p>\n",
		      page);
	else if (paper->counts.step == 1)
		fputs("Every block count that the paper plots was simulated: 1 to 240 on GT200, 1 "
		      "to 128 on GF100. Behind the switch are the powers of two and the full "
		      "scale.</p>\n",
		      page);
	else
		fprintf(page,
		        "The paper plots 1 to 240 blocks on GT200 and 1 to 128 on GF100. Simulated "
		        "were 1 to 8 blocks and from there every %u; --step 1 simulates all of "
		        "them. Behind the switch are the powers of two and the full scale.</p>\n",
		        paper->counts.step);
	if (paper->no_plots)
		fprintf(page, "<p class=\"note\">There are tables in place of plots: %s.</p>\n",
		        paper->no_plots);
}

static void write_difference(FILE *page, const char *subject, const char *text)
{
	fprintf(page, "<li><strong>%s</strong> %s</li>\n", subject, text);
}

static void write_method(FILE *page, weir_paper_page *paper)
{
	fputs("<ul>\n", page);
	write_difference(page, "The loop.",
	                 "The paper has one unrolled loop of 1000 operations a block. weir&#8217;s "
	                 "loop is not unrolled: the kinds are chosen in it, and its few "
	                 "instructions hide behind the memory accesses. The probe&#8217;s loop of "
	                 "accesses is unrolled eight times.");
	write_difference(page, "The number of operations.",
	                 "A measured run takes as many as fill about 5 ms (10 on a CPU), and no "
	                 "fewer than 20 a block (8 of a barrier). A simulated one takes a million "
	                 "memory accesses, and counts the second half.");
	write_difference(page, "The time limit.",
	                 "A measured point ends after some seconds at the latest, and is marked. "
	                 "The paper leaves such points out.");
	write_difference(page, "The pause.",
	                 "The paper&#8217;s unit is the time of one noncontentious volatile read. "
	                 "weir&#8217;s on CUDA is fixed when it is compiled: 311 cycles, that "
	                 "time on an H200 (doc/tuning.md). The simulator&#8217;s is the "
	                 "simulated machine&#8217;s own.");
	write_difference(
	    page, "The bounds of the backoff.",
	    "The paper does not give them. On GT200 and GF100 the mutexes as the paper "
	    "wrote them pause 2 to 4 units, fitted to two of its figures, and the "
	    "sleeping semaphore does not pause. Other simulated kinds have the bounds "
	    "that the simulator&#8217;s tuner finds. Points of a device are measured with 1 to "
	    "16 units, those of <code>ticket</code>, <code>ring</code> and "
	    "<code>sleeping</code> without pauses; table 5 takes the rate that tuning reached, "
	    "where a profile "
	    "has it.");
	write_difference(page, "Memory orders.",
	                 "weir acquires and releases where the paper has volatile accesses, so a "
	                 "lock protects its data on GPUs with a weak memory model.");
	write_difference(page, "The same:",
	                 "128 threads a block (32 on a CPU), one kernel for all operations, "
	                 "operations a second as the figure, the initial values 1, 2, 10 and 120.");
	fputs("</ul>\n<div class=\"scroll\">\n<table>\n", page);
	weir_report_row(page, "this device", weir_report_device(paper->profile));
	weir_report_row(page, "its figures", paper->origin);
	weir_report_row(page, "driver", paper->profile->device.driver);
	weir_report_row(page, "command", paper->command);
	fputs("</table>\n</div>\n", page);
}

static void write_names(FILE *page, weir_paper_page *paper)
{
	(void)paper;
	weir_paper_names_write(page);
}

static void write_memory(FILE *page, weir_paper_page *paper)
{
	static const char *const titles[] = {"Table 1: times",
	                                     "Table 2: contentious to noncontentious accesses",
	                                     "Table 3: compared with volatile accesses"};

	weir_report_memory_write(page, paper->profile, titles);
}

static void write_barriers(FILE *page, weir_paper_page *paper)
{
	weir_paper_figure_write(page, paper, WEIR_PRIMITIVE_BARRIER);
}

static void write_mutexes(FILE *page, weir_paper_page *paper)
{
	weir_paper_figure_write(page, paper, WEIR_PRIMITIVE_MUTEX);
}

static void write_semaphores(FILE *page, weir_paper_page *paper)
{
	weir_paper_figure_write(page, paper, WEIR_PRIMITIVE_SEMAPHORE);
}

static void write_best(FILE *page, weir_paper_page *paper)
{
	fputs("<p>At scale: the largest number of blocks that all of the paper&#8217;s kinds run "
	      "with. XF is compared at six blocks on a multiprocessor.</p>\n",
	      page);
	weir_paper_best_write(page, paper);
}

static void write_claims(FILE *page, weir_paper_page *paper)
{
	fputs("<p>A ratio is right within a factor of two of the paper&#8217;s. Among the best "
	      "kinds only those of the paper compete. doc/simulator.md explains what is "
	      "wrong.</p>\n",
	      page);
	weir_paper_claims_write(page, paper->claims);
}

/* The sections, in the paper's order. */
static const struct {
	const char *id;
	const char *title;
	void (*write)(FILE *page, weir_paper_page *paper);
} sections[] = {
    {"names", "The kinds, and what the paper calls them", write_names},
    {"memory", "Tables 1 to 3: the memory system", write_memory},
    {"table4", "Table 4: the API", write_api},
    {"throughput", "Figures 1 to 3: throughput", write_counts},
    {"figure1", "Figure 1: barriers", write_barriers},
    {"figure2", "Figure 2: mutexes", write_mutexes},
    {"figure3", "Figure 3: semaphores", write_semaphores},
    {"table5", "Table 5: the best kinds", write_best},
    {"claims", "What the paper states, and what is predicted", write_claims},
    {"method", "Where the method differs from the paper&#8217;s", write_method},
};

#define SECTIONS (sizeof sections / sizeof sections[0])

static void write_contents(FILE *page)
{
	fputs("<nav id=\"contents\">\n<ul>\n", page);
	for (size_t i = 0; i < SECTIONS; i++)
		fprintf(page, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
		        sections[i].title);
	fputs("</ul>\n</nav>\n", page);
}

void weir_paper_page_write(FILE *page, weir_paper_page *paper)
{
	write_start(page, paper);
	weir_paper_score_write(page, paper->claims);
	write_contents(page);
	for (size_t i = 0; i < SECTIONS; i++) {
		fprintf(page, "<h2 id=\"%s\">%s</h2>\n", sections[i].id, sections[i].title);
		sections[i].write(page, paper);
	}
	fputs("</body>\n</html>\n", page);
}
