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
    /* a use whose place a loop carries, or its beginning in the loop's header */
    const Carry *carry;
} Piece;

typedef struct Editor {
    Arena *arena;
    const Code *code;
    VEC(Piece) pieces; /* by place, the outer ones first */
    VEC(Edit) helpers, comments;
    EditList *edits;
} Editor;

/* ---- pieces ---- */

static void add_extents(Editor *editor, const ShapedArray *array) {
    const Uses *uses = &array->uses;
    for (uint32_t i = 0; keeps_uses(array) && i < uses->extents.count; i++) {
        const ExtentUse *use = &uses->extents.at[i];
        uint32_t by = array->shape.by[use->dim];
        if (by)
            *vec_add(editor->arena, &editor->pieces) = (Piece){
                use->at, array, NULL, spell_more(editor->arena, editor->code, use->at, by), NULL};
    }
}

static void add_uses(Editor *editor, const ShapedArray *array) {
    const bool members = array->shape.kind == SHAPE_MEMBERS;
    for (uint32_t i = 0; !keeps_uses(array) && !members && i < array->uses.list.count; i++) {
        const ArrayUse *use = &array->uses.list.at[i];
        const Carry *carry = array->carries && array->carries[i].name ? &array->carries[i] : NULL;
        if (array->shape.kind == SHAPE_PITCHED && array->pitch.in_rows[i] && !carry)
            continue;
        if (!carry && array->pitch.texts && array->pitch.texts[i]) {
            const char *text = arena_printf(editor->arena, "[%s]", array->pitch.texts[i]);
            *vec_add(editor->arena, &editor->pieces) =
                (Piece){{use->brackets, use->at.end}, array, NULL, text, NULL};
            continue;
        }
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{use->brackets, use->at.end}, array, use, NULL, carry};
        if (!carry || carry->shared)
            continue;
        const char *step =
            arena_printf(editor->arena, ", %s += %llu", carry->name, (unsigned long long)carry->by);
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{carry->begins, carry->begins}, array, use, NULL, carry};
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{carry->steps, carry->steps}, array, NULL, step, NULL};
    }
}

static void add_factors(Editor *editor, const ShapedArray *array) {
    for (uint32_t i = 0; array->shape.kind == SHAPE_PITCHED && i < array->pitch.factors.count;
         i++) {
        const Edit *factor = &array->pitch.factors.at[i];
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{factor->begin, factor->end}, array, NULL, factor->text, NULL};
    }
}

static void add_members(Editor *editor, const ShapedArray *array) {
    const EditList *edits = &array->members.edits;
    for (uint32_t i = 0; array->shape.kind == SHAPE_MEMBERS && i < edits->list.count; i++) {
        const Edit *edit = &edits->list.at[i];
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){{edit->begin, edit->end}, array, NULL, edit->text, NULL};
    }
}

static int by_place(const void *a, const void *b) {
    const Piece *x = a, *y = b;
    if (x->at.begin != y->at.begin)
        return x->at.begin < y->at.begin ? -1 : 1;
    return x->at.end > y->at.end ? -1 : x->at.end < y->at.end;
}

/* ---- helpers ---- */

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
    if (kind != SHAPE_FLAT && kind != SHAPE_PITCHED && kind != SHAPE_RECORD &&
        kind != SHAPE_MEMBERS)
        return NULL;
    for (uint32_t i = 2;; i++) {
        const char *text = helper_text(editor->arena, array->declaration, &array->shape, name);
        if (strstr(code->text, text))
            return name;
        if (!code_has_word(code, name))
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

static void add_launches(Editor *editor, const ShapedArray *array) {
    for (uint32_t i = 0; i < array->launches.list.count; i++) {
        Range size = array->launches.list.at[i];
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){size, array, NULL,
                    launch_bytes_text(editor->arena, editor->code, size, &array->shape.layout,
                                      &array->pitch),
                    NULL};
    }
    const Edit comment = dynamic_comment(editor->arena, array->declaration, &array->shape.layout);
    if (*comment.text)
        *vec_add(editor->arena, &editor->comments) = comment;
}

