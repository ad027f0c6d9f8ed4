/* What runs, beside what PTX says: ptxas's machine code (SASS), and the memory instructions of each
 * source line in it.
 *
 * ptxas may merge loads (32 loads of one float each become 8 of four), drop those whose result is
 * unused, or keep a .local array in registers. The counts of warplens are those of PTX; a line
 * where the two differ is marked with this. The listing is `nvdisasm -gi`: a comment names the
 * source line of the instructions after it, the innermost place first and then the calls that it
 * was inlined at. */
#include "toolchain/toolchain.h"

#include <errno.h>
#include <string.h>

/* ---- the table ---- */

MemoryOpsTable *memory_ops_new(Arena *arena) {
    MemoryOpsTable *table = NEW(arena, MemoryOpsTable);
    table->arena = arena;
    table->index = map_new(arena);
    return table;
}

static Str key_of(Arena *arena, const MemoryOps *row) {
    return str_of(
        arena_printf(arena, "%s\n%s\n%u\n%s", row->kernel, row->file, row->line, row->operation));
}

void memory_ops_add(MemoryOpsTable *table, const char *kernel, const char *file, uint32_t line,
                    const char *operation, uint32_t bytes) {
    MemoryOps row = {.kernel = kernel, .file = file, .line = line, .operation = operation};
    Str key = key_of(table->arena, &row);
    uint64_t at;
    if (!map_get(table->index, key, &at)) {
        at = table->rows.count;
        *vec_add(table->arena, &table->rows) = row;
        map_put(table->index, key, at);
    }
    table->rows.at[at].count++;
    table->rows.at[at].bytes += bytes;
}

const MemoryOps *memory_ops_find(const MemoryOpsTable *table, const MemoryOps *like) {
    uint64_t at;
    return map_get(table->index, key_of(table->arena, like), &at) ? &table->rows.at[at] : NULL;
}

/* ---- reading lines ---- */

/* Takes the next line off *text. false at the end. */
static bool next_line(const char **text, Str *line) {
    if (**text == 0)
        return false;
    *line = (Str){*text, strcspn(*text, "\n")};
    *text += line->length + ((*text)[line->length] == '\n');
    return true;
}

/* What follows the first occurrence of `mark` in line, or length 0. */
static Str after(Str line, const char *mark) {
    size_t length = strlen(mark);
    for (size_t i = 0; i + length <= line.length; i++) {
        if (memcmp(line.at + i, mark, length) == 0)
            return (Str){line.at + i + length, line.length - i - length};
    }
    return (Str){0};
}

static uint32_t number(Str text) {
    uint32_t value = 0;
    for (size_t i = 0; i < text.length && text.at[i] >= '0' && text.at[i] <= '9'; i++)
        value = value * 10 + (uint32_t)(text.at[i] - '0');
    return value;
}

static Str skip_blanks(Str text) {
    while (text.length > 0 && (*text.at == ' ' || *text.at == '\t'))
        text = (Str){text.at + 1, text.length - 1};
    return text;
}

/* ---- ptxas -v ---- */

/*  ptxas info    : Compiling entry function 'NAME' for 'sm_90'
 *  ptxas info    : Function properties for NAME                      also for functions that are no
 * kernels 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads ptxas info    : Used 22
 * registers, used 1 barriers, 4224 bytes smem */
void sass_read_ptxas(Arena *arena, const char *log, Sass *sass) {
    SassKernel *kernel = NULL; /* of the last "Compiling" */
    bool its_properties = false;
    for (Str line; next_line(&log, &line);) {
        Str rest;
        if ((rest = after(line, "Compiling entry function '")).length > 0) {
            Str name = str_until(rest, "'");
            kernel = vec_add(arena, &sass->kernels);
            *kernel = (SassKernel){.name = arena_copy(arena, name.at, name.length)};
        } else if ((rest = after(line, "Function properties for ")).length > 0) {
            its_properties = kernel && str_is(str_until(rest, " \r"), kernel->name);
        } else if (its_properties && after(line, " bytes stack frame").length > 0) {
            kernel->stack_bytes = number(skip_blanks(line));
            kernel->spill_stores = number(after(line, "stack frame, "));
            kernel->spill_loads = number(after(line, "spill stores, "));
        } else if (kernel && (rest = after(line, ": Used ")).length > 0) {
            kernel->registers = number(rest);
        }
    }
}

/* ---- nvdisasm -gi ---- */

typedef struct SassName {
    const char *opcode, *operation;
} SassName;

static const char *operation_of(Str opcode) {
    static const SassName names[] = {
        {"LDG", "global load"},     {"STG", "global store"},    {"ATOMG", "global atomic"},
        {"RED", "global atomic"},   {"REDG", "global atomic"},  {"LDS", "shared load"},
        {"STS", "shared store"},    {"ATOMS", "shared atomic"}, {"LDL", "local load"},
        {"STL", "local store"},     {"LD", "generic load"},     {"ST", "generic store"},
        {"ATOM", "generic atomic"}, {"LDSM", "ldmatrix"},       {"STSM", "stmatrix"},
        {"LDGSTS", "cp.async"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_is(opcode, names[i].opcode))
            return names[i].operation;
    }
    return NULL;
}

