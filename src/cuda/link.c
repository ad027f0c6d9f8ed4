/* The driver's linker: texts are collected, and become one; what comes out is PTX, which every call
 * that loads modules takes. */
#include "cuda/handle.h"
#include "cuda/library.h"
#include "ptx/ptx.h"

#include <string.h>

struct LinkState {
    uint32_t tag;
    Arena *arena;
    Diags *diags;
    PtxTexts texts;
    /* the options, until the state is destroyed */
    unsigned option_count;
    const int *options;
    void **values;
};

/* ---- options (CUDA Driver API, CUjit_option) ---- */

void jit_answer(unsigned count, const int *options, void **values) {
    enum { WALL_TIME = 2, INFO_LOG = 3, INFO_LOG_SIZE = 4, ERROR_LOG = 5, ERROR_LOG_SIZE = 6 };
    for (unsigned i = 0; options && values && i < count; i++) {
        bool is_log = options[i] == INFO_LOG || options[i] == ERROR_LOG;
        if (is_log && values[i])
            *(char *)values[i] = 0;
        /* these values come back in the list itself */
        if (options[i] == WALL_TIME || options[i] == INFO_LOG_SIZE || options[i] == ERROR_LOG_SIZE)
            values[i] = NULL;
    }
}

bool jit_options_fit(unsigned count, const int *options, void *const *values) {
    enum { OPTIONS_MOST = 64 }; /* each may be given once, and there are fewer */
    return count == 0 || (options && values && count <= OPTIONS_MOST);
}

/* ---- inputs ---- */

typedef enum InputType {
    INPUT_CUBIN,
    INPUT_PTX,
    INPUT_FATBIN,
    INPUT_OBJECT, /* of the host, with device code in it */
    INPUT_LIBRARY /* of such objects */
} InputType;

static bool add_object(CUlinkState state, const char *name, const void *data, size_t size) {
    Object *object = NEW(state->arena, Object);
    return object_read(state->arena, name, data, size, object, state->diags) &&
           object_ptx(state->arena, object, &core_settings()->choice, &state->texts, state->diags);
}

static CUresult add(CUlinkState state, int type, const void *data, size_t size, const char *name) {
    uint32_t errors = state->diags->errors;
    if (type < INPUT_CUBIN || type > INPUT_LIBRARY)
        return CUDA_ERROR_INVALID_VALUE;
    if (type == INPUT_LIBRARY) /* NVIDIA's device runtime is not needed: exec has its calls */
        return strstr(name, "cudadevrt") ? CUDA_SUCCESS
                                         : core_unsupported("cuLinkAddData of an archive");
    /* what is added may be gone when the link is completed */
    const char *copy = arena_copy(state->arena, data, size);
    const char *known = arena_copy(state->arena, name, strlen(name));
    bool good = type == INPUT_OBJECT
                    ? add_object(state, known, copy, size)
                    : image_ptx(state->arena, known, copy, size, &core_settings()->choice,
                                &state->texts, state->diags);
    if (good)
        return CUDA_SUCCESS;
    if (state->diags->errors > errors)
        core_diags("an input cannot be linked", state->diags);
    return type == INPUT_PTX ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE;
}

/* ---- the calls ---- */

CUresult cuLinkCreate_v2(unsigned count, int *options, void **values, CUlinkState *state) {
    if (!state || !jit_options_fit(count, options, values))
        return CUDA_ERROR_INVALID_VALUE;
    Arena *arena = arena_new();
    *state = NEW(arena, struct LinkState);
    **state = (struct LinkState){.tag = TAG_LINK,
                                 .arena = arena,
                                 .diags = diags_new(arena),
                                 .option_count = count,
                                 .options = options,
                                 .values = values};
    jit_answer(count, options, values);
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t size, const char *name,
                          unsigned count, int *options, void **values) {
    (void)count;
    (void)options;
    (void)values;
    if (!IS(state, TAG_LINK))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!data)
        return CUDA_ERROR_INVALID_VALUE;
    return add(state, type, data, size, name ? name : "an input of the linker");
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count,
                          int *options, void **values) {
    if (!IS(state, TAG_LINK) || !path)
        return CUDA_ERROR_INVALID_VALUE;
    size_t size;
    char *data = file_read(state->arena, path, &size);
    return data ? cuLinkAddData_v2(state, type, data, size, path, count, options, values)
                : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
    if (!IS(state, TAG_LINK))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!image || state->texts.list.count == 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint32_t count = state->texts.list.count;
    for (uint32_t i = 0; i < count; i++) {
        const PtxOrigin *origin = &state->texts.list.at[i].origin;
        if (!origin->cubin)
            continue;
        if (count > 1)
            return core_unsupported("cuLinkComplete of machine code without PTX and more");
        *image = arena_copy(state->arena, (const char *)origin->cubin, origin->cubin_bytes);
        if (size)
            *size = origin->cubin_bytes;
        return CUDA_SUCCESS;
    }
    PtxUnit *units = NEW_ARRAY(state->arena, PtxUnit, count);
    for (uint32_t i = 0; i < count; i++)
        units[i] = (PtxUnit){state->texts.list.at[i].text, state->texts.list.at[i].length};
    size_t length = units[0].length;
    *image = count > 1 ? ptx_link(state->arena, units, count, &length)
                       : arena_copy(state->arena, units[0].text, length);
    if (size)
        *size = length + 1; /* with its NUL */
    jit_answer(state->option_count, state->options, state->values);
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
    if (!IS(state, TAG_LINK))
        return CUDA_ERROR_INVALID_HANDLE;
    arena_free(state->arena);
    return CUDA_SUCCESS;
}
