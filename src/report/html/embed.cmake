# Puts the page's files into the program: html_assets.c, made of html/page.html, style.css and the scripts, in this order.
# Included by the root CMakeLists.txt; run by the build (cmake -P) when one of them has changed.
set(html_scripts dom.js data.js pictures.js summary.js launch.js source.js ptx.js search.js main.js)

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(html_files page.html style.css ${html_scripts})
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

bytes(page page.html)
bytes(style style.css)
bytes(script ${html_scripts})
file(WRITE ${OUT} "/* Made by src/report/html/embed.cmake. */
#include \"report/html.h\"

#include <stddef.h>

static const unsigned char page[] = {\n${page}0};
static const unsigned char style[] = {\n${style}0};
static const unsigned char script[] = {\n${script}0};

const HtmlAsset html_assets[] = {
    {\"page\", (const char *)page},
    {\"style\", (const char *)style},
    {\"script\", (const char *)script},
    {NULL, NULL},
};
")
