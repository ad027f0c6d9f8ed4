/* The edits of a file: extents of declarations, subscripts of uses, and helper functions. A use may stand in
 * another one's subscripts; the outermost is the edit, and the inner ones are in its text. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

/* Do the array's uses stay as they are? */
static bool keeps_uses(const ShapedArray *array) {
    const RewriteShapeKind kind = array->shape.kind;
    return kind == SHAPE_GROWN || kind == SHAPE_CONSTANT || kind == SHAPE_RECORD;
}

/* A part of the file that gets another text: a use of an array, or an extent of its declaration. */
typedef struct Piece {
    Range at;
    const ShapedArray *array;
    const ArrayUse *use; /* NULL: a declaration's */
    const char *text;    /* of a declaration's */
} Piece;

typedef struct Editor {
    Arena *arena;
    const Code *code;
    VEC(Piece) pieces; /* by place, the outer ones first */
    VEC(Edit) helpers;
    EditList *edits;
} Editor;

/* ---- pieces ---- */

static void add_extents(Editor *editor, const ShapedArray *array) {
    const Uses *uses = &array->uses;
    for (uint32_t i = 0; array->shape.kind == SHAPE_GROWN && i < uses->extents.count; i++) {
        const ExtentUse *use = &uses->extents.at[i];
        uint32_t by = array->shape.by[use->dim];
        if (by)
            *vec_add(editor->arena, &editor->pieces) =
                (Piece){use->at, array, NULL, spell_more(editor->arena, editor->code, use->at, by)};
    }
}

static void add_uses(Editor *editor, const ShapedArray *array) {
    for (uint32_t i = 0; !keeps_uses(array) && i < array->uses.list.count; i++) {
        const ArrayUse *use = &array->uses.list.at[i];
        if (array->shape.kind == SHAPE_PITCHED && array->pitch.in_rows[i])
            continue;
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{use->brackets, use->at.end}, array, use, NULL};
    }
}

static void add_factors(Editor *editor, const ShapedArray *array) {
    for (uint32_t i = 0; array->shape.kind == SHAPE_PITCHED && i < array->pitch.factors.count;
         i++) {
        const Edit *factor = &array->pitch.factors.at[i];
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{factor->begin, factor->end}, array, NULL, factor->text};
    }
}

static int by_place(const void *a, const void *b) {
    const Piece *x = a, *y = b;
    if (x->at.begin != y->at.begin)
        return x->at.begin < y->at.begin ? -1 : 1;
    return x->at.end > y->at.end ? -1 : x->at.end < y->at.end;
}

/* ---- helpers ---- */

static bool has_word(const Code *code, const char *word) {
    for (uint32_t t = 0; t < code->tokens.count; t++)
        if (token_is(code, t, word))
            return true;
    return false;
}

static uint32_t line_start(const Code *code, uint32_t at) {
    while (at > 0 && code->text[at - 1] != '\n')
        at--;
    return at;
}

/* Above the comment that belongs to what begins at `at`. */
static uint32_t above_comment(const Code *code, uint32_t at) {
    bool in_comment = false;
    while (at > 0) {
        uint32_t line = line_start(code, at - 1);
        Str text = code_text(code, (Range){line, at - 1});
        const char *first = text.at + strspn(text.at, " \t");
        bool closes = text.length >= 2 && memcmp(text.at + text.length - 2, "*/", 2) == 0;
        bool opens = strncmp(first, "/*", 2) == 0;
        if (!in_comment && !closes && strncmp(first, "//", 2) != 0)
            return at;
        in_comment = (in_comment || closes) && !opens;
        at = line;
    }
    return at;
}

/* The function of a flat shape, or the type of a record: one that is in the file already, one that another array has, or a new one. */
static const char *helper_for(Editor *editor, const ShapedArray *array) {
    const Code *code = editor->code;
    const RewriteShapeKind kind = array->shape.kind;
    const char *name = helper_name(editor->arena, array->declaration, &array->shape);
    if (kind != SHAPE_FLAT && kind != SHAPE_PITCHED && kind != SHAPE_RECORD)
        return NULL;
    for (uint32_t i = 2;; i++) {
        const char *text = helper_text(editor->arena, array->declaration, &array->shape, name);
        if (strstr(code->text, text))
            return name;
        if (!has_word(code, name))
            break;
        name = arena_printf(editor->arena, "%s_%u",
                            helper_name(editor->arena, array->declaration, &array->shape), i);
    }
    uint32_t outer = array->declaration->outer, at = line_start(code, outer);
    uint32_t token = token_from(code, outer);
    bool alone =
        token == 0 || code->tokens.at[token - 1].at.end <= at || token_is(code, token - 1, "\"C\"");
    at = alone ? above_comment(code, at) : outer;
    bool joins = at > 1 && code->text[at - 2] != '\n' && code->text[at - 2] != '\r';
    const char *text =
        arena_printf(editor->arena, "%s%s\n", alone && !joins ? "" : "\n",
                     helper_text(editor->arena, array->declaration, &array->shape, name));
    for (uint32_t i = 0; i < editor->helpers.count; i++) {
        Edit *other = &editor->helpers.at[i];
        if (strcmp(other->text, text) != 0)
            continue;
        other->begin = other->end = at < other->begin ? at : other->begin;
        return name;
    }
    *vec_add(editor->arena, &editor->helpers) = (Edit){at, at, text};
    return name;
}

/* ---- declarations ---- */