static void add_declaration(Editor *editor, const ShapedArray *array) {
    const Declaration *declaration = array->declaration;
    const RewriteShape *shape = &array->shape;
    if (shape->kind == SHAPE_XORED)
        return;
    if (declaration->dynamic) {
        add_launches(editor, array);
        return;
    }
    if (shape->kind == SHAPE_CONSTANT) {
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){array->constant.at, array, NULL, array->constant.text, NULL};
        return;
    }
    if (shape->kind == SHAPE_RECORD) {
        *vec_add(editor->arena, &editor->pieces) =
            (Piece){declaration->type, array, NULL, helper_for(editor, array), NULL};
        return;
    }
    if (shape->kind == SHAPE_MEMBERS) {
        *vec_add(editor->arena, &editor->pieces) = (Piece){
            declaration->type, array, NULL,
            arena_printf(editor->arena, "%s%s", helper_for(editor, array), array->members.extent),
            NULL};
        return;
    }
    if (shape->kind == SHAPE_GROWN) {
        for (uint32_t d = 0; d < declaration->dims; d++)
            if (shape->by[d])
                *vec_add(editor->arena, &editor->pieces) =
                    (Piece){declaration->extents[d], array, NULL,
                            spell_grown(editor->arena, declaration, shape, d), NULL};
        return;
    }
    if (shape->kind == SHAPE_PITCHED && !array->pitch.texts && declaration->dims > 1) {
        *vec_add(editor->arena, &editor->pieces) = (Piece){
            declaration->extents[declaration->dims - 1], array, NULL, array->pitch.extent, NULL};
        return;
    }
    const Range all = declaration->brackets;
    const char *text = shape->kind == SHAPE_PITCHED && !array->pitch.texts
                           ? arena_printf(editor->arena, "[%s]", array->pitch.extent)
                           : spell_extents(editor->arena, declaration, shape);
    if (!str_is(code_text(editor->code, all), text))
        *vec_add(editor->arena, &editor->pieces) = (Piece){all, array, NULL, text, NULL};
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
    const Piece *piece = &editor->pieces.at[index];
    const char *inside = "", *outside = "", *helper = helper_for(editor, piece->array);
    for (uint32_t i = 0; i < split->terms.count; i++) {
        const SplitTerm *term = &split->terms.at[i];
        const char *text = term_text(editor, index + 1, term);
        if (split->each)
            outside = arena_printf(editor->arena, "%s%s%s(%s)", outside, *outside ? " + " : "",
                                   helper, text);
        else if (term->inside)
            inside = arena_printf(editor->arena, "%s%s%s", inside, *inside ? " + " : "", text);
        else
            outside =
                arena_printf(editor->arena, "%s %s %s", outside, term->minus ? "-" : "+", text);
    }
    if (split->each)
        return arena_printf(editor->arena, piece->use->offset ? "%s" : "[%s]", outside);
    return arena_printf(editor->arena, piece->use->offset ? "%s(%s)%s" : "[%s(%s)%s]", helper,
                        inside, outside);
}

/* "pad(32 * 32)"; "pad(bytes / 4) * 4" where it is added to a pointer to bytes */
static const char *offset_text(Editor *editor, uint32_t index) {
    Piece piece = editor->pieces.at[index];
    Range range = piece.use->subscripts[0];
    SpelledExpression offset =
        expression_of(editor->arena, editor->code, range, inner_text(editor, index + 1, range));
    const uint64_t per =
        piece.array->declaration->element / (piece.use->unit ? piece.use->unit : 1);
    const char *helper = helper_for(editor, piece.array);
    if (per == 1)
        return arena_printf(editor->arena, "%s(%s)", helper, offset.text);
    return arena_printf(editor->arena, "%s(%s / %llu) * %llu", helper,
                        expression_operand(editor->arena, offset, BINDS_PRODUCT),
                        (unsigned long long)per, (unsigned long long)per);
}

/* An index with a longer pitch. */
static const char *rows_text(Editor *editor, const ShapedArray *array, const ArrayUse *use) {
    const Range range = use->subscripts[0];
    VEC(Edit) inner = {0};
    for (uint32_t i = 0; i < array->pitch.factors.count; i++) {
        const Edit edit = array->pitch.factors.at[i];
        if (edit.begin >= range.begin && edit.end <= range.end)
            *vec_add(editor->arena, &inner) =
                (Edit){edit.begin - range.begin, edit.end - range.begin, edit.text};
    }
    const Str text = code_text(editor->code, range);
    return edits_apply(editor->arena, arena_copy(editor->arena, text.at, text.length), inner.at,
                       inner.count);
}

