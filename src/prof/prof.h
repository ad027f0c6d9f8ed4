/* prof: the Profile - what was run and what it cost. The waist of warplens: the executor fills it,
 * everything else (rules, reports, diffs, other people's scripts) reads it, from memory or from the
 * file.
 *
 * Invariants
 *   - A Profile is self-contained: it holds the text of every source file and PTX module it speaks
 *     of (as far as they could be read), so it can be shown on another machine.
 *   - Nothing in it but its origin depends on the number of worker threads, on the host or on the time
 *     of day.
 *   - Tables refer to each other by index into the arrays below; NONE = no row.
 *   - location_counts and patterns are in order of their launches.
 *   - Counters belong to (launch, site); a line's numbers are sums over sites and locations, formed
 *     on demand.
 *
 * What it does not do: count, judge (rules/) or print (report/). */
#pragma once

#include "base/base.h"

#define NONE UINT32_MAX

/* ---- counters ---- */

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

/* ---- the tables; fields.def says what their fields are ---- */

typedef enum SiteOp {
#define SITE_OP(id, name, code, words, text, first, last) SITE_##id,
#include "prof/site_ops.def"
    SITE_OPS
} SiteOp;
/* What an access of machine code to local memory is there for. */
typedef enum LocalUse {
    LOCAL_NONE, /* it is none, or not known */
    LOCAL_ARRAY,
    LOCAL_SPILL,
    LOCAL_CALL
} LocalUse;
typedef enum SiteSpace { SITE_GENERIC, SITE_GLOBAL, SITE_SHARED, SITE_LOCAL, SITE_CONST } SiteSpace;
typedef enum LaunchStatus {
    LAUNCH_DONE,
    LAUNCH_SAMPLED,
    LAUNCH_INTERRUPTED,
    LAUNCH_FAULT
} LaunchStatus;
/* What `--sanitize` looks for, and what that finds. */
typedef enum DefectCheck {
#define CHECK(id, name) CHECK_##id,
#include "prof/checks.def"
    CHECKS
} DefectCheck;
typedef enum DefectKind {
#define DEFECT(id, name, check, title) DEFECT_##id,
#include "prof/checks.def"
    DEFECT_KINDS
} DefectKind;
/* As the profile file spells them; NULL at the end. */
extern const char *const site_ops[],
    *const site_spaces[], *const local_uses[], *const launch_statuses[], *const defect_checks[],
                                                                             *const defect_kinds[];
DefectCheck defect_check(DefectKind kind);
const char *defect_title(DefectKind kind); /* "race: write after write" */

#define STRUCTURES /* made here; Counters is above */
#define TABLE(Type, id, words) typedef struct Type Type;
#include "prof/fields.def"

#define U32_FIELD uint32_t
#define U64_FIELD uint64_t
#define I64_FIELD int64_t
#define BOOL_FIELD bool
#define REAL_FIELD double
#define TEXT_FIELD const char *
#define LANES_FIELD const int64_t *
#define TABLE(Type, id, words) struct Type {
#define FIELD(Type, kind, name, flags, words) kind##_FIELD name;
#define NUMBER(Type, kind, name, most, flags, words) kind##_FIELD name;
#define ENUM(Type, Enum, names, name, flags, words) Enum name;
#define INDEX(Type, name, table, flags, words) uint32_t name;
#define SHAPE(Type, name, words) uint32_t name[3];
#define LIST(Type, Row, name) VEC(Row) name;
#define ARRAY(Type, Row, name) Row *name;
#define END(Type)                                                                                  \
    }                                                                                              \
    ;
#include "prof/fields.def"
#undef STRUCTURES

typedef struct Profile {
    Arena *arena;
    const char *command; /* the command line that made it */
    const char *root;    /* of the project: a folder on the machine that made it; NULL: not known */
    bool *own; /* of the first own_count files: the project's, below the root; not in the file */
    uint32_t own_count;
    VEC(SourceFile) files;
    VEC(ProfModule) modules;
    VEC(Location) locations;
    VEC(ProfKernel) kernels;
    VEC(Site) sites;
    VEC(LaunchRecord) launches;
    VEC(LocationCount) location_counts;
    VEC(AccessPattern) patterns;
    VEC(SassLine) sass_lines;
    VEC(HostCall) host_calls;
    VEC(Defect) defects;
    VEC(Origin) origins; /* one, where it was recorded */
} Profile;

/* ---- profile.c ---- */

