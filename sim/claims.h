/* Claims about throughput, from a file, held against predictions. */
#ifndef WEIR_SIM_CLAIMS_H
#define WEIR_SIM_CLAIMS_H

#include <stdio.h>

#include "prediction.h"

typedef enum weir_claim_kind {
	WEIR_CLAIM_BEST,      /* `left` is the fastest kind of those that the paper has */
	WEIR_CLAIM_RATIO,     /* left over right is in [low/2, 2*high]; no `high`: no upper bound */
	WEIR_CLAIM_PEAK,      /* left rises to about `blocks`, then falls */
	WEIR_CLAIM_CROSS,     /* left is ahead of right at few blocks, and behind at full scale */
	WEIR_CLAIM_NO_FASTER, /* left is no faster than right for initial values above 1 */
	WEIR_CLAIM_LINEAR     /* left grows almost linearly with the initial value */
} weir_claim_kind;

typedef struct weir_claim {
	char id[48];
	char gpu[32]; /* a profile's name */
	enum weir_primitive primitive;
	weir_claim_kind kind;
	uint32_t left;
	uint32_t right;  /* 0: none */
	uint32_t blocks; /* 0: the profile's full scale */
	uint32_t initial;
	double low;
	double high;    /* 0: no upper bound */
	char text[160]; /* the claim in words */
} weir_claim;

/* The verdict of a prediction on a claim. */
typedef struct weir_verdict {
	int right;
	char text[160];
} weir_verdict;

/* The caller frees the claims with free. The error names the file and the line. */
weir_status weir_claims_read(const char *path, weir_claim **claims, size_t *count);
/* The same from an open file, which errors call `name`. */
weir_status weir_claims_parse(FILE *file, const char *name, weir_claim **claims, size_t *count);

/* `machine` is that of the claim's profile. */
weir_status weir_claim_judge(const weir_claim *claim, weir_sim_machine *machine,
                             weir_verdict *verdict);

#endif
