/* Basic blocks: counted where they begin, their instructions one after the other, and the way on. Values
 * do not live from one basic block to the next: registers that are read later are stored at its end, so each block can be
 * entered from the interpreter, and compiling takes time in proportion to the instructions. */
#include "jit/jit.h"

#include <stddef.h>

/* ---- the way in ---- */

static LLVMValueRef frame_field(Build *build, size_t offset) {
    return load_at(build, build->i64, build->frame, offset, 8);
}

static void read_frame(Build *build) {
    build->path_lanes = frame_field(build, offsetof(Frame, lanes));
    build->block_counts = frame_field(build, offsetof(Frame, block_counts));
    build->counts = frame_field(build, offsetof(Frame, counts));
    build->hits = frame_field(build, offsetof(Frame, hits));
    build->shared = frame_field(build, offsetof(Frame, shared));
    build->shared_first = frame_field(build, offsetof(Frame, shared_first));
    build->shared_bytes = frame_field(build, offsetof(Frame, shared_bytes));
    build->recorded = frame_field(build, offsetof(Frame, recorded));
    build->code = frame_field(build, offsetof(Frame, code));
    build->stop = frame_field(build, offsetof(Frame, stop));
    build->quiet = frame_field(build, offsetof(Frame, quiet));
}

/* ---- counting ---- */

static void add_at(Build *build, LLVMValueRef address, size_t offset, LLVMValueRef more) {
    LLVMValueRef value = load_at(build, build->i64, address, offset, 8);
    store_at(build, LLVMBuildAdd(build->at, value, more, ""), address, offset, 8);
}

/* Another turn's, where the warp has executed enough; else the block is counted. */
static void count_block(Build *build, uint32_t number) {
    const Block *block = &build->program->blocks[number];
    LLVMBasicBlockRef out = new_block(build, ""), go_on = new_block(build, "");
    LLVMValueRef executed = load_at(build, build->i64, build->warp, offsetof(Warp, executed), 8);
    LLVMValueRef stop = build->program->quiet[number] ? build->quiet : build->stop;
    LLVMValueRef over = LLVMBuildICmp(build->at, LLVMIntUGE, executed, stop, "");
    branch_rarely(build, over, out, go_on);
    LLVMPositionBuilderAtEnd(build->at, out);
    leave(build, LEFT_ENTERS, block->first);
    LLVMPositionBuilderAtEnd(build->at, go_on);
    build->body[number] = go_on;
    LLVMValueRef insns = const64(build, block->count);
    LLVMValueRef worker = load_at(build, build->i64, build->warp, offsetof(Warp, worker), 8);
    add_at(build, build->warp, offsetof(Warp, executed), insns);
    add_at(build, worker, offsetof(Worker, clock), insns);
    size_t row = number * sizeof(BlockCount);
    add_at(build, build->block_counts, row + offsetof(BlockCount, warps), const64(build, 1));
    add_at(build, build->block_counts, row + offsetof(BlockCount, lanes), build->path_lanes);
}

/* ---- the way on ---- */

static void enter(Build *build, uint32_t number) {
    if (build->block[number])
        LLVMBuildBr(build->at, build->block[number]);
    else
        leave(build, LEFT_ENTERS, build->program->blocks[number].first);
}

/* In a place of its own, entered on a condition. */
static LLVMBasicBlockRef entering(Build *build, uint32_t number) {
    if (build->block[number])
        return build->block[number];
    LLVMBasicBlockRef before = LLVMGetInsertBlock(build->at), out = new_block(build, "");
    LLVMPositionBuilderAtEnd(build->at, out);
    enter(build, number);
    LLVMPositionBuilderAtEnd(build->at, before);
    return out;
}

static LLVMBasicBlockRef leaving(Build *build, uint32_t insn) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(build->at), out = new_block(build, "");
    LLVMPositionBuilderAtEnd(build->at, out);
    leave(build, LEFT_BEFORE, insn);
    LLVMPositionBuilderAtEnd(build->at, before);
    return out;
}

/* All lanes take a branch, or none; else the interpreter lets them part. */
static void branch(Build *build, const Block *block, LLVMValueRef guard, uint32_t last) {
    LLVMBuilderRef at = build->at;
    bool taken = block->successor[1] != NO_INDEX, passed = block->successor[0] != NO_INDEX;
    LLVMBasicBlockRef part = leaving(build, last), some = new_block(build, "");
    LLVMBasicBlockRef yes = taken ? entering(build, block->successor[1]) : part;
    LLVMBasicBlockRef no = passed ? entering(build, block->successor[0]) : part;
    LLVMValueRef lanes = build->mask ? build->mask : const32(build, FULL_MASK);
    LLVMValueRef all = LLVMBuildICmp(at, LLVMIntEQ, guard, lanes, "");
    LLVMBuildCondBr(at, all, yes, some);
    LLVMPositionBuilderAtEnd(at, some);
    LLVMValueRef none = LLVMBuildICmp(at, LLVMIntEQ, guard, const32(build, 0), "");
    LLVMBuildCondBr(at, none, no, part);
}

