/* Comparisons over all cases. */
#include "forms/summary.h"

#include <math.h>
#include <stddef.h>

#include "forms/bench.h"
#include "forms/forms.h"
#include "forms/trial.h"

/* A case counts as slower from here on. */
#define SLOWER 0.99

static void note(weir_excess *excess, const weir_shape_case *c, double own, double other,
                 int more_is_worse)
{
	double worse = more_is_worse ? own / other : other / own;
	double worst = more_is_worse ? excess->own / excess->other : excess->other / excess->own;

	/* 0 stands for not known, except that 0 resident blocks are a figure. */
	if (!(other > 0) || (!(own > 0) && more_is_worse))
		return;
	excess->known++;
	if (worse <= 1)
		return;
	excess->worse++;
	if (excess->worst && worse <= worst)
		return;
	excess->worst = c;
	excess->own = own;
	excess->other = other;
}

weir_form_totals weir_compare_forms(const weir_kernels_bench *bench, enum weir_form_id own,
                                    enum weir_form_id other)
{
	weir_form_totals sum = {.own = own, .other = other};
	double logarithms = 0;

	for (size_t i = 0; i < bench->count; i++) {
		const weir_shape_case *c = &bench->cases[i];
		const weir_trial *a = weir_case_find(c, own);
		const weir_trial *b = weir_case_find(c, other);
		if (!a || !b)
			continue;
		note(&sum.registers, c, a->cost.registers, b->cost.registers, 1);
		note(&sum.resident, c, a->cost.resident, b->cost.resident, 0);
		note(&sum.code, c, (double)a->cost.code, (double)b->cost.code, 1);
		sum.unfit += b->done && !a->done;
		if (!(a->median > 0) || !(b->median > 0))
			continue;
		double ratio = b->median / a->median;
		if (sum.cases == 0 || ratio < sum.least) {
			sum.least = ratio;
			sum.least_at = c;
		}
		sum.cases++;
		logarithms += log(ratio);
		sum.below += ratio < SLOWER;
		sum.clearly_below += b->greatest / a->least < SLOWER;
	}
	sum.mean = sum.cases ? exp(logarithms / (double)sum.cases) : 0;
	return sum;
}
