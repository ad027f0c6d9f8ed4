/* Elements of a pointer that one thread accesses side by side, and that one access could take:
 *
 *     a = p[4 * i]; b = p[4 * i + 1]; …          for (int k = 0; k < 4; k++) sum += p[4 * i + k];
 *
 * They are read by their text. An index is a sum: equal terms and a number, or the variable of a loop that counts from 0. Uses are
 * neighbours if their statements stand in one block, where nothing changes what the index is made of, no thread waits for others, and no access
 * depends on a condition. What is not understood is left as it is. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

enum { VECTOR_BYTES_MOST = 64, USES_MOST = 1024 };

typedef struct ReadUse {
    const KernelPointer *pointer;
    uint32_t name, close; /* tokens */
    /* the terms that are no number and no loop's variable: what tells groups apart */
    const char *rest;
    const char *spelled; /* as they are written */
    const char *of_rows; /* of the only term, "4 * i": what is multiplied; or NULL */
    uint64_t row;        /* and by what */
    uint32_t multiple;   /* of the terms that are no number and no loop\'s variable */
    int64_t first;
    uint32_t count; /* 1, or of a loop */
    const char *variable;
    Standing standing;
    bool reads, writes, taken;
} ReadUse;

typedef struct Finder {
    Arena *arena;
    const Code *code;
    uint32_t brace, end;
    VEC(ReadUse) uses;
    VEC(uint32_t) others; /* tokens that name a pointer and are no use that is understood */
    const KernelPointers *pointers;
} Finder;

/* ---- statements ---- */

static uint32_t behind_directives(const Code *code, uint32_t t) {
    while (t < code->tokens.count && token_is(code, t, "#"))
        t = token_behind_line(code, t);
    return t;
}

static uint32_t behind(const Code *code, uint32_t t) {
    t = behind_directives(code, t);
    return token_behind_statement(code, token_is(code, t, "else") ? t + 1 : t);
}

static bool has_word(const Code *code, uint32_t first, uint32_t end, const char *const *words) {
    for (; *words; words++)
        for (uint32_t t = first; t < end; t++)
            if (token_is(code, t, *words))
                return true;
    return false;
}

/* A loop that counts from 0 to a number. 0: it does not. */
static uint32_t turns_of(const Code *code, const Loop *loop) {
    uint64_t turns = 0;
    const uint32_t zero = loop->init_end - 1, name = loop->init_end + 1;
    const bool counts = loop->by_one && token_is(code, zero, "0") &&
                        token_is(code, zero - 1, "=") && token_is(code, name + 1, "<") &&
                        token_is(code, name + 3, ";");
    if (!counts || !number_read(code, name + 2, &turns) || turns > VECTOR_BYTES_MOST)
        return 0;
    return (uint32_t)turns;
}

/* Within its statement the access is made on a condition: c ? p[0] : 0, or c && p[0]. */
static bool is_chosen(const Code *code, uint32_t at) {
    for (uint32_t t = at; t-- > 0;) {
        if (token_is(code, t, ";") || token_is(code, t, "{") || token_is(code, t, "}"))
            break;
        if (token_is(code, t, "?") || token_is(code, t, "&&") || token_is(code, t, "||"))
            return true;
    }
    return false;
}

/* The statement that has token `at`, and stands in a block; or that of the loop that counts `variable`, whose turns are then told.
 * false: there is none, or it may not be reached. */
static bool find_standing(const Finder *finder, uint32_t at, const char *variable, Standing *found,
                          uint32_t *turns) {
    const Code *code = finder->code;
    static const char *const leaves[] = {"if",       "switch", "break", "while",
                                         "continue", "return", "goto",  NULL};
    uint32_t t = finder->brace + 1, block = finder->brace;
    bool single = false; /* the statement of a head without braces */
    *turns = 0;
    while (t < finder->end) {
        const uint32_t first = t, body = behind_directives(code, t), end = behind(code, t);
        const bool otherwise = token_is(code, body, "else");
        const bool heads = token_is(code, body, "for") || token_is(code, body, "while") ||
                           token_is(code, body, "if") || token_is(code, body, "switch");
        Loop loop;
        if (end <= at) {
            t = end;
            continue;
        }
        if (!single && variable && loop_read(code, body, &loop) && str_is(loop.name, variable)) {
            *found = (Standing){block, first, end};
            *turns = turns_of(code, &loop);
            return at > loop.step_end && *turns && loop_keeps(code, &loop, loop.name, true) &&
                   !is_chosen(code, at) && !has_word(code, body, end, leaves);
        }
        if (token_is(code, body, "{")) {
            block = body;
            t = body + 1;
            single = false;
        } else if (heads || otherwise) {
            t = heads ? token_behind_brackets(code, body + 1) : body + 1;
            single = true;
            if (at < t)
                return false;
        } else {
            *found = (Standing){block, first, end};
            return !single && !variable && !is_chosen(code, at) && !token_is(code, body, "do");
        }
    }
    return false;
}

