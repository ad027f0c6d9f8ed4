/* warplens fix --build COMMAND --apply -- PROGRAM: what the threads of its kernels do, changed in its sources. Kernel by kernel, what the
 * accesses to global memory suggest is written, built and run; what has equal results and takes fewer cycles stays. */
#include "cli/commands.h"
#include "cli/fix_program.h"
#include "cli/fix_threads.h"

static const ProfKernel *kernel_of(const GlobalPlan *global) {
    return &global->profile->kernels.at[global->profile->launches.at[global->launch].kernel];
}

/* The last of a kernel's candidates is the one that changes most. */
static int change_kernel(Options *given, const GlobalPlan *global, ProgramRun *before) {
    const ProfKernel *kernel = kernel_of(global);
    const char *path = fix_kernel_source(given->arena, global->profile, kernel);
    ThreadFixes fixes = {0};
    int status = EXIT_DIFFERS;
    if (path)
        thread_candidates(given, global, path, false, &fixes);
    for (uint32_t i = fixes.list.count; i-- > 0 && status == EXIT_DIFFERS;) {
        const ThreadFix *one = &fixes.list.at[i];
        if (!one->written)
            continue;
        plain_printf(stdout, "\nwhat threads do, in %s: %s: %s\n", path, kernel->demangled,
                     one->words);
        status = fix_build_threads(given, &one->fix, kernel->name, before);
        if (given->diags->errors)
            return EXIT_UNUSABLE;
    }
    return status;
}

/* With what is in place now, whose costs are to be beaten. */
static int change_all(Options *given, const FixPlans *plans, ProgramRun *now) {
    int status = EXIT_DIFFERS;
    for (uint32_t i = 0; i < plans->global.count; i++) {
        const int one = change_kernel(given, plans->global.at[i], now);
        if (one != EXIT_FINE && one != EXIT_DIFFERS)
            return one;
        status = one == EXIT_FINE ? EXIT_FINE : status;
        if (one == EXIT_FINE && given->branch)
            break; /* the branch has its commit */
    }
    return status;
}

int program_threads(Options *given, const FixPlans *plans, ProgramRun *before, bool changed) {
    ProgramRun now = {0};
    if (!given->apply || given->on || plans->global.count == 0 || !rewrite_possible(given->arena) ||
        (changed && given->branch))
        return EXIT_DIFFERS;
    if (!changed)
        return change_all(given, plans, before);
    const int status = program_run(given, NULL, &now) && !now.result.interrupted
                           ? change_all(given, plans, &now)
                           : EXIT_INTERRUPTED;
    program_run_end(&now);
    return status;
}
