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

static void add_text(Reader *reader, PtxText text) {
    if (!text.name)
        text.name = reader->name;
    *vec_add(reader->arena, &reader->texts->list) = text;
}

/* Its PTX is for the newest architecture alone; what executes the module has its functions (ptx_link). */
static bool is_device_runtime(const Reader *reader, const Fatbin *fatbin) {
    bool is = false;
    for (uint32_t i = 0; i < fatbin->entries.count && !is; i++) {
        PtxText text;
        if (fatbin->entries.at[i].kind == FAT_PTX &&
            fatbin_ptx(reader->arena, fatbin, &fatbin->entries.at[i], &text, reader->diags))
            is = ptx_is_device_runtime(&(PtxUnit){text.text, text.length});
    }
    return is;
}

static bool add_fatbin(Reader *reader, const void *data, size_t size, bool may_be_empty) {
    Fatbin fatbin;
    PtxText text;
    if (!fatbin_read(reader->arena, reader->name, data, size, &fatbin, reader->diags))
        return false;
    uint32_t errors = reader->diags->errors;
    if (fatbin_choose(reader->arena, &fatbin, reader->choice, &text, reader->diags)) {
        add_text(reader, text);
        return true;
    }
    if (may_be_empty && (fatbin.entries.count == 0 || is_device_runtime(reader, &fatbin)))
        return true;
    if (reader->diags->errors == errors)
        fatbins_refuse(reader->name, &fatbin, 1, reader->choice, reader->diags);
    return false;
}

void texts_link(Arena *arena, PtxTexts *texts) {
    PtxTexts linked = {0};
    PtxUnit *units = NEW_ARRAY(arena, PtxUnit, texts->list.count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < texts->list.count; i++) {
        const PtxText *text = &texts->list.at[i];
        if (!text->origin.relocatable || count++ == 0)
            *vec_add(arena, &linked.list) = *text;
        if (text->origin.relocatable)
            units[count - 1] = (PtxUnit){text->text, text->length};
    }
    for (uint32_t i = 0; count > 1 && i < linked.list.count; i++) {
        PtxText *text = &linked.list.at[i];
        if (text->origin.relocatable)
            text->text = ptx_link(arena, units, count, &text->length);
    }
    *texts = linked;
}

void texts_provide(Arena *arena, PtxTexts *texts) {
    for (uint32_t i = 0; i < texts->list.count; i++) {
        PtxText *text = &texts->list.at[i];
        text->text = ptx_provide(arena, text->text, &text->length);
    }
}

static bool add_cubin(Reader *reader, const void *image, size_t size) {
    PtxText text = {0};
    Arch arch = {0};
    bool is_known = cubin_arch(image, size, &arch);
    if (is_known)
        text.origin.machine = arch_name(reader->arena, "sm", arch);
    if (is_known && !gpu_runs_code(reader->choice->gpu, arch)) {
        const Gpu *gpu = reader->choice->gpu, *other = gpu_first(gpu_runs_code, arch);
        diags_error(reader->diags, "%s: %s (sm_%u) does not run machine code for %s%s",
                    reader->name, gpu->name, gpu_arch(gpu).number, text.origin.machine,
                    gpu_advice(reader->arena, "; ", other));
        return false;
    }
    PtxText second = text;
    bool is_linked = cubin_ptx(reader->arena, image, size, 1, &second);
    for (uint32_t i = 0; cubin_ptx(reader->arena, image, size, i, &text); i++) {
        text.origin.relocatable |= is_linked; /* its files name each other's functions */
        cubin_lines(reader->arena, &text);
        add_text(reader, text);
    }
    if (text.text) {
        texts_link(reader->arena, reader->texts);
        return true;
    }
    if (!cubin_declare(reader->arena, reader->name, image, size, arch, &text, reader->diags))
        return false;
    add_text(reader, text);
    return true;
}

/* Machine code that the linker made of relocatable code: a cubin, or a fat binary with several. */
static bool add_linked(Reader *reader, const void *data) {
    return first_word(data, IMAGE_NO_LIMIT) == ELF_MAGIC
               ? add_cubin(reader, data, elf_size(data))
               : add_fatbin(reader, data, fatbin_size(data), true);
}

static void tell(Diags *diags, const Diags *told) {
    for (uint32_t i = 0; i < told->list.count; i++)
        diags_add(diags, told->list.at[i].level, told->list.at[i].place, "%s",
                  told->list.at[i].message);
}

/* The PTX of all files of the program; where one has none, what they were linked to. */
static bool add_wrapper(Reader *reader, const Wrapper *wrapper) {
    if (wrapper->version != WRAPPER_LINKED || !wrapper->fatbins || !*wrapper->fatbins)
        return add_fatbin(reader, wrapper->data, fatbin_size(wrapper->data), true);
    Reader files = *reader, linked = *reader;
    PtxTexts apart = {0}, together = {0};
    bool good = true;
    files.diags = diags_new(reader->arena);
    files.texts = &apart;
    for (const void *const *fatbin = wrapper->fatbins; good && *fatbin; fatbin++)
        good = add_fatbin(&files, *fatbin, fatbin_size(*fatbin), true);
    linked.diags = diags_new(reader->arena);
    linked.texts = &together;
    const bool whole = !good && wrapper->data && add_linked(&linked, wrapper->data);
    tell(reader->diags, whole ? linked.diags : files.diags);
    texts_link(reader->arena, &apart);
    const PtxTexts *found = whole ? &together : &apart;
    for (uint32_t i = 0; i < found->list.count; i++)
        *vec_add(reader->arena, &reader->texts->list) = found->list.at[i];
    return good || whole;
}

bool image_is_text(const void *image, size_t size) {
    uint32_t word = first_word(image, size);
    return word != WRAPPER_MAGIC && word != FATBIN_MAGIC && word != ELF_MAGIC;
}

static bool add_plain(Reader *reader, const char *image, size_t size) {
    bool whole = size == IMAGE_NO_LIMIT;
    size_t length = whole ? strlen(image) : strnlen(image, size);
    const char *text = whole ? image : arena_copy(reader->arena, image, length);
    if (!ptx_fits(reader->name, text, length, reader->choice->gpu, reader->diags))
        return false;
    add_text(reader, (PtxText){.text = text, .length = length});
    return true;
}

static bool add_image(Reader *reader, const void *image, size_t size) {
    bool whole = size == IMAGE_NO_LIMIT;
    uint32_t word = first_word(image, size);
    if (word == WRAPPER_MAGIC && whole)
        return add_wrapper(reader, image);
    if (word == FATBIN_MAGIC)
        return add_fatbin(reader, image, whole ? fatbin_size(image) : size, false);
    if (word == ELF_MAGIC)
        return add_cubin(reader, image, whole ? elf_size(image) : size);
    return add_plain(reader, image, size);
}

bool image_ptx(Arena *arena, const char *name, const void *image, size_t size,
               const ArchChoice *choice, PtxTexts *texts, Diags *diags) {
    Reader reader = {arena, name, choice, texts, diags};
    bool good = add_image(&reader, image, size);
    texts_provide(arena, texts);
    return good;
}
