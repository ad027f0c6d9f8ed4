/* isa: what the PTX instruction set and the GPUs are - types, state spaces, modifiers, the table of
 * instructions (ops.def), the table of GPUs (gpus.def), and the matcher from a spelling
 * ("ld.global.nc.v4.f32") to a table row.
 *
 * Invariants
 *   - One row of ops.def is one Op; nothing about an instruction's spelling, operands or properties
 *     is written anywhere else. Who wants to know something of an instruction asks for a trait;
 *     Ops by name are for the functions that execute them.
 *   - A modifier that a row does not list is an error. A row lists a modifier as optional only if
 *     it cannot change the result or the counts here, or if the executor reads it from Mods.
 *
 * What it does not do: know of registers, source positions or execution. */
#pragma once

#include "base/base.h"

enum {
    WARP_LANES = 32,
    WARPGROUP_WARPS = 4,
    BANKS = 32,
    BANK_BYTES = 4,
    SECTOR_BYTES = 32,
    LINE_BYTES = 128,
    LOCAL_BYTES_MOST = 512 << 10 /* of a thread, on every GPU */
};
#define FULL_MASK UINT32_C(0xffffffff)

/* ---- types (PTX ISA 5.2) ---- */

typedef enum Type {
    TYPE_NONE,
    TYPE_PRED,
    TYPE_B8,
    TYPE_B16,
    TYPE_B32,
    TYPE_B64,
    TYPE_B128,
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_U64,
    TYPE_S8,
    TYPE_S16,
    TYPE_S32,
    TYPE_S64,
    TYPE_F16,
    TYPE_F16X2,
    TYPE_BF16,
    TYPE_BF16X2,
    TYPE_TF32,
    TYPE_F32,
    TYPE_F64,
    TYPE_E4M3,
    TYPE_E5M2,
    TYPE_E4M3X2,
    TYPE_E5M2X2,
    TYPE_U4,
    TYPE_S4,
    TYPE_B1,
    TYPE_U16X2,
    TYPE_S16X2,
    TYPE_F32X2,
    TYPE_COUNT
} Type;

uint32_t
type_bytes(Type type); /* of a register or memory cell; 0 for NONE and PRED, 1 for sub-byte types */
const char *type_name(Type type); /* "u32" */
Type type_named(Str name);        /* TYPE_NONE where there is none */
bool type_is_float(Type type);
bool type_is_signed(Type type);
bool type_is_bits(Type type); /* .bN: agrees with every type of that size */

/* ---- state spaces (PTX ISA 5.1) ---- */

typedef enum Space {
    SPACE_GENERIC, /* no space given */
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
    SPACE_REG,
    SPACE_COUNT
} Space;
const char *space_name(Space space);

/* ---- modifiers ---- */

typedef enum Compare { /* setp, set */
                       CMP_NONE,
                       CMP_EQ,
                       CMP_NE,
                       CMP_LT,
                       CMP_LE,
                       CMP_GT,
                       CMP_GE,
                       CMP_LO,
                       CMP_LS,
                       CMP_HI,
                       CMP_HS,
                       CMP_EQU,
                       CMP_NEU,
                       CMP_LTU,
                       CMP_LEU,
                       CMP_GTU,
                       CMP_GEU,
                       CMP_NUM,
                       CMP_NAN
} Compare;
/* One enum for the operation of setp's combination, atom, red, redux, vote, bar.red, shfl, lop,
 * testp, prmt … */
typedef enum Func {
    FUNC_NONE,
    FUNC_ADD,
    FUNC_SUB,
    FUNC_MIN,
    FUNC_MAX,
    FUNC_AND,
    FUNC_OR,
    FUNC_XOR,
    FUNC_INC,
    FUNC_DEC,
    FUNC_EXCH,
    FUNC_CAS,
    FUNC_UP,
    FUNC_DOWN,
    FUNC_BFLY,
    FUNC_IDX,
    FUNC_ALL,
    FUNC_ANY,
    FUNC_UNI,
    FUNC_BALLOT,
    FUNC_POPC,
    FUNC_LEFT,
    FUNC_RIGHT,
    FUNC_CLAMP,
    FUNC_WRAP,
    FUNC_FINITE,
    FUNC_INFINITE,
    FUNC_NUMBER,
    FUNC_NOTANUMBER,
    FUNC_NORMAL,
    FUNC_SUBNORMAL,
    FUNC_F4E,
    FUNC_B4E,
    FUNC_RC8,
    FUNC_ECL,
    FUNC_ECR,
    FUNC_RC16,
    FUNC_TRAP,
    FUNC_ZERO
} Func;
typedef enum Round { /* .rn … and the integer forms .rni …; ROUND_RNA: cvt.rna.tf32 */
                     ROUND_NONE,
                     ROUND_RN,
                     ROUND_RZ,
                     ROUND_RM,
                     ROUND_RP,
                     ROUND_RNI,
                     ROUND_RZI,
                     ROUND_RMI,
                     ROUND_RPI,
                     ROUND_RNA,
                     ROUND_APPROX,
                     ROUND_FULL
} Round;
typedef enum Order {
    ORDER_WEAK,
    ORDER_VOLATILE,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SC,
    ORDER_MMIO
} Order;

