/* Elements of sparse matrices, and matrices whose elements lie row by row, or column by column. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

/* ---- elements ---- */

static bool is_plain(const SparseMatrix *matrix) {
    return matrix->format <= FORMAT_COO;
}

/* Of formats with blocks: a row's elements are counted from that of the row of blocks. */
static void block_range(const SparseMatrix *matrix, int64_t line, int64_t *first, int64_t *end) {
    const int64_t slice = line / matrix->block_rows;
    *first = 0;
    *end = matrix->width;
    if (matrix->format == FORMAT_BLOCKED_ELL)
        return;
    const int64_t from = index_load(matrix->rows, matrix->row_type, slice, matrix->base);
    const int64_t to = index_load(matrix->rows, matrix->row_type, slice + 1, matrix->base);
    const bool bsr = matrix->format == FORMAT_BSR;
    const int64_t most =
        bsr ? matrix->count / (matrix->block_rows * matrix->block_columns) : matrix->count;
    *end = from < 0 || to < from || to > most ? 0
           : bsr                              ? (to - from) * matrix->block_columns
                                              : (to - from) / matrix->block_rows;
}

static Element block_element(const SparseMatrix *matrix, int64_t line, int64_t at) {
    const int64_t rows = matrix->block_rows, columns = matrix->block_columns;
    const int64_t slice = line / rows, row = line % rows, block = at / columns, in = at % columns;
    int64_t index, place;
    if (matrix->format == FORMAT_BLOCKED_ELL) {
        index = slice * (matrix->width / columns) + block;
        place = line * matrix->width + at;
    } else {
        const int64_t from = index_load(matrix->rows, matrix->row_type, slice, matrix->base);
        index = matrix->format == FORMAT_BSR ? from + block : from + at * rows + row;
        place = matrix->format != FORMAT_BSR ? index
                : matrix->order == ORDER_ROW ? (index * rows + row) * columns + in
                                             : (index * columns + in) * rows + row;
    }
    const int64_t found = index_load(matrix->columns, matrix->column_type, index, matrix->base);
    return (Element){line, found < 0 ? -1 : found * columns + in,
                     value_load(matrix->values, matrix->type, place), place};
}

/* COO: all elements are in the first line. */
void matrix_range(const SparseMatrix *matrix, int64_t line, int64_t *first, int64_t *end) {
    if (!is_plain(matrix)) {
        block_range(matrix, line, first, end);
        return;
    }
    const bool coo = matrix->format == FORMAT_COO;
    *first = coo ? 0 : index_load(matrix->rows, matrix->row_type, line, matrix->base);
    *end = coo ? (line ? 0 : matrix->count)
               : index_load(matrix->rows, matrix->row_type, line + 1, matrix->base);
    if (*first < 0 || *end > matrix->count || *end < *first)
        *end = *first; /* not offsets of this matrix */
}

Element matrix_element(const SparseMatrix *matrix, int64_t line, int64_t at) {
    if (!is_plain(matrix))
        return block_element(matrix, line, at);
    const double complex value = value_load(matrix->values, matrix->type, at);
    const int64_t place = index_load(matrix->columns, matrix->column_type, at, matrix->base);
    if (matrix->format == FORMAT_COO)
        line = index_load(matrix->rows, matrix->row_type, at, matrix->base);
    return matrix->format == FORMAT_CSC ? (Element){place, line, value, at}
                                        : (Element){line, place, value, at};
}

bool matrix_has(const SparseMatrix *matrix, Element element) {
    return element.row >= 0 && element.row < matrix->row_count && element.column >= 0 &&
           element.column < matrix->column_count;
}

bool walk_next(Walk *walk) {
    const SparseMatrix *matrix = walk->matrix;
    for (;;) {
        while (walk->at == walk->end) {
            if (walk->lines == matrix_lines(matrix))
                return false;
            matrix_range(matrix, walk->lines++, &walk->at, &walk->end);
        }
        if (walk->given++ == matrix->count)
            return false; /* lines that overlap */
        walk->element = matrix_element(matrix, walk->lines - 1, walk->at++);
        if (matrix_has(matrix, walk->element))
            return true;
    }
}

