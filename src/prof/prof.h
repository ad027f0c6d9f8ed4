/* prof: the Profile - what was run and what it cost. The waist of warplens: the executor fills it,
 * everything else (rules, reports, diffs, other people's scripts) reads it, from memory or from the
 * file.
 *
 * Invariants
 *   - A Profile is self-contained: it holds the text of every source file and PTX module it speaks
 *     of (as far as they could be read), so it can be shown on another machine.
 *   - Nothing in it depends on the number of worker threads, on the host's addresses or on the time
 *     of day.
 *   - Tables refer to each other by index into the arrays below; NONE = no row.
 *   - Counters belong to (launch, site); a line's numbers are sums over sites and locations, formed
 *     on demand.
 *
 * What it does not do: count, judge (rules/) or print (report/). */
#pragma once

#include "base/base.h"

#define NONE UINT32_MAX

typedef struct CounterInfo {
    const char *name, *unit, *text;
} CounterInfo;
#define COUNTER(name, unit, text) COUNTER_##name,
typedef enum CounterId {
#include "prof/counters.def"
    COUNTER_COUNT
} CounterId;
const CounterInfo *counter_info(CounterId id);

/* By name, and by CounterId. */
typedef union Counters {
    struct {
#define COUNTER(name, unit, text) uint64_t name;
#include "prof/counters.def"
    };
    uint64_t at[COUNTER_COUNT];
} Counters;
void counters_add(Counters *into, const Counters *from);
/* What was counted beyond the ideal; 0 where it lies below (the ideal of some partial warps does). */
uint64_t counters_excess_wavefronts(const Counters *counters);
uint64_t counters_excess_sectors(const Counters *counters);

typedef struct SourceFile {
    const char *path; /* as the module records it, after --source-map */
    const char *text; /* NULL where the file could not be read */
    uint64_t size;
    uint64_t hash; /* bytes_hash of the text, 0 without */
} SourceFile;

typedef struct ProfModule {
    const char *name; /* the PTX file's path, or the object that it came from */
    const char *text;
    uint64_t hash;
    const char *version, *target; /* "9.0", "sm_90" */
    bool has_lines;               /* compiled with -lineinfo */
} ProfModule;

/* A place in a source file, with where it was inlined. Interned: equal places are one row. */
typedef struct Location {
    uint32_t file; /* SourceFile, or NONE: a place in the PTX itself (line = PTX line) */
    uint32_t line, column;
    const char
        *function; /* name of the inlined function (demangled), NULL for the kernel's own lines */
    uint32_t inlined_at; /* Location of the call, or NONE */
} Location;

typedef struct SharedVariable {
    const char *name;   /* demangled: "blockScan<0>::smem"; "dynamic" for the dynamic array */
    const char *symbol; /* as in the PTX */
    uint32_t offset, bytes, align;
    uint32_t
        element_bytes; /* the size most of the kernel's accesses to it have; 0 = never accessed */
    bool dynamic;
} SharedVariable;

/* An instruction of the machine code that ptxas made of a kernel: 16 bytes, since sm_70. */
typedef struct SassInst {
    uint32_t location; /* or NONE; columns and functions are not known */
    const char *text;
} SassInst;

typedef struct ProfKernel {
    uint32_t module;
    const char *name; /* mangled */
    const char *demangled;
    uint32_t location;               /* of the kernel's first instruction, or NONE */
    uint32_t ptx_line;               /* of its .entry */
    uint32_t first_site, site_count; /* its sites are consecutive */
    uint32_t registers;              /* per thread, from ptxas; 0 = not known */
    VEC(SharedVariable) shared;
    VEC(SassInst) sass; /* none: not known */
} ProfKernel;

typedef enum SiteOp {
    SITE_LOAD,
    SITE_STORE,
    SITE_ATOMIC,
    SITE_REDUCTION,
    SITE_LDMATRIX,
    SITE_STMATRIX,
    SITE_CP_ASYNC,
    SITE_COPY, /* bulk and tensor copies, asynchronous stores: of this and the next ones, nothing is
                    modelled beyond their bytes */
    SITE_WGMMA,
    SITE_TEXTURE /* and surfaces */
} SiteOp;

typedef enum SiteSpace { SITE_GENERIC, SITE_GLOBAL, SITE_SHARED, SITE_LOCAL, SITE_CONST } SiteSpace;

/* A memory instruction of a kernel. A generic one is counted under what its addresses turn out to
 * be, so one site may have wavefronts and sectors; cp.async has both by nature (wavefronts of its
 * destination, sectors of its source). */
