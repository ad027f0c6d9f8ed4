/* Which blocks run, and for how many each stands. */
#include "exec/classes/turns.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIED = 128, /* blocks that were followed, before it is looked whether they stand for others */
    CLASSES_MOST = 1024
};
#define KEPT_MOST (UINT64_C(1) << 30) /* bytes that blocks may write */

/* A condition, with the sum of the block that it is from. */
typedef struct Condition {
    Need need;
    int64_t own;
} Condition;

typedef struct Class {
    Condition *conditions;
    uint32_t count;
    bool open; /* others may belong to it */
    uint64_t members;
    Counters *counters; /* [sites]: of the block that ran */
    BlockCount *blocks; /* [basic blocks] */
} Class;

/* Sums of a linear in the blocks that are looked at. */
typedef struct Sums {
    uint64_t batch;
    uint32_t bad;
    int64_t at[WARP_LANES];
} Sums;

typedef struct Classes {
    Follower follower;
    Arena *arena;
    Run *run;
    Worker *worker;
    VEC(Class) list;
    uint64_t *order; /* classes, those that were met last first */
    BlockBatch *batch;
    uint64_t batches;
    Sums **sums; /* [sums_size]: by linear */
    uint32_t sums_size;
    VEC(uint64_t) later; /* blocks that are recorded and belong to a class: they run last */
    uint64_t ran, members;
    Counters *counters_before;
    BlockCount *blocks_before;
} Classes;

/* ---- the launch ---- */

/* Because of what kind of launch it is. */
static const char *objection(const Run *run) {
    const Launch *launch = run->launch;
    if (!launch->counting)
        return "nothing is counted";
    if (launch->relayout_count || launch->observer || launch->sanitizer)
        return "the launch is changed or looked at";
    if (launch->cooperative || run->grid_barrier)
        return "its blocks wait for each other";
    if (launch->child)
        return "a kernel launched it";
    if (launch->sample)
        return "it is sampled";
    if (run->evidence_step == 1)
        return "each of its blocks is recorded";
    return NULL;
}

static void prepare(Classes *classes, Run *run, Arena *arena) {
    const Program *program = run->program;
    const uint32_t *block = run->launch->block;
    Follower *follower = &classes->follower;
    classes->arena = arena;
    classes->run = run;
    classes->worker = &run->workers[0];
    classes->order = NEW_ARRAY(arena, uint64_t, CLASSES_MOST);
    classes->batch = batch_new(arena);
    classes->counters_before = NEW_ARRAY(arena, Counters, program->site_count + 1);
    classes->blocks_before = NEW_ARRAY(arena, BlockCount, program->block_count + 1);
    follower->arena = arena;
    follower->run = run;
    follower->program = program;
    follower->forms = forms_new(arena);
    follower->symbols = symbols_new(arena, follower->forms, run);
    follower->own = batch_new(arena);
    follower->turns = turns_new(arena, run, follower->meanings);
    follower->warps = (block[0] * block[1] * block[2] + WARP_LANES - 1) / WARP_LANES;
}

/* ---- a block that runs ---- */

static void begin_following(Follower *follower, uint64_t k) {
    for (uint32_t i = 0; i < follower->wanted.count; i++)
        follower->wanted_of[follower->wanted.at[i].linear] = 0;
    follower->wanted.count = 0;
    if (follower->met_size)
        memset(follower->met, 0, follower->met_size);
    follower->gathered = FORM_SAME;
    batch_begin(follower->symbols, follower->own, k, 1);
    shadow_begin(follower);
    turns_begin(follower);
}

static void find_own(Classes *classes, Class *class) {
    Follower *follower = &classes->follower;
    class->open = true;
    class->count = follower->wanted.count;
    class->conditions = NEW_ARRAY(classes->arena, Condition, class->count + 1);
    for (uint32_t i = 0; i < class->count; i++) {
        int64_t sums[WARP_LANES];
        const Need *need = &follower->wanted.at[i];
        uint32_t bad = batch_sums(follower->symbols, follower->own, (uint32_t)need->linear, sums);
        class->conditions[i] = (Condition){*need, sums[0]};
        class->open &= !(bad & 1);
    }
}

static void note_before(Classes *classes) {
    const Program *program = classes->run->program;
    for (uint32_t s = 0; s < program->site_count; s++)
        classes->counters_before[s] = classes->worker->account.sites[s].sum;
    memcpy(classes->blocks_before, classes->worker->block_counts,
           program->block_count * sizeof(BlockCount));
}

static void note_own(Classes *classes, Class *class) {
    const Program *program = classes->run->program;
    class->counters = NEW_ARRAY(classes->arena, Counters, program->site_count + 1);
    class->blocks = NEW_ARRAY(classes->arena, BlockCount, program->block_count + 1);
    for (uint32_t s = 0; s < program->site_count; s++)
        for (uint32_t i = 0; i < COUNTER_COUNT; i++)
            class->counters[s].at[i] =
                classes->worker->account.sites[s].sum.at[i] - classes->counters_before[s].at[i];
    for (uint32_t b = 0; b < program->block_count; b++) {
        const BlockCount *now = &classes->worker->block_counts[b];
        class->blocks[b].warps = now->warps - classes->blocks_before[b].warps;
        class->blocks[b].lanes = now->lanes - classes->blocks_before[b].lanes;
    }
}

