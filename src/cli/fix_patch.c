/* warplens fix --patch: the layouts that are chosen, as a change of the source. What cannot be changed is
 * explained, use by use. */
#include "cli/fix_patch.h"
#include "cli/commands.h"
#include "rules/rules.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- where the patch goes ---- */

void fix_patch_begin(Options *given) {
    if (!given->patch || strcmp(given->patch, "-") != 0)
        return;
    int copy = dup(STDOUT_FILENO);
    given->patch_out = copy < 0 ? NULL : fdopen(copy, "w");
    if (!given->patch_out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        diags_error(given->diags, "--patch: %s", strerror(errno));
}

void fix_no_patch(const Options *given, const char *why) {
    bool file = given->patch && strcmp(given->patch, "-") != 0;
    if (given->patch)
        plain_printf(stdout, "%s%s is not written: %s\n", file ? "" : "the ",
                     file ? given->patch : "patch", why);
    if (given->apply)
        plain_printf(stdout, "NOT applied: %s\n", why);
}

const char *fix_diff(Arena *arena, const SourceFixes *fixes) {
    const char *text = "";
    for (uint32_t f = 0; f < fixes->list.count; f++) {
        const Rewrite *rewrite = &fixes->list.at[f].rewrite;
        for (uint32_t i = 0; i < rewrite->files.count; i++)
            text = arena_printf(arena, "%s%s", text, rewrite->files.at[i].diff);
    }
    return text;
}

bool fix_write_patch(Options *given, const SourceFixes *fixes) {
    const char *text = fix_diff(given->arena, fixes);
    bool good;
    if (given->patch_out)
        good = fputs(text, given->patch_out) >= 0 && fflush(given->patch_out) == 0;
    else
        good = file_keep(given->patch, text, strlen(text));
    if (!good)
        diags_error(given->diags, "%s: %s", given->patch, strerror(errno));
    else if (!given->patch_out)
        plain_printf(stdout, "the patch is in %s\n", given->patch);
    return good;
}

/* ---- what is rewritten ---- */

bool fix_is_source(const char *name) {
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".cu") == 0;
}

/* As a patch names it: from the working directory, if it is in there. */
static const char *short_path(Arena *arena, const char *path) {
    char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    const char *rest = path;
    if (here && strncmp(path, here, length) == 0 && path[length] == '/')
        rest = arena_copy(arena, path + length + 1, strlen(path) - length - 1);
    free(here);
    return rest;
}

const char *fix_kernel_source(Arena *arena, const Profile *profile, const ProfKernel *kernel) {
    uint32_t file = kernel->location == NONE ? NONE : profile->locations.at[kernel->location].file;
    return file == NONE ? NULL : short_path(arena, profile->files.at[file].path);
}

/* ".../bin/nvcc": ".../include". */
static const char *toolkit_headers(Arena *arena) {
    const char *nvcc = toolchain_find(arena, "nvcc");
    const char *slash = nvcc ? strrchr(nvcc, '/') : NULL;
    return slash ? arena_printf(arena, STR_FMT "/../include",
                                STR_ARG(((Str){nvcc, (size_t)(slash - nvcc)})))
                 : NULL;
}

/* How much of the array's indices changes, as it was tried. */
static IndexForm index_of(const FixPlan *plan, uint32_t variable) {
    for (uint32_t i = 0; plan->costs && i < plan->array_count; i++)
        if (plan->arrays[i].variable == variable && plan->chosen[i])
            return plan->costs[i][plan->chosen[i] - plan->arrays[i].best].index;
    return INDEX_ROWS;
}

/* Of a dynamic array those of the launch. */
static uint64_t bytes_of(const FixPlan *plan, uint32_t variable) {
    for (uint32_t i = 0; i < plan->array_count; i++)
        if (plan->arrays[i].variable == variable)
            return plan->arrays[i].bytes;
    return fix_kernel(plan)->shared.at[variable].bytes;
}