/* What an instruction of textures or tensors takes for coordinates; A…: an array of such textures, ACUBE: of cubes. */
typedef enum Geometry {
    GEOMETRY_NONE,
    GEOMETRY_1D,
    GEOMETRY_2D,
    GEOMETRY_3D,
    GEOMETRY_A1D,
    GEOMETRY_A2D,
    GEOMETRY_CUBE,
    GEOMETRY_ACUBE,
    GEOMETRY_4D, /* tensors only */
    GEOMETRY_5D
} Geometry;
/* Elements of its coordinate vector (PTX ISA, "tex"): padded to 4 where there are 3. */
uint32_t geometry_elements(Geometry geometry);
uint32_t geometry_rank(Geometry geometry); /* of a tensor: 1 to 5; 0: not one of a tensor */

/* txq, suq */
typedef enum Query {
    QUERY_NONE,
    QUERY_WIDTH,
    QUERY_HEIGHT,
    QUERY_DEPTH,
    QUERY_ARRAY_SIZE,
    QUERY_MIPMAP_LEVELS,
    QUERY_NORMALIZED
} Query;

typedef enum Major { MAJOR_NONE, MAJOR_ROW, MAJOR_COL } Major; /* of a matrix in memory */

enum ModFlag { /* bits of Mods.flags */
               MOD_FTZ = 1 << 0,
               MOD_SAT = 1 << 1,
               MOD_CC = 1 << 2,
               MOD_UNI = 1 << 3,
               MOD_NC = 1 << 4,
               MOD_TRANS = 1 << 5,
               MOD_CACHE_HINT = 1 << 6, /* .L2::cache_hint: one more operand */
               MOD_CG = 1 << 7,
               MOD_CA = 1 << 8,
               MOD_NOFTZ = 1 << 9,
               MOD_TO = 1 << 10 /* cvta.to */,
               MOD_ABS = 1 << 11,
               MOD_NAN = 1 << 12,
               MOD_SHIFTAMT = 1 << 13,
               MOD_ALIGNED = 1 << 14,
               MOD_SATFINITE = 1 << 15,
               MOD_RELU = 1 << 16,
               MOD_XORSIGN = 1 << 17,
               MOD_NOINC = 1 << 18,
               MOD_PRED = 1 << 19 /* .pred as a type of vote, bar.red */,
               MOD_CLUSTER = 1 << 20 /* .shared::cluster */,
               MOD_SYS = 1 << 21,
               MOD_IM2COL = 1 << 30 /* also .im2col_no_offs */,
               MOD_READ = 1 << 22,
               MOD_PARITY = 1 << 23,
               MOD_NO_COMPLETE = 1 << 24,
               MOD_EXPECT_TX = 1 << 25
};

/* What the spelling of one instruction said. Fields that the row does not use are 0. */
typedef struct Mods {
    uint8_t type;         /* Type: the first type named */
    uint8_t type2;        /* Type: the second (cvt source, set source, mul.wide has one only) */
    uint8_t type3, type4; /* matrix instructions */
    uint8_t space;        /* Space; for cp.async the destination */
    uint8_t vector;       /* 1, 2, 4, 8 */
    uint8_t compare;      /* Compare */
    uint8_t func;         /* Func */
    uint8_t round;        /* Round */
    uint8_t order;        /* Order */
    uint8_t matrices;     /* ldmatrix .x1/.x2/.x4 */
    uint8_t m;            /* matrix instructions: .m16n8k16 */
    uint16_t n, k;
    uint8_t major, major2; /* Major: of the matrix, or of the factors of a product */
    char fragment;         /* wmma.load.a: 'a'; tld4.g: 'g' */
    uint8_t geometry;      /* Geometry */
    uint8_t query;         /* Query */
    uint32_t flags;        /* ModFlag */
} Mods;

/* ---- the table of instructions ---- */

/* How a row is executed and checked; see the head of ops.def. */
typedef enum OpKind {
    OP_KIND_LANE,    /* OP1/OP2/OP3: one C expression per lane */
    OP_KIND_FLOAT,   /* FOP1/FOP2/FOP3: the same, with .ftz .sat and a rounding mode */
    OP_KIND_COMPARE, /* CMP: a predicate per lane */
    OP_KIND_HAND,    /* OPL: a function of its own, on the registers of each lane */
    OP_KIND_OTHER    /* OPX: memory, control flow, the warp as a whole */
} OpKind;

