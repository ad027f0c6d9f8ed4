/* What the library writes: pages, comparisons, judgements and drawings, each a text in memory. */
#include "api/api.h"
#include "base/rescue.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A text that is being made of a profile. */
typedef struct Text {
    WarplensError *error;
    Arena *arena;
    Diags *diags;
    ReportOptions options;
    PrintedText printed;
    FILE *out;
} Text;

/* ---- what is asked for ---- */

static bool add_page(Text *text, const char *name, size_t length) {
    ReportPage page;
    const char *copy = arena_copy(text->arena, name, length);
    if (strcmp(copy, "all") == 0)
        text->options.pages |= PAGES_ALL;
    else if (report_page(copy, &page))
        text->options.pages |= 1u << page;
    else
        error_set(text->error, WARPLENS_BAD_ARGUMENT,
                  "there is no page '%s': summary, details, source, raw, all", copy);
    return text->options.pages != 0;
}

static bool add_pages(Text *text, const char *names) {
    for (const char *at = names; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, ",");
        uint32_t before = text->options.pages;
        text->options.pages = 0;
        if (!add_page(text, at, length))
            return false;
        text->options.pages |= before;
        at += length;
    }
    return true;
}

/* "scan.cu:70" or "70" */
static bool add_line(Text *text, const char *line) {
    const char *colon = strrchr(line, ':'), *digits = colon ? colon + 1 : line;
    char *end;
    unsigned long number = strtoul(digits, &end, 10);
    if (*digits < '0' || *digits > '9' || *end || number == 0 || number >= NONE) {
        error_set(text->error, WARPLENS_BAD_ARGUMENT, "a line is N or FILE:N, not '%s'", line);
        return false;
    }
    text->options.line = (uint32_t)number;
    if (colon)
        text->options.file = arena_copy(text->arena, line, (size_t)(colon - line));
    return true;
}

static bool begin(Text *text, WarplensProfile *profile, const WarplensPage *page,
                  WarplensError *error) {
    static const WarplensPage defaults = {0};
    error_clear(error);
    if (!profile) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no profile");
        return false;
    }
    if (!page)
        page = &defaults;
    arena_clear(profile->text);
    *text = (Text){.error = error, .arena = profile->text, .diags = diags_new(profile->text)};
    text->options = (ReportOptions){.launch = page->launch ? *page->launch : NONE,
                                    .kernel = page->kernel,
                                    .top = page->top,
                                    .sort = page->sort,
                                    .ptx = page->ptx,
                                    .inlined = page->inlined,
                                    .by_line = page->by_line,
                                    .by_inst = page->by_instruction,
                                    .mangled = page->mangled,
                                    .exact = page->exact,
                                    .each_launch = page->each_launch,
                                    .colour = page->colour,
                                    .width = page->width ? page->width : REPORT_WIDTH};
    if (page->width == UINT32_MAX)
        text->options.width = 0;
    return add_pages(text, page->pages) && (!page->line || add_line(text, page->line));
}

static void unknown_format(const Text *text, const char *name, const char *there) {
    error_set(text->error, WARPLENS_BAD_ARGUMENT, "there is no format '%s': %s", name, there);
}

static FILE *to_print(Text *text) {
    return text->out = printed_begin(&text->printed, text->arena);
}

/* The text, if it is one. */
static const char *end(Text *text, bool good) {
    const char *made = printed_end(&text->printed);
    if (good)
        return made;
    error_diags(text->error, WARPLENS_BAD_ARGUMENT, text->diags);
    return NULL;
}

/* ---- pages ---- */

static const char *format_of(const WarplensPage *page) {
    return page && page->format ? page->format : "term";
}

static const char *make_page(WarplensProfile *profile, const WarplensPage *page,
                             WarplensError *error) {
    Text text;
    if (!begin(&text, profile, page, error))
        return NULL;
    const ReportFormat *format = report_format(format_of(page));
    if (!format) {
        unknown_format(&text, page->format, "term, html, json, svg, csv, tsv");
        return NULL;
    }
    to_print(&text);
    return end(&text, report_print(profile->profile, format, &text.options, text.out, text.diags));
}

static const char *make_diff(const WarplensProfile *before, WarplensProfile *after,
                             const WarplensPage *page, WarplensError *error) {
    Text text;
    if (!begin(&text, before ? after : NULL, page, error))
        return NULL;
    const DiffFormat *format = diff_format(format_of(page));
    if (!format) {
        unknown_format(&text, page->format, "term, html, json, svg");
        return NULL;
    }
    to_print(&text);
    return end(&text, report_diff(before->profile, after->profile, format, &text.options, text.out,
                                  text.diags));
}

static const char *make_drawing(WarplensProfile *profile, const WarplensPage *page,
                                uint32_t pattern, WarplensError *error) {
    Text text;
    Drawing drawing;
    if (!begin(&text, profile, page, error))
        return NULL;
    const DrawingFormat *format = drawing_format(format_of(page));
    if (!format) {
        unknown_format(&text, page->format, "term, svg, json");
        return NULL;
    }
    to_print(&text);
    bool good = drawing_recorded(text.arena, profile->profile, &text.options, pattern, &drawing,
                                 text.diags);
    if (good)
        format->write(&drawing, &text.options, text.out);
    return end(&text, good);
}

/* ---- judgements ---- */

