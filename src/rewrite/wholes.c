/* Structures in global memory that a thread accesses by their members, taken whole: a variable gets p[i] before the first statement that has
 * a member of it, stands for it, and goes back behind the last if one is written. With the structure aligned that is one access of a vector.
 *
 * Written back are all members, so that no other thread may write one of them meanwhile: the patch says so. */
#include "rewrite/source.h"

#include <string.h>

enum { USES_MOST = 512 };

typedef struct MemberUse {
    const KernelPointer *pointer;
    uint32_t name, close, member; /* tokens: p, ], x */
    Standing standing;
    bool writes, reads, taken;
} MemberUse;

typedef struct Finder {
    Arena *arena;
    const Code *code;
    uint32_t brace, end;
    const KernelPointers *pointers;
    VEC(MemberUse) uses;
    EditList *edits;
} Finder;

static Str token(const Finder *finder, uint32_t t) {
    return token_text(finder->code, &finder->code->tokens.at[t]);
}

/* ---- uses ---- */

/* p[INDEX].member, whose statement is always reached with those around it. */
static bool read_use(const Finder *finder, uint32_t t, MemberUse *use) {
    const Code *code = finder->code;
    if (!token_is(code, t + 1, "[") || token_is(code, t - 1, "&") || token_is(code, t - 1, "++") ||
        token_is(code, t - 1, "--") || expansion_at(code, code->tokens.at[t].at.begin))
        return false;
    use->name = t;
    use->close = token_behind_brackets(code, t + 1) - 1;
    use->member = use->close + 2;
    const uint32_t behind = use->member + 1;
    if (!token_is(code, use->close + 1, ".") || token_is(code, behind, "(") ||
        token_is(code, behind, "[") || token_is(code, behind, "."))
        return false;
    const bool both = token_updates(code, behind);
    use->writes = both || token_is(code, behind, "=");
    use->reads = both || !use->writes;
    return standing_find(code, finder->brace, finder->end, t, &use->standing);
}

static void find_uses(Finder *finder) {
    for (uint32_t t = finder->brace + 1; t < finder->end && finder->uses.count < USES_MOST; t++) {
        MemberUse use = {.pointer = pointer_named(finder->code, finder->pointers, t)};
        if (use.pointer && read_use(finder, t, &use))
            *vec_add(finder->arena, &finder->uses) = use;
    }
}

/* ---- what belongs together ---- */

static bool same_index(const Finder *finder, const MemberUse *a, const MemberUse *b) {
    if (a->close - a->name != b->close - b->name)
        return false;
    for (uint32_t k = 0; k < a->close - a->name; k++)
        if (!str_equal(token(finder, a->name + k), token(finder, b->name + k)))
            return false;
    return a->standing.block == b->standing.block;
}

typedef struct Whole {
    const MemberUse *one;
    uint32_t first, end;       /* tokens of its statements */
    uint32_t members, written; /* different ones; written before they are read */
    bool writes, reads;        /* reads: what was there before */
} Whole;

/* Is the member of use `at` accessed in the set before it? writing: by an assignment alone. */
static bool is_before(const Finder *finder, const MemberUse *one, uint32_t at, bool writing) {
    for (uint32_t i = 0; i < at; i++) {
        const MemberUse *use = &finder->uses.at[i];
        if (same_index(finder, one, use) &&
            str_equal(token(finder, use->member), token(finder, finder->uses.at[at].member)) &&
            (!writing || (use->writes && !use->reads &&
                          use->standing.first < finder->uses.at[at].standing.first)))
            return true;
    }
    return false;
}

static Whole gather(const Finder *finder, const MemberUse *one) {
    Whole whole = {.one = one, .first = UINT32_MAX};
    for (uint32_t i = 0; i < finder->uses.count; i++) {
        const MemberUse *use = &finder->uses.at[i];
        if (!same_index(finder, one, use))
            continue;
        const bool anew = !is_before(finder, one, i, false);
        whole.members += anew;
        whole.written += anew && use->writes && !use->reads;
        whole.reads |= use->reads && !is_before(finder, one, i, true);
        whole.writes |= use->writes;
        if (use->standing.first < whole.first)
            whole.first = use->standing.first;
        if (use->standing.end > whole.end)
            whole.end = use->standing.end;
    }
    return whole;
}

