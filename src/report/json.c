/* The report as a JSON document: docs/report-format.md. There may be very many launches: they are written
 * one by one, and what they refer to behind them. */
#include "report/document.h"

#include <string.h>

enum { FORMAT = JSON_INDENT(1) | JSON_REAL_PRECISION(6) };

/* Where a value goes that is a part of another: its lines are moved in by `depth`, 1 or 2. */
typedef struct Nested {
    FILE *out;
    int depth;
} Nested;

/* There are no line feeds in JSON's strings. */
static int write_nested(const char *text, size_t size, void *context) {
    const Nested *nested = context;
    for (const char *end; size; size -= (size_t)(end - text), text = end) {
        const char *feed = memchr(text, '\n', size);
        end = feed ? feed + 1 : text + size;
        fwrite(text, 1, (size_t)(end - text), nested->out);
        if (feed)
            fwrite("  ", 1, (size_t)nested->depth, nested->out);
    }
    return 0;
}

/* Drops the value. */
static void write_value(FILE *out, int depth, json_t *value) {
    json_dump_callback(value, write_nested, &(Nested){out, depth}, FORMAT | JSON_ENCODE_ANY);
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
