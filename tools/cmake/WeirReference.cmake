# The reference of the public headers, as HTML and as man pages, if Doxygen is installed.
#
#   WEIR_REFERENCE   the folder with html, man3 and xml; not set without Doxygen
find_program(WEIR_DOXYGEN NAMES doxygen DOC "Doxygen, for the reference")
if(NOT WEIR_DOXYGEN)
  message(NOTICE "weir: no Doxygen, the reference is left out")
  return()
endif()
set(WEIR_REFERENCE "${PROJECT_BINARY_DIR}/reference")
file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/weir/*.h*")
add_custom_command(OUTPUT "${WEIR_REFERENCE}.stamp"
  COMMAND "${PROJECT_SOURCE_DIR}/tools/make-reference" "${WEIR_DOXYGEN}" "${WEIR_REFERENCE}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${WEIR_REFERENCE}.stamp"
  DEPENDS ${headers} "${PROJECT_SOURCE_DIR}/tools/make-reference"
    "${PROJECT_SOURCE_DIR}/tools/reference-filter" "${PROJECT_SOURCE_DIR}/tools/reference-main.md"
    "${PROJECT_SOURCE_DIR}/tools/version"
  COMMENT "Making the reference" VERBATIM)
add_custom_target(weir_reference ALL DEPENDS "${WEIR_REFERENCE}.stamp")
