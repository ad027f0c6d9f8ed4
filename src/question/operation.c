/* What an access does, by its name: as PTX and tables of addresses spell it, and in a word. */
#include "question/question.h"

#include <stdio.h>
#include <string.h>

/* ---- spellings ---- */

typedef struct Spelling {
    const char *name;
    AccessKind kind;
    Space space;
    uint32_t width, matrices;
} Spelling;

/* Followed by ".b32", ".u8", ".v4.f32" …: see read_type. */
static const Spelling typed[] = {
    {"ld.shared", ACCESS_LOAD, SPACE_SHARED, 0, 0}, {"st.shared", ACCESS_STORE, SPACE_SHARED, 0, 0},
    {"ld.global", ACCESS_LOAD, SPACE_GLOBAL, 0, 0}, {"st.global", ACCESS_STORE, SPACE_GLOBAL, 0, 0},
    {"ld.local", ACCESS_LOAD, SPACE_LOCAL, 0, 0},   {"st.local", ACCESS_STORE, SPACE_LOCAL, 0, 0},
};

static const Spelling whole[] = {
    {"ldmatrix.x1", ACCESS_LDMATRIX, SPACE_SHARED, 16, 1},
    {"ldmatrix.x2", ACCESS_LDMATRIX, SPACE_SHARED, 16, 2},
    {"ldmatrix.x4", ACCESS_LDMATRIX, SPACE_SHARED, 16, 4},
    {"ldmatrix.x1.trans", ACCESS_LDMATRIX, SPACE_SHARED, 16, 1},
    {"ldmatrix.x2.trans", ACCESS_LDMATRIX, SPACE_SHARED, 16, 2},
    {"ldmatrix.x4.trans", ACCESS_LDMATRIX, SPACE_SHARED, 16, 4},
    {"stmatrix.x1", ACCESS_STMATRIX, SPACE_SHARED, 16, 1},
    {"stmatrix.x2", ACCESS_STMATRIX, SPACE_SHARED, 16, 2},
    {"stmatrix.x4", ACCESS_STMATRIX, SPACE_SHARED, 16, 4},
    {"stmatrix.x1.trans", ACCESS_STMATRIX, SPACE_SHARED, 16, 1},
    {"stmatrix.x2.trans", ACCESS_STMATRIX, SPACE_SHARED, 16, 2},
    {"stmatrix.x4.trans", ACCESS_STMATRIX, SPACE_SHARED, 16, 4},
    {"cp.async.ca.4", ACCESS_CP_ASYNC_CA, SPACE_SHARED, 4, 0},
    {"cp.async.ca.8", ACCESS_CP_ASYNC_CA, SPACE_SHARED, 8, 0},
    {"cp.async.ca.16", ACCESS_CP_ASYNC_CA, SPACE_SHARED, 16, 0},
    {"cp.async.cg.16", ACCESS_CP_ASYNC_CG, SPACE_SHARED, 16, 0},
    {"red.shared.add.u32(popc)", ACCESS_ATOMIC_POPC, SPACE_SHARED, 4, 0},
};

/* Prefixed by "atom.shared.", "red.shared.", "atom.global.", "red.global."; in global memory only
 * the width matters. "(+1)" adds the constant 1 and uses the result. */
