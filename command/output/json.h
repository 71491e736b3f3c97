/* What the subcommands write as JSON: the members of a profile file, under the same names. */
#ifndef WEIR_COMMAND_OUTPUT_JSON_H
#define WEIR_COMMAND_OUTPUT_JSON_H

#include <jansson.h>

#include "weir/profile.h"
#include "weir/weir.h"

/* An object with the members that every output has: the subcommand, the version of the format, and
 * weir's version and commit. */
json_t *weir_output_document(const char *command);

json_t *weir_output_device(const weir_device_info *info);
json_t *weir_output_probe(const weir_probe *probe);
json_t *weir_output_class(const weir_class *class_);
json_t *weir_output_point(const weir_point *point);
json_t *weir_output_tuning(const weir_tuning *tuning);

/* Writes JSON like weir_write_file, and takes the reference. Does nothing if the path is NULL. */
int weir_write_json(const char *path, json_t *root);
/* The same with a last member, "complete". Returns WEIR_EXIT_STOPPED after Ctrl-C. */
int weir_finish_json(const char *path, json_t *root);

#endif
