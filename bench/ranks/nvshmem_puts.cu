/* As nvshmem.cu, with a crew that reaches no other rank by stores: what ranks on other hosts would run. It has been
 * compiled, and not yet run. */
#define BY_PUTS
#include "nvshmem.cu"
