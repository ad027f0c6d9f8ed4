/* An array of structures as a structure of arrays: `__shared__ Particle p[256]` becomes `__shared__ ParticleArrays<256> p`, p[i].x is
 * p.x[i], and the whole of p[i] is p.get(i) and p.set(i, …). In memory that is the array's transposition: a row for each member. */
#include "rewrite/source.h"

#include <string.h>

/* ---- the structure ---- */

typedef struct Fields {
    const Source *source;
    const char *declared, *got, *set; /* "float x[N];", "x[i], ", "x[i] = it.x;" */
    uint64_t bytes;
    bool plain; /* every member is one element, and there is nothing else */
} Fields;

static enum CXChildVisitResult add_field(CXCursor cursor, CXCursor parent, CXClientData data) {
    Fields *fields = data;
    const Libclang *lib = &fields->source->lib;
    Arena *arena = fields->source->arena;
    (void)parent;
    if (lib->getCursorKind(cursor) == CXCursor_CXXBaseSpecifier)
        fields->plain = false;
    if (lib->getCursorKind(cursor) != CXCursor_FieldDecl)
        return CXChildVisit_Continue;
    const CXType type = lib->getCursorType(cursor);
    const CXType canonical = lib->getCanonicalType(type);
    const long long bytes = lib->Type_getSizeOf(canonical);
    const char *name = source_string(fields->source, lib->getCursorSpelling(cursor));
    fields->plain &=
        bytes > 0 && canonical.kind >= CXType_Bool && canonical.kind <= CXType_Double && *name;
    fields->bytes += bytes > 0 ? (uint64_t)bytes : 0;
    fields->declared =
        arena_printf(arena, "%s    %s %s[N];\n", fields->declared,
                     source_string(fields->source, lib->getTypeSpelling(type)), name);
    fields->got = arena_printf(arena, "%s%s%s[i]", fields->got, *fields->got ? ", " : "", name);
    fields->set = arena_printf(arena, "%s        %s[i] = it.%s;\n", fields->set, name, name);
    return CXChildVisit_Continue;
}

static const char *fields_text(const Source *source, const Declaration *declaration) {
    const Libclang *lib = &source->lib;
    const CXType type = lib->getCanonicalType(
        lib->getArrayElementType(lib->getCanonicalType(lib->getCursorType(declaration->cursor))));
    Fields fields = {.source = source, .declared = "", .got = "", .set = "", .plain = true};
    lib->visitChildren(lib->getTypeDeclaration(type), add_field, &fields);
    if (!fields.plain || fields.bytes != declaration->element)
        return NULL;
    Str name = code_text(declaration->code, declaration->type);
    return arena_printf(source->arena,
                        "%s"
                        "    __device__ " STR_FMT " get(int i) const {\n"
                        "        return {%s};\n"
                        "    }\n"
                        "    __device__ void set(int i, const " STR_FMT " &it) {\n"
                        "%s"
                        "    }\n",
                        fields.declared, STR_ARG(name), fields.got, STR_ARG(name), fields.set);
}

/* ---- uses ---- */

static void add(Arena *arena, EditList *edits, uint32_t begin, uint32_t end, const char *text) {
    *vec_add(arena, &edits->list) = (Edit){begin, end, text};
}

/* Is the element bound to a reference, "Particle &own = p[i]", or its address taken? */
static bool is_bound(const Code *code, uint32_t t) {
    if (t > 0 && (token_is(code, t - 1, "&") || token_is(code, t - 1, "*")))
        return true;
    return t > 2 && token_is(code, t - 1, "=") && token_is(code, t - 3, "&");
}

/* p[i].x, p[i] = …; or the value of p[i]. false: it is something else. */
static bool change_use(Arena *arena, const Code *code, const ArrayUse *use, EditList *edits) {
    const uint32_t name = token_from(code, use->at.begin), behind = token_from(code, use->at.end);
    if (token_is(code, behind, ".") && !token_is(code, behind + 2, "(")) {
        const Range member = {use->at.end, code->tokens.at[behind + 1].at.end};
        Str text = code_text(code, member);
        add(arena, edits, use->brackets, use->brackets,
            arena_printf(arena, STR_FMT, STR_ARG(text)));
        add(arena, edits, member.begin, member.end, "");
        return true;
    }
    if (token_is(code, behind, ".") || is_bound(code, name))
        return false;
    const bool set = token_is(code, behind, "=");
    add(arena, edits, use->brackets, use->brackets + 1, set ? ".set(" : ".get(");
    if (!set) {
        add(arena, edits, use->at.end - 1, use->at.end, ")");
        return true;
    }
    const uint32_t end = token_find(code, behind, code->tokens.count, ";");
    const uint32_t before = name > 0 ? name - 1 : 0;
    if (end == code->tokens.count || !(token_is(code, before, ";") || token_is(code, before, "{") ||
                                       token_is(code, before, "}") || token_is(code, before, ")")))
        return false;
    add(arena, edits, use->at.end - 1, code->tokens.at[behind + 1].at.begin, ", ");
    add(arena, edits, code->tokens.at[end].at.begin, code->tokens.at[end].at.begin, ")");
    return true;
}

bool members_find(const Source *source, const Declaration *declaration, const Uses *uses,
                  const Layout *layout, RewriteShape *shape, MemberSplit *split) {
    Arena *arena = source->arena;
    const Code *code = declaration->code;
    if (layout->kind != LAYOUT_TRANSPOSED || layout->pitch != declaration->element ||
        layout->element >= layout->pitch || declaration->dims != 1 || !declaration->type.end ||
        declaration->is_member || declaration->dynamic || declaration->is_typed)
        return false;
    const char *fields = fields_text(source, declaration);
    if (!fields)
        return false;
    *shape = (RewriteShape){.kind = SHAPE_MEMBERS, .layout = *layout, .fields = fields};
    const uint32_t close = token_from(code, declaration->extents[0].end);
    const Range name = declaration->at, extent = declaration->extents[0];
    Str text = code_text(code, extent);
    const bool word = token_from(code, extent.begin) + 1 == close;
    split->extent = arena_printf(arena, word ? "<" STR_FMT ">" : "<(" STR_FMT ")>", STR_ARG(text));
    add(arena, &split->edits, name.end, code->tokens.at[close].at.end, "");
    for (uint32_t i = 0; i < uses->list.count; i++)
        if (!change_use(arena, code, &uses->list.at[i], &split->edits))
            return false;
    return true;
}