typedef struct Site {
    uint32_t kernel;
    uint32_t location;
    uint32_t ptx_line;
    const char
        *text; /* the instruction as in the PTX, blanks squeezed: "ld.shared.u64 %rd7, [%r4+8]" */
    SiteOp op;
    SiteSpace space;
    uint32_t width; /* bytes per lane */
    uint32_t
        access; /* AccessKind of mem.h, as a number: lets rules/ re-evaluate recorded patterns */
    uint32_t matrices; /* ldmatrix, stmatrix */
    uint32_t
        accesses; /* that an execution makes: 1; a vector load of which ptxas loads less: 0 to 2 */
    /* Where ptxas merges several accesses into this one: the bytes of an element, and which elements
     * of the width are asked for (bit i: element i). Else 0. */
    uint32_t merged_element, merged_used;
    /* What runs it and where its address comes from, for comparing sites of a kernel: between two with
     * the same block there is no label, branch or barrier, and equal numbers are equal values. */
    uint32_t block; /* from 1; 0: a profile that says nothing of all this */
    uint32_t guard; /* the condition that a lane executes it on; 0: none */
    uint32_t base;  /* the register that the address is computed from; 0: none */
    int64_t offset; /* added to it */
} Site;

/* Evidence: one distinct access pattern of a site, as recorded in the blocks that were sampled for
 * evidence. Lane l of mask is at variable + base + delta[l] (deltas are of the first active lane's
 * address, so its own is 0). */
typedef struct AccessPattern {
    uint32_t launch, site;
    SiteSpace space;   /* where the addresses were: SHARED or GLOBAL or LOCAL */
    uint32_t variable; /* SHARED: index in kernel.shared; GLOBAL: index in launch.allocations; NONE
                          = unknown */
    uint64_t base;  /* byte offset of the first active lane in that variable; GLOBAL: modulo 512 */
    uint64_t first; /* GLOBAL: the lowest offset in the variable at which it was seen */
    uint32_t mask;
    uint64_t count; /* executions with exactly this pattern */
    bool no_change; /* a compare-and-swap loop: no lane changed its word, which ends it early */
    bool affine;    /* delta[l] = l * stride relative to lane 0, over the active lanes */
    int64_t stride;
    const int64_t *delta;  /* [32] */
    const int64_t *source; /* cp.async: [32] global offsets of the first active lane's source
                              sector's line, else NULL */
} AccessPattern;

typedef struct Allocation {
    const char *name; /* "argument 0", or the module variable's name */
    uint64_t bytes;
    uint32_t element_bytes; /* 0 = unknown */
} Allocation;

/* Instructions executed at a location in a launch (all instructions, not only memory). */
typedef struct LocationCount {
    uint32_t launch, location;
    uint64_t warp_insts, thread_insts;
} LocationCount;

/* What ptxas made of a source line: numbers of static memory instructions, PTX against SASS. */
typedef struct SassLine {
    uint32_t kernel;
    uint32_t file, line;            /* innermost source line */
    const char *operation;          /* "shared load", "global store" … */
    uint32_t ptx, sass;             /* static instructions */
    uint32_t ptx_bytes, sass_bytes; /* sum of bytes per lane: equal if ptxas only merged */
} SassLine;

typedef enum LaunchStatus {
    LAUNCH_DONE,
    LAUNCH_SAMPLED,
    LAUNCH_INTERRUPTED,
    LAUNCH_FAULT
} LaunchStatus;

/* Global memory that the blocks recorded for evidence touched: each 32-byte sector once, however often
 * it was accessed. Atomics load and store. */
typedef struct Footprint {
    uint64_t loaded_sectors, loaded_bytes; /* bytes: those of the sectors that were asked for */
    uint64_t stored_sectors, stored_bytes;
    uint64_t loaded_by_blocks; /* loaded sectors summed over blocks: more where blocks share them;
                                  0 = not counted, all blocks were recorded */
} Footprint;

/* Arithmetic that was executed, by warps. */
typedef struct Arithmetic {
    uint64_t fp32_flops, fp64_flops; /* add, sub, mul: 1; fma: 2 */
    uint64_t matrix_insts;           /* mma, wmma.mma */
} Arithmetic;

typedef struct LaunchRecord {
    uint32_t kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared; /* bytes */
    const char *gpu;         /* name in gpus.def */
    bool gpu_measured;
    LaunchStatus status;
    uint64_t blocks, blocks_run; /* of the grid; of them executed */
    uint64_t evidence_blocks;    /* of them recorded for evidence */
    /* Accesses were counted in so many of them; counters are those of all, each within 1 %. 0: in all. */
    uint64_t blocks_counted;
    Footprint footprint;
    uint64_t warp_insts, thread_insts;
    Arithmetic arithmetic;
    /* For information: not compared, not part of goldens. */
    double wall_seconds, cpu_seconds;
    double compile_seconds; /* of a CPU, for machine code of the kernel: not among cpu_seconds */
    /* Launches from the device of one kernel and shape, at one depth, are one row: */
    uint32_t launches;    /* how many; 0: the host launched it */
    uint32_t depth;       /* 1: launched by a kernel that the host launched */
    uint32_t launched_by; /* launch of the first of them; its own number: it was not recorded */
    const char *fault;    /* LAUNCH_FAULT: the whole message, several lines; NULL otherwise */
    VEC(Allocation) allocations; /* those that its patterns name, by address */
    Counters *counters;          /* [kernel.site_count], in site order; of the blocks run */
} LaunchRecord;