/* What a use is without brackets: "pad(y * 32 + x)", or a variable that the loop carries. */
static const char *carried_text(Editor *editor, const Piece *piece) {
    const ShapedArray *array = piece->array;
    const uint32_t number = (uint32_t)(piece->use - array->uses.list.at);
    SpelledExpression subscripts[DIMS_MOST];
    if (array->pitch.texts && array->pitch.texts[number])
        return array->pitch.texts[number];
    if (array->shape.kind == SHAPE_PITCHED && array->pitch.in_rows[number])
        return rows_text(editor, array, piece->use);
    for (uint32_t d = 0; d < array->declaration->dims; d++)
        subscripts[d] = expression_of(editor->arena, editor->code, piece->use->subscripts[d], NULL);
    const char *text = spell_subscripts(editor->arena, array->declaration, &array->shape,
                                        subscripts, helper_for(editor, array));
    return arena_copy(editor->arena, text + 1, strlen(text) - 2);
}

/* " = 0;" */
static bool gets_number(const Code *code, uint32_t end) {
    const uint32_t t = token_from(code, end);
    return token_is(code, t, "=") && token_is(code, t + 2, ";") &&
           code->tokens.at[t + 1].kind == CXToken_Literal;
}

static const char *piece_text(Editor *editor, uint32_t index) {
    Piece piece = editor->pieces.at[index];
    SpelledExpression subscripts[DIMS_MOST];
    if (piece.carry && piece.carry->name && !piece.text)
        return piece.at.begin == piece.carry->begins
                   ? arena_printf(editor->arena, ", %s = %s", piece.carry->name,
                                  carried_text(editor, &piece))
                   : arena_printf(editor->arena, "[%s]", piece.carry->name);
    if (!piece.use || piece.text)
        return piece.text;
    if (piece.array->shape.kind == SHAPE_PITCHED) {
        const IndexSplit *split = &piece.array->pitch.splits[piece.use - piece.array->uses.list.at];
        if (split->terms.count)
            return split_text(editor, index, split);
    }
    const Declaration *declaration = piece.array->declaration;
    if (piece.use->offset)
        return offset_text(editor, index);
    for (uint32_t d = 0; d < declaration->dims; d++) {
        Range range = piece.use->subscripts[d];
        const char *inner = inner_text(editor, index + 1, range);
        subscripts[d] = expression_of(editor->arena, editor->code, range, inner);
    }
    const char *filled =
        gets_number(editor->code, piece.at.end)
            ? spell_filled(editor->arena, declaration, &piece.array->shape, subscripts)
            : NULL;
    return filled ? filled
                  : spell_subscripts(editor->arena, declaration, &piece.array->shape, subscripts,
                                     helper_for(editor, piece.array));
}

/* Is the same put there by another array before it? */
static bool repeats(const Editor *editor, uint32_t index) {
    const Piece *one = &editor->pieces.at[index], *before = one - 1;
    return index > 0 && one->text && before->text && one->at.begin == before->at.begin &&
           one->at.end == before->at.end && strcmp(one->text, before->text) == 0;
}

static int by_begin(const void *a, const void *b) {
    const Edit *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Behind a helper function at the same place. */
static void add_comments(Editor *editor) {
    for (uint32_t c = 0; c < editor->comments.count; c++) {
        const Edit *comment = &editor->comments.at[c];
        bool joined = false;
        for (uint32_t i = 0; i < editor->helpers.count && !joined; i++) {
            Edit *helper = &editor->helpers.at[i];
            joined = helper->begin == comment->begin;
            if (joined)
                helper->text = arena_printf(editor->arena, "%s%s", helper->text, comment->text);
        }
        if (!joined)
            *vec_add(editor->arena, &editor->helpers) = *comment;
    }
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
        add_members(&editor, arrays[i]);
        add_extents(&editor, arrays[i]);
    }
    if (editor.pieces.count)
        qsort(editor.pieces.at, editor.pieces.count, sizeof *editor.pieces.at, by_place);
    uint32_t end = 0;
    for (uint32_t i = 0; i < editor.pieces.count; i++) {
        Range at = editor.pieces.at[i].at;
        if (at.begin < end || repeats(&editor, i))
            continue; /* in the text of the piece around it */
        *vec_add(arena, &edits->list) = (Edit){at.begin, at.end, piece_text(&editor, i)};
        end = at.end;
    }
    add_comments(&editor);
    for (uint32_t i = 0; i < editor.helpers.count; i++)
        *vec_add(arena, &edits->list) = editor.helpers.at[i];
    if (edits->list.count)
        qsort(edits->list.at, edits->list.count, sizeof *edits->list.at, by_begin);
}
