/* A kernel's way to its machine code, and back to a Module: ptxas and nvdisasm are asked, their listing is read and
 * translated, and what comes out is parsed as PTX is. */
#include "machine/machine.h"
#include "machine/tidy.h"
#include "machine/together.h"

#include "image/image.h"
#include "toolchain/toolchain.h"

#include <stdlib.h>
#include <string.h>

static const char *const use_names[] = {
    [MACHINE_OFF] = "off",
    [MACHINE_AUTO] = "auto",
    [MACHINE_ON] = "on",
    [MACHINE_REQUIRED] = "require",
};

const char *machine_use_name(MachineUse use) {
    return use_names[use];
}

bool machine_use_named(const char *name, MachineUse *use) {
    for (uint32_t i = 0; i < sizeof use_names / sizeof *use_names; i++) {
        if (strcmp(name, use_names[i]) == 0) {
            *use = (MachineUse)i;
            return true;
        }
    }
    return false;
}

bool machine_use_told(MachineUse *use) {
    const char *told = getenv("WARPLENS_MACHINE_CODE");
    *use = MACHINE_AUTO;
    return !told || !*told || machine_use_named(told, use);
}

bool machine_is_asked(MachineUse use) {
    if (use != MACHINE_AUTO)
        return use != MACHINE_OFF;
    Arena *arena = arena_new();
    bool there = toolchain_find(arena, "ptxas") && toolchain_find(arena, "nvdisasm");
    arena_free(arena);
    return there;
}

const char *machine_arch(Arena *arena, const char *machine, const char *target, const Gpu *gpu) {
    Arch arch = {0}, made = {0};
    arch_parse(str_of(target), &arch);
    if (machine && arch_parse(str_of(machine), &made) && made.number == arch.number &&
        !made.variant)
        return arch_name(arena, "sm", arch);
    if (machine)
        return machine;
    return arch_name(arena, "sm", (Arch){gpu_arch(gpu).number, arch.variant});
}

static const char *first_message(const Diags *diags, const char *otherwise) {
    return diags->list.count ? diags->list.at[0].message : otherwise;
}

/* Machine code without PTX, listed; of a large module the kernel's, and that of functions which it may call. */
static const char *listing_of_cubin(Arena *arena, const Function *kernel, const char **why) {
    enum { KERNELS_MOST = 16 };
    const PtxOrigin *origin = &kernel->module->origin;
    Diags *diags = diags_new(arena);
    uint32_t kernels;
    CubinQuestion question = {.cubin = origin->cubin, .bytes = origin->cubin_bytes};
    question.functions =
        cubin_functions(arena, origin->cubin, origin->cubin_bytes, kernel->name, &kernels);
    if (kernels <= KERNELS_MOST)
        question.functions = NULL;
    const char *listing = toolchain_list_cubin(arena, &question, diags);
    *why = listing ? NULL : first_message(diags, "nvdisasm gave no answer");
    return listing;
}

/* What ptxas makes of the kernel, listed. */
static const char *listing_of(Arena *arena, const PtxIndex *index, const Function *kernel,
                              const char *arch, const char **why) {
    Diags *diags = diags_new(arena);
    SassQuestion question = {.entry = kernel->name,
                             .arch = arch,
                             .options = kernel->module->origin.options,
                             .relocatable = kernel->module->origin.relocatable};
    question.ptx = ptx_slice(arena, index, kernel->name, &question.length);
    machine_ask_others(arena, index, &question);
    const char *listing = toolchain_listing(arena, &question, diags);
    *why = listing ? NULL : first_message(diags, "ptxas or nvdisasm gave no answer");
    return listing;
}

/* Later GPUs may have their parameters and the launch's words in other places. */
enum { NEWEST_ARCH = 121 };

static MachineText translation_of(Arena *arena, const PtxIndex *index, const Function *kernel,
                                  const Gpu *gpu) {
    const Module *written = kernel->module;
    const char *arch = machine_arch(arena, written->origin.machine, written->target, gpu);
    MachineText text = {0};
    if (gpu_arch(gpu).number > NEWEST_ARCH) {
        text.why = arena_printf(arena, "machine code of %s is not read yet (up to sm_%d it is)",
                                arch, NEWEST_ARCH);
        return text;
    }
    const char *listing = machine_is_all(kernel)
                              ? listing_of_cubin(arena, kernel, &text.why)
                              : listing_of(arena, index, kernel, arch, &text.why);
    if (!listing)
        return text;
    Diags *diags = diags_new(arena);
    const MachineCode *code = machine_read(arena, listing, diags);
    if (code)
        return machine_translate(arena, code, kernel);
    text.why = arena_printf(arena, "nvdisasm's listing was not understood: %s",
                            first_message(diags, "nothing is known of why"));
    return text;
}

bool machine_print(Arena *arena, const PtxIndex *index, const Function *kernel, const Gpu *gpu,
                   FILE *out, const char **why) {
    const MachineText text = translation_of(arena, index, kernel, gpu);
    *why = text.why;
    if (text.body)
        fprintf(out, "%s\n", text.body);
    return text.body;
}

/* What stands for the PTX where there is none. */
static const Module *listed_module(Arena *arena, const Module *translated, const char *listing) {
    Module *module = NEW(arena, Module);
    *module = *translated;
    module->text = listing;
    module->text_length = strlen(listing);
    module->hash = bytes_hash(listing, module->text_length, 0);
    return module;
}

const Function *machine_parse(Arena *arena, const MachineText *text, const Function *kernel,
                              const char **why) {
    const Module *written = kernel->module;
    Diags *diags = diags_new(arena);
    PtxIndex *translated = ptx_index(arena, written->name, text->text, text->length);
    PtxOrigin origin = written->origin;
    origin.translated = true;
    ptx_index_originate(translated, origin);
    Module *module = ptx_parse_kernel(arena, translated, kernel->name, diags);
    if (!module) {
        *why = first_message(diags, "its translation was not understood");
        return NULL;
    }
    Function *function = module_function(module, str_of(kernel->name));
    module->written = text->listing ? listed_module(arena, module, text->listing) : written;
    function->line = text->listing ? 1 : function->line;
    function->registers = text->registers;
    function->stack_bytes = text->stack_bytes;
    machine_tidy(function);
    return function;
}

const Function *machine_kernel(Arena *arena, const PtxIndex *index, const Function *kernel,
                               const Gpu *gpu, const char **why) {
    const MachineText text = translation_of(arena, index, kernel, gpu);
    *why = text.why;
    return text.text ? machine_parse(arena, &text, kernel, why) : NULL;
}
