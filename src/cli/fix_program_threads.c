/* warplens fix --build COMMAND --apply -- PROGRAM: what the threads of its kernels do, changed in its sources. Kernel by kernel, what the
 * accesses to global memory suggest, and other numbers for padding that it has by itself, is written, built and run; what has equal
 * results and takes fewer cycles stays. */
#include "cli/commands.h"
#include "cli/fix_program.h"
#include "cli/fix_threads.h"

/* One kernel. The last of its candidates is the one that changes most, or is likeliest. */
static int change_kernel(Options *given, const ProfKernel *kernel, const ThreadFixes *fixes,
                         ProgramRun *before, FixSummary *summary) {
    int status = EXIT_DIFFERS;
    for (uint32_t i = fixes->list.count; i-- > 0 && status == EXIT_DIFFERS;) {
        const ThreadFix *one = &fixes->list.at[i];
        FixCost was, is;
        if (!one->written)
            continue;
        plain_printf(stdout, "\nin %s: %s: %s\n", one->fix.path, kernel->demangled, one->words);
        status = fix_build_threads(given, &one->fix, kernel->name, before, &was, &is);
        if (given->diags->errors)
            return EXIT_UNUSABLE;
        if (status == EXIT_FINE)
            thread_add_row(given->arena, kernel, one, &was, &is, summary);
    }
    return status;
}

/* padding, global: what it is about; the other is NULL. */
static int change_one(Options *given, const FixPlan *padding, const GlobalPlan *global,
                      ProgramRun *before, FixSummary *summary) {
    const Profile *profile = padding ? padding->scope.profile : global->profile;
    const ProfKernel *kernel =
        padding ? fix_kernel(padding) : profile_kernel(profile, global->launch);
    const char *path = fix_kernel_source(given->arena, profile, kernel);
    ThreadFixes fixes = {0};
    if (path && padding)
        padding_candidates(given, padding, path, false, &fixes);
    else if (path)
        thread_candidates(given, global, path, false, &fixes);
    return change_kernel(given, kernel, &fixes, before, summary);
}

/* With what is in place now, whose costs are to be beaten. layouts: these have not changed. */
static int change_all(Options *given, const FixPlans *plans, ProgramRun *now, bool layouts,
                      FixSummary *summary) {
    int status = EXIT_DIFFERS;
    const uint32_t paddings = layouts ? plans->list.count : 0;
    for (uint32_t i = 0; i < paddings + plans->global.count; i++) {
        const bool pads = i < paddings;
        const int one = change_one(given, pads ? &plans->list.at[i] : NULL,
                                   pads ? NULL : plans->global.at[i - paddings], now, summary);
        if (one != EXIT_FINE && one != EXIT_DIFFERS)
            return one;
        status = one == EXIT_FINE ? EXIT_FINE : status;
        if (one == EXIT_FINE && given->branch)
            break; /* the branch has its commit */
    }
    return status;
}

int program_threads(Options *given, const FixPlans *plans, ProgramRun *before, bool changed,
                    FixSummary *summary) {
    ProgramRun now = {0};
    if (!given->apply || given->on || plans->global.count + plans->list.count == 0 ||
        !rewrite_possible(given->arena) || (changed && given->branch))
        return EXIT_DIFFERS;
    if (!changed)
        return change_all(given, plans, before, true, summary);
    const int status = program_run(given, NULL, &now) && !now.result.interrupted
                           ? change_all(given, plans, &now, false, summary)
                           : EXIT_INTERRUPTED;
    program_run_end(&now);
    return status;
}
