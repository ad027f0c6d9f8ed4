/* classes: exact counts of a launch from some of its blocks, where no data decide (docs/decisions/0061-classes-of-blocks.md).
 * A block is executed, and what its path and its costs depend on is written down as conditions on its place in the
 * grid; each block that satisfies them would count the same.
 *
 * Invariants
 *   - Counters are sums over the blocks that ran, each times the blocks that it stands for: to the last digit those of
 *     a launch in which all run.
 *   - What is recorded of a block (evidence, the bytes that it touches) is what was recorded of the one that stands for it, each access
 *     as much further on as its form says.
 *   - Where it cannot go on, global memory is as it was, and the launch runs as any other. */
#pragma once

#include "exec/run/prepared.h"

typedef struct Follower Follower;

/* Runs as many blocks of the run as are needed, on its first worker, and counts all. false: result says why not, and
 * nothing has happened. */
bool classes_execute(Run *run, LaunchResult *result);

/* ---- for what executes ---- */

/* Before an instruction is executed: by the lanes of the path, of which its guard leaves `mask`. false: the block cannot
 * stand for others, and stops. */
bool follow_step(Warp *warp, const Code *code, uint32_t lanes, uint32_t mask);
/* The warp is before that instruction of a basic block, which it has just entered if it is the first. */
void follow_enter(Warp *warp, const Code *code);
/* A barrier has let the warps of a block go. */
void follow_release(Cta *cta);
/* An access, or a range of global memory, of a block that is recorded: before it is written down. */
void follow_record(Warp *warp, uint32_t site, const Access *access);
void follow_record_range(Warp *warp, uint64_t address, uint64_t bytes, bool stored);
/* An access to memory whose addresses were checked. */
void follow_access(Warp *warp, Space space, const Touch *touch, uint32_t mask, uint32_t width,
                   bool writes);
/* The same for a range of global memory. */
void follow_range(Warp *warp, uint64_t address, uint64_t bytes, bool writes);
