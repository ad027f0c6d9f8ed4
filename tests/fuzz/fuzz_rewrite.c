/* Fuzzing the rewriting of CUDA sources: whatever a source says, and whatever lines at its head ask for (tests/rewrite), it is
 * refused, or each text that comes out is another one, and its diff leads from the one to the other. libclang parses; without it
 * nothing is done. */
#include "../rewrite/rewrite_case.h"
#include "fuzz.h"
#include "fuzz_file.h"

#include <signal.h>

enum { ARRAYS_MOST = 4 };

/* ---- the diff, as patch(1) applies it ---- */

static size_t line_length(const char *at) {
    const char *end = strchr(at, '\n');
    return end ? (size_t)(end - at) + 1 : strlen(at);
}

/* Lines of the text before a hunk's are as they were. Returns where the text after them begins. */
static const char *copy_lines(const char *from, uint64_t count, char **to) {
    for (; count && *from; count--) {
        size_t length = line_length(from);
        memcpy(*to, from, length);
        *to += length;
        from += length;
    }
    must(count == 0, "a hunk that lies behind the text");
    return from;
}

/* A text without a line feed at its end is followed by a line that says so. */
static bool is_last(const char *line) {
    return strncmp(line + line_length(line), "\\ ", 2) == 0;
}

static const char *apply(Arena *arena, const char *text, const char *diff) {
    char *made = arena_alloc(arena, strlen(text) + strlen(diff) + 1), *to = made;
    uint64_t done = 0;
    const char *at = strstr(diff, "\n@@ -");
    for (at = at ? at + 1 : ""; *at; at += line_length(at)) {
        unsigned long long first, count = 1;
        size_t length = line_length(at + 1) - (is_last(at) && at[line_length(at) - 1] == '\n');
        if (sscanf(at, "@@ -%llu,%llu", &first, &count) >= 1) {
            must(first > done, "hunks in order");
            text = copy_lines(text, first - 1 - done, &to);
            done = first - 1;
        } else if (*at == ' ' || *at == '-') {
            must(strncmp(text, at + 1, length) == 0, "a line of the text");
            done++;
            text += length;
        }
        if (*at == ' ' || *at == '+') {
            memcpy(to, at + 1, length);
            to += length;
        }
    }
    strcpy(to, text);
    return made;
}

/* ---- the rewriting ---- */

/* libclang goes on where its parser crashes. Once it was used, it would take what ends this process by itself (abort) for that. */
static void keep_abort(void) {
    static struct sigaction action;
    static bool kept;
    if (kept)
        sigaction(SIGABRT, &action, NULL);
    else
        sigaction(SIGABRT, NULL, &action);
    kept = true;
}

/* Of those that are found (fix/) or can be asked for. */
static bool is_layout(const Layout *layout) {
    enum { BYTES_MOST = 1 << 17, BITS_MOST = 10 };
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return layout->pitch && layout->pitch < BYTES_MOST && layout->pad < BYTES_MOST &&
               layout->pitch2 % layout->pitch == 0 && layout->pitch2 < BYTES_MOST &&
               layout->pad2 < BYTES_MOST;
    case LAYOUT_SWIZZLED:
        return layout->bits <= BITS_MOST && layout->base <= BITS_MOST &&
               layout->shift >= layout->bits && layout->shift <= BITS_MOST;
    case LAYOUT_XORED:
        return layout->base <= 7;
    case LAYOUT_TRANSPOSED:
        return layout->element && layout->rows && layout->rows < BYTES_MOST && layout->pitch &&
               layout->pitch < BYTES_MOST && layout->pitch % layout->element == 0;
    default:
        return true;
    }
}

static void check_rewritten(Arena *arena, const Rewrite *rewrite) {
    for (uint32_t i = 0; i < rewrite->files.count; i++) {
        const RewrittenFile *file = &rewrite->files.at[i];
        must(strcmp(file->before, file->after) != 0, "a file that changes");
        must(strcmp(apply(arena, file->before, file->diff), file->after) == 0, "a diff");
    }
}

/* (Those that stay as they are have no reason.) */
static void check_outcomes(const Rewrite *rewrite, const RewriteArray *arrays, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const RewriteOutcome *outcome = &rewrite->outcomes[i];
        must(outcome->done || outcome->why || arrays[i].layout.kind == LAYOUT_PLAIN,
             "rewritten, or a reason");
        must(outcome->shares <= i, "an array before it, or itself");
    }
}

static void change_threads(Arena *arena, const char *path, const Case *one, uint32_t kind,
                           const char *text, const RewriteOptions *options) {
    char *kernel = (char *)text;
    const uint64_t number = kind == NEIGHBOURS_JOINED ? 4 : strtoull(text, &kernel, 10);
    const ThreadChange change = {.kind = kind,
                                 .bytes = number,
                                 .align = number % 16 ? 8 : 16,
                                 .every = number,
                                 .square = one->tried};
    Rewrite rewrite;
    kernel += strspn(kernel, " ");
    if ((kind != PADDING_MOVED || (number && (number & (number - 1)) == 0)) &&
        rewrite_threads(arena, path, kernel, &change, options, &rewrite, diags_new(arena)))
        check_rewritten(arena, &rewrite);
}

static void rewrite_as_asked(Arena *arena, const char *path, char *text) {
    Case one = {.arena = arena};
    Diags *diags = diags_new(arena);
    Rewrite rewrite;
    parse_case(&one, text);
    const RewriteOptions options = {.instantiate = one.instantiate.at,
                                    .instantiate_count = one.instantiate.count,
                                    .tried = one.tried};
    const uint32_t count = one.arrays.count < ARRAYS_MOST ? one.arrays.count : ARRAYS_MOST;
    for (uint32_t i = 0; i < count; i++)
        if (!is_layout(&one.arrays.at[i].layout))
            return;
    if (rewrite_source(arena, path, one.arrays.at, count, &options, &rewrite, diags)) {
        check_outcomes(&rewrite, one.arrays.at, count);
        check_rewritten(arena, &rewrite);
    } else {
        must(diags->errors, "rewritten, or a reason");
    }
    if (one.joined.count)
        change_threads(arena, path, &one, NEIGHBOURS_JOINED, one.joined.at[0], &options);
    if (one.whole.count)
        change_threads(arena, path, &one, STRUCTURES_WHOLE, one.whole.at[0], &options);
    if (one.pads.count)
        change_threads(arena, path, &one, PADDING_MOVED, one.pads.at[0], &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = FUZZ_FILE;
    Arena *arena = arena_new();
    keep_abort();
    if (rewrite_possible(arena)) {
        fuzz_file_write(path, data, size);
        rewrite_as_asked(arena, path, arena_copy(arena, (const char *)data, size));
        unlink(path);
    }
    arena_free(arena);
    return 0;
}
