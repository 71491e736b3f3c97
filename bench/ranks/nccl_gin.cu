/* Like nccl.cu, with a crew that reaches no other rank by stores, compared with NCCL's barrier over
 * the network. Compiled, but not yet run. */
#define BY_GIN
#include "nccl.cu"
