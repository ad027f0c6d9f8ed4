# libwarplens-probe.so: what the driver loads into programs under `warplens run --on gpu`. It brings no library into the
# program but the C library's. The device code (device.ptx and rows.ptx, made of the .cu beside them by nvcc) is in the program.
set(probe_ptx ${CMAKE_CURRENT_LIST_DIR}/device/device.ptx)
set(rows_ptx ${CMAKE_CURRENT_LIST_DIR}/device/rows.ptx)
if(NOT CMAKE_SCRIPT_MODE_FILE)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/probe_device.c
    COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/probe_device.c -P ${CMAKE_CURRENT_LIST_FILE}
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

file(WRITE ${OUT} "/* Made by src/probe/probe.cmake of device.ptx and rows.ptx. */\n#include \"probe/patches.h\"\n")
foreach(name probe rows)
  file(READ ${${name}_ptx} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}") # 16 bytes a line
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(APPEND ${OUT} "\nconst unsigned char ${name}_ptx[] = {\n${hex}0};\nconst size_t ${name}_ptx_length = sizeof ${name}_ptx - 1;\n")
endforeach()
