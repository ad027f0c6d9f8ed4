/* Pointers into a flat array: `float *b = memory + 32 * 32;`, and what is reached through them. An offset is an index of the
 * array, and gets what indices get; a variable that keeps a pointer is an array whose uses are looked for as well.
 *
 * A layout that pads moves element i to a place that grows with i. So pieces that lie behind each other stay apart: the
 * place of offset + i is at least that of the offset and that of i, together, when each is made from its own. Whether it is
 * just that is what the trial is for. */
#include "rewrite/source.h"

#include <string.h>

/* A pointer on its way from the array to who uses it. */
typedef struct Course {
    const Walk *walk;
    const Code *code;
    const Declaration *declaration;
    Uses *uses;
    uint32_t up;     /* the expression that it is */
    uint64_t unit;   /* bytes of what it points to */
    bool address;    /* of an element */
    bool offset;     /* something was added, */
    uint32_t begins; /* from here on */
} Course;

static ArrayUse *find_use(const Course *course, uint32_t brackets) {
    for (uint32_t i = 0; i < course->uses->list.count; i++)
        if (course->uses->list.at[i].brackets == brackets)
            return &course->uses->list.at[i];
    return NULL;
}

static void add_use(const Course *course, ArrayUse use) {
    Uses *uses = course->uses;
    use.unit = course->unit;
    use.through = course->declaration->is_pointer ? course->declaration : NULL;
    for (uint32_t i = 0; i < uses->list.count; i++)
        if (uses->list.at[i].brackets == use.brackets)
            return; /* some expressions are in the tree twice */
    *vec_add(course->walk->source->arena, &uses->list) = use;
}

/* "memory + 32 * 32": what is added. false: it is another operation. */
static bool take_offset(Course *course) {
    Range inner = walk_range(course->walk, course->up),
          outer = walk_range(course->walk, course->up + 1);
    uint32_t plus = token_from(course->code, inner.end);
    if (inner.begin != outer.begin || !token_is(course->code, plus, "+") ||
        plus + 1 >= course->code->tokens.count)
        return false;
    Range offset = {course->code->tokens.at[plus + 1].at.begin, outer.end};
    ArrayUse *before = course->offset ? find_use(course, course->begins) : NULL;
    if (before && before->at.end == inner.end) { /* "memory + row * 32 + column": one index */
        before->at.end = before->subscripts[0].end = outer.end;
        return true;
    }
    course->begins = offset.begin;
    if (find_use(course, offset.begin))
        return true; /* longer already: some expressions are in the tree twice */
    add_use(
        course,
        (ArrayUse){.at = offset, .brackets = offset.begin, .subscripts = {offset}, .offset = true});
    return true;
}

static bool take_element(Course *course) {
    Range base = walk_range(course->walk, course->up),
          all = walk_range(course->walk, course->up + 1);
    uint32_t bracket = token_from(course->code, base.end);
    if (all.begin != base.begin || !token_is(course->code, bracket, "["))
        return false;
    ArrayUse use = {.at = all, .brackets = course->code->tokens.at[bracket].at.begin};
    use.subscripts[0] = (Range){course->code->tokens.at[bracket].at.end, all.end - 1};
    add_use(course, use);
    return true;
}

static bool is_address(const Course *course) {
    uint32_t first = token_from(course->code, walk_range(course->walk, course->up + 1).begin);
    return walk_kind(course->walk, course->up + 1) == CXCursor_UnaryOperator &&
           token_is(course->code, first, "&");
}

static bool is_reached(const Course *course) { /* "*(memory + i)" */
    uint32_t first = token_from(course->code, walk_range(course->walk, course->up + 1).begin);
    return walk_kind(course->walk, course->up + 1) == CXCursor_UnaryOperator &&
           token_is(course->code, first, "*");
}

