/* Shared by the tests of profiles: a folder, files in it, made-up profiles. */
#ifndef PROFILE_TEST_H
#define PROFILE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weir/profile.h"

#define ok(call) check_ok((call), #call, __FILE__, __LINE__)
void check_ok(weir_status got, const char *call, const char *file, int line);

/* The last error names all of these; the list ends with NULL. */
#define error_says(...) check_error(__FILE__, __LINE__, __VA_ARGS__, (const char *)NULL)
void check_error(const char *file, int line, ...);

/* An empty folder, from the first argument of the program. */
void make_folder(int argc, char **argv);
extern const char *folder;
/* A path in the folder, valid until the next four calls. */
const char *in_folder(const char *name);
const char *write_file(const char *name, const char *text);
char *read_text(const char *path);

/* A profile of the device that has every part. */
weir_profile *full_profile(const weir_device_info *device);
weir_device_info host_info(void);
void same_rules(const weir_rule *a, const weir_rule *b, size_t count);

/* `value` is the pattern of a primitive that has patterns, otherwise the initial value. */
weir_point make_point(enum weir_primitive primitive, uint32_t kind, uint32_t value, uint32_t blocks,
                      double per_second);
/* A tuning of blocks of 128 threads, without a backoff or a shape. */
weir_tuning make_tuning(enum weir_primitive primitive, uint32_t kind, uint32_t blocks,
                        double untuned, double tuned);

#endif