static void end_block(Build *build, const Block *block) {
    uint32_t last = block->first + block->count - 1;
    const Code *code = &build->program->code[last];
    bool guarded = code->control != CONTROL_NONE && code->guard != NO_OPERAND;
    LLVMValueRef guard = guarded ? insn_guard(build, code) : NULL;
    registers_leave(build, (uint32_t)(block - build->program->blocks));
    bool goes_on = code->control == CONTROL_NONE || (code->control == CONTROL_BRANCH && !guard);
    if (goes_on && block->successor[0] != NO_INDEX) {
        enter(build, block->successor[0]);
    } else if (code->control == CONTROL_BRANCH && guard) {
        branch(build, block, guard, last);
    } else if (code->control == CONTROL_EXIT && guard && block->successor[0] != NO_INDEX) {
        LLVMValueRef none = LLVMBuildICmp(build->at, LLVMIntEQ, guard, const32(build, 0), "");
        LLVMBuildCondBr(build->at, none, entering(build, block->successor[0]),
                        leaving(build, last));
    } else {
        leave(build, LEFT_BEFORE, last);
    }
}

/* ---- in between ---- */

static void begin_anew(Build *build, uint32_t number) {
    LLVMBasicBlockRef resume = new_block(build, "");
    registers_flush(build);
    registers_forget(build, false); /* what is constant was set in this block */
    LLVMBuildBr(build->at, resume);
    LLVMPositionBuilderAtEnd(build->at, resume);
    build->resume[number] = resume;
    build->resumes[number] = true;
}

/* false: the code has left, whatever follows. */
static bool build_insn(Build *build, uint32_t number) {
    const Code *code = &build->program->code[number];
    if (build->task->kinds[number] == KIND_ACCESS) {
        if (access_inline(build, code, number))
            return true;
        if (!build->mask && build->task->shapes[number].state == SHAPE_UNSEEN) {
            registers_flush(build);
            registers_forget(build, true);
            leave(build, LEFT_BEFORE, number);
            return false;
        }
    } else if (insn_inline(build, code, number)) {
        return true;
    }
    if (code->insn->op == OP_bar_sync && !build->mask)
        registers_pause(build, number);
    if (op_has(code->insn->op, TRAIT_WAITS) && !build->mask)
        begin_anew(build, number);
    insn_call(build, code, number);
    groups_reset(&build->groups);
    return true;
}

static void build_block(Build *build, uint32_t number) {
    const Block *block = &build->program->blocks[number];
    uint32_t end = block->first + block->count;
    if (build->program->code[end - 1].control != CONTROL_NONE)
        end--;
    LLVMPositionBuilderAtEnd(build->at, build->block[number]);
    build->number = number;
    build->called = false;
    count_block(build, number);
    places_forget(build);
    masks_forget(build);
    groups_find(&build->groups, block->first, end);
    for (uint32_t i = block->first; i < end; i++) {
        if (!build_insn(build, i))
            return;
    }
    end_block(build, block);
}

static bool can_build(const Build *build, uint32_t number) {
    const Block *block = &build->program->blocks[number];
    const Code *last = &build->program->code[block->first + block->count - 1];
    bool ends = last->control == CONTROL_NONE && block->successor[0] == NO_INDEX;
    return !ends;
}

void blocks_build(Build *build, const bool *wanted) {
    const Program *program = build->program;
    LLVMBasicBlockRef entry = new_block(build, "entry"), nowhere = new_block(build, "nowhere");
    LLVMPositionBuilderAtEnd(build->at, entry);
    read_frame(build);
    LLVMValueRef mask = LLVMGetParam(build->function, 4);
    build->mask = build->masked ? LLVMBuildTrunc(build->at, mask, build->i32, "") : NULL;
    LLVMValueRef where =
        LLVMBuildSwitch(build->at, LLVMGetParam(build->function, 3), nowhere, program->block_count);
    LLVMPositionBuilderAtEnd(build->at, nowhere);
    LLVMBuildUnreachable(build->at);
    for (uint32_t b = 0; b < program->block_count; b++)
        build->block[b] = wanted[b] && can_build(build, b) ? new_block(build, "block") : NULL;
    for (uint32_t b = 0; b < program->block_count; b++) {
        if (!build->block[b])
            continue;
        build->starts[b] = true;
        build_block(build, b);
        LLVMAddCase(where, const64(build, 1 + b), build->body[b]);
    }
    for (uint32_t i = 0; i < program->code_count; i++) {
        if (build->resumes[i])
            LLVMAddCase(where, const64(build, 1 + (uint64_t)program->block_count + i),
                        build->resume[i]);
    }
}
