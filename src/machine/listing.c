/* Reads an `nvdisasm -gp` listing, or one of `-gi`: sections of code with their labels and the lines of the PTX, or of the source,
 * that instructions come from, and sections of constants.
 *
 *   	.section	.text._Z1kPfi,"ax",@progbits
 *   .L_x_2:
 *   	//## File ".nv_debug_ptx_txt", line 197
 *           / *0080* /                   @P0 BRA `(.L_x_2) ;            (comment marks closed up) */
#include "machine/code.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONSTANTS = 64 << 10 }; /* bytes of a bank, as CUDA has them */

typedef enum Section { SECTION_OTHER, SECTION_CODE, SECTION_CONSTANTS } Section;

typedef struct Reader {
    Arena *arena;
    MachineCode *code;
    Section section;
    MachineFunction *function;
    uint32_t ptx_line;
    uint32_t place;     /* of the instructions being read */
    bool outer_follows; /* the last line was inlined: the next is where */
    Map *files;         /* paths to their numbers */
    uint32_t bank;      /* of constants: what is being read */
    uint32_t offset;    /* the next byte there */
    Str kernel;
    VEC(uint8_t) bytes;
    VEC(Str) functions; /* symbols of .type …,@function */
    bool overfull;      /* a bank holds more than there can be */
} Reader;

static uint64_t number(Str text, int base) {
    char copy[32] = {0};
    memcpy(copy, text.at, text.length < sizeof copy - 1 ? text.length : sizeof copy - 1);
    return strtoull(copy, NULL, base);
}

/* ---- sections ---- */

static void end_constants(Reader *reader) {
    if (reader->section != SECTION_CONSTANTS || !reader->bytes.count)
        return;
    *vec_add(reader->arena, &reader->code->constants) =
        (MachineBytes){reader->bank, reader->kernel, reader->bytes.at, reader->bytes.count};
    reader->bytes.at = NULL;
    reader->bytes.count = reader->bytes.capacity = 0;
}

/* .section NAME,… */
static void begin_section(Reader *reader, Str name) {
    end_constants(reader);
    reader->section = SECTION_OTHER;
    reader->function = NULL;
    if (str_starts(name, ".text.")) {
        reader->section = SECTION_CODE;
        reader->function = vec_add(reader->arena, &reader->code->functions);
        *reader->function = (MachineFunction){.name = str_drop(name, 6)};
        reader->ptx_line = reader->place = 0;
        reader->outer_follows = false;
    } else if (str_starts(name, ".nv.constant")) {
        Str rest = str_drop(name, 12), bank = str_until(rest, ".");
        reader->section = SECTION_CONSTANTS;
        reader->bank = (uint32_t)number(bank, 10);
        reader->offset = 0;
        reader->kernel = bank.length < rest.length ? str_drop(rest, bank.length + 1) : (Str){0};
    }
}

/* ---- code ---- */

static bool is_function(const Reader *reader, Str name) {
    for (uint32_t i = 0; i < reader->functions.count; i++) {
        if (str_equal(reader->functions.at[i], name))
            return true;
    }
    return false;
}

static void read_label(Reader *reader, Str name) {
    if (reader->section == SECTION_CONSTANTS) {
        if (*name.at != '.')
            *vec_add(reader->arena, &reader->code->variables) =
                (MachineWord){.bank = reader->bank, .offset = reader->offset, .symbol = name};
        return;
    }
    *vec_add(reader->arena, &reader->function->labels) =
        (MachineLabel){name, reader->function->insns.count * 16, is_function(reader, name)};
}

static Str squeezed(Arena *arena, Str text) {
    char *copy = arena_copy(arena, text.at, text.length);
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        bool blank = text.at[i] == ' ' || text.at[i] == '\t';
        if (!blank)
            copy[length++] = text.at[i];
        else if (length && copy[length - 1] != ' ')
            copy[length++] = ' ';
    }
    return (Str){copy, length};
}