typedef enum Op {
    OP_NONE,
#define OP1(id, ...) OP_##id,
#define OP2(id, ...) OP_##id,
#define OP3(id, ...) OP_##id,
#define FOP1(id, ...) OP_##id,
#define FOP2(id, ...) OP_##id,
#define FOP3(id, ...) OP_##id,
#define CMP(id, ...) OP_##id,
#define OPL(id, ...) OP_##id,
#define OPX(id, ...) OP_##id,
#include "isa/ops.def"
    OP_COUNT
} Op;

/* What an instruction asks of memory. */
typedef enum OpAccess {
    OP_ACCESS_NONE,
    OP_ACCESS_LOAD,
    OP_ACCESS_STORE,
    OP_ACCESS_ATOMIC,
    OP_ACCESS_REDUCTION, /* an atomic without a result */
    OP_ACCESS_LDMATRIX,
    OP_ACCESS_STMATRIX,
    OP_ACCESS_CP_ASYNC,
    OP_ACCESS_COPY, /* bulk and tensor copies, asynchronous stores */
    OP_ACCESS_WGMMA,
    OP_ACCESS_TEXTURE, /* and surfaces */
    OP_ACCESS_COUNT
} OpAccess;

/* What the expression of a row is, for those who follow values through it. */
typedef enum OpMath {
    OP_MATH_NONE,
    OP_MATH_SUM,
    OP_MATH_DIFFERENCE,
    OP_MATH_PRODUCT,
    OP_MATH_PRODUCT_OF_24, /* of the lower 24 bits of each */
    OP_MATH_MULTIPLY_ADD,
    OP_MATH_SHIFT, /* to the left */
    OP_MATH_AND,
    OP_MATH_OR,
    OP_MATH_XOR,
    OP_MATH_CHOICE,
    OP_MATH_REMAINDER, /* as ptxas follows it: of 32 bits without a sign */
    OP_MATH_MODULO,    /* the other remainders */
    OP_MATH_QUOTIENT,
    OP_MATH_SHIFT_RIGHT,
    OP_MATH_LEAST,
    OP_MATH_GREATEST
} OpMath;

enum TraitNumber {
#define TRAIT(name, meaning) TRAIT_NUMBER_##name,
#include "isa/traits.def"
};
typedef enum Trait { /* bits; traits.def */
#define TRAIT(name, meaning) TRAIT_##name = 1 << TRAIT_NUMBER_##name,
#include "isa/traits.def"
} Trait;

typedef struct OpInfo {
    const char *id;       /* "add_u32" */
    const char *syntax;   /* as in ops.def */
    char first;           /* its first letter, by which rows are passed over */
    bool alternatives;    /* it has " | ", behind which another letter may be first */
    uint16_t length;      /* of the syntax */
    const char *operands; /* as in ops.def; generated for the lane kinds: "=u32, u32, u32" */
    OpKind kind;
    OpAccess access;
    uint32_t traits; /* Trait */
    OpMath math;     /* OP_KIND_LANE */
    uint32_t flops;  /* OP_KIND_FLOAT */
} OpInfo;

const OpInfo *op_info(Op op);
OpAccess op_access(Op op);
OpMath op_math(Op op);
bool op_has(Op op, uint32_t traits); /* any of them */

typedef enum MatchError { MATCH_OK, MATCH_UNKNOWN, MATCH_MODIFIER } MatchError;
typedef struct Match {
    MatchError error;
    Op op;
    Mods mods;
    uint32_t offset, length; /* MATCH_MODIFIER: the part of the spelling that no row takes */
    const char *
        closest; /* on error: the nearest spelling that is known, or NULL; static or in the arena */
} Match;
/* spelling: "add.rn.ftz.f32", without guard and operands. Total: never fails, tells by Match.error.
 */
Match isa_match(Arena *arena, Str spelling);
/* The next row behind `op` that takes the spelling, with more operands (max.f32 has two or three to choose from); OP_NONE:
 * there is none. Mods are the same. */
Op isa_match_longer(Str spelling, Op op);

/* ---- fragments.c: matrices in the registers of a warp ---- */

/* A matrix operand: how many registers a lane has for it, and of what. */
typedef struct Fragment {
    Type element;           /* TYPE_NONE: the instruction has no such operand */
    Type reg;               /* F32, F64, S32; narrower elements are packed into B32 */
    uint32_t bits;          /* of an element */
    uint32_t rows, columns; /* of the matrix; of a sparse one as it is stored: half the columns */
    uint32_t registers;
    uint32_t distinct; /* of them; those behind repeat them (f16 factors of wmma) */
} Fragment;
/* matrix: 'a', 'b', 'c' or 'd' of mma and wmma.mma; of wmma.load and .store the one it moves; of wgmma
 * the 16 rows of 'a' or 'd' that a warp of the warpgroup has. */
