/* rules: judges a Profile - which accesses cost more than they must, which lines cause it, and what
 * usually helps.
 *
 * Invariants
 *   - A rule is a pure function of a profile and a launch; it sees no PTX and runs nothing, so every
 *     finding can be had again from a saved profile.
 *   - Every number in a finding's sentence is a sum of counters of the profile (of the blocks that
 *     ran, where only some did). Sentences are made when they are shown: there may be very many
 *     launches, of which few are.
 *   - Findings come in the order in which they matter: by severity; within it those that relieve the
 *     launch's longest stage, those of which it is not known, those that hide behind another stage
 *     (cost.c); then by the share of the launch's cost that they explain. What is said of the same
 *     lines in more detail, a part, follows its finding.
 *
 * What it does not do: promise time, or change code. */
#pragma once

#include "mem/mem.h"
#include "prof/prof.h"

/* Which stages (StageId) have less to do when a finding of a rule is fixed. */
typedef enum Reach {
    REACH_DATA,      /* banks: the data stage alone */
    REACH_SECTORS,   /* sectors on their way; DRAM, too, where some are used in part */
    REACH_ALL_MEMORY /* traffic that goes away, DRAM's too */
} Reach;

typedef enum RuleId {
#define RULE(id, name, title, page, whole, function, reach, advice) RULE_##id,
#include "rules/rules.def"
    RULE_COUNT
} RuleId;

/* By the share of the launch's cost: below 2 %, below 10 %, the rest. One less where it may be hidden, low
 * where it is. */
typedef enum Severity { SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH } Severity;

/* ---- cost.c: what a launch keeps busy, and what hides behind it ---- */

typedef enum StageId {
    STAGE_ISSUE,
    STAGE_FP32,
    STAGE_FP64,
    STAGE_DATA, /* of shared memory and the L1 cache */
    STAGE_TAGS,
    STAGE_L2,
    STAGE_DRAM,
    STAGE_COUNT
} StageId;
const char *stage_name(StageId stage); /* "DRAM traffic" */

/* How long a stage is busy, in cycles: between bounds. */
typedef struct Stage {
    double least, most;
    /* least is no bound: it takes blocks to be alike, or PTX for machine code that was not
     * executed */
    bool estimated;
} Stage;

typedef struct LaunchCost {
    Stage stage[STAGE_COUNT];
    bool whole_sectors; /* next to all bytes of the sectors are used: DRAM cannot be spared any */
    bool matrices;      /* tensor cores work, too: what that takes is not modelled */
    bool memory_alone;  /* counted on a GPU: of issue and arithmetic nothing is known */
    double taken;   /* cycles that it took on that GPU where nothing was counted; 0: not measured */
    double seconds; /* the same */
} LaunchCost;
/* false: the GPU is not known, or nothing ran. */
bool launch_cost(const Profile *profile, uint32_t launch, LaunchCost *cost);
uint64_t cost_cycles(double cycles); /* rounded; at most 10^18 */

typedef enum Verdict {
    VERDICT_LONGEST,
    VERDICT_OPEN,
    VERDICT_LIKELY_HIDDEN,
    VERDICT_HIDDEN
} Verdict;
const char *verdict_name(Verdict verdict); /* "likely-hidden" */

/* Whether it helps to relieve a set of stages. */
typedef struct Relief {
    Verdict verdict;
    StageId stage, other; /* the longest of them, and of the others */
    double least,
        most;       /* LONGEST: stage / other; else other / stage, between bounds. 0: not known */
    double seconds; /* that the launch was measured to take; 0: it was not */
    double busy_least, busy_most; /* for which share of that `stage` is busy; at most 1 */
    double saved_us,
        of_us; /* estimates: what mending it saves of the time of the launch; of_us 0: there is none */
    const char *limit; /* what decides that time */
} Relief;
Relief cost_relief(const LaunchCost *cost, uint32_t stages); /* set of 1u << StageId */
const char *words_relief(Arena *arena, const Relief *relief);

/* The verdict by the times that --time estimates, where the launch has them. saved_us: the sum of what its sites save. */
void relief_by_time(const LaunchRecord *record, double saved_us, Relief *relief);

/* ---- occupancy.c: how many warps of a launch an SM holds at once ---- */