Profile *profile_new(void); /* with an arena of its own */
/* Was it made by `warplens run`? Else it is of a kernel by itself. */
bool profile_of_program(const Profile *profile);
void profile_free(Profile *profile);
void profile_forget(Profile *profile); /* its launches and defects */
/* `count` launches from `first` on, and the defects that were first found in them; later launches move up. */
void profile_forget_launches(Profile *profile, uint32_t first, uint32_t count);
/* Adds the defect, or its count to that of an equal one: of that kind, kernel and locations. Its texts are
 * copied into the arena where it is new. Returns its row. */
Defect *profile_defect(Profile *profile, Arena *arena, const Defect *defect);
/* Calls of one function are one row, of whichever process. */
void profile_call(Profile *profile, const HostCall *call);
/* Interns; NULL function is allowed. */
uint32_t profile_location(Profile *profile, uint32_t file, uint32_t line, uint32_t column,
                          const char *function, uint32_t inlined_at);
uint32_t profile_file(Profile *profile, const char *path); /* interned by path, no text yet */

/* ---- names.c, short_names.c: names as a demangler spells them ---- */

/* Without return type and parameters: "ns::scan<int, 4>". */
const char *name_function(Arena *arena, const char *name);
const char *name_parameters(const char *name); /* from their '(' on; "" where there are none */
/* The last part of a qualified name: "tile" of "scan<0>(int)::tile". */
const char *name_last(const char *name);

/* A short name for each function of a set, of at most `width` columns, no two of them alike:
 * "DeviceRadixSortHistogramKernel<…, int, …>". Width 0: the whole names, with numbers behind equal ones. */
const char **names_short(Arena *arena, const char *const *names, uint32_t count, uint32_t width);
enum { NAME_WIDTH = 60 }; /* where nothing else says it, so that a kernel has one name everywhere */
/* The same of a profile's kernels, by row. */
const char **kernel_names(Arena *arena, const Profile *profile, uint32_t width);

/* ---- root.c: whose source files they are ---- */

/* Of the project: its path as text, no folder needs to be there. */
void profile_set_root(Profile *profile, const char *root);
/* The repository that the sources are in, else their folder, as found on this machine. The repository
 * of the current directory comes first; files of the CUDA toolkit are marked, and do not count. */
void profile_find_root(Profile *profile);
/* A path from the root on, if it is below it, without "." and "..". */
const char *profile_path(Arena *arena, const Profile *profile, const char *path);
/* The folder that both roots are in, or are. */
const char *root_of_both(Arena *arena, const char *a, const char *b);

/* ---- places.c: where a site's cost is shown ---- */

/* The first place of a site's chain, from the instruction outwards, that is the project's; without
 * one, the instruction's own. So each site is counted at one line. */
typedef struct SitePlace {
    uint32_t file, line; /* file NONE: a line of the PTX */
    uint32_t location;   /* the same; NONE: of the PTX */
    uint32_t inner;      /* the location of the instruction itself, NONE where it is that line */
} SitePlace;
SitePlace site_place(const Profile *profile, const Site *site);
SitePlace location_place(const Profile *profile, uint32_t location); /* of an instruction there */

/* ---- lines.c: sums by source line ---- */

