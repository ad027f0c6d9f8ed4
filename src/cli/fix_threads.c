/* Changes of what threads do, where no layout of an array helps: along which axis the lanes of a warp run, structures and
 * neighbouring elements that one access can take, and the numbers of padding that a kernel has by itself. Each change is
 * written as a source, compiled, run and compared before it is offered. */
#include "cli/fix_threads.h"
#include "cli/commands.h"
#include "rules/rules.h"

#include <errno.h>
#include <string.h>

/* ---- what is tried ---- */

static bool has_change(const GlobalFix *fix, ChangeKind kind) {
    for (uint32_t i = 0; i < fix->count; i++)
        if (fix->changes[i].kind == kind)
            return true;
    return false;
}

/* false: the shape suggests none. */
static bool suggest(Arena *arena, const GlobalPlan *global, const GlobalFix *fix,
                    ThreadChange *change, ThreadFix *one) {
    enum { VECTOR = 16, HALF = 8 };
    const uint32_t *block = global->profile->launches.at[global->launch].block;
    const uint64_t stride = fix->shape.stride;
    const bool rows = fix->shape.kind == SHAPE_COLUMNS || fix->shape.kind == SHAPE_SHORT_ROWS;
    *one = (ThreadFix){.array = global_array(global, &fix->shape)->name};
    *change = (ThreadChange){.square = block[0] == block[1], .bytes = stride};
    if (rows && block[0] > 1 && block[1] > 1) {
        change->kind = THREADS_SWAPPED;
        one->name = "swap";
        one->words = "threadIdx.x and .y change places";
        return true;
    }
    change->kind = STRUCTURES_ALIGNED;
    change->align = stride % VECTOR == 0 ? VECTOR : HALF;
    one->name = "align";
    one->words =
        arena_printf(arena, "structures aligned to %u bytes: vector accesses", change->align);
    return has_change(fix, CHANGE_VECTOR) && fix->shape.width < VECTOR;
}

static bool is_known(const ThreadFixes *fixes, const ThreadFix *one) {
    for (uint32_t i = 0; i < fixes->list.count; i++)
        if (strcmp(fixes->list.at[i].words, one->words) == 0)
            return true;
    return false;
}

/* ---- the trial ---- */

double thread_cycles(const FixCost *cost) {
    enum { SECTORS_A_CLOCK = 2 };
    return fix_cycles(cost) + (double)cost->sectors / SECTORS_A_CLOCK;
}

static void try_text(FixSession *session, const FixCost *as_it_is, ThreadFix *one) {
    Options given = *session->given;
    FixSession fixing = *session;
    fixing.given = &given;
    given.diags = diags_new(given.arena);
    PatchTrial trial = {.fixing = &fixing, .fix = &one->fix};
    one->cost = (FixCost){.offer = OFFER_UNWRITTEN};
    if (trial_possible(&trial) && trial_run(&trial)) {
        one->cost = fix_figures(&trial.after, given.diags);
        bool same = trial.after.result.status == LAUNCH_DONE &&
                    snapshot_differ(&fixing.results, trial.after.session->memory) == 0;
        bool pays = thread_cycles(&one->cost) < thread_cycles(as_it_is) &&
                    (!one->shared || one->cost.wavefronts < as_it_is->wavefronts);
        one->cost.offer = !same ? OFFER_DIFFERS : !pays ? OFFER_SLOWER : OFFER_FINE;
    }
    trial_end(&trial);
}

/* ---- the candidates ---- */

typedef struct Writer {
    const Options *given;
    const ProfKernel *kernel;
    const char *path;
    bool flags; /* of the command line are the compiler's */
    ThreadFixes *fixes;
} Writer;

static bool write_text(const Writer *writer, const ThreadChange *change, ThreadFix *one) {
    const Options *given = writer->given;
    const RewriteOptions options = fix_rewrite_options(given, writer->flags, true);
    one->fix = (SourceFix){.arena = given->arena, .path = writer->path};
    one->written = rewrite_threads(given->arena, writer->path, writer->kernel->demangled, change,
                                   &options, &one->fix.rewrite, diags_new(given->arena));
    return one->written;
}

/* Structures, or where the kernel has a plain pointer, neighbouring elements of all its pointers. */
static void write_vectors(const Writer *writer, const GlobalFix *fix, ThreadChange *change,
                          ThreadFix *one) {
    enum { HALF = 8 };
    if (change->bytes % HALF == 0 && write_text(writer, change, one))
        return;
    change->kind = NEIGHBOURS_JOINED;
    change->bytes = fix->shape.width;
    one->name = "join";
    one->words = "neighbouring elements in one access";
    write_text(writer, change, one);
}

