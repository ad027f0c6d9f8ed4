/* Finds where a shared array is declared, and what stands between its brackets; which extents that makes in each instance of a template,
 * the parser says (ask.c). */
#include "rewrite/source.h"

#include <string.h>

/* ---- names ---- */

/* Where the last component of a qualified name begins: behind "::" outside of <…> and (…). */
static size_t last_component(Str name) {
    int depth = 0;
    for (size_t at = name.length; at-- > 0;) {
        char c = name.at[at];
        depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
        if (c == ':' && depth == 0)
            return at + 1;
    }
    return 0;
}

/* "ns::f<0>(int)::tile": "ns::f<0>(int)"; empty for a name without one. */
static Str owner_of(Str name) {
    size_t at = last_component(name);
    return (Str){name.at, at >= 2 ? at - 2 : 0};
}

/* "f<0>(int)": "f". */
static Str without_arguments(Str name) {
    size_t length = 0;
    while (length < name.length && !strchr("<(", name.at[length]))
        length++;
    return (Str){name.at, length};
}

static Str component_of(Str name) {
    size_t at = last_component(name);
    return (Str){name.at + at, name.length - at};
}

static const char *without_blanks(Arena *arena, Str name) {
    char *copy = arena_alloc(arena, name.length + 1), *to = copy;
    for (size_t i = 0; i < name.length; i++)
        if (name.at[i] != ' ')
            *to++ = name.at[i];
    return copy;
}

/* Is `instance` ("f<0>") the function of `owner` ("void f<0>(int)")? Demanglers and compilers differ in
 * blanks. */
static bool is_instance(Arena *arena, const char *instance, Str owner) {
    const char *one = without_blanks(arena, str_of(instance));
    const char *other = without_blanks(arena, owner);
    size_t length = strlen(one);
    return strncmp(one, other, length) == 0 && (other[length] == 0 || other[length] == '(');
}

/* ---- candidates ---- */

typedef struct Search {
    Arena *arena;
    Str name, owner; /* "tile", "ns::transposeTiled<0>(float*)" */
    VEC(Declaration *) found;
} Search;

static bool is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod || kind == CXCursor_Constructor;
}

typedef struct Attributes {
    const Source *source;
    bool shared;
} Attributes;

/* Is it the function, or the namespace or class around one, of that qualified name? */
static bool has_name(const Source *source, CXCursor cursor, Str name) {
    while (name.length > 0) {
        Str part = without_arguments(component_of(name));
        enum CXCursorKind kind = source->lib.getCursorKind(cursor);
        if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl) {
            cursor = source->lib.getCursorSemanticParent(cursor);
            continue;
        }
        if (part.length == 0 ? kind != CXCursor_Namespace : !cursor_named(source, cursor, part))
            return false; /* no name: "(anonymous namespace)" */
        name = owner_of(name);
        cursor = source->lib.getCursorSemanticParent(cursor);
    }
    return kind_scope(source, source->lib.getCursorKind(cursor)) &&
           source->lib.getCursorKind(cursor) != CXCursor_Namespace;
}

static enum CXChildVisitResult find_shared(CXCursor cursor, CXCursor parent, CXClientData data) {
    Attributes *attributes = data;
    (void)parent;
    attributes->shared |= attributes->source->lib.getCursorKind(cursor) == CXCursor_CUDASharedAttr;
    return CXChildVisit_Continue;
}

static bool is_shared(const Source *source, CXCursor variable) {
    Attributes attributes = {source, false};
    source->lib.visitChildren(variable, find_shared, &attributes);
    return attributes.shared;
}

/* What stands between the brackets from a token on, without blanks around it. */
static void read_extents(Declaration *declaration, uint32_t token) {
    const Code *code = declaration->code;
    declaration->brackets.begin = code->tokens.count > token ? code->tokens.at[token].at.begin : 0;
    while (token_is(code, token, "[") && declaration->dims < DIMS_MOST) {
        int depth = 1;
        uint32_t first = token + 1;
        for (token++; depth > 0 && token < code->tokens.count; token++)
            depth += token_is(code, token, "[") - token_is(code, token, "]");
        Range *extent = &declaration->extents[declaration->dims++];
        *extent = (Range){code->tokens.at[first].at.begin, code->tokens.at[token - 2].at.end};
        declaration->brackets.end = code->tokens.at[token - 1].at.end;
    }
}