bool standing_find(const Code *code, uint32_t brace, uint32_t end, uint32_t at, Standing *found) {
    const Finder finder = {.code = code, .brace = brace, .end = end};
    uint32_t turns;
    return find_standing(&finder, at, NULL, found, &turns);
}

/* ---- indices ---- */

static bool is_loose(const Code *code, uint32_t t) {
    static const char *const loose[] = {"<<", ">>", "&",  "|",  "^",  "?",  ":", "<",  ">",  "=",
                                        "==", "!=", "<=", ">=", "&&", "||", ",", "++", "--", NULL};
    for (size_t i = 0; loose[i]; i++)
        if (token_is(code, t, loose[i]))
            return true;
    return false;
}

/* NUMBER * X or X * NUMBER, with no other operator outside of brackets. */
static void read_product(Finder *finder, ReadUse *use, uint32_t first, uint32_t end) {
    const Code *code = finder->code;
    uint32_t stars = 0, others = 0;
    int depth = 0;
    for (uint32_t t = first; t < end; t++) {
        stars += depth == 0 && token_is(code, t, "*");
        others += depth == 0 && (token_is(code, t, "/") || token_is(code, t, "%"));
        depth += token_opens(code, t);
        depth -= token_closes(code, t);
    }
    const bool before = token_is(code, first + 1, "*"), after = token_is(code, end - 2, "*");
    const uint32_t number = before ? first : end - 1;
    const uint32_t from = before ? first + 2 : first, to = before ? end : end - 2;
    use->of_rows = NULL;
    if (stars != 1 || others || !(before || after) || end - first < 3 ||
        !expression_number(code, code->tokens.at[number].at, &use->row))
        return;
    Str text =
        code_text(code, (Range){code->tokens.at[from].at.begin, code->tokens.at[to - 1].at.end});
    if (token_is(code, from, "(") && token_behind_brackets(code, from) == to) {
        text = str_drop(text, 1); /* the subscript's brackets are enough */
        text.length--;
    }
    use->of_rows = arena_copy(finder->arena, text.at, text.length);
}

static void add_term(Finder *finder, ReadUse *use, uint32_t first, uint32_t end, bool minus) {
    const Code *code = finder->code;
    uint64_t number;
    const Range at = {code->tokens.at[first].at.begin, code->tokens.at[end - 1].at.end};
    const Str text = code_text(code, at);
    const bool zero = text.length == 1 && *text.at == '0';
    if (zero || expression_number(code, at, &number)) {
        use->first += zero ? 0 : minus ? -(int64_t)number : (int64_t)number;
        return;
    }
    const uint32_t multiple = multiple_of(code, finder->brace, finder->pointers, first, end);
    use->multiple = multiple < use->multiple ? multiple : use->multiple;
    if (*use->spelled || minus)
        use->of_rows = NULL;
    else
        read_product(finder, use, first, end);
    const char *sign = minus ? (*use->spelled ? " - " : "-") : *use->spelled ? " + " : "";
    use->spelled = arena_printf(finder->arena, "%s%s" STR_FMT, use->spelled, sign, STR_ARG(text));
    for (uint32_t t = first; t < end; t++) /* without the blanks */
        use->rest = arena_printf(finder->arena, "%s%s" STR_FMT, use->rest,
                                 t > first ? ""
                                 : minus   ? "-"
                                           : "+",
                                 STR_ARG(token_text(code, &code->tokens.at[t])));
}

