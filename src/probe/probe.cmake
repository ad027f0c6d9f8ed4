# libwarplens-probe.so: what the driver loads into programs under `warplens run --on gpu`. It brings no library into the
# program but the C library's. The device code (device.ptx and rows.ptx, made of the .cu beside them by nvcc) is in the program, and what
# ptxas makes of device.ptx where there is one when warplens is built.
set(probe_ptx ${CMAKE_CURRENT_LIST_DIR}/device/device.ptx)
set(rows_ptx ${CMAKE_CURRENT_LIST_DIR}/device/rows.ptx)
if(NOT CMAKE_SCRIPT_MODE_FILE)
  find_program(WARPLENS_BUILD_PTXAS ptxas PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/probe_device.c
    COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/probe_device.c "-DPTXAS=${WARPLENS_BUILD_PTXAS}" -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${probe_ptx} ${rows_ptx} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  target_sources(wl_probe PRIVATE ${PROJECT_BINARY_DIR}/probe_device.c)
  if(WARPLENS_SANITIZE)
    return() # as for the library of runtime.cmake
  endif()
  file(GLOB inject_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/probe/inject/*.c)
  add_library(probe SHARED ${inject_sources} ${PROJECT_SOURCE_DIR}/src/probe/stream.c)
  target_link_libraries(probe PRIVATE wl_wire wl_image wl_ir dl)
  target_link_options(probe PRIVATE -Wl,-soname,libwarplens-probe.so -Wl,-Bsymbolic -Wl,--exclude-libs,ALL
    -Wl,--as-needed -Wl,--no-undefined -Wl,-z,nodelete)
  set_target_properties(probe PROPERTIES
    C_VISIBILITY_PRESET hidden
    OUTPUT_NAME warplens-probe
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/warplens)
  install(TARGETS probe LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warplens)
  return()
endif()

# The bytes of a file, and a 0 that is not in its length.
function(write_bytes name file)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}") # 16 bytes a line
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(APPEND ${OUT} "\n${ARGN}const unsigned char ${name}[] = {\n${hex}0};\n")
endfunction()

file(WRITE ${OUT} "/* Made by src/probe/probe.cmake of device.ptx and rows.ptx. */\n#include \"probe/patches.h\"\n")
foreach(name probe rows)
  write_bytes(${name}_ptx ${${name}_ptx})
  file(APPEND ${OUT} "const size_t ${name}_ptx_length = sizeof ${name}_ptx - 1;\n")
endforeach()

set(patch_option --compile-as-tools-patch)
set(few_registers --register-usage-level=0)
file(APPEND ${OUT} "\nconst char patch_option[] = \"${patch_option}\";\nconst char few_registers[] = \"${few_registers}\";\n")

set(made "")
set(cuda 0)
if(PTXAS)
  execute_process(COMMAND ${PTXAS} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "release ([0-9]+)\\.([0-9]+)")
    math(EXPR cuda "1000 * ${CMAKE_MATCH_1} + 10 * ${CMAKE_MATCH_2}") # as the driver has it
  endif()
  foreach(number 75 80 86 89 90 100 120)
    execute_process(COMMAND ${PTXAS} -arch=sm_${number} ${patch_option} ${few_registers} -o ${OUT}.cubin ${probe_ptx}
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(cuda AND status EQUAL 0) # an older one knows fewer
      write_bytes(sm_${number} ${OUT}.cubin "static ")
      string(APPEND made "    {${number}, sm_${number}, sizeof sm_${number} - 1},\n")
    endif()
  endforeach()
  file(REMOVE ${OUT}.cubin)
endif()
file(APPEND ${OUT} "\nconst MadePatches made_patches[] = {\n${made}    {0, NULL, 0},\n};\nconst int made_patches_cuda = ${cuda};\n")