/* Are its elements structures that are declared outside of functions and classes? */
static bool has_records(const Source *source, const Declaration *declaration) {
    const Libclang *lib = &source->lib;
    CXType type = lib->getCanonicalType(lib->getCursorType(declaration->cursor));
    for (uint32_t d = 0; d < declaration->dims; d++)
        type = lib->getCanonicalType(lib->getArrayElementType(type));
    if (type.kind != CXType_Record)
        return false;
    CXCursor around = lib->getCursorSemanticParent(lib->getTypeDeclaration(type));
    return kind_scope(source, lib->getCursorKind(around));
}

/* "ns::Particle" in "__shared__ ns::Particle p[256];". */
static void read_type(const Source *source, Declaration *declaration) {
    const Code *code = declaration->code;
    if (declaration->dims == 0 || !has_records(source, declaration))
        return;
    uint32_t name = token_from(code, declaration->at.begin), first = name, last = name;
    while (first > 0 &&
           (code->tokens.at[first - 1].kind == CXToken_Identifier ||
            token_is(code, first - 1, "::")) &&
           (first == name || token_is(code, first, "::") || token_is(code, first - 1, "::")))
        first--;
    while (last < code->tokens.count && !token_is(code, last, ";") && !token_is(code, last, ","))
        last++;
    if (first < name && token_is(code, last, ";"))
        declaration->type =
            (Range){code->tokens.at[first].at.begin, code->tokens.at[name - 1].at.end};
}

/* Dimensions that come with the name of a type: "typedef float Tile[32][32];". */
static uint32_t typed_dims(const Source *source, CXCursor cursor) {
    const Libclang *lib = &source->lib;
    CXType type = lib->getCanonicalType(lib->getCursorType(cursor));
    uint32_t dims = 0;
    while ((type.kind == CXType_ConstantArray || type.kind == CXType_DependentSizedArray) &&
           dims < DIMS_MOST) {
        type = lib->getCanonicalType(lib->getArrayElementType(type));
        dims++;
    }
    return dims;
}

/* Where the new text will be tried, the brackets in the definition of such a name, "typedef float Square[32 * 32];", are those of the
 * array. What else has that type changes with it. */
static bool read_named(Source *source, Declaration *declaration) {
    const Libclang *lib = &source->lib;
    const CXCursor type = lib->getTypeDeclaration(lib->getCursorType(declaration->cursor));
    const enum CXCursorKind kind = lib->getCursorKind(type);
    Range range;
    if (!source->options->tried ||
        (kind != CXCursor_TypedefDecl && kind != CXCursor_TypeAliasDecl) ||
        code_range(source, type, &range) != declaration->code)
        return false;
    uint32_t token = token_from(declaration->code, range.begin);
    const uint32_t end = token_from(declaration->code, range.end);
    while (token < end && !token_is(declaration->code, token, "["))
        token++;
    read_extents(declaration, token);
    declaration->is_typed = declaration->dims != typed_dims(source, declaration->cursor) ||
                            expansion_at(declaration->code, range.begin) != NULL;
    declaration->declared = str_of(source_string(source, lib->getCursorSpelling(type)));
    return !declaration->is_typed;
}

static bool in_template(const Walk *walk) {
    for (uint32_t up = 0; up < walk->path.count; up++) {
        enum CXCursorKind kind = walk->source->lib.getCursorKind(walk_at(walk, up));
        if (kind == CXCursor_FunctionTemplate || kind == CXCursor_ClassTemplate ||
            kind == CXCursor_ClassTemplatePartialSpecialization)
            return true;
    }
    return false;
}

static Declaration *declaration_new(const Walk *walk, Str name) {
    Source *source = walk->source;
    CXCursor cursor = walk_at(walk, 0);
    Declaration *one = NEW(source->arena, Declaration);
    *one = (Declaration){.cursor = cursor,
                         .name = name,
                         .in_template = in_template(walk),
                         .outer = walk_outermost(walk)};
    one->constants = map_new(source->arena);
    one->code = code_of(source, source->lib.getCursorLocation(cursor), &one->at.begin);
    if (!one->code)
        return NULL;
    one->at.end = one->at.begin + (uint32_t)name.length;
    one->scope = (Range){0, one->code->size};
    one->declared = name;
    read_extents(one, token_from(one->code, one->at.end));
    read_type(source, one);
    one->is_typed = one->dims == 0 && typed_dims(source, cursor) > 0;
    if (one->is_typed && !read_named(source, one))
        one->dims = typed_dims(source, cursor);
    return one;
}

