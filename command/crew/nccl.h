/* The part of NCCL that sums vectors over ranks, opened at run time: a peer of crews. It is
 * declared here so that building does not need NCCL; test/compile/engines compares the declarations
 * with nccl.h. */
#ifndef WEIR_COMMAND_CREW_NCCL_H
#define WEIR_COMMAND_CREW_NCCL_H

#include <stddef.h>

typedef struct crew_nccl_id {
	char internal[128];
} crew_nccl_id;

typedef struct ncclComm *crew_nccl_comm;

#define CREW_NCCL_FLOAT 7
#define CREW_NCCL_SUM 0

/* The member of the table, the symbol, the type of the result, and the parameters. Results are 0 or
 * an error. */
#define CREW_NCCL_FUNCTIONS(X)                                                                     \
	X(get_version, ncclGetVersion, int, (int *version))                                        \
	X(get_id, ncclGetUniqueId, int, (crew_nccl_id * id))                                       \
	X(init, ncclCommInitRank, int,                                                             \
	  (crew_nccl_comm * comm, int ranks, crew_nccl_id id, int rank))                           \
	X(all_reduce, ncclAllReduce, int,                                                          \
	  (const void *send, void *receive, size_t count, int type, int operation,                 \
	   crew_nccl_comm comm, void *stream))                                                     \
	X(destroy, ncclCommDestroy, int, (crew_nccl_comm comm))                                    \
	X(error_string, ncclGetErrorString, const char *, (int result))                            \
	X(last_error, ncclGetLastError, const char *, (crew_nccl_comm comm))

typedef struct crew_nccl {
	void *library;
#define CREW_NCCL_ROW_(member, symbol, result, parameters) result(*member) parameters;
	CREW_NCCL_FUNCTIONS(CREW_NCCL_ROW_)
#undef CREW_NCCL_ROW_
} crew_nccl;

#endif
