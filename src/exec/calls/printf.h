/* printf: a conversion of a kernel's format, and what prints the numbers of most of them. Private to exec/calls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* % flags width .precision length letter. */
typedef struct Conversion {
    char flags[8];
    int width, precision; /* -1: none */
    bool wide;            /* l, ll and other lengths of 64 bits */
    bool half, quarter;   /* h, hh */
    char letter;
} Conversion;

/* ---- printf_number.c: what snprintf prints, letter for letter, without its generality ---- */

enum { NUMBER_MOST = 128 }; /* letters */
/* Into `out`, of NUMBER_MOST bytes; returns their number. 0: that is for snprintf. `negative`: the integer is -magnitude. */
size_t number_print_integer(char *out, const Conversion *conversion, uint64_t magnitude,
                            bool negative);
size_t number_print_fixed(char *out, const Conversion *conversion, double value);   /* %f */
size_t number_print_general(char *out, const Conversion *conversion, double value); /* %e %g */
