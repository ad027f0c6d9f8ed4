/* From a source and layouts to new texts: finds the declarations and uses, shapes each layout, and makes the
 * edits of each file. */
#include "rewrite/source.h"

#include <string.h>

typedef struct Work {
    Source source;
    const RewriteArray *arrays;
    uint32_t count;
    ShapedArray *shaped; /* [count]; those that are done have a declaration */
    Rewrite *rewrite;
} Work;

/* Rows in the indices, or a pitch that stands elsewhere; a part of an index that gets the function. */
static bool find_rows(const Work *work, const RewriteArray *array, ShapedArray *shaped,
                      IndexForm index, RewriteOutcome *outcome) {
    const Source *source = &work->source;
    const Declaration *declaration = shaped->declaration;
    const Uses *uses = &shaped->uses;
    if (index == INDEX_ROWS &&
        swizzle_find(source, declaration, &array->layout, &shaped->constant)) {
        shaped->shape.kind = SHAPE_CONSTANT;
        outcome->blockers.count = 0; /* who gets the array has its layout from there, too */
        return true;
    }
    if ((uses->passed || uses->entered) &&
        index == INDEX_ROWS) { /* for all who know the pitch; then for the indices here */
        shaped->shape.kind = SHAPE_CONSTANT;
        if (pitch_constant(source, declaration, &array->layout, &shaped->constant))
            return true;
    }
    if (uses->passed && index == INDEX_SPLIT)
        index = INDEX_ROWS;
    shaped->shape.kind = SHAPE_PITCHED;
    if (pitch_find(source, declaration, uses, &shaped->shape, index, &shaped->pitch) ||
        (index == INDEX_ROWS &&
         turned_find(source, declaration, uses, &shaped->shape, &shaped->pitch)))
        return true;
    shaped->shape.kind = SHAPE_CONSTANT;
    if (index == INDEX_ROWS &&
        elsewhere_pitch(source, declaration, &array->layout, &shaped->constant) &&
        (outcome->blockers.count == 0 || shaped->constant.is_argument)) {
        outcome->blockers.count = 0; /* who gets the array has its pitch from there, too */
        return true;
    }
    shaped->shape.kind = SHAPE_FLAT;
    return false;
}

/* Of an array whose type has a name, an extent that grows is changed where it is written. */
static bool shape_typed(const Work *work, ShapedArray *shaped, RewriteOutcome *outcome) {
    outcome->index = INDEX_WHOLE;
    if (shaped->shape.kind == SHAPE_XORED)
        return true;
    outcome->why = "its declaration has no brackets";
    if (shaped->shape.kind != SHAPE_GROWN || !work->source.options->tried ||
        !elsewhere_extent(&work->source, shaped->declaration, &shaped->shape, &shaped->constant))
        return false;
    shaped->shape.kind = SHAPE_CONSTANT;
    return true;
}

/* Where a subscript must not stand twice, a function of the index takes its place. */
static bool shape(Work *work, const RewriteArray *array, ShapedArray *shaped,
                  RewriteOutcome *outcome) {
    Arena *arena = work->source.arena;
    const Declaration *declaration = shaped->declaration;
    if (work->source.options->tried &&
        members_find(&work->source, declaration, &shaped->uses, &array->layout, &shaped->shape,
                     &shaped->members)) {
        outcome->index = INDEX_WHOLE;
        return true;
    }
    if (!shape_find(arena, declaration, &array->layout, &shaped->shape, &outcome->why))
        return false;
    bool repeats = true;
    for (uint32_t i = 0; i < shaped->uses.list.count && shaped->shape.kind == SHAPE_XORED; i++)
        repeats &= expression_repeats(declaration->code,
                                      shaped->uses.list.at[i].subscripts[declaration->dims - 2]);
    if (declaration->is_typed)
        return repeats && shape_typed(work, shaped, outcome);
    outcome->index = work->source.options->tried ? array->index : INDEX_WHOLE;
    for (; shaped->shape.kind == SHAPE_FLAT && outcome->index < INDEX_WHOLE; outcome->index++)
        if (find_rows(work, array, shaped, outcome->index, outcome))
            return true;
    outcome->index = INDEX_WHOLE;
    for (uint32_t i = 0; i < shaped->uses.list.count; i++)
        if (shaped->uses.list.at[i].row) {
            outcome->why = "what points to its rows can have longer rows, and nothing else";
            return false;
        }
    return repeats ||
           shape_flatten(arena, declaration, &array->layout, &shaped->shape, &outcome->why);
}

static bool same_layout(const Layout *a, const Layout *b) {
    return a->kind == b->kind && a->pitch == b->pitch && a->pad == b->pad &&
           a->pitch2 == b->pitch2 && a->pad2 == b->pad2 && a->bits == b->bits &&
           a->base == b->base && a->shift == b->shift && a->rows == b->rows &&
           memcmp(a->xor, b->xor, sizeof a->xor) == 0;
}