/* ---- lines ---- */

bool lines_new(Lines *lines, int64_t count, int64_t elements) {
    const size_t most = (size_t)elements + 1;
    *lines = (Lines){.count = count,
                     .offsets = calloc((size_t)count + 1, sizeof *lines->offsets),
                     .places = malloc(most * sizeof *lines->places),
                     .values = malloc(most * sizeof *lines->values)};
    if (lines->offsets && lines->places && lines->values)
        return true;
    lines_free(lines);
    return false;
}

void lines_free(Lines *lines) {
    free(lines->offsets);
    free(lines->places);
    free(lines->values);
    *lines = (Lines){0};
}

/* Those of a matrix that is stored so. */
static void lines_copy(Lines *lines, const SparseMatrix *matrix, bool conjugated) {
    const bool by_columns = matrix->format == FORMAT_CSC;
    int64_t to = 0, at, end;
    for (int64_t line = 0; line < lines->count; line++) {
        matrix_range(matrix, line, &at, &end);
        for (; at < end && to < matrix->count; at++) {
            const Element e = matrix_element(matrix, line, at);
            lines->places[to] = by_columns ? e.row : e.column;
            lines->values[to] = conjugated ? conj(e.value) : e.value;
            to += matrix_has(matrix, e);
        }
        lines->offsets[line + 1] = to;
    }
}

bool lines_of(Lines *lines, const SparseMatrix *matrix, int op) {
    if (!lines_new(lines, op ? matrix->column_count : matrix->row_count, matrix->count))
        return false;
    if (matrix->format == (op ? FORMAT_CSC : FORMAT_CSR)) {
        lines_copy(lines, matrix, op == OP_CONJUGATE);
        return true;
    }
    int64_t *ends = calloc((size_t)lines->count + 1, sizeof *ends);
    if (!ends) {
        lines_free(lines);
        return false;
    }
    for (Walk walk = {.matrix = matrix}; walk_next(&walk);)
        lines->offsets[(op ? walk.element.column : walk.element.row) + 1]++;
    for (int64_t line = 0; line < lines->count; line++) {
        lines->offsets[line + 1] += lines->offsets[line];
        ends[line] = lines->offsets[line]; /* so far */
    }
    for (Walk walk = {.matrix = matrix}; walk_next(&walk);) {
        const Element e = walk.element;
        const int64_t at = ends[op ? e.column : e.row]++;
        lines->places[at] = op ? e.row : e.column;
        lines->values[at] = op == OP_CONJUGATE ? conj(e.value) : e.value;
    }
    free(ends);
    return true;
}

bool lines_of_dense(Lines *lines, const DenseMatrix *matrix, bool by_columns) {
    const int64_t count = by_columns ? matrix->columns : matrix->rows,
                  length = by_columns ? matrix->rows : matrix->columns;
    if (!lines_new(lines, count, count * length))
        return false;
    for (int64_t line = 0, at = 0; line < count; line++) {
        for (int64_t place = 0; place < length; place++) {
            double complex value =
                by_columns ? dense_load(matrix, place, line) : dense_load(matrix, line, place);
            lines->places[at] = place;
            lines->values[at] = value;
            at += value != 0;
        }
        lines->offsets[line + 1] = at;
    }
    return true;
}

void lines_store(const Lines *lines, const SparseMatrix *to) {
    const bool coo = to->format == FORMAT_COO;
    for (int64_t line = 0; line < lines->count; line++)
        for (int64_t at = lines->offsets[line]; at < lines->offsets[line + 1]; at++) {
            if (coo)
                index_store(to->rows, to->row_type, at, to->base, line);
            index_store(to->columns, to->column_type, at, to->base, lines->places[at]);
            value_store(to->values, to->type, at, lines->values[at]);
        }
    for (int64_t line = 0; !coo && to->rows && line <= lines->count; line++)
        index_store(to->rows, to->row_type, line, to->base, lines->offsets[line]);
}