/* The terms of the index; skipped: the one that is a loop's variable, by its first token. false: it is no sum. */
static bool read_index(Finder *finder, ReadUse *use, uint32_t skipped) {
    const Code *code = finder->code;
    uint32_t begin = use->name + 2;
    int depth = 0;
    bool minus = false;
    use->rest = use->spelled = "";
    use->first = 0;
    use->multiple = multiple_of(code, finder->brace, finder->pointers, use->name, use->name + 1);
    for (uint32_t t = begin; t <= use->close; t++) {
        const bool ends =
            depth == 0 &&
            (t == use->close || (t > begin && (token_is(code, t, "+") || token_is(code, t, "-"))));
        if (ends && t > begin && begin != skipped)
            add_term(finder, use, begin, t, minus);
        if (t == use->close)
            break;
        if (depth == 0 && is_loose(code, t))
            return false;
        if (depth == 0 && (ends || token_is(code, t, "-") || token_is(code, t, "+"))) {
            if (!ends && t != begin)
                return false;
            minus = token_is(code, t, "-");
            begin = t + 1;
        }
        depth += token_opens(code, t);
        depth -= token_closes(code, t);
    }
    return true;
}

/* A term that is a name and nothing else, added: perhaps a loop's variable. */
static bool is_lone(const Finder *finder, const ReadUse *use, uint32_t t) {
    const Code *code = finder->code;
    const bool begins = t == use->name + 2 || token_is(code, t - 1, "+");
    const bool ends =
        t + 1 == use->close || token_is(code, t + 1, "+") || token_is(code, t + 1, "-");
    return code->tokens.at[t].kind == CXToken_Identifier && begins && ends;
}

static bool place_use(Finder *finder, ReadUse *use) {
    const Code *code = finder->code;
    uint32_t turns;
    for (uint32_t t = use->name + 2; t < use->close; t++) {
        const Str text = token_text(code, &code->tokens.at[t]);
        const char *variable = arena_copy(finder->arena, text.at, text.length);
        if (is_lone(finder, use, t) &&
            find_standing(finder, use->name, variable, &use->standing, &turns)) {
            use->variable = variable;
            use->count = turns;
            return read_index(finder, use, t);
        }
    }
    use->count = 1;
    return find_standing(finder, use->name, NULL, &use->standing, &turns) &&
           read_index(finder, use, UINT32_MAX);
}

/* ---- uses ---- */

const KernelPointer *pointer_named(const Code *code, const KernelPointers *pointers, uint32_t t) {
    if (code->tokens.at[t].kind != CXToken_Identifier || token_is(code, t - 1, ".") ||
        token_is(code, t - 1, "->") || token_is(code, t - 1, "::"))
        return NULL;
    for (uint32_t i = 0; i < pointers->count; i++)
        if (str_equal(token_text(code, &code->tokens.at[t]), pointers->at[i].name))
            return &pointers->at[i];
    return NULL;
}

static void read_access(const Code *code, ReadUse *use) {
    const uint32_t t = use->close + 1;
    use->reads = !token_is(code, t, "=");
    use->writes = !use->reads || token_updates(code, t) || token_is(code, use->name - 1, "++") ||
                  token_is(code, use->name - 1, "--");
}

static void find_uses(Finder *finder) {
    const Code *code = finder->code;
    for (uint32_t t = finder->brace + 1; t < finder->end && finder->uses.count < USES_MOST; t++) {
        const KernelPointer *pointer = pointer_named(finder->code, finder->pointers, t);
        if (!pointer)
            continue;
        ReadUse use = {.pointer = pointer, .name = t};
        const bool element = token_is(code, t + 1, "[") && !token_is(code, t - 1, "&") &&
                             !expansion_at(code, code->tokens.at[t].at.begin);
        use.close = element ? token_behind_brackets(code, t + 1) - 1 : t;
        if (element && !token_is(code, use.close + 1, "[") && !token_is(code, use.close + 1, ".") &&
            place_use(finder, &use)) {
            read_access(code, &use);
            *vec_add(finder->arena, &finder->uses) = use;
        } else {
            *vec_add(finder->arena, &finder->others) = t;
        }
    }
}

/* ---- neighbours ---- */

static bool together(const ReadUse *a, const ReadUse *b) {
    return a->pointer == b->pointer && a->standing.block == b->standing.block &&
           strcmp(a->rest, b->rest) == 0;
}