/* Those of a kernel that get a layout; or the others, which may be declared together with one of them. */
static void collect(SourceFix *fix, const FixPlan *plan, bool plain) {
    const ProfKernel *kernel = fix_kernel(plan);
    for (uint32_t v = 0; v < kernel->shared.count; v++) {
        const SharedVariable *variable = &kernel->shared.at[v];
        Layout layout = {.kind = LAYOUT_PLAIN};
        for (uint32_t r = 0; r < plan->relayout_count; r++)
            if (strcmp(plan->relayouts[r].symbol, variable->symbol) == 0)
                layout = plan->relayouts[r].layout;
        if ((layout.kind == LAYOUT_PLAIN) == plain)
            *vec_add(fix->arena, &fix->arrays) = (RewriteArray){.name = variable->name,
                                                                .symbol = variable->symbol,
                                                                .bytes = bytes_of(plan, v),
                                                                .dynamic = variable->dynamic,
                                                                .kernel = kernel->demangled,
                                                                .index = index_of(plan, v),
                                                                .layout = layout};
    }
}

/* Plans by the source that their kernels are in: each source is rewritten once. false: diags. */
static bool group(Options *given, const FixPlans *plans, const char *input, SourceFixes *fixes) {
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t p = 0; p < plans->list.count; p++) {
            const FixPlan *plan = &plans->list.at[p];
            const char *path =
                fix_is_source(input)
                    ? short_path(given->arena, input)
                    : fix_kernel_source(given->arena, plan->scope.profile, fix_kernel(plan));
            SourceFix *fix = NULL;
            if (plan->relayout_count == 0)
                continue;
            if (!path) {
                diags_error(given->diags,
                            "%s does not say which source %s was compiled from; compile with "
                            "-lineinfo, or give the .cu file",
                            input, fix_kernel(plan)->demangled);
                return false;
            }
            if (access(path, R_OK) != 0) {
                diags_error(given->diags, "%s: %s; --source-map FROM=TO says where it is now", path,
                            strerror(errno));
                return false;
            }
            for (uint32_t i = 0; i < fixes->list.count; i++)
                if (strcmp(fixes->list.at[i].path, path) == 0)
                    fix = &fixes->list.at[i];
            if (!fix) {
                fix = vec_add(given->arena, &fixes->list);
                *fix = (SourceFix){.arena = given->arena, .path = path};
            }
            fix->wanted += pass == 0 ? plan->relayout_count : 0;
            collect(fix, plan, pass);
        }
    }
    return true;
}

/* ---- explanations ---- */

static void print_instances(const RewriteOutcome *outcome) {
    if (outcome->instances.count == 0)
        return;
    plain_printf(stdout, "    this changes all instances of the template; here there are:");
    for (uint32_t i = 0; i < outcome->instances.count; i++)
        plain_printf(stdout, "%s %s", i ? "," : "", outcome->instances.at[i]);
    putchar('\n');
}

/* Of a dynamic array: what a launch asks for then. */
static void print_launches(Arena *arena, const RewriteArray *array, const RewriteOutcome *outcome) {
    enum { STATIC_MOST = 48 * 1024 };
    const uint64_t then = layout_bytes(&array->layout, array->bytes);
    if (then == array->bytes)
        return;
    plain_printf(stdout,
                 "    a launch asks for %s bytes of dynamic shared memory in place of %s: %s\n",
                 words_count(arena, then), words_count(arena, array->bytes),
                 outcome->launches ? "so do those in this file"
                                   : "none is in this file, change it where it is");
    if (then > STATIC_MOST && array->bytes <= STATIC_MOST)
        puts("    more than 48 KB: the program must ask for that with cudaFuncSetAttribute "
             "(cudaFuncAttributeMaxDynamicSharedMemorySize)");
}

static void print_refusal(const RewriteOutcome *outcome) {
    plain_printf(stdout, "    not rewritten: %s\n", outcome->why);
    for (uint32_t i = 0; i < outcome->blockers.count; i++) {
        const Blocker *one = &outcome->blockers.at[i];
        plain_printf(stdout, "    %s:%u:%u: %s\n", one->place.file, one->place.line,
                     one->place.column, one->why);
    }
    if (outcome->by_hand)
        plain_printf(stdout, "    by hand: %s%s\n", outcome->by_hand,
                     outcome->blockers.count ? ", and the lines above to match" : "");
}

