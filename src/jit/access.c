/* Loads and stores whose lanes lie as was seen before: checked once for each base register, counted once
 * for each batch. See exec/tier/compiled.h. */
#include "jit/jit.h"

#include <stddef.h>
#include <string.h>

/* ---- finding groups ---- */

/* The state of a walk through a basic block. */
typedef struct Walk {
    Build *build;
    uint32_t *written; /* [register_bytes / 4]: 1 + instruction that wrote it last */
    uint32_t epoch;    /* instruction: groups do not reach back beyond it */
} Walk;

static void note_write(Walk *walk, uint32_t offset, uint32_t number) {
    if (offset != NO_OPERAND)
        walk->written[offset / 4] = number + 1;
}

static void note_writes(Walk *walk, const Code *code, uint32_t number) {
    uint8_t kind = walk->build->task->kinds[number];
    const Elements *elements = code->more;
    note_write(walk, code->d, number);
    note_write(walk, code->d2, number);
    for (uint32_t i = 0; kind == KIND_LANE && code->d == NO_OPERAND && i < code->count; i++)
        note_write(walk, code->vector[i], number);
    bool loads = (kind == KIND_ACCESS && code->insn->op != OP_st) || kind == KIND_PARAM;
    for (uint32_t i = 0; loads && i < elements->count; i++) {
        if (!elements->cell[i].sink)
            note_write(walk, elements->cell[i].offset, number);
    }
}

