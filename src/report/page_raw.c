/* The raw page: every counter, tab-separated or as CSV, with a line of headings. A row is an instruction of a
 * launch, a source line (by_line), or a machine instruction (by_inst). Lines overlap where functions were inlined: see
 * profile_lines. */
#include "report/page.h"

#include <inttypes.h>
#include <string.h>

/* How fields are told apart. */
typedef struct SeparatedTable {
    const Report *report;
    bool quoted; /* CSV, RFC 4180; else separated by tabs */
    bool caches; /* an instruction has what `--caches` estimates, too */
} SeparatedTable;

static const struct {
    const char *name;
    size_t offset; /* in CacheCount */
} estimates[] = {
    {"l1_loads", offsetof(CacheCount, l1_loads)},
    {"l1_load_hits", offsetof(CacheCount, l1_load_hits)},
    {"l1_others", offsetof(CacheCount, l1_others)},
    {"l1_other_hits", offsetof(CacheCount, l1_other_hits)},
    {"l2_sectors", offsetof(CacheCount, l2_sectors)},
    {"l2_hits", offsetof(CacheCount, l2_hits)},
    {"dram_reads", offsetof(CacheCount, dram_reads)},
};

static char separator(const SeparatedTable *to) {
    return to->quoted ? ',' : '\t';
}

/* A field stays on its line, and a terminal as it was: control characters become blanks. */
static void field(const SeparatedTable *to, const char *text) {
    FILE *out = to->report->out;
    const char *quote = to->quoted && strpbrk(text, "\",") ? "\"" : "";
    fputs(quote, out);
    for (size_t length; *text; text += length) {
        bool control;
        length = character_length(text, &control);
        if (*text == '"')
            fputs(quote, out);
        fwrite(control ? " " : text, 1, control ? 1 : length, out);
    }
    fprintf(out, "%s%c", quote, separator(to));
}

static void number(const SeparatedTable *to, uint32_t value) {
    fprintf(to->report->out, "%" PRIu32 "%c", value, separator(to));
}

static void counter_heads(const SeparatedTable *to) {
    FILE *out = to->report->out;
    for (int id = 0; id < COUNTER_COUNT; id++) {
        fputs(counter_info((CounterId)id)->name, out);
        if (id + 1 < COUNTER_COUNT)
            fputc(separator(to), out);
    }
    for (size_t i = 0; to->caches && i < sizeof estimates / sizeof *estimates; i++)
        fprintf(out, "%c%s", separator(to), estimates[i].name);
    fputc('\n', out);
}

/* The columns of `--caches`. */
static void cache_counts(const SeparatedTable *to, const CacheCount *of) {
    for (size_t i = 0; to->caches && i < sizeof estimates / sizeof *estimates; i++) {
        const uint64_t *value =
            of ? (const uint64_t *)((const char *)of + estimates[i].offset) : NULL;
        fprintf(to->report->out, "%c%" PRIu64, separator(to), value ? *value : 0);
    }
}

/* NULL: it asked the caches for nothing. */
static const CacheCount *caches_of(const LaunchView *view, uint32_t site) {
    for (uint32_t i = 0; i < view->record->cache_counts.count; i++)
        if (view->record->cache_counts.at[i].site == site)
            return &view->record->cache_counts.at[i];
    return NULL;
}

static void heads(const SeparatedTable *to, bool by_line) {
    static const char *const names[] = {"launch", "kernel", "site",   "ptx_line",
                                        "file",   "line",   "access", "text"};
    static const bool of_lines[] = {true, true, false, false, true, true, false, false};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (of_lines[i] || !by_line)
            field(to, names[i]);
    counter_heads(to);
}

static void counters(const SeparatedTable *to, const Counters *of, const CacheCount *caches) {
    FILE *out = to->report->out;
    for (int id = 0; id < COUNTER_COUNT; id++) {
        fprintf(out, "%" PRIu64, of->at[id]);
        if (id + 1 < COUNTER_COUNT)
            fputc(separator(to), out);
    }
    cache_counts(to, caches);
    fputc('\n', out);
}

