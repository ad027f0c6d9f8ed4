# Rewriting source needs the headers of libclang to be built; the library itself is loaded when it is needed.
find_path(LIBCLANG_HEADERS clang-c/Index.h
  PATHS /usr/lib/llvm-19/include /usr/lib/llvm-16/include /usr/lib/llvm-15/include /usr/lib/llvm-14/include)
get_target_property(rewrite_sources wl_rewrite SOURCES)
if(LIBCLANG_HEADERS)
  list(FILTER rewrite_sources EXCLUDE REGEX "/absent.c$")
  target_include_directories(wl_rewrite SYSTEM PRIVATE ${LIBCLANG_HEADERS})
else()
  message(STATUS "clang-c/Index.h is not found: built without `warplens fix --patch`")
  set(rewrite_sources ${PROJECT_SOURCE_DIR}/src/rewrite/absent.c)
endif()
set_target_properties(wl_rewrite PROPERTIES SOURCES "${rewrite_sources}")
