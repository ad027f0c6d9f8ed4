/* From files and options to a kernel that has run: compiles what needs compiling, parses the module, makes
 * the arguments, launches. */
#include "cli/kernel_run.h"
#include "cli/engine.h"

#include "cli/progress.h"
#include "image/image.h"
#include "ptx/ptx.h"
#include "toolchain/toolchain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- input ---- */

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

bool kernel_ready(Options *given, const Gpu *gpu) {
    if (!gpu)
        diags_error(given->diags, "--gpu %s: unknown; 'warplens gpus' lists those that are known",
                    given->gpu);
    if (given->files.count == 0)
        diags_error(given->diags, "no input: name a .ptx or .cu file or a program");
    return given->diags->errors == 0;
}

bool kernel_has_block(Options *given) {
    if (given->block[0] == 0)
        diags_error(given->diags, "--block is missing: the threads of a block, as in --block 32,8");
    return given->block[0] > 0;
}

bool kernel_inputs(Options *given, const Gpu *gpu, Inputs *inputs) {
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
                     .sample = given->sample,
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

/* A kernel that others launch: parsed and prepared once. */
typedef struct Launched {
    const char *name;
    Prepared *prepared;
} Launched;
typedef VEC(Launched) LaunchedKernels;

static Prepared *prepare_child(Session *session, const PtxInput *input, const Loaded *loaded,
                               const Gpu *gpu, LaunchedKernels *known, const char *name) {
    Options *given = session->given;
    for (uint32_t i = 0; i < known->count; i++)
        if (strcmp(known->at[i].name, name) == 0)
            return known->at[i].prepared;
    name = arena_copy(given->arena, name, strlen(name));
    Module *module =
        ptx_parse(given->arena, input->name, input->text, input->length, name, given->diags);
    Function *kernel = module ? module_function(module, str_of(name)) : NULL;
    Prepared *prepared = kernel ? kernel_prepare(kernel, loaded, gpu, given->diags) : NULL;
    *vec_add(given->arena, known) = (Launched){name, prepared};
    return prepared;
}

/* What the kernel has launched, and what that launches. */
static bool run_children(Session *session, const PtxInput *input, const Loaded *loaded,
                         const Gpu *gpu, const Launch *from) {
    Options *given = session->given;
    LaunchedKernels known = {0};
    const Child *child;
    uint32_t first = session->result.record, record = first;
    bool good = true;
    while (good && session->result.status != LAUNCH_FAULT &&
           session->result.status != LAUNCH_INTERRUPTED &&
           (child = children_next(from->children, record))) {
        Prepared *prepared = prepare_child(session, input, loaded, gpu, &known, child->kernel);
        Launch launch = *from;
        launch.child = child;
        launch.choice = BLOCKS_ALL;
        launch.sample = 0;
        launch.evidence_blocks = child->into == NONE ? from->evidence_blocks : 0;
        launch.relayout_count = 0;
        launch.dynamic_shared = child->dynamic_shared;
        launch.params = child->params;
        memcpy(launch.cluster, (uint32_t[3]){0}, sizeof launch.cluster);
        memcpy(launch.grid, child->grid, sizeof launch.grid);
        memcpy(launch.block, child->block, sizeof launch.block);
        good = prepared &&
               launch_run(&launch, prepared, session->profile, &session->result, given->diags);
        record = session->result.record;
    }
    for (uint32_t i = 0; i < known.count; i++)
        prepared_free(known.at[i].prepared);
    session->result.record = first;
    return good;
}

bool session_run(Session *session, const PtxInput *input, const char *name, const Gpu *gpu) {
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
    if (!engine_choose(given->arena, given->engine, &launch.engine, given->diags))
        return false;
    launch.engine.aside = true;
    launch.params = session->arguments->params;
    launch.memory = session->memory;
    launch.relayouts = session->relayouts;
    launch.relayout_count = session->relayout_count;
    launch.evidence_period = session->evidence_period;
    launch.children = children_new(session->memory, 0, NULL);
    Prepared *prepared = kernel_prepare(kernel, loaded, gpu, given->diags);
    bool ran =
        prepared && launch_run(&launch, prepared, session->profile, &session->result, given->diags);
    ran = ran && run_children(session, input, loaded, gpu, &launch);
    children_free(launch.children);
    if (ran && launch.progress)
        progress_clear(stderr);
    prepared_free(prepared);
    return ran;
}

void session_sources(Session *session) {
    Options *given = session->given;
    SourceMap *maps = NEW_ARRAY(given->arena, SourceMap, given->maps.count + 1);
    for (uint32_t i = 0; i < given->maps.count; i++) {
        if (!source_map_parse(given->arena, given->maps.at[i], &maps[i]))
            diags_error(given->diags, "--source-map %s: expected FROM=TO", given->maps.at[i]);
    }
    if (!given->diags->errors)
        sources_read(session->profile, maps, given->maps.count);
}
