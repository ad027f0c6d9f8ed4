/* The formats and pages that there are, by name. */
#include "report/diff.h"
#include "report/drawing.h"
#include "report/gate.h"

#include <string.h>

/* ---- of a profile ---- */

const ReportFormat report_formats[] = {
    {"term", "pages for a terminal", write_term},
    {"html", "one page for a browser, with everything in it", write_html},
    {"json", "all of it as data (docs/report-format.md)", write_json},
    {"svg", "the memory chart of a launch, or, with --page summary, the roofline", write_svg},
    {"csv", "every counter, comma-separated", write_csv},
    {"tsv", "every counter, tab-separated (--page raw)", page_raw},
    {NULL, NULL, NULL},
};

const ReportPageInfo report_pages[PAGE_COUNT] = {
    {"summary", "a row for each launch, or for each kernel"},
    {"details", "a launch: statistics, memory tables, findings"},
    {"source", "the source beside its counters"},
    {"raw", "every counter, tab-separated"},
};

const ReportFormat *report_format(const char *name) {
    for (const ReportFormat *format = report_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

bool report_page(const char *name, ReportPage *page) {
    for (int i = 0; i < PAGE_COUNT; i++)
        if (strcmp(report_pages[i].name, name) == 0) {
            *page = (ReportPage)i;
            return true;
        }
    return false;
}

/* ---- of a comparison ---- */

const DiffFormat diff_formats[] = {
    {"term", "pages for a terminal", diff_term},
    {"html", "one page for a browser", diff_html},
    {"json", "all of it as data (docs/report-format.md)", diff_json},
    {"svg", "the memory charts of the launch that has changed most", diff_svg},
    {NULL, NULL, NULL},
};

const DiffFormat *diff_format(const char *name) {
    for (const DiffFormat *format = diff_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

/* ---- of `warplens check` ---- */

const GateFormat gate_formats[] = {
    {"term", "for a terminal", gate_term},
    {"github", "annotations of GitHub Actions", gate_github},
    {"sarif", "SARIF 2.1.0", gate_sarif},
    {"junit", "JUnit XML", gate_junit},
    {NULL, NULL, NULL},
};

const GateFormat *gate_format(const char *name) {
    for (const GateFormat *format = gate_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

/* ---- of one access ---- */

const DrawingFormat drawing_formats[] = {
    {"term", "a table and a map for a terminal", drawing_term},
    {"svg", "a picture", drawing_svg},
    {"json", "all of it as data (docs/report-format.md)", drawing_json},
    {NULL, NULL, NULL},
};

const DrawingFormat *drawing_format(const char *name) {
    for (const DrawingFormat *format = drawing_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}
