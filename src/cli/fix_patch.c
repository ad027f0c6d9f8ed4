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

static bool write_patch(Options *given, const Rewrite *rewrite) {
    const char *text = "";
    for (uint32_t i = 0; i < rewrite->files.count; i++)
        text = arena_printf(given->arena, "%s%s", text, rewrite->files.at[i].diff);
    bool good;
    if (given->patch_out)
        good = fputs(text, given->patch_out) >= 0 && fflush(given->patch_out) == 0;
    else
        good = file_write(given->patch, text, strlen(text));
    if (!good)
        diags_error(given->diags, "%s: %s", given->patch, strerror(errno));
    else if (!given->patch_out)
        printf("the patch is in %s\n", given->patch);
    return good;
}

/* ---- what is rewritten ---- */

/* Where the kernel is defined, as its PTX says; NULL: it does not. */
static const char *source_path(const Fixing *fixing, const FixPlan *plan) {
    const Profile *profile = fixing->before.profile;
    const char *name = fixing->input->name;
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".cu") == 0)
        return name;
    uint32_t location = fix_kernel(plan)->location;
    uint32_t file = location == NONE ? NONE : profile->locations.at[location].file;
    return file == NONE ? NULL : profile->files.at[file].path;
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

/* ".../bin/nvcc": ".../include". */
static const char *toolkit_headers(Arena *arena) {
    const char *nvcc = toolchain_find(arena, "nvcc");
    const char *slash = nvcc ? strrchr(nvcc, '/') : NULL;
    return slash ? arena_printf(arena, STR_FMT "/../include",
                                STR_ARG(((Str){nvcc, (size_t)(slash - nvcc)})))
                 : NULL;
}

static RewriteArray array_of(const SharedVariable *variable, const Layout *layout) {
    return (RewriteArray){.name = variable->name,
                          .symbol = variable->symbol,
                          .bytes = variable->bytes,
                          .dynamic = variable->dynamic,
                          .layout = *layout};
}

/* Those that get a layout, then the others, which may be declared together with one of them. */
static void collect(SourceFix *fix, const FixPlan *plan) {
    const ProfKernel *kernel = fix_kernel(plan);
    fix->arrays = NEW_ARRAY(fix->arena, RewriteArray, kernel->shared.count + 1);
    for (uint32_t wanted = 0; wanted < 2; wanted++) {
        for (uint32_t v = 0; v < kernel->shared.count; v++) {
            const SharedVariable *variable = &kernel->shared.at[v];
            Layout layout = {.kind = LAYOUT_PLAIN};
            for (uint32_t r = 0; r < plan->relayout_count; r++)
                if (strcmp(plan->relayouts[r].symbol, variable->symbol) == 0)
                    layout = plan->relayouts[r].layout;
            if ((layout.kind == LAYOUT_PLAIN) == wanted)
                fix->arrays[fix->count++] = array_of(variable, &layout);
        }
    }
}

const Layout *source_fix_layout(const SourceFix *fix, uint32_t array) {
    const RewriteOutcome *outcome = &fix->rewrite.outcomes[array];
    return outcome->done ? &fix->arrays[outcome->shares].layout : NULL;
}

/* ---- explanations ---- */

static void print_instances(const RewriteOutcome *outcome) {
    if (outcome->instances.count < 2)
        return;
    printf("    this changes every instance of its template:");
    for (uint32_t i = 0; i < outcome->instances.count; i++)
        printf("%s %s", i ? "," : "", outcome->instances.at[i]);
    putchar('\n');
}

static void print_refusal(const RewriteOutcome *outcome) {
    printf("    not rewritten: %s\n", outcome->why);
    for (uint32_t i = 0; i < outcome->blockers.count; i++) {
        const Blocker *one = &outcome->blockers.at[i];
        printf("    %s:%u:%u: %s\n", one->place.file, one->place.line, one->place.column, one->why);
    }
    if (outcome->by_hand)
        printf("    by hand: %s%s\n", outcome->by_hand,
               outcome->blockers.count ? ", and the lines above to match" : "");
}

/* Returns how many of the arrays that were to be rewritten are. */
static uint32_t print_outcomes(const SourceFix *fix) {
    uint32_t done = 0;
    puts("\nin the source:");
    for (uint32_t i = 0; i < fix->count; i++) {
        const RewriteArray *array = &fix->arrays[i];
        const RewriteOutcome *outcome = &fix->rewrite.outcomes[i];
        if (array->layout.kind == LAYOUT_PLAIN && !outcome->done)
            continue;
        printf("  %s", words_variable(array->name));
        if (outcome->declaration.file)
            printf(" (%s:%u)", outcome->declaration.file, outcome->declaration.line);
        printf(":\n");
        if (!outcome->done)
            print_refusal(outcome);
        else if (outcome->shares != i)
            printf("    changes with %s, which is of the same class\n",
                   words_variable(fix->arrays[outcome->shares].name));
        else
            printf("    rewritten: %s\n", outcome->by_hand);
        if (outcome->done && outcome->shares == i && outcome->record)
            printf("    this changes the class %s, wherever it is used\n", outcome->record);
        if (outcome->done && outcome->shares == i)
            print_instances(outcome);
        done += array->layout.kind != LAYOUT_PLAIN && outcome->done;
    }
    fflush(stdout);
    return done;
}

/* ---- the command ---- */

int fix_patch(Fixing *fixing, const FixPlan *plan) {
    Options *given = fixing->given;
    SourceFix fix = {.arena = given->arena};
    session_sources(&fixing->before);
    const char *path = source_path(fixing, plan);
    if (!path)
        diags_error(given->diags,
                    "%s does not say which source it was compiled from; compile with "
                    "-lineinfo, or give the .cu file",
                    fixing->input->name);
    if (!path || given->diags->errors)
        return EXIT_UNUSABLE;
    RewriteOptions options = {.flags = given->flags.at,
                              .flag_count = given->flags.count,
                              .instantiate = given->instantiate.at,
                              .instantiate_count = given->instantiate.count,
                              .arch = given->arch,
                              .include = toolkit_headers(given->arena)};
    fix.path = short_path(given->arena, path);
    collect(&fix, plan);
    if (!rewrite_source(given->arena, fix.path, fix.arrays, fix.count, &options, &fix.rewrite,
                        given->diags))
        return EXIT_UNUSABLE;
    uint32_t done = print_outcomes(&fix);
    if (given->patch && done && !write_patch(given, &fix.rewrite))
        return EXIT_UNUSABLE;
    int status = given->apply && done ? fix_apply(fixing, &fix) : EXIT_FINE;
    return status == EXIT_FINE && done < plan->relayout_count ? EXIT_DIFFERS : status;
}