/* An array may have the declaration of an earlier one: both are members of the same class. false: there is
 * nothing more to do. */
static bool is_first(Work *work, uint32_t index, const Declaration *declaration) {
    RewriteOutcome *outcome = &work->rewrite->outcomes[index];
    outcome->shares = index;
    for (uint32_t i = 0; i < index; i++) {
        const ShapedArray *other = &work->shaped[i];
        const Declaration *same = other->declaration ? declaration : NULL;
        while (same && !declarations_equal(&work->source, same, other->declaration))
            same = same->next;
        if (!same)
            continue;
        outcome->shares = i;
        outcome->done = work->arrays[index].layout.kind == LAYOUT_PLAIN ||
                        same_layout(&work->arrays[i].layout, &work->arrays[index].layout);
        outcome->done &= work->rewrite->outcomes[i].done;
        outcome->why = "what has the same declaration gets another layout, or cannot be rewritten";
        return false;
    }
    return true;
}

/* Is any array before it a member of a class, and so perhaps of its own, too? */
static bool has_member(const Work *work, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (work->shaped[i].declaration && work->shaped[i].declaration->is_member)
            return true;
    return false;
}

/* An array that is passed on as a pointer, where what is written will be tried. */
static bool shape_constant(const Work *work, const RewriteArray *array, ShapedArray *shaped,
                           RewriteOutcome *outcome) {
    if (!work->source.options->tried || outcome->blockers.count == 0 ||
        !pitch_constant(&work->source, shaped->declaration, &array->layout, &shaped->constant))
        return false;
    shaped->shape = (RewriteShape){.kind = SHAPE_CONSTANT, .layout = array->layout};
    outcome->blockers.count = 0;
    outcome->index = INDEX_WHOLE;
    return true;
}

static const char *constant_words(Arena *arena, const PitchConstant *constant) {
    return constant->name ? arena_printf(arena, "define %s as %s", constant->name, constant->text)
                          : arena_printf(arena, "write %s in its type", constant->text);
}

static RewriteForm form_of(const ShapedArray *shaped) {
    static const RewriteForm forms[] = {
        [SHAPE_GROWN] = FORM_EXTENTS,  [SHAPE_CONSTANT] = FORM_EXTENTS,
        [SHAPE_RECORD] = FORM_EXTENTS, [SHAPE_MEMBERS] = FORM_MEMBERS,
        [SHAPE_SWAPPED] = FORM_ORDER,  [SHAPE_XORED] = FORM_SUBSCRIPT,
        [SHAPE_PITCHED] = FORM_PITCH,  [SHAPE_FLAT] = FORM_FUNCTION};
    bool function = shaped->shape.kind == SHAPE_PITCHED && shaped->pitch.whole;
    if (shaped->shape.kind == SHAPE_PITCHED && shaped->pitch.texts && !function)
        return FORM_SUBSCRIPT;
    return function ? FORM_FUNCTION : forms[shaped->shape.kind];
}

/* false: the pieces that a dynamic array is carved into, or the pointers into one, have elements of several sizes. */
static bool united(Declaration *declaration, const Uses *uses, RewriteOutcome *outcome) {
    const uint64_t element = declaration->element;
    if (!declaration->dynamic && uses->pointers_to.count == 0)
        return true;
    outcome->why = "not every use of it is an element";
    if (outcome->blockers.count)
        return !declaration->dynamic;
    outcome->why = "what points into it has elements of several sizes";
    return pointer_unite(declaration, uses) &&
           (declaration->dynamic || declaration->element == element);
}

/* Launches of its kernel in the file ask for the bytes of the new layout. */
static void find_launches(const Work *work, const RewriteArray *array, ShapedArray *shaped,
                          RewriteOutcome *outcome) {
    if (!shaped->declaration->dynamic || layout_bytes(&array->layout, array->bytes) == array->bytes)
        return;
    launch_sizes(&work->source, shaped->declaration->code, array->kernel, &shaped->launches);
    outcome->launches = shaped->launches.list.count;
}

/* Arrays that are members of a class among others: those that grow by an extent. */
static void do_members(Work *work, uint32_t index, Declaration *declaration) {
    Arena *arena = work->source.arena;
    const RewriteArray *array = &work->arrays[index];
    RewriteOutcome *outcome = &work->rewrite->outcomes[index];
    ShapedArray *last = NULL;
    for (Declaration *one = declaration; one; one = one->next) {
        ShapedArray *shaped = last ? NEW(arena, ShapedArray) : &work->shaped[index];
        *shaped = (ShapedArray){.declaration = one};
        if (!shape_find(arena, one, &array->layout, &shaped->shape, &outcome->why) ||
            shaped->shape.kind != SHAPE_GROWN)
            continue;
        rewrite_uses(&work->source, one, NULL, &shaped->uses, outcome);
        const char *by_hand = spell_by_hand(arena, one, &shaped->shape);
        outcome->by_hand =
            last ? arena_printf(arena, "%s, %s", outcome->by_hand, by_hand) : by_hand;
        if (last)
            last->next = shaped;
        last = shaped;
    }
    outcome->index = INDEX_WHOLE;
    outcome->form = FORM_EXTENTS;
    outcome->why = last ? "not every use of it is an element"
                        : "no array in its class has rows that could be as long";
    outcome->done = last && outcome->blockers.count == 0;
}

