/* schedule.h: another legal order of a launch's blocks, of their warps and of lanes that parted, from a seed (Launch.schedule).
 * Private to exec.
 *
 * CUDA promises no order between blocks, nor between warps, nor between lanes that parted, but what the program itself
 * says by barriers, atomics, flags. The order without a seed is one of many: blocks as they are numbered, each warp
 * until it waits. With one, everything that is not said is drawn:
 *
 *   blocks   which begins next, how many are there side by side, which of them has the next turn
 *   warps    who is next, who sleeps for a while, for how long one runs: it may be stopped behind each access
 *            to memory and at each end of a basic block
 *   lanes    of those that parted, who goes on first; they meet where they meet without a seed
 *
 * Everybody who can run has a turn sooner or later, and blocks that only wait have others begin, those of the lowest
 * numbers first: look-back scans and locks end, as on a GPU. The launch runs on one worker and is interpreted,
 * so that the same seed gives the same order. */
#pragma once

#include "exec/run/worker.h"

/* NULL: the launch has no seed. number: of the launch, as each has an order of its own. */
DrawnOrder *schedule_new(Arena *arena, const Run *run, uint64_t number);

/* ---- blocks ---- */

/* Whether one more is to begin, beside `resident` ones. */
bool schedule_begins(const Worker *worker, uint32_t resident, uint32_t limit);
/* The number of the one that begins, of those of the run that have not. */
uint64_t schedule_unit(DrawnOrder *schedule);
/* Puts that resident block first which has the next turn. */
void schedule_choose(Worker *worker, uint32_t resident);

/* ---- warps ---- */

/* Rounds of its warps that a block has in a turn. */
uint32_t schedule_rounds(DrawnOrder *schedule);
/* The order of a round. */
void schedule_warps(DrawnOrder *schedule, uint32_t count, uint8_t order[WARP_LANES]);
/* Whether the warp has no turn in this round. */
bool schedule_sleeps(DrawnOrder *schedule, Warp *warp);
/* Instructions of its turn; how likely it is stopped within a basic block is drawn, too. */
uint64_t schedule_budget(DrawnOrder *schedule);
/* Whether the warp's turn ends behind the instruction. */
bool schedule_stops(DrawnOrder *schedule, const Code *code);

/* ---- lanes ---- */

/* In place of path_choose. */
Path *schedule_path(DrawnOrder *schedule, Warp *warp);