/* With -hex they follow the instruction: / * 0xfffffff000007947 * / */
static uint64_t listed_bits(Str rest) {
    rest = str_trimmed(rest);
    return str_starts(rest, "/* 0x") ? number(str_until(str_drop(rest, 5), " *"), 16) : 0;
}

/* Of spills, from nvdisasm 13.5 on, which lists no annotations: STL [R1], R4 (*"SpillRefill"*) */
static bool noted_as_spill(Str *text) {
    static const char note[] = "(*\"SpillRefill\"*)";
    const size_t length = strlen(note);
    if (text->length < length || memcmp(text->at + text->length - length, note, length) != 0)
        return false;
    *text = str_trimmed((Str){text->at, text->length - length});
    return true;
}

/*  / *0080* / @P0 BRA `(.L_x_2) ; */
static void read_insn(Reader *reader, Str line) {
    uint32_t address = (uint32_t)number(str_until(str_drop(line, 2), "*"), 16);
    const char *close = memchr(line.at + 2, '/', line.length - 2);
    const char *end = memchr(line.at, ';', line.length);
    if (!close || !end || close > end)
        return;
    Str text = str_trimmed((Str){close + 1, (size_t)(end - close - 1)});
    MachineInsn *insn = vec_add(reader->arena, &reader->function->insns);
    *insn = (MachineInsn){.address = address,
                          .ptx_line = reader->ptx_line,
                          .place = reader->place,
                          .spill = noted_as_spill(&text)};
    const char *why = NULL;
    bool in_row = address == (reader->function->insns.count - 1) * 16;
    if (!machine_insn_read(reader->arena, squeezed(reader->arena, text), insn, &why) || !in_row)
        insn->operand_count =
            UINT32_MAX; /* what is not understood is refused where it is executed */
    insn->bits = listed_bits(str_drop(line, (size_t)(end + 1 - line.at)));
}

/* ---- constants ---- */

static void add_byte(Reader *reader, uint64_t value) {
    if (reader->bytes.count == MOST_CONSTANTS) {
        reader->overfull = true;
        return;
    }
    *vec_add(reader->arena, &reader->bytes) = (uint8_t)value;
    reader->offset++;
}

static void add_word(Reader *reader, Str text, uint32_t bytes) {
    text = str_trimmed(text);
    uint64_t value = 0;
    if (text.length && ((*text.at >= '0' && *text.at <= '9') || *text.at == '-')) {
        value = number(text, 0);
    } else {
        MachineWord word = {.bank = reader->bank, .offset = reader->offset, .bytes = bytes};
        Str symbol = str_until(text, "+-");
        if (str_starts(text, "32@lo(") || str_starts(text, "32@hi(")) {
            word.part = str_starts(text, "32@hi(") ? 32 : 0;
            symbol = str_until(str_drop(text, 6), ")+-");
        } else if (symbol.length < text.length) {
            word.addend = (int64_t)number(str_drop(text, symbol.length + 1), 0);
            word.addend = text.at[symbol.length] == '-' ? -word.addend : word.addend;
        }
        word.symbol = str_starts(symbol, "fun@(") || str_starts(symbol, "generic(")
                          ? str_until(str_drop(symbol, str_until(symbol, "(").length + 1), ")")
                          : symbol;
        *vec_add(reader->arena, &reader->code->addresses) = word;
    }
    for (uint32_t i = 0; i < bytes; i++)
        add_byte(reader, value >> (8 * i));
}

/*  .byte 0x10, 0x0c …   .short   .word   .dword SYMBOL   .zero 64 */
static void read_data(Reader *reader, Str line) {
    static const struct {
        const char *word;
        uint32_t bytes;
    } kinds[] = {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}};
    Str name = str_until(line, " \t"), rest = str_trimmed(str_drop(line, name.length));
    if (str_is(name, ".zero")) {
        for (uint64_t n = number(rest, 0); n > 0 && !reader->overfull; n--)
            add_byte(reader, 0);
    } else if (str_is(name, ".align")) {
        uint64_t align = number(rest, 0);
        while (align && reader->offset % align && !reader->overfull)
            add_byte(reader, 0);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        while (str_is(name, kinds[i].word) && rest.length > 0) {
            Str value = str_until(rest, ",");
            add_word(reader, value, kinds[i].bytes);
            rest = value.length < rest.length ? str_trimmed(str_drop(rest, value.length + 1))
                                              : (Str){0};
        }
    }
}

