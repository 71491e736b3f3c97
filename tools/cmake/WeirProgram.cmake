# weir_embed_kernels(TARGET <target> NAME <name> SOURCE <file> [DEFINES <A=1>...] [INCLUDES <dir>...]
#   [CUDA_ONLY] [DIAGNOSED])
#
# Compiles a kernels file with one source for all machines for CUDA and HIP, flattens it for OpenCL and links all into <target>:
#
#   extern const void *const <name>_cuda_image;   a fatbin, or NULL in a build without nvcc
#   extern const void *const <name>_hip_image;    a bundle of code objects, or NULL without WEIR_HIP
#   extern const char *const <name>_opencl_text;  empty with CUDA_ONLY, for a source in CUDA C++
#
# Fatbins are not compressed: the ptx device reads their PTX, and the program the size of their code. A text
# that is DIAGNOSED is not for HIP, whose machine keeps no notes. DEFINES are defined in both. INCLUDES are
# searched after include/. Several targets may embed the same NAME: it is built once, and SOURCE and DEFINES
# must then be the same. Where WEIR_KERNELS_FOR is set, a fatbin is made with these options of nvcc.
set(WEIR_TOOLS "${CMAKE_CURRENT_LIST_DIR}/..")
set(WEIR_HEADERS "${CMAKE_CURRENT_LIST_DIR}/../../include")

function(weir_embed_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 K "CUDA_ONLY;DIAGNOSED" "TARGET;NAME;SOURCE" "DEFINES;INCLUDES")
  if(NOT K_TARGET OR NOT K_NAME OR NOT K_SOURCE OR K_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weir_embed_kernels needs TARGET, NAME and SOURCE: ${ARGN}")
  endif()
  get_filename_component(source "${K_SOURCE}" ABSOLUTE)
  set(library weir_kernels_${K_NAME})
  set(made_from "${source};${K_DEFINES};${K_INCLUDES}")

  if(TARGET ${library})
    get_target_property(before ${library} WEIR_MADE_FROM)
    if(NOT before STREQUAL made_from)
      message(FATAL_ERROR "weir_embed_kernels: ${K_NAME} was made differently before")
    endif()
  else()
    weir_kernels_library_(${library} ${K_NAME} "${source}" "${K_DEFINES}" "${K_INCLUDES}"
      "${K_CUDA_ONLY}" "${K_DIAGNOSED}")
    set_target_properties(${library} PROPERTIES WEIR_MADE_FROM "${made_from}")
  endif()
  target_link_libraries(${K_TARGET} PRIVATE ${library})
endfunction()

function(weir_kernels_library_ library name source defines includes cuda_only diagnosed)
  set(stem "${CMAKE_CURRENT_BINARY_DIR}/${name}_kernels")
  set(options)
  foreach(directory IN LISTS WEIR_HEADERS includes)
    get_filename_component(directory "${directory}" ABSOLUTE)
    list(APPEND options -I "${directory}")
  endforeach()
  foreach(define IN LISTS defines)
    list(APPEND options -D "${define}")
  endforeach()

  if(cuda_only)
    file(CONFIGURE OUTPUT "${stem}.cl" CONTENT "")
  else()
    add_custom_command(OUTPUT "${stem}.cl"
      COMMAND "${WEIR_TOOLS}/flatten" -l ${options} -M "${stem}.cl.d" -T "${stem}.cl" "${source}"
        > "${stem}.cl.new"
      COMMAND "${CMAKE_COMMAND}" -E rename "${stem}.cl.new" "${stem}.cl"
      DEPENDS "${source}" "${WEIR_TOOLS}/flatten" DEPFILE "${stem}.cl.d"
      COMMENT "Flattening ${name} for OpenCL" VERBATIM)
  endif()
  set(images "${stem}.cl")
  set(cuda_image "")
  set(hip_image "")

  if(WEIR_NVCC)
    set(image "${stem}${WEIR_NVCC_SUFFIX}.fatbin")
    set(image_targets ${WEIR_NVCC_TARGETS})
    if(WEIR_KERNELS_FOR)
      set(image_targets ${WEIR_KERNELS_FOR})
    endif()
    add_custom_command(OUTPUT "${image}"
      COMMAND "${WEIR_NVCC}" -x cu --fatbin -std=c++17 ${image_targets} --no-compress ${options}
        -MD -MF "${image}.d" -MT "${image}" -o "${image}" "${source}"
      DEPENDS "${source}" DEPFILE "${image}.d"
      COMMENT "Compiling ${name} for CUDA" VERBATIM)
    list(APPEND images "${image}")
    set(cuda_image "${image}")
  endif()

  if(WEIR_HIP_OPTIONS AND NOT cuda_only AND NOT diagnosed AND NOT "WEIR_DIAGNOSE" IN_LIST defines)
    set(hip_image "${stem}.hipfb")
    add_custom_command(OUTPUT "${hip_image}"
      COMMAND "${WEIR_HIP_COMPILER}" ${WEIR_HIP_OPTIONS} -c ${options} -MD -MF "${hip_image}.d"
        -MT "${hip_image}" -o "${hip_image}" "${source}"
      DEPENDS "${source}" DEPFILE "${hip_image}.d"
      COMMENT "Compiling ${name} for HIP" VERBATIM)
    list(APPEND images "${hip_image}")
  endif()

  add_custom_command(OUTPUT "${stem}.c"
    COMMAND "${WEIR_TOOLS}/embed" ${name} "${stem}.cl" "${cuda_image}" "${hip_image}" > "${stem}.c"
    DEPENDS ${images} "${WEIR_TOOLS}/embed"
    COMMENT "Embedding ${name}" VERBATIM)
  add_library(${library} STATIC EXCLUDE_FROM_ALL "${stem}.c")
endfunction()
