# The files ops_*.c in the rooms of exec are built once for each level of the processor; ops.c chooses among them at run
# time. The root
# CMakeLists.txt leaves src/exec/*/ops*.c out of the sources that it gives wl_exec.
file(GLOB ops_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/ops_*.c)
target_sources(wl_exec PRIVATE ${CMAKE_CURRENT_LIST_DIR}/lanes/ops.c)

# Sanitizers and debuggers look at the source, which is the same for all levels: they get one.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT WARPLENS_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  set(ops_levels v2 v3 v4)
  target_compile_definitions(wl_exec PRIVATE OPS_LEVELS_X86)
else()
  set(ops_levels plain)
endif()
# Copies of registers are as wide as the vectors that read them: from two halves that were just stored, a load has to wait.
include(CheckCCompilerFlag)
check_c_compiler_flag(-mmove-max=512 HAVE_MOVE_MAX) # gcc 12; clang does so anyway
foreach(level ${ops_levels})
  add_library(wl_ops_${level} OBJECT ${ops_sources})
  target_include_directories(wl_ops_${level} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/..)
  target_compile_definitions(wl_ops_${level} PRIVATE OPS_LEVEL=${level})
  # Loops that a sanitizer or a level keeps from being vectorised are no cause for a warning.
  target_compile_options(wl_ops_${level} PRIVATE $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
  # No flag here changes a result: exceptions are masked, and nothing reads errno.
  target_compile_options(wl_ops_${level} PRIVATE
                         $<$<NOT:$<CONFIG:Debug>>:$<IF:$<BOOL:${WARPLENS_SANITIZE}>,-O1,-O3>> -ffp-contract=off -fno-trapping-math -fno-math-errno)
  if(NOT level STREQUAL plain)
    target_compile_options(wl_ops_${level} PRIVATE -march=x86-64-${level})
    set(width 256)
    if(level STREQUAL v4)
      set(width 512)
    endif()
    if(HAVE_MOVE_MAX AND NOT level STREQUAL v2)
      target_compile_options(wl_ops_${level} PRIVATE -mmove-max=${width} -mstore-max=${width})
    endif()
  endif()
  target_sources(wl_exec PRIVATE $<TARGET_OBJECTS:wl_ops_${level}>)
endforeach()
