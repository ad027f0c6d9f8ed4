# The library that `warplens run` loads into a program: driver API and runtime API in one, since both act on one Core.
# Its SONAME is that of the driver; links give it the names of the runtime. It brings no library into the program but
# the C library's: everything else is linked in and hidden.
file(GLOB runtime_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/runtime/*.c)
set(preload_directory ${CMAKE_BINARY_DIR}/lib/warplens)
# driver.h and calls.h say what is exported; entry.c makes up more of it
set_target_properties(wl_cuda PROPERTIES C_VISIBILITY_PRESET hidden)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cuda/entry.c PROPERTIES COMPILE_OPTIONS -fvisibility=default)
if(WARPLENS_SANITIZE)
  return() # a sanitizer's runtime must come first in a process: its libraries cannot be loaded into programs
endif()
add_library(preload SHARED ${runtime_sources} $<TARGET_OBJECTS:wl_cuda>)
target_link_libraries(preload PRIVATE wl_cuda dl)
target_link_options(preload PRIVATE
  -static-libgcc # owner.c unwinds
  -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic -Wl,-z,initfirst -Wl,--exclude-libs,ALL -Wl,--as-needed -Wl,--no-undefined
  -Wl,--hash-style=both # audit.c reads the older table
  -Wl,--disable-new-dtags # RPATH: the names of attach.c are looked for here before LD_LIBRARY_PATH
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/cuda/runtime/exports.map)
set_target_properties(preload PROPERTIES
  C_VISIBILITY_PRESET hidden
  OUTPUT_NAME warplens-cuda
  BUILD_RPATH $ORIGIN INSTALL_RPATH $ORIGIN # attach.c
  LIBRARY_OUTPUT_DIRECTORY ${preload_directory}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/runtime/exports.map)
# library_names(TARGET FILE): links with the names of src/cuda/libraries.def that FILE stands for. They are left in `names`.
function(library_names target file)
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/cuda/libraries.def rows REGEX "^LIBRARY.*${file}\\)$")
  set(names)
  foreach(row ${rows})
    string(REGEX MATCH "\\(([A-Za-z-]+), ([0-9]+)," matched ${row})
    list(APPEND names ${CMAKE_MATCH_1}.so ${CMAKE_MATCH_1}.so.${CMAKE_MATCH_2})
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE_NAME:${target}> ${preload_directory}/${name})
    install(FILES ${preload_directory}/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/warplens)
  endforeach()
  set(names ${names} PARENT_SCOPE)
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/cuda/libraries.def)
library_names(preload DRIVER)
# What the dynamic loader calls on its way, for which the preloaded library is too late: audit/audit.c
add_library(audit SHARED ${PROJECT_SOURCE_DIR}/src/cuda/audit/audit.c)
target_include_directories(audit PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_options(audit PRIVATE -nostdlib -Wl,--no-undefined)
target_compile_options(audit PRIVATE -ffreestanding -fno-builtin -fno-stack-protector -fno-profile-arcs -fno-test-coverage)
set_target_properties(audit PROPERTIES OUTPUT_NAME warplens-audit LIBRARY_OUTPUT_DIRECTORY ${preload_directory})
install(TARGETS preload audit LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warplens)
