/* The page about the paper, and the simulations for it. */
#include "paper/paper.h"

#include <stdlib.h>

#include "cli/complain.h"
#include "cli/kinds.h"
#include "cli/simulated.h"
#include "cli/stop.h"
#include "figures/html.h"
#include "figures/memory_tables.h"
#include "output/file.h"
#include "output/gnuplot.h"
#include "output/progress.h"
#include "predict/predict.h"

/* In addition to the report's style: three panels side by side. */
static const char style[] =
    ".panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), "
    "1fr)); gap: 0.4rem; margin-top: 0.4rem; }\n"
    ".panels > div { min-width: 0; }\n"
    ".switch:checked ~ .papers, .switch:not(:checked) ~ .all { display: none; }\n"
    ".key { margin: 0.4rem 0 0; font-size: 0.92rem; }\n"
    ".key span { white-space: nowrap; margin-right: 0.9rem; }\n"
    "label { cursor: pointer; font-size: 0.95rem; }\n"
    "#score { border-left: 4px solid var(--edge); background: var(--card); padding: 0.6rem 0.9rem; "
    "}\n"
    "#score strong { display: block; font-size: 1.3rem; }\n"
    "tr.wrong td { background: var(--warning); }\n"
    "code { overflow-wrap: anywhere; }\n"
    "@media print { .panels { grid-template-columns: repeat(3, 1fr); } }\n";

/* ---- the paper's names for the kinds ---- */

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

/* ---- the page ---- */

