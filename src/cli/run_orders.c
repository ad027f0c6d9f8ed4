/* warplens run --schedules N: runs a program in its usual order, and in N others, and says what of it depends on the order:
 * what it prints, how it ends, what memory holds behind each launch, and the counters of its lines.
 *
 * The usual order is run twice: what differs there already (times, random numbers) is no matter of the order. Of
 * memory, the first launch behind which an allocation differs is told, with its first element: for that, the program is run twice more,
 * and keeps the bytes. All runs have one worker, and what the program prints is not shown. */
#include "cli/run_orders.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/origin.h"
#include "cli/progress.h"
#include "report/report.h"
#include "toolchain/toolchain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT_MOST = 8, SHOWN_MOST = 10 };
#define LAST_BITS 1e-3 /* sums of floating point in another order are that near to each other */

/* An allocation behind a launch that has changed it. */
typedef struct Changed {
    uint64_t launch, bytes, hash;
    uint32_t index;
    const char *kernel, *name;
} Changed;

typedef struct OrderRun {
    RunResult result;
    FILE *output;
    const char *folder;
    VEC(Changed) changed;
} OrderRun;

/* What differs in some order. */
typedef struct DifferingMemory {
    Changed at;
    uint64_t first_seed, last_seed;
    uint32_t orders;
} DifferingMemory;

typedef struct DifferingCount {
    uint32_t kernel, site, counter; /* of the first run's profile */
    uint64_t is, other, seed;
} DifferingCount;

typedef struct OrderReport {
    Arena *arena;
    const RunSettings *settings;
    Diags *diags;
    uint32_t count;
    OrderRun usual, again;
    VEC(DifferingMemory) memory;
    VEC(DifferingCount) counts;
    uint32_t outputs, ends; /* orders in which these differ */
    uint64_t output_seed, end_seed;
    int other_status; /* with end_seed, as are the faults */
    uint32_t other_faults;
    bool last_bits; /* all that differs in memory is as near as sums of floating point are */
} OrderReport;

/* ---- running ---- */

static const char *word(Arena *arena, const char *text, size_t length) {
    return arena_copy(arena, text, length);
}

static void read_changed(Arena *arena, OrderRun *run) {
    size_t size;
    const char *text = file_read(arena, arena_printf(arena, "%s/launches", run->folder), &size);
    for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
        Changed changed = {0};
        int at = 0;
        if (sscanf(line, "%" SCNu64 " %u %" SCNu64 " %" SCNu64 " %n", &changed.launch,
                   &changed.index, &changed.bytes, &changed.hash, &at) < 4)
            return;
        const char *name = line + at, *tab = strchr(name, '\t'), *end = strchr(name, '\n');
        if (!tab || !end || tab > end)
            return;
        changed.kernel = word(arena, name, (size_t)(tab - name));
        changed.name = word(arena, tab + 1, (size_t)(end - tab - 1));
        *vec_add(arena, &run->changed) = changed;
    }
}

static int by_place(const void *left, const void *right) {
    const Changed *a = left, *b = right;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->launch < b->launch ? -1 : a->launch > b->launch;
}

/* seed 0: the usual order. kept: "LAUNCH.INDEX …", or NULL. */
static bool run_once(const OrderReport *report, uint64_t seed, const char *kept, OrderRun *run) {
    Arena *arena = report->arena;
    RunSettings settings = *report->settings;
    settings.environment.at = NEW_ARRAY(arena, const char *, settings.environment.count + 8);
    for (uint32_t i = 0; i < settings.environment.count; i++)
        settings.environment.at[i] = report->settings->environment.at[i];
    settings.environment.capacity = settings.environment.count + 8;
    *run = (OrderRun){.result = {.profile = profile_new()}, .folder = scratch_new(arena)};
    run->output = tmpfile();
    if (run->output)
        settings.output = fileno(run->output);
    if (!run->folder || !run->output)
        return false;
    run_setting(&settings, "WARPLENS_ORDERS", run->folder);
    run_setting(&settings, "WARPLENS_THREADS", "1");
    run_setting(&settings, "WARPLENS_ENGINE", "interp");
    if (seed)
        run_setting(&settings, "WARPLENS_SCHEDULE",
                    arena_printf(arena, "seed:%llu", (unsigned long long)seed));
    if (kept)
        run_setting(&settings, "WARPLENS_ORDERS_KEEP", kept);
    if (!run_program(&settings, &run->result, report->diags))
        return false;
    read_changed(arena, run);
    if (run->changed.count)
        qsort(run->changed.at, run->changed.count, sizeof *run->changed.at, by_place);
    return true;
}

