/* Makes plans. */
#include "exec/tier/plan.h"
#include "exec/tier/groups.h"

#include <string.h>

typedef struct Planning {
    const CompileTask *task;
    Arena *arena;
    CheckGroups groups;
    VEC(PlanItem) items;
    VEC(PlanCheck) checks;
    VEC(Check) known; /* as CompiledCode.checks */
    VEC(Batch) batches;
    VEC(uint32_t) members;  /* instructions */
    VEC(uint32_t) batch_of; /* [members] */
    uint32_t *starts, *resumes;
    bool open; /* the last item is straight code that goes on */
} Planning;

static PlanItem *add_item(Planning *planning, PlanKind kind, uint32_t number) {
    PlanItem *item = vec_add(planning->arena, &planning->items);
    *item = (PlanItem){.kind = kind, .number = number};
    planning->open = false;
    return item;
}

/* ---- straight code ---- */

static void add_code(Planning *planning, uint32_t number) {
    const bool nothing = planning->task->kinds[number] == KIND_NOTHING &&
                         planning->task->program->code[number].control == CONTROL_NONE;
    if (!planning->open && nothing)
        return; /* within straight code it is stepped over (Code.stride) */
    if (!planning->open)
        add_item(planning, PLAN_CODE, number)->first = number;
    planning->items.at[planning->items.count - 1].end = number + 1;
    planning->open = true;
}

/* ---- accesses ---- */

static void add_check(Planning *planning, CheckGroup *group, uint32_t number) {
    const Code *code = &planning->task->program->code[group->first];
    const AccessShape *shape = &planning->task->shapes[group->first];
    PlanCheck *check = vec_add(planning->arena, &planning->checks);
    *check = (PlanCheck){.base = group->base,
                         .site = code->site,
                         .wide = code->a_class != 1,
                         .shared = code->space == SPACE_SHARED,
                         .writes = group->writes,
                         .align = group->align - 1,
                         .low = (uint64_t)group->low,
                         .span = (uint64_t)(group->high - group->low),
                         .place = shape->place};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        check->narrow[l] = (uint32_t)shape->place[l];
    group->checked = true;
    group->check = planning->known.count;
    *vec_add(planning->arena, &planning->known) = (Check){number, group->first};
}

static void check_groups(Planning *planning, const CheckGroup *wanted, uint32_t number) {
    PlanItem *item = add_item(planning, PLAN_CHECK, number);
    item->first = planning->checks.count;
    groups_close(&planning->groups);
    for (uint32_t i = 0; i < planning->groups.list.count; i++) {
        CheckGroup *group = &planning->groups.list.at[i];
        if (group_due(group, wanted, number))
            add_check(planning, group, number);
    }
    item->end = planning->checks.count;
}

static PlanLanes find_lanes(PlanItem *item) {
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = (uint64_t)item->place[l];
    item->pattern = pattern_of(address, FULL_MASK);
    bool one = item->elements->count == 1 && item->pattern.affine;
    if (one && item->pattern.stride[0] == item->elements->bytes)
        return LANES_ROW;
    if (one && item->pattern.stride[0] == 0)
        return LANES_SAME;
    return item->pattern.affine || item->pattern.halves ? LANES_RUNS : LANES_ANY;
}

static PlanItem *add_at(Planning *planning, PlanKind kind, uint32_t number) {
    const Code *code = &planning->task->program->code[number];
    PlanItem *item = add_item(planning, kind, number);
    item->base = code->a;
    item->wide = code->a_class != 1;
    return item;
}

static void count_batch(Planning *planning, CheckGroup *group, uint32_t number) {
    if (group->batch == NO_INDEX) {
        group->batch = planning->batches.count;
        *vec_add(planning->arena, &planning->batches) = (Batch){.check = group->check};
        add_at(planning, PLAN_COUNT, number)->first = group->batch;
    }
    *vec_add(planning->arena, &planning->members) = number;
    *vec_add(planning->arena, &planning->batch_of) = group->batch;
}

static void add_move(Planning *planning, const CheckGroup *group, uint32_t number) {
    const Code *code = &planning->task->program->code[number];
    const Elements *elements = code->more;
    PlanItem *item = add_at(planning, elements->spins ? PLAN_SPIN : PLAN_MOVE, number);
    item->elements = elements;
    item->registers = elements->cell[0].offset;
    item->shared = code->space == SPACE_SHARED;
    item->writes = code->insn->op == OP_st;
    item->offset = (uint64_t)code->offset + elements->skip;
    item->place = planning->task->shapes[group->first].place;
    item->lanes = (uint8_t)find_lanes(item);
    item->move = ops_plan_move(item);
    if (elements->spins)
        groups_close(&planning->groups);
}

/* false: it leaves there, whatever follows. */
static bool add_access(Planning *planning, uint32_t number) {
    CheckGroup *group = group_of(&planning->groups, number);
    if (!group && planning->task->shapes[number].state == SHAPE_UNSEEN) {
        add_item(planning, PLAN_LEAVE, number);
        return false;
    }
    if (!group) {
        add_code(planning, number);
        groups_reset(&planning->groups);
        return true;
    }
    if (!group->checked)
        check_groups(planning, group, number);
    count_batch(planning, group, number);
    add_move(planning, group, number);
    return true;
}

