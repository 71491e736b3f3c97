/* Plain execution: loads and stores are answered inside the loop. */
#define EXEC weir_ptx_exec_plain
#define PLACES weir_ptx_places_plain
#define MODE 0
#include "ptx/exec.inc"

void weir_ptx_link(ptx_code *code)
{
	code->go[0] = weir_ptx_places_plain()[code->op];
	code->go[1] = weir_ptx_places_events()[code->op];
}
