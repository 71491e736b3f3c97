# Finds Jansson, the JSON library, and defines the target weir::jansson. Also part of the
# installed package, because a program that links a static libweir also links Jansson.
#
#   WEIR_JANSSON_OPTIONAL if it is missing, only set WEIR_JANSSON_FOUND to OFF and
#                         WEIR_JANSSON_MISSING to a text that says so
#   WEIR_STATIC_JANSSON   take libjansson.a, so that programs run without the shared library;
#                         for a shared libweir it must be position-independent, as Debian's is not
option(WEIR_STATIC_JANSSON "Link Jansson statically" OFF)
if(WEIR_STATIC_JANSSON)
  set(WEIR_JANSSON_NAME libjansson.a)
  set(WEIR_PC_JANSSON "-l:libjansson.a")
else()
  set(WEIR_JANSSON_NAME jansson)
  set(WEIR_PC_JANSSON "-ljansson")
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(WEIR_PKG_JANSSON QUIET jansson)
endif()
find_path(WEIR_JANSSON_INCLUDE jansson.h
  HINTS ${WEIR_PKG_JANSSON_INCLUDEDIR} DOC "Where jansson.h is")
# Cached by name, so that a change of WEIR_STATIC_JANSSON repeats the search.
find_library(WEIR_LIBRARY_${WEIR_JANSSON_NAME} ${WEIR_JANSSON_NAME}
  HINTS ${WEIR_PKG_JANSSON_LIBDIR} DOC "The Jansson library")
set(WEIR_JANSSON_FOUND ON)
if(NOT WEIR_JANSSON_INCLUDE OR NOT WEIR_LIBRARY_${WEIR_JANSSON_NAME})
  set(WEIR_JANSSON_FOUND OFF)
  set(WEIR_JANSSON_MISSING "weir needs Jansson: jansson.h and ${WEIR_JANSSON_NAME} (on Debian the \
package libjansson-dev)")
  if(NOT WEIR_JANSSON_OPTIONAL)
    message(FATAL_ERROR "${WEIR_JANSSON_MISSING}")
  endif()
elseif(NOT TARGET weir::jansson)
  add_library(weir::jansson UNKNOWN IMPORTED GLOBAL)
  set_target_properties(weir::jansson PROPERTIES
    IMPORTED_LOCATION "${WEIR_LIBRARY_${WEIR_JANSSON_NAME}}"
    INTERFACE_INCLUDE_DIRECTORIES "${WEIR_JANSSON_INCLUDE}")
endif()