/* ---- basic blocks ---- */

static bool add_insn(Planning *planning, uint32_t number) {
    const Code *code = &planning->task->program->code[number];
    uint8_t kind = planning->task->kinds[number];
    if (kind == KIND_ACCESS)
        return add_access(planning, number);
    if (kind == KIND_CALL) {
        groups_reset(&planning->groups);
        if (op_has(code->insn->op, TRAIT_WAITS)) {
            planning->open = false;
            planning->resumes[number] = planning->items.count;
        }
    }
    add_code(planning, number);
    return true;
}

static void add_block(Planning *planning, uint32_t number) {
    const Program *program = planning->task->program;
    const Block *block = &program->blocks[number];
    uint32_t end = block->first + block->count;
    bool ends = program->code[end - 1].control != CONTROL_NONE;
    if (!ends && block->successor[0] == NO_INDEX)
        return;
    planning->starts[number] = planning->items.count;
    planning->open = false;
    groups_find(&planning->groups, block->first, end - ends);
    for (uint32_t i = block->first; i < end - ends; i++) {
        if (!add_insn(planning, i))
            return;
    }
    add_item(planning, PLAN_END, end - 1);
}

/* ---- the whole ---- */

/* The members of each batch, one behind the other. */
static const uint32_t *sort_members(Planning *planning) {
    Batch *batches = planning->batches.at;
    uint32_t *sorted = NEW_ARRAY(planning->arena, uint32_t, planning->members.count + 1);
    for (uint32_t i = 0; i < planning->members.count; i++)
        batches[planning->batch_of.at[i]].count++;
    for (uint32_t b = 0, first = 0; b < planning->batches.count; b++) {
        batches[b].first = first;
        first += batches[b].count;
        batches[b].count = 0;
    }
    for (uint32_t i = 0; i < planning->members.count; i++) {
        Batch *batch = &batches[planning->batch_of.at[i]];
        sorted[batch->first + batch->count++] = planning->members.at[i];
    }
    return sorted;
}

static const bool *there(Arena *arena, const uint32_t *items, uint32_t count) {
    bool *are = NEW_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++)
        are[i] = items[i] != NO_INDEX;
    return are;
}

static const PlanBlock *blocks_of(const Planning *planning) {
    const Program *program = planning->task->program;
    PlanBlock *blocks = NEW_ARRAY(planning->arena, PlanBlock, program->block_count + 1);
    for (uint32_t b = 0; b < program->block_count; b++) {
        const Block *block = &program->blocks[b];
        const Code *last = &program->code[block->first + block->count - 1];
        const bool branches = last->control == CONTROL_BRANCH;
        blocks[b] =
            (PlanBlock){.item = planning->starts[b],
                        .first = block->first,
                        .last = block->first + block->count - 1,
                        .count = block->count,
                        .guard = last->control == CONTROL_NONE ? NO_OPERAND : last->guard,
                        .flip = last->guard_flip,
                        .successor = {block->successor[0], block->successor[1]},
                        .leads = branches && last->guard != NO_OPERAND,
                        .goes_on = last->control == CONTROL_NONE || branches ||
                                   (last->control == CONTROL_EXIT && last->guard != NO_OPERAND),
                        .is_quiet = program->quiet[b] != 0};
    }
    return blocks;
}

static CompiledCode *code_of(Planning *planning) {
    const Program *program = planning->task->program;
    Plan *plan = NEW(planning->arena, Plan);
    CompiledCode *code = NEW(planning->arena, CompiledCode);
    *plan = (Plan){.blocks = blocks_of(planning),
                   .resumes = planning->resumes,
                   .items = planning->items.at,
                   .checks = planning->checks.at};
    bool *none = NEW_ARRAY(planning->arena, bool, program->code_count + program->block_count + 1);
    *code = (CompiledCode){
        .all = {ops_plan(), there(planning->arena, planning->starts, program->block_count),
                there(planning->arena, planning->resumes, program->code_count)},
        .some = {ops_plan(), none, none},
        .check_count = planning->known.count,
        .batch_count = planning->batches.count,
        .checks = planning->known.at,
        .batches = planning->batches.at,
        .members = sort_members(planning),
        .shapes = planning->task->shapes,
        .plan = plan,
    };
    return code;
}

CompiledCode *plan_make(Arena *arena, const CompileTask *task) {
    const Program *program = task->program;
    Planning planning = {.task = task, .arena = arena};
    planning.starts = NEW_ARRAY(arena, uint32_t, program->block_count + 1);
    planning.resumes = NEW_ARRAY(arena, uint32_t, program->code_count + 1);
    memset(planning.starts, 0xff, program->block_count * sizeof *planning.starts);
    memset(planning.resumes, 0xff, program->code_count * sizeof *planning.resumes);
    groups_begin(&planning.groups, arena, task);
    for (uint32_t b = 0; b < program->block_count; b++) {
        if (task->wanted[b])
            add_block(&planning, b);
    }
    return code_of(&planning);
}