/* Do the uses of the set that read, or write, have all of [first, first + count)? none: it is as good if there is no such use. */
static bool covers(const Finder *finder, const uint32_t *set, uint32_t size, bool writes,
                   int64_t first, uint32_t count, bool *any) {
    uint64_t seen = 0;
    *any = false;
    for (uint32_t i = 0; i < size; i++) {
        const ReadUse *use = &finder->uses.at[set[i]];
        for (uint32_t k = 0; k < use->count && (writes ? use->writes : use->reads); k++) {
            seen |= UINT64_C(1) << (use->first + k - first);
            *any = true;
        }
    }
    return !*any || seen == (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1);
}

/* Between the statements nobody waits, the index keeps its value, and the pointer has no use that is not among these, if they write. */
static bool undisturbed(const Finder *finder, const uint32_t *set, uint32_t size, uint32_t first,
                        uint32_t end, bool writes) {
    const Code *code = finder->code;
    const ReadUse *one = &finder->uses.at[set[0]];
    for (uint32_t t = first; t < end; t++) {
        const Str text = token_text(code, &code->tokens.at[t]);
        if (code->tokens.at[t].kind == CXToken_Identifier &&
            (str_starts(text, "__sync") || str_starts(text, "atomic") ||
             str_starts(text, "__threadfence") || str_is(text, "sync")))
            return false;
        if (str_is(text, "asm") || str_is(text, "return") || str_is(text, "break") ||
            str_is(text, "continue") || str_is(text, "goto"))
            return false;
    }
    for (uint32_t t = one->name + 2; t < one->close; t++)
        for (uint32_t k = first; k < end && code->tokens.at[t].kind == CXToken_Identifier; k++)
            if (token_same(code, t, k) &&
                !(one->variable && str_is(token_text(code, &code->tokens.at[t]), one->variable)) &&
                token_changes(code, k))
                return false;
    for (uint32_t t = first; t < end; t++) {
        bool ours = pointer_named(finder->code, finder->pointers, t) != one->pointer;
        for (uint32_t i = 0; i < size; i++)
            ours |= finder->uses.at[set[i]].name == t;
        for (uint32_t i = 0; !ours && !writes && i < finder->uses.count; i++)
            ours |= finder->uses.at[i].name == t && !finder->uses.at[i].writes;
        if (!ours)
            return false;
    }
    return true;
}

/* The statement of `other` comes behind that of `use`; or it is the same loop, which comes again. */
static bool comes_behind(const ReadUse *use, const ReadUse *other) {
    return other->standing.first >= use->standing.end ||
           (other->standing.first == use->standing.first && (use->count > 1 || other->count > 1));
}

/* Is something else written before one of them is read, or accessed after one of them is written? Then it matters that it does not overlap
 * them. */
static bool may_overlap(const Finder *finder, const uint32_t *set, uint32_t size, uint32_t first,
                        uint32_t end) {
    const KernelPointer *pointer = finder->uses.at[set[0]].pointer;
    for (uint32_t i = 0; i < finder->others.count; i++)
        if (finder->others.at[i] >= first && finder->others.at[i] < end)
            return true;
    for (uint32_t i = 0; i < finder->uses.count; i++) {
        const ReadUse *other = &finder->uses.at[i];
        if (other->name < first || other->name >= end || other->pointer == pointer ||
            (pointer->restricted && other->pointer->restricted))
            continue;
        for (uint32_t k = 0; k < size; k++) {
            const ReadUse *use = &finder->uses.at[set[k]];
            if ((use->reads && other->writes && comes_behind(other, use)) ||
                (use->writes && comes_behind(use, other)))
                return true;
        }
    }
    return false;
}

/* Which of the vectors it is, where their places are multiples of their size by the text. */
static const char *number_text(Arena *arena, const ReadUse *use, int64_t first, uint32_t count) {
    if (!use->of_rows || use->row != count || first % count || first < 0)
        return NULL;
    return first ? arena_printf(arena, "%s + %lld", use->of_rows, (long long)(first / count))
                 : use->of_rows;
}

