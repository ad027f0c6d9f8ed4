/* Source lines of the PTX inside a cubin, which keeps none of its .loc. Two tables say where the machine code comes from:
 * .nv_debug_line_sass from which line of that PTX, .debug_line from which line of the source. Each line of the PTX that machine
 * code came of gets the .loc of the first of it; those between go on with the last, as always in PTX. */
#include "image/line_table.h"

#include <stdlib.h>
#include <string.h>

enum { NESTED_MOST = 64 }; /* calls that are inlined into each other */

/* ---- both together ---- */

static int by_place(const void *left, const void *right) {
    const LineRow *a = *(LineRow *const *)left, *b = *(LineRow *const *)right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The row of the source whose code is at the address: the last one that begins there or before; or NULL. */
static const LineRow *row_at(LineRow *const *sorted, uint32_t count, const LineRow *code) {
    uint32_t low = 0, high = count;
    LineRow key = *code;
    const LineRow *wanted = &key;
    key.number = UINT32_MAX;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_place(&sorted[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const LineRow *found = low ? sorted[low - 1] : NULL;
    return found && found->function == code->function && !found->ends && found->file != NO_ROW
               ? found
               : NULL;
}

/* The table of a cubin that was linked has the lines of several texts, by the names of their sections. */
static bool is_of(const LineTable *ptx, const LineRow *row, Str section) {
    static const char one[] = ".nv_debug_ptx_txt";
    if (section.length <= sizeof one || row->file == NO_ROW)
        return true;
    return str_is(section, ptx->files.at[row->file]);
}

/* Of each line of a section's PTX, from 1, the row that its first machine code has; NULL: there is none. */
static const LineRow **rows_of_lines(Arena *arena, const LineTable *ptx, const LineTable *source,
                                     Str section, uint32_t lines) {
    const LineRow **found = NEW_ARRAY(arena, const LineRow *, lines + 1);
    LineRow **sorted = NEW_ARRAY(arena, LineRow *, source->rows.count);
    for (uint32_t i = 0; i < source->rows.count; i++)
        sorted[i] = &source->rows.at[i];
    qsort(sorted, source->rows.count, sizeof(LineRow *), by_place);
    for (uint32_t i = 0; i < ptx->rows.count; i++) {
        const LineRow *code = &ptx->rows.at[i];
        if (!code->ends && code->function != NO_ROW && code->line <= lines && !found[code->line] &&
            is_of(ptx, code, section))
            found[code->line] = row_at(sorted, source->rows.count, code);
    }
    return found;
}

/* ---- writing ---- */

static void put_loc(FILE *out, const LineTable *source, const LineRow *row) {
    fprintf(out, ".loc %u %u 0", row->file + 1, row->line);
    const LineRow *caller = row->caller == NO_ROW ? NULL : &source->rows.at[row->caller];
    if (caller && caller->file != NO_ROW)
        fprintf(out, ", function_name $warplens_names+%u, inlined_at %u %u 0", row->callee,
                caller->file + 1, caller->line);
    fputc(' ', out);
}

/* Its calls before it, the outermost first: a .loc goes on with the chain of the one that it names. */
static void put_chain(FILE *out, const LineTable *source, const LineRow *row) {
    const LineRow *chain[NESTED_MOST];
    uint32_t depth = 0;
    for (; depth < NESTED_MOST; row = &source->rows.at[row->caller]) {
        chain[depth++] = row;
        if (row->caller == NO_ROW)
            break;
    }
    while (depth-- > 0)
        put_loc(out, source, chain[depth]);
}

/* Whether a statement of a body may begin behind this line. */
static bool ends_statement(Str line) {
    while (line.length && strchr(" \t\r", line.at[line.length - 1]))
        line.length--;
    return line.length && strchr(";{}:", line.at[line.length - 1]);
}

static void put_lines(FILE *out, const char *text, const LineTable *source, const LineRow **rows) {
    Str before = STR("");
    uint32_t depth = 0;
    for (uint32_t line = 1; *text; line++) {
        Str all = {text, strcspn(text, "\n")};
        if (rows[line] && depth > 0 && ends_statement(before))
            put_chain(out, source, rows[line]);
        fprintf(out, STR_FMT "\n", STR_ARG(all));
        for (size_t i = 0; i < all.length; i++)
            depth += all.at[i] == '{' ? 1 : all.at[i] == '}' && depth ? -1u : 0;
        before = all.length ? all : before;
        text += all.length + (text[all.length] == '\n');
    }
}

static void put_files(FILE *out, const LineTable *source) {
    for (uint32_t i = 0; i < source->files.count; i++)
        if (!strpbrk(source->files.at[i], "\"\\\n"))
            fprintf(out, ".file %u \"%s\"\n", i + 1, source->files.at[i]);
}

static void put_names(FILE *out, const Elf *elf) {
    ElfSection names;
    if (!elf_section_named(elf, ".debug_str", &names) || names.size == 0)
        return;
    fputs(".section .debug_str\n{\n$warplens_names:\n.b8 ", out);
    for (uint64_t i = 0; i < names.size; i++)
        fprintf(out, "%s%u", i ? "," : "", names.data[i]);
    fputs("\n}\n", out);
}

void cubin_lines(Arena *arena, PtxText *text) {
    Elf elf;
    LineTable ptx, source;
    char *written = NULL;
    size_t length;
    if (!text->cubin || !elf_open(&elf, text->cubin, text->cubin_bytes) ||
        !line_table_read(arena, &elf, ".nv_debug_line_sass", &ptx) ||
        !line_table_read(arena, &elf, ".debug_line", &source))
        return;
    uint32_t lines = 1;
    for (const char *at = text->text; (at = strchr(at, '\n')); at++)
        lines++;
    const LineRow **rows = rows_of_lines(arena, &ptx, &source, text->section, lines);
    FILE *out = open_memstream(&written, &length);
    if (!out)
        return;
    put_lines(out, text->text, &source, rows);
    put_files(out, &source);
    put_names(out, &elf);
    if (fclose(out) == 0) {
        text->text = arena_copy(arena, written, length);
        text->length = length;
    }
    free(written);
}
