/* Changes of what the threads of a kernel do, where the new text will be tried: threadIdx.x and .y change places, so that the lanes of a
 * warp lie along the other axis; a structure gets the alignment of a vector, so that the compiler takes its neighbouring members in one
 * access; elements that are such structures are taken whole (wholes.c); neighbouring elements of a pointer are accessed together
 * (vectors.c); its own padding comes after another number of elements (padding.c). */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct Hunt {
    Str kernel;
    uint64_t bytes; /* of a structure that it gets a pointer to */
    Code *code;     /* that the kernel is in; NULL: it was not found */
    Range body;     /* from its first brace on */
    uint32_t outer; /* where the declaration of the file begins that it is in */
    bool twice;     /* several functions have the name */
    KernelPointers pointers;
    Code *record;  /* the same of the structure */
    uint32_t name; /* where its name, or its keyword, stands */
    uint32_t members;
    KernelPointers wholes; /* to such structures */
} Hunt;

static bool is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod;
}

static void visit_function(Walk *walk, Hunt *hunt) {
    Range at;
    Code *code = code_range(walk->source, walk_at(walk, 0), &at);
    if (!code || at.end <= at.begin || code->text[at.end - 1] != '}')
        return;
    uint32_t t = token_from(code, at.begin);
    while (t < code->tokens.count && !token_is(code, t, "{"))
        t++;
    if (t == code->tokens.count || code->tokens.at[t].at.begin >= at.end)
        return; /* a macro writes the body, or libclang does not tell the file's tokens */
    hunt->twice |= hunt->code != NULL;
    hunt->code = code;
    hunt->body = (Range){code->tokens.at[t].at.begin, at.end};
    if (code_range(walk->source, walk->path.at[walk->path.count > 1], &at))
        hunt->outer = at.begin;
}

/* Of plain elements. */
static void visit_pointer(Walk *walk, Hunt *hunt) {
    Source *source = walk->source;
    const Libclang *lib = &source->lib;
    const CXType type = lib->getCursorType(walk_at(walk, 0));
    const CXType pointee = lib->getPointeeType(lib->getCanonicalType(type));
    const CXType written = lib->getPointeeType(type);
    const long long bytes = lib->Type_getSizeOf(pointee);
    const bool plain = (pointee.kind >= CXType_Bool && pointee.kind <= CXType_Double) ||
                       pointee.kind == CXType_Unexposed;
    if (!plain || lib->isVolatileQualifiedType(pointee))
        return;
    const CXType named = written.kind == CXType_Invalid ? pointee : written;
    const char *spelled = source_string(source, lib->getTypeSpelling(named));
    const char *name = source_string(source, lib->getCursorSpelling(walk_at(walk, 0)));
    *vec_add(source->arena, &hunt->pointers) =
        (KernelPointer){.name = str_of(name),
                        .type = strncmp(spelled, "const ", 6) == 0 ? spelled + 6 : spelled,
                        .bytes = bytes > 0 ? (uint64_t)bytes : hunt->bytes,
                        .restricted = lib->isRestrictQualifiedType(type)};
}

static bool in_kernel(const Walk *walk, const Hunt *hunt) {
    bool in = false;
    for (uint32_t up = 1; up < walk->path.count && !in; up++)
        in = is_function(walk_kind(walk, up)) &&
             cursor_named(walk->source, walk_at(walk, up), hunt->kernel);
    return in;
}

static enum CXChildVisitResult count_member(CXCursor cursor, CXCursor parent, CXClientData data) {
    const Walk *walk = data;
    Hunt *hunt = walk->context;
    (void)parent;
    hunt->members += walk->source->lib.getCursorKind(cursor) == CXCursor_FieldDecl;
    return CXChildVisit_Continue;
}