static void add_declaration(Editor *editor, const ShapedArray *array) {
    const Declaration *declaration = array->declaration;
    const RewriteShape *shape = &array->shape;
    if (shape->kind == SHAPE_XORED)
        return;
    if (shape->kind == SHAPE_CONSTANT) {
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){array->constant.at, array, NULL, array->constant.text};
        return;
    }
    if (shape->kind == SHAPE_RECORD) {
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){declaration->type, array, NULL, helper_for(editor, array)};
        return;
    }
    if (shape->kind == SHAPE_GROWN) {
        for (uint32_t d = 0; d < declaration->dims; d++)
            if (shape->by[d])
                *vec_add(editor->arena, &editor->pieces) =
                    (Piece){declaration->extents[d], array, NULL,
                            spell_grown(editor->arena, declaration, shape, d)};
        return;
    }
    uint32_t first = token_from(declaration->code, declaration->at.end);
    Range all = {declaration->code->tokens.at[first].at.begin,
                 declaration->extents[declaration->dims - 1].end + 1};
    const char *text = shape->kind == SHAPE_PITCHED
                           ? arena_printf(editor->arena, "[%s]", array->pitch.extent)
                           : spell_extents(editor->arena, declaration, shape);
    if (!str_is(code_text(editor->code, all), text))
        *vec_add(editor->arena, &editor->pieces) = (Piece){all, array, NULL, text};
}

/* ---- texts ---- */

static const char *piece_text(Editor *editor, uint32_t piece);

/* The range's text with the pieces from `piece` on that lie in it; returns NULL where there are none.
 * Pieces nest as deep as brackets do, which the parser limits to 256. */
static const char *inner_text(Editor *editor, uint32_t piece, Range range) {
    VEC(Edit) inner = {0};
    for (uint32_t i = piece; i < editor->pieces.count; i++) {
        Range at = editor->pieces.at[i].at;
        bool nested = inner.count > 0 && at.begin < inner.at[inner.count - 1].end + range.begin;
        if (at.begin >= range.begin && at.end <= range.end && !nested)
            *vec_add(editor->arena, &inner) =
                (Edit){at.begin - range.begin, at.end - range.begin, piece_text(editor, i)};
    }
    Str text = code_text(editor->code, range);
    return inner.count ? edits_apply(editor->arena, arena_copy(editor->arena, text.at, text.length),
                                     inner.at, inner.count)
                       : NULL;
}

static const char *term_text(Editor *editor, uint32_t piece, const SplitTerm *term) {
    const char *inner = inner_text(editor, piece, term->at);
    Str text = code_text(editor->code, term->at);
    return inner ? inner : arena_copy(editor->arena, text.at, text.length);
}

/* "[pad(x * 8) + 33 * y + k]" */
static const char *split_text(Editor *editor, uint32_t index, const IndexSplit *split) {
    const char *inside = "", *outside = "";
    for (uint32_t i = 0; i < split->terms.count; i++) {
        const SplitTerm *term = &split->terms.at[i];
        const char *text = term_text(editor, index + 1, term);
        if (term->inside)
            inside = arena_printf(editor->arena, "%s%s%s", inside, *inside ? " + " : "", text);
        else
            outside =
                arena_printf(editor->arena, "%s %s %s", outside, term->minus ? "-" : "+", text);
    }
    return arena_printf(editor->arena, "[%s(%s)%s]",
                        helper_for(editor, editor->pieces.at[index].array), inside, outside);
}

static const char *piece_text(Editor *editor, uint32_t index) {
    Piece piece = editor->pieces.at[index];
    SpelledExpression subscripts[DIMS_MOST];
    if (!piece.use)
        return piece.text;
    if (piece.array->shape.kind == SHAPE_PITCHED) {
        const IndexSplit *split = &piece.array->pitch.splits[piece.use - piece.array->uses.list.at];
        if (split->terms.count)
            return split_text(editor, index, split);
    }
    const Declaration *declaration = piece.array->declaration;
    for (uint32_t d = 0; d < declaration->dims; d++) {
        Range range = piece.use->subscripts[d];
        const char *inner = inner_text(editor, index + 1, range);
        subscripts[d] = expression_of(editor->arena, editor->code, range, inner);
    }
    return spell_subscripts(editor->arena, declaration, &piece.array->shape, subscripts,
                            helper_for(editor, piece.array));
}

static int by_begin(const void *a, const void *b) {
    const Edit *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void edits_make(Arena *arena, const Code *code, ShapedArray *const *arrays, uint32_t count,
                EditList *edits) {
    Editor editor = {.arena = arena, .code = code, .edits = edits};
    for (uint32_t i = 0; i < count; i++) {
        if (arrays[i]->declaration->code != code)
            continue;
        add_declaration(&editor, arrays[i]);
        add_uses(&editor, arrays[i]);
        add_factors(&editor, arrays[i]);
        add_extents(&editor, arrays[i]);
    }
    if (editor.pieces.count)
        qsort(editor.pieces.at, editor.pieces.count, sizeof *editor.pieces.at, by_place);
    uint32_t end = 0;
    for (uint32_t i = 0; i < editor.pieces.count; i++) {
        Range at = editor.pieces.at[i].at;
        if (at.begin < end)
            continue; /* in the text of the piece around it */
        *vec_add(arena, &edits->list) = (Edit){at.begin, at.end, piece_text(&editor, i)};
        end = at.end;
    }
    for (uint32_t i = 0; i < editor.helpers.count; i++)
        *vec_add(arena, &edits->list) = editor.helpers.at[i];
    if (edits->list.count)
        qsort(edits->list.at, edits->list.count, sizeof *edits->list.at, by_begin);
}
