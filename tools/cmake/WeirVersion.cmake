# The version is in include/weir/version.h, and nowhere else. Sets WEIR_VERSION.
set(version_header "${CMAKE_CURRENT_LIST_DIR}/../../include/weir/version.h")
file(STRINGS "${version_header}" WEIR_VERSION REGEX "^#define WEIR_VERSION_PARTS_")
if(NOT WEIR_VERSION MATCHES "use\\(([0-9]+), ([0-9]+), ([0-9]+)\\)$")
  message(FATAL_ERROR "weir: no version in ${version_header}")
endif()
set(WEIR_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${version_header}")
