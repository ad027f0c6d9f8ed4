/* A function's sites, one after the other; then what several of them become together. */
#include "lower/lowering.h"

static AccessKind kind_of(const Insn *insn) {
    switch (op_access(insn->op)) {
    case OP_ACCESS_STORE:
        return ACCESS_STORE;
    case OP_ACCESS_LDMATRIX:
        return ACCESS_LDMATRIX;
    case OP_ACCESS_STMATRIX:
        return ACCESS_STMATRIX;
    case OP_ACCESS_CP_ASYNC:
        return insn->mods.flags & MOD_CG ? ACCESS_CP_ASYNC_CG : ACCESS_CP_ASYNC_CA;
    default:
        return ACCESS_LOAD;
    }
}

/* Elements of a ld or st. */
static uint32_t element_count(const Insn *insn) {
    const Operand *data = &insn->operands[op_access(insn->op) == OP_ACCESS_STORE ? 1 : 0];
    return data->kind == OPERAND_VECTOR ? data->count : 1;
}

static uint32_t written_width(const Insn *insn) {
    switch (op_access(insn->op)) {
    case OP_ACCESS_LDMATRIX:
    case OP_ACCESS_STMATRIX:
        return 16;
    case OP_ACCESS_CP_ASYNC:
        return (uint32_t)insn->operands[2].bits;
    case OP_ACCESS_ATOMIC:
    case OP_ACCESS_REDUCTION:
        return type_bytes((Type)insn->mods.type) * (insn->mods.vector ? insn->mods.vector : 1);
    default:
        return type_bytes((Type)insn->mods.type) *
               (op_has(insn->op, TRAIT_ELEMENTS) ? element_count(insn) : 1);
    }
}

static void lower_insn(Lowering *lowering, const Insn *insn, LoweredAccess *lowered) {
    uint32_t written = written_width(insn);
    OpAccess access = op_access(insn->op);
    *lowered = (LoweredAccess){.kind = kind_of(insn),
                               .accesses = 1,
                               .into = NO_INDEX,
                               .written = written,
                               .width = written,
                               .matrices = insn->mods.matrices};
    if (op_has(insn->op, TRAIT_TILE)) {
        lower_matrix(lowering->arena, insn, lowered);
    } else if (access == OP_ACCESS_LOAD) {
        lowered->pieces[0].count = element_count(insn);
        if (insn->mods.order == ORDER_WEAK && !lowering->function->machine)
            narrow_load(lowering, insn, lowered);
    } else if (access == OP_ACCESS_ATOMIC || access == OP_ACCESS_REDUCTION) {
        lower_atomic(lowering, insn, lowered);
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
        lowering->reads[reg] += lowering->reads[reg] < 2;
        lowering->reader[reg] = visit->insn;
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
    lowering->reads = NEW_ARRAY(lowering->scratch, uint32_t, function->regs.count + 1);
    lowering->reader = NEW_ARRAY(lowering->scratch, uint32_t, function->regs.count + 1);
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
                    LoweredAccess *sites) {
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
    if (!function->machine) /* in machine code they are what they are */
        merge_accesses(&lowering);
    arena_free(lowering.scratch);
}
