/* Matrices of all four types as those of one. */
#include "hostlib/solver/solver.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

static char *column(const Matrix *matrix, size_t j, SolverType type) {
    return (char *)matrix->at + j * (size_t)matrix->lead * solver_bytes(type);
}

static double complex number(const void *at, size_t i, SolverType type) {
    switch (type) {
    case TYPE_S:
        return ((const float *)at)[i];
    case TYPE_D:
        return ((const double *)at)[i];
    case TYPE_C:
        return ((const float complex *)at)[i];
    default:
        return ((const double complex *)at)[i];
    }
}

static void number_set(void *at, size_t i, SolverType type, double complex value) {
    switch (type) {
    case TYPE_S:
        ((float *)at)[i] = (float)creal(value);
        break;
    case TYPE_D:
        ((double *)at)[i] = creal(value);
        break;
    case TYPE_C:
        ((float complex *)at)[i] = (float complex)value;
        break;
    default:
        ((double complex *)at)[i] = value;
    }
}

double complex *matrix_read(const Matrix *matrix, SolverType type) {
    const size_t rows = (size_t)matrix->rows, columns = (size_t)matrix->columns;
    double complex *to = malloc((rows * columns + 1) * sizeof *to);
    for (size_t j = 0; to && j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            to[j * rows + i] = number(column(matrix, j, type), i, type);
    return to;
}

void matrix_write(const Matrix *to, const double complex *from, SolverType type) {
    for (size_t j = 0; j < (size_t)to->columns; j++)
        for (size_t i = 0; i < (size_t)to->rows; i++)
            number_set(column(to, j, type), i, type, from[j * (size_t)to->rows + i]);
}

void matrix_copy(const Matrix *to, const Matrix *from, SolverType type) {
    const size_t columns = (size_t)(to->columns < from->columns ? to->columns : from->columns);
    const size_t rows = (size_t)(to->rows < from->rows ? to->rows : from->rows);
    for (size_t j = 0; rows && j < columns; j++)
        memcpy(column(to, j, type), column(from, j, type), rows * solver_bytes(type));
}

void matrix_adjoint(const Matrix *to, const Matrix *from, SolverType type) {
    for (size_t j = 0; j < (size_t)to->columns && j < (size_t)from->rows; j++)
        for (size_t i = 0; i < (size_t)to->rows && i < (size_t)from->columns; i++)
            number_set(column(to, j, type), i, type, conj(number(column(from, i, type), j, type)));
}

Matrix matrix_new(int rows, int columns, SolverType type) {
    Matrix matrix = {.lead = rows ? rows : 1, .rows = rows, .columns = columns};
    matrix.at = calloc((size_t)matrix.lead * (size_t)columns + 1, solver_bytes(type));
    return matrix;
}

void matrix_multiply(double complex *to, const double complex *left, const double complex *right,
                     size_t rows, size_t inner, size_t columns) {
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            to[j * rows + i] = 0;
    for (size_t j = 0; j < columns; j++)
        for (size_t k = 0; k < inner; k++)
            for (size_t i = 0; i < rows; i++)
                to[j * rows + i] += left[k * rows + i] * right[j * inner + k];
}
