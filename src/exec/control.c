/* Control flow and what is called: branches and exits (decided at the end of a basic block in warp.c),
 * traps, nanosleep, fences, and the functions that the CUDA runtime provides to kernels:
 * __assertfail and vprintf. */
#include "exec/warp.h"

#include <string.h>

static Step exec_nothing(Warp *warp, const Code *code, uint32_t mask) {
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

/* ---- calls ---- */

/* Where the arguments of a call lie in the lane's frame. */
typedef struct Call {
    const char *name;
    uint32_t count;
    uint32_t at[8];
    uint32_t result; /* NO_OPERAND: none */
} Call;

static uint64_t argument(const Warp *warp, const Call *call, uint32_t i, uint32_t lane) {
    uint64_t value = 0;
    const uint8_t *frame = warp->local + (size_t)lane * warp->worker->program->frame_bytes;
    if (i < call->count)
        memcpy(&value, frame + call->at[i], sizeof value);
    return value;
}

/* A NUL-terminated string of the kernel, bounded by its allocation; "?" where it cannot be read. */
static const char *kernel_string(const Warp *warp, uint64_t address, size_t *length) {
    const Memory *memory = warp->worker->launch->memory;
    const MemoryBlock *block = memory_find(memory, address, NULL);
    *length = 1;
    if (!block)
        return "?";
    const char *text = memory_host(memory, address);
    *length = strnlen(text, block->address + block->bytes - address);
    return text;
}

/* void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t) */
static Step exec_assertfail(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    size_t lengths[3];
    const char *message = kernel_string(warp, argument(warp, call, 0, lane), &lengths[0]);
    const char *file = kernel_string(warp, argument(warp, call, 1, lane), &lengths[1]);
    const char *function = kernel_string(warp, argument(warp, call, 3, lane), &lengths[2]);
    return warp_fault(warp, code, FAULT_ASSERT, lane, 0, "%.*s:%u: %.*s: assertion `%.*s' failed",
                      (int)lengths[1], file, (uint32_t)argument(warp, call, 2, lane),
                      (int)lengths[2], function, (int)lengths[0], message);
}

static uint32_t call_place(const Program *program, const Operand *operand) {
    return operand->variable ? (uint32_t)decode_variable(program, operand->variable) : NO_OPERAND;
}

static bool decode_call(Program *program, Arena *arena, const Insn *insn, Code *code) {
    if (insn->operand_count < 1 || insn->operands[0].kind != OPERAND_FUNCTION)
        return false;
    Call *call = NEW(arena, Call);
    call->name = insn->operands[0].function->name;
    call->result = NO_OPERAND;
    const Operand *arguments = insn->operand_count > 2 ? &insn->operands[2] : NULL;
    for (uint32_t i = 0; arguments && i < arguments->count && i < 8; i++)
        call->at[call->count++] = call_place(program, &arguments->elements[i]);
    code->more = call;
    if (strcmp(call->name, "__assertfail") == 0)
        code->full = code->some = exec_assertfail;
    return code->full != NULL;
}

bool control_decode(Program *program, Arena *arena, const Insn *insn, Code *code) {
    switch (insn->op) {
    case OP_bra:
        code->control = CONTROL_BRANCH;
        code->full = code->some = exec_nothing;
        return true;
    case OP_exit:
        code->control = CONTROL_EXIT;
        code->full = code->some = exec_nothing;
        return true;
    case OP_trap:
    case OP_brkpt:
        code->full = code->some = exec_trap;
        return true;
    case OP_nanosleep:
        code->full = code->some = exec_yield;
        return true;
    case OP_fence:
        code->full = code->some = exec_nothing;
        return true;
    case OP_call:
        return decode_call(program, arena, insn, code);
    default:
        return false;
    }
}
