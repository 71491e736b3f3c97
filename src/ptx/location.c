/* Source lines: .file and .loc, and the line of the user's that inlined code stands for. */
#include <string.h>

#include "ptx/parse.h"

/* Headers that come with a toolkit or a compiler: a finding there is shown at the line that uses it. */
static bool is_foreign(const char *name)
{
	static const char *const parts[] = {"/cuda/std/",
	                                    "/cuda/__",
	                                    "/cuda-",
	                                    "/targets/",
	                                    "cooperative_groups",
	                                    "/crt/",
	                                    "/libcudacxx/",
	                                    "/cccl/",
	                                    "sm_",
	                                    "/site-packages/",
	                                    "device_functions",
	                                    "/clang/",
	                                    "cuda_fp16",
	                                    "cuda_bf16",
	                                    "/nv/",
	                                    "cuda_runtime",
	                                    "device_atomic_functions"};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

weir_status weir_ptx_parse_file(ptx_parser *p)
{
	ptx_file *file;

	weir_ptx_next(p);
	if (p->token.kind != PTX_T_INTEGER)
		return weir_ptx_wrong(p, ".file needs a number and a name");
	file = ptx_push(p->module->files);
	if (!file)
		return weir_ptx_no_memory(p);
	file->number = (uint32_t)p->token.value;
	weir_ptx_next(p);
	if (p->token.kind != PTX_T_STRING)
		return weir_ptx_wrong(p, ".file needs a number and a name");
	file->name = weir_ptx_keep(p->module, p->token.text, p->token.length);
	if (!file->name)
		return weir_ptx_no_memory(p);
	weir_ptx_next(p);
	if (p->token.kind == PTX_T_STRING) { /* DWARF 5: a folder, then the name in it */
		char joined[1024];
		size_t length = strlen(file->name);
		if (length + p->token.length + 2 < sizeof joined) {
			memcpy(joined, file->name, length);
			joined[length] = '/';
			memcpy(joined + length + 1, p->token.text, p->token.length);
			file->name = weir_ptx_keep(p->module, joined, length + 1 + p->token.length);
			if (!file->name)
				return weir_ptx_no_memory(p);
		}
		weir_ptx_next(p);
	}
	file->foreign = is_foreign(file->name);
	while (weir_ptx_accept(p, ','))
		weir_ptx_next(p);
	return WEIR_OK;
}

/* Three numbers: file, line, column. */
static bool read_place(ptx_parser *p, ptx_location *location)
{
	uint32_t *parts[] = {&location->file, &location->line, &location->column};

	for (int i = 0; i < 3; i++) {
		if (p->token.kind != PTX_T_INTEGER)
			return false;
		*parts[i] = (uint32_t)p->token.value;
		weir_ptx_next(p);
	}
	return true;
}

/* The newest location of a place, which is what an inlined_at means. */
static uint32_t find_place(const weir_ptx_module *module, const ptx_location *place)
{
	for (uint32_t i = module->locations.count; i-- && module->locations.count - i < 4096;) {
		const ptx_location *l = &module->locations.at[i];
		if (l->file == place->file && l->line == place->line && l->column == place->column)
			return i;
	}
	return PTX_NONE;
}

static uint32_t add_place(ptx_parser *p, const ptx_location *place)
{
	ptx_location *location = ptx_push(p->module->locations);

	if (!location) {
		weir_ptx_no_memory(p);
		return PTX_NONE;
	}
	*location = *place;
	return p->module->locations.count - 1;
}

/* .loc 2 26 10 [, function_name $L__info_string3 [+ 5], inlined_at 1 8 3] */
weir_status weir_ptx_parse_loc(ptx_parser *p)
{
	ptx_location place = {.inlined_at = PTX_NONE}, at = {.inlined_at = PTX_NONE};

	weir_ptx_next(p);
	if (!read_place(p, &place))
		return weir_ptx_wrong(p, ".loc needs a file, a line and a column");
	while (weir_ptx_accept(p, ',')) {
		bool inlined = weir_ptx_is(&p->token, "inlined_at");

		weir_ptx_next(p);
		if (inlined) {
			if (!read_place(p, &at))
				return weir_ptx_wrong(
				    p, "inlined_at needs a file, a line and a column");
			place.inlined_at = find_place(p->module, &at);
			if (place.inlined_at == PTX_NONE)
				place.inlined_at = add_place(p, &at);
		} else {
			uint64_t offset;
			weir_ptx_next(p);
			if (weir_ptx_accept(p, '+') && !weir_ptx_integer(p, &offset))
				return weir_ptx_wrong(p, "function_name needs a label");
		}
	}
	p->location = add_place(p, &place);
	return p->status;
}

static const ptx_file *file_of(const weir_ptx_module *module, uint32_t number)
{
	for (uint32_t i = 0; i < module->files.count; i++)
		if (module->files.at[i].number == number)
			return &module->files.at[i];
	return NULL;
}

void weir_ptx_site_of(const weir_ptx_module *module, uint32_t function, uint32_t statement,
                      weir_ptx_site *site)
{
	const ptx_location *l;
	uint32_t at, steps = 0;

	*site = (weir_ptx_site){0};
	if (function < module->functions.count)
		site->function = module->names.at[module->functions.at[function].name].text;
	if (statement >= module->statements.count)
		return;
	site->line = module->statements.at[statement].line;
	at = module->statements.at[statement].location;
	for (bool inner = true; at != PTX_NONE && steps++ < 64; inner = false, at = l->inlined_at) {
		const ptx_file *file;
		l = &module->locations.at[at];
		file = file_of(module, l->file);
		if (!l->line || !file) /* line 0: made by the compiler */
			continue;
		if (inner || !site->inner_file) {
			site->inner_file = file->name;
			site->inner_line = l->line;
		}
		site->file = file->name;
		site->source_line = l->line;
		if (!file->foreign)
			return;
	}
}
