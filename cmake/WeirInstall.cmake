# What `make install` puts down: headers, library, CMake package, pkg-config file, licence. All of
# it finds the rest by relative paths, so that the installed tree can be moved.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(TARGETS weir EXPORT weir-targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weir" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/weir/device_single.h"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/weir")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT weir-targets NAMESPACE weir:: DESTINATION "${package_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/weir-config.cmake.in"
  "${PROJECT_BINARY_DIR}/weir-config.cmake" INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weir-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weir-config.cmake"
  "${PROJECT_BINARY_DIR}/weir-config-version.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/WeirJansson.cmake" DESTINATION "${package_dir}")

# A program that links a static library must also name the libraries that it needs, even without
# --static. A program that links a shared library looks for it where it was linked, wherever the
# prefix is.
set(needs "${WEIR_PC_JANSSON} -lm")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND needs " -l${library}")
endforeach()
if(WEIR_TYPE STREQUAL "STATIC_LIBRARY")
  set(WEIR_PC_LIBS "${needs}")
  set(WEIR_PC_LIBS_PRIVATE "")
else()
  # pkg-config quotes the spaces of a path only where the path is an argument of its own.
  set(WEIR_PC_LIBS "-Xlinker -rpath -Xlinker \${libdir}")
  set(WEIR_PC_LIBS_PRIVATE "${needs}")
endif()
file(RELATIVE_PATH WEIR_PC_PREFIX "/prefix/${pkgconfig_dir}" "/prefix")
string(REGEX REPLACE "/$" "" WEIR_PC_PREFIX "${WEIR_PC_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/weir.pc.in" "${PROJECT_BINARY_DIR}/weir.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weir.pc" DESTINATION "${pkgconfig_dir}")
