/* Predictions for a profile beside the benchmarks that it holds. */
#ifndef WEIR_COMMAND_PREDICT_AGAINST_H
#define WEIR_COMMAND_PREDICT_AGAINST_H

#include "predict/predict.h"

/* Prints and writes its part, and returns the exit status. */
int weir_predict_against(const weir_predict_request *request);

#endif
