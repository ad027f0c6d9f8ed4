/* warplens: what a CUDA kernel's accesses to shared and global memory cost, counted on the CPU.
 *
 *   WarplensError error;
 *   WarplensModule *module = warplens_load("scan.ptx", NULL, &error);
 *   WarplensKernel *kernel = warplens_kernel(module, "blockScan<0>", &error);
 *   WarplensBuffer *data = warplens_buffer(module, "data", n, sizeof(float), &error);
 *   fill(warplens_buffer_data(data), n);
 *   warplens_set_buffer(kernel, 0, data, 0, &error);
 *   WarplensLaunch launch = {.grid = {32, 32}, .block = {32, 32}};
 *   WarplensResult *result = warplens_launch(kernel, &launch, &error);
 *   ... warplens_total, warplens_site, warplens_line, warplens_finding ...
 *   warplens_free(module);
 *
 * Ownership: a module owns its kernels, buffers and results; warplens_free ends them all, and every
 * text that they gave. Who launches thousands of times ends results with warplens_result_free, or
 * all of them with warplens_forget. A profile that was read from a file owns its results and texts;
 * warplens_profile_free ends them. Nothing else is to be freed.
 *
 * Errors are values: a function that can fail returns NULL or false, and fills *error, which is the
 * caller's and may be NULL. One that succeeds sets error->status to WARPLENS_OK.
 *
 * Threads: the library has no state outside its modules but warplens_on_out_of_memory's. A module, or a profile, and what it owns may be
 * used by one thread at a time; different ones by different threads at the same time. A launch runs on
 * all processors unless told otherwise; counts and results do not depend on how many.
 *
 * Out of memory: buffers that there is no room for are an error, WARPLENS_NO_MEMORY, and so it is where
 * memory ends while a profile is read or a text of it made; that profile cannot be shown any more. For its own
 * small data of other calls the library has no way back: warplens_on_out_of_memory is told, then the process ends.
 *
 * Before version 1.0, a new minor version may change what stands here; the library's SONAME then
 * changes, too. */
#ifndef WARPLENS_H
#define WARPLENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPLENS_VERSION_MAJOR 0
#define WARPLENS_VERSION_MINOR 1
#define WARPLENS_VERSION_PATCH 0

/* "0.1.0": of the library that is loaded. */
const char *warplens_version(void);

/* handler: called with its context where there is no memory for the library's own data, on the thread
 * that asked for it. It may save what is the host's and end the process as the host wants (_exit);
 * it must not call the library or leave by longjmp, and where it returns, abort() follows. NULL: a
 * message on standard error. Before other threads use the library. What LLVM has no memory for
 * (engine "jit") ends the process without asking. */
void warplens_on_out_of_memory(void (*handler)(void *context), void *context);

/* ---- errors ---- */

typedef enum WarplensStatus {
    WARPLENS_OK,
    WARPLENS_BAD_ARGUMENT, /* no such index, a size that is not the parameter's, NULL */
    WARPLENS_BAD_FILE,     /* cannot be read or written, or holds no PTX */
    WARPLENS_BAD_PTX,      /* malformed, or has instructions that are not supported */
    WARPLENS_BAD_NAME,     /* no kernel, several kernels, or no GPU of that name */
    WARPLENS_BAD_LAUNCH,   /* beyond the limits of the GPU or the kernel */
    WARPLENS_FAULT,        /* the kernel faulted; the launch has a result all the same */
    WARPLENS_NO_MEMORY,    /* of the device: buffers; of the host: profiles and their texts */
    WARPLENS_STOPPED       /* by WarplensLaunch.stop; the launch has a result all the same */
} WarplensStatus;

typedef struct WarplensError {
    WarplensStatus status;
    char
        message[2048]; /* as the program would print it, perhaps several lines; "" if all is well */
} WarplensError;

/* ---- modules ---- */

typedef struct WarplensModule WarplensModule;
typedef struct WarplensKernel WarplensKernel;
typedef struct WarplensBuffer WarplensBuffer;
typedef struct WarplensResult WarplensResult;

/* Loads a file: PTX, an executable, library, fat binary or cubin that has PTX in it, or a CUDA
 * source (.cu), which nvcc or clang compiles. gpu: "h100" … as listed by `warplens gpus`; NULL:
 * h100. */
