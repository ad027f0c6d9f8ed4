/* warplens fix: runs a kernel, finds for each of its shared arrays the layout that costs the fewest
 * wavefronts, and proves it by running the kernel again with that layout: the same results, bit for bit,
 * and as many wavefronts as promised. */
#include "fix/fix.h"
#include "cli/commands.h"
#include "cli/kernel_run.h"
#include "rules/rules.h"

#include <string.h>
#include <unistd.h>

/* What the device's memory held after a run. */
typedef struct Snapshot {
    Arena *arena;
    VEC(Str) blocks;
    uint64_t bytes;
} Snapshot;

typedef struct Fixing {
    Options *given;
    const Gpu *gpu;
    const PtxInput *input;
    const char *kernel;
    Session before, after;
    Snapshot results;
    ArrayFix *arrays;
    uint32_t array_count;
    Relayout *relayouts;
    uint32_t relayout_count;
} Fixing;

static void snapshot(Snapshot *to, const Memory *memory) {
    for (uint32_t i = 0; i < memory_count(memory); i++) {
        const MemoryBlock *block = memory_at(memory, i);
        char *copy = arena_alloc(to->arena, block->bytes + 1);
        memcpy(copy, (const void *)(uintptr_t)block->address, block->bytes);
        *vec_add(to->arena, &to->blocks) = (Str){copy, block->bytes};
        to->bytes += block->bytes;
    }
}

/* Bytes that differ from what memory held after the first run. */
static uint64_t differing(const Snapshot *first, const Memory *memory) {
    uint64_t differ = 0;
    for (uint32_t i = 0; i < first->blocks.count; i++) {
        Str was = first->blocks.at[i];
        if (i >= memory_count(memory) || memory_at(memory, i)->bytes != was.length)
            return first->bytes;
        const char *is = (const char *)(uintptr_t)memory_at(memory, i)->address;
        for (size_t b = 0; b < was.length; b++)
            differ += is[b] != was.at[b];
    }
    return differ;
}

static uint64_t total_wavefronts(const Session *session) {
    const LaunchRecord *record = &session->profile->launches.at[session->result.record];
    const ProfKernel *kernel = &session->profile->kernels.at[record->kernel];
    uint64_t sum = 0;
    for (uint32_t s = 0; s < kernel->site_count; s++)
        sum += record->counters[s].wavefronts;
    return sum;
}

/* Is every execution of every access to shared memory in the evidence? */
static bool is_complete(const Session *session) {
    const Profile *profile = session->profile;
    const LaunchRecord *record = &profile->launches.at[session->result.record];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    uint64_t made = 0, recorded = 0;
    for (uint32_t s = 0; s < kernel->site_count; s++)
        if (profile->sites.at[kernel->first_site + s].space == SITE_SHARED)
            made += record->counters[s].requests;
    for (uint32_t i = 0; i < profile->patterns.count; i++)
        if (profile->sites.at[profile->patterns.at[i].site].space == SITE_SHARED)
            recorded += profile->patterns.at[i].count;
    return made == recorded;
}

/* ---- running ---- */

static bool run(Fixing *fixing, Session *session, const Relayout *relayouts, uint32_t count) {
    *session = (Session){.given = fixing->given,
                         .profile = profile_new(),
                         .relayouts = relayouts,
                         .relayout_count = count};
    return session_run(session, fixing->input, fixing->kernel, fixing->gpu);
}

static void end(Session *session) {
    if (session->memory)
        memory_free(session->memory);
    if (session->profile)
        profile_free(session->profile);
}

static void choose(Fixing *fixing) {
    const Profile *profile = fixing->before.profile;
    const LaunchRecord *record = &profile->launches.at[fixing->before.result.record];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    Arena *arena = fixing->given->arena;
    fixing->arrays = fix_arrays(arena, profile, fixing->before.result.record, &fixing->array_count);
    fixing->relayouts = NEW_ARRAY(arena, Relayout, fixing->array_count + 1);
    for (uint32_t i = 0; i < fixing->array_count; i++) {
        const ArrayFix *array = &fixing->arrays[i];
        if (array->count)
            fixing->relayouts[fixing->relayout_count++] =
                (Relayout){kernel->shared.at[array->variable].symbol, array->best[0].layout};
    }
}

/* ---- what came out ---- */

static void print_row(Arena *arena, const char *mark, const char *layout, uint64_t wavefronts,
                      uint64_t ideal, uint64_t bytes) {
    printf("  %s %-46s %14s %8s %12s\n", mark, layout, words_count(arena, wavefronts),
           words_ratio(arena, wavefronts, ideal), words_count(arena, bytes));
}

