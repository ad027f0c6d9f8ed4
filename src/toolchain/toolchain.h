/* toolchain: other people's compilers - CUDA source to PTX, and what ptxas makes of PTX.
 *
 * Invariants
 *   - No shell: programs are found here, started with an argument vector, their output captured.
 *   - Temporary files live in one directory per call ($TMPDIR or /tmp), removed before it returns.
 *   - A program is looked for in this order: the environment's WARPLENS_NVCC, WARPLENS_PTXAS …
 *     (which alone counts if set), PATH, CUDA_HOME/bin, CUDA_PATH/bin, /usr/local/cuda/bin.
 *   - A compiler that rejects the input is the user's error, passed on in the compiler's words. A
 *     missing ptxas or nvdisasm is a note: their answers are additional.
 *
 * What it does not do: parse PTX, or know what is counted. */
#pragma once

#include "base/base.h"
#include "base/cache.h"

/* ---- find.c ---- */

/* Full path of a tool ("nvcc"), or NULL. */
const char *toolchain_find(Arena *arena, const char *tool);

/* ---- version.c ---- */

/* The version that it says it is, "13.0.88"; NULL: it is not there, or says none. */
const char *toolchain_version(Arena *arena, const char *tool);

/* ---- process.c ---- */

typedef struct ProcessResult {
    int status;         /* exit status; 128 + number: ended by a signal; -1: not started (errno) */
    const char *output; /* what it wrote to both streams, with `out` to standard error alone; no
                           newline at the end */
} ProcessResult;

/* Runs argv[0] (a path) and waits. argv ends with NULL. Standard input is empty. With `out`,
 * standard output goes to that file. scratch: an existing directory for the captured text. */
ProcessResult process_run(Arena *arena, const char *const *argv, const char *scratch,
                          const char *out);
/* The same; ends it soon after *stop becomes non-zero. */
ProcessResult process_run_until(Arena *arena, const char *const *argv, const char *scratch,
                                const char *out, volatile const int *stop);

/* ---- scratch.c ---- */

/* A new temporary directory, in $TMPDIR or /tmp or the one that is named, or NULL and errno; remove deletes it with the
 * files in it. Those of processes of this user that were killed are removed first. */
const char *scratch_new(Arena *arena);
const char *scratch_in(Arena *arena, const char *parent);
void scratch_remove(const char *directory);

/* ---- compile.c ---- */

typedef struct CompileOptions {
    const char *arch;         /* "sm_90"; flags that name an architecture win over it */
    const char *const *flags; /* passed to the compiler behind our own */
    uint32_t flag_count;
    const char *const *instantiate; /* "gemm<float, 128>": kernel templates to instantiate */
    uint32_t instantiate_count;
} CompileOptions;

typedef struct CompiledPtx {
    const char *source; /* as given by the caller */
    const char *text;
    size_t length;
} CompiledPtx;

/* CUDA source files to PTX with line information, one result per file: by nvcc, else by clang.
 * NULL: diags has the reason - no compiler, the compiler's own errors, or no kernel because
 * templates were not instantiated. */
CompiledPtx *toolchain_compile(Arena *arena, const char *const *files, uint32_t count,
                               const CompileOptions *options, Diags *diags);

/* ---- templates.c ---- */

/* The names of the kernel templates that a CUDA source defines, found by its tokens ("gemm"). */
const char **source_kernel_templates(Arena *arena, const char *text, uint32_t *count);

/* ---- prelude.c ---- */

/* A stand-in for cuda_runtime.h, for clang without a CUDA toolkit: lines, then NULL. */
extern const char *const clang_prelude[];

/* ---- sass.c: the machine code's text, read ---- */

/* Static memory instructions of one kind on one source line of one kernel. The innermost line, for
 * inlined code. Operations: "SPACE load|store|atomic" with SPACE global, shared, local or generic
 * (reductions are atomics here, since ptxas turns one into the other), "ldmatrix", "stmatrix",
 * "cp.async". */
typedef struct MemoryOps {
    const char *kernel; /* mangled */
    const char *file;   /* path as recorded in the PTX */
    uint32_t line;
    const char *operation;
    uint32_t count; /* instructions */
    uint32_t bytes; /* sum of their bytes per lane */
} MemoryOps;

typedef struct MemoryOpsTable {
    Arena *arena;
    VEC(MemoryOps) rows; /* in order of first appearance */
    Map *index;
} MemoryOpsTable;

typedef struct SassKernel {
    const char *name;                   /* mangled */
    uint32_t registers;                 /* per thread */
    uint32_t stack_bytes;               /* per thread */
    uint32_t spill_stores, spill_loads; /* bytes per thread, static */
} SassKernel;

