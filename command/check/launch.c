/* A launch as JSON: test/command/schema/check_launch.json says what it may have. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/plan.h"
#include "cli/complain.h"

static int wrong(const char *path, const char *key, const char *what)
{
	return weir_refuse("%s: \"%s\" %s", path, key, what);
}

static int take_sizes(const char *path, const char *key, json_t *value, uint32_t sizes[3])
{
	size_t count = json_is_array(value) ? json_array_size(value) : 1;

	sizes[0] = sizes[1] = sizes[2] = 1;
	for (size_t i = 0; i < count && i < 3; i++) {
		json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
		json_int_t n = json_is_integer(one) ? json_integer_value(one) : 0;
		if (n < 1 || n > UINT32_MAX / 2)
			return wrong(path, key, "is a number from 1 on, or up to three in a list");
		sizes[i] = (uint32_t)n;
	}
	return count >= 1 && count <= 3 ? 0 : wrong(path, key, "has one to three numbers");
}

static int take_number(const char *path, const char *key, json_t *value, uint32_t low, uint32_t *to)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;

	if (n < (json_int_t)low || n > UINT32_MAX)
		return wrong(path, key, low ? "is a number from 1 on" : "is a number from 0 on");
	*to = (uint32_t)n;
	return 0;
}

static int take_flag(const char *path, const char *key, json_t *value, int *to)
{
	*to = json_is_true(value);
	return json_is_boolean(value) ? 0 : wrong(path, key, "is true or false");
}

static int take_text(const char *path, const char *key, json_t *value, char **to)
{
	if (!json_is_string(value))
		return wrong(path, key, "is a text");
	free(*to);
	*to = weir_need(strdup(json_string_value(value)));
	return 0;
}

/* A number as the command line would have it. */
static char *text_of(json_t *value)
{
	return json_is_string(value) ? weir_need(strdup(json_string_value(value)))
	                             : weir_need(json_dumps(value, JSON_ENCODE_ANY));
}

static int take_buffer(weir_check_plan *plan, const char *path, json_t *argument,
                       const char *folder)
{
	const char *name = json_string_value(json_object_get(argument, "name"));
	const char *fill = json_string_value(json_object_get(argument, "fill"));
	const char *expect = json_string_value(json_object_get(argument, "expect"));
	json_t *bytes = json_object_get(argument, "buffer");
	char *text = NULL;
	int status;

	if (!json_is_integer(bytes))
		return wrong(path, "buffer", "is a number of bytes");
	if (asprintf(&text, "%s%s%lld%s%s", name ? name : "", name ? ":" : "",
	             (long long)json_integer_value(bytes), fill ? "=" : "", fill ? fill : "") < 0)
		text = NULL;
	status = weir_check_add_buffer(plan, weir_need(text), folder);
	free(text);
	if (status || !expect)
		return status;
	if (asprintf(&text, "%s=%s", plan->arguments[plan->count - 1].name, expect) < 0)
		text = NULL;
	status = weir_check_add_expected(plan, weir_need(text), folder);
	free(text);
	return status;
}

static int take_pointer(weir_check_plan *plan, const char *path, json_t *argument)
{
	const char *name = json_string_value(json_object_get(argument, "at"));
	char *text = NULL;
	int status;

	if (!name)
		return wrong(path, "at", "is the name of a buffer");
	if (asprintf(&text, "%s+%lld", name,
	             (long long)json_integer_value(json_object_get(argument, "offset"))) < 0)
		text = NULL;
	status = weir_check_add_pointer(plan, weir_need(text));
	free(text);
	return status;
}

static int take_argument(weir_check_plan *plan, const char *path, json_t *argument,
                         const char *folder);

static int take_struct(weir_check_plan *plan, const char *path, json_t *argument,
                       const char *folder)
{
	json_t *member;
	size_t i;
	char text[24];
	int status;

	snprintf(text, sizeof text, "%lld",
	         (long long)json_integer_value(json_object_get(argument, "struct")));
	status = weir_check_add_struct(plan, text);
	json_array_foreach(json_object_get(argument, "members"), i, member)
	{
		snprintf(text, sizeof text, "%lld",
		         (long long)json_integer_value(json_object_get(member, "in")));
		if (status == 0)
			status = weir_check_add_member(plan, text);
		if (status == 0)
			status = take_argument(plan, path, member, folder);
	}
	return status;
}

