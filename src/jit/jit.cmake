# The plug-in that compiles kernels: libwarplens-jit.so, over LLVM 14 to 19. It is built where LLVM's development files and a
# clang that is no newer are there; without it `--engine jit` says what to install, and `auto` interprets.
# WARPLENS_LLVM_CONFIG chooses another llvm-config.
if(WARPLENS_SANITIZE OR WARPLENS_FUZZ)
  return() # what is compiled would not be checked by a sanitizer
endif()
# Of the bitcode: what it is compiled for, and that alone.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(lanes_target -march=x86-64-v3)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(lanes_target --target=aarch64-linux-gnu)
else()
  return() # nor is there a loader of its code (src/exec/tier/relocate.c)
endif()
find_program(WARPLENS_LLVM_CONFIG NAMES llvm-config-14 llvm-config-19 llvm-config-16 llvm-config-15 llvm-config)
if(NOT WARPLENS_LLVM_CONFIG)
  message(STATUS "llvm-config not found: no JIT (Debian: llvm-14-dev clang-14)")
  return()
endif()
foreach(what version includedir libdir)
  execute_process(COMMAND ${WARPLENS_LLVM_CONFIG} --${what} OUTPUT_VARIABLE llvm_${what} OUTPUT_STRIP_TRAILING_WHITESPACE)
endforeach()
string(REGEX MATCH "^[0-9]+" llvm_major "${llvm_version}")
if(WARPLENS_PORTABLE) # LLVM's archives, and those of what they use
  execute_process(COMMAND ${WARPLENS_LLVM_CONFIG} --link-static --libs mcjit native passes bitreader
    OUTPUT_VARIABLE llvm_libraries OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(llvm_libraries UNIX_COMMAND "-L${llvm_libdir} ${llvm_libraries}")
  set(WARPLENS_LLVM ${llvm_libraries} ${ZLIB} ${ZSTD} -static-libgcc -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm ${CMAKE_DL_LIBS})
elseif(CMAKE_CROSSCOMPILING) # this machine's headers, the other one's library of the same version
  find_library(WARPLENS_LLVM NAMES LLVM-${llvm_major} PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
else()
  find_library(WARPLENS_LLVM NAMES LLVM-${llvm_major} PATHS ${llvm_libdir} NO_DEFAULT_PATH)
endif()
set(clangs)
foreach(number RANGE ${llvm_major} 14 -1) # bitcode is read by its own version and later ones
  list(APPEND clangs clang-${number})
endforeach()
find_program(WARPLENS_CLANG NAMES ${clangs})
if(NOT WARPLENS_LLVM OR NOT WARPLENS_CLANG OR NOT EXISTS ${llvm_includedir}/llvm-c/Core.h)
  message(STATUS "LLVM ${llvm_version} is not complete: no JIT (Debian: llvm-14-dev clang-14)")
  return()
endif()

set(lanes ${CMAKE_BINARY_DIR}/lanes.bc)
add_custom_command(OUTPUT ${lanes}
  # The flags of src/exec/ops.cmake that decide what is computed; straight code where that is possible.
  COMMAND ${WARPLENS_CLANG} -std=gnu17 -D_GNU_SOURCE -I${PROJECT_SOURCE_DIR}/src ${lanes_target} -O2
          -ffp-contract=off -fno-trapping-math -fno-math-errno -fno-vectorize -fno-slp-vectorize
          -mllvm -phi-node-folding-threshold=100 -mllvm -two-entry-phi-node-folding-threshold=100
          -MD -MF ${lanes}.d -emit-llvm -c ${PROJECT_SOURCE_DIR}/src/jit/lanes.c -o ${lanes}
  DEPENDS ${PROJECT_SOURCE_DIR}/src/jit/lanes.c DEPFILE ${lanes}.d VERBATIM)
file(GLOB jit_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/jit/*.c)
list(REMOVE_ITEM jit_sources ${PROJECT_SOURCE_DIR}/src/jit/lanes.c)
if(NOT WARPLENS_PORTABLE)
  list(REMOVE_ITEM jit_sources ${PROJECT_SOURCE_DIR}/src/jit/terminal.c)
endif()
add_library(jit SHARED ${jit_sources} ${PROJECT_SOURCE_DIR}/src/exec/tier/groups.c ${lanes})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/jit/plugin.c PROPERTIES
  OBJECT_DEPENDS ${lanes} COMPILE_DEFINITIONS LANES_BITCODE="${lanes}")
target_include_directories(jit PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(jit SYSTEM PRIVATE ${llvm_includedir})
target_link_libraries(jit PRIVATE wl_isa wl_base ${WARPLENS_LLVM})
target_link_options(jit PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
set_target_properties(jit PROPERTIES C_VISIBILITY_PRESET hidden OUTPUT_NAME warplens-jit
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/warplens)
install(TARGETS jit LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warplens)
