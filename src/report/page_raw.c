/* The raw page: every counter, tab-separated, with a line of headings. A row is an instruction of a
 * launch, or a source line (by_line). Lines overlap where functions were inlined: see
 * profile_lines. */
#include "report/page.h"

#include <inttypes.h>

/* A field must not hold tabs or line ends. */
static void field(const Report *report, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        fputc(*at < ' ' || *at == 0x7f ? ' ' : *at, report->out);
    fputc('\t', report->out);
}

static void heads(const Report *report, bool by_line) {
    fprintf(report->out, "launch\tkernel\t%sfile\tline\t%s", by_line ? "" : "site\tptx_line\t",
            by_line ? "" : "access\ttext\t");
    for (int id = 0; id < COUNTER_COUNT; id++)
        fprintf(report->out, "%s%c", counter_info((CounterId)id)->name,
                id + 1 < COUNTER_COUNT ? '\t' : '\n');
}

static void counters(const Report *report, const Counters *of) {
    for (int id = 0; id < COUNTER_COUNT; id++)
        fprintf(report->out, "%" PRIu64 "%c", counter_get(of, (CounterId)id),
                id + 1 < COUNTER_COUNT ? '\t' : '\n');
}

static void place(const Report *report, const LaunchView *view, uint32_t file, uint32_t line) {
    const Profile *profile = report->profile;
    const char *module = profile->modules.at[view->kernel->module].name;
    field(report, file == NONE ? module ? module : "" : profile->files.at[file].path);
    fprintf(report->out, "%" PRIu32 "\t", line);
}

static void write_sites(const Report *report, const LaunchView *view) {
    const Profile *profile = report->profile;
    for (uint32_t i = 0; i < view->kernel->site_count; i++) {
        uint32_t number = view->kernel->first_site + i;
        const Site *site = &profile->sites.at[number];
        const Location *location =
            site->location == NONE ? NULL : &profile->locations.at[site->location];
        fprintf(report->out, "%" PRIu32 "\t", view->number);
        field(report, text_kernel(report, view->kernel, false));
        fprintf(report->out, "%" PRIu32 "\t%" PRIu32 "\t", number, site->ptx_line);
        place(report, view, location ? location->file : NONE,
              location ? location->line : site->ptx_line);
        field(report, site_words(report->arena, site));
        field(report, site->text);
        counters(report, &view->record->counters[i]);
    }
}

static void write_lines(const Report *report, const LaunchView *view) {
    uint32_t count;
    const LineCounts *lines = profile_lines(report->arena, report->profile, view->number, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!lines[i].total.requests)
            continue;
        fprintf(report->out, "%" PRIu32 "\t", view->number);
        field(report, text_kernel(report, view->kernel, false));
        place(report, view, lines[i].file, lines[i].line);
        counters(report, &lines[i].total);
    }
}

void page_raw(const Report *report) {
    bool by_line = report->options->by_line;
    heads(report, by_line);
    for (uint32_t i = 0; i < report->views.count; i++)
        (by_line ? write_lines : write_sites)(report, &report->views.at[i]);
}
