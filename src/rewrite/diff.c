/* Edits of a text: applied, and as a unified diff. No two texts are compared; which lines change is known
 * from the edits. */
#include "rewrite/rewrite.h"

#include <string.h>

enum { CONTEXT = 3 };

/* Text that grows. */
typedef struct Out {
    Arena *arena;
    VEC(char) text;
} Out;

static void put(Out *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        *vec_add(out->arena, &out->text) = text[i];
}

static char *finish(Out *out) {
    *vec_add(out->arena, &out->text) = 0;
    return out->text.at;
}

/* [begin, end) of the text with the edits that lie in it. */
static void put_edited(Out *out, const char *text, uint32_t begin, uint32_t end, const Edit *edits,
                       uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        put(out, text + begin, edits[i].begin - begin);
        put(out, edits[i].text, strlen(edits[i].text));
        begin = edits[i].end;
    }
    put(out, text + begin, end - begin);
}

char *edits_apply(Arena *arena, const char *text, const Edit *edits, uint32_t count) {
    Out out = {.arena = arena};
    put_edited(&out, text, 0, (uint32_t)strlen(text), edits, count);
    return finish(&out);
}

/* ---- lines ---- */

/* Lines [first, first + count) and the edits that change them. */
typedef struct Hunk {
    uint32_t first, count;
    uint32_t edit, edit_count;
} Hunk;

typedef struct Patch {
    Out out;
    const char *text;
    const Edit *edits;
    VEC(uint32_t) starts; /* of lines, and the text's end */
    VEC(Hunk) changes;
} Patch;

static uint32_t line_count(const Patch *patch) {
    return patch->starts.count - 1;
}

static void find_lines(Patch *patch) {
    uint32_t length = (uint32_t)strlen(patch->text);
    for (uint32_t at = 0; at < length;) {
        const char *end = strchr(patch->text + at, '\n');
        *vec_add(patch->out.arena, &patch->starts) = at;
        at = end ? (uint32_t)(end - patch->text) + 1 : length;
    }
    *vec_add(patch->out.arena, &patch->starts) = length;
}

/* Lines that are inserted before a line change none. */
static bool inserts_lines(const Edit *edit, uint32_t line_start) {
    size_t length = strlen(edit->text);
    return edit->begin == edit->end && edit->begin == line_start && length > 0 &&
           edit->text[length - 1] == '\n';
}

static void find_changes(Patch *patch, uint32_t count) {
    uint32_t line = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Edit *edit = &patch->edits[i];
        while (line + 1 < line_count(patch) && patch->starts.at[line + 1] <= edit->begin)
            line++;
        uint32_t last = line;
        while (last + 1 < line_count(patch) && patch->starts.at[last + 1] < edit->end)
            last++;
        uint32_t lines = inserts_lines(edit, patch->starts.at[line]) ? 0 : last - line + 1;
        Hunk *before = patch->changes.count ? &patch->changes.at[patch->changes.count - 1] : NULL;
        uint32_t next = before ? before->first + before->count : 0; /* line behind it */
        bool adjoins = before && lines && before->count && line == next;
        if (before && (line < next || adjoins)) {
            before->edit_count++;
            if (line + lines > next)
                before->count = line + lines - before->first;
        } else {
            *vec_add(patch->out.arena, &patch->changes) = (Hunk){line, lines, i, 1};
        }
    }
}

/* ---- hunks ---- */

static void put_lines(Patch *patch, char mark, const char *lines) {
    while (*lines) {
        const char *end = strchr(lines, '\n');
        size_t length = end ? (size_t)(end - lines) + 1 : strlen(lines);
        put(&patch->out, &mark, 1);
        put(&patch->out, lines, length);
        if (!end)
            put(&patch->out, "\n\\ No newline at end of file\n", 29);
        lines += length;
    }
}

static void put_old(Patch *patch, char mark, uint32_t first, uint32_t end) {
    uint32_t from = patch->starts.at[first], to = patch->starts.at[end];
    put_lines(patch, mark, arena_copy(patch->out.arena, patch->text + from, to - from));
}

static const char *new_lines(const Patch *patch, const Hunk *change) {
    Out out = {.arena = patch->out.arena};
    put_edited(&out, patch->text, patch->starts.at[change->first],
               patch->starts.at[change->first + change->count], patch->edits + change->edit,
               change->edit_count);
    return finish(&out);
}

static uint32_t lines_of(const char *text) {
    uint32_t lines = 0;
    for (const char *at = text; *at; lines++) {
        const char *end = strchr(at, '\n');
        at = end ? end + 1 : at + strlen(at);
    }
    return lines;
}

/* Changes [from, to) with the lines around them; `grown`: lines that earlier hunks have added. */
static void put_hunk(Patch *patch, uint32_t from, uint32_t to, int64_t *grown) {
    const Hunk *first = &patch->changes.at[from], *last = &patch->changes.at[to - 1];
    uint32_t begin = first->first > CONTEXT ? first->first - CONTEXT : 0;
    uint32_t end = last->first + last->count + CONTEXT;
    end = end < line_count(patch) ? end : line_count(patch);
    int64_t before = *grown;
    for (uint32_t i = from; i < to; i++)
        *grown +=
            (int64_t)lines_of(new_lines(patch, &patch->changes.at[i])) - patch->changes.at[i].count;
    const char *head =
        arena_printf(patch->out.arena, "@@ -%u,%u +%lld,%lld @@\n", begin + 1, end - begin,
                     (long long)(begin + 1 + before), (long long)(end - begin + *grown - before));
    put(&patch->out, head, strlen(head));
    for (uint32_t i = from; i < to; i++) {
        const Hunk *change = &patch->changes.at[i];
        put_old(patch, ' ', begin, change->first);
        put_old(patch, '-', change->first, change->first + change->count);
        put_lines(patch, '+', new_lines(patch, change));
        begin = change->first + change->count;
    }
    put_old(patch, ' ', begin, end);
}

char *edits_diff(Arena *arena, const char *path, const char *text, const Edit *edits,
                 uint32_t count) {
    Patch patch = {.out.arena = arena, .text = text, .edits = edits};
    find_lines(&patch);
    find_changes(&patch, count);
    while (str_starts(str_of(path), "./"))
        path += 2;
    path += *path == '/';
    const char *head = arena_printf(arena, "--- a/%s\n+++ b/%s\n", path, path);
    put(&patch.out, head, strlen(head));
    int64_t grown = 0;
    for (uint32_t from = 0, to; from < patch.changes.count; from = to) {
        for (to = from + 1; to < patch.changes.count; to++) {
            const Hunk *last = &patch.changes.at[to - 1];
            if (patch.changes.at[to].first > last->first + last->count + 2 * CONTEXT)
                break;
        }
        put_hunk(&patch, from, to, &grown);
    }
    return finish(&patch.out);
}
