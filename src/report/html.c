/* HTML: one file, report.html or diff.html with the style, the scripts and the JSON document in it.
 * It asks for nothing else, so it can be mailed and opened from disk.
 *
 * The document is deflated and in base64, a fifteenth of its size, so nothing that a source file or
 * a kernel's name holds can be taken for markup here; the scripts put its texts into text nodes
 * alone. */
#include "report/html.h"
#include "report/diff.h"
#include "report/document.h"
#include "report/levels.h"

#include <stdlib.h>
#include <string.h>

enum {
    WHOLE_LAUNCHES = 150,  /* that are shown line by line */
    TOTALS_LAUNCHES = 2000 /* that are rows of the summary; the others are added up by kernel */
};

static const char *asset(const char *name, size_t length) {
    for (const HtmlAsset *at = html_assets; at->name; at++)
        if (strlen(at->name) == length && memcmp(at->name, name, length) == 0)
            return at->text;
    return NULL;
}

/* ---- which launches ---- */

typedef struct Choice {
    uint32_t view;
    bool fault, worst; /* it ended with one; of its kernel's */
    double excess;
} Choice;

static int by_worth(const void *left, const void *right) {
    const Choice *a = left, *b = right;
    if (a->fault != b->fault)
        return a->fault ? -1 : 1;
    if (a->worst != b->worst)
        return a->worst ? -1 : 1;
    if (a->excess != b->excess)
        return a->excess > b->excess ? -1 : 1;
    return a->view < b->view ? -1 : 1;
}

static Choice *choices_of(const Report *report) {
    uint32_t kernels = report->profile->kernels.count, count = report->views.count;
    Choice *choices = NEW_ARRAY(report->arena, Choice, count);
    uint32_t *worst = NEW_ARRAY(report->arena, uint32_t, kernels);
    for (uint32_t i = 0; i < count; i++) {
        const LaunchView *view = &report->views.at[i];
        choices[i].view = i;
        sort_value("worst", &view->all, &choices[i].excess);
        choices[i].excess *= view->scale;
        choices[i].fault = view->record->status == LAUNCH_FAULT;
        uint32_t *best = &worst[view->record->kernel]; /* view + 1 */
        if (!*best || choices[i].excess > choices[*best - 1].excess)
            *best = i + 1;
    }
    for (uint32_t k = 0; k < kernels; k++)
        if (worst[k])
            choices[worst[k] - 1].worst = true;
    qsort(choices, count, sizeof *choices, by_worth);
    return choices;
}

/* Those with faults, the worst launch of every kernel, then the worst others. */
static Detail *details_of(const Report *report) {
    uint32_t count = report->views.count;
    Detail *details = NEW_ARRAY(report->arena, Detail, count);
    if (!count)
        return details;
    const Choice *choices = choices_of(report);
    for (uint32_t i = 0; i < count; i++)
        details[choices[i].view] = i < WHOLE_LAUNCHES                        ? DETAIL_ALL
                                   : i < TOTALS_LAUNCHES || choices[i].worst ? DETAIL_TOTALS
                                                                             : DETAIL_SUM;
    return details;
}

/* What a page carries. Launches, most of it, are written one by one: as values all of them would be ten times as large. */
typedef struct PageDocument {
    json_t *rest;         /* all other members */
    const char *launches; /* an array; NULL: no such member */
} PageDocument;

static const char *launches_text(const Report *report, Document *document) {
    PrintedText printed;
    FILE *out = printed_begin(&printed, report->arena);
    const char *before = "[";
    for (uint32_t i = 0; i < report->views.count; i++) {
        if (document->details[i] != DETAIL_SUM) {
            json_t *launch = document_launch(document, i);
            fputs(before, out);
            json_dumpf(launch, out, JSON_COMPACT);
            json_decref(launch);
            before = ",";
        }
        arena_clear(document->arena);
    }
    fputs(*before == '[' ? "[]" : "]", out);
    return printed_end(&printed);
}

