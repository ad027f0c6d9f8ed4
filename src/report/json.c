/* The report as a JSON document: docs/report-format.md. There may be very many launches: they are written
 * one by one, and what they refer to behind them. */
#include "report/document.h"
#include "report/json_text.h"

/* Drops the value, which is a part of another. */
static void write_value(FILE *out, uint32_t depth, json_t *value) {
    json_text(value, depth, out);
    json_decref(value);
}

static void write_members(FILE *out, const char *before, json_t *object) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        fprintf(out, "%s\n \"%s\": ", before, name);
        write_value(out, 1, json_incref(value));
        before = ",";
    }
    json_decref(object);
}

static void write_launches(Document *document, FILE *out) {
    uint32_t count = document->report->views.count;
    fputs(",\n \"launches\": [", out);
    for (uint32_t i = 0; i < count && !ferror(out); i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        write_value(out, 2, document_launch(document, i));
        arena_clear(document->arena);
    }
    fputs(count ? "\n ]" : "]", out);
}

void write_json(const Report *report) {
    Document document;
    document_begin(&document, report, NULL);
    write_members(report->out, "{", document_head(&document));
    write_launches(&document, report->out);
    write_members(report->out, ",", document_tables(&document));
    fputs("\n}\n", report->out);
    document_end(&document);
}
