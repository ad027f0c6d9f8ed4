/* Loads an object file: sections one behind the other, relocated while they can be written, executable from then on. */
#include "exec/tier/object.h"
#include "exec/tier/relocate.h"

#include <elf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SECTIONS_MOST = 4096, IMAGE_MOST = 64 << 20 };

/* ---- the file, of which nothing is believed ---- */

typedef struct ObjectFile {
    const uint8_t *file;
    size_t size;
    const Elf64_Shdr *sections; /* copied: aligned */
    uint32_t count;
    const Elf64_Sym *symbols; /* copied */
    uint32_t symbol_count;
    const char *names; /* of symbols, ends with NUL */
    size_t name_bytes;
    uint64_t *place; /* [count]: of each section in memory; NOWHERE: it is not loaded */
    uint64_t bytes;  /* of all, stubs included */
    uint64_t stubs;  /* where they begin */
    uint8_t *at;
} ObjectFile;

#define NOWHERE UINT64_MAX

/* The bytes of a section; NULL: they are not in the file. */
static const uint8_t *section_bytes(const ObjectFile *object, const Elf64_Shdr *section) {
    bool inside =
        section->sh_offset <= object->size && section->sh_size <= object->size - section->sh_offset;
    return inside && section->sh_type != SHT_NOBITS ? object->file + section->sh_offset : NULL;
}