static uint32_t written_at(const Walk *walk, uint32_t base) {
    uint32_t number = walk->written[base / 4];
    return number > walk->epoch ? number : 0;
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

static Group *find_group(Walk *walk, const Code *code, uint32_t number) {
    Build *build = walk->build;
    const AccessShape *shapes = build->task->shapes;
    for (uint32_t i = build->groups.count; i-- > 0;) {
        Group *group = &build->groups.at[i];
        const Code *first = &build->program->code[group->first];
        if (group->epoch != walk->epoch)
            break;
        if (group->base == code->a && group->defined == written_at(walk, code->a) &&
            first->space == code->space && first->a_class == code->a_class &&
            memcmp(shapes[group->first].place, shapes[number].place, sizeof shapes[number].place) ==
                0)
            return group;
    }
    Group *group = vec_add(build->arena, &build->groups);
    *group = (Group){.first = number,
                     .base = code->a,
                     .epoch = walk->epoch,
                     .defined = written_at(walk, code->a),
                     .low = INT64_MAX,
                     .high = INT64_MIN,
                     .batch = NO_INDEX};
    return group;
}

static void join_group(Walk *walk, const Code *code, uint32_t number) {
    Build *build = walk->build;
    const Elements *elements = code->more;
    Group *group = find_group(walk, code, number);
    int64_t low, high;
    reach(code, &build->task->shapes[number], &low, &high);
    group->low = low < group->low ? low : group->low;
    group->high = high > group->high ? high : group->high;
    group->align = elements->width > group->align ? elements->width : group->align;
    group->writes |= code->insn->op == OP_st;
    group->last = number;
    build->group_of[number] = (uint32_t)(group - build->groups.at);
}

void groups_find(Build *build, uint32_t first, uint32_t end) {
    Walk walk = {.build = build, .written = build->written, .epoch = first};
    for (uint32_t number = first; number < end; number++) {
        const Code *code = &build->program->code[number];
        uint8_t kind = build->task->kinds[number];
        build->group_of[number] = NO_INDEX;
        if (kind == KIND_ACCESS && is_regular(code, &build->task->shapes[number]))
            join_group(&walk, code, number);
        else if (kind == KIND_ACCESS || kind == KIND_CALL)
            walk.epoch = number + 1;
        note_writes(&walk, code, number);
    }
}

void groups_reset(Build *build) {
    for (uint32_t i = 0; i < build->groups.count; i++) {
        build->groups.at[i].checked = false;
        build->groups.at[i].batch = NO_INDEX;
    }
}

/* ---- checking ---- */

/* Bits that differ between the base register and its shape, gathered in 256. */
static LLVMValueRef differences(Build *build, const Group *group, LLVMValueRef base) {
    const AccessShape *shape = &build->task->shapes[group->first];
    LLVMValueRef lane0 = LLVMBuildExtractElement(build->at, base, const32(build, 0), "");
    LLVMTypeRef element = LLVMTypeOf(lane0);
    uint64_t places[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        places[l] = (uint64_t)shape->place[l] & (element == build->i32 ? UINT32_MAX : UINT64_MAX);
    LLVMValueRef expected =
        LLVMBuildAdd(build->at, splat(build, lane0), lanes_constant(element, places), "");
    LLVMValueRef differs = LLVMBuildXor(build->at, base, expected, "");
    uint32_t lanes = element == build->i32 ? 8 : 4;
    LLVMValueRef all = take_lanes(build, differs, 0, 1, lanes);
    for (uint32_t first = lanes; first < WARP_LANES; first += lanes)
        all = LLVMBuildOr(build->at, all, take_lanes(build, differs, first, 1, lanes), "");
    return LLVMBuildBitCast(build->at, all, LLVMVectorType(build->i64, 4), "");
}

/* The piece of memory: the block's shared memory, or the allocation that the first access hit last. */
static void find_bounds(Build *build, const Group *group, LLVMValueRef *first, LLVMValueRef *bytes,
                        LLVMValueRef *forbidden) {
    const Code *code = &build->program->code[group->first];
    *forbidden = NULL;
    if (code->space == SPACE_SHARED) {
        *first = build->shared_first;
        *bytes = build->shared_bytes;
        return;
    }
    uint64_t row = code->site * sizeof(LastHit);
    *first = load_at(build, build->i64, build->hits, row + offsetof(LastHit, first), 8);
    *bytes = load_at(build, build->i64, build->hits, row + offsetof(LastHit, bytes), 8);
    if (group->writes)
        *forbidden = load_at(build, build->i8, build->hits, row + offsetof(LastHit, read_only), 1);
}

/* Whether the access cannot be done: misaligned, beyond its piece of memory, or read-only. */
static LLVMValueRef is_outside(Build *build, const Group *group) {
    LLVMBuilderRef at = build->at;
    LLVMValueRef first, bytes, forbidden;
    find_bounds(build, group, &first, &bytes, &forbidden);
    LLVMValueRef span = const64(build, (uint64_t)(group->high - group->low));
    LLVMValueRef low = LLVMBuildAdd(at, group->address, const64(build, (uint64_t)group->low), "");
    LLVMValueRef place = LLVMBuildSub(at, low, first, "");
    LLVMValueRef room = LLVMBuildSub(at, bytes, span, "");
    LLVMValueRef outside = LLVMBuildOr(at, LLVMBuildICmp(at, LLVMIntULT, bytes, span, ""),
                                       LLVMBuildICmp(at, LLVMIntUGT, place, room, ""), "");
    LLVMValueRef odd = LLVMBuildAnd(at, group->address, const64(build, group->align - 1), "");
    if (forbidden)
        odd = LLVMBuildOr(at, odd, LLVMBuildZExt(at, forbidden, build->i64, ""), "");
    odd = LLVMBuildICmp(at, LLVMIntNE, odd, const64(build, 0), "");
    return LLVMBuildOr(at, outside, odd, "");
}

static void add_check(Build *build, Group *group, uint32_t number, LLVMValueRef *differs,
                      LLVMValueRef *outside) {
    LLVMBuilderRef at = build->at;
    const Code *code = &build->program->code[group->first];
    LLVMValueRef base = register_read(build, group->base, code->a_class);
    LLVMValueRef lane0 = LLVMBuildExtractElement(at, base, const32(build, 0), "");
    group->address = code->a_class == CLASS_64 ? lane0 : LLVMBuildZExt(at, lane0, build->i64, "");
    LLVMValueRef more = differences(build, group, base), beyond = is_outside(build, group);
    *differs = *differs ? LLVMBuildOr(at, *differs, more, "") : more;
    *outside = *outside ? LLVMBuildOr(at, *outside, beyond, "") : beyond;
    group->checked = true;
    group->check = build->checks.count;
    *vec_add(build->arena, &build->checks) = (Check){number, group->first};
}

/* Checks the groups whose base is known before instruction `number`, and stops there if one is not as
 * expected. */
static void check_groups(Build *build, const Group *wanted, uint32_t number) {
    LLVMBuilderRef at = build->at;
    LLVMValueRef differs = NULL, outside = NULL;
    for (uint32_t i = 0; i < build->groups.count; i++) {
        Group *group = &build->groups.at[i];
        group->batch = NO_INDEX;
        if (group->epoch == wanted->epoch && !group->checked && group->last >= number &&
            group->defined <= number)
            add_check(build, group, number, &differs, &outside);
    }
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(differs));
    LLVMValueRef lanes = LLVMBuildICmp(at, LLVMIntNE, differs, zero, "");
    LLVMTypeRef bits = LLVMIntTypeInContext(build->context, 4);
    lanes = LLVMBuildBitCast(at, lanes, bits, "");
    LLVMValueRef bad = LLVMBuildICmp(at, LLVMIntNE, lanes, LLVMConstInt(bits, 0, false), "");
    bad = LLVMBuildOr(at, bad, outside, "");
    LLVMBasicBlockRef out = new_block(build, ""), go_on = new_block(build, "");
    branch_rarely(build, bad, out, go_on);
    LLVMPositionBuilderAtEnd(at, out);
    registers_store_dirty(build);
    leave(build, LEFT_BEFORE, number);
    LLVMPositionBuilderAtEnd(at, go_on);
}

/* ---- counting ---- */

static void call_note(Build *build, uint32_t batch, LLVMValueRef base) {
    LLVMBasicBlockRef note = new_block(build, ""), go_on = new_block(build, "");
    LLVMValueRef zero = const64(build, 0);
    LLVMValueRef is = LLVMBuildICmp(build->at, LLVMIntNE, build->recorded, zero, "");
    branch_rarely(build, is, note, go_on);
    LLVMPositionBuilderAtEnd(build->at, note);
    LLVMTypeRef types[3] = {build->i64, build->i64, build->i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(build->context), types, 3, false);
    LLVMValueRef worker = load_at(build, build->i64, build->warp, offsetof(Warp, worker), 8);
    LLVMValueRef function = load_at(build, build->i64, build->frame, offsetof(Frame, note), 8);
    LLVMValueRef arguments[3] = {worker, const64(build, batch), base};
    function = LLVMBuildIntToPtr(build->at, function, LLVMPointerType(type, 0), "");
    LLVMBuildCall2(build->at, type, function, arguments, 3, "");
    LLVMBuildBr(build->at, go_on);
    LLVMPositionBuilderAtEnd(build->at, go_on);
}

static void open_batch(Build *build, Group *group) {
    LLVMBuilderRef at = build->at;
    group->batch = build->batches.count;
    *vec_add(build->arena, &build->batches) = (Batch){.check = group->check};
    LLVMValueRef place = LLVMBuildAnd(at, group->address, const64(build, PLACES - 1), "");
    place = LLVMBuildShl(at, place, const64(build, 3), "");
    LLVMValueRef counter = LLVMBuildAdd(at, build->counts, place, "");
    uint64_t row = (uint64_t)group->batch * PLACES * sizeof(uint64_t);
    LLVMValueRef count = load_at(build, build->i64, counter, row, 8);
    store_at(build, LLVMBuildAdd(at, count, const64(build, 1), ""), counter, row, 8);
    call_note(build, group->batch, group->address);
}

/* ---- loads that may wait for a store of others ---- */

static LLVMValueRef field_add(Build *build, LLVMValueRef of, size_t offset, LLVMTypeRef type) {
    LLVMValueRef value = load_at(build, type, of, offset, 1);
    value = LLVMBuildAdd(build->at, value, LLVMConstInt(type, 1, false), "");
    store_at(build, value, of, offset, 1);
    return value;
}

/* warp_spins (exec/run/warp.h), and the way out that it asks for now and then. What follows is counted anew. */
static void spin(Build *build, uint32_t number) {
    LLVMBuilderRef at = build->at;
    LLVMValueRef path = load_at(build, build->i64, build->warp, offsetof(Warp, current), 8);
    LLVMValueRef activity = load_at(build, build->i64, build->warp, offsetof(Warp, activity), 8);
    store_at(build, LLVMConstInt(build->i8, 0, false), path, offsetof(Path, awaits), 1);
    field_add(build, activity, offsetof(Activity, polls), build->i64);
    LLVMValueRef spins = field_add(build, build->warp, offsetof(Warp, spins), build->i32);
    LLVMValueRef rest = LLVMBuildAnd(at, spins, const32(build, SPINS_OF_A_TURN - 1), "");
    LLVMBasicBlockRef out = new_block(build, ""), go_on = new_block(build, "");
    LLVMValueRef over = LLVMBuildICmp(at, LLVMIntEQ, rest, const32(build, 0), "");
    branch_rarely(build, over, out, go_on);
    LLVMPositionBuilderAtEnd(at, out);
    registers_store_dirty(build);
    leave(build, (Left)(LEFT_STEP + STEP_YIELD), number);
    LLVMPositionBuilderAtEnd(at, go_on);
    for (uint32_t i = 0; i < build->groups.count; i++)
        build->groups.at[i].batch = NO_INDEX;
}

bool access_inline(Build *build, const Code *code, uint32_t number) {
    if (build->mask || build->group_of[number] == NO_INDEX)
        return false;
    Group *group = &build->groups.at[build->group_of[number]];
    const Elements *elements = code->more;
    if (!group->checked)
        check_groups(build, group, number);
    if (group->batch == NO_INDEX)
        open_batch(build, group);
    *vec_add(build->arena, &build->batched) = (Member){group->batch, number};
    LLVMValueRef address = group->address;
    if (code->space == SPACE_SHARED)
        address = LLVMBuildAdd(build->at, build->shared, address, "");
    uint64_t offset = (uint64_t)code->offset + elements->skip;
    address = LLVMBuildAdd(build->at, address, const64(build, offset), "");
    const AccessShape *shape = &build->task->shapes[group->first];
    if (code->insn->op == OP_st)
        move_store(build, code, shape, address);
    else
        move_load(build, code, shape, address);
    if (elements->spins)
        spin(build, number);
    return true;
}
