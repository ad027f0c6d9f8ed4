/* The cases of tests/tma: drawn tensor maps, boxes and coordinates. Case number n is the same
 * everywhere, on a GPU and under `warplens run`. */
#pragma once

#include "check.h"

enum {
    AREA = 16384,       /* bytes of shared memory that a case may write */
    TENSOR = 96 * 1024, /* bytes of global memory in which its tensor lies */
    BLOCKS = 2,         /* of a cluster */
    REPORT = AREA + 16, /* bytes that each block writes */
    THREADS = 128
};

typedef enum Kind {
    KIND_LOAD,
    KIND_STORE,
    KIND_REDUCE,
    KIND_IM2COL,
    KIND_IM2COL_STORE,
    KIND_MULTICAST, /* a load into the blocks of a cluster */
    KIND_REPLACED   /* a load by a map whose fields the kernel has set */
} Kind;
typedef enum Reduce { ADD, MIN, MAX, INC, DEC, AND, OR, XOR, REDUCES } Reduce;
extern const char *const reduce_names[REDUCES];

typedef struct Case {
    Kind kind;
    Reduce reduce;
    /* arguments of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col */
    CUtensorMapDataType type;
    uint32_t rank, offset; /* offset: of the tensor in its memory */
    uint64_t extent[5], stride[4];
    uint32_t box[5], step[5];
    int lower[3], upper[3];
    uint32_t channels, pixels;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion;
    CUtensorMapFloatOOBfill fill;
    /* operands of the instruction */
    int32_t at[5];
    uint16_t offsets[3];
    uint32_t shared; /* offset of the box in shared memory */
    uint32_t bytes;  /* that are to be counted as copied */
    uint32_t blocks; /* multicast: mask */
} Case;

/* What a kernel is told beside the map: a parameter. */
typedef struct Place {
    int32_t at[5];       /* 0 */
    uint32_t offsets[3]; /* 20 */
    uint32_t shared;     /* 32 */
    uint32_t bytes;      /* 36 */
    uint32_t blocks;     /* 40 */
    /* the fields of a map, as tensormap.replace has them */
    uint32_t rank, type, interleave, swizzle, fill; /* 44 */
    uint32_t extent[5], box[5], step[5];            /* 64, 84, 104 */
    uint32_t unused;                                /* 124 */
    uint64_t address, stride[4];                    /* 128, 136 */
} Place;
_Static_assert(sizeof(Place) == 168, "kernels.c knows the offsets");

uint32_t draw(void); /* 32 bits */
void draw_from(uint64_t seed);
uint32_t type_size(CUtensorMapDataType type);
/* Case n of those whose instructions are executed. */
Case case_at(uint32_t n);
/* Case n of those whose arguments are only looked at: most have one that is wrong. */
Case case_refused(uint32_t n, bool *im2col);
CUresult case_encode(const Case *one, bool im2col, CUtensorMap *map, CUdeviceptr memory);
bool case_loads(const Case *one); /* into shared memory */
bool case_im2col(const Case *one);
Place case_place(const Case *one, CUdeviceptr tensor);
void case_print(FILE *to, uint32_t n, const Case *one);

/* The kernels of all cases, as PTX; the caller frees. */
char *kernels_text(void);
/* Which of them executes the case. */
const char *kernel_name(const Case *one);
