/* ops_exact.h: one value of any scalar type, exactly, and its conversion to any other type under
 * any rounding. The slow and obvious way to convert; ops_cvt.c has vector loops for the frequent
 * conversions and tests compare the two. */
#pragma once

#include "exec/lanes/ops.h"

/* The value is (-1)^negative * significand * 2^exponent, an infinity or a NaN. */
typedef enum ExactKind { EXACT_FINITE, EXACT_INFINITE, EXACT_NAN } ExactKind;
typedef struct Exact {
    ExactKind kind;
    bool negative;
    int32_t exponent;
    uint64_t significand; /* of a NaN: its fraction, from bit 63 down */
} Exact;

Exact AT_LEVEL(exact_read)(Type type, uint64_t bits);

typedef struct ExactForm {
    Type type;
    Round round;    /* ROUND_NONE: the conversion is exact; .rni …: to an integer */
    uint32_t flags; /* MOD_FTZ: of a single-precision result; MOD_SAT, MOD_SATFINITE, MOD_RELU */
    Type from;      /* decides what a NaN becomes as an integer */
} ExactForm;
uint64_t AT_LEVEL(exact_write)(const ExactForm *form, Exact value);