/* Bytes per lane, from the suffixes of an opcode: 4 where none says otherwise. LDSM.16.M88.4 moves
 * four matrices, four bytes per lane each. */
static uint32_t bytes_of(Str suffixes, bool matrices) {
    static const struct {
        const char *suffix;
        uint32_t bytes;
    } sizes[] = {{"U8", 1},  {"S8", 1},  {"U16", 2}, {"S16", 2},  {"64", 8},
                 {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}, {"256", 32}};
    uint32_t bytes = 4;
    while (suffixes.length > 0) {
        Str suffix = str_until((Str){suffixes.at + 1, suffixes.length - 1}, ".");
        suffixes = (Str){suffix.at + suffix.length, suffixes.length - 1 - suffix.length};
        if (matrices && (str_is(suffix, "2") || str_is(suffix, "4")))
            bytes = 4 * number(suffix);
        for (size_t i = 0; !matrices && i < sizeof sizes / sizeof *sizes; i++) {
            if (str_is(suffix, sizes[i].suffix))
                bytes = sizes[i].bytes;
        }
    }
    return bytes;
}

typedef struct Listing {
    Sass *sass;
    const char *kernel;     /* of the section being read, or NULL */
    const SassPlace *place; /* of the instructions being read, or NULL */
    SassPlace *call_wanted; /* the last place was inlined: the next one is where; or NULL */
    uint32_t ptx_line;      /* of the instructions being read, or 0 */
} Listing;

/*  //## File "/path/kernels.cu", line 115 inlined at "/path/kernels.cu", line 133
 *  //## File "/path/kernels.cu", line 133
 *  //## File ".nv_debug_ptx_txt", line 17          what the linker has put together has several, with numbers */
static void read_place(Arena *arena, Listing *listing, Str line) {
    Str path = str_until(after(line, "File \""), "\"");
    if (path.length == 0)
        return;
    Str rest = {path.at + path.length, line.length - (size_t)(path.at + path.length - line.at)};
    if (str_starts(path, ".nv_debug_ptx_txt")) {
        listing->ptx_line = str_is(path, ".nv_debug_ptx_txt") ? number(after(rest, "line ")) : 0;
        return;
    }
    SassPlace *place = NEW(arena, SassPlace);
    place->file = arena_copy(arena, path.at, path.length);
    place->line = number(after(rest, "line "));
    if (listing->call_wanted)
        listing->call_wanted->inlined_at = place;
    else
        listing->place = place;
    listing->call_wanted = after(rest, " inlined at ").length > 0 ? place : NULL;
}

/* Adds what accesses memory to the table. */
static void read_operation(Listing *listing, Str text) {
    if (str_starts(text, "@!PT ")) /* never executed: padding around an LDGSTS */
        return;
    if (str_starts(text, "@")) {
        size_t guard = str_until(text, " ").length;
        text = skip_blanks((Str){text.at + guard, text.length - guard});
    }
    Str name = str_until(text, " "), opcode = str_until(name, ".");
    const char *operation = operation_of(opcode);
    if (!operation)
        return;
    Str suffixes = {name.at + opcode.length, name.length - opcode.length};
    bool matrices = str_is(opcode, "LDSM") || str_is(opcode, "STSM");
    memory_ops_add(listing->sass->ops, listing->kernel, listing->place->file, listing->place->line,
                   operation, bytes_of(suffixes, matrices));
}

/*      / *0930* /              @!PT LDS RZ, [RZ] ;            (comment marks closed up) */
static void read_instruction(Arena *arena, Listing *listing, Str line) {
    Str text = str_until(skip_blanks(after(line, "*/")), ";");
    while (text.length > 0 && text.at[text.length - 1] == ' ')
        text.length--;
    if (!listing->kernel || text.length == 0)
        return;
    *vec_add(arena, &listing->sass->code) =
        (ListedInst){.kernel = listing->kernel,
                     .text = arena_copy(arena, text.at, text.length),
                     .place = listing->place,
                     .ptx_line = listing->ptx_line};
    if (listing->place)
        read_operation(listing, text);
}

void sass_read_listing(Arena *arena, const char *listing, Sass *sass) {
    Listing state = {.sass = sass};
    for (Str line; next_line(&listing, &line);) {
        Str start = skip_blanks(line);
        if (str_starts(start, "//-----")) { /* a new section */
            Str kernel = str_until(after(start, " .text."), " ");
            state = (Listing){.sass = sass};
            if (kernel.length > 0)
                state.kernel = arena_copy(arena, kernel.at, kernel.length);
        } else if (str_starts(start, "//## File ")) {
            read_place(arena, &state, start);
        } else if (str_starts(start, "/*")) {
            read_instruction(arena, &state, start);
        }
    }
}
