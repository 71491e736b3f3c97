/* The accesses that each operation of every kind makes. */
#ifndef WEIR_COMMAND_PREDICT_COUNTS_H
#define WEIR_COMMAND_PREDICT_COUNTS_H

#include "predict/predict.h"

/* Prints and writes its part, and returns the exit status. */
int weir_predict_counts(const weir_predict_request *request);

#endif