/* A source line of machine code, and the call that it was inlined at. */
typedef struct SassPlace {
    const char *file; /* path as recorded in the PTX */
    uint32_t line;
    const struct SassPlace *inlined_at; /* or NULL */
} SassPlace;

typedef struct ListedInst {
    const char *kernel; /* mangled; or a function's name that is no kernel's */
    const char *text;
    const SassPlace *place; /* NULL without line information */
    uint32_t ptx_line;      /* of the PTX that the cubin has (-gp), from 1; 0: not known */
} ListedInst;

typedef struct Sass {
    VEC(SassKernel) kernels;
    bool listed; /* the machine code was read: ops and code are complete */
    MemoryOpsTable *ops;
    VEC(ListedInst) code;
} Sass;

/* `ptxas -v` messages, and an `nvdisasm -gi` listing. */
void sass_read_ptxas(Arena *arena, const char *log, Sass *sass);
void sass_read_listing(Arena *arena, const char *listing, Sass *sass);

MemoryOpsTable *memory_ops_new(Arena *arena);
/* Adds one instruction. The strings must outlive the table. */
void memory_ops_add(MemoryOpsTable *table, const char *kernel, const char *file, uint32_t line,
                    const char *operation, uint32_t bytes);
/* The row of the same kernel, line and operation, or NULL. */
const MemoryOps *memory_ops_find(const MemoryOpsTable *table, const MemoryOps *like);

/* ---- assemble.c: ptxas and nvdisasm, asked ---- */

typedef struct SassQuestion {
    const char *ptx; /* length bytes */
    size_t length;
    const char *entry;   /* one of the module's; NULL: all */
    const char *arch;    /* "sm_90" */
    const char *options; /* more of them for ptxas, with a blank between; NULL: none */
    bool relocatable;    /* as ptxas assembled it before it was linked */
    bool resources;      /* what kernels take of the GPU is enough: no listing */
} SassQuestion;

/* nvdisasm's listing of what ptxas makes of it: all sections, each instruction with its line of the PTX (-gp). NULL: diags
 * has a note. As above. */
const char *toolchain_listing(Arena *arena, const SassQuestion *question, Diags *diags);
/* What ptxas makes of it, and nvdisasm's listing of that; the answer may come from the cache. NULL with a note
 * where ptxas is missing or refuses; without nvdisasm: registers alone. May be called by several
 * threads at once, each with its own arena and diags. */
Sass *toolchain_sass(Arena *arena, const SassQuestion *question, Diags *diags);

/* ---- parts.c: several kernels, asked about at once ---- */

/* A kernel among several: where the answer to the question about it alone is kept. */
typedef struct SassPart {
    const char *entry;
    CacheKey log, listing;
    bool known; /* toolchain_listing would not ask */
} SassPart;

/* The part that a question about one kernel is. false: a tool is missing, or nothing is kept on disk. */
bool toolchain_part(Arena *arena, const SassQuestion *question, SassPart *part);
/* Asks about all parts by one call of each tool (question: of a text that has their kernels, without an entry), and keeps
 * each one's answer: toolchain_listing and toolchain_sass will find it. Where a tool refuses nothing is kept. */
void toolchain_ask_parts(Arena *arena, const SassQuestion *question, const SassPart *parts,
                         uint32_t count);

/* The lines of `ptxas -v` about a kernel, and those about none. */
char *sass_log_of(Arena *arena, const char *log, const char *entry);
/* The sections of a listing that are not another's of the kernels, nor tables of lines. */
char *sass_listing_of(Arena *arena, const char *listing, const Map *kernels, const char *entry);

/* What a tool that failed says, for a message:
 * "ptxas /tmp/…, line 9; fatal   : Unsupported .version 9.9; current version is '9.0'": what is behind the colon. The first of
 * them, since others follow from it; the whole where there is none, in one line. */
const char *tool_complaint(Arena *arena, const char *tool, const ProcessResult *result);

/* ---- disassemble.c: nvdisasm, asked about machine code that is there ---- */

typedef struct CubinQuestion {
    const void *cubin;
    size_t bytes;
    const char *functions; /* numbers of the symbols whose code is wanted, "12,14"; NULL: all */
} CubinQuestion;

/* nvdisasm's listing: all sections but other functions' code, each instruction with its line of the source where the cubin says
 * (-gi). NULL: diags has a note. It is kept, as ptxas' answers are. */
const char *toolchain_list_cubin(Arena *arena, const CubinQuestion *question, Diags *diags);
