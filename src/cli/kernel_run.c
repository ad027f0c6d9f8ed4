/* From options to a kernel that has run, in a session of its own. */
#include "cli/kernel_run.h"
#include "cli/engine.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <unistd.h>

/* ---- the kernel ---- */

static bool is_ready(Options *given) {
    if (given->files.count == 0)
        diags_error(given->diags, "no input: name a .ptx or .cu file or a program");
    return given->diags->errors == 0;
}

bool kernel_read(Options *given, Chosen *chosen) {
    const CompileOptions compile = {.arch = given->arch,
                                    .flags = given->flags.at,
                                    .flag_count = given->flags.count,
                                    .instantiate = given->instantiate.at,
                                    .instantiate_count = given->instantiate.count};
    *chosen = (Chosen){.gpu = gpu_wanted(given->gpu, given->diags)};
    return is_ready(given) && inputs_read(given->arena, given->files.at, given->files.count,
                                          chosen->gpu, &compile, &chosen->inputs, given->diags);
}

bool kernel_choose(Options *given, Chosen *chosen) {
    const Inputs *inputs = &chosen->inputs;
    return kernel_read(given, chosen) &&
           ptx_select(given->arena, inputs->list.at, inputs->list.count, given->kernel,
                      &chosen->input, &chosen->name, given->diags);
}

/* ---- running ---- */

/* The kernel's printf. */
static void print_text(void *context, const char *text, size_t length) {
    fwrite(text, 1, length, context);
}

static bool choose_block(const SessionKernel *kernel, uint32_t block[3], Diags *diags) {
    const bool named = block[0] || block[1] || block[2];
    if (named || session_block(kernel, block))
        return true;
    diags_error(diags, "--block is missing: the threads of a block, as in --block 32,8");
    return false;
}

static Launch launch_of(const Options *given, const Otherwise *otherwise) {
    Launch launch = given->launch;
    launch.counting = !given->no_counts;
    launch.relayouts = otherwise->relayouts;
    launch.relayout_count = otherwise->relayout_count;
    launch.evidence_period = otherwise->evidence_period;
    launch.interrupted = interrupt_catch();
    launch.print = print_text;
    launch.print_context = given->json ? stderr : stdout; /* what is printed there is data */
    if (!given->result.quiet && isatty(STDERR_FILENO)) {
        launch.progress = progress_show;
        launch.progress_context = stderr;
    }
    return launch;
}

/* ptxas takes seconds for some kernels: a terminal says what it is that lasts. */
static SessionKernel *make_ready(Session *session, const Chosen *chosen, bool terminal,
                                 Diags *diags) {
    bool waits = terminal && machine_is_asked(session->machine);
    if (waits)
        progress_machine(stderr);
    SessionKernel *kernel = session_kernel(session, chosen->input, chosen->name, diags);
    if (waits)
        progress_clear(stderr);
    return kernel;
}

/* What --counts-only has left out, where data decide. */
typedef struct Filling {
    Options *given;
    KernelRun *run;
} Filling;

static bool fill(void *context) {
    const Filling *filling = context;
    return arguments_fill(filling->given->arena, filling->run->arguments,
                          filling->run->session->memory, filling->given->diags);
}

bool kernel_run(Options *given, const Chosen *chosen, const Otherwise *otherwise, KernelRun *run) {
    Diags *diags = given->diags;
    *run = (KernelRun){.session = session_new(given->arena, chosen->gpu, &chosen->inputs, diags)};
    /* Machine code makes addresses in halves, which are not followed from block to block: counts only are of PTX. */
    const bool without = given->no_sass || given->no_counts || given->sanitize ||
                         given->launch.counts_only || given->launch.schedule;
    if (!run->session ||
        !machine_wanted(given->machine_code, without, &run->session->machine, diags))
        return false;
    if (given->sanitize && !session_sanitize(run->session, given->sanitize, "--sanitize", diags))
        return false;
    Launch launch = launch_of(given, otherwise);
    SessionKernel *kernel = make_ready(run->session, chosen, launch.progress != NULL, diags);
    if (!kernel || !choose_block(kernel, launch.block, diags))
        return false;
    run->arguments =
        arguments_make(given->arena, kernel->function, given->arguments.at, given->arguments.count,
                       launch.counts_only, run->session->memory, diags);
    if (!run->arguments || !engine_wanted(given->arena, given->engine, &launch.engine, diags))
        return false;
    for (uint32_t i = 0; run->session->sanitizer && i < kernel->function->params.count; i++) {
        const Argument *argument = &run->arguments->list[i];
        if (argument->unset)
            sanitize_allocated(run->session->sanitizer, argument->address,
                               argument->count * type_bytes(argument->type), false);
    }
    run->engine = launch.engine;
    launch.params = run->arguments->params;
    Filling filling = {given, run};
    launch.fill = fill;
    launch.fill_context = &filling;
    bool ran = session_launch(run->session, kernel, &launch, &run->result, diags);
    if (ran && launch.progress)
        progress_clear(stderr);
    return ran;
}

void kernel_sources(Options *given, Profile *profile) {
    SourceMap *maps = NEW_ARRAY(given->arena, SourceMap, given->maps.count + 1);
    for (uint32_t i = 0; i < given->maps.count; i++) {
        if (!source_map_parse(given->arena, given->maps.at[i], &maps[i]))
            diags_error(given->diags, "--source-map %s: expected FROM=TO", given->maps.at[i]);
    }
    if (!given->diags->errors)
        sources_read(profile, &(SourceRules){maps, given->maps.count, given->root}, given->diags);
    option_root(given->root, profile, given->diags);
}