/* Past parentheses, conversions, and what is a part of an element. */
static void pass(Course *course, bool element) {
    for (;; course->up++) {
        enum CXCursorKind kind = walk_kind(course->walk, course->up + 1);
        bool part = kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr;
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr && !(element && part))
            return;
        if (part && walk_range(course->walk, course->up + 1).begin !=
                        walk_range(course->walk, course->up).begin)
            return;
        if (kind == CXCursor_UnexposedExpr) {
            Range outer = walk_range(course->walk, course->up + 1),
                  inner = walk_range(course->walk, course->up);
            if (outer.begin != inner.begin || outer.end != inner.end)
                return;
        }
    }
}

/* "32" in "(*tile)[32]" or "(*)[32]": the first brackets behind the token, in a type of rows. */
static bool take_row(Course *course, uint32_t t) {
    const Code *code = course->code;
    if (!token_is(code, t, ")") || !token_is(code, t + 1, "[") || !token_is(code, t + 3, "]"))
        return false;
    add_use(course, (ArrayUse){.at = code->tokens.at[t + 2].at,
                               .brackets = code->tokens.at[t + 2].at.begin,
                               .subscripts = {code->tokens.at[t + 2].at},
                               .offset = true,
                               .row = true});
    return true;
}

/* The element's type of a pointer to rows, or of a pointer; and whether it is one to rows. */
static uint64_t element_bytes(const Source *source, CXType type, bool *rows) {
    const Libclang *lib = &source->lib;
    CXType pointee = lib->getPointeeType(lib->getCanonicalType(type));
    *rows = pointee.kind == CXType_ConstantArray;
    if (!*rows)
        return pointed_bytes(source, type);
    CXType element = lib->getCanonicalType(lib->getArrayElementType(pointee));
    long long bytes = element.kind == CXType_ConstantArray ? 0 : lib->Type_getSizeOf(element);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

/* A cast: what it points to then. NULL, or why it cannot be followed. */
static const char *cast(Course *course) {
    const Walk *walk = course->walk;
    CXType type = walk->source->lib.getCursorType(walk_at(walk, course->up + 1));
    bool rows;
    uint64_t unit = element_bytes(walk->source, type, &rows);
    uint32_t t = token_from(course->code, walk_range(walk, course->up + 1).begin);
    course->unit = unit ? unit : course->unit;
    course->up++;
    if (!unit)
        return "it is cast to what is no pointer, or to one whose size is not known";
    for (; rows && t < course->code->tokens.count && !token_is(course->code, t, ";"); t++)
        if (token_is(course->code, t, "*"))
            return take_row(course, t + 1) ? NULL : "it is cast to rows whose type has a name";
    return rows ? "it is cast to rows whose type has a name" : NULL;
}

/* The variable that keeps the pointer becomes one whose uses are looked for. */
static const char *keep(Course *course) {
    const Walk *walk = course->walk;
    Source *source = walk->source;
    CXCursor variable = walk_at(walk, course->up + 1);
    CXType type = source->lib.getCursorType(variable);
    bool rows;
    uint64_t unit = element_bytes(source, type, &rows);
    const char *name = source_string(source, source->lib.getCursorSpelling(variable));
    if (source->lib.getCanonicalType(type).kind != CXType_Pointer || unit != course->unit)
        return arena_printf(source->arena, "a pointer of another kind to it is kept in %s", name);
    for (uint32_t i = 0; i < course->uses->pointers_to.count; i++)
        if (source->lib.equalCursors(course->uses->pointers_to.at[i]->cursor, variable))
            return NULL;
    Declaration *one = NEW(source->arena, Declaration);
    *one = *course->declaration;
    one->cursor = variable;
    one->element = unit;
    one->dynamic = false;
    one->is_pointer = true;
    one->has_offset = course->offset;
    one->offset = course->begins;
    one->name = str_of(name);
    one->rows = rows;
    if (code_of(source, source->lib.getCursorLocation(variable), &one->at.begin) != course->code)
        return "a variable in another file keeps a pointer to it";
    one->at.end = one->at.begin + (uint32_t)one->name.length;
    bool is_auto = token_is(course->code, token_from(course->code, one->at.end), "=") && rows;
    if (rows && !is_auto && !take_row(course, token_from(course->code, one->at.end)))
        return arena_printf(source->arena, "the type of %s has a name", name);
    for (uint32_t up = course->up; up < walk->path.count; up++) {
        enum CXCursorKind kind = walk_kind(walk, up);
        if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
            kind == CXCursor_CXXMethod) {
            one->scope = walk_range(walk, up);
            *vec_add(source->arena, &course->uses->pointers_to) = one;
            return NULL;
        }
    }
    return "a variable outside of functions keeps a pointer to it";
}

