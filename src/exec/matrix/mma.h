/* mma.h: what the files of the matrix products share. A product is done on whole matrices, so that
 * nothing but isa/fragment_places.c knows which lane holds what: mma.c gathers the fragments of a warp into
 * matrices, ops_mma.c multiplies, mma.c scatters the result. docs/tensor-cores.md says which sums the
 * GPU forms, and how that was found. Private to exec. */
#pragma once

#include "exec/run/warp.h"

/* Of the largest matrices: A and B of mma.sp.m16n8k128, C of 64 columns of wgmma; in doubles, A of
 * mma.m16n8k16. */
enum { FACTOR_ELEMENTS = 1024, FACTOR_DOUBLES = 256, RESULT_ELEMENTS = 1024, RESULT_DOUBLES = 128 };

/* Elements as they stand in registers, row by row; one-bit elements 32 at a time. */
typedef union Factor {
    uint32_t word[FACTOR_ELEMENTS];
    uint64_t wide[FACTOR_DOUBLES];
    double real[FACTOR_DOUBLES];
} Factor;
typedef union Result {
    uint32_t word[RESULT_ELEMENTS];
    uint64_t wide[RESULT_DOUBLES];
    double real[RESULT_DOUBLES];
} Result;

typedef struct Matrices {
    Factor a, b;
    Result c, d;
    uint16_t pick[FACTOR_ELEMENTS]; /* sparse: the row of B that each element of A belongs to */
} Matrices;

/* Of the sums of tensor cores that are done side by side; the columns behind n are zero. */
enum { COLUMNS_FUSED = 16 };

/* d = a * b + c: m rows, n columns, each element a sum of k products. */
typedef struct Product Product;
struct Product {
    uint32_t m, n, k;
    uint32_t pitch; /* elements from row to row of B, C and D: n, or a multiple of COLUMNS_FUSED */
    uint32_t step;  /* products that are summed at once, floating types other than f64 */
    uint32_t kept;  /* bits of them below the largest exponent */
    bool sparse, quads, satfinite;
    bool adds_last; /* c joins at the end, by an addition of its own */
    Type a, b, c, d;
    Func func;   /* one bit: AND, XOR */
    Round round; /* f64 */
    void (*run)(const Product *product, Matrices *matrices);
};

/* Chooses product->run, by the types, for this processor: ops.c. */
void ops_product(Product *product);

uint32_t product_pitch(const Product *product); /* what Product.pitch must be; mma.c */

/* ---- mma.c: between registers and matrices ---- */

enum { SUM_BITS = 25, SUM_BITS_FP8 = 13 }; /* Product.kept */

/* Registers of a fragment, and where each part of them belongs in the matrix: at[reg][part][lane],
 * an index into a Factor or Result. */
typedef struct Operands {
    uint32_t registers, parts, bits;
    uint32_t offset[8];
    uint16_t *at;
} Operands;
void operands_decode(Decoding *decoding, const Insn *insn, const Product *product, char matrix,
                     const Operand *operand, Operands *operands);
void operands_gather(const Warp *warp, const Operands *operands, uint32_t *word);

/* The metadata of a sparse A: `per_row` groups of 4 bits in the lanes of a quad from `first` on. */
typedef struct Metadata {
    uint32_t offset, first, groups;
    uint32_t unit; /* elements that one index chooses together */
    bool single;   /* tf32: one of two, in a group that could choose two of four */
    bool halves; /* a lane has four groups of a row and of the row 8 below, not eight of one row */
    uint16_t *column; /* the stored column of each position along k */
} Metadata;
/* Operands `at` and behind it: the metadata and the selector. */
void metadata_decode(Decoding *decoding, const Insn *insn, const Product *product, uint32_t at,
                     Metadata *metadata);
/* Fills matrices->pick. */
void metadata_pick(const Warp *warp, const Metadata *metadata, const Product *product,
                   Matrices *matrices);

/* Whether all lanes of the warp are here; else the path waits (STEP_WAIT), or the step is a fault. */
Step matrix_together(Warp *warp, const Code *code, uint32_t mask); /* mma.c */
