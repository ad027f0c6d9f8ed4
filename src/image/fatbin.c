/* The entries of a fat binary and what is packed in them.
 *
 *   fatbin  = magic:u32 version:u16 header_bytes:u16 size:u64  { entry }
 *   entry   = header (64 bytes and more; the fields below)  payload (padded to 8)
 *
 * Sizes in the file are believed only as far as they stay inside what encloses them. */
#include "image/image.h"

#include <elf.h>
#include <lz4.h>
#include <string.h>
#include <zstd.h>

enum { /* of an entry's header */
       KIND = 0,
       HEADER_BYTES = 4,
       PAYLOAD_BYTES = 8,
       PACKED_BYTES = 16,
       OPTIONS_AT = 20, /* offset of {offset, length} of the text */
       ISA_MINOR = 24,
       ISA_MAJOR = 26,
       ARCH = 28,
       SOURCE_AT = 32,
       SOURCE_LENGTH = 36,
       FLAGS = 40,
       UNPACKED_BYTES = 56,
       ENTRY_BYTES = 64
};

enum {
    FLAG_DEBUG = 0x2,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_ARCH_SPECIFIC = 0x100000,
    FLAG_FAMILY = 0x200000
};

/* Nobody ships PTX or a cubin of half a gigabyte; a broken size is not worth an allocation. */
#define UNPACKED_MOST (UINT64_C(1) << 29)