static void visit_variable(Walk *walk) {
    const Libclang *lib = &walk->source->lib;
    Search *search = walk->context;
    CXCursor cursor = walk_at(walk, 0);
    if (lib->getCursorKind(cursor) != CXCursor_VarDecl ||
        !cursor_named(walk->source, cursor, search->name) || !is_shared(walk->source, cursor))
        return;
    uint32_t up = 1; /* to the function */
    while (up < walk->path.count && !is_function(lib->getCursorKind(walk_at(walk, up))))
        up++;
    bool in_function = up < walk->path.count;
    CXCursor owner = in_function ? walk_at(walk, up) : lib->getCursorSemanticParent(cursor);
    if (!has_name(walk->source, owner, search->owner))
        return;
    Declaration *one = declaration_new(walk, search->name);
    if (one && in_function)
        code_range(walk->source, walk_at(walk, up), &one->scope);
    if (one)
        *vec_add(search->arena, &search->found) = one;
}

/* ---- instances ---- */

static uint64_t elements_of(const Declaration *declaration, const Instance *instance) {
    uint64_t elements = 1;
    for (uint32_t d = 0; d < declaration->dims; d++)
        elements *= instance->extents[d];
    return elements;
}

/* The instance that was profiled: by its name, or else by its size where that leaves no choice. */
static bool choose_instance(const Source *source, Declaration *declaration, Str owner,
                            uint64_t bytes) {
    uint32_t fitting = 0;
    for (uint32_t i = 0; i < declaration->instances.count; i++) {
        const Instance *one = &declaration->instances.at[i];
        uint64_t elements = elements_of(declaration, one);
        bool same = *one->name == 0 || is_instance(source->arena, one->name, owner);
        if (elements == 0 || bytes % elements != 0 || (!same && elements * one->element != bytes))
            continue;
        fitting++;
        declaration->instance = i;
        declaration->element = one->element;
        if (same)
            return true;
    }
    return fitting == 1;
}

/* ---- members ---- */

typedef struct Record {
    Str name; /* "Loader<Sync, Plain>::Tile<float, 128, 32>" */
    Arena *arena;
    VEC(Declaration *) members; /* of the definitions of that name */
    uint32_t definitions, fields, bases;
} Record;

static void visit_member(Walk *walk) {
    Record *record = walk->context;
    if (walk->path.count < 3)
        return;
    enum CXCursorKind kind = walk->source->lib.getCursorKind(walk_at(walk, 0));
    enum CXCursorKind around = walk->source->lib.getCursorKind(walk_at(walk, 1));
    bool in_class = around == CXCursor_StructDecl || around == CXCursor_ClassDecl ||
                    around == CXCursor_ClassTemplate ||
                    around == CXCursor_ClassTemplatePartialSpecialization;
    if (!in_class || !has_name(walk->source, walk_at(walk, 1), record->name))
        return;
    record->bases += kind == CXCursor_CXXBaseSpecifier;
    if (kind != CXCursor_FieldDecl)
        return;
    record->fields++;
    Str name =
        str_of(source_string(walk->source, walk->source->lib.getCursorSpelling(walk_at(walk, 0))));
    Declaration *member = declaration_new(walk, name);
    if (member && member->dims > 0)
        *vec_add(record->arena, &record->members) = member;
}

/* The arrays of several dimensions among other members of a class that has one instance, linked; NULL: there are none. */
static Declaration *link_members(const Source *source, const Record *record,
                                 RewriteOutcome *outcome) {
    Declaration *first = NULL;
    for (uint32_t i = record->members.count; i-- > 0;) {
        Declaration *member = record->members.at[i];
        declaration_instances(source, member);
        if (member->dims < 2 || member->is_typed || member->instances.count != 1)
            continue;
        member->element = member->instances.at[0].element;
        member->is_member = member->is_part = true;
        member->next = first;
        first = member;
    }
    if (first)
        outcome->record = arena_copy(source->arena, record->name.at, record->name.length);
    return first;
}

/* The array that is all there is in the class of a variable, or where the new text will be tried, arrays that are a part of it; NULL:
 * outcome says why. */
