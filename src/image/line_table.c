/* Tables of lines, with NVIDIA's own opcode for inlining (LLVM: DW_LNE_NVIDIA_inlined_call). */
#include "image/line_table.h"

#include <elf.h>
#include <string.h>

typedef struct LineReader {
    Arena *arena;
    const uint8_t *start, *at, *end;
    ElfSection relocations;
    uint64_t relocation; /* the next of them: bytes from their beginning */
    LineTable *table;
    uint32_t first_file, first_row; /* of the unit; of the sequence */
    int8_t line_base;
    uint8_t line_range, opcode_base, lengths[256];
} LineReader;

/* ---- reading: beyond the end all is zero ---- */

static uint64_t get(LineReader *reader, uint32_t bytes) {
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < bytes) {
        reader->at = reader->end;
        return 0;
    }
    memcpy(&value, reader->at, bytes);
    reader->at += bytes;
    return value;
}

static uint64_t get_leb(LineReader *reader, bool is_signed) {
    uint64_t value = 0;
    uint32_t shift = 0;
    uint8_t byte = 0x80;
    for (; byte & 0x80 && shift < 64; shift += 7) {
        byte = (uint8_t)get(reader, 1);
        value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (is_signed && byte & 0x40 && shift < 64)
        value |= UINT64_MAX << shift;
    return value;
}

/* "": the end of a list. */
static const char *get_name(LineReader *reader) {
    size_t length = strnlen((const char *)reader->at, (size_t)(reader->end - reader->at));
    const char *name = arena_copy(reader->arena, (const char *)reader->at, length);
    reader->at += length;
    get(reader, 1);
    return name;
}

/* Whose code an address belongs to is said by the relocation at its place, which are in order; NO_ROW: nobody says. */
static uint64_t function_at(LineReader *reader, const uint8_t *place) {
    uint64_t offset = (uint64_t)(place - reader->start), size = reader->relocations.size;
    Elf64_Rela entry = {0};
    for (; size - reader->relocation >= sizeof entry; reader->relocation += sizeof entry) {
        memcpy(&entry, reader->relocations.data + reader->relocation, sizeof entry);
        if (entry.r_offset >= offset)
            return entry.r_offset == offset ? ELF64_R_SYM(entry.r_info) : NO_ROW;
    }
    return NO_ROW;
}

/* ---- a table ---- */

static void read_files(LineReader *reader) {
    VEC(const char *) folders = {0};
    const char *name;
    while (*(name = get_name(reader)))
        *vec_add(reader->arena, &folders) = name;
    reader->first_file = reader->table->files.count;
    while (*(name = get_name(reader))) {
        uint64_t folder = get_leb(reader, false);
        get_leb(reader, false); /* when it was changed, and its size */
        get_leb(reader, false);
        bool known = *name != '/' && folder - 1 < folders.count;
        *vec_add(reader->arena, &reader->table->files) =
            known ? arena_printf(reader->arena, "%s/%s", folders.at[folder - 1], name) : name;
    }
}

static void add_row(LineReader *reader, const LineRow *row) {
    LineRow *added = vec_add(reader->arena, &reader->table->rows);
    uint32_t files = reader->table->files.count - reader->first_file;
    *added = *row;
    added->file = row->file - 1 < files ? reader->first_file + row->file - 1 : NO_ROW;
    added->number = reader->table->rows.count;
}

/* false: the sequence ends. */
static bool read_extended(LineReader *reader, LineRow *row) {
    enum { END = 1, ADDRESS = 2, INLINED_CALL = 0x90 };
    uint64_t length = get_leb(reader, false);
    const uint8_t *from = reader->at;
    uint64_t left = (uint64_t)(reader->end - from), caller;
    if (length == 0 || length > left)
        return reader->at = reader->end, false;
    switch (get(reader, 1)) {
    case END:
        row->ends = true;
        add_row(reader, row);
        *row = (LineRow){.file = 1, .line = 1, .caller = NO_ROW};
        reader->first_row = reader->table->rows.count;
        break;
    case ADDRESS:
        row->function = function_at(reader, reader->at);
        row->address = get(reader, 8);
        break;
    case INLINED_CALL: /* the row of the call, from 1; 0: it ends */
        caller = get_leb(reader, false);
        row->callee = (uint32_t)get_leb(reader, false);
        row->caller = caller - 1 < reader->table->rows.count - reader->first_row
                          ? reader->first_row + (uint32_t)caller - 1
                          : NO_ROW;
        break;
    default:
        break;
    }
    reader->at = from + length;
    return true;
}

/* An opcode of DWARF's own. */
static void read_standard(LineReader *reader, uint8_t opcode, LineRow *row) {
    enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
    switch (opcode) {
    case COPY:
        add_row(reader, row);
        break;
    case ADVANCE_PC:
        row->address += get_leb(reader, false);
        break;
    case ADVANCE_LINE:
        row->line += (uint32_t)get_leb(reader, true);
        break;
    case SET_FILE:
        row->file = (uint32_t)get_leb(reader, false);
        break;
    case CONST_ADD_PC:
        row->address += (uint64_t)(255 - reader->opcode_base) / reader->line_range;
        break;
    case FIXED_ADVANCE_PC:
        row->address += get(reader, 2);
        break;
    default:
        for (uint32_t i = 0; i < reader->lengths[opcode]; i++)
            get_leb(reader, false);
    }
}

static void read_unit(LineReader *reader, const uint8_t *end) {
    const uint8_t *all = reader->end;
    reader->end = end;
    get(reader, 2); /* the version */
    uint64_t header = get(reader, 4);
    const uint8_t *program = reader->at;
    program = header <= (uint64_t)(end - program) ? program + header : end;
    get(reader, 2); /* the shortest instruction, a flag */
    reader->line_base = (int8_t)get(reader, 1);
    reader->line_range = (uint8_t)get(reader, 1);
    reader->opcode_base = (uint8_t)get(reader, 1);
    for (uint32_t i = 1; i < reader->opcode_base; i++)
        reader->lengths[i] = (uint8_t)get(reader, 1);
    read_files(reader);
    reader->at = program;
    reader->first_row = reader->table->rows.count;
    LineRow row = {.file = 1, .line = 1, .caller = NO_ROW};
    while (reader->at < end && reader->line_range) {
        uint8_t opcode = (uint8_t)get(reader, 1);
        if (opcode == 0) {
            if (!read_extended(reader, &row))
                break;
        } else if (opcode < reader->opcode_base) {
            read_standard(reader, opcode, &row);
        } else {
            uint8_t step = (uint8_t)(opcode - reader->opcode_base);
            row.address += step / reader->line_range;
            row.line += (uint32_t)(reader->line_base + step % reader->line_range);
            add_row(reader, &row);
        }
    }
    reader->at = end;
    reader->end = all;
}

bool line_table_read(Arena *arena, const Elf *elf, const char *name, LineTable *table) {
    LineReader reader = {.arena = arena, .table = table};
    ElfSection section;
    *table = (LineTable){0};
    if (!elf_section_named(elf, name, &section) ||
        !elf_section_named(elf, arena_printf(arena, ".rela%s", name), &reader.relocations))
        return false;
    reader.start = reader.at = section.data;
    reader.end = section.data + section.size;
    while (reader.at < reader.end) {
        uint64_t length = get(&reader, 4);
        bool whole = length <= (uint64_t)(reader.end - reader.at);
        read_unit(&reader, whole ? reader.at + length : reader.end);
    }
    return table->rows.count > 0;
}