WarplensModule *warplens_load(const char *path, const char *gpu, WarplensError *error);
typedef struct WarplensCompile {
    const char *arch;         /* "sm_90"; NULL: that of the GPU */
    const char *const *flags; /* for the compiler */
    uint32_t flag_count;
    const char *const *instantiate; /* "gemm<float, 128>": kernel templates to instantiate */
    uint32_t instantiate_count;
} WarplensCompile;
/* The same of several files; compile: how those that are sources are compiled, NULL: as above. */
WarplensModule *warplens_compile(const char *const *paths, uint32_t count,
                                 const WarplensCompile *compile, const char *gpu,
                                 WarplensError *error);
/* The same from PTX in memory, `length` bytes of it, which are copied. name: for messages. */
WarplensModule *warplens_load_text(const char *name, const char *ptx, size_t length,
                                   const char *gpu, WarplensError *error);
void warplens_free(WarplensModule *module); /* NULL is allowed */

/* ---- kernels ---- */

uint32_t warplens_kernel_count(const WarplensModule *module); /* NULL has none */
/* As in the source: "blockScan<0>(unsigned char const*, int)"; NULL beyond the last. */
const char *warplens_kernel_name(const WarplensModule *module, uint32_t index);

/* Which code of kernels is executed that are named for the first time from now on: "off", their PTX (the default: a
 * library starts no programs by itself); "auto", what ptxas makes of it, where ptxas and nvdisasm are installed and all of it is
 * known; "on", the same, and where they are not installed profiles say so of each kernel; "require", that or nothing: then
 * warplens_kernel fails. false: it is none of them. */
bool warplens_machine_code(WarplensModule *module, const char *use, WarplensError *error);

/* Launches from now on are checked for defects, more slowly: "all", or names of checks with commas between (memory, races, init,
 * init=strict, sync, leaks, api; "stop" among them: the first finding ends its launch as a fault). The report and the saved
 * profile have the findings. false: a name is wrong, error says which. */
bool warplens_sanitize(WarplensModule *module, const char *names, WarplensError *error);

/* name: mangled or not, with or without parameters, whole or a part that only one kernel has; NULL:
 * the only kernel. The same name gives the same kernel with its arguments as they are set. */
WarplensKernel *warplens_kernel(WarplensModule *module, const char *name, WarplensError *error);
uint32_t warplens_parameter_count(const WarplensKernel *kernel);
size_t warplens_parameter_bytes(const WarplensKernel *kernel, uint32_t index); /* 0 beyond */

/* ---- arguments ---- */

/* Memory of the device, zeroed, at a multiple of 512 bytes as cudaMalloc gives it. name: for
 * messages and findings; element_bytes: of one element, likewise. */
WarplensBuffer *warplens_buffer(WarplensModule *module, const char *name, size_t elements,
                                size_t element_bytes, WarplensError *error);
/* Memory of the host, `bytes` of it from `host` on: kernels may access it at that address from now
 * on, until warplens_buffer_free or the module's end, which it must outlive. Sectors depend on how
 * it is aligned. It must not overlap another buffer. name: for messages and findings. */
WarplensBuffer *warplens_adopt(WarplensModule *module, const char *name, void *host, size_t bytes,
                               WarplensError *error);
/* Where the host reads and writes it, between launches. */
void *warplens_buffer_data(WarplensBuffer *buffer);
size_t warplens_buffer_bytes(const WarplensBuffer *buffer);
/* For pointers inside structures. */
uint64_t warplens_buffer_address(const WarplensBuffer *buffer);
/* Gives the memory back before the module ends. Kernels that still have it as argument fault. */
void warplens_buffer_free(WarplensBuffer *buffer); /* NULL is allowed */

/* Parameters count from 0, and keep their values from launch to launch. */
bool warplens_set_buffer(WarplensKernel *kernel, uint32_t index, const WarplensBuffer *buffer,
                         size_t offset, WarplensError *error); /* offset: in bytes */
/* A number or a structure; bytes must be the parameter's size. */
bool warplens_set_value(WarplensKernel *kernel, uint32_t index, const void *value, size_t bytes,
                        WarplensError *error);

/* A tensor in a buffer and the boxes that cp.async.bulk.tensor copies of it, as cuTensorMapEncodeTiled (im2col: …Im2col) takes them.
 * Dimension 0 is the innermost one. */