static void add_whole(Walk *walk, Hunt *hunt, CXType pointee) {
    Source *source = walk->source;
    const char *type = source_string(source, source->lib.getTypeSpelling(source->lib.getPointeeType(
                                                 source->lib.getCursorType(walk_at(walk, 0)))));
    const char *name = source_string(source, source->lib.getCursorSpelling(walk_at(walk, 0)));
    hunt->members = 0;
    source->lib.visitChildren(source->lib.getTypeDeclaration(pointee), count_member, walk);
    *vec_add(source->arena, &hunt->wholes) =
        (KernelPointer){.name = str_of(name),
                        .type = strncmp(type, "const ", 6) == 0 ? type + 6 : type,
                        .bytes = hunt->bytes};
}

/* A structure of that size. */
static void visit_parameter(Walk *walk, Hunt *hunt) {
    const Libclang *lib = &walk->source->lib;
    CXType type = lib->getCanonicalType(lib->getCursorType(walk_at(walk, 0)));
    CXType pointee = lib->getCanonicalType(lib->getPointeeType(type));
    CXCursor record = lib->getTypeDeclaration(pointee);
    uint32_t offset;
    if (lib->Cursor_isNull(record) || lib->getCursorKind(record) != CXCursor_StructDecl ||
        (uint64_t)lib->Type_getSizeOf(pointee) != hunt->bytes)
        return;
    CXSourceLocation location = lib->getCursorLocation(record);
    Code *code =
        lib->Location_isInSystemHeader(location) ? NULL : code_of(walk->source, location, &offset);
    if (!code || expansion_at(code, offset))
        return;
    hunt->record = code;
    hunt->name = offset;
    if (!lib->isVolatileQualifiedType(pointee))
        add_whole(walk, hunt, pointee);
}

static void visit(Walk *walk) {
    Hunt *hunt = walk->context;
    const CXCursor cursor = walk_at(walk, 0);
    const enum CXCursorKind kind = walk_kind(walk, 0);
    if (is_function(kind) && cursor_named(walk->source, cursor, hunt->kernel))
        visit_function(walk, hunt);
    else if (kind == CXCursor_ParmDecl && is_function(walk_kind(walk, 1)) &&
             cursor_named(walk->source, walk_at(walk, 1), hunt->kernel))
        visit_parameter(walk, hunt);
    if ((kind == CXCursor_ParmDecl || kind == CXCursor_VarDecl) && in_kernel(walk, hunt))
        visit_pointer(walk, hunt);
}

/* ---- edits ---- */

static void add(Arena *arena, EditList *edits, uint32_t begin, uint32_t end, const char *text) {
    *vec_add(arena, &edits->list) = (Edit){begin, end, text};
}

/* What the first lines of the kernel say and compute. */
static void add_head(Source *source, const Hunt *hunt, bool square, EditList *edits) {
    Arena *arena = source->arena;
    const char *behind = hunt->code->text + hunt->body.begin + 1;
    const bool line = *behind == '\n'; /* the body begins with a line of its own */
    const char *indent = line ? arena_copy(arena, behind + 1, strspn(behind + 1, " \t")) : "    ";
    const uint32_t at = hunt->body.begin + 1 + line;
    const char *text = arena_printf(arena,
                                    "%s%s// threadIdx.x and .y have changed places, so that the "
                                    "lanes of a warp lie along the rows that they access.\n",
                                    line ? "" : "\n", indent);
    if (!square)
        text = arena_printf(arena,
                            "%s%sconst unsigned thread_number = threadIdx.y * blockDim.x + "
                            "threadIdx.x;\n%sconst unsigned thread_x = thread_number / blockDim.y, "
                            "thread_y = thread_number %% blockDim.y;\n",
                            text, indent, indent);
    add(arena, edits, at, at, line ? text : arena_printf(arena, "%s%s", text, indent));
}

