/* Pages for a terminal: which of them, and of which launches. */
#include "report/page.h"

static bool wants(const Report *report, ReportPage page) {
    uint32_t pages = report->options->pages;
    if (pages == 0)
        pages = report->options->line ? 1u << PAGE_SOURCE
                                      : 1u << PAGE_SUMMARY | 1u << PAGE_DETAILS | 1u << PAGE_SOURCE;
    return pages >> page & 1;
}

static void print_choice(const Report *report) {
    if (!wants(report, PAGE_DETAILS) && !wants(report, PAGE_SOURCE))
        return;
    fputc('\n', report->out);
    text_wrap(
        report, 0, STYLE_DIM,
        arena_printf(report->arena,
                     "Launch %u has the largest excess of %s launches; --launch N%s shows others.",
                     report->worst->number, words_count(report->arena, report->views.count),
                     report->options->kernel ? "" : " or --kernel TEXT"));
}

void write_term(const Report *report) {
    if (wants(report, PAGE_SUMMARY))
        page_summary(report);
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i];
        if (!report->chosen && view != report->worst)
            continue;
        if (wants(report, PAGE_DETAILS))
            page_details(report, view);
        if (wants(report, PAGE_SOURCE))
            page_source(report, view);
    }
    if (!report->chosen && report->views.count > 1 && !wants(report, PAGE_RAW))
        print_choice(report);
    if (wants(report, PAGE_RAW))
        page_raw(report);
}
