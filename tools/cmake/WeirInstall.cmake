# What `make install` installs, in four components:
#
#   library         the shared library
#   development     headers and their man pages, the static library, CMake package, pkg-config file
#   program         the program, its man pages, completion for bash and zsh
#   documentation   documents, examples and the reference as HTML
#
# Everything finds the rest by relative paths, so that the installed tree can be moved.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Each form of the library has its own export: a program that links the shared one needs no Jansson.
install(TARGETS weir_static EXPORT weir-static-targets ARCHIVE COMPONENT development)
install(EXPORT weir-static-targets NAMESPACE weir:: DESTINATION "${package_dir}"
  COMPONENT development)
if(WEIR_SHARED)
  install(TARGETS weir_shared EXPORT weir-shared-targets
    LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT weir-shared-targets NAMESPACE weir:: DESTINATION "${package_dir}"
    COMPONENT development)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weir" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/weir/device_single.h"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/weir" COMPONENT development)
if(TARGET weir_command)
  install(TARGETS weir_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
endif()
if(TARGET weir_made)
  install(DIRECTORY "${WEIR_MADE}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT program)
  install(DIRECTORY "${WEIR_MADE}/man7" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT development)
  install(FILES "${WEIR_MADE}/weir" COMPONENT program
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${WEIR_MADE}/_weir" COMPONENT program
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

if(TARGET weir_reference)
  install(DIRECTORY "${WEIR_REFERENCE}/man3" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT development)
  install(DIRECTORY "${WEIR_REFERENCE}/html/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/reference"
    COMPONENT documentation)
endif()

# The documents and the examples, with links that work where they are installed.
set(documents "${PROJECT_BINARY_DIR}/documents")
file(GLOB texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/*.md" "${PROJECT_SOURCE_DIR}/doc/*.md")
file(GLOB_RECURSE examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*")
file(RELATIVE_PATH to_include "/prefix/${CMAKE_INSTALL_DOCDIR}" "/prefix/${CMAKE_INSTALL_INCLUDEDIR}")
add_custom_command(OUTPUT "${documents}.stamp"
  COMMAND "${PROJECT_SOURCE_DIR}/tools/make-documents" "${PROJECT_SOURCE_DIR}" "${documents}"
    "${to_include}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${documents}.stamp"
  DEPENDS ${texts} ${examples} "${PROJECT_SOURCE_DIR}/tools/make-documents"
  COMMENT "Adapting the documents" VERBATIM)
add_custom_target(weir_documents ALL DEPENDS "${documents}.stamp")
install(DIRECTORY "${documents}/" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/weir-config.cmake.in"
  "${PROJECT_BINARY_DIR}/weir-config.cmake" INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weir-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weir-config.cmake"
  "${PROJECT_BINARY_DIR}/weir-config-version.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/WeirJansson.cmake" DESTINATION "${package_dir}"
  COMPONENT development)

# A program that links the static library must also name the libraries that it needs; with a shared
# one, only for --static. The program looks for a shared library where it was linked, whatever
# the prefix is. The folders of a system's own packages are searched anyway.
set(needs "${WEIR_PC_JANSSON} -lm")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND needs " -l${library}")
endforeach()
if(NOT WEIR_SHARED)
  set(WEIR_PC_LIBS "${needs}")
  set(WEIR_PC_LIBS_PRIVATE "")
else()
  # pkg-config quotes the spaces of a path only where the path is an argument of its own.
  set(WEIR_PC_LIBS "-Xlinker -rpath -Xlinker \${libdir}")
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(WEIR_PC_LIBS "")
  endif()
  set(WEIR_PC_LIBS_PRIVATE "${needs}")
endif()
file(RELATIVE_PATH WEIR_PC_PREFIX "/prefix/${pkgconfig_dir}" "/prefix")
string(REGEX REPLACE "/$" "" WEIR_PC_PREFIX "${WEIR_PC_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/weir.pc.in" "${PROJECT_BINARY_DIR}/weir.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weir.pc" DESTINATION "${pkgconfig_dir}" COMPONENT development)
