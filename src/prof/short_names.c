/* Short names of a set of functions, so that no two of the set look alike: the innermost name, and as
 * much of its template arguments as there is room for - first all, then without what the library wrote
 * and all of that name share, then only what differs, or of a single function the first ones. A scope
 * or the parameters are added where the names do not differ otherwise; a number, where nothing helps. */
#include "prof/prof.h"

#include <stdlib.h>
#include <string.h>

static const char ellipsis[] = "…";
enum { BASE_LEAST = 16, DEPTH_MOST = 64 };

/* ---- text ---- */

static bool is_start(char c) {
    return ((unsigned char)c & 0xc0) != 0x80; /* of a character of UTF-8 */
}

static uint32_t columns(const char *text) {
    uint32_t count = 0;
    for (; *text; text++)
        count += is_start(*text);
    return count;
}

static size_t bytes_of(const char *text, uint32_t characters) {
    size_t at = 0;
    for (; text[at]; at++)
        if (is_start(text[at]) && characters-- == 0)
            break;
    return at;
}

/* At most `width` columns: the beginning and the end. */
static const char *cut(Arena *arena, const char *text, uint32_t width) {
    uint32_t all = columns(text);
    if (all <= width || width == 0)
        return text;
    uint32_t tail = (width - 1) / 2;
    return arena_printf(arena, "%.*s%s%s", (int)bytes_of(text, width - 1 - tail), text, ellipsis,
                        text + bytes_of(text, all - tail));
}

/* Types without their scopes: "functor<device_ptr<int>, int>". */
static char *plain_types(Arena *arena, const char *text) {
    char *to = arena_alloc_aligned(arena, strlen(text) + 1, 1);
    size_t start[DEPTH_MOST] = {0}, length = 0; /* of the name that is being written, by depth */
    uint32_t depth = 0;
    for (const char *at = text; *at; at++) {
        bool opens = strchr("<([{", *at), closes = strchr(">)]}", *at);
        if (at[0] == ':' && at[1] == ':') {
            length = start[depth];
            at++;
            continue;
        }
        if (at[0] == ' ' && at[1] == '>') /* "> >" */
            continue;
        depth -= closes && depth > 0;
        to[length++] = *at;
        if (opens && ++depth == DEPTH_MOST)
            return arena_printf(arena, "%s", text);
        if (opens || strchr(", *&", *at))
            start[depth] = length;
    }
    to[length] = 0;
    return to;
}

/* The same without arguments of arguments: "functor<device_ptr, int>". */
static const char *flat_types(Arena *arena, const char *text) {
    char *to = arena_alloc_aligned(arena, strlen(text) + 1, 1);
    size_t length = 0;
    uint32_t depth = 0;
    for (const char *at = text; *at; at++) {
        depth += *at == '<';
        if (depth < 2)
            to[length++] = *at;
        depth -= *at == '>' && depth > 0;
    }
    to[length] = 0;
    return to;
}

/* ---- the parts of a name ---- */

typedef struct Argument {
    const char *plain, *flat;
    bool library; /* of a scope: nothing that the user has written */
} Argument;

typedef struct Parts {
    const char *whole, *scope, *base, *parameters;
    VEC(Argument) arguments;
    bool template;
    const char *form; /* the result; NULL: not yet */
} Parts;

static void add_argument(Arena *arena, Parts *parts, const char *text, size_t length) {
    while (length && text[length - 1] == ' ')
        length--;
    const char *one = arena_copy(arena, text, length);
    const char *plain = plain_types(arena, one);
    *vec_add(arena, &parts->arguments) =
        (Argument){plain, flat_types(arena, plain), strstr(one, "::") != NULL};
}

/* Of "int, foo<a, b>", without the brackets around them. */
static void split_arguments(Arena *arena, Parts *parts, const char *text, size_t length) {
    size_t start = 0;
    int depth = 0;
    for (size_t at = 0; at <= length; at++) {
        bool end = at == length || (text[at] == ',' && depth == 0);
        if (end && at > start)
            add_argument(arena, parts, text + start, at - start);
        if (end)
            start = at + 1 + (at < length && text[at + 1] == ' ');
        else
            depth += strchr("<([{", text[at]) ? 1 : strchr(">)]}", text[at]) ? -1 : 0;
    }
}

