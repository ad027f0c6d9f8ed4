/* Loads and stores whose lanes lie as was seen before: checked once for each base register, counted once
 * for each batch. See exec/tier/compiled.h, and groups.h for which are checked together. */
#include "jit/jit.h"

#include <stddef.h>

/* ---- checking ---- */

static bool are_zero(const uint64_t places[WARP_LANES]) {
    uint64_t all = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        all |= places[l];
    return all == 0;
}

/* Bits that differ between the base register and its shape, gathered in 256: of what is not known of it. */
static LLVMValueRef differences(Build *build, const CheckGroup *group, LLVMValueRef base,
                                LLVMValueRef base_lane0) {
    const AccessShape *shape = &build->task->shapes[group->first];
    LLVMTypeRef element = LLVMTypeOf(base_lane0);
    uint64_t places[WARP_LANES], left[WARP_LANES], known[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        places[l] = left[l] = (uint64_t)shape->place[l];
    LLVMValueRef rest = places_reduce(build, base, left);
    LLVMValueRef lane0 = rest == base ? base_lane0 : places_lane0(build, rest);
    if (places_known(build, rest, known)) {
        for (uint32_t l = 0; l < WARP_LANES; l++)
            left[l] -= known[l];
        places_cut(build, element, left);
        LLVMTypeRef type = LLVMVectorType(build->i64, 4);
        return are_zero(left) ? LLVMConstNull(type) : LLVMConstAllOnes(type);
    }
    places_learn(build, rest, lane0, left);
    if (rest != base)
        places_learn(build, base, base_lane0, places);
    places_cut(build, element, left);
    LLVMValueRef expected = splat(build, lane0);
    if (!are_zero(left))
        expected = LLVMBuildAdd(build->at, expected, lanes_constant(element, left), "");
    LLVMValueRef differs = LLVMBuildXor(build->at, rest, expected, "");
    uint32_t lanes = element == build->i32 ? 8 : 4;
    LLVMValueRef all = take_lanes(build, differs, 0, 1, lanes);
    for (uint32_t first = lanes; first < WARP_LANES; first += lanes)
        all = LLVMBuildOr(build->at, all, take_lanes(build, differs, first, 1, lanes), "");
    return LLVMBuildBitCast(build->at, all, LLVMVectorType(build->i64, 4), "");
}

/* The piece of memory: the block's shared memory, or the allocation that the first access hit last. */
static void find_bounds(Build *build, const CheckGroup *group, LLVMValueRef *first,
                        LLVMValueRef *bytes, LLVMValueRef *forbidden) {
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
static LLVMValueRef is_outside(Build *build, const CheckGroup *group) {
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

static void add_check(Build *build, CheckGroup *group, uint32_t number, LLVMValueRef *differs,
                      LLVMValueRef *outside) {
    LLVMBuilderRef at = build->at;
    const Code *code = &build->program->code[group->first];
    LLVMValueRef base = register_read(build, group->base, code->a_class);
    LLVMValueRef lane0 = places_lane0(build, base);
    group->address = code->a_class == CLASS_64 ? lane0 : LLVMBuildZExt(at, lane0, build->i64, "");
    LLVMValueRef more = differences(build, group, base, lane0), beyond = is_outside(build, group);
    *differs = *differs ? LLVMBuildOr(at, *differs, more, "") : more;
    *outside = *outside ? LLVMBuildOr(at, *outside, beyond, "") : beyond;
    group->checked = true;
    group->check = build->checks.count;
    *vec_add(build->arena, &build->checks) = (Check){number, group->first};
}

/* Checks the groups whose base is known before instruction `number`, and stops there if one is not as
 * expected. */
static void check_groups(Build *build, const CheckGroup *wanted, uint32_t number) {
    LLVMBuilderRef at = build->at;
    LLVMValueRef differs = NULL, outside = NULL;
    for (uint32_t i = 0; i < build->groups.list.count; i++) {
        CheckGroup *group = &build->groups.list.at[i];
        group->batch = NO_INDEX;
        if (group_due(group, wanted, number))
            add_check(build, group, number, &differs, &outside);
    }
    LLVMValueRef bad = LLVMBuildOr(at, any_bit(build, differs), outside, "");
    LLVMBasicBlockRef out = new_block(build, ""), go_on = new_block(build, "");
    branch_rarely(build, bad, out, go_on);
    LLVMPositionBuilderAtEnd(at, out);
    build->failing = true;
    registers_store_needed(build, number);
    build->failing = false;
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

static void open_batch(Build *build, CheckGroup *group) {
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

/* load_spins (exec/access/load_store.h), and the way out that it asks for now and then. What follows is counted anew. */
static void spin(Build *build, uint32_t number) {
    LLVMBuilderRef at = build->at;
    LLVMBuildFence(at, LLVMAtomicOrderingAcquire, false, "");
    LLVMValueRef path = load_at(build, build->i64, build->warp, offsetof(Warp, current), 8);
    LLVMValueRef activity = load_at(build, build->i64, build->warp, offsetof(Warp, activity), 8);
    store_at(build, LLVMConstInt(build->i8, 0, false), path, offsetof(Path, awaits), 1);
    field_add(build, activity, offsetof(Activity, polls), build->i64);
    field_add(build, build->warp, offsetof(Warp, spins), build->i32);
    LLVMValueRef spins = field_add(build, build->warp, offsetof(Warp, spins_ever), build->i32);
    LLVMValueRef rest = LLVMBuildAnd(at, spins, const32(build, SPINS_OF_A_TURN - 1), "");
    LLVMBasicBlockRef out = new_block(build, ""), go_on = new_block(build, "");
    LLVMValueRef over = LLVMBuildICmp(at, LLVMIntEQ, rest, const32(build, 0), "");
    branch_rarely(build, over, out, go_on);
    LLVMPositionBuilderAtEnd(at, out);
    registers_store_needed(build, number + 1);
    leave(build, (Left)(LEFT_STEP + STEP_YIELD), number);
    LLVMPositionBuilderAtEnd(at, go_on);
    groups_close(&build->groups);
}

bool access_inline(Build *build, const Code *code, uint32_t number) {
    CheckGroup *group = build->mask ? NULL : group_of(&build->groups, number);
    if (!group)
        return false;
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
