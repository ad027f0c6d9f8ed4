/* Asks nvdisasm for the listing of a cubin that a program has. */
#include "toolchain/toolchain.h"

#include <errno.h>
#include <string.h>

static void note(Diags *diags, const char *text) {
    diags_add(diags, DIAG_NOTE, (Place){0}, "%s", text);
}

static bool key_of(const CubinQuestion *question, const char *nvdisasm, CacheKey *key) {
    *key = (CacheKey){{0}};
    cache_key_add_text(key, "a cubin, with its bits and the source's lines");
    cache_key_add_text(key, question->functions ? question->functions : "");
    cache_key_add(key, question->cubin, question->bytes);
    return cache_key_add_tool(key, nvdisasm);
}

/* flows: its analysis of the control flow, which knows where branches through tables lead. */
static const char *list(Arena *arena, const CubinQuestion *question, const char *nvdisasm,
                        const char *scratch, bool flows, ProcessResult *result) {
    const char *listing = arena_printf(arena, "%s/module.sass", scratch);
    VEC(const char *) words = {0};
    *vec_add(arena, &words) = nvdisasm;
    *vec_add(arena, &words) = "-gi";
    *vec_add(arena, &words) = "-hex";
    if (!flows)
        *vec_add(arena, &words) = "-ndf";
    if (question->functions) {
        *vec_add(arena, &words) = "-fun";
        *vec_add(arena, &words) = question->functions;
    }
    *vec_add(arena, &words) = arena_printf(arena, "%s/module.cubin", scratch);
    *vec_add(arena, &words) = NULL;
    size_t size;
    *result = process_run(arena, words.at, scratch, listing);
    return result->status == 0 ? file_read(arena, listing, &size) : NULL;
}

static const char *ask(Arena *arena, const CubinQuestion *question, const char *nvdisasm,
                       Diags *diags) {
    const char *scratch = scratch_new(arena), *listing = NULL;
    ProcessResult result = {0};
    if (!scratch) {
        note(diags, strerror(errno));
        return NULL;
    }
    if (!file_write(arena_printf(arena, "%s/module.cubin", scratch), question->cubin,
                    question->bytes)) {
        note(diags, strerror(errno));
    } else {
        listing = list(arena, question, nvdisasm, scratch, false, &result);
        if (listing && (strstr(listing, " BRX") || strstr(listing, " JMX"))) {
            const char *whole = list(arena, question, nvdisasm, scratch, true, &result);
            listing = whole ? whole : listing;
        }
        if (!listing)
            note(diags, tool_complaint(arena, "nvdisasm", &result));
    }
    scratch_remove(scratch);
    return listing;
}

const char *toolchain_list_cubin(Arena *arena, const CubinQuestion *question, Diags *diags) {
    const char *nvdisasm = toolchain_find(arena, "nvdisasm");
    CacheKey key;
    if (!nvdisasm) {
        note(diags, "nvdisasm, which reads it, is not there: it is in the CUDA toolkit, or "
                    "'pip install nvidia-cuda-nvdisasm'");
        return NULL;
    }
    const bool keyed = key_of(question, nvdisasm, &key);
    const char *listing = keyed ? cache_read(arena, &key, NULL) : NULL;
    if (listing)
        return listing;
    listing = ask(arena, question, nvdisasm, diags);
    if (listing && keyed)
        cache_write(arena, &key, listing, strlen(listing));
    return listing;
}