static bool add_denied(Text *text, Limits *limits, const char *words) {
    for (const char *at = words; at && *at;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_copy(text->arena, at, length);
        if (!limits_deny(limits, word)) {
            error_set(text->error, WARPLENS_BAD_ARGUMENT,
                      "cannot deny '%s': conflict, uncoalesced, new-conflict, new-uncoalesced, "
                      "regression",
                      word);
            return false;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool is_limit(Text *text, double limit) {
    bool good = limit == 0 || (limit >= 1 && limit < 1e9);
    if (!good)
        error_set(text->error, WARPLENS_BAD_ARGUMENT, "%g is no limit: a number of at least 1",
                  limit);
    return good;
}

/* As `warplens check` takes its options. */
static bool limits_of(Text *text, const WarplensLimits *asked, Limits *limits) {
    const uint32_t compared =
        1u << GATE_new_conflict | 1u << GATE_new_uncoalesced | 1u << GATE_regression;
    bool nway = asked->max_nway != 0, ratio = asked->max_sector_ratio != 0;
    bool limited = asked->file_text || nway || ratio;
    Limit limit = {"*", nway ? asked->max_nway : -1, ratio ? asked->max_sector_ratio : -1};
    if (!is_limit(text, asked->max_nway) || !is_limit(text, asked->max_sector_ratio) ||
        !add_denied(text, limits, asked->deny))
        return false;
    if (limits->deny & compared && !asked->baseline) {
        error_set(text->error, WARPLENS_BAD_ARGUMENT,
                  "regression, new-conflict and new-uncoalesced need a baseline");
        return false;
    }
    if (!limited && !limits->deny && asked->baseline)
        limits->deny = compared;
    else if (!limited && !limits->deny)
        limit = limit_default;
    *vec_add(text->arena, &limits->list) = limit;
    if (!asked->file_text ||
        limits_read(text->arena, limits, "limits", asked->file_text, text->diags))
        return true;
    error_diags(text->error, WARPLENS_BAD_ARGUMENT, text->diags);
    return false;
}

static WarplensVerdict verdict_of(const Profile *profile, uint32_t violations) {
    for (uint32_t i = 0; i < profile->launches.count; i++)
        if (profile->launches.at[i].status == LAUNCH_FAULT)
            return WARPLENS_FAULTED;
    return violations ? WARPLENS_BEYOND : WARPLENS_WITHIN;
}

__attribute__((noinline)) static const char *make_verdict(WarplensProfile *profile,
                                                          const WarplensLimits *asked,
                                                          WarplensVerdict *verdict,
                                                          WarplensError *error) {
    static const WarplensLimits defaults = {0};
    Text text;
    Limits limits = {0};
    if (!begin(&text, profile, NULL, error))
        return NULL;
    const WarplensLimits *limited = asked ? asked : &defaults;
    const GateFormat *format = gate_format(limited->format ? limited->format : "term");
    if (!format) {
        unknown_format(&text, limited->format, "term, github, sarif, junit");
        return NULL;
    }
    if (!limits_of(&text, limited, &limits))
        return NULL;
    GateResult result = {.profile = profile->profile,
                         .names = kernel_names(text.arena, profile->profile, NAME_WIDTH),
                         .version = PROJECT_VERSION};
    const Profile *baseline = limited->baseline ? limited->baseline->profile : NULL;
    result.violations = gate_run(text.arena, profile->profile, baseline, &limits, &result.count);
    format->write(&result, &text.options, to_print(&text));
    if (verdict)
        *verdict = verdict_of(profile->profile, result.count);
    return end(&text, true);
}

/* ---- what jansson has no memory for, and would leave out ---- */

static void *json_alloc(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        rescue_return();
    return memory;
}

/* The host may use it, too, with functions of its own. */
static void watch_json_now(void) {
    json_malloc_t allocate;
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc && release == free)
        json_set_alloc_funcs(json_alloc, free);
}

static void watch_json(void) {
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch_json_now);
}

/* ---- the calls: where memory ends in one its profile is lost, and nothing else ---- */

static const char *exhausted(WarplensProfile *profile, WarplensError *error) {
    if (profile)
        profile->lost = true;
    error_set(error, WARPLENS_NO_MEMORY, "out of memory: the profile cannot be shown any more");
    return NULL;
}

static bool is_lost(const WarplensProfile *profile) {
    return profile && profile->lost;
}

#define COME_BACK(profile, ...)                                                                    \
    do {                                                                                           \
        const char *volatile text;                                                                 \
        Rescue rescue;                                                                             \
        watch_json();                                                                              \
        if (RESCUE(&rescue))                                                                       \
            text = __VA_ARGS__;                                                                    \
        else                                                                                       \
            text = exhausted(profile, error);                                                      \
        rescue_end(&rescue);                                                                       \
        return text;                                                                               \
    } while (0)

const char *warplens_page(WarplensProfile *profile, const WarplensPage *page,
                          WarplensError *error) {
    if (is_lost(profile))
        return exhausted(profile, error);
    COME_BACK(profile, make_page(profile, page, error));
}

const char *warplens_diff(const WarplensProfile *before, WarplensProfile *after,
                          const WarplensPage *page, WarplensError *error) {
    if (is_lost(before) || is_lost(after))
        return exhausted(NULL, error);
    COME_BACK(after, make_diff(before, after, page, error));
}

const char *warplens_explain(WarplensProfile *profile, const WarplensPage *page, uint32_t pattern,
                             WarplensError *error) {
    if (is_lost(profile))
        return exhausted(profile, error);
    COME_BACK(profile, make_drawing(profile, page, pattern, error));
}

const char *warplens_check(WarplensProfile *profile, const WarplensLimits *asked,
                           WarplensVerdict *verdict, WarplensError *error) {
    if (is_lost(profile))
        return exhausted(profile, error);
    COME_BACK(profile, make_verdict(profile, asked, verdict, error));
}