typedef struct LineCounts {
    uint32_t file, line; /* file NONE: PTX lines of the kernel's module */
    Counters own;        /* sites whose site_place is this line: no two lines overlap */
    Counters total;      /* and those whose chain passes it (each site once) */
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
/* What was recorded of a launch's accesses: the first of `count` rows of patterns. */
const AccessPattern *launch_patterns(const Profile *profile, uint32_t launch, uint32_t *count);
/* The same of location_counts. */
const LocationCount *launch_location_counts(const Profile *profile, uint32_t launch,
                                            uint32_t *count);
/* Sums of a launch over the sites that the filter takes (NULL: all). */
Counters profile_total(const Profile *profile, uint32_t launch, bool (*filter)(const Site *site));
static inline const ProfKernel *profile_kernel(const Profile *profile, uint32_t launch) {
    return &profile->kernels.at[profile->launches.at[launch].kernel];
}

/* ---- caches.c: what `--caches` estimates ---- */

CacheCount launch_caches(const Profile *profile, uint32_t launch); /* of all its sites */
/* The same by site_place, the line that asks L1 for most first; NULL: caches were not modelled. */
typedef struct LineCaches {
    SitePlace place;
    CacheCount sum;
} LineCaches;
LineCaches *launch_line_caches(Arena *arena, const Profile *profile, uint32_t launch,
                               uint32_t *count);

/* ---- mix.c: what was issued, where machine code was executed ---- */

typedef enum InstClass {
#define INST_CLASS(id, name, text) INST_##id,
#include "prof/inst_classes.def"
    INST_CLASSES
} InstClass;

typedef struct InstClassInfo {
    const char *id, *name, *text;
} InstClassInfo;
const InstClassInfo *inst_class_info(InstClass id);

typedef struct Opcode {
    const char *name;
    InstClass class;
    uint32_t fp32_flops, fp64_flops; /* of a lane */
} Opcode;
/* Of a machine instruction as nvdisasm prints it, "@!P0 FFMA.FTZ R1, …"; one that is not known is INST_misc. */
const Opcode *opcode_of(Str text);
const Opcode *opcode_table(uint32_t *count);

typedef struct InstSum {
    uint64_t warps, threads; /* executions by warps, and times the active lanes */
} InstSum;
typedef struct InstMix {
    InstSum of[INST_CLASSES];
    uint64_t fp32_warps, fp64_warps; /* of those that add or multiply, by warps */
} InstMix;
/* By class. false: PTX was executed, or nothing was. */
bool launch_mix(const Profile *profile, uint32_t launch, InstMix *mix);
/* Of each instruction of the kernel's `sass`. */
InstSum *launch_insts(Arena *arena, const Profile *profile, uint32_t launch);

/* ---- diff.c, line_map.c: what has become of a profile ---- */

/* A line with traffic of its own in one of two launches; NULL: the other has no such line, or it
 * executed nothing there. */
typedef struct LineChange {
    const LineCounts *before, *after;
} LineChange;

typedef struct LaunchChange {
    uint32_t before, after; /* launches of the two profiles; NONE: there is none */
} LaunchChange;

typedef struct ProfileDiff {
    LaunchChange *launches; /* in the order of `after`, then those that are gone */
    uint32_t count;
    struct Comparison *comparison; /* diff.c's own */
} ProfileDiff;
/* Launches are matched by kernel and order, then those that are left by the kernel's name without its
 * template arguments; lines by file and through the edits of its text. */
ProfileDiff profile_diff(Arena *arena, const Profile *before, const Profile *after);
/* How many launches are there on both sides, executed as machine code on one and as PTX on the other: what has changed in them
 * may be how they were counted. */
uint32_t diff_other_code(const ProfileDiff *diff);
/* Of one of its launches: lines that are gone first, then in the order of `after`. */
LineChange *diff_lines(Arena *arena, const ProfileDiff *diff, const LaunchChange *change,
                       uint32_t *count);

/* For each line of a text (counted from 0) the line of its later version, NONE where it is gone. */
uint32_t *line_map(Arena *arena, const char *before, const char *after, uint32_t *count);

/* ---- save.c, load.c: the file (SQLite; docs/profile-format.md) ---- */

/* Atomic: written beside path and renamed. false: diags has the reason. */
bool profile_save(const Profile *profile, const char *path, Diags *diags);
Profile *profile_load(const char *path, Diags *diags); /* NULL: diags has the reason */

/* ---- merge.c: several profiles become one file ---- */

typedef struct MergeWatch {
    void (*step)(void *context, uint32_t done, uint32_t all); /* of reading the inputs */
    void *context;
} MergeWatch;
/* The launches of all of them in order, each profile's behind those of the profiles before it, but for launches that machines have
 * shared out: parts of a launch (kernel --shard) become one where all are there, launches of a program (run --shard) go by their
 * numbers. What profiles have in common is there once. In which order they are named, or which of them were merged before, changes
 * nothing but the order of launches. Memory: for the largest input, what they have in common, and some words a launch. Notes say
 * what is not merged. Atomic, as profile_save is; false: diags has the reason. */
bool profiles_merge(const char *const *paths, uint32_t count, const char *output,
                    const MergeWatch *watch, Diags *diags);

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
typedef struct SourceRules {
    const SourceMap *maps;
    uint32_t map_count;
    const char *root; /* --root: only files below this folder are read; NULL: all */
} SourceRules;
/* Rewrites the paths of the profile's files and reads their texts, as far as they can be read. A note in
 * diags names each that is there and is left out. */
void sources_read(Profile *profile, const SourceRules *rules, Diags *diags);
