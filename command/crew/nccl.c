#include "nccl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int crew_nccl_open(crew_nccl *nccl, const char *file, char *why, size_t room)
{
	static const char *const symbols[] = {
#define CREW_NCCL_ROW_(member, symbol, result, parameters) #symbol,
	    CREW_NCCL_FUNCTIONS(CREW_NCCL_ROW_)
#undef CREW_NCCL_ROW_
	};
	static const size_t members[] = {
#define CREW_NCCL_ROW_(member, symbol, result, parameters) offsetof(crew_nccl, member),
	    CREW_NCCL_FUNCTIONS(CREW_NCCL_ROW_)
#undef CREW_NCCL_ROW_
	};

	nccl->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!nccl->library) {
		snprintf(why, room, "NCCL cannot be opened: %s", dlerror());
		return -1;
	}
	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
		void *function = dlsym(nccl->library, symbols[i]);

		if (!function) {
			snprintf(why, room, "%s has no %s", file, symbols[i]);
			return -1;
		}
		memcpy((char *)nccl + members[i], &function, sizeof function);
	}
	return 0;
}

void crew_nccl_explain(const crew_nccl *nccl, int result, char *why, size_t room)
{
	int version = 0;

	nccl->get_version(&version);
	snprintf(why, room, "NCCL %d says: %s: %s", version, nccl->error_string(result),
	         nccl->last_error(NULL));
	why[strcspn(why, "\n")] = 0;
}
