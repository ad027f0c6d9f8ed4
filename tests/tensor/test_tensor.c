/* Matrix instructions under warplens against a GPU's answers: every line of answers.txt is executed with
 * the operands that the GPU got, and the results' digests must be the same. wmma.csv: what wmma.load and
 * .store cost the GPU, by its counters. See docs/tensor-cores.md; probe.c made both files on an H100. */
#include "exec/exec.h"
#include "ptx/ptx.h"
#include "tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_BYTES = 1 << 20, LINE_BYTES_MOST = 1024 };

typedef struct Bench {
    Memory *memory;
    uint64_t in, out;
    const Gpu *gpu;
    uint32_t failures, compared, answers;
} Bench;

static void fail(Bench *bench, const Subject *subject, const char *what) {
    if (bench->failures++ < 40)
        printf("%s: %s\n", subject->spelling, what);
}

/* Runs the kernel on `warps` warps; with a profile, counting. */
static bool run(Bench *bench, Arena *arena, const Subject *subject, PreparedKernel *prepared,
                uint32_t warps, Arguments arguments, Profile *profile) {
    Launch launch = {.grid = {warps, 1, 1},
                     .block = {subject->threads, 1, 1},
                     .params = &arguments,
                     .memory = bench->memory,
                     .workers = 1,
                     .counting = profile != NULL};
    LaunchResult result;
    Diags *diags = diags_new(arena);
    if (launch_run(&launch, prepared, profile, &result, diags) && result.fault.kind == FAULT_NONE)
        return true;
    fail(bench, subject, diags->list.count ? diags->list.at[0].message : result.fault.message);
    return false;
}

static PreparedKernel *prepare(Bench *bench, Arena *arena, const Subject *subject) {
    char *text = subject_ptx(arena, subject);
    Diags *diags = diags_new(arena);
    Module *module = ptx_parse(arena, subject->spelling, text, strlen(text), NULL, diags);
    LoadedModule *loaded = module ? module_load(arena, module, bench->memory, NULL, diags) : NULL;
    PreparedKernel *prepared =
        loaded ? kernel_prepare(module->functions.at[0], loaded, bench->gpu, diags) : NULL;
    if (!prepared)
        fail(bench, subject, diags->list.count ? diags->list.at[0].message : "cannot be loaded");
    return prepared;
}

/* ---- answers ---- */

static void compare(Bench *bench, Arena *arena, const Subject *subject, const char *answers) {
    PreparedKernel *prepared = prepare(bench, arena, subject);
    uint32_t *out = memory_host(bench->memory, bench->out);
    size_t words = (size_t)subject->warps * subject->words_out * subject->threads;
    for (uint32_t kind = 0; prepared && kind < subject->kinds; kind++) {
        subject_operands(subject, kind, memory_host(bench->memory, bench->in));
        memset(out, 0, words * sizeof *out);
        if (!run(bench, arena, subject, prepared, subject->warps,
                 subject_arguments(subject, kind, bench->in, bench->out), NULL))
            break;
        char *end;
        unsigned long expected = strtoul(answers, &end, 16);
        char what[64];
        snprintf(what, sizeof what, "operands of kind %u: results differ from the GPU's", kind);
        if (end == answers || subject_digest(out, words) != expected)
            fail(bench, subject, end == answers ? "answers are missing" : what);
        answers = end;
        bench->answers += subject->warps;
    }
    prepared_free(prepared);
    bench->compared++;
}

/* ---- counters ---- */

typedef struct Cost {
    unsigned long loads, stores, load_conflicts, store_conflicts, load_sectors, store_sectors,
        load_requests, store_requests;
} Cost;

/* What the kernel's accesses cost, those included that fill and empty shared memory. */
static Cost cost_of(const Profile *profile) {
    Cost cost = {0};
    for (uint32_t i = 0; i < profile->sites.count; i++) {
        const Counters *counters = &profile->launches.at[0].counters[i];
        bool stores = profile->sites.at[i].op == SITE_STORE;
        *(stores ? &cost.stores : &cost.loads) += counters->wavefronts;
        *(stores ? &cost.store_conflicts : &cost.load_conflicts) += counters->conflicts;
        *(stores ? &cost.store_sectors : &cost.load_sectors) += counters->sectors;
        if (counters->sectors)
            *(stores ? &cost.store_requests : &cost.load_requests) += counters->requests;
    }
    return cost;
}

static void compare_cost(Bench *bench, Arena *arena, const Subject *subject, uint32_t stride,
                         const Cost *expected) {
    PreparedKernel *prepared = prepare(bench, arena, subject);
    Profile *profile = profile_new();
    Arguments arguments = {.in = bench->in, .out = bench->out, .stride = stride};
    if (prepared && run(bench, arena, subject, prepared, 1, arguments, profile)) {
        Cost cost = cost_of(profile);
        if (memcmp(&cost, expected, sizeof cost) != 0)
            fail(bench, subject,
                 arena_printf(arena, "stride %u: other costs than the GPU's", stride));
    }
    prepared_free(prepared);
    profile_free(profile);
    bench->compared++;
}

/* ---- lines ---- */

static void read_line(Bench *bench, char *line, bool costs) {
    Arena *arena = arena_new();
    Subject subject;
    size_t length = strcspn(line, costs ? ",\n" : " \n");
    char *rest = line + length + (line[length] != 0);
    line[length] = 0;
    Cost cost;
    unsigned stride;
    if (!subject_read(arena, line, &subject))
        fail(bench, &(Subject){.spelling = line}, "no row takes this spelling");
    else if (!costs)
        compare(bench, arena, &subject, rest);
    else if (sscanf(rest, "%u,%lu,%lu,%lu,%lu,%lu,%lu,%lu,%lu", &stride, &cost.loads, &cost.stores,
                    &cost.load_conflicts, &cost.store_conflicts, &cost.load_sectors,
                    &cost.store_sectors, &cost.load_requests, &cost.store_requests) == 9)
        compare_cost(bench, arena, &subject, stride, &cost);
    else
        fail(bench, &subject, "bad line");
    arena_free(arena);
}

int main(int argc, char **argv) {
    char line[LINE_BYTES_MOST];
    Bench bench = {.memory = memory_new(), .gpu = gpu_named(STR("h100"))};
    bool costs = argc == 3;
    FILE *file = argc >= 2 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    bench.in = memory_allocate(bench.memory, MEMORY_BYTES, "in", 4);
    bench.out = memory_allocate(bench.memory, MEMORY_BYTES, "out", 4);
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && line[0] != '\n')
            read_line(&bench, line, costs);
    fclose(file);
    memory_free(bench.memory);
    printf("%u lines, results of %u warps: %u failures\n", bench.compared, bench.answers,
           bench.failures);
    return bench.failures || !bench.compared;
}
