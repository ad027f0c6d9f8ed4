/* turns: loops of a followed block whose turns differ by constants. One turn is executed with a symbol for its number
 * (TURN_SYMBOL); where what it makes of the registers is what it found there, moved on by the same constants, all turns
 * are like it as long as its conditions hold, and those in between are counted without being executed. Private to the room.
 *
 * A turn is a number of rounds of the loop, so many that addresses move by whole lines: between two moments at which
 * a warp enters one basic block, or at which all warps of the block leave one barrier.
 *
 * Invariants
 *   - Registers have the turn in their forms between the two moments only.
 *   - A register is carried on if it is read in a turn before it was written there. All others are written anew in the
 *     last turn, which is executed, before anybody reads them.
 *   - A condition of the turn is one of the block's class for the first turn and for the last; conditions are intervals
 *     and multiples, so that they hold in between. */
#pragma once

#include "exec/classes/follow.h"

Turns *turns_new(Arena *arena, const Run *run, const Meaning *meanings);
/* A block is followed from its beginning; it has ended. */
void turns_begin(Follower *follower);
void turns_end(Follower *follower);
/* Lanes of the path execute the instruction, `mask` of them as its guard allows. */
void turns_step(Follower *follower, const Warp *warp, const Code *code, const Meaning *meaning,
                uint32_t lanes, uint32_t mask);
/* Turns were counted that were not executed. */
bool turns_found(const Turns *turns);