/* The k-th block runs, and becomes a class while there is room. false: that ends it all. */
static bool run_block(Classes *classes, uint64_t k) {
    Follower *follower = &classes->follower;
    follower->following = classes->list.count < CLASSES_MOST;
    if (follower->following) {
        begin_following(follower, k);
        note_before(classes);
    }
    bool good = worker_run_unit(classes->worker, k);
    turns_end(follower);
    classes->ran++;
    if (!good || follower->because)
        return false;
    if (follower->old_used > KEPT_MOST)
        return give_up(follower, NULL, "its blocks write too much");
    if (forms_many(follower->forms))
        return give_up(follower, NULL, "its blocks are too long");
    if (!follower->following)
        return true;
    classes->order[classes->list.count] = classes->list.count;
    Class *class = vec_add(classes->arena, &classes->list);
    *class = (Class){0};
    find_own(classes, class);
    note_own(classes, class);
    bool pays = classes->list.count < TRIED || classes->members >= 2 * classes->ran;
    return pays || give_up(follower, NULL, "its blocks are of too many kinds");
}

/* ---- blocks that need not ---- */

static const Sums *sums_of(Classes *classes, uint32_t linear) {
    if (linear >= classes->sums_size) {
        uint32_t size = 2 * linear + 64;
        Sums **more = NEW_ARRAY(classes->arena, Sums *, size);
        if (classes->sums_size)
            memcpy(more, classes->sums, classes->sums_size * sizeof *more);
        classes->sums = more;
        classes->sums_size = size;
    }
    Sums **sums = &classes->sums[linear];
    if (!*sums)
        *sums = NEW(classes->arena, Sums);
    if ((*sums)->batch != classes->batches) {
        (*sums)->batch = classes->batches;
        (*sums)->bad = batch_sums(classes->follower.symbols, classes->batch, linear, (*sums)->at);
    }
    return *sums;
}

/* Of the blocks of the mask those that satisfy the condition. */
static uint32_t satisfying(Classes *classes, const Condition *condition, uint32_t mask) {
    const Need *need = &condition->need;
    const Sums *sums = sums_of(classes, (uint32_t)need->linear);
    const bool is_power = (need->modulus & (need->modulus - 1)) == 0;
    uint32_t good = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        int64_t moved;
        bool fits = !__builtin_sub_overflow(sums->at[l], condition->own, &moved);
        bool multiple = is_power ? (moved & (int64_t)(need->modulus - 1)) == 0
                                 : moved % (int64_t)need->modulus == 0;
        fits = fits & multiple & (moved >= need->low) & (moved <= need->high);
        good |= (uint32_t)fits << l;
    }
    return mask & good & ~sums->bad;
}

static uint32_t belonging(Classes *classes, const Class *class, uint32_t mask) {
    for (uint32_t i = 0; class->open && mask && i < class->count; i++)
        mask = satisfying(classes, &class->conditions[i], mask);
    return class->open ? mask : 0;
}

/* Takes blocks that belong to known classes out of the mask. */
static uint32_t sort_out(Classes *classes, uint32_t mask) {
    for (uint32_t i = 0; mask && i < classes->list.count; i++) {
        uint64_t number = classes->order[i];
        Class *class = &classes->list.at[number];
        uint32_t found = belonging(classes, class, mask);
        class->members += (uint32_t)__builtin_popcount(found);
        classes->members += (uint32_t)__builtin_popcount(found);
        mask &= ~found;
        if (found && i) {
            classes->order[i] = classes->order[i / 2];
            classes->order[i / 2] = number;
        }
    }
    return mask;
}

static bool is_recorded(const Run *run, uint64_t k) {
    return run->evidence_step && k % run->evidence_step == 0;
}

/* Blocks that are recorded run in any case; those that belong to a class at the end, which cannot fail. */
static bool run_recorded(Classes *classes, uint64_t first, uint32_t count) {
    for (uint32_t l = 0; l < count; l++) {
        bool known = false;
        if (!is_recorded(classes->run, first + l))
            continue;
        for (uint32_t i = 0; i < classes->list.count && !known; i++)
            known = belonging(classes, &classes->list.at[classes->order[i]], 1u << l);
        if (known)
            *vec_add(classes->arena, &classes->later) = first + l;
        else if (!run_block(classes, first + l))
            return false;
    }
    return true;
}

static bool run_all(Classes *classes) {
    const Run *run = classes->run;
    for (uint64_t first = 0; first < run->count; first += WARP_LANES) {
        uint64_t left = run->count - first;
        uint32_t count = left < WARP_LANES ? (uint32_t)left : WARP_LANES, mask = 0;
        batch_begin(classes->follower.symbols, classes->batch, first, count);
        classes->batches++;
        if (!run_recorded(classes, first, count))
            return false;
        for (uint32_t l = 0; l < count; l++)
            mask |= (uint32_t)!is_recorded(run, first + l) << l;
        while ((mask = sort_out(classes, mask)) != 0) {
            if (!run_block(classes, first + (uint32_t)__builtin_ctz(mask)))
                return false;
            mask &= mask - 1;
        }
    }
    return true;
}

