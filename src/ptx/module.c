/* Modules: loading, variables and their initial values, kernels. */
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "ptx/memory.h"
#include "ptx/program.h"

/* Names of the top level to functions and variables. */
static void index_names(weir_ptx_module *module)
{
	for (uint32_t i = 0; i < module->functions.count; i++) {
		ptx_name *name = &module->names.at[module->functions.at[i].name];
		if (name->function == PTX_NONE || module->functions.at[i].defined)
			name->function = i;
	}
	for (uint32_t i = 0; i < module->aliases.count; i++) {
		const ptx_alias *alias = &module->aliases.at[i];
		module->names.at[alias->name].function = module->names.at[alias->target].function;
	}
	for (uint32_t i = 0; i < module->variables.count; i++) {
		const ptx_variable *v = &module->variables.at[i];
		ptx_name *name = &module->names.at[v->name];
		if (v->function == PTX_NONE && (name->variable == PTX_NONE || !v->external))
			name->variable = i;
	}
}

static weir_status place_variables(weir_ptx_module *module)
{
	for (uint32_t i = 0; i < module->variables.count; i++) {
		ptx_variable *v = &module->variables.at[i];
		bool constant = v->space == WEIR_PTX_CONST;
		weir_status status;

		weir_ptx_name_text(module, v->name);
		if ((v->space != WEIR_PTX_GLOBAL && !constant) || v->external || v->broken)
			continue;
		status = weir_ptx_allocate_named(
		    module->memory, v->bytes ? v->bytes : 1, WEIR_PTX_WRITTEN, v->align,
		    weir_ptx_name_text(module, v->name), constant, &v->address);
		if (status != WEIR_OK)
			return status;
		if (v->initial)
			memcpy((void *)(uintptr_t)v->address, v->initial, v->bytes);
	}
	return WEIR_OK;
}

static bool address_of(const weir_ptx_module *module, uint32_t name, uint64_t *address)
{
	const ptx_name *n = &module->names.at[name];

	if (n->function != PTX_NONE)
		*address = PTX_FUNCTION_WINDOW + 16 * (uint64_t)n->function;
	else if (n->variable != PTX_NONE)
		*address = module->variables.at[n->variable].address;
	else
		return false;
	return true;
}

/* A variable that is initialized with the address of something undeclared is no use to a kernel. */
static void relocate(weir_ptx_module *module)
{
	for (uint32_t i = 0; i < module->variables.count; i++) {
		ptx_variable *v = &module->variables.at[i];
		for (uint32_t r = 0; r < v->relocation_count && v->address; r++) {
			const ptx_relocation *at = &v->relocations[r];
			uint64_t address;
			if (!address_of(module, at->name, &address)) {
				v->broken = true;
				break;
			}
			address += at->addend;
			if (at->mask != UINT64_MAX && at->mask)
				address = (address & at->mask) >> __builtin_ctzll(at->mask);
			memcpy((char *)(uintptr_t)v->address + at->offset, &address,
			       at->bytes < 8 ? at->bytes : 8);
		}
	}
}

/* A module none of whose kernels can be read is an error at once. */
static weir_status list_kernels(weir_ptx_module *module)
{
	const char *why = NULL;
	uint32_t broken = 0;

	for (uint32_t i = 0; i < module->functions.count; i++) {
		weir_ptx_kernel *kernel;
		weir_ptx_name_text(module, module->functions.at[i].name);
		if (!module->functions.at[i].entry || !module->functions.at[i].defined)
			continue;
		kernel = ptx_push(module->kernels);
		if (!kernel)
			return weir_fail(WEIR_NO_MEMORY, "no memory for a PTX module");
		kernel->module = module;
		kernel->function = i;
		why = why ? why : module->functions.at[i].why;
		broken += module->functions.at[i].why != NULL;
	}
	module->info.kernels = module->kernels.count;
	return why && broken == module->kernels.count ? weir_fail(WEIR_BAD_PROGRAM, "%s", why)
	                                              : WEIR_OK;
}

weir_status weir_ptx_module_load(weir_ptx_module **result, weir_ptx_memory *memory,
                                 const char *text, size_t bytes)
{
	weir_ptx_module *module = calloc(1, sizeof *module);
	weir_status status;

	*result = NULL;
	if (module)
		module->text = malloc(bytes + 1);
	if (!module || !module->text) {
		free(module);
		return weir_fail(WEIR_NO_MEMORY, "no memory for a PTX module");
	}
	pthread_mutex_init(&module->lock, NULL);
	bytes = bytes && text[bytes - 1] == '\0' ? strlen(text) : bytes;
	memcpy(module->text, text, bytes);
	module->text[bytes] = '\0';
	module->text_bytes = bytes;
	module->memory = memory;
	status = weir_ptx_parse(module);
	if (status == WEIR_OK) {
		index_names(module);
		status = place_variables(module);
	}
	if (status == WEIR_OK) {
		relocate(module);
		status = list_kernels(module);
	}
	if (status == WEIR_OK)
		*result = module;
	else
		weir_ptx_module_unload(module);
	return status;
}

