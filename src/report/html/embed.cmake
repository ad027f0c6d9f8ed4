# Puts the pages' files into the program: html_assets.c has report.html, diff.html, style.css, and the scripts of each page
# one after the other. Included by the root CMakeLists.txt; run by the build (cmake -P) when one of them has changed.
set(html_shared dom.js document.js table.js theme.js drawn.js)
set(html_report ${html_shared} data.js pictures.js fault.js defects.js origin.js groups.js summary.js launch.js charts.js listing.js code.js line.js source.js search.js main.js)
set(html_diff ${html_shared} diff.js)

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(html_files report.html diff.html style.css ${html_report} diff.js)
  list(TRANSFORM html_files PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/html_assets.c
    COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/html_assets.c -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${html_files} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  target_sources(wl_report PRIVATE ${PROJECT_BINARY_DIR}/html_assets.c)
  return()
endif()

# bytes(VARIABLE FILE…): the files, one after the other, as the elements of a C array
function(bytes variable)
  foreach(file ${ARGN})
    file(READ ${CMAKE_CURRENT_LIST_DIR}/${file} hex HEX)
    string(APPEND all ${hex})
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n" all "${all}") # 16 bytes a line
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," all "${all}")
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

set(assets report.html diff.html style.css report.js diff.js)
bytes(report.html report.html)
bytes(diff.html diff.html)
bytes(style.css style.css)
bytes(report.js ${html_report})
bytes(diff.js ${html_diff})
set(text "/* Made by src/report/html/embed.cmake. */\n#include \"report/html.h\"\n\n#include <stddef.h>\n")
foreach(asset ${assets})
  string(REPLACE . _ name ${asset})
  string(APPEND text "\nstatic const unsigned char ${name}[] = {\n${${asset}}0};\n")
  string(APPEND rows "    {\"${asset}\", (const char *)${name}},\n")
endforeach()
file(WRITE ${OUT} "${text}\nconst HtmlAsset html_assets[] = {\n${rows}    {NULL, NULL},\n};\n")
