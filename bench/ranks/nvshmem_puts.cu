/* Like nvshmem.cu, with a crew that reaches no other rank by stores, as ranks on other hosts would
 * run it. Compiled, but not yet run. */
#define BY_PUTS
#include "nvshmem.cu"