static int take_argument(weir_check_plan *plan, const char *path, json_t *argument,
                         const char *folder)
{
	static const char *const scalars[] = {"u8",  "u16", "u32", "i32",
	                                      "u64", "i64", "f32", "f64"};

	if (json_object_get(argument, "buffer"))
		return take_buffer(plan, path, argument, folder);
	if (json_object_get(argument, "at"))
		return take_pointer(plan, path, argument);
	if (json_object_get(argument, "struct"))
		return take_struct(plan, path, argument, folder);
	for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
		json_t *value = json_object_get(argument, scalars[i]);
		if (!value)
			continue;
		char *text = text_of(value);
		int status = weir_check_add_scalar(plan, scalars[i], text);
		free(text);
		return status;
	}
	return wrong(
	    path, "arguments",
	    "has objects with \"buffer\", \"at\", \"struct\", \"u8\", \"u16\", \"u32\", \"i32\", "
	    "\"u64\", \"i64\", "
	    "\"f32\" or \"f64\"");
}

static int take_arguments(weir_check_plan *plan, const char *path, json_t *list, const char *folder)
{
	json_t *argument;
	size_t i;

	if (!json_is_array(list))
		return wrong(path, "arguments", "is a list");
	json_array_foreach(list, i, argument)
	{
		int status = take_argument(plan, path, argument, folder);
		if (status)
			return status;
	}
	return 0;
}

static int take_silenced(weir_check_plan *plan, const char *path, json_t *list)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		if (!json_is_string(one))
			return wrong(path, "silence", "is a list of \"FILE:LINE=REASON\"");
		int status = weir_check_add_silenced(plan, json_string_value(one));
		if (status)
			return status;
	}
	return json_is_array(list) ? 0 : wrong(path, "silence", "is a list");
}

static int take_file(weir_check_plan *plan, const char *path, json_t *value, const char *folder)
{
	char *own = NULL;
	int status = take_text(path, "file", value, &own);

	if (status)
		return status;
	free(plan->file);
	if (*own == '/' || !*folder) {
		plan->file = own;
		return 0;
	}
	if (asprintf(&plan->file, "%s/%s", folder, own) < 0)
		plan->file = NULL;
	weir_need(plan->file);
	free(own);
	return 0;
}

static int take_member(weir_check_plan *plan, const char *path, const char *key, json_t *value,
                       const char *folder)
{
	if (strcmp(key, "file") == 0)
		return take_file(plan, path, value, folder);
	if (strcmp(key, "kernel") == 0)
		return take_text(path, key, value, &plan->kernel);
	if (strcmp(key, "grid") == 0)
		return take_sizes(path, key, value, plan->grid);
	if (strcmp(key, "block") == 0)
		return take_sizes(path, key, value, plan->block);
	if (strcmp(key, "cluster") == 0)
		return take_sizes(path, key, value, plan->cluster);
	if (strcmp(key, "shared") == 0)
		return take_number(path, key, value, 0, &plan->shared);
	if (strcmp(key, "resident") == 0)
		return take_number(path, key, value, 0, &plan->resident);
	if (strcmp(key, "launches") == 0)
		return take_number(path, key, value, 1, &plan->launches);
	if (strcmp(key, "seed") == 0)
		return take_number(path, key, value, 0, &plan->seed);
	if (strcmp(key, "seeds") == 0)
		return take_number(path, key, value, 1, &plan->seeds);
	if (strcmp(key, "weak") == 0)
		return take_flag(path, key, value, &plan->is_weak);
	if (strcmp(key, "explore") == 0)
		return take_flag(path, key, value, &plan->explores);
	if (strcmp(key, "bound") == 0)
		return take_number(path, key, value, 0, &plan->bound);
	if (strcmp(key, "wrap") == 0)
		return take_flag(path, key, value, &plan->wraps);
	if (strcmp(key, "outcomes") == 0)
		return take_text(path, key, value, &plan->outcomes);
	if (strcmp(key, "arguments") == 0)
		return take_arguments(plan, path, value, folder);
	if (strcmp(key, "silence") == 0)
		return take_silenced(plan, path, value);
	return weir_refuse("%s: there is no member \"%s\"; there are file, kernel, grid, block, "
	                   "cluster, shared, resident, launches, seed, seeds, weak, explore, "
	                   "bound, outcomes, wrap, arguments "
	                   "and silence",
	                   path, key);
}

int weir_check_read_launch(weir_check_plan *plan, const char *path)
{
	json_error_t error;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *value;
	const char *slash = strrchr(path, '/');
	char *folder = weir_need(strndup(path, slash ? (size_t)(slash - path) : 0));
	const char *key;
	int status = 0;

	if (!root) {
		free(folder);
		return weir_refuse("%s: line %d: %s", path, error.line, error.text);
	}
	if (!json_is_object(root))
		status = weir_refuse("%s: a launch is an object", path);
	json_object_foreach(root, key, value)
	{
		if (status == 0)
			status = take_member(plan, path, key, value, folder);
	}
	if (status == 0 && !plan->file)
		status = weir_refuse("%s: \"file\" is missing: the .ptx or .cu to check", path);
	json_decref(root);
	free(folder);
	return status;
}
