/* Names, arrays and strings of a module. */
#include <stdlib.h>
#include <string.h>

#include "ptx/module.h"

void *weir_ptx_push(void *array, size_t size)
{
	PTX_ARRAY(char) *a = array;

	if (a->count == a->room) {
		uint32_t room = a->room ? a->room * 2 : 32;
		char *grown = room > a->room ? realloc(a->at, room * size) : NULL;
		if (!grown)
			return NULL;
		a->at = grown;
		a->room = room;
	}
	return memset(a->at + a->count++ * size, 0, size);
}

static uint32_t hash_of(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static bool grow_buckets(weir_ptx_module *module)
{
	uint32_t count = module->bucket_count ? module->bucket_count * 4 : 1024;
	uint32_t *buckets = malloc(count * sizeof *buckets);

	if (!buckets)
		return false;
	memset(buckets, 0xff, count * sizeof *buckets);
	for (uint32_t i = 0; i < module->names.count; i++) {
		ptx_name *name = &module->names.at[i];
		name->next = buckets[name->hash % count];
		buckets[name->hash % count] = i;
	}
	free(module->buckets);
	module->buckets = buckets;
	module->bucket_count = count;
	return true;
}

static uint32_t find(const weir_ptx_module *module, uint32_t hash, const char *text, size_t length)
{
	uint32_t i = module->bucket_count ? module->buckets[hash % module->bucket_count] : PTX_NONE;

	for (; i != PTX_NONE; i = module->names.at[i].next) {
		const ptx_name *name = &module->names.at[i];
		if (name->hash == hash && name->length == length &&
		    !memcmp(name->text, text, length))
			return i;
	}
	return PTX_NONE;
}

uint32_t weir_ptx_name_find(const weir_ptx_module *module, const char *text, size_t length)
{
	return find(module, hash_of(text, length), text, length);
}

uint32_t weir_ptx_name(weir_ptx_module *module, const char *text, size_t length)
{
	uint32_t hash = hash_of(text, length), found = find(module, hash, text, length);
	ptx_name *name;

	if (found != PTX_NONE)
		return found;
	if (module->names.count >= module->bucket_count && !grow_buckets(module))
		return PTX_NONE;
	name = ptx_push(module->names);
	if (!name)
		return PTX_NONE;
	*name = (ptx_name){
	    text, (uint32_t)length, hash,     module->buckets[hash % module->bucket_count],
	    0,    PTX_NONE,         PTX_NONE, PTX_NONE};
	module->buckets[hash % module->bucket_count] = module->names.count - 1;
	return module->names.count - 1;
}

char *weir_ptx_keep(weir_ptx_module *module, const char *text, size_t length)
{
	char **place, *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	place = ptx_push(module->strings);
	if (!place) {
		free(copy);
		return NULL;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	return *place = copy;
}

const char *weir_ptx_name_text(weir_ptx_module *module, uint32_t name)
{
	ptx_name *n = name == PTX_NONE ? NULL : &module->names.at[name];
	char *kept;

	if (!n)
		return "";
	if (n->text[n->length] != '\0') {
		kept = weir_ptx_keep(module, n->text, n->length);
		if (!kept)
			return "";
		n->text = kept;
	}
	return n->text;
}
