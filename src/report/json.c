/* The report as a JSON document: docs/report-format.md. */
#include "report/document.h"

#include <stdlib.h>

void write_json(const Report *report) {
    json_t *document = document_new(report, NULL);
    json_dumpf(document, report->out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', report->out);
    json_decref(document);
}