static const char *begin_text(Arena *arena, const ReadUse *use, int64_t first) {
    if (first == 0)
        return *use->spelled ? use->spelled : "0";
    if (!*use->spelled)
        return arena_printf(arena, "%lld", (long long)first);
    return arena_printf(arena, "%s %c %lld", use->spelled, first < 0 ? '-' : '+',
                        (long long)(first < 0 ? -first : first));
}

/* The uses of the set that lie in [first, first + count), if they are all that can be together. */
static void add_neighbours(Finder *finder, uint32_t *set, uint32_t size, int64_t first,
                           uint32_t count, NeighbourList *list) {
    const Code *code = finder->code;
    const ReadUse *one = &finder->uses.at[set[0]];
    Neighbours all = {.pointer = one->pointer, .count = count};
    uint32_t from = UINT32_MAX, to = 0;
    if (one->multiple % count || first % count)
        return; /* it may be at any place */
    if (!covers(finder, set, size, false, first, count, &all.reads) ||
        !covers(finder, set, size, true, first, count, &all.writes))
        return;
    for (uint32_t i = 0; i < size; i++) {
        const ReadUse *use = &finder->uses.at[set[i]];
        from = use->standing.first < from ? use->standing.first : from;
        to = use->standing.end > to ? use->standing.end : to;
    }
    if (!undisturbed(finder, set, size, from, to, all.writes))
        return;
    all.overlap = may_overlap(finder, set, size, from, to);
    all.begin = begin_text(finder->arena, one, first);
    all.number = number_text(finder->arena, one, first, count);
    all.line = code->tokens.at[behind_directives(code, from)].at.begin;
    all.statements = (Range){code->tokens.at[from].at.begin, code->tokens.at[to - 1].at.end};
    for (uint32_t i = 0; i < size; i++) {
        ReadUse *use = &finder->uses.at[set[i]];
        const long long place = (long long)(use->first - first);
        use->taken = true;
        *vec_add(finder->arena, &all.uses) = (Neighbour){
            .at = {code->tokens.at[use->name].at.begin, code->tokens.at[use->close].at.end},
            .place = !use->variable ? arena_printf(finder->arena, "%lld", place)
                     : place        ? arena_printf(finder->arena, "%s + %lld", use->variable, place)
                                    : use->variable,
            .reads = use->reads,
            .writes = use->writes};
    }
    *vec_add(finder->arena, list) = all;
}

static bool is_there(const Finder *finder, const ReadUse *one, int64_t place) {
    for (uint32_t i = 0; i < finder->uses.count; i++) {
        const ReadUse *use = &finder->uses.at[i];
        if (together(one, use) && use->first <= place && place < use->first + use->count)
            return true;
    }
    return false;
}

/* The row of elements that the use is of, in as few accesses of up to 64 bytes as make all of it: of three, none. */
static void join(Finder *finder, uint32_t at, NeighbourList *list) {
    const ReadUse *one = &finder->uses.at[at];
    const uint32_t most = (uint32_t)(VECTOR_BYTES_MOST / one->pointer->bytes);
    uint32_t *set = NEW_ARRAY(finder->arena, uint32_t, finder->uses.count + 1);
    int64_t begin = one->first, end = one->first + one->count;
    while (is_there(finder, one, begin - 1) && end - begin < USES_MOST)
        begin--;
    while (is_there(finder, one, end) && end - begin < USES_MOST)
        end++;
    for (uint32_t count = most; count > 1 && !one->taken; count /= 2) {
        const int64_t first = begin + (one->first - begin) / count * count;
        uint32_t size = 0;
        if ((end - begin) % count)
            continue;
        for (uint32_t i = 0; i < finder->uses.count; i++) {
            const ReadUse *use = &finder->uses.at[i];
            if (!use->taken && together(one, use) && use->first >= first &&
                use->first + use->count <= first + count)
                set[size++] = i;
        }
        if (size)
            add_neighbours(finder, set, size, first, count, list);
    }
}

void neighbours_find(Arena *arena, const Code *code, uint32_t brace, const KernelPointers *pointers,
                     NeighbourList *list) {
    Finder finder = {.arena = arena,
                     .code = code,
                     .brace = brace,
                     .end = token_behind_brackets(code, brace) - 1,
                     .pointers = pointers};
    find_uses(&finder);
    for (uint32_t i = 0; i < finder.uses.count; i++)
        if (!finder.uses.at[i].taken)
            join(&finder, i, list);
}