typedef struct WarplensTensor {
    const char *
        type; /* "u8" "u16" "u32" "s32" "u64" "s64" "f16" "f32" "f32.ftz" "f64" "bf16" "tf32" "tf32.ftz" */
    uint32_t rank;       /* 1 … 5 */
    uint64_t extent[5];  /* elements */
    uint64_t stride[4];  /* bytes, of dimensions 1 …; 0: one row behind the other */
    uint32_t box[5];     /* elements */
    uint32_t step[5];    /* between elements of the box; 0: 1 */
    uint32_t swizzle;    /* 0, 32, 64 or 128 bytes */
    uint32_t interleave; /* 0, 16 or 32 bytes */
    bool nan_fill;       /* what lies outside is NaN, else 0 */
    bool im2col;         /* with what follows, in place of the box */
    int lower[3], upper[3];
    uint32_t channels, pixels;
} WarplensTensor;

#define WARPLENS_TENSOR_MAP_BYTES 128
/* Writes the map of a tensor that begins `offset` bytes into the buffer: for warplens_set_value (a parameter of type CUtensorMap), or
 * memory of the device, at a multiple of 64 bytes. */
bool warplens_tensor_map(const WarplensBuffer *buffer, size_t offset, const WarplensTensor *tensor,
                         void *map, WarplensError *error);

/* As `warplens kernel --arg` takes it: "i32=1024", "f32[1024]=random:1" (an array that it makes and
 * fills), "u8[64]=file.npy", "@0+128" (a pointer into the array of argument 0), "bytes=00ff". */
bool warplens_set_text(WarplensKernel *kernel, uint32_t index, const char *text,
                       WarplensError *error);
/* The array that such a text made; NULL: it made none. */
WarplensBuffer *warplens_array(WarplensKernel *kernel, uint32_t index, WarplensError *error);
/* Writes it to a .npy file, one-dimensional. */
bool warplens_dump(WarplensKernel *kernel, uint32_t index, const char *path, WarplensError *error);

typedef struct WarplensComparison {
    uint64_t count,
        differ;     /* elements: all, and outside |got - expected| <= atol + rtol * |expected| */
    uint64_t first; /* of these, and what is there */
    double got, expected;
} WarplensComparison;
/* Compares it with a .npy file of as many elements of the same size and kind; integers must be
 * equal. true: it could be compared, and *comparison says what came out. */
bool warplens_compare(WarplensKernel *kernel, uint32_t index, const char *path, double rtol,
                      double atol, WarplensComparison *comparison, WarplensError *error);

/* ---- launches ---- */

/* Which blocks run; totals are extrapolated from them. */
typedef enum WarplensBlocks {
    WARPLENS_BLOCKS_ALL,
    WARPLENS_BLOCKS_FIRST,  /* the first n */
    WARPLENS_BLOCKS_EVERY,  /* every n-th */
    WARPLENS_BLOCKS_RANDOM, /* n of them, drawn from a seed */
} WarplensBlocks;

/* An array that is to be stored in another way, the kernel's code untouched. text: of a shared
 * array, "padded:PITCH,PAD,PITCH2,PAD2" (PAD bytes behind every PITCH bytes, PAD2 behind every
 * PITCH2, 0: none), "swizzled:BITS,BASE,SHIFT" (of byte offsets), "transposed:PITCH,ROWS,ELEMENT",
 * or as warplens_fixes gives it; of a buffer, "pitched:LEAD,PITCH,PAD",
 * "fields:LEAD,PITCH,ROWS,0,FIELD…" (structures of PITCH bytes taken apart),
 * "transposed:LEAD,PITCH,ROWS,ELEMENT", or "plain:LEAD" (LEAD bytes behind where it begins). All in
 * bytes but ROWS. */
typedef struct WarplensLayout {
    const char *array; /* a shared variable as the PTX names it; a buffer's name */
    const char *text;
} WarplensLayout;

