/* Which line of a text became which of its later version. Lines that occur once in both texts are
 * anchors; their longest common order stays in place (patience diff), the others have moved. From
 * each anchor equal neighbours are added. In the gaps between, lines that are similar enough are
 * taken for edited ones. Indentation does not count. */
#include "prof/prof.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { GAP_LIMIT = 400 }; /* lines of a gap that are searched for edited ones */

typedef struct Text {
    Str *lines;
    uint32_t count;
} Text;

typedef struct Matching {
    Arena *arena;
    Text before, after;
    uint32_t *to, *from; /* of each line, counted from 0: its partner, or NONE */
} Matching;

static Text split(Arena *arena, const char *text) {
    VEC(Str) lines = {0};
    while (text && *text) {
        Str line = {text, strcspn(text, "\n")};
        text += line.length + (text[line.length] == '\n');
        while (line.length && isspace((unsigned char)line.at[0]))
            line = (Str){line.at + 1, line.length - 1};
        while (line.length && isspace((unsigned char)line.at[line.length - 1]))
            line.length--;
        *vec_add(arena, &lines) = line;
    }
    return (Text){lines.at, lines.count};
}

static void pair(Matching *matching, uint32_t before, uint32_t after) {
    matching->to[before] = after;
    matching->from[after] = before;
}

static bool are_free(const Matching *matching, uint32_t before, uint32_t after) {
    return before < matching->before.count && after < matching->after.count &&
           matching->to[before] == NONE && matching->from[after] == NONE;
}

static bool are_equal(const Matching *matching, uint32_t before, uint32_t after) {
    return are_free(matching, before, after) &&
           str_equal(matching->before.lines[before], matching->after.lines[after]);
}

/* Equal lines behind a pair and before it. */
static void extend(Matching *matching, uint32_t before, uint32_t after) {
    for (uint32_t i = 1; are_equal(matching, before + i, after + i); i++)
        pair(matching, before + i, after + i);
    for (uint32_t i = 1; i <= before && i <= after && are_equal(matching, before - i, after - i);
         i++)
        pair(matching, before - i, after - i);
}

/* ---- anchors ---- */

typedef struct Anchor {
    uint32_t before, after;
    uint32_t previous; /* in the longest order that ends here, or NONE */
} Anchor;

typedef struct Anchors {
    VEC(Anchor) list;
} Anchors;

/* Of each text: the line's number, or NONE where it occurs again. */
static Map *find_single(Arena *arena, Text text) {
    Map *map = map_new(arena);
    for (uint32_t i = 0; i < text.count; i++) {
        uint64_t seen;
        map_put(map, text.lines[i], map_get(map, text.lines[i], &seen) ? NONE : i);
    }
    return map;
}

static Anchors find_anchors(const Matching *matching) {
    Anchors anchors = {0};
    Map *before = find_single(matching->arena, matching->before);
    Map *after = find_single(matching->arena, matching->after);
    for (uint32_t i = 0; i < matching->before.count; i++) {
        uint64_t single, there;
        Str line = matching->before.lines[i];
        if (line.length && map_get(before, line, &single) && single != NONE &&
            map_get(after, line, &there) && there != NONE)
            *vec_add(matching->arena, &anchors.list) = (Anchor){i, (uint32_t)there, NONE};
    }
    return anchors;
}

/* The longest subsequence with ascending `after` (anchors ascend in `before`): ends[k] is the anchor
 * with the smallest `after` that ends one of k + 1 anchors. */
static void pair_in_order(Matching *matching, Anchors *anchors) {
    uint32_t *ends = NEW_ARRAY(matching->arena, uint32_t, anchors->list.count), length = 0;
    for (uint32_t i = 0; i < anchors->list.count; i++) {
        Anchor *anchor = &anchors->list.at[i];
        uint32_t low = 0, high = length;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (anchors->list.at[ends[middle]].after < anchor->after)
                low = middle + 1;
            else
                high = middle;
        }
        anchor->previous = low ? ends[low - 1] : NONE;
        ends[low] = i;
        length = low == length ? length + 1 : length;
    }
    for (uint32_t i = length ? ends[length - 1] : NONE; i != NONE; i = anchors->list.at[i].previous)
        pair(matching, anchors->list.at[i].before, anchors->list.at[i].after);
}

static void pair_moved(Matching *matching, const Anchors *anchors) {
    for (uint32_t i = 0; i < anchors->list.count; i++) {
        const Anchor *anchor = &anchors->list.at[i];
        if (!are_free(matching, anchor->before, anchor->after))
            continue;
        pair(matching, anchor->before, anchor->after);
        extend(matching, anchor->before, anchor->after);
    }
}

/* ---- edited lines ---- */

static bool are_similar(Str a, Str b) {
    size_t longer = a.length > b.length ? a.length : b.length;
    return longer && str_distance(a, b) * 2 <= longer;
}

/* Free lines before .. before_end and after .. after_end: similar ones in the same order. */
static void pair_gap(Matching *matching, uint32_t before, uint32_t before_end, uint32_t after,
                     uint32_t after_end) {
    if (before_end - before > GAP_LIMIT || after_end - after > GAP_LIMIT)
        return;
    for (; before < before_end; before++)
        for (uint32_t j = after; j < after_end; j++)
            if (are_free(matching, before, j) &&
                are_similar(matching->before.lines[before], matching->after.lines[j])) {
                pair(matching, before, j);
                after = j + 1;
                break;
            }
}

static void pair_gaps(Matching *matching) {
    uint32_t start = 0, after = 0; /* behind the last pair */
    for (uint32_t i = 0; i <= matching->before.count; i++) {
        bool end = i == matching->before.count;
        if (!end && (matching->to[i] == NONE || matching->to[i] < after))
            continue; /* free, or moved here from further back */
        uint32_t limit = end ? matching->after.count : matching->to[i];
        pair_gap(matching, start, i, after, limit);
        start = i + 1;
        after = limit + 1;
    }
}

/* ---- the map ---- */

static uint32_t *no_partners(Arena *arena, uint32_t count) {
    uint32_t *partners = NEW_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t i = 0; i <= count; i++)
        partners[i] = NONE;
    return partners;
}

/* The first lines and the last ones need no anchor between them and the text's ends. */
static void pair_ends(Matching *matching) {
    uint32_t before = matching->before.count, after = matching->after.count;
    for (uint32_t i = 0; are_equal(matching, i, i); i++)
        pair(matching, i, i);
    for (; before && after && are_equal(matching, before - 1, after - 1); before--, after--)
        pair(matching, before - 1, after - 1);
}

uint32_t *line_map(Arena *arena, const char *before, const char *after, uint32_t *count) {
    Matching matching = {.arena = arena};
    matching.before = split(arena, before);
    matching.after = split(arena, after);
    matching.to = no_partners(arena, matching.before.count);
    matching.from = no_partners(arena, matching.after.count);
    Anchors anchors = find_anchors(&matching);
    pair_in_order(&matching, &anchors);
    for (uint32_t i = 0; i < anchors.list.count; i++)
        if (matching.to[anchors.list.at[i].before] == anchors.list.at[i].after)
            extend(&matching, anchors.list.at[i].before, anchors.list.at[i].after);
    pair_ends(&matching);
    pair_moved(&matching, &anchors);
    pair_gaps(&matching);
    *count = matching.before.count;
    return matching.to;
}
