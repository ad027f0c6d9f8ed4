/* html.h: the HTML page's files, put into the program at build time (html/embed.cmake). Private to
 * report/. */
#pragma once

typedef struct HtmlAsset {
    const char *name; /* the mark in page.html that it replaces; "page": the page itself */
    const char *text;
} HtmlAsset;
extern const HtmlAsset html_assets[]; /* name NULL at the end */
