/* groups.h: the accesses of straight code that share their base register and how their lanes lie: one Check, and
 * Batches (compiled.h). For whatever makes code of a CompileTask. */
#pragma once

#include "exec/tier/compiled.h"

typedef struct CheckGroup {
    uint32_t first;    /* instruction; its shape is the group's */
    uint32_t last;     /* instruction */
    uint32_t epoch;    /* instruction: no call lies between it and the group */
    uint32_t defined;  /* 1 + the instruction that gave the base its value; 0: it is older */
    uint32_t base;     /* register */
    int64_t low, high; /* bytes around lane 0's address that are touched */
    uint32_t align;
    bool writes, checked;
    void *address;  /* of lane 0, when checked: what the maker of code keeps of it */
    uint32_t check; /* number */
    uint32_t batch; /* the open one; NO_INDEX: none */
} CheckGroup;

typedef struct CheckGroups {
    const CompileTask *task;
    Arena *arena;
    VEC(CheckGroup) list; /* of the basic block */
    uint32_t *of;         /* [code]: its group; NO_INDEX: none */
    uint32_t *written;    /* [register_bytes / 4]: 1 + instruction that wrote it last */
    uint32_t epoch;       /* instruction: groups do not reach back beyond it */
} CheckGroups;

/* Calls visit for each register that the instruction writes, predicates too, whatever its guard. */
typedef void (*VisitWrite)(void *context, uint32_t number, uint32_t offset);
void code_writes(const CompileTask *task, uint32_t number, VisitWrite visit, void *context);

void groups_begin(CheckGroups *groups, Arena *arena, const CompileTask *task);
/* Those of a basic block's instructions. */
void groups_find(CheckGroups *groups, uint32_t first, uint32_t end);
CheckGroup *group_of(const CheckGroups *groups,
                     uint32_t number); /* of an instruction; NULL: none */
/* Before instruction `number` the group `wanted` is to be checked; can this one be, too? */
bool group_due(const CheckGroup *group, const CheckGroup *wanted, uint32_t number);
/* The code may stop here: what follows is counted anew. */
void groups_close(CheckGroups *groups);
/* A call was made: what was checked may be otherwise now. */
void groups_reset(CheckGroups *groups);