/* The axes change places as they are where blocks are square; else the threads are numbered the other way. */
static bool swap(Source *source, const Hunt *hunt, const ThreadChange *change, EditList *edits) {
    Arena *arena = source->arena;
    const Code *code = hunt->code;
    bool seen[2] = {false, false};
    const uint32_t brace = hunt->body.begin;
    add_head(source, hunt, change->square, edits);
    for (uint32_t t = token_from(code, brace);
         t + 2 < code->tokens.count && code->tokens.at[t].at.begin < hunt->body.end; t++) {
        const bool x = token_is(code, t + 2, "x"), y = token_is(code, t + 2, "y");
        const Range axis = code->tokens.at[t + 2].at;
        if (!token_is(code, t, "threadIdx") || !token_is(code, t + 1, ".") || !(x || y))
            continue;
        seen[y] = true;
        if (change->square)
            add(arena, edits, axis.begin, axis.end, x ? "y" : "x");
        else
            add(arena, edits, code->tokens.at[t].at.begin, axis.end, x ? "thread_x" : "thread_y");
    }
    return seen[0] && seen[1];
}

static bool align(Source *source, const Hunt *hunt, const ThreadChange *change, EditList *edits) {
    const Code *code = hunt->record;
    uint32_t t = token_from(code, hunt->name);
    const char *text = arena_printf(source->arena, "__align__(%u) ", change->align);
    if (token_is(code, t, "struct") || token_is(code, t, "class"))
        t++;
    else if (t == 0 || !(token_is(code, t - 1, "struct") || token_is(code, t - 1, "class")))
        return false; /* it has attributes already */
    if (t == code->tokens.count || token_is(code, t, "__align__") || token_is(code, t, "alignas"))
        return false;
    const uint32_t at = code->tokens.at[t].at.begin;
    add(source->arena, edits, at, at, text);
    return true;
}

static int by_place(const void *left, const void *right) {
    const Edit *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

/* Whole elements, of a structure that is aligned for it already, or becomes so. */
static bool take_whole(Source *source, const Hunt *hunt, const ThreadChange *change,
                       EditList *edits) {
    if (hunt->record != hunt->code)
        return false; /* in a header */
    align(source, hunt, change, edits);
    return wholes_write(source->arena, hunt->code, token_from(hunt->code, hunt->body.begin),
                        &hunt->wholes, hunt->members, edits);
}

bool rewrite_threads(Arena *arena, const char *path, const char *kernel, const ThreadChange *change,
                     const RewriteOptions *options, Rewrite *rewrite, Diags *diags) {
    Source source = {0};
    Hunt hunt = {.kernel = kernel_word(kernel), .bytes = change->bytes};
    EditList edits = {0};
    *rewrite = (Rewrite){.outcomes = NEW_ARRAY(arena, RewriteOutcome, 1)};
    bool good = source_open(arena, path, options, &source, diags);
    if (good)
        source_walk(&source, source.lib.getTranslationUnitCursor(source.unit), visit, &hunt);
    const Code *code = change->kind == STRUCTURES_ALIGNED ? hunt.record : hunt.code;
    good = good && code && !hunt.twice &&
           (change->kind == THREADS_SWAPPED      ? swap(&source, &hunt, change, &edits)
            : change->kind == STRUCTURES_ALIGNED ? align(&source, &hunt, change, &edits)
            : change->kind == STRUCTURES_WHOLE   ? take_whole(&source, &hunt, change, &edits)
            : change->kind == PADDING_MOVED
                ? padding_write(&source, code, hunt.body, change->every, &edits)
                : neighbours_write(arena, code, hunt.outer, token_from(code, hunt.body.begin),
                                   &hunt.pointers, &edits));
    if (good && edits.list.count)
        qsort(edits.list.at, edits.list.count, sizeof *edits.list.at, by_place);
    if (good)
        *vec_add(arena, &rewrite->files) = (RewrittenFile){
            code->path, code->text, edits_apply(arena, code->text, edits.list.at, edits.list.count),
            edits_diff(arena, code->path, code->text, edits.list.at, edits.list.count)};
    source_close(&source);
    return good;
}