typedef struct WarplensLaunch {
    uint32_t grid[3],
        block[3]; /* 0 counts as 1; a block of zeros: what the kernel requires (.reqntid) */
    uint32_t dynamic_shared; /* bytes */
    uint32_t workers;        /* threads of the host to run on; 0: as many as processors */
    uint64_t limit;          /* warp instructions of one warp until it counts as endless; 0: 2^32 */
    /* What the kernel prints, from any thread, one call at a time; NULL: dropped. */
    void (*print)(void *context, const char *text, size_t length);
    void *context;
    /* "interp", "jit" (compile the kernel early) or "auto" (where it pays; so does NULL). Results
     * and counts are the same. Of a kernel's launches the first that is not "interp" decides. */
    const char *engine;
    uint32_t cluster[3]; /* blocks of a cluster; 0: as the kernel says, else 1 */
    bool
        cooperative; /* blocks may wait for all of the grid, which must all fit on the GPU at once */
    WarplensBlocks blocks;
    uint64_t blocks_n, blocks_seed;
    /* parts not 0: only part `part` of them, from 1, of the blocks runs, on one of several machines; `warplens merge` puts
     * their saved profiles together. Refused (WARPLENS_BAD_LAUNCH) where blocks depend on each other. */
    uint32_t part, parts;
    /* Not 0: all blocks run, and are counted in about so many spread over the grid and at its
     * edges, if that gives every line within 1 %, else in all; see warplens_sampled. 32 is
     * usual. */
    uint32_t sample;
    uint32_t evidence_blocks; /* in which access patterns are recorded; 0: 16; UINT32_MAX: all */
    bool no_counts;           /* just run */
    const WarplensLayout *layouts; /* of shared arrays */
    uint32_t layout_count;
    const WarplensLayout *storages; /* of buffers */
    uint32_t storage_count;
    volatile const int *stop; /* the launch ends soon after it becomes non-zero; NULL allowed */
    /* Only counts are wanted: where no data decide, some blocks run for all, and counters and patterns are
     * exactly those of all; what buffers hold afterwards is not a result. Else all run; see
     * warplens_represented. */
    bool counts_only;
    /* Not 0: blocks, warps and lanes that parted run in another legal order, the same for the same number, on one worker and
     * interpreted. A result that depends on it has a race. */
    uint64_t schedule;
    /* Estimate which accesses hit in L1 and in L2, and what passes between L2 and DRAM: in the profile, and on its pages. */
    bool caches;
    /* Estimate how long it takes, too (with `caches`), at this clock of the SMs in MHz; 0: the GPU's boost clock. */
    bool time;
    uint32_t clock_mhz;
} WarplensLaunch;

/* Runs it to its end. NULL: nothing ran. If the kernel faults, error->status is WARPLENS_FAULT, the
 * message names source line, block, thread and address, and the result has what ran before. */
WarplensResult *warplens_launch(WarplensKernel *kernel, const WarplensLaunch *launch,
                                WarplensError *error);

/* Ends all results of the module, with the memory that they and their launches take: warplens_save writes
 * the launches after it. NULL is allowed. */
void warplens_forget(WarplensModule *module);
/* The same of one launch, with what it has launched in turn (any of their results means all of them), and the defects
 * that were first found in it. Other results stay as they are. NULL is allowed; nothing happens to one of a profile's file. */
void warplens_result_free(WarplensResult *result);

/* Launches that the kernel, and what it launched in turn, have made from the device: they have run,
 * too. Those alike are one. */
uint32_t warplens_child_count(const WarplensResult *result);
WarplensResult *warplens_child(WarplensResult *result, uint32_t index); /* NULL beyond the last */

typedef struct WarplensSampled {
    uint64_t blocks, blocks_run;
    uint64_t blocks_counted; /* 0: all that ran */
    uint32_t kinds;          /* of blocks, that behave alike */
    const char *all_because; /* with `sample`: why all were counted; NULL: they were not */
} WarplensSampled;
bool warplens_sampled(const WarplensResult *result, WarplensSampled *sampled);

typedef struct WarplensRepresented {
    uint64_t blocks;
    uint64_t representatives;     /* with `counts_only`: blocks that ran, for all; 0: all did */
    const char *executed_because; /* with `counts_only`: why all ran; NULL: they did not */
} WarplensRepresented;
bool warplens_represented(const WarplensResult *result, WarplensRepresented *represented);

/* ---- fixes and their proofs ---- */

/* A layout of a shared array that costs less. */
typedef struct WarplensFix {
    const char *name;              /* of the array, as in the source */
    WarplensLayout layout;         /* for WarplensLaunch.layouts */
    const char *words;             /* "1 float (4 bytes) of padding after every 32" */
    uint64_t wavefronts, promised; /* of the recorded accesses to it: now and then */
} WarplensFix;

/* The best of each array that has one, from the accesses that were recorded (evidence_blocks; all
 * of them, for what is promised to be exact). Valid until the module ends. */
const WarplensFix *warplens_fixes(const WarplensResult *result, uint32_t *count);

/* What came of running a kernel twice from the same memory, without and with the layouts and
 * storages of the launch. Its cost is that of the two results. */