/* Returns how many of the arrays that were to be rewritten are. */
static uint32_t print_outcomes(const SourceFix *fix) {
    uint32_t done = 0;
    plain_printf(stdout, "\nin %s:\n", fix->path);
    for (uint32_t i = 0; i < fix->arrays.count; i++) {
        const RewriteArray *array = &fix->arrays.at[i];
        const RewriteOutcome *outcome = &fix->rewrite.outcomes[i];
        if (array->layout.kind == LAYOUT_PLAIN && !outcome->done)
            continue;
        plain_printf(stdout, "  %s", name_last(array->name));
        if (outcome->declaration.file)
            plain_printf(stdout, " (%s:%u)", outcome->declaration.file, outcome->declaration.line);
        plain_printf(stdout, ":\n");
        if (!outcome->done)
            print_refusal(outcome);
        else if (outcome->shares != i)
            plain_printf(stdout, "    changes with %s, which has the same declaration\n",
                         name_last(fix->arrays.at[outcome->shares].name));
        else
            plain_printf(stdout, "    rewritten: %s\n", outcome->by_hand);
        if (outcome->done && outcome->shares == i && outcome->record)
            plain_printf(stdout, "    this changes the class %s, wherever it is used\n",
                         outcome->record);
        if (outcome->done && outcome->shares == i)
            print_instances(outcome);
        if (outcome->done && array->dynamic)
            print_launches(fix->arena, array, outcome);
        done += array->layout.kind != LAYOUT_PLAIN && outcome->done;
    }
    fflush(stdout);
    return done;
}

/* ---- the command ---- */

RewriteOptions fix_rewrite_options(const Options *given, bool flags, bool tried) {
    return (RewriteOptions){.flags = given->flags.at,
                            .flag_count = flags ? given->flags.count : 0,
                            .instantiate = given->instantiate.at,
                            .instantiate_count = given->instantiate.count,
                            .arch = given->arch,
                            .include = toolkit_headers(given->arena),
                            .tried = tried};
}

/* false: diags. */
static bool rewrite(Options *given, SourceFixes *fixes, bool flags, bool tried) {
    const RewriteOptions options = fix_rewrite_options(given, flags, tried);
    for (uint32_t i = 0; i < fixes->list.count; i++) {
        SourceFix *fix = &fixes->list.at[i];
        if (!rewrite_source(given->arena, fix->path, fix->arrays.at, fix->arrays.count, &options,
                            &fix->rewrite, given->diags))
            return false;
        fixes->wanted += fix->wanted;
    }
    return true;
}

/* Have the layouts that are chosen been compiled and run in the source, or could none be written for that? */
static bool was_tried(const FixPlan *plan, uint32_t array) {
    const Candidate *chosen = plan->chosen[array];
    if (!chosen)
        return true;
    if (!plan->costs)
        return false;
    const FixCost *cost = &plan->costs[array][chosen - plan->arrays[array].best];
    return cost->offer == OFFER_FINE || (cost->offer == OFFER_UNWRITTEN && !cost->written);
}

static bool is_tried(const FixPlans *plans) {
    for (uint32_t p = 0; p < plans->list.count; p++) {
        const FixPlan *plan = &plans->list.at[p];
        for (uint32_t i = 0; i < plan->array_count; i++)
            if (!was_tried(plan, i))
                return false;
    }
    return plans->list.count > 0;
}

bool fix_rewrite(Options *given, const FixPlans *plans, const char *input, SourceFixes *fixes) {
    bool is_program = given->files.count == 0; /* what is behind -- is its command line */
    return !given->diags->errors && group(given, plans, input, fixes) &&
           rewrite(given, fixes, !is_program, is_tried(plans) || fixes->tried);
}

int fix_patch_plans(Options *given, const FixPlans *plans, const char *input, SourceFixes *fixes) {
    if (!fix_rewrite(given, plans, input, fixes))
        return EXIT_UNUSABLE;
    for (uint32_t i = 0; i < fixes->list.count; i++)
        fixes->done += print_outcomes(&fixes->list.at[i]);
    if (fixes->done && given->patch && !fix_write_patch(given, fixes))
        return EXIT_UNUSABLE;
    return fixes->done < fixes->wanted ? EXIT_DIFFERS : EXIT_FINE;
}

int fix_patch(FixSession *fixing, const FixPlan *plan) {
    FixPlans plans = {0};
    SourceFixes fixes = {0};
    *vec_add(fixing->given->arena, &plans.list) = *plan;
    int status = fix_patch_plans(fixing->given, &plans,
                                 fixing->chosen.inputs.list.at[fixing->chosen.input].name, &fixes);
    if (status != EXIT_UNUSABLE && fixes.done == 0)
        fix_no_patch(fixing->given, NOTHING_REWRITTEN);
    if (status == EXIT_UNUSABLE || !fixing->given->apply || fixes.done == 0)
        return status;
    int applied = fix_apply(fixing, &fixes.list.at[0]);
    return applied == EXIT_FINE ? status : applied;
}
