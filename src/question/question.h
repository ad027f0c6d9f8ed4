/* question: from what a programmer writes - a declaration and an index expression in C - to what a
 * warp then asks of shared or global memory.
 *
 *   float tile[32][33]    tile[lane][k]     -> 32 addresses
 *
 * Invariants
 *   - Nothing is compiled or run: expressions are evaluated lane by lane, in 64 bits.
 *   - What is not set is 0, and the answer says so.
 *   - What the GPU would fault at (an address that is no multiple of the width) and what lies outside
 *     the array is an error, with the lane.
 *
 * What it does not do: count (mem/) or draw (report/). */
#pragma once

#include "mem/mem.h"

/* ---- expression.c: C expressions over the lane ---- */

typedef struct Expression Expression;

typedef struct Setting {
    Str name;
    const Expression *set; /* NULL: warplens sets it */
    int64_t value;         /* of the present lane */
} Setting;

/* What names mean: lane, warp, tid, threadIdx.x …, blockDim.x …, warpSize, and what the user sets. */
typedef struct Scope {
    Arena *arena;
    Diags *diags;
    uint32_t warp, block[3];
    VEC(Setting) variables;
    VEC(Str) unset; /* names that nothing sets: 0 */
} Scope;

/* block: NULL for as many threads as there may be, along x. */
Scope *scope_new(Arena *arena, const uint32_t block[3], uint32_t warp, Diags *diags);
/* "k=3", "row=lane/8": may use what was set before. false: diags. */
bool scope_set(Scope *scope, const char *text);
/* Gives the variables their values in a lane; false: diags. *exists: the block has that thread. */
bool scope_enter(Scope *scope, uint32_t lane, bool *exists);

/* The whole text, or NULL: diags, whose places name `option`. */
const Expression *expression_parse(Scope *scope, const char *option, const char *text);
/* In the lane that was entered; false: diags. */
bool expression_value(const Scope *scope, const Expression *expression, int64_t *value);

/* ---- declaration.c, access.c: arrays and accesses to them ---- */

enum { ARRAY_DIMENSIONS = 8, TYPE_DEPTH = 8 };

/* C's, CUDA's vector types, half, …, struct(BYTES), or
 * "struct" [NAME] "{" { type NAME { "[" n "]" } ";" } "}" */
typedef struct ElementType {
    Str name; /* of length 0: a structure without one */
    uint32_t bytes, align;
    const struct TypeMember *members; /* of a vector or a structure */
    uint32_t member_count;
} ElementType;

/* A layout of CuTe's (cute.c): modes of leaves, the first the fastest, then what it is composed with, and a swizzle of element numbers. */
typedef struct CuteLeaf {
    uint32_t shape, stride;
} CuteLeaf;
typedef struct CuteLayout CuteLayout;
struct CuteLayout {
    CuteLeaf leaves[32];
    uint32_t ends[ARRAY_DIMENSIONS], modes; /* leaves up to the end of each mode */
    bool swizzled;
    Layout swizzle;
    const CuteLayout *behind; /* whose coordinates its numbers are; NULL: none */
};
/* The element at these coordinates: one for each mode, or one for all. *inside becomes false beyond the shape. */
int64_t cute_element(const CuteLayout *layout, const int64_t *coordinates, uint32_t count,
                     bool *inside);

/* { "extern" | "static" | "const" | "volatile" | "__shared__" | "alignas(" n ")" }
 * type NAME ({ "[" n "]" } | ":" layout)
 * The first extent may be missing. */
typedef struct Array {
    Str name;
    ElementType type;                              /* of an element */
    uint32_t align;                                /* 0: not given */
    uint32_t extent[ARRAY_DIMENSIONS], dimensions; /* extent 0: not known, the first alone */
    /* in place of extents: dimensions are its modes, extents not known; NULL: none */
    const CuteLayout *cute;
} Array;

typedef struct TypeMember {
    Array array; /* without dimensions: one element */
    uint32_t offset;
} TypeMember;

/* false: diags */
bool array_parse(Scope *scope, const char *text, Array *array);
uint64_t array_elements(const Array *array); /* 0: not known */

/* The type that CUDA source gives the elements of a __shared__ array: that of the first declaration of the name in
 * this line or behind it, else of the last one before. false: there is none, or its type is not known. */
bool type_declared(Arena *arena, const char *text, uint32_t line, const char *name,
                   ElementType *type);

/* NAME ({ "[" expression "]" } | "(" expression { "," expression } ")") { "." MEMBER { "[" expression "]" } } */
typedef struct ArrayStep {
    const Array *array;
    uint32_t offset; /* of a member */
    const Expression *index[ARRAY_DIMENSIONS];
    uint32_t coordinates; /* of a layout of CuTe's */
} ArrayStep;

typedef struct ArrayAccess {
    /* the array, then member after member; a vector's is the last */
    ArrayStep steps[TYPE_DEPTH + 2];
    uint32_t count;
    const ElementType *type; /* of what is accessed */
} ArrayAccess;
bool array_access_parse(Scope *scope, const Array *array, const char *text, ArrayAccess *access);

/* ---- operation.c: what is done there ---- */

/* Kind, space, width and matrices of an instruction as tables spell it; false: not known. */
bool operation_instruction(Str name, Access *access);
extern const char operation_spellings[]; /* for a message */
/* The same of "load", "store", "cas", "ldmatrix.x4", "atom.add.f32", "ld.shared.v4.f32" … */
bool operation_named(const char *name, Access *access);

/* ---- question.c: all together ---- */

typedef struct Question {
    /* kind, width, matrices, and SPACE_GLOBAL or what is SPACE_SHARED; width 0: as the element's and `vector` say */
    Access access;
    const char *declaration; /* with `index` */
    const char *index;       /* "tile[lane][k]" */
    const char *bytes;       /* instead: "0,128,-,…" or an expression */
    const char *source; /* cp.async: an expression, or NULL: an aligned array's elements in order */
    const char *active; /* an expression, or NULL */
    const char *lanes;  /* "0-15,24" or a mask 0x…, or NULL */
    const char *const *set; /* of `set_count` */
    uint32_t set_count;
    const uint32_t *block; /* [3], or NULL */
    uint32_t warp, vector; /* vector 0: 1 */
    uint32_t byte;         /* of the element that is accessed, with access.width */
    uint32_t offset;       /* where the array begins */
    const Layout *layout;  /* of the array, or NULL; base is that of elements */
} Question;

/* What the warp asks; access.address and .source are its own. */
typedef struct Answer {
    Access access;
    Array array;                     /* with a declaration */
    const ElementType *type;         /* of what is accessed of it, or NULL */
    Layout layout;                   /* in bytes */
    const char *element[WARP_LANES]; /* "tile[3][0]", or NULL */
    uint64_t plain[WARP_LANES];      /* addresses without the layout */
    const Layout *swizzle;           /* the layout, of elements; NULL: none */
    const char *unset;               /* "k, j", or NULL */
} Answer;
/* NULL: diags. */
Answer *question_answer(Arena *arena, const Question *question, Diags *diags);
