/* mma.h: what the files of the matrix products share. A product is done on whole matrices, so that
 * nothing but isa/fragment_places.c knows which lane holds what: fragments.c gathers the fragments of a warp into
 * matrices, ops_mma.c multiplies, fragments.c scatters the result. docs/tensor-cores.md says which sums the
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

/* ---- mma.c: operands ---- */

enum { SUM_BITS = 25, SUM_BITS_FP8 = 13 }; /* Product.kept */

/* What lies side by side in the matrix, in each register: see fragments.c. */
typedef enum FragmentOrder {
    ORDER_ANY,
    ORDER_ROWS,    /* the parts of a group of four lanes */
    ORDER_COLUMNS, /* the same part of one lane in each of four groups */
    ORDER_PAIRS    /* those of a group in this register and the next, by turns */
} FragmentOrder;

/* Registers of a fragment, and where each part of them belongs in the matrix: at[reg][part][lane],
 * an index into a Factor or Result. */
typedef struct Operands {
    uint32_t registers, parts, bits;
    uint32_t offset[8];
    uint16_t *at;
    FragmentOrder order; /* that `at` has */
} Operands;
void operands_decode(Decoding *decoding, const Insn *insn, const Product *product, char matrix,
                     const Operand *operand, Operands *operands);

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

/* ---- fragments.c: between registers and matrices ---- */

void operands_order(Operands *operands); /* finds the order of its places */
void operands_gather(const Warp *warp, const Operands *operands, uint32_t *word);
void operands_gather_wide(const Warp *warp, const Operands *operands, uint64_t *wide); /* f64 */
/* Of results, whose elements have 16 or 32 bits. */
void operands_scatter(const Warp *warp, const Operands *operands, const uint32_t *word);
void operands_scatter_wide(const Warp *warp, const Operands *operands, const uint64_t *wide);

/* ---- mma.c ---- */

/* Whether all lanes of the warp are here; else the path waits (STEP_WAIT), or the step is a fault. */
Step matrix_together(Warp *warp, const Code *code, uint32_t mask);