void weir_ptx_module_unload(weir_ptx_module *module)
{
	if (!module)
		return;
	for (uint32_t i = 0; i < module->kernels.count; i++)
		weir_ptx_program_free(module->kernels.at[i].program);
	for (uint32_t i = 0; i < module->variables.count; i++) {
		ptx_variable *v = &module->variables.at[i];
		if ((v->space == WEIR_PTX_GLOBAL || v->space == WEIR_PTX_CONST) && v->address)
			weir_ptx_free(module->memory, v->address);
		free(v->initial);
		free(v->relocations);
	}
	for (uint32_t i = 0; i < module->strings.count; i++)
		free(module->strings.at[i]);
	free(module->text);
	free(module->buckets);
	free(module->names.at);
	free(module->functions.at);
	free(module->statements.at);
	free(module->operands.at);
	free(module->variables.at);
	free(module->labels.at);
	free(module->locations.at);
	free(module->files.at);
	free(module->aliases.at);
	free(module->scopes.at);
	free(module->strings.at);
	free(module->kernels.at);
	pthread_mutex_destroy(&module->lock);
	free(module);
}

weir_ptx_module_info weir_ptx_module_about(const weir_ptx_module *module)
{
	return module->info;
}

weir_ptx_kernel *weir_ptx_module_kernel_at(weir_ptx_module *module, unsigned index)
{
	return index < module->kernels.count ? &module->kernels.at[index] : NULL;
}

static const char *kernel_name(const weir_ptx_kernel *kernel)
{
	return kernel->module->names.at[kernel->module->functions.at[kernel->function].name].text;
}

weir_status weir_ptx_module_kernel(weir_ptx_module *module, const char *name,
                                   weir_ptx_kernel **kernel)
{
	weir_kernel_list list = {""};

	for (uint32_t i = 0; i < module->kernels.count; i++) {
		*kernel = &module->kernels.at[i];
		if (!strcmp(kernel_name(*kernel), name))
			return WEIR_OK;
		weir_kernel_list_add(&list, kernel_name(*kernel));
	}
	*kernel = NULL;
	return weir_fail_no_kernel(name, &list);
}

weir_status weir_ptx_module_variable(const weir_ptx_module *module, const char *name,
                                     uint64_t *address, size_t *bytes)
{
	uint32_t n = weir_ptx_name_find(module, name, strlen(name));
	uint32_t i = n == PTX_NONE ? PTX_NONE : module->names.at[n].variable;

	if (i == PTX_NONE || !module->variables.at[i].address)
		return weir_fail(WEIR_NOT_FOUND, "the program has no variable '%.200s'", name);
	*address = module->variables.at[i].address;
	*bytes = module->variables.at[i].bytes;
	return WEIR_OK;
}

weir_status weir_ptx_kernel_about(weir_ptx_kernel *kernel, weir_ptx_kernel_info *info)
{
	const ptx_function *f = &kernel->module->functions.at[kernel->function];
	ptx_program *program;
	weir_status status = weir_ptx_program(kernel, &program);

	if (status != WEIR_OK)
		return status;
	*info = (weir_ptx_kernel_info){
	    .name = kernel_name(kernel),
	    .params = f->param_count,
	    .param_bytes = f->param_bytes,
	    .shared_bytes = program->shared_bytes,
	    .local_bytes = program->routines.at[0].local_bytes,
	    .slots = program->routines.at[0].slots,
	    .max_threads = f->max_threads,
	    .max_registers = f->max_registers,
	    .least_blocks = f->least_blocks,
	    .registers = program->routines.at[0].slots - 1 - program->routines.at[0].constants,
	    .required_cluster = {f->cluster[0], f->cluster[1], f->cluster[2]},
	    .line = f->line};
	return WEIR_OK;
}

weir_status weir_ptx_kernel_param(const weir_ptx_kernel *kernel, unsigned index, size_t *offset,
                                  size_t *bytes)
{
	const ptx_function *f = &kernel->module->functions.at[kernel->function];

	if (index >= f->param_count)
		return weir_fail(WEIR_BAD_ARGUMENT, "the kernel has %u parameters", f->param_count);
	*offset = kernel->module->variables.at[f->params + index].address;
	*bytes = kernel->module->variables.at[f->params + index].bytes;
	return WEIR_OK;
}
