/* A CUDA source to libclang's tree and to tokens. Errors of the parser are not reported: what it could not make
 * sense of is found by the tokens that no cursor accounts for. */
#include "rewrite/source.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MOST = 4000
}; /* of the tree; what lies deeper is not visited, and so not accounted for */

static const char prelude_path[] = "/warplens/prelude.h";

typedef struct Words {
    Arena *arena;
    VEC(const char *) list;
} Words;

static void word(Words *words, const char *text) {
    *vec_add(words->arena, &words->list) = text;
}

/* ---- flags ---- */

/* -DX, -D X, -I…, -isystem …: what the preprocessor needs, as nvcc and clang both spell it. */
static void add_flags(Words *words, const RewriteOptions *options) {
    static const char *const joined[] = {"-D", "-U", "-I"};
    static const char *const apart[] = {"-D", "-U", "-I", "-include", "-isystem"};
    for (uint32_t i = 0; i < options->flag_count; i++) {
        const char *flag = options->flags[i];
        bool has_word = false;
        for (size_t j = 0; j < sizeof apart / sizeof *apart; j++)
            has_word |= strcmp(flag, apart[j]) == 0 && i + 1 < options->flag_count;
        bool is_ours = has_word || str_starts(str_of(flag), "-std=");
        for (size_t j = 0; j < sizeof joined / sizeof *joined; j++)
            is_ours |= str_starts(str_of(flag), joined[j]) && flag[2];
        if (is_ours)
            word(words, flag);
        if (has_word)
            word(words, options->flags[++i]);
    }
}

static void add_arch(Words *words, const char *arch) {
    const char *digits = arch ? strpbrk(arch, "0123456789") : NULL;
    word(words, "-U__CUDA_ARCH__");
    word(words, arena_printf(words->arena, "-D__CUDA_ARCH__=%d0", digits ? atoi(digits) : 90));
}

static Words make_flags(const Source *source) {
    static const char *const flags[] = {"-x",
                                        "cuda",
                                        "--cuda-device-only",
                                        "--cuda-gpu-arch=sm_70",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-std=c++17",
                                        "-w",
                                        "-ferror-limit=0",
                                        "-include",
                                        prelude_path};
    Words words = {.arena = source->arena};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        word(&words, flags[i]);
    add_arch(&words, source->options->arch);
    add_flags(&words, source->options);
    if (source->options->include) {
        word(&words, "-idirafter");
        word(&words, source->options->include);
    }
    return words;
}

/* ---- parsing ---- */

static struct CXUnsavedFile unsaved(const char *path, const char *text) {
    return (struct CXUnsavedFile){path, text, (unsigned long)strlen(text)};
}

static const char *prelude_text(Arena *arena) {
    size_t length = 0;
    for (const char *const *line = rewrite_prelude; *line; line++)
        length += strlen(*line);
    char *text = arena_alloc(arena, length + 1), *at = text;
    for (const char *const *line = rewrite_prelude; *line; line++)
        at = stpcpy(at, *line);
    return text;
}

/* Behind the source's text, where no offset changes. */
static const char *with_instances(const Source *source, const char *text) {
    const RewriteOptions *options = source->options;
    for (uint32_t i = 0; i < options->instantiate_count; i++)
        text = arena_printf(source->arena, "%s\ntemplate __global__ decltype(%s) %s;\n", text,
                            options->instantiate[i], options->instantiate[i]);
    return text;
}

static CXTranslationUnit parse(const Source *source, struct CXUnsavedFile *files, uint32_t count,
                               unsigned options) {
    Words words = make_flags(source);
    CXTranslationUnit unit = NULL;
    source->lib.parseTranslationUnit2(source->index, source->path, words.list.at,
                                      (int)words.list.count, files, count,
                                      CXTranslationUnit_KeepGoing | options, &unit);
    return unit;
}