static void end_run(OrderRun *run) {
    if (run->output)
        fclose(run->output);
    if (run->folder)
        scratch_remove(run->folder);
    profile_free(run->result.profile);
}

/* ---- memory ---- */

/* NULL: it was not changed there. */
static const Changed *find_changed(const OrderRun *run, const Changed *wanted) {
    return run->changed.count
               ? bsearch(wanted, run->changed.at, run->changed.count, sizeof *wanted, by_place)
               : NULL;
}

static bool same_in(const OrderRun *run, const Changed *wanted) {
    const Changed *found = find_changed(run, wanted);
    return found && found->bytes == wanted->bytes && found->hash == wanted->hash;
}

static void note_memory(OrderReport *report, const Changed *changed, uint64_t seed) {
    for (uint32_t i = 0; i < report->memory.count; i++) {
        DifferingMemory *known = &report->memory.at[i];
        if (known->at.index != changed->index)
            continue;
        known->orders += known->last_seed != seed;
        known->last_seed = seed;
        if (changed->launch < known->at.launch)
            known->at = *changed, known->first_seed = seed;
        return;
    }
    *vec_add(report->arena, &report->memory) = (DifferingMemory){*changed, seed, seed, 1};
}

/* The first launch of each allocation behind which it differs. */
static void compare_memory(OrderReport *report, const OrderRun *run, uint64_t seed) {
    const OrderRun *usual = &report->usual;
    uint32_t differing = NONE; /* of which allocation the first was found */
    for (uint32_t i = 0; i < usual->changed.count; i++) {
        const Changed *changed = &usual->changed.at[i];
        if (changed->index == differing || same_in(run, changed))
            continue;
        differing = changed->index;
        if (same_in(&report->again, changed))
            note_memory(report, changed, seed);
    }
    for (uint32_t i = 0; i < run->changed.count; i++) {
        const Changed *changed = &run->changed.at[i];
        if (!find_changed(usual, changed) && !find_changed(&report->again, changed))
            note_memory(report, changed, seed);
    }
}

static const char *kept_name(Arena *arena, const DifferingMemory *memory) {
    return arena_printf(arena, "%llu.%u", (unsigned long long)memory->at.launch, memory->at.index);
}

typedef struct ElementDifference {
    uint64_t count, first; /* of words of four bytes */
    uint32_t is, other;
    bool near; /* all of them, as numbers in floating point */
} ElementDifference;

/* Small integers are no such numbers, nor are infinite ones. */
static bool is_near(double a, double b) {
    const double most = fmax(fabs(a), fabs(b));
    return most > 1e-20 && most < 1e300 && fabs(a - b) <= LAST_BITS * most;
}

static bool floats_near(const char *a, const char *b, size_t bytes) {
    bool near = bytes % sizeof(float) == 0;
    for (size_t at = 0; near && at < bytes; at += sizeof(float)) {
        float is, other;
        memcpy(&is, a + at, sizeof is);
        memcpy(&other, b + at, sizeof other);
        near = memcmp(a + at, b + at, sizeof is) == 0 || is_near((double)is, (double)other);
    }
    return near;
}

static bool doubles_near(const char *a, const char *b, size_t bytes) {
    bool near = bytes % sizeof(double) == 0;
    for (size_t at = 0; near && at < bytes; at += sizeof(double)) {
        double is, other;
        memcpy(&is, a + at, sizeof is);
        memcpy(&other, b + at, sizeof other);
        near = memcmp(a + at, b + at, sizeof is) == 0 || is_near(is, other);
    }
    return near;
}

static ElementDifference difference_of(const char *a, const char *b, size_t bytes) {
    ElementDifference found = {.near = floats_near(a, b, bytes) || doubles_near(a, b, bytes)};
    for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
        uint32_t is = 0, other = 0;
        memcpy(&is, a + at, bytes - at < sizeof is ? bytes - at : sizeof is);
        memcpy(&other, b + at, bytes - at < sizeof is ? bytes - at : sizeof is);
        if (is == other)
            continue;
        if (found.count++ == 0) {
            found.first = at / sizeof is;
            found.is = is;
            found.other = other;
        }
    }
    return found;
}

static void print_element(const ElementDifference *found, uint64_t bytes) {
    float a, b;
    memcpy(&a, &found->is, sizeof a);
    memcpy(&b, &found->other, sizeof b);
    printf("    %" PRIu64 " of %" PRIu64 " words of 4 bytes differ, the first is [%" PRIu64 "]: ",
           found->count, (bytes + 3) / 4, found->first);
    printf("%" PRId32 ", and %" PRId32 " (as float: %.9g, %.9g)%s\n", (int32_t)found->is,
           (int32_t)found->other, (double)a, (double)b,
           found->near ? "; all are as near as sums of floating point in another order" : "");
}

