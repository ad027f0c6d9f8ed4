/* A function's sites, one after the other; then what several of them become together. */
#include "lower/lowering.h"

static AccessKind kind_of(const Insn *insn) {
    switch (insn->op) {
    case OP_st:
        return ACCESS_STORE;
    case OP_ldmatrix:
        return ACCESS_LDMATRIX;
    case OP_stmatrix:
        return ACCESS_STMATRIX;
    case OP_cp_async:
        return insn->mods.flags & MOD_CG ? ACCESS_CP_ASYNC_CG : ACCESS_CP_ASYNC_CA;
    default:
        return ACCESS_LOAD;
    }
}

static uint32_t data_count(const Operand *data) {
    return data->kind == OPERAND_VECTOR ? data->count : 1;
}

static uint32_t written_width(const Insn *insn) {
    switch (insn->op) {
    case OP_ldmatrix:
    case OP_stmatrix:
        return 16;
    case OP_cp_async:
        return (uint32_t)insn->operands[2].bits;
    case OP_ld:
    case OP_ldu:
        return type_bytes((Type)insn->mods.type) * data_count(&insn->operands[0]);
    case OP_st:
        return type_bytes((Type)insn->mods.type) * data_count(&insn->operands[1]);
    default:
        return type_bytes((Type)insn->mods.type);
    }
}

static void lower_insn(Lowering *lowering, const Insn *insn, Lowered *lowered) {
    uint32_t written = written_width(insn);
    *lowered = (Lowered){.kind = kind_of(insn),
                         .accesses = 1,
                         .into = NO_INDEX,
                         .written = written,
                         .width = written,
                         .matrices = insn->mods.matrices};
    switch (insn->op) {
    case OP_ld:
    case OP_ldu:
        lowered->pieces[0].count = data_count(&insn->operands[0]);
        if (insn->mods.order == ORDER_WEAK)
            narrow_load(lowering, insn, lowered);
        break;
    case OP_atom:
    case OP_atom_cas:
    case OP_red:
        lower_atomic(lowering, insn, lowered);
        break;
    case OP_wmma_load:
    case OP_wmma_store:
        lower_matrix(lowering->arena, insn, lowered);
        break;
    default:
        break;
    }
}

/* ---- registers ---- */

typedef struct Visit {
    Lowering *lowering;
    uint32_t insn;
} Visit;

static void note_register(void *context, uint32_t reg, bool defined) {
    const Visit *visit = context;
    Lowering *lowering = visit->lowering;
    if (!defined) {
        lowering->read[reg] = true;
        return;
    }
    lowering->writes[reg] += lowering->writes[reg] < 2;
    lowering->writer[reg] = visit->insn;
}

static void find_registers(Lowering *lowering) {
    const Function *function = lowering->function;
    lowering->read = NEW_ARRAY(lowering->scratch, bool, function->regs.count + 1);
    lowering->writes = NEW_ARRAY(lowering->scratch, uint32_t, function->regs.count + 1);
    lowering->writer = NEW_ARRAY(lowering->scratch, uint32_t, function->regs.count + 1);
    for (uint32_t i = 0; i < function->insns.count; i++)
        insn_registers(&function->insns.at[i], note_register, &(Visit){lowering, i});
    for (uint32_t i = 0; i < function->results.count; i++)
        if (function->results.at[i]->space == SPACE_REG)
            lowering->read[function->results.at[i]->offset] = true;
    for (uint32_t i = 0; i < function->params.count; i++)
        if (function->params.at[i]->space == SPACE_REG)
            lowering->writes[function->params.at[i]->offset] = 2;
}

void lower_function(Arena *arena, const Function *function, const SharedSpace *shared,
                    Lowered *sites) {
    if (function->sites == 0)
        return;
    Lowering lowering = {.function = function,
                         .shared = shared,
                         .arena = arena,
                         .scratch = arena_new(),
                         .sites = sites};
    find_registers(&lowering);
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        if (insn->site != NO_SITE)
            lower_insn(&lowering, insn, &sites[insn->site]);
    }
    merge_accesses(&lowering);
    arena_free(lowering.scratch);
}
