/* Functions and references in machine code: see code.h. */
#include "image/code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static uint32_t u32_at(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t distance_at(const uint8_t *at) {
    return (uint64_t)(int64_t)(int32_t)u32_at(at);
}

/* ---- sections ---- */

static const ElfSection *section_at(const Code *code, uint64_t address) {
    for (uint32_t i = 0; i < code->sections.count; i++)
        if (address - code->sections.at[i].address < code->sections.at[i].size)
            return &code->sections.at[i];
    return NULL;
}

Str code_string(const Code *code, uint64_t address) {
    enum { TEXT_MOST = 1 << 14 }; /* longer than any name */
    const ElfSection *section = section_at(code, address);
    if (!section || !section->data || section->flags & (SHF_WRITE | SHF_EXECINSTR))
        return STR("");
    uint64_t offset = address - section->address;
    const char *text = (const char *)section->data + offset;
    size_t room = section->size - offset < TEXT_MOST ? section->size - offset : TEXT_MOST;
    size_t length = strnlen(text, room);
    return length < room ? (Str){text, length} : STR("");
}

/* ---- functions ---- */

static int by_start(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* In order, and none inside another, whatever the table says. */
static void settle_functions(Code *code) {
    uint32_t kept = 0;
    if (code->functions.count)
        qsort(code->functions.at, code->functions.count, sizeof(CodeFunction), by_start);
    for (uint32_t i = 0; i < code->functions.count; i++) {
        const CodeFunction *function = &code->functions.at[i];
        if (function->end > function->start &&
            (kept == 0 || function->start >= code->functions.at[kept - 1].end))
            code->functions.at[kept++] = *function;
    }
    code->functions.count = kept;
}

/* .eh_frame_hdr: version 1, three encodings, the address of .eh_frame, the count, and a table of
 * {function, its entry in .eh_frame} relative to the section. An entry is length, distance to its CIE,
 * function and size. (LSB Core, "DWARF Extensions".) */
static bool read_functions(Code *code, const Elf *elf) {
    enum { HEADER = 12, ROW = 8, ENTRY = 16 };
    static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};
    ElfSection header, frames;
    if (!elf_section_named(elf, ".eh_frame_hdr", &header) ||
        !elf_section_named(elf, ".eh_frame", &frames) || header.size < HEADER ||
        memcmp(header.data, usual, sizeof usual) != 0)
        return false;
    uint64_t count = u32_at(header.data + 8);
    for (uint64_t i = 0; i < count && HEADER + (i + 1) * ROW <= header.size; i++) {
        const uint8_t *row = header.data + HEADER + i * ROW;
        uint64_t start = header.address + distance_at(row);
        uint64_t offset = header.address + distance_at(row + 4) - frames.address;
        if (frames.size < ENTRY || offset > frames.size - ENTRY)
            continue;
        uint64_t said = frames.address + offset + 8 + distance_at(frames.data + offset + 8);
        uint64_t size = u32_at(frames.data + offset + 12);
        if (said == start)
            *vec_add(code->arena, &code->functions) = (CodeFunction){start, start + size};
    }
    settle_functions(code);
    return code->functions.count > 0;
}

