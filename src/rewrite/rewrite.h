/* rewrite: CUDA source with another layout of its shared arrays - the declaration and every use of an array
 * changed, as a new text and as a unified diff.
 *
 * Invariants
 *   - An array is rewritten only where every use of it in the source is understood: an element, named by as
 *     many subscripts as the array has dimensions. Anything else (a pointer to it, its address, its size, a
 *     row of it, a macro, code that the preprocessor leaves out) is a Blocker with its place, and nothing
 *     of that array is changed. Where the caller will try the new text (RewriteOptions.tried), some of these
 *     are rewritten as well: reach.c.
 *   - Nothing is missed: every token in the array's scope that is spelled like it is either a use that was
 *     understood, a thing of another name space, or a Blocker. So code that the parser makes no sense of
 *     (a header that is not there, say) leads to a refusal and not to a wrong text.
 *   - A text with all changes moves an element to where layout_offset (mem.h) moves its bytes.
 *   - libclang is loaded when a rewrite is asked for, and not before; nothing else of warplens needs it.
 *
 * What it does not do: choose a layout (fix/), compile or run the new text (cli/), or write a file. */
#pragma once

#include "base/base.h"
#include "mem/mem.h"

typedef struct RewriteOptions {
    const char *const *flags; /* of the compiler; those that the preprocessor heeds are used */
    uint32_t flag_count;
    const char *const *instantiate; /* kernel templates that are instantiated besides, "f<0>" */
    uint32_t instantiate_count;
    const char *arch;    /* "sm_90", for __CUDA_ARCH__ */
    const char *include; /* directory of the CUDA toolkit's headers, or NULL */
    /* What is written will be compiled and run, and its results compared. Then uses whose reach cannot be
     * seen are taken to stay within a row: addresses of elements, arrays that are passed on, macros. */
    bool tried;
} RewriteOptions;

/* How much of an index gets the function of it, where a layout is one; the least first, and what is not right shows in the
 * trial (RewriteOptions.tried; else it is INDEX_WHOLE). */
typedef enum IndexForm {
    INDEX_ROWS,  /* a pitch in it is changed, and nothing else: tile[y * 33 + x] */
    INDEX_SPLIT, /* a part of it: tile[pad(x * 8) + k] */
    INDEX_TERMS, /* each term of a sum: s[pad(j) + pad(2 * stride)], where no digit is carried */
    INDEX_WHOLE
} IndexForm;

/* A shared array and the layout that it shall have. */
typedef struct RewriteArray {
    const char *name;   /* demangled: "transposeTiled<0>(float const*, float*, int)::tile" */
    const char *symbol; /* mangled */
    uint64_t bytes;
    bool dynamic;       /* extern __shared__ */
    const char *kernel; /* of a dynamic one: demangled */
    IndexForm index;    /* for a layout that is a function of the index: begin with this */
    /* LAYOUT_PLAIN: keep it, if it does not share the declaration of one before it */
    Layout layout;
} RewriteArray;

/* A use that prevents the rewriting. */
typedef struct Blocker {
    Place place;
    const char *why; /* "a pointer to `tile` is passed on" */
} Blocker;

/* How much of the source changes, the least first. */
typedef enum RewriteForm {
    FORM_EXTENTS,   /* of the declaration */
    FORM_ORDER,     /* of the dimensions, in the declaration and every use */
    FORM_PITCH,     /* of rows, in the declaration and in the indices that have it */
    FORM_SUBSCRIPT, /* an exclusive or in every use */
    FORM_MEMBERS, /* of structures, to an array for each member, in the declaration and every use */
    FORM_FUNCTION /* a function of the index in every use */
} RewriteForm;

typedef struct RewriteOutcome {
    bool done;
    RewriteForm form;
    IndexForm index;       /* that was written */
    uint32_t launches;     /* of a dynamic array: whose size changes with it */
    const char *why;       /* where not done: one line */
    VEC(Blocker) blockers; /* the uses, in the order of the file */
    const char *by_hand;   /* what the declaration and a use would become, or NULL */
    Place declaration;     /* file NULL: it was not found */
    const char *record;    /* the class whose member it is, or NULL */
    /* of the template that it is declared in, all of which are changed */
    VEC(const char *) instances;
    /* the array (an index) before it that has the same declaration, and so gets the same layout:
     * both are of a class whose member is rewritten; itself if none */
    uint32_t shares;
} RewriteOutcome;

typedef struct RewrittenFile {
    const char *path;
    const char *before, *after;
    const char *diff; /* unified, with paths as `patch -p1` and `git apply` take them */
} RewrittenFile;

typedef struct Rewrite {
    RewriteOutcome *outcomes; /* one for each array */
    VEC(RewrittenFile) files; /* those that change */
} Rewrite;

/* ---- rewrite.c ---- */

/* Rewrites the source at `path` for `count` arrays at once. false: diags has the reason - there is no
 * libclang, or the source cannot be read. */
bool rewrite_source(Arena *arena, const char *path, const RewriteArray *arrays, uint32_t count,
                    const RewriteOptions *options, Rewrite *rewrite, Diags *diags);

/* ---- threads.c ---- */

/* A change of what the threads of a kernel do, or of a number in it; what is written must be compiled, run and compared. */
typedef struct ThreadChange {
    enum {
        THREADS_SWAPPED,    /* threadIdx.x and .y change places */
        STRUCTURES_ALIGNED, /* a structure that it gets a pointer to is aligned for vector accesses */
        STRUCTURES_WHOLE,  /* and its elements are taken whole where several members are accessed */
        NEIGHBOURS_JOINED, /* neighbouring elements of its pointers are accessed together */
        PADDING_MOVED      /* its own padding, i + i / 16, comes after another number of elements */
    } kind;
    bool square; /* SWAPPED: blocks have as many threads in x as in y */
    /* ALIGNED, WHOLE: of the structure; JOINED: of an element whose type a template has */
    uint64_t bytes;
    uint32_t align; /* ALIGNED, WHOLE: 8 or 16 */
    uint64_t every; /* PADDING: of so many elements, a power of two */
} ThreadChange;
/* kernel: demangled. false: it cannot be written so; or diags. */
bool rewrite_threads(Arena *arena, const char *path, const char *kernel, const ThreadChange *change,
                     const RewriteOptions *options, Rewrite *rewrite, Diags *diags);

/* ---- libclang.c ---- */

bool rewrite_possible(Arena *arena); /* there is a libclang */

/* ---- diff.c ---- */

/* A piece of a text, [begin, end) in bytes, and what takes its place. */
typedef struct Edit {
    uint32_t begin, end;
    const char *text;
} Edit;

/* The text with all edits; they are in order and do not overlap. */
char *edits_apply(Arena *arena, const char *text, const Edit *edits, uint32_t count);
/* The same as a unified diff with three lines around each change. */
char *edits_diff(Arena *arena, const char *path, const char *text, const Edit *edits,
                 uint32_t count);
