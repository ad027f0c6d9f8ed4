# Puts into the program what the pages of docs/rules say that a rule means: rule_pages.c has a row for each page, its name and
# that paragraph as plain text. Included by the root CMakeLists.txt; run by the build (cmake -P) when a page has changed.
set(pages ${CMAKE_CURRENT_LIST_DIR}/../../docs/rules)
if(NOT CMAKE_SCRIPT_MODE_FILE)
  file(GLOB page_files CONFIGURE_DEPENDS ${pages}/*.md)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/rule_pages.c
    COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/rule_pages.c -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${page_files} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  target_sources(wl_rules PRIVATE ${PROJECT_BINARY_DIR}/rule_pages.c)
  # Where docs/ is on the web, for links in pages and SARIF; the one place that says so.
  set(WARPLENS_DOCS "$ENV{WARPLENS_DOCS}" CACHE STRING "address of docs/, as https://…/docs; empty: pages name the files")
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/help.c PROPERTIES
    COMPILE_DEFINITIONS WARPLENS_DOCS="$<IF:$<BOOL:${WARPLENS_DOCS}>,${WARPLENS_DOCS},docs>")
  return()
endif()

file(GLOB files ${pages}/*.md)
foreach(file ${files})
  file(READ ${file} text)
  get_filename_component(page ${file} NAME)
  if(NOT text MATCHES "\\*\\*What it means\\.\\*\\* (([^\n]+\n)+)")
    continue()
  endif()
  string(STRIP "${CMAKE_MATCH_1}" text)
  string(REGEX REPLACE "\\[([^]]*)\\]\\([^)]*\\)" "\\1" text "${text}") # links
  string(REGEX REPLACE "[*`]" "" text "${text}")
  string(REPLACE "\n" " " text "${text}")
  string(REGEX REPLACE "([\"\\])" "\\\\\\1" text "${text}")
  string(APPEND rows "    {\"${page}\", \"${text}\"},\n")
endforeach()
file(WRITE ${OUT} "/* Made by src/rules/pages.cmake. */\n#include \"rules/rule.h\"\n\n#include <stddef.h>\n\n"
  "const RulePage rule_pages[] = {\n${rows}    {NULL, NULL},\n};\n")
