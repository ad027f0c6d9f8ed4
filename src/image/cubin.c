/* Reads what a cubin says beside its code. An attribute of .nv.info is a format, a kind, and with them a byte, a short, or a length and so
 * many bytes (the layout is what nvdisasm shows of cubins that nvcc made with and without each property). */
#include "image/cubin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_NONE = 1, FORMAT_BYTE, FORMAT_SHORT, FORMAT_SIZED };

enum { /* EIATTR_… */
       MAX_THREADS = 0x05,
       PARAM_CBANK = 0x0a,
       REQUIRED_THREADS = 0x10,
       FRAME_SIZE = 0x11,
       MIN_STACK_SIZE = 0x12,
       PARAM_INFO = 0x17,
       REGISTERS = 0x2f,
       CLUSTER = 0x3d,
       EXPLICIT_CLUSTER = 0x3e,
       PARAM_INFO_2 = 0x45
};

enum { PARAMS_MOST = 4096, PARAM_BYTES_MOST = 32764, NAMES_FIRST = 16 };

typedef struct Attribute {
    uint32_t format, kind;
    const uint8_t *data; /* of FORMAT_SIZED */
    uint32_t bytes;
} Attribute;

typedef struct Reader {
    Arena *arena;
    const char *name;
    Cubin *cubin;
    ElfSection symbols;
    Map *kernels; /* names to numbers, plus 1 */
    Diags *diags;
} Reader;

static uint32_t u16_at(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8;
}

static uint32_t u32_at(const uint8_t *at) {
    return u16_at(at) | u16_at(at + 2) << 16;
}

/* The attribute at *at, which is then behind it. false: cut short, or of a format that is not known. */
static bool next_attribute(const ElfSection *section, uint64_t *at, Attribute *attribute) {
    const uint64_t left = section->size - *at;
    if (left < 4)
        return false;
    const uint8_t *here = section->data + *at;
    *attribute = (Attribute){.format = here[0], .kind = here[1]};
    *at += 4;
    if (attribute->format == FORMAT_SIZED) {
        attribute->bytes = u16_at(here + 2);
        attribute->data = here + 4;
        if (attribute->bytes > left - 4)
            return false;
        *at += attribute->bytes;
    }
    return attribute->format >= FORMAT_NONE && attribute->format <= FORMAT_SIZED;
}

static bool malformed(const Reader *reader, Str section, const char *what) {
    diags_error(reader->diags, "%s: the cubin's section " STR_FMT " is malformed: %s", reader->name,
                STR_ARG(section), what);
    return false;
}

/* ---- a kernel's own attributes ---- */

static bool add_param(Reader *reader, Str section, CubinKernel *kernel, uint32_t number,
                      uint32_t offset, uint32_t bytes) {
    if (number >= PARAMS_MOST || offset > PARAM_BYTES_MOST || bytes > PARAM_BYTES_MOST - offset)
        return malformed(reader, section, "a parameter lies beyond what a kernel may have");
    while (kernel->params.count <= number)
        *vec_add(reader->arena, &kernel->params) = (CubinParam){0};
    if (kernel->params.at[number].said)
        return malformed(reader, section, "a parameter is there twice");
    kernel->params.at[number] = (CubinParam){offset, bytes, true};
    return true;
}

static void read_three(const Attribute *attribute, uint32_t values[3]) {
    for (uint32_t i = 0; i < 3; i++)
        values[i] = u32_at(attribute->data + 4 * i);
}

static bool is_three(const Attribute *attribute) {
    enum { MOST = 65536 };
    if (attribute->format != FORMAT_SIZED || attribute->bytes < 12)
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (u32_at(attribute->data + 4 * i) > MOST)
            return false;
    return true;
}