/* Runs the order again that has shown it, and the usual one, which keep the bytes. */
static bool show_element(const OrderReport *report, const DifferingMemory *memory, bool *near) {
    Arena *arena = report->arena;
    const char *name = kept_name(arena, memory);
    const char *kept = arena_printf(arena, "%s ", name), *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        OrderRun run;
        if (run_once(report, i ? memory->first_seed : 0, kept, &run))
            bytes[i] = file_read(arena, arena_printf(arena, "%s/%s", run.folder, name), &sizes[i]);
        end_run(&run);
    }
    if (!bytes[0] || !bytes[1] || sizes[0] != sizes[1])
        return false;
    const ElementDifference found = difference_of(bytes[0], bytes[1], sizes[0]);
    if (found.count)
        print_element(&found, sizes[0]);
    *near = found.near && found.count;
    return true;
}

/* ---- counters ---- */

static const char *const counters[] = {
#define COUNTER(name, unit, text) #name,
#include "prof/counters.def"
};

static void note_count(OrderReport *report, uint32_t kernel, uint32_t site, const Counters *is,
                       const Counters *other, uint64_t seed) {
    for (uint32_t c = 0; c < COUNTER_COUNT; c++) {
        bool known = is->at[c] == other->at[c];
        for (uint32_t i = 0; i < report->counts.count && !known; i++) {
            const DifferingCount *count = &report->counts.at[i];
            known = count->kernel == kernel && count->site == site && count->counter == c;
        }
        if (!known)
            *vec_add(report->arena, &report->counts) =
                (DifferingCount){kernel, site, c, is->at[c], other->at[c], seed};
    }
}

/* Launches of one kernel together, which are in the same sequence as in the usual order, or nothing is said. */
static void compare_counts(OrderReport *report, const OrderRun *run, uint64_t seed) {
    const Profile *usual = report->usual.result.profile, *other = run->result.profile;
    if (usual->launches.count != other->launches.count)
        return;
    for (uint32_t i = 0; i < usual->launches.count; i++) {
        const LaunchRecord *a = &usual->launches.at[i], *b = &other->launches.at[i];
        const ProfKernel *kernel = &usual->kernels.at[a->kernel],
                         *same = &other->kernels.at[b->kernel];
        if (strcmp(kernel->name, same->name) != 0 || kernel->site_count != same->site_count)
            continue;
        for (uint32_t s = 0; s < kernel->site_count; s++)
            note_count(report, a->kernel, kernel->first_site + s, &a->counters[s], &b->counters[s],
                       seed);
    }
}

/* ---- what it prints ---- */

static char *next_line(FILE *file, char **line, size_t *size) {
    return getline(line, size, file) < 0 ? NULL : *line;
}

/* Lines that differ from the usual run's, but for those that do so by themselves. */
static bool prints_otherwise(const OrderReport *report, const OrderRun *run) {
    FILE *files[3] = {report->usual.output, report->again.output, run->output};
    char *lines[3] = {NULL, NULL, NULL};
    size_t sizes[3] = {0, 0, 0};
    bool differs = false;
    for (uint32_t i = 0; i < 3; i++)
        rewind(files[i]);
    for (bool more = true; more && !differs;) {
        const char *at[3];
        for (uint32_t i = 0; i < 3; i++)
            at[i] = next_line(files[i], &lines[i], &sizes[i]);
        more = at[0] && at[1] && at[2];
        if (more)
            differs = strcmp(at[0], at[2]) != 0 && strcmp(at[0], at[1]) == 0;
        else
            differs = (at[0] != NULL) == (at[1] != NULL) && (at[0] != NULL) != (at[2] != NULL);
    }
    for (uint32_t i = 0; i < 3; i++)
        free(lines[i]);
    return differs;
}

/* ---- the report ---- */

static void print_memory(OrderReport *report) {
    bool near_all = true;
    for (uint32_t i = 0; i < report->memory.count; i++) {
        const DifferingMemory *memory = &report->memory.at[i];
        plain_printf(stdout,
                     "  memory: %s (%llu bytes) behind launch %llu, %s, differs in %u of %u orders "
                     "(--schedule seed:%llu)\n",
                     memory->at.name, (unsigned long long)memory->at.bytes,
                     (unsigned long long)memory->at.launch - 1, memory->at.kernel, memory->orders,
                     report->count, (unsigned long long)memory->first_seed);
        bool near = false;
        if (i < KEPT_MOST && !show_element(report, memory, &near))
            puts("    its bytes are not the same in another run of the same order");
        near_all &= near;
    }
    report->last_bits = near_all;
}

