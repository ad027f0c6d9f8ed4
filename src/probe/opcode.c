/* What machine instructions do to memory, by their text. */
#include "probe/probe.h"

#include <string.h>

/* The opcode and its words: "LDG.E.64"; without the guard before it. */
static Str spelling_of(const char *text) {
    if (*text == '@')
        text += strcspn(text, " ");
    text += strspn(text, " ");
    return (Str){text, strcspn(text, " ;")};
}

/* Whether one of its words, behind the first, is this. */
static bool has(Str opcode, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length < opcode.length; i++) {
        const char *at = opcode.at + i;
        if (*at == '.' && memcmp(at + 1, word, length) == 0 &&
            (i + 1 + length == opcode.length || at[1 + length] == '.'))
            return true;
    }
    return false;
}

static uint32_t width_of(Str opcode) {
    static const struct {
        const char *word;
        uint32_t bytes;
    } widths[] = {{"U8", 1},  {"S8", 1},  {"U16", 2}, {"S16", 2},  {"64", 8},
                  {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}, {"256", 32}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (has(opcode, widths[i].word))
            return widths[i].bytes;
    return 4;
}

static AccessKind atomic_kind(Str opcode) {
    return has(opcode, "CAST")   ? ACCESS_ATOMIC_CAST
           : has(opcode, "CAS")  ? ACCESS_ATOMIC_CAS
           : has(opcode, "POPC") ? ACCESS_ATOMIC_POPC
                                 : ACCESS_ATOMIC;
}

typedef struct KnownOpcode {
    const char *name;
    SiteOp op;
    SiteSpace space;
    AccessKind kind;
} KnownOpcode;

static const KnownOpcode opcodes[] = {
    {"LDG", SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD},
    {"STG", SITE_STORE, SITE_GLOBAL, ACCESS_STORE},
    {"LDS", SITE_LOAD, SITE_SHARED, ACCESS_LOAD},
    {"STS", SITE_STORE, SITE_SHARED, ACCESS_STORE},
    {"LDL", SITE_LOAD, SITE_LOCAL, ACCESS_LOAD},
    {"STL", SITE_STORE, SITE_LOCAL, ACCESS_STORE},
    {"LD", SITE_LOAD, SITE_GENERIC, ACCESS_LOAD},
    {"ST", SITE_STORE, SITE_GENERIC, ACCESS_STORE},
    {"ATOMG", SITE_ATOMIC, SITE_GLOBAL, ACCESS_ATOMIC},
    {"ATOMS", SITE_ATOMIC, SITE_SHARED, ACCESS_ATOMIC},
    {"ATOM", SITE_ATOMIC, SITE_GENERIC, ACCESS_ATOMIC},
    {"RED", SITE_REDUCTION, SITE_GLOBAL, ACCESS_ATOMIC},
    {"REDG", SITE_REDUCTION, SITE_GLOBAL, ACCESS_ATOMIC},
    {"LDSM", SITE_LDMATRIX, SITE_SHARED, ACCESS_LDMATRIX},
    {"STSM", SITE_STMATRIX, SITE_SHARED, ACCESS_STMATRIX},
    {"LDGSTS", SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CA},
    {"UBLKCP", SITE_COPY, SITE_SHARED, ACCESS_LOAD},
    {"UBLKRED", SITE_COPY, SITE_SHARED, ACCESS_LOAD},
    {"STAS", SITE_COPY, SITE_SHARED, ACCESS_LOAD},
    {"REDAS", SITE_COPY, SITE_SHARED, ACCESS_LOAD},
    {"HGMMA", SITE_WGMMA, SITE_SHARED, ACCESS_LOAD},
    {"IGMMA", SITE_WGMMA, SITE_SHARED, ACCESS_LOAD},
    {"QGMMA", SITE_WGMMA, SITE_SHARED, ACCESS_LOAD},
    {"BGMMA", SITE_WGMMA, SITE_SHARED, ACCESS_LOAD},
};

static Str name_of(Str opcode) {
    const char *dot = memchr(opcode.at, '.', opcode.length);
    return (Str){opcode.at, dot ? (size_t)(dot - opcode.at) : opcode.length};
}

bool code_access(const char *text, CodeAccess *access) {
    Str opcode = spelling_of(text), name = name_of(opcode);
    const KnownOpcode *found = NULL;
    for (size_t i = 0; !found && i < sizeof opcodes / sizeof *opcodes; i++)
        if (str_is(name, opcodes[i].name))
            found = &opcodes[i];
    if (!found || strncmp(text, "@!PT", 4) == 0) /* never executed: padding around an LDGSTS */
        return false;
    *access = (CodeAccess){found->op, found->space, found->kind, width_of(opcode), 0};
    if (found->op == SITE_LDMATRIX || found->op == SITE_STMATRIX) {
        access->width = 16;
        access->matrices = has(opcode, "4") ? 4 : has(opcode, "2") ? 2 : 1;
    } else if (found->op == SITE_ATOMIC || found->op == SITE_REDUCTION) {
        access->kind = atomic_kind(opcode);
    } else if (found->op == SITE_CP_ASYNC && has(opcode, "BYPASS")) {
        access->kind = ACCESS_CP_ASYNC_CG;
    }
    return true;
}

const char *code_uncounted(Arena *arena, const char *text) {
    static const char *const beginnings[] = {"UTMA", "UTC",  "TEX",   "TLD",   "TXD",
                                             "SULD", "SUST", "SURED", "SUATOM"};
    static const char *const others[] = {"UTMACCTL", "UTMACMDFLUSH", "UTMAPF", "UTCBAR"};
    Str name = name_of(spelling_of(text));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_is(name, others[i]))
            return NULL;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (str_starts(name, beginnings[i]))
            return arena_copy(arena, name.at, name.length);
    return NULL;
}