typedef struct Profile {
    Arena *arena;
    const char *command; /* the command line that made it */
    VEC(SourceFile) files;
    VEC(ProfModule) modules;
    VEC(Location) locations;
    VEC(ProfKernel) kernels;
    VEC(Site) sites;
    VEC(LaunchRecord) launches;
    VEC(LocationCount) location_counts;
    VEC(AccessPattern) patterns;
    VEC(SassLine) sass_lines;
} Profile;

/* ---- profile.c ---- */

Profile *profile_new(void); /* with an arena of its own */
void profile_free(Profile *profile);
/* Interns; NULL function is allowed. */
uint32_t profile_location(Profile *profile, uint32_t file, uint32_t line, uint32_t column,
                          const char *function, uint32_t inlined_at);
uint32_t profile_file(Profile *profile, const char *path); /* interned by path, no text yet */

/* ---- lines.c: sums by source line ---- */

typedef struct LineCounts {
    uint32_t file, line;               /* file NONE: PTX lines of the kernel's module */
    Counters own;                      /* sites whose innermost place is this line */
    Counters total;                    /* and those inlined into it (each site once) */
    uint64_t warp_insts, thread_insts; /* as `total` */
} LineCounts;
/* The lines of one launch that executed anything, by file and line. A line that calls an inlined
 * function has the callee's counts in `total`, as the profilers that people know show it. */
LineCounts *profile_lines(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count);
/* Whether it has wavefronts or sectors; of others requests and bytes are known. */
bool site_is_modelled(const Site *site);
/* Whether a site's counts belong to SITE_SHARED, SITE_GLOBAL, SITE_LOCAL or SITE_CONST. cp.async
 * belongs to shared and to global memory; a generic access to what its addresses turned out to be,
 * to both if they were of both kinds. */
bool site_in(const Site *site, const Counters *counters, SiteSpace space);
/* Sums of a launch over the sites that the filter takes (NULL: all). */
Counters profile_total(const Profile *profile, uint32_t launch, bool (*filter)(const Site *site));

/* ---- diff.c, line_map.c: what has become of a profile ---- */

/* A line with traffic of its own in one of two launches; NULL: the other has no such line, or it
 * executed nothing there. */
typedef struct LineChange {
    const LineCounts *before, *after;
} LineChange;

typedef struct LaunchChange {
    uint32_t before, after; /* launches of the two profiles; NONE: there is none */
    LineChange *lines;      /* those that are gone first, then in the order of `after` */
    uint32_t line_count;
} LaunchChange;

typedef struct ProfileDiff {
    LaunchChange *launches; /* in the order of `after`, then those that are gone */
    uint32_t count;
} ProfileDiff;
/* Launches are matched by kernel and order, then those that are left by the kernel's name without its
 * template arguments; lines by file and through the edits of its text. */
ProfileDiff profile_diff(Arena *arena, const Profile *before, const Profile *after);

/* For each line of a text (counted from 0) the line of its later version, NONE where it is gone. */
uint32_t *line_map(Arena *arena, const char *before, const char *after, uint32_t *count);

/* ---- save.c, load.c: the file (SQLite; docs/profile-format.md) ---- */

/* Atomic: written beside path and renamed. false: diags has the reason. */
bool profile_save(const Profile *profile, const char *path, Diags *diags);
Profile *profile_load(const char *path, Diags *diags); /* NULL: diags has the reason */

/* ---- baselines.c: other profiles inside a profile file, by name ---- */

typedef struct BaselineNames {
    VEC(const char *) list; /* in alphabetical order */
} BaselineNames;
/* All of them: false or NULL where diags has the reason. Changes are atomic, as profile_save is. */
bool baseline_names(Arena *arena, const char *path, BaselineNames *names, Diags *diags);
bool baseline_add(const char *path, const char *name, const Profile *profile, Diags *diags);
bool baseline_remove(const char *path, const char *name, Diags *diags);
Profile *baseline_load(const char *path, const char *name, Diags *diags);

/* ---- sources.c: the texts of the source files that a profile speaks of ---- */

/* FROM=TO of --source-map: a recorded path that begins with FROM begins with TO from now on. */
typedef struct SourceMap {
    const char *from, *to;
} SourceMap;
bool source_map_parse(Arena *arena, const char *text, SourceMap *map);
/* Rewrites the paths of the profile's files and reads their texts, as far as they can be read. */
void sources_read(Profile *profile, const SourceMap *maps, uint32_t count);
