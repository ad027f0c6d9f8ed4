/* Products of sparse matrices. What is computed is kept, row by row, in the description until it is copied. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

/* What a cusparseSpGEMMDescr_t points to. */
typedef struct Product {
    Lines rows;
    int64_t elements, multiplications;
} Product;

/* ---- the arithmetic: row by row (F. Gustavson, ACM TOMS 4(3), 1978) ---- */

typedef struct Row { /* of the product, while it is summed up */
    int64_t *places, count;
    double complex *sums; /* of all columns */
    bool *used;
} Row;

static int compare(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t add_row(const Lines *a, const Lines *b, int64_t line, Row *row) {
    int64_t multiplications = 0;
    row->count = 0;
    for (int64_t i = a->offsets[line]; i < a->offsets[line + 1]; i++) {
        const int64_t k = a->places[i];
        multiplications += b->offsets[k + 1] - b->offsets[k];
        for (int64_t j = b->offsets[k]; j < b->offsets[k + 1]; j++) {
            const int64_t column = b->places[j];
            if (!row->used[column])
                row->places[row->count++] = column;
            row->sums[column] += times(a->values[i], b->values[j]);
            row->used[column] = true;
        }
    }
    qsort(row->places, (size_t)row->count, sizeof *row->places, compare);
    return multiplications;
}

/* Appends the row to the product, and empties it. False: no memory. */
static bool take_row(Product *product, Row *row, int64_t line, int64_t *room) {
    Lines *rows = &product->rows;
    if (product->elements + row->count > *room) {
        *room = 2 * (product->elements + row->count);
        int64_t *places = realloc(rows->places, (size_t)*room * sizeof *places);
        if (places)
            rows->places = places;
        double complex *values = realloc(rows->values, (size_t)*room * sizeof *values);
        if (values)
            rows->values = values;
        if (!places || !values)
            return false;
    }
    for (int64_t i = 0; i < row->count; i++) {
        const int64_t column = row->places[i];
        rows->places[product->elements] = column;
        rows->values[product->elements++] = row->sums[column];
        row->sums[column] = 0;
        row->used[column] = false;
    }
    rows->offsets[line + 1] = product->elements;
    return true;
}

static bool multiply(const SparseWork *work, const Lines *a, const Lines *b) {
    Product *product = work->result;
    const size_t columns = (size_t)(work->op_b ? work->d.row_count : work->d.column_count) + 1;
    Row row = {malloc(columns * sizeof *row.places), 0, calloc(columns, sizeof *row.sums),
               calloc(columns, sizeof *row.used)};
    int64_t room = 1;
    lines_free(&product->rows);
    product->elements = product->multiplications = 0;
    bool made = row.places && row.sums && row.used && lines_new(&product->rows, a->count, room);
    for (int64_t line = 0; made && line < a->count; line++) {
        product->multiplications += add_row(a, b, line, &row);
        made = take_row(product, &row, line, &room);
    }
    free(row.places);
    free(row.sums);
    free(row.used);
    return made;
}

static bool compute(const SparseWork *work) {
    Lines a, b;
    if (!lines_of(&a, &work->a, work->op_a))
        return false;
    bool made = lines_of(&b, &work->d, work->op_b);
    if (made) {
        made = multiply(work, &a, &b);
        lines_free(&b);
    }
    lines_free(&a);
    return made;
}

/* C, as large as the product: alpha times that, and beta times what it has. */
static bool copy(const SparseWork *work) {
    const Product *product = work->result;
    const SparseMatrix *to = &work->to;
    SparseMatrix structure = *to;
    structure.type = VALUE_NONE;
    lines_store(&product->rows, &structure);
    for (int64_t i = 0; i < product->elements; i++) {
        double complex value = times(work->alpha, product->rows.values[i]);
        if (work->beta != 0)
            value += times(work->beta, value_load(to->values, to->type, i));
        value_store(to->values, to->type, i, value);
    }
    return true;
}

/* ---- calls ---- */

#define OPERANDS                                                                                   \
    const SparseHandle *handle, int op_a, int op_b, const void *alpha, const SparseMatrix *a,      \
        const SparseMatrix *b, const void *beta, SparseMatrix *c, int type, int algorithm,         \
        Product *product
#define PASSED handle, op_a, op_b, alpha, a, b, beta, c, type, algorithm, product

static SparseStatus check(OPERANDS) {
    (void)algorithm;
    if (!sparse_is_handle(handle) || !a || !b || !c || !alpha || !beta || !product ||
        !sparse_is_operation(op_a) || !sparse_is_operation(op_b))
        return SPARSE_INVALID_VALUE;
    if ((op_a ? a->row_count : a->column_count) != (op_b ? b->column_count : b->row_count) ||
        (op_a ? a->column_count : a->row_count) != c->row_count ||
        (op_b ? b->row_count : b->column_count) != c->column_count)
        return SPARSE_INVALID_VALUE;
    return a->format == FORMAT_CSR && b->format == FORMAT_CSR && c->format == FORMAT_CSR &&
                   a->type == type && b->type == type && c->type == type
               ? SPARSE_SUCCESS
               : SPARSE_NOT_SUPPORTED;
}

/* A program asks for the size first, without an area. */
static SparseStatus compute_now(const char *function, OPERANDS, size_t *size, const void *area) {
    SparseStatus wrong = check(PASSED);
    if (wrong || !area)
        return sparse_size(handle, wrong, size);
    SparseWork work = {.work.function = function,
                       .compute = compute,
                       .a = *a,
                       .d = *b,
                       .op_a = op_a,
                       .op_b = op_b,
                       .result = product};
    wrong = sparse_enqueue(handle, &work);
    c->count = product->elements;
    return wrong;
}

EXPORTED(cusparseSpGEMM_createDescr, Product **product) {
    if (!product)
        return SPARSE_INVALID_VALUE;
    *product = calloc(1, sizeof **product);
    return *product ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;
}

EXPORTED(cusparseSpGEMM_destroyDescr, Product *product) {
    if (product)
        lines_free(&product->rows);
    free(product);
    return SPARSE_SUCCESS;
}

/* It computes all, so that how many multiplications there are can be said. */
EXPORTED(cusparseSpGEMM_workEstimation, OPERANDS, size_t *size, void *area) {
    return compute_now(__func__, PASSED, size, area);
}

EXPORTED(cusparseSpGEMM_getNumProducts, const Product *product, int64_t *count) {
    if (!product || !count)
        return SPARSE_INVALID_VALUE;
    *count = product->multiplications;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpGEMM_estimateMemory, OPERANDS, float part, size_t *size, void *area,
         size_t *size_of_compute) {
    (void)part;
    SparseStatus wrong = check(PASSED);
    return sparse_size(handle, wrong, area ? size_of_compute : size);
}

EXPORTED(cusparseSpGEMM_compute, OPERANDS, size_t *size, void *area) {
    return compute_now(__func__, PASSED, size, area);
}

EXPORTED(cusparseSpGEMM_copy, OPERANDS) {
    SparseStatus wrong = check(PASSED);
    if (wrong)
        return wrong;
    if (!product->rows.offsets || c->count != product->elements)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = copy, .to = *c, .result = product};
    sparse_put_scalars(handle, &work, alpha, beta, type);
    return sparse_enqueue(handle, &work);
}

