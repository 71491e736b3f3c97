# Finds nvcc and what to compile for. Sets, all empty without nvcc:
#   WEIR_NVCC           the program
#   WEIR_NVCC_OLDEST    the oldest architecture that it and weir support, say compute_75
#   WEIR_NVCC_TARGETS   its options for an image that runs on every GPU that weir supports
set(WEIR_CUDA AUTO CACHE STRING "Compile the CUDA kernels: AUTO (when nvcc is found), ON or OFF")
set_property(CACHE WEIR_CUDA PROPERTY STRINGS AUTO ON OFF)

set(WEIR_NVCC "")
set(WEIR_NVCC_OLDEST "")
set(WEIR_NVCC_TARGETS "")
if(NOT WEIR_CUDA AND NOT WEIR_CUDA STREQUAL "AUTO")
  return()
endif()

find_program(WEIR_NVCC_PROGRAM nvcc
  HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" PATHS /usr/local/cuda/bin
  DOC "The CUDA compiler")
if(NOT WEIR_NVCC_PROGRAM)
  if(WEIR_CUDA STREQUAL "AUTO")
    message(NOTICE "weir: nvcc not found, the CUDA kernels and their tests are left out")
    return()
  endif()
  message(FATAL_ERROR "weir: WEIR_CUDA is on, but nvcc was not found")
endif()

execute_process(COMMAND "${WEIR_NVCC_PROGRAM}" --list-gpu-arch
  OUTPUT_VARIABLE architectures RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "weir: ${WEIR_NVCC_PROGRAM} --list-gpu-arch failed; "
    "set WEIR_CUDA=OFF to go without")
endif()

# PTX for the oldest architecture, which the driver compiles for any newer one. For Hopper, machine
# code, so that nothing is compiled at run time there. And PTX for Hopper, so that later architectures
# have clusters too.
string(REGEX MATCHALL "[0-9]+" architectures "${architectures}")
list(SORT architectures COMPARE NATURAL)
foreach(architecture IN LISTS architectures)
  if(architecture GREATER_EQUAL 70)
    set(WEIR_NVCC_OLDEST compute_${architecture})
    break()
  endif()
endforeach()
set(WEIR_NVCC_TARGETS -gencode "arch=${WEIR_NVCC_OLDEST},code=${WEIR_NVCC_OLDEST}")
if("90" IN_LIST architectures)
  list(APPEND WEIR_NVCC_TARGETS -gencode "arch=compute_90,code=[sm_90,compute_90]")
endif()
set(WEIR_NVCC "${WEIR_NVCC_PROGRAM}")
