/* From files to PTX texts: compiles what must be compiled, takes PTX out of what has it inside. */
#include "image/image.h"
#include "session/session.h"

#include <string.h>

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

void inputs_add(Arena *arena, Inputs *inputs, const char *name, const char *text, size_t length) {
    PtxIndex *index = ptx_index(arena, name, text, length);
    PtxInput *input = vec_add(arena, &inputs->list);
    *input = (PtxInput){.name = name, .text = text, .length = length};
    input->entries = ptx_index_entries(index, &input->entry_count);
    *vec_add(arena, &inputs->indexes) = index;
}

static bool read_ptx(Arena *arena, const char *file, const Gpu *gpu, Inputs *inputs, Diags *diags) {
    const ArchChoice choice = {.gpu = gpu->major * 10 + gpu->minor};
    PtxTexts texts = {0};
    if (!file_ptx(arena, file, &choice, &texts, diags))
        return false;
    for (uint32_t i = 0; i < texts.list.count; i++)
        inputs_add(arena, inputs, file, texts.list.at[i].text, texts.list.at[i].length);
    return true;
}

static bool compile(Arena *arena, const char *const *sources, uint32_t count, const Gpu *gpu,
                    CompileOptions options, Inputs *inputs, Diags *diags) {
    if (!options.arch)
        options.arch = arena_printf(arena, "sm_%u%u", gpu->major, gpu->minor);
    CompiledPtx *compiled = toolchain_compile(arena, sources, count, &options, diags);
    for (uint32_t i = 0; compiled && i < count; i++)
        inputs_add(arena, inputs, sources[i], compiled[i].text, compiled[i].length);
    return compiled != NULL;
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
