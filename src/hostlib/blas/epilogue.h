/* epilogue: what becomes of a product's numbers before they are rounded, and what a forward pass keeps for the backward one:
 * cuBLAS's manual, cublasLtEpilogue_t. */
#pragma once

#include "hostlib/blas/element.h"

#include <stdint.h>

typedef enum Activation {
    ACTIVATION_NONE,
    ACTIVATION_RELU,
    ACTIVATION_GELU,
    ACTIVATION_DRELU, /* the gradient of relu, at what the mask says */
    ACTIVATION_DGELU  /* of gelu, at what had gone into it */
} Activation;

typedef enum Gradient { GRADIENT_NONE, GRADIENT_OF_D, GRADIENT_OF_A, GRADIENT_OF_B } Gradient;

typedef struct Epilogue {
    Activation activation;
    Gradient
        gradient; /* sums by row of D, or of op(A) by row, op(B) by column, instead of a bias */
    void *bias;   /* one number for each row of D; or those sums; NULL: none */
    int bias_type;
    int64_t bias_stride; /* from one product to the next */
    /* a matrix beside D: of relu and its gradient bits, else what went into gelu; NULL: none */
    void *aux;
    int aux_type;
    int64_t aux_lead, aux_stride;
    const float *scales[4]; /* of A, B, C, D: factors on the device; NULL: 1 */
} Epilogue;

bool epilogue_masks(const Epilogue *epilogue); /* is aux of bits? */
/* The epilogue of that product of a batch. */
Epilogue epilogue_at(const Epilogue *epilogue, int64_t product);
/* The value of D at row i and column j. */
double epilogue_value(const Epilogue *epilogue, double value, int64_t i, int64_t j);