uint64_t pointed_bytes(const Source *source, CXType type) {
    const Libclang *lib = &source->lib;
    CXType pointee = lib->getPointeeType(lib->getCanonicalType(type));
    long long bytes = pointee.kind == CXType_Invalid ? 0 : lib->Type_getSizeOf(pointee);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static enum CXChildVisitResult expansion(CXCursor cursor, CXCursor parent, CXClientData data) {
    Source *source = data;
    Range range;
    (void)parent;
    if (source->lib.getCursorKind(cursor) != CXCursor_MacroExpansion)
        return CXChildVisit_Continue;
    Code *code = code_range(source, cursor, &range);
    if (code)
        *vec_add(source->arena, &code->expansions) =
            (Expansion){range, source_string(source, source->lib.getCursorSpelling(cursor))};
    return CXChildVisit_Continue;
}

bool source_open(Arena *arena, const char *path, const RewriteOptions *options, Source *source,
                 Diags *diags) {
    size_t size;
    const char *why;
    *source = (Source){.arena = arena, .path = path, .options = options};
    const char *text = source_read(arena, path, NULL, &size, &why);
    if (!text) {
        diags_error(diags, "%s: %s", path, why);
        return false;
    }
    if (!libclang_load(arena, &source->lib, diags))
        return false;
    struct CXUnsavedFile files[] = {unsaved(prelude_path, prelude_text(arena)),
                                    unsaved(path, with_instances(source, text))};
    source->index = source->lib.createIndex(0, 0);
    source->variant = NEW(arena, CXTranslationUnit);
    source->unit = parse(source, files, 2, CXTranslationUnit_DetailedPreprocessingRecord);
    if (!source->unit)
        diags_error(diags, "%s: libclang does not parse it", path);
    else
        source->lib.visitChildren(source->lib.getTranslationUnitCursor(source->unit), expansion,
                                  source);
    return source->unit != NULL;
}

CXTranslationUnit source_variant(const Source *source, const char *path, const char *text) {
    size_t size;
    const char *why;
    bool is_main = strcmp(path, source->path) == 0;
    const char *main_text =
        is_main ? text : source_read(source->arena, source->path, NULL, &size, &why);
    if (!main_text)
        return NULL;
    struct CXUnsavedFile files[] = {unsaved(prelude_path, prelude_text(source->arena)),
                                    unsaved(source->path, with_instances(source, main_text)),
                                    unsaved(path, text)};
    const uint32_t count = is_main ? 2 : 3;
    if (*source->variant &&
        source->lib.reparseTranslationUnit(*source->variant, count, files, 0) != 0) {
        source->lib.disposeTranslationUnit(*source->variant);
        *source->variant = NULL;
    } else if (*source->variant) {
        return *source->variant;
    }
    *source->variant =
        parse(source, files, count,
              CXTranslationUnit_PrecompiledPreamble | CXTranslationUnit_CreatePreambleOnFirstParse);
    return *source->variant;
}

void source_close(Source *source) {
    if (source->variant && *source->variant)
        source->lib.disposeTranslationUnit(*source->variant);
    if (source->unit)
        source->lib.disposeTranslationUnit(source->unit);
    if (source->index)
        source->lib.disposeIndex(source->index);
}

/* ---- strings and places ---- */

const char *source_string(const Source *source, CXString string) {
    const char *text = source->lib.getCString(string);
    const char *copy = arena_copy(source->arena, text ? text : "", text ? strlen(text) : 0);
    source->lib.disposeString(string);
    return copy;
}

bool cursor_named(const Source *source, CXCursor cursor, Str name) {
    CXString string = source->lib.getCursorSpelling(cursor);
    const char *text = source->lib.getCString(string);
    bool equal = text && str_is(name, text);
    source->lib.disposeString(string);
    return equal;
}

static Range extent_range(const Source *source, CXSourceRange extent) {
    Range range;
    source->lib.getFileLocation(source->lib.getRangeStart(extent), NULL, NULL, NULL, &range.begin);
    source->lib.getFileLocation(source->lib.getRangeEnd(extent), NULL, NULL, NULL, &range.end);
    return range;
}

static void read_tokens(Source *source, Code *code) {
    const Libclang *lib = &source->lib;
    CXToken *tokens = NULL;
    unsigned count = 0;
    CXSourceRange all =
        lib->getRange(lib->getLocationForOffset(source->unit, code->handle, 0),
                      lib->getLocationForOffset(source->unit, code->handle, code->size));
    lib->tokenize(source->unit, all, &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        Token token = {extent_range(source, lib->getTokenExtent(source->unit, tokens[i])),
                       lib->getTokenKind(tokens[i])};
        if (token.kind != CXToken_Comment && token.at.end <= code->size)
            *vec_add(source->arena, &code->tokens) = token;
    }
    if (tokens)
        lib->disposeTokens(source->unit, tokens, count);
}

static Code *code_new(Source *source, CXFile file) {
    size_t size = 0;
    const char *why;
    Code *code = NEW(source->arena, Code);
    code->handle = file;
    code->path = source_string(source, source->lib.getFileName(file));
    code->text = source_read(source->arena, code->path, NULL, &size, &why);
    if (!code->text)
        return NULL;
    code->size = (uint32_t)size;
    read_tokens(source, code);
    *vec_add(source->arena, &source->files) = code;
    return code;
}

Code *code_of(Source *source, CXSourceLocation location, uint32_t *offset) {
    CXFile file = NULL;
    source->lib.getFileLocation(location, &file, NULL, NULL, offset);
    if (!file || source->lib.Location_isInSystemHeader(location))
        return NULL;
    for (uint32_t i = 0; i < source->files.count; i++)
        if (source->lib.File_isEqual(source->files.at[i]->handle, file))
            return source->files.at[i];
    return code_new(source, file);
}

Code *code_range(Source *source, CXCursor cursor, Range *range) {
    CXSourceRange extent = source->lib.getCursorExtent(cursor);
    Code *first = code_of(source, source->lib.getRangeStart(extent), &range->begin);
    Code *last = code_of(source, source->lib.getRangeEnd(extent), &range->end);
    return first == last && range->begin <= range->end ? first : NULL;
}

Place code_place(const Code *code, Range range) {
    Place place = {.file = code->path,
                   .text = code->text,
                   .line = 1,
                   .column = 1,
                   .length = range.end - range.begin};
    for (uint32_t at = 0; at < range.begin && at < code->size; at++) {
        bool ends = code->text[at] == '\n';
        place.line += ends;
        place.column = ends ? 1 : place.column + 1;
    }
    return place;
}

/* ---- tokens ---- */

uint32_t token_from(const Code *code, uint32_t offset) {
    uint32_t low = 0, high = code->tokens.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->tokens.at[middle].at.begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Str code_text(const Code *code, Range range) {
    return (Str){code->text + range.begin, range.end - range.begin};
}

Str token_text(const Code *code, const Token *token) {
    return code_text(code, token->at);
}

bool token_is(const Code *code, uint32_t token, const char *text) {
    return token < code->tokens.count && str_is(token_text(code, &code->tokens.at[token]), text);
}

bool token_is_one_of(const Code *code, uint32_t token, const char *const *texts) {
    for (; *texts; texts++)
        if (token_is(code, token, *texts))
            return true;
    return false;
}

bool token_same(const Code *code, uint32_t a, uint32_t b) {
    return str_equal(token_text(code, &code->tokens.at[a]), token_text(code, &code->tokens.at[b]));
}

bool code_has_word(const Code *code, const char *word) {
    for (uint32_t t = 0; t < code->tokens.count; t++)
        if (token_is(code, t, word))
            return true;
    return false;
}

bool token_opens(const Code *code, uint32_t token) {
    return token_is(code, token, "(") || token_is(code, token, "[") || token_is(code, token, "{");
}

bool token_closes(const Code *code, uint32_t token) {
    return token_is(code, token, ")") || token_is(code, token, "]") || token_is(code, token, "}");
}

const char *expansion_at(const Code *code, uint32_t offset) {
    for (uint32_t i = 0; i < code->expansions.count; i++) {
        const Expansion *one = &code->expansions.at[i];
        if (one->at.begin <= offset && offset < one->at.end)
            return one->macro;
    }
    return NULL;
}

/* ---- walking ---- */

CXCursor walk_at(const Walk *walk, uint32_t up) {
    assert(up < walk->path.count);
    return walk->path.at[walk->path.count - 1 - up];
}

enum CXCursorKind walk_kind(const Walk *walk, uint32_t up) {
    return up < walk->path.count ? walk->source->lib.getCursorKind(walk_at(walk, up))
                                 : CXCursor_InvalidFile;
}

Range walk_range(const Walk *walk, uint32_t up) {
    Range range = {0};
    if (up < walk->path.count)
        code_range(walk->source, walk_at(walk, up), &range);
    return range;
}

bool kind_casts(enum CXCursorKind kind) {
    return kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CStyleCastExpr ||
           kind == CXCursor_CXXStaticCastExpr || kind == CXCursor_CXXConstCastExpr ||
           kind == CXCursor_CXXFunctionalCastExpr;
}

bool kind_scope(const Source *source, enum CXCursorKind kind) {
    return source->lib.isTranslationUnit(kind) || kind == CXCursor_Namespace ||
           kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl;
}

uint32_t walk_outermost(const Walk *walk) {
    Range range = {0};
    for (uint32_t up = walk->path.count; up-- > 0;) {
        CXCursor around = walk_at(walk, up);
        if (kind_scope(walk->source, walk->source->lib.getCursorKind(around)))
            continue;
        code_range(walk->source, around, &range);
        break;
    }
    return range.begin;
}

static enum CXChildVisitResult step(CXCursor cursor, CXCursor parent, CXClientData data) {
    Walk *walk = data;
    const Libclang *lib = &walk->source->lib;
    while (walk->path.count > 1 && !lib->equalCursors(walk_at(walk, 0), parent))
        walk->path.count--;
    if (walk->path.count == 1 && lib->Location_isInSystemHeader(lib->getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    *vec_add(walk->source->arena, &walk->path) = cursor;
    walk->visit(walk);
    return walk->path.count < DEPTH_MOST ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

void source_walk(Source *source, CXCursor root, void (*visit)(Walk *walk), void *context) {
    Walk walk = {.source = source, .context = context, .visit = visit};
    *vec_add(source->arena, &walk.path) = root;
    source->lib.visitChildren(root, step, &walk);
}