static void print_array(const Fixing *fixing, const ArrayFix *array) {
    Arena *arena = fixing->given->arena;
    const Profile *profile = fixing->before.profile;
    const LaunchRecord *record = &profile->launches.at[fixing->before.result.record];
    const SharedVariable *variable =
        &profile->kernels.at[record->kernel].shared.at[array->variable];
    printf("%s: %s bytes, elements of %u\n", words_variable(variable->name),
           words_count(arena, array->bytes), array->element);
    printf("    %-46s %14s %8s %12s\n", "layout", "wavefronts", "N-way", "bytes");
    print_row(arena, " ", "as it is", array->wavefronts, array->ideal, array->bytes);
    for (uint32_t i = 0; i < array->count; i++) {
        const Candidate *one = &array->best[i];
        print_row(arena, i == 0 ? "*" : " ", fix_words(arena, &one->layout, array->element),
                  one->wavefronts, array->ideal, one->bytes);
    }
    if (array->count == 0 && array->wavefronts <= array->ideal)
        puts("    nothing to fix: no access to it has a conflict");
    else if (array->count == 0)
        puts(
            "    no padding, swizzle or transposition takes fewer wavefronts: the lanes' addresses "
            "depend on data, or the conflicts lie within rows");
    putchar('\n');
}

static bool print_proof(Fixing *fixing) {
    Arena *arena = fixing->given->arena;
    uint64_t before = total_wavefronts(&fixing->before), after = total_wavefronts(&fixing->after);
    uint64_t promised = before, differ = differing(&fixing->results, fixing->after.memory);
    for (uint32_t i = 0; i < fixing->array_count; i++)
        if (fixing->arrays[i].count)
            promised -= fixing->arrays[i].wavefronts - fixing->arrays[i].best[0].wavefronts;
    bool complete = is_complete(&fixing->before);
    if (differ)
        printf("NOT proven: with the layouts marked *, %s of %s bytes of the results differ\n",
               words_count(arena, differ), words_count(arena, fixing->results.bytes));
    else if (complete && after != promised)
        printf("NOT proven: %s wavefronts were promised, and %s counted\n",
               words_count(arena, promised), words_count(arena, after));
    else
        printf("proven: run with the layouts marked *, all %s bytes of the results are equal, and\n"
               "the kernel's %s wavefronts of shared memory become %s%s\n",
               words_count(arena, fixing->results.bytes), words_count(arena, before),
               words_count(arena, after), complete ? ", as promised" : "");
    return differ == 0 && (!complete || after == promised);
}

static int show(Fixing *fixing) {
    choose(fixing);
    const Profile *profile = fixing->before.profile;
    const LaunchRecord *record = &profile->launches.at[fixing->before.result.record];
    printf("%s\n\n", profile->kernels.at[record->kernel].demangled);
    for (uint32_t i = 0; i < fixing->array_count; i++)
        print_array(fixing, &fixing->arrays[i]);
    if (fixing->array_count == 0)
        puts("the kernel accesses no shared array");
    if (fixing->relayout_count == 0)
        return EXIT_FINE;
    fflush(stdout);
    snapshot(&fixing->results, fixing->before.memory);
    memory_free(fixing->before.memory);
    fixing->before.memory = NULL;
    if (!run(fixing, &fixing->after, fixing->relayouts, fixing->relayout_count))
        return EXIT_UNUSABLE;
    if (fixing->after.result.status == LAUNCH_FAULT) {
        printf("NOT proven: with the layouts marked *, the kernel faults\n");
        fprintf(stderr, "warplens: fault: %s\n", fixing->after.result.fault.message);
        return EXIT_DIFFERS;
    }
    return print_proof(fixing) ? EXIT_FINE : EXIT_DIFFERS;
}

static int command(Options *given) {
    Inputs inputs = {0};
    uint32_t input;
    Fixing fixing = {.given = given, .gpu = gpu_named(str_of(given->gpu))};
    fixing.results.arena = given->arena;
    if (!kernel_ready(given, fixing.gpu) || !kernel_inputs(given, fixing.gpu, &inputs) ||
        !ptx_select(given->arena, inputs.at, inputs.count, given->kernel, &input, &fixing.kernel,
                    given->diags) ||
        !kernel_has_block(given))
        return EXIT_UNUSABLE;
    fixing.input = &inputs.at[input];
    int status = EXIT_UNUSABLE;
    if (run(&fixing, &fixing.before, NULL, 0)) {
        const LaunchResult *result = &fixing.before.result;
        status = result->status == LAUNCH_FAULT         ? EXIT_FAULTED
                 : result->status == LAUNCH_INTERRUPTED ? EXIT_INTERRUPTED
                                                        : show(&fixing);
        if (status == EXIT_FAULTED)
            fprintf(stderr, "warplens: fault: %s\n", result->fault.message);
    }
    end(&fixing.before);
    end(&fixing.after);
    return status;
}

int command_fix(int argc, char **argv) {
    Arena *arena = arena_new();
    Options given = {.arena = arena, .diags = diags_new(arena)};
    int status = EXIT_UNUSABLE;
    if (kernel_options(&fix_argp, argc, argv, &given)) {
        given.evidence = UINT32_MAX;
        if (given.threads == 0)
            given.threads = 1; /* the same order of atomics in both runs */
        status = command(&given);
    }
    fflush(stdout);
    diags_print(given.diags, stderr, isatty(STDERR_FILENO));
    arena_free(arena);
    return status;
}
