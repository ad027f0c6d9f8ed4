/* What is known of an atomic before it is executed, and whether the fast path may do it. */
#include "exec/access/atomic.h"
#include "exec/decode/operands.h"

#include <string.h>

static Func func_of(const Insn *insn) {
    switch (insn->op) {
    case OP_atom_cas:
    case OP_machine_atom_cas:
    case OP_machine_cast:
        return FUNC_CAS;
    case OP_machine_inc:
        return FUNC_ADD;
    default:
        return (Func)insn->mods.func;
    }
}

/* The registers of a vector; what is not kept is '_'. */
static void decode_vector(Decoding *decoding, const Operand *vector, uint32_t *registers) {
    uint8_t class;
    for (uint32_t i = 0; i < vector->count; i++)
        registers[i] = vector->elements[i].kind == OPERAND_SINK
                           ? NO_OPERAND
                           : decode_operand(decoding, &vector->elements[i], &class);
}

static bool is_vector(const Insn *insn) {
    return insn->op == OP_atom_vector || insn->op == OP_red_vector;
}

/* One word of the block's own shared memory, combined as integers are. */
static bool is_plain(const Atomic *atomic, const Code *code) {
    return code->space == SPACE_SHARED && !(code->mods.flags & MOD_CLUSTER) && !atomic->tries &&
           atomic->bytes == sizeof(uint32_t) && !type_is_float(atomic->type) &&
           code->site != NO_SITE && (code->b == NO_OPERAND || code->b_class == 1) &&
           (!atomic->returns || code->d_class == 1);
}

bool atomic_decode(Decoding *decoding, const Insn *insn, Code *code) {
    uint32_t at = op_access(insn->op) == OP_ACCESS_REDUCTION ? 0 : 1;
    const Operand *address = &insn->operands[at], *operand = &insn->operands[at + 1];
    Atomic *atomic = NEW(decoding->arena, Atomic);
    atomic->type = (Type)insn->mods.type;
    atomic->func = func_of(insn);
    atomic->tries = insn->op == OP_machine_atom || insn->op == OP_machine_atom_cas;
    atomic->bytes = type_bytes(atomic->type);
    atomic->returns = at == 1 && insn->operands[0].kind != OPERAND_SINK;
    atomic->lowered = &decoding->program->lowered[code->site];
    code->more = atomic;
    code->space = (uint8_t)insn->mods.space;
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->b = code->c = NO_OPERAND;
    atomic->count = insn->mods.vector ? insn->mods.vector : 1;
    if (is_vector(insn)) {
        memset(atomic->old, 0xff, sizeof atomic->old);
        decode_vector(decoding, operand, atomic->operand);
        if (atomic->returns)
            decode_vector(decoding, &insn->operands[0], atomic->old);
        code->full = code->some = exec_atomic;
        return true;
    }
    if (insn->op != OP_machine_inc)
        code->b = decode_operand(decoding, operand, &code->b_class);
    if (atomic->func == FUNC_CAS)
        code->c = decode_operand(decoding, &insn->operands[at + 2], &code->c_class);
    code->full = code->some = insn->op == OP_machine_cast ? exec_cast
                              : is_plain(atomic, code)    ? ops_shared_atomic()
                                                          : exec_atomic;
    return true;
}
