# libwarplens.so: the C API, with the layers below linked in and hidden. Its ABI may change with each version before 1.0.
file(GLOB api_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/api/*.c)
add_library(libwarplens SHARED ${api_sources})
add_library(wl_api ALIAS libwarplens)
target_include_directories(libwarplens PRIVATE ${PROJECT_SOURCE_DIR}/src PUBLIC ${PROJECT_SOURCE_DIR}/include)
list(TRANSFORM below_api PREPEND wl_ OUTPUT_VARIABLE below)
target_link_libraries(libwarplens PRIVATE ${below})
target_compile_definitions(libwarplens PRIVATE PROJECT_VERSION="${PROJECT_VERSION}"
  PROJECT_MAJOR=${PROJECT_VERSION_MAJOR} PROJECT_MINOR=${PROJECT_VERSION_MINOR} PROJECT_PATCH=${PROJECT_VERSION_PATCH})
target_link_options(libwarplens PRIVATE -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -Wl,--as-needed
  -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/libwarplens.map)
if(NOT WARPLENS_SANITIZE) # the sanitizer's functions are the program's
  target_link_options(libwarplens PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(libwarplens PROPERTIES OUTPUT_NAME warplens
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/libwarplens.map)
# The .pc file finds the prefix from its own place, so an installed tree may be moved.
file(RELATIVE_PATH WARPLENS_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/warplens.pc.in ${CMAKE_BINARY_DIR}/warplens.pc @ONLY)
install(TARGETS libwarplens LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/warplens/warplens.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warplens)
install(FILES ${CMAKE_BINARY_DIR}/warplens.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
