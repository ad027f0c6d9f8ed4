/* From files to PTX texts: compiles what must be compiled, takes PTX out of what has it inside. */
#include "image/image.h"
#include "session/session.h"

#include <string.h>

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

static void add_texts(Arena *arena, Inputs *inputs, const char *name, const PtxTexts *texts) {
    for (uint32_t i = 0; i < texts->list.count; i++) {
        const PtxText *text = &texts->list.at[i];
        PtxIndex *index = ptx_index(arena, name, text->text, text->length);
        ptx_index_originate(index, text->origin);
        PtxInput *input = vec_add(arena, &inputs->list);
        *input = (PtxInput){.name = name, .text = text->text, .length = text->length};
        input->entries = ptx_index_entries(index, &input->entry_count);
        *vec_add(arena, &inputs->indexes) = index;
    }
}

bool inputs_add(Arena *arena, Inputs *inputs, const char *name, const void *image, size_t size,
                const Gpu *gpu, Diags *diags) {
    const ArchChoice choice = {.gpu = gpu};
    PtxTexts texts = {0};
    bool good = image_ptx(arena, name, image, size, &choice, &texts, diags);
    add_texts(arena, inputs, name, &texts);
    return good;
}

static bool read_ptx(Arena *arena, const char *file, const Gpu *gpu, Inputs *inputs, Diags *diags) {
    const ArchChoice choice = {.gpu = gpu};
    PtxTexts texts = {0};
    bool good = file_ptx(arena, file, &choice, &texts, diags);
    add_texts(arena, inputs, file, &texts);
    return good;
}

static bool compile(Arena *arena, const char *const *sources, uint32_t count, const Gpu *gpu,
                    CompileOptions options, Inputs *inputs, Diags *diags) {
    if (!options.arch)
        options.arch = arch_name(arena, "sm", gpu_arch(gpu));
    CompiledPtx *compiled = toolchain_compile(arena, sources, count, &options, diags);
    bool good = compiled != NULL;
    for (uint32_t i = 0; good && i < count; i++)
        good =
            inputs_add(arena, inputs, sources[i], compiled[i].text, compiled[i].length, gpu, diags);
    return good;
}

bool inputs_read(Arena *arena, const char *const *files, uint32_t count, const Gpu *gpu,
                 const CompileOptions *options, Inputs *inputs, Diags *diags) {
    const char **sources = NEW_ARRAY(arena, const char *, count + 1);
    uint32_t source_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (has_suffix(files[i], ".cu"))
            sources[source_count++] = files[i];
        else if (!read_ptx(arena, files[i], gpu, inputs, diags))
            return false;
    }
    return !source_count || compile(arena, sources, source_count, gpu, *options, inputs, diags);
}