static void write_start(FILE *page, const weir_paper_page *paper)
{
	weir_html_begin(page);
	fputs("The paper on ", page);
	weir_html_put(page, weir_report_device(paper->profile));
	weir_html_body(page, style);
	fputs("The paper on ", page);
	weir_html_put(page, weir_report_device(paper->profile));
	fputs("</h1>\n<p class=\"note\">Stuart and Owens, &#8220;Efficient Synchronization "
	      "Primitives for GPUs&#8221; (2011): its tables, figures and claims in its order, "
	      "with this device next to its two machines. doc/paper.md goes through the rest of "
	      "the paper. Page of ",
	      page);
	fprintf(page, "%s by weir %s, commit %s", paper->date, weir_version(),
	        *WEIR_COMMIT ? WEIR_COMMIT : "not known");
	if (*paper->profile->commit)
		weir_html_text(page, "; figures of commit ", paper->profile->commit, "");
	fputs(".</p>\n<p class=\"warning\">GT200 and GF100 were not measured for this page: their "
	      "tables 1 to 3 are the paper&#8217;s, and all throughput of theirs is "
	      "simulated from table 1.</p>\n",
	      page);
	if (paper->simulated)
		fputs("<p class=\"warning\">This device is also simulated, from the probe of a "
		      "profile.</p>\n",
		      page);
	if (paper->counts.quick)
		fputs("<p class=\"warning\">With --quick: few block counts and short simulations, "
		      "too short for a judgement. This page only shows the layout.</p>\n",
		      page);
	if (paper->stopped)
		fputs("<p class=\"warning\">The work was stopped early. This page shows "
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
		fprintf(page, "<p class=\"note\">There are tables instead of plots: %s.</p>\n",
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
	                 "A measured point that hits a limit of some seconds is cut short and "
	                 "marked. The paper leaves such points out.");
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
	weir_html_row(page, "this device", weir_report_device(paper->profile));
	weir_html_row(page, "its figures", paper->origin);
	weir_html_row(page, "driver", paper->profile->device.driver);
	weir_html_row(page, "command", paper->command);
	fputs("</table>\n</div>\n", page);
}

static void write_names(FILE *page, weir_paper_page *paper)
{
	static const char *const columns[] = {"<primitive", "<kind", "<the paper&#8217;s name",
	                                      "<in the paper", NULL};

	(void)paper;
	fputs("<p>This page uses weir&#8217;s names, with the paper&#8217;s in brackets. These are "
	      "the "
	      "kinds that the paper describes; other names are of newer kinds. "
	      "doc/kinds.md has all of them.</p>\n",
	      page);
	weir_html_table(page, "name_table");
	weir_html_heads(page, columns);
	weir_html_rows(page);
	for (size_t i = 0; i < NAMES; i++) {
		const char *name = weir_kind_name(names[i].primitive, names[i].kind);
		fprintf(page,
		        "<tr><td class=\"text\">%s</td><td class=\"text\">%s</td><td "
		        "class=\"text\">%s</td><td class=\"text\">%s</td></tr>\n",
		        weir_primitive_name(names[i].primitive), name,
		        names[i].papers ? names[i].papers : name, names[i].where);
	}
	weir_html_table_end(page);
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
	fputs("<p>A ratio is right if it is within a factor of two of the paper&#8217;s. Only the "
	      "paper&#8217;s kinds compete for the best kind. doc/simulator-claims.md explains the "
	      "wrong "
	      "ones.</p>\n",
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
    {"claims", "The paper&#8217;s claims, and the predictions", write_claims},
    {"method", "Where the method differs from the paper&#8217;s", write_method},
};

#define SECTIONS (sizeof sections / sizeof sections[0])

static void write_all(FILE *page, weir_paper_page *paper)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *all = weir_need(open_memstream(&text, &bytes));

	write_start(page, paper);
	weir_paper_score_write(page, paper->claims);
	for (size_t i = 0; i < SECTIONS; i++) {
		weir_html_heading(all, sections[i].id, sections[i].title, NULL);
		sections[i].write(all, paper);
	}
	if (fclose(all) != 0)
		weir_need(NULL);
	weir_html_end(page, text);
	free(text);
}

/* ---- all of it ---- */

/* Starts with the claims: there are few, and the curves share their points. */
static weir_status simulate(weir_paper_machine *machines, const weir_paper_counts *counts,
                            weir_paper_claims *claims)
{
	weir_progress progress;
	double work = 0;

	for (int i = 0; i < WEIR_PAPER_MACHINES; i++) {
		work += weir_paper_claims_work(claims, &machines[i]);
		work += weir_paper_work(&machines[i], counts);
		machines[i].papers.sim.watch = weir_predict_watch(&progress);
		machines[i].all.sim.watch = weir_predict_watch(&progress);
	}
	weir_progress_begin(&progress, "simulating", "", work);
	weir_status status = weir_paper_claims_judge(claims, machines);
	for (int i = 0; i < WEIR_PAPER_MACHINES && status == WEIR_OK; i++)
		status = weir_paper_simulate(&machines[i], counts);
	weir_progress_end(&progress);
	return status;
}

static int write_page(const weir_paper_request *request, const weir_paper_machine *machines,
                      const weir_paper_claims *claims)
{
	weir_paper_page paper = {.profile = request->profile,
	                         .origin = request->origin,
	                         .command = request->command,
	                         .date = request->date,
	                         .simulated = weir_simulated_is_name(request->profile->device.name),
	                         .stopped = weir_stop_asked(),
	                         .counts = request->counts,
	                         .machines = machines,
	                         .claims = claims,
	                         .no_plots = weir_gnuplot_absence()};
	char *text = NULL;
	size_t bytes = 0;
	FILE *page = weir_need(open_memstream(&text, &bytes));

	if (paper.no_plots)
		weir_complain(0, "the page has tables instead of plots: %s", paper.no_plots);
	write_all(page, &paper);
	if (fclose(page) != 0)
		weir_need(NULL);
	int status = weir_write_file(request->output, text, bytes);
	free(text);
	return status;
}

int weir_paper_report(const weir_paper_request *request)
{
	weir_paper_machine *machines = weir_need(calloc(WEIR_PAPER_MACHINES, sizeof *machines));
	weir_paper_claims claims = {0};
	int status = weir_paper_machines_make(machines, &request->counts);

	if (status == 0)
		status = weir_paper_claims_open(&claims);
	weir_stop_catch();
	if (status == 0 && !weir_stop_asked()) {
		weir_status simulated = simulate(machines, &request->counts, &claims);
		status = simulated == WEIR_OK ? 0 : weir_predict_failed(simulated);
	}
	if (status == 0)
		status = write_page(request, machines, &claims);
	weir_paper_claims_close(&claims);
	weir_paper_machines_free(machines);
	free(machines);
	return status == 0 && weir_stop_asked() ? WEIR_EXIT_STOPPED : status;
}