enum { OCCUPANCY_LIMITS = 4 };
/* The least change of one resource that lets an SM hold more warps. */
typedef struct OccupancyStep {
    const char *unit; /* "registers a thread"; NULL: there is none */
    uint64_t from, to;
    uint32_t blocks, warps; /* then, of an SM */
} OccupancyStep;
typedef struct Occupancy {
    uint32_t blocks, warps, most_warps; /* of an SM: of this launch, and at best */
    uint32_t block_warps;
    const char *limit;                /* "registers", "shared memory", "block size", "blocks" */
    uint32_t alone[OCCUPANCY_LIMITS]; /* blocks that each would leave room for alone */
    OccupancyStep steps[OCCUPANCY_LIMITS]; /* of registers, shared memory, block size */
} Occupancy;
extern const char *const occupancy_limits[OCCUPANCY_LIMITS];
/* false: the GPU or the registers are not known. */
bool launch_occupancy(const Profile *profile, uint32_t launch, Occupancy *occupancy);

/* A line that causes a finding, by site_place: lines do not overlap. */
typedef struct FindingLine {
    uint32_t file, line; /* file NONE: a line of the PTX */
    uint32_t site;       /* its instruction with the largest excess: see words_pattern */
    uint64_t excess;     /* of all its instructions */
    double share;        /* of the finding's excess */
} FindingLine;

typedef struct Finding {
    RuleId rule;
    uint32_t launch;
    Severity severity;
    bool part;              /* of the last finding before it that is none */
    uint64_t excess, total; /* in `unit` */
    double share;           /* excess / all wavefronts and sectors of the launch, at most 1 */
    const char *unit;       /* "wavefronts", "sectors" */
    Counters counters;      /* sums over the sites that the rule concerns */
    uint32_t registers;     /* of a thread; 0: not known */
    /* estimate of --time: what its instructions save, each mended alone; 0: none */
    double saved_us;
    Relief relief;      /* VERDICT_OPEN where not weighed */
    bool weighed;       /* false: the GPU is not known */
    FindingLine *lines; /* the worst first */
    uint32_t line_count;
} Finding;

/* ---- rules.c ---- */

typedef struct RuleInfo {
    const char *name, *title;
    const char *page; /* docs/rules/PAGE */
    Reach reach;
    const char *advice;
} RuleInfo;
const RuleInfo *rule_info(RuleId id);
const char *severity_name(Severity severity);

/* The stages that get less to do where a rule's excess is gone. */
uint32_t rule_stages(const LaunchCost *cost, RuleId rule);

/* The findings of one launch, in the order in which they matter. */
Finding *rules_run(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count);

/* One sentence with its numbers. */
const char *words_finding(Arena *arena, const Finding *finding);
/* Whether it helps to fix it; NULL where it was not weighed. */
const char *words_matters(Arena *arena, const Finding *finding);

/* ---- help.c: where rules are explained; page: of docs/rules, with "#heading" or without ---- */

/* What its rule means: a paragraph. "": the page has none. */
const char *help_means(const char *page);
/* Of the page: what the build was told (WARPLENS_DOCS), else "docs/rules/PAGE". */
const char *help_address(Arena *arena, const char *page);
bool help_is_link(void); /* a browser can open it */

/* ---- words.c: numbers in sentences (report/ uses them as well) ---- */

const char *words_count(Arena *arena, uint64_t value);                  /* "1,048,576" */
const char *words_percent(Arena *arena, uint64_t part, uint64_t whole); /* "67 %", "< 1 %" */
const char *words_share(Arena *arena, double share);                    /* the same */
const char *words_duration(Arena *arena, double seconds);               /* "240.0 us" */
/* part / whole with one digit after the point, "-" where whole is 0; _bare: "24" for "24.0". */
const char *words_ratio(Arena *arena, uint64_t part, uint64_t whole);
const char *words_ratio_bare(Arena *arena, uint64_t part, uint64_t whole);

/* ---- access_words.c ---- */

/* How the lanes of a recorded access lie: "lanes use 8 bytes each, 256 bytes apart in tile", "… in tile: 16
 * rows 128 bytes apart, 2 columns 16 bytes apart". */
const char *words_access(Arena *arena, const Profile *profile, const AccessPattern *pattern);
/* The same of a site's most frequent pattern, or NULL without evidence. */
const char *words_pattern(Arena *arena, const Profile *profile, uint32_t launch, uint32_t site);

/* The instruction's own place and function where the cost is shown at another line (site_place):
 * "mma.hpp:91 load_matrix_sync"; else NULL. */