/* Elements that are structures, taken whole, beside what aligns them. */
static void add_whole(const Writer *writer, ThreadChange change, ThreadFix one) {
    Arena *arena = writer->given->arena;
    change.kind = STRUCTURES_WHOLE;
    one.name = "whole";
    one.words =
        arena_printf(arena, "structures aligned to %u bytes, elements taken whole", change.align);
    if (!is_known(writer->fixes, &one) && write_text(writer, &change, &one))
        *vec_add(arena, &writer->fixes->list) = one;
}

void thread_candidates(const Options *given, const GlobalPlan *global, const char *path, bool flags,
                       ThreadFixes *fixes) {
    const ProfKernel *kernel = profile_kernel(global->profile, global->launch);
    const Writer writer = {given, kernel, path, flags, fixes};
    for (uint32_t i = 0; i < global->count; i++) {
        const GlobalFix *fix = &global->fixes[i];
        ThreadChange change;
        ThreadFix one;
        if (!global_says_something(fix) || !suggest(given->arena, global, fix, &change, &one) ||
            is_known(fixes, &one))
            continue;
        const ThreadChange suggested = change;
        const ThreadFix empty = one;
        if (change.kind == STRUCTURES_ALIGNED)
            write_vectors(&writer, fix, &change, &one);
        else
            write_text(&writer, &change, &one);
        if (is_known(fixes, &one))
            continue;
        *vec_add(given->arena, &fixes->list) = one;
        if (suggested.kind == STRUCTURES_ALIGNED)
            add_whole(&writer, suggested, empty);
    }
}

/* The shared array that loses most; NONE: none loses a tenth of its wavefronts. */
static uint32_t worst_array(const FixPlan *plan) {
    uint32_t worst = NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < plan->array_count; i++) {
        const uint64_t lost = plan->arrays[i].wavefronts - plan->arrays[i].ideal;
        if (lost * 10 >= plan->arrays[i].wavefronts && lost > most) {
            worst = i;
            most = lost;
        }
    }
    return worst;
}

static void add_padding(const Writer *writer, const ArrayFix *array, uint64_t every) {
    Arena *arena = writer->given->arena;
    const ThreadChange change = {.kind = PADDING_MOVED, .every = every};
    ThreadFix one = {.name = "padding", .shared = true};
    one.array = name_last(writer->kernel->shared.at[array->variable].name);
    one.words =
        arena_printf(arena, "its own padding after every %llu elements", (unsigned long long)every);
    if (write_text(writer, &change, &one))
        *vec_add(arena, &writer->fixes->list) = one;
}

/* After as many elements as there are banks for is likeliest. */
void padding_candidates(const Options *given, const FixPlan *plan, const char *path, bool flags,
                        ThreadFixes *fixes) {
    enum { ROW = 128 };
    const uint32_t worst = worst_array(plan);
    if (worst == NONE)
        return;
    const ArrayFix *array = &plan->arrays[worst];
    const Writer writer = {given, fix_kernel(plan), path, flags, fixes};
    const uint64_t likely = ROW / (array->declared.bytes ? array->declared.bytes : array->element);
    add_padding(&writer, array, likely / 2);
    add_padding(&writer, array, likely * 2);
    add_padding(&writer, array, likely);
}

void thread_fixes(FixSession *fixing, const GlobalPlan *global, const FixPlan *plan,
                  ThreadFixes *fixes) {
    Arena *arena = fixing->given->arena;
    *fixes = (ThreadFixes){0};
    if (!fix_is_source(fix_input(fixing)) || !rewrite_possible(arena))
        return;
    fixes->as_it_is = fix_figures(&fixing->before, diags_new(arena));
    thread_candidates(fixing->given, global, fix_input(fixing), true, fixes);
    padding_candidates(fixing->given, plan, fix_input(fixing), true, fixes);
    for (uint32_t i = 0; i < fixes->list.count; i++) {
        ThreadFix *one = &fixes->list.at[i];
        if (one->written)
            try_text(fixing, &fixes->as_it_is, one);
        if (one->cost.offer == OFFER_FINE &&
            (!fixes->chosen || thread_cycles(&one->cost) < thread_cycles(&fixes->chosen->cost)))
            fixes->chosen = one;
    }
}

bool thread_wins(const ThreadFixes *fixes, const FixPlan *plan) {
    const FixCost *best = NULL;
    for (uint32_t i = 0; plan->costs && i < plan->array_count; i++)
        if (plan->chosen[i])
            best = &plan->costs[i][plan->chosen[i] - plan->arrays[i].best];
    if (!fixes->chosen || plan->relayout_count == 0)
        return fixes->chosen != NULL;
    return best && best->offer == OFFER_FINE &&
           thread_cycles(&fixes->chosen->cost) < thread_cycles(best);
}