Fragment fragment_of(Op op, const Mods *mods, char matrix);

/* ---- fragment_places.c ---- */

typedef struct ElementPlace {
    uint32_t row, column;
} ElementPlace;
/* Where part `part` of register `reg` of a lane belongs in the matrix (see fragment_of). Parts are
 * elements, the lowest bits first; of one-bit elements, 32 together. */
ElementPlace fragment_place(Op op, const Mods *mods, char matrix, uint32_t reg, uint32_t part,
                            uint32_t lane);
/* The same in memory, where rows (.row) or columns (.col) are lines: which element of which line. */
typedef struct LinePlace {
    uint32_t line, element;
} LinePlace;
LinePlace fragment_line_place(Op op, const Mods *mods, char matrix, uint32_t reg, uint32_t part,
                              uint32_t lane);
/* Bits of a part, and how many of them a register has. */
uint32_t fragment_part_bits(const Fragment *fragment);
uint32_t fragment_parts(const Fragment *fragment);

/* ---- GPUs ---- */

typedef struct Gpu {
    const char *name;      /* "h100": what --gpu takes */
    const char *title;     /* "NVIDIA H100 SXM5 80GB" */
    uint32_t major, minor; /* compute capability */
    uint32_t sms;
    uint32_t threads_per_sm, blocks_per_sm, registers_per_sm;
    uint32_t shared_per_sm, shared_per_block, shared_per_block_optin; /* bytes */
    uint32_t shared_reserved;    /* bytes per block that the system takes: 1024 from compute
                                    capability 8.0 on */
    uint32_t l2_bytes_per_clock; /* per SM */
    uint32_t clock_mhz;
    uint32_t dram_gbs;
    uint64_t memory_bytes, l2_bytes;
    uint32_t memory_mhz, bus_bits;   /* two transfers a clock */
    uint32_t fp32_lanes, fp64_lanes; /* of an SM, per clock */
    bool measured;                   /* the memory model was measured on this one */
} Gpu;

uint32_t gpu_count(void);
const Gpu *gpu_at(uint32_t index);
const Gpu *gpu_named(Str name); /* NULL where unknown */
/* Of L2: slices, bytes that one gives in a clock, and halves, each of which keeps what its SMs read and all that is written. */
uint32_t gpu_l2_slices(const Gpu *gpu);
uint32_t gpu_l2_slice_bytes(const Gpu *gpu);
uint32_t gpu_l2_partitions(const Gpu *gpu);
/* Bytes of L2 that can be set aside for accesses that persist: 5 of 8, as on an H200. */
uint64_t gpu_persisting_l2(const Gpu *gpu);
/* Operations of tensor cores in FP16 without zeros that an SM does in a clock, a multiplication and an addition being two;
 * 0: not known. */
uint32_t gpu_tensor_operations(const Gpu *gpu);
/* The same that one matrix product does whose instruction, in PTX or machine code, is so spelled; of sparse ones as if there were no
 * zeros. 0: it is none. */
uint64_t matrix_operations(Str text);
/* Warps that an SM takes at once, by the registers of a thread (0: not known, they limit nothing). */
uint32_t gpu_warps_per_sm(const Gpu *gpu, uint32_t registers);
uint32_t gpu_blocks_by_shared(const Gpu *gpu, uint64_t shared); /* of an SM, by nothing else */
/* How many blocks an SM takes at once: by threads, shared memory (static and dynamic), registers of a
 * thread (0: not known, they limit nothing), and its own limit. */
uint32_t gpu_blocks_per_sm(const Gpu *gpu, uint32_t threads, uint64_t shared, uint32_t registers);

/* ---- arch.c: what PTX (compute_90, .target sm_90) and machine code (sm_90) are made for ---- */

typedef struct Arch {
    uint32_t number; /* 90; 0: none */
    char variant;    /* 'a': of that GPU alone, 'f': of its family too, else 0 */
} Arch;

/* "compute_90a", "sm_90a", "90a"; false: it is none. */
bool arch_parse(Str text, Arch *arch);
/* prefix: "sm" or "compute". */
const char *arch_name(Arena *arena, const char *prefix, Arch arch);
bool arch_same(Arch a, Arch b);
Arch gpu_arch(const Gpu *gpu);
/* Machine code runs on the GPUs of its major number with the same or a higher minor one; PTX on all
 * with the same or a higher number; both, where they have a variant, as that says. */
bool gpu_runs_code(const Gpu *gpu, Arch arch);
bool gpu_runs_ptx(const Gpu *gpu, Arch arch);
/* The first of the table for which that holds; NULL: none. */
const Gpu *gpu_first(bool (*runs)(const Gpu *gpu, Arch arch), Arch arch);
