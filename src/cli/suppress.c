/* A row is a kind of defect, a kernel's name without parameters, and a line, each with a shell's wildcards:
 *
 *   write-write-race  "blockScan<*>"  scan.cu:42
 *   leak              -               main.cu:*
 *
 * `-` stands for the program itself. What has blanks is quoted. A path fits from any of its folders on. */
#include "cli/suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

enum { WORDS = 3 };

typedef struct SuppressRow {
    const char *word[WORDS]; /* kind, kernel, place */
} SuppressRow;

typedef struct SuppressRows {
    VEC(SuppressRow) list;
} SuppressRows;

/* ---- what a defect is called ---- */

static const char *kernel_of(Arena *arena, const Profile *profile, const Defect *defect) {
    return defect->kernel == NONE
               ? "-"
               : name_function(arena, profile->kernels.at[defect->kernel].demangled);
}

/* "scan.cu:42"; of the program itself the place that its message names. */
static const char *place_of(Arena *arena, const Profile *profile, const Defect *defect) {
    if (defect->location == NONE) {
        const char *by = strstr(defect->message, "\n  by      ");
        by = by ? by + strlen("\n  by      ") : "?:0";
        return arena_copy(arena, by, strcspn(by, ",\n"));
    }
    const SitePlace place = location_place(profile, defect->location);
    const char *file = place.file == NONE ? "PTX" : profile->files.at[place.file].path;
    return arena_printf(arena, "%s:%u", profile_path(arena, profile, file), place.line);
}

static bool place_fits(const char *pattern, const char *place) {
    for (const char *at = place; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (fnmatch(pattern, at, 0) == 0)
            return true;
    return false;
}

static bool fits(Arena *arena, const Profile *profile, const SuppressRow *row,
                 const Defect *defect) {
    return fnmatch(row->word[0], defect_kinds[defect->kind], 0) == 0 &&
           fnmatch(row->word[1], kernel_of(arena, profile, defect), 0) == 0 &&
           place_fits(row->word[2], place_of(arena, profile, defect));
}

/* ---- reading ---- */

typedef struct SuppressText {
    const char *path, *text, *start, *at, *end; /* of the line */
    const char *word;                           /* where the last one that was read begins */
    uint32_t line;
    Arena *arena;
    Diags *diags;
} SuppressText;

static bool refuse(const SuppressText *in, const char *at, size_t length, const char *message) {
    diags_add(
        in->diags, DIAG_ERROR,
        (Place){in->path, in->text, in->line, (uint32_t)(at - in->start) + 1, (uint32_t)length},
        "%s", message);
    return false;
}

/* NULL: the line has ended. */
static const char *next_word(SuppressText *in) {
    while (in->at < in->end && strchr(" \t\r", *in->at))
        in->at++;
    if (in->at == in->end || *in->at == '#')
        return NULL;
    const char *from = in->at, *to = in->end;
    bool quoted = *from == '"';
    for (in->at = from += quoted; in->at < to; in->at++)
        if (quoted ? *in->at == '"' : strchr(" \t\r", *in->at) != NULL)
            break;
    const char *word = arena_copy(in->arena, from, (size_t)(in->at - from));
    in->word = from;
    in->at += in->at < to;
    return word;
}

static bool is_kind(const char *pattern) {
    for (uint32_t kind = 0; kind < DEFECT_KINDS; kind++)
        if (fnmatch(pattern, defect_kinds[kind], 0) == 0)
            return true;
    return false;
}

static bool read_row(SuppressText *in, SuppressRows *rows) {
    SuppressRow row;
    const char *begins = in->start + strspn(in->start, " \t");
    for (uint32_t i = 0; i < WORDS; i++) {
        row.word[i] = next_word(in);
        if (!row.word[i] && i == 0)
            return true;
        if (!row.word[i])
            return refuse(
                in, in->at, 1,
                "expected a kind, a kernel and a line: \"write-*\" \"scan<*>\" scan.cu:42");
    }
    if (!is_kind(row.word[0]))
        return refuse(in, begins, strlen(row.word[0]),
                      "no kind of defect has this name (docs/checks.md lists them)");
    if (!strrchr(row.word[2], ':') && strcmp(row.word[2], "*") != 0)
        return refuse(in, in->word, strlen(row.word[2]), "expected FILE:LINE, FILE:* or *");
    if (next_word(in))
        return refuse(in, in->word, 1, "expected the end of the line");
    *vec_add(in->arena, &rows->list) = row;
    return true;
}

static bool read_rows(Arena *arena, const char *path, SuppressRows *rows, Diags *diags) {
    size_t size;
    const char *text = file_read(arena, path, &size);
    if (!text) {
        diags_error(diags, "%s: %s", path, strerror(errno));
        return false;
    }
    SuppressText in = {.path = path, .text = text, .arena = arena, .diags = diags};
    bool good = true;
    for (const char *line = text; *line; line = *in.end ? in.end + 1 : in.end) {
        in.line++;
        in.start = in.at = line;
        in.end = line + strcspn(line, "\n");
        good &= read_row(&in, rows);
    }
    return good;
}

bool suppress_apply(Arena *arena, const char *path, Profile *profile, Diags *diags) {
    SuppressRows rows = {{0}};
    if (!read_rows(arena, path, &rows, diags))
        return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; profile && i < profile->defects.count; i++) {
        bool known = false;
        for (uint32_t r = 0; r < rows.list.count && !known; r++)
            known = fits(arena, profile, &rows.list.at[r], &profile->defects.at[i]);
        if (!known)
            profile->defects.at[kept++] = profile->defects.at[i];
    }
    if (profile)
        profile->defects.count = kept;
    return true;
}

/* ---- writing ---- */

/* A word that fits just this text: what a shell's wildcards are made of is taken as it is, and what would end the word is any
 * character. */
static const char *word_for(Arena *arena, const char *text) {
    char *word = arena_alloc_aligned(arena, 2 * strlen(text) + 1, 1), *to = word;
    for (; *text; text++) {
        if (strchr("*?[\\", *text))
            *to++ = '\\';
        *to++ = strchr("\"\n", *text) ? '?' : *text;
    }
    *to = 0;
    return word;
}

bool suppress_write(Arena *arena, const char *path, const Profile *profile, Diags *diags) {
    PrintedText printed;
    FILE *out = printed_begin(&printed, arena);
    fputs("# kind  kernel  line: defects that are known (warplens run --suppress)\n", out);
    for (uint32_t i = 0; i < profile->defects.count; i++) {
        const Defect *defect = &profile->defects.at[i];
        if (!defect->benign)
            fprintf(out, "%s \"%s\" \"%s\"\n", defect_kinds[defect->kind],
                    word_for(arena, kernel_of(arena, profile, defect)),
                    word_for(arena, place_of(arena, profile, defect)));
    }
    const char *text = printed_end(&printed);
    if (file_keep(path, text, printed.size))
        return true;
    diags_error(diags, "%s: %s", path, strerror(errno));
    return false;
}
