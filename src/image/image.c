/* What a program hands to the driver or registers with the runtime, told apart by its first bytes:
 *
 *   0x466243b1  wrapper: magic:u32 version:u32 data:pointer fatbins:pointer
 *               version 1: data is the fat binary
 *               version 2 (relocatable device code): data is the linked machine code alone; the
 *               PTX is in `fatbins`, a NULL-terminated array with one per object file
 *   0xba55ed50  fat binary
 *   0x7f 'ELF'  cubin
 *   else        PTX text, NUL-terminated */
#include "image/image.h"
#include "ptx/ptx.h"

#include <string.h>

typedef struct Wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *fatbins;
} Wrapper;

enum { WRAPPER_LINKED = 2 };
#define ELF_MAGIC UINT32_C(0x464c457f)

typedef struct Reader {
    Arena *arena;
    const char *name;
    const ArchChoice *choice;
    PtxTexts *texts;
    Diags *diags;
} Reader;

static uint32_t first_word(const void *image, size_t size) {
    uint32_t word = 0;
    memcpy(&word, image, size < sizeof word ? size : sizeof word);
    return word;
}

static size_t fatbin_size(const void *data) {
    uint16_t header;
    uint64_t payload;
    memcpy(&header, (const char *)data + 6, sizeof header);
    memcpy(&payload, (const char *)data + 8, sizeof payload);
    return (size_t)(header + payload);
}

static void add_text(Reader *reader, const char *text, size_t length, const FatEntry *entry) {
    PtxText *added = vec_add(reader->arena, &reader->texts->list);
    *added = (PtxText){.name = reader->name, .text = text, .length = length};
    if (entry) {
        added->arch = entry->arch;
        added->variant = entry->variant;
        added->relocatable = entry->relocatable;
        if (entry->source.length)
            added->name = arena_copy(reader->arena, entry->source.at, entry->source.length);
    }
}

static void refuse(Reader *reader, const Fatbin *fatbin) {
    const char *cubins = fatbin_archs(reader->arena, fatbin, FAT_CUBIN);
    const char *ptx = fatbin_archs(reader->arena, fatbin, FAT_PTX);
    const char *lto = fatbin_archs(reader->arena, fatbin, FAT_LTO);
    if (reader->choice->forced && *ptx)
        diags_error(reader->diags, "%s: no PTX for compute_%u%.1s; there is %s", fatbin->name,
                    reader->choice->forced, &reader->choice->forced_variant, ptx);
    else
        diags_error(reader->diags,
                    "%s: no PTX in it, only %s%s%s; rebuild with -gencode "
                    "arch=compute_%u,code=compute_%u (CMake: CUDA_ARCHITECTURES %u-virtual)",
                    fatbin->name, *cubins ? "machine code for " : "", cubins,
                    *lto      ? " and LTO-IR"
                    : *cubins ? ""
                              : "an empty fat binary",
                    reader->choice->gpu, reader->choice->gpu, reader->choice->gpu);
}

static bool add_fatbin(Reader *reader, const void *data, size_t size, bool may_be_empty) {
    Fatbin fatbin;
    if (!fatbin_read(reader->arena, reader->name, data, size, &fatbin, reader->diags))
        return false;
    uint32_t errors = reader->diags->errors;
    const FatEntry *from;
    size_t length;
    char *text =
        fatbin_chosen_ptx(reader->arena, &fatbin, reader->choice, &from, &length, reader->diags);
    if (text)
        add_text(reader, text, length, from);
    if (text || (may_be_empty && fatbin.entries.count == 0))
        return true;
    if (reader->diags->errors == errors)
        refuse(reader, &fatbin);
    return false;
}

void texts_link(Arena *arena, PtxTexts *texts) {
    PtxTexts linked = {0};
    PtxUnit *units = NEW_ARRAY(arena, PtxUnit, texts->list.count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < texts->list.count; i++) {
        const PtxText *text = &texts->list.at[i];
        if (!text->relocatable || count++ == 0)
            *vec_add(arena, &linked.list) = *text;
        if (text->relocatable)
            units[count - 1] = (PtxUnit){text->text, text->length};
    }
    for (uint32_t i = 0; count > 1 && i < linked.list.count; i++) {
        PtxText *text = &linked.list.at[i];
        if (text->relocatable)
            text->text = ptx_link(arena, units, count, &text->length);
    }
    *texts = linked;
}

static bool add_wrapper(Reader *reader, const Wrapper *wrapper) {
    if (wrapper->version != WRAPPER_LINKED || !wrapper->fatbins || !*wrapper->fatbins)
        return add_fatbin(reader, wrapper->data, fatbin_size(wrapper->data), true);
    bool good = true;
    for (const void *const *fatbin = wrapper->fatbins; *fatbin; fatbin++)
        good &= add_fatbin(reader, *fatbin, fatbin_size(*fatbin), true);
    texts_link(reader->arena, reader->texts);
    return good;
}

static bool add_cubin(Reader *reader, const void *image, size_t size) {
    size_t length;
    char *text = cubin_ptx(reader->arena, image, size, &length);
    if (text)
        add_text(reader, text, length, NULL);
    else
        diags_error(reader->diags,
                    "%s: a cubin, machine code without PTX; build with -lineinfo, or hand over PTX",
                    reader->name);
    return text != NULL;
}

bool image_ptx(Arena *arena, const char *name, const void *image, size_t size,
               const ArchChoice *choice, PtxTexts *texts, Diags *diags) {
    Reader reader = {arena, name, choice, texts, diags};
    bool whole = size == IMAGE_NO_LIMIT;
    uint32_t word = first_word(image, size);
    if (word == WRAPPER_MAGIC && whole)
        return add_wrapper(&reader, image);
    if (word == FATBIN_MAGIC)
        return add_fatbin(&reader, image, whole ? fatbin_size(image) : size, false);
    if (word == ELF_MAGIC)
        return add_cubin(&reader, image, whole ? elf_size(image) : size);
    size_t length = whole ? strlen(image) : strnlen(image, size);
    const char *text = whole ? image : arena_copy(arena, image, length);
    add_text(&reader, text, length, NULL);
    return true;
}