static uint16_t u16_at(const uint8_t *at) {
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t u32_at(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t u64_at(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* A text in the header of an entry; empty where it would leave it. */
static Str text_in(const uint8_t *header, uint32_t header_bytes, uint32_t at, uint32_t length) {
    if (at == 0 || at > header_bytes || length > header_bytes - at)
        return STR("");
    const char *text = (const char *)header + at;
    return (Str){text, strnlen(text, length)};
}

static bool contains(Str text, const char *word) {
    return memmem(text.at, text.length, word, strlen(word)) != NULL;
}

static void fill_entry(const uint8_t *header, uint32_t header_bytes, FatEntry *entry) {
    uint64_t flags = u64_at(header + FLAGS), payload = u64_at(header + PAYLOAD_BYTES);
    uint32_t packed = u32_at(header + PACKED_BYTES);
    *entry = (FatEntry){.kind = u16_at(header + KIND),
                        .arch = {.number = u16_at(header + ARCH),
                                 .variant = flags & FLAG_ARCH_SPECIFIC ? 'a'
                                            : flags & FLAG_FAMILY      ? 'f'
                                                                       : 0},
                        .major = u16_at(header + ISA_MAJOR),
                        .minor = u16_at(header + ISA_MINOR),
                        .debug = (flags & FLAG_DEBUG) != 0,
                        .options = STR(""),
                        .source = text_in(header, header_bytes, u32_at(header + SOURCE_AT),
                                          u32_at(header + SOURCE_LENGTH)),
                        .packing = flags & FLAG_ZSTD  ? FAT_ZSTD
                                   : flags & FLAG_LZ4 ? FAT_LZ4
                                                      : FAT_PLAIN,
                        .payload = header + header_bytes,
                        .stored = packed && packed <= payload ? packed : payload};
    entry->unpacked = entry->packing == FAT_PLAIN ? payload : u64_at(header + UNPACKED_BYTES);
    uint32_t options = u32_at(header + OPTIONS_AT);
    if (options && options <= header_bytes - 8)
        entry->options =
            text_in(header, header_bytes, u32_at(header + options), u32_at(header + options + 4));
}

bool fatbin_read(Arena *arena, const char *name, const void *data, size_t size, Fatbin *fatbin,
                 Diags *diags) {
    const uint8_t *bytes = data;
    *fatbin = (Fatbin){.name = name};
    if (size < FATBIN_HEADER_BYTES || u32_at(bytes) != FATBIN_MAGIC) {
        diags_error(diags, "%s: not a fat binary", name);
        return false;
    }
    uint64_t at = u16_at(bytes + 6), length = u64_at(bytes + 8);
    if (at < FATBIN_HEADER_BYTES || at > size || length > size - at) {
        diags_error(diags, "%s: the fat binary is cut short: %llu bytes announced, %zu there", name,
                    (unsigned long long)length, size);
        return false;
    }
    uint64_t end = fatbin->bytes = at + length;
    while (at < end) {
        uint32_t header = end - at >= ENTRY_BYTES ? u32_at(bytes + at + HEADER_BYTES) : 0;
        if (header < ENTRY_BYTES || header > end - at ||
            u64_at(bytes + at + PAYLOAD_BYTES) > end - at - header) {
            diags_error(diags, "%s: entry %u of the fat binary, at byte %llu, is malformed", name,
                        fatbin->entries.count + 1, (unsigned long long)at);
            return false;
        }
        FatEntry *entry = vec_add(arena, &fatbin->entries);
        fill_entry(bytes + at, header, entry);
        at += header + u64_at(bytes + at + PAYLOAD_BYTES);
    }
    return true;
}

/* ---- unpacking ---- */

static const char *kind_name(uint32_t kind) {
    return kind == FAT_PTX ? "PTX" : kind == FAT_CUBIN ? "cubin" : kind == FAT_LTO ? "LTO-IR" : "?";
}

/* The entry's payload, unpacked, with a NUL behind it. */
static char *unpack(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, size_t *length,
                    Diags *diags) {
    char *out = NULL;
    uint64_t got = 0;
    if (entry->unpacked <= UNPACKED_MOST && entry->stored <= UNPACKED_MOST) {
        out = arena_alloc(arena, entry->unpacked + 1);
        if (entry->packing == FAT_PLAIN) {
            memcpy(out, entry->payload, entry->stored);
            got = entry->stored;
        } else if (entry->packing == FAT_ZSTD) {
            got = ZSTD_decompress(out, entry->unpacked, entry->payload, entry->stored);
        } else {
            got = (uint64_t)LZ4_decompress_safe((const char *)entry->payload, out,
                                                (int)entry->stored, (int)entry->unpacked);
        }
    }
    if (!out || got != entry->unpacked) {
        diags_error(diags, "%s: the %s for %s cannot be unpacked (%s)", fatbin->name,
                    kind_name(entry->kind), arch_name(arena, "sm", entry->arch),
                    entry->packing == FAT_ZSTD  ? "zstd"
                    : entry->packing == FAT_LZ4 ? "LZ4"
                                                : "too large");
        return NULL;
    }
    *length = (size_t)got;
    return out;
}

/* Section .nv_debug_ptx_txt holds the lines of the PTX, each ended by a NUL. */
static bool find_text(const Elf *elf, uint32_t number, ElfSection *section) {
    for (uint32_t i = 0; i < elf->section_count; i++)
        if (elf_section(elf, i, section) && str_starts(section->name, ".nv_debug_ptx_txt") &&
            section->data && section->size > 0 && number-- == 0)
            return true;
    return false;
}

/* The string at *at, of those in a section that end with NUL, and what is behind it; empty: there is none. */
static Str next_string(const char **at, const char *end) {
    const char *nul = memchr(*at, 0, (size_t)(end - *at));
    Str string = {*at, nul ? (size_t)(nul - *at) : 0};
    *at = nul ? nul + 1 : end;
    return string;
}

/* What ptxas was told when it made the cubin. Its note, section .note.nv.tkinfo, ends with strings: the tool, its release, its
 * build, its options (as readelf -p shows them of ptxas 13.0). Empty: there is none. */
static Str told_ptxas(const Elf *elf) {
    ElfSection note;
    if (!elf_section_named(elf, ".note.nv.tkinfo", &note) || !note.data)
        return (Str){0};
    const char *at = (const char *)note.data, *end = at + note.size;
    while (at < end) {
        if (!str_is(next_string(&at, end), "ptxas"))
            continue;
        next_string(&at, end);
        next_string(&at, end);
        return next_string(&at, end);
    }
    return (Str){0};
}

bool cubin_ptx(Arena *arena, const void *cubin, size_t size, uint32_t number, PtxText *text) {
    Elf elf;
    ElfSection section;
    if (!elf_open(&elf, cubin, size) || !find_text(&elf, number, &section))
        return false;
    char *lines = arena_copy(arena, (const char *)section.data, section.size);
    for (uint64_t i = 0; i < section.size; i++)
        lines[i] = lines[i] ? lines[i] : '\n';
    text->text = lines;
    text->length = section.size;
    text->origin.relocatable = elf.type == ET_REL;
    text->origin.options = ptxas_options(arena, told_ptxas(&elf));
    text->cubin = cubin;
    text->cubin_bytes = size;
    text->section = section.name;
    return true;
}

/* Of ABI 8, which CUDA 13 writes, the second byte of the flags; before that, the first (LLVM:
 * EF_CUDA_SM). */
bool cubin_arch(const void *cubin, size_t size, Arch *arch) {
    enum { ABI_OF_CUDA_13 = 8 };
    Elf elf;
    if (!elf_open(&elf, cubin, size))
        return false;
    *arch = (Arch){(elf.abi >= ABI_OF_CUDA_13 ? elf.flags >> 8 : elf.flags) & 0xff, 0};
    return arch->number > 0;
}

/* A function has a section of its own: .text and its name. */
static bool cubin_has_functions(const void *cubin, size_t size) {
    Elf elf;
    ElfSection section;
    if (!elf_open(&elf, cubin, size))
        return true; /* not known */
    for (uint32_t i = 0; i < elf.section_count; i++)
        if (elf_section(&elf, i, &section) && str_starts(section.name, ".text."))
            return true;
    return false;
}

bool fatbin_has_functions(Arena *arena, const Fatbin *fatbin) {
    for (uint32_t i = 0; i < fatbin->entries.count; i++) {
        const FatEntry *entry = &fatbin->entries.at[i];
        size_t length;
        char *data = NULL;
        if (entry->kind == FAT_CUBIN)
            data = unpack(arena, fatbin, entry, &length, diags_new(arena));
        if (!data || cubin_has_functions(data, length))
            return true;
    }
    return false;
}

const char *fatbin_mentions(Arena *arena, const Fatbin *fatbin, const char *const *words,
                            uint32_t count) {
    for (uint32_t i = 0; i < fatbin->entries.count; i++) {
        const FatEntry *entry = &fatbin->entries.at[i];
        size_t length = 0;
        const char *data = entry->kind == FAT_CUBIN
                               ? unpack(arena, fatbin, entry, &length, diags_new(arena))
                               : NULL;
        for (uint32_t k = 0; data && k < count; k++)
            if (memmem(data, length, words[k], strlen(words[k])))
                return words[k];
    }
    return NULL;
}

bool fatbin_ptx(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, PtxText *text,
                Diags *diags) {
    if (entry->kind != FAT_PTX && entry->kind != FAT_CUBIN)
        return false;
    size_t length;
    char *data = unpack(arena, fatbin, entry, &length, diags);
    if (entry->source.length)
        text->name = arena_copy(arena, entry->source.at, entry->source.length);
    if (!data || entry->kind == FAT_CUBIN)
        return data && cubin_ptx(arena, data, length, 0, text);
    while (length > 0 && data[length - 1] == 0) /* the payload is padded to 8 bytes */
        --length;
    text->text = data;
    text->length = length;
    text->origin.relocatable = contains(entry->options, "--compile-only");
    text->origin.options = ptxas_options(arena, entry->options);
    return true;
}

bool fatbin_declare(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, PtxText *text,
                    Diags *diags) {
    size_t length;
    char *data = unpack(arena, fatbin, entry, &length, diags);
    return data && cubin_declare(arena, fatbin->name, data, length, entry->arch, text, diags);
}