/* Who gets one element's address, and uses that alone. */
static bool gets_element(const Course *course) {
    CallUse call;
    if (!call_around(course->walk, course->code, course->up, &call))
        return false;
    return course->address || str_starts(str_of(call.name), "atomic") ||
           strstr(call.name, "cvta_generic_to_shared");
}

/* One step outwards. NULL: it goes on, unless *done; or why it cannot be followed. */
static const char *step_out(Course *course, bool *done) {
    const Walk *walk = course->walk;
    enum CXCursorKind kind = walk_kind(walk, course->up + 1);
    if (course->declaration->rows) {
        course->up++;
        pass(course, false);
        bool element = kind == CXCursor_ArraySubscriptExpr &&
                       walk_kind(walk, course->up + 1) == CXCursor_ArraySubscriptExpr;
        *done = true;
        return element ? NULL : "a row of it is used as a pointer";
    }
    if (kind == CXCursor_ArraySubscriptExpr || is_reached(course)) {
        bool taken = is_reached(course) || take_element(course);
        course->up++;
        pass(course, true);
        *done = !is_address(course);
        course->address = true;
        course->up += !*done;
        return taken ? NULL : "it is an index, or no array of its elements";
    }
    if (kind == CXCursor_BinaryOperator && take_offset(course)) {
        course->offset = true;
        course->up++;
        return NULL;
    }
    if (kind_casts(kind))
        return cast(course);
    *done = true;
    if (kind == CXCursor_VarDecl)
        return keep(course);
    if (gets_element(course) || course->address)
        return NULL;
    CallUse call;
    const char *why = parameter_follow(walk, course->code, course->up, course->unit,
                                       course->declaration, course->uses);
    const bool passed = why && course->offset && !course->declaration->dynamic;
    course->uses->passed |= passed;
    return passed && call_around(walk, course->code, course->up, &call) ? NULL : why;
}

const char *pointer_follow(const Walk *walk, const Code *code, const Declaration *declaration,
                           Uses *uses) {
    Course course = {.walk = walk,
                     .code = code,
                     .declaration = declaration,
                     .uses = uses,
                     .unit = declaration->element};
    const char *why = NULL;
    for (bool done = false; !done && !why;) {
        pass(&course, false);
        why = step_out(&course, &done);
    }
    return why;
}

bool pointer_is_kept(const Walk *walk) {
    uint32_t up = 0;
    bool address = false;
    for (;; up++) {
        enum CXCursorKind kind = walk_kind(walk, up + 1);
        address |= kind == CXCursor_UnaryOperator;
        if (kind == CXCursor_VarDecl)
            return address;
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr &&
            kind != CXCursor_ArraySubscriptExpr && kind != CXCursor_UnaryOperator &&
            !kind_casts(kind))
            return false;
    }
}

bool pointer_unite(Declaration *declaration, const Uses *uses) {
    uint64_t unit = 0;
    for (uint32_t i = 0; i < uses->list.count; i++) {
        const ArrayUse *use = &uses->list.at[i];
        uint64_t one = use->unit ? use->unit : declaration->element;
        if (use->offset && !use->row)
            continue;
        if (unit && one != unit)
            return false;
        unit = one;
    }
    if (!unit || !declaration->instances.count)
        return false;
    Instance *instance = &declaration->instances.at[declaration->instance];
    uint64_t bytes = instance->element * instance->extents[0];
    declaration->element = instance->element = unit;
    instance->extents[0] = bytes / unit;
    return bytes % unit == 0;
}
