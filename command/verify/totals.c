/* The sums over the jobs. */
#include "verify/totals.h"

#include <stddef.h>

#include "verify/jobs.h"

weir_verify_totals weir_verify_sum(const weir_verify_list *list)
{
	weir_verify_totals sum = {0};

	for (size_t i = 0; i < list->count; i++) {
		const weir_verify_job *job = &list->jobs[i];
		if (!job->ran)
			continue;
		sum.jobs++;
		sum.refused += (size_t)weir_verify_refused(job);
		sum.wrong += !weir_verify_refused(job) && !weir_verify_good(job);
		sum.equivalent += job->part == WEIR_VERIFY_MUTANTS && job->mutant.equivalent;
		sum.uncovered += job->part == WEIR_VERIFY_MUTANTS && job->mutant.uncovered;
		sum.executions += job->outcome.executions;
		sum.steps += job->outcome.steps;
		sum.seconds += job->outcome.seconds;
	}
	return sum;
}
