/* Neighbouring elements in one access: a variable takes them all at once before the first statement that has one, goes back behind the
 * last, and stands for them in between. That they are aligned for it is what the recorded addresses and the trial say; where another
 * pointer is not, a GPU faults, and computes nothing wrong. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

static const char record_text[] =
    "// N neighbouring elements, which one access takes; a pointer to them must be aligned to "
    "their size.\n"
    "template <typename T, int N> struct alignas(sizeof(T) * N) Neighbours {\n"
    "    T at[N];\n"
    "};\n\n";

static void add(Arena *arena, EditList *edits, uint32_t begin, uint32_t end, const char *text) {
    *vec_add(arena, &edits->list) = (Edit){begin, end, text};
}

static bool is_named(const Code *code, const char *name) {
    bool named = false;
    for (uint32_t t = 0; t < code->tokens.count && !named; t++)
        named = token_is(code, t, name);
    return named;
}

/* "in_4", or what nobody else is called. */
static const char *array_name(Arena *arena, const Code *code, const NeighbourList *list,
                              uint32_t number) {
    const Neighbours *of = &list->at[number];
    const char *name = arena_printf(arena, STR_FMT "_%u", STR_ARG(of->pointer->name), of->count);
    uint32_t same = 0;
    for (uint32_t i = 0; i < number; i++)
        same += list->at[i].pointer == of->pointer && list->at[i].count == of->count;
    if (same)
        name = arena_printf(arena, "%s_%c", name, 'a' + (char)(same % 26));
    while (is_named(code, name))
        name = arena_printf(arena, "%s_", name);
    return name;
}

/* Where the line of a statement begins, and what it is indented by; false: more than blanks stands before it. */
static bool line_of(Arena *arena, const Code *code, uint32_t offset, uint32_t *begin,
                    const char **indent) {
    *begin = offset;
    while (*begin > 0 && (code->text[*begin - 1] == ' ' || code->text[*begin - 1] == '\t'))
        --*begin;
    *indent = arena_copy(arena, code->text + *begin, offset - *begin);
    return *begin == 0 || code->text[*begin - 1] == '\n';
}

/* As such a record: "*reinterpret_cast<const Neighbours<float, 4> *>(&in[4 * i])" */
static const char *spell_record(Arena *arena, const Neighbours *of, const char *is_const) {
    const Str name = of->pointer->name;
    if (of->number)
        return arena_printf(arena, "reinterpret_cast<%sNeighbours<%s, %u> *>(" STR_FMT ")[%s]",
                            is_const, of->pointer->type, of->count, STR_ARG(name), of->number);
    const char *first = strcmp(of->begin, "0") == 0
                            ? arena_printf(arena, STR_FMT, STR_ARG(name))
                            : arena_printf(arena, "&" STR_FMT "[%s]", STR_ARG(name), of->begin);
    return arena_printf(arena, "*reinterpret_cast<%sNeighbours<%s, %u> *>(%s)", is_const,
                        of->pointer->type, of->count, first);
}

static const char *comment_of(Arena *arena, const Neighbours *of) {
    return arena_printf(arena, "// " STR_FMT "[%s] and the next%s: one access of %u bytes%s",
                        STR_ARG(of->pointer->name), of->begin,
                        of->count > 2 ? arena_printf(arena, " %u", of->count - 1) : "",
                        (uint32_t)(of->count * of->pointer->bytes),
                        of->overlap ? "; what else is accessed here does not overlap them" : "");
}

static void write_one(Arena *arena, const Code *code, const NeighbourList *list, uint32_t number,
                      EditList *edits) {
    const Neighbours *of = &list->at[number];
    const char *name = array_name(arena, code, list, number), *indent, *ignored;
    uint32_t at = 0, line;
    const bool alone = line_of(arena, code, of->line, &line, &indent) &&
                       line_of(arena, code, of->statements.begin, &at, &ignored);
    const char *load = of->reads ? arena_printf(arena, " = %s",
                                                spell_record(arena, of, of->writes ? "" : "const "))
                                 : "";
    const char *declared =
        arena_printf(arena, "%sNeighbours<%s, %u> %s%s;", of->writes ? "" : "const ",
                     of->pointer->type, of->count, name, load);
    if (!alone)
        at = of->statements.begin;
    add(arena, edits, at, at,
        alone ? arena_printf(arena, "%s%s\n%s%s\n", indent, comment_of(arena, of), indent, declared)
              : arena_printf(arena, "%s ", declared));
    for (uint32_t i = 0; i < of->uses.count; i++)
        add(arena, edits, of->uses.at[i].at.begin, of->uses.at[i].at.end,
            arena_printf(arena, "%s.at[%s]", name, of->uses.at[i].place));
    if (of->writes)
        add(arena, edits, of->statements.end, of->statements.end,
            arena_printf(arena, "%s%s = %s;", alone ? arena_printf(arena, "\n%s", indent) : " ",
                         spell_record(arena, of, ""), name));
}

static int by_place(const void *left, const void *right) {
    const Edit *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

/* Before the comment that stands above a declaration. */
static uint32_t above_comment(const Code *code, uint32_t offset) {
    while (offset > 1) {
        uint32_t begin = offset - 1; /* of the line before */
        while (begin > 0 && code->text[begin - 1] != '\n')
            begin--;
        if (code->text[offset - 1] != '\n' || strncmp(code->text + begin, "//", 2) != 0)
            break;
        offset = begin;
    }
    return offset;
}

bool neighbours_write(Arena *arena, const Code *code, uint32_t outer, uint32_t brace,
                      const KernelPointers *pointers, EditList *edits) {
    NeighbourList list = {0};
    bool apart = true;
    neighbours_find(arena, code, brace, pointers, &list);
    for (uint32_t i = 0; i < list.count; i++)
        write_one(arena, code, &list, i, edits);
    if (list.count == 0 || is_named(code, "Neighbours"))
        return false;
    outer = above_comment(code, outer);
    add(arena, edits, outer, outer, record_text);
    qsort(edits->list.at, edits->list.count, sizeof *edits->list.at, by_place);
    for (uint32_t i = 1; i < edits->list.count; i++)
        apart &= edits->list.at[i].begin >= edits->list.at[i - 1].end;
    return apart;
}
