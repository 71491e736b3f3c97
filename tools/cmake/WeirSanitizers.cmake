# Two more builds of the library, for tests that run on the host machine:
#
#   weir_tsan   under ThreadSanitizer
#   weir_asan   under AddressSanitizer and UndefinedBehaviorSanitizer
#
# A program that links one of them is compiled the same way. If this compiler, or this kernel,
# cannot run a sanitizer, the target does not exist:
#
#   if(TARGET weir_tsan)
#     add_executable(test_tsan test.c)
#     target_link_libraries(test_tsan PRIVATE weir_tsan)
#   endif()
include(CheckCSourceRuns)

function(weir_add_sanitized NAME)
  list(JOIN ARGN " " CMAKE_REQUIRED_FLAGS)
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_runs("int main(void) { return 0; }" ${NAME}_RUNS)
  if(NOT ${NAME}_RUNS)
    message(NOTICE "weir: programs with ${ARGV1} do not run here, their tests are left out")
    return()
  endif()
  add_library(${NAME} STATIC EXCLUDE_FROM_ALL)
  weir_library(${NAME})
  target_compile_options(${NAME} PUBLIC ${ARGN} -fno-omit-frame-pointer -g1 -O1)
  target_link_options(${NAME} PUBLIC ${ARGN})
endfunction()

weir_add_sanitized(weir_tsan -fsanitize=thread)
weir_add_sanitized(weir_asan -fsanitize=address,undefined -fno-sanitize-recover=all)
if(TARGET weir_tsan)
  target_compile_definitions(weir_tsan PUBLIC WEIR_HOST_MOST_THREADS=512)
  # The interpreter of PTX has fences, which ThreadSanitizer does not follow: gcc warns of them.
  target_compile_options(weir_tsan PRIVATE $<$<C_COMPILER_ID:GNU>:-Wno-tsan>)
endif()