static void *copy(Arena *arena, const void *from, size_t bytes) {
    void *to = arena_alloc(arena, bytes + 1);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

static bool read_sections(Arena *arena, ObjectFile *object) {
    const Relocating *here = relocating_here();
    Elf64_Ehdr head;
    if (object->size < sizeof head || !here)
        return false;
    memcpy(&head, object->file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_type != ET_REL ||
        head.e_machine != here->machine || head.e_shentsize != sizeof(Elf64_Shdr) ||
        head.e_shnum == 0 || head.e_shnum > SECTIONS_MOST || head.e_shoff > object->size ||
        (object->size - head.e_shoff) / sizeof(Elf64_Shdr) < head.e_shnum)
        return false;
    object->count = head.e_shnum;
    object->sections = copy(arena, object->file + head.e_shoff, object->count * sizeof(Elf64_Shdr));
    return true;
}

static bool read_symbols(Arena *arena, ObjectFile *object) {
    for (uint32_t i = 0; i < object->count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (section->sh_type != SHT_SYMTAB || section->sh_link >= object->count)
            continue;
        const Elf64_Shdr *strings = &object->sections[section->sh_link];
        const uint8_t *symbols = section_bytes(object, section);
        const uint8_t *names = section_bytes(object, strings);
        if (!symbols || !names || !strings->sh_size || names[strings->sh_size - 1])
            return false;
        object->symbol_count = (uint32_t)(section->sh_size / sizeof(Elf64_Sym));
        object->symbols = copy(arena, symbols, object->symbol_count * sizeof(Elf64_Sym));
        object->names = (const char *)names;
        object->name_bytes = strings->sh_size;
        return true;
    }
    return false;
}

static const char *symbol_name(const ObjectFile *object, const Elf64_Sym *symbol) {
    return symbol->st_name < object->name_bytes ? object->names + symbol->st_name : "";
}

/* ---- where everything lies ---- */

/* Tables for unwinding are not: nothing unwinds through the code. */
static bool is_loaded(const Elf64_Shdr *section) {
    return (section->sh_flags & SHF_ALLOC) && section->sh_type == SHT_PROGBITS &&
           (section->sh_flags & (SHF_EXECINSTR | SHF_MERGE) || !(section->sh_flags & SHF_WRITE));
}

static bool place_sections(Arena *arena, ObjectFile *object) {
    uint64_t at = 0;
    object->place = NEW_ARRAY(arena, uint64_t, object->count);
    for (uint32_t i = 0; i < object->count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        uint64_t align = section->sh_addralign ? section->sh_addralign : 1;
        object->place[i] = NOWHERE;
        if (!is_loaded(section))
            continue;
        if (!section_bytes(object, section) || align > 4096 || (align & (align - 1)))
            return false;
        at = (at + align - 1) & ~(align - 1);
        object->place[i] = at;
        at += section->sh_size;
        if (at > IMAGE_MOST)
            return false;
    }
    object->stubs = (at + STUB_BYTES - 1) & ~(uint64_t)(STUB_BYTES - 1);
    object->bytes = object->stubs + (uint64_t)object->symbol_count * STUB_BYTES;
    return object->bytes > 0 && object->bytes <= IMAGE_MOST;
}

/* ---- functions of the C library ---- */

/* What LLVM calls for operations that the processor's level lacks, and to move bytes. */
static uint64_t library_function(const char *name) {
    static const struct {
        const char *name;
        double (*of_doubles)(double);
        float (*of_floats)(float);
    } roundings[] = {{"rint", rint, NULL},     {"rintf", NULL, rintf}, {"trunc", trunc, NULL},
                     {"truncf", NULL, truncf}, {"floor", floor, NULL}, {"floorf", NULL, floorf},
                     {"ceil", ceil, NULL},     {"ceilf", NULL, ceilf}, {"sqrt", sqrt, NULL},
                     {"sqrtf", NULL, sqrtf}};
    for (uint32_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
        if (strcmp(name, roundings[i].name) == 0)
            return roundings[i].of_doubles ? (uint64_t)(uintptr_t)roundings[i].of_doubles
                                           : (uint64_t)(uintptr_t)roundings[i].of_floats;
    }
    return strcmp(name, "fma") == 0       ? (uint64_t)(uintptr_t)fma
           : strcmp(name, "fmaf") == 0    ? (uint64_t)(uintptr_t)fmaf
           : strcmp(name, "memcpy") == 0  ? (uint64_t)(uintptr_t)memcpy
           : strcmp(name, "memmove") == 0 ? (uint64_t)(uintptr_t)memmove
           : strcmp(name, "memset") == 0  ? (uint64_t)(uintptr_t)memset
                                          : 0;
}

static uint64_t make_stub(const ObjectFile *object, uint32_t symbol, uint64_t address) {
    uint8_t *stub = object->at + object->stubs + (uint64_t)symbol * STUB_BYTES;
    relocating_here()->make_stub(stub, address);
    return (uint64_t)(uintptr_t)stub;
}

/* 0: it is nowhere. */
static uint64_t symbol_address(const ObjectFile *object, uint32_t number) {
    if (number >= object->symbol_count)
        return 0;
    const Elf64_Sym *symbol = &object->symbols[number];
    if (symbol->st_shndx == SHN_UNDEF) {
        uint64_t address = library_function(symbol_name(object, symbol));
        return address ? make_stub(object, number, address) : 0;
    }
    if (symbol->st_shndx >= object->count || object->place[symbol->st_shndx] == NOWHERE ||
        symbol->st_value > object->sections[symbol->st_shndx].sh_size)
        return 0;
    return (uint64_t)(uintptr_t)object->at + object->place[symbol->st_shndx] + symbol->st_value;
}

/* ---- relocations ---- */

static bool relocate(const ObjectFile *object, uint32_t section, const Elf64_Rela *rela) {
    uint64_t symbol = symbol_address(object, (uint32_t)ELF64_R_SYM(rela->r_info));
    uint64_t size = object->sections[section].sh_size;
    if (!symbol || rela->r_offset > size)
        return false;
    uint8_t *where = object->at + object->place[section] + rela->r_offset;
    return relocating_here()->refer((uint32_t)ELF64_R_TYPE(rela->r_info), where,
                                    size - rela->r_offset, symbol + (uint64_t)rela->r_addend);
}

static bool relocate_all(const ObjectFile *object) {
    for (uint32_t i = 0; i < object->count; i++) {
        const Elf64_Shdr *table = &object->sections[i];
        bool is_table = table->sh_type == SHT_RELA || table->sh_type == SHT_REL;
        if (!is_table || table->sh_info >= object->count ||
            object->place[table->sh_info] == NOWHERE)
            continue;
        const uint8_t *bytes = section_bytes(object, table);
        if (table->sh_type == SHT_REL || !bytes)
            return false;
        for (uint64_t at = 0; table->sh_size - at >= sizeof(Elf64_Rela); at += sizeof(Elf64_Rela)) {
            Elf64_Rela rela;
            memcpy(&rela, bytes + at, sizeof rela);
            if (!relocate(object, table->sh_info, &rela))
                return false;
        }
    }
    return true;
}

/* ---- all of it ---- */

static bool read_object(Arena *arena, const void *file, size_t size, ObjectFile *object) {
    *object = (ObjectFile){.file = file, .size = size};
    return read_sections(arena, object) && read_symbols(arena, object) &&
           place_sections(arena, object);
}

static bool load(const ObjectFile *object) {
    for (uint32_t i = 0; i < object->count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (object->place[i] != NOWHERE && section->sh_size)
            memcpy(object->at + object->place[i], section_bytes(object, section), section->sh_size);
    }
    if (!relocate_all(object))
        return false;
    /* The instruction cache of some processors does not see what was stored. */
    __builtin___clear_cache((char *)object->at, (char *)object->at + object->bytes);
    return mprotect(object->at, object->bytes, PROT_READ | PROT_EXEC) == 0;
}

bool object_load(const void *file, size_t size, LoadedObject *loaded) {
    Arena *arena = arena_new();
    ObjectFile object;
    *loaded = (LoadedObject){.at = NULL};
    if (read_object(arena, file, size, &object)) {
        void *at =
            mmap(NULL, object.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at != MAP_FAILED) {
            object.at = at;
            *loaded = (LoadedObject){.at = at, .bytes = object.bytes};
            if (!load(&object))
                object_unload(loaded);
        }
    }
    arena_free(arena);
    return loaded->at != NULL;
}

uint64_t object_function(const void *file, size_t size, const LoadedObject *loaded,
                         const char *name) {
    Arena *arena = arena_new();
    ObjectFile object;
    uint64_t address = 0;
    bool good = read_object(arena, file, size, &object);
    object.at = loaded->at;
    for (uint32_t i = 0; good && !address && i < object.symbol_count; i++) {
        const Elf64_Sym *symbol = &object.symbols[i];
        bool defined = symbol->st_shndx != SHN_UNDEF &&
                       ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
                       strcmp(symbol_name(&object, symbol), name) == 0;
        address = defined ? symbol_address(&object, i) : 0;
    }
    arena_free(arena);
    return address;
}

void object_unload(LoadedObject *object) {
    if (object->at)
        munmap(object->at, object->bytes);
    *object = (LoadedObject){.at = NULL};
}