/* Where the arguments of a template begin that the name ends with, or its end. */
static size_t arguments_at(const char *name, size_t length) {
    int depth = 0;
    if (!length || name[length - 1] != '>')
        return length;
    for (size_t at = length; at-- > 0;) {
        depth += strchr(">)]}", name[at]) ? 1 : strchr("<([{", name[at]) ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return length;
}

static Parts parts_of(Arena *arena, const char *name) {
    const char *function = name_function(arena, name);
    size_t length = strlen(function), end = arguments_at(function, length);
    Parts parts = {.whole = name, .template = end < length};
    const char *path = arena_copy(arena, function, end);
    parts.base = name_last(path);
    parts.scope = "";
    if (parts.base > path + 2) {
        const char *scope = arena_copy(arena, path, (size_t)(parts.base - path) - 2);
        parts.scope = plain_types(arena, scope);
    }
    if (parts.template)
        split_arguments(arena, &parts, function + end + 1, length - end - 2);
    parts.parameters = plain_types(arena, name_parameters(name));
    return parts;
}

/* ---- forms ---- */

typedef enum Which {
    ARGUMENTS_ALL,
    ARGUMENTS_OWN,
    ARGUMENTS_FIRST, /* of the only function of the name: none of them tells more than another */
    ARGUMENTS_DIFFERING,
    ARGUMENTS_ONE,
    ARGUMENTS_NONE
} Which;
typedef enum Extra { EXTRA_NONE, EXTRA_SCOPE, EXTRA_PARAMETERS } Extra;
typedef struct Kind {
    Extra extra;
    Which which;
    bool flat;
    uint32_t first; /* ARGUMENTS_FIRST: how many */
} Kind;

/* Functions of one innermost name. */
typedef struct Group {
    Arena *arena;
    Parts **at;
    uint32_t count;
    bool *shared; /* arguments that all have, by number */
    uint32_t one; /* the shortest argument that all differ by; NONE: there is none */
} Group;

static bool is_shared(const Group *group, uint32_t argument) {
    for (uint32_t i = 1; i < group->count; i++) {
        const Parts *first = group->at[0], *other = group->at[i];
        if (other->arguments.count != first->arguments.count ||
            strcmp(other->arguments.at[argument].plain, first->arguments.at[argument].plain) != 0)
            return false;
    }
    return true;
}

/* Columns of the argument in all of them; 0: not all of them differ by it. */
static uint32_t distinct_columns(const Group *group, uint32_t argument) {
    Map *seen = map_new(group->arena);
    uint32_t sum = 0;
    uint64_t there;
    for (uint32_t i = 0; i < group->count; i++) {
        const Parts *parts = group->at[i];
        if (argument >= parts->arguments.count ||
            map_get(seen, str_of(parts->arguments.at[argument].plain), &there))
            return 0;
        map_put(seen, str_of(parts->arguments.at[argument].plain), 1);
        sum += columns(parts->arguments.at[argument].plain);
    }
    return sum;
}

static uint32_t find_one(const Group *group) {
    uint32_t best = NONE, least = UINT32_MAX;
    for (uint32_t i = 0; group->count > 1 && i < group->at[0]->arguments.count; i++) {
        uint32_t sum = distinct_columns(group, i);
        if (sum && sum < least) {
            best = i;
            least = sum;
        }
    }
    return best;
}

static bool is_shown(const Group *group, const Parts *parts, uint32_t argument, Kind kind) {
    Which which = kind.which;
    bool shared = argument < group->at[0]->arguments.count && group->shared[argument];
    return which == ARGUMENTS_ALL || (which == ARGUMENTS_ONE && argument == group->one) ||
           (which == ARGUMENTS_FIRST && argument < kind.first) ||
           (which == ARGUMENTS_DIFFERING && !shared) ||
           (which == ARGUMENTS_OWN && !(shared && parts->arguments.at[argument].library));
}

/* "<…, int, …>" */
static const char *arguments_text(const Group *group, const Parts *parts, Kind kind) {
    const char *text = "";
    bool hidden = false;
    for (uint32_t i = 0; i < parts->arguments.count; i++) {
        bool shown = is_shown(group, parts, i, kind);
        const Argument *argument = &parts->arguments.at[i];
        const char *word = !shown ? ellipsis : kind.flat ? argument->flat : argument->plain;
        if (shown || !hidden)
            text = arena_printf(group->arena, "%s%s%s", text, *text ? ", " : "", word);
        hidden = !shown;
    }
    return parts->template ? arena_printf(group->arena, "<%s>", text) : "";
}

/* With the name itself cut where that makes it fit; NULL: it does not fit. */
static const char *form_of(const Group *group, const Parts *parts, Kind kind, uint32_t width,
                           bool may_cut) {
    const char *base = parts->base, *end = arguments_text(group, parts, kind);
    if (kind.extra == EXTRA_SCOPE && *parts->scope)
        base = arena_printf(group->arena, "%s::%s", parts->scope, base);
    if (kind.extra == EXTRA_PARAMETERS)
        end = arena_printf(group->arena, "%s%s", end, parts->parameters);
    uint32_t room = columns(end) < width ? width - columns(end) : 0;
    if (columns(base) <= room)
        return arena_printf(group->arena, "%s%s", base, end);
    if (!may_cut || room < BASE_LEAST)
        return NULL;
    return arena_printf(group->arena, "%s%s", cut(group->arena, base, room), end);
}

static bool all_have(const Group *group) {
    for (uint32_t i = 0; i < group->count; i++)
        if (!group->at[i]->form)
            return false;
    return true;
}

/* Gives this kind of form to those that have none yet and differ by it. */
static void give(const Group *group, Map *taken, Kind kind, uint32_t width, bool may_cut) {
    if (all_have(group))
        return;
    const char **forms = NEW_ARRAY(group->arena, const char *, group->count);
    Map *seen = map_new(group->arena);
    uint64_t count;
    for (uint32_t i = 0; i < group->count; i++) {
        forms[i] = form_of(group, group->at[i], kind, width, may_cut);
        if (!forms[i])
            continue;
        bool again = map_get(seen, str_of(forms[i]), &count);
        map_put(seen, str_of(forms[i]), again ? count + 1 : 1);
    }
    for (uint32_t i = 0; i < group->count; i++) {
        Parts *parts = group->at[i];
        if (parts->form || !forms[i] || map_get(taken, str_of(forms[i]), &count) ||
            !map_get(seen, str_of(forms[i]), &count) || count > 1)
            continue;
        parts->form = forms[i];
        map_put(taken, str_of(forms[i]), 1);
    }
}

static void give_kind(const Group *group, Map *taken, Kind kind, uint32_t width, bool may_cut) {
    if (kind.which != ARGUMENTS_FIRST) {
        give(group, taken, kind, width, may_cut);
        return;
    }
    uint32_t most = group->count == 1 ? group->at[0]->arguments.count : 0;
    for (kind.first = most; kind.first > 0; kind.first--)
        give(group, taken, kind, width, may_cut);
}

static void give_kinds(const Group *group, Map *taken, uint32_t width, bool may_cut) {
    for (int extra = EXTRA_NONE; extra <= EXTRA_PARAMETERS; extra++)
        for (int which = ARGUMENTS_ALL; which <= ARGUMENTS_NONE; which++)
            for (int flat = 0; flat < 2; flat++)
                give_kind(group, taken, (Kind){(Extra)extra, (Which)which, flat, 0}, width,
                          may_cut);
}

/* What is left has numbers, from the second on; UINT32_MAX: of the whole names. */
static void give_numbers(const Group *group, Map *taken, uint32_t width) {
    const Kind none = {EXTRA_NONE, ARGUMENTS_NONE, true, 0};
    uint32_t number = 2;
    for (uint32_t i = 0; i < group->count; i++) {
        Parts *parts = group->at[i];
        uint64_t there;
        if (parts->form)
            continue;
        const char *form =
            width == UINT32_MAX ? parts->whole : form_of(group, parts, none, UINT32_MAX, false);
        parts->form = cut(group->arena, form, width);
        for (; map_get(taken, str_of(parts->form), &there); number++) {
            const char *mark = arena_printf(group->arena, " #%u", number);
            uint32_t room = width > columns(mark) ? width - columns(mark) : 1;
            parts->form = arena_printf(group->arena, "%s%s", cut(group->arena, form, room), mark);
        }
        map_put(taken, str_of(parts->form), 1);
    }
}

static void shorten(Group *group, Map *taken, uint32_t width) {
    uint32_t count = group->at[0]->arguments.count;
    group->shared = NEW_ARRAY(group->arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++)
        group->shared[i] = is_shared(group, i);
    group->one = find_one(group);
    if (width != UINT32_MAX) {
        give_kinds(group, taken, width, false);
        give_kinds(group, taken, width, true);
    }
    give_numbers(group, taken, width);
}

/* ---- the set ---- */

static int by_base(const void *left, const void *right) {
    const Parts *const *a = left, *const *b = right;
    int order = strcmp((*a)->base, (*b)->base);
    return order ? order : *a < *b ? -1 : *a > *b;
}

const char **names_short(Arena *arena, const char *const *names, uint32_t count, uint32_t width) {
    const char **forms = NEW_ARRAY(arena, const char *, count + 1);
    Parts *all = NEW_ARRAY(arena, Parts, count + 1),
          **sorted = NEW_ARRAY(arena, Parts *, count + 1);
    Map *taken = map_new(arena);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = parts_of(arena, names[i]);
        sorted[i] = &all[i];
    }
    if (count)
        qsort(sorted, count, sizeof *sorted, by_base);
    for (uint32_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && strcmp(sorted[end]->base, sorted[start]->base) == 0;)
            end++;
        shorten(&(Group){.arena = arena, .at = sorted + start, .count = end - start}, taken,
                width ? width : UINT32_MAX);
    }
    for (uint32_t i = 0; i < count; i++)
        forms[i] = all[i].form;
    return forms;
}

/* Those that were not launched, as a process has them from earlier profiles, take no name from those that were. */
const char **kernel_names(Arena *arena, const Profile *profile, uint32_t width) {
    uint32_t count = profile->kernels.count, launched = 0;
    const char **names = NEW_ARRAY(arena, const char *, count + 1),
               **all = NEW_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < profile->launches.count; i++)
        all[profile->launches.at[i].kernel] = "";
    for (uint32_t i = 0; i < count; i++)
        if (all[i])
            names[launched++] = profile->kernels.at[i].demangled;
    const char **forms = names_short(arena, names, launched, width);
    for (uint32_t i = 0; i < count; i++)
        all[i] = all[i] ? *forms++ : profile->kernels.at[i].demangled;
    return all;
}