/* Does one array alone get another layout? */
static bool is_only(const Work *work) {
    uint32_t changed = 0;
    for (uint32_t i = 0; i < work->count; i++)
        changed += work->arrays[i].layout.kind != LAYOUT_PLAIN;
    return changed == 1;
}

static void do_array(Work *work, uint32_t index) {
    const RewriteArray *array = &work->arrays[index];
    RewriteOutcome *outcome = &work->rewrite->outcomes[index];
    ShapedArray *shaped = &work->shaped[index];
    outcome->shares = index;
    if (array->layout.kind == LAYOUT_PLAIN && !has_member(work, index))
        return;
    Declaration *declaration = declaration_find(&work->source, array, outcome);
    if (!declaration || !is_first(work, index, declaration) || array->layout.kind == LAYOUT_PLAIN)
        return;
    if (declaration->is_part) {
        do_members(work, index, declaration);
        return;
    }
    shaped->declaration = declaration;
    rewrite_uses(&work->source, declaration, array->kernel, &shaped->uses, outcome);
    for (uint32_t i = 0; i < shaped->uses.pointers_to.count; i++)
        if (shaped->uses.pointers_to.at[i]->outer < declaration->outer)
            declaration->outer = shaped->uses.pointers_to.at[i]->outer;
    if (!united(declaration, &shaped->uses, outcome))
        return;
    bool shaped_well =
        shape_constant(work, array, shaped, outcome) || shape(work, array, shaped, outcome);
    find_launches(work, array, shaped, outcome);
    if (shaped_well && work->source.options->tried &&
        (shaped->shape.kind == SHAPE_FLAT || shaped->shape.kind == SHAPE_PITCHED))
        shaped->carries = carry_find(&work->source, declaration, &shaped->uses, &shaped->shape,
                                     &shaped->pitch, is_only(work));
    outcome->form = form_of(shaped);
    if (shaped_well && shaped->shape.kind == SHAPE_CONSTANT)
        outcome->by_hand = constant_words(work->source.arena, &shaped->constant);
    if (shaped_well && shaped->shape.kind == SHAPE_PITCHED && !shaped->pitch.texts)
        outcome->by_hand = pitch_by_hand(work->source.arena, declaration, &shaped->pitch);
    if (shaped_well && !outcome->by_hand)
        outcome->by_hand = spell_by_hand(work->source.arena, declaration, &shaped->shape);
    bool grows = shaped->shape.kind == SHAPE_GROWN || shaped->shape.kind == SHAPE_CONSTANT;
    for (uint32_t i = 0; !grows && i < shaped->uses.pointers.count; i++)
        *vec_add(work->source.arena, &outcome->blockers) = shaped->uses.pointers.at[i];
    if (shaped_well && outcome->blockers.count)
        outcome->why = "not every use of it is an element";
    outcome->done = shaped_well && outcome->blockers.count == 0;
}

static void write_file(Work *work, Code *code) {
    Arena *arena = work->source.arena;
    VEC(ShapedArray *) arrays = {0};
    EditList edits = {0};
    for (uint32_t i = 0; i < work->count; i++)
        if (work->rewrite->outcomes[i].done && work->rewrite->outcomes[i].shares == i)
            for (ShapedArray *one = &work->shaped[i]; one; one = one->next)
                *vec_add(arena, &arrays) = one;
    edits_make(arena, code, arrays.at, arrays.count, &edits);
    if (edits.list.count)
        *vec_add(arena, &work->rewrite->files) = (RewrittenFile){
            code->path, code->text, edits_apply(arena, code->text, edits.list.at, edits.list.count),
            edits_diff(arena, code->path, code->text, edits.list.at, edits.list.count)};
}

bool rewrite_source(Arena *arena, const char *path, const RewriteArray *arrays, uint32_t count,
                    const RewriteOptions *options, Rewrite *rewrite, Diags *diags) {
    Work work = {.arrays = arrays, .count = count, .rewrite = rewrite};
    *rewrite = (Rewrite){.outcomes = NEW_ARRAY(arena, RewriteOutcome, count + 1)};
    work.shaped = NEW_ARRAY(arena, ShapedArray, count + 1);
    bool good = source_open(arena, path, options, &work.source, diags);
    for (uint32_t i = 0; good && i < count; i++)
        do_array(&work, i);
    for (uint32_t i = 0; good && i < work.source.files.count; i++)
        write_file(&work, work.source.files.at[i]);
    source_close(&work.source);
    return good;
}
