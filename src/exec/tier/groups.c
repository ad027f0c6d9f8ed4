/* Which loads and stores are checked and counted together. The plug-in is built of this file, too, and calls nothing
 * else of exec. */
#include "exec/tier/groups.h"
#include "exec/access/load_store.h"

#include <string.h>

static void note_write(void *context, uint32_t number, uint32_t offset) {
    CheckGroups *groups = context;
    groups->written[offset / 4] = number + 1;
}

void code_writes(const CompileTask *task, uint32_t number, VisitWrite visit, void *context) {
    const Code *code = &task->program->code[number];
    const uint8_t kind = task->kinds[number];
    const Elements *elements = code->more;
    const uint32_t named[2] = {code->d, code->d2};
    for (uint32_t i = 0; i < 2; i++) {
        if (named[i] != NO_OPERAND)
            visit(context, number, named[i]);
    }
    for (uint32_t i = 0; kind == KIND_LANE && code->d == NO_OPERAND && i < code->count; i++) {
        if (code->vector[i] != NO_OPERAND)
            visit(context, number, code->vector[i]);
    }
    const bool loads = (kind == KIND_ACCESS && code->insn->op != OP_st) || kind == KIND_PARAM;
    for (uint32_t i = 0; loads && i < elements->count; i++) {
        if (!elements->cell[i].sink && elements->cell[i].offset != NO_OPERAND)
            visit(context, number, elements->cell[i].offset);
    }
}

static uint32_t written_at(const CheckGroups *groups, uint32_t base) {
    uint32_t number = groups->written[base / 4];
    return number > groups->epoch ? number : 0;
}

/* The bytes from lane 0's base address to the first and behind the last that any lane touches. */
static void reach(const Code *code, const AccessShape *shape, int64_t *low, int64_t *high) {
    const Elements *elements = code->more;
    *low = *high = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        *low = shape->place[l] < *low ? shape->place[l] : *low;
        *high = shape->place[l] > *high ? shape->place[l] : *high;
    }
    int64_t offset = code->offset + elements->skip;
    *low += offset;
    *high += offset + elements->width;
}

/* All lanes are aligned where lane 0's base is, and not too far apart for sums of 32 bits. */
static bool is_regular(const Code *code, const AccessShape *shape) {
    enum { FAR = 1 << 30 };
    const Elements *elements = code->more;
    uint32_t width = elements->width;
    uint64_t bits = (uint64_t)code->offset + elements->skip;
    int64_t low, high;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        bits |= (uint64_t)shape->place[l];
    reach(code, shape, &low, &high);
    return shape->state == SHAPE_FIXED && !(bits & (width - 1)) && low > -FAR && high < FAR;
}

static CheckGroup *find_group(CheckGroups *groups, const Code *code, uint32_t number) {
    const AccessShape *shapes = groups->task->shapes;
    for (uint32_t i = groups->list.count; i-- > 0;) {
        CheckGroup *group = &groups->list.at[i];
        const Code *first = &groups->task->program->code[group->first];
        if (group->epoch != groups->epoch)
            break;
        if (group->base == code->a && group->defined == written_at(groups, code->a) &&
            first->space == code->space && first->a_class == code->a_class &&
            memcmp(shapes[group->first].place, shapes[number].place, sizeof shapes[number].place) ==
                0)
            return group;
    }
    CheckGroup *group = vec_add(groups->arena, &groups->list);
    *group = (CheckGroup){.first = number,
                          .base = code->a,
                          .epoch = groups->epoch,
                          .defined = written_at(groups, code->a),
                          .low = INT64_MAX,
                          .high = INT64_MIN,
                          .batch = NO_INDEX};
    return group;
}

static void join_group(CheckGroups *groups, const Code *code, uint32_t number) {
    const Elements *elements = code->more;
    CheckGroup *group = find_group(groups, code, number);
    int64_t low, high;
    reach(code, &groups->task->shapes[number], &low, &high);
    group->low = low < group->low ? low : group->low;
    group->high = high > group->high ? high : group->high;
    group->align = elements->width > group->align ? elements->width : group->align;
    group->writes |= code->insn->op == OP_st;
    group->last = number;
    groups->of[number] = (uint32_t)(group - groups->list.at);
}

void groups_begin(CheckGroups *groups, Arena *arena, const CompileTask *task) {
    const Program *program = task->program;
    *groups = (CheckGroups){.task = task, .arena = arena};
    groups->written = NEW_ARRAY(arena, uint32_t, program->register_bytes / 4 + 1);
    groups->of = NEW_ARRAY(arena, uint32_t, program->code_count + 1);
}

void groups_find(CheckGroups *groups, uint32_t first, uint32_t end) {
    const CompileTask *task = groups->task;
    groups->list.count = 0;
    groups->epoch = first;
    for (uint32_t number = first; number < end; number++) {
        const Code *code = &task->program->code[number];
        uint8_t kind = task->kinds[number];
        groups->of[number] = NO_INDEX;
        if (kind == KIND_ACCESS && is_regular(code, &task->shapes[number]))
            join_group(groups, code, number);
        else if (kind == KIND_ACCESS || kind == KIND_CALL)
            groups->epoch = number + 1;
        code_writes(task, number, note_write, groups);
    }
}

CheckGroup *group_of(const CheckGroups *groups, uint32_t number) {
    uint32_t group = groups->of[number];
    return group == NO_INDEX ? NULL : &groups->list.at[group];
}

bool group_due(const CheckGroup *group, const CheckGroup *wanted, uint32_t number) {
    return group->epoch == wanted->epoch && !group->checked && group->last >= number &&
           group->defined <= number;
}

void groups_close(CheckGroups *groups) {
    for (uint32_t i = 0; i < groups->list.count; i++)
        groups->list.at[i].batch = NO_INDEX;
}

void groups_reset(CheckGroups *groups) {
    groups_close(groups);
    for (uint32_t i = 0; i < groups->list.count; i++)
        groups->list.at[i].checked = false;
}
