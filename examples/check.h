/* How every example handles a status other than WEIR_OK. */
#ifndef EXAMPLE_CHECK_H
#define EXAMPLE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "weir/weir.h"

#define DEADLINE_NS 300000000000u

#define CHECK(call)                                                                                \
	do {                                                                                       \
		weir_status status_ = (call);                                                      \
		if (status_ != WEIR_OK) {                                                          \
			fprintf(stderr, "%s: %s: %s\n", #call, weir_status_text(status_),          \
			        weir_error_text());                                                \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#endif
