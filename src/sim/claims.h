/* Claims about throughput, from a file, held against predictions. data/paper/claims.csv says what
 * each check means. */
#ifndef WEIR_SIM_CLAIMS_H
#define WEIR_SIM_CLAIMS_H

#include <stdio.h>

#include "prediction.h"

typedef enum weir_claim_check {
	WEIR_CLAIM_BEST,    /* `left` is the fastest of the paper's kinds */
	WEIR_CLAIM_RATIO,   /* left over right is inside the bounds */
	WEIR_CLAIM_ALWAYS,  /* left is ahead of right, or of all, from 2 blocks to `blocks` */
	WEIR_CLAIM_FLAT,    /* highest over lowest throughput of left is inside the bounds */
	WEIR_CLAIM_PEAK,    /* left is highest at about `blocks` */
	WEIR_CLAIM_CROSSES, /* left is ahead of right at 2 to 8 blocks, and behind at `blocks` */
	WEIR_CLAIM_GROWS, /* throughput at initial value 120 over that at 1 is inside the bounds */
	WEIR_CLAIM_GAINS  /* left is faster with its backoff than without */
} weir_claim_check;

/* What a curve goes over. */
typedef enum weir_claim_over {
	WEIR_OVER_NOTHING,
	WEIR_OVER_BLOCKS,
	WEIR_OVER_INITIAL
} weir_claim_over;

typedef struct weir_claim {
	char id[48];
	char gpu[32]; /* a profile's name */
	enum weir_primitive primitive;
	weir_claim_check check;
	weir_claim_over over;
	uint32_t left;  /* the kind that stands for the paper's name */
	uint32_t right; /* 0: none */
	uint32_t blocks;
	uint32_t initial;
	double low; /* 0: the paper gives no such bound */
	double high;
	int fitted;     /* used to choose a constant of the simulator, so no test of it */
	char where[32]; /* in the paper */
	char note[256];
	char text[96];  /* what is claimed, in words */
	char paper[48]; /* the paper's figure */
} weir_claim;

/* The verdict of a prediction on a claim. */
typedef struct weir_verdict {
	int right;
	double figure; /* a ratio; of a peak, its number of blocks */
	char text[160];
} weir_verdict;

/* The caller frees the claims with free. The error names the file, the line and the column. */
weir_status weir_claims_read(const char *path, weir_claim **claims, size_t *count);
/* The same from an open file, which errors call `name`. */
weir_status weir_claims_parse(FILE *file, const char *name, weir_claim **claims, size_t *count);

/* A machine for claims about the device of a probe: with kernels as published, and with runs that
 * are short where few blocks make them steady. */
weir_status weir_claims_machine(const weir_probe *probe, weir_sim_machine *machine);

/* `machine` is that of the claim's profile. WEIR_BAD_ARGUMENT: more blocks than run there. */
weir_status weir_claim_judge(const weir_claim *claim, weir_sim_machine *machine,
                             weir_verdict *verdict);

#endif
