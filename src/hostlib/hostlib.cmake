# libwarplens-host.so: what programs under `warplens run` get for cuBLAS and the like. It finds the driver in the process,
# preloaded, or beside it, and brings no library into the program but the C library's.
add_library(wl_hostlib INTERFACE) # its tables, for the program
target_include_directories(wl_hostlib INTERFACE ${PROJECT_SOURCE_DIR}/src)
if(NOT TARGET preload)
  return()
endif()
set(host_rooms blas rand fft sparse solver)
set(host_sources)
foreach(room "" ${host_rooms})
  file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/hostlib/${room}/*.c)
  list(APPEND host_sources ${found})
endforeach()
add_library(host SHARED ${host_sources})
library_names(host HOST)
# Each name is a version, too, which programs that were linked with the real library ask for. Symbols have none: they
# satisfy whoever asks for any.
set(host_versions ${CMAKE_BINARY_DIR}/host.map)
set(nodes "")
foreach(name ${names})
  if(name MATCHES "[0-9]$")
    string(APPEND nodes "${name} { };\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${host_versions} CONTENT "${nodes}")
target_include_directories(host PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(host PRIVATE preload m dl)
target_link_options(host PRIVATE -Wl,-soname,libwarplens-host.so -Wl,-Bsymbolic -Wl,--no-undefined -Wl,--as-needed
  -Wl,--version-script=${host_versions})
set_target_properties(host PROPERTIES
  C_VISIBILITY_PRESET hidden
  OUTPUT_NAME warplens-host
  LIBRARY_OUTPUT_DIRECTORY ${preload_directory}
  BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN")
install(TARGETS host LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warplens)
