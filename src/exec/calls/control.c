/* Control flow: branches, returns and exits (decided at the end of a basic block in warp.c), traps,
 * nanosleep, fences, and the stack instructions. */
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"
#include "exec/run/watch.h"

Step exec_pass(Warp *warp, const Code *code, uint32_t mask) {
    (void)warp, (void)code, (void)mask;
    return STEP_NEXT;
}

static Step exec_yield(Warp *warp, const Code *code, uint32_t mask) {
    (void)code, (void)mask;
    warp->spins += 32;
    return STEP_YIELD;
}

static Step exec_trap(Warp *warp, const Code *code, uint32_t mask) {
    return warp_fault(warp, code, FAULT_TRAP, (uint32_t)__builtin_ctz(mask), 0, "%s executed",
                      code->insn->op == OP_trap ? "trap" : "brkpt");
}

/* ---- alloca: from the top of the stack downwards; frames grow upwards ---- */

static uint64_t operand_at(const Warp *warp, uint32_t at, uint8_t class, uint32_t lane) {
    return class == 2 ? reg64(warp, at)[lane] : reg32(warp, at)[lane];
}

static void put_address(const Warp *warp, const Code *code, uint32_t lane, uint64_t value) {
    if (code->d_class == 2)
        reg64(warp, code->d)[lane] = value;
    else
        reg32(warp, code->d)[lane] = (uint32_t)value;
}

static Step exec_alloca(Warp *warp, const Code *code, uint32_t mask) {
    const Program *program = warp->worker->program;
    uint32_t *lowest = reg32(warp, program->alloca_at);
    uint64_t align = code->offset ? (uint64_t)code->offset : 8;
    const Routine *routine = code->more;
    uint64_t floor = warp->current->frame + routine->frame_bytes;
    for_lanes(lane, mask) {
        uint64_t bytes = operand_at(warp, code->a, code->a_class, lane);
        uint64_t room = lowest[lane] - floor;
        if (bytes > room || ((lowest[lane] - bytes) & ~(align - 1)) < floor)
            return warp_fault(
                warp, code, FAULT_STACK_OVERFLOW, lane, 0,
                "stack overflow: alloca of %llu bytes; of a thread's %u are %llu left",
                (unsigned long long)bytes, program->stack_bytes, (unsigned long long)room);
        lowest[lane] = (uint32_t)((lowest[lane] - bytes) & ~(align - 1));
        put_address(warp, code, lane, lowest[lane]);
    }
    warp->stack_used = program->stack_bytes; /* to be cleared for the next block */
    return STEP_NEXT;
}

static Step exec_stacksave(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *lowest = reg32(warp, warp->worker->program->alloca_at);
    for_lanes(lane, mask) put_address(warp, code, lane, lowest[lane]);
    return STEP_NEXT;
}

static Step exec_stackrestore(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t *lowest = reg32(warp, warp->worker->program->alloca_at);
    for_lanes(lane, mask) lowest[lane] = (uint32_t)operand_at(warp, code->a, code->a_class, lane);
    return STEP_NEXT;
}

/* ---- brx.idx ---- */

static void decode_switch(const Decoding *decoding, const Insn *insn, Code *code) {
    const Operand *labels = &insn->operands[1];
    const Routine *routine = decoding->routine;
    Switch *choice = NEW(decoding->arena, Switch);
    choice->count = labels->count;
    choice->blocks = NEW_ARRAY(decoding->arena, uint32_t, labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        uint32_t target = labels->elements[i].target;
        bool inside = target < routine->function->insns.count;
        choice->blocks[i] =
            inside ? decoding->program->block_of[routine->first_code + target] : NO_INDEX;
    }
    code->more = choice;
}

bool control_decode(Decoding *decoding, const Insn *insn, Code *code) {
    code->full = code->some = exec_pass;
    switch (insn->op) {
    case OP_bra:
        code->control = CONTROL_BRANCH;
        return true;
    case OP_brx_idx:
        code->control = CONTROL_SWITCH;
        decode_switch(decoding, insn, code);
        return true;
    case OP_exit:
        code->control = CONTROL_EXIT;
        return true;
    case OP_ret:
        code->control = CONTROL_RETURN;
        return true;
    case OP_trap:
    case OP_brkpt:
        code->full = code->some = exec_trap;
        return true;
    case OP_nanosleep:
        code->full = code->some = exec_yield;
        return true;
    case OP_fence: /* memory is in order, and copies are done when they are issued */
    case OP_fence_tensormap:
        code->full = code->some = exec_memory_fence;
        return true;
    case OP_prefetch_tensormap:
    case OP_machine_nop:
    case OP_pmevent:
    case OP_setmaxnreg:
    case OP_grid_wait: /* the launch before is over */
    case OP_grid_launch:
        return true;
    case OP_alloca:
        code->full = code->some = exec_alloca;
        code->more = decoding->routine;
        code->offset = insn->operand_count > 2 ? (int64_t)insn->operands[2].bits : 0;
        return true;
    case OP_stacksave:
        code->full = code->some = exec_stacksave;
        return true;
    case OP_stackrestore:
        code->full = code->some = exec_stackrestore;
        return true;
    default:
        code->full = code->some = NULL;
        return false;
    }
}