static bool take_attribute(Reader *reader, Str section, CubinKernel *kernel,
                           const Attribute *attribute) {
    const uint8_t *data = attribute->data;
    const bool sized = attribute->format == FORMAT_SIZED;
    switch (attribute->kind) {
    case PARAM_INFO: /* of the word behind the offset the upper 14 bits are the size */
    case PARAM_INFO_2:
        if (!sized || attribute->bytes < 12)
            return malformed(reader, section, "a parameter is cut short");
        return add_param(reader, section, kernel, u16_at(data + 4), u16_at(data + 6),
                         attribute->kind == PARAM_INFO ? u32_at(data + 8) >> 18 : u16_at(data + 8));
    case PARAM_CBANK:
        if (!sized || attribute->bytes < 8)
            return malformed(reader, section, "the parameters' place is cut short");
        kernel->params_begin = u16_at(data + 4);
        return true;
    case MAX_THREADS:
    case REQUIRED_THREADS:
    case CLUSTER:
        if (!is_three(attribute))
            return malformed(reader, section, "a shape is cut short or too large");
        read_three(attribute, attribute->kind == MAX_THREADS        ? kernel->max_threads
                              : attribute->kind == REQUIRED_THREADS ? kernel->required_threads
                                                                    : kernel->cluster);
        return true;
    case EXPLICIT_CLUSTER:
        kernel->explicit_cluster = true;
        return true;
    default:
        return true;
    }
}

static bool read_attributes(Reader *reader, const ElfSection *section, CubinKernel *kernel) {
    Attribute attribute;
    for (uint64_t at = 0; at < section->size;)
        if (!next_attribute(section, &at, &attribute))
            return malformed(reader, section->name, "an attribute is cut short");
        else if (!take_attribute(reader, section->name, kernel, &attribute))
            return false;
    for (uint32_t i = 0; i < kernel->params.count; i++)
        if (!kernel->params.at[i].said)
            return malformed(reader, section->name, "a parameter is missing");
    return true;
}

/* ---- symbols ---- */

static CubinKernel *kernel_named(const Reader *reader, Str name) {
    uint64_t number;
    return map_get(reader->kernels, name, &number) ? &reader->cubin->kernels.at[number] : NULL;
}

static bool add_variable(Reader *reader, const ElfSymbol *symbol, const ElfSection *section) {
    const bool constant = str_is(section->name, ".nv.constant3");
    if (!constant && !str_is(section->name, ".nv.global") &&
        !str_is(section->name, ".nv.global.init"))
        return true;
    if (symbol->size == 0)
        return true;
    if (symbol->value > section->size || symbol->size > section->size - symbol->value)
        return malformed(reader, section->name, "a variable leaves it");
    CubinVariable *variable = vec_add(reader->arena, &reader->cubin->variables);
    *variable = (CubinVariable){.name = symbol->name,
                                .offset = symbol->value,
                                .bytes = symbol->size,
                                .section = symbol->section,
                                .data = section->data ? section->data + symbol->value : NULL,
                                .constant = constant,
                                .managed = symbol->is_managed};
    return true;
}

/* A name that PTX may have. */
static bool is_name(Str name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$%"
                                  "0123456789";
    if (!name.length || (*name.at >= '0' && *name.at <= '9'))
        return false;
    for (size_t i = 0; i < name.length; i++)
        if (!name.at[i] || !strchr(letters, name.at[i]))
            return false;
    return true;
}

static bool add_symbol(Reader *reader, uint32_t number, const ElfSymbol *symbol) {
    Cubin *cubin = reader->cubin;
    ElfSection section;
    const bool wanted = symbol->is_function ? symbol->is_entry || !symbol->is_defined
                                            : symbol->is_object && symbol->is_defined;
    if (!wanted || !symbol->name.length)
        return true;
    if (!symbol->is_defined) {
        if (is_name(symbol->name))
            *vec_add(reader->arena, &cubin->outside) = symbol->name;
        return true;
    }
    if (!elf_section(&cubin->elf, symbol->section, &section))
        return malformed(reader, STR(".symtab"), "a symbol lies in no section");
    if (!is_name(symbol->name)) {
        diags_error(reader->diags, "%s: the cubin names something '" STR_FMT "', which PTX cannot",
                    reader->name, STR_ARG(symbol->name));
        return false;
    }
    if (symbol->is_object)
        return add_variable(reader, symbol, &section);
    if (kernel_named(reader, symbol->name))
        return malformed(reader, STR(".symtab"), "a kernel is there twice");
    map_put(reader->kernels, symbol->name, cubin->kernels.count);
    *vec_add(reader->arena, &cubin->kernels) =
        (CubinKernel){.name = symbol->name, .symbol = number};
    return true;
}

