/* warplens kernel: compiles what needs compiling, finds the kernel, makes its arguments, runs it, saves
 * the profile and shows it. */
#include "cli/commands.h"
#include "cli/kernel_run.h"
#include "cli/machine.h"
#include "cli/pages.h"
#include "lower/lower.h"
#include "ptx/ptx.h"

#include <string.h>
#include <unistd.h>

/* ---- what came out ---- */

static void dump(Session *session) {
    Options *given = session->given;
    for (uint32_t i = 0; i < given->dumps.count; i++)
        arguments_dump(session->arguments, session->memory, given->dumps.at[i], given->diags);
}

static bool compare(Session *session) {
    Options *given = session->given;
    bool same = true;
    for (uint32_t i = 0; i < given->checks.count; i++) {
        Comparison result;
        if (!arguments_compare(given->arena, session->arguments, session->memory,
                               given->checks.at[i], given->rtol, given->atol, &result,
                               given->diags))
            continue;
        if (result.differ == 0) {
            fprintf(stderr, "check %s: %llu elements agree\n", given->checks.at[i],
                    (unsigned long long)result.count);
            continue;
        }
        same = false;
        fprintf(
            stderr,
            "check %s: %llu of %llu elements differ; the first is [%llu]: %.9g, expected %.9g\n",
            given->checks.at[i], (unsigned long long)result.differ,
            (unsigned long long)result.count, (unsigned long long)result.first, result.got,
            result.expected);
    }
    return same;
}

static void show(const Session *session) {
    const Options *given = session->given;
    ReportOptions report = REPORT_DEFAULTS;
    ReportPage page;
    report.colour = given->colour;
    report.width = pages_width();
    report.brief = true;
    if (given->quiet || (given->page && strcmp(given->page, "none") == 0))
        return;
    if (given->page && report_page(given->page, &page))
        report.pages = 1u << page;
    report_print(session->profile, report_format("term"), &report, stdout, given->diags);
}

static void tell_sample(const Session *session, const LaunchRecord *record) {
    const LaunchResult *result = &session->result;
    if (result->all_because)
        fprintf(stderr, "warplens: sample: analysed all blocks: %s\n", result->all_because);
    else
        fprintf(stderr, "warplens: sample: analysed %llu of %llu blocks, of %u kind%s\n",
                (unsigned long long)result->analysed, (unsigned long long)record->blocks,
                result->kinds, result->kinds == 1 ? "" : "s");
}

static int finish(Session *session) {
    Options *given = session->given;
    const LaunchRecord *record = &session->profile->launches.at[session->result.record];
    Diags *notes = given->quiet ? diags_new(given->arena) : given->diags;
    if (!given->no_sass)
        machine_compare(session->profile, record->kernel, session->arch, notes);
    session_sources(session);
    if (given->output)
        profile_save(session->profile, given->output, given->diags);
    dump(session);
    if (given->sample && !given->quiet)
        tell_sample(session, record);
    show(session);
    bool same = compare(session);
    if (session->result.status == LAUNCH_FAULT) {
        fprintf(stderr, "warplens: fault: %s\n", session->result.fault.message);
        return EXIT_FAULTED;
    }
    if (session->result.status == LAUNCH_INTERRUPTED) {
        fprintf(stderr, "warplens: interrupted: %llu of %llu blocks ran\n",
                (unsigned long long)record->blocks_run, (unsigned long long)record->blocks);
        return EXIT_INTERRUPTED;
    }
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    return same ? EXIT_FINE : EXIT_DIFFERS;
}

/* --print=lowered */
static int print_lowered(Options *given, const PtxInput *input, const char *name, const Gpu *gpu) {
    if (strcmp(given->print, "lowered") != 0) {
        diags_error(given->diags, "--print %s: expected lowered", given->print);
        return EXIT_UNUSABLE;
    }
    const Module *module =
        ptx_parse(given->arena, input->name, input->text, input->length, name, given->diags);
    if (!module)
        return EXIT_UNUSABLE;
    lower_print(module_function(module, str_of(name)), gpu, stdout);
    return EXIT_FINE;
}

static int command(Options *given) {
    const Gpu *gpu = gpu_named(str_of(given->gpu));
    Inputs inputs = {0};
    uint32_t input;
    const char *name;
    if (!kernel_ready(given, gpu) || !kernel_inputs(given, gpu, &inputs) ||
        !ptx_select(given->arena, inputs.at, inputs.count, given->kernel, &input, &name,
                    given->diags))
        return EXIT_UNUSABLE;
    if (given->print)
        return print_lowered(given, &inputs.at[input], name, gpu);
    if (!kernel_has_block(given))
        return EXIT_UNUSABLE;
    Session session = {.given = given,
                       .profile = profile_new(),
                       .arch = arena_printf(given->arena, "sm_%u%u", gpu->major, gpu->minor)};
    session.profile->command =
        arena_copy(session.profile->arena, given->command, strlen(given->command));
    int status =
        session_run(&session, &inputs.at[input], name, gpu) ? finish(&session) : EXIT_UNUSABLE;
    memory_free(session.memory);
    profile_free(session.profile);
    return status;
}

int command_kernel(int argc, char **argv) {
    Arena *arena = arena_new();
    Options given = {.arena = arena, .diags = diags_new(arena)};
    int status = kernel_options(&kernel_argp, argc, argv, &given) ? command(&given) : EXIT_UNUSABLE;
    fflush(stdout);
    diags_print(given.diags, stderr, isatty(STDERR_FILENO));
    arena_free(arena);
    return status;
}
