/* tidy.h: what is left over where machine instructions were translated one by one, taken out again. Private to machine. */
#pragma once

#include "ir/ir.h"

/* Instructions keep their places, so that labels, blocks and sites stay as they are; one that is not needed becomes
 * machine.nop, which still counts as the machine instruction that it was. */
void machine_tidy(Function *function);

/* ---- its steps ---- */

/* names.c: each value that stays within a basic block gets a register of its own. */
void tidy_names(Arena *scratch, Function *function);
/* quotients.c: division, written as an approximation that is made exact, is one instruction. */
void tidy_quotients(Arena *scratch, Function *function);
/* scaled.c: approximations around which operands and results are scaled are one instruction. */
void tidy_scaled(Arena *scratch, Function *function);
/* values.c: what is known to be in another register already, or in none, is read there. */
void tidy_values(Arena *scratch, Function *function);
/* dead.c: what nobody reads is not computed. */
void tidy_dead(Arena *scratch, Function *function);
void tidy_leave_out(Insn *insn); /* it becomes machine.nop */

/* ---- crossing.c ---- */

/* What is said of a register. */
enum {
    REGISTER_CROSSES =
        1, /* a block reads what another one, or an earlier round of it, has left there */
    REGISTER_KEPT = 2 /* an instruction that reads it changes it, too */
};
uint8_t *registers_between_blocks(Arena *arena, const Function *function); /* [regs] */

/* ---- lives.c ---- */

/* Which of the registers that cross basic blocks are read further on. */
typedef struct Lives Lives;
Lives *lives_find(Arena *arena, const Function *function);
/* Goes behind the block's last instruction; from there on whoever goes backwards says what is written and read. */
void lives_behind(const Lives *lives, uint32_t block);
bool lives_follow(const Lives *lives, uint32_t reg); /* it is one that crosses */
bool lives_here(const Lives *lives, uint32_t reg);   /* and is read further on */
void lives_end(const Lives *lives, uint32_t reg);
void lives_begin(const Lives *lives, uint32_t reg);