/* Between the statements nobody waits or leaves, the index keeps its value, and the pointer has no other use that matters. */
static bool undisturbed(const Finder *finder, const Whole *whole) {
    static const char *const leaves[] = {"asm", "return", "break", "continue", "goto", "sync"};
    const Code *code = finder->code;
    const MemberUse *one = whole->one;
    for (uint32_t t = whole->first; t < whole->end; t++) {
        const Str text = token(finder, t);
        for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
            if (str_is(text, leaves[i]))
                return false;
        if (str_starts(text, "__sync") || str_starts(text, "atomic") ||
            str_starts(text, "__threadfence"))
            return false;
        for (uint32_t k = one->name + 2;
             k < one->close && code->tokens.at[t].kind == CXToken_Identifier; k++)
            if (str_equal(text, token(finder, k)) && token_changes(code, t))
                return false;
        if (pointer_named(finder->code, finder->pointers, t) != one->pointer)
            continue;
        bool ours = false;
        for (uint32_t i = 0; i < finder->uses.count; i++) {
            const MemberUse *use = &finder->uses.at[i];
            ours |= use->name == t &&
                    (same_index(finder, one, use) || (!whole->writes && !use->writes));
        }
        if (!ours)
            return false;
    }
    return true;
}

/* ---- edits ---- */

static void add(Finder *finder, uint32_t begin, uint32_t end, const char *text) {
    *vec_add(finder->arena, &finder->edits->list) = (Edit){begin, end, text};
}

/* "bodies_i", or what nobody else is called. */
static const char *name_of(const Finder *finder, const MemberUse *one) {
    const uint32_t index = one->name + 2;
    const bool word =
        index + 1 == one->close && finder->code->tokens.at[index].kind == CXToken_Identifier;
    const char *name =
        word ? arena_printf(finder->arena, STR_FMT "_" STR_FMT, STR_ARG(one->pointer->name),
                            STR_ARG(token(finder, index)))
             : arena_printf(finder->arena, STR_FMT "_one", STR_ARG(one->pointer->name));
    while (code_has_word(finder->code, name))
        name = arena_printf(finder->arena, "%s_", name);
    return name;
}

static void write_whole(Finder *finder, const Whole *whole) {
    const Code *code = finder->code;
    const MemberUse *one = whole->one;
    const char *name = name_of(finder, one);
    const uint32_t begin = code->tokens.at[whole->first].at.begin,
                   end = code->tokens.at[whole->end - 1].at.end;
    uint32_t line = begin;
    while (line > 0 && (code->text[line - 1] == ' ' || code->text[line - 1] == '\t'))
        line--;
    const char *indent = arena_copy(finder->arena, code->text + line, begin - line);
    Str element = code_text(
        code, (Range){code->tokens.at[one->name].at.begin, code->tokens.at[one->close].at.end});
    const char *load =
        whole->reads ? arena_printf(finder->arena, " = " STR_FMT, STR_ARG(element)) : "";
    const char *comment =
        whole->writes
            ? arena_printf(finder->arena,
                           "// " STR_FMT " as a whole: no other thread writes a part of it "
                           "meanwhile, and nothing else here overlaps it\n%s",
                           STR_ARG(element), indent)
            : "";
    add(finder, begin, begin,
        arena_printf(finder->arena, "%s%s%s %s%s;\n%s", comment, whole->writes ? "" : "const ",
                     one->pointer->type, name, load, indent));
    if (whole->writes)
        add(finder, end, end,
            arena_printf(finder->arena, "\n%s" STR_FMT " = %s;", indent, STR_ARG(element), name));
    for (uint32_t i = 0; i < finder->uses.count; i++) {
        MemberUse *use = &finder->uses.at[i];
        if (!same_index(finder, one, use))
            continue;
        use->taken = true;
        add(finder, code->tokens.at[use->name].at.begin, code->tokens.at[use->close].at.end, name);
    }
}

bool wholes_write(Arena *arena, const Code *code, uint32_t brace, const KernelPointers *pointers,
                  uint32_t members, EditList *edits) {
    Finder finder = {.arena = arena,
                     .code = code,
                     .brace = brace,
                     .end = token_behind_brackets(code, brace) - 1,
                     .pointers = pointers,
                     .edits = edits};
    const uint32_t before = edits->list.count;
    find_uses(&finder);
    for (uint32_t i = 0; i < finder.uses.count; i++) {
        if (finder.uses.at[i].taken)
            continue;
        Whole whole = gather(&finder, &finder.uses.at[i]);
        whole.reads |= whole.writes && whole.written < members;
        if (whole.members > 1 && undisturbed(&finder, &whole))
            write_whole(&finder, &whole);
    }
    return edits->list.count > before;
}
