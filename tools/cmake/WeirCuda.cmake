# Finds nvcc and what to compile for. Sets, all empty without nvcc:
#   WEIR_NVCC           the program
#   WEIR_NVCC_OLDEST    the oldest architecture that it and weir support, such as compute_75
#   WEIR_NVCC_TARGETS   its options for an image that runs on every GPU that weir supports
#   WEIR_NVCC_TESTED    the same for the kernels of tests and examples
#   WEIR_NVCC_NO_GPU    these run nowhere: there is no GPU here, and nobody asked for CUDA
#   WEIR_NVCC_KERNELS   the same for kernels of tests that run on the ptx device alone; empty where there is a GPU
#   WEIR_NVCC_SUFFIX    what the names of images for fewer GPUs end with
set(WEIR_CUDA AUTO CACHE STRING "Compile the CUDA kernels: AUTO (when nvcc is found), ON or OFF")
set_property(CACHE WEIR_CUDA PROPERTY STRINGS AUTO ON OFF)
option(WEIR_CUDA_COMPLETE "Compile the program's kernels for every GPU that weir supports, even if there is no GPU here" ON)

set(WEIR_NVCC "")
set(WEIR_NVCC_OLDEST "")
set(WEIR_NVCC_TARGETS "")
set(WEIR_NVCC_TESTED "")
set(WEIR_NVCC_NO_GPU FALSE)
set(WEIR_NVCC_KERNELS "")
set(WEIR_NVCC_SUFFIX "")
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
# code, so that nothing is compiled at run time there. PTX for Hopper as well, so that later architectures
# have clusters.
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

# Without a GPU here the kernels of tests run on the ptx device, which takes PTX of one architecture: that takes a
# fraction of the time, and the kernels of the program and test/compile/cuda are for all of them. With
# WEIR_CUDA=ON they become a part of the tests all the same, which then run on another computer.
set(WEIR_NVCC_TESTED ${WEIR_NVCC_TARGETS})
file(GLOB gpus /dev/nvidia[0-9]* /dev/nvidiactl /dev/dxg /dev/nvhost-gpu)
if(NOT gpus AND "90" IN_LIST architectures)
  set(WEIR_NVCC_TESTED -gencode "arch=compute_90,code=[sm_90,compute_90]")
endif()
if(NOT gpus AND WEIR_CUDA STREQUAL "AUTO")
  set(WEIR_NVCC_NO_GPU TRUE)
  list(APPEND WEIR_NVCC_TESTED -Xcicc -O1 -Xptxas -O1)
  set(WEIR_NVCC_KERNELS -gencode "arch=${WEIR_NVCC_OLDEST},code=${WEIR_NVCC_OLDEST}")
  if("90" IN_LIST architectures)
    set(WEIR_NVCC_KERNELS -gencode "arch=compute_90,code=compute_90")
  endif()
endif()
# `make test` compiles the program's kernels only as PTX for Hopper: its tests need an image that a fake driver accepts.
# Without most optimizations that takes a fifth of the time.
if(WEIR_NVCC_NO_GPU AND NOT WEIR_CUDA_COMPLETE AND "90" IN_LIST architectures)
  set(WEIR_NVCC_TARGETS -gencode "arch=compute_90,code=compute_90" -Xcicc -O1)
  set(WEIR_NVCC_SUFFIX .ptx)
endif()
set(WEIR_NVCC "${WEIR_NVCC_PROGRAM}")

# weir_cuda_program(<target> OUTPUT <program> SOURCES <file.cu>... [LINKED <file.cu>...] [DEFINES <A=1>...])
#
# A program of CUDA sources with the runtime API, linked with weir. The device code of LINKED sources is
# relocatable and linked together, only for Hopper, because only machine code can be linked.
function(weir_cuda_program target)
  cmake_parse_arguments(PARSE_ARGV 1 P "" "OUTPUT" "SOURCES;LINKED;DEFINES")
  set(options -std=c++17 -I "${PROJECT_SOURCE_DIR}/include")
  foreach(define IN LISTS P_DEFINES)
    list(APPEND options -D "${define}")
  endforeach()
  set(linked_target -gencode "arch=compute_90,code=sm_90")
  set(link_options "")
  if(P_LINKED)
    set(link_options ${linked_target})
  endif()
  set(objects "")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/objects/${target}")
  file(MAKE_DIRECTORY "${folder}")
  foreach(source IN LISTS P_SOURCES P_LINKED)
    set(object "${folder}/${source}.o")
    set(mode -c ${WEIR_NVCC_TARGETS})
    if(source IN_LIST P_LINKED)
      set(mode -dc ${linked_target})
    endif()
    add_custom_command(OUTPUT "${object}"
      COMMAND "${WEIR_NVCC}" ${mode} ${options} -MD -MF "${object}.d" -MT "${object}" -o "${object}"
        "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
      DEPENDS ${source} DEPFILE "${object}.d"
      COMMENT "Compiling ${source}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  # nvcc hands the words of -Xlinker to a shell, so a path needs its own quotes.
  add_custom_command(OUTPUT "${P_OUTPUT}"
    COMMAND "${WEIR_NVCC}" ${link_options} -o "${P_OUTPUT}" ${objects} $<TARGET_FILE:weir>
      $<TARGET_PROPERTY:weir::jansson,IMPORTED_LOCATION> -lpthread -ldl -lm
      -Xlinker -rpath -Xlinker "\"$<TARGET_FILE_DIR:weir>\""
    DEPENDS ${objects} weir
    COMMENT "Linking ${target}" VERBATIM)
  add_custom_target(${target} ALL DEPENDS "${P_OUTPUT}")
endfunction()
