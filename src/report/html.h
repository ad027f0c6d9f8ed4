/* html.h: pages made of the files that html/embed.cmake puts into the program. Private to report/. */
#pragma once

typedef struct HtmlAsset {
    const char *name; /* "report.html", "style.css", "report.js" */
    const char *text;
} HtmlAsset;
extern const HtmlAsset html_assets[]; /* name NULL at the end */
