/* What nobody reads is not computed: carries that nothing takes in, words of an address that is used as a whole, constants
 * that an operand has. Registers that cross basic blocks are followed through all of them; the others within theirs. */
#include "machine/tidy.h"

enum { ROUNDS = 3 };

typedef struct Dead {
    Function *function;
    Lives *lives;
    uint32_t *read_by; /* [regs]: of those that do not cross: block + 1 that reads it further on */
    uint32_t block;
    bool guarded, needed;
} Dead;

/* ---- backwards through a block ---- */

static void look_at_result(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    if (!defined)
        return;
    dead->needed |= lives_follow(dead->lives, reg) ? lives_here(dead->lives, reg)
                                                   : dead->read_by[reg] == dead->block + 1;
}

static void end_life(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    if (!defined || dead->guarded)
        return;
    if (lives_follow(dead->lives, reg))
        lives_end(dead->lives, reg);
    else
        dead->read_by[reg] = 0;
}

static void begin_life(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    if (defined)
        return;
    if (lives_follow(dead->lives, reg))
        lives_begin(dead->lives, reg);
    else
        dead->read_by[reg] = dead->block + 1;
}

/* Nothing but its results comes of it. That the system's shared memory is named says where the block's own begins. */
static bool only_computes(const Insn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL &&
            insn->operands[i].special == SREG_RESERVED_SMEM)
            return false;
    return op_has(insn->op, TRAIT_PURE) ||
           (insn->op == OP_ld && insn->mods.space == SPACE_PARAM && insn->site == NO_SITE);
}

void tidy_leave_out(Insn *insn) {
    insn->op = OP_machine_nop;
    insn->mods = (Mods){0};
    insn->guard = NO_REG;
    insn->guard_negated = false;
    insn->operand_count = 0;
}

static bool sweep(Dead *dead) {
    const Function *function = dead->function;
    bool found = false;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        dead->block = b;
        lives_behind(dead->lives, b);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            Insn *insn = &function->insns.at[i];
            dead->needed = false;
            insn_registers(insn, look_at_result, dead);
            if (!dead->needed && only_computes(insn)) {
                tidy_leave_out(insn);
                found = true;
                continue;
            }
            dead->guarded = insn->guard != NO_REG;
            insn_registers(insn, end_life, dead);
            insn_registers(insn, begin_life, dead);
        }
    }
    return found;
}

/* One round; false: all is needed. */
static bool leave_out_dead(Function *function) {
    Arena *arena = arena_new();
    Dead dead = {.function = function,
                 .lives = lives_find(arena, function),
                 .read_by = NEW_ARRAY(arena, uint32_t, function->regs.count)};
    const bool found = sweep(&dead);
    arena_free(arena);
    return found;
}

void tidy_dead(Arena *scratch, Function *function) {
    (void)scratch;
    for (uint32_t i = 0; i < ROUNDS && leave_out_dead(function); i++)
        ;
}
