/* Pages for a terminal: which of them, and of which launches. */
#include "report/page.h"

#include <string.h>

static bool wants(const Report *report, ReportPage page) {
    uint32_t pages = report->options->pages;
    if (pages == 0)
        pages = report->options->line ? 1u << PAGE_SOURCE : PAGES_ALL;
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
                     report->options->kernel ? "" : " or --kernel NAME"));
}

/* ---- faults: before all else ---- */

static const char *place_text(const Report *report, const LaunchView *view) {
    const Profile *profile = report->profile;
    uint32_t at = view->record->fault_location;
    if (at == NONE)
        return "";
    const SitePlace place = location_place(profile, at);
    return arena_printf(report->arena, ", at %s:%u", text_file(report, place.file, view->kernel),
                        place.line);
}

static void print_fault(const Report *report, const LaunchView *view) {
    const char *fault = view->record->fault ? view->record->fault : "a fault";
    text_wrap(report, 0, STYLE_HOT,
              arena_printf(report->arena, "Fault in launch %u, %s: %.*s%s", view->number,
                           text_kernel(report, view->kernel, true), (int)strcspn(fault, "\n"),
                           fault, place_text(report, view)));
}

static void print_faults(const Report *report) {
    enum { SHOWN = 5 };
    uint32_t faults = 0;
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i];
        if (view->record->status == LAUNCH_FAULT && faults++ < SHOWN)
            print_fault(report, view);
    }
    if (faults > SHOWN)
        text_wrap(report, 0, STYLE_HOT,
                  arena_printf(report->arena, "and faults in %s more launches",
                               words_count(report->arena, faults - SHOWN)));
    if (faults)
        text_wrap(report, 0, STYLE_WARM,
                  "Counts are of what ran before a fault, so what follows is not the whole cost.");
}

/* ---- defects: as urgent ---- */

static void print_defect(const Report *report, const Defect *defect) {
    const Profile *profile = report->profile;
    const char *message = defect->message;
    const char *where = "";
    if (defect->location != NONE && defect->kernel != NONE) { /* else the message says it */
        const SitePlace place = location_place(profile, defect->location);
        where = arena_printf(report->arena, ", at %s:%u",
                             text_file(report, place.file, &profile->kernels.at[defect->kernel]),
                             place.line);
    }
    text_wrap(report, 0, defect->benign ? STYLE_WARM : STYLE_HOT,
              arena_printf(report->arena, "Defect (%s): %.*s%s%s", defect_kinds[defect->kind],
                           (int)strcspn(message, "\n"), message, where,
                           defect->count > 1
                               ? arena_printf(report->arena, "; %s times",
                                              words_count(report->arena, defect->count))
                               : ""));
    if (message[strcspn(message, "\n")])
        text_wrap(report, 2, STYLE_PLAIN, message + strcspn(message, "\n") + 1);
}

static void print_defects(const Report *report) {
    enum { SHOWN = 5 };
    const Profile *profile = report->profile;
    uint32_t count = profile->defects.count;
    bool all = report->options && wants(report, PAGE_DETAILS);
    for (uint32_t i = 0; i < count && (all || i < SHOWN); i++)
        print_defect(report, &profile->defects.at[i]);
    if (!all && count > SHOWN)
        text_wrap(report, 0, STYLE_HOT,
                  arena_printf(report->arena, "and %s more defects: page details has all",
                               words_count(report->arena, count - SHOWN)));
}

void write_term(const Report *report) {
    if (wants(report, PAGE_SUMMARY) || wants(report, PAGE_DETAILS) || wants(report, PAGE_SOURCE)) {
        print_faults(report); /* the raw page is for programs */
        print_defects(report);
    }
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
