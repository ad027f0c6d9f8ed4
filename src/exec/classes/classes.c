/* Which blocks run, and for how many each stands. */
#include "account/again.h"
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
    Counters *counters;     /* [sites]: of the block that ran */
    BlockCount *blocks;     /* [basic blocks] */
    Transcript *transcript; /* of a block that was recorded; NULL: of none, or of too much */
    int64_t *noted;         /* [transcript_kinds]: the sums of that block */
    struct Class *noted_of; /* that block by its own conditions, if it is not the class's */
    uint64_t later;         /* blocks of Classes.later that are still to come */
} Class;

/* A block that is recorded and belongs to a class. */
typedef struct Later {
    uint64_t k, class;
} Later;

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
    VEC(Later) later; /* they come last */
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

static bool is_recorded(const Run *run, uint64_t k) {
    return run->evidence_step && k % run->evidence_step == 0;
}

static uint32_t record_number(const Run *run, uint64_t k) {
    return (uint32_t)(k / run->evidence_step);
}

/* Estimates of caches and of time look at what warps execute. */
static bool transcripts_help(const Run *run) {
    return run->recorded > 1 && !run->caches && !run->timed;
}

static Transcript *begin_transcript(Classes *classes) {
    Transcript *transcript = transcript_new(classes->arena);
    account_transcribe(&classes->worker->account, transcript);
    return transcript;
}

/* The k-th block, which is followed, has ended: other blocks of the class need not run for their evidence. */
static void end_transcript(Classes *classes, Class *class, Transcript *transcript, uint64_t k) {
    Follower *follower = &classes->follower;
    Account *account = &classes->worker->account;
    transcript_end(transcript, account, record_number(classes->run, k));
    const uint32_t kinds = transcript_kinds(transcript);
    bool good = !transcript_full(transcript) && !evidence_left_out(account->evidence);
    class->noted = NEW_ARRAY(classes->arena, int64_t, kinds);
    for (uint32_t i = 0; good && i < kinds; i++) {
        int64_t sums[WARP_LANES];
        uint32_t moves = transcript_moves(transcript, i);
        good = !(batch_sums(follower->symbols, follower->own, moves, sums) & 1);
        class->noted[i] = sums[0];
    }
    class->transcript = good ? transcript : NULL;
}

/* The k-th block runs, and becomes a class while there is room. false: that ends it all. */
static bool run_block(Classes *classes, uint64_t k) {
    Follower *follower = &classes->follower;
    follower->following = classes->list.count < CLASSES_MOST;
    Transcript *transcript = NULL;
    if (follower->following) {
        begin_following(follower, k);
        note_before(classes);
    }
    if (follower->following && is_recorded(classes->run, k) && transcripts_help(classes->run))
        transcript = begin_transcript(classes);
    bool good = worker_run_unit(classes->worker, k);
    if (transcript)
        account_transcribe(&classes->worker->account, NULL);
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
    if (transcript)
        end_transcript(classes, class, transcript, k);
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

/* Blocks that are recorded and belong to a class come at the end, which cannot fail. */
static bool run_recorded(Classes *classes, uint64_t first, uint32_t count) {
    for (uint32_t l = 0; l < count; l++) {
        uint64_t i = 0;
        if (!is_recorded(classes->run, first + l))
            continue;
        while (i < classes->list.count &&
               !belonging(classes, &classes->list.at[classes->order[i]], 1u << l))
            i++;
        if (i < classes->list.count) {
            *vec_add(classes->arena, &classes->later) = (Later){first + l, classes->order[i]};
            classes->list.at[classes->order[i]].later++;
        } else if (!run_block(classes, first + l)) {
            return false;
        }
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

/* Writes down what the k-th block, of the class, would have recorded. false: it is not known. */
static bool repeat_transcript(Classes *classes, const Class *class, uint64_t k) {
    if (!class->transcript || evidence_left_out(classes->worker->account.evidence))
        return false;
    const uint32_t kinds = transcript_kinds(class->transcript);
    int64_t *by = NEW_ARRAY(classes->arena, int64_t, kinds);
    batch_begin(classes->follower.symbols, classes->batch, k, 1);
    classes->batches++;
    if (class->noted_of && !belonging(classes, class->noted_of, 1))
        return false;
    for (uint32_t i = 0; i < kinds; i++) {
        const Sums *sums = sums_of(classes, transcript_moves(class->transcript, i));
        if (sums->bad & 1 || __builtin_sub_overflow(sums->at[0], class->noted[i], &by[i]))
            return false;
    }
    transcript_repeat(class->transcript, &classes->worker->account, record_number(classes->run, k),
                      by);
    return true;
}

/* A block that belongs to the class: followed where turns of its loops need not be executed, or where others can be written down
 * after it. */
static bool run_known(Classes *classes, Class *class, uint64_t k) {
    Follower *follower = &classes->follower;
    Worker *worker = classes->worker;
    Run *run = classes->run;
    const bool slow[2] = {run->slow_shared, run->slow_global};
    const bool transcript_pays = class->later > 0 && !class->noted && transcripts_help(run);
    const bool follows = transcript_pays || turns_found(follower->turns);
    Transcript *transcript = NULL;
    classes->ran++;
    worker->follower = follows ? follower : NULL;
    worker->looks = follower->following = follows;
    if (follows) {
        run->slow_shared = run->slow_global = true;
        begin_following(follower, k);
    }
    if (transcript_pays)
        transcript = begin_transcript(classes);
    bool good = worker_run_unit(worker, k);
    if (transcript) {
        account_transcribe(&worker->account, NULL);
        turns_end(follower);
        class->noted_of = NEW(classes->arena, Class);
        find_own(classes, class->noted_of);
        end_transcript(classes, class, transcript, k);
    }
    run->slow_shared = slow[0];
    run->slow_global = slow[1];
    worker->follower = NULL;
    worker->looks = false;
    return good;
}

static bool run_later(Classes *classes) {
    bool good = true;
    for (uint32_t i = 0; good && i < classes->later.count; i++) {
        const Later *one = &classes->later.at[i];
        Class *class = &classes->list.at[one->class];
        bool repeated = repeat_transcript(classes, class, one->k);
        class->members += repeated;
        classes->members += repeated;
        class->later--;
        good = repeated || run_known(classes, class, one->k);
    }
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
        run->slow_shared = slow[0];
        run->slow_global = slow[1];
        done = done && run_later(classes);
        if (done)
            add_members(classes);
        else
            put_back(follower);
    }
    result->representatives = done ? classes->ran * run->cluster_size : 0;
    result->executed_because = done ? NULL : because_of(run, insn, because);
    free(follower->old);
    arena_free(arena);
    return done;
}
