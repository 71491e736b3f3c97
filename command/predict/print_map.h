/* Which kind wins over a grid of the two ratios, with and without hostage lines. */
#ifndef WEIR_COMMAND_PREDICT_PRINT_MAP_H
#define WEIR_COMMAND_PREDICT_PRINT_MAP_H

#include "predict/predict.h"

/* Prints and writes its part, and returns the exit status. */
int weir_predict_map(const weir_predict_request *request);

#endif