/* ---- printing ---- */

static void print_row(Arena *arena, const char *mark, const char *words, const FixCost *cost,
                      const FixCost *was) {
    plain_printf(stdout, "  %s %-52s %14s %14s %14s %9s %9s\n", mark, words,
                 words_count(arena, cost->sectors), words_count(arena, cost->wavefronts),
                 words_count(arena, cost->thread_insts),
                 was ? percent_words(arena, cost->thread_insts, was->thread_insts) : "",
                 cost->registers ? words_count(arena, cost->registers) : "-");
}

void thread_print(Arena *arena, const ThreadFixes *fixes) {
    if (fixes->list.count == 0)
        return;
    plain_printf(stdout, "\n%-56s %14s %14s %14s %9s %9s\n",
                 "other changes of the source, compiled and run", "sectors", "wavefronts",
                 "instructions", "", "registers");
    print_row(arena, " ", "as it is", &fixes->as_it_is, NULL);
    for (uint32_t i = 0; i < fixes->list.count; i++) {
        const ThreadFix *one = &fixes->list.at[i];
        if (one->cost.offer == OFFER_FINE)
            print_row(arena, one == fixes->chosen ? "*" : " ", one->words, &one->cost,
                      &fixes->as_it_is);
        else
            plain_printf(stdout, "    not offered: %s: %s\n", one->words,
                         one->cost.offer == OFFER_SLOWER    ? one->shared
                                                                  ? "no fewer wavefronts"
                                                                  : "no fewer sectors and instructions"
                         : one->cost.offer == OFFER_DIFFERS ? "it has other results"
                                                            : "the source cannot be written so");
    }
    if (fixes->chosen)
        puts("proven: what is marked * has equal results, bit for bit, and these counts");
}

void thread_add_row(Arena *arena, const ProfKernel *kernel, const ThreadFix *one,
                    const FixCost *was, const FixCost *is, FixSummary *summary) {
    *vec_add(arena, &summary->rows) =
        (FixSummaryRow){.before = one->shared ? was->wavefronts : was->sectors,
                        .then = one->shared ? is->wavefronts : is->sectors,
                        .unit = one->shared ? "wavefronts" : "sectors",
                        .kind = "source",
                        .id = arena_printf(arena, "%s/%s", kernel->name, one->name),
                        .array = arena_printf(arena, "%s in %s", one->array, kernel->demangled),
                        .change = one->words,
                        .instructions = percent_words(arena, is->thread_insts, was->thread_insts),
                        .proven = "yes"};
}

void thread_summarize(FixSession *fixing, const ThreadFixes *fixes, FixSummary *summary) {
    const KernelRun *before = &fixing->before;
    if (fixes->chosen)
        thread_add_row(fixing->given->arena,
                       profile_kernel(before->session->profile, before->result.record),
                       fixes->chosen, &fixes->as_it_is, &fixes->chosen->cost, summary);
}

/* ---- the source ---- */

int thread_patch(FixSession *fixing, const ThreadFixes *fixes) {
    Options *given = fixing->given;
    const ThreadFix *one = fixes->chosen;
    const RewrittenFile *file = &one->fix.rewrite.files.at[0];
    SourceFixes written = {0};
    *vec_add(given->arena, &written.list) = one->fix;
    plain_printf(stdout, "\nin %s: %s\n", file->path, one->words);
    if (given->patch && !fix_write_patch(given, &written))
        return EXIT_UNUSABLE;
    if (!given->apply)
        return EXIT_FINE;
    size_t size;
    const char *why, *now = source_read(given->arena, file->path, NULL, &size, &why);
    if (!now || strcmp(now, file->before) != 0) {
        plain_printf(stdout, "\nNOT applied, %s is as it was: somebody else has changed it\n",
                     file->path);
        return EXIT_DIFFERS;
    }
    if (!file_keep(file->path, file->after, strlen(file->after))) {
        diags_error(given->diags, "%s: %s", file->path, strerror(errno));
        return EXIT_UNUSABLE;
    }
    plain_printf(stdout,
                 "\napplied: %s is changed. Compiled and run, all %s bytes of its results are\n"
                 "equal, and the kernel has %s %s in place of %s.\n",
                 file->path, words_count(given->arena, fixing->results.bytes),
                 words_count(given->arena, one->shared ? one->cost.wavefronts : one->cost.sectors),
                 one->shared ? "wavefronts of shared memory" : "sectors of global memory",
                 words_count(given->arena,
                             one->shared ? fixes->as_it_is.wavefronts : fixes->as_it_is.sectors));
    return EXIT_FINE;
}
