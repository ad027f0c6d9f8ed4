/* plan.h: the first tier. A Program's basic blocks as prepared items: pieces of straight code that the interpreter's
 * functions execute, and between them loads and stores that are checked together, moved as their lanes are known to lie, and counted
 * by batch (compiled.h). It is made in microseconds, without a compiler, and it stops where other compiled code would.
 * docs/decisions/0107-plans.md has the reasons. Private to exec. */
#pragma once

#include "exec/access/load_store.h"
#include "exec/tier/compiled.h"

/* A Check, as far as it is not the same whenever it is looked at. */
typedef struct PlanCheck {
    uint32_t base, site;
    bool wide; /* the register has 64 bits */
    bool shared, writes;
    uint64_t align;              /* - 1 */
    uint64_t low, span;          /* from lane 0's address to the first byte; bytes from there on */
    const int64_t *place;        /* [lanes]: wide */
    uint32_t narrow[WARP_LANES]; /* else */
} PlanCheck;

typedef enum PlanKind {
    PLAN_CODE,  /* instructions first … end-1, by their functions */
    PLAN_CHECK, /* checks first … end-1, or leave before `number` */
    PLAN_COUNT, /* once more the batch `first` */
    PLAN_MOVE,  /* the load or store `number` */
    PLAN_SPIN,  /* the same; it may wait for a store of others */
    PLAN_LEAVE, /* before `number` */
    PLAN_END    /* of the basic block */
} PlanKind;

/* How the lanes of an access lie. */
typedef enum PlanLanes {
    LANES_ROW,  /* one element for each, one beside the other */
    LANES_SAME, /* … all at one place */
    LANES_RUNS, /* the pattern is one or two runs */
    LANES_ANY
} PlanLanes;

typedef struct PlanItem PlanItem;
/* host: where lane 0's first byte lies in this process's memory. */
typedef void PlanMove(const Warp *warp, const PlanItem *item, uintptr_t host);
struct PlanItem {
    PlanKind kind;
    uint32_t number, first, end;
    /* PLAN_COUNT, PLAN_MOVE */
    uint32_t base; /* register with the addresses */
    bool wide;     /* of 64 bits */
    bool shared;
    bool writes;
    uint8_t lanes;      /* PlanLanes */
    uint32_t registers; /* of the first element */
    uint64_t offset;    /* from lane 0's address to its first byte */
    PlanMove *move;
    const Elements *elements;
    const int64_t *place; /* [lanes] */
    Pattern pattern;      /* from lane 0's first byte */
};

/* A basic block: what is asked at its end, and where the next one begins, side by side. */
typedef struct PlanBlock {
    uint32_t item; /* its first; NO_INDEX: none */
    uint32_t first, last, count;
    uint32_t guard, flip; /* of its last instruction, as in Code */
    uint32_t successor[2];
    bool leads;    /* its end sends all lanes that its guard takes to successor[1] … */
    bool goes_on;  /* … and those that stay to successor[0]; else the interpreter decides */
    bool is_quiet; /* Program.quiet */
} PlanBlock;

struct Plan {
    const PlanBlock *blocks; /* [basic blocks] */
    const uint32_t *resumes; /* [code]: item; NO_INDEX: none */
    const PlanItem *items;
    const PlanCheck *checks;
};

/* Code of the task that a Frame's plan drives; nothing of it lies outside the arena, but for what the task points to. */
CompiledCode *plan_make(Arena *arena, const CompileTask *task);

/* ops_plan.c: the CompiledRun of all plans, and what moves an item's elements. Built for this processor; see ops.c. */
CompiledRun ops_plan(void);
PlanMove *ops_plan_move(const PlanItem *item);

/* The same for each level that was built. */
PlanMove *ops_plan_move_v2(const PlanItem *item);
PlanMove *ops_plan_move_v3(const PlanItem *item);
PlanMove *ops_plan_move_v4(const PlanItem *item);
PlanMove *ops_plan_move_plain(const PlanItem *item);
uint64_t ops_plan_v2(Warp *warp, uint8_t *registers, const Frame *frame, uint64_t entry,
                     uint64_t mask);
uint64_t ops_plan_v3(Warp *warp, uint8_t *registers, const Frame *frame, uint64_t entry,
                     uint64_t mask);
uint64_t ops_plan_v4(Warp *warp, uint8_t *registers, const Frame *frame, uint64_t entry,
                     uint64_t mask);
uint64_t ops_plan_plain(Warp *warp, uint8_t *registers, const Frame *frame, uint64_t entry,
                        uint64_t mask);
