/* As nccl.cu, with a crew that reaches no other rank by stores, beside NCCL's barrier over the network. It has been
 * compiled, and not yet run. */
#define BY_GIN
#include "nccl.cu"