/* Beside the members of the JSON report `sums`, of the launches that are in it in no other way. */
static PageDocument page_document(const Report *report) {
    Document document;
    document_begin(&document, report, details_of(report));
    PageDocument page = {.rest = document_head(&document)};
    page.launches = launches_text(report, &document);
    json_object_set_new(page.rest, "sums", document_sums(&document));
    uint32_t points = 0;
    const RoofPoint *roof = roof_points(report, &points);
    if (points)
        json_object_set_new(
            page.rest, "roofline_chart",
            document_text(document.arena, chart_roofline(report->arena, roof, points)));
    json_object_update_new(page.rest, document_tables(&document));
    document_end(&document);
    return page;
}

/* ---- the page ---- */

/* The rows of a listing as columns: members of `columns`, an array for each kernel so far. */
static void add_columns(const json_t *rows, json_t *columns, size_t kernel) {
    size_t index;
    json_t *row, *value;
    const char *name;
    json_array_foreach(rows, index, row) json_object_foreach(row, name, value) {
        json_t *column = json_object_get(columns, name);
        if (!column)
            json_object_set_new(columns, name, column = json_array());
        while (json_array_size(column) <= kernel)
            json_array_append_new(column, json_array());
        json_array_append(json_array_get(column, kernel), value);
    }
}

/* [document, {ptx, sass}]: the instructions of kernels are most of a page. Deflate sees 32 KB at a
 * time, so like is put beside like - the lines of all kernels, then their places, then their texts
 * - which takes two thirds of the room. The kernels are left with the numbers of their
 * instructions. */
static json_t *by_columns(json_t *document) {
    static const char *const names[] = {"ptx", "sass"};
    json_t *listings = json_object(), *kernel;
    for (uint32_t i = 0; i < 2; i++) {
        json_t *columns = json_object();
        size_t index;
        json_array_foreach(json_object_get(document, "kernels"), index, kernel) {
            json_t *rows = json_object_get(kernel, names[i]);
            add_columns(rows, columns, index);
            json_object_set_new(kernel, names[i], json_integer((json_int_t)json_array_size(rows)));
        }
        json_object_set_new(listings, names[i], columns);
    }
    return json_pack("[O,o]", document, listings);
}

static void write_data(Arena *arena, const PageDocument *document, FILE *out) {
    json_t *packed = by_columns(document->rest);
    PrintedText printed;
    FILE *text = printed_begin(&printed, arena);
    json_dumpf(packed, text, JSON_COMPACT);
    json_decref(packed);
    const char *whole = printed_end(&printed);
    if (document->launches) { /* [{other members …: they become the first */
        FILE *longer = printed_begin(&printed, arena);
        fprintf(longer, "[{\"launches\":%s,%s", document->launches, whole + strlen("[{"));
        whole = printed_end(&printed);
    }
    fputs(text_packed(arena, whole), out);
}

static void write_escaped(const char *text, FILE *out) {
    for (; *text; text++)
        if (strchr("<>&", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

/* The page, each {{NAME}} in it replaced by the asset of that name, {{data}} by the document, which is
 * dropped, {{summary}} by what those see who have no JavaScript. */
static void write_page(Arena *arena, const char *page, PageDocument document, const char *summary,
                       FILE *out) {
    const char *at = asset(page, strlen(page));
    for (const char *mark; (mark = strstr(at, "{{"));) {
        const char *end = strstr(mark, "}}");
        const char *text = asset(mark + 2, (size_t)(end - mark - 2));
        fwrite(at, 1, (size_t)(mark - at), out);
        if (text)
            fputs(text, out);
        else if (strncmp(mark, "{{summary}}", strlen("{{summary}}")) == 0)
            write_escaped(summary, out);
        else
            write_data(arena, &document, out);
        at = end + 2;
    }
    fputs(at, out);
    json_decref(document.rest);
}

/* The terminal's summary, without colours. */
static const char *static_summary(const Report *report) {
    ReportOptions options = *report->options;
    Report plain = *report;
    PrintedText printed;
    options.colour = false;
    options.width = REPORT_WIDTH;
    plain.options = &options;
    plain.out = printed_begin(&printed, report->arena);
    page_summary(&plain);
    return text_utf8(report->arena, printed_end(&printed));
}

void write_html(const Report *report) {
    write_page(report->arena, "report.html", page_document(report), static_summary(report),
               report->out);
}

void diff_html(const Diff *diff) {
    const PageDocument page = {.rest = diff_document(diff, true)};
    write_page(diff->report.arena, "diff.html", page, "", diff->report.out);
}
