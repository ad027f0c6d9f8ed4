/* warplens kernel: compiles what needs compiling, finds the kernel, makes its arguments, runs it, saves
 * the profile and shows it. */
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/kernel_options.h"
#include "cli/machine.h"
#include "cli/pages.h"
#include "cli/progress.h"
#include "cuda/fatbin.h"
#include "ptx/ptx.h"
#include "toolchain/toolchain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- input ---- */

typedef VEC(PtxInput) Inputs;

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

/* PTX, or what has PTX in it: an executable or library, a fat binary, a cubin. */
static bool read_ptx(Options *given, const Gpu *gpu, const char *file, Inputs *inputs) {
    const ArchChoice choice = {.gpu = gpu->major * 10 + gpu->minor};
    PtxTexts texts = {0};
    if (!file_ptx(given->arena, file, &choice, &texts, given->diags))
        return false;
    for (uint32_t i = 0; i < texts.list.count; i++)
        *vec_add(given->arena, inputs) = (PtxInput){
            .name = file, .text = texts.list.at[i].text, .length = texts.list.at[i].length};
    return true;
}

static bool read_cuda(Options *given, const Gpu *gpu, const Texts *files, Inputs *inputs) {
    CompileOptions compile = {
        .arch = given->arch ? given->arch
                            : arena_printf(given->arena, "sm_%u%u", gpu->major, gpu->minor),
        .flags = given->flags.at,
        .flag_count = given->flags.count,
        .instantiate = given->instantiate.at,
        .instantiate_count = given->instantiate.count};
    CompiledPtx *compiled =
        toolchain_compile(given->arena, files->at, files->count, &compile, given->diags);
    for (uint32_t i = 0; compiled && i < files->count; i++)
        *vec_add(given->arena, inputs) =
            (PtxInput){files->at[i], compiled[i].text, compiled[i].length, NULL, 0};
    return compiled != NULL;
}

static bool read_inputs(Options *given, const Gpu *gpu, Inputs *inputs) {
    Texts cuda = {0};
    for (uint32_t i = 0; i < given->files.count; i++) {
        const char *file = given->files.at[i];
        if (has_suffix(file, ".cu"))
            *vec_add(given->arena, &cuda) = file;
        else if (!read_ptx(given, gpu, file, inputs))
            return false;
    }
    if (cuda.count && !read_cuda(given, gpu, &cuda, inputs))
        return false;
    for (uint32_t i = 0; i < inputs->count; i++) {
        PtxInput *input = &inputs->at[i];
        input->entries = ptx_entries(given->arena, input->text, input->length, &input->entry_count);
    }
    return true;
}

/* ---- running ---- */

typedef struct Session {
    Options *given;
    Profile *profile;
    Memory *memory;
    Arguments *arguments;
    const char *arch; /* "sm_90" */
    LaunchResult result;
} Session;

/* The kernel's printf. */
static void print_text(void *context, const char *text, size_t length) {
    fwrite(text, 1, length, context);
}

static Launch launch_of(const Options *given) {
    Launch launch = {.dynamic_shared = given->shared,
                     .workers = given->threads,
                     .limit = given->limit,
                     .choice = given->choice,
                     .choice_n = given->choice_n,
                     .choice_seed = given->choice_seed,
                     .evidence_blocks = given->evidence,
                     .counting = !given->no_counts,
                     .interrupted = interrupt_catch(),
                     .print = print_text,
                     .print_context = stdout};
    memcpy(launch.grid, given->grid, sizeof launch.grid);
    memcpy(launch.block, given->block, sizeof launch.block);
    if (!given->quiet && isatty(STDERR_FILENO)) {
        launch.progress = progress_show;
        launch.progress_context = stderr;
    }
    return launch;
}

static bool run(Session *session, const PtxInput *input, const char *name, const Gpu *gpu) {
    Options *given = session->given;
    Module *module =
        ptx_parse(given->arena, input->name, input->text, input->length, name, given->diags);
    if (!module)
        return false;
    Function *kernel = module_function(module, str_of(name));
    session->memory = memory_new();
    if (!session->memory) {
        diags_error(given->diags, "no address space for the device's memory");
        return false;
    }
    session->arguments = arguments_make(given->arena, kernel, given->arguments.at,
                                        given->arguments.count, session->memory, given->diags);
    Loaded *loaded = module_load(given->arena, module, session->memory, given->diags);
    if (!session->arguments || !loaded)
        return false;
    Launch launch = launch_of(given);
    launch.params = session->arguments->params;
    launch.memory = session->memory;
    Prepared *prepared = kernel_prepare(kernel, loaded, gpu, given->diags);
    bool ran =
        prepared && launch_run(&launch, prepared, session->profile, &session->result, given->diags);
    if (ran && launch.progress)
        progress_clear(stderr);
    prepared_free(prepared);
    return ran;
}

static void add_sources(Session *session) {
    Options *given = session->given;
    SourceMap *maps = NEW_ARRAY(given->arena, SourceMap, given->maps.count + 1);
    for (uint32_t i = 0; i < given->maps.count; i++) {
        if (!source_map_parse(given->arena, given->maps.at[i], &maps[i]))
            diags_error(given->diags, "--source-map %s: expected FROM=TO", given->maps.at[i]);
    }
    if (!given->diags->errors)
        sources_read(session->profile, maps, given->maps.count);
}

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

static int finish(Session *session) {
    Options *given = session->given;
    const LaunchRecord *record = &session->profile->launches.at[session->result.record];
    Diags *notes = given->quiet ? diags_new(given->arena) : given->diags;
    if (!given->no_sass)
        machine_compare(session->profile, record->kernel, session->arch, notes);
    add_sources(session);
    if (given->output)
        profile_save(session->profile, given->output, given->diags);
    dump(session);
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

static int command(Options *given) {
    const Gpu *gpu = gpu_named(str_of(given->gpu));
    if (!gpu)
        diags_error(given->diags, "--gpu %s: unknown; 'warplens gpus' lists those that are known",
                    given->gpu);
    if (given->files.count == 0)
        diags_error(given->diags, "no input: name a .ptx or .cu file or a program");
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    Inputs inputs = {0};
    uint32_t input;
    const char *name;
    if (!read_inputs(given, gpu, &inputs) ||
        !ptx_select(given->arena, inputs.at, inputs.count, given->kernel, &input, &name,
                    given->diags))
        return EXIT_UNUSABLE;
    if (given->block[0] == 0) { /* asked for last, so that without it the kernels are listed */
        diags_error(given->diags, "--block is missing: the threads of a block, as in --block 32,8");
        return EXIT_UNUSABLE;
    }
    Session session = {.given = given,
                       .profile = profile_new(),
                       .arch = arena_printf(given->arena, "sm_%u%u", gpu->major, gpu->minor)};
    session.profile->command =
        arena_copy(session.profile->arena, given->command, strlen(given->command));
    int status = run(&session, &inputs.at[input], name, gpu) ? finish(&session) : EXIT_UNUSABLE;
    memory_free(session.memory);
    profile_free(session.profile);
    return status;
}

int command_kernel(int argc, char **argv) {
    Arena *arena = arena_new();
    Options given = {.arena = arena, .diags = diags_new(arena)};
    int status = kernel_options(argc, argv, &given) ? command(&given) : EXIT_UNUSABLE;
    fflush(stdout);
    diags_print(given.diags, stderr, isatty(STDERR_FILENO));
    arena_free(arena);
    return status;
}
