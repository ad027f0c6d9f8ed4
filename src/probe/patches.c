/* Device code for a GPU: what ptxas makes of device.ptx, or made of it when warplens was built. */
#include "probe/patches.h"
#include "probe/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Answers of compilers are kept as text. */
static const char *as_text(Arena *arena, const uint8_t *bytes, size_t size) {
    static const char digits[] = "0123456789abcdef";
    char *text = arena_alloc(arena, 2 * size + 1);
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return text;
}

static uint8_t digit_of(char c) {
    return (uint8_t)(c >= 'a' ? c - 'a' + 10 : c - '0');
}

static uint8_t *as_bytes(Arena *arena, const char *text, size_t *size) {
    *size = strlen(text) / 2;
    uint8_t *bytes = arena_alloc(arena, *size + 1);
    for (size_t i = 0; i < *size; i++)
        bytes[i] = (uint8_t)(digit_of(text[2 * i]) << 4 | digit_of(text[2 * i + 1]));
    return bytes;
}

static ProcessResult ptxas_run(Arena *arena, const char *ptxas, const char *scratch,
                               const char *path, uint32_t capability, const char *option) {
    const char *const argv[] = {
        ptxas, arena_printf(arena, "-arch=sm_%u", capability), patch_option, "-o",
        path,  arena_printf(arena, "%s/device.ptx", scratch),  option,       NULL};
    return process_run(arena, argv, scratch, NULL);
}

static bool compile(Arena *arena, const char *ptxas, const char *path, uint32_t capability,
                    Diags *diags) {
    const char *scratch = scratch_new(arena);
    if (!scratch) {
        diags_error(diags, "no temporary directory: %s", strerror(errno));
        return false;
    }
    const char *ptx = arena_printf(arena, "%s/device.ptx", scratch);
    bool good = file_write(ptx, probe_ptx, probe_ptx_length);
    ProcessResult result = {.status = -1, .output = strerror(errno)};
    if (good)
        result = ptxas_run(arena, ptxas, scratch, path, capability, few_registers);
    if (good && result.status != 0) /* an older one, which does not know the option */
        result = ptxas_run(arena, ptxas, scratch, path, capability, NULL);
    if (result.status != 0)
        diags_error(diags, "%s does not compile the device code for sm_%u: %s", ptxas, capability,
                    result.output);
    scratch_remove(scratch);
    return result.status == 0;
}

/* A driver takes what is of its own major version of CUDA or of one before. NULL: there is none that it takes. */
static const MadePatches *find_made(uint32_t capability, int driver) {
    enum { MAJOR = 1000 };
    if (made_patches_cuda / MAJOR > driver / MAJOR)
        return NULL;
    for (const MadePatches *made = made_patches; made->capability; made++)
        if (made->capability == capability)
            return made;
    return NULL;
}

bool probe_patches(Arena *arena, const char *folder, uint32_t capability, int driver,
                   Diags *diags) {
    const char *path = arena_printf(arena, "%s/sm_%u.cubin", folder, capability);
    const char *ptxas = toolchain_find(arena, "ptxas");
    const MadePatches *before = find_made(capability, driver);
    if (before && !(ptxas && getenv("WARPLENS_PTXAS"))) /* one that is named is used */
        return file_write(path, before->cubin, before->length);
    CacheKey key = {{0}};
    size_t size;
    if (!ptxas) {
        diags_error(diags,
                    "counting on a GPU needs ptxas, which is not on PATH nor under CUDA_HOME; "
                    "'warplens doctor' says how to get it");
        return false;
    }
    cache_key_add(&key, probe_ptx, probe_ptx_length);
    cache_key_add_text(&key, few_registers);
    cache_key_add(&key, &capability, sizeof capability);
    bool keyed = cache_key_add_tool(&key, ptxas);
    const char *kept = keyed ? cache_read(arena, &key, NULL) : NULL;
    if (kept) {
        const uint8_t *bytes = as_bytes(arena, kept, &size);
        return file_write(path, bytes, size);
    }
    if (!compile(arena, ptxas, path, capability, diags))
        return false;
    const char *made = file_read(arena, path, &size);
    if (made && keyed) {
        const char *text = as_text(arena, (const uint8_t *)made, size);
        cache_write(arena, &key, text, strlen(text));
    }
    return made != NULL;
}

const char *probe_patches_made(Arena *arena) {
    char *text = arena_printf(arena, "by ptxas %d.%d, for", made_patches_cuda / 1000,
                              made_patches_cuda % 1000 / 10);
    if (made_patches->capability == 0)
        return NULL;
    for (const MadePatches *made = made_patches; made->capability; made++)
        text = arena_printf(arena, "%s%s sm_%u", text, made == made_patches ? "" : ",",
                            made->capability);
    return text;
}
