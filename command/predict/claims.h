/* Claims about machines, held against what is predicted for them. */
#ifndef WEIR_COMMAND_PREDICT_CLAIMS_H
#define WEIR_COMMAND_PREDICT_CLAIMS_H

#include "predict/predict.h"

/* Prints and writes its part, and returns the exit status. */
int weir_predict_claims(const weir_predict_request *request);

#endif
