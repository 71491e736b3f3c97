/* One form against another over all cases of weir bench kernels. */
#ifndef WEIR_COMMAND_FORMS_SUMMARY_H
#define WEIR_COMMAND_FORMS_SUMMARY_H

#include <stddef.h>

#include "forms/bench.h"
#include "forms/forms.h"

/* How often a figure is worse than the other form's, and where it is worst. */
typedef struct weir_excess {
	size_t known; /* cases in which both are known */
	size_t worse;
	const weir_shape_case *worst; /* NULL: none is worse */
	double own, other;            /* there */
} weir_excess;

typedef struct weir_form_totals {
	enum weir_form_id own, other;
	size_t cases; /* with both forms measured */
	double mean;  /* geometric, of the other's time by the own one: above 1 is faster */
	double least; /* of these ratios */
	const weir_shape_case *least_at;
	size_t below; /* ratios below 0.99 */
	/* Of these, how many are below it even with the own least and the other's greatest time. */
	size_t clearly_below;
	weir_excess registers, resident, code; /* also of cases that were not measured */
	size_t unfit; /* cases that the other form runs, and the own one does not */
} weir_form_totals;

weir_form_totals weir_compare_forms(const weir_kernels_bench *bench, enum weir_form_id own,
                                    enum weir_form_id other);

#endif
