/* The parameters of the kernels that test a crew. */
#ifndef CREW_PARAMS_H
#define CREW_PARAMS_H

#include "weir/device.h"

/* What a rank does. */
#define CREW_BARRIER 0 /* all blocks of all ranks meet */
#define CREW_LANE 1    /* block 0 of each rank meets the others */
#define CREW_EVENT 2   /* a signal travels round the ranks */
#define CREW_QUEUE 3   /* an item travels round the ranks */
#define CREW_TRIALS 4

typedef struct crew_params {
	weir_crew crew;
	uint32_t trial;
	uint32_t rounds;
	uint32_t base;    /* rounds of earlier launches of this trial */
	uint32_t without; /* 1: leave the crew out; then the checks must fail */
	uint32_t stop_at; /* the round at which this rank stops arriving, if reached */
	uint64_t ns;      /* the deadline of each wait */
} crew_params;

/* The layout of `data`. */
#define CREW_RESULT 0 /* a weir_status, of the first wait that failed */
#define CREW_ERRORS 1
#define CREW_NS 2 /* and the next word: the time for all rounds, in nanoseconds */
#define CREW_WORDS 4

#endif
