/* Limits of `warplens check`: from options and from a small file that lies in a repository.
 *
 *   # kernels            limits
 *   *                    max-nway 2    max-sector-ratio 1.5
 *   "gemm<float, *"      max-nway 4
 *   legacy*              max-nway none
 */
#include "rules/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const Limit limit_default = {"*", 1.1, 1.5};

bool limits_deny(Limits *limits, const char *name) {
    for (int id = GATE_conflict; id < GATE_COUNT; id++)
        if (strcmp(gate_info((GateId)id)->name, name) == 0) {
            limits->deny |= 1u << id;
            return true;
        }
    return false;
}

bool limit_number(const char *text, double *limit) {
    char *end;
    *limit = 0;
    if (strcmp(text, "none") == 0)
        return true;
    errno = 0;
    *limit = strtod(text, &end);
    return *text >= '0' && *text <= '9' && !*end && errno == 0 && *limit >= 1 && *limit < 1e9;
}

/* ---- the file ---- */

typedef struct Reader {
    Arena *arena;
    Diags *diags;
    const char *path, *text;
    const char *at, *end; /* the rest of the line */
    const char *start;    /* of the line */
    uint32_t line;
} Reader;

static bool fail(const Reader *reader, const char *at, size_t length, const char *expected) {
    diags_add(reader->diags, DIAG_ERROR,
              (Place){reader->path, reader->text, reader->line, (uint32_t)(at - reader->start) + 1,
                      (uint32_t)length},
              "expected %s", expected);
    return false;
}

/* The next word of the line, or NULL at its end; a word that is quoted may hold blanks. */
static const char *next_word(Reader *reader, const char **where) {
    while (reader->at < reader->end && strchr(" \t\r", *reader->at))
        reader->at++;
    *where = reader->at;
    if (reader->at == reader->end || *reader->at == '#')
        return NULL;
    bool quoted = *reader->at == '"';
    const char *from = reader->at + quoted, *to = from;
    while (to < reader->end && !strchr(quoted ? "\"" : " \t\r#", *to))
        to++;
    reader->at = to < reader->end && quoted ? to + 1 : to;
    return arena_copy(reader->arena, from, (size_t)(to - from));
}

static bool read_value(Reader *reader, double *limit) {
    const char *where, *word = next_word(reader, &where);
    if (word && limit_number(word, limit))
        return true;
    return fail(reader, where, word ? strlen(word) : 1, "a number of at least 1, or none");
}

/* PATTERN (max-nway N | max-sector-ratio N)+ */
static bool read_row(Reader *reader, Limits *limits) {
    const char *where, *word = next_word(reader, &where);
    if (!word)
        return true;
    Limit limit = {.pattern = word, .max_nway = -1, .max_sector_ratio = -1};
    bool any = false;
    while ((word = next_word(reader, &where))) {
        double *value = strcmp(word, "max-nway") == 0           ? &limit.max_nway
                        : strcmp(word, "max-sector-ratio") == 0 ? &limit.max_sector_ratio
                                                                : NULL;
        if (!value)
            return fail(reader, where, strlen(word), "max-nway or max-sector-ratio");
        if (!read_value(reader, value))
            return false;
        any = true;
    }
    if (!any)
        return fail(reader, where, 1, "max-nway or max-sector-ratio behind the pattern");
    *vec_add(reader->arena, &limits->list) = limit;
    return true;
}

bool limits_read(Arena *arena, Limits *limits, const char *path, const char *text, Diags *diags) {
    Reader reader = {.arena = arena, .diags = diags, .path = path, .text = text};
    bool good = true;
    for (const char *line = text; *line; line = *reader.end ? reader.end + 1 : reader.end) {
        reader.line++;
        reader.at = reader.start = line;
        reader.end = line + strcspn(line, "\n");
        good &= read_row(&reader, limits);
    }
    return good;
}