static void place(const SeparatedTable *to, const LaunchView *view, uint32_t file, uint32_t line) {
    const Profile *profile = to->report->profile;
    const char *module = profile->modules.at[view->kernel->module].name;
    field(to, file == NONE ? module ? module : "" : profile->files.at[file].path);
    number(to, line);
}

static void write_sites(const SeparatedTable *to, const LaunchView *view) {
    const Report *report = to->report;
    const Profile *profile = report->profile;
    for (uint32_t i = 0; i < view->kernel->site_count; i++) {
        uint32_t site = view->kernel->first_site + i;
        const Site *of = &profile->sites.at[site];
        const Location *location =
            of->location == NONE ? NULL : &profile->locations.at[of->location];
        number(to, view->number);
        field(to, text_kernel(report, view->kernel, false));
        number(to, site);
        number(to, of->ptx_line);
        place(to, view, location ? location->file : NONE, location ? location->line : of->ptx_line);
        field(to, site_words(report->arena, of));
        field(to, of->text);
        counters(to, &view->record->counters[i], to->caches ? caches_of(view, site) : NULL);
    }
}

static void write_lines(const SeparatedTable *to, const LaunchView *view) {
    const Report *report = to->report;
    uint32_t count;
    const LineCounts *lines = profile_lines(report->arena, report->profile, view->number, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!lines[i].total.requests)
            continue;
        number(to, view->number);
        field(to, text_kernel(report, view->kernel, false));
        place(to, view, lines[i].file, lines[i].line);
        counters(to, &lines[i].total, NULL);
    }
}

/* ---- machine instructions, where they were executed ---- */

static void inst_heads(const SeparatedTable *to) {
    static const char *const names[] = {"launch", "kernel", "address",    "file",        "line",
                                        "class",  "use",    "warp_insts", "thread_insts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        field(to, names[i]);
    field(to, "text");
    counter_heads(to);
}

static void write_insts(const SeparatedTable *to, const LaunchView *view) {
    enum { INST_BYTES = 16 };
    const Report *report = to->report;
    const ProfKernel *kernel = view->kernel;
    const InstSum *sums = launch_insts(report->arena, report->profile, view->number);
    for (uint32_t i = 0; kernel->machine_code && i < kernel->sass.count; i++) {
        static const Counters nothing;
        const SassInst *inst = &kernel->sass.at[i];
        const bool access = inst->site != NONE;
        const Location *at =
            inst->location == NONE ? NULL : &report->profile->locations.at[inst->location];
        number(to, view->number);
        field(to, text_kernel(report, kernel, false));
        field(to, arena_printf(report->arena, "%04x", i * INST_BYTES));
        place(to, view, at ? at->file : NONE, at ? at->line : 0);
        field(to, inst_class_info(opcode_of(str_of(inst->text))->class)->id);
        field(to,
              local_uses[access ? report->profile->sites.at[inst->site].local_use : LOCAL_NONE]);
        field(to, arena_printf(report->arena, "%" PRIu64, sums[i].warps));
        field(to, arena_printf(report->arena, "%" PRIu64, sums[i].threads));
        field(to, inst->text);
        counters(to, access ? &view->record->counters[inst->site - kernel->first_site] : &nothing,
                 to->caches && access ? caches_of(view, inst->site) : NULL);
    }
}

static void write_rows(const Report *report, bool with_quotes) {
    SeparatedTable to = {report, with_quotes, false};
    bool by_line = report->options->by_line;
    for (uint32_t i = 0; !by_line && i < report->views.count; i++)
        to.caches |= report->views.at[i].record->l1_bytes > 0;
    if (report->options->by_inst) {
        inst_heads(&to);
        for (uint32_t i = 0; i < report->views.count; i++)
            write_insts(&to, &report->views.at[i]);
        return;
    }
    heads(&to, by_line);
    for (uint32_t i = 0; i < report->views.count; i++)
        (by_line ? write_lines : write_sites)(&to, &report->views.at[i]);
}

void page_raw(const Report *report) {
    write_rows(report, false);
}

void write_csv(const Report *report) {
    write_rows(report, true);
}