static const Spelling atomics[] = {
    {"add.u32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"add.s32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"add.u32(+1)", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"min.u32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"min.s32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"max.u32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"max.s32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"and.b32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"or.b32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"xor.b32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"inc.u32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"dec.u32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"exch.b32", ACCESS_ATOMIC, SPACE_SHARED, 4, 0},
    {"exch.b64", ACCESS_ATOMIC, SPACE_SHARED, 8, 0},
    {"cas.b32", ACCESS_ATOMIC_CAS, SPACE_SHARED, 4, 0},
    {"cas.b64", ACCESS_ATOMIC_CAS, SPACE_SHARED, 8, 0},
    {"exch.b128", ACCESS_ATOMIC, SPACE_SHARED, 16, 0},
    {"cas.b128", ACCESS_ATOMIC_CAS, SPACE_SHARED, 16, 0},
    {"add.f32", ACCESS_ATOMIC_LOOP32, SPACE_SHARED, 4, 0},
    {"add.noftz.f16x2", ACCESS_ATOMIC_LOOP32, SPACE_SHARED, 4, 0},
    {"add.noftz.bf16x2", ACCESS_ATOMIC_LOOP32, SPACE_SHARED, 4, 0},
    {"add.u64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"add.f64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"min.u64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"min.s64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"max.u64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"max.s64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"and.b64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"or.b64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
    {"xor.b64", ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, 0},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
const char operation_spellings[] =
    "ld/st.shared/global/local.[v2.|v4.]b8…b64, ldmatrix/stmatrix.x1/x2/x4[.trans], "
    "cp.async.ca.4/8/16, cp.async.cg.16, atom/red.shared/global.OP.TYPE with OP one of add, min, "
    "max, and, or, xor, inc, dec, exch, cas";

/* The text after `prefix`; NULL `at` where it does not start so. */
static Str after(Str text, const char *prefix) {
    if (!str_starts(text, prefix))
        return (Str){0};
    size_t length = strlen(prefix);
    return (Str){text.at + length, text.length - length};
}

/* type = [".v2" | ".v4" | ".v8"] "." ("b" | "u" | "s" | "f") bits; its bytes, or 0. */
static uint32_t read_type(Str text) {
    uint32_t vector = 1;
    if (str_starts(text, ".v2.") || str_starts(text, ".v4.") || str_starts(text, ".v8.")) {
        vector = (uint32_t)(text.at[2] - '0');
        text = (Str){text.at + 3, text.length - 3};
    }
    if (text.length < 3 || text.at[0] != '.' || !strchr("busf", text.at[1]))
        return 0;
    static const char *const bits[] = {"8", "16", "32", "64", "128"};
    for (uint32_t i = 0; i < COUNT(bits); i++)
        if (str_is((Str){text.at + 2, text.length - 2}, bits[i]))
            return vector << i;
    return 0;
}

static bool find_typed(Str name, Spelling *found) {
    for (size_t i = 0; i < COUNT(typed); i++) {
        Str type = after(name, typed[i].name);
        *found = typed[i];
        found->width = type.at ? read_type(type) : 0;
        if (found->width)
            return found->width <= (found->space == SPACE_GLOBAL ? 32 : 16);
    }
    return false;
}

static bool find_atomic(Str name, Spelling *found) {
    static const struct {
        const char *name;
        Space space;
    } prefixes[] = {{"atom.shared.", SPACE_SHARED},
                    {"red.shared.", SPACE_SHARED},
                    {"atom.global.", SPACE_GLOBAL},
                    {"red.global.", SPACE_GLOBAL}};
    for (size_t p = 0; p < COUNT(prefixes); p++) {
        Str operation = after(name, prefixes[p].name);
        for (size_t i = 0; operation.at && i < COUNT(atomics); i++)
            if (str_is(operation, atomics[i].name)) {
                *found = atomics[i];
                found->space = prefixes[p].space;
                return true;
            }
    }
    return false;
}

static bool find_spelling(Str name, Spelling *found) {
    for (size_t i = 0; i < COUNT(whole); i++)
        if (str_is(name, whole[i].name)) {
            *found = whole[i];
            return true;
        }
    return find_typed(name, found) || find_atomic(name, found);
}

bool operation_instruction(Str name, Access *access) {
    Spelling spelling;
    if (!find_spelling(name, &spelling))
        return false;
    *access = (Access){.kind = spelling.kind,
                       .space = spelling.space,
                       .width = spelling.width,
                       .matrices = spelling.matrices};
    return true;
}

/* ---- in a word ---- */

static const struct {
    const char *name;
    AccessKind kind;
    uint32_t width, matrices; /* width 0: as the element's */
} operations[] = {
    {"load", ACCESS_LOAD, 0, 0},
    {"store", ACCESS_STORE, 0, 0},
    {"increment", ACCESS_ATOMIC_POPC, 4, 0},
    {"cas", ACCESS_ATOMIC_CAS, 0, 0},
    {"ldmatrix", ACCESS_LDMATRIX, 16, 4},
    {"stmatrix", ACCESS_STMATRIX, 16, 4},
    {"cp.async", ACCESS_CP_ASYNC_CA, 0, 0},
    {"cp.async.ca", ACCESS_CP_ASYNC_CA, 0, 0},
    {"cp.async.cg", ACCESS_CP_ASYNC_CG, 16, 0},
};

/* "atom.add.f32" is "atom.shared.add.f32" here. */
static const char *in_shared(const char *name, char *buffer, size_t size) {
    const char *dot = strchr(name, '.');
    bool atomic = strncmp(name, "atom.", 5) == 0 || strncmp(name, "red.", 4) == 0;
    if (!atomic || strncmp(dot, ".shared.", 8) == 0 || strncmp(dot, ".global.", 8) == 0)
        return name;
    snprintf(buffer, size, "%.*s.shared%s", (int)(dot - name), name, dot);
    return buffer;
}

bool operation_named(const char *name, Access *access) {
    char buffer[64];
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(name, operations[i].name) == 0) {
            *access = (Access){.kind = operations[i].kind,
                               .space = SPACE_SHARED,
                               .width = operations[i].width,
                               .matrices = operations[i].matrices};
            return true;
        }
    return operation_instruction(str_of(in_shared(name, buffer, sizeof buffer)), access);
}