static bool read_symbols(Reader *reader) {
    const Elf *elf = &reader->cubin->elf;
    if (!elf_section_typed(elf, SHT_SYMTAB, &reader->symbols))
        return true; /* nothing in it */
    const uint64_t count = elf_symbol_count(&reader->symbols);
    for (uint64_t i = 0; i < count && i < UINT32_MAX; i++) {
        ElfSymbol symbol;
        if (elf_symbol(elf, &reader->symbols, i, &symbol) &&
            !add_symbol(reader, (uint32_t)i, &symbol))
            return false;
    }
    return true;
}

/* ---- sections ---- */

/* Addresses in the values of variables. sh_info is not kept by elf.c: the name says which section they are of. */
static bool read_addresses(Reader *reader, const ElfSection *section) {
    static const char prefix[] = ".rela";
    const Str of = str_drop(section->name, sizeof prefix - 1);
    const Elf *elf = &reader->cubin->elf;
    uint32_t target = 0;
    ElfSection other;
    while (target < elf->section_count &&
           !(elf_section(elf, target, &other) && str_equal(other.name, of)))
        target++;
    if (target == elf->section_count || !reader->symbols.data)
        return malformed(reader, section->name, "it belongs to no section");
    for (uint64_t at = 0; section->size - at >= sizeof(Elf64_Rela); at += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        ElfSymbol symbol;
        memcpy(&rela, section->data + at, sizeof rela);
        if (rela.r_offset > other.size ||
            !elf_symbol(elf, &reader->symbols, ELF64_R_SYM(rela.r_info), &symbol))
            return malformed(reader, section->name, "an address lies outside, or has no symbol");
        *vec_add(reader->arena, &reader->cubin->addresses) =
            (CubinAddress){.section = target,
                           .offset = rela.r_offset,
                           .type = (uint32_t)ELF64_R_TYPE(rela.r_info),
                           .symbol = symbol.name,
                           .addend = rela.r_addend};
    }
    return true;
}

static bool read_section(Reader *reader, const ElfSection *section) {
    static const char info[] = ".nv.info.", shared[] = ".nv.shared.";
    enum { SHARED_MOST = 256 << 10 };
    CubinKernel *kernel;
    if (str_starts(section->name, info) && section->data) {
        kernel = kernel_named(reader, str_drop(section->name, sizeof info - 1));
        return !kernel || read_attributes(reader, section, kernel);
    }
    if (str_starts(section->name, shared)) {
        kernel = kernel_named(reader, str_drop(section->name, sizeof shared - 1));
        if (section->size > SHARED_MOST)
            return malformed(reader, section->name, "no kernel has so much shared memory");
        if (kernel)
            kernel->shared_bytes = (uint32_t)section->size;
        return true;
    }
    if (section->data && (str_is(section->name, ".rela.nv.global.init") ||
                          str_is(section->name, ".rela.nv.constant3")))
        return read_addresses(reader, section);
    return true;
}

