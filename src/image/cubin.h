/* cubin: what a cubin says of its kernels and variables beside their code. Private to image/.
 *
 *   .symtab                 kernels (STO_CUDA_ENTRY), variables and where they lie
 *   .nv.info                registers and stack of functions
 *   .nv.info.KERNEL         parameters, limits of threads, clusters
 *   .nv.shared.KERNEL       bytes of static shared memory
 *   .nv.global(.init), .nv.constant3, .rela…   variables, and addresses in their values
 *
 * Invariant: total, as all of image/: every size and offset is held against what encloses it. */
#pragma once

#include "image/image.h"

typedef struct CubinParam {
    uint32_t offset, bytes;
    bool said;
} CubinParam;

typedef struct CubinKernel {
    Str name;
    uint32_t symbol;                                          /* its number */
    VEC(CubinParam) params;                                   /* by number */
    uint32_t params_begin;                                    /* in bank 0; 0: not said */
    uint32_t shared_bytes;                                    /* with those that are the driver's */
    uint32_t max_threads[3], required_threads[3], cluster[3]; /* 0: not said */
    bool explicit_cluster;
} CubinKernel;

typedef struct CubinVariable {
    Str name;
    uint64_t offset, bytes;
    uint32_t section;
    const uint8_t *data; /* NULL: zeroes */
    bool constant, managed;
} CubinVariable;

/* A word of a variable's value that is an address. */
typedef struct CubinAddress {
    uint32_t section;
    uint64_t offset;
    uint32_t type; /* R_CUDA_… */
    Str symbol;
    int64_t addend;
} CubinAddress;

typedef struct Cubin {
    Elf elf;
    Arch arch;
    VEC(CubinKernel) kernels;
    VEC(CubinVariable) variables; /* by section and offset */
    VEC(CubinAddress) addresses;  /* the same */
    VEC(Str) outside;             /* functions that are called and not there: vprintf … */
} Cubin;

/* false: malformed, or not linked yet; diags says what. name: for messages; arch: what it is for. */
bool cubin_read(Arena *arena, const char *name, const void *data, size_t size, Arch arch,
                Cubin *cubin, Diags *diags);
