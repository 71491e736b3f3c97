/* Counts the checks that fail, and prints where. */
#ifndef WEIR_TEST_SIM_CHECK_H
#define WEIR_TEST_SIM_CHECK_H

#include <math.h>
#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);             \
			check_failures++;                                                          \
		}                                                                                  \
	} while (0)

#define CHECK_NEAR(value, wanted, tolerance)                                                       \
	do {                                                                                       \
		double value_ = (value);                                                           \
		double wanted_ = (wanted);                                                         \
		if (!(fabs(value_ - wanted_) <= (tolerance)*fabs(wanted_))) {                      \
			printf("%s:%d: %s is %.9g, not %.9g\n", __FILE__, __LINE__, #value,        \
			       value_, wanted_);                                                   \
			check_failures++;                                                          \
		}                                                                                  \
	} while (0)

#endif