static int by_place(const void *left, const void *right) {
    const CubinVariable *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_offset(const void *left, const void *right) {
    const CubinAddress *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

bool cubin_read(Arena *arena, const char *name, const void *data, size_t size, Arch arch,
                Cubin *cubin, Diags *diags) {
    Reader reader = {
        .arena = arena, .name = name, .cubin = cubin, .kernels = map_new(arena), .diags = diags};
    *cubin = (Cubin){.arch = arch};
    if (!elf_open(&cubin->elf, data, size) || !arch.number) {
        diags_error(diags, "%s: a cubin that is cut short, or does not say for which GPU", name);
        return false;
    }
    if (cubin->elf.type == ET_REL) {
        diags_error(diags, "%s: machine code of relocatable functions, which is not linked yet",
                    name);
        return false;
    }
    if (!read_symbols(&reader))
        return false;
    for (uint32_t i = 0; i < cubin->elf.section_count; i++) {
        ElfSection section;
        if (elf_section(&cubin->elf, i, &section) && !read_section(&reader, &section))
            return false;
    }
    if (cubin->variables.count)
        qsort(cubin->variables.at, cubin->variables.count, sizeof *cubin->variables.at, by_place);
    if (cubin->addresses.count)
        qsort(cubin->addresses.at, cubin->addresses.count, sizeof *cubin->addresses.at, by_offset);
    return true;
}

/* ---- what a function takes ---- */

/* EIATTR_… with a symbol and a number. */
static bool is_of(const Elf *elf, const ElfSection *symbols, const Attribute *attribute,
                  const char *function) {
    ElfSymbol symbol;
    return attribute->format == FORMAT_SIZED && attribute->bytes >= 8 &&
           elf_symbol(elf, symbols, u32_at(attribute->data), &symbol) &&
           str_is(symbol.name, function);
}

bool cubin_resources(const void *cubin, size_t size, const char *function,
                     CubinResources *resources) {
    Elf elf;
    ElfSection info, symbols;
    Attribute attribute;
    *resources = (CubinResources){0};
    if (!elf_open(&elf, cubin, size) || !elf_section_typed(&elf, SHT_SYMTAB, &symbols) ||
        !elf_section_named(&elf, ".nv.info", &info))
        return false;
    for (uint64_t at = 0; at < info.size && next_attribute(&info, &at, &attribute);) {
        const uint32_t kind = attribute.kind;
        if ((kind != REGISTERS && kind != FRAME_SIZE && kind != MIN_STACK_SIZE) ||
            !is_of(&elf, &symbols, &attribute, function))
            continue;
        const uint32_t value = u32_at(attribute.data + 4);
        if (kind == REGISTERS)
            resources->registers = value;
        else if (kind == MIN_STACK_SIZE || !resources->stack_bytes)
            resources->stack_bytes = value;
    }
    return resources->registers > 0;
}

/* ---- what a kernel may call ---- */

/* A function of its own section. What lies in the section of another kernel is of that one. */
static bool is_called(const Elf *elf, const ElfSymbol *symbol) {
    ElfSection section;
    return symbol->value == 0 && elf_section(elf, symbol->section, &section) &&
           str_starts(section.name, ".text.");
}

const char *cubin_functions(Arena *arena, const void *cubin, size_t size, const char *kernel,
                            uint32_t *kernels) {
    Elf elf;
    ElfSection symbols;
    PrintedText printed;
    bool found = false;
    uint32_t listed = 0;
    *kernels = 0;
    if (!elf_open(&elf, cubin, size) || !elf_section_typed(&elf, SHT_SYMTAB, &symbols))
        return NULL;
    FILE *out = printed_begin(&printed, arena);
    const uint64_t count = elf_symbol_count(&symbols);
    for (uint64_t i = 0; i < count; i++) {
        ElfSymbol symbol;
        if (!elf_symbol(&elf, &symbols, i, &symbol) || !symbol.is_function || !symbol.is_defined)
            continue;
        const bool wanted =
            symbol.is_entry ? str_is(symbol.name, kernel) : is_called(&elf, &symbol);
        *kernels += symbol.is_entry;
        found |= wanted && symbol.is_entry;
        if (wanted)
            fprintf(out, "%s%llu", listed++ ? "," : "", (unsigned long long)i);
    }
    const char *numbers = printed_end(&printed);
    return found ? numbers : NULL;
}