static Declaration *find_member(Source *source, const Declaration *variable, Str owner,
                                uint64_t bytes, RewriteOutcome *outcome) {
    Answers answers = {0};
    Record record = {.arena = source->arena};
    const char *probe = arena_printf(
        source->arena, "static_assert(warplens_type_probe<0, decltype(" STR_FMT ")>::value, \"\");",
        STR_ARG(variable->name));
    outcome->why = "its declaration has no brackets, and its type is not known to the parser";
    parser_ask(source, variable, probe, "warplens_type_probe", &answers);
    for (uint32_t i = 0; i < answers.list.count; i++) {
        const Instantiation *one = &answers.list.at[i];
        const char *type = strchr(one->arguments, ' ');
        if (type && (!*one->instance || is_instance(source->arena, one->instance, owner)))
            record.name = str_of(type + 1);
    }
    if (record.name.length == 0)
        return NULL;
    source_walk(source, source->lib.getTranslationUnitCursor(source->unit), visit_member, &record);
    outcome->why = arena_printf(source->arena,
                                "its type " STR_FMT " is no class with an array as its only member",
                                STR_ARG(record.name));
    if (record.members.count != 1 || record.fields != 1 || record.bases > 0)
        return source->options->tried ? link_members(source, &record, outcome) : NULL;
    Declaration *member = record.members.at[0];
    outcome->record = arena_copy(source->arena, record.name.at, record.name.length);
    member->is_member = true;
    declaration_instances(source, member);
    outcome->why =
        arena_printf(source->arena, "the extents of " STR_FMT " are not known to the parser",
                     STR_ARG(record.name));
    return choose_instance(source, member, record.name, bytes) ? member : NULL;
}

/* ---- the declaration ---- */

/* Several declarations may have the name: in specializations and overloads, or in blocks of a function. The
 * symbol of one outside of templates is known; else that which has the instance. */
static Declaration *choose(Source *source, const Search *search, const RewriteArray *array,
                           Str owner, const char **why) {
    VEC(Declaration *) fitting = {0};
    for (uint32_t i = 0; i < search->found.count; i++) {
        Declaration *one = search->found.at[i];
        const char *symbol = source_string(source, source->lib.Cursor_getMangling(one->cursor));
        if (one->dims > 0)
            declaration_instances(source, one);
        bool fits = one->dims == 0 || choose_instance(source, one, owner, array->bytes);
        if (fits && strcmp(symbol, array->symbol) == 0)
            return one;
        if (fits)
            *vec_add(source->arena, &fitting) = one;
    }
    if (fitting.count == 1)
        return fitting.at[0];
    if (search->found.count == 0)
        *why =
            "no __shared__ declaration of it is found (one that a macro makes cannot be changed)";
    else if (fitting.count == 0)
        *why = "the extents in its declaration are not known to the parser, or do not make the "
               "array that was profiled (for a template that is instantiated elsewhere: "
               "--instantiate)";
    else
        *why = "several declarations of that name fit what was profiled";
    return NULL;
}

static bool check(const Source *source, const Declaration *one, const char **why) {
    const char *macro = expansion_at(one->code, one->at.begin);
    if (macro)
        *why = arena_printf(source->arena, "it is declared in the macro %s", macro);
    else if (!str_equal(code_text(one->code, one->at), one->name))
        *why = "it is declared in a macro";
    else if (source->lib.Cursor_getStorageClass(one->cursor) == CX_SC_Extern)
        *why = "it is extern: its size is that of the launch, and its extents are index arithmetic";
    else
        return true;
    return false;
}

static void describe(const Declaration *one, RewriteOutcome *outcome, Arena *arena) {
    outcome->declaration = code_place(one->code, one->at);
    for (uint32_t i = 0; i < one->instances.count; i++)
        if (*one->instances.at[i].name)
            *vec_add(arena, &outcome->instances) = one->instances.at[i].name;
}

Declaration *declaration_find(Source *source, const RewriteArray *array, RewriteOutcome *outcome) {
    Str name = str_of(array->name), owner = owner_of(name);
    Search search = {.arena = source->arena, .name = component_of(name), .owner = owner};
    if (array->dynamic)
        return dynamic_find(source, array, outcome);
    source_walk(source, source->lib.getTranslationUnitCursor(source->unit), visit_variable,
                &search);
    Declaration *one = choose(source, &search, array, owner, &outcome->why);
    if (!one)
        return NULL;
    outcome->declaration = code_place(one->code, one->at);
    if (!check(source, one, &outcome->why))
        return NULL;
    if (one->dims == 0)
        one = find_member(source, one, owner, array->bytes, outcome);
    if (!one || (one->is_member && !check(source, one, &outcome->why)))
        return NULL;
    describe(one, outcome, source->arena);
    return one;
}

bool declarations_equal(const Source *source, const Declaration *a, const Declaration *b) {
    return source->lib.equalCursors(a->cursor, b->cursor);
}