/* ---- places ---- */

static uint32_t file_number(Reader *reader, Str path) {
    uint64_t number;
    if (map_get(reader->files, path, &number))
        return (uint32_t)number;
    map_put(reader->files, path, reader->code->files.count);
    *vec_add(reader->arena, &reader->code->files) = path;
    return reader->code->files.count - 1;
}

/*  //## File "/path/a.cu", line 2 inlined at "/path/b.cu", line 5
 *  //## File "/path/b.cu", line 5
 * Of the PTX it is a line alone. */
static void read_place(Reader *reader, Str line) {
    static const char begin[] = "//## File \"", mark[] = "\", line ", inlined[] = " inlined at ";
    const Str rest = str_drop(line, sizeof begin - 1), path = str_until(rest, "\"");
    const Str after = str_drop(rest, path.length);
    if (!str_starts(after, mark))
        return;
    const Str digits = str_drop(after, sizeof mark - 1);
    const uint32_t at = (uint32_t)number(str_until(digits, " "), 10);
    reader->ptx_line = str_is(path, ".nv_debug_ptx_txt") ? at : 0;
    if (reader->ptx_line || !path.length)
        return;
    *vec_add(reader->arena, &reader->code->places) =
        (MachinePlace){.file = file_number(reader, path), .line = at};
    const uint32_t place = reader->code->places.count;
    if (reader->outer_follows)
        reader->code->places.at[place - 2].outer = place;
    else
        reader->place = place;
    reader->outer_follows = memmem(digits.at, digits.length, inlined, sizeof inlined - 1) != NULL;
}

/* ---- lines ---- */

static void read_line(Reader *reader, Str line) {
    line = str_trimmed(line);
    if (line.length == 0)
        return;
    const char *target = str_starts(line, ".target") ? strstr(line.at, "sm_") : NULL;
    if (target)
        reader->code->arch = (uint32_t)strtoul(target + 3, NULL, 10);
    if (str_starts(line, ".section\t")) {
        begin_section(reader, str_until(str_trimmed(str_drop(line, 8)), ","));
    } else if (str_starts(line, ".type") && reader->section == SECTION_CODE) {
        Str name = str_until(str_trimmed(str_drop(line, 5)), ",");
        if (str_starts(str_drop(line, (size_t)(name.at + name.length - line.at)), ",@function"))
            *vec_add(reader->arena, &reader->functions) = name;
    } else if (str_starts(line, "//## File ")) {
        read_place(reader, line);
    } else if (reader->section == SECTION_OTHER || str_starts(line, "//")) {
        return;
    } else if (line.at[line.length - 1] == ':') {
        read_label(reader, (Str){line.at, line.length - 1});
    } else if (str_starts(line, "/*")) {
        const char *close = memchr(line.at + 2, '/', line.length - 2);
        if (reader->section == SECTION_CODE)
            read_insn(reader, line);
        else if (close)
            read_data(reader, str_trimmed(str_drop(line, (size_t)(close + 1 - line.at))));
    } else if (reader->section == SECTION_CONSTANTS) {
        read_data(reader, line);
    }
}

MachineCode *machine_read(Arena *arena, const char *listing, Diags *diags) {
    MachineCode *code = NEW(arena, MachineCode);
    Reader reader = {.arena = arena, .code = code, .files = map_new(arena)};
    code->arena = arena;
    for (const char *at = listing; *at;) {
        size_t length = strcspn(at, "\n");
        read_line(&reader, (Str){at, length});
        at += length + (at[length] == '\n');
    }
    end_constants(&reader);
    machine_read_facts(code, listing);
    if (code->functions.count && !reader.overfull)
        return code;
    diags_add(diags, DIAG_ERROR, (Place){0},
              reader.overfull ? "a bank of constants has 65,536 bytes at most"
                              : "it has no section .text");
    return NULL;
}
