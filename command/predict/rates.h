/* The predicted throughput of every kind over block counts. */
#ifndef WEIR_COMMAND_PREDICT_RATES_H
#define WEIR_COMMAND_PREDICT_RATES_H

#include "predict/predict.h"

/* Prints and writes its part, and returns the exit status. */
int weir_predict_rates(const weir_predict_request *request);

#endif