typedef struct WarplensProof {
    bool equal; /* it did not fault, and all memory of the module holds the same bytes */
    uint64_t bytes, differ; /* of that memory */
    const char *fault;      /* of the second run; NULL: it had none */
    WarplensResult *before, *after;
} WarplensProof;

/* Runs both on one worker, if the launch does not say how many, since the order of atomics may
 * change sums. Memory is afterwards as the second run left it. false: one of them did not run, or
 * the first faulted. */
bool warplens_prove(WarplensKernel *kernel, const WarplensLaunch *launch, WarplensProof *proof,
                    WarplensError *error);

/* Writes a profile of all launches of the module so far, with the sources that can be read, for
 * `warplens report`. */
bool warplens_save(WarplensModule *module, const char *path, WarplensError *error);

/* ---- profiles: of files, and of a module's launches ---- */

typedef struct WarplensProfile WarplensProfile;

/* Reads what warplens_save, or the program, has written. */
WarplensProfile *warplens_profile_read(const char *path, WarplensError *error);
/* The module's launches so far, with the sources that can be read now; it ends with the module. */
WarplensProfile *warplens_profile_of(WarplensModule *module, WarplensError *error);
void warplens_profile_free(WarplensProfile *profile); /* NULL is allowed, and one of a module */
/* Its launches, those from the device among them; each has a result, NULL beyond the last. */
uint32_t warplens_profile_count(const WarplensProfile *profile);
WarplensResult *warplens_profile_result(WarplensProfile *profile, uint32_t index);

/* What a page shows, as options of `warplens report`, `diff` and `explain` say it. */
typedef struct WarplensPage {
    const char *format; /* NULL: "term"; what there is, is said of each function */
    const char *
        pages; /* of "term": "summary", "details", "source", "raw", "all", commas between; NULL: "all" */
    const uint32_t *launch; /* this one alone, counted from 0; NULL: all */
    const char *
        kernel; /* launches of kernels with this in their name, or a regular expression; NULL: all */
    const char *line;  /* what accessed memory in "scan.cu:70", or "70"; NULL: any */
    const char *sort;  /* a counter, "worst", "n_way" …; NULL: in order */
    uint32_t top;      /* so many launches, or lines, that come first by `sort`; 0: all */
    bool ptx, inlined; /* source: with the PTX of each line, with what was inlined into it */
    bool by_line, by_instruction; /* raw: totals of lines; machine code's instructions */
    bool mangled, exact, each_launch, colour;
    uint32_t width; /* columns; 0: 100; UINT32_MAX: no limit */
} WarplensPage;

/* These give a text that ends with the next one of the profile (of `after`, where it compares), or with the profile.
 * page may be NULL. NULL: error says what is wrong. */

/* "term", "html" (one page with everything in it), "json" (docs/report.schema.json), "csv", "tsv". */
const char *warplens_page(WarplensProfile *profile, const WarplensPage *page, WarplensError *error);
/* What has changed: "term", "html", "json" (docs/diff.schema.json). */
const char *warplens_diff(const WarplensProfile *before, WarplensProfile *after,
                          const WarplensPage *page, WarplensError *error);
/* How a recorded access is served: "term", "svg", "json". Of a line the most frequent one, else the costliest; pattern: another one of
 * those that differ, counted from 1; 0: the first. */
const char *warplens_explain(WarplensProfile *profile, const WarplensPage *page, uint32_t pattern,
                             WarplensError *error);

/* What `warplens check` judges by. With nothing said, a line may have 1.1 times its ideal of wavefronts, and 1.5 times that of sectors; with
 * a baseline none may be worse than there. */
typedef struct WarplensLimits {
    double max_nway,
        max_sector_ratio;            /* of a line, relative to its ideal, at least 1; 0: no limit */
    const char *file_text;           /* of a limits file; NULL: none */
    const WarplensProfile *baseline; /* NULL: none */
    const char *
        deny; /* "conflict,uncoalesced,new-conflict,new-uncoalesced,regression"; NULL: nothing more */
    const char *format; /* of the text: "term" (NULL), "github", "sarif", "junit" */
} WarplensLimits;

typedef enum WarplensVerdict {
    WARPLENS_WITHIN,
    WARPLENS_BEYOND,
    WARPLENS_FAULTED /* a launch of it ended with a fault */
} WarplensVerdict;

const char *warplens_check(WarplensProfile *profile, const WarplensLimits *limits,
                           WarplensVerdict *verdict, WarplensError *error);

