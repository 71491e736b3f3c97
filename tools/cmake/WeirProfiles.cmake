# The built-in profiles, all of data/profiles/ except its schema, as the object library weir_profiles.
file(GLOB profiles CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/data/profiles/*.json")
list(FILTER profiles EXCLUDE REGEX "/schema\\.json$")
set(builtin "${PROJECT_BINARY_DIR}/profile_builtin.c")
add_custom_command(OUTPUT "${builtin}"
  COMMAND "${PROJECT_SOURCE_DIR}/tools/embed-profiles" ${profiles} > "${builtin}.new"
  COMMAND "${CMAKE_COMMAND}" -E rename "${builtin}.new" "${builtin}"
  DEPENDS ${profiles} "${PROJECT_SOURCE_DIR}/tools/embed-profiles"
  COMMENT "Embedding the built-in profiles" VERBATIM)
add_library(weir_profiles OBJECT EXCLUDE_FROM_ALL "${builtin}")
set_target_properties(weir_profiles PROPERTIES C_VISIBILITY_PRESET hidden)
target_include_directories(weir_profiles PRIVATE "${PROJECT_SOURCE_DIR}/src")
