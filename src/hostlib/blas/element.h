/* element: numbers of every type that matrices have (cudaDataType). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    R_32F = 0,
    R_64F = 1,
    R_16F = 2,
    R_8I = 3,
    C_32F = 4,
    C_64F = 5,
    R_32I = 10,
    R_16BF = 14,
    R_E4M3 = 28,
    R_E5M2 = 29
};

size_t element_bytes(int type); /* 0: not one of these types */
bool element_is_complex(int type);
/* Number `index` at `at`; its imaginary part is 0 where it is not complex. */
double element_real(int type, const void *at, size_t index);
double element_imaginary(int type, const void *at, size_t index);
/* Rounded to the nearest, to even; an integer beyond the range becomes the nearest one in it. */
void element_set(int type, void *at, size_t index, double real, double imaginary);
