/* The forms of a real kernel, and the builds that contain them. */
#include "forms/forms.h"

#include <string.h>

#define ANY (WEIR_FOR_BARRIERS | WEIR_FOR_LOCKS)
const weir_form weir_forms[WEIR_FORMS] = {
    [WEIR_FORM_DEFAULT] = {"default", "", .is_for = ANY},
    [WEIR_FORM_FIXED] = {"fixed", "", .is_for = ANY, .build = WEIR_BUILD_FIXED},
    [WEIR_FORM_EVENTS] = {"events", "_events", .is_for = WEIR_FOR_EVENTS},
    [WEIR_FORM_TASKS] = {"tasks", "_tasks", .is_for = WEIR_FOR_TASKS},
    [WEIR_FORM_TASKS_LOCAL] = {"tasks-local", "_tasks", .is_for = WEIR_FOR_TASKS,
                               .how = WEIR_HOW_LOCAL},
    [WEIR_FORM_QUEUE] = {"queue", "_queue", .is_for = WEIR_FOR_QUEUE},
    [WEIR_FORM_COMBINE] = {"combine", "_combine", .is_for = WEIR_FOR_COMBINE},
    [WEIR_FORM_GRID] = {"grid", "", .is_for = WEIR_FOR_BARRIERS, .build = WEIR_BUILD_TOOLKIT,
                        .is_peer = 1},
    [WEIR_FORM_LIBCU] = {"libcu++", "", .is_for = WEIR_FOR_LOCKS, .build = WEIR_BUILD_TOOLKIT,
                         .is_peer = 1},
    [WEIR_FORM_HAND] = {"hand", "", .is_for = ANY, .build = WEIR_BUILD_HAND, .is_peer = 1},
    [WEIR_FORM_GRAPH] = {"graph", "_once", .is_for = WEIR_FOR_BARRIERS, .how = WEIR_HOW_GRAPH,
                         .is_peer = 1},
    [WEIR_FORM_GRAPH_PDL] = {"graph-pdl", "_once", .is_for = WEIR_FOR_BARRIERS,
                             .how = WEIR_HOW_EARLY, .is_peer = 1}};

int weir_form_is_graph(enum weir_form_id form)
{
	return weir_forms[form].how == WEIR_HOW_GRAPH || weir_forms[form].how == WEIR_HOW_EARLY;
}

int weir_form_suits(enum weir_form_id form, const real_kernel *kernel)
{
	int wants = kernel->uses == REAL_USES_BARRIER ? WEIR_FOR_BARRIERS : WEIR_FOR_LOCKS;

	if (kernel->events)
		wants |= WEIR_FOR_EVENTS;
	if (kernel->make_graph)
		wants |= WEIR_FOR_TASKS;
	if (kernel->items)
		wants |= WEIR_FOR_QUEUE;
	if (kernel->combiners)
		wants |= WEIR_FOR_COMBINE;
	return (weir_forms[form].is_for & wants) != 0;
}

enum weir_form_id weir_form_toolkit(const real_kernel *kernel)
{
	return kernel->uses == REAL_USES_BARRIER ? WEIR_FORM_GRID : WEIR_FORM_LIBCU;
}

extern const void *const real_default_cuda_image;
extern const void *const real_default_hip_image;
extern const char *const real_default_opencl_text;
extern const void *const real_fixed_cuda_image;
extern const void *const real_fixed_hip_image;
extern const char *const real_fixed_opencl_text;
extern const void *const real_toolkit_cuda_image;
extern const void *const real_hand_cuda_image;

int weir_builds_have_cuda(void)
{
	return real_default_cuda_image != NULL;
}

static weir_program_text text_of(enum weir_build build)
{
	const weir_program_text texts[WEIR_BUILDS] = {
	    [WEIR_BUILD_DEFAULT] = {.cuda_image = real_default_cuda_image,
	                            .hip_image = real_default_hip_image,
	                            .opencl_text = real_default_opencl_text,
	                            .host_entries = weir_host_default.entries,
	                            .host_entry_count = weir_host_default.count},
	    [WEIR_BUILD_FIXED] = {.cuda_image = real_fixed_cuda_image,
	                          .hip_image = real_fixed_hip_image,
	                          .opencl_text = real_fixed_opencl_text,
	                          .host_entries = weir_host_fixed.entries,
	                          .host_entry_count = weir_host_fixed.count},
	    [WEIR_BUILD_TOOLKIT] = {.cuda_image = real_toolkit_cuda_image},
	    [WEIR_BUILD_HAND] = {.cuda_image = real_hand_cuda_image}};

	return texts[build];
}

weir_status weir_builds_kernel(weir_builds *builds, enum weir_build build, const char *name,
                               weir_kernel *kernel)
{
	weir_status status = WEIR_OK;

	if (!builds->programs[build]) {
		weir_program_text text = text_of(build);
		status = weir_program_create(builds->device, &text, &builds->programs[build]);
	}
	return status == WEIR_OK ? weir_program_kernel(builds->programs[build], name, kernel)
	                         : status;
}

weir_status weir_builds_cost(weir_builds *builds, enum weir_build build, const char *name,
                             uint32_t threads, weir_cost *cost)
{
	weir_kernel kernel;
	weir_status status = weir_builds_kernel(builds, build, name, &kernel);

	memset(cost, 0, sizeof *cost);
	if (status != WEIR_OK)
		return status;
	return weir_kernel_cost(builds->device, &builds->info, text_of(build).cuda_image, name,
	                        kernel, threads, cost);
}
