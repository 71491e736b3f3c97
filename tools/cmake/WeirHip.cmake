# Finds a compiler for AMD GPUs. Sets, both empty without one:
#   WEIR_HIP_CLANG      a clang that knows every target of the tests, which inspect its output
#   WEIR_HIP_OPTIONS    with WEIR_HIP, the options of WEIR_HIP_COMPILER for an image of all WEIR_HIP_TARGETS
#
# No HIP installation is needed: no header and no device library. The kernels of the program and of the
# tests are compiled for AMD GPUs only on request, because they have not yet run on one (doc/amd.md).
set(WEIR_HIP OFF CACHE STRING "Compile the kernels for AMD GPUs: OFF, AUTO (when a compiler is found) or ON")
set_property(CACHE WEIR_HIP PROPERTY STRINGS OFF AUTO ON)
set(WEIR_HIP_TARGETS "gfx90a;gfx942;gfx1100" CACHE STRING "The AMD GPUs to compile for with WEIR_HIP")
set(WEIR_HIP_TESTED gfx90a gfx942 gfx1100)

find_program(WEIR_HIP_COMPILER NAMES amdclang++ clang++-19 clang-19 clang++ clang
  HINTS "$ENV{ROCM_PATH}/bin" PATHS /opt/rocm/bin DOC "A clang that compiles HIP")

set(hip_probe "${PROJECT_BINARY_DIR}/hip_probe.hip")
file(CONFIGURE OUTPUT "${hip_probe}"
  CONTENT "__attribute__((global)) void probe(unsigned *w) { __hip_atomic_store(w, 1, 0, 4); }\n")

# weir_hip_knows(<result> <compiler> <option>...): whether it compiles a kernel.
function(weir_hip_knows result compiler)
  execute_process(COMMAND "${compiler}" -x hip --cuda-device-only -nogpuinc -nogpulib ${ARGN}
      -o "${hip_probe}.out" "${hip_probe}"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

set(WEIR_HIP_CLANG "")
foreach(name clang-19 clang)
  find_program(WEIR_HIP_${name} ${name})
  mark_as_advanced(WEIR_HIP_${name})
  if(WEIR_HIP_${name} AND NOT WEIR_HIP_CLANG)
    set(known TRUE)
    foreach(target IN LISTS WEIR_HIP_TESTED)
      if(known)
        weir_hip_knows(known "${WEIR_HIP_${name}}" -S --offload-arch=${target})
      endif()
    endforeach()
    if(known)
      set(WEIR_HIP_CLANG "${WEIR_HIP_${name}}")
    endif()
  endif()
endforeach()

set(WEIR_HIP_OPTIONS "")
if(NOT WEIR_HIP)
  return()
endif()
set(options -x hip -std=c++17 -O3 --cuda-device-only -nogpuinc -nogpulib)
foreach(target IN LISTS WEIR_HIP_TARGETS)
  list(APPEND options --offload-arch=${target})
endforeach()
# A single code object needs no bundle, and so no clang-offload-bundler.
list(LENGTH WEIR_HIP_TARGETS count)
if(count EQUAL 1)
  list(APPEND options --no-gpu-bundle-output)
else()
  list(APPEND options --gpu-bundle-output)
endif()
set(known FALSE)
if(WEIR_HIP_COMPILER)
  weir_hip_knows(known "${WEIR_HIP_COMPILER}" ${options} -c)
endif()
if(known)
  set(WEIR_HIP_OPTIONS ${options})
elseif(WEIR_HIP STREQUAL "AUTO")
  message(NOTICE "weir: no compiler for ${WEIR_HIP_TARGETS} found, the kernels for AMD GPUs are left out")
else()
  message(FATAL_ERROR "weir: WEIR_HIP is on, but no clang compiles and links for ${WEIR_HIP_TARGETS}: it needs "
    "lld and, for several targets, clang-offload-bundler. Set WEIR_HIP_COMPILER or WEIR_HIP_TARGETS")
endif()