static void print_counts(const OrderReport *report) {
    const Profile *profile = report->usual.result.profile;
    for (uint32_t i = 0; i < report->counts.count && i < SHOWN_MOST; i++) {
        const DifferingCount *count = &report->counts.at[i];
        const SitePlace place = site_place(profile, &profile->sites.at[count->site]);
        const char *file = place.file == NONE ? "PTX" : profile->files.at[place.file].path;
        plain_printf(stdout,
                     "  count: %s, %s:%u: %s are %llu, and %llu with --schedule seed:%llu\n",
                     profile->kernels.at[count->kernel].demangled,
                     profile_path(report->arena, profile, file), place.line,
                     counters[count->counter], (unsigned long long)count->is,
                     (unsigned long long)count->other, (unsigned long long)count->seed);
    }
    if (report->counts.count > SHOWN_MOST)
        printf("  count: and %u more\n", report->counts.count - SHOWN_MOST);
}

static int print_report(OrderReport *report, const char *root) {
    Profile *profile = report->usual.result.profile;
    sources_read(profile, &(SourceRules){.root = root}, diags_new(report->arena));
    option_root(root, profile, diags_new(report->arena));
    const bool results = report->memory.count || report->outputs || report->ends;
    if (!results && !report->counts.count) {
        printf("%u orders: results and counts are the same in all of them\n", report->count);
        return EXIT_FINE;
    }
    printf("%u orders: %s\n", report->count,
           results ? "the program's results depend on the order"
                   : "results are the same in all of them, counts are not");
    const RunResult *usual = &report->usual.result;
    if (report->ends && usual->status != report->other_status)
        printf("  exit status: %d, and %d with --schedule seed:%llu; differs in %u\n",
               usual->status, report->other_status, (unsigned long long)report->end_seed,
               report->ends);
    else if (report->ends)
        printf("  faults: %u, and %u with --schedule seed:%llu; differ in %u\n", usual->faults,
               report->other_faults, (unsigned long long)report->end_seed, report->ends);
    if (report->outputs)
        printf("  output: what it prints differs in %u (--schedule seed:%llu)\n", report->outputs,
               (unsigned long long)report->output_seed);
    fflush(stdout);
    print_memory(report);
    print_counts(report);
    const bool near = report->last_bits && report->memory.count && !report->ends;
    if (results && near)
        puts("Only sums of floating point, in their last digits: that is no race.");
    return results && !near ? EXIT_DIFFERS : EXIT_FINE;
}

static void compare(OrderReport *report, const OrderRun *run, uint64_t seed) {
    if (run->result.status != report->usual.result.status ||
        run->result.faults != report->usual.result.faults) {
        if (report->ends++ == 0) {
            report->end_seed = seed;
            report->other_status = run->result.status;
            report->other_faults = run->result.faults;
        }
    }
    if (prints_otherwise(report, run))
        report->output_seed = report->outputs++ ? report->output_seed : seed;
    compare_memory(report, run, seed);
    compare_counts(report, run, seed);
}

static void show_progress(uint64_t order, uint32_t count) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rorder %" PRIu64 " of %u\033[K", order, count);
}

/* Each order; after Ctrl-C the report is of those that came to their end. false: diags. */
static bool run_all(OrderReport *report, bool *interrupted) {
    const uint32_t count = report->count;
    bool good = run_once(report, 0, NULL, &report->usual);
    good = good && run_once(report, 0, NULL, &report->again);
    *interrupted = report->usual.result.interrupted || report->again.result.interrupted;
    report->count = 0;
    for (uint64_t seed = 1; good && !*interrupted && seed <= count; seed++) {
        OrderRun run;
        show_progress(seed, count);
        good = run_once(report, seed, NULL, &run);
        *interrupted = run.result.interrupted;
        if (good && !*interrupted) {
            compare(report, &run, seed);
            report->count++;
        }
        end_run(&run);
    }
    if (isatty(STDERR_FILENO))
        progress_clear(stderr);
    return good;
}

int run_orders(const RunSettings *settings, uint32_t count, const char *root, Diags *diags) {
    OrderReport report = {
        .arena = settings->arena, .settings = settings, .diags = diags, .count = count};
    bool interrupted = false;
    int status = EXIT_UNUSABLE;
    if (run_all(&report, &interrupted)) {
        if (interrupted)
            plain_printf(stdout, "interrupted: %u of %u orders were run\n", report.count, count);
        status = report.count ? print_report(&report, root) : EXIT_FINE;
        status = interrupted ? EXIT_INTERRUPTED : status;
    }
    if (report.usual.folder)
        end_run(&report.usual);
    if (report.again.folder)
        end_run(&report.again);
    return status;
}
