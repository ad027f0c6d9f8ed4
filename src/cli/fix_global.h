/* fix_global: what the parts of `warplens fix` that look at global memory share: fix_global.c finds and prices, fix_global_print.c and
 * fix_global_json.c show. */
#pragma once

#include "cli/fix.h"
#include "fix/global.h"

/* The changes of a launch's accesses to global memory. */
struct GlobalPlan {
    const Profile *profile;
    uint32_t launch;
    GlobalFix *fixes;
    uint32_t count;
    uint64_t period;     /* of the second run's offsets; 0: no storage is to be priced */
    Relayout *relayouts; /* the best storage of each array that has one */
    const Change **chosen;
    uint32_t relayout_count;
    Proof proof;          /* where relayout_count, and `tried` */
    bool tried;           /* run with the storages, */
    bool of_program;      /* and the whole program with it, */
    bool varies;          /* whose results differ from run to run, too */
    const char *unpriced; /* storages that are named and not priced; NULL or "": none is */
    bool *elsewhere;      /* of each fix: it has some of these; NULL: none has */
    bool complete; /* all accesses to global memory are in the evidence: promises are exact */
};

/* ---- fix_global.c ---- */

GlobalPlan *global_look(Arena *arena, const Profile *profile, uint32_t launch);
/* Prices the storages from a profile whose offsets are told apart by the period, and chooses. */
void global_choose(Arena *arena, GlobalPlan *plan, const Profile *finer, uint32_t launch);
/* Where there is no such profile: they lose their rows, and are said in a line. */
void global_unpriced(Arena *arena, GlobalPlan *plan);
/* Is it the storage that is chosen of its array? */
bool global_is_chosen(const GlobalPlan *plan, const Change *change);
const Allocation *global_array(const GlobalPlan *plan, const Shape *shape);
/* There is excess, or a change. */
bool global_says_something(const GlobalFix *fix);
