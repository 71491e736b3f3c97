/* The built-in profiles: the files of data/profiles/, by name. The build generates the source of
 * this table with tools/embed-profiles. */
#ifndef WEIR_PROFILE_BUILTIN_H
#define WEIR_PROFILE_BUILTIN_H

typedef struct weir_builtin_profile {
	const char *name; /* NULL ends the table */
	const char *text;
} weir_builtin_profile;

extern const weir_builtin_profile weir_builtin_profiles[];

#endif