/* ---- the same for other values in the same places ---- */

#define PLACES                                                                                     \
    const SparseHandle *handle, int op_a, int op_b, const SparseMatrix *a, const SparseMatrix *b,  \
        SparseMatrix *c, int algorithm, Product *product
static const double one = 1; /* a factor that is there and not looked at */
#define PLACES_PASSED                                                                              \
    handle, op_a, op_b, &one, a, b, &one, c, c ? c->type : VALUE_NONE, algorithm, product

EXPORTED(cusparseSpGEMMreuse_workEstimation, PLACES, size_t *size, void *area) {
    (void)area;
    return sparse_size(handle, check(PLACES_PASSED), size);
}

EXPORTED(cusparseSpGEMMreuse_nnz, PLACES, size_t *size, void *area, size_t *size_2, void *area_2,
         size_t *size_3, void *area_3) {
    (void)area_2, (void)area_3;
    SparseStatus wrong = compute_now(__func__, PLACES_PASSED, size, area);
    if (wrong || !size_2 || !size_3)
        return wrong ? wrong : SPARSE_INVALID_VALUE;
    *size_2 = *size_3 = WORK_BYTES;
    return SPARSE_SUCCESS;
}

/* Where C has elements. */
static bool copy_places(const SparseWork *work) {
    const Product *product = work->result;
    SparseMatrix structure = work->to;
    structure.type = VALUE_NONE;
    lines_store(&product->rows, &structure);
    return true;
}

EXPORTED(cusparseSpGEMMreuse_copy, PLACES, size_t *size, void *area) {
    SparseStatus wrong = check(PLACES_PASSED);
    if (wrong || !area)
        return sparse_size(handle, wrong, size);
    if (!product->rows.offsets || c->count != product->elements)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {
        .work.function = __func__, .compute = copy_places, .to = *c, .result = product};
    return sparse_enqueue(handle, &work);
}

static bool compute_and_copy(const SparseWork *work) {
    const Product *product = work->result;
    return compute(work) && (product->elements != work->to.count || copy(work));
}

EXPORTED(cusparseSpGEMMreuse_compute, OPERANDS) {
    SparseStatus wrong = check(PASSED);
    if (wrong)
        return wrong;
    if (!product->rows.offsets || c->count != product->elements)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__,
                       .compute = compute_and_copy,
                       .a = *a,
                       .d = *b,
                       .to = *c,
                       .op_a = op_a,
                       .op_b = op_b,
                       .result = product};
    sparse_put_scalars(handle, &work, alpha, beta, type);
    return sparse_enqueue(handle, &work);
}
