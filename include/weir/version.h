/** @defgroup weir_version The version
 *
 * The version of weir: of the headers, the library, and all packages.
 *
 * Versions with the same first two numbers are a series. Within one, headers, kernels and library fit
 * each other. The library refuses what was compiled with headers of another series.
 *
 * @code
 * puts(WEIR_VERSION);   // of the headers
 * puts(weir_version()); // of the library
 * @endcode
 */
#ifndef WEIR_VERSION_H
#define WEIR_VERSION_H

/* The one place that has it. */
#define WEIR_VERSION_PARTS_(use) use(0, 2, 0)

#define WEIR_VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define WEIR_VERSION_MAJOR_(major, minor, patch) major
#define WEIR_VERSION_MINOR_(major, minor, patch) minor
#define WEIR_VERSION_PATCH_(major, minor, patch) patch

/** The version as a string: "1.2.3". */
#define WEIR_VERSION WEIR_VERSION_PARTS_(WEIR_VERSION_TEXT_)
/** The first number. */
#define WEIR_VERSION_MAJOR WEIR_VERSION_PARTS_(WEIR_VERSION_MAJOR_)
/** The second number. */
#define WEIR_VERSION_MINOR WEIR_VERSION_PARTS_(WEIR_VERSION_MINOR_)
/** The third number. */
#define WEIR_VERSION_PATCH WEIR_VERSION_PARTS_(WEIR_VERSION_PATCH_)
/** The first two numbers as one. */
#define WEIR_VERSION_SERIES (WEIR_VERSION_MAJOR * 1000 + WEIR_VERSION_MINOR)

/* The library defines it when it compiles an OpenCL program. */
#if defined(WEIR_LIBRARY_SERIES) && WEIR_LIBRARY_SERIES != WEIR_VERSION_SERIES
#error "the weir headers of this kernel are of another version than the library"
#endif

#endif