const CodeFunction *code_function(const Code *code, uint64_t address) {
    uint32_t low = 0, high = code->functions.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->functions.at[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const CodeFunction *found = &code->functions.at[low];
    return low < code->functions.count && found->start <= address ? found : NULL;
}

bool code_is_start(const Code *code, uint64_t address) {
    const CodeFunction *function = code_function(code, address);
    return function && function->start == address;
}

/* ---- the global offset table ---- */

/* What the loader writes there for things of this object itself. */
static void read_slots(Code *code, const Elf *elf) {
    ElfSection got = {0}, table, symbols;
    elf_section_named(elf, ".got", &got);
    for (uint32_t i = 0; i < elf->section_count; i++) {
        if (!elf_section(elf, i, &table) || table.type != SHT_RELA || !table.data ||
            !elf_section(elf, table.link, &symbols))
            continue;
        for (uint64_t k = 0; k < table.size / sizeof(Elf64_Rela); k++) {
            Elf64_Rela entry;
            ElfSymbol symbol;
            memcpy(&entry, table.data + k * sizeof entry, sizeof entry);
            uint64_t type = ELF64_R_TYPE(entry.r_info), value = 0;
            if (type == R_X86_64_RELATIVE && entry.r_offset - got.address < got.size)
                value = (uint64_t)entry.r_addend;
            else if ((type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT) &&
                     elf_symbol(elf, &symbols, ELF64_R_SYM(entry.r_info), &symbol) &&
                     symbol.is_defined)
                value = symbol.value;
            if (value)
                *vec_add(code->arena, &code->slots) = (CodeSlot){entry.r_offset, value};
        }
    }
    if (code->slots.count)
        qsort(code->slots.at, code->slots.count, sizeof(CodeSlot), by_start);
}

/* 0: not a slot, or of something elsewhere. */
static uint64_t slot_value(const Code *code, uint64_t address) {
    const CodeSlot *slot = code->slots.count ? bsearch(&address, code->slots.at, code->slots.count,
                                                       sizeof(CodeSlot), by_start)
                                             : NULL;
    return slot ? slot->value : 0;
}

/* Whether an address is that of a stub for calls through the table: endbr64, [bnd] jmp *slot(%rip). Then
 * *target becomes the function behind it, or 0 for one elsewhere. */
static bool is_stub(const Code *code, uint64_t *target) {
    enum { LONGEST = 16, JUMP = 6 };
    if (*target - code->text.address < code->text.size)
        return false;
    const ElfSection *section = section_at(code, *target);
    if (!section || !section->data || !str_starts(section->name, ".plt"))
        return false;
    uint64_t offset = *target - section->address, address = *target;
    *target = 0;
    for (uint64_t i = 0; i + JUMP <= LONGEST && offset + i + JUMP <= section->size; i++) {
        const uint8_t *at = section->data + offset + i;
        if (at[0] != 0xff || at[1] != 0x25)
            continue;
        *target = slot_value(code, address + i + JUMP + distance_at(at + 2));
        break;
    }
    return true;
}

/* ---- references ---- */

/* What instruction the bytes are, if it refers to something: `length` bytes, of which the last four are a
 * distance from its end. */
typedef enum CodePattern {
    PATTERN_NONE,
    PATTERN_LEA,
    PATTERN_LOAD,
    PATTERN_CALL,
    PATTERN_SLOT
} CodePattern;

static CodePattern pattern_of(const uint8_t *at, uint64_t *length) {
    bool is_wide = at[0] == 0x48 || at[0] == 0x4c, from_here = (at[2] & 0xc7) == 0x05;
    *length = 7;
    if (is_wide && from_here && (at[1] == 0x8d || at[1] == 0x8b))
        return at[1] == 0x8d ? PATTERN_LEA : PATTERN_LOAD;
    *length = 6;
    if (at[0] == 0xff && (at[1] == 0x15 || at[1] == 0x25)) /* call, jmp *slot(%rip) */
        return PATTERN_SLOT;
    if (at[0] == 0x0f && (at[1] & 0xf0) == 0x80) /* a conditional jump */
        return PATTERN_CALL;
    *length = 5;
    return at[0] == 0xe8 || at[0] == 0xe9 ? PATTERN_CALL : PATTERN_NONE;
}

/* Of instructions that may refer to something, the first byte; the last ones are mov $…, %reg. */
static const bool begins[256] = {
    [0x0f] = true, [0x48] = true, [0x4c] = true, [0xe8] = true, [0xe9] = true,
    [0xff] = true, [0xb8] = true, [0xb9] = true, [0xba] = true, [0xbb] = true,
    [0xbc] = true, [0xbd] = true, [0xbe] = true, [0xbf] = true};

static bool refers(const Code *code, const uint8_t *bytes, uint64_t at, CodeReference *reference) {
    uint64_t length;
    CodePattern pattern = pattern_of(bytes, &length);
    bool is_call = pattern == PATTERN_CALL || pattern == PATTERN_SLOT;
    uint64_t target = at + length + distance_at(bytes + length - 4);
    if (pattern == PATTERN_NONE) {
        target = u32_at(bytes + 1);
        if (!code->is_fixed || (bytes[0] & 0xf8) != 0xb8 || !section_at(code, target))
            return false;
    } else if (pattern == PATTERN_LOAD || pattern == PATTERN_SLOT) {
        target = slot_value(code, target);
        if (!target)
            return false;
    }
    bool elsewhere = pattern == PATTERN_CALL && is_stub(code, &target) && !target;
    *reference = (CodeReference){at, target, is_call};
    return !is_call || elsewhere || code_is_start(code, target);
}

bool code_next(const Code *code, uint64_t end, uint64_t *at, CodeReference *reference) {
    enum { LONGEST = 7 };
    const uint64_t first = code->text.address, size = code->text.size;
    const uint64_t last = size < LONGEST ? 0 : size - LONGEST + 1;
    const uint64_t limit = end < first ? 0 : end - first < last ? end - first : last;
    const uint8_t *bytes = code->text.data;
    for (uint64_t i = *at - first; i < limit; i++) {
        if (!begins[bytes[i]] || !refers(code, bytes + i, first + i, reference))
            continue;
        *at = first + i + 1;
        return true;
    }
    return false;
}

bool code_calls(const Code *code, const CodeFunction *function, uint64_t target) {
    CodeReference reference;
    for (uint64_t at = function->start; code_next(code, function->end, &at, &reference);)
        if (reference.is_call && reference.target == target)
            return true;
    return false;
}

bool code_open(Arena *arena, const Elf *elf, Code *code) {
    *code = (Code){.arena = arena, .is_fixed = elf->type == ET_EXEC};
    if (elf->machine != EM_X86_64 || !elf_section_named(elf, ".text", &code->text))
        return false;
    for (uint32_t i = 0; i < elf->section_count; i++) {
        ElfSection section;
        if (elf_section(elf, i, &section) && section.flags & SHF_ALLOC)
            *vec_add(arena, &code->sections) = section;
    }
    read_slots(code, elf);
    return read_functions(code, elf);
}