/* ---- the end ---- */

static void add_members(Classes *classes) {
    const Program *program = classes->run->program;
    Worker *worker = classes->worker;
    for (uint32_t c = 0; c < classes->list.count; c++) {
        const Class *class = &classes->list.at[c];
        for (uint32_t s = 0; class->members && s < program->site_count; s++)
            for (uint32_t i = 0; i < COUNTER_COUNT; i++)
                worker->account.sites[s].sum.at[i] += class->members * class->counters[s].at[i];
        for (uint32_t b = 0; class->members && b < program->block_count; b++) {
            worker->block_counts[b].warps += class->members * class->blocks[b].warps;
            worker->block_counts[b].lanes += class->members * class->blocks[b].lanes;
        }
    }
    worker->ended += classes->members * classes->run->cluster_size;
}

/* They are followed only where turns of their loops need not be executed. */
static bool run_later(Classes *classes) {
    Follower *follower = &classes->follower;
    const bool follows = turns_found(follower->turns);
    bool good = true;
    classes->ran += classes->later.count;
    classes->worker->follower = follows ? follower : NULL;
    classes->worker->looks = follower->following = follows;
    for (uint32_t i = 0; good && i < classes->later.count; i++) {
        if (follows)
            begin_following(follower, classes->later.at[i]);
        good = worker_run_unit(classes->worker, classes->later.at[i]);
    }
    classes->worker->follower = NULL;
    classes->worker->looks = false;
    return good;
}

/* May what they write stay without its values? Blocks that did not run write to the same allocations. */
static bool may_leave(Follower *follower) {
    const Launch *launch = follower->run->launch;
    const MemoryBlock *last = NULL;
    for (uint32_t i = 0; launch->leave && i < follower->written.count; i++) {
        const uint64_t address = follower->written.at[i].address;
        if (last && address - last->address < last->bytes)
            continue;
        last = memory_find(launch->memory, address, NULL);
        if (last && !launch->leave(launch->leave_context, last))
            return give_up(follower, NULL, "it writes to memory that the host may read");
    }
    return true;
}

/* Backwards, so that what was there first comes last. */
static void put_back(const Follower *follower) {
    for (uint32_t i = follower->written.count; i-- > 0;) {
        const Written *written = &follower->written.at[i];
        memcpy((void *)(uintptr_t)written->address, follower->old + written->at, written->bytes);
    }
}

/* "an address depends on data: scan.cu:12: ld.global.u32 %r1, [%rd4]": the kernel's own line, where it was inlined. */
static const char *because_of(const Run *run, const Insn *insn, const char *because) {
    Arena *arena = run->launch->scratch ? run->launch->scratch : run->kernel->module->arena;
    if (!insn)
        return because;
    const Module *module = run->kernel->module;
    const char *file = module->name, *text = insn_text(arena, insn);
    uint32_t line = insn->line;
    uint32_t location = insn->location;
    while (location != NO_LOCATION && module->locations.at[location].inlined_at != NO_LOCATION)
        location = module->locations.at[location].inlined_at;
    if (location != NO_LOCATION) {
        const SourceLocation *place = &module->locations.at[location];
        const char *named = module_file(module, place->file);
        file = named ? named : file;
        line = named ? place->line : line;
    }
    return arena_printf(arena, "%s: %s:%u: %s", because, file, line, text);
}

bool classes_execute(Run *run, LaunchResult *result) {
    const char *because = objection(run);
    const Insn *insn = NULL;
    Arena *arena = arena_new();
    Classes *classes = NEW(arena, Classes);
    Follower *follower = &classes->follower;
    bool done = false;
    if (!because) {
        follower->meanings = meanings_find(arena, run->program);
        bool slow[2] = {run->slow_shared, run->slow_global};
        prepare(classes, run, arena);
        run->slow_shared = run->slow_global = true;
        worker_ready(classes->worker, run, 0);
        classes->worker->follower = follower;
        classes->worker->looks = true;
        done = run_all(classes) && may_leave(follower);
        because = follower->because             ? follower->because
                  : classes->worker->fault.kind ? "a block faults"
                                                : "it was interrupted";
        insn = follower->insn;
        classes->worker->follower = NULL;
        classes->worker->looks = false;
        if (!turns_found(follower->turns)) {
            run->slow_shared = slow[0];
            run->slow_global = slow[1];
        }
        if (done)
            add_members(classes);
        done = done && run_later(classes);
        run->slow_shared = slow[0];
        run->slow_global = slow[1];
        if (!done)
            put_back(follower);
    }
    result->representatives = done ? classes->ran * run->cluster_size : 0;
    result->executed_because = done ? NULL : because_of(run, insn, because);
    free(follower->old);
    arena_free(arena);
    return done;
}
