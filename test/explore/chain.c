/* What made an exploration endless:
 *
 *   chain    a race at the end of many atomics: an order between them is not searched for along each way through them
 *   private  a thread that loops over words of its own
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"

#define HEAD                                                                                       \
	".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 word)\n{\n"  \
	".reg .pred %p; .reg .b32 %b, %v; .reg .b64 %w;\n"                                         \
	"ld.param.u64 %w, [word]; mov.u32 %b, %ctaid.x; "

static const char chain[] = HEAD "setp.ne.u32 %p, %b, 0; @%p bra NARROW; mov.u32 %b, 40;\n"
				 "MORE: atom.add.relaxed.gpu.global.u32 %v, [%w], 1;\n"
				 "sub.u32 %b, %b, 1; setp.ne.u32 %p, %b, 0; @%p bra MORE; ret;\n"
				 "NARROW: ld.relaxed.cta.global.u32 %v, [%w]; ret;\n}\n";
static const char private[] = HEAD "mad.wide.u32 %w, %b, 8, %w;\n"
				   "MORE: st.global.u32 [%w], %b; bra MORE;\n}\n";

typedef struct launched {
	weir_ptx_memory *memory;
	weir_ptx_module *module;
	uint64_t word;
} launched;

static weir_status begin(void *context, weir_ptx_kernel **kernel, weir_ptx_launch *launch)
{
	launched *l = context;

	*(uint32_t *)(uintptr_t)l->word = 0;
	*launch = (weir_ptx_launch){.grid = {2, 1, 1}, .block = {1, 1, 1}, .params = &l->word};
	return weir_ptx_module_kernel(l->module, "k", kernel);
}

static void end(void *context)
{
	(void)context;
}

static void name(void *context, uint64_t address, char *to, size_t bytes)
{
	(void)context;
	snprintf(to, bytes, "%llx", (unsigned long long)address);
}

/* Returns whether a race is found; `bound` gets what ended the search. */
static int is_race(const char *source, char *bound, size_t bytes)
{
	launched l = {0};
	const weir_check_setup setup = {
	    .context = &l, .begin = begin, .name = name, .end = end, .launches = 1};
	const weir_explore_setup exploration = {.check = &setup, .bounds = {.executions = 100}};
	weir_explore_result result = {0};
	weir_check *check = weir_check_create();
	int found = 0;

	if (!check || weir_ptx_memory_create(&l.memory) != WEIR_OK ||
	    weir_ptx_module_load(&l.module, l.memory, source, strlen(source)) != WEIR_OK ||
	    weir_ptx_allocate(l.memory, 64, WEIR_PTX_WRITTEN, &l.word) != WEIR_OK ||
	    weir_explore(check, &exploration, &result) != WEIR_OK) {
		printf("%s\n", weir_error_text());
		exit(2);
	}
	for (size_t i = 0; i < weir_check_count(check); i++)
		found |= weir_check_at(check, i)->kind == WEIR_CHECK_RACE;
	snprintf(bound, bytes, "%s", result.bound);
	weir_explore_result_free(&result);
	weir_check_destroy(check);
	weir_ptx_module_unload(l.module);
	weir_ptx_memory_destroy(l.memory);
	return found;
}

int main(void)
{
	char bound[256];
	int failed = 0;

	if (!is_race(chain, bound, sizeof bound)) {
		printf("chain: no race\n");
		failed = 1;
	}
	if (is_race(private, bound, sizeof bound) || !strstr(bound, "accesses of a thread")) {
		printf("private: a race, or the bound '%s'\n", bound);
		failed = 1;
	}
	return failed;
}
