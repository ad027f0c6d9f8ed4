/* Sections and symbols of ELF files, found by walking the headers: host executables for the fat
 * binaries and names in them, cubins (machine EM_CUDA, the same format) for the PTX that debugging
 * builds keep. Every offset is checked against the file's size before it is used. */
#include "image/image.h"

#include <elf.h>
#include <string.h>

static bool inside(uint64_t offset, uint64_t bytes, uint64_t size) {
    return offset <= size && bytes <= size - offset;
}

static bool header_at(const uint8_t *data, size_t size, Elf64_Ehdr *header) {
    if (size < sizeof *header)
        return false;
    memcpy(header, data, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB;
}

static bool raw_section(const Elf *elf, uint32_t index, Elf64_Shdr *raw) {
    if (index >= elf->section_count)
        return false;
    memcpy(raw, elf->data + elf->sections + (uint64_t)index * sizeof *raw, sizeof *raw);
    return true;
}

bool elf_open(Elf *elf, const void *data, size_t size) {
    Elf64_Ehdr header;
    *elf = (Elf){.data = data, .size = size};
    if (!header_at(data, size, &header))
        return false;
    elf->machine = header.e_machine;
    elf->type = header.e_type;
    elf->flags = header.e_flags;
    elf->abi = header.e_ident[EI_ABIVERSION];
    if (header.e_shoff == 0)
        return true; /* without sections: nothing to be found in it */
    if (header.e_shentsize != sizeof(Elf64_Shdr))
        return false;
    uint64_t count = header.e_shnum;
    uint32_t names = header.e_shstrndx;
    if (count == 0 || names == SHN_XINDEX) { /* more than 65,279: the first section says so */
        Elf64_Shdr first;
        if (!inside(header.e_shoff, sizeof first, size))
            return false;
        memcpy(&first, elf->data + header.e_shoff, sizeof first);
        count = count ? count : first.sh_size;
        names = names == SHN_XINDEX ? first.sh_link : names;
    }
    if (count > UINT32_MAX || !inside(header.e_shoff, count * sizeof(Elf64_Shdr), size))
        return false;
    elf->sections = header.e_shoff;
    elf->section_count = (uint32_t)count;
    elf->names = names;
    return true;
}

size_t elf_size(const void *data) {
    Elf64_Ehdr header;
    if (!header_at(data, sizeof header, &header))
        return 0;
    uint64_t size = sizeof header;
    uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
    size = end > size ? end : size;
    end = header.e_phoff + (uint64_t)header.e_phnum * header.e_phentsize;
    size = end > size ? end : size;
    for (uint32_t i = 0; header.e_shentsize == sizeof(Elf64_Shdr) && i < header.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, (const uint8_t *)data + header.e_shoff + i * sizeof section,
               sizeof section);
        end = section.sh_offset + (section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
        size = end > size ? end : size;
    }
    return size;
}

/* The NUL-terminated string at offset of a string table. */
static Str string_at(const Elf *elf, const Elf64_Shdr *table, uint64_t offset) {
    if (!inside(table->sh_offset, table->sh_size, elf->size) || offset >= table->sh_size ||
        table->sh_type == SHT_NOBITS)
        return STR("");
    const char *text = (const char *)elf->data + table->sh_offset + offset;
    return (Str){text, strnlen(text, table->sh_size - offset)};
}

bool elf_section(const Elf *elf, uint32_t index, ElfSection *section) {
    Elf64_Shdr raw, names;
    if (!raw_section(elf, index, &raw))
        return false;
    *section = (ElfSection){.name = STR(""),
                            .address = raw.sh_addr,
                            .flags = raw.sh_flags,
                            .type = raw.sh_type,
                            .link = raw.sh_link,
                            .entry_size = (uint32_t)raw.sh_entsize};
    if (elf->names && raw_section(elf, elf->names, &names))
        section->name = string_at(elf, &names, raw.sh_name);
    if (raw.sh_type == SHT_NOBITS) {
        section->size = raw.sh_size;
    } else if (raw.sh_type != SHT_NULL && inside(raw.sh_offset, raw.sh_size, elf->size)) {
        section->data = elf->data + raw.sh_offset;
        section->size = raw.sh_size;
    }
    return true;
}

bool elf_section_named(const Elf *elf, const char *name, ElfSection *section) {
    for (uint32_t i = 0; i < elf->section_count; i++)
        if (elf_section(elf, i, section) && section->data && str_is(section->name, name))
            return true;
    return false;
}

bool elf_section_typed(const Elf *elf, uint32_t type, ElfSection *section) {
    for (uint32_t i = 0; i < elf->section_count; i++)
        if (elf_section(elf, i, section) && section->data && section->type == type)
            return true;
    return false;
}

uint64_t elf_symbol_count(const ElfSection *table) {
    return table->data ? table->size / sizeof(Elf64_Sym) : 0;
}

bool elf_symbol(const Elf *elf, const ElfSection *table, uint64_t index, ElfSymbol *symbol) {
    enum { MANAGED = 0x04, ENTRY = 0x10 }; /* STO_CUDA_… */
    Elf64_Sym raw;
    Elf64_Shdr strings;
    if (index >= elf_symbol_count(table) || !raw_section(elf, table->link, &strings))
        return false;
    memcpy(&raw, table->data + index * sizeof raw, sizeof raw);
    *symbol = (ElfSymbol){.name = string_at(elf, &strings, raw.st_name),
                          .value = raw.st_value,
                          .size = raw.st_size,
                          .is_function = ELF64_ST_TYPE(raw.st_info) == STT_FUNC,
                          .is_defined = raw.st_shndx != SHN_UNDEF,
                          .is_object = ELF64_ST_TYPE(raw.st_info) == STT_OBJECT,
                          .is_entry = raw.st_other & ENTRY,
                          .is_managed = raw.st_other & MANAGED,
                          .section = raw.st_shndx};
    return true;
}