/* ---- results ---- */

/* Counters are sums over all executions of an instruction by a warp; docs/memory-model.md says how each
 * is counted and how it compares with the hardware. A set of them is an array with a value for each
 * counter, 0 … warplens_counter_count()-1, that belongs to the module: a later version may count more,
 * so ask for their number or go by names. */
uint32_t warplens_counter_count(void);
/* "wavefronts"; "wavefronts"; "shared-memory wavefronts (memory_l1_wavefronts_shared)". NULL beyond the
 * last. `warplens report --page raw` has a column for each. */
const char *warplens_counter_name(uint32_t counter);
const char *warplens_counter_unit(uint32_t counter);
const char *warplens_counter_help(uint32_t counter);
/* One of a set by its name; UINT64_MAX: there is none of that name. */
uint64_t warplens_counter(const uint64_t *counters, const char *name);

const char *warplens_result_kernel(const WarplensResult *result); /* its name, as in the source */
/* Of the whole launch. */
const uint64_t *warplens_total(const WarplensResult *result);

/* A memory instruction of the kernel. */
typedef struct WarplensSite {
    const char *file;        /* innermost source file; NULL: compiled without -lineinfo */
    uint32_t line, column;   /* in it; without a file, the PTX's line */
    const char *function;    /* the inlined function it belongs to; NULL: the kernel itself */
    const char *instruction; /* "ld.shared.u64 %rd7, [%r4+8]" */
    uint32_t ptx_line;
    const char *operation; /* "load", "store" …: site.op of docs/profile-format.md */
    const char *space;     /* "generic", "global", "shared", "local", "const" */
    uint32_t width;        /* bytes per lane */
    const uint64_t *counters;
} WarplensSite;

uint32_t warplens_site_count(const WarplensResult *result); /* in the order of the PTX */
bool warplens_site(const WarplensResult *result, uint32_t index, WarplensSite *site);

/* An access of a warp as it was recorded (WarplensLaunch.evidence_blocks): which lanes, and where. */
typedef struct WarplensAccess {
    const char *space;    /* "shared", "global" … */
    const char *variable; /* a shared array or a buffer; NULL: not known */
    uint64_t executions;  /* with exactly these lanes and offsets */
    uint32_t mask;        /* of active lanes, bit 0 = lane 0 */
    uint64_t offset
        [32]; /* of each active lane: bytes from where the variable begins, in global memory modulo 512 of the first one's */
    uint32_t wavefronts, wavefronts_ideal; /* of one execution; 0: it is not of shared memory */
    uint32_t sectors, sectors_ideal;       /* likewise, of global memory */
} WarplensAccess;

/* Of the site of that index: those that differ. */
uint32_t warplens_access_count(const WarplensResult *result, uint32_t site);
bool warplens_access(const WarplensResult *result, uint32_t site, uint32_t index,
                     WarplensAccess *access);

/* A source line that executed anything. A line that calls inlined functions has their counts, too,
 * so lines overlap. */
typedef struct WarplensLine {
    const char *file; /* NULL: line is one of the PTX */
    uint32_t line;
    uint64_t warp_instructions, thread_instructions;
    const uint64_t *counters;
} WarplensLine;

uint32_t warplens_line_count(const WarplensResult *result); /* by file and line */
bool warplens_line(const WarplensResult *result, uint32_t index, WarplensLine *line);

typedef struct WarplensFindingLine {
    const char *file; /* NULL: line is one of the PTX */
    uint32_t line;
    uint64_t excess; /* in the finding's unit */
} WarplensFindingLine;

/* What costs more than it must. */
typedef struct WarplensFinding {
    const char *rule;                 /* "bank-conflicts-load": docs/rules has a page for it */
    const char *title;                /* "Bank conflicts of shared loads" */
    const char *severity;             /* "low", "medium", "high" */
    const char *message;              /* one sentence with its numbers */
    const char *advice;               /* what usually helps */
    const char *unit;                 /* "wavefronts", "sectors" */
    uint64_t excess, total;           /* in that unit */
    const WarplensFindingLine *lines; /* that cause it, the worst first */
    uint32_t line_count;
} WarplensFinding;

/* The worst first; what tells more of the same lines (their loads, their stores) follows its finding. */
uint32_t warplens_finding_count(const WarplensResult *result);
bool warplens_finding(const WarplensResult *result, uint32_t index, WarplensFinding *finding);

#ifdef __cplusplus
}
#endif
#endif