const char *words_inner(Arena *arena, const Profile *profile, uint32_t site);

/* ---- picture.c: how an access is served, and would be with another layout ---- */

/* One access of a warp to shared memory (address: in the block's shared memory) or to global memory
 * (address: relative to a 128-byte line, modulo 2^64). Of cp.async there can be both. */
typedef struct Picture {
    const AccessPattern *pattern; /* NULL: of no profile */
    AccessKind kind;
    uint32_t width, mask;
    uint64_t address[WARP_LANES];
    uint32_t cost, ideal; /* wavefronts or sectors */
    uint32_t rounds;      /* of a compare-and-swap loop; else 1 */
    Schedule schedule;    /* shared memory: of the first round */
} Picture;

/* Of an access to shared memory. */
Picture picture_of(const Access *access);

/* What was recorded of a site: the pattern that costs most beyond its ideal over all its executions
 * (without excess: the most frequent one; NULL without evidence), the executions that were recorded,
 * and those of them that cost as much. */
typedef struct SiteEvidence {
    const AccessPattern *worst;
    uint64_t recorded, alike;
} SiteEvidence;
/* Of each site of a launch's kernel. */
SiteEvidence *evidence_of_sites(Arena *arena, const Profile *profile, uint32_t launch);
/* Of a recorded access; false: the pattern is not of that memory. */
bool picture_banks(const Profile *profile, const AccessPattern *pattern, Picture *picture);
bool picture_sectors(const Profile *profile, const AccessPattern *pattern, Picture *picture);

/* The same access where its array has another layout. An access that ptxas merged from several may fall
 * apart: then the first of `pieces`. false: it does not survive the layout. */
bool picture_with(const Profile *profile, const AccessPattern *pattern, const Layout *layout,
                  Picture *picture, uint32_t *pieces);

/* ---- gate.c, limits.c: what a change may not do ---- */

typedef enum GateId {
#define GATE(id, name, title, text) GATE_##id,
#include "rules/gate.def"
    GATE_COUNT
} GateId;

typedef struct GateInfo {
    const char *name, *title, *text;
} GateInfo;
const GateInfo *gate_info(GateId id);

/* Limits of kernels whose name fits a shell pattern; 0: none, negative: not said here. */
typedef struct Limit {
    const char *pattern; /* of the name without parameters, "blockScan<*" */
    double max_nway, max_sector_ratio;
} Limit;

typedef struct Limits {
    VEC(Limit) list; /* later ones win */
    uint32_t deny;   /* set of 1u << GateId: conflict … regression */
} Limits;

extern const Limit
    limit_default; /* where nothing is asked for: 1.1 wavefronts, 1.5 sectors for one */

/* A word of --deny: "regression", "new-conflict" … false: there is none of that name. */
bool limits_deny(Limits *limits, const char *name);
/* A limit as text: at least 1, or "none". */
bool limit_number(const char *text, double *limit);
/* Adds the rows of a limits file: PATTERN, then max-nway N, max-sector-ratio N or both; a pattern with
 * blanks is quoted, # begins a comment. false: diags has what is wrong and where. */
bool limits_read(Arena *arena, Limits *limits, const char *path, const char *text, Diags *diags);

/* A line that breaks a limit, at which a kernel faulted, or that has a defect. */
typedef struct Violation {
    GateId gate;
    uint32_t launch;   /* of the profile: the worst, where the line breaks it in several; NONE: of a
                            defect of the program itself */
    uint32_t launches; /* how many those are */
    uint32_t file, line; /* by site_place; file NONE: a line of the PTX */
    uint32_t site;       /* its instruction with the largest excess: see words_pattern */
    bool shared;         /* wavefronts, else sectors */
    uint64_t cost, ideal;
    uint64_t before_cost, before_ideal; /* in the baseline; 0 where it was not there */
    double limit;                       /* max_nway, max_sector_ratio */
    const char *message;                /* one sentence with its numbers */
    const char *details;                /* of a fault: lines that say more; else NULL */
} Violation;

/* The lines of all launches that break a limit, those of a kernel together, worst first within it; before
 * them those at which a launch ended with a fault.
 * baseline: NULL where nothing is asked of it. */
Violation *gate_run(Arena *arena, const Profile *profile, const Profile *baseline,
                    const Limits *limits, uint32_t *count);
